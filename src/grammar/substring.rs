//! The runs of a list of chunks, `chunks[n..m]` joined, as a table of states.
//!
//! The chunks, each taken for one letter, have a suffix automaton: it accepts the runs and has at most two states for each chunk.
//! Each of its steps reads the characters of a chunk, so the steps from one state are a list of texts, which is sorted, and a place inside
//! is the part of that list that begins with what has been read. Runs of other chunks may be read at the same time (`a` and `ab`,
//! where `b` follows), so a state of the table is a set of places. No text is endless, so equal states are found from the ends.
//!
//! The table is as large as the text times a small factor, and is refused where it isn't.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use rustc_hash::FxHashMap;

use crate::grammar::regex::Regex;
use crate::grammar::states::{Next, Row};
use crate::index::narrow;
use crate::limits::SUBSTRING_PLACES_MAX;

/// The table would be larger than [`SUBSTRING_PLACES_MAX`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct TooLarge;

/// All runs of these chunks, the empty one included.
pub(crate) fn runs<'c>(chunks: impl IntoIterator<Item = &'c str>) -> Result<Regex, TooLarge> {
    let chunks: Vec<&str> = chunks.into_iter().filter(|chunk| !chunk.is_empty()).collect();
    if chunks.is_empty() {
        return Ok(Regex::Empty);
    }
    let texts: Vec<&str> = chunks.iter().copied().collect::<BTreeSet<_>>().into_iter().collect();
    let numbers: FxHashMap<&str, usize> =
        texts.iter().enumerate().map(|(number, &text)| (text, number)).collect();
    let mut suffixes = Suffixes::new();
    for chunk in &chunks {
        suffixes.push(numbers[chunk])?;
    }
    Ok(Regex::states(least(&Table::of(&suffixes.steps(&texts))?)))
}

/// Where a text is divided into blanks, words of letters, digits and `_`, and runs of other characters.
pub(crate) fn words(text: &str) -> Vec<&str> {
    let kind = |c: char| match c {
        _ if c.is_whitespace() => 0,
        '_' => 1,
        _ if c.is_alphanumeric() => 1,
        _ => 2,
    };
    let mut words = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (at, c) in text.char_indices() {
        if before.is_some_and(|before| before != kind(c)) {
            words.push(&text[start..at]);
            start = at;
        }
        before = Some(kind(c));
    }
    words.push(&text[start..]);
    words
}

/// The characters of a text, each as a text.
pub(crate) fn characters(text: &str) -> impl Iterator<Item = &str> {
    text.char_indices().map(|(at, c)| &text[at..at + c.len_utf8()])
}

/// A suffix automaton, made letter by letter as usual (Blumer and others, 1985); each state stands for the runs with the same ends.
struct Suffixes {
    states: Vec<Suffix>,
    /// The state of the whole list.
    last: usize,
    /// Steps of all states.
    steps: usize,
}

#[derive(Clone, Default)]
struct Suffix {
    /// Length of its longest run.
    len: usize,
    /// The state of the longest suffix of its runs that has more ends.
    link: Option<usize>,
    next: BTreeMap<usize, usize>,
}

impl Suffixes {
    fn new() -> Self {
        Self { states: vec![Suffix::default()], last: 0, steps: 0 }
    }

    fn push(&mut self, letter: usize) -> Result<(), TooLarge> {
        let new = self.states.len();
        self.states.push(Suffix { len: self.states[self.last].len + 1, ..Suffix::default() });
        let mut at = Some(self.last);
        while let Some(from) = at.filter(|&from| !self.states[from].next.contains_key(&letter)) {
            self.states[from].next.insert(letter, new);
            self.steps += 1;
            at = self.states[from].link;
        }
        let link = match at {
            None => 0,
            Some(from) => self.split(from, letter),
        };
        self.states[new].link = Some(link);
        self.last = new;
        if self.steps > SUBSTRING_PLACES_MAX { Err(TooLarge) } else { Ok(()) }
    }

    /// The state of the runs of `from` with the letter behind them, and of their suffixes.
    fn split(&mut self, from: usize, letter: usize) -> usize {
        let to = self.states[from].next[&letter];
        let len = self.states[from].len + 1;
        if self.states[to].len == len {
            return to;
        }
        let copy = self.states.len();
        self.states.push(Suffix { len, ..self.states[to].clone() });
        self.steps += self.states[to].next.len();
        self.states[to].link = Some(copy);
        let mut at = Some(from);
        while let Some(from) = at.filter(|&from| self.states[from].next.get(&letter) == Some(&to)) {
            self.states[from].next.insert(letter, copy);
            at = self.states[from].link;
        }
        copy
    }

