//! What a container asks of the value of its next member or item.
//!
//! The value must satisfy a formula of its own: that some way is left to complete the container. It is built from
//! the alternatives of the container's formula. In one alternative every atom has to hold at the end: atoms that fail for
//! good if the value does not satisfy them make the value's duty, the others may be satisfied now or later, as far as there is
//! a later. What the duty does not settle is asked, and the answers select where the container goes on.

use rustc_hash::FxHashMap;

use crate::automaton::clause;
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
        if let Formula::Any(alternatives) = self.formula(must) {
            return self.alternatives_must(&[], alternatives, applies, can_end);
        }
        // What holds whatever alternative is taken.
        let conjuncts = match self.formula(must) {
            Formula::All(conjuncts) => conjuncts,
            _ => std::slice::from_ref(&must),
        };
        let (mut duties, mut left) = (Vec::new(), Vec::with_capacity(conjuncts.len()));
        for &conjunct in conjuncts {
            if matches!(self.formula(conjunct), Formula::Any(_)) {
                left.push(conjunct);
                continue;
            }
            let no = self.answered(conjunct, false);
            match applies(conjunct)? {
                None => left.push(conjunct),
                Some(FALSE) => left.push(no),
                Some(duty) if duty == TRUE || no == FALSE => {
                    duties.push(duty);
                    left.push(self.answered(conjunct, true));
                }
                Some(_) => left.push(conjunct),
            }
        }
        let (duty, left) = (self.all(duties), self.all(left));
        if duty == FALSE || left == FALSE {
            return Ok(FALSE);
        }
        let mut duties = Duties { universe: self, applies, can_end, known: FxHashMap::default() };
        let left = duties.settle(left, duty)?;
        if !self.is_conjunction(left)
            && let Some(rest) = self.whole_must(left, applies, can_end)?
        {
            return Ok(self.all([duty, rest]));
        }
        let (alternatives, anyway): (Vec<FormulaId>, Vec<FormulaId>) =
            self.conjuncts(left).into_iter().partition(|&part| matches!(self.formula(part), Formula::Any(_)));
        let rest = match alternatives.as_slice() {
            [only] => self.alternatives_must(&anyway, &self.alternatives(*only), applies, can_end)?,
            _ => duties.of(left, duty, &mut Vec::new())?,
        };
        Ok(self.all([duty, rest]))
    }

    /// [`Universe::child_must`] where one alternative has to hold beside what holds anyway.
    fn alternatives_must(
        &self,
        anyway: &[FormulaId],
        alternatives: &[FormulaId],
        applies: &Applies<'_>,
        can_end: &CanEnd<'_>,
    ) -> Result<FormulaId, Exhausted> {
        let mut ways = Vec::with_capacity(alternatives.len());
        for &alternative in alternatives {
            let with = self.all(anyway.iter().copied().chain([alternative]));
            let way = stacker::maybe_grow(64 << 10, 1 << 20, || self.child_must(with, applies, can_end))?;
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
        if !clause::is_easy(self, &left) || can_end(self.all(left)) != Ok(true) {
            return Ok(None);
        }
        let duty_of =
            |atom: FormulaId| duties.iter().find(|(known, _)| *known == atom).map_or(TRUE, |&(_, duty)| duty);
        Ok(Some(self.substitute(must, |atom, _| duty_of(atom))))
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
struct Duties<'u, 'a> {
    universe: &'u Universe,
    applies: &'a Applies<'a>,
    can_end: &'a CanEnd<'a>,
    known: FxHashMap<Question, FormulaId>,
}

/// What is left of the container, what the child satisfies, and the conditions still open.
type Question = (FormulaId, FormulaId, Vec<FormulaId>);

impl Duties<'_, '_> {
    /// `decided`: the conditions that have been answered on the way here.
    fn of(
        &mut self,
        must: FormulaId,
        child: FormulaId,
        decided: &mut Vec<FormulaId>,
    ) -> Result<FormulaId, Exhausted> {
        let mut open: Vec<FormulaId> = Vec::new();
        for atom in self.universe.atoms_of(&[must]) {
            if let Some(duty) = (self.applies)(atom)?
                && !decided.contains(&duty)
                && self.follows(child, duty).is_none()
            {
                open.push(duty);
            }
        }
        dedup_in_order(&mut open);
        let question = (must, child, open);
        if let Some(&known) = self.known.get(&question) {
            return Ok(known);
        }
        if self.known.len() >= limits::DUTIES_MAX {
            return Err(exhausted(format!(
                "which of more than {} sets of conditions (DUTIES_MAX) one member or item must satisfy",
                limits::DUTIES_MAX
            )));
        }
        let duty = stacker::maybe_grow(64 << 10, 1 << 20, || self.find(&question, decided))?;
        self.known.insert(question, duty);
        Ok(duty)
    }

    fn find(
        &mut self,
        (must, child, open): &Question,
        decided: &mut Vec<FormulaId>,
    ) -> Result<FormulaId, Exhausted> {
        if (self.can_end)(self.answer(*must, |duty| open.contains(&duty).then_some(false))?)? {
            return Ok(TRUE);
        }
        let Some((&first, others)) = open.split_first() else { return Ok(FALSE) };
        if !(self.can_end)(self.answer(*must, |duty| open.contains(&duty).then_some(true))?)? {
            return Ok(FALSE);
        }
        if others.is_empty() {
            return Ok(first);
        }
        let universe = self.universe;
        decided.push(first);
        let more = universe.all([*child, first]);
        let with = self.answer(*must, |duty| (duty == first).then_some(true))?;
        let with = self.settle(with, more)?;
        let with = self.of(with, more, decided)?;
        let without = self.answer(*must, |duty| (duty == first).then_some(false))?;
        let without = self.of(without, *child, decided)?;
        decided.pop();
        Ok(universe.any([universe.all([first, with]), without]))
    }

    /// What is left of the container once it is said what plainly follows from what the child satisfies.
    fn settle(&self, must: FormulaId, child: FormulaId) -> Result<FormulaId, Exhausted> {
        self.answer(must, |duty| self.follows(child, duty))
    }

    /// Whether a condition plainly holds or fails beside what the child satisfies.
    fn follows(&self, child: FormulaId, duty: FormulaId) -> Option<bool> {
        let universe = self.universe;
        if universe.plainly_implies(child, duty) {
            Some(true)
        } else if universe.is_plainly_unsatisfiable(universe.all([child, duty])) {
            Some(false)
        } else {
            None
        }
    }

    /// What is left of the container after some conditions are answered.
    fn answer(
        &self,
        must: FormulaId,
        mut holds: impl FnMut(FormulaId) -> Option<bool>,
    ) -> Result<FormulaId, Exhausted> {
        let mut failed = None;
        let left = self.universe.substitute(must, |atom, _| match (self.applies)(atom) {
            Ok(Some(duty)) => match holds(duty) {
                Some(holds) => self.universe.answered(atom, holds),
                None => atom,
            },
            Ok(None) => atom,
            Err(question) => {
                failed.get_or_insert(question);
                atom
            }
        });
        failed.map_or(Ok(left), Err)
    }
}
