//! Longest match: what a lexeme must not be, what must not follow it, and what that leaves open.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Plan, Reading, json_starts, limit_of};
use crate::automaton::term::{Range, Terms};
use crate::error::{CompileError, CompileErrorKind, Place};
use crate::grammar::lexing::bits::Bits;
use crate::grammar::lexing::{Form, Terminal};
use crate::grammar::regex::{CharSet, Regex};
use crate::index::{TermId, TerminalId};
use crate::limits::{LEXING_LOOKS_MAX, LEXING_TERMS_MAX};

/// A text that was read: what is left of the lexeme that it is in, and of the one that may be longer.
struct Node {
    /// The symbol whose lexeme is open; the first lexeme's is that of the situation.
    symbol: usize,
    /// What is left of it.
    own: TermId,
    /// What is left of lexemes that may stand where the first one stands.
    rival: TermId,
    /// Whether the first lexeme has ended.
    behind: bool,
    /// The node before and the character between.
    from: Option<(usize, u32)>,
}

impl Plan<'_> {
    /// How lexemes are read in a situation.
    pub(super) fn reading(&self, at: usize) -> Result<Reading, CompileError> {
        let situation = &self.situations[at];
        let Some(terminal) = self.places.terminal(situation.symbol) else {
            // Documents of a schema that end where the schema says; only numbers could go on.
            let (term, regex) = (self.number, Regex::Empty);
            return Ok(Reading { term, regex, guard: CharSet::empty(), class: 0 });
        };
        let (mut term, mut regex) = self.lexemes[terminal.index()].clone();
        for other in situation.beside.iter() {
            let Some(other) = self.places.terminal(other) else {
                self.check_against_schema(terminal, other)?;
                continue;
            };
            self.charge(1)?;
            if !self.lexing.beats(other, terminal) {
                continue;
            }
            let both = self.terms.and(&[term, self.lexemes[other.index()].0]);
            if self.is_dead(both)? {
                continue;
            }
            if !situation.surely.contains(other.index()) {
                return Err(self.tie(terminal, other, both)?);
            }
            let lost = &self.lexemes[other.index()];
            term = self.terms.and(&[term, self.terms.not(lost.0)]);
            regex = regex.except(lost.1.clone());
        }
        let guard = self.guard(at, term)?;
        Ok(Reading { term, regex, guard, class: 0 })
    }

    /// A document and a lexeme in one place have their lexemes compared inside the document, which is refused.
    fn check_against_schema(&self, terminal: TerminalId, symbol: usize) -> Result<(), CompileError> {
        if !self.places.is_schema(symbol) {
            return Ok(());
        }
        let shared = self.starts(self.lexemes[terminal.index()].0)?.intersection(&json_starts());
        if shared.is_empty() {
            return Ok(());
        }
        let terminal = self.lexing.terminal(terminal);
        Err(refusal(
            terminal,
            format!(
                "the terminal {} and a `%json` may stand in one place and both start with {shared}: let a text that JSON does not start with stand before one of them",
                terminal.name
            ),
        ))
    }

    fn tie(&self, loser: TerminalId, winner: TerminalId, both: TermId) -> Result<CompileError, CompileError> {
        let text = self.example(both)?;
        let (loser, winner) = (self.lexing.terminal(loser), self.lexing.terminal(winner));
        let why = match (winner.priority > loser.priority, winner.form < loser.form) {
            (true, _) => "has the higher priority",
            (false, true) => "is a literal",
            (false, false) => "comes first",
        };
        let help = match winner.form {
            Form::Literal => format!("exclude the text from {}", loser.name),
            Form::Pattern => "let them not overlap".to_owned(),
        };
        Ok(refusal(
            loser,
            format!(
                "the terminals {} and {} both match {text:?}, and where both may stand {} is taken, since it {why}; whether it may stand hangs on more than the rule here says: {help} (`A & ~B` is a terminal too), or allow both in one choice",
                loser.name, winner.name, winner.name
            ),
        ))
    }

    /// A shortest text of a term that has one.
    fn example(&self, term: TermId) -> Result<String, CompileError> {
        let mut nodes: Vec<(TermId, Option<(usize, u32)>)> = vec![(term, None)];
        let mut seen = FxHashSet::from_iter([term]);
        let mut at = 0;
        while at < nodes.len() && nodes.len() <= LEXING_TERMS_MAX {
            let (term, _) = nodes[at];
            if self.terms.nullable(term) {
                return Ok(text_to(at, |at| nodes[at].1));
            }
            for range in self.terms.successors(term).map_err(|e| limit_of(&e))? {
                if seen.insert(range.target) {
                    nodes.push((range.target, Some((at, shown(range.lo, range.hi)))));
                }
            }
            at += 1;
        }
        Ok("…".to_owned())
    }

    /// The characters that make every lexeme of a situation longer, or make a longer one of another terminal that
    /// surely may stand there: at once, or whatever lexeme starts with them. Empty if nothing that may follow starts so.
    fn guard(&self, at: usize, term: TermId) -> Result<CharSet, CompileError> {
        let situation = &self.situations[at];
        let rivals: Vec<TermId> = situation
            .surely
            .iter()
            .filter_map(|symbol| self.places.terminal(symbol))
            .map(|id| self.lexemes[id.index()].0)
            .collect();
        let may_follow = &self.may_follow[situation.symbol];
        let mut guard = CharSet::any();
        let mut pending = vec![(term, self.terms.or(&rivals))];
        let mut seen = FxHashSet::from_iter(pending.iter().copied());
        while let Some((own, rival)) = pending.pop() {
            self.charge(1)?;
            let rivals = self.terms.successors(rival).map_err(|e| limit_of(&e))?;
            let owns = self.terms.successors(own).map_err(|e| limit_of(&e))?;
            if self.terms.nullable(own) {
                let longer = rivals.iter().filter(|range| self.terms.nullable(range.target));
                let longer = CharSet::from_ranges(longer.map(|range| (range.lo, range.hi)));
                let later = self.longer_later(situation.symbol, rivals, may_follow)?;
                guard = guard.intersection(&longer.union(&later));
            }
            for (_, own, rival) in overlap(owns, rivals) {
                if seen.insert((own, rival)) {
                    pending.push((own, rival));
                }
            }
            if seen.len() > LEXING_TERMS_MAX {
                return Err(too_many());
            }
        }
        Ok(if guard.intersection(may_follow).is_empty() { CharSet::empty() } else { guard })
    }

    /// The characters that a rival goes on with and does not end, but ends inside whatever lexeme follows that starts
    /// with them.
    fn longer_later(
        &self,
        symbol: usize,
        rivals: &[Range],
        may_follow: &CharSet,
    ) -> Result<CharSet, CompileError> {
        let open = rivals.iter().filter(|range| !self.terms.nullable(range.target));
        let mut later = CharSet::from_ranges(open.map(|range| (range.lo, range.hi))).intersection(may_follow);
        for next in self.following(symbol) {
            if later.is_empty() {
                break;
            }
            self.charge(1)?;
            let owns = self.terms.successors(self.any_lexeme(next)).map_err(|e| limit_of(&e))?;
            for (low, high, own, rival) in pieces(owns, rivals) {
                if later.intersection(&CharSet::from_ranges([(low, high)])).is_empty() {
                    continue;
                }
                let ends_inside = self.terms.concat(rival, Terms::ALL);
                if !self.is_dead(self.terms.and(&[own, self.terms.not(ends_inside)]))? {
                    later = later.difference(&CharSet::from_ranges([(low, high)]));
                }
            }
        }
        Ok(later)
    }

    /// The characters that what may follow a symbol starts with.
    pub(super) fn starts_behind(&self, symbol: usize) -> Result<CharSet, CompileError> {
        let mut characters = CharSet::empty();
        for next in self.following(symbol) {
            characters = characters.union(&self.starts(self.any_lexeme(next))?);
            if self.places.is_schema(next) {
                characters = characters.union(&json_starts());
            }
        }
        Ok(characters)
    }

    /// The symbols that may stand behind one.
    fn following(&self, symbol: usize) -> Vec<usize> {
        let ignored = self.lexing.ignored.iter().map(|id| id.index());
        let mut following: Vec<usize> = ignored.collect();
        if following.contains(&symbol) {
            // Behind what is ignored comes what comes behind what was there before.
            let mut anything = Bits::empty(self.places.symbols);
            for next in &self.places.next {
                anything.add(next);
            }
            following.extend(anything.iter());
        }
        following.extend(self.places.next[symbol].iter());
        following.sort_unstable();
        following.dedup();
        following
    }

    /// What is read as a symbol, whatever the situation.
    fn any_lexeme(&self, symbol: usize) -> TermId {
        match self.places.terminal(symbol) {
            Some(id) => self.lexemes[id.index()].0,
            None if self.places.is_schema(symbol) => self.documents,
            None => Terms::NOTHING,
        }
    }

    /// Refuses what guards leave open: a text in which a lexeme could be longer than the rules need it.
    pub(super) fn check(&self) -> Result<(), CompileError> {
        let mut common: FxHashMap<usize, CharSet> = FxHashMap::default();
        for (situation, reading) in self.situations.iter().zip(&self.readings) {
            let guard = common.entry(situation.symbol).or_insert_with(|| reading.guard.clone());
            *guard = guard.intersection(&reading.guard);
        }
        (0..self.situations.len()).try_for_each(|at| self.check_situation(at, &common))
    }

    /// `common` has what must not follow a symbol in any situation.
    fn check_situation(&self, at: usize, common: &FxHashMap<usize, CharSet>) -> Result<(), CompileError> {
        let (situation, reading) = (&self.situations[at], &self.readings[at]);
        let mut rivals: Vec<TermId> = Vec::new();
        for symbol in situation.beside.iter() {
            match self.places.terminal(symbol) {
                Some(id) => rivals.push(self.lexemes[id.index()].0),
                None if self.places.is_schema(symbol) => rivals.push(self.number),
                None => {}
            }
        }
        let first = Node {
            symbol: situation.symbol,
            own: reading.term,
            rival: self.terms.or(&rivals),
            behind: false,
            from: None,
        };
        let may_follow = self.may_follow[situation.symbol].difference(&reading.guard);
        let mut seen = FxHashSet::from_iter([(first.symbol, first.own, first.rival, false)]);
        let mut nodes = vec![first];
        let mut pending = VecDeque::from([0]);
        while let Some(number) = pending.pop_front() {
            let mut found: Vec<Node> = Vec::new();
            self.charge(1)?;
            self.go_on(number, &nodes, &mut found)?;
            if self.terms.nullable(nodes[number].own) {
                let allowed = match common.get(&nodes[number].symbol) {
                    Some(guard) if nodes[number].behind => guard.complement(),
                    None if nodes[number].behind => CharSet::any(),
                    _ => may_follow.clone(),
                };
                self.go_behind(number, &nodes, &allowed, &mut found)?;
            }
            for node in found {
                if seen.insert((node.symbol, node.own, node.rival, node.behind)) {
                    let is_conflict = node.behind && self.terms.nullable(node.rival);
                    nodes.push(node);
                    if is_conflict && !self.is_dead(nodes[nodes.len() - 1].own)? {
                        return Err(self.conflict(at, &nodes));
                    }
                    pending.push_back(nodes.len() - 1);
                }
            }
            if nodes.len() > LEXING_TERMS_MAX {
                return Err(too_many());
            }
        }
        Ok(())
    }

    /// Counts steps of work on all situations together.
    fn charge(&self, steps: usize) -> Result<(), CompileError> {
        self.steps.set(self.steps.get() + steps);
        if self.steps.get() <= LEXING_LOOKS_MAX {
            return Ok(());
        }
        let message = format!(
            "whether lexemes may be read as longer ones takes more than {LEXING_LOOKS_MAX} steps to find out (LEXING_LOOKS_MAX): use fewer or simpler terminals"
        );
        Err(CompileError::new(CompileErrorKind::Limit, Place::default(), "longest match", message))
    }

    fn is_dead(&self, term: TermId) -> Result<bool, CompileError> {
        self.terms.is_nothing(term).map_err(|e| limit_of(&e))
    }

    /// One character more of the open lexeme.
    fn go_on(&self, at: usize, nodes: &[Node], found: &mut Vec<Node>) -> Result<(), CompileError> {
        let node = &nodes[at];
        let owns = self.terms.successors(node.own).map_err(|e| limit_of(&e))?;
        let rivals = self.terms.successors(node.rival).map_err(|e| limit_of(&e))?;
        for (c, own, rival) in overlap(owns, rivals) {
            found.push(Node { symbol: node.symbol, own, rival, behind: node.behind, from: Some((at, c)) });
        }
        Ok(())
    }

    /// The first character, one of these, of a lexeme behind the open one, which ends.
    fn go_behind(
        &self,
        at: usize,
        nodes: &[Node],
        characters: &CharSet,
        found: &mut Vec<Node>,
    ) -> Result<(), CompileError> {
        let node = &nodes[at];
        let rivals = self.terms.successors(node.rival).map_err(|e| limit_of(&e))?;
        let goes_on = CharSet::from_ranges(rivals.iter().map(|range| (range.lo, range.hi)));
        let characters = goes_on.intersection(characters);
        if characters.is_empty() {
            return Ok(());
        }
        for symbol in self.following(node.symbol) {
            self.charge(1)?;
            let owns = self.terms.and(&[self.any_lexeme(symbol), self.starting_with(&characters)]);
            let owns = self.terms.successors(owns).map_err(|e| limit_of(&e))?;
            for (c, own, rival) in overlap(owns, rivals) {
                found.push(Node { symbol, own, rival, behind: true, from: Some((at, c)) });
            }
        }
        Ok(())
    }

    fn starting_with(&self, characters: &CharSet) -> TermId {
        self.terms.concat(self.terms.one_of(characters), Terms::ALL)
    }

    /// The refusal of the last node: its text could be one lexeme.
    fn conflict(&self, at: usize, nodes: &[Node]) -> CompileError {
        let situation = &self.situations[at];
        let last = nodes.len() - 1;
        let text = text_to(last, |at| nodes[at].from);
        let mut first = last;
        while nodes[first].behind {
            first = nodes[first].from.map_or(0, |(before, _)| before);
        }
        let short = text_to(first, |at| nodes[at].from);
        let rival = situation.beside.iter().find_map(|symbol| {
            let id = self.places.terminal(symbol)?;
            let is_longer = self.terms.matches(self.lexemes[id.index()].0, &text).is_ok_and(|yes| yes);
            is_longer.then(|| self.lexing.terminal(id))
        });
        let Some(own) = self.places.terminal(situation.symbol) else {
            let message = format!(
                "a `%json` may end with the number {short}, and what follows may make it {text}: let something that no number goes on with stand between"
            );
            return CompileError::new(
                CompileErrorKind::Unsupported,
                Place::default(),
                "longest match",
                message,
            );
        };
        let own = self.lexing.terminal(own);
        let rival_name = rival.map_or("another terminal", |rival| &*rival.name);
        let next = self.places.terminal(nodes[last].symbol).map(|id| &*self.lexing.terminal(id).name);
        let help = if self.lexing.ignored.is_empty() {
            "let the terminals not run into each other"
        } else {
            "let the terminals not run into each other, or write what must stand between into the rule"
        };
        refusal(
            own,
            format!(
                "the rules may need {short:?} as {}, followed by {}; in {text:?} {rival_name} is the longer match, and which of the two is right can't be told from the next character alone: {help}",
                own.name,
                next.unwrap_or("JSON"),
            ),
        )
    }
}

