//! Generators: random numbers from a fixed seed, and schemas, documents and vocabularies made with them.
//!
//! Everything is small on purpose. A schema has few names, short strings and bounds, and nesting of at most
//! [`schema::DEPTH_MAX`], so the twin decides it exactly and its documents are short.

pub mod document;
pub mod grammar;
pub mod random;
pub mod schema;
pub mod vocabulary;

pub use random::Random;
