//! Character classes and escapes of the pattern parser: `[…]`, `.`, `\d`, `\x41`, `\u{1F600}`, `\p{L}`.
//!
//! Characters are code points (`u32`), because an escape may name a lone surrogate; the sets drop it, since no text
//! contains one.

use super::parser::Parser;
use super::unicode::property;
use super::{Mode, PatternError};
use crate::grammar::regex::{CharSet, SPACES};

/// What one position of a pattern or class stands for.
pub(super) enum Atom {
    /// One code point.
    Point(u32),
    /// A class escape.
    Set(CharSet),
}

impl Atom {
    pub(super) fn into_set(self) -> CharSet {
        match self {
            Self::Point(point) => CharSet::from_ranges([(point, point)]),
            Self::Set(set) => set,
        }
    }
}

/// `.`: all but the line terminators.
pub(super) fn dot() -> CharSet {
    CharSet::of("\n\r\u{2028}\u{2029}").complement()
}

/// `\w`.
pub(super) fn word() -> CharSet {
    CharSet::from_ranges([('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')].map(|(a, b)| (a.into(), b.into())))
}

fn digit() -> CharSet {
    CharSet::range('0', '9')
}

/// `\s`: white space and line terminators of the standard.
fn space() -> CharSet {
    CharSet::from_ranges(SPACES)
}

