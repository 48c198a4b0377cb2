//! The vocabulary that is built into the crate, and its encoder.
//!
//! `tokens.txt` holds the text tokens in id order, in the byte-level alphabet: the 256 bytes, then what byte-pair merging
//! made of a text that the tests generate (`trainer.rs` writes the file anew). A token's id is its
//! merge rank. The letters follow.

#[cfg(test)]
mod corpus;
mod pieces;
#[cfg(test)]
mod trainer;

use pieces::pieces;

use super::{
    TokenTrie,
    entries::{Entries, EntriesBuilder, Origin},
    file::byte_level,
};
use crate::{error::VocabularyError, index::TokenId};

const TOKENS: &str = include_str!("tokens.txt");

/// Added tokens: ids follow those of the text tokens, in this order.
const LETTERS: [&str; 8] = [
    "<|end|>",
    "<|system|>",
    "<|user|>",
    "<|assistant|>",
    "<think>",
    "</think>",
    "<tool_call>",
    "</tool_call>",
];

/// The entries of the built-in file.
pub(super) fn entries() -> Result<Entries, VocabularyError> {
    let mut builder = EntriesBuilder::default();
    let mut ids = 0..;
    let mut bytes = Vec::new();
    for (name, id) in TOKENS.lines().zip(&mut ids) {
        bytes.clear();
        byte_level::append(name, &mut bytes);
        builder.push(id, name, &bytes, Origin::Model)?;
    }
    for (name, id) in LETTERS.iter().zip(ids) {
        builder.push(id, name, name.as_bytes(), Origin::Added { special: true })?;
    }
    builder.finish()
}

/// The tokens of a text: in each piece the adjacent pair whose union has the lowest id is merged, until
/// no union is a token.
pub(super) fn encode(trie: &TokenTrie, text: &str) -> Vec<TokenId> {
    let mut tokens = Vec::new();
    for piece in pieces(text) {
        encode_piece(trie, piece.as_bytes(), &mut tokens);
    }
    tokens
}

fn encode_piece(trie: &TokenTrie, piece: &[u8], out: &mut Vec<TokenId>) {
    let token_of = |start: usize, end: usize| {
        trie.find(&piece[start..end]).and_then(|node| trie.tokens(node).first().copied())
    };
    // Symbol i is piece[cuts[i]..cuts[i + 1]]. A piece is short, so looking at all pairs again is cheap.
    let mut cuts: Vec<usize> = (0..=piece.len()).collect();
    loop {
        let merge =
            (2..cuts.len()).filter_map(|end| Some((token_of(cuts[end - 2], cuts[end])?, end - 1))).min();
        match merge {
            Some((_, cut)) => cuts.remove(cut),
            None => break,
        };
    }
    out.extend(cuts.windows(2).filter_map(|cut| token_of(cut[0], cut[1])));
}

#[cfg(test)]
mod tests {
    use crate::{Vocabulary, index::TokenId, vocab::TokenKind};

    #[test]
    fn it_is_byte_complete_and_ends_with_a_stop_token_by_name() {
        let v = Vocabulary::demo();
        assert_eq!(v.len(), 4_096);
        assert!(v.missing_bytes().is_empty());
        assert_eq!(v.stop_tokens().iter().map(|&t| v.name(t)).collect::<Vec<_>>(), ["<|end|>"]);
        let letters: Vec<&str> = (0..v.len())
            .map(TokenId::new)
            .filter(|&t| v.kind(t) == TokenKind::Letter)
            .map(|t| v.name(t))
            .collect();
        assert_eq!(letters, super::LETTERS);
        assert!((0..v.len()).all(|at| v.kind(TokenId::new(at)) != TokenKind::Empty));
    }

    #[test]
    fn encoding_writes_the_text_and_nothing_else() {
        let v = Vocabulary::demo();
        for text in
            ["", "a", "{\"name\": \"Anna Smith\"}\n", "<|end|>", "naïve 日本語 🙂\u{0}\t\r\n  x", "\u{FEFF}"]
        {
            let tokens = Vocabulary::demo_encode(text);
            let bytes: Vec<u8> = tokens.iter().flat_map(|&t| v.bytes(t).to_vec()).collect();
            assert_eq!(bytes, text.as_bytes(), "{text:?}");
        }
        let long = "x".repeat(100_000);
        assert_eq!(Vocabulary::demo_encode(&long).iter().map(|&t| v.bytes(t).len()).sum::<usize>(), 100_000);
        assert!(Vocabulary::demo_encode("The name of the city and the country").len() <= 9);
    }
}
