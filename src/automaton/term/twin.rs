//! The slow twin: a matcher straight from the meaning of a regex, for tests.
//!
//! A regex is read over one short text, as the set of the pairs of places between which it matches. Nothing is shared
//! with the terms but the input.

use std::sync::Arc;

use crate::grammar::naive::is_spelled;
use crate::grammar::regex::{CharSet, Regex};
use crate::grammar::states::{Next, Row};
use crate::index::widen;

/// Pseudo-random numbers (splitmix64); the seed of a failing test is in its message.
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(super) fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        let i = usize::try_from(self.below(u64::try_from(from.len()).unwrap())).unwrap();
        from[i]
    }
}

/// Where matches from each place end: `ends[i]` has bit `j` if the text from `i` to `j` matches.
type Ends = Vec<u64>;

/// Whether the whole text is in the language. Texts have at most 60 characters.
pub(super) fn matches(regex: &Regex, text: &[char]) -> bool {
    ends(regex, text)[0] >> text.len() & 1 == 1
}

fn ends(regex: &Regex, text: &[char]) -> Ends {
    let n = text.len();
    let every = |i: usize| ((1_u64 << (n + 1)) - 1) & !((1_u64 << i) - 1);
    let identity = || (0..=n).map(|i| 1_u64 << i).collect::<Ends>();
    match regex {
        Regex::Nothing => vec![0; n + 1],
        Regex::Empty => identity(),
        Regex::Set(set) => {
            (0..=n).map(|i| if i < n && set.contains(text[i]) { 1 << (i + 1) } else { 0 }).collect()
        }
        Regex::Concat(parts) => {
            parts.iter().fold(identity(), |before, part| compose(&before, &ends(part, text)))
        }
        Regex::Or(parts) => {
            parts.iter().fold(vec![0; n + 1], |all, part| zip(&all, &ends(part, text), |a, b| a | b))
        }
        Regex::And(parts) => parts
            .iter()
            .fold((0..=n).map(every).collect(), |all: Ends, part| zip(&all, &ends(part, text), |a, b| a & b)),
        Regex::Not(of) => ends(of, text).iter().enumerate().map(|(i, &e)| every(i) & !e).collect(),
        Regex::Repeat { body, min, max } => {
            let body = ends(body, text);
            let mut all = vec![0; n + 1];
            let mut rounds = identity();
            // After so many rounds more of them change nothing: at least one of them would read nothing.
            let last = max.unwrap_or(u32::MAX).min(min.saturating_add(u32::try_from(n).unwrap() + 1));
            for count in 0..=last {
                if count >= *min {
                    all = zip(&all, &rounds, |a, b| a | b);
                }
                rounds = compose(&rounds, &body);
            }
            all
        }
        Regex::Literals(literals) => (0..=n)
            .map(|i| {
                (i..=n)
                    .filter(|&j| {
                        literals.iter().any(|literal| literal.chars().eq(text[i..j].iter().copied()))
                    })
                    .fold(0, |bits, j| bits | 1 << j)
            })
            .collect(),
        Regex::States(states) => (0..=n)
            .map(|i| {
                let accepts = |j: &usize| {
                    let end = text[i..*j].iter().try_fold(0, |state, &c| states.after(state, c));
                    end.is_some_and(|state| states.rows()[widen(state)].accepts)
                };
                (i..=n).filter(accepts).fold(0, |bits, j| bits | 1 << j)
            })
            .collect(),
        Regex::FractionMultiple { of, places } => (0..=n)
            .map(|i| {
                let is = |j: &usize| is_fraction_multiple(*of, *places, &text[i..*j]);
                (i..=n).filter(is).fold(0, |bits, j| bits | 1 << j)
            })
            .collect(),
        Regex::Spelled(values) => (0..=n)
            .map(|i| (i..=n).filter(|&j| is_spelled(&text[i..j], values)).fold(0, |bits, j| bits | 1 << j))
            .collect(),
        Regex::Multiple { of } => (0..=n)
            .map(|i| (i..=n).filter(|&j| is_multiple(*of, &text[i..j])).fold(0, |bits, j| bits | 1 << j))
            .collect(),
    }
}

fn compose(first: &Ends, second: &Ends) -> Ends {
    first
        .iter()
        .map(|&bits| (0..second.len()).filter(|&j| bits >> j & 1 == 1).fold(0, |all, j| all | second[j]))
        .collect()
}

fn zip(a: &Ends, b: &Ends, join: impl Fn(u64, u64) -> u64) -> Ends {
    a.iter().zip(b).map(|(&a, &b)| join(a, b)).collect()
}

/// By arithmetic on at most 38 digits.
pub(super) fn is_multiple(of: u64, text: &[char]) -> bool {
    let text: String = text.iter().collect();
    let unsigned = text.strip_prefix('-').unwrap_or(&text);
    let (digits, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
    let all_digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    if !all_digits(digits) || fraction.is_empty() || fraction.bytes().any(|b| b != b'0') {
        return false;
    }
    let value: u128 = digits.parse().unwrap();
    value.is_multiple_of(u128::from(of))
}

/// The digits with the point moved make a multiple; by arithmetic on at most 38 digits.
pub(super) fn is_fraction_multiple(of: u64, places: u32, text: &[char]) -> bool {
    let text: String = text.iter().collect();
    let unsigned = text.strip_prefix('-').unwrap_or(&text);
    let (digits, fraction) = unsigned.split_once('.').unwrap_or((unsigned, "0"));
    let all_digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    let places = usize::try_from(places).unwrap();
    if !all_digits(digits) || !all_digits(fraction) || fraction.bytes().skip(places).any(|b| b != b'0') {
        return false;
    }
    let moved: String = fraction.chars().chain(std::iter::repeat('0')).take(places).collect();
    let value: u128 = format!("{digits}{moved}").parse().unwrap();
    value.is_multiple_of(u128::from(of))
}

/// All texts over the letters of at most `len` characters, shortest first.
pub(super) fn texts(letters: &[char], len: usize) -> Vec<Vec<char>> {
    let mut all = vec![vec![]];
    let mut from = 0;
    for _ in 0..len {
        let to = all.len();
        for i in from..to {
            for &c in letters {
                let mut text: Vec<char> = all[i].clone();
                text.push(c);
                all.push(text);
            }
        }
        from = to;
    }
    all
}

/// What random regexes are made of.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub(super) depth: u32,
    /// Greatest count of a loop.
    pub(super) counts: u64,
    /// Operations to choose from.
    pub(super) operations: &'static [Operation],
}

