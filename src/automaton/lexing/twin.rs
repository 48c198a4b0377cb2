//! The slow twin of grammars that read lexemes: the definition, word by word, one lexeme after the other.
//!
//! An Earley recogniser over terminals says what every parse with the lexemes so far accepts; the longest match among these is
//! looked for by trying every length.

use std::collections::BTreeSet;

use crate::grammar::lexing::{Extent, Lexing, Part};
use crate::grammar::naive::is_match;
use crate::index::TerminalId;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Symbol {
    Read(TerminalId),
    Call(usize),
}

/// Productions by nonterminal: parts first, then loops.
struct Productions {
    of: Vec<Vec<Vec<Symbol>>>,
    start: usize,
}

impl Productions {
    fn of(lexing: &Lexing) -> Self {
        let parts = lexing.parts.len();
        let mut of: Vec<Vec<Vec<Symbol>>> = vec![Vec::new(); parts];
        for (at, part) in lexing.parts.iter().enumerate() {
            let call = |child: &crate::index::PartId| Symbol::Call(child.index());
            of[at] = match part {
                Part::Terminal(id) => vec![vec![Symbol::Read(*id)]],
                Part::Rule(rule) => vec![vec![call(&lexing.rules[rule.index()].body)]],
                Part::Sequence(children) => vec![children.iter().map(call).collect()],
                Part::Choice(children) => children.iter().map(|child| vec![call(child)]).collect(),
                Part::Repeat { body, min, max } => {
                    let rounds = |count: u32| (0..count).map(|_| call(body)).collect::<Vec<_>>();
                    match max {
                        Some(max) => (*min..=*max).map(rounds).collect(),
                        None => {
                            of.push(vec![vec![], vec![call(body), Symbol::Call(of.len())]]);
                            vec![rounds(*min).into_iter().chain([Symbol::Call(of.len() - 1)]).collect()]
                        }
                    }
                }
                Part::Token(_) | Part::Schema(_) => panic!("the twin knows lexemes only"),
            };
        }
        let mut all = Self { of, start: lexing.rules[0].body.index() };
        all.drop_unproductive();
        all
    }

    fn drop_unproductive(&mut self) {
        let mut productive = vec![false; self.of.len()];
        let is = |symbol: &Symbol, productive: &[bool]| match symbol {
            Symbol::Read(_) => true,
            Symbol::Call(at) => productive[*at],
        };
        for _ in 0..self.of.len() {
            for at in 0..self.of.len() {
                productive[at] |= self.of[at].iter().any(|way| way.iter().all(|s| is(s, &productive)));
            }
        }
        for ways in &mut self.of {
            ways.retain(|way| way.iter().all(|symbol| is(symbol, &productive)));
        }
    }
}

/// A production under way: nonterminal, which production, how much of it is read, the set in which it started.
type Item = (usize, usize, usize, usize);

#[derive(Clone)]
struct Chart {
    sets: Vec<BTreeSet<Item>>,
}

impl Chart {
    fn new(productions: &Productions) -> Self {
        let start = productions.start;
        let items = (0..productions.of[start].len()).map(|way| (start, way, 0, 0)).collect();
        let mut chart = Self { sets: vec![items] };
        chart.close(productions);
        chart
    }

    fn close(&mut self, productions: &Productions) {
        let now = self.sets.len() - 1;
        loop {
            let mut found: Vec<Item> = Vec::new();
            for &(of, way, read, from) in &self.sets[now] {
                match productions.of[of][way].get(read) {
                    Some(Symbol::Call(callee)) => {
                        found.extend((0..productions.of[*callee].len()).map(|way| (*callee, way, 0, now)));
                    }
                    Some(Symbol::Read(_)) => {}
                    None => {
                        for &(caller, way, read, start) in &self.sets[from] {
                            if productions.of[caller][way].get(read) == Some(&Symbol::Call(of)) {
                                found.push((caller, way, read + 1, start));
                            }
                        }
                    }
                }
            }
            let before = self.sets[now].len();
            self.sets[now].extend(found);
            if self.sets[now].len() == before {
                return;
            }
        }
    }

    fn expected(&self, productions: &Productions) -> BTreeSet<TerminalId> {
        let last = self.sets.last().expect("there is a first set");
        let next = last.iter().filter_map(|&(of, way, read, _)| productions.of[of][way].get(read));
        next.filter_map(|symbol| if let Symbol::Read(id) = symbol { Some(*id) } else { None }).collect()
    }

    fn read(&mut self, productions: &Productions, id: TerminalId) {
        let last = self.sets.last().expect("there is a first set");
        let moved = last
            .iter()
            .filter(|&&(of, way, read, _)| productions.of[of][way].get(read) == Some(&Symbol::Read(id)));
        let moved = moved.map(|&(of, way, read, from)| (of, way, read + 1, from)).collect();
        self.sets.push(moved);
        self.close(productions);
    }

    fn is_complete(&self, productions: &Productions) -> bool {
        let last = self.sets.last().expect("there is a first set");
        last.iter().any(|&(of, way, read, from)| {
            of == productions.start && from == 0 && read == productions.of[of][way].len()
        })
    }
}

/// Whether a text is one of the grammar's.
pub(crate) fn accepts(lexing: &Lexing, text: &str) -> bool {
    let productions = Productions::of(lexing);
    let mut charts = vec![Chart::new(&productions)];
    let mut rest = text;
    while !rest.is_empty() {
        let expected: BTreeSet<TerminalId> =
            charts.iter().flat_map(|chart| chart.expected(&productions)).collect();
        let all = expected.iter().chain(&lexing.ignored);
        let matches = all.filter_map(|&id| Some((matched(lexing, id, rest)?, id)));
        let best = matches.reduce(|best, other| match other.0.cmp(&best.0) {
            std::cmp::Ordering::Greater => other,
            std::cmp::Ordering::Equal if lexing.beats(other.1, best.1) => other,
            _ => best,
        });
        let Some((len, id)) = best else { return false };
        let mut next = if lexing.ignored.contains(&id) { charts.clone() } else { Vec::new() };
        for mut chart in charts {
            if chart.expected(&productions).contains(&id) {
                chart.read(&productions, id);
                next.push(chart);
            }
        }
        charts = next;
        rest = &rest[len..];
    }
    charts.iter().any(|chart| chart.is_complete(&productions))
}

/// The length of what a terminal matches of a text.
fn matched(lexing: &Lexing, id: TerminalId, text: &str) -> Option<usize> {
    let terminal = lexing.terminal(id);
    let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
    let mut lengths = ends.filter(|&end| is_match(&terminal.regex, &text[..end]));
    match terminal.extent {
        Extent::Longest => lengths.next_back(),
        Extent::Shortest => lengths.next(),
    }
}