    /// By state, the texts that lead on, sorted, and where to; letters are numbers of sorted texts.
    fn steps<'c>(&self, texts: &[&'c str]) -> Vec<Vec<(&'c str, usize)>> {
        let of = |state: &Suffix| state.next.iter().map(|(&letter, &to)| (texts[letter], to)).collect();
        self.states.iter().map(of).collect()
    }
}

/// The steps of `state` from `from` to `to`, whose texts all begin with the same `depth` bytes, and those are read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Inside {
    state: usize,
    from: usize,
    to: usize,
    depth: usize,
}

/// A deterministic automaton without cycles; the start is state 0.
#[derive(Default)]
struct Table {
    accepts: Vec<bool>,
    /// By state: characters and where they lead.
    next: Vec<Vec<(char, usize)>>,
}

impl Table {
    fn of(steps: &[Vec<(&str, usize)>]) -> Result<Self, TooLarge> {
        let start = |state: usize| Inside { state, from: 0, to: steps[state].len(), depth: 0 };
        let mut table = Self::default();
        let mut numbers: FxHashMap<Vec<Inside>, usize> = FxHashMap::default();
        let mut open: VecDeque<Vec<Inside>> = VecDeque::from([vec![start(0)]]);
        numbers.insert(vec![start(0)], 0);
        let mut places = 1;
        while let Some(set) = open.pop_front() {
            let mut by_char: BTreeMap<char, Vec<Inside>> = BTreeMap::new();
            for inside in &set {
                let mut at = inside.from;
                let texts = &steps[inside.state];
                while let Some((text, to)) = texts[..inside.to].get(at)
                    && let Some(c) = text[inside.depth..].chars().next()
                {
                    let depth = inside.depth + c.len_utf8();
                    let same = |(other, _): &(&str, usize)| other[inside.depth..].starts_with(c);
                    let end = at + texts[at..inside.to].partition_point(same);
                    let reached = by_char.entry(c).or_default();
                    let is_whole = text.len() == depth;
                    if is_whole {
                        reached.push(start(*to));
                    }
                    let from = at + usize::from(is_whole);
                    if from < end {
                        reached.push(Inside { state: inside.state, from, to: end, depth });
                    }
                    at = end;
                }
            }
            let mut next = Vec::new();
            for (c, mut reached) in by_char {
                reached.sort_unstable();
                reached.dedup();
                places += 1;
                let number = match numbers.get(&reached) {
                    Some(&known) => known,
                    None => {
                        places += reached.len();
                        open.push_back(reached.clone());
                        numbers.insert(reached, numbers.len());
                        numbers.len() - 1
                    }
                };
                next.push((c, number));
            }
            if places > SUBSTRING_PLACES_MAX {
                return Err(TooLarge);
            }
            table.accepts.push(set.iter().any(|inside| inside.depth == 0));
            table.next.push(next);
        }
        Ok(table)
    }

    /// The states, each behind those that it leads to.
    fn ends_first(&self) -> Vec<usize> {
        let mut order = Vec::new();
        let mut seen = vec![false; self.next.len()];
        let mut open = vec![(0, 0)];
        seen[0] = true;
        while let Some((state, child)) = open.pop() {
            match self.next[state].get(child) {
                None => order.push(state),
                Some(&(_, to)) => {
                    open.push((state, child + 1));
                    if !std::mem::replace(&mut seen[to], true) {
                        open.push((to, 0));
                    }
                }
            }
        }
        order
    }
}

