//! What stands in for a language model: a byte n-gram model of a small corpus, or seeded random logits.
//!
//! The n-gram model predicts bytes from the last 14 bytes at most, mixing all context lengths by how many different bytes
//! followed them (after Witten and Bell). A token's logit is the log probability of its bytes in turn, so the
//! text does not depend on how the vocabulary splits it. Trained when the program starts, in milliseconds.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use maskwright::{TokenId, Vocabulary};
use rustc_hash::FxHasher;

/// JSON documents, one a line, and little else.
const CORPUS: &str = include_str!("corpus.txt");

/// Texts of other kinds, an empty line after each.
const TEXTS: &str = include_str!("texts.txt");

/// What is to be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum About {
    /// JSON documents.
    Documents,
    /// Texts of any grammar.
    Texts,
}

/// Times that other texts count among documents, where texts are to be written.
const TEXTS_WEIGHT: u32 = 3;

/// Lengths of contexts, in bytes, shortest first.
const ORDERS: [usize; 8] = [0, 1, 2, 3, 4, 6, 9, 14];

/// Weight of the shorter contexts, per different byte that followed the longer one.
const SHORTER: f32 = 0.25;

/// What stands between documents while training: not a line break, which may occur inside a document.
const SEPARATOR: u8 = 0x1E;

/// Times that a prompt counts among the corpus.
const PROMPT_WEIGHT: u32 = 2;

/// Log probability below which a token's continuations are not looked at one by one.
const FLOOR: f32 = -14.0;

/// A source of logits.
pub(crate) trait Model {
    /// Writes a logit for each token, given the text so far.
    fn logits(&mut self, text: &[u8], logits: &mut [f32]);
    /// How hard to push towards the end, in logits per unit of weight; 1 is the length of a long document.
    fn pressure(&self, progress: f32) -> f32;
    /// Length of a string, in bytes, up to which nothing helps it to end.
    fn patience(&self) -> usize;
}

/// What followed one context.
#[derive(Default)]
struct Followers {
    total: u32,
    counts: Vec<(u8, u32)>,
}

impl Followers {
    fn add(&mut self, byte: u8, times: u32) {
        self.total += times;
        match self.counts.iter_mut().find(|(b, _)| *b == byte) {
            Some((_, n)) => *n += times,
            None => self.counts.push((byte, times)),
        }
    }
}

type Contexts = HashMap<u64, Followers, BuildHasherDefault<FxHasher>>;

/// A byte n-gram model over a vocabulary.
pub(crate) struct NGram {
    contexts: Contexts,
    vocabulary: Vocabulary,
    about: About,
    /// What precedes the document: the prompt.
    before: Vec<u8>,
}

/// Keys of the contexts that end a text, one for each order that fits.
fn keys(text: &[u8]) -> impl Iterator<Item = u64> {
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    let mut read = 0;
    ORDERS.iter().map_while(move |&order| {
        if order > text.len() {
            return None;
        }
        while read < order {
            read += 1;
            hash = (hash ^ u64::from(text[text.len() - read])).wrapping_mul(0x0100_0000_01B3);
        }
        Some(hash ^ (u64::try_from(order).expect("a small number") << 56))
    })
}

impl NGram {
    /// Trains on the corpus, and on the prompt, which then also is the context of the document.
    pub(crate) fn new(vocabulary: &Vocabulary, prompt: &str, about: About) -> Self {
        let mut model = Self {
            contexts: Contexts::default(),
            vocabulary: vocabulary.clone(),
            about,
            before: vec![SEPARATOR],
        };
        let corpus: Vec<u8> =
            CORPUS.bytes().map(|byte| if byte == b'\n' { SEPARATOR } else { byte }).collect();
        model.learn(&corpus, 1);
        if about == About::Texts {
            let mut texts = vec![SEPARATOR];
            for text in TEXTS.trim_end().split("\n\n") {
                texts.extend(text.bytes());
                texts.push(SEPARATOR);
            }
            model.learn(&texts, TEXTS_WEIGHT);
        }
        if !prompt.is_empty() {
            model.learn(prompt.as_bytes(), PROMPT_WEIGHT);
            model.before = prompt.as_bytes().to_vec();
            model.before.push(SEPARATOR);
        }
        model
    }

    fn learn(&mut self, text: &[u8], times: u32) {
        for (at, &byte) in text.iter().enumerate() {
            let from = at.saturating_sub(ORDERS[ORDERS.len() - 1]);
            for key in keys(&text[from..at]) {
                self.contexts.entry(key).or_default().add(byte, times);
            }
        }
    }

    /// Probabilities of the next byte.
    fn next_byte(&self, text: &[u8]) -> [f32; 256] {
        let mut probability = [1.0 / 256.0; 256];
        for key in keys(text) {
            let Some(followers) = self.contexts.get(&key) else { break };
            let shorter = SHORTER * as_f32(followers.counts.len());
            let whole = count(followers.total) + shorter;
            for p in &mut probability {
                *p *= shorter / whole;
            }
            for &(byte, n) in &followers.counts {
                probability[usize::from(byte)] += count(n) / whole;
            }
        }
        probability
    }
}

/// A small count as a float.
fn as_f32(n: usize) -> f32 {
    count(u32::try_from(n).unwrap_or(u32::MAX))
}

/// Counts lie far below 2^24, where every integer is a float.
#[allow(clippy::cast_precision_loss, reason = "a probability needs no more than 24 bits")]
fn count(n: u32) -> f32 {
    n as f32
}

