//! Settling: from the plan to the program.
//!
//! Parts are decided in an order in which everything that applies to the same value comes first, found by a
//! depth-first walk with an explicit stack. A way back to a part that is still open is a circle of `$ref`s that
//! consumes nothing: ill-founded, refused. On the way up constants are folded, and `oneOf`, `not`, `if`, `contains` and
//! `propertyNames` become plain nodes where what is known of their children makes that exact; elsewhere they are refused.
//!
//! Folding drops no *mention* of a member's name: the order of an object's keys is read from the program, so `true` beside
//! a branch that lists properties stays. Only then may a constant remain inside `All` or `Any`.

use super::walk::{Part, Plan};
use super::{Pointers, refuse};
use crate::error::{CompileError, CompileErrorKind};
use crate::grammar::program::{Kinds, Node, SchemaProgram};
use crate::index::NodeId;
use crate::syntax::json::{Json, Value};

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

struct Settling<'p, 'j> {
    json: &'j Json<'j>,
    plan: &'p mut Plan<'j>,
    states: Vec<State>,
    /// For each part the last conjunction or disjunction that took it: finds repeated children.
    taken_by: Vec<NodeId>,
}

/// Decides all parts: afterwards each is `Part::Is`, and every edge leads to the part that stands for its target.
pub(super) fn settle<'j>(json: &'j Json<'j>, plan: &mut Plan<'j>) -> Result<(), CompileError> {
    let count = plan.parts.len();
    let states = vec![State::New; count];
    let taken_by = vec![NOBODY; count];
    let mut settling = Settling { json, plan, states, taken_by };
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
                State::Open => return Err(settling.circle(&stack, child)),
            }
        }
    }
    settling.redirect();
    Ok(())
}

