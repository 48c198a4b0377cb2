//! ECMA-262 patterns as JSON Schema uses them: the language of the texts in which the search finds a match.

use std::fmt;

use crate::grammar::regex::Regex;

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

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {} of the pattern: {}", self.construct, self.byte, self.message)
    }
}

impl std::error::Error for PatternError {}

/// The whole-text language of the texts in which the ECMA-262 search finds a match.
///
/// # Errors
/// See [`PatternError`].
pub fn parse(pattern: &str) -> Result<Regex, PatternError> {
    Err(PatternError { message: format!("{pattern:?}: not read yet"), byte: 0, construct: "syntax" })
}
