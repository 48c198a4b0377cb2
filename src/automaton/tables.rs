//! Tables that hang on the vocabulary alone: the universes of a compiler share them, whatever generation they are of.

use std::sync::OnceLock;

use crate::automaton::byte_kinds::ByteKinds;
use crate::automaton::class::Measures;
use crate::automaton::wide::Touching;
use crate::vocab::TokenTrie;

/// See the module; each is made when it is first needed.
#[derive(Default)]
pub(crate) struct VocabularyTables {
    /// The lengths of the free string's tokens.
    pub(crate) measures: OnceLock<Measures>,
    /// The tokens in which the free string ends, by their bytes before the quote.
    pub(crate) closing_heads: OnceLock<TokenTrie>,
    /// The free string's tokens by what they are made of.
    pub(crate) touching: OnceLock<Touching>,
    /// Which kinds of bytes occur below each node of the trie.
    pub(crate) byte_kinds_below: OnceLock<Box<[ByteKinds]>>,
}
