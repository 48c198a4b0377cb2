//! Reads `%regex {…}`: a terminal that matches any run of a text's chunks, words or characters, the empty run included.

use super::scan::Scanner;
use super::tree::Kind;
use crate::error::CompileError;
use crate::grammar::nearest::nearest;
use crate::grammar::substring::{characters, words};
use crate::syntax::json::{self, Json, Value};

const NAMES: [&str; 3] = ["substring_chunks", "substring_words", "substring_chars"];

/// The block behind `%regex`.
pub(super) fn read(scanner: &mut Scanner<'_>) -> Result<Kind, CompileError> {
    let (from, text) = scanner.json()?;
    let scanner = &*scanner;
    let fault = |byte: usize, message: String| Err(scanner.syntax(from + byte, "%regex", message));
    let read = match Json::read(text) {
        Ok(read) => read,
        Err(e) => return fault(e.position.byte, e.message),
    };
    let mut members = read.root().members();
    let (Some((name, value)), true) = (members.next(), read.root().is_object()) else {
        return fault(0, format!("an object with one of {} is needed here", NAMES.join(", ")));
    };
    if let Some((name, second)) = members.next() {
        let message = format!("one member says what is matched, and `{name}` is a second one");
        return fault(second.position().byte, message);
    }
    let chunks = match name {
        "substring_chunks" if value.is_array() => {
            let mut chunks = Vec::new();
            for item in value.items() {
                match item.as_str() {
                    Some(chunk) => chunks.push(chunk),
                    None => return fault(item.position().byte, wanted(name, "strings", item)),
                }
            }
            chunks
        }
        "substring_chunks" => {
            return fault(value.position().byte, wanted(name, "an array of strings", value));
        }
        "substring_words" | "substring_chars" => match value.kind() {
            json::Kind::String(text) if name == "substring_words" => words(text),
            json::Kind::String(text) => characters(text).collect(),
            _ => return fault(value.position().byte, wanted(name, "a string", value)),
        },
        _ => {
            let message = match nearest(name, NAMES.into_iter()) {
                Some(near) => format!("`{name}` is not known; did you mean `{near}`?"),
                None => format!("`{name}` is not known; known are {}", NAMES.join(", ")),
            };
            return fault(value.position().byte, message);
        }
    };
    Ok(Kind::Runs(chunks.into_iter().map(Into::into).collect()))
}

fn wanted(name: &str, what: &str, found: Value<'_>) -> String {
    format!("`{name}` has {what}, not {}", found.kind().words())
}
