//! `enum` and `const`, of any JSON values.
//!
//! A list of values is a conjunction with one assertion for each kind, because an assertion about one kind is true of the
//! others: the kinds that occur, the texts, the numbers, the arrays, the objects. So lists of strings, the usual case,
//! stay plain. An array is its items, no more and no fewer; an object its members, no others.

use super::numbers::{Natural, decimal};
use super::walk::{Part, Site};
use crate::error::CompileError;
use crate::grammar::condition;
use crate::grammar::program::{Kinds, MemberRule, Node};
use crate::grammar::regex::Regex;
use crate::index::{NodeId, widen};
use crate::syntax::json::{Kind, Value};

/// `const`.
pub(super) fn this(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    among(site, &[site.value])
}

/// `enum`. An empty list allows nothing.
pub(super) fn one_of_these(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    if !site.value.is_array() {
        return Err(site.invalid("expected an array of values"));
    }
    let values: Vec<Value<'_>> = site.value.items().collect();
    if values.is_empty() {
        site.note = Some("the list is empty: nothing is allowed".into());
        return site.assert(Node::False);
    }
    among(site, &values)
}

fn among<'j>(site: &mut Site<'_, 'j>, values: &[Value<'j>]) -> Result<(), CompileError> {
    let kinds = values.iter().fold(Kinds::NONE, |kinds, v| kinds.union(kind_of(*v)));
    site.assert(Node::Kind(kinds))?;
    let texts: Vec<&str> = values.iter().filter_map(|v| v.as_str()).collect();
    if !texts.is_empty() {
        site.assert(Node::Text(Regex::literals(texts)))?;
    }
    let mut numbers = Vec::new();
    for value in values.iter().filter(|v| matches!(v.kind(), Kind::Number(_))) {
        numbers.push(decimal(site, *value)?);
    }
    if !numbers.is_empty() {
        let spelling = site.builder.plan.policy.numbers;
        site.assert(Node::Number(condition::one_of(&numbers, spelling)))?;
    }
    containers(site, values.iter().copied().filter(|v| v.is_array()))?;
    containers(site, values.iter().copied().filter(|v| v.is_object()))
}

fn kind_of(value: Value<'_>) -> Kinds {
    match value.kind() {
        Kind::Null => Kinds::NULL,
        Kind::Boolean(true) => Kinds::TRUE,
        Kind::Boolean(false) => Kinds::FALSE,
        Kind::Number(_) => Kinds::NUMBER,
        Kind::String(_) => Kinds::STRING,
        Kind::Array => Kinds::ARRAY,
        Kind::Object => Kinds::OBJECT,
    }
}

/// The value is one of these containers, all of one kind, if it is of that kind.
fn containers<'j>(
    site: &mut Site<'_, 'j>,
    values: impl Iterator<Item = Value<'j>>,
) -> Result<(), CompileError> {
    let mut branches: Vec<Vec<NodeId>> = Vec::new();
    for value in values {
        branches.push(assertions(site, value)?);
    }
    if branches.len() == 1 {
        branches.concat().into_iter().for_each(|node| site.assert_node(node));
        return Ok(());
    }
    let mut any = Vec::new();
    for branch in branches {
        any.push(site.builder.plan.add(site.value, Part::Is(Node::All(branch)))?);
    }
    if any.is_empty() { Ok(()) } else { site.assert(Node::Any(any)) }
}

/// What is true of exactly this value among those of its kind. Children have greater ids than their parents, so going
/// down the ids meets every part before the whole.
fn assertions<'j>(site: &mut Site<'_, 'j>, whole: Value<'j>) -> Result<Vec<NodeId>, CompileError> {
    let mut nodes: Vec<NodeId> = Vec::new();
    let first = whole.id();
    for id in (first..whole.end()).rev() {
        let value = whole.document().value(id);
        // `nodes` is filled from the back: the value `id` stands at `end - 1 - id`.
        let node_of = |child: Value<'_>| nodes[widen(whole.end() - 1 - child.id())];
        let mut parts: Vec<Node> = Vec::new();
        match value.kind() {
            Kind::String(text) => parts.push(Node::Text(Regex::literal(text))),
            Kind::Number(_) => {
                let number = decimal(site, value)?;
                parts.push(Node::Number(condition::equal(&number, site.builder.plan.policy.numbers)));
            }
            Kind::Array => {
                let prefix: Vec<NodeId> = value.items().map(node_of).collect();
                parts.extend(
                    (!prefix.is_empty()).then_some(Node::MinItems(Natural::count(prefix.len()).saturated())),
                );
                let rest = site.builder.plan.add(value, Part::Is(Node::False))?;
                parts.push(Node::Items { prefix, rest, except: 0 });
            }
            Kind::Object => {
                let properties: Vec<_> = value.members().map(|(name, v)| (name.into(), node_of(v))).collect();
                let rest = site.builder.plan.add(value, Part::Is(Node::False))?;
                parts.push(Node::Members(MemberRule::plain(properties, rest)));
                parts.extend(value.members().map(|(name, _)| Node::Required(name.into())));
            }
            Kind::Null | Kind::Boolean(_) => {}
        }
        let mut all = Vec::with_capacity(parts.len() + 1);
        if id != first {
            all.push(site.builder.plan.add(value, Part::Is(Node::Kind(kind_of(value))))?);
        }
        for part in parts {
            all.push(site.builder.plan.add(value, Part::Is(part))?);
        }
        if id == first {
            return Ok(all);
        }
        nodes.push(site.builder.plan.add(value, Part::Is(Node::All(all)))?);
    }
    unreachable!("the loop ends with the whole value")
}
