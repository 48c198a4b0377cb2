//! What is reached without reading: positions over frames, and those who wait on frames over which a position may end.
//!
//! In a text of n bytes that is read in many ways, ends lead through n frames. So what all returns from a frame lead to is kept
//! with the frame, those aside that read nothing which others do not (`covers.rs`), as long as it is a short list.

use std::hash::Hash;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::automaton::effort;
use crate::automaton::rules::covers::Kept;
use crate::automaton::rules::frames::{MEMBERS_A_STEP, Member, NET_ROOT};
use crate::automaton::rules::part::PosId;
use crate::automaton::universe::{Caching, Universe};
use crate::error::Exhausted;
use crate::index::FrameId;

/// Longest list of what all returns from one frame lead to.
const RETURNS_MAX: usize = 64;

/// What all returns from a frame lead to; `None` if that is more than is kept.
pub(super) type Returns = Option<Arc<[Member]>>;

/// See the module. What comes with an item is kept apart from what comes with others.
pub(crate) struct Reached<E> {
    pending: Vec<(PosId, FrameId, E)>,
    seen: FxHashSet<(PosId, FrameId, E)>,
    kept: FxHashMap<(PosId, E), Kept>,
    /// Frames still to be returned to.
    returning: Vec<(FrameId, E)>,
    returned: FxHashSet<(FrameId, E)>,
}

impl<E: Copy + Eq + Hash> Reached<E> {
    pub(crate) fn new() -> Self {
        Self {
            pending: Vec::new(),
            seen: FxHashSet::default(),
            kept: FxHashMap::default(),
            returning: Vec::new(),
            returned: FxHashSet::default(),
        }
    }

    /// How many have been reached.
    pub(crate) fn len(&self) -> usize {
        self.seen.len()
    }

    /// A position over a frame. If it may end, so are those who wait on the frame.
    pub(crate) fn add(
        &mut self,
        universe: &Universe,
        (position, frame): Member,
        with: E,
    ) -> Result<(), Exhausted> {
        if universe.can_end(position) {
            self.return_to(frame, with);
        }
        self.reads(universe, (position, frame), with)
    }

    /// Those who wait on a frame.
    pub(crate) fn return_to(&mut self, frame: FrameId, with: E) {
        if frame != NET_ROOT && self.returned.insert((frame, with)) {
            self.returning.push((frame, with));
        }
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
        if self.seen.insert((position, frame, with))
            && !self.kept.entry((position, with)).or_default().covers(universe, frame)?
        {
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
