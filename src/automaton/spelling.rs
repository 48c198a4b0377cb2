//! What the vocabulary can spell at all, byte by byte.
//!
//! "No dead end" presumes that the allowed tokens can spell what the grammar asks for. A byte that no token spells
//! alone is *missing*: the language is restricted to texts without it. Real vocabularies miss no byte that
//! JSON can contain, so everything here is `None` or `true` for them.

use crate::automaton::term::Terms;
use crate::error::{CompileError, CompileErrorKind, Place};
use crate::grammar::regex::{CharSet, Regex};
use crate::index::{TermId, low_byte};

/// Which parts of JSON can be spelled.
#[derive(Clone, Debug)]
pub(crate) struct Spelling {
    present: [bool; 256],
    /// `spellable*` over the decoded text of JSON strings; `None` when every code point can be spelled.
    text: Option<TermId>,
    /// `spellable*` over raw UTF-8 text; `None` when every code point can be spelled.
    raw: Option<TermId>,
    /// `spellable*` over number texts; `None` when every digit and sign can be spelled.
    number: Option<TermId>,
}

impl Spelling {
    pub(crate) fn new(terms: &Terms, present: [bool; 256]) -> Self {
        let never = |b: u8| matches!(b, 0xC0 | 0xC1 | 0xF5..=0xFF);
        if (0..=0xFF).all(|b| present[usize::from(b)] || never(b)) {
            return Self { present, text: None, raw: None, number: None };
        }
        let has = |text: &str| text.bytes().all(|b| present[usize::from(b)]);
        let mut json = Vec::new();
        let mut raw = Vec::new();
        let reach = HexReach::new(&present);
        let mut buffer = [0; 4];
        for c in '\0'..=char::MAX {
            if has(c.encode_utf8(&mut buffer)) {
                push(&mut raw, u32::from(c));
            }
            if spells_in_string(&present, &reach, c) {
                push(&mut json, u32::from(c));
            }
        }
        let number = "0123456789+-.eE";
        Self {
            text: restriction(terms, json),
            raw: restriction(terms, raw),
            number: if has(number) {
                None
            } else {
                let kept = number.bytes().filter(|&b| present[usize::from(b)]).map(|b| (b.into(), b.into()));
                star(terms, CharSet::from_ranges(kept))
            },
            present,
        }
    }

    /// Whether some token spells the byte alone.
    #[inline]
    pub(crate) fn has(&self, byte: u8) -> bool {
        self.present[usize::from(byte)]
    }

    /// Whether every byte that UTF-8 text can contain is spelled by some token.
    pub(crate) fn is_complete(&self) -> bool {
        self.raw.is_none()
    }

    /// Whether each byte of the text can be spelled.
    pub(crate) fn has_all(&self, text: &str) -> bool {
        text.bytes().all(|b| self.has(b))
    }

    /// Whether a JSON string with the character can be spelled.
    pub(crate) fn spells(&self, c: char) -> bool {
        self.text.is_none() || spells_in_string(&self.present, &HexReach::new(&self.present), c)
    }

    /// The decoded texts of JSON strings that can be spelled, unless all can.
    pub(crate) fn text(&self) -> Option<TermId> {
        self.text
    }

    /// The raw texts that can be spelled, unless all can.
    pub(crate) fn raw(&self) -> Option<TermId> {
        self.raw
    }

    /// The number texts that can be spelled, unless all can.
    pub(crate) fn number(&self) -> Option<TermId> {
        self.number
    }

    /// Refuses a vocabulary that can spell only finitely many member names: uniqueness of names would then run out.
    pub(crate) fn check(&self) -> Result<(), CompileError> {
        if self.text == Some(Terms::EMPTY) {
            return Err(CompileError::new(
                CompileErrorKind::Unspellable,
                Place::pointer(""),
                "vocabulary",
                "no token spells any single character of a JSON string: give the vocabulary single-byte tokens",
            ));
        }
        Ok(())
    }
}

/// Whether a character can be spelled in a JSON string, as it is or by an escape.
fn spells_in_string(present: &[bool; 256], reach: &HexReach, c: char) -> bool {
    let has = |text: &str| text.bytes().all(|b| present[usize::from(b)]);
    let plain = c >= ' ' && c != '"' && c != '\\';
    let short = short_escape(c).is_some_and(|letter| has("\\") && present[usize::from(letter)]);
    (plain && has(c.encode_utf8(&mut [0; 4]))) || short || reach.spells(c)
}

/// The letter of the two-character escape of a code point, if it has one.
pub(crate) fn short_escape(c: char) -> Option<u8> {
    Some(match c {
        '"' => b'"',
        '\\' => b'\\',
        '/' => b'/',
        '\u{8}' => b'b',
        '\u{c}' => b'f',
        '\n' => b'n',
        '\r' => b'r',
        '\t' => b't',
        _ => return None,
    })
}

/// Which code points `\uXXXX` (or a pair of them) can spell with the hex digits that the vocabulary has.
struct HexReach {
    digit: [bool; 16],
    prefix: bool,
}

impl HexReach {
    fn new(present: &[bool; 256]) -> Self {
        let mut digit = [false; 16];
        for (value, cell) in (0u8..).zip(digit.iter_mut()) {
            let lower = if value < 10 { b'0' + value } else { b'a' + value - 10 };
            *cell = present[usize::from(lower)] || present[usize::from(lower.to_ascii_uppercase())];
        }
        Self { digit, prefix: present[usize::from(b'\\')] && present[usize::from(b'u')] }
    }

    fn unit(&self, unit: u16) -> bool {
        (0..4).all(|i| self.digit[usize::from(low_byte(u32::from(unit >> (4 * i)) & 0xF))])
    }

    fn spells(&self, c: char) -> bool {
        let mut units = [0; 2];
        self.prefix && c.encode_utf16(&mut units).iter().all(|&unit| self.unit(unit))
    }
}

fn push(ranges: &mut Vec<(u32, u32)>, c: u32) {
    match ranges.last_mut() {
        Some(last) if last.1 + 1 == c => last.1 = c,
        _ => ranges.push((c, c)),
    }
}

fn restriction(terms: &Terms, ranges: Vec<(u32, u32)>) -> Option<TermId> {
    let set = CharSet::from_ranges(ranges);
    if set == CharSet::any() { None } else { star(terms, set) }
}

fn star(terms: &Terms, set: CharSet) -> Option<TermId> {
    let regex = Regex::set(set).star();
    Some(terms.from_regex(&regex).expect("a star of one set is within every limit"))
}
