//! The laws of a matcher on random schemas: over toy vocabularies, the built-in one, and cuts of real ones.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use maskwright::automaton::Caching;
use maskwright::{
    CompiledGrammar, Compiler, CompilerConfig, KeyOrder, Matcher, NumberSpelling, SurfacePolicy, TokenId,
    Vocabulary, Whitespace,
};
use maskwright_oracle::data;
use maskwright_oracle::generate::{Random, document, schema, vocabulary};
use maskwright_oracle::laws::{
    Violation, Walk, bit_is_commit, document_is_accepted, forced_bytes_are_forced, mask_is_brute_force,
    masks_depend_on_bytes, rollback_and_fork_are_identities, validator_accepts, verdicts_agree, walk,
};
use maskwright_oracle::subject::{Renewing, Subject, World};

/// Most documents that random walks may leave unended, of a thousand.
const UNENDED_PER_THOUSAND_MAX: usize = 5;

fn policy(random: &mut Random) -> SurfacePolicy {
    SurfacePolicy {
        whitespace: *random.pick(&[
            Whitespace::Bounded,
            Whitespace::Bounded,
            Whitespace::None,
            Whitespace::Free,
        ]),
        numbers: *random.pick(&[NumberSpelling::Plain, NumberSpelling::Plain, NumberSpelling::All]),
        key_order: *random.pick(&[KeyOrder::Declared, KeyOrder::Declared, KeyOrder::Any]),
    }
}

/// The next random schema that the twin judges, with the engine's matcher for it; `None` for one that no text satisfies,
/// which the engine must have refused.
fn next_world(
    compiler: &Compiler,
    policy: SurfacePolicy,
    random: &mut Random,
) -> Result<Option<(World, CompiledGrammar)>, Violation> {
    let world = loop {
        if let Ok(world) = World::new(schema::schema(random), policy, compiler.vocabulary().clone()) {
            break world;
        }
    };
    let broken = |what: String| {
        let detail = format!("{} over {:?}: {what}", world.schema, spelled(compiler.vocabulary()));
        Err(Violation { law: "exactly what nothing satisfies is refused", detail })
    };
    match (compiler.json_schema(&world.schema.to_string()), world.twin.is_satisfiable()) {
        (Ok(grammar), true) => Ok(Some((world, grammar))),
        (Err(_), false) => Ok(None),
        (Ok(_), false) => broken("it was compiled".to_owned()),
        (Err(error), true) => broken(format!("it was refused: {error}")),
    }
}

/// The text tokens, for messages; only of small vocabularies.
fn spelled(vocabulary: &Vocabulary) -> Vec<String> {
    let tokens = (0..vocabulary.len().min(40)).map(TokenId::new);
    tokens.map(|token| vocabulary.bytes(token).escape_ascii().to_string()).collect()
}

/// Counts what a test has seen.
#[derive(Default, Debug)]
struct Seen {
    schemas: usize,
    unsatisfiable: usize,
    states: usize,
    documents: usize,
    mutations: usize,
    walks: usize,
    unended: usize,
}

/// Random walks with every law at every state, documents and mutations of them.
fn check_world<S: Subject>(
    world: &World,
    start: &S,
    forced: &dyn Fn(&World, &S) -> Result<(), Violation>,
    random: &mut Random,
    seen: &mut Seen,
) -> Result<(), Violation> {
    let policy = world.twin.policy();
    for _ in 0..3 {
        let mut visit = |subject: &S, random: &mut Random| {
            seen.states += 1;
            mask_is_brute_force(world, subject)?;
            bit_is_commit(world, subject)?;
            if random.chance(1, 3) {
                forced(world, subject)?;
            }
            if random.chance(1, 4) {
                rollback_and_fork_are_identities(world, subject, random)
            } else {
                Ok(())
            }
        };
        let steps = random.below(20);
        match walk(world, start, random, steps, &mut visit)? {
            // Numbers with great exponents are beyond the independent validator.
            Walk::Ended(text) if policy.numbers == NumberSpelling::Plain => validator_accepts(world, &text)?,
            Walk::Ended(_) => {}
            Walk::Unending(text) => {
                println!("unended: {} {}", world.schema, text.escape_ascii());
                seen.unended += 1;
            }
        }
        seen.walks += 1;
    }
    for _ in 0..3 {
        let Some(value) = document::valid_value(&world.schema, &world.twin, random) else { continue };
        let text = document::spelling(&value, policy, random);
        if world.twin.is_complete(&text) {
            document_is_accepted(world, start, &text)?;
            let end = random.below(text.len() + 1);
            masks_depend_on_bytes(world, start, &text[..end], random)?;
            seen.documents += 1;
        }
        for _ in 0..3 {
            verdicts_agree(world, start, &document::mutated(&text, random))?;
            seen.mutations += 1;
        }
    }
    Ok(())
}

