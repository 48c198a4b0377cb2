//! Random schemas of all keywords against an independent validator.
//!
//! Under the permissive policy a document is accepted iff the validator says it is valid, and so is a text in which a byte or
//! two were changed. Walks under masks never meet a dead end, finished ones validate, and masks are the same without caches,
//! token by token.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use maskwright::automaton::Caching;
use maskwright::error::CompileErrorKind;
use maskwright::syntax::json::Json;
use maskwright::{
    Bitmask, CompiledGrammar, Compiler, CompilerConfig, Matcher, SurfacePolicy, TokenId, Vocabulary,
};
use maskwright_oracle::generate::Random;
use maskwright_oracle::generate::document::mutated;
use maskwright_oracle::generate::schema::{Keywords, schema_of, value};
use serde_json::{Value, json};

/// Longest walk, in tokens; then the walk goes straight to the end.
const WALK_TOKENS: usize = 25;
/// So many schemas share a universe.
const SCHEMAS_PER_UNIVERSE: usize = 500;

/// All bytes, tokens across the seams of JSON, and a stop token.
fn vocabulary() -> Vocabulary {
    let mut tokens: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
    let seams = [
        "{\"", "\":", "\",\"", "\"}", "\"a\":", "{\"a\":", "},{", "]}", "}}", "[[", "\"\"", ",\"b\":",
        "null", "tru", "12", ": ", ", ", "\\u00", "\\u0061", "ab", "\"ab", "k\":", "\"\":", "\",\"a", "1,",
        "1}", "  ", "\n ", " \"", " {", "aa\"",
    ];
    tokens.extend(seams.iter().map(|token| token.as_bytes().to_vec()));
    tokens.push(b"</s>".to_vec());
    let stop = TokenId::new(tokens.len() - 1);
    Vocabulary::from_tokens(tokens, &[stop]).unwrap()
}

/// What a run has seen.
#[derive(Default, Debug)]
pub(crate) struct Counts {
    schemas: usize,
    refused: BTreeMap<String, usize>,
    unsatisfiable: usize,
    /// Documents and walks in which a question ran out of its budget.
    exhausted: usize,
    /// Walks that did not come to an end.
    unended: usize,
    documents: usize,
    valid: usize,
    /// Texts with a byte or two changed, and how many of them are valid all the same.
    mutations: usize,
    valid_mutations: usize,
    masks: usize,
    pub(crate) finished: usize,
}

pub(crate) struct Compilers {
    pub(crate) permissive: Compiler,
    pub(crate) default: Compiler,
    pub(crate) uncached: Compiler,
}

impl Compilers {
    pub(crate) fn new() -> Self {
        let vocabulary = vocabulary();
        let permissive = CompilerConfig::with_policy(SurfacePolicy::permissive());
        let mut uncached = permissive.clone();
        uncached.caching = Caching::Off;
        Self {
            permissive: Compiler::new(vocabulary.clone(), permissive),
            default: Compiler::new(vocabulary.clone(), CompilerConfig::default()),
            uncached: Compiler::new(vocabulary, uncached),
        }
    }
}

/// Whether a grammar accepts a text; `None` if a question ran out of its budget.
pub(crate) fn accepts(grammar: &CompiledGrammar, text: &str) -> Option<bool> {
    let mut matcher = Matcher::new(grammar);
    for byte in text.bytes() {
        match matcher.commit(u32::from(byte)) {
            Ok(()) => {}
            Err(maskwright::error::CommitError::Exhausted(_)) => return None,
            Err(_) => return Some(false),
        }
    }
    Some(matcher.is_accepting())
}

