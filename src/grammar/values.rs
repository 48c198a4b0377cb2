//! Sets of decimal values, as bounds and divisibility describe them: what numbers mean however they are spelled.
//!
//! A bound, a divisor, an integer, one number, and all conjunctions of these are one [`Values`]; a disjunction is several. So what
//! a number must satisfy is one description, and whether the beginning of a spelling goes on is decided by arithmetic on it
//! (`automaton/term/spelled.rs`), where an intersection of languages would have to be searched. With the values goes the notation in
//! which they are spelled.

use std::fmt;

use crate::grammar::number::{Bound, Decimal};
use crate::limits::{DIVISOR_MAX, OTHER_DIVISORS_MAX, VALUES_JOINED_MAX, VALUES_JOINED_PLAIN_MAX};

/// Decimal values: those between bounds, that are a multiple of one number and of none of some others.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Values {
    /// Magnitudes of the values below zero.
    pub negative: Option<Span>,
    /// Whether zero belongs to them.
    pub zero: bool,
    /// The values above zero.
    pub positive: Option<Span>,
    /// They are multiples of this.
    pub multiple_of: Option<Step>,
    /// They are multiples of none of these; zero is a multiple of each.
    pub not_multiple_of: Vec<Step>,
    /// How they are spelled.
    pub notation: Notation,
}

/// How values are spelled: each takes the spellings of those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Notation {
    /// By digits alone: only integers.
    Digits,
    /// With a fraction or without.
    Point,
    /// Perhaps with an exponent.
    Exponent,
}

/// Magnitudes above zero, up to bounds.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    /// The lower bound.
    pub low: Option<Edge>,
    /// The upper bound.
    pub high: Option<Edge>,
}

/// A bound above zero: `0.DIGITS` times ten to the `point`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Edge {
    /// Significant digits, from 0 to 9; neither the first nor the last is 0.
    pub digits: Box<[u8]>,
    /// The power of ten.
    pub point: i32,
    /// Whether the bound belongs to what it bounds.
    pub kind: Bound,
}

/// The number `of / 10^places`, above zero, without common factors of ten.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Step {
    /// The numerator, at most [`DIVISOR_MAX`].
    pub of: u128,
    /// Digits behind the point.
    pub places: u32,
}

impl Values {
    /// All numbers, however they are spelled.
    #[must_use]
    pub fn all() -> Self {
        Self {
            negative: Some(Span::default()),
            zero: true,
            positive: Some(Span::default()),
            multiple_of: None,
            not_multiple_of: Vec::new(),
            notation: Notation::Exponent,
        }
    }

    /// The same values in this notation.
    #[must_use]
    pub fn written(self, notation: Notation) -> Self {
        Self { notation, ..self }
    }

    /// The numbers from the bound on.
    #[must_use]
    pub fn at_least(bound: &Decimal, kind: Bound) -> Self {
        let Some(edge) = Edge::of(bound, kind) else {
            return Self { negative: None, zero: kind == Bound::Inclusive, ..Self::all() };
        };
        match bound.is_negative() {
            true => Self { negative: Some(Span { low: None, high: Some(edge) }), ..Self::all() },
            false => Self {
                negative: None,
                zero: false,
                positive: Some(Span { low: Some(edge), high: None }),
                ..Self::all()
            },
        }
    }

    /// The numbers up to the bound.
    #[must_use]
    pub fn at_most(bound: &Decimal, kind: Bound) -> Self {
        let mirrored = Self::at_least(&bound.negated(), kind);
        Self { negative: mirrored.positive, positive: mirrored.negative, ..mirrored }
    }

    /// This number only.
    #[must_use]
    pub fn equal(value: &Decimal) -> Self {
        let none = Self { negative: None, zero: false, positive: None, ..Self::all() };
        let Some(edge) = Edge::of(value, Bound::Inclusive) else { return Self { zero: true, ..none } };
        let span = Some(Span { low: Some(edge.clone()), high: Some(edge) });
        match value.is_negative() {
            true => Self { negative: span, ..none },
            false => Self { positive: span, ..none },
        }
    }

