//! What applies to a member or an item, and what its value decides about an atom of the container.
//!
//! An atom over members or items stands for a formula about the next value (*what applies*). The value's answer
//! turns the atom into another: a `Members` that fails is false, a `SomeMember` that finds its member is true, counts go down.
//! "Yes" never leaves more to do than "no".

use crate::automaton::formula::{FALSE, Formula, NameId, TRUE};
use crate::automaton::universe::Universe;
use crate::error::Exhausted;
use crate::index::{FormulaId, TermId};

/// What is known of a key when it closes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum KeyClass {
    /// A name that the object knows.
    Known(NameId),
    /// Another: which of the patterns (an interned list of terms) match it (an interned outcome).
    Other { patterns: u32, matched: u32 },
}

impl Universe {
    /// What applies to the value under a key, for an atom over members.
    pub(crate) fn applies_to_member(
        &self,
        atom: FormulaId,
        class: KeyClass,
    ) -> Result<Option<FormulaId>, Exhausted> {
        let (members, every) = match self.formula(atom) {
            Formula::Members(members) => (members, true),
            Formula::SomeMember(members) => (members, false),
            _ => return Ok(None),
        };
        if members.patterns.is_empty() {
            let declared = match class {
                KeyClass::Known(name) => members.declared(name),
                KeyClass::Other { .. } => None,
            };
            return Ok(Some(declared.unwrap_or(members.rest)));
        }
        if let Some(known) = self.applies_memo.get(&(atom, class)) {
            return Ok(Some(*known));
        }
        let mut parts: Vec<FormulaId> = Vec::new();
        if let KeyClass::Known(name) = class {
            parts.extend(members.declared(name));
        }
        for &(term, formula) in &members.patterns {
            if self.pattern_matches(term, class)? {
                parts.push(formula);
            }
        }
        let applies = match (parts.is_empty(), every) {
            (true, _) => members.rest,
            (false, true) => self.all(parts),
            (false, false) => self.any(parts),
        };
        self.applies_memo.insert((atom, class), applies);
        Ok(Some(applies))
    }

    fn pattern_matches(&self, pattern: TermId, class: KeyClass) -> Result<bool, Exhausted> {
        Ok(match class {
            KeyClass::Known(name) => self.terms.matches(pattern, self.name(name))?,
            KeyClass::Other { patterns, matched } => {
                let at = self.vectors.get(patterns).iter().position(|&known| known == pattern);
                at.is_some_and(|at| self.answers(matched)[at])
            }
        })
    }

    /// What applies to the next item, for an atom over items.
    pub(crate) fn applies_to_item(&self, atom: FormulaId) -> Option<FormulaId> {
        match self.formula(atom) {
            Formula::Items { prefix, rest, .. } | Formula::AtLeast { prefix, rest, .. } => {
                Some(prefix.first().copied().unwrap_or(*rest))
            }
            _ => None,
        }
    }

    /// The atom after a value that satisfies what applies (`holds`) or does not.
    pub(crate) fn answered(&self, atom: FormulaId, holds: bool) -> FormulaId {
        match (self.formula(atom), holds) {
            (Formula::Members(_) | Formula::Items { except: 0, .. }, false)
            | (Formula::SomeMember(_), true) => {
                if holds {
                    TRUE
                } else {
                    FALSE
                }
            }
            (Formula::Items { prefix, rest, except }, false) => {
                self.make(Formula::Items { prefix: prefix.clone(), rest: *rest, except: except - 1 })
            }
            (Formula::AtLeast { prefix, rest, count }, true) => match count {
                1 => TRUE,
                _ => self.make(Formula::AtLeast { prefix: prefix.clone(), rest: *rest, count: count - 1 }),
            },
            _ => atom,
        }
    }

    /// The items of an atom shortened by one position: those of the items that follow.
    pub(crate) fn after_item(&self, atom: FormulaId) -> FormulaId {
        match self.formula(atom) {
            Formula::Items { prefix, rest, except } if !prefix.is_empty() => {
                self.make(Formula::Items { prefix: prefix[1..].into(), rest: *rest, except: *except })
            }
            Formula::AtLeast { prefix, rest, count } if !prefix.is_empty() => {
                self.make(Formula::AtLeast { prefix: prefix[1..].into(), rest: *rest, count: *count })
            }
            _ => atom,
        }
    }
}
