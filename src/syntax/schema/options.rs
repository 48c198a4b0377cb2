//! What a compilation of a schema depends on besides its text.

use crate::grammar::policy::SurfacePolicy;
use crate::syntax::format::Formats;

/// The choices under which a schema is read. Equal options and equal texts give equal programs and reports.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SchemaOptions {
    /// Which spellings of a JSON value are generated.
    pub policy: SurfacePolicy,
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
