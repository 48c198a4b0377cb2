//! Formulas: what a value must satisfy, as hash-consed boolean combinations of atoms.
//!
//! An atom is one assertion about one JSON kind, true of every value of another kind. Reading a document
//! rewrites the formula (its *residual*): a decided atom becomes a constant and the constants fold away, so equal
//! situations get equal ids, whatever led there.
//!
//! Invariants: children of `All` and `Any` are in source order, distinct, never of the same connective, at least
//! two, and never constants (but for `true` in an `Any` that names members, as loaded: see `any_with_mentions`). A
//! cycle of the schema passes through a [`Formula::Link`], and every cycle of links passes through `Members` or
//! `Items`.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use crate::automaton::heap::Heap;
use crate::automaton::sentence::SentenceId;
use crate::automaton::term::Terms;
use crate::automaton::universe::Universe;
use crate::error::{CompileError, CompileErrorKind, Exhausted, Place};
use crate::grammar::program::{Kinds, MemberRule, NamesAre, Node, SchemaProgram};
use crate::index::{FormulaId, NodeId, TermId, narrow, widen};

/// A name of an object member, interned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct NameId(pub(crate) u32);

/// One node; see the module's invariants.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Formula {
    True,
    False,
    Kind(Kinds),
    Text(TermId),
    /// If a string: its text is one of a grammar.
    Sentence(SentenceId),
    Number(TermId),
    /// Every member's value satisfies all that applies to its name.
    Members(Box<Members>),
    /// Some member's value satisfies some of what applies to its name.
    SomeMember(Box<Members>),
    Required(NameId),
    MinMembers(u64),
    MaxMembers(u64),
    /// All items but so many satisfy what stands at their position.
    Items {
        prefix: Box<[FormulaId]>,
        rest: FormulaId,
        except: u64,
    },
    /// So many items (at least one) satisfy what stands at their position.
    AtLeast {
        prefix: Box<[FormulaId]>,
        rest: FormulaId,
        count: u64,
    },
    MinItems(u64),
    MaxItems(u64),
    /// No two items are equal: the registers tell (`unique.rs`).
    Unique,
    /// Some two items are equal.
    Repeated,
    All(Box<[FormulaId]>),
    Any(Box<[FormulaId]>),
    /// Opened lazily through the universe's link table.
    Link(u32),
}

/// What applies to the members of an object, by name: see `applies.rs`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Members {
    /// In source order.
    pub(crate) properties: Box<[(NameId, FormulaId)]>,
    /// The same, as positions into `properties` sorted by name, for lookup.
    by_name: Box<[u32]>,
    /// Languages of names.
    pub(crate) patterns: Box<[(TermId, FormulaId)]>,
    pub(crate) rest: FormulaId,
    pub(crate) names: NamesAre,
}

impl Members {
    fn new(
        properties: Vec<(NameId, FormulaId)>,
        patterns: Vec<(TermId, FormulaId)>,
        rest: FormulaId,
        names: NamesAre,
    ) -> Self {
        let mut by_name: Vec<u32> = (0..narrow(properties.len())).collect();
        by_name.sort_unstable_by_key(|&i| properties[widen(i)].0);
        Self {
            properties: properties.into(),
            by_name: by_name.into(),
            patterns: patterns.into(),
            rest,
            names,
        }
    }

    /// Whether no value of any name satisfies what applies.
    fn is_about_none(&self) -> bool {
        self.rest == FALSE
            && self.properties.iter().all(|&(_, value)| value == FALSE)
            && self.patterns.iter().all(|&(_, value)| value == FALSE)
    }

    /// Whether only declared names matter.
    pub(crate) fn is_about_declared(&self) -> bool {
        self.rest == TRUE && self.patterns.is_empty()
    }

    /// What `properties` has for a name.
    pub(crate) fn declared(&self, name: NameId) -> Option<FormulaId> {
        let found = self.by_name.binary_search_by_key(&name, |&i| self.properties[widen(i)].0).ok()?;
        Some(self.properties[widen(self.by_name[found])].1)
    }
}

/// The formula true of every value.
pub(crate) const TRUE: FormulaId = FormulaId(0);
/// The formula true of no value.
pub(crate) const FALSE: FormulaId = FormulaId(1);

impl Universe {
    pub(crate) fn formula(&self, id: FormulaId) -> &Formula {
        self.formulas.get(id.0)
    }

