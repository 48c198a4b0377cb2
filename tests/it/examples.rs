//! The worked examples of the schema automaton: what each of them says about masks and texts, token by token.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use maskwright::{Compiler, CompilerConfig, Matcher, TokenId, Vocabulary};
use maskwright_oracle::brute::ids;
use maskwright_oracle::generate::vocabulary::longest_match;
use maskwright_oracle::subject::Subject;
use serde_json::{Value, json};

const TOKENS: [&str; 34] = [
    "{",
    "}",
    "[",
    "]",
    "\"",
    ":",
    ",",
    "a",
    "b",
    "c",
    "k",
    "1",
    "2",
    "x",
    "t",
    "r",
    "u",
    "e",
    " ",
    "-",
    ".",
    "0",
    "\n",
    "\\",
    "\",\"",
    "\":",
    "{\"",
    "{}",
    "\",\"\",\"",
    "true",
    ",\"",
    "12",
    "\"x\"",
    "</s>",
];

fn vocabulary() -> Vocabulary {
    Vocabulary::from_tokens(TOKENS, &[TokenId::new(TOKENS.len() - 1)]).unwrap()
}

fn matcher(schema: &Value) -> Matcher {
    let compiler = Compiler::new(vocabulary(), CompilerConfig::default());
    Matcher::new(&compiler.json_schema(&schema.to_string()).unwrap())
}

/// The matcher after a text.
fn after(start: &Matcher, text: &str) -> Matcher {
    let mut matcher = start.clone();
    for token in longest_match(&vocabulary(), text.as_bytes()).unwrap() {
        matcher.commit(token).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
    matcher
}

/// The allowed tokens, spelled.
fn allowed(matcher: &Matcher) -> Vec<&'static str> {
    let mask = matcher.clone().allowed().unwrap();
    ids(&vocabulary()).filter(|token| mask[token.index()]).map(|token| TOKENS[token.index()]).collect()
}

