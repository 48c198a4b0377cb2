//! Trains the built-in vocabulary anew: byte-pair merges of the pieces of a text from a fixed seed.
//!
//! Pairs are counted exactly and ties go to the smaller ids, so the file is reproducible to the byte.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{super::file::byte_level, LETTERS, TOKENS, corpus::corpus, pieces};
use crate::index::{TokenId, narrow};

/// Text tokens and letters together.
const VOCABULARY_LEN: usize = 4_096;

#[test]
fn the_file_is_what_the_trainer_writes() {
    let tokens = train(&corpus(), VOCABULARY_LEN - LETTERS.len());
    let file: String = tokens.iter().fold(String::new(), |file, token| file + &spelled(token) + "\n");
    if std::env::var_os("MASKWRIGHT_WRITE_DEMO").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/vocab/demo/tokens.txt");
        std::fs::write(path, &file).expect("the source folder is writable");
    } else {
        assert!(file == TOKENS, "tokens.txt is out of date: run this test with MASKWRIGHT_WRITE_DEMO=1");
    }
}

/// A token in the byte-level alphabet.
fn spelled(token: &[u8]) -> String {
    let character = |byte| {
        ('\0'..'\u{200}').find(|&c| byte_level::byte(c) == Some(byte)).expect("every byte has a character")
    };
    token.iter().map(|&byte| character(byte)).collect()
}

/// An adjacent pair of tokens: how often it occurs, and in which pieces.
#[derive(Default)]
struct Pair {
    count: i64,
    pieces: BTreeSet<usize>,
}

/// The bytes, then one token for each merge of the most frequent pair.
fn train(text: &str, len: usize) -> Vec<Vec<u8>> {
    let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
    for piece in pieces(text) {
        *counts.entry(piece).or_default() += 1;
    }
    let mut words: Vec<(Vec<u32>, i64)> =
        counts.iter().map(|(piece, &count)| (piece.bytes().map(u32::from).collect(), count)).collect();
    let mut tokens: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
    let mut ids: HashMap<Vec<u8>, u32> = tokens.iter().cloned().zip(0..).collect();
    let mut pairs: BTreeMap<(u32, u32), Pair> = BTreeMap::new();
    for (at, word) in words.iter().enumerate() {
        count_pairs(&mut pairs, at, word, 1);
    }
    while tokens.len() < len {
        let best = pairs.iter().max_by(|a, b| a.1.count.cmp(&b.1.count).then_with(|| b.0.cmp(a.0)));
        let (&pair, best) =
            best.filter(|(_, pair)| pair.count > 1).expect("the text is too short for so many merges");
        let mut merged = tokens[TokenId(pair.0).index()].clone();
        merged.extend_from_slice(&tokens[TokenId(pair.1).index()]);
        let id = *ids.entry(merged.clone()).or_insert_with(|| {
            tokens.push(merged);
            narrow(tokens.len() - 1)
        });
        for at in best.pieces.clone() {
            count_pairs(&mut pairs, at, &words[at], -1);
            merge(&mut words[at].0, pair, id);
            count_pairs(&mut pairs, at, &words[at], 1);
        }
    }
    tokens
}

/// Adds (or takes back) the pairs of a piece.
fn count_pairs(
    pairs: &mut BTreeMap<(u32, u32), Pair>,
    at: usize,
    (word, count): &(Vec<u32>, i64),
    sign: i64,
) {
    for pair in word.windows(2) {
        let entry = pairs.entry((pair[0], pair[1])).or_default();
        entry.count += sign * count;
        if sign > 0 {
            entry.pieces.insert(at);
        } else {
            entry.pieces.remove(&at);
        }
        if entry.count == 0 {
            pairs.remove(&(pair[0], pair[1]));
        }
    }
}

fn merge(word: &mut Vec<u32>, pair: (u32, u32), id: u32) {
    let mut out = Vec::with_capacity(word.len());
    for &symbol in word.iter() {
        // A symbol that was just merged never pairs again: it is new.
        if symbol == pair.1 && out.last() == Some(&pair.0) {
            out.pop();
            out.push(id);
        } else {
            out.push(symbol);
        }
    }
    *word = out;
}
