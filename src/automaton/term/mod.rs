//! Regular languages of code points as hash-consed terms with Brzozowski derivatives.
//!
//! A term is an extended regular expression (union, intersection, complement, counted loops), normalised by the
//! smart constructors of `build` and interned, so that equal situations reached by different texts or in different
//! schemas are one [`TermId`]. Reading a code point is one binary search in the term's list of successors, which is
//! worked out once, from the lists of its parts, and afterwards read without a lock.
//!
//! Invariants
//! * Children are interned before their parents, so terms form an acyclic graph and facts never change.
//! * Counted loops are never unrolled: `r{3,1000}` has the derivative `d(r)·r{2,999}`.
//! * A *plain* term (no intersection or complement below it) matches some text unless it is [`Terms::NOTHING`].
//! * Normalisation never changes the language; the same language may still have several terms.
//! * Every answer is a function of the language or of the term alone, never of what was asked before.

use std::hash::{Hash, Hasher};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

use hashbrown::Equivalent;

use crate::automaton::heap::Heap;
use crate::automaton::interner::{Interner, Memo};
use crate::grammar::regex::CharSet;
use crate::grammar::values::Values;
use crate::index::TermId;

mod build;
mod clip;
mod derive;
mod digits;
mod display;
mod emptiness;
mod facts;
mod fraction;
mod interval;
mod reach;
mod regex;
mod size;
mod spelled;
mod states;
mod trie;
mod used;
mod window;

impl Heap for Entry {
    fn heap_bytes(&self) -> usize {
        match &self.kind {
            Kind::Or(parts) | Kind::And(parts) => parts.heap_bytes(),
            Kind::Spelled { .. } => size_of::<SpelledRead>(),
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod twin;

pub use derive::Range;
pub use fraction::FractionRead;
pub(crate) use regex::Regexes;
pub use spelled::{Mantissa, Power, SpelledRead, ValuesId};
pub use window::{Apart, Window};

use emptiness::Verdict;
use facts::Facts;
use states::Table;

/// An interned set of code points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SetId(u32);

/// An interned table of states.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TableId(u32);

/// The outermost operation of a term.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// No text.
    Nothing,
    /// The empty text.
    Empty,
    /// Every text.
    All,
    /// One code point of a set, which has members.
    Set(SetId),
    /// One after the other. The first is never a `Concat`.
    Concat(TermId, TermId),
    /// In at least one: two or more, sorted by id, no `Or`, at most one `Set` and one `Not` among them, no `Empty`.
    Or(Box<[TermId]>),
    /// In all: two or more, sorted by id, no `And`, at most one `Not` and one length window among them.
    And(Box<[TermId]>),
    /// Not in it.
    Not(TermId),
    /// So many times; `r{0,1}` is the one form of "r or the empty text" when r does not match the empty text.
    Repeat {
        /// What is repeated; if it matches the empty text, the least count is 0.
        body: TermId,
        /// The counts.
        counts: Window,
    },
    /// The rest of a decimal spelling of a multiple of an integer.
    Multiple {
        /// The divisor, at least 1.
        of: u64,
        /// What has been read of the spelling.
        read: Read,
    },
    /// What a table of states accepts from one of them on: neither everything nor only the empty text.
    State {
        /// The table.
        table: TableId,
        /// The state.
        state: u32,
    },
    /// The rest of a decimal spelling of a multiple of `of / 10^places`.
    FractionMultiple {
        /// The numerator, at least 1.
        of: u64,
        /// Digits behind the point, at least 1.
        places: u32,
        /// What has been read of the spelling.
        read: FractionRead,
    },
    /// The rest of a spelling, perhaps with an exponent, of one of these values.
    Spelled {
        /// The values.
        values: ValuesId,
        /// What has been read of the spelling.
        read: Box<SpelledRead>,
    },
}

/// What has been read of a decimal spelling.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Read {
    /// Nothing: a sign may come.
    Start,
    /// The sign: a digit must come.
    Sign,
    /// Digits with the value `v`. Only completions with `missing` or more digits make a multiple, and what they
    /// are depends on `remainder` alone: `v` modulo the divisor without what it shares with `10^missing`.
    Digits {
        /// The fewest digits that complete a multiple.
        missing: u32,
        /// What decides which digits do.
        remainder: u64,
    },
}

/// One row of the table: the term and what is known about it. Equality and hash are those of the term.
struct Entry {
    kind: Kind,
    facts: Facts,
    successors: OnceLock<derive::Successors>,
    verdict: AtomicU8,
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Entry {}

impl Hash for Entry {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind.hash(state);
    }
}

impl Equivalent<Entry> for Kind {
    fn equivalent(&self, entry: &Entry) -> bool {
        *self == entry.kind
    }
}

/// The table of terms: append-only, shared by all threads of a universe.
pub struct Terms {
    sets: Interner<CharSet>,
    tables: Interner<Table>,
    values: Interner<Values>,
    table: Interner<Entry>,
    /// Terms cut to a length window: see `window`.
    cuts: Memo<(TermId, Window), Option<TermId>>,
    /// Terms with clipped counts: see `clip`.
    clips: Memo<(TermId, u32), TermId>,
    /// What lists of successors take, in bytes.
    listed: AtomicUsize,
}

impl Default for Terms {
    fn default() -> Self {
        Self::new()
    }
}

impl Terms {
    /// The term that matches no text.
    pub const NOTHING: TermId = TermId(0);
    /// The term that matches the empty text only.
    pub const EMPTY: TermId = TermId(1);
    /// The term that matches every text.
    pub const ALL: TermId = TermId(2);
    /// The term that matches every text of one code point.
    pub const ANY: TermId = TermId(3);

