//! Whether the beginning of a number's spelling goes on: by arithmetic on the values that it may have.
//!
//! An exponent can move the point anywhere (its digits reach further than those of a mantissa and of a bound together); without one,
//! digits before the point move it, as long as there is room for them. So a beginning goes on iff, for some power of ten that can be
//! reached, a value of the set starts with the digits read. Between the powers of the bounds any digits do, and the greatest power leaves most
//! room for a multiple; at those of the bounds themselves the next digits lie between the bound's remaining ones. What is left is whether an
//! interval of digits has a multiple: one division.
//!
//! **Divisors that must not divide.** The candidates are the multiples in such an interval, one after the other. A divisor either divides
//! all of them or every c-th, for some c from 2 on: with n such divisors, 2^n candidates in a row have one that none divides (Kanold), and
//! in fact few have: so some are tried. Only where too many powers of ten are to be looked at it is not known; then the usual search decides.

use super::Terms;
use super::spelled::{
    Compared, Mantissa, Place, SpelledRead, ValuesId, exponents, signed, tens_missing, without_tens,
};
use crate::grammar::number::Bound;
use crate::grammar::values::{Edge, Notation, Span, Step, Values, shifted, with_digit};
use crate::index::widen;

/// Whether some spelling goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Live {
    Yes,
    No,
    Unknown,
}

/// Digits that leave every remainder of every divisor.
const DIVISOR_DIGITS: u32 = 38;

/// As many factors of two or five as a divisor has at most.
const FACTORS_MAX: i32 = 124;

/// So many powers of ten are tried one by one.
const POWERS_TRIED_MAX: i32 = 60;

/// So many multiples are tried for each.
const MULTIPLES_TRIED_MAX: usize = 512;

/// A tenth of [`FAR`].
const FAR_TENTH: i128 = 10_i128.pow(37);

/// Differences of digits beyond this are not told apart; no divisor is as great.
const FAR: u128 = 10_u128.pow(38);

/// Whether a value goes on from what has been read.
pub(super) fn live(values: &Values, read: &SpelledRead) -> Live {
    match read {
        SpelledRead::Start => {
            let side = |negative| goes_on(values, &Mantissa::start(values, negative));
            side(false).or_else(|| side(true))
        }
        SpelledRead::Mantissa(m) => goes_on(values, m),
        SpelledRead::Mark { .. } => Live::Yes,
        SpelledRead::Power(power) => Live::of(power.goes_on()),
    }
}

impl Live {
    fn of(live: bool) -> Self {
        if live { Self::Yes } else { Self::No }
    }

    /// One that goes on is enough.
    fn or_else(self, other: impl FnOnce() -> Self) -> Self {
        match self {
            Self::Yes => Self::Yes,
            Self::No => other(),
            Self::Unknown => match other() {
                Self::Yes => Self::Yes,
                _ => Self::Unknown,
            },
        }
    }

    /// The first digits other than zero that may follow.
    fn of_first_digits(values: &Values, from: &Mantissa) -> Self {
        (1..10).fold(Self::No, |found, digit| {
            found.or_else(|| from.digit(values, digit).map_or(Self::No, |first| goes_on(values, &first)))
        })
    }
}

/// Whether a value starts with the digits read, whatever its power of ten.
fn goes_on(values: &Values, m: &Mantissa) -> Live {
    if !m.begun && values.zero {
        return Live::Yes;
    }
    let Some(span) = m.span(values) else { return Live::No };
    match (m.begun, values.notation) {
        (true, _) if values.not_multiple_of.is_empty() => Live::of(within(values, span, m)),
        (true, _) => goes_on_without(values, span, m),
        (false, Notation::Exponent) => {
            // At the place that leaves most digits.
            let place = if m.place == Place::Sign { Place::Sign } else { Place::Behind };
            Live::of_first_digits(values, &Mantissa { place, ..m.clone() })
        }
        (false, _) => starts(values, span, m),
    }
}

