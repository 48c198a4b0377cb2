//! `$ref`: schema resources, and where a reference leads.
//!
//! A schema with an `$id` (draft-04: `id`) that is more than a fragment is a resource of its own, and `#/…` inside it
//! starts there. One survey in preorder finds, for each JSON value, the resource that it belongs to; only ids at places
//! where the draft expects a schema count, so an `enum` member or a property called `id` is no resource.

use super::draft::Draft;
use super::pointer;
use super::refuse;
use super::walk::Site;
use crate::error::{CompileError, CompileErrorKind};
use crate::index::widen;
use crate::syntax::json::{Json, Value};

/// Which resource each JSON value belongs to.
pub(super) struct Resources {
    /// By JSON value: the id of its resource's root.
    root_of: Vec<u32>,
}

/// What the draft expects at a JSON value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    Schema,
    /// An object of schemas, or an array of them.
    Schemas,
    Anything,
}

impl Resources {
    /// Walks the whole document once.
    pub(super) fn survey(json: &Json<'_>, draft: Draft) -> Self {
        let mut expected = Vec::with_capacity(json.len());
        let mut root_of: Vec<u32> = Vec::with_capacity(json.len());
        for value in (0..).take(json.len()).map(|id| json.value(id)) {
            let (here, outer) = match value.parent() {
                None => (Expected::Schema, 0),
                Some(parent) => {
                    let above = expected[widen(parent.id())];
                    (within(above, value), root_of[widen(parent.id())])
                }
            };
            let opens = here == Expected::Schema && opens_resource(value, draft);
            expected.push(here);
            root_of.push(if opens { value.id() } else { outer });
        }
        Self { root_of }
    }

    /// The root of the resource that a value belongs to.
    pub(super) fn root<'j>(&self, json: &'j Json<'j>, value: Value<'j>) -> Value<'j> {
        json.value(self.root_of[widen(value.id())])
    }

    /// Whether a value is the root of its resource.
    pub(super) fn is_root(&self, value: Value<'_>) -> bool {
        self.root_of[widen(value.id())] == value.id()
    }
}

fn within(above: Expected, value: Value<'_>) -> Expected {
    match (above, value.name()) {
        (Expected::Schemas, _) => Expected::Schema,
        (Expected::Schema, Some(name)) => match name {
            "items" if value.is_array() => Expected::Schemas,
            "items"
            | "additionalItems"
            | "contains"
            | "additionalProperties"
            | "propertyNames"
            | "not"
            | "if"
            | "then"
            | "else"
            | "unevaluatedItems"
            | "unevaluatedProperties"
            | "contentSchema" => Expected::Schema,
            "properties" | "patternProperties" | "definitions" | "$defs" | "dependentSchemas"
            | "dependencies" | "prefixItems" | "allOf" | "anyOf" | "oneOf" => Expected::Schemas,
            _ => Expected::Anything,
        },
        _ => Expected::Anything,
    }
}

/// Whether a schema has a URI of its own; `#name` is an anchor within the resource around it.
fn opens_resource(schema: Value<'_>, draft: Draft) -> bool {
    let named = |id: &str| !id.is_empty() && !id.starts_with('#');
    let ignored = draft.ref_stands_alone() && schema.get("$ref").is_some();
    !ignored && schema.get(draft.id_keyword()).and_then(Value::as_str).is_some_and(named)
}

/// `$ref`: the schema that it leads to applies here.
pub(super) fn reference(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    let Some(uri) = site.value.as_str() else {
        return Err(site.invalid("expected a string, such as \"#/$defs/name\""));
    };
    let fail = |kind, subject: &str, message: String| Err(refuse(kind, site.value, subject, message));
    let Some(fragment) = (if uri.is_empty() { Some("") } else { uri.strip_prefix('#') }) else {
        let message = format!(
            "{uri:?} leads outside of this document or to an $id: only references within the document (\"#/…\") are followed yet"
        );
        return fail(CompileErrorKind::Unsupported, "$ref: URI", message);
    };
    let Some(path) = pointer::unescape(fragment) else {
        let message = format!("{uri:?} has a wrong percent escape: write %25 for a percent sign");
        return fail(CompileErrorKind::Invalid, "$ref", message);
    };
    if !path.is_empty() && !path.starts_with('/') {
        let message = format!("{uri:?} names an anchor: only JSON Pointers (\"#/…\") are followed yet");
        return fail(CompileErrorKind::Unsupported, "$ref: anchor", message);
    }
    let json = site.builder.json;
    let target = match pointer::follow(site.builder.resources.root(json, site.schema), &path) {
        Ok(target) => target,
        Err(missing) => {
            return fail(CompileErrorKind::Reference, "$ref", format!("{uri:?} leads nowhere: {missing}"));
        }
    };
    let node = site.builder.location(target)?;
    site.assert_node(node);
    Ok(())
}

/// `$dynamicRef` and `$recursiveRef` depend on the way by which a schema was reached.
pub(super) fn dynamic(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    Err(site.unsupported("what it leads to depends on the schemas around; it is not followed yet: use $ref"))
}
