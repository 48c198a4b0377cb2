//! Items of which no two may be equal: are there values enough, whatever has been used?
//!
//! Formulas don't know which values an array has used. So a clause is taken only where that never matters: whenever it has
//! enough values at the opening bracket, and items are read that leave it possible otherwise, it has enough of them afterwards.
//! That holds where every choice is among endlessly many values, and in the cases below, each with its reason. Whoever reads
//! an item asks only for one value that is not used (`unique.rs`).

use crate::automaton::domain::Domain;
use crate::automaton::effort;
use crate::automaton::formula::{FALSE, Formula, exhausted};
use crate::automaton::satisfiable::{Search, Verdict};
use crate::automaton::universe::Universe;
use crate::error::Exhausted;
use crate::grammar::program::Kinds;
use crate::index::{FormulaId, narrow};
use crate::limits::{CLAUSES_LISTED_MAX, OPEN_ATOMS_MAX};

/// A condition that counts items.
#[derive(Clone, Copy)]
enum Counts {
    /// So many items at least satisfy it.
    AtLeast(u64),
    /// All items but so many satisfy it.
    AllBut(u64),
}

/// What a clause asks of its items.
struct Asked<'u> {
    universe: &'u Universe,
    depth: usize,
    min: u64,
    max: u64,
    /// Positions that differ from those that follow.
    longest: usize,
    /// What every item must satisfy.
    strict: Vec<FormulaId>,
    /// The conditions that count, and the atoms that say so.
    counts: Vec<(FormulaId, Counts)>,
}

impl Universe {
    /// Whether so many items can differ where no two may be equal; `None` if that hangs on the values used, or is not found out.
    pub(crate) fn enough_items(&self, clause: &[FormulaId], depth: usize) -> Result<Option<bool>, Exhausted> {
        let mut asked = Asked {
            universe: self,
            depth,
            min: 0,
            max: u64::MAX,
            longest: 0,
            strict: Vec::new(),
            counts: Vec::new(),
        };
        for &atom in clause {
            match self.formula(atom) {
                Formula::MinItems(n) => asked.min = asked.min.max(*n),
                Formula::MaxItems(n) => asked.max = asked.max.min(*n),
                Formula::Items { prefix, except, .. } => {
                    asked.longest = asked.longest.max(prefix.len());
                    match except {
                        0 => asked.strict.push(atom),
                        _ => asked.counts.push((atom, Counts::AllBut(*except))),
                    }
                }
                Formula::AtLeast { prefix, count, .. } => {
                    asked.longest = asked.longest.max(prefix.len());
                    asked.counts.push((atom, Counts::AtLeast(*count)));
                }
                _ => {}
            }
        }
        asked.decide()
    }

    /// An array formula without the alternatives that would need more values than there are: after some items they would seem
    /// possible, for what has been used is in the registers.
    pub(crate) fn with_enough_items(&self, must: FormulaId) -> Result<FormulaId, Exhausted> {
        let atoms = self.atoms_of(&[must]);
        let counts = |&atom: &FormulaId| match self.formula(atom) {
            Formula::MinItems(n) => *n > 1,
            Formula::AtLeast { .. } => true,
            Formula::Items { except, .. } => *except > 0,
            _ => false,
        };
        let is = |id: FormulaId, wanted: &Formula| self.formula(id) == wanted;
        if self.is_conjunction(must)
            || !atoms.iter().any(|&atom| is(atom, &Formula::Unique))
            || !atoms.iter().any(counts)
        {
            return Ok(must);
        }
        let Some(clauses) = self.few_clauses(must) else {
            return Err(exhausted(format!(
                "which of an array's alternatives have enough values: more than {CLAUSES_LISTED_MAX} (CLAUSES_LISTED_MAX)"
            )));
        };
        let mut kept = Vec::with_capacity(clauses.len());
        for clause in &clauses {
            let unique = clause.iter().any(|&atom| is(atom, &Formula::Unique));
            if !unique || self.satisfiable_at(self.all(clause.iter().copied()), Kinds::ARRAY)? {
                kept.push(clause);
            }
        }
        if kept.len() == clauses.len() {
            return Ok(must);
        }
        let everywhere = |atom: &FormulaId| kept.iter().all(|clause| clause.contains(atom));
        let common = atoms.iter().copied().filter(everywhere);
        let alternatives = self.any(kept.iter().map(|clause| self.all(clause.iter().copied())));
        Ok(self.all(common.chain([alternatives])))
    }
}

