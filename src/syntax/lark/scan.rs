//! What only Lark's notation has: its blanks and comments, names, strings, numbers, and JSON in between.

use crate::error::{CompileError, CompileErrorKind};
pub(super) use crate::grammar::scan::{Lines, Scanner};

impl<'t> Scanner<'t> {
    /// Skips blanks and comments. A backslash at the end of a line hides that end.
    pub(super) fn skip_comments(&mut self, lines: Lines) {
        loop {
            let before = self.at();
            self.take_while(|c| c == ' ' || c == '\t' || (lines == Lines::Cross && (c == '\n' || c == '\r')));
            if self.rest().starts_with("//") || self.rest().starts_with('#') {
                self.take_while(|c| c != '\n');
            }
            if let Some(hidden) = self.rest().strip_prefix('\\') {
                let end = hidden.trim_start_matches([' ', '\t', '\r']);
                if end.starts_with('\n') {
                    self.go_to(self.text().len() - end.len() + 1);
                }
            }
            if self.at() == before {
                return;
            }
        }
    }

    /// Whether the line has ended.
    pub(super) fn is_at_line_end(&self) -> bool {
        matches!(self.peek(), None | Some('\n' | '\r'))
    }

    /// A name, if one comes next: letters, digits, `_`, and `-` inside.
    pub(super) fn name(&mut self) -> Option<&'t str> {
        let rest = self.rest();
        let letters = rest.trim_start_matches('_');
        if !letters.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        let bytes = rest.as_bytes();
        let is_in_name = |at: usize| match bytes.get(at) {
            Some(b'-') => bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric),
            Some(byte) => byte.is_ascii_alphanumeric() || *byte == b'_',
            None => false,
        };
        let len = (0..=rest.len()).find(|&at| !is_in_name(at)).unwrap_or(rest.len());
        self.go_to(self.at() + len);
        Some(&rest[..len])
    }

    /// A count.
    pub(super) fn number(&mut self) -> Result<u32, CompileError> {
        let at = self.at();
        let digits = self.take_while(|c| c.is_ascii_digit());
        if digits.is_empty() {
            return Err(self.syntax(
                at,
                "repetition",
                format!("a count is needed here, and {}", self.found()),
            ));
        }
        digits.parse().map_err(|_| {
            let message = format!("the count {digits} is above {}", u32::MAX);
            self.error(CompileErrorKind::Limit, at, "repetition", message)
        })
    }

    /// A string, whose opening quote comes next.
    pub(super) fn string(&mut self) -> Result<String, CompileError> {
        let start = self.at();
        self.next();
        let mut text = String::new();
        loop {
            let at = self.at();
            match self.next() {
                None | Some('\n') => {
                    let message =
                        "the string is not closed: `\"` is missing (a line break inside is written `\\n`)";
                    return Err(self.syntax(start, "string", message));
                }
                Some('"') => return Ok(text),
                Some('\\') => text.push(self.escape(at)?),
                Some(c) => text.push(c),
            }
        }
    }

    fn escape(&mut self, at: usize) -> Result<char, CompileError> {
        let digits = match self.next() {
            Some(c @ ('"' | '\\')) => return Ok(c),
            Some('n') => return Ok('\n'),
            Some('r') => return Ok('\r'),
            Some('t') => return Ok('\t'),
            Some('f') => return Ok('\u{C}'),
            Some('x') => 2,
            Some('u') => 4,
            Some('U') => 8,
            _ => {
                let escape: String = self.text()[at..].chars().take(2).collect();
                let message = format!(
                    "`{escape}` means a backslash and a character in Lark, and one character or an error elsewhere: write `\\\\` for a backslash, `\\xHH` or `\\uHHHH` for a character, and any other character as itself"
                );
                return Err(self.syntax(at, "escape", message));
            }
        };
        let hex = self.rest().get(..digits).filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()));
        let c = hex.and_then(|hex| u32::from_str_radix(hex, 16).ok()).and_then(char::from_u32);
        let Some(c) = c else {
            let message = format!("this escape needs {digits} hexadecimal digits that name a character");
            return Err(self.syntax(at, "escape", message));
        };
        self.go_to(self.at() + digits);
        Ok(c)
    }

    /// The JSON value that comes next, as its text: up to the end of its outermost brackets.
    pub(super) fn json(&mut self) -> Result<(usize, &'t str), CompileError> {
        self.skip_blanks_of_json();
        let start = self.at();
        let mut depth = 0_usize;
        let mut in_string = false;
        let bytes = self.text().as_bytes();
        let mut at = start;
        while let Some(&byte) = bytes.get(at) {
            at += 1;
            match byte {
                b'\\' if in_string => at += 1,
                b'"' => in_string = !in_string,
                b'{' | b'[' if !in_string => depth += 1,
                b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
                _ => {}
            }
            let ends = depth == 0
                && !in_string
                && (matches!(byte, b'}' | b']' | b'"')
                    || !bytes.get(at).is_some_and(u8::is_ascii_alphanumeric)
                        && self.text().is_char_boundary(at));
            if ends {
                self.go_to(at);
                return Ok((start, self.since(start)));
            }
        }
        self.go_to(bytes.len());
        Err(self.syntax(start, "JSON", "a JSON value is needed here, and it has no end"))
    }

    fn skip_blanks_of_json(&mut self) {
        self.take_while(|c| matches!(c, ' ' | '\t' | '\n' | '\r'));
    }
}

#[cfg(test)]
mod tests {
    use super::Scanner;
    use crate::grammar::scan::Notation;

    fn scanner(text: &str) -> Scanner<'_> {
        Scanner::new(Notation::Lark, text.as_bytes()).unwrap()
    }

    #[test]
    fn names_and_json_end_where_they_end() {
        assert_eq!(scanner("a-b->c").name(), Some("a-b"));
        for (text, json) in
            [(r#" {"a": "}\""} x"#, r#"{"a": "}\""}"#), ("true | x", "true"), ("[1]\n", "[1]"), ("é", "é")]
        {
            let found = scanner(text).json().map(|(_, json)| json);
            assert_eq!(found.unwrap_or("é"), json);
        }
    }
}
