//! `uniqueItems`: arrays of equal and unequal values in all spellings against an independent validator, walks without a dead
//! end, and the places where a value has run out.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use maskwright::error::CompileErrorKind;
use maskwright::{Compiler, CompilerConfig, Matcher};
use maskwright_oracle::generate::Random;
use serde_json::Value;

use crate::validator::{Compilers, Counts, accepts, after, is_exact, may_follow, walk};

/// Values, some of them equal.
const ITEMS: [&str; 17] = [
    "1",
    "1.0",
    "2",
    "0",
    "-0",
    "\"a\"",
    "\"\\u0061\"",
    "\"1\"",
    "true",
    "null",
    "[]",
    "[1]",
    "[1.0 ]",
    "{}",
    "{\"a\":1}",
    "{\"b\":2,\"a\":1}",
    "{\"a\":1.0, \"b\":2}",
];

const SCHEMAS: [&str; 25] = [
    r#"{"type":"array","anyOf":[{"uniqueItems":true},{"maxItems":2}],"items":{"enum":["a"]}}"#,
    r#"{"type":"array","anyOf":[{"uniqueItems":true},{"items":{"const":1}}],"items":{"enum":[1,2]}}"#,
    r#"{"anyOf":[{"uniqueItems":true,"minItems":2},{"maxItems":2}],"items":{"enum":[null,1]},"type":"array"}"#,
    r#"{"uniqueItems":true}"#,
    r#"{"type":"array","uniqueItems":true,"minItems":2}"#,
    r#"{"type":"array","uniqueItems":true,"items":{"enum":[1,2,"a"]}}"#,
    r#"{"type":"array","uniqueItems":true,"items":{"enum":[1,2,"a"]},"minItems":3}"#,
    r#"{"type":"array","uniqueItems":true,"items":{"type":["boolean","null"]}}"#,
    r#"{"type":"array","uniqueItems":true,"items":{"type":["boolean","string"]}}"#,
    r#"{"type":"array","uniqueItems":true,"items":{"type":"number"}}"#,
    r#"{"type":"array","uniqueItems":true,"items":{"type":"integer","minimum":0,"maximum":2}}"#,
    r#"{"type":"array","uniqueItems":true,"items":{"type":"string","maxLength":1}}"#,
    r#"{"type":"array","uniqueItems":true,"items":{"type":"object"}}"#,
    r#"{"type":"array","uniqueItems":true,"items":{"properties":{"a":{"enum":[1,2]}},"additionalProperties":false}}"#,
    r#"{"type":"array","uniqueItems":true,"items":{"properties":{"a":true,"b":{"const":2}},"additionalProperties":false}}"#,
    r#"{"type":"array","uniqueItems":true,"items":{"items":{"enum":[1]},"maxItems":1}}"#,
    r#"{"type":"array","uniqueItems":true,"items":{"anyOf":[{"type":"integer"},{"type":"array","uniqueItems":true}]}}"#,
    r#"{"type":"array","items":{"type":"array","uniqueItems":true},"uniqueItems":true}"#,
    r#"{"anyOf":[{"uniqueItems":true},{"maxItems":2}]}"#,
    r#"{"anyOf":[{"uniqueItems":true,"items":{"type":"number"}},{"items":{"type":["null","array"]}}]}"#,
    r#"{"not":{"uniqueItems":true}}"#,
    r#"{"oneOf":[{"uniqueItems":true,"type":"array"},{"items":{"type":"number"},"type":"array"}]}"#,
    r#"{"if":{"minItems":3},"then":{"uniqueItems":true}}"#,
    r#"{"type":"array","uniqueItems":true,"contains":{"type":"object"}}"#,
    r##"{"type":"array","uniqueItems":true,"items":{"$ref":"#"}}"##,
];

/// All lists of up to three items.
fn documents() -> Vec<String> {
    let mut documents = vec!["[]".to_owned(), "1".to_owned()];
    for a in ITEMS {
        documents.push(format!("[{a}]"));
        for b in ITEMS {
            documents.push(format!("[{a}, {b}]"));
            documents.extend(ITEMS.iter().map(|c| format!("[{a},{b} ,{c}]")));
        }
    }
    documents
}

