//! Bytes, tokens and places in a form that a person can read.

use std::fmt::Write;

use maskwright::{TokenId, Vocabulary};

/// A set of bytes.
pub(crate) type Bytes = [bool; 256];

/// Token bytes or a piece of text in double quotes, whatever is not printable escaped.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                '\t' => out.push_str("\\t"),
                c if c.is_control() => write!(out, "\\u{:04x}", u32::from(c)).expect("a String takes all"),
                c => out.push(c),
            }
        }
        for b in chunk.invalid() {
            write!(out, "\\x{b:02x}").expect("a String takes all");
        }
    }
    out.push('"');
    out
}

/// A token as text in quotes, or its name if it is none.
pub(crate) fn shown(vocabulary: &Vocabulary, token: TokenId) -> String {
    match vocabulary.bytes(token) {
        [] => vocabulary.name(token).to_owned(),
        bytes => quoted(bytes),
    }
}

/// One byte, or the border of a range.
fn byte_name(byte: u8) -> String {
    match byte {
        b' ' => "space".into(),
        b'\n' => "newline".into(),
        b'\r' => "return".into(),
        b'\t' => "tab".into(),
        b',' => "comma".into(),
        0x21..=0x7E => char::from(byte).to_string(),
        _ => format!("0x{byte:02X}"),
    }
}

/// Whether a run of bytes may go on from `a` to its successor: only within digits, letters and non-ASCII bytes.
fn same_run(a: u8, b: u8) -> bool {
    let class = |c: u8| match c {
        b'0'..=b'9' => 1,
        b'a'..=b'z' => 2,
        b'A'..=b'Z' => 3,
        0x80..=0xFF => 4,
        _ => 0,
    };
    class(a) != 0 && class(a) == class(b)
}

/// A set of bytes on one line: `space, ", 0-9, a-z, 0xC2-0xF4`.
pub(crate) fn byte_set(set: &Bytes) -> String {
    let printable = (0x20..0x7F).filter(|&b| set[b]).count();
    if printable > 80 {
        return almost_all(set);
    }
    let mut parts = Vec::new();
    let mut members = (0..=255u8).filter(|&b| set[usize::from(b)]).peekable();
    while let Some(first) = members.next() {
        let mut last = first;
        while members.peek().is_some_and(|&next| next == last + 1 && same_run(last, next)) {
            last = members.next().expect("just seen");
        }
        match last - first {
            0 => parts.push(byte_name(first)),
            1 => parts.extend([byte_name(first), byte_name(last)]),
            _ => parts.push(format!("{}-{}", byte_name(first), byte_name(last))),
        }
    }
    if parts.is_empty() { "nothing".into() } else { parts.join(", ") }
}

/// A set that is easier to describe by what is missing.
fn almost_all(set: &Bytes) -> String {
    let missing: Vec<String> = (0x20..0x7Fu8).filter(|&b| !set[usize::from(b)]).map(byte_name).collect();
    let mut out = String::from("any printable ASCII character");
    if !missing.is_empty() {
        write!(out, " but {}", missing.join(", ")).expect("a String takes all");
    }
    let control: Vec<String> =
        (0..0x20u8).chain([0x7F]).filter(|&b| set[usize::from(b)]).map(byte_name).collect();
    if !control.is_empty() {
        write!(out, "; {}", control.join(", ")).expect("a String takes all");
    }
    if (0x80..256).any(|b| set[b]) {
        out.push_str("; non-ASCII characters");
    }
    out
}

/// A count with separators: 128,256.
pub(crate) fn count(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// Line and column, both from 1, of a byte offset; columns count code points.
pub(crate) fn line_and_column(text: &[u8], byte: usize) -> (usize, usize) {
    let before = &text[..byte.min(text.len())];
    let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |p| p + 1);
    let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
    let column = before[line_start..].iter().filter(|&&b| b & 0xC0 != 0x80).count() + 1;
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(members: &[u8]) -> Bytes {
        let mut set = [false; 256];
        for &b in members {
            set[usize::from(b)] = true;
        }
        set
    }

    #[test]
    fn byte_sets_are_grouped_by_kind() {
        assert_eq!(byte_set(&set(b"")), "nothing");
        assert_eq!(byte_set(&set(b" \",0123456789ab")), "space, \", comma, 0-9, a, b");
        assert_eq!(byte_set(&set(b"9:;A")), "9, :, ;, A");
        let text: Vec<u8> = (0x20..=0xF4).filter(|b| !b"\"\\".contains(b)).collect();
        assert_eq!(
            byte_set(&set(&text)),
            "any printable ASCII character but \", \\; 0x7F; non-ASCII characters"
        );
    }

    #[test]
    fn quoted_text_shows_every_byte() {
        assert_eq!(quoted(b"a\"\n\xC3\xA9\xFF\x01"), "\"a\\\"\\né\\xff\\u0001\"");
    }

    #[test]
    fn places_count_lines_and_code_points() {
        assert_eq!(line_and_column("ab\né!".as_bytes(), 5), (2, 2));
        assert_eq!(line_and_column(b"", 0), (1, 1));
        assert_eq!(count(1_234_567), "1,234,567");
        assert_eq!(count(12), "12");
    }
}