impl<'j> Settling<'_, 'j> {
    fn known(&self, part: NodeId) -> Known {
        match self.states[part.index()] {
            State::Decided(known) => known,
            _ => unreachable!("children are decided before their parents"),
        }
    }

    fn node(&self, part: NodeId) -> &Node {
        match &self.plan.parts[part.index()] {
            Part::Is(node) => node,
            other => unreachable!("{other:?} is decided"),
        }
    }

    fn origin(&self, part: NodeId) -> Value<'j> {
        self.json.value(self.plan.origins[part.index()])
    }

    /// The open parts lead back to `child`. Through `contains` or `propertyNames` that is well-founded, but not enforced.
    fn circle(&self, open: &[(NodeId, usize)], child: NodeId) -> CompileError {
        let round = open.iter().rev().map(|&(part, _)| part);
        for part in round.take_while(|&part| part != child).chain([child]) {
            match &self.plan.parts[part.index()] {
                Part::Contains { .. } => return self.unsupported(part, "contains", CONTAINS),
                Part::Names(_) => return self.unsupported(part, "propertyNames", NAMES),
                _ => {}
            }
        }
        let message = "the schema refers to itself for the same value, without going into a member or an item: no value is decided by it";
        refuse(CompileErrorKind::Reference, self.origin(child), "$ref", message)
    }

    fn unsupported(&self, part: NodeId, keyword: &str, message: &str) -> CompileError {
        refuse(CompileErrorKind::Unsupported, self.origin(part), keyword, message)
    }

    /// Makes a part whose children are decided a node, and notes what is known of it.
    fn decide(&mut self, part: NodeId) -> Result<(), CompileError> {
        let taken = std::mem::replace(&mut self.plan.parts[part.index()], Part::Is(Node::True));
        let node = match taken {
            Part::Is(Node::All(children)) => self.all(part, &children),
            Part::Is(Node::Any(children)) => self.any(part, &children),
            Part::Is(node) => node,
            Part::OneOf { branches, kinds } => self.one_of(part, &branches, kinds)?,
            Part::Not([child]) => self.not(part, child)?,
            Part::Conditional(children) => self.conditional(part, children)?,
            Part::Contains { child: [child], min, max } => self.contains(part, child, min, max)?,
            Part::Names([child]) => self.names(part, child)?,
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
            Node::Members { properties, .. } => known.mentions = !properties.is_empty(),
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
        kept.retain(|&c| *self.node(c) != Node::True);
        let kinds = kept.iter().fold(Kinds::ALL, |kinds, &c| kinds.intersection(self.known(c).kinds));
        let mentions = kept.iter().any(|&c| self.known(c).mentions);
        if kept.is_empty() {
            Node::True
        } else if kinds == Kinds::NONE && !mentions {
            Node::False
        } else if kept.iter().all(|&c| matches!(self.node(c), Node::Kind(_))) {
            kind_node(kinds)
        } else {
            Node::All(kept)
        }
    }

    fn any(&mut self, part: NodeId, children: &[NodeId]) -> Node {
        let mut kept = self.distinct(part, children);
        kept.retain(|&c| *self.node(c) != Node::False);
        let mentions = kept.iter().any(|&c| self.known(c).mentions);
        if kept.is_empty() {
            Node::False
        } else if !mentions && kept.iter().any(|&c| *self.node(c) == Node::True) {
            Node::True
        } else if kept.iter().all(|&c| matches!(self.node(c), Node::Kind(_))) {
            kind_node(kept.iter().fold(Kinds::NONE, |kinds, &c| kinds.union(self.known(c).kinds)))
        } else {
            Node::Any(kept)
        }
    }

    /// Branches that share no kind of value can't hold together, so exactly one holds iff any does.
    fn one_of(&mut self, part: NodeId, branches: &[NodeId], kinds: Kinds) -> Result<Node, CompileError> {
        let mut taken = Kinds::NONE;
        for &branch in branches {
            let possible = self.known(branch).kinds.intersection(kinds);
            if taken.intersection(possible) != Kinds::NONE {
                return Err(self.unsupported(part, "oneOf", ONE_OF));
            }
            taken = taken.union(possible);
        }
        Ok(self.any(part, branches))
    }

    fn not(&mut self, part: NodeId, child: NodeId) -> Result<Node, CompileError> {
        match self.node(self.known(child).same) {
            Node::True => Ok(Node::False),
            Node::False => Ok(Node::True),
            Node::Kind(kinds) => Ok(kind_node(Kinds(Kinds::ALL.0 & !kinds.0))),
            _ => Err(self.unsupported(part, "not", NOT)),
        }
    }

    fn conditional(
        &mut self,
        part: NodeId,
        [condition, then, otherwise]: [NodeId; 3],
    ) -> Result<Node, CompileError> {
        let is_true = |s: &Self, side: NodeId| *s.node(s.known(side).same) == Node::True;
        match self.node(self.known(condition).same) {
            Node::True => Ok(Node::All(vec![self.known(then).same])),
            Node::False => Ok(Node::All(vec![self.known(otherwise).same])),
            _ if is_true(self, then) && is_true(self, otherwise) => Ok(Node::True),
            _ => Err(self.unsupported(part, "if", IF)),
        }
    }

    fn contains(
        &mut self,
        part: NodeId,
        child: NodeId,
        min: u64,
        max: Option<u64>,
    ) -> Result<Node, CompileError> {
        match self.node(self.known(child).same) {
            _ if min == 0 && max.is_none() => Ok(Node::True),
            Node::True => {
                let origin = self.origin(part);
                let bounds =
                    (min > 0).then_some(Node::MinItems(min)).into_iter().chain(max.map(Node::MaxItems));
                let bounds = bounds.map(|node| self.decided(origin, node)).collect::<Result<_, _>>()?;
                Ok(Node::All(bounds))
            }
            Node::False if min == 0 => Ok(Node::True),
            Node::False => Ok(kind_node(Kinds(Kinds::ALL.0 & !Kinds::ARRAY.0))),
            _ => Err(self.unsupported(part, "contains", CONTAINS)),
        }
    }

    /// Names are strings, so of their schema only what it says about strings counts: everything or nothing.
    fn names(&mut self, part: NodeId, child: NodeId) -> Result<Node, CompileError> {
        let same = self.known(child).same;
        let conjuncts = match self.node(same) {
            Node::All(children) => children.clone(),
            _ => vec![same],
        };
        let mut possible = true;
        let mut open = true;
        for conjunct in conjuncts {
            match self.node(conjunct) {
                Node::False => possible = false,
                Node::Kind(kinds) => possible &= kinds.contains(Kinds::STRING),
                Node::Text(_) | Node::All(_) | Node::Any(_) => open = false,
                _ => {}
            }
        }
        match (possible, open) {
            (true, true) => Ok(Node::True),
            (true, false) => Err(self.unsupported(part, "propertyNames", NAMES)),
            (false, _) => {
                let rest = self.decided(self.origin(part), Node::False)?;
                Ok(Node::Members { properties: Vec::new(), rest })
            }
        }
    }

    /// A further node, decided at once.
    fn decided(&mut self, origin: Value<'_>, node: Node) -> Result<NodeId, CompileError> {
        let id = self.plan.add(origin, Part::Is(node))?;
        let known = self.describe(id, self.node(id));
        self.states.push(State::Decided(known));
        self.taken_by.push(NOBODY);
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
        for part in &mut self.plan.parts {
            if let Part::Is(node) = part {
                edges(node, same);
            }
        }
    }
}

const ONE_OF: &str = "branches that may hold together are not enforced yet, only those of different types: use anyOf if no value can match two of them";
const NOT: &str = "it is enforced for types alone yet: say what is allowed instead";
const IF: &str = "conditions are not enforced yet: list the cases in anyOf";
const CONTAINS: &str = "it is not enforced yet: describe the items with items or prefixItems";
const NAMES: &str = "the names are not constrained yet: use properties and additionalProperties";

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
        Node::Members { properties, rest } => {
            properties.iter_mut().for_each(|(_, node)| show(node));
            show(rest);
        }
        Node::Items { prefix, rest } => {
            prefix.iter_mut().for_each(&mut show);
            show(rest);
        }
        _ => {}
    }
}

/// The settled parts that the root reaches, numbered afresh by distance from it.
pub(super) fn program(json: &Json<'_>, plan: Plan<'_>) -> Result<SchemaProgram, CompileError> {
    let Plan { mut parts, root, origins, policy, .. } = plan;
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
        places.push(pointers.of(json.value(origins[id.index()]))?);
    }
    Ok(SchemaProgram { nodes, places, root: NodeId(0), policy })
}
