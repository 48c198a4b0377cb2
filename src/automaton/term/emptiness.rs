//! Does a term match any text at all?
//!
//! Most terms answer from the facts of their parts: plain terms always match something, and lengths settle the usual
//! intersections with a length window or with the complement of a finite set. What is left is searched.
//!
//! * Without a lower length bound: best-first over derivatives, by the length read plus the known least length of
//!   the rest, so a search that has a way to the end goes there straight. An upper bound is a bound of the search.
//! * With a lower one, the window is kept apart: the *set* of derivatives reached by texts of length n is followed for n =
//!   0, 1, 2 …; it repeats sooner or later, and the rest is arithmetic. `minLength: 100000` beside an awkward
//!   pattern costs the pattern's own states, not 100,000 steps.
//!
//! The budget is counted anew for each question and answers about other terms are not consulted, apart from the parts
//! of unions and concatenations, which are questions of their own. So whether a question exhausts its budget depends
//! on the term alone. Only a search that closed writes answers about other terms, and only about those whose own search
//! would have been a part of it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::derive::{List, TooMany};
use super::{Kind, Terms, Window};
use crate::error::Exhausted;
use crate::index::TermId;
use crate::limits::{EMPTINESS_STEPS_MAX, EMPTINESS_TERMS_MAX};

/// What has been decided about a term. One byte beside the term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    Unknown,
    Inhabited,
    Empty,
    Exhausted,
}

impl Verdict {
    pub(super) fn to_byte(self) -> u8 {
        match self {
            Self::Unknown => 0,
            Self::Inhabited => 1,
            Self::Empty => 2,
            Self::Exhausted => 3,
        }
    }

    pub(super) fn from_byte(byte: u8) -> Self {
        match byte {
            1 => Self::Inhabited,
            2 => Self::Empty,
            3 => Self::Exhausted,
            _ => Self::Unknown,
        }
    }

    fn of(empty: Result<bool, TooMany>) -> Self {
        match empty {
            Ok(false) => Self::Inhabited,
            Ok(true) => Self::Empty,
            Err(TooMany) => Self::Exhausted,
        }
    }
}

/// A term with costlier successors does not answer soon.
const SOON_STEPS_MAX: usize = 10_000;

impl Terms {
    /// Whether the term matches no text. Plain terms answer from the table; others are searched once.
    ///
    /// # Errors
    /// If more than [`EMPTINESS_TERMS_MAX`] terms would have to be visited, or their successors pass a limit.
    #[inline]
    pub fn is_nothing(&self, term: TermId) -> Result<bool, Exhausted> {
        if self.facts(term).inhabited {
            return Ok(false);
        }
        self.matches_nothing(term).map_err(|TooMany| Exhausted {
            place: format!(
                "whether any text matches an intersection of regular expressions (at most {EMPTINESS_TERMS_MAX} terms)"
            ),
        })
    }

    /// Whether the term matches no text, as far as few terms show it: "no" may mean "perhaps".
    pub fn is_soon_nothing(&self, term: TermId, most: usize) -> bool {
        let mut seen = FxHashSet::from_iter([term]);
        let mut open = vec![term];
        while let Some(next) = open.pop() {
            let facts = self.facts(next);
            if facts.inhabited || facts.nullable {
                return false;
            }
            let Ok(list) = self.list(next) else { return false };
            if list.steps > SOON_STEPS_MAX {
                return false;
            }
            open.extend(list.ranges.iter().map(|range| range.target).filter(|&target| seen.insert(target)));
            if seen.len() > most {
                return false;
            }
        }
        true
    }

    fn matches_nothing(&self, term: TermId) -> Result<bool, TooMany> {
        if term == Self::NOTHING {
            return Ok(true);
        }
        if self.facts(term).inhabited {
            return Ok(false);
        }
        match self.verdict(term) {
            Verdict::Inhabited => return Ok(false),
            Verdict::Empty => return Ok(true),
            Verdict::Exhausted => return Err(TooMany),
            Verdict::Unknown => {}
        }
        let empty = stacker::maybe_grow(64 << 10, 1 << 20, || self.decide(term));
        self.set_verdict(term, Verdict::of(empty));
        empty
    }

