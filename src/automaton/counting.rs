//! Can a container be completed? Members and items are chosen for the conditions that ask for some.
//!
//! Conditions of the form "some member …" and "at least n items …" each need a member or an item; one may serve several.
//! Choices are tried one after the other, within a limit; what they ask of one value is one question (`satisfiable.rs`).
//! Without such conditions there is nothing to choose, and the answer is a few lookups.

use crate::automaton::applies::KeyClass;
use crate::automaton::effort;
use crate::automaton::every::Every;
use crate::automaton::formula::{FALSE, Formula, NameId, TRUE, dedup_in_order, exhausted};
use crate::automaton::object::Left;
use crate::automaton::satisfiable::{CLOSED, Position, Search, Verdict};
use crate::error::Exhausted;
use crate::index::{FormulaId, narrow};
use crate::limits::{MEMBER_CHOICES_MAX, NAMES_COUNTED_MAX};

/// A member that a completion has: what its value must satisfy.
#[derive(Clone, Copy)]
struct Chosen {
    slot: Slot,
    value: FormulaId,
}

/// Whose member it is: a name's, or any of a class of other names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slot {
    Name(NameId),
    Other(KeyClass),
}

/// The completion of an object in the making.
struct Members<'s, 'u, 'l> {
    search: &'s mut Search<'u>,
    /// Every-member conditions.
    every: Every,
    /// Some-member conditions.
    some: Vec<FormulaId>,
    /// Names that the conditions mention and that may still come.
    names: Vec<NameId>,
    /// Kinds of other names of which there are always more.
    others: Vec<KeyClass>,
    /// Kinds of other names that may all be used, and how many names there are of each, at least.
    few: Vec<(KeyClass, u64)>,
    min: u64,
    max: u64,
    left: Option<&'l Left<'l>>,
    chosen: Vec<Chosen>,
    leans_on: usize,
    steps: usize,
}

/// Whether an object can be completed to satisfy all atoms of a clause. `left`: the names left to an object under way;
/// `None`: the object has not been opened.
pub(crate) fn members(
    search: &mut Search<'_>,
    clause: &[FormulaId],
    left: Option<&Left<'_>>,
) -> Result<Verdict, Exhausted> {
    let universe = search.universe;
    let mut making = Members {
        search,
        every: Every::default(),
        some: Vec::new(),
        names: Vec::new(),
        others: Vec::new(),
        few: Vec::new(),
        min: 0,
        max: u64::MAX,
        left,
        chosen: Vec::new(),
        leans_on: CLOSED,
        steps: 0,
    };
    let mut required: Vec<NameId> = Vec::new();
    for &atom in clause {
        match universe.formula(atom) {
            Formula::Members(_) => making.every.push(universe, atom),
            Formula::SomeMember(_) => making.some.push(atom),
            Formula::Required(name) => required.push(*name),
            Formula::MinMembers(n) => making.min = making.min.max(*n),
            Formula::MaxMembers(n) => making.max = making.max.min(*n),
            _ => {}
        }
    }
    making.with_required(&required)
}

