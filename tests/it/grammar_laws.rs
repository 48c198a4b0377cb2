//! The laws of a matcher on random grammars and awkward ones written by hand, with the Earley recogniser as the judge.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use maskwright::automaton::Caching;
use maskwright::{CompileError, Compiler, CompilerConfig, Matcher};
use maskwright_oracle::grammar_cases::cases_are_decided;
use maskwright_oracle::grammar_laws::{
    GrammarWorld, forced_bytes_are_forced, random_grammars_obey_the_laws,
};

fn compile(world: &GrammarWorld, caching: Caching) -> Result<Matcher, CompileError> {
    let mut config = CompilerConfig::default();
    config.caching = caching;
    let compiler = Compiler::new(world.vocabulary.clone(), config);
    Ok(Matcher::new(&compiler.grammar(&world.grammar)?))
}

fn random_grammars(seed: u64, numbers: std::ops::Range<u64>, caching: Caching) {
    let seen = random_grammars_obey_the_laws(
        seed,
        numbers,
        &|world| compile(world, caching),
        &mut forced_bytes_are_forced,
    );
    assert!(seen.broken.is_empty(), "{} broken, the first: {}", seen.broken.len(), seen.broken[0]);
    assert!(seen.states > 20 * (seen.grammars - seen.empty), "the walks go somewhere: {seen:?}");
}

#[test]
fn two_thousand_random_grammars_obey_the_laws() {
    random_grammars(0x6_0001, 0..2_000, Caching::On);
}

#[test]
fn masks_of_grammars_without_caches_are_the_same() {
    random_grammars(0x6_0002, 0..200, Caching::Off);
}

/// How many, `MASKWRIGHT_GRAMMARS` says.
#[test]
#[ignore = "takes long"]
fn many_random_grammars_obey_the_laws() {
    let count = std::env::var("MASKWRIGHT_GRAMMARS").map_or(50_000, |n| n.parse().expect("a number"));
    random_grammars(0x6_0003, 0..count, Caching::On);
}

#[test]
fn awkward_grammars_are_decided() {
    let seen =
        cases_are_decided(&|world| compile(world, Caching::On), &mut forced_bytes_are_forced);
    assert!(seen.broken.is_empty(), "{} broken:\n{}", seen.broken.len(), seen.broken.join("\n"));
    assert!(seen.grammars > 100 && seen.empty > 3, "{seen:?}");
}
