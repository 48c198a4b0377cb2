//! Cases that users of other engines reported on tags, reasoning, stop tokens and rollback, read from the shared list of reports.

use maskwright::grammar::rules::{Builder, TokenMember, TokenSet};
use maskwright::{CommitError, CompiledGrammar, Compiler, CompilerConfig, Matcher, TokenId, Vocabulary};
use maskwright_oracle::data::{self, ReportedCase};
use serde_json::Value;

use crate::tags::{accepts, compile, compiler, mask_is_commits, masks_are_commits};

fn report(id: &str) -> Option<ReportedCase> {
    data::reported_cases().into_iter().find(|case| case.id == id)
}

/// The vocabulary that the case lists.
fn listed(case: &ReportedCase) -> Vec<String> {
    let tokens = case.grammar["vocab"].as_array().into_iter().flatten();
    tokens.map(|text| text.as_str().expect("a text").to_owned()).collect()
}

fn check_report(case: &ReportedCase, grammar: &CompiledGrammar) {
    for (text, _) in &case.accept {
        assert!(accepts(grammar, text), "{}: {text:?}", case.id);
    }
    for text in &case.reject {
        assert!(!accepts(grammar, text), "{}: {text:?}", case.id);
    }
}

#[test]
fn reported_tags_accept_and_refuse_what_they_should() {
    for id in ["tag-trigger-basic", "think-then-json", "xml-params-tool"] {
        let Some(case) = report(id) else { return };
        let grammar = compile(&case.grammar);
        check_report(&case, &grammar);
        case.accept.iter().for_each(|(text, _)| masks_are_commits(&grammar, text));
    }
}

#[test]
fn reported_whitespace_bounds_hold_everywhere() {
    let Some(case) = report("policy-whitespace-bound") else { return };
    let grammar = compiler().json_schema(&case.grammar["json_schema"].to_string()).expect("a schema");
    for (text, _) in &case.accept {
        assert!(accepts(&grammar, text), "{text:?}");
    }
    // The policy allows one newline and 128 blanks, so only runs of newlines and longer runs of blanks are refused.
    for text in &case.reject {
        let blanks = text.split(|c| c != ' ').map(str::len).max().unwrap_or(0);
        assert_eq!(accepts(&grammar, text), !text.contains("\n\n") && blanks <= 128, "{text:?}");
    }
}

/// The vocabulary of a reported case, with some tokens as letters, and behind its tokens all bytes: texts that need a byte
/// which no token spells alone are not in the language.
fn vocabulary_of(case: &ReportedCase, letters: &[u32]) -> Vocabulary {
    let texts = listed(case).into_iter().map(String::into_bytes);
    let tokens: Vec<Vec<u8>> = texts.chain((0..=u8::MAX).map(|byte| vec![byte])).collect();
    let ids = |list: &Value| -> Vec<TokenId> {
        list.as_array()
            .into_iter()
            .flatten()
            .map(|id| TokenId(u32::try_from(id.as_u64().expect("an id")).expect("a small id")))
            .collect()
    };
    let letters: Vec<TokenId> = letters.iter().copied().map(TokenId).collect();
    let vocabulary = Vocabulary::from_tokens(tokens, &ids(&case.grammar["stop"]));
    vocabulary.and_then(|v| v.with_letter_tokens(&letters)).expect("a small vocabulary")
}

fn base(case: &ReportedCase, letters: &[u32]) -> CompiledGrammar {
    let compiler = Compiler::new(vocabulary_of(case, letters), CompilerConfig::default());
    let base = &case.grammar["base"];
    let compiled = match (&base["json_schema"], base["regex"].as_str()) {
        (Value::Null, Some(pattern)) => compiler.regex(pattern),
        (Value::Null, None) => compiler.structural_tag(&base.to_string()),
        (schema, _) => compiler.json_schema(&schema.to_string()),
    };
    compiled.unwrap_or_else(|e| panic!("{e}"))
}

/// The tokens of the case that may follow; the bytes behind them are left out.
fn mask(case: &ReportedCase, matcher: &mut Matcher) -> Vec<u32> {
    let len = listed(case).len();
    let all = mask_is_commits(matcher).into_iter();
    all.filter(|&token| TokenId(token).index() < len).collect()
}

fn commit_all(matcher: &mut Matcher, ids: &[u32]) {
    for &id in ids {
        matcher.commit(id).unwrap_or_else(|e| panic!("{e} after {:?}", matcher.text()));
    }
}

#[test]
fn reported_stop_tokens_end_the_text_and_nothing_else() {
    let Some(case) = report("tok-stop-set") else { return };
    let grammar = base(&case, &[]);
    check_report(&case, &grammar);
    let mut matcher = Matcher::new(&grammar);
    for id in [0, 2, 3, 4, 1] {
        assert!([5, 6, 7].iter().all(|stop| !mask(&case, &mut matcher).contains(stop)));
        // The name is one token here.
        matcher.commit(id).expect("it may follow");
    }
    assert_eq!(mask(&case, &mut matcher), [5, 6, 7]);
    for stop in [5, 6, 7] {
        let mut fork = matcher.fork();
        fork.commit(stop).expect("the text is complete");
        assert!(fork.is_finished());
    }
}