    pub(crate) fn make(&self, formula: Formula) -> FormulaId {
        match formula {
            Formula::True => TRUE,
            Formula::False => FALSE,
            Formula::Kind(kinds) if kinds == Kinds::ALL => TRUE,
            Formula::Kind(kinds) if kinds == Kinds::NONE => FALSE,
            Formula::Text(Terms::ALL) => TRUE,
            Formula::MinItems(0) | Formula::MinMembers(0) => TRUE,
            Formula::Items { rest: TRUE, ref prefix, .. } if prefix.iter().all(|&item| item == TRUE) => TRUE,
            Formula::AtLeast { rest: TRUE, ref prefix, count } if prefix.iter().all(|&item| item == TRUE) => {
                FormulaId(self.formulas.intern(Formula::MinItems(count)))
            }
            Formula::Items { rest: FALSE, ref prefix, except } if except > 0 && prefix.is_empty() => {
                FormulaId(self.formulas.intern(Formula::MaxItems(except)))
            }
            other => FormulaId(self.formulas.intern(other)),
        }
    }

    /// Conjunction, normalised.
    pub(crate) fn all(&self, parts: impl IntoIterator<Item = FormulaId>) -> FormulaId {
        let mut children: Vec<FormulaId> = Vec::new();
        for part in parts {
            match self.formula(part) {
                Formula::True => {}
                Formula::False => return FALSE,
                Formula::All(inner) => children.extend_from_slice(inner),
                _ => children.push(part),
            }
        }
        dedup_in_order(&mut children);
        match children.as_slice() {
            [] => TRUE,
            [one] => *one,
            _ => self.make(Formula::All(children.into())),
        }
    }

    /// Disjunction, normalised.
    pub(crate) fn any(&self, parts: impl IntoIterator<Item = FormulaId>) -> FormulaId {
        let mut children: Vec<FormulaId> = Vec::new();
        for part in parts {
            match self.formula(part) {
                Formula::False => {}
                Formula::True => return TRUE,
                Formula::Any(inner) if inner.contains(&TRUE) => return TRUE,
                Formula::Any(inner) => children.extend_from_slice(inner),
                _ => children.push(part),
            }
        }
        dedup_in_order(&mut children);
        match children.as_slice() {
            [] => FALSE,
            [one] => *one,
            _ => self.make(Formula::Any(children.into())),
        }
    }

    /// Disjunction that keeps what `true` would absorb if it names members: the order of keys is read from it. The
    /// absorbed shape comes with the first rewrite.
    fn any_with_mentions(&self, parts: Vec<FormulaId>) -> FormulaId {
        let absorbed = self.any(parts.iter().copied());
        if absorbed != TRUE || !parts.iter().any(|&part| self.mentions_names(part)) {
            return absorbed;
        }
        let mut children: Vec<FormulaId> = parts.into_iter().filter(|&part| part != FALSE).collect();
        dedup_in_order(&mut children);
        self.make(Formula::Any(children.into()))
    }

    /// Whether the order of an object's keys may hang on the formula. (A link may not be open yet: perhaps.)
    fn mentions_names(&self, id: FormulaId) -> bool {
        let mut open = vec![id];
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(id) = open.pop() {
            match self.formula(id) {
                Formula::Members(_) | Formula::SomeMember(_) | Formula::Required(_) | Formula::Link(_) => {
                    return true;
                }
                Formula::All(children) | Formula::Any(children) if seen.insert(id) => open.extend(children),
                _ => {}
            }
        }
        false
    }

    /// Rewrites every atom (`Kind`, `Text`, …, `MaxItems`) in place, opening links; connectives fold. A shared part is
    /// rewritten once.
    pub(crate) fn rewrite(
        &self,
        id: FormulaId,
        atom: &mut dyn FnMut(FormulaId, &Formula) -> FormulaId,
    ) -> FormulaId {
        self.rewrite_shared(id, atom, &mut FxHashMap::default())
    }

