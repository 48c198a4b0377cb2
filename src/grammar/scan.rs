//! Reading a grammar's text: characters with their positions, space and comments, and the errors that name a place.
//!
//! All notations of grammars read through a [`Scanner`], so that each of them counts lines and columns alike, checks UTF-8
//! and length once, and reports what it found in the same words.

use std::cell::Cell;

use crate::error::{CompileError, CompileErrorKind, Place, Position};
use crate::limits::{GRAMMAR_BYTES_MAX, LARK_BYTES_MAX};

/// A notation for grammars.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Notation {
    /// The text form of the intermediate form.
    Form,
    /// llama.cpp's notation.
    Gbnf,
    /// Rules with `::=`: the notation of W3C specifications and of serving engines.
    Productions,
    /// ISO 14977 and its relatives.
    Iso,
    /// Lark's and llguidance's notation.
    Lark,
}

impl Notation {
    /// The word that errors start with.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Form => "grammar",
            Self::Gbnf => "gbnf",
            Self::Productions | Self::Iso => "ebnf",
            Self::Lark => "lark",
        }
    }
}

/// Whether space may lead over the end of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Lines {
    /// Line breaks are space.
    Cross,
    /// Reading stops at a line break.
    Stay,
}

/// A text and how far it has been read.
pub(crate) struct Scanner<'t> {
    text: &'t str,
    at: usize,
    notation: Notation,
    /// The last position that was asked for: the next one is mostly not far behind it.
    mark: Cell<Position>,
}

impl<'t> Scanner<'t> {
    /// A text from its first character on.
    ///
    /// # Errors
    /// If it is too long, not UTF-8, starts with a byte order mark, or holds a NUL.
    pub(crate) fn new(notation: Notation, bytes: &'t [u8]) -> Result<Self, CompileError> {
        let mut scanner = Self { text: "", at: 0, notation, mark: Cell::new(START) };
        let (most, name) = match notation {
            Notation::Lark => (LARK_BYTES_MAX, "LARK_BYTES_MAX"),
            _ => (GRAMMAR_BYTES_MAX, "GRAMMAR_BYTES_MAX"),
        };
        if bytes.len() > most {
            let message = format!("it has {} bytes, at most {most} are allowed ({name})", bytes.len());
            return Err(scanner.error(CompileErrorKind::Limit, 0, "length", message));
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => scanner.text = text,
            Err(e) => {
                let valid = &bytes[..e.valid_up_to()];
                scanner.text = std::str::from_utf8(valid).unwrap_or_default();
                return Err(scanner.syntax(valid.len(), "encoding", "the text is not UTF-8 from here on"));
            }
        }
        if scanner.text.starts_with('\u{FEFF}') {
            let message =
                "found a byte order mark (U+FEFF); a grammar starts without one: remove its three bytes";
            return Err(scanner.syntax(0, "encoding", message));
        }
        match scanner.text.find('\0') {
            None => Ok(scanner),
            Some(at) => {
                let message = "a NUL stands in the text; inside a literal or a class write `\\x00`";
                Err(scanner.syntax(at, "character", message))
            }
        }
    }

    pub(crate) fn notation(&self) -> Notation {
        self.notation
    }

    /// Byte offset of what is read next.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Goes back, or on, to a byte offset that [`Scanner::at`] gave.
    pub(crate) fn go_to(&mut self, at: usize) {
        self.at = at;
    }

