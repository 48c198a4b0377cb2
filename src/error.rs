//! Every error a user can cause: what was found, where, and what would help.
//!
//! The public structs are opaque; all wording is in this file's `Display` implementations or in the `message` given
//! by the module that found the fault.

use std::fmt;

use crate::index::TokenId;

/// Where a fault lies in a text that the user gave.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// URI of the document, where it is not the text itself but one that its references lead to.
    pub document: Option<String>,
    /// JSON Pointer of the schema location (`""` is the root), where one applies.
    pub pointer: Option<String>,
    /// Line and column (both from 1, columns in code points) and byte offset, where known.
    pub position: Option<Position>,
}

/// A position in a text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column in code points, from 1.
    pub column: usize,
    /// Byte offset, from 0.
    pub byte: usize,
}

impl Place {
    /// A place known by JSON Pointer alone.
    #[must_use]
    pub fn pointer(pointer: impl Into<String>) -> Self {
        Self { pointer: Some(pointer.into()), ..Self::default() }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(document) = &self.document {
            write!(f, "in {document}")?;
            if self.pointer.is_some() || self.position.is_some() {
                write!(f, ", ")?;
            }
        }
        if let Some(pointer) = &self.pointer {
            if pointer.is_empty() { write!(f, "at the root (\"\")")? } else { write!(f, "at {pointer}")? }
        }
        if let Some(p) = &self.position {
            if self.pointer.is_some() {
                write!(f, ", ")?;
            }
            write!(f, "line {}, column {} (byte {})", p.line, p.column, p.byte)?;
        }
        Ok(())
    }
}

/// The class of a compile error, for programs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum CompileErrorKind {
    /// The text does not follow its notation: a schema is not JSON, or a grammar not GBNF (or either not UTF-8).
    Syntax,
    /// A keyword or construct that is not enforced exactly yet.
    Unsupported,
    /// A keyword's value has the wrong shape.
    Invalid,
    /// A `$ref` leads nowhere, or in a circle without consuming anything.
    Reference,
    /// No document satisfies the schema.
    Unsatisfiable,
    /// The vocabulary can't spell what the schema needs.
    Unspellable,
    /// A named limit was passed.
    Limit,
}

impl CompileErrorKind {
    /// A stable word for reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::Unsupported => "unsupported",
            Self::Invalid => "invalid",
            Self::Reference => "reference",
            Self::Unsatisfiable => "unsatisfiable",
            Self::Unspellable => "unspellable",
            Self::Limit => "limit",
        }
    }
}

/// A text was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CompileError {
    kind: CompileErrorKind,
    place: Box<Place>,
    /// The keyword concerned, or a short stable name of the construct (`"oneOf"`, `"pattern: back-reference"`).
    subject: String,
    message: String,
}

impl CompileError {
    /// A refusal: its class, where, the keyword or construct concerned, and a sentence saying what was found and what
    /// would help.
    #[must_use]
    pub fn new(
        kind: CompileErrorKind,
        place: Place,
        subject: impl Into<String>,
        message: impl Into<String>,
    ) -> Self {
        Self { kind, place: Box::new(place), subject: subject.into(), message: message.into() }
    }

    /// The same refusal of a text that is a document of another.
    #[must_use]
    pub fn in_document(mut self, uri: &str) -> Self {
        self.place.document = Some(uri.to_owned());
        self
    }

    /// The same refusal of a text that stands inside another, below a JSON Pointer. Lines and columns are then those of the text inside if
    /// it has no pointers of its own, else not known.
    #[must_use]
    pub fn below(mut self, pointer: &str) -> Self {
        if self.place.document.is_none() {
            if self.place.pointer.is_some() {
                self.place.position = None;
            }
            let inner = self.place.pointer.take().unwrap_or_default();
            self.place.pointer = Some(format!("{pointer}{inner}"));
        }
        self
    }

    /// The same refusal of a text that was given under a name beside another.
    #[must_use]
    pub(crate) fn of_document(mut self, name: &str) -> Self {
        self.place.document.get_or_insert_with(|| name.to_owned());
        self
    }

    /// The same refusal of a text that starts at this position of another.
    #[must_use]
    pub(crate) fn inside(mut self, start: Position) -> Self {
        let at = self.place.position.unwrap_or(Position { line: 1, column: 1, byte: 0 });
        let column = if at.line == 1 { at.column + start.column - 1 } else { at.column };
        let (line, byte) = (at.line + start.line - 1, at.byte + start.byte);
        self.place.position = Some(Position { line, column, byte });
        self
    }

