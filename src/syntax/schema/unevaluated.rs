//! `unevaluatedProperties` and `unevaluatedItems`: what no other keyword has spoken of, here or in a subschema that holds in
//! place.
//!
//! A subschema that holds *covers* some names or positions: those that its own keywords apply to. What it covers may hang on
//! conditions: the branch of `anyOf` that it is, the `if` before it. More conditions that hold never cover less. So the keyword is a
//! disjunction over sets of conditions: those hold, and whatever they leave uncovered satisfies the keyword's schema. No condition
//! has to be denied, and the branches stay as they are.

use std::collections::BTreeSet;

use super::refs;
use super::scope::ScopeId;
use super::walk::{Part, Site};
use super::{refuse, strings};
use crate::error::{CompileError, CompileErrorKind};
use crate::grammar::program::{MemberRule, NamesAre, Node};
use crate::grammar::regex::Regex;
use crate::index::NodeId;
use crate::limits::COVERING_CONDITIONS_MAX;
use crate::syntax::json::Value;

/// What a subschema covers if its conditions hold.
#[derive(Clone, Default)]
struct Cover {
    conditions: BTreeSet<NodeId>,
    /// Every name, or every position.
    all: bool,
    names: Vec<Box<str>>,
    patterns: Vec<Regex>,
    /// So many positions from the first.
    prefix: usize,
    /// Items that satisfy one of these.
    contained: Vec<NodeId>,
}

impl Cover {
    fn is_nothing(&self) -> bool {
        !self.all
            && self.names.is_empty()
            && self.patterns.is_empty()
            && self.prefix == 0
            && self.contained.is_empty()
    }

    fn with(mut self, other: &Self) -> Self {
        self.conditions.extend(&other.conditions);
        self.all |= other.all;
        self.names.extend(other.names.iter().cloned());
        self.patterns.extend(other.patterns.iter().cloned());
        self.prefix = self.prefix.max(other.prefix);
        self.contained.extend(&other.contained);
        self
    }
}

/// Whose members are covered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Properties,
    Items,
}

/// `unevaluatedProperties`.
pub(super) fn properties(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    enforce(site, Of::Properties)
}

/// `unevaluatedItems`.
pub(super) fn items(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    enforce(site, Of::Items)
}

fn enforce(site: &mut Site<'_, '_>, of: Of) -> Result<(), CompileError> {
    site.check_schema(site.value)?;
    if site.constant(site.value) == Some(true) {
        return Ok(());
    }
    let mut covers = Vec::new();
    let mut survey = Survey { site, of, covers: &mut covers, within: Vec::new() };
    let schema = survey.site.schema;
    survey.schema(schema, &BTreeSet::new())?;
    let (always, sometimes): (Vec<Cover>, Vec<Cover>) =
        covers.into_iter().filter(|cover| !cover.is_nothing()).partition(|cover| cover.conditions.is_empty());
    let always = always.iter().fold(Cover::default(), Cover::with);
    if always.all {
        site.note = Some("the keywords beside it leave nothing to it".into());
        return Ok(());
    }
    let mut grouped: Vec<Cover> = Vec::new();
    for cover in sometimes {
        match grouped.iter_mut().find(|known| known.conditions == cover.conditions) {
            Some(known) => *known = std::mem::take(known).with(&cover),
            None => grouped.push(cover),
        }
    }
    if grouped.len() > COVERING_CONDITIONS_MAX {
        let message = format!(
            "what it leaves hangs on {} conditions, more than {COVERING_CONDITIONS_MAX} (COVERING_CONDITIONS_MAX)",
            grouped.len()
        );
        return Err(refuse(CompileErrorKind::Limit, site.value, site.name, message));
    }
    let left = site.builder.location(site.value)?;
    let mut ways = Vec::new();
    for set in 0..1_u32 << grouped.len() {
        let chosen = grouped.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1);
        let cover = chosen.fold(always.clone(), |cover, (_, more)| cover.with(more));
        let mut parts: Vec<NodeId> = cover.conditions.iter().copied().collect();
        if !cover.all {
            let rule = match of {
                Of::Properties => members(site, &cover, left)?,
                Of::Items => positions(site, &cover, left)?,
            };
            parts.push(site.add(rule)?);
        }
        ways.push(site.add(Node::All(parts))?);
    }
    site.assert(Node::Any(ways))
}

fn members(site: &mut Site<'_, '_>, cover: &Cover, left: NodeId) -> Result<Node, CompileError> {
    let any = site.add(Node::True)?;
    let names: BTreeSet<&Box<str>> = cover.names.iter().collect();
    Ok(Node::Members(MemberRule {
        properties: names.into_iter().map(|name| (name.clone(), any)).collect(),
        patterns: cover.patterns.iter().map(|pattern| (pattern.clone(), any)).collect(),
        rest: left,
        names: NamesAre::Mentioned,
    }))
}

