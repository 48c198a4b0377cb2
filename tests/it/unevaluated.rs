//! `unevaluatedProperties` and `unevaluatedItems` beside many conditions, against an independent validator.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use maskwright::error::CompileErrorKind;
use maskwright_oracle::generate::Random;
use serde_json::{Value, json};

use crate::validator::{Compilers, accepts};

const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "kind"];

/// What a schema in place says of some names.
fn speaks_of_names(random: &mut Random, at: usize) -> Value {
    let mut properties = serde_json::Map::new();
    for _ in 0..1 + random.below(2) {
        let value = if random.chance(1, 3) { json!({"type": "integer"}) } else { json!(true) };
        properties.insert((*random.pick(&NAMES)).into(), value);
    }
    if random.chance(2, 3) {
        properties.insert("kind".into(), json!({"const": at}));
    }
    let mut part = json!({"properties": properties});
    if random.chance(1, 2) {
        part["required"] = json!(["kind"]);
    }
    if random.chance(1, 12) {
        part["additionalProperties"] = json!(true);
    }
    part
}

/// What a schema in place says of the first positions.
fn speaks_of_positions(random: &mut Random, at: usize) -> Value {
    let mut prefix = vec![json!({"const": at})];
    for _ in 0..random.below(3) {
        prefix.push(if random.chance(1, 3) { json!({"type": "integer"}) } else { json!(true) });
    }
    let mut part = json!({"prefixItems": prefix});
    if random.chance(1, 12) {
        part["items"] = json!({"type": "string"});
    }
    part
}

fn schema(random: &mut Random, part: fn(&mut Random, usize) -> Value, keyword: &str) -> Value {
    let count = 3 + random.below(8);
    let parts: Vec<Value> = (0..count).map(|at| part(random, at)).collect();
    let mut schema = match random.below(4) {
        0 => json!({"oneOf": parts}),
        1 => json!({"anyOf": parts}),
        2 => {
            let conditions = parts.into_iter().enumerate().map(|(at, then)| {
                let asked = if keyword == "unevaluatedItems" {
                    json!({"prefixItems": [{"const": at}], "minItems": 1})
                } else {
                    json!({"properties": {"kind": {"const": at}}, "required": ["kind"]})
                };
                json!({"if": asked, "then": then})
            });
            json!({"allOf": conditions.collect::<Vec<_>>()})
        }
        _ => {
            let asked =
                parts.into_iter().zip(NAMES.iter().cycle()).map(|(part, name)| ((*name).into(), part));
            json!({"dependentSchemas": asked.collect::<serde_json::Map<_, _>>()})
        }
    };
    if random.chance(1, 3) {
        let own = part(random, 0);
        own.as_object().unwrap().iter().for_each(|(name, value)| schema[name] = value.clone());
    }
    schema[keyword] = if random.chance(2, 3) { json!(false) } else { json!({"type": "string"}) };
    schema
}

fn document(random: &mut Random, keyword: &str) -> Value {
    let value = |random: &mut Random| match random.below(3) {
        0 => json!("x"),
        1 => json!(1.5),
        _ => json!(random.below(9)),
    };
    if keyword == "unevaluatedItems" {
        return (0..random.below(4)).map(|_| value(random)).collect();
    }
    let mut members = serde_json::Map::new();
    for name in NAMES {
        if name == "kind" && random.chance(4, 5) {
            members.insert(name.into(), json!(random.below(9)));
        } else if random.chance(1, 3) {
            members.insert(name.into(), value(random));
        }
    }
    Value::Object(members)
}

#[test]
fn what_many_conditions_leave_uncovered_is_that_of_the_validator() {
    let mut compilers = Compilers::new();
    let (mut valid, mut judged, mut empty, mut exhausted) = (0, 0, 0, 0);
    for seed in 0..600 {
        if seed % 50 == 0 {
            compilers = Compilers::new();
        }
        let mut random = Random::new(seed);
        let (keyword, part): (_, fn(&mut Random, usize) -> Value) = match seed % 2 {
            0 => ("unevaluatedProperties", speaks_of_names),
            _ => ("unevaluatedItems", speaks_of_positions),
        };
        let schema = schema(&mut random, part, keyword);
        let validator = jsonschema::validator_for(&schema).unwrap();
        let documents: Vec<Value> = (0..30).map(|_| document(&mut random, keyword)).collect();
        let grammar = match compilers.permissive.json_schema(&schema.to_string()) {
            Ok(grammar) => grammar,
            Err(e) => {
                assert_eq!(e.kind(), CompileErrorKind::Unsatisfiable, "seed {seed}: {schema}: {e}");
                assert!(
                    !documents.iter().any(|document| validator.is_valid(document)),
                    "seed {seed}: {schema}: {e}"
                );
                empty += 1;
                continue;
            }
        };
        for document in &documents {
            let expected = validator.is_valid(document);
            match accepts(&grammar, &document.to_string()) {
                Some(found) => assert_eq!(found, expected, "seed {seed}: {schema} and {document}"),
                None => exhausted += 1,
            }
            judged += 1;
            valid += usize::from(expected);
        }
    }
    println!("{judged} documents, {valid} valid; {exhausted} exhausted, {empty} schemas without a document");
    assert!(exhausted * 100 < judged && valid * 10 > judged, "{exhausted} {valid} {judged}");
}
