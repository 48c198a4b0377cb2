//! A quick "yes" to the question whether an object can be completed: a few members that plainly do it.
//!
//! Under many alternatives a search looks at all of them, though mostly the members that one alternative requires are
//! enough. So members are guessed: those that a conjunction in the formula requires, each with what it asks of them. All
//! other names stay away, so every atom has a truth value (or none that is plain, which counts as false), and the formula is
//! evaluated where these members change it, from the bottom up.
//!
//! "No" only means that nothing was guessed: the search decides (`clause.rs`). With `Caching::Off` nothing is guessed.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::automaton::applies::KeyClass;
use crate::automaton::formula::{FALSE, Formula, NameId};
use crate::automaton::object::{Left, RunId};
use crate::automaton::satisfiable::{Search, Verdict};
use crate::automaton::universe::{Caching, Universe};
use crate::index::{FormulaId, narrow, widen};
use crate::limits::{GUESSES_MAX, GUESSING_STEPS_MAX};

/// Below so many atoms a search is as quick, and below so many names too.
const ATOMS_MIN: usize = 16;
const NAMES_MIN: usize = 16;

/// Room for so many parts is made at once.
const PARTS_MOSTLY: usize = 256;

/// So many outlines each thread keeps.
const OUTLINES_KEPT: usize = 4;

/// Outlines by universe and formula.
type Outlines = VecDeque<((u64, FormulaId), Rc<Outline>)>;

thread_local! {
    /// The last ones.
    static OUTLINES: RefCell<Outlines> = const { RefCell::new(VecDeque::new()) };
}

/// A formula over the atoms of one object, flat.
struct Outline {
    /// Parts before what they are part of; the whole comes last.
    parts: Vec<Part>,
    /// The children of all connectives.
    children: Vec<u32>,
    /// The connectives that the parts are children of, one part after the other, and where each part's begin.
    parents: Vec<u32>,
    first_parent: Vec<u32>,
    /// The truth of each part if no member comes any more.
    at_end: Vec<bool>,
    /// How many children of each connective are true then.
    true_children: Vec<u32>,
    /// The atoms that look at one name only or at a list of names, by name.
    of_name: FxHashMap<NameId, Vec<u32>>,
    /// The atoms that look at every member.
    of_every: Vec<u32>,
    /// What is required anyway.
    whole: Guess,
    /// The parts that require members, the longest first.
    guesses: Vec<u32>,
    /// Those that say something of a name.
    guesses_of: OnceCell<FxHashMap<NameId, Vec<u32>>>,
}

#[derive(Clone, Copy)]
enum Part {
    Atom(FormulaId),
    /// A slice of the children.
    All(u32, u32),
    Any(u32, u32),
}

impl Part {
    /// Whether a connective is true when so many of its children are.
    fn holds_with(self, true_children: u32) -> bool {
        match self {
            Self::All(from, to) => true_children == to - from,
            Self::Any(..) => true_children > 0,
            Self::Atom(_) => false,
        }
    }
}

/// Members that a conjunction requires.
#[derive(Default)]
struct Guess {
    required: Vec<NameId>,
    /// Its conditions on every member.
    every: Vec<FormulaId>,
}

/// A member of the completion, and what its value is known to satisfy.
type Member = (NameId, FormulaId);

impl Outline {
    /// `None` if guesses say nothing here.
    fn of(universe: &Universe, formula: FormulaId) -> Option<Self> {
        if universe.caching == Caching::Off || !universe.spelling.is_complete() {
            return None;
        }
        let mut outline = Self {
            parts: Vec::new(),
            children: Vec::new(),
            parents: Vec::new(),
            first_parent: Vec::new(),
            at_end: Vec::new(),
            true_children: Vec::new(),
            of_name: FxHashMap::default(),
            of_every: Vec::new(),
            whole: Guess::of(universe, universe.conjuncts(formula)),
            guesses: Vec::new(),
            guesses_of: OnceCell::new(),
        };
        outline.flatten(universe, formula)?;
        outline.find_parents();
        outline.find_guesses(universe);
        Some(outline)
    }

