//! A slow evaluator of programs over documents, so that labelled documents test what programs mean.

use super::compiled;
use crate::grammar::naive::is_match;
use crate::grammar::number::{self, Decimal};
use crate::grammar::policy::SurfacePolicy;
use crate::grammar::program::{Kinds, MemberRule, Node, SchemaProgram};
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
        Node::Sentence(_) => panic!("the evaluator has no grammars"),
        Node::Number(regex) => match value.kind() {
            Kind::Number(text) => is_match(regex, text) && spelled(value, program.policy),
            _ => true,
        },
        Node::Members(rule) => {
            value.members().all(|(name, member)| applying(rule, name).iter().all(|node| is(node, member)))
        }
        Node::SomeMember(rule) => {
            let some = |(name, member)| applying(rule, name).iter().any(|node| is(node, member));
            !value.is_object() || value.members().any(some)
        }
        Node::MinMembers(least) => !value.is_object() || u64::try_from(value.len()).unwrap() >= *least,
        Node::MaxMembers(most) => !value.is_object() || u64::try_from(value.len()).unwrap() <= *most,
        Node::AtLeast { count, prefix, rest } => {
            !value.is_array() || holding(program, prefix, *rest, value) >= *count
        }
        Node::Required(name) => !value.is_object() || value.get(name).is_some(),
        Node::Items { prefix, rest, except } => {
            let len = u64::try_from(value.len()).unwrap();
            !value.is_array() || holding(program, prefix, *rest, value) >= len.saturating_sub(*except)
        }
        Node::MinItems(least) => !value.is_array() || u64::try_from(value.len()).unwrap() >= *least,
        Node::MaxItems(most) => !value.is_array() || u64::try_from(value.len()).unwrap() <= *most,
        Node::Unique => !has_equal_items(value),
        Node::Repeated => !value.is_array() || has_equal_items(value),
        Node::All(children) => children.iter().all(|c| is(c, value)),
        Node::Any(children) => children.iter().any(|c| is(c, value)),
    }
}

fn has_equal_items(value: Value<'_>) -> bool {
    let items: Vec<Value<'_>> = if value.is_array() { value.items().collect() } else { Vec::new() };
    items.iter().enumerate().any(|(i, a)| items[..i].iter().any(|b| are_equal(*a, *b)))
}

/// JSON equality: numbers by value, members in any order.
fn are_equal(a: Value<'_>, b: Value<'_>) -> bool {
    match (a.kind(), b.kind()) {
        (Kind::Number(a), Kind::Number(b)) => Decimal::parse(a).unwrap() == Decimal::parse(b).unwrap(),
        _ if a.is_array() && b.is_array() => {
            a.len() == b.len() && a.items().zip(b.items()).all(|(a, b)| are_equal(a, b))
        }
        _ if a.is_object() && b.is_object() => {
            a.len() == b.len() && a.members().all(|(name, a)| b.get(name).is_some_and(|b| are_equal(a, b)))
        }
        (a, b) => a == b,
    }
}

/// What applies to a name.
fn applying(rule: &MemberRule, name: &str) -> Vec<NodeId> {
    let declared = rule.properties.iter().filter(|(n, _)| **n == *name).map(|(_, node)| *node);
    let patterns = rule.patterns.iter().filter(|(regex, _)| is_match(regex, name)).map(|(_, node)| *node);
    let found: Vec<NodeId> = declared.chain(patterns).collect();
    if found.is_empty() { vec![rule.rest] } else { found }
}

/// How many items satisfy the node at their position.
fn holding(program: &SchemaProgram, prefix: &[NodeId], rest: NodeId, value: Value<'_>) -> u64 {
    let holds_at = |(i, item)| holds(program, prefix.get(i).copied().unwrap_or(rest), item);
    u64::try_from(value.items().enumerate().filter(|&at| holds_at(at)).count()).unwrap()
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
        r#"{"oneOf":[{"required":["a"]},{"required":["b"]},{"type":"null"}]}"#,
        &["{\"a\":1}", "{\"b\":1,\"c\":1}"],
        &["{}", "{\"a\":1,\"b\":1}", "1", "null"],
    );
    decides(r#"{"oneOf":[{},{}]}"#, &[], &["1", "null", "{}"]);
    decides(
        r#"{"if":{"properties":{"t":{"const":"n"}}},"then":{"required":["v"]},"else":{"maxProperties":1}}"#,
        &["{\"t\":\"n\",\"v\":1}", "{\"v\":1}", "{\"t\":1}", "3"],
        &["{\"t\":\"n\"}", "{}", "{\"t\":1,\"v\":1}"],
    );
    decides(
        r##"{"not":{"required":["a"],"properties":{"a":{"$ref":"#"}}}}"##,
        &["{}", "{\"a\":{\"a\":{}}}"],
        &["{\"a\":{}}", "1"],
    );
    decides(
        r#"{"type":"object","patternProperties":{"^a":{"type":"null"},"b$":{"type":["null","boolean"]}},"properties":{"ab":{"enum":[null,1]}},"additionalProperties":{"type":"string"}}"#,
        &["{}", "{\"ab\":null}", "{\"a\":null,\"b\":true,\"c\":\"x\"}", "{\"axb\":null}"],
        &["{\"ab\":1}", "{\"a\":true}", "{\"b\":1}", "{\"c\":null}", "{\"axb\":true}"],
    );
    decides(
        r#"{"dependencies":{"a":["b"],"c":{"maxProperties":2}},"propertyNames":{"maxLength":1}}"#,
        &["{}", "{\"b\":1}", "{\"a\":1,\"b\":1}", "{\"c\":1,\"b\":1}", "[]"],
        &["{\"a\":1}", "{\"a\":1,\"b\":1,\"c\":1}", "{\"dd\":1}"],
    );
    decides(
        r#"{"contains":{"const":1},"minContains":2,"maxContains":3}"#,
        &["[1,1]", "[1,2,1,2,1]", "{}", "1.0"],
        &["[]", "[1,2]", "[1,1,1,1]"],
    );
    decides(
        r#"{"not":{"anyOf":[{"minimum":3},{"multipleOf":2},{"const":1.5},{"type":["string","array","object"]}]}}"#,
        &["1", "-3", "2.5", "0.5"],
        &["3", "2", "0", "1.5", "\"\"", "[]", "100.5", "null", "true"],
    );
    decides(
        r##"{"type":"array","items":{"anyOf":[{"$ref":"#"},{"type":"null"}]}}"##,
        &["[]", "[[],null,[[null]]]"],
        &["[1]", "[[1]]", "null"],
    );
}
