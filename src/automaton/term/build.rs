//! Smart constructors: each returns the normal form of an operation on terms.
//!
//! Normalisation is what keeps the number of derivatives small, so every rule here removes a way of writing the same
//! language twice. All rules are identities of languages; none looks further than the parts of its operands.
//!
//! * Unions and intersections are flat, sorted, without duplicates; sets and loops over sets inside them are merged.
//! * `∅`, `ε` and "every text" are absorbed; `!!r = r`; a term beside its complement is everything or nothing.
//! * Neighbouring loops over the same body are one loop, and so are loops of loops where the counts leave no gap.
//! * A length window meets the other parts of an intersection where lengths allow it (`window`).

use rustc_hash::FxHashMap;

use super::used::Used;
use super::{FractionRead, Kind, Read, SetId, SpelledRead, Terms, Window};
use crate::grammar::regex::CharSet;
use crate::grammar::values::{self, Step, Values};
use crate::index::TermId;

impl Terms {
    /// One code point of the set; [`Terms::NOTHING`] if the set is empty.
    #[must_use]
    pub fn one_of(&self, set: &CharSet) -> TermId {
        if set.is_empty() {
            return Self::NOTHING;
        }
        self.intern(&Kind::Set(SetId(self.sets.intern_ref(set, || set.clone()))))
    }

    /// One code point; [`Terms::NOTHING`] if it is a surrogate or no code point.
    #[must_use]
    pub fn code_point(&self, code_point: u32) -> TermId {
        self.one_of(&CharSet::from_ranges([(code_point, code_point)]))
    }

    /// One after the other.
    #[must_use]
    pub fn concat(&self, first: TermId, second: TermId) -> TermId {
        if first == Self::NOTHING || second == Self::NOTHING {
            return Self::NOTHING;
        }
        if second == Self::EMPTY {
            return first;
        }
        let mut heads = Vec::new();
        let mut rest = first;
        while let Kind::Concat(head, tail) = *self.kind(rest) {
            heads.push(head);
            rest = tail;
        }
        if rest != Self::EMPTY {
            heads.push(rest);
        }
        heads.into_iter().rev().fold(second, |tail, head| self.prepend(head, tail))
    }

    /// `head` before `tail`; the head is no `Concat` and neither is a constant that absorbs.
    fn prepend(&self, head: TermId, tail: TermId) -> TermId {
        let (next, rest) = match *self.kind(tail) {
            Kind::Concat(next, rest) => (next, rest),
            _ => (tail, Self::EMPTY),
        };
        match (self.as_loop(head), self.as_loop(next)) {
            (Some((body, a)), Some((other, b))) if body == other => {
                self.prepend_loop(self.repeat(body, a.plus(b)), rest)
            }
            (Some((body, counts)), _) if body == next => {
                self.prepend_loop(self.repeat(body, counts.plus(Window::exactly(1))), rest)
            }
            (_, Some((body, counts))) if body == head => {
                self.prepend_loop(self.repeat(body, counts.plus(Window::exactly(1))), rest)
            }
            _ => self.intern(&Kind::Concat(head, tail)),
        }
    }

    /// A loop merged from two neighbours, before what followed the second, which starts with no loop over that body.
    fn prepend_loop(&self, merged: TermId, rest: TermId) -> TermId {
        if rest == Self::EMPTY { merged } else { self.intern(&Kind::Concat(merged, rest)) }
    }

    /// The body and counts, if the term is a loop; every text is a loop over any code point.
    pub(super) fn as_loop(&self, term: TermId) -> Option<(TermId, Window)> {
        match *self.kind(term) {
            Kind::All => Some((Self::ANY, Window::EVERY)),
            Kind::Repeat { body, counts } => Some((body, counts)),
            _ => None,
        }
    }

    /// The window, if the term says something about lengths only.
    pub(super) fn as_window(&self, term: TermId) -> Option<Window> {
        if term == Self::ANY {
            return Some(Window::exactly(1));
        }
        self.as_loop(term).filter(|&(body, _)| body == Self::ANY).map(|(_, counts)| counts)
    }

    /// So many times.
    #[must_use]
    pub fn repeat(&self, body: TermId, counts: Window) -> TermId {
        if counts.max == Some(0) || body == Self::EMPTY {
            return Self::EMPTY;
        }
        if body == Self::NOTHING {
            return if counts.min == 0 { Self::EMPTY } else { Self::NOTHING };
        }
        if let Some((inner, inner_counts)) = self.as_loop(body)
            && counts.multiples_touch(inner_counts)
        {
            return self.repeat_once(inner, inner_counts.times(counts));
        }
        self.repeat_once(body, counts)
    }

