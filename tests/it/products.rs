//! Grammars restricted by regexes: random ones, each text judged by an Earley recogniser for each part; and where they come from.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use maskwright::automaton::{Automaton, Caching, Cfg, Registers};
use maskwright::error::CompileErrorKind;
use maskwright::grammar::regex::{CharSet, Regex};
use maskwright::grammar::rules::{Builder, Expr, Grammar};
use maskwright::syntax::{ebnf, pattern};
use maskwright::{Bitmask, CompiledGrammar, Compiler, CompilerConfig, Matcher, TokenId, Vocabulary};
use maskwright_oracle::earley::Recogniser;
use maskwright_oracle::generate::Random;
use maskwright_oracle::generate::grammar::{grammar, has_token_letters};
use maskwright_oracle::generate::vocabulary::letters;

/// A regex over some characters, and whether it counts as its complement.
struct Condition {
    plain: Regex,
    is_negated: bool,
    judge: Recogniser,
}

impl Condition {
    fn random(random: &mut Random, chars: &[char]) -> Self {
        let plain = plain_regex(random, chars, 3);
        let judge = Recogniser::new(&only(&plain));
        Self { plain, is_negated: random.chance(1, 3), judge }
    }

    fn regex(&self) -> Regex {
        if self.is_negated { self.plain.clone().complement() } else { self.plain.clone() }
    }

    fn holds(&self, text: &str) -> bool {
        is_in(&self.judge, text) != self.is_negated
    }
}

fn only(regex: &Regex) -> Grammar {
    let mut builder = Builder::new();
    let start = builder.rule("start", None);
    let body = builder.regex(regex.clone());
    builder.define(start, body, None).unwrap();
    builder.finish(start).unwrap()
}

fn plain_regex(random: &mut Random, chars: &[char], depth: usize) -> Regex {
    let some =
        |random: &mut Random| -> String { (0..=random.below(2)).map(|_| *random.pick(chars)).collect() };
    match random.below(if depth == 0 { 3 } else { 9 }) {
        0 => Regex::literal(&some(random)),
        1 => Regex::set(CharSet::of(&some(random))),
        2 => Regex::set(CharSet::of(&some(random)).complement()),
        3 => Regex::concat([plain_regex(random, chars, depth - 1), plain_regex(random, chars, depth - 1)]),
        4 => Regex::or([plain_regex(random, chars, depth - 1), plain_regex(random, chars, depth - 1)]),
        5 => plain_regex(random, chars, depth - 1).repeat(0, Some(3)),
        6 => plain_regex(random, chars, depth - 1).repeat(1, None),
        7 if depth == 3 => Regex::set(CharSet::any()).repeat(0, Some(4)),
        7 => Regex::set(CharSet::any()),
        _ => Regex::any_text().then(plain_regex(random, chars, depth - 1)).then(Regex::any_text()),
    }
}

fn is_in(judge: &Recogniser, text: &str) -> bool {
    judge.read(text.as_bytes()).is_some_and(|state| judge.accepts(&state))
}

/// All texts over the characters up to a length, the shorter first.
fn texts(chars: &[char], len: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut from = 0;
    for _ in 0..len {
        let to = all.len();
        for i in from..to {
            let longer: Vec<String> = chars.iter().map(|c| format!("{}{c}", all[i])).collect();
            all.extend(longer);
        }
        from = to;
    }
    all
}

fn read(automaton: &Automaton, text: &str) -> Option<Cfg> {
    automaton.advance(automaton.start(), text.as_bytes(), &mut Registers::default()).unwrap()
}

/// Some text of the language that begins so, found breadth first.
fn completed(automaton: &Automaton, prefix: &str, bytes: &[u8]) -> Option<String> {
    let mut open = std::collections::VecDeque::from([(read(automaton, prefix)?, prefix.as_bytes().to_vec())]);
    let mut seen = std::collections::HashSet::new();
    while let Some((cfg, text)) = open.pop_front() {
        if automaton.is_accepting(cfg) {
            return String::from_utf8(text).ok();
        }
        for &byte in bytes {
            let next = automaton.advance(cfg, &[byte], &mut Registers::default()).unwrap();
            if let Some(next) = next.filter(|next| seen.len() < 300 && seen.insert(*next)) {
                open.push_back((next, [&text[..], &[byte]].concat()));
            }
        }
    }
    None
}

