//! Append-only tables that give equal values equal ids: the ground every cached structure stands on.
//!
//! Values live in a `boxcar::Vec`, whose elements never move, so a reader follows an id without a lock. Only finding
//! the id of a value takes a lock, on one of 32 small hash tables of ids; keys are compared in full against
//! the stored value, so a hash collision costs time and never an answer.
//!
//! Ids depend on the order of interning. Nothing that a user sees may depend on them.

use std::hash::{BuildHasher, Hash};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hashbrown::hash_table::Entry;
use hashbrown::{Equivalent, HashMap, HashTable};
use rustc_hash::FxBuildHasher;

use crate::automaton::heap::{Heap, ID_BYTES, table_bytes};
use crate::index::{narrow, widen};

/// Locks per table: enough that two dozen threads rarely meet.
const SHARDS: usize = 32;

/// The shard of a hash. The table below uses the lowest and the seven highest bits, so take others.
fn shard_of(hash: u64) -> usize {
    usize::from(u8::try_from((hash >> 40) & 31).expect("masked to five bits"))
}

/// A poisoned lock guards a table that is still whole: entries are inserted last, after everything that can panic.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// An append-only table of distinct values.
///
/// `intern` costs one hash, one short lock and one comparison; `get` costs a few instructions and takes no lock.
pub struct Interner<T> {
    values: boxcar::Vec<T>,
    shards: Box<[Mutex<HashTable<u32>>]>,
    /// What values keep outside themselves, in bytes.
    heap: AtomicUsize,
}

impl<T: Hash + Eq + Heap> Default for Interner<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Hash + Eq + Heap> Interner<T> {
    /// An empty table.
    #[must_use]
    pub fn new() -> Self {
        let shards = (0..SHARDS).map(|_| Mutex::default()).collect();
        Self { values: boxcar::Vec::new(), shards, heap: AtomicUsize::new(0) }
    }

    /// The id of a value, which is stored if no equal one is there yet.
    pub fn intern(&self, value: T) -> u32 {
        let hash = FxBuildHasher.hash_one(&value);
        let mut shard = lock(&self.shards[shard_of(hash)]);
        match shard.entry(hash, |&id| *self.get(id) == value, |&id| FxBuildHasher.hash_one(self.get(id))) {
            Entry::Occupied(found) => *found.get(),
            Entry::Vacant(vacant) => {
                self.count_heap(&value);
                let id = narrow(self.values.push(value));
                vacant.insert(id);
                id
            }
        }
    }

    /// The id of the value that `key` stands for, made by `make` only if it is not there yet.
    ///
    /// `key` must hash as the value does, and `make` must return a value equivalent to `key`. `make` runs under a
    /// lock: it may read this table and must not intern into it.
    pub fn intern_ref<Q>(&self, key: &Q, make: impl FnOnce() -> T) -> u32
    where
        Q: Hash + Equivalent<T> + ?Sized,
    {
        let hash = FxBuildHasher.hash_one(key);
        let mut shard = lock(&self.shards[shard_of(hash)]);
        match shard.entry(
            hash,
            |&id| key.equivalent(self.get(id)),
            |&id| FxBuildHasher.hash_one(self.get(id)),
        ) {
            Entry::Occupied(found) => *found.get(),
            Entry::Vacant(vacant) => {
                let value = make();
                debug_assert!(key.equivalent(&value), "the value made must be equivalent to its key");
                debug_assert_eq!(hash, FxBuildHasher.hash_one(&value), "the value must hash as its key does");
                self.count_heap(&value);
                let id = narrow(self.values.push(value));
                vacant.insert(id);
                id
            }
        }
    }

    /// The id of the value that `key` stands for, if it has been interned.
    pub fn find<Q>(&self, key: &Q) -> Option<u32>
    where
        Q: Hash + Equivalent<T> + ?Sized,
    {
        let hash = FxBuildHasher.hash_one(key);
        let shard = lock(&self.shards[shard_of(hash)]);
        shard.find(hash, |&id| key.equivalent(self.get(id))).copied()
    }

    /// The value of an id that this table gave out.
    ///
    /// # Panics
    /// If the id is not from this table.
    #[inline]
    #[must_use]
    pub fn get(&self, id: u32) -> &T {
        &self.values[widen(id)]
    }

