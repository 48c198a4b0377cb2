//! Walks below a node of a trie, depth first.
//!
//! Nodes are met in preorder, so in the order of memory. Where few of a node's many children can be read, these are taken
//! from its fan, and what lies between them is not looked at.

use crate::error::Exhausted;
use crate::index::widen;
use crate::vocab::{ByteSet, Fan, TokenTrie};

/// Who reads the nodes.
pub(crate) trait Reader {
    /// What is known at a node of what has been read down to it.
    type At: Copy;

    /// Reads the byte of `node`, a child of the node `above`. `None`: nothing below is to be read.
    fn read(&mut self, above: u32, at: Self::At, node: u32) -> Result<Option<Self::At>, Exhausted>;

    /// The bytes with which a node is left to its children, if these are known to be few of the fan's; others are not read. Asked
    /// once for each such node.
    fn few(&mut self, node: u32, at: Self::At, fan: &Fan) -> Result<Option<ByteSet>, Exhausted>;
}

/// Whether so many children had better be taken one by one.
pub(crate) fn are_few(bytes: ByteSet, fan: &Fan) -> Option<ByteSet> {
    (2 * fan.bytes().within(bytes).len() <= fan.bytes().len()).then_some(bytes)
}

/// Reads all that is below a node.
pub(crate) fn descend<R: Reader>(
    trie: &TokenTrie,
    node: u32,
    at: R::At,
    reader: &mut R,
) -> Result<(), Exhausted> {
    let mut descent = Descent { trie, reader, stack: Vec::new(), open: Vec::new() };
    let children = match trie.fan(node) {
        Some(fan) => descent.reader.few(node, at, fan)?.map(|bytes| (fan, bytes)),
        None => None,
    };
    match children {
        Some((fan, bytes)) => descent.open.push((node, at, fan, bytes)),
        None => descent.range(node, at, node + 1, trie.end(node))?,
    }
    while let Some((node, at, fan, bytes)) = descent.open.pop() {
        for child in fan.children(bytes) {
            descent.range(node, at, child, trie.end(child))?;
        }
    }
    Ok(())
}

struct Descent<'t, 'r, R: Reader> {
    trie: &'t TokenTrie,
    reader: &'r mut R,
    stack: Vec<(u32, R::At)>,
    /// Nodes of whose many children few are still to be read.
    open: Vec<(u32, R::At, &'t Fan, ByteSet)>,
}

impl<R: Reader> Descent<'_, '_, R> {
    /// Reads nodes in preorder: whole subtrees of children of a node.
    fn range(&mut self, node: u32, at: R::At, first: u32, end: u32) -> Result<(), Exhausted> {
        let trie = self.trie;
        let base = widen(trie.depth(node));
        self.stack.clear();
        self.stack.push((node, at));
        let mut next = first;
        while next < end {
            let depth = widen(trie.depth(next)) - base;
            self.stack.truncate(depth);
            let (above, at) = self.stack[depth - 1];
            let after = trie.end(next);
            let Some(at) = self.reader.read(above, at, next)? else {
                next = after;
                continue;
            };
            if let Some(fan) = trie.fan(next)
                && let Some(bytes) = self.reader.few(next, at, fan)?
            {
                self.open.push((next, at, fan, bytes));
                next = after;
                continue;
            }
            self.stack.push((next, at));
            next += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::TokenId;

    /// Reads strings of some bytes, with what is few told or not.
    struct Bytes<'t> {
        trie: &'t TokenTrie,
        bytes: ByteSet,
        tells: bool,
        read: Vec<TokenId>,
        skipped: usize,
    }

    impl Reader for Bytes<'_> {
        /// The depth.
        type At = u32;

        fn read(&mut self, above: u32, at: u32, node: u32) -> Result<Option<u32>, Exhausted> {
            assert_eq!((self.trie.depth(above), self.trie.depth(node)), (at, at + 1));
            if !self.bytes.contains(self.trie.byte(node)) {
                self.skipped += 1;
                return Ok(None);
            }
            self.read.extend_from_slice(self.trie.tokens(node));
            Ok(Some(at + 1))
        }

        fn few(&mut self, _: u32, _: u32, fan: &Fan) -> Result<Option<ByteSet>, Exhausted> {
            Ok(if self.tells { are_few(self.bytes, fan) } else { None })
        }
    }

    #[test]
    fn fans_change_what_is_looked_at_and_not_what_is_read() {
        let mut words = Vec::new();
        for a in b'a'..=b'z' {
            for b in b'a'..=b'z' {
                words.extend([vec![a, b], vec![a, b, b'x'], vec![b'q', a, b, b'y']]);
            }
        }
        let trie = TokenTrie::build(words.iter().zip(0..).map(|(word, id)| (&word[..], TokenId(id))));
        for (node, bytes) in [
            (0, &b"aqx"[..]),
            (0, b"q"),
            (0, b""),
            (trie.find(b"q").unwrap(), b"qy"),
            (0, b"abcdefghijklmnopqrs"),
        ] {
            let bytes: ByteSet = bytes.iter().copied().collect();
            let [told, untold] = [true, false].map(|tells| {
                let mut reader = Bytes { trie: &trie, bytes, tells, read: Vec::new(), skipped: 0 };
                descend(&trie, node, trie.depth(node), &mut reader).unwrap();
                reader.read.sort_unstable();
                (reader.read, reader.skipped)
            });
            assert_eq!(told.0, untold.0, "{bytes}");
            assert!(bytes.len() > 4 || told.1 < untold.1, "{bytes}: {} and {}", told.1, untold.1);
        }
    }
}
