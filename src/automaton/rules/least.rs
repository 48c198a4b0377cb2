//! How short the rest of a rule can be: what guides a search for the end of a text.
//!
//! Lengths are estimates, in characters. Of rules they are a least fixpoint, found by going through all parts again and again; where
//! that takes too many rounds they stay too great. A guide may be wrong: whoever follows it reads byte by byte.

use rustc_hash::FxHashMap;

use crate::automaton::control::Ret;
use crate::automaton::least::WayOut;
use crate::automaton::rules::net::Net;
use crate::automaton::rules::part::{Part, PartId, PosId, Position};
use crate::automaton::rules::{NET_ROOT, RuleAt};
use crate::automaton::state::View;
use crate::automaton::universe::{ROOT_FRAME, Universe};
use crate::index::{FrameId, StateId};

/// Shorter than any JSON value is taken to be.
const VALUE_LEN: u64 = 2;

/// Most rounds of the fixpoint.
const ROUNDS_MAX: usize = 64;

/// What is known of states that are none of rules.
pub(crate) type WaysOut<'a> = dyn Fn(StateId) -> Vec<WayOut> + 'a;

/// Lengths that are known; see the module.
#[derive(Default)]
pub(crate) struct Leasts {
    parts: FxHashMap<PartId, u64>,
    rules: FxHashMap<RuleAt, u64>,
    positions: FxHashMap<PosId, u64>,
    /// By the outcome of the callee.
    frames: FxHashMap<(FrameId, u32), u64>,
}

impl Leasts {
    /// Of a configuration of rules; `ways_out` says it of a state that is none of theirs.
    pub(crate) fn of_net(
        &mut self,
        universe: &Universe,
        at: u32,
        frame: FrameId,
        ways_out: &WaysOut<'_>,
    ) -> u64 {
        match universe.net(at) {
            Net::Set(positions) => {
                let own = positions.iter().map(|&position| self.of_position(universe, position)).min();
                own.unwrap_or(0).saturating_add(self.of_frame(universe, frame, None, ways_out))
            }
            Net::Many(slots) => {
                let each = slots.iter().map(|&(state, frame)| {
                    let View::Net(inner) = View::of(state) else {
                        return self.of_state(universe, state, frame, ways_out);
                    };
                    let own = match universe.net(inner) {
                        Net::Set(positions) => {
                            positions.iter().map(|&p| self.of_position(universe, p)).min().unwrap_or(0)
                        }
                        Net::Many(_) => 0,
                    };
                    own.saturating_add(self.of_frame(universe, frame, None, ways_out))
                });
                each.min().unwrap_or(0)
            }
        }
    }

    /// Of a state that is none of a rule.
    pub(crate) fn of_state(
        &mut self,
        universe: &Universe,
        state: StateId,
        frame: FrameId,
        ways_out: &WaysOut<'_>,
    ) -> u64 {
        let ways = ways_out(state).into_iter();
        let lengths = ways
            .map(|way| way.len.saturating_add(self.of_frame(universe, frame, Some(way.outcome), ways_out)));
        lengths.min().unwrap_or(0)
    }

    /// Of all that waits, if the callee has this outcome, or some: frames below are looked at before those above, however many there
    /// are.
    fn of_frame(
        &mut self,
        universe: &Universe,
        frame: FrameId,
        outcome: Option<u32>,
        ways_out: &WaysOut<'_>,
    ) -> u64 {
        let ret_of = |frame: FrameId| universe.frames.get(frame.0).ret;
        let is_bottom = |frame: FrameId| frame == ROOT_FRAME || frame == NET_ROOT;
        let some = |frame: FrameId| if is_bottom(frame) { 0 } else { universe.some_outcome(ret_of(frame)) };
        let asked = (frame, outcome.unwrap_or_else(|| some(frame)));
        let mut open = vec![asked];
        while let Some(&at) = open.last() {
            if self.frames.contains_key(&at) {
                open.pop();
                continue;
            }
            if is_bottom(at.0) {
                self.frames.insert(at, 0);
                continue;
            }
            let data = universe.frames.get(at.0.0);
            let is_of_rules = matches!(universe.rets.get(data.ret.0).key, Ret::Several | Ret::Position(_));
            // What lies on the way from here, and where it goes on.
            let steps: Vec<(u64, (FrameId, u32))> = if is_of_rules {
                let members = universe.members(at.0);
                members
                    .map(|(position, below)| (self.of_position(universe, position), (below, some(below))))
                    .collect()
            } else {
                let ways = ways_out(universe.after(data.ret, at.1)).into_iter();
                ways.map(|way| (way.len, (data.parent, way.outcome))).collect()
            };
            if let Some(&(_, missing)) = steps.iter().find(|(_, below)| !self.frames.contains_key(below)) {
                open.push(missing);
                continue;
            }
            let lengths = steps
                .iter()
                .map(|(own, below)| own.saturating_add(self.frames.get(below).copied().unwrap_or(0)));
            let least = lengths.min().unwrap_or(u64::MAX);
            self.frames.insert(at, least);
        }
        self.frames.get(&asked).copied().unwrap_or(0)
    }

