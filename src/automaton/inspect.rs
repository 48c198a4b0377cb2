//! Maps of an automaton, for people: which states there are, what each stands for, and where bytes lead from it.
//!
//! A state is shown with what waits below it. States are made as bytes are read, and a grammar may have endlessly many, so a
//! map shows a stated number: those along a text, or those that bytes lead to, breadth first. They are numbered in
//! the order in which they are found; equal grammars have equal maps, whatever was compiled before.
//!
//! The registers (names used, items compared) are left aside: arrows say what is done to them, not what they forbid.
//! Of a stretch of whitespace only the first byte is followed.

use std::collections::VecDeque;
use std::fmt::{self, Write};

use rustc_hash::FxHashMap;

use crate::automaton::Automaton;
use crate::automaton::Cfg;
use crate::automaton::ending::EndingStep;
use crate::automaton::registers::EMPTY;
use crate::automaton::registers::Registers;
use crate::automaton::rules::NET_ROOT;
use crate::automaton::state::Op;
use crate::automaton::universe::{ROOT_FRAME, Universe};
use crate::automaton::words::{StateKind as Kind, cut};
use crate::error::Exhausted;
use crate::grammar::dot::label;
use crate::index::{FrameId, StateId, TokenId};
use crate::limits::MAP_STATES_MAX;
use crate::vocab::ByteSet;

pub use crate::automaton::words::StateKind;

/// A part of an automaton: see the module. `Display` lists it, [`StateMap::to_dot`] draws it.
///
/// ```
/// use maskwright::{Compiler, CompilerConfig, Vocabulary};
///
/// let grammar = Compiler::new(Vocabulary::demo(), CompilerConfig::default()).regex("ab?")?;
/// let map = grammar.automaton()?.map(100)?;
/// assert_eq!(map.states.len(), 3);
/// assert!(!map.states[0].accepting && map.states[1].accepting);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateMap {
    /// The states, by number.
    pub states: Vec<StateShown>,
}

/// A state and what waits below it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateShown {
    /// What it is.
    pub kind: StateKind,
    /// Where it stands, and what may come there.
    pub words: String,
    /// Who waits for what is under way, innermost first; cut.
    pub below: Vec<String>,
    /// Whether the text is complete.
    pub accepting: bool,
    /// Where bytes and tokens lead, by the lowest byte; tokens as letters last.
    pub arrows: Vec<Arrow>,
}

/// Where some bytes lead, or some tokens as letters of their own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Arrow {
    /// The bytes; empty for letters.
    pub bytes: ByteSet,
    /// The names of the tokens, some of them; empty for bytes.
    pub letters: Vec<String>,
    /// What is done to the continuation and to the registers; empty: nothing.
    pub does: Vec<String>,
    /// Where it leads.
    pub target: Target,
}

/// Where an arrow leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// A state of the map.
    State(usize),
    /// A state that the map does not show, in words.
    Beyond(String),
}

/// Most tokens that an arrow names.
const LETTERS_SHOWN: usize = 6;

/// Most tokens that are followed from one state; a set of all tokens but one is as long as a vocabulary.
const LETTERS_FOLLOWED: usize = 512;

/// Most frames that are compared to say what was pushed and popped.
const FRAMES_COMPARED: usize = 8;

impl Automaton {
    /// The states that bytes and tokens lead to from the start, breadth first: `states` of them at most, and at most
    /// [`MAP_STATES_MAX`].
    ///
    /// # Errors
    /// [`Exhausted`] if a question first met here runs out of its budget.
    pub fn map(&self, states: usize) -> Result<StateMap, Exhausted> {
        let mut mapping = Mapping::new(&self.universe, states);
        mapping.number(self.start.state, self.start.frame);
        mapping.follow()?;
        mapping.finish()
    }

    /// The states along a text, as far as it can be read.
    ///
    /// # Errors
    /// As [`Automaton::map`].
    pub fn map_along(&self, text: &[u8], states: usize) -> Result<StateMap, Exhausted> {
        let steps: Vec<EndingStep> = text.iter().map(|&byte| EndingStep::Byte(byte)).collect();
        self.map_along_steps(&steps, states)
    }

    /// The states along bytes and tokens as letters, as far as they can be read.
    ///
    /// # Errors
    /// As [`Automaton::map`].
    pub fn map_along_steps(&self, steps: &[EndingStep], states: usize) -> Result<StateMap, Exhausted> {
        let mut mapping = Mapping::new(&self.universe, states);
        let mut registers = Registers::default();
        let mut cfg = self.start;
        mapping.number(cfg.state, cfg.frame);
        for &step in steps {
            let next = match step {
                EndingStep::Byte(byte) => self.advance(cfg, &[byte], &mut registers)?,
                EndingStep::Letter(token) => self.read_letter(cfg, token)?,
            };
            let Some(next) = next else { break };
            cfg = next;
            mapping.number(cfg.state, cfg.frame);
        }
        mapping.finish()
    }
}

