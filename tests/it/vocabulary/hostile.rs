//! tokenizer.json and tiktoken files that are small, odd, contradictory or broken.

use maskwright::{TokenId, Vocabulary, VocabularyError, vocab::TokenKind};
use serde_json::{Value, json};

use super::Random;

fn read(file: &Value) -> Result<Vocabulary, VocabularyError> {
    Vocabulary::from_tokenizer_json_text(file.to_string())
}

fn refused(file: &Value, expected: &str) {
    let error = read(file).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
}

/// A byte-level file of this model vocabulary and these added tokens.
fn byte_level(vocab: Value, added: Value) -> Value {
    let mut file = json!({"decoder": {"type": "ByteLevel"}, "model": {"type": "BPE", "merges": []}});
    file["model"]["vocab"] = vocab;
    file["added_tokens"] = added;
    file
}

fn added(id: i64, content: &str) -> Value {
    json!({"id": id, "content": content, "special": false})
}

#[test]
fn holes_empty_tokens_and_duplicate_bytes_are_told_apart() {
    let v = read(&byte_level(
        json!({"a": 0, "": 1, "Ġ": 5, "Ġa": 7}),
        json!([added(3, " "), added(2, "<x>"), added(6, "")]),
    ))
    .unwrap();
    let (text, letter) = (TokenKind::Text, TokenKind::Letter);
    let kinds: Vec<TokenKind> = (0..8).map(|id| v.kind(TokenId(id))).collect();
    assert_eq!(
        kinds,
        [text, TokenKind::Empty, letter, text, TokenKind::Undecodable, text, TokenKind::Empty, text]
    );
    // The added blank and the model's own spell the same byte.
    let blank = v.trie().find(b" ").unwrap();
    assert_eq!(v.trie().tokens(blank), [TokenId(3), TokenId(5)]);
    assert_eq!(v.report().undecodable, [TokenId(4)]);
    assert_eq!(v.report().empty, [TokenId(1), TokenId(6)]);
    assert!(v.report().to_string().contains("undecodable, never allowed: 1 (4)"));
    let error = v.with_text_tokens(&[TokenId(4)]).unwrap_err().to_string();
    assert!(error.contains("token 4 is not in the tokenizer file"), "{error}");
}

#[test]
fn an_added_token_may_stand_in_the_model_as_well() {
    let v = read(&byte_level(json!({"<x>": 0, "a": 1}), json!([added(0, "<x>"), added(0, "<x>")]))).unwrap();
    assert_eq!((v.len(), v.kind(TokenId(0))), (2, TokenKind::Letter));
    // Under two ids, both are the added token.
    let v = read(&byte_level(json!({"<x>": 0, "a": 1}), json!([added(2, "<x>")]))).unwrap();
    assert_eq!((v.kind(TokenId(0)), v.kind(TokenId(2))), (TokenKind::Letter, TokenKind::Letter));
}

#[test]
fn files_that_contradict_themselves_are_refused() {
    refused(&byte_level(json!({"a": 0, "b": 0}), json!([])), "id 0 is given twice: to \"a\" and to \"b\"");
    refused(
        &byte_level(json!({"a": 0}), json!([added(0, "b")])),
        "id 0 is \"a\" in one place and \"b\" in added_tokens",
    );
    refused(&byte_level(json!({}), json!([added(0, "a"), added(0, "b")])), "contradicts itself");
    refused(&byte_level(json!({}), json!([])), "no tokens");
}

#[test]
fn ids_out_of_range_are_refused() {
    for id in [json!(-1), json!(u32::MAX), json!(4_000_000), json!(i64::MIN)] {
        refused(&byte_level(json!({"a": id}), json!([])), "is outside 0..4000000");
        refused(&byte_level(json!({}), json!([{"id": id, "content": "x"}])), "is outside 0..4000000");
    }
    for id in [json!(u64::MAX), json!(0.5), json!("0"), json!(null), json!([0])] {
        refused(&byte_level(json!({"a": id}), json!([])), "not a tokenizer.json: invalid");
    }
}

#[test]
fn models_without_bytes_of_their_own_are_refused() {
    let model = |model| json!({"decoder": {"type": "ByteLevel"}, "model": model});
    refused(&model(json!({"type": "WordPiece", "vocab": {"a": 0}})), "the WordPiece model is not supported");
    refused(&model(json!({"type": "WordLevel", "vocab": {"a": 0}})), "the WordLevel model is not supported");
    refused(&model(json!({"vocab": {"a": 0}})), "the unnamed model is not supported");
    refused(&model(json!({"type": "BPE", "vocab": [["a", 0.0]]})), "not the shape of a BPE model's");
    refused(
        &model(json!({"type": "BPE", "vocab": {"a": 0}, "end_of_word_suffix": "</w>"})),
        "model.end_of_word_suffix",
    );
    refused(&model(json!({"type": "BPE", "vocab": {"a": 0}, "continuing_subword_prefix": "##"})), "\"##\"");
    refused(&json!({"model": {"type": "BPE", "vocab": {"a": 0}}}), "there is no decoder");
    refused(&json!({"decoder": {"type": "CTC"}, "model": {"type": "BPE", "vocab": {"a": 0}}}), "\"CTC\"");
    for other in
        [json!({}), json!([]), json!(null), json!({"model": null}), json!({"model": {"type": "BPE"}})]
    {
        refused(&other, "not a tokenizer.json");
    }
}

