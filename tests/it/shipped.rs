//! The grammars that come with the crate (`grammars/`): each decides its cases, and what is written under its masks ends.
//!
//! A case file lists texts that the grammar accepts and texts that it refuses. Walks choose tokens at random; then a
//! search over the automaton's configurations finds a way to an end, which the matcher must take.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashSet};
use std::fs;
use std::path::PathBuf;

use maskwright::automaton::{Automaton, Caching, Cfg, Registers};
use maskwright::{Bitmask, CompiledGrammar, Compiler, CompilerConfig, Matcher, TokenId, Vocabulary};
use maskwright_oracle::data;
use maskwright_oracle::generate::Random;

const SEED: u64 = 0x5A1B_0001;

/// Fewest texts that a case file accepts, and that it refuses.
const CASES_MIN: usize = 8;

/// Most random tokens of a walk.
const TOKENS_MAX: usize = 40;

/// Most configurations that the search for an end visits.
const SEARCH_MAX: usize = 5_000;

/// A grammar and its cases.
struct Shipped {
    name: String,
    text: String,
    accept: Vec<String>,
    refuse: Vec<String>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Cases {
    accept: Vec<String>,
    refuse: Vec<String>,
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("grammars")
}

/// All of them, by name.
fn shipped() -> Vec<Shipped> {
    let mut names: Vec<String> = fs::read_dir(folder())
        .unwrap()
        .filter_map(|entry| Some(entry.unwrap().file_name().to_str()?.strip_suffix(".ebnf")?.to_owned()))
        .collect();
    names.sort();
    names.into_iter().map(read).collect()
}

fn read(name: String) -> Shipped {
    let text = fs::read_to_string(folder().join(format!("{name}.ebnf"))).unwrap();
    let cases = fs::read_to_string(folder().join(format!("{name}.cases.toml"))).unwrap();
    let cases: Cases = toml::from_str(&cases).unwrap_or_else(|e| panic!("{name}.cases.toml: {e}"));
    Shipped { name, text, accept: cases.accept, refuse: cases.refuse }
}

fn compile(shipped: &Shipped, compiler: &Compiler) -> CompiledGrammar {
    compiler.ebnf(&shipped.text).unwrap_or_else(|e| panic!("{}.ebnf: {e}", shipped.name))
}

fn accepts(grammar: &CompiledGrammar, text: &str) -> bool {
    let automaton = grammar.automaton().unwrap();
    let mut registers = Registers::default();
    let mut cfg = automaton.start();
    for byte in text.bytes() {
        match automaton.advance(cfg, &[byte], &mut registers).unwrap() {
            Some(next) => cfg = next,
            None => return false,
        }
    }
    automaton.is_accepting(cfg)
}

#[test]
fn shipped_grammars_decide_their_cases() {
    let compiler = Compiler::new(Vocabulary::demo(), CompilerConfig::default());
    let grammars = shipped();
    assert!(grammars.len() >= 17, "{} grammars", grammars.len());
    for shipped in &grammars {
        let name = &shipped.name;
        assert!(shipped.accept.len() >= CASES_MIN && shipped.refuse.len() >= CASES_MIN, "{name}: few cases");
        assert!(shipped.text.starts_with("# "), "{name}.ebnf opens with a comment on what it is for");
        let grammar = compile(shipped, &compiler);
        for text in &shipped.accept {
            assert!(accepts(&grammar, text), "{name} must accept {text:?}");
        }
        for text in &shipped.refuse {
            assert!(!accepts(&grammar, text), "{name} must refuse {text:?}");
        }
    }
}

#[test]
fn the_table_lists_every_shipped_grammar() {
    let table = fs::read_to_string(folder().join("README.md")).unwrap();
    for shipped in shipped() {
        let row = format!("| [`{0}`]({0}.ebnf) |", shipped.name);
        assert!(table.contains(&row), "grammars/README.md has no row {row}");
    }
}

/// The longest token that the text starts with.
fn longest_token(vocabulary: &Vocabulary, text: &[u8]) -> TokenId {
    let trie = vocabulary.trie();
    let mut node = 0;
    let mut found = None;
    for &byte in text {
        let Some(child) = trie.child(node, byte) else { break };
        node = child;
        found = trie.tokens(node).first().copied().or(found);
    }
    found.expect("every byte is a token")
}

/// Every bit of the mask is set exactly where the commit succeeds.
fn bit_is_commit(name: &str, matcher: &mut Matcher, mask: &mut Bitmask) {
    matcher.fill_bitmask(mask).unwrap();
    for token in (0..matcher.grammar().vocabulary().len()).map(TokenId::new) {
        let commits = matcher.fork().commit(token).is_ok();
        let text = String::from_utf8_lossy(&matcher.text()).into_owned();
        assert_eq!(mask.contains(token), commits, "{name}: {token:?} behind {text:?}");
    }
}

#[test]
fn accepted_texts_are_taken_token_by_token() {
    let compiler = Compiler::new(Vocabulary::demo(), CompilerConfig::default());
    let vocabulary = compiler.vocabulary();
    let mut random = Random::new(SEED);
    for shipped in shipped() {
        let grammar = compile(&shipped, &compiler);
        let mut mask = Bitmask::new(&grammar);
        for (i, text) in shipped.accept.iter().enumerate() {
            let mut matcher = Matcher::new(&grammar);
            let mut rest = text.as_bytes();
            while !rest.is_empty() {
                let token = longest_token(vocabulary, rest);
                matcher.fill_bitmask(&mut mask).unwrap();
                assert!(mask.contains(token), "{}: {rest:?} of {text:?}", shipped.name);
                if i < 4 && random.chance(1, 12) {
                    bit_is_commit(&shipped.name, &mut matcher, &mut mask);
                }
                matcher.commit(token).unwrap();
                rest = &rest[vocabulary.bytes(token).len()..];
            }
            assert!(matcher.is_accepting(), "{}: {text:?}", shipped.name);
            matcher.commit(vocabulary.stop_tokens()[0]).unwrap();
        }
    }
}

/// One of the allowed tokens: first a first byte, so that signs come up as often as words.
fn random_token(vocabulary: &Vocabulary, mask: &Bitmask, random: &mut Random) -> Option<TokenId> {
    let mut by_byte: BTreeMap<u8, Vec<TokenId>> = BTreeMap::new();
    for token in mask.iter() {
        if let Some(&first) = vocabulary.bytes(token).first() {
            by_byte.entry(first).or_default().push(token);
        }
    }
    let bytes: Vec<u8> = by_byte.keys().copied().collect();
    if bytes.is_empty() {
        return None;
    }
    // Most bytes are beyond ASCII, where they are allowed at all; they are chosen now and then.
    let ascii = bytes.partition_point(u8::is_ascii);
    let among = if ascii > 0 && random.chance(9, 10) { &bytes[..ascii] } else { &bytes[..] };
    let byte = random.pick(among);
    Some(*random.pick(&by_byte[byte]))
}

/// The search for an end: configurations by what leads there. From each it is tried to go on as some accepted text ends.
struct Ends<'a> {
    automaton: &'a Automaton,
    /// Ends of accepted texts, short ones first; the first is empty.
    known: &'a [&'a [u8]],
    registers: Registers,
}

