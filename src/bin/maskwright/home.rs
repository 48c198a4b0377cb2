//! The way to the end of a text, of a schema or of any grammar.
//!
//! A search over the automaton finds a short way to the end (`Matcher::ending`), and tokens along it are favoured until the text may
//! end, when the stop tokens are. Like `closing` this is a sampler's policy: it adds to logits and only chooses among tokens that the mask
//! allows. A search that finds nothing within its budget is tried again later, and ever less often.

use maskwright::automaton::EndingStep;
use maskwright::{Matcher, TokenId, Vocabulary};

/// Logits added to a token along the way, for each of its bytes: more than any model or temperature has against it.
const FAVOUR: f32 = 10_000.0;

/// Logits taken from what has come too often in a row.
const DISFAVOUR: f32 = 60.0;

/// So often a byte may stand in a row before others are preferred.
const RUN: usize = 3;

/// After a search that found no way, so many tokens are committed before the next; after another, twice as many.
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
    /// No way to the end was found: parts of one are looked for.
    is_far: bool,
    /// The text may end, and the stop tokens are favoured.
    at_end: bool,
    /// Tokens to commit before the next search.
    rest: usize,
    next_rest: usize,
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
            is_far: false,
            at_end: false,
            rest: 0,
            next_rest: REST,
            steered: 0,
        }
    }

    /// Whether the text has lasted long enough.
    pub(crate) fn is_patience_over(&self) -> bool {
        self.read > self.patience
    }

    /// Whether a way is being followed, or its end reached.
    pub(crate) fn is_on_the_way(&self) -> bool {
        self.at_end || self.has_way()
    }

    /// Whether a way is being followed.
    pub(crate) fn has_way(&self) -> bool {
        !self.way.is_empty()
    }

    /// Leaves the way.
    pub(crate) fn forget(&mut self) {
        self.way.clear();
        self.at_end = false;
    }

    /// Takes note of a committed token.
    pub(crate) fn took(&mut self, token: TokenId, bytes: &[u8]) {
        self.read += bytes.len();
        for &byte in bytes {
            self.run = if byte == self.run.0 { (byte, self.run.1 + 1) } else { (byte, 1) };
        }
        self.rest = self.rest.saturating_sub(1);
        self.at_end = false;
        if self.way.is_empty() {
            return;
        }
        let along = |(step, byte): (&EndingStep, &u8)| *step == EndingStep::Byte(*byte);
        match self.way.first() {
            Some(EndingStep::Letter(letter)) if *letter == token => drop(self.way.drain(..1)),
            Some(EndingStep::Byte(_))
                if bytes.len() <= self.way.len() && self.way.iter().zip(bytes).all(along) =>
            {
                self.way.drain(..bytes.len());
            }
            // What was favoured was not taken: the next search waits.
            _ => {
                self.way.clear();
                self.pause();
            }
        }
    }

    /// Puts the next search off.
    fn pause(&mut self) {
        self.rest = self.next_rest;
        self.next_rest = self.next_rest.saturating_mul(2);
    }

    /// Before patience ends: what has come several times in a row comes no more, if something else may.
    pub(crate) fn vary(&self, logits: &mut [f32]) {
        let (byte, times) = self.run;
        let trie = self.vocabulary.trie();
        if times > RUN
            && let Some(node) = trie.child(0, byte)
        {
            for &token in trie.tokens(node).iter().chain(trie.tokens_below(node)) {
                logits[token.index()] -= DISFAVOUR;
            }
        }
    }

    /// A way to the end, or a part of one; nothing if none is found within the budget, so that the model goes on for a while.
    fn search(&mut self, matcher: &Matcher) -> Vec<EndingStep> {
        if !self.is_far {
            match matcher.ending() {
                Ok(Some(way)) => return way,
                // What lies too far now is not asked for again.
                Ok(None) => self.is_far = true,
                Err(_) => return Vec::new(),
            }
        }
        matcher.toward_ending().unwrap_or_default()
    }

    /// Favours the way to the end.
    pub(crate) fn favour(&mut self, matcher: &Matcher, logits: &mut [f32]) {
        if matcher.is_accepting() {
            self.way.clear();
            self.at_end = true;
            self.steered += 1;
            for stop in matcher.stop_tokens() {
                logits[stop.index()] += FAVOUR;
            }
            return;
        }
        if self.way.is_empty() && self.rest == 0 {
            self.way = self.search(matcher);
            if self.way.is_empty() {
                self.pause();
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
                assert!(!home.is_patience_over(), "behind {text:?}");
                home.vary(&mut logits);
                assert!(logits.iter().all(|&logit| logit == 0.0), "behind {text:?}");
                matcher.commit(token).expect("allowed");
                home.took(token, vocabulary.bytes(token));
                text.extend_from_slice(vocabulary.bytes(token));
            }
        }
        while !matcher.is_finished() {
            let mut logits = vec![0.0; vocabulary.len()];
            assert!(home.is_patience_over());
            home.favour(&matcher, &mut logits);
            let best = logits.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).expect("not empty").0;
            matcher.commit(TokenId::new(best)).expect("the way is allowed");
            home.took(TokenId::new(best), vocabulary.bytes(TokenId::new(best)));
        }
        assert_eq!(matcher.text(), b"(((ab;)))");
    }
}
