//! The front ends: texts in, intermediate forms out; no vocabulary.

pub mod format;
pub mod pattern;
