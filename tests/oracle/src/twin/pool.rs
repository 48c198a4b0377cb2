//! Representative values: for each position one value for each truth vector that some value reaches there.
//!
//! Scalars come from the leaf graphs; containers are put together from representatives of their
//! members, round by round, until no round finds a new vector: a least fixpoint, so recursion needs no depth bound.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use maskwright::KeyOrder;

use super::location::{Keyword, Unsupported};
use super::position::{Plan, PositionId};
use super::surface::Need;
use super::text::TextTip;
use super::value::Value;
use super::{SEARCH_STEPS_MAX, Search, TooLarge, Twin};

/// Most positions of one schema.
const POSITIONS_MAX: usize = 500;
/// Most locations asked about at one position: the bits of a vector.
const ASKED_MAX: usize = 64;
/// Up to this `maxItems` the exhaustive search also tries longer arrays.
const LONG_ARRAY: usize = 6;

/// Values of one position with their truth vectors.
pub(super) type Representatives = Rc<Vec<(u64, Rc<Value>)>>;

/// Representatives by position.
#[derive(Debug, Default)]
pub(super) struct Pool {
    by_position: RefCell<HashMap<PositionId, Representatives>>,
}

/// Adds an entry unless one that serves as well is there; whether it was added.
pub(super) fn keep<T>(
    search: Search,
    kept: &mut Vec<(u64, T)>,
    truths: u64,
    value: impl FnOnce() -> T,
) -> bool {
    let is_served = |&(other, _): &(u64, T)| match search {
        Search::Exhaustive => other == truths,
        Search::Monotone => other & truths == truths,
    };
    if kept.iter().any(is_served) {
        return false;
    }
    if search == Search::Monotone {
        kept.retain(|&(other, _)| other & truths != other);
    }
    kept.push((truths, value()));
    true
}

/// Members of an object.
pub(super) type Members = Vec<(Rc<str>, Rc<Value>)>;
/// What is done with a complete container; `true` ends the search.
pub(super) type Accept<'a> = &'a mut dyn FnMut(Value) -> bool;

impl Twin {
    /// The representatives of a position.
    pub(super) fn representatives(&self, position: PositionId) -> Representatives {
        self.pool.by_position.borrow().get(&position).cloned().unwrap_or_default()
    }

    /// Whether some value satisfies the schema.
    #[must_use]
    pub fn is_satisfiable(&self) -> bool {
        self.representatives(PositionId::ROOT).iter().any(|(truths, _)| truths & 1 == 1)
    }

    /// Values that satisfy the schema, at most one for each way in which they differ from others for the twin.
    #[must_use]
    pub fn valid_values(&self) -> Vec<Rc<Value>> {
        let representatives = self.representatives(PositionId::ROOT);
        representatives.iter().filter(|(truths, _)| truths & 1 == 1).map(|(_, value)| value.clone()).collect()
    }

    /// Counts a step of the search; `false` once it has taken too many.
    pub(super) fn step(&self) -> bool {
        self.steps.set(self.steps.get() + 1);
        self.steps.get() <= SEARCH_STEPS_MAX
    }

    /// Computes the representatives of all positions.
    pub(super) fn fill_pool(&self) -> Result<(), Unsupported> {
        let too_large = |_: TooLarge| Unsupported::new("too large".to_owned());
        let positions = self.reachable()?;
        for &position in &positions {
            let scalars = self.scalars(position).map_err(too_large)?;
            self.pool.by_position.borrow_mut().insert(position, Rc::new(scalars));
        }
        loop {
            let mut changed = false;
            for &position in &positions {
                let mut kept = (*self.representatives(position)).clone();
                let before = kept.clone();
                let mut add = |value: Value| {
                    let truths = self.truths(position, &value);
                    keep(self.search, &mut kept, truths, || Rc::new(value));
                    false
                };
                if self.bytes.has(b'{') {
                    self.close_object(position, &Vec::new(), Need::Nothing, &mut add);
                }
                if self.bytes.has(b'[') {
                    self.close_array(position, &[], Need::Nothing, &mut add);
                }
                if self.steps.replace(0) > SEARCH_STEPS_MAX {
                    return Err(too_large(TooLarge));
                }
                changed |= before.iter().map(|(t, _)| t).ne(kept.iter().map(|(t, _)| t));
                self.pool.by_position.borrow_mut().insert(position, Rc::new(kept));
            }
            if !changed {
                return Ok(());
            }
        }
    }