/// Walks under the masks to a finished document, comparing each mask with that of `twin` if there is one. `None` if a
/// question ran out of its budget.
pub(crate) fn walk(
    grammar: &CompiledGrammar,
    twin: Option<&CompiledGrammar>,
    random: &mut Random,
    counts: &mut Counts,
) -> Option<String> {
    let mut matcher = Matcher::new(grammar);
    let mut twin = twin.map(Matcher::new);
    let (mut mask, mut other) = (Bitmask::new(grammar), Bitmask::new(grammar));
    for step in 0.. {
        if matcher.fill_bitmask(&mut mask).is_err() {
            counts.exhausted += 1;
            return None;
        }
        counts.masks += 1;
        let text = |matcher: &Matcher| String::from_utf8_lossy(&matcher.text()).into_owned();
        if let Some(twin) = &mut twin {
            // It has no short cuts, so it may run out of a budget where the other does not.
            if twin.fill_bitmask(&mut other).is_err() {
                counts.exhausted += 1;
                return None;
            }
            let (found, expected): (Vec<_>, Vec<_>) = (mask.iter().collect(), other.iter().collect());
            assert_eq!(found, expected, "after {:?}", text(&matcher));
        }
        let allowed: Vec<TokenId> = mask.iter().collect();
        assert!(!allowed.is_empty(), "a dead end after {:?}", text(&matcher));
        let closing = |token: &&TokenId| {
            let bytes = grammar.vocabulary().bytes(**token);
            matches!(bytes, b"}" | b"]" | b"\"" | b"</s>") || bytes.is_empty()
        };
        let token = match allowed.iter().find(closing) {
            Some(token) if step > WALK_TOKENS => *token,
            _ => *random.pick(&allowed),
        };
        let is_stop = grammar.vocabulary().is_stop(token);
        if twin.is_some() {
            let (forced, bytes) = (matcher.forced_bytes().unwrap(), grammar.vocabulary().bytes(token));
            assert!(
                is_stop || forced.starts_with(bytes) || bytes.starts_with(&forced),
                "{forced:?} is forced after {:?}",
                text(&matcher)
            );
        }
        if is_stop {
            return Some(text(&matcher));
        }
        matcher.commit(token).unwrap();
        if let Some(twin) = &mut twin {
            twin.commit(token).unwrap();
        }
        if step > 40 * WALK_TOKENS {
            counts.unended += 1;
            return None;
        }
    }
    None
}

/// Says which schema a failure is about.
struct Named<'s>(&'s str);

impl Drop for Named<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("with the schema {}", self.0);
        }
    }
}

fn check_schema(compilers: &Compilers, random: &mut Random, walks: usize, counts: &mut Counts) {
    let schema = schema_of(random, Keywords::All);
    let text = schema.to_string();
    let _named = Named(&text);
    counts.schemas += 1;
    let validator = jsonschema::validator_for(&schema).unwrap_or_else(|e| panic!("{text}: {e}"));
    let documents: Vec<Value> = (0..40).map(|_| value(random, &schema)).collect();
    let grammar = match compilers.permissive.json_schema(&text) {
        Ok(grammar) => grammar,
        Err(e) if e.kind() == CompileErrorKind::Unsatisfiable => {
            counts.unsatisfiable += 1;
            for document in &documents {
                assert!(!validator.is_valid(document), "{text} is called unsatisfiable: {document}");
            }
            return;
        }
        Err(e) => {
            *counts.refused.entry(format!("{} {}", e.kind().name(), e.subject())).or_default() += 1;
            return;
        }
    };
    for document in &documents {
        let expected = validator.is_valid(document);
        match accepts(&grammar, &document.to_string()) {
            Some(found) => assert_eq!(found, expected, "{text} and {document}"),
            None => counts.exhausted += 1,
        }
        counts.documents += 1;
        counts.valid += usize::from(expected);
    }
    let uncached = compilers.uncached.json_schema(&text).unwrap();
    // Under another policy a question may be too hard.
    let default = compilers.default.json_schema(&text).unwrap_or_else(|e| {
        assert_eq!(e.kind(), CompileErrorKind::Limit, "{text}: {e}");
        counts.exhausted += 1;
        grammar.clone()
    });
    let further = (1..walks).map(|i| if i % 2 == 0 { (&grammar, None) } else { (&default, None) });
    for (grammar, twin) in [(&grammar, Some(&uncached))].into_iter().chain(further) {
        let Some(document) = walk(grammar, twin, random, counts) else { continue };
        counts.finished += 1;
        let parsed: Value =
            serde_json::from_str(&document).unwrap_or_else(|e| panic!("{text}: {document}: {e}"));
        if is_plain(&document) {
            assert!(validator.is_valid(&parsed), "{text} does not allow {document}");
        }
    }
    for document in &documents {
        let changed = String::from_utf8_lossy(&mutated(document.to_string().as_bytes(), random)).into_owned();
        check_mutation(&grammar, &validator, &changed, counts);
    }
}

/// Numbers of many digits or with great exponents are beyond the validator.
fn is_plain(document: &str) -> bool {
    let digits = document.split(|c: char| !c.is_ascii_digit() && c != '.').map(str::len).max().unwrap_or(0);
    !document.contains(['e', 'E']) && document.len() < 2_000 && digits < 15
}

