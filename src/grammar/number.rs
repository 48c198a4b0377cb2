//! Exact decimals, and the languages of number spellings that a bound on the value means.
//!
//! A bound becomes a comparison digit by digit: a number is greater than 312.5 if its integer part is longer, or if
//! it is as long and greater at the first place where the two differ, or if it is equal and the fraction is greater.
//! Each place gives one alternative, so a bound of n digits gives O(n) alternatives, whatever its value.
//!
//! Invariants. Every language here is a set of JSON number spellings without exponent, and any number of trailing zeros in a
//! fraction is spelled by the same value; `-0` and `-0.0` are 0. So, relative to plain syntax, `at_least(b, Inclusive)` and
//! `at_most(b, Exclusive)` are complements. Spellings with exponents are described by their values (`values.rs`).

use std::cmp::Ordering;
use std::fmt;

use crate::grammar::policy::NumberSpelling;
use crate::grammar::regex::{CharSet, Regex};
use crate::grammar::values::Step;
use crate::index::narrow;
use crate::limits::{DECIMAL_PLACES_MAX, DIVISOR_MAX, EXPONENT_DIGITS_MAX, FRACTIONS_MAX, NUMBER_DIGITS_MAX};

/// An exact decimal number, with at most [`DECIMAL_PLACES_MAX`] digits on either side of the point.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Decimal {
    /// Never set for zero.
    negative: bool,
    /// Digits of the integer part, without leading zeros: empty below one.
    whole: Box<str>,
    /// Digits of the fraction, without trailing zeros.
    fraction: Box<str>,
}

/// Whether a bound belongs to what it bounds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bound {
    /// The bound itself is allowed.
    Inclusive,
    /// The bound itself is not allowed.
    Exclusive,
}

/// A number text was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DecimalError {
    /// Not a JSON number.
    Syntax,
    /// A JSON number with too many digits on one side of the point.
    TooLong,
}

impl fmt::Display for DecimalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax => f.write_str("not a JSON number"),
            Self::TooLong => {
                write!(f, "the number has more than {DECIMAL_PLACES_MAX} digits on one side of the point")
            }
        }
    }
}

impl std::error::Error for DecimalError {}

impl Decimal {
    /// Reads a JSON number, exponent and all. O(length).
    ///
    /// # Errors
    /// If the text is no JSON number, or has more than [`DECIMAL_PLACES_MAX`] digits before or after the point once
    /// its exponent is written out.
    pub fn parse(text: &str) -> Result<Self, DecimalError> {
        let (negative, rest) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = match rest.find(['e', 'E']) {
            Some(at) => (&rest[..at], read_exponent(&rest[at + 1..])?),
            None => (rest, 0),
        };
        let (whole, fraction) = match mantissa.split_once('.') {
            Some((_, "")) => return Err(DecimalError::Syntax),
            Some(parts) => parts,
            None => (mantissa, ""),
        };
        let all_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        let leading_zero = whole.len() > 1 && whole.starts_with('0');
        if whole.is_empty() || leading_zero || !all_digits(whole) || !all_digits(fraction) {
            return Err(DecimalError::Syntax);
        }
        Self::shifted(negative, whole, fraction, exponent)
    }

