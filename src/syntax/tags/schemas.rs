//! Embeds JSON Schemas: equal texts are read once, and their report is kept, below the place where each stands.

use rustc_hash::FxHashMap;

use crate::error::CompileError;
use crate::grammar::program::{Kinds, Node, SchemaProgram};
use crate::grammar::rules::Grammar;
use crate::index::NodeId;
use crate::syntax::json::Value;
use crate::syntax::schema::{self, EnforcementReport, Entry, SchemaOptions, Status};

/// What a text describes.
#[derive(Clone, PartialEq, Debug)]
pub struct Described {
    /// The texts.
    pub grammar: Grammar,
    /// What of the schemas is enforced, each line below the place of its schema.
    pub report: EnforcementReport,
    /// The schemas and where each stands first. Some value must satisfy each: an alternative whose schema no value satisfies would else
    /// just be missing.
    pub schemas: Vec<(String, SchemaProgram)>,
}

/// The schemas of one grammar.
pub(super) struct Schemas<'o> {
    pub(super) options: &'o SchemaOptions,
    known: FxHashMap<String, usize>,
    /// With the place where each stands first.
    programs: Vec<(String, SchemaProgram)>,
    entries: Vec<Entry>,
}

impl<'o> Schemas<'o> {
    pub(super) fn new(options: &'o SchemaOptions) -> Self {
        Self { options, known: FxHashMap::default(), programs: Vec::new(), entries: Vec::new() }
    }

    /// The number of a schema that stands in a document, or in a string of it.
    pub(super) fn read(&mut self, at: Value<'_>) -> Result<usize, CompileError> {
        let text = match at.as_str() {
            Some(text) => text.to_owned(),
            None => at.to_text(),
        };
        self.text(text, &at.pointer())
    }

    /// The number of a schema given by its text; `pointer` says where it stands.
    pub(super) fn text(&mut self, text: String, pointer: &str) -> Result<usize, CompileError> {
        if let Some(&known) = self.known.get(&text) {
            return Ok(known);
        }
        let (program, report) = schema::compile(&text, self.options).map_err(|e| e.below(pointer))?;
        for entry in report.entries() {
            if &*entry.keyword == "policy" {
                if self.programs.is_empty() {
                    self.entries.push(entry.clone());
                }
                continue;
            }
            let pointer = if entry.pointer.starts_with('/') || entry.pointer.is_empty() {
                format!("{pointer}{}", entry.pointer).into()
            } else {
                entry.pointer.clone()
            };
            self.entries.push(Entry { pointer, ..entry.clone() });
        }
        self.programs.push((pointer.to_owned(), program));
        self.known.insert(text, self.programs.len() - 1);
        Ok(self.programs.len() - 1)
    }

    pub(super) fn program(&self, number: usize) -> &SchemaProgram {
        &self.programs[number].1
    }

    /// Where a schema stands first.
    pub(super) fn pointer(&self, number: usize) -> &str {
        &self.programs[number].0
    }

    /// Notes that less is generated than a schema describes.
    pub(super) fn narrowed(&mut self, pointer: &str, keyword: &str, note: &'static str) {
        self.entries.push(Entry {
            pointer: pointer.into(),
            keyword: keyword.into(),
            status: Status::Narrowed,
            note: Some(note.into()),
        });
    }

    /// What has become of the text that a grammar was made of, whose schemas ask for values of some kinds.
    pub(super) fn described(self, grammar: Grammar, kinds: Kinds) -> Described {
        let schemas = self.programs.into_iter().map(|(pointer, program)| {
            let program = if kinds == Kinds::ALL { program } else { of_kinds(&program, program.root, kinds) };
            (pointer, program)
        });
        Described { grammar, report: EnforcementReport::new(self.entries), schemas: schemas.collect() }
    }
}

/// The values of a node that are of some kinds.
pub(super) fn of_kinds(program: &SchemaProgram, node: NodeId, kinds: Kinds) -> SchemaProgram {
    let mut program = program.clone();
    let place = program.places[node.index()].clone();
    let first = program.nodes.len();
    program.nodes.push(Node::Kind(kinds));
    program.nodes.push(Node::All(vec![node, NodeId::new(first)]));
    program.places.extend([place.clone(), place]);
    program.root = NodeId::new(first + 1);
    program
}

/// As [`of_kinds`], with nothing but what the node needs.
pub(super) fn part(program: &SchemaProgram, node: NodeId, kinds: Kinds) -> SchemaProgram {
    let mut renamed: FxHashMap<NodeId, NodeId> = FxHashMap::default();
    let mut order = vec![node];
    renamed.insert(node, NodeId::new(0));
    let mut next = 0;
    while let Some(&at) = order.get(next) {
        program.nodes[at.index()].for_each_child(|child| {
            let fresh = NodeId::new(order.len());
            renamed.entry(child).or_insert_with(|| {
                order.push(child);
                fresh
            });
        });
        next += 1;
    }
    let to = |id: NodeId| renamed[&id];
    let both = |(a, b): &(NodeId, NodeId)| Some((*renamed.get(a)?, *renamed.get(b)?));
    let part = SchemaProgram {
        nodes: order.iter().map(|at| with_children(&program.nodes[at.index()], to)).collect(),
        places: order.iter().map(|at| program.places[at.index()].clone()).collect(),
        opposites: program.opposites.iter().filter_map(both).collect(),
        root: NodeId::new(0),
        policy: program.policy,
    };
    of_kinds(&part, NodeId::new(0), kinds)
}

/// The same node with other children.
fn with_children(node: &Node, to: impl Fn(NodeId) -> NodeId) -> Node {
    let all = |ids: &[NodeId]| ids.iter().map(|id| to(*id)).collect::<Vec<NodeId>>();
    match node {
        Node::Members(rule) => Node::Members(rule.map(to)),
        Node::SomeMember(rule) => Node::SomeMember(rule.map(to)),
        Node::Items { prefix, rest, except } => {
            Node::Items { prefix: all(prefix), rest: to(*rest), except: *except }
        }
        Node::AtLeast { count, prefix, rest } => {
            Node::AtLeast { count: *count, prefix: all(prefix), rest: to(*rest) }
        }
        Node::All(parts) => Node::All(all(parts)),
        Node::Any(parts) => Node::Any(all(parts)),
        other => other.clone(),
    }
}