    /// `repeat` of a body that is no constant, and whose loops are merged already.
    fn repeat_once(&self, body: TermId, mut counts: Window) -> TermId {
        if self.nullable(body) {
            counts.min = 0;
            // `(r{0,1}){0,n}`, with a gapless body, has been merged by the caller; what is left needs no bound of 1.
            if counts.max == Some(1) {
                return body;
            }
        }
        if counts == Window::exactly(1) {
            return body;
        }
        if body == Self::ANY && counts == Window::EVERY {
            return Self::ALL;
        }
        self.intern(&Kind::Repeat { body, counts })
    }

    /// Every text that is not in it.
    #[must_use]
    pub fn not(&self, term: TermId) -> TermId {
        match self.kind(term) {
            Kind::Nothing => return Self::ALL,
            Kind::All => return Self::NOTHING,
            Kind::Not(of) => return *of,
            Kind::Or(members) if members.iter().all(|&member| self.as_window(member).is_some()) => {
                return self.and(&members.iter().map(|&member| self.not(member)).collect::<Vec<_>>());
            }
            _ => {}
        }
        let window = if term == Self::EMPTY { Some(Window::exactly(0)) } else { self.as_window(term) };
        let Some(Window { min, max }) = window else { return self.intern(&Kind::Not(term)) };
        let below = min.checked_sub(1).map_or(Self::NOTHING, |max| self.length(0, Some(max)));
        let above =
            max.and_then(|max| max.checked_add(1)).map_or(Self::NOTHING, |min| self.length(min, None));
        self.or(&[below, above])
    }

    /// In at least one; of no members: [`Terms::NOTHING`].
    #[must_use]
    pub fn or(&self, members: &[TermId]) -> TermId {
        match *members {
            [] => return Self::NOTHING,
            [only] => return only,
            [a, b] if a == b || b == Self::NOTHING => return a,
            [Self::NOTHING, b] => return b,
            _ => {}
        }
        let mut union = Union::default();
        for &member in members {
            self.unite(&mut union, member);
        }
        self.finish_or(union)
    }

    /// Adds a member, taken apart as far as the normal form asks.
    fn unite(&self, union: &mut Union, member: TermId) {
        match self.kind(member) {
            Kind::Nothing => {}
            Kind::Empty => union.empty = true,
            Kind::All => union.all = true,
            Kind::Or(inner) => inner.iter().for_each(|&member| self.unite_flat(union, member)),
            Kind::Repeat { body, counts } if *counts == (Window { min: 0, max: Some(1) }) => {
                union.empty = true;
                match self.kind(*body) {
                    Kind::Or(inner) => inner.iter().for_each(|&member| self.unite_flat(union, member)),
                    _ => self.unite_flat(union, *body),
                }
            }
            _ => self.unite_flat(union, member),
        }
    }

    fn unite_flat(&self, union: &mut Union, member: TermId) {
        match *self.kind(member) {
            Kind::Set(set) => union.sets.push(set),
            Kind::Not(of) => union.nots.push(of),
            _ => union.others.push(member),
        }
    }

    fn finish_or(&self, union: Union) -> TermId {
        let Union { all, mut empty, sets, mut nots, others: mut members } = union;
        if all {
            return Self::ALL;
        }
        nots.sort_unstable();
        nots.dedup();
        if nots.len() > 1 {
            members.push(self.not(self.and(&nots)));
            members.extend(sets.iter().map(|&set| self.intern(&Kind::Set(set))));
            members.push(if empty { Self::EMPTY } else { Self::NOTHING });
            return self.or(&members);
        }
        if let Some(set) = self.united(&sets) {
            members.push(set);
        }
        members.sort_unstable();
        members.dedup();
        if let Some(&of) = nots.first() {
            if self.covers_complement(&members, of) {
                return Self::ALL;
            }
            members.push(self.intern(&Kind::Not(of)));
        }
        if members.len() > 1 || empty {
            self.merge_heads(&mut members);
            self.merge_loops(&mut members, &mut empty);
            members.sort_unstable();
            members.dedup();
        }
        if members.contains(&Self::ALL) {
            return Self::ALL;
        }
        empty = empty && !members.iter().any(|&member| self.nullable(member));
        let some = match *members {
            [] => Self::NOTHING,
            [only] => only,
            _ => self.intern(&Kind::Or(members.into_boxed_slice())),
        };
        if empty { self.repeat(some, Window { min: 0, max: Some(1) }) } else { some }
    }