/// Every text up to a length is in the language exactly if it should be; what begins a text can be completed, to
/// one that should be in it.
fn check_language(compiled: &CompiledGrammar, chars: &[char], shown: &str, expected: impl Fn(&str) -> bool) {
    let automaton = &compiled.automaton().unwrap();
    let mut bytes: Vec<u8> = chars.iter().flat_map(|c| c.to_string().into_bytes()).collect();
    bytes.sort_unstable();
    bytes.dedup();
    let len = if chars.len() > 3 { 4 } else { 5 };
    for (i, text) in texts(chars, len).iter().enumerate() {
        let after = read(automaton, text);
        let found = after.is_some_and(|cfg| automaton.is_accepting(cfg));
        assert_eq!(found, expected(text), "{text:?} of\n{shown}");
        if after.is_some()
            && i % 7 == 0
            && let Some(whole) = completed(automaton, text, &bytes)
        {
            assert!(expected(&whole), "{text:?} was completed to {whole:?} of\n{shown}");
        }
    }
}

/// Along some walks a mask is what can be committed, is not empty before the end, and is the same without caches.
fn check_masks(compiled: &CompiledGrammar, slow: &CompiledGrammar, random: &mut Random, shown: &str) {
    for _ in 0..2 {
        let (mut matcher, mut twin) = (Matcher::new(compiled), Matcher::new(slow));
        let (mut mask, mut other) = (Bitmask::new(compiled), Bitmask::new(slow));
        for _ in 0..8 {
            matcher.fill_bitmask(&mut mask).unwrap();
            twin.fill_bitmask(&mut other).unwrap();
            let allowed: Vec<TokenId> = mask.iter().collect();
            assert_eq!(allowed, other.iter().collect::<Vec<TokenId>>(), "{:?} of\n{shown}", matcher.text());
            assert!(!allowed.is_empty(), "a dead end after {:?} of\n{shown}", matcher.text());
            for token in (0..compiled.vocabulary().len()).map(TokenId::new) {
                assert_eq!(
                    mask.contains(token),
                    matcher.fork().commit(token).is_ok(),
                    "{token:?} of\n{shown}"
                );
            }
            let token = *random.pick(&allowed);
            matcher.commit(token).unwrap();
            twin.commit(token).unwrap();
            if matcher.is_finished() {
                break;
            }
        }
    }
}

fn compilers(vocabulary: &Vocabulary) -> [Compiler; 2] {
    let mut slow = CompilerConfig::default();
    slow.caching = Caching::Off;
    [CompilerConfig::default(), slow].map(|config| Compiler::new(vocabulary.clone(), config))
}

#[test]
fn random_restrictions_have_the_texts_of_both_parts() {
    let (mut checked, mut empty, mut limits) = (0, 0, 0);
    for seed in 0..150 {
        let mut random = Random::new(0x9A0D_0000 + seed);
        let made = grammar(&mut random);
        let judge = Recogniser::new(&made.grammar);
        if has_token_letters(&made.grammar) || judge.is_empty() {
            continue;
        }
        let conditions: Vec<Condition> =
            (0..1 + random.below(2)).map(|_| Condition::random(&mut random, &made.chars)).collect();
        let restricted = conditions.iter().fold(made.grammar.clone(), |all, one| all.within(one.regex()));
        let shown = format!("seed {seed}:\n{restricted}");
        let vocabulary = letters(&mut random, &made.chars).unwrap();
        let judge = Recogniser::over(&made.grammar, &vocabulary);
        let [compiler, slow] = compilers(&vocabulary);
        let expected = |text: &str| is_in(&judge, text) && conditions.iter().all(|one| one.holds(text));
        match compiler.grammar(&restricted) {
            Ok(compiled) => {
                checked += 1;
                check_language(&compiled, &made.chars, &shown, expected);
                check_masks(&compiled, &slow.grammar(&restricted).unwrap(), &mut random, &shown);
            }
            Err(error) if error.kind() == CompileErrorKind::Limit => limits += 1,
            Err(error) => {
                empty += 1;
                assert!(error.kind() == CompileErrorKind::Unsatisfiable, "{error} of\n{shown}");
                let found = texts(&made.chars, 4).into_iter().find(|text| expected(text));
                assert_eq!(found, None, "{error} of\n{shown}");
            }
        }
    }
    assert!(
        checked > 40 && empty > 10 && limits < 5,
        "{checked} checked, {empty} empty, {limits} beyond a limit"
    );
}

