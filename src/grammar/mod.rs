//! The intermediate forms between the front ends and the automaton; no text, no vocabulary.

pub mod policy;
pub mod regex;

pub mod number;
pub mod program;

#[cfg(test)]
pub(crate) mod naive;