    fn of_position(&mut self, universe: &Universe, position: PosId) -> u64 {
        let mut ahead = Vec::new();
        let mut at = position;
        let mut sum = loop {
            if let Some(&known) = self.positions.get(&at) {
                break known;
            }
            match universe.rules.positions.get(at.0).key {
                Position::End => break 0,
                Position::Before { part, rest } => {
                    ahead.push((at, part));
                    at = rest;
                }
            }
        };
        for (at, part) in ahead.into_iter().rev() {
            sum = sum.saturating_add(self.of_part(universe, part));
            self.positions.insert(at, sum);
        }
        sum
    }

    fn of_part(&mut self, universe: &Universe, part: PartId) -> u64 {
        if !self.parts.contains_key(&part) {
            self.learn(universe, part);
        }
        self.parts.get(&part).copied().unwrap_or(0)
    }

    /// The fixpoint over all that a part leads to. Parts are made after what they are made of, so one round in the order of
    /// their ids does for all of them, but for rules.
    fn learn(&mut self, universe: &Universe, part: PartId) {
        let mut reached = vec![part];
        let mut seen: rustc_hash::FxHashSet<PartId> = reached.iter().copied().collect();
        let mut rules: Vec<(RuleAt, Vec<PartId>)> = Vec::new();
        let mut known_rules = rustc_hash::FxHashSet::default();
        let mut next = 0;
        while let Some(&at) = reached.get(next) {
            next += 1;
            let mut more: Vec<PartId> = Vec::new();
            match universe.rules.part_of(at) {
                Part::Sequence(parts) | Part::Choice(parts) => more.extend(parts),
                Part::Repeat { body, .. } => more.push(*body),
                Part::NonEmpty(body) => more.push(*body),
                Part::Rule(rule) if known_rules.insert(*rule) => {
                    let body = universe.parts_of(universe.body(*rule));
                    more.extend(&body);
                    rules.push((*rule, body));
                }
                _ => {}
            }
            reached.extend(more.into_iter().filter(|part| seen.insert(*part)));
        }
        reached.sort_unstable();
        for _ in 0..ROUNDS_MAX {
            let mut changed = false;
            for &at in &reached {
                let least = self.now(universe, at);
                changed |= self.parts.insert(at, least) != Some(least);
            }
            for (rule, body) in &rules {
                let parts = body.iter().map(|part| self.parts.get(part).copied().unwrap_or(u64::MAX));
                let least = parts.fold(0, u64::saturating_add);
                let least = if universe.rules.rule(*rule).nullable { 0 } else { least };
                changed |= self.rules.insert(*rule, least) != Some(least);
            }
            if !changed {
                break;
            }
        }
    }

    /// What is known now of a part from those that it is made of.
    fn now(&self, universe: &Universe, part: PartId) -> u64 {
        let of = |part: &PartId| self.parts.get(part).copied().unwrap_or(u64::MAX);
        match universe.rules.part_of(part) {
            Part::Lex(lex) => universe.lex_least(*lex),
            Part::Letters(_) | Part::Quote(_) => 1,
            Part::Value(_) => VALUE_LEN,
            Part::Rule(rule) => self.rules.get(rule).copied().unwrap_or(u64::MAX),
            Part::Sequence(parts) => parts.iter().map(of).fold(0, u64::saturating_add),
            Part::Choice(parts) => parts.iter().map(of).min().unwrap_or(u64::MAX),
            Part::Repeat { body, min, .. } => of(body).saturating_mul(u64::from(*min)),
            Part::NonEmpty(body) => of(body).max(1),
        }
    }
}

impl Universe {
    /// The parts of a position, one after the other.
    fn parts_of(&self, position: PosId) -> Vec<PartId> {
        let mut parts = Vec::new();
        let mut at = position;
        while let Position::Before { part, rest } = self.rules.positions.get(at.0).key {
            parts.push(part);
            at = rest;
        }
        parts
    }
}
