//! Windows of counts and lengths, and terms cut to a window of lengths.
//!
//! A length bound is an intersection with `any{a,b}`. Left alone, it doubles every state with a counter. In the usual
//! cases the window can be pushed into the term: a loop over a set takes over the bounds, a part of fixed length
//! shifts them, and literals too short or too long go away. Then the intersection is gone and emptiness is structural.

use super::facts::Parts;
use super::{Kind, Terms};
use crate::index::TermId;

/// The whole numbers from `min` to `max` (`None`: unbounded), never empty.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Window {
    /// The least.
    pub min: u64,
    /// The greatest; `None`: no bound.
    pub max: Option<u64>,
}

impl Window {
    /// Every number.
    pub const EVERY: Window = Window { min: 0, max: None };

    /// From `min` to `max`; `None` if there is no number between them.
    #[must_use]
    pub fn new(min: u64, max: Option<u64>) -> Option<Self> {
        max.is_none_or(|max| min <= max).then_some(Self { min, max })
    }

    /// One number.
    #[must_use]
    pub fn exactly(n: u64) -> Self {
        Self { min: n, max: Some(n) }
    }

    /// Numbers in both.
    #[must_use]
    pub fn intersection(self, other: Self) -> Option<Self> {
        let max = match (self.max, other.max) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Self::new(self.min.max(other.min), max)
    }

    /// The least window around both.
    #[must_use]
    pub fn hull(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.zip(other.max).map(|(a, b)| a.max(b)) }
    }

    /// Sums of a number of each. A sum that outgrows `u64` counts as unbounded: no text is that long.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let max = self.max.zip(other.max).and_then(|(a, b)| a.checked_add(b));
        Self { min: self.min.saturating_add(other.min), max }
    }

    /// The least and greatest product of a number of each.
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        let max = match (self.max, other.max) {
            (Some(0), _) | (_, Some(0)) => Some(0),
            (Some(a), Some(b)) => a.checked_mul(b),
            _ => None,
        };
        Self { min: self.min.saturating_mul(other.min), max }
    }

    /// Numbers that are in the window after `n` is added to them.
    #[must_use]
    pub fn minus(self, n: u64) -> Option<Self> {
        match self.max {
            Some(max) if max < n => None,
            max => Some(Self { min: self.min.saturating_sub(n), max: max.map(|max| max - n) }),
        }
    }

    /// The counts that remain after one round; `None` if no round is allowed.
    #[must_use]
    pub fn after_one(self) -> Option<Self> {
        self.minus(1)
    }

    /// Whether every number of the other is in this one.
    #[must_use]
    pub fn contains(self, other: Self) -> bool {
        self.min <= other.min && self.max.is_none_or(|max| other.max.is_some_and(|other| other <= max))
    }

    /// Whether the number is in it.
    #[must_use]
    pub fn has(self, n: u64) -> bool {
        self.contains(Self::exactly(n))
    }

    /// The one number, if there is just one.
    #[must_use]
    pub fn fixed(self) -> Option<u64> {
        self.max.filter(|&max| max == self.min)
    }

    /// Whether the union of `k` times the other window, for the `k` of this one, has no gap.
    ///
    /// Two neighbours `[k·a, k·b]` and `[(k+1)·a, (k+1)·b]` touch if `(k+1)·a ≤ k·b + 1`; once they do, all later ones
    /// do, because `a ≤ b`.
    #[must_use]
    pub fn multiples_touch(self, other: Self) -> bool {
        if self.fixed().is_some() {
            return true;
        }
        match other.max {
            None => self.min > 0 || other.min <= 1,
            Some(max) => {
                let next = self.min.saturating_add(1).saturating_mul(other.min);
                next <= self.min.saturating_mul(max).saturating_add(1)
            }
        }
    }
}

/// A term as a length window and the rest: `window ∩ rest`. See [`Terms::apart_from_window`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Apart {
    /// What the texts match besides.
    pub rest: TermId,
    /// How many code points they have.
    pub window: Window,
    /// Where the rest can go on at all, it can with every number of code points from this one on.
    pub finish: u64,
}

impl Terms {
    /// Every text whose length in code points is in the window.
    #[must_use]
    pub fn any_of(&self, lengths: Window) -> TermId {
        self.repeat(Self::ANY, lengths)
    }

