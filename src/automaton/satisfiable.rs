//! Is there a value (that the vocabulary can spell) which satisfies a formula?
//!
//! A least fixpoint over the formulas that a schema reaches: a depth-first search in which a question
//! still open counts as "no". "Yes" is final at once, because nothing here is negated. "No" is final only when it
//! leans on no open question, that is, when its strongly connected component is closed; until then it
//! is provisional, and forgotten if a question that it leans on turns out "yes".

use rustc_hash::FxHashMap;

use crate::automaton::counting;
use crate::automaton::effort;
use crate::automaton::formula::{FALSE, Formula, TRUE, exhausted};
use crate::automaton::object::Left;
use crate::automaton::universe::Universe;
use crate::error::Exhausted;
use crate::grammar::program::Kinds;
use crate::index::{FormulaId, TermId};

/// The kinds in the order in which they are tried: the cheap ones first.
pub(crate) const KINDS: [Kinds; 7] =
    [Kinds::NULL, Kinds::TRUE, Kinds::FALSE, Kinds::STRING, Kinds::NUMBER, Kinds::ARRAY, Kinds::OBJECT];

/// Leans on no open question.
pub(crate) const CLOSED: usize = usize::MAX;

/// "Yes", or "no" with the depth of the outermost open question that it leans on.
#[derive(Clone, Copy)]
pub(crate) enum Verdict {
    Yes,
    No { leans_on: usize },
}

/// One search; dropped when its first question is answered.
pub(crate) struct Search<'a> {
    pub(crate) universe: &'a Universe,
    /// Open questions with their depth.
    open: FxHashMap<FormulaId, usize>,
    /// Provisional "no"s in the order found, with what each leans on.
    provisional: Vec<(FormulaId, usize)>,
    /// How many questions "how many values?" this search is part of.
    depth: usize,
}

impl Universe {
    /// Whether some value satisfies the formula.
    pub(crate) fn satisfiable(&self, id: FormulaId) -> Result<bool, Exhausted> {
        if let Some(known) = self.satisfiable_memo.get(&id) {
            return Ok(*known);
        }
        let mut search = Search::new(self);
        Ok(matches!(search.value(id)?, Verdict::Yes))
    }

    /// Whether some container of the kind satisfies the formula (atoms of that kind only).
    pub(crate) fn satisfiable_at(&self, id: FormulaId, kind: Kinds) -> Result<bool, Exhausted> {
        let mut search = Search::new(self);
        Ok(matches!(search.at_kind(id, kind)?, Verdict::Yes))
    }

    /// The term that a string value must match.
    pub(crate) fn string_term(&self, at_string: FormulaId) -> TermId {
        let term = self.term_of(at_string);
        match self.spelling.text() {
            None => term,
            Some(spellable) => self.terms.and(&[term, spellable]),
        }
    }

    /// The term that a number's text must match.
    pub(crate) fn number_term(&self, at_number: FormulaId) -> TermId {
        let term = self.terms.and(&[self.number_syntax, self.term_of(at_number)]);
        match self.spelling.number() {
            None => term,
            Some(spellable) => self.terms.and(&[term, spellable]),
        }
    }

    /// Whether the vocabulary can spell `name` as a member's name.
    pub(crate) fn name_is_spellable(&self, name: &str) -> bool {
        name.chars().all(|c| self.spelling.spells(c))
    }
}

impl<'a> Search<'a> {
    pub(crate) fn new(universe: &'a Universe) -> Self {
        Self::at_depth(universe, 0)
    }

    pub(crate) fn at_depth(universe: &'a Universe, depth: usize) -> Self {
        Self { universe, open: FxHashMap::default(), provisional: Vec::new(), depth }
    }

    pub(crate) fn value(&mut self, id: FormulaId) -> Result<Verdict, Exhausted> {
        if id == FALSE {
            return Ok(Verdict::No { leans_on: CLOSED });
        }
        if let Some(known) = self.universe.satisfiable_memo.get(&id) {
            return Ok(if *known { Verdict::Yes } else { Verdict::No { leans_on: CLOSED } });
        }
        if self.universe.contradicts_itself(id) {
            return Ok(Verdict::No { leans_on: CLOSED });
        }
        if let Some(&depth) = self.open.get(&id) {
            return Ok(Verdict::No { leans_on: depth });
        }
        if let Some(&(_, leans_on)) = self.provisional.iter().rev().find(|(known, _)| *known == id) {
            return Ok(Verdict::No { leans_on });
        }
        stacker::maybe_grow(64 << 10, 1 << 20, || self.open_question(id))
    }

