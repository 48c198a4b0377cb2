//! `maskwright check`: is a document in the language of a schema or grammar, and where does it leave it?

use clap::Args;
use maskwright::{CompiledGrammar, Compiler, SurfacePolicy};
use serde_json::json;

use crate::arguments::{ReadingArguments, VocabularyArguments, read_bytes};
use crate::readable::{byte_set, line_and_column, quoted};
use crate::say::say;
use crate::source::SourceArguments;
use crate::walk::{Departure, Walk};
use crate::{Failure, Verdict};

/// Bytes shown of what was found.
const FOUND_BYTES_MAX: usize = 12;

/// Options of `check`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    source: SourceArguments,
    #[command(flatten)]
    vocabulary: VocabularyArguments,
    #[command(flatten)]
    reading: ReadingArguments,
    /// Files with one document each; `-` is standard input. The line break that ends a file is not part of it.
    #[arg(required = true, value_name = "DOCUMENT")]
    documents: Vec<String>,
    /// One JSON object a line for each document.
    #[arg(long)]
    json: bool,
}

/// Where and why a document was refused.
struct Refusal {
    /// Offset of the first byte that does not fit; the document's length if it ends too early.
    byte: usize,
    /// What was found there.
    found: String,
    /// What would have been allowed there.
    allowed: String,
}

/// Runs `check`.
pub(crate) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let source = arguments.source.read()?;
    let vocabulary = arguments.vocabulary.load()?;
    let config = arguments.reading.config()?;
    let grammar = source.compile(&Compiler::new(vocabulary.clone(), config.clone()))?;
    let mut widest = None;
    let mut verdict = Verdict::Accepted;
    let mut unreadable = None;
    for path in &arguments.documents {
        let bytes = match read_bytes(path) {
            Ok(bytes) => bytes,
            Err(failure) => {
                // The others are judged all the same.
                if arguments.json {
                    say!("{}", json!({"document": path, "error": failure.0}));
                }
                unreadable.get_or_insert(failure);
                continue;
            }
        };
        let document = without_final_line_break(&bytes);
        let refusal = follow(&grammar, document)?;
        let mut policy_only = false;
        if refusal.is_some() {
            verdict = Verdict::Refused;
            if source.schema().is_some() && config.policy != SurfacePolicy::permissive() {
                if widest.is_none() {
                    let mut config = config.clone();
                    config.policy = SurfacePolicy::permissive();
                    widest = source.compile(&Compiler::new(vocabulary.clone(), config)).ok();
                }
                policy_only = match &widest {
                    Some(widest) => follow(widest, document)?.is_none(),
                    None => false,
                };
            }
        }
        if arguments.json {
            print_json(path, document, refusal.as_ref(), policy_only);
        } else {
            print_plain(path, document, refusal.as_ref(), policy_only);
        }
    }
    unreadable.map_or(Ok(verdict), Err)
}

fn without_final_line_break(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    bytes.strip_suffix(b"\r").unwrap_or(bytes)
}

/// Follows the document; `None` if it is accepted.
fn follow(grammar: &CompiledGrammar, document: &[u8]) -> Result<Option<Refusal>, Failure> {
    let mut walk = Walk::new(grammar);
    let (byte, departure) = walk.take(document)?;
    let found = match departure {
        None if walk.is_complete() => return Ok(None),
        None => "the end of the document".to_string(),
        Some(Departure::NotAllowed) => quoted(excerpt(&document[byte..])),
        Some(Departure::Unspellable) => {
            format!("the byte 0x{:02X}, which no token spells alone", document[byte])
        }
    };
    let mut allowed = byte_set(&walk.next_bytes()?);
    if walk.is_complete() {
        allowed = if allowed == "nothing" { "the end".into() } else { format!("the end, {allowed}") };
    }
    Ok(Some(Refusal { byte, found, allowed }))
}

/// The beginning, cut between characters.
fn excerpt(bytes: &[u8]) -> &[u8] {
    let mut end = bytes.len().min(FOUND_BYTES_MAX);
    while end < bytes.len() && end > 1 && bytes[end] & 0xC0 == 0x80 {
        end -= 1;
    }
    &bytes[..end]
}

fn print_plain(path: &str, document: &[u8], refusal: Option<&Refusal>, policy_only: bool) {
    let Some(refusal) = refusal else {
        say!("{path}: accepted");
        return;
    };
    let (line, column) = line_and_column(document, refusal.byte);
    say!(
        "{path}: refused at byte {} (line {line}, column {column}): found {}; allowed here: {}",
        refusal.byte,
        refusal.found,
        refusal.allowed
    );
    if policy_only {
        say!("{path}: only the surface policy excludes it: --permissive accepts it");
    }
}

fn print_json(path: &str, document: &[u8], refusal: Option<&Refusal>, policy_only: bool) {
    let value = match refusal {
        None => json!({"document": path, "accepted": true}),
        Some(r) => {
            let (line, column) = line_and_column(document, r.byte);
            json!({
                "document": path, "accepted": false, "byte": r.byte, "line": line, "column": column,
                "found": r.found, "allowed": r.allowed, "policy_only": policy_only,
            })
        }
    };
    say!("{value}");
}
