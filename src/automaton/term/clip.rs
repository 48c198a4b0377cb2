//! Terms with their counts clipped: what a token of bounded length can't tell apart.
//!
//! A token has fewer than `k` code points. While it is read from `.{5,99999}` or from `.{5,99998}`, the same happens,
//! so what tokens do from there is worked out once, for `.{5,}`.
//!
//! **Law.** Let `c = clip(t, k)`, `k ≥ 2`. For every text `w` of fewer than `k` code points
//! * `w` is in the language of `t` iff it is in that of `c`;
//! * some continuation `z` has `w·z` in the language of `t` iff some continuation has in that of `c`.
//!
//! In other words, the derivatives by `w` agree on being nullable and on matching nothing. Why:
//! * *Loops.* A round that reads nothing may be left out, so reading `w` takes fewer than `k` rounds. A least count above
//!   `k` is then as far away as `k`, and a greatest of `k` or more as good as none.
//! * *Union, concatenation, loops of terms with the law* have it, because reading `w` splits into reading parts of it.
//! * *Intersection and complement* keep the first half and can break the second: whether something still follows
//!   may hang on lengths far beyond `w`. They are left as they are, but for one shape. In a plain term that is *open*,
//!   a complement of a language whose longest text has `n` code points, and a length window `a..b`: whatever follows can
//!   be followed by texts of every length from `finish` on, so if `b ≥ k + finish + n + 1` the upper bound and the
//!   complement never stand in the way of reading `w`.

use super::facts::Parts;
use super::{Kind, Terms, Window};
use crate::index::TermId;

/// Most rounds of clipping; fewer only share less.
const CLIP_ROUNDS_MAX: usize = 8;

impl Terms {
    /// The term with every count clipped that a text of fewer than `k` code points can't exhaust, where that is
    /// known to be safe; see the module for the law. `k` below 2 leaves the term as it is.
    #[must_use]
    pub fn clip(&self, term: TermId, k: u32) -> TermId {
        if k < 2 || self.facts(term).counts < u64::from(k) {
            return term;
        }
        self.clips.get_or_insert_with((term, k), || {
            stacker::maybe_grow(64 << 10, 1 << 20, || {
                // Clipped loops may merge into one whose counts can be clipped again.
                let mut clipped = term;
                for _ in 0..CLIP_ROUNDS_MAX {
                    let again = self.clip_once(clipped, k);
                    if again == clipped {
                        break;
                    }
                    clipped = again;
                }
                clipped
            })
        })
    }

    fn clip_once(&self, term: TermId, k: u32) -> TermId {
        match self.kind(term) {
            Kind::Concat(..) => self.clip_concat(term, k),
            Kind::Or(members) => {
                let clipped: Vec<TermId> = members.iter().map(|&member| self.clip(member, k)).collect();
                self.or(&clipped)
            }
            Kind::Repeat { body, counts } => self.repeat(self.clip(*body, k), clip_counts(*counts, k)),
            Kind::And(members) => self.clip_and(members, k).unwrap_or(term),
            _ => term,
        }
    }

    /// Along the chain without recursion: texts may be long.
    fn clip_concat(&self, term: TermId, k: u32) -> TermId {
        let mut heads = Vec::new();
        let mut rest = term;
        while let Kind::Concat(head, tail) = *self.kind(rest) {
            heads.push(self.clip(head, k));
            rest = tail;
        }
        let last = self.clip(rest, k);
        heads.into_iter().rev().fold(last, |rest, head| self.concat(head, rest))
    }

    fn clip_and(&self, members: &[TermId], k: u32) -> Option<TermId> {
        let parts = Parts::of(self, members)?;
        let plain = self.clip(parts.plain, k);
        let free_from = parts.free_from(self);
        for side in [self.facts(parts.plain), self.facts(plain)] {
            let needed = u64::from(k).saturating_add(side.finish).saturating_add(free_from);
            if !side.open || parts.window.max.is_some_and(|max| max < needed) {
                return None;
            }
        }
        let window = self.any_of(clip_counts(parts.window, k));
        let not = parts.not.unwrap_or(Self::ALL);
        Some(self.and(&[plain, window, not]))
    }
}

fn clip_counts(counts: Window, k: u32) -> Window {
    let k = u64::from(k);
    Window { min: counts.min.min(k), max: counts.max.filter(|&max| max < k) }
}
