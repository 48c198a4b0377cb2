//! Grammars and regexes from public bug reports: they are read, or refused as the report asks.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fmt::Write as _;

use maskwright::automaton::Registers;
use maskwright::error::CompileErrorKind;
use maskwright::grammar::rules::Grammar;
use maskwright::syntax::{ebnf, gbnf, regex};
use maskwright::{CompileError, CompiledGrammar, Compiler, CompilerConfig, Vocabulary};
use maskwright_oracle::data;

/// Reports that ask for an error, and what it must say.
const REFUSED: &[(&str, &str, &str)] = &[
    ("gbnf-undefined-rule", "line 1, column 14", "the rule `item` is used and not defined"),
    ("gbnf-bad-operator", "line 1, column 6", "`:==` behind the name `rout`; a rule is defined with `::=`"),
];

fn read(kind: &str, text: &str) -> Option<Result<Grammar, CompileError>> {
    match kind {
        "gbnf" => Some(gbnf::parse(text).map(|parsed| parsed.grammar)),
        "ebnf" => Some(ebnf::parse(text).map(|parsed| parsed.grammar)),
        "regex" => Some(regex::parse(text)),
        _ => None,
    }
}

#[test]
fn reported_grammars_are_read_or_refused_as_they_should_be() {
    let cases = data::reported_cases();
    let mut read_count = 0;
    for case in &cases {
        let Some(text) = case.grammar.as_str() else { continue };
        let Some(answer) = read(&case.kind, text) else { continue };
        read_count += 1;
        match (REFUSED.iter().find(|(id, ..)| *id == case.id), answer) {
            (None, Ok(grammar)) => {
                let form = grammar.to_string();
                // Tables of states, which some assertions need, have no text form.
                if !form.contains("<states:") {
                    let back = Grammar::from_text_form(&form, &[]).unwrap();
                    assert_eq!(back.to_string(), form, "{}", case.id);
                }
            }
            (Some((_, place, part)), Err(e)) => {
                let message = e.to_string();
                assert!(message.starts_with(place) && message.contains(part), "{}: {message}", case.id);
            }
            (_, Ok(grammar)) => panic!("{}: read as\n{grammar}", case.id),
            (None, Err(e)) => panic!("{}: {e}", case.id),
        }
    }
    assert!(cases.is_empty() || read_count >= 24, "{read_count} cases");
}

#[test]
fn gbnf_reports_mean_the_same_as_ebnf() {
    for case in data::reported_cases().iter().filter(|case| case.kind == "gbnf") {
        let Some(text) = case.grammar.as_str() else { continue };
        if let Ok(parsed) = gbnf::parse(text) {
            let as_ebnf = ebnf::parse(text).unwrap_or_else(|e| panic!("{}: {e}", case.id));
            assert_eq!(as_ebnf.grammar.to_string(), parsed.grammar.to_string(), "{}", case.id);
        }
    }
}

#[test]
fn generated_texts_of_reports_end_with_an_answer() {
    let deep = format!("root ::= {}\"a\"{}", "(".repeat(60_000), ")".repeat(60_000));
    assert!(gbnf::parse(deep).unwrap_err().to_string().contains("GRAMMAR_DEPTH_MAX"));
    let chain: String = (1..5_000).map(|i| format!("r{i} ::= r{}\n", i + 1)).collect();
    let chain = format!("root ::= r1\n{chain}r5000 ::= \"a\"");
    assert_eq!(gbnf::parse(chain).unwrap().grammar.rules.len(), 5_001);
}

/// Whether the compiled grammar accepts the text, byte by byte.
fn accepts(grammar: &CompiledGrammar, text: &str) -> bool {
    let automaton = grammar.automaton().unwrap();
    let mut registers = Registers::default();
    let after = automaton.advance(automaton.start(), text.as_bytes(), &mut registers).unwrap();
    after.is_some_and(|cfg| automaton.is_accepting(cfg))
}

#[test]
fn reported_grammars_accept_and_refuse_what_they_should() {
    let compiler = Compiler::new(Vocabulary::demo(), CompilerConfig::default());
    let (mut texts, mut wrong) = (0, Vec::new());
    let cases = data::reported_cases();
    for case in &cases {
        let Some(text) = case.grammar.as_str() else { continue };
        let Some(Ok(grammar)) = read(&case.kind, text) else { continue };
        let compiled = compiler.grammar(&grammar).unwrap_or_else(|e| panic!("{}: {e}", case.id));
        let accepted = case.accept.iter().map(|(text, _)| (text, true));
        for (text, expected) in accepted.chain(case.reject.iter().map(|text| (text, false))) {
            texts += 1;
            if accepts(&compiled, text) != expected {
                wrong.push(format!("{}: {text:?} should be accepted: {expected}", case.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(cases.is_empty() || texts > 100, "{texts} texts");
}

/// A GBNF grammar that a generator describes: it compiles, or is refused with the right kind of error.
fn compiles(text: &str) -> Result<CompiledGrammar, CompileError> {
    Compiler::new(Vocabulary::demo(), CompilerConfig::default()).gbnf(text)
}

#[test]
fn deep_brackets_are_a_limit_and_long_chains_of_rules_work() {
    let deep = format!("root ::= {}\"a\"{}", "(".repeat(60_000), ")".repeat(60_000));
    assert_eq!(compiles(&deep).unwrap_err().kind(), CompileErrorKind::Limit);
    for last in ["\"a\"", "\"a\" r0 \"b\" | \"c\""] {
        let mut chain = String::from("root ::= r0\n");
        for i in 0..10_000 {
            writeln!(chain, "r{i} ::= r{}", i + 1).unwrap();
        }
        writeln!(chain, "r10000 ::= {last}").unwrap();
        let grammar = compiles(&chain).unwrap();
        let text = if last.len() < 5 { "a" } else { "aacbb" };
        assert!(accepts(&grammar, text) && !accepts(&grammar, "b"), "{last}");
    }
}

#[test]
fn exponentially_ambiguous_grammars_run_within_bounds() {
    let grammar = compiles("root ::= root root | \"a\" |").unwrap();
    assert!(accepts(&grammar, &"a".repeat(2_000)));
    let grammar = compiles("root ::= ((\"a\"*)*)*").unwrap();
    assert!(accepts(&grammar, &"a".repeat(2_000)));
    let grammar = compiles("root ::= x{0,50}\nx ::= \"a\" x \"b\" | \"a\"*").unwrap();
    assert!(accepts(&grammar, &format!("{}{}", "a".repeat(300), "b".repeat(20))));
}

#[test]
fn rules_that_never_end_are_named() {
    let message = |text: &str| compiles(text).unwrap_err().to_string();
    let found = message("root ::= item\nitem ::= \"a\" more\nmore ::= item \"b\"");
    assert!(found.contains("`root` → `item` → `more`"), "{found}");
    let found = message("root ::= root");
    assert!(found.contains("`root`") && found.contains("never comes to an end"), "{found}");
    let half = compiles("root ::= \"x\" | lost\nlost ::= \"a\" lost\nunused ::= \"b\"").unwrap();
    assert!(accepts(&half, "x") && !accepts(&half, "a"), "an alternative without end is left out");
}
