//! A pattern as an alternating automaton: positions that read one character each, and boolean formulas of what follows.
//!
//! A *formula* says of a place in a text whether what is sought can follow there. Its variables are
//! * *positions*: the next character is in the position's set, and the position's formula holds behind it;
//! * *lookbehinds*: the lookbehind holds here, by what stands before;
//! * the *goal* of a lookbehind, in the formulas of its own body: the place at which it is asked is reached.
//!
//! The pattern is read from right to left with the formula of what follows at hand. A lookahead is a conjunct, the formula of
//! its own body with nothing behind it; so a lookahead in a loop asks more of the rest of the text each time around. Formulas
//! of the parts of a lookbehind are unions of steps, each a position or the goal with a condition.
//!
//! A loop refers to its own entry. Its variable stands for the entry until that is known; where nothing is read in
//! between, it is false: a round that reads nothing leads nowhere that the entry does not. Counted loops are written out.

use rustc_hash::FxHashMap;

use super::formulas::{Formula, Formulas, Replaced, TooCostly, Variable};
use super::translate::is_zero_width;
use super::{Node, Side, Way};
use crate::grammar::regex::CharSet;
use crate::index::{narrow, widen};
use crate::limits::PATTERN_POSITIONS_MAX;

/// What a variable stands for.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// A character of the set of this number, and behind it `then`.
    Position { set: usize, then: Formula },
    /// The lookbehind of this number holds.
    Behind(usize),
    /// The goal of a lookbehind's body.
    Goal,
    /// The entry of a loop, while the pattern is read.
    Entry(Formula),
}

/// The body of a lookbehind, which may start anywhere.
#[derive(Debug)]
pub(super) struct Lookbehind {
    pub(super) start: Formula,
    pub(super) goal: Variable,
    /// The body's positions.
    pub(super) positions: Vec<Variable>,
}

/// The alternating automaton of a pattern.
pub(super) struct Positions {
    /// The sets of characters that positions read.
    pub(super) sets: Vec<CharSet>,
    /// By variable.
    pub(super) meanings: Vec<Meaning>,
    /// Those inside others come first.
    pub(super) lookbehinds: Vec<Lookbehind>,
    /// Whether the pattern is found from here on.
    pub(super) start: Formula,
}

/// The automaton that searches for the pattern.
pub(super) fn positions(node: &Node, formulas: &mut Formulas) -> Result<Positions, TooCostly> {
    let mut builder = Builder {
        formulas,
        positions: Positions {
            sets: Vec::new(),
            meanings: Vec::new(),
            lookbehinds: Vec::new(),
            start: Formula::FALSE,
        },
        known: FxHashMap::default(),
        set_numbers: FxHashMap::default(),
        known_behind: FxHashMap::default(),
        own: None,
    };
    let found = builder.before(node, Formula::TRUE)?;
    builder.positions.start = builder.search(found)?;
    builder.resolve_entries()?;
    Ok(builder.positions)
}

/// What tells lookbehinds apart: their place in the pattern, or the one character that they look for.
#[derive(PartialEq, Eq, Hash)]
enum BehindKey {
    Place(usize),
    Character(CharSet),
}

struct Builder<'f> {
    formulas: &'f mut Formulas,
    positions: Positions,
    /// Positions by what they are, so that equal ones are one.
    known: FxHashMap<(usize, Formula), Variable>,
    set_numbers: FxHashMap<CharSet, usize>,
    known_behind: FxHashMap<BehindKey, Variable>,
    /// Positions of the lookbehind whose body is read.
    own: Option<Vec<Variable>>,
}

