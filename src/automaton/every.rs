//! What all conditions on every member ask of one member, without asking each condition.

use rustc_hash::FxHashMap;

use crate::automaton::applies::KeyClass;
use crate::automaton::formula::{Formula, NameId, TRUE};
use crate::automaton::universe::Universe;
use crate::error::Exhausted;
use crate::index::FormulaId;

/// Conditions on every member, by the names of which they say something.
#[derive(Default)]
pub(crate) struct Every {
    /// Of the conditions that speak of declared names only: what they ask, by name.
    declared: FxHashMap<NameId, Vec<FormulaId>>,
    /// The other conditions.
    others: Vec<FormulaId>,
    /// All conditions, in order.
    atoms: Vec<FormulaId>,
}

impl Every {
    pub(crate) fn push(&mut self, universe: &Universe, atom: FormulaId) {
        let Formula::Members(members) = universe.formula(atom) else { return };
        self.atoms.push(atom);
        if members.rest == TRUE && members.patterns.is_empty() {
            for &(name, value) in &members.properties {
                self.declared.entry(name).or_default().push(value);
            }
        } else {
            self.others.push(atom);
        }
    }

    /// All conditions.
    pub(crate) fn atoms(&self) -> &[FormulaId] {
        &self.atoms
    }

    /// What the value of a member must satisfy.
    pub(crate) fn value(&self, universe: &Universe, class: KeyClass) -> Result<FormulaId, Exhausted> {
        let mut parts = Vec::with_capacity(self.others.len() + 1);
        for &atom in &self.others {
            parts.extend(universe.applies_to_member(atom, class)?);
        }
        if let KeyClass::Known(name) = class {
            parts.extend(self.declared.get(&name).into_iter().flatten());
        }
        Ok(universe.all(parts))
    }
}
