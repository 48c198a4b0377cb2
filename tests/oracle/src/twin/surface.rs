//! The surface of a document, byte by byte: RFC 8259 narrowed by the policy, duplicate keys refused.
//!
//! A push parser, so that a complete text and a prefix are read by the same code. It knows no schema; it
//! stops at the first byte after which no document under the policy can follow, except for what a schema forbids.

use std::rc::Rc;

use maskwright::{NumberSpelling, SurfacePolicy, Whitespace};

use super::text::{TextStep, TextTip};
use super::value::Value;

/// Most digits of one number, exponent not counted.
pub(super) const DIGITS_MAX: usize = 400;
/// Most digits of an exponent.
const EXPONENT_DIGITS_MAX: usize = 4;
/// Most blanks in one run of bounded whitespace.
const BLANKS_MAX: usize = 128;

/// An open container.
#[derive(Clone, Debug)]
pub(super) enum Open {
    /// An object: its complete members, and the key whose value is being read.
    Object {
        /// Complete members.
        members: Vec<(Rc<str>, Rc<Value>)>,
        /// The key whose value comes next or is being read.
        key: Option<Rc<str>>,
        /// Bytes up to and including the bracket or comma before the present member.
        slot: usize,
    },
    /// An array: its complete items.
    Array {
        /// Complete items.
        items: Vec<Rc<Value>>,
        /// Bytes up to and including the bracket or comma before the present item.
        slot: usize,
    },
}

/// Whether something must stand here before the container may close.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Need {
    /// It may close at once.
    Nothing,
    /// One more member or item comes first.
    OneMore,
}

/// A run of whitespace so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Space {
    blanks: usize,
    newlines: usize,
    /// A `\r` that waits for its `\n`.
    pub waits: bool,
}

impl Space {
    /// Whether nothing has been read.
    pub(super) fn is_empty(self) -> bool {
        self == Self::default()
    }
}

/// Where the text has come to.
#[derive(Clone, Debug)]
pub(super) enum At {
    /// Before a value.
    Value(Space, Need),
    /// Before a key.
    Key(Space, Need),
    /// In a key.
    InKey(TextTip),
    /// After a key, before the colon.
    Colon(Space),
    /// In a string that is a value.
    InText(TextTip),
    /// In a number.
    InNumber(String),
    /// In `true`, `false` or `null`: the word, and how many bytes of it have been read.
    InWord(&'static str, usize),
    /// After a value.
    After(Space),
}

/// Which whitespace a place takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    BeforeRoot,
    AfterRoot,
    Inside,
    /// Before `:` or `,`.
    Tight,
}

/// A document being read.
#[derive(Clone, Debug)]
pub struct Surface {
    policy: SurfacePolicy,
    /// Open containers, outermost first.
    pub(super) stack: Vec<Open>,
    /// Where the text has come to.
    pub(super) at: At,
    /// The value, once the root is complete (and a number at the root has been ended by what follows).
    pub(super) root: Option<Rc<Value>>,
    read: usize,
}

impl Surface {
    /// Nothing read.
    #[must_use]
    pub fn new(policy: SurfacePolicy) -> Self {
        Self {
            policy,
            stack: Vec::new(),
            at: At::Value(Space::default(), Need::OneMore),
            root: None,
            read: 0,
        }
    }

    /// Reads one byte. `false`: no document goes on like this, and the parser is of no further use.
    pub fn push(&mut self, byte: u8) -> bool {
        self.read += 1;
        let at = std::mem::replace(&mut self.at, At::After(Space::default()));
        match at {
            At::Value(space, need) => self.before_value(byte, space, need),
            At::Key(space, need) => self.before_key(byte, space, need),
            At::InKey(tip) => self.in_key(byte, tip),
            At::Colon(space) => self.before_colon(byte, space),
            At::InText(mut tip) => match tip.push(byte) {
                TextStep::Go => self.go(At::InText(tip)),
                TextStep::End => self.finish(Value::Text(tip.decoded)),
                TextStep::Dead => false,
            },
            At::InNumber(text) => self.in_number(byte, text),
            At::InWord(word, read) => self.in_word(byte, word, read),
            At::After(space) => self.after(byte, space),
        }
    }

