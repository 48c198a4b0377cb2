//! How many values satisfy a formula: no fewer than anything can hold, or so many, as far as it is plain to see.
//!
//! Where no two items of an array may be equal, an endless domain never runs out, and a small one must have values enough.

use crate::automaton::applies::KeyClass;
use crate::automaton::formula::{FALSE, Formula, NameId};
use crate::automaton::satisfiable::{KINDS, Search, Verdict};
use crate::automaton::universe::Universe;
use crate::error::Exhausted;
use crate::grammar::Count;
use crate::grammar::number;
use crate::grammar::program::Kinds;
use crate::index::{FormulaId, TermId};
use crate::limits::{DOMAIN_DEPTH_MAX, ENDLESS_FROM};

/// See the module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Domain {
    /// More values than anything can hold.
    Endless,
    /// Exactly so many.
    Finite(u64),
    /// So many at least: it was not found out.
    AtLeast(u64),
}

impl Domain {
    /// Whether there are so many values; `None` if it is not known.
    pub(crate) fn has(self, count: u64) -> Option<bool> {
        match self {
            Self::Endless => Some(true),
            Self::Finite(values) => Some(values >= count),
            Self::AtLeast(values) => (values >= count).then_some(true),
        }
    }
}

/// Nothing is known.
const UNKNOWN: Domain = Domain::AtLeast(0);

impl Universe {
    /// The number of values that satisfy a formula. `depth`: how many such questions this one is part of.
    pub(crate) fn domain(&self, id: FormulaId, depth: usize) -> Domain {
        if let Some(known) = self.domain_memo.get(&id) {
            return *known;
        }
        if depth > DOMAIN_DEPTH_MAX {
            return UNKNOWN;
        }
        let mut too_hard = false;
        let found = stacker::maybe_grow(64 << 10, 1 << 20, || self.find_domain(id, depth, &mut too_hard));
        // What is not found out deep inside another question, or by a call that has spent its budget, may be by the next.
        if !matches!(found, Domain::AtLeast(_)) || (depth == 0 && !too_hard) {
            self.domain_memo.insert(id, found);
        }
        found
    }

    fn find_domain(&self, id: FormulaId, depth: usize, too_hard: &mut bool) -> Domain {
        let mut sum = Domain::Finite(0);
        for kind in KINDS {
            let at_kind = self.at_kind(id, kind);
            if at_kind == FALSE {
                continue;
            }
            // A question that is too hard leaves it open.
            let here = self.domain_at(at_kind, kind, depth).unwrap_or_else(|_| {
                *too_hard = true;
                UNKNOWN
            });
            sum = match (sum, here) {
                (_, Domain::Endless) => return Domain::Endless,
                (Domain::Finite(a), Domain::Finite(b)) => Domain::Finite(a.saturating_add(b)),
                (Domain::Finite(a) | Domain::AtLeast(a), Domain::Finite(b) | Domain::AtLeast(b)) => {
                    Domain::AtLeast(a.saturating_add(b))
                }
                (Domain::Endless, _) => Domain::Endless,
            };
        }
        sum
    }

    fn domain_at(&self, at_kind: FormulaId, kind: Kinds, depth: usize) -> Result<Domain, Exhausted> {
        if matches!(kind, Kinds::OBJECT | Kinds::ARRAY) {
            return match self.container_varies(at_kind, kind, depth) {
                Ok(true) => Ok(Domain::Endless),
                _ => Ok(match self.containers_counted(at_kind, kind, depth)? {
                    (count, true) => Domain::Finite(count),
                    (count, false) => Domain::AtLeast(count),
                }),
            };
        }
        let term = match kind {
            Kinds::STRING if self.has_sentence(at_kind) => return Ok(UNKNOWN),
            Kinds::STRING => self.string_term(at_kind),
            Kinds::NUMBER => {
                let term = self.number_term(at_kind);
                match self.terms.count_values(term) {
                    Some(Count::Endless) => return Ok(Domain::Endless),
                    Some(Count::Finite(count)) => return Ok(Domain::Finite(count)),
                    Some(Count::Unknown) => return Ok(UNKNOWN),
                    // One spelling for each value.
                    None => self.terms.and(&[term, self.plainest_numbers()?]),
                }
            }
            _ => {
                let verdict = Search::at_depth(self, depth + 1).at_kind(at_kind, kind)?;
                return Ok(Domain::Finite(u64::from(matches!(verdict, Verdict::Yes))));
            }
        };
        self.text_count(term)
    }

