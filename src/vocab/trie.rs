//! The token trie: every text token's bytes as one tree in preorder arrays.
//!
//! A walk that refuses a node skips its whole subtree by one jump to `end`. Tokens are numbered in preorder
//! too, so a subtree's tokens are one contiguous slice.
//!
//! The children of nodes that have many are listed beside (`fans.rs`).
//!
//! Invariants: node 0 is the root and stands for the empty string. Children of a node stand in
//! ascending order of their byte, the first right after the node, each next one at the `end` of its elder sibling.
//! `first_token` has one entry more than there are nodes.

use crate::index::{TokenId, narrow, widen};
use crate::vocab::ByteSet;
use crate::vocab::fans::{Fan, Fans};

/// Byte strings as a tree, each with the tokens that spell it.
///
/// ```
/// use maskwright::{TokenId, vocab::TokenTrie};
/// let trie = TokenTrie::build([(&b"ab"[..], TokenId(7)), (&b"a"[..], TokenId(3))]);
/// let a = trie.child(TokenTrie::ROOT, b'a').expect("a token begins with a");
/// assert_eq!(trie.tokens(a), [TokenId(3)]);
/// assert_eq!(trie.tokens_below(a), [TokenId(3), TokenId(7)]);
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TokenTrie {
    bytes: Box<[u8]>,
    ends: Box<[u32]>,
    depths: Box<[u32]>,
    /// How many tokens precede the node in preorder.
    first_token: Box<[u32]>,
    tokens: Box<[TokenId]>,
    fans: Fans,
}

impl TokenTrie {
    /// The node of the empty string.
    pub const ROOT: u32 = 0;

    /// The trie of these strings, given in any order; several tokens may spell the same one, and are kept
    /// in ascending order. Cost: one sort and one pass.
    ///
    /// # Panics
    /// If the strings together have `u32::MAX` bytes or more; a vocabulary's never do.
    #[must_use]
    pub fn build<'a>(entries: impl IntoIterator<Item = (&'a [u8], TokenId)>) -> Self {
        let mut sorted: Vec<(u64, &[u8], TokenId)> =
            entries.into_iter().map(|(bytes, token)| (leading_bytes(bytes), bytes, token)).collect();
        // The leading eight bytes decide nearly every comparison without a look at the strings.
        sorted.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.cmp(b.1)).then_with(|| a.2.cmp(&b.2)));

        let mut builder = Builder::default();
        let mut previous: &[u8] = &[];
        for (_, bytes, token) in sorted {
            let shared = previous.iter().zip(bytes).take_while(|(a, b)| a == b).count();
            builder.close_below(shared);
            for &byte in &bytes[shared..] {
                builder.open(byte);
            }
            builder.trie_tokens.push(token);
            previous = bytes;
        }
        builder.finish()
    }

    /// Number of nodes, the root among them.
    #[must_use]
    #[allow(clippy::len_without_is_empty, reason = "the root is always there")]
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// What the tables take.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.bytes.len()
            + 4 * (self.ends.len() + self.depths.len() + self.first_token.len() + self.tokens.len())
            + self.fans.memory_bytes()
    }

    /// Last byte of the node's string; 0 for the root.
    #[inline]
    #[must_use]
    pub fn byte(&self, node: u32) -> u8 {
        self.bytes[widen(node)]
    }

    /// The first node in preorder after the node's subtree. The children of n are n + 1, end(n + 1), … while less than
    /// end(n).
    #[inline]
    #[must_use]
    pub fn end(&self, node: u32) -> u32 {
        self.ends[widen(node)]
    }

    /// Length of the node's string in bytes.
    #[inline]
    #[must_use]
    pub fn depth(&self, node: u32) -> u32 {
        self.depths[widen(node)]
    }

    /// The tokens that spell exactly the node's string, ascending.
    #[inline]
    #[must_use]
    pub fn tokens(&self, node: u32) -> &[TokenId] {
        self.token_range(node, node + 1)
    }

    /// The tokens that begin with the node's string.
    #[inline]
    #[must_use]
    pub fn tokens_below(&self, node: u32) -> &[TokenId] {
        self.token_range(node, self.end(node))
    }

    /// The tokens whose nodes lie from `first` up to and without `end`, in preorder.
    #[inline]
    fn token_range(&self, first: u32, end: u32) -> &[TokenId] {
        &self.tokens[widen(self.first_token[widen(first)])..widen(self.first_token[widen(end)])]
    }

    /// The children in ascending order of their byte.
    pub fn children(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let end = self.end(node);
        let mut next = node + 1;
        std::iter::from_fn(move || {
            let child = next;
            if child >= end {
                return None;
            }
            next = self.end(child);
            Some(child)
        })
    }

    /// The bytes of the node's children. Cost: a lookup for the root and for nodes with many children, else one step a child.
    #[must_use]
    pub(crate) fn child_bytes(&self, node: u32) -> ByteSet {
        match self.fan(node) {
            Some(fan) => fan.bytes(),
            None if node == Self::ROOT => self.fans.below_root(),
            None => self.children(node).map(|child| self.byte(child)).collect(),
        }
    }

    /// The children with one of these bytes, in ascending order.
    pub(crate) fn children_by(&self, node: u32, bytes: ByteSet) -> impl Iterator<Item = u32> + '_ {
        let fan = self.fan(node);
        let few =
            fan.is_none().then(|| self.children(node).filter(move |&child| bytes.contains(self.byte(child))));
        fan.into_iter().flat_map(move |fan| fan.children(bytes)).chain(few.into_iter().flatten())
    }

    /// The children of a node that has many.
    #[inline]
    pub(crate) fn fan(&self, node: u32) -> Option<&Fan> {
        if self.end(node) - node <= Fan::CHILDREN_MIN { None } else { self.fans.find(node) }
    }

    /// The child by this byte. Cost: one step per elder sibling.
    #[must_use]
    pub fn child(&self, node: u32, byte: u8) -> Option<u32> {
        self.children(node)
            .take_while(|&child| self.byte(child) <= byte)
            .find(|&child| self.byte(child) == byte)
    }

    /// The node of this string, if some token begins with it.
    #[must_use]
    pub fn find(&self, bytes: &[u8]) -> Option<u32> {
        bytes.iter().try_fold(Self::ROOT, |node, &byte| self.child(node, byte))
    }
}

