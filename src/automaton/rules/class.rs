//! Token classes of lexemes inside rules: which tokens stay inside a text under way, and what remains of those that leave it.
//!
//! A text that may end need not: where it can go on with a byte and what follows can begin with it, every split of a token counts.
//! Such bytes are the class's *splits*. The class lists the tokens that leave the text where it can't go on; those that leave it
//! before one of its splits are listed beside, for the bytes with which what follows begins, which are mostly none.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::automaton::class::{LOOP_NODES_MIN, Region, Remainders};
use crate::automaton::descent::{Reader, are_few, descend};
use crate::automaton::lexeme::{LexEdge, LexId, LexRow};
use crate::automaton::rules::part::{Part, PosId, Position};
use crate::automaton::rules::position::{SplitsId, interior_bytes};
use crate::automaton::token_set::{TokenSet, Union};
use crate::automaton::universe::Universe;
use crate::error::Exhausted;
use crate::index::widen;
use crate::limits;
use crate::vocab::{ByteSet, Fan, TokenTrie};

/// See the module.
#[derive(Debug)]
pub(crate) struct TextClass {
    /// Tokens after which the text is under way or at its end.
    pub(crate) interior: Arc<TokenSet>,
    /// Where the text may end: the tokens below these nodes go on with what follows it.
    pub(crate) exits: Box<[Region]>,
    /// Bytes with which it can go on where it may end, if there are any.
    pub(crate) splits: Option<SplitsId>,
}

impl Universe {
    /// The text that a position begins with and what is left after it, if it begins with one.
    pub(crate) fn text_in_front(&self, position: PosId) -> Option<(LexId, PosId)> {
        match self.rules.positions.get(position.0).key {
            Position::Before { part, rest } => match self.rules.part_of(part) {
                Part::Lex(lex) => Some((*lex, rest)),
                _ => None,
            },
            Position::End => None,
        }
    }

    /// The class of a text below a node of a trie, its end before the first byte aside. `None` if there is no room for it.
    pub(crate) fn text_class(&self, lex: LexId, region: Region) -> Result<Option<Arc<TextClass>>, Exhausted> {
        if let Some(known) = self.rules.classes.get(&(lex, region)) {
            return Ok(Some(Arc::clone(&known)));
        }
        let found = self.find_text_class(lex, region)?.map(Arc::new);
        if let Some(class) = &found
            && self.budget.take(class.bytes())
        {
            self.rules.classes.insert((lex, region), Arc::clone(class));
        }
        Ok(found)
    }

    fn find_text_class(&self, lex: LexId, region: Region) -> Result<Option<TextClass>, Exhausted> {
        let mut found = Found::new(self, region);
        let at = found.meet(lex)?;
        // The end before the first byte is the caller's, so no token that leaves the text there is listed.
        if at.accepts {
            found.ends.insert(region.node);
        }
        descend(found.trie, region.node, at, &mut found)?;
        found.ends.remove(&region.node);
        let mut exits: Vec<Region> = found.ends.iter().map(|&node| region.at(node)).collect();
        // Without exits the class's splits are still to be looked at, so there is one of no tokens then.
        if !found.exits.is_empty() || (exits.is_empty() && !found.splits.is_empty()) {
            let Some(suffixes) = self.suffixes(found.exits) else { return Ok(None) };
            exits.push(suffixes);
        }
        let interior = self.sets.base(found.interior.finish(), &self.budget);
        let splits = self.splits_id(lex, region, found.splits);
        Ok(Some(TextClass { interior, exits: exits.into(), splits }))
    }

    /// What remains of the tokens below a node that go on after an end of a text with one of its splits. The inner `None` if nothing
    /// does, the outer if there is no room for them.
    pub(super) fn split_region(
        &self,
        lex: LexId,
        region: Region,
        bytes: ByteSet,
    ) -> Result<Option<Option<Region>>, Exhausted> {
        let key = (lex, region, bytes);
        if let Some(known) = self.rules.splits.get(&key) {
            return Ok(*known);
        }
        let found = match self.find_splits(lex, region, bytes)? {
            None => None,
            Some(remainders) if remainders.is_empty() => Some(None),
            Some(remainders) => self.suffixes(remainders).map(Some),
        };
        if self.budget.take(SPLITS_BYTES) {
            self.rules.splits.insert(key, found);
        }
        Ok(found)
    }