/// Before the first digit other than zero, where no exponent moves the point.
fn starts(values: &Values, span: &Span, m: &Mantissa) -> Live {
    let whole = match m.place {
        Place::Sign => Live::of_first_digits(values, m),
        _ => Live::No,
    };
    // Behind the point, behind so many zeros.
    let left = m.left.saturating_sub(u32::from(m.place == Place::Sign));
    if whole == Live::Yes || values.notation == Notation::Digits || left == 0 {
        return whole;
    }
    let reach = Reach { least: m.point - signed(left) + 1, greatest: m.point };
    let behind = |power: i32| {
        let zeros = count(m.point - power);
        Mantissa { place: Place::Behind, left: left - zeros, point: power, ..m.clone() }
    };
    let (powers, all) = powers_to_try(values, span, reach, reach.greatest);
    let tried = powers
        .into_iter()
        .fold(whole, |found, (power, _)| found.or_else(|| Live::of_first_digits(values, &behind(power))));
    if tried == Live::No && !all { Live::Unknown } else { tried }
}

/// The powers of ten that a value can have.
#[derive(Clone, Copy)]
struct Reach {
    least: i32,
    greatest: i32,
}

impl Mantissa {
    /// The powers of ten within reach, once significant digits have been read. Beyond the greatest, none leaves more room.
    fn reach(&self, values: &Values, span: &Span) -> Reach {
        match (values.notation, self.place) {
            (Notation::Exponent, _) => {
                let far = signed(self.significant() + self.left) + FACTORS_MAX;
                let low = span.low.as_ref().map_or(far, |low| low.point + 1);
                let high = span.high.as_ref().map_or(far, |high| high.point);
                Reach { least: i32::MIN / 4, greatest: far.max(low).max(high) }
            }
            (_, Place::Whole) => Reach { least: self.point, greatest: self.point + signed(self.left) },
            _ => Reach { least: self.point, greatest: self.point },
        }
    }

    /// So many digits can be written where the value has a power of ten.
    fn writable(&self, values: &Values, power: i32) -> u32 {
        match values.notation {
            Notation::Digits => count(power - self.point).min(self.left),
            _ => self.left,
        }
    }
}

/// The powers of ten that matter: the greatest between the bounds, and those of the bounds.
fn powers(span: &Span, reach: Reach) -> impl Iterator<Item = (i32, Sides)> + use<> {
    let low = span.low.as_ref().map(|edge| edge.point);
    let high = span.high.as_ref().map(|edge| edge.point);
    let greatest = high.map_or(reach.greatest, |high| reach.greatest.min(high - 1));
    let least = low.map_or(reach.least, |low| reach.least.max(low + 1));
    let inner = (least <= greatest).then_some((greatest, Sides { low: false, high: false }));
    let at_high = high
        .filter(|&high| low.is_none_or(|low| low <= high))
        .map(|high| (high, Sides { low: low == Some(high), high: true }));
    let at_low = low
        .filter(|&low| high.is_none_or(|high| low < high))
        .map(|low| (low, Sides { low: true, high: false }));
    let reached = move |power: i32| reach.least <= power && power <= reach.greatest;
    inner.into_iter().chain(at_high.into_iter().chain(at_low).filter(move |&(power, _)| reached(power)))
}

