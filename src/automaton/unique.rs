//! Items of which no two may be equal: reading them, and whether a value that is not used is left.
//!
//! An item is compared when it ends, by its canonical form (`canonical.rs`). Before that, its beginning must not be the beginning
//! of used values only. Mostly that is plain: strings, numbers, objects and arrays *vary* endlessly as long as they can
//! go on. Where it is not, values are counted, or the ways to end the item are tried, byte by byte.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use crate::automaton::Cfg;
use crate::automaton::array::ArrayId;
use crate::automaton::canonical::{Beginning, canonical, canonical_beginning, spelled_number};
use crate::automaton::control::{Control, Ret};
use crate::automaton::decode::{Coding, Partial};
use crate::automaton::domain::Domain;
use crate::automaton::effort;
use crate::automaton::formula::{Formula, exhausted};
use crate::automaton::lexeme::LexId;
use crate::automaton::names::NO_OTHER;
use crate::automaton::object::{KeyAt, Member, RunId};
use crate::automaton::others::{Others, Supply};
use crate::automaton::registers::Store;
use crate::automaton::state::{Edge, Reread, View};
use crate::automaton::supply::prefix;
use crate::automaton::universe::{Caching, Universe};
use crate::automaton::value::ValueId;
use crate::automaton::whitespace::Ws;
use crate::error::Exhausted;
use crate::grammar::condition;
use crate::grammar::number::Decimal;
use crate::index::{FrameId, RetId, StateId, TermId, narrow};
use crate::limits::UNUSED_STEPS_MAX;

impl Universe {
    /// Whether a callee that returns there is an item that is compared with others.
    pub(crate) fn compares(&self, ret: RetId) -> bool {
        matches!(&self.rets.get(ret.0).key, Ret::Item { run, .. } if self.array(*run).compares)
    }

    fn is_number(&self, lex: LexId) -> bool {
        self.lexes.get(lex.0).key.coding == Coding::Number
    }

    /// [`Universe::read`] inside an item that is compared with others.
    pub(crate) fn read_compared(
        &self,
        cfg: Cfg,
        byte: u8,
        registers: &mut impl Store,
    ) -> Result<Option<Cfg>, Exhausted> {
        let Cfg { mut state, mut frame, mut reg } = cfg;
        loop {
            let (edge, op) = self.edge(state, byte)?;
            let (next, parent) = match edge {
                Edge::Dead => return Ok(None),
                Edge::Go(next) => (next, frame),
                Edge::Push(ret, next) => (next, self.push(ret, frame)?),
                Edge::Pop { outcome, reread } => {
                    let popped = *self.frames.get(frame.0);
                    if reread == Reread::No && popped.compared {
                        reg = registers.read_item_byte(reg, byte);
                    }
                    let Some(after) = registers.apply(reg, op, byte) else { return Ok(None) };
                    reg = after;
                    let parent;
                    (state, parent) = self.popped(frame, outcome);
                    if self.compares(popped.ret) {
                        let (ended, is_used) = registers.end_item(reg);
                        reg = ended;
                        if is_used {
                            let Some(next) = self.after_repetition(state)? else { return Ok(None) };
                            state = next;
                        }
                    }
                    frame = parent;
                    if reread == Reread::No {
                        return Ok(Some(Cfg { state, frame, reg }));
                    }
                    continue;
                }
            };
            if self.frames.get(parent.0).compared {
                reg = registers.read_item_byte(reg, byte);
            }
            let Some(reg) = registers.apply(reg, op, byte) else { return Ok(None) };
            return Ok(Some(Cfg { state: next, frame: parent, reg }));
        }
    }

    fn after_repetition(&self, state: StateId) -> Result<Option<StateId>, Exhausted> {
        let View::Control(at) = View::of(state) else { return Ok(Some(state)) };
        let Control::ArrayNext { run, ws } = self.controls.get(at).key else { return Ok(Some(state)) };
        let after = self.array_after_repetition(run)?;
        Ok(after.map(|run| self.control_id(&Control::ArrayNext { run, ws })))
    }

