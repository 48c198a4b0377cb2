//! Patterns between slashes: the notation that Python's `re` and Rust's `regex` read alike, translated to ECMA-262.
//!
//! What differs from ECMA-262, and is translated: the dot excludes the line feed alone; `\d`, `\s` and `\w` are Unicode's
//! (decimal digits, white space, word characters as Rust's `regex` has them: Python's differ in U+001C to U+001F and in
//! numbers that are no decimal digits); punctuation may be escaped anywhere; groups may have names; `]` may stand first in
//! a class; `{,n}` counts from 0; the flags `i`, `s`, `u` and `x` (`m` changes anchors only).
//!
//! What the two read differently, and what asks about text outside the lexeme, is refused by name: anchors, word boundaries,
//! lookaround, back-references, possessive repetition, operations inside classes, the flag `l`.
//!
//! A *lazy* repetition makes a terminal match less than it could. Where everything around it and in each round has one
//! length, fewest rounds mean the shortest match, and the terminal is one of [`Extent::Shortest`]; other lazy
//! repetitions are refused.

use crate::grammar::lexing::Extent;
use crate::grammar::regex::Regex;
use crate::syntax::pattern;

/// A pattern was refused: where, which construct, what was found and would help.
pub(super) struct Refused {
    pub(super) byte: usize,
    pub(super) construct: &'static str,
    pub(super) message: String,
}

type Result<T> = std::result::Result<T, Refused>;

/// The word characters, as members of a class.
const WORD: &str = "\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}";

/// The language of a pattern and which beginning of the text it matches.
pub(super) fn read(source: &str, flags: &str) -> Result<(Regex, Extent)> {
    let mut reader = Reader {
        source,
        at: 0,
        out: String::new(),
        groups: Vec::new(),
        ignores_case: false,
        dot_all: false,
        verbose: false,
        atom: None,
        has_choice: false,
        lazy: None,
    };
    reader.flags(flags, 0)?;
    reader.leading_flags()?;
    while reader.at < source.len() {
        reader.step()?;
    }
    if let Some(&(_, _, byte)) = reader.groups.last() {
        return refuse(byte, "group", "`(` is not closed");
    }
    reader.finish()
}

fn refuse<T>(byte: usize, construct: &'static str, message: impl Into<String>) -> Result<T> {
    Err(Refused { byte, construct, message: message.into() })
}

struct Reader<'t> {
    source: &'t str,
    at: usize,
    /// The ECMA-262 pattern.
    out: String,
    /// By open group: where it starts in `out`, the meaning of the dot outside, where it starts.
    groups: Vec<(usize, bool, usize)>,
    ignores_case: bool,
    dot_all: bool,
    verbose: bool,
    /// Where in `out` what may be repeated starts.
    atom: Option<usize>,
    has_choice: bool,
    lazy: Option<LazyPart>,
}

/// A lazy repetition: where in the output what is repeated starts and ends, and where the repetition ends; where it stands.
struct LazyPart {
    start: usize,
    end: usize,
    behind: usize,
    byte: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.source[self.at..].chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn take(&mut self, text: &str) -> bool {
        let found = self.source[self.at..].starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }

    fn flags(&mut self, flags: &str, byte: usize) -> Result<()> {
        for flag in flags.chars() {
            match flag {
                'i' => self.ignores_case = true,
                's' => self.dot_all = true,
                'x' => self.verbose = true,
                'm' | 'u' => {}
                'l' => return refuse(byte, "flag", "the flag `l` asks for the locale of a machine"),
                _ => {
                    let message = format!("there is no flag `{flag}`: known are i, m, s, u and x");
                    return refuse(byte, "flag", message);
                }
            }
        }
        Ok(())
    }

    fn leading_flags(&mut self) -> Result<()> {
        let Some((names, _)) = self.source.strip_prefix("(?").and_then(|rest| rest.split_once(')')) else {
            return Ok(());
        };
        if names.is_empty() || !names.bytes().all(|byte| byte.is_ascii_lowercase()) {
            return Ok(());
        }
        self.flags(names, 2)?;
        self.at = names.len() + "(?)".len();
        Ok(())
    }

