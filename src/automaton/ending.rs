//! A way to the end of a text: the fewest bytes, or nearly, that complete it.
//!
//! A search over configurations, best first: what has been read and an estimate of what is left are the fewest (`rules/least.rs`). The
//! estimate may be too great where a schema or regexes with intersections decide, so the way is one of the short ones. A
//! search that reaches [`ENDING_STEPS_MAX`] configurations is given up; the first leaves escapes and all beyond ASCII out.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashSet;

use crate::automaton::control::{Control, Ret};
use crate::automaton::decode::{Coding, Partial};
use crate::automaton::formula::Formula;
use crate::automaton::lexeme::LexId;
use crate::automaton::registers::Registers;
use crate::automaton::rules::least::Leasts;
use crate::automaton::state::View;
use crate::automaton::universe::Universe;
use crate::automaton::{Automaton, Cfg};
use crate::error::Exhausted;
use crate::index::{FormulaId, RetId, StateId, TokenId};
use crate::limits::ENDING_STEPS_MAX;
use crate::vocab::TokenKind;

/// One step of a way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EndingStep {
    /// A byte of text.
    Byte(u8),
    /// A token as a letter of its own.
    Letter(TokenId),
}

/// Most tokens as letters that are tried at one place, those that are no text first: markers are such.
const LETTERS_TRIED: usize = 512;

/// Most tokens as letters that one search looks at: a set of all tokens but one is as long as a vocabulary.
const LETTERS_MAX: usize = 2_000_000;

/// What a member that must still come adds to the estimate, beyond its name: quotes, colon, comma, a value.
const MEMBER_LEN: u64 = 6;

/// A configuration that the search has reached.
struct Reached {
    cfg: Cfg,
    from: usize,
    step: EndingStep,
    depth: u64,
}

impl Automaton {
    /// The fewest steps, or nearly, after which the text is complete; none if it is. `None`: none were found within
    /// [`ENDING_STEPS_MAX`] configurations.
    ///
    /// # Errors
    /// [`Exhausted`] if a question first met here runs out of its budget.
    pub fn ending(&self, cfg: Cfg, registers: &Registers) -> Result<Option<Vec<EndingStep>>, Exhausted> {
        let order = byte_order();
        // Each escape, and each character beyond ASCII, is thousands of configurations on the way to one that is as good.
        let plain: Vec<u8> = order.iter().copied().filter(|&byte| is_plain(byte)).collect();
        match self.search(cfg, registers.clone(), &plain)? {
            Some(way) => Ok(Some(way)),
            None => self.search(cfg, registers.clone(), &order),
        }
    }

    fn search(
        &self,
        cfg: Cfg,
        mut registers: Registers,
        order: &[u8],
    ) -> Result<Option<Vec<EndingStep>>, Exhausted> {
        let mut leasts = Leasts::default();
        let mut letters_left = LETTERS_MAX;
        let first = EndingStep::Byte(0);
        let mut reached = vec![Reached { cfg, from: 0, step: first, depth: 0 }];
        let mut seen: FxHashSet<Cfg> = FxHashSet::from_iter([cfg]);
        let mut open = BinaryHeap::from([Reverse((0, 0))]);
        while let Some(Reverse((_, at))) = open.pop() {
            let (from, depth) = (reached[at].cfg, reached[at].depth);
            if self.is_accepting(from) {
                return Ok(Some(way_to(&reached, at)));
            }
            for (next, step) in self.steps(from, order, &mut letters_left, &mut registers)? {
                if !seen.insert(next) {
                    continue;
                }
                if reached.len() >= ENDING_STEPS_MAX {
                    return Ok(None);
                }
                let depth = depth + 1;
                let left = self.universe.least(next, &mut leasts);
                open.push(Reverse((depth.saturating_add(left), reached.len())));
                reached.push(Reached { cfg: next, from: at, step, depth });
            }
        }
        Ok(None)
    }

    /// Where bytes and letters lead, one for each configuration.
    fn steps(
        &self,
        from: Cfg,
        order: &[u8],
        letters_left: &mut usize,
        registers: &mut Registers,
    ) -> Result<Vec<(Cfg, EndingStep)>, Exhausted> {
        let mut letters = if *letters_left == 0 { Vec::new() } else { self.letters(from) };
        *letters_left = letters_left.saturating_sub(letters.len());
        letters.sort_unstable_by_key(|&token| (self.vocabulary().kind(token) == TokenKind::Text, token));
        letters.dedup();
        let mut steps = Vec::new();
        for letter in letters.into_iter().take(LETTERS_TRIED) {
            if let Some(next) = self.read_letter(from, letter)? {
                steps.push((next, EndingStep::Letter(letter)));
            }
        }
        let pads = self.universe.is_padded(from.state);
        for &byte in order {
            // Whitespace between the lexemes of JSON leads nowhere.
            if pads && matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
                continue;
            }
            if let Some(next) = self.advance(from, &[byte], registers)? {
                steps.push((next, EndingStep::Byte(byte)));
            }
        }
        Ok(steps)
    }
}

