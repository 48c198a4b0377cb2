//! The program with several inputs, special tokens and odd inputs: each is answered by its name, none stops the others.

use serde_json::Value;

use crate::cli::{exits, file, json, maskwright, stderr, stdout, with_input};

/// Two parses of a JSON value side by side, of which neither can keep the names used: reading `p{` ends in `Exhausted`.
fn undecidable() -> String {
    let text = "start: x | y | \"q\"\nx: \"p\" j \"x\"\ny: \"p\" k \"y\"\nj: %json {\"type\": \"object\"}\n\
        k: %json {\"type\": \"object\", \"properties\": {\"b\": {\"type\": \"integer\"}}}\n";
    file("undecidable.lark", text)
}

#[test]
fn check_names_a_document_that_it_can_not_judge_and_goes_on() {
    let grammar = undecidable();
    let (hard, good, bad) = (file("hard.txt", "p{}x"), file("good.txt", "q"), file("bad.txt", "r"));
    let output = maskwright(&["check", "--lark", &grammar, "no-such-file", &hard, &bad, &good]);
    exits(&output, 2);
    let text = stdout(&output);
    assert!(
        text.contains("hard.txt: not judged beyond byte 1 (line 1, column 2): budget exhausted"),
        "{text}"
    );
    assert!(text.contains("bad.txt: refused at byte 0") && text.contains("good.txt: accepted"), "{text}");
    assert!(stderr(&output).contains("no-such-file"), "{}", stderr(&output));

    let output = maskwright(&["check", "--json", "--lark", &grammar, "no-such-file", &hard, &bad, &good]);
    exits(&output, 2);
    let lines: Vec<Value> = stdout(&output).lines().map(json).collect();
    let accepted: Vec<&Value> = lines.iter().map(|line| &line["accepted"]).collect();
    assert_eq!(accepted, [&Value::Null, &Value::Null, &Value::from(false), &Value::from(true)]);
    assert!(
        lines[0]["error"].is_string() && lines[1]["error"].is_string() && lines[1]["byte"] == 1,
        "{lines:?}"
    );
}

#[test]
fn a_prefix_that_can_not_be_judged_is_answered_with_its_byte() {
    let grammar = undecidable();
    for more in [&["mask"][..], &["explain", "--token", "x"]] {
        let output = maskwright(&[more, &["--lark", &grammar, "--prefix", "p{}"]].concat());
        exits(&output, 2);
        assert!(
            stderr(&output).contains("can't be judged beyond byte 1: budget exhausted"),
            "{}",
            stderr(&output)
        );
    }
}

#[test]
fn a_document_that_runs_out_of_a_budget_does_not_stop_the_others() {
    let output =
        maskwright(&["generate", "--lark", &undecidable(), "-n", "12", "--json", "--temperature", "9"]);
    exits(&output, 2);
    let endings: Vec<Value> = stdout(&output).lines().map(|line| json(line)["ending"].clone()).collect();
    assert_eq!(endings.len(), 12);
    assert!(endings.contains(&"exhausted".into()) && endings.contains(&"finished".into()), "{endings:?}");
    assert!(stderr(&output).contains("ran out of its budget"), "{}", stderr(&output));
}

#[test]
fn special_tokens_are_read_and_printed_by_their_names_everywhere() {
    let grammar = ["--ebnf", "root ::= [a-c]{2} <|user|> \"<b>\" <|assistant|>", "--special"];
    let run = |first: &[&str], more: &[&str]| maskwright(&[first, &grammar[..], more].concat());
    let output = run(&["generate", "--seed", "3"], &[]);
    exits(&output, 0);
    let text = stdout(&output);
    assert!(text.trim_end().ends_with("<|user|><b><|assistant|>"), "{text}");
    exits(&run(&["check"], &[&file("special.txt", &text)]), 0);
    let output = run(&["check"], &[&file("special-bad.txt", "ab<|assistant|>")]);
    exits(&output, 1);
    let expected =
        "refused at byte 2 (line 1, column 3): found the token <|assistant|>; allowed here: token <|user|>";
    assert!(stdout(&output).contains(expected), "{}", stdout(&output));

    let output = run(&["mask"], &["--prefix", "ab<|user|><b>", "--json"]);
    exits(&output, 0);
    assert_eq!(json(&stdout(&output))["next_tokens"], serde_json::json!(["<|assistant|>"]));
    exits(&run(&["explain"], &["--prefix", "ab<|user|><b>", "--token", "<|assistant|>"]), 0);
    // A stop token ends a text that is complete, and nothing follows it.
    exits(&with_input(&["check", "--regex", "a*", "--special", "-"], "aa<|end|>"), 0);
    exits(&with_input(&["check", "--regex", "a*", "--special", "-"], "aa<|end|>a"), 1);
}

