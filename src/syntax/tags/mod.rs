//! Structural tags and tool calls: JSON texts that describe an output of free text, markers and JSON documents.
//!
//! ```text
//! text -> json::Json            read
//!      -> format::Table         every format once, parents before children (read.rs: one format)
//!      -> ends::Facts           which free text stops at which tag's end
//!      -> build::Build          texts, tokens and schemas; free.rs: free text as regexes; firing.rs: which trigger begins a tag
//!      -> Grammar
//! ```
//!
//! `parameters` writes an object's members as parameters between markers, `reasoning` puts free text before a grammar,
//! `tools` makes a grammar from the tools of a request, one file for each format that a family of models is trained on.
//!
//! What is described is exact: free text contains no trigger, the trigger that is complete first begins a tag, and the first end ends
//! it. What would be approximated is refused with its JSON Pointer. Nothing here recurses.

mod fields;
mod format;
mod read;

mod by_text;
mod ends;
mod firing;
mod free;

mod build;
mod embed;
mod parameters;
mod schemas;

mod reasoning;
pub mod tools;

pub use reasoning::{Marker, Reasoning};
pub use schemas::Described;

use crate::error::{CompileError, CompileErrorKind, Place};
use crate::grammar::program::Kinds;
use crate::grammar::rules::Grammar;
use crate::syntax::json::{Json, Value};
use crate::syntax::schema::SchemaOptions;

use build::Build;
use ends::Facts;
use fields::{Fields, Flag, invalid};
use format::{Format, Mark, Node, Style, Table, Triggers};
use free::Boundary;
use schemas::Schemas;

/// Reads a structural tag and says what of its schemas is enforced.
///
/// Three shapes are read: `{"type": "structural_tag", "format": ...}`, with an optional `"reasoning": {"begin", "end",
/// "newlines"}` (at most two line breaks behind its end, unless `newlines` says another number); the older
/// `{"structures": [{"begin", "schema", "end"}], "triggers": [...]}`; and a format alone.
///
/// # Errors
/// If the text is no JSON, a member or type is not known, a tag can't begin, free text would never end, or a schema is
/// refused: each with its JSON Pointer.
pub fn structural_tag(text: &str, options: &SchemaOptions) -> Result<Described, CompileError> {
    structural_tag_with(text, options, &|_| {
        let message = "grammars inside structural tags are not supported yet: write a regex, or formats";
        Err(CompileError::new(CompileErrorKind::Unsupported, Place::default(), "grammar", message))
    })
}

/// Reads the text of a grammar that stands inside a structural tag.
pub type Grammars<'f> = dyn Fn(&str) -> Result<Grammar, CompileError> + 'f;

/// As [`structural_tag`], with a reader for the texts of the format `grammar`.
///
/// # Errors
/// As [`structural_tag`], and what the reader refuses.
pub fn structural_tag_with(
    text: &str,
    options: &SchemaOptions,
    grammars: &Grammars<'_>,
) -> Result<Described, CompileError> {
    let json = Json::read(text)?;
    let root = json.root();
    let (nodes, reasoning) = nodes_of(root)?;
    let facts = Facts::of(&nodes)?;
    let (grammar, schemas) = Build::new(&nodes, facts, Schemas::new(options), grammars).run()?;
    let grammar = match reasoning {
        Some(reasoning) => reasoning.before(grammar),
        None => grammar,
    };
    Ok(schemas.described(grammar, Kinds::ALL))
}

fn nodes_of(root: Value<'_>) -> Result<(Vec<Node<'_>>, Option<Reasoning>), CompileError> {
    if !root.is_object() {
        return Err(invalid(
            root,
            "structural tag",
            format!("expected an object, found {}", root.kind().words()),
        ));
    }
    let kind = root.get("type").and_then(Value::as_str);
    if root.get("structures").is_some() {
        return Ok((older(root)?, None));
    }
    if kind != Some("structural_tag") {
        return Ok((Table::of(root)?, None));
    }
    let fields = Fields::of(root, "structural tag", &["type", "format", "reasoning"])?;
    let reasoning = fields.get("reasoning").map(Reasoning::read).transpose()?;
    Ok((Table::of(fields.required("format")?)?, reasoning))
}

/// The older shape: tags whose contents are schemas.
fn older(root: Value<'_>) -> Result<Vec<Node<'_>>, CompileError> {
    let fields = Fields::of(root, "structural tag", &["type", "structures", "triggers"])?;
    if let Some(kind) = fields.get("type")
        && kind.as_str() != Some("structural_tag")
    {
        return Err(invalid(kind, "type", "expected \"structural_tag\""));
    }
    let structures = fields.list("structures")?;
    let triggers = fields.texts("triggers")?;
    if structures.is_empty() || triggers.is_empty() {
        return Err(invalid(root, "structural tag", "expected at least one structure and one trigger"));
    }
    let tags = (1..=structures.len()).collect();
    let by = Triggers::Texts { triggers, excludes: Vec::new(), boundary: Boundary::Anywhere };
    let format = Format::Triggered { by, tags, at_least_one: Flag::Off, stop_after_first: Flag::Off };
    let mut nodes = vec![Node { at: root, format }];
    let mut contents = Vec::with_capacity(structures.len());
    for structure in structures.iter().copied() {
        let of = Fields::of(structure, "structure", &["begin", "schema", "end"])?;
        let begin = Mark::Text(of.text("begin")?);
        let schema = of.required("schema")?;
        let end = read::ends(of.required("end")?)?;
        let content = 1 + structures.len() + contents.len();
        nodes.push(Node { at: structure, format: Format::Tag { begin, content, end } });
        contents.push(Node { at: schema, format: Format::Schema { schema, style: Style::Json } });
    }
    nodes.extend(contents);
    Ok(nodes)
}
