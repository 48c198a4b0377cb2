//! What a reader of a grammar's text returns: the grammar, and hints about what its author may have misread.

use std::fmt;

use crate::error::Position;
use crate::grammar::rules::Grammar;
use crate::limits::GRAMMAR_HINTS_MAX;

/// A grammar that was read.
#[derive(Clone, PartialEq, Debug)]
pub struct Parsed {
    /// The grammar, exactly as its notation says.
    pub grammar: Grammar,
    /// Parts that may not mean what their author thinks; in the order of the text, at most
    /// [`GRAMMAR_HINTS_MAX`](crate::limits::GRAMMAR_HINTS_MAX). They never change what the grammar means.
    pub hints: Vec<Hint>,
}

/// A part of a grammar that may not mean what its author thinks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint {
    /// Where it stands.
    pub position: Position,
    /// What it means, and what its author may have wanted.
    pub message: &'static str,
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { line, column, byte } = self.position;
        write!(f, "line {line}, column {column} (byte {byte}): {}", self.message)
    }
}

/// Keeps the first hints.
pub(crate) fn note(hints: &mut Vec<Hint>, position: Position, message: &'static str) {
    if hints.len() < GRAMMAR_HINTS_MAX {
        hints.push(Hint { position, message });
    }
}
