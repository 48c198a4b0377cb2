//! Does a value satisfy a location? By walking both, one keyword at a time.

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
            Keyword::Equals(constant) => equal_scalars(constant, value, self.policy.numbers),
            Keyword::AnyOf(parts) => parts.iter().any(|&part| self.holds(part, value)),
            Keyword::OneOf(parts) => parts.iter().filter(|&&part| self.holds(part, value)).count() == 1,
            Keyword::AllOf(parts) => parts.iter().all(|&part| self.holds(part, value)),
            _ => match value {
                Value::Object(members) => self.object_holds(keyword, siblings, members),
                Value::Array(items) => self.array_holds(keyword, siblings, items),
                Value::Text(text) => text_holds(keyword, text),
                Value::Number(text) => number_holds(keyword, text, self.policy.numbers),
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

/// Exponents beyond this say the same as one that is: no constant and no divisor has so many digits.
const EXPONENT_MAX: i64 = 1_500;

/// The value of a number that the policy spells.
fn number_value(text: &str, spelling: NumberSpelling) -> Option<Decimal> {
    let Some(exponent) = number_parts(text).exponent else { return Decimal::parse(text) };
    if spelling == NumberSpelling::Plain {
        return None;
    }
    let mantissa = &text[..text.len() - exponent.len()];
    let exponent = exponent.parse::<i64>().ok()?.clamp(-EXPONENT_MAX, EXPONENT_MAX);
    Decimal::parse(&format!("{mantissa}{exponent}"))
}

fn number_holds(keyword: &Keyword, text: &str, spelling: NumberSpelling) -> bool {
    match keyword {
        Keyword::Bound(bound, limit) => number_value(text, spelling).is_some_and(|value| match bound {
            Bound::Minimum => value >= *limit,
            Bound::Maximum => value <= *limit,
            Bound::ExclusiveMinimum => value > *limit,
            Bound::ExclusiveMaximum => value < *limit,
        }),
        Keyword::MultipleOf(of) => number_value(text, spelling).is_some_and(|value| value.is_multiple(*of)),
        _ => true,
    }
}

/// Whether the spelling is one of an integer: under `All` the value decides.
fn is_integer(text: &str, spelling: NumberSpelling) -> bool {
    let parts = number_parts(text);
    match spelling {
        NumberSpelling::Plain => parts.fraction.is_none() && parts.exponent.is_none(),
        NumberSpelling::All => number_value(text, spelling).is_some_and(|value| value.is_integer()),
    }
}

fn equal_scalars(constant: &Value, value: &Value, spelling: NumberSpelling) -> bool {
    match (constant, value) {
        (Value::Number(constant), Value::Number(text)) => {
            number_value(text, spelling).is_some_and(|value| Some(value) == Decimal::parse(constant))
        }
        _ => constant == value,
    }
}
