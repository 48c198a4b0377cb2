//! The vocabulary: what every token id writes, and which ids are text, letters or stop tokens.
//!
//! A loader reads a file into entries (spelling and exact bytes by id), rules say which entries are text, and the
//! text tokens go into a trie. Bytes come straight from the file, as *continuation* text: what a
//! decoder strips from the start of a whole text is not a property of a token.
//!
//! Invariants: a text token has bytes, every other kind shows none. A stop token is a letter for as long as it is
//! one. The trie holds exactly the text tokens. Ids at or past `len` and below the logits width are undecodable.

mod byte_set;
mod demo;
mod entries;
mod fans;
mod file;
mod kind;
mod letters;
mod pack;
mod report;
mod stop;
mod trie;

use std::{
    fmt,
    path::Path,
    sync::{Arc, OnceLock},
};

use entries::{Entries, EntriesBuilder, Origin};
use letters::Ruling;

pub use byte_set::ByteSet;
pub(crate) use fans::Fan;
pub use kind::{AddedToken, KindReason, TokenKind};
pub use report::VocabularyReport;
pub use trie::TokenTrie;

use crate::{error::VocabularyError, index::TokenId, limits::VOCABULARY_TOKENS_MAX};

/// A model's tokens. Cloning is cheap: everything is shared.
///
/// ```
/// use maskwright::{TokenId, Vocabulary, vocab::TokenKind};
/// let vocabulary = Vocabulary::from_tokens(["y", "ye", "yes", "no", "<end>"], &[TokenId(4)])?;
/// assert_eq!(vocabulary.bytes(TokenId(2)), b"yes");
/// assert_eq!(vocabulary.kind(TokenId(4)), TokenKind::Letter);
/// assert!(vocabulary.missing_bytes().contains(b'n'));
/// # Ok::<(), maskwright::VocabularyError>(())
/// ```
#[derive(Clone)]
pub struct Vocabulary {
    entries: Arc<Entries>,
    view: Arc<View>,
    logits_width: usize,
}

/// What the rules and the caller made of the entries.
struct View {
    /// By rule or by the caller's choice, stop tokens left aside: taking a token out of the stop set restores it.
    chosen: Vec<TokenKind>,
    rulings: Vec<Ruling>,
    /// `chosen`, with stop tokens as letters.
    kinds: Vec<TokenKind>,
    stop: Vec<TokenId>,
    missing_bytes: ByteSet,
    longest_token: usize,
    /// Built when first asked for: overrides would build it for nothing.
    trie: OnceLock<TokenTrie>,
}

/// Loading.
impl Vocabulary {
    /// Reads a `tokenizer.json` of the `tokenizers` library: BPE or Unigram models whose decoder is byte-level,
    /// byte-fallback, Metaspace or replacing. Cost: about 0.1 s for a file of 33 MB.
    ///
    /// # Errors
    /// The file can't be read, is malformed or contradicts itself, passes a limit, or uses a model or decoder whose
    /// tokens have no bytes of their own (WordPiece, end-of-word suffixes).
    pub fn from_tokenizer_json(path: impl AsRef<Path>) -> Result<Self, VocabularyError> {
        let path = path.as_ref();
        file::read(path).and_then(Self::from_tokenizer_json_text).map_err(|e| file::in_file(path, &e))
    }

    /// The same from the text of the file.
    ///
    /// # Errors
    /// As [`Vocabulary::from_tokenizer_json`].
    pub fn from_tokenizer_json_text(text: impl AsRef<[u8]>) -> Result<Self, VocabularyError> {
        file::tokenizer_json::entries(text.as_ref()).and_then(Self::from_entries)
    }

    /// Reads a tiktoken file: lines of base64 and rank. The file does not hold the special tokens; they are given by
    /// name and id, and are added tokens.
    ///
    /// # Errors
    /// The file can't be read, a line is malformed, an id is taken twice, or a limit is passed.
    pub fn from_tiktoken(path: impl AsRef<Path>, special: &[(&str, u32)]) -> Result<Self, VocabularyError> {
        let path = path.as_ref();
        file::read(path)
            .and_then(|text| Self::from_tiktoken_text(text, special))
            .map_err(|e| file::in_file(path, &e))
    }

