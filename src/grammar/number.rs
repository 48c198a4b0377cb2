//! Exact decimals, and the languages of number spellings that bounds on values mean.

use std::fmt;

use crate::grammar::policy::NumberSpelling;
use crate::grammar::regex::{CharSet, Regex};

/// An exact decimal number of any size within the limits.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Decimal {
    negative: bool,
    /// Digits of the integer part, without leading zeros.
    whole: Box<[u8]>,
    /// Digits of the fraction, without trailing zeros.
    fraction: Box<[u8]>,
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
pub struct DecimalError {
    /// What was found.
    pub message: String,
}

impl fmt::Display for DecimalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for DecimalError {}

impl Decimal {
    /// Reads a JSON number.
    ///
    /// # Errors
    /// If the text is no JSON number, or passes the limits.
    pub fn parse(text: &str) -> Result<Self, DecimalError> {
        Err(DecimalError { message: format!("{text}: not read yet") })
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
}

/// Every number that is spelled.
#[must_use]
pub fn syntax(spelling: NumberSpelling) -> Regex {
    let _ = spelling;
    Regex::set(CharSet::empty())
}

/// Integers.
#[must_use]
pub fn integer(spelling: NumberSpelling) -> Regex {
    let _ = spelling;
    Regex::Nothing
}

/// Plain spellings of the numbers that are at least (greater than) the bound.
#[must_use]
pub fn at_least(bound: &Decimal, kind: Bound) -> Regex {
    let _ = (bound, kind);
    Regex::Nothing
}

/// Plain spellings of the numbers that are at most (less than) the bound.
#[must_use]
pub fn at_most(bound: &Decimal, kind: Bound) -> Regex {
    let _ = (bound, kind);
    Regex::Nothing
}

/// Plain spellings of this number.
#[must_use]
pub fn equal(value: &Decimal) -> Regex {
    let _ = value;
    Regex::Nothing
}
