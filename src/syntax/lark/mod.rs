//! Lark's notation for grammars, in the dialect that serving engines read.
//!
//! ```text
//! start: "[" (value ("," value)*)? "]"
//! value: NUMBER | "none" | %json {"type": "boolean"}
//! %import common.NUMBER
//! %ignore " "
//! ```
//!
//! Names with small letters are rules, with capital letters terminals. How texts are split into lexemes is said in
//! [`lexing`](crate::grammar::lexing); this module reads a text into that form and decides nothing about it. `scan` and
//! `expressions` read characters, `document` definitions and directives into a `tree`; `templates` writes templates
//! out, `terminals` (with `patterns` and `common`) makes regexes, `rules` the grammar; `options` and `stops` read what stands in
//! brackets behind a rule's name.
//!
//! Read and without effect, since texts have no trees: `?` and `!` before a rule's name, aliases, priorities of rules. Captures are
//! read, and listed in the report as annotations.
//!
//! Where the notation's homes differ, or a text would be read loosely, this reader is strict and says so:
//! * Line breaks are blanks inside parentheses. `%ignore` holds before the first lexeme too.
//! * A terminal that matches the empty text (Lark refuses it) is one that may be missing; `""` in a rule reads nothing.
//! * Escapes in strings are those that all homes read alike; patterns are read as `patterns` says.
//! * Refused by name: `%declare`, imports of other files, `%lark` blocks, `%if` and parametric rules,
//!   `@grammar`, `&` between rules, and options that count tokens or sample.

mod scan;
mod tree;

mod document;
mod expressions;
mod options;
mod substring;

mod common;
mod patterns;
mod templates;
mod terminals;

mod rules;
mod stops;

use crate::error::CompileError;
use crate::grammar::lexing::Lexing;
use crate::grammar::scan::Notation;
use crate::syntax::schema::{EnforcementReport, SchemaOptions};

/// Reads a grammar, and what is enforced of the schemas in it.
///
/// ```
/// use maskwright::syntax::lark;
/// use maskwright::syntax::schema::SchemaOptions;
///
/// let (lexing, _) = lark::parse("start: \"go\" NAME+\nNAME: /[a-z]+/", &SchemaOptions::default())?;
/// assert_eq!(lexing.to_string(), "start: \"go\" NAME+\nNAME = [a-z]+\n\"go\" = \"go\" literal\n");
///
/// let error = lark::parse("start: NAM\nNAME: /[a-z]+/", &SchemaOptions::default()).unwrap_err();
/// assert!(error.to_string().contains("did you mean `NAME`?"));
/// # Ok::<(), maskwright::CompileError>(())
/// ```
///
/// # Errors
/// If the text is not of this notation, uses a name that it doesn't define or a construct that is not supported, or passes a
/// limit; each with line, column and byte.
pub fn parse(text: &str, options: &SchemaOptions) -> Result<(Lexing, EnforcementReport), CompileError> {
    let mut scanner = scan::Scanner::new(Notation::Lark, text.as_bytes())?;
    let mut document = document::read(&mut scanner)?;
    templates::expand(&scanner, &mut document)?;
    rules::lexing(&scanner, &document, options)
}

#[cfg(test)]
mod tests;
