//! The lexemes of a terminal behind a guard, by the guard that they leave.
//!
//! A walk reads a lexeme, its rivals and the guard at once. A lexeme that the guard forbids is none; and where one may end, what
//! is left of rivals and guard says what must not follow it. Lexemes that leave one guard are a language of their own.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::overlay::along;
use super::{Plan, limit_of, too_many};
use crate::automaton::term::Terms;
use crate::error::CompileError;
use crate::grammar::minimal::{least, work};
use crate::grammar::regex::Regex;
use crate::index::TermId;
use crate::limits::LEXING_TERMS_MAX;

/// Lexemes that leave one guard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    pub(super) regex: Regex,
    /// The number of the guard.
    pub(super) guard: usize,
}

/// What is left of the lexeme, of its rivals and of the guard before it.
type Node = [TermId; 3];

/// By node of a walk, where characters lead.
type Steps = Vec<Vec<(u32, u32, usize)>>;

/// The automata of walks: most walks of a terminal differ in the guards that lexemes leave and not in their steps.
pub(super) type KnownAutomata = FxHashMap<Steps, Automata>;

/// Walks with the same steps.
pub(super) struct Automata {
    /// How much work each of their least automata is.
    work: usize,
    /// By nodes in which a text may end: its least automaton.
    least: FxHashMap<Vec<bool>, Regex>,
}

/// What a walk has found: by node, where characters lead and the guard that a lexeme that ends there leaves.
struct Walked {
    steps: Steps,
    ends: Vec<Option<usize>>,
}

impl Plan<'_> {
    /// The lexemes of a reading behind a guard.
    pub(super) fn pieces(&mut self, reading: usize, guard: usize) -> Result<Rc<[Piece]>, CompileError> {
        if let Some(known) = self.pieces.get(&(reading, guard)) {
            return Ok(Rc::clone(known));
        }
        let of = &self.readings[reading];
        let before = self.guards.get(guard);
        let pieces: Rc<[Piece]> = if guard != 0 && self.starts(of.own)?.difference(&before.single).is_empty()
        {
            [].into()
        } else if guard != 0 && self.starts(of.own)?.intersection(&before.first).is_empty() {
            self.pieces(reading, 0)?
        } else if guard == 0 && of.rivals == Terms::NOTHING {
            self.unguarded(reading)?
        } else {
            let symbol = of.symbol;
            self.walked_pieces(reading, guard).map_err(|e| self.of_symbol(symbol, e))?
        };
        self.pieces.insert((reading, guard), Rc::clone(&pieces));
        Ok(pieces)
    }

    /// The lexemes of a reading without rivals behind no guard.
    fn unguarded(&self, reading: usize) -> Result<Rc<[Piece]>, CompileError> {
        let of = &self.readings[reading];
        if self.terms.successors(of.own).map_err(|e| limit_of(&e))?.is_empty() {
            return Ok([].into());
        }
        Ok([Piece { regex: of.regex.clone(), guard: 0 }].into())
    }

    fn walked_pieces(&mut self, reading: usize, guard: usize) -> Result<Rc<[Piece]>, CompileError> {
        let of = self.readings[reading].clone();
        let walked = self.walk([of.own, of.rivals, self.guards.get(guard).term], of.follow)?;
        let mut left: Vec<usize> = walked.ends.iter().copied().flatten().collect();
        left.sort_unstable();
        left.dedup();
        if let ([only], 0) = (left.as_slice(), guard) {
            return Ok([Piece { regex: of.regex, guard: *only }].into());
        }
        let Walked { steps, ends } = walked;
        let known = self.automata.remove_entry(&steps);
        let (steps, mut known) = known.unwrap_or_else(|| {
            let known = Automata { work: work(&steps), least: FxHashMap::default() };
            (steps, known)
        });
        self.charge(known.work.saturating_mul(left.len()))?;
        let mut pieces = Vec::with_capacity(left.len());
        for guard in left {
            let accepts: Vec<bool> = ends.iter().map(|end| *end == Some(guard)).collect();
            let regex = match known.least.get(&accepts) {
                Some(regex) => regex.clone(),
                None => {
                    let regex = Regex::states(least(&steps, &accepts));
                    known.least.insert(accepts, regex.clone());
                    regex
                }
            };
            if regex != Regex::Nothing {
                pieces.push(Piece { regex, guard });
            }
        }
        self.automata.insert(steps, known);
        Ok(pieces.into())
    }

    fn walk(&mut self, start: Node, follow: usize) -> Result<Walked, CompileError> {
        let mut nodes = vec![start];
        let mut numbers = FxHashMap::from_iter([(start, 0)]);
        let mut walked = Walked { steps: Vec::new(), ends: Vec::new() };
        while let Some(&[own, rivals, pending]) = nodes.get(walked.steps.len()) {
            self.charge(1)?;
            let end = if self.terms.nullable(own) {
                Some(self.guards.behind(&self.terms, [rivals, pending, self.follows[follow].1])?)
            } else {
                None
            };
            let mut found = Vec::new();
            let lists = [
                self.terms.successors(own).map_err(|e| limit_of(&e))?,
                self.terms.successors(rivals).map_err(|e| limit_of(&e))?,
                self.terms.successors(pending).map_err(|e| limit_of(&e))?,
            ];
            for (lo, hi, next) in along(lists) {
                if self.terms.nullable(next[2]) {
                    continue;
                }
                let to = *numbers.entry(next).or_insert_with(|| {
                    nodes.push(next);
                    nodes.len() - 1
                });
                found.push((lo, hi, to));
            }
            walked.steps.push(found);
            walked.ends.push(end);
            if nodes.len() > LEXING_TERMS_MAX {
                return Err(too_many());
            }
        }
        Ok(walked)
    }
}
