//! What a container asks of the value of its next member or item.
//!
//! The value must satisfy a formula of its own: that some way is left to complete the container. It is built from
//! the alternatives of the container's formula. In one alternative every atom has to hold at the end: atoms that fail for
//! good if the value does not satisfy them make the value's duty, the others may be satisfied now or later, as far as there is
//! a later. What the duty does not settle is asked, and the answers select where the container goes on.

use crate::automaton::clause::Clause;
use crate::automaton::counting;
use crate::automaton::formula::{FALSE, Formula, TRUE, exhausted};
use crate::automaton::universe::Universe;
use crate::automaton::value::{DEFAULT_ORDER, Value, ValueId};
use crate::error::Exhausted;
use crate::index::{FormulaId, narrow, widen};
use crate::limits;

/// Atoms whose truth the value decides, each with the question whose answer it is.
pub(crate) type Judged = Box<[(FormulaId, u32)]>;

/// The questions for a child, and how its answers are used.
pub(crate) struct Questions {
    pub(crate) asked: Vec<FormulaId>,
    pub(crate) judged: Judged,
    /// Atoms that are sure to hold, or sure not to.
    pub(crate) sure: Vec<(FormulaId, bool)>,
}

/// What applies to the child for an atom of the container; `None` where the child does not matter.
pub(crate) type Applies<'a> = dyn Fn(FormulaId) -> Result<Option<FormulaId>, Exhausted> + 'a;

/// Whether a container with these atoms left can be completed after the child.
pub(crate) type CanEnd<'a> = dyn Fn(&[FormulaId]) -> Result<bool, Exhausted> + 'a;

impl Universe {
    /// What a child must satisfy so that the container can still be completed; `FALSE` if it can't.
    pub(crate) fn child_must(
        &self,
        must: FormulaId,
        applies: &Applies<'_>,
        can_end: &CanEnd<'_>,
    ) -> Result<FormulaId, Exhausted> {
        if must == FALSE {
            return Ok(FALSE);
        }
        if self.is_conjunction(must) {
            let mut clause = Clause::new();
            self.atoms(must, &mut clause);
            return self.clause_must(&clause, applies, can_end);
        }
        if let Some(all) = self.whole_must(must, applies, can_end)? {
            return Ok(all);
        }
        stacker::maybe_grow(64 << 10, 1 << 20, || self.alternatives_must(must, applies, can_end))
    }

    /// [`Universe::child_must`] by alternatives.
    fn alternatives_must(
        &self,
        must: FormulaId,
        applies: &Applies<'_>,
        can_end: &CanEnd<'_>,
    ) -> Result<FormulaId, Exhausted> {
        if let Formula::Any(alternatives) = self.formula(must) {
            let mut ways = Vec::with_capacity(alternatives.len());
            for &alternative in alternatives {
                match self.child_must(alternative, applies, can_end)? {
                    TRUE => return Ok(TRUE),
                    way => ways.push(way),
                }
            }
            return Ok(self.any(ways));
        }
        let left = self.without_dead_alternatives(must, &mut |clause| {
            Ok(self.clause_must(clause, applies, can_end)? != FALSE)
        })?;
        if let Some(left) = left {
            return self.child_must(left, applies, can_end);
        }
        if let Some(parts) = self.independent_parts(must) {
            let mut all = Vec::with_capacity(parts.len());
            for part in parts {
                match self.child_must(part, applies, can_end)? {
                    FALSE => return Ok(FALSE),
                    duty => all.push(duty),
                }
            }
            return Ok(self.all(all));
        }
        let mut ways = Vec::new();
        for clause in self.clauses(must)?.iter() {
            let way = self.clause_must(clause, applies, can_end)?;
            if way == TRUE {
                return Ok(TRUE);
            }
            ways.push(way);
        }
        Ok(self.any(ways))
    }

    /// If all atoms together leave a way to the end, every alternative does: then the formula keeps its shape.
    fn whole_must(
        &self,
        must: FormulaId,
        applies: &Applies<'_>,
        can_end: &CanEnd<'_>,
    ) -> Result<Option<FormulaId>, Exhausted> {
        let mut left = Vec::new();
        let mut duties: Vec<(FormulaId, FormulaId)> = Vec::new();
        for atom in self.atoms_of(&[must]) {
            match applies(atom)? {
                Some(duty) if self.answered(atom, false) == FALSE => {
                    duties.push((atom, duty));
                    left.push(self.answered(atom, true));
                }
                Some(_) => left.push(self.answered(atom, false)),
                None => left.push(atom),
            }
        }
        // Too hard a question about all atoms may be easy for the alternatives.
        if !counting::is_easy(self, &left) || can_end(&left) != Ok(true) {
            return Ok(None);
        }
        let duty_of =
            |atom: FormulaId| duties.iter().find(|(known, _)| *known == atom).map_or(TRUE, |&(_, duty)| duty);
        Ok(Some(self.substitute(must, |atom, _| duty_of(atom))))
    }

