//! Sets of tokens in the form that suits their size, and the pool that keeps each distinct one once.

use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dashmap::{DashMap, Entry};
use rustc_hash::FxBuildHasher;

use crate::index::TokenId;

/// A set of tokens: a list while it is short, else a row of bits. Equal sets have the same form.
#[derive(PartialEq, Eq, Hash, Debug)]
pub(crate) enum TokenSet {
    /// Ascending.
    List(Box<[TokenId]>),
    /// Bit i of word i / 32 is token i.
    Row { row: Box<[u32]>, count: usize },
}

/// The shortest list that is a mask's base.
const BASE_TOKENS_MIN: usize = 64;

/// Word and bit of a token in a row.
#[inline]
pub(crate) fn place(token: TokenId) -> (usize, u32) {
    (token.index() / 32, 1 << (token.0 % 32))
}

/// Sets the bits of tokens in a row.
pub(crate) fn put<'t>(row: &mut [u32], tokens: impl IntoIterator<Item = &'t TokenId>) {
    for &token in tokens {
        let (word, bit) = place(token);
        row[word] |= bit;
    }
}

/// Whether so many tokens are kept as a list, for rows of `words` words: a quarter of a row's bytes at most.
fn is_short(count: usize, words: usize) -> bool {
    count <= words / 4
}

impl TokenSet {
    /// The set of these distinct tokens, in any order.
    pub(crate) fn of_tokens(mut tokens: Vec<TokenId>, words: usize) -> Self {
        if is_short(tokens.len(), words) {
            tokens.sort_unstable();
            return Self::List(tokens.into());
        }
        let mut row = vec![0; words];
        put(&mut row, &tokens);
        Self::Row { row: row.into(), count: tokens.len() }
    }

    /// The set of the bits of a row.
    pub(crate) fn of_row(row: Vec<u32>) -> Self {
        let count = row.iter().map(|word| crate::index::widen(word.count_ones())).sum();
        let row = Self::Row { row: row.into(), count };
        let Self::Row { row: words, .. } = &row else { return row };
        if !is_short(count, words.len()) {
            return row;
        }
        let mut tokens = Vec::with_capacity(count);
        row.for_each(|token| tokens.push(token));
        Self::List(tokens.into())
    }

    pub(crate) fn count(&self) -> usize {
        match self {
            Self::List(tokens) => tokens.len(),
            Self::Row { count, .. } => *count,
        }
    }

    /// Whether a mask had better name the set than list its tokens.
    pub(crate) fn is_base(&self) -> bool {
        match self {
            Self::List(tokens) => tokens.len() >= BASE_TOKENS_MIN,
            Self::Row { .. } => true,
        }
    }

    pub(crate) fn contains(&self, token: TokenId) -> bool {
        match self {
            Self::List(tokens) => tokens.binary_search(&token).is_ok(),
            Self::Row { row, .. } => {
                let (word, bit) = place(token);
                row.get(word).is_some_and(|w| w & bit != 0)
            }
        }
    }

    /// Calls `f` with each token, ascending.
    pub(crate) fn for_each(&self, mut f: impl FnMut(TokenId)) {
        match self {
            Self::List(tokens) => tokens.iter().copied().for_each(f),
            Self::Row { row, .. } => {
                for (base, &word) in (0u32..).step_by(32).zip(row) {
                    let mut left = word;
                    while left != 0 {
                        f(TokenId(base + left.trailing_zeros()));
                        left &= left - 1;
                    }
                }
            }
        }
    }

    /// Writes the set over a whole row, which may be longer than the vocabulary.
    pub(crate) fn write(&self, out: &mut [u32]) {
        match self {
            Self::List(tokens) => {
                out.fill(0);
                put(out, tokens);
            }
            Self::Row { row, .. } => {
                let (head, tail) = out.split_at_mut(row.len());
                head.copy_from_slice(row);
                tail.fill(0);
            }
        }
    }

    fn bytes(&self) -> usize {
        match self {
            Self::List(tokens) => 4 * tokens.len(),
            Self::Row { row, .. } => 4 * row.len(),
        }
    }
}

/// More tokens than this are sorted by setting their bits.
const SORTED_TOKENS_MAX: usize = 256;

/// Sets put together.
pub(crate) struct Union {
    words: usize,
    row: Option<Vec<u32>>,
    /// In any order, some perhaps twice or in the row.
    tokens: Vec<TokenId>,
}

impl Union {
    /// The empty set, for rows of so many words.
    pub(crate) fn new(words: usize) -> Self {
        Self { words, row: None, tokens: Vec::new() }
    }

    pub(crate) fn add(&mut self, set: &TokenSet) {
        match set {
            TokenSet::List(tokens) => self.extend(tokens),
            TokenSet::Row { row: others, .. } => {
                let row = self.row.get_or_insert_with(|| vec![0; self.words]);
                row.iter_mut().zip(others).for_each(|(word, other)| *word |= other);
            }
        }
    }

    pub(crate) fn extend(&mut self, tokens: &[TokenId]) {
        self.tokens.extend_from_slice(tokens);
        if self.tokens.len() > self.words {
            self.put_tokens();
        }
    }

    fn put_tokens(&mut self) {
        let row = self.row.get_or_insert_with(|| vec![0; self.words]);
        put(row, &self.tokens);
        self.tokens.clear();
    }

