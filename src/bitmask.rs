//! Placeholder.

/// Placeholder.
#[derive(Debug)]
pub struct Bitmask;