    /// The same refusal, met while a part of the text was worked on, if it has no place of its own.
    #[must_use]
    pub(crate) fn met_in(mut self, part: &str, position: Option<Position>) -> Self {
        if self.place.position.is_none() {
            self.place.position = position;
            self.message = format!("{part}: {}", self.message);
        }
        self
    }

    /// The class.
    #[must_use]
    pub fn kind(&self) -> CompileErrorKind {
        self.kind
    }

    /// Where.
    #[must_use]
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// The keyword or construct concerned: stable, good for counting.
    #[must_use]
    pub fn subject(&self) -> &str {
        &self.subject
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self.place != Place::default() {
            write!(f, "{} ", self.place)?;
        }
        write!(f, "({}, {}): {}", self.kind.name(), self.subject, self.message)
    }
}

impl std::error::Error for CompileError {}

/// A question first met during a request ran out of its budget; the matcher stays where it was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exhausted {
    /// What was being decided, and which limit it passed.
    pub place: String,
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "budget exhausted while deciding {}", self.place)
    }
}

impl std::error::Error for Exhausted {}

/// Why a token was not committed; nothing changed.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CommitError {
    /// The grammar does not allow the token here.
    NotAllowed {
        /// The token.
        token: TokenId,
    },
    /// The id is not in the vocabulary.
    OutOfRange {
        /// The token.
        token: TokenId,
        /// Number of ids in the vocabulary.
        vocabulary_len: usize,
    },
    /// A stop token has been committed: nothing may follow.
    Finished,
    /// More tokens than were committed can't be taken back.
    RollbackTooFar {
        /// Tokens asked for.
        requested: usize,
        /// Tokens committed.
        committed: usize,
    },
    /// See [`Exhausted`].
    Exhausted(Exhausted),
}

impl fmt::Display for CommitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAllowed { token } => write!(f, "token {} is not allowed here", token.0),
            Self::OutOfRange { token, vocabulary_len } => {
                write!(f, "token {} is outside the vocabulary of {vocabulary_len} ids", token.0)
            }
            Self::Finished => write!(f, "a stop token has been committed; roll back or reset to go on"),
            Self::RollbackTooFar { requested, committed } => {
                write!(f, "can't roll back {requested} tokens: only {committed} are committed")
            }
            Self::Exhausted(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for CommitError {}

impl From<Exhausted> for CommitError {
    fn from(e: Exhausted) -> Self {
        Self::Exhausted(e)
    }
}

/// Why a mask was not filled.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum MaskError {
    /// The row's width differs from the vocabulary's logits width.
    Width {
        /// Width of the row given, in tokens.
        found: usize,
        /// Width that the grammar's vocabulary needs, in tokens.
        expected: usize,
    },
    /// See [`Exhausted`].
    Exhausted(Exhausted),
}

impl fmt::Display for MaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Width { found, expected } => write!(
                f,
                "the mask row is {found} tokens wide, the grammar's vocabulary needs {expected}: make it with Bitmask::new(&grammar)"
            ),
            Self::Exhausted(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for MaskError {}

impl From<Exhausted> for MaskError {
    fn from(e: Exhausted) -> Self {
        Self::Exhausted(e)
    }
}

/// A vocabulary or tokenizer file was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VocabularyError {
    message: String,
}

impl VocabularyError {
    /// A refusal: what was found, where, and what would help.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

impl fmt::Display for VocabularyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for VocabularyError {}

/// A format that the caller defines was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormatError {
    name: String,
    message: String,
}

impl FormatError {
    /// A refusal: the name of the format, what was found and what would help.
    #[must_use]
    pub fn new(name: impl Into<String>, message: impl Into<String>) -> Self {
        Self { name: name.into(), message: message.into() }
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the format {:?} can't be defined: {}", self.name, self.message)
    }
}

impl std::error::Error for FormatError {}

/// Sampling settings were refused.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub enum SamplingError {
    /// The temperature is negative, infinite or not a number.
    Temperature {
        /// The temperature given.
        found: f32,
    },
    /// The share of top-p is not above 0 and at most 1.
    TopP {
        /// The share given.
        found: f32,
    },
}

impl fmt::Display for SamplingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Temperature { found } => {
                write!(f, "temperature {found} is outside its range: give a finite number of at least 0")
            }
            Self::TopP { found } => {
                write!(f, "top_p {found} is outside its range: give a number above 0 and at most 1")
            }
        }
    }
}

impl std::error::Error for SamplingError {}
