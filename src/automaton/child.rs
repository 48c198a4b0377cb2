//! What a container asks of the value of its next member or item.
//!
//! The value must satisfy a formula of its own: that some way is left to complete the container. It is built from
//! the alternatives of the container's formula. In one alternative every atom has to hold at the end: atoms that fail for
//! good if the value does not satisfy them make the value's duty, the others may be satisfied now or later, as far as there is
//! a later. What the duty does not settle is asked, and the answers select where the container goes on.

use rustc_hash::FxHashMap;

use crate::automaton::clause;
use crate::automaton::effort;
use crate::automaton::formula::{FALSE, Formula, TRUE, dedup_in_order, exhausted};
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

/// Whether a container of which so much is left can be completed after the child.
pub(crate) type CanEnd<'a> = dyn Fn(FormulaId) -> Result<bool, Exhausted> + 'a;

impl Universe {
    /// What a child must satisfy so that the container can still be completed; `FALSE` if it can't.
    pub(crate) fn child_must(
        &self,
        must: FormulaId,
        applies: &Applies<'_>,
        can_end: &CanEnd<'_>,
    ) -> Result<FormulaId, Exhausted> {
        let mut duties = Duties { universe: self, applies, can_end, known: FxHashMap::default() };
        duties.of(must, &Answers { child: TRUE, decided: Vec::new() })
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

/// Which of the conditions that apply to a child it must satisfy: the sets of them that leave a way to the end.
///
/// More conditions satisfied never leave fewer ways, so the sets are a monotone function of the conditions: it is found by deciding
/// one condition after the other, until what is decided leaves a way whatever the others are, or none. What follows plainly from
/// the conditions satisfied is no choice.
///
/// The container's formula stays as it is before the child, but for what is decided for good: an answer that lowers a count is
/// given once, when it is asked whether the container can end.
struct Duties<'u, 'a> {
    universe: &'u Universe,
    applies: &'a Applies<'a>,
    can_end: &'a CanEnd<'a>,
    known: FxHashMap<Question, FormulaId>,
}

/// What has been said of the child so far.
#[derive(Clone)]
struct Answers {
    /// The conditions that it satisfies, together.
    child: FormulaId,
    /// All conditions that have been decided.
    decided: Vec<(FormulaId, bool)>,
}

impl Answers {
    fn with(&self, universe: &Universe, duty: FormulaId, holds: bool) -> Self {
        let mut more = self.clone();
        more.decided.push((duty, holds));
        if holds {
            more.child = universe.all([self.child, duty]);
        }
        more
    }
}

/// The container's formula, what the child satisfies, and the conditions decided that it still asks about.
type Question = (FormulaId, FormulaId, Vec<(FormulaId, bool)>);

impl Duties<'_, '_> {
    /// What the child must satisfy besides what it is known to.
    fn of(&mut self, must: FormulaId, answers: &Answers) -> Result<FormulaId, Exhausted> {
        let must = self.decide(must, answers)?;
        stacker::maybe_grow(64 << 10, 1 << 20, || self.find(must, answers))
    }

    /// The same of a formula in which all that the answers say has been said.
    fn find(&mut self, must: FormulaId, answers: &Answers) -> Result<FormulaId, Exhausted> {
        let universe = self.universe;
        if must == FALSE {
            return Ok(FALSE);
        }
        if let Formula::Any(alternatives) = universe.formula(must) {
            return self.alternatives(&[], alternatives, answers);
        }
        // What holds whatever alternative is taken.
        let mut answers = answers.clone();
        let mut duties = Vec::new();
        for conjunct in universe.conjuncts(must) {
            if let Some(duty) = self.open_duty(conjunct, &answers)?
                && universe.answered(conjunct, false) == FALSE
            {
                answers = answers.with(universe, duty, true);
                duties.push(duty);
            }
        }
        let duty = universe.all(duties);
        if duty == FALSE {
            return Ok(FALSE);
        }
        let must = if duty == TRUE { must } else { self.decide(must, &answers)? };
        if must == FALSE {
            return Ok(FALSE);
        }
        let rest = if universe.is_conjunction(must) {
            self.choose(must, &answers)?
        } else if let Some(rest) = self.whole(must, &answers)? {
            rest
        } else {
            let (alternatives, anyway): (Vec<FormulaId>, Vec<FormulaId>) = universe
                .conjuncts(must)
                .into_iter()
                .partition(|&part| matches!(universe.formula(part), Formula::Any(_)));
            match alternatives.as_slice() {
                [only] => self.alternatives(&anyway, &universe.alternatives(*only), &answers)?,
                _ => self.choose(must, &answers)?,
            }
        };
        Ok(universe.all([duty, rest]))
    }

    /// One alternative has to hold beside what holds anyway.
    fn alternatives(
        &mut self,
        anyway: &[FormulaId],
        alternatives: &[FormulaId],
        answers: &Answers,
    ) -> Result<FormulaId, Exhausted> {
        let universe = self.universe;
        let mut ways = Vec::with_capacity(alternatives.len());
        for &alternative in alternatives {
            let with = universe.all(anyway.iter().copied().chain([alternative]));
            let way = stacker::maybe_grow(64 << 10, 1 << 20, || self.find(with, answers))?;
            if way == TRUE {
                return Ok(TRUE);
            }
            ways.push(way);
        }
        Ok(universe.any(ways))
    }

    /// If all atoms together leave a way to the end, every alternative does: then the formula keeps its shape.
    fn whole(&self, must: FormulaId, answers: &Answers) -> Result<Option<FormulaId>, Exhausted> {
        let universe = self.universe;
        let mut left = Vec::new();
        let mut duties: FxHashMap<FormulaId, FormulaId> = FxHashMap::default();
        for atom in universe.atoms_of(&[must]) {
            left.push(match (self.applies)(atom)? {
                None => atom,
                Some(duty) => match self.known(duty, answers) {
                    Some(holds) => universe.answered(atom, holds),
                    None if universe.answered(atom, false) == FALSE => {
                        duties.insert(atom, duty);
                        universe.answered(atom, true)
                    }
                    None => universe.answered(atom, false),
                },
            });
        }
        // Too hard a question about all atoms may be easy for the alternatives.
        if !clause::is_easy(universe, &left) || (self.can_end)(universe.all(left)) != Ok(true) {
            return Ok(None);
        }
        Ok(Some(universe.substitute(must, |atom, _| duties.get(&atom).copied().unwrap_or(TRUE))))
    }

    /// Decides the first open condition, if that is needed.
    fn choose(&mut self, must: FormulaId, answers: &Answers) -> Result<FormulaId, Exhausted> {
        let universe = self.universe;
        let (mut open, mut asked) = (Vec::new(), Vec::new());
        for atom in universe.atoms_of(&[must]) {
            if let Some(duty) = self.open_duty(atom, answers)? {
                open.push(duty);
            } else if let Some(duty) = (self.applies)(atom)? {
                asked.extend(answers.decided.iter().filter(|known| known.0 == duty));
            }
        }
        dedup_in_order(&mut open);
        let question = (must, answers.child, asked);
        if let Some(&known) = self.known.get(&question) {
            return Ok(known);
        }
        effort::spend(1)?;
        if self.known.len() >= limits::DUTIES_MAX {
            return Err(exhausted(format!(
                "which of more than {} sets of conditions (DUTIES_MAX) one member or item must satisfy",
                limits::DUTIES_MAX
            )));
        }
        let duty = if (self.can_end)(self.answer(must, answers, false)?)? {
            TRUE
        } else if open.is_empty() || !(self.can_end)(self.answer(must, answers, true)?)? {
            FALSE
        } else {
            let first = open[0];
            if open.len() == 1 {
                first
            } else {
                let with = self.of(must, &answers.with(universe, first, true))?;
                let without = self.of(must, &answers.with(universe, first, false))?;
                universe.any([universe.all([first, with]), without])
            }
        };
        self.known.insert(question, duty);
        Ok(duty)
    }

    /// The condition that applies to the child for an atom, if it is neither decided nor follows from what is.
    fn open_duty(&self, atom: FormulaId, answers: &Answers) -> Result<Option<FormulaId>, Exhausted> {
        Ok((self.applies)(atom)?.filter(|&duty| self.known(duty, answers).is_none()))
    }

    /// Whether a condition holds, as far as it is decided or follows plainly.
    fn known(&self, duty: FormulaId, answers: &Answers) -> Option<bool> {
        let universe = self.universe;
        if let Some(&(_, holds)) = answers.decided.iter().find(|known| known.0 == duty) {
            return Some(holds);
        }
        if universe.plainly_implies(answers.child, duty) {
            Some(true)
        } else if universe.is_plainly_unsatisfiable(universe.all([answers.child, duty])) {
            Some(false)
        } else {
            None
        }
    }

    /// The formula without the atoms that the answers make true or false for good.
    fn decide(&self, must: FormulaId, answers: &Answers) -> Result<FormulaId, Exhausted> {
        self.substitute(must, |atom, duty| {
            let answered = self.universe.answered(atom, self.known(duty, answers)?);
            (answered == TRUE || answered == FALSE).then_some(answered)
        })
    }

    /// What is left of the container after the child, where all that is open has one answer.
    fn answer(&self, must: FormulaId, answers: &Answers, open: bool) -> Result<FormulaId, Exhausted> {
        self.substitute(must, |atom, duty| {
            Some(self.universe.answered(atom, self.known(duty, answers).unwrap_or(open)))
        })
    }

    fn substitute(
        &self,
        must: FormulaId,
        mut change: impl FnMut(FormulaId, FormulaId) -> Option<FormulaId>,
    ) -> Result<FormulaId, Exhausted> {
        let mut failed = None;
        let left = self.universe.substitute(must, |atom, _| match (self.applies)(atom) {
            Ok(Some(duty)) => change(atom, duty).unwrap_or(atom),
            Ok(None) => atom,
            Err(question) => {
                failed.get_or_insert(question);
                atom
            }
        });
        failed.map_or(Ok(left), Err)
    }
}
