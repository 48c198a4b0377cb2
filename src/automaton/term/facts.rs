//! What is known about a term the moment it is interned, from the facts of its parts.

use super::used::Used;
use super::{Kind, Read, Terms, Window, fraction, reach, spelled};
use crate::index::TermId;

/// Facts about one term. All lengths are in code points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    /// The empty text is in the language.
    pub(super) nullable: bool,
    /// No intersection and no complement below: the term matches some text unless it is `NOTHING`.
    pub(super) plain: bool,
    /// The term is known to match some text. `false` says nothing.
    pub(super) inhabited: bool,
    /// Bounds of the lengths of the texts; reached if the term is plain.
    pub(super) lengths: Window,
    /// If known (plain terms only): the lengths are exactly `min, min + step, min + 2·step …` up to the greatest; 0 for
    /// a single length.
    pub(super) step: Option<u64>,
    /// Plain, and whatever has been read, if anything can follow at all then texts of *every* length from some
    /// length on can.
    pub(super) open: bool,
    /// Plain terms only: whatever has been read, if anything can follow at all, then something no longer than this.
    pub(super) finish: u64,
    /// The greatest finite count of any loop below.
    pub(super) counts: u64,
    /// Every text is known to be the beginning of one that matches, as with patterns without anchors.
    pub(super) always: bool,
    /// Every continuation of a text that matches is known to match.
    pub(super) absorbs: bool,
    /// No text has a character of these kinds.
    pub(super) avoids: Used,
    /// Every text has a character of each of these kinds.
    pub(super) needs: Used,
}

impl Facts {
    pub(super) const NOTHING: Facts = Facts {
        nullable: false,
        plain: true,
        inhabited: false,
        lengths: Window { min: 0, max: Some(0) },
        step: Some(0),
        open: false,
        finish: 0,
        counts: 0,
        always: false,
        absorbs: false,
        avoids: Used::NONE,
        needs: Used::NONE,
    };

    pub(super) fn of(terms: &Terms, kind: &Kind) -> Facts {
        let mut facts = match kind {
            Kind::Nothing => return Self::NOTHING,
            Kind::Empty => Facts { nullable: true, avoids: Used::ALL, ..Self::NOTHING },
            Kind::All => Facts {
                nullable: true,
                lengths: Window::EVERY,
                step: Some(1),
                open: true,
                always: true,
                absorbs: true,
                ..Self::NOTHING
            },
            Kind::Set(set) => {
                let used = Used::of(terms.set(*set));
                let (avoids, needs) = (used.others(), used.if_one());
                Facts { lengths: Window::exactly(1), finish: 1, avoids, needs, ..Self::NOTHING }
            }
            Kind::Concat(head, tail) => concat(terms.facts(*head), terms.facts(*tail)),
            Kind::Or(members) => or(terms, members),
            Kind::And(members) => and(terms, members),
            Kind::Not(of) => not(terms.facts(*of)),
            Kind::Repeat { body: Terms::ANY, counts } if counts.max.is_none() => {
                Facts { always: true, absorbs: true, ..repeat(terms.facts(Terms::ANY), *counts) }
            }
            Kind::Repeat { body, counts } => repeat(terms.facts(*body), *counts),
            Kind::Multiple { read, .. } => multiple(*read),
            Kind::State { table, state } => terms.facts_of_state(*table, *state),
            Kind::FractionMultiple { of, places, read } => {
                let lengths = fraction::lengths(*of, *places, *read);
                let nullable = lengths.min == 0;
                let finish = u64::from(*places) + 21;
                Facts { nullable, lengths, step: Some(1), open: true, finish, ..Self::NOTHING }
            }
            Kind::Spelled { values, read } => {
                let values = terms.values(*values);
                let (lengths, nullable) = spelled::lengths(values, read);
                let inhabited = reach::live(values, read) == reach::Live::Yes;
                Facts { nullable, plain: false, inhabited, lengths, step: None, ..Self::NOTHING }
            }
        };
        facts.inhabited |= facts.plain || facts.nullable;
        facts
    }

