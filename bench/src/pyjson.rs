//! Spells a JSON text as Python's `json.dumps(json.loads(text), ensure_ascii=False)` does.
//!
//! Documents of the benchmark are spelled as Python models of the field print them: separators `", "` and `": "`,
//! integers kept digit by digit, other numbers as the `repr` of a double, everything but control characters, quotes
//! and backslashes raw. The text is rewritten in one pass without building a tree, so depth costs nothing.
//!
//! Two things that Python does are left out: members named twice stay twice, and half a surrogate pair stays an
//! escape (Python would print text that is not UTF-8).

use std::fmt::Write;

/// Rewrites `json`, which must be one valid JSON text, in Python's spelling.
pub(crate) fn respell(json: &str) -> String {
    let mut out = String::with_capacity(json.len() + json.len() / 8);
    let mut rest = json;
    while let Some(first) = rest.chars().next() {
        match first {
            ' ' | '\t' | '\n' | '\r' => rest = &rest[1..],
            ',' => {
                out.push_str(", ");
                rest = &rest[1..];
            }
            ':' => {
                out.push_str(": ");
                rest = &rest[1..];
            }
            '"' => rest = string(&rest[1..], &mut out),
            '-' | '0'..='9' => {
                let len = rest
                    .find(|c: char| !matches!(c, '0'..='9' | '-' | '+' | '.' | 'e' | 'E'))
                    .unwrap_or(rest.len());
                number(&rest[..len], &mut out);
                rest = &rest[len..];
            }
            // Brackets and the letters of true, false and null.
            other => {
                out.push(other);
                rest = &rest[other.len_utf8()..];
            }
        }
    }
    out
}

/// Rewrites the string whose opening quote has been read; gives what follows its closing quote.
fn string<'a>(mut rest: &'a str, out: &mut String) -> &'a str {
    out.push('"');
    loop {
        let plain = rest.find(['"', '\\']).unwrap_or(rest.len());
        out.push_str(&rest[..plain]);
        rest = &rest[plain..];
        if rest.len() < 2 || rest.starts_with('"') {
            out.push('"');
            return rest.get(1..).unwrap_or("");
        }
        rest = escape(&rest[1..], out);
    }
}

/// Decodes the escape whose backslash has been read and spells its character; gives what follows.
fn escape<'a>(rest: &'a str, out: &mut String) -> &'a str {
    let decoded = match rest.as_bytes()[0] {
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'u' => return unicode_escape(&rest[1..], out),
        other => char::from(other),
    };
    character(decoded, out);
    &rest[1..]
}

/// Decodes the hexadecimal digits of `\uXXXX`, and of the second half of a surrogate pair.
fn unicode_escape<'a>(rest: &'a str, out: &mut String) -> &'a str {
    let Some(unit) = hexadecimal(rest) else { return rest };
    let after = &rest[4..];
    if (0xD800..0xDC00).contains(&unit)
        && let Some(low) = after.strip_prefix("\\u").and_then(hexadecimal)
        && (0xDC00..0xE000).contains(&low)
    {
        let pair = 0x1_0000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
        character(char::from_u32(pair).expect("a surrogate pair names a code point"), out);
        return &after[6..];
    }
    match char::from_u32(unit) {
        Some(decoded) => character(decoded, out),
        None => write!(out, "\\u{unit:04x}").expect("a String takes all writes"),
    }
    after
}

/// The value of the first four hexadecimal digits.
fn hexadecimal(text: &str) -> Option<u32> {
    text.get(..4).and_then(|digits| u32::from_str_radix(digits, 16).ok())
}

/// Spells one character of a string.
fn character(decoded: char, out: &mut String) {
    match decoded {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\u{8}' => out.push_str("\\b"),
        '\u{c}' => out.push_str("\\f"),
        control if control < ' ' => {
            write!(out, "\\u{:04x}", u32::from(control)).expect("a String takes all writes");
        }
        other => out.push(other),
    }
}

/// Spells a number: integers keep their digits, all others become a double's `repr`.
fn number(text: &str, out: &mut String) {
    if text.contains(['.', 'e', 'E']) {
        out.push_str(&float_repr(text.parse().expect("a JSON number parses as a double")));
    } else {
        out.push_str(if text == "-0" { "0" } else { text });
    }
}

