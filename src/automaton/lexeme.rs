//! Lexeme machines: strings, numbers and raw texts as byte automata over regex terms.
//!
//! A state is a vector of terms and a [`Partial`]. The first term is what the lexeme *must* match, the others are
//! questions whose answers the caller wants to know (see `value.rs`). A state is made only if some completion
//! matches the first term, so "live" is never asked again.
//!
//! Rows are filled once per state, on first touch, and read without locks. States inside a code point or an escape are made
//! when a byte leads to them: a long string meets one state for each code point, and few of these.

use std::cell::Cell;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use crate::automaton::byte_classes::ByteClasses;
use crate::automaton::byte_kinds::{ByteKinds, are_set_apart};
use crate::automaton::decode::{self, CodePoints, Coding, Partial, Step};
use crate::automaton::formula::exhausted;
use crate::automaton::heap::Heap;
use crate::automaton::term::Terms;
use crate::automaton::universe::Universe;
use crate::error::Exhausted;
use crate::index::{TermId, narrow};
use crate::vocab::ByteSet;

/// A lexeme state, interned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct LexId(pub(crate) u32);

/// What a lexeme state is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct LexKey {
    /// The term vector, interned.
    pub(crate) vector: u32,
    pub(crate) coding: Coding,
    pub(crate) partial: Partial,
}

/// Where a byte leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LexEdge {
    Dead,
    /// The byte is the closing quote.
    Close,
    /// The lexeme ended before the byte.
    End,
    Go(LexId),
}

/// Targets by byte class, either a `LexId` or one of the constants above.
#[derive(Debug)]
pub(crate) struct LexRow {
    classes: Arc<ByteClasses>,
    targets: Box<[AtomicU32]>,
}

impl LexRow {
    const DEAD: u32 = u32::MAX;
    const CLOSE: u32 = u32::MAX - 1;
    const END: u32 = u32::MAX - 2;
    /// Not found yet.
    const LATER: u32 = u32::MAX - 3;
    /// While a row is filled: the first of those that are found later, by what they have in common. Downwards, at most 256.
    const FIRST_LATER: u32 = u32::MAX - 4;
    const LAST_LATER: u32 = Self::FIRST_LATER - 256;

    #[inline]
    fn edge(&self, byte: u8) -> Option<LexEdge> {
        Some(match self.cell(byte).load(Ordering::Acquire) {
            Self::LATER => return None,
            Self::DEAD => LexEdge::Dead,
            Self::CLOSE => LexEdge::Close,
            Self::END => LexEdge::End,
            id => LexEdge::Go(LexId(id)),
        })
    }

    fn cell(&self, byte: u8) -> &AtomicU32 {
        &self.targets[self.classes.class(byte)]
    }

    /// Bytes among which are all that do not kill the text.
    pub(crate) fn live(&self) -> ByteSet {
        let classes = self.classes.sets().iter().zip(&self.targets);
        let live = classes.filter(|(_, target)| target.load(Ordering::Acquire) != Self::DEAD);
        live.fold(ByteSet::default(), |all, (&set, _)| all.with(set))
    }
}

/// What is filled in later.
#[derive(Default, Debug)]
pub(crate) struct LexData {
    row: OnceLock<LexRow>,
    live: OnceLock<bool>,
    outcome: OnceLock<u32>,
    loops: OnceLock<ByteKinds>,
}

/// The machine over code points that a term vector is.
struct Vectors<'a> {
    universe: &'a Universe,
    /// The latest single term met and its vector: neighbouring bytes mostly lead to one term.
    latest: Cell<Option<(TermId, u32)>>,
}

