//! Formats that the caller defines: a name, and a pattern that is the whole text or a grammar whose texts are.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::is_standard;
use crate::error::FormatError;
use crate::grammar::regex::Regex;
use crate::grammar::rules::{Expr, Grammar};
use crate::grammar::sentence::Sentences;
use crate::limits::{FORMAT_NAME_BYTES_MAX, FORMATS_MAX, FORMATS_NODES_MAX};
use crate::syntax::pattern;

/// Formats that the caller defines. Cloning is O(1).
///
/// A format is an ECMA-262 pattern that the *whole* text must match, as if it stood between `^(?:` and `)$`: unlike
/// `pattern`, which is searched for. Names of the specification can't be taken, so that a schema means the same with and
/// without these; a name is defined once.
///
/// ```
/// use maskwright::Formats;
///
/// let formats = Formats::default().with("parcel", "[0-9]{4}|none")?;
/// assert!(formats.clone().with("date", "[0-9]+").is_err());
/// assert!(formats.with("parcel", "[0-9]+").is_err());
/// # Ok::<(), maskwright::FormatError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Formats {
    by_name: Arc<BTreeMap<Box<str>, Registered>>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Registered {
    language: Language,
    nodes: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Language {
    Pattern { pattern: Box<str>, regex: Regex },
    Grammar(Sentences),
}

impl Formats {
    /// These formats and one more.
    ///
    /// # Errors
    /// If the name is empty, too long, of the specification or defined already; if the pattern is malformed, not regular
    /// or passes a limit; if the formats together pass one.
    pub fn with(self, name: &str, pattern: &str) -> Result<Self, FormatError> {
        self.check_name(name)?;
        let regex = match pattern::parse_whole(pattern) {
            Ok(regex) => regex,
            Err(error) => {
                return Err(FormatError::new(name, format!("its pattern is refused: {error} {pattern:?}")));
            }
        };
        let nodes = regex.size();
        self.and(name, Registered { language: Language::Pattern { pattern: pattern.into(), regex }, nodes })
    }

    /// These formats and one more: the texts of a grammar.
    ///
    /// Such a format may stand where it is decided before the string is read that it holds: not below `not`, and not in one of several
    /// alternatives that are still open then. A schema in which it stands elsewhere is refused.
    ///
    /// ```
    /// use maskwright::syntax::ebnf;
    /// use maskwright::{Compiler, CompilerConfig, Formats, Vocabulary};
    ///
    /// let sum = ebnf::parse(r#"sum ::= sum "+" term | term  term ::= [0-9]+ | "(" sum ")""#)?.grammar;
    /// let mut config = CompilerConfig::default();
    /// config.formats = Formats::default().with_grammar("sum", sum)?;
    /// let compiler = Compiler::new(Vocabulary::demo(), config);
    /// compiler.json_schema(r#"{"type": "string", "format": "sum", "maxLength": 20}"#)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the name is refused as by [`Formats::with`], tokens or schemas stand in the grammar, or the formats together pass a
    /// limit.
    pub fn with_grammar(self, name: &str, grammar: Grammar) -> Result<Self, FormatError> {
        self.check_name(name)?;
        let sizes = grammar.exprs.iter().map(|expr| match expr {
            Expr::Text(regex) | Expr::Within { regex, .. } => 1 + regex.size(),
            other => 1 + other.children().len(),
        });
        let nodes = sizes.sum::<usize>() + grammar.rules.len();
        match Sentences::new(grammar) {
            Some(sentences) => self.and(name, Registered { language: Language::Grammar(sentences), nodes }),
            None => Err(FormatError::new(
                name,
                "tokens or schemas stand in its grammar, and a string has characters only",
            )),
        }
    }

    fn check_name(&self, name: &str) -> Result<(), FormatError> {
        let refuse = |why: String| Err(FormatError::new(name, why));
        if name.is_empty() || name.len() > FORMAT_NAME_BYTES_MAX {
            return refuse(format!(
                "a name has 1 to {FORMAT_NAME_BYTES_MAX} bytes (FORMAT_NAME_BYTES_MAX), this one {}",
                name.len()
            ));
        }
        if is_standard(name) {
            return refuse("the specification defines it: choose another name".into());
        }
        if let Some(known) = self.by_name.get(name) {
            let known = match &known.language {
                Language::Pattern { pattern, .. } => format!("{pattern:?}"),
                Language::Grammar(sentences) => format!("the grammar {sentences}"),
            };
            return refuse(format!("it is defined already, as {known}: choose another name"));
        }
        if self.by_name.len() >= FORMATS_MAX {
            return refuse(format!("there are {FORMATS_MAX} formats already (FORMATS_MAX)"));
        }
        Ok(())
    }

    fn and(mut self, name: &str, registered: Registered) -> Result<Self, FormatError> {
        let nodes = self.by_name.values().map(|known| known.nodes).sum::<usize>();
        if registered.nodes + nodes > FORMATS_NODES_MAX {
            let why =
                format!("all formats together have more than {FORMATS_NODES_MAX} nodes (FORMATS_NODES_MAX)");
            return Err(FormatError::new(name, why));
        }
        Arc::make_mut(&mut self.by_name).insert(name.into(), registered);
        Ok(self)
    }

    /// The language of a format that the caller defined by a pattern.
    #[must_use]
    pub fn regex(&self, name: &str) -> Option<Regex> {
        match &self.by_name.get(name)?.language {
            Language::Pattern { regex, .. } => Some(regex.clone()),
            Language::Grammar(_) => None,
        }
    }

    /// The texts of a format that the caller defined by a grammar.
    #[must_use]
    pub fn sentences(&self, name: &str) -> Option<Sentences> {
        match &self.by_name.get(name)?.language {
            Language::Pattern { .. } => None,
            Language::Grammar(sentences) => Some(sentences.clone()),
        }
    }

    /// The names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(|name| &**name)
    }

    /// The names of formats that are defined by patterns, sorted, each with its pattern.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.by_name.iter().filter_map(|(name, known)| match &known.language {
            Language::Pattern { pattern, .. } => Some((&**name, &**pattern)),
            Language::Grammar(_) => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Formats;
    use crate::grammar::naive::is_match;
    use crate::limits::{FORMAT_NAME_BYTES_MAX, FORMATS_MAX, PATTERN_BYTES_MAX};

    fn refusal(formats: &Formats, name: &str, pattern: &str) -> String {
        formats.clone().with(name, pattern).expect_err("it is refused").to_string()
    }

    #[test]
    fn a_format_is_the_whole_text() {
        for (pattern, inside, outside) in [
            ("[0-9]{4}", "1234", "12345"),
            ("a|b", "b", "ab"),
            ("^a$", "a", "aa"),
            ("", "", "a"),
            ("^(?!x).*", "ax", "xa"),
        ] {
            let regex = Formats::default().with("f", pattern).unwrap().regex("f").unwrap();
            assert!(is_match(&regex, inside) && !is_match(&regex, outside), "{pattern}");
        }
    }

    #[test]
    fn names_are_new_and_patterns_stand_alone() {
        let formats = Formats::default().with("parcel", "[0-9]{4}").unwrap();
        for (name, pattern, why) in [
            ("date", "[0-9]+", "the specification defines it"),
            ("parcel", "[0-9]{4}", "it is defined already, as \"[0-9]{4}\""),
            ("", "a", "1 to 256 bytes"),
            (&"n".repeat(FORMAT_NAME_BYTES_MAX + 1), "a", "this one 257"),
            // Not what it would be inside of a group.
            ("open", "a)|(?:b", "syntax at byte 1"),
            ("back", "(a)\\1", "back-reference"),
            ("long", &"a".repeat(PATTERN_BYTES_MAX + 1), "longer than"),
        ] {
            let message = refusal(&formats, name, pattern);
            assert!(message.contains(why), "{message}");
        }
        assert_eq!(formats.iter().collect::<Vec<_>>(), [("parcel", "[0-9]{4}")]);
        assert!(formats.regex("date").is_none());
    }

    #[test]
    fn number_and_size_are_limited() {
        let mut formats = Formats::default();
        for i in 0..FORMATS_MAX {
            formats = formats.with(&format!("f{i}"), "a").unwrap();
        }
        assert!(refusal(&formats, "more", "a").contains("FORMATS_MAX"));
        let alternatives: Vec<String> = (0..6_000).map(|i| format!("{i}[a-z]")).collect();
        let pattern = alternatives.join("|");
        let mut formats = Formats::default();
        let error = (0..FORMATS_MAX).find_map(|i| match formats.clone().with(&format!("f{i}"), &pattern) {
            Ok(more) => {
                formats = more;
                None
            }
            Err(error) => Some(error.to_string()),
        });
        assert!(error.unwrap().contains("FORMATS_NODES_MAX"));
    }

    #[test]
    fn equal_formats_are_equal_and_share_nothing_afterwards() {
        let one = Formats::default().with("a", "x").unwrap();
        assert_eq!(one, Formats::default().with("a", "x").unwrap());
        assert_ne!(one, Formats::default().with("a", "y").unwrap());
        let two = one.clone().with("b", "y").unwrap();
        assert!(one.regex("b").is_none() && two.regex("b").is_some());
    }
}