    /// `whole.fraction` times ten to the `exponent`.
    fn shifted(negative: bool, whole: &str, fraction: &str, exponent: i64) -> Result<Self, DecimalError> {
        let digits = format!("{whole}{fraction}");
        let significant = digits.trim_start_matches('0');
        if significant.is_empty() {
            return Ok(Self { negative: false, whole: "".into(), fraction: "".into() });
        }
        let limit = i64::try_from(DECIMAL_PLACES_MAX).map_err(|_| DecimalError::TooLong)?;
        let length = |text: &str| i64::try_from(text.len()).map_err(|_| DecimalError::TooLong);
        // The value is 0.SIGNIFICANT times ten to the power `point`.
        let leading_zeros = length(&digits)? - length(significant)?;
        let point = (length(whole)? - leading_zeros).saturating_add(exponent);
        let significant = significant.trim_end_matches('0');
        if point > limit || length(significant)?.saturating_sub(point) > limit {
            return Err(DecimalError::TooLong);
        }
        let (whole, fraction) = match usize::try_from(point) {
            Ok(point) if point >= significant.len() => (format!("{significant:0<point$}"), String::new()),
            Ok(point) => (significant[..point].to_owned(), significant[point..].to_owned()),
            Err(_) => {
                let width = significant.len() + usize::try_from(-point).map_err(|_| DecimalError::TooLong)?;
                (String::new(), format!("{significant:0>width$}"))
            }
        };
        Ok(Self { negative, whole: whole.into(), fraction: fraction.into() })
    }

    /// Whether it has no fraction.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        self.fraction.is_empty()
    }

    /// Whether it is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        self.whole.is_empty() && self.fraction.is_empty()
    }

    /// Whether it is below zero.
    #[must_use]
    pub fn is_negative(&self) -> bool {
        self.negative
    }

    /// The number on the other side of zero.
    #[must_use]
    pub fn negated(&self) -> Self {
        Self { negative: !self.negative && !self.is_zero(), ..self.clone() }
    }

    /// The value as an unsigned integer, if it is one and fits.
    #[must_use]
    pub fn to_u64(&self) -> Option<u64> {
        match (self.negative, self.is_integer(), self.whole.is_empty()) {
            (false, true, true) => Some(0),
            (false, true, false) => self.whole.parse().ok(),
            _ => None,
        }
    }

    /// Its magnitude as `0.DIGITS` times ten to a power: the digits without zeros at either end, and the power. `None` for zero.
    #[must_use]
    pub fn significand(&self) -> Option<(Box<[u8]>, i32)> {
        let all = format!("{}{}", self.whole, self.fraction);
        let zeros = all.len() - all.trim_start_matches('0').len();
        let digits: Box<[u8]> = all.trim_matches('0').bytes().map(|digit| digit - b'0').collect();
        // Both counts are at most DECIMAL_PLACES_MAX.
        let count = |len: usize| i32::try_from(len).ok();
        (!digits.is_empty()).then_some((digits, count(self.whole.len())? - count(zeros)?))
    }

    /// It as a divisor, if it is above zero and its digits without the point are at most [`DIVISOR_MAX`].
    #[must_use]
    pub fn step(&self) -> Option<Step> {
        let of = format!("{}{}", self.whole, self.fraction).parse().ok()?;
        let fits = !self.negative && of > 0 && of <= DIVISOR_MAX;
        fits.then_some(Step { of, places: narrow(self.fraction.len()) })
    }

    fn whole_digits(&self) -> &str {
        if self.whole.is_empty() { "0" } else { &self.whole }
    }

    fn compare_magnitude(&self, other: &Self) -> Ordering {
        // Without leading zeros the longer integer part is greater; without trailing zeros fractions compare as texts.
        (self.whole.len(), &self.whole, &self.fraction).cmp(&(
            other.whole.len(),
            &other.whole,
            &other.fraction,
        ))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.compare_magnitude(other),
            (true, true) => other.compare_magnitude(self),
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The shortest plain spelling.
impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.negative { "-" } else { "" };
        let point = if self.fraction.is_empty() { "" } else { "." };
        write!(f, "{sign}{}{point}{}", self.whole_digits(), self.fraction)
    }
}

impl From<u64> for Decimal {
    fn from(value: u64) -> Self {
        let whole = if value == 0 { String::new() } else { value.to_string() };
        Self { negative: false, whole: whole.into(), fraction: "".into() }
    }
}

