//! Names that an object does not know: which kinds of them there are, and which may come.
//!
//! Where patterns constrain members by name, other names fall into classes by the patterns that match them; every
//! name of a class is treated alike. Reading such a key runs the patterns in lock-step behind one more term, the names
//! that may come (`lexeme.rs`).

use std::sync::Arc;

use crate::automaton::applies::KeyClass;
use crate::automaton::decode::{Coding, Partial};
use crate::automaton::formula::exhausted;
use crate::automaton::lexeme::{LexId, LexKey};
use crate::automaton::object::{KeyAt, RunId};
use crate::automaton::term::Terms;
use crate::automaton::universe::Universe;
use crate::error::Exhausted;
use crate::grammar::regex::Regex;
use crate::index::TermId;
use crate::limits;

/// A class of names that an object does not know; some name is in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct OtherNames {
    /// All of them.
    pub(crate) names: TermId,
    /// Which patterns match (an interned outcome).
    pub(crate) matched: u32,
}

/// Which names that an object does not know may come now.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Others {
    None,
    /// All, and no pattern looks at them.
    All,
    /// Those that a lexeme reads from here.
    Some(LexId, Supply),
}

/// Whether the names that a lexeme reads can all be used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Supply {
    /// Wherever one can follow, infinitely many can.
    Endless,
    /// Somewhere only few can follow: the names used decide (`supply.rs`).
    Limited,
}

impl Universe {
    /// The classes of names outside a list, by a list of patterns.
    pub(crate) fn other_names(&self, patterns: u32, names: u32) -> Result<Arc<[OtherNames]>, Exhausted> {
        if let Some(known) = self.key_classes.get(&(patterns, names)) {
            return Ok(Arc::clone(&known));
        }
        let mut classes: Vec<(TermId, Vec<bool>)> = vec![(self.outside(names)?, Vec::new())];
        for &pattern in self.vectors.get(patterns) {
            let mut split = Vec::with_capacity(classes.len() + 1);
            for (names, matched) in classes {
                for (side, matches) in [(pattern, true), (self.terms.not(pattern), false)] {
                    let names = self.terms.and(&[names, side]);
                    if !self.terms.is_nothing(names)? {
                        let mut matched = matched.clone();
                        matched.push(matches);
                        split.push((names, matched));
                    }
                }
            }
            if split.len() > limits::KEY_CLASSES_MAX {
                return Err(exhausted(format!(
                    "names by which of an object's patterns they match: more than {} kinds (KEY_CLASSES_MAX)",
                    limits::KEY_CLASSES_MAX
                )));
            }
            classes = split;
        }
        classes.retain(|(names, _)| *names != Terms::NOTHING);
        let found: Arc<[OtherNames]> = classes
            .into_iter()
            .map(|(names, matched)| OtherNames { names, matched: self.outcome(matched) })
            .collect();
        self.key_classes.insert((patterns, names), Arc::clone(&found));
        Ok(found)
    }

    /// A list of names with those at its end that patterns allow one by one: few enough to know each.
    pub(crate) fn with_few_names(&self, patterns: u32, names: u32) -> Result<u32, Exhausted> {
        if self.vectors.get(patterns).is_empty() {
            return Ok(names);
        }
        if let Some(known) = self.few_names.get(&(patterns, names)) {
            return Ok(*known);
        }
        let mut few: Vec<String> = Vec::new();
        for class in self.other_names(patterns, names)?.iter() {
            if self.terms.is_infinite(class.names)? == Some(false)
                && let Some(texts) = self.terms.all_texts(class.names, limits::FEW_NAMES_MAX)?
            {
                few.extend(texts);
            }
        }
        few.sort_unstable();
        let all = self.names_by_rank(names).iter().copied().chain(few.iter().map(|name| self.name_id(name)));
        let list = self.name_lists.intern_key(&all.collect());
        self.few_names.insert((patterns, names), list);
        Ok(list)
    }

    /// The names outside a list that can be spelled.
    fn outside(&self, names: u32) -> Result<TermId, Exhausted> {
        let known: Vec<&str> = self.names_by_rank(names).iter().map(|&name| self.name(name)).collect();
        let outside = Regex::literals(known).complement();
        let outside = self.terms.from_regex(&outside).map_err(|e| exhausted(e.to_string()))?;
        Ok(self.terms.and(&[outside, self.spelling.text().unwrap_or(Terms::ALL)]))
    }

    /// The class of an other name as atoms see it.
    pub(crate) fn class_of_others(&self, run: RunId, matched: u32) -> KeyClass {
        KeyClass::Other { patterns: self.run(run).patterns, matched }
    }

    /// Which other names may come now.
    pub(crate) fn others(&self, run: RunId) -> Result<Others, Exhausted> {
        if let Some(known) = self.others_memo.get(&run) {
            return Ok(*known);
        }
        let others = self.find_others(run)?;
        self.others_memo.insert(run, others);
        Ok(others)
    }

    fn find_others(&self, run: RunId) -> Result<Others, Exhausted> {
        let object = self.run(run);
        let patterns = self.vectors.get(object.patterns);
        if patterns.is_empty() {
            let event = self.key_event(run, KeyAt::Other(self.outcome([])))?;
            return Ok(if event.is_some() { Others::All } else { Others::None });
        }
        let classes = self.other_names(object.patterns, object.names)?;
        let (mut possible, mut impossible) = (Vec::new(), Vec::new());
        for class in classes.iter() {
            let event = self.key_event(run, KeyAt::Other(class.matched))?;
            if event.is_some() { &mut possible } else { &mut impossible }.push(*class);
        }
        // The usual shapes without complements: all names, or those that some pattern matches.
        let names = match impossible.as_slice() {
            [] => self.outside(object.names)?,
            [only] if !self.answers(only.matched).contains(&true) => {
                self.terms.and(&[self.outside(object.names)?, self.terms.or(patterns)])
            }
            _ => self.terms.or(&possible.iter().map(|class| class.names).collect::<Vec<_>>()),
        };
        if self.terms.is_nothing(names)? {
            return Ok(Others::None);
        }
        let supply = if self.terms.never_runs_out(names) { Supply::Endless } else { Supply::Limited };
        let lex = self.lexeme(Coding::Json, names, patterns.iter().copied())?;
        Ok(lex.map_or(Others::None, |lex| Others::Some(lex, supply)))
    }

    /// The lexeme that reads an other name after part of it.
    pub(crate) fn other_lexeme(&self, vector: u32, partial: Partial) -> LexId {
        self.lex_id(&LexKey { vector, coding: Coding::Json, partial })
    }
}
