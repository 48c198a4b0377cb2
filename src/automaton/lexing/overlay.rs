//! Several terms read at once: the pieces of characters on which each of them goes to one place.

use crate::automaton::term::{Range, Terms};
use crate::index::TermId;

/// The pieces on which some list goes on, in order, and where each list leads.
pub(super) fn overlay<const N: usize>(lists: [&[Range]; N]) -> Vec<(u32, u32, [TermId; N])> {
    let mut bounds: Vec<u32> = Vec::with_capacity(2 * lists.iter().map(|list| list.len()).sum::<usize>());
    for range in lists.iter().copied().flatten() {
        bounds.extend([range.lo, range.hi + 1]);
    }
    bounds.sort_unstable();
    bounds.dedup();
    let mut at = [0; N];
    let mut pieces = Vec::new();
    for pair in bounds.windows(2) {
        let (lo, hi) = (pair[0], pair[1] - 1);
        let mut targets = [Terms::NOTHING; N];
        for (list, (at, target)) in lists.iter().zip(at.iter_mut().zip(&mut targets)) {
            while list.get(*at).is_some_and(|range| range.hi < lo) {
                *at += 1;
            }
            if let Some(range) = list.get(*at).filter(|range| range.lo <= lo) {
                *target = range.target;
            }
        }
        if targets.iter().any(|target| *target != Terms::NOTHING) {
            pieces.push((lo, hi, targets));
        }
    }
    pieces
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
    let pieces = overlay([&[range(1, 5, 7), range(8, 9, 8)], &[range(3, 8, 9)]]);
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
}