impl CodePoints for Vectors<'_> {
    type State = u32;

    fn derive(&self, vector: u32, c: u32) -> Result<Option<u32>, Exhausted> {
        let universe = self.universe;
        let terms = universe.vectors.get(vector);
        let must = universe.terms.derive(terms[0], c)?;
        if terms.len() == 1
            && let Some((term, vector)) = self.latest.get()
            && term == must
        {
            return Ok(Some(vector));
        }
        if universe.terms.is_nothing(must)? {
            return Ok(None);
        }
        if terms.len() == 1 {
            let vector = universe.vector(&[must]);
            self.latest.set(Some((must, vector)));
            return Ok(Some(vector));
        }
        let mut next = Vec::with_capacity(terms.len());
        next.push(must);
        for &term in &terms[1..] {
            next.push(universe.terms.derive(term, c)?);
        }
        Ok(Some(universe.vector(&next)))
    }

    fn uniform(&self, vector: u32, lo: u32, hi: u32) -> Result<Option<Option<u32>>, Exhausted> {
        for &term in self.universe.vectors.get(vector) {
            let ranges = self.universe.terms.successors(term)?;
            let at = ranges.partition_point(|range| range.hi < lo);
            let same = match ranges.get(at) {
                Some(range) => range.lo > hi || (range.lo <= lo && range.hi >= hi),
                None => true,
            };
            if !same {
                return Ok(None);
            }
        }
        self.derive(vector, lo).map(Some)
    }
}

impl Universe {
    /// A term vector after a code point, if the first term still matches some text.
    pub(crate) fn vector_after(&self, vector: u32, c: u32) -> Result<Option<u32>, Exhausted> {
        Vectors { universe: self, latest: Cell::new(None) }.derive(vector, c)
    }

    /// The same after any code point of a range, if that makes no difference.
    pub(crate) fn vector_after_any(
        &self,
        vector: u32,
        lo: u32,
        hi: u32,
    ) -> Result<Option<Option<u32>>, Exhausted> {
        Vectors { universe: self, latest: Cell::new(None) }.uniform(vector, lo, hi)
    }

    /// Interns a term vector.
    pub(crate) fn vector(&self, terms: &[TermId]) -> u32 {
        self.vectors.intern(terms.into())
    }

    /// The start of a lexeme, if any text matches `must`.
    pub(crate) fn lexeme(
        &self,
        coding: Coding,
        must: TermId,
        asks: impl IntoIterator<Item = TermId>,
    ) -> Result<Option<LexId>, Exhausted> {
        if self.terms.is_nothing(must)? {
            return Ok(None);
        }
        let terms: Vec<TermId> = std::iter::once(must).chain(asks).collect();
        Ok(Some(self.lex_id(&LexKey { vector: self.vector(&terms), coding, partial: Partial::Clean })))
    }

    pub(crate) fn lex_id(&self, key: &LexKey) -> LexId {
        LexId(self.lexes.intern_key(key))
    }

    /// The row of a lexeme state.
    #[inline]
    pub(crate) fn lex_row(&self, lex: LexId) -> Result<&LexRow, Exhausted> {
        let entry = self.lexes.get(lex.0);
        match entry.data.row.get() {
            Some(row) => Ok(row),
            None => self.fill_lex_row(lex),
        }
    }

    /// Where a byte leads from a lexeme state with this row.
    #[inline]
    pub(crate) fn lex_edge(&self, lex: LexId, row: &LexRow, byte: u8) -> Result<LexEdge, Exhausted> {
        match row.edge(byte) {
            Some(edge) => Ok(edge),
            None => self.find_lex_edge(lex, row, byte),
        }
    }

    #[cold]
    fn find_lex_edge(&self, lex: LexId, row: &LexRow, byte: u8) -> Result<LexEdge, Exhausted> {
        let machine = Vectors { universe: self, latest: Cell::new(None) };
        let target = self.lex_target(&machine, &self.lexes.get(lex.0).key, byte)?;
        // A target is the id of an entry that other threads see before the id reaches them.
        row.cell(byte).store(target, Ordering::Release);
        Ok(if target == LexRow::DEAD { LexEdge::Dead } else { LexEdge::Go(LexId(target)) })
    }