    fn rewrite_shared(
        &self,
        id: FormulaId,
        atom: &mut dyn FnMut(FormulaId, &Formula) -> FormulaId,
        done: &mut FxHashMap<FormulaId, FormulaId>,
    ) -> FormulaId {
        let (children, every) = match self.formula(id) {
            Formula::True | Formula::False => return id,
            Formula::Link(link) => return self.rewrite_shared(self.open_link(*link), atom, done),
            Formula::All(children) => (children, true),
            Formula::Any(children) => (children, false),
            other => return atom(id, other),
        };
        // Only nested connectives can be shared often.
        let nested = children.iter().any(|&child| {
            matches!(self.formula(child), Formula::All(_) | Formula::Any(_) | Formula::Link(_))
        });
        if nested && let Some(&known) = done.get(&id) {
            return known;
        }
        let result = stacker::maybe_grow(64 << 10, 1 << 20, || {
            let absorbing = if every { FALSE } else { TRUE };
            // What has not changed is in its normal form already.
            let mut changed: Option<Vec<FormulaId>> = None;
            for (at, &child) in children.iter().enumerate() {
                let part = self.rewrite_shared(child, atom, done);
                if part == absorbing {
                    return absorbing;
                }
                match &mut changed {
                    Some(parts) => parts.push(part),
                    None if part == child => {}
                    None => {
                        let mut parts = Vec::with_capacity(children.len());
                        parts.extend_from_slice(&children[..at]);
                        parts.push(part);
                        changed = Some(parts);
                    }
                }
            }
            match changed {
                None => id,
                Some(parts) if every => self.all(parts),
                Some(parts) => self.any(parts),
            }
        });
        if nested {
            done.insert(id, result);
        }
        result
    }

    /// The formula that a link stands for.
    pub(crate) fn open_link(&self, link: u32) -> FormulaId {
        *self.links.get(widen(link)).and_then(|cell| cell.get()).expect("links are set before use")
    }

    /// What remains of a formula once the value's kind is known: atoms about other kinds are true.
    pub(crate) fn at_kind(&self, id: FormulaId, kind: Kinds) -> FormulaId {
        if id == TRUE || id == FALSE {
            return id;
        }
        if let Some(known) = self.kind_memo.get(&(id, kind)) {
            return *known;
        }
        let result = self.rewrite(id, &mut |atom_id, atom| match atom {
            Formula::Kind(kinds) if kinds.contains(kind) => TRUE,
            Formula::Kind(_) => FALSE,
            // Kept as loaded, for the order of keys only.
            Formula::SomeMember(members) if members.is_about_none() => FALSE,
            _ if atom_kind(atom) == kind => atom_id,
            _ => TRUE,
        });
        self.kind_memo.insert((id, kind), result);
        result
    }

    /// The term that a formula over `Text` (or over `Number`) atoms alone means.
    pub(crate) fn term_of(&self, id: FormulaId) -> TermId {
        let (children, every) = match self.formula(id) {
            Formula::True => return Terms::ALL,
            Formula::Text(term) | Formula::Number(term) => return *term,
            Formula::All(children) => (children, true),
            Formula::Any(children) => (children, false),
            _ => return Terms::NOTHING,
        };
        if let Some(known) = self.term_memo.get(&id) {
            return *known;
        }
        let term = stacker::maybe_grow(64 << 10, 1 << 20, || {
            let parts: Vec<TermId> = children.iter().map(|&child| self.term_of(child)).collect();
            if every { self.terms.and(&parts) } else { self.terms.or(&parts) }
        });
        self.term_memo.insert(id, term);
        term
    }

    /// Interns a whole program.
    pub(crate) fn load(&self, program: &SchemaProgram) -> Result<Loaded, CompileError> {
        Loader::new(self, program).load()
    }
}

/// The only kind that an atom other than `Kind` speaks of.
pub(crate) fn atom_kind(atom: &Formula) -> Kinds {
    match atom {
        Formula::Text(_) | Formula::Sentence(_) => Kinds::STRING,
        Formula::Number(_) => Kinds::NUMBER,
        Formula::Members(_)
        | Formula::SomeMember(_)
        | Formula::Required(_)
        | Formula::MinMembers(_)
        | Formula::MaxMembers(_) => Kinds::OBJECT,
        Formula::Items { .. }
        | Formula::AtLeast { .. }
        | Formula::MinItems(_)
        | Formula::MaxItems(_)
        | Formula::Unique
        | Formula::Repeated => Kinds::ARRAY,
        _ => Kinds::NONE,
    }
}

/// Removes later duplicates, keeping the order.
pub(crate) fn dedup_in_order(list: &mut Vec<FormulaId>) {
    if list.len() <= 16 {
        let mut kept = 0;
        for i in 0..list.len() {
            if !list[..kept].contains(&list[i]) {
                list[kept] = list[i];
                kept += 1;
            }
        }
        list.truncate(kept);
    } else {
        let mut seen = rustc_hash::FxHashSet::default();
        list.retain(|&id| seen.insert(id));
    }
}

/// A program as formulas.
pub(crate) struct Loaded {
    pub(crate) root: FormulaId,
    /// Per node of the program; `None` where the root does not lead.
    pub(crate) formulas: Vec<Option<FormulaId>>,
}

