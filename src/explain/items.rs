//! Which rules are under way: an Earley recogniser (1970) on the grammar as it was written, for explanations alone.
//!
//! The automaton runs another grammar for the same language: without left recursion, with rules that are not recursive read
//! as regexes. Its states don't tell which rule of the source a byte belongs to. So the text is read again here, character by
//! character, by the rules as their author knows them. Nothing is decided: verdicts are the automaton's.
//!
//! An item is a rule with what is left of it, what of it was read last, and the place where it began. A text or a JSON value
//! under way is part of what is left. The last places' items say where the grammar stands.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::automaton::term::Terms;
use crate::automaton::{Automaton, Cfg, Registers};
use crate::error::Exhausted;
use crate::explain::tokens::tokens_of;
use crate::grammar::rules::{Expr, Grammar};
use crate::index::{ExprId, RuleId, TermId, TokenId, narrow, widen};
use crate::limits::EXPLAIN_STEPS_MAX;
use crate::vocab::Vocabulary;

/// A part of what is left of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Part {
    Expr(ExprId),
    /// Rounds of a repetition that are left.
    Rounds {
        body: ExprId,
        min: u32,
        max: Option<u32>,
    },
    /// The rest of a text of which something has been read.
    Text {
        expr: ExprId,
        left: TermId,
    },
    /// A JSON value that began at a place.
    Value {
        schema: u32,
        place: usize,
    },
}

/// What is left of a rule, interned; [`END`] is nothing.
pub(super) type Position = u32;

pub(super) const END: Position = 0;

/// See the module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Item {
    pub(super) rule: RuleId,
    pub(super) left: Position,
    /// The expression of the rule that was read last; `None` at its beginning.
    pub(super) last: Option<ExprId>,
    /// The number of the place where the rule began.
    pub(super) began: usize,
}

/// A place between two characters, or behind a token that is a letter.
#[derive(Default)]
struct Place {
    /// The offset in the text.
    byte: usize,
    items: Vec<Item>,
    /// The items that have just read something, and not been made by opening or predicting another.
    kernel: FxHashSet<Item>,
    /// Who waits for a rule that began here, with what is left after it.
    waiting: FxHashMap<RuleId, Vec<(Item, ExprId)>>,
    /// The rules that have matched the empty text here.
    empty: FxHashSet<RuleId>,
}

/// A JSON value under way.
struct Value {
    automaton: Automaton,
    cfg: Option<Cfg>,
    registers: Registers,
    start: usize,
    /// The expression that names the schema.
    expr: ExprId,
}

/// The recogniser, behind some text.
pub(super) struct Items<'g> {
    pub(super) grammar: &'g Grammar,
    automaton: Automaton,
    vocabulary: &'g Vocabulary,
    terms: Terms,
    texts: FxHashMap<ExprId, TermId>,
    parts: Vec<(Part, Position)>,
    numbers: FxHashMap<(Part, Position), Position>,
    places: Vec<Place>,
    values: BTreeMap<(u32, usize), Value>,
    text: Vec<u8>,
    /// Bytes of a character that is not complete.
    partial: Vec<u8>,
    /// Items made, equal ones counted each time.
    steps: usize,
    /// The budget has been passed, or a text can't be followed: there are no rules to tell of.
    lost: bool,
}

impl<'g> Items<'g> {
    /// Before the first character.
    pub(super) fn new(
        grammar: &'g Grammar,
        automaton: Automaton,
        vocabulary: &'g Vocabulary,
    ) -> Result<Self, Exhausted> {
        let mut items = Self {
            grammar,
            automaton,
            vocabulary,
            terms: Terms::new(),
            texts: FxHashMap::default(),
            parts: Vec::new(),
            numbers: FxHashMap::default(),
            places: vec![Place::default()],
            values: BTreeMap::new(),
            text: Vec::new(),
            partial: Vec::new(),
            steps: 0,
            lost: false,
        };
        let body = items.before(Part::Expr(grammar.rule(grammar.start).body), END);
        items.settle(vec![Item { rule: grammar.start, left: body, last: None, began: 0 }])?;
        Ok(items)
    }

