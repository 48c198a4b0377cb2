//! Walks of a token trie from a configuration.
//!
//! Depth first, pruned where a byte is dead. Where the walk enters a value or a lexeme above many tokens, its class
//! answers for all of them at once, and only the exits go on from the continuation. Tokens that begin with whitespace
//! come from tables (`padding.rs`). Keys of objects that allow other names start from the free string's class; then
//! the few subtries in which the key closes on a known name are done again, exactly.
//!
//! A walk from the boundary frame makes a class: what would go on below that frame is collected as an exit.
//!
//! With `Caching::Off` nothing but the trie is used, byte by byte.

mod keys;
mod net;

use std::sync::Arc;

use crate::automaton::class::{Class, Exit, Exits, Names, Region};
use crate::automaton::control::Control;
use crate::automaton::descent::{Reader, are_few, descend};
use crate::automaton::key::Key;
use crate::automaton::mask::{Base, Scratch, is_conditional};
use crate::automaton::rules::NetEdge;
use crate::automaton::rules::position::Room;
use crate::automaton::state::{Edge, Op, Reread, View};
use crate::automaton::token_set::TokenSet;
use crate::automaton::universe::{BOUNDARY_FRAME, Caching, Universe};
use crate::automaton::whitespace::Ws;
use crate::error::Exhausted;
use crate::index::{FrameId, StateId, TokenId, widen};
use crate::vocab::{ByteSet, Fan, TokenTrie};

/// Below so many nodes a walk just goes on byte by byte.
const CLASS_NODES_MIN: u32 = 24;

/// One point of a path.
#[derive(Clone, Copy)]
struct Point {
    state: StateId,
    frame: FrameId,
    names: Names,
    ahead: Ahead,
}

/// What a look ahead has read that makes no states of its own: `state` is that before it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ahead {
    Nothing,
    /// Whitespace at a position.
    Padding(Ws),
    /// Bytes of a key.
    Key(Key),
}

impl Point {
    fn new(state: StateId, frame: FrameId, names: Names) -> Self {
        Self { state, frame, names, ahead: Ahead::Nothing }
    }
}

/// Where a byte leads a point.
enum Moved {
    Dead,
    To(Point),
    /// The boundary frame is popped; the byte belongs to what is left or, read again, to what follows.
    Out {
        outcome: u32,
        names: Names,
        reread: Reread,
    },
}

/// See the module.
pub(crate) struct Walk<'a> {
    universe: &'a Universe,
    scratch: &'a mut Scratch,
    /// Only these tokens count, while the exits of a length window are walked.
    only: Option<Lengths>,
    /// What leaves the boundary frame.
    exits: Exits<'a>,
    purpose: Purpose,
    room: Room,
    /// What the mask that is asked for has beside its base and the tokens set: by address, ascending, each once.
    pub(crate) interiors: Vec<Base>,
}

/// What a walk is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Mask,
    /// No other value's class is asked for: tokens may nest values deeply, and so would the making of classes.
    Class,
}

/// The tokens whose lexeme part has a length within bounds.
struct Lengths {
    of: Arc<[u16]>,
    min: u64,
    max: u64,
}

impl Lengths {
    fn has(&self, token: TokenId) -> bool {
        let len = u64::from(self.of[token.index()]);
        self.min <= len && len <= self.max
    }
}

/// A node in a trie, and the region that the trie is part of if classes are kept for it.
#[derive(Clone, Copy)]
struct Place<'t> {
    trie: &'t TokenTrie,
    node: u32,
    region: Option<Region>,
}

impl<'t> Place<'t> {
    fn of(universe: &'t Universe, region: Region) -> Self {
        Self { trie: universe.trie_of(region), node: region.node, region: Some(region) }
    }

    fn suffixes(trie: &'t TokenTrie) -> Self {
        Self { trie, node: TokenTrie::ROOT, region: None }
    }

    fn at(self, node: u32) -> Self {
        Self { node, region: self.region.map(|region| region.at(node)), ..self }
    }
}

impl<'a> Walk<'a> {
    pub(crate) fn new(universe: &'a Universe, scratch: &'a mut Scratch) -> Self {
        Self {
            universe,
            scratch,
            only: None,
            exits: Exits::default(),
            purpose: Purpose::Mask,
            room: Room::default(),
            interiors: Vec::new(),
        }
    }

