//! Hand-written verdicts: the twin is trusted because of these, not because it agrees with something else.

use maskwright::{KeyOrder, NumberSpelling, SurfacePolicy, Whitespace};
use serde_json::json;

use super::{Bytes, Search, Twin};

/// What a text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Is {
    /// A document (and so a prefix).
    Document,
    /// The beginning of one only.
    Prefix,
    /// Neither.
    Dead,
}
use Is::{Dead, Document, Prefix};

fn verdict(twin: &Twin, text: &[u8]) -> Is {
    let is_prefix = twin.is_prefix(text).expect("small");
    match (twin.is_complete(text), is_prefix) {
        (true, true) => Document,
        (false, true) => Prefix,
        (false, false) => Dead,
        (true, false) => panic!("{} is complete but no prefix", String::from_utf8_lossy(text)),
    }
}

fn check_over(bytes: &Bytes, policy: SurfacePolicy, schema: &serde_json::Value, cases: &[(&str, Is)]) {
    for search in [Search::Monotone, Search::Exhaustive] {
        let twin = Twin::with_search(schema, policy, bytes.clone(), search).expect("supported");
        for &(text, expected) in cases {
            assert_eq!(verdict(&twin, text.as_bytes()), expected, "{schema} {policy:?} {search:?}: {text:?}");
        }
    }
}

fn check(schema: &serde_json::Value, cases: &[(&str, Is)]) {
    check_over(&Bytes::all(), SurfacePolicy::default(), schema, cases);
}

fn policy(whitespace: Whitespace) -> SurfacePolicy {
    SurfacePolicy { whitespace, ..SurfacePolicy::default() }
}

#[test]
fn any_value() {
    check(
        &json!(true),
        &[
            ("", Prefix),
            ("n", Prefix),
            ("null", Document),
            ("nulll", Dead),
            ("tru", Prefix),
            ("fa", Prefix),
            ("fx", Dead),
            ("-", Prefix),
            ("0", Document),
            ("01", Dead),
            ("-0", Document),
            ("-0.", Prefix),
            ("-0.50", Document),
            ("1e", Dead),
            ("+1", Dead),
            (".5", Dead),
            ("\"", Prefix),
            ("\"a\\", Prefix),
            ("\"\\u12", Prefix),
            ("\"\\ud83d\"", Dead),
            ("\"\\udc00", Dead),
            ("\"\\ud83d\\ude00\"", Document),
            ("\"\u{7f}\"", Document),
            ("\"\n", Dead),
            ("{}", Document),
            ("{\"a\"", Prefix),
            ("{\"a\":[1,{\"b\":null}],\"c\":{", Prefix),
            ("{\"a\":1,\"a\"", Dead),
            ("{\"a\":1,\"\\u0061\"", Dead),
            ("{\"a\":1,\"a", Prefix),
            ("{\"a\":1,}", Dead),
            ("{,", Dead),
            ("[1,]", Dead),
            ("[]", Document),
            ("[}", Dead),
            ("[1 2", Dead),
            ("1]", Dead),
            ("{}{", Dead),
        ],
    );
}

#[test]
fn whitespace_bounded() {
    let many = |count: usize| " ".repeat(count);
    let schema = json!({"properties": {"a": {}}});
    check(
        &schema,
        &[
            (" {}", Document),
            ("\n{}", Document),
            ("\r\n{}", Document),
            ("\t", Prefix),
            ("\r", Prefix),
            ("\r ", Dead),
            ("  ", Dead),
            ("\n ", Dead),
            ("{} ", Dead),
            ("{}\n", Dead),
            ("{ }", Document),
            ("{ \n\t\"a\":\r\n 1 \n}", Document),
            ("{\n\n", Dead),
            ("{\n\r", Dead),
            ("{\n", Prefix),
            ("{\r\n ", Prefix),
            ("{\r ", Dead),
            ("{ \n ", Prefix),
            ("{\"a\" ", Dead),
            ("{\"a\":1 ,", Dead),
            ("{\"a\":1\n}", Document),
            ("[1 ]", Document),
            ("[1, 2]", Document),
            ("[ ]", Document),
            ("[1 ,", Dead),
            (&format!("[{}1]", many(128)), Document),
            (&format!("[{}1]", many(129)), Dead),
            (&format!("[{}\n{}1]", many(60), many(68)), Document),
            (&format!("[{}\n{}", many(60), many(69)), Dead),
        ],
    );
}

