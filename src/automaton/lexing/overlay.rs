//! Several terms read at once: the pieces of characters on which each of them goes to one place.

use crate::automaton::term::{Range, Terms};
use crate::index::TermId;

/// The pieces on which the first list goes on.
pub(super) fn along<const N: usize>(lists: [&[Range]; N]) -> Pieces<'_, N> {
    along_some(1, lists)
}

/// The pieces on which one of so many lists, the first of all, goes on.
pub(super) fn along_some<const N: usize>(leaders: usize, lists: [&[Range]; N]) -> Pieces<'_, N> {
    Pieces { lists, from: 0, leaders }
}

/// Pieces of characters, in order, and where each list leads on them.
pub(super) struct Pieces<'r, const N: usize> {
    /// What is left of each list.
    lists: [&'r [Range]; N],
    /// The first character behind the last piece.
    from: u32,
    /// How many of the lists decide which pieces there are.
    leaders: usize,
}

impl<const N: usize> Iterator for Pieces<'_, N> {
    type Item = (u32, u32, [TermId; N]);

    fn next(&mut self) -> Option<Self::Item> {
        let from = self.from;
        let mut lo = u32::MAX;
        for list in &mut self.lists[..self.leaders] {
            while list.first().is_some_and(|range| range.hi < from) {
                *list = &list[1..];
            }
            if let Some(range) = list.first() {
                lo = lo.min(range.lo.max(from));
            }
        }
        if lo == u32::MAX {
            return None;
        }
        let mut hi = u32::MAX;
        let mut targets = [Terms::NOTHING; N];
        for (list, target) in self.lists.iter_mut().zip(&mut targets) {
            if list.first().is_some_and(|range| range.hi < lo) {
                *list = &list[list.partition_point(|range| range.hi < lo)..];
            }
            match list.first() {
                Some(range) if range.lo <= lo => {
                    *target = range.target;
                    hi = hi.min(range.hi);
                }
                Some(range) => hi = hi.min(range.lo - 1),
                None => {}
            }
        }
        self.from = hi + 1;
        Some((lo, hi, targets))
    }
}

/// A character of a range that is good to read.
pub(super) fn shown(low: u32, high: u32) -> u32 {
    ['a', 'A', '0', ' '].into_iter().map(u32::from).find(|c| (low..=high).contains(c)).unwrap_or(low)
}

/// The characters on the way to a node, by the node before each and the character between.
pub(super) fn text_to(mut at: usize, from: impl Fn(usize) -> Option<(usize, u32)>) -> String {
    let mut text: Vec<char> = Vec::new();
    while let Some((before, c)) = from(at) {
        text.extend(char::from_u32(c));
        at = before;
    }
    text.iter().rev().collect()
}

#[test]
fn overlays_cut_at_every_bound() {
    let range = |lo, hi, target| Range { lo, hi, target: TermId(target) };
    let (first, second) = ([range(1, 5, 7), range(8, 9, 8)], [range(3, 8, 9)]);
    let pieces: Vec<_> = along_some(2, [&first, &second]).collect();
    let nothing = Terms::NOTHING;
    assert_eq!(
        pieces,
        [
            (1, 2, [TermId(7), nothing]),
            (3, 5, [TermId(7), TermId(9)]),
            (6, 7, [nothing, TermId(9)]),
            (8, 8, [TermId(8), TermId(9)]),
            (9, 9, [TermId(8), nothing]),
        ]
    );
    let leading: Vec<_> = along([&first, &second]).collect();
    let led: Vec<_> = pieces.into_iter().filter(|(.., targets)| targets[0] != nothing).collect();
    assert_eq!(leading, led);
    assert_eq!(along([&second[..], &first]).count(), 3);
}
