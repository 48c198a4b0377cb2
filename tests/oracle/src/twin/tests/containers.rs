//! Objects, arrays, what combines schemas, and bytes that are missing.

use maskwright::{KeyOrder, SurfacePolicy, Whitespace};
use serde_json::json;

use super::Is::{Dead, Document, Prefix};
use super::{check, check_over, policy};
use crate::twin::{Bytes, Twin};

#[test]
fn objects() {
    let schema = json!({
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "string"}},
        "required": ["b", "z"],
        "additionalProperties": {"type": "null"},
    });
    check(
        &schema,
        &[
            ("{", Prefix),
            ("{}", Dead),
            ("{\"a\":1,", Prefix),
            ("{\"a\":1}", Dead),
            ("{\"b\":\"\",\"z\":null}", Document),
            ("{\"b\":\"\",\"z\":1", Dead),
            ("{\"b\":\"\",\"a\"", Dead),
            ("{\"b\":\"\",\"a", Dead), // only names from z on may follow, and z is missing: no other name before it
            ("{\"b\":\"\",\"z", Prefix),
            ("{\"z\"", Dead),
            ("{\"q", Dead),
            ("{\"b\":\"\",\"z\":null,\"y\":null,\"x\":null}", Document),
            ("{\"b\":\"\",\"z\":null,\"a\"", Dead),
            ("{\"b\":\"\",\"z\":null,\"a", Prefix),
            ("{\"b\":\"\",\"z\":null,\"y\":1", Dead),
            ("[", Dead),
        ],
    );
    let any = SurfacePolicy { key_order: KeyOrder::Any, ..SurfacePolicy::default() };
    check_over(
        &Bytes::all(),
        any,
        &schema,
        &[("{\"q\":null,\"z\":null,\"b\":\"\",\"a\":1}", Document), ("{\"z\":null,\"z\"", Dead)],
    );
    check(
        &json!({"type": "object", "properties": {"ab": {}, "b": false}, "additionalProperties": false}),
        &[
            ("{}", Document),
            ("{\"a", Prefix),
            ("{\"b", Dead),
            ("{\"ab\":1}", Document),
            ("{\"ab\":1,", Dead),
            ("{\"\\u0061b\":1}", Document),
            ("{\"\\u0062", Dead),
        ],
    );
}

#[test]
fn the_first_mention_decides_the_order_of_keys() {
    let schema = json!({
        "anyOf": [{"properties": {"c": {}}, "required": ["r"]}, {"$ref": "#/$defs/d"}, {"allOf": [false], "properties": {"n": {}}}],
        "properties": {"a": {}, "c": {}},
        "allOf": [{"properties": {"b": {}, "a": {}}}],
        "$defs": {"d": {"properties": {"d": {}}}},
    });
    check(
        &schema,
        &[
            ("{\"c\":1,\"d\":1,\"a\":1,\"b\":1,\"r\":1,\"n\":1,\"m\":1,\"l\":1}", Document),
            ("{\"d\":1,\"c\"", Dead),
            ("{\"a\":1,\"d\"", Dead),
            ("{\"b\":1,\"a\"", Dead),
            ("{\"r\":1,\"b\"", Dead),
            ("{\"m\":1,\"r\"", Dead),
            ("{\"m\":1,\"n\":1}", Document),
        ],
    );
    let nested = json!({
        "properties": {"x": {"properties": {"b": {}}}},
        "additionalProperties": {"properties": {"z": {}}},
        "allOf": [{"additionalProperties": {"properties": {"a": {}, "b": {}}}}],
        "prefixItems": [{"properties": {"q": {}}}],
        "items": {"properties": {"s": {}, "q": {}}},
    });
    check(
        &nested,
        &[
            ("{\"x\":{\"b\":1,\"a\":1,\"z\":1}}", Document),
            ("{\"x\":{\"a\":1,\"b\"", Dead),
            ("{\"y\":{\"z\":1,\"a\":1,\"b\":1}}", Document),
            ("{\"y\":{\"a\":1,\"z\"", Dead),
            ("[{\"q\":1,\"s\":1},{\"s\":1,\"q\":1}]", Document),
            ("[{},{\"q\":1,\"s\"", Dead),
        ],
    );
}

