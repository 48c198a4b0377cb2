//! ECMA-262 patterns as JSON Schema uses them: the language of the texts in which the search finds a match.
//!
//! `parser` gives a tree of nodes (with `classes` and `unicode` for the sets of characters), `translate` turns the tree
//! into a [`Regex`] over the whole text (with `rest` and `anchors`). JSON Schema asks for the `u` flag, and authors write
//! what only works without it, so a pattern is read with `u` first; if that is a syntax error, it is read by the rules of
//! the standard's Annex B. Code points are the characters in both cases.
//!
//! What a regular language can't say (back-references), or what isn't translated (lookbehind, and lookahead and word
//! boundaries inside most repeats), is refused with its place; nothing is approximated.

mod classes;
mod parser;
mod unicode;

mod anchors;
mod rest;
mod translate;

use std::fmt;

use crate::grammar::regex::{CharSet, Regex};
use crate::limits::PATTERN_BYTES_MAX;

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
/// The time is linear in the pattern, but for anchors, lookaheads and word boundaries, which can multiply what follows
/// them (bounded by a limit). Counted repeats are never unrolled.
///
/// # Errors
/// If the pattern is malformed with and without the `u` flag, uses what is not translated, or passes a limit.
pub fn parse(pattern: &str) -> Result<Regex, PatternError> {
    translate::search(&read(pattern)?)
}

/// The language of the texts that the pattern matches as a whole, as if it stood between `^(?:` and `)$`.
///
/// # Errors
/// As [`parse`].
pub fn whole(pattern: &str) -> Result<Regex, PatternError> {
    translate::search(&Node::Concat(vec![Node::Start, read(pattern)?, Node::End]))
}

/// Whether a text is a pattern by the rules of the `u` flag, translatable or not.
///
/// # Errors
/// If it is malformed, or uses a property that is not known here.
pub fn check(pattern: &str) -> Result<(), PatternError> {
    check_length(pattern)?;
    parser::parse(pattern, Mode::Unicode).map(|_| ())
}

fn read(pattern: &str) -> Result<Node, PatternError> {
    check_length(pattern)?;
    // What Annex B doesn't read either is reported by its rules: they are the more lenient ones.
    parser::parse(pattern, Mode::Unicode).or_else(|_| parser::parse(pattern, Mode::AnnexB))
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
    /// `\b` and `\B`.
    Boundary { side: Side, byte: usize },
    /// `(?=…)` and `(?!…)`.
    Lookahead { body: Box<Node>, side: Side, byte: usize },
    /// What is read and not translated: the construct and its place.
    Untranslated { construct: &'static str, byte: usize },
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
mod tests;
