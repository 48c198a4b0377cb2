//! A tokenizer file as the bench needs it: the bytes of every id, and how a document becomes ids.
//!
//! Both are taken without maskwright's own loader, so that a mistake there shows as a difference. Documents are encoded
//! by the `tokenizers` crate, as a model would meet them. An encoding that holds an added token (whose spelling in a
//! document is only text), or does not spell the document byte for byte, is replaced by greedy longest match over the
//! ordinary tokens. Both ways are deterministic, and all engines get the same ids.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use llguidance::token_bytes_from_tokenizer_json;
use serde_json::Value;
use tokenizers::Tokenizer;
use toktrie::{TokRxInfo, TokTrie};

/// Names of tokens that end a model's turn, in the families whose files are benchmarked.
const STOP_NAMES: [&str; 9] = [
    "<|end_of_text|>",
    "<|eot_id|>",
    "<|im_end|>",
    "<|endoftext|>",
    "<|return|>",
    "<|call|>",
    "<｜end▁of▁sentence｜>",
    "<eos>",
    "<end_of_turn>",
];

/// What a tokenizer file says about its ids.
pub(crate) struct TokenTable {
    /// Bytes of each id; for special tokens the peer's marker byte and the name.
    pub(crate) bytes: Vec<Vec<u8>>,
    /// Ids that end a text; never empty.
    pub(crate) stop: Vec<u32>,
    /// Ids that the file lists as added tokens.
    added: HashSet<u32>,
}

impl TokenTable {
    /// Reads a `tokenizer.json`.
    ///
    /// # Errors
    /// Says what the file lacks.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let fault = |e: &dyn std::fmt::Display| format!("{}: {e}", path.display());
        let text = fs::read(path).map_err(|e| fault(&e))?;
        let file: Value = serde_json::from_slice(&text).map_err(|e| fault(&e))?;
        let bytes = token_bytes_from_tokenizer_json(&file).map_err(|e| fault(&e))?;
        let (mut added, mut stop) = (HashSet::new(), Vec::new());
        for token in file["added_tokens"].as_array().into_iter().flatten() {
            let id = token["id"].as_u64().and_then(|id| u32::try_from(id).ok());
            let (Some(id), Some(name)) = (id, token["content"].as_str()) else { continue };
            added.insert(id);
            if STOP_NAMES.contains(&name) {
                stop.push(id);
            }
        }
        if stop.is_empty() {
            return Err(fault(&"none of its added tokens is a known stop token"));
        }
        Ok(Self { bytes, stop, added })
    }

    /// A table of ordinary tokens, the last of which also ends a text.
    #[cfg(test)]
    pub(crate) fn from_texts(texts: &[&str]) -> Self {
        let last = u32::try_from(texts.len() - 1).expect("a test has few tokens");
        let bytes = texts.iter().map(|text| text.as_bytes().to_vec()).collect();
        Self { bytes, stop: vec![last], added: HashSet::new() }
    }

    /// The number of ids.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether the file lists the id as an added token.
    pub(crate) fn is_added(&self, id: u32) -> bool {
        self.added.contains(&id)
    }

    /// The trie that the peer and the greedy speller walk; `keep` chooses the ids that are in it.
    fn trie(&self, keep: impl Fn(u32) -> bool) -> TokTrie {
        let len = u32::try_from(self.bytes.len()).expect("token ids are u32");
        let words: Vec<Vec<u8>> = (0..len)
            .zip(&self.bytes)
            .map(|(id, bytes)| if keep(id) { bytes.clone() } else { Vec::new() })
            .collect();
        TokTrie::from(&TokRxInfo::new(len, self.stop[0]), &words).with_eos_tokens(&self.stop)
    }

    /// The trie of all ids.
    pub(crate) fn full_trie(&self) -> TokTrie {
        self.trie(|_| true)
    }

    /// The bytes that ids spell one after another.
    pub(crate) fn spell(&self, tokens: &[u32]) -> Vec<u8> {
        tokens.iter().filter_map(|id| self.bytes.get(usize::try_from(*id).ok()?)).flatten().copied().collect()
    }
}