    /// Whether the item under way can still become a value that no other item has.
    pub(crate) fn has_value_left(&self, cfg: Cfg, registers: &mut impl Store) -> Result<bool, Exhausted> {
        if !self.frames.get(cfg.frame.0).compared || self.varies(cfg.state, cfg.frame)? {
            return Ok(true);
        }
        let item = self.item_frame(cfg.frame);
        let outermost = !self.frames.get(self.frames.get(item.0).parent.0).compared;
        if outermost && !self.is_between_items(cfg.state) && registers.item_under_way(cfg.reg).is_none() {
            return Ok(true);
        }
        if self.differs_already(cfg, registers) {
            return Ok(true);
        }
        match self.counted(cfg, item, registers)? {
            Some(true) if outermost => return Ok(true),
            // Where equal items are only another alternative, what comes after them decides.
            Some(false) if self.must_differ(item) => return Ok(false),
            _ => {}
        }
        let mut steps = 0;
        // A string or key is read to its end first, containers by how much they hold: nesting has no end. Escapes that have begun
        // go on as they like; none other is begun but for what needs one.
        let mut open = VecDeque::from([(cfg, true)]);
        // Between lexemes, equal values that are spelled otherwise lead to the same answer.
        let mut seen: FxHashSet<(StateId, FrameId, Vec<u8>)> = FxHashSet::default();
        while let Some((at, begun)) = open.pop_front() {
            let tries: Vec<(Cfg, u8)> = match self.number_ends(at, registers)? {
                Some(ends) => ends.into_iter().flat_map(|end| b",]}".map(|byte| (end, byte))).collect(),
                None => {
                    let bytes = 0..=u8::MAX;
                    bytes.filter(|&b| self.is_worth_trying(at.state, b, begun)).map(|b| (at, b)).collect()
                }
            };
            for (from, byte) in tries {
                let Some(next) = self.read(from, byte, registers)? else { continue };
                steps += 1;
                effort::spend(1)?;
                if steps > UNUSED_STEPS_MAX {
                    return Err(exhausted(format!(
                        "whether a value is left that no other item has: more than {UNUSED_STEPS_MAX} steps (UNUSED_STEPS_MAX)"
                    )));
                }
                if !self.is_within(next.frame, item) {
                    let left =
                        stacker::maybe_grow(64 << 10, 1 << 20, || self.has_value_left(next, registers))?;
                    if left {
                        return Ok(true);
                    }
                } else if self.varies(next.state, next.frame)? {
                    return Ok(true);
                } else {
                    let place = (next, begun && self.is_in_escape(next.state));
                    match View::of(next.state) {
                        View::Control(_) => {
                            let text = registers.item_under_way(next.reg).unwrap_or_default();
                            if seen.insert((next.state, next.frame, canonical_beginning(&text))) {
                                open.push_back(place);
                            }
                        }
                        _ => open.push_front(place),
                    }
                }
            }
        }
        Ok(false)
    }

    /// Whether the item under way plainly differs from all others of its array, however it goes on, and is part of no other
    /// item that is compared.
    pub(crate) fn differs_already(&self, cfg: Cfg, registers: &impl Store) -> bool {
        let item = self.frames.get(self.item_frame(cfg.frame).0);
        let outermost = !self.frames.get(item.parent.0).compared;
        if self.caching == Caching::Off || !outermost || self.is_between_items(cfg.state) {
            return false;
        }
        registers.item_under_way(cfg.reg).is_some_and(|text| {
            let beginning = Beginning::of(&text);
            !registers.used_values(cfg.reg).any(|used| beginning.may_become(used))
        })
    }

    /// Whether an array that compares its own items is open and none of them under way: the registers speak of its items then,
    /// and not of the item that it is part of.
    fn is_between_items(&self, state: StateId) -> bool {
        let View::Control(at) = View::of(state) else { return false };
        match &self.controls.get(at).key {
            Control::ArrayOpen { run, .. } | Control::ArrayNext { run, .. } => self.array(*run).compares,
            _ => false,
        }
    }

