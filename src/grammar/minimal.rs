//! The least automaton for the language of another: states that no text tells apart are one, and states from which no text is
//! accepted are none.
//!
//! Hopcroft's way: states are kept in blocks, first by whether they accept. As long as some kind of character leads from one
//! part of a block into another block and from the other part not, the block is cut. The smaller part of each cut is enough
//! to find further cuts, so the time is O(k n log n) for n states and k kinds.

use std::collections::VecDeque;

use crate::grammar::states::{Next, Row};
use crate::index::narrow;

/// A complete deterministic automaton; the start is state 0.
pub(crate) struct Graph {
    /// By state.
    pub(crate) accepts: Vec<bool>,
    /// By state, then by kind of character.
    pub(crate) next: Vec<usize>,
    pub(crate) kinds: usize,
}

/// The rows of the least automaton for these states, of which the first is the start: by state, where ranges of characters (sorted,
/// disjoint) lead, and whether a text may end there. None if no text is accepted.
///
/// Time and room are the number of states times that of different bounds of ranges.
pub(crate) fn least(steps: &[Vec<(u32, u32, usize)>], accepts: &[bool]) -> Vec<Row> {
    let (ranges, kinds) = ranges(steps);
    // The last state is the one that nothing leads out of.
    let count = steps.len();
    let mut next = vec![count; (count + 1) * kinds];
    for (from, steps) in steps.iter().enumerate() {
        for &(lo, hi, to) in steps {
            let first = ranges.partition_point(|range| range.0 < lo);
            let last = ranges.partition_point(|range| range.0 <= hi);
            next[from * kinds + first..from * kinds + last].fill(to);
        }
    }
    let accepts: Vec<bool> = accepts.iter().copied().chain([false]).collect();
    minimal(&Graph { accepts, next, kinds }, &ranges)
}

/// All characters up to the last one that leads anywhere, in pieces that each lead from a state to one state.
fn ranges(steps: &[Vec<(u32, u32, usize)>]) -> (Vec<(u32, u32, usize)>, usize) {
    let mut bounds: Vec<u32> = vec![0];
    for &(lo, hi, _) in steps.iter().flatten() {
        bounds.extend([lo, hi + 1]);
    }
    bounds.sort_unstable();
    bounds.dedup();
    let pieces = bounds.windows(2).enumerate().map(|(kind, pair)| (pair[0], pair[1] - 1, kind));
    (pieces.collect(), bounds.len() - 1)
}

/// How much work [`least`] has: states times kinds of characters.
pub(crate) fn work(steps: &[Vec<(u32, u32, usize)>]) -> usize {
    (steps.len() + 1).saturating_mul(ranges(steps).1)
}

/// The rows of the least automaton in the order of reading, by these ranges of characters with their kinds; none if no text
/// is accepted.
pub(crate) fn minimal(graph: &Graph, ranges: &[(u32, u32, usize)]) -> Vec<Row> {
    let sources = Sources::of(graph);
    let blocks = Blocks::of(graph, &sources);
    let live = live(graph, (&blocks, &sources));
    let mut numbers: Vec<Option<u32>> = vec![None; blocks.bounds.len()];
    let mut rows = Vec::new();
    let mut open = VecDeque::new();
    let start = blocks.block[0];
    if live[start] {
        numbers[start] = Some(0);
        open.push_back(start);
    }
    let mut count = 1;
    while let Some(block) = open.pop_front() {
        let state = blocks.states[blocks.bounds[block].0];
        let mut next: Vec<Next> = Vec::new();
        for &(lo, hi, kind) in ranges {
            let to = blocks.block[graph.next[state * graph.kinds + kind]];
            if !live[to] {
                continue;
            }
            let to = *numbers[to].get_or_insert_with(|| {
                open.push_back(to);
                count += 1;
                narrow(count - 1)
            });
            match next.last_mut() {
                Some(last) if last.state == to && last.hi + 1 == lo => last.hi = hi,
                _ => next.push(Next { lo, hi, state: to }),
            }
        }
        rows.push(Row { accepts: graph.accepts[state], next: next.into_boxed_slice() });
    }
    rows
}