    /// Whether the budget was passed: then nothing is known.
    pub(super) fn is_lost(&self) -> bool {
        self.lost
    }

    /// The items of the last place that have just read something (or begin the text), innermost first.
    pub(super) fn under_way(&self) -> Vec<Item> {
        let Some(place) = self.places.last() else { return Vec::new() };
        let mut items: Vec<Item> = place
            .items
            .iter()
            .filter(|item| place.kernel.contains(item) && item.left != END)
            .copied()
            .collect();
        items.sort_by_key(|item| (std::cmp::Reverse(item.began), item.rule));
        items
    }

    /// The offset of the place where an item's rule began.
    pub(super) fn began_at(&self, item: &Item) -> usize {
        self.places[item.began].byte
    }

    /// The part that stands in front of what is left, and the rest.
    pub(super) fn front(&self, position: Position) -> Option<(Part, Position)> {
        (position != END).then(|| self.parts[widen(position) - 1])
    }

    /// What is left of a text under way, in words; of one that has not begun, all of it.
    pub(super) fn text_left(&self, term: TermId) -> String {
        crate::automaton::words::term_text(&self.terms, term)
    }

    /// Whether a text under way may end.
    pub(super) fn text_may_end(&self, term: TermId) -> bool {
        self.terms.nullable(term)
    }

    /// A JSON value under way: its automaton, where it stands, and its text so far.
    pub(super) fn value(&self, schema: u32, place: usize) -> Option<(&Automaton, Cfg, &[u8])> {
        let value = self.values.get(&(schema, place))?;
        Some((&value.automaton, value.cfg?, &self.text[value.start..]))
    }

    fn before(&mut self, part: Part, rest: Position) -> Position {
        if let Some(&known) = self.numbers.get(&(part, rest)) {
            return known;
        }
        self.parts.push((part, rest));
        let number = narrow(self.parts.len());
        self.numbers.insert((part, rest), number);
        number
    }

    fn term(&mut self, expr: ExprId) -> Result<TermId, Exhausted> {
        if let Some(&known) = self.texts.get(&expr) {
            return Ok(known);
        }
        let term = match self.grammar.expr(expr) {
            Expr::Text(regex) => self.terms.from_regex(regex)?,
            _ => Terms::NOTHING,
        };
        self.texts.insert(expr, term);
        Ok(term)
    }

