//! Terms that are states of a table: read by looking up, with facts worked out once for all states of the table.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::fmt::Write;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use hashbrown::Equivalent;

use super::derive::{Range, push};
use super::facts::Facts;
use super::{Kind, TableId, Terms, Window};
use crate::automaton::heap::Heap;
use crate::grammar::states::States;
use crate::index::{TermId, narrow, widen};

/// A table with what is known about its states.
pub(super) struct Table {
    states: Arc<States>,
    facts: Box<[Facts]>,
    /// The state that accepts everything.
    all: Option<u32>,
}

impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        self.states == other.states
    }
}

impl Eq for Table {}

impl Hash for Table {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.states.hash(state);
    }
}

impl Equivalent<Table> for States {
    fn equivalent(&self, table: &Table) -> bool {
        *self == *table.states
    }
}

impl Terms {
    pub(super) fn table_of(&self, states: &Arc<States>) -> TableId {
        TableId(self.tables.intern_ref(&**states, || {
            let all = (0..narrow(states.rows().len())).find(|&state| states.takes_all(state));
            Table { states: Arc::clone(states), facts: facts(states, all), all }
        }))
    }

    /// The term of a state.
    pub(super) fn state(&self, table: TableId, state: u32) -> TermId {
        let Table { states, all, .. } = self.tables.get(table.0);
        if *all == Some(state) {
            Self::ALL
        } else if states.rows()[widen(state)].next.is_empty() {
            Self::EMPTY
        } else {
            self.intern(&Kind::State { table, state })
        }
    }

    pub(super) fn facts_of_state(&self, table: TableId, state: u32) -> Facts {
        self.tables.get(table.0).facts[widen(state)]
    }

    pub(super) fn read_state(&self, table: TableId, state: u32) -> Vec<Range> {
        let row = &self.tables.get(table.0).states.rows()[widen(state)];
        let mut out = Vec::with_capacity(row.next.len());
        for next in &row.next {
            push(&mut out, next.lo, next.hi, self.state(table, next.state));
        }
        out
    }

    pub(super) fn write_state(&self, out: &mut String, table: TableId, state: u32) {
        let states = &self.tables.get(table.0).states;
        write!(out, "{states}@{state}").expect("a string takes any text");
    }
}

/// The facts of all states.
fn facts(states: &States, all: Option<u32>) -> Box<[Facts]> {
    let graph = Graph::of(states);
    let rows = states.rows();
    let count = rows.len();
    let accepts: Vec<usize> = (0..count).filter(|&state| rows[state].accepts).collect();
    let shortest = graph.distances(accepts.iter().map(|&state| (0, state)).collect());
    // At a state that leads to itself, texts of every length from the shortest on can follow.
    let stay: Vec<(u64, usize)> =
        (0..count).filter(|&s| graph.next[s].contains(&s)).map(|s| (shortest[s].unwrap_or(0), s)).collect();
    let every_length = graph.distances(stay);
    let longest = graph.longest();
    let closed = graph.sources_of((0..count).filter(|&s| every_length[s] != shortest[s]));
    let stops = graph.sources_of((0..count).filter(|&s| !rows[s].is_complete()));
    let fades = graph.sources_of(accepts.iter().copied().filter(|&s| all != Some(narrow(s))));
    let finish = graph.greatest_reached(|s| shortest[s].unwrap_or(0));
    (0..count)
        .map(|s| Facts {
            nullable: rows[s].accepts,
            lengths: Window { min: shortest[s].unwrap_or(0), max: longest[s] },
            step: None,
            open: !closed[s],
            finish: finish[s],
            always: !stops[s],
            absorbs: !fades[s],
            ..Facts::NOTHING
        })
        .collect()
}

/// The transitions without their characters.
struct Graph {
    next: Vec<BTreeSet<usize>>,
    sources: Vec<Vec<usize>>,
}

impl Graph {
    fn of(states: &States) -> Self {
        let next: Vec<BTreeSet<usize>> =
            states.rows().iter().map(|row| row.next.iter().map(|next| widen(next.state)).collect()).collect();
        let mut sources = vec![Vec::new(); next.len()];
        for (from, next) in next.iter().enumerate() {
            next.iter().for_each(|&to| sources[to].push(from));
        }
        Self { next, sources }
    }

    /// By state, the fewest characters to one of these, what that costs included; `None`: there is no way.
    fn distances(&self, seeds: Vec<(u64, usize)>) -> Vec<Option<u64>> {
        let mut found = vec![None; self.next.len()];
        let mut open: BinaryHeap<Reverse<(u64, usize)>> = seeds.into_iter().map(Reverse).collect();
        while let Some(Reverse((length, state))) = open.pop() {
            if found[state].is_none() {
                found[state] = Some(length);
                open.extend(self.sources[state].iter().map(|&from| Reverse((length + 1, from))));
            }
        }
        found
    }

    /// By state, the length of the longest text; `None`: there is none.
    fn longest(&self) -> Vec<Option<u64>> {
        let mut left: Vec<usize> = self.next.iter().map(BTreeSet::len).collect();
        let mut found = vec![None; self.next.len()];
        let mut open: Vec<usize> = (0..left.len()).filter(|&state| left[state] == 0).collect();
        while let Some(state) = open.pop() {
            found[state] =
                Some(self.next[state].iter().filter_map(|&to| found[to]).max().map_or(0, |n: u64| n + 1));
            for &from in &self.sources[state] {
                left[from] -= 1;
                if left[from] == 0 {
                    open.push(from);
                }
            }
        }
        found
    }

    /// By state, whether one of these can be reached.
    fn sources_of(&self, states: impl Iterator<Item = usize>) -> Vec<bool> {
        self.distances(states.map(|state| (0, state)).collect()).iter().map(Option::is_some).collect()
    }

    /// By state, the greatest value of those that can be reached.
    fn greatest_reached(&self, value: impl Fn(usize) -> u64) -> Vec<u64> {
        let mut by_value: Vec<usize> = (0..self.next.len()).collect();
        by_value.sort_by_key(|&state| Reverse(value(state)));
        let mut found = vec![None; self.next.len()];
        for state in by_value {
            let mut open = vec![state];
            while let Some(reached) = open.pop() {
                if found[reached].is_none() {
                    found[reached] = Some(value(state));
                    open.extend(&self.sources[reached]);
                }
            }
        }
        found.into_iter().map(Option::unwrap_or_default).collect()
    }
}

impl Heap for Table {
    fn heap_bytes(&self) -> usize {
        let rows = self.states.rows();
        size_of_val(&*self.facts)
            + size_of_val(rows)
            + rows.iter().map(|row| size_of_val(&*row.next)).sum::<usize>()
    }
}
