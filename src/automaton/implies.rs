//! What one formula plainly says about another: that it follows, or that both can't hold.
//!
//! "Yes" is sure, "no" may only mean that it is not plain. So a choice that is no choice is not tried: beside `"type":
//! {"const": "a"}` the opposite of `"b"` holds anyway. Texts and numbers are compared as languages, as far as that takes few
//! steps; arrays and objects only by their conjuncts.

use crate::automaton::formula::{FALSE, Formula, TRUE};
use crate::automaton::satisfiable::KINDS;
use crate::automaton::term::Kind;
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
        let is_term = kind != Kinds::STRING || !self.has_sentence(other);
        match self.term_at(one, kind).filter(|_| is_term) {
            Some(term) => {
                let beyond = self.terms.and(&[term, self.terms.not(self.beside_syntax(self.term_of(other)))]);
                self.terms.is_soon_nothing(beyond, PLAIN_TERMS_MAX)
            }
            None => {
                let conjuncts = self.conjuncts(one);
                self.conjuncts(other).iter().all(|conjunct| conjuncts.contains(conjunct))
            }
        }
    }

    /// Whether two of a formula's conjuncts are opposites of each other.
    pub(crate) fn contradicts_itself(&self, id: FormulaId) -> bool {
        if self.opposites.is_empty() || !matches!(self.formula(id), Formula::All(_)) {
            return false;
        }
        let conjuncts = self.conjuncts_behind_links(id);
        conjuncts.iter().any(|conjunct| {
            let opposite = self.opposites.get(conjunct).map(|found| *found);
            opposite.is_some_and(|opposite| {
                self.conjuncts_behind_links(opposite).iter().all(|part| conjuncts.contains(part))
            })
        })
    }

    fn conjuncts_behind_links(&self, id: FormulaId) -> Vec<FormulaId> {
        let mut conjuncts: Vec<FormulaId> = Vec::new();
        let mut open = vec![id];
        while let Some(part) = open.pop() {
            match self.formula(part) {
                Formula::All(parts) => open.extend(parts),
                Formula::Link(link) => open.push(self.open_link(*link)),
                _ => conjuncts.push(part),
            }
        }
        conjuncts
    }

    /// Whether plainly no value satisfies a formula.
    pub(crate) fn is_plainly_unsatisfiable(&self, id: FormulaId) -> bool {
        if self.contradicts_itself(id) {
            return true;
        }
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
            Kinds::STRING if self.has_sentence(at_kind) => None,
            Kinds::STRING => Some(self.term_of(at_kind)),
            Kinds::NUMBER => Some(self.terms.and(&[self.number_syntax, self.term_of(at_kind)])),
            _ => None,
        }
    }

    /// What a term asks of a number beside the number syntax, which holds anyway: the syntax counts digits, and its complement is large.
    fn beside_syntax(&self, term: TermId) -> TermId {
        let parts = |term: TermId| match self.terms.kind(term) {
            Kind::And(members) => members.to_vec(),
            _ => vec![term],
        };
        let syntax = parts(self.number_syntax);
        let mut left = parts(term);
        if !syntax.iter().all(|part| left.contains(part)) {
            return term;
        }
        left.retain(|part| !syntax.contains(part));
        self.terms.and(&left)
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