    /// Fills the last place from those items that have read something.
    fn settle(&mut self, kernel: Vec<Item>) -> Result<(), Exhausted> {
        let here = self.places.len() - 1;
        let mut seen: FxHashSet<Item> = FxHashSet::default();
        let mut open = Vec::new();
        for item in kernel {
            self.places[here].kernel.insert(item);
            if seen.insert(item) {
                open.push(item);
            }
        }
        while let Some(item) = open.pop() {
            self.places[here].items.push(item);
            let next = self.open(item, here)?;
            self.steps += 1 + next.len();
            if self.steps > EXPLAIN_STEPS_MAX {
                self.lost = true;
                return Ok(());
            }
            for (next, is_kernel) in next {
                if is_kernel {
                    self.places[here].kernel.insert(next);
                }
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        Ok(())
    }

    /// What an item leads to without reading: its parts in front are opened, rules are begun, whoever waits goes on.
    fn open(&mut self, item: Item, here: usize) -> Result<Vec<(Item, bool)>, Exhausted> {
        let Some((part, rest)) = self.front(item.left) else { return Ok(self.completed(item, here)) };
        let to = |left: Position| (Item { left, ..item }, false);
        let grammar = self.grammar;
        Ok(match part {
            Part::Text { .. } | Part::Value { .. } => Vec::new(),
            Part::Rounds { body, min, max } => {
                let mut next = Vec::new();
                if min == 0 {
                    next.push(to(rest));
                }
                if max != Some(0) {
                    let after = match max {
                        Some(1) => rest,
                        _ => {
                            let (min, max) = (min.saturating_sub(1), max.map(|max| max - 1));
                            self.before(Part::Rounds { body, min, max }, rest)
                        }
                    };
                    next.push(to(self.before(Part::Expr(body), after)));
                }
                next
            }
            Part::Expr(expr) => match grammar.expr(expr) {
                Expr::Sequence(parts) => {
                    self.steps += parts.len();
                    let left =
                        parts.iter().rev().fold(rest, |left, &part| self.before(Part::Expr(part), left));
                    vec![to(left)]
                }
                Expr::Choice(parts) => {
                    parts.iter().map(|&part| to(self.before(Part::Expr(part), rest))).collect()
                }
                Expr::Repeat { body, min, max } => {
                    vec![to(self.before(Part::Rounds { body: *body, min: *min, max: *max }, rest))]
                }
                // What a regex takes away from it is not looked at: items that it rules out may be shown too.
                Expr::NonEmpty(body) | Expr::Within { body, .. } => {
                    vec![to(self.before(Part::Expr(*body), rest))]
                }
                Expr::Text(_) => {
                    let term = self.term(expr)?;
                    if self.terms.nullable(term) { vec![to(rest)] } else { Vec::new() }
                }
                Expr::Token(_) => Vec::new(),
                Expr::Schema(schema) => {
                    self.begin_value(*schema, here, expr)?;
                    vec![to(self.before(Part::Value { schema: *schema, place: here }, rest))]
                }
                Expr::Rule(rule) => {
                    let place = &mut self.places[here];
                    let after = Item { left: rest, ..item };
                    place.waiting.entry(*rule).or_default().push((after, expr));
                    let is_empty = place.empty.contains(rule);
                    let left = self.before(Part::Expr(grammar.rule(*rule).body), END);
                    let begun = Item { rule: *rule, left, last: None, began: here };
                    let mut next = vec![(begun, false)];
                    if is_empty {
                        next.push((Item { last: item.last, ..after }, false));
                    }
                    next
                }
            },
        })
    }

    /// Whoever waits for the rule of an item that has nothing left goes on.
    fn completed(&mut self, item: Item, here: usize) -> Vec<(Item, bool)> {
        let is_empty = item.began == here;
        if is_empty {
            self.places[here].empty.insert(item.rule);
        }
        let waiting = self.places[item.began].waiting.get(&item.rule);
        let next = waiting.into_iter().flatten().map(|&(after, call)| {
            // A rule that has read nothing was not read.
            let last = if is_empty { after.last } else { Some(call) };
            (Item { last, ..after }, !is_empty)
        });
        next.collect()
    }

    fn begin_value(&mut self, schema: u32, place: usize, expr: ExprId) -> Result<(), Exhausted> {
        if self.values.contains_key(&(schema, place)) {
            return Ok(());
        }
        let start = self.text.len();
        if let Some(automaton) = self.automaton.embedded(&self.grammar.schemas[widen(schema)])? {
            let cfg = Some(automaton.start());
            let value = Value { automaton, cfg, registers: Registers::default(), start, expr };
            self.values.insert((schema, place), value);
        }
        Ok(())
    }

    /// Reads a token: as bytes, or as itself where the rules name it.
    pub(super) fn token(&mut self, token: TokenId) -> Result<(), Exhausted> {
        if self.lost {
            return Ok(());
        }
        let mut by_itself = Vec::new();
        for item in self.places.last().map(|place| place.items.clone()).unwrap_or_default() {
            if let Some((Part::Expr(expr), rest)) = self.front(item.left)
                && let Expr::Token(set) = self.grammar.expr(expr)
                && tokens_of(set, self.vocabulary, token)
            {
                by_itself.push(Item { left: rest, last: Some(expr), ..item });
            }
        }
        let bytes = self.vocabulary.bytes(token).to_vec();
        if by_itself.is_empty() {
            return self.bytes(&bytes);
        }
        if bytes.is_empty() || !self.partial.is_empty() {
            self.places.push(Place { byte: self.text.len(), ..Place::default() });
            return self.settle(by_itself);
        }
        self.bytes(&bytes)?;
        if !self.partial.is_empty() {
            // Half a character as text, all of it as itself: two places at once.
            self.lost = true;
            return Ok(());
        }
        let mut kernel: Vec<Item> =
            self.places.last().map(|place| place.kernel.iter().copied().collect()).unwrap_or_default();
        kernel.extend(by_itself);
        kernel.sort_by_key(|item| (item.began, item.rule, item.left, item.last));
        self.places.push(Place { byte: self.text.len(), ..Place::default() });
        self.settle(kernel)
    }

    /// Reads bytes. What has been read of a character waits for the rest of it.
    pub(super) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Exhausted> {
        for &byte in bytes {
            if self.lost {
                return Ok(());
            }
            self.partial.push(byte);
            let complete = match std::str::from_utf8(&self.partial) {
                Ok(text) => text.chars().next(),
                Err(e) if e.error_len().is_none() => None,
                Err(_) => {
                    self.lost = true;
                    None
                }
            };
            if let Some(c) = complete {
                self.partial.clear();
                self.character(c)?;
            }
        }
        Ok(())
    }

    fn character(&mut self, c: char) -> Result<(), Exhausted> {
        let mut buffer = [0; 4];
        let bytes = c.encode_utf8(&mut buffer).as_bytes();
        self.text.extend_from_slice(bytes);
        for value in self.values.values_mut() {
            let Some(cfg) = value.cfg else { continue };
            // A document that is complete takes no whitespace of the rules around it.
            let is_done = value.automaton.is_done(cfg);
            value.cfg =
                if is_done { None } else { value.automaton.advance(cfg, bytes, &mut value.registers)? };
        }
        let mut kernel = Vec::new();
        for item in self.places.last().map(|place| place.items.clone()).unwrap_or_default() {
            let Some((part, rest)) = self.front(item.left) else { continue };
            match part {
                Part::Expr(expr) if matches!(self.grammar.expr(expr), Expr::Text(_)) => {
                    let term = self.term(expr)?;
                    self.read_text(item, expr, term, rest, c, &mut kernel)?;
                }
                Part::Text { expr, left } => self.read_text(item, expr, left, rest, c, &mut kernel)?,
                Part::Value { schema, place } => {
                    let Some(value) = self.values.get(&(schema, place)) else { continue };
                    let Some(cfg) = value.cfg else { continue };
                    if !value.automaton.is_done(cfg) {
                        kernel.push(item);
                    }
                    if value.automaton.is_accepting(cfg) {
                        kernel.push(Item { left: rest, last: Some(value.expr), ..item });
                    }
                }
                _ => {}
            }
        }
        self.places.push(Place { byte: self.text.len(), ..Place::default() });
        self.settle(kernel)
    }

    fn read_text(
        &mut self,
        item: Item,
        expr: ExprId,
        left: TermId,
        rest: Position,
        c: char,
        kernel: &mut Vec<Item>,
    ) -> Result<(), Exhausted> {
        let left = self.terms.derive(left, u32::from(c))?;
        if self.terms.is_nothing(left)? {
            return Ok(());
        }
        if left != Terms::EMPTY {
            let under_way = self.before(Part::Text { expr, left }, rest);
            kernel.push(Item { left: under_way, ..item });
        }
        if self.terms.nullable(left) {
            kernel.push(Item { left: rest, last: Some(expr), ..item });
        }
        Ok(())
    }
}
