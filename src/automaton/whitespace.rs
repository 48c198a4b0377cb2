//! Insignificant whitespace as a small automaton: what has been read of it, by policy.

use crate::automaton::heap::Heap;
use crate::grammar::policy::Whitespace;

/// What has been read of one stretch of whitespace.
///
/// Codes: 0 none allowed, 1 any amount, 2 before the root, 3 before the root after `\r`, then the bounded stretch:
/// `BOUNDED + phase * PHASE + blanks`, where phase 0 has no newline yet, 1 is after `\r`, 2 has its newline.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Ws(u16);

/// Most blanks (spaces and tabs) in one bounded stretch.
const BLANKS_MAX: u16 = 128;
const PHASE: u16 = BLANKS_MAX + 1;
const BOUNDED: u16 = 4;

impl Ws {
    pub(crate) const NONE: Ws = Ws(0);
    pub(crate) const FREE: Ws = Ws(1);
    const ROOT: Ws = Ws(2);
    const ROOT_CR: Ws = Ws(3);

    /// After `{ [ , :` and before `} ]`.
    pub(crate) fn inside(policy: Whitespace) -> Self {
        match policy {
            Whitespace::None => Self::NONE,
            Whitespace::Bounded => Ws(BOUNDED),
            Whitespace::Free => Self::FREE,
        }
    }

    /// Before the root.
    pub(crate) fn before_root(policy: Whitespace) -> Self {
        match policy {
            Whitespace::None => Self::NONE,
            Whitespace::Bounded => Self::ROOT,
            Whitespace::Free => Self::FREE,
        }
    }

    /// Before `:` and `,`, and after the root.
    pub(crate) fn elsewhere(policy: Whitespace) -> Self {
        if policy == Whitespace::Free { Self::FREE } else { Self::NONE }
    }

    /// Reads one byte of whitespace.
    pub(crate) fn step(self, byte: u8) -> Option<Self> {
        let blank = matches!(byte, b' ' | b'\t');
        match (self, byte) {
            (Self::FREE, b' ' | b'\t' | b'\n' | b'\r') => Some(Self::FREE),
            (Self::ROOT, b' ' | b'\t' | b'\n') | (Self::ROOT_CR, b'\n') => Some(Self::NONE),
            (Self::ROOT, b'\r') => Some(Self::ROOT_CR),
            (Ws(code), _) if code >= BOUNDED => {
                let (phase, blanks) = ((code - BOUNDED) / PHASE, (code - BOUNDED) % PHASE);
                let next = |phase: u16, blanks: u16| Some(Ws(BOUNDED + phase * PHASE + blanks));
                match (phase, byte) {
                    (0 | 2, _) if blank && blanks < BLANKS_MAX => next(phase, blanks + 1),
                    (0 | 1, b'\n') => next(2, blanks),
                    (0, b'\r') => next(1, blanks),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Of a bounded stretch.
    pub(crate) fn is_bounded(self) -> bool {
        self.0 >= BOUNDED
    }

    /// What a bounded stretch is after one blank: any stretch that has begun and may end is as good for what follows.
    pub(crate) const BEGUN: Ws = Ws(BOUNDED + 1);

    /// A bounded stretch that nothing may be added to.
    pub(crate) const FULL: Ws = Ws(BOUNDED + 2 * PHASE + BLANKS_MAX);

    /// Nothing of the stretch has been read (or nothing counts).
    pub(crate) fn is_untouched(self) -> bool {
        self.0 <= Self::ROOT.0 || self.0 == BOUNDED
    }

    /// A `\n` must follow.
    pub(crate) fn awaits_newline(self) -> bool {
        self == Self::ROOT_CR || (self.0 >= BOUNDED && (self.0 - BOUNDED) / PHASE == 1)
    }
}

impl Heap for Ws {}

#[cfg(test)]
mod tests {
    use super::*;

    fn reads(start: Ws, text: &str) -> bool {
        text.bytes().try_fold(start, Ws::step).is_some_and(|ws| !ws.awaits_newline())
    }

    #[test]
    fn a_bounded_stretch_has_one_newline_and_128_blanks() {
        let start = Ws::inside(Whitespace::Bounded);
        let blanks = " ".repeat(128);
        for good in ["", " ", "\t\n ", "\r\n", "\n", &format!("\n{blanks}"), &format!("{blanks}\r\n")] {
            assert!(reads(start, good), "{good:?}");
        }
        for bad in ["\n\n", "\r", "\r ", "\r\r\n", "x", &format!("{blanks} "), "\n\r\n"] {
            assert!(!reads(start, bad), "{bad:?}");
        }
    }

    #[test]
    fn before_the_root_one_newline_or_blank() {
        let start = Ws::before_root(Whitespace::Bounded);
        for good in ["", " ", "\t", "\n", "\r\n"] {
            assert!(reads(start, good), "{good:?}");
        }
        for bad in ["  ", " \n", "\r", "\n "] {
            assert!(!reads(start, bad), "{bad:?}");
        }
    }
}
