//! A table of interned keys, each with data beside it that is filled in later.

use std::hash::{Hash, Hasher};

use hashbrown::Equivalent;

use crate::automaton::heap::Heap;
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

impl<K: Heap, D> Heap for Entry<K, D> {
    fn heap_bytes(&self) -> usize {
        self.key.heap_bytes()
    }
}

/// A key to look up, without the data that an entry would carry.
struct Probe<'a, K>(&'a K);

impl<K: Hash> Hash for Probe<'_, K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl<K: PartialEq, D> Equivalent<Entry<K, D>> for Probe<'_, K> {
    fn equivalent(&self, entry: &Entry<K, D>) -> bool {
        *self.0 == entry.key
    }
}

/// The table.
pub(crate) struct Keyed<K, D> {
    entries: Interner<Entry<K, D>>,
}

impl<K: Hash + Eq + Clone + Heap, D: Default> Keyed<K, D> {
    pub(crate) fn new() -> Self {
        Self { entries: Interner::new() }
    }

    pub(crate) fn intern_key(&self, key: &K) -> u32 {
        self.entries.intern_ref(&Probe(key), || Entry { key: key.clone(), data: D::default() })
    }

    #[inline]
    pub(crate) fn get(&self, id: u32) -> &Entry<K, D> {
        self.entries.get(id)
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// About what the table takes, in bytes, less what data keeps outside itself.
    pub(crate) fn bytes(&self) -> usize {
        self.entries.bytes()
    }
}
