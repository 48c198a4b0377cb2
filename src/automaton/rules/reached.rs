//! What is reached without reading: positions over frames, and those who wait on frames over which a position may end.
//!
//! In a text of n bytes that is read in many ways, ends lead through n frames. So what all returns from a frame lead to is kept
//! with the frame, those aside that read nothing which others do not (`covers.rs`), as long as it is a short list.

use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::sync::Arc;

use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::automaton::effort;
use crate::automaton::rules::covers::Kept;
use crate::automaton::rules::frames::{MEMBERS_A_STEP, Member, NET_ROOT};
use crate::automaton::rules::part::PosId;
use crate::automaton::universe::{Caching, Universe};
use crate::error::Exhausted;
use crate::index::FrameId;

/// Longest list of what all returns from one frame lead to.
const RETURNS_MAX: usize = 64;

/// So many are mostly reached at most.
const REACHED_MOSTLY: usize = 24;

/// What all returns from a frame lead to; `None` if that is more than is kept.
pub(super) type Returns = Option<Arc<[Member]>>;

/// See the module. What comes with an item is kept apart from what comes with others.
pub(crate) struct Reached<E> {
    pending: Vec<(PosId, FrameId, E)>,
    kept: FxHashMap<(PosId, E), Kept>,
    /// Those beyond the first of a position; mostly there are none.
    seen: FxHashSet<(PosId, FrameId, E)>,
    /// Frames still to be returned to.
    returning: Vec<(FrameId, E)>,
    returned: FxHashSet<(FrameId, E)>,
}

impl<E: Copy + Eq + Hash> Reached<E> {
    pub(crate) fn new() -> Self {
        Self {
            pending: Vec::new(),
            kept: FxHashMap::with_capacity_and_hasher(REACHED_MOSTLY, FxBuildHasher),
            seen: FxHashSet::default(),
            returning: Vec::new(),
            returned: FxHashSet::default(),
        }
    }

    /// How many have been reached.
    pub(crate) fn len(&self) -> usize {
        self.kept.len() + self.seen.len()
    }

    /// A position over a frame. If it may end, so are those who wait on the frame.
    pub(crate) fn add(
        &mut self,
        universe: &Universe,
        (position, frame): Member,
        with: E,
    ) -> Result<(), Exhausted> {
        if universe.can_end(position) {
            self.return_to(universe, frame, with)?;
        }
        self.reads(universe, (position, frame), with)
    }

    /// Those who wait on a frame.
    pub(crate) fn return_to(
        &mut self,
        universe: &Universe,
        frame: FrameId,
        with: E,
    ) -> Result<(), Exhausted> {
        if frame == NET_ROOT {
            return Ok(());
        }
        let mut members = universe.members(frame);
        if members.len() == 1
            && let Some(only) = members.next()
            && !universe.can_end(only.0)
        {
            return self.reads(universe, only, with);
        }
        if self.returned.insert((frame, with)) {
            self.returning.push((frame, with));
        }
        Ok(())
    }

    /// The next that may read something.
    pub(crate) fn next(&mut self, universe: &Universe) -> Result<Option<(PosId, FrameId, E)>, Exhausted> {
        loop {
            if let Some(item) = self.pending.pop() {
                return Ok(Some(item));
            }
            let Some((frame, with)) = self.returning.pop() else { return Ok(None) };
            if let Some(all) = universe.returns(frame)? {
                for &member in &*all {
                    self.reads(universe, member, with)?;
                }
                continue;
            }
            let members = universe.members(frame);
            effort::spend(1 + members.len() / MEMBERS_A_STEP)?;
            for member in members {
                self.add(universe, member, with)?;
            }
        }
    }

    /// A position reads over a frame, its end aside: that another one over a frame which covers its own may stand for it, says
    /// nothing of returns, which may be what covers it.
    fn reads(&mut self, universe: &Universe, (position, frame): Member, with: E) -> Result<(), Exhausted> {
        let is_new = match self.kept.entry((position, with)) {
            Entry::Vacant(place) => {
                place.insert(Kept::new(frame));
                true
            }
            Entry::Occupied(kept) => {
                let kept = kept.into_mut();
                !kept.is_first(frame)
                    && self.seen.insert((position, frame, with))
                    && !kept.covers(universe, frame)?
            }
        };
        if is_new {
            self.pending.push((position, frame, with));
        }
        Ok(())
    }
}