impl Model for NGram {
    /// One walk over the token trie; hopeless subtrees are left out (0.1 ms or so).
    fn logits(&mut self, text: &[u8], logits: &mut [f32]) {
        let reach = ORDERS[ORDERS.len() - 1];
        let mut path: Vec<u8> = self.before[self.before.len().saturating_sub(reach)..].to_vec();
        path.extend(&text[text.len().saturating_sub(reach)..]);
        let base = path.len();
        let trie = self.vocabulary.trie();
        logits.fill(2.0 * FLOOR);
        let mut levels = vec![(0.0, self.next_byte(&path))];
        let mut node = 1;
        while node < trie.len() {
            let id = u32::try_from(node).expect("a node of the trie");
            let depth = usize::try_from(trie.depth(id)).expect("a depth");
            levels.truncate(depth);
            path.truncate(base + depth - 1);
            let (before, next) = levels[depth - 1];
            let byte = trie.byte(id);
            // What separates the texts of the corpus is no part of one.
            let log = if byte == SEPARATOR { 2.0 * FLOOR } else { before + next[usize::from(byte)].ln() };
            for &token in trie.tokens(id) {
                logits[token.index()] = log;
            }
            let end = usize::try_from(trie.end(id)).expect("a node of the trie");
            if log < FLOOR || end == node + 1 {
                node = end;
                continue;
            }
            path.push(byte);
            levels.push((log, self.next_byte(&path)));
            node += 1;
        }
        let stop_logit = match self.about {
            // A complete document is over.
            About::Documents => 0.0,
            About::Texts => levels[0].1[usize::from(SEPARATOR)].ln(),
        };
        for &stop in self.vocabulary.stop_tokens() {
            logits[stop.index()] = stop_logit;
        }
    }

    /// The corpus ends its documents, so nothing is pushed until a quarter of the way.
    fn pressure(&self, progress: f32) -> f32 {
        (progress - 0.25).max(0.0) * 40.0
    }

    fn patience(&self) -> usize {
        40
    }
}

/// Random logits: no model at all.
pub(crate) struct Noise {
    state: u64,
}

impl Noise {
    /// Noise from a seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next number of the sequence (splitmix64).
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

impl Model for Noise {
    /// Nearly normal, mean 0 and deviation 1: sums of four uniform numbers.
    fn logits(&mut self, _text: &[u8], logits: &mut [f32]) {
        // The variance of one uniform number on 0..65536 is 65536² / 12.
        let scale = (12.0f32 / 4.0).sqrt() / 65_536.0;
        for logit in logits {
            let [a, b, c, d, e, f, g, h] = self.next().to_le_bytes();
            let sum: u32 =
                [[a, b], [c, d], [e, f], [g, h]].into_iter().map(|p| u32::from(u16::from_le_bytes(p))).sum();
            *logit = (count(sum) - 131_070.0) * scale;
        }
    }

    /// From the first token on: random logits alone would never end a string.
    fn pressure(&self, progress: f32) -> f32 {
        2.0 + 40.0 * progress
    }

    fn patience(&self) -> usize {
        120
    }
}

/// An id for every token of a vocabulary, for callers that need a row of logits.
pub(crate) fn row(vocabulary: &Vocabulary) -> Vec<f32> {
    vec![0.0; vocabulary.logits_width().max(TokenId::new(vocabulary.len()).index())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corpus_is_documents_one_a_line() {
        for line in CORPUS.lines() {
            serde_json::from_str::<serde_json::Value>(line).unwrap_or_else(|e| panic!("{line}: {e}"));
        }
    }

    #[test]
    fn probabilities_sum_to_one_and_follow_the_corpus() {
        let model = NGram::new(&Vocabulary::demo(), "", About::Documents);
        for context in ["", "{\"name\": \"Ada L", "\u{1F600}"] {
            let next = model.next_byte(context.as_bytes());
            assert!((next.iter().sum::<f32>() - 1.0).abs() < 1e-3, "{context:?}");
        }
        let next = model.next_byte(b"{\"name\": \"Ada Lovel");
        assert!(next[usize::from(b'a')] > 0.5);
    }

    #[test]
    fn texts_of_grammars_are_not_only_documents() {
        let model = NGram::new(&Vocabulary::demo(), "", About::Texts);
        assert!(model.next_byte(b"SELECT name FRO")[usize::from(b'M')] > 0.5);
        assert!(model.next_byte(b"{\"name\": \"Ada Lovel")[usize::from(b'a')] > 0.5);
    }

    #[test]
    fn the_prompt_changes_what_is_likely() {
        let vocabulary = Vocabulary::demo();
        let plain = NGram::new(&vocabulary, "", About::Documents).next_byte(b"zebr");
        let prompted = NGram::new(&vocabulary, "zebra zebra", About::Documents).next_byte(b"zebr");
        assert!(prompted[usize::from(b'a')] > plain[usize::from(b'a')]);
    }

    #[test]
    fn noise_is_nearly_normal_and_depends_on_the_seed_alone() {
        let mut row = vec![0.0; 20_000];
        Noise::new(1).logits(b"", &mut row);
        let mean = row.iter().sum::<f32>() / 20_000.0;
        let variance = row.iter().map(|x| x * x).sum::<f32>() / 20_000.0;
        assert!(mean.abs() < 0.05 && (variance - 1.0).abs() < 0.05, "{mean} {variance}");
        let mut again = vec![0.0; 20_000];
        Noise::new(1).logits(b"x", &mut again);
        assert_eq!(row, again);
    }
}
