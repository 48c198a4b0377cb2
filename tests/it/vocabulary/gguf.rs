//! GGUF files, written here byte by byte, and one real model.

use maskwright::{TokenId, Vocabulary, VocabularyError, vocab::TokenKind};

use super::{Random, folder};

const U8: u32 = 0;
const U32: u32 = 4;
const I32: u32 = 5;
const STRING: u32 = 8;
const ARRAY: u32 = 9;
const U64: u32 = 10;

/// A file in the making.
struct File {
    pair_count: u64,
    pairs: Vec<u8>,
}

fn string(text: &str) -> Vec<u8> {
    let len = u64::try_from(text.len()).unwrap();
    [&len.to_le_bytes()[..], text.as_bytes()].concat()
}

fn array(kind: u32, items: &[Vec<u8>]) -> Vec<u8> {
    let len = u64::try_from(items.len()).unwrap();
    [&kind.to_le_bytes()[..], &len.to_le_bytes(), &items.concat()].concat()
}

fn strings(items: &[&str]) -> Vec<u8> {
    array(STRING, &items.iter().map(|item| string(item)).collect::<Vec<_>>())
}

fn integers(items: &[i32]) -> Vec<u8> {
    array(I32, &items.iter().map(|item| item.to_le_bytes().to_vec()).collect::<Vec<_>>())
}

impl File {
    fn new() -> Self {
        Self { pair_count: 0, pairs: Vec::new() }
    }

    fn pair(mut self, key: &str, kind: u32, value: &[u8]) -> Self {
        self.pair_count += 1;
        self.pairs.extend(string(key));
        self.pairs.extend(kind.to_le_bytes());
        self.pairs.extend(value);
        self
    }

    fn bytes(&self) -> Vec<u8> {
        let (version, tensor_count) = (3u32, 0u64);
        [
            &b"GGUF"[..],
            &version.to_le_bytes(),
            &tensor_count.to_le_bytes(),
            &self.pair_count.to_le_bytes(),
            &self.pairs,
        ]
        .concat()
    }
}

fn read(bytes: &[u8]) -> Result<Vocabulary, VocabularyError> {
    Vocabulary::from_gguf_reader(bytes)
}

fn refused(bytes: &[u8], expected: &str) {
    let error = read(bytes).unwrap_err().to_string();
    assert!(error.contains(expected), "{error}");
}

/// A byte-level tokenizer with a token of each type, between pairs of no interest.
fn byte_level() -> File {
    let nested = array(ARRAY, &[array(U8, &[vec![1], vec![2]]), strings(&["x"])]);
    File::new()
        .pair("general.name", STRING, &string("small"))
        .pair("general.nested", ARRAY, &nested)
        .pair("tokenizer.ggml.model", STRING, &string("gpt2"))
        .pair(
            "tokenizer.ggml.tokens",
            ARRAY,
            &strings(&["a", "Ġb", "<unk>", "<|im_end|>", "  ", "<pad>", "<x>", "Ċ"]),
        )
        .pair("tokenizer.ggml.token_type", ARRAY, &integers(&[1, 1, 2, 3, 4, 5, 0, 1]))
        .pair("tokenizer.ggml.eos_token_id", U32, &7u32.to_le_bytes())
        .pair("tokenizer.ggml.eot_token_id", U64, &3u64.to_le_bytes())
}

#[test]
fn byte_level_tokens_and_types_are_read() {
    let v = read(&byte_level().bytes()).unwrap();
    let text = TokenKind::Text;
    let kinds: Vec<TokenKind> = (0..8).map(|id| v.kind(TokenId(id))).collect();
    let letter = TokenKind::Letter;
    assert_eq!(kinds, [text, text, letter, letter, text, letter, TokenKind::Undecodable, letter]);
    assert_eq!((v.bytes(TokenId(1)), v.bytes(TokenId(4))), (&b" b"[..], &b"  "[..]));
    // One stop token by name and number, one by number alone.
    assert_eq!(v.stop_tokens(), [TokenId(3), TokenId(7)]);
}

#[test]
fn sentencepiece_tokens_keep_their_space_and_bytes() {
    let file = File::new()
        .pair("tokenizer.ggml.model", STRING, &string("llama"))
        .pair(
            "tokenizer.ggml.tokens",
            ARRAY,
            &strings(&["<unk>", "</s>", "<0x0A>", "▁the", "▁", "\n\n", "<0xZZ>"]),
        )
        .pair("tokenizer.ggml.token_type", ARRAY, &integers(&[2, 3, 6, 1, 1, 4, 6]));
    let v = read(&file.bytes()).unwrap();
    let bytes: Vec<&[u8]> = (0..7).map(|id| v.bytes(TokenId(id))).collect();
    assert_eq!(bytes, [&b""[..], b"", b"\n", b" the", b" ", b"\n\n", b""]);
    assert_eq!(v.kind(TokenId(6)), TokenKind::Undecodable);
    assert_eq!(v.stop_tokens(), [TokenId(1)]);
}

