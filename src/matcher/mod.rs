//! The matcher: one request's place in a compiled grammar.
//!
//! A matcher holds the present as a `Cfg` (12 bytes), the registers' arena, and the history of commits. It asks
//! the automaton two questions: which text tokens may follow (`fill`), and where a token leads (`advance`). It adds
//! what the automaton knows nothing of: stop tokens, the end, and the way back.
//!
//! Invariants:
//! * Mask and commit are one function: a token's bit is set exactly where its commit succeeds.
//! * A `Cfg` is about one universe. When another one has taken its place (`compiler/generations.rs`), the next call reads the tokens again
//!   there; a matcher keeps no universe itself.
//! * A failed call changes nothing. A commit only ever appends to the history and to the arena, so a rollback puts an
//!   earlier `Cfg` back and forks share all they have in common. What a failed commit or a commit that is taken back
//!   added to the arena is forgotten: a matcher's memory depends on what it has committed, not on what it tried.
//! * A stop token is never text: where a grammar names it as a letter it is that letter, else it is allowed where the text is
//!   complete, even if its bytes would also continue the text. Then committing one finishes the matcher, so it can only be the
//!   latest token.

mod ending;
mod history;

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

use crate::automaton::{Automaton, Cfg, MaskRef, Registers, Scratch};
use crate::bitmask::{self, Bitmask, LogitsWidth, TOKENS_PER_WORD, row_words};
use crate::compiler::{CompiledGrammar, Loaded};
use crate::error::{CommitError, Exhausted, MaskError, VocabularyError};
use crate::index::{FrameId, StateId, TokenId};
use crate::limits::FORCED_BYTES_MAX;
use crate::vocab::Vocabulary;
use history::{Entry, History};

/// The state of one request: what has been committed, and so what may follow.
///
/// Takes at most 1 KB, 16 bytes a committed token, and its registers; [`fork`](Self::fork) shares the tokens in
/// chunks of 64 and the registers. `Send`, so a request may move between threads.
///
/// ```
/// use maskwright::{Bitmask, Compiler, CompilerConfig, Matcher, TokenId, Vocabulary};
///
/// // Tokens 0 to 6, of which 6 is the stop token.
/// let vocabulary = Vocabulary::from_tokens(["t", "r", "u", "e", "tr", "ue", "</s>"], &[TokenId(6)])?;
/// let compiler = Compiler::new(vocabulary, CompilerConfig::default());
/// let grammar = compiler.json_schema(r#"{"const": true}"#)?;
///
/// let mut matcher = Matcher::new(&grammar);
/// let mut mask = Bitmask::new(&grammar);
/// matcher.fill_bitmask(&mut mask)?;
/// assert_eq!(mask.iter().map(|token| token.0).collect::<Vec<_>>(), [0, 4]);
///
/// matcher.commit(4)?;
/// assert!(matcher.commit(4).is_err(), "nothing changed");
/// matcher.commit(5)?;
/// assert!(matcher.is_accepting());
/// matcher.commit(6)?;
/// assert!(matcher.is_finished());
/// assert_eq!(matcher.text(), b"true");
///
/// matcher.rollback(2)?;
/// assert_eq!(matcher.text(), b"tr");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Matcher {
    grammar: CompiledGrammar,
    /// The universe that `cfg` and the history are about: see `here`.
    universe: u64,
    /// Where the committed text tokens lead.
    cfg: Cfg,
    registers: Registers,
    history: History,
    /// Sorted; `None`: the vocabulary's.
    stop_override: Option<Arc<[TokenId]>>,
    /// The latest token is a stop token.
    finished: bool,
    /// The committed text is complete.
    accepting: bool,
}

/// No universe has this number.
const NOWHERE: u64 = 0;

/// A mask by reference: what [`Matcher::mask_ref`] gives where a row of bits is not needed on the host.
///
/// The tokens allowed are those of `text`, less the matcher's stop tokens, with all of them if `accepting`, else with
/// `stop_letters`.
#[derive(Clone, Debug)]
pub struct StepMask {
    /// The text tokens that may follow; `None` once the matcher is finished.
    pub text: Option<MaskRef>,
    /// Whether the stop tokens may follow.
    pub accepting: bool,
    /// Stop tokens that the grammar names and that may follow as letters of its own, ascending.
    pub stop_letters: Box<[TokenId]>,
}