impl<'a> Ends<'a> {
    fn new(automaton: &'a Automaton, known: &'a [&'a [u8]]) -> Self {
        Self { automaton, known, registers: Registers::default() }
    }

    fn advance(&mut self, cfg: Cfg, bytes: &[u8]) -> Option<Cfg> {
        self.automaton.advance(cfg, bytes, &mut self.registers).unwrap()
    }

    /// Bytes that lead to an accepting configuration.
    fn way(&mut self, from: Cfg) -> Option<Vec<u8>> {
        let mut steps: Vec<(Cfg, usize, u8)> = vec![(from, 0, 0)];
        let mut seen = HashSet::from([from]);
        let mut open = BinaryHeap::from([Reverse((0_usize, 0_usize))]);
        while let Some(Reverse((length, at))) = open.pop() {
            let cfg = steps[at].0;
            for end in self.known {
                if self.advance(cfg, end).is_some_and(|cfg| self.automaton.is_accepting(cfg)) {
                    return Some([&way_to(&steps, at), *end].concat());
                }
            }
            for byte in 0..=u8::MAX {
                let Some(next) = self.advance(cfg, &[byte]) else { continue };
                if steps.len() < SEARCH_MAX && seen.insert(next) {
                    open.push(Reverse((length + cost(byte), steps.len())));
                    steps.push((next, at, byte));
                }
            }
        }
        None
    }
}

/// What closes something leads to an end, as a rule, and what opens something does not.
fn cost(byte: u8) -> usize {
    match byte {
        b')' | b']' | b'}' => 0,
        b'(' | b'[' | b'{' => 6,
        _ => 1,
    }
}

/// The bytes that lead from the first step to this one.
fn way_to(steps: &[(Cfg, usize, u8)], mut at: usize) -> Vec<u8> {
    let mut way = Vec::new();
    while at != 0 {
        way.push(steps[at].2);
        at = steps[at].1;
    }
    way.reverse();
    way
}

/// Every end of every text, short ones first.
fn ends(texts: &[String]) -> Vec<&[u8]> {
    let all = texts.iter().flat_map(|text| (0..=text.len()).map(|at| &text.as_bytes()[at..]));
    let mut ends: Vec<&[u8]> = all.collect();
    ends.sort_by_key(|end| (end.len(), *end));
    ends.dedup();
    ends
}

/// Random tokens, then a way to an end; what it says of the text must be so at every step.
fn walk(name: &str, grammar: &CompiledGrammar, known: &[&[u8]], random: &mut Random) -> Vec<u8> {
    let tokens = random.below(TOKENS_MAX + 1);
    let vocabulary = grammar.vocabulary();
    let mut matcher = Matcher::new(grammar);
    let mut mask = Bitmask::new(grammar);
    for _ in 0..tokens {
        matcher.fill_bitmask(&mut mask).unwrap();
        assert!(mask.count() > 0, "{name}: a dead end behind {:?}", String::from_utf8_lossy(&matcher.text()));
        assert_eq!(matcher.is_accepting(), mask.contains(vocabulary.stop_tokens()[0]), "{name}");
        let Some(token) = random_token(vocabulary, &mask, random) else { break };
        matcher.commit(token).unwrap();
    }
    let text = matcher.text();
    let automaton = grammar.automaton().unwrap();
    let mut ends = Ends::new(&automaton, known);
    let cfg = ends.advance(automaton.start(), &text).unwrap();
    let Some(way) = ends.way(cfg) else {
        panic!("{name}: no end found behind {:?}", String::from_utf8_lossy(&text));
    };
    for byte in way {
        let token = longest_token(vocabulary, &[byte]);
        matcher.fill_bitmask(&mut mask).unwrap();
        assert!(mask.contains(token), "{name}: {:?}", String::from_utf8_lossy(&matcher.text()));
        matcher.commit(token).unwrap();
    }
    assert!(matcher.is_accepting(), "{name}");
    matcher.commit(vocabulary.stop_tokens()[0]).unwrap();
    assert!(matcher.is_finished());
    matcher.text()
}

fn walk_count(otherwise: usize) -> usize {
    std::env::var("MASKWRIGHT_WALKS").map_or(otherwise, |count| count.parse().unwrap())
}

fn walks_end(vocabulary: Vocabulary, count: usize) {
    let compiler = Compiler::new(vocabulary, CompilerConfig::default());
    for shipped in shipped() {
        let grammar = compile(&shipped, &compiler);
        let known = ends(&shipped.accept);
        for i in 0..count {
            let seed = SEED.wrapping_add(u64::try_from(i).unwrap());
            let mut random = Random::new(seed);
            let text = walk(&format!("{} (seed {seed})", shipped.name), &grammar, &known, &mut random);
            let text = String::from_utf8(text).expect("grammars are about characters");
            assert!(accepts(&grammar, &text), "{}: {text:?}", shipped.name);
        }
    }
}

#[test]
fn random_walks_through_shipped_grammars_end() {
    walks_end(Vocabulary::demo(), 20);
}

#[test]
#[ignore = "long: as many walks as MASKWRIGHT_WALKS says, else 200, with a large vocabulary"]
fn random_walks_with_a_large_vocabulary_end() {
    let count = walk_count(200);
    if let Some(vocabulary) = data::vocabulary("llama3") {
        walks_end(vocabulary, count);
    }
}

fn masks_agree_without_caches(vocabulary: &Vocabulary, walks: usize, tokens: usize) {
    let mut config = CompilerConfig::default();
    config.caching = Caching::Off;
    let uncached = Compiler::new(vocabulary.clone(), config);
    let cached = Compiler::new(vocabulary.clone(), CompilerConfig::default());
    for shipped in shipped() {
        let (slow, fast) = (compile(&shipped, &uncached), compile(&shipped, &cached));
        let (mut expected, mut mask) = (Bitmask::new(&slow), Bitmask::new(&fast));
        for i in 0..walks {
            let mut random = Random::new(SEED.wrapping_add(1_000 + u64::try_from(i).unwrap()));
            let (mut twin, mut matcher) = (Matcher::new(&slow), Matcher::new(&fast));
            for _ in 0..tokens {
                twin.fill_bitmask(&mut expected).unwrap();
                matcher.fill_bitmask(&mut mask).unwrap();
                let text = || String::from_utf8_lossy(&matcher.text()).into_owned();
                assert!(mask.iter().eq(expected.iter()), "{} (walk {i}): {:?}", shipped.name, text());
                let Some(token) = random_token(vocabulary, &mask, &mut random) else { break };
                twin.commit(token).unwrap();
                matcher.commit(token).unwrap();
            }
        }
    }
}

#[test]
fn masks_of_shipped_grammars_without_caches_are_the_same() {
    masks_agree_without_caches(&Vocabulary::demo(), 3, 15);
}

#[test]
#[ignore = "long: as many walks as MASKWRIGHT_WALKS says, else 4, with a large vocabulary"]
fn masks_with_a_large_vocabulary_and_without_caches_are_the_same() {
    if let Some(vocabulary) = data::vocabulary("llama3") {
        masks_agree_without_caches(&vocabulary, walk_count(4), 20);
    }
}
