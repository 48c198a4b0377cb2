//! How many values a set has, and which: for arrays whose items all differ.

use crate::grammar::number::{Bound, Decimal};
use crate::grammar::values::{Edge, Notation, Span, Step, Values};
use crate::limits::ENDLESS_FROM;

/// How many values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Count {
    /// More than anything can hold.
    Endless,
    /// Exactly so many.
    Finite(u64),
    /// It was not found out.
    Unknown,
}

/// Bounds with more digits may leave few values that have a spelling.
const BOUND_DIGITS_MAX: usize = 300;

/// Digits of an integer that is counted with: so many fit 128 bits.
const COUNTED_DIGITS_MAX: i32 = 38;

/// So many multiples are looked at one by one.
const MULTIPLES_MAX: u64 = 10_000;

/// Values on one side of zero.
enum Side {
    Count(Count),
    /// These multiples of the divisor: from the first on, so many.
    Multiples {
        first: u128,
        count: u64,
        step: Step,
    },
    One(Edge),
}

impl Values {
    /// How many values there are.
    #[must_use]
    pub fn count(&self) -> Count {
        let mut sum = u64::from(self.zero);
        for span in [&self.negative, &self.positive].into_iter().flatten() {
            let count = match self.side(span) {
                Side::Count(count) => count,
                Side::One(edge) => Count::Finite(u64::from(self.has_magnitude(&edge))),
                Side::Multiples { count, .. } if self.not_multiple_of.is_empty() => Count::Finite(count),
                Side::Multiples { first, count, step } if count <= MULTIPLES_MAX => {
                    let magnitudes = (0..count).filter_map(|more| magnitude(first, more, step));
                    let left = magnitudes.filter(|edge| self.has_magnitude(edge)).count();
                    u64::try_from(left).map_or(Count::Unknown, Count::Finite)
                }
                Side::Multiples { .. } => Count::Unknown,
            };
            match count {
                Count::Finite(more) => sum = sum.saturating_add(more),
                other => return other,
            }
        }
        if sum >= ENDLESS_FROM { Count::Endless } else { Count::Finite(sum) }
    }

    /// All values, if they are at most so many.
    #[must_use]
    pub fn list(&self, most: u64) -> Option<Vec<Decimal>> {
        let mut found: Vec<Decimal> = Vec::new();
        found.extend(self.zero.then(|| Decimal::from(0)));
        for (span, sign) in [(&self.negative, "-"), (&self.positive, "")] {
            let Some(span) = span else { continue };
            let magnitudes: Vec<Edge> = match self.side(span) {
                Side::Count(_) => return None,
                Side::One(edge) => vec![edge],
                Side::Multiples { count, .. } if count > most => return None,
                Side::Multiples { first, count, step } => {
                    (0..count).map(|more| magnitude(first, more, step)).collect::<Option<_>>()?
                }
            };
            for edge in magnitudes.iter().filter(|edge| self.has_magnitude(edge)) {
                found.push(Decimal::parse(&format!("{sign}{edge}")).ok()?);
            }
        }
        Some(found)
    }

    /// What is between the bounds, whatever must not divide.
    fn side(&self, span: &Span) -> Side {
        let ends = (&span.low, &span.high);
        if let (Some(low), Some(high)) = ends
            && low.point == high.point
            && low.digits == high.digits
        {
            return if self.is_short(low) { Side::One(low.clone()) } else { Side::Count(Count::Unknown) };
        }
        let is_short = |edge: &Option<Edge>| edge.as_ref().is_none_or(|edge| self.is_short(edge));
        let places = self.multiple_of.map_or(0, |step| crate::index::widen(step.places));
        if self.notation != Notation::Exponent
            && !(is_short(ends.0) && is_short(ends.1) && places <= BOUND_DIGITS_MAX)
        {
            return Side::Count(Count::Unknown);
        }
        let Some(step) = self.multiple_of else {
            let short = is_short(ends.0) && is_short(ends.1);
            return Side::Count(if short { Count::Endless } else { Count::Unknown });
        };
        let Some(high) = ends.1 else { return Side::Count(Count::Endless) };
        let low = match ends.0 {
            Some(low) => in_units(low, step, 0),
            None => Some((1, true)),
        };
        let (Some((low, whole)), Some((high, _))) = (low, in_units(high, step, 1)) else {
            return Side::Count(Count::Unknown);
        };
        let of = step.of;
        let first = low + u128::from(!whole);
        let (first, last) = (first.div_ceil(of).max(1), high / of);
        match (last + 1).checked_sub(first) {
            None => Side::Count(Count::Finite(0)),
            Some(count) if count >= u128::from(u64::MAX) && self.not_multiple_of.is_empty() => {
                Side::Count(Count::Endless)
            }
            Some(count) => match u64::try_from(count) {
                Ok(count) => Side::Multiples { first, count, step },
                Err(_) => Side::Count(Count::Unknown),
            },
        }
    }