/// Python's `repr` of a double: the shortest digits that read back the same, an exponent of two digits or more below
/// 1e-4 and from 1e16 on.
pub(crate) fn float_repr(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_infinite() {
        return format!("{sign}Infinity");
    }
    let shortest = format!("{:e}", value.abs());
    let (mantissa, exponent) = shortest.split_once('e').expect("the e format has an exponent");
    let exponent: i32 = exponent.parse().expect("the exponent of a double is small");
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    match usize::try_from(exponent) {
        Ok(whole @ 0..16) => {
            let fraction = digits.get(whole + 1..).filter(|digits| !digits.is_empty()).unwrap_or("0");
            let whole = format!("{:0<width$}", &digits[..digits.len().min(whole + 1)], width = whole + 1);
            format!("{sign}{whole}.{fraction}")
        }
        Err(_) if exponent >= -4 => {
            let zeros = usize::try_from(-exponent - 1).expect("the exponent is negative here");
            format!("{sign}0.{}{digits}", "0".repeat(zeros))
        }
        _ => {
            let (head, tail) = digits.split_at(1);
            let point = if tail.is_empty() { "" } else { "." };
            let exponent_sign = if exponent < 0 { '-' } else { '+' };
            format!("{sign}{head}{point}{tail}e{exponent_sign}{:02}", exponent.abs())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{float_repr, respell};

    #[test]
    fn floats_are_spelled_as_python_repr_does() {
        // Every right-hand side was printed by CPython 3.11's repr.
        for (value, expected) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (1.5, "1.5"),
            (-2.25, "-2.25"),
            (100.0, "100.0"),
            (123_456.789, "123456.789"),
            (0.1, "0.1"),
            (0.1 + 0.2, "0.30000000000000004"),
            (0.001, "0.001"),
            (0.0001, "0.0001"),
            (0.000_123, "0.000123"),
            (0.000_01, "1e-05"),
            (0.000_012_5, "1.25e-05"),
            (1e15, "1000000000000000.0"),
            (1_234_567_890_123_456.0, "1234567890123456.0"),
            (9_007_199_254_740_993.0, "9007199254740992.0"),
            (1e16, "1e+16"),
            (1.5e16, "1.5e+16"),
            (1e22, "1e+22"),
            (1.797_693_134_862_315_7e308, "1.7976931348623157e+308"),
            (5e-324, "5e-324"),
            (f64::INFINITY, "Infinity"),
            (f64::NEG_INFINITY, "-Infinity"),
        ] {
            assert_eq!(float_repr(value), expected);
        }
    }

    #[test]
    fn numbers_read_as_python_reads_them() {
        for (json, expected) in [
            ("12345678901234567890123", "12345678901234567890123"),
            ("-7", "-7"),
            ("-0", "0"),
            ("-0.0", "-0.0"),
            ("1.0", "1.0"),
            ("1.50", "1.5"),
            ("1E5", "100000.0"),
            ("1e-5", "1e-05"),
            ("1e400", "Infinity"),
        ] {
            assert_eq!(respell(json), expected, "{json}");
        }
    }

    #[test]
    fn separators_are_a_comma_and_a_colon_with_one_space() {
        assert_eq!(
            respell("{ \"a\":[1 ,2.0,\n{}],\"b\" : { \"c\":null },\"d\":[ ] }"),
            r#"{"a": [1, 2.0, {}], "b": {"c": null}, "d": []}"#
        );
        assert_eq!(respell(" true "), "true");
    }

    #[test]
    fn only_controls_quotes_and_backslashes_are_escaped() {
        for (json, expected) in [
            (r#""\u0041\/\u00e9é""#, r#""A/éé""#),
            (r#""\"\\\b\f\n\r\t""#, r#""\"\\\b\f\n\r\t""#),
            (r#""\u000a\u0000\u001F\u007f""#, "\"\\n\\u0000\\u001f\u{7f}\""),
            (r#""\ud83d\ude00 \uD83D\uDE00""#, "\"😀 😀\""),
            (r#""\u2028,:{}""#, "\"\u{2028},:{}\""),
            (r#""\ud83d x""#, r#""\ud83d x""#),
            (r#""\ude00\ud83d""#, r#""\ude00\ud83d""#),
        ] {
            assert_eq!(respell(json), expected, "{json}");
        }
    }
}