    /// Whether the complement of `of` and the members together have every text, as far as is plain to see.
    fn covers_complement(&self, members: &[TermId], of: TermId) -> bool {
        match self.kind(of) {
            Kind::And(inner) => inner.iter().any(|member| members.binary_search(member).is_ok()),
            _ => members.binary_search(&of).is_ok(),
        }
    }

    fn united(&self, sets: &[SetId]) -> Option<TermId> {
        match *sets {
            [] => None,
            [only] => Some(self.intern(&Kind::Set(only))),
            _ => Some(self.one_of(&CharSet::from_ranges(
                sets.iter().flat_map(|&set| self.set(set).ranges().iter().copied()),
            ))),
        }
    }

    /// `a·x | b·x = [ab]·x` for sets `a` and `b`.
    fn merge_heads(&self, members: &mut Vec<TermId>) {
        let split = |member: TermId| match *self.kind(member) {
            Kind::Concat(head, tail) => match *self.kind(head) {
                Kind::Set(set) => Some((set, tail)),
                _ => None,
            },
            _ => None,
        };
        let mut heads: FxHashMap<TermId, Vec<SetId>> = FxHashMap::default();
        for (set, tail) in members.iter().filter_map(|&member| split(member)) {
            heads.entry(tail).or_default().push(set);
        }
        if heads.values().all(|sets| sets.len() == 1) {
            return;
        }
        let shared = |member: TermId| split(member).filter(|(_, tail)| heads[tail].len() > 1);
        let mut merged: Vec<TermId> = Vec::new();
        members.retain(|&member| match shared(member) {
            Some((_, tail)) => {
                merged.push(tail);
                false
            }
            None => true,
        });
        merged.sort_unstable();
        merged.dedup();
        for tail in merged {
            let head = self.united(&heads[&tail]).expect("two sets at least share the tail");
            members.push(self.concat(head, tail));
        }
    }

    /// `r{a,b}·x | r{c,d}·x = r{a,d}·x` where the counts leave no gap; `x` alone counts as `r{0,0}·x`, and `s·x` as
    /// `s{1,1}·x` for a set `s`.
    fn merge_loops(&self, members: &mut Vec<TermId>, empty: &mut bool) {
        let split = |member: TermId| {
            let (head, tail) = match *self.kind(member) {
                Kind::Concat(head, tail) => (head, tail),
                _ => (member, Self::EMPTY),
            };
            self.as_loop(head).map(|(body, counts)| (body, tail, counts))
        };
        let mut loops: Vec<(TermId, TermId, Window)> =
            members.iter().filter_map(|&member| split(member)).collect();
        if loops.is_empty() {
            return;
        }
        members.retain(|&member| split(member).is_none());
        loops.sort_unstable();
        let mut merged: Vec<(TermId, TermId, Window)> = Vec::new();
        for (body, tail, counts) in loops {
            match merged.last_mut() {
                Some((b, t, last)) if *b == body && *t == tail && touch(*last, counts) => {
                    *last = last.hull(counts);
                }
                _ => merged.push((body, tail, counts)),
            }
        }
        for (body, tail, mut counts) in merged {
            if counts.min <= 2 && matches!(self.kind(body), Kind::Set(_)) {
                let once = self.concat(body, tail);
                let before = members.len();
                members.retain(|&member| member != once);
                if members.len() < before {
                    counts.min = counts.min.min(1);
                }
            }
            if counts.min <= 1 {
                let before = members.len();
                members.retain(|&member| member != tail);
                if members.len() < before || (tail == Self::EMPTY && *empty) {
                    counts.min = 0;
                }
            }
            members.push(self.concat(self.repeat(body, counts), tail));
        }
    }

