//! What a string or number that has been started can still end as.
//!
//! A text inside a lexeme matters only through a few facts: where each pattern's matcher stands, the length up to the
//! largest bound, the literals that it is still a prefix of; for a number how its digits compare with each constant
//! and its residues. Two texts that agree in these facts have the same endings. So the graph of facts is finite; it
//! is explored once for each position, and the truth of each ending is asked of the validator on a real text.

use std::collections::HashMap;
use std::hash::Hash;
use std::rc::Rc;

use maskwright::NumberSpelling;

use super::decimal::Decimal;
use super::location::Keyword;
use super::pattern::{Pattern, PatternState};
use super::pool::keep;
use super::position::PositionId;
use super::surface::{DIGITS_MAX, digit_count, number_goes_on, number_is_complete, number_parts};
use super::text::TextTip;
use super::value::Value;
use super::{TooLarge, Twin};

/// Most nodes of one graph.
const NODES_MAX: usize = 20_000;
/// A number with this many digits or more is completed digit by digit, with an eye on the limit.
const MANY_DIGITS: usize = DIGITS_MAX - 60;
/// The bytes of numbers.
pub(super) const NUMBER_BYTES: &[u8] = b"0123456789-.eE+";

/// The ways in which a lexeme can end: truths of the position's locations, and the rest of the text.
pub(super) type Endings = Vec<(u64, String)>;

#[derive(Debug)]
struct Node {
    /// One text that leads here.
    text: String,
    /// Successors by letter.
    next: Vec<Option<usize>>,
    endings: Endings,
}

/// Passes endings backwards until nothing changes. `letter` names the letter of a successor.
fn propagate(twin: &Twin, nodes: &mut [Node], letters: &[Option<char>]) {
    let mut changed = true;
    while changed {
        changed = false;
        for at in (0..nodes.len()).rev() {
            let mut found: Endings = Vec::new();
            for (next, letter) in nodes[at].next.iter().zip(letters) {
                if let (Some(next), Some(letter)) = (*next, *letter) {
                    let passed = nodes[next].endings.iter();
                    found.extend(passed.map(|(truths, rest)| (*truths, format!("{letter}{rest}"))));
                }
            }
            for (truths, rest) in found {
                changed |= keep(twin.search, &mut nodes[at].endings, truths, || rest);
            }
        }
    }
}

/// The facts about a started string.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct TextFacts {
    patterns: Vec<PatternState>,
    length: usize,
    /// The text itself while it is a prefix of a literal.
    literal: Option<String>,
}

/// All facts that strings at a position can come to.
#[derive(Debug)]
pub(super) struct TextGraph {
    /// First code points of the classes that no fact tells apart.
    cells: Vec<u32>,
    nodes: Vec<Node>,
}

struct TextProblem {
    patterns: Vec<Pattern>,
    literals: Vec<String>,
    length_max: usize,
}

impl TextProblem {
    fn step(&self, facts: &TextFacts, c: char) -> TextFacts {
        let states = self.patterns.iter().zip(&facts.patterns);
        let literal = facts.literal.as_ref().map(|text| format!("{text}{c}"));
        TextFacts {
            patterns: states.map(|(pattern, state)| pattern.step(state, c)).collect(),
            length: (facts.length + 1).min(self.length_max),
            literal: literal.filter(|text| self.literals.iter().any(|l| l.starts_with(text.as_str()))),
        }
    }

    fn start(&self) -> TextFacts {
        TextFacts {
            patterns: self.patterns.iter().map(Pattern::start).collect(),
            length: 0,
            literal: Some(String::new()).filter(|_| !self.literals.is_empty()),
        }
    }

    fn cells(&self) -> Vec<u32> {
        let mut cells = vec![0];
        cells.extend(self.patterns.iter().flat_map(Pattern::borders));
        for c in self.literals.iter().flat_map(|literal| literal.chars()) {
            cells.extend([u32::from(c), u32::from(c) + 1]);
        }
        cells.retain(|&cell| cell <= 0x0010_FFFF);
        cells.sort_unstable();
        cells.dedup();
        cells
    }
}

impl TextGraph {
    fn cell_of(&self, c: char) -> usize {
        self.cells.partition_point(|&cell| cell <= u32::from(c)) - 1
    }

    fn range(&self, cell: usize) -> (u32, u32) {
        range_of(&self.cells, cell)
    }
}

fn range_of(cells: &[u32], cell: usize) -> (u32, u32) {
    (cells[cell], cells.get(cell + 1).map_or(0x0010_FFFF, |next| next - 1))
}

