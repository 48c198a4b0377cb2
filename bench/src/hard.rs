//! Schemas that are legal and hard: each alone in a fresh universe, with documents whose verdicts are known.

use std::path::Path;

use serde_json::{Value, json};

use crate::engine::EngineName;
use crate::maskbench::{Sharing, run};
use crate::memory;
use crate::tokenizer::{Encoder, Encoding};
use crate::trace::{EncodedDocument, Trace};

/// A schema and documents, each with whether it is valid.
struct Case {
    name: &'static str,
    schema: Value,
    documents: Vec<(Value, bool)>,
    /// Members come in any order.
    any_order: bool,
}

/// Runs an engine over the cases and prints a line for each.
///
/// # Errors
/// Says what can't be read or measured, or of which cases a verdict is wrong.
pub(crate) fn print(engine: EngineName, tokenizer: &Path, encoder: &Encoder) -> Result<(), String> {
    let idle = memory::peak_rss_bytes(engine, tokenizer, None, &[], Sharing::Isolated)?;
    println!(
        "{}: a fresh universe each; memory beyond the {} MB of the vocabulary",
        engine.as_str(),
        megabytes(idle)
    );
    println!(
        "{:<34} {:>14} {:>12} {:>10} {:>7}  verdicts",
        "", "first mask ms", "max mask µs", "memory MB", "masks"
    );
    let mut wrong = Vec::new();
    for case in cases() {
        let in_order = if case.any_order { engine.in_any_order() } else { Some(engine) };
        let Some(engine) = in_order else {
            println!("{:<34} the engine has no such policy", case.name);
            continue;
        };
        let mut engines = [(engine, engine.build(tokenizer, encoder.table(), None)?)];
        let trace = encoded(&case, encoder)?;
        let tally = run(&mut engines, std::slice::from_ref(&trace), Sharing::Isolated).remove(0);
        let peak =
            memory::peak_rss_bytes(engine, tokenizer, None, std::slice::from_ref(&trace), Sharing::Isolated)?;
        let verdicts = match tally.refusals.keys().next() {
            Some(reason) => format!("refused: {reason}"),
            None if tally.valid_rejected.is_empty() && tally.invalid_accepted.is_empty() => {
                "right".to_owned()
            }
            None => {
                wrong.push(case.name);
                format!("WRONG: {:?} {:?}", tally.valid_rejected, tally.invalid_accepted)
            }
        };
        let mut line = format!("{:<34}", case.name);
        if let Some(slowest) = tally.slowest.first() {
            let (first, fill) = (slowest.first_mask_ns as f64 / 1e6, slowest.fill_ns as f64 / 1e3);
            line += &format!(" {first:>14.2} {fill:>12.0}");
        } else {
            line += &format!(" {:>14} {:>12}", "-", "-");
        }
        println!("{line} {:>10} {:>7}  {verdicts}", megabytes(peak.saturating_sub(idle)), tally.tokens);
    }
    if wrong.is_empty() { Ok(()) } else { Err(format!("wrong verdicts: {}", wrong.join("; "))) }
}

fn megabytes(bytes: u64) -> u64 {
    bytes >> 20
}

fn encoded(case: &Case, encoder: &Encoder) -> Result<Trace, String> {
    let mut documents = Vec::new();
    for (number, (document, valid)) in case.documents.iter().enumerate() {
        let text = document.to_string();
        let tokens = match encoder.encode(&text) {
            Some(Encoding::Real(tokens) | Encoding::Greedy(tokens)) => tokens,
            None => return Err(format!("{}: the vocabulary can't spell {text}", case.name)),
        };
        documents.push(EncodedDocument { number, valid: *valid, tokens });
    }
    Ok(Trace { name: case.name.to_owned(), schema: case.schema.to_string(), documents })
}

fn cases() -> Vec<Case> {
    vec![
        members_of_an_enum(),
        alternatives(true),
        alternatives(false),
        conditions(),
        optional(false),
        optional(true),
        long_string(),
        nested_schema(),
        nested_documents(),
        fan_out(),
    ]
}

fn members_of_an_enum() -> Case {
    let member = |i: u32| format!("member-{:05}-{}", i.wrapping_mul(2_654_435_761) % 100_000, i);
    Case {
        name: "enum of 5,000",
        schema: json!({"enum": (0..5_000).map(member).collect::<Vec<_>>()}),
        documents: vec![
            (json!(member(0)), true),
            (json!(member(4_999)), true),
            (json!(member(5_000)), false),
            (json!("member"), false),
        ],
        any_order: false,
    }
}

