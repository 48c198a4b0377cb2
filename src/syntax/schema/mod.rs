//! JSON Schema: a text in, the boolean formula that it means out.
//!
//! ```text
//! text -> json::Json            read: order, exact numbers, positions
//!      -> walk::Plan            every location that the root reaches is one node; keywords become parts
//!      -> settle::settle        constants folded, circles refused, parts that need their children decided
//!      -> SchemaProgram         numbered afresh, only what is reachable
//! ```
//!
//! One file holds one family of keywords. A keyword is enforced exactly, is an annotation, or the schema is refused
//! with the keyword's JSON Pointer; only locations that the root reaches count. Nothing here recurses, so neither deep
//! nesting nor long chains of `$ref` can overflow the stack; a location is built once however many `$ref`s lead to it.
//!
//! Departures from the letter of the drafts, all towards what schemas in use mean: formats are asserted in every draft;
//! boolean schemas are taken in draft-04 too; empty or repeating lists are taken where only the metaschema forbids
//! them (`required`, `enum`); `dependencies` counts as a keyword in every draft.

pub mod options;
pub mod report;

mod arrays;
mod constants;
mod dialect;
mod documents;
mod draft;
mod keywords;
mod logic;
mod metaschemas;
mod numbers;
mod objects;
mod one_of;
mod opposite;
mod pointer;
mod refs;
mod resolver;
mod scope;
mod sentences;
mod settle;
mod strings;
mod types;
mod unevaluated;
mod walk;

pub use options::{DialectName, FormatsAre, SchemaOptions};
pub use report::{EnforcementReport, Entry, Status};
pub use resolver::Resolver;

use documents::{Documents, Supplied};

use crate::error::{CompileError, CompileErrorKind, Place};
use crate::grammar::policy::{KeyOrder, NumberSpelling, SurfacePolicy, Whitespace};
use crate::grammar::program::SchemaProgram;
use crate::limits::POINTERS_BYTES_MAX;
use crate::syntax::json::{Fault, JsonError, Value};

/// Reads a schema and says what it means, and what of it is enforced. Near linear in the text.
///
/// # Errors
/// If the text is no JSON, the schema is not valid, a `$ref` leads nowhere or in a circle, a limit is passed, or a
/// keyword is not enforced exactly: never is one dropped.
pub fn compile(
    text: &str,
    options: &SchemaOptions,
) -> Result<(SchemaProgram, EnforcementReport), CompileError> {
    let mut supplied = Vec::new();
    loop {
        let documents = Documents::read(text, &supplied)?;
        let mut plan = walk::plan(&documents, options)?;
        if plan.missing.is_empty() {
            settle::settle(&documents, &mut plan)?;
            let report = report_of(&documents, &plan)?;
            let program = settle::program(&documents, plan)?;
            sentences::check(&program)?;
            return Ok((program, report));
        }
        let missing = plan.missing;
        for (uri, refusal) in missing {
            let text = options.resolver.document(refs::asked_for(&uri)).ok_or(refusal)?;
            supplied.push(Supplied { uri, text });
        }
    }
}

/// A limit that concerns all documents.
fn limit(subject: &str, message: String) -> CompileError {
    CompileError::new(CompileErrorKind::Limit, Place::pointer(""), subject, message)
}

impl From<JsonError> for CompileError {
    fn from(e: JsonError) -> Self {
        let (kind, subject) = match e.fault {
            Fault::Syntax => (CompileErrorKind::Syntax, "JSON"),
            Fault::Duplicate => (CompileErrorKind::Invalid, "duplicate member"),
            Fault::Limit => (CompileErrorKind::Limit, "JSON"),
        };
        Self::new(
            kind,
            Place { pointer: e.pointer, position: Some(e.position), document: None },
            subject,
            e.message,
        )
    }
}

/// A refusal at a value of the schema.
fn refuse(
    kind: CompileErrorKind,
    at: Value<'_>,
    subject: impl Into<String>,
    message: impl Into<String>,
) -> CompileError {
    let uri = at.document().uri();
    let document = (!uri.is_empty()).then(|| uri.to_owned());
    let place = Place { document, pointer: Some(at.pointer()), position: Some(at.position()) };
    CompileError::new(kind, place, subject, message)
}

/// JSON Pointers that are kept, within the limit on their bytes: deep schemas with long names would need quadratic space.
#[derive(Default)]
struct Pointers {
    bytes: usize,
    /// The last container and its pointer, behind the URI of its document: neighbours are asked for one after the other.
    container: Option<u32>,
    prefix: String,
}

impl Pointers {
    fn of(&mut self, value: Value<'_>) -> Result<Box<str>, CompileError> {
        let container = value.parent();
        if self.container != container.map(Value::id) {
            self.container = container.map(Value::id);
            self.prefix = container.map(Value::pointer).unwrap_or_default();
            let uri = value.document().uri();
            if !uri.is_empty() {
                self.prefix.insert_str(0, &format!("{uri}#"));
            }
        }
        let mut pointer = String::with_capacity(self.prefix.len() + value.name().map_or(4, str::len) + 1);
        pointer.push_str(&self.prefix);
        value.push_segment(&mut pointer);
        self.bytes += pointer.len();
        if self.bytes > POINTERS_BYTES_MAX {
            let message = format!(
                "the JSON Pointers of the schema's locations take more than {POINTERS_BYTES_MAX} bytes (POINTERS_BYTES_MAX): nest less deep or shorten names"
            );
            return Err(refuse(CompileErrorKind::Limit, value, "schema locations", message));
        }
        Ok(pointer.into_boxed_str())
    }
}

fn report_of(documents: &Documents<'_>, plan: &walk::Plan<'_>) -> Result<EnforcementReport, CompileError> {
    let policy = Entry {
        pointer: "".into(),
        keyword: "policy".into(),
        status: Status::Narrowed,
        note: Some(spellings(plan.policy).into()),
    };
    let mut entries = Vec::with_capacity(plan.lines.len() + 1);
    entries.push(policy);
    let mut pointers = Pointers::default();
    for line in &plan.lines {
        entries.push(Entry {
            pointer: pointers.of(documents.value(line.value))?,
            keyword: line.keyword.into(),
            status: line.status,
            note: line.note.clone(),
        });
    }
    Ok(EnforcementReport::new(entries))
}

/// The policy in a sentence: which spellings of a valid value are generated.
fn spellings(policy: SurfacePolicy) -> String {
    let whitespace = match policy.whitespace {
        Whitespace::None => "no whitespace",
        Whitespace::Bounded => "whitespace: after { [ , : and before } ] at most one newline and 128 blanks",
        Whitespace::Free => "any whitespace",
    };
    let numbers = match policy.numbers {
        NumberSpelling::Plain => {
            "numbers without exponent, of at most 400 digits, without fraction where the type is integer"
        }
        NumberSpelling::All => "numbers of at most 400 digits, with exponents of at most 4 digits",
    };
    let order = match policy.key_order {
        KeyOrder::Declared => {
            "members in the order in which the schema mentions their names, all others last"
        }
        KeyOrder::Any => "members in any order",
    };
    format!("every valid value is generated, in some spellings: {whitespace}; {numbers}; {order}")
}

#[cfg(test)]
pub(crate) mod tests;