    /// The same by counting: before an item, and inside one that is a string.
    fn counted(&self, cfg: Cfg, item: FrameId, registers: &impl Store) -> Result<Option<bool>, Exhausted> {
        if cfg.frame != item {
            return Ok(None);
        }
        match View::of(cfg.state) {
            View::Control(at) => {
                let Control::Value { value, .. } = self.controls.get(at).key else { return Ok(None) };
                let Domain::Finite(count) = self.domain(self.value(value).must, 0) else { return Ok(None) };
                let used = registers.used_values(cfg.reg).count();
                Ok((count > u64::from(narrow(used))).then_some(true))
            }
            View::Lex(lex) => {
                let key = &self.lexes.get(lex.0).key;
                let must = self.vectors.get(key.vector)[0];
                if key.coding == Coding::Number {
                    return self.number_left(lex, registers, cfg.reg);
                }
                if key.partial != Partial::Clean {
                    return Ok(None);
                }
                let Domain::Finite(count) = self.text_count(must)? else { return Ok(None) };
                let Some(text) = registers.item_under_way(cfg.reg) else { return Ok(None) };
                let Some((read, _)) = prefix(text.get(1..).unwrap_or_default())? else { return Ok(None) };
                // Where items may be equal after all, some are.
                let mut used = FxHashSet::default();
                for value in registers.used_values(cfg.reg).filter(|value| value.first() == Some(&b'"')) {
                    let text: String = serde_json::from_slice(value).expect("a string in canonical form");
                    let Some(rest) = text.strip_prefix(&*read) else { continue };
                    if self.terms.matches(must, rest)? {
                        used.insert(value);
                    }
                }
                Ok(Some(count > u64::from(narrow(used.len()))))
            }
            View::Key(_) | View::Net(_) => Ok(None),
        }
    }

    /// Whether a number that is no other item's has a spelling that goes on from here.
    fn number_left(
        &self,
        lex: LexId,
        registers: &impl Store,
        register: u32,
    ) -> Result<Option<bool>, Exhausted> {
        let Some(text) = registers.item_under_way(register) else { return Ok(None) };
        let now = canonical(&text);
        if self.lex_accepts(lex) && !registers.used_values(register).any(|used| *used == *now) {
            return Ok(Some(true));
        }
        let read = String::from_utf8_lossy(&text).into_owned();
        let rest_of = |number: &Decimal| self.spelling_after(&read, number);
        let must = self.vectors.get(self.lexes.get(lex.0).key.vector)[0];
        if let Some(values) = self.terms.listed_values(must) {
            for value in values {
                let form = canonical(value.to_string().as_bytes());
                let is_used = registers.used_values(register).any(|used| *used == *form);
                if !is_used && !self.terms.is_nothing(rest_of(&value)?)? {
                    return Ok(Some(true));
                }
            }
            return Ok(Some(false));
        }
        let mut rests: Vec<TermId> = Vec::new();
        for used in registers.used_values(register) {
            let Some(number) = spelled_number(used) else { continue };
            let Ok(number) = Decimal::parse(&number) else { return Ok(None) };
            rests.push(rest_of(&number)?);
        }
        let others = self.terms.not(self.terms.or(&rests));
        Ok(Some(!self.terms.is_nothing(self.terms.and(&[must, others]))?))
    }

    /// The rests of a number's spellings that begin with what has been read.
    fn spelling_after(&self, read: &str, number: &Decimal) -> Result<TermId, Exhausted> {
        let equal = condition::equal(number, self.policy.numbers);
        let mut rest = self.terms.from_regex(&equal).map_err(|e| exhausted(e.to_string()))?;
        for c in read.chars() {
            rest = self.terms.derive(rest, u32::from(c))?;
        }
        Ok(rest)
    }

