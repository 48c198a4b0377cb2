//! Spellings of numbers by their value, exponents and all: JSON number syntax whose value is one of a set.
//!
//! While the mantissa is read, little of it matters: how its significant digits compare with those of each bound, what they leave
//! when divided, how many zeros they end with, and where the point is. More factors of ten never hurt divisibility, and move a value past
//! a bound once: so what the mantissa leaves to the exponent is an interval.
//!
//! **Whether a beginning goes on.** The exponent can move the point anywhere (its digits reach further than those of a mantissa and
//! of a bound together), so it goes on iff, for some power of ten, a value of the set starts with the digits read. Between the powers of the bounds
//! any digits do, and the greatest power leaves most room for a multiple; at those of the bounds themselves the next digits lie between the
//! bound's remaining ones. What is left is whether an interval of digits has a multiple: one division. Only where other divisors must *not*
//! divide is it not always known; then the usual search decides.

use super::derive::{Range, push};
use super::{Kind, Terms, Window};
use crate::grammar::number::Bound;
use crate::grammar::values::{Edge, Span, Step, Values, shifted};
use crate::index::{TermId, widen};
use crate::limits::{EXPONENT_DIGITS_MAX, NUMBER_DIGITS_MAX};

/// An interned set of values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ValuesId(pub(super) u32);

/// What has been read of a number's spelling.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum SpelledRead {
    /// Nothing.
    Start,
    /// A part of the mantissa, at least its sign.
    Mantissa(Mantissa),
    /// The mark of the exponent, which must lie within these.
    Mark {
        /// The least exponent.
        low: i32,
        /// The greatest.
        high: i32,
    },
    /// The mark, a sign or none, and digits of the exponent.
    Power(Power),
}

/// See [`SpelledRead`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Mantissa {
    negative: bool,
    place: Place,
    /// So many digits may follow.
    left: u32,
    /// Whether a digit other than zero has been read.
    begun: bool,
    /// The value is `0.DIGITS` times ten to this, before the exponent, with the significant digits.
    point: i32,
    low: Compared,
    high: Compared,
    /// Zeros at the end of the significant digits. 0 where nothing divides.
    zeros: u32,
    /// What the significant digits without these zeros leave, as an integer, modulo the divisor.
    core: u64,
    /// The same for those that must not divide.
    others: Box<[u64]>,
}

/// Where in the mantissa.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Place {
    Sign,
    /// A zero before the point: no digit may follow.
    Zero,
    Whole,
    /// The point: a digit must follow.
    Point,
    Behind,
}

/// How the significant digits compare with those of a bound, as far as both go.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Compared {
    Less,
    /// They are the bound's first so many digits; if these are all, zeros may have followed.
    Same(usize),
    Greater,
}

/// The digits of an exponent, and which magnitudes it may have.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Power {
    low: i32,
    high: i32,
    value: i32,
    left: u32,
}

/// Whether some spelling goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Live {
    Yes,
    No,
    Unknown,
}

/// The exponents that the policy spells lie between minus and plus this.
const EXPONENT_MAX: i32 = 10_i32.pow(EXPONENT_DIGITS_MAX) - 1;

/// More digits than any divisor has.
const DIVISOR_DIGITS: i32 = 20;

/// More factors of two or five than any divisor has.
const FACTORS_MAX: i32 = 64;

/// So many powers of ten are tried one by one.
const POWERS_TRIED_MAX: i32 = 40;

/// So many multiples are tried for each.
const MULTIPLES_TRIED_MAX: usize = 32;

impl Terms {
    /// The spellings of some values; `NOTHING` if there are none.
    #[must_use]
    pub fn spelled(&self, values: &Values) -> TermId {
        if values.is_plainly_empty() {
            return Self::NOTHING;
        }
        let id = ValuesId(self.values.intern_ref(values, || values.clone()));
        self.spelled_from(id, SpelledRead::Start)
    }

    /// A set of values.
    pub(super) fn values(&self, id: ValuesId) -> &Values {
        self.values.get(id.0)
    }

    fn spelled_from(&self, values: ValuesId, read: SpelledRead) -> TermId {
        match live(self.values(values), &read) {
            Live::No => Self::NOTHING,
            Live::Yes | Live::Unknown => self.intern(&Kind::Spelled { values, read: Box::new(read) }),
        }
    }

    /// The successors of a spelling.
    pub(super) fn read_spelled(&self, id: ValuesId, read: &SpelledRead) -> Vec<Range> {
        let mut out = Vec::with_capacity(15);
        let values = self.values(id);
        for c in "+-.0123456789Ee".chars() {
            if let Some(next) = after(values, read, c) {
                push(&mut out, u32::from(c), u32::from(c), self.spelled_from(id, next));
            }
        }
        out
    }