impl Members<'_, '_, '_> {
    fn with_required(&mut self, required: &[NameId]) -> Result<Verdict, Exhausted> {
        for &name in required {
            let value = self.base(Slot::Name(name))?;
            if !self.is_spellable(name) || !self.is_satisfiable(value)? {
                return Ok(self.no());
            }
            self.chosen.push(Chosen { slot: Slot::Name(name), value });
        }
        let count = self.count();
        if !self.fits(count) {
            return Ok(self.no());
        }
        if self.some.is_empty() && self.min <= count {
            return Ok(Verdict::Yes);
        }
        self.find_slots()?;
        if !self.order_conditions()? {
            return if self.few.is_empty() { Ok(self.no()) } else { self.hangs_on_few_kinds() };
        }
        if self.choose(0)? {
            return Ok(Verdict::Yes);
        }
        if !self.fits(self.count() + 1) {
            return Ok(self.no());
        }
        self.hangs_on_few_kinds()
    }

    /// The conditions with the fewest possible members come first; no if one has none.
    fn order_conditions(&mut self) -> Result<bool, Exhausted> {
        if self.some.len() < 2 {
            return Ok(true);
        }
        let mut counted = Vec::with_capacity(self.some.len());
        for atom in self.some.clone() {
            let mut ways = 0_usize;
            for held in self.chosen.clone() {
                ways += usize::from(self.with(atom, held.slot, held.value)?.is_some());
            }
            for slot in self.slots() {
                if !self.is_taken(slot) {
                    let base = self.base(slot)?;
                    ways += usize::from(self.with(atom, slot, base)?.is_some());
                }
            }
            if ways == 0 {
                return Ok(false);
            }
            counted.push((ways, atom));
        }
        counted.sort_by_key(|&(ways, _)| ways);
        self.some = counted.into_iter().map(|(_, atom)| atom).collect();
        Ok(true)
    }

    /// The names and kinds of names that a member may have.
    fn slots(&self) -> Vec<Slot> {
        let names = self.names.iter().copied().map(Slot::Name);
        names.chain(self.others.iter().map(|&class| Slot::Other(class))).collect()
    }

    /// How many names of a kind of few are left, the names used would have to say.
    fn hangs_on_few_kinds(&mut self) -> Result<Verdict, Exhausted> {
        if self.names_of_few_kinds()? > 0 {
            return Err(exhausted("how many members an object can have, where its patterns allow few names"));
        }
        Ok(self.no())
    }

    /// How many names of kinds that may all be used a member could have when the object was opened, at least.
    fn names_of_few_kinds(&mut self) -> Result<u64, Exhausted> {
        let mut names = 0u64;
        for (class, count) in self.few.clone() {
            let base = self.base(Slot::Other(class))?;
            if self.is_satisfiable(base)? {
                names = names.saturating_add(count);
            }
        }
        Ok(names)
    }

    fn no(&self) -> Verdict {
        Verdict::No { leans_on: self.leans_on }
    }

    fn count(&self) -> u64 {
        u64::from(narrow(self.chosen.len()))
    }

    /// So many further members are allowed and can be spelled one after the other.
    fn fits(&self, count: u64) -> bool {
        let spelling = &self.search.universe.spelling;
        let without_comma = u64::from(self.left.is_none());
        count <= self.max
            && (count == 0 || spelling.has_all("\":"))
            && (count <= without_comma || spelling.has(b','))
    }

    fn is_spellable(&self, name: NameId) -> bool {
        self.search.universe.name_is_spellable(self.search.universe.name(name))
    }

    fn is_satisfiable(&mut self, value: FormulaId) -> Result<bool, Exhausted> {
        Ok(match self.search.value(value)? {
            Verdict::Yes => true,
            Verdict::No { leans_on } => {
                self.leans_on = self.leans_on.min(leans_on);
                false
            }
        })
    }

    /// What every member in a slot must satisfy.
    fn base(&self, slot: Slot) -> Result<FormulaId, Exhausted> {
        self.every.value(self.search.universe, slot.class())
    }

    /// Finds the names and kinds of other names that members may have.
    fn find_slots(&mut self) -> Result<(), Exhausted> {
        let universe = self.search.universe;
        let mut names: Vec<NameId> = Vec::new();
        let mut patterns = Vec::new();
        for &atom in self.every.atoms().iter().chain(&self.some) {
            if let Formula::Members(members) | Formula::SomeMember(members) = universe.formula(atom) {
                names.extend(members.properties.iter().map(|(name, _)| *name));
                patterns.extend(members.patterns.iter().map(|(term, _)| *term));
            }
        }
        names.extend(self.chosen.iter().filter_map(|chosen| match chosen.slot {
            Slot::Name(name) => Some(name),
            Slot::Other(_) => None,
        }));
        names.sort_unstable();
        names.dedup();
        patterns.sort_unstable();
        patterns.dedup();
        let patterns = universe.vector(&patterns);
        let list = match self.left {
            Some(left) => left.names(),
            None => {
                let mentioned = universe.name_lists.intern_key(&names.into_boxed_slice());
                universe.with_few_names(patterns, mentioned)?
            }
        };
        // No more names are used than are compared: beyond that a document ends as `Exhausted`.
        let counted = u64::from(narrow(NAMES_COUNTED_MAX));
        for class in universe.other_names(patterns, list)?.iter() {
            let kind = KeyClass::Other { patterns, matched: class.matched };
            if universe.terms.is_endless(class.names)? {
                self.others.push(kind);
                continue;
            }
            let count = universe.terms.count_texts(class.names)?.unwrap_or(1);
            if count > 2 * counted && self.min <= counted {
                self.others.push(kind);
            } else {
                self.few.push((kind, count));
            }
        }
        let mut names = universe.names_by_rank(list).to_vec();
        names.retain(|&name| {
            self.left.is_none_or(|left| left.has(universe, name))
                && universe.name_is_spellable(universe.name(name))
        });
        self.names = names;
        Ok(())
    }

    /// Finds a member for each some-member condition from the `at`th on, then enough members.
    fn choose(&mut self, at: usize) -> Result<bool, Exhausted> {
        effort::spend(1)?;
        self.steps += 1;
        if self.steps > MEMBER_CHOICES_MAX {
            return Err(exhausted(format!(
                "members for the conditions that ask for some: more than {MEMBER_CHOICES_MAX} choices (MEMBER_CHOICES_MAX)"
            )));
        }
        let Some(&atom) = self.some.get(at) else { return self.fill_up() };
        for held in 0..self.chosen.len() {
            let Chosen { slot, value } = self.chosen[held];
            if let Some(both) = self.with(atom, slot, value)? {
                self.chosen[held].value = both;
                if self.choose_next(at)? {
                    return Ok(true);
                }
                self.chosen[held].value = value;
            }
        }
        if !self.fits(self.count() + 1) {
            return Ok(false);
        }
        for slot in self.slots() {
            if self.is_taken(slot) {
                continue;
            }
            let base = self.base(slot)?;
            if let Some(value) = self.with(atom, slot, base)? {
                self.chosen.push(Chosen { slot, value });
                if self.choose_next(at)? {
                    return Ok(true);
                }
                self.chosen.pop();
            }
        }
        Ok(false)
    }

    fn choose_next(&mut self, at: usize) -> Result<bool, Exhausted> {
        stacker::maybe_grow(64 << 10, 1 << 20, || self.choose(at + 1))
    }

    /// A name has one member; of a kind of other names there are always more.
    fn is_taken(&self, slot: Slot) -> bool {
        matches!(slot, Slot::Name(_)) && self.chosen.iter().any(|chosen| chosen.slot == slot)
    }

    /// The value that also satisfies a some-member condition, if there is one.
    fn with(
        &mut self,
        atom: FormulaId,
        slot: Slot,
        value: FormulaId,
    ) -> Result<Option<FormulaId>, Exhausted> {
        let applies = self.search.universe.applies_to_member(atom, slot.class())?.unwrap_or(FALSE);
        if applies == FALSE || value == FALSE {
            return Ok(None);
        }
        let both = self.search.universe.all([value, applies]);
        Ok(self.is_satisfiable(both)?.then_some(both))
    }

    /// Whether members without further conditions make up the least number.
    fn fill_up(&mut self) -> Result<bool, Exhausted> {
        let mut count = self.count();
        if count >= self.min {
            return Ok(true);
        }
        if !self.fits(self.min) {
            return Ok(false);
        }
        for name in self.names.clone() {
            if count < self.min && !self.is_taken(Slot::Name(name)) {
                let base = self.base(Slot::Name(name))?;
                count += u64::from(self.is_satisfiable(base)?);
            }
        }
        if count >= self.min {
            return Ok(true);
        }
        for class in self.others.clone() {
            let base = self.base(Slot::Other(class))?;
            if self.is_satisfiable(base)? {
                return Ok(true);
            }
        }
        let read = self.left.map_or(0, |left| left.read_at_most(self.min));
        Ok(self.names_of_few_kinds()?.saturating_sub(read) >= self.min - count)
    }
}

