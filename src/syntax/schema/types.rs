//! `type`.

use super::draft::Draft;
use super::walk::Site;
use crate::error::CompileError;
use crate::grammar::condition;
use crate::grammar::number;
use crate::grammar::program::{Kinds, Node};
use crate::syntax::json::{Kind, Value};

/// The names of a `type`, as JSON values.
fn names<'j>(value: Value<'j>) -> Vec<Value<'j>> {
    if value.is_array() { value.items().collect() } else { vec![value] }
}

fn kinds_of(name: &str) -> Option<Kinds> {
    Some(match name {
        "null" => Kinds::NULL,
        "boolean" => Kinds::BOOLEAN,
        "integer" | "number" => Kinds::NUMBER,
        "string" => Kinds::STRING,
        "array" => Kinds::ARRAY,
        "object" => Kinds::OBJECT,
        _ => return None,
    })
}

/// `type`: one name or several. An integer is a number whose spelling says so; before draft-06 `1.0` was none.
pub(super) fn kinds(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    const NAMES: &str = "null, boolean, object, array, number, string and integer";
    if site.value.is_array() && site.value.is_empty() {
        return Err(site.invalid_text(format!("the list is empty: name some of {NAMES}")));
    }
    let mut kinds = Kinds::NONE;
    let (mut integer, mut number) = (false, false);
    for value in names(site.value) {
        let Kind::String(name) = value.kind() else {
            return Err(site.invalid(&format!("expected one of {NAMES}, or a list of them")));
        };
        let Some(named) = kinds_of(name) else {
            return Err(site.invalid_text(format!("{name:?} is no type: the types are {NAMES}")));
        };
        kinds = kinds.union(named);
        integer |= name == "integer";
        number |= name == "number";
    }
    kinds = kinds.union(nullable_kinds(site));
    site.assert(Node::Kind(kinds))?;
    if integer && !number {
        let policy = site.builder.plan.policy.numbers;
        let (is, opposite) = match site.dialect.draft {
            // There the spelling decides.
            Draft::Draft4 => {
                let is = number::integer();
                (is.clone(), condition::any(policy).except(is))
            }
            _ => (condition::integer(policy), condition::no_integer(policy)),
        };
        site.assert_number(is, opposite)?;
    }
    Ok(())
}

/// What `nullable` adds to `type`; other dialects than OpenAPI 3.0 don't know it.
fn nullable_kinds(site: &Site<'_, '_>) -> Kinds {
    match site.sibling("nullable").map(Value::kind) {
        Some(Kind::Boolean(true)) => Kinds::NULL,
        _ => Kinds::NONE,
    }
}

/// `nullable` of OpenAPI 3.0: `type` takes null too. It does not reach further: an `enum` beside it has to name null itself.
pub(super) fn nullable(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    if !matches!(site.value.kind(), Kind::Boolean(_)) {
        return Err(site.invalid("expected true or false"));
    }
    if site.sibling("type").is_none() {
        site.note = Some("without type it says nothing".into());
    }
    Ok(())
}

/// The kinds that the `type` beside a keyword leaves; all if there is none.
pub(super) fn beside(site: &Site<'_, '_>) -> Kinds {
    let Some(value) = site.sibling("type") else { return Kinds::ALL };
    let named = |v: Value<'_>| v.as_str().and_then(kinds_of).unwrap_or(Kinds::NONE);
    names(value).into_iter().fold(nullable_kinds(site), |kinds, v| kinds.union(named(v)))
}