/// The first eight bytes as a number that orders as they do; shorter strings are padded with zeros.
fn leading_bytes(bytes: &[u8]) -> u64 {
    let mut leading = [0; 8];
    let len = bytes.len().min(8);
    leading[..len].copy_from_slice(&bytes[..len]);
    u64::from_be_bytes(leading)
}

/// Nodes in the order in which they are opened; `open` is the path from the root to the current node.
struct Builder {
    trie_bytes: Vec<u8>,
    trie_ends: Vec<u32>,
    trie_depths: Vec<u32>,
    trie_first_token: Vec<u32>,
    trie_tokens: Vec<TokenId>,
    open: Vec<u32>,
}

impl Default for Builder {
    fn default() -> Self {
        Self {
            trie_bytes: vec![0],
            trie_ends: vec![0],
            trie_depths: vec![0],
            trie_first_token: vec![0],
            trie_tokens: Vec::new(),
            open: vec![TokenTrie::ROOT],
        }
    }
}

impl Builder {
    /// Goes down by one byte into a new node.
    fn open(&mut self, byte: u8) {
        self.trie_bytes.push(byte);
        self.trie_ends.push(0);
        self.trie_depths.push(narrow(self.open.len()));
        self.trie_first_token.push(narrow(self.trie_tokens.len()));
        self.open.push(narrow(self.trie_bytes.len() - 1));
    }

    /// Goes back up to the open node of this depth.
    fn close_below(&mut self, depth: usize) {
        let end = narrow(self.trie_bytes.len());
        for node in self.open.drain(depth + 1..) {
            self.trie_ends[widen(node)] = end;
        }
    }

    fn finish(mut self) -> TokenTrie {
        self.close_below(0);
        self.trie_ends[widen(TokenTrie::ROOT)] = narrow(self.trie_bytes.len());
        self.trie_first_token.push(narrow(self.trie_tokens.len()));
        let mut trie = TokenTrie {
            bytes: self.trie_bytes.into(),
            ends: self.trie_ends.into(),
            depths: self.trie_depths.into(),
            first_token: self.trie_first_token.into(),
            tokens: self.trie_tokens.into(),
            fans: Fans::default(),
        };
        trie.fans = Fans::of(&trie);
        trie
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::TokenTrie;
    use crate::index::TokenId;

    /// Every string with its tokens, read off by a walk.
    fn strings(trie: &TokenTrie, node: u32, prefix: &mut Vec<u8>, out: &mut Vec<(Vec<u8>, Vec<TokenId>)>) {
        out.push((prefix.clone(), trie.tokens(node).to_vec()));
        assert_eq!(crate::index::widen(trie.depth(node)), prefix.len());
        for child in trie.children(node) {
            prefix.push(trie.byte(child));
            strings(trie, child, prefix, out);
            prefix.pop();
        }
    }

    #[test]
    fn holds_every_string_and_prefix_once_in_order() {
        let words: [&[u8]; 9] =
            [b"abc", b"b", b"a\0", b"", b"a", b"abc", b"\xFF\xFE", b"abcdefghij", b"abcdefghii"];
        let entries = words.iter().zip(0..).map(|(&bytes, id)| (bytes, TokenId(id)));
        let trie = TokenTrie::build(entries.clone());
        let mut expected: BTreeMap<Vec<u8>, Vec<TokenId>> = BTreeMap::new();
        for (bytes, token) in entries {
            for len in 0..=bytes.len() {
                expected.entry(bytes[..len].to_vec()).or_default();
            }
            expected.entry(bytes.to_vec()).or_default().push(token);
        }
        let mut found = Vec::new();
        strings(&trie, TokenTrie::ROOT, &mut Vec::new(), &mut found);
        assert_eq!(found, expected.clone().into_iter().collect::<Vec<_>>());
        assert_eq!(trie.len(), expected.len());
        for (prefix, tokens) in &expected {
            let node = trie.find(prefix).expect("a prefix of a token");
            assert_eq!(trie.tokens(node), tokens);
            let below: Vec<TokenId> =
                expected.iter().filter(|(s, _)| s.starts_with(prefix)).flat_map(|(_, t)| t.clone()).collect();
            assert_eq!(trie.tokens_below(node), below);
        }
        assert_eq!(trie.find(b"abd"), None);
        assert_eq!(trie.find(b"c"), None);
    }

    #[test]
    fn no_strings_make_a_root_alone() {
        let trie = TokenTrie::build([]);
        assert_eq!(trie.len(), 1);
        assert_eq!(trie.end(TokenTrie::ROOT), 1);
        assert!(trie.tokens_below(TokenTrie::ROOT).is_empty());
    }
}