    fn step(&mut self) -> Result<()> {
        let byte = self.at;
        let start = self.out.len();
        let Some(c) = self.next() else { return Ok(()) };
        match c {
            c if self.verbose && c.is_ascii_whitespace() => return Ok(()),
            '#' if self.verbose => {
                while self.peek().is_some_and(|c| c != '\n') {
                    self.next();
                }
                return Ok(());
            }
            '(' => return self.open(byte),
            ')' => {
                let Some((opened, dot_all, _)) = self.groups.pop() else {
                    return refuse(byte, "group", "`)` closes nothing");
                };
                self.out.push(')');
                self.dot_all = dot_all;
                self.atom = Some(opened);
                return Ok(());
            }
            '|' => {
                self.has_choice |= self.groups.is_empty();
                self.out.push('|');
                self.atom = None;
                return Ok(());
            }
            '*' | '+' | '?' | '{' => return self.repetition(c, byte),
            '[' => self.class(byte)?,
            '.' => self.out.push_str(if self.dot_all { "[^]" } else { "[^\\n]" }),
            '^' | '$' => return refuse(byte, "anchor", ANCHOR),
            '\\' => self.escape(byte)?,
            c => push_char(&mut self.out, c),
        }
        self.atom = Some(start);
        Ok(())
    }

    fn open(&mut self, byte: usize) -> Result<()> {
        let start = self.out.len();
        let outside = self.dot_all;
        let mut opening = "(?:".to_owned();
        if self.take("?") {
            let looks =
                ["=", "!", "<=", "<!"].into_iter().any(|look| self.source[self.at..].starts_with(look));
            if looks {
                let message = "lookaround asks about text outside the lexeme, or about what a terminal excludes: for the latter write `A & ~B`";
                return refuse(byte, "lookaround", message);
            }
            if self.take("P<") || self.take("<") {
                let name = self.source[self.at..].split_once('>').map(|(name, _)| name);
                match name {
                    Some(name) if name.chars().all(|c| c.is_alphanumeric() || c == '_') => {
                        self.at += name.len() + 1;
                    }
                    _ => return refuse(byte, "group", "the name of the group has no end"),
                }
            } else if !self.take(":") {
                let Some((names, _)) = self.source[self.at..].split_once(':') else {
                    return refuse(byte, "group", GROUP);
                };
                let (on, off) = names.split_once('-').unwrap_or((names, ""));
                let known = |names: &str| names.bytes().all(|byte| b"imsu".contains(&byte));
                if !known(on) || !known(off) {
                    return refuse(byte, "group", GROUP);
                }
                self.dot_all = (outside || on.contains('s')) && !off.contains('s');
                opening = match (on.contains('i'), off.contains('i')) {
                    (true, _) => "(?i:".to_owned(),
                    (_, true) => "(?-i:".to_owned(),
                    _ => opening,
                };
                self.at += names.len() + 1;
            }
        }
        self.out.push_str(&opening);
        self.groups.push((start, outside, byte));
        self.atom = None;
        Ok(())
    }

    fn repetition(&mut self, c: char, byte: usize) -> Result<()> {
        let Some(start) = self.atom.take() else {
            let message =
                format!("there is nothing before `{c}` to repeat; a character itself is written `\\{c}`");
            return refuse(byte, "repetition", message);
        };
        let end = self.out.len();
        if c == '{' {
            let inner = self.source[self.at..].split_once('}').map(|(inner, _)| inner);
            let is_count = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
            let counts = inner.and_then(|inner| match inner.split_once(',') {
                None if !inner.is_empty() && is_count(inner) => Some(format!("{{{inner}}}")),
                Some((low, high)) if is_count(low) && is_count(high) && inner != "," => {
                    Some(format!("{{{},{high}}}", if low.is_empty() { "0" } else { low }))
                }
                _ => None,
            });
            let (Some(counts), Some(inner)) = (counts, inner) else {
                return refuse(
                    byte,
                    "repetition",
                    "`{` starts no count here; the character itself is written `\\{`",
                );
            };
            self.out.push_str(&counts);
            self.at += inner.len() + 1;
        } else {
            self.out.push(c);
        }
        if self.take("+") {
            return refuse(
                byte,
                "possessive repetition",
                "possessive repetitions are not supported: leave the `+` out",
            );
        }
        if self.take("?") {
            if !self.groups.is_empty() || self.lazy.is_some() {
                return refuse(byte, "lazy repetition", LAZY);
            }
            self.lazy = Some(LazyPart { start, end, behind: self.out.len(), byte });
        }
        Ok(())
    }

