//! The general case of a move: several positions, calls within calls, and returns, at one byte.
//!
//! Whoever is at its end before the byte returns to those who wait for it, who read the byte in turn. Rules that begin with the byte
//! are entered once each, however many call them; then frames are made for those that have read it, callees after
//! their callers. This is one step of an Earley recogniser (1970) on stacks that are interned by value.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::automaton::control::{Control, Ret};
use crate::automaton::decode::Coding;
use crate::automaton::effort;
use crate::automaton::formula::exhausted;
use crate::automaton::lexeme::{LexEdge, LexId, is_number_byte};
use crate::automaton::rules::frames::{Member, NET_ROOT};
use crate::automaton::rules::net::Net;
use crate::automaton::rules::part::{END, PosId};
use crate::automaton::rules::reached::Reached;
use crate::automaton::rules::{RuleAt, SEVERAL_RET, Target};
use crate::automaton::state::{Edge, Op, View};
use crate::automaton::universe::Universe;
use crate::automaton::value::ValueId;
use crate::automaton::whitespace::Ws;
use crate::error::Exhausted;
use crate::index::{FrameId, StateId, TokenId};
use crate::limits;

/// So many calls take one step.
const CALLS_A_STEP: usize = 2;

/// Who can be called.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Callee {
    Rule(RuleAt),
    Value(ValueId),
}

/// Where a callee's caller waits: over a frame, or over that of a rule which is entered at the same byte.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Below {
    Frame(FrameId),
    Callee(Callee),
}

/// What comes next: a byte, or a token as a letter.
#[derive(Clone, Copy)]
enum Letter {
    Byte(u8),
    Token(TokenId),
    /// Nothing is read: texts and values are only brought to the front.
    None,
}

/// One move under way.
struct Moving<'u> {
    universe: &'u Universe,
    letter: Letter,
    /// Positions that read the letter, each over its frame.
    reached: Reached<()>,
    /// States that are not of a grammar, which read the byte by themselves.
    others: Vec<(StateId, FrameId)>,
    /// Who has read the letter, by frame.
    read: FxHashMap<FrameId, Vec<PosId>>,
    /// Who has read it inside rules entered now.
    read_inside: FxHashMap<Callee, Vec<PosId>>,
    /// Who waits for the rules entered now.
    waiting: FxHashMap<Callee, Vec<(PosId, Below)>>,
    /// The same, to find out quickly who waits already.
    known_waiting: FxHashSet<(Callee, PosId, Below)>,
    entered: Vec<Callee>,
    /// JSON strings that the byte closes: whoever waits for them, and the answers.
    closed: Vec<(FrameId, u32)>,
}

impl Universe {
    /// Where a byte leads a net state whose edge depends on the frame.
    pub(crate) fn net_move(&self, state: StateId, frame: FrameId, byte: u8) -> Result<Target, Exhausted> {
        let key = (state, frame, byte);
        if let Some(known) = self.rules.moves.get(&key) {
            return Ok(*known);
        }
        self.check_room()?;
        let target = Moving::new(self, Letter::Byte(byte)).from(state, frame)?;
        self.rules.moves.insert(key, target);
        Ok(target)
    }

    /// The configuration as one in which everything that can be read next stands in front: texts under way, and values.
    pub(crate) fn net_fronts(
        &self,
        state: StateId,
        frame: FrameId,
    ) -> Result<Vec<(StateId, FrameId)>, Exhausted> {
        Moving::new(self, Letter::None).fronts(state, frame)
    }

    /// Where a token leads a configuration as a letter of its own.
    pub(crate) fn net_letter(
        &self,
        state: StateId,
        frame: FrameId,
        token: TokenId,
    ) -> Result<Target, Exhausted> {
        if self.rules.letters.is_empty() {
            return Ok(None);
        }
        Moving::new(self, Letter::Token(token)).from(state, frame)
    }

    /// Whoever waits for a JSON string, and the answers with which a quote closes it, if the quote does nothing else.
    pub(crate) fn net_closes(
        &self,
        state: StateId,
        frame: FrameId,
    ) -> Result<Option<(FrameId, u32)>, Exhausted> {
        if self.sentences.is_empty() {
            return Ok(None);
        }
        let mut moving = Moving::new(self, Letter::Byte(b'"'));
        moving.read_all(state, frame)?;
        let is_alone = moving.read.is_empty() && moving.entered.is_empty() && moving.others.is_empty();
        Ok(match moving.closed[..] {
            [only] if is_alone => Some(only),
            _ => None,
        })
    }

