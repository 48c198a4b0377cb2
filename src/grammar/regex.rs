//! Regular languages of code points, as a tree: what the front ends hand to the automaton.
//!
//! A [`Regex`] always describes the *whole* text. Search semantics, anchors and dialects are the
//! business of the front end that builds it.
//!
//! The constructors keep a few invariants that make trees small and comparisons meaningful, and never change the
//! language: `Concat`, `Or` and `And` are flat and have at least two parts, `Nothing` and `Empty` are absorbed where
//! they can be, equal alternatives are merged. The variants are public, so nothing may rely on these for correctness.
//!
//! Parts are shared: a copy of a tree is one more count, for regexes are copied wherever rules are put together.

use std::fmt;
use std::sync::Arc;

use crate::grammar::states::{Row, States};

use crate::grammar::values::Values;

/// The greatest Unicode scalar value.
const SCALAR_MAX: u32 = 0x10_FFFF;
/// The surrogates, which are code points but no scalar values.
const SURROGATES: (u32, u32) = (0xD800, 0xDFFF);

/// White space and line ends as ECMA-262 names them: `\s` of its patterns.
pub(crate) const SPACES: [(u32, u32); 10] = [
    (0x09, 0x0D),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
];

/// A set of Unicode scalar values as sorted, disjoint, non-adjacent inclusive ranges.
///
/// Surrogates are never members: the complement is taken relative to the scalar values. Two ranges on both sides of
/// the surrogates are kept apart, so the representation of a set is unique and `==` compares sets.
#[derive(Clone, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Default)]
pub struct CharSet {
    ranges: Arc<[(u32, u32)]>,
}

impl CharSet {
    /// The set without members.
    #[must_use]
    pub fn empty() -> Self {
        Self::default()
    }

    /// All Unicode scalar values.
    #[must_use]
    pub fn any() -> Self {
        Self { ranges: [(0, SURROGATES.0 - 1), (SURROGATES.1 + 1, SCALAR_MAX)].into() }
    }

    /// One character.
    #[must_use]
    pub fn single(c: char) -> Self {
        Self { ranges: [(u32::from(c), u32::from(c))].into() }
    }

    /// The union of inclusive ranges of code points, in any order and overlapping as they may. Surrogates and what is
    /// above U+10FFFF are left out; a range whose end is below its start is empty. O(n log n).
    #[must_use]
    pub fn from_ranges(ranges: impl IntoIterator<Item = (u32, u32)>) -> Self {
        let mut cut: Vec<(u32, u32)> = Vec::new();
        for (low, high) in ranges {
            let below = (low, high.min(SURROGATES.0 - 1));
            let above = (low.max(SURROGATES.1 + 1), high.min(SCALAR_MAX));
            cut.extend([below, above].into_iter().filter(|(low, high)| low <= high));
        }
        cut.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(cut.len());
        for (low, high) in cut {
            match merged.last_mut() {
                Some(last) if low <= last.1 + 1 => last.1 = last.1.max(high),
                _ => merged.push((low, high)),
            }
        }
        Self { ranges: merged.into() }
    }

