//! The values that satisfy a formula, one by one, as long as they are few.
//!
//! How many values arrays and objects have together can't be told from their parts: alternatives overlap, and conditions such
//! as `contains` choose among them. So they are made, and counted by their canonical forms.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::automaton::applies::KeyClass;
use crate::automaton::canonical::canonical;
use crate::automaton::effort;
use crate::automaton::every::Every;
use crate::automaton::formula::{FALSE, Formula, NameId, TRUE};
use crate::automaton::satisfiable::{KINDS, Search, Verdict};
use crate::automaton::universe::Universe;
use crate::error::Exhausted;
use crate::grammar::Count;
use crate::grammar::program::Kinds;
use crate::index::{FormulaId, narrow};
use crate::limits::{CLAUSES_LISTED_MAX, DOMAIN_DEPTH_MAX, LISTED_VALUES_MAX, LISTING_STEPS_MAX};

/// Values by their canonical forms, as JSON texts.
#[derive(Default)]
struct Listed {
    values: BTreeMap<Vec<u8>, String>,
    /// Whether these are all.
    whole: bool,
}

impl Universe {
    /// How many values of a container kind satisfy a formula, at least, and whether that is all.
    pub(crate) fn containers_counted(
        &self,
        at_kind: FormulaId,
        kind: Kinds,
        depth: usize,
    ) -> Result<(u64, bool), Exhausted> {
        let mut listing = Listing { universe: self, steps: 0, depth, known: FxHashMap::default() };
        let listed = listing.at_kind(at_kind, kind)?;
        Ok((u64::from(narrow(listed.values.len())), listed.whole))
    }
}

struct Listing<'u> {
    universe: &'u Universe,
    steps: usize,
    /// How many values this one is inside of.
    depth: usize,
    /// The values of formulas at a depth.
    known: FxHashMap<(FormulaId, usize), Rc<Listed>>,
}

/// What the next part of a container must satisfy, and what is left to the container then.
type Way = (FormulaId, Vec<FormulaId>);

/// An array under way: its items, and what is left of a clause.
struct Items {
    items: Vec<(Vec<u8>, String)>,
    left: Vec<FormulaId>,
}

/// An object under way.
struct Members {
    members: Vec<(NameId, String)>,
    /// The conditions "some member …" that none satisfies yet.
    open: Vec<FormulaId>,
}

