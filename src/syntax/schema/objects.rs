//! `properties`, `patternProperties`, `additionalProperties`, `required`, counts and names of members, dependencies.

use std::collections::BTreeSet;

use super::numbers::{Natural, natural};
use super::strings;
use super::walk::{Part, Site};
use crate::error::CompileError;
use crate::grammar::program::Node;
use crate::index::NodeId;
use crate::syntax::json::{Kind, Value};

/// `properties` and `additionalProperties` together say what the members' values are: one node, at the place of
/// `properties` if it is present. `patternProperties` belongs to them, but is taken only where it has no effect.
pub(super) fn members(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    let properties = site.sibling("properties");
    let rest = site.sibling("additionalProperties");
    match site.name {
        "patternProperties" => return patterns_without_effect(site, rest),
        "additionalProperties" if properties.is_some() => return Ok(()),
        _ => {}
    }
    let open = rest.is_none_or(|schema| site.constant(schema) == Some(true));
    let mut declared: Vec<(Box<str>, NodeId)> = Vec::new();
    if let Some(properties) = properties {
        for (name, schema) in site.at("properties", properties).schema_map()? {
            declared.push((name.into(), site.builder.location(schema)?));
        }
    }
    if declared.is_empty() && open {
        return rest.map_or(Ok(()), |schema| site.builder.location(schema).map(drop));
    }
    let rest = match rest {
        Some(schema) => site.builder.location(schema)?,
        None => site.builder.plan.add(site.value, Part::Is(Node::True))?,
    };
    site.assert(Node::Members { properties: declared, rest })
}

/// `patternProperties` where it constrains nothing; it is refused elsewhere.
fn patterns_without_effect<'j>(site: &mut Site<'_, 'j>, rest: Option<Value<'j>>) -> Result<(), CompileError> {
    let patterns = site.schema_map()?;
    for &(pattern, schema) in &patterns {
        strings::check_pattern(&site.at(pattern, schema), pattern)?;
        site.check_schema(schema)?;
    }
    let open = rest.is_none_or(|schema| site.constant(schema) == Some(true));
    let trivial = patterns.iter().all(|&(_, schema)| site.constant(schema) == Some(true));
    if patterns.is_empty() || trivial && open {
        return Ok(());
    }
    Err(site
        .unsupported("values by patterns of their names are not enforced yet: list the names in properties"))
}

/// `required`: one node for each name, declared or not.
pub(super) fn required(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    for name in required_names(site)? {
        site.assert(Node::Required(name.into()))?;
    }
    Ok(())
}

/// The distinct names of the `required` in focus, in source order.
fn required_names<'j>(site: &Site<'_, 'j>) -> Result<Vec<&'j str>, CompileError> {
    let wrong = || match site.value.kind() {
        Kind::Boolean(_) => {
            site.invalid("the form of draft-03: list the name in the \"required\" of the object around")
        }
        _ => site.invalid("expected an array of names"),
    };
    if !site.value.is_array() {
        return Err(wrong());
    }
    let mut seen = BTreeSet::new();
    let mut names = Vec::new();
    for item in site.value.items() {
        let name =
            item.as_str().ok_or_else(|| site.invalid_text(format!("{} is no name", item.kind().words())))?;
        if seen.insert(name) {
            names.push(name);
        }
    }
    Ok(names)
}

/// How many distinct names the `required` beside a keyword lists.
fn required_beside(site: &mut Site<'_, '_>) -> Result<Natural, CompileError> {
    let Some(value) = site.sibling("required") else { return Ok(Natural::Of(0)) };
    let names = required_names(&site.at("required", value))?;
    Ok(Natural::count(names.len()))
}

/// `minProperties` where the required names are enough.
pub(super) fn min_properties(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    let least = natural(site)?;
    if least == Natural::Of(0) {
        return Ok(());
    }
    if least <= required_beside(site)? {
        site.note = Some("the required names are as many".into());
        return Ok(());
    }
    Err(site.unsupported("members are not counted yet: list the names that must be there in required"))
}

/// `maxProperties` where the declared names are not more, or none is allowed.
pub(super) fn max_properties(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    let most = natural(site)?;
    if most == Natural::Of(0) {
        let rest = site.builder.plan.add(site.value, Part::Is(Node::False))?;
        return site.assert(Node::Members { properties: Vec::new(), rest });
    }
    let closed =
        site.sibling("additionalProperties").is_some_and(|schema| site.constant(schema) == Some(false));
    let patterns = site.sibling("patternProperties").is_some_and(|p| !p.is_empty());
    let declared = site.sibling("properties").map_or(0, Value::len);
    if most == Natural::Huge || closed && !patterns && Natural::count(declared) <= most {
        site.note = Some("there are no more names".into());
        return Ok(());
    }
    Err(site
        .unsupported("members are not counted yet: remove the keyword, or set additionalProperties to false"))
}

/// `propertyNames`: decided when the schema of the names is known.
pub(super) fn property_names(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    let names = site.builder.location(site.value)?;
    site.assert_part(Part::Names([names]))
}

/// `dependentRequired`, `dependentSchemas`, `dependencies` where nothing depends.
pub(super) fn dependent(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    if !site.value.is_object() {
        return Err(site.invalid("expected an object"));
    }
    let mut nothing = true;
    for (_, asked) in site.value.members() {
        let is_list = asked.is_array() && site.name != "dependentSchemas";
        if is_list && asked.items().all(|name| name.as_str().is_some()) {
            nothing &= asked.is_empty();
        } else if site.name == "dependentRequired" || is_list {
            return Err(site.invalid_text("a member is no list of names"));
        } else {
            site.check_schema(asked)?;
            nothing &= site.constant(asked) == Some(true);
        }
    }
    if nothing {
        return Ok(());
    }
    Err(site.unsupported("what one member asks of others is not enforced yet: say it with anyOf"))
}

/// `unevaluatedProperties` where nothing is left to it.
pub(super) fn unevaluated(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    site.check_schema(site.value)?;
    if site.constant(site.value) == Some(true) {
        return Ok(());
    }
    if site.sibling("additionalProperties").is_some() {
        site.note = Some("additionalProperties leaves nothing to it".into());
        return Ok(());
    }
    Err(site.unsupported("it is not enforced yet: say it with additionalProperties"))
}