/// The pieces on which both lists go on: a character of each, and where both lead.
fn overlap(one: &[Range], other: &[Range]) -> impl Iterator<Item = (u32, TermId, TermId)> {
    pieces(one, other).into_iter().map(|(low, high, one, other)| (shown(low, high), one, other))
}

/// The pieces on which both lists go on, and where both lead.
fn pieces(one: &[Range], other: &[Range]) -> Vec<(u32, u32, TermId, TermId)> {
    let (mut i, mut j) = (0, 0);
    let mut pieces = Vec::new();
    while let (Some(a), Some(b)) = (one.get(i), other.get(j)) {
        let (low, high) = (a.lo.max(b.lo), a.hi.min(b.hi));
        if low <= high {
            pieces.push((low, high, a.target, b.target));
        }
        if a.hi < b.hi { i += 1 } else { j += 1 }
    }
    pieces
}

/// A character of a range that is good to read.
fn shown(low: u32, high: u32) -> u32 {
    ['a', 'A', '0', ' '].into_iter().map(u32::from).find(|c| (low..=high).contains(c)).unwrap_or(low)
}

/// The characters on the way to a node.
fn text_to(mut at: usize, from: impl Fn(usize) -> Option<(usize, u32)>) -> String {
    let mut text: Vec<char> = Vec::new();
    while let Some((before, c)) = from(at) {
        text.extend(char::from_u32(c));
        at = before;
    }
    text.iter().rev().collect()
}

fn refusal(terminal: &Terminal, message: String) -> CompileError {
    let place = Place { position: terminal.position, ..Place::default() };
    CompileError::new(CompileErrorKind::Unsupported, place, "longest match", message)
}

fn too_many() -> CompileError {
    let message = format!(
        "whether lexemes may be read as longer ones takes more than {LEXING_TERMS_MAX} situations to find out (LEXING_TERMS_MAX): use simpler terminals"
    );
    CompileError::new(CompileErrorKind::Limit, Place::default(), "longest match", message)
}