    fn clause_must(
        &self,
        clause: &[FormulaId],
        applies: &Applies<'_>,
        can_end: &CanEnd<'_>,
    ) -> Result<FormulaId, Exhausted> {
        let mut duties = Vec::new();
        let mut left = Vec::new();
        // Atoms that the value may satisfy now or leave for later: what applies, what is left if so, and if not.
        let mut open: Vec<(FormulaId, FormulaId, FormulaId)> = Vec::new();
        for &atom in clause {
            let Some(duty) = applies(atom)? else {
                left.push(atom);
                continue;
            };
            let (yes, no) = (self.answered(atom, true), self.answered(atom, false));
            match duty {
                FALSE if no == FALSE => return Ok(FALSE),
                FALSE => left.push(no),
                TRUE => left.push(yes),
                _ if no == FALSE => {
                    duties.push(duty);
                    left.push(yes);
                }
                _ => open.push((duty, yes, no)),
            }
        }
        left.retain(|&atom| atom != TRUE);
        let duty = self.all(duties);
        if duty == FALSE {
            return Ok(FALSE);
        }
        if open.len() > limits::OPEN_ATOMS_MAX {
            return Err(exhausted(format!(
                "which of more than {} conditions (OPEN_ATOMS_MAX) one member or item must satisfy",
                limits::OPEN_ATOMS_MAX
            )));
        }
        // The sets of open atoms that must be satisfied now, the smallest first: with more satisfied, no less is possible.
        let mut now: Vec<u32> = (0..1u32 << open.len()).collect();
        now.sort_unstable_by_key(|set| set.count_ones());
        let mut found: Vec<u32> = Vec::new();
        let mut ways = Vec::new();
        for set in now {
            if found.iter().any(|smaller| smaller & set == *smaller) {
                continue;
            }
            let mut atoms = left.clone();
            let mut parts = vec![duty];
            for (at, &(applies, yes, no)) in open.iter().enumerate() {
                let satisfied = set >> at & 1 == 1;
                atoms.push(if satisfied { yes } else { no });
                if satisfied {
                    parts.push(applies);
                }
            }
            atoms.retain(|&atom| atom != TRUE);
            if can_end(&atoms)? {
                found.push(set);
                ways.push(self.all(parts));
            }
        }
        Ok(self.any(ways))
    }

    /// Which atoms a child's value decides beyond what it must satisfy anyway.
    pub(crate) fn questions(
        &self,
        child: FormulaId,
        atoms: &[FormulaId],
        applies: &Applies<'_>,
    ) -> Result<Questions, Exhausted> {
        let conjuncts: &[FormulaId] = match self.formula(child) {
            Formula::All(children) => children,
            _ => &[],
        };
        let holds_anyway = |formula: FormulaId| formula == child || conjuncts.contains(&formula);
        let (mut asked, mut judged, mut sure) = (Vec::new(), Vec::new(), Vec::new());
        for &atom in atoms {
            let Some(applies) = applies(atom)? else { continue };
            let certain = applies == TRUE
                || holds_anyway(applies)
                || matches!(self.formula(applies), Formula::All(parts) if parts.iter().all(|&part| holds_anyway(part)));
            if certain || applies == FALSE {
                if self.answered(atom, certain) != atom {
                    sure.push((atom, certain));
                }
                continue;
            }
            let at = asked.iter().position(|&known| known == applies).unwrap_or_else(|| {
                asked.push(applies);
                asked.len() - 1
            });
            judged.push((atom, narrow(at)));
        }
        Ok(Questions { asked, judged: judged.into(), sure })
    }

    /// The formula once the child's answers are in.
    pub(crate) fn judge(&self, id: FormulaId, judged: &Judged, answers: &[bool]) -> FormulaId {
        self.substitute(id, |atom_id, _| {
            let found = judged.iter().find(|&&(atom, _)| atom == atom_id);
            found.map_or(atom_id, |&(_, question)| self.answered(atom_id, answers[widen(question)]))
        })
    }

    /// The formula with what is sure decided.
    pub(crate) fn settle_sure(&self, id: FormulaId, sure: &[(FormulaId, bool)]) -> FormulaId {
        if sure.is_empty() {
            return id;
        }
        self.substitute(id, |atom_id, _| {
            let found = sure.iter().find(|&&(atom, _)| atom == atom_id);
            found.map_or(atom_id, |&(_, holds)| self.answered(atom_id, holds))
        })
    }

    /// Interns a child's value position, with its source order if that is not the obvious one.
    pub(crate) fn child_value(
        &self,
        must: FormulaId,
        asks: Vec<FormulaId>,
        children: &[FormulaId],
    ) -> ValueId {
        let plain = self.all(children.iter().copied());
        let order = if plain == must {
            DEFAULT_ORDER
        } else {
            let mut list: Vec<FormulaId> =
                children.iter().copied().filter(|&child| child != TRUE && child != FALSE).collect();
            crate::automaton::formula::dedup_in_order(&mut list);
            self.orders.intern(list.into())
        };
        self.value_id(Value { must, asks: asks.into(), order })
    }
}
