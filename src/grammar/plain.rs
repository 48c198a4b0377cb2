//! The languages of plain spellings that sets of values have, where a regex says it well.
//!
//! Bounds alone, or with one divisor, make regexes of few states (`number.rs`). What else is asked of values, divisors that must not
//! divide and great ones, is decided by arithmetic on what has been read: for such sets there is no regex here.

use crate::grammar::number::{self, Bound, Decimal};
use crate::grammar::policy::NumberSpelling;
use crate::grammar::regex::Regex;
use crate::grammar::values::{Edge, Notation, Span, Step, Values};

/// The values from one bound to another.
#[derive(Clone, Default)]
struct Interval {
    low: Option<(Decimal, Bound)>,
    high: Option<(Decimal, Bound)>,
}

/// All plain spellings of these values, within the limits of the policy; `None` where exponents may be spelled, or the divisors ask for
/// arithmetic.
#[must_use]
pub fn regex_of(values: &Values) -> Option<Regex> {
    let notation = match values.notation {
        Notation::Exponent => return None,
        Notation::Point => None,
        Notation::Digits => Some(number::integer()),
    };
    let undivided = match values.not_multiple_of[..] {
        [] => None,
        [Step::ONE] => Some(number::fractional()),
        _ => return None,
    };
    let divided = match values.multiple_of {
        Some(Step::ONE) if values.notation == Notation::Digits => None,
        Some(step) => Some(multiple_of(step)?),
        None => None,
    };
    let between = match intervals(values)? {
        all if all.len() == 1 && all[0].is_everything() => None,
        all => Some(Regex::or(all.iter().map(Interval::regex))),
    };
    let syntax = number::syntax(NumberSpelling::Plain);
    Some(Regex::and([Some(syntax), notation, between, divided, undivided].into_iter().flatten()))
}

fn multiple_of(step: Step) -> Option<Regex> {
    match step.places {
        0 => Some(Regex::Multiple { of: u64::try_from(step.of).ok()? }),
        places => number::multiple_of_fraction(&Decimal::parse(&format!("{}e-{places}", step.of)).ok()?),
    }
}

/// The values as intervals apart from each other, upwards.
fn intervals(values: &Values) -> Option<Vec<Interval>> {
    let zero = |kind| Some((Decimal::from(0), kind));
    let bound = |edge: &Edge| Some((Decimal::parse(&edge.to_string()).ok()?, edge.kind));
    let mut all: Vec<Interval> = Vec::new();
    if let Some(Span { low, high }) = &values.negative {
        let negated = |edge: &Edge| bound(edge).map(|(bound, kind)| (bound.negated(), kind));
        let low = low.as_ref().map(|low| negated(low).ok_or(())).transpose().ok()?;
        let high = high.as_ref().map(|high| negated(high).ok_or(())).transpose().ok()?;
        all.push(Interval { low: high, high: low.or_else(|| zero(Bound::Exclusive)) });
    }
    if values.zero {
        match all.last_mut() {
            // Values that reach zero go on there.
            Some(Interval { high: Some((high, kind)), .. }) if high.is_zero() => *kind = Bound::Inclusive,
            _ => all.push(Interval { low: zero(Bound::Inclusive), high: zero(Bound::Inclusive) }),
        }
    }
    if let Some(Span { low, high }) = &values.positive {
        let low = low.as_ref().map(|low| bound(low).ok_or(())).transpose().ok()?;
        let high = high.as_ref().map(|high| bound(high).ok_or(())).transpose().ok()?;
        match all.last_mut() {
            Some(last) if low.is_none() && values.zero => last.high = high,
            _ => all.push(Interval { low: low.or_else(|| zero(Bound::Exclusive)), high }),
        }
    }
    Some(all)
}

impl Interval {
    fn is_everything(&self) -> bool {
        self.low.is_none() && self.high.is_none()
    }

    fn regex(&self) -> Regex {
        if let (Some((low, _)), Some((high, _))) = (&self.low, &self.high)
            && low == high
        {
            return number::equal(low);
        }
        let low = self.low.as_ref().map(|(bound, kind)| number::at_least(bound, *kind));
        let high = self.high.as_ref().map(|(bound, kind)| number::at_most(bound, *kind));
        Regex::and(low.into_iter().chain(high))
    }
}
