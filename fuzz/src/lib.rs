//! Bodies of the fuzz targets: each takes bytes and panics iff a promise is broken.

pub mod random;
pub mod replay;
mod walk;

use maskwright::error::CompileErrorKind;
use maskwright::grammar::rules::Grammar;
use maskwright::syntax::{ebnf, gbnf, regex};
use maskwright::{Compiler, CompilerConfig, Vocabulary};

pub use walk::walk;

/// Any bytes as a schema: compiled or refused, never a panic; and what compiles has a first mask.
pub fn schema_text(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let compiler = Compiler::new(walk::vocabulary(), CompilerConfig::default());
    match compiler.json_schema(text) {
        Ok(grammar) => walk::first_steps(&grammar),
        Err(refusal) => assert!(!refusal.to_string().is_empty()),
    }
}

/// Any bytes as a tokenizer.json: loaded or refused.
pub fn tokenizer_json(data: &[u8]) {
    match Vocabulary::from_tokenizer_json_text(data) {
        Ok(vocabulary) => consistent(&vocabulary),
        Err(refusal) => assert!(!refusal.to_string().is_empty()),
    }
}

/// Any bytes as a GGUF file: loaded or refused.
pub fn gguf(data: &[u8]) {
    match Vocabulary::from_gguf_reader(data) {
        Ok(vocabulary) => consistent(&vocabulary),
        Err(refusal) => assert!(!refusal.to_string().is_empty()),
    }
}

/// Any bytes as a vocabulary pack, and as the body of one whose head is right: loaded or refused.
pub fn pack(data: &[u8]) {
    let mut whole = Vocabulary::from_tokens(["x"], &[]).expect("one token").to_pack();
    const HEAD: usize = 24;
    whole.truncate(HEAD);
    whole[12..20].copy_from_slice(&(data.len() as u64).to_le_bytes());
    whole[20..].copy_from_slice(&crc32fast::hash(data).to_le_bytes());
    whole.extend_from_slice(data);
    for pack in [data, &whole] {
        match Vocabulary::from_pack(pack) {
            Ok(vocabulary) => {
                consistent(&vocabulary);
                assert_eq!(vocabulary.to_pack(), pack, "a pack is written in one way");
            }
            Err(refusal) => assert!(!refusal.to_string().is_empty()),
        }
    }
}

/// What every loaded vocabulary promises.
fn consistent(vocabulary: &Vocabulary) {
    assert!(vocabulary.logits_width() >= vocabulary.len());
    for &stop in vocabulary.stop_tokens() {
        assert!(stop.index() < vocabulary.len(), "stop token {stop:?} of {}", vocabulary.len());
    }
    let longest =
        (0..vocabulary.len()).map(|i| vocabulary.bytes(maskwright::TokenId::new(i)).len()).max().unwrap_or(0);
    assert!(longest <= vocabulary.longest_token());
}

/// Any text as a pattern: parsed or refused.
pub fn pattern(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Err(refusal) = maskwright::syntax::pattern::parse(text) {
        assert!(!refusal.message.is_empty());
        assert!(refusal.byte <= text.len(), "the fault lies at byte {} of {text:?}", refusal.byte);
        return;
    }
    let schema = format!("{{\"type\":\"string\",\"pattern\":{}}}", json_string(text));
    if let Ok(grammar) = Compiler::new(walk::vocabulary(), CompilerConfig::default()).json_schema(&schema) {
        walk::first_steps(&grammar);
    }
}

/// Any bytes as a grammar in each notation: read or refused with a place; and what is read has a text form that comes back.
pub fn notation(data: &[u8]) {
    let answers = [gbnf::parse(data), ebnf::parse(data)];
    let mut grammars: Vec<Grammar> = Vec::new();
    for answer in answers {
        match answer {
            Ok(parsed) => grammars.push(parsed.grammar),
            Err(refusal) => assert!(!refusal.to_string().is_empty()),
        }
    }
    if let Ok(text) = std::str::from_utf8(data) {
        grammars.extend(regex::parse(text));
        grammars.extend(Grammar::from_text_form(text, &[]));
    }
    for grammar in grammars {
        let form = grammar.to_string();
        // Tables of states have no notation, and expressions can be nested deeper than texts.
        match Grammar::from_text_form(&form, &[]) {
            Ok(back) => assert_eq!(back.to_string(), form),
            Err(refusal) => {
                let kind = refusal.kind();
                assert!(
                    matches!(kind, CompileErrorKind::Unsupported | CompileErrorKind::Limit),
                    "{refusal}\n{form}"
                );
            }
        }
    }
}

/// The text as a JSON string.
fn json_string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if u32::from(c) < 0x20 => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
