//! Strings whose text is one of a grammar: by spellings, along random walks, and where such a format is refused.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use maskwright::automaton::{Caching, Registers};
use maskwright::error::CompileErrorKind;
use maskwright::grammar::rules::Grammar;
use maskwright::syntax::ebnf;
use maskwright::{
    Bitmask, CompiledGrammar, Compiler, CompilerConfig, Formats, KeyOrder, Matcher, SurfacePolicy, TokenId,
    Vocabulary, Whitespace,
};
use maskwright_oracle::earley::Recogniser;
use maskwright_oracle::generate::Random;

/// Lists in lists, with characters that JSON writes in several ways.
const LISTS: &str = r#"list ::= "[" (item ("," item)*)? "]"  item ::= list | [abé😀"/\\] | "\n" item"#;
/// Palindromes, the empty text among them.
const MIRRORED: &str = r#"root ::= "a" root "a" | "\"" root "\"" | "/"?"#;

fn grammar(text: &str) -> Grammar {
    ebnf::parse(text).unwrap().grammar
}

fn formats() -> Formats {
    let formats = Formats::default().with_grammar("list", grammar(LISTS)).unwrap();
    let formats = formats.with_grammar("mirrored", grammar(MIRRORED)).unwrap();
    formats.with_grammar("never", grammar(r#"root ::= "x" root"#)).unwrap()
}

fn config() -> CompilerConfig {
    let mut config = CompilerConfig::default();
    config.formats = formats();
    config
}

fn accepts(compiled: &CompiledGrammar, text: &str) -> bool {
    let automaton = compiled.automaton().unwrap();
    let after = automaton.advance(automaton.start(), text.as_bytes(), &mut Registers::default());
    after.unwrap().is_some_and(|cfg| automaton.is_accepting(cfg))
}

#[track_caller]
fn check(schema: &str, accepted: &[&str], refused: &[&str]) {
    let compiled = Compiler::new(Vocabulary::demo(), config()).json_schema(schema).unwrap();
    for (texts, expected) in [(accepted, true), (refused, false)] {
        for text in texts {
            assert_eq!(accepts(&compiled, text), expected, "{text} under {schema}");
        }
    }
    for text in accepted {
        masks_are_commits(&compiled, text);
    }
}

/// At every token of a text, spelled in the demo vocabulary, the mask has exactly the tokens that can be committed.
fn masks_are_commits(compiled: &CompiledGrammar, text: &str) {
    let mut matcher = Matcher::new(compiled);
    let mut mask = Bitmask::new(compiled);
    for token in Vocabulary::demo_encode(text) {
        matcher.fill_bitmask(&mut mask).unwrap();
        for other in (0..compiled.vocabulary().len()).map(TokenId::new) {
            let committed = matcher.fork().commit(other).is_ok();
            assert_eq!(mask.contains(other), committed, "{other:?} after {:?}", matcher.text());
        }
        matcher.commit(token).unwrap();
    }
    assert!(matcher.is_accepting());
}

#[test]
fn a_string_is_every_spelling_of_a_text_of_the_grammar() {
    check(
        r#"{"type":"string","format":"list"}"#,
        &[
            r#""[]""#,
            r#""[a,[b,a],[]]""#,
            r#""\u005b\u0061,é\u005D""#,
            r#""[\u00e9,\u00E9]""#,
            r#""[😀,\ud83d\ude00]""#,
            r#""[/,\/,\u002f,\",\u0022,\\,\u005c]""#,
            r#""[\n\na,\u000aa]""#,
        ],
        &[
            r#""[""#,
            r#""""#,
            r#""[a""#,
            r#""[\u0063]""#,
            r#""[\ud83d]""#,
            r#""[\ude00]""#,
            r#""[\ud83d\u0061]""#,
            "\"[\na]\"",
            r#""[a]]""#,
            "[]",
            r#""["]""#,
        ],
    );
}

#[test]
fn such_strings_stand_wherever_values_do() {
    check(
        r#"{"type":"array","items":{"type":"string","format":"mirrored"}}"#,
        &["[]", r#"["","/","a/a","\"\"","a\"/\"a","\u0061\/\u0061"]"#],
        &[r#"["a"]"#, r#"["aa/"]"#, r#"["\""]"#],
    );
    check(
        r#"{"type":"object","properties":{"q":{"type":"string","format":"list"},"n":{"type":"integer"}},
            "required":["q"],"additionalProperties":{"format":"mirrored","type":"string"}}"#,
        &[r#"{"q":"[a]","n":1}"#, r#"{"q": "[[]]", "other": "a/a", "more": ""}"#],
        &[r#"{"q":"a"}"#, r#"{"n":1}"#, r#"{"q":"[]","other":"a"}"#, r#"{"q":"[]","m":"","m":""}"#],
    );
    check(
        r##"{"type":"object","properties":{"text":{"type":"string","format":"list"},"next":{"$ref":"#"}},
            "required":["text"],"additionalProperties":false}"##,
        &[r#"{"text":"[]","next":{"text":"[a]"}}"#],
        &[r#"{"text":"[]","next":{"text":"a"}}"#],
    );
    check(r#"{"format":"mirrored"}"#, &["1", r#""aa""#, "[]", "null"], &[r#""a""#]);
}

#[test]
fn what_else_is_asked_of_the_text_is_asked_too() {
    check(
        r#"{"type":"string","format":"list","maxLength":5,"pattern":"b"}"#,
        &[r#""[b]""#, r#""[a,b]""#, r#""[[b]]""#, r#""[\u0062]""#],
        &[r#""[]""#, r#""[a]""#, r#""[a,b,a]""#, r#""[[[b]]]""#],
    );
    check(
        r#"{"format":"mirrored","enum":["a","aa","/",1,"\"a"]}"#,
        &[r#""aa""#, r#""/""#, "1"],
        &[r#""a""#, r#""\"a""#, "2"],
    );
    check(
        r#"{"allOf":[{"type":"string","format":"mirrored"},{"not":{"const":"aa"}}],"minLength":1}"#,
        &[r#""a/a""#, r#""aaaa""#],
        &[r#""aa""#, r#""""#],
    );
}

#[test]
fn alternatives_that_are_out_before_the_string_do_no_harm() {
    check(
        r#"{"type":["string","null","integer"],"format":"list"}"#,
        &[r#""[]""#, "null", "7"],
        &[r#""a""#, "true"],
    );
    check(
        r#"{"anyOf":[{"type":"null"},{"type":"string","format":"list"},{"const":"none"},{"type":"string","format":"mirrored"}]}"#,
        &["null", r#""[]""#, r#""none""#, r#""aa""#, r#""""#],
        &[r#""non""#, r#""[""#, r#""a""#],
    );
    let call = |name: &str, format: &str| {
        format!(
            r#"{{"type":"object","properties":{{"tool":{{"type":"string","const":"{name}"}},"text":{{"type":"string","format":"{format}"}}}},"required":["tool","text"],"additionalProperties":false}}"#
        )
    };
    for word in ["anyOf", "oneOf"] {
        check(
            &format!(r#"{{"{word}":[{},{}]}}"#, call("one", "list"), call("two", "mirrored")),
            &[r#"{"tool":"one","text":"[]"}"#, r#"{"tool":"two","text":"aa"}"#],
            &[r#"{"tool":"one","text":"aa"}"#, r#"{"tool":"two","text":"[]"}"#],
        );
    }
}

#[test]
fn alternatives_that_say_nothing_of_the_string_do_no_harm() {
    check(
        r#"{"type":"object","properties":{"a":{"type":"string","format":"list"},"b":{"type":"integer"}},
            "anyOf":[{"required":["a"]},{"required":["b"]}],"additionalProperties":false,
            "if":{"properties":{"b":{"minimum":5}}},"then":{"maxProperties":1}}"#,
        &[r#"{"a":"[]"}"#, r#"{"b":3}"#, r#"{"a":"[a]","b":3}"#],
        &["{}", r#"{"a":"[]","b":5}"#, r#"{"a":"a"}"#],
    );
    check(
        r#"{"type":"object","properties":{"a":{"type":"string","format":"list"}},"required":["a"],
            "not":{"properties":{"a":{"maxLength":3}}}}"#,
        &[r#"{"a":"[a,b]"}"#],
        &[r#"{"a":"[a]"}"#, r#"{"a":"abcd"}"#],
    );
}

#[test]
fn a_grammar_without_texts_leaves_no_strings() {
    check(r#"{"format":"never"}"#, &["1", "{}"], &[r#""x""#, r#""""#]);
    let compiler = Compiler::new(Vocabulary::demo(), config());
    let error = compiler.json_schema(r#"{"type":"string","format":"never"}"#).unwrap_err();
    assert_eq!(error.kind(), CompileErrorKind::Unsatisfiable, "{error}");
    let schema = r#"{"type":"string","format":"list","maxLength":1}"#;
    let error = compiler.json_schema(schema).unwrap_err();
    assert_eq!(error.kind(), CompileErrorKind::Unsatisfiable, "{error}");
}

#[test]
fn where_it_would_have_to_be_asked_whether_a_text_is_one_of_a_grammar_it_is_refused() {
    let compiler = Compiler::new(Vocabulary::demo(), config());
    for (schema, pointer) in [
        (r#"{"not":{"format":"list"}}"#, "/not/format"),
        (r#"{"propertyNames":{"format":"list"}}"#, "/propertyNames/format"),
        (r#"{"contains":{"format":"list"}}"#, "/contains"),
        (r#"{"items":{"format":"list"},"uniqueItems":true}"#, "/items/format"),
        (r#"{"oneOf":[{"type":"string"},{"type":"string","format":"list"}]}"#, "/oneOf/1/format"),
        (r#"{"allOf":[{"format":"list"},{"format":"mirrored"}],"type":"string"}"#, "/allOf/1/format"),
        (
            r#"{"anyOf":[{"properties":{"a":{"format":"list"}}},{"properties":{"b":{"type":"integer"}}}]}"#,
            "/anyOf/0/properties/a/format",
        ),
        (
            r#"{"properties":{"a":{"format":"list"}},"anyOf":[{"properties":{"a":{"maxLength":3}}},{"required":["b"]}]}"#,
            "/properties/a/format",
        ),
        (r#"{"items":{"format":"list"},"contains":{"maxLength":3}}"#, "/items/format"),
        (
            r#"{"properties":{"a":{"format":"list"}},"not":{"properties":{"a":{"maxLength":3},"b":{"type":"null"}}}}"#,
            "/properties/a/format",
        ),
        (
            r#"{"allOf":[{"properties":{"a":{"format":"list"}}},{"properties":{"a":{"format":"mirrored"}}}]}"#,
            "/allOf/1/properties/a/format",
        ),
        (
            r#"{"properties":{"a":{"format":"list"}},"allOf":[{"additionalProperties":{"format":"mirrored"}}]}"#,
            "",
        ),
        // The string comes before the member that tells.
        (
            r#"{"type":"object","anyOf":[{"properties":{"a":{"format":"list"},"t":{"type":"string","const":"x"}},"required":["t"]},
                {"properties":{"t":{"type":"string","const":"y"}},"required":["t"]}]}"#,
            "/anyOf/0/properties/a/format",
        ),
    ] {
        let error = compiler.json_schema(schema).unwrap_err();
        let found = error.place().pointer.clone().unwrap_or_default();
        assert!(found.starts_with(pointer), "{found} of {schema}: {error}");
        assert_eq!(error.kind(), CompileErrorKind::Unsupported, "{error}");
    }
    let any_order = SurfacePolicy { key_order: KeyOrder::Any, ..SurfacePolicy::default() };
    let mut config = config();
    config.policy = any_order;
    let told = r#"{"type":"object","anyOf":[{"properties":{"t":{"type":"string","const":"x"},"a":{"format":"list"}},"required":["t"]},
        {"properties":{"t":{"type":"string","const":"y"}},"required":["t"]}]}"#;
    assert!(Compiler::new(Vocabulary::demo(), config).json_schema(told).is_err());
    assert!(compiler.json_schema(told).is_ok());
}

#[test]
fn formats_by_grammar_are_named_like_others() {
    let token = grammar(r#"root ::= "a" <|t|>"#);
    let refusal =
        |name: &str, grammar: Grammar| formats().with_grammar(name, grammar).unwrap_err().to_string();
    assert!(refusal("t", token).contains("tokens or schemas stand in its grammar"));
    assert!(refusal("date", grammar(LISTS)).contains("the specification defines it"));
    assert!(refusal("list", grammar(LISTS)).contains("it is defined already, as the grammar `list`"));
    assert_eq!(formats(), formats());
    let compiled = Compiler::new(Vocabulary::demo(), config()).json_schema(r#"{"format":"list"}"#).unwrap();
    assert!(compiled.report().to_string().contains("the caller defines this format by a grammar"));
}

/// Tokens that end and begin strings, escapes and members in the middle.
fn awkward_vocabulary() -> Vocabulary {
    let mut tokens: Vec<Vec<u8>> =
        (0..=255u8).filter(|b| b.is_ascii_graphic() || *b == b' ' || *b == b'\n').map(|b| vec![b]).collect();
    tokens.extend("é😀".bytes().map(|byte| vec![byte]));
    for text in [
        "[]",
        "\"[",
        "]\"",
        "]\"}",
        "a\"}",
        "\\u",
        "\\u00",
        "\\u0061",
        "61",
        "\\\"",
        "\\\\",
        "\\/",
        "a,",
        ",a",
        "],[",
        "\":\"",
        "\":\"[",
        "\",\"",
        "\"}",
        "aa",
        "a/a",
        "\\ud83d",
        "\\ude00",
        "é",
        "\\n",
        "{\"q\":\"",
        "\"\"",
        "[\"",
    ] {
        tokens.push(text.as_bytes().to_vec());
    }
    tokens.push(vec![0xF0, 0x9F]);
    tokens.push(b"</s>".to_vec());
    tokens.sort();
    tokens.dedup();
    let stop = tokens.iter().position(|token| token == b"</s>").unwrap();
    Vocabulary::from_tokens(tokens, &[TokenId::new(stop)]).unwrap()
}

/// Whether a document's strings at "q", or in arrays, are texts of the grammar.
fn is_right(value: &serde_json::Value, judge: &Recogniser) -> bool {
    match value {
        serde_json::Value::String(text) => {
            judge.read(text.as_bytes()).is_some_and(|state| judge.accepts(&state))
        }
        serde_json::Value::Array(items) => items.iter().all(|item| is_right(item, judge)),
        serde_json::Value::Object(members) => members.values().all(|member| is_right(member, judge)),
        _ => true,
    }
}

#[test]
fn random_walks_write_texts_of_the_grammar_and_masks_are_the_same_without_caches() {
    let vocabulary = awkward_vocabulary();
    let mut finished = 0;
    for (format, text) in [("list", LISTS), ("mirrored", MIRRORED)] {
        let judge = Recogniser::new(&grammar(text));
        for whitespace in [Whitespace::Bounded, Whitespace::None, Whitespace::Free] {
            let schemas = [
                format!(
                    r#"{{"type":"object","properties":{{"q":{{"type":"string","format":"{format}"}}}},"required":["q"],"additionalProperties":false}}"#
                ),
                format!(
                    r#"{{"type":"array","items":{{"type":"string","format":"{format}"}},"minItems":1,"maxItems":2}}"#
                ),
            ];
            for schema in schemas {
                let mut config = config();
                config.policy = SurfacePolicy { whitespace, ..SurfacePolicy::default() };
                let mut slow = config.clone();
                slow.caching = Caching::Off;
                let [fast, slow] = [config, slow]
                    .map(|config| Compiler::new(vocabulary.clone(), config).json_schema(&schema).unwrap());
                for seed in 0..6 {
                    let mut random = Random::new(0x5E47_0000 + seed);
                    finished += u32::from(walk(&fast, &slow, &mut random, &judge, seed));
                }
            }
        }
    }
    assert!(finished > 30, "{finished}");
}

/// One walk; whether it came to an end.
fn walk(
    fast: &CompiledGrammar,
    slow: &CompiledGrammar,
    random: &mut Random,
    judge: &Recogniser,
    seed: u64,
) -> bool {
    let (mut matcher, mut twin) = (Matcher::new(fast), Matcher::new(slow));
    let (mut mask, mut other) = (Bitmask::new(fast), Bitmask::new(slow));
    for step in 0..60 {
        matcher.fill_bitmask(&mut mask).unwrap();
        twin.fill_bitmask(&mut other).unwrap();
        let allowed: Vec<TokenId> = mask.iter().collect();
        let text = String::from_utf8_lossy(&matcher.text()).into_owned();
        assert_eq!(allowed, other.iter().collect::<Vec<TokenId>>(), "seed {seed} after {text:?}");
        assert!(!allowed.is_empty(), "seed {seed}: a dead end after {text:?}");
        for token in (0..fast.vocabulary().len()).map(TokenId::new) {
            assert_eq!(
                mask.contains(token),
                matcher.fork().commit(token).is_ok(),
                "seed {seed}: {token:?} after {text:?}"
            );
        }
        // Towards the end after a while: closing tokens first.
        let closing = |token: &&TokenId| {
            let bytes = fast.vocabulary().bytes(**token);
            fast.vocabulary().is_stop(**token)
                || bytes.ends_with(b"]")
                || bytes.ends_with(b"\"")
                || bytes.ends_with(b"}")
        };
        let ends: Vec<TokenId> = allowed.iter().filter(closing).copied().collect();
        let token = *random.pick(if step > 12 && !ends.is_empty() { &ends } else { &allowed });
        matcher.commit(token).unwrap();
        twin.commit(token).unwrap();
        if matcher.is_finished() {
            let text = String::from_utf8(matcher.text()).unwrap();
            let value: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert!(is_right(&value, judge), "seed {seed}: {text}");
            return true;
        }
    }
    false
}

#[test]
fn mutated_documents_are_judged_as_the_recogniser_does() {
    let judge = Recogniser::new(&grammar(LISTS));
    let compiled = Compiler::new(Vocabulary::demo(), config())
        .json_schema(r#"{"type":"string","format":"list"}"#)
        .unwrap();
    let pieces = [
        "[",
        "]",
        ",",
        "a",
        "b",
        "é",
        "😀",
        "\\\"",
        "\\/",
        "/",
        "\\\\",
        "\\n",
        "\\u0061",
        "\\u00e9",
        "\\ud83d\\ude00",
        "\\ud83d",
        "\"",
        "\\",
        "c",
        "\\u005B",
        "\\u005d",
    ];
    let mut right = 0;
    for seed in 0..6_000 {
        let mut random = Random::new(0x5E47_8000 + seed);
        let mut parts: Vec<&str> = Vec::new();
        let mut depth = 0;
        while parts.len() < 12 && (parts.is_empty() || depth > 0) {
            let last_is_item =
                parts.last().is_some_and(|last| !matches!(*last, "[" | "," | "\\u005B" | "\\n"));
            let piece = match (random.below(4), last_is_item) {
                (0, true) => "]",
                (_, true) => *random.pick(&[",", ",", "]", "\\u005d"]),
                (0 | 1, false) => *random.pick(&["[", "[", "\\u005B"]),
                _ => *random.pick(&pieces[3..15]),
            };
            depth +=
                i32::from(matches!(piece, "[" | "\\u005B")) - i32::from(matches!(piece, "]" | "\\u005d"));
            parts.push(piece);
        }
        if random.chance(1, 2) {
            let at = random.below(parts.len());
            parts[at] = *random.pick(&pieces);
        }
        let document = format!("\"{}\"", parts.concat());
        let text: Option<String> = serde_json::from_str(&document).ok();
        let expected = text.is_some_and(|text| is_right(&text.into(), &judge));
        assert_eq!(accepts(&compiled, &document), expected, "seed {seed}: {document}");
        right += u32::from(expected);
    }
    assert!(right > 500, "{right}");
}
