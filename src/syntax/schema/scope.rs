//! Dynamic scope: which schema `$dynamicRef` and `$recursiveRef` find under a name depends on the resources that were entered on
//! the way, the outermost first.
//!
//! Of the way only this matters: for each name that several resources have, what the outermost one has under it. That is a
//! *scope*; scopes are interned, and a schema is built once for each scope in which it is reached. Where no name is ambiguous
//! there is one scope.

use std::collections::{BTreeMap, HashMap};

use super::refs::Resources;
use crate::index::{narrow, widen};

/// An interned scope; the first is that of no resource.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct ScopeId(u32);

impl ScopeId {
    /// Before any resource, and everywhere if no name is ambiguous.
    pub(super) const OUTSIDE: Self = Self(0);
}

/// For each ambiguous name the schema that the outermost resource has under it.
type Scope = Box<[Option<u32>]>;

#[derive(Default)]
pub(super) struct Scopes {
    /// Ambiguous names, sorted.
    names: Vec<String>,
    /// By a resource's root: positions in `names`, and the schemas that it has there.
    anchors: HashMap<u32, Vec<(usize, u32)>>,
    scopes: Vec<Scope>,
    ids: HashMap<Scope, ScopeId>,
    /// Scopes by the one before and the root of the resource entered.
    entered: HashMap<(ScopeId, u32), ScopeId>,
}

impl Scopes {
    pub(super) fn new(resources: &Resources) -> Self {
        let mut by_name: BTreeMap<&str, Vec<(u32, u32)>> = BTreeMap::new();
        for (root, name, schema) in resources.dynamic_anchors() {
            by_name.entry(name).or_default().push((root, schema));
        }
        by_name.retain(|_, schemas| schemas.len() > 1);
        let mut found = Self::default();
        for (at, (name, schemas)) in by_name.into_iter().enumerate() {
            found.names.push(name.to_owned());
            for (root, schema) in schemas {
                found.anchors.entry(root).or_default().push((at, schema));
            }
        }
        found.intern(vec![None; found.names.len()].into());
        found
    }

    fn intern(&mut self, scope: Scope) -> ScopeId {
        *self.ids.entry(scope).or_insert_with_key(|scope| {
            self.scopes.push(scope.clone());
            ScopeId(narrow(self.scopes.len() - 1))
        })
    }

    /// Whether a schema means the same wherever it is reached from.
    pub(super) fn is_single(&self) -> bool {
        self.names.is_empty()
    }

    /// The scope inside the resource with this root.
    pub(super) fn enter(&mut self, scope: ScopeId, root: u32) -> ScopeId {
        let Some(anchors) = self.anchors.get(&root) else { return scope };
        if let Some(&known) = self.entered.get(&(scope, root)) {
            return known;
        }
        let mut inside = self.scopes[widen(scope.0)].clone();
        for &(name, schema) in anchors {
            inside[name].get_or_insert(schema);
        }
        let id = self.intern(inside);
        self.entered.insert((scope, root), id);
        id
    }

    /// What the outermost resource has under a name, if that is not the same everywhere.
    pub(super) fn outermost(&self, scope: ScopeId, name: &str) -> Option<u32> {
        let at = self.names.binary_search_by(|known| known.as_str().cmp(name)).ok()?;
        self.scopes[widen(scope.0)][at]
    }
}
