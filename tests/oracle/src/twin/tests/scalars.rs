//! Whitespace, words, numbers and strings.

use maskwright::{NumberSpelling, SurfacePolicy, Whitespace};
use serde_json::json;

use super::Is::{Dead, Document, Prefix};
use super::{check, check_over, policy, verdict};
use crate::twin::{Bytes, Twin};

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
            ("1e", Prefix),
            ("1e1", Dead),
            ("0e", Prefix),
            ("60", Dead),
            ("500e-2", Document),
            ("10e-1", Document),
            ("-1e9", Document),
        ],
    );
    check_over(
        &Bytes::all(),
        all,
        &json!({"type": "number", "minimum": 0}),
        &[("1e-9", Document), ("-1e", Dead), ("-0.0e1", Document), ("-0", Document)],
    );
}

#[test]
fn bounds_of_numbers_all() {
    let all = SurfacePolicy { numbers: NumberSpelling::All, ..SurfacePolicy::default() };
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
        &[("1e1", Document), ("-1e", Prefix), ("-1e1", Dead), ("-0e", Prefix), ("-2.0", Document)],
    );
    check_over(
        &Bytes::all(),
        all,
        &json!({"anyOf": [{"const": 1}, {"multipleOf": 2}]}),
        &[
            ("1e", Prefix),
            ("2e", Prefix),
            ("0.3e0001", Dead),
            ("1.0", Document),
            ("100e-2", Document),
            ("0.2E1", Document),
        ],
    );
    check_over(
        &Bytes::all(),
        all,
        &json!({"type": "integer"}),
        &[
            ("1e2", Document),
            ("1.00E+2", Document),
            ("1.5e1", Document),
            ("10e-1", Document),
            ("15e-1", Dead),
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
