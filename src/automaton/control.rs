//! Control states: the structural positions of JSON, and what comes back when a value ends.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::automaton::array::ArrayId;
use crate::automaton::child::Judged;
use crate::automaton::formula::exhausted;
use crate::automaton::heap::Heap;
use crate::automaton::object::{RunId, Tracks};
use crate::automaton::rules::PosId;
use crate::automaton::state::{Edge, Op, RETS_MAX, Reread, View, pack, unpack};
use crate::automaton::universe::Universe;
use crate::automaton::value::ValueId;
use crate::automaton::whitespace::Ws;
use crate::error::Exhausted;
use crate::index::{RetId, StateId};
use crate::vocab::ByteSet;

/// A structural position.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Control {
    /// The root value is complete.
    Done { ws: Ws },
    /// Before a value.
    Value { value: ValueId, ws: Ws },
    /// Inside `null`, `true` or `false`.
    Literal { word: Word, read: u8, outcome: u32 },
    /// After `{`.
    ObjectOpen { run: RunId, ws: Ws },
    /// After a member.
    ObjectNext { run: RunId, ws: Ws },
    /// After a comma in an object.
    ObjectKey { run: RunId, ws: Ws },
    /// After a key.
    Colon { ret: RetId, value: ValueId, ws: Ws },
    /// After `[`.
    ArrayOpen { run: ArrayId, ws: Ws },
    /// After an item.
    ArrayNext { run: ArrayId, ws: Ws },
}

/// A literal word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Word {
    Null,
    True,
    False,
}

impl Word {
    pub(crate) fn text(self) -> &'static str {
        match self {
            Word::Null => "null",
            Word::True => "true",
            Word::False => "false",
        }
    }
}

/// What happens when a callee ends.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Ret {
    /// The document is complete.
    Root,
    /// The object goes on as `run`, less the atoms that the answers refute.
    Member { run: RunId, judged: Judged },
    /// The array goes on likewise.
    Item { run: ArrayId, judged: Judged },
    /// The surroundings of a value are left open.
    Boundary,
    /// A frame with several members, which say what happens.
    Several,
    /// A rule of a grammar goes on.
    Position(PosId),
}

/// The ret of the root.
pub(crate) const ROOT_RET: RetId = RetId(0);

/// Where the callee returns to when there were no questions; filled on first use.
#[derive(Default, Debug)]
pub(crate) struct RetData {
    plain: OnceLock<StateId>,
}

/// The row of a control state, one packed edge for each class of [`CLASSES`].
#[derive(Default, Debug)]
pub(crate) struct ControlRow([AtomicU64; 32]);

/// Bytes that mean something between lexemes, each a class of its own; class 0 is every other byte.
static CLASSES: [u8; 256] = {
    let bytes = b" \t\n\r\":,{}[]-0123456789nultrefas";
    let mut classes = [0u8; 256];
    let mut i = 0u8;
    while (i as usize) < bytes.len() {
        classes[bytes[i as usize] as usize] = i + 1;
        i += 1;
    }
    classes
};

impl Universe {
    pub(crate) fn control_id(&self, control: &Control) -> StateId {
        View::Control(self.controls.intern_key(control)).id()
    }

    pub(crate) fn ret_id(&self, ret: &Ret) -> RetId {
        RetId(self.rets.intern_key(ret))
    }

    /// `op` if the object tracks other names.
    pub(crate) fn scope_op(&self, run: RunId, op: Op) -> Op {
        if self.run(run).tracks == Tracks::OtherNames { op } else { Op::None }
    }

    /// `op` if the array compares its items.
    pub(crate) fn items_op(&self, run: ArrayId, op: Op) -> Op {
        if self.array(run).compares { op } else { Op::None }
    }

    /// The state in which a caller goes on.
    pub(crate) fn after(&self, ret: RetId, outcome: u32) -> StateId {
        let entry = self.rets.get(ret.0);
        match &entry.key {
            Ret::Member { judged, .. } | Ret::Item { judged, .. } if !judged.is_empty() => {
                if let Some(known) = self.returns.get(&(ret, outcome)) {
                    return *known;
                }
                let state = self.find_after(&entry.key, outcome);
                self.returns.insert((ret, outcome), state);
                state
            }
            plain => *entry.data.plain.get_or_init(|| self.find_after(plain, outcome)),
        }
    }

    fn find_after(&self, ret: &Ret, outcome: u32) -> StateId {
        let control = match ret {
            Ret::Root => Control::Done { ws: Ws::elsewhere(self.policy.whitespace) },
            Ret::Boundary => unreachable!("a walk stops at the boundary"),
            Ret::Several => unreachable!("its members are asked, not the frame"),
            Ret::Position(position) => return self.net_set(vec![*position]),
            Ret::Member { run, judged } => Control::ObjectNext {
                run: self.run_after(*run, judged, self.answers(outcome)),
                ws: self.inside(),
            },
            Ret::Item { run, judged } => Control::ArrayNext {
                run: self.array_after(*run, judged, self.answers(outcome)),
                ws: self.inside(),
            },
        };
        self.control_id(&control)
    }

