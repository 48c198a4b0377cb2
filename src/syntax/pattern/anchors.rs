//! Pieces whose only assertions are `^` and `$`, as unions of four plain languages: what a repeat needs.

use super::rest::{Rest, join};
use crate::grammar::regex::{CharSet, Regex};

/// A piece as the union of four: which ends of the text its match must lie at.
#[derive(Clone)]
pub(super) struct Anchored {
    pub(super) neither: Regex,
    pub(super) start: Regex,
    pub(super) end: Regex,
    pub(super) both: Regex,
}

impl Default for Anchored {
    fn default() -> Self {
        Self::plain(Regex::Nothing)
    }
}

impl Anchored {
    pub(super) fn plain(regex: Regex) -> Self {
        Self { neither: regex, start: Regex::Nothing, end: Regex::Nothing, both: Regex::Nothing }
    }

    pub(super) fn size(&self) -> usize {
        [&self.neither, &self.start, &self.end, &self.both].map(Regex::size).iter().sum()
    }

    pub(super) fn or(self, other: Self) -> Self {
        Self {
            neither: Regex::or([self.neither, other.neither]),
            start: Regex::or([self.start, other.start]),
            end: Regex::or([self.end, other.end]),
            both: Regex::or([self.both, other.both]),
        }
    }

    /// One after the other: in front of what needs the start, and behind what needs the end, there is only the empty
    /// text.
    pub(super) fn then(&self, next: &Self) -> Self {
        let empty = |r: &Regex| if r.accepts_empty() { Regex::Empty } else { Regex::Nothing };
        let left = [&self.neither, &self.start, &self.end, &self.both];
        let right = [&next.neither, &next.start, &next.end, &next.both];
        let mut found: [Vec<Regex>; 4] = Default::default();
        for (i, left) in left.into_iter().enumerate() {
            for (j, right) in right.into_iter().enumerate() {
                // Bit 0: needs the start; bit 1: needs the end.
                let first = if j & 1 == 1 { empty(left) } else { left.clone() };
                let second = if i & 2 == 2 { empty(right) } else { right.clone() };
                found[i | j].push(join(first, second));
            }
        }
        let [neither, start, end, both] = found.map(Regex::or);
        Self { neither, start, end, both }
    }

    /// `min` to `max` times. Of the repetitions that need the start, all before the last match the empty text; of those
    /// that need the end, all behind the first. So there are at most one of each that count, and plain ones between.
    /// The others are empty and fill up the count.
    pub(super) fn repeat(&self, min: u32, max: Option<u32>) -> Self {
        let nothing = || Regex::Nothing;
        let between = |fixed: u32, fills: bool| match max {
            Some(max) if max < fixed => nothing(),
            _ => {
                let min = if fills { 0 } else { min.saturating_sub(fixed) };
                self.neither.clone().repeat(min, max.map(|max| max - fixed))
            }
        };
        if max == Some(0) {
            return Self::plain(Regex::Empty);
        }
        let [neither, start, end, both] =
            [&self.neither, &self.start, &self.end, &self.both].map(Regex::accepts_empty);
        // A repetition that needs both ends and is not empty is the only one that consumes; empty ones fill up the
        // count only if they don't need the far end.
        let single = match both {
            _ if min <= 1 || neither || start || end => self.both.clone(),
            true => Regex::Empty,
            false => nothing(),
        };
        Self {
            neither: between(0, false),
            start: join(self.start.clone(), between(1, neither || start)),
            end: join(between(1, neither || end), self.end.clone()),
            both: Regex::or([
                single,
                Regex::concat([self.start.clone(), between(2, neither || start || end), self.end.clone()]),
            ]),
        }
    }

    /// The rest in front of this piece.
    pub(super) fn before(&self, rest: &Rest, watched: &CharSet) -> Rest {
        let at_end = rest.clone().only_at_end();
        let pieces = [
            rest.clone().behind(&self.neither, watched),
            rest.clone().behind(&self.start, watched).only_at_start(),
            at_end.clone().behind(&self.end, watched),
            at_end.behind(&self.both, watched).only_at_start(),
        ];
        pieces.into_iter().fold(Rest::uniform(Regex::Nothing), |all, piece| {
            // Most pieces are empty and must not split the situations.
            let void = piece.elsewhere == Regex::Nothing
                && piece.at_start.as_ref().is_none_or(|r| *r == Regex::Nothing)
                && piece.after_watched.as_ref().is_none_or(|r| *r == Regex::Nothing);
            if void { all } else { all.or(piece) }
        })
    }
}
