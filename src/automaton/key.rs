//! Key states: reading a member's name, among the names that the object knows and all others.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::automaton::control::Control;
use crate::automaton::decode::{self, Coding, Partial, Step};
use crate::automaton::heap::Heap;
use crate::automaton::lexeme::{LexId, LexKey};
use crate::automaton::names::{EVERY_OTHER, Keys, NO_OTHER, OFF, OtherVector, is_surrogates};
use crate::automaton::object::{KeyAt, Member, RunId};
use crate::automaton::others::Others;
use crate::automaton::state::{Edge, Op, View, pack, unpack};
use crate::automaton::universe::Universe;
use crate::automaton::whitespace::Ws;
use crate::error::Exhausted;
use crate::index::StateId;
use crate::vocab::ByteSet;

/// What has been read of a key.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Key {
    pub(crate) run: RunId,
    /// The node of the trie of known names, or [`OFF`].
    pub(crate) node: u32,
    /// Where the names are that the object does not know.
    pub(crate) others: OtherVector,
    pub(crate) partial: Partial,
}

/// Where a byte leads a key.
pub(crate) enum KeyStep {
    Dead,
    /// The closing quote, if the key may close there.
    Close,
    To(Key),
}

/// What is filled in later.
#[derive(Default, Debug)]
pub(crate) struct KeyData {
    live: OnceLock<bool>,
    /// Where the closing quote leads.
    closed: OnceLock<Option<StateId>>,
    row: OnceLock<KeyRow>,
}

/// The edges by the bytes with which a key stays among the known names, or closes: `cells[rank of the byte]`.
#[derive(Debug)]
struct KeyRow {
    bytes: ByteSet,
    cells: Box<[AtomicU64]>,
}

impl Universe {
    /// After the opening quote of a key.
    pub(crate) fn key_start(&self, run: RunId) -> Result<StateId, Exhausted> {
        let others = match self.others(run)? {
            Others::None => NO_OTHER,
            Others::All => EVERY_OTHER,
            Others::Some(lex, _) => self.lexes.get(lex.0).key.vector,
        };
        let key = Key { run, node: 0, others, partial: Partial::Clean };
        Ok(View::Key(self.keys.intern_key(&key)).id())
    }

    /// The edge of a key state.
    pub(crate) fn key_edge(&self, at: u32, byte: u8) -> Result<(Edge, Op), Exhausted> {
        let entry = self.keys.get(at);
        let Some(row) = self.key_row(at) else { return self.find_key_edge(at, byte) };
        let Some(rank) = row.bytes.rank(byte) else {
            // No known name: dead, or where all other names go. Few of these bytes are ever tried.
            return match entry.key.others {
                NO_OTHER => Ok((Edge::Dead, Op::None)),
                _ => self.find_key_edge(at, byte),
            };
        };
        if let Some(known) = unpack(row.cells[rank].load(Ordering::Acquire)) {
            return Ok(known);
        }
        let (edge, op) = self.find_key_edge(at, byte)?;
        row.cells[rank].store(pack(edge, op), Ordering::Release);
        Ok((edge, op))
    }

    fn find_key_edge(&self, at: u32, byte: u8) -> Result<(Edge, Op), Exhausted> {
        let key = self.keys.get(at).key;
        Ok(match self.key_step(&key, byte)? {
            KeyStep::Dead => (Edge::Dead, Op::None),
            KeyStep::Close => match self.key_closed(at)? {
                Some(state) => (Edge::Go(state), self.key_close_op(&key)),
                None => (Edge::Dead, Op::None),
            },
            KeyStep::To(next) => {
                let next = if next == key { at } else { self.keys.intern_key(&next) };
                (Edge::Go(View::Key(next).id()), self.scope_op(key.run, Op::KeyByte))
            }
        })
    }

