//! Formats that the caller defines: a name and a pattern that is the whole text.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::is_standard;
use crate::error::FormatError;
use crate::grammar::regex::Regex;
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
    pattern: Box<str>,
    language: Regex,
    nodes: usize,
}

impl Formats {
    /// These formats and one more.
    ///
    /// # Errors
    /// If the name is empty, too long, of the specification or defined already; if the pattern is malformed, not regular
    /// or passes a limit; if the formats together pass one.
    pub fn with(mut self, name: &str, pattern: &str) -> Result<Self, FormatError> {
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
            return refuse(format!("it is defined already, as {:?}: choose another name", known.pattern));
        }
        if self.by_name.len() >= FORMATS_MAX {
            return refuse(format!("there are {FORMATS_MAX} formats already (FORMATS_MAX)"));
        }
        let language = match pattern::parse_whole(pattern) {
            Ok(language) => language,
            Err(error) => return refuse(format!("its pattern is refused: {error} {pattern:?}")),
        };
        let nodes = language.size();
        if nodes + self.by_name.values().map(|known| known.nodes).sum::<usize>() > FORMATS_NODES_MAX {
            return refuse(format!(
                "all formats together have more than {FORMATS_NODES_MAX} nodes (FORMATS_NODES_MAX)"
            ));
        }
        let registered = Registered { pattern: pattern.into(), language, nodes };
        Arc::make_mut(&mut self.by_name).insert(name.into(), registered);
        Ok(self)
    }

    /// The language of a format that the caller defined.
    #[must_use]
    pub fn regex(&self, name: &str) -> Option<Regex> {
        self.by_name.get(name).map(|known| known.language.clone())
    }

    /// The names, sorted, each with its pattern.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.by_name.iter().map(|(name, known)| (&**name, &*known.pattern))
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