    /// The least length from `from` on that texts are known to have.
    pub(super) fn length_from(&self, from: u64) -> Option<u64> {
        let Window { min, max } = self.lengths;
        if from <= min {
            return self.plain.then_some(min);
        }
        let length = match self.step? {
            0 => return None,
            step => min.checked_add((from - min).div_ceil(step).checked_mul(step)?)?,
        };
        max.is_none_or(|max| length <= max).then_some(length)
    }
}

fn concat(head: &Facts, tail: &Facts) -> Facts {
    let step = match (head.step, tail.step) {
        (Some(a), Some(b)) if a == b || b == 0 => Some(a),
        (Some(0), Some(b)) => Some(b),
        (Some(1), Some(b)) if is_wide(head.lengths, b) => Some(1),
        (Some(a), Some(1)) if is_wide(tail.lengths, a) => Some(1),
        _ => None,
    };
    Facts {
        nullable: head.nullable && tail.nullable,
        plain: head.plain && tail.plain,
        inhabited: head.inhabited && tail.inhabited,
        lengths: head.lengths.plus(tail.lengths),
        step,
        open: head.plain && tail.open,
        finish: head.finish.saturating_add(tail.lengths.min).max(tail.finish),
        counts: head.counts.max(tail.counts),
        always: head.always && tail.inhabited,
        absorbs: tail.absorbs,
        avoids: head.avoids.within(tail.avoids),
        needs: head.needs.with(tail.needs),
    }
}

/// Whether the window spans a whole step.
fn is_wide(window: Window, step: u64) -> bool {
    window.max.is_none_or(|max| max - window.min >= step.saturating_sub(1))
}

fn or(terms: &Terms, members: &[TermId]) -> Facts {
    let mut facts = Facts { open: true, ..*terms.facts(members[0]) };
    for &member in members {
        let member = terms.facts(member);
        facts.nullable |= member.nullable;
        facts.plain &= member.plain;
        facts.inhabited |= member.inhabited;
        facts.lengths = facts.lengths.hull(member.lengths);
        facts.open &= member.open;
        facts.finish = facts.finish.max(member.finish);
        facts.counts = facts.counts.max(member.counts);
        facts.always |= member.always;
        facts.absorbs &= member.absorbs;
        facts.avoids = facts.avoids.within(member.avoids);
        facts.needs = facts.needs.within(member.needs);
    }
    facts.step = or_step(terms, members);
    facts
}

/// The step of a union: 1 if the members without gaps touch and reach around all others, else the common one of
/// members with the same lengths.
fn or_step(terms: &Terms, members: &[TermId]) -> Option<u64> {
    let first = terms.facts(members[0]);
    let mut dense: Vec<Window> = Vec::new();
    let (mut same, mut hull) = (first.step, first.lengths);
    for &member in members {
        let facts = terms.facts(member);
        if facts.step != same || facts.lengths != first.lengths {
            same = None;
        }
        if facts.step.is_some_and(|step| step <= 1) {
            dense.push(facts.lengths);
        }
        hull = hull.hull(facts.lengths);
    }
    if same.is_some() {
        return same;
    }
    dense.sort_unstable();
    let mut union = *dense.first()?;
    for window in dense {
        if union.max.is_none_or(|max| window.min <= max.saturating_add(1)) {
            union = union.hull(window);
        }
    }
    (union == hull).then_some(1)
}

fn and(terms: &Terms, members: &[TermId]) -> Facts {
    let mut facts =
        Facts { nullable: true, plain: false, lengths: Window::EVERY, step: None, ..Facts::NOTHING };
    for &member in members {
        let member = terms.facts(member);
        facts.nullable &= member.nullable;
        facts.lengths = facts
            .lengths
            .intersection(member.lengths)
            .expect("an intersection without lengths is NOTHING before it is interned");
        facts.counts = facts.counts.max(member.counts);
        facts.avoids = facts.avoids.with(member.avoids);
        facts.needs = facts.needs.with(member.needs);
    }
    // After any text, the members that absorb can be completed one after the other, each stays matched; then the one that
    // does not.
    let stubborn = members.iter().filter(|&&member| !terms.facts(member).absorbs).count();
    facts.absorbs = stubborn == 0;
    facts.always = stubborn <= 1 && members.iter().all(|&member| terms.facts(member).always);
    facts.inhabited = facts.always || Parts::of(terms, members).is_some_and(|parts| parts.inhabited(terms));
    facts
}

