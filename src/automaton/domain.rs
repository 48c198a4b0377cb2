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
    /// It was not found out.
    Unknown,
}

impl Universe {
    /// The number of values that satisfy a formula. `depth`: how many such questions this one is part of.
    pub(crate) fn domain(&self, id: FormulaId, depth: usize) -> Domain {
        if let Some(known) = self.domain_memo.get(&id) {
            return *known;
        }
        if depth > DOMAIN_DEPTH_MAX {
            return Domain::Unknown;
        }
        let found = stacker::maybe_grow(64 << 10, 1 << 20, || self.find_domain(id, depth));
        if found != Domain::Unknown || depth == 0 {
            self.domain_memo.insert(id, found);
        }
        found
    }

    fn find_domain(&self, id: FormulaId, depth: usize) -> Domain {
        let mut sum = Domain::Finite(0);
        for kind in KINDS {
            let at_kind = self.at_kind(id, kind);
            if at_kind == FALSE {
                continue;
            }
            // A question that is too hard leaves it open.
            let here = self.domain_at(at_kind, kind, depth).unwrap_or(Domain::Unknown);
            sum = match (sum, here) {
                (_, Domain::Endless) => return Domain::Endless,
                (Domain::Finite(a), Domain::Finite(b)) => Domain::Finite(a.saturating_add(b)),
                _ => Domain::Unknown,
            };
        }
        sum
    }

    fn domain_at(&self, at_kind: FormulaId, kind: Kinds, depth: usize) -> Result<Domain, Exhausted> {
        let container = matches!(kind, Kinds::OBJECT | Kinds::ARRAY);
        if container && let Some(alternatives) = self.first_alternatives(at_kind) {
            // Endless if one of them is; how many values several have together is not counted.
            if depth > DOMAIN_DEPTH_MAX {
                return Ok(Domain::Unknown);
            }
            let mut most = Domain::Finite(0);
            for alternative in alternatives {
                match self.domain_at(alternative, kind, depth + 1)? {
                    Domain::Endless => return Ok(Domain::Endless),
                    Domain::Finite(0) => {}
                    _ => most = Domain::Unknown,
                }
            }
            return Ok(most);
        }
        let satisfiable = |formula: FormulaId| {
            Ok::<_, Exhausted>(matches!(
                Search::at_depth(self, depth + 1).at_kind(formula, kind)?,
                Verdict::Yes
            ))
        };
        let term = match kind {
            Kinds::STRING if self.has_sentence(at_kind) => return Ok(Domain::Unknown),
            Kinds::STRING => self.string_term(at_kind),
            Kinds::NUMBER => {
                let term = self.number_term(at_kind);
                match self.terms.count_values(term) {
                    Some(Count::Endless) => return Ok(Domain::Endless),
                    Some(Count::Finite(count)) => return Ok(Domain::Finite(count)),
                    Some(Count::Unknown) => return Ok(Domain::Unknown),
                    // One spelling for each value.
                    None => self.terms.and(&[term, self.plainest_numbers()?]),
                }
            }
            Kinds::OBJECT | Kinds::ARRAY => {
                if !satisfiable(at_kind)? {
                    return Ok(Domain::Finite(0));
                }
                let least = |n| {
                    let least =
                        if kind == Kinds::OBJECT { Formula::MinMembers(n) } else { Formula::MinItems(n) };
                    self.all([at_kind, self.make(least)])
                };
                if !satisfiable(least(1))? {
                    return Ok(Domain::Finite(1));
                }
                let endless = if kind == Kinds::OBJECT {
                    satisfiable(least(ENDLESS_FROM))?
                        || self.some_member_varies(at_kind, &satisfiable, depth)?
                } else {
                    self.items_vary(at_kind, least(1), &satisfiable, depth)?
                };
                return Ok(if endless { Domain::Endless } else { Domain::Unknown });
            }
            _ => return Ok(Domain::Finite(u64::from(satisfiable(at_kind)?))),
        };
        self.text_count(term)
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
                None => Domain::Unknown,
            },
            None => Domain::Unknown,
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
    fn plainest_numbers(&self) -> Result<TermId, Exhausted> {
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

    /// Whether so many items can differ where no two may be equal; `None` if that is not plain to see.
    pub(crate) fn enough_items(&self, clause: &[FormulaId], min: u64, depth: usize) -> Option<bool> {
        let mut needed = min;
        let mut wanted: Vec<(FormulaId, u64)> = Vec::new();
        // What every item must satisfy, without conditions that have exceptions.
        let mut strict: Vec<FormulaId> = Vec::new();
        let (mut longest, mut uniform) = (0, true);
        for &atom in clause {
            match self.formula(atom) {
                Formula::Items { prefix, except, .. } => {
                    longest = longest.max(prefix.len());
                    uniform &= *except == 0;
                    strict.extend((*except == 0).then_some(atom));
                }
                Formula::AtLeast { prefix, rest, count } => {
                    longest = longest.max(prefix.len());
                    needed = needed.saturating_add(*count);
                    wanted.extend(prefix.iter().chain([rest]).map(|&wanted| (wanted, *count)));
                }
                _ => {}
            }
        }
        if needed <= 1 {
            return Some(true);
        }
        if wanted.is_empty() && longest == 0 && uniform {
            return match self.domain(self.item_value(clause, 0), depth) {
                Domain::Endless => Some(true),
                Domain::Finite(count) => Some(count >= needed),
                Domain::Unknown => None,
            };
        }
        let is_endless = |value| {
            // Where no value is possible there is no item that could be equal.
            matches!(self.domain(value, depth), Domain::Endless | Domain::Finite(0))
        };
        let positions = || 0..=longest;
        let all_endless = positions().all(|index| is_endless(self.item_value(clause, index)))
            && positions().all(|index| is_endless(self.item_value(&strict, index)));
        let rest = self.item_value(&strict, longest);
        for (wanted, count) in wanted {
            match self.domain(self.all([wanted, rest]), depth) {
                Domain::Endless => {}
                Domain::Finite(values) if longest == 0 && values < count => return Some(false),
                _ => return None,
            }
        }
        all_endless.then_some(true)
    }
}
