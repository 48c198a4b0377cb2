//! Follows a text through a matcher, byte-exactly, whatever tokens spell it.
//!
//! Masks depend on the bytes committed and not on their split into tokens, so any split will do: the longest
//! token first, and single bytes from where that one is refused. Names of special tokens stand for these where they are read (`special`).

use maskwright::vocab::TokenKind;
use maskwright::{Bitmask, CommitError, CompiledGrammar, Exhausted, Matcher, TokenId, Vocabulary};

use crate::Failure;
use crate::readable::{Bytes, byte_set};
use crate::special::Names;

/// Special tokens that are named where there are many.
const LETTERS_SHOWN: usize = 8;

/// A matcher, the text that it has taken and the mask of what may follow.
pub(crate) struct Walk {
    matcher: Matcher,
    vocabulary: Vocabulary,
    names: Names,
    mask: Bitmask,
}

/// Why a text left the language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Departure {
    /// The grammar does not allow the byte, or the special token.
    NotAllowed,
    /// No token of the vocabulary spells the byte alone.
    Unspellable,
    /// Whether the byte is allowed could not be decided within the budget.
    Undecided(Exhausted),
}

/// What may follow a text.
pub(crate) struct Next {
    pub(crate) bytes: Bytes,
    /// Special tokens that the grammar names there.
    pub(crate) letters: Vec<TokenId>,
    /// Whether the text may end.
    pub(crate) end: bool,
}

impl Walk {
    /// Stands before the first byte.
    pub(crate) fn new(grammar: &CompiledGrammar, names: &Names) -> Self {
        Self {
            matcher: Matcher::new(grammar),
            vocabulary: grammar.vocabulary().clone(),
            names: names.clone(),
            mask: Bitmask::new(grammar),
        }
    }

    /// Takes as much of the text as is allowed: its length, and why it ends there if not at the end.
    pub(crate) fn take(&mut self, text: &[u8]) -> (usize, Option<Departure>) {
        let mut at = 0;
        while at < text.len() {
            if let Some((token, len)) = self.names.at_start(&text[at..]) {
                if let Some(departure) = self.commit(token) {
                    return (at, Some(departure));
                }
                at += len;
                continue;
            }
            let end = at + self.names.next(&text[at..]);
            let (taken, departure) = self.take_bytes(&text[at..end]);
            at += taken;
            if departure.is_some() {
                return (at, departure);
            }
        }
        (at, None)
    }

    /// The same of a text without special tokens.
    fn take_bytes(&mut self, text: &[u8]) -> (usize, Option<Departure>) {
        let mut at = 0;
        while at < text.len() {
            // A longer token that can't be taken, or not within the budget, is tried byte by byte: that tells the place.
            if let Some((token, len)) = self.longest_token(&text[at..])
                && self.commit(token).is_none()
            {
                at += len;
                continue;
            }
            let Some(single) = self.single(text[at]) else {
                return (at, Some(Departure::Unspellable));
            };
            if let Some(departure) = self.commit(single) {
                return (at, Some(departure));
            }
            at += 1;
        }
        (at, None)
    }

    /// Commits a token, or says why not.
    fn commit(&mut self, token: TokenId) -> Option<Departure> {
        match self.matcher.commit(token) {
            Ok(()) => None,
            Err(CommitError::Exhausted(why)) => Some(Departure::Undecided(why)),
            Err(_) => Some(Departure::NotAllowed),
        }
    }

    /// The matcher, behind what has been taken.
    pub(crate) fn matcher(&self) -> &Matcher {
        &self.matcher
    }

    fn longest_token(&self, text: &[u8]) -> Option<(TokenId, usize)> {
        let trie = self.vocabulary.trie();
        let mut node = 0;
        let mut found = None;
        for (i, &byte) in text.iter().enumerate() {
            let Some(child) = trie.child(node, byte) else { break };
            node = child;
            if let Some(&token) = trie.tokens(node).first() {
                found = Some((token, i + 1));
            }
        }
        found
    }

    fn single(&self, byte: u8) -> Option<TokenId> {
        let trie = self.vocabulary.trie();
        trie.tokens(trie.child(0, byte)?).first().copied()
    }

    /// Whether the text taken so far is a complete document.
    pub(crate) fn is_complete(&self) -> bool {
        self.matcher.is_accepting()
    }

    /// Bytes that every completion starts with.
    pub(crate) fn forced(&self) -> Result<Vec<u8>, Failure> {
        Ok(self.matcher.forced_bytes()?)
    }

    /// The mask of the next token.
    pub(crate) fn mask(&mut self) -> Result<&Bitmask, Failure> {
        self.matcher.fill_bitmask(&mut self.mask)?;
        Ok(&self.mask)
    }

    /// What may follow: first bytes of the tokens that may, which are exactly the bytes that may, and special tokens.
    pub(crate) fn next(&mut self) -> Result<Next, Failure> {
        self.matcher.fill_bitmask(&mut self.mask)?;
        let mut bytes = [false; 256];
        let mut letters = self.matcher.mask_ref()?.stop_letters.into_vec();
        for token in self.mask.iter() {
            if let Some(&first) = self.vocabulary.bytes(token).first() {
                bytes[usize::from(first)] = true;
            } else if self.vocabulary.kind(token) == TokenKind::Letter && !self.vocabulary.is_stop(token) {
                letters.push(token);
            }
        }
        Ok(Next { bytes, letters, end: self.is_complete() })
    }

    /// The same in words.
    pub(crate) fn next_in_words(&mut self) -> Result<String, Failure> {
        Ok(self.next()?.in_words(&self.vocabulary))
    }
}

impl Next {
    /// On one line: `the end, a-z, token <|im_end|>`.
    pub(crate) fn in_words(&self, vocabulary: &Vocabulary) -> String {
        let mut parts = Vec::new();
        if self.end {
            parts.push("the end".to_owned());
        }
        if self.bytes.contains(&true) {
            parts.push(byte_set(&self.bytes));
        }
        let letters = self.letters.iter().take(LETTERS_SHOWN);
        parts.extend(letters.map(|&token| format!("token {}", vocabulary.name(token))));
        if self.letters.len() > LETTERS_SHOWN {
            parts.push(format!("and {} more tokens", self.letters.len() - LETTERS_SHOWN));
        }
        if parts.is_empty() { "nothing".into() } else { parts.join(", ") }
    }
}
