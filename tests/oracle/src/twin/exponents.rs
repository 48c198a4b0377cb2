//! How a started number can end where exponents are spelled and its value matters: by trying.
//!
//! A value satisfies what another does if it lies in the same gap between the constants and the same divisors divide it. So of each
//! beginning a few continuations are tried: up to two more digits, which have every remainder for small divisors, or those of a constant and
//! their neighbours; and exponents that move the point to each constant's place, to the last digit's, or a little further.
//! Constants of more digits, greater divisors and sets of bytes that can't spell all numbers are too large.

use super::decimal::Decimal;
use super::leaf::{Endings, NUMBER_BYTES};
use super::location::{Keyword, Kind};
use super::pool::keep;
use super::position::PositionId;
use super::surface::{number_goes_on, number_is_complete, number_parts};
use super::value::Value;
use super::{TooLarge, Twin};

/// Most digits of a constant.
const CONSTANT_DIGITS_MAX: usize = 12;
/// The greatest divisor.
const DIVISOR_MAX: u64 = 100;

impl Twin {
    /// Whether a keyword at the position asks for more of a number than its kind.
    pub(super) fn asks_for_values(&self, position: PositionId) -> bool {
        self.in_place_keywords(position).into_iter().any(|keyword| match keyword {
            Keyword::Bound(..) | Keyword::MultipleOf(_) | Keyword::Equals(Value::Number(_)) => true,
            Keyword::Types(kinds) => kinds.contains(&Kind::Integer),
            _ => false,
        })
    }

    /// How a started number can end.
    pub(super) fn endings_by_value(&self, position: PositionId, text: &str) -> Result<Endings, TooLarge> {
        if !NUMBER_BYTES.iter().all(|&byte| self.bytes.has(byte)) {
            return Err(TooLarge);
        }
        let mut constants = Vec::new();
        for keyword in self.in_place_keywords(position) {
            match keyword {
                Keyword::Bound(_, constant) => constants.push(constant.clone()),
                Keyword::Equals(Value::Number(text)) => constants.push(Decimal::parse(text).ok_or(TooLarge)?),
                Keyword::MultipleOf(of) if *of > DIVISOR_MAX => return Err(TooLarge),
                _ => {}
            }
        }
        let digits = |c: &Decimal| c.integer_digits().len() + c.fraction_digits().len();
        if constants.iter().any(|constant| digits(constant) > CONSTANT_DIGITS_MAX) {
            return Err(TooLarge);
        }
        let mut endings = Endings::new();
        let mut add = |rest: String| {
            let whole = format!("{text}{rest}");
            if number_is_complete(&whole) && number_goes_on(&whole, self.policy.numbers) {
                let truths = self.truths(position, &Value::Number(whole));
                keep(self.search, &mut endings, truths, || rest);
            }
        };
        let parts = number_parts(text);
        if let Some(exponent) = parts.exponent {
            let signs: &[&str] = if exponent.is_empty() { &["", "-"] } else { &[""] };
            for sign in signs {
                for rest in short_digits().chain(["999".to_owned()]) {
                    add(format!("{sign}{rest}"));
                }
            }
            return Ok(endings);
        }
        let read = format!("{}{}", parts.integer, parts.fraction.unwrap_or(""));
        let mut suffixes: Vec<String> = short_digits().collect();
        for constant in &constants {
            suffixes.extend(towards(&read, constant));
        }
        let starts: &[&str] = if text.is_empty() { &["", "0.", "-", "-0."] } else { &["", "0.", "."] };
        for suffix in &suffixes {
            for point in starts {
                let whole = format!("{text}{point}{suffix}");
                if !number_is_complete(&whole) || !number_goes_on(&whole, self.policy.numbers) {
                    continue;
                }
                for exponent in exponents(&whole, &constants) {
                    match exponent {
                        0 => add(format!("{point}{suffix}")),
                        _ => add(format!("{point}{suffix}e{exponent}")),
                    }
                }
            }
        }
        Ok(endings)
    }
}

/// No digit, one, or two.
fn short_digits() -> impl Iterator<Item = String> {
    let one = (0..10).map(|digit| digit.to_string());
    let two = (0..100).map(|digits| format!("{digits:02}"));
    std::iter::once(String::new()).chain(one).chain(two)
}

/// Significant digits, without zeros at the end.
fn significant(constant: &Decimal) -> String {
    let digits = format!("{}{}", constant.integer_digits(), constant.fraction_digits());
    digits.trim_matches('0').to_owned()
}

/// Digits that go on to those of a constant, and to neighbours of it.
fn towards(read: &str, constant: &Decimal) -> Vec<String> {
    let whole = significant(constant);
    let Some(rest) = whole.strip_prefix(read.trim_start_matches('0')) else { return Vec::new() };
    let Some(last) = rest.chars().last().and_then(|c| c.to_digit(10)) else { return Vec::new() };
    let before = &rest[..rest.len() - 1];
    let mut found = vec![rest.to_owned(), format!("{rest}1"), format!("{before}{}9", last.saturating_sub(1))];
    found.push(format!("{before}{}", last - 1));
    found.extend((last < 9).then(|| format!("{before}{}", last + 1)));
    found
}

/// Exponents that move the point to where it matters.
fn exponents(text: &str, constants: &[Decimal]) -> Vec<i64> {
    let parts = number_parts(text);
    let len = |text: &str| i64::try_from(text.len()).expect("a short text");
    let behind = parts.fraction.map_or(0, len);
    let digits = format!("{}{}", parts.integer, parts.fraction.unwrap_or(""));
    let zeros = len(&digits) - len(digits.trim_start_matches('0'));
    // The value is 0.DIGITS times ten to this power.
    let point = len(parts.integer) - zeros;
    let last = behind - (len(&digits) - len(digits.trim_end_matches('0')));
    let mut found = vec![0, behind];
    found.extend((last - 1)..(last + 4));
    for constant in constants {
        let integer = len(constant.integer_digits());
        let fraction = constant.fraction_digits();
        let theirs =
            if integer > 0 { integer } else { len(fraction.trim_start_matches('0')) - len(fraction) };
        found.extend((theirs - point - 1)..(theirs - point + 3));
    }
    found.sort_unstable();
    found.dedup();
    found
}