    /// The multiples of a step.
    #[must_use]
    pub fn multiple_of(step: Step) -> Self {
        Self { multiple_of: Some(step), ..Self::all() }
    }

    /// The numbers that are no multiples of a step.
    #[must_use]
    pub fn no_multiple_of(step: Step) -> Self {
        Self { zero: false, not_multiple_of: vec![step], ..Self::all() }
    }

    /// The values in both; `None` if their divisors can't be written as one, or the others are more than [`OTHER_DIVISORS_MAX`].
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Option<Self> {
        let mut not_multiple_of = [&self.not_multiple_of[..], &other.not_multiple_of].concat();
        not_multiple_of.sort_unstable();
        not_multiple_of.dedup();
        // A multiple of a multiple of one is one of that.
        let all = not_multiple_of.clone();
        not_multiple_of.retain(|step| !all.iter().any(|other| other != step && step.is_multiple(*other)));
        if not_multiple_of.len() > OTHER_DIVISORS_MAX {
            return None;
        }
        let multiple_of = match (self.multiple_of, other.multiple_of) {
            (Some(a), Some(b)) => Some(a.common_multiple(b)?),
            (a, b) => a.or(b),
        };
        let both = |a: &Option<Span>, b: &Option<Span>| a.as_ref()?.intersection(b.as_ref()?);
        let impossible =
            multiple_of.is_some_and(|step| not_multiple_of.iter().any(|not| step.is_multiple(*not)));
        let found = Self {
            negative: both(&self.negative, &other.negative).filter(|_| !impossible),
            zero: self.zero && other.zero,
            positive: both(&self.positive, &other.positive).filter(|_| !impossible),
            multiple_of,
            not_multiple_of,
            notation: self.notation.min(other.notation),
        };
        Some(found.with_single_values_judged())
    }

    /// The same values: where bounds leave one on a side of zero, the divisors decide here whether it stays.
    fn with_single_values_judged(mut self) -> Self {
        let single = |side: &Option<Span>| side.as_ref().and_then(Span::only).cloned();
        let (below, above) = (single(&self.negative), single(&self.positive));
        if below.is_some_and(|edge| !self.has_magnitude(&edge)) {
            self.negative = None;
        }
        if above.is_some_and(|edge| !self.has_magnitude(&edge)) {
            self.positive = None;
        }
        let judged = |side: &Option<Span>| side.as_ref().is_none_or(|span| span.only().is_some());
        if judged(&self.negative) && judged(&self.positive) {
            self.multiple_of = None;
            self.not_multiple_of.clear();
        }
        self
    }

    /// All other numbers in the same notation, as the union of these.
    #[must_use]
    pub fn opposite(&self) -> Vec<Self> {
        let (below, above) = (self.negative.as_ref(), self.positive.as_ref());
        let near = Self {
            negative: Span::outside(below, |span| span.low.as_ref(), |high| Span { low: None, high }),
            zero: !self.zero,
            positive: Span::outside(above, |span| span.low.as_ref(), |high| Span { low: None, high }),
            ..Self::all()
        };
        let far = Self {
            negative: below.and_then(|_| Span::outside(below, |span| span.high.as_ref(), Span::from)),
            zero: false,
            positive: above.and_then(|_| Span::outside(above, |span| span.high.as_ref(), Span::from)),
            ..Self::all()
        };
        let undivided = self.multiple_of.map(Self::no_multiple_of);
        let divided = self.not_multiple_of.iter().map(|&step| Self::multiple_of(step));
        let all = [near, far].into_iter().chain(undivided).chain(divided);
        all.filter(|v| !v.is_plainly_empty()).map(|v| v.written(self.notation)).collect()
    }

    /// Whether no value is left on either side of zero, nor zero.
    #[must_use]
    pub fn is_plainly_empty(&self) -> bool {
        self.negative.is_none() && !self.zero && self.positive.is_none()
    }
}

