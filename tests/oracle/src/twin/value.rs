//! A JSON value that keeps what the policy is about: the order of members and the text of numbers.

use std::fmt;
use std::rc::Rc;

/// A JSON value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number as it was spelled.
    Number(String),
    /// A string, decoded.
    Text(String),
    /// An array.
    Array(Vec<Rc<Value>>),
    /// An object's members in order.
    Object(Vec<(Rc<str>, Rc<Value>)>),
}

impl Value {
    /// The same value from a `serde_json` tree (whose numbers keep their text).
    #[must_use]
    pub fn from_json(json: &serde_json::Value) -> Self {
        match json {
            serde_json::Value::Null => Self::Null,
            serde_json::Value::Bool(b) => Self::Bool(*b),
            serde_json::Value::Number(n) => Self::Number(n.to_string()),
            serde_json::Value::String(s) => Self::Text(s.clone()),
            serde_json::Value::Array(items) => {
                Self::Array(items.iter().map(|item| Rc::new(Self::from_json(item))).collect())
            }
            serde_json::Value::Object(members) => Self::Object(
                members
                    .iter()
                    .map(|(name, value)| (Rc::from(name.as_str()), Rc::new(Self::from_json(value))))
                    .collect(),
            ),
        }
    }

    /// The member of a name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        match self {
            Self::Object(members) => members.iter().find(|(n, _)| &**n == name).map(|(_, value)| &**value),
            _ => None,
        }
    }
}

/// Writes a string in its natural spelling.
fn quoted(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_str("\"")?;
    for c in text.chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            c if c < ' ' => write!(f, "\\u{:04x}", u32::from(c))?,
            c => write!(f, "{c}")?,
        }
    }
    f.write_str("\"")
}

/// The compact spelling.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(b) => write!(f, "{b}"),
            Self::Number(text) => f.write_str(text),
            Self::Text(text) => quoted(text, f),
            Self::Array(items) => {
                f.write_str("[")?;
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        f.write_str(",")?;
                    }
                    item.fmt(f)?;
                }
                f.write_str("]")
            }
            Self::Object(members) => {
                f.write_str("{")?;
                for (i, (name, value)) in members.iter().enumerate() {
                    if i > 0 {
                        f.write_str(",")?;
                    }
                    quoted(name, f)?;
                    f.write_str(":")?;
                    value.fmt(f)?;
                }
                f.write_str("}")
            }
        }
    }
}