/// Builds formulas bottom-up, iteratively; nodes that a cycle comes back to become links.
struct Loader<'a> {
    universe: &'a Universe,
    program: &'a SchemaProgram,
    built: Vec<Option<FormulaId>>,
    /// The link that stands for a node that a cycle comes back to.
    link: Box<[Option<u32>]>,
}

impl<'a> Loader<'a> {
    fn new(universe: &'a Universe, program: &'a SchemaProgram) -> Self {
        let len = program.nodes.len();
        Self { universe, program, built: vec![None; len], link: vec![None; len].into() }
    }

    fn load(mut self) -> Result<Loaded, CompileError> {
        self.mark_links();
        let root = self.program.root;
        let mut opened = vec![false; self.program.nodes.len()];
        let mut stack = vec![(root, false)];
        while let Some((node, children_done)) = stack.pop() {
            if children_done {
                let formula = self.build(node)?;
                self.finish(node, formula);
            } else if !std::mem::replace(&mut opened[node.index()], true) {
                stack.push((node, true));
                self.for_each_child(node, |child| stack.push((child, false)));
            }
        }
        let root = self.reference(root);
        for &(a, b) in &self.program.opposites {
            if let (Some(a), Some(b)) = (self.built[a.index()], self.built[b.index()]) {
                self.universe.opposites.insert(a, b);
                self.universe.opposites.insert(b, a);
            }
        }
        let formulas =
            (0..self.built.len()).map(|i| self.built[i].map(|_| self.reference(NodeId::new(i)))).collect();
        Ok(Loaded { root, formulas })
    }

    /// Gives every node to which a depth-first walk comes back a link; equal programs get the same ones.
    fn mark_links(&mut self) {
        let marked = self.comes_back();
        if !marked.contains(&true) {
            return;
        }
        let universe = self.universe;
        let links = universe.program_links.entry(self.program.nodes.clone().into()).or_insert_with(|| {
            let link = |is_marked: bool| is_marked.then(|| narrow(universe.links.push(OnceLock::new())));
            marked.into_iter().map(link).collect()
        });
        self.link.clone_from(&links);
    }