/// Whether generations change under the matchers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Generations {
    One,
    Many,
}

fn check_random_worlds(
    seed: u64,
    count: usize,
    generations: Generations,
    mut vocabulary: impl FnMut(&mut Random) -> Vocabulary,
) -> Seen {
    println!("seed {seed:#x}");
    let mut seen = Seen::default();
    let mut broken = Vec::new();
    for number in 0..count {
        // Each schema has its own generator, so that one case can be repeated alone.
        let mut random = Random::new(seed ^ (u64::try_from(number).unwrap() << 20));
        let policy = policy(&mut random);
        let compiler = Compiler::new(vocabulary(&mut random), CompilerConfig::with_policy(policy));
        seen.schemas += 1;
        let outcome = next_world(&compiler, policy, &mut random).and_then(|world| match world {
            Some((world, grammar)) if generations == Generations::Many => {
                let start = Renewing::new(&grammar, &compiler, random.bits());
                let forced =
                    |world: &World, subject: &Renewing| forced_bytes_are_forced(world, subject.matcher());
                check_world(&world, &start, &forced, &mut random, &mut seen)
            }
            Some((world, grammar)) => {
                check_world(&world, &Matcher::new(&grammar), &forced_bytes_are_forced, &mut random, &mut seen)
            }
            None => {
                seen.unsatisfiable += 1;
                Ok(())
            }
        });
        if let Err(violation) = outcome {
            broken.push(format!("number {number}, {policy:?}: {violation}\n"));
        }
    }
    println!("{seen:?}");
    let first: String = broken.iter().take(12).map(String::as_str).collect();
    assert!(broken.is_empty(), "{} of {count} worlds break a law:\n{first}", broken.len());
    assert!(seen.unsatisfiable * 2 < seen.schemas, "most schemas mean something");
    assert!(seen.unended * 1000 <= seen.walks * UNENDED_PER_THOUSAND_MAX, "walks come to an end");
    seen
}

#[test]
fn random_schemas_obey_the_laws_over_toy_vocabularies() {
    let seen =
        check_random_worlds(0x01A3_0001, 400, Generations::One, |random| vocabulary::toy(random).unwrap());
    assert!(seen.states > 2_000 && seen.documents > 100 && seen.mutations > 1_000);
}

#[test]
fn random_schemas_obey_the_laws_while_generations_change() {
    let generations = Generations::Many;
    let seen = check_random_worlds(0x01A3_0005, 60, generations, |random| vocabulary::toy(random).unwrap());
    assert!(seen.states > 200 && seen.documents > 15 && seen.mutations > 150);
}

#[test]
fn random_schemas_obey_the_laws_over_a_cut_of_the_built_in_vocabulary() {
    let cut = vocabulary::cut(&Vocabulary::demo(), 700).unwrap();
    let seen = check_random_worlds(0x01A3_0002, 60, Generations::One, |_| cut.clone());
    assert!(seen.states > 500 && seen.documents > 100);
}

#[test]
#[ignore = "long: many more schemas than the default run"]
fn many_random_schemas_obey_the_laws() {
    let cut = vocabulary::cut(&Vocabulary::demo(), 700).unwrap();
    check_random_worlds(0x01A3_0003, 20_000, Generations::One, |random| vocabulary::toy(random).unwrap());
    check_random_worlds(0x01A3_0004, 1_000, Generations::One, |_| cut.clone());
}

/// Brute-force agreement at states of random schemas that random walks and random documents reach; the number of states.
fn states_agree(vocabulary: &Vocabulary, count: usize, seed: u64) -> usize {
    println!("seed {seed:#x}");
    let mut random = Random::new(seed);
    // One compiler for all: what the schemas share must not show.
    let compiler = Compiler::new(vocabulary.clone(), CompilerConfig::default());
    let (mut states, mut bits) = (0, 0);
    while states < count {
        let next = next_world(&compiler, SurfacePolicy::default(), &mut random).unwrap();
        let Some((world, grammar)) = next else { continue };
        let start = Matcher::new(&grammar);
        let mut check = |subject: &Matcher| {
            mask_is_brute_force(&world, subject)?;
            states += 1;
            bits += vocabulary.len();
            Ok(())
        };
        let mut visit = |subject: &Matcher, random: &mut Random| {
            // States inside strings are cheap to reach and all alike.
            if random.chance(1, 2) { check(subject) } else { Ok(()) }
        };
        let steps = random.below(12);
        walk(&world, &start, &mut random, steps, &mut visit).unwrap();
        let value = document::valid_value(&world.schema, &world.twin, &mut random).unwrap();
        let text = document::spelling(&value, world.twin.policy(), &mut random);
        let tokens = vocabulary::random_match(vocabulary, &text, &mut random).unwrap();
        let mut subject = start.clone();
        for token in tokens {
            subject.commit(token).unwrap();
            if random.chance(1, 2) {
                check(&subject).unwrap();
            }
        }
        subject.commit(world.vocabulary.stop_tokens()[0]).unwrap();
        check(&subject).unwrap();
    }
    println!("{states} states agree with brute force, {bits} bits compared");
    states
}