    fn decide(&self, term: TermId) -> Result<bool, TooMany> {
        match self.kind(term) {
            Kind::Concat(..) => {
                let mut rest = term;
                while let Kind::Concat(head, tail) = *self.kind(rest) {
                    if self.matches_nothing(head)? {
                        return Ok(true);
                    }
                    rest = tail;
                }
                self.matches_nothing(rest)
            }
            Kind::Or(members) => {
                // One member that matches something settles it, whatever the order of ids and the budget of others.
                let mut exhausted = false;
                for &member in members {
                    match self.matches_nothing(member) {
                        Ok(false) => return Ok(false),
                        Ok(true) => {}
                        Err(TooMany) => exhausted = true,
                    }
                }
                if exhausted { Err(TooMany) } else { Ok(true) }
            }
            Kind::Repeat { body, .. } => self.matches_nothing(*body),
            Kind::And(_) if self.digits_go_on(term, 0) => Ok(false),
            Kind::And(members) => {
                if let Some(found) = self.has_multiple_between(members) {
                    return Ok(!found);
                }
                let Some(window) = members.iter().find_map(|&member| self.as_window(member)) else {
                    return self.no_text(term);
                };
                let free: Vec<TermId> =
                    members.iter().copied().filter(|&member| self.as_window(member).is_none()).collect();
                let free = self.and(&free);
                match window {
                    Window { min: 0, max: Some(longest) } => self.no_short_text(free, longest),
                    _ => self.no_length_within(free, window),
                }
            }
            _ => self.no_text(term),
        }
    }

    /// Best-first search for a text of the term.
    fn no_text(&self, term: TermId) -> Result<bool, TooMany> {
        let mut search = Search::from(term, self.lengths(term).min);
        while let Some((read, next)) = search.next() {
            let list = self.list(next)?;
            search.charge(list)?;
            for range in &list.ranges {
                if self.facts(range.target).inhabited {
                    return Ok(false);
                }
                search.add(range.target, read + 1, self.lengths(range.target).min);
            }
        }
        search.read.keys().filter(|&&closed| self.is_searched(closed)).for_each(|&closed| {
            self.set_verdict(closed, Verdict::Empty);
        });
        Ok(true)
    }

    /// Whether the question about this term is a search like that one: it visits no more than a search that met the term.
    fn is_searched(&self, term: TermId) -> bool {
        match self.kind(term) {
            Kind::And(members) => members.iter().all(|&member| self.as_window(member).is_none()),
            Kind::Not(_) => true,
            _ => false,
        }
    }

    /// The same for texts of at most `longest` code points.
    fn no_short_text(&self, term: TermId, longest: u64) -> Result<bool, TooMany> {
        let within = |term, read| {
            longest
                .checked_sub(read)
                .is_some_and(|left| self.has_length_within(term, Window { min: 0, max: Some(left) }))
        };
        if within(term, 0) {
            return Ok(false);
        }
        let mut search = Search::from(term, self.lengths(term).min);
        while let Some((read, next)) = search.next() {
            let list = self.list(next)?;
            search.charge(list)?;
            for range in &list.ranges {
                let (read, least) = (read + 1, self.lengths(range.target).min);
                if within(range.target, read) {
                    return Ok(false);
                }
                if read.saturating_add(least) <= longest {
                    search.add(range.target, read, least);
                }
            }
        }
        Ok(true)
    }

    /// Whether no text of the term has a length in the window.
    fn no_length_within(&self, term: TermId, window: Window) -> Result<bool, TooMany> {
        let mut layers = Layers::default();
        let mut layer = vec![term];
        let mut length = 0_u64;
        loop {
            let Some(left) = window.minus(length) else { return Ok(true) };
            if layer.is_empty() {
                return Ok(true);
            }
            if layer.iter().any(|&term| self.has_length_within(term, left)) {
                return Ok(false);
            }
            if let Some(first) = layers.known.get(&layer) {
                return Ok(!layers.come_back(*first, length, window));
            }
            let mut next: Vec<TermId> = Vec::new();
            for &term in &layer {
                let list = self.list(term)?;
                layers.charge(list)?;
                next.extend(list.ranges.iter().map(|range| range.target));
            }
            layers.add(layer, length, |term| self.nullable(term));
            next.sort_unstable();
            next.dedup();
            (layer, length) = (next, length + 1);
        }
    }