    /// A table with the constants only.
    #[must_use]
    pub fn new() -> Self {
        let terms = Self {
            sets: Interner::new(),
            tables: Interner::new(),
            values: Interner::new(),
            table: Interner::new(),
            cuts: Memo::new(),
            clips: Memo::new(),
            listed: AtomicUsize::new(0),
        };
        let any = SetId(terms.sets.intern(CharSet::any()));
        for (kind, id) in [
            (Kind::Nothing, Self::NOTHING),
            (Kind::Empty, Self::EMPTY),
            (Kind::All, Self::ALL),
            (Kind::Set(any), Self::ANY),
        ] {
            assert_eq!(terms.intern(&kind), id, "the constants come first");
        }
        terms
    }

    /// Number of terms in the table.
    #[must_use]
    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// About what the tables take, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        [
            self.sets.bytes(),
            self.tables.bytes(),
            self.values.bytes(),
            self.table.bytes(),
            self.cuts.bytes(),
            self.clips.bytes(),
            self.listed.load(Ordering::Relaxed),
        ]
        .into_iter()
        .sum()
    }

    /// Always false: the constants are there.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// The outermost operation.
    #[must_use]
    pub fn kind(&self, term: TermId) -> &Kind {
        &self.entry(term).kind
    }

    /// The members of a set of code points.
    #[must_use]
    pub fn set(&self, set: SetId) -> &CharSet {
        self.sets.get(set.0)
    }

    /// Whether the empty text is in the language. A table lookup.
    #[inline]
    #[must_use]
    pub fn nullable(&self, term: TermId) -> bool {
        self.facts(term).nullable
    }

    /// Bounds of the lengths of the texts that the term matches, in code points. They are reached by some text if the
    /// term is plain; else they may be wider than need be.
    #[must_use]
    pub fn lengths(&self, term: TermId) -> Window {
        self.facts(term).lengths
    }

    /// Whether the texts that can follow are known to be infinitely many wherever any can: finitely many that are used up
    /// never leave a dead end.
    #[must_use]
    pub fn never_runs_out(&self, term: TermId) -> bool {
        match self.kind(term) {
            Kind::Or(members) => members.iter().all(|&member| self.never_runs_out(member)),
            Kind::And(members) => facts::Parts::of(self, members)
                .is_some_and(|parts| parts.window.max.is_none() && self.facts(parts.plain).open),
            _ => self.facts(term).open || self.facts(term).always,
        }
    }

    /// Whether every text is known to be the beginning of one that matches: a sufficient condition, read off the term.
    #[must_use]
    pub fn always_goes_on(&self, term: TermId) -> bool {
        self.facts(term).always
    }

    #[inline]
    fn entry(&self, term: TermId) -> &Entry {
        self.table.get(term.0)
    }

    #[inline]
    fn facts(&self, term: TermId) -> &Facts {
        &self.entry(term).facts
    }

    /// Interns a term that is in normal form already.
    fn intern(&self, kind: &Kind) -> TermId {
        TermId(self.table.intern_ref(kind, || Entry {
            kind: kind.clone(),
            facts: Facts::of(self, kind),
            successors: OnceLock::new(),
            verdict: AtomicU8::new(Verdict::Unknown.to_byte()),
        }))
    }

    fn verdict(&self, term: TermId) -> Verdict {
        Verdict::from_byte(self.entry(term).verdict.load(Ordering::Relaxed))
    }

    fn set_verdict(&self, term: TermId, verdict: Verdict) {
        self.entry(term).verdict.store(verdict.to_byte(), Ordering::Relaxed);
    }
}