    /// Whether the lexeme may end here: its text matches the first term.
    pub(crate) fn lex_accepts(&self, lex: LexId) -> bool {
        let key = &self.lexes.get(lex.0).key;
        key.partial == Partial::Clean && self.terms.nullable(self.vectors.get(key.vector)[0])
    }

    /// The bytes with which a text goes on.
    pub(crate) fn text_goes_on(&self, lex: LexId) -> Result<ByteSet, Exhausted> {
        let row = self.lex_row(lex)?;
        let mut bytes = ByteSet::default();
        for &set in row.classes.sets() {
            let Some(byte) = set.first() else { continue };
            if let LexEdge::Go(_) = self.lex_edge(lex, row, byte)? {
                bytes = bytes.with(set);
            }
        }
        Ok(bytes)
    }

    /// The answers to the questions if the lexeme ends here, interned.
    pub(crate) fn lex_outcome(&self, lex: LexId) -> u32 {
        let entry = self.lexes.get(lex.0);
        *entry.data.outcome.get_or_init(|| {
            let terms = self.vectors.get(entry.key.vector);
            self.outcome(terms[1..].iter().map(|&term| self.terms.nullable(term)))
        })
    }

    /// The kinds of bytes that leave the state as it is.
    pub(crate) fn lex_loops(&self, lex: LexId) -> Result<ByteKinds, Exhausted> {
        let entry = self.lexes.get(lex.0);
        if let Some(known) = entry.data.loops.get() {
            return Ok(*known);
        }
        let row = self.lex_row(lex)?;
        // What is found later is a state of another kind.
        let loops = |byte| row.edge(byte) == Some(LexEdge::Go(lex));
        let mut kinds = ByteKinds::whose_bytes_all(loops);
        if let Some(beyond) = self.loops_beyond_ascii(&entry.key)? {
            kinds = kinds.with(beyond);
        }
        Ok(*entry.data.loops.get_or_init(|| kinds))
    }

    /// The kinds of characters beyond ASCII if all of them leave the state as it is, or all but some that are set apart.
    fn loops_beyond_ascii(&self, key: &LexKey) -> Result<Option<ByteKinds>, Exhausted> {
        let [term] = **self.vectors.get(key.vector) else { return Ok(None) };
        if key.partial != Partial::Clean || key.coding == Coding::Number || !self.spelling.is_complete() {
            return Ok(None);
        }
        let mut kinds = ByteKinds::WIDE.with(ByteKinds::WIDE_APART);
        let ranges = self.terms.successors(term)?;
        for (lo, hi) in [(0x80, 0xD7FF), (0xE000, 0x10_FFFF)] {
            let mut next = lo;
            let loops =
                ranges.iter().filter(|range| range.target == term && range.hi >= lo && range.lo <= hi);
            for (from, to) in loops.map(|range| (range.lo, range.hi)).chain([(hi + 1, hi + 1)]) {
                if next < from {
                    if !are_set_apart(next, from - 1) {
                        return Ok(None);
                    }
                    kinds = ByteKinds::WIDE;
                }
                next = to + 1;
            }
        }
        Ok(Some(kinds))
    }

    fn fill_lex_row(&self, lex: LexId) -> Result<&LexRow, Exhausted> {
        let entry = self.lexes.get(lex.0);
        let mut targets = [LexRow::DEAD; 256];
        if entry.key.partial == Partial::Clean {
            self.fill_clean(lex, &entry.key, &mut targets)?;
        } else {
            let machine = Vectors { universe: self, latest: Cell::new(None) };
            for byte in 0..=u8::MAX {
                targets[usize::from(byte)] = self.lex_target(&machine, &entry.key, byte)?;
            }
        }
        for byte in 0..=u8::MAX {
            if !self.spelling.has(byte) {
                targets[usize::from(byte)] = LexRow::DEAD;
            }
        }
        let row = self.compress(&targets);
        Ok(entry.data.row.get_or_init(|| row))
    }

