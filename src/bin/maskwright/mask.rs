//! `maskwright mask`: what may come after a prefix, in words.

use clap::Args;
use maskwright::TokenId;
use serde_json::json;

use crate::language::LanguageArguments;
use crate::readable::{byte_set, count, quoted, shown};
use crate::say::say;
use crate::special::SpecialArguments;
use crate::walk::{Departure, Walk};
use crate::{Failure, Verdict};

/// Options of `mask`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    language: LanguageArguments,
    #[command(flatten)]
    special: SpecialArguments,
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
    let language = arguments.language.read()?;
    let grammar = language.compile()?;
    let vocabulary = &language.vocabulary;
    let names = arguments.special.names(vocabulary);
    let mut walk = Walk::new(&grammar, &names);
    let prefix = arguments.prefix.as_bytes();
    let (taken, departure) = walk.take(prefix);
    if let Some(departure) = departure {
        return refuse(arguments, &mut walk, taken, &departure, names.hint(&prefix[taken..]));
    }
    let next = walk.next()?;
    let tokens: Vec<&str> = next.letters.iter().map(|&token| vocabulary.name(token)).collect();
    let bytes = byte_set(&next.bytes);
    let forced = walk.forced()?;
    let complete = walk.is_complete();
    let allowed: Vec<TokenId> = walk.mask()?.iter().collect();
    let stop: Vec<TokenId> = allowed.iter().copied().filter(|&t| vocabulary.is_stop(t)).collect();
    if arguments.json {
        let ids: Vec<u32> = allowed.iter().map(|t| t.0).collect();
        let value = json!({
            "accepted": true, "complete": complete, "forced": String::from_utf8_lossy(&forced),
            "next_bytes": bytes, "next_tokens": tokens, "allowed_count": allowed.len(), "stop_allowed": !stop.is_empty(), "allowed": ids,
        });
        say!("{value}");
        return Ok(Verdict::Accepted);
    }
    say!("after {} bytes: {}", prefix.len(), quoted(prefix));
    say!("the text is {}", if complete { "a complete document" } else { "not complete yet" });
    say!("forced: {}", if forced.is_empty() { "nothing".into() } else { quoted(&forced) });
    say!("next bytes: {bytes}");
    if !tokens.is_empty() {
        say!("next special tokens: {}", tokens.join(" "));
    }
    let width = vocabulary.len();
    say!("allowed tokens: {} of {}", count(allowed.len()), count(width));
    let shown: Vec<String> = allowed
        .iter()
        .filter(|&&t| !vocabulary.is_stop(t))
        .take(arguments.examples)
        .map(|&t| shown(vocabulary, t))
        .collect();
    if !shown.is_empty() {
        say!("for example: {}", shown.join(" "));
    }
    say!("stop tokens: {}", if stop.is_empty() { "not allowed" } else { "allowed" });
    Ok(Verdict::Accepted)
}

/// The prefix is refused, or can't be read to its end within the budget.
fn refuse(
    arguments: &Arguments,
    walk: &mut Walk,
    taken: usize,
    departure: &Departure,
    hint: Option<String>,
) -> Result<Verdict, Failure> {
    let why = match departure {
        Departure::NotAllowed => "is not allowed",
        Departure::Unspellable => "starts with a byte that no token spells alone",
        Departure::Undecided(why) => {
            return Err(Failure(format!("the prefix can't be judged beyond byte {taken}: {why}")));
        }
    };
    let next = walk.next()?;
    if arguments.json {
        let value = json!({
            "accepted": false, "byte": taken, "next_bytes": byte_set(&next.bytes), "hint": hint,
            "allowed": walk.next_in_words()?,
        });
        say!("{value}");
        return Ok(Verdict::Refused);
    }
    let rest = quoted(&arguments.prefix.as_bytes()[taken..]);
    say!("refused at byte {taken}: {rest} {why} there; allowed: {}", walk.next_in_words()?);
    if let Some(hint) = hint {
        say!("{hint}");
    }
    Ok(Verdict::Refused)
}
