//! What there is to know about a vocabulary before trusting it, for people.

use std::fmt;

use super::{ByteSet, TokenKind, Vocabulary};
use crate::index::TokenId;

/// Most ids or names that one line of the report lists.
const LISTED_MAX: usize = 12;

/// Counts and exceptions of a vocabulary. `Display` prints a dozen lines; the whole list of added tokens is
/// [`Vocabulary::added_tokens`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VocabularyReport {
    /// Number of ids, holes included.
    pub len: usize,
    /// Number of logits.
    pub logits_width: usize,
    /// Number of text tokens.
    pub text_count: usize,
    /// Number of letters, stop tokens among them.
    pub letter_count: usize,
    /// Tokens that spell nothing: never allowed.
    pub empty: Vec<TokenId>,
    /// Ids of which the file does not say what they spell: never allowed.
    pub undecodable: Vec<TokenId>,
    /// Length of the longest text token in bytes.
    pub longest_token: usize,
    /// Bytes that no text token spells alone.
    pub missing_bytes: ByteSet,
    /// Stop tokens with their names.
    pub stop_tokens: Vec<(TokenId, String)>,
    /// Added tokens in groups of one kind and reason, each with its first few names.
    pub added: Vec<AddedGroup>,
}

/// Added tokens of which the same was made for the same reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AddedGroup {
    /// What was made of them.
    pub kind: TokenKind,
    /// Why.
    pub reason: super::KindReason,
    /// How many.
    pub count: usize,
    /// How many the file calls special.
    pub special_in_file_count: usize,
    /// The first few names.
    pub examples: Vec<String>,
}

impl VocabularyReport {
    pub(super) fn of(vocabulary: &Vocabulary) -> Self {
        let ids = |kind| {
            (0..vocabulary.len()).map(TokenId::new).filter(move |&token| vocabulary.kind(token) == kind)
        };
        Self {
            len: vocabulary.len(),
            logits_width: vocabulary.logits_width(),
            text_count: ids(TokenKind::Text).count(),
            letter_count: ids(TokenKind::Letter).count(),
            empty: ids(TokenKind::Empty).collect(),
            undecodable: ids(TokenKind::Undecodable).collect(),
            longest_token: vocabulary.longest_token(),
            missing_bytes: *vocabulary.missing_bytes(),
            stop_tokens: vocabulary
                .stop_tokens()
                .iter()
                .map(|&token| (token, vocabulary.name(token).to_owned()))
                .collect(),
            added: groups(vocabulary),
        }
    }
}

fn groups(vocabulary: &Vocabulary) -> Vec<AddedGroup> {
    let mut groups: Vec<AddedGroup> = Vec::new();
    for token in vocabulary.added_tokens() {
        let at = groups.iter().position(|g| (g.kind, g.reason) == (token.kind, token.reason));
        let at = at.unwrap_or_else(|| {
            groups.push(AddedGroup {
                kind: token.kind,
                reason: token.reason,
                count: 0,
                special_in_file_count: 0,
                examples: Vec::new(),
            });
            groups.len() - 1
        });
        let group = &mut groups[at];
        group.count += 1;
        group.special_in_file_count += usize::from(token.special_in_file);
        if group.examples.len() < LISTED_MAX {
            group.examples.push(super::entries::shortened(token.content));
        }
    }
    groups
}

impl fmt::Display for VocabularyReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} ids, {} logits", self.len, self.logits_width)?;
        writeln!(f, "text: {} (the longest has {} bytes)", self.text_count, self.longest_token)?;
        writeln!(f, "letters: {}", self.letter_count)?;
        write_ids(f, "empty, never allowed", &self.empty)?;
        write_ids(f, "undecodable, never allowed", &self.undecodable)?;
        if self.stop_tokens.is_empty() {
            writeln!(f, "stop tokens: none with a well-known name; set them, or no text can end")?;
        } else {
            write!(f, "stop tokens:")?;
            for (token, name) in &self.stop_tokens {
                write!(f, " {} {name:?}", token.0)?;
            }
            writeln!(f)?;
        }
        if !self.missing_bytes.is_empty() {
            writeln!(f, "bytes that no token spells alone: {}", self.missing_bytes)?;
        }
        for group in &self.added {
            write!(
                f,
                "added, {} ({}): {}, of which the file calls {} special:",
                group.kind, group.reason, group.count, group.special_in_file_count
            )?;
            for example in &group.examples {
                write!(f, " {example}")?;
            }
            writeln!(f, "{}", if group.examples.len() < group.count { " …" } else { "" })?;
        }
        Ok(())
    }
}

fn write_ids(f: &mut fmt::Formatter<'_>, what: &str, ids: &[TokenId]) -> fmt::Result {
    write!(f, "{what}: {}", ids.len())?;
    for (token, separator) in
        ids.iter().take(LISTED_MAX).zip(std::iter::once(" (").chain(std::iter::repeat(" ")))
    {
        write!(f, "{separator}{}", token.0)?;
    }
    writeln!(
        f,
        "{}",
        if ids.is_empty() {
            ""
        } else if ids.len() > LISTED_MAX {
            " …)"
        } else {
            ")"
        }
    )
}
