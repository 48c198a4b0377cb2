//! The bytes of the ids that the `tokenizers` crate makes of a text are what it decodes them to.

use std::collections::BTreeMap;

use maskwright::{TokenId, Vocabulary, vocab::TokenKind};
use serde_json::{Value, json};
use tokenizers::Tokenizer;

use super::{NAMES, Random, tokenizer_file};

const SEED: u64 = 0x0B5E_55ED;

/// Texts per tokenizer in an ordinary run; the long run takes ten times as many.
const TEXT_COUNT: usize = 1_000;

#[test]
fn bytes_of_ids_are_what_the_tokenizers_crate_decodes() {
    for name in NAMES {
        check(name, SEED, TEXT_COUNT);
    }
}

#[test]
#[ignore = "long run"]
fn bytes_of_ids_are_what_the_tokenizers_crate_decodes_in_a_long_run() {
    for name in NAMES {
        check(name, SEED + 1, 10 * TEXT_COUNT);
    }
}

fn check(name: &str, seed: u64, count: usize) {
    let Some(path) = tokenizer_file(name) else { return };
    let oracle = Tokenizer::from_file(&path).unwrap();
    let v = Vocabulary::from_tokenizer_json(&path).unwrap();
    println!("{name}: {count} texts, seed {seed:#x}");
    let mut random = Random(seed);
    for _ in 0..count {
        let text = text(&mut random);
        let ids = oracle.encode_fast(text.as_str(), false).unwrap().get_ids().to_vec();
        let decoded = oracle.decode(&ids, false).unwrap();
        let bytes: Vec<u8> = ids.iter().flat_map(|&id| written(&v, TokenId(id)).to_vec()).collect();
        assert_eq!(
            String::from_utf8_lossy(&bytes),
            decoded,
            "{name}: {text:?} is {ids:?}, named {:?}",
            ids.iter().map(|&id| v.name(TokenId(id))).collect::<Vec<_>>()
        );
        assert_eq!(bytes, decoded.as_bytes(), "{name}: {text:?}");
    }
}

#[test]
fn a_token_is_what_the_tokenizers_crate_writes_for_it_in_mid_text() {
    let replace = json!({"type": "Replace", "pattern": {"String": "▁"}, "content": " "});
    let strip = |start, stop| json!({"type": "Strip", "content": " ", "start": start, "stop": stop});
    let sequence = |decoders: &[&Value]| json!({"type": "Sequence", "decoders": decoders});
    let (fallback, fuse) = (json!({"type": "ByteFallback"}), json!({"type": "Fuse"}));
    let metaspace =
        json!({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true});
    let byte_level =
        json!({"type": "ByteLevel", "add_prefix_space": true, "trim_offsets": true, "use_regex": true});
    for decoder in [
        sequence(&[&replace, &fallback, &fuse, &strip(1, 0)]),
        // Both ends at once, or more than a token has, make that crate panic.
        sequence(&[&strip(2, 0), &replace, &fallback, &fuse]),
        sequence(&[&replace, &strip(0, 1), &fallback]),
        sequence(&[&fallback, &metaspace]),
        sequence(&[&replace, &replace]),
        metaspace,
        byte_level,
    ] {
        check_continuation(&decoder);
    }
}

/// Tokens of a small file, each written after a first one.
fn check_continuation(decoder: &Value) {
    const TOKENS: [&str; 16] = [
        "a",
        "▁",
        "▁▁a▁",
        "  b   ",
        " ",
        "<0x41>",
        "<0x0a>",
        "<0x+F>",
        "<0xG0>",
        "Ġthe",
        "ĠĠ",
        "Ċ",
        "é",
        "<｜x｜>",
        "日本",
        "-",
    ];
    let vocab: BTreeMap<&str, usize> = TOKENS.into_iter().zip(0..).collect();
    let file = json!({
        "version": "1.0", "truncation": null, "padding": null, "normalizer": null, "pre_tokenizer": null,
        "post_processor": null, "added_tokens": [], "decoder": decoder,
        "model": {"type": "BPE", "vocab": vocab, "merges": []}})
    .to_string();
    let oracle: Tokenizer = file.parse().unwrap();
    let v = Vocabulary::from_tokenizer_json_text(&file).unwrap();
    for (name, id) in TOKENS.into_iter().zip(0..) {
        let decoded = oracle.decode(&[0, id, 0], false).unwrap();
        let bytes = [b"a", v.bytes(TokenId(id)), b"a"].concat();
        assert_eq!(String::from_utf8_lossy(&bytes), decoded, "{name:?} by {decoder}");
    }
}