    /// Whether any so many digits may follow, and room is left after them: see [`Terms::digits_go_on`].
    pub(super) fn spelled_digits_go_on(&self, id: ValuesId, read: &SpelledRead, digits: u32) -> bool {
        let (values, SpelledRead::Mantissa(m)) = (self.values(id), read) else { return false };
        let Some(span) = m.span(values) else { return false };
        if matches!(m.place, Place::Sign | Place::Zero)
            || m.left < digits
            || !values.not_multiple_of.is_empty()
        {
            return false;
        }
        // A power of ten between those of the bounds takes any digits.
        let between = |high: &Edge| span.low.as_ref().is_none_or(|low| high.point - low.point >= 2);
        match (&span.high, values.multiple_of) {
            (None, _) => true,
            (Some(high), None) => between(high),
            (Some(high), Some(step)) => {
                let needed = i64::from(m.significant()) + i64::from(digits);
                between(high) && i64::from(high.point) - 1 + i64::from(step.places) >= needed
            }
        }
    }
}

/// Bounds of the lengths of what goes on, and whether nothing need go on.
pub(super) fn lengths(values: &Values, read: &SpelledRead) -> (Window, bool) {
    let exponent = u64::from(EXPONENT_DIGITS_MAX);
    let (most, nullable) = match read {
        SpelledRead::Start => (u64::from(NUMBER_DIGITS_MAX) + exponent + 4, false),
        SpelledRead::Mantissa(m) => {
            let ends = m.ends() && exponents(values, m).is_some_and(|(low, high)| low <= 0 && high >= 0);
            (u64::from(m.left) + exponent + 3, ends)
        }
        SpelledRead::Mark { .. } => (exponent + 1, false),
        SpelledRead::Power(power) => (u64::from(power.left), power.ends()),
    };
    (Window { min: u64::from(!nullable), max: Some(most) }, nullable)
}

/// What has been read after one more character; `None` if no number has it there. Whether anything can follow is another question.
fn after(values: &Values, read: &SpelledRead, c: char) -> Option<SpelledRead> {
    match (read, c, c.to_digit(10)) {
        (SpelledRead::Start, '-', _) => Some(SpelledRead::Mantissa(Mantissa::start(values, true))),
        (SpelledRead::Start, _, Some(digit)) => {
            Mantissa::start(values, false).digit(values, digit).map(SpelledRead::Mantissa)
        }
        (SpelledRead::Mantissa(m), _, Some(digit)) => m.digit(values, digit).map(SpelledRead::Mantissa),
        (SpelledRead::Mantissa(m), '.', _) => {
            let may = matches!(m.place, Place::Zero | Place::Whole) && m.left > 0;
            may.then(|| SpelledRead::Mantissa(Mantissa { place: Place::Point, ..m.clone() }))
        }
        (SpelledRead::Mantissa(m), 'e' | 'E', _) if m.ends() => {
            exponents(values, m).map(|(low, high)| SpelledRead::Mark { low, high })
        }
        (&SpelledRead::Mark { low, high }, '-', _) => Power::within(-high, -low),
        (&SpelledRead::Mark { low, high }, '+', _) => Power::within(low, high),
        (&SpelledRead::Mark { low, high }, _, Some(digit)) => match Power::within(low, high) {
            Some(SpelledRead::Power(power)) => power.digit(digit),
            _ => None,
        },
        (SpelledRead::Power(power), _, Some(digit)) => power.digit(digit),
        _ => None,
    }
}

/// Whether a value goes on from what has been read.
pub(super) fn live(values: &Values, read: &SpelledRead) -> Live {
    match read {
        SpelledRead::Start => {
            let sides = [false, true].map(|negative| goes_on(values, &Mantissa::start(values, negative)));
            if sides.contains(&Live::Yes) { Live::Yes } else { sides[0].or(sides[1]) }
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

    fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Yes, _) | (_, Self::Yes) => Self::Yes,
            (Self::No, Self::No) => Self::No,
            _ => Self::Unknown,
        }
    }
}

impl Mantissa {
    fn start(values: &Values, negative: bool) -> Self {
        Self {
            negative,
            place: Place::Sign,
            left: NUMBER_DIGITS_MAX,
            begun: false,
            point: 0,
            low: Compared::Same(0),
            high: Compared::Same(0),
            zeros: 0,
            core: 0,
            others: vec![0; values.not_multiple_of.len()].into(),
        }
    }

