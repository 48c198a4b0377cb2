//! JSON texts as read-only trees that keep what a constraint needs: member order, exact number text, positions.
//!
//! A document is one table in *preorder*: the children of value `v` are `v + 1`, then the value at which the subtree
//! of `v + 1` ends, and so on while inside the subtree of `v`. Nothing here recurses: not the reader, not the walks,
//! not dropping. Strings without escapes are slices of the source; the others are decoded once into a side text.
//!
//! Invariants: ids are below the table's length; a parent's id is less than its children's; every object's member
//! names are distinct; wide containers have an index, so no look-up is linear.

mod read;
mod write;

use std::fmt;

use crate::error::Position;
use crate::index::widen;

/// Containers with more children than this are indexed.
const WIDE: usize = 8;

/// A parsed JSON text.
#[derive(Debug)]
pub struct Json<'t> {
    text: &'t str,
    /// What the document is called; empty if it is the only one, or the one that the others belong to.
    uri: &'t str,
    /// The id of its first value, so that documents that are read together can share ids.
    first: u32,
    slots: Vec<Slot>,
    /// Decoded strings that had escapes, one after the other.
    decoded: String,
    /// Children of wide containers: arrays in order, objects by name.
    wide: Vec<u32>,
}

/// One value of the table.
#[derive(Clone, Copy, Debug)]
struct Slot {
    shape: Shape,
    /// Where it starts in the source; of a member, where its name starts.
    byte: u32,
    /// The member's name; empty for other values.
    name: Stretch,
    /// The enclosing container; the root is its own parent.
    parent: u32,
    /// First id after the subtree.
    end: u32,
}

/// What a slot holds.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Null,
    True,
    False,
    Number(Stretch),
    String(Stretch),
    /// Number of children, and where they stand in `wide` if there are more than `WIDE`.
    Array {
        len: u32,
        wide: u32,
    },
    Object {
        len: u32,
        wide: u32,
    },
}

/// A piece of the source, or of the decoded side text.
#[derive(Clone, Copy, Debug)]
enum Stretch {
    Source { start: u32, end: u32 },
    Decoded { start: u32, end: u32 },
}

impl Stretch {
    const NONE: Self = Self::Source { start: 0, end: 0 };
}

impl<'t> Json<'t> {
    /// Reads a text by RFC 8259, strictly; members of one object must have distinct names. O(n), O(n log n) in the
    /// widest object.
    ///
    /// # Errors
    /// The first fault of the text, with its position; also when the text is too long, too deep or has too many values.
    pub fn read(text: &'t str) -> Result<Self, JsonError> {
        read::read(text)
    }

    /// Gives the document a URI, and its values ids from `first` on: so the values of several documents have distinct ids.
    #[must_use]
    pub fn placed(mut self, uri: &'t str, first: u32) -> Self {
        self.uri = uri;
        self.first = first;
        self
    }

    /// The whole document.
    #[must_use]
    pub fn root(&self) -> Value<'_> {
        Value { json: self, slot: 0 }
    }

    /// Id of its first value.
    #[must_use]
    pub fn first(&self) -> u32 {
        self.first
    }

    /// Its URI, as given to [`Json::placed`]; else empty.
    #[must_use]
    pub fn uri(&self) -> &'t str {
        self.uri
    }

    /// Number of values, nested ones included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Never: a document has at least its root.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The value of an id given by [`Value::id`] of this document.
    ///
    /// # Panics
    /// If the document has no such value.
    #[must_use]
    pub fn value(&self, id: u32) -> Value<'_> {
        let slot = id.checked_sub(self.first).filter(|&slot| widen(slot) < self.slots.len());
        Value { json: self, slot: slot.expect("a value id belongs to one document") }
    }

    fn stretch(&self, stretch: Stretch) -> &str {
        match stretch {
            Stretch::Source { start, end } => &self.text[widen(start)..widen(end)],
            Stretch::Decoded { start, end } => &self.decoded[widen(start)..widen(end)],
        }
    }
}

/// One value of a document; a cheap handle.
#[derive(Clone, Copy)]
pub struct Value<'j> {
    json: &'j Json<'j>,
    /// Its place in the document's table.
    slot: u32,
}

