//! A table of interned keys, each with data beside it that is filled in later.

use std::hash::{Hash, Hasher};

use crate::automaton::interner::Interner;

/// A key and what is found out about it; equal iff the keys are.
#[derive(Debug)]
pub(crate) struct Entry<K, D> {
    pub(crate) key: K,
    pub(crate) data: D,
}

impl<K: PartialEq, D> PartialEq for Entry<K, D> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<K: Eq, D> Eq for Entry<K, D> {}

impl<K: Hash, D> Hash for Entry<K, D> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

/// The table.
pub(crate) struct Keyed<K, D> {
    entries: Interner<Entry<K, D>>,
}

impl<K: Hash + Eq, D: Default> Keyed<K, D> {
    pub(crate) fn new() -> Self {
        Self { entries: Interner::new() }
    }

    pub(crate) fn intern_key(&self, key: K) -> u32 {
        self.entries.intern(Entry { key, data: D::default() })
    }

    #[inline]
    pub(crate) fn get(&self, id: u32) -> &Entry<K, D> {
        self.entries.get(id)
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }
}
