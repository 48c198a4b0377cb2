//! From a grammar that reads lexemes to one that reads text.
//!
//! The engine has no lexer in front: it follows every split of a text. So what the lexer forbids is made part of the
//! grammar:
//!
//! * *Lost texts.* Where a terminal that wins may stand too, texts of both are taken from the one that loses: `if` is no `NAME`
//!   where the keyword may stand (`readings`).
//! * *Guards.* Some texts must not follow a lexeme directly, since they would make it longer, or make one of another
//!   terminal that may stand there: no letter follows `if`, and neither `.5` nor `e9` follows `12` (`guards`). The lexemes of a
//!   terminal are split by the guard that they leave (`pieces`), and the grammar is written once for each guard that may
//!   be waiting in front of a part and behind it (`lower`).
//!
//! For a text that the new grammar accepts, the lexer then finds the same lexemes one by one: no longer one exists, and none
//! that wins. Whether a terminal may stand in a place can hang on more than the rules around it say. Where that makes a difference,
//! it counts as standing there, and the difference is a *doubt* (`doubts`): without doubts the language is the same, with some of
//! them a part of it.

mod doubts;
mod guards;
mod kept;
mod lower;
mod overlay;
mod pieces;
mod readings;

use std::cell::Cell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

pub(crate) use self::doubts::Doubts;
use self::guards::Guards;
pub(crate) use self::kept::{KeptLexings, Scannerless};
use self::lower::GuardBits;
use self::pieces::{KnownAutomata, Piece};
use self::readings::Reading;
use crate::automaton::term::{Terms, Window};
use crate::error::{CompileError, CompileErrorKind, Exhausted, Place};
use crate::grammar::lexing::bits::Bits;
use crate::grammar::lexing::factor::factored;
use crate::grammar::lexing::places::Places;
use crate::grammar::lexing::{Extent, Lexing, Part, Terminal, surely};
use crate::grammar::regex::{CharSet, Regex};
use crate::grammar::rules::Grammar;
use crate::index::{PartId, TermId, TerminalId};
use crate::limits::{LEXING_LOOKS_MAX, LEXING_TERMS_MAX};

/// A grammar of the same language whose every split of a text counts; with doubts, a part of the language.
///
/// # Errors
/// If there is none that this way leads to, or a limit is passed.
pub(crate) fn scannerless(lexing: &Lexing) -> Result<(Grammar, Doubts), CompileError> {
    let lexing = factored(lexing);
    let mut plan = Plan::of(&lexing)?;
    let grammar = plan.lower()?;
    Ok((grammar, plan.doubts))
}

/// The number of a kind of place: what surely may stand there, and what may stand there.
type PlaceId = usize;