    fn span<'v>(&self, values: &'v Values) -> Option<&'v Span> {
        if self.negative { values.negative.as_ref() } else { values.positive.as_ref() }
    }

    /// Whether the mantissa may end.
    fn ends(&self) -> bool {
        matches!(self.place, Place::Zero | Place::Whole | Place::Behind)
    }

    /// Number of significant digits.
    fn significant(&self) -> u32 {
        let read = NUMBER_DIGITS_MAX - self.left;
        match (self.begun, u32::try_from(-self.point)) {
            (false, _) => 0,
            // A zero before the point, and zeros behind it.
            (true, Ok(zeros)) => read - 1 - zeros,
            (true, Err(_)) => read,
        }
    }

    fn digit(&self, values: &Values, digit: u32) -> Option<Self> {
        if self.left == 0 || self.place == Place::Zero {
            return None;
        }
        let mut next = Self { left: self.left - 1, ..self.clone() };
        next.place = match (self.place, digit) {
            (Place::Sign, 0) => Place::Zero,
            (Place::Sign | Place::Whole, _) => Place::Whole,
            _ => Place::Behind,
        };
        if self.begun || digit > 0 {
            next.begun = true;
            next.point += i32::from(next.place == Place::Whole);
            next.take(values, digit);
        } else if next.place == Place::Behind {
            next.point -= 1;
        }
        Some(next)
    }

    /// One more significant digit.
    fn take(&mut self, values: &Values, digit: u32) {
        let Some(span) = self.span(values) else { return };
        self.low = self.low.with(span.low.as_ref(), digit);
        self.high = self.high.with(span.high.as_ref(), digit);
        if values.multiple_of.is_none() && values.not_multiple_of.is_empty() {
            return;
        }
        if digit == 0 {
            self.zeros += 1;
            return;
        }
        let places = self.zeros + 1;
        let with = |core: u64, step: Step| {
            let sum = u128::from(shifted(core, places, step.of)) + u128::from(digit);
            u64::try_from(sum % u128::from(step.of)).expect("a remainder is less than its divisor")
        };
        self.core = values.multiple_of.map_or(0, |step| with(self.core, step));
        for (core, step) in self.others.iter_mut().zip(&values.not_multiple_of) {
            *core = with(*core, *step);
        }
        self.zeros = 0;
    }

    /// The least exponent with which the digits are a multiple; `None` if none makes them one.
    fn multiple_from(&self, core: u64, step: Step) -> Option<i32> {
        let power = least_power(core, step.of)?;
        Some(power - signed(self.zeros) - self.point + signed(self.significant()) - signed(step.places))
    }
}

impl Compared {
    fn with(self, edge: Option<&Edge>, digit: u32) -> Self {
        let (Self::Same(place), Some(edge)) = (self, edge) else { return self };
        let theirs = edge.digits.get(place).map_or(0, |digit| u32::from(*digit));
        match digit.cmp(&theirs) {
            std::cmp::Ordering::Less => Self::Less,
            std::cmp::Ordering::Equal => Self::Same((place + 1).min(edge.digits.len())),
            std::cmp::Ordering::Greater => Self::Greater,
        }
    }
}

impl Power {
    /// Digits are to follow that make a magnitude within these.
    fn within(low: i32, high: i32) -> Option<SpelledRead> {
        (high >= 0)
            .then(|| SpelledRead::Power(Self { low: low.max(0), high, value: 0, left: EXPONENT_DIGITS_MAX }))
    }

    fn digit(&self, digit: u32) -> Option<SpelledRead> {
        let left = self.left.checked_sub(1)?;
        Some(SpelledRead::Power(Self { value: self.value * 10 + signed(digit), left, ..self.clone() }))
    }

    fn ends(&self) -> bool {
        self.left < EXPONENT_DIGITS_MAX && (self.low..=self.high).contains(&self.value)
    }

    fn goes_on(&self) -> bool {
        self.ends()
            || (1..=self.left).any(|digits| {
                let power = 10_i32.pow(digits);
                self.value * power <= self.high && self.value * power + power > self.low
            })
    }
}