/// The digits behind `e`, with their sign; what is out of range saturates.
fn read_exponent(text: &str) -> Result<i64, DecimalError> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(DecimalError::Syntax);
    }
    // Half the range, so that sums with lengths of texts can't overflow.
    let magnitude = digits.parse().unwrap_or(i64::MAX).min(i64::MAX / 2);
    Ok(if text.starts_with('-') { -magnitude } else { magnitude })
}

/// One spelling for each number: plain, without zeros that say nothing.
#[must_use]
pub fn plainest() -> Regex {
    let fraction = || Regex::concat([Regex::literal("."), digit().star(), digits_in(b'1', b'9')]);
    let whole = digits_in(b'1', b'9').then(digit().star());
    Regex::or([
        Regex::literal("0"),
        signed(Regex::or([whole.then(fraction().optional()), Regex::literal("0").then(fraction())])),
    ])
}

/// Every number that the policy spells: JSON numbers without exponent and with at most [`NUMBER_DIGITS_MAX`] digits;
/// under `All` an exponent of at most [`EXPONENT_DIGITS_MAX`] digits may follow.
#[must_use]
pub fn syntax(spelling: NumberSpelling) -> Regex {
    let digit_count = Regex::concat([
        minus().optional(),
        Regex::concat([digit(), Regex::literal(".").optional()]).repeat(1, Some(NUMBER_DIGITS_MAX)),
    ]);
    let plain = Regex::and([signed(Regex::concat([whole(), any_fraction()])), digit_count]);
    match spelling {
        NumberSpelling::Plain => plain,
        NumberSpelling::All => plain.then(exponent().optional()),
    }
}

/// Integers, spelled without fraction.
#[must_use]
pub fn integer() -> Regex {
    signed(whole())
}

/// The plain spellings of the numbers that are no integers.
#[must_use]
pub fn fractional() -> Regex {
    signed(Regex::concat([whole(), Regex::literal("."), some_nonzero()]))
}

/// Plain spellings of the numbers that are at least (`Exclusive`: greater than) the bound.
#[must_use]
pub fn at_least(bound: &Decimal, kind: Bound) -> Regex {
    if bound.negative {
        return Regex::or([any(), minus().then(magnitude_at_most(bound, kind))]);
    }
    match (bound.is_zero(), kind) {
        (true, Bound::Inclusive) => Regex::or([any(), minus().then(zero())]),
        _ => magnitude_at_least(bound, kind),
    }
}

/// Plain spellings of the numbers that are at most (`Exclusive`: less than) the bound.
#[must_use]
pub fn at_most(bound: &Decimal, kind: Bound) -> Regex {
    if bound.negative {
        return minus().then(magnitude_at_least(bound, kind));
    }
    match (bound.is_zero(), kind) {
        (true, Bound::Inclusive) => Regex::or([minus().then(any()), zero()]),
        (true, Bound::Exclusive) => minus().then(magnitude_at_least(bound, kind)),
        (false, _) => Regex::or([minus().then(any()), magnitude_at_most(bound, kind)]),
    }
}

/// Plain spellings of this number.
#[must_use]
pub fn equal(value: &Decimal) -> Regex {
    if value.is_zero() {
        return signed(zero());
    }
    let sign = if value.negative { minus() } else { Regex::Empty };
    let fraction = if value.fraction.is_empty() {
        zero_fraction()
    } else {
        Regex::concat([Regex::literal(&format!(".{}", value.fraction)), Regex::literal("0").star()])
    };
    Regex::concat([sign, Regex::literal(value.whole_digits()), fraction])
}

