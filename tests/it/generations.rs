//! Universes that take each other's place: no answer changes, and none is kept.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use maskwright::{Bitmask, CompiledGrammar, Compiler, CompilerConfig, Matcher, TokenId, Vocabulary};
use maskwright_oracle::generate::Random;

/// Grammars whose states differ in kind, and of each a text.
const CASES: [(&str, &str); 5] = [
    (
        r#"{"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}}"#,
        r#"{"name": "Anna", "age": 44, "x": {"y": [1, 2]}}"#,
    ),
    (
        r#"{"type": "array", "items": {"enum": ["alpha", "alphabet", 12]}, "uniqueItems": true}"#,
        r#"["alphabet", 12, "alpha"]"#,
    ),
    (r#"{"type": "string", "pattern": "^[a-z]+(-[0-9]{2,4})*$"}"#, r#""some-12-4567""#),
    (
        r#"{"anyOf": [{"properties": {"a": {"type": "null"}}, "required": ["a"]}, {"multipleOf": 7}]}"#,
        r#"{"a": null, "b": "c"}"#,
    ),
    (
        r#"{"additionalProperties": {"type": "string", "maxLength": 6}, "maxProperties": 4}"#,
        r#"{"one": "first", "two": "second"}"#,
    ),
];

fn compiler(universe_bytes: Option<usize>) -> Compiler {
    let mut config = CompilerConfig::default();
    config.universe_bytes = universe_bytes;
    Compiler::new(Vocabulary::demo(), config)
}

/// A mask, and whether the text is complete.
type Place = (Vec<u32>, bool);

/// All masks along a text, and whether it is complete at each place.
fn masks(grammar: &CompiledGrammar, tokens: &[TokenId], mut between: impl FnMut()) -> Vec<Place> {
    let mut matcher = Matcher::new(grammar);
    let mut mask = Bitmask::new(grammar);
    let mut seen = Vec::new();
    for at in 0..=tokens.len() {
        between();
        matcher.fill_bitmask(&mut mask).unwrap();
        seen.push((mask.row(0).to_vec(), matcher.is_accepting()));
        between();
        if let Some(&token) = tokens.get(at) {
            matcher.commit(token).unwrap();
        }
    }
    seen
}

/// The schemas with the tokens of their texts and the masks along these, by a compiler that does nothing else.
fn expected() -> Vec<(&'static str, Vec<TokenId>, Vec<Place>)> {
    CASES
        .iter()
        .map(|&(schema, text)| {
            let tokens = Vocabulary::demo_encode(text);
            let found = masks(&compiler(None).json_schema(schema).unwrap(), &tokens, || ());
            (schema, tokens, found)
        })
        .collect()
}

#[test]
fn a_small_budget_changes_no_mask_and_bounds_what_is_kept() {
    const BUDGET: usize = 1 << 18;
    let compiler = compiler(Some(BUDGET));
    let expected = expected();
    let mut most = 0;
    for round in 0..12 {
        for (schema, tokens, masks_alone) in &expected {
            // Other content each time, so that the universe grows.
            let grown = format!(
                r#"{{"allOf": [{schema}], "description": "{round}", "maxProperties": {}}}"#,
                90 + round
            );
            let grammar = compiler.json_schema(&grown).unwrap();
            let found = masks(&grammar, tokens, || ());
            assert_eq!(found.len(), masks_alone.len());
            for (at, (found, alone)) in found.iter().zip(masks_alone).enumerate() {
                assert!(found == alone, "round {round}, {schema}, after {at} tokens");
            }
            most = most.max(compiler.statistics().bytes);
        }
    }
    let statistics = compiler.statistics();
    println!("{statistics:?}, at most {most} bytes");
    assert!(statistics.generations_before > 0, "{statistics:?}");
    // It is looked at the bytes now and then only.
    assert!(most < 8 * BUDGET, "{most}");
}

#[test]
fn with_no_room_at_all_every_answer_is_the_same() {
    let compiler = compiler(Some(1));
    for (schema, tokens, alone) in expected() {
        let grammar = compiler.json_schema(schema).unwrap();
        assert!(masks(&grammar, &tokens, || ()) == alone, "{schema}");
    }
    assert!(compiler.statistics().generations_before > 0);
}

#[test]
fn a_matcher_goes_on_in_the_next_generation_with_all_that_it_had() {
    let tokens = ["{", "}", "\"", ":", ",", "a", "b", "1", "a\"", "b\":1", "</s>"];
    let vocabulary = Vocabulary::from_tokens(tokens, &[TokenId(10)]).unwrap();
    let compiler = Compiler::new(vocabulary, CompilerConfig::default());
    let mut matcher = Matcher::new(&compiler.json_schema(r#"{"type": "object"}"#).unwrap());
    [0, 2, 5, 2, 3, 7, 4, 2].into_iter().for_each(|id| matcher.commit(id).unwrap());
    let mut fork = matcher.fork();
    compiler.renew();
    assert!(matcher.commit(8).is_err(), "the name is used");
    matcher.commit(9).unwrap();
    compiler.renew();
    matcher.commit(1).unwrap();
    assert!(matcher.is_accepting());
    matcher.commit(10).unwrap();
    compiler.renew();
    assert!(matcher.is_finished() && matcher.is_accepting());
    assert!(matcher.mask_ref().unwrap().text.is_none());
    matcher.rollback(1).unwrap();
    assert!(!matcher.is_finished() && matcher.is_accepting() && matcher.text() == br#"{"a":1,"b":1}"#);
    compiler.renew();
    matcher.rollback(3).unwrap();
    assert_eq!((matcher.text(), matcher.is_accepting()), (br#"{"a":1,"#.to_vec(), false));
    assert!(fork.commit(8).is_err() && fork.commit(9).is_ok());
    compiler.renew();
    assert_eq!(fork.forced_bytes().unwrap(), b"", "a name or the end may come");
    fork.reset();
    assert_eq!(fork.forced_bytes().unwrap(), b"{");
}

#[test]
fn threads_share_generations_that_change_under_them() {
    let expected = expected();
    let compiler = compiler(None);
    let grammars: Vec<CompiledGrammar> =
        expected.iter().map(|(schema, ..)| compiler.json_schema(schema).unwrap()).collect();
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..8u64)
            .map(|seed| {
                let (expected, grammars, compiler) = (&expected, &grammars, &compiler);
                scope.spawn(move || {
                    let mut random = Random::new(seed);
                    for _ in 0..6 {
                        let at = random.below(expected.len());
                        let (schema, tokens, alone) = &expected[at];
                        let renews = |random: &mut Random| {
                            if random.chance(1, 40) {
                                compiler.renew()
                            }
                        };
                        let found = masks(&grammars[at], tokens, || renews(&mut random));
                        assert!(found == *alone, "{schema}");
                    }
                })
            })
            .collect();
        workers.into_iter().for_each(|worker| worker.join().unwrap());
    });
    assert!(compiler.statistics().generations_before > 0);
}
