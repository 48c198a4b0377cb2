//! Tokens that begin with insignificant whitespace, split once: those that are nothing else, and what remains of the
//! others after it.
//!
//! A vocabulary has hundreds of tokens of blanks and line breaks. Every structural position allows the same
//! ones, so they are found once for each amount of whitespace already read, and a position walks only what may follow
//! them.

use std::sync::{Arc, OnceLock};

use crate::automaton::token_set::TokenSet;
use crate::automaton::universe::Universe;
use crate::automaton::whitespace::Ws;
use crate::index::{StateId, TokenId, widen};
use crate::vocab::TokenTrie;

/// See the module.
#[derive(Debug)]
pub(crate) struct Padding {
    /// Tokens of whitespace alone.
    pub(crate) tokens: Arc<TokenSet>,
    /// Over what follows the whitespace, where a structural byte does.
    pub(crate) rests: TokenTrie,
}

/// A table filled on first use.
#[derive(Default, Debug)]
pub(crate) struct PaddingData(OnceLock<Padding>);

/// The bytes by which a value, a key, or the end of a container can begin after whitespace of the bounded kind.
fn goes_on(byte: u8) -> bool {
    matches!(byte, b'"' | b'{' | b'}' | b'[' | b']' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n')
}

impl Universe {
    /// For a position inside a bounded stretch of whitespace that may go on: its padding table, and the state that stands
    /// for the position once the stretch has begun.
    pub(crate) fn padding_at(&self, at: u32) -> Option<(u32, StateId)> {
        let control = &self.controls.get(at).key;
        let ws = control.whitespace().filter(|ws| ws.is_bounded())?;
        if !self.may_pad(control) {
            return None;
        }
        let table = self.paddings.intern_key(&ws);
        Some((table, self.control_id(&control.with_whitespace(Ws::BEGUN))))
    }

    /// A table of [`Universe::padding_at`].
    pub(crate) fn padding(&self, table: u32) -> &Padding {
        let entry = self.paddings.get(table);
        entry.data.0.get_or_init(|| self.find_padding(entry.key))
    }

    fn find_padding(&self, start: Ws) -> Padding {
        let trie = self.vocabulary.trie();
        let spelled = |byte: u8| self.spelling.has(byte) && (byte != b'\r' || self.spelling.has(b'\n'));
        let mut tokens = Vec::new();
        let mut rests: Vec<(&[u8], TokenId)> = Vec::new();
        let mut stack = vec![start];
        let (mut at, end) = (1, trie.end(0));
        while at < end {
            let depth = widen(trie.depth(at));
            stack.truncate(depth);
            let (byte, ws) = (trie.byte(at), stack[depth - 1]);
            match ws.step(byte).filter(|_| spelled(byte)) {
                Some(next) => {
                    tokens.extend_from_slice(trie.tokens(at));
                    stack.push(next);
                    at += 1;
                }
                None => {
                    if depth > 1 && goes_on(byte) && !ws.awaits_newline() {
                        let below = trie.tokens_below(at).iter();
                        rests.extend(below.map(|&token| (&self.vocabulary.bytes(token)[depth - 1..], token)));
                    }
                    at = trie.end(at);
                }
            }
        }
        let tokens = TokenSet::of_tokens(tokens, self.row_words());
        Padding { tokens: self.sets.set(tokens, &self.budget), rests: TokenTrie::build(rests) }
    }
}
