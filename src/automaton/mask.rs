//! Masks: from a configuration to the exact set of text tokens that keep it completable.
//!
//! Inside a lexeme a mask is a copy of its class's interior plus a walk of the class's exits from the continuation
//! (`class.rs`). Structural positions walk the token trie itself, and use the same classes where the walk enters a
//! lexeme (`walk.rs`).
//!
//! A mask entry does not know the registers; `fill` corrects its copy for names already used.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::automaton::Cfg;
use crate::automaton::class::{Class, place};
use crate::automaton::decode::{self, CodePoints, Coding, Partial, Step};
use crate::automaton::key::is_off;
use crate::automaton::lexeme::{LexId, LexKey};
use crate::automaton::registers::{EMPTY, Overlay, Registers, Store};
use crate::automaton::state::{Op, View};
use crate::automaton::universe::{Caching, Universe};
use crate::automaton::walk::Walk;
use crate::error::Exhausted;
use crate::index::{FrameId, StateId, TokenId};
use crate::limits;

/// A mask without registers: a base row and the tokens beyond it.
#[derive(Debug)]
pub(crate) struct MaskEntry {
    pub(crate) base: Option<Arc<Class>>,
    pub(crate) tokens: Box<[TokenId]>,
    /// Those tokens in which a key opens and closes on a name that the object does not know: allowed only if
    /// the registers agree.
    pub(crate) conditional: Box<[TokenId]>,
}

/// What one thread needs to compute masks; reusable, grows to a few vocabulary rows.
#[derive(Default, Debug)]
pub struct Scratch {
    pub(crate) bits: Vec<u32>,
    /// An upper bound on the tokens set.
    count: usize,
    pub(crate) conditional: Vec<TokenId>,
}

impl Scratch {
    fn reset(&mut self, words: usize) {
        self.bits.clear();
        self.bits.resize(words, 0);
        self.count = 0;
        self.conditional.clear();
    }

    pub(crate) fn set(&mut self, token: TokenId) {
        let (word, bit) = place(token);
        self.bits[word] |= bit;
        self.count += 1;
    }

    pub(crate) fn clear(&mut self, token: TokenId) {
        let (word, bit) = place(token);
        self.bits[word] &= !bit;
    }

    /// Takes the tokens set, in order, and leaves the row empty.
    fn take(&mut self) -> (Box<[TokenId]>, Box<[TokenId]>) {
        let bits = &mut self.bits;
        let conditional = self.conditional.iter().copied().filter(|&token| is_set(bits, token)).collect();
        let mut tokens = Vec::with_capacity(self.count);
        for (base, word) in (0u32..).step_by(32).zip(bits) {
            while *word != 0 {
                tokens.push(TokenId(base + word.trailing_zeros()));
                *word &= *word - 1;
            }
        }
        (tokens.into(), conditional)
    }
}

fn is_set(bits: &[u32], token: TokenId) -> bool {
    let (word, bit) = place(token);
    bits[word] & bit != 0
}

/// A mask by reference: a shared entry, and the tokens that the registers take away from it.
#[derive(Clone, Debug)]
pub struct MaskRef {
    entry: Arc<MaskEntry>,
    removed: Box<[TokenId]>,
}

impl MaskRef {
    /// An address that equal entries share while the universe lives: good as a cache key beside
    /// [`MaskRef::removed`].
    #[must_use]
    pub fn entry_address(&self) -> usize {
        Arc::as_ptr(&self.entry).addr()
    }

    /// The tokens to take away from the shared entry.
    #[must_use]
    pub fn removed(&self) -> &[TokenId] {
        &self.removed
    }

    /// Number of text tokens allowed.
    #[must_use]
    pub fn allowed_count(&self) -> usize {
        let base = self.entry.base.as_ref().map_or(0, |class| class.interior.count());
        base + self.entry.tokens.len() - self.removed.len()
    }

    /// Writes the mask as a row of at least the vocabulary's length; every word is written.
    pub fn write(&self, row: &mut [u32]) {
        self.entry.write(row);
        for &token in &self.removed {
            let (word, bit) = place(token);
            row[word] &= !bit;
        }
    }
}

impl MaskEntry {
    fn write(&self, row: &mut [u32]) {
        match self.base.as_ref().and_then(|class| class.interior.row()) {
            Some(base) => {
                let (head, tail) = row.split_at_mut(base.len());
                head.copy_from_slice(base);
                tail.fill(0);
            }
            None => row.fill(0),
        }
        for &token in &self.tokens {
            let (word, bit) = place(token);
            row[word] |= bit;
        }
    }

    fn bytes(&self) -> usize {
        std::mem::size_of::<Self>() + 4 * (self.tokens.len() + self.conditional.len()) + 64
    }
}

impl Universe {
    /// The mask of a configuration, registers apart.
    pub(crate) fn mask(
        &self,
        state: StateId,
        frame: FrameId,
        scratch: &mut Scratch,
    ) -> Result<Arc<MaskEntry>, Exhausted> {
        if self.caching == Caching::On
            && let Some(known) = self.masks.get(&(state, frame))
        {
            return Ok(Arc::clone(&known));
        }
        self.check_room()?;
        let entry = Arc::new(self.find_mask(state, frame, scratch)?);
        if self.caching == Caching::On
            && self.mask_bytes.load(Ordering::Relaxed) < limits::MASK_CACHE_BYTES_MAX
        {
            self.mask_bytes.fetch_add(entry.bytes(), Ordering::Relaxed);
            self.masks.insert((state, frame), Arc::clone(&entry));
        }
        Ok(entry)
    }

