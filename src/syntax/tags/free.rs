//! Free text: what may be written until a marker comes, as regexes.
//!
//! What counts is the marker that is complete first. So the text up to a trigger is any text that ends with it and in which no
//! trigger and no end is complete before; a near match in front of it (`<<call>`) needs no care, and neither do
//! triggers within triggers. At the end of everything, free text may end with a proper beginning of a trigger.

use crate::grammar::regex::{CharSet, Regex};
use crate::syntax::pattern;

/// Where a trigger counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Boundary {
    /// Everywhere.
    #[default]
    Anywhere,
    /// Where the character before it is no letter, mark, digit or `_`. The start of a free text, which is the start of everything or
    /// follows a tag, counts as such a place.
    AfterWords,
}

/// What free text must do without.
#[derive(Clone, Default, Debug)]
pub(super) struct Free<'a> {
    /// What begins a tag.
    pub(super) triggers: Vec<&'a str>,
    pub(super) boundary: Boundary,
    /// What ends the free text for good, wherever it stands.
    pub(super) ends: Vec<&'a str>,
    /// What it may not contain.
    pub(super) excludes: Vec<&'a str>,
}

impl<'a> Free<'a> {
    /// Without some texts.
    pub(super) fn without(excludes: Vec<&'a str>) -> Self {
        Self { excludes, ..Self::default() }
    }

    /// The text up to and with a trigger.
    pub(super) fn to_trigger(&self, trigger: &str) -> Regex {
        self.first(ending_in([trigger], self.boundary))
    }

    /// The text up to and with an end.
    pub(super) fn to_end(&self) -> Regex {
        self.first(ending_in(self.ends.iter().copied(), Boundary::Anywhere))
    }

    /// A text without any of them.
    pub(super) fn rest(&self) -> Regex {
        let all = Regex::or([self.complete(), self.excluded()]);
        if all == Regex::Nothing {
            return Regex::any_text();
        }
        Regex::any_text().except(all.then(Regex::any_text()))
    }

    /// Bytes of all texts: what a regex of this file is about as large as.
    pub(super) fn bytes(&self) -> usize {
        [&self.triggers, &self.ends, &self.excludes]
            .iter()
            .flat_map(|list| list.iter())
            .map(|t| t.len())
            .sum()
    }

    /// The texts that end with a marker, of which nothing but the marker at the end is complete.
    fn first(&self, ending: Regex) -> Regex {
        let earlier = self.complete().then(Regex::set(CharSet::any()).plus());
        let excluded = match self.excluded() {
            Regex::Nothing => Regex::Nothing,
            some => some.then(Regex::any_text()),
        };
        ending.except(Regex::or([earlier, excluded]))
    }

    fn complete(&self) -> Regex {
        Regex::or([
            ending_in(self.triggers.iter().copied(), self.boundary),
            ending_in(self.ends.iter().copied(), Boundary::Anywhere),
        ])
    }

    fn excluded(&self) -> Regex {
        ending_in(self.excludes.iter().copied(), Boundary::Anywhere)
    }
}

/// The texts that end with one of these.
fn ending_in<'t>(texts: impl IntoIterator<Item = &'t str>, boundary: Boundary) -> Regex {
    let texts = Regex::literals(texts);
    match boundary {
        Boundary::Anywhere => Regex::any_text().then(texts),
        Boundary::AfterWords => {
            let inside = Regex::concat([Regex::any_text(), Regex::set(word().complement()), texts.clone()]);
            Regex::or([texts, inside])
        }
    }
}

/// Letters, marks, digits and `_`.
fn word() -> CharSet {
    let named = ["Alphabetic", "M", "N"].into_iter().filter_map(pattern::property);
    named.fold(CharSet::single('_'), |all, set| all.union(&set))
}

/// Whether a trigger counts at a byte of a text that stands at a boundary.
pub(super) fn counts_at(text: &str, byte: usize, boundary: Boundary) -> bool {
    let before = text[..byte].chars().next_back();
    boundary == Boundary::Anywhere || before.is_none_or(|c| !word().contains(c))
}

/// The text up to and with the first `stop`.
pub(super) fn until(stop: &str) -> Regex {
    Free { ends: vec![stop], ..Free::default() }.to_end()
}

#[cfg(test)]
mod tests {
    use super::{Boundary, Free, counts_at};

    #[test]
    fn the_expressions_are_small_and_name_their_texts() {
        let free = Free { triggers: vec!["<a>"], ..Free::default() };
        assert_eq!(free.rest().to_string(), r#"!(.*"<a>".*)"#);
        assert_eq!(free.to_trigger("<a>").to_string(), r#"(.*"<a>"&!(.*"<a>".+))"#);
        assert_eq!(Free::default().rest().to_string(), ".*");
    }

    #[test]
    fn a_trigger_behind_a_word_does_not_count() {
        for (text, byte, expected) in
            [("call", 0, true), ("recall", 2, false), ("é call", 3, true), ("écall", 2, false)]
        {
            assert_eq!(counts_at(text, byte, Boundary::AfterWords), expected, "{text}");
            assert!(counts_at(text, byte, Boundary::Anywhere));
        }
    }
}
