//! `$ref` and its relatives: schema resources, their URIs and anchors, and where a reference leads.
//!
//! A schema with an `$id` (draft-04: `id`) that is more than a fragment is a resource of its own, and `#/…` inside it
//! starts there. One survey in preorder finds, for each JSON value, the resource that it belongs to, and for each resource its
//! dialect; only ids at places where a schema is expected count, so an `enum` member or a property called `id` is no resource.
//! References are resolved against the URI of the resource (RFC 3986). What is in no document at hand is noted as missing: the
//! compilation starts again when it has been supplied.
//!
//! `$dynamicRef` and `$recursiveRef` lead to what the outermost of the resources entered has under a name. See `scope.rs`.

use std::collections::BTreeMap;

use fluent_uri::{Iri, IriRef};
use rustc_hash::{FxHashMap, FxHashSet};

use super::dialect::{Dialect, Named};
use super::documents::Documents;
use super::draft::Draft;
use super::pointer;
use super::refuse;
use super::walk::Site;
use crate::error::{CompileError, CompileErrorKind};
use crate::index::widen;
use crate::syntax::json::{Kind, Value};

/// The URI of a document that names none.
const UNNAMED: &str = "json-schema:///";

/// The name under which `$recursiveAnchor` puts a resource.
pub(super) const RECURSIVE: &str = "";

/// Which resource each JSON value belongs to, and what resources and anchors are called.
pub(super) struct Resources {
    /// By JSON value: the id of its resource's root.
    root_of: Vec<u32>,
    /// By a resource's root: its URI.
    uris: FxHashMap<u32, String>,
    /// The same the other way round.
    roots: FxHashMap<String, u32>,
    /// URIs that several resources claim: nothing may refer to them.
    shared_uris: FxHashSet<String>,
    anchors: FxHashMap<(u32, String), Anchor>,
    /// By a resource's root: what its keywords mean.
    dialects: FxHashMap<u32, Dialect>,
    /// Documents that are not at hand, with what to say if they can't be had.
    pub(super) missing: BTreeMap<String, CompileError>,
}

/// A schema with a name within its resource.
#[derive(Clone, Copy)]
struct Anchor {
    schema: u32,
    kind: AnchorKind,
    /// Whether another schema of the resource has the same name: then nothing may refer to it.
    is_shared: bool,
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
    /// Walks all documents once.
    pub(super) fn survey(documents: &Documents<'_>, default: Dialect) -> Result<Self, CompileError> {
        let mut expected = Vec::with_capacity(documents.len());
        let mut found = Self {
            root_of: Vec::with_capacity(documents.len()),
            uris: FxHashMap::default(),
            roots: FxHashMap::default(),
            shared_uris: FxHashSet::default(),
            anchors: FxHashMap::default(),
            dialects: FxHashMap::default(),
            missing: BTreeMap::new(),
        };
        for json in documents.all() {
            let uri = if json.uri().is_empty() { UNNAMED } else { json.uri() };
            found.uris.insert(json.first(), uri.to_owned());
            found.roots.insert(uri.to_owned(), json.first());
            found.dialects.insert(json.first(), default);
            for value in (json.first()..).take(json.len()).map(|id| json.value(id)) {
                let (here, outer) = match value.parent() {
                    None => (Expected::Schema, json.first()),
                    Some(parent) => {
                        let above = expected[widen(parent.id())];
                        (within(above, value), found.root_of[widen(parent.id())])
                    }
                };
                expected.push(here);
                let root = if here == Expected::Schema && value.is_object() {
                    found.name(value, outer, documents)?
                } else {
                    outer
                };
                found.root_of.push(root);
            }
        }
        Ok(found)
    }