    fn open_question(&mut self, id: FormulaId) -> Result<Verdict, Exhausted> {
        effort::spend(1)?;
        let depth = self.open.len();
        let provisional_before = self.provisional.len();
        self.open.insert(id, depth);
        let found = self.at_any_kind(id);
        self.open.remove(&id);
        let Ok(Verdict::No { leans_on }) = found else {
            // What was provisionally "no" below may have leaned on this question. (Whoever asked may go on after an
            // answer that was too hard: nothing of the question is left then.)
            self.provisional.truncate(provisional_before);
            if found.is_ok() {
                self.universe.satisfiable_memo.insert(id, true);
            }
            return found;
        };
        // Every "no" found on the way counts, also one that this one did not need.
        let leans_on =
            self.provisional[provisional_before..].iter().fold(leans_on, |least, no| least.min(no.1));
        if leans_on >= depth {
            // The component is closed: it, and all that leaned on it, is "no" for good.
            for (inner, _) in self.provisional.drain(provisional_before..) {
                self.universe.satisfiable_memo.insert(inner, false);
            }
            self.universe.satisfiable_memo.insert(id, false);
            Ok(Verdict::No { leans_on: CLOSED })
        } else {
            self.provisional.push((id, leans_on));
            Ok(Verdict::No { leans_on })
        }
    }

    fn at_any_kind(&mut self, id: FormulaId) -> Result<Verdict, Exhausted> {
        let mut leans_on = CLOSED;
        for kind in KINDS {
            let at_kind = self.universe.at_kind(id, kind);
            match self.at_kind(at_kind, kind)? {
                Verdict::Yes => return Ok(Verdict::Yes),
                Verdict::No { leans_on: outer } => leans_on = leans_on.min(outer),
            }
        }
        Ok(Verdict::No { leans_on })
    }

    pub(crate) fn at_kind(&mut self, at_kind: FormulaId, kind: Kinds) -> Result<Verdict, Exhausted> {
        let universe = self.universe;
        let closed = |yes: bool| if yes { Verdict::Yes } else { Verdict::No { leans_on: CLOSED } };
        if at_kind == FALSE {
            return Ok(closed(false));
        }
        Ok(match kind {
            Kinds::NULL => closed(at_kind == TRUE && universe.spelling.has_all("null")),
            Kinds::TRUE => closed(at_kind == TRUE && universe.spelling.has_all("true")),
            Kinds::FALSE => closed(at_kind == TRUE && universe.spelling.has_all("false")),
            Kinds::STRING => closed(universe.spelling.has(b'"') && universe.some_string(at_kind)?),
            Kinds::NUMBER => closed(!universe.terms.is_nothing(universe.number_term(at_kind))?),
            Kinds::OBJECT if universe.spelling.has_all("{}") => self.object(at_kind, None)?,
            Kinds::ARRAY if universe.spelling.has_all("[]") => {
                self.some_clause(at_kind, |search, clause| search.array(clause, Position::Open))?
            }
            _ => closed(false),
        })
    }

    fn object(&mut self, at_object: FormulaId, left: Option<&Left<'_>>) -> Result<Verdict, Exhausted> {
        if self.is_plainly_completed(at_object, left) {
            return Ok(Verdict::Yes);
        }
        self.some_clause(at_object, |search, clause| counting::members(search, clause, left))
    }

    fn some_clause(
        &mut self,
        at_kind: FormulaId,
        mut decide: impl FnMut(&mut Self, &[FormulaId]) -> Result<Verdict, Exhausted>,
    ) -> Result<Verdict, Exhausted> {
        let mut least = CLOSED;
        let universe = self.universe;
        let found = universe.some_clause(at_kind, &mut |clause| {
            Ok(match decide(self, clause)? {
                Verdict::Yes => true,
                Verdict::No { leans_on } => {
                    least = least.min(leans_on);
                    false
                }
            })
        })?;
        Ok(if found { Verdict::Yes } else { Verdict::No { leans_on: least } })
    }