    /// The edge of a control state.
    #[inline]
    pub(crate) fn control_edge(&self, at: u32, byte: u8) -> Result<(Edge, Op), Exhausted> {
        let class = CLASSES[usize::from(byte)];
        if class == 0 {
            return Ok((Edge::Dead, Op::None));
        }
        let entry = self.controls.get(at);
        let cell = &entry.data.0[usize::from(class)];
        if let Some(known) = unpack(cell.load(Ordering::Acquire)) {
            return Ok(known);
        }
        let (edge, op) = if self.spelling.has(byte) {
            self.find_control_edge(&entry.key, byte)?
        } else {
            (Edge::Dead, Op::None)
        };
        debug_assert!(
            matches!(edge, Edge::Dead) || entry.key.next_bytes().contains(byte),
            "{:?} reads {byte}",
            entry.key
        );
        if let Edge::Push(ret, _) = edge
            && ret.0 >= RETS_MAX
        {
            return Err(exhausted(format!(
                "a position beyond the {RETS_MAX} (RETS_MAX) that one universe holds"
            )));
        }
        cell.store(pack(edge, op), Ordering::Release);
        Ok((edge, op))
    }

    fn find_control_edge(&self, control: &Control, byte: u8) -> Result<(Edge, Op), Exhausted> {
        let dead = Ok((Edge::Dead, Op::None));
        if let Some(ws) = control.whitespace() {
            if matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
                let Some(next) = ws.step(byte) else { return dead };
                let stuck = next.awaits_newline() && !self.spelling.has(b'\n');
                return if stuck || !self.may_pad(control) {
                    dead
                } else {
                    Ok((Edge::Go(self.control_id(&control.with_whitespace(next))), Op::None))
                };
            }
            if ws.awaits_newline() {
                return dead;
            }
        }
        match control {
            Control::Done { .. } => dead,
            Control::Value { value, .. } => self.first_byte(*value, byte),
            Control::Literal { word, read, outcome } => {
                Ok((self.literal_edge(*word, *read, *outcome, byte), Op::None))
            }
            Control::ObjectOpen { run, .. } => match byte {
                b'}' => Ok(self.close_object(*run)),
                b'"' => self.open_key(*run),
                _ => dead,
            },
            Control::ObjectKey { run, .. } if byte == b'"' => self.open_key(*run),
            Control::ObjectNext { run, ws } => match byte {
                b'}' => Ok(self.close_object(*run)),
                b',' if self.may_separate(*ws) && self.has_key(*run)? => {
                    let state = self.control_id(&Control::ObjectKey { run: *run, ws: self.inside() });
                    Ok((Edge::Go(state), Op::None))
                }
                _ => dead,
            },
            Control::Colon { ret, value, .. } if byte == b':' => {
                let state = self.control_id(&Control::Value { value: *value, ws: self.inside() });
                Ok((Edge::Push(*ret, state), Op::None))
            }
            Control::ArrayOpen { run, .. } => match (byte, self.item_event(*run)?) {
                (b']', _) => Ok(self.close_array(*run)),
                (_, Some(item)) => Ok(match self.first_byte(item.value, byte)? {
                    (Edge::Go(state), op) => (Edge::Push(item.ret, state), op),
                    _ => (Edge::Dead, Op::None),
                }),
                _ => dead,
            },
            Control::ArrayNext { run, ws } => match byte {
                b']' => Ok(self.close_array(*run)),
                b',' if self.may_separate(*ws) => Ok(match self.item_event(*run)? {
                    Some(item) => {
                        let state = self.control_id(&Control::Value { value: item.value, ws: self.inside() });
                        (Edge::Push(item.ret, state), Op::None)
                    }
                    None => (Edge::Dead, Op::None),
                }),
                _ => dead,
            },
            Control::ObjectKey { .. } | Control::Colon { .. } => dead,
        }
    }

    /// Reads a byte of bounded whitespace in a look ahead, making no state for each length. `None`: this is no such byte
    /// or position, take the ordinary step. `Some(None)`: dead. Otherwise a state that stands for the position and
    /// the whitespace read, to be passed back as `padding`.
    pub(crate) fn pad(&self, at: u32, padding: Option<Ws>, byte: u8) -> Option<Option<(StateId, Ws)>> {
        if !matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
            return None;
        }
        let control = &self.controls.get(at).key;
        let ws = control.whitespace()?;
        let read = padding.unwrap_or(ws);
        if !read.is_bounded() {
            return None;
        }
        let spelled = self.spelling.has(byte) && (byte != b'\r' || self.spelling.has(b'\n'));
        let next = read.step(byte).filter(|_| spelled && (padding.is_some() || self.may_pad(control)));
        Some(next.map(|next| {
            let state = if padding.is_some() {
                View::Control(at).id()
            } else {
                self.control_id(&control.with_whitespace(Ws::BEGUN))
            };
            (state, next)
        }))
    }

    /// Under a policy without whitespace before commas, padding after a member or item promises a closing bracket.
    pub(crate) fn may_pad(&self, control: &Control) -> bool {
        match control {
            Control::ObjectNext { run, ws } if *ws != Ws::FREE => {
                self.object_end(self.run(*run).must) && self.spelling.has(b'}')
            }
            Control::ArrayNext { run, ws } if *ws != Ws::FREE => {
                self.array_end(self.array(*run).must) && self.spelling.has(b']')
            }
            _ => true,
        }
    }

    pub(crate) fn may_separate(&self, ws: Ws) -> bool {
        ws.is_untouched()
    }

    fn literal_edge(&self, word: Word, read: u8, outcome: u32, byte: u8) -> Edge {
        let text = word.text().as_bytes();
        let at = usize::from(read);
        if text[at] != byte {
            Edge::Dead
        } else if at + 1 == text.len() {
            Edge::Pop { outcome, reread: Reread::No }
        } else {
            Edge::Go(self.control_id(&Control::Literal { word, read: read + 1, outcome }))
        }
    }

    fn close_object(&self, run: RunId) -> (Edge, Op) {
        let object = self.run(run);
        if !self.object_end(object.must) {
            return (Edge::Dead, Op::None);
        }
        let outcome = self.outcome(object.asks.iter().map(|&ask| self.object_end(ask)));
        (Edge::Pop { outcome, reread: Reread::No }, self.scope_op(run, Op::CloseScope))
    }

    fn close_array(&self, run: ArrayId) -> (Edge, Op) {
        let array = self.array(run);
        if !self.array_end(array.must) {
            return (Edge::Dead, Op::None);
        }
        let outcome = self.outcome(array.asks.iter().map(|&ask| self.array_end(ask)));
        (Edge::Pop { outcome, reread: Reread::No }, self.items_op(run, Op::CloseItems))
    }

    fn open_key(&self, run: RunId) -> Result<(Edge, Op), Exhausted> {
        if !self.has_key(run)? {
            return Ok((Edge::Dead, Op::None));
        }
        Ok((Edge::Go(self.key_start(run)?), Op::None))
    }
}

