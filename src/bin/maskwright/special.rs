//! Special tokens in texts: tokens such as `<|im_end|>` that no text spells, written by their names.
//!
//! By default a text is text: `<|im_end|>` in it is ten characters. With `--special` the names of such tokens stand for the tokens,
//! wherever a text is read or printed, as a tokenizer does that parses special tokens. Longer names come first.

use clap::Args;
use maskwright::vocab::TokenKind;
use maskwright::{TokenId, Vocabulary};
use rustc_hash::FxHashMap;

/// Whether names are read and printed.
#[derive(Args, Debug)]
pub(crate) struct SpecialArguments {
    /// Names of special tokens, such as <|im_end|>, stand for these tokens in the texts that are read and printed. Without it a
    /// text is only text.
    #[arg(long)]
    special: bool,
}

impl SpecialArguments {
    /// The names that count.
    pub(crate) fn names(&self, vocabulary: &Vocabulary) -> Names {
        let known = Known::of(vocabulary);
        if self.special {
            Names { read: known, hinted: Known::default() }
        } else {
            Names { read: Known::default(), hinted: known }
        }
    }

    /// Whether names are read and printed.
    pub(crate) fn is_given(&self) -> bool {
        self.special
    }

    /// What a token adds to a text that is printed.
    pub(crate) fn printed<'v>(&self, vocabulary: &'v Vocabulary, token: TokenId) -> &'v [u8] {
        if self.special && vocabulary.kind(token) == TokenKind::Letter {
            vocabulary.name(token).as_bytes()
        } else {
            vocabulary.bytes(token)
        }
    }
}

/// The names that stand for tokens, and those that would with `--special`.
#[derive(Clone)]
pub(crate) struct Names {
    read: Known,
    hinted: Known,
}

impl Names {
    /// The special token whose name a text begins with, and the name's length.
    pub(crate) fn at_start(&self, text: &[u8]) -> Option<(TokenId, usize)> {
        self.read.at_start(text)
    }

    /// Where the next name of a special token begins; the text's length if none does.
    pub(crate) fn next(&self, text: &[u8]) -> usize {
        if self.read.tokens.is_empty() {
            return text.len();
        }
        (0..text.len()).find(|&at| self.at_start(&text[at..]).is_some()).unwrap_or(text.len())
    }

    /// A sentence for a text that is refused where a name begins, if that is read as text.
    pub(crate) fn hint(&self, rest: &[u8]) -> Option<String> {
        let (_, len) = self.hinted.at_start(rest)?;
        let name = String::from_utf8_lossy(&rest[..len]);
        Some(format!("{name} is read as text here; with --special it is the special token"))
    }
}

/// Names and their tokens.
#[derive(Clone, Default)]
struct Known {
    tokens: FxHashMap<Vec<u8>, TokenId>,
    /// Lengths of names, the longest first.
    lens: Vec<usize>,
}

impl Known {
    fn of(vocabulary: &Vocabulary) -> Self {
        let mut known = Self::default();
        for token in (0..vocabulary.len()).map(TokenId::new) {
            let name = vocabulary.name(token).as_bytes();
            if vocabulary.kind(token) == TokenKind::Letter && !name.is_empty() {
                known.tokens.entry(name.to_vec()).or_insert(token);
                known.lens.push(name.len());
            }
        }
        known.lens.sort_unstable_by(|a, b| b.cmp(a));
        known.lens.dedup();
        known
    }

    fn at_start(&self, text: &[u8]) -> Option<(TokenId, usize)> {
        let fitting = self.lens.iter().filter(|&&len| len <= text.len());
        fitting.copied().find_map(|len| Some((*self.tokens.get(&text[..len])?, len)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(special: bool) -> Names {
        SpecialArguments { special }.names(&Vocabulary::demo())
    }

    #[test]
    fn the_longest_name_counts_and_only_where_names_are_read() {
        let tokens = ["a", "<x>", "<x>y", "</s>"];
        let vocabulary = Vocabulary::from_tokens(tokens, &[TokenId(3)]).expect("a vocabulary");
        let vocabulary = vocabulary.with_letter_tokens(&[TokenId(1), TokenId(2)]).expect("letters");
        let read = SpecialArguments { special: true }.names(&vocabulary);
        assert_eq!(read.at_start(b"<x>y"), Some((TokenId(2), 4)));
        assert_eq!(read.at_start(b"<x>a"), Some((TokenId(1), 3)));
        assert_eq!(read.at_start(b"a<x>"), None);
        assert_eq!((read.next(b"aa</s>"), read.next(b"aa"), read.hint(b"<x>")), (2, 2, None));
        let text = SpecialArguments { special: false }.names(&vocabulary);
        assert_eq!((text.at_start(b"<x>"), text.next(b"a<x>")), (None, 4));
        assert!(text.hint(b"<x>").expect("a hint").contains("--special"));
    }

    #[test]
    fn names_are_printed_where_they_are_read() {
        let vocabulary = Vocabulary::demo();
        let (token, len) = names(true).at_start(b"<|end|>x").expect("a special token of the demo vocabulary");
        assert_eq!(len, 7);
        assert_eq!(SpecialArguments { special: true }.printed(&vocabulary, token), b"<|end|>");
        assert_eq!(SpecialArguments { special: false }.printed(&vocabulary, token), b"");
    }
}
