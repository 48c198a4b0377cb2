//! Masks of states of grammars: put together from the classes of positions, one frame after the other.
//!
//! Each position over its frame gives its interior; its exits go on with those who wait on the frame, who give
//! theirs; a quote that closes a JSON string around the rules is walked through. Frames are looked at only where a token can end what is over them. Where classes don't tell all ways (JSON
//! values, too many places where a text may or may not end), a walk takes them byte by byte.

use std::sync::Arc;

use crate::automaton::class::Region;
use crate::automaton::mask::Base;
use crate::automaton::rules::PosId;
use crate::automaton::rules::position::Exit;
use crate::automaton::rules::reached::Reached;
use crate::automaton::state::View;
use crate::automaton::token_set::TokenSet;
use crate::automaton::walk::{Place, Point, Walk};
use crate::error::Exhausted;
use crate::index::FrameId;
use crate::limits;

/// Positions over frames, and the tokens that come to each.
type Items = Reached<Exit>;

impl Walk<'_> {
    /// The mask of a net state: by classes, else by a walk.
    pub(super) fn net_mask(&mut self, point: Point) -> Result<Option<Arc<TokenSet>>, Exhausted> {
        let universe = self.universe;
        let mut interiors = Vec::new();
        let is_whole = self.by_positions(point, Region::WHOLE, &mut interiors)?;
        interiors.sort_unstable_by_key(|interior| Arc::as_ptr(&interior.0).addr());
        interiors.dedup();
        self.interiors = interiors;
        if is_whole {
            return Ok(None);
        }
        let slots = universe.net_fronts(point.state, point.frame)?;
        if let [(state, frame)] = slots[..]
            && let View::Control(_) = View::of(state)
        {
            return self.mask(state, frame);
        }
        self.below(Place::of(universe, Region::WHOLE), point)?;
        Ok(None)
    }

    /// The tokens below a node that can be read from a net state: the interiors of classes, and what is set. False if there may be
    /// more: those found are right.
    pub(super) fn by_positions(
        &mut self,
        point: Point,
        region: Region,
        interiors: &mut Vec<Base>,
    ) -> Result<bool, Exhausted> {
        let universe = self.universe;
        let mut items = Items::new();
        let all = Exit::all(region);
        let Some(positions) = universe.positions_by_frame(point.state, point.frame) else { return Ok(false) };
        for (position, frame) in positions {
            items.add(universe, (position, frame), all)?;
        }
        while let Some((position, frame, exit)) = items.next(universe)? {
            if items.len() > limits::GRAMMAR_CLASSES_MAX {
                return Ok(false);
            }
            let first = universe.first_of_position(position)?;
            let Some(split) = universe.split_exit(exit, first)? else { return Ok(false) };
            if universe.has_values(position) || !self.room.take(universe, exit.region) {
                return Ok(false);
            }
            if let Some((lex, rest)) = universe.text_in_front(position)
                && universe.lex_accepts(lex)
            {
                items.add(universe, (rest, frame), exit)?;
            }
            for region in std::iter::once(exit.region).chain(split) {
                if universe.can_close(position) {
                    let state = universe.net_set(vec![position]);
                    self.below(Place::of(universe, region), Point { state, frame, ..point })?;
                } else if universe.begins_with(region, first)
                    && !self.by_position((position, frame, region), &mut items, interiors)?
                {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// What one position over its frame reads.
    fn by_position(
        &mut self,
        (position, frame, region): (PosId, FrameId, Region),
        items: &mut Items,
        interiors: &mut Vec<Base>,
    ) -> Result<bool, Exhausted> {
        let universe = self.universe;
        if let Some((lex, rest)) = universe.text_in_front(position) {
            // The position is new wherever a text is under way; the text's class serves all of them.
            let Some(class) = universe.text_class(lex, region)? else { return Ok(false) };
            take(&class.interior, interiors);
            for exit in class.exits() {
                items.add(universe, (rest, frame), exit)?;
            }
            return Ok(true);
        }
        let Some(class) = universe.position_class(position, region, &mut self.room)? else {
            return Ok(false);
        };
        take(&class.interior, interiors);
        for &exit in &class.exits {
            items.return_to(universe, frame, exit)?;
        }
        Ok(true)
    }
}

fn take(interior: &Arc<TokenSet>, interiors: &mut Vec<Base>) {
    if interior.count() > 0 {
        interiors.push(Base(Arc::clone(interior)));
    }
}