/// What a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind<'j> {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean(bool),
    /// A number, as it is spelled.
    Number(&'j str),
    /// A string, decoded.
    String(&'j str),
    /// An array.
    Array,
    /// An object.
    Object,
}

impl Kind<'_> {
    /// The kind in words, for messages.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean(true) => "true",
            Self::Boolean(false) => "false",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        }
    }
}

impl<'j> Value<'j> {
    /// Distinct values have distinct ids, a parent's id is less than its children's.
    #[must_use]
    pub fn id(self) -> u32 {
        self.json.first + self.slot
    }

    /// The document that it is in.
    #[must_use]
    pub fn document(self) -> &'j Json<'j> {
        self.json
    }

    fn slot(self) -> &'j Slot {
        &self.json.slots[widen(self.slot)]
    }

    /// What it is.
    #[must_use]
    pub fn kind(self) -> Kind<'j> {
        match self.slot().shape {
            Shape::Null => Kind::Null,
            Shape::True => Kind::Boolean(true),
            Shape::False => Kind::Boolean(false),
            Shape::Number(s) => Kind::Number(self.json.stretch(s)),
            Shape::String(s) => Kind::String(self.json.stretch(s)),
            Shape::Array { .. } => Kind::Array,
            Shape::Object { .. } => Kind::Object,
        }
    }

    /// The decoded text of a string.
    #[must_use]
    pub fn as_str(self) -> Option<&'j str> {
        match self.kind() {
            Kind::String(text) => Some(text),
            _ => None,
        }
    }

    /// Whether it is an object.
    #[must_use]
    pub fn is_object(self) -> bool {
        matches!(self.slot().shape, Shape::Object { .. })
    }

    /// Whether it is an array.
    #[must_use]
    pub fn is_array(self) -> bool {
        matches!(self.slot().shape, Shape::Array { .. })
    }

    /// Number of items or members; 0 for scalars.
    #[must_use]
    pub fn len(self) -> usize {
        match self.slot().shape {
            Shape::Array { len, .. } | Shape::Object { len, .. } => widen(len),
            _ => 0,
        }
    }

    /// Whether it has neither items nor members.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The enclosing container.
    #[must_use]
    pub fn parent(self) -> Option<Value<'j>> {
        (self.slot != 0).then(|| Value { json: self.json, slot: self.slot().parent })
    }

    /// Its name, if it is a member.
    #[must_use]
    pub fn name(self) -> Option<&'j str> {
        self.parent().filter(|p| p.is_object()).map(|_| self.json.stretch(self.slot().name))
    }

    /// First id after this value and all that it contains.
    #[must_use]
    pub fn end(self) -> u32 {
        self.json.first + self.slot().end
    }

    /// Items or member values, in source order.
    pub fn children(self) -> impl Iterator<Item = Value<'j>> {
        let end = self.slot().end;
        let mut next = self.slot + 1;
        std::iter::from_fn(move || {
            let child = (next < end).then_some(Value { json: self.json, slot: next })?;
            next = child.slot().end;
            Some(child)
        })
    }

    /// The items of an array, in order; none for other values.
    pub fn items(self) -> impl Iterator<Item = Value<'j>> {
        self.children().take(if self.is_array() { usize::MAX } else { 0 })
    }

    /// The members of an object in source order; none for other values.
    pub fn members(self) -> impl Iterator<Item = (&'j str, Value<'j>)> {
        let shown = if self.is_object() { usize::MAX } else { 0 };
        self.children().take(shown).map(move |v| (self.json.stretch(v.slot().name), v))
    }

    /// The member of this name. O(log members).
    #[must_use]
    pub fn get(self, name: &str) -> Option<Value<'j>> {
        let Shape::Object { len, .. } = self.slot().shape else { return None };
        if widen(len) <= WIDE {
            return self.members().find(|(n, _)| *n == name).map(|(_, v)| v);
        }
        let index = self.index();
        let at = index.binary_search_by(|&id| self.json.name_of(id).cmp(name)).ok()?;
        Some(Value { json: self.json, slot: index[at] })
    }

    /// The item at this position of an array. O(1).
    #[must_use]
    pub fn item(self, position: usize) -> Option<Value<'j>> {
        let Shape::Array { len, .. } = self.slot().shape else { return None };
        if widen(len) <= WIDE {
            return self.children().nth(position);
        }
        self.index().get(position).map(|&slot| Value { json: self.json, slot })
    }

    /// The children of a wide container: of an array in order, of an object by name.
    fn index(self) -> &'j [u32] {
        match self.slot().shape {
            Shape::Array { len, wide } | Shape::Object { len, wide } if widen(len) > WIDE => {
                &self.json.wide[widen(wide)..][..widen(len)]
            }
            _ => &[],
        }
    }

    /// Where it starts in the text; of a member, where its name starts. O(bytes before it).
    #[must_use]
    pub fn position(self) -> Position {
        position(self.json.text, widen(self.slot().byte))
    }

    /// Its JSON Pointer. O(depth · log width).
    #[must_use]
    pub fn pointer(self) -> String {
        let mut path = vec![self];
        while let Some(parent) = path[path.len() - 1].parent() {
            path.push(parent);
        }
        let mut out = String::new();
        path.iter().rev().for_each(|value| value.push_segment(&mut out));
        out
    }

    /// Appends the last segment of its JSON Pointer, with the slash; nothing at the root.
    pub fn push_segment(self, pointer: &mut String) {
        let Some(parent) = self.parent() else { return };
        pointer.push('/');
        match self.name() {
            Some(name) => push_escaped(pointer, name),
            None => pointer.push_str(&parent.place_of(self).to_string()),
        }
    }

    /// The position of an item in this array.
    fn place_of(self, item: Value<'j>) -> usize {
        let found = match self.index() {
            [] => self.children().position(|c| c.slot == item.slot),
            index => index.binary_search(&item.slot).ok(),
        };
        found.expect("an item is among its parent's children")
    }
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} at {:?}", self.kind(), self.pointer())
    }
}