#[test]
fn names_of_special_tokens_are_text_unless_asked_for_and_a_hint_says_so() {
    let grammar = ["--ebnf", "root ::= \"a\" <|end|>"];
    let run = |more: &[&str]| maskwright(&[more, &grammar[..]].concat());
    let text = file("special-as-text.txt", "a<|end|>");
    for more in [
        &["check", text.as_str()][..],
        &["mask", "--prefix", "a<|end|>"],
        &["explain", "--token", "a", "--prefix", "a<|end|>"],
    ] {
        let output = run(more);
        exits(&output, 1);
        assert!(stdout(&output).contains("with --special it is the special token"), "{}", stdout(&output));
    }
    let output = run(&["generate"]);
    exits(&output, 0);
    assert_eq!(stdout(&output), "a\n");
    assert!(stderr(&output).contains("--special prints their names"), "{}", stderr(&output));
    exits(&with_input(&["check", "--regex", ".*", "-"], "a<|end|>b"), 0);
}

#[test]
fn special_tokens_of_real_tokenizer_files_are_read_too() {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(std::path::PathBuf::from);
    let cache =
        cache.or_else(|| std::env::var_os("HOME").map(|home| std::path::PathBuf::from(home).join(".cache")));
    let path = cache.unwrap_or_default().join("maskwright/tokenizers/qwen3.json");
    if !path.is_file() {
        println!("skipped: there is no {}", path.display());
        return;
    }
    let path = path.to_string_lossy();
    let run = |first: &[&str], more: &[&str]| {
        let grammar = [
            "--ebnf",
            "root ::= <think> [a-c]{2,4} </think> \"!\" <|im_end|>",
            "--tokenizer",
            &path,
            "--special",
        ];
        maskwright(&[first, &grammar[..], more].concat())
    };
    let output = run(&["generate"], &[]);
    exits(&output, 0);
    let text = stdout(&output);
    assert!(text.starts_with("<think>") && text.ends_with("</think>!<|im_end|>\n"), "{text}");
    exits(&run(&["check"], &[&file("special-qwen3.txt", &text)]), 0);
}

#[test]
fn numbers_that_the_validator_can_not_hold_are_not_judged() {
    for schema in [
        r#"{"const": 12345678901234567890.000}"#,
        r#"{"type": "integer", "minimum": 1e30, "maximum": 1.00000000000000001e30}"#,
    ] {
        let output = maskwright(&["generate", "--schema", schema, "--json"]);
        exits(&output, 0);
        let line = json(&stdout(&output));
        assert_eq!((&line["valid"], &line["ending"]), (&Value::Null, &Value::from("finished")));
        assert!(line["fault"].as_str().expect("why").contains("can't hold the number"), "{line}");
        assert!(stderr(&output).contains("not judged by the validator"), "{}", stderr(&output));
    }
}

