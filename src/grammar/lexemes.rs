//! What the notations of grammars have in common below the level of expressions: literals, classes, tokens, counts.
//!
//! The escapes differ, and each notation's are read exactly as its home reads them; what two homes read differently is
//! refused with both readings named, never guessed.

use crate::error::{CompileError, CompileErrorKind};
use crate::grammar::regex::CharSet;
use crate::grammar::rules::{TokenMember, TokenSet};
use crate::grammar::scan::{Lines, Notation, Scanner};

/// The greatest code point.
const CODE_POINT_MAX: u32 = 0x10_FFFF;

/// A character class as written.
pub(crate) struct Class {
    /// The characters that it matches.
    pub(crate) set: CharSet,
    /// Whether it names what it does not match, and names some of that more than once: probably its author takes it
    /// for a text.
    pub(crate) looks_like_a_text: bool,
}

/// Where a character stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Literal,
    Class,
}

impl Scanner<'_> {
    /// A literal; its opening quote comes next.
    pub(crate) fn literal(&mut self) -> Result<String, CompileError> {
        let start = self.at();
        let quote = self.next().expect("the caller has seen a quote");
        let mut text = String::new();
        loop {
            let at = self.at();
            match self.peek() {
                None => return Err(self.unterminated(start, quote)),
                Some('\n' | '\r') if self.notation() != Notation::Gbnf => {
                    return Err(self.unterminated(start, quote));
                }
                Some(c) if c == quote => {
                    self.next();
                    return Ok(text);
                }
                Some(_) => {
                    let point = self.character(Within::Literal)?;
                    let Some(c) = char::from_u32(point) else {
                        let message = format!(
                            "U+{point:04X} is half of a pair of UTF-16 and no character; write the character itself, or `\\U` and its 8 digits"
                        );
                        return Err(self.syntax(at, "escape", message));
                    };
                    text.push(c);
                }
            }
        }
    }

    fn unterminated(&self, start: usize, quote: char) -> CompileError {
        let help = match self.notation() {
            Notation::Iso => "",
            _ => " (a line break inside is written `\\n`)",
        };
        self.syntax(start, "literal", format!("the literal is not closed: `{quote}` is missing{help}"))
    }

    /// A class; its `[` comes next.
    pub(crate) fn class(&mut self) -> Result<Class, CompileError> {
        let start = self.at();
        self.next();
        let negated = self.take("^");
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        loop {
            let at = self.at();
            match self.peek() {
                Some(']') => break,
                Some('\n' | '\r') if self.notation() != Notation::Gbnf => {
                    return Err(self.open_class(start));
                }
                None => return Err(self.open_class(start)),
                Some(_) => {}
            }
            let low = self.character(Within::Class)?;
            let mut high = low;
            if self.peek() == Some('-') && self.peek_second().is_some_and(|c| c != ']') {
                self.next();
                high = self.character(Within::Class)?;
            }
            if high < low {
                let message = format!(
                    "the range `{}` runs backwards; for the characters themselves write `-` first or last",
                    self.since(at)
                );
                return Err(self.syntax(at, "class", message));
            }
            ranges.push((low, high));
        }
        self.next();
        if ranges.is_empty() && !(negated && self.notation() == Notation::Productions) {
            return Err(self.empty_class(start));
        }
        let repeats = repeats(&ranges);
        let listed = CharSet::from_ranges(ranges);
        let set = if negated { listed.complement() } else { listed };
        Ok(Class { set, looks_like_a_text: negated && repeats })
    }

    fn open_class(&self, start: usize) -> CompileError {
        self.syntax(
            start,
            "class",
            "the class is not closed: `]` is missing (a line break inside is written `\\n`)",
        )
    }

    fn empty_class(&self, start: usize) -> CompileError {
        let message = match self.notation() {
            Notation::Gbnf => {
                "a class needs a character: llama.cpp takes this one for the empty text; for that write `\"\"`, and for any character `.`"
            }
            _ => "a class needs a character; the empty text is `\"\"`, any character `.`",
        };
        self.syntax(start, "class", message)
    }

    /// One character, escaped or not; surrogates come as they are.
    fn character(&mut self, within: Within) -> Result<u32, CompileError> {
        let start = self.at();
        if within == Within::Class && self.is_code_point() {
            return self.code_point();
        }
        let c = self.next().expect("the caller has seen a character");
        if c != '\\' || self.notation() == Notation::Iso {
            return Ok(u32::from(c));
        }
        let Some(kind) = self.next() else {
            return Err(self.syntax(start, "escape", "nothing stands behind the backslash"));
        };
        let plain = match (self.notation(), kind) {
            (_, 'n') => Some('\n'),
            (_, 'r') => Some('\r'),
            (_, 't') => Some('\t'),
            (_, '\\' | '"' | '[' | ']' | '-') => Some(kind),
            (Notation::Form, '^') => Some(kind),
            (Notation::Productions, _) => of_engines(kind, within),
            _ => None,
        };
        match (kind, plain) {
            (_, Some(c)) => Ok(u32::from(c)),
            ('x' | 'u' | 'U', _) => self.hex_escape(start, kind),
            _ => Err(self.unknown_escape(start, kind)),
        }
    }

    /// The digits behind `\x`, `\u` or `\U`.
    fn hex_escape(&mut self, start: usize, kind: char) -> Result<u32, CompileError> {
        let digits_start = self.at();
        let digits = self.take_while(|c| c.is_ascii_hexdigit());
        let wanted = match kind {
            'x' => 2,
            'u' => 4,
            _ => 8,
        };
        if kind == 'x' && self.notation() == Notation::Productions {
            if digits.len() > 2 {
                let message = format!(
                    "`\\x{digits}` is read in two ways: XGrammar takes all digits for one code point, llama.cpp the first two; write `\\u` and 4 digits, or `\\U` and 8"
                );
                return Err(self.syntax(start, "escape", message));
            }
            if digits.len() == 1 {
                return self.hex(start, digits);
            }
        }
        if digits.len() < wanted {
            let message = format!("`\\{kind}` needs {wanted} hexadecimal digits");
            return Err(self.syntax(start, "escape", message));
        }
        self.go_to(digits_start + wanted);
        self.hex(start, &digits[..wanted])
    }

    /// `#xN`, as specifications of the W3C write a code point; it comes next.
    pub(crate) fn code_point(&mut self) -> Result<u32, CompileError> {
        let start = self.at();
        self.take("#x");
        let digits = self.take_while(|c| c.is_ascii_hexdigit());
        self.hex(start, digits)
    }

    fn hex(&self, start: usize, digits: &str) -> Result<u32, CompileError> {
        let point = u32::from_str_radix(digits.trim_start_matches('0'), 16).ok();
        match (point, digits.trim_start_matches('0')) {
            (_, "") => Ok(0),
            (Some(point), _) if point <= CODE_POINT_MAX => Ok(point),
            _ => {
                let message = format!("{digits} is no code point: the greatest is 10FFFF");
                Err(self.syntax(start, "escape", message))
            }
        }
    }

    fn unknown_escape(&self, start: usize, kind: char) -> CompileError {
        let help = match kind {
            'd' => "for a digit write the class `[0-9]`",
            'w' => "for a word character write the class `[A-Za-z0-9_]`",
            's' => "for white space write the class `[ \\t\\n\\r]`",
            'D' | 'W' | 'S' => "write a negated class, such as `[^0-9]`",
            '^' | '$' | '.' | '*' | '+' | '(' | ')' | '{' | '}' | '|' => {
                "the character itself needs no backslash; in the pattern of a macro the backslash is doubled"
            }
            _ => "a backslash itself is written `\\\\`, a code point `\\u` and 4 digits",
        };
        self.syntax(start, "escape", format!("the escape `\\{kind}` is not known here: {help}"))
    }

    /// A token reference, `<…>` or `!<…>`, which comes next.
    pub(crate) fn tokens(&mut self) -> Result<TokenSet, CompileError> {
        let negated = self.take("!");
        let start = self.at();
        if !self.take("<") {
            let message =
                format!("behind `!` a token such as `<think>` or `<[7]>` is needed, and {}", self.found());
            return Err(self.syntax(start, "token", message));
        }
        if self.take("[") {
            let members = self.token_list(start)?;
            return Ok(TokenSet { members, negated });
        }
        self.take_while(|c| c != '>' && c != '\n' && c != '\r');
        if !self.take(">") {
            return Err(self.syntax(start, "token", "the token is not closed: `>` is missing"));
        }
        let name = TokenMember::Name(self.since(start).into());
        Ok(TokenSet { members: vec![name], negated })
    }

    /// The members of `<[…]>`, the closing brackets too.
    fn token_list(&mut self, start: usize) -> Result<Vec<TokenMember>, CompileError> {
        let mut members = Vec::new();
        let form = self.notation() == Notation::Form;
        if form && self.take("]>") {
            return Ok(members);
        }
        loop {
            self.skip_blanks();
            let at = self.at();
            match self.peek() {
                Some('"') => members.push(TokenMember::Name(self.literal()?.into())),
                Some('0'..='9') => {
                    let low = self.id()?;
                    self.skip_blanks();
                    let high = if self.take("-") {
                        self.skip_blanks();
                        self.id()?
                    } else {
                        low
                    };
                    if high < low {
                        return Err(self.syntax(at, "token", "the range of ids runs backwards"));
                    }
                    members.push(TokenMember::Ids(low, high));
                }
                Some('^') => {
                    return Err(self.syntax(at, "token", "for every token but these write `!<[…]>`"));
                }
                _ => {
                    let message = format!("an id of a token is needed, and {}", self.found());
                    return Err(self.syntax(at, "token", message));
                }
            }
            self.skip_blanks();
            if self.take(",") {
                continue;
            }
            if self.take("]>") {
                return Ok(members);
            }
            return Err(self.syntax(start, "token", "the list of tokens is not closed: `]>` is missing"));
        }
    }

    fn skip_blanks(&mut self) {
        self.take_while(|c| c == ' ' || c == '\t');
    }

    /// A token's id: digits, which come next.
    pub(crate) fn id(&mut self) -> Result<u32, CompileError> {
        let start = self.at();
        let digits = self.take_while(|c| c.is_ascii_digit());
        if digits.is_empty() {
            let message = format!("an id of a token is needed, and {}", self.found());
            return Err(self.syntax(start, "token", message));
        }
        digits.parse().map_err(|_| self.syntax(start, "token", format!("{digits} is too large for an id")))
    }

    /// `m}`, `m,}`, `m,n}` or `,n}` behind the brace at `start`.
    pub(crate) fn counts(&mut self, start: usize, lines: Lines) -> Result<(u32, Option<u32>), CompileError> {
        self.skip(lines)?;
        let min = self.count()?;
        self.skip(lines)?;
        let mut max = min;
        let is_range = self.take(",");
        if is_range {
            self.skip(lines)?;
            max = self.count()?;
            self.skip(lines)?;
        }
        if !self.take("}") || (min.is_none() && max.is_none()) {
            let message = "not a count: write `{3}`, `{2,}` or `{2,5}`";
            return Err(self.syntax(start, "repetition", message));
        }
        let least = min.unwrap_or(0);
        if max.is_some_and(|max| max < least) {
            return Err(self.syntax(start, "repetition", "the greatest count is below the least"));
        }
        Ok((least, max))
    }

    /// A number, if one comes next.
    pub(crate) fn count(&mut self) -> Result<Option<u32>, CompileError> {
        let start = self.at();
        let digits = self.take_while(|c| c.is_ascii_digit());
        if digits.is_empty() {
            return Ok(None);
        }
        digits.parse().map(Some).map_err(|_| {
            let message = format!("a count is at most {}; leave it out for no bound", u32::MAX);
            self.error(CompileErrorKind::Limit, start, "repetition", message)
        })
    }
}

/// What XGrammar and C programmers escape beside the common ones: more inside a class.
fn of_engines(kind: char, within: Within) -> Option<char> {
    Some(match kind {
        'b' => '\u{8}',
        'f' => '\u{C}',
        'a' => '\u{7}',
        'v' => '\u{B}',
        '0' => '\0',
        'e' => '\u{1B}',
        '\'' | '/' | '?' => kind,
        '^' | '$' | '.' | '*' | '+' | '(' | ')' | '{' | '}' | '|' | '#' if within == Within::Class => kind,
        _ => return None,
    })
}

/// Whether some code point lies in two of the ranges.
fn repeats(ranges: &[(u32, u32)]) -> bool {
    let mut sorted = ranges.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).any(|pair| pair[1].0 <= pair[0].1)
}
