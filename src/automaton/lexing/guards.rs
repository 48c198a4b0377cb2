//! What must not follow a lexeme: the texts that would make it longer, or make a longer one of another terminal.
//!
//! A *guard* is the set of the shortest of these texts, as the least automaton that knows them, so equal guards are one
//! whatever they come from. What nothing that may follow starts with is left out of it.

use rustc_hash::FxHashMap;

use super::overlay::overlay;
use super::{limit_of, too_many};
use crate::automaton::term::Terms;
use crate::error::{CompileError, CompileErrorKind, Place};
use crate::grammar::minimal::least;
use crate::grammar::regex::{CharSet, Regex};
use crate::index::TermId;
use crate::limits::{LEXING_GUARDS_MAX, LEXING_TERMS_MAX};

/// The guards of a grammar, by number; 0 forbids nothing.
pub(super) struct Guards {
    list: Vec<Guard>,
    numbers: FxHashMap<Regex, usize>,
    /// By what is left of the rivals, what is left of the guard before and what may follow.
    known: FxHashMap<(TermId, TermId, usize), usize>,
}

/// What must not follow.
pub(super) struct Guard {
    /// The texts.
    pub(super) term: TermId,
    /// The characters that they start with.
    pub(super) first: CharSet,
    /// Those of one character.
    pub(super) single: CharSet,
}

/// What is left of rivals and of the guard before, or nothing: a text that must not follow has been read.
type Node = Option<(TermId, TermId)>;

impl Guards {
    pub(super) fn new() -> Self {
        let nothing = Guard { term: Terms::NOTHING, first: CharSet::empty(), single: CharSet::empty() };
        Self { list: vec![nothing], numbers: FxHashMap::default(), known: FxHashMap::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.list.len()
    }

    pub(super) fn get(&self, number: usize) -> &Guard {
        &self.list[number]
    }

    /// The guard of a lexeme that ends where this is left of `rivals`, lexemes that are read instead if they are longer, and
    /// of the guard before it, and that characters of the set of this number may follow.
    ///
    /// # Errors
    /// If there are too many guards, or one is too large.
    pub(super) fn behind(
        &mut self,
        terms: &Terms,
        (rivals, pending): (TermId, TermId),
        (follow, may_follow): (usize, &CharSet),
    ) -> Result<usize, CompileError> {
        if rivals == Terms::NOTHING && pending == Terms::NOTHING {
            return Ok(0);
        }
        if let Some(&known) = self.known.get(&(rivals, pending, follow)) {
            return Ok(known);
        }
        let rows = shortest(terms, (rivals, pending), may_follow)?;
        let number = match rows {
            Regex::Nothing => 0,
            regex => self.number(terms, regex)?,
        };
        self.known.insert((rivals, pending, follow), number);
        Ok(number)
    }

    fn number(&mut self, terms: &Terms, regex: Regex) -> Result<usize, CompileError> {
        if let Some(&known) = self.numbers.get(&regex) {
            return Ok(known);
        }
        if self.list.len() == LEXING_GUARDS_MAX {
            let message = format!(
                "there are more than {LEXING_GUARDS_MAX} sets of texts that must not follow a lexeme (LEXING_GUARDS_MAX): let fewer terminals begin alike"
            );
            return Err(CompileError::new(CompileErrorKind::Limit, Place::default(), "terminals", message));
        }
        let term = terms.from_regex(&regex).map_err(|e| limit_of(&e))?;
        let ranges = terms.successors(term).map_err(|e| limit_of(&e))?;
        let first = CharSet::from_ranges(ranges.iter().map(|range| (range.lo, range.hi)));
        let single = ranges.iter().filter(|range| terms.nullable(range.target));
        let single = CharSet::from_ranges(single.map(|range| (range.lo, range.hi)));
        self.list.push(Guard { term, first, single });
        self.numbers.insert(regex, self.list.len() - 1);
        Ok(self.list.len() - 1)
    }
}

/// The texts, none of which begins with another, at which rivals or the guard before end first.
fn shortest(
    terms: &Terms,
    start: (TermId, TermId),
    may_follow: &CharSet,
) -> Result<Regex, CompileError> {
    // The start is left only, and never the node that the same terms lead to later.
    let mut nodes: Vec<Node> = vec![Some(start)];
    let mut numbers: FxHashMap<Node, usize> = FxHashMap::default();
    let mut steps: Vec<Vec<(u32, u32, usize)>> = Vec::new();
    while let Some(&node) = nodes.get(steps.len()) {
        let mut found = Vec::new();
        if let Some((rivals, pending)) = node {
            let rivals = terms.successors(rivals).map_err(|e| limit_of(&e))?;
            let pending = terms.successors(pending).map_err(|e| limit_of(&e))?;
            for (lo, hi, [rivals, pending]) in overlay([rivals, pending]) {
                let ends = terms.nullable(rivals) || terms.nullable(pending);
                let next = if ends { None } else { Some((rivals, pending)) };
                let to = *numbers.entry(next).or_insert_with(|| {
                    nodes.push(next);
                    nodes.len() - 1
                });
                if steps.is_empty() {
                    let among = CharSet::from_ranges([(lo, hi)]).intersection(may_follow);
                    found.extend(among.ranges().iter().map(|&(lo, hi)| (lo, hi, to)));
                } else {
                    found.push((lo, hi, to));
                }
            }
        }
        steps.push(found);
        if nodes.len() > LEXING_TERMS_MAX {
            return Err(too_many());
        }
    }
    let accepts: Vec<bool> = nodes.iter().map(Option::is_none).collect();
    Ok(Regex::states(least(&steps, &accepts)))
}