    /// The characters of a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self::from_ranges(text.chars().map(|c| (u32::from(c), u32::from(c))))
    }

    /// The inclusive range of characters.
    #[must_use]
    pub fn range(low: char, high: char) -> Self {
        Self::from_ranges([(u32::from(low), u32::from(high))])
    }

    /// The ranges, sorted, disjoint, non-adjacent.
    #[must_use]
    pub fn ranges(&self) -> &[(u32, u32)] {
        &self.ranges
    }

    /// Whether it has no members.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Number of members.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.ranges.iter().map(|(low, high)| high - low + 1).sum()
    }

    /// Whether the character is a member. O(log n).
    #[must_use]
    pub fn contains(&self, c: char) -> bool {
        let c = u32::from(c);
        let after = self.ranges.partition_point(|&(low, _)| low <= c);
        after > 0 && self.ranges[after - 1].1 >= c
    }

    /// Members of either.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self::from_ranges(self.ranges.iter().chain(&*other.ranges).copied())
    }

    /// Members of both. O(n + m).
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        let (mut i, mut j) = (0, 0);
        let mut ranges = Vec::new();
        while let (Some(&(a, b)), Some(&(c, d))) = (self.ranges.get(i), other.ranges.get(j)) {
            let (low, high) = (a.max(c), b.min(d));
            if low <= high {
                ranges.push((low, high));
            }
            if b < d { i += 1 } else { j += 1 }
        }
        Self { ranges: ranges.into() }
    }

    /// Scalar values that are no members.
    #[must_use]
    pub fn complement(&self) -> Self {
        let mut ranges = Vec::with_capacity(self.ranges.len() + 1);
        let mut next = 0;
        for &(low, high) in self.ranges() {
            if next < low {
                ranges.push((next, low - 1));
            }
            next = high + 1;
        }
        if next <= SCALAR_MAX {
            ranges.push((next, SCALAR_MAX));
        }
        Self::from_ranges(ranges)
    }

    /// Members of this set that are none of the other.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        self.intersection(&other.complement())
    }
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
    Concat(Arc<[Regex]>),
    /// In at least one.
    Or(Arc<[Regex]>),
    /// In all.
    And(Arc<[Regex]>),
    /// Not in it.
    Not(Arc<Regex>),
    /// `min` to `max` times (`None`: no upper bound); never unrolled.
    Repeat {
        /// What is repeated.
        body: Arc<Regex>,
        /// Least count.
        min: u32,
        /// Greatest count.
        max: Option<u32>,
    },
    /// One of these literals (enums have thousands).
    Literals(Arc<[Box<str>]>),
    /// Decimal spellings of the integer multiples of `of` (> 0): an optional `-`, digits (leading zeros and all), and
    /// optionally `.` and one or more zeros. Number syntax proper is intersected elsewhere.
    Multiple {
        /// The divisor.
        of: u64,
    },
    /// Decimal spellings of the integer multiples of `of / 10^places`, both at least 1: an optional `-`, digits, and optionally
    /// `.` and digits.
    FractionMultiple {
        /// The numerator.
        of: u64,
        /// The digits behind the point.
        places: u32,
    },
    /// A table of states.
    States(Arc<States>),
    /// The spellings of some numbers, exponents and all: JSON numbers of at most [`NUMBER_DIGITS_MAX`] digits, with an exponent
    /// of at most [`EXPONENT_DIGITS_MAX`] digits or none.
    ///
    /// [`NUMBER_DIGITS_MAX`]: crate::limits::NUMBER_DIGITS_MAX
    /// [`EXPONENT_DIGITS_MAX`]: crate::limits::EXPONENT_DIGITS_MAX
    Spelled(Arc<Values>),
}

impl Regex {
    /// Every text.
    #[must_use]
    pub fn any_text() -> Self {
        Self::set(CharSet::any()).star()
    }

    /// The language of a table with these rows; without rows, no text at all.
    #[must_use]
    pub(crate) fn states(rows: Vec<Row>) -> Self {
        if rows.is_empty() {
            return Self::Nothing;
        }
        let states = States::new(rows);
        if states.is_any_text() { Self::any_text() } else { Self::States(Arc::new(states)) }
    }

