//! Every text form as a snapshot: regexes, programs, enforcement reports, errors, the program's output.
//!
//! After a deliberate change: `INSTA_UPDATE=always cargo test --test it snapshots`, and read the difference.

use std::fmt::Write;
use std::process::Command;

use insta::assert_snapshot;
use maskwright::syntax::{pattern, schema};
use maskwright::{
    Bitmask, CommitError, Compiler, CompilerConfig, Exhausted, MaskError, Matcher, TokenId, Vocabulary,
};

/// One `input` line and one line of what comes of it, for each input.
fn each(inputs: &[&str], mut show: impl FnMut(&str) -> String) -> String {
    let mut out = String::new();
    for input in inputs {
        writeln!(out, "{input}\n    {}", show(input).replace('\n', "\n    ")).expect("a String takes all");
    }
    out
}

#[test]
fn patterns_as_languages() {
    let text = each(
        &[
            "",
            "^abc$",
            "abc",
            "^a|b$",
            "^[a-z]{2,}$",
            "^[^a]$",
            "^\\d+(\\.\\d)?$",
            "^\\u{1F600}\\x41\\cA$",
            "^(?=.*x)[xy]+$",
            "^(?:ab){3}$",
            "^\\bword\\b$",
            "(?<!x)yz",
            "^(?:(?=ab)a|b)*$",
            "(?i)^a(?-i:a)$",
            "^a{0,100000}$",
        ],
        |p| pattern::parse(p).map_or_else(|e| format!("refused: {e}"), |r| r.to_string()),
    );
    assert_snapshot!("patterns", text);
}

#[test]
fn patterns_that_are_refused() {
    let text = each(
        &[
            "(",
            "a)",
            "[b-a]",
            "a{2,1}",
            "*",
            "\\1(a)",
            "(?:a(?!b)){100000}",
            "\\",
            "(?<n>a)(?<n>b)",
            "\\p{Nonsense}",
        ],
        |p| pattern::parse(p).map_or_else(|e| e.to_string(), |r| format!("a language: {r}")),
    );
    assert_snapshot!("pattern_refusals", text);
}

const OBJECT: &str = r#"{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "title": "A parcel",
  "type": "object",
  "properties": {
    "id": {"type": "string", "pattern": "^[0-9]{4}$", "format": "parcel-number"},
    "weight": {"type": "number", "exclusiveMinimum": 0},
    "tags": {"type": "array", "items": {"enum": ["fragile", "heavy"]}, "maxItems": 2}
  },
  "required": ["id"],
  "additionalProperties": false
}"#;

const RECURSIVE: &str = r##"{
  "$ref": "#/$defs/tree",
  "$defs": {"tree": {"anyOf": [{"type": "null"}, {"type": "array", "items": {"$ref": "#/$defs/tree"}}]}}
}"##;

#[test]
fn programs() {
    let mut text = String::new();
    for source in [
        OBJECT,
        RECURSIVE,
        r#"{"const": {"a": [1.50, null]}}"#,
        "true",
        r#"{"multipleOf": 3, "minimum": -2}"#,
    ] {
        let (program, _) =
            schema::compile(source, &schema::SchemaOptions::default()).expect("the schema compiles");
        writeln!(text, "{source}\n{program}\n").expect("a String takes all");
    }
    assert_snapshot!("programs", text);
}

