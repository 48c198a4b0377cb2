//! Literal sets as minimal acyclic automata: one union per node over a code point and the rest.
//!
//! Sorted literals are added one after the other; what the next literal can't share any more is closed bottom-up, and
//! interning merges equal suffixes. Thousands of literals take a few milliseconds and no recursion.

use super::{Terms, Window};
use crate::grammar::regex::CharSet;
use crate::index::TermId;

/// A node on the path of the literal added last, still open to more children.
#[derive(Default)]
struct Node {
    /// Whether a literal ends here.
    ends: bool,
    /// The finished children, by code point in ascending order.
    children: Vec<(u32, TermId)>,
}

impl Terms {
    /// One of these literals.
    #[must_use]
    pub fn literals<'a>(&self, literals: impl IntoIterator<Item = &'a str>) -> TermId {
        let mut sorted: Vec<&str> = literals.into_iter().collect();
        sorted.sort_unstable();
        sorted.dedup();
        let mut path: Vec<u32> = Vec::new();
        let mut open = vec![Node::default()];
        for literal in sorted {
            let shared = path.iter().zip(literal.chars()).take_while(|&(&a, b)| a == u32::from(b)).count();
            self.close(&mut open, &mut path, shared);
            for c in literal.chars().skip(shared) {
                path.push(u32::from(c));
                open.push(Node::default());
            }
            open.last_mut().expect("the root stays open").ends = true;
        }
        self.close(&mut open, &mut path, 0);
        self.finish(&open.pop().expect("the root stays open"))
    }

    /// Closes the open nodes below a depth.
    fn close(&self, open: &mut Vec<Node>, path: &mut Vec<u32>, depth: usize) {
        while path.len() > depth {
            let (node, c) =
                open.pop().zip(path.pop()).expect("there is a node for each code point of the path");
            let rest = self.finish(&node);
            open.last_mut().expect("the root stays open").children.push((c, rest));
        }
    }

    fn finish(&self, node: &Node) -> TermId {
        let rest = match *node.children {
            [] => Self::NOTHING,
            [(c, rest)] => self.concat(self.code_point(c), rest),
            _ => self.branch(&node.children),
        };
        match (node.ends, rest) {
            (false, rest) => rest,
            (true, Self::NOTHING) => Self::EMPTY,
            (true, rest) => self.repeat(rest, Window { min: 0, max: Some(1) }),
        }
    }

    /// A union over children, those with the same rest taken together.
    fn branch(&self, children: &[(u32, TermId)]) -> TermId {
        let mut children = children.to_vec();
        children.sort_unstable_by_key(|&(c, rest)| (rest, c));
        let branches: Vec<TermId> = children
            .chunk_by(|a, b| a.1 == b.1)
            .map(|group| {
                let set = CharSet::from_ranges(group.iter().map(|&(c, _)| (c, c)));
                self.concat(self.one_of(&set), group[0].1)
            })
            .collect();
        self.or(&branches)
    }
}