    /// Whether there is room for many more digits behind those of a bound. Without an exponent, zeros are digits too.
    fn is_short(&self, edge: &Edge) -> bool {
        let len = edge.digits.len();
        let written = match (self.notation, usize::try_from(edge.point)) {
            (Notation::Exponent, _) => len,
            (_, Ok(whole)) => len.max(whole),
            (_, Err(_)) => len + usize::try_from(edge.point.unsigned_abs()).unwrap_or(usize::MAX / 2),
        };
        written <= BOUND_DIGITS_MAX
    }

    /// Whether the magnitude of a bound satisfies the divisors.
    pub(super) fn has_magnitude(&self, edge: &Edge) -> bool {
        let is_multiple = |step: &Step| {
            let len = edge.point + i32::try_from(step.places).unwrap_or(i32::MAX / 2);
            let Ok(len) = usize::try_from(len) else { return false };
            let zeros = len.checked_sub(edge.digits.len());
            let rest = |zeros| {
                let digits = edge.digits.iter().copied().chain(std::iter::repeat_n(0, zeros));
                digits.fold(0, |rest, digit| (rest * 10 + u128::from(digit)) % step.of)
            };
            zeros.is_some_and(|zeros| rest(zeros) == 0)
        };
        self.multiple_of.iter().all(is_multiple) && !self.not_multiple_of.iter().any(is_multiple)
    }
}

/// The integers below a bound in units of the last place: the greatest that is not above it, and whether it is the bound itself and
/// belongs to it (for an upper bound that does not belong, the one before).
fn in_units(edge: &Edge, step: Step, upper: u128) -> Option<(u128, bool)> {
    let len = edge.point + i32::try_from(step.places).ok()?;
    if len > COUNTED_DIGITS_MAX {
        return None;
    }
    let len = usize::try_from(len).unwrap_or(0);
    let digits = edge.digits.iter().copied().chain(std::iter::repeat(0)).take(len);
    let value = digits.fold(0_u128, |value, digit| value * 10 + u128::from(digit));
    let whole = edge.digits.len() <= len;
    let belongs = edge.kind == Bound::Inclusive;
    // Below the first place there is no integer but 0.
    let less = if whole && !belongs { upper } else { 0 };
    Some((value.saturating_sub(less), whole && belongs))
}

/// The `more`th multiple after the first.
fn magnitude(first: u128, more: u64, step: Step) -> Option<Edge> {
    let value = (first + u128::from(more)).checked_mul(step.of)?;
    let (digits, point) = Decimal::parse(&format!("{value}e-{}", step.places)).ok()?.significand()?;
    Some(Edge { digits, point, kind: Bound::Inclusive })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::naive::is_spelled;

    fn between(low: &str, high: &str, kind: Bound) -> Values {
        let decimal = |text| Decimal::parse(text).unwrap();
        let low = Values::at_least(&decimal(low), Bound::Inclusive);
        low.intersection(&Values::at_most(&decimal(high), kind)).unwrap()
    }

    #[test]
    fn counts_and_lists_are_what_trying_finds() {
        for (low, high) in
            [("-3", "12.5"), ("0.2", "0.8"), ("-0.75", "-0.25"), ("5", "5"), ("0", "0"), ("1e1", "3e1")]
        {
            for kind in [Bound::Inclusive, Bound::Exclusive] {
                for (of, places) in [(1, 0), (2, 0), (25, 2), (3, 1), (75, 1)] {
                    for others in [vec![], vec![(3, 0)], vec![(2, 0), (5, 1)]] {
                        let mut values = between(low, high, kind);
                        let step = Values::multiple_of(Step::new(of, places));
                        values = values.intersection(&step).unwrap();
                        for (of, places) in others {
                            let other = Values::no_multiple_of(Step::new(of, places));
                            values = values.intersection(&other).unwrap();
                        }
                        // Every multiple of 0.01 up to 40.
                        let found: Vec<Decimal> = (-4_000..=4_000)
                            .map(|hundredths| format!("{hundredths}e-2"))
                            .filter(|text| is_spelled(&text.chars().collect::<Vec<_>>(), &values))
                            .map(|text| Decimal::parse(&text).unwrap())
                            .collect();
                        let mut listed = values.list(10_000).unwrap();
                        listed.sort_unstable();
                        assert_eq!(listed, found, "{values}");
                        assert_eq!(
                            values.count(),
                            Count::Finite(u64::try_from(found.len()).unwrap()),
                            "{values}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn what_has_no_end_is_endless() {
        assert_eq!(Values::all().count(), Count::Endless);
        assert_eq!(Values::multiple_of(Step::ONE).count(), Count::Endless);
        assert_eq!(between("0.2", "0.20001", Bound::Inclusive).count(), Count::Endless);
        let integers = |high| {
            between("1", high, Bound::Inclusive).intersection(&Values::multiple_of(Step::ONE)).unwrap()
        };
        assert_eq!(integers("1e12").count(), Count::Finite(1_000_000_000_000));
        assert_eq!(integers("1e30").count(), Count::Endless);
        assert_eq!(integers("1e12").list(1_000), None);
        assert_eq!(between("1", "1", Bound::Inclusive).count(), Count::Finite(1));
    }
}
