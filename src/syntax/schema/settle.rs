//! Settling: from the plan to the program.
//!
//! Parts are decided in an order in which everything that applies to the same value comes first, found by a
//! depth-first walk with an explicit stack. A way back to a part that is still open is a circle of `$ref`s that
//! consumes nothing: ill-founded, refused. On the way up constants are folded, and `oneOf`, `not`, `if` and
//! `propertyNames` become plain nodes. Opposites that they need are only promised there, and made last (`opposite.rs`):
//! recursion may lead to them from anywhere.
//!
//! Folding drops no *mention* of a member's name: the order of an object's keys is read from the program, so `true` beside
//! a branch that lists properties stays. Only then may a constant remain inside `All` or `Any`.

use std::collections::BTreeMap;

use super::documents::Documents;
use super::walk::{Part, Plan};
use super::{Pointers, refuse};
use super::{one_of, opposite};
use crate::error::{CompileError, CompileErrorKind};
use crate::grammar::program::{Kinds, Node, SchemaProgram};
use crate::index::NodeId;
use crate::syntax::json::Value;

/// No part: for `taken_by`.
const NOBODY: NodeId = NodeId(u32::MAX);

/// What is known of a decided part.
#[derive(Clone, Copy)]
struct Known {
    /// The part that stands for it: itself, or the only one that it consists of.
    same: NodeId,
    /// Kinds of values of which it may be true.
    kinds: Kinds,
    /// Whether it mentions names of the value's members.
    mentions: bool,
}

#[derive(Clone, Copy)]
enum State {
    New,
    Open,
    Decided(Known),
}

pub(super) struct Settling<'p, 'j> {
    documents: &'j Documents<'j>,
    pub(super) plan: &'p mut Plan<'j>,
    /// The opposite of a part, in both directions.
    pub(super) opposites: BTreeMap<NodeId, NodeId>,
    /// Promised opposites that are still to be made: the part, and what will be its opposite.
    pub(super) promised: Vec<(NodeId, NodeId)>,
    states: Vec<State>,
    /// For each part the last conjunction or disjunction that took it: finds repeated children.
    taken_by: Vec<NodeId>,
}

/// Decides all parts: afterwards each is `Part::Is`, and every edge leads to the part that stands for its target.
pub(super) fn settle<'j>(documents: &'j Documents<'j>, plan: &mut Plan<'j>) -> Result<(), CompileError> {
    let count = plan.parts.len();
    let states = vec![State::New; count];
    let taken_by = vec![NOBODY; count];
    let mut settling =
        Settling { documents, plan, opposites: BTreeMap::new(), promised: Vec::new(), states, taken_by };
    let mut stack: Vec<(NodeId, usize)> = Vec::new();
    for start in (0..count).map(NodeId::new) {
        if matches!(settling.states[start.index()], State::New) {
            settling.states[start.index()] = State::Open;
            stack.push((start, 0));
        }
        while let Some((part, next)) = stack.last_mut() {
            let part = *part;
            let Some(&child) = settling.plan.parts[part.index()].dependencies().get(*next) else {
                stack.pop();
                settling.decide(part)?;
                continue;
            };
            *next += 1;
            match settling.states[child.index()] {
                State::Decided(_) => {}
                State::New => {
                    settling.states[child.index()] = State::Open;
                    stack.push((child, 0));
                }
                State::Open => return Err(settling.circle(child)),
            }
        }
    }
    opposite::make(&mut settling)?;
    settling.redirect();
    Ok(())
}

