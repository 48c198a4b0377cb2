//! Context-free grammars, small ones written by hand: which texts they accept and which beginnings can go on.

use maskwright::automaton::Registers;
use maskwright::grammar::regex::{CharSet, Regex};
use maskwright::grammar::rules::{Builder, Grammar};
use maskwright::index::ExprId;
use maskwright::{Bitmask, CompiledGrammar, Compiler, CompilerConfig, Matcher, TokenId, Vocabulary};

/// Builds a grammar of one rule, which it hands to `body` as a call.
fn rule(body: impl FnOnce(&mut Builder, ExprId) -> ExprId) -> Grammar {
    let mut builder = Builder::new();
    let start = builder.rule("start", None);
    let call = builder.call(start);
    let body = body(&mut builder, call);
    builder.define(start, body, None).expect("one definition");
    builder.finish(start).expect("every rule is defined")
}

fn compile(grammar: &Grammar) -> CompiledGrammar {
    let compiler = Compiler::new(Vocabulary::demo(), CompilerConfig::default());
    compiler.grammar(grammar).expect("some text matches")
}

/// Whether the text is accepted; `None`: some beginning of it can't go on.
fn reads(grammar: &CompiledGrammar, text: &str) -> Option<bool> {
    let automaton = grammar.automaton().expect("nothing has changed since it was compiled");
    let mut registers = Registers::default();
    let after = automaton.advance(automaton.start(), text.as_bytes(), &mut registers);
    after.expect("within every limit").map(|cfg| automaton.is_accepting(cfg))
}

#[track_caller]
fn check(grammar: &Grammar, accepted: &[&str], begun: &[&str], refused: &[&str]) {
    let compiled = compile(grammar);
    for (texts, expected) in [(accepted, Some(true)), (begun, Some(false)), (refused, None)] {
        for text in texts {
            assert_eq!(reads(&compiled, text), expected, "{text:?}");
        }
    }
}

#[test]
fn middle_recursion() {
    let grammar = rule(|b, start| {
        let (open, close, nothing) = (b.text("("), b.text(")"), b.text(""));
        let pair = b.sequence([open, start, close]);
        b.choice([pair, nothing])
    });
    check(&grammar, &["", "()", "((()))"], &["(", "((", "(()"], &[")", "()(", "())"]);
}

#[test]
fn left_recursion_with_operators() {
    let grammar = rule(|b, start| {
        let (plus, digit) = (b.text("+"), b.set(CharSet::range('0', '9')));
        let sum = b.sequence([start, plus, start]);
        b.choice([sum, digit])
    });
    check(&grammar, &["1", "1+2", "1+2+3+4"], &["1+", "1+2+"], &["+", "12", "1++"]);
}

#[test]
fn a_rule_that_is_left_recursive_and_empty() {
    let grammar = rule(|b, start| {
        let (a, nothing) = (b.text("a"), b.text(""));
        let twice = b.sequence([start, start]);
        b.choice([twice, a, nothing])
    });
    check(&grammar, &["", "a", "aaaa"], &[], &["b", "ab"]);
}

#[test]
fn palindromes() {
    let grammar = rule(|b, start| {
        let (x, y, nothing) = (b.text("x"), b.text("y"), b.text(""));
        let (xs, ys) = (b.sequence([x, start, x]), b.sequence([y, start, y]));
        b.choice([xs, ys, nothing])
    });
    check(&grammar, &["", "xx", "xyyx", "xyxxyx"], &["x", "xy", "xyy", "xxx", "xyx"], &["z"]);
}

#[test]
fn left_recursion_hidden_behind_an_empty_rule() {
    let mut b = Builder::new();
    let (start, empty) = (b.rule("start", None), b.rule("empty", None));
    let (call, hidden) = (b.call(start), b.call(empty));
    let (x, y, z) = (b.text("x"), b.text("y"), b.text("z"));
    let nothing = b.text("");
    let again = b.sequence([hidden, call, x]);
    let body = b.choice([again, y]);
    b.define(start, body, None).unwrap();
    let body = b.choice([nothing, z]);
    b.define(empty, body, None).unwrap();
    let grammar = b.finish(start).unwrap();
    check(&grammar, &["y", "yx", "zyx", "zzyxx", "zyxxx"], &["z", "zy", "zzyx"], &["x", "yz"]);
}

