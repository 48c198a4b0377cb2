//! JSON Schemas inside grammars: which texts are accepted, and that masks and commits agree there too.

use maskwright::automaton::Registers;
use maskwright::grammar::regex::{CharSet, Regex};
use maskwright::grammar::rules::{Builder, Grammar};
use maskwright::index::ExprId;
use maskwright::syntax::schema::{self, SchemaOptions};
use maskwright::{Bitmask, CompiledGrammar, Compiler, CompilerConfig, Matcher, TokenId, Vocabulary};

fn schema(builder: &mut Builder, text: &str) -> ExprId {
    let (program, _) = schema::compile(text, &SchemaOptions::default()).expect("a small schema");
    builder.schema(program)
}

/// The text up to and with the first `stop`.
fn until(stop: &str) -> Regex {
    let holds = Regex::concat([Regex::any_text(), Regex::literal(stop), Regex::any_text()]);
    let longer = Regex::concat([Regex::any_text(), Regex::literal(stop), Regex::set(CharSet::any()).plus()]);
    Regex::concat([Regex::any_text(), Regex::literal(stop)]).except(Regex::and([longer, holds]))
}

fn one_rule(body: impl FnOnce(&mut Builder) -> ExprId) -> Grammar {
    let mut builder = Builder::new();
    let start = builder.rule("start", None);
    let body = body(&mut builder);
    builder.define(start, body, None).expect("one definition");
    builder.finish(start).expect("every rule is defined")
}

fn compile(grammar: &Grammar) -> CompiledGrammar {
    let compiler = Compiler::new(Vocabulary::demo(), CompilerConfig::default());
    compiler.grammar(grammar).expect("some text matches")
}

#[track_caller]
fn check(grammar: &Grammar, accepted: &[&str], refused: &[&str]) {
    let compiled = compile(grammar);
    let automaton = compiled.automaton().expect("nothing has changed since it was compiled");
    for (texts, expected) in [(accepted, true), (refused, false)] {
        for text in texts {
            let mut registers = Registers::default();
            let after = automaton.advance(automaton.start(), text.as_bytes(), &mut registers);
            let found = after.expect("within every limit").is_some_and(|cfg| automaton.is_accepting(cfg));
            assert_eq!(found, expected, "{text:?}");
        }
    }
    accepted.iter().for_each(|text| masks_are_commits(&compiled, text));
}

/// At every token of a text, spelled in the demo vocabulary, the mask has exactly the tokens that can be committed.
fn masks_are_commits(grammar: &CompiledGrammar, text: &str) {
    let mut matcher = Matcher::new(grammar);
    let mut mask = Bitmask::new(grammar);
    for token in Vocabulary::demo_encode(text) {
        matcher.fill_bitmask(&mut mask).expect("within every limit");
        for other in (0..grammar.vocabulary().len()).map(TokenId::new) {
            let committed = matcher.fork().commit(other).is_ok();
            assert_eq!(mask.contains(other), committed, "{other:?} after {:?}", matcher.text());
        }
        matcher.commit(token).expect("the text is accepted");
    }
    assert!(matcher.is_accepting());
}

const INTEGER_A: &str = r#"{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"],"additionalProperties":false}"#;

