//! Grammars that are made to hurt: each ends in a clear refusal, in `Exhausted`, or runs; none hangs.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use maskwright::automaton::Registers;
use maskwright::error::{CommitError, CompileError, CompileErrorKind, MaskError};
use maskwright::{Bitmask, CompiledGrammar, Compiler, CompilerConfig, Matcher, Vocabulary};

fn compiler() -> Compiler {
    Compiler::new(Vocabulary::demo(), CompilerConfig::default())
}

fn ebnf(text: &str) -> Result<CompiledGrammar, CompileError> {
    compiler().ebnf(text)
}

/// One rule for each number, then the last.
fn chain(len: usize, rule: impl Fn(usize) -> String, last: &str) -> String {
    let rules: Vec<String> = (0..len).map(|at| format!("r{at} ::= {}\n", rule(at))).collect();
    format!("root ::= r0\n{}r{len} ::= {last}\n", rules.concat())
}

/// How far a text is read, a mask before each byte; `Err` is the number of bytes read before the budget was exhausted. The matcher
/// stays where it was then.
fn read(grammar: &CompiledGrammar, text: &str) -> Result<usize, usize> {
    let mut matcher = Matcher::new(grammar);
    let mut mask = Bitmask::new(grammar);
    for (at, byte) in text.bytes().enumerate() {
        if let Err(e) = matcher.fill_bitmask(&mut mask) {
            assert!(matches!(e, MaskError::Exhausted(_)), "{e}");
            assert_eq!(matcher.text(), text.as_bytes()[..at]);
            return Err(at);
        }
        let token = mask.iter().find(|&token| grammar.vocabulary().bytes(token) == [byte]);
        if let Err(e) = matcher.commit(token.expect("the byte may follow")) {
            assert!(matches!(e, CommitError::Exhausted(_)), "{e}");
            assert_eq!(matcher.text(), text.as_bytes()[..at]);
            return Err(at);
        }
    }
    Ok(text.len())
}

#[track_caller]
fn assert_limit(compiled: Result<CompiledGrammar, CompileError>) {
    assert_eq!(compiled.err().map(|error| error.kind()), Some(CompileErrorKind::Limit));
}

/// The same grammar as a text of each notation.
fn in_each_notation(text: &str) -> [CompiledGrammar; 4] {
    let tag = serde_json::json!({
        "type": "structural_tag",
        "format": { "type": "grammar", "grammar": text },
    });
    let lark = text.replace("::=", ":").replace("root", "start");
    [
        compiler().ebnf(text).unwrap(),
        compiler().gbnf(text).unwrap(),
        compiler().lark(&lark).unwrap(),
        compiler().structural_tag(&tag.to_string()).unwrap(),
    ]
}

#[test]
fn ambiguous_texts_take_a_constant_number_of_states_and_frames_a_byte() {
    let grammars = [
        "root ::= root root | root root root | \"a\" | \"\"\n",
        "root ::= \"a\" root \"a\" | \"a\" root | root \"a\" | \"a\"\n",
        "root ::= x root x | x\nx ::= \"a\" x | \"a\" | x x\n",
        "root ::= s\ns ::= \"a\" s s | \"a\" s s s | \"a\" | \"\"\n",
        "root ::= (root root | \"a\")+\n",
    ];
    let text = "a".repeat(100);
    for grammar in grammars {
        let compiled = ebnf(grammar).unwrap();
        assert_eq!(read(&compiled, &text), Ok(100), "{grammar}");
        let made = compiled.statistics();
        assert!(made.states < 20 + 100 && made.frames < 4 * 100, "{grammar}: {made:?}");
    }
    for compiled in in_each_notation(grammars[0]) {
        assert_eq!(read(&compiled, &text[..30]), Ok(30));
        let made = compiled.statistics();
        assert!(made.states < 60 && made.frames < 4 * 30, "{made:?}");
    }
}

#[test]
fn texts_read_in_all_ways_at_once_do_not_run_out_of_the_budget() {
    // No frame covers all others here.
    let grammars = [
        "root ::= s\ns ::= s s s s s | \"a\" s? \"a\"? | t\nt ::= t s t | s \"a\" s | \"a\" t \"a\" | \"\"\n",
        "root ::= a | b | c\na ::= \"a\" b c? | \"a\"\nb ::= \"a\" c a? | \"a\"\nc ::= \"a\" a b? | \"a\" a a a | \"a\"\n",
        "root ::= \"a\" root \"a\" | \"b\" root \"b\" | \"a\" | \"\"\n",
    ];
    for grammar in grammars {
        assert_eq!(read(&ebnf(grammar).unwrap(), &"a".repeat(80)), Ok(80), "{grammar}");
    }
}

