//! From a grammar as it was written to the form that the automaton runs; one pass a file, none changes the language.
//!
//! ```text
//! Grammar ─ productive ─► which expressions match some text
//!         ─ regular ────► regular rules read as one regex each, what is unproductive or out of reach dropped
//!         ─ nullable ───► which rules match the empty text
//!         ─ left ───────► no rule calls itself before it has read something
//! ```
//!
//! In the normal form a rule's body says which *nonempty* texts the rule matches, whatever the body says of the empty
//! one: a call of a rule that matches the empty text can be passed over, and is never entered to read nothing. So empty
//! rules need no alternatives of their own, and left recursion that hides behind them is as plain as any other.

mod left;
mod nullable;
mod productive;
mod regular;

use crate::error::CompileError;
use crate::grammar::rules::Grammar;
use crate::grammar::rules::parents::Parents;

/// A grammar that the automaton can run; see the module.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Normal {
    /// Its rules' bodies are read for nonempty texts only.
    pub(crate) grammar: Grammar,
    /// Which rules match the empty text.
    pub(crate) nullable: Vec<bool>,
    /// Rules that match just what any number of them in a row match: whoever waits for one behind another may forget
    /// one of them.
    pub(crate) loops: Vec<bool>,
}

/// Brings a grammar into normal form. `possible` tells for each terminal expression whether it matches anything that can be
/// written.
///
/// # Errors
/// If no text matches, naming the rules that never end; if a limit is passed.
pub(crate) fn normalize(grammar: &Grammar, possible: &[bool]) -> Result<Normal, CompileError> {
    let parents = Parents::of(grammar);
    let productive = productive::find(grammar, &parents, possible);
    productive::check(grammar, &productive)?;
    let grammar = regular::inline(grammar, &parents, &productive);
    let nullable = nullable::find(&grammar);
    left::remove(grammar, nullable)
}
