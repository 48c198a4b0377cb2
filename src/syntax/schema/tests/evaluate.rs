//! A slow evaluator of programs over documents, so that labelled documents test what programs mean.

use super::compiled;
use crate::grammar::naive::is_match;
use crate::grammar::number;
use crate::grammar::policy::SurfacePolicy;
use crate::grammar::program::{Kinds, Node, SchemaProgram};
use crate::index::NodeId;
use crate::syntax::json::{Json, Kind, Value};

/// Whether a document satisfies a program; numbers by their spelling under the program's policy.
pub(super) fn satisfies(program: &SchemaProgram, document: Value<'_>) -> bool {
    holds(program, program.root, document)
}

fn holds(program: &SchemaProgram, node: NodeId, value: Value<'_>) -> bool {
    let is = |node: &NodeId, value| holds(program, *node, value);
    match &program.nodes[node.index()] {
        Node::True => true,
        Node::False => false,
        Node::Kind(kinds) => kinds.contains(kind(value)) && spelled(value, program.policy),
        Node::Text(regex) => value.as_str().is_none_or(|text| is_match(regex, text)),
        Node::Number(regex) => match value.kind() {
            Kind::Number(text) => is_match(regex, text) && spelled(value, program.policy),
            _ => true,
        },
        Node::Members { properties, rest } => value.members().all(|(name, member)| {
            let declared = properties.iter().find(|(n, _)| **n == *name).map_or(rest, |(_, node)| node);
            is(declared, member)
        }),
        Node::Required(name) => !value.is_object() || value.get(name).is_some(),
        Node::Items { prefix, rest } => {
            value.items().enumerate().all(|(i, item)| is(prefix.get(i).unwrap_or(rest), item))
        }
        Node::MinItems(least) => !value.is_array() || u64::try_from(value.len()).unwrap() >= *least,
        Node::MaxItems(most) => !value.is_array() || u64::try_from(value.len()).unwrap() <= *most,
        Node::All(children) => children.iter().all(|c| is(c, value)),
        Node::Any(children) => children.iter().any(|c| is(c, value)),
    }
}

fn spelled(value: Value<'_>, policy: SurfacePolicy) -> bool {
    match value.kind() {
        Kind::Number(text) => is_match(&number::syntax(policy.numbers), text),
        _ => true,
    }
}

fn kind(value: Value<'_>) -> Kinds {
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

/// The program of a schema accepts these documents and refuses those.
fn decides(schema: &str, valid: &[&str], invalid: &[&str]) {
    let (program, _) = compiled(schema);
    for (documents, expected) in [(valid, true), (invalid, false)] {
        for document in documents {
            let json = Json::read(document).unwrap();
            assert_eq!(satisfies(&program, json.root()), expected, "{schema} and {document}");
        }
    }
}

#[test]
fn programs_decide_documents() {
    decides(r#"{"maxLength":2}"#, &["5", "\"\"", "\"éé\"", "[]"], &["\"abc\""]);
    decides(
        r#"{"properties":{"a":{"type":"null"}},"additionalProperties":false,"required":["a"]}"#,
        &["{\"a\":null}", "[]", "1"],
        &["{}", "{\"a\":1}", "{\"a\":null,\"b\":null}"],
    );
    decides(
        r#"{"const":{"b":[true,"x"],"a":{}}}"#,
        &["{\"a\":{},\"b\":[true,\"x\"]}"],
        &["{\"a\":{},\"b\":[true]}", "{\"a\":{},\"b\":[true,\"x\",1]}", "{\"b\":[true,\"x\"]}", "[]", "{}"],
    );
    decides(
        r#"{"type":"array","prefixItems":[{"const":null}],"items":false,"minItems":1}"#,
        &["[null]"],
        &["[]", "[null,null]", "[1]", "{}"],
    );
    decides(
        r#"{"enum":[0,7,-12,1.50,-0.25,1e2,7.0]}"#,
        &["0", "-0.0", "7", "7.00", "-12", "-12.0", "1.5", "1.500", "-0.25", "100", "100.0"],
        &["12", "-7", "77", "1.51", "15", "0.25", "-0.2", "10", "1", "\"7\"", "null"],
    );
    decides(
        r##"{"type":"array","items":{"anyOf":[{"$ref":"#"},{"type":"null"}]}}"##,
        &["[]", "[[],null,[[null]]]"],
        &["[1]", "[[1]]", "null"],
    );
}
