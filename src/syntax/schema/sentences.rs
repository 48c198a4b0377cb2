//! Where a grammar may stand in a schema: where it is decided, before a string is read, that its text must be one of the grammar.
//!
//! A context-free language has no complement that could be read, and two of them no intersection: so a string is never asked *whether*
//! its text is one of a grammar. Of the alternatives around it, all but one must be out before the string comes: because they
//! allow no value of that kind, or because a member that comes before has another text in them. So must alternatives beside it be
//! that say something of the same member or items: which of them holds would hang on the text. What is not plainly so is
//! refused with the place of the format.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::error::{CompileError, CompileErrorKind, Place};
use crate::grammar::policy::KeyOrder;
use crate::grammar::program::{Kinds, MemberRule, Node, SchemaProgram};
use crate::grammar::regex::Regex;
use crate::index::NodeId;
use crate::limits::SENTENCE_STEPS_MAX;

/// Refuses programs in which a grammar stands where it can't be read.
pub(super) fn check(program: &SchemaProgram) -> Result<(), CompileError> {
    if !program.nodes.iter().any(|node| matches!(node, Node::Sentence(_))) {
        return Ok(());
    }
    let check =
        Check { program, leads: leads_to_sentences(program), steps_left: Cell::new(SENTENCE_STEPS_MAX) };
    let mut values = vec![program.root];
    let mut seen: HashSet<NodeId> = HashSet::new();
    while let Some(value) = values.pop() {
        if check.leads[value.index()] && seen.insert(value) {
            check.value(value, &mut values)?;
        }
    }
    Ok(())
}

/// By node, whether a grammar stands in it or in what it leads to.
fn leads_to_sentences(program: &SchemaProgram) -> Vec<bool> {
    let mut parents: Vec<Vec<usize>> = vec![Vec::new(); program.nodes.len()];
    let mut pending = Vec::new();
    for (at, node) in program.nodes.iter().enumerate() {
        node.for_each_child(|child| parents[child.index()].push(at));
        if matches!(node, Node::Sentence(_)) {
            pending.push(at);
        }
    }
    let mut leads = vec![false; program.nodes.len()];
    while let Some(at) = pending.pop() {
        if !std::mem::replace(&mut leads[at], true) {
            pending.extend(&parents[at]);
        }
    }
    leads
}

/// By name, which it is in the order of keys.
type Order = HashMap<Box<str>, usize>;

/// Members and items of one value in which grammars stand.
#[derive(Default)]
struct Inside {
    names: BTreeSet<Box<str>>,
    /// Members by pattern, or all others.
    others: bool,
    items: bool,
}

/// What is known of one value.
struct Around {
    order: Order,
    inside: Inside,
    /// Some part that leads to a grammar.
    first: NodeId,
}

const SOME: &str = "only some members or items need to satisfy what is said of them, and whether one does can't be told before it is read";

struct Check<'p> {
    program: &'p SchemaProgram,
    leads: Vec<bool>,
    steps_left: Cell<usize>,
}