    fn reachable(&self) -> Result<Vec<PositionId>, Unsupported> {
        let mut found = vec![PositionId::ROOT];
        let mut at = 0;
        while let Some(&position) = found.get(at) {
            at += 1;
            let plan = self.plan(position);
            let mut next: Vec<PositionId> =
                plan.ranked.iter().map(|name| self.member(position, name)).collect();
            next.push(self.member(position, &unmentioned(&plan)));
            next.extend((0..=plan.prefix_len).map(|index| self.item(position, index)));
            for child in next {
                if !found.contains(&child) {
                    found.push(child);
                }
            }
            if found.len() > POSITIONS_MAX || self.asked(position).len() > ASKED_MAX {
                return Err(Unsupported::new("too large".to_owned()));
            }
        }
        Ok(found)
    }

    fn scalars(&self, position: PositionId) -> Result<Vec<(u64, Rc<Value>)>, TooLarge> {
        let mut values = Vec::new();
        for value in [Value::Null, Value::Bool(true), Value::Bool(false)] {
            if self.bytes.spell(value.to_string().as_bytes()) {
                values.push(value);
            }
        }
        if self.bytes.has(b'"') {
            let endings = self.text_endings(position, &TextTip::default())?;
            values.extend(endings.into_iter().map(|(_, text)| Value::Text(text)));
        }
        values.extend(self.number_endings(position, "")?.into_iter().map(|(_, text)| Value::Number(text)));
        let mut kept = Vec::new();
        for value in values {
            keep(self.search, &mut kept, self.truths(position, &value), || Rc::new(value));
        }
        Ok(kept)
    }

    /// Goes through the ways of closing an object that has these members, after more of them if any are `need`ed.
    /// Whether `accept` ended the search.
    pub(super) fn close_object(
        &self,
        position: PositionId,
        members: &Members,
        need: Need,
        accept: Accept<'_>,
    ) -> bool {
        if !self.bytes.has(b'}') {
            return false;
        }
        let plan = self.plan(position);
        let is_useful = |name: &&Rc<str>| self.search == Search::Exhaustive || plan.required.contains(*name);
        let names = self.next_names(&plan, members);
        let mut members = members.clone();
        if need == Need::Nothing {
            let useful: Vec<Rc<str>> = names.iter().filter(is_useful).cloned().collect();
            return self.extend_object(position, &mut members, &useful, accept);
        }
        for (i, name) in names.iter().enumerate() {
            let later = match self.policy.key_order {
                KeyOrder::Declared => &names[i + 1..],
                KeyOrder::Any => &names,
            };
            let useful: Vec<Rc<str>> =
                later.iter().filter(|n| *n != name).filter(is_useful).cloned().collect();
            if self.bytes.has(b':') && self.take(position, &mut members, name, &useful, accept) {
                return true;
            }
        }
        false
    }

    /// Adds each subset of the names, with each choice of representatives.
    fn extend_object(
        &self,
        position: PositionId,
        members: &mut Members,
        names: &[Rc<str>],
        accept: Accept<'_>,
    ) -> bool {
        let may_add = self.bytes.has(b':') && (members.is_empty() || self.bytes.has(b','));
        match names.split_first() {
            Some((name, later)) if may_add => {
                self.take(position, members, name, later, accept)
                    || self.extend_object(position, members, later, accept)
            }
            _ => self.step() && accept(Value::Object(members.clone())),
        }
    }

