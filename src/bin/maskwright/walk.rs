//! Follows a text through a matcher, byte-exactly, whatever tokens spell it.
//!
//! Masks depend on the bytes committed and not on their split into tokens, so any split will do: the longest
//! token first, and single bytes from where that one is refused.

use maskwright::{Bitmask, CommitError, CompiledGrammar, Matcher, TokenId, Vocabulary};

use crate::Failure;
use crate::readable::Bytes;

/// A matcher, the text that it has taken and the mask of what may follow.
pub(crate) struct Walk {
    matcher: Matcher,
    vocabulary: Vocabulary,
    mask: Bitmask,
}

/// Why a text left the language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Departure {
    /// The grammar does not allow the byte.
    NotAllowed,
    /// No token of the vocabulary spells the byte alone.
    Unspellable,
}

impl Walk {
    /// Stands before the first byte.
    pub(crate) fn new(grammar: &CompiledGrammar) -> Self {
        Self {
            matcher: Matcher::new(grammar),
            vocabulary: grammar.vocabulary().clone(),
            mask: Bitmask::new(grammar),
        }
    }

    /// Takes as much of the text as is allowed: its length, and why it ends there if not at the end.
    pub(crate) fn take(&mut self, text: &[u8]) -> Result<(usize, Option<Departure>), Failure> {
        let mut at = 0;
        while at < text.len() {
            let longest = self.longest_token(&text[at..]);
            if let Some((token, len)) = longest
                && self.commit(token)?
            {
                at += len;
                continue;
            }
            let Some(single) = self.single(text[at]) else {
                return Ok((at, Some(Departure::Unspellable)));
            };
            if !self.commit(single)? {
                return Ok((at, Some(Departure::NotAllowed)));
            }
            at += 1;
        }
        Ok((at, None))
    }

    /// The matcher, behind what has been taken.
    pub(crate) fn matcher(&self) -> &Matcher {
        &self.matcher
    }

    fn commit(&mut self, token: TokenId) -> Result<bool, Failure> {
        match self.matcher.commit(token) {
            Ok(()) => Ok(true),
            Err(CommitError::NotAllowed { .. }) => Ok(false),
            Err(other) => Err(other.into()),
        }
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

    /// First bytes of the tokens that may follow: exactly the bytes that may follow.
    pub(crate) fn next_bytes(&mut self) -> Result<Bytes, Failure> {
        self.matcher.fill_bitmask(&mut self.mask)?;
        let mut set = [false; 256];
        for token in self.mask.iter() {
            if let Some(&first) = self.vocabulary.bytes(token).first() {
                set[usize::from(first)] = true;
            }
        }
        Ok(set)
    }
}