    /// The value, if the text may end here.
    #[must_use]
    pub fn end(&self) -> Option<Rc<Value>> {
        match &self.at {
            At::InNumber(text) if self.stack.is_empty() && number_is_complete(text) => {
                Some(Rc::new(Value::Number(text.clone())))
            }
            At::After(_) => self.root.clone(),
            _ => None,
        }
    }

    fn go(&mut self, at: At) -> bool {
        self.at = at;
        true
    }

    /// Reads a whitespace byte into the run, if the policy lets it stand at the place.
    fn space(&self, byte: u8, run: Space, place: Place) -> Option<Space> {
        if !matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
            return None;
        }
        match self.policy.whitespace {
            Whitespace::None => None,
            Whitespace::Free => Some(Space { blanks: 1, newlines: 0, waits: false }),
            Whitespace::Bounded => {
                let (blanks_max, newlines_max, both_max) = match place {
                    Place::Inside => (BLANKS_MAX, 1, BLANKS_MAX + 1),
                    Place::BeforeRoot => (1, 1, 1),
                    Place::AfterRoot | Place::Tight => return None,
                };
                let mut run = run;
                match byte {
                    b'\n' if run.waits => run.waits = false,
                    _ if run.waits => return None,
                    b'\n' => run.newlines += 1,
                    b'\r' => {
                        run.newlines += 1;
                        run.waits = true;
                    }
                    _ => run.blanks += 1,
                }
                let fits = run.blanks <= blanks_max
                    && run.newlines <= newlines_max
                    && run.blanks + run.newlines <= both_max;
                fits.then_some(run)
            }
        }
    }

    fn before_value(&mut self, byte: u8, space: Space, need: Need) -> bool {
        let place = if self.stack.is_empty() { Place::BeforeRoot } else { Place::Inside };
        if let Some(space) = self.space(byte, space, place) {
            return self.go(At::Value(space, need));
        }
        if space.waits {
            return false;
        }
        match byte {
            b'"' => self.go(At::InText(TextTip::default())),
            b'-' | b'0'..=b'9' => self.go(At::InNumber(char::from(byte).to_string())),
            b't' => self.go(At::InWord("true", 1)),
            b'f' => self.go(At::InWord("false", 1)),
            b'n' => self.go(At::InWord("null", 1)),
            b'[' => {
                self.stack.push(Open::Array { items: Vec::new(), slot: self.read });
                self.go(At::Value(Space::default(), Need::Nothing))
            }
            b'{' => {
                self.stack.push(Open::Object { members: Vec::new(), key: None, slot: self.read });
                self.go(At::Key(Space::default(), Need::Nothing))
            }
            b']' if need == Need::Nothing => self.close(byte),
            _ => false,
        }
    }

    fn before_key(&mut self, byte: u8, space: Space, need: Need) -> bool {
        if let Some(space) = self.space(byte, space, Place::Inside) {
            return self.go(At::Key(space, need));
        }
        match byte {
            _ if space.waits => false,
            b'"' => self.go(At::InKey(TextTip::default())),
            b'}' if need == Need::Nothing => self.close(byte),
            _ => false,
        }
    }

    fn in_key(&mut self, byte: u8, mut tip: TextTip) -> bool {
        match tip.push(byte) {
            TextStep::Go => self.go(At::InKey(tip)),
            TextStep::Dead => false,
            TextStep::End => {
                let Some(Open::Object { members, key, .. }) = self.stack.last_mut() else { return false };
                if members.iter().any(|(name, _)| **name == *tip.decoded) {
                    return false; // a duplicate key
                }
                *key = Some(tip.decoded.into());
                self.go(At::Colon(Space::default()))
            }
        }
    }

    fn before_colon(&mut self, byte: u8, space: Space) -> bool {
        if let Some(space) = self.space(byte, space, Place::Tight) {
            return self.go(At::Colon(space));
        }
        byte == b':' && self.go(At::Value(Space::default(), Need::OneMore))
    }

    fn in_number(&mut self, byte: u8, mut text: String) -> bool {
        if matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E') {
            text.push(char::from(byte));
            return number_goes_on(&text, self.policy.numbers) && self.go(At::InNumber(text));
        }
        number_is_complete(&text) && self.finish(Value::Number(text)) && self.after(byte, Space::default())
    }

    fn in_word(&mut self, byte: u8, word: &'static str, read: usize) -> bool {
        if word.as_bytes().get(read) != Some(&byte) {
            return false;
        }
        if read + 1 < word.len() {
            return self.go(At::InWord(word, read + 1));
        }
        self.finish(word_value(word))
    }

    fn after(&mut self, byte: u8, space: Space) -> bool {
        let is_root = self.stack.is_empty();
        let place = if is_root { Place::AfterRoot } else { Place::Inside };
        if let Some(space) = self.space(byte, space, place) {
            return self.go(At::After(space));
        }
        if is_root || space.waits {
            return false;
        }
        if byte != b',' {
            return self.close(byte);
        }
        // In bounded whitespace a run after a value stands before a closing bracket only.
        if !space.is_empty() && self.policy.whitespace != Whitespace::Free {
            return false;
        }
        let read = self.read;
        match self.stack.last_mut() {
            Some(Open::Object { slot, .. }) => {
                *slot = read;
                self.go(At::Key(Space::default(), Need::OneMore))
            }
            Some(Open::Array { slot, .. }) => {
                *slot = read;
                self.go(At::Value(Space::default(), Need::OneMore))
            }
            None => false,
        }
    }

    /// A value is complete.
    fn finish(&mut self, value: Value) -> bool {
        let value = Rc::new(value);
        match self.stack.last_mut() {
            None => self.root = Some(value),
            Some(Open::Array { items, .. }) => items.push(value),
            Some(Open::Object { members, key, .. }) => {
                let Some(key) = key.take() else { return false };
                members.push((key, value));
            }
        }
        self.go(At::After(Space::default()))
    }

    fn close(&mut self, byte: u8) -> bool {
        match (byte, self.stack.pop()) {
            (b']', Some(Open::Array { items, .. })) => self.finish(Value::Array(items)),
            (b'}', Some(Open::Object { members, .. })) => self.finish(Value::Object(members)),
            _ => false,
        }
    }
}

