//! A value position: what a value must satisfy, what the parent asks about it, and what its first byte decides.
//!
//! The parent's needs come as a formula of their own (`must`): the child never looks up the stack to learn whether it
//! may go on. The questions (`asks`) only select where the parent goes on; they allow or forbid nothing.

use crate::automaton::control::{Control, Word};
use crate::automaton::decode::Coding;
use crate::automaton::formula::TRUE;
use crate::automaton::heap::Heap;
use crate::automaton::lexeme::LexEdge;
use crate::automaton::state::{Edge, Op, View};
use crate::automaton::universe::Universe;
use crate::automaton::whitespace::Ws;
use crate::error::Exhausted;
use crate::grammar::program::Kinds;
use crate::index::{FormulaId, StateId, TermId};

/// A value position, interned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ValueId(pub(crate) u32);

/// See the module.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Value {
    pub(crate) must: FormulaId,
    pub(crate) asks: Box<[FormulaId]>,
    /// The formulas at this place in source order (an interned list) where `must` does not show it, or
    /// [`DEFAULT_ORDER`].
    pub(crate) order: u32,
}

/// The source order is that of `must`.
pub(crate) const DEFAULT_ORDER: u32 = u32::MAX;

impl Universe {
    pub(crate) fn value_id(&self, value: Value) -> ValueId {
        ValueId(self.values.intern(value))
    }

    pub(crate) fn value(&self, id: ValueId) -> &Value {
        self.values.get(id.0)
    }

    /// The edge of a value position by the value's first byte.
    pub(crate) fn first_byte(&self, id: ValueId, byte: u8) -> Result<(Edge, Op), Exhausted> {
        let value = self.value(id);
        let dead = (Edge::Dead, Op::None);
        Ok(match byte {
            b'"' => {
                let must = self.at_kind(value.must, Kinds::STRING);
                if self.has_sentence(must) || self.asks_for_sentences(value) {
                    return self.open_sentence(value, must);
                }
                let must = self.string_term(must);
                match self.lexeme(Coding::Json, must, self.ask_terms(value, Kinds::STRING))? {
                    Some(lex) => (Edge::Go(View::Lex(lex).id()), Op::None),
                    None => dead,
                }
            }
            b'-' | b'0'..=b'9' => {
                let must = self.number_term(self.at_kind(value.must, Kinds::NUMBER));
                let Some(start) = self.lexeme(Coding::Number, must, self.ask_terms(value, Kinds::NUMBER))?
                else {
                    return Ok(dead);
                };
                match self.lex_edge(start, self.lex_row(start)?, byte)? {
                    LexEdge::Go(lex) => (Edge::Go(View::Lex(lex).id()), Op::None),
                    _ => dead,
                }
            }
            b'n' => self.word(value, Word::Null, Kinds::NULL),
            b't' => self.word(value, Word::True, Kinds::TRUE),
            b'f' => self.word(value, Word::False, Kinds::FALSE),
            b'{' => {
                let must = self.at_kind(value.must, Kinds::OBJECT);
                if !self.satisfiable_at(must, Kinds::OBJECT)? {
                    return Ok(dead);
                }
                let run = self.open_object(must, self.asks_at(value, Kinds::OBJECT), value)?;
                let op = self.scope_op(run, Op::OpenScope);
                (Edge::Go(self.control_id(&Control::ObjectOpen { run, ws: self.inside() })), op)
            }
            b'[' => {
                let must = self.at_kind(value.must, Kinds::ARRAY);
                if !self.satisfiable_at(must, Kinds::ARRAY)? {
                    return Ok(dead);
                }
                let run = self.open_array(must, self.asks_at(value, Kinds::ARRAY), value)?;
                let op = self.items_op(run, Op::OpenItems);
                (Edge::Go(self.control_id(&Control::ArrayOpen { run, ws: self.inside() })), op)
            }
            _ => dead,
        })
    }

    /// Whitespace inside containers, untouched.
    pub(crate) fn inside(&self) -> Ws {
        Ws::inside(self.policy.whitespace)
    }

    fn asks_at(&self, value: &Value, kind: Kinds) -> Box<[FormulaId]> {
        value.asks.iter().map(|&ask| self.at_kind(ask, kind)).collect()
    }

    fn ask_terms(&self, value: &Value, kind: Kinds) -> Vec<TermId> {
        value.asks.iter().map(|&ask| self.term_of(self.at_kind(ask, kind))).collect()
    }

    fn word(&self, value: &Value, word: Word, kind: Kinds) -> (Edge, Op) {
        if self.at_kind(value.must, kind) != TRUE || !self.spelling.has_all(word.text()) {
            return (Edge::Dead, Op::None);
        }
        let outcome = self.outcome(value.asks.iter().map(|&ask| self.at_kind(ask, kind) == TRUE));
        let state: StateId = self.control_id(&Control::Literal { word, read: 1, outcome });
        (Edge::Go(state), Op::None)
    }
}

impl Heap for Value {
    fn heap_bytes(&self) -> usize {
        self.asks.heap_bytes()
    }
}