    fn class(&mut self, byte: usize) -> Result<()> {
        self.out.push('[');
        if self.take("^") {
            self.out.push('^');
        }
        let first = self.at;
        loop {
            let at = self.at;
            let rest = &self.source[at..];
            if rest.is_empty() {
                return refuse(byte, "class", "`[` is not closed");
            }
            if at > first && self.take("]") {
                self.out.push(']');
                return Ok(());
            }
            if ["[", "&&", "--", "~~", "||"].into_iter().any(|sign| rest.starts_with(sign)) {
                let message =
                    "some engines read this as an operation on classes: escape each of these characters";
                return refuse(at, "class", message);
            }
            if self.verbose && rest.starts_with(|c: char| c.is_ascii_whitespace()) {
                return refuse(
                    at,
                    "class",
                    "under the flag `x` some engines skip blanks in classes: escape them",
                );
            }
            let Some(low) = self.class_member()? else { continue };
            let rest = &self.source[self.at..];
            if !rest.starts_with('-') || rest.starts_with("-]") {
                push_char(&mut self.out, low);
                continue;
            }
            self.at += 1;
            match self.class_member()? {
                Some(high) if low <= high => {
                    push_char(&mut self.out, low);
                    self.out.push('-');
                    push_char(&mut self.out, high);
                }
                Some(_) => return refuse(at, "class", "the range runs backwards"),
                None => return refuse(at, "class", "a range ends with a single character"),
            }
        }
    }

    /// One character of a class; `None` if it was a class of its own, which has been written.
    fn class_member(&mut self) -> Result<Option<char>> {
        let byte = self.at;
        match self.next() {
            Some('\\') => {
                let letter = self.peek();
                if let Some(class) = letter.and_then(class_escape) {
                    self.next();
                    self.out.push_str(class);
                    return Ok(None);
                }
                match letter {
                    Some('p' | 'P') => self.property(byte).map(|()| None),
                    Some('W') => {
                        refuse(byte, "class", "`\\W` inside a class is not supported: list what you mean")
                    }
                    _ => self.character(byte).map(Some),
                }
            }
            Some(c) => Ok(Some(c)),
            None => refuse(byte, "class", "a character is missing"),
        }
    }

    fn escape(&mut self, byte: usize) -> Result<()> {
        let letter = self.peek();
        if let Some(class) = letter.and_then(class_escape) {
            self.next();
            self.out.push('[');
            self.out.push_str(class);
            self.out.push(']');
            return Ok(());
        }
        match letter {
            Some('W') => {
                self.next();
                self.out.push_str("[^");
                self.out.push_str(WORD);
                self.out.push(']');
                Ok(())
            }
            Some('p' | 'P') => self.property(byte),
            Some('b' | 'B' | 'A' | 'Z' | 'z' | 'G') => refuse(byte, "anchor", ANCHOR),
            Some('1'..='9' | 'k') => refuse(
                byte,
                "back-reference",
                "what a group matched is no regular condition: spell the alternatives out",
            ),
            _ => {
                let c = self.character(byte)?;
                push_char(&mut self.out, c);
                Ok(())
            }
        }
    }

    /// `\p{…}`, which both notations and ECMA-262 have.
    fn property(&mut self, byte: usize) -> Result<()> {
        let sign = self.next().unwrap_or('p');
        let inner = self.source[self.at..].strip_prefix('{').and_then(|rest| rest.split_once('}'));
        let Some((name, _)) = inner else {
            return refuse(byte, "property", "a property is written `\\p{Name}`");
        };
        if pattern::property(name).is_none() {
            let message = format!(
                "the property `{name}` is not known: names such as `L`, `Alphabetic` and `Script=Greek` are"
            );
            return refuse(byte, "property", message);
        }
        self.at += name.len() + 2;
        self.out.extend(['\\', sign, '{']);
        self.out.push_str(name);
        self.out.push('}');
        Ok(())
    }

