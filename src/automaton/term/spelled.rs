//! Spellings of numbers by their value: JSON number syntax, with exponents or without, whose value is one of a set.
//!
//! While the mantissa is read, little of it matters: how its significant digits compare with those of each bound, what they leave
//! when divided, how many zeros they end with, and where the point is. More factors of ten never hurt divisibility, and move a value past
//! a bound once: so what the mantissa leaves to the exponent is an interval.
//!
//! Whether a beginning goes on is a question for `reach.rs`. Without exponents, sets that a regex describes well are read as that
//! (`grammar/plain.rs`) from the first character on.

use super::derive::{Range, push};
use super::reach::{Live, Sides, between, live};
use super::{Kind, Terms, Window};
use crate::grammar::plain;
use crate::grammar::values::{Edge, Notation, Span, Step, Values, shifted, with_digit};
use crate::index::TermId;
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
    pub(super) negative: bool,
    pub(super) place: Place,
    /// So many digits may follow.
    pub(super) left: u32,
    /// Whether a digit other than zero has been read.
    pub(super) begun: bool,
    /// The value is `0.DIGITS` times ten to this, before the exponent, with the significant digits.
    pub(super) point: i32,
    pub(super) low: Compared,
    pub(super) high: Compared,
    /// Zeros at the end of the significant digits. 0 where nothing divides.
    pub(super) zeros: u32,
    /// What the significant digits without these zeros leave, as an integer, modulo the divisor.
    pub(super) core: u128,
    /// The same for those that must not divide.
    pub(super) others: Box<[u128]>,
}

/// Where in the mantissa.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Place {
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
pub(super) enum Compared {
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

/// The exponents that the policy spells lie between minus and plus this.
const EXPONENT_MAX: i32 = 10_i32.pow(EXPONENT_DIGITS_MAX) - 1;

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

    /// The term that says the same as one that stands before a number, where a regex does it well.
    pub(super) fn plain_spelled(&self, id: ValuesId, read: &SpelledRead) -> Option<TermId> {
        match read {
            SpelledRead::Start => self.from_regex(&plain::regex_of(self.values(id))?).ok(),
            _ => None,
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
            let may = matches!(m.place, Place::Zero | Place::Whole)
                && m.left > 0
                && values.notation > Notation::Digits;
            may.then(|| SpelledRead::Mantissa(Mantissa { place: Place::Point, ..m.clone() }))
        }
        (SpelledRead::Mantissa(m), 'e' | 'E', _) if m.ends() && values.notation == Notation::Exponent => {
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

impl Mantissa {
    pub(super) fn start(values: &Values, negative: bool) -> Self {
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

    pub(super) fn span<'v>(&self, values: &'v Values) -> Option<&'v Span> {
        if self.negative { values.negative.as_ref() } else { values.positive.as_ref() }
    }

    /// Whether the mantissa may end.
    pub(super) fn ends(&self) -> bool {
        matches!(self.place, Place::Zero | Place::Whole | Place::Behind)
    }

    /// Number of significant digits.
    pub(super) fn significant(&self) -> u32 {
        let read = NUMBER_DIGITS_MAX - self.left;
        match (self.begun, u32::try_from(-self.point)) {
            (false, _) => 0,
            // A zero before the point, and zeros behind it.
            (true, Ok(zeros)) => read - 1 - zeros,
            (true, Err(_)) => read,
        }
    }

    pub(super) fn digit(&self, values: &Values, digit: u32) -> Option<Self> {
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
        let with = |core: u128, step: Step| with_digit(shifted(core, self.zeros, step.of), digit, step.of);
        self.core = values.multiple_of.map_or(0, |step| with(self.core, step));
        for (core, step) in self.others.iter_mut().zip(&values.not_multiple_of) {
            *core = with(*core, *step);
        }
        self.zeros = 0;
    }

    /// The least exponent with which the digits are a multiple; `None` if none makes them one.
    fn multiple_from(&self, core: u128, step: Step) -> Option<i32> {
        let power = tens_missing(core, step.of)?;
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

    pub(super) fn goes_on(&self) -> bool {
        self.ends()
            || (1..=self.left).any(|digits| {
                let power = 10_i32.pow(digits);
                self.value * power <= self.high && self.value * power + power > self.low
            })
    }
}

/// The least and the greatest exponent that make the mantissa one of the values.
pub(super) fn exponents(values: &Values, m: &Mantissa) -> Option<(i32, i32)> {
    let most = if values.notation == Notation::Exponent { EXPONENT_MAX } else { 0 };
    let (mut from, mut to) = (-most, most);
    if !m.begun {
        return values.zero.then_some((from, to));
    }
    let span = m.span(values)?;
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

/// The fewest factors of ten that make `value` a multiple; `None` if none do.
pub(super) fn tens_missing(value: u128, of: u128) -> Option<i32> {
    if value == 0 {
        return Some(0);
    }
    let (of, twos, fives) = without_factors(of);
    if !value.is_multiple_of(of) {
        return None;
    }
    let missing_twos = twos.saturating_sub(value.trailing_zeros());
    let (mut value, mut missing_fives) = (value, fives);
    while missing_fives > 0 && value.is_multiple_of(5) {
        value /= 5;
        missing_fives -= 1;
    }
    Some(signed(missing_twos.max(missing_fives)))
}

/// What is left of a divisor without factors of ten, and how often two and five are in it.
fn without_factors(of: u128) -> (u128, u32, u32) {
    let twos = of.trailing_zeros();
    let (mut rest, mut fives) = (of >> twos, 0);
    while rest.is_multiple_of(5) {
        rest /= 5;
        fives += 1;
    }
    (rest, twos, fives)
}

/// What is left of a divisor when so many factors of ten are there anyway.
pub(super) fn without_tens(of: u128, tens: i32) -> u128 {
    let (rest, twos, fives) = without_factors(of);
    let left = |count: u32| count.saturating_sub(u32::try_from(tens).unwrap_or(0));
    (rest << left(twos)) * 5_u128.pow(left(fives))
}

pub(super) fn signed(count: u32) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX / 4)
}

#[cfg(test)]
#[path = "spelled_tests.rs"]
mod tests;