/// Everything that lowering needs to know.
struct Plan<'l> {
    lexing: &'l Lexing,
    terms: Terms,
    places: Places,
    /// By terminal: its lexemes.
    lexemes: Vec<(TermId, Regex)>,
    /// What is ignored.
    ignored: Bits,
    /// The distinct kinds of places: what surely may stand there, and what may.
    kinds: Vec<Rc<(Bits, Bits)>>,
    /// By part that is a terminal, a token or a schema: its place, and the number of what may stand behind it.
    place_of: FxHashMap<PartId, (PlaceId, usize)>,
    /// The place at the end of the text.
    end: PlaceId,
    /// The distinct readings.
    readings: Vec<Reading>,
    /// By symbol, lexemes, rivals, sure rivals and what may follow.
    reading_by_terms: FxHashMap<(usize, [TermId; 3], usize), usize>,
    /// By symbol, place and what may follow.
    reading_of: FxHashMap<(usize, PlaceId, usize), usize>,
    /// By part that is a terminal or a schema: its reading.
    reading_at: FxHashMap<PartId, usize>,
    /// By place: the readings of what is ignored there.
    ignored_at: Vec<Vec<usize>>,
    /// By readings of what is ignored: the guards that may wait where these stand.
    waiting: FxHashMap<Vec<usize>, GuardBits>,
    /// The distinct sets of symbols that may stand directly behind something, and the texts that begin with their lexemes.
    follows: Vec<(Bits, TermId)>,
    guards: Guards,
    /// By reading and guard before it.
    pieces: FxHashMap<(usize, usize), Rc<[Piece]>>,
    automata: KnownAutomata,
    /// Which terminals have lexemes in common.
    overlaps: FxHashMap<(TerminalId, TerminalId), bool>,
    /// Whether lexemes of the second terminal go on behind ones of the first.
    extensions: FxHashMap<(TerminalId, TerminalId), bool>,
    doubts: Doubts,
    /// JSON numbers, the only documents that more characters could make longer.
    number: TermId,
    /// Texts that start like JSON documents.
    documents: TermId,
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
        let mut ignored = Bits::empty(places.symbols);
        lexing.ignored.iter().for_each(|id| ignored.insert(id.index()));
        let number = number(&terms);
        let documents = terms.concat(terms.one_of(&json_starts()), Terms::ALL);
        let mut plan = Self {
            lexing,
            terms,
            places,
            lexemes,
            ignored,
            kinds: Vec::new(),
            place_of: FxHashMap::default(),
            end: 0,
            readings: Vec::new(),
            reading_by_terms: FxHashMap::default(),
            reading_of: FxHashMap::default(),
            reading_at: FxHashMap::default(),
            ignored_at: Vec::new(),
            waiting: FxHashMap::default(),
            follows: Vec::new(),
            guards: Guards::new(),
            pieces: FxHashMap::default(),
            automata: KnownAutomata::default(),
            overlaps: FxHashMap::default(),
            extensions: FxHashMap::default(),
            doubts: Doubts::default(),
            number,
            documents,
            steps: Cell::new(0),
        };
        plan.find_places(&possible)?;
        plan.find_readings()?;
        Ok(plan)
    }

    fn find_places(&mut self, possible: &[bool]) -> Result<(), CompileError> {
        let surely = surely::find(self.lexing, &self.places)?;
        let beside = self.places.beside(self.lexing, |part| is_possible(possible, part))?;
        let mut known: FxHashMap<(Bits, Bits), PlaceId> = FxHashMap::default();
        let nothing = Bits::empty(self.places.symbols);
        self.end = self.place(&mut known, nothing, beside.at_end);
        for (at, (surely, at_part)) in surely.into_iter().zip(beside.at_parts).enumerate() {
            let id = PartId::new(at);
            if self.places.live[at] && self.places.symbol(id).is_some() {
                let place = self.place(&mut known, surely, at_part);
                let follow = self.follow(beside.behind[at].clone());
                self.place_of.insert(id, (place, follow));
            }
        }
        Ok(())
    }

    /// The number of a kind of place; what is ignored may stand in each.
    fn place(
        &mut self,
        known: &mut FxHashMap<(Bits, Bits), PlaceId>,
        mut surely: Bits,
        mut beside: Bits,
    ) -> PlaceId {
        surely.add(&self.ignored);
        beside.add(&self.ignored);
        *known.entry((surely.clone(), beside.clone())).or_insert_with(|| {
            self.kinds.push(Rc::new((surely, beside)));
            self.kinds.len() - 1
        })
    }

    fn find_readings(&mut self) -> Result<(), CompileError> {
        for place in 0..self.kinds.len() {
            let follow = self.follow(self.kinds[place].1.clone());
            let ignored: Vec<usize> = self.ignored.iter().collect();
            let readings = ignored.into_iter().map(|symbol| self.reading(symbol, place, follow));
            let readings = readings.collect::<Result<Vec<usize>, _>>()?;
            self.ignored_at.push(readings);
        }
        for at in 0..self.lexing.parts.len() {
            let id = PartId::new(at);
            let Some(&(place, follow)) = self.place_of.get(&id) else { continue };
            let symbol = self.places.symbol(id).expect("what has a place is a symbol");
            if self.places.terminal(symbol).is_some() || self.places.is_schema(symbol) {
                let reading = self.reading(symbol, place, follow)?;
                self.reading_at.insert(id, reading);
            }
        }
        Ok(())
    }

    /// Counts steps of work on all terminals together.
    fn charge(&self, steps: usize) -> Result<(), CompileError> {
        self.steps.set(self.steps.get().saturating_add(steps));
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

    /// The characters that lexemes start with. May be too many.
    fn starts(&self, term: TermId) -> Result<CharSet, CompileError> {
        let ranges = self.terms.successors(term).map_err(|e| limit_of(&e))?;
        Ok(CharSet::from_ranges(ranges.iter().map(|range| (range.lo, range.hi))))
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

fn too_many() -> CompileError {
    let message = format!(
        "whether lexemes may be read as longer ones takes more than {LEXING_TERMS_MAX} situations to find out (LEXING_TERMS_MAX): use simpler terminals"
    );
    CompileError::new(CompileErrorKind::Limit, Place::default(), "longest match", message)
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod twin;