#[test]
fn counted_repetition_of_a_rule() {
    let grammar = rule(|b, start| {
        let (open, close) = (b.text("["), b.text("]"));
        let inner = b.repeat(start, 0, Some(2));
        let list = b.sequence([open, inner, close]);
        b.repeat(list, 1, Some(3))
    });
    check(&grammar, &["[]", "[][][]", "[[][]]", "[[[]][]]"], &["", "[", "[[]"], &["]", "[][][][]"]);
}

#[test]
fn regular_rules_run_as_one_machine() {
    let mut b = Builder::new();
    let (start, digits) = (b.rule("start", None), b.rule("digits", None));
    let digit = b.regex(Regex::set(CharSet::range('0', '9')).plus());
    b.define(digits, digit, None).unwrap();
    let (first, second, point) = (b.call(digits), b.call(digits), b.text("."));
    let body = b.sequence([first, point, second]);
    b.define(start, body, None).unwrap();
    check(&b.finish(start).unwrap(), &["1.2", "12.34"], &["1", "12", "1."], &[".", "1.."]);
}

#[test]
fn ambiguous_sums_take_few_states() {
    let grammar = rule(|b, start| {
        let (plus, digit) = (b.text("+"), b.text("n"));
        let sum = b.sequence([start, plus, start]);
        b.choice([sum, digit])
    });
    let compiled = compile(&grammar);
    let text = format!("n{}", "+n".repeat(400));
    assert_eq!(reads(&compiled, &text), Some(true));
    let few = compiled.statistics();
    let longer = format!("n{}", "+n".repeat(800));
    assert_eq!(reads(&compiled, &longer), Some(true));
    assert_eq!(few, compiled.statistics(), "a longer text needs no more");
    assert!(few.states < 40 && few.frames < 20, "{few:?}");
}

#[test]
fn a_rule_at_its_end_beside_a_text_under_way_goes_on_in_the_mask() {
    let compiler = Compiler::new(Vocabulary::demo(), CompilerConfig::default());
    let text = "root ::= rel \"c\"  rel ::= d \"->\" | d \"-\"  d ::= \"[\" d \"]\" | \"x\"";
    let grammar = compiler.ebnf(text).expect("some text matches");
    let vocabulary = grammar.vocabulary();
    let single = |byte: u8| {
        let trie = vocabulary.trie();
        trie.tokens(trie.child(0, byte).expect("every byte is a token"))[0]
    };
    let mut matcher = Matcher::new(&grammar);
    b"x-".iter().for_each(|&byte| matcher.commit(single(byte)).expect("allowed"));
    let mut mask = Bitmask::new(&grammar);
    matcher.fill_bitmask(&mut mask).expect("within every limit");
    for byte in 0..=u8::MAX {
        let allowed = matches!(byte, b'>' | b'c');
        assert_eq!(mask.contains(single(byte)), allowed, "{byte}");
        assert_eq!(matcher.fork().commit(single(byte)).is_ok(), allowed, "{byte}");
    }
}

#[test]
fn a_stop_token_is_the_last_letter_of_a_grammar_or_it_is_refused() {
    let vocabulary =
        Vocabulary::from_tokens(["a", "b", "<x>", "<end>"], &[TokenId(3)]).expect("a vocabulary");
    let vocabulary = vocabulary.with_letter_tokens(&[TokenId(2)]).expect("a letter");
    let compiler = Compiler::new(vocabulary, CompilerConfig::default());
    let error = compiler.ebnf("root ::= t \"b\"\nt ::= \"a\" <end>").expect_err("more behind it");
    let message = error.to_string();
    assert!(
        message.starts_with("line 2, column 1") && message.contains("the stop token 3 (<end>) has more"),
        "{message}"
    );
    let error =
        compiler.structural_tag(r#"{"sequence": [{"type": "token", "token": "<end>"}, {"regex": "a"}]}"#);
    assert!(error.expect_err("more behind it").to_string().contains("has more behind it"));
    for last in [
        "root ::= \"a\" <end>",
        "root ::= \"a\" <end> \"b\"?",
        "root ::= (\"a\" <end>)+",
        "root ::= \"a\" !<x> \"b\"",
    ] {
        assert!(compiler.ebnf(last).is_ok(), "{last}");
    }
    // What ends the texts of one request.
    let grammar = compiler.ebnf("root ::= \"a\" <x> \"b\"").expect("no stop token");
    assert!(Matcher::with_stop_tokens(&grammar, &[TokenId(3)]).is_ok());
    let error = Matcher::with_stop_tokens(&grammar, &[TokenId(2), TokenId(3)]).expect_err("more behind it");
    assert!(error.to_string().contains("the stop token 2 has more behind it"), "{error}");
}
