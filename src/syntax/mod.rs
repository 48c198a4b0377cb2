//! The front ends: texts in, intermediate forms out; no vocabulary.

pub mod format;
pub mod json;
pub mod pattern;
pub mod schema;

pub mod ebnf;
pub mod gbnf;
pub mod regex;

mod parsed;

pub use parsed::{Hint, Parsed};

pub mod lark;
#[cfg(test)]
mod notation_tests;
pub mod tags;
