//! How a terminal is read in a place: its lexemes, and those that are read instead where they are longer.
//!
//! What *may* stand in a place is known from above (`places`) and from below (`surely`). The lexemes of all that may stand
//! there count as rivals; where that takes something away which what surely stands there does not, a doubt is noted.

use std::rc::Rc;

use super::doubts::Doubt;
use super::overlay::along;
use super::{PlaceId, Plan, limit_of};
use crate::automaton::term::Terms;
use crate::error::{CompileError, CompileErrorKind, Place};
use crate::grammar::lexing::Form;
use crate::grammar::lexing::bits::Bits;
use crate::grammar::regex::{CharSet, Regex};
use crate::index::{TermId, TerminalId};

/// How a symbol is read.
#[derive(Clone)]
pub(super) struct Reading {
    pub(super) symbol: usize,
    /// The lexemes.
    pub(super) own: TermId,
    /// The same as a regex.
    pub(super) regex: Regex,
    /// Lexemes of terminals that may stand there and some of which are longer.
    pub(super) rivals: TermId,
    /// Those of terminals that surely may stand there.
    pub(super) sure: TermId,
    /// The number of what may stand behind it.
    pub(super) follow: usize,
}

impl Plan<'_> {
    /// The number of the reading of a symbol in a place, behind which this may stand.
    pub(super) fn reading(
        &mut self,
        symbol: usize,
        place: PlaceId,
        follow: usize,
    ) -> Result<usize, CompileError> {
        if let Some(&known) = self.reading_of.get(&(symbol, place, follow)) {
            return Ok(known);
        }
        self.find_reading(symbol, place, follow).map_err(|e| self.of_symbol(symbol, e))
    }

    /// An error that was met while a symbol was worked on, with its name and place.
    pub(super) fn of_symbol(&self, symbol: usize, error: CompileError) -> CompileError {
        match self.places.terminal(symbol) {
            Some(id) => {
                let terminal = self.lexing.terminal(id);
                error.met_in(&format!("the terminal {}", terminal.name), terminal.position)
            }
            None => error,
        }
    }

    fn find_reading(&mut self, symbol: usize, place: PlaceId, follow: usize) -> Result<usize, CompileError> {
        let reading = match self.places.terminal(symbol) {
            Some(terminal) => self.terminal_reading(terminal, place, follow)?,
            None => self.document_reading(symbol, place, follow)?,
        };
        let Reading { symbol, own, rivals, sure, follow, .. } = reading;
        let number = match self.reading_by_terms.get(&(symbol, [own, rivals, sure], follow)) {
            Some(&known) => known,
            None => {
                self.readings.push(reading);
                let number = self.readings.len() - 1;
                self.reading_by_terms.insert((symbol, [own, rivals, sure], follow), number);
                self.doubt_lengths(number, place)?;
                number
            }
        };
        self.reading_of.insert((symbol, place, follow), number);
        Ok(number)
    }

    fn terminal_reading(
        &mut self,
        terminal: TerminalId,
        place: PlaceId,
        follow: usize,
    ) -> Result<Reading, CompileError> {
        let (surely, beside) = Rc::clone(&self.kinds[place]).as_ref().clone();
        let (mut own, mut regex) = self.lexemes[terminal.index()].clone();
        let (mut rivals, mut sure) = (Vec::new(), Vec::new());
        let mut unsure: Vec<TerminalId> = Vec::new();
        for symbol in beside.iter() {
            let Some(other) = self.places.terminal(symbol) else {
                self.check_against_schema(terminal, symbol)?;
                continue;
            };
            let is_sure = surely.contains(symbol);
            if self.lexing.beats(other, terminal) && self.overlap(terminal, other)? {
                if is_sure {
                    (own, regex) = self.without(own, regex, other);
                } else {
                    unsure.push(other);
                }
            }
            if self.extends(terminal, other)? {
                let term = self.lexemes[other.index()].0;
                rivals.push(term);
                if is_sure {
                    sure.push(term);
                }
            }
        }
        for other in unsure {
            let both = self.terms.and(&[own, self.lexemes[other.index()].0]);
            if !self.is_dead(both)? {
                self.doubt_tie(terminal, other, both)?;
                (own, regex) = self.without(own, regex, other);
            }
        }
        let (rivals, sure) = (self.terms.or(&rivals), self.terms.or(&sure));
        Ok(Reading { symbol: terminal.index(), own, regex, rivals, sure, follow })
    }

    /// Documents of a schema, which end where the schema says; only numbers could go on.
    fn document_reading(
        &mut self,
        symbol: usize,
        place: PlaceId,
        follow: usize,
    ) -> Result<Reading, CompileError> {
        let (_, beside) = Rc::clone(&self.kinds[place]).as_ref().clone();
        let terminals = beside.iter().filter_map(|symbol| self.places.terminal(symbol));
        let mut rivals: Vec<TermId> = terminals.map(|id| self.lexemes[id.index()].0).collect();
        rivals.push(self.number);
        let (own, regex) = (self.number, Regex::Empty);
        Ok(Reading { symbol, own, regex, rivals: self.terms.or(&rivals), sure: Terms::NOTHING, follow })
    }

    fn without(&self, own: TermId, regex: Regex, other: TerminalId) -> (TermId, Regex) {
        let (term, lost) = &self.lexemes[other.index()];
        (self.terms.and(&[own, self.terms.not(*term)]), regex.except(lost.clone()))
    }

    /// Whether two terminals have a lexeme in common.
    fn overlap(&mut self, one: TerminalId, other: TerminalId) -> Result<bool, CompileError> {
        let key = (one.min(other), one.max(other));
        if let Some(&known) = self.overlaps.get(&key) {
            return Ok(known);
        }
        self.charge(1)?;
        let (first, second) = (self.lexemes[one.index()].0, self.lexemes[other.index()].0);
        let overlaps = self.begin_alike(first, second)? && !self.is_dead(self.terms.and(&[first, second]))?;
        self.overlaps.insert(key, overlaps);
        Ok(overlaps)
    }

    /// Whether some lexeme of the second terminal begins with one of the first and goes on.
    fn extends(&mut self, short: TerminalId, long: TerminalId) -> Result<bool, CompileError> {
        if let Some(&known) = self.extensions.get(&(short, long)) {
            return Ok(known);
        }
        self.charge(1)?;
        let (short_term, long_term) = (self.lexemes[short.index()].0, self.lexemes[long.index()].0);
        let begin_alike = self.begin_alike(short_term, long_term)?;
        let extends = begin_alike && {
            let longer = self.terms.concat(self.terms.one_of(&CharSet::any()), Terms::ALL);
            let longer = self.terms.and(&[long_term, self.terms.concat(short_term, longer)]);
            !self.is_dead(longer)?
        };
        self.extensions.insert((short, long), extends);
        Ok(extends)
    }

    /// Whether both have texts that start with one character, as far as is plain to see.
    fn begin_alike(&self, one: TermId, other: TermId) -> Result<bool, CompileError> {
        let of = |term| self.terms.successors(term).map_err(|e| limit_of(&e));
        Ok(along([of(one)?, of(other)?]).any(|(.., [_, other])| other != Terms::NOTHING))
    }

    /// A document and a lexeme in one place have their lexemes compared inside the document, which is refused.
    fn check_against_schema(&self, terminal: TerminalId, symbol: usize) -> Result<(), CompileError> {
        if !self.places.is_schema(symbol) {
            return Ok(());
        }
        let shared = self.starts(self.lexemes[terminal.index()].0)?.intersection(&super::json_starts());
        if shared.is_empty() {
            return Ok(());
        }
        let terminal = self.lexing.terminal(terminal);
        let message = format!(
            "the terminal {} and a `%json` may stand in one place and both start with {shared}: let a text that JSON does not start with stand before one of them",
            terminal.name
        );
        let place = Place { position: terminal.position, ..Place::default() };
        Err(CompileError::new(CompileErrorKind::Unsupported, place, "longest match", message))
    }

    fn doubt_tie(&mut self, loser: TerminalId, winner: TerminalId, both: TermId) -> Result<(), CompileError> {
        let text = self.terms.some_text(both).map_err(|e| limit_of(&e))?.unwrap_or_default();
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
        let message = format!(
            "the terminals {} and {} both match {text:?}, and where both may stand {} is taken, since it {why}; whether it may stand hangs on more than the rule here says: {help} (`A & ~B` is a terminal too), or allow both in one choice",
            loser.name, winner.name, winner.name
        );
        self.doubts.push(Doubt {
            terminal: loser.name.clone(),
            position: loser.position,
            message,
            left_out: format!("{text:?} is not read as {}", loser.name),
        });
        Ok(())
    }

    /// The number of a set of symbols that may stand behind something; what is ignored may stand there too.
    pub(super) fn follow(&mut self, mut symbols: Bits) -> usize {
        symbols.add(&self.ignored);
        if let Some(known) = self.follows.iter().position(|(known, _)| *known == symbols) {
            return known;
        }
        let lexemes: Vec<TermId> = symbols.iter().map(|symbol| self.any_lexeme(symbol)).collect();
        let texts = self.terms.concat(self.terms.or(&lexemes), Terms::ALL);
        self.follows.push((symbols, texts));
        self.follows.len() - 1
    }
}