    /// Notes the names of a schema; the root of its resource.
    fn name(
        &mut self,
        schema: Value<'_>,
        outer: u32,
        documents: &Documents<'_>,
    ) -> Result<u32, CompileError> {
        let is_document = outer == schema.id();
        let named = |name: &str| matches!(name.as_bytes(), [b'$', ..] | b"id");
        if !is_document && !schema.members().any(|(name, _)| named(name)) {
            return Ok(outer);
        }
        let mut root = outer;
        let mut dialect = self.dialects[&outer];
        let id = schema.get(dialect.id_keyword());
        // Elsewhere `$schema` says nothing.
        if (is_document || id.is_some())
            && let Some(value) = schema.get("$schema")
            && let Some(stated) = self.stated(value, documents)?
        {
            dialect = stated;
        }
        let ignored = dialect.draft.ref_stands_alone() && schema.get("$ref").is_some();
        let id = schema.get(dialect.id_keyword()).and_then(Value::as_str);
        if let Some(id) = id.filter(|_| !ignored) {
            let (uri, fragment) = id.split_once('#').unwrap_or((id, ""));
            if !uri.is_empty() {
                root = schema.id();
                // Nothing can refer to it by a URI that is none; what is inside keeps the URI around.
                let own = resolved(uri, &self.uris[&outer]);
                if let Some(uri) = &own
                    && *self.roots.entry(uri.clone()).or_insert(root) != root
                {
                    self.shared_uris.insert(uri.clone());
                }
                let around = self.uris[&outer].clone();
                self.uris.insert(root, own.unwrap_or(around));
            }
            if !fragment.is_empty() {
                self.anchor(root, fragment, schema, AnchorKind::Plain);
            }
        }
        if root == schema.id() {
            self.dialects.insert(root, dialect);
        }
        for (keyword, kind) in [("$anchor", AnchorKind::Plain), ("$dynamicAnchor", AnchorKind::Dynamic)] {
            if let Some(anchor) = schema.get(keyword).and_then(Value::as_str) {
                self.anchor(root, anchor, schema, kind);
            }
        }
        let recursive = schema.get("$recursiveAnchor").map(Value::kind) == Some(Kind::Boolean(true));
        if recursive && dialect.draft == Draft::Draft2019 && root == schema.id() {
            self.anchor(root, RECURSIVE, schema, AnchorKind::Dynamic);
        }
        Ok(root)
    }

    /// The dialect that a `$schema` states; `None`: that is still to be seen.
    fn stated(
        &mut self,
        value: Value<'_>,
        documents: &Documents<'_>,
    ) -> Result<Option<Dialect>, CompileError> {
        match Dialect::named(value, documents)? {
            Named::Known(dialect) => Ok(Some(dialect)),
            Named::Missing(uri) => {
                let message = format!(
                    "{uri:?} is no dialect that is known, and no such document is at hand: what its keywords mean can't be told; state a draft of JSON Schema, leave $schema out for 2020-12, or supply the metaschema"
                );
                let refusal = refuse(CompileErrorKind::Unsupported, value, "$schema", message);
                self.missing.entry(uri).or_insert(refusal);
                Ok(None)
            }
        }
    }

    fn anchor(&mut self, root: u32, name: &str, schema: Value<'_>, kind: AnchorKind) {
        let anchor = Anchor { schema: schema.id(), kind, is_shared: false };
        let known = self.anchors.entry((root, name.to_owned())).or_insert(anchor);
        known.is_shared |= known.schema != anchor.schema;
    }

    /// Id of the root of the resource that a value belongs to.
    pub(super) fn root(&self, value: Value<'_>) -> u32 {
        self.root_of[widen(value.id())]
    }

    /// Whether a value is the root of its resource.
    pub(super) fn is_root(&self, value: Value<'_>) -> bool {
        self.root(value) == value.id()
    }

    /// What the keywords of a schema mean.
    pub(super) fn dialect(&self, schema: Value<'_>) -> Dialect {
        self.dialects[&self.root(schema)]
    }

