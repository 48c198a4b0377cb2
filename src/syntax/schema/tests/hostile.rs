//! Schemas made to hurt: nothing may panic, overflow a small stack, or take more than near linear time.

use std::fmt::Write;
use std::time::{Duration, Instant};

use super::{Random, SchemaOptions, compile, compiled, refusal};
use crate::error::CompileErrorKind;
use crate::limits::{JSON_DEPTH_MAX, PROGRAM_NODES_MAX, SCHEMA_BYTES_MAX};

/// Runs in a thread with a small stack.
fn small_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|s| {
        let thread = std::thread::Builder::new().stack_size(128 << 10).spawn_scoped(s, work);
        thread.expect("a thread starts").join().expect("the work does not panic")
    })
}

fn timed<T>(what: &str, limit: Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    let spent = start.elapsed();
    println!("{what}: {spent:?}");
    assert!(spent < limit, "{what} took {spent:?}");
    result
}

#[test]
fn nesting_up_to_the_limit_needs_no_stack() {
    small_stack(|| {
        for (open, leaf, close, each) in [
            (r#"{"items":"#, "{}", "}", 1),
            (r#"{"not":"#, "{}", "}", 1),
            (r#"{"allOf":["#, r#"{"type":"null"}"#, "]}", 2),
            (r#"{"properties":{"a":"#, "false", "}}", 2),
        ] {
            let depth = (JSON_DEPTH_MAX - 1) / each;
            let schema = format!("{}{leaf}{}", open.repeat(depth), close.repeat(depth));
            compile(&schema, &SchemaOptions::default()).unwrap();
        }
        let value =
            format!(r#"{{"const":{}1{}}}"#, "[".repeat(JSON_DEPTH_MAX - 1), "]".repeat(JSON_DEPTH_MAX - 1));
        compile(&value, &SchemaOptions::default()).unwrap();
        assert_eq!(refusal(&"{\"not\":".repeat(100_000)).kind(), CompileErrorKind::Limit);
    });
}

#[test]
fn long_chains_of_references_need_no_stack() {
    small_stack(|| {
        let mut defs = String::new();
        for i in 0..10_000 {
            write!(defs, r##""{i}":{{"$ref":"#/$defs/{}"}},"##, i + 1).unwrap();
        }
        let chain = |last: &str| format!(r##"{{"$ref":"#/$defs/0","$defs":{{{defs}"10000":{last}}}}}"##);
        let (program, _) = compiled(&chain(r#"{"type":"null"}"#));
        assert_eq!(program.nodes.len(), 1);
        assert_eq!(refusal(&chain(r##"{"$ref":"#/$defs/5"}"##)).kind(), CompileErrorKind::Reference);
    });
}

#[test]
fn fan_out_is_built_once() {
    let mut defs = String::new();
    for i in 0..30 {
        write!(
            defs,
            r##""{i}":{{"anyOf":[{{"$ref":"#/$defs/{n}"}},{{"items":{{"$ref":"#/$defs/{n}"}}}}]}},"##,
            n = i + 1
        )
        .unwrap();
    }
    let schema = format!(r##"{{"$ref":"#/$defs/0","$defs":{{{defs}"30":{{"minLength":1}}}}}}"##);
    let (program, _) = compiled(&schema);
    assert!(program.nodes.len() <= 100, "{} nodes", program.nodes.len());
}

#[test]
fn wide_schemas_take_near_linear_time() {
    let properties = |count: usize| {
        let mut text = String::new();
        for i in 0..count {
            write!(
                text,
                r##"{}"name{i}":{{"$ref":"#/properties/name{}"}}"##,
                if i > 0 { "," } else { "" },
                count / 2
            )
            .unwrap();
        }
        text.replacen(
            &format!(r##""name{}":{{"$ref":"#/properties/name{}"}}"##, count / 2, count / 2),
            &format!(r#""name{}":{{"type":"null"}}"#, count / 2),
            1,
        )
    };
    let limit = Duration::from_secs(10);
    let schema = format!(r#"{{"properties":{{{}}},"additionalProperties":false}}"#, properties(50_000));
    timed("50,000 properties", limit, || compiled(&schema));
    let names: Vec<String> = (0..50_000).map(|i| format!("\"n{i}\"")).collect();
    timed("50,000 required names", limit, || {
        compiled(&format!(r#"{{"required":[{0}],"enum":[{0}]}}"#, names.join(",")))
    });
    let branches: Vec<String> = (0..50_000).map(|i| format!(r##"{{"$ref":"#/allOf/{}"}}"##, i + 1)).collect();
    timed("a chain through 50,000 positions", limit, || {
        compiled(&format!(r#"{{"allOf":[{},{{"type":"null"}}]}}"#, branches.join(",")))
    });
    let objects: Vec<String> = (0..20_000).map(|i| format!(r#"{{"k":"{i}","v":[{i},null]}}"#)).collect();
    timed("an enum of 20,000 objects", limit, || compiled(&format!(r#"{{"enum":[{}]}}"#, objects.join(","))));
    let text = "x".repeat(10_000_000);
    timed("strings of 10 MB", limit, || {
        compiled(&format!(r#"{{"const":"{text}","required":["{text}"],"title":"{text}"}}"#))
    });
    let digits = "9".repeat(1_000_000);
    timed("a count of a million digits", limit, || {
        drop(compile(&format!(r#"{{"maxItems":{digits}}}"#), &SchemaOptions::default()))
    });
    let bound = format!(r#"{{"maximum":{digits}}}"#);
    timed("a bound of a million digits", limit, || drop(compile(&bound, &SchemaOptions::default())));
}

#[test]
fn more_nodes_than_the_limit_are_refused() {
    let lists = vec!["[]"; PROGRAM_NODES_MAX / 2].join(",");
    let error = timed("an enum of a million lists", Duration::from_secs(20), || {
        refusal(&format!(r#"{{"enum":[{lists}]}}"#))
    });
    assert_eq!((error.kind(), error.subject()), (CompileErrorKind::Limit, "schema size"));
    let error = refusal(&format!("\"{}\"", "x".repeat(SCHEMA_BYTES_MAX)));
    assert_eq!((error.kind(), error.subject()), (CompileErrorKind::Limit, "schema length"));
}

#[test]
fn pointers_that_would_need_quadratic_space_are_a_limit() {
    let level = format!(r#"{{"properties":{{"{}":"#, "n".repeat(20_000));
    let depth = (JSON_DEPTH_MAX - 1) / 2;
    let schema = format!("{}{{}}{}", level.repeat(depth), "}}".repeat(depth));
    let error = timed("deep long names", Duration::from_secs(10), || refusal(&schema));
    assert_eq!((error.kind(), error.subject()), (CompileErrorKind::Limit, "schema locations"));
}

/// All keywords with values of all shapes, at random.
#[test]
fn random_schemas_never_panic() {
    const SEED: u64 = 0xC0FFEE;
    const NAMES: &str = "type enum const properties patternProperties additionalProperties required minProperties \
        maxProperties dependencies items minItems maxItems uniqueItems minLength maxLength pattern format minimum maximum \
        exclusiveMinimum exclusiveMaximum multipleOf allOf anyOf oneOf not $ref additionalItems contains propertyNames if \
        then else dependentRequired dependentSchemas unevaluatedItems unevaluatedProperties minContains maxContains \
        prefixItems $dynamicRef $schema $id id $defs definitions a b 0 title";
    fn schema(random: &mut Random, names: &[&str], depth: usize) -> String {
        let scalars = [
            "null",
            "true",
            "false",
            "0",
            "1",
            "2.0",
            "-1",
            "0.5",
            "\"a\"",
            "\"string\"",
            "\"object\"",
            "\"#\"",
            "\"#/$defs/a\"",
            "\"#/properties/a\"",
            "\"email\"",
            "\"^a+$\"",
            "\"integer\"",
            "[]",
            "{}",
            "\"http://json-schema.org/draft-07/schema#\"",
            "\"http://json-schema.org/draft-04/schema#\"",
        ];
        match random.below(if depth == 0 { 1 } else { 6 }) {
            0 => scalars[random.below(scalars.len())].to_owned(),
            1 => {
                let items: Vec<_> = (0..random.below(4)).map(|_| schema(random, names, depth - 1)).collect();
                format!("[{}]", items.join(","))
            }
            _ => {
                let mut used: Vec<&str> =
                    (0..=random.below(4)).map(|_| names[random.below(names.len())]).collect();
                used.sort_unstable();
                used.dedup();
                let members: Vec<_> =
                    used.iter().map(|n| format!("{n:?}:{}", schema(random, names, depth - 1))).collect();
                format!("{{{}}}", members.join(","))
            }
        }
    }
    let names: Vec<&str> = NAMES.split_whitespace().collect();
    let mut random = Random(SEED);
    let mut taken = 0;
    for _ in 0..20_000 {
        let text = schema(&mut random, &names, 4);
        taken += usize::from(compile(&text, &SchemaOptions::default()).is_ok());
    }
    assert!(taken > 200, "seed {SEED:#x}: only {taken} schemas were taken");
}
