//! Where a text stands, in the words of its schema or grammar.

use std::fmt::Write;

use crate::automaton::stand::Keywords;
use crate::automaton::words::{LISTED_MAX, StateKind, Words, cut};
use crate::automaton::{Automaton, Cfg, Registers};
use crate::error::Exhausted;
use crate::explain::items::{END, Item, Items, Part, Position};
use crate::explain::location::{Which, pointer};
use crate::grammar::rules::{Expr, Grammar};
use crate::index::{ExprId, TokenId};
use crate::vocab::ByteSet;

/// Where a text stands.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Standing {
    /// The position in words: of a document the instance location, what is expected and the keywords that ask for it; of a
    /// grammar one line for each rule under way, innermost first, a few of them.
    pub words: Vec<String>,
    /// The bytes that may follow.
    pub bytes: ByteSet,
    /// The tokens that may follow as letters of their own, ascending.
    pub letters: Vec<TokenId>,
    /// Whether the text may end.
    pub accepting: bool,
}

impl Standing {
    /// What may follow a configuration, in words given.
    pub(super) fn of(
        automaton: &Automaton,
        cfg: Cfg,
        registers: &mut Registers,
        words: Vec<String>,
    ) -> Result<Self, Exhausted> {
        let mut bytes = ByteSet::default();
        for byte in 0..=u8::MAX {
            if automaton.advance(cfg, &[byte], registers)?.is_some() {
                bytes.insert(byte);
            }
        }
        let mut letters = automaton.letters(cfg);
        letters.sort_unstable();
        letters.dedup();
        Ok(Self { words, bytes, letters, accepting: automaton.is_accepting(cfg) })
    }
}

/// Where a JSON text stands, as one line.
pub(super) fn json_words(
    automaton: &Automaton,
    keywords: &Keywords,
    text: &[u8],
) -> Result<String, Exhausted> {
    let Some(stand) = automaton.stand(text)? else { return Ok("not in a document".into()) };
    let words = stand.words;
    let which = match words.kind {
        StateKind::Object | StateKind::Key | StateKind::Array => Which::Container,
        StateKind::Padding if !words.place.starts_with("before a value") => Which::Container,
        _ => Which::Value,
    };
    let at = pointer(text, which);
    let at = if at.is_empty() { "at the root".to_owned() } else { format!("at {at}") };
    let asked = words.must.map(|must| automaton.asked_by(keywords, must)).unwrap_or_default();
    let mut line = format!("{at}, {}", expecting(&words));
    if !asked.is_empty() {
        write!(line, " (by {})", asked.join(", ")).expect("a String takes all");
    }
    if let Some(behind) = stand.behind {
        write!(line, "; if it ends, {}", expecting(&behind)).expect("a String takes all");
    }
    Ok(line)
}

fn expecting(words: &Words) -> String {
    if words.expects.is_empty() {
        return words.place.clone();
    }
    format!("{}: expecting {}", words.place, words.expects.join(", or "))
}

/// Where a text stands in rules: a line for each of them.
pub(super) fn rule_words(items: &Items<'_>, keywords: &[Keywords]) -> Result<Vec<String>, Exhausted> {
    if items.is_lost() {
        return Ok(vec!["the text is too long or too ambiguous to say which rules are under way".into()]);
    }
    let all = items.under_way();
    let mut lines = Vec::new();
    for item in all.iter().take(LISTED_MAX) {
        let line = item_words(items, item, keywords)?;
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    if all.len() > LISTED_MAX {
        lines.push(format!("… and {} more", all.len() - LISTED_MAX));
    }
    Ok(lines)
}

/// One item as a line.
fn item_words(items: &Items<'_>, item: &Item, keywords: &[Keywords]) -> Result<String, Exhausted> {
    let grammar = items.grammar;
    let rule = format!("in rule `{}`, from byte {}", grammar.rule(item.rule).name, items.began_at(item));
    let expected = left_words(items, item.left);
    Ok(match items.front(item.left) {
        Some((Part::Text { expr, left }, rest)) => {
            let mut of = grammar.show(expr).to_string();
            cut(&mut of);
            let end = match (items.text_may_end(left), rest == END) {
                (true, true) => " (or the end of the rule)",
                _ => "",
            };
            format!("{rule}: inside `{of}`, expecting {expected}{end}")
        }
        Some((Part::Value { schema, place }, _)) => {
            let line = match items.value(schema, place) {
                Some((automaton, _, text)) => {
                    json_words(automaton, &keywords[crate::index::widen(schema)], text)?
                }
                None => "complete".into(),
            };
            format!("{rule}: inside the JSON of schema {schema}, {line}")
        }
        _ => match item.last {
            Some(last) => {
                let mut last = grammar.show(last).to_string();
                cut(&mut last);
                format!("{rule}: after `{last}`, expecting {expected}")
            }
            None => format!("{rule}: expecting {expected}"),
        },
    })
}

/// What is left of a rule.
fn left_words(items: &Items<'_>, left: Position) -> String {
    let mut out = String::new();
    let mut at = left;
    while let Some((part, rest)) = items.front(at) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&part_words(items, part, rest == END && out.is_empty()));
        let len = out.len();
        cut(&mut out);
        if out.len() < len {
            break;
        }
        at = rest;
    }
    format!("`{out}`")
}

fn part_words(items: &Items<'_>, part: Part, is_alone: bool) -> String {
    let grammar = items.grammar;
    match part {
        Part::Expr(expr) => shown(grammar, expr, is_alone),
        Part::Rounds { body, min, max } => {
            let body = shown(grammar, body, false);
            match (min, max) {
                (0, None) => format!("{body}*"),
                (1, None) => format!("{body}+"),
                (0, Some(1)) => format!("{body}?"),
                (min, None) => format!("{body}{{{min},}}"),
                (min, Some(max)) => format!("{body}{{{min},{max}}}"),
            }
        }
        Part::Text { left, .. } => items.text_left(left),
        Part::Value { schema, .. } => format!("%schema {schema}"),
    }
}

/// An expression, in parentheses where others stand beside it.
fn shown(grammar: &Grammar, expr: ExprId, is_alone: bool) -> String {
    let text = grammar.show(expr).to_string();
    match grammar.expr(expr) {
        Expr::Choice(_) | Expr::Sequence(_) if !is_alone => format!("({text})"),
        _ => text,
    }
}
