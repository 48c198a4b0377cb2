//! Arrays of few values of which no two may be equal: every document is known, so every byte that may follow is.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use maskwright::error::{CommitError, CompileErrorKind};
use maskwright::{CompiledGrammar, Matcher};
use maskwright_oracle::generate::Random;
use serde_json::{Value, json};

use crate::validator::Compilers;

/// All values that may occur.
fn pool() -> Vec<Value> {
    vec![
        json!(1),
        json!(2),
        json!("a"),
        json!("b"),
        json!(true),
        json!(false),
        json!(null),
        json!([]),
        json!([1]),
        json!({}),
        json!({"a": 1}),
    ]
}

/// Most values of one schema: so many items an array has at most.
const VALUES_MAX: usize = 5;

/// A schema that only values of the pool satisfy.
fn values(random: &mut Random) -> Value {
    match random.below(9) {
        0 => json!({"type": "boolean"}),
        1 => json!({"type": "array", "items": {"const": 1}, "maxItems": 1}),
        2 => {
            json!({"type": "object", "properties": {"a": {"const": 1}}, "additionalProperties": false})
        }
        3 => json!({"type": "integer", "minimum": 1, "maximum": 2}),
        4 => json!({"type": "string", "pattern": "^[ab]$"}),
        5 => json!({"anyOf": [values(random), values(random)]}),
        _ => {
            let mut pool = pool();
            random.shuffle(&mut pool);
            pool.truncate(1 + random.below(3));
            if random.chance(1, 4) { json!({"const": pool[0]}) } else { json!({"enum": pool}) }
        }
    }
}

/// What an array may be asked beside its items.
fn condition(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth == 0 { 9 } else { 6 }) {
        0 => json!({"minItems": random.below(5)}),
        1 => json!({"maxItems": random.below(5)}),
        2 => json!({"contains": values(random), "minContains": random.below(3)}),
        3 => {
            json!({"contains": values(random), "minContains": random.below(3), "maxContains": random.below(3)})
        }
        4 => json!({"prefixItems": [values(random), values(random)]}),
        5 => {
            let mut pool = pool();
            random.shuffle(&mut pool);
            pool.truncate(1 + random.below(2));
            json!({"const": pool})
        }
        6 => json!({"anyOf": [condition(random, 1), condition(random, 1)]}),
        7 => json!({"oneOf": [condition(random, 1), condition(random, 1)]}),
        _ => json!({"not": condition(random, 1)}),
    }
}

fn schema(random: &mut Random) -> Value {
    let mut schema = json!({"type": "array", "uniqueItems": true, "items": values(random)});
    if random.chance(1, 3) {
        schema["prefixItems"] = (0..=random.below(2)).map(|_| values(random)).collect();
    }
    if random.chance(3, 4) {
        schema["minItems"] = json!(random.below(4));
    }
    let conditions = random.below(3);
    if conditions > 0 {
        schema["allOf"] = (0..conditions).map(|_| condition(random, 0)).collect();
    }
    schema
}

/// All texts of the schema, each in one spelling; `None` if it speaks of too many values.
fn texts(schema: &Value) -> Option<Vec<String>> {
    let mut parts = vec![&schema["items"]];
    parts.extend(schema["prefixItems"].as_array().into_iter().flatten());
    let validators: Vec<_> = parts.iter().map(|part| jsonschema::validator_for(part).unwrap()).collect();
    let mut pool = pool();
    pool.retain(|value| validators.iter().any(|validator| validator.is_valid(value)));
    if pool.len() > VALUES_MAX {
        return None;
    }
    let whole = jsonschema::validator_for(schema).unwrap();
    let mut texts = Vec::new();
    let mut lists: Vec<Vec<Value>> = vec![Vec::new()];
    while let Some(list) = lists.pop() {
        lists.extend(pool.iter().filter(|value| !list.contains(value)).map(|value| {
            let mut longer = list.clone();
            longer.push(value.clone());
            longer
        }));
        let list = Value::Array(list);
        if whole.is_valid(&list) {
            texts.push(list.to_string());
        }
    }
    Some(texts)
}

/// Every byte of a text in one spelling, after every beginning of a text; gives the number of bytes judged, or the question that ran
/// out of its budget at the opening bracket. Behind it none may.
fn judge(schema: &Value, grammar: &CompiledGrammar, texts: &[String]) -> Result<usize, CommitError> {
    let beginnings: BTreeSet<&str> =
        texts.iter().flat_map(|text| (0..=text.len()).map(|end| &text[..end])).collect();
    let mut judged = 0;
    for beginning in &beginnings {
        let mut matcher = Matcher::new(grammar);
        for byte in beginning.bytes() {
            matcher.commit(u32::from(byte)).unwrap_or_else(|e| panic!("{schema} refuses {beginning}: {e}"));
        }
        let digit = beginning.ends_with(|c: char| c.is_ascii_digit());
        for byte in "[]{},:\"12abtfnrulse".chars() {
            if digit && byte == 'e' {
                continue;
            }
            let expected = beginnings.contains(&*format!("{beginning}{byte}"));
            let code = u32::from(byte);
            let allowed = matcher.clone().commit(code);
            if matches!(allowed, Err(CommitError::Exhausted(_))) && beginning.is_empty() {
                return Err(allowed.unwrap_err());
            }
            assert!(
                !matches!(allowed, Err(CommitError::Exhausted(_))),
                "{schema} after {beginning}: {allowed:?}"
            );
            assert_eq!(allowed.is_ok(), expected, "{schema} after {beginning} {byte}");
            judged += 1;
        }
    }
    Ok(judged)
}

#[test]
fn every_byte_that_may_follow_among_few_values_is_known() {
    let count = std::env::var("MASKWRIGHT_SCHEMAS").map_or(100, |count| count.parse().unwrap());
    let first: u64 = std::env::var("MASKWRIGHT_FIRST_SCHEMA").map_or(0, |first| first.parse().unwrap());
    let compilers = Compilers::new();
    let (mut judged, mut empty, mut refused, mut seed) = (0, 0, Vec::new(), first);
    let mut schemas = 0;
    while schemas < count {
        seed += 1;
        let schema = schema(&mut Random::new(seed));
        let Some(texts) = texts(&schema) else { continue };
        schemas += 1;
        for compiler in [&compilers.default, &compilers.permissive] {
            match compiler.json_schema(&schema.to_string()) {
                Ok(grammar) => match judge(&schema, &grammar, &texts) {
                    Ok(bytes) => judged += bytes,
                    Err(e) => refused.push(format!("{schema}: {e}")),
                },
                Err(e) if e.kind() == CompileErrorKind::Unsatisfiable => {
                    assert!(texts.is_empty(), "{schema} has documents, seed {seed}: {texts:?}");
                    empty += 1;
                }
                Err(e) => refused.push(format!("{schema}: {e}")),
            }
        }
    }
    for refusal in &refused {
        println!("{refusal}");
    }
    println!("{schemas} schemas, {empty} empty, {} refused, {judged} bytes", refused.len());
    assert!(judged > 500 * schemas, "few bytes are judged: {judged}");
    assert!(refused.len() * 8 < 2 * schemas, "too many are refused: {}", refused.len());
}