/// Plain spellings of any of these numbers: two sets of literals, however many there are.
#[must_use]
pub fn one_of(values: &[Decimal]) -> Regex {
    if let [value] = values {
        return equal(value);
    }
    let spelled = |value: &Decimal| {
        let sign = if value.negative { "-" } else { "" };
        let point = if value.is_integer() { "" } else { "." };
        format!("{sign}{}{point}{}", value.whole_digits(), value.fraction)
    };
    let (integers, fractions): (Vec<&Decimal>, Vec<&Decimal>) =
        values.iter().filter(|value| !value.is_zero()).partition(|value| value.is_integer());
    let literals = |values: Vec<&Decimal>| {
        let texts: Vec<String> = values.into_iter().map(spelled).collect();
        Regex::literals(texts.iter().map(String::as_str))
    };
    Regex::or([
        if values.iter().any(Decimal::is_zero) { signed(zero()) } else { Regex::Nothing },
        literals(integers).then(zero_fraction()),
        literals(fractions).then(Regex::literal("0").star()),
    ])
}

/// Plain spellings of all other numbers.
#[must_use]
pub fn different(value: &Decimal) -> Regex {
    Regex::or([at_most(value, Bound::Exclusive), at_least(value, Bound::Exclusive)])
}

/// Plain spellings of the multiples of a fraction that divides 1 at most [`FRACTIONS_MAX`] times, or is a power of ten: then the
/// digits after the point decide. For others the remainder of all digits does. `None` if the divisor's digits are not less than 2^64.
#[must_use]
pub fn multiple_of_fraction(divisor: &Decimal) -> Option<Regex> {
    if divisor.negative || divisor.fraction.is_empty() {
        return None;
    }
    by_digits_after_the_point(divisor).or_else(|| {
        let Step { of, places } = divisor.step()?;
        Some(Regex::FractionMultiple { of: u64::try_from(of).ok()?, places })
    })
}

fn by_digits_after_the_point(divisor: &Decimal) -> Option<Regex> {
    if !divisor.whole.is_empty() {
        return None;
    }
    let places = divisor.fraction.len();
    let zeros = Regex::literal("0");
    let step = divisor.fraction.trim_start_matches('0');
    let fractions = if step == "1" {
        digit().repeat(1, Some(narrow(places))).then(zeros.star())
    } else {
        let one = 10u64.checked_pow(narrow(places))?;
        let step: u64 = step.parse().ok()?;
        if one % step != 0 || one / step > FRACTIONS_MAX {
            return None;
        }
        let spelled: Vec<String> = (1..one / step).map(|i| format!("{:0places$}", i * step)).collect();
        let texts = spelled.iter().map(|digits| digits.trim_end_matches('0'));
        Regex::or([Regex::literals(texts).then(zeros.clone().star()), zeros.plus()])
    };
    Some(signed(Regex::concat([whole(), Regex::literal(".").then(fractions).optional()])))
}

/// Unsigned spellings of magnitudes not below the bound's.
fn magnitude_at_least(bound: &Decimal, kind: Bound) -> Regex {
    let whole = bound.whole_digits();
    let len = narrow(whole.len());
    let mut alternatives =
        vec![Regex::concat([digits_in(b'1', b'9'), digit().repeat(len, None), any_fraction()])];
    for (place, digit_here) in whole.bytes().enumerate().filter(|&(_, d)| d < b'9') {
        alternatives.push(Regex::concat([
            Regex::literal(&whole[..place]),
            digits_in(digit_here + 1, b'9'),
            digit().times(len - narrow(place) - 1),
            any_fraction(),
        ]));
    }
    alternatives.push(Regex::literal(whole).then(fraction_at_least(&bound.fraction, kind)));
    Regex::or(alternatives)
}

/// What may follow the bound's integer part, the point included, so that the magnitude is not below the bound's.
fn fraction_at_least(fraction: &str, kind: Bound) -> Regex {
    let tail = match kind {
        Bound::Inclusive if fraction.is_empty() => return any_fraction(),
        Bound::Inclusive => digit().star(),
        Bound::Exclusive => some_nonzero(),
    };
    let mut alternatives = Vec::new();
    for (place, digit_here) in fraction.bytes().enumerate().filter(|&(_, d)| d < b'9') {
        alternatives.push(Regex::concat([
            Regex::literal(&fraction[..place]),
            digits_in(digit_here + 1, b'9'),
            digit().star(),
        ]));
    }
    alternatives.push(Regex::literal(fraction).then(tail));
    Regex::literal(".").then(Regex::or(alternatives))
}

