//! Plain productions: what a grammar says, written out over ranges of bytes and sets of token ids.
//!
//! Every rule and every expression is a nonterminal; what else is needed gets a nonterminal of its own. Repetitions are
//! written out. Nonterminals that derive no letters at all are found by the textbook fixpoint, which also gives
//! the least number of letters of each, and productions that use one are left out.

use std::collections::BTreeSet;

use maskwright::Vocabulary;
use maskwright::grammar::regex::{CharSet, Regex};
use maskwright::grammar::rules::{Expr, Grammar, TokenMember, TokenSet};
use maskwright::index::widen;
use maskwright::vocab::TokenKind;

use crate::brute::ids;

/// Greatest count of a repetition: counts are written out.
const COUNT_MAX: u32 = 200;
/// Token ids where no vocabulary says which there are.
const TOKEN_IDS: u32 = 256;

/// What texts are made of.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Letter {
    /// A byte.
    Byte(u8),
    /// A token as itself, whatever its bytes.
    Token(u32),
}

/// The letters that there are.
#[derive(Clone, Debug)]
pub struct Alphabet {
    bytes: BTreeSet<u8>,
    tokens: BTreeSet<u32>,
    /// Tokens that are in a set only if it names them.
    stop: BTreeSet<u32>,
}

impl Alphabet {
    /// Every byte, and the token ids below 256.
    #[must_use]
    pub fn every() -> Self {
        Self { bytes: (0..=255).collect(), tokens: (0..TOKEN_IDS).collect(), stop: BTreeSet::new() }
    }

    /// The bytes that some text token spells alone, and the tokens that spell something or are letters: a set of every
    /// token but some has no stop tokens.
    #[must_use]
    pub fn of(vocabulary: &Vocabulary) -> Self {
        let kinds = |wanted: &'static [TokenKind]| {
            ids(vocabulary).filter(move |&token| wanted.contains(&vocabulary.kind(token)))
        };
        let alone = kinds(&[TokenKind::Text]).filter_map(|token| match vocabulary.bytes(token) {
            &[byte] => Some(byte),
            _ => None,
        });
        let tokens = kinds(&[TokenKind::Text, TokenKind::Letter]).map(|token| token.0);
        let stop = vocabulary.stop_tokens().iter().map(|token| token.0);
        Self { bytes: alone.collect(), tokens: tokens.collect(), stop: stop.collect() }
    }

    /// The bytes.
    pub fn bytes(&self) -> impl Iterator<Item = u8> {
        self.bytes.iter().copied()
    }
}

/// What stands on the right of a production.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Symbol {
    /// A nonterminal.
    Rule(usize),
    /// One byte of an inclusive range.
    Bytes(u8, u8),
    /// One of these tokens.
    Tokens(TokenSet),
}

/// A nonterminal and what it may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Production {
    /// The nonterminal.
    pub left: usize,
    /// One after the other.
    pub right: Vec<Symbol>,
}

/// Productions without useless parts.
#[derive(Clone, Debug)]
pub struct Bnf {
    /// The productions whose every symbol derives something.
    pub productions: Vec<Production>,
    /// By nonterminal: its productions.
    pub by_left: Vec<Vec<usize>>,
    /// By nonterminal: the least number of letters it derives; `None` if it derives nothing.
    pub least: Vec<Option<usize>>,
    /// The nonterminal that whole texts derive from; it has one production and stands on no right side.
    pub top: usize,
    /// The letters that there are.
    pub alphabet: Alphabet,
}

impl Bnf {
    /// Writes a grammar out.
    ///
    /// # Panics
    /// At an embedded schema, the name of a token, a count above 200, or a regex with intersections, complements or
    /// arithmetic: they are beyond this twin.
    #[must_use]
    pub fn new(grammar: &Grammar, alphabet: Alphabet) -> Self {
        let named = grammar.rules.len() + grammar.exprs.len();
        let mut writer = Writer { productions: Vec::new(), count: named };
        for (index, rule) in grammar.rules.iter().enumerate() {
            writer.produce(index, vec![Symbol::Rule(grammar.rules.len() + rule.body.index())]);
        }
        for (index, expr) in grammar.exprs.iter().enumerate() {
            writer.expr(grammar.rules.len(), index, expr);
        }
        let top = writer.fresh();
        writer.produce(top, vec![Symbol::Rule(grammar.start.index())]);
        let mut bnf = Self {
            productions: writer.productions,
            by_left: vec![Vec::new(); writer.count],
            least: vec![None; writer.count],
            top,
            alphabet,
        };
        bnf.find_least();
        bnf.drop_unproductive();
        bnf
    }

