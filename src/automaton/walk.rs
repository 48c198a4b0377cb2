//! Walks of a token trie from a configuration.
//!
//! Depth first, pruned where a byte is dead. Where the walk of the vocabulary's own trie enters a lexeme above many
//! tokens, the lexeme's class answers for all of them at once, and only the exits go on from the
//! continuation. Keys of objects that allow other names start from the free string's class; then the few
//! subtries in which the key closes on a known name are done again, exactly.

use std::sync::Arc;

use crate::automaton::class::{Class, Exit, Interior};
use crate::automaton::mask::{Scratch, is_conditional};
use crate::automaton::state::{Edge, View};
use crate::automaton::universe::{Caching, Universe};
use crate::automaton::whitespace::Ws;
use crate::error::Exhausted;
use crate::index::{FrameId, StateId, TokenId, widen};
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
    /// The whitespace read, where `state` only stands for the position: padding makes no states of its own here.
    padding: Option<Ws>,
}

impl Point {
    fn new(state: StateId, frame: FrameId, names: Names) -> Self {
        Self { state, frame, names, padding: None }
    }
}

/// See the module.
pub(crate) struct Walk<'a> {
    universe: &'a Universe,
    scratch: &'a mut Scratch,
    /// Only these tokens count, while the exits of a length window are walked.
    only: Option<Lengths>,
}

/// The tokens whose lexeme part has a length within bounds.
struct Lengths {
    of: Arc<[u16]>,
    min: u64,
    max: u64,
}

impl Lengths {
    fn has(&self, token: TokenId) -> bool {
        let len = u64::from(self.of[token.index()]);
        self.min <= len && len <= self.max
    }
}

impl<'a> Walk<'a> {
    pub(crate) fn new(universe: &'a Universe, scratch: &'a mut Scratch) -> Self {
        Self { universe, scratch, only: None }
    }

    /// Sets every token below `node` that the configuration can read.
    pub(crate) fn trie(
        &mut self,
        trie: &TokenTrie,
        node: u32,
        state: StateId,
        frame: FrameId,
    ) -> Result<(), Exhausted> {
        self.below(trie, node, Point::new(state, frame, Names::Certain))
    }

    /// Sets the tokens below `node` in which the lexeme ends and what follows can be read by the continuation.
    pub(crate) fn exits(&mut self, class: &Class, node: u32, frame: FrameId) -> Result<(), Exhausted> {
        self.exits_from(class, node, Point::new(StateId(0), frame, Names::Certain))
    }

    fn exits_from(&mut self, class: &Class, node: u32, from: Point) -> Result<(), Exhausted> {
        if let Some(outcome) = class.ends {
            let point = self.popped(outcome, from);
            self.below(self.universe.vocabulary.trie(), node, point)?;
        }
        for exit in &class.exits {
            let point = self.popped(exit.outcome, from);
            self.exit(exit, point)?;
        }
        Ok(())
    }

    fn popped(&self, outcome: u32, from: Point) -> Point {
        let frame = self.universe.frames.get(from.frame.0);
        Point::new(self.universe.after(frame.ret, outcome), frame.parent, from.names)
    }

    fn exit(&mut self, exit: &Exit, point: Point) -> Result<(), Exhausted> {
        self.only =
            exit.window.map(|(min, max)| Lengths { of: self.universe.measures_of_tokens(), min, max });
        let done = self.suffixes(&exit.trie, point);
        self.only = None;
        done
    }

    fn suffixes(&mut self, trie: &TokenTrie, from: Point) -> Result<(), Exhausted> {
        self.allow(trie, 0, from.names);
        self.below(trie, 0, from)
    }

    fn allow(&mut self, trie: &TokenTrie, node: u32, names: Names) {
        for &token in trie.tokens(node) {
            if self.only.as_ref().is_some_and(|only| !only.has(token)) {
                continue;
            }
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
            let Some(point) = self.step(before, trie.byte(at))? else {
                at = trie.end(at);
                continue;
            };
            self.allow(trie, at, point.names);
            if trie.end(at) - at > CLASS_NODES_MIN && self.by_class(trie, at, point)? {
                at = trie.end(at);
            } else {
                stack.push(point);
                at += 1;
            }
        }
        Ok(())
    }

    fn step(&self, from: Point, byte: u8) -> Result<Option<Point>, Exhausted> {
        if let View::Control(at) = View::of(from.state)
            && let Some(padded) = self.universe.pad(at, from.padding, byte)
        {
            return Ok(padded.map(|(state, ws)| Point { state, padding: Some(ws), ..from }));
        }
        if from.padding.is_some_and(Ws::awaits_newline) {
            return Ok(None);
        }
        let next = self.universe.step(from.state, from.frame, byte)?;
        Ok(next.map(|(state, frame, op)| {
            Point::new(state, frame, if is_conditional(op) { Names::Conditional } else { from.names })
        }))
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
                self.exits_from(&class, node, point)?;
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
        let Interior::List(tokens) = &class.interior else {
            unreachable!("classes below the root of the trie list their interior");
        };
        for &token in tokens {
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
        let point = Point::new(View::Key(at).id(), frame, Names::Certain);
        // The key was opened before this token: `Universe::removed` takes care of its name.
        self.key_exits(&class, at, point)?;
        self.known_names(0, at, point)?;
        Ok(Some(class))
    }

    fn key_exits(&mut self, class: &Class, at: u32, point: Point) -> Result<(), Exhausted> {
        let run = self.universe.keys.get(at).key.run;
        let Some(state) = self.universe.other_closed(run)? else { return Ok(()) };
        for exit in &class.exits {
            self.exit(exit, Point { state, ..point })?;
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
            let children: Vec<u32> = match universe.known_bytes(at) {
                Some(bytes) => bytes.into_iter().filter_map(|byte| trie.child(node, byte)).collect(),
                None => trie.children(node).collect(),
            };
            for child in children {
                match universe.key_edge(at, trie.byte(child))?.0 {
                    Edge::Go(state) => match View::of(state) {
                        View::Key(next) if !universe.key_is_off(next) => pending.push((child, next)),
                        View::Control(_) if universe.key_is_known(at) => {
                            self.redo(child, Point { state, ..point })?;
                        }
                        _ => {}
                    },
                    // A known name that may not come (again).
                    _ if trie.byte(child) == b'"' && universe.key_is_known(at) => self.forget(child),
                    _ => {}
                }
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