/// The rows of the table in the order of reading, one for equal states.
fn least(table: &Table) -> Vec<Row> {
    let mut class_of = vec![0; table.next.len()];
    let mut classes: FxHashMap<(bool, Vec<(char, usize)>), usize> = FxHashMap::default();
    let mut members: Vec<usize> = Vec::new();
    for state in table.ends_first() {
        let next = table.next[state].iter().map(|&(c, to)| (c, class_of[to])).collect();
        class_of[state] = *classes.entry((table.accepts[state], next)).or_insert_with(|| {
            members.push(state);
            members.len() - 1
        });
    }
    let mut numbers: Vec<Option<u32>> = vec![None; members.len()];
    let mut order = vec![class_of[0]];
    numbers[class_of[0]] = Some(0);
    let mut rows = Vec::new();
    while let Some(&class) = order.get(rows.len()) {
        let state = members[class];
        let mut next: Vec<Next> = Vec::new();
        for &(c, to) in &table.next[state] {
            let to = class_of[to];
            let number = *numbers[to].get_or_insert_with(|| {
                order.push(to);
                narrow(order.len() - 1)
            });
            match next.last_mut() {
                Some(last) if last.state == number && last.hi + 1 == u32::from(c) => last.hi = u32::from(c),
                _ => next.push(Next { lo: u32::from(c), hi: u32::from(c), state: number }),
            }
        }
        rows.push(Row { accepts: table.accepts[state], next: next.into_boxed_slice() });
    }
    rows
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{characters, runs, words};
    use crate::grammar::regex::Regex;
    use crate::limits::SUBSTRING_PLACES_MAX;

    /// All texts of a table.
    fn texts(regex: &Regex) -> BTreeSet<String> {
        let Regex::States(states) = regex else {
            return BTreeSet::from([String::new()]);
        };
        let mut found = BTreeSet::new();
        let mut open = vec![(0, String::new())];
        while let Some((state, text)) = open.pop() {
            let row = &states.rows()[state];
            for next in &row.next {
                for c in (next.lo..=next.hi).filter_map(char::from_u32) {
                    open.push((usize::try_from(next.state).unwrap(), format!("{text}{c}")));
                }
            }
            if row.accepts {
                assert!(found.insert(text), "one way to each text");
            }
        }
        found
    }

    fn twin(chunks: &[&str]) -> BTreeSet<String> {
        let ends = |from: usize| (from..=chunks.len()).map(move |to| (from, to));
        (0..=chunks.len()).flat_map(ends).map(|(from, to)| chunks[from..to].concat()).collect()
    }

    #[test]
    fn runs_are_those_of_the_definition() {
        let lists: &[&[&str]] = &[
            &[],
            &["", "a", ""],
            &["abc", "de", "fg"],
            &["a", "ab", "b", "ba", "a"],
            &["foo", " ", "foo", "bar", " ", "foo"],
            &["é", "éé", "e", "\u{10FFFF}"],
            &["a"; 9],
        ];
        for chunks in lists {
            assert_eq!(texts(&runs(chunks.iter().copied()).unwrap()), twin(chunks), "{chunks:?}");
        }
        let mut state = 11_u64;
        let mut random = |bound: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap() % bound
        };
        for _ in 0..500 {
            let pool = ["a", "b", "ab", "ba", "aa", "c", "abc"];
            let chunks: Vec<&str> = (0..random(12)).map(|_| pool[random(pool.len())]).collect();
            assert_eq!(texts(&runs(chunks.iter().copied()).unwrap()), twin(&chunks), "{chunks:?}");
        }
    }

    #[test]
    fn words_are_divided_where_the_kind_changes() {
        assert_eq!(words("foo bar. baz_1"), ["foo", " ", "bar", ".", " ", "baz_1"]);
        assert_eq!(words("e\u{301}!? \t\u{A0}x"), ["e", "\u{301}!?", " \t\u{A0}", "x"]);
        assert_eq!(words(""), [""]);
        assert_eq!(characters("aé").collect::<Vec<_>>(), ["a", "é"]);
    }

    #[test]
    fn long_texts_have_tables_of_their_size() {
        let text: String =
            (0..4_000_u32).map(|at| format!("w{} ", at.wrapping_mul(2_654_435_761) % 7_001)).collect();
        let Ok(Regex::States(states)) = runs(words(&text)) else { panic!("a table") };
        assert!(states.size() < 4 * text.len(), "{} for {}", states.size(), text.len());
        let Ok(Regex::States(states)) = runs(characters(&"a".repeat(30_000))) else { panic!("a table") };
        assert_eq!(states.rows().len(), 30_001);
    }

    #[test]
    fn tables_beyond_the_limit_are_refused() {
        let chunks: Vec<String> = (1..2_000).map(|len| "a".repeat(len)).collect();
        assert!(runs(chunks.iter().map(String::as_str)).is_err());
        let text: String = ('\u{4E00}'..='\u{9FFF}').cycle().take(SUBSTRING_PLACES_MAX / 2 + 1).collect();
        assert!(runs(characters(&text)).is_err());
    }
}
