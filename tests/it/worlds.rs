//! Small worlds, exhaustively: where all documents can be listed, their prefixes are the truth about every mask.
//!
//! Values are nested at most twice and made of few parts, and without whitespace, escapes and fractions each has one spelling.
//! An independent validator picks the documents of a schema; the masks of every state that any tokens lead
//! to must be what the prefixes of those documents say. No twin takes part, but for the order of keys.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::HashSet;

use maskwright::error::CompileErrorKind;
use maskwright::{
    Compiler, CompilerConfig, KeyOrder, Matcher, SurfacePolicy, TokenId, Vocabulary, Whitespace,
};
use maskwright_oracle::brute::{ids, spelled_bytes};
use maskwright_oracle::subject::Subject;
use maskwright_oracle::twin::{Twin, Value};
use serde_json::{Value as Json, json};

/// The tokens of the world before any is taken out; the last is the stop token.
const TOKENS: [&str; 30] = [
    "{", "}", "[", "]", "\"", ":", ",", "a", "1", "1", "", "\"a\"", "\":", "{\"", "{\"a\":", "11", "aa",
    "a\"", ",1", "]]", "}]", "[[", "\",\"", "\"\"", "1,", "1]", "\"aa\":1", "},{", "\\", "</s>",
];

fn vocabulary(without: &[&str]) -> Vocabulary {
    // What is taken out leaves a token that spells nothing in its place, so that ids stay.
    let tokens = TOKENS.iter().map(|token| if without.contains(token) { "" } else { token });
    Vocabulary::from_tokens(tokens, &[TokenId(29)]).unwrap()
}

/// A scalar of the world: 1, 11, "" or "a".
fn scalar_bound() -> Json {
    json!({"type": ["integer", "string"], "minimum": 1, "maximum": 11, "pattern": "^a?$"})
}

/// Scalars, and containers of what `first` and `second` hold for.
fn container_bound(first: &Json, second: &Json) -> Json {
    json!({
        "type": ["integer", "string", "array", "object"],
        "minimum": 1,
        "maximum": 11,
        "pattern": "^a?$",
        "prefixItems": [first, second],
        "items": false,
        "properties": {"a": first, "aa": second},
        "additionalProperties": false,
    })
}

/// Holds exactly for [`values`], members in any order.
fn bound() -> Json {
    container_bound(&container_bound(&scalar_bound(), &scalar_bound()), &scalar_bound())
}

/// All values of the world, each with its members in both orders.
fn values() -> Vec<Json> {
    let scalars = [json!(1), json!(11), json!(""), json!("a")];
    let containers = |first: &[Json], second: &[Json]| {
        let mut values = scalars.to_vec();
        values.extend([json!([]), json!({})]);
        values.extend(second.iter().map(|y| json!({"aa": y})));
        for x in first {
            values.extend([json!([x]), json!({"a": x})]);
            for y in second {
                values.extend([json!([x, y]), json!({"a": x, "aa": y}), json!({"aa": y, "a": x})]);
            }
        }
        values
    };
    containers(&containers(&scalars, &scalars), &scalars)
}

/// Every schema of a size: a few atoms, and everything that one combination makes of two of them.
fn schemas() -> Vec<Json> {
    let atoms = [
        json!(true),
        json!(false),
        json!({"const": 1}),
        json!({"enum": ["a", 11, []]}),
        json!({"type": "string"}),
        json!({"type": ["integer", "array"], "minimum": 2}),
        json!({"maxLength": 0}),
        json!({"items": {"const": "a"}, "minItems": 1}),
        json!({"required": ["a"], "properties": {"aa": false}}),
    ];
    let mut schemas = atoms.to_vec();
    for x in &atoms {
        for y in &atoms {
            schemas.push(json!({"anyOf": [x, y]}));
            schemas.push(json!({"allOf": [x, y]}));
            schemas.push(json!({"type": "object", "properties": {"a": x}, "additionalProperties": y}));
            schemas.push(json!({"type": "object", "properties": {"aa": y, "a": x}, "required": ["a"]}));
            schemas.push(json!({"type": "array", "prefixItems": [x], "items": y, "minItems": 1}));
            schemas.push(json!({"type": "array", "items": {"anyOf": [x, y]}, "maxItems": 1}));
            schemas.push(json!({
                "anyOf": [
                    {"required": ["a"], "properties": {"a": x}},
                    {"required": ["aa"], "properties": {"a": y}},
                    {"type": "array", "prefixItems": [y, x]},
                ],
            }));
        }
    }
    schemas
}

/// A schema within the bound, its documents, and all their prefixes.
struct World {
    /// The schema without the bound.
    part: Json,
    schema: Json,
    documents: HashSet<Vec<u8>>,
    prefixes: HashSet<Vec<u8>>,
}

fn policy() -> SurfacePolicy {
    SurfacePolicy { whitespace: Whitespace::None, ..SurfacePolicy::default() }
}