    /// Reads a byte of a key. Nothing is interned, so a look ahead costs no states.
    pub(crate) fn key_step(&self, key: &Key, byte: u8) -> Result<KeyStep, Exhausted> {
        if !self.spelling.has(byte) {
            return Ok(KeyStep::Dead);
        }
        let machine = self.key_machine(key);
        let step = match decode::step(&machine, (key.node, key.others), key.partial, byte, Coding::Json)? {
            Step::Dead => KeyStep::Dead,
            Step::Close => KeyStep::Close,
            Step::To((node, others), partial) => {
                let next = Key { run: key.run, node, others, partial };
                if self.key_is_live(&machine, &next)? { KeyStep::To(next) } else { KeyStep::Dead }
            }
        };
        debug_assert!(
            matches!(step, KeyStep::Dead)
                || self.next_key_bytes(key).is_none_or(|bytes| bytes.contains(byte)),
            "{key:?} reads {byte}"
        );
        Ok(step)
    }

    /// What closing a key does to the registers.
    pub(crate) fn key_close_op(&self, key: &Key) -> Op {
        let op = if self.known_rank(key).is_some() { Op::CloseKnown } else { Op::CloseOther };
        self.scope_op(key.run, op)
    }

    /// The rank of the known name that has been read, if it is one.
    pub(crate) fn known_rank(&self, key: &Key) -> Option<u32> {
        self.name_trie(self.run(key.run).names).rank(key.node)
    }

    /// Where the closing quote leads from a key state; `None` if it may not close here.
    fn key_closed(&self, at: u32) -> Result<Option<StateId>, Exhausted> {
        let entry = self.keys.get(at);
        if let Some(&known) = entry.data.closed.get() {
            return Ok(known);
        }
        let state = self.find_key_closed(&entry.key)?;
        Ok(*entry.data.closed.get_or_init(|| state))
    }

    /// The same of a key that has no state.
    pub(crate) fn find_key_closed(&self, key: &Key) -> Result<Option<StateId>, Exhausted> {
        let event = match (self.known_rank(key), key.others) {
            (Some(rank), _) => self.key_event(key.run, KeyAt::Known(rank))?,
            (None, NO_OTHER) => None,
            (None, EVERY_OTHER) => self.key_event(key.run, KeyAt::Other(self.outcome([])))?,
            (None, vector) => {
                let lex = self.other_lexeme(vector, Partial::Clean);
                if self.lex_accepts(lex) {
                    self.key_event(key.run, KeyAt::Other(self.lex_outcome(lex)))?
                } else {
                    None
                }
            }
        };
        Ok(event.map(|member| self.after_key(member)))
    }

    fn after_key(&self, member: Member) -> StateId {
        let ws = Ws::elsewhere(self.policy.whitespace);
        self.control_id(&Control::Colon { ret: member.ret, value: member.value, ws })
    }

