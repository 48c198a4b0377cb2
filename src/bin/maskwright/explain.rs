//! `maskwright explain`: why a token may or may not follow a prefix, in the words of the schema or grammar.

use clap::Args;
use maskwright::explain::{Standing, Verdict as Bit};
use maskwright::{Explanation, TokenId, Vocabulary};
use serde_json::{Value, json};

use crate::language::LanguageArguments;
use crate::readable::{byte_set, count, quoted, shown};
use crate::say::say;
use crate::special::SpecialArguments;
use crate::walk::{Departure, Walk};
use crate::{Failure, Verdict};

/// Options of `explain`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    language: LanguageArguments,
    #[command(flatten)]
    special: SpecialArguments,
    /// The text so far.
    #[arg(long, value_name = "TEXT", default_value = "", allow_hyphen_values = true)]
    prefix: String,
    /// The token, by the text that it spells or by its name in the vocabulary.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true, required_unless_present = "token_id")]
    token: Option<String>,
    /// The token, by its id.
    #[arg(long, value_name = "ID", conflicts_with = "token")]
    token_id: Option<u32>,
    /// Tokens shown as examples.
    #[arg(long, value_name = "COUNT", default_value_t = 8)]
    examples: usize,
    /// One JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs `explain`.
pub(crate) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let language = arguments.language.read()?;
    let vocabulary = &language.vocabulary;
    let token = find(arguments, vocabulary)?;
    let grammar = language.compile()?;
    let names = arguments.special.names(vocabulary);
    let mut walk = Walk::new(&grammar, &names);
    let prefix = arguments.prefix.as_bytes();
    let (taken, departure) = walk.take(prefix);
    if let Some(departure) = departure {
        let why = match departure {
            Departure::NotAllowed => "may not follow there",
            Departure::Unspellable => "starts with a byte that no token spells alone",
            Departure::Undecided(why) => {
                return Err(Failure(format!("the prefix can't be judged beyond byte {taken}: {why}")));
            }
        };
        let hint = names.hint(&prefix[taken..]);
        refused_prefix(arguments, taken, why, hint, &walk.matcher().standing()?, vocabulary);
        return Ok(Verdict::Refused);
    }
    let explanation = walk.matcher().explain(token)?;
    let mut examples = Vec::new();
    if !explanation.verdict.is_allowed() {
        let allowed = walk.mask()?.iter().filter(|&token| !vocabulary.is_stop(token));
        examples = allowed.take(arguments.examples).map(|token| shown(vocabulary, token)).collect();
    }
    if arguments.json {
        say!("{}", as_json(vocabulary, &explanation, &examples));
    } else {
        print(arguments, vocabulary, &explanation, &examples);
    }
    Ok(if explanation.verdict.is_allowed() { Verdict::Accepted } else { Verdict::Refused })
}

/// The token that the arguments name.
fn find(arguments: &Arguments, vocabulary: &Vocabulary) -> Result<TokenId, Failure> {
    if let Some(id) = arguments.token_id {
        let len = vocabulary.len();
        let last = len.saturating_sub(1);
        return match usize::try_from(id) {
            Ok(position) if position < len => Ok(TokenId(id)),
            _ => Err(Failure(format!("--token-id {id}: the vocabulary has the ids 0 to {}", count(last)))),
        };
    }
    let text = arguments.token.as_deref().unwrap_or_default();
    let trie = vocabulary.trie();
    let mut node = Some(0);
    for &byte in text.as_bytes() {
        node = node.and_then(|at| trie.child(at, byte));
    }
    let spelled = node.filter(|_| !text.is_empty()).map(|at| trie.tokens(at)).unwrap_or_default();
    if let Some(&token) = spelled.first() {
        if spelled.len() > 1 {
            let ids: Vec<String> = spelled.iter().map(|token| token.0.to_string()).collect();
            eprintln!("note: the tokens {} all spell this; the first is explained", ids.join(", "));
        }
        return Ok(token);
    }
    vocabulary.token_named(text).ok_or_else(|| unknown(vocabulary, text))
}

/// No token spells a text: which tokens do, one after the other, and which begin with it.
fn unknown(vocabulary: &Vocabulary, text: &str) -> Failure {
    let mut message = format!("--token {}: the vocabulary has no such token", quoted(text.as_bytes()));
    let parts = split(vocabulary, text.as_bytes());
    if text.is_empty() {
        message.push_str("; an empty one can be named with --token-id");
    } else if let Some(parts) = parts {
        message.push_str(&format!("; it is spelled by {}", parts.join(" ")));
    } else {
        message.push_str(", and no tokens spell it");
    }
    let named = (0..vocabulary.len()).map(TokenId::new).filter(|&token| {
        let name = vocabulary.name(token);
        !text.is_empty() && name.len() > text.len() && name.to_lowercase().contains(&text.to_lowercase())
    });
    let near: Vec<String> = named.take(4).map(|token| shown(vocabulary, token)).collect();
    if !near.is_empty() {
        message.push_str(&format!("; tokens with this in them: {}", near.join(" ")));
    }
    Failure(message)
}

