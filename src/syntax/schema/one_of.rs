//! `oneOf`: exactly one branch holds.
//!
//! A branch is denied beside another only if both can hold of the same value. Where few pairs can, each branch stands beside the
//! opposites of those. Where many can, writing them all down would take the square of n branches: there the list is halved, again
//! and again. One of a list is one of the first half and none of the second, or the other way round: n log n in all.

use super::settle::Settling;
use super::walk::Part;
use crate::error::CompileError;
use crate::grammar::program::{Kinds, MemberRule, Node};
use crate::grammar::regex::Regex;
use crate::index::NodeId;

/// Lists up to this length are written down.
const WRITTEN_MAX: usize = 8;

/// The node of a `oneOf` whose branches are decided; the value is of one of `kinds` anyway.
pub(super) fn node(
    settling: &mut Settling<'_, '_>,
    part: NodeId,
    branches: &[NodeId],
    kinds: Kinds,
) -> Result<Node, CompileError> {
    let beside = beside(settling, branches, kinds);
    let pairs: usize = beside.iter().map(Vec::len).sum();
    if pairs > WRITTEN_MAX * branches.len() {
        return halves(settling, part, branches);
    }
    let mut alternatives = Vec::with_capacity(branches.len());
    for (&branch, others) in branches.iter().zip(&beside) {
        alternatives.push(alone(settling, part, branch, others)?);
    }
    Ok(settling.any(part, &alternatives))
}

/// For each branch those that can hold of the same value.
fn beside(settling: &Settling<'_, '_>, branches: &[NodeId], kinds: Kinds) -> Vec<Vec<NodeId>> {
    let conjuncts: Vec<Conjuncts<'_>> =
        branches.iter().map(|&branch| Conjuncts::of(settling, branch)).collect();
    let possible = |branch: NodeId| settling.kinds(branch).intersection(kinds);
    let mut beside = vec![Vec::new(); branches.len()];
    for (at, &branch) in branches.iter().enumerate() {
        for (other_at, &other) in branches.iter().enumerate().skip(at + 1) {
            let shared = possible(branch).intersection(possible(other));
            let apart = shared == Kinds::NONE
                || conjuncts[at].exclude_each_other(settling, &conjuncts[other_at], kinds);
            if !apart {
                beside[at].push(other);
                beside[other_at].push(branch);
            }
        }
    }
    beside
}

/// A branch, and none of the others.
fn alone(
    settling: &mut Settling<'_, '_>,
    part: NodeId,
    branch: NodeId,
    others: &[NodeId],
) -> Result<NodeId, CompileError> {
    if others.is_empty() {
        return Ok(branch);
    }
    let mut all = vec![branch];
    for &other in others {
        all.push(settling.opposite(other)?);
    }
    settling.conjunction(part, &all)
}

/// One of a list, by halves.
fn halves(settling: &mut Settling<'_, '_>, part: NodeId, list: &[NodeId]) -> Result<Node, CompileError> {
    let mut alternatives = Vec::new();
    if list.len() <= WRITTEN_MAX {
        for (at, &branch) in list.iter().enumerate() {
            let others = [&list[..at], &list[at + 1..]].concat();
            alternatives.push(alone(settling, part, branch, &others)?);
        }
    } else {
        let (first, second) = list.split_at(list.len() / 2);
        for (one, none) in [(first, second), (second, first)] {
            let origin = settling.origin(part);
            let some = settling.fresh(origin, Part::Is(Node::True))?;
            let node = halves(settling, some, one)?;
            settling.settle_as(some, node);
            alternatives.push(alone(settling, part, some, none)?);
        }
    }
    Ok(settling.any(part, &alternatives))
}

/// What a branch asserts of an object, one level deep.
struct Conjuncts<'p> {
    kinds: Kinds,
    required: Vec<&'p str>,
    members: Vec<&'p MemberRule>,
}

impl<'p> Conjuncts<'p> {
    fn of(settling: &'p Settling<'_, '_>, branch: NodeId) -> Self {
        let mut found = Self { kinds: Kinds::ALL, required: Vec::new(), members: Vec::new() };
        let mut open = vec![branch];
        let mut steps = 0;
        while let Some(part) = open.pop() {
            steps += 1;
            match settling.node_so_far(part) {
                Node::All(children) if steps < CONJUNCTS_MAX => open.extend(children),
                Node::Kind(kinds) => found.kinds = found.kinds.intersection(*kinds),
                Node::Required(name) => found.required.push(name),
                Node::Members(rule) => found.members.push(rule),
                _ => {}
            }
        }
        found
    }

    /// Whether the branches can't both hold of an object, as far as it is plain to see: a name that both require has a listed text in
    /// each, and none in both; or one requires a name that the other forbids.
    fn exclude_each_other(&self, settling: &Settling<'_, '_>, other: &Self, kinds: Kinds) -> bool {
        let only_objects = self.kinds.intersection(other.kinds).intersection(kinds) == Kinds::OBJECT;
        only_objects && (self.excludes(settling, other) || other.excludes(settling, self))
    }

    fn excludes(&self, settling: &Settling<'_, '_>, other: &Self) -> bool {
        let value = |of: &Self, name: &str| {
            let found: Vec<NodeId> = of
                .members
                .iter()
                .flat_map(|rule| rule.properties.iter())
                .filter(|(n, _)| **n == *name)
                .map(|(_, node)| *node)
                .collect();
            found
        };
        self.required.iter().any(|name| {
            let theirs = value(other, name);
            if theirs.iter().any(|&node| *settling.node_so_far(node) == Node::False) {
                return true;
            }
            let mine = value(self, name);
            other.required.contains(name)
                && mine.iter().any(|&m| theirs.iter().any(|&t| texts_differ(settling, m, t)))
        })
    }
}

/// Most parts of a branch that are looked at.
const CONJUNCTS_MAX: usize = 200;

/// Whether both nodes allow listed texts only, and no text is in both lists.
fn texts_differ(settling: &Settling<'_, '_>, a: NodeId, b: NodeId) -> bool {
    match (texts(settling, a), texts(settling, b)) {
        (Some(a), Some(b)) => !a.iter().any(|text| b.contains(text)),
        _ => false,
    }
}

/// The only texts that a node allows, and nothing else but texts.
fn texts<'p>(settling: &'p Settling<'_, '_>, node: NodeId) -> Option<&'p [Box<str>]> {
    let Node::All(children) = settling.node_so_far(node) else { return None };
    let only_texts = children.iter().any(|&c| *settling.node_so_far(c) == Node::Kind(Kinds::STRING));
    children.iter().find_map(|&c| match settling.node_so_far(c) {
        Node::Text(Regex::Literals(texts)) if only_texts => Some(&**texts),
        _ => None,
    })
}