    fn flatten(&mut self, universe: &Universe, formula: FormulaId) -> Option<()> {
        let mut place: FxHashMap<FormulaId, u32> =
            FxHashMap::with_capacity_and_hasher(PARTS_MOSTLY, FxBuildHasher);
        let mut open = vec![(formula, false)];
        while let Some((id, children_done)) = open.pop() {
            if place.contains_key(&id) {
                continue;
            }
            let part = match universe.formula(id) {
                Formula::All(parts) | Formula::Any(parts) if !children_done => {
                    open.push((id, true));
                    open.extend(parts.iter().map(|&part| (part, false)));
                    continue;
                }
                Formula::All(parts) => {
                    let (from, to) = self.list(parts, &place)?;
                    Part::All(from, to)
                }
                Formula::Any(parts) => {
                    let (from, to) = self.list(parts, &place)?;
                    Part::Any(from, to)
                }
                Formula::Link(_) => return None,
                _ => {
                    self.index(universe, id);
                    Part::Atom(id)
                }
            };
            place.insert(id, narrow(self.parts.len()));
            self.add(universe, part);
        }
        Some(())
    }

    fn add(&mut self, universe: &Universe, part: Part) {
        let is_true = |&&child: &&u32| self.at_end[widen(child)];
        let true_children = narrow(self.children_of(part).iter().filter(is_true).count());
        self.at_end.push(match part {
            Part::Atom(atom) => holds_of(universe, atom, &[]),
            connective => connective.holds_with(true_children),
        });
        self.parts.push(part);
        self.true_children.push(true_children);
    }

    fn children_of(&self, part: Part) -> &[u32] {
        match part {
            Part::All(from, to) | Part::Any(from, to) => &self.children[widen(from)..widen(to)],
            Part::Atom(_) => &[],
        }
    }

    fn find_parents(&mut self) {
        let mut next = vec![0; self.parts.len() + 1];
        for &child in &self.children {
            next[widen(child) + 1] += 1;
        }
        for at in 1..next.len() {
            next[at] += next[at - 1];
        }
        self.first_parent.clone_from(&next);
        self.parents = vec![0; self.children.len()];
        for (at, &part) in (0u32..).zip(&self.parts) {
            if let Part::All(from, to) | Part::Any(from, to) = part {
                for &child in &self.children[widen(from)..widen(to)] {
                    self.parents[widen(next[widen(child)])] = at;
                    next[widen(child)] += 1;
                }
            }
        }
    }

    fn parents_of(&self, at: u32) -> &[u32] {
        let at = widen(at);
        &self.parents[widen(self.first_parent[at])..widen(self.first_parent[at + 1])]
    }

    fn list(&mut self, parts: &[FormulaId], place: &FxHashMap<FormulaId, u32>) -> Option<(u32, u32)> {
        let from = narrow(self.children.len());
        for part in parts {
            self.children.push(*place.get(part)?);
        }
        Some((from, narrow(self.children.len())))
    }

    /// Notes at which members the atom that comes next looks.
    fn index(&mut self, universe: &Universe, atom: FormulaId) {
        let at = narrow(self.parts.len());
        match universe.formula(atom) {
            Formula::Required(name) => self.of_name.entry(*name).or_default().push(at),
            Formula::Members(members) if members.is_about_declared() => {
                for &(name, _) in &members.properties {
                    self.of_name.entry(name).or_default().push(at);
                }
            }
            _ => self.of_every.push(at),
        }
    }

    /// Finds the conjunctions that require members, and each atom that is a name. Long conjunctions come first: they say most of
    /// an object.
    fn find_guesses(&mut self, universe: &Universe) {
        let is_required = |part: Part| match part {
            Part::Atom(atom) => matches!(universe.formula(atom), Formula::Required(_)),
            Part::All(..) | Part::Any(..) => false,
        };
        let mut lists: Vec<(usize, u32)> = Vec::new();
        for (at, &part) in (0u32..).zip(&self.parts[..self.parts.len() - 1]) {
            let children = self.children_of(part);
            let requires = children.iter().any(|&child| is_required(self.parts[widen(child)]));
            match part {
                Part::All(..) if requires => lists.push((children.len(), at)),
                Part::Atom(_) if is_required(part) => lists.push((1, at)),
                Part::All(..) | Part::Any(..) | Part::Atom(_) => {}
            }
        }
        lists.sort_by_key(|&(len, _)| std::cmp::Reverse(len));
        self.guesses = lists.into_iter().map(|(_, at)| at).collect();
    }