    pub(crate) fn finish(mut self) -> TokenSet {
        if self.row.is_some() || self.tokens.len() > SORTED_TOKENS_MAX {
            self.put_tokens();
        }
        match self.row {
            Some(row) => TokenSet::of_row(row),
            None => {
                self.tokens.sort_unstable();
                self.tokens.dedup();
                TokenSet::of_tokens(self.tokens, self.words)
            }
        }
    }
}

/// Each distinct value once: equal values are one allocation, so their addresses tell them apart.
pub(crate) struct Pool<T>(DashMap<Arc<T>, (), FxBuildHasher>);

impl<T: Hash + Eq> Default for Pool<T> {
    fn default() -> Self {
        Self(DashMap::default())
    }
}

impl<T: Hash + Eq> Pool<T> {
    /// The pooled equal of a value; the value itself if it is the first, which `budget` must still hold.
    pub(crate) fn intern(&self, value: T, bytes: usize, budget: &Budget) -> Arc<T> {
        // One look-up, since the hash goes through the whole value.
        match self.0.entry(Arc::new(value)) {
            Entry::Occupied(known) => Arc::clone(known.key()),
            Entry::Vacant(place) if budget.take(bytes + POOLED_BYTES) => Arc::clone(place.insert(()).key()),
            Entry::Vacant(place) => place.into_key(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

/// What a pooled or cached entry takes besides its own heap: the allocation's head and its place in a table.
const POOLED_BYTES: usize = 64;

/// The bytes that cached classes and masks take, up to a limit.
#[derive(Debug)]
pub(crate) struct Budget {
    taken: AtomicUsize,
    max: usize,
}

impl Budget {
    pub(crate) fn new(max: usize) -> Self {
        Self { taken: AtomicUsize::new(0), max }
    }

    /// Takes so many bytes if they are left. (Threads may pass the limit together by what each takes at once.)
    pub(crate) fn take(&self, bytes: usize) -> bool {
        if self.taken().saturating_add(bytes) > self.max {
            return false;
        }
        self.taken.fetch_add(bytes, Ordering::Relaxed);
        true
    }

    pub(crate) fn taken(&self) -> usize {
        self.taken.load(Ordering::Relaxed)
    }
}

impl Pool<TokenSet> {
    /// A set that can be a mask's base is pooled; a shorter one is not worth a look at its tokens.
    pub(crate) fn base(&self, set: TokenSet, budget: &Budget) -> Arc<TokenSet> {
        if set.is_base() { self.set(set, budget) } else { Arc::new(set) }
    }

    /// The pooled equal of a set.
    pub(crate) fn set(&self, set: TokenSet, budget: &Budget) -> Arc<TokenSet> {
        let bytes = set.bytes();
        self.intern(set, bytes, budget)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_depends_on_the_size_alone_and_says_the_same() {
        let words = 8;
        for count in [0, 1, 2, 3, 40, 256] {
            let tokens: Vec<TokenId> = (0..count).map(|i| TokenId(i * 97 % 256)).collect();
            let set = TokenSet::of_tokens(tokens.clone(), words);
            let mut row = vec![u32::MAX; 10];
            set.write(&mut row);
            assert_eq!(row.split_off(words), [0, 0]);
            assert_eq!(TokenSet::of_row(row), set);
            assert_eq!((set.count(), matches!(set, TokenSet::List(_))), (tokens.len(), count <= 2));
            for i in 0..256 {
                assert_eq!(set.contains(TokenId(i)), tokens.contains(&TokenId(i)), "{i} of {count}");
            }
        }
    }

    #[test]
    fn sets_put_together_have_the_tokens_of_all() {
        let words = 8;
        for (counts, step) in
            [([1, 1], 1), ([3, 2], 5), ([40, 1], 3), ([1, 40], 7), ([9, 9], 1), ([100, 90], 2)]
        {
            let list = |from: u32, count: u32| (0..count).map(move |i| TokenId((from + i * step) % 256));
            let (a, b): (Vec<TokenId>, Vec<TokenId>) =
                (list(0, counts[0]).collect(), list(3, counts[1]).collect());
            let mut union = Union::new(words);
            union.add(&TokenSet::of_tokens(a.clone(), words));
            union.add(&TokenSet::of_tokens(b.clone(), words));
            let mut all = [a, b].concat();
            all.sort_unstable();
            all.dedup();
            assert_eq!(union.finish(), TokenSet::of_tokens(all, words), "{counts:?}");
        }
    }

    #[test]
    fn equal_values_are_pooled_until_the_budget_is_used_up() {
        let max = 1_000;
        let (pool, budget) = (Pool::default(), Budget::new(max));
        let one = pool.set(TokenSet::of_tokens(vec![TokenId(3)], 8), &budget);
        let same = pool.set(TokenSet::of_tokens(vec![TokenId(3)], 8), &budget);
        assert!(Arc::ptr_eq(&one, &same));
        assert_eq!(budget.taken(), 4 + POOLED_BYTES);
        assert!(!budget.take(max));
        assert!(budget.take(max - budget.taken()));
        let unpooled = || pool.set(TokenSet::of_tokens(vec![TokenId(4)], 8), &budget);
        assert!(!Arc::ptr_eq(&unpooled(), &unpooled()));
        assert_eq!(pool.len(), 1);
    }
}