    fn take(
        &self,
        position: PositionId,
        members: &mut Members,
        name: &Rc<str>,
        later: &[Rc<str>],
        accept: Accept<'_>,
    ) -> bool {
        for (_, value) in self.representatives(self.member(position, name)).iter() {
            if !self.step() {
                return false;
            }
            members.push((name.clone(), value.clone()));
            let is_done = self.extend_object(position, members, later, accept);
            members.pop();
            if is_done {
                return true;
            }
        }
        false
    }

    /// Names that may come after the members, in order: the mentioned ones, then one for all others.
    pub(super) fn next_names(&self, plan: &Plan, members: &Members) -> Vec<Rc<str>> {
        let is_last = |name: &str| match members.last() {
            Some((last, _)) => self.rank(plan, name) > self.rank(plan, last),
            None => true,
        };
        let mut names: Vec<Rc<str>> = Vec::new();
        for name in &plan.ranked {
            let is_next = self.policy.key_order == KeyOrder::Any || is_last(name);
            if is_next && members.iter().all(|(n, _)| n != name) && self.can_spell_text(name) {
                names.push(name.clone());
            }
        }
        names.extend(self.other_name(plan, members, &TextTip::default()));
        names
    }

    /// A name that nothing mentions, not used by the members, as which a started key can end.
    pub(super) fn other_name(&self, plan: &Plan, members: &Members, tip: &TextTip) -> Option<Rc<str>> {
        if !self.bytes.has(b'"') {
            return None;
        }
        let mut name = tip.decoded.clone();
        let filler = self
            .spelled_char(&tip.pending, (0x21, 0x0010_FFFF))
            .or_else(|| self.spelled_char(&tip.pending, (0, 0x20)));
        if !tip.pending.is_empty() {
            name.push(filler?);
        }
        loop {
            let is_taken =
                plan.ranked.iter().any(|n| **n == *name) || members.iter().any(|(n, _)| **n == *name);
            if !is_taken {
                return Some(name.into());
            }
            name.push(filler?);
        }
    }

    /// Goes through the ways of closing an array that has these items. Whether `accept` ended the search.
    pub(super) fn close_array(
        &self,
        position: PositionId,
        items: &[Rc<Value>],
        need: Need,
        accept: Accept<'_>,
    ) -> bool {
        let plan = self.plan(position);
        let mut goal = plan.min_items;
        if self.search == Search::Exhaustive {
            goal = goal.max(plan.prefix_len + 1);
            for keyword in plan.in_place.iter().flat_map(|&at| self.locations.keywords(at)) {
                if let Keyword::MaxItems(count) = keyword
                    && *count <= LONG_ARRAY
                {
                    goal = goal.max(count + 1);
                }
            }
        }
        self.bytes.has(b']') && self.extend_array(position, &mut items.to_vec(), need, goal, accept)
    }

    fn extend_array(
        &self,
        position: PositionId,
        items: &mut Vec<Rc<Value>>,
        need: Need,
        goal: usize,
        accept: Accept<'_>,
    ) -> bool {
        if !self.step() {
            return false;
        }
        if need == Need::Nothing && accept(Value::Array(items.clone())) {
            return true;
        }
        let is_free = need == Need::OneMore || items.is_empty() || self.bytes.has(b',');
        if !is_free || need == Need::Nothing && items.len() >= goal {
            return false;
        }
        for (_, item) in self.representatives(self.item(position, items.len())).iter() {
            items.push(item.clone());
            let is_done = self.extend_array(position, items, Need::Nothing, goal, accept);
            items.pop();
            if is_done {
                return true;
            }
        }
        false
    }
}

/// A name that the plan does not mention.
fn unmentioned(plan: &Plan) -> String {
    let mut name = String::new();
    while plan.ranked.iter().any(|n| **n == *name) {
        name.push('~');
    }
    name
}
