//! Which kinds of characters the texts of a term use: what one member of an intersection needs and another never has leaves nothing.
//!
//! A pattern that may begin anywhere, beside a format that has one `T` only, was searched through all ways to begin again.

use crate::grammar::regex::CharSet;

/// A set of kinds of characters: each letter whatever its case, each ASCII punctuation mark, digits, blanks and control characters, and
/// all beyond ASCII.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Used(u64);

const DIGIT: u8 = 26;
const BLANK: u8 = 27;
const BEYOND: u8 = 28;
/// The kind of the first punctuation mark.
const MARK: u8 = 29;

static KIND: [u8; 128] = {
    let mut kinds = [BLANK; 128];
    let (mut next, mut c) = (MARK, 0u8);
    while c < 128 {
        kinds[c as usize] = match c {
            b'a'..=b'z' => c - b'a',
            b'A'..=b'Z' => c - b'A',
            b'0'..=b'9' => DIGIT,
            0x21..=0x7E => {
                next += 1;
                next - 1
            }
            _ => BLANK,
        };
        c += 1;
    }
    kinds
};

impl Used {
    pub(super) const NONE: Self = Self(0);
    pub(super) const ALL: Self = Self(!0);

    /// The kinds of the members of a set.
    pub(super) fn of(set: &CharSet) -> Self {
        let mut kinds = 0;
        for &(lo, hi) in set.ranges() {
            for c in lo..=hi.min(0x7F) {
                kinds |= 1 << kind(c);
            }
            if hi > 0x7F {
                kinds |= 1 << BEYOND;
            }
        }
        Self(kinds)
    }

    pub(super) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn within(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) fn others(self) -> Self {
        Self(!self.0)
    }

    pub(super) fn is_none(self) -> bool {
        self.0 == 0
    }

    /// These, if they are one kind.
    pub(super) fn if_one(self) -> Self {
        if self.0.is_power_of_two() { self } else { Self::NONE }
    }
}

fn kind(c: u32) -> u8 {
    usize::try_from(c).ok().and_then(|c| KIND.get(c)).copied().unwrap_or(BEYOND)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::term::Terms;
    use crate::grammar::regex::Regex;
    use crate::index::TermId;

    #[test]
    fn kinds_are_told_apart_and_fit() {
        let marks = (0x21..0x7Fu8).filter(u8::is_ascii_punctuation);
        let kinds: std::collections::BTreeSet<u8> = marks.map(|c| kind(c.into())).collect();
        assert_eq!((kinds.len(), *kinds.last().expect("there are some") < 64), (32, true));
        assert_eq!((kind(0x74), kind(0x54), kind(0x34), kind(0xE9)), (19, 19, DIGIT, BEYOND));
    }

    /// Every text of up to three of these characters is held against what is said of the terms that match it.
    #[test]
    fn what_is_said_of_a_term_holds_of_all_its_texts() {
        let set = |text: &str| Regex::set(CharSet::of(text));
        let leaves = [
            set("a"),
            set("A1"),
            set("-"),
            set("é日"),
            Regex::Empty,
            Regex::any_text(),
            Regex::set(CharSet::any()),
        ];
        let mut regexes: Vec<Regex> = leaves.to_vec();
        for a in &leaves {
            regexes.push(a.clone().star());
            regexes.push(a.clone().plus());
            regexes.push(Regex::any_text().except(a.clone()));
            for b in &leaves {
                regexes.push(a.clone().then(b.clone()));
                regexes.push(Regex::or([a.clone(), b.clone().plus()]));
                regexes.push(Regex::any_text().then(a.clone()).then(b.clone().star()));
            }
        }
        let terms = Terms::new();
        let ids: Vec<TermId> = regexes.iter().map(|regex| terms.from_regex(regex).expect("small")).collect();
        let pairs: Vec<TermId> = ids
            .iter()
            .flat_map(|&a| ids.iter().map(move |&b| (a, b)))
            .map(|(a, b)| terms.and(&[a, b]))
            .collect();
        let chars = ['a', 'A', '1', '-', 'é', 'b'];
        let mut texts = vec![String::new()];
        for len in 0..3 {
            let longest: Vec<String> =
                texts.iter().filter(|text| text.chars().count() == len).cloned().collect();
            texts.extend(longest.iter().flat_map(|text| chars.map(|c| format!("{text}{c}"))));
        }
        for (at, &term) in ids.iter().chain(&pairs).enumerate() {
            let facts = terms.facts(term);
            for text in &texts {
                let matches = terms.matches(term, text).expect("small");
                if let Some(at) = at.checked_sub(ids.len()) {
                    let (a, b) = (ids[at / ids.len()], ids[at % ids.len()]);
                    let both =
                        terms.matches(a, text).expect("small") && terms.matches(b, text).expect("small");
                    assert_eq!(matches, both, "{text:?}");
                }
                if matches {
                    let used = Used::of(&CharSet::of(text));
                    assert!(used.within(facts.avoids).is_none(), "{text:?} has what it avoids");
                    assert!(facts.needs.within(used.others()).is_none(), "{text:?} lacks what it needs");
                }
            }
        }
    }

    #[test]
    fn what_needs_a_character_and_what_never_has_it_have_nothing_in_common() {
        let terms = Terms::new();
        let part = Regex::literal("T").then(Regex::set(CharSet::range('0', '9')).star());
        let anywhere = Regex::any_text().then(part).then(Regex::any_text());
        let digits = Regex::set(CharSet::of("0123456789:Z")).star();
        let both = [&anywhere, &digits].map(|regex| terms.from_regex(regex).expect("small"));
        assert_eq!(terms.and(&both), Terms::NOTHING);
    }
}
