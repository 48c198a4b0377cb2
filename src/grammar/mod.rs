//! The intermediate forms between the front ends and the automaton; no text, no vocabulary.

pub mod policy;
pub mod regex;
pub mod states;

pub(crate) mod minimal;

pub mod number;
pub mod values;

mod count;
pub mod plain;

pub mod lexing;

pub mod condition;
pub mod dot;
pub(crate) mod lexemes;
pub(crate) mod nearest;
pub(crate) mod nest;
pub(crate) mod passes;
pub mod program;
pub mod rules;
pub(crate) mod scan;
pub mod sentence;
pub(crate) mod substring;
mod text_form;

pub use count::Count;

#[cfg(test)]
pub(crate) mod naive;