/// Explores a graph of facts breadth first.
fn explore<F: Clone + Eq + Hash>(
    start: F,
    letter_count: usize,
    step: impl Fn(&F, &str, usize) -> Option<(F, char)>,
    end: impl Fn(&str) -> Option<u64>,
) -> Result<Vec<Node>, TooLarge> {
    let node = |text: String| Node {
        endings: end(&text).map(|truths| (truths, String::new())).into_iter().collect(),
        text,
        next: vec![None; letter_count],
    };
    let mut index = HashMap::from([(start.clone(), 0)]);
    let mut facts = vec![start];
    let mut nodes = vec![node(String::new())];
    let mut at = 0;
    while at < nodes.len() {
        for letter in 0..letter_count {
            let Some((next, c)) = step(&facts[at], &nodes[at].text, letter) else { continue };
            let target = match index.get(&next) {
                Some(&known) => known,
                None => {
                    if nodes.len() >= NODES_MAX {
                        return Err(TooLarge);
                    }
                    nodes.push(node(format!("{}{c}", nodes[at].text)));
                    facts.push(next.clone());
                    index.insert(next, nodes.len() - 1);
                    nodes.len() - 1
                }
            };
            nodes[at].next[letter] = Some(target);
        }
        at += 1;
    }
    Ok(nodes)
}

impl Twin {
    pub(super) fn in_place_keywords(&self, position: PositionId) -> Vec<&Keyword> {
        let plan = self.plan(position);
        plan.in_place.iter().flat_map(|&location| self.locations.keywords(location)).collect()
    }

    /// The graph of strings at a position.
    pub(super) fn text_graph(&self, position: PositionId) -> Result<Rc<TextGraph>, TooLarge> {
        if let Some(graph) = self.text_graphs.borrow().get(&position) {
            return Ok(graph.clone());
        }
        let mut problem = TextProblem { patterns: Vec::new(), literals: Vec::new(), length_max: 0 };
        for keyword in self.in_place_keywords(position) {
            match keyword {
                Keyword::Pattern(pattern) => problem.patterns.push(pattern.clone()),
                Keyword::Equals(Value::Text(text)) => problem.literals.push(text.clone()),
                Keyword::MinLength(bound) | Keyword::MaxLength(bound) => {
                    problem.length_max = problem.length_max.max(bound.saturating_add(1));
                }
                _ => {}
            }
        }
        let cells = problem.cells();
        let letters: Vec<Option<char>> =
            (0..cells.len()).map(|cell| self.spelled_char(&[], range_of(&cells, cell))).collect();
        let mut nodes = explore(
            problem.start(),
            cells.len(),
            |facts, _, cell| letters[cell].map(|c| (problem.step(facts, c), c)),
            |text| self.bytes.has(b'"').then(|| self.truths(position, &Value::Text(text.to_owned()))),
        )?;
        propagate(self, &mut nodes, &letters);
        let graph = Rc::new(TextGraph { cells, nodes });
        self.text_graphs.borrow_mut().insert(position, graph.clone());
        Ok(graph)
    }

    /// How a started string at a position can end.
    pub(super) fn text_endings(&self, position: PositionId, tip: &TextTip) -> Result<Endings, TooLarge> {
        let graph = self.text_graph(position)?;
        let mut at = 0;
        for c in tip.decoded.chars() {
            at = graph.nodes[at].next[graph.cell_of(c)].expect("a code point of the class has been spelled");
        }
        if tip.pending.is_empty() {
            return Ok(graph.nodes[at].endings.clone());
        }
        let mut endings = Vec::new();
        for cell in 0..graph.cells.len() {
            let Some(c) = self.spelled_char(&tip.pending, graph.range(cell)) else { continue };
            let Some(next) = graph.nodes[at].next[cell] else { continue };
            for (truths, rest) in &graph.nodes[next].endings {
                keep(self.search, &mut endings, *truths, || format!("{c}{rest}"));
            }
        }
        Ok(endings)
    }

    /// The graph of numbers at a position.
    pub(super) fn number_graph(&self, position: PositionId) -> Result<Rc<NumberGraph>, TooLarge> {
        if let Some(graph) = self.number_graphs.borrow().get(&position) {
            return Ok(graph.clone());
        }
        let mut problem = NumberProblem { constants: Vec::new(), divisors: Vec::new() };
        for keyword in self.in_place_keywords(position) {
            match keyword {
                Keyword::Bound(_, constant) => problem.constants.push(constant.clone()),
                Keyword::Equals(Value::Number(text)) => problem.constants.extend(Decimal::parse(text)),
                Keyword::MultipleOf(of) => problem.divisors.push(*of),
                _ => {}
            }
        }
        let letters: Vec<Option<char>> =
            NUMBER_BYTES.iter().map(|&byte| self.bytes.has(byte).then_some(char::from(byte))).collect();
        let mut nodes = explore(
            problem.facts(""),
            NUMBER_BYTES.len(),
            |_, text, letter| {
                let c = letters[letter]?;
                let text = format!("{text}{c}");
                number_goes_on(&text, self.policy.numbers).then(|| (problem.facts(&text), c))
            },
            |text| number_is_complete(text).then(|| self.truths(position, &Value::Number(text.to_owned()))),
        )?;
        propagate(self, &mut nodes, &letters);
        let graph = Rc::new(NumberGraph { nodes });
        self.number_graphs.borrow_mut().insert(position, graph.clone());
        Ok(graph)
    }

