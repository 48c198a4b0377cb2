//! Clauses: the alternatives of a positive formula over the atoms of one container.
//!
//! A formula over object (or array) atoms is true iff one of its clauses is: a clause is a list of atoms that
//! must all hold. Plain schemas have exactly one. Where there are more than a few they are never listed: they are the leaves of a search
//! that chooses one alternative after the other, looks ahead at all that are still to be chosen, and takes first where
//! least is left to choose (David, Logemann and Loveland, "A machine program for theorem-proving", 1962). It is capped by
//! [`limits::ALTERNATIVES_MAX`]; beyond it the question ends as `Exhausted`, never as a guess.

use rustc_hash::FxHashSet;

use crate::automaton::applies::KeyClass;
use crate::automaton::effort;
use crate::automaton::formula::{FALSE, Formula, NameId, TRUE, dedup_in_order, exhausted};
use crate::automaton::universe::Universe;
use crate::error::Exhausted;
use crate::index::FormulaId;
use crate::limits;

/// Atoms that must all hold, in source order.
pub(crate) type Clause = Vec<FormulaId>;

/// Whether atoms can all hold. Fewer of them can if more can.
pub(crate) type Holds<'h> = dyn FnMut(&[FormulaId]) -> Result<bool, Exhausted> + 'h;

impl Universe {
    /// Whether some clause of a formula whose atoms all speak of one container kind holds.
    pub(crate) fn some_clause(&self, id: FormulaId, holds: &mut Holds<'_>) -> Result<bool, Exhausted> {
        if id == FALSE {
            return Ok(false);
        }
        let mut choosing = Choosing { universe: self, holds, looked_at: 0, too_hard: None };
        let mut chosen = Chosen::default();
        chosen.add(self, id);
        let found = choosing.choose(chosen)?;
        match choosing.too_hard {
            Some(question) if !found => Err(question),
            _ => Ok(found),
        }
    }

    /// The clauses of a formula whose atoms all speak of one container kind; `None` if they are many.
    pub(crate) fn few_clauses(&self, id: FormulaId) -> Option<Vec<Vec<FormulaId>>> {
        let mut clauses = vec![Vec::new()];
        for conjunct in self.conjuncts(id) {
            let alternatives = match self.formula(conjunct) {
                Formula::True => continue,
                Formula::False => return Some(Vec::new()),
                Formula::Any(alternatives) => alternatives.to_vec(),
                _ => vec![conjunct],
            };
            let mut longer = Vec::new();
            for alternative in alternatives {
                let inner = match self.formula(alternative) {
                    Formula::All(_) => {
                        stacker::maybe_grow(64 << 10, 1 << 20, || self.few_clauses(alternative))?
                    }
                    _ => vec![vec![alternative]],
                };
                for (clause, end) in
                    clauses.iter().flat_map(|clause| inner.iter().map(move |end| (clause, end)))
                {
                    longer.push([clause.as_slice(), end.as_slice()].concat());
                }
                if longer.len() > limits::CLAUSES_LISTED_MAX {
                    return None;
                }
            }
            clauses = longer;
        }
        Some(clauses)
    }
}

/// What has been chosen, and what is to be chosen yet.
#[derive(Clone, Default)]
struct Chosen {
    atoms: Clause,
    /// Lists of alternatives: one of each must hold.
    open: Vec<Vec<FormulaId>>,
}

impl Chosen {
    /// One more formula that must hold.
    fn add(&mut self, universe: &Universe, id: FormulaId) {
        match universe.formula(id) {
            Formula::All(conjuncts) => {
                conjuncts.iter().for_each(|&conjunct| self.add_part(universe, conjunct))
            }
            _ => self.add_part(universe, id),
        }
        dedup_in_order(&mut self.atoms);
    }

    fn add_part(&mut self, universe: &Universe, id: FormulaId) {
        match universe.formula(id) {
            Formula::True => {}
            Formula::Any(alternatives) => self.open.push(alternatives.to_vec()),
            _ => self.atoms.push(id),
        }
    }

    fn with(&self, universe: &Universe, alternative: FormulaId) -> Self {
        let mut more = self.clone();
        more.add(universe, alternative);
        more
    }
}

/// So many atoms make a combination large.
const LARGE: usize = 32;

struct Choosing<'u, 'h, 'c> {
    universe: &'u Universe,
    holds: &'h mut Holds<'c>,
    looked_at: usize,
    /// A clause that could not be decided: the answer hangs on it if no other clause holds.
    too_hard: Option<Exhausted>,
}