    /// The same from the text of the file.
    ///
    /// # Errors
    /// As [`Vocabulary::from_tiktoken`].
    pub fn from_tiktoken_text(
        text: impl AsRef<[u8]>,
        special: &[(&str, u32)],
    ) -> Result<Self, VocabularyError> {
        file::tiktoken::entries(text.as_ref(), special).and_then(Self::from_entries)
    }

    /// Reads the tokenizer inside a GGUF file (version 2 or 3, little-endian, model `gpt2` or `llama`). Only the metadata
    /// at its head is read. The stop tokens are those that the metadata names and those with a well-known name.
    ///
    /// # Errors
    /// The file can't be read, is malformed or truncated, passes a limit, or holds another kind of tokenizer.
    pub fn from_gguf(path: impl AsRef<Path>) -> Result<Self, VocabularyError> {
        let path = path.as_ref();
        let load = || Self::from_gguf_reader(file::open(path)?);
        load().map_err(|e| file::in_file(path, &e))
    }

    /// The same from anything that can be read.
    ///
    /// # Errors
    /// As [`Vocabulary::from_gguf`].
    pub fn from_gguf_reader(reader: impl std::io::Read) -> Result<Self, VocabularyError> {
        let (entries, stop) = file::gguf::entries(reader)?;
        let vocabulary = Self::from_entries(entries)?;
        let mut all = vocabulary.stop_tokens().to_vec();
        all.extend(stop);
        vocabulary.with_stop_tokens(&all)
    }

    /// A vocabulary of these byte strings; the position is the id. Stop tokens are letters, all others with bytes are text.
    ///
    /// # Errors
    /// There is no token, a limit is passed, or a stop token is no id.
    pub fn from_tokens(
        tokens: impl IntoIterator<Item = impl Into<Vec<u8>>>,
        stop: &[TokenId],
    ) -> Result<Self, VocabularyError> {
        let mut builder = EntriesBuilder::default();
        for (bytes, id) in tokens.into_iter().zip(0..) {
            let bytes: Vec<u8> = bytes.into();
            builder.push(id, &printable(&bytes), &bytes, Origin::Model)?;
        }
        Self::from_entries(builder.finish()?)?.with_stop_tokens(stop)
    }

    /// The small vocabulary that is built into the crate: 4,096 tokens trained on JSON and English, every byte among them,
    /// `<|end|>` as stop token. The first call reads it, later ones are cheap.
    ///
    /// # Panics
    /// Never: a test loads it.
    #[must_use]
    pub fn demo() -> Self {
        static DEMO: OnceLock<Vocabulary> = OnceLock::new();
        DEMO.get_or_init(|| {
            demo::entries().and_then(Self::from_entries).expect("the built-in vocabulary is well formed")
        })
        .clone()
    }

    /// The tokens of a text in the demo vocabulary, as byte-pair encoding merges them; never a letter. Cost: linear in the
    /// text.
    #[must_use]
    pub fn demo_encode(text: &str) -> Vec<TokenId> {
        demo::encode(Self::demo().trie(), text)
    }

    /// Applies the rules to what a file says.
    fn from_entries(entries: Entries) -> Result<Self, VocabularyError> {
        let (chosen, rulings) = letters::classify(&entries);
        let stop = stop::find(&entries, &chosen);
        let logits_width = entries.len();
        let view = Arc::new(View::new(&entries, chosen, rulings, stop));
        Ok(Self { entries: Arc::new(entries), view, logits_width })
    }
}

/// The caller's word over the rules'.
impl Vocabulary {
    /// The same vocabulary for a model with more logits than tokens; the bits past the last id are never set.
    ///
    /// # Errors
    /// The width is less than [`Vocabulary::len`] or more than the limit of a vocabulary.
    pub fn with_logits_width(mut self, width: usize) -> Result<Self, VocabularyError> {
        if width < self.len() || width > VOCABULARY_TOKENS_MAX {
            return Err(VocabularyError::new(format!(
                "a logits width of {width} does not fit {} token ids: give one from {} to {VOCABULARY_TOKENS_MAX}",
                self.len(),
                self.len()
            )));
        }
        self.logits_width = width;
        Ok(self)
    }

