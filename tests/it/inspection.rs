//! What is said of grammars and automata for people: dumps, maps, explanations. Their verdicts must be the masks' bits.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;

use maskwright::automaton::inspect::{StateKind, Target};
use maskwright::automaton::{EndingStep, Registers};
use maskwright::compiler::Source;
use maskwright::explain::{Verdict, Why};
use maskwright::grammar::dot;
use maskwright::grammar::rules::{Builder, Grammar, TokenMember, TokenSet};
use maskwright::limits::MAP_STATES_MAX;
use maskwright::{
    Bitmask, CompiledGrammar, Compiler, CompilerConfig, Matcher, TokenId, ToolsRequest, Vocabulary,
};
use maskwright_oracle::generate::{self, Random};

const SEED: u64 = 0xE7_1A17;

const PERSON: &str = include_str!("../../examples/person.schema.json");

const TAG: &str = r#"{"type": "structural_tag", "format": {"type": "triggered_tags", "triggers": ["<n>"], "tags": [
    {"begin": "<n>", "content": {"type": "json_schema", "json_schema": {"properties": {"k": {"maximum": 50}}}}, "end": "</n>"}]}}"#;

const TOOLS: &str = r#"{"family": "hermes", "tool_choice": "auto", "tools": [{"type": "function",
    "function": {"name": "now", "parameters": {"type": "object", "properties": {"zone": {"type": "string"}}}}}]}"#;

fn compiler() -> Compiler {
    Compiler::new(Vocabulary::demo(), CompilerConfig::default())
}

/// The shipped grammars, with a text of each.
fn shipped(compiler: &Compiler) -> Vec<(String, CompiledGrammar, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/grammars");
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .filter_map(|entry| Some(entry.unwrap().file_name().to_str()?.strip_suffix(".ebnf")?.to_owned()))
        .collect();
    names.sort();
    let read = |name: String| {
        let grammar = compiler.ebnf(&fs::read_to_string(format!("{folder}/{name}.ebnf")).unwrap()).unwrap();
        let cases = fs::read_to_string(format!("{folder}/{name}.cases.toml")).unwrap();
        let cases: toml::Table = toml::from_str(&cases).unwrap();
        let text = cases["accept"].as_array().unwrap().last().unwrap().as_str().unwrap().to_owned();
        (name, grammar, text)
    };
    names.into_iter().map(read).collect()
}