/// Unsigned spellings of magnitudes not above the bound's.
fn magnitude_at_most(bound: &Decimal, kind: Bound) -> Regex {
    let whole = bound.whole_digits();
    let len = narrow(whole.len());
    let mut alternatives = Vec::new();
    if let Some(more) = len.checked_sub(2) {
        let shorter =
            Regex::or([Regex::literal("0"), digits_in(b'1', b'9').then(digit().repeat(0, Some(more)))]);
        alternatives.push(shorter.then(any_fraction()));
    }
    for (place, digit_here) in whole.bytes().enumerate() {
        // A longer integer part has no leading zero.
        let least = if place == 0 && len > 1 { b'1' } else { b'0' };
        if digit_here > least {
            alternatives.push(Regex::concat([
                Regex::literal(&whole[..place]),
                digits_in(least, digit_here - 1),
                digit().times(len - narrow(place) - 1),
                any_fraction(),
            ]));
        }
    }
    alternatives.push(Regex::literal(whole).then(fraction_at_most(&bound.fraction, kind)));
    Regex::or(alternatives)
}

/// What may follow the bound's integer part, the point included, so that the magnitude is not above the bound's.
fn fraction_at_most(fraction: &str, kind: Bound) -> Regex {
    if fraction.is_empty() {
        return match kind {
            Bound::Inclusive => zero_fraction(),
            Bound::Exclusive => Regex::Nothing,
        };
    }
    let mut alternatives = Vec::new();
    for (place, digit_here) in fraction.bytes().enumerate().filter(|&(_, d)| d > b'0') {
        alternatives.push(Regex::concat([
            Regex::literal(&fraction[..place]),
            digits_in(b'0', digit_here - 1),
            digit().star(),
        ]));
    }
    // The last digit is not 0, so whatever is cut off is less.
    alternatives.push(Regex::literals((1..fraction.len()).map(|place| &fraction[..place])));
    if kind == Bound::Inclusive {
        alternatives.push(Regex::literal(fraction).then(Regex::literal("0").star()));
    }
    Regex::literal(".").then(Regex::or(alternatives)).optional()
}

/// Any magnitude, plainly spelled.
fn any() -> Regex {
    Regex::concat([whole(), any_fraction()])
}

fn minus() -> Regex {
    Regex::literal("-")
}

fn signed(magnitude: Regex) -> Regex {
    Regex::concat([minus().optional(), magnitude])
}

fn digits_in(low: u8, high: u8) -> Regex {
    Regex::set(CharSet::range(char::from(low), char::from(high)))
}

fn digit() -> Regex {
    digits_in(b'0', b'9')
}

/// An integer part.
fn whole() -> Regex {
    Regex::or([Regex::literal("0"), digits_in(b'1', b'9').then(digit().star())])
}

fn any_fraction() -> Regex {
    Regex::literal(".").then(digit().plus()).optional()
}

fn zero_fraction() -> Regex {
    Regex::literal(".").then(Regex::literal("0").plus()).optional()
}

/// Zero, unsigned.
fn zero() -> Regex {
    Regex::literal("0").then(zero_fraction())
}

/// Digits of which one at least is not zero.
fn some_nonzero() -> Regex {
    Regex::concat([digit().star(), digits_in(b'1', b'9'), digit().star()])
}

fn exponent() -> Regex {
    Regex::concat([
        Regex::set(CharSet::of("eE")),
        Regex::set(CharSet::of("+-")).optional(),
        digit().repeat(1, Some(EXPONENT_DIGITS_MAX)),
    ])
}

#[cfg(test)]
#[path = "number_tests.rs"]
mod tests;