/// A text that may be no JSON at all.
fn check_mutation(
    grammar: &CompiledGrammar,
    validator: &jsonschema::Validator,
    text: &str,
    counts: &mut Counts,
) {
    if !is_plain(text) {
        return;
    }
    let expected = match Json::read(text) {
        // The reader refuses repeated names, which the other one takes.
        Err(_) => false,
        Ok(_) => serde_json::from_str(text).is_ok_and(|value| validator.is_valid(&value)),
    };
    match accepts(grammar, text) {
        Some(found) => assert_eq!(found, expected, "{:?} on {text}", grammar.report()),
        None => counts.exhausted += 1,
    }
    counts.mutations += 1;
    counts.valid_mutations += usize::from(expected);
}

/// So often a long run says how far it is.
const SCHEMAS_PER_LINE: usize = 5_000;

/// Checks random schemas, each from a seed of its own: the first one's is given.
fn check_schemas(seed: u64, count: usize, walks: usize) {
    println!("seed {seed:#x}");
    let mut compilers = Compilers::new();
    let mut counts = Counts::default();
    for i in 0..count {
        if i % SCHEMAS_PER_UNIVERSE == 0 {
            compilers = Compilers::new();
        }
        if i % SCHEMAS_PER_LINE == SCHEMAS_PER_LINE - 1 {
            println!("{i} schemas agree");
        }
        let mut random = Random::new(seed + u64::try_from(i).unwrap());
        check_schema(&compilers, &mut random, walks, &mut counts);
    }
    println!("{counts:?}");
    let refused: usize = counts.refused.values().sum();
    assert!(refused * 20 < count, "{refused} of {count} are refused: {:?}", counts.refused);
    assert!(counts.exhausted * 200 < counts.documents + counts.finished, "{counts:?}");
    assert!(counts.unended * 20 < counts.finished, "{counts:?}");
    assert!(counts.valid * 10 > counts.documents && counts.finished > count, "{counts:?}");
    assert!(counts.valid_mutations * 50 > counts.mutations, "{counts:?}");
}

#[test]
fn random_schemas_of_all_keywords_agree_with_the_validator() {
    check_schemas(0x02A3_0001, 2_000, 50);
}

#[test]
#[ignore = "long: many more schemas than the default run"]
fn many_random_schemas_of_all_keywords_agree_with_the_validator() {
    let number = |name| std::env::var(name).ok().and_then(|number| number.parse::<usize>().ok());
    // A run can go on where another one stopped.
    let first = u64::try_from(number("MASKWRIGHT_FIRST_SCHEMA").unwrap_or(0)).unwrap();
    check_schemas(0x02A4_0001 + first, number("MASKWRIGHT_SCHEMAS").unwrap_or(20_000), 50);
}

/// The matcher of a schema after a text, byte by byte.
#[track_caller]
pub(crate) fn after(schema: &str, text: &str) -> Matcher {
    let grammar = Compiler::new(vocabulary(), CompilerConfig::default()).json_schema(schema).unwrap();
    let mut matcher = Matcher::new(&grammar);
    for byte in text.bytes() {
        matcher.commit(u32::from(byte)).unwrap_or_else(|e| panic!("{schema} after {text}: {e}"));
    }
    matcher
}

/// Whether a byte may follow, by the mask and by a commit.
pub(crate) fn may_follow(matcher: &Matcher, byte: u8) -> bool {
    let mut mask = Bitmask::new(matcher.grammar());
    matcher.clone().fill_bitmask(&mut mask).unwrap();
    let committed = matcher.clone().commit(u32::from(byte)).is_ok();
    assert_eq!(mask.contains(u32::from(byte)), committed, "mask and commit are one function");
    committed
}