impl Matcher {
    /// A matcher at the grammar's start, with the vocabulary's stop tokens.
    #[must_use]
    pub fn new(grammar: &CompiledGrammar) -> Self {
        Self {
            universe: NOWHERE,
            cfg: Cfg { state: StateId(0), frame: FrameId(0), reg: 0 },
            accepting: grammar.accepts_empty(),
            grammar: grammar.clone(),
            registers: Registers::default(),
            history: History::default(),
            stop_override: None,
            finished: false,
        }
    }

    /// A matcher with stop tokens of its own in place of the vocabulary's, for one request.
    ///
    /// The vocabulary's stop tokens that are not listed are then not allowed at all. Without any stop token a matcher
    /// never finishes: look at [`is_accepting`](Self::is_accepting).
    ///
    /// # Errors
    /// If an id is outside the vocabulary; if no other token spells some byte alone: texts that need the byte would have no way on;
    /// or if the grammar has it as a letter with more behind it.
    pub fn with_stop_tokens(grammar: &CompiledGrammar, stop: &[TokenId]) -> Result<Self, VocabularyError> {
        let mut sorted = stop.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        check_stop_tokens(grammar.vocabulary(), &sorted)?;
        for &token in &sorted {
            let message = match grammar.goes_on_behind(token) {
                Ok(false) => continue,
                Ok(true) => format!(
                    "the stop token {} has more behind it in the grammar: a text does not end there",
                    token.0
                ),
                Err(exhausted) => exhausted.to_string(),
            };
            return Err(VocabularyError::new(message));
        }
        Ok(Self { stop_override: Some(sorted.into()), ..Self::new(grammar) })
    }

    /// The grammar it follows.
    #[must_use]
    pub fn grammar(&self) -> &CompiledGrammar {
        &self.grammar
    }

    /// The stop tokens in force, ascending.
    #[must_use]
    pub fn stop_tokens(&self) -> &[TokenId] {
        self.stop_override.as_deref().unwrap_or_else(|| self.grammar.vocabulary().stop_tokens())
    }

    /// Writes the tokens that may follow into row 0. What the matcher accepts does not change.
    ///
    /// # Errors
    /// [`MaskError::Width`] if the bitmask was not made for this grammar; it is left as it was.
    /// [`MaskError::Exhausted`] if a question ran out of its budget; the row is then empty.
    #[doc(alias = "bias")]
    #[doc(alias = "compute_mask")]
    #[doc(alias = "fill_next_token_bitmask")]
    #[doc(alias = "allowed_tokens")]
    pub fn fill_bitmask(&mut self, mask: &mut Bitmask) -> Result<(), MaskError> {
        let expected = self.grammar.vocabulary().logits_width();
        if mask.width() != expected {
            return Err(MaskError::Width { found: mask.width(), expected });
        }
        match mask.rows_mut().next() {
            Some(row) => self.fill_row(row),
            // No row at all, or rows of no words.
            None if expected == 0 => Ok(()),
            None => Err(MaskError::Width { found: 0, expected }),
        }
    }

    /// [`fill_bitmask`](Self::fill_bitmask) into a row of words, such as one of [`Bitmask::batch`].
    ///
    /// # Errors
    /// As there; the row must have `logits_width().div_ceil(32)` words.
    pub fn fill_row(&mut self, row: &mut [u32]) -> Result<(), MaskError> {
        with_buffers(|buffers| self.fill_row_with(&mut buffers.scratch, row))
    }

    /// [`fill_row`](Self::fill_row) with the caller's working memory instead of the thread's.
    ///
    /// # Errors
    /// As there.
    pub fn fill_row_with(&mut self, scratch: &mut Scratch, row: &mut [u32]) -> Result<(), MaskError> {
        let expected = self.grammar.vocabulary().logits_width();
        if row.len() != row_words(expected) {
            return Err(MaskError::Width { found: row.len().saturating_mul(TOKENS_PER_WORD), expected });
        }
        if self.finished {
            bitmask::clear(row);
            return Ok(());
        }
        let filled = self.here().and_then(|automaton| {
            automaton.fill(self.cfg, &self.registers, scratch, row)?;
            Ok(self.stop_letters(&automaton))
        });
        // Whoever overlooks the error must not sample from half a mask.
        let stop_letters = filled.inspect_err(|_| bitmask::clear(row))?;
        let write = if self.is_accepting() { bitmask::set } else { bitmask::remove };
        for &token in self.stop_tokens() {
            write(row, token);
        }
        for token in stop_letters {
            bitmask::set(row, token);
        }
        debug_assert!(
            bitmask::iter(row).all(|token| token.index() < self.grammar.vocabulary().len()),
            "bits beyond the vocabulary are 0"
        );
        Ok(())
    }