    /// Inside a number of few values that are spelled in many ways: each value once, at the end of a spelling.
    fn number_ends(&self, at: Cfg, registers: &mut impl Store) -> Result<Option<Vec<Cfg>>, Exhausted> {
        let View::Lex(lex) = View::of(at.state) else { return Ok(None) };
        if !self.is_number(lex) {
            return Ok(None);
        }
        let must = self.vectors.get(self.lexes.get(lex.0).key.vector)[0];
        let (Some(values), Some(text)) = (self.terms.listed_values(must), registers.item_under_way(at.reg))
        else {
            return Ok(None);
        };
        let is_number_byte = |b: &u8| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.' | b'e' | b'E');
        let start = text.iter().rposition(|b| !is_number_byte(b)).map_or(0, |last| last + 1);
        let read = String::from_utf8_lossy(&text[start..]).into_owned();
        let mut ends = Vec::new();
        for value in values {
            let Some(rest) = self.terms.some_text(self.spelling_after(&read, &value)?)? else { continue };
            let mut end = Some(at);
            for byte in rest.bytes() {
                end = match end {
                    Some(end) => self.read(end, byte, registers)?,
                    None => None,
                };
            }
            ends.extend(end);
        }
        Ok(Some(ends))
    }

    /// Whether no item may be equal to another, whatever alternative holds.
    fn must_differ(&self, item: FrameId) -> bool {
        let Ret::Item { run, .. } = &self.rets.get(self.frames.get(item.0).ret.0).key else { return false };
        self.conjuncts(self.array(*run).must).iter().any(|&part| *self.formula(part) == Formula::Unique)
    }

    /// The frame of the innermost item that is compared with others.
    fn item_frame(&self, frame: FrameId) -> FrameId {
        let mut at = frame;
        while !self.compares(self.frames.get(at.0).ret) {
            at = self.frames.get(at.0).parent;
        }
        at
    }

    /// Whether a frame is an item's or lies above it.
    fn is_within(&self, frame: FrameId, item: FrameId) -> bool {
        let mut at = frame;
        while self.frames.get(at.0).compared {
            if at == item {
                return true;
            }
            at = self.frames.get(at.0).parent;
        }
        false
    }

    /// Whether a byte may lead to a value that others would not: whitespace and spellings of the same text need not be tried.
    fn is_worth_trying(&self, state: StateId, byte: u8, begun: bool) -> bool {
        let partial = match View::of(state) {
            View::Control(at) => {
                let awaits_newline = self.controls.get(at).key.whitespace().is_some_and(Ws::awaits_newline);
                return !matches!(byte, b' ' | b'\t' | b'\r') && (byte != b'\n' || awaits_newline);
            }
            View::Lex(lex) if self.is_number(lex) => {
                return matches!(byte, b',' | b']' | b'}' | b'-' | b'+' | b'.' | b'0'..=b'9' | b'e');
            }
            View::Lex(lex) => self.lexes.get(lex.0).key.partial,
            View::Key(at) => self.keys.get(at).key.partial,
            View::Net(_) => return true,
        };
        match partial {
            Partial::Clean => true,
            Partial::Escape => begun || byte != b'u',
            Partial::Hex { .. } => !byte.is_ascii_uppercase(),
            _ => true,
        }
    }

    fn is_in_escape(&self, state: StateId) -> bool {
        let partial = match View::of(state) {
            View::Control(_) | View::Net(_) => return false,
            View::Lex(lex) => self.lexes.get(lex.0).key.partial,
            View::Key(at) => self.keys.get(at).key.partial,
        };
        partial != Partial::Clean
    }

    /// Whether the item under way goes on to endlessly many values, whatever comes next, until what varies has ended.
    pub(crate) fn varies(&self, state: StateId, frame: FrameId) -> Result<bool, Exhausted> {
        if self.state_varies(state)? {
            return Ok(true);
        }
        let mut at = *self.frames.get(frame.0);
        while at.compared && !self.compares(at.ret) {
            let varies = match &self.rets.get(at.ret.0).key {
                Ret::Member { run, judged } if judged.is_empty() => self.object_varies(*run)?,
                Ret::Item { run, judged } if judged.is_empty() => {
                    self.array_varies(self.array_after(*run, judged, &[]))?
                }
                _ => false,
            };
            if varies {
                return Ok(true);
            }
            at = *self.frames.get(at.parent.0);
        }
        Ok(false)
    }