    /// The least number of letters that the symbols derive together.
    #[must_use]
    pub fn least_of(&self, symbols: &[Symbol]) -> Option<usize> {
        let least = |symbol: &Symbol| match symbol {
            Symbol::Rule(rule) => self.least[*rule],
            terminal => self.some_letter(terminal).map(|_| 1),
        };
        symbols.iter().map(least).sum()
    }

    /// Whether a letter is what a terminal asks for.
    #[must_use]
    pub fn matches(&self, terminal: &Symbol, letter: &Letter) -> bool {
        match (terminal, letter) {
            (Symbol::Bytes(low, high), Letter::Byte(byte)) => {
                (low..=high).contains(&byte) && self.alphabet.bytes.contains(byte)
            }
            (Symbol::Tokens(set), Letter::Token(id)) => {
                let may_be = !set.negated || !self.alphabet.stop.contains(id);
                is_member(set, *id) && may_be && self.alphabet.tokens.contains(id)
            }
            _ => false,
        }
    }

    /// The first letter of those that a terminal asks for; `None` if there is none.
    #[must_use]
    pub fn some_letter(&self, terminal: &Symbol) -> Option<Letter> {
        let bytes = self.alphabet.bytes.iter().map(|&byte| Letter::Byte(byte));
        let mut all = bytes.chain(self.alphabet.tokens.iter().map(|&id| Letter::Token(id)));
        all.find(|letter| self.matches(terminal, letter))
    }

