//! `maskwright mask`: what may come after a prefix, in words.

use clap::Args;
use maskwright::{Compiler, TokenId};
use serde_json::json;

use crate::arguments::{ReadingArguments, VocabularyArguments};
use crate::readable::{byte_set, count, quoted};
use crate::say::say;
use crate::source::SourceArguments;
use crate::walk::{Departure, Walk};
use crate::{Failure, Verdict};

/// Options of `mask`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    source: SourceArguments,
    #[command(flatten)]
    vocabulary: VocabularyArguments,
    #[command(flatten)]
    reading: ReadingArguments,
    /// The text so far.
    #[arg(long, value_name = "TEXT", default_value = "", allow_hyphen_values = true)]
    prefix: String,
    /// Tokens shown as examples.
    #[arg(long, value_name = "COUNT", default_value_t = 12)]
    examples: usize,
    /// One JSON object, with all allowed token ids.
    #[arg(long)]
    json: bool,
}

/// Runs `mask`.
pub(crate) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let source = arguments.source.read()?;
    let vocabulary = arguments.vocabulary.load()?;
    let config = arguments.reading.config()?;
    let grammar = source.compile(&Compiler::new(vocabulary.clone(), config))?;
    let mut walk = Walk::new(&grammar);
    let prefix = arguments.prefix.as_bytes();
    let (taken, departure) = walk.take(prefix)?;
    let next = byte_set(&walk.next_bytes()?);
    if let Some(departure) = departure {
        let why = match departure {
            Departure::NotAllowed => "is not allowed",
            Departure::Unspellable => "starts with a byte that no token spells alone",
        };
        if arguments.json {
            say!("{}", json!({"accepted": false, "byte": taken, "next_bytes": next}));
        } else {
            say!("refused at byte {taken}: {} {why} there; allowed: {next}", quoted(&prefix[taken..]));
        }
        return Ok(Verdict::Refused);
    }
    let forced = walk.forced()?;
    let complete = walk.is_complete();
    let allowed: Vec<TokenId> = walk.mask()?.iter().collect();
    let stop: Vec<TokenId> = allowed.iter().copied().filter(|&t| vocabulary.is_stop(t)).collect();
    if arguments.json {
        let ids: Vec<u32> = allowed.iter().map(|t| t.0).collect();
        let value = json!({
            "accepted": true, "complete": complete, "forced": String::from_utf8_lossy(&forced),
            "next_bytes": next, "allowed_count": allowed.len(), "stop_allowed": !stop.is_empty(), "allowed": ids,
        });
        say!("{value}");
        return Ok(Verdict::Accepted);
    }
    say!("after {} bytes: {}", prefix.len(), quoted(prefix));
    say!("the text is {}", if complete { "a complete document" } else { "not complete yet" });
    say!("forced: {}", if forced.is_empty() { "nothing".into() } else { quoted(&forced) });
    say!("next bytes: {next}");
    let width = vocabulary.len();
    say!("allowed tokens: {} of {}", count(allowed.len()), count(width));
    let shown: Vec<String> = allowed
        .iter()
        .filter(|&&t| !vocabulary.is_stop(t))
        .take(arguments.examples)
        .map(|&t| quoted(vocabulary.bytes(t)))
        .collect();
    if !shown.is_empty() {
        say!("for example: {}", shown.join(" "));
    }
    say!("stop tokens: {}", if stop.is_empty() { "not allowed" } else { "allowed" });
    Ok(Verdict::Accepted)
}