impl Slot {
    fn class(self) -> KeyClass {
        match self {
            Self::Name(name) => KeyClass::Known(name),
            Self::Other(class) => class,
        }
    }
}

/// Whether an array can be completed to satisfy all atoms of a clause, some of which count items.
///
/// The items of the prefixes are chosen one after the other; past them all positions are alike, and what is left of the
/// counts decides.
pub(crate) fn items(
    search: &mut Search<'_>,
    clause: &[FormulaId],
    position: Position,
) -> Result<Verdict, Exhausted> {
    let mut atoms: Vec<FormulaId> = clause.to_vec();
    dedup_in_order(&mut atoms);
    let mut making = Items { search, leans_on: CLOSED, steps: 0, seen: rustc_hash::FxHashSet::default() };
    let free = position == Position::Open;
    Ok(if making.can_end(&atoms, free)? { Verdict::Yes } else { Verdict::No { leans_on: making.leans_on } })
}

struct Items<'s, 'u> {
    search: &'s mut Search<'u>,
    leans_on: usize,
    steps: usize,
    /// Clauses from which no end was found.
    seen: rustc_hash::FxHashSet<Vec<FormulaId>>,
}

impl Items<'_, '_> {
    /// Whether some items end the array. Depth-first; the stack holds clauses still to be tried.
    fn can_end(&mut self, atoms: &[FormulaId], free: bool) -> Result<bool, Exhausted> {
        let universe = self.search.universe;
        let mut pending = vec![(atoms.to_vec(), free)];
        while let Some((atoms, free)) = pending.pop() {
            effort::spend(1)?;
            self.steps += 1;
            if self.steps > MEMBER_CHOICES_MAX {
                return Err(exhausted(format!(
                    "items for the conditions that count them: more than {MEMBER_CHOICES_MAX} choices (MEMBER_CHOICES_MAX)"
                )));
            }
            if atoms.iter().all(|&atom| universe.array_end(atom)) {
                return Ok(true);
            }
            if !free && !universe.spelling.has(b',') || !self.seen.insert(atoms.clone()) {
                continue;
            }
            self.ways(&atoms, &mut pending)?;
        }
        Ok(false)
    }

