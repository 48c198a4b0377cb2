//! The front ends: texts in, intermediate forms out; no vocabulary.

pub mod format;
pub mod json;
pub mod pattern;
pub mod schema;

pub mod lark;
