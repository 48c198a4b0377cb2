//! Walks through the names of members: known ones along the tokens that can spell them, others by their class.
//!
//! A look ahead reads a key byte by byte without states for it: for each name that may come there would be as many as a token has bytes.

use std::sync::Arc;

use crate::automaton::class::{Class, Names, Region};
use crate::automaton::key::{Key, KeyStep, is_off};
use crate::automaton::mask::is_conditional;
use crate::automaton::state::View;
use crate::automaton::token_set::TokenSet;
use crate::automaton::universe::Caching;
use crate::automaton::walk::{Ahead, Moved, Place, Point, Walk};
use crate::error::Exhausted;
use crate::index::FrameId;
use crate::vocab::TokenTrie;

impl Walk<'_> {
    /// Whether bytes of a key are read without states for them. Those of an item that is compared with others ask the states.
    pub(super) fn looks_ahead(&self, point: Point) -> bool {
        self.universe.caching == Caching::On && !self.is_compared(point)
    }

    pub(super) fn key_step(&self, from: Point, key: &Key, byte: u8) -> Result<Moved, Exhausted> {
        let universe = self.universe;
        Ok(match universe.key_step(key, byte)? {
            KeyStep::Dead => Moved::Dead,
            KeyStep::To(next) => Moved::To(Point { ahead: Ahead::Key(next), ..from }),
            KeyStep::Close => match universe.find_key_closed(key)? {
                None => Moved::Dead,
                Some(state) => {
                    let is_conditional = is_conditional(universe.key_close_op(key));
                    let names = if is_conditional { Names::Conditional } else { from.names };
                    Moved::To(Point::new(state, from.frame, names))
                }
            },
        })
    }

    /// The key at a point whose state is a key state.
    pub(super) fn key_at(&self, at: u32, point: Point) -> Key {
        match point.ahead {
            Ahead::Key(key) => key,
            Ahead::Nothing | Ahead::Padding(_) => self.universe.keys.get(at).key,
        }
    }

    /// The point with a state for what has been read ahead of a key.
    fn settled(&self, point: Point) -> Point {
        match point.ahead {
            Ahead::Key(key) => {
                let state = View::Key(self.universe.keys.intern_key(&key)).id();
                Point { state, ahead: Ahead::Nothing, ..point }
            }
            Ahead::Nothing | Ahead::Padding(_) => point,
        }
    }

    /// Answers for all tokens below a place where the object allows other names.
    pub(super) fn key_below(&mut self, place: Place<'_>, at: u32, point: Point) -> Result<bool, Exhausted> {
        let (Some(region), universe) = (place.region, self.universe) else { return Ok(false) };
        let key = self.key_at(at, point);
        let Some(lex) = universe.key_lexeme(&key)? else { return Ok(false) };
        let point = Point { ahead: Ahead::Nothing, ..point };
        let class = universe.class(lex, region)?;
        // The key was opened inside this token: whether its name is unused, only the registers know.
        let conditional = Point { names: Names::Conditional, ..point };
        let names = self.names_at(point)?;
        class.interior.for_each(|token| self.set(token, names));
        self.key_exits(&class, &key, conditional)?;
        self.known_names(place, key, point)?;
        Ok(true)
    }

    /// For a key state whose object allows other names: their class as base, exits set. `None` if only known names are
    /// possible.
    pub(super) fn key_base(&mut self, at: u32, frame: FrameId) -> Result<Option<Arc<TokenSet>>, Exhausted> {
        let universe = self.universe;
        let key = universe.keys.get(at).key;
        let Some(lex) = universe.key_lexeme(&key)? else { return Ok(None) };
        let class = universe.class(lex, Region::WHOLE)?;
        let point = Point::new(View::Key(at).id(), frame, Names::Certain);
        self.judge_interior(&class, point)?;
        // The key was opened before this token: `Universe::removed` takes care of its name.
        self.key_exits(&class, &key, point)?;
        self.known_names(Place::of(universe, Region::WHOLE), key, point)?;
        Ok(Some(Arc::clone(&class.interior)))
    }

    fn key_exits(&mut self, class: &Class, key: &Key, point: Point) -> Result<(), Exhausted> {
        for exit in &class.exits {
            let Some(state) = self.universe.other_closed(key.run, exit.outcome)? else { continue };
            self.only = self.lengths(exit);
            let done = self.suffixes(&exit.trie, Point { state, ..point });
            self.only = None;
            done?;
        }
        Ok(())
    }

    /// Does those subtries again in which the key closes on a known name.
    fn known_names(&mut self, place: Place<'_>, key: Key, point: Point) -> Result<(), Exhausted> {
        if is_off(&key) {
            return Ok(());
        }
        let (universe, trie) = (self.universe, place.trie);
        let mut pending = vec![(place.node, key)];
        while let Some((node, key)) = pending.pop() {
            for child in trie.children_by(node, universe.known_bytes(&key)) {
                match universe.key_step(&key, trie.byte(child))? {
                    KeyStep::To(next) if !is_off(&next) => {
                        if !universe.key_has_others(&next)? {
                            // Only known names are left, and they never run out.
                            let names = match self.is_compared(point) {
                                true => {
                                    self.names_at(self.settled(Point { ahead: Ahead::Key(next), ..point }))?
                                }
                                false => point.names,
                            };
                            self.allow(trie, child, names);
                        }
                        pending.push((child, next));
                    }
                    KeyStep::Close if universe.known_rank(&key).is_some() => {
                        match universe.find_key_closed(&key)? {
                            Some(state) => self.redo(place.at(child), Point { state, ..point })?,
                            // A known name that may not come (again).
                            None => self.forget(trie, child),
                        }
                    }
                    KeyStep::To(_) | KeyStep::Close | KeyStep::Dead => {}
                }
            }
        }
        Ok(())
    }

    fn forget(&mut self, trie: &TokenTrie, node: u32) {
        for &token in trie.tokens_below(node) {
            self.scratch.clear(token);
        }
    }

    fn redo(&mut self, place: Place<'_>, point: Point) -> Result<(), Exhausted> {
        self.forget(place.trie, place.node);
        self.allow(place.trie, place.node, self.names_at(point)?);
        self.below(place, point)
    }
}