fn world(part: &Json, values: &[Json], vocabulary: &Vocabulary) -> World {
    let schema = json!({"allOf": [part, bound()]});
    let validator = jsonschema::validator_for(&schema).unwrap();
    let order = Twin::judge(&schema, policy()).unwrap();
    let bytes = spelled_bytes(vocabulary);
    let mut documents = HashSet::new();
    for value in values.iter().filter(|value| validator.is_valid(value)) {
        let value = Value::from_json(value);
        let text = value.to_string().into_bytes();
        if order.is_ordered(&value) && bytes.spell(&text) {
            documents.insert(text);
        }
    }
    let prefixes =
        documents.iter().flat_map(|text| (0..=text.len()).map(|end| text[..end].to_vec())).collect();
    World { part: part.clone(), schema, documents, prefixes }
}

/// Goes to every text that tokens lead to and compares the whole mask there; the number of texts, or what differs.
fn check_world(world: &World, start: &Matcher, vocabulary: &Vocabulary) -> Result<usize, String> {
    let mut reached: HashSet<Vec<u8>> = HashSet::from([Vec::new()]);
    let mut work = vec![start.clone()];
    while let Some(mut matcher) = work.pop() {
        let text = matcher.text();
        let allowed = matcher.allowed().unwrap();
        let is_document = world.documents.contains(&text);
        let differs = |what: &str| Err(format!("{} after `{}`: {what}", world.part, text.escape_ascii()));
        if matcher.is_accepting() != is_document {
            return differs(&format!("it is a document: {is_document}"));
        }
        for token in ids(vocabulary) {
            let bytes = vocabulary.bytes(token);
            let longer = [&text, bytes].concat();
            let expected = match vocabulary.is_stop(token) {
                true => is_document,
                false => !bytes.is_empty() && world.prefixes.contains(&longer),
            };
            if allowed[token.index()] != expected {
                return differs(&format!("token `{}` may follow: {expected}", bytes.escape_ascii()));
            }
            if expected && !vocabulary.is_stop(token) && reached.insert(longer) {
                let mut next = matcher.clone();
                next.commit(token).unwrap();
                work.push(next);
            }
        }
    }
    Ok(reached.len())
}

/// Schemas of negation, choice, conditions, counts and patterns of names.
fn logical_schemas() -> Vec<Json> {
    let atoms = [
        json!(true),
        json!({"const": 1}),
        json!({"enum": ["a", 11, []]}),
        json!({"type": ["integer", "array"], "minimum": 2}),
        json!({"items": {"const": "a"}, "minItems": 1}),
        json!({"required": ["a"], "properties": {"aa": false}}),
        json!({"properties": {"a": {"type": "integer"}}}),
        json!({"type": "object", "minProperties": 1}),
    ];
    let mut schemas = vec![
        json!({"oneOf": atoms}),
        json!({"type": "object", "propertyNames": {"maxLength": 1}}),
        json!({"type": "object", "not": {"propertyNames": {"maxLength": 1}}}),
        json!({"type": "array", "contains": {"type": "string"}, "minContains": 2}),
        json!({"type": "array", "contains": {"type": "string"}, "maxContains": 1}),
        json!({"type": "array", "not": {"contains": {"type": "string"}, "maxContains": 1}}),
    ];
    for x in &atoms {
        schemas.push(json!({"not": x}));
        schemas.push(json!({"not": {"not": x}}));
        for y in &atoms {
            schemas.push(json!({"oneOf": [x, y]}));
            schemas.push(json!({"not": {"oneOf": [x, y]}}));
            schemas.push(json!({"if": x, "then": y}));
            schemas.push(json!({"if": x, "then": {"not": y}, "else": y}));
            schemas.push(json!({"type": "object", "properties": {"a": {"oneOf": [x, y]}}, "not": {"required": ["aa"]}}));
            schemas.push(
                json!({"type": "object", "patternProperties": {"^a": x, "^aa": y}, "maxProperties": 1}),
            );
            schemas.push(json!({"type": "object", "patternProperties": {"a.": x}, "additionalProperties": y, "minProperties": 1}));
            schemas.push(
                json!({"type": "object", "not": {"patternProperties": {"^a": x}, "properties": {"aa": y}}}),
            );
            schemas.push(json!({"type": "object", "dependentSchemas": {"a": {"properties": {"aa": x}}}, "dependentRequired": {"aa": ["a"]}, "not": {"properties": {"a": y}}}));
            schemas.push(json!({"type": "array", "contains": x, "items": {"not": y}}));
            schemas.push(json!({"type": "array", "not": {"prefixItems": [x], "items": y}}));
        }
    }
    schemas
}

/// The documents among these that the grammar reads to the end.
fn read(grammar: &Matcher, vocabulary: &Vocabulary, values: &[&Json]) -> HashSet<Vec<u8>> {
    let byte_token = |byte: u8| ids(vocabulary).find(|&id| vocabulary.bytes(id) == [byte]).unwrap();
    let reads = |text: &[u8]| {
        let mut matcher = grammar.clone();
        text.iter().all(|&byte| matcher.commit(byte_token(byte)).is_ok()) && matcher.is_accepting()
    };
    values.iter().map(|value| value.to_string().into_bytes()).filter(|text| reads(text)).collect()
}

