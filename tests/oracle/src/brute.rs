//! The brute-force mask: every token judged by the twin, one after the other.
//!
//! Tokens are walked as a tree of their bytes, because no extension of a dead text is alive; nothing else is saved.

use maskwright::vocab::TokenKind;
use maskwright::{TokenId, Vocabulary};

use crate::twin::{Bytes, Surface, TooLarge, Twin};

/// The text tokens of a vocabulary by their bytes, and its stop tokens.
pub struct Brute {
    nodes: Vec<Node>,
    stop: Vec<TokenId>,
    token_count: usize,
}

#[derive(Default)]
struct Node {
    tokens: Vec<TokenId>,
    children: Vec<(u8, usize)>,
}

/// All tokens of a vocabulary.
pub fn ids(vocabulary: &Vocabulary) -> impl Iterator<Item = TokenId> {
    (0..vocabulary.len()).map(TokenId::new)
}

/// The bytes that some text token spells alone: what texts over the vocabulary are made of.
#[must_use]
pub fn spelled_bytes(vocabulary: &Vocabulary) -> Bytes {
    let alone = ids(vocabulary)
        .filter(|&token| {
            vocabulary.kind(token) == TokenKind::Text && !vocabulary.stop_tokens().contains(&token)
        })
        .filter_map(|token| match vocabulary.bytes(token) {
            &[byte] => Some(byte),
            _ => None,
        });
    Bytes::of(&alone.collect::<Vec<u8>>())
}

impl Brute {
    /// Sorts the tokens of a vocabulary.
    #[must_use]
    pub fn new(vocabulary: &Vocabulary) -> Self {
        let mut brute = Self {
            nodes: vec![Node::default()],
            stop: vocabulary.stop_tokens().to_vec(),
            token_count: vocabulary.len(),
        };
        for token in ids(vocabulary) {
            if vocabulary.kind(token) == TokenKind::Text && !brute.stop.contains(&token) {
                brute.insert(vocabulary.bytes(token), token);
            }
        }
        brute
    }

    fn insert(&mut self, bytes: &[u8], token: TokenId) {
        let mut at = 0;
        for &byte in bytes {
            at = match self.nodes[at].children.iter().find(|(b, _)| *b == byte) {
                Some(&(_, child)) => child,
                None => {
                    let child = self.nodes.len();
                    self.nodes.push(Node::default());
                    self.nodes[at].children.push((byte, child));
                    child
                }
            };
        }
        self.nodes[at].tokens.push(token);
    }

    /// Which tokens may follow the text, by id: a text token if it leaves a prefix of a document, a stop token if the text is a
    /// document.
    ///
    /// # Errors
    /// [`TooLarge`] if the twin gives up.
    pub fn mask(&self, twin: &Twin, text: &[u8]) -> Result<Vec<bool>, TooLarge> {
        let mut mask = vec![false; self.token_count];
        let is_complete = twin.is_complete(text);
        for &stop in &self.stop {
            mask[stop.index()] = is_complete;
        }
        let mut surface = Surface::new(twin.policy());
        if !text.iter().all(|&byte| twin.push(&mut surface, byte)) {
            return Ok(mask);
        }
        let mut work = vec![(0, surface, text.to_vec())];
        while let Some((at, surface, text)) = work.pop() {
            for &(byte, child) in &self.nodes[at].children {
                let mut surface = surface.clone();
                if !twin.push(&mut surface, byte) {
                    continue;
                }
                let mut text = text.clone();
                text.push(byte);
                if !twin.goes_on(&surface, &text)? {
                    continue;
                }
                for token in &self.nodes[child].tokens {
                    mask[token.index()] = true;
                }
                work.push((child, surface, text));
            }
        }
        Ok(mask)
    }
}