/// Those first, and then others between the bounds where the greatest without a value does not say that there is none; and whether these
/// are all. From `finest` down the last digit that can be written tells all multiples apart, so that power is the first.
fn powers_to_try(values: &Values, span: &Span, reach: Reach, finest: i32) -> (Vec<(i32, Sides)>, bool) {
    if values.not_multiple_of.is_empty() {
        return (powers(span, reach).collect(), true);
    }
    let greatest = span.high.as_ref().map_or(reach.greatest, |high| reach.greatest.min(high.point - 1));
    // No multiple above zero is below the step itself.
    let low = span.low.as_ref().map(|low| low.point + 1).max(values.multiple_of.map(Step::point));
    let least = low.map_or(reach.least, |low| reach.least.max(low));
    let none = Sides { low: false, high: false };
    let mut found: Vec<(i32, Sides)> = Vec::new();
    found.extend((least <= finest && finest < greatest).then_some((finest, none)));
    found.extend(powers(span, reach));
    let all = greatest.saturating_sub(least) <= POWERS_TRIED_MAX;
    if all {
        found.extend((least..greatest).rev().map(|power| (power, none)));
    }
    (found, all)
}

/// So many digits behind the point tell all values apart that the divisors do.
fn places_told_apart(values: &Values) -> i32 {
    match values.multiple_of {
        Some(step) => signed(step.places),
        None => values.not_multiple_of.iter().map(|step| signed(step.places) + 1).max().unwrap_or(0),
    }
}

/// So many digits have a multiple that the others do not divide.
fn digits_needed(values: &Values) -> u32 {
    let others = count_of(&values.not_multiple_of) / 3 + 1;
    if values.multiple_of.is_some() { DIVISOR_DIGITS + others } else { others }
}

/// Whether a value within the bounds, and a multiple, starts with the digits read.
fn within(values: &Values, span: &Span, m: &Mantissa) -> bool {
    powers(span, m.reach(values, span)).any(|(power, sides)| {
        let digits = m.writable(values, power);
        match values.multiple_of {
            None => sides.is_none() || between(span, m, sides, digits).is_some(),
            Some(step) => {
                // Digits that may be anything have every remainder.
                let room = count(power + signed(step.places) - signed(m.significant())).min(digits);
                (sides.is_none() && room >= DIVISOR_DIGITS)
                    || multiples(span, m, step, sides, (power, digits)).is_some()
            }
        }
    })
}

/// The further digits that make a multiple at a power of ten, so many at most: those within the bounds, the distance of the first from
/// the least of them, and from one to the next.
fn multiples(
    span: &Span,
    m: &Mantissa,
    step: Step,
    sides: Sides,
    (power, writable): (i32, u32),
) -> Option<(Between, u128, u128)> {
    // In units of the last place, a value has so many digits.
    let len = power + signed(step.places);
    let room = len - signed(m.significant());
    if room < 0 {
        // Zeros at the end stand behind the last place.
        let zeros = signed(m.zeros) + room;
        let is_multiple = tens_missing(m.core, step.of).is_some_and(|needed| needed <= zeros);
        let found = between(span, m, sides, 0).filter(|_| zeros >= 0 && is_multiple)?;
        return Some((found, 0, 1));
    }
    let digits = count(room).min(writable);
    let of = without_tens(step.of, room - signed(digits));
    let found = between(span, m, sides, digits)?;
    let first = found.first_multiple(shifted(m.core, m.zeros, of), of)?;
    Some((found, first, of))
}

/// Whether a value starts with the digits read that others must not divide.
fn goes_on_without(values: &Values, span: &Span, m: &Mantissa) -> Live {
    if !within(values, span, m) {
        return Live::No;
    }
    let ends = |m: &Mantissa| exponents(values, m).is_some();
    let behind = Mantissa { place: Place::Behind, ..m.clone() };
    let may_be_behind = values.notation > Notation::Digits;
    let next = if may_be_behind { &behind } else { m };
    if ends(m) || (1..10).filter_map(|digit| next.digit(values, digit)).any(|next| ends(&next)) {
        return Live::Yes;
    }
    if m.left == 0 && values.notation == Notation::Exponent {
        return Live::No;
    }
    let finest = signed(m.significant() + m.left) - places_told_apart(values);
    let (powers, all) = powers_to_try(values, span, m.reach(values, span), finest);
    let tried =
        powers.into_iter().fold(Live::No, |found, at| found.or_else(|| has_undivided(values, span, m, at)));
    if tried == Live::No && !all { Live::Unknown } else { tried }
}