    /// This text only.
    #[must_use]
    pub fn literal(text: &str) -> Self {
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (None, _) => Self::Empty,
            (Some(only), None) => Self::Set(CharSet::single(only)),
            _ => Self::Literals([text.into()].into()),
        }
    }

    /// One of these texts.
    #[must_use]
    pub fn literals<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut texts: Vec<Box<str>> = texts.into_iter().map(Into::into).collect();
        texts.sort_unstable();
        texts.dedup();
        match texts.as_slice() {
            [] => Self::Nothing,
            [only] => Self::literal(only),
            _ => Self::Literals(texts.into()),
        }
    }

    /// One code point of the set.
    #[must_use]
    pub fn set(set: CharSet) -> Self {
        if set.is_empty() { Self::Nothing } else { Self::Set(set) }
    }

    /// One after the other.
    #[must_use]
    pub fn concat(parts: impl IntoIterator<Item = Regex>) -> Self {
        let mut flat: Vec<Regex> = Vec::new();
        for part in parts {
            match part {
                Self::Nothing => return Self::Nothing,
                Self::Empty => {}
                Self::Concat(inner) => flat.extend_from_slice(&inner),
                other => flat.push(other),
            }
        }
        // Two "any text" in a row say the same as one.
        flat.dedup_by(|next, last| next == last && last.is_any_text());
        one_or_many(flat, Self::Empty, Self::Concat)
    }

    /// In at least one.
    #[must_use]
    pub fn or(parts: impl IntoIterator<Item = Regex>) -> Self {
        let mut flat: Vec<Regex> = Vec::new();
        for part in parts {
            let inner = match &part {
                Self::Nothing => continue,
                Self::Or(inner) => inner,
                other => std::slice::from_ref(other),
            };
            for part in inner {
                if part.is_any_text() {
                    return part.clone();
                }
                if flat.len() > DEDUP_PARTS_MAX || !flat.contains(part) {
                    flat.push(part.clone());
                }
            }
        }
        one_or_many(flat, Self::Nothing, Self::Or)
    }

    /// In all; of no parts: every text.
    #[must_use]
    pub fn and(parts: impl IntoIterator<Item = Regex>) -> Self {
        let mut flat: Vec<Regex> = Vec::new();
        for part in parts {
            let inner = match &part {
                Self::Nothing => return Self::Nothing,
                Self::And(inner) => inner,
                other => std::slice::from_ref(other),
            };
            for part in inner {
                if !part.is_any_text() && (flat.len() > DEDUP_PARTS_MAX || !flat.contains(part)) {
                    flat.push(part.clone());
                }
            }
        }
        if flat.is_empty() {
            return Self::any_text();
        }
        one_or_many(flat, Self::Nothing, Self::And)
    }

    /// Every text that is not in it.
    #[must_use]
    pub fn complement(self) -> Self {
        match self {
            Self::Not(inner) => Arc::unwrap_or_clone(inner),
            Self::Nothing => Self::any_text(),
            other if other.is_any_text() => Self::Nothing,
            other => Self::Not(Arc::new(other)),
        }
    }

    /// In this language and not in the other.
    #[must_use]
    pub fn except(self, other: Regex) -> Self {
        Self::and([self, other.complement()])
    }

    /// `min` to `max` times; `max` below `min` is no text at all.
    #[must_use]
    pub fn repeat(self, min: u32, max: Option<u32>) -> Self {
        match (self, min, max) {
            (_, min, Some(max)) if max < min => Self::Nothing,
            (_, _, Some(0)) | (Self::Empty, _, _) => Self::Empty,
            (Self::Nothing, 0, _) => Self::Empty,
            (Self::Nothing, _, _) => Self::Nothing,
            (body, 1, Some(1)) => body,
            (body, 0 | 1, None) if body.is_star() => body,
            (body, min, max) => Self::Repeat { body: Arc::new(body), min, max },
        }
    }

    /// Exactly so many times.
    #[must_use]
    pub fn times(self, count: u32) -> Self {
        self.repeat(count, Some(count))
    }

    /// Or the empty text.
    #[must_use]
    pub fn optional(self) -> Self {
        self.repeat(0, Some(1))
    }

    /// Any number of times.
    #[must_use]
    pub fn star(self) -> Self {
        self.repeat(0, None)
    }

    /// At least once.
    #[must_use]
    pub fn plus(self) -> Self {
        self.repeat(1, None)
    }

    /// Followed by the other.
    #[must_use]
    pub fn then(self, next: Regex) -> Self {
        Self::concat([self, next])
    }

    /// Whether it is written as "any number of any code points"; `false` says nothing about the language.
    #[must_use]
    pub fn is_any_text(&self) -> bool {
        match self {
            Self::Repeat { body, min: 0, max: None } => match &**body {
                Self::Set(set) => *set == CharSet::any(),
                _ => false,
            },
            _ => false,
        }
    }

    fn is_star(&self) -> bool {
        matches!(self, Self::Repeat { min: 0, max: None, .. })
    }

    /// Whether the empty text is in the language. O(size of the tree).
    #[must_use]
    pub fn accepts_empty(&self) -> bool {
        match self {
            Self::Nothing
            | Self::Set(_)
            | Self::Multiple { .. }
            | Self::FractionMultiple { .. }
            | Self::Spelled(_) => false,
            Self::Empty => true,
            Self::Concat(parts) | Self::And(parts) => parts.iter().all(Self::accepts_empty),
            Self::Or(parts) => parts.iter().any(Self::accepts_empty),
            Self::Not(inner) => !inner.accepts_empty(),
            Self::Repeat { body, min, .. } => *min == 0 || body.accepts_empty(),
            Self::Literals(texts) => texts.iter().any(|text| text.is_empty()),
            Self::States(states) => states.rows()[0].accepts,
        }
    }

    /// Number of nodes of the tree, the characters of literals and the ranges of sets included.
    #[must_use]
    pub fn size(&self) -> usize {
        1 + match self {
            Self::Nothing
            | Self::Empty
            | Self::Multiple { .. }
            | Self::FractionMultiple { .. }
            | Self::Spelled(_) => 0,
            Self::Set(set) => set.ranges.len(),
            Self::Concat(parts) | Self::And(parts) | Self::Or(parts) => parts.iter().map(Self::size).sum(),
            Self::Not(inner) | Self::Repeat { body: inner, .. } => inner.size(),
            Self::Literals(texts) => texts.iter().map(|text| text.len()).sum(),
            Self::States(states) => states.size(),
        }
    }
}

