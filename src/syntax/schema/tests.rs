//! Tests of the schema front end: what programs schemas mean, what is refused and where, hostile and real schemas.

mod corpus;
mod evaluate;
mod hostile;
mod meaning;
mod references;
mod refusals;
mod report;

use std::fmt::Write;

use super::{EnforcementReport, SchemaOptions, compile};
use crate::error::{CompileError, CompileErrorKind};
use crate::grammar::program::{Kinds, Node, SchemaProgram};
use crate::index::NodeId;

/// Splitmix64: the seed is printed with each failure.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(bound).unwrap()).unwrap()
    }
}

fn compiled(schema: &str) -> (SchemaProgram, EnforcementReport) {
    compile(schema, &SchemaOptions::default()).unwrap_or_else(|e| panic!("{schema}: {e}"))
}

/// The program of a schema has this text form (see [`text_form`]).
fn means(schema: &str, expected: &str) {
    let (program, _) = compiled(schema);
    assert_eq!(program.nodes.len(), program.places.len());
    assert_eq!(text_form(&program), expected, "{schema}");
}

/// The schema is refused: kind, pointer, subject, and what the message contains.
fn refuses(schema: &str, kind: CompileErrorKind, pointer: &str, subject: &str, message: &str) {
    let error = refusal(schema);
    let found = (error.kind(), error.place().pointer.as_deref(), error.subject());
    assert_eq!(found, (kind, Some(pointer), subject), "{schema}: {error}");
    assert!(error.place().position.is_some(), "{schema}: {error}");
    assert!(error.to_string().contains(message), "{schema}: {error}");
}

fn refusal(schema: &str) -> CompileError {
    match compile(schema, &SchemaOptions::default()) {
        Ok((program, _)) => panic!("{schema} was taken: {}", text_form(&program)),
        Err(e) => e,
    }
}

/// One line for the root, and `@n = …` for each connective or container that has several ways to it.
fn text_form(program: &SchemaProgram) -> String {
    let mut ways = vec![0; program.nodes.len()];
    ways[program.root.index()] = 1;
    for node in &program.nodes {
        for child in children(node) {
            ways[child.index()] += 1;
        }
    }
    let shared = |id: &NodeId| ways[id.index()] > 1 && !children(&program.nodes[id.index()]).is_empty();
    let mut out = show(program, program.root, &shared);
    for id in (0..program.nodes.len()).map(NodeId::new).filter(|id| shared(id) && *id != program.root) {
        write!(out, "; @{} = {}", id.0, show(program, id, &shared)).unwrap();
    }
    out
}

fn children(node: &Node) -> Vec<NodeId> {
    let mut children = Vec::new();
    node.for_each_child(|child| children.push(child));
    children
}

fn show(program: &SchemaProgram, id: NodeId, shared: &dyn Fn(&NodeId) -> bool) -> String {
    let child = |id: &NodeId| if shared(id) { format!("@{}", id.0) } else { show(program, *id, shared) };
    let list = |ids: &[NodeId]| ids.iter().map(child).collect::<Vec<_>>().join(", ");
    match &program.nodes[id.index()] {
        Node::True => "true".to_owned(),
        Node::False => "false".to_owned(),
        Node::Kind(kinds) => show_kinds(*kinds),
        Node::Text(regex) => format!("text({regex})"),
        Node::Sentence(sentences) => format!("sentence({sentences})"),
        Node::Number(regex) => format!("number({regex})"),
        Node::Members(rule) | Node::SomeMember(rule) => {
            let word =
                if matches!(&program.nodes[id.index()], Node::Members(_)) { "members" } else { "some" };
            let declared: String =
                rule.properties.iter().map(|(name, id)| format!("{name:?}: {}, ", child(id))).collect();
            let patterns: String =
                rule.patterns.iter().map(|(regex, id)| format!("/{regex}/: {}, ", child(id))).collect();
            format!("{word}{{{declared}{patterns}*: {}}}", child(&rule.rest))
        }
        Node::MinMembers(n) => format!("minMembers({n})"),
        Node::MaxMembers(n) => format!("maxMembers({n})"),
        Node::AtLeast { count, prefix, rest } => {
            let first: String = prefix.iter().map(|id| child(id) + ", ").collect();
            format!("atLeast({count})[{first}*: {}]", child(rest))
        }
        Node::Required(name) => format!("required({name:?})"),
        Node::Items { prefix, rest, except } => {
            let first: String = prefix.iter().map(|id| child(id) + ", ").collect();
            let but = if *except > 0 { format!("but {except}") } else { String::new() };
            format!("items{but}[{first}*: {}]", child(rest))
        }
        Node::MinItems(n) => format!("minItems({n})"),
        Node::MaxItems(n) => format!("maxItems({n})"),
        Node::Unique => "unique".to_owned(),
        Node::Repeated => "repeated".to_owned(),
        Node::All(children) => format!("all({})", list(children)),
        Node::Any(children) => format!("any({})", list(children)),
    }
}

fn show_kinds(kinds: Kinds) -> String {
    let names = [
        (Kinds::NULL, "null"),
        (Kinds::BOOLEAN, "boolean"),
        (Kinds::TRUE, "true"),
        (Kinds::FALSE, "false"),
        (Kinds::NUMBER, "number"),
        (Kinds::STRING, "string"),
        (Kinds::ARRAY, "array"),
        (Kinds::OBJECT, "object"),
    ];
    let both = kinds.contains(Kinds::BOOLEAN);
    let shown =
        names.iter().filter(|(k, name)| kinds.contains(*k) && !(both && ["true", "false"].contains(name)));
    format!("kind({})", shown.map(|(_, name)| *name).collect::<Vec<_>>().join("|"))
}
