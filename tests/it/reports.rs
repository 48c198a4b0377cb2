//! Cases made from public bug reports of such engines: JSON Schemas and regexes, under two policies, byte by byte.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use maskwright::error::{CommitError, CompileError, CompileErrorKind};
use maskwright::{CompiledGrammar, Compiler, CompilerConfig, Matcher, SurfacePolicy, TokenId, Vocabulary};
use maskwright_oracle::data;

pub(crate) fn bytes() -> Vocabulary {
    let mut tokens: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
    tokens.push(b"</s>".to_vec());
    let stop = TokenId::new(tokens.len() - 1);
    Vocabulary::from_tokens(tokens, &[stop]).unwrap()
}

fn compile(compiler: &Compiler, case: &data::ReportedCase) -> Result<CompiledGrammar, CompileError> {
    match case.kind.as_str() {
        "json_schema" => compiler.json_schema(&case.grammar.to_string()),
        _ => compiler.regex(case.grammar.as_str().unwrap()),
    }
}

pub(crate) fn accepts(grammar: &CompiledGrammar, text: &str) -> bool {
    let mut matcher = Matcher::new(grammar);
    for byte in text.bytes() {
        match matcher.commit(u32::from(byte)) {
            Ok(()) => {}
            Err(e @ CommitError::Exhausted(_)) => panic!("{text}: {e}"),
            Err(_) => return false,
        }
    }
    matcher.is_accepting()
}

#[test]
fn reported_texts_are_accepted_and_refused_as_they_should_be() {
    let default = Compiler::new(bytes(), CompilerConfig::default());
    let permissive = Compiler::new(bytes(), CompilerConfig::with_policy(SurfacePolicy::permissive()));
    let cases = data::reported_cases();
    let (mut judged, mut texts) = (0, 0);
    for case in cases.iter().filter(|case| matches!(case.kind.as_str(), "json_schema" | "regex")) {
        judged += 1;
        for compiler in [&default, &permissive] {
            let grammar = match compile(compiler, case) {
                Ok(grammar) => grammar,
                Err(e) => {
                    // Where nothing is to be accepted, nothing satisfies it.
                    let nothing = case.accept.is_empty() && e.kind() == CompileErrorKind::Unsatisfiable;
                    assert!(nothing, "{}: {e}", case.id);
                    continue;
                }
            };
            for (text, soft) in &case.accept {
                let accepted = accepts(&grammar, text);
                assert!(accepted || *soft, "{}: {text:?} is refused", case.id);
                texts += 1;
            }
            for text in &case.reject {
                assert!(!accepts(&grammar, text), "{}: {text:?} is accepted", case.id);
                texts += 1;
            }
        }
    }
    println!("{judged} cases, {texts} texts");
    assert!(cases.is_empty() || (judged > 70 && texts > 800), "{judged} cases, {texts} texts");
}
