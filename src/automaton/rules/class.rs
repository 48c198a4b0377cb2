//! Token classes of lexemes inside rules: which tokens stay inside a text under way, and what remains of those that leave it.
//!
//! A text that may end need not: where it can go on with a byte and the rule can, too, every split of a token counts. Such bytes
//! are the class's *splits*; a class is used only where what follows begins with none of them, so that a token leaves the
//! text at one place at most, the last one. Elsewhere a walk takes all ways at once.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::automaton::class::{Region, Remainders};
use crate::automaton::lexeme::{LexEdge, LexId, LexRow};
use crate::automaton::rules::net::Net;
use crate::automaton::rules::part::{Part, PosId, Position};
use crate::automaton::token_set::TokenSet;
use crate::automaton::universe::Universe;
use crate::error::Exhausted;
use crate::index::{TokenId, widen};
use crate::vocab::{ByteSet, TokenTrie};

/// See the module.
#[derive(Debug)]
pub(crate) struct TextClass {
    /// Tokens after which the text is under way or at its end.
    pub(crate) interior: Arc<TokenSet>,
    /// What remains of the tokens that leave it, but for those below `ends`.
    pub(crate) exits: TokenTrie,
    /// Nodes of the vocabulary's trie at which it may end, and below which many tokens have left it.
    pub(crate) ends: Box<[u32]>,
    /// Bytes with which it can go on where it may end.
    pub(crate) splits: ByteSet,
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

    /// The positions of a net state over one frame; `None` if there are several frames.
    pub(crate) fn positions_over_one_frame(&self, at: u32) -> Option<&[PosId]> {
        match self.net(at) {
            Net::Set(positions) => Some(positions),
            Net::Many(_) => None,
        }
    }

    /// The class of a text below a node of the vocabulary's trie.
    pub(crate) fn text_class(&self, lex: LexId, region: Region) -> Result<Arc<TextClass>, Exhausted> {
        if let Some(known) = self.rules.classes.get(&(lex, region)) {
            return Ok(Arc::clone(&known));
        }
        let class = Arc::new(self.find_text_class(lex, region)?);
        if self.budget.take(class.bytes(region)) {
            self.rules.classes.insert((lex, region), Arc::clone(&class));
        }
        Ok(class)
    }

    fn find_text_class(&self, lex: LexId, region: Region) -> Result<TextClass, Exhausted> {
        let trie = self.trie_of(region);
        let base = widen(trie.depth(region.node));
        let mut found = Found::default();
        found.meet(self, lex, self.lex_row(lex)?)?;
        if self.lex_accepts(lex) {
            found.ends.insert(region.node);
        }
        let mut stack: Vec<(LexId, &LexRow, u32)> = vec![(lex, self.lex_row(lex)?, region.node)];
        let (mut at, end) = (region.node + 1, trie.end(region.node));
        while at < end {
            let depth = widen(trie.depth(at));
            stack.truncate(depth - base);
            let (current, row, above) = stack[depth - base - 1];
            let LexEdge::Go(next) = self.lex_edge(current, row, trie.byte(at))? else {
                if self.lex_accepts(current) {
                    found.leaves(self, trie, above, at);
                }
                at = trie.end(at);
                continue;
            };
            let next_row = if next == current { row } else { self.lex_row(next)? };
            if next != current {
                found.meet(self, next, next_row)?;
            }
            if self.loops_below(next, region.at(at))? {
                found.interior.extend_from_slice(trie.tokens_below(at));
                at = trie.end(at);
                continue;
            }
            found.interior.extend_from_slice(trie.tokens(at));
            stack.push((next, next_row, at));
            at += 1;
        }
        Ok(TextClass {
            interior: self.interior(found.interior, region),
            exits: TokenTrie::build(found.exits),
            ends: found.ends.into_iter().collect(),
            splits: found.splits,
        })
    }
}

/// A class in the making.
#[derive(Default)]
struct Found<'a> {
    interior: Vec<TokenId>,
    exits: Remainders<'a>,
    ends: BTreeSet<u32>,
    splits: ByteSet,
    met: FxHashSet<LexId>,
}

/// From so many tokens on, those that leave a text at one node are not listed.
const LISTED_TOKENS_MAX: usize = 32;

impl<'a> Found<'a> {
    /// The tokens below a node leave the text before the node's byte, at the node above.
    fn leaves(&mut self, universe: &'a Universe, trie: &TokenTrie, above: u32, at: u32) {
        if self.ends.contains(&above) {
            return;
        }
        if trie.tokens_below(at).len() > LISTED_TOKENS_MAX {
            // What has been listed below the node above is found twice, which does no harm.
            self.ends.insert(above);
            return;
        }
        universe.remainders(trie, at, widen(trie.depth(above)), |_| true, &mut self.exits);
    }

    fn meet(&mut self, universe: &Universe, lex: LexId, row: &LexRow) -> Result<(), Exhausted> {
        if self.met.insert(lex) && universe.lex_accepts(lex) {
            for byte in 0..=u8::MAX {
                if matches!(universe.lex_edge(lex, row, byte)?, LexEdge::Go(_)) {
                    self.splits.insert(byte);
                }
            }
        }
        Ok(())
    }
}

impl TextClass {
    /// What the class takes, its pooled part apart.
    fn bytes(&self, region: Region) -> usize {
        let interior = if region == Region::WHOLE { 0 } else { 4 * self.interior.count() };
        TEXT_CLASS_BYTES + interior + self.exits.memory_bytes() + 4 * self.ends.len()
    }
}

/// A class without what hangs on it, and its place in the table.
const TEXT_CLASS_BYTES: usize = 200;
