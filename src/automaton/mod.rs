//! The token-level automaton: interned states, hash-consed frames, lazy rows, masks.
//!
//! A configuration is a local state, a frame (the continuation) and a register. One byte moves it by one edge of
//! the state's row; a row is filled on first touch and shared by every grammar of the universe. Viability is
//! local: a live state can always be completed, whatever lies below it on the stack, because each callee was
//! told what its caller needs.
//!
//! Read in this order: `formula` (what a value must satisfy), `satisfiable`, `value`, `object` and `array` (how
//! reading rewrites it), `lexeme` and `decode` (strings and numbers), `control` (structure), `token_set`, `class`,
//! `padding`, `mask` and `walk` (tokens).

pub mod heap;
pub mod interner;
pub(crate) mod keyed;
pub mod term;
pub(crate) mod universe;

pub(crate) mod canonical;
mod clause;
pub(crate) mod counting;
mod distinct;
pub(crate) mod domain;
pub(crate) mod effort;
mod every;
pub(crate) mod formula;
mod implies;
mod listing;
pub(crate) mod satisfiable;
pub(crate) mod spelling;
pub(crate) mod witness;

pub(crate) mod decode;
pub(crate) mod descent;
pub(crate) mod lexeme;
pub(crate) mod whitespace;

pub(crate) mod applies;
pub(crate) mod array;
pub(crate) mod child;
pub(crate) mod control;
pub(crate) mod key;
pub(crate) mod names;
pub(crate) mod object;
pub(crate) mod others;
pub(crate) mod sentence;
pub(crate) mod state;
pub(crate) mod value;

pub(crate) mod lexing;
pub(crate) mod rules;

pub(crate) mod byte_classes;
pub(crate) mod byte_kinds;
pub(crate) mod class;
pub(crate) mod mask;
pub(crate) mod padding;
pub(crate) mod registers;
pub(crate) mod room;
pub(crate) mod supply;
pub(crate) mod tables;
pub(crate) mod token_set;
pub(crate) mod unique;
pub(crate) mod walk;
pub(crate) mod wide;

pub(crate) mod ending;
pub mod inspect;
mod least;
pub(crate) mod stand;
pub(crate) mod words;

use std::sync::Arc;

pub use ending::EndingStep;
pub use mask::{MaskRef, Scratch};
pub use registers::Registers;
pub use universe::{Caching, UniverseStatistics};

use crate::automaton::control::{Control, ROOT_RET};
use crate::automaton::decode::Coding;
use crate::automaton::formula::Loaded;
use crate::automaton::lexeme::LexEdge;
use crate::automaton::lexing::Scannerless;
use crate::automaton::registers::{EMPTY, Overlay, Store};
use crate::automaton::rules::NetEdge;
use crate::automaton::state::{Edge, Op, Reread, View};
use crate::automaton::universe::{ROOT_FRAME, Universe};
use crate::automaton::value::{DEFAULT_ORDER, Value};
use crate::automaton::whitespace::Ws;
use crate::error::{CompileError, CompileErrorKind, Exhausted, Place};
use crate::grammar::program::{Node, SchemaProgram};
use crate::grammar::regex::Regex;
use crate::grammar::rules::Grammar;
use crate::index::{FrameId, NodeId, StateId, TokenId, widen};
use crate::limits::PLACE_STEPS_MAX;
use crate::vocab::Vocabulary;

/// What a matcher holds for the present: 12 bytes, meaningful within one automaton.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cfg {
    /// The local state.
    pub state: StateId,
    /// The continuation.
    pub frame: FrameId,
    /// The names that open objects have used, in the matcher's [`Registers`].
    pub reg: u32,
}

/// The start of one grammar in a shared universe. Cloning is O(1).
#[derive(Clone, Debug)]
pub struct Automaton {
    universe: Arc<Universe>,
    start: Cfg,
    /// Lists of tokens behind which a text must go on.
    open: Arc<[u32]>,
}

