//! Dialects: a draft, and which of its vocabularies are in force.
//!
//! A document states its dialect with `$schema`: the metaschema of a draft, or one of the user's, which names a draft by its
//! own `$schema` and vocabularies by `$vocabulary`. What states none has the dialect of the options.

use super::documents::Documents;
use super::draft::{Draft, Role};
use super::options::DialectName;
use super::refuse;
use crate::error::{CompileError, CompileErrorKind};
use crate::limits::METASCHEMAS_MAX;
use crate::syntax::json::{Kind, Value};

/// What the keywords of a schema mean.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Dialect {
    pub(super) draft: Draft,
    /// The schema objects of OpenAPI 3.0.
    pub(super) is_openapi: bool,
    vocabularies: Vocabularies,
}

/// Vocabularies of the drafts from 2019-09 on, as a set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Vocabularies(u8);

impl Vocabularies {
    const NONE: Self = Self(0);
    const APPLICATOR: Self = Self(1);
    const UNEVALUATED: Self = Self(2);
    const VALIDATION: Self = Self(4);
    const FORMAT: Self = Self(8);
    const ALL: Self = Self(15);

    fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The vocabulary of a URI; `None`: it is not known here.
    fn of_uri(uri: &str) -> Option<Self> {
        let path = uri.strip_prefix("https://json-schema.org/draft/")?;
        Some(match path {
            "2019-09/vocab/applicator" => Self::APPLICATOR.and(Self::UNEVALUATED),
            "2020-12/vocab/applicator" => Self::APPLICATOR,
            "2020-12/vocab/unevaluated" => Self::UNEVALUATED,
            "2019-09/vocab/validation" | "2020-12/vocab/validation" => Self::VALIDATION,
            "2019-09/vocab/format"
            | "2020-12/vocab/format"
            | "2020-12/vocab/format-annotation"
            | "2020-12/vocab/format-assertion" => Self::FORMAT,
            "2019-09/vocab/core"
            | "2019-09/vocab/meta-data"
            | "2019-09/vocab/content"
            | "2020-12/vocab/core"
            | "2020-12/vocab/meta-data"
            | "2020-12/vocab/content" => Self::NONE,
            _ => return None,
        })
    }

    /// The vocabulary that a keyword belongs to; that of keywords which are always there is empty.
    fn of_keyword(keyword: &str) -> Self {
        match keyword {
            "$ref" | "$dynamicRef" | "$recursiveRef" => Self::NONE,
            "format" => Self::FORMAT,
            "unevaluatedItems" | "unevaluatedProperties" => Self::UNEVALUATED,
            "properties"
            | "patternProperties"
            | "additionalProperties"
            | "propertyNames"
            | "items"
            | "prefixItems"
            | "additionalItems"
            | "contains"
            | "allOf"
            | "anyOf"
            | "oneOf"
            | "not"
            | "if"
            | "then"
            | "else"
            | "dependentSchemas"
            | "dependencies" => Self::APPLICATOR,
            _ => Self::VALIDATION,
        }
    }
}

/// The dialect that a `$schema` names.
pub(super) enum Named {
    Known(Dialect),
    /// It can be told once the document of this URI is there.
    Missing(String),
}

impl From<DialectName> for Dialect {
    fn from(name: DialectName) -> Self {
        match name {
            DialectName::Draft4 => Draft::Draft4.into(),
            DialectName::Draft6 => Draft::Draft6.into(),
            DialectName::Draft7 => Draft::Draft7.into(),
            DialectName::Draft2019 => Draft::Draft2019.into(),
            DialectName::Draft2020 | DialectName::OpenApi31 => Draft::Draft2020.into(),
            DialectName::OpenApi30 => Self { is_openapi: true, ..Draft::Draft4.into() },
        }
    }
}

impl From<Draft> for Dialect {
    fn from(draft: Draft) -> Self {
        Self { draft, is_openapi: false, vocabularies: Vocabularies::ALL }
    }
}

impl Dialect {
    /// What the value of a `$schema` names.
    pub(super) fn named(value: Value<'_>, documents: &Documents<'_>) -> Result<Named, CompileError> {
        let mut uri = string(value)?.to_owned();
        let mut vocabularies = None;
        for _ in 0..METASCHEMAS_MAX {
            if let Some(draft) = Draft::of_uri(&uri) {
                let vocabularies = vocabularies.unwrap_or(Vocabularies::ALL);
                return Ok(Named::Known(Self { draft, is_openapi: false, vocabularies }));
            }
            if ["draft-00", "draft-01", "draft-02", "draft-03"].iter().any(|old| uri.contains(old)) {
                let message = "drafts before draft-04 give `required`, `type` and others another meaning: state a later draft";
                return Err(refuse(CompileErrorKind::Unsupported, value, "$schema", message));
            }
            uri.truncate(uri.trim_end_matches('#').len());
            let Some(metaschema) = documents.of_uri(&uri) else { return Ok(Named::Missing(uri)) };
            if vocabularies.is_none() {
                vocabularies = metaschema.get("$vocabulary").map(listed).transpose()?;
            }
            let Some(next) = metaschema.get("$schema") else {
                return Ok(Named::Known(Self {
                    vocabularies: vocabularies.unwrap_or(Vocabularies::ALL),
                    ..Draft::Draft2020.into()
                }));
            };
            uri = string(next)?.to_owned();
        }
        let message = format!(
            "{:?} leads through more than {METASCHEMAS_MAX} metaschemas (METASCHEMAS_MAX), and to no draft of JSON Schema",
            string(value)?
        );
        Err(refuse(CompileErrorKind::Unsupported, value, "$schema", message))
    }

    /// What the keyword does in this dialect.
    pub(super) fn role(self, keyword: &str) -> Role {
        match self.draft.role(keyword) {
            Role::Asserts if !self.vocabularies.has(Vocabularies::of_keyword(keyword)) => Role::Foreign,
            Role::Unknown if self.is_openapi && keyword == "nullable" => Role::Asserts,
            role => role,
        }
    }

    /// The member that gives a schema its URI.
    pub(super) fn id_keyword(self) -> &'static str {
        if self.draft == Draft::Draft4 { "id" } else { "$id" }
    }

    /// Its usual name.
    pub(super) fn name(self) -> &'static str {
        match (self.is_openapi, self.vocabularies) {
            (true, _) => "OpenAPI 3.0",
            (false, Vocabularies::ALL) => self.draft.name(),
            _ => "this dialect",
        }
    }
}

fn string(value: Value<'_>) -> Result<&str, CompileError> {
    value.as_str().ok_or_else(|| {
        let message = "the value is not a string: give the URI of a draft, or leave it out for 2020-12";
        refuse(CompileErrorKind::Invalid, value, "$schema", message)
    })
}

/// The vocabularies of a `$vocabulary`.
fn listed(value: Value<'_>) -> Result<Vocabularies, CompileError> {
    let mut all = Vocabularies::NONE;
    for (uri, required) in value.members() {
        match Vocabularies::of_uri(uri) {
            Some(vocabulary) => all = all.and(vocabulary),
            None if required.kind() == Kind::Boolean(true) => {
                let message = format!(
                    "the vocabulary {uri:?} is required and not known here: what its keywords mean can't be told"
                );
                return Err(refuse(CompileErrorKind::Unsupported, required, "$vocabulary", message));
            }
            None => {}
        }
    }
    Ok(all)
}
