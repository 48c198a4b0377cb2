//! Boolean functions of variables, each in one form only: reduced ordered decision diagrams.
//!
//! Equal functions have equal ids, whatever way they were made. That is what keeps an automaton finite whose states are such
//! functions, and needs no rule of simplification. Every step of work is counted, so a diagram that grows too large is
//! noticed.

use rustc_hash::FxHashMap;

use crate::index::{narrow, widen};
use crate::limits::PATTERN_FORMULAS_MAX;

/// Most answers that are remembered; then all are forgotten.
const ANSWERS_MAX: usize = 1 << 18;

/// A boolean function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Formula(u32);

/// A variable; the lower ones are decided first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Variable(pub(super) u32);

/// More than the steps left or [`PATTERN_FORMULAS_MAX`] functions would be needed, or another limit was passed.
#[derive(Clone, Copy, Debug)]
pub(super) struct TooCostly;

/// "If the variable holds, then this function, else that."
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Choice {
    variable: Variable,
    then: Formula,
    otherwise: Formula,
}

/// The table of functions.
pub(super) struct Formulas {
    /// By id; the first two, the constants, have no choice that means something.
    choices: Vec<Choice>,
    ids: FxHashMap<Choice, Formula>,
    /// Answers of [`Formulas::choose`].
    chosen: FxHashMap<[Formula; 3], Formula>,
    steps_left: usize,
}

/// What variables are replaced by, and the functions for which that has been done.
#[derive(Default)]
pub(super) struct Replaced(FxHashMap<Formula, Formula>);

impl Formula {
    pub(super) const FALSE: Self = Self(0);
    pub(super) const TRUE: Self = Self(1);

    fn is_constant(self) -> bool {
        self.0 < 2
    }
}

impl From<bool> for Formula {
    fn from(value: bool) -> Self {
        if value { Self::TRUE } else { Self::FALSE }
    }
}

impl Formulas {
    /// The constants, and room for so many steps.
    pub(super) fn new(steps_left: usize) -> Self {
        let constant = |formula| Choice { variable: Variable(u32::MAX), then: formula, otherwise: formula };
        Self {
            choices: vec![constant(Formula::FALSE), constant(Formula::TRUE)],
            ids: FxHashMap::default(),
            chosen: FxHashMap::default(),
            steps_left,
        }
    }

    /// Steps that have not been taken.
    pub(super) fn steps_left(&self) -> usize {
        self.steps_left
    }

    /// Counts steps of work.
    pub(super) fn charge(&mut self, steps: usize) -> Result<(), TooCostly> {
        self.steps_left = self.steps_left.checked_sub(steps).ok_or(TooCostly)?;
        Ok(())
    }

    fn choice(&self, formula: Formula) -> Choice {
        self.choices[widen(formula.0)]
    }

    /// The variable that decides first; constants come after all.
    fn top(&self, formula: Formula) -> Variable {
        self.choice(formula).variable
    }

    fn make(&mut self, choice: Choice) -> Result<Formula, TooCostly> {
        if choice.then == choice.otherwise {
            return Ok(choice.then);
        }
        if self.choices.len() > PATTERN_FORMULAS_MAX {
            return Err(TooCostly);
        }
        let next = Formula(narrow(self.choices.len()));
        let id = *self.ids.entry(choice).or_insert(next);
        if id == next {
            self.choices.push(choice);
        }
        Ok(id)
    }

    pub(super) fn variable(&mut self, variable: Variable) -> Result<Formula, TooCostly> {
        self.make(Choice { variable, then: Formula::TRUE, otherwise: Formula::FALSE })
    }

    pub(super) fn and(&mut self, a: Formula, b: Formula) -> Result<Formula, TooCostly> {
        self.choose(a, b, Formula::FALSE)
    }

    pub(super) fn or(&mut self, a: Formula, b: Formula) -> Result<Formula, TooCostly> {
        self.choose(a, Formula::TRUE, b)
    }

    pub(super) fn not(&mut self, a: Formula) -> Result<Formula, TooCostly> {
        self.choose(a, Formula::FALSE, Formula::TRUE)
    }