/// A map in the making.
struct Mapping<'u> {
    universe: &'u Universe,
    most: usize,
    found: Vec<(StateId, FrameId)>,
    numbers: FxHashMap<(StateId, FrameId), usize>,
}

/// Where one kind of letters leads.
struct Move {
    to: (StateId, FrameId),
    op: Op,
    bytes: ByteSet,
    letters: Vec<TokenId>,
}

impl<'u> Mapping<'u> {
    fn new(universe: &'u Universe, states: usize) -> Self {
        let most = states.min(MAP_STATES_MAX);
        Self { universe, most, found: Vec::new(), numbers: FxHashMap::default() }
    }

    /// Numbers a state, if there is room; whether it is new.
    fn number(&mut self, state: StateId, frame: FrameId) -> bool {
        if self.numbers.contains_key(&(state, frame)) || self.found.len() >= self.most {
            return false;
        }
        self.numbers.insert((state, frame), self.found.len());
        self.found.push((state, frame));
        true
    }

    /// Follows all bytes and letters, breadth first.
    fn follow(&mut self) -> Result<(), Exhausted> {
        let mut open: VecDeque<usize> = (0..self.found.len()).collect();
        while let Some(at) = open.pop_front() {
            if self.found.len() >= self.most {
                break;
            }
            let from = self.found[at];
            let is_padding = self.kind(from.0) == Kind::Padding;
            for step in self.moves(from)? {
                let (state, frame) = step.to;
                if is_padding && self.kind(state) == Kind::Padding {
                    continue;
                }
                if self.number(state, frame) {
                    open.push_back(self.found.len() - 1);
                }
            }
        }
        Ok(())
    }

    fn kind(&self, state: StateId) -> Kind {
        self.universe.state_words(state).kind
    }

    /// Where a state leads, by the lowest byte.
    fn moves(&self, (state, frame): (StateId, FrameId)) -> Result<Vec<Move>, Exhausted> {
        let mut moves: Vec<Move> = Vec::new();
        let mut add = |to, op, byte: Option<u8>, letter: Option<TokenId>| {
            let same = |known: &&mut Move| {
                known.to == to && known.op == op && known.letters.is_empty() == letter.is_none()
            };
            let step = match moves.iter_mut().find(same) {
                Some(step) => step,
                None => {
                    moves.push(Move { to, op, bytes: ByteSet::default(), letters: Vec::new() });
                    let last = moves.len() - 1;
                    &mut moves[last]
                }
            };
            byte.into_iter().for_each(|byte| step.bytes.insert(byte));
            step.letters.extend(letter);
        };
        for byte in 0..=u8::MAX {
            if let Some((to, below, op)) = self.universe.step(state, frame, byte)? {
                add((to, below), op, Some(byte), None);
            }
        }
        let mut letters = Vec::new();
        self.universe.net_letters(state, frame, &mut letters);
        letters.sort_unstable();
        letters.dedup();
        for letter in letters.into_iter().take(LETTERS_FOLLOWED) {
            if let Some((to, below, op)) = self.universe.net_letter(state, frame, letter)? {
                add((to, below), op, None, Some(letter));
            }
        }
        Ok(moves)
    }

    fn finish(&self) -> Result<StateMap, Exhausted> {
        let mut states = Vec::with_capacity(self.found.len());
        for &(state, frame) in &self.found {
            let words = self.universe.state_words(state);
            let mut arrows = Vec::new();
            for step in self.moves((state, frame))? {
                arrows.push(self.arrow(frame, &step));
            }
            states.push(StateShown {
                kind: words.kind,
                words: self.words(state),
                below: self.universe.frame_words(frame),
                accepting: self.universe.is_accepting(Cfg { state, frame, reg: EMPTY }),
                arrows,
            });
        }
        Ok(StateMap { states })
    }

    fn words(&self, state: StateId) -> String {
        let words = self.universe.state_words(state);
        let mut expects = words.expects.join(" | ");
        cut(&mut expects);
        if expects.is_empty() { words.place } else { format!("{}: {expects}", words.place) }
    }

    fn arrow(&self, frame: FrameId, step: &Move) -> Arrow {
        let mut does = self.stack(frame, step.to.1);
        does.extend(op_words(step.op).map(String::from));
        let name = |&token: &TokenId| self.universe.vocabulary.name(token).to_owned();
        let mut letters: Vec<String> = step.letters.iter().take(LETTERS_SHOWN).map(name).collect();
        if step.letters.len() > LETTERS_SHOWN {
            let or_more = if step.letters.len() >= LETTERS_FOLLOWED { " or more" } else { "" };
            letters.push(format!("… ({}{or_more} in all)", step.letters.len()));
        }
        let target = match self.numbers.get(&step.to) {
            Some(&number) => Target::State(number),
            None => Target::Beyond(self.words(step.to.0)),
        };
        Arrow { bytes: step.bytes, letters, does, target }
    }

