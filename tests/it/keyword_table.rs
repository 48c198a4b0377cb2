//! The tables of keywords and formats in `README.md` are what the enforcement report says, dialect by dialect.
//!
//! `MASKWRIGHT_UPDATE=1` writes them anew.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write;

use maskwright::{Compiler, CompilerConfig, DialectName, Vocabulary};
use serde_json::{Value, json};

const DIALECTS: [(&str, DialectName); 6] = [
    ("04", DialectName::Draft4),
    ("06", DialectName::Draft6),
    ("07", DialectName::Draft7),
    ("2019-09", DialectName::Draft2019),
    ("2020-12", DialectName::Draft2020),
    ("OpenAPI 3.0", DialectName::OpenApi30),
];

/// Keywords with a value that each of them can have, and what must stand beside it to have a meaning.
fn keywords() -> Vec<(&'static str, Value, Value)> {
    let alone = |keyword, value| (keyword, value, json!({}));
    vec![
        alone("type", json!("integer")),
        alone("enum", json!([1, "a"])),
        alone("const", json!(1)),
        ("nullable", json!(true), json!({"type": "string"})),
        alone("allOf", json!([{"minimum": 1}])),
        alone("anyOf", json!([{"minimum": 1}, {"type": "null"}])),
        alone("oneOf", json!([{"minimum": 1}, {"multipleOf": 2}])),
        alone("not", json!({"minimum": 1})),
        ("if", json!({"minimum": 1}), json!({"then": {"multipleOf": 2}})),
        ("then", json!({"minimum": 1}), json!({"if": {"multipleOf": 2}})),
        ("else", json!({"minimum": 1}), json!({"if": {"multipleOf": 2}})),
        alone("properties", json!({"a": {"type": "null"}})),
        alone("patternProperties", json!({"^a": {"type": "null"}})),
        alone("additionalProperties", json!(false)),
        alone("propertyNames", json!({"maxLength": 3})),
        alone("required", json!(["a"])),
        alone("minProperties", json!(1)),
        alone("maxProperties", json!(1)),
        alone("dependentRequired", json!({"a": ["b"]})),
        alone("dependentSchemas", json!({"a": {"required": ["b"]}})),
        alone("dependencies", json!({"a": ["b"]})),
        ("unevaluatedProperties", json!(false), json!({"anyOf": [{"properties": {"a": {}}}]})),
        alone("prefixItems", json!([{"type": "null"}])),
        alone("items", json!({"type": "null"})),
        ("additionalItems", json!(false), json!({"items": [{"type": "null"}]})),
        alone("contains", json!({"type": "null"})),
        ("minContains", json!(2), json!({"contains": {"type": "null"}})),
        ("maxContains", json!(2), json!({"contains": {"type": "null"}})),
        alone("minItems", json!(1)),
        alone("maxItems", json!(1)),
        alone("uniqueItems", json!(true)),
        ("unevaluatedItems", json!(false), json!({"anyOf": [{"minItems": 1}]})),
        alone("minLength", json!(1)),
        alone("maxLength", json!(1)),
        alone("pattern", json!("^a")),
        alone("format", json!("date")),
        alone("minimum", json!(1)),
        alone("maximum", json!(1)),
        ("exclusiveMinimum", json!(1), json!({"minimum": 1})),
        ("exclusiveMaximum", json!(1), json!({"maximum": 1})),
        alone("multipleOf", json!(0.5)),
        ("$ref", json!("#/x"), json!({"x": {"type": "null"}})),
        ("$dynamicRef", json!("#/x"), json!({"x": {"type": "null"}})),
        ("$recursiveRef", json!("#"), json!({})),
        alone("contentEncoding", json!("base64")),
        alone("contentMediaType", json!("text/plain")),
        alone("title", json!("a")),
        alone("default", json!(1)),
    ]
}

const FORMATS: [&str; 19] = [
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uri-template",
    "uuid",
    "json-pointer",
    "relative-json-pointer",
    "regex",
];

/// What the report says of a keyword: its status in a word, and the note.
fn status(compiler: &Compiler, keyword: &str, schema: &Value) -> (String, String) {
    let grammar = match compiler.json_schema(&schema.to_string()) {
        Ok(grammar) => grammar,
        Err(e) => return ("refused".to_owned(), e.to_string()),
    };
    let pointer = format!("/{keyword}");
    let entry = grammar.report().entries().iter().find(|entry| entry.pointer.ends_with(&pointer)).unwrap();
    let note = entry.note.as_deref().unwrap_or_default().to_owned();
    (entry.status.to_string(), note)
}

/// A schema of a dialect in which a keyword has a meaning, if it has one there.
fn sample(keyword: &str, value: &Value, beside: &Value, dialect: DialectName) -> Value {
    let old = matches!(dialect, DialectName::Draft4 | DialectName::OpenApi30);
    let mut schema = beside.clone();
    schema[keyword] = value.clone();
    match keyword {
        "exclusiveMinimum" | "exclusiveMaximum" if old => schema[keyword] = json!(true),
        // A list is no value of `items` there.
        "additionalItems" if dialect == DialectName::Draft2020 => schema["items"] = json!({"type": "null"}),
        // What leads to itself at once has no meaning anywhere.
        "$recursiveRef" => schema = json!({"properties": {"a": schema}}),
        _ => {}
    }
    schema
}

fn tables() -> String {
    let compilers = DIALECTS.map(|(_, dialect)| {
        let mut config = CompilerConfig::default();
        config.dialect = dialect;
        Compiler::new(Vocabulary::demo(), config)
    });
    let names: Vec<&str> = DIALECTS.iter().map(|(name, _)| *name).collect();
    let mut out = format!("| keyword | {} |\n|---|{}\n", names.join(" | "), "---|".repeat(names.len()));
    for (keyword, value, beside) in keywords() {
        write!(out, "| `{keyword}` |").unwrap();
        for (compiler, (_, dialect)) in compilers.iter().zip(DIALECTS) {
            let schema = sample(keyword, &value, &beside, dialect);
            let (status, note) = status(compiler, keyword, &schema);
            let known = !note.contains("no such keyword") && !note.contains("a keyword of OpenAPI");
            write!(out, " {} |", if known { status.as_str() } else { "–" }).unwrap();
        }
        out.push('\n');
    }
    out.push_str("\n| format | | what is left out |\n|---|---|---|\n");
    for format in FORMATS {
        let (status, note) = status(&compilers[4], "format", &json!({"format": format}));
        writeln!(out, "| `{format}` | {status} | {note} |").unwrap();
    }
    out
}

#[test]
fn the_readme_has_the_tables_of_the_report() {
    const BEGIN: &str = "<!-- tables: begin (written by a test) -->\n";
    const END: &str = "<!-- tables: end -->";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let readme = std::fs::read_to_string(path).unwrap();
    let (before, rest) = readme.split_once(BEGIN).unwrap();
    let (found, after) = rest.split_once(END).unwrap();
    let expected = tables();
    if std::env::var_os("MASKWRIGHT_UPDATE").is_some() {
        std::fs::write(path, format!("{before}{BEGIN}{expected}{END}{after}")).unwrap();
        return;
    }
    assert_eq!(found, expected, "run this test with MASKWRIGHT_UPDATE=1 and look at the change");
}
