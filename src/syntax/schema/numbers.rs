//! `minimum`, `maximum`, `exclusiveMinimum`, `exclusiveMaximum`, `multipleOf`; and the counts of other keywords.

use super::draft::Draft;
use super::refuse;
use super::walk::Site;
use crate::error::{CompileError, CompileErrorKind};
use crate::grammar::condition;
use crate::grammar::number::{Bound, Decimal};
use crate::grammar::program::Node;
use crate::syntax::json::{Kind, Value};

/// `minimum` and `exclusiveMinimum`.
pub(super) fn at_least(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    if let Some((bound, kind)) = bound(site, "exclusiveMinimum", "minimum")? {
        let spelling = site.builder.plan.policy.numbers;
        site.assert(Node::Number(condition::at_least(&bound, kind, spelling)))?;
    }
    Ok(())
}

/// `maximum` and `exclusiveMaximum`.
pub(super) fn at_most(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    if let Some((bound, kind)) = bound(site, "exclusiveMaximum", "maximum")? {
        let spelling = site.builder.plan.policy.numbers;
        site.assert(Node::Number(condition::at_most(&bound, kind, spelling)))?;
    }
    Ok(())
}

/// The bound that a keyword sets. In draft-04 the exclusive form is a boolean that modifies the other keyword.
fn bound(
    site: &Site<'_, '_>,
    exclusive: &str,
    inclusive: &str,
) -> Result<Option<(Decimal, Bound)>, CompileError> {
    if site.dialect.draft == Draft::Draft4 {
        if site.name == exclusive {
            return match site.value.kind() {
                Kind::Boolean(_) => Ok(None),
                _ => Err(site.invalid(&format!("in draft-04 it is true or false and modifies {inclusive}"))),
            };
        }
        let modifier = site.sibling(exclusive).map(Value::kind);
        let kind = if modifier == Some(Kind::Boolean(true)) { Bound::Exclusive } else { Bound::Inclusive };
        return Ok(Some((decimal(site, site.value)?, kind)));
    }
    if site.name == exclusive && matches!(site.value.kind(), Kind::Boolean(_)) {
        let help = format!("from draft-06 on it is the bound itself: put the number of {inclusive} here");
        return Err(site.invalid(&help));
    }
    let kind = if site.name == exclusive { Bound::Exclusive } else { Bound::Inclusive };
    Ok(Some((decimal(site, site.value)?, kind)))
}

/// A JSON number, exactly.
pub(super) fn decimal(site: &Site<'_, '_>, value: Value<'_>) -> Result<Decimal, CompileError> {
    let Kind::Number(text) = value.kind() else { return Err(site.invalid("expected a number")) };
    Decimal::parse(text).map_err(|e| refuse(CompileErrorKind::Limit, value, site.name, e.to_string()))
}

/// `multipleOf`.
pub(super) fn multiple_of(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    let divisor = decimal(site, site.value)?;
    if divisor.is_zero() || divisor.is_negative() {
        let found = if divisor.is_zero() { "0" } else { "below 0" };
        let message = format!("the value is {found}, and a divisor must be a number above 0");
        return Err(refuse(CompileErrorKind::Invalid, site.value, site.name, message));
    }
    let spelling = site.builder.plan.policy.numbers;
    match (condition::multiple_of(&divisor, spelling), condition::no_multiple_of(&divisor, spelling)) {
        (Some(is), Some(opposite)) => site.assert_number(is, opposite),
        _ => {
            let message = "divisors are taken whose digits, without the point, are at most 10^37";
            Err(refuse(CompileErrorKind::Limit, site.value, site.name, message))
        }
    }
}

/// A count as JSON Schema writes it: any spelling of an integer from 0 on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Natural {
    /// So many.
    Of(u64),
    /// 2^64 or more.
    Huge,
}

impl Natural {
    /// The length of a list.
    pub(super) fn count(len: usize) -> Self {
        u64::try_from(len).map_or(Self::Huge, Self::Of)
    }

    /// The count, or the greatest that fits: nothing that can be generated has 2^64 parts.
    pub(super) fn saturated(self) -> u64 {
        match self {
            Self::Of(count) => count,
            Self::Huge => u64::MAX,
        }
    }
}

/// The count that is the site's value.
pub(super) fn natural(site: &Site<'_, '_>) -> Result<Natural, CompileError> {
    if !matches!(site.value.kind(), Kind::Number(_)) {
        return Err(site.invalid("expected an integer from 0 on"));
    }
    let value = decimal(site, site.value)?;
    match value.to_u64() {
        Some(count) => Ok(Natural::Of(count)),
        None if value.is_integer() && !value.is_negative() => Ok(Natural::Huge),
        None => Err(site.invalid_text("the value is no integer from 0 on")),
    }
}
