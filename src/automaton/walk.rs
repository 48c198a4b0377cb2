//! Walks of a token trie from a configuration.
//!
//! Depth first, pruned where a byte is dead. Where the walk of the vocabulary's own trie enters a lexeme above many
//! tokens, the lexeme's class answers for all of them at once, and only the exits go on from the
//! continuation. Keys of objects that allow other names start from the free string's class; then the few
//! subtries in which the key closes on a known name are done again, exactly.

use std::sync::Arc;

use crate::automaton::mask::{Class, Scratch, is_conditional};
use crate::automaton::state::{Op, View};
use crate::automaton::universe::{Caching, Universe};
use crate::error::Exhausted;
use crate::index::{FrameId, StateId, widen};
use crate::vocab::TokenTrie;

/// Below so many nodes a walk just goes on byte by byte.
const CLASS_NODES_MIN: u32 = 24;

/// Whether a path has used a name that only the registers can judge.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    Certain,
    Conditional,
}

/// One point of a path.
#[derive(Clone, Copy)]
struct Point {
    state: StateId,
    frame: FrameId,
    names: Names,
}

/// See the module.
pub(crate) struct Walk<'a> {
    universe: &'a Universe,
    scratch: &'a mut Scratch,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(universe: &'a Universe, scratch: &'a mut Scratch) -> Self {
        Self { universe, scratch }
    }

    /// Sets every token below `node` that the configuration can read.
    pub(crate) fn trie(
        &mut self,
        trie: &TokenTrie,
        node: u32,
        state: StateId,
        frame: FrameId,
    ) -> Result<(), Exhausted> {
        self.below(trie, node, Point { state, frame, names: Names::Certain })
    }

    /// Sets the tokens in which the lexeme ends and what follows can be read by the continuation.
    pub(crate) fn exits(&mut self, class: &Class, frame: FrameId) -> Result<(), Exhausted> {
        self.exits_from(class, Point { state: StateId(0), frame, names: Names::Certain })
    }

    fn exits_from(&mut self, class: &Class, from: Point) -> Result<(), Exhausted> {
        for (outcome, trie) in &class.exits {
            let frame = self.universe.frames.get(from.frame.0);
            let state = self.universe.after(frame.ret, *outcome);
            self.suffixes(trie, Point { state, frame: frame.parent, names: from.names })?;
        }
        Ok(())
    }

    fn suffixes(&mut self, trie: &TokenTrie, from: Point) -> Result<(), Exhausted> {
        self.allow(trie, 0, from.names);
        self.below(trie, 0, from)
    }

    fn allow(&mut self, trie: &TokenTrie, node: u32, names: Names) {
        for &token in trie.tokens(node) {
            self.scratch.set(token);
            if names == Names::Conditional {
                self.scratch.conditional.push(token);
            }
        }
    }

    fn below(&mut self, trie: &TokenTrie, node: u32, from: Point) -> Result<(), Exhausted> {
        let base = widen(trie.depth(node));
        let mut stack = vec![from];
        let (mut at, end) = (node + 1, trie.end(node));
        while at < end {
            let depth = widen(trie.depth(at)) - base;
            stack.truncate(depth);
            let before = stack[depth - 1];
            let Some((state, frame, op)) = self.universe.step(before.state, before.frame, trie.byte(at))?
            else {
                at = trie.end(at);
                continue;
            };
            let names = if is_conditional(op) { Names::Conditional } else { before.names };
            let point = Point { state, frame, names };
            self.allow(trie, at, names);
            if trie.end(at) - at > CLASS_NODES_MIN && self.by_class(trie, at, point)? {
                at = trie.end(at);
            } else {
                stack.push(point);
                at += 1;
            }
        }
        Ok(())
    }

    /// Answers for all tokens below a node of the vocabulary's trie at once, if the point is inside a lexeme.
    fn by_class(&mut self, trie: &TokenTrie, node: u32, point: Point) -> Result<bool, Exhausted> {
        let whole = std::ptr::eq(trie, self.universe.vocabulary.trie());
        if !whole || self.universe.caching == Caching::Off {
            return Ok(false);
        }
        match View::of(point.state) {
            View::Lex(lex) => {
                let class = self.universe.class(lex, node)?;
                self.interior(&class, point.names);
                self.exits_from(&class, point)?;
                Ok(true)
            }
            View::Key(at) if self.universe.others(self.universe.keys.get(at).key.run)? => {
                let class = self
                    .universe
                    .class(self.universe.free_key(self.universe.keys.get(at).key.partial)?, node)?;
                self.interior(&class, point.names);
                // The key was opened inside this token: whether its name is unused, only the registers know.
                self.key_exits(&class, at, Point { names: Names::Conditional, ..point })?;
                self.known_names(node, at, point)?;
                Ok(true)
            }
            View::Key(_) | View::Control(_) => Ok(false),
        }
    }

    fn interior(&mut self, class: &Class, names: Names) {
        for &token in &class.interior {
            self.scratch.set(token);
            if names == Names::Conditional {
                self.scratch.conditional.push(token);
            }
        }
    }

    /// For a key state whose object allows other names: the free string's class as base, exits set. `None` if only known
    /// names are possible.
    pub(crate) fn key_base(&mut self, at: u32, frame: FrameId) -> Result<Option<Arc<Class>>, Exhausted> {
        let universe = self.universe;
        let key = universe.keys.get(at).key;
        if universe.caching == Caching::Off || !universe.others(key.run)? {
            return Ok(None);
        }
        let class = universe.class(universe.free_key(key.partial)?, 0)?;
        let point = Point { state: View::Key(at).id(), frame, names: Names::Certain };
        // The key was opened before this token: `Universe::removed` takes care of its name.
        self.key_exits(&class, at, point)?;
        self.known_names(0, at, point)?;
        Ok(Some(class))
    }

    fn key_exits(&mut self, class: &Class, at: u32, point: Point) -> Result<(), Exhausted> {
        let run = self.universe.keys.get(at).key.run;
        let Some(state) = self.universe.other_closed(run)? else { return Ok(()) };
        for (_, trie) in &class.exits {
            self.suffixes(trie, Point { state, ..point })?;
        }
        Ok(())
    }

    /// Does those subtries again in which the key closes on a known name.
    fn known_names(&mut self, node: u32, at: u32, point: Point) -> Result<(), Exhausted> {
        if self.universe.key_is_off(at) {
            return Ok(());
        }
        let universe = self.universe;
        let trie = universe.vocabulary.trie();
        let mut pending = vec![(node, at)];
        while let Some((node, at)) = pending.pop() {
            let mut child = node + 1;
            while child < trie.end(node) {
                match universe.key_edge(at, trie.byte(child))? {
                    (crate::automaton::state::Edge::Go(state), op) => match View::of(state) {
                        View::Key(next) if !universe.key_is_off(next) => pending.push((child, next)),
                        View::Control(_) if universe.key_is_known(at) => {
                            debug_assert!(matches!(op, Op::CloseKnown | Op::None), "a known name closed");
                            self.redo(child, Point { state, ..point })?;
                        }
                        _ => {}
                    },
                    // A known name that may not come (again).
                    _ if trie.byte(child) == b'"' && universe.key_is_known(at) => self.forget(child),
                    _ => {}
                }
                child = trie.end(child);
            }
        }
        Ok(())
    }

    fn forget(&mut self, node: u32) {
        for &token in self.universe.vocabulary.trie().tokens_below(node) {
            self.scratch.clear(token);
        }
    }

    fn redo(&mut self, node: u32, point: Point) -> Result<(), Exhausted> {
        self.forget(node);
        let trie = self.universe.vocabulary.trie();
        self.allow(trie, node, point.names);
        self.below(trie, node, point)
    }
}
