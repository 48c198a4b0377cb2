//! Prompts as tokens, through the `tokenizers` crate.

use std::path::Path;

use tokenizers::Tokenizer;

use crate::Failure;

/// The ids of a prompt under a tokenizer.json file.
pub(crate) fn encode(tokenizer: &Path, prompt: &str) -> Result<Vec<u32>, Failure> {
    let fault = |e: &dyn std::fmt::Display| Failure(format!("{}: {e}", tokenizer.display()));
    let loaded = Tokenizer::from_file(tokenizer).map_err(|e| fault(&e))?;
    let encoding = loaded.encode(prompt, false).map_err(|e| fault(&e))?;
    Ok(encoding.get_ids().to_vec())
}