#[test]
fn files_of_another_kind_are_refused() {
    refused(b"", "ends in the middle");
    refused(b"PK\x03\x04 and so on", "does not begin with \"GGUF\"");
    let mut old = byte_level().bytes();
    old[4] = 1;
    refused(&old, "GGUF version 1 is not supported");
    let mut swapped = byte_level().bytes();
    swapped[4..8].reverse();
    refused(&swapped, "(a big-endian file)");
    let model = |name| File::new().pair("tokenizer.ggml.model", STRING, &string(name));
    refused(&model("bert").bytes(), "the tokenizer model \"bert\" is not supported");
    refused(&File::new().bytes(), "no tokenizer.ggml.model");
    refused(&model("gpt2").bytes(), "no tokens");
    let untyped = || model("gpt2").pair("tokenizer.ggml.tokens", ARRAY, &strings(&["a"]));
    refused(&untyped().bytes(), "1 tokens but 0 token types");
    refused(
        &untyped().pair("tokenizer.ggml.token_type", ARRAY, &integers(&[9])).bytes(),
        "its type 9 is unknown",
    );
    refused(
        &untyped().pair("tokenizer.ggml.token_type", U8, &[1]).bytes(),
        "tokenizer.ggml.token_type: the value has the wrong type",
    );
    let typed = || untyped().pair("tokenizer.ggml.token_type", ARRAY, &integers(&[1]));
    refused(
        &typed().pair("tokenizer.ggml.eos_token_id", U32, &u32::MAX.to_le_bytes()).bytes(),
        "outside the vocabulary",
    );
    refused(
        &typed().pair("tokenizer.ggml.eos_token_id", I32, &(-1i32).to_le_bytes()).bytes(),
        "-1 is no token id",
    );
    refused(
        &typed().pair("tokenizer.ggml.eos_token_id", U64, &u64::MAX.to_le_bytes()).bytes(),
        "is too large",
    );
    refused(
        &typed().pair("tokenizer.ggml.eos_token_id", STRING, &string("x")).bytes(),
        "no integer but String",
    );
    refused(&typed().pair("x", 13, &[]).bytes(), "the value type 13 is unknown");
}

#[test]
fn lengths_are_claims() {
    let huge = u64::MAX.to_le_bytes();
    let claim = |kind: u32| [&kind.to_le_bytes()[..], &huge].concat();
    refused(&File::new().pair("x", STRING, &huge).bytes(), "ends in the middle");
    refused(&File::new().pair("x", ARRAY, &claim(U64)).bytes(), "ends in the middle");
    refused(&File::new().pair("x", ARRAY, &claim(STRING)).bytes(), "ends in the middle");
    refused(
        &File::new().pair("tokenizer.ggml.model", STRING, &huge).bytes(),
        "claims 18446744073709551615 bytes",
    );
    for key in ["tokenizer.ggml.tokens", "tokenizer.ggml.token_type"] {
        refused(&File::new().pair(key, ARRAY, &claim(STRING)).bytes(), "items are more than 4000000");
    }
    let million = [&STRING.to_le_bytes()[..], &4_000_000u64.to_le_bytes()].concat();
    refused(&File::new().pair("tokenizer.ggml.tokens", ARRAY, &million).bytes(), "ends in the middle");
    let mut many = byte_level();
    many.pair_count = u64::MAX;
    refused(&many.bytes(), "ends in the middle");
    let deep = (0..6).fold(array(U8, &[]), |inner, _| array(ARRAY, &[inner]));
    refused(&File::new().pair("x", ARRAY, &deep).bytes(), "nested deeper than 4");
}

#[test]
fn truncated_and_damaged_files_are_refused_or_read() {
    let whole = byte_level().bytes();
    for len in 0..whole.len() {
        assert!(read(&whole[..len]).is_err(), "the first {len} of {} bytes", whole.len());
    }
    let mut random = Random(0x6767_7566);
    for _ in 0..20_000 {
        let mut damaged = whole.clone();
        for _ in 0..1 + random.below(3) {
            let at = random.below(damaged.len());
            damaged[at] = random.next().to_le_bytes()[0];
        }
        // Either answer is right; what counts is that there is one.
        if let Ok(v) = read(&damaged) {
            assert!(v.len() <= 8);
        }
    }
}

#[test]
fn a_real_model_file_spells_every_byte() {
    let path = folder("MASKWRIGHT_MODELS", "models").join("SmolLM2-135M-Instruct.Q4_1.gguf");
    if !path.is_file() {
        println!("skipped: {} is absent; set MASKWRIGHT_MODELS to its folder", path.display());
        return;
    }
    let v = Vocabulary::from_gguf(&path).unwrap();
    println!("{}", v.report());
    assert_eq!(v.len(), 49_152);
    assert!(v.stop_tokens().iter().any(|&token| v.name(token) == "<|im_end|>"));
    let spelled = super::greedy(&v, "{\"name\": \"<|im_end|>\"}\n");
    let bytes: Vec<u8> = spelled.iter().flat_map(|&token| v.bytes(token).to_vec()).collect();
    assert_eq!(bytes, b"{\"name\": \"<|im_end|>\"}\n");
}
