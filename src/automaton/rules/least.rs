//! How short the rest of a rule can be: what guides a search for the end of a text.
//!
//! Lengths are estimates, in characters. Of rules they are a least fixpoint, found by going through all parts again and again; where
//! that takes too many rounds they stay too great. A guide may be wrong: whoever follows it reads byte by byte.

use rustc_hash::FxHashMap;

use crate::automaton::control::Ret;
use crate::automaton::rules::net::Net;
use crate::automaton::rules::part::{END, Part, PartId, PosId, Position};
use crate::automaton::rules::{NET_ROOT, RuleAt};
use crate::automaton::universe::{ROOT_FRAME, Universe};
use crate::index::{FrameId, StateId};

/// Shorter than any JSON value is taken to be.
const VALUE_LEN: u64 = 2;

/// Most rounds of the fixpoint.
const ROUNDS_MAX: usize = 64;

/// Lengths that are known; see the module.
#[derive(Default)]
pub(crate) struct Leasts {
    parts: FxHashMap<PartId, u64>,
    rules: FxHashMap<RuleAt, u64>,
    positions: FxHashMap<PosId, u64>,
    frames: FxHashMap<FrameId, u64>,
}

impl Leasts {
    /// Of a configuration of rules; `other` says it of a state that is none of theirs.
    pub(crate) fn of_net(
        &mut self,
        universe: &Universe,
        at: u32,
        frame: FrameId,
        other: &dyn Fn(StateId) -> u64,
    ) -> u64 {
        match universe.net(at) {
            Net::Set(positions) => {
                let own = positions.iter().map(|&position| self.of_position(universe, position)).min();
                own.unwrap_or(0).saturating_add(self.of_frame(universe, frame, other))
            }
            Net::Many(slots) => {
                let each = slots.iter().map(|&(state, frame)| {
                    let own = match crate::automaton::state::View::of(state) {
                        crate::automaton::state::View::Net(inner) => match universe.net(inner) {
                            Net::Set(positions) => {
                                positions.iter().map(|&p| self.of_position(universe, p)).min().unwrap_or(0)
                            }
                            Net::Many(_) => 0,
                        },
                        _ => other(state),
                    };
                    own.saturating_add(self.of_frame(universe, frame, other))
                });
                each.min().unwrap_or(0)
            }
        }
    }

    /// Of all that waits: frames below are looked at before those above, however many there are.
    pub(crate) fn of_frame(
        &mut self,
        universe: &Universe,
        frame: FrameId,
        other: &dyn Fn(StateId) -> u64,
    ) -> u64 {
        let mut open = vec![frame];
        while let Some(&at) = open.last() {
            if self.frames.contains_key(&at) {
                open.pop();
                continue;
            }
            if at == ROOT_FRAME || at == NET_ROOT {
                self.frames.insert(at, 0);
                continue;
            }
            let data = universe.frames.get(at.0);
            let is_of_rules = matches!(universe.rets.get(data.ret.0).key, Ret::Several | Ret::Position(_));
            let members = if is_of_rules { universe.members(at).collect() } else { vec![(END, data.parent)] };
            let missing =
                members.iter().map(|&(_, parent)| parent).find(|below| !self.frames.contains_key(below));
            if let Some(missing) = missing {
                open.push(missing);
                continue;
            }
            let mut least = u64::MAX;
            for (position, parent) in members {
                let own = if is_of_rules {
                    self.of_position(universe, position)
                } else {
                    other(universe.after(data.ret, universe.some_outcome(data.ret)))
                };
                least = least.min(own.saturating_add(self.frames.get(&parent).copied().unwrap_or(0)));
            }
            self.frames.insert(at, least);
        }
        self.frames.get(&frame).copied().unwrap_or(0)
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