    /// What a part requires.
    fn guess(&self, universe: &Universe, at: u32) -> Guess {
        let part = self.parts[widen(at)];
        let atoms = self.children_of(part).iter().map(|&child| self.parts[widen(child)]).chain([part]);
        let atoms = atoms.filter_map(|part| match part {
            Part::Atom(atom) => Some(atom),
            Part::All(..) | Part::Any(..) => None,
        });
        Guess::of(universe, atoms)
    }

    /// The parts that say something of a name.
    fn guesses_of(&self, universe: &Universe, name: NameId) -> impl Iterator<Item = u32> {
        let all = self.guesses_of.get_or_init(|| {
            let mut all: FxHashMap<NameId, Vec<u32>> = FxHashMap::default();
            for &at in &self.guesses {
                let guess = self.guess(universe, at);
                let declared = guess.every.iter().flat_map(|&atom| match universe.formula(atom) {
                    Formula::Members(members) => &*members.properties,
                    _ => &[],
                });
                let spoken_of = declared.filter(|&&(_, value)| value != FALSE).map(|&(name, _)| name);
                for name in guess.required.iter().copied().chain(spoken_of) {
                    let known = all.entry(name).or_default();
                    if known.last() != Some(&at) {
                        known.push(at);
                    }
                }
            }
            all
        });
        all.get(&name).into_iter().flatten().copied()
    }

    /// Whether the formula plainly holds if these members come and no others. Only what the members change is looked at,
    /// from the bottom up.
    fn holds(&self, universe: &Universe, members: &[Member]) -> bool {
        let named = members.iter().filter_map(|(name, _)| self.of_name.get(name)).flatten();
        let mut concerned: Vec<u32> = named.chain(&self.of_every).copied().collect();
        concerned.sort_unstable();
        concerned.dedup();
        let mut true_children: BTreeMap<u32, u32> = BTreeMap::new();
        let becomes = |at: u32, truth: bool, true_children: &mut BTreeMap<u32, u32>| {
            if truth == self.at_end[widen(at)] {
                return;
            }
            for &parent in self.parents_of(at) {
                let count = true_children.entry(parent).or_insert(self.true_children[widen(parent)]);
                *count = if truth { *count + 1 } else { *count - 1 };
            }
        };
        for at in concerned {
            if let Part::Atom(atom) = self.parts[widen(at)] {
                becomes(at, holds_of(universe, atom, members), &mut true_children);
            }
        }
        let whole = narrow(self.parts.len() - 1);
        while let Some((at, count)) = true_children.pop_first() {
            let truth = self.parts[widen(at)].holds_with(count);
            if at == whole {
                return truth;
            }
            becomes(at, truth, &mut true_children);
        }
        self.at_end[widen(whole)]
    }

    fn atoms(&self) -> usize {
        self.parts.iter().filter(|part| matches!(part, Part::Atom(_))).count()
    }

    /// So many steps one guess takes, about.
    fn steps(&self) -> usize {
        self.parts.len() + self.children.len()
    }
}

impl Guess {
    fn of(universe: &Universe, conjuncts: impl IntoIterator<Item = FormulaId>) -> Self {
        let mut guess = Self::default();
        for atom in conjuncts {
            match universe.formula(atom) {
                Formula::Required(name) => guess.required.push(*name),
                Formula::Members(_) => guess.every.push(atom),
                _ => {}
            }
        }
        guess
    }
}

/// Whether an atom plainly holds if these members come and no others.
fn holds_of(universe: &Universe, atom: FormulaId, members: &[Member]) -> bool {
    let satisfies = |&(name, value): &Member| {
        let applies = universe.applies_to_member(atom, KeyClass::Known(name));
        applies.is_ok_and(|applies| applies.is_some_and(|it| universe.plainly_implies(value, it)))
    };
    let count = u64::from(narrow(members.len()));
    match universe.formula(atom) {
        Formula::Required(name) => members.iter().any(|member| member.0 == *name),
        Formula::MinMembers(n) => *n <= count,
        Formula::MaxMembers(n) => count <= *n,
        Formula::Members(_) => members.iter().all(satisfies),
        Formula::SomeMember(_) => members.iter().any(satisfies),
        _ => false,
    }
}