impl Check<'_> {
    fn node(&self, id: NodeId) -> &Node {
        &self.program.nodes[id.index()]
    }

    /// One value: the values inside of it in which grammars stand are still to be looked at.
    fn value(&self, value: NodeId, values: &mut Vec<NodeId>) -> Result<(), CompileError> {
        let parts = self.parts(value);
        let leading: Vec<NodeId> = parts.iter().copied().filter(|part| self.leads[part.index()]).collect();
        let Some(&first) = leading.first() else { return Ok(()) };
        let around = Around { order: self.order(&parts), inside: self.inside(&leading), first };
        for &part in &leading {
            match self.node(part) {
                Node::Members(rule) => values.extend(rule.nodes()),
                Node::Items { prefix, rest, except: 0 } => values.extend(prefix.iter().chain([rest])),
                Node::SomeMember(_) | Node::Items { .. } | Node::AtLeast { .. } => {
                    return Err(self.refuse(part, SOME));
                }
                Node::All(children) => self.one_grammar(children)?,
                _ => {}
            }
        }
        for &part in &parts {
            match self.node(part) {
                Node::Any(children) => self.alternatives(&around, children)?,
                Node::Unique | Node::Repeated if around.inside.items => {
                    let why = format!(
                        "an item with it would be compared with others (`uniqueItems` at {:?}), and how many texts a grammar has is not \
                         counted",
                        self.program.places[part.index()]
                    );
                    return Err(self.refuse(first, &why));
                }
                // It is that member, then.
                Node::SomeMember(rule) if self.is_one_member(rule) => {}
                Node::SomeMember(_) | Node::AtLeast { .. } | Node::Items { except: 1.., .. }
                    if self.speaks_of(part, &around.inside).is_some() =>
                {
                    return Err(self.refuse(first, SOME));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Refuses conjuncts that ask for two grammars, of a string or of a member or items.
    fn one_grammar(&self, children: &[NodeId]) -> Result<(), CompileError> {
        let mut grammar: Option<&Node> = None;
        let mut all = Inside::default();
        let mut asked: BTreeMap<&str, BTreeSet<NodeId>> = BTreeMap::new();
        for &child in children.iter().filter(|child| self.leads[child.index()]) {
            let parts: Vec<NodeId> =
                self.parts(child).into_iter().filter(|part| self.leads[part.index()]).collect();
            self.charge(child, parts.len())?;
            let inside = self.inside(&parts);
            let mut is_second = (all.items && inside.items)
                || (all.others && (inside.others || !inside.names.is_empty()))
                || (inside.others && !all.names.is_empty());
            let mut here: BTreeMap<&str, BTreeSet<NodeId>> = BTreeMap::new();
            for &part in &parts {
                match self.node(part) {
                    Node::Sentence(_) => {
                        is_second |=
                            *grammar.get_or_insert(self.node(part)) != self.node(part) && part == child
                    }
                    Node::Members(rule) => {
                        let leading = rule.properties.iter().filter(|(_, node)| self.leads[node.index()]);
                        leading.for_each(|(name, node)| {
                            here.entry(&**name).or_default().insert(*node);
                        });
                    }
                    _ => {}
                }
            }
            is_second |=
                here.iter().any(|(name, nodes)| asked.get(name).is_some_and(|before| before != nodes));
            if is_second {
                return Err(self.refuse(
                    child,
                    "a string would have to be a text of two grammars, and whether there is one can't be decided",
                ));
            }
            asked.extend(here);
            all.names.extend(inside.names);
            all.others |= inside.others;
            all.items |= inside.items;
        }
        Ok(())
    }

    /// The members and items in which grammars stand.
    fn inside(&self, leading: &[NodeId]) -> Inside {
        let mut inside = Inside::default();
        for &part in leading {
            match self.node(part) {
                Node::Members(rule) | Node::SomeMember(rule) => {
                    let named = rule.properties.iter().filter(|(_, node)| self.leads[node.index()]);
                    inside.names.extend(named.map(|(name, _)| name.clone()));
                    let mut others = rule.patterns.iter().map(|(_, node)| node).chain([&rule.rest]);
                    inside.others |= others.any(|node| self.leads[node.index()]);
                }
                Node::Items { .. } | Node::AtLeast { .. } => inside.items = true,
                _ => {}
            }
        }
        inside
    }

    /// Whether only members of one name can be meant.
    fn is_one_member(&self, rule: &MemberRule) -> bool {
        let names = rule.properties.iter().filter(|(_, node)| *self.node(*node) != Node::False);
        names.count() == 1 && rule.patterns.is_empty() && *self.node(rule.rest) == Node::False
    }

    /// The kind of value whose members or items in which grammars stand a part says something of.
    fn speaks_of(&self, part: NodeId, inside: &Inside) -> Option<Kinds> {
        // What every member satisfies says nothing of any, and what no member satisfies nothing of some.
        let nothing = match self.node(part) {
            Node::SomeMember(_) | Node::AtLeast { .. } => Node::False,
            _ => Node::True,
        };
        let says = |node: &NodeId| *self.node(*node) != nothing;
        match self.node(part) {
            Node::Members(rule) | Node::SomeMember(rule) => {
                let others = || rule.patterns.iter().map(|(_, node)| node).chain([&rule.rest]).any(says);
                let of_name = |name: &str| match rule.properties.iter().find(|(known, _)| **known == *name) {
                    Some((_, node)) => says(node) || rule.patterns.iter().any(|(_, node)| says(node)),
                    None => others(),
                };
                let all = || others() || rule.properties.iter().any(|(_, node)| says(node));
                let speaks = inside.names.iter().any(|name| of_name(name)) || (inside.others && all());
                speaks.then_some(Kinds::OBJECT)
            }
            Node::Items { prefix, rest, .. } | Node::AtLeast { prefix, rest, .. } => {
                (inside.items && prefix.iter().chain([rest]).any(says)).then_some(Kinds::ARRAY)
            }
            _ => None,
        }
    }

    /// A node and those that speak of the same value, in source order.
    fn parts(&self, value: NodeId) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        let mut pending = vec![value];
        while let Some(part) = pending.pop() {
            if seen.insert(part) {
                found.push(part);
                if let Node::All(children) | Node::Any(children) = self.node(part) {
                    pending.extend(children.iter().rev());
                }
            }
        }
        found
    }

    /// Alternatives of which some say something of members or items in which grammars stand: all others must be out before.
    fn alternatives(&self, around: &Around, children: &[NodeId]) -> Result<(), CompileError> {
        for &child in children {
            let parts = self.parts(child);
            self.charge(child, parts.len())?;
            // Ways to read one string stand side by side, and say nothing of members and items.
            for kind in parts.into_iter().filter_map(|part| self.speaks_of(part, &around.inside)) {
                self.charge(child, children.len())?;
                let is_out = |other: NodeId| {
                    !self.kinds(other).contains(kind)
                        || (kind == Kinds::OBJECT && self.is_told_before(around, child, other))
                };
                if !children.iter().all(|&other| other == child || is_out(other)) {
                    let from = if self.leads[child.index()] { child } else { around.first };
                    return Err(self.refuse(
                        from,
                        "another alternative is still open when it comes: give both a required member in front with another `const`, \
                         or another type",
                    ));
                }
            }
        }
        Ok(())
    }

    /// Whether a member that comes before all in which grammars stand has listed texts in both, and none in common.
    fn is_told_before(&self, around: &Around, child: NodeId, other: NodeId) -> bool {
        if self.program.policy.key_order != KeyOrder::Declared || around.inside.others {
            return false;
        }
        let place = |name: &str| around.order.get(name).copied();
        let told = |name: &str| {
            let before = place(name);
            before.is_some()
                && around.inside.names.iter().all(|inside| before < place(inside))
                && match (self.texts_of(child, name), self.texts_of(other, name)) {
                    (Some((mine, true)), Some((theirs, _))) => mine.is_disjoint(&theirs),
                    _ => false,
                }
        };
        self.required(child).into_iter().any(told)
    }

    /// The names that all parts of a value mention, in the order of keys.
    fn order(&self, parts: &[NodeId]) -> Order {
        let mut order = Order::new();
        for &part in parts {
            if let Node::Members(rule) | Node::SomeMember(rule) = self.node(part)
                && rule.names == crate::grammar::program::NamesAre::Declared
            {
                for (name, _) in &rule.properties {
                    let next = order.len();
                    order.entry(name.clone()).or_insert(next);
                }
            }
        }
        order
    }

    fn charge(&self, at: NodeId, steps: usize) -> Result<(), CompileError> {
        let left = self.steps_left.get().checked_sub(steps).ok_or_else(|| {
            let message = format!(
                "there are too many alternatives around a format that is a grammar: at most {SENTENCE_STEPS_MAX} pairs are compared \
                 (SENTENCE_STEPS_MAX)"
            );
            CompileError::new(CompileErrorKind::Limit, Place::pointer(&*self.program.places[at.index()]), "format", message)
        })?;
        self.steps_left.set(left);
        Ok(())
    }

    /// The conjuncts of a node.
    fn conjuncts(&self, node: NodeId) -> Vec<NodeId> {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        let mut pending = vec![node];
        while let Some(part) = pending.pop() {
            if seen.insert(part) {
                match self.node(part) {
                    Node::All(children) => pending.extend(children),
                    _ => found.push(part),
                }
            }
        }
        found
    }

    fn required(&self, node: NodeId) -> Vec<&str> {
        let conjuncts = self.conjuncts(node);
        let names = conjuncts.into_iter().filter_map(|part| match self.node(part) {
            Node::Required(name) => Some(&**name),
            _ => None,
        });
        names.collect()
    }

    /// The only texts that a member may have if it is a string, and whether it must be one.
    fn texts_of(&self, node: NodeId, name: &str) -> Option<(BTreeSet<String>, bool)> {
        let conjuncts = self.conjuncts(node);
        let values = conjuncts.iter().filter_map(|&part| match self.node(part) {
            Node::Members(rule) => {
                rule.properties.iter().find(|(known, _)| **known == *name).map(|(_, value)| *value)
            }
            _ => None,
        });
        let conditions: Vec<NodeId> = values.flat_map(|value| self.conjuncts(value)).collect();
        let is_string = conditions.iter().any(|&part| *self.node(part) == Node::Kind(Kinds::STRING));
        let texts = conditions.iter().find_map(|&part| match self.node(part) {
            Node::Text(regex) => listed(regex),
            _ => None,
        });
        texts.map(|texts| (texts, is_string))
    }

    /// The kinds of values that may satisfy a node, or more.
    fn kinds(&self, node: NodeId) -> Kinds {
        let mut all = Kinds::ALL;
        for part in self.conjuncts(node) {
            all = all.intersection(match self.node(part) {
                Node::False => Kinds::NONE,
                Node::Kind(kinds) => *kinds,
                // Connectives have no cycles; alternatives of alternatives are not looked into.
                Node::Any(children) => {
                    children.iter().fold(Kinds::NONE, |some, &child| match self.node(child) {
                        Node::Kind(kinds) => some.union(*kinds),
                        _ => Kinds::ALL,
                    })
                }
                _ => Kinds::ALL,
            });
        }
        all
    }

    /// Refuses what leads to a grammar, at the place of the nearest one.
    fn refuse(&self, from: NodeId, why: &str) -> CompileError {
        let mut pending = std::collections::VecDeque::from([from]);
        let mut seen = HashSet::new();
        let mut place = &self.program.places[from.index()];
        while let Some(at) = pending.pop_front() {
            if matches!(self.node(at), Node::Sentence(_)) {
                place = &self.program.places[at.index()];
                break;
            }
            self.node(at).for_each_child(|child| {
                if self.leads[child.index()] && seen.insert(child) {
                    pending.push_back(child);
                }
            });
        }
        CompileError::new(
            CompileErrorKind::Unsupported,
            Place::pointer(&**place),
            "format",
            format!("this format is a grammar, and it can't be enforced here: {why}"),
        )
    }
}

/// The texts of a regex that lists them.
fn listed(regex: &Regex) -> Option<BTreeSet<String>> {
    match regex {
        Regex::Empty => Some(BTreeSet::from([String::new()])),
        Regex::Literals(texts) => Some(texts.iter().map(|text| text.to_string()).collect()),
        Regex::Set(set) if set.len() == 1 => {
            char::from_u32(set.ranges()[0].0).map(|c| BTreeSet::from([c.to_string()]))
        }
        _ => None,
    }
}
