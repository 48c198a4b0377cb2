//! Instance positions: which locations apply to a value, and in which order an object's keys come there.
//!
//! The root is asked about the root schema. What applies to a member or item is collected statically from all
//! in-place locations of the position (`$ref`, `allOf`, `anyOf`, whether they hold or not), so the order of keys is known when
//! the object opens: by first mention in the text of the schema, then the required names that nothing declares, then
//! all others in any order.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use maskwright::KeyOrder;

use super::Twin;
use super::location::{Keyword, LocationId};
use super::validate::{declared, prefix_len};
use super::value::Value;

/// An interned list of the locations that a parent asks about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct PositionId(usize);

impl PositionId {
    /// The document itself.
    pub(super) const ROOT: Self = Self(0);
}

/// All that is known statically about a position.
#[derive(Debug)]
pub(super) struct Plan {
    /// Locations that apply in place, those that are constantly false left out.
    pub in_place: Vec<LocationId>,
    /// Mentioned names in the declared order.
    pub ranked: Vec<Rc<str>>,
    /// Names that some location requires.
    pub required: HashSet<Rc<str>>,
    /// Positions at which the items of arrays differ from all later ones.
    pub prefix_len: usize,
    /// Most items that some location asks for.
    pub min_items: usize,
}

/// The interned positions of a schema.
#[derive(Debug)]
pub(super) struct Positions {
    asked: Vec<Rc<[LocationId]>>,
    by_asked: HashMap<Rc<[LocationId]>, PositionId>,
    plans: HashMap<PositionId, Rc<Plan>>,
}

impl Positions {
    /// The root alone.
    pub(super) fn new(root: LocationId) -> Self {
        let mut positions = Self { asked: Vec::new(), by_asked: HashMap::new(), plans: HashMap::new() };
        positions.intern(Rc::from([root]));
        positions
    }

    fn intern(&mut self, asked: Rc<[LocationId]>) -> PositionId {
        if let Some(&known) = self.by_asked.get(&asked) {
            return known;
        }
        let id = PositionId(self.asked.len());
        self.asked.push(asked.clone());
        self.by_asked.insert(asked, id);
        id
    }
}

impl Twin {
    /// The locations that the parent asks about.
    pub(super) fn asked(&self, position: PositionId) -> Rc<[LocationId]> {
        self.positions.borrow().asked[position.0].clone()
    }

    /// The truth of each location asked about, one bit each.
    pub(super) fn truths(&self, position: PositionId, value: &Value) -> u64 {
        let asked = self.asked(position);
        asked.iter().enumerate().fold(0, |bits, (i, &at)| bits | u64::from(self.holds(at, value)) << i)
    }

    /// The plan of a position.
    pub(super) fn plan(&self, position: PositionId) -> Rc<Plan> {
        if let Some(plan) = self.positions.borrow().plans.get(&position) {
            return plan.clone();
        }
        let asked = self.asked(position);
        let plan = Rc::new(self.make_plan(&asked));
        self.positions.borrow_mut().plans.insert(position, plan.clone());
        plan
    }

    fn make_plan(&self, asked: &[LocationId]) -> Plan {
        let mut plan = Plan {
            in_place: Vec::new(),
            ranked: Vec::new(),
            required: HashSet::new(),
            prefix_len: 0,
            min_items: 0,
        };
        for &location in asked {
            self.mention(location, &mut plan);
        }
        let in_place = plan.in_place.clone();
        for &location in &in_place {
            let keywords = self.locations.keywords(location);
            plan.prefix_len = plan.prefix_len.max(prefix_len(keywords));
            for keyword in keywords {
                match keyword {
                    Keyword::Required(names) => {
                        for name in names {
                            add_name(&mut plan.ranked, name);
                            plan.required.insert(name.clone());
                        }
                    }
                    Keyword::MinItems(count) => plan.min_items = plan.min_items.max(*count),
                    _ => {}
                }
            }
        }
        plan
    }