    /// The mask by reference, without writing a row: tens of nanoseconds where the mask is known.
    ///
    /// # Errors
    /// [`MaskError::Exhausted`] if a question ran out of its budget.
    pub fn mask_ref(&mut self) -> Result<StepMask, MaskError> {
        with_buffers(|buffers| self.mask_ref_with(&mut buffers.scratch))
    }

    /// [`mask_ref`](Self::mask_ref) with the caller's working memory instead of the thread's.
    ///
    /// # Errors
    /// As there.
    pub fn mask_ref_with(&mut self, scratch: &mut Scratch) -> Result<StepMask, MaskError> {
        if self.finished {
            return Ok(StepMask { text: None, accepting: false, stop_letters: Box::default() });
        }
        let automaton = self.here()?;
        let text = automaton.mask_ref(self.cfg, &self.registers, scratch)?;
        let stop_letters = self.stop_letters(&automaton).into();
        Ok(StepMask { text: Some(text), accepting: self.is_accepting(), stop_letters })
    }

    /// Number of tokens that may follow, as cheap as [`mask_ref`](Self::mask_ref). (With stop tokens of the matcher's
    /// own it costs a fill and a count: they may spell text that the mask by reference has too.)
    ///
    /// # Errors
    /// [`MaskError::Exhausted`] if a question ran out of its budget.
    pub fn allowed_count(&mut self) -> Result<usize, MaskError> {
        if self.stop_override.is_none() {
            let mask = self.mask_ref()?;
            let text = mask.text.map_or(0, |text| text.allowed_count());
            let stops = self.stop_tokens().len() - mask.stop_letters.len();
            return Ok(text + if mask.accepting { stops } else { 0 });
        }
        let words = row_words(self.grammar.vocabulary().logits_width());
        with_buffers(|buffers| {
            buffers.row.resize(words, 0);
            self.fill_row_with(&mut buffers.scratch, &mut buffers.row)?;
            Ok(bitmask::count_ones(&buffers.row))
        })
    }

    /// The longest byte string that every completion starts with: what needs no model. At most
    /// [`FORCED_BYTES_MAX`] bytes; empty where the text may also end, and once finished.
    ///
    /// # Errors
    /// If a question ran out of its budget.
    #[doc(alias = "compute_ff_bytes")]
    #[doc(alias = "find_jump_forward_string")]
    #[doc(alias = "fast_forward")]
    #[doc(alias = "jump")]
    pub fn forced_bytes(&self) -> Result<Vec<u8>, Exhausted> {
        let mut bytes = Vec::new();
        if !self.finished {
            self.ask(|automaton, cfg, registers| {
                automaton.forced_bytes(cfg, registers, FORCED_BYTES_MAX, &mut bytes)
            })?;
        }
        Ok(bytes)
    }

    /// Appends a token. Succeeds exactly where the mask has the token's bit.
    ///
    /// # Errors
    /// If the token may not follow, its id is outside the vocabulary, the matcher is finished, or a question ran
    /// out of its budget; nothing has changed then.
    #[doc(alias = "accept")]
    #[doc(alias = "accept_token")]
    #[doc(alias = "consume")]
    #[doc(alias = "consume_token")]
    #[doc(alias = "advance")]
    pub fn commit(&mut self, token: impl Into<TokenId>) -> Result<(), CommitError> {
        self.commit_token(token.into())
    }

    fn commit_token(&mut self, token: TokenId) -> Result<(), CommitError> {
        let vocabulary = self.grammar.vocabulary();
        if self.finished {
            return Err(CommitError::Finished);
        }
        if token.index() >= vocabulary.len() {
            return Err(CommitError::OutOfRange { token, vocabulary_len: vocabulary.len() });
        }
        let automaton = self.here()?;
        let (before, greatest) = (self.cfg, self.registers.greatest());
        match self.read(&automaton, token) {
            Ok(Some(after)) => {
                self.cfg = after;
                self.accepting = automaton.is_accepting(after);
            }
            // Behind a stop token that the grammar does not name, the text is what it was.
            Ok(None) if self.is_stop(token) && self.accepting => self.finished = true,
            failed => {
                self.registers.forget_above(greatest);
                return Err(failed.err().map_or(CommitError::NotAllowed { token }, CommitError::from));
            }
        }
        self.history.push(Entry { before, token });
        Ok(())
    }

