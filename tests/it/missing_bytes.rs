//! Vocabularies in which some bytes have no token of their own: texts with such bytes are not in the language, and nothing else
//! is lost. Walks never meet a dead end or a limit, masks are those of the walk without caches, and the end is JSON.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use maskwright::automaton::Caching;
use maskwright::error::CompileErrorKind;
use maskwright::{Bitmask, Compiler, CompilerConfig, Matcher, TokenId, Vocabulary};
use maskwright_oracle::generate::Random;
use serde_json::Value;

/// Longest walk, in tokens; then the walk goes straight to the end.
const WALK_TOKENS: usize = 30;

/// Sets of bytes that are missing: hex digits in one case and in both, decimal digits, what escapes and literals need.
const MISSING: [&[u8]; 16] = [
    b"a",
    b"aA",
    b"fF",
    b"dD",
    b"0",
    b"9",
    b"0123456789",
    b"abcdefABCDEF",
    b"u",
    b"\\",
    b"5aA",
    b"3fF\x80",
    b"\xC3\xA9",
    b"-.",
    b"tn",
    b" \n\r\t",
];

const SCHEMAS: [&str; 9] = [
    "{}",
    r#"{"type":"string"}"#,
    r#"{"type":"string","pattern":"^[0-9a-f]{2}"}"#,
    r#"{"type":"number"}"#,
    r#"{"type":"array","items":{"type":["integer","boolean"]},"minItems":2}"#,
    r#"{"type":"object"}"#,
    r#"{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"}},"required":["b"]}"#,
    r#"{"type":"object","patternProperties":{"^[a-f]":{"type":"null"}},"minProperties":2}"#,
    r#"{"enum":["abc",15,"x5",{"5":null}]}"#,
];

fn vocabulary(missing: &[u8]) -> Vocabulary {
    let mut tokens: Vec<Vec<u8>> =
        (0..=u8::MAX).filter(|byte| !missing.contains(byte)).map(|byte| vec![byte]).collect();
    let seams = [
        "{\"", "\":", "\",\"", "\"}", "\"a\":", "\\u00", "\\u", "00", "\u{e9}", "ab\"", "12", "},", "\",\"a",
        "5\"",
    ];
    tokens.extend(seams.iter().map(|token| token.as_bytes().to_vec()));
    tokens.push(b"</s>".to_vec());
    let stop = TokenId::new(tokens.len() - 1);
    Vocabulary::from_tokens(tokens, &[stop]).unwrap()
}

#[test]
fn what_can_be_spelled_is_found_and_nothing_else_is_lost() {
    let (mut walks, mut refused) = (0, 0);
    for missing in MISSING {
        let vocabulary = vocabulary(missing);
        let mut uncached = CompilerConfig::default();
        uncached.caching = Caching::Off;
        let compilers =
            [CompilerConfig::default(), uncached].map(|config| Compiler::new(vocabulary.clone(), config));
        for schema in SCHEMAS {
            let [grammar, twin] = match compilers.each_ref().map(|compiler| compiler.json_schema(schema)) {
                [Ok(grammar), Ok(twin)] => [grammar, twin],
                [Err(e), Err(other)] => {
                    assert_eq!(e.kind(), CompileErrorKind::Unspellable, "{missing:?}: {schema}: {e}");
                    assert_eq!(e.to_string(), other.to_string());
                    refused += 1;
                    continue;
                }
                other => panic!("{missing:?}: {schema}: {other:?}"),
            };
            for seed in 0..3 {
                let mut random = Random::new(seed);
                let (mut matcher, mut other) = (Matcher::new(&grammar), Matcher::new(&twin));
                let (mut mask, mut other_mask) = (Bitmask::new(&grammar), Bitmask::new(&grammar));
                for step in 0.. {
                    let place =
                        || format!("{missing:?}: {schema}: {:?}", String::from_utf8_lossy(&matcher.text()));
                    matcher.clone().fill_bitmask(&mut mask).unwrap_or_else(|e| panic!("{}: {e}", place()));
                    other.fill_bitmask(&mut other_mask).unwrap();
                    let allowed: Vec<TokenId> = mask.iter().collect();
                    assert_eq!(allowed, other_mask.iter().collect::<Vec<_>>(), "{}", place());
                    assert!(!allowed.is_empty(), "{}", place());
                    assert!(step < 10 * WALK_TOKENS, "{}", place());
                    let closes = |token: &&TokenId| {
                        vocabulary.is_stop(**token)
                            || matches!(vocabulary.bytes(**token), b"}" | b"]" | b"\"")
                    };
                    let token = match allowed.iter().find(closes) {
                        Some(token) if step > WALK_TOKENS => *token,
                        _ => *random.pick(&allowed),
                    };
                    if vocabulary.is_stop(token) {
                        break;
                    }
                    matcher.commit(token).unwrap();
                    other.commit(token).unwrap();
                }
                let text = matcher.text();
                serde_json::from_slice::<Value>(&text).unwrap();
                assert!(!text.iter().any(|byte| missing.contains(byte)));
                walks += 1;
            }
        }
    }
    println!("{walks} walks, {refused} schemas refused");
    assert!(walks > 400 && refused > 0, "{walks} walks, {refused} schemas refused");
}

#[test]
fn a_name_that_can_be_spelled_is_used_however_many_characters_cannot() {
    let mut tokens: Vec<Vec<u8>> = (0..0x80).filter(|&byte| byte != b'1').map(|byte| vec![byte]).collect();
    tokens.push(b"</s>".to_vec());
    let stop = TokenId::new(tokens.len() - 1);
    let vocabulary = Vocabulary::from_tokens(tokens.clone(), &[stop]).unwrap();
    let compiler = Compiler::new(vocabulary, CompilerConfig::default());
    for schema in [
        r#"{"type":"object","properties":{"a":{"type":"integer"}}}"#,
        r#"{"type":"object","required":["a"]}"#,
    ] {
        let grammar = compiler.json_schema(schema).unwrap();
        let mut matcher = Matcher::new(&grammar);
        for byte in br#"{"a":2}"# {
            let token = TokenId::new(tokens.iter().position(|token| token == &[*byte]).unwrap());
            matcher.commit(token).unwrap_or_else(|e| panic!("{schema}: {e}"));
        }
        assert!(matcher.is_accepting());
    }
}
