//! From the tree of a front end to a term.

use std::mem::{Discriminant, discriminant};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{FractionRead, Read, Terms, Window};
use crate::error::Exhausted;
use crate::grammar::regex::Regex;
use crate::index::TermId;
use crate::limits::REGEX_DEPTH_MAX;

/// Terms of regexes that share parts: a part that several have is gone through once.
pub(crate) struct Regexes<'t> {
    terms: &'t Terms,
    /// By the place of a shared part in memory; the part is kept, so no other comes to lie there.
    known: FxHashMap<Shared, (Regex, Built)>,
}

/// Where a shared part lies in memory, and what it is there for.
type Shared = (usize, Discriminant<Regex>);

/// The term of a tree, and how deep the tree is.
#[derive(Clone, Copy)]
struct Built {
    term: TermId,
    depth: usize,
}

impl<'t> Regexes<'t> {
    pub(crate) fn new(terms: &'t Terms) -> Self {
        Self { terms, known: FxHashMap::default() }
    }

    /// The term of a regex.
    ///
    /// # Errors
    /// If the tree is deeper than [`REGEX_DEPTH_MAX`].
    pub(crate) fn term(&mut self, regex: &Regex) -> Result<TermId, Exhausted> {
        Ok(self.build(regex, REGEX_DEPTH_MAX)?.term)
    }

    fn build(&mut self, regex: &Regex, depth_left: usize) -> Result<Built, Exhausted> {
        let shared = shared(regex);
        let known = shared.and_then(|shared| self.known.get(&shared)).map(|(_, built)| *built);
        if let Some(built) = known.filter(|built| built.depth <= depth_left) {
            return Ok(built);
        }
        let Some(depth_left) = depth_left.checked_sub(1) else {
            return Err(Exhausted {
                place: format!("a regular expression (nested at most {REGEX_DEPTH_MAX} deep)"),
            });
        };
        let built = stacker::maybe_grow(64 << 10, 1 << 20, || self.build_anew(regex, depth_left))?;
        if let Some(shared) = shared {
            self.known.insert(shared, (regex.clone(), built));
        }
        Ok(built)
    }

    fn all(&mut self, parts: &[Regex], depth_left: usize) -> Result<(Vec<TermId>, usize), Exhausted> {
        let mut terms = Vec::with_capacity(parts.len());
        let mut depth = 0;
        for part in parts {
            let built = self.build(part, depth_left)?;
            depth = depth.max(built.depth);
            terms.push(built.term);
        }
        Ok((terms, depth))
    }

    fn build_anew(&mut self, regex: &Regex, depth_left: usize) -> Result<Built, Exhausted> {
        let terms = self.terms;
        let mut below = 0;
        let term = match regex {
            Regex::Nothing => Terms::NOTHING,
            Regex::Empty => Terms::EMPTY,
            Regex::Set(set) => terms.one_of(set),
            Regex::Concat(parts) | Regex::Or(parts) | Regex::And(parts) => {
                let (parts, depth) = self.all(parts, depth_left)?;
                below = depth;
                match regex {
                    Regex::Or(_) => terms.or(&parts),
                    Regex::And(_) => terms.and(&parts),
                    _ => parts.into_iter().rev().fold(Terms::EMPTY, |rest, part| terms.concat(part, rest)),
                }
            }
            Regex::Not(of) => {
                let of = self.build(of, depth_left)?;
                below = of.depth;
                terms.not(of.term)
            }
            Regex::Repeat { body, min, max } => {
                let body = self.build(body, depth_left)?;
                below = body.depth;
                Window::new(u64::from(*min), max.map(u64::from))
                    .map_or(Terms::NOTHING, |counts| terms.repeat(body.term, counts))
            }
            Regex::Literals(literals) => terms.literals(literals.iter().map(|literal| &**literal)),
            Regex::Multiple { of: 0 } => terms.zeros(),
            Regex::Multiple { of } => terms.multiple(*of, Read::Start),
            Regex::Spelled(values) => terms.spelled(values),
            Regex::FractionMultiple { of: 0, .. } | Regex::FractionMultiple { places: 0, .. } => {
                Terms::NOTHING
            }
            Regex::States(states) => terms.state(terms.table_of(states), 0),
            Regex::FractionMultiple { of, places } => {
                terms.fraction_multiple(*of, *places, FractionRead::Start)
            }
        };
        Ok(Built { term, depth: below + 1 })
    }
}

/// The part that other regexes may share.
fn shared(regex: &Regex) -> Option<Shared> {
    let place = match regex {
        Regex::Concat(parts) | Regex::Or(parts) | Regex::And(parts) => parts.as_ptr().addr(),
        Regex::Literals(literals) => literals.as_ptr().addr(),
        Regex::States(states) => Arc::as_ptr(states).addr(),
        _ => return None,
    };
    Some((place, discriminant(regex)))
}

impl Terms {
    /// The term of a regex.
    ///
    /// # Errors
    /// If the tree is deeper than [`REGEX_DEPTH_MAX`].
    pub fn from_regex(&self, regex: &Regex) -> Result<TermId, Exhausted> {
        Regexes::new(self).term(regex)
    }

    /// The spellings of zero, the only multiple of zero.
    fn zeros(&self) -> TermId {
        let maybe = |term| self.repeat(term, Window { min: 0, max: Some(1) });
        let zeros = self.repeat(self.code_point(u32::from('0')), Window { min: 1, max: None });
        let fraction = maybe(self.concat(self.code_point(u32::from('.')), zeros));
        self.concat(maybe(self.code_point(u32::from('-'))), self.concat(zeros, fraction))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_parts_have_the_terms_that_they_have_alone() {
        let terms = Terms::new();
        let words = Regex::Literals(["ab".into(), "abc".into()].into());
        let parts: Arc<[Regex]> = [words.clone(), Regex::literal("x"), words.clone().star()].into();
        // One place in memory, three operations.
        let whole = [
            Regex::Concat(Arc::clone(&parts)),
            Regex::Or(Arc::clone(&parts)),
            Regex::And(parts),
            words.clone().except(Regex::literal("ab")),
            words,
        ];
        let mut regexes = Regexes::new(&terms);
        for regex in whole.iter().chain(&whole) {
            assert_eq!(regexes.term(regex).ok(), terms.from_regex(regex).ok(), "{regex}");
        }
    }

    #[test]
    fn what_is_known_of_a_part_makes_no_deeper_tree_allowed() {
        let terms = Terms::new();
        let deeper = |regex: Regex| Regex::Concat([Regex::literal("a"), regex].into());
        let mut regex = Regex::literal("b");
        for _ in 1..REGEX_DEPTH_MAX {
            regex = deeper(regex);
        }
        let mut regexes = Regexes::new(&terms);
        assert!(regexes.term(&regex).is_ok());
        let regex = deeper(regex);
        assert!(regexes.term(&regex).is_err());
        assert!(terms.from_regex(&regex).is_err());
    }
}