    /// Every text of `min` to `max` code points (`None`: no upper bound); [`Terms::NOTHING`] if `max < min`.
    #[must_use]
    pub fn length(&self, min: u64, max: Option<u64>) -> TermId {
        Window::new(min, max).map_or(Self::NOTHING, |lengths| self.any_of(lengths))
    }

    /// The texts of a plain term whose length is in the window, as a plain term, where the shape of the term allows it.
    pub(super) fn cut(&self, term: TermId, window: Window) -> Option<TermId> {
        let facts = self.facts(term);
        if !facts.plain {
            return None;
        }
        if term == Self::NOTHING || facts.lengths.intersection(window).is_none() {
            return Some(Self::NOTHING);
        }
        if window.contains(facts.lengths) {
            return Some(term);
        }
        match self.kind(term) {
            Kind::All => Some(self.any_of(window)),
            Kind::Repeat { body, counts } => self.cut_repeat(*body, *counts, window),
            Kind::Concat(..) => self.cut_concat(term, window),
            Kind::Or(members) => self.cuts.get_or_insert_with((term, window), || {
                stacker::maybe_grow(64 << 10, 1 << 20, || {
                    let cut: Option<Vec<TermId>> =
                        members.iter().map(|&member| self.cut(member, window)).collect();
                    cut.map(|cut| self.or(&cut))
                })
            }),
            _ => None,
        }
    }

    fn cut_repeat(&self, body: TermId, counts: Window, window: Window) -> Option<TermId> {
        if let Some(len) = self.lengths(body).fixed().filter(|&len| len > 0) {
            let rounds = Window::new(window.min.div_ceil(len), window.max.map(|max| max / len))
                .and_then(|rounds| rounds.intersection(counts));
            return Some(rounds.map_or(Self::NOTHING, |rounds| self.repeat(body, rounds)));
        }
        if counts == (Window { min: 0, max: Some(1) }) {
            let some = stacker::maybe_grow(64 << 10, 1 << 20, || self.cut(body, window))?;
            return Some(if window.has(0) { self.repeat(some, counts) } else { some });
        }
        None
    }

    /// Walks down the parts of fixed length, cuts what follows, and puts the parts back in front.
    fn cut_concat(&self, term: TermId, mut window: Window) -> Option<TermId> {
        let mut heads = Vec::new();
        let mut rest = term;
        let cut = loop {
            if window.contains(self.lengths(rest)) {
                break rest;
            }
            let Kind::Concat(head, tail) = *self.kind(rest) else {
                break stacker::maybe_grow(64 << 10, 1 << 20, || self.cut(rest, window))?;
            };
            if let Some(len) = self.lengths(head).fixed() {
                let Some(left) = window.minus(len) else { return Some(Self::NOTHING) };
                heads.push(head);
                (rest, window) = (tail, left);
            } else {
                let len = self.lengths(tail).fixed()?;
                let Some(left) = window.minus(len) else { return Some(Self::NOTHING) };
                let head = stacker::maybe_grow(64 << 10, 1 << 20, || self.cut(head, left))?;
                break self.concat(head, tail);
            }
        };
        Some(heads.into_iter().rev().fold(cut, |rest, head| self.concat(head, rest)))
    }

    /// The term as a window and a rest whose texts have no greatest length, if it has that shape and the rest no window of
    /// its own.
    ///
    /// **Law.** Let a text `w` have `n` code points. It matches iff `n` is in the window and it matches the rest. If nothing
    /// matches the rest after `w`, or `n` exceeds the window, nothing matches after it; if `n + finish` does not exceed the
    /// window, the rest alone decides.
    #[must_use]
    pub fn apart_from_window(&self, term: TermId) -> Option<Apart> {
        match self.kind(term) {
            Kind::Repeat { body, counts } if *counts != Window::EVERY => {
                matches!(self.kind(*body), Kind::Set(_)).then(|| Apart {
                    rest: self.repeat(*body, Window::EVERY),
                    window: *counts,
                    finish: 0,
                })
            }
            Kind::And(members) => {
                let parts = Parts::of(self, members).filter(|parts| parts.not.is_none())?;
                let rest = self.facts(parts.plain);
                rest.open.then_some(Apart { rest: parts.plain, window: parts.window, finish: rest.finish })
            }
            _ => None,
        }
    }
}
