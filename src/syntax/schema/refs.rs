//! `$ref`: schema resources, their URIs and anchors, and where a reference leads.
//!
//! A schema with an `$id` (draft-04: `id`) that is more than a fragment is a resource of its own, and `#/…` inside it
//! starts there. One survey in preorder finds, for each JSON value, the resource that it belongs to; only ids at places
//! where the draft expects a schema count, so an `enum` member or a property called `id` is no resource. References are
//! resolved against the URI of the resource (RFC 3986) and lead to resources and anchors of the same document.

use std::collections::HashMap;

use fluent_uri::{Iri, IriRef};

use super::draft::Draft;
use super::pointer;
use super::refuse;
use super::walk::Site;
use crate::error::{CompileError, CompileErrorKind};
use crate::index::widen;
use crate::syntax::json::{Json, Kind, Value};

/// The URI of a document that names none.
const UNNAMED: &str = "json-schema:///";

/// Which resource each JSON value belongs to, and what resources and anchors are called.
pub(super) struct Resources {
    /// By JSON value: the id of its resource's root.
    root_of: Vec<u32>,
    /// By a resource's root: its URI.
    uris: HashMap<u32, String>,
    /// The same the other way round.
    roots: HashMap<String, u32>,
    anchors: HashMap<(u32, String), Anchor>,
    /// Whether some schema asks for the outermost schema around (draft 2019-09).
    is_recursive: bool,
}

/// A schema with a name within its resource.
#[derive(Clone, Copy)]
struct Anchor {
    schema: u32,
    kind: AnchorKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum AnchorKind {
    Plain,
    /// `$dynamicAnchor`.
    Dynamic,
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
        let mut found = Self {
            root_of: Vec::with_capacity(json.len()),
            uris: HashMap::from([(0, UNNAMED.to_owned())]),
            roots: HashMap::from([(UNNAMED.to_owned(), 0)]),
            anchors: HashMap::new(),
            is_recursive: false,
        };
        for value in (0..).take(json.len()).map(|id| json.value(id)) {
            let (here, outer) = match value.parent() {
                None => (Expected::Schema, 0),
                Some(parent) => {
                    let above = expected[widen(parent.id())];
                    (within(above, value), found.root_of[widen(parent.id())])
                }
            };
            expected.push(here);
            let root = if here == Expected::Schema { found.name(value, draft, outer) } else { outer };
            found.root_of.push(root);
        }
        found
    }

    /// Notes the names of a schema; the root of its resource.
    fn name(&mut self, schema: Value<'_>, draft: Draft, outer: u32) -> u32 {
        let mut root = outer;
        let ignored = draft.ref_stands_alone() && schema.get("$ref").is_some();
        if let Some(id) = schema.get(draft.id_keyword()).and_then(Value::as_str).filter(|_| !ignored) {
            let (uri, fragment) = id.split_once('#').unwrap_or((id, ""));
            if !uri.is_empty() {
                root = schema.id();
                if let Some(uri) = resolved(uri, &self.uris[&outer]) {
                    self.roots.entry(uri.clone()).or_insert(root);
                    self.uris.insert(root, uri);
                } else {
                    // Nothing can refer to it by a URI that is none; what is inside keeps the URI around.
                    let around = self.uris[&outer].clone();
                    self.uris.insert(root, around);
                }
            }
            if !fragment.is_empty() {
                self.anchor(root, fragment, schema, AnchorKind::Plain);
            }
        }
        for (keyword, kind) in [("$anchor", AnchorKind::Plain), ("$dynamicAnchor", AnchorKind::Dynamic)] {
            if let Some(anchor) = schema.get(keyword).and_then(Value::as_str) {
                self.anchor(root, anchor, schema, kind);
            }
        }
        self.is_recursive |= schema.get("$recursiveAnchor").map(Value::kind) == Some(Kind::Boolean(true));
        root
    }

