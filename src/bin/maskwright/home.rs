//! The way to the end of a text of any grammar.
//!
//! What the byte weights of `closing` know of JSON means nothing elsewhere: where braces are text, closing them leads nowhere.
//! So a text of a grammar is left to the model for a while; then a search over the automaton finds a short way to the end
//! (`Matcher::ending`), and tokens along it are favoured until the text may end, when the stop tokens are. Like `closing` this is a
//! sampler's policy: it adds to logits and only chooses among tokens that the mask allows.

use maskwright::automaton::EndingStep;
use maskwright::{Exhausted, Matcher, TokenId, Vocabulary};

/// Logits added to a token along the way, for each of its bytes.
const FAVOUR: f32 = 60.0;

/// So often a byte may stand in a row before others are preferred.
const RUN: usize = 3;

/// After a search that found no way, so many tokens are committed before the next.
const REST: usize = 16;

/// Follows a text and knows a way to its end, when asked to.
pub(crate) struct Home {
    vocabulary: Vocabulary,
    /// Length of a text, in bytes, up to which it is left alone.
    patience: usize,
    read: usize,
    /// The last byte, and how often it stands there in a row.
    run: (u8, usize),
    /// What is left of the way found.
    way: Vec<EndingStep>,
    /// Tokens to commit before the next search.
    rest: usize,
    /// Tokens at which a way was favoured.
    pub(crate) steered: usize,
}

impl Home {
    /// At the start of a text.
    pub(crate) fn new(vocabulary: &Vocabulary, patience: usize) -> Self {
        Self {
            vocabulary: vocabulary.clone(),
            patience,
            read: 0,
            run: (0, 0),
            way: Vec::new(),
            rest: 0,
            steered: 0,
        }
    }

    /// Takes note of a committed token.
    pub(crate) fn took(&mut self, token: TokenId, bytes: &[u8]) {
        self.read += bytes.len();
        for &byte in bytes {
            self.run = if byte == self.run.0 { (byte, self.run.1 + 1) } else { (byte, 1) };
        }
        self.rest = self.rest.saturating_sub(1);
        let taken = match self.way.first() {
            Some(EndingStep::Letter(letter)) if *letter == token => 1,
            _ => {
                let along = |(step, byte): (&EndingStep, &u8)| *step == EndingStep::Byte(*byte);
                let is_along = bytes.len() <= self.way.len() && self.way.iter().zip(bytes).all(along);
                if is_along { bytes.len() } else { self.way.len() }
            }
        };
        self.way.drain(..taken);
    }

    /// Before patience ends: what has come several times in a row comes no more, if something else may.
    fn vary(&self, logits: &mut [f32]) {
        let (byte, times) = self.run;
        let trie = self.vocabulary.trie();
        if times > RUN
            && let Some(node) = trie.child(0, byte)
        {
            for &token in trie.tokens(node).iter().chain(trie.tokens_below(node)) {
                logits[token.index()] -= FAVOUR;
            }
        }
    }

    /// Favours the way to the end of a text that has lasted long enough.
    pub(crate) fn favour(&mut self, matcher: &Matcher, logits: &mut [f32]) -> Result<(), Exhausted> {
        if self.read <= self.patience {
            self.vary(logits);
            return Ok(());
        }
        if matcher.is_accepting() {
            self.steered += 1;
            for stop in matcher.stop_tokens() {
                logits[stop.index()] += FAVOUR;
            }
            return Ok(());
        }
        if self.way.is_empty() && self.rest == 0 {
            match matcher.ending()? {
                Some(way) => self.way = way,
                None => self.rest = REST,
            }
        }
        let mut favour = 0.0;
        let mut node = 0;
        for step in &self.way {
            favour += FAVOUR;
            match step {
                EndingStep::Letter(token) => {
                    if node == 0 {
                        logits[token.index()] += favour;
                    }
                    break;
                }
                EndingStep::Byte(byte) => {
                    let trie = self.vocabulary.trie();
                    let Some(child) = trie.child(node, *byte) else { break };
                    node = child;
                    for &token in trie.tokens(node) {
                        logits[token.index()] += favour;
                    }
                }
            }
        }
        self.steered += usize::from(favour > 0.0);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use maskwright::{Compiler, CompilerConfig};

    use super::*;

    #[test]
    fn a_text_is_left_alone_until_patience_ends_and_then_led_to_its_end() {
        let vocabulary = Vocabulary::demo();
        let compiler = Compiler::new(vocabulary.clone(), CompilerConfig::default());
        let grammar = compiler.ebnf(r#"list ::= "(" list* ")" | [a-z]+ ";""#).expect("a grammar");
        let mut matcher = Matcher::new(&grammar);
        let mut home = Home::new(&vocabulary, 3);
        let mut text = Vec::new();
        for step in ["(((", "ab"] {
            for token in Vocabulary::demo_encode(step) {
                let mut logits = vec![0.0; vocabulary.len()];
                home.favour(&matcher, &mut logits).expect("within the budget");
                assert!(logits.iter().all(|&logit| logit == 0.0), "behind {text:?}");
                matcher.commit(token).expect("allowed");
                home.took(token, vocabulary.bytes(token));
                text.extend_from_slice(vocabulary.bytes(token));
            }
        }
        while !matcher.is_finished() {
            let mut logits = vec![0.0; vocabulary.len()];
            home.favour(&matcher, &mut logits).expect("within the budget");
            let best = logits.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).expect("not empty").0;
            matcher.commit(TokenId::new(best)).expect("the way is allowed");
            home.took(TokenId::new(best), vocabulary.bytes(TokenId::new(best)));
        }
        assert_eq!(matcher.text(), b"(((ab;)))");
    }
}
