//! ECMA-262 patterns as JSON Schema uses them: the language of the texts in which the search finds a match.
//!
//! `parser` gives a tree of nodes (with `classes`, `flags` and `unicode` for the sets of characters), and the tree becomes
//! a [`Regex`] over the whole text in one of two ways. `translate` makes a regex of the pattern's own shape (with `rest`
//! and `anchors`), quickly and at any counts, where assertions stand outside loops and look at most one character back.
//! What it can't say, `automaton` does: any assertion anywhere, as a table of states (with `formulas`, `positions` and
//! `grammar/minimal.rs`), within limits; `pieces` chooses, and takes apart what can be decided apart.
//!
//! JSON Schema asks for the `u` flag, and authors write what only works without it, so a pattern is read with `u` first;
//! if that is a syntax error, it is read by the rules of the standard's Annex B. Code points are the characters in both
//! cases. Flags that a pattern starts with, `(?i)`, are not in the standard, but in patterns.
//!
//! What a regular language can't say (back-references) is refused with its place; nothing is approximated.

mod classes;
mod flags;
mod parser;
mod unicode;

mod anchors;
mod rest;
mod translate;

mod pieces;

mod automaton;
mod formulas;
mod positions;

use std::fmt;

use crate::grammar::regex::{CharSet, Regex};
use crate::limits::PATTERN_BYTES_MAX;
use flags::Flags;

/// A pattern was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PatternError {
    /// What was found and what would help.
    pub message: String,
    /// Byte offset in the pattern.
    pub byte: usize,
    /// A short stable name of the construct (`"lookahead"`, `"syntax"`, …), good for counting.
    pub construct: &'static str,
}

impl PatternError {
    fn new(construct: &'static str, byte: usize, message: impl Into<String>) -> Self {
        Self { message: message.into(), byte, construct }
    }
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {} of the pattern: {}", self.construct, self.byte, self.message)
    }
}

impl std::error::Error for PatternError {}

/// The whole-text language of the texts in which the ECMA-262 search finds a match.
///
/// The time is linear in the pattern, but for assertions: outside loops they can multiply what follows them, and inside they
/// ask for a table of states (both bounded by limits). Counted repeats without assertions around are never unrolled.
///
/// # Errors
/// If the pattern is malformed with and without the `u` flag, has a back-reference, or passes a limit.
pub fn parse(pattern: &str) -> Result<Regex, PatternError> {
    translated(&read(pattern)?)
}

/// The language of the texts that the pattern matches from the first character to the last.
///
/// # Errors
/// As [`parse`].
pub fn parse_whole(pattern: &str) -> Result<Regex, PatternError> {
    let node = read(pattern)?;
    translated(&Node::Concat(vec![Node::Start, node, Node::End]))
}

fn read(pattern: &str) -> Result<Node, PatternError> {
    check_length(pattern)?;
    let (flags, from) = Flags::leading(pattern);
    match parser::parse(pattern, Mode::Unicode, flags, from) {
        Ok(node) => Ok(node),
        // What Annex B doesn't read either is reported by its rules: they are the more lenient ones.
        Err(_) => parser::parse(pattern, Mode::AnnexB, flags, from),
    }
}

fn translated(node: &Node) -> Result<Regex, PatternError> {
    if let Some(byte) = first_reference(node) {
        let message = "what a group matched is no regular condition: spell the alternatives out";
        return Err(PatternError::new("back-reference", byte, message));
    }
    pieces::search(node)
}

/// The place of the first back-reference.
fn first_reference(node: &Node) -> Option<usize> {
    match node {
        Node::Reference { byte } => Some(*byte),
        Node::Concat(parts) | Node::Or(parts) => parts.iter().find_map(first_reference),
        Node::Repeat { body, .. } | Node::Look { body, .. } => first_reference(body),
        Node::Empty | Node::Set(_) | Node::Start | Node::End | Node::Boundary { .. } => None,
    }
}

/// Whether a text is a pattern by the rules of the `u` flag, translatable or not; flags at its start are no part of these.
///
/// # Errors
/// If it is malformed, or uses a property that is not known here.
pub fn check(pattern: &str) -> Result<(), PatternError> {
    check_length(pattern)?;
    parser::parse(pattern, Mode::Unicode, Flags::default(), 0).map(|_| ())
}

fn check_length(pattern: &str) -> Result<(), PatternError> {
    if pattern.len() > PATTERN_BYTES_MAX {
        let message = format!("the pattern is longer than {PATTERN_BYTES_MAX} bytes");
        return Err(PatternError::new("limit", PATTERN_BYTES_MAX, message));
    }
    Ok(())
}

/// The characters with a property of Unicode, by a name that ECMA-262 knows (what `\p{…}` holds).
pub(crate) fn property(name: &str) -> Option<CharSet> {
    unicode::property(name)
}

/// Which of the standard's two grammars is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// With the `u` flag.
    Unicode,
    /// Without it, with the web's legacy syntax.
    AnnexB,
}

/// A pattern as read, before anchors and lookarounds are resolved.
#[derive(Clone, Debug)]
enum Node {
    /// Matches the empty text.
    Empty,
    /// One code point; of the empty set, nothing.
    Set(CharSet),
    /// One after the other.
    Concat(Vec<Node>),
    /// Any of them.
    Or(Vec<Node>),
    /// `min` to `max` times.
    Repeat { body: Box<Node>, min: u32, max: Option<u32> },
    /// `^`.
    Start,
    /// `$`.
    End,
    /// `\b` and `\B`: whether exactly one of the neighbours is a word character.
    Boundary { side: Side, word: CharSet },
    /// `(?=…)`, `(?!…)`, `(?<=…)` and `(?<!…)`.
    Look { way: Way, side: Side, body: Box<Node>, byte: usize },
    /// A back-reference, which no translation knows.
    Reference { byte: usize },
}

/// Where an assertion looks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Way {
    /// At what follows.
    Ahead,
    /// At what stands before.
    Behind,
}

/// Whether an assertion must hold or must fail.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    /// It must hold.
    Holds,
    /// It must fail.
    Fails,
}

#[cfg(test)]
mod backtracking;
#[cfg(test)]
mod random_tests;
#[cfg(test)]
mod tests;