    /// What a move does to the continuation: how many frames go, which come.
    fn stack(&self, before: FrameId, after: FrameId) -> Vec<String> {
        if before == after {
            return Vec::new();
        }
        let below = |frame: FrameId| {
            let mut chain = vec![frame];
            let mut at = frame;
            while chain.len() < FRAMES_COMPARED && at != ROOT_FRAME && at != NET_ROOT {
                let data = self.universe.frames.get(at.0);
                if data.ret == crate::automaton::rules::SEVERAL_RET {
                    break;
                }
                at = data.parent;
                chain.push(at);
            }
            chain
        };
        let (old, new) = (below(before), below(after));
        let shared = old.iter().enumerate().find_map(|(popped, frame)| {
            new.iter().position(|other| other == frame).map(|pushed| (popped, pushed))
        });
        let Some((popped, pushed)) = shared else { return vec!["changes what waits".into()] };
        let mut does = Vec::new();
        if popped > 0 {
            does.push(if popped == 1 { "pop".into() } else { format!("pop {popped}") });
        }
        for frame in new[..pushed].iter().rev() {
            let ret = self.universe.frames.get(frame.0).ret;
            let mut words = self.universe.ret_words(ret);
            cut(&mut words);
            does.push(format!("push {words}"));
        }
        does
    }
}

fn op_words(op: Op) -> Option<&'static str> {
    match op {
        Op::None | Op::KeyByte => None,
        Op::OpenScope => Some("keep the names used"),
        Op::CloseScope => Some("forget the names used"),
        Op::CloseKnown => Some("a known name"),
        Op::CloseOther => Some("a name that must be unused"),
        Op::OpenItems => Some("keep the items"),
        Op::CloseItems => Some("forget the items"),
    }
}

/// Bytes as ranges: `space a-z 0x80-0xBF`.
fn ranges(bytes: &ByteSet) -> String {
    let show = |byte: u8| match byte {
        b' ' => "space".into(),
        b'\t' => "tab".into(),
        b'\n' => "newline".into(),
        b'\r' => "return".into(),
        b'!'..=b'~' => char::from(byte).to_string(),
        _ => format!("0x{byte:02X}"),
    };
    let mut out: Vec<String> = Vec::new();
    let mut members = bytes.iter().peekable();
    while let Some(first) = members.next() {
        let mut last = first;
        while members.peek() == Some(&last.saturating_add(1)) && last < u8::MAX {
            last = members.next().unwrap_or(last);
        }
        match last - first {
            0 => out.push(show(first)),
            1 => out.extend([show(first), show(last)]),
            _ => out.push(format!("{}-{}", show(first), show(last))),
        }
    }
    out.join(" ")
}

impl fmt::Display for Arrow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.letters.is_empty() {
            f.write_str(&ranges(&self.bytes))?;
        } else {
            write!(f, "token {}", self.letters.join(" "))?;
        }
        if !self.does.is_empty() {
            write!(f, " ({})", self.does.join(", "))?;
        }
        Ok(())
    }
}

impl fmt::Display for StateMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, state) in self.states.iter().enumerate() {
            let accepting = if state.accepting { " (the text may end)" } else { "" };
            writeln!(f, "{i} {}: {}{accepting}", state.kind.name(), state.words)?;
            if !state.below.is_empty() {
                writeln!(f, "    below: {}", state.below.join("; "))?;
            }
            for arrow in &state.arrows {
                match &arrow.target {
                    Target::State(number) => writeln!(f, "    {arrow} → {number}")?,
                    Target::Beyond(words) => writeln!(f, "    {arrow} → … {words}")?,
                }
            }
        }
        Ok(())
    }
}

impl StateMap {
    /// The map as a Graphviz graph. States in which the text may end have a double border; those that are not shown are dashed.
    #[must_use]
    pub fn to_dot(&self) -> String {
        let mut out =
            String::from("digraph automaton {\n  rankdir=LR;\n  node [shape=box, fontname=\"monospace\"];\n");
        let mut arrows = String::new();
        for (i, state) in self.states.iter().enumerate() {
            let mut text = format!("{i} {}: {}", state.kind.name(), state.words);
            for below in &state.below {
                write!(text, "\nbelow: {below}").expect("a String takes all");
            }
            let border = if state.accepting { ", peripheries=2" } else { "" };
            writeln!(out, "  q{i} [label={}{border}];", label(&text)).expect("a String takes all");
            for (j, arrow) in state.arrows.iter().enumerate() {
                let target = match &arrow.target {
                    Target::State(number) => format!("q{number}"),
                    Target::Beyond(words) => {
                        writeln!(out, "  b{i}_{j} [label={}, style=dashed];", label(words))
                            .expect("a String takes all");
                        format!("b{i}_{j}")
                    }
                };
                writeln!(arrows, "  q{i} -> {target} [label={}];", label(&arrow.to_string()))
                    .expect("a String takes all");
            }
        }
        out + &arrows + "}\n"
    }
}