    fn key_machine(&self, key: &Key) -> Keys<'_> {
        Keys { universe: self, run: key.run, trie: self.name_trie(self.run(key.run).names) }
    }

    /// The lexeme that reads the names that the object does not know from a key state on.
    pub(crate) fn key_lexeme(&self, key: &Key) -> Result<Option<LexId>, Exhausted> {
        Ok(match key.others {
            NO_OTHER => None,
            EVERY_OTHER => Some(self.free_key(key.partial)?),
            vector => Some(self.other_lexeme(vector, key.partial)),
        })
    }

    /// Whether names that the object does not know are still possible in a key state.
    pub(crate) fn key_has_others(&self, key: &Key) -> Result<bool, Exhausted> {
        match key.others {
            NO_OTHER => Ok(false),
            // A key state is live, and if not for a known name then for these.
            EVERY_OTHER => Ok(true),
            vector => self.partial_is_live(&LexKey { vector, coding: Coding::Json, partial: key.partial }),
        }
    }

    /// Bytes among which are those by which a key stays among the known names, or closes.
    pub(crate) fn known_bytes(&self, key: &Key) -> ByteSet {
        if key.partial == Partial::Clean { self.bytes_of_names(key) } else { ByteSet::full() }
    }

    /// All bytes by which a key goes on, where names that the object does not know are out and no code point is under way.
    pub(crate) fn next_key_bytes(&self, key: &Key) -> Option<ByteSet> {
        (key.others == NO_OTHER && key.partial == Partial::Clean).then(|| self.bytes_of_names(key))
    }

    /// The bytes with which known names go on, or close.
    fn bytes_of_names(&self, key: &Key) -> ByteSet {
        let mut bytes = ByteSet::of(b"\"\\");
        let mut buffer = [0; 4];
        for &(c, _) in self.name_trie(self.run(key.run).names).children(key.node) {
            if let Some(c) = char::from_u32(c) {
                bytes.insert(c.encode_utf8(&mut buffer).as_bytes()[0]);
            }
        }
        bytes
    }

    /// The row of a key state between two code points.
    #[inline]
    fn key_row(&self, at: u32) -> Option<&KeyRow> {
        let entry = self.keys.get(at);
        if entry.key.partial != Partial::Clean {
            return None;
        }
        Some(entry.data.row.get_or_init(|| {
            let bytes = self.bytes_of_names(&entry.key);
            self.keep_row(bytes.len() * size_of::<AtomicU64>());
            KeyRow { bytes, cells: (0..bytes.len()).map(|_| AtomicU64::new(0)).collect() }
        }))
    }

    /// Whether the code point under way can become one that a possible name goes on with.
    fn key_is_live(&self, machine: &Keys<'_>, key: &Key) -> Result<bool, Exhausted> {
        if key.partial == Partial::Clean {
            return Ok(true);
        }
        if !self.spelling.is_complete() {
            return self.key_is_live_by_bytes(*key);
        }
        match key.others {
            NO_OTHER => {}
            // Half a surrogate pair may be all that it can become.
            EVERY_OTHER => {
                let is_some = |(lo, hi): &(u32, u32)| lo <= hi && !is_surrogates(*lo, *hi);
                let skips = matches!(key.partial, Partial::SkipUtf8 { .. } | Partial::SkipHex { .. });
                if skips || decode::reach(key.partial).is_none_or(|reach| reach.iter().any(is_some)) {
                    return Ok(true);
                }
            }
            vector => {
                let others = LexKey { vector, coding: Coding::Json, partial: key.partial };
                if self.partial_is_live(&others)? {
                    return Ok(true);
                }
            }
        }
        let reach = match (key.partial, decode::reach(key.partial)) {
            (Partial::SkipUtf8 { .. } | Partial::SkipHex { .. }, _) => return Ok(true),
            (_, Some(reach)) => reach,
            (_, None) => [(0, u32::MAX), (1, 0)],
        };
        for &(c, child) in machine.trie.children(key.node) {
            if reach.iter().any(|&(lo, hi)| lo <= c && c <= hi) && machine.node_is_live(child)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// With bytes missing from the vocabulary, only trying all bytes tells.
    fn key_is_live_by_bytes(&self, key: Key) -> Result<bool, Exhausted> {
        let at = self.keys.intern_key(&key);
        if let Some(&live) = self.keys.get(at).data.live.get() {
            return Ok(live);
        }
        let mut live = false;
        for byte in 0..=u8::MAX {
            live = live || self.key_edge(at, byte)?.0 != Edge::Dead;
        }
        Ok(*self.keys.get(at).data.live.get_or_init(|| live))
    }
}

/// A key that has left every known name.
pub(crate) fn is_off(key: &Key) -> bool {
    key.node == OFF
}

impl Universe {
    /// Where the closing quote leads from a name that the object does not know, by the patterns that match it.
    pub(crate) fn other_closed(&self, run: RunId, matched: u32) -> Result<Option<StateId>, Exhausted> {
        Ok(self.key_event(run, KeyAt::Other(matched))?.map(|member| self.after_key(member)))
    }
}

impl Heap for Key {}