    /// `condition ? then : otherwise`.
    pub(super) fn choose(
        &mut self,
        condition: Formula,
        then: Formula,
        otherwise: Formula,
    ) -> Result<Formula, TooCostly> {
        if condition.is_constant() || then == otherwise {
            return Ok(if condition == Formula::FALSE { otherwise } else { then });
        }
        if then == Formula::TRUE && otherwise == Formula::FALSE {
            return Ok(condition);
        }
        let key = [condition, then, otherwise];
        if let Some(&known) = self.chosen.get(&key) {
            return Ok(known);
        }
        self.charge(1)?;
        let variable = key.iter().map(|&formula| self.top(formula)).min().expect("there are three");
        let half = |formula: Formula, side: bool| {
            let choice = self.choice(formula);
            match (choice.variable == variable, side) {
                (false, _) => formula,
                (true, true) => choice.then,
                (true, false) => choice.otherwise,
            }
        };
        let (yes, no) = (key.map(|formula| half(formula, true)), key.map(|formula| half(formula, false)));
        let found = stacker::maybe_grow(64 << 10, 1 << 20, || {
            let then = self.choose(yes[0], yes[1], yes[2])?;
            let otherwise = self.choose(no[0], no[1], no[2])?;
            self.make(Choice { variable, then, otherwise })
        })?;
        if self.chosen.len() == ANSWERS_MAX {
            self.chosen.clear();
        }
        self.chosen.insert(key, found);
        Ok(found)
    }

    /// The function with each variable replaced. `replaced` belongs to this one way of replacing.
    pub(super) fn replace(
        &mut self,
        formula: Formula,
        replaced: &mut Replaced,
        by: &mut dyn FnMut(&mut Self, Variable) -> Result<Formula, TooCostly>,
    ) -> Result<Formula, TooCostly> {
        if formula.is_constant() {
            return Ok(formula);
        }
        if let Some(&known) = replaced.0.get(&formula) {
            return Ok(known);
        }
        self.charge(1)?;
        let Choice { variable, then, otherwise } = self.choice(formula);
        let found = stacker::maybe_grow(64 << 10, 1 << 20, || {
            let then = self.replace(then, replaced, by)?;
            let otherwise = self.replace(otherwise, replaced, by)?;
            let condition = by(self, variable)?;
            self.choose(condition, then, otherwise)
        })?;
        replaced.0.insert(formula, found);
        Ok(found)
    }

    /// The variables on which the function depends, ascending.
    pub(super) fn variables(&mut self, formula: Formula) -> Result<Vec<Variable>, TooCostly> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut found = Vec::new();
        let mut open = vec![formula];
        while let Some(next) = open.pop() {
            if next.is_constant() || !seen.insert(next) {
                continue;
            }
            self.charge(1)?;
            let choice = self.choice(next);
            found.push(choice.variable);
            open.extend([choice.then, choice.otherwise]);
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// What the function is when no variable holds.
    pub(super) fn holds_without(&self, mut formula: Formula) -> bool {
        while !formula.is_constant() {
            formula = self.choice(formula).otherwise;
        }
        formula == Formula::TRUE
    }
}

#[test]
fn equal_functions_are_one() {
    let mut formulas = Formulas::new(1_000);
    let [a, b, c] = [0, 1, 2].map(|i| formulas.variable(Variable(i)).expect("there is room"));
    let mut check = || -> Result<(), TooCostly> {
        let ab = formulas.and(a, b)?;
        let ac = formulas.and(a, c)?;
        let left = formulas.or(ab, ac)?;
        let bc = formulas.or(c, b)?;
        assert_eq!(left, formulas.and(bc, a)?);
        let not = formulas.not(left)?;
        assert_eq!(formulas.or(not, left)?, Formula::TRUE);
        assert_eq!(formulas.variables(left)?, [0, 1, 2].map(Variable));
        assert!(!formulas.holds_without(left) && formulas.holds_without(not));
        let mut by = |_: &mut Formulas, variable: Variable| Ok(if variable == Variable(0) { c } else { b });
        assert_eq!(formulas.replace(left, &mut Replaced::default(), &mut by)?, formulas.and(b, c)?);
        Ok(())
    };
    check().expect("few steps");
}