#[test]
fn enforcement_reports() {
    let compiler = Compiler::new(Vocabulary::demo(), CompilerConfig::default());
    let mut text = String::new();
    for source in [OBJECT, RECURSIVE, r#"{"format": "date", "x-note": 1, "description": "d", "default": 2}"#]
    {
        let grammar = compiler.json_schema(source).expect("the schema compiles");
        let json = serde_json::to_string_pretty(&grammar.report().to_json()).expect("a value prints");
        writeln!(text, "{source}\n{}\n{json}\n", grammar.report()).expect("a String takes all");
    }
    assert_snapshot!("enforcement_reports", text);
}

#[test]
fn schema_refusals() {
    let compiler = Compiler::new(Vocabulary::demo(), CompilerConfig::default());
    let text = each(
        &[
            "",
            "{\"type\": \"object\",\n \"properties\": [}",
            r#"{"type": "string", "type": "number"}"#,
            "3",
            r#"{"type": "text"}"#,
            r#"{"properties": {"a/b": {"maxLength": -1}}}"#,
            r#"{"properties": {"a~b": {"oneOf": [{}, {"type": "null"}]}}}"#,
            r#"{"items": {"pattern": "^(?<=a)b"}}"#,
            r#"{"not": {"type": "string"}}"#,
            r#"{"patternProperties": {"^x": {}}}"#,
            r#"{"multipleOf": 0.1}"#,
            r##"{"$ref": "#/$defs/missing"}"##,
            r##"{"$ref": "#"}"##,
            r#"{"$ref": "https://example.com/other.json"}"#,
            r#"{"type": "string", "pattern": "(a"}"#,
            r#"{"type": "string", "pattern": "(a)\\1"}"#,
            r#"{"type": "integer", "minimum": 5, "maximum": 4}"#,
            r#"{"required": ["a"], "properties": {"a": false}, "type": "object"}"#,
            r#"{"enum": []}"#,
            r#"{"type": "string", "minLength": 3, "maxLength": 2}"#,
            "false",
            r#"{"minimum": 1e999999999999}"#,
        ],
        |s| match compiler.json_schema(s) {
            Ok(_) => "compiles".to_string(),
            Err(refusal) => refusal.to_string(),
        },
    );
    assert_snapshot!("schema_refusals", text);
}

#[test]
fn vocabularies_that_can_not_spell_a_schema() {
    let tokens = ["{", "}", "\"", "a", ":", "1", ","];
    let vocabulary = Vocabulary::from_tokens(tokens, &[]).expect("the vocabulary loads");
    let compiler = Compiler::new(vocabulary, CompilerConfig::default());
    let text = each(
        &[r#"{"const": "b"}"#, r#"{"type": "boolean"}"#, r#"{"required": ["ab"], "type": "object"}"#],
        |s| compiler.json_schema(s).map_or_else(|e| e.to_string(), |_| "compiles".into()),
    );
    assert_snapshot!("unspellable", text);
}

#[test]
fn errors_of_a_request() {
    let vocabulary = Vocabulary::from_tokens(["t", "r", "u", "e", "rue", "</s>"], &[TokenId(5)])
        .expect("the vocabulary loads");
    let compiler = Compiler::new(vocabulary, CompilerConfig::default());
    let grammar = compiler.json_schema(r#"{"const": true}"#).expect("the schema compiles");
    let mut matcher = Matcher::new(&grammar);
    let mut lines = Vec::new();
    let mut note = |e: CommitError| lines.push(e.to_string());
    note(matcher.commit(4).expect_err("`rue` does not start the document"));
    note(matcher.commit(9).expect_err("there are six ids"));
    note(matcher.rollback(1).expect_err("nothing is committed"));
    for token in [0, 4, 5] {
        matcher.commit(token).expect("`true` and the end");
    }
    note(matcher.commit(0).expect_err("nothing follows the end"));
    note(CommitError::Exhausted(Exhausted { place: "the value at /a (over 4 clauses)".into() }));
    let mut narrow = Bitmask::new(&2);
    let width = matcher.fill_bitmask(&mut narrow).expect_err("the row is too narrow");
    assert!(matches!(width, MaskError::Width { .. }));
    lines.push(width.to_string());
    assert_snapshot!("request_errors", lines.join("\n"));
}

#[test]
fn vocabulary_refusals() {
    let text = each(
        &[
            "",
            "{}",
            "[1]",
            r#"{"model": {"type": "Unigram", "vocab": [["a", 0.5]]}}"#,
            r#"{"model": {"type": "BPE", "vocab": {"a": -1}}}"#,
        ],
        |t| {
            Vocabulary::from_tokenizer_json_text(t)
                .map_or_else(|e| e.to_string(), |v| format!("{} tokens", v.len()))
        },
    );
    let gguf = Vocabulary::from_gguf_reader(&b"GGUX"[..]).map_or_else(|e| e.to_string(), |_| "loads".into());
    assert_snapshot!("vocabulary_refusals", format!("{text}GGUX\n    {gguf}"));
}

/// Runs the program and joins its output, with times and sizes replaced.
fn program(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_maskwright"))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the program starts");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let mut lines: Vec<String> = text.lines().map(without_times).collect();
    lines.push(format!("exit code {:?}", output.status.code().expect("not killed")));
    lines.join("\n")
}

/// Numbers before µs, and the sizes of the universe, change from run to run and from version to version.
fn without_times(line: &str) -> String {
    let measured = line.contains("µs") || line.starts_with("in the universe");
    if measured {
        line.replace(|c: char| c.is_ascii_digit() || c == ',', "").replace("  ", " ")
    } else {
        line.into()
    }
}

#[test]
fn output_of_the_program() {
    let person = "examples/person.schema.json";
    assert_snapshot!("program_compile", program(&["compile", "--schema", person]));
    assert_snapshot!(
        "program_compile_refused",
        program(&["compile", "--schema", r#"{"pattern": "(a)\\1"}"#])
    );
    let runs = [
        program(&["mask", "--schema", person, "--prefix", ""]),
        program(&["mask", "--schema", person, "--prefix", "{\"name\": \"Ada\", \"age\": 1"]),
        program(&["mask", "--schema", r#"{"enum": ["yes", "no"]}"#, "--prefix", "\"yes\""]),
        program(&["mask", "--schema", r#"{"enum": ["yes", "no"]}"#, "--prefix", "\"yo"]),
    ];
    assert_snapshot!("program_mask", runs.join("\n\n"));
}
