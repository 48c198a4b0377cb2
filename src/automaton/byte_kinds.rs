//! Which kinds of bytes occur below each node of the token trie, so that a walk may take a whole subtree at once.
//!
//! A lexeme state that reads some byte and stays the same *loops* on it. Where a state loops on every kind of byte
//! below a node, all tokens there stay inside the lexeme, and none has to be looked at. Vocabularies are split at
//! changes of the kind of character, so large subtrees have few kinds.

use crate::index::widen;
use crate::vocab::TokenTrie;

/// A set of kinds: every ASCII punctuation mark, the blank, digits, small and capital letters, control
/// characters, and all other bytes.
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

    /// The kinds all of whose bytes pass. Bytes beyond ASCII never do: what they mean depends on those before.
    pub(crate) fn whose_bytes_all(passes: impl Fn(u8) -> bool) -> Self {
        let failing = (0..=0x7F)
            .filter(|&byte| !passes(byte))
            .fold(Self::of(0xFF).0, |kinds, byte| kinds | Self::of(byte).0);
        Self(!failing)
    }

    /// Digits alone.
    pub(crate) const DIGITS: Self = Self(1 << DIGIT);

    pub(crate) fn is_within(self, all: Self) -> bool {
        self.0 & !all.0 == 0
    }

    /// For each node of a trie, the kinds of the bytes strictly below it.
    pub(crate) fn below(trie: &TokenTrie) -> Box<[Self]> {
        let mut below = vec![Self::default(); trie.len()];
        // Per depth, what has been met since the last node one level up.
        let mut met: Vec<u64> = Vec::new();
        for node in (0..crate::index::narrow(trie.len())).rev() {
            let depth = widen(trie.depth(node));
            met.resize(met.len().max(depth + 2), 0);
            let kinds = std::mem::take(&mut met[depth + 1]);
            below[widen(node)] = Self(kinds);
            met[depth] |= kinds | Self::of(trie.byte(node)).0;
        }
        below.into()
    }
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
        let kinds =
            |text: &[u8]| ByteKinds(text.iter().fold(0, |kinds, &byte| kinds | ByteKinds::of(byte).0));
        for prefix in [&b""[..], b"a", b"aB", b"aB1", b"a_", b"b", b"\xC3", b"c"] {
            let node = trie.find(prefix).expect("a prefix of a word");
            let rest: Vec<u8> =
                words.iter().filter_map(|word| word.strip_prefix(prefix)).flatten().copied().collect();
            assert_eq!(below[widen(node)], kinds(&rest), "below {prefix:?}");
        }
    }

    #[test]
    fn a_kind_passes_only_as_a_whole_and_other_bytes_never() {
        let all = ByteKinds::whose_bytes_all(|_| true);
        let word = ByteKinds::whose_bytes_all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let low = ByteKinds::whose_bytes_all(|byte| byte < b'8');
        let is_in = |byte: u8, kinds: ByteKinds| ByteKinds::of(byte).is_within(kinds);
        assert!((0..=0x7F).all(|byte| is_in(byte, all)));
        assert!((0x80..=0xFF).all(|byte| !is_in(byte, all)));
        assert!(is_in(b'z', word) && is_in(b'_', word) && !is_in(b'-', word) && !is_in(b'\n', word));
        assert!(is_in(b' ', low) && is_in(b'-', low) && !is_in(b'1', low) && !is_in(b'a', low));
    }
}