    /// Some item is repeated: there is one that can be, as often as one likes.
    fn repeated(
        &mut self,
        clause: &[FormulaId],
        max: u64,
        longest_prefix: usize,
    ) -> Result<Verdict, Exhausted> {
        let universe = self.universe;
        let plain = clause.iter().all(|&atom| {
            matches!(
                universe.formula(atom),
                Formula::Items { except: 0, .. } | Formula::MinItems(_) | Formula::Repeated
            )
        });
        if !plain || max < u64::MAX || longest_prefix > 0 || !universe.spelling.has(b',') {
            return Err(exhausted("whether items can be repeated beside prefixItems, contains or maxItems"));
        }
        self.value(universe.item_value(clause, 0))
    }

    /// Whether items exist; where no two may be equal, enough of them.
    fn array(&mut self, clause: &[FormulaId], position: Position) -> Result<Verdict, Exhausted> {
        let universe = self.universe;
        let found = self.array_of_items(clause, position)?;
        let unique = clause.iter().any(|&atom| *universe.formula(atom) == Formula::Unique);
        if matches!(found, Verdict::No { .. }) || !unique {
            return Ok(found);
        }
        match universe.enough_items(clause, self.depth)? {
            Some(true) => Ok(found),
            Some(false) => Ok(Verdict::No { leans_on: CLOSED }),
            None => Err(exhausted(
                "whether values are enough for items of which no two are equal: they are few, and which are used would decide",
            )),
        }
    }

    /// The least number of items exists; past every prefix all positions are alike.
    fn array_of_items(&mut self, clause: &[FormulaId], position: Position) -> Result<Verdict, Exhausted> {
        let universe = self.universe;
        let (mut min, mut max, mut longest_prefix) = (0, u64::MAX, 0);
        let (mut open, mut unique, mut repeated) = (false, false, false);
        for &atom in clause {
            match universe.formula(atom) {
                Formula::MinItems(n) => min = min.max(*n),
                Formula::MaxItems(n) => max = max.min(*n),
                Formula::Items { prefix, except, .. } => {
                    longest_prefix = longest_prefix.max(prefix.len());
                    open |= *except > 0;
                }
                Formula::AtLeast { prefix, .. } => {
                    longest_prefix = longest_prefix.max(prefix.len());
                    open = true;
                }
                Formula::Unique => unique = true,
                Formula::Repeated => repeated = true,
                _ => {}
            }
        }
        if unique && repeated {
            return Ok(Verdict::No { leans_on: CLOSED });
        }
        if repeated {
            return self.repeated(clause, max, longest_prefix);
        }
        if open {
            return counting::items(self, clause, position);
        }
        let free = if position == Position::Open { 1 } else { 0 };
        if min > max || (min > free && !universe.spelling.has(b',')) {
            return Ok(Verdict::No { leans_on: CLOSED });
        }
        let checked = usize::try_from(min).unwrap_or(usize::MAX).min(longest_prefix + 1);
        for index in 0..checked {
            if let no @ Verdict::No { .. } = self.value(universe.item_value(clause, index))? {
                return Ok(no);
            }
        }
        Ok(Verdict::Yes)
    }
}

/// Whether a container has just been opened or already holds something (then a comma is needed to go on).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Position {
    Open,
    Inside,
}

impl Universe {
    /// What the item at `index` must satisfy for the whole clause to hold.
    pub(crate) fn item_value(&self, clause: &[FormulaId], index: usize) -> FormulaId {
        self.all(clause.iter().filter_map(|&atom| match self.formula(atom) {
            Formula::Items { prefix, rest, .. } => Some(prefix.get(index).copied().unwrap_or(*rest)),
            _ => None,
        }))
    }

    /// Whether an object of which so much and these names are left can be completed after the member under way.
    pub(crate) fn object_can_end(&self, must: FormulaId, left: &Left<'_>) -> Result<bool, Exhausted> {
        Ok(matches!(Search::new(self).object(must, Some(left))?, Verdict::Yes))
    }

    /// Whether an array of which so much is left can be completed after the item under way.
    pub(crate) fn array_can_end(&self, must: FormulaId) -> Result<bool, Exhausted> {
        let mut search = Search::new(self);
        let verdict = search.some_clause(must, |search, clause| search.array(clause, Position::Inside))?;
        Ok(matches!(verdict, Verdict::Yes))
    }
}