    /// How a started number at a position can end.
    pub(super) fn number_endings(&self, position: PositionId, text: &str) -> Result<Endings, TooLarge> {
        if self.policy.numbers == NumberSpelling::All && self.asks_for_values(position) {
            return self.endings_by_value(position, text);
        }
        let graph = self.number_graph(position)?;
        let at = graph.node(text);
        if digit_count(text) < MANY_DIGITS {
            return Ok(graph.nodes[at].endings.clone());
        }
        let mut endings = Vec::new();
        let mut seen = HashMap::new();
        let mut work = vec![(at, String::new())];
        while let Some((at, rest)) = work.pop() {
            let whole = format!("{text}{rest}");
            if seen.insert((at, digit_count(&whole)), ()).is_some() {
                continue;
            }
            if number_is_complete(&whole) {
                let truths = self.truths(position, &Value::Number(whole.clone()));
                keep(self.search, &mut endings, truths, || rest.clone());
            }
            for (next, &byte) in graph.nodes[at].next.iter().zip(NUMBER_BYTES) {
                let c = char::from(byte);
                if let Some(next) = *next
                    && number_goes_on(&format!("{whole}{c}"), self.policy.numbers)
                {
                    work.push((next, format!("{rest}{c}")));
                }
            }
        }
        Ok(endings)
    }
}

/// All facts that numbers at a position can come to.
#[derive(Debug)]
pub(super) struct NumberGraph {
    nodes: Vec<Node>,
}

impl NumberGraph {
    fn node(&self, text: &str) -> usize {
        text.bytes().fold(0, |at, byte| {
            let letter = NUMBER_BYTES.iter().position(|&b| b == byte).expect("a byte of a number");
            self.nodes[at].next[letter].expect("the beginning of a number was followed before")
        })
    }
}

struct NumberProblem {
    constants: Vec<Decimal>,
    divisors: Vec<u64>,
}

/// The facts about a started number.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct NumberFacts {
    negative: bool,
    /// Which part the text is in, and how long that part is as far as it matters.
    phase: (u8, usize),
    /// Of an exponent: whether it is negative, and whether it has digits other than zero.
    exponent: (bool, bool),
    integer_is_zero: bool,
    /// How the digits compare with those of each constant, up to the shorter of both.
    compared: Vec<std::cmp::Ordering>,
    residues: Vec<u64>,
    fraction_is_zero: bool,
}

impl NumberProblem {
    fn facts(&self, text: &str) -> NumberFacts {
        let parts = number_parts(text);
        let longest = |digits: fn(&Decimal) -> &str| {
            self.constants.iter().map(|constant| digits(constant).len().max(1) + 1).max().unwrap_or(2)
        };
        let phase = match (parts.exponent, parts.fraction) {
            (Some(exponent), _) => {
                let is_signed = exponent.starts_with(['+', '-']);
                (if is_signed { 3 } else { 2 }, exponent.len())
            }
            (None, Some(fraction)) => (1, fraction.len().min(longest(Decimal::fraction_digits))),
            // "0" takes no further digit.
            (None, None) if parts.integer == "0" => (4, 0),
            (None, None) => (0, parts.integer.len().min(longest(Decimal::integer_digits))),
        };
        let residue = |of: &u64| {
            let step = |residue: u128, digit: u8| (residue * 10 + u128::from(digit - b'0')) % u128::from(*of);
            let residue = parts.integer.bytes().fold(0, step);
            u64::try_from(residue).expect("a residue is smaller than its divisor")
        };
        let exponent = parts.exponent.unwrap_or("");
        NumberFacts {
            negative: parts.negative,
            phase,
            exponent: (exponent.starts_with('-'), exponent.contains(|c: char| ('1'..='9').contains(&c))),
            integer_is_zero: parts.integer == "0",
            compared: self.constants.iter().map(|c| compare(parts.integer, parts.fraction, c)).collect(),
            residues: self.divisors.iter().map(residue).collect(),
            fraction_is_zero: parts.fraction.unwrap_or("").bytes().all(|digit| digit == b'0'),
        }
    }
}

/// Compares started digits with a constant's: within the integer part over the common length, after it as values cut off
/// where the text breaks off.
fn compare(integer: &str, fraction: Option<&str>, constant: &Decimal) -> std::cmp::Ordering {
    let digits = integer.trim_start_matches('0');
    let theirs = constant.integer_digits();
    let common = digits.len().min(theirs.len());
    let Some(fraction) = fraction else {
        return digits[..common].cmp(&theirs[..common]);
    };
    let cut =
        |digits: &str| digits.chars().chain(std::iter::repeat('0')).take(fraction.len()).collect::<String>();
    digits
        .len()
        .cmp(&theirs.len())
        .then_with(|| digits.cmp(theirs))
        .then_with(|| fraction.to_owned().cmp(&cut(constant.fraction_digits())))
}