impl Control {
    /// The whitespace read at the position; `None` inside a literal word.
    pub(crate) fn whitespace(&self) -> Option<Ws> {
        match *self {
            Control::Done { ws }
            | Control::Value { ws, .. }
            | Control::ObjectOpen { ws, .. }
            | Control::ObjectNext { ws, .. }
            | Control::ObjectKey { ws, .. }
            | Control::Colon { ws, .. }
            | Control::ArrayOpen { ws, .. }
            | Control::ArrayNext { ws, .. } => Some(ws),
            Control::Literal { .. } => None,
        }
    }

    /// Bytes among which are all that can come next.
    pub(crate) fn next_bytes(&self) -> ByteSet {
        const DONE: ByteSet = ByteSet::of(b" \t\n\r");
        const VALUE: ByteSet = ByteSet::of(b" \t\n\r\"{[-0123456789tfn");
        const OBJECT_OPEN: ByteSet = ByteSet::of(b" \t\n\r\"}");
        const OBJECT_NEXT: ByteSet = ByteSet::of(b" \t\n\r,}");
        const OBJECT_KEY: ByteSet = ByteSet::of(b" \t\n\r\"");
        const COLON: ByteSet = ByteSet::of(b" \t\n\r:");
        const ARRAY_OPEN: ByteSet = ByteSet::of(b" \t\n\r\"{[]-0123456789tfn");
        const ARRAY_NEXT: ByteSet = ByteSet::of(b" \t\n\r,]");
        match self {
            Control::Done { .. } => DONE,
            Control::Value { .. } => VALUE,
            Control::Literal { word, read, .. } => {
                ByteSet::of(&word.text().as_bytes()[usize::from(*read)..][..1])
            }
            Control::ObjectOpen { .. } => OBJECT_OPEN,
            Control::ObjectNext { .. } => OBJECT_NEXT,
            Control::ObjectKey { .. } => OBJECT_KEY,
            Control::Colon { .. } => COLON,
            Control::ArrayOpen { .. } => ARRAY_OPEN,
            Control::ArrayNext { .. } => ARRAY_NEXT,
        }
    }

    /// The same position with other whitespace read.
    pub(crate) fn with_whitespace(&self, read: Ws) -> Self {
        let mut control = self.clone();
        match &mut control {
            Control::Done { ws }
            | Control::Value { ws, .. }
            | Control::ObjectOpen { ws, .. }
            | Control::ObjectNext { ws, .. }
            | Control::ObjectKey { ws, .. }
            | Control::Colon { ws, .. }
            | Control::ArrayOpen { ws, .. }
            | Control::ArrayNext { ws, .. } => *ws = read,
            Control::Literal { .. } => {}
        }
        control
    }
}

impl Heap for Control {}

impl Heap for Ret {
    fn heap_bytes(&self) -> usize {
        match self {
            Self::Member { judged, .. } | Self::Item { judged, .. } => judged.heap_bytes(),
            _ => 0,
        }
    }
}