#[test]
fn chains_of_rules_that_may_be_empty_run_or_run_out_of_the_budget() {
    type Rule = fn(usize) -> String;
    let chains: [(Rule, &str); 4] = [
        (|at| format!("r{} \"b\"? | r{0} r{0}", at + 1), "\"a\"?"),
        (|at| format!("\"a\"? r{} r{0}", at + 1), "\"a\" root \"b\" | \"\""),
        (|at| format!("r{}? \"a\"? r{0}? | \"q{at}\" root", at + 1), "\"a\" | \"b\""),
        (|at| format!("r{}* \"b\"?", at + 1), "\"a\" root? \"c\""),
    ];
    for (rule, last) in chains {
        let short = ebnf(&chain(40, rule, last)).unwrap();
        assert_eq!(read(&short, "aa"), Ok(2), "{last}");
    }
    for (rule, last) in [chains[0], chains[3]] {
        let long = ebnf(&chain(10_000, rule, last)).unwrap();
        let _typed = read(&long, "a");
    }
}

#[test]
fn long_chains_of_calls_run() {
    let unit = ebnf(&chain(10_000, |at| format!("r{}", at + 1), "\"a\" r0 \"b\" | \"c\"")).unwrap();
    assert_eq!(read(&unit, "aacbb"), Ok(5));
    let pairs = ebnf(&chain(300, |at| format!("r{} r{0}?", at + 1), "\"a\" root? \"b\"")).unwrap();
    assert_eq!(read(&pairs, "abaab"), Ok(5));
}

#[test]
fn rules_that_are_left_recursive_together_run_or_are_refused() {
    let ring = |count: usize| {
        let rules = (0..count)
            .map(|at| format!("r{at} ::= r{} \"a{at}\" | r{at} r{at}? | \"x\" | \"\"\n", (at + 1) % count));
        format!("root ::= r0\n{}", rules.collect::<String>())
    };
    assert_eq!(read(&ebnf(&ring(8)).unwrap(), "xxxxxx"), Ok(6));
    let _typed = read(&ebnf(&ring(64)).unwrap(), "xx");
    assert_limit(ebnf(&ring(65)));
    assert_limit(ebnf(&ring(2_000)));
}

#[test]
fn alternatives_with_a_common_beginning_run() {
    let ways: Vec<String> = (0..2_000).map(|at| format!("\"aaaaaaaaaa{at}\" x{at}")).collect();
    let rules: String = (0..2_000).map(|at| format!("x{at} ::= \"(\" root \")\" | \"{at}\"\n")).collect();
    let compiled = ebnf(&format!("root ::= {}\n{rules}", ways.join(" | "))).unwrap();
    assert_eq!(read(&compiled, "aaaaaaaaaa77("), Ok(13));
}

#[test]
fn towers_of_counts_run() {
    let towers = [
        "root ::= (((\"a\" root? \"b\"){1,100}){1,100}){1,100}\n",
        "root ::= ((((x?){0,1000}){0,1000}){0,1000}){0,1000}\nx ::= \"a\" | \"(\" root \")\"\n",
        "root ::= (x{0,1000000} y{5,1000000}){7,1000000}\nx ::= \"a\" | \"(\" root \")\"\ny ::= \"a\" | x x\n",
        "root ::= ((([a-z]{1,100}){1,100}){1,100}){1,100}\n",
    ];
    for tower in towers {
        assert_eq!(read(&ebnf(tower).unwrap(), &"a".repeat(40)), Ok(40), "{tower}");
    }
    let ambiguous = "root ::= (((\"a\" root? \"b\"?){1,100}){1,100}){1,100}\n";
    let _typed = read(&ebnf(ambiguous).unwrap(), &"a".repeat(40));
}

#[test]
fn exclusions_with_many_states_are_refused() {
    assert_limit(ebnf("root ::= w - ([ab]* \"a\" [ab]{40})\nw ::= \"a\" w | \"b\" w | \"a\" | w w\n"));
    assert_limit(ebnf(
        "root ::= w - ([ab]* \"a\" [ab]{9} | [ab]* \"b\" [ab]{7})\n\
         w ::= \"a\" w \"b\" | \"b\" w \"a\" | \"a\" | w w\n",
    ));
}

#[test]
fn an_ambiguous_text_is_read_within_the_budget_of_each_call() {
    let compiled = ebnf("root ::= root root | root root root | \"a\" | \"\"\n").unwrap();
    let automaton = compiled.automaton().unwrap();
    let mut registers = Registers::default();
    let after = automaton.advance(automaton.start(), &[b'a'; 2_000], &mut registers).unwrap().unwrap();
    assert!(automaton.is_accepting(after));
}