#[test]
fn a_unigram_model_with_byte_tokens_is_read() {
    let v = read(&json!({
        "added_tokens": [added(0, "<unk>"), added(1, "</s>")],
        "decoder": {"type": "Sequence", "decoders": [{"type": "ByteFallback"}, {"type": "Metaspace", "replacement": "▁"}]},
        "model": {"type": "Unigram", "unk_id": 0, "byte_fallback": true,
            "vocab": [["<unk>", 0], ["</s>", 0], ["<0x0A>", -1.5], ["▁the", -1e3], ["▁", -2]]}}))
    .unwrap();
    let bytes: Vec<&[u8]> = (0..5).map(|id| v.bytes(TokenId(id))).collect();
    assert_eq!(bytes, [&b""[..], b"", b"\n", b" the", b" "]);
    assert_eq!(v.stop_tokens(), [TokenId(1)]);
}

#[test]
fn an_unlisted_unknown_token_is_a_letter() {
    let file = json!({"decoder": {"type": "Metaspace"},
        "model": {"type": "BPE", "vocab": {"<unk>": 0, "a": 1}, "unk_token": "<unk>", "merges": []}});
    let v = read(&file).unwrap();
    assert_eq!((v.kind(TokenId(0)), v.kind(TokenId(1))), (TokenKind::Letter, TokenKind::Text));
}

#[test]
fn long_and_growing_tokens_are_refused() {
    refused(&byte_level(json!({"a".repeat(4_097): 0}), json!([])), "4097 bytes, more than the limit of 4096");
    refused(&byte_level(json!({}), json!([added(0, &"<".repeat(1 << 20))])), "more than 24576 bytes");
    let grow = json!({"type": "Replace", "pattern": {"String": "a"}, "content": "a".repeat(20_000)});
    let file = json!({"decoder": {"type": "Sequence", "decoders": vec![grow; 60]},
        "model": {"type": "BPE", "vocab": {"a".repeat(4_000): 0}, "merges": []}});
    refused(&file, "limit");
}

#[test]
fn truncated_and_damaged_json_is_refused_or_read() {
    let whole =
        byte_level(json!({"a": 0, "Ġb": 1, "\u{10FFFF}": 2}), json!([added(3, "<x>"), added(4, "\n")]))
            .to_string();
    for len in (0..whole.len()).filter(|&len| whole.is_char_boundary(len)) {
        assert!(Vocabulary::from_tokenizer_json_text(&whole[..len]).is_err(), "the first {len} bytes");
    }
    let mut random = Random(0x6A73_6F6E);
    let mut read_count = 0;
    for _ in 0..20_000 {
        let mut damaged = whole.clone().into_bytes();
        for _ in 0..1 + random.below(2) {
            let at = random.below(damaged.len());
            damaged[at] = random.next().to_le_bytes()[0];
        }
        read_count += usize::from(Vocabulary::from_tokenizer_json_text(&damaged).is_ok());
    }
    assert!(read_count > 0, "some damage hits names only");
    let deep = "[".repeat(1_000_000);
    for text in [format!("{{\"decoder\":{deep}"), format!("{{\"x\":{deep}"), deep.clone()] {
        assert!(Vocabulary::from_tokenizer_json_text(&text).is_err());
    }
    for text in [
        &b"\xFF"[..],
        b"{\"model\": {\"vocab\": {\"\xFF\": 0}}}",
        b"{\"model\": {\"vocab\": {\"\\ud800\": 0}}}",
    ] {
        assert!(Vocabulary::from_tokenizer_json_text(text).is_err());
    }
}

#[test]
fn tiktoken_lines_are_tokens_and_specials_are_letters() {
    let text = "YQ== 0\nIGI= 1\r\n\n/w== 3\n";
    let v = Vocabulary::from_tiktoken_text(text, &[("<|endoftext|>", 4), ("\n", 5)]).unwrap();
    let bytes: Vec<&[u8]> = (0..6).map(|id| v.bytes(TokenId(id))).collect();
    assert_eq!(bytes, [&b"a"[..], b" b", b"", b"\xFF", b"", b"\n"]);
    assert_eq!(v.kind(TokenId(2)), TokenKind::Undecodable);
    assert_eq!((v.stop_tokens(), v.name(TokenId(3))), (&[TokenId(4)][..], "\\xFF"));
    for (text, expected) in [
        ("YQ== 0\nYQ=", "line 2: \"YQ=\" is not a token"),
        ("YQ= 0", "line 1"),
        ("YQ== -1", "line 1"),
        ("YQ== 4294967296", "line 1"),
        ("YQ== 4294967295", "line 1: id 4294967295"),
        ("YQ== 0\nYg== 0", "line 2: id 0 is given twice"),
        ("YQ== 0 0", "line 1"),
        ("", "no tokens"),
    ] {
        let error = Vocabulary::from_tiktoken_text(text, &[]).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    let error = Vocabulary::from_tiktoken_text("YQ== 0", &[("<x>", 0)]).unwrap_err().to_string();
    assert!(error.contains("id 0 is given twice"), "{error}");
}

#[test]
fn a_file_that_can_not_be_read_is_named() {
    for error in [
        Vocabulary::from_tokenizer_json("/nowhere/tokenizer.json").unwrap_err(),
        Vocabulary::from_tiktoken("/nowhere/tokenizer.json", &[]).unwrap_err(),
        Vocabulary::from_gguf("/nowhere/tokenizer.json").unwrap_err(),
    ] {
        assert!(error.to_string().starts_with("/nowhere/tokenizer.json: can't be read"), "{error}");
    }
    assert!(Vocabulary::from_tokenizer_json(env!("CARGO_MANIFEST_DIR")).is_err(), "a folder is no file");
}
