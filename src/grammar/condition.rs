//! What a schema asks of numbers, as languages under the policy: bounds, divisibility, equality, and their opposites.
//!
//! Without exponents a value has few spellings, and each condition is a regex (`number.rs`). With them a condition is the set of its
//! values: [`Regex::Spelled`].

use crate::grammar::number::{self, Bound, Decimal};
use crate::grammar::policy::NumberSpelling;
use crate::grammar::regex::Regex;
use crate::grammar::values::{Step, Values};

fn spelled(values: Values) -> Regex {
    if values.is_plainly_empty() { Regex::Nothing } else { Regex::Spelled(Box::new(values)) }
}

/// Every number that the policy spells.
#[must_use]
pub fn any(spelling: NumberSpelling) -> Regex {
    match spelling {
        NumberSpelling::Plain => number::syntax(spelling),
        NumberSpelling::All => spelled(Values::all()),
    }
}

/// The numbers that are at least (`Exclusive`: greater than) the bound.
#[must_use]
pub fn at_least(bound: &Decimal, kind: Bound, spelling: NumberSpelling) -> Regex {
    match spelling {
        NumberSpelling::Plain => number::at_least(bound, kind),
        NumberSpelling::All => spelled(Values::at_least(bound, kind)),
    }
}

/// The numbers that are at most (`Exclusive`: less than) the bound.
#[must_use]
pub fn at_most(bound: &Decimal, kind: Bound, spelling: NumberSpelling) -> Regex {
    match spelling {
        NumberSpelling::Plain => number::at_most(bound, kind),
        NumberSpelling::All => spelled(Values::at_most(bound, kind)),
    }
}

/// This number.
#[must_use]
pub fn equal(value: &Decimal, spelling: NumberSpelling) -> Regex {
    match spelling {
        NumberSpelling::Plain => number::equal(value),
        NumberSpelling::All => spelled(Values::equal(value)),
    }
}

/// Any of these numbers.
#[must_use]
pub fn one_of(values: &[Decimal], spelling: NumberSpelling) -> Regex {
    match spelling {
        NumberSpelling::Plain => number::one_of(values),
        NumberSpelling::All => Regex::or(values.iter().map(|value| equal(value, spelling))),
    }
}

/// The integers: without exponents those spelled without a fraction.
#[must_use]
pub fn integer(spelling: NumberSpelling) -> Regex {
    match spelling {
        NumberSpelling::Plain => number::integer(),
        NumberSpelling::All => spelled(Values::multiple_of(Step::ONE)),
    }
}

/// The numbers that are no integers.
#[must_use]
pub fn no_integer(spelling: NumberSpelling) -> Regex {
    match spelling {
        NumberSpelling::Plain => number::fractional(),
        NumberSpelling::All => spelled(Values::no_multiple_of(Step::ONE)),
    }
}

/// The multiples of a number above zero, whose digits without the point are less than 2^64: else `None`.
#[must_use]
pub fn multiple_of(divisor: &Decimal, spelling: NumberSpelling) -> Option<Regex> {
    match (spelling, divisor.to_u64()) {
        (NumberSpelling::Plain, Some(of)) => Some(Regex::Multiple { of }),
        (NumberSpelling::Plain, None) => number::multiple_of_fraction(divisor),
        (NumberSpelling::All, _) => Some(spelled(Values::multiple_of(divisor.step()?))),
    }
}

/// The numbers that are no multiples, likewise.
#[must_use]
pub fn no_multiple_of(divisor: &Decimal, spelling: NumberSpelling) -> Option<Regex> {
    match (spelling, divisor.to_u64()) {
        (NumberSpelling::Plain, Some(of)) => Some(number::no_multiple(of)),
        (NumberSpelling::Plain, None) => Some(opposite(&multiple_of(divisor, spelling)?, spelling)),
        (NumberSpelling::All, _) => Some(spelled(Values::no_multiple_of(divisor.step()?))),
    }
}

/// The numbers that do not satisfy one of these conditions, or a combination of them.
#[must_use]
pub fn opposite(of: &Regex, spelling: NumberSpelling) -> Regex {
    match (spelling, of) {
        (NumberSpelling::All, Regex::Spelled(values)) => {
            Regex::or(values.opposite().into_iter().map(spelled))
        }
        (NumberSpelling::All, Regex::Or(parts)) => {
            Regex::and(parts.iter().map(|part| opposite(part, spelling)))
        }
        _ => any(spelling).except(of.clone()),
    }
}