    /// Whether lengths alone show that the term has a text whose length is in the window.
    fn has_length_within(&self, term: TermId, window: Window) -> bool {
        let facts = self.facts(term);
        (window.min == 0 && facts.nullable)
            || (facts.plain && facts.length_from(window.min).is_some_and(|length| window.has(length)))
    }
}

/// The work of one question: what the successors of the terms visited take, whether they are worked out now or were
/// before.
#[derive(Default)]
struct Steps(usize);

impl Steps {
    fn charge(&mut self, list: &List, terms: usize) -> Result<(), TooMany> {
        self.0 += 1 + list.steps;
        if self.0 > EMPTINESS_STEPS_MAX || terms > EMPTINESS_TERMS_MAX { Err(TooMany) } else { Ok(()) }
    }
}

/// Terms to look at, the most promising first: by length read plus least length of the rest, then by least length of
/// the rest, then in the order of code points.
struct Search {
    queue: BinaryHeap<(Reverse<u64>, u64, Reverse<u64>, TermId)>,
    /// By term seen: the fewest code points read before it.
    read: FxHashMap<TermId, u64>,
    added: u64,
    steps: Steps,
}

impl Search {
    fn from(term: TermId, least: u64) -> Self {
        Self {
            queue: BinaryHeap::from([(Reverse(least), 0, Reverse(0), term)]),
            read: FxHashMap::from_iter([(term, 0)]),
            added: 0,
            steps: Steps(0),
        }
    }

    fn charge(&mut self, list: &List) -> Result<(), TooMany> {
        self.steps.charge(list, self.read.len())
    }

    fn next(&mut self) -> Option<(u64, TermId)> {
        loop {
            let (_, read, _, term) = self.queue.pop()?;
            if self.read[&term] == read {
                return Some((read, term));
            }
        }
    }

    /// Adds a term reached after so many code points, unless it has been reached as early.
    fn add(&mut self, term: TermId, read: u64, least: u64) {
        if self.read.get(&term).is_some_and(|&known| known <= read) {
            return;
        }
        self.read.insert(term, read);
        self.added += 1;
        self.queue.push((Reverse(read.saturating_add(least)), read, Reverse(self.added), term));
    }
}

/// The sets of derivatives by length read, none of them twice.
#[derive(Default)]
struct Layers {
    /// Each set, with its length.
    known: FxHashMap<Vec<TermId>, u64>,
    /// Lengths of complete texts, ascending.
    complete: Vec<u64>,
    terms: FxHashSet<TermId>,
    steps: Steps,
}

impl Layers {
    fn charge(&mut self, list: &List) -> Result<(), TooMany> {
        self.steps.charge(list, self.terms.len())
    }

    fn add(&mut self, layer: Vec<TermId>, length: u64, nullable: impl Fn(TermId) -> bool) {
        self.terms.extend(&layer);
        if layer.iter().any(|&term| nullable(term)) {
            self.complete.push(length);
        }
        self.known.insert(layer, length);
    }

    /// The set of length `first` came back at `length`: whether a complete length in between comes back within the
    /// window. Those before `length` have been looked at.
    fn come_back(&self, first: u64, length: u64, window: Window) -> bool {
        let period = length - first;
        let from = window.min.max(length);
        self.complete.iter().filter(|&&complete| complete >= first).any(|&complete| {
            let rounds = (from - complete).div_ceil(period);
            rounds
                .checked_mul(period)
                .and_then(|ahead| complete.checked_add(ahead))
                .is_some_and(|at| window.has(at))
        })
    }
}