    /// In all; of no members: [`Terms::ALL`].
    #[must_use]
    pub fn and(&self, members: &[TermId]) -> TermId {
        match *members {
            [] => return Self::ALL,
            [only] => return only,
            [a, b] if a == b || b == Self::ALL => return a,
            [Self::ALL, b] => return b,
            _ => {}
        }
        let mut meet =
            Meet { empty: false, charset: Self::ANY, lengths: Window::EVERY, nots: vec![], others: vec![] };
        for &member in members {
            let flat = match self.kind(member) {
                Kind::And(inner) => inner,
                _ => std::slice::from_ref(&member),
            };
            for &member in flat {
                if !self.meet_flat(&mut meet, member) {
                    return Self::NOTHING;
                }
            }
        }
        self.finish_and(meet)
    }

    /// Adds a member that is no `And`. False: nothing is in all of them.
    fn meet_flat(&self, meet: &mut Meet, member: TermId) -> bool {
        let (set, counts) = match *self.kind(member) {
            Kind::Nothing => return false,
            Kind::Empty => {
                meet.empty = true;
                return true;
            }
            Kind::Not(of) => {
                meet.nots.push(of);
                return true;
            }
            Kind::All => (Self::ANY, Window::EVERY),
            Kind::Set(_) => (member, Window::exactly(1)),
            Kind::Repeat { body, counts } if matches!(self.kind(body), Kind::Set(_)) => (body, counts),
            _ => {
                meet.others.push(member);
                return true;
            }
        };
        let Some(lengths) = meet.lengths.intersection(counts) else { return false };
        meet.lengths = lengths;
        if set != Self::ANY {
            meet.charset = if meet.charset == Self::ANY { set } else { self.common_set(meet.charset, set) };
        }
        true
    }

    fn common_set(&self, a: TermId, b: TermId) -> TermId {
        match (self.kind(a), self.kind(b)) {
            (Kind::Set(a), Kind::Set(b)) => self.one_of(&self.set(*a).intersection(self.set(*b))),
            _ => Self::NOTHING,
        }
    }

    fn finish_and(&self, meet: Meet) -> TermId {
        let Meet { empty, charset, lengths, mut nots, others: mut members } = meet;
        if charset == Self::NOTHING || empty {
            // Only the empty text is left: either two sets are disjoint or it was asked for.
            let all = lengths.has(0)
                && members.iter().all(|&member| self.nullable(member))
                && !nots.iter().any(|&of| self.nullable(of));
            return if all { Self::EMPTY } else { Self::NOTHING };
        }
        if charset != Self::ANY {
            members.push(self.repeat(charset, Window::EVERY));
        }
        self.join_multiples(&mut members);
        if !self.join_spelled(&mut members, &mut nots) {
            return Self::NOTHING;
        }
        nots.sort_unstable();
        nots.dedup();
        if nots.len() > 1 {
            members.push(self.not(self.or(&nots)));
            members.push(self.any_of(lengths));
            return self.and(&members);
        }
        members.sort_unstable();
        members.dedup();
        if self.excludes_itself(&members) {
            return Self::NOTHING;
        }
        if let Some(&of) = nots.first() {
            if self.meets_complement(&members, of) {
                return Self::NOTHING;
            }
            let place = self.intern(&Kind::Not(of));
            members.push(place);
        }
        self.apply_window(members, lengths)
    }

    /// Whether one member needs a character that another never has.
    fn excludes_itself(&self, members: &[TermId]) -> bool {
        let (mut needs, mut avoids) = (Used::NONE, Used::NONE);
        for &member in members {
            let facts = self.facts(member);
            (needs, avoids) = (needs.with(facts.needs), avoids.with(facts.avoids));
        }
        !needs.within(avoids).is_none()
    }

    /// Multiples of several numbers are the multiples of their least common multiple, as far as that can be counted.
    fn join_multiples(&self, members: &mut Vec<TermId>) {
        let mut joined: Option<Step> = None;
        members.retain(|&member| {
            let step = match *self.kind(member) {
                Kind::Multiple { of, read: Read::Start } => Step { of: of.into(), places: 0 },
                Kind::FractionMultiple { of, places, read: FractionRead::Start } => {
                    Step { of: of.into(), places }
                }
                _ => return true,
            };
            let both = joined.map_or(Some(step), |other| other.common_multiple(step));
            let both = both.filter(|step| u64::try_from(step.of).is_ok());
            joined = both.or(joined);
            both.is_none()
        });
        members.extend(joined.and_then(|step| {
            let of = u64::try_from(step.of).ok()?;
            Some(match step.places {
                0 => self.multiple(of, Read::Start),
                _ => self.fraction_multiple(of, step.places, FractionRead::Start),
            })
        }));
    }

