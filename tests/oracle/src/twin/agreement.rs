//! Does the twin agree with itself and with enumeration? The checks on its search for completions.
//!
//! Hand-written cases say what is right; these say that the search leaves nothing out: against all texts up to a
//! length, with and without the monotone shortcut, and for every prefix of random documents.

use std::collections::{BTreeSet, HashSet};

use maskwright::{KeyOrder, SurfacePolicy, Whitespace};

use super::{Bytes, Search, Surface, Twin, Value};
use crate::generate::{Random, document, schema};

const SEED: u64 = 0x7157_0001;

fn tight() -> SurfacePolicy {
    SurfacePolicy { whitespace: Whitespace::None, ..SurfacePolicy::default() }
}

/// All documents up to a length over an alphabet give the prefixes that a short completion proves; the twin must say
/// so, and what it calls a prefix beyond them must have a completion that is longer.
#[test]
fn prefixes_are_those_of_all_short_documents() {
    let worlds: [(&[u8], usize, &str); 8] = [
        (b"[]12,", 6, r#"{"type": "array", "items": {"minimum": 2}, "minItems": 1, "maxItems": 3}"#),
        (
            b"[],1",
            8,
            r##"{"anyOf": [{"type": "array", "items": {"$ref": "#"}, "minItems": 1}, {"const": 1}]}"##,
        ),
        (
            b"{}\":a1",
            7,
            r#"{"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": false}"#,
        ),
        (b"{}\":a,", 8, r#"{"properties": {"a": {"type": "string"}}, "required": ["a"]}"#),
        (b"12.-0", 5, r#"{"type": "number", "minimum": -1.2, "exclusiveMaximum": 21}"#),
        (b"12", 6, r#"{"anyOf": [{"type": "integer", "multipleOf": 7, "minimum": 20}, {"const": 1}]}"#),
        (b"\"ab\\u06", 6, r#"{"type": "string", "pattern": "^(ab)+$", "maxLength": 4}"#),
        (b"[]\"a,", 7, r#"{"prefixItems": [{"minLength": 1}], "items": {"maxLength": 0}, "maxItems": 2}"#),
    ];
    for (alphabet, length, schema) in worlds {
        let schema = serde_json::from_str(schema).expect("JSON");
        let twin = Twin::over(&schema, tight(), Bytes::of(alphabet)).expect("supported");
        let mut level: Vec<Vec<u8>> = vec![Vec::new()];
        let mut proved: BTreeSet<Vec<u8>> = BTreeSet::new();
        let mut claimed: Vec<Vec<u8>> = Vec::new();
        for _ in 0..=length {
            let mut next = Vec::new();
            for text in level {
                let is_prefix = twin.is_prefix(&text).expect("small");
                if twin.is_complete(&text) {
                    assert!(is_prefix, "{schema}: {} is a document", text.escape_ascii());
                    proved.extend((0..=text.len()).map(|end| text[..end].to_vec()));
                }
                if is_prefix {
                    claimed.push(text.clone());
                }
                // Beyond a byte that even the surface refuses nothing can follow: leave those texts out.
                let mut surface = Surface::new(twin.policy());
                if text.iter().all(|&byte| surface.push(byte)) {
                    next.extend(alphabet.iter().map(|&byte| [text.as_slice(), &[byte]].concat()));
                }
            }
            level = next;
        }
        let claimed_set: HashSet<&Vec<u8>> = claimed.iter().collect();
        for text in &proved {
            assert!(claimed_set.contains(text), "{schema}: {} is a prefix", text.escape_ascii());
        }
        for text in &claimed {
            assert!(
                proved.contains(text) || twin.completes(text, 60),
                "{schema}: {} has no completion",
                text.escape_ascii()
            );
        }
        assert!(proved.len() > 5, "{schema}: the world is too small to show anything");
    }
}

impl Twin {
    /// Whether bytes that the twin allows lead to a document, when it prefers to close what is open.
    pub(crate) fn completes(&self, text: &[u8], steps: usize) -> bool {
        let mut text = text.to_vec();
        for step in 0..=steps {
            if self.is_complete(&text) {
                return true;
            }
            if step == steps {
                break;
            }
            let order = self.closing_bytes(&text, step);
            let next = order.into_iter().find(|&byte| {
                text.push(byte);
                let goes_on = self.is_prefix(&text).expect("small");
                text.pop();
                goes_on
            });
            match next {
                Some(byte) => text.push(byte),
                None => return false,
            }
        }
        false
    }
}

#[test]
fn the_monotone_search_agrees_with_the_exhaustive_one_and_no_prefix_is_stuck() {
    println!("seed {SEED:#x}");
    let mut random = Random::new(SEED);
    let (mut schemas, mut satisfiable, mut prefixes, mut texts) = (0, 0, 0, 0);
    while schemas < 200 {
        let schema = schema::schema(&mut random);
        let policy = SurfacePolicy {
            key_order: *random.pick(&[KeyOrder::Declared, KeyOrder::Declared, KeyOrder::Any]),
            ..SurfacePolicy::default()
        };
        let Ok(monotone) = Twin::new(&schema, policy) else { continue };
        let Ok(exhaustive) = Twin::with_search(&schema, policy, Bytes::all(), Search::Exhaustive) else {
            continue;
        };
        schemas += 1;
        assert_eq!(monotone.is_satisfiable(), exhaustive.is_satisfiable(), "{schema}");
        if !monotone.is_satisfiable() {
            continue;
        }
        satisfiable += 1;
        for _ in 0..4 {
            let value = document::valid_value(&schema, &monotone, &mut random).expect("satisfiable");
            let text = document::spelling(&value, policy, &mut random);
            assert!(monotone.is_complete(&text), "{schema}: {}", String::from_utf8_lossy(&text));
            for end in 0..=text.len() {
                assert_eq!(
                    monotone.is_prefix(&text[..end]),
                    Ok(true),
                    "{schema}: {}",
                    text[..end].escape_ascii()
                );
                prefixes += 1;
            }
            let wrong = document::mutated(&text, &mut random);
            for end in 0..=wrong.len() {
                let claim = monotone.is_prefix(&wrong[..end]);
                let Ok(other) = exhaustive.is_prefix(&wrong[..end]) else { continue };
                assert_eq!(claim, Ok(other), "{schema}: {}", wrong[..end].escape_ascii());
                if claim == Ok(true) && policy.key_order == KeyOrder::Declared {
                    let text = wrong[..end].escape_ascii();
                    assert!(monotone.completes(&wrong[..end], 120), "{schema}: {text} is stuck");
                    texts += 1;
                }
            }
        }
    }
    println!(
        "{schemas} schemas, {satisfiable} of them satisfiable, {prefixes} prefixes, {texts} texts completed"
    );
    assert!(satisfiable * 2 > schemas);
}

/// The walk over keywords against an independent validator.
#[test]
fn validity_agrees_with_an_independent_validator() {
    println!("seed {SEED:#x}");
    let mut random = Random::new(SEED);
    let (mut valid, mut invalid) = (0, 0);
    for _ in 0..1_000 {
        let schema = schema::schema(&mut random);
        let Ok(twin) = Twin::judge(&schema, SurfacePolicy::default()) else { continue };
        let validator = jsonschema::validator_for(&schema).expect("a schema");
        for _ in 0..6 {
            let json = document::loose_value(&schema, &schema, 4, &mut random);
            let value = Value::from_json(&json);
            if !twin.is_spelled(value.to_string().as_bytes()) {
                continue; // the validator knows no spellings
            }
            let found = twin.is_valid(&value);
            assert_eq!(found, validator.is_valid(&json), "{schema}: {json}");
            *(if found { &mut valid } else { &mut invalid }) += 1;
        }
    }
    println!("{valid} valid values, {invalid} invalid ones");
    assert!(valid > 1_000 && invalid > 1_000);
}