#[test]
fn a_reported_stop_token_can_be_a_letter_of_the_grammar() {
    let Some(case) = report("tok-stop-is-terminal") else { return };
    let vocabulary = vocabulary_of(&case, &[1]);
    let mut builder = Builder::new();
    let start = builder.rule("root", None);
    let ok = builder.text("ok");
    let name = |text: &str| TokenMember::Name(text.into());
    let end = builder.token(TokenSet { members: vec![name("<end>"), name("<return>")], negated: false });
    let body = builder.sequence([ok, end]);
    builder.define(start, body, None).expect("one definition");
    let grammar = builder.finish(start).expect("defined");
    let compiled = Compiler::new(vocabulary, CompilerConfig::default()).grammar(&grammar).expect("a grammar");
    for last in [1, 2] {
        let mut matcher = Matcher::new(&compiled);
        assert_eq!(mask(&case, &mut matcher), [0]);
        matcher.commit(0).expect("ok");
        assert!(!matcher.is_accepting());
        assert_eq!(mask(&case, &mut matcher), [1, 2]);
        matcher.commit(last).expect("a letter of the grammar");
        assert!(matcher.is_accepting() && !matcher.is_finished());
        assert_eq!(mask(&case, &mut matcher), [2], "only the stop token may follow");
    }
}

#[test]
fn a_reported_marker_is_spelled_by_text_tokens_only() {
    let Some(case) = report("tok-special-by-bytes") else { return };
    let grammar = base(&case, &[5]);
    check_report(&case, &grammar);
    let mut matcher = Matcher::new(&grammar);
    for id in [0, 1, 2, 3, 4] {
        assert!(!mask(&case, &mut matcher).contains(&5));
        matcher.commit(id).expect("text of the string");
    }
    matcher.commit(0).expect("the end of the string");
    assert_eq!(matcher.text(), b"\"<|im_end|>hi\"");
    assert_eq!(mask(&case, &mut matcher), [6]);
}

#[test]
fn reported_rollbacks_put_the_earlier_mask_back() {
    let Some(case) = report("tok-rollback-after-stop") else { return };
    let grammar = base(&case, &[]);
    check_report(&case, &grammar);
    let mut matcher = Matcher::new(&grammar);
    commit_all(&mut matcher, &[0, 1, 2, 3]);
    let before = mask(&case, &mut matcher);
    commit_all(&mut matcher, &[5, 6]);
    assert!(matcher.is_finished());
    matcher.rollback(2).expect("the stop token counts as one");
    assert_eq!(mask(&case, &mut matcher), before);
    commit_all(&mut matcher, &[5, 6]);
    assert!(matcher.is_finished());

    let Some(case) = report("tok-rollback-depth") else { return };
    let grammar = base(&case, &[]);
    let mut matcher = Matcher::new(&grammar);
    let start = mask(&case, &mut matcher);
    commit_all(&mut matcher, &[0; 300]);
    matcher.rollback(300).expect("there is no greatest depth");
    assert_eq!(mask(&case, &mut matcher), start);
    check_report(&case, &grammar);
}

#[test]
fn reported_drafts_move_nothing_but_what_is_accepted() {
    let Some(case) = report("tok-rollback-only-accepted") else { return };
    let grammar = base(&case, &[]);
    check_report(&case, &grammar);
    let mut matcher = Matcher::new(&grammar);
    let start = mask(&case, &mut matcher);
    let mut window = matcher.fork();
    let mut masks = vec![mask(&case, &mut window)];
    for id in [0, 0, 2, 1] {
        if window.commit(id).is_err() {
            break;
        }
        masks.push(mask(&case, &mut window));
    }
    assert_eq!(masks, [vec![0], vec![0, 1], vec![0, 1]]);
    assert_eq!(mask(&case, &mut matcher), start);
    assert_eq!(matcher.text(), b"");
}

#[test]
fn a_reported_rollback_goes_across_a_trigger() {
    let Some(case) = report("tok-rollback-in-tag") else { return };
    let grammar = base(&case, &[]);
    check_report(&case, &grammar);
    let mut matcher = Matcher::new(&grammar);
    commit_all(&mut matcher, &[0, 1, 2, 3]);
    matcher.rollback(3).expect("four were committed");
    let ids = [0, 1, 2, 3, 4, 5];
    for at in 1..=ids.len() {
        let mut fresh = Matcher::new(&grammar);
        commit_all(&mut fresh, &ids[..at]);
        assert_eq!(mask(&case, &mut matcher), mask(&case, &mut fresh), "after {at} tokens");
        if let Some(&next) = ids.get(at) {
            matcher.commit(next).expect("it may follow");
        }
    }
    assert!(matcher.is_accepting());
}

#[test]
fn a_reported_end_of_reasoning_lies_inside_a_window() {
    let Some(case) = report("tok-reasoning-inside-window") else { return };
    let grammar = base(&case, &[1]);
    let mut matcher = Matcher::new(&grammar);
    let mut window = matcher.fork();
    let accepted = [0, 1, 2, 2].iter().take_while(|&&id| window.commit(id).is_ok()).count();
    assert_eq!(accepted, 3);
    assert_eq!(mask(&case, &mut window), [3, 4], "the object is open: a key or its end");
    commit_all(&mut matcher, &[0, 1, 2]);
    assert_eq!(mask(&case, &mut matcher), [3, 4]);
    matcher.commit(3).expect("the object ends");
    assert!(matcher.is_accepting());
    assert_eq!(mask(&case, &mut matcher), [5]);
}

#[test]
fn a_reported_commit_after_the_end_changes_nothing() {
    let Some(case) = report("tok-terminated-advance") else { return };
    let grammar = base(&case, &[]);
    check_report(&case, &grammar);
    let mut matcher = Matcher::new(&grammar);
    commit_all(&mut matcher, &[0, 1]);
    for id in [0, 1, 2] {
        assert_eq!(matcher.commit(id), Err(CommitError::Finished));
        assert!(matcher.is_finished());
        assert_eq!(matcher.len(), 2);
    }
}