fn states_agree_over_a_cut(name: &str, count: usize, seed: u64) {
    let Some(full) = data::vocabulary(name) else { return };
    let cut = vocabulary::cut(&full, 4_000).unwrap();
    assert_eq!(cut.len(), 4_000);
    for byte in 0..=255_u8 {
        let is_there = |vocabulary: &Vocabulary| {
            (0..vocabulary.len()).any(|id| vocabulary.bytes(TokenId::new(id)) == [byte])
        };
        assert_eq!(is_there(&cut), is_there(&full), "single bytes are kept");
    }
    assert!(states_agree(&cut, count, seed) >= count);
}

#[test]
fn five_hundred_states_agree_with_brute_force_over_a_cut_of_llama3() {
    states_agree_over_a_cut("llama3", 500, 0x01A3_0011);
}

#[test]
fn five_hundred_states_agree_with_brute_force_over_a_cut_of_gemma3() {
    states_agree_over_a_cut("gemma3", 500, 0x01A3_0012);
}

#[test]
#[ignore = "long: 20,000 states over each cut"]
fn twenty_thousand_states_agree_with_brute_force_over_cuts_of_llama3_and_gemma3() {
    states_agree_over_a_cut("llama3", 20_000, 0x01A3_0021);
    states_agree_over_a_cut("gemma3", 20_000, 0x01A3_0022);
}

/// The masks along a few documents and walks, by two matchers of the same schema.
fn masks_are_equal(world: &World, first: &Matcher, second: &Matcher, random: &mut Random) {
    let mut visit = |subject: &Matcher, _: &mut Random| {
        let mut other = second.clone();
        for token in subject.tokens() {
            other.commit(token).unwrap();
        }
        let masks = (subject.clone().allowed().unwrap(), other.allowed().unwrap());
        assert!(masks.0 == masks.1, "{} after `{}`", world.schema, subject.text().escape_ascii());
        assert_eq!(subject.forced_bytes(), other.forced_bytes());
        Ok(())
    };
    for _ in 0..2 {
        walk(world, first, random, 10, &mut visit).unwrap();
    }
}

#[test]
fn caches_and_earlier_schemas_never_change_a_mask() {
    const SEED: u64 = 0x01A3_0031;
    println!("seed {SEED:#x}");
    let mut random = Random::new(SEED);
    let cut = vocabulary::cut(&Vocabulary::demo(), 900).unwrap();
    let shared = Compiler::new(cut.clone(), CompilerConfig::default());
    let mut uncached = CompilerConfig::default();
    uncached.caching = Caching::Off;
    let uncached = Compiler::new(cut.clone(), uncached);
    let mut count = 0;
    while count < 60 {
        let next = next_world(&shared, SurfacePolicy::default(), &mut random).unwrap();
        let Some((world, grammar)) = next else { continue };
        let start = Matcher::new(&grammar);
        count += 1;
        let alone = Compiler::new(cut.clone(), CompilerConfig::default());
        for compiler in [&alone, &uncached] {
            let other = Matcher::new(&compiler.json_schema(&world.schema.to_string()).unwrap());
            masks_are_equal(&world, &start, &other, &mut random);
        }
    }
}

/// Over whole real vocabularies: every bit against a commit, and documents to their end.
#[test]
fn bits_are_commits_over_whole_real_vocabularies() {
    const SEED: u64 = 0x01A3_0041;
    println!("seed {SEED:#x}");
    for name in ["llama3", "qwen3", "deepseek_v3", "gemma3", "gptoss"] {
        let Some(full) = data::vocabulary(name) else { continue };
        let compiler = Compiler::new(full.clone(), CompilerConfig::default());
        let mut random = Random::new(SEED);
        let (mut states, mut walks) = (0, 0);
        while walks < 25 {
            let next = next_world(&compiler, SurfacePolicy::default(), &mut random).unwrap();
            let Some((world, grammar)) = next else { continue };
            let start = Matcher::new(&grammar);
            let mut visit = |subject: &Matcher, random: &mut Random| {
                if random.chance(5, 6) {
                    return Ok(());
                }
                states += 1;
                bit_is_commit(&world, subject)
            };
            let steps = random.below(12);
            match walk(&world, &start, &mut random, steps, &mut visit).unwrap() {
                Walk::Ended(text) => validator_accepts(&world, &text).unwrap(),
                Walk::Unending(text) => panic!("{} goes on: {}", world.schema, text.escape_ascii()),
            }
            walks += 1;
        }
        println!("{name}: {states} states, {} tokens each", full.len());
        assert!(states > 10);
    }
}
