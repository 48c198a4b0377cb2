//! From the tree of a front end to a term.

use super::{FractionRead, Read, Terms, Window};
use crate::error::Exhausted;
use crate::grammar::regex::Regex;
use crate::index::TermId;
use crate::limits::REGEX_DEPTH_MAX;

impl Terms {
    /// The term of a regex.
    ///
    /// # Errors
    /// If the tree is deeper than [`REGEX_DEPTH_MAX`].
    pub fn from_regex(&self, regex: &Regex) -> Result<TermId, Exhausted> {
        self.build(regex, REGEX_DEPTH_MAX)
    }

    fn build(&self, regex: &Regex, depth_left: usize) -> Result<TermId, Exhausted> {
        let Some(depth_left) = depth_left.checked_sub(1) else {
            return Err(Exhausted {
                place: format!("a regular expression (nested at most {REGEX_DEPTH_MAX} deep)"),
            });
        };
        stacker::maybe_grow(64 << 10, 1 << 20, || {
            let all = |parts: &[Regex]| -> Result<Vec<TermId>, Exhausted> {
                parts.iter().map(|part| self.build(part, depth_left)).collect()
            };
            Ok(match regex {
                Regex::Nothing => Self::NOTHING,
                Regex::Empty => Self::EMPTY,
                Regex::Set(set) => self.one_of(set),
                Regex::Concat(parts) => {
                    let parts = all(parts)?;
                    parts.into_iter().rev().fold(Self::EMPTY, |rest, part| self.concat(part, rest))
                }
                Regex::Or(parts) => self.or(&all(parts)?),
                Regex::And(parts) => self.and(&all(parts)?),
                Regex::Not(of) => self.not(self.build(of, depth_left)?),
                Regex::Repeat { body, min, max } => {
                    let body = self.build(body, depth_left)?;
                    Window::new(u64::from(*min), max.map(u64::from))
                        .map_or(Self::NOTHING, |counts| self.repeat(body, counts))
                }
                Regex::Literals(literals) => self.literals(literals.iter().map(|literal| &**literal)),
                Regex::Multiple { of: 0 } => self.zeros(),
                Regex::Multiple { of } => self.multiple(*of, Read::Start),
                Regex::Spelled(values) => self.spelled(values),
                Regex::FractionMultiple { of: 0, .. } | Regex::FractionMultiple { places: 0, .. } => {
                    Self::NOTHING
                }
                Regex::States(states) => self.state(self.table_of(states), 0),
                Regex::FractionMultiple { of, places } => {
                    self.fraction_multiple(*of, *places, FractionRead::Start)
                }
            })
        })
    }

    /// The spellings of zero, the only multiple of zero.
    fn zeros(&self) -> TermId {
        let maybe = |term| self.repeat(term, Window { min: 0, max: Some(1) });
        let zeros = self.repeat(self.code_point(u32::from('0')), Window { min: 1, max: None });
        let fraction = maybe(self.concat(self.code_point(u32::from('.')), zeros));
        self.concat(maybe(self.code_point(u32::from('-'))), self.concat(zeros, fraction))
    }
}
