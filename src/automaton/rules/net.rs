//! Net states and their rows: one set of positions over one frame, and what one byte does to it.
//!
//! Where the byte moves all positions in one way (they go on, one of them calls, they are at their end), that is an edge
//! like those of other states, the same over every frame. The rest is for `moves.rs`.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use rustc_hash::FxHashSet;

use crate::automaton::control::Ret;
use crate::automaton::heap::Heap;
use crate::automaton::lexeme::LexEdge;
use crate::automaton::rules::RuleAt;
use crate::automaton::rules::frames::NET_ROOT;
use crate::automaton::rules::part::{END, PosId};
use crate::automaton::state::{Edge, Op, RETS_MAX, Reread, View, pack, unpack};
use crate::automaton::universe::Universe;
use crate::error::Exhausted;
use crate::index::{FrameId, StateId};

/// A state of a grammar.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Net {
    /// Positions over one frame, ascending.
    Set(Box<[PosId]>),
    /// States over frames of their own, ascending; the configuration's frame is then [`NET_ROOT`] and says nothing.
    Many(Box<[(StateId, FrameId)]>),
}

/// Where a byte leads a net state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NetEdge {
    /// The same over every frame.
    Local(Edge),
    /// It depends on the frame.
    General,
}

/// Cells by byte, made in blocks of 16.
#[derive(Default, Debug)]
pub(crate) struct NetRow([OnceLock<Box<[AtomicU64; 16]>>; 16]);

/// A cell for [`NetEdge::General`]; `pack` leaves bit 62 clear.
const GENERAL: u64 = 1 << 63 | 1 << 62;

impl NetRow {
    /// The cell of a byte; `made` hears of the bytes of a new block.
    fn cell(&self, byte: u8, made: impl FnOnce(usize)) -> &AtomicU64 {
        let block = self.0[usize::from(byte >> 4)].get_or_init(|| {
            made(size_of::<[AtomicU64; 16]>());
            Box::default()
        });
        &block[usize::from(byte & 15)]
    }
}

impl Universe {
    /// The state of positions over one frame.
    pub(crate) fn net_set(&self, mut positions: Vec<PosId>) -> StateId {
        positions.sort_unstable();
        positions.dedup();
        let (before, count) = (self.rules.nets.len(), positions.len());
        let at = self.rules.nets.intern_key(&Net::Set(positions.into()));
        self.rules.list_interned(before, at, count);
        View::Net(at).id()
    }

    /// States over frames of their own, as one configuration.
    pub(super) fn net_many(&self, mut slots: Vec<(StateId, FrameId)>) -> (StateId, FrameId) {
        slots.sort_unstable();
        slots.dedup();
        if let [only] = slots[..] {
            return only;
        }
        let (before, count) = (self.rules.nets.len(), slots.len());
        let at = self.rules.nets.intern_key(&Net::Many(slots.into()));
        self.rules.list_interned(before, at, count);
        (View::Net(at).id(), NET_ROOT)
    }

    pub(super) fn net(&self, at: u32) -> &Net {
        &self.rules.nets.get(at).key
    }

    /// Where a byte leads a net state.
    #[inline]
    pub(crate) fn net_edge(&self, at: u32, byte: u8) -> Result<NetEdge, Exhausted> {
        let cell = self.rules.nets.get(at).data.cell(byte, |bytes| self.keep_row(bytes));
        let known = cell.load(Ordering::Acquire);
        if known == GENERAL {
            return Ok(NetEdge::General);
        }
        if let Some((edge, _)) = unpack(known) {
            return Ok(NetEdge::Local(edge));
        }
        let edge = match self.net(at) {
            Net::Many(_) => NetEdge::General,
            Net::Set(positions) => self.find_net_edge(positions, byte)?,
        };
        let packed = match edge {
            NetEdge::Local(edge) => pack(edge, Op::None),
            NetEdge::General => GENERAL,
        };
        cell.store(packed, Ordering::Release);
        Ok(edge)
    }