    /// The clauses after one more item, those with more conditions met last: they are tried first.
    fn ways(
        &mut self,
        atoms: &[FormulaId],
        pending: &mut Vec<(Vec<FormulaId>, bool)>,
    ) -> Result<(), Exhausted> {
        let universe = self.search.universe;
        let mut fixed = Vec::new();
        let mut left = Vec::new();
        let mut open = Vec::new();
        for &atom in atoms {
            match universe.formula(atom) {
                Formula::MinItems(n) => left.push(universe.make(Formula::MinItems(n - 1))),
                Formula::MaxItems(0) => return Ok(()),
                Formula::MaxItems(n) => left.push(universe.make(Formula::MaxItems(n - 1))),
                _ => match universe.applies_to_item(atom) {
                    Some(applies) if universe.answered(atom, false) == FALSE => {
                        fixed.push(applies);
                        left.push(universe.after_item(atom));
                    }
                    Some(applies) => open.push((atom, applies)),
                    None => left.push(atom),
                },
            }
        }
        let base = universe.all(fixed);
        // Those that satisfy most come last.
        let mut sets = self.largest_sets(base, &open)?;
        sets.sort_by_key(|holds| holds.iter().filter(|&&holds| holds).count());
        for holds in sets {
            let mut after = left.clone();
            let answered = open.iter().zip(holds).map(|(&(atom, _), holds)| universe.answered(atom, holds));
            after.extend(answered.map(|atom| universe.after_item(atom)));
            after.retain(|&atom| atom != TRUE);
            dedup_in_order(&mut after);
            pending.push((after, false));
        }
        Ok(())
    }

    /// The sets of open conditions that one item can satisfy, without those that are part of another: more conditions satisfied
    /// never leave more to do.
    fn largest_sets(
        &mut self,
        base: FormulaId,
        open: &[(FormulaId, FormulaId)],
    ) -> Result<Vec<Vec<bool>>, Exhausted> {
        let mut sets: Vec<Vec<bool>> = Vec::new();
        // What is decided of the first conditions, and what the item must satisfy for it; those with more come first.
        let mut undecided = vec![(Vec::new(), base)];
        let mut looked_at = 0;
        while let Some((decided, value)) = undecided.pop() {
            let holds_at = |at: usize| decided.get(at).copied().unwrap_or(true);
            if sets.iter().any(|set: &Vec<bool>| (0..open.len()).all(|at| set[at] || !holds_at(at))) {
                continue;
            }
            effort::spend(1)?;
            looked_at += 1;
            if looked_at > 1 << (crate::limits::OPEN_ATOMS_MAX + 1) {
                return Err(exhausted("which of many conditions one item must satisfy (OPEN_ATOMS_MAX)"));
            }
            if value == FALSE {
                continue;
            }
            if let Verdict::No { leans_on } = self.search.value(value)? {
                self.leans_on = self.leans_on.min(leans_on);
                continue;
            }
            let Some(&(_, applies)) = open.get(decided.len()) else {
                sets.push(decided);
                continue;
            };
            for (holds, value) in [(false, value), (true, self.search.universe.all([value, applies]))] {
                let mut decided = decided.clone();
                decided.push(holds);
                undecided.push((decided, value));
            }
        }
        Ok(sets)
    }
}
