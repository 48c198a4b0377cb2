//! The persistent history of a matcher: what was committed, and where each commit started from.
//!
//! The last entries lie in a small vector, the tail; whenever the tail holds [`CHUNK_LEN`] entries they become a
//! chunk behind an `Arc` that points at the chunk before it. So a fork copies one tail and one pointer and shares the
//! rest, whichever side goes on; nothing that is shared is ever written.
//!
//! Taking entries back truncates the tail; where that is not enough, chunks are skipped by their pointers (one step a
//! chunk) and the kept part of one chunk is copied into the tail. So `n` entries cost O(n / 64).
//!
//! A matcher that goes back forgets the registers that no entry holds, so each chunk knows the greatest one so far.
//!
//! Memory: 16 bytes an entry, 32 bytes a chunk, and at most 48 entries unused. (One flat vector would cost a copy of
//! everything at each fork, a list of single entries an allocation and a pointer at each commit.)

use std::mem;
use std::sync::Arc;

use crate::automaton::Cfg;
use crate::index::TokenId;

/// Entries in a chunk.
const CHUNK_LEN: usize = 64;
/// Entries by which a full tail grows.
const GROWTH: usize = 16;
/// Most entries of the tail that are allocated and unused.
const UNUSED_MAX: usize = 48;

/// One committed token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    /// Where the matcher stood before the token: what a rollback returns to.
    pub(super) before: Cfg,
    /// The token.
    pub(super) token: TokenId,
}

/// Two entries in 32 bytes: no padding, as the memory bound needs.
const _: () = assert!(size_of::<[Entry; 2]>() == 32);

/// A full chunk, shared by all forks that have it in their past.
struct Chunk {
    entries: [Entry; CHUNK_LEN],
    /// The greatest register in these entries and all earlier ones.
    greatest_register: u32,
    earlier: Option<Arc<Chunk>>,
}

/// The committed tokens, first to last: whole chunks, then the tail.
#[derive(Clone, Default)]
pub(super) struct History {
    /// The latest full chunk.
    chunks: Option<Arc<Chunk>>,
    /// Entries in chunks; a multiple of [`CHUNK_LEN`].
    chunked_len: usize,
    /// Later entries: fewer than [`CHUNK_LEN`].
    tail: Vec<Entry>,
}

impl History {
    /// Number of entries.
    pub(super) fn len(&self) -> usize {
        self.chunked_len + self.tail.len()
    }

    /// Appends an entry; O(1), with an allocation of 1 KB every [`CHUNK_LEN`] entries.
    pub(super) fn push(&mut self, entry: Entry) {
        if self.tail.len() == self.tail.capacity() {
            self.tail.reserve_exact(GROWTH);
        }
        self.tail.push(entry);
        if let Ok(entries) = <[Entry; CHUNK_LEN]>::try_from(self.tail.as_slice()) {
            let greatest_register = self.greatest_register();
            let earlier = self.chunks.take();
            self.chunks = Some(Arc::new(Chunk { entries, greatest_register, earlier }));
            self.chunked_len += CHUNK_LEN;
            self.tail = Vec::new();
        }
    }

    /// Takes back the last `n` entries and returns the earliest of them; `None` if `n` is 0 or exceeds the length,
    /// and then nothing changed.
    pub(super) fn take_back(&mut self, n: usize) -> Option<Entry> {
        let keep = self.len().checked_sub(n)?;
        if keep >= self.chunked_len {
            let earliest = self.tail.get(keep - self.chunked_len).copied();
            self.tail.truncate(keep - self.chunked_len);
            self.shrink();
            return earliest;
        }
        // The chunk that holds entry number `keep` ends at the next multiple.
        let start = keep - keep % CHUNK_LEN;
        let mut chunk = self.chunks.clone().expect("entries below chunked_len lie in chunks");
        for _ in 0..(self.chunked_len - start) / CHUNK_LEN - 1 {
            chunk = chunk.earlier.clone().expect("chunked_len counts the chunks");
        }
        let kept = keep - start;
        self.tail.clear();
        self.tail.extend_from_slice(&chunk.entries[..kept]);
        self.shrink();
        self.chunks = chunk.earlier.clone();
        self.chunked_len = start;
        Some(chunk.entries[kept])
    }

