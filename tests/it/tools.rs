//! Tool calls: for each family a table of answers to accept and to refuse, by choice and number of calls.

use maskwright::error::CompileErrorKind;
use maskwright::vocab::TokenKind;
use maskwright::{
    Bitmask, CompiledGrammar, Compiler, CompilerConfig, Matcher, TokenId, ToolFamily, ToolsRequest,
    Vocabulary,
};
use maskwright_oracle::data;
use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use crate::tags::{accepts, check, compiler, masks_are_commits};

fn function(name: &str, parameters: &Value) -> Value {
    json!({"type": "function", "function": {"name": name, "description": "", "parameters": parameters, "strict": true}})
}

/// A tool with a string and an optional integer, one with a number, one without parameters.
fn tools() -> Value {
    let weather = json!({"type": "object", "required": ["city"], "additionalProperties": false,
        "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}});
    let add = json!({"type": "object", "required": ["n"], "additionalProperties": false, "properties": {"n": {"type": "number"}}});
    json!([function("weather", &weather), function("add", &add), {"type": "function", "function": {"name": "now"}}])
}

fn request(family: &str, choice: &Value, parallel: bool) -> Value {
    json!({"tools": tools(), "tool_choice": choice, "parallel_tool_calls": parallel, "family": family, "markers": "text"})
}

fn compile(request: &Value) -> CompiledGrammar {
    let read = ToolsRequest::from_json(&request.to_string()).unwrap_or_else(|e| panic!("{e}"));
    compiler().tools(&read).unwrap_or_else(|e| panic!("{e}"))
}

/// How a family writes calls: a call of each tool, one that is wrong in its arguments, two calls, text around them.
struct Written {
    family: &'static str,
    weather: &'static str,
    add: &'static str,
    now: &'static str,
    wrong: &'static str,
    /// Two calls, if the format has room for them.
    two: Option<&'static str>,
    /// A text that is no answer with calls.
    text: &'static str,
    /// A text and then a call, if the format has room for it.
    text_and_call: Option<&'static str>,
    /// Text that begins a call and goes on otherwise.
    broken: &'static str,
}

const WRITTEN: &[Written] = &[
    Written {
        family: "llama3",
        weather: r#"{"name": "weather", "parameters": {"city": "Oslo", "days": 3}}"#,
        add: r#"{"name": "add", "parameters": {"n": 1.5}}"#,
        now: r#"{"name": "now", "parameters": {}}"#,
        wrong: r#"{"name": "add", "parameters": {"n": "x"}}"#,
        two: Some(r#"{"name": "now", "parameters": {}}; {"name": "add", "parameters": {"n": 1}}"#),
        text: "It rains {here}.",
        text_and_call: None,
        broken: r#" {"name": "no""#,
    },
    Written {
        family: "llama3_python_tag",
        weather: r#"<|python_tag|>{"name": "weather", "parameters": {"city": "Oslo", "days": 3}}"#,
        add: r#"<|python_tag|>{"name": "add", "parameters": {"n": 1.5}}"#,
        now: r#"<|python_tag|>{"name": "now", "parameters": {}}"#,
        wrong: r#"<|python_tag|>{"name": "add", "parameters": {"n": "x"}}"#,
        two: Some(
            r#"<|python_tag|>{"name": "now", "parameters": {}}; {"name": "add", "parameters": {"n": 1}}"#,
        ),
        text: "{It} rains <|python",
        text_and_call: Some(r#"So: <|python_tag|>{"name": "now", "parameters": {}}"#),
        broken: "<|python_tag|>print(1)",
    },
    Written {
        family: "hermes",
        weather: "<tool_call>\n{\"name\": \"weather\", \"arguments\": {\"city\": \"Oslo\", \"days\": 3}}\n</tool_call>",
        add: "<tool_call>\n{\"name\": \"add\", \"arguments\": {\"n\": 1.5}}\n</tool_call>",
        now: "<tool_call>\n{\"name\": \"now\", \"arguments\": {}}\n</tool_call>",
        wrong: "<tool_call>\n{\"name\": \"add\", \"arguments\": {\"n\": \"x\"}}\n</tool_call>",
        two: Some(
            "<tool_call>\n{\"name\": \"now\", \"arguments\": {}}\n</tool_call>\n<tool_call>\n{\"name\": \"now\", \"arguments\": {}}\n</tool_call>",
        ),
        text: "a <tool_cal> {b}",
        text_and_call: Some("Look:<<tool_call>\n{\"name\": \"now\", \"arguments\": {}}\n</tool_call>"),
        broken: "a <tool_call>b",
    },
    Written {
        family: "qwen3_coder",
        weather: "<tool_call>\n<function=weather>\n<parameter=city>\nOslo <b>\n</parameter>\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>",
        add: "<tool_call>\n<function=add>\n<parameter=n>\n1.5\n</parameter>\n</function>\n</tool_call>",
        now: "<tool_call>\n<function=now>\n</function>\n</tool_call>",
        wrong: "<tool_call>\n<function=add>\n<parameter=n>\nx\n</parameter>\n</function>\n</tool_call>",
        two: Some(
            "<tool_call>\n<function=now>\n</function>\n</tool_call>\n<tool_call>\n<function=now>\n</function>\n</tool_call>",
        ),
        text: "a <tool_cal> {b}",
        text_and_call: Some("Look:\n<tool_call>\n<function=now>\n</function>\n</tool_call>"),
        broken: "a <tool_call>b",
    },
    Written {
        family: "deepseek_v3",
        weather: "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>weather\n```json\n{\"city\": \"Oslo\", \"days\": 3}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        add: "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>add\n```json\n{\"n\": 1.5}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        now: "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>now\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        wrong: "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>add\n```json\n{\"n\": \"x\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        two: Some(
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>now\n```json\n{}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>now\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        ),
        text: "a <｜tool {b}",
        text_and_call: Some(
            "Look.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>now\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        ),
        broken: "<｜tool▁calls▁begin｜>x",
    },
    Written {
        family: "deepseek_v3_1",
        weather: "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>weather<｜tool▁sep｜>{\"city\": \"Oslo\", \"days\": 3}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        add: "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>add<｜tool▁sep｜>{\"n\": 1.5}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        now: "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        wrong: "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>add<｜tool▁sep｜>{\"n\": \"x\"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        two: Some(
            "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        ),
        text: "a <｜tool {b}",
        text_and_call: Some(
            "Look.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>now<｜tool▁sep｜>{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        ),
        broken: "<｜tool▁calls▁begin｜>x",
    },
    Written {
        family: "kimi_k2",
        weather: "<|tool_calls_section_begin|><|tool_call_begin|>functions.weather:0<|tool_call_argument_begin|>{\"city\": \"Oslo\", \"days\": 3}<|tool_call_end|><|tool_calls_section_end|>",
        add: "<|tool_calls_section_begin|><|tool_call_begin|>functions.add:12<|tool_call_argument_begin|>{\"n\": 1.5}<|tool_call_end|><|tool_calls_section_end|>",
        now: "<|tool_calls_section_begin|><|tool_call_begin|>functions.now:3<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>",
        wrong: "<|tool_calls_section_begin|><|tool_call_begin|>functions.now:03<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>",
        two: Some(
            "<|tool_calls_section_begin|><|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_call_begin|>functions.now:1<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>",
        ),
        text: "a <|tool {b}",
        text_and_call: Some(
            "Look.<|tool_calls_section_begin|><|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>",
        ),
        broken: "<|tool_calls_section_begin|>x",
    },
    Written {
        family: "glm_4_5",
        weather: "<tool_call>weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n<arg_key>days</arg_key>\n<arg_value>3</arg_value>\n</tool_call>",
        add: "<tool_call>add\n<arg_key>n</arg_key>\n<arg_value>1.5</arg_value>\n</tool_call>",
        now: "<tool_call>now\n</tool_call>",
        wrong: "<tool_call>add\n<arg_key>n</arg_key>\n<arg_value>x</arg_value>\n</tool_call>",
        two: Some("<tool_call>now\n</tool_call>\n<tool_call>now\n</tool_call>"),
        text: "a <tool_cal> {b}",
        text_and_call: Some("Look:\n<tool_call>now\n</tool_call>"),
        broken: "a <tool_call>b",
    },
    Written {
        family: "harmony",
        weather: "<|channel|>commentary to=functions.weather <|constrain|>json<|message|>{\"city\": \"Oslo\", \"days\": 3}<|call|>",
        add: "<|channel|>commentary to=functions.add <|constrain|>json<|message|>{\"n\": 1.5}<|call|>",
        now: "<|channel|>analysis<|message|>Time?<|end|><|start|>assistant<|channel|>commentary to=functions.now <|constrain|>json<|message|>{}<|call|>",
        wrong: "<|channel|>commentary to=functions.add <|constrain|>json<|message|>{\"n\": \"x\"}<|call|>",
        two: None,
        text: "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>It rains.<|return|>",
        text_and_call: Some(
            "<|channel|>commentary<|message|>Look.<|end|><|start|>assistant<|channel|>commentary to=functions.now <|constrain|>json<|message|>{}<|call|>",
        ),
        broken: "<|channel|>final to=x",
    },
    Written {
        family: "mistral",
        weather: r#"[TOOL_CALLS][{"name": "weather", "arguments": {"city": "Oslo", "days": 3}}]"#,
        add: r#"[TOOL_CALLS] [{"name": "add", "arguments": {"n": 1.5}}]"#,
        now: r#"[TOOL_CALLS][{"name": "now", "arguments": {}}]"#,
        wrong: r#"[TOOL_CALLS][{"name": "add", "arguments": {"n": "x"}}]"#,
        two: Some(
            r#"[TOOL_CALLS][{"name": "now", "arguments": {}}, {"name": "add", "arguments": {"n": 1}}]"#,
        ),
        text: "a [TOOL] {b}",
        text_and_call: Some(r#"Look: [TOOL_CALLS][{"name": "now", "arguments": {}}]"#),
        broken: "[TOOL_CALLS][]",
    },
    Written {
        family: "mistral_v11",
        weather: r#"[TOOL_CALLS]weather[ARGS]{"city": "Oslo", "days": 3}"#,
        add: r#"[TOOL_CALLS]add[ARGS]{"n": 1.5}"#,
        now: "[TOOL_CALLS]now[ARGS]{}",
        wrong: r#"[TOOL_CALLS]add[ARGS]{"n": "x"}"#,
        two: Some("[TOOL_CALLS]now[ARGS]{}[TOOL_CALLS]add[ARGS]{\"n\": 1}"),
        text: "a [TOOL] {b}",
        text_and_call: Some("Look: [TOOL_CALLS]now[ARGS]{}"),
        broken: "[TOOL_CALLS]nowhere[ARGS]{}",
    },
];

/// What the tables expect of one request.
#[track_caller]
fn expect(grammar: &CompiledGrammar, family: &str, texts: &[(&str, bool)]) {
    for (text, expected) in texts {
        assert_eq!(accepts(grammar, text), *expected, "{family}: {text:?}");
    }
}

#[test]
fn tools_may_be_called() {
    for w in WRITTEN {
        for parallel in [true, false] {
            let grammar = compile(&request(w.family, &json!("auto"), parallel));
            let calls = [
                (w.weather, true),
                (w.add, true),
                (w.now, true),
                (w.wrong, false),
                (w.broken, false),
                (w.text, true),
            ];
            expect(&grammar, w.family, &calls);
            expect(&grammar, w.family, w.two.map(|two| (two, parallel)).as_slice());
            expect(&grammar, w.family, w.text_and_call.map(|text| (text, true)).as_slice());
        }
    }
}

#[test]
fn tools_must_be_called() {
    for w in WRITTEN {
        for parallel in [true, false] {
            let grammar = compile(&request(w.family, &json!("required"), parallel));
            let calls = [
                (w.weather, true),
                (w.add, true),
                (w.now, true),
                (w.wrong, false),
                (w.broken, false),
                (w.text, false),
                ("", false),
            ];
            expect(&grammar, w.family, &calls);
            expect(&grammar, w.family, w.two.map(|two| (two, parallel)).as_slice());
            let talks = w.family == "harmony";
            expect(&grammar, w.family, w.text_and_call.map(|text| (text, talks)).as_slice());
        }
    }
}

#[test]
fn no_tool_is_called() {
    for w in WRITTEN {
        let grammar = compile(&request(w.family, &json!("none"), true));
        let plain = w.family == "llama3";
        expect(&grammar, w.family, &[(w.text, true), (w.weather, plain), (w.now, plain), (w.broken, plain)]);
    }
}

#[test]
fn one_tool_is_chosen() {
    for w in WRITTEN {
        let choice = json!({"type": "function", "function": {"name": "add"}});
        let grammar = compile(&request(w.family, &choice, true));
        expect(
            &grammar,
            w.family,
            &[(w.add, true), (w.weather, false), (w.now, false), (w.text, false), (w.wrong, false)],
        );
        expect(&grammar, w.family, w.two.map(|two| (two, false)).as_slice());
    }
}

#[test]
fn some_tools_are_allowed() {
    let only = json!([{"type": "function", "function": {"name": "add"}}, {"type": "function", "function": {"name": "now"}}]);
    for w in WRITTEN {
        for (mode, may_talk) in [("auto", true), ("required", false)] {
            let choice = json!({"type": "allowed_tools", "allowed_tools": {"mode": mode, "tools": only}});
            let grammar = compile(&request(w.family, &choice, true));
            expect(
                &grammar,
                w.family,
                &[(w.add, true), (w.now, true), (w.weather, false), (w.text, may_talk)],
            );
        }
    }
    let flat =
        json!({"type": "allowed_tools", "mode": "required", "tools": [{"type": "function", "name": "now"}]});
    let grammar = compile(&request("hermes", &flat, true));
    expect(&grammar, "hermes", &[(WRITTEN[2].now, true), (WRITTEN[2].add, false)]);
}

#[test]
fn masks_and_commits_agree_in_calls() {
    for (family, text) in [
        ("llama3", WRITTEN[0].add),
        ("hermes", "a <<tool_call>\n{\"name\": \"add\", \"arguments\": {\"n\": 1}}\n</tool_call>"),
        ("qwen3_coder", WRITTEN[3].weather),
        ("glm_4_5", WRITTEN[7].now),
        ("mistral_v11", WRITTEN[10].add),
    ] {
        masks_are_commits(&compile(&request(family, &json!("auto"), true)), text);
    }
}

#[test]
fn markers_are_tokens_where_the_vocabulary_has_them() {
    for (name, family) in ToolFamily::NAMED {
        let markers = family.marker_tokens();
        let mut tokens: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).collect();
        tokens.extend(markers.iter().map(|marker| marker.as_bytes().to_vec()));
        tokens.push(b"<stop>".to_vec());
        let stop = TokenId::new(tokens.len() - 1);
        let letters: Vec<TokenId> = (256..256 + markers.len()).map(TokenId::new).collect();
        let vocabulary = Vocabulary::from_tokens(tokens, &[stop])
            .and_then(|v| v.with_letter_tokens(&letters))
            .expect("a vocabulary");
        let compiler = Compiler::new(vocabulary, CompilerConfig::default());
        let mut of = request(name, &json!("auto"), true);
        of.as_object_mut().expect("an object").remove("markers");
        let grammar = compiler
            .tools(&ToolsRequest::from_json(&of.to_string()).expect("a request"))
            .unwrap_or_else(|e| panic!("{name}: {e}"));
        let Some(w) = WRITTEN.iter().find(|w| w.family == name) else { continue };
        for (text, expected) in [(w.weather, true), (w.now, true), (w.text, true), (w.wrong, false)] {
            let text = text.trim_end_matches("<|call|>").trim_end_matches("<|return|>");
            assert_eq!(runs(&grammar, text, markers), expected, "{name}: {text:?}");
        }
        if !markers.is_empty() {
            assert!(!accepts(&grammar, w.now), "{name}: the text of a marker is no marker");
            let without =
                compiler_without().tools(&ToolsRequest::from_json(&of.to_string()).expect("a request"));
            assert_eq!(without.expect_err("no such tokens").kind(), CompileErrorKind::Unspellable, "{name}");
        }
    }
}

fn compiler_without() -> Compiler {
    let tokens: Vec<Vec<u8>> = (0..=255).map(|byte| vec![byte]).chain([b"<stop>".to_vec()]).collect();
    let vocabulary = Vocabulary::from_tokens(tokens, &[TokenId(256)]).expect("bytes and a stop token");
    Compiler::new(vocabulary, CompilerConfig::default())
}

/// Whether a text is accepted in which markers are written by their tokens, which come behind the 256 bytes.
fn runs(grammar: &CompiledGrammar, text: &str, markers: &[&str]) -> bool {
    let mut matcher = Matcher::new(grammar);
    let mut rest = text;
    while !rest.is_empty() {
        let marker = markers.iter().position(|marker| rest.starts_with(marker));
        let (token, len) = match marker {
            Some(at) => (TokenId::new(256 + at), markers[at].len()),
            None => (TokenId(u32::from(rest.as_bytes()[0])), 1),
        };
        if len == 1 && !rest.is_char_boundary(1) {
            // A character of several bytes: all of them.
            let letter = rest.chars().next().expect("a character");
            for &byte in &rest.as_bytes()[..letter.len_utf8()] {
                if matcher.commit(u32::from(byte)).is_err() {
                    return false;
                }
            }
            rest = &rest[letter.len_utf8()..];
            continue;
        }
        if matcher.commit(token).is_err() {
            return false;
        }
        rest = &rest[len..];
    }
    matcher.is_accepting()
}

/// The tokens of a text: markers by name, else the longest that are text.
fn spell(vocabulary: &Vocabulary, text: &str, markers: &[&str]) -> Vec<TokenId> {
    let mut by_bytes: FxHashMap<&[u8], TokenId> = FxHashMap::default();
    for token in (0..vocabulary.len()).map(TokenId::new) {
        if vocabulary.kind(token) == TokenKind::Text {
            by_bytes.insert(vocabulary.bytes(token), token);
        }
    }
    let mut tokens = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let marker = markers.iter().find(|marker| rest.starts_with(**marker));
        let stretch = match marker {
            Some(marker) => {
                tokens.push(vocabulary.token_named(marker).expect("a marker of the family"));
                rest = &rest[marker.len()..];
                continue;
            }
            None => markers.iter().filter_map(|marker| rest.find(marker)).min().unwrap_or(rest.len()),
        };
        let mut bytes = &rest.as_bytes()[..stretch];
        rest = &rest[stretch..];
        while !bytes.is_empty() {
            let longest =
                (1..=bytes.len()).rev().find_map(|len| by_bytes.get(&bytes[..len]).map(|t| (len, *t)));
            let (len, token) = longest.expect("every byte is a token");
            tokens.push(token);
            bytes = &bytes[len..];
        }
    }
    tokens
}

#[test]
fn families_write_calls_in_their_own_vocabularies() {
    for (file, family) in [
        ("qwen3", "qwen3"),
        ("qwen3", "qwen3_coder"),
        ("deepseek_v3", "deepseek_v3_1"),
        ("gptoss", "harmony"),
    ] {
        let Some(vocabulary) = data::vocabulary(file) else { continue };
        let compiler = Compiler::new(vocabulary.clone(), CompilerConfig::default());
        let mut of = request(family, &json!("auto"), true);
        of.as_object_mut().expect("an object").remove("markers");
        let read = ToolsRequest::from_json(&of.to_string()).expect("a request");
        let grammar = compiler.tools(&read).unwrap_or_else(|e| panic!("{family}: {e}"));
        let written = if family == "qwen3" { "hermes" } else { family };
        let Some(w) = WRITTEN.iter().find(|w| w.family == written) else { continue };
        for text in [w.weather, w.text_and_call.unwrap_or(w.now), w.text] {
            let text = text.trim_end_matches("<|call|>").trim_end_matches("<|return|>");
            let mut matcher = Matcher::new(&grammar);
            let mut mask = Bitmask::new(&grammar);
            for (at, token) in spell(&vocabulary, text, read.family.marker_tokens()).into_iter().enumerate() {
                matcher.fill_bitmask(&mut mask).expect("within every limit");
                for other in (at % 997..vocabulary.len()).step_by(997).map(TokenId::new).chain([token]) {
                    assert_eq!(
                        mask.contains(other),
                        matcher.fork().commit(other).is_ok(),
                        "{family}: {other:?} {at}"
                    );
                }
                matcher.commit(token).unwrap_or_else(|e| panic!("{family}: {e} after {:?}", matcher.text()));
            }
            assert!(matcher.is_accepting(), "{family}: {text:?}");
        }
    }
}

#[test]
fn harmony_has_its_recipient_behind_the_channel_or_the_role() {
    let kinds = ["", " json", "<|constrain|>json", " <|constrain|>json"];
    let grammar = compile(&request("harmony", &json!("auto"), true));
    let before = "<|channel|>analysis<|message|>Time?<|end|><|start|>assistant";
    for kind in kinds {
        let in_channel = format!("<|channel|>commentary to=functions.now{kind}<|message|>{{}}<|call|>");
        let in_role = format!(" to=functions.now<|channel|>commentary{kind}<|message|>{{}}<|call|>");
        let wrong = [in_channel.replace("now", "then"), in_role.replace("commentary", "final")];
        check(
            &grammar,
            &[&in_channel, &in_role, &format!("{before}{in_channel}"), &format!("{before}{in_role}")],
            &[],
        );
        check(&grammar, &[], &[&wrong[0], &wrong[1], &in_role.replace("<|channel|>commentary", "")]);
        masks_are_commits(&grammar, &in_role);
    }
    check(&grammar, &[], &[" to=functions.now<|channel|>commentary to=functions.now<|message|>{}<|call|>"]);
    check(&grammar, &[], &["<|channel|>commentary to=functions.now text<|message|>{}<|call|>"]);
}

#[test]
fn reasoning_comes_before_calls() {
    let mut of = request("hermes", &json!("required"), false);
    of["reasoning"] = json!({"begin": "<think>", "end": "</think>\n\n"});
    let grammar = compile(&of);
    let call = WRITTEN[2].now;
    check(
        &grammar,
        &[&format!("<think>a <tool_call> b</think>\n\n{call}")],
        &[call, &format!("<think>{call}")],
    );
}

/// Members of a request that are set, and how it is then refused: the class, where, and a piece of what is said.
type Mistake = (&'static [(&'static str, &'static str)], CompileErrorKind, &'static str, &'static str);

const MISTAKES: &[Mistake] = &[
    (
        &[("/tool_choise", r#""auto""#)],
        CompileErrorKind::Invalid,
        "/tool_choise",
        r#"did you mean "tool_choice""#,
    ),
    (
        &[("/tool_choice", r#""requird""#)],
        CompileErrorKind::Invalid,
        "/tool_choice",
        r#"did you mean "required""#,
    ),
    (
        &[("/tool_choice", r#"{"type": "function", "function": {"name": "wether"}}"#)],
        CompileErrorKind::Invalid,
        "/tool_choice/function/name",
        r#"did you mean "weather""#,
    ),
    (&[("/family", r#""herms""#)], CompileErrorKind::Invalid, "/family", r#"did you mean "hermes""#),
    (&[("/markers", r#""tokns""#)], CompileErrorKind::Invalid, "/markers", "tokens"),
    (&[("/parallel_tool_calls", "1")], CompileErrorKind::Invalid, "/parallel_tool_calls", "true or false"),
    (&[("/reasoning", r#"{"begin": "x"}"#)], CompileErrorKind::Invalid, "/reasoning", r#""end" is missing"#),
    (&[("/tools", "{}")], CompileErrorKind::Invalid, "/tools", "array"),
    (
        &[("/tools/1", r#"{"type": "function"}"#)],
        CompileErrorKind::Invalid,
        "/tools/1",
        r#""function" is missing"#,
    ),
    (&[("/tools/1/type", r#""custom""#)], CompileErrorKind::Invalid, "/tools/1/type", r#""custom""#),
    (
        &[("/tools/1/function/parameter", "{}")],
        CompileErrorKind::Invalid,
        "/tools/1/function/parameter",
        r#"did you mean "parameters""#,
    ),
    (
        &[("/tools/1/function/name", r#""a b""#)],
        CompileErrorKind::Invalid,
        "/tools/1/function/name",
        "can't name a tool",
    ),
    (
        &[("/tools/1/function/name", r#""weather""#)],
        CompileErrorKind::Invalid,
        "/tools/1/function/name",
        "two tools",
    ),
    (
        &[("/tools/1/function/parameters", "[]")],
        CompileErrorKind::Invalid,
        "/tools/1/function/parameters",
        "JSON Schema",
    ),
    (
        &[("/tools/1/function/parameters/properties/n/type", r#""nmber""#)],
        CompileErrorKind::Invalid,
        "/tools/1/function/parameters/properties/n/type",
        "nmber",
    ),
    (
        &[("/tools/1/function/parameters", r#"{"type": "string"}"#)],
        CompileErrorKind::Unsatisfiable,
        "/tools/1/function/parameters",
        "",
    ),
    (
        &[("/tools", "[]"), ("/tool_choice", r#""required""#)],
        CompileErrorKind::Unsatisfiable,
        "/tool_choice",
        "no tool",
    ),
    (
        &[("/family", r#""qwen3_coder""#), ("/tools/1/function/parameters/minProperties", "2")],
        CompileErrorKind::Unsupported,
        "/tools/1/function/parameters/minProperties",
        "this says more",
    ),
];

/// Sets a value at a JSON Pointer, a new member too.
fn set(of: &mut Value, pointer: &str, text: &str) {
    let value: Value = serde_json::from_str(text).expect("JSON");
    let (container, name) = pointer.rsplit_once('/').expect("a pointer to a member");
    match of.pointer_mut(container).expect("a container") {
        Value::Array(items) => items[name.parse::<usize>().expect("an index")] = value,
        object => object[name] = value,
    }
}

#[test]
fn requests_that_make_no_sense_are_refused_where_they_do() {
    for (changes, kind, pointer, says) in MISTAKES {
        let mut of = request("hermes", &json!("auto"), true);
        changes.iter().for_each(|(at, value)| set(&mut of, at, value));
        let read = ToolsRequest::from_json(&of.to_string());
        let error = read.and_then(|request| compiler().tools(&request)).expect_err(says);
        assert_eq!(error.kind(), *kind, "{error}");
        assert_eq!(error.place().pointer.as_deref(), Some(*pointer), "{error}");
        assert!(error.to_string().contains(says), "{error}");
    }
    let mut none = request("hermes", &json!("auto"), true);
    none["tools"] = json!([]);
    check(&compile(&none), &["text", ""], &["<tool_call>"]);
}

#[test]
fn the_report_says_where_each_schema_stands() {
    let grammar = compile(&request("hermes", &json!("auto"), true));
    let report = grammar.report().to_string();
    assert!(report.contains("/tools/0/function/parameters/properties/city/type"), "{report}");
    assert!(report.contains("/tools/1/function/parameters/required"), "{report}");
}

#[test]
fn arguments_are_objects_whatever_the_schema_leaves_open() {
    let mut of = request("hermes", &json!("required"), false);
    of["tools"] = json!([function("any", &json!({})), function("yes", &json!(true))]);
    let grammar = compile(&of);
    let call = |name: &str, arguments: &str| {
        format!("<tool_call>\n{{\"name\": \"{name}\", \"arguments\": {arguments}}}\n</tool_call>")
    };
    check(
        &grammar,
        &[&call("any", "{}"), &call("any", "{\"k\": [1]}"), &call("yes", "{}")],
        &[&call("any", "1"), &call("yes", "[]"), &call("any", "{\"k\": 1, \"k\": 1}")],
    );
}

#[test]
fn thousands_of_tools_are_told_apart() {
    for (count, distinct) in [(10_000, false), (1_000, true)] {
        let tools: Vec<Value> = (0..count)
            .map(|i| {
                let property = if distinct { format!("p{i}") } else { "p".to_owned() };
                function(&format!("tool_{i}"), &json!({"type": "object", "required": [property.clone()], "additionalProperties": false, "properties": {property: {"type": "integer"}}}))
            })
            .collect();
        let grammar = compile(&json!({"tools": tools, "tool_choice": "required", "family": "hermes"}));
        let call = |i: usize, p: usize| {
            let property = if distinct { format!("p{p}") } else { "p".to_owned() };
            format!(
                "<tool_call>\n{{\"name\": \"tool_{i}\", \"arguments\": {{\"{property}\": 1}}}}\n</tool_call>"
            )
        };
        check(&grammar, &[&call(0, 0), &call(count - 1, count - 1)], &[&call(count, 0)]);
        assert_eq!(accepts(&grammar, &call(7, 8)), !distinct);
    }
    let too_many: Vec<Value> = (0..20_001).map(|i| function(&format!("t{i}"), &json!({}))).collect();
    let read = ToolsRequest::from_json(&json!({"tools": too_many, "family": "hermes"}).to_string());
    assert_eq!(read.expect_err("too many tools").kind(), CompileErrorKind::Limit);
}