    /// Where a token leads, as text or as a letter.
    fn read(&mut self, automaton: &Automaton, token: TokenId) -> Result<Option<Cfg>, Exhausted> {
        if self.is_stop(token) {
            automaton.read_letter(self.cfg, token)
        } else {
            automaton.read_token(self.cfg, token, &mut self.registers)
        }
    }

    /// Takes back the last `n` tokens of any kind, stop tokens too. O(1) within the last 64, O(n / 64) beyond.
    ///
    /// # Errors
    /// [`CommitError::RollbackTooFar`] if fewer are committed; [`CommitError::Exhausted`] if the tokens had to be read again in a new
    /// generation and a question ran out of its budget. Nothing has changed then.
    #[doc(alias = "undo")]
    #[doc(alias = "rewind")]
    #[doc(alias = "pop_tokens")]
    pub fn rollback(&mut self, n: usize) -> Result<(), CommitError> {
        let committed = self.history.len();
        if n > committed {
            return Err(CommitError::RollbackTooFar { requested: n, committed });
        }
        let automaton = self.here()?;
        if let Some(earliest) = self.history.take_back(n) {
            self.cfg = earliest.before;
            self.accepting = automaton.is_accepting(self.cfg);
            self.finished = false;
            if self.registers.greatest() > self.cfg.reg {
                self.registers.forget_above(self.history.greatest_register().max(self.cfg.reg));
            }
        }
        Ok(())
    }

    /// A second matcher at the same place; neither sees what happens to the other afterwards. Copies fewer than 64
    /// entries of the history and shares the rest.
    #[doc(alias = "deep_copy")]
    #[doc(alias = "deep_clone")]
    #[must_use]
    pub fn fork(&self) -> Self {
        self.clone()
    }

    /// Back to the start, with the same stop tokens. Forks stay where they are.
    pub fn reset(&mut self) {
        self.universe = NOWHERE;
        self.accepting = self.grammar.accepts_empty();
        self.registers = Registers::default();
        self.history = History::default();
        self.finished = false;
    }

    /// Whether the committed text is complete, so that a stop token may follow (or, once finished, has followed).
    #[must_use]
    pub fn is_accepting(&self) -> bool {
        self.accepting
    }

    /// Whether a stop token has been committed: the mask is empty and every commit fails.
    #[doc(alias = "is_terminated")]
    #[doc(alias = "is_stopped")]
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.finished
    }

    /// Number of committed tokens, a stop token included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.history.len()
    }

    /// Whether nothing is committed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The committed tokens, first to last, a stop token included. O(n).
    #[must_use]
    pub fn tokens(&self) -> Vec<TokenId> {
        self.history.tokens()
    }

    /// The bytes of the committed tokens, without a stop token's. O(n). It can end within a code point.
    #[must_use]
    pub fn text(&self) -> Vec<u8> {
        let tokens = self.history.tokens();
        let text = if self.finished { &tokens[..tokens.len() - 1] } else { &tokens };
        text.iter().flat_map(|&token| self.grammar.vocabulary().bytes(token)).copied().collect()
    }

    /// The automaton to ask, with the matcher in its universe. Where that is another one than at the last call, all tokens are read
    /// again: O(n).
    #[inline]
    fn here(&mut self) -> Result<Loaded, Exhausted> {
        let automaton = self.grammar.loaded()?;
        if automaton.serial() != self.universe {
            self.move_to(&automaton)?;
        }
        Ok(automaton)
    }

    /// Asks about where the matcher is, which stays in its universe.
    fn ask<T>(
        &self,
        question: impl FnOnce(&Automaton, Cfg, &Registers) -> Result<T, Exhausted>,
    ) -> Result<T, Exhausted> {
        let automaton = self.grammar.loaded()?;
        if automaton.serial() == self.universe {
            return question(&automaton, self.cfg, &self.registers);
        }
        let mut moved = self.clone();
        moved.move_to(&automaton)?;
        question(&automaton, moved.cfg, &moved.registers)
    }

    /// Reads all tokens again in another universe. Nothing has changed if that fails.
    #[cold]
    fn move_to(&mut self, automaton: &Automaton) -> Result<(), Exhausted> {
        let mut moved = Self {
            cfg: automaton.start(),
            universe: automaton.serial(),
            registers: Registers::default(),
            history: History::default(),
            ..self.clone()
        };
        for token in self.history.tokens() {
            let before = moved.cfg;
            match moved.read(automaton, token)? {
                Some(after) => moved.cfg = after,
                None => debug_assert!(
                    self.finished && moved.len() + 1 == self.len(),
                    "only the last token may be no part of the text"
                ),
            }
            moved.history.push(Entry { before, token });
        }
        debug_assert_eq!(self.accepting, automaton.is_accepting(moved.cfg), "a text is complete or not");
        *self = moved;
        Ok(())
    }

    /// The stop tokens that may follow as letters of the grammar, ascending.
    fn stop_letters(&self, automaton: &Automaton) -> Vec<TokenId> {
        let mut letters = automaton.letters(self.cfg);
        letters.retain(|&token| self.is_stop(token));
        letters.sort_unstable();
        letters.dedup();
        letters
    }

    fn is_stop(&self, token: TokenId) -> bool {
        self.stop_tokens().binary_search(&token).is_ok()
    }
}