    /// The greatest register that an entry holds: what is above it, a matcher before the next push doesn't need. O(64).
    pub(super) fn greatest_register(&self) -> u32 {
        let chunked = self.chunks.as_ref().map_or(0, |chunk| chunk.greatest_register);
        self.tail.iter().fold(chunked, |greatest, entry| greatest.max(entry.before.reg))
    }

    /// Gives unused memory back, but not at every step: a draft's commits and rollbacks would pay for it.
    fn shrink(&mut self) {
        if self.tail.capacity() - self.tail.len() > UNUSED_MAX {
            self.tail.shrink_to(self.tail.len() + GROWTH);
        }
    }

    /// The first entry: where everything began. O(n / 64).
    #[cfg(test)]
    fn first(&self) -> Option<Entry> {
        let mut earlier = self.chunks.as_ref();
        let mut first = self.tail.first().copied();
        while let Some(chunk) = earlier {
            first = Some(chunk.entries[0]);
            earlier = chunk.earlier.as_ref();
        }
        first
    }

    /// The latest entry.
    pub(super) fn last(&self) -> Option<Entry> {
        self.tail.last().or_else(|| self.chunks.as_ref()?.entries.last()).copied()
    }

    /// All tokens, first to last; O(n).
    pub(super) fn tokens(&self) -> Vec<TokenId> {
        let mut backwards = Vec::with_capacity(self.len());
        backwards.extend(self.tail.iter().rev().map(|entry| entry.token));
        let mut chunks = self.chunks.as_ref();
        while let Some(chunk) = chunks {
            backwards.extend(chunk.entries.iter().rev().map(|entry| entry.token));
            chunks = chunk.earlier.as_ref();
        }
        backwards.reverse();
        backwards
    }
}

