//! The program as a user meets it: output, exit codes, standard error.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const PERSON: &str = "examples/person.schema.json";

/// Runs the program in the repository's root.
pub(crate) fn maskwright(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the program starts")
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maskwright"));
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

pub(crate) fn with_input(arguments: &[&str], input: &str) -> Output {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("piped").write_all(input.as_bytes()).expect("the program reads");
    child.wait_with_output().expect("the program ends")
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

#[track_caller]
pub(crate) fn exits(output: &Output, code: i32) {
    assert_eq!(output.status.code(), Some(code), "stdout: {}\nstderr: {}", stdout(output), stderr(output));
}

pub(crate) fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

/// A file in the test's own folder.
pub(crate) fn file(name: &str, text: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("cli");
    std::fs::create_dir_all(&folder).expect("a writable folder");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a writable folder");
    path.to_string_lossy().into_owned()
}

#[test]
fn the_main_job_prints_a_valid_document_and_says_so() {
    let output = maskwright(&["generate", "--schema", PERSON]);
    exits(&output, 0);
    assert!(stderr(&output).contains("validated against the schema"), "{}", stderr(&output));
    let document = json(&stdout(&output));
    assert!(document["name"].is_string() && document["age"].is_u64() && document["email"].is_string());
}

#[test]
fn the_same_seed_gives_the_same_documents_and_another_seed_others() {
    let run = |seed: &str| stdout(&maskwright(&["generate", "--schema", PERSON, "--seed", seed, "-n", "3"]));
    assert_eq!(run("5"), run("5"));
    assert_ne!(run("5"), run("6"));
}

#[test]
fn generated_documents_are_accepted_by_check() {
    let output = maskwright(&["generate", "--schema", PERSON, "-n", "20", "--json"]);
    exits(&output, 0);
    let lines = stdout(&output);
    assert_eq!(lines.lines().count(), 20);
    for (i, line) in lines.lines().enumerate() {
        let line = json(line);
        assert_eq!(line["ending"], "finished");
        assert_eq!(line["valid"], true);
        let path = file(&format!("generated-{i}.json"), line["document"].as_str().expect("text"));
        exits(&maskwright(&["check", "--schema", PERSON, &path]), 0);
    }
}

#[test]
fn a_document_that_does_not_fit_in_the_limit_is_not_printed() {
    let output = maskwright(&["generate", "--schema", PERSON, "--max-tokens", "3"]);
    exits(&output, 2);
    assert_eq!(stdout(&output), "");
    assert!(stderr(&output).contains("cut at 3 tokens"), "{}", stderr(&output));
    assert!(stderr(&output).contains("0 of 1 documents validated"), "{}", stderr(&output));
}

#[test]
fn a_prompt_conditions_the_text() {
    let schema = r#"{"type": "string", "minLength": 5, "maxLength": 60}"#;
    let run = |prompt: &str| {
        let output = maskwright(&["generate", "--schema", schema, "--prompt", prompt, "-n", "5"]);
        exits(&output, 0);
        stdout(&output)
    };
    assert_ne!(run(""), run("\"zanzibar zebra zither\" \"zanzibar zebra zither\""));
}

#[test]
fn check_names_the_byte_and_what_was_allowed_there() {
    let good = file("good.json", "{\"a\": 12}\n");
    let bad = file("bad.json", "{\"a\": \"x\"}");
    let early = file("early.json", "{\"a\": 1");
    let schema = r#"{"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}"#;
    let output = maskwright(&["check", "--schema", schema, &good, &bad, &early]);
    exits(&output, 1);
    let text = stdout(&output);
    assert!(text.contains("good.json: accepted"), "{text}");
    assert!(text.contains("bad.json: refused at byte 6 (line 1, column 7): found"), "{text}");
    assert!(text.contains("early.json: refused at byte 7 (line 1, column 8): found the end"), "{text}");

    let output = maskwright(&["check", "--schema", schema, "--json", &bad]);
    exits(&output, 1);
    let line = json(&stdout(&output));
    assert_eq!((&line["accepted"], &line["byte"]), (&Value::from(false), &Value::from(6)));
    assert!(line["allowed"].as_str().expect("text").contains("0-9"), "{line}");
}

#[test]
fn check_judges_the_other_documents_where_one_cannot_be_read() {
    let good = file("readable.json", "1");
    let output = maskwright(&["check", "--schema", "{}", "no-such-file.json", &good]);
    exits(&output, 2);
    assert!(stdout(&output).contains("readable.json: accepted"), "{}", stdout(&output));
    assert!(stderr(&output).contains("no-such-file.json"), "{}", stderr(&output));
    let output = maskwright(&["check", "--schema", "{}", "--json", "no-such-file.json", &good]);
    let text = stdout(&output);
    let lines: Vec<Value> = text.lines().map(json).collect();
    assert!(lines[0]["error"].is_string() && lines[1]["accepted"] == true, "{text}");
}

#[test]
fn a_reader_that_goes_away_ends_the_program_quietly() {
    let mut child = command(&["vocabulary"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the program ends");
    assert!(!stderr(&output).contains("panicked"), "{}", stderr(&output));
}

#[test]
fn numbers_outside_their_range_are_named() {
    let output = maskwright(&["generate", "--schema", "{}", "--temperature", "-1"]);
    exits(&output, 2);
    assert!(stderr(&output).contains("temperature"), "{}", stderr(&output));
}

#[test]
fn check_says_when_only_the_policy_excludes_a_document() {
    let schema = r#"{"properties": {"a": {}, "b": {}}}"#;
    let document = file("order.json", r#"{"b" : 1e3, "a": 2}"#);
    let output = maskwright(&["check", "--schema", schema, &document]);
    exits(&output, 1);
    assert!(stdout(&output).contains("only the surface policy"), "{}", stdout(&output));
    exits(&maskwright(&["check", "--schema", schema, "--permissive", &document]), 0);
    exits(&maskwright(&["check", "--schema", schema, "--permissive", "--numbers", "all", &document]), 2);
}

#[test]
fn check_reads_standard_input() {
    exits(&with_input(&["check", "--schema", r#"{"type": "null"}"#, "-"], "null\n"), 0);
    exits(&with_input(&["check", "--schema", r#"{"type": "null"}"#, "-"], "nul\n"), 1);
    exits(&with_input(&["compile", "--schema", "-"], r#"{"type": "null"}"#), 0);
}

#[test]
fn standard_input_is_read_once() {
    let output = with_input(&["check", "--schema", "-", "-"], "{}");
    exits(&output, 2);
    assert!(stderr(&output).contains("- is given twice"), "{}", stderr(&output));
}

#[test]
fn a_schema_with_a_byte_order_mark_is_refused_by_its_name() {
    let schema = file("marked.json", "\u{FEFF}{\"type\": \"boolean\"}");
    let output = maskwright(&["mask", "--schema", &schema]);
    exits(&output, 2);
    assert!(stderr(&output).contains("byte order mark"), "{}", stderr(&output));
}

#[test]
fn a_prefix_may_look_like_an_option() {
    for arguments in [&["--prefix", "-1"][..], &["--prefix=-1"]] {
        let mut all = vec!["mask", "--schema", r#"{"type": "integer", "minimum": -19}"#, "--json"];
        all.extend(arguments);
        let output = maskwright(&all);
        exits(&output, 0);
        assert_eq!(json(&stdout(&output))["complete"], true, "{arguments:?}");
    }
}

#[test]
fn mask_says_what_may_come_next() {
    let output = maskwright(&["mask", "--schema", r#"{"type": "boolean"}"#, "--prefix", "t"]);
    exits(&output, 0);
    let text = stdout(&output);
    assert!(text.contains("forced: \"rue\""), "{text}");
    assert!(text.contains("next bytes: r"), "{text}");
    assert!(text.contains("not complete yet"), "{text}");
    assert!(text.contains("stop tokens: not allowed"), "{text}");

    let schema = r#"{"enum": ["yes", "yet", "no"]}"#;

    let output = maskwright(&["mask", "--schema", schema, "--prefix", "\"no\"", "--json"]);
    let value = json(&stdout(&output));
    assert_eq!(value["complete"], true);
    assert_eq!(value["stop_allowed"], true);
    assert_eq!(value["next_bytes"], "nothing");

    let output = maskwright(&["mask", "--schema", schema, "--prefix", "\"yep"]);
    exits(&output, 1);
    assert!(stdout(&output).contains("refused at byte 3"), "{}", stdout(&output));
    assert!(stdout(&output).contains("allowed: \\, s, t"), "{}", stdout(&output));
}

#[test]
fn compile_prints_the_enforcement_report_and_refuses_what_is_not_enforced() {
    let output = maskwright(&["compile", "--schema", PERSON]);
    exits(&output, 0);
    assert!(stdout(&output).contains("/properties/email"), "{}", stdout(&output));

    let output = maskwright(&["compile", "--schema", PERSON, "--json"]);
    let value = json(&stdout(&output));
    assert_eq!(value["compiled"], true);
    assert!(value["statistics"]["states"].as_u64().expect("a count") > 0);

    let refused = r#"{"properties": {"a": {"$ref": "other.json"}}}"#;
    let output = maskwright(&["compile", "--schema", refused, "--json"]);
    exits(&output, 1);
    let value = json(&stdout(&output));
    assert_eq!(value["compiled"], false);
    assert!(value["subject"].as_str().expect("text").starts_with("$ref"), "{value}");
    assert!(value["pointer"].as_str().expect("text").starts_with("/properties/a"), "{value}");
}

#[test]
fn a_schema_whose_first_mask_is_too_hard_is_refused_like_any_other() {
    let schema = r#"{"type": "array", "oneOf": [{"uniqueItems": true}, {"contains": {"type": "string"}}]}"#;
    let output = maskwright(&["compile", "--schema", schema]);
    exits(&output, 1);
    assert!(
        stdout(&output).starts_with("refused at the first mask: budget exhausted"),
        "{}",
        stdout(&output)
    );
    let output = maskwright(&["compile", "--schema", schema, "--json"]);
    exits(&output, 1);
    let value = json(&stdout(&output));
    assert_eq!((&value["compiled"], &value["kind"]), (&Value::from(false), &Value::from("limit")));
}

#[test]
fn vocabulary_describes_the_demo_vocabulary() {
    let output = maskwright(&["vocabulary", "--json"]);
    exits(&output, 0);
    let value = json(&stdout(&output));
    assert_eq!(value["missing_bytes"], Value::Array(Vec::new()));
    assert!(value["text_count"].as_u64().expect("a count") > 256);
    assert!(!value["stop"].as_array().expect("a list").is_empty());
    exits(&maskwright(&["vocabulary"]), 0);
}

#[test]
fn a_pack_stands_for_the_tokenizer_file() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let pack = folder.join("demo.pack");
    let path = pack.to_str().expect("a path in UTF-8");
    exits(&maskwright(&["vocabulary", "--stop", "7", "--pack", path]), 0);
    let of_pack = maskwright(&["vocabulary", "--tokenizer", path, "--json"]);
    exits(&of_pack, 0);
    assert_eq!(stdout(&of_pack), stdout(&maskwright(&["vocabulary", "--stop", "7", "--json"])));
    exits(&maskwright(&["vocabulary", "--pack", folder.join("demo.bin").to_str().expect("a path")]), 2);
    std::fs::write(&pack, b"no pack").expect("a file");
    exits(&maskwright(&["vocabulary", "--tokenizer", path]), 2);
}

#[test]
fn what_can_not_run_exits_with_two_and_one_sentence() {
    for arguments in [
        &["generate", "--schema", "no-such-file.json"] as &[&str],
        &["generate", "--schema", "{"],
        &["generate", "--schema", r#"{"type": "integer", "minimum": 2, "maximum": 1}"#],
        &["check", "--schema", "{}", "no-such-file.json"],
        &["vocabulary", "--tokenizer", "no-such-file.json"],
        &["vocabulary", "--tokenizer", "Cargo.toml"],
        &["mask", "--schema", r#"{"unevaluatedItems": false, "type": 3}"#],
        &["mask", "--schema", "{}", "--stop", "99999999"],
    ] {
        let output = maskwright(arguments);
        exits(&output, 2);
        assert_eq!(stdout(&output), "", "{arguments:?}");
        assert!(stderr(&output).starts_with("maskwright: "), "{arguments:?}: {}", stderr(&output));
        assert_eq!(stderr(&output).lines().count(), 1, "{arguments:?}: {}", stderr(&output));
    }
    exits(&maskwright(&["unknown"]), 2);
    exits(&maskwright(&["generate"]), 2);
}

#[test]
fn formats_are_defined_on_the_command_line_and_strictness_refuses_the_others() {
    let schema = r#"{"properties": {"id": {"format": "parcel"}}, "required": ["id"]}"#;
    let format = ["--format", "parcel=[A-Z]{2}=[0-9]{3}"];
    let output = maskwright(&[&["compile", "--strict", "--schema", schema], &format[..]].concat());
    exits(&output, 0);
    assert!(stdout(&output).contains("the caller defines this format"), "{}", stdout(&output));
    let output = maskwright(&["compile", "--strict", "--schema", schema]);
    exits(&output, 1);
    assert!(stdout(&output).contains("define it by a pattern"), "{}", stdout(&output));
    exits(&maskwright(&["compile", "--schema", schema]), 0);

    let good = file("parcel-good.json", r#"{"id": "AB=123"}"#);
    let bad = file("parcel-bad.json", r#"{"id": "AB=1234"}"#);
    exits(&maskwright(&[&["check", "--schema", schema, &good], &format[..]].concat()), 0);
    exits(&maskwright(&[&["check", "--schema", schema, &bad], &format[..]].concat()), 1);
    // The independent validator knows the format too.
    let output = maskwright(&[&["generate", "--schema", schema, "-n", "2"], &format[..]].concat());
    exits(&output, 0);

    for (wrong, why) in [
        ("parcel", "expected NAME=PATTERN"),
        ("date=[0-9]+", "the specification defines it"),
        ("x=(", "its pattern is refused"),
    ] {
        let output = maskwright(&["mask", "--schema", "{}", "--format", wrong]);
        exits(&output, 2);
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    }
}

#[test]
fn documents_and_dialects_are_given_on_the_command_line() {
    let common = file("common.json", r#"{"$defs": {"code": {"type": "string", "enum": ["a", "b"]}}}"#);
    let schema =
        r##"{"type": "array", "items": {"$ref": "common.json#/$defs/code"}, "minItems": 1, "maxItems": 2}"##;
    let document = ["--document", &format!("common.json={common}")];
    exits(&maskwright(&["compile", "--schema", schema]), 1);
    let output = maskwright(&[&["generate", "--schema", schema, "-n", "2"], &document[..]].concat());
    exits(&output, 0);
    let nullable = r#"{"type": "string", "nullable": true, "maxLength": 3}"#;
    let null = file("null.json", "null");
    exits(&maskwright(&["check", "--schema", nullable, &null]), 1);
    exits(&maskwright(&["check", "--dialect", "openapi-3.0", "--schema", nullable, &null]), 0);
    exits(&maskwright(&["generate", "--dialect", "openapi-3.0", "--schema", nullable, "-n", "5"]), 0);
    let address = file("address.json", "\"nowhere\"");
    exits(&maskwright(&["check", "--schema", r#"{"format": "ipv4"}"#, &address]), 1);
    exits(&maskwright(&["check", "--no-formats", "--schema", r#"{"format": "ipv4"}"#, &address]), 0);
}

/// The commands of the README's tour, each with the output that is shown.
#[cfg(unix)]
fn tour() -> Vec<(String, String)> {
    let readme = include_str!("../../README.md");
    let tour = readme.split("\n## ").find(|part| part.starts_with("Five minutes\n")).expect("a tour");
    let blocks = tour.split("```console\n").skip(1).filter_map(|block| block.split("```").next());
    let commands = blocks.flat_map(|block| block.split("$ ").skip(1));
    commands
        .map(|text| text.split_once('\n').expect("a command and its output"))
        .map(|(command, output)| (command.to_string(), output.to_string()))
        .collect()
}

#[test]
#[cfg(unix)]
fn the_tour_of_the_readme_shows_what_the_program_prints() {
    let program = PathBuf::from(env!("CARGO_BIN_EXE_maskwright"));
    let mut path = program.parent().expect("a folder").as_os_str().to_owned();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let tour = tour();
    assert!(tour.len() >= 6, "{tour:?}");
    for (command, expected) in tour {
        let mut shell = Command::new("sh");
        shell.args(["-c", &command]).current_dir(env!("CARGO_MANIFEST_DIR")).env("PATH", &path);
        let output = shell.output().expect("a shell");
        assert_eq!(stdout(&output), expected, "$ {command}\n{}", stderr(&output));
    }
}

#[test]
fn grammars_and_patterns_stand_in_the_place_of_a_schema() {
    let good = file("good-date.txt", "2024-02-29\n");
    let bad = file("bad-date.txt", "2023-02-29\n");
    let output = maskwright(&["check", "--ebnf", "grammars/iso-date.ebnf", &good, &bad]);
    exits(&output, 1);
    assert!(stdout(&output).contains("bad-date.txt: refused at byte 9"), "{}", stdout(&output));
    assert!(stdout(&output).contains("good-date.txt: accepted"), "{}", stdout(&output));
    exits(&maskwright(&["check", "--gbnf", "root ::= [0-9-]+", &good, &bad]), 0);
    exits(&maskwright(&["check", "--regex", "\\d{4}-02-29", &good, &bad]), 0);
    exits(&with_input(&["check", "--ebnf", "-", &good], "root ::= [0-9]"), 1);

    let output = maskwright(&["generate", "--ebnf", "root ::= '(' root ')' | [a-z]", "-n", "5"]);
    exits(&output, 0);
    assert!(stderr(&output).contains("5 of 5 documents accepted by the grammar"), "{}", stderr(&output));

    exits(&maskwright(&["compile", "--gbnf", "root ::= item"]), 1);
    exits(&maskwright(&["generate", "--ebnf", "root ::= root"]), 2);
    exits(&maskwright(&["compile", "--ebnf", "root ::= 'x'", "--schema", "{}"]), 2);
    exits(&maskwright(&["compile"]), 2);
}

#[test]
fn every_kind_of_source_is_compiled() {
    let lark = file("calc.lark", "start: NUMBER (\"+\" NUMBER)*\nNUMBER: /[0-9]+/\n%ignore \" \"\n");
    let tag = r#"{"type": "structural_tag", "format": {"type": "sequence", "elements": [
        {"type": "const_string", "value": "n="}, {"type": "json_schema", "json_schema": {"type": "integer"}}]}}"#;
    let tools = r#"{"family": "llama3", "tool_choice": "required", "tools": [{"type": "function",
        "function": {"name": "now", "parameters": {"type": "object", "properties": {}}}}]}"#;
    for (flag, source, prefix) in [
        ("--ebnf", "root ::= \"a\"+", "aa"),
        ("--gbnf", "root ::= \"a\"+", "aa"),
        ("--lark", lark.as_str(), "1 + 2"),
        ("--structural-tag", tag, "n=4"),
        ("--tools", tools, "{\"name\""),
        ("--regex", "-?[0-9]+", "-1"),
    ] {
        exits(&maskwright(&["mask", flag, source, "--prefix", prefix]), 0);
    }
    exits(&maskwright(&["mask", "--regex", "a", "--gbnf", "root ::= \"a\""]), 2);
}

#[test]
fn explain_says_why_and_exits_as_the_mask_has_it() {
    let grammar = ["explain", "--ebnf", "grammars/arithmetic.ebnf", "--prefix", "8 - (2 * x"];
    let explain = |more: &[&str]| maskwright(&[&grammar[..], more].concat());
    let output = explain(&["--token", "}"]);
    exits(&output, 1);
    let text = stdout(&output);
    assert!(text.contains("not allowed: its first byte may not follow"), "{text}");
    assert!(text.contains("in rule `atom`, from byte 4: after `sum`, expecting `_ \")\"`"), "{text}");
    assert!(text.contains("tokens that may follow: \" \""), "{text}");
    let output = explain(&["--token", ")", "--json"]);
    exits(&output, 0);
    let value = json(&stdout(&output));
    assert_eq!((&value["allowed"], &value["text"]), (&Value::from(true), &Value::from("\")\"")), "{value}");
    assert!(value["after"]["may_end"].as_bool().expect("a truth value"), "{value}");
    exits(&explain(&["--token", "<|end|>"]), 1);
    exits(&explain(&["--token-id", "41"]), 0);

    let output = maskwright(&["explain", "--regex", "[0-9]{4}", "--prefix", "20x4", "--token", "1"]);
    exits(&output, 1);
    assert!(stdout(&output).starts_with("the prefix is refused at byte 2: \"x4\""), "{}", stdout(&output));
}

#[test]
fn explain_names_what_an_unknown_token_is_probably_meant_to_be() {
    let explain = |more: &[&str]| maskwright(&[&["explain", "--regex", "a*"], more].concat());
    let output = explain(&["--token", "zebra crossing"]);
    exits(&output, 2);
    assert!(stderr(&output).contains("it is spelled by \"ze\""), "{}", stderr(&output));
    let output = explain(&["--token", "<|e"]);
    exits(&output, 2);
    assert!(stderr(&output).contains("tokens with this in them: <|end|>"), "{}", stderr(&output));
    let output = explain(&["--token-id", "99999"]);
    exits(&output, 2);
    assert!(stderr(&output).contains("the ids 0 to 4,095"), "{}", stderr(&output));
    exits(&explain(&["--token", ""]), 2);
    exits(&explain(&[]), 2);
    exits(&explain(&["--token", "a", "--token-id", "1"]), 2);
}

#[test]
fn dump_shows_grammars_and_automata_of_every_source() {
    let lark = file("dump.lark", "start: NUMBER (\"+\" NUMBER)*\nNUMBER: /[0-9]+/\n%ignore \" \"\n");
    let tag = r#"{"type": "structural_tag", "format": {"type": "json_schema", "json_schema": {"type": "integer"}}}"#;
    let tools = r#"{"family": "llama3", "tool_choice": "required", "tools": [{"type": "function",
        "function": {"name": "now", "parameters": {"type": "object", "properties": {}}}}]}"#;
    for (flag, source) in [
        ("--schema", PERSON),
        ("--ebnf", "root ::= \"a\"+"),
        ("--gbnf", "root ::= \"a\"+"),
        ("--lark", lark.as_str()),
        ("--structural-tag", tag),
        ("--tools", tools),
        ("--regex", "-?[0-9]+"),
    ] {
        for what in ["grammar", "automaton"] {
            let plain = maskwright(&["dump", what, flag, source]);
            exits(&plain, 0);
            assert!(!stdout(&plain).is_empty(), "{flag}");
            let graph = maskwright(&["dump", what, flag, source, "--dot"]);
            exits(&graph, 0);
            assert!(stdout(&graph).starts_with("digraph "), "{flag}: {}", stdout(&graph));
        }
    }
    let along = maskwright(&["dump", "automaton", "--schema", "{}", "--text", "[1", "--states", "2"]);
    exits(&along, 0);
    assert!(stdout(&along).contains("1 array: at the start of an array"), "{}", stdout(&along));
    exits(&maskwright(&["dump", "grammar", "--schema", "{}", "--text", "x"]), 2);
    exits(&maskwright(&["dump", "grammar", "--ebnf", "root ::= x"]), 2);
}

#[test]
fn texts_of_every_shipped_grammar_end_and_are_accepted() {
    let compiler =
        maskwright::Compiler::new(maskwright::Vocabulary::demo(), maskwright::CompilerConfig::default());
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("grammars");
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        if path.extension().is_none_or(|extension| extension != "ebnf") {
            continue;
        }
        let name = path.to_string_lossy().into_owned();
        let grammar = compiler.ebnf(&std::fs::read_to_string(&path).expect("readable")).expect("a grammar");
        let output = maskwright(&["generate", "--ebnf", &name, "-n", "3", "--seed", "7", "--json"]);
        exits(&output, 0);
        for line in stdout(&output).lines().map(json) {
            assert_eq!(line["ending"], "finished", "{name}: {line}");
            let automaton = grammar.automaton().unwrap();
            let mut registers = maskwright::automaton::Registers::default();
            let text = line["document"].as_str().expect("text");
            let end =
                automaton.advance(automaton.start(), text.as_bytes(), &mut registers).expect("in budget");
            assert!(end.is_some_and(|end| automaton.is_accepting(end)), "{name}: {text:?}");
        }
    }
}