/// The values that are in one of each: the conjunction of two disjunctions. `None` if they can't be written so, or with more than
/// [`VALUES_JOINED_MAX`] conjunctions, or [`VALUES_JOINED_PLAIN_MAX`] without exponents: there an intersection of languages is
/// little work, and lists of numbers are tries.
#[must_use]
pub fn product(one: &[Values], other: &[Values]) -> Option<Vec<Values>> {
    let plain = one.iter().chain(other).any(|values| values.notation != Notation::Exponent);
    let most = if plain { VALUES_JOINED_PLAIN_MAX } else { VALUES_JOINED_MAX };
    if one.len().saturating_mul(other.len()) > most {
        return None;
    }
    let mut all = Vec::new();
    for a in one {
        for b in other {
            let both = a.intersection(b)?;
            if !both.is_plainly_empty() {
                all.push(both);
            }
        }
    }
    Some(all)
}

impl Span {
    fn from(low: Option<Edge>) -> Self {
        Self { low, high: None }
    }

    /// The only magnitude between the bounds, if they leave one.
    fn only(&self) -> Option<&Edge> {
        let (low, high) = (self.low.as_ref()?, self.high.as_ref()?);
        (low.compare(high) == std::cmp::Ordering::Equal).then_some(low)
    }

    /// What is beyond one bound of a span: all magnitudes if there is no span, none if it has no such bound.
    fn outside(
        span: Option<&Self>,
        bound: fn(&Self) -> Option<&Edge>,
        beyond: fn(Option<Edge>) -> Self,
    ) -> Option<Self> {
        let Some(span) = span else { return Some(Self::default()) };
        let edge = bound(span)?;
        let kind = match edge.kind {
            Bound::Inclusive => Bound::Exclusive,
            Bound::Exclusive => Bound::Inclusive,
        };
        Some(beyond(Some(Edge { kind, ..edge.clone() })))
    }

    /// `None` if nothing is between the bounds.
    fn intersection(&self, other: &Self) -> Option<Self> {
        let tighter = |a: &Option<Edge>, b: &Option<Edge>, wanted: std::cmp::Ordering| match (a, b) {
            (Some(a), Some(b)) => match a.compare(b) {
                std::cmp::Ordering::Equal if a.kind == Bound::Exclusive => Some(a.clone()),
                std::cmp::Ordering::Equal => Some(b.clone()),
                found if found == wanted => Some(a.clone()),
                _ => Some(b.clone()),
            },
            (a, b) => a.clone().or_else(|| b.clone()),
        };
        let low = tighter(&self.low, &other.low, std::cmp::Ordering::Greater);
        let high = tighter(&self.high, &other.high, std::cmp::Ordering::Less);
        if let (Some(low), Some(high)) = (&low, &high) {
            let both_belong = low.kind == Bound::Inclusive && high.kind == Bound::Inclusive;
            match low.compare(high) {
                std::cmp::Ordering::Greater => return None,
                std::cmp::Ordering::Equal if !both_belong => return None,
                _ => {}
            }
        }
        Some(Self { low, high })
    }
}

impl Edge {
    /// The magnitude of a number; `None` for zero.
    fn of(value: &Decimal, kind: Bound) -> Option<Self> {
        let (digits, point) = value.significand()?;
        Some(Self { digits, point, kind })
    }

    fn compare(&self, other: &Self) -> std::cmp::Ordering {
        // Digits are fractions without trailing zeros, so they compare as texts.
        (self.point, &self.digits).cmp(&(other.point, &other.digits))
    }
}

impl Step {
    /// One.
    pub const ONE: Self = Self { of: 1, places: 0 };

    /// `of / 10^places` without common factors of ten; `of` is not 0.
    #[must_use]
    pub fn new(of: u128, places: u32) -> Self {
        let mut step = Self { of, places };
        while step.places > 0 && step.of.is_multiple_of(10) {
            step = Self { of: step.of / 10, places: step.places - 1 };
        }
        step
    }