    /// Number of distinct values.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.count()
    }

    fn count_heap(&self, value: &T) {
        let bytes = value.heap_bytes();
        if bytes > 0 {
            self.heap.fetch_add(bytes, Ordering::Relaxed);
        }
    }

    /// About what the table takes, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let entry = size_of::<T>() + size_of::<usize>() + ID_BYTES;
        table_bytes(self.len(), entry) + self.heap.load(Ordering::Relaxed)
    }

    /// Whether nothing has been interned.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }
}

/// A concurrent map from questions to answers that never change.
///
/// Two threads may work out the same answer at once; both find the same one, so the first stored stays.
pub struct Memo<K, V> {
    shards: Box<[Mutex<HashMap<K, V, FxBuildHasher>>]>,
}

impl<K: Hash + Eq, V: Clone> Default for Memo<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Hash + Eq, V: Clone> Memo<K, V> {
    /// An empty map.
    #[must_use]
    pub fn new() -> Self {
        Self { shards: (0..SHARDS).map(|_| Mutex::default()).collect() }
    }

    fn shard(&self, key: &K) -> MutexGuard<'_, HashMap<K, V, FxBuildHasher>> {
        lock(&self.shards[shard_of(FxBuildHasher.hash_one(key))])
    }

    /// The stored answer.
    pub fn get(&self, key: &K) -> Option<V> {
        self.shard(key).get(key).cloned()
    }

    /// Stores an answer unless one is there, and returns the one that is there afterwards.
    pub fn insert(&self, key: K, answer: V) -> V {
        self.shard(&key).entry(key).or_insert(answer).clone()
    }

    /// The stored answer, or the one that `work_out` gives, which is then stored. `work_out` runs without a lock.
    pub fn get_or_insert_with(&self, key: K, work_out: impl FnOnce() -> V) -> V {
        if let Some(answer) = self.get(&key) {
            return answer;
        }
        self.insert(key, work_out())
    }

    /// Number of stored answers.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shards.iter().map(|shard| lock(shard).len()).sum()
    }

    /// About what the table takes, in bytes, less what keys and answers keep outside themselves.
    #[must_use]
    pub fn bytes(&self) -> usize {
        table_bytes(self.len(), size_of::<(K, V)>() + 1)
    }

    /// Whether nothing is stored.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::{Interner, Memo};

    #[test]
    fn equal_values_share_an_id_and_references_stay_valid() {
        let table = Interner::new();
        let first = table.intern("one".to_string());
        let text: &str = table.get(first);
        for i in 0..10_000 {
            table.intern(format!("value {i}"));
        }
        assert_eq!(text, "one");
        assert_eq!(table.intern("one".to_string()), first);
        assert_eq!(table.len(), 10_001);
        assert_eq!(table.find("value 77"), Some(table.intern("value 77".to_string())));
        assert_eq!(table.find("value x"), None);
    }

    #[test]
    fn intern_ref_makes_a_value_only_once() {
        let table: Interner<String> = Interner::new();
        let id = table.intern_ref("abc", || "abc".to_string());
        let again = table.intern_ref("abc", || unreachable!("it is there already"));
        assert_eq!(id, again);
    }

    #[test]
    fn threads_agree_on_ids() {
        let table: Interner<u64> = Interner::new();
        let answers: Vec<Vec<u32>> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..4)
                .map(|_| scope.spawn(|| (0..5_000).map(|v| table.intern(v % 1_000)).collect::<Vec<u32>>()))
                .collect();
            workers.into_iter().map(|w| w.join().unwrap()).collect()
        });
        assert_eq!(table.len(), 1_000);
        assert!(answers.windows(2).all(|pair| pair[0] == pair[1]));
    }

    #[test]
    fn the_first_answer_of_a_memo_stays() {
        let memo = Memo::new();
        assert_eq!(memo.get(&1), None);
        assert_eq!(memo.insert(1, 'a'), 'a');
        assert_eq!(memo.insert(1, 'b'), 'a');
        assert_eq!(memo.get_or_insert_with(2, || 'c'), 'c');
        assert_eq!(memo.len(), 2);
    }
}