    fn find_mask(
        &self,
        state: StateId,
        frame: FrameId,
        scratch: &mut Scratch,
    ) -> Result<MaskEntry, Exhausted> {
        scratch.reset(self.vocabulary.len().div_ceil(32));
        let mut walk = Walk::new(self, scratch);
        let base = match View::of(state) {
            View::Lex(lex) => {
                let class = self.class(lex, 0)?;
                walk.exits(&class, 0, frame)?;
                Some(class)
            }
            View::Key(at) => walk.key_base(at, frame)?,
            View::Control(_) => None,
        };
        if base.is_none() {
            walk.trie(self.vocabulary.trie(), 0, state, frame)?;
        }
        let (tokens, conditional) = scratch.take();
        Ok(MaskEntry { base, tokens, conditional })
    }

    /// The tokens that the registers take away from a mask.
    pub(crate) fn removed(
        &self,
        cfg: Cfg,
        entry: &MaskEntry,
        registers: &Registers,
    ) -> Result<Box<[TokenId]>, Exhausted> {
        if cfg.reg == EMPTY {
            return Ok(Box::default());
        }
        let mut removed = Vec::new();
        for &token in &entry.conditional {
            let mut overlay = Overlay::new(registers);
            if self.advance(cfg, self.vocabulary.bytes(token), &mut overlay)?.is_none() {
                removed.push(token);
            }
        }
        if let View::Key(_) = View::of(cfg.state) {
            let spelled = registers.key_bytes(cfg.reg);
            for name in registers.names(cfg.reg) {
                self.closings_on(name, &spelled, &mut removed)?;
            }
        }
        removed.sort_unstable();
        removed.dedup();
        removed.retain(|&token| entry.contains(token));
        Ok(removed.into())
    }

    /// The tokens in which a key, begun as `spelled`, closes on `name`.
    fn closings_on(&self, name: &str, spelled: &[u8], into: &mut Vec<TokenId>) -> Result<(), Exhausted> {
        let machine = Name { chars: name.chars().map(u32::from).collect() };
        let mut start = (0, Partial::Clean);
        for &byte in spelled {
            match decode::step(&machine, start.0, start.1, byte, Coding::Json)? {
                Step::To(state, partial) => start = (state, partial),
                Step::Dead | Step::Close => return Ok(()),
            }
        }
        let trie = self.vocabulary.trie();
        let mut pending = vec![(0u32, start)];
        while let Some((node, (state, partial))) = pending.pop() {
            let mut child = node + 1;
            while child < trie.end(node) {
                match decode::step(&machine, state, partial, trie.byte(child), Coding::Json)? {
                    Step::To(state, partial) => pending.push((child, (state, partial))),
                    Step::Close if state == machine.chars.len() => {
                        into.extend_from_slice(trie.tokens_below(child));
                    }
                    Step::Dead | Step::Close => {}
                }
                child = trie.end(child);
            }
        }
        Ok(())
    }

    /// The lexeme state that reads a key which no known name can match any more: the free string's.
    pub(crate) fn free_key(&self, partial: Partial) -> Result<LexId, Exhausted> {
        let free = self.free_string()?;
        let vector = self.lexes.get(free.0).key.vector;
        Ok(self.lex_id(&LexKey { vector, coding: Coding::Json, partial }))
    }

    /// Whether the key state has left all known names.
    pub(crate) fn key_is_off(&self, at: u32) -> bool {
        is_off(&self.keys.get(at).key)
    }
}

impl MaskEntry {
    fn contains(&self, token: TokenId) -> bool {
        let (word, bit) = place(token);
        let in_base = self
            .base
            .as_ref()
            .and_then(|class| class.interior.row())
            .is_some_and(|row| row.get(word).is_some_and(|w| w & bit != 0));
        in_base || self.tokens.binary_search(&token).is_ok()
    }
}

/// The machine that accepts one name.
struct Name {
    chars: Vec<u32>,
}

impl CodePoints for Name {
    type State = usize;

    fn derive(&self, at: usize, c: u32) -> Result<Option<usize>, Exhausted> {
        Ok((self.chars.get(at) == Some(&c)).then_some(at + 1))
    }

    fn uniform(&self, at: usize, lo: u32, hi: u32) -> Result<Option<Option<usize>>, Exhausted> {
        let inside = self.chars.get(at).is_some_and(|&c| lo <= c && c <= hi);
        Ok(if inside { None } else { Some(None) })
    }
}

/// The operation by which a token makes its mask depend on the registers.
pub(crate) fn is_conditional(op: Op) -> bool {
    op == Op::CloseOther
}

impl Universe {
    /// Computes the mask of a configuration by reference.
    pub(crate) fn mask_ref(
        &self,
        cfg: Cfg,
        registers: &Registers,
        scratch: &mut Scratch,
    ) -> Result<MaskRef, Exhausted> {
        let entry = self.mask(cfg.state, cfg.frame, scratch)?;
        let removed = self.removed(cfg, &entry, registers)?;
        Ok(MaskRef { entry, removed })
    }
}
