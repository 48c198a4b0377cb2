//! Target `walk`: bytes choose a schema and drive a walk of commits, rollbacks and forks under the laws of a matcher.
//!
//! Laws: a bit of the mask equals the outcome of a commit; the mask is empty only after a stop token; a stop token is
//! allowed iff the text is complete; a failed commit and a rollback leave the mask as it was.

use std::sync::OnceLock;

use maskwright::{
    Bitmask, CommitError, CompiledGrammar, Compiler, CompilerConfig, Matcher, SurfacePolicy, TokenId,
    Vocabulary,
};

/// Schemas that use each keyword at least once.
const SCHEMAS: &[&str] = &[
    "{}",
    "true",
    r#"{"type":"string"}"#,
    r#"{"type":"string","maxLength":3}"#,
    r#"{"type":"string","minLength":2,"maxLength":5,"pattern":"^[a-c]+$"}"#,
    r#"{"type":"string","pattern":"ab|b$"}"#,
    r#"{"type":"string","format":"date"}"#,
    r#"{"type":"string","format":"ipv4"}"#,
    r#"{"type":"integer"}"#,
    r#"{"type":"integer","minimum":-12,"maximum":345}"#,
    r#"{"type":"number","exclusiveMinimum":0.25,"maximum":3}"#,
    r#"{"type":"integer","multipleOf":7}"#,
    r#"{"enum":["a","ab","b",1,12,null,[1],{"a":2}]}"#,
    r#"{"const":{"a":[true,{"b":null}]}}"#,
    r#"{"type":["null","boolean","integer"]}"#,
    r#"{"type":"array","items":{"type":"boolean"},"minItems":1,"maxItems":3}"#,
    r#"{"type":"array","prefixItems":[{"type":"null"},{"enum":["a"]}],"items":false}"#,
    r#"{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"}},"required":["b"]}"#,
    r#"{"type":"object","properties":{"a":{},"ab":{}},"additionalProperties":false}"#,
    r#"{"type":"object","additionalProperties":{"type":"null"},"required":["x","y"]}"#,
    r#"{"anyOf":[{"type":"object","required":["a"],"properties":{"a":{"type":"integer"}}},{"required":["b"]}]}"#,
    r#"{"allOf":[{"minimum":3},{"type":"integer"},{"maximum":40}]}"#,
    r##"{"type":"object","properties":{"v":{"type":"integer"},"next":{"$ref":"#"}},"additionalProperties":false}"##,
    r##"{"$ref":"#/$defs/t","$defs":{"t":{"anyOf":[{"type":"null"},{"type":"array","items":{"$ref":"#/$defs/t"}}]}}}"##,
];

/// Longest walk, in operations.
const STEPS_MAX: usize = 200;

/// Single bytes, common pieces of JSON text, and two stop tokens.
pub(crate) fn vocabulary() -> Vocabulary {
    static SHARED: OnceLock<Vocabulary> = OnceLock::new();
    SHARED
        .get_or_init(|| {
            const PIECES: &[&str] = &[
                "\",\"",
                "\":",
                "\":\"",
                "\": ",
                "\"}",
                "\"]",
                "},",
                "}}",
                "]]",
                "},{",
                "[[",
                "{\"",
                "[{",
                "true",
                "false",
                "null",
                "ab",
                "abc",
                "ba",
                "12",
                "123",
                "0.",
                "00",
                "-1",
                ",\"",
                ", ",
                ",\n",
                "\\\"",
                "\\u00",
                "\\n",
                "\u{e9}",
                "\u{1F600}",
                "  ",
                "\n  ",
                "next",
                "\"a\"",
                "\"b\":",
                "1,",
                "2]",
                "3}",
                "20",
                "-0",
                "e1",
            ];
            let mut tokens: Vec<Vec<u8>> = (0..=255u8).map(|b| vec![b]).collect();
            tokens.extend(PIECES.iter().map(|p| p.as_bytes().to_vec()));
            let stop = [TokenId::new(tokens.len()), TokenId::new(tokens.len() + 1)];
            tokens.extend([b"<end>".to_vec(), b"<stop>".to_vec()]);
            Vocabulary::from_tokens(tokens, &stop).expect("a byte-complete vocabulary loads")
        })
        .clone()
}

