//! Stop tokens: found by well-known names among a file's letters.
//!
//! Tokenizer files do not say which tokens end a text, so the names of the common model families are listed here. The
//! caller can replace the set. Only letters are looked at: Gemma's `</s>` closes an HTML tag and ends nothing.

use super::{entries::Entries, kind::TokenKind};
use crate::index::TokenId;

/// A name, and the name in whose presence it ends a part of the text only.
const NAMES: &[(&str, Option<&str>)] = &[
    // Llama 3 and 4, Granite
    ("<|eot_id|>", None),
    ("<|eom_id|>", None),
    ("<|end_of_text|>", None),
    ("<|eot|>", None),
    ("<|eom|>", None),
    // ChatML: Qwen, Yi, SmolLM and many others; GPT-2 and its descendants
    ("<|im_end|>", None),
    ("<|endoftext|>", None),
    // gpt-oss: <|end|> closes one message of several there; elsewhere (Phi) it ends the answer
    ("<|return|>", None),
    ("<|call|>", None),
    ("<|end|>", Some("<|return|>")),
    // Gemma
    ("<end_of_turn>", None),
    ("<eos>", None),
    ("<turn|>", None),
    // Llama 2, Mistral, T5, BLOOM
    ("</s>", None),
    // DeepSeek; the coder models end with <|EOT|>
    ("<｜end▁of▁sentence｜>", None),
    ("<|EOT|>", Some("<｜end▁of▁sentence｜>")),
    // Command R, Kimi, Hunyuan, EXAONE, Seed, Apertus
    ("<|END_OF_TURN_TOKEN|>", None),
    ("<EOS_TOKEN>", None),
    ("[EOS]", None),
    ("<|eos|>", None),
    ("[|endofturn|]", None),
    ("<seed:eos>", None),
    ("<|assistant_end|>", None),
];

/// The letters that end a text by their name, ascending.
pub(super) fn find(entries: &Entries, kinds: &[TokenKind]) -> Vec<TokenId> {
    // One pass finds which names occur; the few that do are then judged.
    let mut found: Vec<(TokenId, &str, Option<&str>)> = Vec::new();
    for at in (0..entries.len()).filter(|&at| kinds[at] == TokenKind::Letter) {
        if let Some(&(name, unless)) = NAMES.iter().find(|(name, _)| *name == entries.name(at)) {
            found.push((TokenId::new(at), name, unless));
        }
    }
    let present = |wanted: &str| found.iter().any(|&(_, name, _)| name == wanted);
    found.iter().filter(|(_, _, unless)| !unless.is_some_and(present)).map(|&(id, _, _)| id).collect()
}

#[cfg(test)]
mod tests {
    use super::{NAMES, find};
    use crate::{
        index::TokenId,
        vocab::{
            entries::{EntriesBuilder, Origin},
            letters::classify,
        },
    };

    fn stops(names: &[&str]) -> Vec<u32> {
        let mut builder = EntriesBuilder::default();
        for (name, id) in names.iter().zip(0..) {
            builder.push(id, name, name.as_bytes(), Origin::Added { special: true }).unwrap();
        }
        let entries = builder.finish().unwrap();
        let (kinds, _) = classify(&entries);
        find(&entries, &kinds).iter().map(|&TokenId(id)| id).collect()
    }

    #[test]
    fn names_stop_unless_they_close_a_part_only() {
        assert_eq!(stops(&["<|end|>", "<|endoftext|>", "<|user|>"]), [0, 1]);
        assert_eq!(stops(&["<|end|>", "<|endoftext|>", "<|return|>", "<|call|>"]), [1, 2, 3]);
        assert_eq!(stops(&["<|EOT|>", "<｜end▁of▁sentence｜>"]), [1]);
        assert_eq!(stops(&["<|EOT|>"]), [0]);
        assert_eq!(stops(&["</s>", "<end_of_turn>", "<start_of_turn>", "<unused0>"]), [1]);
        assert!(stops(&["<think>"]).is_empty());
    }

    #[test]
    fn every_exception_is_itself_a_stop_name() {
        for (name, unless) in NAMES {
            assert!(unless.is_none_or(|other| NAMES.iter().any(|(n, _)| *n == other)), "{name}");
            assert_eq!(NAMES.iter().filter(|(n, _)| n == name).count(), 1, "{name}");
        }
    }
}
