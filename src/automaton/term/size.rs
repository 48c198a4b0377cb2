//! How many texts a term matches, or values: infinitely many, or which.

use rustc_hash::FxHashMap;

use super::{Kind, Terms, Window};
use crate::error::Exhausted;
use crate::grammar::Count;
use crate::grammar::number::Decimal;
use crate::index::{TermId, narrow};
use crate::limits::{COUNTED_TERMS_MAX, ENDLESS_FROM};

/// Most terms that wait to be counted.
const STACK_MAX: usize = 64 * COUNTED_TERMS_MAX;

impl Terms {
    /// Whether the term matches infinitely many texts: whether reading can come back to a term from which a text
    /// follows. `None` if more than [`COUNTED_TERMS_MAX`] terms would have to be looked at.
    ///
    /// # Errors
    /// As for [`Terms::is_nothing`].
    pub fn is_infinite(&self, term: TermId) -> Result<Option<bool>, Exhausted> {
        let facts = self.facts(term);
        if facts.plain || facts.always {
            return Ok(Some(facts.always || facts.lengths.max.is_none()));
        }
        if let Window { max: Some(_), .. } = facts.lengths {
            return Ok(Some(false));
        }
        // Open while its successors are looked at.
        let mut is_open: FxHashMap<TermId, bool> = FxHashMap::default();
        let mut stack = vec![(term, false)];
        while let Some((term, leaving)) = stack.pop() {
            if leaving {
                is_open.insert(term, false);
                continue;
            }
            match is_open.get(&term) {
                Some(true) => return Ok(Some(true)),
                Some(false) => continue,
                None => {}
            }
            if is_open.len() >= COUNTED_TERMS_MAX {
                return Ok(None);
            }
            is_open.insert(term, true);
            stack.push((term, true));
            for range in self.successors(term)? {
                if !self.is_nothing(range.target)? {
                    if is_open.get(&range.target) == Some(&true) {
                        return Ok(Some(true));
                    }
                    stack.push((range.target, false));
                }
            }
        }
        Ok(Some(false))
    }

    /// Whether the term matches more texts than anything can hold: infinitely many, or [`ENDLESS_FROM`] and more. `false` if it
    /// is not found out within [`COUNTED_TERMS_MAX`] terms.
    ///
    /// # Errors
    /// As for [`Terms::is_nothing`].
    pub fn is_endless(&self, term: TermId) -> Result<bool, Exhausted> {
        match self.is_infinite(term)? {
            Some(true) => Ok(true),
            Some(false) => Ok(self.count_texts(term)?.is_some_and(|count| count >= ENDLESS_FROM)),
            None => Ok(false),
        }
    }

    /// How many values the spellings have, where the term is the spellings of some values; `None` for other terms.
    #[must_use]
    pub fn count_values(&self, term: TermId) -> Option<Count> {
        let sets = self.sets_of_values(term)?;
        if let [only] = &sets[..] {
            return Some(only.count());
        }
        if sets.iter().any(|values| values.count() == Count::Endless) {
            return Some(Count::Endless);
        }
        let listed = self.listed_values(term);
        Some(listed.map_or(Count::Unknown, |values| Count::Finite(u64::from(narrow(values.len())))))
    }

    /// The values of which the term is the rest of some spellings, and perhaps others of the same sets; at most
    /// [`COUNTED_TERMS_MAX`] for each. `None` for other terms and more values.
    #[must_use]
    pub fn listed_values(&self, term: TermId) -> Option<Vec<Decimal>> {
        let members = match self.kind(term) {
            Kind::Or(members) => members,
            _ => std::slice::from_ref(&term),
        };
        let mut found = Vec::new();
        for &member in members {
            let Kind::Spelled { values, .. } = self.kind(member) else { return None };
            found.extend(self.values(*values).list(u64::from(narrow(COUNTED_TERMS_MAX)))?);
        }
        found.sort_unstable();
        found.dedup();
        Some(found)
    }

    /// A text that the term matches, by going on wherever something follows, letters before other characters: an exponent ends a number
    /// soon. `None` if there is none, or it is longer than [`COUNTED_TERMS_MAX`].
    ///
    /// # Errors
    /// As for [`Terms::is_nothing`].
    pub fn some_text(&self, term: TermId) -> Result<Option<String>, Exhausted> {
        let (mut at, mut text) = (term, String::new());
        while !self.nullable(at) {
            let mut next = None;
            for range in self.successors(at)?.iter().rev() {
                if next.is_none() && !self.is_nothing(range.target)? {
                    next = char::from_u32(range.hi).map(|c| (c, range.target));
                }
            }
            let Some((c, target)) = next.filter(|_| text.len() < COUNTED_TERMS_MAX) else { return Ok(None) };
            text.push(c);
            at = target;
        }
        Ok(Some(text))
    }

    /// How many texts a term matches that matches finitely many, at most `u64::MAX`.
    ///
    /// # Errors
    /// As for [`Terms::is_nothing`].
    pub fn count_texts(&self, term: TermId) -> Result<Option<u64>, Exhausted> {
        let mut counts: FxHashMap<TermId, u64> = FxHashMap::default();
        let mut stack = vec![(term, false)];
        while let Some((term, ready)) = stack.pop() {
            if counts.contains_key(&term) {
                continue;
            }
            if counts.len() >= COUNTED_TERMS_MAX || stack.len() >= STACK_MAX {
                return Ok(None);
            }
            let mut live = Vec::new();
            for range in self.successors(term)? {
                if !self.is_nothing(range.target)? {
                    live.push(range);
                }
            }
            if !ready {
                stack.push((term, true));
                stack.extend(live.iter().map(|range| (range.target, false)));
                continue;
            }
            let mut count = u64::from(self.nullable(term));
            for range in live {
                // Texts are finitely many, so what follows has been counted.
                let each = counts.get(&range.target).copied().unwrap_or(0);
                count = count.saturating_add(u64::from(range.hi - range.lo + 1).saturating_mul(each));
            }
            counts.insert(term, count);
        }
        Ok(counts.get(&term).copied())
    }

    /// All texts of a term that matches finitely many, sorted; `None` if they are more than `most`.
    ///
    /// # Errors
    /// As for [`Terms::is_nothing`].
    pub fn all_texts(&self, term: TermId, most: usize) -> Result<Option<Vec<String>>, Exhausted> {
        let mut found = Vec::new();
        let mut open = vec![(term, String::new())];
        while let Some((term, text)) = open.pop() {
            if self.nullable(term) {
                found.push(text.clone());
            }
            for range in self.successors(term)? {
                if self.is_nothing(range.target)? {
                    continue;
                }
                for c in (range.lo..=range.hi).filter_map(char::from_u32) {
                    // Every open text becomes at least one found text.
                    if found.len() + open.len() > most {
                        return Ok(None);
                    }
                    let mut longer = text.clone();
                    longer.push(c);
                    open.push((range.target, longer));
                }
            }
        }
        found.sort_unstable();
        Ok((found.len() <= most).then_some(found))
    }
}
