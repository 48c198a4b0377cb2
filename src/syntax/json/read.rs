//! The JSON reader: one pass, a stack of open containers, no recursion.

use super::{Fault, Json, JsonError, Shape, Slot, Stretch, Value, WIDE, position};
use crate::index::{narrow, widen};
use crate::limits::{JSON_DEPTH_MAX, JSON_VALUES_MAX};

/// What is expected next.
enum Next {
    /// A value, with the name it gets if it is a member.
    Value { name: Stretch, name_byte: Option<u32> },
    /// The first item or member of the innermost container, or its end.
    Inside,
    /// A comma, or the end of the innermost container or of the text.
    After,
}

struct Reader<'t> {
    bytes: &'t [u8],
    at: usize,
    json: Json<'t>,
    /// Ids of the open containers, outermost first.
    open: Vec<u32>,
}

pub(super) fn read(text: &str) -> Result<Json<'_>, JsonError> {
    let json = Json { text, uri: "", first: 0, slots: Vec::new(), decoded: String::new(), wide: Vec::new() };
    let mut reader = Reader { bytes: text.as_bytes(), at: 0, json, open: Vec::new() };
    if u32::try_from(text.len()).is_err() {
        return Err(reader.fault(Fault::Limit, 0, "the text is longer than 4 GB".to_owned()));
    }
    if text.starts_with('\u{FEFF}') {
        let message = "found a byte order mark; JSON texts start without one: remove its three bytes";
        return Err(reader.syntax(0, message.to_owned()));
    }
    let mut next = Next::Value { name: Stretch::NONE, name_byte: None };
    loop {
        reader.blanks();
        next = match next {
            Next::Value { name, name_byte } => reader.value(name, name_byte)?,
            Next::Inside => reader.inside()?,
            Next::After => match reader.open.last() {
                Some(&container) => reader.after(container)?,
                None if reader.at == reader.bytes.len() => return Ok(reader.json),
                None => return Err(reader.unexpected("the end of the text: one JSON value ended before")),
            },
        };
    }
}

