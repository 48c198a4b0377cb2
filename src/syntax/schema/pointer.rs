//! JSON Pointers (RFC 6901) as they stand in the fragment of a `$ref`.

use std::borrow::Cow;

use crate::syntax::json::Value;

/// Undoes the percent escapes of a URI fragment; `None` if one is cut or the result is not UTF-8.
pub(super) fn unescape(fragment: &str) -> Option<Cow<'_, str>> {
    if !fragment.contains('%') {
        return Some(Cow::Borrowed(fragment));
    }
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let (high, low) = (hex(rest.next()?)?, hex(rest.next()?)?);
        bytes.push(high << 4 | low);
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

/// The value that a pointer leads to, starting at `from`.
///
/// # Errors
/// A sentence on the first segment that leads nowhere.
pub(super) fn follow<'j>(from: Value<'j>, pointer: &str) -> Result<Value<'j>, String> {
    let mut at = from;
    let mut segments = pointer.split('/');
    if segments.next() != Some("") {
        return Err("a JSON Pointer starts with `/`".to_owned());
    }
    for segment in segments {
        let name = plain(segment).ok_or_else(|| format!("in {segment:?} a `~` is not followed by 0 or 1"))?;
        let next = if at.is_array() { position(&name).and_then(|i| at.item(i)) } else { at.get(&name) };
        at = next.ok_or_else(|| {
            let what = if at.is_array() { "item" } else { "member" };
            format!("{} has no {what} {name:?}", place(at))
        })?;
    }
    Ok(at)
}

fn place(value: Value<'_>) -> String {
    match value.pointer() {
        root if root.is_empty() => "the document".to_owned(),
        pointer => pointer,
    }
}

/// A segment without its `~` escapes.
fn plain(segment: &str) -> Option<Cow<'_, str>> {
    if !segment.contains('~') {
        return Some(Cow::Borrowed(segment));
    }
    let mut out = String::with_capacity(segment.len());
    let mut rest = segment.chars();
    while let Some(c) = rest.next() {
        out.push(match c {
            '~' => match rest.next()? {
                '0' => '~',
                '1' => '/',
                _ => return None,
            },
            c => c,
        });
    }
    Some(Cow::Owned(out))
}

/// An array index: digits without a leading zero.
fn position(segment: &str) -> Option<usize> {
    let digits = segment.bytes().all(|b| b.is_ascii_digit());
    let leading_zero = segment.len() > 1 && segment.starts_with('0');
    if digits && !leading_zero { segment.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::{follow, unescape};
    use crate::syntax::json::Json;

    #[test]
    fn pointers_lead_as_the_rfc_says() {
        let text = r#"{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8,"~1":9,"01":[[]]}"#;
        let json = Json::read(text).unwrap();
        let leads = |fragment: &str| {
            let pointer = unescape(fragment).ok_or("escape".to_owned())?;
            follow(json.root(), &pointer).map(|v| v.pointer())
        };
        for (fragment, expected) in [
            ("", ""),
            ("/foo", "/foo"),
            ("/foo/0", "/foo/0"),
            ("/foo/1", "/foo/1"),
            ("/", "/"),
            ("/a~1b", "/a~1b"),
            ("/c%25d", "/c%d"),
            ("/e%5Ef", "/e^f"),
            ("/i%5Cj", "/i\\j"),
            ("/k%22l", "/k\"l"),
            ("/%20", "/ "),
            ("/m~0n", "/m~0n"),
            ("/~01", "/~01"),
            ("/01/0", "/01/0"),
        ] {
            assert_eq!(leads(fragment).as_deref(), Ok(expected), "{fragment}");
        }
        for fragment in [
            "foo", "/foo/2", "/foo/00", "/foo/01", "/foo/-", "/foo/+1", "/foo/0/x", "/fo", "/m~n", "/m~2n",
            "/%2", "/%zz", "/%ff",
        ] {
            assert!(leads(fragment).is_err(), "{fragment} leads to {:?}", leads(fragment));
        }
    }
}