    /// Sets every token of the configuration's mask beyond the base that it returns.
    pub(crate) fn mask(
        &mut self,
        state: StateId,
        frame: FrameId,
    ) -> Result<Option<Arc<TokenSet>>, Exhausted> {
        let universe = self.universe;
        let point = Point::new(state, frame, Names::Certain);
        if universe.caching == Caching::Off {
            self.below(Place::of(universe, Region::WHOLE), point)?;
            return Ok(None);
        }
        let compared = self.is_compared(point);
        if matches!(View::of(state), View::Lex(_) | View::Control(_)) && universe.number_may_run_on(frame)? {
            self.below(Place::of(universe, Region::WHOLE), point)?;
            return Ok(None);
        }
        let class = match View::of(state) {
            View::Lex(lex) if compared && !universe.always_varies(lex) => {
                self.below(Place::of(universe, Region::WHOLE), point)?;
                return Ok(None);
            }
            View::Lex(lex) => universe.class(lex, Region::WHOLE)?,
            View::Control(at) if is_value(universe, at) && !compared => {
                universe.value_class(state, Region::WHOLE)?
            }
            View::Control(at) => return self.position(at, point),
            View::Net(_) => return self.net_mask(point),
            View::Key(at) => {
                let base = self.key_base(at, frame)?;
                if base.is_none() {
                    self.below(Place::of(universe, Region::WHOLE), point)?;
                }
                return Ok(base);
            }
        };
        self.scratch.conditional.extend_from_slice(&class.conditional);
        self.exits_from(&class, Place::of(universe, Region::WHOLE), point)?;
        Ok(Some(Arc::clone(&class.interior)))
    }

    /// Tokens that stay inside a key may leave its object no value that is not used.
    fn judge_interior(&mut self, class: &Class, point: Point) -> Result<(), Exhausted> {
        if self.is_compared(point) && !self.universe.varies(point.state, point.frame)? {
            class.interior.for_each(|token| self.scratch.conditional.push(token));
        }
        Ok(())
    }

    /// The class of the state before a value, below a node.
    pub(crate) fn class(universe: &Universe, state: StateId, region: Region) -> Result<Class, Exhausted> {
        let mut scratch = Scratch::of(universe);
        let mut walk = Walk { purpose: Purpose::Class, ..Walk::new(universe, &mut scratch) };
        let point = Point::new(state, BOUNDARY_FRAME, Names::Certain);
        match View::of(state) {
            View::Control(at) if region == Region::WHOLE => {
                if let Some(base) = walk.position(at, point)? {
                    base.for_each(|token| walk.scratch.set(token));
                }
            }
            _ => walk.below(Place::of(universe, region), point)?,
        }
        let exits = walk.exits.finish();
        let (tokens, conditional) = scratch.take(None);
        Ok(Class { interior: universe.interior(tokens, region), conditional, ends: None, exits })
    }

    /// A structural position: the tokens of whitespace are its base.
    fn position(&mut self, at: u32, point: Point) -> Result<Option<Arc<TokenSet>>, Exhausted> {
        let universe = self.universe;
        let whole = Place::of(universe, Region::WHOLE);
        let Some((table, begun)) = universe.padding_at(at) else {
            self.below(whole, point)?;
            return Ok(None);
        };
        // Whitespace is done by the table, so none counts here.
        self.below(whole, Point { ahead: Ahead::Padding(Ws::FULL), ..point })?;
        let rests = Place::of(universe, Region { table: table + 1, node: TokenTrie::ROOT });
        let begun = Point { state: begun, ..point };
        self.below(rests, begun)?;
        let base = Arc::clone(&universe.padding(table).tokens);
        if self.names_at(begun)? == Names::Conditional {
            base.for_each(|token| self.scratch.conditional.push(token));
        }
        Ok(Some(base))
    }

    fn exits_from(&mut self, class: &Class, at: Place<'_>, from: Point) -> Result<(), Exhausted> {
        if let Some(outcome) = class.ends {
            match self.popped(outcome, from) {
                Some(point) => self.goes_on(at, point)?,
                None => {
                    let kept = widen(at.trie.depth(at.node));
                    for child in at.trie.children(at.node) {
                        self.leave(at.trie, child, kept, outcome, from.names);
                    }
                }
            }
        }
        for exit in &class.exits {
            self.only = self.lengths(exit);
            let from = Point { names: either(from.names, exit.names), ..from };
            let done = match self.popped(exit.outcome, from) {
                Some(point) => self.suffixes(&exit.trie, point),
                None => {
                    self.leave(&exit.trie, TokenTrie::ROOT, 0, exit.outcome, from.names);
                    Ok(())
                }
            };
            self.only = None;
            done?;
        }
        Ok(())
    }

    /// After a lexeme that ended before the first byte.
    fn goes_on(&mut self, at: Place<'_>, point: Point) -> Result<(), Exhausted> {
        match View::of(point.state) {
            View::Control(control) if at.region == Some(Region::WHOLE) => {
                let base = self.position(control, point)?;
                if let Some(base) = base {
                    let names = self.names_at(point)?;
                    base.for_each(|token| self.set(token, names));
                }
                Ok(())
            }
            _ => self.below(at, point),
        }
    }