impl<'t> Reader<'t> {
    fn blanks(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.bytes.get(self.at) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn value(&mut self, name: Stretch, name_byte: Option<u32>) -> Result<Next, JsonError> {
        if self.json.slots.len() >= JSON_VALUES_MAX {
            let message = format!("more than {JSON_VALUES_MAX} values (JSON_VALUES_MAX)");
            return Err(self.fault(Fault::Limit, self.at, message));
        }
        let byte = name_byte.unwrap_or(narrow(self.at));
        let (shape, next) = match self.peek() {
            Some(b'"') => (Shape::String(self.string()?), Next::After),
            Some(b'-' | b'0'..=b'9') => (Shape::Number(self.number()?), Next::After),
            Some(b'{') => (Shape::Object { len: 0, wide: 0 }, self.opened()?),
            Some(b'[') => (Shape::Array { len: 0, wide: 0 }, self.opened()?),
            Some(b't') => (self.word("true", Shape::True)?, Next::After),
            Some(b'f') => (self.word("false", Shape::False)?, Next::After),
            Some(b'n') => (self.word("null", Shape::Null)?, Next::After),
            _ => return Err(self.unexpected("a value")),
        };
        let id = narrow(self.json.slots.len());
        let parent = self.open.last().copied().unwrap_or(0);
        self.json.slots.push(Slot { shape, byte, name, parent, end: id + 1 });
        if matches!(next, Next::Inside) {
            self.open.push(id);
        }
        Ok(next)
    }

    fn opened(&mut self) -> Result<Next, JsonError> {
        if self.open.len() >= JSON_DEPTH_MAX {
            let message = format!("containers are nested deeper than {JSON_DEPTH_MAX} (JSON_DEPTH_MAX)");
            return Err(self.fault(Fault::Limit, self.at, message));
        }
        self.at += 1;
        Ok(Next::Inside)
    }

    /// Just after `{` or `[`.
    fn inside(&mut self) -> Result<Next, JsonError> {
        let container = *self.open.last().expect("inside follows an opening");
        if self.peek() == Some(self.closer(container)) {
            self.close(container)
        } else {
            self.element(container)
        }
    }

    /// Just after an item or a member.
    fn after(&mut self, container: u32) -> Result<Next, JsonError> {
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                self.blanks();
                if let Some(b'}' | b']') = self.peek() {
                    let message = "found a closing bracket after a comma: remove the comma, JSON allows none at the end";
                    return Err(self.syntax(self.at, message.to_owned()));
                }
                self.element(container)
            }
            Some(b) if b == self.closer(container) => self.close(container),
            _ if self.is_object(container) => Err(self.unexpected("`,` or `}`")),
            _ => Err(self.unexpected("`,` or `]`")),
        }
    }

    fn is_object(&self, container: u32) -> bool {
        self.json.value(container).is_object()
    }

    fn closer(&self, container: u32) -> u8 {
        if self.is_object(container) { b'}' } else { b']' }
    }

    /// Before an item, or before a member's name.
    fn element(&mut self, container: u32) -> Result<Next, JsonError> {
        if !self.is_object(container) {
            return Ok(Next::Value { name: Stretch::NONE, name_byte: None });
        }
        let name_byte = Some(narrow(self.at));
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("a member's name in double quotes"));
        }
        let name = self.string()?;
        self.blanks();
        if self.peek() != Some(b':') {
            return Err(self.unexpected("`:` after a member's name"));
        }
        self.at += 1;
        Ok(Next::Value { name, name_byte })
    }

    fn close(&mut self, container: u32) -> Result<Next, JsonError> {
        self.at += 1;
        self.open.pop();
        let end = narrow(self.json.slots.len());
        let wide = self.json.wide.len();
        self.json.slots[widen(container)].end = end;
        let value = self.json.value(container);
        let len = value.children().count();
        let mut ids: Vec<u32> = Vec::new();
        if value.is_object() && len > 1 || len > WIDE {
            ids.extend(value.children().map(Value::id));
        }
        if value.is_object() {
            ids.sort_by(|&a, &b| self.json.name_of(a).cmp(self.json.name_of(b)).then(a.cmp(&b)));
            self.distinct(&ids)?;
        }
        if len > WIDE {
            self.json.wide.extend(ids);
        }
        match &mut self.json.slots[widen(container)].shape {
            Shape::Object { len: l, wide: w } | Shape::Array { len: l, wide: w } => {
                (*l, *w) = (narrow(len), narrow(wide));
            }
            _ => unreachable!("only containers are opened"),
        }
        Ok(Next::After)
    }

    /// Refuses two members of one name; `ids` are sorted by name.
    fn distinct(&mut self, ids: &[u32]) -> Result<(), JsonError> {
        let same = |pair: &&[u32]| self.json.name_of(pair[0]) == self.json.name_of(pair[1]);
        let Some(second) = ids.windows(2).filter(same).map(|pair| pair[1]).min() else { return Ok(()) };
        // The containers around are still open; the walk up to the root needs their ends.
        for &container in &self.open {
            self.json.slots[widen(container)].end = narrow(self.json.slots.len());
        }
        let value = self.json.value(second);
        Err(JsonError {
            fault: Fault::Duplicate,
            pointer: Some(value.pointer()),
            position: value.position(),
            message: format!(
                "the member {:?} stands twice in one object: readers disagree on which counts, so remove one",
                self.json.name_of(second)
            ),
        })
    }

    fn word(&mut self, word: &'static str, shape: Shape) -> Result<Shape, JsonError> {
        let rest = &self.bytes[self.at..];
        let ends = rest.get(word.len()).is_none_or(|b| !b.is_ascii_alphanumeric() && *b != b'_');
        if !rest.starts_with(word.as_bytes()) || !ends {
            return Err(self.unexpected("a value"));
        }
        self.at += word.len();
        Ok(shape)
    }

    fn number(&mut self) -> Result<Stretch, JsonError> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
            if let Some(b'0'..=b'9') = self.peek() {
                return Err(self.syntax(start, "a number has a leading zero: remove it".to_owned()));
            }
        } else {
            self.digits("a digit")?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits("a digit after the decimal point")?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits("a digit of the exponent")?;
        }
        Ok(Stretch::Source { start: narrow(start), end: narrow(self.at) })
    }

    fn digits(&mut self, wanted: &str) -> Result<(), JsonError> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        if self.at == start { Err(self.unexpected(wanted)) } else { Ok(()) }
    }

    /// A string at its opening quote.
    fn string(&mut self) -> Result<Stretch, JsonError> {
        let open = self.at;
        self.at += 1;
        let start = self.at;
        self.plain(open)?;
        if self.peek() == Some(b'"') {
            self.at += 1;
            return Ok(Stretch::Source { start: narrow(start), end: narrow(self.at - 1) });
        }
        let decoded_start = self.json.decoded.len();
        let mut piece = start;
        loop {
            self.json.decoded.push_str(&self.json.text[piece..self.at]);
            self.at += 1;
            if self.bytes[self.at - 1] == b'"' {
                let end = narrow(self.json.decoded.len());
                return Ok(Stretch::Decoded { start: narrow(decoded_start), end });
            }
            let c = self.escape()?;
            self.json.decoded.push(c);
            piece = self.at;
            self.plain(open)?;
        }
    }

    /// Goes on to the next `"` or `\`.
    fn plain(&mut self, open: usize) -> Result<(), JsonError> {
        loop {
            match self.peek() {
                Some(b'"' | b'\\') => return Ok(()),
                Some(0..0x20) => {
                    return Err(self.unexpected("an escape: control characters are written `\\u00XX`"));
                }
                Some(_) => self.at += 1,
                None => {
                    return Err(self.syntax(open, "a string starts here and never ends: add `\"`".to_owned()));
                }
            }
        }
    }

    /// An escape, after its backslash.
    fn escape(&mut self) -> Result<char, JsonError> {
        let start = self.at - 1;
        let letter = self.peek();
        self.at += 1;
        Ok(match letter {
            Some(c @ (b'"' | b'\\' | b'/')) => char::from(c),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{C}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(start),
            _ => {
                self.at -= 1;
                return Err(
                    self.unexpected("one of `\"\\/bfnrtu` after a backslash (double it to mean a backslash)")
                );
            }
        })
    }

    /// `\uXXXX`, after the `u`; a surrogate needs its partner.
    fn unicode(&mut self, start: usize) -> Result<char, JsonError> {
        let first = self.hex()?;
        let mut code = first;
        if (0xD800..0xDC00).contains(&first) && self.bytes[self.at..].starts_with(b"\\u") {
            self.at += 2;
            let second = self.hex()?;
            if (0xDC00..0xE000).contains(&second) {
                code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
            }
        }
        char::from_u32(code).ok_or_else(|| {
            let message = format!(
                "found the lone surrogate \\u{first:04X}: it is half a character, so no text contains it; write both halves or the character"
            );
            self.syntax(start, message)
        })
    }

    fn hex(&mut self) -> Result<u32, JsonError> {
        let mut code = 0;
        for _ in 0..4 {
            let Some(digit) = self.peek().and_then(|b| char::from(b).to_digit(16)) else {
                return Err(self.unexpected("four hexadecimal digits after `\\u`"));
            };
            code = code * 16 + digit;
            self.at += 1;
        }
        Ok(code)
    }

    fn fault(&self, fault: Fault, byte: usize, message: String) -> JsonError {
        JsonError { fault, pointer: None, position: position(self.json.text, byte), message }
    }

    fn syntax(&self, byte: usize, message: String) -> JsonError {
        self.fault(Fault::Syntax, byte, message)
    }

    /// Here stands something else than `wanted`.
    fn unexpected(&self, wanted: &str) -> JsonError {
        let rest = &self.json.text[self.at..];
        let found = match rest.chars().next() {
            None => "the end of the text".to_owned(),
            Some('\0') => "a NUL byte".to_owned(),
            Some(c) if c.is_control() || c == '\u{FEFF}' => format!("the character U+{:04X}", u32::from(c)),
            Some(_) => match rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len()) {
                0 => format!("`{}`", rest.chars().next().expect("not empty")),
                end => format!("`{}`", shortened(&rest[..end])),
            },
        };
        self.syntax(self.at, format!("found {found}, expected {wanted}{}", hint(rest)))
    }
}

/// At most 20 characters of a word.
fn shortened(word: &str) -> String {
    match word.char_indices().nth(20) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_owned(),
    }
}

/// Advice for what people write instead of JSON.
fn hint(rest: &str) -> &'static str {
    let starts = |words: &[&str]| words.iter().any(|w| rest.starts_with(w));
    match rest.chars().next() {
        None => "; the text is cut short",
        Some('\'' | '‘' | '’' | '“' | '”') => "; JSON strings stand in plain double quotes",
        Some('/' | '#') => "; JSON has no comments: use the member \"$comment\"",
        Some('+') => "; a number starts with a digit or `-`",
        Some('.') => "; write a digit before the decimal point",
        _ if starts(&["True", "False", "None"]) => "; JSON writes true, false and null",
        _ if starts(&["NaN", "Infinity", "inf"]) => "; JSON has only finite numbers",
        _ if starts(&["undefined"]) => "; JSON writes null",
        _ => "",
    }
}