/// Printable ASCII and line breaks, but the backslash.
fn is_plain(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\n') && byte != b'\\'
}

/// Bytes in the order in which they are tried: of ways equally short, the one of letters is taken.
fn byte_order() -> Vec<u8> {
    let mut order: Vec<u8> = (b'a'..=b'z').chain(b'0'..=b'9').chain(b'A'..=b'Z').collect();
    let listed: FxHashSet<u8> = order.iter().copied().collect();
    let rest = (b' '..=b'~').chain(b"\n\t\r".iter().copied()).chain(0..=u8::MAX);
    let mut seen = listed;
    order.extend(rest.filter(|byte| seen.insert(*byte)));
    order
}

fn way_to(reached: &[Reached], mut at: usize) -> Vec<EndingStep> {
    let mut way = Vec::new();
    while at != 0 {
        way.push(reached[at].step);
        at = reached[at].from;
    }
    way.reverse();
    way
}

impl Universe {
    /// About how few bytes complete a configuration.
    fn least(&self, cfg: Cfg, leasts: &mut Leasts) -> u64 {
        let other = |state: StateId| self.least_of_state(state);
        match View::of(cfg.state) {
            View::Net(at) => leasts.of_net(self, at, cfg.frame, &other),
            _ => other(cfg.state).saturating_add(leasts.of_frame(self, cfg.frame, &other)),
        }
    }

    fn least_of_state(&self, state: StateId) -> u64 {
        match View::of(state) {
            View::Control(at) => match &self.controls.get(at).key {
                Control::Done { .. } => 0,
                Control::Value { .. } => 1,
                Control::Literal { word, read, .. } => {
                    u64::try_from(word.text().len()).unwrap_or(0).saturating_sub(u64::from(*read))
                }
                Control::ObjectOpen { run, .. }
                | Control::ObjectNext { run, .. }
                | Control::ObjectKey { run, .. } => 1 + self.least_required(self.run(*run).must),
                Control::Colon { .. } => 2,
                Control::ArrayOpen { .. } | Control::ArrayNext { .. } => 1,
            },
            View::Key(at) => 3 + self.least_required(self.run(self.keys.get(at).key.run).must),
            View::Lex(lex) => self.lex_least(lex),
            View::Net(_) => 0,
        }
    }

    /// What the members that must still come add.
    fn least_required(&self, must: FormulaId) -> u64 {
        let conjuncts = match self.formula(must) {
            Formula::All(children) => children,
            _ => std::slice::from_ref(&must),
        };
        let lens = conjuncts.iter().map(|&atom| match self.formula(atom) {
            Formula::Required(name) => {
                u64::try_from(self.name(*name).len()).unwrap_or(0).saturating_add(MEMBER_LEN)
            }
            _ => 0,
        });
        lens.fold(0, u64::saturating_add)
    }

    /// The fewest characters that end a lexeme.
    pub(crate) fn lex_least(&self, lex: LexId) -> u64 {
        let key = &self.lexes.get(lex.0).key;
        let text = self.terms.lengths(self.vectors.get(key.vector)[0]).min;
        let begun = u64::from(key.partial != Partial::Clean);
        text.saturating_add(begun).saturating_add(u64::from(key.coding == Coding::Json))
    }

    /// An outcome that a callee of a ret may have: every question answered with "yes".
    pub(crate) fn some_outcome(&self, ret: RetId) -> u32 {
        let judged = match &self.rets.get(ret.0).key {
            Ret::Member { judged, .. } | Ret::Item { judged, .. } => judged,
            _ => return self.outcome([]),
        };
        let questions = judged.iter().map(|&(_, question)| question + 1).max().unwrap_or(0);
        self.outcome((0..questions).map(|_| true))
    }

    /// Whether whitespace may stand here between the lexemes of a JSON document.
    fn is_padded(&self, state: StateId) -> bool {
        match View::of(state) {
            View::Control(at) => {
                self.controls.get(at).key.whitespace().is_some_and(|ws| !ws.awaits_newline())
            }
            _ => false,
        }
    }
}