impl Builder<'_> {
    fn new_variable(&mut self, meaning: Meaning) -> Variable {
        self.positions.meanings.push(meaning);
        Variable(narrow(self.positions.meanings.len() - 1))
    }

    /// The formula in front of a node, if this formula follows it.
    fn before(&mut self, node: &Node, next: Formula) -> Result<Formula, TooCostly> {
        self.formulas.charge(1)?;
        stacker::maybe_grow(64 << 10, 1 << 20, || match node {
            Node::Empty => Ok(next),
            Node::Set(set) => self.position(set, next),
            Node::Concat(parts) => parts.iter().rev().try_fold(next, |next, part| self.before(part, next)),
            Node::Or(parts) => parts.iter().try_fold(Formula::FALSE, |all, part| {
                let part = self.before(part, next)?;
                self.formulas.or(all, part)
            }),
            Node::Repeat { body, min, max } => self.repeat(body, *min, *max, next),
            Node::Start => {
                let behind = self.behind_one(&CharSet::any())?;
                self.assert(behind, Side::Fails, next)
            }
            Node::End => {
                let ahead = self.ahead_one(&CharSet::any())?;
                self.assert(ahead, Side::Fails, next)
            }
            Node::Boundary { side, word } => {
                let behind = self.behind_one(word)?;
                let ahead = self.ahead_one(word)?;
                let not_ahead = self.formulas.not(ahead)?;
                let edge = self.formulas.choose(behind, not_ahead, ahead)?;
                self.assert(edge, *side, next)
            }
            Node::Look { way: Way::Ahead, side, body, .. } => {
                let outside = self.own.take();
                let seen = self.before(body, Formula::TRUE)?;
                self.own = outside;
                self.assert(seen, *side, next)
            }
            Node::Look { way: Way::Behind, side, body, byte } => {
                let behind = match &**body {
                    Node::Set(set) => self.behind_one(set)?,
                    body => self.behind(BehindKey::Place(*byte), body)?,
                };
                self.assert(behind, *side, next)
            }
            Node::Reference { .. } => unreachable!("patterns with back-references are refused before"),
        })
    }

    fn assert(&mut self, what: Formula, side: Side, next: Formula) -> Result<Formula, TooCostly> {
        match side {
            Side::Holds => self.formulas.and(what, next),
            Side::Fails => self.formulas.choose(what, Formula::FALSE, next),
        }
    }

    fn position(&mut self, set: &CharSet, then: Formula) -> Result<Formula, TooCostly> {
        if set.is_empty() || then == Formula::FALSE {
            return Ok(Formula::FALSE);
        }
        let set = self.set_number(set);
        let variable = match self.known.get(&(set, then)) {
            Some(&known) => known,
            None => {
                if self.known.len() == PATTERN_POSITIONS_MAX {
                    return Err(TooCostly);
                }
                let variable = self.new_variable(Meaning::Position { set, then });
                self.known.insert((set, then), variable);
                if let Some(own) = &mut self.own {
                    own.push(variable);
                }
                variable
            }
        };
        self.formulas.variable(variable)
    }

    fn set_number(&mut self, set: &CharSet) -> usize {
        if let Some(&known) = self.set_numbers.get(set) {
            return known;
        }
        let number = self.positions.sets.len();
        self.positions.sets.push(set.clone());
        self.set_numbers.insert(set.clone(), number);
        number
    }

    /// A lookahead for one character; its position is not of the lookbehind around it.
    fn ahead_one(&mut self, set: &CharSet) -> Result<Formula, TooCostly> {
        let outside = self.own.take();
        let ahead = self.position(set, Formula::TRUE)?;
        self.own = outside;
        Ok(ahead)
    }

    fn behind_one(&mut self, set: &CharSet) -> Result<Formula, TooCostly> {
        self.behind(BehindKey::Character(set.clone()), &Node::Set(set.clone()))
    }

    /// The variable of a lookbehind, whose body is read once.
    fn behind(&mut self, key: BehindKey, body: &Node) -> Result<Formula, TooCostly> {
        if let Some(&known) = self.known_behind.get(&key) {
            return self.formulas.variable(known);
        }
        let outside = self.own.replace(Vec::new());
        let goal = self.new_variable(Meaning::Goal);
        let reached = self.formulas.variable(goal)?;
        let start = self.before(body, reached)?;
        let positions = std::mem::replace(&mut self.own, outside).expect("it was put there");
        let variable = self.new_variable(Meaning::Behind(self.positions.lookbehinds.len()));
        self.positions.lookbehinds.push(Lookbehind { start, goal, positions });
        self.known_behind.insert(key, variable);
        self.formulas.variable(variable)
    }

    fn repeat(
        &mut self,
        body: &Node,
        min: u32,
        max: Option<u32>,
        next: Formula,
    ) -> Result<Formula, TooCostly> {
        if max == Some(0) {
            return Ok(next);
        }
        if is_zero_width(body) {
            // Zero times is less demanding than once, and once is as good as often.
            return if min == 0 { Ok(next) } else { self.before(body, next) };
        }
        let mut all = match max {
            None => self.loop_before(body, next)?,
            Some(max) => {
                let once_more = |builder: &mut Self, rest| {
                    let more = builder.before(body, rest)?;
                    builder.formulas.or(next, more)
                };
                self.times(max - min, next, once_more)?
            }
        };
        all = self.times(min, all, |builder, rest| builder.before(body, rest))?;
        Ok(all)
    }

    /// Does something so many times, or until it changes nothing any more.
    fn times(
        &mut self,
        count: u32,
        mut formula: Formula,
        step: impl Fn(&mut Self, Formula) -> Result<Formula, TooCostly>,
    ) -> Result<Formula, TooCostly> {
        for _ in 0..count {
            let before = formula;
            formula = step(self, before)?;
            if formula == before {
                break;
            }
        }
        Ok(formula)
    }

    /// Any text before `next`, but for what holds only at the start of the text.
    fn search(&mut self, next: Formula) -> Result<Formula, TooCostly> {
        let any = CharSet::any();
        if let Some(&not_start) = self.known_behind.get(&BehindKey::Character(any.clone()))
            && self.with(next, not_start, Formula::TRUE)? == Formula::FALSE
        {
            return Ok(next);
        }
        self.loop_before(&Node::Set(any), next)
    }

    /// Any number of rounds before `next`.
    fn loop_before(&mut self, body: &Node, next: Formula) -> Result<Formula, TooCostly> {
        let entry = self.new_variable(Meaning::Entry(Formula::FALSE));
        let again = self.formulas.variable(entry)?;
        let round = self.before(body, again)?;
        let round = self.with(round, entry, Formula::FALSE)?;
        let all = self.formulas.or(next, round)?;
        self.positions.meanings[widen(entry.0)] = Meaning::Entry(all);
        Ok(all)
    }

    /// The formula with one variable replaced.
    fn with(&mut self, formula: Formula, gone: Variable, by: Formula) -> Result<Formula, TooCostly> {
        self.formulas.replace(formula, &mut Replaced::default(), &mut |formulas, variable| {
            if variable == gone { Ok(by) } else { formulas.variable(variable) }
        })
    }

    /// Puts the entries of loops where their variables stand. The entry of a loop may hang on those of loops around it,
    /// which are older, and on no others.
    fn resolve_entries(&mut self) -> Result<(), TooCostly> {
        let formulas = &mut *self.formulas;
        let Positions { meanings, lookbehinds, start, .. } = &mut self.positions;
        let mut entries: FxHashMap<Variable, Formula> = FxHashMap::default();
        let mut replaced = Replaced::default();
        for (i, meaning) in meanings.iter().enumerate() {
            if let Meaning::Entry(entry) = meaning {
                let entry = formulas.replace(*entry, &mut replaced, &mut |formulas, variable| {
                    entries.get(&variable).map_or_else(|| formulas.variable(variable), |&entry| Ok(entry))
                })?;
                entries.insert(Variable(narrow(i)), entry);
                // What was replaced before may hang on this entry.
                replaced = Replaced::default();
            }
        }
        let mut by = |formulas: &mut Formulas, variable: Variable| {
            entries.get(&variable).map_or_else(|| formulas.variable(variable), |&entry| Ok(entry))
        };
        for meaning in meanings.iter_mut() {
            if let Meaning::Position { then, .. } = meaning {
                *then = formulas.replace(*then, &mut replaced, &mut by)?;
            }
        }
        for lookbehind in lookbehinds {
            lookbehind.start = formulas.replace(lookbehind.start, &mut replaced, &mut by)?;
        }
        *start = formulas.replace(*start, &mut replaced, &mut by)?;
        Ok(())
    }
}
