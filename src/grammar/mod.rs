//! The intermediate forms between the front ends and the automaton; no text, no vocabulary.

pub mod number;
pub mod policy;
pub mod program;
pub mod regex;
