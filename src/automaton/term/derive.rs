//! Derivatives: what may follow a term's first code point, as a sorted list of ranges with a target each.
//!
//! The list of a term is overlaid from the lists of its parts, so the work is proportional to the ranges that really
//! differ and never to the number of code points. It is worked out once and then read without a lock; a term whose
//! list passes a limit says so each time.

use std::sync::atomic::Ordering;

use rustc_hash::FxHashMap;

use super::{Kind, Read, Terms, Window};
use crate::error::Exhausted;
use crate::index::TermId;
use crate::limits::{SUCCESSOR_RANGES_MAX, SUCCESSOR_STEPS_MAX};

/// The code points from `lo` to `hi` (inclusive) lead to `target`, which is not [`Terms::NOTHING`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Range {
    /// The first code point.
    pub lo: u32,
    /// The last code point.
    pub hi: u32,
    /// What the rest of the text must match.
    pub target: TermId,
}

/// A list of successors, or the sign that it passed its limit.
pub(super) type Successors = Result<List, TooMany>;

/// A list of successors.
pub(super) struct List {
    pub(super) ranges: Box<[Range]>,
    /// Steps that it took: its own, and those of the part that took most. So the steps along a chain of parts add up,
    /// and a long chain is refused however it is reached.
    pub(super) steps: usize,
}

/// A list of successors passed its limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct TooMany;

/// The scalar values.
const SCALARS: [(u32, u32); 2] = [(0, 0xD7FF), (0xE000, 0x10_FFFF)];

impl Terms {
    /// Where each code point leads: sorted disjoint ranges; neighbours have different targets. Code points in no range
    /// lead to [`Terms::NOTHING`]; surrogates are in none.
    ///
    /// The first call works the list out; later calls read it without a lock. A target other than `NOTHING` may still
    /// match no text: see [`Terms::is_nothing`].
    ///
    /// # Errors
    /// If the list has more than [`SUCCESSOR_RANGES_MAX`] ranges, or takes too long to work out.
    #[inline]
    pub fn successors(&self, term: TermId) -> Result<&[Range], Exhausted> {
        match self.list(term) {
            Ok(list) => Ok(&list.ranges),
            Err(TooMany) => Err(Exhausted {
                place: format!(
                    "the successors of a regular expression (at most {SUCCESSOR_RANGES_MAX} ranges of characters)"
                ),
            }),
        }
    }

    /// What the rest of a text must match after a code point: a binary search in [`Terms::successors`].
    ///
    /// # Errors
    /// As for [`Terms::successors`].
    #[inline]
    pub fn derive(&self, term: TermId, code_point: u32) -> Result<TermId, Exhausted> {
        let ranges = self.successors(term)?;
        let place = ranges.partition_point(|range| range.hi < code_point);
        Ok(ranges
            .get(place)
            .filter(|range| range.lo <= code_point)
            .map_or(Self::NOTHING, |range| range.target))
    }

    /// Whether a whole text is in the language.
    ///
    /// # Errors
    /// As for [`Terms::successors`].
    pub fn matches(&self, term: TermId, text: &str) -> Result<bool, Exhausted> {
        let mut at = term;
        for c in text.chars() {
            at = self.derive(at, u32::from(c))?;
        }
        Ok(self.nullable(at))
    }

    /// The list, from the table if it is there. Parts lie below in an acyclic graph, so no thread waits for itself.
    #[inline]
    pub(super) fn list(&self, term: TermId) -> Result<&List, TooMany> {
        let cell = &self.entry(term).successors;
        let list = match cell.get() {
            Some(list) => list,
            None => cell.get_or_init(|| {
                let found = stacker::maybe_grow(64 << 10, 1 << 20, || self.work_out(term));
                let bytes = found.as_ref().map_or(0, |list| size_of_val(&*list.ranges));
                self.listed.fetch_add(bytes, Ordering::Relaxed);
                found
            }),
        };
        list.as_ref().map_err(|&error| error)
    }