    fn find_splits(
        &self,
        lex: LexId,
        region: Region,
        bytes: ByteSet,
    ) -> Result<Option<Remainders<'_>>, Exhausted> {
        let trie = self.trie_of(region);
        let base = widen(trie.depth(region.node));
        let mut found = Vec::new();
        let mut stack: Vec<(LexId, &LexRow)> = vec![(lex, self.lex_row(lex)?)];
        let (mut at, end) = (region.node + 1, trie.end(region.node));
        while at < end {
            let depth = widen(trie.depth(at));
            stack.truncate(depth - base);
            let (current, row) = stack[depth - base - 1];
            let byte = trie.byte(at);
            let LexEdge::Go(next) = self.lex_edge(current, row, byte)? else {
                at = trie.end(at);
                continue;
            };
            // The end before the first byte is the caller's.
            if depth > base + 1 && bytes.contains(byte) && self.lex_accepts(current) {
                self.remainders(trie, at, depth - 1, |_| true, &mut found);
                if found.len() > limits::SPLIT_TOKENS_MAX {
                    return Ok(None);
                }
            }
            stack.push((next, if next == current { row } else { self.lex_row(next)? }));
            at += 1;
        }
        Ok(Some(found))
    }

    /// The trie of what remains of tokens, as a region. `None` if there is no room for it.
    pub(super) fn suffixes(&self, remainders: Remainders<'_>) -> Option<Region> {
        let trie = TokenTrie::build(remainders);
        let bytes = trie.memory_bytes();
        let known = self.rules.suffixes.find(&trie);
        let table = match known {
            Some(table) => table,
            None if self.budget.take(bytes) => self.rules.suffixes.intern(trie),
            None => return None,
        };
        Some(Region::of_suffixes(table))
    }
}

/// The state of a text at a node, on the way to those below it.
#[derive(Clone, Copy)]
struct Above<'u> {
    lex: LexId,
    row: &'u LexRow,
    accepts: bool,
}

/// A class in the making.
struct Found<'u> {
    universe: &'u Universe,
    trie: &'u TokenTrie,
    region: Region,
    interior: Union,
    exits: Remainders<'u>,
    /// Nodes where the text may end, what goes on below them not being listed.
    ends: BTreeSet<u32>,
    splits: ByteSet,
    met: FxHashSet<LexId>,
}

/// From so many tokens on, those that leave a text at one node are not listed.
const LISTED_TOKENS_MAX: usize = 512;

impl<'u> Found<'u> {
    fn new(universe: &'u Universe, region: Region) -> Self {
        Self {
            universe,
            trie: universe.trie_of(region),
            region,
            interior: Union::new(universe.row_words()),
            exits: Remainders::default(),
            ends: BTreeSet::new(),
            splits: ByteSet::default(),
            met: FxHashSet::default(),
        }
    }

    /// The tokens below a node leave the text before the node's byte, at the node above.
    fn leaves(&mut self, above: u32, node: u32) {
        if self.ends.contains(&above) {
            return;
        }
        if self.trie.tokens_below(node).len() > LISTED_TOKENS_MAX {
            // What has been listed below the node above is found twice, which does no harm.
            self.ends.insert(above);
            return;
        }
        self.universe.remainders(self.trie, node, widen(self.trie.depth(above)), |_| true, &mut self.exits);
    }

    fn meet(&mut self, lex: LexId) -> Result<Above<'u>, Exhausted> {
        let accepts = self.universe.lex_accepts(lex);
        if self.met.insert(lex) && accepts {
            self.splits = self.splits.with(self.universe.text_goes_on(lex)?);
        }
        Ok(Above { lex, row: self.universe.lex_row(lex)?, accepts })
    }
}

impl<'u> Reader for Found<'u> {
    type At = Above<'u>;

    fn read(&mut self, above: u32, at: Above<'u>, node: u32) -> Result<Option<Above<'u>>, Exhausted> {
        let (universe, trie) = (self.universe, self.trie);
        let LexEdge::Go(next) = universe.lex_edge(at.lex, at.row, trie.byte(node))? else {
            if at.accepts {
                self.leaves(above, node);
            }
            return Ok(None);
        };
        let at = if next == at.lex { at } else { self.meet(next)? };
        let nodes = trie.end(node) - node;
        if nodes > LOOP_NODES_MIN && universe.loops_below(next, self.region.at(node))? {
            self.interior.extend(trie.tokens_below(node));
            return Ok(None);
        }
        self.interior.extend(trie.tokens(node));
        Ok((nodes > 1).then_some(at))
    }

    fn few(&mut self, node: u32, at: Above<'u>, fan: &Fan) -> Result<Option<ByteSet>, Exhausted> {
        if at.accepts && self.trie.tokens_below(node).len() <= LISTED_TOKENS_MAX {
            return Ok(None);
        }
        let few = are_few(at.row.live(), fan);
        if at.accepts && few.is_some() {
            // All tokens below go on after the end of the text here.
            self.ends.insert(node);
        }
        Ok(few)
    }
}

impl TextClass {
    /// What the class takes, its pooled parts apart.
    fn bytes(&self) -> usize {
        TEXT_CLASS_BYTES + interior_bytes(&self.interior) + 8 * self.exits.len()
    }
}

/// An answer about splits, and its place in the table.
const SPLITS_BYTES: usize = 96;

/// A class without what hangs on it, and its place in the table.
const TEXT_CLASS_BYTES: usize = 200;
