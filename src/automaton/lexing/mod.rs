//! From a grammar that reads lexemes to one that reads text: the same language, or a refusal.
//!
//! The engine has no lexer in front: it follows every split of a text. So what the lexer forbids is made part of the
//! grammar, where that can be said exactly:
//!
//! * *Lost texts.* Where a terminal that wins may surely stand too, texts of both are taken from the one that loses:
//!   `if` is no `NAME` where the keyword may stand.
//! * *Guards.* Some characters must not follow a lexeme directly, since they would make it longer, or make one of another
//!   terminal that may surely stand there: no letter follows `if`. A guard is a set of characters, and the grammar is
//!   written once for each guard that may be waiting in front of a part and behind it (`lower`).
//!
//! What these don't cover is refused, with the terminals and an example: a lexeme that hangs on more than the next
//! character, or on whether a terminal may stand in a place, which the rules alone leave open (`munch`). For a text that
//! the new grammar accepts, the lexer then finds the same lexemes one by one: no longer one exists, and none that wins.

mod lower;
mod munch;

use std::cell::Cell;

use rustc_hash::FxHashMap;

use crate::automaton::term::{Terms, Window};
use crate::error::{CompileError, CompileErrorKind, Exhausted, Place};
use crate::grammar::lexing::bits::Bits;
use crate::grammar::lexing::places::Places;
use crate::grammar::lexing::{Extent, Lexing, Part, Terminal, surely};
use crate::grammar::regex::{CharSet, Regex};
use crate::grammar::rules::Grammar;
use crate::index::{PartId, TermId, TerminalId};
use crate::limits::LEXING_GUARDS_MAX;

/// The grammar of the same language whose every split of a text counts.
///
/// # Errors
/// If there is none that this way leads to, or a limit is passed.
pub(crate) fn scannerless(lexing: &Lexing) -> Result<Grammar, CompileError> {
    Plan::of(lexing)?.lower()
}

/// A terminal or schema in the places where the same others may stand.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Situation {
    symbol: usize,
    /// What surely may stand there.
    surely: Bits,
    /// What may stand there.
    beside: Bits,
}

/// How lexemes are read in a situation.
struct Reading {
    /// The lexemes, as a term.
    term: TermId,
    /// The same as a regex.
    regex: Regex,
    /// What must not follow directly.
    guard: CharSet,
    /// The number of the guard; 0 is the empty one.
    class: usize,
}

/// Everything that lowering needs to know.
struct Plan<'l> {
    lexing: &'l Lexing,
    terms: Terms,
    places: Places,
    /// By terminal: its lexemes.
    lexemes: Vec<(TermId, Regex)>,
    /// The distinct situations.
    situations: Vec<Situation>,
    readings: Vec<Reading>,
    /// By part that is a terminal or a schema.
    situation_of: FxHashMap<PartId, usize>,
    /// The situations of what is ignored.
    ignored: Vec<usize>,
    /// The distinct guards.
    guards: Vec<CharSet>,
    /// JSON numbers, the only documents that more characters could make longer.
    number: TermId,
    /// Texts that start like JSON documents.
    documents: TermId,
    /// By symbol: the characters that what may follow it starts with.
    may_follow: Vec<CharSet>,
    /// Steps of work so far.
    steps: Cell<usize>,
}

impl<'l> Plan<'l> {
    fn of(lexing: &'l Lexing) -> Result<Self, CompileError> {
        let terms = Terms::new();
        let mut lexemes = Vec::with_capacity(lexing.terminals.len());
        for terminal in &lexing.terminals {
            let regex = lexemes_of(terminal);
            let term = terms.from_regex(&regex).map_err(|e| limit(terminal, &e))?;
            lexemes.push((term, regex));
        }
        let mut possible = Vec::with_capacity(lexemes.len());
        for (terminal, (term, _)) in lexing.terminals.iter().zip(&lexemes) {
            possible.push(!terms.is_nothing(*term).map_err(|e| limit(terminal, &e))?);
        }
        if let Some(id) = lexing.ignored.iter().find(|id| !possible[id.index()]) {
            return Err(ignores_nothing(lexing.terminal(*id)));
        }
        let places = Places::of(lexing, |part| is_possible(&possible, part))?;
        let number = number(&terms);
        let documents = terms.concat(terms.one_of(&json_starts()), Terms::ALL);
        let mut plan = Self {
            lexing,
            terms,
            places,
            lexemes,
            situations: Vec::new(),
            readings: Vec::new(),
            situation_of: FxHashMap::default(),
            ignored: Vec::new(),
            guards: vec![CharSet::empty()],
            number,
            documents,
            may_follow: Vec::new(),
            steps: Cell::new(0),
        };
        let symbols = 0..plan.places.symbols;
        plan.may_follow = symbols.map(|symbol| plan.starts_behind(symbol)).collect::<Result<_, _>>()?;
        plan.find_situations(&possible)?;
        for at in 0..plan.situations.len() {
            let reading = plan.reading(at)?;
            plan.readings.push(reading);
        }
        plan.check()?;
        plan.number_guards()?;
        Ok(plan)
    }

