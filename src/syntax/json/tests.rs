//! Cases of the JSON reader: what it keeps, what it refuses and where, and that hostile texts cost little.

use std::fmt::Write;
use std::time::Instant;

use super::{Fault, Json, Kind, Value, utf8};
use crate::limits::{JSON_DEPTH_MAX, JSON_VALUES_MAX};

/// The tree written again, strings with Rust's escapes; recursion is fine for the small texts here.
fn show(value: Value<'_>) -> String {
    match value.kind() {
        Kind::Null => "null".to_owned(),
        Kind::Boolean(b) => b.to_string(),
        Kind::Number(text) => text.to_owned(),
        Kind::String(text) => format!("{text:?}"),
        Kind::Array => format!("[{}]", value.items().map(show).collect::<Vec<_>>().join(",")),
        Kind::Object => {
            let members = value.members().map(|(name, v)| format!("{name:?}:{}", show(v)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(","))
        }
    }
}

fn reads(text: &str, expected: &str) {
    match Json::read(text) {
        Ok(json) => assert_eq!(show(json.root()), expected, "{text}"),
        Err(e) => panic!("{text}: {e}"),
    }
}

/// `expected` is the whole message with its position.
fn refuses(text: &str, fault: Fault, expected: &str) {
    match Json::read(text) {
        Ok(json) => panic!("{text:?} was read as {}", show(json.root())),
        Err(e) => {
            assert_eq!((e.fault, e.to_string().as_str()), (fault, expected), "{text:?}");
        }
    }
}

#[test]
fn order_spelling_and_decoded_text_are_kept() {
    reads(r#"{"b":1.50,"a":-0,"":1E+5}"#, r#"{"b":1.50,"a":-0,"":1E+5}"#);
    reads(" [ ] ", "[]");
    reads("\t{\r\n}\n", "{}");
    reads("[[[]],{\"a\":[]} , null,true,false]", "[[[]],{\"a\":[]},null,true,false]");
    reads(r#""a\"\\\/\b\f\n\r\t\u0041\uD83D\ude00z""#, r#""a\"\\/\u{8}\u{c}\n\r\tA😀z""#);
    reads("\"\u{7f}é\u{2028}\"", "\"\\u{7f}é\\u{2028}\"");
    reads(r#"{"a\u0062":{"ab":0}}"#, r#"{"ab":{"ab":0}}"#);
    reads("\"\\u0000\"", "\"\\0\"");
    for number in ["0", "-0", "10", "0.0", "1e9", "1E-9", "123456789012345678901234567890.5e+00"] {
        reads(number, number);
    }
}

#[test]
fn values_know_their_place() {
    let json = Json::read("{\n  \"a/b\": [0, {\"m~n\": true}],\n  \"é\": 1, \"é2\": 2 }").unwrap();
    let root = json.root();
    let inner = root.get("a/b").unwrap().item(1).unwrap().get("m~n").unwrap();
    assert_eq!(inner.pointer(), "/a~1b/1/m~0n");
    assert_eq!((inner.position().line, inner.position().column), (2, 15));
    let last = root.get("é2").unwrap();
    assert_eq!((last.position().line, last.position().column, last.position().byte), (3, 11, 42));
    assert_eq!(root.pointer(), "");
    assert_eq!(root.get("x").map(Value::id), None);
    assert_eq!(inner.parent().unwrap().parent().unwrap().name(), Some("a/b"));
}

#[test]
fn wide_containers_are_looked_up_as_narrow_ones() {
    for count in [0, 1, 7, 8, 9, 10, 300] {
        let mut object = String::from("{");
        for i in 0..count {
            write!(object, "{}\"k{i}\":{i}", if i > 0 { "," } else { "" }).unwrap();
        }
        object.push('}');
        let array = format!("[{}]", (0..count).map(|i| i.to_string()).collect::<Vec<_>>().join(","));
        let (object, array) = (Json::read(&object).unwrap(), Json::read(&array).unwrap());
        assert_eq!((object.root().len(), array.root().len()), (count, count));
        for i in 0..count {
            let spelled = i.to_string();
            let member = object.root().get(&format!("k{i}")).unwrap();
            let item = array.root().item(i).unwrap();
            assert_eq!((member.kind(), item.kind()), (Kind::Number(&spelled), Kind::Number(&spelled)));
            assert_eq!((member.pointer(), item.pointer()), (format!("/k{i}"), format!("/{i}")));
        }
        assert!(object.root().get("k").is_none() && array.root().item(count).is_none());
    }
}

#[test]
fn faults_say_where_what_and_what_helps() {
    let syntax = |text, expected| refuses(text, Fault::Syntax, expected);
    syntax(
        "",
        "line 1, column 1 (byte 0): found the end of the text, expected a value; the text is cut short",
    );
    syntax("{\"a\": tru}", "line 1, column 7 (byte 6): found `tru`, expected a value");
    syntax(
        "[1,\n 2,]",
        "line 2, column 4 (byte 7): found a closing bracket after a comma: remove the comma, JSON allows none at the end",
    );
    syntax("[1 2]", "line 1, column 4 (byte 3): found `2`, expected `,` or `]`");
    syntax("{\"a\" 1}", "line 1, column 6 (byte 5): found `1`, expected `:` after a member's name");
    syntax("{\"a\":1]", "line 1, column 7 (byte 6): found `]`, expected `,` or `}`");
    syntax("{a:1}", "line 1, column 2 (byte 1): found `a`, expected a member's name in double quotes");
    syntax(
        "['x']",
        "line 1, column 2 (byte 1): found `'`, expected a value; JSON strings stand in plain double quotes",
    );
    syntax(
        "[None]",
        "line 1, column 2 (byte 1): found `None`, expected a value; JSON writes true, false and null",
    );
    syntax("NaN", "line 1, column 1 (byte 0): found `NaN`, expected a value; JSON has only finite numbers");
    syntax(
        "1 // x",
        "line 1, column 3 (byte 2): found `/`, expected the end of the text: one JSON value ended before; JSON has no comments: use the member \"$comment\"",
    );
    syntax(
        "{} {}",
        "line 1, column 4 (byte 3): found `{`, expected the end of the text: one JSON value ended before",
    );
    syntax(
        "\u{FEFF}{}",
        "line 1, column 1 (byte 0): found a byte order mark; JSON texts start without one: remove its three bytes",
    );
    syntax(
        "{}\0",
        "line 1, column 3 (byte 2): found a NUL byte, expected the end of the text: one JSON value ended before",
    );
    syntax(
        "\"a\tb\"",
        "line 1, column 3 (byte 2): found the character U+0009, expected an escape: control characters are written `\\u00XX`",
    );
    syntax("[\"ab", "line 1, column 2 (byte 1): a string starts here and never ends: add `\"`");
    syntax(
        r#""\x""#,
        "line 1, column 3 (byte 2): found `x`, expected one of `\"\\/bfnrtu` after a backslash (double it to mean a backslash)",
    );
    syntax(
        r#""\u12g4""#,
        "line 1, column 6 (byte 5): found `g4`, expected four hexadecimal digits after `\\u`",
    );
    for lone in [r#""\uD800""#, r#""\uD800x""#, r#""\uD800\u0041""#, r#""\uDC00\uD800""#] {
        let error = Json::read(lone).unwrap_err();
        assert!(error.message.contains("lone surrogate") && error.position.byte == 1, "{error}");
    }
    for text in [
        "01", "-01", "-", "1.", ".5", "1e", "1e+", "+1", "1.e5", "0x1", "[,]", "{,}", "[", "{\"a\":",
        "nulll", "]", "é",
    ] {
        assert_eq!(Json::read(text).map(|_| ()).map_err(|e| e.fault), Err(Fault::Syntax), "{text}");
    }
}

#[test]
fn duplicate_members_are_named() {
    let text = "{\"a\": {\"x\": 1,\n \"y\": 2, \"\\u0078\": 3}}";
    let error = Json::read(text).unwrap_err();
    assert_eq!(error.fault, Fault::Duplicate);
    assert_eq!(error.pointer.as_deref(), Some("/a/x"));
    assert_eq!((error.position.line, error.position.column), (2, 10));
    let error = Json::read("[0,{\"b\":[1,{\"a\":1,\"a\":2}]}]").map(|_| ()).unwrap_err();
    assert_eq!(error.pointer.as_deref(), Some("/1/b/1/a"));
    let wide: Vec<String> = (0..100).map(|i| format!("\"k{}\":0", if i == 97 { 50 } else { i })).collect();
    let error = Json::read(&format!("{{{}}}", wide.join(","))).map(|_| ()).unwrap_err();
    assert_eq!((error.fault, error.pointer.as_deref()), (Fault::Duplicate, Some("/k50")));
}

#[test]
fn bytes_that_are_not_utf8_are_placed() {
    assert_eq!(utf8("{\"é\":1}".as_bytes()), Ok("{\"é\":1}"));
    let error = utf8(b"{\n\"\xC3\xA9\xFF\"").unwrap_err();
    assert_eq!((error.position.line, error.position.column, error.position.byte), (2, 3, 5));
    assert!(utf8(b"\xFF\xFE{\0").unwrap_err().message.contains("UTF-16"));
}

#[test]
fn depth_ends_at_the_limit() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    assert!(Json::read(&nested(JSON_DEPTH_MAX)).is_ok());
    let too_deep = nested(JSON_DEPTH_MAX + 1);
    let error = Json::read(&too_deep).map(|_| ()).unwrap_err();
    assert_eq!((error.fault, error.position.byte), (Fault::Limit, JSON_DEPTH_MAX));
    let far_too_deep = "[{\"a\":".repeat(100_000);
    assert_eq!(Json::read(&far_too_deep).map(|_| ()).unwrap_err().fault, Fault::Limit);
}

#[test]
fn large_texts_cost_linear_time() {
    let start = Instant::now();
    let string = format!("\"{}\\n{}\"", "é".repeat(2_500_000), "x".repeat(5_000_000));
    assert_eq!(Json::read(&string).unwrap().root().as_str().map(str::len), Some(10_000_001));
    let digits = "9".repeat(10_000_000);
    assert_eq!(Json::read(&digits).unwrap().root().kind(), Kind::Number(&digits));
    let members: Vec<String> = (0..200_000).map(|i| format!("\"k{i}\":[]")).collect();
    let wide = format!("{{{}}}", members.join(","));
    assert_eq!(Json::read(&wide).unwrap().root().len(), 200_000);
    let many = format!("[{}]", vec!["0"; JSON_VALUES_MAX].join(","));
    assert_eq!(Json::read(&many).map(|_| ()).unwrap_err().fault, Fault::Limit);
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn cut_and_changed_texts_never_panic() {
    let whole = r#"{"a\u00e9\ud83d\ude00":[1.5e-3,-0,{"x":null,"y":[true,false,"é😀\n"]}],"b":{}}"#;
    let bytes_put = b"{}[]\",:\\u0e+-. tfn\0\xC3\xFF";
    let mut random = crate::syntax::schema::tests::Random(0x5EED);
    let mut read = 0;
    for round in 0..20_000 {
        let mut bytes = whole.as_bytes().to_vec();
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len());
            match random.below(3) {
                0 => bytes.truncate(at),
                1 => bytes[at] = bytes_put[random.below(bytes_put.len())],
                _ => drop(bytes.remove(at)),
            }
            if bytes.is_empty() {
                break;
            }
        }
        let Ok(text) = utf8(&bytes) else { continue };
        let ours = Json::read(text);
        let serde = serde_json::from_str::<serde_json::Value>(text);
        match ours {
            Ok(json) => {
                read += 1;
                assert!(serde.is_ok(), "seed 0x5EED, round {round}: {text:?}");
                assert_eq!(json.root().end() as usize, json.len());
            }
            Err(e) => assert!(serde.is_err() || e.fault == Fault::Duplicate, "round {round}: {text:?}: {e}"),
        }
    }
    assert!(read > 100, "only {read} texts were read");
}
