//! The documents of one compilation: the schema, and those that its references and dialects ask for.
//!
//! They are read together, with ids that run on from one to the next, so that a value of any of them is known by its id.

use std::borrow::Cow;

use super::limit;
use crate::error::CompileError;
use crate::index::{narrow, widen};
use crate::limits::{REFERRED_DOCUMENTS_MAX, SCHEMA_BYTES_MAX};
use crate::syntax::json::{Json, Value};

/// A document that was asked for, as it was supplied.
pub(super) struct Supplied {
    /// The URI that it was asked for by, absolute and without a fragment.
    pub(super) uri: String,
    pub(super) text: Cow<'static, str>,
}

/// All documents, the schema first.
pub(super) struct Documents<'t> {
    read: Vec<Json<'t>>,
}

impl<'t> Documents<'t> {
    pub(super) fn read(schema: &'t str, others: &'t [Supplied]) -> Result<Self, CompileError> {
        if others.len() > REFERRED_DOCUMENTS_MAX {
            let message = format!(
                "its references lead to more than {REFERRED_DOCUMENTS_MAX} documents (REFERRED_DOCUMENTS_MAX)"
            );
            return Err(limit("documents", message));
        }
        let bytes: usize = others.iter().map(|other| other.text.len()).sum::<usize>() + schema.len();
        if bytes > SCHEMA_BYTES_MAX {
            let message = format!(
                "the schema and what it refers to have {bytes} bytes, more than SCHEMA_BYTES_MAX ({SCHEMA_BYTES_MAX})"
            );
            return Err(limit("schema length", message));
        }
        let mut read = Vec::with_capacity(1 + others.len());
        read.push(Json::read(schema)?);
        let mut first = read[0].len();
        for other in others {
            let json = Json::read(&other.text).map_err(|e| CompileError::from(e).in_document(&other.uri))?;
            read.push(json.placed(&other.uri, narrow(first)));
            first += read[read.len() - 1].len();
        }
        Ok(Self { read })
    }

    /// The schema itself.
    pub(super) fn root(&self) -> Value<'_> {
        self.read[0].root()
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Json<'t>> {
        self.read.iter()
    }

    /// The document that was supplied for a URI.
    pub(super) fn of_uri(&self, uri: &str) -> Option<Value<'_>> {
        self.read[1..].iter().find(|json| json.uri() == uri).map(Json::root)
    }

    /// The value of an id. O(log documents).
    pub(super) fn value(&self, id: u32) -> Value<'_> {
        let after = self.read.partition_point(|json| json.first() <= id);
        self.read[after - 1].value(id)
    }

    /// Number of values in all.
    pub(super) fn len(&self) -> usize {
        let last = &self.read[self.read.len() - 1];
        widen(last.first()) + last.len()
    }
}
