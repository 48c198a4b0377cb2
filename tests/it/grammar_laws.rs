//! The laws of a matcher of a grammar: on random grammars and on awkward ones, with the Earley recogniser as the judge.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use maskwright::automaton::Caching;
use maskwright::error::CompileError;
use maskwright::{Compiler, CompilerConfig, Matcher};
use maskwright_oracle::generate::Random;
use maskwright_oracle::generate::grammar::{LETTERS, WIDE};
use maskwright_oracle::generate::vocabulary::letters;
use maskwright_oracle::grammar_cases::cases_are_decided;
use maskwright_oracle::grammar_laws::{
    GrammarWorld, Seen, forced_bytes_are_forced, own_vocabulary, random_grammars_obey_the_laws,
};
use maskwright_oracle::subject::Renewing;

fn compile(compiler: &Compiler, world: &GrammarWorld) -> Result<Matcher, CompileError> {
    Ok(Matcher::new(&compiler.grammar(&world.grammar)?))
}

/// With a vocabulary and a compiler for each grammar.
fn compile_alone(world: &GrammarWorld) -> Result<Matcher, CompileError> {
    compile(&Compiler::new(world.vocabulary.clone(), CompilerConfig::default()), world)
}

fn check(seed: u64, count: u64, compile: &dyn Fn(&GrammarWorld) -> Result<Matcher, CompileError>) -> Seen {
    let seen = random_grammars_obey_the_laws(
        seed,
        0..count,
        &mut own_vocabulary,
        compile,
        &mut forced_bytes_are_forced,
    );
    seen.assert_unbroken();
    seen
}

#[test]
fn random_grammars_obey_the_laws_over_their_own_vocabularies() {
    let seen = check(0x6EA3_0001, 1_500, &compile_alone);
    assert!(seen.states > 10_000 && seen.empty > 20, "{seen:?}");
}

#[test]
fn masks_of_grammars_without_caches_are_the_same() {
    check(0x6EA3_0004, 200, &|world| {
        let mut config = CompilerConfig::default();
        config.caching = Caching::Off;
        compile(&Compiler::new(world.vocabulary.clone(), config), world)
    });
}

#[test]
fn random_grammars_obey_the_laws_while_generations_change() {
    let seen = random_grammars_obey_the_laws(
        0x6EA3_0005,
        0..60,
        &mut own_vocabulary,
        &|world: &GrammarWorld| {
            let compiler = Compiler::new(world.vocabulary.clone(), CompilerConfig::default());
            Ok(Renewing::new(&compiler.grammar(&world.grammar)?, &compiler, 5))
        },
        &mut |world, place, subject: &Renewing| forced_bytes_are_forced(world, place, subject.matcher()),
    );
    seen.assert_unbroken();
    assert!(seen.states > 300, "{seen:?}");
}

#[test]
fn random_grammars_that_share_a_compiler_obey_the_laws() {
    let chars = [&LETTERS[..], &WIDE[..]].concat();
    let vocabulary = letters(&mut Random::new(7), &chars).unwrap();
    let compiler = Compiler::new(vocabulary.clone(), CompilerConfig::default());
    let seen = random_grammars_obey_the_laws(
        0x6EA3_0002,
        0..300,
        &mut |_, _| vocabulary.clone(),
        &|world| compile(&compiler, world),
        &mut forced_bytes_are_forced,
    );
    seen.assert_unbroken();
}

#[test]
fn awkward_grammars_obey_the_laws() {
    cases_are_decided(&compile_alone, &mut forced_bytes_are_forced).assert_unbroken();
}

#[test]
#[ignore = "long: as many grammars as MASKWRIGHT_GRAMMARS says, else 50,000"]
fn many_random_grammars_obey_the_laws() {
    let count = std::env::var("MASKWRIGHT_GRAMMARS").map_or(50_000, |count| count.parse().unwrap());
    check(0x6EA3_0003, count, &compile_alone);
}
