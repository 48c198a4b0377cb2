//! Multiples between bounds, found by arithmetic.
//!
//! Bounds that are far apart have room for many remainders, and a search for a multiple between them goes through all. But what bounds
//! leave of the next `k` digits is an interval, for each `k`: it is counted, and whether it has a multiple is one division. Where what
//! stands beside the divisor leaves no interval, or for too many `k`, the search decides as before.

use rustc_hash::FxHashMap;

use super::derive::Range;
use super::{Kind, Read, Terms};
use crate::index::TermId;
use crate::limits::INTERVAL_TERMS_MAX;

/// So many further digits are counted with: their values fit 128 bits.
const DIGITS_MAX: u32 = 38;

/// So many zeros are read to see whether they go on for ever.
const ZEROS_TRIED_MAX: usize = 4;

/// Values of texts of so many digits each.
#[derive(Clone, Copy)]
struct Counted {
    least: u128,
    greatest: u128,
    count: u128,
}

/// What stands beside the divisor, by its terms and the number of digits that follow.
#[derive(Default)]
struct Interval {
    known: FxHashMap<(TermId, u32), Option<Counted>>,
}

/// Something else than digits decides.
struct Unclear;

impl Terms {
    /// Whether a conjunction of one divisor, part of whose multiple has been read, with plain terms matches some text. `None` if it is
    /// no such term or it is not found out.
    pub(super) fn has_multiple_between(&self, members: &[TermId]) -> Option<bool> {
        let divisor = |&member: &TermId| match *self.kind(member) {
            Kind::Multiple { of, read: Read::Digits { missing, remainder } } => {
                Some((of, missing, remainder))
            }
            _ => None,
        };
        let (of, missing, remainder) = members.iter().find_map(divisor)?;
        let others: Vec<TermId> =
            members.iter().copied().filter(|member| divisor(member).is_none()).collect();
        let all_plain = others.iter().all(|&member| self.facts(member).plain);
        if others.len() + 1 != members.len() || !all_plain {
            return None;
        }
        let bounds = self.and(&others);
        let mut interval = Interval::default();
        let mut power = 1;
        for digits in 0..=DIGITS_MAX {
            let Some(found) = interval.of(self, bounds, digits).ok()? else {
                if !interval.goes_on(self, bounds, digits) {
                    return Some(false);
                }
                power = power * 10 % u128::from(of);
                continue;
            };
            // With gaps, or a last digit after which a fraction must come, this says nothing.
            if found.count != found.greatest - found.least + 1 {
                return None;
            }
            let start = (u128::from(remainder) * power + found.least % u128::from(of)) % u128::from(of);
            let first = (u128::from(of) - start) % u128::from(of);
            if digits >= missing && first <= found.greatest - found.least {
                return Some(true);
            }
            power = power * 10 % u128::from(of);
        }
        None
    }
}

impl Terms {
    /// Whether zeros behind a point are plainly no way to the end.
    fn refuses_zeros(&self, term: TermId) -> bool {
        let members = match self.kind(term) {
            Kind::And(members) => members,
            _ => std::slice::from_ref(&term),
        };
        members.iter().any(|&member| {
            let Ok(mut at) = self.derive(member, u32::from('.')) else { return false };
            for _ in 0..ZEROS_TRIED_MAX {
                let Ok(next) = self.derive(at, u32::from('0')) else { return false };
                if next == at || self.nullable(next) {
                    return next == at && !self.nullable(next);
                }
                at = next;
            }
            false
        })
    }
}

impl Interval {
    /// The texts of so many digits.
    fn of(&mut self, terms: &Terms, term: TermId, digits: u32) -> Result<Option<Counted>, Unclear> {
        if let Some(&known) = self.known.get(&(term, digits)) {
            return Ok(known);
        }
        if self.known.len() >= INTERVAL_TERMS_MAX {
            return Err(Unclear);
        }
        let list = &terms.list(term).map_err(|_| Unclear)?.ranges;
        let mut counted: Option<Counted> = None;
        if digits == 0 {
            let point = u32::from('.');
            match terms.nullable(term) {
                true => counted = Some(Counted { least: 0, greatest: 0, count: 1 }),
                false if !list.iter().any(|range| range.lo <= point && range.hi >= point) => {}
                // A bound that excludes itself asks for a fraction, and a multiple has none.
                false if terms.refuses_zeros(term) => {}
                false => return Err(Unclear),
            }
        } else {
            let power = 10_u128.pow(digits - 1);
            for (digit, target) in next_digits(list) {
                let Some(rest) = self.of(terms, target, digits - 1)? else { continue };
                let start = u128::from(digit) * power;
                let all = counted.get_or_insert(Counted { least: start + rest.least, greatest: 0, count: 0 });
                all.greatest = start + rest.greatest;
                all.count += rest.count;
            }
        }
        self.known.insert((term, digits), counted);
        Ok(counted)
    }

    /// Whether so many digits lead anywhere. They have been counted.
    fn goes_on(&self, terms: &Terms, term: TermId, digits: u32) -> bool {
        let mut layer = vec![term];
        for _ in 0..digits {
            let mut next: Vec<TermId> = Vec::new();
            for term in layer {
                let Ok(list) = terms.list(term) else { return true };
                next.extend(next_digits(&list.ranges).map(|(_, target)| target));
            }
            next.sort_unstable();
            next.dedup();
            layer = next;
        }
        !layer.is_empty()
    }
}

/// The digits that may come next, and where they lead.
fn next_digits(ranges: &[Range]) -> impl Iterator<Item = (u32, TermId)> {
    (0..10).filter_map(move |digit| {
        let c = u32::from('0') + digit;
        ranges.iter().find(|range| range.lo <= c && range.hi >= c).map(|range| (digit, range.target))
    })
}
