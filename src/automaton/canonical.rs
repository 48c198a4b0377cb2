//! One byte string for each JSON value: equal values have equal ones, whatever their spelling.
//!
//! Numbers are compared by value, exactly; strings by their code points; members in any order. A value's kind is its first
//! byte, and every part has an end of its own, so no two values share a form.

use memchr::memmem::Finder;

/// The canonical form of a JSON text that the automaton has accepted. Commas and whitespace around it don't count. O(n log n).
pub(crate) fn canonical(text: &[u8]) -> Vec<u8> {
    match opened(text).pop() {
        Some(Open::Array(mut values)) => values.pop().unwrap_or_default(),
        _ => Vec::new(),
    }
}

/// The beginning of a value: what is complete in it.
pub(crate) struct Beginning {
    /// Its first byte, if it has one.
    first: Option<u8>,
    /// All these are parts of the value's form, as they stand there.
    parts: Vec<Finder<'static>>,
}

impl Beginning {
    /// What begins with this text.
    pub(crate) fn of(text: &[u8]) -> Self {
        // A number at the end may go on.
        let known = text.iter().rposition(|b| !is_number_byte(*b)).map_or(0, |last| last + 1);
        let is_first = |b: &&u8| !matches!(**b, b',' | b' ' | b'\t' | b'\n' | b'\r');
        let mut parts: Vec<Vec<u8>> = Vec::new();
        for open in opened(&text[..known]).into_iter().skip(1) {
            match open {
                Open::Array(values) => parts.push([b"[".as_slice(), &values.concat()].concat()),
                Open::Object(members, name) => {
                    parts.extend(name);
                    parts.extend(members.into_iter().map(|(name, value)| [name, value].concat()));
                }
            }
        }
        // A long part is found the seldomest.
        parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
        let parts = parts.iter().map(|part| Finder::new(part).into_owned()).collect();
        Self { first: text.iter().find(is_first).copied(), parts }
    }

    /// Whether the value may have this form. "No" is sure.
    pub(crate) fn may_become(&self, form: &[u8]) -> bool {
        let same_kind = match self.first {
            None => true,
            Some(b'-' | b'0'..=b'9') => matches!(form.first(), Some(b'+' | b'-' | b'0')),
            first => form.first().copied() == first,
        };
        same_kind && self.parts.iter().all(|part| part.find(form).is_some())
    }
}

/// One form for the beginnings of values that go on alike: what is complete is canonical, and a lexeme under way is left out.
pub(crate) fn canonical_beginning(text: &[u8]) -> Vec<u8> {
    let mut form = Vec::new();
    for open in opened(text) {
        match open {
            Open::Array(values) => {
                form.push(b'[');
                values.iter().for_each(|value| form.extend(value));
            }
            Open::Object(members, name) => {
                form.push(b'{');
                for part in members.iter().flat_map(|(name, value)| [name, value]).chain(&name) {
                    form.extend(part);
                }
            }
        }
    }
    form
}

/// The containers that a text leaves open, behind a list of the values that it completes.
fn opened(text: &[u8]) -> Vec<Open> {
    let mut open: Vec<Open> = vec![Open::Array(Vec::new())];
    let mut at = 0;
    while at < text.len() {
        let byte = text[at];
        match byte {
            b'[' => open.push(Open::Array(Vec::new())),
            b'{' => open.push(Open::Object(Vec::new(), None)),
            b']' | b'}' => {
                let closed = open.pop().map(Open::close).unwrap_or_default();
                put(&mut open, closed);
            }
            b'"' => {
                let end = at + 1 + string_len(&text[at + 1..]);
                if end >= text.len() {
                    break;
                }
                let value = string(&text[at..=end]);
                match open.last_mut() {
                    Some(Open::Object(_, name @ None)) => *name = Some(value),
                    _ => put(&mut open, value),
                }
                at = end;
            }
            b'-' | b'0'..=b'9' => {
                let len = text[at..].iter().take_while(|b| is_number_byte(**b)).count();
                let value = number(&text[at..at + len]);
                put(&mut open, value);
                at += len - 1;
            }
            b't' | b'f' | b'n' => {
                put(&mut open, vec![byte]);
                at += text[at..].iter().take_while(|b| b.is_ascii_lowercase()).count() - 1;
            }
            _ => {}
        }
        at += 1;
    }
    open
}

/// A container under way.
enum Open {
    Array(Vec<Vec<u8>>),
    /// Its members, and the name whose value is to come.
    Object(Vec<(Vec<u8>, Vec<u8>)>, Option<Vec<u8>>),
}

impl Open {
    fn close(self) -> Vec<u8> {
        match self {
            Self::Array(values) => {
                let mut form = vec![b'['];
                values.iter().for_each(|value| form.extend(value));
                form.push(b']');
                form
            }
            Self::Object(mut members, _) => {
                members.sort_unstable();
                let mut form = vec![b'{'];
                for (name, value) in &members {
                    form.extend(name);
                    form.extend(value);
                }
                form.push(b'}');
                form
            }
        }
    }
}

fn put(open: &mut [Open], value: Vec<u8>) {
    match open.last_mut() {
        Some(Open::Array(values)) => values.push(value),
        Some(Open::Object(members, name)) => members.extend(name.take().map(|name| (name, value))),
        None => {}
    }
}

/// Bytes before the closing quote.
fn string_len(text: &[u8]) -> usize {
    let mut at = 0;
    while at < text.len() && text[at] != b'"' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    at
}

