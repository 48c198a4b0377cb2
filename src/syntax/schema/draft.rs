//! The drafts of JSON Schema, and which keyword each of them knows.
//!
//! A keyword that the draft of a schema does not know is an annotation, as that draft says, and the report lists it.

/// A draft, oldest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Draft {
    Draft4,
    Draft6,
    Draft7,
    Draft2019,
    Draft2020,
}

/// What a keyword does in a schema.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// It names the schema, or holds others: nothing to enforce by itself.
    Structural,
    /// It constrains values.
    Asserts,
    /// It describes, and constrains nothing.
    Annotates,
    /// Another draft knows it, this one does not.
    Foreign,
    /// No draft knows it.
    Unknown,
}

impl Draft {
    /// The draft whose metaschema has this URI.
    pub(super) fn of_uri(uri: &str) -> Option<Self> {
        let uri = uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://"))?;
        if uri == "spec.openapis.org/oas/3.1/dialect/base" {
            // Draft 2020-12 and further annotations.
            return Some(Self::Draft2020);
        }
        let path = uri.strip_prefix("json-schema.org/")?;
        Some(match path.trim_end_matches('#') {
            "draft-04/schema" | "draft-04/hyper-schema" => Self::Draft4,
            "draft-05/schema" => Self::Draft4,
            "draft-06/schema" | "draft-06/hyper-schema" => Self::Draft6,
            "draft-07/schema" | "draft-07/hyper-schema" => Self::Draft7,
            "draft/2019-09/schema" | "draft/2019-09/hyper-schema" => Self::Draft2019,
            "draft/2020-12/schema" | "draft/2020-12/hyper-schema" | "schema" => Self::Draft2020,
            _ => return None,
        })
    }

    /// Its usual name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Draft4 => "draft-04",
            Self::Draft6 => "draft-06",
            Self::Draft7 => "draft-07",
            Self::Draft2019 => "draft 2019-09",
            Self::Draft2020 => "draft 2020-12",
        }
    }

    /// Whether members beside `$ref` are ignored.
    pub(super) fn ref_stands_alone(self) -> bool {
        self <= Self::Draft7
    }

    /// What the keyword does in this draft.
    pub(super) fn role(self, keyword: &str) -> Role {
        match lifetime(keyword) {
            None => Role::Unknown,
            Some((since, until, _)) if self < since || self > until => Role::Foreign,
            Some((_, _, role)) => role,
        }
    }
}

/// First and last draft that know a keyword, and what it does there.
///
/// `dependencies` left the specification with 2019-09, whose metaschema still describes it: a document that uses it
/// means it, so it counts as known everywhere. `definitions` and `$defs` are only places for `$ref` to point to.
fn lifetime(keyword: &str) -> Option<(Draft, Draft, Role)> {
    let (first, last) = (Draft::Draft4, Draft::Draft2020);
    Some(match keyword {
        "type"
        | "enum"
        | "properties"
        | "patternProperties"
        | "additionalProperties"
        | "required"
        | "minProperties"
        | "maxProperties"
        | "dependencies"
        | "items"
        | "minItems"
        | "maxItems"
        | "uniqueItems"
        | "minLength"
        | "maxLength"
        | "pattern"
        | "format"
        | "minimum"
        | "maximum"
        | "exclusiveMinimum"
        | "exclusiveMaximum"
        | "multipleOf"
        | "allOf"
        | "anyOf"
        | "oneOf"
        | "not"
        | "$ref" => (first, last, Role::Asserts),
        "additionalItems" => (first, Draft::Draft2019, Role::Asserts),
        "const" | "contains" | "propertyNames" => (Draft::Draft6, last, Role::Asserts),
        "if" | "then" | "else" => (Draft::Draft7, last, Role::Asserts),
        "dependentRequired"
        | "dependentSchemas"
        | "unevaluatedItems"
        | "unevaluatedProperties"
        | "minContains"
        | "maxContains" => (Draft::Draft2019, last, Role::Asserts),
        "$recursiveRef" => (Draft::Draft2019, Draft::Draft2019, Role::Asserts),
        "$dynamicRef" | "prefixItems" => (last, last, Role::Asserts),
        "$schema" | "definitions" | "$defs" => (first, last, Role::Structural),
        "id" => (first, Draft::Draft4, Role::Structural),
        "$id" => (Draft::Draft6, last, Role::Structural),
        "$anchor" | "$vocabulary" => (Draft::Draft2019, last, Role::Structural),
        "$recursiveAnchor" => (Draft::Draft2019, Draft::Draft2019, Role::Structural),
        "$dynamicAnchor" => (last, last, Role::Structural),
        "title" | "description" | "default" | "examples" | "$comment" | "readOnly" | "writeOnly"
        | "deprecated" | "contentEncoding" | "contentMediaType" | "contentSchema" => {
            (first, last, Role::Annotates)
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{Draft, Role};

    #[test]
    fn metaschema_uris_name_drafts() {
        for (uri, draft) in [
            ("http://json-schema.org/draft-04/schema#", Some(Draft::Draft4)),
            ("http://json-schema.org/draft-04/schema", Some(Draft::Draft4)),
            ("https://json-schema.org/draft-06/schema#", Some(Draft::Draft6)),
            ("http://json-schema.org/draft-07/schema#", Some(Draft::Draft7)),
            ("https://json-schema.org/draft/2019-09/schema", Some(Draft::Draft2019)),
            ("https://json-schema.org/draft/2020-12/schema", Some(Draft::Draft2020)),
            ("http://json-schema.org/schema#", Some(Draft::Draft2020)),
            ("https://spec.openapis.org/oas/3.1/dialect/base", Some(Draft::Draft2020)),
            ("https://example.com/mine", None),
            ("draft-07", None),
        ] {
            assert_eq!(Draft::of_uri(uri), draft, "{uri}");
        }
    }

    #[test]
    fn keywords_belong_to_drafts() {
        assert_eq!(Draft::Draft4.role("const"), Role::Foreign);
        assert_eq!(Draft::Draft6.role("const"), Role::Asserts);
        assert_eq!(Draft::Draft2019.role("prefixItems"), Role::Foreign);
        assert_eq!(Draft::Draft2020.role("additionalItems"), Role::Foreign);
        assert_eq!(Draft::Draft4.role("id"), Role::Structural);
        assert_eq!(Draft::Draft7.role("id"), Role::Foreign);
        assert_eq!(Draft::Draft2020.role("nullable"), Role::Unknown);
        assert_eq!(Draft::Draft2020.role("dependencies"), Role::Asserts);
    }
}
