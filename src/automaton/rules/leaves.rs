//! What a position can do next: the lexemes, calls, tokens and values with which it can go on, and whether it can end.
//!
//! These are found once for each position, without a look at a byte: repetitions, choices and parts that match the
//! empty text are opened until something stands in front that reads.

use rustc_hash::FxHashSet;

use crate::automaton::lexeme::LexId;
use crate::automaton::rules::part::{END, Part, PartId, PosId, Position};
use crate::automaton::rules::{RuleAt, Rules};
use crate::automaton::universe::Universe;
use crate::automaton::value::ValueId;
use crate::error::Exhausted;
use crate::vocab::ByteSet;

/// See the module; each with what is left after it.
#[derive(Default, Debug)]
pub(super) struct Leaves {
    pub(super) lexes: Vec<(LexId, PosId)>,
    pub(super) calls: Vec<(RuleAt, PosId)>,
    pub(super) letters: Vec<(u32, PosId)>,
    pub(super) values: Vec<(ValueId, PosId)>,
    /// Quotes that close a JSON string, by the answers to what was asked of it.
    pub(super) quotes: Vec<u32>,
    /// The position matches the empty text.
    pub(super) ends: bool,
}

/// A part in front of a rest.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Front {
    part: PartId,
    rest: PosId,
    /// Whether the part may be passed over if it matches the empty text.
    may_pass: bool,
}

struct Opening<'a> {
    rules: &'a Rules,
    seen: FxHashSet<Front>,
    pending: Vec<Front>,
    leaves: Leaves,
}

impl Rules {
    /// The leaves of a position.
    pub(super) fn leaves(&self, position: PosId) -> &Leaves {
        self.positions.get(position.0).data.leaves.get_or_init(|| {
            let mut opening = Opening {
                rules: self,
                seen: FxHashSet::default(),
                pending: Vec::new(),
                leaves: Leaves::default(),
            };
            opening.at(position);
            opening.run();
            let leaves = opening.leaves;
            self.list(leaves.lexes.len() + leaves.calls.len() + leaves.letters.len() + leaves.values.len());
            leaves
        })
    }
}

impl Opening<'_> {
    fn at(&mut self, position: PosId) {
        match self.rules.positions.get(position.0).key {
            Position::End => self.leaves.ends = true,
            Position::Before { part, rest } => self.front(part, rest, true),
        }
    }

    fn front(&mut self, part: PartId, rest: PosId, may_pass: bool) {
        let front = Front { part, rest, may_pass };
        if self.seen.insert(front) {
            self.pending.push(front);
        }
    }

    fn run(&mut self) {
        while let Some(front) = self.pending.pop() {
            self.open(front);
            if front.may_pass && self.rules.is_empty_enough(front.part) {
                self.at(front.rest);
            }
        }
    }

    /// What can be read first of a part, its passing over aside.
    fn open(&mut self, Front { part, rest, .. }: Front) {
        let rules = self.rules;
        match rules.part_of(part) {
            Part::Lex(lex) => self.leaves.lexes.push((*lex, rest)),
            Part::Rule(rule) => self.leaves.calls.push((*rule, rest)),
            Part::Letters(letters) => self.leaves.letters.push((*letters, rest)),
            Part::Quote(outcome) => self.leaves.quotes.push(*outcome),
            Part::Value(value) => self.leaves.values.push((*value, rest)),
            Part::Sequence(parts) => {
                let fronts = parts.iter().take_while(|part| rules.is_empty_enough(**part)).count() + 1;
                let mut after = rest;
                for (i, &part) in parts.iter().enumerate().rev() {
                    if i < fronts {
                        self.front(part, after, false);
                    }
                    after = rules.before(part, after);
                }
            }
            Part::Choice(parts) => parts.iter().for_each(|&part| self.front(part, rest, false)),
            Part::NonEmpty(part) => self.front(*part, rest, false),
            Part::Repeat { body, min, max } => {
                let after = match max {
                    Some(0) => return,
                    Some(1) => rest,
                    _ => {
                        let (min, max) = (min.saturating_sub(1), max.map(|max| max - 1));
                        let more = Part::Repeat { body: *body, min, max };
                        rules.before(rules.part(&more, |_| false), rest)
                    }
                };
                self.front(*body, after, false);
            }
        }
    }
}

impl Universe {
    /// The bytes with which nonempty texts of a rule begin. Rules call each other at the left without cycles.
    pub(super) fn first_of(&self, rule: RuleAt) -> Result<ByteSet, Exhausted> {
        if let Some(known) = self.rules.rule(rule).first.get() {
            return Ok(*known);
        }
        let mut open = vec![(rule, false)];
        while let Some((at, callees_done)) = open.pop() {
            let data = self.rules.rule(at);
            if data.first.get().is_some() {
                continue;
            }
            let leaves = self.rules.leaves(data.body.get().copied().unwrap_or(END));
            if !callees_done {
                open.push((at, true));
                open.extend(leaves.calls.iter().map(|&(callee, _)| (callee, false)));
                continue;
            }
            let mut first = ByteSet::default();
            for &(lex, _) in &leaves.lexes {
                first = first.with(self.text_goes_on(lex)?);
            }
            for &(value, _) in &leaves.values {
                for byte in 0..=u8::MAX {
                    if self.value_begins(value, byte)? {
                        first.insert(byte);
                    }
                }
            }
            for &(callee, _) in &leaves.calls {
                first = first.with(self.rules.rule(callee).first.get().copied().unwrap_or_default());
            }
            data.first.get_or_init(|| first);
        }
        Ok(self.rules.rule(rule).first.get().copied().unwrap_or_default())
    }

    /// The bytes that a position's texts, rules and closing quotes can read first; what its values read is not among them.
    pub(crate) fn first_of_position(&self, position: PosId) -> Result<ByteSet, Exhausted> {
        let data = &self.rules.positions.get(position.0).data;
        if let Some(known) = data.first.get() {
            return Ok(*known);
        }
        let leaves = self.rules.leaves(position);
        let mut first = ByteSet::default();
        for &(lex, _) in &leaves.lexes {
            first = first.with(self.text_goes_on(lex)?);
        }
        for &(rule, _) in &leaves.calls {
            first = first.with(self.first_of(rule)?);
        }
        if !leaves.quotes.is_empty() {
            first.insert(b'"');
        }
        Ok(*data.first.get_or_init(|| first))
    }
}