    /// The character that an escape is, behind its backslash.
    fn character(&mut self, byte: usize) -> Result<char> {
        let c = self.next();
        let digits = match c {
            Some('n') => return Ok('\n'),
            Some('r') => return Ok('\r'),
            Some('t') => return Ok('\t'),
            Some('f') => return Ok('\u{C}'),
            Some('v') => return Ok('\u{B}'),
            Some('a') => return Ok('\u{7}'),
            Some('x') => 2,
            Some('u') => 4,
            Some('U') => 8,
            Some(c) if c.is_ascii_punctuation() || c == ' ' || c == '\n' => return Ok(c),
            _ => {
                let escape: String = self.source[byte..].chars().take(2).collect();
                return refuse(byte, "escape", format!("there is no escape `{escape}`"));
            }
        };
        let braces = self.source[self.at..].strip_prefix('{').and_then(|rest| rest.split_once('}'));
        let (hex, len) = match braces {
            Some((hex, _)) => (Some(hex), hex.len() + 2),
            None => (self.source[self.at..].get(..digits), digits),
        };
        let hex = hex.filter(|hex| hex.bytes().all(|byte| byte.is_ascii_hexdigit()));
        match hex.and_then(|hex| u32::from_str_radix(hex, 16).ok()).and_then(char::from_u32) {
            Some(c) => {
                self.at += len;
                Ok(c)
            }
            None => refuse(byte, "escape", "this escape needs hexadecimal digits that name a character"),
        }
    }

    fn finish(self) -> Result<(Regex, Extent)> {
        let parse = |part: &str| {
            let whole = if self.ignores_case { format!("(?i){part}") } else { part.to_owned() };
            let checked = pattern::check(part).and_then(|()| pattern::parse_whole(&whole));
            checked.map_err(|e| Refused { byte: 0, construct: e.construct, message: e.message })
        };
        let Some(lazy) = &self.lazy else { return Ok((parse(&self.out)?, Extent::Longest)) };
        let parts = [&self.out[..lazy.start], &self.out[lazy.start..lazy.end], &self.out[lazy.behind..]];
        for part in parts {
            if self.has_choice || width(&parse(part)?).is_none() {
                return refuse(lazy.byte, "lazy repetition", LAZY);
            }
        }
        Ok((parse(&self.out)?, Extent::Shortest))
    }
}

const ANCHOR: &str = "anchors and word boundaries ask about text outside the lexeme; a lexeme is matched whole anyway: leave it out";
const GROUP: &str = "this kind of group is not supported: write `(…)`; flags for all of the pattern stand behind its last slash";
const LAZY: &str = "a lazy repetition is read where it stands alone between parts of one length, as in `/<!--.*?-->/`; here a shorter match is not plain: exclude what ends it, as in `[^\"]*`";

/// What a letter behind a backslash is as members of a class.
fn class_escape(letter: char) -> Option<&'static str> {
    Some(match letter {
        'd' => "\\p{Nd}",
        'D' => "\\P{Nd}",
        's' => "\\p{White_Space}",
        'S' => "\\P{White_Space}",
        'w' => WORD,
        _ => return None,
    })
}

/// Writes a character that means itself.
fn push_char(out: &mut String, c: char) {
    if c.is_ascii_alphanumeric() {
        out.push(c);
    } else {
        out.push_str(&format!("\\u{{{:X}}}", u32::from(c)));
    }
}

/// The length of all texts, if they have one length.
fn width(regex: &Regex) -> Option<u64> {
    match regex {
        Regex::Empty => Some(0),
        Regex::Set(_) => Some(1),
        Regex::Concat(parts) => parts.iter().try_fold(0_u64, |sum, part| sum.checked_add(width(part)?)),
        Regex::Or(parts) => {
            let first = width(parts.first()?)?;
            parts.iter().all(|part| width(part) == Some(first)).then_some(first)
        }
        Regex::Repeat { body, min, max } if Some(*min) == *max => width(body)?.checked_mul(u64::from(*min)),
        Regex::Literals(texts) => {
            let first = texts.first()?.chars().count();
            texts.iter().all(|text| text.chars().count() == first).then(|| u64::try_from(first).ok())?
        }
        _ => None,
    }
}

/// The language of a text whose case does not count.
pub(super) fn any_case(text: &str) -> Option<Regex> {
    let mut pattern = "(?i)".to_owned();
    text.chars().for_each(|c| push_char(&mut pattern, c));
    pattern::parse_whole(&pattern).ok()
}
