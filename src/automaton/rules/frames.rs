//! Frames with several members: who waits for a callee that was called from several places at once.

use crate::automaton::control::Ret;
use crate::automaton::effort;
use crate::automaton::rules::part::{END, PosId};
use crate::automaton::universe::{Frame, Universe};
use crate::error::Exhausted;
use crate::index::{FrameId, RetId};

/// The frame below a grammar's start rule: whoever pops it has read a whole text.
pub(crate) const NET_ROOT: FrameId = FrameId(2);

/// The ret of a frame with several members; its parent is their number in the table of members.
pub(crate) const SEVERAL_RET: RetId = RetId(2);

/// Someone who waits: what is left to match, and over which frame.
pub(crate) type Member = (PosId, FrameId);

/// So many members looked at take one step.
pub(super) const MEMBERS_A_STEP: usize = 8;

impl Universe {
    /// The members of a frame of a grammar. Below rules inside a JSON string no rule waits: only the closing quote leads back.
    pub(crate) fn members(&self, frame: FrameId) -> impl ExactSizeIterator<Item = Member> + Clone + '_ {
        let data = self.frames.get(frame.0);
        let (one, several) = if data.ret == SEVERAL_RET {
            (None, &**self.rules.members.get(data.parent.0))
        } else {
            match self.rets.get(data.ret.0).key {
                Ret::Position(position) => (Some((position, data.parent)), &[][..]),
                _ => (None, &[][..]),
            }
        };
        Members { one, several }
    }

    /// The frame of a callee for whom these wait.
    ///
    /// A caller that has nothing left to match is replaced by those who wait for it. One that waits for a repetition
    /// behind the same repetition is replaced by that one: `x* x*` is `x*`.
    pub(super) fn frame_of(&self, waiting: &[Member]) -> Result<FrameId, Exhausted> {
        effort::spend(1 + waiting.len() / MEMBERS_A_STEP)?;
        let mut members: Vec<Member> = Vec::with_capacity(waiting.len());
        for &(position, parent) in waiting {
            if position == END && parent != NET_ROOT {
                let below = self.members(parent);
                effort::spend(below.len() / MEMBERS_A_STEP)?;
                members.extend(below);
            } else if self.rules.loops(position) {
                let below = self.members(parent);
                effort::spend(below.len() / MEMBERS_A_STEP)?;
                let (same, others): (Vec<Member>, Vec<Member>) =
                    below.partition(|&(below, _)| below == position);
                if same.is_empty() {
                    members.push((position, parent));
                } else {
                    members.extend(same);
                    if !others.is_empty() {
                        members.push((position, self.frame_of_members(others)?));
                    }
                }
            } else {
                members.push((position, parent));
            }
        }
        self.frame_of_members(members)
    }

    /// The frame with just these members, those aside that another one covers.
    fn frame_of_members(&self, mut members: Vec<Member>) -> Result<FrameId, Exhausted> {
        self.leave_covered_out(&mut members)?;
        if let [(position, parent)] = members[..] {
            return self.push(self.ret_id(&Ret::Position(position)), parent);
        }
        let (before, count) = (self.rules.members.len(), members.len());
        let members = self.rules.members.intern(members.into());
        self.rules.list_interned(before, members, count);
        Ok(FrameId(self.frames.intern(Frame { ret: SEVERAL_RET, parent: FrameId(members), compared: false })))
    }
}

/// See [`Universe::members`].
#[derive(Clone)]
struct Members<'u> {
    one: Option<Member>,
    several: &'u [Member],
}

impl Iterator for Members<'_> {
    type Item = Member;

    #[inline]
    fn next(&mut self) -> Option<Member> {
        if let Some((&first, rest)) = self.several.split_first() {
            self.several = rest;
            return Some(first);
        }
        self.one.take()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.several.len() + usize::from(self.one.is_some());
        (len, Some(len))
    }
}

impl ExactSizeIterator for Members<'_> {}
