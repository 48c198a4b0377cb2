//! `maskwright check`: is a document in the language of a schema or grammar, and where does it leave it?

use clap::Args;
use maskwright::CompiledGrammar;
use serde_json::{Value, json};

use crate::arguments::read_bytes;
use crate::language::LanguageArguments;
use crate::readable::{line_and_column, quoted};
use crate::say::say;
use crate::special::{Names, SpecialArguments};
use crate::walk::{Departure, Walk};
use crate::{Failure, Verdict};

/// Bytes shown of what was found.
const FOUND_BYTES_MAX: usize = 12;

/// Options of `check`.
#[derive(Args, Debug)]
#[command(
    after_help = "Exit codes: 0 every document is accepted, 1 one is refused, 2 one can't be read or judged, or the schema is refused."
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    language: LanguageArguments,
    #[command(flatten)]
    special: SpecialArguments,
    /// Files with one document each; `-` is standard input. The line break that ends a file is not part of the document,
    /// unless the document needs it.
    #[arg(required = true, value_name = "DOCUMENT")]
    documents: Vec<String>,
    /// One JSON object a line for each document.
    #[arg(long)]
    json: bool,
}

/// What was found of a document.
enum Finding {
    Accepted,
    Refused(Refusal),
    /// A question ran out of its budget at this byte.
    Undecided {
        byte: usize,
        why: String,
    },
}

/// Where and why a document was refused.
struct Refusal {
    /// Offset of the first byte that does not fit; the document's length if it ends too early.
    byte: usize,
    /// What was found there.
    found: String,
    /// What would have been allowed there.
    allowed: String,
    /// What its author may have meant.
    hint: Option<String>,
    /// Whether the widest surface policy accepts the document.
    policy_only: bool,
}

/// Runs `check`.
pub(crate) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let language = arguments.language.read()?;
    let grammar = language.compile()?;
    let names = arguments.special.names(&language.vocabulary);
    let mut widest: Option<Option<CompiledGrammar>> = None;
    let mut verdict = Verdict::Accepted;
    for path in &arguments.documents {
        let bytes = match read_bytes(path) {
            Ok(bytes) => bytes,
            Err(failure) => {
                // The others are judged all the same.
                if arguments.json {
                    say!("{}", json!({"document": path, "accepted": null, "error": failure.0}));
                }
                eprintln!("maskwright: {}", failure.0);
                verdict = Verdict::Undecided;
                continue;
            }
        };
        let mut document = without_final_line_break(&bytes);
        let mut finding = follow(&grammar, document, &names);
        // A language may have texts that end with a line break, as lists of lines do.
        if matches!(&finding, Finding::Refused(refusal) if refusal.byte == document.len())
            && matches!(follow(&grammar, &bytes, &names), Finding::Accepted)
        {
            (document, finding) = (&bytes, Finding::Accepted);
        }
        match &mut finding {
            Finding::Accepted => {}
            Finding::Undecided { .. } => verdict = Verdict::Undecided,
            Finding::Refused(refusal) => {
                let widest = widest.get_or_insert_with(|| language.compile_permissively());
                refusal.policy_only = widest
                    .as_ref()
                    .is_some_and(|widest| matches!(follow(widest, document, &names), Finding::Accepted));
                if verdict == Verdict::Accepted {
                    verdict = Verdict::Refused;
                }
            }
        }
        if arguments.json {
            say!("{}", as_json(path, document, &finding));
        } else {
            print_plain(path, document, &finding);
        }
    }
    Ok(verdict)
}

fn without_final_line_break(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    bytes.strip_suffix(b"\r").unwrap_or(bytes)
}

/// Follows the document.
fn follow(grammar: &CompiledGrammar, document: &[u8], names: &Names) -> Finding {
    let mut walk = Walk::new(grammar, names);
    let (byte, departure) = walk.take(document);
    let rest = &document[byte..];
    let found = match departure {
        None if walk.is_complete() => return Finding::Accepted,
        None => "the end of the document".to_string(),
        Some(Departure::NotAllowed) => match names.at_start(rest) {
            Some((_, len)) => format!("the token {}", String::from_utf8_lossy(&rest[..len])),
            None => quoted(excerpt(rest)),
        },
        Some(Departure::Unspellable) => {
            format!("the byte 0x{:02X}, which no token spells alone", document[byte])
        }
        Some(Departure::Undecided(why)) => return Finding::Undecided { byte, why: why.to_string() },
    };
    // The refusal stands even where what else might follow is not known.
    let allowed = walk.next_in_words().unwrap_or_else(|Failure(why)| format!("not known ({why})"));
    Finding::Refused(Refusal { byte, found, allowed, hint: names.hint(rest), policy_only: false })
}

/// The beginning, cut between characters.
fn excerpt(bytes: &[u8]) -> &[u8] {
    let mut end = bytes.len().min(FOUND_BYTES_MAX);
    while end < bytes.len() && end > 1 && bytes[end] & 0xC0 == 0x80 {
        end -= 1;
    }
    &bytes[..end]
}

fn print_plain(path: &str, document: &[u8], finding: &Finding) {
    let place = |byte: usize| {
        let (line, column) = line_and_column(document, byte);
        format!("byte {byte} (line {line}, column {column})")
    };
    match finding {
        Finding::Accepted => say!("{path}: accepted"),
        Finding::Undecided { byte, why } => say!("{path}: not judged beyond {}: {why}", place(*byte)),
        Finding::Refused(refusal) => {
            let Refusal { byte, found, allowed, hint, policy_only } = refusal;
            say!("{path}: refused at {}: found {found}; allowed here: {allowed}", place(*byte));
            if let Some(hint) = hint {
                say!("{path}: {hint}");
            }
            if *policy_only {
                say!("{path}: only the surface policy excludes it: --permissive accepts it");
            }
        }
    }
}

fn as_json(path: &str, document: &[u8], finding: &Finding) -> Value {
    match finding {
        Finding::Accepted => json!({"document": path, "accepted": true}),
        Finding::Undecided { byte, why } => {
            let (line, column) = line_and_column(document, *byte);
            json!({"document": path, "accepted": null, "byte": byte, "line": line, "column": column, "error": why})
        }
        Finding::Refused(r) => {
            let (line, column) = line_and_column(document, r.byte);
            json!({
                "document": path, "accepted": false, "byte": r.byte, "line": line, "column": column,
                "found": r.found, "allowed": r.allowed, "hint": r.hint, "policy_only": r.policy_only,
            })
        }
    }
}
