//! Grammars and regexes from public bug reports: they are read, or refused as the report asks.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use maskwright::CompileError;
use maskwright::grammar::rules::Grammar;
use maskwright::syntax::{ebnf, gbnf, regex};
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
