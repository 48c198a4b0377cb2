//! The peer behind the bench's trait: llguidance with its default slicer.
//!
//! The token environment is the approximate one, which makes no claim to tokenize canonically: masks then hold every
//! token that keeps the text in the language, which is what is compared here. (A canonical environment narrows forced
//! stretches to the one token that its tokenizer would choose.)

use std::sync::Arc;

use llguidance::api::{StopReason, TopLevelGrammar};
use llguidance::earley::SlicedBiasComputer;
use llguidance::toktrie::{ApproximateTokEnv, InferenceCapabilities, SimpleVob, TokEnv};
use llguidance::{Matcher, ParserFactory};

use super::{Committed, Engine, Grammar, Notation, Refusal, Session};
use crate::tokenizer::TokenTable;

/// The parser factory of one vocabulary. It keeps nothing of the schemas it has seen.
pub(crate) struct Llguidance {
    factory: ParserFactory,
}

impl Llguidance {
    pub(crate) fn new(table: &TokenTable) -> Result<Self, String> {
        let env: TokEnv = Arc::new(ApproximateTokEnv::new(table.full_trie()));
        let slices = SlicedBiasComputer::general_slices();
        let mut factory = ParserFactory::new(&env, InferenceCapabilities::default(), &slices)
            .map_err(|e| format!("llguidance: {e}"))?;
        factory.quiet();
        factory.limits_mut().verbose_errors = false;
        Ok(Self { factory })
    }
}

impl Engine for Llguidance {
    fn isolate(&mut self) {}

    fn compile(&mut self, schema: &str) -> Result<Box<dyn Grammar>, Refusal> {
        let value = serde_json::from_str(schema).map_err(|e| refusal(&e.to_string()))?;
        let parser = self
            .factory
            .create_parser(TopLevelGrammar::from_json_schema(value))
            .map_err(|e| refusal(&e.to_string()))?;
        Ok(Box::new(Compiled { fresh: Matcher::new(Ok(parser)) }))
    }

    fn compile_grammar(&mut self, notation: Notation, text: &str) -> Result<Box<dyn Grammar>, Refusal> {
        if notation != Notation::Lark {
            return Err(Refusal("a notation that the engine does not read".to_owned()));
        }
        let grammar = TopLevelGrammar::from_lark(text.to_owned());
        let parser = self.factory.create_parser(grammar).map_err(|e| refusal(&e.to_string()))?;
        Ok(Box::new(Compiled { fresh: Matcher::new(Ok(parser)) }))
    }
}

/// A matcher at the start. Sessions are clones of it and share its lexer's states.
struct Compiled {
    fresh: Matcher,
}

impl Grammar for Compiled {
    fn session(&self) -> Box<dyn Session> {
        Box::new(Running { matcher: self.fresh.clone(), mask: SimpleVob::new() })
    }
}

struct Running {
    matcher: Matcher,
    mask: SimpleVob,
}

impl Session for Running {
    fn fill(&mut self) -> Result<(), Refusal> {
        match self.matcher.compute_mask_or_eos() {
            Ok(mask) => {
                self.mask = mask;
                Ok(())
            }
            // Nothing can follow, not even the end: an empty mask, and no fault of the engine's limits.
            Err(e) if e.to_string().starts_with(&StopReason::NoExtensionBias.to_string()) => {
                self.mask = SimpleVob::new();
                Ok(())
            }
            Err(e) => Err(refusal(&e.to_string())),
        }
    }

    fn allows(&self, token: u32) -> bool {
        usize::try_from(token).is_ok_and(|index| index < self.mask.len()) && self.mask.is_allowed(token)
    }

    fn commit(&mut self, token: u32) -> Result<Committed, Refusal> {
        match self.matcher.consume_token(token) {
            Ok(()) => Ok(Committed::Yes),
            Err(e) if e.to_string().contains("doesn't satisfy the grammar") => Ok(Committed::NotAllowed),
            Err(e) => Err(refusal(&e.to_string())),
        }
    }

    fn is_complete(&mut self) -> bool {
        self.matcher.is_accepting().unwrap_or(false)
    }
}

/// The first line of a message without what differs from schema to schema.
fn refusal(message: &str) -> Refusal {
    let line = message.lines().next().unwrap_or_default();
    if line.starts_with("Unknown format:") {
        return Refusal("Unknown format".to_owned());
    }
    let line = without_regexes(line);
    let words: Vec<&str> =
        line.split(' ').map(|word| if word.contains("://") { "…" } else { word }).collect();
    Refusal(without_numbers(&without_quotations(&words.join(" "))))
}

/// Replaces everything between the first ` /` and the last `/`: the peer prints regexes that way.
fn without_regexes(line: &str) -> String {
    match line.find(" /").map(|space| space + 1).zip(line.rfind('/')) {
        Some((first, last)) if first < last => format!("{}/…/{}", &line[..first], &line[last + 1..]),
        _ => line.to_owned(),
    }
}

/// Replaces what stands in quotation marks, unless it is a word of letters: those are keywords.
fn without_quotations(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some(open) = rest.find(['"', '\'']) {
        let mark = char::from(rest.as_bytes()[open]);
        let after = &rest[open + 1..];
        let Some(close) = after.find(mark) else { break };
        let quoted = &after[..close];
        out.push_str(&rest[..=open]);
        out.push_str(if quoted.chars().all(|c| c.is_ascii_alphabetic() || matches!(c, '$' | '_')) {
            quoted
        } else {
            "…"
        });
        out.push(mark);
        rest = &after[close + 1..];
    }
    out + rest
}

/// Replaces each run of digits by `N`.
fn without_numbers(line: &str) -> String {
    let mut out = String::new();
    for c in line.chars() {
        if !c.is_ascii_digit() {
            out.push(c);
        } else if !out.ends_with('N') {
            out.push('N');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::refusal;

    #[test]
    fn messages_with_one_cause_read_the_same() {
        for (message, expected) in [
            ("Unimplemented keys: [\"if\", \"then\"]\n<state>", "Unimplemented keys: [\"if\", \"then\"]"),
            ("Unknown format: host-name", "Unknown format"),
            (
                "patternProperty regexes /a/ and /b c/ are not disjoint",
                "patternProperty regexes /…/ are not disjoint",
            ),
            (
                "circular references are not supported: json-schema:///#/definitions/a",
                "circular references are not supported: …",
            ),
            ("Resource 'json-schema:///x' is not present", "Resource … is not present"),
            ("bad value \"two words\" here", "bad value \"…\" here"),
            ("Enable 'coerce_one_of' option", "Enable 'coerce_one_of' option"),
            ("lexer limit 1000 at 17", "lexer limit N at N"),
            ("don't know", "don't know"),
        ] {
            assert_eq!(refusal(message).0, expected);
        }
    }
}