    /// Two configurations as one: what either allows is allowed.
    pub(crate) fn either(&self, a: (StateId, FrameId), b: (StateId, FrameId)) -> (StateId, FrameId) {
        let mut slots = Vec::new();
        for (state, frame) in [a, b] {
            match View::of(state) {
                View::Net(at) => match self.net(at) {
                    Net::Set(_) => slots.push((state, frame)),
                    Net::Many(many) => slots.extend_from_slice(many),
                },
                _ => slots.push((state, frame)),
            }
        }
        self.net_many(slots)
    }

    /// The tokens that may follow as letters, in any order.
    pub(crate) fn net_letters(&self, state: StateId, frame: FrameId, found: &mut Vec<TokenId>) {
        if self.rules.letters.is_empty() {
            return;
        }
        let mut pending = self.positions_of(state, frame);
        let mut seen: FxHashSet<(PosId, FrameId)> = pending.iter().copied().collect();
        let mut returned = FxHashSet::default();
        let mut rules = FxHashSet::default();
        let mut lists = std::collections::BTreeSet::new();
        while let Some((position, frame)) = pending.pop() {
            let leaves = self.rules.leaves(position);
            lists.extend(leaves.letters.iter().map(|&(list, _)| list));
            let bodies = leaves.calls.iter().filter(|(rule, _)| rules.insert(*rule));
            pending.extend(bodies.map(|&(rule, _)| (self.body(rule), NET_ROOT)));
            if leaves.ends && frame != NET_ROOT && returned.insert(frame) {
                pending.extend(self.members(frame).filter(|member| seen.insert(*member)));
            }
        }
        for list in lists {
            found.extend_from_slice(self.rules.letters.get(list));
        }
    }

    /// Whether the text read so far is complete.
    pub(crate) fn net_accepts(&self, state: StateId, frame: FrameId) -> bool {
        let mut pending = self.positions_of(state, frame);
        let mut returned = FxHashSet::default();
        while let Some((position, frame)) = pending.pop() {
            if !self.rules.leaves(position).ends {
                continue;
            }
            if frame == NET_ROOT {
                return true;
            }
            if returned.insert(frame) {
                pending.extend(self.members(frame));
            }
        }
        false
    }

    /// The positions of a configuration, each over its frame. A value at its end stands for those who wait for it.
    fn positions_of(&self, state: StateId, frame: FrameId) -> Vec<Member> {
        let mut positions = Vec::new();
        let mut pending = vec![(state, frame)];
        while let Some((state, frame)) = pending.pop() {
            match View::of(state) {
                View::Net(at) => match self.net(at) {
                    Net::Set(set) => positions.extend(set.iter().map(|&position| (position, frame))),
                    Net::Many(slots) => pending.extend(slots),
                },
                View::Lex(lex) if self.is_value_end(lex, frame) => positions.extend(self.members(frame)),
                _ => {}
            }
        }
        positions
    }

    /// The positions of a net state, each over its frame; `None` if some state is not of a grammar.
    pub(crate) fn positions_by_frame(&self, state: StateId, frame: FrameId) -> Option<Vec<Member>> {
        let View::Net(at) = View::of(state) else { return None };
        match self.net(at) {
            Net::Set(set) => Some(set.iter().map(|&position| (position, frame)).collect()),
            Net::Many(slots) => {
                let mut positions = Vec::new();
                for &(state, frame) in slots {
                    let View::Net(at) = View::of(state) else { return None };
                    let Net::Set(set) = self.net(at) else { return None };
                    positions.extend(set.iter().map(|&position| (position, frame)));
                }
                Some(positions)
            }
        }
    }

    /// Where whoever waits on a frame goes on when its callee has ended with an outcome.
    #[inline]
    pub(crate) fn popped(&self, frame: FrameId, outcome: u32) -> (StateId, FrameId) {
        let data = self.frames.get(frame.0);
        if data.ret == SEVERAL_RET {
            self.popped_several(frame)
        } else {
            (self.after(data.ret, outcome), data.parent)
        }
    }

