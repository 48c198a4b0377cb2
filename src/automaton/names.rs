//! The names that an object knows, in the order in which they may come, and the machine that reads a key.
//!
//! The order is fixed when the object opens: names declared over all in-place locations in source order, then
//! required names declared nowhere. A name's position in it is its *rank*. All other names come last and have
//! no rank.

use std::sync::OnceLock;

use crate::automaton::decode::CodePoints;
use crate::automaton::formula::{Formula, NameId};
use crate::automaton::object::RunId;
use crate::automaton::universe::Universe;
use crate::error::Exhausted;
use crate::grammar::program::NamesAre;
use crate::index::{FormulaId, narrow, widen};

/// The names in order of rank, with a trie built on first use.
#[derive(Default, Debug)]
pub(crate) struct NamesData {
    trie: OnceLock<NameTrie>,
    ranks: OnceLock<Box<[(NameId, u32)]>>,
}

/// The trie over the names' code points.
#[derive(Debug)]
pub(crate) struct NameTrie {
    nodes: Vec<NameNode>,
    /// The ranks in the names' sorted order: the names below a node are one slice.
    sorted: Vec<u32>,
}

#[derive(Debug)]
struct NameNode {
    /// Sorted by code point.
    children: Vec<(u32, u32)>,
    /// The rank of the name that ends here.
    rank: Option<u32>,
    /// Bytes from the root.
    read: usize,
    below: (u32, u32),
}

/// The key can't be a known name any more.
pub(crate) const OFF: u32 = u32::MAX;

impl NameTrie {
    /// What it takes, in bytes.
    fn bytes(&self) -> usize {
        let children: usize = self.nodes.iter().map(|node| size_of_val(&*node.children)).sum();
        size_of_val(&*self.nodes) + size_of_val(&*self.sorted) + children
    }

    fn new(names: &[&str]) -> Self {
        let mut sorted: Vec<u32> = (0..narrow(names.len())).collect();
        sorted.sort_unstable_by_key(|&rank| names[widen(rank)]);
        let mut trie = Self { nodes: Vec::new(), sorted: Vec::new() };
        trie.nodes.push(NameNode {
            children: Vec::new(),
            rank: None,
            read: 0,
            below: (0, narrow(sorted.len())),
        });
        for (at, &rank) in (0u32..).zip(&sorted) {
            let mut node = 0usize;
            for char in names[widen(rank)].chars() {
                let c = u32::from(char);
                let known = trie.nodes[node].children.last().filter(|&&(last, _)| last == c).map(|&(_, n)| n);
                let child = known.unwrap_or_else(|| {
                    let child = narrow(trie.nodes.len());
                    let read = trie.nodes[node].read + char.len_utf8();
                    trie.nodes[node].children.push((c, child));
                    trie.nodes.push(NameNode { children: Vec::new(), rank: None, read, below: (at, at) });
                    child
                });
                node = widen(child);
                trie.nodes[node].below.1 = at + 1;
            }
            trie.nodes[node].rank = Some(rank);
        }
        trie.sorted = sorted;
        trie
    }

    /// The rank of the name that ends at a node.
    pub(crate) fn rank(&self, node: u32) -> Option<u32> {
        if node == OFF { None } else { self.nodes[widen(node)].rank }
    }

    /// The ranks of all names that pass through a node.
    pub(crate) fn ranks_below(&self, node: u32) -> &[u32] {
        let (from, to) = self.nodes[widen(node)].below;
        &self.sorted[widen(from)..widen(to)]
    }

    /// The code points that go on from a node, with the nodes they lead to.
    pub(crate) fn children(&self, node: u32) -> &[(u32, u32)] {
        if node == OFF { &[] } else { &self.nodes[widen(node)].children }
    }

    /// Bytes of a name that are left behind a node through which it passes.
    pub(crate) fn left(&self, node: u32, name: &str) -> usize {
        name.len().saturating_sub(self.nodes[widen(node)].read)
    }

    fn child(&self, node: u32, c: u32) -> Option<u32> {
        let children = self.children(node);
        children.binary_search_by_key(&c, |&(c, _)| c).ok().map(|at| children[at].1)
    }
}

impl Universe {
    /// Collects the names that an object knows, from its atoms in source order.
    pub(crate) fn known_names(&self, atoms: &[FormulaId]) -> u32 {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut names: Vec<NameId> = Vec::new();
        for &atom in atoms {
            if let Formula::Members(members) | Formula::SomeMember(members) = self.formula(atom)
                && members.names == NamesAre::Declared
            {
                names.extend(members.properties.iter().map(|(name, _)| *name).filter(|n| seen.insert(*n)));
            }
        }
        for &atom in atoms {
            match self.formula(atom) {
                Formula::Required(name) => names.extend(seen.insert(*name).then_some(*name)),
                Formula::Members(members) | Formula::SomeMember(members) => {
                    let mentioned = members.properties.iter().map(|(name, _)| *name);
                    names.extend(mentioned.filter(|n| seen.insert(*n)));
                }
                _ => {}
            }
        }
        self.name_lists.intern_key(&names.into_boxed_slice())
    }