#[test]
fn thinking_and_then_a_document() {
    let grammar = one_rule(|b| {
        let (thought, document) = (b.regex(until("</think>")), schema(b, INTEGER_A));
        b.sequence([thought, document])
    });
    check(
        &grammar,
        &[r#"plan {maybe} </think>{"a":1}"#, r#"</think>{"a":0}"#, r#"a < b </thin k></think>{"a":2}"#],
        &[r#"plan {"a":1}"#, "r</think>nope", r#"r</think>{"a":"x"}"#, r#"r</think>{"a":1}x"#],
    );
}

#[test]
fn objects_that_keep_their_names_inside_a_list() {
    let grammar = one_rule(|b| {
        let object = schema(b, r#"{"type":"object","additionalProperties":{"type":"boolean"}}"#);
        let (comma, open, close) = (b.text(";"), b.text("<"), b.text(">"));
        let more = b.sequence([comma, object]);
        let more = b.repeat(more, 0, Some(2));
        b.sequence([open, object, more, close])
    });
    check(
        &grammar,
        &["<{}>", r#"<{"a":true,"b":false};{"a":true}>"#, r#"<{"a":true};{};{"a":false}>"#],
        &["<>", r#"<{"a":true,"a":false}>"#, "<{};{};{};{}>", r#"<{"a":1}>"#],
    );
}

#[test]
fn a_number_may_end_where_the_grammar_goes_on_with_digits() {
    let grammar = one_rule(|b| {
        let (number, digit) =
            (schema(b, r#"{"type":"integer","minimum":0}"#), b.set(CharSet::range('0', '9')));
        let unit = b.text("m");
        let tail = b.choice([digit, unit]);
        b.sequence([number, tail])
    });
    check(&grammar, &["12", "123", "0m", "00", "10m"], &["1", "m", "12mm", "01m"]);
}

#[test]
fn tokens_may_leave_a_number_before_its_last_digit() {
    let tokens = ["1", "2", "3", ";", "[", "]", "2;", "23", "[1", "1;", "23;", "</s>"];
    let vocabulary = Vocabulary::from_tokens(tokens, &[TokenId(11)]).expect("a small vocabulary");
    let grammar = one_rule(|b| {
        let number = schema(b, r#"{"type":["integer","array"],"minimum":0,"items":{"type":"integer"}}"#);
        let (digit, end) = (b.set(CharSet::range('2', '3')), b.text(";"));
        b.sequence([number, digit, end])
    });
    let compiled = Compiler::new(vocabulary, CompilerConfig::default()).grammar(&grammar).expect("a grammar");
    for (before, expected) in [
        (&[][..], &[0, 1, 2, 4, 7, 8, 10][..]),
        (&[0], &[0, 1, 2, 6, 7, 10]),
        (&[0, 1], &[0, 1, 2, 3, 6, 7, 10]),
        (&[8], &[0, 1, 2, 5, 7]),
        (&[8, 5], &[1, 2, 6]),
    ] {
        let mut matcher = Matcher::new(&compiled);
        before.iter().for_each(|&token: &u32| matcher.commit(token).expect("it may follow"));
        let mut mask = Bitmask::new(&compiled);
        matcher.fill_bitmask(&mut mask).expect("within every limit");
        let found: Vec<u32> = mask.iter().map(|token| token.0).collect();
        assert_eq!(found, expected, "after {:?}", String::from_utf8_lossy(&matcher.text()));
        for token in (0..11).map(TokenId) {
            assert_eq!(matcher.fork().commit(token).is_ok(), expected.contains(&token.0), "{token:?}");
        }
    }
}

#[test]
fn equal_schemas_of_several_alternatives_are_read_once() {
    let grammar = one_rule(|b| {
        let value = schema(b, r#"{"type":"object","additionalProperties":{"type":"integer"}}"#);
        let (x, y) = (b.text("x"), b.text("y"));
        let (first, second) = (b.sequence([value, x]), b.sequence([value, y]));
        b.choice([first, second])
    });
    check(&grammar, &["{}x", r#"{"k":1}y"#], &["{}", "{}xy", r#"{"k":1,"k":2}y"#]);
}

#[test]
fn unlike_schemas_may_begin_alike_if_nothing_is_kept_for_them() {
    let grammar = one_rule(|b| {
        let (text, word) = (schema(b, r#"{"type":"string","maxLength":2}"#), schema(b, r#"{"const":"abc"}"#));
        let (x, y) = (b.text("x"), b.text("y"));
        let (first, second) = (b.sequence([text, x]), b.sequence([word, y]));
        b.choice([first, second])
    });
    check(&grammar, &[r#""ab"x"#, r#""abc"y"#], &[r#""abc"x"#, r#""ab"y"#]);
}

#[test]
fn a_schema_that_nothing_satisfies_makes_its_alternative_vanish() {
    let grammar = one_rule(|b| {
        let (none, other) = (schema(b, r#"{"type":"string","minLength":3,"maxLength":1}"#), b.text("ok"));
        b.choice([none, other])
    });
    check(&grammar, &["ok"], &["\"", "o"]);
}

#[test]
fn tokens_are_letters_of_a_grammar() {
    use maskwright::grammar::rules::{TokenMember, TokenSet};
    let tokens = ["a", "{", "}", "\"", ":", "1", "<think>", "</think>", "</s>"];
    let vocabulary = Vocabulary::from_tokens(tokens, &[TokenId(8)])
        .and_then(|v| v.with_letter_tokens(&[TokenId(6), TokenId(7)]))
        .expect("a small vocabulary");
    let grammar = one_rule(|b| {
        let end = TokenSet { members: vec![TokenMember::Name("</think>".into())], negated: false };
        let (end, any) = (b.token(end), b.regex(Regex::any_text()));
        let document = schema(b, INTEGER_A);
        b.sequence([any, end, document])
    });
    let compiled = Compiler::new(vocabulary, CompilerConfig::default()).grammar(&grammar).expect("a grammar");
    let mut matcher = Matcher::new(&compiled);
    let mut mask = Bitmask::new(&compiled);
    let allowed = |matcher: &mut Matcher, mask: &mut Bitmask| -> Vec<u32> {
        matcher.fill_bitmask(mask).expect("within every limit");
        mask.iter().map(|token| token.0).collect()
    };
    assert_eq!(allowed(&mut matcher, &mut mask), [0, 1, 2, 3, 4, 5, 7]);
    assert!(matcher.commit(6).is_err(), "the grammar does not name it");
    for token in [0, 1, 7] {
        matcher.commit(token).expect("it may follow");
    }
    assert_eq!(allowed(&mut matcher, &mut mask), [1]);
    assert_eq!(matcher.text(), b"a{", "letters write nothing");
    matcher.rollback(1).expect("one was committed");
    assert_eq!(allowed(&mut matcher, &mut mask), [0, 1, 2, 3, 4, 5, 7]);
    for token in [7, 1, 3, 0, 3, 4, 5, 2] {
        matcher.commit(token).expect("it may follow");
    }
    assert!(matcher.is_accepting());
    matcher.commit(8).expect("the text is complete");
    assert!(matcher.is_finished());
}

#[test]
fn rules_that_a_text_leaves_open_match_schemas() {
    let compiler = Compiler::new(Vocabulary::demo(), CompilerConfig::default());
    let schemas = [("answer", INTEGER_A), ("list", r#"{"type":"array","items":{"type":"boolean"}}"#)];
    let texts = [
        compiler.ebnf_with_schemas(r#"root ::= ("A: " answer | "L: " list) ";""#, &schemas),
        compiler.ebnf_with_schemas(r#"root = ( "A: ", answer | "L: ", list ), ";" ;"#, &schemas),
        compiler.gbnf_with_schemas("root ::= (\"A: \" answer | \"L: \" list) \";\"", &schemas),
    ];
    for compiled in texts {
        let compiled = compiled.expect("a grammar");
        assert!(compiled.report().entries().len() > 4);
        for text in [r#"A: {"a":1};"#, "L: [true,false];", "L: [];"] {
            masks_are_commits(&compiled, text);
        }
        let automaton = compiled.automaton().expect("nothing has changed since it was compiled");
        for text in [r#"A: {"a":true};"#, "L: [1];", "A: [];"] {
            let after = automaton.advance(automaton.start(), text.as_bytes(), &mut Registers::default());
            assert!(
                !after.expect("within every limit").is_some_and(|cfg| automaton.is_accepting(cfg)),
                "{text}"
            );
        }
    }
}

#[test]
fn schemas_for_rules_that_a_text_defines_or_does_not_use_are_refused() {
    let compiler = Compiler::new(Vocabulary::demo(), CompilerConfig::default());
    for (text, name, schema, why) in [
        (r#"root ::= "x" answer"#, "anwser", "{}", "did you mean `answer`?"),
        (r#"root ::= "x" answer  answer ::= "y""#, "answer", "{}", "line 1, column 22"),
        (r#"root ::= "x" answer"#, "answer", r#"{"type":"strin"}"#, "/type"),
        (r#"root ::= "x" | answer"#, "answer", "false", "nothing satisfies it"),
        (r#"root ::= "x" answer other"#, "answer", "{}", "`other` is used and not defined"),
    ] {
        let message = compiler.ebnf_with_schemas(text, &[(name, schema)]).unwrap_err().to_string();
        assert!(message.contains(why), "{message}");
    }
}

#[test]
fn strings_that_are_texts_of_grammars_stand_in_schemas_inside_grammars() {
    let sum = r#"sum ::= sum "+" n | n  n ::= [0-9] | "(" sum ")""#;
    let mirrored = r#"root ::= "1" root "1" | "\"" root "\"" | "+"?"#;
    let read = |text: &str| maskwright::syntax::ebnf::parse(text).expect("a grammar").grammar;
    let config = CompilerConfig::default()
        .with_grammar_format("sum", read(sum))
        .and_then(|config| config.with_grammar_format("mirrored", read(mirrored)))
        .expect("two formats");
    let compiler = Compiler::new(Vocabulary::demo(), config);
    let (one, two) = (r#"{"type":"string","format":"sum"}"#, r#"{"type":"string","format":"mirrored"}"#);
    let member = |schema: &str| format!(r#"{{"type":"object","additionalProperties":{schema}}}"#);
    // Both strings begin alike, and their schemas stand beside each other.
    let grammar = compiler
        .ebnf_with_schemas(r#"root ::= (one "." | two ";" | "\"" [^"]* "!")+"#, &[("one", one), ("two", two)])
        .expect("a grammar");
    for (text, expected) in [
        (r#""1"."1+(2)"."#, true),
        (r#""1+1";"#, true),
        (r#""";"1+\u0031";"\"+\"";"#, true),
        (r#""12!"#, true),
        (r#""1+1!"1+1".""#, false),
        (r#""1+(".""#, false),
        (r#""11"."#, false),
        (r#""1+2";"#, false),
    ] {
        let mut matcher = Matcher::new(&grammar);
        let read = Vocabulary::demo_encode(text).into_iter().all(|token| matcher.commit(token).is_ok());
        assert_eq!(read && matcher.is_accepting(), expected, "{text}");
    }
    masks_are_commits(&grammar, r#""1"."11";"(1)+2"."+";"#);
    let grammar =
        compiler.ebnf_with_schemas(r#"root ::= "<" one ">""#, &[("one", &member(one))]).expect("a grammar");
    masks_are_commits(&grammar, r#"<{"a":"1","b":"(\u0031+2)"}>"#);
}
