//! What a compilation of a schema depends on besides its text.

use super::resolver::Resolver;
use crate::grammar::policy::SurfacePolicy;
use crate::syntax::format::Formats;

/// The choices under which a schema is read. Equal options and equal texts give equal programs and reports.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SchemaOptions {
    /// Which spellings of a JSON value are generated.
    pub policy: SurfacePolicy,
    /// The dialect of documents that state none.
    pub dialect: DialectName,
    /// Where documents come from that the schema refers to.
    pub resolver: Resolver,
    /// What a `format` does.
    pub formats_are: FormatsAre,
    /// Formats that the caller defines, beside those of the specification.
    pub formats: Formats,
    /// Whether a `format` that would be an annotation, since it is neither of the specification nor the caller's, is refused.
    pub strict: bool,
}

impl SchemaOptions {
    /// The default options under another surface policy.
    #[must_use]
    pub fn with_policy(policy: SurfacePolicy) -> Self {
        Self { policy, ..Self::default() }
    }
}

/// A dialect of JSON Schema.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum DialectName {
    /// Draft-04.
    Draft4,
    /// Draft-06.
    Draft6,
    /// Draft-07.
    Draft7,
    /// Draft 2019-09.
    Draft2019,
    /// Draft 2020-12.
    #[default]
    Draft2020,
    /// The schema objects of OpenAPI 3.0: draft-04 with `nullable`.
    OpenApi30,
    /// The schema objects of OpenAPI 3.1: draft 2020-12 with annotations of its own.
    OpenApi31,
}

/// What a `format` that is known does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum FormatsAre {
    /// It constrains strings, in every draft.
    #[default]
    Asserted,
    /// It constrains nothing, as the drafts say by default.
    Annotations,
}