impl Automaton {
    /// The automaton of a schema program.
    ///
    /// # Errors
    /// If no document satisfies the program, none that the vocabulary can spell does, or a limit is passed.
    pub(crate) fn of_schema(universe: &Arc<Universe>, program: &SchemaProgram) -> Result<Self, CompileError> {
        let _call = effort::Call::begin();
        let loaded = universe.load(program)?;
        let root = loaded.root;
        if !universe.satisfiable(root).map_err(|e| budget(&e, too_hard(universe, program, &loaded)))? {
            return Err(unsatisfiable(universe, contradiction(universe, program, &loaded), NO_VALUE));
        }
        let value = universe.value_id(Value { must: root, asks: Box::default(), order: DEFAULT_ORDER });
        let state =
            universe.control_id(&Control::Value { value, ws: Ws::before_root(universe.policy.whitespace) });
        let start = Cfg { state, frame: ROOT_FRAME, reg: EMPTY };
        Ok(Self { universe: Arc::clone(universe), start, open: Arc::default() })
    }

    /// The automaton of a regex over the whole raw text.
    ///
    /// # Errors
    /// If no text matches, none that the vocabulary can spell does, or a limit is passed.
    pub(crate) fn of_regex(universe: &Arc<Universe>, regex: &Regex) -> Result<Self, CompileError> {
        let place = || Place::default();
        let term = universe
            .terms
            .from_regex(regex)
            .map_err(|e| CompileError::new(CompileErrorKind::Limit, place(), "regex", e.to_string()))?;
        let term = match universe.spelling.raw() {
            None => term,
            Some(spellable) => universe.terms.and(&[term, spellable]),
        };
        let lex = universe.lexeme(Coding::Raw, term, []).map_err(|e| budget(&e, place()))?;
        let lex = lex.ok_or_else(|| unsatisfiable(universe, place(), NO_TEXT))?;
        let start = Cfg { state: View::Lex(lex).id(), frame: ROOT_FRAME, reg: EMPTY };
        Ok(Self { universe: Arc::clone(universe), start, open: Arc::default() })
    }

    /// The automaton of a context-free grammar.
    ///
    /// # Errors
    /// If no text matches the grammar, none that the vocabulary can spell does, it names a token that the vocabulary lacks, or a
    /// limit is passed.
    pub(crate) fn of_grammar(universe: &Arc<Universe>, grammar: &Grammar) -> Result<Self, CompileError> {
        let loaded = universe.load_grammar(grammar)?;
        let start = Cfg { state: loaded.state, frame: loaded.frame, reg: EMPTY };
        Ok(Self { universe: Arc::clone(universe), start, open: loaded.open })
    }

    /// The automaton of a grammar over lexemes.
    ///
    /// # Errors
    /// As [`Automaton::of_grammar`].
    pub(crate) fn of_scannerless(
        universe: &Arc<Universe>,
        scannerless: &Scannerless,
    ) -> Result<Self, CompileError> {
        let loaded = universe.load_scannerless(scannerless)?;
        let start = Cfg { state: loaded.state, frame: loaded.frame, reg: EMPTY };
        Ok(Self { universe: Arc::clone(universe), start, open: Arc::clone(&loaded.open) })
    }

    /// The serial number of its universe.
    #[inline]
    pub(crate) fn serial(&self) -> u64 {
        self.universe.serial
    }

    /// Whether another universe has taken the place of its own, or will.
    #[inline]
    pub(crate) fn is_retired(&self) -> bool {
        self.universe.is_full()
    }

    pub(crate) fn is_in(&self, universe: &Arc<Universe>) -> bool {
        Arc::ptr_eq(&self.universe, universe)
    }

    /// Before the first byte.
    #[must_use]
    pub fn start(&self) -> Cfg {
        self.start
    }

    /// Whether the grammar has this token as a letter, and in some place more must come behind it.
    #[must_use]
    pub(crate) fn goes_on_behind(&self, token: TokenId) -> bool {
        self.universe.is_in_letters(&self.open, token)
    }