/// The least and the greatest exponent that make the mantissa one of the values.
fn exponents(values: &Values, m: &Mantissa) -> Option<(i32, i32)> {
    if !m.begun {
        return values.zero.then_some((-EXPONENT_MAX, EXPONENT_MAX));
    }
    let span = m.span(values)?;
    let (mut from, mut to) = (-EXPONENT_MAX, EXPONENT_MAX);
    if let Some(low) = &span.low {
        let reaches = between(span, m, Sides { low: true, high: false }, 0).is_some();
        from = from.max(low.point - m.point + i32::from(!reaches));
    }
    if let Some(high) = &span.high {
        let reaches = between(span, m, Sides { low: false, high: true }, 0).is_some();
        to = to.min(high.point - m.point - i32::from(!reaches));
    }
    if let Some(step) = values.multiple_of {
        from = from.max(m.multiple_from(m.core, step)?);
    }
    for (core, step) in m.others.iter().zip(&values.not_multiple_of) {
        if let Some(multiple) = m.multiple_from(*core, *step) {
            to = to.min(multiple - 1);
        }
    }
    (from <= to).then_some((from, to))
}

/// Which bounds matter at a power of ten: those that have it.
#[derive(Clone, Copy)]
struct Sides {
    low: bool,
    high: bool,
}

impl Sides {
    fn is_none(self) -> bool {
        !self.low && !self.high
    }
}

/// Digits that may come next, so many on both sides: from the least to the greatest.
struct Between {
    least: Vec<u8>,
    greatest: Vec<u8>,
}

/// What so many further digits may be, so that the significant digits are within the bounds; `None` if no digits are.
fn between(span: &Span, m: &Mantissa, sides: Sides, digits: u32) -> Option<Between> {
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
    fn first_multiple(&self, before: u64, of: u64) -> Option<u64> {
        let start = self.least.iter().fold(u128::from(before) % u128::from(of), |rest, &digit| {
            (rest * 10 + u128::from(digit)) % u128::from(of)
        });
        let missing = (u128::from(of) - start) % u128::from(of);
        let missing = u64::try_from(missing).expect("a remainder is less than its divisor");
        (missing <= self.distance()).then_some(missing)
    }

    /// The difference of both ends, at most `u64::MAX`.
    fn distance(&self) -> u64 {
        let mut distance = 0_i128;
        for (&least, &greatest) in self.least.iter().zip(&self.greatest) {
            distance = distance * 10 + i128::from(greatest) - i128::from(least);
            // It can't shrink below that again.
            if distance > i128::from(u64::MAX) * 10 {
                return u64::MAX;
            }
        }
        u64::try_from(distance).unwrap_or(u64::MAX)
    }

    /// The least of the digits and `more`.
    fn with(&self, mut more: u64) -> Vec<u8> {
        let mut digits = self.least.clone();
        for digit in digits.iter_mut().rev() {
            let sum = u64::from(*digit) + more % 10;
            more = more / 10 + sum / 10;
            *digit = u8::try_from(sum % 10).expect("a digit");
        }
        digits
    }
}

/// Whether a value starts with the digits read, whatever its power of ten.
fn goes_on(values: &Values, m: &Mantissa) -> Live {
    if !m.begun && values.zero {
        return Live::Yes;
    }
    let Some(span) = m.span(values) else { return Live::No };
    if !m.begun {
        if m.left == 0 {
            return Live::No;
        }
        // A first digit other than zero, at the place that leaves most digits.
        let place = if m.place == Place::Sign { Place::Sign } else { Place::Behind };
        let from = Mantissa { place, ..m.clone() };
        let firsts = (1..10).filter_map(|digit| from.digit(values, digit));
        return firsts.fold(Live::No, |found, first| match found {
            Live::Yes => found,
            _ => found.or(goes_on(values, &first)),
        });
    }
    match values.multiple_of {
        _ if !values.not_multiple_of.is_empty() => goes_on_without(values, span, m),
        None => Live::of(
            powers(span).any(|(_, sides)| sides.is_none() || between(span, m, sides, m.left).is_some()),
        ),
        Some(step) => Live::of(powers(span).any(|(power, sides)| {
            let power = power.number(m);
            // Digits that may be anything have every remainder.
            let room = (power + signed(step.places) - signed(m.significant())).min(signed(m.left));
            (sides.is_none() && room >= DIVISOR_DIGITS) || multiples(span, m, step, sides, power).is_some()
        })),
    }
}

/// A power of ten at which values may lie.
#[derive(Clone, Copy)]
enum TenTo {
    This(i32),
    /// Any from this one on.
    From(i32),
    Any,
}

impl TenTo {
    /// One that leaves as much room as any.
    fn number(self, m: &Mantissa) -> i32 {
        let high = signed(m.significant() + m.left) + FACTORS_MAX;
        match self {
            Self::This(power) => power,
            Self::From(power) => power.max(high),
            Self::Any => high,
        }
    }
}

