//! Does a value satisfy a location? By walking both, one keyword at a time.

use std::cmp::Ordering;
use std::rc::Rc;

use maskwright::NumberSpelling;

use super::Twin;
use super::decimal::Decimal;
use super::location::{Bound, Keyword, Kind, LocationId};
use super::surface::number_parts;
use super::value::Value;

impl Twin {
    /// Whether the value satisfies the location.
    pub(super) fn holds(&self, location: LocationId, value: &Value) -> bool {
        let keywords = self.locations.keywords(location);
        keywords.iter().all(|keyword| self.keyword_holds(keyword, keywords, value))
    }

    fn keyword_holds(&self, keyword: &Keyword, siblings: &[Keyword], value: &Value) -> bool {
        match keyword {
            Keyword::Never => false,
            Keyword::Types(kinds) => kinds.iter().any(|&kind| self.is_kind(kind, value)),
            Keyword::Equals(constant) => equal_scalars(constant, value),
            Keyword::AnyOf(parts) => parts.iter().any(|&part| self.holds(part, value)),
            Keyword::OneOf(parts) => parts.iter().filter(|&&part| self.holds(part, value)).count() == 1,
            Keyword::AllOf(parts) => parts.iter().all(|&part| self.holds(part, value)),
            _ => match value {
                Value::Object(members) => self.object_holds(keyword, siblings, members),
                Value::Array(items) => self.array_holds(keyword, siblings, items),
                Value::Text(text) => text_holds(keyword, text),
                Value::Number(text) => number_holds(keyword, text),
                Value::Null | Value::Bool(_) => true,
            },
        }
    }

    fn is_kind(&self, kind: Kind, value: &Value) -> bool {
        match (kind, value) {
            (Kind::Null, Value::Null)
            | (Kind::Boolean, Value::Bool(_))
            | (Kind::Number, Value::Number(_))
            | (Kind::Text, Value::Text(_))
            | (Kind::Array, Value::Array(_))
            | (Kind::Object, Value::Object(_)) => true,
            (Kind::Integer, Value::Number(text)) => is_integer(text, self.policy.numbers),
            _ => false,
        }
    }

    fn object_holds(
        &self,
        keyword: &Keyword,
        siblings: &[Keyword],
        members: &[(Rc<str>, Rc<Value>)],
    ) -> bool {
        match keyword {
            Keyword::Properties(properties) => members.iter().all(|(name, value)| {
                properties
                    .iter()
                    .filter(|(declared, _)| declared == name)
                    .all(|&(_, at)| self.holds(at, value))
            }),
            Keyword::Additional(at) => members
                .iter()
                .filter(|(name, _)| declared(siblings, name).is_none())
                .all(|(_, value)| self.holds(*at, value)),
            Keyword::Required(names) => names.iter().all(|name| members.iter().any(|(n, _)| n == name)),
            _ => true,
        }
    }

    fn array_holds(&self, keyword: &Keyword, siblings: &[Keyword], items: &[Rc<Value>]) -> bool {
        match keyword {
            Keyword::Prefix(parts) => parts.iter().zip(items).all(|(&at, item)| self.holds(at, item)),
            Keyword::Items(at) => items.iter().skip(prefix_len(siblings)).all(|item| self.holds(*at, item)),
            Keyword::MinItems(count) => items.len() >= *count,
            Keyword::MaxItems(count) => items.len() <= *count,
            _ => true,
        }
    }
}

/// The location that `properties` among the keywords gives a name.
pub(super) fn declared(keywords: &[Keyword], name: &str) -> Option<LocationId> {
    keywords.iter().find_map(|keyword| match keyword {
        Keyword::Properties(properties) => properties.iter().find(|(n, _)| &**n == name).map(|&(_, at)| at),
        _ => None,
    })
}

/// How many positions `prefixItems` among the keywords covers.
pub(super) fn prefix_len(keywords: &[Keyword]) -> usize {
    keywords
        .iter()
        .find_map(|keyword| match keyword {
            Keyword::Prefix(parts) => Some(parts.len()),
            _ => None,
        })
        .unwrap_or(0)
}

fn text_holds(keyword: &Keyword, text: &str) -> bool {
    match keyword {
        Keyword::MinLength(count) => text.chars().count() >= *count,
        Keyword::MaxLength(count) => text.chars().count() <= *count,
        Keyword::Pattern(pattern) => pattern.is_match(text),
        _ => true,
    }
}

/// The value of a number, if it is spelled without an exponent: of others the policy lets a schema ask for the sign alone.
fn plain_value(text: &str) -> Option<Decimal> {
    if number_parts(text).exponent.is_some() { None } else { Decimal::parse(text) }
}

/// Whether a bound holds for a number spelled with an exponent: only where its sign alone says so (and, against zero,
/// that its digits are all zero).
fn sign_decides(bound: Bound, limit: &Decimal, text: &str) -> bool {
    let parts = number_parts(text);
    let is_zero =
        format!("{}{}", parts.integer, parts.fraction.unwrap_or("")).bytes().all(|digit| digit == b'0');
    let (far, near) = match bound {
        Bound::Minimum | Bound::ExclusiveMinimum => (Ordering::Less, !parts.negative),
        Bound::Maximum | Bound::ExclusiveMaximum => (Ordering::Greater, parts.negative),
    };
    match (limit.cmp(&Decimal::zero()), bound) {
        (Ordering::Equal, Bound::Minimum | Bound::Maximum) => near || is_zero,
        (Ordering::Equal, _) => near && !is_zero,
        (side, _) => side == far && near,
    }
}

fn number_holds(keyword: &Keyword, text: &str) -> bool {
    match keyword {
        Keyword::Bound(bound, limit) => match plain_value(text) {
            None => sign_decides(*bound, limit, text),
            Some(value) => match bound {
                Bound::Minimum => value >= *limit,
                Bound::Maximum => value <= *limit,
                Bound::ExclusiveMinimum => value > *limit,
                Bound::ExclusiveMaximum => value < *limit,
            },
        },
        Keyword::MultipleOf(of) => plain_value(text).is_some_and(|value| value.is_multiple(*of)),
        _ => true,
    }
}

/// Whether the spelling is one of an integer: under `All` digits, a fraction of zeros, and an exponent that leaves an
/// integer whatever the digits are.
fn is_integer(text: &str, spelling: NumberSpelling) -> bool {
    let parts = number_parts(text);
    let is_zero = |digits: &str| digits.bytes().all(|byte| byte == b'0');
    match spelling {
        NumberSpelling::Plain => parts.fraction.is_none() && parts.exponent.is_none(),
        NumberSpelling::All => {
            let keeps = |exponent: &str| !exponent.starts_with('-') || is_zero(&exponent[1..]);
            parts.fraction.is_none_or(is_zero) && (is_zero(parts.integer) || parts.exponent.is_none_or(keeps))
        }
    }
}

fn equal_scalars(constant: &Value, value: &Value) -> bool {
    match (constant, value) {
        (Value::Number(constant), Value::Number(text)) => {
            plain_value(text).is_some_and(|value| Some(value) == Decimal::parse(constant))
        }
        _ => constant == value,
    }
}