/// The same at one power of ten.
fn has_undivided(values: &Values, span: &Span, m: &Mantissa, (power, sides): (i32, Sides)) -> Live {
    let writable = m.writable(values, power);
    let places = places_told_apart(values);
    let room = count(power + places - signed(m.significant()));
    if sides.is_none() && room <= writable && room >= digits_needed(values) {
        return Live::Yes;
    }
    let candidates = match values.multiple_of {
        Some(step) => multiples(span, m, step, sides, (power, writable)),
        // All digits that can be written.
        None => between(span, m, sides, writable).map(|found| (found, 0, 1)),
    };
    let Some((found, mut first, of)) = candidates else { return Live::No };
    let most = found.distance();
    let unit = power - signed(m.significant()) - signed(count_of(&found.least));
    let others = || m.others.iter().zip(&values.not_multiple_of);
    for tried in 0..MULTIPLES_TRIED_MAX {
        let digits = found.with(first);
        let divides = |(&core, step): (&u128, &Step)| is_divided(core, m.zeros, &digits, unit, *step);
        if !others().any(divides) {
            return Live::Yes;
        }
        // What divides one of them and the distance divides all.
        let divides_distance =
            |step: &Step| tens_missing(of, step.of).is_some_and(|n| n <= unit + signed(step.places));
        if tried == 0 && others().any(|(core, step)| divides((core, step)) && divides_distance(step)) {
            return Live::No;
        }
        match first.checked_add(of) {
            Some(next) if next <= most => first = next,
            _ if most < FAR => return Live::No,
            _ => return Live::Unknown,
        }
    }
    Live::Unknown
}

/// Whether a step divides digits in some unit: those that leave `core`, zeros, and these.
fn is_divided(core: u128, zeros: u32, digits: &[u8], unit: i32, step: Step) -> bool {
    let (mut core, mut zeros) = (core, zeros);
    for &digit in digits {
        if digit == 0 {
            zeros += 1;
        } else {
            core = with_digit(shifted(core, zeros, step.of), u32::from(digit), step.of);
            zeros = 0;
        }
    }
    tens_missing(core, step.of).is_some_and(|needed| needed <= signed(zeros) + unit + signed(step.places))
}

impl Terms {
    /// Whether any so many digits may follow, and some spelling goes on after them: see [`Terms::digits_go_on`].
    pub(super) fn spelled_digits_go_on(&self, id: ValuesId, read: &SpelledRead, digits: u32) -> bool {
        let (values, SpelledRead::Mantissa(m)) = (self.values(id), read) else { return false };
        let Some(span) = m.span(values) else { return false };
        let others = count_of(&values.not_multiple_of);
        let simple = values.notation == Notation::Exponent && others == 0;
        let judged_apart = values.notation == Notation::Digits && values.multiple_of.is_none();
        if matches!(m.place, Place::Sign | Place::Zero) || !(m.begun || simple) || judged_apart {
            return false;
        }
        let places = places_told_apart(values);
        let reach = m.reach(values, span);
        let mut power = span.high.as_ref().map_or(reach.greatest, |high| reach.greatest.min(high.point - 1));
        if others > 0 {
            power = power.min(signed(m.significant() + m.left) - places);
        }
        let is_whole = m.place == Place::Whole && values.notation != Notation::Exponent;
        let least = if is_whole { m.point + signed(digits) } else { reach.least };
        if power < least || span.low.as_ref().is_some_and(|low| power <= low.point) {
            return false;
        }
        let room = match values.multiple_of {
            Some(step) => count(power + signed(step.places) - signed(m.significant())),
            None => m.left,
        };
        room.min(m.writable(values, power)) >= digits + digits_needed(values)
    }
}

fn count_of<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).unwrap_or(u32::MAX)
}

