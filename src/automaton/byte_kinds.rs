//! Which kinds of bytes occur below each node of the token trie, so that a walk may take a whole subtree at once.
//!
//! A lexeme state that reads some byte and stays the same *loops* on it. Where a state loops on every kind of byte
//! below a node, all tokens there stay inside the lexeme, and none has to be looked at. Vocabularies are split at
//! changes of the kind of character, so large subtrees have few kinds.

use crate::grammar::regex::SPACES;
use crate::index::widen;
use crate::vocab::TokenTrie;

/// A set of kinds: every ASCII punctuation mark, the blank, digits, small and capital letters, control
/// characters, and all other bytes, those apart that are characters, whole or begun; among these, the ones that patterns set apart.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct ByteKinds(u64);

/// The kind of control characters; the ones after it are those of `KIND`.
const CONTROL: u8 = 0;
const DIGIT: u8 = 1;
const SMALL: u8 = 2;
const CAPITAL: u8 = 3;
const OTHER: u8 = 4;
/// First kind of a single character.
const SINGLE: u8 = 5;

/// The kind of each byte.
static KIND: [u8; 256] = {
    let mut kinds = [OTHER; 256];
    let mut next = SINGLE;
    let mut byte = 0u8;
    while byte < 0x80 {
        kinds[byte as usize] = match byte {
            0..=0x1F | 0x7F => CONTROL,
            b'0'..=b'9' => DIGIT,
            b'a'..=b'z' => SMALL,
            b'A'..=b'Z' => CAPITAL,
            _ => {
                next += 1;
                next - 1
            }
        };
        byte += 1;
    }
    kinds
};

impl ByteKinds {
    fn of(byte: u8) -> Self {
        Self(1 << KIND[usize::from(byte)])
    }

    /// The kinds all of whose bytes pass. Those beyond ASCII never do: what they mean depends on those before.
    pub(crate) fn whose_bytes_all(passes: impl Fn(u8) -> bool) -> Self {
        let failing = (0..=0x7F)
            .filter(|&byte| !passes(byte))
            .fold(Self::of(0xFF).0 | Self::WIDE.0 | Self::WIDE_APART.0, |kinds, byte| {
                kinds | Self::of(byte).0
            });
        Self(!failing)
    }

    /// Digits alone.
    pub(crate) const DIGITS: Self = Self(1 << DIGIT);

    /// Characters beyond ASCII, the last one perhaps only begun.
    pub(crate) const WIDE: Self = Self(1 << 63);

    /// Among these there may be one that is set apart.
    pub(crate) const WIDE_APART: Self = Self(1 << 62);

    pub(crate) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn is_within(self, all: Self) -> bool {
        self.0 & !all.0 == 0
    }

    /// For each node of a trie, the kinds of the bytes strictly below it.
    pub(crate) fn below(trie: &TokenTrie) -> Box<[Self]> {
        let mut below = vec![Self::default(); trie.len()];
        // Per depth, what has been met since the last node one level up: kinds, and the places in a character from which
        // everything there can be read.
        let mut met: Vec<(u64, u8)> = Vec::new();
        for node in (0..crate::index::narrow(trie.len())).rev() {
            let (depth, byte) = (widen(trie.depth(node)), trie.byte(node));
            met.resize(met.len().max(depth + 2), (0, u8::MAX));
            let (kinds, readable) = std::mem::replace(&mut met[depth + 1], (0, u8::MAX));
            let other = Self::of(0xFF).0;
            let wide = kinds & other != 0 && readable & 1 != 0;
            below[widen(node)] = Self(if wide { kinds & !other | Self::WIDE.0 } else { kinds });
            let leads_on = |at: &u8| place_after(*at, byte).is_some_and(|next| readable >> next & 1 == 1);
            let before = (0..PLACES).filter(leads_on).fold(0, |places, at| places | 1 << at);
            met[depth].0 |= kinds | Self::of(byte).0;
            met[depth].1 &= before;
        }
        add_apart(trie, &mut below);
        below.into()
    }
}

/// White space to other notations than ECMA-262's, or to earlier versions of Unicode: the next line, the Mongolian vowel separator.
const OTHER_SPACES: [u32; 2] = [0x85, 0x180E];

