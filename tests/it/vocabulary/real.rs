//! What becomes of the tokens of five real models.

use maskwright::{
    Vocabulary,
    vocab::{KindReason, TokenKind},
};

use super::{NAMES, added, greedy, tokenizer_file};

fn load(name: &str) -> Option<Vocabulary> {
    Some(Vocabulary::from_tokenizer_json(tokenizer_file(name)?).unwrap())
}

/// Ids in all, letters, text among the added tokens, stop tokens.
fn check(name: &str, len: usize, letters: usize, added_text: usize, stop: &[&str]) -> Option<Vocabulary> {
    let v = load(name)?;
    let report = v.report();
    println!("{name}: {report}");
    assert_eq!(v.len(), len);
    assert_eq!(report.letter_count, letters);
    assert_eq!(v.added_tokens().filter(|token| token.kind == TokenKind::Text).count(), added_text);
    assert_eq!(v.stop_tokens().iter().map(|&token| v.name(token)).collect::<Vec<_>>(), stop);
    assert!(report.missing_bytes.is_empty(), "{}", report.missing_bytes);
    assert!(report.empty.is_empty());
    assert_eq!(report.text_count + report.letter_count + report.undecodable.len(), len);
    Some(v)
}

#[test]
fn llama3_is_text_and_256_letters() {
    let Some(v) = check("llama3", 128_256, 256, 0, &["<|end_of_text|>", "<|eot_id|>"]) else { return };
    assert!(v.report().undecodable.is_empty());
    assert_eq!(v.kind(added(&v, "<|reserved_special_token_0|>")), TokenKind::Letter);
}

#[test]
fn qwen3_thinks_in_letters_though_its_file_calls_them_plain() {
    let Some(v) = check("qwen3", 151_669, 26, 0, &["<|endoftext|>", "<|im_end|>"]) else { return };
    for letter in ["<think>", "</think>", "<tool_call>"] {
        let token = v.added_tokens().find(|token| token.content == letter).unwrap();
        assert_eq!(
            (token.kind, token.special_in_file, token.reason),
            (TokenKind::Letter, false, KindReason::Added)
        );
        assert!(v.bytes(token.id).is_empty());
    }
    // The model's last layer is wider than its tokenizer.
    assert_eq!(v.with_logits_width(151_936).unwrap().logits_width(), 151_936);
}

#[test]
fn deepseek_v3_ends_with_its_own_spelling() {
    let Some(v) = check("deepseek_v3", 128_815, 818, 0, &["<｜end▁of▁sentence｜>"]) else { return };
    assert_eq!(v.kind(added(&v, "<｜User｜>")), TokenKind::Letter);
    assert_eq!(v.kind(added(&v, "<|EOT|>")), TokenKind::Letter);
}

#[test]
fn gemma3_writes_whitespace_and_html_as_text() {
    let Some(v) = check("gemma3", 262_145, 6_255, 160, &["<eos>", "<end_of_turn>"]) else { return };
    for (content, bytes) in [("\n", "\n"), ("\n\n\n", "\n\n\n"), ("\t\t", "\t\t"), ("▁▁", "  ")] {
        let token = v.added_tokens().find(|token| token.content == content).unwrap();
        assert_eq!((token.kind, token.reason), (TokenKind::Text, KindReason::Whitespace), "{content:?}");
        assert_eq!(v.bytes(token.id), bytes.as_bytes());
    }
    for tag in ["<td>", "</s>", "<h1>"] {
        let token = v.added_tokens().find(|token| token.content == tag).unwrap();
        assert_eq!((token.kind, token.reason), (TokenKind::Text, KindReason::FamilyText), "{tag}");
        assert_eq!(v.bytes(token.id), tag.as_bytes());
    }
    for letter in ["<unused0>", "[multimodal]", "<start_of_image>", "<bos>", "<unk>", "<image_soft_token>"] {
        assert_eq!(v.kind(added(&v, letter)), TokenKind::Letter, "{letter}");
    }
    let td = added(&v, "<td>");
    let v = v.with_letter_tokens(&[td]).unwrap();
    assert_eq!((v.kind(td), v.bytes(td)), (TokenKind::Letter, &b""[..]));
}

#[test]
fn gptoss_goes_on_after_the_end_of_a_message() {
    let Some(v) = check("gptoss", 200_019, 21, 0, &["<|endoftext|>", "<|return|>", "<|call|>"]) else {
        return;
    };
    assert!(!v.is_stop(added(&v, "<|end|>")));
}

#[test]
fn the_spelling_of_a_letter_is_spelled_by_text_and_never_by_its_id() {
    for name in NAMES {
        let Some(v) = load(name) else { continue };
        for token in v.added_tokens().filter(|token| token.kind == TokenKind::Letter) {
            let spelled = greedy(&v, token.content);
            assert!(!spelled.contains(&token.id), "{name}: {}", token.content);
            let bytes: Vec<u8> = spelled.iter().flat_map(|&token| v.bytes(token).to_vec()).collect();
            assert_eq!(bytes, token.content.as_bytes(), "{name}");
        }
    }
}

#[test]
fn the_trie_holds_each_text_token_at_the_node_of_its_bytes() {
    for name in NAMES {
        let Some(v) = load(name) else { continue };
        let trie = v.trie();
        println!("{name}: {} nodes", trie.len());
        let mut seen = 0;
        for id in 0..u32::try_from(v.len()).unwrap() {
            let token = maskwright::TokenId(id);
            if v.kind(token) != TokenKind::Text {
                continue;
            }
            seen += 1;
            let node = trie.find(v.bytes(token)).unwrap();
            assert!(trie.tokens(node).contains(&token));
        }
        assert_eq!(trie.tokens_below(0).len(), seen, "{name}: nothing but text is in the trie");
    }
}
