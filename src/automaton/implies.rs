//! What one formula plainly says about another: that it follows, or that both can't hold.
//!
//! "Yes" is sure, "no" may only mean that it is not plain. So a choice that is no choice is not tried: beside `"type":
//! {"const": "a"}` the opposite of `"b"` holds anyway. Texts and numbers are compared as languages, as far as that takes few
//! steps; arrays and objects only by their conjuncts.

use crate::automaton::formula::{FALSE, Formula, TRUE};
use crate::automaton::satisfiable::KINDS;
use crate::automaton::universe::Universe;
use crate::grammar::program::Kinds;
use crate::index::{FormulaId, TermId};
use crate::limits::PLAIN_TERMS_MAX;

impl Universe {
    /// Whether every value that satisfies the one plainly satisfies the other.
    pub(crate) fn plainly_implies(&self, one: FormulaId, other: FormulaId) -> bool {
        if one == FALSE || other == TRUE || one == other {
            return true;
        }
        if one == TRUE || other == FALSE {
            return false;
        }
        if let Some(known) = self.implies_memo.get(&(one, other)) {
            return *known;
        }
        let implied = KINDS.into_iter().all(|kind| self.implies_at(one, other, kind));
        self.implies_memo.insert((one, other), implied);
        implied
    }

    fn implies_at(&self, one: FormulaId, other: FormulaId, kind: Kinds) -> bool {
        let (one, other) = (self.at_kind(one, kind), self.at_kind(other, kind));
        if one == FALSE || other == TRUE || one == other {
            return true;
        }
        if other == FALSE {
            return self.is_plainly_empty(one, kind);
        }
        match self.term_at(one, kind) {
            Some(term) => {
                let beyond = self.terms.and(&[term, self.terms.not(self.term_of(other))]);
                self.terms.is_soon_nothing(beyond, PLAIN_TERMS_MAX)
            }
            None => {
                let conjuncts = self.conjuncts(one);
                self.conjuncts(other).iter().all(|conjunct| conjuncts.contains(conjunct))
            }
        }
    }

    /// Whether plainly no value satisfies a formula.
    pub(crate) fn is_plainly_unsatisfiable(&self, id: FormulaId) -> bool {
        KINDS.into_iter().all(|kind| self.is_plainly_empty(self.at_kind(id, kind), kind))
    }

    fn is_plainly_empty(&self, at_kind: FormulaId, kind: Kinds) -> bool {
        at_kind == FALSE
            || self
                .term_at(at_kind, kind)
                .is_some_and(|term| self.terms.is_soon_nothing(term, PLAIN_TERMS_MAX))
    }

    /// The texts of a string or a number.
    fn term_at(&self, at_kind: FormulaId, kind: Kinds) -> Option<TermId> {
        match kind {
            Kinds::STRING => Some(self.term_of(at_kind)),
            Kinds::NUMBER => Some(self.terms.and(&[self.number_syntax, self.term_of(at_kind)])),
            _ => None,
        }
    }

    /// The parts of a conjunction; a formula of another shape is its only part.
    pub(crate) fn conjuncts(&self, id: FormulaId) -> Vec<FormulaId> {
        match self.formula(id) {
            Formula::All(conjuncts) => conjuncts.to_vec(),
            _ => vec![id],
        }
    }

    /// The parts of a disjunction; a formula of another shape is its only part.
    pub(crate) fn alternatives(&self, id: FormulaId) -> Vec<FormulaId> {
        match self.formula(id) {
            Formula::Any(alternatives) => alternatives.to_vec(),
            _ => vec![id],
        }
    }
}