/// What a decoder shows: a letter by its name.
fn written(v: &Vocabulary, token: TokenId) -> &[u8] {
    match v.kind(token) {
        TokenKind::Text => v.bytes(token),
        TokenKind::Letter => v.name(token).as_bytes(),
        kind => panic!("token {} is {kind}, yet it was encoded", token.0),
    }
}

const WORDS: [&str; 12] = [
    "name",
    "the",
    "value",
    "Straße",
    "naïve",
    "данные",
    "日本語",
    "한국어",
    "שלום",
    "مرحبا",
    "ไทย",
    "e\u{301}te\u{301}",
];
const EMOJI: [&str; 7] = ["🙂", "👩‍👩‍👧‍👦", "🏳️‍🌈", "👍🏽", "🇩🇪", "1️⃣", "❤️"];
const SPACES: [&str; 9] = [" ", "  ", "\t", "\n", "\r\n", "\u{A0}", "\u{3000}", "\u{2028}", "        "];
const SPELLINGS: [&str; 14] = [
    "<|im_end|>",
    "<|eot_id|>",
    "<think>",
    "<td>",
    "</s>",
    "<eos>",
    "<0x0A>",
    "<0xFF>",
    "▁",
    "▁▁",
    "Ġ",
    "Ċ",
    "<unk>",
    "<｜User｜>",
];

/// A text of a few parts of all kinds.
fn text(random: &mut Random) -> String {
    let mut text = String::new();
    for _ in 0..1 + random.below(8) {
        part(random, &mut text);
    }
    text
}

fn part(random: &mut Random, text: &mut String) {
    let len = 1 + random.below(12);
    match random.below(9) {
        0 => (0..len).for_each(|_| text.push(char::from(u8::try_from(random.below(128)).unwrap()))),
        1 => text
            .extend((0..len).filter_map(|_| char::from_u32(u32::try_from(random.below(0x11_0000)).unwrap()))),
        2 => {
            text.extend((0..len).filter_map(|_| char::from_u32(u32::try_from(random.below(0x3000)).unwrap())))
        }
        3 => (0..len).for_each(|_| text.push_str(random.pick(&SPACES))),
        4 => text.push_str(random.pick(&EMOJI)),
        5 => text.push_str(random.pick(&SPELLINGS)),
        6 => json(random, text, 0),
        7 => *text += &format!("{}", random.next() >> random.below(64)),
        _ => (0..len).for_each(|_| *text += &format!("{}{}", random.pick(&WORDS), random.pick(&SPACES))),
    }
}

fn json(random: &mut Random, text: &mut String, depth: usize) {
    match random.below(if depth < 3 { 6 } else { 4 }) {
        0 => *text += &serde_json::Value::from(random.pick(&WORDS)).to_string(),
        1 => *text += &format!("{:e}", f64::from_bits(random.next())),
        2 => text.push_str(random.pick(&["true", "false", "null", "\"\\u00e9\\n\"", "-0"])),
        3 => *text += &format!("{}", random.below(100_000)),
        4 => {
            text.push_str("{\n");
            for _ in 0..random.below(4) {
                *text += &format!("{}\"{}\": ", " ".repeat(2 * depth + 2), random.pick(&WORDS));
                json(random, text, depth + 1);
                text.push_str(",\n");
            }
            text.push('}');
        }
        _ => {
            text.push('[');
            for _ in 0..random.below(4) {
                json(random, text, depth + 1);
                text.push_str(", ");
            }
            text.push(']');
        }
    }
}
