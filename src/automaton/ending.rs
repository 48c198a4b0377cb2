//! A way to the end of a text: the fewest bytes, or nearly, that complete it.
//!
//! A search over configurations, best first: what has been read and an estimate of what is left are the fewest (`least.rs`, `rules/least.rs`). The
//! estimate may be too great where a schema or regexes with intersections decide, so the way is one of the short ones. A
//! search that reaches [`ENDING_STEPS_MAX`] configurations is given up; the first leaves escapes and all beyond ASCII out.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashSet;

use crate::automaton::least::Lengths;
use crate::automaton::registers::Registers;
use crate::automaton::rules::least::Leasts;
use crate::automaton::state::View;
use crate::automaton::universe::Universe;
use crate::automaton::{Automaton, Cfg};
use crate::error::Exhausted;
use crate::index::{StateId, TokenId};
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

/// A configuration that the search has reached.
struct Reached {
    cfg: Cfg,
    from: usize,
    step: EndingStep,
    depth: u64,
}

/// How a search chooses where to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    /// Where the whole way seems the shortest.
    Shortest,
    /// Where the least seems to be left, however long the way is that leads there: where the estimate is far too small, that is what
    /// comes to an end.
    Nearest,
}

/// What a search has found.
enum Found {
    End(Vec<EndingStep>),
    /// The limit came first; the way to where the least seems to be left.
    Nearer(Vec<EndingStep>),
    /// There is nothing more to be reached with these bytes.
    Nothing,
}

impl Automaton {
    /// The fewest steps, or nearly, after which the text is complete; none if it is. `None`: none were found within
    /// [`ENDING_STEPS_MAX`] configurations.
    ///
    /// # Errors
    /// [`Exhausted`] if a question first met here runs out of its budget.
    pub fn ending(&self, cfg: Cfg, registers: &Registers) -> Result<Option<Vec<EndingStep>>, Exhausted> {
        // Each escape, and each character beyond ASCII, is thousands of configurations on the way to one that is as good.
        for bytes in [plain_bytes(), byte_order()] {
            for order in [Order::Shortest, Order::Nearest] {
                match self.search(cfg, registers.clone(), &bytes, order)? {
                    Found::End(way) => return Ok(Some(way)),
                    Found::Nearer(_) => {}
                    // Another order reaches no more.
                    Found::Nothing => break,
                }
            }
        }
        Ok(None)
    }

    /// Steps after which less seems to be left until the text is complete, where [`Automaton::ending`] finds no way to the end: after
    /// them, the rest may be near enough. Empty if there are none.
    ///
    /// # Errors
    /// As there.
    pub fn toward_ending(&self, cfg: Cfg, registers: &Registers) -> Result<Vec<EndingStep>, Exhausted> {
        for bytes in [plain_bytes(), byte_order()] {
            match self.search(cfg, registers.clone(), &bytes, Order::Nearest)? {
                Found::End(way) => return Ok(way),
                Found::Nearer(way) if !way.is_empty() => return Ok(way),
                Found::Nearer(_) | Found::Nothing => {}
            }
        }
        Ok(Vec::new())
    }

    fn search(
        &self,
        cfg: Cfg,
        mut registers: Registers,
        bytes: &[u8],
        order: Order,
    ) -> Result<Found, Exhausted> {
        let mut leasts = Leasts::default();
        let lengths = RefCell::new(Lengths::default());
        let mut letters_left = LETTERS_MAX;
        let first = EndingStep::Byte(0);
        let mut reached = vec![Reached { cfg, from: 0, step: first, depth: 0 }];
        let mut seen: FxHashSet<Cfg> = FxHashSet::from_iter([cfg]);
        let left = self.universe.least(cfg, &mut leasts, &lengths);
        let mut nearest = (left, 0);
        let mut open = BinaryHeap::from([Reverse((0, left, 0))]);
        while let Some(Reverse((_, _, at))) = open.pop() {
            let (from, depth) = (reached[at].cfg, reached[at].depth);
            if self.is_accepting(from) {
                return Ok(Found::End(way_to(&reached, at)));
            }
            for (next, step) in self.steps(from, bytes, &mut letters_left, &mut registers)? {
                if !seen.insert(next) {
                    continue;
                }
                if reached.len() >= ENDING_STEPS_MAX {
                    return Ok(Found::Nearer(way_to(&reached, nearest.1)));
                }
                let depth = depth + 1;
                let left = self.universe.least(next, &mut leasts, &lengths);
                nearest = nearest.min((left, reached.len()));
                let rank = match order {
                    Order::Shortest => depth.saturating_add(left),
                    Order::Nearest => left,
                };
                // Of equals the one nearer to the end: else all orders of members would be tried side by side.
                open.push(Reverse((rank, left, reached.len())));
                reached.push(Reached { cfg: next, from: at, step, depth });
            }
        }
        Ok(Found::Nothing)
    }

    /// Where bytes and letters lead, one for each configuration.
    fn steps(
        &self,
        from: Cfg,
        bytes: &[u8],
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
        for &byte in bytes {
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
fn plain_bytes() -> Vec<u8> {
    let is_plain = |byte: &u8| matches!(byte, b' '..=b'~' | b'\n') && *byte != b'\\';
    byte_order().into_iter().filter(is_plain).collect()
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
    fn least(&self, cfg: Cfg, leasts: &mut Leasts, lengths: &RefCell<Lengths>) -> u64 {
        let ways_out = |state: StateId| self.ways_out(&mut lengths.borrow_mut(), state);
        match View::of(cfg.state) {
            View::Net(at) => leasts.of_net(self, at, cfg.frame, &ways_out),
            _ => leasts.of_state(self, cfg.state, cfg.frame, &ways_out),
        }
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
