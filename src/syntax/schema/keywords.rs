//! The table of contents: which function enforces which keyword.

use std::borrow::Cow;

use super::report::Status;
use super::walk::{Builder, Site};
use super::{arrays, constants, logic, numbers, objects, refs, refuse, strings, types, unevaluated};
use crate::error::{CompileError, CompileErrorKind};
use crate::syntax::json::Value;

/// Enforces a keyword that the draft knows, or refuses it.
pub(super) fn enforce(mut site: Site<'_, '_>) -> Result<(Status, Option<Cow<'static, str>>), CompileError> {
    let keyword = &mut site;
    match keyword.name {
        "$ref" | "$dynamicRef" | "$recursiveRef" => refs::reference(keyword)?,

        "type" => types::kinds(keyword)?,
        "nullable" => types::nullable(keyword)?,
        "enum" => constants::one_of_these(keyword)?,
        "const" => constants::this(keyword)?,

        "minLength" | "maxLength" => strings::length(keyword)?,
        "pattern" => strings::pattern(keyword)?,
        "format" => return strings::format(site),

        "minimum" | "exclusiveMinimum" => numbers::at_least(keyword)?,
        "maximum" | "exclusiveMaximum" => numbers::at_most(keyword)?,
        "multipleOf" => numbers::multiple_of(keyword)?,

        "properties" | "patternProperties" | "additionalProperties" => objects::members(keyword)?,
        "required" => objects::required(keyword)?,
        "minProperties" => objects::min_properties(keyword)?,
        "maxProperties" => objects::max_properties(keyword)?,
        "propertyNames" => objects::property_names(keyword)?,
        "dependentRequired" | "dependentSchemas" | "dependencies" => objects::dependent(keyword)?,
        "unevaluatedProperties" => unevaluated::properties(keyword)?,

        "prefixItems" | "items" | "additionalItems" => arrays::items(keyword)?,
        "minItems" => arrays::min_items(keyword)?,
        "maxItems" => arrays::max_items(keyword)?,
        "uniqueItems" => arrays::unique_items(keyword)?,
        "contains" | "minContains" | "maxContains" => arrays::contains(keyword)?,
        "unevaluatedItems" => unevaluated::items(keyword)?,

        "allOf" => logic::all_of(keyword)?,
        "anyOf" => logic::any_of(keyword)?,
        "oneOf" => logic::one_of(keyword)?,
        "not" => logic::not(keyword)?,
        "if" | "then" | "else" => logic::conditional(keyword)?,

        _ => {
            return Err(keyword
                .unsupported("the keyword is not enforced yet: remove it, or say the same with others"));
        }
    }
    Ok((Status::Exact, site.note))
}

/// The place of a keyword's assertions among those of its schema, so that the order in which a schema lists its keywords does not
/// matter. Those that may declare names of members have one place, and stay in the order of the text. Required names count only
/// after all declared ones.
pub(super) fn rank(name: &str) -> u8 {
    match name {
        "type" => 0,
        "nullable" => 1,
        "minLength" => 2,
        "maxLength" => 3,
        "pattern" => 4,
        "format" => 5,
        "minimum" => 6,
        "exclusiveMinimum" => 7,
        "maximum" => 8,
        "exclusiveMaximum" => 9,
        "multipleOf" => 10,
        "prefixItems" => 11,
        "items" => 12,
        "additionalItems" => 13,
        "minItems" => 14,
        "maxItems" => 15,
        "uniqueItems" => 16,
        "contains" => 17,
        "minContains" => 18,
        "maxContains" => 19,
        "unevaluatedItems" => 20,
        "minProperties" => 21,
        "maxProperties" => 22,
        "propertyNames" => 23,
        "required" => 25,
        _ => 24,
    }
}

/// Checks a keyword that only names the schema or holds others; a note if it is not what it seems.
pub(super) fn structural<'j>(
    builder: &Builder<'j>,
    schema: Value<'j>,
    name: &'j str,
    value: Value<'j>,
) -> Result<Option<&'static str>, CompileError> {
    match name {
        "definitions" | "$defs" if !value.is_object() => {
            let message = format!("the value is {}, expected an object of schemas", value.kind().words());
            Err(refuse(CompileErrorKind::Invalid, value, name, message))
        }
        "$schema" if !builder.resources.is_root(schema) => {
            Ok(Some("it counts only at the root of a document, and beside $id"))
        }
        _ => Ok(None),
    }
}

/// What users of other dialects may expect of a keyword that is an annotation.
pub(super) fn remark(name: &str) -> Option<&'static str> {
    Some(match name {
        "nullable" => "a keyword of OpenAPI 3.0: it allows no null here; write {\"type\": [\"null\", …]}",
        "discriminator" => "a keyword of OpenAPI: it constrains nothing",
        "divisibleBy" => "a keyword of draft-03, now multipleOf: it constrains nothing",
        "extends" => "a keyword of draft-03, now allOf: it constrains nothing",
        "disallow" => "a keyword of draft-03, now not: it constrains nothing",
        _ => return None,
    })
}