    /// The least common multiple, if it is a divisor within the limit.
    ///
    /// With `k` places more in the second, the first is `a · 10^k` of the second's units, and the least common multiple
    /// `a · 10^k · b / gcd(a · 10^k, b)`: a multiple of `10^k`, so it has the places of the first.
    #[must_use]
    pub fn common_multiple(self, other: Self) -> Option<Self> {
        let (first, second) = if self.places <= other.places { (self, other) } else { (other, self) };
        let (mut divisor, mut rest) = (second.of, shifted(first.of, second.places - first.places, second.of));
        while rest > 0 {
            (divisor, rest) = (rest, divisor % rest);
        }
        let of = first.of.checked_mul(second.of / divisor)?;
        (of <= DIVISOR_MAX).then(|| Self::new(of, first.places))
    }

    /// It is `0.DIGITS` times ten to this.
    #[must_use]
    pub fn point(self) -> i32 {
        let digits = self.of.checked_ilog10().map_or(0, |log| log + 1);
        i32::try_from(digits).unwrap_or(0) - i32::try_from(self.places).unwrap_or(i32::MAX / 2)
    }

    /// Whether it is a multiple of the other.
    fn is_multiple(self, other: Self) -> bool {
        match other.places.checked_sub(self.places) {
            Some(more) => shifted(self.of, more, other.of) == 0,
            // Common factors of ten are gone, so fewer places do not divide more.
            None => false,
        }
    }
}

/// `value · 10^places` modulo `of`, which is at most [`DIVISOR_MAX`].
#[must_use]
pub fn shifted(value: u128, places: u32, of: u128) -> u128 {
    let value = value % of;
    if value == 0 {
        return 0;
    }
    if u64::try_from(of).is_err() {
        return (0..places).fold(value, |rest, _| with_digit(rest, 0, of));
    }
    // Products of two remainders fit.
    let (mut power, mut square, mut left) = (1 % of, 10 % of, places);
    while left > 0 {
        if left % 2 == 1 {
            power = power * square % of;
        }
        square = square * square % of;
        left /= 2;
    }
    value * power % of
}

/// `10 · rest + digit` modulo `of`, for a remainder. Most divisors are small, and a division of 64 bits takes a fraction of the time.
#[must_use]
pub fn with_digit(rest: u128, digit: u32, of: u128) -> u128 {
    let mut sum = rest * 10 + u128::from(digit);
    if let (Ok(sum), Ok(of)) = (u64::try_from(sum), u64::try_from(of)) {
        return u128::from(sum % of);
    }
    // The divisor has many digits, and the sum is less than eleven times it.
    for times in [8, 4, 2, 1] {
        if sum >= of * times {
            sum -= of * times;
        }
    }
    sum
}

/// The text form: `1 <= x < 12.5` for the magnitudes on each side of zero, then what divides.
impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        let mut separator = "";
        if let Some(span) = &self.negative {
            write!(f, "-({span})")?;
            separator = " ";
        }
        if self.zero {
            write!(f, "{separator}0")?;
            separator = " ";
        }
        if let Some(span) = &self.positive {
            write!(f, "{separator}+({span})")?;
        }
        if let Some(step) = self.multiple_of {
            write!(f, " #{step}")?;
        }
        for step in &self.not_multiple_of {
            write!(f, " !#{step}")?;
        }
        f.write_str(match self.notation {
            Notation::Digits => " digits}",
            Notation::Point => " point}",
            Notation::Exponent => "}",
        })
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = |edge: &Edge| if edge.kind == Bound::Inclusive { "=" } else { "" };
        if let Some(low) = &self.low {
            write!(f, "{low}<{}", sign(low))?;
        }
        f.write_str("x")?;
        if let Some(high) = &self.high {
            write!(f, "<{}{high}", sign(high))?;
        }
        Ok(())
    }
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0.")?;
        self.digits.iter().try_for_each(|digit| write!(f, "{digit}"))?;
        write!(f, "e{}", self.point)
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.places {
            0 => write!(f, "{}", self.of),
            places => write!(f, "{}e-{places}", self.of),
        }
    }
}