/// A number of digits; none below zero.
fn count(digits: i32) -> u32 {
    u32::try_from(digits).unwrap_or(0)
}

/// Which bounds matter at a power of ten: those that have it.
#[derive(Clone, Copy)]
pub(super) struct Sides {
    pub(super) low: bool,
    pub(super) high: bool,
}

impl Sides {
    fn is_none(self) -> bool {
        !self.low && !self.high
    }
}

/// Digits that may come next, so many on both sides: from the least to the greatest.
pub(super) struct Between {
    least: Vec<u8>,
    greatest: Vec<u8>,
}

/// What so many further digits may be, so that the significant digits are within the bounds; `None` if no digits are.
pub(super) fn between(span: &Span, m: &Mantissa, sides: Sides, digits: u32) -> Option<Between> {
    let digits = widen(digits);
    let rest = |edge: &Edge, place: usize| {
        let rest = edge.digits.get(place..).unwrap_or_default();
        let cut: Vec<u8> = rest.iter().copied().chain(std::iter::repeat(0)).take(digits).collect();
        (cut, rest.len() <= digits)
    };
    let mut found = Between { least: vec![0; digits], greatest: vec![9; digits] };
    if let Some(low) = span.low.as_ref().filter(|_| sides.low) {
        match m.low {
            Compared::Less => return None,
            Compared::Greater => {}
            Compared::Same(place) => {
                let (cut, whole) = rest(low, place);
                found.least = cut;
                if (!whole || low.kind == Bound::Exclusive) && !step_up(&mut found.least) {
                    return None;
                }
            }
        }
    }
    if let Some(high) = span.high.as_ref().filter(|_| sides.high) {
        match m.high {
            Compared::Less => {}
            Compared::Greater => return None,
            Compared::Same(place) => {
                let (cut, whole) = rest(high, place);
                found.greatest = cut;
                if whole && high.kind == Bound::Exclusive && !step_down(&mut found.greatest) {
                    return None;
                }
            }
        }
    }
    (found.least <= found.greatest).then_some(found)
}

/// The next number of as many digits; no if there is none.
fn step_up(digits: &mut [u8]) -> bool {
    let Some(place) = digits.iter().rposition(|&digit| digit < 9) else { return false };
    digits[place] += 1;
    digits[place + 1..].fill(0);
    true
}

/// The number before.
fn step_down(digits: &mut [u8]) -> bool {
    let Some(place) = digits.iter().rposition(|&digit| digit > 0) else { return false };
    digits[place] -= 1;
    digits[place + 1..].fill(9);
    true
}

impl Between {
    /// The least of the digits that leave 0 modulo the divisor behind digits that leave `before`, as the distance from the least of all.
    fn first_multiple(&self, before: u128, of: u128) -> Option<u128> {
        let start =
            self.least.iter().fold(before % of, |rest, &digit| with_digit(rest, u32::from(digit), of));
        let missing = (of - start) % of;
        (missing <= self.distance()).then_some(missing)
    }

    /// The difference of both ends, at most [`FAR`].
    fn distance(&self) -> u128 {
        let mut distance = 0_i128;
        for (&least, &greatest) in self.least.iter().zip(&self.greatest) {
            // Ten times that less nine is still more than FAR, and it can't shrink below that again.
            if distance > FAR_TENTH {
                return FAR;
            }
            distance = distance * 10 + i128::from(greatest) - i128::from(least);
        }
        u128::try_from(distance).unwrap_or(0).min(FAR)
    }

    /// The least of the digits and `more`.
    fn with(&self, mut more: u128) -> Vec<u8> {
        let mut digits = self.least.clone();
        for digit in digits.iter_mut().rev() {
            let sum = u128::from(*digit) + more % 10;
            more = more / 10 + sum / 10;
            *digit = u8::try_from(sum % 10).expect("a digit");
        }
        digits
    }
}

#[cfg(test)]
#[path = "reach_tests.rs"]
mod tests;