    /// The trie of a list of names.
    pub(crate) fn name_trie(&self, list: u32) -> &NameTrie {
        let entry = self.name_lists.get(list);
        entry.data.trie.get_or_init(|| {
            let names: Vec<&str> = entry.key.iter().map(|&name| self.name(name)).collect();
            let trie = NameTrie::new(&names);
            self.keep_row(trie.bytes());
            trie
        })
    }

    /// The names in order of rank.
    pub(crate) fn names_by_rank(&self, list: u32) -> &[NameId] {
        &self.name_lists.get(list).key
    }

    /// The rank of a name.
    pub(crate) fn rank_of(&self, list: u32, name: NameId) -> Option<u32> {
        let entry = self.name_lists.get(list);
        let ranks = entry.data.ranks.get_or_init(|| {
            let mut ranks: Vec<(NameId, u32)> = entry.key.iter().copied().zip(0u32..).collect();
            ranks.sort_unstable();
            self.keep_row(size_of_val(&*ranks));
            ranks.into()
        });
        ranks.binary_search_by_key(&name, |&(name, _)| name).ok().map(|at| ranks[at].1)
    }
}

/// The machine over the code points of a key: a node of the name trie or [`OFF`], and where the other names are.
pub(crate) struct Keys<'a> {
    pub(crate) universe: &'a Universe,
    pub(crate) run: RunId,
    pub(crate) trie: &'a NameTrie,
}

/// The interned term vector of the other names that are still possible, or one of these.
pub(crate) type OtherVector = u32;
/// No other name is possible.
pub(crate) const NO_OTHER: OtherVector = u32::MAX;
/// Every other name is.
pub(crate) const EVERY_OTHER: OtherVector = u32::MAX - 1;

impl Keys<'_> {
    /// Whether some known name through the node may come now.
    pub(crate) fn node_is_live(&self, node: u32) -> Result<bool, Exhausted> {
        if node == OFF {
            return Ok(false);
        }
        for &rank in self.trie.ranks_below(node) {
            if self.universe.name_may_come(self.run, rank)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The state, if some name is possible in it.
    fn live(&self, node: u32, others: OtherVector) -> Result<Option<(u32, OtherVector)>, Exhausted> {
        let live = others != NO_OTHER || self.node_is_live(node)?;
        Ok(live.then_some((node, others)))
    }
}

const FIRST_SURROGATE: u32 = 0xD800;
const LAST_SURROGATE: u32 = 0xDFFF;

/// Whether a range has nothing but halves of surrogate pairs.
pub(crate) fn is_surrogates(lo: u32, hi: u32) -> bool {
    FIRST_SURROGATE <= lo && hi <= LAST_SURROGATE
}

impl CodePoints for Keys<'_> {
    type State = (u32, OtherVector);

    fn derive(&self, (node, others): Self::State, c: u32) -> Result<Option<Self::State>, Exhausted> {
        let next = match others {
            NO_OTHER | EVERY_OTHER => others,
            vector => self.universe.vector_after(vector, c)?.unwrap_or(NO_OTHER),
        };
        self.live(self.trie.child(node, c).unwrap_or(OFF), next)
    }

    fn uniform(
        &self,
        (node, others): Self::State,
        lo: u32,
        hi: u32,
    ) -> Result<Option<Option<Self::State>>, Exhausted> {
        // Half a surrogate pair is no code point: nothing goes on from it, as from any that no term reads.
        if lo <= LAST_SURROGATE && hi >= FIRST_SURROGATE {
            return Ok(if is_surrogates(lo, hi) { Some(None) } else { None });
        }
        let children = self.trie.children(node);
        let first = children.partition_point(|&(c, _)| c < lo);
        if children.get(first).is_some_and(|&(c, _)| c <= hi) {
            return Ok(None);
        }
        let next = match others {
            NO_OTHER | EVERY_OTHER => others,
            vector => match self.universe.vector_after_any(vector, lo, hi)? {
                None => return Ok(None),
                Some(next) => next.unwrap_or(NO_OTHER),
            },
        };
        Ok(Some(self.live(OFF, next)?))
    }
}

#[test]
fn a_node_knows_what_is_left_of_the_names_through_it() {
    let names = ["é1é", "é1", "b", ""];
    let trie = NameTrie::new(&names);
    for name in names {
        let mut node = 0;
        for (read, c) in name.char_indices() {
            assert_eq!(trie.left(node, name), name.len() - read, "{name:?}");
            node = trie.child(node, u32::from(c)).expect("the name is in the trie");
        }
        assert_eq!(trie.left(node, name), 0, "{name:?}");
    }
}