    /// Between code points, bytes of one successor range share a target: few targets are computed, not 256.
    fn fill_clean(&self, lex: LexId, key: &LexKey, targets: &mut [u32; 256]) -> Result<(), Exhausted> {
        let machine = Vectors { universe: self, latest: Cell::new(None) };
        let terms = self.vectors.get(key.vector);
        for range in self.terms.successors(terms[0])? {
            if range.lo > 0x7F {
                break;
            }
            let mut shared = None;
            for c in range.lo..=range.hi.min(0x7F) {
                let byte = crate::index::low_byte(c);
                let special = key.coding == Coding::Json && (c < 0x20 || byte == b'"' || byte == b'\\');
                // A missing byte leads nowhere, and must not share that with the rest of the range.
                if special || !self.spelling.has(byte) {
                    continue;
                }
                let target = match shared {
                    Some(target) if terms.len() == 1 => target,
                    _ => self.lex_target(&machine, key, byte)?,
                };
                shared = Some(target);
                targets[usize::from(byte)] = target;
            }
        }
        let mut later = Later::default();
        match key.coding {
            Coding::Json => {
                targets[usize::from(b'"')] = if self.lex_accepts(lex) { LexRow::CLOSE } else { LexRow::DEAD };
                later.put(self, &machine, key, b'\\', targets)?;
            }
            Coding::Number => {
                let ends = if self.lex_accepts(lex) { LexRow::END } else { LexRow::DEAD };
                for byte in (0..=u8::MAX).filter(|b| !is_number_byte(*b)) {
                    targets[usize::from(byte)] = ends;
                }
                return Ok(());
            }
            Coding::Raw => {}
        }
        // Code points beyond ASCII are often not possible at all.
        if self.terms.successors(terms[0])?.last().is_some_and(|range| range.hi > 0x7F) {
            for byte in 0xC2..=0xF4u8 {
                later.put(self, &machine, key, byte, targets)?;
            }
        }
        Ok(())
    }

    fn lex_target(&self, machine: &Vectors<'_>, key: &LexKey, byte: u8) -> Result<u32, Exhausted> {
        if !self.spelling.has(byte) {
            return Ok(LexRow::DEAD);
        }
        Ok(match decode::step(machine, key.vector, key.partial, byte, key.coding)? {
            Step::Dead => LexRow::DEAD,
            Step::Close => LexRow::CLOSE,
            Step::To(vector, partial) => {
                let next = LexKey { vector, coding: key.coding, partial };
                if self.partial_is_live(&next)? { self.lex_id(&next).0 } else { LexRow::DEAD }
            }
        })
    }

    /// Whether the code point under way can become one from which some text matches.
    pub(crate) fn partial_is_live(&self, key: &LexKey) -> Result<bool, Exhausted> {
        if key.partial == Partial::Clean {
            return Ok(true);
        }
        Ok(self.partial_reaches(key)? && (self.spelling.is_complete() || self.partial_is_spelled(key)?))
    }

    /// Whether some text matches if every byte can be spelled.
    fn partial_reaches(&self, key: &LexKey) -> Result<bool, Exhausted> {
        let live = |range: &crate::automaton::term::Range| self.terms.is_nothing(range.target).map(|n| !n);
        let ranges = self.terms.successors(self.vectors.get(key.vector)[0])?;
        match (key.partial, decode::reach(key.partial)) {
            (Partial::SkipUtf8 { .. } | Partial::SkipHex { .. }, _) => return Ok(true),
            (_, None) => {
                for range in ranges {
                    if live(range)? {
                        return Ok(true);
                    }
                }
            }
            (_, Some(reach)) => {
                for (lo, hi) in reach.into_iter().filter(|(lo, hi)| lo <= hi) {
                    let first = ranges.partition_point(|range| range.hi < lo);
                    for range in ranges[first..].iter().take_while(|range| range.lo <= hi) {
                        if live(range)? {
                            return Ok(true);
                        }
                    }
                }
            }
        }
        Ok(false)
    }