    fn work_out(&self, term: TermId) -> Successors {
        let mut steps = 0;
        let mut part = |part: TermId| -> Result<&[Range], TooMany> {
            let list = self.list(part)?;
            steps = steps.max(list.steps);
            Ok(&list.ranges)
        };
        let ranges = match self.kind(term) {
            Kind::Nothing | Kind::Empty => Vec::new(),
            Kind::All => to_all(&SCALARS, Self::ALL),
            Kind::Set(set) => to_all(self.set(*set).ranges(), Self::EMPTY),
            Kind::Concat(head, tail) => {
                let through = self.then(part(*head)?, *tail);
                if self.nullable(*head) {
                    let beside = part(*tail)?;
                    self.overlay_or(&[&through, beside], &mut steps)?
                } else {
                    through
                }
            }
            Kind::Or(members) => {
                let lists = members.iter().map(|&member| part(member)).collect::<Result<Vec<_>, _>>()?;
                self.overlay_or(&lists, &mut steps)?
            }
            Kind::And(members) => {
                let lists = members.iter().map(|&member| part(member)).collect::<Result<Vec<_>, _>>()?;
                self.overlay_and(&lists, &mut steps)?
            }
            Kind::Not(of) => self.complement(part(*of)?),
            Kind::Repeat { body, counts } => {
                let rest = counts.after_one().map_or(Self::NOTHING, |counts| self.repeat(*body, counts));
                self.then(part(*body)?, rest)
            }
            Kind::Multiple { of, read } => self.read_decimal(*of, *read),
            Kind::State { table, state } => self.read_state(*table, *state),
            Kind::FractionMultiple { of, places, read } => self.read_fraction(*of, *places, *read),
            Kind::Spelled { values, read } => match self.plain_spelled(*values, read) {
                Some(plain) => part(plain)?.to_vec(),
                None => self.read_spelled(*values, read),
            },
        };
        steps += ranges.len();
        if ranges.len() > SUCCESSOR_RANGES_MAX || steps > SUCCESSOR_STEPS_MAX {
            return Err(TooMany);
        }
        Ok(List { ranges: ranges.into_boxed_slice(), steps })
    }

    /// The list with `rest` after each target.
    fn then(&self, list: &[Range], rest: TermId) -> Vec<Range> {
        let mut out = Vec::with_capacity(list.len());
        let mut last = (Self::NOTHING, Self::NOTHING);
        for range in list {
            if last.0 != range.target {
                last = (range.target, self.concat(range.target, rest));
            }
            push(&mut out, range.lo, range.hi, last.1);
        }
        out
    }

    fn complement(&self, list: &[Range]) -> Vec<Range> {
        let mut out = Vec::with_capacity(2 * list.len() + 2);
        let mut left = list.iter().peekable();
        for (first, last) in SCALARS {
            let mut next = first;
            while let Some(range) = left.next_if(|range| range.hi <= last) {
                if next < range.lo {
                    push(&mut out, next, range.lo - 1, Self::ALL);
                }
                push(&mut out, range.lo, range.hi, self.not(range.target));
                next = range.hi + 1;
            }
            if next <= last {
                push(&mut out, next, last, Self::ALL);
            }
        }
        out
    }

    fn overlay_or(&self, lists: &[&[Range]], steps: &mut usize) -> Result<Vec<Range>, TooMany> {
        let mut known: FxHashMap<Vec<TermId>, TermId> = FxHashMap::default();
        overlay(lists, steps, |targets, steps| match *targets {
            [] => Self::NOTHING,
            [only] => only,
            _ => match known.get(targets) {
                Some(&target) => target,
                None => *known.entry(targets.to_vec()).or_insert_with(|| {
                    *steps += self.width(targets);
                    self.or(targets)
                }),
            },
        })
    }

    fn overlay_and(&self, lists: &[&[Range]], steps: &mut usize) -> Result<Vec<Range>, TooMany> {
        let mut known: FxHashMap<Vec<TermId>, TermId> = FxHashMap::default();
        overlay(lists, steps, |targets, steps| {
            if targets.len() < lists.len() {
                return Self::NOTHING;
            }
            match known.get(targets) {
                Some(&target) => target,
                None => *known.entry(targets.to_vec()).or_insert_with(|| {
                    *steps += self.width(targets);
                    self.and(targets)
                }),
            }
        })
    }

    /// Members to be joined, those of flat members included.
    fn width(&self, targets: &[TermId]) -> usize {
        let width = |&target: &TermId| match self.kind(target) {
            Kind::Or(members) | Kind::And(members) => members.len(),
            _ => 1,
        };
        targets.iter().map(width).sum()
    }

