//! What the type promises, on vocabularies of a few tokens.

use super::{KindReason, TokenKind, Vocabulary};
use crate::{index::TokenId, limits::VOCABULARY_TOKENS_MAX};

fn ids(ids: &[u32]) -> Vec<TokenId> {
    ids.iter().map(|&id| TokenId(id)).collect()
}

fn small() -> Vocabulary {
    let tokens: [&[u8]; 7] = [b"y", b"yes", b"", b"\xFF", b"yes", b"<end>", b"n"];
    Vocabulary::from_tokens(tokens.map(<[u8]>::to_vec), &ids(&[5])).unwrap()
}

#[test]
fn a_list_of_tokens_is_text_apart_from_stop_tokens_and_empty_ones() {
    let v = small();
    assert_eq!((v.len(), v.logits_width(), v.longest_token()), (7, 7, 3));
    let kinds: Vec<TokenKind> = (0..9).map(|id| v.kind(TokenId(id))).collect();
    let (text, undecodable) = (TokenKind::Text, TokenKind::Undecodable);
    assert_eq!(
        kinds,
        [text, text, TokenKind::Empty, text, text, TokenKind::Letter, text, undecodable, undecodable]
    );
    assert_eq!((v.bytes(TokenId(3)), v.name(TokenId(3))), (&b"\xFF"[..], "\\xFF"));
    assert_eq!((v.bytes(TokenId(5)), v.name(TokenId(5))), (&b""[..], "<end>"));
    assert_eq!((v.bytes(TokenId(u32::MAX)), v.name(TokenId(u32::MAX))), (&b""[..], ""));
    let yes = v.trie().find(b"yes").unwrap();
    assert_eq!(v.trie().tokens(yes), ids(&[1, 4]));
    assert_eq!(v.trie().find(b"<"), None);
    assert_eq!(v.missing_bytes().len(), 253);
    assert!(!v.missing_bytes().contains(b'y') && v.missing_bytes().contains(b'e'));
    assert_eq!(
        v.report().to_string(),
        concat!(
            "7 ids, 7 logits\ntext: 5 (the longest has 3 bytes)\nletters: 1\nempty, never allowed: 1 (2)\n",
            "undecodable, never allowed: 0\nstop tokens: 5 \"<end>\"\nbytes that no token spells alone: 00-6D 6F-78 7A-FE\n"
        )
    );
}

#[test]
fn a_token_is_what_it_was_once_it_no_longer_stops() {
    let v = small().with_stop_tokens(&ids(&[6, 0, 6, 2])).unwrap();
    assert_eq!(v.stop_tokens(), ids(&[0, 2, 6]));
    assert!(v.is_stop(TokenId(0)) && !v.is_stop(TokenId(5)));
    assert_eq!((v.kind(TokenId(0)), v.bytes(TokenId(0))), (TokenKind::Letter, &b""[..]));
    assert_eq!(v.bytes(TokenId(5)), b"<end>");
    assert!(v.missing_bytes().contains(b'y'));
    assert_eq!(v.trie().find(b"n"), None);
    let v = v.with_stop_tokens(&[]).unwrap();
    assert_eq!((v.bytes(TokenId(0)), v.kind(TokenId(2))), (&b"y"[..], TokenKind::Empty));
    assert!(v.report().to_string().contains("stop tokens: none"));
}

#[test]
fn the_callers_choice_outweighs_the_rules() {
    let v = small().with_letter_tokens(&ids(&[1])).unwrap();
    assert_eq!(v.kind(TokenId(1)), TokenKind::Letter);
    let added: Vec<_> = v.added_tokens().map(|t| (t.id.0, t.content, t.kind, t.reason)).collect();
    assert_eq!(added, [(1, "yes", TokenKind::Letter, KindReason::Chosen)]);
    let v = v.with_text_tokens(&ids(&[1])).unwrap();
    assert_eq!((v.kind(TokenId(1)), v.bytes(TokenId(1))), (TokenKind::Text, &b"yes"[..]));
    assert_eq!(v.added_tokens().count(), 1);
}

#[test]
fn choices_that_can_not_be_are_refused() {
    let check = |result: Result<Vocabulary, _>, expected: &str| {
        let error = crate::VocabularyError::to_string(&result.unwrap_err());
        assert!(error.contains(expected), "{error}");
    };
    check(small().with_stop_tokens(&ids(&[7])), "stop token 7 is outside the vocabulary of 7 ids");
    check(small().with_text_tokens(&ids(&[2])), "token 2 spells nothing");
    check(small().with_text_tokens(&ids(&[5])), "token 5 is a stop token");
    check(small().with_letter_tokens(&ids(&[u32::MAX])), "token 4294967295 is outside");
    check(small().with_logits_width(6), "a logits width of 6 does not fit 7 token ids");
    check(small().with_logits_width(VOCABULARY_TOKENS_MAX + 1), "does not fit");
    check(Vocabulary::from_tokens(Vec::<String>::new(), &[]), "no tokens");
    check(Vocabulary::from_tokens(std::iter::repeat("a"), &[]), "outside 0..4000000");
    assert_eq!(small().with_logits_width(64).unwrap().logits_width(), 64);
}

#[test]
fn clones_share_the_trie() {
    let v = small();
    let clone = v.clone();
    assert!(std::ptr::eq(v.trie(), clone.trie()));
    let wider = v.clone().with_logits_width(9).unwrap();
    assert!(std::ptr::eq(v.trie(), wider.trie()));
    assert_eq!(wider.kind(TokenId(8)), TokenKind::Undecodable);
}
