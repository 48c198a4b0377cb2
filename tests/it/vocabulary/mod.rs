//! Vocabularies: the five real tokenizers against the `tokenizers` crate, and files made to hurt.

#![allow(clippy::unwrap_used, reason = "a test fails where it unwraps")]

mod gguf;
mod hostile;
mod real;
mod roundtrip;

use std::path::PathBuf;

use maskwright::{TokenId, Vocabulary};

/// The real tokenizers, by file name.
const NAMES: [&str; 5] = ["llama3", "qwen3", "deepseek_v3", "gemma3", "gptoss"];

/// splitmix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(bound).unwrap()).unwrap()
    }

    fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len())]
    }
}

/// A folder of downloaded files: where a variable says, else in the user's cache.
fn folder(variable: &str, name: &str) -> PathBuf {
    if let Some(folder) = std::env::var_os(variable) {
        return folder.into();
    }
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = || PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".cache");
    cache.unwrap_or_else(home).join("maskwright").join(name)
}

/// The file of a real tokenizer, or a printed reason why there is none.
fn tokenizer_file(name: &str) -> Option<PathBuf> {
    let path = folder("MASKWRIGHT_TOKENIZERS", "tokenizers").join(format!("{name}.json"));
    if path.is_file() {
        return Some(path);
    }
    println!(
        "skipped: {} is absent; set MASKWRIGHT_TOKENIZERS to the folder of real tokenizers",
        path.display()
    );
    None
}

/// The id of the added token with this content.
fn added(vocabulary: &Vocabulary, content: &str) -> TokenId {
    vocabulary
        .added_tokens()
        .find(|token| token.content == content)
        .expect("an added token of this content")
        .id
}

/// A text spelled by text tokens: the longest that fits each time.
fn greedy(vocabulary: &Vocabulary, text: &str) -> Vec<TokenId> {
    let trie = vocabulary.trie();
    let mut rest = text.as_bytes();
    let mut tokens = Vec::new();
    while !rest.is_empty() {
        let mut node = maskwright::vocab::TokenTrie::ROOT;
        let mut longest = None;
        for (&byte, len) in rest.iter().zip(1..) {
            let Some(child) = trie.child(node, byte) else { break };
            node = child;
            longest = trie.tokens(node).first().map(|&token| (token, len)).or(longest);
        }
        let (token, len) = longest.expect("the vocabulary spells every byte");
        tokens.push(token);
        rest = &rest[len..];
    }
    tokens
}