    /// Sets of values whose spellings are in all, and not in the complements, are one set or a few, where their descriptions can be
    /// joined. False: there are none.
    fn join_spelled(&self, members: &mut Vec<TermId>, nots: &mut Vec<TermId>) -> bool {
        let mut joined: Option<Vec<Values>> = None;
        members.retain(|&member| {
            let Some(found) = self.sets_of_values(member) else { return true };
            let both = match &joined {
                Some(joined) => values::product(joined, &found),
                None => Some(found),
            };
            let kept = both.is_none();
            joined = both.or(joined.take());
            kept
        });
        let Some(mut joined) = joined else { return true };
        nots.retain(|&of| {
            let Some(found) = self.sets_of_values(of) else { return true };
            // The complement of what one notation spells has the other spellings of the same values.
            let widest = joined.iter().map(|values| values.notation).max();
            if found.iter().any(|values| Some(values.notation) < widest) {
                return true;
            }
            let mut left = Some(joined.clone());
            for values in found {
                left = left.and_then(|left| values::product(&left, &values.opposite()));
            }
            let kept = left.is_none();
            if let Some(left) = left {
                joined = left;
            }
            kept
        });
        let sets: Vec<TermId> = joined.iter().map(|values| self.spelled(values)).collect();
        let any = self.or(&sets);
        members.push(any);
        any != Self::NOTHING
    }

    /// The sets of values of which the term has all spellings, if it is such a term.
    pub(super) fn sets_of_values(&self, term: TermId) -> Option<Vec<Values>> {
        let set = |term: TermId| match self.kind(term) {
            Kind::Spelled { values, read } if **read == SpelledRead::Start => {
                Some(self.values(*values).clone())
            }
            _ => None,
        };
        match self.kind(term) {
            Kind::Or(members) => members.iter().map(|&member| set(member)).collect(),
            _ => set(term).map(|values| vec![values]),
        }
    }

    /// Whether a member is a part of what the complement leaves out, as far as is plain to see.
    fn meets_complement(&self, members: &[TermId], of: TermId) -> bool {
        match self.kind(of) {
            Kind::Or(inner) => inner.iter().any(|member| members.binary_search(member).is_ok()),
            _ => members.binary_search(&of).is_ok(),
        }
    }

    /// Members without a length window, and the window: drops or loosens it where lengths say the same already, or
    /// cuts a member to it.
    fn apply_window(&self, mut members: Vec<TermId>, window: Window) -> TermId {
        let mut bounds = Window::EVERY;
        for &member in &members {
            match bounds.intersection(self.lengths(member)) {
                Some(both) => bounds = both,
                None => return Self::NOTHING,
            }
        }
        if bounds.intersection(window).is_none() {
            return Self::NOTHING;
        }
        let needed = Window {
            min: if window.min <= bounds.min { 0 } else { window.min },
            max: window.max.filter(|&max| bounds.max.is_none_or(|bound| bound > max)),
        };
        if needed != Window::EVERY {
            // One term takes the window over. Beside others it stays apart: lengths are then decided on their own.
            if let [only] = *members
                && let Some(cut) = self.cut(only, needed)
            {
                return cut;
            }
            members.push(self.any_of(needed));
        }
        members.sort_unstable();
        members.dedup();
        match *members {
            [] => Self::ALL,
            [only] => only,
            _ => self.intern(&Kind::And(members.into_boxed_slice())),
        }
    }

    /// The decimal spellings of the multiples of `of`, which is at least 1, from what has been read on.
    pub(super) fn multiple(&self, of: u64, read: Read) -> TermId {
        debug_assert!(of > 0, "multiples of zero are spelled out by the caller");
        self.intern(&Kind::Multiple { of, read })
    }
}

/// Whether there is no number between two windows of which the first starts no later.
fn touch(first: Window, second: Window) -> bool {
    first.max.is_none_or(|max| second.min <= max.saturating_add(1))
}

/// The members of a union, sorted by what can be merged.
#[derive(Default)]
struct Union {
    all: bool,
    empty: bool,
    sets: Vec<SetId>,
    nots: Vec<TermId>,
    others: Vec<TermId>,
}

/// The members of an intersection: loops over sets are one set and one window.
struct Meet {
    empty: bool,
    /// A `Set`, or `NOTHING` if sets had no common member.
    charset: TermId,
    lengths: Window,
    nots: Vec<TermId>,
    others: Vec<TermId>,
}