    fn find_situations(&mut self, possible: &[bool]) -> Result<(), CompileError> {
        let surely = surely::find(self.lexing, &self.places)?;
        let beside = self.places.beside(self.lexing, |part| is_possible(possible, part))?;
        let mut ignored = Bits::empty(self.places.symbols);
        let kept: Vec<TerminalId> =
            self.lexing.ignored.iter().copied().filter(|id| possible[id.index()]).collect();
        kept.iter().for_each(|id| ignored.insert(id.index()));
        let mut known: FxHashMap<Situation, usize> = FxHashMap::default();
        for (at, (mut surely, mut beside)) in surely.into_iter().zip(beside).enumerate() {
            let id = PartId::new(at);
            let Some(symbol) = self.places.symbol(id) else { continue };
            if !self.places.live[at] || !(symbol < possible.len() || self.places.is_schema(symbol)) {
                continue;
            }
            surely.add(&ignored);
            beside.add(&ignored);
            let situation = self.situation(&mut known, Situation { symbol, surely, beside });
            self.situation_of.insert(id, situation);
        }
        let mut anything = ignored.clone();
        for next in &self.places.next {
            anything.add(next);
        }
        for id in kept {
            let situation =
                Situation { symbol: id.index(), surely: ignored.clone(), beside: anything.clone() };
            let at = self.situation(&mut known, situation);
            if !self.ignored.contains(&at) {
                self.ignored.push(at);
            }
        }
        Ok(())
    }

    fn situation(&mut self, known: &mut FxHashMap<Situation, usize>, situation: Situation) -> usize {
        *known.entry(situation.clone()).or_insert_with(|| {
            self.situations.push(situation);
            self.situations.len() - 1
        })
    }

    /// Gives equal guards one number.
    fn number_guards(&mut self) -> Result<(), CompileError> {
        for at in 0..self.readings.len() {
            let guard = self.readings[at].guard.clone();
            let known = self.guards.iter().position(|known| *known == guard);
            let class = known.unwrap_or(self.guards.len());
            if known.is_none() {
                self.guards.push(guard);
            }
            self.readings[at].class = class;
        }
        if self.guards.len() > LEXING_GUARDS_MAX {
            let message = format!(
                "lexemes must not be followed by certain characters, and there are {} sets of these; at most {LEXING_GUARDS_MAX} are allowed (LEXING_GUARDS_MAX)",
                self.guards.len()
            );
            return Err(CompileError::new(CompileErrorKind::Limit, Place::default(), "terminals", message));
        }
        Ok(())
    }

    /// The characters that lexemes start with. May be too many.
    fn starts(&self, term: TermId) -> Result<CharSet, CompileError> {
        let ranges = self.terms.successors(term).map_err(|e| limit_of(&e))?;
        Ok(CharSet::from_ranges(ranges.iter().map(|range| (range.lo, range.hi))))
    }

    /// The texts of a term that don't start with a character of the set.
    fn without_start(
        &self,
        regex: &Regex,
        term: TermId,
        guard: &CharSet,
    ) -> Result<Option<Regex>, CompileError> {
        let starts = self.starts(term)?;
        let left = starts.difference(guard);
        if left.is_empty() {
            return Ok(None);
        }
        if left == starts {
            return Ok(Some(regex.clone()));
        }
        let behind = Regex::set(guard.complement()).then(Regex::any_text());
        Ok(Some(Regex::and([regex.clone(), behind])))
    }
}

/// Whether a leaf of a rule may be read at all.
fn is_possible(possible: &[bool], part: &Part) -> bool {
    match part {
        Part::Terminal(id) => possible[id.index()],
        _ => true,
    }
}

/// The lexemes of a terminal.
fn lexemes_of(terminal: &Terminal) -> Regex {
    let some = Regex::set(CharSet::any()).plus();
    let regex = if terminal.regex.accepts_empty() {
        Regex::and([terminal.regex.clone(), some.clone()])
    } else {
        terminal.regex.clone()
    };
    match terminal.extent {
        Extent::Longest => regex,
        Extent::Shortest => regex.clone().except(regex.then(some)),
    }
}

/// JSON numbers, some of which are longer than any policy spells.
fn number(terms: &Terms) -> TermId {
    let maybe = |term| terms.repeat(term, Window { min: 0, max: Some(1) });
    let one_of = |text: &str| terms.one_of(&CharSet::of(text));
    let digits = terms.repeat(terms.one_of(&CharSet::range('0', '9')), Window { min: 1, max: None });
    let fraction = maybe(terms.concat(one_of("."), digits));
    let exponent = maybe(terms.concat(one_of("eE"), terms.concat(maybe(one_of("+-")), digits)));
    terms.concat(maybe(one_of("-")), terms.concat(digits, terms.concat(fraction, exponent)))
}

/// The characters that JSON documents start with.
fn json_starts() -> CharSet {
    CharSet::of("\"[{-tfn").union(&CharSet::range('0', '9'))
}

fn ignores_nothing(terminal: &Terminal) -> CompileError {
    let place = Place { position: terminal.position, ..Place::default() };
    let message = format!(
        "the terminal {} matches no text of one character or more, so nothing would be ignored: correct it, or leave `%ignore` out",
        terminal.name
    );
    CompileError::new(CompileErrorKind::Invalid, place, "lark: %ignore", message)
}

fn limit(terminal: &Terminal, e: &Exhausted) -> CompileError {
    let place = Place { position: terminal.position, ..Place::default() };
    CompileError::new(
        CompileErrorKind::Limit,
        place,
        "terminal",
        format!("the terminal {}: {}", terminal.name, e.place),
    )
}

fn limit_of(e: &Exhausted) -> CompileError {
    CompileError::new(CompileErrorKind::Limit, Place::default(), "terminals", e.place.clone())
}

/// The number of a class in a table of pairs.
fn pair(classes: usize, before: usize, behind: usize) -> usize {
    before * classes + behind
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod twin;