#[test]
fn arrays() {
    check(
        &json!({"type": "array", "prefixItems": [{"type": "integer"}, {"const": "x"}], "items": false, "minItems": 1}),
        &[
            ("[", Prefix),
            ("[]", Dead),
            ("[ ", Prefix),
            ("[1]", Document),
            ("[1,", Prefix),
            ("[1,\"x\"]", Document),
            ("[1,\"y", Dead),
            ("[1,\"x\",", Dead),
            ("[\"", Dead),
        ],
    );
    check(
        &json!({"type": "array", "items": {"enum": [1, 2]}, "minItems": 2, "maxItems": 3}),
        &[
            ("[1]", Dead),
            ("[1,2]", Document),
            ("[1,2,1]", Document),
            ("[1,2,1,", Dead),
            ("[3", Dead),
            ("[1 ", Dead),
        ],
    );
    check(&json!({"type": "array", "items": false}), &[("[", Prefix), ("[]", Document), ("[1", Dead)]);
    check(
        &json!({"type": "array", "items": {"minItems": 3, "maxItems": 2, "type": "array"}}),
        &[("[]", Document), ("[[", Dead)],
    );
}

#[test]
fn alternatives_leave_open_what_they_may() {
    // The first worked example of the schema automaton.
    let schema = json!({"anyOf": [{"required": ["a"], "properties": {"a": {"type": "integer"}}}, {"required": ["b"]}]});
    check(
        &schema,
        &[
            ("1", Document), // both branches speak of objects only
            ("{\"a\":\"x\",", Prefix),
            ("{\"a\":\"x\"}", Dead),
            ("{\"a\":\"x\",\"b\":0}", Document),
            ("{\"a\":1}", Document),
            ("{\"b\":1}", Document),
            ("{\"c\":1}", Dead),
            ("{\"c\":1,", Dead), // neither a nor b may follow an unmentioned name
            ("{\"c", Dead),
            ("{}", Dead),
        ],
    );
    // The fifth: names declared by a branch that has been left behind still must not repeat.
    let schema = json!({"anyOf": [
        {"properties": {"a": {"type": "integer"}, "k": {"const": 1}}},
        {"properties": {"k": {"const": 2}}},
    ]});
    check(
        &schema,
        &[
            ("{\"a\":1,\"k\":2,\"a", Prefix),
            ("{\"a\":1,\"k\":2,\"a\"", Dead),
            ("{\"a\":\"\",\"k\":2}", Document),
            ("{\"a\":\"\",\"k\":1", Dead),
            ("{\"a\":\"\",\"k\":", Prefix),
            ("{\"a\":\"\"}", Document),
        ],
    );
    // An outcome deep inside decides.
    let schema = json!({
        "type": "object",
        "properties": {"p": {"type": "array", "items": {"type": ["integer", "string"]}}, "q": {}},
        "required": ["p"],
        "anyOf": [
            {"properties": {"p": {"items": {"type": "integer"}}}},
            {"required": ["q"], "properties": {"q": {"const": true}}},
        ],
    });
    check(
        &schema,
        &[
            ("{\"p\":[1,\"a\"", Prefix),
            ("{\"p\":[1,\"a\"]}", Dead),
            ("{\"p\":[1,\"a\"],\"q\":f", Dead),
            ("{\"p\":[1,\"a\"],\"q\":true}", Document),
            ("{\"p\":[1],\"q\":false}", Document),
            ("{\"p\":[null", Dead),
        ],
    );
}

#[test]
fn recursion() {
    let schema = json!({
        "$ref": "#/$defs/tree",
        "$defs": {"tree": {
            "type": "object",
            "properties": {"v": {"type": "integer"}, "next": {"$ref": "#/$defs/tree"}},
            "required": ["v"],
            "additionalProperties": false,
        }},
    });
    check(
        &schema,
        &[
            ("{\"v\":1,\"next\":{\"v\":2,\"next\":{", Prefix),
            ("{\"v\":1,\"next\":{\"v\":2,\"next\":{}", Dead),
            ("{\"v\":1,\"next\":{\"v\":2}}", Document),
            ("{\"next\"", Dead),
        ],
    );
    let endless = json!({"type": "object", "properties": {"a": {"$ref": "#"}}, "required": ["a"]});
    let twin = Twin::new(&endless, SurfacePolicy::default()).expect("supported");
    assert!(!twin.is_satisfiable());
    assert_eq!(twin.is_prefix(b""), Ok(false));
    check(
        &json!({"anyOf": [{"type": "array", "minItems": 1, "items": {"$ref": "#"}}, {"type": "null"}]}),
        &[("[[[null]", Prefix), ("[[]", Dead), ("[[null],null]", Document)],
    );
}