/// By block, whether some text is accepted from it.
fn live(graph: &Graph, (blocks, sources): (&Blocks, &Sources)) -> Vec<bool> {
    let mut live = vec![false; blocks.bounds.len()];
    let mut open: Vec<usize> = (0..graph.accepts.len()).filter(|&state| graph.accepts[state]).collect();
    let mut seen = graph.accepts.clone();
    while let Some(state) = open.pop() {
        live[blocks.block[state]] = true;
        for kind in 0..graph.kinds {
            for &from in sources.leading_to(state, kind) {
                if !std::mem::replace(&mut seen[from], true) {
                    open.push(from);
                }
            }
        }
    }
    live
}

/// The transitions backwards.
struct Sources {
    kinds: usize,
    /// Where the sources of each state and kind begin in `states`.
    from: Vec<usize>,
    states: Vec<usize>,
}

impl Sources {
    fn of(graph: &Graph) -> Self {
        let mut from = vec![0; graph.next.len() + 1];
        let slot = |place: usize, to: usize| to * graph.kinds + place % graph.kinds;
        for (place, &to) in graph.next.iter().enumerate() {
            from[slot(place, to) + 1] += 1;
        }
        for i in 1..from.len() {
            from[i] += from[i - 1];
        }
        let mut free = from.clone();
        let mut states = vec![0; graph.next.len()];
        for (place, &to) in graph.next.iter().enumerate() {
            let slot = slot(place, to);
            states[free[slot]] = place / graph.kinds;
            free[slot] += 1;
        }
        Self { kinds: graph.kinds, from, states }
    }

    fn leading_to(&self, state: usize, kind: usize) -> &[usize] {
        let slot = state * self.kinds + kind;
        &self.states[self.from[slot]..self.from[slot + 1]]
    }
}

/// The states in blocks.
struct Blocks {
    /// All states, block by block; in a block, the marked ones first.
    states: Vec<usize>,
    /// By state: its place in `states`, and its block.
    place: Vec<usize>,
    block: Vec<usize>,
    /// By block: its first place, and the one behind its last.
    bounds: Vec<(usize, usize)>,
    marked: Vec<usize>,
}

impl Blocks {
    fn of(graph: &Graph, sources: &Sources) -> Self {
        let count = graph.accepts.len();
        let mut blocks = Self {
            states: (0..count).collect(),
            place: (0..count).collect(),
            block: vec![0; count],
            bounds: vec![(0, count)],
            marked: vec![0],
        };
        for state in (0..count).filter(|&state| graph.accepts[state]) {
            blocks.mark(state);
        }
        let mut open: Vec<usize> = blocks.cut(0).into_iter().chain([0]).collect();
        let mut touched = Vec::new();
        while let Some(block) = open.pop() {
            let (from, to) = blocks.bounds[block];
            let members = blocks.states[from..to].to_vec();
            for kind in 0..graph.kinds {
                for &member in &members {
                    touched.extend(
                        sources.leading_to(member, kind).iter().filter_map(|&state| blocks.mark(state)),
                    );
                }
                open.extend(touched.drain(..).filter_map(|block| blocks.cut(block)));
            }
        }
        blocks
    }

    /// Marks a state; its block if it is the first marked there.
    fn mark(&mut self, state: usize) -> Option<usize> {
        let block = self.block[state];
        let to = self.bounds[block].0 + self.marked[block];
        let place = self.place[state];
        if place < to {
            return None;
        }
        self.swap(place, to);
        self.marked[block] += 1;
        (self.marked[block] == 1).then_some(block)
    }

    fn swap(&mut self, a: usize, b: usize) {
        self.states.swap(a, b);
        self.place[self.states[a]] = a;
        self.place[self.states[b]] = b;
    }

    /// Cuts a block in those marked and the others; the smaller part becomes a new block, if both have members.
    fn cut(&mut self, block: usize) -> Option<usize> {
        let (from, to) = self.bounds[block];
        let middle = from + std::mem::take(&mut self.marked[block]);
        if middle == from || middle == to {
            return None;
        }
        let (kept, new) = if middle - from <= to - middle {
            ((middle, to), (from, middle))
        } else {
            ((from, middle), (middle, to))
        };
        self.bounds[block] = kept;
        let number = self.bounds.len();
        self.bounds.push(new);
        self.marked.push(0);
        for place in new.0..new.1 {
            self.block[self.states[place]] = number;
        }
        Some(number)
    }
}
