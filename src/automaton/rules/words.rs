//! Positions of grammars in words: what a state of a grammar has still to match.

use crate::automaton::rules::net::Net;
use crate::automaton::rules::part::{Part, PartId, PosId, Position};
use crate::automaton::universe::Universe;
use crate::index::{FrameId, StateId};
use crate::limits::WORDS_BYTES_MAX;

/// What is still to be written.
enum Left {
    Part(PartId),
    /// A part that others stand beside: choices and sequences go into parentheses.
    Item(PartId),
    Word(String),
}

/// Most tokens of a list that are named.
const TOKENS_SHOWN: usize = 4;

impl Universe {
    /// What the positions of a net state have still to match, each over its frame (`None`: that of the configuration).
    pub(crate) fn net_words(&self, at: u32) -> Vec<(String, Option<(StateId, FrameId)>)> {
        match self.net(at) {
            Net::Set(positions) => positions.iter().map(|&at| (self.position_words(at), None)).collect(),
            Net::Many(slots) => slots.iter().map(|&slot| (String::new(), Some(slot))).collect(),
        }
    }

    /// What is left to match at a position, cut at [`WORDS_BYTES_MAX`].
    pub(crate) fn position_words(&self, position: PosId) -> String {
        let mut out = String::new();
        let mut at = position;
        while let Position::Before { part, rest } = self.rules.positions.get(at.0).key {
            if !out.is_empty() {
                out.push(' ');
            }
            self.write_part(&mut out, part);
            if out.len() > WORDS_BYTES_MAX {
                out.push('…');
                return out;
            }
            at = rest;
        }
        if out.is_empty() { "the end of the rule".into() } else { out }
    }

    /// Parts may be deep: what is left to write lies on a stack of our own.
    fn write_part(&self, out: &mut String, part: PartId) {
        let mut left = vec![Left::Item(part)];
        while let Some(next) = left.pop() {
            if out.len() > WORDS_BYTES_MAX {
                return;
            }
            let (part, is_item) = match next {
                Left::Word(word) => {
                    out.push_str(&word);
                    continue;
                }
                Left::Part(part) => (part, false),
                Left::Item(part) => (part, true),
            };
            match self.rules.part_of(part) {
                Part::Lex(lex) => out.push_str(&self.lex_text(*lex)),
                Part::Letters(list) => out.push_str(&self.letters_text(*list)),
                Part::Rule(rule) => out.push_str(&self.rules.rule(*rule).name),
                Part::Value(value) => {
                    out.push_str("JSON ");
                    out.push_str(&self.formula_words(self.value(*value).must));
                }
                Part::Quote(_) => out.push_str(r#""\"""#),
                Part::Sequence(parts) => list(&mut left, parts, " ", is_item),
                Part::Choice(parts) => list(&mut left, parts, " | ", is_item),
                Part::NonEmpty(part) => {
                    left.push(if is_item { Left::Item(*part) } else { Left::Part(*part) })
                }
                Part::Repeat { body, min, max } => {
                    left.push(Left::Word(counts(*min, *max)));
                    left.push(Left::Item(*body));
                }
            }
        }
    }

    fn letters_text(&self, list: u32) -> String {
        let tokens = self.rules.letters.get(list);
        let mut names: Vec<&str> =
            tokens.iter().take(TOKENS_SHOWN).map(|&token| self.vocabulary.name(token)).collect();
        if tokens.len() > TOKENS_SHOWN {
            names.push("…");
        }
        format!("<[{}]>", names.join(" "))
    }
}

fn list(left: &mut Vec<Left>, parts: &[PartId], between: &str, is_item: bool) {
    if is_item {
        left.push(Left::Word(")".into()));
    }
    for (i, &part) in parts.iter().enumerate().rev() {
        left.push(Left::Item(part));
        if i > 0 {
            left.push(Left::Word(between.into()));
        }
    }
    if is_item {
        left.push(Left::Word("(".into()));
    }
}

fn counts(min: u32, max: Option<u32>) -> String {
    match (min, max) {
        (0, None) => "*".into(),
        (1, None) => "+".into(),
        (0, Some(1)) => "?".into(),
        (min, None) => format!("{{{min},}}"),
        (min, Some(max)) if min == max => format!("{{{min}}}"),
        (min, Some(max)) => format!("{{{min},{max}}}"),
    }
}

impl Universe {
    /// What the members of a frame wait with, a few of them.
    pub(crate) fn several_words(&self, frame: FrameId) -> String {
        let members = self.members(frame);
        let mut words: Vec<String> =
            members.map(|(position, _)| format!("then {}", self.position_words(position))).collect();
        words.sort();
        words.dedup();
        if words.len() > TOKENS_SHOWN {
            words.truncate(TOKENS_SHOWN);
            words.push("…".into());
        }
        words.join("; ")
    }
}
