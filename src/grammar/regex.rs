//! Regular languages of code points, as a tree: what the front ends hand to the automaton.
//!
//! A [`Regex`] always describes the *whole* text. Search semantics, anchors and dialects are the
//! business of the front end that builds it.

/// A set of Unicode scalar values as sorted, disjoint, non-adjacent inclusive ranges.
///
/// Surrogates are never members: the complement is taken relative to the scalar values.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Default)]
pub struct CharSet {
    ranges: Vec<(u32, u32)>,
}

/// A regular language of code points.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Regex {
    /// No text at all.
    Nothing,
    /// The empty text only.
    Empty,
    /// One code point of the set.
    Set(CharSet),
    /// One after the other.
    Concat(Vec<Regex>),
    /// In at least one.
    Or(Vec<Regex>),
    /// In all.
    And(Vec<Regex>),
    /// Not in it.
    Not(Box<Regex>),
    /// `min` to `max` times (`None`: no upper bound); never unrolled.
    Repeat {
        /// What is repeated.
        body: Box<Regex>,
        /// Least count.
        min: u32,
        /// Greatest count.
        max: Option<u32>,
    },
    /// One of these literals (enums have thousands).
    Literals(Vec<Box<str>>),
    /// Decimal spellings of the integer multiples of `of` (> 0): an optional `-`, digits (leading zeros and all), and
    /// optionally `.` and one or more zeros. Number syntax proper is intersected elsewhere.
    Multiple {
        /// The divisor.
        of: u64,
    },
}