/// Whether a character beyond ASCII is one that patterns leave out of a class that has all others: blanks and line ends (`\s` and
/// `.`).
fn is_set_apart(c: u32) -> bool {
    c >= 0x80 && (OTHER_SPACES.contains(&c) || SPACES.iter().any(|&(lo, hi)| lo <= c && c <= hi))
}

/// Whether a range has no characters beyond ASCII but those that are set apart.
pub(crate) fn are_set_apart(lo: u32, hi: u32) -> bool {
    let longest = 16;
    hi - lo < longest && (lo..=hi).all(|c| c < 0x80 || is_set_apart(c))
}

/// Adds where a character that is set apart may be below. Every beginning of one of them is the beginning of others, too.
fn add_apart(trie: &TokenTrie, below: &mut [ByteKinds]) {
    // For each node of a path the place in a character and what has been read of it; `None` where the path is no text.
    let mut path: Vec<Option<(u8, u32)>> = vec![Some((0, 0))];
    let mut open: Vec<u32> = vec![TokenTrie::ROOT];
    for node in 1..crate::index::narrow(trie.len()) {
        let (depth, byte) = (widen(trie.depth(node)), trie.byte(node));
        path.truncate(depth);
        open.truncate(depth);
        let read = path[depth - 1].and_then(|(place, read)| {
            let read = if place == 0 { first_bits(byte) } else { read << 6 | u32::from(byte & 0x3F) };
            place_after(place, byte).map(|next| (next, read))
        });
        if read.is_some_and(|(place, c)| place == 0 && is_set_apart(c)) {
            open.iter()
                .for_each(|&above| below[widen(above)] = below[widen(above)].with(ByteKinds::WIDE_APART));
        }
        // What is read from inside a character can't be told here.
        if read.is_none_or(|(place, _)| place != 0) && below[widen(node)].0 & ByteKinds::WIDE.0 != 0 {
            below[widen(node)] = below[widen(node)].with(ByteKinds::WIDE_APART);
        }
        path.push(read);
        open.push(node);
    }
}

/// What the first byte of a character says of it.
fn first_bits(byte: u8) -> u32 {
    u32::from(match byte {
        0..=0x7F => byte,
        0x80..=0xDF => byte & 0x1F,
        0xE0..=0xEF => byte & 0x0F,
        _ => byte & 0x07,
    })
}

/// Places in a character: before it, before the last byte, before the last two, and after each kind of first byte that
/// narrows the second.
const PLACES: u8 = 8;

