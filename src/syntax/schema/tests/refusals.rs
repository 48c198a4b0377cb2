//! What is refused: which kind, where, and what would help.

use super::{SchemaOptions, compile, refusal, refuses};
use crate::error::CompileErrorKind::{Invalid, Limit, Syntax, Unsupported};
use crate::syntax::format::Formats;

#[test]
fn texts_that_are_no_json_are_refused_with_their_place() {
    let error = refusal("{\"type\": \"string\",}");
    assert_eq!(error.kind(), Syntax);
    assert!(
        error.to_string().starts_with("line 1, column 19 (byte 18) (syntax, JSON): found a closing bracket"),
        "{error}"
    );
    let error = refusal("{\"a\":{\"b\":1,\"b\":2}}");
    assert_eq!((error.kind(), error.place().pointer.as_deref()), (Invalid, Some("/a/b")));
    assert!(error.to_string().contains("at /a/b, line 1, column 13 (byte 12)"), "{error}");
    assert_eq!(refusal(&"[".repeat(100_000)).kind(), Limit);
}

#[test]
fn a_root_that_is_no_schema_is_refused() {
    for text in ["null", "1", "\"x\"", "[]"] {
        refuses(text, Invalid, "", "schema", "a schema is an object, true or false");
    }
}

#[test]
fn keywords_that_are_not_enforced_are_named() {
    let schema = r#"{"pattern":"(a)\\1"}"#;
    refuses(schema, Unsupported, "/pattern", "pattern: back-reference", "");
    let inside = format!(r#"{{"properties":{{"a/b":{{"items":{schema}}}}}}}"#);
    refuses(&inside, Unsupported, "/properties/a~1b/items/pattern", "pattern: back-reference", "");
    let branches: Vec<String> =
        (0..7).map(|i| format!(r#"{{"patternProperties":{{"a{i}":true}}}}"#)).collect();
    let many = format!(r#"{{"anyOf":[{}],"unevaluatedProperties":false}}"#, branches.join(","));
    refuses(&many, Limit, "/unevaluatedProperties", "unevaluatedProperties", "COVERING_CONDITIONS_MAX");
    for negated in [r#"{"not":{"format":"regex"}}"#, r#"{"oneOf":[{"format":"regex"},{"minLength":3}]}"#] {
        assert_eq!(refusal(negated).subject(), "not", "a narrowed format has no opposite: {negated}");
    }
    for divisor in
        ["10000000000000000000000000000000000001", "0.99999999999999999999999999999999999999", "1e38"]
    {
        refuses(&format!(r#"{{"multipleOf":{divisor}}}"#), Limit, "/multipleOf", "multipleOf", "10^37");
    }
    refuses(
        r#"{"$schema":"http://json-schema.org/draft-03/schema#"}"#,
        Unsupported,
        "/$schema",
        "$schema",
        "",
    );
    refuses(
        r#"{"$schema":"https://example.com/mine"}"#,
        Unsupported,
        "/$schema",
        "$schema",
        "no dialect that is known",
    );
}

#[test]
fn values_of_the_wrong_shape_are_invalid() {
    for (keyword, values) in [
        ("type", &["5", "\"any\"", "[]", "[\"string\",null]", "null", "{}"][..]),
        ("enum", &["{}", "\"a\"", "null"]),
        ("required", &["\"a\"", "true", "[1]", "{}"]),
        ("properties", &["[]", "5", "{\"a\":5}", "{\"a\":[]}"]),
        ("additionalProperties", &["5", "\"no\"", "[]", "null"]),
        ("patternProperties", &["[]", "{\"a\":5}"]),
        ("propertyNames", &["[]"]),
        ("minProperties", &["-1", "1.5", "\"1\"", "null"]),
        ("maxProperties", &["-1", "true"]),
        ("dependentRequired", &["[]", "{\"a\":{}}", "{\"a\":[1]}"]),
        ("dependentSchemas", &["[]", "{\"a\":[]}"]),
        ("dependencies", &["[]", "{\"a\":5}", "{\"a\":[5]}"]),
        ("unevaluatedProperties", &["5"]),
        ("items", &["5", "\"x\""]),
        ("prefixItems", &["{}", "[5]"]),
        ("minItems", &["-1", "0.5", "[]"]),
        ("maxItems", &["-1", "1e-1"]),
        ("uniqueItems", &["1", "\"true\""]),
        ("contains", &["5"]),
        ("minContains", &["-1"]),
        ("minLength", &["-1", "\"3\""]),
        ("maxLength", &["-0.5", "{}"]),
        ("pattern", &["5", "{}"]),
        ("format", &["5", "[]"]),
        ("minimum", &["\"1\"", "null"]),
        ("maximum", &["[]"]),
        ("multipleOf", &["0", "-1", "-0.5", "0.0", "\"2\""]),
        ("allOf", &["[]", "{}", "[5]"]),
        ("anyOf", &["[]", "true"]),
        ("oneOf", &["[]", "[null]"]),
        ("not", &["[]", "5"]),
        ("if", &["5"]),
        ("then", &["5"]),
        ("$defs", &["[]"]),
        ("$schema", &["5"]),
    ] {
        for value in values {
            let schema = format!("{{{keyword:?}:{value}}}");
            let error = refusal(&schema);
            assert_eq!(error.kind(), Invalid, "{schema}: {error}");
            let pointer = error.place().pointer.clone().unwrap();
            assert!(pointer.starts_with(&format!("/{keyword}")), "{schema}: {error}");
        }
    }
    refuses(r#"{"type":"any"}"#, Invalid, "/type", "type", "\"any\" is no type: the types are null");
    refuses(
        r#"{"properties":{"a":{"required":true}}}"#,
        Invalid,
        "/properties/a/required",
        "required",
        "the object around",
    );
}

#[test]
fn sizes_beyond_the_limits_are_refused() {
    refuses(r#"{"maxLength":4294967296}"#, Limit, "/maxLength", "maxLength", "");
    refuses(r#"{"minLength":1e100}"#, Limit, "/minLength", "minLength", "");
    refuses(r#"{"minItems":1e100}"#, Limit, "/minItems", "minItems", "");
    refuses(r#"{"multipleOf":1e100}"#, Limit, "/multipleOf", "multipleOf", "");
}

#[test]
fn strict_options_refuse_a_format_that_would_be_an_annotation() {
    let formats = Formats::default().with("parcel-number", "[0-9]{4}").unwrap();
    let strict = SchemaOptions { formats, strict: true, ..SchemaOptions::default() };
    for (name, instead) in [
        ("parcel_number", "write \"parcel-number\", or define it by a pattern"),
        ("datetime", "write \"date-time\", or define it by a pattern"),
        ("color", "refuse that: define it by a pattern"),
    ] {
        let schema = format!(r#"{{"properties":{{"a":{{"format":"{name}"}}}}}}"#);
        assert!(compile(&schema, &SchemaOptions::default()).is_ok());
        let error = compile(&schema, &strict).expect_err("no such format");
        let found = (error.kind(), error.place().pointer.as_deref(), error.subject());
        assert_eq!(
            found,
            (Unsupported, Some("/properties/a/format"), &*format!("format: {name}")),
            "{error}"
        );
        assert!(error.to_string().contains(instead), "{error}");
    }
    // Known formats, narrowed ones too, the caller's, what the root does not reach, and keywords that no draft knows.
    for schema in [
        r#"{"format":"date"}"#,
        r#"{"format":"regex"}"#,
        r#"{"format":"parcel-number"}"#,
        r#"{"$defs":{"a":{"format":"color"}}}"#,
        r#"{"x-note":1,"nullable":true,"contentEncoding":"base64"}"#,
    ] {
        compile(schema, &strict).unwrap_or_else(|e| panic!("{schema}: {e}"));
    }
}
