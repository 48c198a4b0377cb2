//! Ways to the end of a text: they are allowed, they end, and where the guide is exact none is shorter.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{HashSet, VecDeque};

use maskwright::automaton::{Automaton, Cfg, EndingStep, Registers};
use maskwright::{Compiler, CompilerConfig, Matcher, SurfacePolicy, TokenId, ToolsRequest, Vocabulary};

fn compiler() -> Compiler {
    Compiler::new(Vocabulary::demo(), CompilerConfig::default())
}

/// The slow twin: breadth first, without an estimate.
fn fewest(automaton: &Automaton, text: &[u8]) -> usize {
    let mut registers = Registers::default();
    let start = automaton.advance(automaton.start(), text, &mut registers).unwrap().unwrap();
    let mut seen: HashSet<Cfg> = HashSet::from([start]);
    let mut open = VecDeque::from([(start, 0)]);
    while let Some((at, depth)) = open.pop_front() {
        if automaton.is_accepting(at) {
            return depth;
        }
        for byte in 0..=u8::MAX {
            if let Some(next) = automaton.advance(at, &[byte], &mut registers).unwrap()
                && seen.insert(next)
            {
                open.push_back((next, depth + 1));
            }
        }
    }
    panic!("no dead end");
}

fn byte_token(byte: u8) -> TokenId {
    let vocabulary = Vocabulary::demo();
    let trie = vocabulary.trie();
    trie.tokens(trie.child(0, byte).unwrap())[0]
}

/// The way behind a text, which must be allowed and end.
#[track_caller]
fn way(mut matcher: Matcher, text: &str) -> Vec<EndingStep> {
    for token in Vocabulary::demo_encode(text) {
        matcher.commit(token).unwrap();
    }
    let way = matcher.ending().unwrap().unwrap_or_else(|| panic!("no way behind {text:?}"));
    for step in &way {
        let token = match step {
            EndingStep::Byte(byte) => byte_token(*byte),
            EndingStep::Letter(token) => *token,
        };
        matcher.commit(token).unwrap();
    }
    assert!(matcher.is_accepting(), "{way:?} behind {text:?}");
    assert_eq!(matcher.ending().unwrap(), Some(Vec::new()));
    way
}