#[test]
fn a_dump_along_a_text_says_where_the_grammar_refuses_it() {
    let dump = |more: &[&str]| {
        maskwright(&[&["dump", "automaton", "--ebnf", "root ::= \"ab\" <|user|> \"c\""], more].concat())
    };
    let output = dump(&["--text", "ax"]);
    exits(&output, 1);
    assert!(stdout(&output).starts_with("0 rules"), "{}", stdout(&output));
    assert!(
        stderr(&output).contains("refused at byte 1: \"x\" is not allowed there; allowed: b"),
        "{}",
        stderr(&output)
    );
    let output = dump(&["--text", "ab<|user|>", "--special"]);
    exits(&output, 0);
    assert_eq!(stdout(&output).lines().filter(|line| line.starts_with(char::is_numeric)).count(), 4);
    exits(&dump(&["--text", "ab"]), 0);
    for wrong in ["0", "999999999", "x"] {
        let output = dump(&["--states", wrong]);
        exits(&output, 2);
        assert!(stderr(&output).contains("from 1 to"), "{}", stderr(&output));
    }
}

#[test]
fn documents_end_that_need_particular_values() {
    for arguments in [
        &["--schema", r#"{"type": "array", "contains": {"const": "needle-in-a-haystack"}}"#][..],
        &[
            "--schema",
            r#"{"type": "object", "required": ["aaaa", "bbbb", "cccc", "dddd", "eeee", "ffff"]}"#,
            "--key-order",
            "any",
        ],
        &["--schema", r#"{"type": "object", "minProperties": 30}"#],
        &["--schema", r#"{"type": "string", "pattern": "the very end$"}"#],
        &["--regex", "(?=.*a)(?=.*b)(?=.*c)[a-z]{5,}"],
        &["--ebnf", "root ::= [a-z]* \"needle\" [a-z]* \"haystack\""],
    ] {
        let output = maskwright(&[&["generate", "-n", "2"], arguments].concat());
        exits(&output, 0);
        assert_eq!(stdout(&output).lines().count(), 2, "{}", stdout(&output));
    }
}

#[test]
fn a_document_is_led_home_in_time_where_few_tokens_are_allowed() {
    let schema = r#"{"type": "array", "contains": {"const": "a needle"}}"#;
    let output =
        maskwright(&["generate", "--schema", schema, "--max-tokens", "60", "-n", "5", "--temperature", "5"]);
    exits(&output, 0);
}

#[test]
fn short_documents_are_not_led_anywhere() {
    let output = maskwright(&["generate", "--schema", "examples/person.schema.json", "-n", "5", "--json"]);
    exits(&output, 0);
    let lines: Vec<Value> = stdout(&output).lines().map(json).collect();
    assert!(lines.iter().all(|line| line["steered_tokens"] == 0), "{lines:?}");
    let documents: std::collections::BTreeSet<String> =
        lines.iter().map(|line| line["document"].to_string()).collect();
    assert!(documents.len() >= 4, "{documents:?}");
}

#[test]
fn a_dumped_grammar_is_read_back() {
    let lark = file("read-back.lark", "start: NUMBER (\"+\" NUMBER)*\nNUMBER: /[0-9]+/\n%ignore \" \"\n");
    for source in [
        &["--ebnf", "item ::= \"x\" root?   root ::= \"b\" item <|user|>"][..],
        &["--gbnf", "item ::= \"x\" root?\nroot ::= \"b\" item"],
        &["--lark", &lark],
        &["--regex", "(?=.*a)[a-c]{2,9}é"],
        &["--ebnf", "grammars/sql-select.ebnf"],
    ] {
        let dumped = maskwright(&[&["dump", "grammar"], source].concat());
        exits(&dumped, 0);
        let text = stdout(&dumped);
        let again = maskwright(&["dump", "grammar", "--grammar", &file("dumped.grammar", &text)]);
        exits(&again, 0);
        assert_eq!(stdout(&again), text);
    }
    let output = maskwright(&["compile", "--ebnf", "%start root\nitem ::= \"x\"\nroot ::= item"]);
    exits(&output, 1);
    assert!(stdout(&output).contains("--grammar"), "{}", stdout(&output));
    let output = with_input(
        &["compile", "--grammar", "-"],
        "root ::= %schema 0\n# schema 0: root 0\n# 0: kind string",
    );
    exits(&output, 1);
    assert!(stdout(&output).contains("are not read back"), "{}", stdout(&output));
}

#[test]
fn refusals_say_what_would_help() {
    let ignored = file("ignored.lark", "start: \"a\" \"b\"\n%ignore \"\"\n");
    let nothing = file("nothing.lark", "start: A\nA: /[a-z]+/ & \"X\"\n");
    let marked = file("marked.grammar", "\u{FEFF}root ::= \"a\"");
    for (source, expected) in [
        (
            ["--schema", r#"{"items": [{}]}"#],
            "write prefixItems for a list of schemas, or name the older draft with $schema",
        ),
        (["--schema", r#"{"multipleOf": 0}"#], "the value is 0, and a divisor must be a number above 0"),
        (["--schema", r#"{"multipleOf": -2}"#], "the value is below 0, and a divisor must be"),
        (["--lark", &ignored], "line 2, column 9 (byte 23) (invalid, lark: %ignore): the terminal"),
        (["--lark", &nothing], "refused (unsatisfiable, rule): no text matches: the grammar matches no text"),
        (["--ebnf", &marked], "line 1, column 1 (byte 0) (syntax, ebnf: encoding): found a byte order mark"),
        (["--gbnf", &marked], "found a byte order mark"),
        (["--lark", &marked], "found a byte order mark"),
        (["--grammar", &marked], "found a byte order mark"),
        (["--regex", "a(?!)"], "(unsatisfiable, regex): no text matches it"),
        (["--schema", "false"], "(unsatisfiable, schema)"),
        (["--schema", "[]"], "here is an array, a schema is an object, true or false"),
        (["--schema", "7"], "here is a number, a schema is an object, true or false"),
        (["--tools", "[]"], "an array"),
        (["--structural-tag", "[1]"], "an array"),
    ] {
        let output = maskwright(&[&["compile"], &source[..]].concat());
        exits(&output, 1);
        assert!(stdout(&output).contains(expected), "{}", stdout(&output));
    }
}

#[test]
fn a_line_break_at_the_end_of_a_file_belongs_to_the_document_where_it_is_needed() {
    let lines = ["check", "--gbnf", "root ::= (\"- \" [a-z]+ \"\\n\")+", "-"];
    exits(&with_input(&lines, "- a\n- b\n"), 0);
    exits(&with_input(&lines, "- a\n- b\n\n"), 0);
    exits(&with_input(&lines, "- a\n- b"), 1);
    exits(&with_input(&["check", "--regex", "a", "-"], "a\n"), 0);
    exits(&with_input(&["check", "--regex", "a", "-"], "a\n\n"), 1);
}

#[test]
fn empty_files_and_folders_are_answered_by_name() {
    let (empty, folder) = (file("empty.txt", ""), env!("CARGO_TARGET_TMPDIR"));
    exits(&maskwright(&["check", "--regex", "a*", &empty]), 0);
    let output = maskwright(&["check", "--schema", "true", &empty]);
    exits(&output, 1);
    assert!(
        stdout(&output).contains("refused at byte 0 (line 1, column 1): found the end"),
        "{}",
        stdout(&output)
    );
    let output = maskwright(&["check", "--regex", "a", folder]);
    exits(&output, 2);
    assert!(stderr(&output).contains("can't read"), "{}", stderr(&output));
    for source in ["--schema", "--ebnf", "--gbnf", "--grammar", "--lark", "--structural-tag", "--tools"] {
        exits(&maskwright(&["compile", source, &empty]), 1);
        exits(&maskwright(&["compile", source, folder]), 2);
    }
}

#[test]
fn options_that_change_nothing_are_noted() {
    let output = maskwright(&["compile", "--regex", "a", "--permissive"]);
    exits(&output, 0);
    assert!(stderr(&output).starts_with("note: there is no schema in this source"), "{}", stderr(&output));
    assert!(!stdout(&output).ends_with("\n\n"), "{}", stdout(&output));
    assert_eq!(stderr(&maskwright(&["compile", "--schema", "true", "--permissive"])), "");
    assert_eq!(stderr(&maskwright(&["compile", "--regex", "a"])), "");
}
