//! What an id is to a grammar, and why.

use std::fmt;

use crate::index::TokenId;

/// What an id is to a grammar.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TokenKind {
    /// Stands for its bytes, of which there is at least one.
    Text,
    /// Stands only for itself: a grammar must name it, or it must be a stop token.
    Letter,
    /// Spells nothing, so it would never bring the text forward: never allowed.
    Empty,
    /// The file does not say what it spells (a hole between the ids): never allowed.
    Undecodable,
}

impl fmt::Display for TokenKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text => "text",
            Self::Letter => "letter",
            Self::Empty => "empty",
            Self::Undecodable => "undecodable",
        })
    }
}

/// Why an added token is text or a letter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum KindReason {
    /// Whitespace only: the model writes it as text.
    Whitespace,
    /// The tokens of this model family list it among its text, such as Gemma's HTML tags.
    FamilyText,
    /// An added token, whatever the file's `special` flag says.
    Added,
    /// The token that stands for what the vocabulary can't spell.
    Unknown,
    /// It spells nothing.
    Empty,
    /// The file calls it unused.
    Unused,
    /// The caller said so.
    Chosen,
}

impl fmt::Display for KindReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Whitespace => "whitespace only",
            Self::FamilyText => "text in this model family",
            Self::Added => "added token",
            Self::Unknown => "unknown token",
            Self::Empty => "spells nothing",
            Self::Unused => "unused",
            Self::Chosen => "chosen by the caller",
        })
    }
}

/// An added token and what was made of it, for printing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AddedToken<'a> {
    /// Its id.
    pub id: TokenId,
    /// As the file spells it.
    pub content: &'a str,
    /// The file's `special` flag, which decides nothing.
    pub special_in_file: bool,
    /// What it is. A stop token is a [`TokenKind::Letter`] for as long as it is one.
    pub kind: TokenKind,
    /// Why.
    pub reason: KindReason,
}

impl fmt::Display for AddedToken<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let special = if self.special_in_file { "special" } else { "not special" };
        write!(f, "{} {:?}: {} ({}; {special} in the file)", self.id.0, self.content, self.kind, self.reason)
    }
}
