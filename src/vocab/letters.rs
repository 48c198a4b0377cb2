//! Which tokens are text: the rules, in the order in which they are asked.
//!
//! The `special` flag of tokenizer files is wrong both ways (Qwen 3's `<think>` is "not special"), so it
//! decides nothing. An added token is a letter, unless it is whitespace only, or its family's tokens are known to list it
//! among its text. A letter costs the text nothing: other tokens spell its bytes.

use super::{
    entries::{Entries, Origin},
    kind::{KindReason, TokenKind},
};
use crate::index::TokenId;

/// What the rules say about one id that is no plain entry of the model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ruling {
    pub(super) id: TokenId,
    pub(super) special_in_file: bool,
    pub(super) reason: KindReason,
}

/// The kind of every id, and a ruling for each one that needed a rule, ascending by id.
pub(super) fn classify(entries: &Entries) -> (Vec<TokenKind>, Vec<Ruling>) {
    let family = Family::of(entries);
    let mut kinds = Vec::with_capacity(entries.len());
    let mut rulings = Vec::new();
    for at in 0..entries.len() {
        let (kind, ruling) = match entries.origin(at) {
            Origin::Hole => (TokenKind::Undecodable, None),
            Origin::Model if entries.bytes(at).is_empty() => (TokenKind::Empty, None),
            Origin::Model => (TokenKind::Text, None),
            Origin::Unknown => (TokenKind::Letter, Some((false, KindReason::Unknown))),
            Origin::Unused => (TokenKind::Letter, Some((false, KindReason::Unused))),
            Origin::Added { special } => {
                let (kind, reason) = added(family, entries.name(at), entries.bytes(at));
                (kind, Some((special, reason)))
            }
        };
        kinds.push(kind);
        rulings.extend(ruling.map(|(special_in_file, reason)| Ruling {
            id: TokenId::new(at),
            special_in_file,
            reason,
        }));
    }
    (kinds, rulings)
}

fn added(family: Family, name: &str, bytes: &[u8]) -> (TokenKind, KindReason) {
    if bytes.is_empty() {
        (TokenKind::Empty, KindReason::Empty)
    } else if is_whitespace(bytes) {
        (TokenKind::Text, KindReason::Whitespace)
    } else if family.writes_as_text(name) {
        (TokenKind::Text, KindReason::FamilyText)
    } else {
        (TokenKind::Letter, KindReason::Added)
    }
}

fn is_whitespace(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| text.chars().all(char::is_whitespace))
}

/// Model families that list text among their added tokens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Family {
    /// Gemma 1 to 3: HTML tags, one token each.
    Gemma,
    /// Every other one.
    Other,
}

/// Added tokens that together only Gemma's files have.
const GEMMA_MARKS: [&str; 3] = ["<start_of_turn>", "<end_of_turn>", "<unused0>"];

/// What stands between the angle brackets of Gemma's HTML tags.
const GEMMA_HTML: [&str; 36] = [
    "a",
    "b",
    "blockquote",
    "body",
    "caption",
    "code",
    "div",
    "em",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "html",
    "i",
    "iframe",
    "img",
    "li",
    "ol",
    "p",
    "s",
    "span",
    "strong",
    "sub",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "tr",
    "u",
    "ul",
];

impl Family {
    fn of(entries: &Entries) -> Self {
        let mut found = [false; GEMMA_MARKS.len()];
        for at in 0..entries.len() {
            if matches!(entries.origin(at), Origin::Added { .. } | Origin::Unused)
                && let Some(mark) = GEMMA_MARKS.iter().position(|&mark| mark == entries.name(at))
            {
                found[mark] = true;
            }
        }
        if found == [true; GEMMA_MARKS.len()] { Self::Gemma } else { Self::Other }
    }

    fn writes_as_text(self, name: &str) -> bool {
        let tag = name
            .strip_prefix("</")
            .or_else(|| name.strip_prefix('<'))
            .and_then(|rest| rest.strip_suffix('>'));
        self == Self::Gemma && tag.is_some_and(|tag| GEMMA_HTML.binary_search(&tag).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::{GEMMA_HTML, GEMMA_MARKS, classify};
    use crate::vocab::{
        entries::{EntriesBuilder, Origin},
        kind::{KindReason, TokenKind},
    };

    /// The kind and reason of an added token that stands beside others.
    fn ruled(content: &str, beside: &[&str]) -> (TokenKind, KindReason) {
        let mut builder = EntriesBuilder::default();
        for (name, id) in std::iter::once(content).chain(beside.iter().copied()).zip(0..) {
            builder.push(id, name, name.as_bytes(), Origin::Added { special: false }).unwrap();
        }
        let (kinds, rulings) = classify(&builder.finish().unwrap());
        (kinds[0], rulings[0].reason)
    }

    #[test]
    fn added_tokens_are_letters_unless_whitespace_or_listed() {
        assert!(GEMMA_HTML.is_sorted());
        for letter in ["<think>", "<|im_end|>", "a", " a", "<td>", "</td>", "\u{200B}"] {
            assert_eq!(ruled(letter, &[]), (TokenKind::Letter, KindReason::Added), "{letter:?}");
        }
        for text in ["\n", "\t\t", "  ", "\u{A0}", "\u{3000}\r\n"] {
            assert_eq!(ruled(text, &[]), (TokenKind::Text, KindReason::Whitespace), "{text:?}");
        }
        assert_eq!(ruled("", &[]), (TokenKind::Empty, KindReason::Empty));
        for text in ["<td>", "</td>", "<h1>", "</s>"] {
            assert_eq!(ruled(text, &GEMMA_MARKS), (TokenKind::Text, KindReason::FamilyText), "{text:?}");
            assert_eq!(ruled(text, &GEMMA_MARKS[..2]), (TokenKind::Letter, KindReason::Added), "{text:?}");
        }
        for letter in ["<bbox>", "<unused1>", "<<td>", "<td", "td", "<>", "[multimodal]"] {
            assert_eq!(ruled(letter, &GEMMA_MARKS), (TokenKind::Letter, KindReason::Added), "{letter:?}");
        }
    }
}