    /// The same vocabulary with this set of stop tokens instead of its own. What is no longer a stop token
    /// becomes again what it was.
    ///
    /// # Errors
    /// As [`Vocabulary::check_stop_tokens`].
    pub fn with_stop_tokens(self, stop: &[TokenId]) -> Result<Self, VocabularyError> {
        let stop = self.check_stop_tokens(stop)?;
        let (chosen, rulings) = (self.view.chosen.clone(), self.view.rulings.clone());
        Ok(self.with_view(chosen, rulings, stop))
    }

    /// These ids ascending and each once, if all of them can be stop tokens.
    ///
    /// # Errors
    /// An id is outside the vocabulary, or undecodable.
    pub fn check_stop_tokens(&self, stop: &[TokenId]) -> Result<Vec<TokenId>, VocabularyError> {
        let mut stop = stop.to_vec();
        stop.sort_unstable();
        stop.dedup();
        match stop.iter().find(|&&token| self.kind(token) == TokenKind::Undecodable) {
            None => Ok(stop),
            Some(&token) => Err(VocabularyError::new(format!("stop token {}", self.absent(token)))),
        }
    }

    /// The same vocabulary with these tokens as text, whatever the rules say.
    ///
    /// # Errors
    /// A token is outside the vocabulary, undecodable, has no bytes, or is a stop token.
    pub fn with_text_tokens(self, tokens: &[TokenId]) -> Result<Self, VocabularyError> {
        self.with_kind(tokens, TokenKind::Text)
    }

    /// The same vocabulary with these tokens as letters, whatever the rules say.
    ///
    /// # Errors
    /// A token is outside the vocabulary or undecodable.
    pub fn with_letter_tokens(self, tokens: &[TokenId]) -> Result<Self, VocabularyError> {
        self.with_kind(tokens, TokenKind::Letter)
    }

    fn with_kind(self, tokens: &[TokenId], kind: TokenKind) -> Result<Self, VocabularyError> {
        let (mut chosen, mut rulings) = (self.view.chosen.clone(), self.view.rulings.clone());
        for &token in tokens {
            if self.kind(token) == TokenKind::Undecodable {
                return Err(VocabularyError::new(format!("token {}", self.absent(token))));
            }
            if kind == TokenKind::Text && self.entries.bytes(token.index()).is_empty() {
                return Err(VocabularyError::new(format!(
                    "token {} spells nothing: it can't be text",
                    token.0
                )));
            }
            if kind == TokenKind::Text && self.is_stop(token) {
                return Err(VocabularyError::new(format!(
                    "token {} is a stop token: replace the stop tokens before making it text",
                    token.0
                )));
            }
            chosen[token.index()] = kind;
            match rulings.binary_search_by_key(&token, |ruling| ruling.id) {
                Ok(at) => rulings[at].reason = KindReason::Chosen,
                Err(at) => rulings
                    .insert(at, Ruling { id: token, special_in_file: false, reason: KindReason::Chosen }),
            }
        }
        let stop = self.view.stop.clone();
        Ok(self.with_view(chosen, rulings, stop))
    }

    fn with_view(self, chosen: Vec<TokenKind>, rulings: Vec<Ruling>, stop: Vec<TokenId>) -> Self {
        let view = Arc::new(View::new(&self.entries, chosen, rulings, stop));
        Self { view, ..self }
    }

    /// Says why an undecodable id is none.
    fn absent(&self, token: TokenId) -> String {
        if token.index() < self.len() {
            format!("{} is not in the tokenizer file: nothing is known about it", token.0)
        } else {
            format!("{} is outside the vocabulary of {} ids", token.0, self.len())
        }
    }
}

/// Asking.
impl Vocabulary {
    /// Number of ids: they run from 0 to here, holes included.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "a vocabulary without tokens is refused")]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Number of logits that the model gives: [`Vocabulary::len`], or more.
    #[must_use]
    pub fn logits_width(&self) -> usize {
        self.logits_width
    }