/// The value that a word spells.
pub(super) fn word_value(word: &str) -> Value {
    match word {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        _ => Value::Null,
    }
}

/// A number split where its parts meet. `None`: not even the beginning of a number.
pub(super) struct NumberParts<'t> {
    pub(super) negative: bool,
    pub(super) integer: &'t str,
    pub(super) fraction: Option<&'t str>,
    pub(super) exponent: Option<&'t str>,
}

/// Splits a text at sign, point and exponent mark; the parts may be empty.
pub(super) fn number_parts(text: &str) -> NumberParts<'_> {
    let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (rest, exponent) = rest.split_once(['e', 'E']).map_or((rest, None), |(r, e)| (r, Some(e)));
    let (integer, fraction) = rest.split_once('.').map_or((rest, None), |(i, f)| (i, Some(f)));
    NumberParts { negative, integer, fraction, exponent }
}

/// Digits before the exponent.
pub(super) fn digit_count(text: &str) -> usize {
    let parts = number_parts(text);
    parts.integer.len() + parts.fraction.map_or(0, str::len)
}

/// Whether some number under the spelling starts with the text.
pub(super) fn number_goes_on(text: &str, spelling: NumberSpelling) -> bool {
    let parts = number_parts(text);
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let integer_ok = is_digits(parts.integer)
        && (!parts.integer.starts_with('0') || parts.integer == "0")
        && (!parts.integer.is_empty() || parts.fraction.is_none() && parts.exponent.is_none());
    let fraction_ok = parts
        .fraction
        .is_none_or(|fraction| is_digits(fraction) && (!fraction.is_empty() || parts.exponent.is_none()));
    let exponent_ok = parts.exponent.is_none_or(|exponent| {
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        spelling == NumberSpelling::All && is_digits(digits) && digits.len() <= EXPONENT_DIGITS_MAX
    });
    // A point needs a digit after it, and that digit must still fit.
    let missing = usize::from(parts.fraction == Some("") || parts.integer.is_empty());
    integer_ok && fraction_ok && exponent_ok && digit_count(text) + missing <= DIGITS_MAX
}

/// Whether the beginning of a number is a number.
pub(super) fn number_is_complete(text: &str) -> bool {
    text.ends_with(|c: char| c.is_ascii_digit())
}