/// A `oneOf` of 200 objects, told apart by a constant or only by which members they need.
fn alternatives(discriminated: bool) -> Case {
    let branch = |i: u32| {
        let (kind, own, next) = (format!("kind{i}"), format!("p{i}"), format!("p{}", (i + 1) % 200));
        if discriminated {
            json!({
                "type": "object",
                "properties": {"kind": {"const": kind}, own.clone(): {"type": "integer"}},
                "required": ["kind", own],
            })
        } else {
            json!({"type": "object", "properties": {own.clone(): {"type": "integer"}}, "required": [own, next]})
        }
    };
    let documents = if discriminated {
        vec![
            (json!({"kind": "kind7", "p7": 1}), true),
            (json!({"kind": "kind199", "p199": 1, "more": [1, {"a": 2}]}), true),
            (json!({"kind": "kind7", "p7": "x"}), false),
            (json!({"kind": "kind7"}), false),
            (json!({"kind": "kind200"}), false),
        ]
    } else {
        vec![
            (json!({"p7": 1, "p8": 1}), true),
            (json!({"p7": 1, "p8": "x"}), true),
            // Two hold, and then one of them not.
            (json!({"p7": 1, "p8": 1, "p9": 1}), false),
            (json!({"p7": 1, "p8": "x", "p9": 1}), true),
            (json!({"p7": "x", "p8": 1}), false),
            (json!({"p7": 1}), false),
        ]
    };
    let name = if discriminated { "oneOf of 200, discriminated" } else { "oneOf of 200, overlapping" };
    Case {
        name,
        schema: json!({"oneOf": (0..200).map(branch).collect::<Vec<_>>()}),
        documents,
        any_order: false,
    }
}

fn conditions() -> Case {
    let condition = |i: u32| {
        json!({
            "if": {"properties": {format!("c{i}"): {"const": "on"}}, "required": [format!("c{i}")]},
            "then": {"required": [format!("v{i}")]},
            "else": {"properties": {format!("v{i}"): {"type": "string"}}},
        })
    };
    Case {
        name: "64 if/then/else in an allOf",
        schema: json!({"type": "object", "allOf": (0..64).map(condition).collect::<Vec<_>>()}),
        documents: vec![
            (json!({"c0": "on", "v0": 1, "c63": "on", "v63": 2}), true),
            (json!({"c5": "off", "v5": "x"}), true),
            (json!({"c5": "off", "v5": 1}), false),
            (json!({"c0": "on", "c1": "on", "v1": 1}), false),
            (json!({}), true),
        ],
        any_order: false,
    }
}

/// Documents that keep the order of the schema, or in any order one that turns it round.
fn optional(any_order: bool) -> Case {
    let name = |i: u32| format!("property_{i}");
    let properties: serde_json::Map<String, Value> =
        (0..60).map(|i| (name(i), json!({"type": ["integer", "string"]}))).collect();
    let some =
        |step| -> Vec<(String, Value)> { (0..60).step_by(step).map(|i| (name(i), json!(i))).collect() };
    let object = |members: Vec<(String, Value)>| -> Value {
        members.into_iter().collect::<serde_json::Map<_, _>>().into()
    };
    let mut documents = vec![
        (object(some(1)), true),
        (object(some(7)), true),
        (object(some(20)), false),
        (json!({"other": 1}), false),
    ];
    if any_order {
        documents.push((object(some(1).into_iter().rev().collect()), true));
        documents.push((object(some(20).into_iter().rev().collect()), false));
    }
    Case {
        name: if any_order { "60 optional properties, any order" } else { "60 optional properties" },
        schema: json!({"type": "object", "properties": properties, "additionalProperties": false, "minProperties": 5}),
        documents,
        any_order,
    }
}

fn long_string() -> Case {
    Case {
        name: "a pattern .{1,100000}",
        schema: json!({"type": "string", "pattern": "^.{1,100000}$"}),
        documents: vec![
            (json!("x".repeat(2_000)), true),
            (json!("word ".repeat(20_000)), true),
            (json!("word ".repeat(20_001)), false),
            (json!(""), false),
        ],
        any_order: false,
    }
}

fn nested_schema() -> Case {
    let mut schema = json!({"type": "integer"});
    let (mut inside, mut outside) = (json!(1), json!("x"));
    for depth in 0..450 {
        if depth % 2 == 0 {
            schema = json!({"items": schema, "type": "array", "minItems": 1});
            (inside, outside) = (json!([inside]), json!([outside]));
        } else {
            schema = json!({"properties": {"a": schema}, "required": ["a"], "additionalProperties": false});
            (inside, outside) = (json!({"a": inside}), json!({"a": outside}));
        }
    }
    Case {
        name: "a schema 450 levels deep",
        schema,
        documents: vec![(inside, true), (outside, false)],
        any_order: false,
    }
}

fn nested_documents() -> Case {
    let nest = |leaf: Value| (0..500).fold(leaf, |inner, _| json!({"a": inner}));
    Case {
        name: "documents 500 levels deep",
        schema: json!({"anyOf": [{"type": "null"}, {"type": "object", "properties": {"a": {"$ref": "#"}}, "additionalProperties": false}]}),
        documents: vec![(nest(Value::Null), true), (nest(json!(1)), false)],
        any_order: false,
    }
}

/// Thirty definitions that each refer twice to the next: written out, 2^30 leaves.
fn fan_out() -> Case {
    let mut definitions = serde_json::Map::new();
    for i in 0..30 {
        let next = json!({"$ref": format!("#/$defs/d{}", i + 1)});
        let definition = if i % 2 == 0 {
            json!({"allOf": [next, next]})
        } else {
            json!({"type": "object", "properties": {"a": next, "b": next}, "required": ["a"]})
        };
        definitions.insert(format!("d{i}"), definition);
    }
    definitions.insert("d30".to_owned(), json!({"type": "integer"}));
    let path = |leaf: Value| (0..15).fold(leaf, |inner, _| json!({"a": inner}));
    Case {
        name: "$ref fan-out 2^30",
        schema: json!({"$ref": "#/$defs/d0", "$defs": definitions}),
        documents: vec![(path(json!(1)), true), (path(json!("x")), false)],
        any_order: false,
    }
}