    /// A state for each frame, positions aside that are over another frame which covers theirs.
    fn by_frame(
        &self,
        mut read: FxHashMap<FrameId, Vec<PosId>>,
    ) -> Result<Vec<(StateId, FrameId)>, Exhausted> {
        if read.len() > 1 {
            // Order does not matter: members are sorted.
            let each = read.iter().flat_map(|(&frame, read)| read.iter().map(move |&at| (at, frame)));
            let mut members: Vec<Member> = each.collect();
            self.leave_covered_out(&mut members)?;
            read = FxHashMap::default();
            for (position, frame) in members {
                read.entry(frame).or_default().push(position);
            }
        }
        let mut frames: Vec<FrameId> = read.keys().copied().collect();
        frames.sort_unstable();
        let state = |frame| (self.net_set(read.remove(&frame).unwrap_or_default()), frame);
        Ok(frames.into_iter().map(state).collect())
    }

    fn popped_several(&self, frame: FrameId) -> (StateId, FrameId) {
        let mut by_frame: FxHashMap<FrameId, Vec<PosId>> = FxHashMap::default();
        for (position, parent) in self.members(frame) {
            by_frame.entry(parent).or_default().push(position);
        }
        // Order does not matter: slots are sorted.
        let mut frames: Vec<FrameId> = by_frame.keys().copied().collect();
        frames.sort_unstable();
        let slots = frames
            .into_iter()
            .map(|parent| (self.net_set(by_frame.remove(&parent).unwrap_or_default()), parent));
        self.net_many(slots.collect())
    }

    /// Whether a byte goes on with a number under way, or ends it and is read by a rule that waits for it.
    #[inline]
    pub(crate) fn is_either(&self, lex: LexId, frame: FrameId, byte: u8) -> bool {
        is_number_byte(byte) && !self.rules.is_unused() && self.is_value_end(lex, frame)
    }