    /// Where the continuation goes on; `None` at the boundary.
    fn popped(&self, outcome: u32, from: Point) -> Option<Point> {
        if from.frame == BOUNDARY_FRAME {
            return None;
        }
        let frame = self.universe.frames.get(from.frame.0);
        // Whether the item that ends is equal to another, only the registers know.
        let names = if self.universe.compares(frame.ret) { Names::Conditional } else { from.names };
        let (state, parent) = self.universe.popped(from.frame, outcome);
        Some(Point::new(state, parent, names))
    }

    /// Collects the tokens below a node, whose strings leave the boundary frame after `kept` bytes.
    fn leave(&mut self, trie: &TokenTrie, node: u32, kept: usize, outcome: u32, names: Names) {
        let only = self.only.as_ref();
        let counts = |token| only.is_none_or(|only| only.has(token));
        self.universe.remainders(trie, node, kept, counts, self.exits.list(outcome, names));
    }

    fn lengths(&self, exit: &Exit) -> Option<Lengths> {
        exit.window.map(|(min, max)| Lengths { of: self.universe.measures_of_tokens(), min, max })
    }

    fn suffixes(&mut self, trie: &TokenTrie, from: Point) -> Result<(), Exhausted> {
        self.allow(trie, TokenTrie::ROOT, self.names_at(from)?);
        self.below(Place::suffixes(trie), from)
    }

    /// Whether only the registers can judge a token that ends at a point.
    fn names_at(&self, point: Point) -> Result<Names, Exhausted> {
        let universe = self.universe;
        let concerned = point.names == Names::Certain
            && (universe.may_run_out(point.state)?.is_some()
                || (self.is_compared(point) && !universe.varies(point.state, point.frame)?));
        Ok(if concerned { Names::Conditional } else { point.names })
    }

    /// Whether the point is inside an item that is compared with others.
    fn is_compared(&self, point: Point) -> bool {
        self.universe.frames.get(point.frame.0).compared
    }

    fn allow(&mut self, trie: &TokenTrie, node: u32, names: Names) {
        for &token in trie.tokens(node) {
            if self.only.as_ref().is_none_or(|only| only.has(token)) {
                self.set(token, names);
            }
        }
    }

    fn set(&mut self, token: TokenId, names: Names) {
        self.scratch.set(token);
        if names == Names::Conditional {
            self.scratch.conditional.push(token);
        }
    }

    /// Sets the tokens below a place that can be read from a point.
    fn below(&mut self, place: Place<'_>, from: Point) -> Result<(), Exhausted> {
        descend(place.trie, place.node, from, &mut Below { walk: self, place })
    }

    /// The bytes that can be read from a point, where they are known to be few.
    fn next_bytes(&self, point: Point) -> Option<ByteSet> {
        let universe = self.universe;
        if universe.caching == Caching::Off {
            return None;
        }
        match View::of(point.state) {
            View::Control(at) => Some(universe.controls.get(at).key.next_bytes()),
            View::Key(at) => universe.next_key_bytes(&self.key_at(at, point)),
            View::Lex(_) | View::Net(_) => None,
        }
    }

    fn step(&self, from: Point, byte: u8) -> Result<Moved, Exhausted> {
        match (View::of(from.state), from.ahead) {
            (View::Key(_), Ahead::Key(key)) => return self.key_step(from, &key, byte),
            (View::Key(at), Ahead::Nothing) if self.looks_ahead(from) => {
                return self.key_step(from, &self.universe.keys.get(at).key, byte);
            }
            (View::Control(at), ahead) => {
                let read = if let Ahead::Padding(ws) = ahead { Some(ws) } else { None };
                if let Some(padded) = self.universe.pad(at, read, byte) {
                    return Ok(match padded {
                        Some((state, ws)) => Moved::To(Point { state, ahead: Ahead::Padding(ws), ..from }),
                        None => Moved::Dead,
                    });
                }
                if read.is_some_and(Ws::awaits_newline) {
                    return Ok(Moved::Dead);
                }
            }
            _ => {}
        }
        let mut point = Point::new(from.state, from.frame, from.names);
        loop {
            let (edge, op) = match View::of(point.state) {
                View::Net(at) => match self.universe.net_edge(at, byte)? {
                    NetEdge::Local(edge) => (edge, Op::None),
                    NetEdge::General => match byte {
                        b'"' => match self.universe.net_closes(point.state, point.frame)? {
                            Some((frame, outcome)) => {
                                point.frame = frame;
                                (Edge::Pop { outcome, reread: Reread::No }, Op::None)
                            }
                            None => return self.net_step(point, byte),
                        },
                        _ => return self.net_step(point, byte),
                    },
                },
                View::Lex(lex) if self.universe.is_either(lex, point.frame, byte) => {
                    return self.net_step(point, byte);
                }
                _ => self.universe.edge(point.state, byte)?,
            };
            if is_conditional(op) {
                point.names = Names::Conditional;
            }
            match edge {
                Edge::Dead => return Ok(Moved::Dead),
                Edge::Go(state) => return Ok(Moved::To(Point { state, ..point })),
                Edge::Push(ret, state) => {
                    let frame = self.universe.push(ret, point.frame)?;
                    return Ok(Moved::To(Point { state, frame, ..point }));
                }
                Edge::Pop { outcome, reread } => match self.popped(outcome, point) {
                    None => return Ok(Moved::Out { outcome, names: point.names, reread }),
                    Some(popped) if reread == Reread::No => return Ok(Moved::To(popped)),
                    Some(popped) => point = popped,
                },
            }
        }
    }

