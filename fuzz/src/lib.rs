//! Bodies of the fuzz targets: each takes bytes and panics iff a promise is broken.

pub mod random;
pub mod replay;
mod walk;

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