#[derive(Clone, Copy)]
pub(super) enum Operation {
    Concat,
    Or,
    And,
    Not,
    Repeat,
    Literals,
    /// A table of states, of a pattern that needs one.
    States,
    /// An intersection with a length window.
    Length,
}

/// Operations of plain terms.
pub(super) const PLAIN: &[Operation] = &[
    Operation::Concat,
    Operation::Concat,
    Operation::Or,
    Operation::Repeat,
    Operation::Literals,
    Operation::States,
];

/// Those, and intersections and complements.
pub(super) const FULL: &[Operation] = &[
    Operation::Concat,
    Operation::Concat,
    Operation::Or,
    Operation::Repeat,
    Operation::Literals,
    Operation::States,
    Operation::And,
    Operation::Not,
    Operation::Length,
];

/// A state: whether it accepts, and where letters lead (`^a`: all characters but a).
type Sketch = (bool, &'static [(&'static str, u32)]);

const TABLES: &[&[Sketch]] = &[
    // Not two letters a in a row, and no a at the end.
    &[(true, &[("a", 1), ("b", 0)]), (false, &[("b", 0)])],
    &[(true, &[("a", 0), ("b", 1)]), (true, &[("b", 1)])],
    // The search for abc.
    &[
        (false, &[("a", 1), ("^a", 0)]),
        (false, &[("a", 1), ("b", 2), ("^ab", 0)]),
        (false, &[("a", 1), ("c", 3), ("^ac", 0)]),
        (true, &[("^", 3)]),
    ],
    // Finitely many texts.
    &[(true, &[("a", 1), ("c", 2)]), (false, &[("b", 2)]), (true, &[("c", 3)]), (true, &[])],
    // Lengths by threes.
    &[(true, &[("a", 1)]), (false, &[("bc", 2)]), (false, &[("c", 0)])],
    &[
        (false, &[("a", 0), ("b", 1), ("c", 2)]),
        (true, &[("a", 1)]),
        (false, &[("b", 3)]),
        (true, &[("c", 2)]),
    ],
    // Never two letters b in a row, whatever else.
    &[(true, &[("b", 1), ("^b", 0)]), (true, &[("^b", 0)])],
];

fn table(rows: &[Sketch]) -> Regex {
    let row = |&(accepts, steps): &Sketch| {
        let mut next: Vec<Next> = Vec::new();
        for &(letters, state) in steps {
            let set = match letters.strip_prefix('^') {
                Some(others) => CharSet::of(others).complement(),
                None => CharSet::of(letters),
            };
            next.extend(set.ranges().iter().map(|&(lo, hi)| Next { lo, hi, state }));
        }
        next.sort_unstable_by_key(|next| next.lo);
        Row { accepts, next: next.into() }
    };
    Regex::states(rows.iter().map(row).collect())
}

/// A random regex over the letters a, b, c.
pub(super) fn random_regex(random: &mut Random, shape: Shape) -> Regex {
    if shape.depth == 0 || random.below(8) == 0 {
        return match random.below(12) {
            0 => Regex::Empty,
            1 => Regex::Nothing,
            2 => Regex::Set(CharSet::any()),
            3 => Regex::any_text(),
            4..=7 => Regex::Set(CharSet::of(random.pick(&["a", "b", "c"]))),
            _ => Regex::Set(CharSet::of(random.pick(&["ab", "bc", "abc", "ac"]))),
        };
    }
    let below = Shape { depth: shape.depth - 1, ..shape };
    let parts = |random: &mut Random| -> Arc<[Regex]> {
        (0..2 + random.below(2)).map(|_| random_regex(random, below)).collect()
    };
    match random.pick(shape.operations) {
        Operation::Concat => Regex::Concat(parts(random)),
        Operation::Or => Regex::Or(parts(random)),
        Operation::And => Regex::And(parts(random)),
        Operation::Not => Regex::Not(Arc::new(random_regex(random, below))),
        Operation::Repeat => repeat(random_regex(random, below), random, shape.counts),
        Operation::Literals => Regex::Literals(
            (0..1 + random.below(4))
                .map(|_| {
                    (0..random.below(4)).map(|_| random.pick(&['a', 'b', 'c'])).collect::<String>().into()
                })
                .collect(),
        ),
        Operation::States => table(random.pick(TABLES)),
        Operation::Length => Regex::And(
            [repeat(Regex::Set(CharSet::any()), random, shape.counts), random_regex(random, below)].into(),
        ),
    }
}

fn repeat(body: Regex, random: &mut Random, counts: u64) -> Regex {
    let min = u32::try_from(random.below(counts + 1)).unwrap();
    let max = (random.below(3) > 0).then(|| min + u32::try_from(random.below(counts + 1)).unwrap());
    Regex::Repeat { body: Arc::new(body), min, max }
}