impl Choosing<'_, '_, '_> {
    fn choose(&mut self, mut chosen: Chosen) -> Result<bool, Exhausted> {
        if chosen.open.is_empty() {
            return self.may_hold(&chosen.atoms, true);
        }
        // All that is left together: often it holds.
        let mut together = chosen.atoms.clone();
        let left = chosen.open.iter().flatten().copied().collect::<Vec<_>>();
        together.extend(self.universe.atoms_of(&left));
        dedup_in_order(&mut together);
        self.charge(together.len() + left.len())?;
        if is_easy(self.universe, &together) && (self.holds)(&together) == Ok(true) {
            return Ok(true);
        }
        if self.first_come(chosen.clone())? {
            return Ok(true);
        }
        if !self.look_ahead(&mut chosen)? {
            return Ok(false);
        }
        let Some(fewest) = (0..chosen.open.len()).min_by_key(|&at| chosen.open[at].len()) else {
            return self.may_hold(&chosen.atoms, true);
        };
        for alternative in chosen.open.remove(fewest) {
            let way = chosen.with(self.universe, alternative);
            if stacker::maybe_grow(64 << 10, 1 << 20, || self.choose(way))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether it goes well to take the first alternative that holds beside those taken before.
    fn first_come(&mut self, mut chosen: Chosen) -> Result<bool, Exhausted> {
        while let Some(alternatives) = chosen.open.pop() {
            if alternatives.iter().any(|&alternative| self.holds_anyway(&chosen.atoms, alternative)) {
                continue;
            }
            let mut taken = false;
            for alternative in alternatives {
                let way = chosen.with(self.universe, alternative);
                if self.may_hold(&way.atoms, false)? {
                    (chosen, taken) = (way, true);
                    break;
                }
            }
            if !taken {
                return Ok(false);
            }
        }
        self.may_hold(&chosen.atoms, true)
    }

    /// Leaves out alternatives that are dead beside what is chosen, and lists of which one holds anyway; no if nothing of a list is
    /// left.
    fn look_ahead(&mut self, chosen: &mut Chosen) -> Result<bool, Exhausted> {
        let mut at = 0;
        while at < chosen.open.len() {
            if chosen.open[at].iter().any(|&alternative| self.holds_anyway(&chosen.atoms, alternative)) {
                chosen.open.remove(at);
                continue;
            }
            let mut kept = Vec::with_capacity(chosen.open[at].len());
            for &alternative in &chosen.open[at] {
                let with =
                    Chosen { atoms: chosen.atoms.clone(), open: Vec::new() }.with(self.universe, alternative);
                if self.may_hold(&with.atoms, false)? {
                    kept.push(alternative);
                }
            }
            match kept.as_slice() {
                [] => return Ok(false),
                // The others are looked at beside it.
                [only] => {
                    chosen.open.remove(at);
                    chosen.add(self.universe, *only);
                    at = 0;
                }
                _ => {
                    chosen.open[at] = kept;
                    at += 1;
                }
            }
        }
        Ok(true)
    }

    fn holds_anyway(&self, atoms: &[FormulaId], alternative: FormulaId) -> bool {
        self.universe.conjuncts(alternative).iter().all(|&conjunct| self.follows(atoms, conjunct))
    }

    /// Whether an atom is among others, or what they say of a member says it too.
    fn follows(&self, atoms: &[FormulaId], atom: FormulaId) -> bool {
        let universe = self.universe;
        let says = |name: NameId, value: FormulaId| {
            let key = KeyClass::Known(name);
            let every = atoms.iter().filter(|&&atom| matches!(universe.formula(atom), Formula::Members(_)));
            let of_name = every.filter_map(|&atom| universe.applies_to_member(atom, key).ok().flatten());
            universe.plainly_implies(universe.all(of_name), value)
        };
        atoms.contains(&atom)
            || match universe.formula(atom) {
                Formula::Members(members) => {
                    members.rest == TRUE
                        && members.patterns.is_empty()
                        && members.properties.iter().all(|&(name, value)| says(name, value))
                }
                Formula::SomeMember(_) => atoms.iter().any(|&required| match universe.formula(required) {
                    Formula::Required(name) => universe
                        .applies_to_member(atom, KeyClass::Known(*name))
                        .is_ok_and(|applies| applies.is_some_and(|value| says(*name, value))),
                    _ => false,
                }),
                _ => false,
            }
    }

    /// Counts a combination; a large one counts more than once, since it takes longer to look at.
    fn charge(&mut self, size: usize) -> Result<(), Exhausted> {
        let steps = 1 + size / LARGE;
        effort::spend(steps)?;
        self.looked_at += steps;
        if self.looked_at <= limits::ALTERNATIVES_MAX {
            return Ok(());
        }
        Err(exhausted(format!(
            "which of more than {} combinations of alternatives (ALTERNATIVES_MAX) can still hold",
            limits::ALTERNATIVES_MAX
        )))
    }

    /// Whether atoms can hold; a question too hard counts as yes on the way, and at the end (`all` that must hold) as no that
    /// is not sure.
    fn may_hold(&mut self, atoms: &[FormulaId], all: bool) -> Result<bool, Exhausted> {
        self.charge(atoms.len())?;
        match (self.holds)(atoms) {
            Err(question) if all => {
                self.too_hard.get_or_insert(question);
                Ok(false)
            }
            Err(_) => Ok(true),
            known => known,
        }
    }
}

/// More conditions that ask for some member or item make many choices.
const EASY_CONDITIONS_MAX: usize = 4;

/// Whether few of the atoms ask for a member or an item.
pub(crate) fn is_easy(universe: &Universe, atoms: &[FormulaId]) -> bool {
    let asks = |atom: &&FormulaId| {
        matches!(universe.formula(**atom), Formula::SomeMember(_) | Formula::AtLeast { .. })
    };
    atoms.iter().filter(asks).count() <= EASY_CONDITIONS_MAX
}

impl Universe {
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
