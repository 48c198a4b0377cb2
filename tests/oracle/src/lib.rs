//! Generators, slow twins and laws: what decides whether a case shows a bug.
//!
//! Nothing here shares code with the engine's front end or automaton. The twin reads a schema with
//! `serde_json`, judges complete documents by walking them, and judges prefixes by looking for a
//! completion; it is written to be obviously right, and is never optimised beyond what the tests need.
//!
//! Grammars have an [`earley`] recogniser as their twin, [`grammar_laws`] and, beside random ones, [`grammar_cases`].
//!
//! [`twin`] decides about texts, [`brute`] about tokens; [`laws`] compare a [`subject`] with them on what
//! [`generate`] makes and [`data`] reads.

pub mod brute;
pub mod data;
pub mod earley;
pub mod generate;
pub mod grammar_cases;
pub mod grammar_laws;
pub mod laws;
pub mod subject;
pub mod twin;