impl Search<'_> {
    /// Whether members guessed plainly complete an object of which these names are left.
    pub(crate) fn is_plainly_completed(&mut self, at_object: FormulaId, left: Option<&Left<'_>>) -> bool {
        let universe = self.universe;
        if universe.is_conjunction(at_object) {
            return false;
        }
        let Some(outline) = universe.outline(at_object) else { return false };
        if outline.atoms() < ATOMS_MIN {
            return false;
        }
        let may_come = |name| left.is_none_or(|left| left.has(universe, name));
        if self.is_right(&outline, &outline.whole, None, &may_come) {
            return true;
        }
        let guesses = outline.guesses.iter().map(|&at| outline.guess(universe, at));
        let possible = guesses.filter(|guess| guess.required.iter().all(|&name| may_come(name)));
        possible.take(GUESSES_MAX).any(|guess| self.is_right(&outline, &guess, None, &may_come))
    }

    /// Whether the members of a guess, with those required anyway and the one under way, complete the object.
    fn is_right(
        &mut self,
        outline: &Outline,
        guess: &Guess,
        under_way: Option<NameId>,
        may_come: &dyn Fn(NameId) -> bool,
    ) -> bool {
        let universe = self.universe;
        let whole = &outline.whole;
        let mut names: Vec<NameId> = under_way.into_iter().collect();
        for &name in whole.required.iter().chain(&guess.required) {
            if !names.contains(&name) {
                if !may_come(name) {
                    return false;
                }
                names.push(name);
            }
        }
        let mut members = Vec::with_capacity(names.len());
        for name in names {
            let mut parts = Vec::new();
            for &atom in whole.every.iter().chain(&guess.every) {
                match universe.applies_to_member(atom, KeyClass::Known(name)) {
                    Ok(applies) => parts.extend(applies),
                    Err(_) => return false,
                }
            }
            members.push((name, universe.all(parts)));
        }
        outline.holds(universe, &members)
            && members.iter().all(|&(_, value)| matches!(self.value(value), Ok(Verdict::Yes)))
    }
}

impl Universe {
    /// Whether members guessed plainly complete an object whose next member has a known name.
    pub(crate) fn plainly_may_come(&self, run: RunId, rank: u32) -> bool {
        if let Some(known) = self.plain_names.get(&(run, rank)) {
            return *known;
        }
        let may_come = self.find_plainly_may_come(run, rank);
        self.plain_names.insert((run, rank), may_come);
        may_come
    }

    fn find_plainly_may_come(&self, id: RunId, rank: u32) -> bool {
        let run = self.run(id);
        let names = self.names_by_rank(run.names);
        let name = names[widen(rank)];
        if names.len() < NAMES_MIN || !Left::of(run, &run.progress).has(self, name) {
            return false;
        }
        let Some(outline) = self.outline(run.must) else { return false };
        if names.len().saturating_mul(outline.steps()) > GUESSING_STEPS_MAX {
            return false;
        }
        let mut search = Search::new(self);
        let progress = self.progress_after(run, Some(rank));
        let left = Left::of(run, &progress);
        let may_come = |name| left.has(self, name);
        let of_name = outline.guesses_of(self, name).take(GUESSES_MAX);
        let mut guesses = of_name.chain(outline.guesses.first().copied()).map(|at| outline.guess(self, at));
        guesses.any(|guess| search.is_right(&outline, &guess, Some(name), &may_come))
            || search.is_right(&outline, &outline.whole, Some(name), &may_come)
    }

    /// The outline of a formula; the last few are kept, since one formula is asked of many names.
    fn outline(&self, formula: FormulaId) -> Option<Rc<Outline>> {
        let key = (self.serial, formula);
        let known = OUTLINES.with_borrow(|outlines| {
            outlines.iter().find(|(known, _)| *known == key).map(|(_, outline)| Rc::clone(outline))
        });
        if known.is_some() {
            return known;
        }
        let outline = Rc::new(Outline::of(self, formula)?);
        OUTLINES.with_borrow_mut(|outlines| {
            if outlines.len() == OUTLINES_KEPT {
                outlines.pop_front();
            }
            outlines.push_back((key, Rc::clone(&outline)));
        });
        Some(outline)
    }
}