impl Drop for Chunk {
    /// Frees a chain that nobody shares in a loop: dropped by nested calls, a long history would overflow the stack.
    fn drop(&mut self) {
        let mut next = self.earlier.take();
        while let Some(mut chunk) = next.and_then(Arc::into_inner) {
            next = mem::take(&mut chunk.earlier);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::{FrameId, StateId, narrow};

    fn entry(i: usize) -> Entry {
        let cfg = Cfg { state: StateId::new(i), frame: FrameId::new(i / 3), reg: narrow(i % 900 * 7 % 800) };
        Entry { before: cfg, token: TokenId::new(i) }
    }

    fn history(ids: impl IntoIterator<Item = usize>) -> History {
        let mut history = History::default();
        ids.into_iter().for_each(|i| history.push(entry(i)));
        history
    }

    fn ids(history: &History) -> Vec<usize> {
        history.tokens().into_iter().map(TokenId::index).collect()
    }

    #[test]
    fn taking_back_is_the_inverse_of_pushing_at_every_length() {
        for len in 0..3 * CHUNK_LEN + 2 {
            for n in 0..=len {
                let mut taken = history(0..len);
                assert_eq!(taken.take_back(n), (n > 0).then(|| entry(len - n)), "{n} of {len}");
                assert_eq!(taken.len(), len - n);
                assert_eq!(taken.last(), (len > n).then(|| entry(len - n - 1)));
                assert!(taken.tail.len() < CHUNK_LEN && taken.chunked_len % CHUNK_LEN == 0);
                taken.push(entry(999));
                assert!(ids(&taken).into_iter().eq((0..len - n).chain([999])), "{n} of {len}");
            }
        }
    }

    #[test]
    fn taking_back_too_much_changes_nothing() {
        for len in [0, 1, CHUNK_LEN - 1, CHUNK_LEN, CHUNK_LEN + 1] {
            let mut history = history(0..len);
            assert_eq!(history.take_back(len + 1), None);
            assert_eq!(history.take_back(usize::MAX), None);
            assert!(ids(&history).into_iter().eq(0..len));
        }
    }

    #[test]
    fn forks_share_chunks_and_never_see_each_other() {
        let original = history(0..5 * CHUNK_LEN + 10);
        let mut fork = original.clone();
        let shared =
            |a: &History, b: &History| Arc::ptr_eq(a.chunks.as_ref().unwrap(), b.chunks.as_ref().unwrap());
        assert!(shared(&original, &fork));
        fork.take_back(20);
        (1_000..1_100).for_each(|i| fork.push(entry(i)));
        assert!(ids(&original).into_iter().eq(0..5 * CHUNK_LEN + 10));
        assert!(ids(&fork).into_iter().eq((0..5 * CHUNK_LEN - 10).chain(1_000..1_100)));
        assert_eq!((original.first(), fork.first()), (Some(entry(0)), Some(entry(0))));
        drop(original);
        assert!(ids(&fork).into_iter().eq((0..5 * CHUNK_LEN - 10).chain(1_000..1_100)));
    }

    #[test]
    fn random_walks_agree_with_plain_vectors() {
        let mut state = 0x5EED_u64;
        println!("seed {state:#x}");
        let mut pairs = vec![(History::default(), Vec::new())];
        for i in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let random = usize::try_from(state >> 33).unwrap();
            let at = random % pairs.len();
            let (history, naive) = &mut pairs[at];
            match random / 64 % 40 {
                0 if at > 0 => drop(pairs.swap_remove(at)),
                1 if at < 8 => {
                    let fork = pairs[at].clone();
                    pairs.push(fork);
                }
                2 => {
                    let n = random / 4_096 % (naive.len() + 1);
                    history.take_back(n);
                    naive.truncate(naive.len() - n);
                }
                3..6 => {
                    let n = random / 4_096 % (naive.len().min(5) + 1);
                    history.take_back(n);
                    naive.truncate(naive.len() - n);
                }
                _ => {
                    history.push(entry(i));
                    naive.push(i);
                }
            }
            if i % 100 == 0 {
                for (history, naive) in &pairs {
                    assert_eq!(&ids(history), naive);
                    let greatest = naive.iter().map(|&i| entry(i).before.reg).max();
                    assert_eq!(history.greatest_register(), greatest.unwrap_or(0));
                }
            }
        }
    }

    #[test]
    fn a_long_history_drops_without_recursion() {
        // Nested, the drops of 15,625 chunks would overflow either stack.
        let long = history(0..1_000_000);
        let fork = long.clone();
        let small = std::thread::Builder::new().stack_size(64 << 10);
        small.spawn(move || drop(long)).unwrap().join().unwrap();
        assert_eq!(fork.len(), 1_000_000);
        let small = std::thread::Builder::new().stack_size(64 << 10);
        small.spawn(move || drop(fork)).unwrap().join().unwrap();
    }

    #[test]
    fn memory_is_sixteen_bytes_an_entry_and_a_small_rest() {
        // The chunk's pointer and register, and the two counts of its `Arc`.
        assert_eq!(size_of::<Chunk>() + 2 * size_of::<usize>(), CHUNK_LEN * 16 + 32);
        for start in 0..2 * CHUNK_LEN {
            for step in 0..2 * CHUNK_LEN {
                let mut history = history(0..start).clone();
                (0..step).for_each(|i| history.push(entry(i)));
                let unused = history.tail.capacity() - history.tail.len();
                assert!(unused <= UNUSED_MAX, "{unused} entries unused after {start} and {step}");
                history.take_back((start * 7 + step * 5) % (start + step + 1));
                let unused = history.tail.capacity() - history.tail.len();
                assert!(unused <= UNUSED_MAX, "{unused} entries unused after taking back");
            }
        }
    }
}