    fn find_net_edge(&self, positions: &[PosId], byte: u8) -> Result<NetEdge, Exhausted> {
        if positions == [END] {
            return Ok(NetEdge::Local(Edge::Dead));
        }
        let read = self.read_byte(positions, byte)?;
        if let Some(outcome) = read.closes {
            let is_alone = read.goes.is_empty() && read.calls.is_empty() && !read.values && !read.ends;
            return Ok(if is_alone {
                NetEdge::Local(Edge::Pop { outcome, reread: Reread::No })
            } else {
                NetEdge::General
            });
        }
        Ok(match (read.goes.as_slice(), read.calls.as_slice(), read.values, read.ends) {
            (_, _, true, _) => NetEdge::General,
            ([], [], _, false) => NetEdge::Local(Edge::Dead),
            ([], [], _, true) => NetEdge::Local(Edge::Pop { outcome: 0, reread: Reread::Yes }),
            (_, _, _, true) => NetEdge::General,
            (&[END], [], ..) => NetEdge::Local(Edge::Pop { outcome: 0, reread: Reread::No }),
            (_, [], ..) => NetEdge::Local(Edge::Go(self.net_set(read.goes))),
            ([], &[(rule, rest)], ..) => self.only_call(rule, rest, byte)?,
            _ => NetEdge::General,
        })
    }

    /// One rule is called by whoever is left to match `rest`, and reads a byte.
    fn only_call(&self, rule: RuleAt, rest: PosId, byte: u8) -> Result<NetEdge, Exhausted> {
        let body = self.rules.rule(rule).body.get().copied().unwrap_or(END);
        let read = self.read_byte(&[body], byte)?;
        if read.values || !read.calls.is_empty() || read.goes == [END] || self.rules.loops(rest) {
            return Ok(NetEdge::General);
        }
        let state = self.net_set(read.goes);
        if rest == END {
            return Ok(NetEdge::Local(Edge::Go(state)));
        }
        let ret = self.ret_id(&Ret::Position(rest));
        Ok(if ret.0 < RETS_MAX { NetEdge::Local(Edge::Push(ret, state)) } else { NetEdge::General })
    }

    /// What positions do at a byte, calls not yet entered.
    pub(super) fn read_byte(&self, positions: &[PosId], byte: u8) -> Result<ByteRead, Exhausted> {
        let mut read = ByteRead::default();
        let mut called = FxHashSet::default();
        for &position in positions {
            let leaves = self.rules.leaves(position);
            for &(lex, rest) in &leaves.lexes {
                if let LexEdge::Go(next) = self.lex_edge(lex, self.lex_row(lex)?, byte)? {
                    read.goes.push(self.before_lexeme(next, rest));
                }
            }
            for &(rule, rest) in &leaves.calls {
                if self.first_of(rule)?.contains(byte) && called.insert((rule, rest)) {
                    read.calls.push((rule, rest));
                }
            }
            for &(value, _) in &leaves.values {
                read.values |= self.value_begins(value, byte)?;
            }
            if byte == b'"' && read.closes.is_none() {
                read.closes = leaves.quotes.first().copied();
            }
            read.ends |= leaves.ends;
        }
        read.goes.sort_unstable();
        read.goes.dedup();
        Ok(read)
    }
}

/// See [`Universe::read_byte`].
#[derive(Default)]
pub(super) struct ByteRead {
    /// Positions after the byte, over the same frame.
    pub(super) goes: Vec<PosId>,
    /// Rules that begin with the byte, and what is left after each.
    pub(super) calls: Vec<(RuleAt, PosId)>,
    /// Whether a JSON value begins with the byte.
    pub(super) values: bool,
    /// The answers with which a JSON string closes, if the byte is the quote.
    pub(super) closes: Option<u32>,
    /// Whether some position is at its end before the byte.
    pub(super) ends: bool,
}

impl Heap for Net {
    fn heap_bytes(&self) -> usize {
        match self {
            Self::Set(positions) => positions.heap_bytes(),
            Self::Many(members) => members.heap_bytes(),
        }
    }
}