/// A document as ids.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Encoding {
    /// As the tokenizer encodes it.
    Real(Vec<u32>),
    /// By greedy longest match, because the real encoding won't do.
    Greedy(Vec<u32>),
}

/// Turns documents into token ids.
pub(crate) struct Encoder {
    table: TokenTable,
    tokenizer: Tokenizer,
    greedy: TokTrie,
}

impl Encoder {
    /// Reads a `tokenizer.json`.
    ///
    /// # Errors
    /// Says what the file lacks.
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let table = TokenTable::read(path)?;
        let mut tokenizer = Tokenizer::from_file(path).map_err(|e| format!("{}: {e}", path.display()))?;
        tokenizer.set_encode_special_tokens(true);
        let greedy = table.trie(|id| !table.added.contains(&id));
        Ok(Self { table, tokenizer, greedy })
    }

    /// What the file says about its ids.
    pub(crate) fn table(&self) -> &TokenTable {
        &self.table
    }

    /// The ids that spell `text` byte for byte, none of them an added token; `None` if there are none.
    pub(crate) fn encode(&self, text: &str) -> Option<Encoding> {
        let real = self.tokenizer.encode_fast(text, false).ok();
        if let Some(real) = real.filter(|real| self.fits(real.get_ids(), text)) {
            return Some(Encoding::Real(real.get_ids().to_vec()));
        }
        let greedy = self.greedy.greedy_tokenize(text.as_bytes());
        self.fits(&greedy, text).then_some(Encoding::Greedy(greedy))
    }

    fn fits(&self, tokens: &[u32], text: &str) -> bool {
        tokens.iter().all(|id| !self.table.added.contains(id)) && self.table.spell(tokens) == text.as_bytes()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Encoder, Encoding, TokenTable};

    /// Byte-level BPE over `a b c <`, with the merge `ab`, and the added tokens `<|eot_id|>` and `abc`.
    const FILE: &str = r#"{"version":"1.0","truncation":null,"padding":null,
        "added_tokens":[
            {"id":5,"content":"<|eot_id|>","single_word":false,"lstrip":false,"rstrip":false,"normalized":false,"special":true},
            {"id":6,"content":"abc","single_word":false,"lstrip":false,"rstrip":false,"normalized":false,"special":false}],
        "normalizer":null,
        "pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":false},
        "post_processor":null,"decoder":{"type":"ByteLevel","add_prefix_space":true,"trim_offsets":true,"use_regex":true},
        "model":{"type":"BPE","dropout":null,"unk_token":null,"continuing_subword_prefix":null,"end_of_word_suffix":null,
            "fuse_unk":false,"byte_fallback":false,"vocab":{"a":0,"b":1,"c":2,"bc":3,"ab":4},"merges":["b c","a b"]}}"#;

    fn encoder(name: &str) -> Encoder {
        let path = std::env::temp_dir().join(format!("maskwright-bench-{}-{name}.json", std::process::id()));
        fs::write(&path, FILE).unwrap();
        let encoder = Encoder::read(&path);
        fs::remove_file(&path).unwrap();
        encoder.unwrap()
    }

    #[test]
    fn documents_are_encoded_by_the_merges_and_never_by_added_tokens() {
        let encoder = encoder("merges");
        assert_eq!(encoder.encode("bca"), Some(Encoding::Real(vec![3, 0])));
        // The real encoding of "abc" is the added token 6; ordinary tokens spell it greedily.
        assert_eq!(encoder.encode("abc"), Some(Encoding::Greedy(vec![4, 2])));
        assert_eq!(encoder.encode("abd"), None, "no token spells d");
    }

    #[test]
    fn stop_tokens_are_found_by_name_and_special_ones_carry_the_marker() {
        let encoder = encoder("stop");
        let table: &TokenTable = encoder.table();
        assert_eq!(table.stop, [5]);
        assert_eq!(table.len(), 7);
        assert_eq!(table.bytes[5], b"\xff<|eot_id|>");
        assert_eq!(table.bytes[6], b"abc");
    }
}
