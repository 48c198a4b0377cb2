//! Clauses: the alternatives of a positive formula over the atoms of one container.
//!
//! A formula over object (or array) atoms is true iff one of its clauses is: a clause is a list of atoms that
//! must all hold. Plain schemas have exactly one. Expansion is capped by
//! [`limits::CLAUSES_MAX`]; beyond it the question ends as `Exhausted`, never as a guess.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::automaton::applies::KeyClass;
use crate::automaton::formula::{FALSE, Formula, dedup_in_order, exhausted};
use crate::automaton::universe::Universe;
use crate::error::Exhausted;
use crate::index::FormulaId;
use crate::limits;

/// Atoms that must all hold, in source order.
pub(crate) type Clause = Vec<FormulaId>;

impl Universe {
    /// The clauses of a formula whose atoms all speak of one container kind.
    pub(crate) fn clauses(&self, id: FormulaId) -> Result<Rc<Vec<Clause>>, Exhausted> {
        self.clauses_shared(id, &mut FxHashMap::default())
    }

    /// A shared part is expanded once.
    fn clauses_shared(
        &self,
        id: FormulaId,
        done: &mut FxHashMap<FormulaId, Rc<Vec<Clause>>>,
    ) -> Result<Rc<Vec<Clause>>, Exhausted> {
        if let Some(known) = done.get(&id) {
            return Ok(Rc::clone(known));
        }
        let clauses = stacker::maybe_grow(64 << 10, 1 << 20, || {
            Ok::<_, Exhausted>(match self.formula(id) {
                Formula::True => vec![Vec::new()],
                Formula::False => Vec::new(),
                Formula::All(children) => {
                    let mut product: Vec<Clause> = vec![Vec::new()];
                    for &child in children {
                        product = self.multiply(product, &self.clauses_shared(child, done)?)?;
                    }
                    product
                }
                Formula::Any(children) => {
                    let mut sum: Vec<Clause> = Vec::new();
                    let mut seen: FxHashSet<Clause> = FxHashSet::default();
                    for &child in children {
                        for clause in self.clauses_shared(child, done)?.iter() {
                            if seen.insert(clause.clone()) {
                                sum.push(clause.clone());
                            }
                        }
                        check(sum.len())?;
                    }
                    sum
                }
                _ => vec![vec![id]],
            })
        })?;
        let clauses = Rc::new(clauses);
        done.insert(id, Rc::clone(&clauses));
        Ok(clauses)
    }

    /// The conjunction without those alternatives that are dead beside what holds anyway; `None` if there are none. An
    /// alternative is looked at if it is a conjunction of atoms.
    pub(crate) fn without_dead_alternatives(
        &self,
        id: FormulaId,
        lives: &mut dyn FnMut(&[FormulaId]) -> Result<bool, Exhausted>,
    ) -> Result<Option<FormulaId>, Exhausted> {
        let Formula::All(children) = self.formula(id) else { return Ok(None) };
        let is_any = |child: FormulaId| matches!(self.formula(child), Formula::Any(_));
        let anyway: Clause = children.iter().copied().filter(|&child| !is_any(child)).collect();
        let mut left = Vec::with_capacity(children.len());
        let mut found = false;
        for &child in children {
            let Formula::Any(alternatives) = self.formula(child) else {
                left.push(child);
                continue;
            };
            let mut kept = Vec::with_capacity(alternatives.len());
            for &alternative in alternatives {
                let mut clause = anyway.clone();
                self.atoms(alternative, &mut clause);
                dedup_in_order(&mut clause);
                if !self.is_conjunction(alternative) || lives(&clause)? {
                    kept.push(alternative);
                }
            }
            found |= kept.len() < alternatives.len();
            left.push(self.any(kept));
        }
        Ok(found.then(|| self.all(left)))
    }

    /// Whether the formula is a conjunction of atoms: exactly one clause, whatever is read.
    pub(crate) fn is_conjunction(&self, id: FormulaId) -> bool {
        match self.formula(id) {
            Formula::All(children) => {
                children.iter().all(|&child| !matches!(self.formula(child), Formula::Any(_)))
            }
            Formula::Any(_) => false,
            _ => true,
        }
    }

    /// The atoms of a formula, in source order. A shared part gives its atoms once.
    pub(crate) fn atoms(&self, id: FormulaId, into: &mut Vec<FormulaId>) {
        let mut seen = FxHashSet::default();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            match self.formula(id) {
                Formula::True | Formula::False => {}
                Formula::All(children) | Formula::Any(children) => {
                    if seen.insert(id) {
                        open.extend(children.iter().rev());
                    }
                }
                Formula::Link(link) => open.push(self.open_link(*link)),
                _ => into.push(id),
            }
        }
    }

    /// The atoms of several formulas, in order, each once.
    pub(crate) fn atoms_of(&self, formulas: &[FormulaId]) -> Vec<FormulaId> {
        let mut atoms = Vec::new();
        for &formula in formulas {
            self.atoms(formula, &mut atoms);
        }
        dedup_in_order(&mut atoms);
        atoms
    }

    /// Replaces atoms by constants or other atoms; atoms that `change` leaves alone stay.
    pub(crate) fn substitute(
        &self,
        id: FormulaId,
        mut change: impl FnMut(FormulaId, &Formula) -> FormulaId,
    ) -> FormulaId {
        if id == FALSE { id } else { self.rewrite(id, &mut change) }
    }
}

/// Below so many clauses it costs more to look for contradictions than to keep them.
const PRUNED_FROM: usize = 64;

impl Universe {
    /// Every clause of the one with every clause of the other. Where they are many, those that contradict themselves
    /// are left out: a name is required and may have no value.
    fn multiply(&self, left: Vec<Clause>, right: &[Clause]) -> Result<Vec<Clause>, Exhausted> {
        if let [only] = right {
            let mut product = left;
            for clause in &mut product {
                clause.extend_from_slice(only);
                dedup_in_order(clause);
            }
            return Ok(product);
        }
        let prune = left.len().saturating_mul(right.len()) >= PRUNED_FROM;
        let mut product: Vec<Clause> = Vec::new();
        let mut seen: FxHashSet<Clause> = FxHashSet::default();
        for a in &left {
            for b in right {
                let mut clause = [a.as_slice(), b.as_slice()].concat();
                dedup_in_order(&mut clause);
                if !(prune && self.contradicts_itself(&clause)?) && seen.insert(clause.clone()) {
                    product.push(clause);
                    check(product.len())?;
                }
            }
        }
        Ok(product)
    }

    fn contradicts_itself(&self, clause: &[FormulaId]) -> Result<bool, Exhausted> {
        for &atom in clause {
            let Formula::Required(name) = self.formula(atom) else { continue };
            for &other in clause {
                if matches!(self.formula(other), Formula::Members(_))
                    && self.applies_to_member(other, KeyClass::Known(*name))? == Some(FALSE)
                {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}

fn check(count: usize) -> Result<(), Exhausted> {
    if count > limits::CLAUSES_MAX {
        return Err(exhausted(format!(
            "which of more than {} combinations of alternatives (CLAUSES_MAX) can still hold",
            limits::CLAUSES_MAX
        )));
    }
    Ok(())
}
