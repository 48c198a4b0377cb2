//! Parts and positions: what rules are made of, interned by structure.

use crate::automaton::decode::Partial;
use crate::automaton::heap::Heap;
use crate::automaton::lexeme::LexId;
use crate::automaton::rules::{RuleAt, Rules};
use crate::automaton::term::Terms;
use crate::automaton::universe::Universe;
use crate::automaton::value::ValueId;

/// A part of a rule, interned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct PartId(pub(super) u32);

/// Something to match.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Part {
    /// The rest of a text.
    Lex(LexId),
    /// One token of an interned list.
    Letters(u32),
    /// A rule.
    Rule(RuleAt),
    /// A JSON value.
    Value(ValueId),
    /// The quote that closes a JSON string, with the answers to what was asked of the string.
    Quote(u32),
    /// One after the other.
    Sequence(Box<[PartId]>),
    /// At least one of them.
    Choice(Box<[PartId]>),
    /// Again and again.
    Repeat { body: PartId, min: u32, max: Option<u32> },
    /// Something that is not the empty text.
    NonEmpty(PartId),
}

/// What an item has still to match, interned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct PosId(pub(crate) u32);

/// Nothing more.
pub(crate) const END: PosId = PosId(0);

/// See [`PosId`].
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Position {
    /// Nothing more.
    End,
    /// A part, and then the rest.
    Before { part: PartId, rest: PosId },
}

impl Rules {
    /// Interns a part; those that it is made of have been before.
    pub(super) fn part(&self, part: &Part, lex_accepts: impl Fn(LexId) -> bool) -> PartId {
        let id = self.parts.intern_key(part);
        self.parts.get(id).data.get_or_init(|| {
            let empty = |part: &PartId| self.is_empty_enough(*part);
            match part {
                Part::Lex(lex) => lex_accepts(*lex),
                Part::Letters(_) | Part::Value(_) | Part::Quote(_) | Part::NonEmpty(_) => false,
                Part::Rule(rule) => self.rule(*rule).nullable,
                Part::Sequence(parts) => parts.iter().all(empty),
                Part::Choice(parts) => parts.iter().any(empty),
                Part::Repeat { body, min, .. } => *min == 0 || empty(body),
            }
        });
        PartId(id)
    }

    /// Whether a part matches the empty text.
    pub(super) fn is_empty_enough(&self, part: PartId) -> bool {
        self.parts.get(part.0).data.get().copied().unwrap_or(false)
    }

    pub(super) fn part_of(&self, part: PartId) -> &Part {
        &self.parts.get(part.0).key
    }

    /// A part, and then the rest.
    pub(super) fn before(&self, part: PartId, rest: PosId) -> PosId {
        PosId(self.positions.intern_key(&Position::Before { part, rest }))
    }

    /// The quote that closes a JSON string.
    pub(super) fn quote(&self, outcome: u32) -> PosId {
        self.before(self.part(&Part::Quote(outcome), |_| false), END)
    }

    /// Whether whoever waits at this position behind the same position may forget one of the two.
    pub(super) fn loops(&self, position: PosId) -> bool {
        match self.positions.get(position.0).key {
            Position::Before { part, rest: END } => match self.part_of(part) {
                Part::Rule(rule) => self.rule(*rule).loops,
                Part::Repeat { min: 0, max: None, .. } => true,
                _ => false,
            },
            _ => false,
        }
    }
}

impl Universe {
    /// A rule inside a JSON string, and then the closing quote.
    pub(crate) fn rule_before_quote(&self, rule: RuleAt, outcome: u32) -> PosId {
        self.before_quote(&Part::Rule(rule), outcome)
    }

    /// A text inside a JSON string, and then the closing quote.
    pub(crate) fn lexeme_before_quote(&self, lex: LexId, outcome: u32) -> PosId {
        self.before_quote(&Part::Lex(lex), outcome)
    }

    fn before_quote(&self, part: &Part, outcome: u32) -> PosId {
        let part = self.rules.part(part, |lex| self.lex_accepts(lex));
        self.rules.before(part, self.rules.quote(outcome))
    }

    /// A lexeme under way, and then the rest.
    pub(super) fn before_lexeme(&self, lex: LexId, rest: PosId) -> PosId {
        let key = &self.lexes.get(lex.0).key;
        if key.partial == Partial::Clean && self.vectors.get(key.vector)[0] == Terms::EMPTY {
            return rest;
        }
        let part = self.rules.part(&Part::Lex(lex), |lex| self.lex_accepts(lex));
        self.rules.before(part, rest)
    }
}

impl Heap for Part {
    fn heap_bytes(&self) -> usize {
        match self {
            Self::Sequence(parts) | Self::Choice(parts) => parts.heap_bytes(),
            _ => 0,
        }
    }
}

impl Heap for Position {}
