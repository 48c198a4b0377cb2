//! How many texts a term matches: infinitely many, or which.

use rustc_hash::FxHashMap;

use super::{Terms, Window};
use crate::error::Exhausted;
use crate::index::TermId;
use crate::limits::COUNTED_TERMS_MAX;

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
