//! What must not follow a lexeme: the texts that would make it longer, or make a longer one of another terminal.
//!
//! A *guard* is the set of the shortest of these texts, as the least automaton that knows them, so equal guards are one
//! whatever they come from. A beginning of which every text that may follow goes on to a forbidden one is forbidden
//! itself, and so is a beginning of a forbidden text with which nothing that may follow begins: it makes no difference, and guards
//! that differ in nothing else are one.

use rustc_hash::FxHashMap;

use super::overlay::{along, along_some};
use super::{limit_of, too_many};
use crate::automaton::term::{Range, Terms};
use crate::error::{CompileError, CompileErrorKind, Place};
use crate::grammar::minimal::least;
use crate::grammar::regex::{CharSet, Regex};
use crate::index::TermId;
use crate::limits::{LEXING_GUARDS_MAX, LEXING_TERMS_MAX};

/// The guards of a grammar, by number; 0 forbids nothing.
pub(super) struct Guards {
    list: Vec<Guard>,
    numbers: FxHashMap<Regex, usize>,
    /// By what is left of the rivals, what is left of the guard before, and what may follow.
    known: FxHashMap<Rest, usize>,
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

/// What is left of rivals, of the guard before, and of what may follow.
type Rest = [TermId; 3];

/// That, or nothing: a text that must not follow has been read.
type Node = Option<Rest>;

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

    /// The guard of a lexeme that ends where this is left of rivals, lexemes that are read instead if they are longer, and
    /// of the guard before it; the third term has all texts that may follow.
    ///
    /// # Errors
    /// If there are too many guards, or one is too large.
    pub(super) fn behind(&mut self, terms: &Terms, rest: Rest) -> Result<usize, CompileError> {
        if let Some(&known) = self.known.get(&rest) {
            return Ok(known);
        }
        let number = match shortest(terms, rest)? {
            Regex::Nothing => 0,
            regex => self.number(terms, regex)?,
        };
        self.known.insert(rest, number);
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

/// The texts, none of which begins with another, at which rivals or the guard before end first; none at all if no text that may
/// follow begins with one.
fn shortest(terms: &Terms, start: Rest) -> Result<Regex, CompileError> {
    let first = onward(terms, start)?;
    if first.steps.iter().all(|(.., next)| next.is_none()) {
        // Most guards: single characters.
        let set = CharSet::from_ranges(first.steps.iter().map(|&(lo, hi, _)| (lo, hi)));
        return Ok(if first.forbids { Regex::set(set) } else { Regex::Nothing });
    }
    let mut nodes: Vec<Node> = vec![Some(start)];
    let mut numbers: FxHashMap<Node, usize> = FxHashMap::from_iter([(Some(start), 0)]);
    let mut steps: Vec<Vec<(u32, u32, usize)>> = Vec::new();
    // By node: whether a text may end there or go on, and is never forbidden.
    let mut free: Vec<bool> = Vec::new();
    let mut forbids = false;
    while let Some(&node) = nodes.get(steps.len()) {
        let found = match node {
            Some(rest) => onward(terms, rest)?,
            None => Onward::default(),
        };
        forbids |= found.forbids;
        free.push(match node {
            Some(rest) => is_free(terms, rest)?,
            None => false,
        });
        let numbered = found.steps.into_iter().map(|(lo, hi, next)| {
            let to = *numbers.entry(next).or_insert_with(|| {
                nodes.push(next);
                nodes.len() - 1
            });
            (lo, hi, to)
        });
        steps.push(numbered.collect());
        if nodes.len() > LEXING_TERMS_MAX {
            return Err(too_many());
        }
    }
    if !forbids {
        return Ok(Regex::Nothing);
    }
    spread_back(&steps, &mut free);
    for (at, steps) in steps.iter_mut().enumerate().skip(1) {
        if !free[at] {
            steps.clear();
        }
    }
    let accepts: Vec<bool> = free.iter().enumerate().map(|(at, free)| at > 0 && !free).collect();
    if steps[0].iter().all(|&(.., to)| accepts[to]) {
        return Ok(Regex::set(CharSet::from_ranges(steps[0].iter().map(|&(lo, hi, _)| (lo, hi)))));
    }
    Ok(Regex::states(least(&steps, &accepts)))
}

/// Where characters lead on which rivals or the guard before go on.
#[derive(Default)]
struct Onward {
    steps: Vec<(u32, u32, Node)>,
    /// Whether some of them end there, and a text that may follow goes on.
    forbids: bool,
}

fn onward(terms: &Terms, rest: Rest) -> Result<Onward, CompileError> {
    let mut found = Onward::default();
    for (lo, hi, next) in along_some(2, successors(terms, rest)?) {
        let [rivals, pending, follow] = next;
        let ends = terms.nullable(rivals) || terms.nullable(pending);
        let may_follow = follow != Terms::NOTHING;
        found.forbids |= ends && may_follow;
        let next = if may_follow && !ends { Some(next) } else { None };
        match found.steps.last_mut() {
            Some(last) if last.2 == next && last.1 + 1 == lo => last.1 = hi,
            _ => found.steps.push((lo, hi, next)),
        }
    }
    Ok(found)
}

/// Whether a text that may follow ends here, or goes on where neither rivals nor the guard before do.
fn is_free(terms: &Terms, rest: Rest) -> Result<bool, CompileError> {
    let [rivals, pending, follow] = successors(terms, rest)?;
    let mut along = along([follow, rivals, pending]);
    Ok(terms.nullable(rest[2])
        || along.any(|(.., next)| next[1] == Terms::NOTHING && next[2] == Terms::NOTHING))
}

/// Marks the nodes from which a marked one is reached.
fn spread_back(steps: &[Vec<(u32, u32, usize)>], marked: &mut [bool]) {
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); steps.len()];
    for (from, steps) in steps.iter().enumerate() {
        steps.iter().for_each(|&(.., to)| before[to].push(from));
    }
    let mut open: Vec<usize> = (0..marked.len()).filter(|&at| marked[at]).collect();
    while let Some(at) = open.pop() {
        for &from in &before[at] {
            if !std::mem::replace(&mut marked[from], true) {
                open.push(from);
            }
        }
    }
}

fn successors(terms: &Terms, rest: Rest) -> Result<[&[Range]; 3], CompileError> {
    let of = |term| terms.successors(term).map_err(|e| limit_of(&e));
    Ok([of(rest[0])?, of(rest[1])?, of(rest[2])?])
}