#[test]
fn lists_of_up_to_three_items_agree_with_the_validator() {
    let compilers = Compilers::new();
    let documents = documents();
    let (mut judged, mut valid) = (0, 0);
    for schema in SCHEMAS {
        let validator = jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap();
        let grammar = compilers.permissive.json_schema(schema).unwrap_or_else(|e| panic!("{schema}: {e}"));
        for document in &documents {
            let expected = validator.is_valid(&serde_json::from_str(document).unwrap());
            assert_eq!(accepts(&grammar, document), Some(expected), "{schema} and {document}");
            judged += 1;
            valid += usize::from(expected);
        }
    }
    println!("{judged} documents, {valid} valid");
    assert!(valid * 10 > judged && valid * 10 < judged * 9);
}

#[test]
fn walks_come_to_an_end_and_masks_are_those_of_the_slow_twin() {
    let compilers = Compilers::new();
    let mut counts = Counts::default();
    for schema in SCHEMAS {
        let validator = jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap();
        let grammar = compilers.permissive.json_schema(schema).unwrap();
        let twin = compilers.uncached.json_schema(schema).unwrap();
        for seed in 0..8 {
            let Some(document) = walk(&grammar, Some(&twin), &mut Random::new(seed), &mut counts) else {
                continue;
            };
            counts.finished += 1;
            let parsed: Value = serde_json::from_str(&document).unwrap();
            let digits = document.split(|c: char| !c.is_ascii_digit()).map(str::len).max().unwrap_or(0);
            assert!(
                digits > 14 || document.contains(['e', 'E']) || validator.is_valid(&parsed),
                "{schema} and {document}"
            );
        }
    }
    println!("{counts:?}");
    assert!(counts.finished > SCHEMAS.len() * 7, "{counts:?}");
}