fn sorted(mut tokens: Vec<&'static str>) -> Vec<&'static str> {
    tokens.sort_unstable();
    tokens
}

/// After the text exactly these tokens are allowed.
#[track_caller]
fn check_exactly(start: &Matcher, text: &str, expected: &[&'static str]) {
    assert_eq!(sorted(allowed(&after(start, text))), sorted(expected.to_vec()), "after {text}");
}

/// After the text these tokens are allowed and those are not.
#[track_caller]
fn check(start: &Matcher, text: &str, yes: &[&str], no: &[&str]) {
    let found = allowed(&after(start, text));
    for token in yes {
        assert!(found.contains(token), "after {text}: {token} should be allowed, not only {found:?}");
    }
    for token in no {
        assert!(!found.contains(token), "after {text}: {token} should not be allowed");
    }
}

#[test]
fn an_alternative_that_fails_leaves_the_other() {
    let start = matcher(&json!({
        "type": "object",
        "anyOf": [{"required": ["a"], "properties": {"a": {"type": "integer"}}}, {"required": ["b"]}],
    }));
    check_exactly(&start, "", &["{", "{\"", " ", "\n"]);
    // Every document has a or b; nothing may come before them, for what is not mentioned comes last.
    // No escape spells a or b, for there is no token 6.
    check_exactly(&start, "{\"", &["a", "b"]);
    check_exactly(&start, "{", &["\"", " ", "\n"]);
    // Under a both outcomes are viable: any value.
    check(&start, "{\"a\":", &["1", "-", "\"", "[", "{", "t", "\"x\"", "{}", "\":"], &["}", ",", "]"]);
    // An integer satisfies the first alternative, and the object may end or go on.
    check(&start, "{\"a\":1", &["}", ",", ",\"", "2", "0", ".", "12"], &["]", "</s>", "\""]);
    // Anything else leaves `required: b`.
    check_exactly(&start, "{\"a\":\"x\"", &[",", ",\""]);
    check_exactly(&start, "{\"a\":true,\"", &["b"]);
    check_exactly(&start, "{\"a\":true,\"b", &["\"", "\":"]);
    check(&start, "{\"a\":true,\"b\":1", &["}", ","], &["</s>"]);
    // With b first the residual is true at once, and a may not follow: it comes before b.
    check(&start, "{\"b\":true", &["}", ",", ",\""], &[]);
    check(&start, "{\"b\":true,\"", &["c", "x", "a", "\""], &[]);
    check(&start, "{\"b\":true,\"a", &["a", "b"], &["\"", "\":"]);
    check_exactly(&start, "{\"a\":1}", &["</s>"]);
}

#[test]
fn a_fraction_takes_the_integer_back() {
    let start = matcher(&json!({
        "type": "object",
        "anyOf": [{"required": ["a"], "properties": {"a": {"type": "integer"}}}, {"required": ["b"]}],
    }));
    // `1.2` is no integer, so b must follow; the token `}` is dead only after the fraction.
    check(&start, "{\"a\":1", &["}"], &[]);
    check(&start, "{\"a\":1.2", &[",", ",\"", "0"], &["}", "."]);
}

#[test]
fn names_declared_by_an_alternative_left_behind_do_not_repeat() {
    let start = matcher(&json!({"anyOf": [
        {"properties": {"a": {"type": "integer"}, "k": {"const": 1}}},
        {"properties": {"k": {"const": 2}}},
    ]}));
    check_exactly(&start, "{\"a\":1,\"k\":", &["1", "2", " ", "\n"]);
    // A string under a leaves only the second alternative.
    check_exactly(&start, "{\"a\":\"x\",\"k\":", &["2", " ", "\n"]);
    // The name a is used up: `a` can only be the beginning of a longer name.
    check(&start, "{\"a\":1,\"k\":2,\"a", &["a", "b", "x"], &["\"", "\":", "\",\""]);
    check(&start, "{\"a\":1,\"k\":2,\"k", &["a", "k"], &["\"", "\":"]);
    check(&start, "{\"a\":1,\"k\":2,\"ab", &["\"", "\":"], &[]);
}

#[test]
fn a_name_that_must_be_absent_is_dead_and_no_other() {
    let start = matcher(&json!({"type": "object", "not": {"required": ["x"]}}));
    check_exactly(&start, "", &["{", "{\"", "{}", " ", "\n"]);
    check(&start, "{\"", &["a", "b", "x", "\"", "\":"], &["\n", "</s>"]);
    check(&start, "{\"x", &["x", "a"], &["\"", "\":"]);
    check(&start, "{", &["\"", "}"], &["\"x\""]);
    check(&start, "{\"xx", &["\"", "\":"], &[]);
}

#[test]
fn a_discriminator_leaves_one_of_many_alternatives() {
    // Six letters each, and a number of digits that the vocabulary has: the alternatives are told apart by `k` alone.
    let kind = |i: u32| -> String { (0..6).map(|bit| if i >> bit & 1 == 1 { 'b' } else { 'a' }).collect() };
    let number = |i: u32| (0..4).map(|place| i / 3_u32.pow(place) % 3 * 10_u32.pow(place)).sum::<u32>();
    let branch = |i: u32| {
        json!({
            "type": "object",
            "properties": {"k": {"const": kind(i)}, "x": {"const": number(i)}},
            "required": ["k", "x"],
        })
    };
    let start = matcher(&json!({"oneOf": (0..50).map(branch).collect::<Vec<_>>()}));
    check_exactly(&start, "{\"", &["k"]);
    check_exactly(&start, "{\"k\":\"", &["a", "b"]);
    // 17 is `baaaba`, 49 `baaabb`; 18 `abaaba`, and there is no 50.
    check_exactly(&start, "{\"k\":\"baaab", &["a", "b"]);
    check_exactly(&start, "{\"k\":\"abaab", &["a"]);
    check_exactly(&start, "{\"k\":\"baaabb\"", &[",", ",\""]);
    // Of a number only its own spellings are left.
    for (i, yes, no) in [
        (0, &["0", "-"][..], &["1", "2", "12", "\""][..]),
        (1, &["1"], &["0", "2", "12", "-"]),
        (2, &["2"], &["0", "1", "12", "-"]),
        (5, &["1", "12"], &["0", "2", "-"]),
        (49, &["1", "12"], &["0", "2", "-"]),
    ] {
        let text = format!("{{\"k\":\"{}\",\"x\":", kind(i));
        check(&start, &text, yes, no);
        check(&start, &format!("{text}{}", number(i)), &["}", ",", "."], &["0", "1", "2", "12"]);
    }
}

#[test]
fn a_condition_on_an_absent_name_holds() {
    let start = matcher(&json!({
        "type": "object",
        "if": {"properties": {"t": {"const": "x"}}},
        "then": {"required": ["e"]},
    }));
    // Without t the condition holds, so e must come; all other names come later, when it is too late for either.
    check_exactly(&start, "", &["{", "{\"", " ", "\n"]);
    check_exactly(&start, "{\"", &["t", "e"]);
    check_exactly(&start, "{\"t\":\"x\"", &[",", ",\""]);
    check_exactly(&start, "{\"t\":\"x\",\"", &["e"]);
    check(&start, "{\"t\":\"xx\"", &["}", ","], &[]);
    check(&start, "{\"t\":1", &["}", ","], &[]);
    check(&start, "{\"e\":1", &["}", ","], &[]);
    check(&start, "{\"t\":\"x\",\"e\":1", &["}", ","], &[]);
}

#[test]
fn a_negated_schema_may_lead_back_to_the_root() {
    let start = matcher(&json!({"not": {"required": ["a"], "properties": {"a": {"$ref": "#"}}}}));
    check_exactly(&start, "", &["{", "{\"", "{}", " ", "\n"]);
    check(&start, "{\"a\":", &["1", "[", "{", "{\"", "\""], &["{}"]);
    check_exactly(&start, "{\"a\":{", &["\"", " ", "\n"]);
    check(&start, "{\"a\":{\"a\":", &["{}", "{", "{\""], &["1", "[", "\""]);
    check(&start, "{\"a\":{\"a\":{}}", &["}", ","], &[]);
    check(&start, "{\"a\":1", &["}", ","], &[]);
}

#[test]
fn unique_items_forbid_tokens_that_repeat_one() {
    let start = matcher(&json!({"type": "array", "uniqueItems": true, "items": {"type": "string"}}));
    check(&start, "[\"", &["\",\"", "\"", "a"], &["\",\"\",\""]);
    check(&start, "[\"\",\"", &["a", "b"], &["\"", "\",\"", "\",\"\",\""]);
    check(&start, "[\"\",\"a", &["\",\"", "\"", "a"], &["\",\"\",\""]);
    check(&start, "[\"a", &["\",\"\",\"", "\",\"", "\""], &[]);
}

#[test]
fn names_without_a_declaration_do_not_repeat() {
    let start = matcher(&json!({"type": "object", "additionalProperties": {"type": "integer"}}));
    check(&start, "{\"x\":1,\"x", &["x", "a"], &["\"", "\":"]);
    check(&start, "{\"x\":1,\"xx\":1,\"x", &["x", "a"], &["\"", "\":"]);
    check(&start, "{\"x\":1,\"xx\":1,\"xx", &["x", "a"], &["\"", "\":"]);
    check(&start, "{\"x\":1,\"xa", &["\"", "\":"], &[]);
    check(&start, "{\"x\":1,\"", &["\"", "x"], &["\",\""]);
    check(&start, "{\"\":1,\"", &["x"], &["\"", "\":"]);
}

#[test]
fn items_that_may_repeat_take_tokens_across_several_of_them() {
    // The vocabulary has the token `","","`, which ends an item, is one, and begins a third.
    let start = matcher(&json!({"type": "array", "items": {"type": "string"}}));
    check(&start, "[\"", &["\",\"\",\"", "\",\"", "a"], &[]);
    check(&start, "[\"x", &["\",\"\",\"", "\"", "\\"], &["\n"]);
    let start = matcher(&json!({"type": "array", "items": {"type": "string"}, "maxItems": 2}));
    check(&start, "[\"", &["\",\"", "a"], &["\",\"\",\""]);
    let start = matcher(&json!({"type": "array", "items": {"type": "string", "minLength": 1}}));
    check(&start, "[\"", &["a", "x"], &["\"", "\",\"", "\",\"\",\""]);
    check(&start, "[\"a", &["\"", "\",\""], &["\",\"\",\""]);
}

#[test]
fn contradictions_are_named_at_compile_time() {
    // Over a vocabulary that spells every byte: else the fault might be the vocabulary's.
    let compiler = Compiler::new(Vocabulary::demo(), CompilerConfig::default());
    for schema in [
        json!({"type": "object", "required": ["a"], "properties": {"a": false}}),
        json!({"type": "object", "required": ["a"], "properties": {"a": {"$ref": "#"}}}),
        json!({"allOf": [{"type": "string", "minLength": 2}, {"type": ["string", "null"], "maxLength": 1, "enum": ["a", "ab"]}]}),
        json!({"type": "integer", "minimum": 1.2, "maximum": 1.8}),
        json!({"type": "array", "prefixItems": [{"const": 1}], "items": false, "minItems": 2}),
        json!({"type": "object", "additionalProperties": false, "required": ["z"]}),
        json!({"type": "object", "minProperties": 3, "patternProperties": {"^[ab]$": {}}, "additionalProperties": false}),
    ] {
        let error = compiler.json_schema(&schema.to_string()).expect_err("nothing satisfies it");
        assert_eq!(error.kind(), maskwright::error::CompileErrorKind::Unsatisfiable, "{schema}: {error}");
    }
}