    fn read_decimal(&self, of: u64, read: Read) -> Vec<Range> {
        let mut out = Vec::with_capacity(12);
        let sign = u32::from('-');
        let point = u32::from('.');
        let zero = u32::from('0');
        match read {
            Read::Start => push(&mut out, sign, sign, self.multiple(of, Read::Sign)),
            Read::Digits { missing: 0, .. } => {
                let zeros = self.repeat(self.code_point(zero), Window { min: 1, max: None });
                push(&mut out, point, point, zeros);
            }
            Read::Sign | Read::Digits { .. } => {}
        }
        for digit in 0..10 {
            push(&mut out, zero + digit, zero + digit, self.multiple(of, after_digit(of, read, digit)));
        }
        out
    }
}

/// What has been read of a multiple of `of` after one more digit.
///
/// With `v` read, `k` more digits of value `x` make a multiple iff `x ≡ -v·10^k` modulo `of`; some number below `10^k`
/// does iff the least does. `v·10^k` modulo `of` depends on `v` modulo `of / gcd(of, 10^k)` only, and that divisor can
/// only shrink as `k` grows, so with `missing` the least `k`, `v` need be known modulo `of / gcd(of, 10^missing)` only.
/// For 60 that leaves 5 cases, not 60. One digit later one digit fewer is missing, or more are, and what is
/// known of `v` is enough again: `of / gcd(of, 10^(k-1))` divides `10 · of / gcd(of, 10^k)`.
fn after_digit(of: u64, read: Read, digit: u32) -> Read {
    let (before, mut missing) = match read {
        Read::Start | Read::Sign => (0, 0),
        Read::Digits { missing, remainder } => (remainder, missing.saturating_sub(1)),
    };
    let of = u128::from(of);
    let value = u128::from(before) * 10 + u128::from(digit);
    let mut power = 10_u128.pow(missing);
    let mut shifted = (0..missing).fold(value % of, |shifted, _| shifted * 10 % of);
    // At most 20 rounds: 10^20 exceeds every divisor.
    while (of - shifted) % of >= power {
        missing += 1;
        power *= 10;
        shifted = shifted * 10 % of;
    }
    let remainder = value % (of / greatest_common_divisor(of, power));
    Read::Digits {
        missing,
        remainder: u64::try_from(remainder).expect("a remainder is less than its divisor"),
    }
}

fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

fn to_all(ranges: &[(u32, u32)], target: TermId) -> Vec<Range> {
    ranges.iter().map(|&(lo, hi)| Range { lo, hi, target }).collect()
}

/// Appends a range that lies behind all others, to the last one if it continues that one.
pub(super) fn push(out: &mut Vec<Range>, lo: u32, hi: u32, target: TermId) {
    if target == Terms::NOTHING {
        return;
    }
    match out.last_mut() {
        Some(last) if last.target == target && last.hi + 1 == lo => last.hi = hi,
        _ => out.push(Range { lo, hi, target }),
    }
}

/// Cuts the code points where any list changes and joins the targets of each piece. `join` gets them sorted, one for
/// each list that has the piece, and counts its steps.
fn overlay(
    lists: &[&[Range]],
    steps: &mut usize,
    mut join: impl FnMut(&[TermId], &mut usize) -> TermId,
) -> Result<Vec<Range>, TooMany> {
    // At equal places, ends come before starts. An end lies one behind the last code point.
    let mut events: Vec<(u32, bool, TermId)> =
        Vec::with_capacity(2 * lists.iter().map(|list| list.len()).sum::<usize>());
    for range in lists.iter().copied().flatten() {
        events.push((range.lo, true, range.target));
        events.push((range.hi + 1, false, range.target));
    }
    events.sort_unstable();
    let mut out: Vec<Range> = Vec::new();
    let mut open: Vec<TermId> = Vec::new();
    let mut from = 0;
    for (at, starts, target) in events {
        if at > from {
            *steps += open.len();
            push(&mut out, from, at - 1, join(&open, steps));
            if *steps > SUCCESSOR_STEPS_MAX || out.len() > SUCCESSOR_RANGES_MAX {
                return Err(TooMany);
            }
            from = at;
        }
        match (open.binary_search(&target), starts) {
            (Ok(place) | Err(place), true) => open.insert(place, target),
            (Ok(place), false) => {
                open.remove(place);
            }
            (Err(_), false) => unreachable!("a range ends after it starts"),
        }
    }
    Ok(out)
}
