//! Small sets of numbers below a bound.

use crate::index::widen;

/// A set of numbers.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Bits(Box<[u64]>);

impl Bits {
    /// Without members; they may be up to `len`, exclusively.
    pub(crate) fn empty(len: usize) -> Self {
        Self(vec![0; len.div_ceil(64)].into())
    }

    /// With all members below `len`.
    pub(crate) fn full(len: usize) -> Self {
        let mut bits = Self::empty(len);
        (0..len).for_each(|at| bits.insert(at));
        bits
    }

    pub(crate) fn insert(&mut self, at: usize) {
        self.0[at / 64] |= 1 << (at % 64);
    }

    pub(crate) fn contains(&self, at: usize) -> bool {
        self.0[at / 64] >> (at % 64) & 1 == 1
    }

    /// Takes over the members of a set with the same bound.
    pub(crate) fn set_to(&mut self, other: &Self) {
        self.0.copy_from_slice(&other.0);
    }

    pub(crate) fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Adds members; says whether there are more now.
    pub(crate) fn add(&mut self, other: &Self) -> bool {
        let mut grown = false;
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            grown |= *more & !*word != 0;
            *word |= more;
        }
        grown
    }

    /// Keeps common members; says whether there are fewer now.
    pub(crate) fn keep(&mut self, other: &Self) -> bool {
        let mut shrunk = false;
        for (word, kept) in self.0.iter_mut().zip(&other.0) {
            shrunk |= *word & !*kept != 0;
            *word &= kept;
        }
        shrunk
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().enumerate().flat_map(|(at, &word)| {
            (0..64_u32).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at * 64 + widen(bit))
        })
    }
}

#[test]
fn sets_are_sets() {
    let mut set = Bits::empty(130);
    [0, 64, 129].into_iter().for_each(|at| set.insert(at));
    assert_eq!(set.iter().collect::<Vec<_>>(), [0, 64, 129]);
    let mut all = Bits::full(130);
    assert!(!all.add(&set) && all.keep(&set) && all == set && !all.contains(1));
}