impl Universe {
    /// See [`Returns`].
    fn returns(&self, frame: FrameId) -> Result<Returns, Exhausted> {
        if self.caching == Caching::Off || !self.returns_further(frame) {
            return Ok(None);
        }
        let mut open = vec![frame];
        while let Some(&at) = open.last() {
            if self.rules.returns.contains_key(&at) {
                open.pop();
                continue;
            }
            let ends = self.members(at).filter(|&(position, _)| self.can_end(position));
            let missing = ends.map(|(_, below)| below).find(|&below| {
                below != NET_ROOT && self.returns_further(below) && !self.rules.returns.contains_key(&below)
            });
            if let Some(missing) = missing {
                open.push(missing);
                continue;
            }
            let found = self.find_returns(at)?;
            self.rules.list(found.as_ref().map_or(0, |all| all.len()));
            self.rules.returns.insert(at, found);
        }
        Ok(self.rules.returns.get(&frame).and_then(|known| known.clone()))
    }

    /// Whether someone who waits on a frame may end at once.
    fn returns_further(&self, frame: FrameId) -> bool {
        self.members(frame).any(|(position, _)| self.can_end(position))
    }

    /// The same of those below being known.
    fn find_returns(&self, frame: FrameId) -> Result<Returns, Exhausted> {
        let members = self.members(frame);
        effort::spend(1 + members.len() / MEMBERS_A_STEP)?;
        if members.len() > RETURNS_MAX {
            return Ok(None);
        }
        let mut all: Vec<Member> = members.collect();
        for (position, below) in self.members(frame) {
            if below == NET_ROOT || !self.can_end(position) {
                continue;
            }
            if !self.returns_further(below) {
                all.extend(self.members(below));
            } else {
                match self.rules.returns.get(&below).and_then(|known| known.clone()) {
                    Some(more) => all.extend_from_slice(&more),
                    None => return Ok(None),
                }
            }
            if all.len() > RETURNS_MAX {
                self.leave_covered_out(&mut all)?;
            }
            if all.len() > RETURNS_MAX {
                return Ok(None);
            }
        }
        self.leave_covered_out(&mut all)?;
        Ok(Some(all.into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::mask::Scratch;
    use crate::grammar::policy::SurfacePolicy;
    use crate::grammar::rules::Grammar;
    use crate::limits::GRAMMAR_LISTED_MAX;
    use crate::vocab::Vocabulary;

    fn loaded(text: &str) -> (Universe, (crate::index::StateId, FrameId)) {
        let universe = Universe::new(
            Vocabulary::demo(),
            &Arc::default(),
            SurfacePolicy::default(),
            Caching::On,
            usize::MAX,
        )
        .unwrap();
        let loaded = universe.load_grammar(&Grammar::from_text_form(text, &[]).unwrap()).unwrap();
        (universe, (loaded.state, loaded.frame))
    }

    #[test]
    fn when_lists_have_too_many_items_a_mask_is_exhausted() {
        let (universe, (state, frame)) = loaded(r#"s ::= s "+" s | "a""#);
        let mut scratch = Scratch::of(&universe);
        assert!(universe.mask(state, frame, &mut scratch).is_ok());
        let (state, frame) = universe.net_move(state, frame, b'a').unwrap().map(|(s, f, _)| (s, f)).unwrap();
        universe.rules.list(GRAMMAR_LISTED_MAX);
        assert!(universe.mask(state, frame, &mut scratch).is_err());
    }

    #[test]
    fn returns_through_covered_frames_are_kept() {
        // Behind `b` the second rule may end, and so may what waits for it, over a frame that those above cover.
        let (universe, mut at) = loaded(
            r#"r ::= t{1,4}
t ::= t "c" t | "b""#,
        );
        for byte in *b"bcbcb" {
            at = universe.net_move(at.0, at.1, byte).unwrap().map(|(s, f, _)| (s, f)).unwrap();
        }
        assert!(universe.net_move(at.0, at.1, b'b').unwrap().is_some());
        assert!(universe.net_accepts(at.0, at.1));
    }
}
