//! Placeholder.

/// Placeholder.
#[derive(Debug)]
pub struct Vocabulary;