    /// The vocabulary.
    #[must_use]
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.universe.vocabulary
    }

    /// Sizes of the shared tables.
    #[must_use]
    pub fn statistics(&self) -> UniverseStatistics {
        self.universe.statistics()
    }

    /// Reads bytes. `None`: what would result is no prefix of the language. About 10 ns a byte once the rows exist.
    ///
    /// # Errors
    /// [`Exhausted`] if a question first met here runs out of its budget.
    pub fn advance(
        &self,
        cfg: Cfg,
        bytes: &[u8],
        registers: &mut Registers,
    ) -> Result<Option<Cfg>, Exhausted> {
        let _call = effort::Call::begin();
        self.universe.advance(cfg, bytes, registers)
    }

    /// Reads a token, as its bytes or as a letter of its own. `None`: it may not follow.
    ///
    /// # Errors
    /// As [`Automaton::advance`], and if both ways are open and one of them needs registers.
    pub fn read_token(
        &self,
        cfg: Cfg,
        token: TokenId,
        registers: &mut Registers,
    ) -> Result<Option<Cfg>, Exhausted> {
        let _call = effort::Call::begin();
        let bytes = self.universe.vocabulary.bytes(token);
        let by_text = if bytes.is_empty() { None } else { self.advance(cfg, bytes, registers)? };
        match (by_text, self.read_letter(cfg, token)?) {
            (Some(text), Some(letter)) if text.reg == letter.reg => {
                let (state, frame) =
                    self.universe.either((text.state, text.frame), (letter.state, letter.frame));
                Ok(Some(Cfg { state, frame, reg: text.reg }))
            }
            (Some(_), Some(_)) => Err(formula::exhausted(
                "a token that may follow both as text and as itself, where the text keeps names or items of a JSON value",
            )),
            (text, letter) => Ok(text.or(letter)),
        }
    }

    /// Reads a token as a letter of its own.
    ///
    /// # Errors
    /// [`Exhausted`] if a question first met here runs out of its budget.
    pub fn read_letter(&self, cfg: Cfg, token: TokenId) -> Result<Option<Cfg>, Exhausted> {
        let _call = effort::Call::begin();
        let target = self.universe.net_letter(cfg.state, cfg.frame, token)?;
        Ok(target.map(|(state, frame, _)| Cfg { state, frame, reg: cfg.reg }))
    }

    /// The tokens that may follow as letters of their own, in any order.
    #[must_use]
    pub fn letters(&self, cfg: Cfg) -> Vec<TokenId> {
        let mut found = Vec::new();
        self.universe.net_letters(cfg.state, cfg.frame, &mut found);
        found
    }

    /// Whether the text read so far is complete.
    #[must_use]
    pub fn is_accepting(&self, cfg: Cfg) -> bool {
        self.universe.is_accepting(cfg)
    }

    /// Fills a row with the text tokens that may come next; writes every word, sets no stop bits.
    ///
    /// # Errors
    /// [`Exhausted`] if a question first met here runs out of its budget.
    ///
    /// # Panics
    /// If the row is shorter than the vocabulary.
    pub fn fill(
        &self,
        cfg: Cfg,
        registers: &Registers,
        scratch: &mut Scratch,
        row: &mut [u32],
    ) -> Result<(), Exhausted> {
        self.mask_ref(cfg, registers, scratch)?.write(row);
        Ok(())
    }

    /// The same mask by reference, without writing a row.
    ///
    /// # Errors
    /// [`Exhausted`] if a question first met here runs out of its budget.
    pub fn mask_ref(
        &self,
        cfg: Cfg,
        registers: &Registers,
        scratch: &mut Scratch,
    ) -> Result<MaskRef, Exhausted> {
        let _call = effort::Call::begin();
        self.universe.mask_ref(cfg, registers, scratch)
    }

    /// Appends the longest byte string, up to `limit` bytes, that every completion starts with.
    ///
    /// # Errors
    /// [`Exhausted`] if a question first met here runs out of its budget.
    pub fn forced_bytes(
        &self,
        cfg: Cfg,
        registers: &Registers,
        limit: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), Exhausted> {
        let _call = effort::Call::begin();
        let mut overlay = Overlay::new(registers);
        let mut at = cfg;
        for _ in 0..limit {
            if self.is_accepting(at) || !self.letters(at).is_empty() {
                break;
            }
            let mut only = None;
            for byte in 0..=u8::MAX {
                if let Some(next) = self.universe.advance(at, &[byte], &mut overlay)?
                    && only.replace((byte, next)).is_some()
                {
                    return Ok(());
                }
            }
            let Some((byte, next)) = only else { break };
            out.push(byte);
            at = next;
        }
        Ok(())
    }
}