fn string(quoted: &[u8]) -> Vec<u8> {
    let text: String = serde_json::from_slice(quoted).expect("the automaton accepted the string's spelling");
    // Escaped as JSON, the text has no quote of its own.
    serde_json::to_vec(&text).expect("a string can be written")
}

fn is_number_byte(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E')
}

/// Sign, digits without zeros at either end, and the power of ten of the point before the first of them.
fn number(text: &[u8]) -> Vec<u8> {
    let negative = text.first() == Some(&b'-');
    let text = if negative { &text[1..] } else { text };
    let (mantissa, exponent) = match text.iter().position(|b| matches!(b, b'e' | b'E')) {
        Some(at) => (&text[..at], read_exponent(&text[at + 1..])),
        None => (text, 0),
    };
    let point = mantissa.iter().position(|&b| b == b'.').unwrap_or(mantissa.len());
    let digits: Vec<u8> = mantissa.iter().copied().filter(u8::is_ascii_digit).collect();
    let zeros = digits.iter().take_while(|&&b| b == b'0').count();
    let last = digits.iter().rposition(|&b| b != b'0');
    let Some(last) = last else { return b"0;".to_vec() };
    let power = i128::try_from(point).unwrap_or(i128::MAX) - i128::try_from(zeros).unwrap_or(i128::MAX);
    let mut form = Vec::with_capacity(last - zeros + 24);
    form.push(if negative { b'-' } else { b'+' });
    form.extend_from_slice(&digits[zeros..=last]);
    form.extend_from_slice(format!("e{};", power.saturating_add(exponent)).as_bytes());
    form
}

/// A spelling of the number with that canonical form; `None` for another kind of value.
pub(crate) fn spelled_number(form: &[u8]) -> Option<String> {
    if form == b"0;" {
        return Some("0".to_owned());
    }
    let text = std::str::from_utf8(form).ok()?.strip_suffix(';')?;
    let (digits, power) = text.split_once('e')?;
    let (sign, digits) = digits.split_at(1);
    match sign {
        "+" => Some(format!("0.{digits}e{power}")),
        "-" => Some(format!("-0.{digits}e{power}")),
        _ => None,
    }
}

/// An exponent; the policy bounds its digits.
fn read_exponent(text: &[u8]) -> i128 {
    let text = std::str::from_utf8(text).unwrap_or_default();
    text.trim_start_matches('+').parse().unwrap_or(if text.starts_with('-') { i128::MIN } else { i128::MAX })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_a_spelling_again() {
        for text in ["0", "1", "-12.5", "1e3", "0.001", "123456789012345678901234567890"] {
            let form = canonical(text.as_bytes());
            assert_eq!(canonical(spelled_number(&form).unwrap().as_bytes()), form, "{text}");
        }
        for text in ["true", "\"1\"", "[1]", "{}", "null"] {
            assert_eq!(spelled_number(&canonical(text.as_bytes())), None, "{text}");
        }
    }

    #[test]
    fn no_beginning_of_a_value_is_told_apart_from_it() {
        let values = [
            r#"{"a":1,"b":[true,"x,\u0041]",{"c":null}],"d":{}}"#,
            r#"[[1.5,20],"t",-0,{"k":[]},false]"#,
            r#" "a\"b""#,
            "-12.5e3",
            "true",
        ];
        for text in values {
            let form = canonical(text.as_bytes());
            for end in 0..=text.len() {
                assert!(Beginning::of(&text.as_bytes()[..end]).may_become(&form), "{text} up to {end}");
            }
        }
        let others = [
            ("{\"a\":1,", "{\"a\":2}"),
            ("{\"a\"", "{\"b\":2}"),
            ("{\"a\":[1,", "{\"a\":[2,1]}"),
            ("[1,", "[12]"),
            ("[\"1\"", "[1]"),
            ("{", "[]"),
            ("1", "\"1\""),
            ("\"", "1"),
            ("t", "false"),
        ];
        for (text, other) in others {
            assert!(
                !Beginning::of(text.as_bytes()).may_become(&canonical(other.as_bytes())),
                "{text} and {other}"
            );
        }
    }

    #[test]
    fn equal_values_have_one_form_and_others_another() {
        let classes: [&[&str]; 22] = [
            &["0", "-0", "0.0", "0e5", "-0.00E-3", " ,0"],
            &["1", "1.0", "10e-1", "0.1e1", "1E0", "1e+0", "100.00e-2"],
            &["-1", "-1.0", "-10e-1"],
            &["10", "1e1", "10.0"],
            &["0.01", "1e-2", "0.0100"],
            &["123.45", "12345e-2", "1.2345E2"],
            &["1e400", "10e399"],
            &["100000000000000000000000000000001"],
            &["\"a\"", "\"\\u0061\""],
            &["\"1\""],
            &["\"\\\"\"", "\"\\u0022\""],
            &["\"\u{1F600}\"", "\"\\ud83d\\ude00\""],
            &["true", ", true"],
            &["\"true\""],
            &["null"],
            &["[]", "[ ]"],
            &["{}"],
            &["[1,2]", "[1.0, 2]"],
            &["[12]", "[ 12.0]"],
            &["[[1],2]"],
            &["{\"a\":1,\"b\":[2]}", "{\"b\":[2.0], \"\\u0061\":1}"],
            &["{\"a\":{\"b\":1}}"],
        ];
        let mut seen: Vec<Vec<u8>> = Vec::new();
        for class in classes {
            let form = canonical(class[0].as_bytes());
            for text in class {
                assert_eq!(canonical(text.as_bytes()), form, "{text}");
            }
            assert!(!seen.contains(&form), "{}", class[0]);
            seen.push(form);
        }
    }
}
