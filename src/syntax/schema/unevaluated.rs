//! `unevaluatedProperties` and `unevaluatedItems`: what no other keyword has spoken of, here or in a subschema that holds in
//! place.
//!
//! A subschema that holds *covers* some names or positions: those that its own keywords apply to. What it covers may hang on
//! conditions: the branch of `anyOf` that it is, the `if` before it. More conditions that hold never cover less. So the keyword is a
//! disjunction over sets of conditions: those hold, and whatever they leave uncovered satisfies the keyword's schema. No condition
//! has to be denied, and the branches stay as they are. Where conditions cover names and positions only, and not what matches a pattern or
//! is contained, it is said of each name and position apart, which takes no sets.

use std::collections::{BTreeMap, BTreeSet};

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
    let left = site.builder.location(site.value)?;
    if grouped.len() > SETS_OF_MAX && is_plain(&always, &grouped) {
        return part_by_part(site, of, &always, &grouped, left);
    }
    if grouped.len() > COVERING_CONDITIONS_MAX {
        let message = format!(
            "what it leaves hangs on {} conditions, some of them of patterns or `contains`: more than {COVERING_CONDITIONS_MAX} (COVERING_CONDITIONS_MAX)",
            grouped.len()
        );
        return Err(refuse(CompileErrorKind::Limit, site.value, site.name, message));
    }
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

/// Up to so many conditions the sets of those that hold are listed.
const SETS_OF_MAX: usize = 2;

/// Whether what the conditions cover are names or positions one by one, or everything.
fn is_plain(always: &Cover, sometimes: &[Cover]) -> bool {
    let names_one_by_one = |cover: &Cover| cover.patterns.is_empty() && cover.contained.is_empty();
    sometimes.iter().all(names_one_by_one)
        && (always.patterns.is_empty() || sometimes.iter().all(|cover| cover.names.is_empty()))
}

/// For each name or position apart: something that covers it holds, or it satisfies the keyword's schema. Those that are covered
/// by the same are taken together, so this takes a part for each condition and not one for each set of them.
fn part_by_part(
    site: &mut Site<'_, '_>,
    of: Of,
    always: &Cover,
    sometimes: &[Cover],
    left: NodeId,
) -> Result<(), CompileError> {
    let mut parts: Vec<(Vec<usize>, Node)> = Vec::new();
    let covering = |covers: &dyn Fn(&Cover) -> bool| -> Vec<usize> {
        (0..sometimes.len()).filter(|&at| sometimes[at].all || covers(&sometimes[at])).collect()
    };
    let any = site.add(Node::True)?;
    match of {
        Of::Properties => {
            let names: BTreeSet<&Box<str>> = sometimes.iter().flat_map(|cover| &cover.names).collect();
            let mut everything = always.clone();
            let mut together: BTreeMap<Vec<usize>, Vec<&Box<str>>> = BTreeMap::new();
            for name in names.into_iter().filter(|name| !always.names.contains(name)) {
                everything.names.push(name.clone());
                together.entry(covering(&|cover| cover.names.contains(name))).or_default().push(name);
            }
            for (covering, names) in together {
                let properties = names.into_iter().map(|name| (name.clone(), left)).collect();
                let rule =
                    MemberRule { properties, patterns: Vec::new(), rest: any, names: NamesAre::Mentioned };
                parts.push((covering, Node::Members(rule)));
            }
            parts.push((covering(&|_| false), members(site, &everything, left)?));
        }
        Of::Items => {
            let ends: BTreeSet<usize> = sometimes.iter().map(|cover| cover.prefix).collect();
            let mut from = always.prefix;
            for end in ends.into_iter().filter(|&end| end > always.prefix) {
                let Node::Items { prefix: mut positions, rest, .. } = positions(site, always, left)? else {
                    continue;
                };
                positions.resize(from, any);
                positions.resize(end, rest);
                let rule = Node::Items { prefix: positions, rest: any, except: 0 };
                parts.push((covering(&|cover| cover.prefix >= end), rule));
                from = end;
            }
            let covered = Cover { prefix: from, ..always.clone() };
            parts.push((covering(&|_| false), positions(site, &covered, left)?));
        }
    }
    for (covering, rule) in parts {
        let mut ways = vec![site.add(rule)?];
        for at in covering {
            ways.push(site.add(Node::All(sometimes[at].conditions.iter().copied().collect()))?);
        }
        site.assert(Node::Any(ways))?;
    }
    Ok(())
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
    let rest = item(site, cover, left)?;
    Ok(Node::Items { prefix: vec![any; cover.prefix], rest, except: 0 })
}

/// What an item at no covered position must satisfy.
fn item(site: &mut Site<'_, '_>, cover: &Cover, left: NodeId) -> Result<NodeId, CompileError> {
    if cover.contained.is_empty() {
        return Ok(left);
    }
    let either = cover.contained.iter().copied().chain([left]).collect();
    site.add(Node::Any(either))
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
