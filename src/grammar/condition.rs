//! What a schema asks of numbers, as sets of values: bounds, divisibility, equality, and their opposites.
//!
//! A condition is [`Regex::Spelled`]: the set of its values, and in which notation they are spelled. So conditions together are one set
//! or a few, and how their spellings are read is decided when it is known what they all ask. Only lists of numbers are regexes without
//! exponents.

use std::sync::Arc;

use crate::grammar::number::{self, Bound, Decimal};
use crate::grammar::policy::NumberSpelling;
use crate::grammar::regex::Regex;
use crate::grammar::values::{Notation, Step, Values};

fn spelled(values: Values, spelling: NumberSpelling) -> Regex {
    let notation = match spelling {
        NumberSpelling::Plain => Notation::Point,
        NumberSpelling::All => Notation::Exponent,
    };
    of_values(values.written(notation))
}

fn of_values(values: Values) -> Regex {
    if values.is_plainly_empty() { Regex::Nothing } else { Regex::Spelled(Arc::new(values)) }
}

/// Every number that the policy spells.
#[must_use]
pub fn any(spelling: NumberSpelling) -> Regex {
    spelled(Values::all(), spelling)
}

/// The numbers that are at least (`Exclusive`: greater than) the bound.
#[must_use]
pub fn at_least(bound: &Decimal, kind: Bound, spelling: NumberSpelling) -> Regex {
    spelled(Values::at_least(bound, kind), spelling)
}

/// The numbers that are at most (`Exclusive`: less than) the bound.
#[must_use]
pub fn at_most(bound: &Decimal, kind: Bound, spelling: NumberSpelling) -> Regex {
    spelled(Values::at_most(bound, kind), spelling)
}

/// This number.
#[must_use]
pub fn equal(value: &Decimal, spelling: NumberSpelling) -> Regex {
    spelled(Values::equal(value), spelling)
}

/// Any of these numbers.
#[must_use]
pub fn one_of(values: &[Decimal], spelling: NumberSpelling) -> Regex {
    match (spelling, values) {
        (NumberSpelling::Plain, [_, _, ..]) => number::one_of(values),
        _ => Regex::or(values.iter().map(|value| equal(value, spelling))),
    }
}

/// The integers: without exponents those spelled without a fraction.
#[must_use]
pub fn integer(spelling: NumberSpelling) -> Regex {
    let integers = Values::multiple_of(Step::ONE);
    match spelling {
        NumberSpelling::Plain => of_values(integers.written(Notation::Digits)),
        NumberSpelling::All => spelled(integers, spelling),
    }
}

/// The numbers that are no integers.
#[must_use]
pub fn no_integer(spelling: NumberSpelling) -> Regex {
    spelled(Values::no_multiple_of(Step::ONE), spelling)
}

/// The multiples of a number above zero; `None` if it is greater than divisors may be.
#[must_use]
pub fn multiple_of(divisor: &Decimal, spelling: NumberSpelling) -> Option<Regex> {
    Some(spelled(Values::multiple_of(divisor.step()?), spelling))
}

/// The numbers that are no multiples, likewise.
#[must_use]
pub fn no_multiple_of(divisor: &Decimal, spelling: NumberSpelling) -> Option<Regex> {
    Some(spelled(Values::no_multiple_of(divisor.step()?), spelling))
}

/// The numbers that do not satisfy one of these conditions, or a combination of them.
#[must_use]
pub fn opposite(of: &Regex, spelling: NumberSpelling) -> Regex {
    match of {
        Regex::Spelled(values) if values.notation != Notation::Digits => {
            Regex::or(values.opposite().into_iter().map(of_values))
        }
        Regex::Or(parts) if parts.iter().all(|part| matches!(part, Regex::Spelled(_))) => {
            Regex::and(parts.iter().map(|part| opposite(part, spelling)))
        }
        _ => any(spelling).except(of.clone()),
    }
}