/// The place after a byte, if it can stand there (The Unicode Standard, table 3-7).
fn place_after(place: u8, byte: u8) -> Option<u8> {
    Some(match (place, byte) {
        (0, 0..=0x7F) | (1, 0x80..=0xBF) => 0,
        (0, 0xC2..=0xDF) | (2, 0x80..=0xBF) | (3, 0xA0..=0xBF) | (4, 0x80..=0x9F) => 1,
        (0, 0xE1..=0xEC | 0xEE | 0xEF) | (5, 0x90..=0xBF) | (6, 0x80..=0x8F) | (7, 0x80..=0xBF) => 2,
        (0, 0xE0) => 3,
        (0, 0xED) => 4,
        (0, 0xF0) => 5,
        (0, 0xF4) => 6,
        (0, 0xF1..=0xF3) => 7,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::TokenId;

    #[test]
    fn the_kinds_below_a_node_are_those_of_the_strings_that_go_on_from_it() {
        let words: [&[u8]; 8] = [b"ab", b"aB1", b"a", b"a-", b"a_-x", b"b\n", b"\xC3\xA9z", b"c"];
        let trie = TokenTrie::build(words.iter().zip(0..).map(|(&word, id)| (word, TokenId(id))));
        let below = ByteKinds::below(&trie);
        let kinds = |text: &[u8]| {
            let all = text.iter().fold(0, |kinds, &byte| kinds | ByteKinds::of(byte).0);
            let other = ByteKinds::of(0xFF).0;
            let is_read = std::str::from_utf8(text).is_ok() && all & other != 0;
            ByteKinds(if is_read { all & !other | ByteKinds::WIDE.0 } else { all })
        };
        for prefix in [&b""[..], b"a", b"aB", b"aB1", b"a_", b"b", b"\xC3", b"c"] {
            let node = trie.find(prefix).expect("a prefix of a word");
            let rest: Vec<u8> =
                words.iter().filter_map(|word| word.strip_prefix(prefix)).flatten().copied().collect();
            assert_eq!(below[widen(node)], kinds(&rest), "below {prefix:?}");
        }
    }

    #[test]
    fn characters_are_told_from_other_bytes() {
        let is_read = |text: &[u8]| match std::str::from_utf8(text) {
            Ok(_) => true,
            // Cut off, but not wrong.
            Err(e) => e.error_len().is_none(),
        };
        // All that matters is at the borders of table 3-7.
        let bytes = [
            0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE,
            0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
        ];
        for a in bytes {
            for b in bytes {
                for c in bytes {
                    for text in [&[0xC3, 0xA9, a, b, c][..], &[0xF1, a, b, c, 0x80]] {
                        let trie = TokenTrie::build([(text, TokenId(0))]);
                        let root = ByteKinds::below(&trie)[0];
                        assert_eq!(
                            root.is_within(ByteKinds(!ByteKinds::of(0xFF).0)),
                            is_read(text),
                            "{text:x?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn characters_that_are_set_apart_are_told_from_others() {
        let words = ["aé", "a日", "b\u{3000}", "b日x", "cé\u{2028}x", "dé", "\u{2003}"];
        let mut bytes: Vec<Vec<u8>> = words.iter().map(|word| word.as_bytes().to_vec()).collect();
        // Begun, and from inside a character.
        bytes.extend([b"e\xE3\x80".to_vec(), b"\x80\x80".to_vec()]);
        let trie = TokenTrie::build(bytes.iter().zip(0..).map(|(word, id)| (&word[..], TokenId(id))));
        let below = ByteKinds::below(&trie);
        let may_be_apart = |text: &[u8]| {
            let kinds = below[widen(trie.find(text).expect("a beginning of a word"))];
            !ByteKinds::WIDE_APART.is_within(ByteKinds(!kinds.0))
        };
        for (text, expected) in [
            (&b""[..], true),
            (b"a", false),
            (b"b", true),
            (b"b\xE6", false),
            (b"c", true),
            ("cé".as_bytes(), true),
            ("cé\u{2028}".as_bytes(), false),
            (b"d", false),
            (b"e", false),
        ] {
            assert_eq!(may_be_apart(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_character_that_is_set_apart_begins_like_others() {
        // So a token that ends inside a character may always become one that is not set apart.
        let apart: Vec<char> =
            (0x80..0x1_0000).filter(|&c| is_set_apart(c)).filter_map(char::from_u32).collect();
        assert!(apart.len() > 20 && apart.iter().all(|&c| are_set_apart(u32::from(c), u32::from(c))));
        for c in apart {
            let mut buffer = [0; 4];
            let bytes = c.encode_utf8(&mut buffer).as_bytes();
            let alike = |other: &char| {
                let mut buffer = [0; 4];
                let other = other.encode_utf8(&mut buffer).as_bytes();
                other.len() == bytes.len() && other[..other.len() - 1] == bytes[..bytes.len() - 1]
            };
            let is_other = |other: &char| !is_set_apart(u32::from(*other)) && alike(other);
            assert!(('\u{80}'..'\u{FFFF}').any(|other| is_other(&other)), "{c:?}");
        }
        assert!(
            !are_set_apart(0x2000, 0x200B)
                && !are_set_apart(0x3000, 0x3001)
                && !are_set_apart(0x80, 0x10_FFFF)
        );
    }

    #[test]
    fn a_kind_passes_only_as_a_whole_and_other_bytes_never() {
        let all = ByteKinds::whose_bytes_all(|_| true);
        let word = ByteKinds::whose_bytes_all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let low = ByteKinds::whose_bytes_all(|byte| byte < b'8');
        let is_in = |byte: u8, kinds: ByteKinds| ByteKinds::of(byte).is_within(kinds);
        assert!((0..=0x7F).all(|byte| is_in(byte, all)));
        assert!((0x80..=0xFF).all(|byte| !is_in(byte, all)) && !ByteKinds::WIDE.is_within(all));
        assert!(is_in(b'z', word) && is_in(b'_', word) && !is_in(b'-', word) && !is_in(b'\n', word));
        assert!(is_in(b' ', low) && is_in(b'-', low) && !is_in(b'1', low) && !is_in(b'a', low));
    }
}