    /// The whole text.
    pub(crate) fn text(&self) -> &'t str {
        self.text
    }

    pub(crate) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// What has been read since this offset.
    pub(crate) fn since(&self, from: usize) -> &'t str {
        &self.text[from..self.at]
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// The character after the next one.
    pub(crate) fn peek_second(&self) -> Option<char> {
        self.rest().chars().nth(1)
    }

    pub(crate) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Whether this comes next; then it is taken.
    pub(crate) fn take(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }

    /// Takes characters as long as they are of a kind.
    pub(crate) fn take_while(&mut self, is_wanted: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let len = rest.find(|c| !is_wanted(c)).unwrap_or(rest.len());
        self.at += len;
        &rest[..len]
    }

    /// Takes a line break: `\n`, `\r\n` or `\r`.
    pub(crate) fn take_line_break(&mut self) -> bool {
        self.take("\r\n") || self.take("\n") || self.take("\r")
    }

    /// Skips space and comments.
    ///
    /// # Errors
    /// If a comment has no end.
    pub(crate) fn skip(&mut self, lines: Lines) -> Result<(), CompileError> {
        loop {
            let start = self.at;
            match self.peek() {
                Some(' ' | '\t') => self.at += 1,
                Some('\n' | '\r') if lines == Lines::Cross => self.at += 1,
                Some('#') if self.notation != Notation::Iso && !self.is_code_point() => {
                    self.take_while(|c| c != '\n' && c != '\r');
                }
                Some('/') if self.notation == Notation::Productions && self.take("/*") => {
                    self.comment(start, "*/")?;
                }
                Some('(') if self.notation == Notation::Iso && self.take("(*") => {
                    self.nested_comment(start)?;
                }
                _ => return Ok(()),
            }
        }
    }

    /// Whether `#xN` of the W3C's notation comes next, and not a comment.
    pub(crate) fn is_code_point(&self) -> bool {
        self.notation == Notation::Productions
            && self
                .rest()
                .strip_prefix("#x")
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_hexdigit()))
    }

    fn comment(&mut self, start: usize, end: &str) -> Result<(), CompileError> {
        match self.rest().find(end) {
            Some(len) => {
                self.at += len + end.len();
                Ok(())
            }
            None => {
                Err(self.syntax(start, "comment", format!("the comment is not closed: `{end}` is missing")))
            }
        }
    }

    /// The rest of a comment in which comments may stand; a count stands for the open ones.
    fn nested_comment(&mut self, start: usize) -> Result<(), CompileError> {
        let mut open = 1;
        while open > 0 {
            if self.take("*)") {
                open -= 1;
            } else if self.take("(*") {
                open += 1;
            } else if self.next().is_none() {
                return Err(self.syntax(start, "comment", "the comment is not closed: `*)` is missing"));
            }
        }
        Ok(())
    }

    /// What comes next, in the words of an error message.
    pub(crate) fn found(&self) -> String {
        match self.peek() {
            None => "the text ends".to_owned(),
            Some('\n' | '\r') => "the line ends".to_owned(),
            Some('`') => "a backquote is found".to_owned(),
            Some(c) if c == ' ' || c.is_ascii_graphic() || c.is_alphanumeric() => format!("`{c}` is found"),
            Some(c) => format!("U+{:04X} is found", u32::from(c)),
        }
    }

    /// Line and column of a byte offset. Cheap where offsets are asked for in rising order.
    pub(crate) fn position(&self, byte: usize) -> Position {
        let mut mark = self.mark.get();
        if byte < mark.byte {
            mark = START;
        }
        let bytes = self.text.as_bytes();
        for c in self.text[mark.byte..byte].chars() {
            let ends_line = match c {
                '\n' => true,
                '\r' => bytes.get(mark.byte + 1) != Some(&b'\n'),
                _ => false,
            };
            mark.byte += c.len_utf8();
            if ends_line {
                mark.line += 1;
                mark.column = 1;
            } else {
                mark.column += 1;
            }
        }
        self.mark.set(mark);
        mark
    }

    /// A refusal of what stands at a byte offset.
    pub(crate) fn error(
        &self,
        kind: CompileErrorKind,
        byte: usize,
        construct: &str,
        message: impl Into<String>,
    ) -> CompileError {
        let place = Place { position: Some(self.position(byte)), ..Place::default() };
        CompileError::new(kind, place, format!("{}: {construct}", self.notation.name()), message)
    }

    /// A refusal because the text does not follow its notation.
    pub(crate) fn syntax(&self, byte: usize, construct: &str, message: impl Into<String>) -> CompileError {
        self.error(CompileErrorKind::Syntax, byte, construct, message)
    }

    /// A refusal of something that is not supported, with what to use instead.
    pub(crate) fn unsupported(
        &self,
        byte: usize,
        construct: &str,
        message: impl Into<String>,
    ) -> CompileError {
        self.error(CompileErrorKind::Unsupported, byte, construct, message)
    }
}

/// Where every text starts.
const START: Position = Position { line: 1, column: 1, byte: 0 };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_of_all_kinds_and_code_points() {
        let text = "aé\r\nb\rc\n\nd";
        let scanner = Scanner::new(Notation::Gbnf, text.as_bytes()).unwrap();
        let at = |byte| {
            let p = scanner.position(byte);
            (p.line, p.column)
        };
        let expected =
            [(0, (1, 1)), (3, (1, 3)), (5, (2, 1)), (7, (3, 1)), (9, (4, 1)), (10, (5, 1)), (11, (5, 2))];
        for (byte, place) in expected {
            assert_eq!(at(byte), place, "{byte}");
        }
        // Going back starts again from the first character.
        assert_eq!((at(1), at(10), at(0)), ((1, 2), (5, 1), (1, 1)));
    }

    #[test]
    fn what_is_no_text_is_refused_at_its_byte() {
        let refused = |bytes: &[u8]| Scanner::new(Notation::Gbnf, bytes).err().unwrap().to_string();
        assert_eq!(
            refused(b"a\n\xC3("),
            "line 2, column 1 (byte 2) (syntax, gbnf: encoding): the text is not UTF-8 from here on"
        );
        assert!(refused(b"ab\0").starts_with("line 1, column 3 (byte 2)"));
        assert!(refused(&vec![b' '; GRAMMAR_BYTES_MAX + 1]).contains("GRAMMAR_BYTES_MAX"));
    }

    #[test]
    fn comments_are_those_of_the_notation() {
        let rest = |notation, text: &'static str| {
            let mut scanner = Scanner::new(notation, text.as_bytes()).unwrap();
            scanner.skip(Lines::Cross).map(|()| scanner.rest())
        };
        assert_eq!(rest(Notation::Gbnf, " # a\r\n x"), Ok("x"));
        assert_eq!(rest(Notation::Gbnf, "/* a */x"), Ok("/* a */x"));
        assert_eq!(rest(Notation::Productions, "#a\n/* # */ #xA"), Ok("#xA"));
        assert_eq!(rest(Notation::Iso, "(* a (* b *) *) x"), Ok("x"));
        assert!(rest(Notation::Iso, "(* a (* b *) x").is_err());
        assert!(rest(Notation::Productions, "/* x").is_err());
    }
}