/// Compiles the schemas in one order of keys: what is read byte by byte are valid documents, every valid value in at least
/// one order of its members and in order `any` in all; and all masks say the same.
fn check_logic(key_order: KeyOrder) {
    let vocabulary = vocabulary(&[]);
    let policy = SurfacePolicy { key_order, ..policy() };
    let compiler = Compiler::new(vocabulary.clone(), CompilerConfig::with_policy(policy));
    let values = values();
    let (mut texts, mut empty, mut wrong) = (0, 0, Vec::new());
    let schemas = logical_schemas();
    for part in &schemas {
        let schema = json!({"allOf": [part, bound()]});
        let validator = jsonschema::validator_for(&schema).unwrap();
        let (valid, invalid): (Vec<&Json>, Vec<&Json>) =
            values.iter().partition(|value| validator.is_valid(value));
        empty += usize::from(valid.is_empty());
        let grammar = match compiler.json_schema(&schema.to_string()) {
            Ok(grammar) => grammar,
            Err(error) => {
                let is_named =
                    matches!(error.kind(), CompileErrorKind::Unsatisfiable | CompileErrorKind::Unspellable);
                if !is_named || !valid.is_empty() {
                    wrong.push(format!("{part}: {error}"));
                }
                continue;
            }
        };
        let start = Matcher::new(&grammar);
        let documents = read(&start, &vocabulary, &valid);
        let is_read = |value: &&&Json| documents.contains(value.to_string().as_bytes());
        let lost = valid.iter().find(|value| match key_order {
            KeyOrder::Any => !is_read(value),
            KeyOrder::Declared => {
                !valid.iter().filter(|other| **other == **value).any(|other| is_read(&other))
            }
        });
        if let Some(lost) = lost {
            wrong.push(format!("{part}: {lost} is not accepted"));
        }
        if let Some(text) = read(&start, &vocabulary, &invalid).iter().next() {
            wrong.push(format!("{part}: {} is accepted", text.escape_ascii()));
        }
        let prefixes =
            documents.iter().flat_map(|text| (0..=text.len()).map(|end| text[..end].to_vec())).collect();
        let world = World { part: part.clone(), schema, documents, prefixes };
        match check_world(&world, &start, &vocabulary) {
            Ok(count) => texts += count,
            Err(what) => wrong.push(what),
        }
    }
    println!("order {key_order:?}: {} schemas, {empty} of them empty, {texts} texts", schemas.len());
    assert!(empty * 2 < schemas.len() && texts > 10_000, "{empty} are empty, {texts} texts");
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), first_lines(&wrong));
}

#[test]
fn negation_choice_conditions_and_counts_are_exact_with_keys_in_any_order() {
    check_logic(KeyOrder::Any);
}

#[test]
fn negation_choice_conditions_and_counts_are_exact_with_keys_in_declared_order() {
    check_logic(KeyOrder::Declared);
}

fn first_lines(lines: &[String]) -> String {
    lines.iter().take(20).map(|line| format!("{line}\n")).collect()
}

/// Checks the schemas over one vocabulary.
fn check_schemas(schemas: &[Json], without: &[&str]) {
    let vocabulary = vocabulary(without);
    let compiler = Compiler::new(vocabulary.clone(), CompilerConfig::with_policy(policy()));
    let values = values();
    let (mut texts, mut empty, mut wrong) = (0, 0, Vec::new());
    for part in schemas {
        let world = world(part, &values, &vocabulary);
        let compiled = compiler.json_schema(&world.schema.to_string());
        empty += usize::from(world.documents.is_empty());
        match compiled {
            Ok(_) if world.documents.is_empty() => wrong.push(format!("{part}: no document can be spelled")),
            Ok(grammar) => match check_world(&world, &Matcher::new(&grammar), &vocabulary) {
                Ok(count) => texts += count,
                Err(what) => wrong.push(what),
            },
            Err(error) => {
                let is_named =
                    matches!(error.kind(), CompileErrorKind::Unsatisfiable | CompileErrorKind::Unspellable);
                if !is_named || !world.documents.is_empty() {
                    wrong.push(format!("{part}: {error}"));
                }
            }
        }
    }
    println!("without {without:?}: {} schemas, {empty} of them empty, {texts} texts", schemas.len());
    assert!(empty < schemas.len(), "some schema can be satisfied");
    assert!(wrong.is_empty(), "without {without:?} {} are wrong:\n{}", wrong.len(), first_lines(&wrong));
}

#[test]
fn every_mask_of_every_small_schema_is_what_the_list_of_its_documents_says() {
    check_schemas(&schemas(), &[]);
}

#[test]
fn masks_are_exact_where_bytes_cannot_be_spelled() {
    let schemas = schemas();
    for (shift, without) in
        [&[","][..], &["}", "a"], &["]"], &[":"], &["1"], &["\"", "{"], &["[", "aa", "11"]].iter().enumerate()
    {
        let some: Vec<Json> = schemas.iter().skip(shift).step_by(9).cloned().collect();
        check_schemas(&some, without);
    }
}