    /// Whether what comes after the value over a frame can begin with a byte of a number: then a number over the frame may end
    /// where it can also go on, and classes, which know one way only, don't tell its tokens.
    pub(crate) fn number_may_run_on(&self, frame: FrameId) -> Result<bool, Exhausted> {
        if self.rules.is_unused() || !self.is_waited_for(frame) {
            return Ok(false);
        }
        let (state, parent) = self.popped(frame, 0);
        for byte in (0..=u8::MAX).filter(|&byte| is_number_byte(byte)) {
            if self.step(state, parent, byte)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a rule of a grammar waits for the value over a frame.
    fn is_waited_for(&self, frame: FrameId) -> bool {
        let ret = self.frames.get(frame.0).ret;
        ret == SEVERAL_RET || matches!(self.rets.get(ret.0).key, Ret::Position(_))
    }

    /// Whether the state is a number that may end here, and a rule of a grammar waits for it.
    fn is_value_end(&self, lex: LexId, frame: FrameId) -> bool {
        self.is_waited_for(frame)
            && self.lexes.get(lex.0).key.coding == Coding::Number
            && self.lex_accepts(lex)
    }

    pub(super) fn body(&self, rule: RuleAt) -> PosId {
        self.rules.rule(rule).body.get().copied().unwrap_or(END)
    }

    /// The state before an embedded value.
    fn value_start(&self, value: ValueId) -> StateId {
        self.control_id(&Control::Value { value, ws: Ws::NONE })
    }

    /// Whether a JSON value begins with a byte.
    pub(super) fn value_begins(&self, value: ValueId, byte: u8) -> Result<bool, Exhausted> {
        match View::of(self.value_start(value)) {
            View::Control(at) => Ok(self.control_edge(at, byte)?.0 != Edge::Dead),
            _ => Ok(false),
        }
    }
}

impl<'u> Moving<'u> {
    fn new(universe: &'u Universe, letter: Letter) -> Self {
        Self {
            universe,
            letter,
            reached: Reached::new(),
            others: Vec::new(),
            read: FxHashMap::default(),
            read_inside: FxHashMap::default(),
            waiting: FxHashMap::default(),
            known_waiting: FxHashSet::default(),
            entered: Vec::new(),
            closed: Vec::new(),
        }
    }

    fn from(mut self, state: StateId, frame: FrameId) -> Result<Target, Exhausted> {
        self.read_all(state, frame)?;
        self.finish()
    }

    fn fronts(mut self, state: StateId, frame: FrameId) -> Result<Vec<(StateId, FrameId)>, Exhausted> {
        self.read_all(state, frame)?;
        let mut slots = self.slots()?;
        slots.extend_from_slice(&self.others);
        Ok(slots)
    }

    fn read_all(&mut self, state: StateId, frame: FrameId) -> Result<(), Exhausted> {
        self.start(state, frame)?;
        while let Some((position, frame, ())) = self.reached.next(self.universe)? {
            effort::spend(1)?;
            self.read(position, Below::Frame(frame))?;
            if self.reached.len() > limits::GRAMMAR_ITEMS_MAX {
                return Err(exhausted(format!(
                    "where a byte leads an ambiguous text: more than {} items (GRAMMAR_ITEMS_MAX)",
                    limits::GRAMMAR_ITEMS_MAX
                )));
            }
        }
        let mut next = 0;
        while let Some(&callee) = self.entered.get(next) {
            effort::spend(1)?;
            if let Callee::Rule(rule) = callee {
                self.read(self.universe.body(rule), Below::Callee(callee))?;
            }
            next += 1;
        }
        Ok(())
    }

    fn start(&mut self, state: StateId, frame: FrameId) -> Result<(), Exhausted> {
        match View::of(state) {
            View::Net(at) => match self.universe.net(at) {
                Net::Set(positions) => {
                    for &position in positions {
                        self.reached.add(self.universe, (position, frame), ())?;
                    }
                }
                Net::Many(slots) => {
                    // The last frames were made last, and may cover others.
                    for &(state, frame) in slots.iter().rev() {
                        self.start(state, frame)?;
                    }
                }
            },
            View::Lex(lex) if self.universe.is_value_end(lex, frame) => {
                self.reached.return_to(self.universe, frame, ())?;
                self.others.push((state, frame));
            }
            _ => self.others.push((state, frame)),
        }
        Ok(())
    }

    /// A position reads the letter: what goes on is kept, rules that begin with it are entered.
    fn read(&mut self, position: PosId, below: Below) -> Result<(), Exhausted> {
        let universe = self.universe;
        let leaves = universe.rules.leaves(position);
        effort::spend(leaves.calls.len() / CALLS_A_STEP)?;
        if let Letter::Byte(byte) = self.letter
            && leaves.values.is_empty()
            && !universe.first_of_position(position)?.contains(byte)
        {
            return Ok(());
        }
        let goes: Vec<PosId> = match self.letter {
            Letter::Byte(byte) => {
                let read = universe.read_byte(&[position], byte)?;
                for (rule, rest) in read.calls {
                    self.call(Callee::Rule(rule), rest, below);
                }
                if read.values {
                    for &(value, rest) in &leaves.values {
                        if universe.value_begins(value, byte)? {
                            self.call(Callee::Value(value), rest, below);
                        }
                    }
                }
                if let (Some(outcome), Below::Frame(frame)) = (read.closes, below)
                    && !self.closed.contains(&(frame, outcome))
                {
                    self.closed.push((frame, outcome));
                }
                read.goes
            }
            Letter::Token(token) => {
                for &(rule, rest) in &leaves.calls {
                    self.call(Callee::Rule(rule), rest, below);
                }
                let has = |list: u32| universe.rules.letters.get(list).binary_search(&token).is_ok();
                leaves.letters.iter().filter(|(list, _)| has(*list)).map(|&(_, rest)| rest).collect()
            }
            Letter::None => {
                for &(rule, rest) in &leaves.calls {
                    self.call(Callee::Rule(rule), rest, below);
                }
                for &(value, rest) in &leaves.values {
                    self.call(Callee::Value(value), rest, below);
                }
                let lexes = leaves.lexes.iter().map(|&(lex, rest)| universe.before_lexeme(lex, rest));
                lexes.chain(leaves.quotes.iter().map(|&outcome| universe.rules.quote(outcome))).collect()
            }
        };
        if !goes.is_empty() {
            match below {
                Below::Frame(frame) => self.read.entry(frame).or_default().extend(goes),
                Below::Callee(callee) => self.read_inside.entry(callee).or_default().extend(goes),
            }
        }
        Ok(())
    }

    fn call(&mut self, callee: Callee, rest: PosId, below: Below) {
        let waiting = self.waiting.entry(callee).or_insert_with(|| {
            self.entered.push(callee);
            Vec::new()
        });
        if self.known_waiting.insert((callee, rest, below)) {
            waiting.push((rest, below));
        }
    }

    /// Frames for the rules that have read the letter; then all that has, as one configuration.
    fn finish(mut self) -> Result<Target, Exhausted> {
        let mut slots: Vec<(StateId, FrameId, Op)> = Vec::new();
        for (state, frame) in self.slots()? {
            match (View::of(state), self.letter) {
                (View::Control(_), Letter::Byte(byte)) => {
                    slots.extend(self.universe.step(state, frame, byte)?)
                }
                _ => slots.push((state, frame, Op::None)),
            }
        }
        if let Letter::Byte(byte) = self.letter {
            for &(state, frame) in &self.others {
                slots.extend(match View::of(state) {
                    // Whoever waits for its end has read the byte as well.
                    View::Lex(lex) if self.universe.is_value_end(lex, frame) => {
                        match self.universe.lex_edge(lex, self.universe.lex_row(lex)?, byte)? {
                            LexEdge::Go(next) => Some((View::Lex(next).id(), frame, Op::None)),
                            _ => None,
                        }
                    }
                    _ => self.universe.step(state, frame, byte)?,
                });
            }
        }
        slots.extend(self.closed.iter().map(|&(frame, outcome)| {
            let (state, parent) = self.universe.popped(frame, outcome);
            (state, parent, Op::None)
        }));
        self.together(slots)
    }

    /// Frames for the rules that have been entered; positions that go on by frame, and the values that begin, each before its
    /// first byte.
    fn slots(&mut self) -> Result<Vec<(StateId, FrameId)>, Exhausted> {
        let frames = self.frames()?;
        let mut slots = Vec::new();
        let inside = std::mem::take(&mut self.read_inside);
        for callee in &self.entered {
            let Some(&frame) = frames.get(callee) else { continue };
            match *callee {
                Callee::Value(value) => slots.push((self.universe.value_start(value), frame)),
                Callee::Rule(_) => {
                    if let Some(read) = inside.get(callee) {
                        self.read.entry(frame).or_default().extend(read);
                    }
                }
            }
        }
        self.settle();
        slots.extend(self.universe.by_frame(std::mem::take(&mut self.read))?);
        Ok(slots)
    }

    /// Whoever has nothing left to match is replaced by those who wait for it, if nobody else is over its frame.
    fn settle(&mut self) {
        let all_ended = |(frame, read): &(&FrameId, &Vec<PosId>)| {
            **frame != NET_ROOT && read.iter().all(|position| *position == END)
        };
        let mut ended: Vec<FrameId> = self.read.iter().filter(all_ended).map(|(frame, _)| *frame).collect();
        ended.sort_unstable();
        for frame in ended {
            // Nobody but the root has somebody waiting who has nothing left to match, so this need not be done again.
            let mut others = self.read.remove(&frame).unwrap_or_default();
            others.retain(|position| *position != END);
            if !others.is_empty() {
                self.read.insert(frame, others);
            }
            for (position, parent) in self.universe.members(frame) {
                self.read.entry(parent).or_default().push(position);
            }
        }
    }

    /// The frame of each rule entered whose texts have begun, callers before callees.
    fn frames(&self) -> Result<FxHashMap<Callee, FrameId>, Exhausted> {
        let mut frames: FxHashMap<Callee, FrameId> = FxHashMap::default();
        let needed = self
            .entered
            .iter()
            .filter(|callee| matches!(callee, Callee::Value(_)) || self.read_inside.contains_key(callee));
        for &callee in needed {
            let mut open = vec![callee];
            while let Some(&at) = open.last() {
                if frames.contains_key(&at) {
                    open.pop();
                    continue;
                }
                let waiting = self.waiting.get(&at).map(Vec::as_slice).unwrap_or_default();
                let missing = waiting.iter().filter_map(|(_, below)| match below {
                    Below::Callee(below) if !frames.contains_key(below) => Some(*below),
                    _ => None,
                });
                let missing: Vec<Callee> = missing.collect();
                if !missing.is_empty() {
                    open.extend(missing);
                    continue;
                }
                let members = waiting.iter().map(|&(rest, below)| match below {
                    Below::Frame(frame) => (rest, frame),
                    Below::Callee(below) => (rest, frames[&below]),
                });
                let members: Vec<Member> = members.collect();
                frames.insert(at, self.universe.frame_of(&members)?);
                open.pop();
            }
        }
        Ok(frames)
    }

    fn together(&self, mut slots: Vec<(StateId, FrameId, Op)>) -> Result<Target, Exhausted> {
        if slots.len() <= 1 {
            return Ok(slots.pop());
        }
        if slots.iter().any(|(.., op)| *op != Op::None) {
            return Err(exhausted(
                "a JSON value beside other alternatives of a grammar: names or items of objects and arrays that must be \
                 kept can't be kept for one of several parses (give the alternatives different beginnings)",
            ));
        }
        let slots = slots.into_iter().map(|(state, frame, _)| (state, frame)).collect();
        let (state, frame) = self.universe.net_many(slots);
        Ok(Some((state, frame, Op::None)))
    }
}