fn compilers() -> &'static [Compiler; 2] {
    static SHARED: OnceLock<[Compiler; 2]> = OnceLock::new();
    SHARED.get_or_init(|| {
        [SurfacePolicy::default(), SurfacePolicy::permissive()]
            .map(|policy| Compiler::new(vocabulary(), CompilerConfig::with_policy(policy)))
    })
}

/// The mask of the next token, or `None` when a budget ran out (which every call must then say alike).
fn mask_of(grammar: &CompiledGrammar, matcher: &mut Matcher) -> Option<Bitmask> {
    let mut mask = Bitmask::new(grammar);
    matcher.fill_bitmask(&mut mask).ok().map(|()| mask)
}

/// A few steps of the walk that always takes the first allowed token.
pub(crate) fn first_steps(grammar: &CompiledGrammar) {
    let mut matcher = Matcher::new(grammar);
    for _ in 0..8 {
        let Some(mask) = mask_of(grammar, &mut matcher) else { return };
        if matcher.is_finished() {
            return;
        }
        let token = mask.iter().next().expect("a matcher that is not finished allows a token");
        matcher.commit(token).expect("an allowed token commits");
    }
}

/// The law: every bit equals the outcome of a commit.
fn bits_equal_commits(mask: &Bitmask, matcher: &Matcher, vocabulary: &Vocabulary) {
    for id in 0..vocabulary.len() {
        let token = TokenId::new(id);
        let outcome = matcher.fork().commit(token);
        if let Err(CommitError::Exhausted(_)) = outcome {
            continue;
        }
        assert_eq!(
            mask.contains(token),
            outcome.is_ok(),
            "token {id} {:?} after {:?}",
            String::from_utf8_lossy(vocabulary.bytes(token)),
            String::from_utf8_lossy(&matcher.text())
        );
    }
}

/// Runs the walk that the bytes describe.
pub fn walk(data: &[u8]) {
    let [schema, policy, steps @ ..] = data else { return };
    let schema = SCHEMAS[usize::from(*schema) % SCHEMAS.len()];
    let compiler = &compilers()[usize::from(policy & 1)];
    let grammar = compiler.json_schema(schema).unwrap_or_else(|refusal| panic!("{schema}: {refusal}"));
    let vocabulary = grammar.vocabulary().clone();
    let mut matcher = Matcher::new(&grammar);
    for (i, &step) in steps.iter().take(STEPS_MAX).enumerate() {
        let Some(mask) = mask_of(&grammar, &mut matcher) else { return };
        assert_eq!(mask.count() == 0, matcher.is_finished(), "the mask is empty iff the text is finished");
        let stop_allowed = vocabulary.stop_tokens().iter().all(|&t| mask.contains(t));
        assert_eq!(stop_allowed, matcher.is_accepting() && !matcher.is_finished());
        if i % 8 == 0 {
            bits_equal_commits(&mask, &matcher, &vocabulary);
        }
        match step {
            250..=255 => {
                let back = usize::from(step - 249).min(matcher.len());
                matcher.rollback(back).expect("so many tokens are committed");
            }
            245..=249 => matcher = matcher.fork(),
            _ if mask.count() == 0 => {
                matcher.rollback(1).expect("the stop token is committed");
            }
            _ => {
                let nth = (usize::from(step) * 7 + i) % mask.count();
                let token = mask.iter().nth(nth).expect("below the count");
                matcher.commit(token).expect("an allowed token commits");
                matcher.rollback(1).expect("it is committed");
                let again = mask_of(&grammar, &mut matcher).expect("it was filled before");
                assert_eq!(mask.as_words(), again.as_words(), "commit and rollback change the mask");
                matcher.commit(token).expect("an allowed token commits");
            }
        }
    }
}
