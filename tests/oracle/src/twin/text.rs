//! The characters of a JSON string, byte by byte: which code points a started spelling can still become.
//!
//! A code point has few legal spellings: itself in UTF-8, a two-character escape, `\uXXXX` or a
//! surrogate pair of these, with hex digits in either case. Everything below compares with that list.

use super::{Bytes, Twin};

/// A started spelling, and a range of code points among which one is looked for.
pub(super) type SpelledKey = (Vec<u8>, (u32, u32));

/// A string being read: what is decoded, and the bytes of a code point that is not complete.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct TextTip {
    /// Whole code points.
    pub decoded: String,
    /// A proper prefix of some spelling of one code point, or nothing.
    pub pending: Vec<u8>,
}

/// What a byte inside a string does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TextStep {
    /// The string goes on.
    Go,
    /// This was the closing quote.
    End,
    /// No string goes on like this.
    Dead,
}

impl TextTip {
    /// Reads one byte after the opening quote.
    pub(super) fn push(&mut self, byte: u8) -> TextStep {
        if self.pending.is_empty() && byte == b'"' {
            return TextStep::End;
        }
        self.pending.push(byte);
        match decode(&self.pending) {
            Decoded::Char(c) => {
                self.decoded.push(c);
                self.pending.clear();
                TextStep::Go
            }
            Decoded::Started => TextStep::Go,
            Decoded::Dead => TextStep::Dead,
        }
    }
}

/// What a run of bytes inside a string spells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Decoded {
    Char(char),
    Started,
    Dead,
}

/// Decodes the spelling of one code point.
fn decode(bytes: &[u8]) -> Decoded {
    match bytes {
        [b'\\'] => Decoded::Started,
        [b'\\', b'u', rest @ ..] => decode_units(rest),
        [b'\\', letter] => match SHORT_ESCAPES.iter().find(|(name, _)| name == letter) {
            Some(&(_, c)) => Decoded::Char(c),
            None => Decoded::Dead,
        },
        [control, ..] if *control < 0x20 => Decoded::Dead,
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => text.chars().next().map_or(Decoded::Dead, Decoded::Char),
            Err(error) if error.error_len().is_none() => Decoded::Started,
            Err(_) => Decoded::Dead,
        },
    }
}

/// The letter after the backslash, and what it means.
const SHORT_ESCAPES: [(u8, char); 8] = [
    (b'"', '"'),
    (b'\\', '\\'),
    (b'/', '/'),
    (b'b', '\u{8}'),
    (b'f', '\u{c}'),
    (b'n', '\n'),
    (b'r', '\r'),
    (b't', '\t'),
];

/// Least and greatest value of a UTF-16 unit whose first hex digits are given; `None` if they aren't hex.
fn unit_range(digits: &[u8]) -> Option<(u32, u32)> {
    let (mut low, mut high) = (0, 0);
    for place in 0..4 {
        let (l, h) = match digits.get(place) {
            Some(&digit) => {
                let digit = char::from(digit).to_digit(16)?;
                (digit, digit)
            }
            None => (0, 15),
        };
        low = low * 16 + l;
        high = high * 16 + h;
    }
    Some((low, high))
}

/// Decodes what follows a first `\u`.
fn decode_units(rest: &[u8]) -> Decoded {
    let first = &rest[..rest.len().min(4)];
    let Some((low, high)) = unit_range(first) else { return Decoded::Dead };
    if low >= 0xDC00 && high <= 0xDFFF {
        return Decoded::Dead; // a low surrogate without its high one
    }
    if first.len() < 4 {
        return Decoded::Started;
    }
    if let Some(c) = char::from_u32(low) {
        return Decoded::Char(c);
    }
    let second = &rest[4..];
    if !second.is_empty() && !second.starts_with(&b"\\u"[..second.len().min(2)]) {
        return Decoded::Dead;
    }
    let digits = second.get(2..).unwrap_or(&[]);
    match unit_range(digits) {
        Some((l, h)) if h >= 0xDC00 && l <= 0xDFFF => {
            if digits.len() < 4 {
                return Decoded::Started;
            }
            let code = 0x10000 + ((low - 0xD800) << 10) + (l - 0xDC00);
            char::from_u32(code).map_or(Decoded::Dead, Decoded::Char)
        }
        _ => Decoded::Dead,
    }
}

/// Whether a spelling of `c` starts with `pending` and goes on with bytes of the set only.
pub(super) fn can_spell(c: char, pending: &[u8], bytes: &Bytes) -> bool {
    let fits = |spelling: &[u8]| spelling.starts_with(pending) && bytes.spell(&spelling[pending.len()..]);
    let mut buffer = [0; 4];
    if c >= ' ' && c != '"' && c != '\\' && fits(c.encode_utf8(&mut buffer).as_bytes()) {
        return true;
    }
    if SHORT_ESCAPES.iter().any(|&(letter, meaning)| meaning == c && fits(&[b'\\', letter])) {
        return true;
    }
    let mut units = [0; 2];
    let mut spelling = String::new();
    for unit in c.encode_utf16(&mut units) {
        spelling.push_str(&format!("\\u{unit:04x}"));
    }
    let spelling = spelling.as_bytes();
    pending.len() <= spelling.len()
        && spelling.iter().enumerate().all(|(i, &byte)| {
            let is_digit = i % 6 >= 2;
            let upper = byte.to_ascii_uppercase();
            match pending.get(i) {
                Some(&given) => given == byte || is_digit && given == upper,
                None => bytes.has(byte) || is_digit && bytes.has(upper),
            }
        })
}

