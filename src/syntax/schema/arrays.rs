//! `items`, `prefixItems`, `additionalItems`, counts of items, `contains`, `uniqueItems`.

use super::draft::Draft;
use super::numbers::{Natural, natural};
use super::refuse;
use super::walk::{Part, Site};
use crate::error::{CompileError, CompileErrorKind};
use crate::grammar::program::{Kinds, Node};
use crate::index::NodeId;
use crate::syntax::json::{Kind, Value};

/// `prefixItems` and `items`, before 2020-12 `items` and `additionalItems`: one node, at the place of the first of them
/// in that order that is present.
pub(super) fn items(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    let draft = site.dialect.draft;
    let items = site.sibling("items");
    let (prefix, rest) = if draft == Draft::Draft2020 {
        if site.name == "items" && site.value.is_array() {
            return Err(site.invalid(
                "and in draft 2020-12 it is one schema, for all items: write prefixItems for a list of schemas, or name the older draft with $schema (or the option for the dialect)",
            ));
        }
        if site.name == "items" && site.sibling("prefixItems").is_some() {
            return Ok(());
        }
        (site.sibling("prefixItems"), items)
    } else {
        if site.name == "additionalItems" {
            // Beside a list it is part of that list's node; alone it says nothing.
            return if items.is_some_and(Value::is_array) { Ok(()) } else { ignored(site) };
        }
        match items {
            Some(list) if list.is_array() => (Some(list), site.sibling("additionalItems")),
            other => (None, other),
        }
    };
    let mut nodes: Vec<NodeId> = Vec::new();
    if let Some(prefix) = prefix {
        if !prefix.is_array() {
            return Err(site.invalid("expected an array of schemas"));
        }
        for schema in prefix.items() {
            nodes.push(site.builder.location(schema)?);
        }
    }
    if nodes.is_empty() && rest.is_none_or(|schema| site.constant(schema) == Some(true)) {
        return rest.map_or(Ok(()), |schema| site.builder.location(schema).map(drop));
    }
    let rest = match rest {
        Some(schema) => site.builder.location(schema)?,
        None => site.builder.plan.add(site.value, Part::Is(Node::True))?,
    };
    site.assert(Node::Items { prefix: nodes, rest, except: 0 })
}

fn ignored(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    site.check_schema(site.value)?;
    site.note = Some("without a list in items it says nothing".into());
    Ok(())
}

/// `minItems`.
pub(super) fn min_items(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    match natural(site)? {
        Natural::Of(0) => Ok(()),
        Natural::Of(least) => site.assert(Node::MinItems(least)),
        Natural::Huge => Err(refuse(
            CompileErrorKind::Limit,
            site.value,
            site.name,
            "no array can have 2^64 items or more",
        )),
    }
}

/// `maxItems`; no array can have 2^64 items or more.
pub(super) fn max_items(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    match natural(site)? {
        Natural::Of(most) => site.assert(Node::MaxItems(most)),
        Natural::Huge => Ok(()),
    }
}

/// `uniqueItems`: JSON equality.
pub(super) fn unique_items(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    let Kind::Boolean(unique) = site.value.kind() else { return Err(site.invalid("expected true or false")) };
    if !unique {
        return Ok(());
    }
    if let Some(most) = site.sibling("maxItems")
        && natural(&site.at("maxItems", most))? <= Natural::Of(1)
    {
        site.note = Some("maxItems allows one item only".into());
        return Ok(());
    }
    site.assert(Node::Unique)
}

/// `contains` with `minContains` and `maxContains`.
pub(super) fn contains(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    let Some(schema) = site.sibling("contains") else {
        natural(site)?;
        site.note = Some("without contains it says nothing".into());
        return Ok(());
    };
    if site.name != "contains" {
        return Ok(());
    }
    let min = site.sibling("minContains").map(|v| natural(&site.at("minContains", v))).transpose()?;
    let max = site.sibling("maxContains").map(|v| natural(&site.at("maxContains", v))).transpose()?;
    let min = min.unwrap_or(Natural::Of(1)).saturated();
    let rest = site.builder.location(schema)?;
    match site.constant(schema) {
        Some(true) => {
            let most = max.map(|max| Node::MaxItems(max.saturated()));
            let least = (min > 0).then_some(Node::MinItems(min));
            return least.into_iter().chain(most).try_for_each(|bound| site.assert(bound));
        }
        Some(false) if min > 0 => return site.assert(Node::Kind(Kinds(Kinds::ALL.0 & !Kinds::ARRAY.0))),
        Some(false) => return Ok(()),
        None if min > 0 => site.assert(Node::AtLeast { count: min, prefix: Vec::new(), rest })?,
        None => {}
    }
    let Some(max) = max else { return Ok(()) };
    let rest = site.builder.plan.add(site.value, Part::Opposite(rest))?;
    site.assert(Node::Items { prefix: Vec::new(), rest, except: max.saturated() })
}