impl fmt::Debug for Matcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Matcher")
            .field("len", &self.len())
            .field("last", &self.history.last().map(|entry| entry.token))
            .field("cfg", &self.cfg)
            .field("finished", &self.finished)
            .finish_non_exhaustive()
    }
}

/// A mask can be made before there is a grammar.
impl LogitsWidth for Vocabulary {
    fn logits_width(&self) -> usize {
        Vocabulary::logits_width(self)
    }
}

/// What filling works in. A thread has one, so that a matcher stays small and a request costs no allocation.
#[derive(Default)]
struct Buffers {
    scratch: Scratch,
    row: Vec<u32>,
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = RefCell::default();
}

/// Lends the thread's buffers. Nothing that fills a mask calls back into a matcher, so they are never lent twice.
fn with_buffers<T>(work: impl FnOnce(&mut Buffers) -> T) -> T {
    BUFFERS.with_borrow_mut(work)
}

/// Whether every byte that tokens spell alone is still spelled alone by one that does not stop; `stop` is sorted.
fn check_stop_tokens(vocabulary: &Vocabulary, stop: &[TokenId]) -> Result<(), VocabularyError> {
    let is_stop = |token: &TokenId| stop.binary_search(token).is_ok();
    for &token in stop {
        if token.index() >= vocabulary.len() {
            return Err(VocabularyError::new(format!(
                "stop token {} is outside the vocabulary of {} ids",
                token.0,
                vocabulary.len()
            )));
        }
        // Only text tokens have bytes.
        if let &[byte] = vocabulary.bytes(token) {
            let trie = vocabulary.trie();
            let spellings = trie.child(0, byte).map_or(&[][..], |node| trie.tokens(node));
            if spellings.iter().all(is_stop) {
                return Err(VocabularyError::new(format!(
                    "as a stop token, {} leaves no token that spells byte 0x{byte:02X} alone: texts that need it \
                     could not go on",
                    token.0
                )));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compiler::{Compiler, CompilerConfig};

    #[test]
    fn a_matcher_is_small_and_may_move_between_threads() {
        fn sendable<T: Send + Sync>() {}
        sendable::<Matcher>();
        // With a tail of 64 unused entries at worst, 1 KB in all.
        assert!(size_of::<Matcher>() <= 160, "{} bytes", size_of::<Matcher>());
    }

    #[test]
    fn what_is_tried_and_taken_back_leaves_nothing_in_the_arena() {
        let tokens = ["{", "}", "\"", ":", ",", "a", "b", "1", "a\"", "b\":1", "</s>"];
        let vocabulary = Vocabulary::from_tokens(tokens, &[TokenId(10)]).unwrap();
        let compiler = Compiler::new(vocabulary, CompilerConfig::default());
        let mut matcher = Matcher::new(&compiler.json_schema(r#"{"type": "object"}"#).unwrap());
        // The text is then `{"a":1,"`.
        [0, 2, 5, 2, 3, 7, 4, 2].into_iter().for_each(|id| matcher.commit(id).unwrap());
        let greatest = matcher.registers.greatest();
        assert!(greatest > 0, "names are kept in registers");
        for _ in 0..100 {
            assert_eq!(matcher.commit(8), Err(CommitError::NotAllowed { token: TokenId(8) }), "used before");
            assert_eq!(matcher.registers.greatest(), greatest);
            matcher.commit(9).unwrap();
            matcher.commit(1).unwrap();
            matcher.rollback(2).unwrap();
            assert_eq!(matcher.registers.greatest(), greatest);
        }
        matcher.rollback(8).unwrap();
        assert_eq!(matcher.registers.greatest(), 0);
    }
}
