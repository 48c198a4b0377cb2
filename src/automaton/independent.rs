//! Alternatives of an object that have nothing to do with each other.
//!
//! A conjunction of alternatives has as many clauses as the product of theirs. But whether an object can be completed is asked name
//! by name, where nothing counts members or asks for some: each required name needs a value that satisfies all that applies to it.
//! So alternatives that speak of different names can be decided one group at a time, each with the conjuncts that hold
//! anyway. The product becomes a sum.

use rustc_hash::FxHashMap;

use crate::automaton::formula::{Formula, NameId, TRUE};
use crate::automaton::universe::Universe;
use crate::index::{FormulaId, narrow, widen};

impl Universe {
    /// The formula over object atoms as a conjunction of independent ones; `None` if it is one group.
    pub(crate) fn independent_parts(&self, id: FormulaId) -> Option<Vec<FormulaId>> {
        let Formula::All(children) = self.formula(id) else { return None };
        let (alternatives, anyway): (Vec<FormulaId>, Vec<FormulaId>) =
            children.iter().partition(|&&child| matches!(self.formula(child), Formula::Any(_)));
        // Where no comma can be spelled, how many members there are counts.
        let countless = self.spelling.has(b',');
        if !countless || alternatives.len() < 2 || anyway.iter().any(|&atom| !self.is_by_name(atom)) {
            return None;
        }
        // Groups of alternatives that share a name, as a forest.
        let mut group: Vec<u32> = (0..narrow(alternatives.len())).collect();
        let mut first_with: FxHashMap<NameId, u32> = FxHashMap::default();
        for (at, &alternative) in (0u32..).zip(&alternatives) {
            for name in self.names_of(alternative)? {
                let first = *first_with.entry(name).or_insert(at);
                let (a, b) = (root(&group, first), root(&group, at));
                group[widen(a.max(b))] = a.min(b);
            }
        }
        let mut parts: FxHashMap<u32, Vec<FormulaId>> = FxHashMap::default();
        let mut order: Vec<u32> = Vec::new();
        for (at, &alternative) in (0u32..).zip(&alternatives) {
            let group = root(&group, at);
            let part = parts.entry(group).or_insert_with(|| {
                order.push(group);
                anyway.clone()
            });
            part.push(alternative);
        }
        (order.len() > 1).then(|| order.iter().map(|group| self.all(parts[group].iter().copied())).collect())
    }

    /// Whether an atom is about names one by one: it does not count members, nor ask for some.
    fn is_by_name(&self, atom: FormulaId) -> bool {
        matches!(self.formula(atom), Formula::True | Formula::Members(_) | Formula::Required(_))
    }

    /// The names that an alternative speaks of; `None` if it speaks of all.
    fn names_of(&self, alternative: FormulaId) -> Option<Vec<NameId>> {
        let mut names = Vec::new();
        for atom in self.atoms_of(&[alternative]) {
            match self.formula(atom) {
                Formula::Required(name) => names.push(*name),
                Formula::Members(members) if members.rest == TRUE && members.patterns.is_empty() => {
                    let told = members.properties.iter().filter(|(_, value)| *value != TRUE);
                    names.extend(told.map(|(name, _)| *name));
                }
                _ => return None,
            }
        }
        Some(names)
    }
}

fn root(group: &[u32], mut at: u32) -> u32 {
    while group[widen(at)] != at {
        at = group[widen(at)];
    }
    at
}
