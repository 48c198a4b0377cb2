//! From grammars to token masks: terms, local control states, frames and token classes, all interned.

pub mod interner;
pub mod term;