/// The powers of ten that matter: the greatest between the bounds, and those of the bounds.
fn powers(span: &Span) -> impl Iterator<Item = (TenTo, Sides)> {
    let low = span.low.as_ref().map(|edge| edge.point);
    let high = span.high.as_ref().map(|edge| edge.point);
    let none = Sides { low: false, high: false };
    let inner = match (low, high) {
        (None, None) => Some(TenTo::Any),
        (Some(low), None) => Some(TenTo::From(low + 1)),
        (None, Some(high)) => Some(TenTo::This(high - 1)),
        (Some(low), Some(high)) => (high - low >= 2).then_some(TenTo::This(high - 1)),
    };
    let at_high = high
        .filter(|&high| low.is_none_or(|low| low <= high))
        .map(|high| (TenTo::This(high), Sides { low: low == Some(high), high: true }));
    let at_low = low
        .filter(|&low| high.is_none_or(|high| low < high))
        .map(|low| (TenTo::This(low), Sides { low: true, high: false }));
    inner.map(|power| (power, none)).into_iter().chain(at_high).chain(at_low)
}

/// The further digits that make a multiple at a power of ten: those within the bounds, the distance of the first from the least of
/// them, and from one to the next.
fn multiples(span: &Span, m: &Mantissa, step: Step, sides: Sides, power: i32) -> Option<(Between, u64, u64)> {
    // In units of the last place, a value has so many digits.
    let len = power + signed(step.places);
    let room = len - signed(m.significant());
    if room < 0 {
        // Zeros at the end stand behind the last place.
        let zeros = signed(m.zeros) + room;
        let is_multiple = least_power(m.core, step.of).is_some_and(|needed| needed <= zeros);
        let found = between(span, m, sides, 0).filter(|_| zeros >= 0 && is_multiple)?;
        return Some((found, 0, 1));
    }
    let digits = narrow_count(room).min(m.left);
    let of = without_tens(step.of, room - signed(digits));
    let found = between(span, m, sides, digits)?;
    let first = found.first_multiple(shifted(m.core, m.zeros, of), of)?;
    Some((found, first, of))
}

/// The same where other divisors must not divide.
fn goes_on_without(values: &Values, span: &Span, m: &Mantissa) -> Live {
    let bounded = Values { not_multiple_of: Vec::new(), ..values.clone() };
    if goes_on(&bounded, m) == Live::No {
        return Live::No;
    }
    let ends = |m: &Mantissa| exponents(values, m).is_some();
    let behind = Mantissa { place: Place::Behind, ..m.clone() };
    if ends(m) || (1..10).filter_map(|digit| behind.digit(values, digit)).any(|next| ends(&next)) {
        return Live::Yes;
    }
    let (Some(step), Some(high)) = (values.multiple_of, &span.high) else {
        return if m.left == 0 { Live::No } else { Live::Unknown };
    };
    // No multiple above zero is below the step itself.
    let least = span.low.as_ref().map_or_else(|| step.point(), |low| low.point);
    if high.point - least > POWERS_TRIED_MAX {
        return Live::Unknown;
    }
    let mut all = true;
    for power in least..=high.point {
        let sides = Sides { low: span.low.is_some() && power == least, high: power == high.point };
        let Some((found, mut first, of)) = multiples(span, m, step, sides, power) else { continue };
        let most = found.distance();
        for tried in 0.. {
            if tried == MULTIPLES_TRIED_MAX {
                all = false;
                break;
            }
            let read = found
                .with(first)
                .into_iter()
                .try_fold(behind.clone(), |m, digit| m.digit(values, digit.into()));
            if read.is_some_and(|read| ends(&read)) {
                return Live::Yes;
            }
            match first.checked_add(of) {
                Some(next) if next <= most => first = next,
                Some(_) => break,
                None => {
                    all = most < u64::MAX && all;
                    break;
                }
            }
        }
    }
    if all { Live::No } else { Live::Unknown }
}

/// The fewest factors of ten that make `value` a multiple; `None` if none do.
fn least_power(value: u64, of: u64) -> Option<i32> {
    (0..=FACTORS_MAX).find(|&power| u128::from(value) % u128::from(without_tens(of, power)) == 0)
}

/// What is left of a divisor when so many factors of ten are there anyway.
fn without_tens(mut of: u64, tens: i32) -> u64 {
    for factor in [2_u64, 5] {
        let mut left = tens;
        while left > 0 && of.is_multiple_of(factor) {
            of /= factor;
            left -= 1;
        }
    }
    of
}

fn signed(count: u32) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX / 4)
}

fn narrow_count(count: i32) -> u32 {
    u32::try_from(count).unwrap_or(0)
}

#[cfg(test)]
#[path = "spelled_tests.rs"]
mod tests;