impl<'j> Settling<'_, 'j> {
    /// The part that stands for a decided one.
    pub(super) fn same(&self, part: NodeId) -> NodeId {
        self.known(part).same
    }

    fn known(&self, part: NodeId) -> Known {
        match self.states[part.index()] {
            State::Decided(known) => known,
            _ => unreachable!("children are decided before their parents"),
        }
    }

    pub(super) fn node(&self, part: NodeId) -> &Node {
        match &self.plan.parts[part.index()] {
            Part::Is(node) => node,
            other => unreachable!("{other:?} is decided"),
        }
    }

    pub(super) fn origin(&self, part: NodeId) -> Value<'j> {
        self.documents.value(self.plan.origins[part.index()])
    }

    /// The open parts lead back to `child`.
    fn circle(&self, child: NodeId) -> CompileError {
        let message = "the schema refers to itself for the same value, without going into a member or an item: no value is decided by it";
        refuse(CompileErrorKind::Reference, self.origin(child), "$ref", message)
    }

    pub(super) fn unsupported(&self, part: NodeId, keyword: &str, message: &str) -> CompileError {
        refuse(CompileErrorKind::Unsupported, self.origin(part), keyword, message)
    }

    /// Makes a part whose children are decided a node, and notes what is known of it.
    fn decide(&mut self, part: NodeId) -> Result<(), CompileError> {
        let taken = std::mem::replace(&mut self.plan.parts[part.index()], Part::Is(Node::True));
        let node = match taken {
            Part::Is(Node::All(children)) => self.all(part, &children),
            Part::Is(Node::Any(children)) => self.any(part, &children),
            Part::Is(node) => node,
            Part::OneOf { branches, kinds } => one_of::node(self, part, &branches, kinds)?,
            Part::Not([child]) => Node::All(vec![self.opposite(child)?]),
            Part::Opposite(child) => {
                // The child may not be decided yet: nothing is known of its opposite.
                self.plan.parts[part.index()] = Part::Opposite(child);
                self.states[part.index()] =
                    State::Decided(Known { same: part, kinds: Kinds::ALL, mentions: true });
                self.promised.push((child, part));
                return Ok(());
            }
            Part::Conditional(children) => self.conditional(part, children)?,
            Part::Names([child]) => opposite::names(self, part, child)?,
        };
        let known = self.describe(part, &node);
        self.plan.parts[part.index()] = Part::Is(node);
        self.states[part.index()] = State::Decided(known);
        Ok(())
    }

    fn describe(&self, part: NodeId, node: &Node) -> Known {
        let mut known = Known { same: part, kinds: Kinds::ALL, mentions: false };
        match node {
            Node::All(children) | Node::Any(children) if children.len() == 1 => {
                return self.known(children[0]);
            }
            Node::All(children) => {
                for child in children.iter().map(|&c| self.known(c)) {
                    known.kinds = known.kinds.intersection(child.kinds);
                    known.mentions |= child.mentions;
                }
            }
            Node::Any(children) => {
                known.kinds = Kinds::NONE;
                for child in children.iter().map(|&c| self.known(c)) {
                    known.kinds = known.kinds.union(child.kinds);
                    known.mentions |= child.mentions;
                }
            }
            Node::False => known.kinds = Kinds::NONE,
            Node::Kind(kinds) => known.kinds = *kinds,
            Node::Members(rule) | Node::SomeMember(rule) => known.mentions = !rule.properties.is_empty(),
            Node::Required(_) => known.mentions = true,
            _ => {}
        }
        known
    }

    /// The children that stand for these, each once.
    fn distinct(&mut self, parent: NodeId, children: &[NodeId]) -> Vec<NodeId> {
        let mut kept = Vec::with_capacity(children.len());
        for &child in children {
            let same = self.known(child).same;
            if std::mem::replace(&mut self.taken_by[same.index()], parent) != parent {
                kept.push(same);
            }
        }
        kept
    }

    fn all(&mut self, part: NodeId, children: &[NodeId]) -> Node {
        let mut kept = self.distinct(part, children);
        kept.retain(|&c| *self.node_so_far(c) != Node::True);
        let kinds = kept.iter().fold(Kinds::ALL, |kinds, &c| kinds.intersection(self.known(c).kinds));
        let mentions = kept.iter().any(|&c| self.known(c).mentions);
        if kept.is_empty() {
            Node::True
        } else if kinds == Kinds::NONE && !mentions {
            Node::False
        } else if kept.iter().all(|&c| matches!(self.node_so_far(c), Node::Kind(_))) {
            kind_node(kinds)
        } else {
            Node::All(kept)
        }
    }

    pub(super) fn any(&mut self, part: NodeId, children: &[NodeId]) -> Node {
        let mut kept = self.distinct(part, children);
        kept.retain(|&c| *self.node_so_far(c) != Node::False);
        let mentions = kept.iter().any(|&c| self.known(c).mentions);
        if kept.is_empty() {
            Node::False
        } else if !mentions && kept.iter().any(|&c| *self.node_so_far(c) == Node::True) {
            Node::True
        } else if kept.iter().all(|&c| matches!(self.node_so_far(c), Node::Kind(_))) {
            kind_node(kept.iter().fold(Kinds::NONE, |kinds, &c| kinds.union(self.known(c).kinds)))
        } else {
            Node::Any(kept)
        }
    }

    /// Kinds of values of which a decided part may be true.
    pub(super) fn kinds(&self, part: NodeId) -> Kinds {
        self.known(part).kinds
    }

    /// A further node: all of these, at the place of `part`.
    pub(super) fn conjunction(&mut self, part: NodeId, all: &[NodeId]) -> Result<NodeId, CompileError> {
        let node = self.fresh(self.origin(part), Part::Is(Node::True))?;
        let all = self.all(node, all);
        self.settle_as(node, all);
        Ok(node)
    }

    /// What does not hold if the part does, and does if not.
    pub(super) fn opposite(&mut self, part: NodeId) -> Result<NodeId, CompileError> {
        let part = self.known(part).same;
        if let Some(&known) = self.opposites.get(&part) {
            return Ok(known);
        }
        let origin = self.origin(part);
        let id = match &self.plan.parts[part.index()] {
            Part::Is(Node::True) => self.decided(origin, Node::False)?,
            Part::Is(Node::False) => self.decided(origin, Node::True)?,
            Part::Is(Node::Kind(kinds)) => {
                let other = kind_node(Kinds(Kinds::ALL.0 & !kinds.0));
                self.decided(origin, other)?
            }
            _ => {
                let mentions = self.known(part).mentions;
                let id = self.fresh(origin, Part::Opposite(part))?;
                self.states[id.index()] = State::Decided(Known { same: id, kinds: Kinds::ALL, mentions });
                self.promised.push((part, id));
                id
            }
        };
        self.opposites.insert(part, id);
        self.opposites.insert(id, part);
        Ok(id)
    }

    /// If the condition holds, then the second does; else the third.
    fn conditional(
        &mut self,
        part: NodeId,
        [condition, then, otherwise]: [NodeId; 3],
    ) -> Result<Node, CompileError> {
        let origin = self.origin(part);
        let mut sides = Vec::new();
        if *self.node_so_far(then) != Node::True {
            let fails = self.opposite(condition)?;
            sides.push([fails, then]);
        }
        if *self.node_so_far(otherwise) != Node::True {
            sides.push([condition, otherwise]);
        }
        let mut all = Vec::new();
        for side in sides {
            let node = self.fresh(origin, Part::Is(Node::True))?;
            let any = self.any(node, &side);
            self.settle_as(node, any);
            all.push(node);
        }
        Ok(self.all(part, &all))
    }

    /// The node of a part that may be promised only, or not decided yet: then it is as the keywords say.
    pub(super) fn node_so_far(&self, part: NodeId) -> &Node {
        let part = match self.states[part.index()] {
            State::Decided(known) => known.same,
            _ => part,
        };
        match &self.plan.parts[part.index()] {
            Part::Is(node) => node,
            _ => &UNDECIDED,
        }
    }

    /// Gives a part its node.
    pub(super) fn settle_as(&mut self, part: NodeId, node: Node) {
        let known = self.describe(part, &node);
        self.plan.parts[part.index()] = Part::Is(node);
        self.states[part.index()] = State::Decided(known);
    }

    /// Another part.
    pub(super) fn fresh(&mut self, origin: Value<'_>, part: Part) -> Result<NodeId, CompileError> {
        let id = self.plan.add(origin, part)?;
        self.states.push(State::Open);
        self.taken_by.push(NOBODY);
        Ok(id)
    }

    /// A further node, decided at once.
    pub(super) fn decided(&mut self, origin: Value<'_>, node: Node) -> Result<NodeId, CompileError> {
        let id = self.fresh(origin, Part::Is(Node::True))?;
        self.settle_as(id, node);
        Ok(id)
    }

    /// Leads every edge to the part that stands for its target.
    fn redirect(&mut self) {
        let states = std::mem::take(&mut self.states);
        let same = |id: &mut NodeId| {
            if let State::Decided(known) = states[id.index()] {
                *id = known.same;
            }
        };
        same(&mut self.plan.root);
        for (part, opposite) in &mut self.plan.opposites {
            same(part);
            same(opposite);
        }
        for part in &mut self.plan.parts {
            if let Part::Is(node) = part {
                edges(node, same);
            }
        }
    }
}