    /// Whether some text matches with the bytes that can be spelled, by trying them one after the other. Only states
    /// that pass the test by code points are tried, so a search goes astray at missing bytes alone.
    fn partial_is_spelled(&self, key: &LexKey) -> Result<bool, Exhausted> {
        let lex = self.lex_id(key);
        if let Some(&live) = self.lexes.get(lex.0).data.live.get() {
            return Ok(live);
        }
        let machine = Vectors { universe: self, latest: Cell::new(None) };
        let mut live = false;
        for byte in (0..=u8::MAX).filter(|&byte| self.spelling.has(byte)) {
            live = match decode::step(&machine, key.vector, key.partial, byte, key.coding)? {
                Step::Dead => false,
                Step::Close => true,
                Step::To(vector, partial) => {
                    self.partial_is_live(&LexKey { vector, coding: key.coding, partial })?
                }
            };
            if live {
                break;
            }
        }
        Ok(*self.lexes.get(lex.0).data.live.get_or_init(|| live))
    }

    fn compress(&self, targets: &[u32; 256]) -> LexRow {
        let mut distinct: Vec<u32> = Vec::new();
        let mut map = [0u8; 256];
        for (cell, &target) in map.iter_mut().zip(targets) {
            let class = distinct.iter().position(|&t| t == target).unwrap_or_else(|| {
                distinct.push(target);
                distinct.len() - 1
            });
            *cell = crate::index::low_byte(narrow(class));
        }
        let classes = self.byte_classes.entry(map).or_insert_with(|| Arc::new(ByteClasses::new(map))).clone();
        let found = |target| match target {
            LexRow::LAST_LATER..=LexRow::FIRST_LATER => LexRow::LATER,
            target => target,
        };
        let targets: Box<[AtomicU32]> =
            distinct.into_iter().map(|target| AtomicU32::new(found(target))).collect();
        self.keep_row(size_of_val(&*targets));
        LexRow { classes, targets }
    }

    /// The free string: any text, the closing quote, no questions.
    pub(crate) fn free_string(&self) -> Result<LexId, Exhausted> {
        let must = self.spelling.text().unwrap_or(Terms::ALL);
        self.lexeme(Coding::Json, must, [])?
            .ok_or_else(|| exhausted("the free string, which no token can spell"))
    }
}

/// The states inside a code point to which a row's bytes lead: they are not made yet, but it is known which bytes share one.
#[derive(Default)]
struct Later(Vec<(u32, Partial)>);

impl Later {
    fn put(
        &mut self,
        universe: &Universe,
        machine: &Vectors<'_>,
        key: &LexKey,
        byte: u8,
        targets: &mut [u32; 256],
    ) -> Result<(), Exhausted> {
        let (vector, partial) = match decode::step(machine, key.vector, key.partial, byte, key.coding)? {
            Step::To(vector, partial) if partial != Partial::Clean => (vector, partial),
            _ => {
                targets[usize::from(byte)] = universe.lex_target(machine, key, byte)?;
                return Ok(());
            }
        };
        let known = self.0.iter().position(|&known| known == (vector, partial));
        let at = known.unwrap_or_else(|| {
            self.0.push((vector, partial));
            self.0.len() - 1
        });
        targets[usize::from(byte)] = LexRow::FIRST_LATER - narrow(at);
        Ok(())
    }
}

/// The bytes that a JSON number consists of; all others end it.
pub(crate) fn is_number_byte(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E')
}

/// An outcome: the answers to the questions of a value position.
impl Universe {
    /// Interns answers.
    pub(crate) fn outcome(&self, answers: impl IntoIterator<Item = bool>) -> u32 {
        let answers: Box<[bool]> = answers.into_iter().collect();
        self.outcomes.intern(answers)
    }

    /// The answers of an outcome.
    pub(crate) fn answers(&self, outcome: u32) -> &[bool] {
        self.outcomes.get(outcome)
    }
}

impl Heap for LexKey {}