    fn find_least(&mut self) {
        loop {
            let mut changed = false;
            for production in &self.productions {
                let Some(found) = self.least_of(&production.right) else { continue };
                if self.least[production.left].is_none_or(|known| found < known) {
                    self.least[production.left] = Some(found);
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn drop_unproductive(&mut self) {
        let mut kept = std::mem::take(&mut self.productions);
        kept.retain(|production| self.least_of(&production.right).is_some());
        for (index, production) in kept.iter().enumerate() {
            self.by_left[production.left].push(index);
        }
        self.productions = kept;
    }
}

/// Whether a set has the id.
fn is_member(set: &TokenSet, id: u32) -> bool {
    let listed = set.members.iter().any(|member| match member {
        TokenMember::Ids(low, high) => (*low..=*high).contains(&id),
        TokenMember::Name(name) => panic!("the twin knows tokens by id only, not by name: {name}"),
    });
    listed != set.negated
}

/// Makes productions.
struct Writer {
    productions: Vec<Production>,
    /// Nonterminals so far.
    count: usize,
}

impl Writer {
    fn fresh(&mut self) -> usize {
        self.count += 1;
        self.count - 1
    }

    fn produce(&mut self, left: usize, right: Vec<Symbol>) {
        self.productions.push(Production { left, right });
    }

    /// A nonterminal that is one of these.
    fn either(&mut self, ways: Vec<Vec<Symbol>>) -> Symbol {
        let fresh = self.fresh();
        for way in ways {
            self.produce(fresh, way);
        }
        Symbol::Rule(fresh)
    }

    /// The productions of the expression at `index`, whose nonterminal stands behind those of the `rules` rules.
    fn expr(&mut self, rules: usize, index: usize, expr: &Expr) {
        let left = rules + index;
        let child = |id: &maskwright::index::ExprId| Symbol::Rule(rules + id.index());
        match expr {
            Expr::Text(regex) => {
                let right = self.regex(regex);
                self.produce(left, right);
            }
            Expr::Token(set) => self.produce(left, vec![Symbol::Tokens(set.clone())]),
            Expr::Rule(rule) => self.produce(left, vec![Symbol::Rule(rule.index())]),
            Expr::Schema(_) => panic!("the twin does not read embedded schemas"),
            Expr::Within { .. } => panic!("the twin reads no restrictions: a text is judged by both parts"),
            Expr::NonEmpty(_) => panic!("only passes over grammars make such expressions"),
            Expr::Sequence(parts) => self.produce(left, parts.iter().map(child).collect()),
            Expr::Choice(parts) => {
                for part in parts {
                    self.produce(left, vec![child(part)]);
                }
            }
            Expr::Repeat { body, min, max } => {
                let right = self.repeat(&child(body), *min, *max);
                self.produce(left, right);
            }
        }
    }

    fn repeat(&mut self, body: &Symbol, min: u32, max: Option<u32>) -> Vec<Symbol> {
        assert!(min.max(max.unwrap_or(0)) <= COUNT_MAX, "the twin writes counts out, up to {COUNT_MAX}");
        let mut right = vec![body.clone(); widen(min)];
        let Some(max) = max else {
            let star = self.fresh();
            self.produce(star, vec![]);
            self.produce(star, vec![body.clone(), Symbol::Rule(star)]);
            right.push(Symbol::Rule(star));
            return right;
        };
        if max < min {
            return vec![self.either(vec![])];
        }
        let mut rest = Vec::new();
        for _ in min..max {
            let mut once_more = vec![body.clone()];
            once_more.extend(rest);
            rest = vec![self.either(vec![vec![], once_more])];
        }
        right.extend(rest);
        right
    }

    fn regex(&mut self, regex: &Regex) -> Vec<Symbol> {
        match regex {
            Regex::Nothing => vec![self.either(vec![])],
            Regex::Empty => vec![],
            Regex::Set(set) => {
                let ways = utf8(set).iter().map(|way| symbols(way)).collect();
                vec![self.either(ways)]
            }
            Regex::Literals(texts) => {
                let ways = texts.iter().map(|text| text.bytes().map(|b| Symbol::Bytes(b, b)).collect());
                vec![self.either(ways.collect())]
            }
            Regex::Concat(parts) => parts.iter().flat_map(|part| self.regex(part)).collect(),
            Regex::Or(parts) => {
                let ways = parts.iter().map(|part| self.regex(part)).collect();
                vec![self.either(ways)]
            }
            Regex::Repeat { body, min, max } => {
                let body = self.regex(body);
                let body = self.either(vec![body]);
                self.repeat(&body, *min, *max)
            }
            other => panic!("the twin does not read this regex: {other:?}"),
        }
    }
}

fn symbols(way: &[(u8, u8)]) -> Vec<Symbol> {
    way.iter().map(|&(low, high)| Symbol::Bytes(low, high)).collect()
}

/// The spellings of a set's members, as sequences of byte ranges.
#[must_use]
pub fn utf8(set: &CharSet) -> Vec<Vec<(u8, u8)>> {
    let mut ways = Vec::new();
    for &(low, high) in set.ranges() {
        // Spellings of equal length are ordered as their characters are.
        for (first, last) in [(0, 0x7F), (0x80, 0x7FF), (0x800, 0xFFFF), (0x1_0000, 0x10_FFFF)] {
            let (low, high) = (low.max(first), high.min(last));
            if low <= high {
                between(&spelled(low), &spelled(high), &mut vec![], &mut ways);
            }
        }
    }
    ways
}

fn spelled(code: u32) -> Vec<u8> {
    char::from_u32(code).expect("sets have scalar values only").to_string().into_bytes()
}

/// The spellings from `low` to `high`, which are equally long.
fn between(low: &[u8], high: &[u8], before: &mut Vec<(u8, u8)>, ways: &mut Vec<Vec<(u8, u8)>>) {
    let (Some((&first, low)), Some((&last, high))) = (low.split_first(), high.split_first()) else {
        ways.push(before.clone());
        return;
    };
    let (least, greatest) = (vec![0x80; low.len()], vec![0xBF; low.len()]);
    let mut part = |from: u8, to: u8, low: &[u8], high: &[u8]| {
        before.push((from, to));
        between(low, high, before, ways);
        before.pop();
    };
    if first == last {
        return part(first, first, low, high);
    }
    let (mut from, mut to) = (first, last);
    if low != least {
        part(first, first, low, &greatest);
        from += 1;
    }
    if high != greatest {
        part(last, last, &least, high);
        to -= 1;
    }
    if from <= to {
        part(from, to, &least, &greatest);
    }
}
