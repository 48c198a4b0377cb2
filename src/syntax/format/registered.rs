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
        let language = match pattern::whole(pattern) {
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

    /// The names, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.by_name.keys().map(AsRef::as_ref)
    }
}