fn not(of: &Facts) -> Facts {
    Facts {
        nullable: !of.nullable,
        plain: false,
        inhabited: of.lengths.max.is_some(),
        lengths: Window { min: u64::from(of.nullable), max: None },
        step: None,
        open: false,
        finish: 0,
        counts: of.counts,
        always: of.lengths.max.is_some(),
        absorbs: false,
        avoids: Used::NONE,
        needs: Used::NONE,
    }
}

fn repeat(body: &Facts, counts: Window) -> Facts {
    let lengths = body.lengths.times(counts);
    let step = match body.step {
        Some(0) if counts.fixed().is_some() => Some(0),
        Some(0) => Some(body.lengths.min),
        Some(1) if counts.multiples_touch(body.lengths) => Some(1),
        step if counts.fixed().is_some() => step,
        _ => None,
    };
    let one = body.length_from(1) == Some(1);
    let rest = counts.min.saturating_sub(1).saturating_mul(body.lengths.min);
    Facts {
        nullable: counts.min == 0 || body.nullable,
        plain: body.plain,
        inhabited: counts.min == 0 || body.inhabited,
        lengths,
        step,
        open: body.plain && counts.max.is_none() && one,
        finish: body.finish.saturating_add(rest).max(lengths.min),
        counts: body.counts.max(counts.min).max(counts.max.unwrap_or(0)),
        always: body.always && counts.max != Some(0),
        absorbs: false,
        avoids: body.avoids,
        needs: if counts.min > 0 { body.needs } else { Used::NONE },
    }
}

/// Any number of zeros may be added to a multiple, so lengths have no gaps. No remainder misses more than 20 digits:
/// every divisor is less than `10^20`.
fn multiple(read: Read) -> Facts {
    let min = match read {
        Read::Start | Read::Sign => 1,
        Read::Digits { missing, .. } => u64::from(missing),
    };
    Facts {
        nullable: min == 0,
        lengths: Window { min, max: None },
        step: Some(1),
        open: true,
        finish: 20,
        ..Facts::NOTHING
    }
}

/// An intersection of the one shape about which lengths say everything: one plain term, one complement of a language
/// without long texts, one length window. Absent parts stand for every text.
pub(super) struct Parts {
    pub(super) plain: TermId,
    pub(super) window: Window,
    pub(super) not: Option<TermId>,
}

impl Parts {
    /// The parts, if the members have that shape.
    pub(super) fn of(terms: &Terms, members: &[TermId]) -> Option<Parts> {
        let mut parts = Parts { plain: Terms::ALL, window: Window::EVERY, not: None };
        for &member in members {
            if let Some(window) = terms.as_window(member) {
                parts.window = parts.window.intersection(window)?;
            } else if let Kind::Not(of) = *terms.kind(member) {
                if parts.not.is_some() || terms.facts(of).lengths.max.is_none() {
                    return None;
                }
                parts.not = Some(member);
            } else if terms.facts(member).plain && parts.plain == Terms::ALL {
                parts.plain = member;
            } else {
                return None;
            }
        }
        Some(parts)
    }

    /// The least length from which on the complement has every text.
    pub(super) fn free_from(&self, terms: &Terms) -> u64 {
        match self.not.map(|not| terms.kind(not)) {
            Some(Kind::Not(of)) => {
                terms.facts(*of).lengths.max.map_or(u64::MAX, |longest| longest.saturating_add(1))
            }
            _ => 0,
        }
    }

    /// Whether lengths alone show that some text is in all parts.
    fn inhabited(&self, terms: &Terms) -> bool {
        let plain = terms.facts(self.plain);
        let from = self.free_from(terms).max(self.window.min);
        match plain.length_from(from) {
            Some(length) => self.window.has(length),
            None => plain.step.is_none() && plain.lengths.max.is_none() && self.window.max.is_none(),
        }
    }
}