#[test]
fn whitespace_none_and_free() {
    let schema = json!({"type": ["object", "array"], "properties": {"a": {}}});
    check_over(
        &Bytes::all(),
        policy(Whitespace::None),
        &schema,
        &[
            ("{\"a\":1}", Document),
            (" ", Dead),
            ("{ ", Dead),
            ("[1,2]", Document),
            ("[1, ", Dead),
            ("[1 ", Dead),
        ],
    );
    check_over(
        &Bytes::all(),
        policy(Whitespace::Free),
        &schema,
        &[
            ("\n \r\t {\r\"a\" \n: \n\n1 , \"b\" : [ ] } \n ", Document),
            ("[1 , 2 ]\r", Document),
            ("[1 2", Dead),
            ("[ , ", Dead),
            ("\u{b}", Dead),
        ],
    );
}

#[test]
fn numbers() {
    check(
        &json!({"type": "integer"}),
        &[("-", Prefix), ("12", Document), ("1.", Dead), ("-0", Document), ("1e", Dead), ("\"", Dead)],
    );
    check(
        &json!({"type": "number", "minimum": 12.5, "exclusiveMaximum": 13}),
        &[
            ("1", Prefix),
            ("12", Prefix),
            ("12.", Prefix),
            ("12.4", Dead),
            ("12.5", Document),
            ("12.50000", Document),
            ("12.49", Dead),
            ("12.99999999999999999999999999999999999", Document),
            ("13", Dead),
            ("2", Dead),
            ("120", Dead),
            ("-", Dead),
        ],
    );
    check(
        &json!({"type": "integer", "minimum": -25, "maximum": 7}),
        &[
            ("-", Prefix),
            ("-2", Document),
            ("-25", Document),
            ("-26", Dead),
            ("-3", Document),
            ("-30", Dead),
            ("7", Document),
            ("8", Dead),
            ("70", Dead),
            ("0", Document),
            ("-0", Document),
        ],
    );
    check(
        &json!({"type": "integer", "multipleOf": 7, "minimum": 20, "maximum": 30}),
        &[("2", Prefix), ("21", Document), ("28", Document), ("22", Dead), ("3", Dead), ("1", Dead)],
    );
    check(
        &json!({"type": "number", "multipleOf": 4}),
        &[("1", Prefix), ("12", Document), ("12.0", Document), ("13.", Dead), ("12.1", Dead), ("13", Prefix)],
    );
    check(
        &json!({"exclusiveMinimum": 0, "type": "number"}),
        &[("0", Prefix), ("0.", Prefix), ("0.0", Prefix), ("0.01", Document), ("-", Dead), ("5", Document)],
    );
    check(
        &json!({"type": "integer", "exclusiveMinimum": 9, "exclusiveMaximum": 11, "multipleOf": 5}),
        &[("1", Prefix), ("10", Document), ("10.", Dead), ("100", Dead)],
    );
}

#[test]
fn numbers_have_at_most_400_digits() {
    let schema = json!({"type": "number", "multipleOf": 3});
    let ones = |count: usize| "1".repeat(count);
    check(
        &schema,
        &[
            (&ones(399), Document),
            (&ones(400), Dead), // 400 is no multiple of three, and no digit may follow
            (&ones(398), Prefix),
            (&format!("{}.", ones(399)), Prefix),
            (&format!("{}.0", ones(399)), Document),
            (&format!("{}.00", ones(399)), Dead),
            (&format!("{}2.", ones(399)), Dead),
            (&ones(401), Dead),
        ],
    );
}