    /// Dynamic anchors: their resources, names and schemas.
    pub(super) fn dynamic_anchors(&self) -> impl Iterator<Item = (u32, &str, u32)> {
        let dynamic = self.anchors.iter().filter(|(_, anchor)| anchor.kind == AnchorKind::Dynamic);
        dynamic.map(|((root, name), anchor)| (*root, name.as_str(), anchor.schema))
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

/// What a missing document is asked for by: its URI, or the reference itself where no document around has one.
pub(super) fn asked_for(absolute: &str) -> &str {
    absolute.strip_prefix(UNNAMED).unwrap_or(absolute)
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
    /// The name by which the outermost resource may have another schema.
    dynamic: Option<String>,
}

/// The schema that the site's URI leads to; `None`: to a document that is missing, which has been noted.
fn target<'j>(site: &mut Site<'_, 'j>) -> Result<Option<Target<'j>>, CompileError> {
    let Some(uri) = site.value.as_str() else {
        return Err(site.invalid("expected a string, such as \"#/$defs/name\""));
    };
    let (value, name) = (site.value, site.name);
    let fail = |kind, message: String| Err(refuse(kind, value, "$ref", message));
    let documents = site.builder.documents;
    let resources = &mut site.builder.resources;
    let (document, fragment) = uri.split_once('#').unwrap_or((uri, ""));
    let mut root = resources.root(site.schema);
    if !document.is_empty() {
        let Some(absolute) = resolved(document, &resources.uris[&root]) else {
            return fail(CompileErrorKind::Invalid, format!("{uri:?} is no reference to a URI"));
        };
        if resources.shared_uris.contains(&absolute) {
            let message = format!("{uri:?} leads to several schemas, which have the same URI {absolute:?}");
            return fail(CompileErrorKind::Reference, message);
        }
        match resources.roots.get(&absolute) {
            Some(&id) => root = id,
            None => {
                resources.missing.entry(absolute).or_insert_with_key(|absolute| {
                    let message = format!(
                        "{uri:?} leads to the document {:?}, which is not at hand: supply it with the options",
                        asked_for(absolute)
                    );
                    refuse(CompileErrorKind::Reference, value, "$ref", message)
                });
                return Ok(None);
            }
        }
    }
    let Some(path) = pointer::unescape(fragment) else {
        let message = format!("{uri:?} has a wrong percent escape: write %25 for a percent sign");
        return fail(CompileErrorKind::Invalid, message);
    };
    let is_dynamic = |anchor: &&Anchor| anchor.kind == AnchorKind::Dynamic;
    if !path.is_empty() && !path.starts_with('/') {
        let Some(anchor) = resources.anchors.get(&(root, path.clone().into_owned())) else {
            let message =
                format!("{uri:?} leads nowhere: no schema of that resource has the anchor {path:?}");
            return fail(CompileErrorKind::Reference, message);
        };
        if anchor.is_shared {
            let message = format!("{uri:?} leads to several schemas, which have the same anchor {path:?}");
            return fail(CompileErrorKind::Reference, message);
        }
        let dynamic = (name == "$dynamicRef" && is_dynamic(&anchor)).then(|| path.into_owned());
        return Ok(Some(Target { schema: documents.value(anchor.schema), dynamic }));
    }
    let outermost = resources.anchors.get(&(root, RECURSIVE.to_owned())).filter(is_dynamic);
    let recursive = name == "$recursiveRef" && path.is_empty() && outermost.is_some();
    match pointer::follow(documents.value(root), &path) {
        Ok(schema) => Ok(Some(Target { schema, dynamic: recursive.then(|| RECURSIVE.to_owned()) })),
        Err(missing) => fail(CompileErrorKind::Reference, format!("{uri:?} leads nowhere: {missing}")),
    }
}

/// The schema that a reference leads to, seen from where the builder is; `None` as for [`target`].
pub(super) fn leads_to<'j>(site: &mut Site<'_, 'j>) -> Result<Option<Value<'j>>, CompileError> {
    let Some(found) = target(site)? else { return Ok(None) };
    let builder = &site.builder;
    let outermost = found.dynamic.and_then(|name| builder.scopes.outermost(builder.scope, &name));
    Ok(Some(outermost.map_or(found.schema, |schema| builder.documents.value(schema))))
}

/// `$ref`, `$dynamicRef`, `$recursiveRef`: the schema that it leads to applies here.
pub(super) fn reference(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    if let Some(schema) = leads_to(site)? {
        let node = site.builder.location(schema)?;
        site.assert_node(node);
    }
    Ok(())
}
