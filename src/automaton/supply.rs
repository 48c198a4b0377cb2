//! Names that run out: whether a key can still become one that is not used.
//!
//! Where patterns allow few names, all that go on from a prefix may be used: `^(x[ab]|y.*)$` after `xa` and `xb` leaves
//! nothing that begins with `x`. The automaton knows no names used, so whoever reads tokens asks here once a token ends
//! inside a key, or where a key must follow; masks ask for those tokens only that can be concerned.

use std::cell::RefCell;

use crate::automaton::Cfg;
use crate::automaton::control::Control;
use crate::automaton::decode::{self, CodePoints, Coding, Partial, Step};
use crate::automaton::formula::exhausted;
use crate::automaton::names::Keys;
use crate::automaton::object::RunId;
use crate::automaton::others::{Others, Supply};
use crate::automaton::registers::Store;
use crate::automaton::state::View;
use crate::automaton::term::{Kind, Terms};
use crate::automaton::universe::Universe;
use crate::error::Exhausted;
use crate::grammar::regex::Regex;
use crate::index::{StateId, TermId, narrow};
use crate::limits::NAMES_COUNTED_MAX;

impl Universe {
    /// The object whose names may run out in a state: inside a key, or where one must follow.
    pub(crate) fn may_run_out(&self, state: StateId) -> Result<Option<RunId>, Exhausted> {
        let run = match View::of(state) {
            View::Key(at) => self.keys.get(at).key.run,
            View::Control(at) => match self.controls.get(at).key {
                Control::ObjectKey { run, .. } => run,
                _ => return Ok(None),
            },
            View::Lex(_) | View::Net(_) => return Ok(None),
        };
        // No pattern, no shortage; this is asked at every token.
        if self.vectors.get(self.run(run).patterns).is_empty() {
            return Ok(None);
        }
        Ok(matches!(self.others(run)?, Others::Some(_, Supply::Limited)).then_some(run))
    }

    /// Whether some name that is not used can still come.
    pub(crate) fn has_name_left(&self, cfg: Cfg, registers: &impl Store) -> Result<bool, Exhausted> {
        let Some(run) = self.may_run_out(cfg.state)? else { return Ok(true) };
        let used: Vec<&str> = registers.names(cfg.reg).collect();
        if used.is_empty() {
            return Ok(true);
        }
        let (spelled, node, partial) = match View::of(cfg.state) {
            View::Key(at) => {
                let key = &self.keys.get(at).key;
                (registers.key_bytes(cfg.reg), key.node, key.partial)
            }
            _ => (Vec::new(), 0, Partial::Clean),
        };
        if self.known_name_left(run, node, partial)? {
            return Ok(true);
        }
        let Others::Some(start, _) = self.others(run)? else { return Ok(true) };
        let must = self.vectors.get(self.lexes.get(start.0).key.vector)[0];
        let Some((read, partial)) = prefix(&spelled)? else { return Ok(false) };
        let mut rest = must;
        for c in read.chars() {
            rest = self.terms.derive(rest, u32::from(c))?;
        }
        if let Some(reach) = decode::reach(partial).filter(|_| partial != Partial::Clean) {
            let next = reach.into_iter().filter(|(lo, hi)| lo <= hi);
            let set = crate::grammar::regex::CharSet::from_ranges(next);
            let begins = self.terms.concat(self.terms.one_of(&set), Terms::ALL);
            rest = self.terms.and(&[rest, begins]);
        }
        let used: Vec<&str> = used.into_iter().filter_map(|name| name.strip_prefix(&*read)).collect();
        self.has_other_text(rest, &used)
    }

    /// Whether a name that the object knows, below a node of their trie, may still come.
    fn known_name_left(&self, run: RunId, node: u32, partial: Partial) -> Result<bool, Exhausted> {
        let trie = self.name_trie(self.run(run).names);
        let machine = Keys { universe: self, run, trie };
        if partial == Partial::Clean {
            return machine.node_is_live(node);
        }
        let Some(reach) = decode::reach(partial) else {
            // Anything may follow a backslash; whoever has moved on is off all known names.
            return machine.node_is_live(node);
        };
        for &(c, child) in trie.children(node) {
            if reach.iter().any(|&(lo, hi)| lo <= c && c <= hi) && machine.node_is_live(child)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a language has a text besides these.
    fn has_other_text(&self, language: TermId, texts: &[&str]) -> Result<bool, Exhausted> {
        if texts.is_empty() {
            return Ok(!self.terms.is_nothing(language)?);
        }
        if texts.len() > NAMES_COUNTED_MAX {
            return Err(exhausted(format!(
                "whether more names are left than {NAMES_COUNTED_MAX} (NAMES_COUNTED_MAX), where patterns allow few"
            )));
        }
        // One text more than those used is enough, and mostly soon found.
        if let Some(found) = self.terms.some_texts(language, texts.len() + 1)? {
            return Ok(found.iter().any(|text| !texts.contains(&text.as_str())));
        }
        let others = Regex::literals(texts.iter().copied()).complement();
        let others = self.terms.from_regex(&others).map_err(|e| exhausted(e.to_string()))?;
        Ok(!self.terms.is_nothing(self.terms.and(&[language, others]))?)
    }
}

impl Terms {
    /// Up to `count` texts of a language that has no loop without end; `None` where that is not plain to see.
    fn some_texts(&self, term: TermId, count: usize) -> Result<Option<Vec<String>>, Exhausted> {
        let is_plain = !matches!(self.kind(term), Kind::And(_) | Kind::Not(_));
        if !is_plain || self.lengths(term).max.is_none_or(|max| max > 256) {
            return Ok(None);
        }
        let mut found = Vec::new();
        let mut open = vec![(term, String::new())];
        let mut steps = 0;
        while let Some((term, text)) = open.pop() {
            steps += 1;
            if steps > 64 * (count + 4) {
                return Ok(None);
            }
            if self.nullable(term) {
                found.push(text.clone());
                if found.len() >= count {
                    return Ok(Some(found));
                }
            }
            for range in self.successors(term)? {
                if self.is_nothing(range.target)? {
                    continue;
                }
                for c in (range.lo..=range.hi).take(count).filter_map(char::from_u32) {
                    let mut longer = text.clone();
                    longer.push(c);
                    open.push((range.target, longer));
                }
            }
        }
        Ok(Some(found))
    }
}

/// Reads the spelling of a key or a string: the whole code points, and what is under way after them.
pub(crate) fn prefix(spelled: &[u8]) -> Result<Option<(String, Partial)>, Exhausted> {
    let machine = Reader { read: RefCell::new(String::new()) };
    let mut at = (0, Partial::Clean);
    for &byte in spelled {
        match decode::step(&machine, at.0, at.1, byte, Coding::Json)? {
            Step::To(count, partial) => at = (count, partial),
            Step::Dead | Step::Close => return Ok(None),
        }
    }
    Ok(Some((machine.read.into_inner(), at.1)))
}

/// Keeps every code point.
struct Reader {
    read: RefCell<String>,
}

impl CodePoints for Reader {
    type State = u32;

    fn derive(&self, count: u32, c: u32) -> Result<Option<u32>, Exhausted> {
        let mut read = self.read.borrow_mut();
        read.extend(char::from_u32(c));
        Ok(Some(narrow(read.len()).max(count)))
    }

    /// No two code points are the same here, so nothing is skipped.
    fn uniform(&self, _: u32, _: u32, _: u32) -> Result<Option<Option<u32>>, Exhausted> {
        Ok(None)
    }
}
