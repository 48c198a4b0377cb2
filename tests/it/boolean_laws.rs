//! The laws of logic on random schemas of all keywords: two ways to say the same have the same masks, all along.
//!
//! The order of keys is `any`: else it hangs on the order in which a schema mentions names, and not only on what it means.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use maskwright::error::CompileErrorKind;
use maskwright::{CompiledGrammar, Compiler};
use maskwright_oracle::generate::Random;
use maskwright_oracle::generate::schema::{Keywords, schema_of, value};
use serde_json::{Value, json};

use crate::validator::{Compilers, Counts, accepts, walk};

/// So many schemas share a compiler.
const SCHEMAS_PER_UNIVERSE: usize = 500;

/// A random schema that can stand anywhere: its references stay within it.
fn part(random: &mut Random, id: &str) -> Value {
    let mut schema = schema_of(random, Keywords::All);
    if schema.get("$defs").is_some() {
        schema["$id"] = json!(id);
    }
    schema
}

/// Pairs that mean the same, whatever the two schemas are.
fn laws(s: &Value, t: &Value) -> [(&'static str, Value, Value); 9] {
    let not = |schema: &Value| json!({"not": schema});
    [
        ("not not S is S", not(&not(s)), s.clone()),
        ("S and S is S", json!({"allOf": [s, s]}), s.clone()),
        ("S or S is S", json!({"anyOf": [s, s]}), s.clone()),
        ("S or not S is anything", json!({"anyOf": [s, not(s)]}), json!(true)),
        ("S or (S and T) is S", json!({"anyOf": [s, {"allOf": [s, t]}]}), s.clone()),
        ("De Morgan: or", not(&json!({"anyOf": [s, t]})), json!({"allOf": [not(s), not(t)]})),
        ("De Morgan: and", not(&json!({"allOf": [s, t]})), json!({"anyOf": [not(s), not(t)]})),
        (
            "exactly one",
            json!({"oneOf": [s, t]}),
            json!({"anyOf": [{"allOf": [s, not(t)]}, {"allOf": [not(s), t]}]}),
        ),
        ("if S then T", json!({"if": s, "then": t}), json!({"anyOf": [not(s), t]})),
    ]
}

/// What a compilation came to.
enum Compiled {
    Grammar(CompiledGrammar),
    Unsatisfiable,
    /// Refused for another reason.
    Refused,
}

fn compiled(compiler: &Compiler, schema: &Value) -> Compiled {
    match compiler.json_schema(&schema.to_string()) {
        Ok(grammar) => Compiled::Grammar(grammar),
        Err(e) if e.kind() == CompileErrorKind::Unsatisfiable => Compiled::Unsatisfiable,
        Err(_) => Compiled::Refused,
    }
}

#[derive(Default, Debug)]
struct Seen {
    pairs: usize,
    unsatisfiable: usize,
    refused: usize,
    walks: usize,
    documents: usize,
    accepted: usize,
    unfinished: usize,
}

fn check_pair(compiler: &Compiler, random: &mut Random, seen: &mut Seen, counts: &mut Counts) {
    let (s, t) = (part(random, "urn:s"), part(random, "urn:t"));
    let documents: Vec<String> =
        (0..8).map(|i| value(random, if i % 2 == 0 { &s } else { &t }).to_string()).collect();
    let laws = laws(&s, &t);
    // Every law now and then; all of every pair would be a good deal slower and find no more.
    for (law, left, right) in laws.iter().filter(|_| random.chance(1, 3)).collect::<Vec<_>>() {
        seen.pairs += 1;
        match (compiled(compiler, left), compiled(compiler, right)) {
            (Compiled::Grammar(left_grammar), Compiled::Grammar(right_grammar)) => {
                for _ in 0..2 {
                    match walk(&left_grammar, Some(&right_grammar), random, counts) {
                        Some(_) => seen.walks += 1,
                        None => seen.unfinished += 1,
                    }
                }
                for document in &documents {
                    let verdicts = (accepts(&left_grammar, document), accepts(&right_grammar, document));
                    let (Some(found), Some(expected)) = verdicts else {
                        seen.unfinished += 1;
                        continue;
                    };
                    assert_eq!(found, expected, "{law}: {left} and {right} on {document}");
                    seen.documents += 1;
                    seen.accepted += usize::from(found);
                }
            }
            (Compiled::Unsatisfiable, Compiled::Unsatisfiable) => seen.unsatisfiable += 1,
            (Compiled::Refused, _) | (_, Compiled::Refused) => seen.refused += 1,
            (Compiled::Unsatisfiable, Compiled::Grammar(_)) => {
                panic!("{law}: {left} is called unsatisfiable, and {right} is not")
            }
            (Compiled::Grammar(_), Compiled::Unsatisfiable) => {
                panic!("{law}: {right} is called unsatisfiable, and {left} is not")
            }
        }
    }
    for contradiction in [json!({"allOf": [s, {"not": s}]}), json!({"oneOf": [s, s]})] {
        match compiled(compiler, &contradiction) {
            Compiled::Unsatisfiable => seen.unsatisfiable += 1,
            Compiled::Refused => seen.refused += 1,
            Compiled::Grammar(_) => panic!("{contradiction} is a contradiction, and was compiled"),
        }
    }
}

fn check_pairs(seed: u64, count: usize) {
    println!("seed {seed:#x}");
    let (mut seen, mut counts) = (Seen::default(), Counts::default());
    let mut compilers = Compilers::new();
    for i in 0..count {
        if i % SCHEMAS_PER_UNIVERSE == 0 {
            compilers = Compilers::new();
        }
        let mut random = Random::new(seed + u64::try_from(i).unwrap());
        check_pair(&compilers.permissive, &mut random, &mut seen, &mut counts);
    }
    println!("{seen:?}");
    assert!(seen.refused * 10 < seen.pairs, "{seen:?}");
    assert!(seen.unfinished * 50 < seen.documents && seen.accepted * 10 > seen.documents, "{seen:?}");
    assert!(seen.walks > count && seen.unsatisfiable > count, "{seen:?}");
}

#[test]
fn schemas_that_mean_the_same_have_the_same_masks() {
    check_pairs(0x0B00_0001, 2_000);
}

#[test]
#[ignore = "long: many more schemas than the default run"]
fn many_schemas_that_mean_the_same_have_the_same_masks() {
    let count = std::env::var("MASKWRIGHT_SCHEMAS").ok().and_then(|count| count.parse().ok());
    check_pairs(0x0B01_0001, count.unwrap_or(5_000));
}