    /// What a text token writes; empty for every other kind.
    #[inline]
    #[must_use]
    pub fn bytes(&self, token: TokenId) -> &[u8] {
        if self.kind(token) == TokenKind::Text { self.entries.bytes(token.index()) } else { &[] }
    }

    /// What the token is to a grammar. Undecodable for ids at or past [`Vocabulary::len`].
    #[inline]
    #[must_use]
    pub fn kind(&self, token: TokenId) -> TokenKind {
        self.view.kinds.get(token.index()).copied().unwrap_or(TokenKind::Undecodable)
    }

    /// The token as the file spells it; empty for an id that the file lacks.
    #[must_use]
    pub fn name(&self, token: TokenId) -> &str {
        if token.index() < self.len() { self.entries.name(token.index()) } else { "" }
    }

    /// The token that the file spells so, an added one if there are several. O(number of tokens).
    #[must_use]
    pub fn token_named(&self, name: &str) -> Option<TokenId> {
        let named = |token: &TokenId| self.name(*token) == name;
        let added = self.added_tokens().map(|added| added.id).find(named);
        added.or_else(|| (0..self.len()).map(TokenId::new).find(named))
    }

    /// The tokens that end a text, ascending. Empty if the file has none with a well-known name: set them.
    #[must_use]
    pub fn stop_tokens(&self) -> &[TokenId] {
        &self.view.stop
    }

    /// Whether the token ends a text.
    #[must_use]
    pub fn is_stop(&self, token: TokenId) -> bool {
        self.view.stop.binary_search(&token).is_ok()
    }

    /// The bytes that no text token spells alone.
    #[must_use]
    pub fn missing_bytes(&self) -> &ByteSet {
        &self.view.missing_bytes
    }

    /// All text tokens by their bytes. The first call builds it (about 40 ms for 260,000 tokens), for all clones.
    #[must_use]
    pub fn trie(&self) -> &TokenTrie {
        self.view.trie.get_or_init(|| {
            let text = |&at: &usize| self.view.kinds[at] == TokenKind::Text;
            TokenTrie::build(
                (0..self.len()).filter(text).map(|at| (self.entries.bytes(at), TokenId::new(at))),
            )
        })
    }

    /// Length of the longest text token in bytes.
    #[must_use]
    pub fn longest_token(&self) -> usize {
        self.view.longest_token
    }

    /// Every token that a rule or the caller decided on, ascending by id: added tokens, the unknown token, and what
    /// was chosen.
    pub fn added_tokens(&self) -> impl Iterator<Item = AddedToken<'_>> {
        self.view.rulings.iter().map(|ruling| AddedToken {
            id: ruling.id,
            content: self.name(ruling.id),
            special_in_file: ruling.special_in_file,
            kind: self.kind(ruling.id),
            reason: ruling.reason,
        })
    }

    /// What there is to know about the vocabulary before trusting it: counts, what is never allowed, what became of
    /// the added tokens.
    #[must_use]
    pub fn report(&self) -> VocabularyReport {
        VocabularyReport::of(self)
    }
}

impl View {
    fn new(entries: &Entries, chosen: Vec<TokenKind>, rulings: Vec<Ruling>, stop: Vec<TokenId>) -> Self {
        let mut kinds = chosen.clone();
        for token in &stop {
            kinds[token.index()] = TokenKind::Letter;
        }
        let mut missing_bytes = ByteSet::full();
        let mut longest_token = 0;
        for (at, _) in kinds.iter().enumerate().filter(|(_, kind)| **kind == TokenKind::Text) {
            let bytes = entries.bytes(at);
            longest_token = longest_token.max(bytes.len());
            if let [byte] = bytes {
                missing_bytes.remove(*byte);
            }
        }
        Self { chosen, rulings, kinds, stop, missing_bytes, longest_token, trie: OnceLock::new() }
    }
}

impl fmt::Debug for Vocabulary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Vocabulary")
            .field("len", &self.len())
            .field("logits_width", &self.logits_width)
            .field("stop_tokens", &self.view.stop)
            .finish_non_exhaustive()
    }
}

/// Bytes as text, with `\xNN` for those that are not UTF-8.
fn printable(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02X}"));
        }
    }
    text
}

#[cfg(test)]
mod tests;
