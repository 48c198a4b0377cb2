//! Numbers whose digits may be anything for a while.
//!
//! A condition on divisibility forbids no next digit: among enough further digits every remainder occurs. So the tokens that are all
//! digits need not be tried one by one, and it is known without a search that some text matches. (States for each remainder
//! would be as many as the divisor is large.)

use super::{FractionRead, Kind, Read, Terms};
use crate::index::TermId;

/// So many further digits have every remainder, for divisors with a product below `10^ROOM`.
const ROOM: u32 = 38;

/// What is asked of the number that the digits spell.
#[derive(Clone)]
struct Divisors {
    /// It is a multiple of this one.
    of: Option<u64>,
    /// It is no multiple of these.
    not_of: Vec<u64>,
}

impl Terms {
    /// Whether any `count` digits may follow, and some text matches after them: a sufficient condition. It holds for conditions on
    /// divisibility beside terms that take any digits for long enough.
    ///
    /// With `a` the divisor and `b` the others, of which none divides `a`: the numbers that leave `a` modulo `a · lcm(b)` are
    /// multiples of `a` and of no `b`. Where `k` more digits may be anything and `10^k` exceeds the modulus, one of them is such a
    /// number, whatever digits came before.
    #[must_use]
    pub fn digits_go_on(&self, term: TermId, count: u32) -> bool {
        let goes_on = |term: TermId| match self.kind(term) {
            Kind::Spelled { values, read } => self.spelled_digits_go_on(*values, read, count),
            _ => false,
        };
        // One of several sets of values is enough.
        if goes_on(term)
            || matches!(self.kind(term), Kind::Or(members) if members.iter().any(|&m| goes_on(m)))
        {
            return true;
        }
        let mut divisors = Divisors { of: None, not_of: Vec::new() };
        if !self.find_divisors(term, count + ROOM, &mut divisors) {
            return false;
        }
        let Divisors { of, not_of } = divisors;
        let of = of.unwrap_or(1);
        let modulus =
            not_of.iter().try_fold(u128::from(of), |product, &b| product.checked_mul(u128::from(b)));
        not_of.iter().all(|&b| of % b != 0) && modulus.is_some_and(|modulus| modulus < 10u128.pow(ROOM))
    }

    /// Collects the divisors; no if something else stands in the way.
    fn find_divisors(&self, term: TermId, digits: u32, into: &mut Divisors) -> bool {
        match *self.kind(term) {
            Kind::Multiple { of, read: Read::Digits { .. } } => into.of.replace(of).is_none(),
            Kind::FractionMultiple { of, read: FractionRead::Whole(_), .. } => into.of.replace(of).is_none(),
            Kind::And(ref members) => members.iter().all(|&member| self.find_divisors(member, digits, into)),
            Kind::Not(of) => {
                let parts = match self.kind(of) {
                    Kind::Or(parts) => parts,
                    _ => std::slice::from_ref(&of),
                };
                parts.iter().all(|&part| match *self.kind(part) {
                    Kind::Multiple { of, read: Read::Digits { .. } } => {
                        into.not_of.push(of);
                        true
                    }
                    _ => false,
                })
            }
            _ if self.takes_digits(term, digits) => true,
            // One way through a union is enough.
            Kind::Or(ref members) => members.iter().any(|&member| {
                let mut through = into.clone();
                let found = self.find_divisors(member, digits, &mut through);
                if found {
                    *into = through;
                }
                found
            }),
            _ => false,
        }
    }

    /// Whether all texts of so many digits match, whatever the digits are, as far as that is plain to see.
    fn takes_digits(&self, term: TermId, digits: u32) -> bool {
        let mut at = term;
        for _ in 0..digits {
            if !self.nullable(at) {
                return false;
            }
            let Ok(list) = self.list(at) else { return false };
            let (zero, nine) = (u32::from('0'), u32::from('9'));
            let Some(range) = list.ranges.iter().find(|range| range.lo <= zero && range.hi >= nine) else {
                return false;
            };
            if range.target == at {
                return true;
            }
            at = range.target;
        }
        self.nullable(at)
    }
}

#[cfg(test)]
#[path = "multiples_tests.rs"]
mod tests;