impl Universe {
    /// One byte, registers apart.
    #[inline]
    pub(crate) fn step(
        &self,
        state: StateId,
        frame: FrameId,
        byte: u8,
    ) -> Result<Option<(StateId, FrameId, Op)>, Exhausted> {
        let (mut state, mut frame) = (state, frame);
        loop {
            let (edge, op) = match View::of(state) {
                View::Net(at) => match self.net_edge(at, byte)? {
                    NetEdge::Local(edge) => (edge, Op::None),
                    NetEdge::General => return self.net_move(state, frame, byte),
                },
                View::Lex(lex) if self.is_either(lex, frame, byte) => {
                    return self.net_move(state, frame, byte);
                }
                _ => self.edge(state, byte)?,
            };
            match edge {
                Edge::Dead => return Ok(None),
                Edge::Go(next) => return Ok(Some((next, frame, op))),
                Edge::Push(ret, next) => return Ok(Some((next, self.push(ret, frame)?, op))),
                Edge::Pop { outcome, reread } => {
                    (state, frame) = self.popped(frame, outcome);
                    if reread == Reread::No {
                        return Ok(Some((state, frame, op)));
                    }
                }
            }
        }
    }

    /// The edge of any state of a JSON text.
    #[inline]
    pub(crate) fn edge(&self, state: StateId, byte: u8) -> Result<(Edge, Op), Exhausted> {
        match View::of(state) {
            View::Control(at) => self.control_edge(at, byte),
            View::Key(at) => self.key_edge(at, byte),
            View::Net(at) => match self.net_edge(at, byte)? {
                NetEdge::Local(edge) => Ok((edge, Op::None)),
                NetEdge::General => {
                    Err(formula::exhausted("a text of a grammar inside an item that is compared with others"))
                }
            },
            View::Lex(lex) => {
                let edge = match self.lex_edge(lex, self.lex_row(lex)?, byte)? {
                    LexEdge::Go(next) => Edge::Go(View::Lex(next).id()),
                    LexEdge::Dead => Edge::Dead,
                    LexEdge::Close => Edge::Pop { outcome: self.lex_outcome(lex), reread: Reread::No },
                    LexEdge::End => Edge::Pop { outcome: self.lex_outcome(lex), reread: Reread::Yes },
                };
                Ok((edge, Op::None))
            }
        }
    }

    /// Several bytes, with registers.
    pub(crate) fn advance(
        &self,
        cfg: Cfg,
        bytes: &[u8],
        registers: &mut impl Store,
    ) -> Result<Option<Cfg>, Exhausted> {
        let mut cfg = cfg;
        for &byte in bytes {
            let Some(next) = self.read(cfg, byte, registers)? else { return Ok(None) };
            cfg = next;
        }
        Ok((self.has_name_left(cfg, registers)? && self.has_value_left(cfg, registers)?).then_some(cfg))
    }

    /// One byte, with registers; whether names and values are left is another question.
    #[inline]
    pub(crate) fn read(
        &self,
        cfg: Cfg,
        byte: u8,
        registers: &mut impl Store,
    ) -> Result<Option<Cfg>, Exhausted> {
        if self.frames.get(cfg.frame.0).compared {
            return self.read_compared(cfg, byte, registers);
        }
        let Some((state, frame, op)) = self.step(cfg.state, cfg.frame, byte)? else { return Ok(None) };
        let mut reg = cfg.reg;
        if frame != cfg.frame && self.frames.get(frame.0).compared {
            reg = registers.read_item_byte(reg, byte);
        }
        if op != Op::None {
            match registers.apply(reg, op, byte) {
                Some(next) => reg = next,
                None => return Ok(None),
            }
        }
        Ok(Some(Cfg { state, frame, reg }))
    }

