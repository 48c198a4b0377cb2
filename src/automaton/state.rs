//! States and edges as packed integers.
//!
//! ```text
//! StateId   tag:2 | index:30          tag 0 control, 1 lexeme, 2 key, 3 net
//! edge      filled:1 0:1 kind:2 reread:1 op:3 ret:24 state-or-outcome:32
//! ```

use crate::automaton::lexeme::LexId;
use crate::index::{RetId, StateId, narrow};

/// A state by the table that it lives in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum View {
    /// Position in the control table.
    Control(u32),
    /// A lexeme state.
    Lex(LexId),
    /// Position in the key table.
    Key(u32),
    /// Position in the table of a grammar's states.
    Net(u32),
}

const INDEX_BITS: u32 = 30;
const INDEX: u32 = (1 << INDEX_BITS) - 1;

/// Most rets that edges can name.
pub(crate) const RETS_MAX: u32 = 1 << 24;

impl View {
    #[inline]
    pub(crate) fn id(self) -> StateId {
        match self {
            View::Control(at) => StateId(at),
            View::Lex(lex) => StateId(1 << INDEX_BITS | lex.0),
            View::Key(at) => StateId(2 << INDEX_BITS | at),
            View::Net(at) => StateId(3 << INDEX_BITS | at),
        }
    }

    #[inline]
    pub(crate) fn of(id: StateId) -> Self {
        match id.0 >> INDEX_BITS {
            0 => View::Control(id.0),
            1 => View::Lex(LexId(id.0 & INDEX)),
            2 => View::Key(id.0 & INDEX),
            _ => View::Net(id.0 & INDEX),
        }
    }
}

/// Where one byte leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Edge {
    Dead,
    Go(StateId),
    /// The caller waits at `ret`.
    Push(RetId, StateId),
    /// The callee has ended with this outcome.
    Pop {
        outcome: u32,
        reread: Reread,
    },
}

/// Whether the byte that ended a callee belongs to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reread {
    /// It was the callee's last byte.
    No,
    /// The caller reads it again.
    Yes,
}

/// What one byte does to the registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Op {
    None,
    /// An object opens that tracks other names.
    OpenScope,
    /// It closes.
    CloseScope,
    /// A byte of a key.
    KeyByte,
    /// A key closes on a known name.
    CloseKnown,
    /// A key closes on another name: it must be unused, and is used from now on.
    CloseOther,
    /// An array opens that compares its items.
    OpenItems,
    /// It closes.
    CloseItems,
}

const OPS: [Op; 8] = [
    Op::None,
    Op::OpenScope,
    Op::CloseScope,
    Op::KeyByte,
    Op::CloseKnown,
    Op::CloseOther,
    Op::OpenItems,
    Op::CloseItems,
];
const FILLED: u64 = 1 << 63;

/// Packs an edge; never 0.
pub(crate) fn pack(edge: Edge, op: Op) -> u64 {
    let (kind, reread, ret, low) = match edge {
        Edge::Dead => (0, 0, 0, 0),
        Edge::Go(state) => (1, 0, 0, state.0),
        Edge::Push(ret, state) => (2, 0, ret.0, state.0),
        Edge::Pop { outcome, reread } => (3, u64::from(reread == Reread::Yes), 0, outcome),
    };
    debug_assert!(ret < RETS_MAX, "ret_id keeps ids below RETS_MAX");
    let op = OPS.iter().position(|&known| known == op).map_or(0, narrow);
    FILLED | kind << 60 | reread << 59 | u64::from(op) << 56 | u64::from(ret) << 32 | u64::from(low)
}

/// Unpacks an edge; `None` if the cell is still empty.
#[inline]
pub(crate) fn unpack(cell: u64) -> Option<(Edge, Op)> {
    if cell & FILLED == 0 {
        return None;
    }
    let low = narrow(usize::try_from(cell & 0xFFFF_FFFF).unwrap_or(0));
    let ret = narrow(usize::try_from(cell >> 32 & 0xFF_FFFF).unwrap_or(0));
    let edge = match cell >> 60 & 3 {
        0 => Edge::Dead,
        1 => Edge::Go(StateId(low)),
        2 => Edge::Push(RetId(ret), StateId(low)),
        _ => Edge::Pop { outcome: low, reread: if cell >> 59 & 1 == 1 { Reread::Yes } else { Reread::No } },
    };
    let op = OPS[usize::try_from(cell >> 56 & 7).unwrap_or(0)];
    Some((edge, op))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_survive_packing() {
        let edges = [
            Edge::Dead,
            Edge::Go(StateId(u32::MAX)),
            Edge::Push(RetId(RETS_MAX - 1), StateId(7)),
            Edge::Pop { outcome: 3, reread: Reread::Yes },
            Edge::Pop { outcome: u32::MAX, reread: Reread::No },
        ];
        for edge in edges {
            for op in OPS {
                assert_eq!(unpack(pack(edge, op)), Some((edge, op)));
            }
        }
        assert_eq!(unpack(0), None);
    }
}