#[test]
fn numbers_all() {
    let all = SurfacePolicy { numbers: NumberSpelling::All, ..SurfacePolicy::default() };
    check_over(
        &Bytes::all(),
        all,
        &json!({"type": "number"}),
        &[
            ("1e", Prefix),
            ("1E+", Prefix),
            ("1.5e-12", Document),
            ("1e1234", Document),
            ("1e12345", Dead),
            ("1.e", Dead),
            ("1e5.", Dead),
            ("1e0001", Document),
        ],
    );
    check_over(
        &Bytes::all(),
        all,
        &json!({"type": "integer", "maximum": 5}),
        &[
            ("1.0", Document),
            ("1.", Prefix),
            ("1.5", Dead),
            ("6", Dead),
            ("1e", Dead),
            ("0e", Dead),
            ("-1e9", Document), // the sign decides
        ],
    );
    check_over(
        &Bytes::all(),
        all,
        &json!({"type": "number", "minimum": 0}),
        &[("1e-9", Document), ("-1e", Dead), ("-0.0e1", Document), ("-0", Document)],
    );
    check_over(
        &Bytes::all(),
        all,
        &json!({"type": "number", "exclusiveMaximum": 0}),
        &[("1", Dead), ("-0.0", Prefix), ("-0.0e", Dead), ("-0.01e1", Document)],
    );
    check_over(
        &Bytes::all(),
        all,
        &json!({"type": "number", "minimum": -2}),
        &[("1e1", Document), ("-1e", Dead), ("-0e", Dead), ("-2.0", Document)],
    );
    check_over(
        &Bytes::all(),
        all,
        &json!({"anyOf": [{"const": 1}, {"multipleOf": 2}]}),
        &[("1e", Dead), ("2e", Dead), ("1.0", Document), ("2.0", Document)],
    );
    check_over(
        &Bytes::all(),
        all,
        &json!({"type": "integer"}),
        &[
            ("1e2", Document),
            ("1.00E+2", Document),
            ("1.5e1", Dead),
            ("10e-1", Dead), // an integer, but not whatever the digits are
            ("1e-", Prefix),
            ("1e-00", Document),
            ("0.0e-12", Document),
        ],
    );
}

#[test]
fn constants_and_enums() {
    check(
        &json!({"enum": ["ab", "a", 1.5, null, [1, "x"], {"k": true}]}),
        &[
            ("\"a", Prefix),
            ("\"a\"", Document),
            ("\"ab\"", Document),
            ("\"b", Dead),
            ("\"\\u0061\\u0062\"", Document),
            ("\"\\u0063", Dead),
            ("1", Prefix),
            ("1.5", Document),
            ("1.50", Document),
            ("1.51", Dead),
            ("nul", Prefix),
            ("t", Dead),
            ("[1,\"x\"]", Document),
            ("[1.0, \"x\" ]", Document),
            ("[2", Dead),
            ("[1]", Dead),
            ("[1,\"x\",", Dead),
            ("{\"k\":true}", Document),
            ("{\"k\":f", Dead),
            ("{}", Dead),
            ("{\"j", Dead),
        ],
    );
    check(&json!({"const": {"b": 1, "a": []}}), &[("{\"b\":1,\"a\":[]}", Document), ("{\"a", Dead)]);
}

#[test]
fn strings() {
    check(
        &json!({"type": "string", "minLength": 2, "maxLength": 3}),
        &[
            ("\"a\"", Dead),
            ("\"ab\"", Document),
            ("\"abc", Prefix),
            ("\"abcd", Dead),
            ("\"\u{e9}\u{1F600}\"", Document),
            ("\"\\ud83d\\ude00\"", Dead),
            ("\"abc\\", Dead),
            ("\"ab\\", Prefix),
        ],
    );
    check(
        &json!({"type": "string", "pattern": "^a+b$", "maxLength": 3}),
        &[
            ("\"a", Prefix),
            ("\"b", Dead),
            ("\"aab\"", Document),
            ("\"aaa", Dead),
            ("\"aa\\u0062\"", Document),
            ("\"aa\\u0061", Dead),
            ("\"aa\\u006", Prefix),
            ("\"aa\\n", Dead),
            ("\"ab\"", Document),
        ],
    );
    check(
        &json!({"type": "string", "pattern": "x", "maxLength": 2}),
        &[("\"ab", Dead), ("\"a", Prefix), ("\"ax\"", Document), ("\"x\"", Document), ("\"a\"", Dead)],
    );
}

#[test]
fn partial_utf8_is_a_prefix_only_of_what_it_can_become() {
    let twin =
        Twin::new(&json!({"enum": ["\u{e9}", "\u{1F600}"]}), SurfacePolicy::default()).expect("supported");
    for (text, expected) in [
        (&b"\"\xc3"[..], Prefix),
        (b"\"\xc3\xa9\"", Document),
        (b"\"\xc3\xa8", Dead),
        (b"\"\xc4", Dead),
        (b"\"\xf0\x9f", Prefix),
        (b"\"\xf0\x9f\x98\x80\"", Document),
        (b"\"\xf0\x9f\x99", Dead),
        (b"\"\\uD83", Prefix),
        (b"\"\\uD83D\\u", Prefix),
        (b"\"\\uD83C", Dead),
    ] {
        assert_eq!(verdict(&twin, text), expected, "{}", text.escape_ascii());
    }
}

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
