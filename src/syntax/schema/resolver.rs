//! Where documents come from that a schema refers to and that are not the crate's own metaschemas. Nothing is fetched here.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::metaschemas;

type Ask = dyn Fn(&str) -> Option<String> + Send + Sync;

/// Supplies the documents that a schema's `$ref`, `$dynamicRef`, `$recursiveRef` and `$schema` lead to.
///
/// It is asked with an absolute URI without a fragment; a relative reference in a document without an `$id` is asked for as it
/// stands (`"common.json"`). The metaschemas of the drafts need no resolver. A clone is the same resolver; two that were made one
/// by one are not equal.
///
/// ```
/// use maskwright::{Compiler, CompilerConfig, Resolver, Vocabulary};
///
/// let mut config = CompilerConfig::default();
/// config.resolver = Resolver::of_documents([("common.json".to_owned(), r#"{"$defs": {"id": {"type": "integer"}}}"#.to_owned())]);
/// let compiler = Compiler::new(Vocabulary::demo(), config);
/// compiler.json_schema(r#"{"$ref": "common.json#/$defs/id"}"#)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default)]
pub struct Resolver {
    ask: Option<Arc<Ask>>,
}

impl Resolver {
    /// A resolver that asks a function, during compilation and on the thread that compiles.
    #[must_use]
    pub fn new(ask: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Self {
        Self { ask: Some(Arc::new(ask)) }
    }

    /// A resolver that has these documents, by URI.
    #[must_use]
    pub fn of_documents(documents: impl IntoIterator<Item = (String, String)>) -> Self {
        let documents: BTreeMap<String, String> = documents.into_iter().collect();
        Self::new(move |uri| documents.get(uri).cloned())
    }

    /// The text of a document; the crate's own metaschemas first.
    #[must_use]
    pub fn document(&self, uri: &str) -> Option<Cow<'static, str>> {
        match metaschemas::text(uri) {
            Some(text) => Some(Cow::Borrowed(text)),
            None => self.ask.as_ref()?(uri).map(Cow::Owned),
        }
    }
}

impl PartialEq for Resolver {
    fn eq(&self, other: &Self) -> bool {
        match (&self.ask, &other.ask) {
            (None, None) => true,
            (Some(mine), Some(theirs)) => Arc::ptr_eq(mine, theirs),
            _ => false,
        }
    }
}

impl Eq for Resolver {}

impl fmt::Debug for Resolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.ask.is_some() { "Resolver(..)" } else { "Resolver(none)" })
    }
}