#[test]
fn no_way_to_the_end_of_rules_is_shorter() {
    let compiler = compiler();
    for (grammar, texts) in [
        (r#"list ::= "(" list* ")" | [a-z]{3,9} ";""#, &["", "(", "((((", "(ab", "(abcd", "(a"][..]),
        (
            r#"sum ::= sum "+" item | item  item ::= [0-9]+ | "[[" sum "]]""#,
            &["", "1+", "[[", "[[1+[[2", "[[1]"],
        ),
        (
            r#"root ::= a b? c{2,4}  a ::= "x" | a "yy"  b ::= "b" b "d" | ""  c ::= "cc" | "cde""#,
            &["", "xyy", "xbb", "xc", "xcc"],
        ),
        (r#"root ::= root root "end" | "a" | "bcd""#, &["", "a", "aa", "bc", "abcd"]),
    ] {
        let grammar = compiler.ebnf(grammar).unwrap();
        for text in texts {
            let found = way(Matcher::new(&grammar), text);
            assert_eq!(
                found.len(),
                fewest(&grammar.automaton().unwrap(), text.as_bytes()),
                "{found:?} behind {text:?}"
            );
        }
    }
}

#[test]
fn documents_are_ended_with_the_members_that_they_need() {
    let grammar = compiler()
        .json_schema(
            r#"{"type": "object", "required": ["name", "tags", "at"], "additionalProperties": false, "properties": {
                "name": {"type": "string", "minLength": 3}, "note": {"type": "string"},
                "tags": {"type": "array", "minItems": 2, "uniqueItems": true, "items": {"enum": ["a", "b", "c"]}},
                "at": {"type": "object", "required": ["x"], "properties": {"x": {"type": "integer", "minimum": 100}}}}}"#,
        )
        .unwrap();
    for text in
        ["", "{", "{\"na", "{\"name\": \"x", "{\"name\": \"Emma\", \"tags\": [\"a\"", "{\"name\": \"Emma\","]
    {
        way(Matcher::new(&grammar), text);
    }
    assert_eq!(way(Matcher::new(&grammar), r#"{"name":"Emma","tags":["a","b"],"at":{"x":100"#).len(), 2);
}

#[test]
fn tool_calls_and_tokens_are_ended() {
    let tools = r#"{"family": "hermes", "tool_choice": "required", "tools": [{"type": "function",
        "function": {"name": "now", "parameters": {"type": "object", "required": ["zone"],
            "properties": {"zone": {"type": "string", "pattern": "^[A-Z][a-z]+$"}}}}}]}"#;
    let grammar = compiler().tools(&ToolsRequest::from_json(tools).unwrap()).unwrap();
    for text in ["", "<tool_call>\n{\"name\": \"now\", \"arguments\": {\"zone\": \"U"] {
        way(Matcher::new(&grammar), text);
    }
    let end = Vocabulary::demo().stop_tokens()[0];
    let grammar = compiler().ebnf(r#"root ::= "a" <|end|>"#).unwrap();
    assert_eq!(way(Matcher::new(&grammar), ""), [EndingStep::Byte(b'a'), EndingStep::Letter(end)]);
    // Any tokens but one, and then that one.
    let grammar = compiler().ebnf(r#"root ::= ![<|end|>]{2,} <|end|>"#);
    let grammar = grammar.or_else(|_| compiler().ebnf(r#"root ::= !<|end|>{2,} <|end|>"#)).unwrap();
    let found = way(Matcher::new(&grammar), "");
    assert_eq!((found.len(), found[2]), (3, EndingStep::Letter(end)));
}

#[test]
fn a_finished_text_has_no_way_to_go() {
    let compiler = compiler();
    let grammar = compiler.regex("a").unwrap();
    let mut matcher = Matcher::new(&grammar);
    matcher.commit(byte_token(b'a')).unwrap();
    matcher.commit(compiler.vocabulary().stop_tokens()[0]).unwrap();
    assert_eq!(matcher.ending().unwrap(), Some(Vec::new()));
}

/// A document from a start that a model might have written, along the ways that are found, whole or in parts.
#[track_caller]
fn led_home(schema: &str, config: CompilerConfig, text: &str) {
    let compiler = Compiler::new(Vocabulary::demo(), config);
    let mut matcher = Matcher::new(&compiler.json_schema(schema).unwrap());
    for token in Vocabulary::demo_encode(text) {
        matcher.commit(token).unwrap();
    }
    for _ in 0..40 {
        let way = match matcher.ending().unwrap() {
            Some(way) => way,
            None => matcher.toward_ending().unwrap(),
        };
        for step in &way {
            let EndingStep::Byte(byte) = step else { panic!("{schema}: a letter") };
            matcher.commit(byte_token(*byte)).unwrap_or_else(|e| panic!("{schema}: {e} along {way:?}"));
        }
        if matcher.is_accepting() {
            return;
        }
        assert!(!way.is_empty(), "{schema}: no way behind {text:?}");
    }
    panic!("{schema}: no end behind {text:?}");
}

#[test]
fn particular_values_that_a_schema_asks_for_are_found() {
    for (schema, text) in [
        (
            r#"{"type": "array", "contains": {"const": "needle-in-a-haystack"}, "minContains": 2}"#,
            r#"[{"a": [[1, "x"#,
        ),
        (
            r#"{"type": "array", "contains": {"type": "object", "required": ["alpha", "beta"]}, "minContains": 2}"#,
            "[1, {\"a\": {",
        ),
        (
            r#"{"type": "array", "contains": {"enum": [123456789, "abcdefghij"]}, "minContains": 4}"#,
            "[[], 12",
        ),
        (
            r#"{"type": "array", "allOf": [{"contains": {"const": "first needle"}}, {"contains": {"const": "second needle"}}]}"#,
            "[{\"x\": \"",
        ),
        (r#"{"contains": {"contains": {"contains": {"const": "deep needle"}}}}"#, "[[\"a\", [[["),
        (
            r#"{"type": "array", "contains": {"type": "object", "required": ["a"], "properties": {"a": {"contains": {"const": "deep needle"}}}}}"#,
            "[{\"b\": [",
        ),
        (
            r#"{"type": "object", "minProperties": 9, "propertyNames": {"pattern": "^x_[a-z]{3}_end$"}}"#,
            "{\"x_abc",
        ),
        (
            r#"{"type": "object", "additionalProperties": {"contains": {"const": "qqqqqqq"}}, "minProperties": 3}"#,
            "{\"z\": [0",
        ),
        (
            r##"{"$ref": "#/$defs/t", "$defs": {"t": {"type": "object", "required": ["c", "n"], "properties": {"n": {"minLength": 4},
                "c": {"type": "array", "minItems": 1, "items": {"anyOf": [{"$ref": "#/$defs/t"}, {"const": "a leaf"}]}}}}}}"##,
            "{\"n\": \"abcd\", \"c\": [{\"n\": \"",
        ),
        (r#"{"type": "string", "pattern": "^(?=.*[0-9])(?=.*[A-Z])(?=.*[!@#]).{12,}$"}"#, "\"abc"),
        (
            r#"{"uniqueItems": true, "type": "array", "minItems": 12, "items": {"pattern": "^[ab]{4}$", "type": "string"}}"#,
            "[\"ab",
        ),
    ] {
        led_home(schema, CompilerConfig::default(), text);
    }
}

#[test]
fn required_names_are_found_in_any_order() {
    let schema = r#"{"type": "object", "required": ["alphabet", "betamax", "gammaray", "deltaforce", "epsilon", "zeta"],
        "properties": {"alphabet": {"type": "integer"}, "betamax": {"const": "a long value"}}}"#;
    for text in ["", "{\"some\": [[{\"a", "{\"gamma", "{\"zeta\": 1, \"betamax\": \"a l"] {
        led_home(schema, CompilerConfig::with_policy(SurfacePolicy::permissive()), text);
    }
}

#[test]
fn a_way_too_long_for_one_search_is_found_in_parts() {
    let schema = r#"{"type": "array", "minItems": 6, "items": {"type": "integer", "multipleOf": 98765, "minimum": 5}}"#;
    led_home(schema, CompilerConfig::default(), "[");
}

#[test]
fn a_search_among_thousands_of_required_names_has_an_end() {
    let names: Vec<String> = (0..3_000).map(|at| format!("\"name{at}\"")).collect();
    let schema = format!(r#"{{"type": "object", "required": [{}]}}"#, names.join(", "));
    let grammar = compiler().json_schema(&schema).unwrap();
    let mut matcher = Matcher::new(&grammar);
    for step in matcher.toward_ending().unwrap() {
        let EndingStep::Byte(byte) = step else { panic!("a letter") };
        matcher.commit(byte_token(byte)).unwrap();
    }
    assert!(matcher.text().len() > 10, "{:?}", matcher.text());
}