    /// To which nodes a depth-first walk comes back.
    fn comes_back(&self) -> Vec<bool> {
        let mut marked = vec![false; self.program.nodes.len()];
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            Open,
            Done,
        }
        let mut marks = vec![Mark::New; self.program.nodes.len()];
        let mut stack = vec![(self.program.root, false)];
        while let Some((node, leaving)) = stack.pop() {
            let i = node.index();
            if leaving {
                marks[i] = Mark::Done;
                continue;
            }
            if marks[i] != Mark::New {
                continue;
            }
            marks[i] = Mark::Open;
            stack.push((node, true));
            self.for_each_child(node, |child| match marks[child.index()] {
                Mark::New => stack.push((child, false)),
                Mark::Open => marked[child.index()] = true,
                Mark::Done => {}
            });
        }
        marked
    }

    fn finish(&mut self, node: NodeId, formula: FormulaId) {
        self.built[node.index()] = Some(formula);
        if let Some(link) = self.link[node.index()] {
            let cell = self.universe.links.get(widen(link)).expect("pushed by mark_links");
            cell.get_or_init(|| formula);
        }
    }

    /// How a parent names a child.
    fn reference(&self, node: NodeId) -> FormulaId {
        match self.link[node.index()] {
            Some(link) => self.universe.make(Formula::Link(link)),
            None => self.built[node.index()].expect("children are built before their parents"),
        }
    }

    fn for_each_child(&self, node: NodeId, visit: impl FnMut(NodeId)) {
        self.program.nodes[node.index()].for_each_child(visit);
    }

    fn rule(&self, node: NodeId, rule: &MemberRule) -> Result<Box<Members>, CompileError> {
        let universe = self.universe;
        let properties =
            rule.properties.iter().map(|(name, child)| (universe.name_id(name), self.reference(*child)));
        let mut patterns = Vec::with_capacity(rule.patterns.len());
        for (regex, child) in &rule.patterns {
            let term = universe.terms.from_regex(regex).map_err(|e| self.limit(node, &e.to_string()))?;
            patterns.push((term, self.reference(*child)));
        }
        let rest = self.reference(rule.rest);
        Ok(Box::new(Members::new(properties.collect(), patterns, rest, rule.names)))
    }

    fn build(&self, node: NodeId) -> Result<FormulaId, CompileError> {
        let universe = self.universe;
        let formula = match &self.program.nodes[node.index()] {
            Node::True => return Ok(TRUE),
            Node::False => return Ok(FALSE),
            Node::Kind(kinds) => Formula::Kind(*kinds),
            Node::Text(regex) => {
                let term = universe.terms.from_regex(regex).map_err(|e| self.limit(node, &e.to_string()))?;
                Formula::Text(universe.spelling.restrict_text(&universe.terms, term))
            }
            Node::Sentence(sentences) => {
                return universe.sentence(sentences).map_err(|e| self.limit(node, &e.to_string()));
            }
            Node::Number(regex) => {
                let term = universe.terms.from_regex(regex).map_err(|e| self.limit(node, &e.to_string()))?;
                Formula::Number(term)
            }
            Node::Members(rule) => Formula::Members(self.rule(node, rule)?),
            Node::SomeMember(rule) => return self.some_member(node, rule),
            Node::MinMembers(n) => Formula::MinMembers(*n),
            Node::MaxMembers(n) => Formula::MaxMembers(*n),
            Node::Required(name) => Formula::Required(universe.name_id(name)),
            Node::Items { prefix, rest, except } => Formula::Items {
                prefix: prefix.iter().map(|child| self.reference(*child)).collect(),
                rest: self.reference(*rest),
                except: *except,
            },
            Node::AtLeast { count, prefix, rest } => Formula::AtLeast {
                prefix: prefix.iter().map(|child| self.reference(*child)).collect(),
                rest: self.reference(*rest),
                count: *count,
            },
            Node::MinItems(n) => Formula::MinItems(*n),
            Node::MaxItems(n) => Formula::MaxItems(*n),
            Node::Unique => Formula::Unique,
            Node::Repeated => Formula::Repeated,
            Node::All(children) => return Ok(universe.all(children.iter().map(|c| self.reference(*c)))),
            Node::Any(children) => {
                let parts = children.iter().map(|c| self.reference(*c)).collect();
                return Ok(universe.any_with_mentions(parts));
            }
        };
        Ok(universe.make(formula))
    }

    /// Some member of a listed name is that name, required; only of names not listed there is a choice without end. (The atom for
    /// those comes first and is kept where it is false, if a listed name would be lost otherwise: the order of keys is read from it.)
    fn some_member(&self, node: NodeId, rule: &MemberRule) -> Result<FormulaId, CompileError> {
        let universe = self.universe;
        let Members { properties, patterns, rest, names, .. } = *self.rule(node, rule)?;
        let mut ways = Vec::with_capacity(properties.len() + 1);
        if rest != FALSE || !patterns.is_empty() || properties.iter().any(|&(_, value)| value == FALSE) {
            let none = properties.iter().map(|&(name, _)| (name, FALSE)).collect();
            let others = Members::new(none, patterns.into_vec(), rest, names);
            ways.push(universe.make(Formula::SomeMember(Box::new(others))));
        }
        for &(name, value) in properties.iter().filter(|&&(_, value)| value != FALSE) {
            // What patterns say of the name is left to the others.
            let only = Members::new(vec![(name, value)], Vec::new(), TRUE, names);
            let member = universe.make(Formula::Members(Box::new(only)));
            ways.push(universe.all([universe.make(Formula::Required(name)), member]));
        }
        Ok(universe.any_with_mentions(ways))
    }

    fn limit(&self, node: NodeId, message: &str) -> CompileError {
        let place = Place::pointer(&*self.program.places[node.index()]);
        CompileError::new(CompileErrorKind::Limit, place, "pattern", message)
    }
}

/// A lexeme term could not be decided within its limits.
pub(crate) fn exhausted(place: impl Into<String>) -> Exhausted {
    Exhausted { place: place.into() }
}

/// Text terms that a vocabulary with missing bytes can still spell.
impl crate::automaton::spelling::Spelling {
    pub(crate) fn restrict_text(&self, terms: &Terms, term: TermId) -> TermId {
        match self.text() {
            None => term,
            Some(spellable) => terms.and(&[term, spellable]),
        }
    }
}

impl Heap for Formula {
    fn heap_bytes(&self) -> usize {
        match self {
            Self::Members(members) | Self::SomeMember(members) => {
                size_of::<Members>()
                    + members.properties.heap_bytes()
                    + members.by_name.heap_bytes()
                    + members.patterns.heap_bytes()
            }
            Self::Items { prefix, .. } | Self::AtLeast { prefix, .. } => prefix.heap_bytes(),
            Self::All(parts) | Self::Any(parts) => parts.heap_bytes(),
            _ => 0,
        }
    }
}