impl Json<'_> {
    fn name_of(&self, id: u32) -> &str {
        self.stretch(self.slots[widen(id)].name)
    }
}

/// Appends one segment of a JSON Pointer, escaped by RFC 6901.
pub fn push_escaped(pointer: &mut String, segment: &str) {
    let mut rest = segment;
    while let Some(at) = rest.bytes().position(|b| b == b'~' || b == b'/') {
        pointer.push_str(&rest[..at]);
        pointer.push_str(if rest.as_bytes()[at] == b'~' { "~0" } else { "~1" });
        rest = &rest[at + 1..];
    }
    pointer.push_str(rest);
}

/// Line and column of a byte offset (of the text's end if it lies beyond). O(offset).
#[must_use]
pub fn position(text: &str, byte: usize) -> Position {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    let before = &text[..byte];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    Position {
        line: before.bytes().filter(|&b| b == b'\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
        byte,
    }
}

/// Checks that bytes are UTF-8, so that a text can be read from a file.
///
/// # Errors
/// The first byte that is not, with its position.
pub fn utf8(bytes: &[u8]) -> Result<&str, JsonError> {
    std::str::from_utf8(bytes).map_err(|e| {
        let good = std::str::from_utf8(&bytes[..e.valid_up_to()]).expect("valid up to here");
        let wrong = bytes[e.valid_up_to()];
        let help = match bytes {
            [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => "; it looks like UTF-16: save it as UTF-8",
            _ => ": save the text as UTF-8",
        };
        JsonError {
            fault: Fault::Syntax,
            pointer: None,
            position: position(good, good.len()),
            message: format!("found the byte 0x{wrong:02X}, which is not UTF-8{help}"),
        }
    })
}

/// What sort of fault a text has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It is not JSON.
    Syntax,
    /// Two members of one object have the same name.
    Duplicate,
    /// A limit of `limits` was passed.
    Limit,
}

/// A text was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JsonError {
    /// What sort of fault.
    pub fault: Fault,
    /// The member concerned, where there is one.
    pub pointer: Option<String>,
    /// Where.
    pub position: Position,
    /// What was found, and what would help.
    pub message: String,
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { line, column, byte } = self.position;
        write!(f, "line {line}, column {column} (byte {byte}): {}", self.message)
    }
}

impl std::error::Error for JsonError {}

#[cfg(test)]
mod tests;