    fn state_varies(&self, state: StateId) -> Result<bool, Exhausted> {
        let at = match View::of(state) {
            View::Lex(lex) => {
                let key = &self.lexes.get(lex.0).key;
                let must = self.vectors.get(key.vector)[0];
                return match key.coding {
                    Coding::Number => Ok(self.terms.digits_go_on(must, 0)),
                    _ if self.terms.never_runs_out(must) => Ok(true),
                    // A code point under way may leave less than what is left before it.
                    _ => Ok(matches!(
                        key.partial,
                        Partial::Clean | Partial::SkipUtf8 { .. } | Partial::SkipHex { .. }
                    ) && self.text_count(must)? == Domain::Endless),
                };
            }
            View::Key(at) => return self.key_varies(at),
            View::Control(at) => at,
            View::Net(_) => return Ok(false),
        };
        Ok(match &self.controls.get(at).key {
            Control::Value { value, .. } => self.value_varies(*value),
            Control::Colon { ret, value, .. } => self.member_varies(Member { ret: *ret, value: *value })?,
            Control::ObjectOpen { run, .. } | Control::ObjectKey { run, .. } => self.object_varies(*run)?,
            Control::ArrayOpen { run, .. } => self.array_varies(*run)?,
            // Whitespace after a member or an item may promise that no other follows.
            Control::ObjectNext { run, ws } => self.may_separate(*ws) && self.object_varies(*run)?,
            Control::ArrayNext { run, ws } => self.may_separate(*ws) && self.array_varies(*run)?,
            Control::Literal { .. } | Control::Done { .. } => false,
        })
    }

    /// Whether a lexeme varies endlessly after whatever bytes leave it open.
    pub(crate) fn always_varies(&self, lex: LexId) -> bool {
        let key = &self.lexes.get(lex.0).key;
        key.coding == Coding::Json && self.terms.never_runs_out(self.vectors.get(key.vector)[0])
    }

    /// Whether the value of a member varies endlessly, or what comes after it.
    fn member_varies(&self, member: Member) -> Result<bool, Exhausted> {
        let object_varies = || match &self.rets.get(member.ret.0).key {
            Ret::Member { run, judged } if judged.is_empty() => self.object_varies(*run),
            _ => Ok(false),
        };
        Ok(self.value_varies(member.value) || object_varies()?)
    }

    fn value_varies(&self, value: ValueId) -> bool {
        self.domain(self.value(value).must, 0) == Domain::Endless
    }

    /// Whether further members of an object can vary endlessly.
    fn object_varies(&self, run: RunId) -> Result<bool, Exhausted> {
        if let Some(known) = self.varies_memo.get(&run) {
            return Ok(*known);
        }
        let mut varies = self.spelling.is_complete()
            && matches!(self.others(run)?, Others::All | Others::Some(_, Supply::Endless));
        let names = narrow(self.names_by_rank(self.run(run).names).len());
        for rank in 0..names {
            varies = varies || self.known_member_varies(run, rank)?;
        }
        self.varies_memo.insert(run, varies);
        Ok(varies)
    }

    fn known_member_varies(&self, run: RunId, rank: u32) -> Result<bool, Exhausted> {
        match self.key_event(run, KeyAt::Known(rank))? {
            Some(member) => Ok(self.value_varies(member.value)),
            None => Ok(false),
        }
    }

    /// Whether every name that a key can still become leaves the object values enough.
    fn key_varies(&self, at: u32) -> Result<bool, Exhausted> {
        let key = self.keys.get(at).key;
        if key.others != NO_OTHER {
            let endless = matches!(self.others(key.run)?, Others::All | Others::Some(_, Supply::Endless));
            return Ok(endless && self.spelling.is_complete());
        }
        let trie = self.name_trie(self.run(key.run).names);
        for &rank in trie.ranks_below(key.node) {
            let Some(member) = self.key_event(key.run, KeyAt::Known(rank))? else { continue };
            if !self.member_varies(member)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether further items of an array can vary endlessly, in their values or in their number.
    fn array_varies(&self, run: ArrayId) -> Result<bool, Exhausted> {
        let Some(item) = self.item_event(run)? else { return Ok(false) };
        if self.value_varies(item.value) {
            return Ok(true);
        }
        Ok(match &self.rets.get(item.ret.0).key {
            Ret::Item { run: pending, judged } if judged.is_empty() => {
                !self.array(run).compares && self.array_after(*pending, judged, &[]) == run
            }
            _ => false,
        })
    }
}
