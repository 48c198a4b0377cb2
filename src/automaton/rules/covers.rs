//! Which frame covers which: whatever may follow over the one may follow over the other, so parses that differ in them alone are
//! one parse.
//!
//! An ambiguous grammar calls a rule over a new frame at each byte, and where its texts are read in many ways the frames of earlier
//! calls say nothing that those of later ones do not: with them a text of n bytes has n frames to look at, each with n members.
//! What is found is a proof: a covered frame may always be forgotten. Whether one language is part of another can't be decided, so
//! frames are compared by their members only, as far as a few steps lead.

use crate::automaton::effort;
use crate::automaton::rules::frames::{MEMBERS_A_STEP, Member, NET_ROOT};
use crate::automaton::rules::part::PosId;
use crate::automaton::universe::{Caching, Universe};
use crate::error::Exhausted;
use crate::index::FrameId;

/// Deepest comparison of what lies below two frames.
const COVERED_DEPTH_MAX: usize = 16;
/// Most members that one comparison looks at.
const COVERED_STEPS_MAX: usize = 512;
/// So many frames, the last ones, are compared with a new one.
const COMPARED_MAX: usize = 4;

/// The frames over which a position is kept.
pub(crate) struct Kept {
    first: FrameId,
    others: Vec<FrameId>,
}

impl Kept {
    pub(crate) fn new(first: FrameId) -> Self {
        Self { first, others: Vec::new() }
    }

    pub(crate) fn is_first(&self, frame: FrameId) -> bool {
        self.first == frame
    }

    /// Whether one of the frames kept covers a frame; if none does, the frame is kept as well.
    pub(crate) fn covers(&mut self, universe: &Universe, frame: FrameId) -> Result<bool, Exhausted> {
        let from = self.others.len().saturating_sub(COMPARED_MAX);
        for &kept in self.others[from..].iter().rev().chain([&self.first]) {
            if universe.covers(kept, frame)? {
                return Ok(true);
            }
        }
        self.others.push(frame);
        Ok(false)
    }
}

impl Universe {
    /// Sorts members, and leaves those out that others cover. Frames made later mostly cover those made before.
    pub(super) fn leave_covered_out(&self, members: &mut Vec<Member>) -> Result<(), Exhausted> {
        members.sort_unstable();
        members.dedup();
        if self.caching == Caching::Off || members.windows(2).all(|pair| pair[0].0 != pair[1].0) {
            return Ok(());
        }
        members.reverse();
        let mut kept: Option<(PosId, Kept)> = None;
        let mut left = Vec::with_capacity(members.len());
        for &(position, frame) in &*members {
            let is_covered = match &mut kept {
                Some((of, kept)) if *of == position => kept.covers(self, frame)?,
                _ => {
                    kept = Some((position, Kept::new(frame)));
                    false
                }
            };
            if !is_covered {
                left.push((position, frame));
            }
        }
        left.reverse();
        *members = left;
        Ok(())
    }

    /// Whether whatever may follow over a frame plainly may follow over another.
    pub(crate) fn covers(&self, over: FrameId, under: FrameId) -> Result<bool, Exhausted> {
        if over == under {
            return Ok(true);
        }
        if self.caching == Caching::Off {
            return Ok(false);
        }
        if let Some(known) = self.rules.covers.get(&(over, under)) {
            return Ok(*known);
        }
        let mut steps = COVERED_STEPS_MAX;
        let covers = self.covers_within(over, under, COVERED_DEPTH_MAX, &mut steps);
        effort::spend(1 + (COVERED_STEPS_MAX - steps) / MEMBERS_A_STEP)?;
        self.rules.covers.insert((over, under), covers);
        Ok(covers)
    }

    /// The same, as far as depth and steps last.
    fn covers_within(&self, over: FrameId, under: FrameId, depth: usize, steps: &mut usize) -> bool {
        if over == under {
            return true;
        }
        if let Some(known) = self.rules.covers.get(&(over, under)) {
            return *known;
        }
        let Some(deeper) = depth.checked_sub(1).filter(|_| over != NET_ROOT) else { return false };
        self.covers_members(over, under, deeper, steps) || self.returns_to(over, under, deeper, steps)
    }

    /// Whether each who waits on a frame is covered by one who waits on the other. Where nobody waits, over the root or what is no
    /// grammar's, that says nothing.
    fn covers_members(&self, over: FrameId, under: FrameId, depth: usize, steps: &mut usize) -> bool {
        if under == NET_ROOT {
            return false;
        }
        let mut waiting = self.members(under);
        waiting.len() > 0 && waiting.all(|member| self.is_covered(over, member, depth, steps))
    }

    fn is_covered(&self, over: FrameId, (position, parent): Member, depth: usize, steps: &mut usize) -> bool {
        self.members(over).any(|(other, above)| {
            let Some(left) = steps.checked_sub(1) else { return false };
            *steps = left;
            other == position && self.covers_within(above, parent, depth, steps)
        })
    }

    /// Whether what waits on a frame may end, and so leads to a frame that covers the other.
    fn returns_to(&self, over: FrameId, under: FrameId, depth: usize, steps: &mut usize) -> bool {
        self.members(over).any(|(position, above)| {
            let Some(left) = steps.checked_sub(1) else { return false };
            *steps = left;
            self.can_end(position) && self.covers_within(above, under, depth, steps)
        })
    }
}
