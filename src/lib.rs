//! Exact grammar-constrained decoding: a JSON Schema, a grammar or a regex and a vocabulary in, exact token masks out.
//!
//! The modules stand in the order a newcomer should read them, and each uses only those above it
//! (`ARCHITECTURE.md` draws the arrows, `tests/it/tidy.rs` enforces them).

pub mod error;
pub mod index;
pub mod limits;

pub mod bitmask;
pub mod vocab;

pub mod grammar;
pub mod syntax;

pub mod automaton;
pub mod compiler;
pub mod matcher;

pub mod explain;

pub mod sample;

pub use bitmask::Bitmask;
pub use compiler::{CompiledGrammar, Compiler, CompilerConfig};
pub use error::{CommitError, CompileError, Exhausted, FormatError, MaskError, VocabularyError};
pub use explain::Explanation;
pub use grammar::policy::{KeyOrder, NumberSpelling, SurfacePolicy, Whitespace};
pub use index::TokenId;
pub use matcher::Matcher;
pub use syntax::format::Formats;
pub use syntax::schema::{DialectName, FormatsAre, Resolver};
pub use syntax::tags::Reasoning;
pub use syntax::tags::tools::{ToolFamily, ToolsRequest};
pub use vocab::Vocabulary;

/// The code of `README.md` runs as a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