/// Code points among which everything lies that `pending` can become: a bound that keeps the search short.
fn possible(pending: &[u8]) -> (u32, u32) {
    const ALL: (u32, u32) = (0, 0x0010_FFFF);
    match pending {
        [b'\\', b'u', rest @ ..] if rest.len() >= 2 => match unit_range(&rest[..rest.len().min(4)]) {
            Some((low, high)) if high < 0xD800 || low > 0xDFFF => (low, high),
            Some((low, high)) if low >= 0xD800 && high < 0xDC00 => {
                (0x10000 + ((low - 0xD800) << 10), 0x10000 + ((high - 0xD800) << 10) + 0x3FF)
            }
            _ => ALL,
        },
        [lead, rest @ ..] if *lead >= 0xC0 => {
            let (length, bits) = match lead {
                0xC0..0xE0 => (2, lead & 0x1F),
                0xE0..0xF0 => (3, lead & 0x0F),
                _ => (4, lead & 0x07),
            };
            let mut low = u32::from(bits);
            let mut high = low;
            for place in 1..length {
                let bits = rest.get(place - 1).map(|byte| u32::from(byte & 0x3F));
                low = (low << 6) | bits.unwrap_or(0);
                high = (high << 6) | bits.unwrap_or(0x3F);
            }
            (low, high)
        }
        _ => ALL,
    }
}

impl Twin {
    /// A code point of the range that `pending` can become with spellable bytes.
    pub(super) fn spelled_char(&self, pending: &[u8], cell: (u32, u32)) -> Option<char> {
        let key = (pending.to_vec(), cell);
        if let Some(&known) = self.spelled.borrow().get(&key) {
            return known;
        }
        let (low, high) = possible(pending);
        let found = (cell.0.max(low)..=cell.1.min(high))
            .filter_map(char::from_u32)
            .find(|&c| can_spell(c, pending, &self.bytes));
        self.spelled.borrow_mut().insert(key, found);
        found
    }

    /// Whether the text can be spelled between quotes, from its start.
    pub(super) fn can_spell_text(&self, text: &str) -> bool {
        self.bytes.has(b'"') && text.chars().all(|c| can_spell(c, &[], &self.bytes))
    }

    /// Whether a string that has come to `tip` can end as `text`.
    pub(super) fn can_become(&self, tip: &TextTip, text: &str) -> bool {
        let Some(rest) = text.strip_prefix(tip.decoded.as_str()) else { return false };
        if tip.pending.is_empty() {
            return self.can_spell_text(rest);
        }
        let mut rest = rest.chars();
        let first = rest.next();
        first.is_some_and(|c| can_spell(c, &tip.pending, &self.bytes)) && self.can_spell_text(rest.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::{TextStep, TextTip, can_spell};
    use crate::twin::Bytes;

    fn read(bytes: &[u8]) -> Option<TextTip> {
        let mut tip = TextTip::default();
        bytes.iter().all(|&byte| tip.push(byte) == TextStep::Go).then_some(tip)
    }

    #[test]
    fn every_legal_escape_is_decoded() {
        let tip = read(br#"\"\\\/\b\f\n\r\t\u0041\u00e9\u00E9\ud83d\uDE00"#).expect("legal");
        assert_eq!(tip.decoded, "\"\\/\u{8}\u{c}\n\r\tA\u{e9}\u{e9}\u{1F600}");
        assert!(tip.pending.is_empty());
    }

    #[test]
    fn a_spelling_dies_at_its_first_impossible_byte() {
        for (good, bad) in [
            (&b"\\"[..], b'x'),
            (b"\\u", b'g'),
            (b"\\ud", b'c'), // a low surrogate alone
            (b"\\uD", b'F'),
            (b"\\ud83d", b'a'),
            (b"\\ud83d\\", b'n'),
            (b"\\ud83d\\u", b'0'),
            (b"\\ud83d\\ud", b'8'),
            (b"", 0x1f),
            (b"", b'\n'),
            (b"", 0x80),
            (b"", 0xc0),
            (b"\xe0", 0x80),
            (b"\xed", 0xa0), // a surrogate in UTF-8
            (b"\xf4", 0x90),
            (b"\xc3", b'"'),
        ] {
            let mut tip = read(good).expect("the start is legal");
            assert_eq!(tip.push(bad), TextStep::Dead, "{good:?} then {bad}");
        }
    }

    #[test]
    fn a_code_point_continues_only_its_own_spellings() {
        let all = Bytes::all();
        assert!(can_spell('\u{e9}', b"\xc3", &all));
        assert!(!can_spell('a', b"\xc3", &all));
        assert!(can_spell('\u{e9}', b"\\u00E", &all));
        assert!(!can_spell('\u{e9}', b"\\U", &all));
        assert!(can_spell('\n', b"\\", &Bytes::of(b"n")));
        assert!(!can_spell('\n', b"", &Bytes::of(b"\n")));
        assert!(can_spell('k', b"", &Bytes::of(b"\\u006B")));
        assert!(!can_spell('k', b"", &Bytes::of(b"\\u006")));
        assert!(can_spell('\u{1F600}', b"\\ud83d", &all));
        assert!(!can_spell('\u{1F600}', b"\\ud83e", &all));
    }
}
