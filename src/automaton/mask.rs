//! Masks: from a configuration to the exact set of text tokens that keep it completable.
//!
//! Inside a lexeme and before a value a mask is the interior of a class plus a walk of the class's exits from the
//! continuation (`class.rs`). Other structural positions walk the token trie itself, and use the same classes where the
//! walk enters a value or a lexeme (`walk.rs`). Each distinct mask is kept once.
//!
//! A mask entry does not know the registers; `fill` corrects its copy for names already used.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::automaton::Cfg;
use crate::automaton::decode::{self, CodePoints, Coding, Partial, Step};
use crate::automaton::lexeme::{LexId, LexKey};
use crate::automaton::object::Tracks;
use crate::automaton::registers::{EMPTY, Overlay, Registers, Store};
use crate::automaton::state::{Op, View};
use crate::automaton::token_set::{TokenSet, Union, place, put};
use crate::automaton::universe::{Caching, Universe};
use crate::automaton::walk::Walk;
use crate::error::Exhausted;
use crate::index::{FrameId, StateId, TokenId, widen};
use crate::vocab::TokenTrie;

/// A mask without registers: a base and the tokens beyond it. Equal masks are one pooled entry.
#[derive(PartialEq, Eq, Hash, Debug)]
pub(crate) struct MaskEntry {
    base: Option<Base>,
    /// Ascending, none of them in the base.
    tokens: Box<[TokenId]>,
    /// Those tokens in which a key opens and closes on a name that the object does not know: allowed only if
    /// the registers agree. Ascending.
    conditional: Box<[TokenId]>,
}

/// A set that is kept: its address is its identity.
#[derive(Clone, Debug)]
pub(crate) struct Base(pub(crate) Arc<TokenSet>);

impl PartialEq for Base {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Base {}

impl std::hash::Hash for Base {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).hash(state);
    }
}

/// What one thread needs to compute masks; reusable, grows to a vocabulary row.
///
/// The bits are empty between two masks, so that neither filling nor emptying them costs a pass over the row: `touched`
/// has a bit for each word that may not be 0.
#[derive(Default, Debug)]
pub struct Scratch {
    bits: Vec<u32>,
    touched: Vec<u64>,
    /// Tokens that the registers must agree to.
    pub(crate) conditional: Vec<TokenId>,
}

impl Scratch {
    /// Makes room for rows of so many words, and forgets what a walk that failed has left.
    fn reset(&mut self, words: usize) {
        self.take_bits(|_| ());
        self.conditional.clear();
        self.bits.resize(words, 0);
        self.touched.resize(words.div_ceil(64), 0);
    }

    #[inline]
    pub(crate) fn set(&mut self, token: TokenId) {
        let (word, bit) = place(token);
        self.bits[word] |= bit;
        self.touched[word / 64] |= 1 << (word % 64);
    }

    pub(crate) fn clear(&mut self, token: TokenId) {
        let (word, bit) = place(token);
        self.bits[word] &= !bit;
    }

    fn is_set(&self, token: TokenId) -> bool {
        let (word, bit) = place(token);
        self.bits[word] & bit != 0
    }

    /// Whether nothing is set.
    fn is_empty(&self) -> bool {
        self.conditional.is_empty() && self.touched.iter().all(|&touched| touched == 0)
    }

    /// How many tokens are set.
    fn count(&self) -> usize {
        let mut count = 0;
        for (group, &touched) in self.touched.iter().enumerate() {
            let mut left = touched;
            while left != 0 {
                count += widen(self.bits[group * 64 + widen(left.trailing_zeros())].count_ones());
                left &= left - 1;
            }
        }
        count
    }

    /// Empties the bits and calls `f` with each token that was set, ascending.
    fn take_bits(&mut self, mut f: impl FnMut(TokenId)) {
        for (group, touched) in self.touched.iter_mut().enumerate() {
            while *touched != 0 {
                let word = group * 64 + widen(touched.trailing_zeros());
                *touched &= *touched - 1;
                let mut bits = std::mem::take(&mut self.bits[word]);
                while bits != 0 {
                    f(TokenId::new(word * 32 + widen(bits.trailing_zeros())));
                    bits &= bits - 1;
                }
            }
        }
    }

    /// Takes the tokens set and those that are conditional, both ascending. A conditional one is set or in the base.
    pub(crate) fn take(&mut self, base: Option<&TokenSet>) -> (Vec<TokenId>, Box<[TokenId]>) {
        let mut conditional = std::mem::take(&mut self.conditional);
        conditional.retain(|&token| self.is_set(token) || base.is_some_and(|base| base.contains(token)));
        conditional.sort_unstable();
        conditional.dedup();
        let mut tokens = Vec::with_capacity(self.count());
        self.take_bits(|token| tokens.push(token));
        (tokens, conditional.into())
    }

