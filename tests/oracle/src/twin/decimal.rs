//! Exact decimals as strings of digits.

use std::cmp::Ordering;

use super::surface::number_parts;

/// Largest exponent that is written out.
const EXPONENT_MAX: i64 = 20_000;

/// A decimal number: sign, digits before the point without leading zeros, digits after it without trailing ones.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Decimal {
    negative: bool,
    integer: String,
    fraction: String,
}

impl Decimal {
    /// The value of a JSON number; `None` if its exponent is out of all reason.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let parts = number_parts(text);
        let mut integer = parts.integer.to_owned();
        let mut fraction = parts.fraction.unwrap_or("").to_owned();
        let exponent: i64 = parts.exponent.map_or(Some(0), |exponent| exponent.parse().ok())?;
        if exponent.abs() > EXPONENT_MAX {
            return None;
        }
        for _ in 0..exponent {
            integer.push(if fraction.is_empty() { '0' } else { fraction.remove(0) });
        }
        for _ in exponent..0 {
            fraction.insert(0, integer.pop().unwrap_or('0'));
        }
        let integer = integer.trim_start_matches('0').to_owned();
        let fraction = fraction.trim_end_matches('0').to_owned();
        let negative = parts.negative && !(integer.is_empty() && fraction.is_empty());
        Some(Self { negative, integer, fraction })
    }

    /// Zero.
    #[must_use]
    pub fn zero() -> Self {
        Self { negative: false, integer: String::new(), fraction: String::new() }
    }

    /// Digits before the point, no leading zeros.
    #[must_use]
    pub fn integer_digits(&self) -> &str {
        &self.integer
    }

    /// Digits after the point, no trailing zeros.
    #[must_use]
    pub fn fraction_digits(&self) -> &str {
        &self.fraction
    }

    /// Whether it is an integer.
    #[must_use]
    pub fn is_integer(&self) -> bool {
        self.fraction.is_empty()
    }

    /// Whether it is an integer multiple of `of`.
    #[must_use]
    pub fn is_multiple(&self, of: u64) -> bool {
        let residue = self
            .integer
            .bytes()
            .fold(0_u128, |residue, digit| (residue * 10 + u128::from(digit - b'0')) % u128::from(of));
        self.is_integer() && residue == 0
    }

    fn magnitude(&self, other: &Self) -> Ordering {
        self.integer
            .len()
            .cmp(&other.integer.len())
            .then_with(|| self.integer.cmp(&other.integer))
            .then_with(|| self.fraction.cmp(&other.fraction))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.negative, other.negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.magnitude(other),
            (true, true) => other.magnitude(self),
        }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::Decimal;

    fn of(text: &str) -> Decimal {
        Decimal::parse(text).expect("a number")
    }

    #[test]
    fn values_are_compared_by_value() {
        let ascending =
            ["-10", "-9.5", "-0.05", "0", "0.049", "0.05", "0.5", "1", "1.05", "1.5", "9", "10", "1e2"];
        for (i, a) in ascending.iter().enumerate() {
            for (j, b) in ascending.iter().enumerate() {
                assert_eq!(of(a).cmp(&of(b)), i.cmp(&j), "{a} {b}");
            }
        }
        for (a, b) in [("1", "1.0"), ("-0", "0.00"), ("100", "1E+2"), ("0.015", "1.5e-2"), ("1.5e1", "15")] {
            assert_eq!(of(a), of(b));
        }
        assert_eq!(Decimal::parse("1e999999999"), None);
    }

    #[test]
    fn multiples_are_integers_without_rest() {
        for (text, multiple, expected) in
            [("12", 4, true), ("-12.0", 4, true), ("0", 7, true), ("13", 4, false), ("4.5", 1, false)]
        {
            assert_eq!(of(text).is_multiple(multiple), expected, "{text} {multiple}");
        }
    }
}