#[test]
fn restrictions_hold_of_their_part_alone() {
    let mut checked = 0;
    for seed in 0..100 {
        let mut random = Random::new(0x9A0D_8000 + seed);
        let made = grammar(&mut random);
        let judge = Recogniser::new(&made.grammar);
        if has_token_letters(&made.grammar) || judge.is_empty() {
            continue;
        }
        let [first, second] = [0, 1].map(|_| Condition::random(&mut random, &made.chars));
        // start ::= (R & first) (R & second){0,2}, where R is the random grammar.
        let mut whole = made.grammar.clone();
        let call = maskwright::index::ExprId::new(whole.exprs.len());
        whole.exprs.push(Expr::Rule(whole.start));
        whole.exprs.push(Expr::Within { body: call, regex: first.regex() });
        whole.exprs.push(Expr::Within { body: call, regex: second.regex() });
        let [one, two, more, body] = [1, 2, 3, 4].map(|i| maskwright::index::ExprId::new(call.index() + i));
        whole.exprs.push(Expr::Repeat { body: two, min: 0, max: Some(2) });
        whole.exprs.push(Expr::Sequence(vec![one, more]));
        whole.rules.push(maskwright::grammar::rules::Rule { name: "whole".into(), position: None, body });
        whole.start = maskwright::index::RuleId::new(whole.rules.len() - 1);
        let vocabulary = letters(&mut random, &made.chars).unwrap();
        let judge = Recogniser::over(&made.grammar, &vocabulary);
        let [compiler, _] = compilers(&vocabulary);
        let Ok(compiled) = compiler.grammar(&whole) else { continue };
        let holds = |text: &str, one: &Condition| is_in(&judge, text) && one.holds(text);
        let cuts =
            |text: &str| -> Vec<usize> { (0..=text.len()).filter(|&i| text.is_char_boundary(i)).collect() };
        let expected = |text: &str| {
            cuts(text).into_iter().any(|i| {
                let (head, tail) = text.split_at(i);
                let twice = || {
                    cuts(tail).into_iter().any(|j| holds(&tail[..j], &second) && holds(&tail[j..], &second))
                };
                holds(head, &first) && (tail.is_empty() || holds(tail, &second) || twice())
            })
        };
        check_language(&compiled, &made.chars, &format!("seed {seed}:\n{whole}"), expected);
        checked += 1;
    }
    assert!(checked > 30, "{checked}");
}

#[track_caller]
fn check(grammar: &Grammar, accepted: &[&str], refused: &[&str]) {
    let compiled = Compiler::new(Vocabulary::demo(), CompilerConfig::default()).grammar(grammar).unwrap();
    let automaton = compiled.automaton().unwrap();
    for (texts, expected) in [(accepted, true), (refused, false)] {
        for text in texts {
            let found = read(&automaton, text).is_some_and(|cfg| automaton.is_accepting(cfg));
            assert_eq!(found, expected, "{text:?}");
        }
    }
}