#[test]
fn a_value_that_has_run_out_is_not_begun() {
    let list =
        |items: &str, rest: &str| format!(r#"{{"type":"array","uniqueItems":true,"items":{items}{rest}}}"#);
    let pair = r#"{"type":"object","properties":{"a":{"enum":[1,2]}},"required":["a"],"additionalProperties":false}"#;
    for (items, text, yes, no) in [
        (r#"{"type":"string"}"#, r#"["a","a"#, "b\\", "\""),
        (r#"{"type":"string"}"#, r#"["","#, "\"", "]"),
        (r#"{"type":"string"}"#, r#"["",""#, "a", "\""),
        (r#"{"type":["boolean","string"]}"#, "[true,", "f\"", "t"),
        (r#"{"type":"integer"}"#, "[0,", "1-", "0"),
        (r#"{"type":"integer"}"#, "[12,12", "3", ",]"),
        (r#"{"type":"integer","minimum":1,"maximum":12}"#, "[1,10,11,12,", "2", "1"),
        (r#"{"enum":["GET","PUT","POST"]}"#, r#"["PUT","P"#, "O", "U"),
        (r#"{"enum":["GET","PUT"]}"#, r#"["PUT","GET""#, "]", ","),
        (r#"{"enum":[1,1.0,2]}"#, "[1,2", "]", ","),
        (pair, r#"[{"a":1},{"a":"#, "2", "1"),
        (pair, r#"[{"a":1},{"a":2}"#, "]", ","),
        (r#"{"items":{"const":1},"maxItems":1,"type":"array"}"#, "[[1],[", "]", "1"),
    ] {
        let schema = list(items, "");
        let matcher = after(&schema, text);
        for byte in yes.bytes() {
            assert!(may_follow(&matcher, byte), "{schema} after {text}: {}", char::from(byte));
        }
        for byte in no.bytes() {
            assert!(!may_follow(&matcher, byte), "{schema} after {text}: {}", char::from(byte));
        }
        is_exact(&schema, text);
    }
    for (items, rest) in
        [(r#"{"enum":[1,1.0,"a"]}"#, r#","minItems":3"#), (r#"{"type":"null"}"#, r#","minItems":2"#)]
    {
        let compilers = Compilers::new();
        let e = compilers.permissive.json_schema(&list(items, rest)).unwrap_err();
        assert_eq!(e.kind(), CompileErrorKind::Unsatisfiable, "{e}");
    }
}

#[test]
fn items_that_must_be_contained_are_counted_by_their_values() {
    for (schema, satisfiable) in [
        (r#"{"type":"array","uniqueItems":true,"contains":{"type":"null"},"minContains":2}"#, false),
        (
            r#"{"type":"array","uniqueItems":true,"contains":{"type":"null"},"minContains":2,"maxContains":2}"#,
            false,
        ),
        (
            r#"{"type":"array","uniqueItems":true,"contains":{"const":{}},"minContains":2,"maxContains":2,"maxItems":2}"#,
            false,
        ),
        (
            r#"{"type":"array","uniqueItems":true,"contains":{"type":"string"},"minContains":2,"maxContains":2}"#,
            true,
        ),
        (
            r#"{"type":"array","uniqueItems":true,"contains":{"type":"null"},"minContains":1,"maxContains":2}"#,
            true,
        ),
    ] {
        let compiler = Compiler::new(crate::reports::bytes(), CompilerConfig::default());
        match compiler.json_schema(schema) {
            Ok(grammar) => {
                assert!(satisfiable, "{schema} has no document, and was compiled");
                for text in ["[null", "[{}", "[1,\"a\""] {
                    let mut matcher = Matcher::new(&grammar);
                    if text.bytes().all(|byte| matcher.commit(u32::from(byte)).is_ok()) {
                        assert!(matcher.allowed_count().unwrap() > 0, "{schema}: a dead end after {text}");
                    }
                }
            }
            Err(e) => {
                assert!(!satisfiable, "{schema}: {e}");
                assert_eq!(e.kind(), CompileErrorKind::Unsatisfiable, "{schema}: {e}");
            }
        }
    }
}

#[test]
fn whether_items_are_equal_may_be_a_question_of_the_parent_alone() {
    let compilers = Compilers::new();
    let inner = ["[]", "[1]", "[1,2]", "[1,1]", "[1,2,1.0]", r#"["","a",""]"#, "[[1],[1]]", "null"];
    let mut judged = [0, 0];
    for schema in [
        r#"{"type":"array","contains":{"type":"array","uniqueItems":true}}"#,
        r#"{"type":"array","contains":{"type":"array","uniqueItems":true,"minItems":2}}"#,
        r#"{"type":"array","contains":{"uniqueItems":true},"minContains":2}"#,
        r#"{"type":"array","contains":{"uniqueItems":true},"maxContains":1}"#,
        r#"{"type":"array","contains":{"not":{"uniqueItems":true}}}"#,
        r#"{"type":"array","not":{"contains":{"type":"array","uniqueItems":true}}}"#,
        r#"{"type":"array","if":{"items":{"uniqueItems":true}},"then":{"maxItems":1}}"#,
        r#"{"type":"array","oneOf":[{"items":{"uniqueItems":true}},{"prefixItems":[{"type":"array"}]}]}"#,
    ] {
        let validator = jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap();
        let grammar = compilers.permissive.json_schema(schema).unwrap();
        let twin = compilers.uncached.json_schema(schema).unwrap();
        for a in inner {
            for b in inner {
                let document = format!("[{a},{b}]");
                let expected = validator.is_valid(&serde_json::from_str(&document).unwrap());
                judged[usize::from(expected)] += 1;
                assert_eq!(accepts(&grammar, &document), Some(expected), "{schema} and {document}");
                assert_eq!(accepts(&twin, &document), Some(expected), "{schema} and {document}, uncached");
            }
        }
    }
    assert!(judged[0] > 100 && judged[1] > 100, "{judged:?}");
}

#[test]
fn values_of_numbers_that_have_run_out_are_not_searched_spelling_by_spelling() {
    let pairs = r#"{"type":"array","items":{"enum":[[0,0],[1,1]]},"uniqueItems":true}"#;
    let points = r#"{"type":"array","items":{"type":"object","properties":{"x":{"enum":[0,1]},"y":{"enum":[0,1]}},"required":["x","y"],"additionalProperties":false},"uniqueItems":true}"#;
    for (schema, text, goes_on) in [
        (pairs, "[[0,0],[1,1]", false),
        (pairs, "[[0,0]", true),
        (points, r#"[{"x":0,"y":0},{"x":1,"y":1}"#, true),
        (points, r#"[{"x":0,"y":0},{"x":1,"y":1},{"x":0.0,"y":1},{"x":1,"y":0.00}"#, false),
    ] {
        let matcher = after(schema, text);
        assert_eq!(may_follow(&matcher, b','), goes_on, "{schema} after {text}");
        assert!(may_follow(&matcher, b']'), "{schema} after {text}");
    }
}

#[test]
fn an_array_that_compares_its_items_is_itself_compared() {
    let empty = r#"{"type":"array","items":{"type":["array","integer"],"uniqueItems":true,"items":false},"uniqueItems":true}"#;
    let ones = r#"{"type":"array","items":{"type":["array","integer"],"uniqueItems":true,"items":{"const":1}},"uniqueItems":true}"#;
    for (schema, text, byte, goes_on) in [
        (empty, "[[],", b'[', false),
        (empty, "[[],", b'2', true),
        (empty, "[3,", b'[', true),
        (empty, "[3,[", b']', true),
        (ones, "[[],", b'[', true),
        (ones, "[[],[", b']', false),
        (ones, "[[],[", b'1', true),
        (ones, "[[],[1", b']', true),
        (ones, "[[1],[", b']', true),
        (ones, "[[1],[", b'1', false),
        (ones, "[[1],[],", b'[', false),
    ] {
        assert_eq!(
            may_follow(&after(schema, text), byte),
            goes_on,
            "{schema} after {text}: {}",
            char::from(byte)
        );
    }
}

#[test]
fn an_alternative_without_values_enough_is_none_after_some_items_either() {
    let schema = r#"{"type":"array","uniqueItems":true,"items":{"enum":["a","b"]},"anyOf":[{"maxItems":1},{"minItems":3}]}"#;
    let matcher = after(schema, r#"["a""#);
    assert!(may_follow(&matcher, b']') && !may_follow(&matcher, b','));
    is_exact(schema, r#"["a""#);
}

#[test]
fn where_the_values_used_would_decide_the_array_is_refused_with_its_place() {
    // After [5,"s" only the 5 that is used would satisfy both.
    let both = r#"{"type":"array","uniqueItems":true,"items":{"type":["integer","string"]},"maxItems":3,"allOf":[{"contains":{"type":"integer","minimum":5},"minContains":2},{"contains":{"type":"integer","maximum":5},"minContains":2}]}"#;
    // After [[] the second item has no value.
    let prefix =
        r#"{"type":"array","uniqueItems":true,"prefixItems":[{"enum":["b",[]]},{"const":[]}],"minItems":2}"#;
    for (schema, place) in [
        (both.to_owned(), ""),
        (format!(r#"{{"type":"object","properties":{{"x":{prefix}}},"required":["x"]}}"#), "/properties/x"),
        (
            format!(r#"{{"type":"object","additionalProperties":{prefix},"minProperties":1}}"#),
            "/additionalProperties",
        ),
    ] {
        let e = Compilers::new().permissive.json_schema(&schema).unwrap_err();
        assert_eq!(
            (e.kind(), e.place().pointer.as_deref()),
            (CompileErrorKind::Limit, Some(place)),
            "{schema}: {e}"
        );
    }
}

#[test]
fn small_arrays_without_some_value_are_read_to_their_end() {
    let list = r#""type":"array","uniqueItems":true,"items":{"enum":["a","b","c"]}"#;
    for more in [
        r#""not":{"const":["a"]}"#,
        r#""not":{"const":["a","b"]}"#,
        r#""not":{"enum":[["a"],["b"]]}"#,
        r#""if":{"const":["a"]},"then":{"minItems":1},"else":{"minItems":0}"#,
        r#""if":{"prefixItems":[{"const":"a"}]},"then":{"minItems":2}"#,
    ] {
        let schema = format!("{{{list},{more}}}");
        let validator = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
        let compilers = Compilers::new();
        let grammar = compilers.permissive.json_schema(&schema).unwrap();
        for text in
            ["[]", r#"["a"]"#, r#"["b"]"#, r#"["a","b"]"#, r#"["b","a"]"#, r#"["a","a"]"#, r#"["c","a","b"]"#]
        {
            let expected = validator.is_valid(&serde_json::from_str(text).unwrap());
            assert_eq!(accepts(&grammar, text), Some(expected), "{schema} and {text}");
        }
    }
}