impl Listing<'_> {
    /// Whether there is room for one more step.
    fn goes_on(&mut self) -> Result<bool, Exhausted> {
        effort::spend(1)?;
        self.steps += 1;
        Ok(self.steps <= LISTING_STEPS_MAX)
    }

    fn value(&mut self, id: FormulaId) -> Result<Rc<Listed>, Exhausted> {
        if let Some(known) = self.known.get(&(id, self.depth)) {
            return Ok(Rc::clone(known));
        }
        let mut listed = Listed { whole: self.depth < DOMAIN_DEPTH_MAX, ..Listed::default() };
        if listed.whole {
            self.depth += 1;
            for kind in KINDS {
                let here = self.at_kind(self.universe.at_kind(id, kind), kind)?;
                listed.values.extend(here.values);
                listed.whole &= here.whole;
            }
            self.depth -= 1;
        }
        let listed = Rc::new(listed);
        self.known.insert((id, self.depth), Rc::clone(&listed));
        Ok(listed)
    }

    fn at_kind(&mut self, at_kind: FormulaId, kind: Kinds) -> Result<Listed, Exhausted> {
        let none = Listed { whole: true, ..Listed::default() };
        let universe = self.universe;
        // A question that is too hard leaves it open.
        match Search::at_depth(universe, self.depth + 1).at_kind(at_kind, kind) {
            Ok(Verdict::Yes) => {}
            Ok(Verdict::No { .. }) => return Ok(none),
            Err(_) => return Ok(Listed::default()),
        }
        match kind {
            Kinds::STRING if universe.has_sentence(at_kind) => Ok(Listed::default()),
            Kinds::STRING => {
                let term = universe.string_term(at_kind);
                if universe.terms.is_infinite(term)? != Some(false) {
                    return Ok(Listed::default());
                }
                let texts = universe.terms.all_texts(term, LISTED_VALUES_MAX)?;
                Ok(texts.map_or_else(Listed::default, |texts| {
                    all(texts.iter().map(|text| serde_json::Value::from(text.as_str()).to_string()))
                }))
            }
            Kinds::NUMBER => self.numbers(at_kind),
            Kinds::ARRAY => self.by_clauses(at_kind, Self::arrays),
            Kinds::OBJECT => self.by_clauses(at_kind, Self::objects),
            Kinds::NULL => Ok(all(["null".into()])),
            Kinds::TRUE => Ok(all(["true".into()])),
            _ => Ok(all(["false".into()])),
        }
    }

    fn numbers(&self, at_number: FormulaId) -> Result<Listed, Exhausted> {
        let universe = self.universe;
        let term = universe.number_term(at_number);
        if let Some(values) = universe.terms.listed_values(term) {
            return Ok(all(values.iter().map(ToString::to_string)));
        }
        if universe.terms.count_values(term) == Some(Count::Endless) {
            return Ok(Listed::default());
        }
        let plain = universe.terms.and(&[term, universe.plainest_numbers()?]);
        if universe.terms.is_infinite(plain)? != Some(false) {
            return Ok(Listed::default());
        }
        Ok(universe.terms.all_texts(plain, LISTED_VALUES_MAX)?.map_or_else(Listed::default, all))
    }

    fn by_clauses(
        &mut self,
        at_kind: FormulaId,
        list: fn(&mut Self, &[FormulaId], &mut Listed) -> Result<(), Exhausted>,
    ) -> Result<Listed, Exhausted> {
        let Some(clauses) = self.universe.few_clauses(at_kind) else { return Ok(Listed::default()) };
        let mut listed = Listed { whole: true, ..Listed::default() };
        for clause in clauses {
            list(self, &clause, &mut listed)?;
            if !listed.whole {
                break;
            }
        }
        Ok(listed)
    }

    /// The arrays of a clause, item after item.
    fn arrays(&mut self, clause: &[FormulaId], listed: &mut Listed) -> Result<(), Exhausted> {
        let universe = self.universe;
        let is = |wanted: &Formula| clause.iter().any(|&atom| universe.formula(atom) == wanted);
        let (unique, repeated) = (is(&Formula::Unique), is(&Formula::Repeated));
        let mut left = clause.to_vec();
        left.retain(|&atom| !matches!(universe.formula(atom), Formula::Unique | Formula::Repeated));
        let mut open = vec![Items { items: Vec::new(), left }];
        while let Some(at) = open.pop() {
            if !self.goes_on()? || listed.values.len() > LISTED_VALUES_MAX {
                listed.whole = false;
                return Ok(());
            }
            let forms: FxHashSet<&[u8]> = at.items.iter().map(|(form, _)| form.as_slice()).collect();
            if at.left.iter().all(|&atom| universe.array_end(atom))
                && (!repeated || forms.len() < at.items.len())
            {
                let texts: Vec<&str> = at.items.iter().map(|(_, text)| text.as_str()).collect();
                listed.add(format!("[{}]", texts.join(",")));
            }
            if !at.items.is_empty() && !universe.spelling.has(b',') {
                continue;
            }
            let Some(ways) = self.next_items(&at.left) else {
                listed.whole = false;
                return Ok(());
            };
            for (region, left) in ways {
                let values = self.value(region)?;
                listed.whole &= values.whole;
                for (form, text) in &values.values {
                    if !unique || !forms.contains(form.as_slice()) {
                        let mut items = at.items.clone();
                        items.push((form.clone(), text.clone()));
                        open.push(Items { items, left: left.clone() });
                    }
                }
            }
        }
        Ok(())
    }

    /// Once for each choice of the conditions that one more item is to satisfy; `None` if these are many.
    fn next_items(&self, atoms: &[FormulaId]) -> Option<Vec<Way>> {
        let universe = self.universe;
        let mut ways: Vec<Way> = vec![(TRUE, Vec::new())];
        for &atom in atoms {
            let choices: Vec<(FormulaId, FormulaId)> = match universe.formula(atom) {
                Formula::MinItems(n) => vec![(TRUE, universe.make(Formula::MinItems(n - 1)))],
                Formula::MaxItems(0) => return Some(Vec::new()),
                Formula::MaxItems(n) => vec![(TRUE, universe.make(Formula::MaxItems(n - 1)))],
                _ => match universe.applies_to_item(atom) {
                    None => vec![(TRUE, atom)],
                    Some(applies) => [(applies, true), (TRUE, false)]
                        .into_iter()
                        .map(|(asked, holds)| (asked, universe.after_item(universe.answered(atom, holds))))
                        .filter(|&(_, after)| after != FALSE)
                        .collect(),
                },
            };
            let both = |(region, left): &Way, &(asked, after): &(FormulaId, FormulaId)| {
                let mut left = left.clone();
                left.extend((after != TRUE).then_some(after));
                (universe.all([*region, asked]), left)
            };
            ways = ways.iter().flat_map(|way| choices.iter().map(move |choice| both(way, choice))).collect();
            ways.retain(|(region, _)| *region != FALSE);
            if ways.len() > CLAUSES_LISTED_MAX {
                return None;
            }
        }
        Some(ways)
    }

    /// The objects of a clause, name after name.
    fn objects(&mut self, clause: &[FormulaId], listed: &mut Listed) -> Result<(), Exhausted> {
        let universe = self.universe;
        let (mut every, mut some, mut required) = (Every::default(), Vec::new(), FxHashSet::default());
        let (mut min, mut max) = (0, u64::MAX);
        for &atom in clause {
            match universe.formula(atom) {
                Formula::Members(_) => every.push(universe, atom),
                Formula::SomeMember(_) => some.push(atom),
                Formula::Required(name) => _ = required.insert(*name),
                Formula::MinMembers(n) => min = min.max(*n),
                Formula::MaxMembers(n) => max = max.min(*n),
                _ => {}
            }
        }
        let names = self.names(clause, &every, listed)?;
        let mut open = vec![(0, Members { members: Vec::new(), open: some })];
        while let Some((at, object)) = open.pop() {
            if !self.goes_on()? || listed.values.len() > LISTED_VALUES_MAX {
                listed.whole = false;
                return Ok(());
            }
            let count = u64::from(narrow(object.members.len()));
            let Some(&name) = names.get(at) else {
                if count >= min && object.open.is_empty() {
                    listed.add(universe.object_text(&object.members));
                }
                continue;
            };
            if count < max {
                let Some(ways) = self.next_member(&every, name, &object.open)? else {
                    listed.whole = false;
                    return Ok(());
                };
                for (region, left) in ways {
                    let values = self.value(region)?;
                    listed.whole &= values.whole;
                    for text in values.values.values() {
                        let mut members = object.members.clone();
                        members.push((name, text.clone()));
                        open.push((at + 1, Members { members, open: left.clone() }));
                    }
                }
            }
            if !required.contains(&name) {
                open.push((at + 1, object));
            }
        }
        Ok(())
    }

    /// The names that members may have; where there are others the list is not whole.
    fn names(
        &self,
        clause: &[FormulaId],
        every: &Every,
        listed: &mut Listed,
    ) -> Result<Vec<NameId>, Exhausted> {
        let universe = self.universe;
        let (mut names, mut patterns) = (Vec::new(), Vec::new());
        for &atom in clause {
            match universe.formula(atom) {
                Formula::Members(members) | Formula::SomeMember(members) => {
                    names.extend(members.properties.iter().map(|(name, _)| *name));
                    patterns.extend(members.patterns.iter().map(|(term, _)| *term));
                }
                Formula::Required(name) => names.push(*name),
                _ => {}
            }
        }
        names.sort_unstable();
        names.dedup();
        patterns.sort_unstable();
        patterns.dedup();
        let patterns = universe.vector(&patterns);
        let mentioned = universe.name_lists.intern_key(&names.into_boxed_slice());
        let list = universe.with_few_names(patterns, mentioned)?;
        for class in universe.other_names(patterns, list)?.iter() {
            let value = every.value(universe, KeyClass::Other { patterns, matched: class.matched })?;
            listed.whole &= value == FALSE || !universe.satisfiable(value)?;
        }
        let mut names = universe.names_by_rank(list).to_vec();
        names.retain(|&name| universe.name_is_spellable(universe.name(name)));
        Ok(names)
    }

    /// Once for each choice of the conditions that a member of this name is to satisfy; `None` if these are many.
    fn next_member(
        &self,
        every: &Every,
        name: NameId,
        open: &[FormulaId],
    ) -> Result<Option<Vec<Way>>, Exhausted> {
        let universe = self.universe;
        let class = KeyClass::Known(name);
        let mut ways = vec![(every.value(universe, class)?, Vec::new())];
        for &atom in open {
            let applies = universe.applies_to_member(atom, class)?.unwrap_or(FALSE);
            let mut next = Vec::new();
            for (region, mut left) in ways {
                next.push((universe.all([region, applies]), Vec::clone(&left)));
                left.push(atom);
                next.push((region, left));
            }
            next.retain(|(region, _)| *region != FALSE);
            if next.len() > CLAUSES_LISTED_MAX {
                return Ok(None);
            }
            ways = next;
        }
        Ok(Some(ways))
    }
}

impl Listed {
    fn add(&mut self, text: String) {
        self.values.insert(canonical(text.as_bytes()), text);
    }
}

/// A whole list.
fn all(texts: impl IntoIterator<Item = String>) -> Listed {
    let mut listed = Listed { whole: true, ..Listed::default() };
    texts.into_iter().for_each(|text| listed.add(text));
    listed
}

impl Universe {
    fn object_text(&self, members: &[(NameId, String)]) -> String {
        let members: Vec<String> = members
            .iter()
            .map(|(name, text)| format!("{}:{text}", serde_json::Value::from(self.name(*name))))
            .collect();
        format!("{{{}}}", members.join(","))
    }
}