/// Several answers, all of which must be yes.
fn all_of(answers: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let mut all = Some(true);
    for answer in answers {
        match answer {
            Some(false) => return Some(false),
            Some(true) => {}
            None => all = None,
        }
    }
    all
}

impl Asked<'_> {
    fn decide(&self) -> Result<Option<bool>, Exhausted> {
        if self.min <= 1 && self.needs_one_at_most() {
            return Ok(Some(true));
        }
        if self.has_room()? || self.varies_enough()? {
            return Ok(Some(true));
        }
        if self.longest > 0 {
            return if self.counts.is_empty() { self.position_by_position() } else { Ok(None) };
        }
        let all = self.domain(&[]);
        Ok(match *self.counts {
            [] => all.has(self.min),
            // What satisfies the condition and is used has been counted for it, until it is met.
            [(atom, Counts::AtLeast(least))] => {
                all_of([self.domain(&[atom]).has(least), all.has(self.min.max(least))])
            }
            [(atom, Counts::AllBut(except))] => {
                all_of([self.domain(&[atom]).has(self.min.saturating_sub(except)), all.has(self.min)])
            }
            [(some, Counts::AtLeast(least)), (every, Counts::AllBut(except))]
            | [(every, Counts::AllBut(except)), (some, Counts::AtLeast(least))]
                if self.are_apart(self.region(0, &[some]), self.region(0, &[every])) =>
            {
                all_of([
                    Some(least <= except),
                    self.domain(&[some]).has(least),
                    with_others(self.domain(&[every]), all, except, self.min),
                ])
            }
            _ => self.apart(all),
        })
    }

    /// Whether at most one item must be there, wherever it stands: a value that is used has been it.
    fn needs_one_at_most(&self) -> bool {
        match *self.counts {
            [] => true,
            [(atom, Counts::AtLeast(1))] => self.stands_anywhere(atom),
            _ => false,
        }
    }

    fn stands_anywhere(&self, atom: FormulaId) -> bool {
        match self.universe.formula(atom) {
            Formula::Items { prefix, .. } | Formula::AtLeast { prefix, .. } => prefix.is_empty(),
            _ => true,
        }
    }

    /// What an item must satisfy that is to satisfy these conditions too.
    fn region(&self, position: usize, conditions: &[FormulaId]) -> FormulaId {
        let universe = self.universe;
        let asked = conditions.iter().filter_map(|&atom| match universe.formula(atom) {
            Formula::Items { prefix, rest, .. } | Formula::AtLeast { prefix, rest, .. } => {
                Some(prefix.get(position).copied().unwrap_or(*rest))
            }
            _ => None,
        });
        universe.all([universe.item_value(&self.strict, position)].into_iter().chain(asked))
    }

    /// How many values an item can have where all positions are alike.
    fn domain(&self, conditions: &[FormulaId]) -> Domain {
        self.universe.domain(self.region(0, conditions), self.depth)
    }

    /// Whether plainly no value satisfies both.
    fn are_apart(&self, a: FormulaId, b: FormulaId) -> bool {
        let both = self.universe.all([a, b]);
        both == FALSE
            || matches!(Search::at_depth(self.universe, self.depth + 1).value(both), Ok(Verdict::No { .. }))
    }

    /// Whether each choice of conditions leaves no value, or more than can have been used when one is needed: at a position of the
    /// prefixes as many as items before it; behind them those of the prefixes, for others that are used have been what was
    /// needed.
    fn has_room(&self) -> Result<bool, Exhausted> {
        let conditions: Vec<FormulaId> = self.counts.iter().map(|(atom, _)| *atom).collect();
        if conditions.len() > OPEN_ATOMS_MAX || (self.longest + 1) << conditions.len() > CLAUSES_LISTED_MAX {
            return Ok(false);
        }
        let needed = self.counts.iter().fold(self.min, |needed, (_, counts)| match counts {
            Counts::AtLeast(least) => needed.saturating_add(*least),
            Counts::AllBut(_) => needed,
        });
        for position in 0..=self.longest {
            let before = u64::from(narrow(position));
            let room = if position < self.longest { before + 1 } else { before.saturating_add(needed) };
            for choice in 0..1_usize << conditions.len() {
                let chosen: Vec<FormulaId> = (0..conditions.len())
                    .filter(|at| choice >> at & 1 == 1)
                    .map(|at| conditions[at])
                    .collect();
                effort::spend(1)?;
                let domain = self.universe.domain(self.region(position, &chosen), self.depth);
                if domain != Domain::Finite(0) && domain.has(room) != Some(true) {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Whether an item for each condition can always be added: nothing limits how many items there are.
    fn varies_enough(&self) -> Result<bool, Exhausted> {
        let at_least = |&(_, counts): &(FormulaId, Counts)| matches!(counts, Counts::AtLeast(_));
        if self.max < u64::MAX || !self.counts.iter().all(at_least) {
            return Ok(false);
        }
        effort::spend(self.longest + self.counts.len())?;
        let is_endless = |region| self.universe.domain(region, self.depth) == Domain::Endless;
        Ok((0..=self.longest).all(|position| is_endless(self.region(position, &[])))
            && self.counts.iter().all(|&(atom, _)| is_endless(self.region(self.longest, &[atom]))))
    }

    /// Whether each position has more values than items before it may have taken.
    fn position_by_position(&self) -> Result<Option<bool>, Exhausted> {
        let last = self.longest.min(usize::try_from(self.min).unwrap_or(usize::MAX).saturating_sub(1));
        if last > CLAUSES_LISTED_MAX {
            return Ok(None);
        }
        let regions = (0..=last).map(|position| self.region(position, &[]));
        if self.universe.domain(self.universe.any(regions), self.depth).has(self.min) == Some(false) {
            return Ok(Some(false));
        }
        for position in 0..=last {
            let here = self.region(position, &[]);
            let mut needed = 1;
            for before in 0..position {
                effort::spend(1)?;
                needed += u64::from(!self.are_apart(here, self.region(before, &[])));
            }
            let mut own = 1;
            if position == self.longest {
                own = self.min - u64::from(narrow(self.longest));
                needed += own - 1;
            }
            let domain = self.universe.domain(here, self.depth);
            if domain.has(own) == Some(false) {
                return Ok(Some(false));
            }
            if domain.has(needed) != Some(true) {
                return Ok(None);
            }
        }
        Ok(Some(true))
    }

    /// Conditions that no value shares.
    fn apart(&self, all: Domain) -> Option<bool> {
        let mut total = 0_u64;
        let mut answers = Vec::with_capacity(self.counts.len());
        for (at, &(atom, counts)) in self.counts.iter().enumerate() {
            let Counts::AtLeast(least) = counts else { return None };
            let region = self.region(0, &[atom]);
            if !self.counts[..at].iter().all(|&(other, _)| self.are_apart(region, self.region(0, &[other]))) {
                return None;
            }
            answers.push(self.domain(&[atom]).has(least));
            total = total.saturating_add(least);
        }
        answers.push(all.has(self.min.max(total)));
        all_of(answers)
    }
}

/// Whether these values with so many of the others make up the least number.
fn with_others(every: Domain, all: Domain, others: u64, min: u64) -> Option<bool> {
    match (every, all) {
        (Domain::Finite(every), Domain::Finite(all)) => {
            Some(every.saturating_add(others.min(all.saturating_sub(every))) >= min)
        }
        (Domain::Finite(every), _) => match all.has(every.saturating_add(others)) {
            Some(true) => Some(every.saturating_add(others) >= min),
            _ => None,
        },
        (every, _) => every.has(min),
    }
}