    fn net_step(&self, point: Point, byte: u8) -> Result<Moved, Exhausted> {
        let moved = self.universe.net_move(point.state, point.frame, byte)?;
        let Some((state, frame, op)) = moved else { return Ok(Moved::Dead) };
        let names = if is_conditional(op) { Names::Conditional } else { point.names };
        Ok(Moved::To(Point::new(state, frame, names)))
    }

    /// Answers for all tokens below a place at once, if the point is inside a lexeme or before a value.
    fn by_class(&mut self, place: Place<'_>, point: Point) -> Result<bool, Exhausted> {
        let universe = self.universe;
        let Some(region) = place.region else { return Ok(false) };
        if universe.caching == Caching::Off || matches!(point.ahead, Ahead::Padding(_)) {
            return Ok(false);
        }
        if matches!(View::of(point.state), View::Lex(_) | View::Control(_))
            && universe.number_may_run_on(point.frame)?
        {
            return Ok(false);
        }
        match View::of(point.state) {
            View::Lex(lex) if self.is_compared(point) && !universe.always_varies(lex) => Ok(false),
            View::Lex(lex) => {
                let class = universe.class(lex, region)?;
                self.class_from(&class, place, point)?;
                Ok(true)
            }
            View::Control(at)
                if self.purpose == Purpose::Mask && is_value(universe, at) && !self.is_compared(point) =>
            {
                let class = universe.value_class(point.state, region)?;
                self.class_from(&class, place, point)?;
                Ok(true)
            }
            View::Key(at) => self.key_below(place, at, point),
            View::Net(_) => {
                let mut interiors = Vec::new();
                let done = self.by_positions(point, region, &mut interiors)?;
                for interior in interiors {
                    interior.0.for_each(|token| self.set(token, point.names));
                }
                Ok(done)
            }
            View::Control(_) => Ok(false),
        }
    }

    fn class_from(&mut self, class: &Class, place: Place<'_>, point: Point) -> Result<(), Exhausted> {
        class.interior.for_each(|token| self.set(token, point.names));
        self.scratch.conditional.extend_from_slice(&class.conditional);
        self.exits_from(class, place, point)
    }
}

/// Reads tokens below a place.
struct Below<'w, 'a, 't> {
    walk: &'w mut Walk<'a>,
    place: Place<'t>,
}

impl Reader for Below<'_, '_, '_> {
    type At = Point;

    fn read(&mut self, above: u32, from: Point, node: u32) -> Result<Option<Point>, Exhausted> {
        let (walk, trie) = (&mut *self.walk, self.place.trie);
        let point = match walk.step(from, trie.byte(node))? {
            Moved::To(point) => point,
            Moved::Dead => return Ok(None),
            Moved::Out { outcome, names, reread } => {
                let read = if reread == Reread::Yes { above } else { node };
                walk.leave(trie, node, widen(trie.depth(read)), outcome, names);
                return Ok(None);
            }
        };
        walk.allow(trie, node, walk.names_at(point)?);
        let nodes = trie.end(node) - node;
        let is_done = nodes == 1 || (nodes > CLASS_NODES_MIN && walk.by_class(self.place.at(node), point)?);
        Ok((!is_done).then_some(point))
    }

    fn few(&mut self, _: u32, at: Point, fan: &Fan) -> Result<Option<ByteSet>, Exhausted> {
        Ok(self.walk.next_bytes(at).and_then(|bytes| are_few(bytes, fan)))
    }
}

fn either(a: Names, b: Names) -> Names {
    if a == Names::Conditional { a } else { b }
}

/// Whether the control state is before a value.
fn is_value(universe: &Universe, at: u32) -> bool {
    matches!(universe.controls.get(at).key, Control::Value { .. })
}
