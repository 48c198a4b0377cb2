//! Reads the options in brackets behind a rule's name: what ends its text, and what is noted about it.
//!
//! `capture` and `stop_capture` say which texts another engine hands out. They change no language, so they are read and listed in the
//! report. Options about tokens and sampling have no place in a language and are refused.

use super::expressions;
use super::scan::{Lines, Scanner};
use super::tree::{Document, Kind, Lazy};
use crate::error::{CompileError, Position};
use crate::syntax::schema::{Entry, Status};

const NOT_CAPTURED: &str = "no text is captured: look into the output";
const STOP_STAYS: &str =
    "the text that stops it is read like a suffix and stays in the output: nothing is taken back";
const STOPS_AT_END: &str = "its text ends with the whole text";
const ONE_END: &str = "a second option that ends the rule's text: keep one of `stop=` and `suffix=`";

/// The options of a rule, behind `[`.
pub(super) fn read(
    scanner: &mut Scanner<'_>,
    document: &mut Document,
    rule: &str,
) -> Result<Lazy, CompileError> {
    let mut options = Options { scanner, document, rule, lazy: Lazy::No, stop_capture: None };
    loop {
        options.one()?;
        options.scanner.skip_comments(Lines::Stay);
        if options.scanner.take("]") {
            return options.finish();
        }
        if !options.scanner.take(",") {
            let message = format!("`,` or `]` is needed here, and {}", options.scanner.found());
            return Err(options.scanner.syntax(options.scanner.at(), "option", message));
        }
    }
}

struct Options<'s, 't, 'd> {
    scanner: &'s mut Scanner<'t>,
    document: &'d mut Document,
    rule: &'d str,
    lazy: Lazy,
    /// Where `stop_capture` stands.
    stop_capture: Option<usize>,
}

impl Options<'_, '_, '_> {
    fn one(&mut self) -> Result<(), CompileError> {
        self.scanner.skip_comments(Lines::Stay);
        let byte = self.scanner.at();
        let Some(key) = self.scanner.name() else {
            let message = format!("a name is needed here, and {}", self.scanner.found());
            return Err(self.scanner.syntax(byte, "option", message));
        };
        self.scanner.skip_comments(Lines::Stay);
        match key {
            "lazy" => {
                if self.lazy == Lazy::No {
                    self.lazy = Lazy::Yes;
                }
                Ok(())
            }
            "suffix" | "stop" => self.end(key, byte),
            "capture" => {
                if self.scanner.rest().starts_with('=') {
                    self.capture_name(key)?;
                }
                self.report(byte, key, Status::Annotation, NOT_CAPTURED);
                Ok(())
            }
            "stop_capture" => {
                self.capture_name(key)?;
                self.stop_capture = Some(byte);
                self.report(byte, key, Status::Annotation, NOT_CAPTURED);
                Ok(())
            }
            _ => {
                let help = match key {
                    "max_tokens" => {
                        "masks hang on the text, not on how tokens split it: bound the characters, as in `/.{0,100}/`, or let the engine end the request"
                    }
                    "temperature" => "sampling has no part in a language: set it where the engine samples",
                    _ => "known are `lazy`, `suffix=`, `stop=`, `capture` and `stop_capture=`",
                };
                let message =
                    format!("the option `{key}` of the rule `{}` is not supported: {help}", self.rule);
                Err(self.scanner.unsupported(byte, &format!("option {key}"), message))
            }
        }
    }

    fn equals(&mut self, key: &str) -> Result<(), CompileError> {
        if !self.scanner.take("=") {
            let message = format!("`=` is needed behind `{key}`");
            return Err(self.scanner.syntax(self.scanner.at(), "option", message));
        }
        self.scanner.skip_comments(Lines::Stay);
        Ok(())
    }

    /// `suffix=…` and `stop=…`. The empty text stands for the end of the whole text in both.
    fn end(&mut self, key: &str, byte: usize) -> Result<(), CompileError> {
        self.equals(key)?;
        let node = expressions::read_value(self.scanner, self.document)?;
        if !matches!(self.lazy, Lazy::No | Lazy::Yes) {
            return Err(self.scanner.syntax(byte, "option", ONE_END));
        }
        let is_empty = matches!(&self.document.nodes[node].kind, Kind::Text { text, .. } if text.is_empty());
        self.lazy = match key {
            _ if is_empty && self.lazy == Lazy::Yes => {
                let message =
                    format!("the text of the rule `{}` ends with the whole text and is not lazy", self.rule);
                return Err(self.scanner.syntax(byte, "option", message));
            }
            _ if is_empty => {
                self.report(byte, key, Status::Exact, STOPS_AT_END);
                Lazy::ToEnd
            }
            "stop" => {
                self.report(byte, key, Status::Exact, STOP_STAYS);
                Lazy::Stop(node)
            }
            _ => Lazy::Suffix(node),
        };
        Ok(())
    }

    fn capture_name(&mut self, key: &str) -> Result<(), CompileError> {
        self.equals(key)?;
        if self.scanner.peek() != Some('"') {
            let message = format!("a string is needed behind `{key}=`, and {}", self.scanner.found());
            return Err(self.scanner.syntax(self.scanner.at(), "option", message));
        }
        self.scanner.string().map(drop)
    }

    fn report(&mut self, byte: usize, key: &str, status: Status, what: &str) {
        let Position { line, column, byte } = self.scanner.position(byte);
        let note = format!("rule `{}`, line {line}, column {column} (byte {byte}): {what}", self.rule);
        let keyword = format!("option {key}").into();
        self.document.reported.push(Entry { pointer: "".into(), keyword, status, note: Some(note.into()) });
    }

    fn finish(self) -> Result<Lazy, CompileError> {
        match (self.stop_capture, self.lazy) {
            (Some(byte), Lazy::No | Lazy::Yes) => {
                let message =
                    "`stop_capture=` names the text of `stop=` or `suffix=`, and neither stands here";
                Err(self.scanner.syntax(byte, "option", message))
            }
            (_, lazy) => Ok(lazy),
        }
    }
}
