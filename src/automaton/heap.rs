//! What values keep outside themselves: how the tables of a universe know what they take.
//!
//! Counted is what is asked of the allocator, in bytes; what the allocator adds to that is not. Parts that several values share
//! are left out, or counted where they are made.

use std::mem::size_of_val;

use crate::grammar::regex::CharSet;
use crate::grammar::sentence::Sentences;
use crate::grammar::values::Values;
use crate::vocab::TokenTrie;

/// See the module.
pub trait Heap {
    /// Bytes outside the value itself.
    fn heap_bytes(&self) -> usize {
        0
    }
}

impl Heap for u64 {}
impl Heap for (u32, u32) {}

impl Heap for String {
    fn heap_bytes(&self) -> usize {
        self.capacity()
    }
}

impl Heap for Box<str> {
    fn heap_bytes(&self) -> usize {
        self.len()
    }
}

impl<T: Copy> Heap for Box<[T]> {
    fn heap_bytes(&self) -> usize {
        size_of_val(&**self)
    }
}

impl Heap for CharSet {
    fn heap_bytes(&self) -> usize {
        size_of_val(self.ranges()) + ARC_HEAD
    }
}

/// Counted among classes and masks where it is made.
impl Heap for TokenTrie {}

impl Heap for Values {
    fn heap_bytes(&self) -> usize {
        // Bounds of hundreds of digits are rare.
        128 + size_of_val(&*self.not_multiple_of)
    }
}

impl Heap for Sentences {
    fn heap_bytes(&self) -> usize {
        let grammar = self.grammar();
        size_of_val(&*grammar.rules) + size_of_val(&*grammar.exprs)
    }
}

/// The counts of an `Arc`.
const ARC_HEAD: usize = 16;

/// What a table of `len` entries of `entry` bytes takes that doubles when it is full, three quarters full on average.
pub(crate) fn table_bytes(len: usize, entry: usize) -> usize {
    len * (entry + entry / 3)
}

/// A place in a hash table of ids.
pub(crate) const ID_BYTES: usize = size_of::<u32>() + 1;

/// What the entries of a memo take, what they keep outside apart.
pub(crate) fn memo_bytes<K: Eq + std::hash::Hash, V, S: std::hash::BuildHasher + Clone>(
    memo: &dashmap::DashMap<K, V, S>,
) -> usize {
    table_bytes(memo.len(), size_of::<(K, V)>() + 1)
}
