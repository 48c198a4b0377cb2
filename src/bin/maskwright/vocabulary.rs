//! `maskwright vocabulary`: a tokenizer file as the engine reads it.

use clap::Args;
use maskwright::vocab::TokenKind;
use maskwright::{TokenId, Vocabulary};
use serde_json::{Value, json};

use crate::arguments::VocabularyArguments;
use crate::readable::{byte_set, count, quoted};
use crate::{Failure, Verdict};

/// Options of `vocabulary`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    vocabulary: VocabularyArguments,
    /// Added tokens shown, at most.
    #[arg(long, value_name = "COUNT", default_value_t = 40)]
    added: usize,
    /// One JSON object, with all added tokens.
    #[arg(long)]
    json: bool,
}

/// Kinds in the order shown.
const KINDS: [(TokenKind, &str); 4] = [
    (TokenKind::Text, "text"),
    (TokenKind::Letter, "letter"),
    (TokenKind::Empty, "empty"),
    (TokenKind::Undecodable, "undecodable"),
];

fn kind_name(kind: TokenKind) -> &'static str {
    KINDS.iter().find(|(k, _)| *k == kind).map_or("other", |(_, name)| name)
}

fn ids(vocabulary: &Vocabulary) -> impl Iterator<Item = TokenId> {
    (0..vocabulary.len()).map(TokenId::new)
}

/// Runs `vocabulary`.
pub(crate) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let vocabulary = arguments.vocabulary.load()?;
    let counts = KINDS.map(|(kind, name)| (name, ids(&vocabulary).filter(|&t| vocabulary.kind(t) == kind).count()));
    let mut missing = [false; 256];
    for byte in 0..=255u8 {
        missing[usize::from(byte)] = vocabulary.missing_bytes().contains(byte);
    }
    if arguments.json {
        println!("{}", as_json(&vocabulary, &counts, &missing));
    } else {
        print_plain(&vocabulary, &counts, &missing, arguments.added);
    }
    Ok(Verdict::Accepted)
}

fn as_json(vocabulary: &Vocabulary, counts: &[(&str, usize)], missing: &[bool; 256]) -> Value {
    let kinds: serde_json::Map<String, Value> = counts.iter().map(|&(k, n)| (k.into(), n.into())).collect();
    let added: Vec<Value> = vocabulary
        .added_tokens()
        .map(|a| {
            json!({
                "id": a.id.0, "content": a.content, "special_in_file": a.special_in_file,
                "kind": kind_name(a.kind), "reason": a.reason.to_string(),
            })
        })
        .collect();
    let missing: Vec<usize> = (0..256).filter(|&b| missing[b]).collect();
    json!({
        "tokens": vocabulary.len(), "logits_width": vocabulary.logits_width(), "kinds": kinds,
        "stop": vocabulary.stop_tokens().iter().map(|t| t.0).collect::<Vec<_>>(),
        "longest_token_bytes": vocabulary.longest_token(), "missing_bytes": missing, "added": added,
    })
}

fn print_plain(vocabulary: &Vocabulary, counts: &[(&str, usize)], missing: &[bool; 256], added_max: usize) {
    println!(
        "{} tokens, logits width {}, longest token {} bytes",
        count(vocabulary.len()),
        count(vocabulary.logits_width()),
        vocabulary.longest_token()
    );
    let kinds: Vec<String> = counts.iter().map(|&(name, n)| format!("{} {name}", count(n))).collect();
    println!("kinds: {}", kinds.join(", "));
    let stop: Vec<String> =
        vocabulary.stop_tokens().iter().map(|&t| format!("{} {}", t.0, quoted(name(vocabulary, t).as_bytes()))).collect();
    println!("stop tokens: {}", if stop.is_empty() { "none".into() } else { stop.join(", ") });
    println!("bytes that no token spells alone: {}", byte_set(missing));
    let total = vocabulary.added_tokens().count();
    println!("added tokens: {}", count(total));
    for added in vocabulary.added_tokens().take(added_max) {
        let flag = if added.special_in_file { "special" } else { "not special" };
        println!(
            "  {:>7} {} ({flag} in the file): {}, {}",
            added.id.0,
            quoted(added.content.as_bytes()),
            kind_name(added.kind),
            added.reason
        );
    }
    if total > added_max {
        println!("  … and {} more (--added {total} shows all)", count(total - added_max));
    }
}

fn name(vocabulary: &Vocabulary, token: TokenId) -> String {
    vocabulary.name(token).to_string()
}