    /// Whether the text read so far is complete.
    pub(crate) fn is_accepting(&self, cfg: Cfg) -> bool {
        match View::of(cfg.state) {
            View::Control(at) => {
                matches!(self.controls.get(at).key, Control::Done { ws } if !ws.awaits_newline())
            }
            View::Lex(lex) => {
                let is_root = self.frames.get(cfg.frame.0).ret == ROOT_RET
                    && self.lexes.get(lex.0).key.coding != Coding::Json
                    && self.lex_accepts(lex);
                is_root || self.net_accepts(cfg.state, cfg.frame)
            }
            View::Key(_) => false,
            View::Net(_) => self.net_accepts(cfg.state, cfg.frame),
        }
    }
}

fn budget(exhausted: &Exhausted, place: Place) -> CompileError {
    CompileError::new(CompileErrorKind::Limit, place, "satisfiability", exhausted.to_string())
}

/// The innermost place that is too hard by itself, as far as little effort tells.
fn too_hard(universe: &Universe, program: &SchemaProgram, loaded: &Loaded) -> Place {
    let depth = |at: &usize| std::cmp::Reverse(program.places[*at].matches('/').count());
    let mut nodes: Vec<usize> = (0..program.nodes.len()).collect();
    nodes.sort_by_cached_key(depth);
    let (mut found, mut spent) = (None, 0);
    for at in nodes {
        let Some(formula) = loaded.formulas[at] else { continue };
        let (answer, steps) = effort::afresh(|| universe.satisfiable(formula));
        spent += widen(steps);
        if answer.is_err() {
            found = Some(at);
        }
        if found.is_some() || spent > PLACE_STEPS_MAX {
            break;
        }
    }
    Place::pointer(found.map_or("", |at| &*program.places[at]))
}

/// The innermost place that no value satisfies, though the document needs one there.
fn contradiction(universe: &Universe, program: &SchemaProgram, loaded: &Loaded) -> Place {
    let is_empty = |node: &NodeId| {
        loaded.formulas[node.index()].is_some_and(|formula| universe.satisfiable(formula) == Ok(false))
    };
    let mut at = program.root;
    let mut seen = vec![false; program.nodes.len()];
    while !std::mem::replace(&mut seen[at.index()], true) {
        let inner = match &program.nodes[at.index()] {
            Node::All(children) => {
                let required = |name: &str| {
                    children.iter().any(
                        |child| matches!(&program.nodes[child.index()], Node::Required(r) if **r == *name),
                    )
                };
                let has_items =
                    children.iter().any(|child| matches!(&program.nodes[child.index()], Node::MinItems(1..)));
                children.iter().copied().find(|child| is_empty(child)).or_else(|| {
                    children.iter().find_map(|child| match &program.nodes[child.index()] {
                        Node::Members(rule) => rule
                            .properties
                            .iter()
                            .find(|(name, value)| required(name) && is_empty(value))
                            .map(|(_, value)| *value),
                        Node::Items { prefix, rest, except: 0 } if has_items => {
                            prefix.iter().chain([rest]).copied().find(|value| is_empty(value))
                        }
                        _ => None,
                    })
                })
            }
            _ => None,
        };
        match inner {
            Some(inner) => at = inner,
            None => break,
        }
    }
    Place::pointer(&*program.places[at.index()])
}

/// Of a schema: the subject of the refusal, and what may help.
const NO_VALUE: [&str; 2] =
    ["schema", "nothing satisfies it: look for contradictory types, bounds, patterns or required members"];

/// Of a pattern.
const NO_TEXT: [&str; 2] =
    ["regex", "no text matches it: look for empty classes, and for assertions that exclude what follows"];

fn unsatisfiable(universe: &Universe, place: Place, [subject, message]: [&str; 2]) -> CompileError {
    if universe.spelling.is_complete() {
        return CompileError::new(CompileErrorKind::Unsatisfiable, place, subject, message);
    }
    let mut missing: Vec<String> =
        (0..=u8::MAX).filter(|&b| !universe.spelling.has(b)).map(|b| format!("0x{b:02X}")).collect();
    if missing.len() > 16 {
        missing.truncate(16);
        missing.push("…".into());
    }
    CompileError::new(
        CompileErrorKind::Unspellable,
        place,
        "vocabulary",
        format!(
            "nothing that satisfies it is left: texts are left out that need a byte which no token spells alone, and these bytes are such: {}; give the vocabulary single-byte tokens",
            missing.join(" ")
        ),
    )
}