    fn anchor(&mut self, root: u32, name: &str, schema: Value<'_>, kind: AnchorKind) {
        let anchor = Anchor { schema: schema.id(), kind };
        self.anchors.entry((root, name.to_owned())).or_insert(anchor);
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

/// A reference without a fragment, resolved against a URI and normalised.
fn resolved(reference: &str, base: &str) -> Option<String> {
    let base = Iri::parse(base).ok()?;
    let uri = IriRef::parse(reference).ok()?.resolve_against(&base).ok()?;
    Some(uri.normalize().into_string())
}

/// Where a reference leads.
struct Target<'j> {
    schema: Value<'j>,
    /// The name by which it was found, if that is a dynamic anchor.
    dynamic: Option<String>,
}

/// The schema that the site's URI leads to.
fn target<'j>(site: &Site<'_, 'j>) -> Result<Target<'j>, CompileError> {
    let Some(uri) = site.value.as_str() else {
        return Err(site.invalid("expected a string, such as \"#/$defs/name\""));
    };
    let fail = |kind, subject: &str, message: String| Err(refuse(kind, site.value, subject, message));
    let (json, resources) = (site.builder.json, &site.builder.resources);
    let (document, fragment) = uri.split_once('#').unwrap_or((uri, ""));
    let mut root = resources.root(json, site.schema);
    if !document.is_empty() {
        let found = resolved(document, &resources.uris[&root.id()]);
        match found.and_then(|uri| resources.roots.get(&uri)) {
            Some(&id) => root = json.value(id),
            None => {
                let message = format!(
                    "{uri:?} leads outside of this document: only references to its own resources are followed yet"
                );
                return fail(CompileErrorKind::Unsupported, "$ref: URI", message);
            }
        }
    }
    let Some(path) = pointer::unescape(fragment) else {
        let message = format!("{uri:?} has a wrong percent escape: write %25 for a percent sign");
        return fail(CompileErrorKind::Invalid, "$ref", message);
    };
    if !path.is_empty() && !path.starts_with('/') {
        let Some(anchor) = resources.anchors.get(&(root.id(), path.clone().into_owned())) else {
            let message =
                format!("{uri:?} leads nowhere: no schema of that resource has the anchor {path:?}");
            return fail(CompileErrorKind::Reference, "$ref", message);
        };
        let dynamic = (anchor.kind == AnchorKind::Dynamic).then(|| path.into_owned());
        return Ok(Target { schema: json.value(anchor.schema), dynamic });
    }
    match pointer::follow(root, &path) {
        Ok(schema) => Ok(Target { schema, dynamic: None }),
        Err(missing) => {
            fail(CompileErrorKind::Reference, "$ref", format!("{uri:?} leads nowhere: {missing}"))
        }
    }
}

/// The schema that a reference leads to.
pub(super) fn leads_to<'j>(site: &mut Site<'_, 'j>) -> Result<Value<'j>, CompileError> {
    Ok(target(site)?.schema)
}

/// `$ref`: the schema that it leads to applies here.
pub(super) fn reference(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    let schema = target(site)?.schema;
    let node = site.builder.location(schema)?;
    site.assert_node(node);
    Ok(())
}

/// `$dynamicRef` and `$recursiveRef` depend on the way by which a schema was reached, if several resources have what they
/// name; else they are as `$ref`.
pub(super) fn dynamic(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    let found = target(site)?;
    let resources = &site.builder.resources;
    let several = match &found.dynamic {
        Some(name) if site.name == "$dynamicRef" => {
            let same = |((_, known), anchor): (&(u32, String), &Anchor)| {
                known == name && anchor.kind == AnchorKind::Dynamic
            };
            resources.anchors.iter().filter(|&entry| same(entry)).count() > 1
        }
        _ => site.name == "$recursiveRef" && resources.is_recursive && resources.uris.len() > 1,
    };
    if several {
        return Err(site.unsupported(
            "what it leads to depends on the schemas around, several of which have the name; it is not followed yet: use $ref",
        ));
    }
    let node = site.builder.location(found.schema)?;
    site.assert_node(node);
    Ok(())
}
