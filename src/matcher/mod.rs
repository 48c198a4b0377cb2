//! Placeholder.

/// Placeholder.
#[derive(Debug)]
pub struct Matcher;