fn positions(site: &mut Site<'_, '_>, cover: &Cover, left: NodeId) -> Result<Node, CompileError> {
    let any = site.add(Node::True)?;
    let rest = if cover.contained.is_empty() {
        left
    } else {
        let either = cover.contained.iter().copied().chain([left]).collect();
        site.add(Node::Any(either))?
    };
    Ok(Node::Items { prefix: vec![any; cover.prefix], rest, except: 0 })
}

/// Collects what is covered, from all schemas that apply in place.
struct Survey<'s, 'b, 'j> {
    site: &'s mut Site<'b, 'j>,
    of: Of,
    covers: &'s mut Vec<Cover>,
    /// The schemas around: a way back to one of them is refused elsewhere.
    within: Vec<(u32, ScopeId)>,
}

impl<'j> Survey<'_, '_, 'j> {
    fn schema(&mut self, schema: Value<'j>, conditions: &BTreeSet<NodeId>) -> Result<(), CompileError> {
        let outside = self.site.builder.enter(schema);
        let here = (schema.id(), self.site.builder.scope);
        let done = if !schema.is_object() || self.within.contains(&here) {
            Ok(())
        } else {
            self.within.push(here);
            let done = stacker::maybe_grow(64 << 10, 1 << 20, || self.keywords(schema, conditions));
            self.within.pop();
            done
        };
        self.site.builder.scope = outside;
        done
    }

    fn keywords(&mut self, schema: Value<'j>, conditions: &BTreeSet<NodeId>) -> Result<(), CompileError> {
        let mut here = Cover { conditions: conditions.clone(), ..Cover::default() };
        let itself = schema.id() == self.site.schema.id();
        for (name, value) in schema.members() {
            if self.site.sibling_of(schema, name).is_none() {
                continue;
            }
            match (self.of, name) {
                (Of::Properties, "properties") => {
                    here.names.extend(value.members().map(|(name, _)| Box::from(name)));
                }
                (Of::Properties, "patternProperties") => {
                    for (pattern, _) in value.members() {
                        here.patterns.push(strings::regex(&self.site.at(pattern, value), pattern)?);
                    }
                }
                (Of::Properties, "additionalProperties") => here.all = true,
                (Of::Properties, "unevaluatedProperties") | (Of::Items, "unevaluatedItems") => {
                    here.all |= !itself;
                }
                (Of::Items, "prefixItems") => here.prefix = here.prefix.max(value.items().count()),
                (Of::Items, "items") if value.is_array() => {
                    here.prefix = here.prefix.max(value.items().count());
                    here.all |= self.site.sibling_of(schema, "additionalItems").is_some();
                }
                (Of::Items, "items") => here.all = true,
                // Before 2020-12 it covered nothing.
                (Of::Items, "contains") if self.site.covers_contained() => {
                    here.contained.push(self.site.builder.location(value)?);
                }
                (_, "allOf") => {
                    for part in value.items() {
                        self.schema(part, conditions)?;
                    }
                }
                (_, "anyOf" | "oneOf") => {
                    for branch in value.items() {
                        let holds = self.site.builder.location(branch)?;
                        self.schema(branch, &with(conditions, holds))?;
                    }
                }
                (_, "if") => self.conditional(schema, value, conditions)?,
                // They apply to objects only, so they cover no items.
                (Of::Properties, "dependentSchemas" | "dependencies") => {
                    for (name, part) in value.members().filter(|(_, part)| part.is_object()) {
                        let present = self.site.add(Node::Required(name.into()))?;
                        self.schema(part, &with(conditions, present))?;
                    }
                }
                (_, "$ref" | "$dynamicRef" | "$recursiveRef") => {
                    if let Some(target) = refs::leads_to(&mut self.site.in_schema(schema, name, value))? {
                        self.schema(target, conditions)?;
                    }
                }
                _ => {}
            }
        }
        self.covers.push(here);
        Ok(())
    }

    fn conditional(
        &mut self,
        schema: Value<'j>,
        condition: Value<'j>,
        conditions: &BTreeSet<NodeId>,
    ) -> Result<(), CompileError> {
        let holds = self.site.builder.location(condition)?;
        self.schema(condition, &with(conditions, holds))?;
        if let Some(then) = schema.get("then") {
            self.schema(then, &with(conditions, holds))?;
        }
        if let Some(otherwise) = schema.get("else") {
            let fails = self.site.builder.plan.add(condition, Part::Not([holds]))?;
            self.schema(otherwise, &with(conditions, fails))?;
        }
        Ok(())
    }
}

fn with(conditions: &BTreeSet<NodeId>, more: NodeId) -> BTreeSet<NodeId> {
    conditions.iter().copied().chain([more]).collect()
}