/// What a promised part counts as while nothing is known of it: no constant, no atom.
static UNDECIDED: Node = Node::Any(Vec::new());

fn kind_node(kinds: Kinds) -> Node {
    match kinds {
        Kinds::NONE => Node::False,
        Kinds::ALL => Node::True,
        some => Node::Kind(some),
    }
}

/// Shows all edges of a node, in order.
fn edges(node: &mut Node, mut show: impl FnMut(&mut NodeId)) {
    match node {
        Node::All(children) | Node::Any(children) => children.iter_mut().for_each(show),
        Node::Members(rule) | Node::SomeMember(rule) => {
            rule.properties.iter_mut().for_each(|(_, node)| show(node));
            rule.patterns.iter_mut().for_each(|(_, node)| show(node));
            show(&mut rule.rest);
        }
        Node::Items { prefix, rest, .. } | Node::AtLeast { prefix, rest, .. } => {
            prefix.iter_mut().for_each(&mut show);
            show(rest);
        }
        _ => {}
    }
}

/// The settled parts that the root reaches, numbered afresh by distance from it.
pub(super) fn program(documents: &Documents<'_>, plan: Plan<'_>) -> Result<SchemaProgram, CompileError> {
    let Plan { mut parts, root, origins, policy, opposites, .. } = plan;
    let mut numbers: Vec<Option<NodeId>> = vec![None; parts.len()];
    let mut nodes: Vec<Node> = Vec::new();
    let mut places: Vec<Box<str>> = Vec::new();
    let mut pointers = Pointers::default();
    let mut order: Vec<NodeId> = vec![root];
    numbers[root.index()] = Some(NodeId(0));
    let mut at = 0;
    while let Some(&id) = order.get(at) {
        at += 1;
        let taken = std::mem::replace(&mut parts[id.index()], Part::Is(Node::True));
        let Part::Is(mut node) = taken else { unreachable!("all parts are settled") };
        edges(&mut node, |edge| {
            let next = NodeId::new(order.len());
            let number = *numbers[edge.index()].get_or_insert(next);
            if number == next {
                order.push(*edge);
            }
            *edge = number;
        });
        nodes.push(node);
        places.push(pointers.of(documents.value(origins[id.index()]))?);
    }
    let number = |part: NodeId| numbers[part.index()];
    let opposites = opposites.into_iter().filter_map(|(a, b)| number(a).zip(number(b))).collect();
    Ok(SchemaProgram { nodes, places, opposites, root: NodeId(0), policy })
}