    /// Walks the in-place locations in textual order and notes the declared names.
    fn mention(&self, location: LocationId, plan: &mut Plan) {
        if self.locations.is_never(location) || plan.in_place.contains(&location) {
            return;
        }
        plan.in_place.push(location);
        for keyword in self.locations.keywords(location) {
            match keyword {
                Keyword::Properties(properties) => {
                    for (name, _) in properties {
                        add_name(&mut plan.ranked, name);
                    }
                }
                Keyword::AnyOf(parts) | Keyword::AllOf(parts) | Keyword::OneOf(parts) => {
                    for &part in parts {
                        self.mention(part, plan);
                    }
                }
                _ => {}
            }
        }
    }

    /// The position of the value under a name.
    pub(super) fn member(&self, position: PositionId, name: &str) -> PositionId {
        self.child(position, |keywords| {
            declared(keywords, name).or_else(|| {
                keywords.iter().find_map(|keyword| match keyword {
                    Keyword::Additional(at) => Some(*at),
                    _ => None,
                })
            })
        })
    }

    /// The position of the item at an index.
    pub(super) fn item(&self, position: PositionId, index: usize) -> PositionId {
        self.child(position, |keywords| {
            if index < prefix_len(keywords) {
                return keywords.iter().find_map(|keyword| match keyword {
                    Keyword::Prefix(parts) => parts.get(index).copied(),
                    _ => None,
                });
            }
            keywords.iter().find_map(|keyword| match keyword {
                Keyword::Items(at) => Some(*at),
                _ => None,
            })
        })
    }

    fn child(&self, position: PositionId, applies: impl Fn(&[Keyword]) -> Option<LocationId>) -> PositionId {
        let mut asked: Vec<LocationId> = Vec::new();
        for &location in &self.plan(position).in_place {
            if let Some(at) = applies(self.locations.keywords(location))
                && !asked.contains(&at)
            {
                asked.push(at);
            }
        }
        self.positions.borrow_mut().intern(asked.into())
    }

    /// Where a name stands in the order of keys at a position; all unmentioned names stand last.
    pub(super) fn rank(&self, plan: &Plan, name: &str) -> usize {
        match self.policy.key_order {
            KeyOrder::Any => usize::MAX,
            KeyOrder::Declared => plan.ranked.iter().position(|n| **n == *name).unwrap_or(usize::MAX),
        }
    }

    /// Whether the names come in the order of keys at the position.
    pub(super) fn names_ordered<'n>(
        &self,
        position: PositionId,
        names: impl IntoIterator<Item = &'n str>,
    ) -> bool {
        let plan = self.plan(position);
        let ranks: Vec<usize> = names.into_iter().map(|name| self.rank(&plan, name)).collect();
        ranks.windows(2).all(|pair| pair[0] < pair[1] || pair[0] == usize::MAX && pair[1] == usize::MAX)
    }

    /// Whether the members of every object in the value come in order.
    pub(super) fn ordered_at(&self, position: PositionId, value: &Value) -> bool {
        match value {
            Value::Object(members) => {
                self.names_ordered(position, members.iter().map(|(name, _)| &**name))
                    && members.iter().all(|(name, value)| self.ordered_at(self.member(position, name), value))
            }
            Value::Array(items) => {
                items.iter().enumerate().all(|(i, item)| self.ordered_at(self.item(position, i), item))
            }
            _ => true,
        }
    }

    /// The same value with the members of every object in the order that the policy asks for.
    #[must_use]
    pub fn arranged(&self, value: &Value) -> Value {
        self.arranged_at(PositionId::ROOT, value)
    }

    fn arranged_at(&self, position: PositionId, value: &Value) -> Value {
        match value {
            Value::Object(members) => {
                let plan = self.plan(position);
                let mut sorted: Vec<(Rc<str>, Rc<Value>)> = members
                    .iter()
                    .map(|(name, value)| {
                        (name.clone(), Rc::new(self.arranged_at(self.member(position, name), value)))
                    })
                    .collect();
                sorted.sort_by_key(|(name, _)| self.rank(&plan, name));
                Value::Object(sorted)
            }
            Value::Array(items) => Value::Array(
                items
                    .iter()
                    .enumerate()
                    .map(|(i, item)| Rc::new(self.arranged_at(self.item(position, i), item)))
                    .collect(),
            ),
            scalar => scalar.clone(),
        }
    }
}

fn add_name(names: &mut Vec<Rc<str>>, name: &Rc<str>) {
    if !names.contains(name) {
        names.push(name.clone());
    }
}