/// The longest tokens, one after the other, that spell a text.
fn split(vocabulary: &Vocabulary, text: &[u8]) -> Option<Vec<String>> {
    let trie = vocabulary.trie();
    let mut parts = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let mut node = 0;
        let mut longest = None;
        for (len, &byte) in (1..).zip(&text[at..]) {
            let Some(child) = trie.child(node, byte) else { break };
            node = child;
            if !trie.tokens(node).is_empty() {
                longest = Some(len);
            }
        }
        let len: usize = longest?;
        parts.push(quoted(&text[at..at + len]));
        at += len;
    }
    Some(parts)
}

fn print(arguments: &Arguments, vocabulary: &Vocabulary, explanation: &Explanation, examples: &[String]) {
    let token = explanation.token;
    let prefix = quoted(arguments.prefix.as_bytes());
    say!("token {} {} after {prefix}: {}", token.0, shown(vocabulary, token), explanation.verdict);
    print_standing("before the token", &explanation.before, vocabulary);
    match explanation.verdict {
        Bit::Text | Bit::Letter => print_standing("after the token", &explanation.after, vocabulary),
        Bit::FailsAt { byte, .. } if byte > 0 => {
            let part = quoted(&vocabulary.bytes(token)[..byte]);
            print_standing(&format!("after {part}"), &explanation.after, vocabulary);
        }
        _ => {}
    }
    if !examples.is_empty() {
        say!("tokens that may follow: {}", examples.join(" "));
    }
}

fn print_standing(title: &str, standing: &Standing, vocabulary: &Vocabulary) {
    if standing.words.is_empty() && standing.bytes.is_empty() && standing.letters.is_empty() {
        return;
    }
    say!("{title}:");
    for line in &standing.words {
        say!("  {line}");
    }
    say!("  allowed there: {}", allowed(standing, vocabulary));
}

/// What may follow, on one line.
fn allowed(standing: &Standing, vocabulary: &Vocabulary) -> String {
    let mut set = [false; 256];
    standing.bytes.iter().for_each(|byte| set[usize::from(byte)] = true);
    let mut parts = Vec::new();
    if standing.accepting {
        parts.push("the end".to_owned());
    }
    if !standing.bytes.is_empty() {
        parts.push(byte_set(&set));
    }
    parts.extend(standing.letters.iter().take(8).map(|&token| format!("token {}", vocabulary.name(token))));
    if parts.is_empty() { "nothing".into() } else { parts.join(", ") }
}

fn as_json(vocabulary: &Vocabulary, explanation: &Explanation, examples: &[String]) -> Value {
    let standing = |standing: &Standing| {
        json!({
            "words": standing.words, "allowed": allowed(standing, vocabulary), "may_end": standing.accepting,
        })
    };
    let byte = match explanation.verdict {
        Bit::FailsAt { byte, .. } => Some(byte),
        _ => None,
    };
    json!({
        "accepted_prefix": true, "token": explanation.token.0, "text": shown(vocabulary, explanation.token),
        "allowed": explanation.verdict.is_allowed(), "verdict": explanation.verdict.to_string(), "fails_at": byte,
        "before": standing(&explanation.before), "after": standing(&explanation.after), "examples": examples,
    })
}

/// The prefix itself is refused.
fn refused_prefix(
    arguments: &Arguments,
    taken: usize,
    why: &str,
    hint: Option<String>,
    standing: &Standing,
    vocabulary: &Vocabulary,
) {
    let allowed = allowed(standing, vocabulary);
    if arguments.json {
        let value = json!({
            "accepted_prefix": false, "byte": taken, "words": standing.words, "allowed": allowed,
            "may_end": standing.accepting, "hint": hint,
        });
        say!("{value}");
        return;
    }
    let rest = quoted(&arguments.prefix.as_bytes()[taken..]);
    say!("the prefix is refused at byte {taken}: {rest} {why}");
    for line in &standing.words {
        say!("  {line}");
    }
    say!("  allowed there: {allowed}");
    if let Some(hint) = hint {
        say!("  {hint}");
    }
}
