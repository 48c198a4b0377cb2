//! From bytes to code points: UTF-8 and, inside JSON strings, every legal escape.
//!
//! A decoder stands in front of a machine over code points. Between two code points it holds a
//! [`Partial`]. Where all code points that a partial can still become lead the machine to one and
//! the same state, the machine moves at once and the partial only counts what is left: so a free string has a
//! dozen states, not thousands.
//!
//! Surrogates are code units, never code points: `\ud83d\ude00` is one code point, a lone one is refused.

use crate::automaton::spelling::short_escape;
use crate::error::Exhausted;

/// How code points are spelled.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Coding {
    /// The inside of a JSON string; the quote closes.
    Json,
    /// UTF-8 as it is; the end of the text closes.
    Raw,
    /// The text of a JSON number; any byte that can't be in a number ends it and is read again.
    Number,
}

/// What has been read of the next code point.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Partial {
    /// Between two code points.
    Clean,
    /// After a backslash.
    Escape,
    /// After `\u` and `digits` hex digits of value `value`; `high` is the high surrogate before, or 0.
    Hex { high: u16, value: u16, digits: u8 },
    /// After a high surrogate: a backslash must follow.
    AfterHigh { high: u16 },
    /// After a high surrogate and a backslash: `u` must follow.
    AfterHighEscape { high: u16 },
    /// After the first bytes of a UTF-8 sequence of `total` bytes; `left` are missing.
    Utf8 { prefix: u32, left: u8, total: u8 },
    /// The machine has moved; so many continuation bytes follow.
    SkipUtf8 { left: u8 },
    /// The machine has moved; so many hex digits follow.
    SkipHex { left: u8 },
}

/// What one byte does to the decoder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Decoded {
    Dead,
    Close,
    Partial(Partial),
    Char(u32),
}

/// A machine over code points.
pub(crate) trait CodePoints {
    /// A live state.
    type State: Copy + PartialEq;
    /// The state after one code point; `None` if no text goes on from there.
    fn derive(&self, state: Self::State, c: u32) -> Result<Option<Self::State>, Exhausted>;
    /// The state after any code point of `lo..=hi`, if it is the same for all of them.
    fn uniform(&self, state: Self::State, lo: u32, hi: u32)
    -> Result<Option<Option<Self::State>>, Exhausted>;
}

/// What one byte does to decoder and machine together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step<S> {
    Dead,
    /// The closing quote.
    Close,
    To(S, Partial),
}

/// Reads one byte. Whether the state reached is live between code points is the caller's to ask.
pub(crate) fn step<M: CodePoints>(
    machine: &M,
    state: M::State,
    partial: Partial,
    byte: u8,
    coding: Coding,
) -> Result<Step<M::State>, Exhausted> {
    Ok(match decode(partial, byte, coding) {
        Decoded::Dead => Step::Dead,
        Decoded::Close => Step::Close,
        Decoded::Char(c) => match machine.derive(state, c)? {
            Some(next) => Step::To(next, Partial::Clean),
            None => Step::Dead,
        },
        Decoded::Partial(next) => {
            let Some(((lo, hi), skip)) = open_range(next) else { return Ok(Step::To(state, next)) };
            match machine.uniform(state, lo, hi)? {
                Some(Some(target)) => Step::To(target, skip),
                Some(None) => Step::Dead,
                None => Step::To(state, next),
            }
        }
    })
}

fn decode(partial: Partial, byte: u8, coding: Coding) -> Decoded {
    use Partial::{AfterHigh, AfterHighEscape, Clean, Escape, Hex, SkipHex, SkipUtf8, Utf8};
    match partial {
        Clean => decode_first(byte, coding),
        Escape => match byte {
            b'u' => Decoded::Partial(Hex { high: 0, value: 0, digits: 0 }),
            _ => unescape(byte).map_or(Decoded::Dead, Decoded::Char),
        },
        Hex { high, value, digits } => match hex(byte) {
            None => Decoded::Dead,
            Some(digit) => decode_hex(high, value << 4 | digit, digits + 1),
        },
        AfterHigh { high } if byte == b'\\' => Decoded::Partial(AfterHighEscape { high }),
        AfterHighEscape { high } if byte == b'u' => Decoded::Partial(Hex { high, value: 0, digits: 0 }),
        AfterHigh { .. } | AfterHighEscape { .. } => Decoded::Dead,
        Utf8 { prefix, left, total } if is_continuation(byte) => {
            decode_utf8(prefix << 6 | u32::from(byte & 0x3F), left - 1, total)
        }
        SkipUtf8 { left } if is_continuation(byte) => Decoded::Partial(skip_or_clean(left, Coding::Raw)),
        Utf8 { .. } | SkipUtf8 { .. } => Decoded::Dead,
        SkipHex { left } => match hex(byte) {
            Some(_) => Decoded::Partial(skip_or_clean(left, Coding::Json)),
            None => Decoded::Dead,
        },
    }
}

fn skip_or_clean(left: u8, kind: Coding) -> Partial {
    match (left, kind) {
        (1, _) => Partial::Clean,
        (_, Coding::Json) => Partial::SkipHex { left: left - 1 },
        _ => Partial::SkipUtf8 { left: left - 1 },
    }
}

fn decode_first(byte: u8, coding: Coding) -> Decoded {
    match (coding, byte) {
        (Coding::Json, b'"') => Decoded::Close,
        (Coding::Json, b'\\') => Decoded::Partial(Partial::Escape),
        (Coding::Json, 0..=0x1F) => Decoded::Dead,
        (_, 0..=0x7F) => Decoded::Char(byte.into()),
        (Coding::Number, _) => Decoded::Dead,
        (_, 0xC2..=0xDF) => decode_utf8(u32::from(byte & 0x1F), 1, 2),
        (_, 0xE0..=0xEF) => decode_utf8(u32::from(byte & 0x0F), 2, 3),
        (_, 0xF0..=0xF4) => decode_utf8(u32::from(byte & 0x07), 3, 4),
        _ => Decoded::Dead,
    }
}