/// Up to so many parts, equal ones are merged (by comparing each with each).
const DEDUP_PARTS_MAX: usize = 64;

fn one_or_many(mut parts: Vec<Regex>, none: Regex, many: fn(Arc<[Regex]>) -> Regex) -> Regex {
    match parts.len() {
        0 => none,
        1 => parts.pop().expect("there is one part"),
        _ => many(parts.into()),
    }
}

impl fmt::Display for CharSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::any() {
            return f.write_str(".");
        }
        if let [(low, high)] = self.ranges[..]
            && low == high
        {
            return show(f, low);
        }
        let inverse = self.complement();
        let (sign, ranges) = if inverse.ranges.len() < self.ranges.len() {
            ("^", &inverse.ranges)
        } else {
            ("", &self.ranges)
        };
        write!(f, "[{sign}")?;
        for &(low, high) in ranges.iter() {
            show(f, low)?;
            if high > low + 1 {
                f.write_str("-")?;
            }
            if high > low {
                show(f, high)?;
            }
        }
        f.write_str("]")
    }
}

/// Writes a character so that it can't be mistaken for an operator.
fn show(f: &mut fmt::Formatter<'_>, code_point: u32) -> fmt::Result {
    match char::from_u32(code_point) {
        Some(c) if c.is_ascii_alphanumeric() || c == '_' => write!(f, "{c}"),
        Some(c) if c.is_ascii_graphic() => write!(f, "\\{c}"),
        Some(' ') => write!(f, "\\ "),
        Some(c) if c.is_alphanumeric() => write!(f, "{c}"),
        _ => write!(f, "\\u{{{code_point:X}}}"),
    }
}

/// The text form: `.` is any code point, `&` intersection, `!(…)` complement, `"…"` a literal, `∅` nothing, `ε` the
/// empty text, `#7` the multiples of 7, `{0 a→1; 1!}` a table of states, `{≥1}` the spellings of some values.
impl fmt::Display for Regex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("∅"),
            Self::Empty => f.write_str("ε"),
            Self::Set(set) => set.fmt(f),
            Self::Concat(parts) => join(f, parts, ""),
            Self::Or(parts) => parenthesised(f, parts, "|"),
            Self::And(parts) => parenthesised(f, parts, "&"),
            Self::Not(inner) => write!(f, "!({inner})"),
            Self::Repeat { body, min, max } => {
                if matches!(**body, Self::Concat(_) | Self::Repeat { .. }) {
                    write!(f, "({body})")?;
                } else {
                    write!(f, "{body}")?;
                }
                match (min, max) {
                    (0, None) => f.write_str("*"),
                    (1, None) => f.write_str("+"),
                    (0, Some(1)) => f.write_str("?"),
                    (min, None) => write!(f, "{{{min},}}"),
                    (min, Some(max)) if min == max => write!(f, "{{{min}}}"),
                    (min, Some(max)) => write!(f, "{{{min},{max}}}"),
                }
            }
            Self::Literals(texts) => {
                let open = if texts.len() == 1 { "" } else { "(" };
                write!(f, "{open}")?;
                for (i, text) in texts.iter().enumerate() {
                    write!(f, "{}{text:?}", if i == 0 { "" } else { "|" })?;
                }
                f.write_str(if texts.len() == 1 { "" } else { ")" })
            }
            Self::Multiple { of } => write!(f, "#{of}"),
            Self::FractionMultiple { of, places } => write!(f, "#{of}e-{places}"),
            Self::States(states) => write!(f, "{states}"),
            Self::Spelled(values) => write!(f, "{values}"),
        }
    }
}

fn join(f: &mut fmt::Formatter<'_>, parts: &[Regex], separator: &str) -> fmt::Result {
    for (i, part) in parts.iter().enumerate() {
        write!(f, "{}{part}", if i == 0 { "" } else { separator })?;
    }
    Ok(())
}

fn parenthesised(f: &mut fmt::Formatter<'_>, parts: &[Regex], separator: &str) -> fmt::Result {
    f.write_str("(")?;
    join(f, parts, separator)?;
    f.write_str(")")
}

#[cfg(test)]
#[path = "regex_tests.rs"]
mod tests;
