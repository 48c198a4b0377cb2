//! The whole loop in one page: a schema, the demo vocabulary, masks, and a "model" that likes short tokens.
//!
//! `cargo run --release --example quickstart`

use std::error::Error;

use maskwright::sample::{Sampler, Sampling};
use maskwright::{Bitmask, Compiler, CompilerConfig, Matcher, TokenId, Vocabulary};

fn main() -> Result<(), Box<dyn Error>> {
    let vocabulary = Vocabulary::demo();
    let compiler = Compiler::new(vocabulary.clone(), CompilerConfig::default());
    let grammar = compiler.json_schema(
        r#"{
            "type": "object",
            "properties": {
                "answer": {"enum": ["yes", "no", "maybe"]},
                "confidence": {"type": "integer", "minimum": 0, "maximum": 100}
            },
            "required": ["answer", "confidence"],
            "additionalProperties": false
        }"#,
    )?;

    // Stand-ins for a model's logits: longer tokens are likelier, blanks and escapes are not.
    let mut logits = vec![f32::NEG_INFINITY; vocabulary.logits_width()];
    for (id, logit) in logits.iter_mut().enumerate().take(vocabulary.len()) {
        let bytes = vocabulary.bytes(TokenId::new(id));
        let unlikely = bytes.iter().filter(|b| b.is_ascii_whitespace() || **b == b'\\').count();
        *logit = if unlikely > 0 { -20.0 } else { f32::from(u8::try_from(bytes.len()).unwrap_or(u8::MAX)) };
    }

    let mut sampler = Sampler::new(Sampling { temperature: 1.0, top_k: 0, top_p: 1.0, seed: 7 })?;
    let mut matcher = Matcher::new(&grammar);
    let mut mask = Bitmask::new(&grammar);
    while !matcher.is_finished() {
        matcher.fill_bitmask(&mut mask)?;
        let token = sampler.sample(&logits, mask.row(0)).ok_or("no token is allowed")?;
        println!(
            "{:>5} tokens allowed, took {:?}",
            mask.count(),
            String::from_utf8_lossy(vocabulary.bytes(token))
        );
        matcher.commit(token)?;
    }
    println!("{}", String::from_utf8(matcher.text())?);
    Ok(())
}