#[test]
fn references_in_place_must_not_go_in_a_circle() {
    for schema in [json!({"$ref": "#"}), json!({"anyOf": [{"allOf": [{"$ref": "#"}]}, true]})] {
        assert!(Twin::new(&schema, SurfacePolicy::default()).is_err(), "{schema}");
    }
    for (schema, reason) in [
        (json!({"not": {}}), "not"),
        (json!({"properties": {"a": {"oneOf": []}}}), "oneOf"),
        (json!({"$ref": "#/nowhere"}), "nowhere"),
        (json!({"format": "date"}), "format"),
        (json!({"pattern": "(?=a)"}), "pattern"),
        (json!({"multipleOf": 0.5}), "multipleOf"),
    ] {
        let error = Twin::new(&schema, SurfacePolicy::default()).err().expect("not judged");
        assert!(error.to_string().contains(reason), "{error}");
    }
    assert!(
        Twin::new(&json!({"$ref": "#/$defs/a~1b%25/0", "$defs": {"a/b%": [true]}}), SurfacePolicy::default())
            .is_ok()
    );
}

#[test]
fn unspellable_bytes_leave_the_language() {
    let tight = policy(Whitespace::None);
    check_over(
        &Bytes::of(b"{}\":a1"),
        tight,
        &json!({"properties": {"a": {"type": "integer"}}, "required": ["a"]}),
        &[
            ("{\"a\":1}", Document),
            ("{\"a\":1,", Dead), // no comma
            ("\"aa\"", Document),
            ("[", Dead),
            ("{\"", Prefix),
            ("{\"aa", Dead), // `a` is missing then, and nothing can follow
            ("11", Document),
            ("-", Dead),
        ],
    );
    check_over(
        &Bytes::of(b"\"\\u061b"),
        tight,
        &json!({"enum": ["a", "ab", "ac"]}),
        &[
            ("\"a", Dead), // the byte `a` is not there, its escape is
            ("\"\\u006", Prefix),
            ("\"\\u0061b\"", Document),
            ("\"\\u0061\"", Document),
            ("\"\\u0061c", Dead),
        ],
    );
    check_over(
        &Bytes::of(b"12"),
        tight,
        &json!({"minimum": 15}),
        &[("1", Prefix), ("11", Prefix), ("21", Document)],
    );
    check_over(&Bytes::of(b"1"), tight, &json!({"minimum": 15, "maximum": 99}), &[("", Dead), ("1", Dead)]);
    check_over(
        &Bytes::of(b"[}]"),
        tight,
        &json!({"type": ["object", "array"]}),
        &[("[]", Document), ("{", Dead)],
    );
    check_over(&Bytes::of(b"]1"), tight, &json!({"items": {}}), &[("1", Document), ("[", Dead)]);
    let no_brace = Twin::over(&json!({"type": "object"}), tight, Bytes::of(b"}\"")).expect("supported");
    assert!(!no_brace.is_satisfiable());
    check_over(&Bytes::of(b"[]1"), tight, &json!({"minItems": 2}), &[("1", Document), ("[", Dead)]);
    check_over(&Bytes::of(b"[]1,"), tight, &json!({"minItems": 2}), &[("[", Prefix), ("[1,1]", Document)]);
    check_over(
        &Bytes::of(b" \r[]"),
        policy(Whitespace::Bounded),
        &json!(true),
        &[("[\r", Dead), ("[ ", Prefix), ("\r", Dead)],
    );
}

#[test]
fn boolean_and_contradictory_schemas() {
    for schema in [
        json!(false),
        json!({"allOf": [true, false]}),
        json!({"enum": []}),
        json!({"anyOf": [false, {"enum": []}]}),
        json!({"type": "string", "minLength": 2, "maxLength": 1}),
        json!({"type": "integer", "minimum": 1.2, "maximum": 1.8}),
        json!({"type": "object", "required": ["a"], "properties": {"a": false}}),
        json!({"type": "string", "pattern": "^a$", "minLength": 2}),
    ] {
        let twin = Twin::new(&schema, SurfacePolicy::default()).expect("supported");
        assert!(!twin.is_satisfiable(), "{schema}");
        assert_eq!(twin.is_prefix(b""), Ok(false), "{schema}");
    }
    check(
        &json!({"minLength": 2, "maxLength": 1}),
        &[("", Prefix), ("\"", Dead), ("1", Document), ("[\"\"]", Document)],
    );
}