    /// For masks over this universe's vocabulary.
    pub(crate) fn of(universe: &Universe) -> Self {
        let mut scratch = Self::default();
        scratch.reset(universe.row_words());
        scratch
    }
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
        let base = self.entry.base.as_ref().map_or(0, |base| base.0.count());
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
        match &self.base {
            Some(base) => base.0.write(row),
            None => row.fill(0),
        }
        put(row, &self.tokens);
    }

    fn bytes(&self) -> usize {
        std::mem::size_of::<Self>() + 4 * (self.tokens.len() + self.conditional.len())
    }
}

/// What one mask's tokens have in common inside an item that is compared with others.
struct Known {
    /// However the item goes on, it is none of those before.
    differs: bool,
    /// Many tokens lead to one place: whether a value is left there.
    left: FxHashMap<(StateId, FrameId, Vec<u8>), bool>,
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
        let entry = self.find_mask(state, frame, scratch)?;
        if self.caching == Caching::On && self.budget.take(CACHED_MASK_BYTES) {
            self.masks.insert((state, frame), Arc::clone(&entry));
        }
        Ok(entry)
    }

    fn find_mask(
        &self,
        state: StateId,
        frame: FrameId,
        scratch: &mut Scratch,
    ) -> Result<Arc<MaskEntry>, Exhausted> {
        scratch.reset(self.row_words());
        let mut walk = Walk::new(self, scratch);
        let base = walk.mask(state, frame)?;
        let interiors = std::mem::take(&mut walk.interiors);
        let mut letters = Vec::new();
        self.net_letters(state, frame, &mut letters);
        letters.into_iter().for_each(|token| scratch.set(token));
        // A new stack mostly brings together the classes that another one did.
        let is_combination = base.is_none() && scratch.is_empty() && !interiors.is_empty();
        if is_combination && let Some(known) = self.combinations.get(&interiors[..]) {
            return Ok(Arc::clone(&known));
        }
        let base = self.join(base, &interiors, scratch);
        let entry = self.entry(state, base, scratch);
        if self.caching == Caching::Off {
            return Ok(Arc::new(entry));
        }
        let bytes = entry.bytes();
        let entry = self.pool.intern(entry, bytes, &self.budget);
        let combination_bytes = COMBINATION_BYTES + std::mem::size_of::<Base>() * interiors.len();
        if is_combination && self.budget.take(combination_bytes) {
            self.combinations.insert(interiors.into(), Arc::clone(&entry));
        }
        Ok(entry)
    }

    /// Puts interiors together: rows become the base, or the largest list if there are none; tokens of others are set.
    fn join(
        &self,
        mut base: Option<Arc<TokenSet>>,
        interiors: &[Base],
        scratch: &mut Scratch,
    ) -> Option<Arc<TokenSet>> {
        let is_row = |interior: &&Base| matches!(*interior.0, TokenSet::Row { .. });
        for interior in interiors.iter().filter(is_row) {
            base = Some(match base {
                None => Arc::clone(&interior.0),
                Some(known) => {
                    let mut union = Union::new(self.row_words());
                    union.add(&known);
                    union.add(&interior.0);
                    self.sets.set(union.finish(), &self.budget)
                }
            });
        }
        let lists = || interiors.iter().filter(|interior| !is_row(interior));
        let largest = lists().max_by_key(|list| list.0.count()).filter(|list| list.0.is_base());
        let base = base.or_else(|| largest.map(|list| Arc::clone(&list.0)));
        let is_base = |list: &Base| base.as_ref().is_some_and(|base| Arc::ptr_eq(&list.0, base));
        for list in lists().filter(|list| !is_base(list)) {
            list.0.for_each(|token| scratch.set(token));
        }
        base
    }

    /// The entry of the tokens set and a base.
    fn entry(&self, state: StateId, mut base: Option<Arc<TokenSet>>, scratch: &mut Scratch) -> MaskEntry {
        let (mut tokens, conditional) = scratch.take(base.as_deref());
        if tokens.len() > self.row_words() {
            // A row is copied faster than so many bits are set.
            let mut all = std::mem::take(&mut tokens);
            if let Some(base) = &base {
                base.for_each(|token| all.push(token));
                all.sort_unstable();
                all.dedup();
            }
            base = Some(self.sets.set(TokenSet::of_tokens(all, self.row_words()), &self.budget));
        }
        if let Some(base) = &base {
            if matches!(View::of(state), View::Net(_)) {
                // The texts that may come next overlap.
                tokens.retain(|&token| !base.contains(token));
            }
            debug_assert!(tokens.iter().all(|&token| !base.contains(token)), "a class has each token once");
        }
        MaskEntry { base: base.map(Base), tokens: tokens.into(), conditional }
    }

    /// The tokens that the registers take away from a mask.
    pub(crate) fn removed(
        &self,
        cfg: Cfg,
        entry: &MaskEntry,
        registers: &Registers,
    ) -> Result<Box<[TokenId]>, Exhausted> {
        // Without names in use a token may still use one twice by itself.
        if cfg.reg == EMPTY && entry.conditional.is_empty() {
            return Ok(Box::default());
        }
        let mut removed = Vec::new();
        let compared = self.frames.get(cfg.frame.0).compared;
        let mut known =
            Known { differs: compared && self.differs_already(cfg, registers), left: FxHashMap::default() };
        for &token in &entry.conditional {
            if !self.is_allowed(cfg, token, registers, &mut known)? {
                removed.push(token);
            }
        }
        // Only an object that tracks its names has them, and the key under way, in the register.
        if let View::Key(at) = View::of(cfg.state)
            && self.run(self.keys.get(at).key.run).tracks == Tracks::OtherNames
        {
            let spelled = registers.key_bytes(cfg.reg);
            let mut stays = Vec::new();
            for name in registers.names(cfg.reg) {
                self.tokens_along(name, &spelled, &mut removed, &mut stays)?;
            }
            if self.may_run_out(cfg.state)?.is_some() {
                for token in stays {
                    let mut overlay = Overlay::new(registers);
                    if self.advance(cfg, self.vocabulary.bytes(token), &mut overlay)?.is_none() {
                        removed.push(token);
                    }
                }
            }
        }
        removed.sort_unstable();
        removed.dedup();
        removed.retain(|&token| entry.contains(token));
        Ok(removed.into())
    }

    /// Whether a token is allowed, registers and all.
    fn is_allowed(
        &self,
        cfg: Cfg,
        token: TokenId,
        registers: &Registers,
        known: &mut Known,
    ) -> Result<bool, Exhausted> {
        let mut overlay = Overlay::new(registers);
        let mut at = cfg;
        for &byte in self.vocabulary.bytes(token) {
            match self.read(at, byte, &mut overlay)? {
                Some(next) => at = next,
                None => return Ok(false),
            }
        }
        if !self.has_name_left(at, &overlay)? {
            return Ok(false);
        }
        if self.caching == Caching::Off || !self.frames.get(at.frame.0).compared {
            return self.has_value_left(at, &mut overlay);
        }
        // A token in which an item ends has a past of its own.
        let same_item = overlay.is_same_item(at.reg, registers.greatest());
        if same_item && known.differs {
            return Ok(true);
        }
        let text = if same_item { overlay.item_under_way(at.reg) } else { None };
        let Some(text) = text else { return self.has_value_left(at, &mut overlay) };
        let place = (at.state, at.frame, text);
        if let Some(&left) = known.left.get(&place) {
            return Ok(left);
        }
        let left = self.has_value_left(at, &mut overlay)?;
        known.left.insert(place, left);
        Ok(left)
    }

    /// The tokens in which a key, begun as `spelled`, closes on `name`, and those that stay on the way there.
    fn tokens_along(
        &self,
        name: &str,
        spelled: &[u8],
        closing: &mut Vec<TokenId>,
        staying: &mut Vec<TokenId>,
    ) -> Result<(), Exhausted> {
        let machine = Name { chars: name.chars().map(u32::from).collect() };
        let mut start = (0, Partial::Clean);
        for &byte in spelled {
            match decode::step(&machine, start.0, start.1, byte, Coding::Json)? {
                Step::To(state, partial) => start = (state, partial),
                Step::Dead | Step::Close => return Ok(()),
            }
        }
        let trie = self.vocabulary.trie();
        let mut pending = vec![(TokenTrie::ROOT, start)];
        while let Some((node, (state, partial))) = pending.pop() {
            // Between two code points only few bytes can go on: the name's next, an escape, the quote.
            let next = (partial == Partial::Clean).then(|| machine.next_bytes(state));
            for child in trie.children(node) {
                let byte = trie.byte(child);
                if next.is_some_and(|next| !next.contains(&byte)) {
                    continue;
                }
                match decode::step(&machine, state, partial, byte, Coding::Json)? {
                    Step::To(state, partial) => {
                        staying.extend_from_slice(trie.tokens(child));
                        pending.push((child, (state, partial)));
                    }
                    Step::Close if state == machine.chars.len() => {
                        closing.extend_from_slice(trie.tokens_below(child));
                    }
                    Step::Dead | Step::Close => {}
                }
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
}

impl MaskEntry {
    fn contains(&self, token: TokenId) -> bool {
        let in_base = self.base.as_ref().is_some_and(|base| base.0.contains(token));
        in_base || self.tokens.binary_search(&token).is_ok()
    }
}

/// One cached mask, besides the pooled entry that it points to.
const CACHED_MASK_BYTES: usize = 32;

/// One combination without its list, and its place in the table.
const COMBINATION_BYTES: usize = 64;

/// The machine that accepts one name.
struct Name {
    chars: Vec<u32>,
}

impl Name {
    /// The first bytes with which a spelling of the rest, quote included, can go on.
    fn next_bytes(&self, at: usize) -> [u8; 2] {
        let next = self.chars.get(at).and_then(|&c| char::from_u32(c));
        let first = next.map_or(b'"', |c| {
            let mut buffer = [0; 4];
            c.encode_utf8(&mut buffer).as_bytes()[0]
        });
        [first, b'\\']
    }
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