/// Grammars of all kinds, each with a text.
fn all_kinds(compiler: &Compiler) -> Vec<(String, CompiledGrammar, String)> {
    let mut all = shipped(compiler);
    let mut add = |name: &str, grammar: CompiledGrammar, text: &str| {
        all.push((name.to_owned(), grammar, text.to_owned()));
    };
    let person = r#"{"name": "Emma M", "age": 34, "email": "e@example.org", "address": {"city": "Ulm"}}"#;
    add("person", compiler.json_schema(PERSON).unwrap(), person);
    let unique = r#"{"items": {"enum": [1, 12, "a", [1]]}, "uniqueItems": true}"#;
    add("unique", compiler.json_schema(unique).unwrap(), "[1, 12, \"a\"]");
    let names = r#"{"additionalProperties": {"type": "integer"}}"#;
    add("names", compiler.json_schema(names).unwrap(), r#"{"ab": 1, "a": 2, "abc": -3}"#);
    add("regex", compiler.regex(r"\d{4}-\d{2}(é|è)?").unwrap(), "2024-10é");
    add("tag", compiler.structural_tag(TAG).unwrap(), "It is <n>{\"k\": 4}</n>, or <n>[1.5]</n>.");
    let tools = compiler.tools(&ToolsRequest::from_json(TOOLS).unwrap()).unwrap();
    add(
        "tools",
        tools,
        "So:\n<tool_call>\n{\"name\": \"now\", \"arguments\": {\"zone\": \"UTC\"}}\n</tool_call>",
    );
    let lark = "start: \"if\" NAME | NAME\nNAME: /[a-z]+/\n%ignore \" \"";
    add("lark", compiler.lark(lark).unwrap(), "if abc");
    all
}

#[test]
fn an_explanation_decides_as_the_mask_does() {
    let compiler = compiler();
    let vocabulary = compiler.vocabulary();
    let mut random = Random::new(SEED);
    for (name, grammar, text) in all_kinds(&compiler) {
        let mut matcher = Matcher::new(&grammar);
        let mut mask = Bitmask::new(&grammar);
        for token in Vocabulary::demo_encode(&text).into_iter().map(Some).chain([None]) {
            if token.is_none() || random.chance(1, 3) {
                matcher.fill_bitmask(&mut mask).unwrap();
                let some = mask.iter().nth(random.below(mask.count().max(1)));
                let drawn = (0..6).map(|_| TokenId::new(random.below(vocabulary.len())));
                for token in drawn.chain(some).chain(token).chain(vocabulary.stop_tokens().iter().copied()) {
                    same_as_the_mask(&name, &matcher, &mask, token);
                }
            }
            if let Some(token) = token {
                matcher.commit(token).unwrap_or_else(|e| panic!("{name}: {e} in {text:?}"));
            }
        }
        assert!(matcher.is_accepting(), "{name}: {text:?} (seed {SEED})");
    }
}

fn same_as_the_mask(name: &str, matcher: &Matcher, mask: &Bitmask, token: TokenId) {
    let explanation = matcher.explain(token).unwrap();
    let text = String::from_utf8_lossy(&matcher.text()).into_owned();
    let bytes = matcher.grammar().vocabulary().bytes(token);
    let what = format!("{name}: {bytes:?} behind {text:?}: {explanation:?} (seed {SEED})");
    assert_eq!(explanation.verdict.is_allowed(), mask.contains(token), "{what}");
    assert_eq!(explanation.before.accepting, matcher.is_accepting(), "{what}");
    assert!(!explanation.before.words.is_empty() || matcher.is_accepting(), "{what}");
    if let Verdict::FailsAt { byte, .. } = explanation.verdict {
        let read = |len: usize| {
            let mut registers = Registers::default();
            let whole = [&matcher.text(), &bytes[..len]].concat();
            let automaton = matcher.grammar().automaton().unwrap();
            automaton.advance(automaton.start(), &whole, &mut registers).unwrap()
        };
        assert!(read(byte).is_some() && read(byte + 1).is_none(), "{what}");
        assert!(!explanation.after.bytes.contains(bytes[byte]), "{what}");
    }
}

#[test]
fn explanations_and_endings_of_random_grammars_agree_with_the_mask() {
    let mut walked = 0;
    for i in 0..60 {
        let seed = SEED + i;
        let mut random = Random::new(seed);
        let made = generate::grammar::grammar(&mut random);
        let vocabulary = generate::vocabulary::letters(&mut random, &made.chars).unwrap();
        let compiler = Compiler::new(vocabulary.clone(), CompilerConfig::default());
        let Ok(grammar) = compiler.grammar(&made.grammar) else { continue };
        // Counts of parts that may be empty take all of an explanation's budget: correct, and slow.
        if made.shapes.iter().any(|shape| format!("{shape:?}").contains("Count")) {
            continue;
        }
        walked += 1;
        let name = format!("seed {seed}: {}", made.grammar);
        let mut matcher = Matcher::new(&grammar);
        let mut mask = Bitmask::new(&grammar);
        for _ in 0..5 {
            matcher.fill_bitmask(&mut mask).unwrap();
            let drawn: Vec<usize> = (0..5).map(|_| random.below(vocabulary.len())).collect();
            for token in drawn.into_iter().map(TokenId::new) {
                let explanation = matcher.explain(token).unwrap();
                assert_eq!(explanation.verdict.is_allowed(), mask.contains(token), "{token:?}, {name}");
                assert!(!explanation.before.words.is_empty() || matcher.is_accepting(), "{name}");
            }
            if let Some(way) = matcher.ending().unwrap() {
                let automaton = grammar.automaton().unwrap();
                let mut registers = Registers::default();
                let mut at = automaton.start();
                for token in matcher.tokens() {
                    at = automaton.read_token(at, token, &mut registers).unwrap().unwrap();
                }
                for step in way {
                    at = match step {
                        EndingStep::Byte(byte) => automaton.advance(at, &[byte], &mut registers),
                        EndingStep::Letter(token) => automaton.read_letter(at, token),
                    }
                    .unwrap()
                    .unwrap();
                }
                assert!(automaton.is_accepting(at), "{name}");
            }
            let text = mask.iter().filter(|&token| !vocabulary.is_stop(token)).collect::<Vec<TokenId>>();
            if text.is_empty() {
                break;
            }
            matcher.commit(*random.pick(&text)).unwrap();
        }
    }
    assert!(walked > 20, "{walked}");
}

#[test]
fn rules_under_way_are_found_behind_every_character_of_accepted_texts() {
    let compiler = compiler();
    for (name, grammar, text) in all_kinds(&compiler) {
        let mut matcher = Matcher::new(&grammar);
        for token in Vocabulary::demo_encode(&text) {
            let standing = matcher.standing().unwrap();
            assert!(!standing.words.is_empty(), "{name}: {:?}", matcher.text());
            assert!(standing.accepting || !standing.bytes.is_empty(), "{name}");
            matcher.commit(token).unwrap();
        }
    }
}

#[test]
fn an_explanation_names_rules_and_what_they_expect() {
    let compiler = compiler();
    let grammar = compiler
        .ebnf(r#"sum ::= sum "+" item | item  item ::= [0-9]{1,3} | "(" sum ")" | "" "-" item"#)
        .unwrap();
    let mut matcher = Matcher::new(&grammar);
    for token in Vocabulary::demo_encode("1+(22") {
        matcher.commit(token).unwrap();
    }
    let explanation = matcher.explain(Vocabulary::demo_encode("x")[0]).unwrap();
    assert_eq!(explanation.verdict, Verdict::FailsAt { byte: 0, why: Why::Grammar });
    let words = explanation.before.words.join("\n");
    for expected in [
        "in rule `item`, from byte 3: after `[0-9]`, expecting `[0-9]?`",
        "in rule `sum`, from byte 3: after `sum`, expecting `\"+\" item`",
        "in rule `item`, from byte 2: after `sum`, expecting `\")\"`",
    ] {
        assert!(words.contains(expected), "{expected} in\n{words}");
    }
    // The rule of byte 0 waits for the bracket.
    assert!(!words.contains("from byte 0"), "{words}");
}

#[test]
fn an_explanation_names_the_location_and_the_keywords() {
    let compiler = compiler();
    let grammar = compiler.json_schema(PERSON).unwrap();
    let mut matcher = Matcher::new(&grammar);
    for token in Vocabulary::demo_encode(r#"{"name": "Emma", "age": 3"#) {
        matcher.commit(token).unwrap();
    }
    let explanation = matcher.explain(Vocabulary::demo_encode("}")[0]).unwrap();
    assert_eq!(explanation.verdict, Verdict::FailsAt { byte: 0, why: Why::Grammar });
    let words = explanation.before.words.join("\n");
    for expected in
        ["at /age, inside a number", "/properties/age/maximum", "still needs \"email\"", "the key \"email\""]
    {
        assert!(words.contains(expected), "{expected} in\n{words}");
    }

    let grammar = compiler.json_schema(r#"{"additionalProperties": {"type": "integer"}}"#).unwrap();
    let mut matcher = Matcher::new(&grammar);
    for token in Vocabulary::demo_encode(r#"{"ab": 1, "ab"#) {
        matcher.commit(token).unwrap();
    }
    let explanation = matcher.explain(Vocabulary::demo_encode("\"")[0]).unwrap();
    assert_eq!(explanation.verdict, Verdict::FailsAt { byte: 0, why: Why::Used });
}

#[test]
fn every_kind_of_token_has_a_verdict() {
    let tokens: [&[u8]; 6] = [b"a", b"b", b"", b"ab", b"<go>", b"<end>"];
    let vocabulary = Vocabulary::from_tokens(tokens, &[TokenId(5)])
        .and_then(|vocabulary| vocabulary.with_letter_tokens(&[TokenId(4)]))
        .unwrap();
    let mut builder = Builder::new();
    let root = builder.rule("root", None);
    let a = builder.text("a");
    let go = TokenSet { members: vec![TokenMember::Ids(4, 4)], negated: false };
    let go = builder.token(go);
    let body = builder.sequence([a, go, a]);
    builder.define(root, body, None).unwrap();
    let grammar = builder.finish(root).unwrap();
    let grammar = Compiler::new(vocabulary, CompilerConfig::default()).grammar(&grammar).unwrap();
    let mut matcher = Matcher::new(&grammar);
    let verdict = |matcher: &Matcher, token: u32| matcher.explain(token).unwrap().verdict;
    assert_eq!(verdict(&matcher, 0), Verdict::Text);
    assert_eq!(verdict(&matcher, 1), Verdict::FailsAt { byte: 0, why: Why::Grammar });
    assert_eq!(verdict(&matcher, 2), Verdict::Empty);
    assert_eq!(verdict(&matcher, 3), Verdict::FailsAt { byte: 1, why: Why::Grammar });
    assert_eq!(verdict(&matcher, 4), Verdict::NotNamed);
    assert_eq!(verdict(&matcher, 5), Verdict::Incomplete);
    assert_eq!(verdict(&matcher, 6), Verdict::OutOfRange);
    matcher.commit(0).unwrap();
    let explanation = matcher.explain(4).unwrap();
    assert_eq!((explanation.verdict, &explanation.before.letters[..]), (Verdict::Letter, &[TokenId(4)][..]));
    assert_eq!(explanation.after.words, ["in rule `root`, from byte 0: after `<[4]>`, expecting `\"a\"`"]);
    matcher.commit(4).unwrap();
    matcher.commit(0).unwrap();
    assert_eq!(verdict(&matcher, 5), Verdict::Stop);
    matcher.commit(5).unwrap();
    assert_eq!(verdict(&matcher, 0), Verdict::Finished);
}

#[test]
fn a_text_with_too_many_items_is_explained_by_its_bytes() {
    let compiler = compiler();
    let grammar = compiler.ebnf(r#"root ::= root root | "a" | "b""#).unwrap();
    let mut matcher = Matcher::new(&grammar);
    let a = Vocabulary::demo_encode("a")[0];
    (0..2_000).for_each(|_| matcher.commit(a).unwrap());
    let explanation = matcher.explain(Vocabulary::demo_encode("c")[0]).unwrap();
    assert!(
        explanation.before.words[0].contains("too long or too ambiguous"),
        "{:?}",
        explanation.before.words
    );
    assert_eq!(explanation.before.bytes.iter().collect::<Vec<u8>>(), b"ab");
}

#[test]
fn dumped_grammars_are_read_back() {
    let compiler = compiler();
    for (name, grammar, _) in all_kinds(&compiler) {
        let Source::Grammar(grammar) = grammar.source() else { continue };
        let text = grammar.to_string();
        let again = Grammar::from_text_form(&text, &grammar.schemas)
            .unwrap_or_else(|e| panic!("{name}: {e}\n{text}"));
        assert_eq!(again.to_string(), text, "{name}");
    }
}

/// Whether a picture has only lines of the known shapes, with every quote closed and every node declared.
fn is_sound(dot: &str) {
    assert!(dot.starts_with("digraph ") && dot.ends_with("}\n"), "{dot}");
    let mut nodes = std::collections::BTreeSet::new();
    let lines: Vec<&str> = dot.lines().collect();
    for line in &lines[1..lines.len() - 1] {
        let mut quoted = false;
        let mut escaped = false;
        let mut outside = String::new();
        for c in line.chars() {
            match c {
                _ if escaped => escaped = false,
                '\\' if quoted => escaped = true,
                '"' => quoted = !quoted,
                c if !quoted => outside.push(c),
                _ => {}
            }
        }
        assert!(!quoted && !escaped && outside.ends_with(';'), "{line}");
        assert_eq!(outside.matches('[').count(), outside.matches(']').count(), "{line}");
        if let Some((from, to)) = outside.split_once("->") {
            let to = to.split(['[', ';']).next().unwrap().trim();
            assert!(nodes.contains(from.trim()) && nodes.contains(to), "{line}");
        } else if let Some((node, _)) = outside.trim().split_once(" [label=") {
            nodes.insert(node.to_owned());
        }
    }
}

#[test]
fn pictures_are_sound() {
    let compiler = compiler();
    for (_, grammar, text) in all_kinds(&compiler) {
        match grammar.source() {
            Source::Grammar(grammar) => is_sound(&dot::of_grammar(grammar)),
            Source::Schema(program) => is_sound(&dot::of_program(program)),
            other => panic!("{other}"),
        }
        is_sound(&grammar.automaton().unwrap().map(30).unwrap().to_dot());
        is_sound(&grammar.automaton().unwrap().map_along(text.as_bytes(), 60).unwrap().to_dot());
    }
}

#[test]
fn maps_are_bounded_and_depend_on_the_grammar_alone() {
    let (first, second) = (compiler(), compiler());
    // What was compiled before makes other states.
    second.json_schema(PERSON).unwrap().automaton().unwrap().map(50).unwrap();
    for ((name, one, text), (_, other, _)) in all_kinds(&first).into_iter().zip(all_kinds(&second)) {
        let map = one.automaton().unwrap().map(40).unwrap();
        assert!(map.states.len() <= 40, "{name}");
        assert_eq!(map.to_string(), other.automaton().unwrap().map(40).unwrap().to_string(), "{name}");
        let along = one.automaton().unwrap().map_along(text.as_bytes(), MAP_STATES_MAX).unwrap();
        assert!(along.states.len() <= text.len() + 1 && along.states.last().is_some(), "{name}");
        assert_eq!(
            along,
            other.automaton().unwrap().map_along(text.as_bytes(), MAP_STATES_MAX).unwrap(),
            "{name}"
        );
    }
    assert_eq!(first.regex("a*").unwrap().automaton().unwrap().map(0).unwrap().states.len(), 0);
}

#[test]
fn a_map_says_what_states_are_and_where_bytes_lead() {
    let grammar =
        compiler().json_schema(r#"{"properties": {"a": {"type": "integer"}}, "required": ["a"]}"#).unwrap();
    let map = grammar.automaton().unwrap().map_along(br#"{"a": 1}"#, 100).unwrap();
    let kinds: Vec<StateKind> = map.states.iter().map(|state| state.kind).collect();
    use StateKind::{Done, Key, Number, Object, Padding, Value};
    assert_eq!(kinds, [Value, Object, Key, Key, Object, Value, Padding, Number, Done]);
    assert!(map.states[8].accepting && map.states[1].words.contains("the key \"a\""), "{map}");
    assert_eq!(map.states[5].below, ["the rest of the object"]);
    let arrow = map.states[7].arrows.iter().find(|arrow| arrow.bytes.contains(b'}')).unwrap();
    assert_eq!(arrow.target, Target::State(8));
    assert!(arrow.does.contains(&"pop".to_owned()), "{arrow}");
}
