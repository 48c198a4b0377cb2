//! The way out of a string that random text would never end.
//!
//! `{"pattern": "\\d{4}-\\d{2}"}` is searched for, so any text may come before the match, and text that is chosen
//! without regard to it goes on for ever. When a string has got long and may not end yet, a breadth-first search over
//! the automaton's configurations finds a shortest way to its closing quote, and tokens along it are favoured. Like
//! `closing` this is a sampler's policy: it only chooses among tokens that the mask allows.

use std::collections::HashSet;

use maskwright::automaton::{Automaton, Cfg, Registers};
use maskwright::{CompiledGrammar, Exhausted, Vocabulary};

use crate::closing::Place;

/// Most configurations that one search visits.
const SEARCH_MAX: usize = 20_000;

/// Logits added to a token along the way, for each of its bytes.
const FAVOUR: f32 = 60.0;

/// Follows a document and knows a way out of its present string, when asked to.
pub(crate) struct Steer {
    automaton: Automaton,
    vocabulary: Vocabulary,
    /// Length of a string, in bytes, up to which it is left alone.
    patience: usize,
    /// Bytes since the present string began.
    inside: usize,
    /// What is left of the way found.
    way: Vec<u8>,
    /// A search failed in this string: not tried again until the next.
    hopeless: bool,
    /// Tokens at which a way was favoured.
    pub(crate) steered: usize,
}

/// A configuration reached by the search.
struct Step {
    cfg: Cfg,
    place: Place,
    from: usize,
    byte: u8,
}

impl Steer {
    /// At the start of a document.
    pub(crate) fn new(grammar: &CompiledGrammar, patience: usize) -> Self {
        Self {
            automaton: grammar.automaton().clone(),
            vocabulary: grammar.vocabulary().clone(),
            patience,
            inside: 0,
            way: Vec::new(),
            hopeless: false,
            steered: 0,
        }
    }

    /// Takes note of a committed token that began at `place`.
    pub(crate) fn took(&mut self, place: Place, bytes: &[u8]) {
        self.way = self.way.strip_prefix(bytes).map(<[u8]>::to_vec).unwrap_or_default();
        let mut place = place;
        for &byte in bytes {
            place = place.after(&[byte]);
            if matches!(place, Place::Inside | Place::Escaped) {
                self.inside += 1;
            } else {
                self.inside = 0;
                self.hopeless = false;
            }
        }
    }

    /// Favours the way out of the string in which the text ends, if it has lasted too long.
    pub(crate) fn favour(&mut self, text: &[u8], place: Place, logits: &mut [f32]) -> Result<(), Exhausted> {
        if self.inside <= self.patience || self.hopeless {
            return Ok(());
        }
        if self.way.is_empty() {
            match self.search(text, place)? {
                Some(way) => self.way = way,
                None => self.hopeless = true,
            }
        }
        let trie = self.vocabulary.trie();
        let mut node = 0;
        let mut favour = 0.0;
        for &byte in &self.way {
            let Some(child) = trie.child(node, byte) else { break };
            node = child;
            favour += FAVOUR;
            for &token in trie.tokens(node) {
                logits[token.index()] += favour;
            }
        }
        if favour > 0.0 {
            self.steered += 1;
        }
        Ok(())
    }

    /// A byte string that closes the present string: a shortest one of printable ASCII, else a shortest one.
    fn search(&self, text: &[u8], place: Place) -> Result<Option<Vec<u8>>, Exhausted> {
        let mut registers = Registers::default();
        let Some(cfg) = self.automaton.advance(self.automaton.start(), text, &mut registers)? else {
            return Ok(None);
        };
        // The quote comes first. Escapes are not printable here: each splits into thousands of configurations.
        let printable: Vec<u8> =
            [b'"'].into_iter().chain(b'a'..=b'z').chain(0x20..=0x7E).filter(|&b| b != b'\\').collect();
        if let Some(way) = self.shortest(cfg, place, &printable, &mut registers)? {
            return Ok(Some(way));
        }
        let all: Vec<u8> = printable.into_iter().chain(0x80..=0xF4).chain([b'\\']).collect();
        self.shortest(cfg, place, &all, &mut registers)
    }

    /// Breadth-first search; earlier bytes are preferred.
    fn shortest(
        &self,
        cfg: Cfg,
        place: Place,
        bytes: &[u8],
        registers: &mut Registers,
    ) -> Result<Option<Vec<u8>>, Exhausted> {
        let mut steps = vec![Step { cfg, place, from: 0, byte: 0 }];
        let mut seen = HashSet::from([(cfg, place)]);
        let mut at = 0;
        while at < steps.len() && steps.len() < SEARCH_MAX {
            let (cfg, place) = (steps[at].cfg, steps[at].place);
            for &byte in bytes {
                let Some(next) = self.automaton.advance(cfg, &[byte], registers)? else { continue };
                let after = place.after(&[byte]);
                if seen.insert((next, after)) {
                    steps.push(Step { cfg: next, place: after, from: at, byte });
                    if after == Place::Outside {
                        return Ok(Some(way_to(&steps, steps.len() - 1)));
                    }
                }
            }
            at += 1;
        }
        Ok(None)
    }
}

/// The bytes that lead from the first step to this one.
fn way_to(steps: &[Step], mut at: usize) -> Vec<u8> {
    let mut way = Vec::new();
    while at != 0 {
        way.push(steps[at].byte);
        at = steps[at].from;
    }
    way.reverse();
    way
}

#[cfg(test)]
mod tests {
    use maskwright::{Compiler, CompilerConfig};

    use super::*;

    fn way(schema: &str, text: &str) -> Option<Vec<u8>> {
        let compiler = Compiler::new(Vocabulary::demo(), CompilerConfig::default());
        let grammar = compiler.json_schema(schema).expect("the schema compiles");
        let place = Place::default().after(text.as_bytes());
        Steer::new(&grammar, 0).search(text.as_bytes(), place).expect("within the budget")
    }

    #[test]
    fn the_way_out_is_a_shortest_one() {
        assert_eq!(way(r#"{"type":"string"}"#, "\"abc").as_deref(), Some(&b"\""[..]));
        let dated = way(r#"{"type":"string","pattern":"\\d{2}-\\d"}"#, "\"abc1").expect("a way");
        assert_eq!(dated.len(), 4, "{dated:?}");
        assert!(
            dated[0].is_ascii_digit() && dated[1] == b'-' && dated[2].is_ascii_digit() && dated[3] == b'"'
        );
    }

    #[test]
    fn a_string_is_left_alone_until_patience_ends() {
        let compiler = Compiler::new(Vocabulary::demo(), CompilerConfig::default());
        let grammar = compiler.json_schema(r#"{"pattern":"Z$"}"#).expect("the schema compiles");
        let mut steer = Steer::new(&grammar, 3);
        let mut logits = vec![0.0; grammar.vocabulary().len()];
        steer.took(Place::Outside, b"\"ab");
        steer.favour(b"\"ab", Place::Inside, &mut logits).expect("within the budget");
        assert!(logits.iter().all(|&l| l == 0.0));
        steer.took(Place::Inside, b"cd");
        steer.favour(b"\"abcd", Place::Inside, &mut logits).expect("within the budget");
        let best = logits.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).expect("not empty").0;
        assert!(b"Z\"".starts_with(grammar.vocabulary().bytes(maskwright::TokenId::new(best))));
        assert_eq!(steer.steered, 1);
    }
}