impl Parser<'_> {
    /// A class; the parser stands behind `[`.
    pub(super) fn class(&mut self) -> Result<CharSet, PatternError> {
        let open = self.at - 1;
        let negated = self.take('^');
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        loop {
            if self.take(']') {
                let set = self.folded(CharSet::from_ranges(ranges));
                return Ok(if negated { set.complement() } else { set });
            }
            let from = self.at;
            let low = self.class_atom(open)?;
            let rest = self.rest();
            if !rest.starts_with('-') || rest.starts_with("-]") {
                push(&mut ranges, low);
                continue;
            }
            self.at += 1;
            let high = self.class_atom(open)?;
            match (low, high) {
                (Atom::Point(low), Atom::Point(high)) if low <= high => ranges.push((low, high)),
                (Atom::Point(_), Atom::Point(_)) => {
                    return Err(self.syntax(from, "the range of the class is out of order"));
                }
                _ if self.mode == Mode::Unicode => {
                    return Err(self.syntax(from, "a class escape can't be the end of a range"));
                }
                (low, high) => {
                    push(&mut ranges, low);
                    push(&mut ranges, Atom::Point(u32::from('-')));
                    push(&mut ranges, high);
                }
            }
        }
    }

    fn class_atom(&mut self, open: usize) -> Result<Atom, PatternError> {
        let start = self.at;
        let Some(c) = self.next() else {
            return Err(self.syntax(open, "the class is not closed: `]` is missing"));
        };
        if c != '\\' {
            return Ok(Atom::Point(u32::from(c)));
        }
        match self.peek() {
            Some('b') => {
                self.at += 1;
                Ok(Atom::Point(0x08))
            }
            Some('-') if self.mode == Mode::Unicode => {
                self.at += 1;
                Ok(Atom::Point(u32::from('-')))
            }
            Some('c') if self.mode == Mode::AnnexB => {
                let control = self.rest()[1..].chars().next();
                match control {
                    Some(c) if c.is_ascii_alphanumeric() || c == '_' => {
                        self.at += 2;
                        Ok(Atom::Point(u32::from(c) % 32))
                    }
                    // The backslash stands for itself, and `c` follows.
                    _ => Ok(Atom::Point(u32::from('\\'))),
                }
            }
            _ => self.escape(start),
        }
    }

    /// A class escape or character escape; the parser stands behind the backslash, which is at `start`. References to
    /// groups and assertions are the caller's business.
    pub(super) fn escape(&mut self, start: usize) -> Result<Atom, PatternError> {
        let Some(c) = self.peek() else {
            return Err(self.syntax(start, "a backslash ends the pattern"));
        };
        let set = match c {
            'd' => digit(),
            'D' => digit().complement(),
            // Without regard to case, two characters beyond ASCII are like letters of words.
            'w' => self.folded(word()),
            'W' => self.folded(word()).complement(),
            's' => space(),
            'S' => space().complement(),
            'p' | 'P' if self.mode == Mode::Unicode || self.rest()[1..].starts_with('{') => {
                return self.property(start).map(Atom::Set);
            }
            _ => return self.character_escape(start).map(Atom::Point),
        };
        self.at += 1;
        Ok(Atom::Set(set))
    }

    /// `\p{…}` and `\P{…}`.
    fn property(&mut self, start: usize) -> Result<CharSet, PatternError> {
        if self.mode == Mode::AnnexB {
            let message = "without the `u` flag this would be the letter p; elsewhere the pattern uses what the flag \
                           forbids (an escape such as `\\_`, or a lone brace or bracket): correct that";
            return Err(PatternError::new("unicode property", start, message));
        }
        let negated = self.next() == Some('P');
        let name = self.rest().strip_prefix('{').and_then(|rest| rest.split_once('}')).map(|(name, _)| name);
        let Some(name) = name else {
            return Err(self.syntax(start, "`\\p` needs a property in braces"));
        };
        self.at += name.len() + 2;
        let Some(set) = property(name) else {
            let message = format!(
                "`{name}` is no property that is known here (General_Category, Script=…, Script_Extensions=… and \
                 binary properties, in exact spelling)"
            );
            return Err(PatternError::new("unicode property", start, message));
        };
        Ok(if negated { set.complement() } else { set })
    }

    fn character_escape(&mut self, start: usize) -> Result<u32, PatternError> {
        let unicode = self.mode == Mode::Unicode;
        let Some(c) = self.next() else {
            return Err(self.syntax(start, "a backslash ends the pattern"));
        };
        let next = self.peek();
        Ok(match c {
            'f' => 0x0C,
            'n' => 0x0A,
            'r' => 0x0D,
            't' => 0x09,
            'v' => 0x0B,
            'c' => match next {
                Some(letter) if letter.is_ascii_alphabetic() => {
                    self.at += 1;
                    u32::from(letter) % 32
                }
                _ if unicode => return Err(self.syntax(start, "`\\c` needs a letter")),
                // The backslash stands for itself, and `c` follows.
                _ => {
                    self.at -= 1;
                    u32::from('\\')
                }
            },
            '0' if !next.is_some_and(|c| c.is_ascii_digit()) => 0,
            '0'..='9' if unicode => {
                return Err(self.syntax(start, "a decimal escape that is no back-reference"));
            }
            '0'..='7' => {
                self.at -= 1;
                self.legacy_octal()
            }
            'x' => match self.hex(2) {
                Some(point) => point,
                None if unicode => return Err(self.syntax(start, "`\\x` needs two hexadecimal digits")),
                None => u32::from('x'),
            },
            'u' => return self.unicode_escape(start),
            _ if unicode && !"^$\\.*+?()[]{}|/".contains(c) => {
                return Err(self.syntax(start, "this escape is not allowed with the `u` flag"));
            }
            'k' if self.has_names => return Err(self.syntax(start, "`\\k` needs a group name")),
            _ => u32::from(c),
        })
    }

    /// One to three octal digits, at most `\377`.
    fn legacy_octal(&mut self) -> u32 {
        let mut value = 0;
        for _ in 0..3 {
            match self.peek().and_then(|c| c.to_digit(8)) {
                Some(digit) if value * 8 + digit <= 0o377 => {
                    value = value * 8 + digit;
                    self.at += 1;
                }
                _ => break,
            }
        }
        value
    }

    /// So many hexadecimal digits; takes nothing if they are not there.
    fn hex(&mut self, count: usize) -> Option<u32> {
        let digits = self.rest().get(..count)?;
        if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        self.at += count;
        u32::from_str_radix(digits, 16).ok()
    }

    /// What follows `\u`. Two escapes that make a surrogate pair are one character.
    fn unicode_escape(&mut self, start: usize) -> Result<u32, PatternError> {
        if self.peek() == Some('{') {
            if self.mode == Mode::AnnexB {
                let message = "without the `u` flag this would be the letter u, repeated; elsewhere the pattern uses \
                               what the flag forbids (an escape such as `\\_`, or a lone brace or bracket): correct \
                               that";
                return Err(PatternError::new("unicode escape", start, message));
            }
            let digits = self.rest()[1..].split_once('}').map(|(digits, _)| digits).unwrap_or_default();
            let significant = digits.trim_start_matches('0');
            let valid =
                !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit()) && significant.len() <= 6;
            let point = u32::from_str_radix(if significant.is_empty() { "0" } else { significant }, 16);
            return match point {
                Ok(point) if valid && point <= 0x10_FFFF => {
                    self.at += digits.len() + 2;
                    Ok(point)
                }
                _ => Err(self.syntax(start, "`\\u{…}` needs a code point of at most 10FFFF")),
            };
        }
        match self.hex(4) {
            Some(lead) if (0xD800..0xDC00).contains(&lead) => {
                let before = self.at;
                if self.rest().starts_with("\\u") {
                    self.at += 2;
                    if let Some(trail) = self.hex(4)
                        && (0xDC00..0xE000).contains(&trail)
                    {
                        return Ok(0x1_0000 + ((lead - 0xD800) << 10) + (trail - 0xDC00));
                    }
                }
                self.at = before;
                Ok(lead)
            }
            Some(point) => Ok(point),
            None if self.mode == Mode::Unicode => {
                Err(self.syntax(start, "`\\u` needs four hexadecimal digits, or a code point in braces"))
            }
            None => Ok(u32::from('u')),
        }
    }
}

fn push(ranges: &mut Vec<(u32, u32)>, atom: Atom) {
    match atom {
        Atom::Point(point) => ranges.push((point, point)),
        Atom::Set(set) => ranges.extend_from_slice(set.ranges()),
    }
}
