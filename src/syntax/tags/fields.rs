//! Reads the members of JSON objects that have a known shape: whatever else stands there is refused by name.

use crate::error::{CompileError, CompileErrorKind, Place};
use crate::grammar::nearest::nearest;
use crate::grammar::rules::TokenMember;
use crate::limits::TAG_MARK_BYTES_MAX;
use crate::syntax::json::{Kind, Value};

/// An object of a known shape.
#[derive(Clone, Copy)]
pub(super) struct Fields<'j> {
    /// The object.
    pub(super) at: Value<'j>,
    /// What it describes, for messages.
    what: &'static str,
}

impl<'j> Fields<'j> {
    /// The members of an object; all must have one of the names.
    pub(super) fn of(at: Value<'j>, what: &'static str, names: &[&str]) -> Result<Self, CompileError> {
        if !at.is_object() {
            return Err(invalid(at, what, format!("expected an object, found {}", at.kind().words())));
        }
        if let Some((unknown, value)) = at.members().find(|(name, _)| !names.contains(name)) {
            let help = match nearest(unknown, names.iter().copied()) {
                Some(name) => format!("did you mean {name:?}?"),
                None => format!("it may have {}", names.join(", ")),
            };
            return Err(invalid(value, what, format!("{unknown:?} is no member of it: {help}")));
        }
        Ok(Self { at, what })
    }

    /// A member; `null` counts as absent.
    pub(super) fn get(self, name: &str) -> Option<Value<'j>> {
        self.at.get(name).filter(|value| value.kind() != Kind::Null)
    }

    pub(super) fn required(self, name: &str) -> Result<Value<'j>, CompileError> {
        let missing = || invalid(self.at, self.what, format!("the member {name:?} is missing"));
        self.get(name).ok_or_else(missing)
    }

    pub(super) fn text(self, name: &str) -> Result<&'j str, CompileError> {
        text(self.required(name)?, self.what)
    }

    /// `true` or `false`, or what it is if absent.
    pub(super) fn flag(self, name: &str, absent: Flag) -> Result<Flag, CompileError> {
        match self.get(name).map(|value| (value, value.kind())) {
            None => Ok(absent),
            Some((_, Kind::Boolean(true))) => Ok(Flag::On),
            Some((_, Kind::Boolean(false))) => Ok(Flag::Off),
            Some((value, kind)) => {
                Err(invalid(value, self.what, format!("expected true or false, found {}", kind.words())))
            }
        }
    }

    /// The items of an array; of none if it is absent.
    pub(super) fn list(self, name: &str) -> Result<Vec<Value<'j>>, CompileError> {
        match self.get(name) {
            None => Ok(Vec::new()),
            Some(list) if list.is_array() => Ok(list.items().collect()),
            Some(other) => {
                Err(invalid(other, self.what, format!("expected an array, found {}", other.kind().words())))
            }
        }
    }

    /// Texts that are not empty.
    pub(super) fn texts(self, name: &str) -> Result<Vec<&'j str>, CompileError> {
        self.list(name)?.into_iter().map(|value| nonempty(value, self.what)).collect()
    }

    /// Tokens, by id or by name.
    pub(super) fn tokens(self, name: &str) -> Result<Vec<TokenMember>, CompileError> {
        self.list(name)?.into_iter().map(|value| token(value, self.what)).collect()
    }

    /// A count of at least 0.
    pub(super) fn count(self, name: &str) -> Result<Option<u32>, CompileError> {
        self.get(name).map(|value| count(value, self.what)).transpose()
    }
}

/// Whether an option is set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flag {
    On,
    Off,
}

pub(super) fn text<'j>(value: Value<'j>, what: &str) -> Result<&'j str, CompileError> {
    let wrong = || invalid(value, what, format!("expected a string, found {}", value.kind().words()));
    value.as_str().ok_or_else(wrong)
}

/// A text that begins or ends something.
pub(super) fn nonempty<'j>(value: Value<'j>, what: &str) -> Result<&'j str, CompileError> {
    match text(value, what)? {
        long if long.len() > TAG_MARK_BYTES_MAX => {
            let message = format!("it is longer than {TAG_MARK_BYTES_MAX} bytes (TAG_MARK_BYTES_MAX)");
            Err(refuse(CompileErrorKind::Limit, value, what, message))
        }
        "" => Err(invalid(value, what, "the empty text stands everywhere: name some characters")),
        text => Ok(text),
    }
}

pub(super) fn count(value: Value<'_>, what: &str) -> Result<u32, CompileError> {
    let found = match value.kind() {
        Kind::Number(spelling) => spelling.parse::<u32>().ok(),
        _ => None,
    };
    let wrong = || invalid(value, what, "expected an integer from 0 to 4294967295");
    found.ok_or_else(wrong)
}

/// A token, by id or by name.
pub(super) fn token(value: Value<'_>, what: &str) -> Result<TokenMember, CompileError> {
    match value.kind() {
        Kind::Number(_) => count(value, what).map(|id| TokenMember::Ids(id, id)),
        Kind::String("") => Err(invalid(value, what, "a token has a name: expected its text or its id")),
        Kind::String(name) => Ok(TokenMember::Name(name.into())),
        other => Err(invalid(value, what, format!("expected a token's id or text, found {}", other.words()))),
    }
}

pub(super) fn invalid(at: Value<'_>, what: &str, message: impl Into<String>) -> CompileError {
    refuse(CompileErrorKind::Invalid, at, what, message)
}

pub(super) fn unsupported(at: Value<'_>, what: &str, message: impl Into<String>) -> CompileError {
    refuse(CompileErrorKind::Unsupported, at, what, message)
}

pub(super) fn refuse(
    kind: CompileErrorKind,
    at: Value<'_>,
    what: &str,
    message: impl Into<String>,
) -> CompileError {
    let place = Place { document: None, pointer: Some(at.pointer()), position: Some(at.position()) };
    CompileError::new(kind, place, what, message)
}

/// A name that is none of those known.
pub(super) fn unknown(at: Value<'_>, what: &str, found: &str, names: &[&str]) -> CompileError {
    let help = match nearest(found, names.iter().copied()) {
        Some(name) => format!("did you mean {name:?}?"),
        None => format!("there are {}", names.join(", ")),
    };
    invalid(at, what, format!("{found:?} is not known: {help}"))
}
