//! `properties`, `patternProperties`, `additionalProperties`, `required`, counts and names of members, dependencies.

use std::collections::BTreeSet;

use super::numbers::{Natural, natural};
use super::walk::{Part, Site};
use super::{refuse, strings};
use crate::error::{CompileError, CompileErrorKind};
use crate::grammar::program::{Kinds, MemberRule, NamesAre, Node};
use crate::grammar::regex::Regex;
use crate::index::NodeId;
use crate::syntax::json::{Kind, Value};

/// `properties`, `patternProperties` and `additionalProperties` together say what the members' values are: one node, at
/// the place of the first of them in that order that is present.
pub(super) fn members(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    let properties = site.sibling("properties");
    let patterns = site.sibling("patternProperties");
    let rest = site.sibling("additionalProperties");
    match site.name {
        "patternProperties" if properties.is_some() => return Ok(()),
        "additionalProperties" if properties.is_some() || patterns.is_some() => return Ok(()),
        _ => {}
    }
    let open = rest.is_none_or(|schema| site.constant(schema) == Some(true));
    let mut declared: Vec<(Box<str>, NodeId)> = Vec::new();
    if let Some(properties) = properties {
        for (name, schema) in site.at("properties", properties).schema_map()? {
            declared.push((name.into(), site.builder.location(schema)?));
        }
    }
    let patterns = match patterns {
        Some(patterns) => pattern_members(&mut site.at("patternProperties", patterns), open)?,
        None => Vec::new(),
    };
    if declared.is_empty() && patterns.is_empty() && open {
        return rest.map_or(Ok(()), |schema| site.builder.location(schema).map(drop));
    }
    let rest = match rest {
        Some(schema) => site.builder.location(schema)?,
        None => site.add(Node::True)?,
    };
    site.assert(Node::Members(MemberRule { properties: declared, patterns, rest, names: NamesAre::Declared }))
}

/// The patterns of the `patternProperties` in focus. Patterns that ask for nothing matter only where other names are
/// constrained.
fn pattern_members(site: &mut Site<'_, '_>, open: bool) -> Result<Vec<(Regex, NodeId)>, CompileError> {
    let mut patterns = Vec::new();
    for (pattern, schema) in site.schema_map()? {
        let node = site.builder.location(schema)?;
        let nothing = site.constant(schema) == Some(true);
        match strings::regex(&site.at(pattern, schema), pattern) {
            Ok(regex) if !(open && nothing) => patterns.push((regex, node)),
            Err(e) if !(open && nothing) || e.kind() == CompileErrorKind::Invalid => return Err(e),
            _ => {}
        }
    }
    Ok(patterns)
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

/// `minProperties`.
pub(super) fn min_properties(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    match natural(site)? {
        Natural::Of(0) => Ok(()),
        Natural::Of(least) => site.assert(Node::MinMembers(least)),
        Natural::Huge => Err(refuse(
            CompileErrorKind::Limit,
            site.value,
            site.name,
            "no object can have 2^64 members or more",
        )),
    }
}

/// `maxProperties`; no object can have 2^64 members or more.
pub(super) fn max_properties(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    match natural(site)? {
        Natural::Of(0) => {
            let rest = site.add(Node::False)?;
            site.assert(Node::Members(MemberRule::plain(Vec::new(), rest)))
        }
        Natural::Of(most) => site.assert(Node::MaxMembers(most)),
        Natural::Huge => Ok(()),
    }
}

/// `propertyNames`: decided when the schema of the names is known.
pub(super) fn property_names(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    let names = site.builder.location(site.value)?;
    site.assert_part(Part::Names([names])).map(drop)
}

/// `dependentRequired`, `dependentSchemas`, `dependencies`: a name is absent, or what it asks for holds.
pub(super) fn dependent(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    if !site.value.is_object() {
        return Err(site.invalid("expected an object"));
    }
    for (name, asked) in site.value.members() {
        let is_list = asked.is_array() && site.name != "dependentSchemas";
        let asked = if is_list && asked.items().all(|name| name.as_str().is_some()) {
            if asked.is_empty() {
                continue;
            }
            let mut all = Vec::new();
            for required in asked.items().filter_map(Value::as_str) {
                all.push(site.add(Node::Required(required.into()))?);
            }
            site.add(Node::All(all))?
        } else if site.name == "dependentRequired" || is_list {
            return Err(site.invalid_text("a member is no list of names"));
        } else {
            let node = site.builder.location(asked)?;
            if site.constant(asked) == Some(true) {
                continue;
            }
            node
        };
        let required = site.add(Node::Required(name.into()))?;
        let absent = site.builder.plan.add(site.value, Part::Not([required]))?;
        // Of a value of another type nothing is asked.
        let other = site.add(Node::Kind(Kinds(Kinds::ALL.0 & !Kinds::OBJECT.0)))?;
        site.assert(Node::Any(vec![other, absent, asked]))?;
    }
    Ok(())
}