#[test]
fn names_used_around_an_object_that_tracks_none_do_not_reach_into_it() {
    for (schema, text) in [
        (r#"{"additionalProperties":{"const":{"c":1}}}"#, r#"{"":{"c"#),
        (r#"{"additionalProperties":{"const":{"ca":1}}}"#, r#"{"a":{"ca"#),
        (r#"{"additionalProperties":{"type":"array","items":{"const":{"c":1}}}}"#, r#"{"":[{"c"#),
    ] {
        assert!(may_follow(&after(schema, text), b'"'), "{schema} after {text}");
    }
    // The key that the object itself has used stays used.
    let inner = after(r#"{"additionalProperties":{"type":"object"}}"#, r#"{"a":{"a":1,"a"#);
    assert!(!may_follow(&inner, b'"'));
}

#[test]
fn a_token_that_uses_a_name_twice_by_itself_is_never_allowed() {
    let twice = ["{\"k\":1,\"k\"", "{\"k\":1,\"\\u006b\":2}", "[1,1]", "[{\"k\":1},{\"k\":1.0}"];
    let once = ["{\"k\":1,\"l\"", "{\"k\":{\"k\"", "[1,2]", "[{\"k\":1},{\"k\":2}"];
    let mut tokens: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
    tokens.extend(twice.iter().chain(&once).map(|token| token.as_bytes().to_vec()));
    tokens.push(b"</s>".to_vec());
    let stop = TokenId::new(tokens.len() - 1);
    let vocabulary = Vocabulary::from_tokens(tokens, &[stop]).unwrap();
    for (schema, text) in [
        (r#"{"uniqueItems":true}"#, ""),
        (r#"{"items":{"uniqueItems":true}}"#, "["),
        (r#"{"additionalProperties":{"uniqueItems":true}}"#, "{\"a\":"),
        (r#"{"properties":{"a":{"uniqueItems":true}},"required":["a"],"type":"object"}"#, "{\"a\":"),
    ] {
        for caching in [Caching::On, Caching::Off] {
            let mut config = CompilerConfig::with_policy(SurfacePolicy::permissive());
            config.caching = caching;
            let grammar = Compiler::new(vocabulary.clone(), config).json_schema(schema).unwrap();
            let mut matcher = Matcher::new(&grammar);
            text.bytes().for_each(|byte| matcher.commit(u32::from(byte)).unwrap());
            let mut mask = Bitmask::new(&grammar);
            matcher.fill_bitmask(&mut mask).unwrap();
            for id in 256..256 + 8 {
                let committed = matcher.clone().commit(id).is_ok();
                assert_eq!(
                    (mask.contains(id), committed),
                    (id >= 260, id >= 260),
                    "{schema} after {text}: {id}"
                );
            }
        }
    }
}

#[test]
fn a_lone_low_surrogate_is_no_part_of_a_key() {
    for schema in [
        r#"{"type":"object"}"#,
        r#"{"properties":{"b":true}}"#,
        r#"{"patternProperties":{"b":{"type":"null"}}}"#,
    ] {
        for (text, hex) in [(r#"{"\ud"#, "cdef"), (r#"{"a\uD"#, "CDEF")] {
            let matcher = after(schema, text);
            for byte in hex.bytes() {
                assert!(!may_follow(&matcher, byte), "{schema} after {text}: {}", char::from(byte));
            }
            assert!(may_follow(&matcher, b'8'));
        }
    }
}

#[test]
fn alternatives_that_share_parts_many_times_over_are_decided_once() {
    for (keyword, leaf) in [("minimum", "integer"), ("minItems", "array"), ("minProperties", "object")] {
        let mut definitions = format!(r#""d0":{{"type":"{leaf}"}}"#);
        for i in 1..40 {
            let last = format!(r##"{{"$ref":"#/$defs/d{}"}}"##, i - 1);
            let more = format!(r#","d{i}":{{"anyOf":[{last},{{"allOf":[{last},{{"{keyword}":{i}}}]}}]}}"#);
            definitions.push_str(&more);
        }
        let schema = format!(r##"{{"$ref":"#/$defs/d39","$defs":{{{definitions}}}}}"##);
        let compiler = Compiler::new(vocabulary(), CompilerConfig::default());
        if let Err(e) = compiler.json_schema(&schema) {
            assert_eq!(e.kind(), CompileErrorKind::Limit, "{e}");
        }
    }
}

#[test]
fn alternatives_nested_a_thousand_times_over_need_no_stack() {
    for join in ["anyOf", "oneOf"] {
        let mut definitions = r#""d0":{"type":"object","required":["a0"]}"#.to_owned();
        for i in 1..6_000 {
            let last = format!(r##"{{"$ref":"#/$defs/d{}"}}"##, i - 1);
            let name = format!(r#"{{"required":["a{}"]}}"#, i % 7);
            let more = format!(
                r#","d{i}":{{"allOf":[{name},{{"{join}":[{last},{{"type":"null"}},{{"maxProperties":{}}}]}}]}}"#,
                i % 5
            );
            definitions.push_str(&more);
        }
        let schema = format!(r##"{{"$ref":"#/$defs/d5999","$defs":{{{definitions}}}}}"##);
        let compiler = Compiler::new(vocabulary(), CompilerConfig::default());
        match compiler.json_schema(&schema) {
            Ok(grammar) => drop(Matcher::new(&grammar).allowed_count()),
            Err(e) => assert!(
                matches!(e.kind(), CompileErrorKind::Limit | CompileErrorKind::Unsatisfiable),
                "{join}: {e}"
            ),
        }
    }
}

/// The same place without caches has the same mask, and every bit of it is a commit.
#[track_caller]
pub(crate) fn is_exact(schema: &str, text: &str) {
    let mut matcher = after(schema, text);
    let mut config = CompilerConfig::default();
    config.caching = Caching::Off;
    let grammar = Compiler::new(vocabulary(), config).json_schema(schema).unwrap();
    let mut twin = Matcher::new(&grammar);
    text.bytes().for_each(|byte| twin.commit(u32::from(byte)).unwrap());
    let (mut mask, mut other) = (Bitmask::new(&grammar), Bitmask::new(&grammar));
    matcher.fill_bitmask(&mut mask).unwrap();
    twin.fill_bitmask(&mut other).unwrap();
    for id in 0..u32::try_from(vocabulary().len()).unwrap() {
        let committed = matcher.clone().commit(id).is_ok();
        assert_eq!((mask.contains(id), other.contains(id)), (committed, committed), "{schema}, {text}, {id}");
    }
}

#[test]
fn names_that_patterns_allow_run_out_without_a_dead_end() {
    let some = r#"{"type":"object","patternProperties":{"^(x[ab]|y.*)$":true},"additionalProperties":false}"#;
    for (text, yes, no) in [
        (r#"{"xa":1,""#, "xy", "ab"),
        (r#"{"xa":1,"x"#, "b", "a"),
        (r#"{"xa":1,"xb":1,""#, "y", "x"),
        (r#"{"xb":1,"y":1,"xa":1"#, ",}", "]"),
    ] {
        let matcher = after(some, text);
        assert!(yes.bytes().all(|byte| may_follow(&matcher, byte)), "{text}");
        assert!(!no.bytes().any(|byte| may_follow(&matcher, byte)), "{text}");
        is_exact(some, text);
    }
    // Two names are known one by one; of 125 the names used are compared.
    let two =
        r#"{"type":"object","patternProperties":{"^[ab]$":{"type":"null"}},"additionalProperties":false}"#;
    assert!(may_follow(&after(two, r#"{"a":null"#), b','));
    assert!(!may_follow(&after(two, r#"{"a":null,"b":null"#), b','));
    let many = r#"{"patternProperties":{"^[a-e]{3}$":{"const":1}},"additionalProperties":false}"#;
    let mut text = String::from("{");
    for i in 0..125 {
        let letter = |n: u32| char::from(b'a' + u8::try_from(n % 5).unwrap());
        let name: String = [letter(i / 25), letter(i / 5), letter(i)].iter().collect();
        text.push_str(&format!(r#""{name}":1,"#));
    }
    let all = text.trim_end_matches(',');
    let but_one = &all[..all.len() - r#","eee":1"#.len()];
    assert!(may_follow(&after(many, but_one), b','));
    is_exact(many, but_one);
    is_exact(many, &format!("{but_one},\"ee"));
    assert!(!may_follow(&after(many, all), b','));
    assert!(may_follow(&after(many, all), b'}'));
    is_exact(many, all);
}

/// Schemas with many overlapping alternatives, and documents beside which all of them have to be looked at.
fn many_alternatives() -> Vec<(Value, Vec<Value>)> {
    let named = |i: usize| format!("n{i}");
    let kind = |i: usize| json!({"properties": {"kind": {"enum": [format!("k{i}")]}, named(i): {"type": "integer"}}});
    let documents: Vec<Value> = (0..9)
        .flat_map(|i| {
            let kind = format!("k{i}");
            [
                json!({"kind": kind, named(i): 1}),
                json!({"kind": kind, named(i): "x"}),
                json!({"kind": kind, named((i + 1) % 9): "x", named(i): 3}),
                json!({named(i): 1}),
                json!({named(i): 1, named((i + 3) % 9): 2, "kind": "other"}),
                json!({named(i): 1, "value": {"x": 1}, "kind": kind}),
                json!({named(i): 1, "value": {"y": i}, "kind": kind}),
                json!({named(i): 1, named(i + 1): "x"}),
                json!({named(i): 1, named(i + 1): 2, named(i + 2): 3}),
                json!({named(i): 5, named(i + 1): 2, named(i + 9): 3}),
            ]
        })
        .chain([json!({}), json!([]), json!({"kind": 5}), json!({"value": 3})])
        .collect();
    let branches: Vec<Value> = (0..9).map(kind).collect();
    let requiring = |i: usize| json!({"required": ["kind", named(i)], "properties": {"kind": {"enum": [format!("k{i}")]}}});
    // The last branch names no kind.
    let mut undiscriminated: Vec<Value> = (0..8).map(requiring).collect();
    undiscriminated.push(json!({"required": ["kind", "n1", "n2"]}));
    let valued: Vec<Value> = (0..9)
        .map(|i| json!({"properties": {"kind": {"pattern": format!("^k{i}$")}, "value": {"properties": {"y": {"const": i}}, "additionalProperties": false}}}))
        .collect();
    let own: Vec<Value> = (0..9)
        .map(|i| json!({"required": [named(i)], "properties": {named(i): {"type": "integer"}}}))
        .collect();
    let conditions: Vec<Value> = (0..9)
        .map(|i| json!({"if": {"properties": {"kind": {"const": format!("k{i}")}}}, "then": {"required": [named(i)], "properties": {named(i): {"type": "integer"}}}}))
        .collect();
    // Members that may be anything leave nothing to deny.
    let tagged: Vec<Value> = (0..20)
        .map(|i| json!({"properties": {"kind": {"const": format!("k{i}")}, "b": true, named(i): {}}, "required": ["kind"]}))
        .collect();
    let chained: Vec<Value> = (0..24)
        .map(|i| json!({"properties": {named(i): {"type": "integer"}}, "required": [named(i), named((i + 1) % 24)]}))
        .collect();
    [
        json!({"type": "object", "not": {"oneOf": tagged}}),
        json!({"type": "object", "if": {"oneOf": tagged}, "then": {"required": ["value"]}}),
        json!({"type": "object", "oneOf": chained}),
        json!({"type": "object", "oneOf": chained, "maxProperties": 3, "properties": {"n3": {"maximum": 4}}}),
        json!({"type": "object", "oneOf": branches}),
        json!({"type": "object", "required": ["kind"], "oneOf": branches}),
        json!({"type": "object", "oneOf": undiscriminated}),
        json!({"type": "object", "required": ["kind", "value"], "oneOf": valued}),
        json!({"type": "object", "oneOf": own}),
        json!({"oneOf": own, "not": {"anyOf": branches}}),
        json!({"type": "object", "allOf": conditions}),
        json!({"type": "object", "allOf": conditions, "oneOf": own}),
    ]
    .into_iter()
    .map(|schema| (schema, documents.clone()))
    .collect()
}

#[test]
fn many_overlapping_alternatives_are_decided_without_a_limit() {
    let compilers = Compilers::new();
    let (mut valid, mut judged, mut masks) = (0, 0, 0);
    for (schema, documents) in many_alternatives() {
        let grammar = compilers.permissive.json_schema(&schema.to_string()).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        for document in &documents {
            let expected = validator.is_valid(document);
            assert_eq!(accepts(&grammar, &document.to_string()), Some(expected), "{schema} and {document}");
            judged += 1;
            valid += usize::from(expected);
        }
        let twin = compilers.uncached.json_schema(&schema.to_string()).unwrap();
        let (mut mask, mut other) = (Bitmask::new(&grammar), Bitmask::new(&grammar));
        for document in documents.iter().filter(|document| validator.is_valid(document)).take(4) {
            let (mut matcher, mut uncached) = (Matcher::new(&grammar), Matcher::new(&twin));
            for byte in document.to_string().bytes() {
                matcher.fill_bitmask(&mut mask).unwrap();
                uncached.fill_bitmask(&mut other).unwrap();
                assert!(mask.iter().eq(other.iter()), "{schema} and {document} before {byte}");
                matcher.commit(u32::from(byte)).unwrap();
                uncached.commit(u32::from(byte)).unwrap();
                masks += 1;
            }
        }
    }
    assert!(masks > 500, "{masks} masks");
    println!("{judged} documents, {valid} valid");
    assert!(
        judged > 500 && valid * 5 > judged && valid * 5 < judged * 4,
        "{judged} documents, {valid} valid"
    );
}

/// Schemas with documents on which they turn, judged by the validator.
const TURNING: [(&str, &[&str]); 15] = [
    (
        r#"{"type":"array","items":{"type":"string"},"contains":{"type":"string"},"maxContains":1,"anyOf":[{"prefixItems":[{"minLength":2}]},{"maxItems":2}]}"#,
        &[r#"["aaa"]"#, r#"["a"]"#, r#"["a","b"]"#, "[]"],
    ),
    (
        r#"{"type":"array","items":{"type":"string"},"contains":{"type":"string"},"minContains":2,"anyOf":[{"prefixItems":[{"minLength":2}],"maxItems":1},{"prefixItems":[{"maxLength":0}]}]}"#,
        &[r#"["","aa"]"#, r#"["aa"]"#, r#"["aa","a"]"#, r#"[""]"#],
    ),
    (
        r#"{"type":"array","contains":{"not":{"type":"string"}},"maxContains":2,"allOf":[{"contains":{"const":1},"maxContains":1}]}"#,
        &["[0,1]", "[1]", "[1,1]", "[0,0,1]", r#"["a",1,"b",2]"#],
    ),
    (
        r#"{"type":"array","items":{"type":"string"},"contains":{"type":"string"},"minContains":1,"maxContains":3,"oneOf":[{"contains":{"const":"a"},"maxContains":1},{"contains":{"const":"b"},"maxContains":1}]}"#,
        &[r#"["a","x","x"]"#, r#"["a","b"]"#, r#"["b","a","a"]"#, r#"["x"]"#, r#"["a","x","x","x"]"#],
    ),
    (
        r#"{"contains":{"maxLength":1},"maxContains":1,"items":{"maxLength":1},"if":{"prefixItems":[{}]},"then":{"maxItems":3}}"#,
        &["[1]", "[1,2]", r#"["aa"]"#, "5"],
    ),
    (
        r#"{"type":"array","items":{"enum":["a",1]},"if":{"contains":{"maxLength":1},"minContains":2},"then":{"prefixItems":[{"const":1}]}}"#,
        &[r#"["a"]"#, r#"["a","a"]"#, r#"[1,"a"]"#, "[1]"],
    ),
    (
        r#"{"items":{"minimum":1},"oneOf":[{"prefixItems":[{},false]},{"contains":{"minimum":1},"maxContains":2}]}"#,
        &[r#"["","a"]"#, "[1]", "[1,1,1]", "[]", "[1,0]"],
    ),
    (
        r#"{"contains":{"anyOf":[{"minimum":1},{"maxLength":1}]},"maxContains":2,"if":{"prefixItems":[{}]},"then":{"minItems":2}}"#,
        &["[1,0]", "[0,0,0]", "[1]", "[1,1]", "[1,1,1]", "[]"],
    ),
    (
        r#"{"oneOf":[{"properties":{"t":{"const":0},"x":{"type":"string"}},"required":["t"]},{"properties":{"t":{"const":1},"y":{"type":"string"}},"required":["t"]},{"properties":{"t":{"const":2.0},"z":{"type":"string"}},"required":["t"]}]}"#,
        &[r#"{"t":1,"y":"a"}"#, r#"{"t":1,"y":1}"#, r#"{"t":2,"y":1}"#, r#"{"t":2.0}"#, r#"{"t":3}"#, "7"],
    ),
    (
        r#"{"type":"object","patternProperties":{"^[0-9]{1,4}$":{"type":"integer"}},"additionalProperties":false,"minProperties":2}"#,
        &[r#"{"1":2,"22":1}"#, r#"{"1":2}"#, r#"{"1":2,"1":1}"#, r#"{"12345":2,"1":1}"#, "{}"],
    ),
    (
        r#"{"type":"object","not":{"patternProperties":{"^.$":{"type":"integer"}}}}"#,
        &[r#"{"a":"b"}"#, r#"{"a":1}"#, r#"{"aa":"b"}"#, r#"{"a":1,"b":null}"#],
    ),
    (
        r#"{"type":"array","allOf":[{"contains":{"const":0}},{"contains":{"const":1}},{"contains":{"const":2}},{"contains":{"const":3}},{"contains":{"const":4}},{"contains":{"const":5}},{"contains":{"const":6}},{"contains":{"const":7}},{"contains":{"const":8}},{"contains":{"const":9}},{"contains":{"const":10}},{"contains":{"const":11}},{"contains":{"const":12}},{"contains":{"const":13}}]}"#,
        &[
            "[0,1,2,3,4,5,6,7,8,9,10,11,12,13]",
            "[13,12,11,10,9,8,7,6,5,4,3,2,1,0]",
            "[0,1,2,3,4,5,6,7,8,9,10,11,12,12]",
            "[0,1,2,3,4,5,6,7,8,9,10,11,12]",
            "[0,0]",
        ],
    ),
    (r#"{"type":"number","not":{"multipleOf":4}}"#, &["7", "7.0", "8", "8.0", "8.5", "-3"]),
    (
        r#"{"type":"integer","allOf":[{"multipleOf":6},{"multipleOf":4},{"not":{"multipleOf":5}}]}"#,
        &["12", "60", "6", "0", "24", "-36", "120"],
    ),
    (
        r#"{"type":"object","propertyNames":{"maxLength":1},"minProperties":2}"#,
        &[r#"{"a":1,"b":1}"#, r#"{"a":1}"#, r#"{"aa":1,"b":1}"#],
    ),
];

#[test]
fn schemas_turn_where_the_validator_turns() {
    let compilers = Compilers::new();
    let mut counts = Counts::default();
    for (schema, documents) in TURNING {
        let validator = jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap();
        let grammar = compilers.permissive.json_schema(schema).unwrap();
        for document in documents {
            // Two members of one name are no JSON that counts.
            let repeated = *document == r#"{"1":2,"1":1}"#;
            let expected = !repeated && validator.is_valid(&serde_json::from_str(document).unwrap());
            assert_eq!(accepts(&grammar, document), Some(expected), "{schema} and {document}");
        }
        let twin = compilers.uncached.json_schema(schema).unwrap();
        for seed in 0..6 {
            walk(&grammar, Some(&twin), &mut Random::new(seed), &mut counts);
        }
    }
    println!("{counts:?}");
}

#[test]
fn alternatives_that_share_a_recursive_member_are_told_apart() {
    let branches: Vec<Value> = (0..12)
        .map(|i| {
            let own = format!("x{i}");
            json!({"type": "object", "properties": {"v": {"$ref": "#/$defs/e"}, &own: {"type": "integer"}}, "required": ["v", &own]})
        })
        .chain([json!({"type": "number"})])
        .collect();
    let growing: Vec<Value> = (0..12)
        .map(|i| {
            let names = (0..=i).map(|j| (format!("p{j}"), json!({"type": "integer"})));
            json!({"type": "object", "properties": names.collect::<serde_json::Map<_, _>>(), "additionalProperties": false})
        })
        .collect();
    let compilers = Compilers::new();
    for (schema, documents) in [
        (
            json!({"$defs": {"e": {"oneOf": branches}}, "$ref": "#/$defs/e"}),
            &[
                r#"{"v":{"v":1,"x1":1},"x2":3}"#,
                r#"{"v":{"v":1,"x1":1,"x2":1},"x2":3}"#,
                r#"{"v":{"v":1},"x2":3}"#,
                "5",
            ][..],
        ),
        (json!({"oneOf": growing}), &[r#"{"p11":1}"#, r#"{"p10":1}"#, r#"{"p0":1,"p11":1}"#, "{}"][..]),
    ] {
        let validator = jsonschema::validator_for(&schema).unwrap();
        let grammar = compilers.permissive.json_schema(&schema.to_string()).unwrap();
        for document in documents {
            let expected = validator.is_valid(&serde_json::from_str(document).unwrap());
            assert_eq!(accepts(&grammar, document), Some(expected), "{schema} and {document}");
        }
    }
}

#[test]
fn alternatives_nested_in_alternatives_end_in_a_named_limit() {
    for link in [
        r##"{"oneOf": [R, {"items": R}]}"##,
        r##"{"oneOf": [R, {"properties": {"p": R}}]}"##,
        r##"{"if": R, "then": {"items": R}, "else": {"items": {"not": R}}}"##,
    ] {
        let mut definitions = vec![r#""a0": {"type": "integer"}"#.to_owned()];
        for i in 0..30 {
            definitions.push(format!(
                r#""a{}": {}"#,
                i + 1,
                link.replace('R', &format!(r##"{{"$ref": "#/$defs/a{i}"}}"##))
            ));
        }
        let schema = format!(r##"{{"$defs": {{{}}}, "$ref": "#/$defs/a30"}}"##, definitions.join(", "));
        let grammar = match Compiler::new(vocabulary(), CompilerConfig::default()).json_schema(&schema) {
            Ok(grammar) => grammar,
            Err(error) => {
                assert!(error.to_string().contains("_MAX"), "{error}");
                continue;
            }
        };
        let mut matcher = Matcher::new(&grammar);
        for byte in b"[[1],{\"p\":1}]" {
            match matcher.commit(u32::from(*byte)) {
                Ok(()) | Err(maskwright::error::CommitError::NotAllowed { .. }) => {}
                Err(error) => {
                    assert!(error.to_string().contains("_MAX"), "{error}");
                    break;
                }
            }
        }
    }
}