    /// Whether an object or array varies endlessly: one of its alternatives does.
    fn container_varies(&self, at_kind: FormulaId, kind: Kinds, depth: usize) -> Result<bool, Exhausted> {
        if let Some(alternatives) = self.first_alternatives(at_kind) {
            if depth > DOMAIN_DEPTH_MAX {
                return Ok(false);
            }
            for alternative in alternatives {
                if self.container_varies(alternative, kind, depth + 1)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        let satisfiable = |formula: FormulaId| {
            let verdict = Search::at_depth(self, depth + 1).at_kind(formula, kind)?;
            Ok::<_, Exhausted>(matches!(verdict, Verdict::Yes))
        };
        let least = |n| {
            let least = if kind == Kinds::OBJECT { Formula::MinMembers(n) } else { Formula::MinItems(n) };
            self.all([at_kind, self.make(least)])
        };
        if !satisfiable(at_kind)? || !satisfiable(least(1))? {
            return Ok(false);
        }
        if kind == Kinds::OBJECT {
            Ok(satisfiable(least(ENDLESS_FROM))? || self.some_member_varies(at_kind, &satisfiable, depth)?)
        } else {
            self.items_vary(at_kind, least(1), &satisfiable, depth)
        }
    }

    /// How many texts a term matches.
    pub(crate) fn text_count(&self, term: TermId) -> Result<Domain, Exhausted> {
        if let Some(known) = self.text_counts.get(&term) {
            return Ok(*known);
        }
        let count = match self.terms.is_infinite(term)? {
            Some(true) => Domain::Endless,
            Some(false) => match self.terms.count_texts(term)? {
                Some(count) if count >= ENDLESS_FROM => Domain::Endless,
                Some(count) => Domain::Finite(count),
                None => UNKNOWN,
            },
            None => UNKNOWN,
        };
        self.text_counts.insert(term, count);
        Ok(count)
    }

    /// The formula once for each alternative of its first disjunction.
    fn first_alternatives(&self, id: FormulaId) -> Option<Vec<FormulaId>> {
        let conjuncts = self.conjuncts(id);
        let at = conjuncts.iter().position(|&conjunct| matches!(self.formula(conjunct), Formula::Any(_)))?;
        let with = |alternative: FormulaId| {
            self.all(
                conjuncts
                    .iter()
                    .map(|&conjunct| if conjunct == conjuncts[at] { alternative } else { conjunct }),
            )
        };
        Some(self.alternatives(conjuncts[at]).into_iter().map(with).collect())
    }

    /// Plain spellings without zeros that say nothing, and without `-0`.
    pub(crate) fn plainest_numbers(&self) -> Result<TermId, Exhausted> {
        self.terms
            .from_regex(&number::plainest())
            .map_err(|e| crate::automaton::formula::exhausted(e.to_string()))
    }

    /// Whether the value under some name that the formula lists varies endlessly.
    fn some_member_varies(
        &self,
        at_object: FormulaId,
        satisfiable: &dyn Fn(FormulaId) -> Result<bool, Exhausted>,
        depth: usize,
    ) -> Result<bool, Exhausted> {
        let conjuncts = self.conjuncts(at_object);
        let mut names: Vec<NameId> = Vec::new();
        for &conjunct in &conjuncts {
            match self.formula(conjunct) {
                Formula::Members(members) => names.extend(members.properties.iter().map(|(name, _)| *name)),
                Formula::Required(name) => names.push(*name),
                _ => {}
            }
        }
        names.sort_unstable();
        names.dedup();
        for name in names {
            let mut parts = Vec::new();
            for &conjunct in &conjuncts {
                if matches!(self.formula(conjunct), Formula::Members(_)) {
                    parts.extend(self.applies_to_member(conjunct, KeyClass::Known(name))?);
                }
            }
            let required = self.make(Formula::Required(name));
            if self.domain(self.all(parts), depth + 1) == Domain::Endless
                && satisfiable(self.all([at_object, required]))?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the first item varies endlessly, or there may be as many as one likes.
    fn items_vary(
        &self,
        at_array: FormulaId,
        with_one: FormulaId,
        satisfiable: &dyn Fn(FormulaId) -> Result<bool, Exhausted>,
        depth: usize,
    ) -> Result<bool, Exhausted> {
        let conjuncts = self.conjuncts(at_array);
        let first = self.item_value(&conjuncts, 0);
        if satisfiable(with_one)? && self.domain(first, depth + 1) == Domain::Endless {
            return Ok(true);
        }
        let many = self.make(Formula::MinItems(ENDLESS_FROM));
        satisfiable(self.all([at_array, many]))
    }
}