/// The code points that a UTF-8 sequence of `total` bytes may encode.
fn utf8_bounds(total: u8) -> (u32, u32) {
    match total {
        2 => (0x80, 0x7FF),
        3 => (0x800, 0xFFFF),
        _ => (0x1_0000, 0x10_FFFF),
    }
}

fn is_surrogate(c: u32) -> bool {
    (0xD800..=0xDFFF).contains(&c)
}

fn decode_utf8(prefix: u32, left: u8, total: u8) -> Decoded {
    let (lo, hi) = span(prefix, 6 * u32::from(left));
    let (least, greatest) = utf8_bounds(total);
    if hi < least || lo > greatest || (is_surrogate(lo) && is_surrogate(hi)) {
        Decoded::Dead
    } else if left == 0 {
        Decoded::Char(prefix)
    } else {
        Decoded::Partial(Partial::Utf8 { prefix, left, total })
    }
}

fn decode_hex(high: u16, value: u16, digits: u8) -> Decoded {
    if digits < 4 {
        let (lo, hi) = span(value.into(), 4 * u32::from(4 - digits));
        let low_half = (0xDC00, 0xDFFF);
        return if high != 0 && (hi < low_half.0 || lo > low_half.1) {
            Decoded::Dead
        } else {
            Decoded::Partial(Partial::Hex { high, value, digits })
        };
    }
    match (high, value) {
        (0, 0xD800..=0xDBFF) => Decoded::Partial(Partial::AfterHigh { high: value }),
        (0, 0xDC00..=0xDFFF) => Decoded::Dead,
        (0, _) => Decoded::Char(value.into()),
        (_, 0xDC00..=0xDFFF) => {
            Decoded::Char(0x1_0000 + (u32::from(high - 0xD800) << 10 | u32::from(value - 0xDC00)))
        }
        _ => Decoded::Dead,
    }
}

/// All values whose high bits are `prefix`, `bits` low bits free.
fn span(prefix: u32, bits: u32) -> (u32, u32) {
    (prefix << bits, (prefix << bits) | ((1 << bits) - 1))
}

/// If whatever legal bytes follow give exactly the code points of a range: the range, and the partial that
/// only counts those bytes.
fn open_range(partial: Partial) -> Option<((u32, u32), Partial)> {
    let (range, skip) = match partial {
        Partial::Utf8 { prefix, left, total } => {
            let range = span(prefix, 6 * u32::from(left));
            let (least, greatest) = utf8_bounds(total);
            let whole = range.0 >= least && range.1 <= greatest;
            (whole.then_some(range)?, Partial::SkipUtf8 { left })
        }
        Partial::Hex { high: 0, value, digits } if digits > 0 => {
            let left = 4 - digits;
            (span(value.into(), 4 * u32::from(left)), Partial::SkipHex { left })
        }
        _ => return None,
    };
    let surrogates = range.0 <= 0xDFFF && range.1 >= 0xD800;
    (!surrogates).then_some((range, skip))
}

/// The code points that a partial can still become, as inclusive ranges; `None` for those that have moved or can become
/// anything.
pub(crate) fn reach(partial: Partial) -> Option<[(u32, u32); 2]> {
    const NONE: (u32, u32) = (1, 0);
    match partial {
        Partial::Utf8 { prefix, left, total } => {
            let (lo, hi) = span(prefix, 6 * u32::from(left));
            let (least, greatest) = utf8_bounds(total);
            Some([(lo.max(least), hi.min(greatest)), NONE])
        }
        Partial::Hex { high: 0, value, digits } => {
            let (lo, hi) = span(value.into(), 4 * u32::from(4 - digits));
            let highs = (lo.max(0xD800), hi.min(0xDBFF));
            let astral = if highs.0 <= highs.1 {
                (astral_start(highs.0), astral_start(highs.1) | 0x3FF)
            } else {
                NONE
            };
            Some([(lo, hi), astral])
        }
        Partial::Hex { high, value, digits } => {
            let (lo, hi) = span(value.into(), 4 * u32::from(4 - digits));
            let base = astral_start(high.into());
            Some([(base | (lo.max(0xDC00) - 0xDC00), base | (hi.min(0xDFFF) - 0xDC00)), NONE])
        }
        Partial::AfterHigh { high } | Partial::AfterHighEscape { high } => {
            let base = astral_start(high.into());
            Some([(base, base | 0x3FF), NONE])
        }
        Partial::Clean | Partial::Escape | Partial::SkipUtf8 { .. } | Partial::SkipHex { .. } => None,
    }
}

fn astral_start(high: u32) -> u32 {
    0x1_0000 + ((high - 0xD800) << 10)
}

fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

fn hex(byte: u8) -> Option<u16> {
    Some(match byte {
        b'0'..=b'9' => u16::from(byte - b'0'),
        b'a'..=b'f' => u16::from(byte - b'a' + 10),
        b'A'..=b'F' => u16::from(byte - b'A' + 10),
        _ => return None,
    })
}

/// The code point of a two-character escape.
fn unescape(letter: u8) -> Option<u32> {
    ['"', '\\', '/', '\u{8}', '\u{c}', '\n', '\r', '\t']
        .into_iter()
        .find(|&c| short_escape(c) == Some(letter))
        .map(u32::from)
}
