//! The children of those trie nodes that have many, as lists.
//!
//! Elder siblings and younger ones may lie megabytes apart, and a walk that goes on with few bytes reads a place in memory for each
//! child that it leaves out. A fan has the children side by side, with the set of their bytes in front.

use crate::index::{narrow, widen};
use crate::vocab::{ByteSet, TokenTrie};

/// See the module.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Fan {
    node: u32,
    bytes: ByteSet,
    /// In the order of their bytes.
    children: Box<[u32]>,
}

impl Fan {
    /// From so many children on a node has a fan.
    pub(crate) const CHILDREN_MIN: u32 = 16;

    /// The bytes of the children.
    pub(crate) fn bytes(&self) -> ByteSet {
        self.bytes
    }

    /// The children with one of these bytes, in ascending order.
    pub(crate) fn children(&self, bytes: ByteSet) -> impl Iterator<Item = u32> + '_ {
        self.bytes.ranks(bytes).map(|rank| self.children[rank])
    }
}

/// The fans of a trie.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub(super) struct Fans {
    /// The bytes of the root's children.
    below_root: ByteSet,
    /// Ascending by node.
    fans: Box<[Fan]>,
}

impl Fans {
    pub(super) fn of(trie: &TokenTrie) -> Self {
        let mut fans = Vec::new();
        let mut children = Vec::new();
        for node in 0..narrow(trie.len()) {
            if trie.end(node) - node <= Fan::CHILDREN_MIN {
                continue;
            }
            children.clear();
            children.extend(trie.children(node));
            if children.len() >= widen(Fan::CHILDREN_MIN) {
                let bytes = children.iter().map(|&child| trie.byte(child)).collect();
                fans.push(Fan { node, bytes, children: children[..].into() });
            }
        }
        let below_root = trie.children(TokenTrie::ROOT).map(|child| trie.byte(child)).collect();
        Self { below_root, fans: fans.into() }
    }

    pub(super) fn below_root(&self) -> ByteSet {
        self.below_root
    }

    pub(super) fn find(&self, node: u32) -> Option<&Fan> {
        let place = self.fans.binary_search_by_key(&node, |fan| fan.node).ok()?;
        Some(&self.fans[place])
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.fans.iter().map(|fan| std::mem::size_of::<Fan>() + 4 * fan.children.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::TokenId;

    #[test]
    fn a_fan_has_the_children_of_its_node() {
        let mut words: Vec<Vec<u8>> = (b'a'..=b'z').map(|byte| vec![byte]).collect();
        words.extend((b'A'..b'A' + 16).map(|byte| vec![b'c', byte, b'x']));
        words.extend((b'A'..b'A' + 15).map(|byte| vec![b'd', byte, b'x']));
        let trie = TokenTrie::build(words.iter().zip(0..).map(|(word, id)| (&word[..], TokenId(id))));
        for node in 0..narrow(trie.len()) {
            let children: Vec<u32> = trie.children(node).collect();
            let bytes: ByteSet = children.iter().map(|&child| trie.byte(child)).collect();
            assert_eq!(trie.child_bytes(node), bytes, "node {node}");
            let fan = trie.fan(node);
            assert_eq!(fan.is_some(), children.len() >= 16, "node {node}");
            let Some(fan) = fan else { continue };
            for asked in
                [ByteSet::full(), ByteSet::default(), [b'A', b'b', b'P', 0, 255].into_iter().collect()]
            {
                let expected: Vec<u32> =
                    children.iter().copied().filter(|&child| asked.contains(trie.byte(child))).collect();
                assert_eq!(fan.children(asked).collect::<Vec<_>>(), expected, "node {node}");
            }
        }
    }
}