#[test]
fn a_recursive_rule_less_a_regular_one() {
    let grammar = ebnf::parse(
        r#"root ::= sum - (_* "+" _* "+" _*)
           sum ::= sum "+" term | term
           term ::= [0-9]+ | "(" sum ")"
           _ ::= [^#]"#,
    )
    .unwrap()
    .grammar;
    check(&grammar, &["1", "1+2", "(1+2)", "((1))+2"], &["1+2+3", "(1+2)+3", "1+", "(1"]);
}

#[test]
fn a_recursive_rule_of_a_bounded_length() {
    let pairs = ebnf::parse(r#"pairs ::= ("(" pairs ")")*"#).unwrap().grammar;
    let few = pairs.within(pattern::parse_whole(".{2,6}").unwrap());
    check(&few, &["()", "(())", "()()()", "((()))", "(()())"], &["", "(", "(((())))", "()()()()"]);
    let compiled = Compiler::new(Vocabulary::demo(), CompilerConfig::default()).grammar(&few).unwrap();
    let mut matcher = Matcher::new(&compiled);
    Vocabulary::demo_encode("(((").into_iter().for_each(|token| matcher.commit(token).unwrap());
    assert_eq!(matcher.forced_bytes().unwrap(), b")))", "nothing else fits");
}

#[test]
fn long_counts_beside_a_condition_that_they_do_not_touch_stay_counts() {
    let grammar = ebnf::parse(
        r#"root ::= "x" item{1000,100000}
           item ::= "a" | "(" item ")""#,
    )
    .unwrap()
    .grammar;
    let compiler = Compiler::new(Vocabulary::demo(), CompilerConfig::default());
    compiler.grammar(&grammar.clone().within(pattern::parse_whole("x[^b]*").unwrap())).unwrap();
    let error = compiler.grammar(&grammar.within(pattern::parse_whole(".(?:..)*").unwrap())).unwrap_err();
    assert_eq!(error.kind(), CompileErrorKind::Limit);
    assert!(error.to_string().contains("GRAMMAR_PRODUCT_ROUNDS_MAX"), "{error}");
}

#[test]
fn what_a_condition_on_the_text_says_nothing_of_is_refused() {
    for (text, why) in [
        (r#"root ::= a - "x"  a ::= "x" | "(" a ")" | <|t|>"#, "a token stands in what is restricted"),
        (r#"root ::= a  a ::= "x" | "(" (a - "x") ")""#, "contains the restriction itself"),
        (
            r#"root ::= "x" - a  a ::= "x" | "(" a ")""#,
            "the rule `a`, which its right side needs, is recursive",
        ),
    ] {
        let error = ebnf::parse(text).unwrap_err();
        assert!(error.to_string().contains(why), "{error}");
        assert_eq!(error.kind(), CompileErrorKind::Unsupported);
        assert!(error.to_string().contains("line 1"), "{error}");
    }
    // A grammar that no builder has looked at.
    let mut hand = ebnf::parse(r#"root ::= "x" | "(" root ")""#).unwrap().grammar;
    let place = hand.exprs.iter().position(|expr| matches!(expr, Expr::Rule(_))).unwrap();
    hand.exprs.push(Expr::Rule(hand.start));
    let body = maskwright::index::ExprId::new(hand.exprs.len() - 1);
    hand.exprs[place] = Expr::Within { body, regex: Regex::literal("x") };
    let error = Compiler::new(Vocabulary::demo(), CompilerConfig::default()).grammar(&hand).unwrap_err();
    assert!(error.to_string().contains("contains the restriction itself"), "{error}");
}

#[test]
fn products_end_at_named_limits() {
    let grammar = ebnf::parse(r#"root ::= [a-z]* ("(" root ")")* [a-z]*"#).unwrap().grammar;
    let compiler = Compiler::new(Vocabulary::demo(), CompilerConfig::default());
    for (regex, limit) in [(".{0,2000}", "GRAMMAR_PRODUCT_"), (".{0,5000}", "GRAMMAR_PRODUCT_")] {
        let error =
            compiler.grammar(&grammar.clone().within(pattern::parse_whole(regex).unwrap())).unwrap_err();
        assert_eq!(error.kind(), CompileErrorKind::Limit, "{error}");
        assert!(error.to_string().contains(limit), "{error}");
    }
    compiler.grammar(&grammar.within(pattern::parse_whole(".{0,40}").unwrap())).unwrap();
}

#[test]
fn restrictions_have_a_text_form() {
    let text = "list ::= \"(\" (list & /.{0,3}/)* \")\" \"x\"* & /(!(\"xx\") & .*)/\nitem ::= \"a\"";
    let grammar = Grammar::from_text_form(text.split_once('\n').unwrap().1, &[]).unwrap();
    let once = grammar.within(Regex::literal("ab")).to_string();
    assert_eq!(once, "%start `item#1`\nitem ::= \"a\"\n`item#1` ::= item & /\"ab\"/".replace('`', ""));
    assert_eq!(Grammar::from_text_form(&once, &[]).unwrap().to_string(), once);
    let error = Grammar::from_text_form(text, &[]).unwrap_err();
    assert!(error.to_string().contains("contains the restriction itself"), "{error}");
    let outer = "a ::= (b & /.{0,3}/ & /!(\"x\")/)* | (b c) & /.{2}/\nb ::= \"x\" | \"(\" b \")\"\nc ::= \"\" | c \"y\"";
    assert_eq!(Grammar::from_text_form(outer, &[]).unwrap().to_string(), outer);
}
