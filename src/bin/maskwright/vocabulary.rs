//! `maskwright vocabulary`: a tokenizer file as the engine reads it.

use std::path::PathBuf;

use clap::Args;
use maskwright::vocab::TokenKind;
use maskwright::{TokenId, Vocabulary};
use serde_json::{Value, json};

use crate::arguments::VocabularyArguments;
use crate::say::say;
use crate::{Failure, Verdict};

/// Options of `vocabulary`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    vocabulary: VocabularyArguments,
    /// Also list every added token, with what was made of it and why.
    #[arg(long)]
    added: bool,
    /// Write the vocabulary as a pack, which is read in milliseconds wherever a tokenizer file is: FILE.pack.
    #[arg(long, value_name = "FILE")]
    pack: Option<PathBuf>,
    /// One JSON object, with all added tokens.
    #[arg(long)]
    json: bool,
}

/// Runs `vocabulary`.
pub(crate) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let vocabulary = arguments.vocabulary.load()?;
    if let Some(path) = &arguments.pack {
        if path.extension().is_none_or(|extension| extension != "pack") {
            return Err(Failure(format!(
                "{}: a pack is known by its name: let it end in `.pack`",
                path.display()
            )));
        }
        vocabulary.save_pack(path)?;
    }
    if arguments.json {
        say!("{}", as_json(&vocabulary));
        return Ok(Verdict::Accepted);
    }
    say!("{}", vocabulary.report().to_string().trim_end());
    if arguments.added {
        for added in vocabulary.added_tokens() {
            say!("  {added}");
        }
    }
    Ok(Verdict::Accepted)
}

fn as_json(vocabulary: &Vocabulary) -> Value {
    let of_kind = |kind: TokenKind| -> Vec<u32> {
        (0..vocabulary.len())
            .map(TokenId::new)
            .filter(|&token| vocabulary.kind(token) == kind)
            .map(|token| token.0)
            .collect()
    };
    let added: Vec<Value> = vocabulary
        .added_tokens()
        .map(|a| {
            json!({
                "id": a.id.0, "content": a.content, "special_in_file": a.special_in_file,
                "kind": a.kind.to_string(), "reason": a.reason.to_string(),
            })
        })
        .collect();
    json!({
        "tokens": vocabulary.len(),
        "logits_width": vocabulary.logits_width(),
        "text_count": of_kind(TokenKind::Text).len(),
        "letter_count": of_kind(TokenKind::Letter).len(),
        "empty": of_kind(TokenKind::Empty),
        "undecodable": of_kind(TokenKind::Undecodable),
        "stop": vocabulary.stop_tokens().iter().map(|t| t.0).collect::<Vec<_>>(),
        "longest_token_bytes": vocabulary.longest_token(),
        "missing_bytes": vocabulary.missing_bytes().iter().collect::<Vec<_>>(),
        "added": added,
    })
}
