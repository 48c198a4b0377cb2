//! The slow twin of everything that decides membership in a [`Regex`]: sets of end positions, no automaton.
//!
//! `ends(r, i)` is the set of positions `j` such that `text[i..j]` is in the language. Each construct is its
//! definition, so this is the reference for tests. Answers are remembered, or nested repeats would take forever; apart
//! from that it is never made faster.

use std::collections::HashMap;
use std::rc::Rc;

use crate::grammar::number::{Bound, Decimal, DecimalError};
use crate::grammar::regex::Regex;
use crate::grammar::values::{Edge, Notation, Step, Values};
use crate::index::widen;
use crate::limits::{EXPONENT_DIGITS_MAX, NUMBER_DIGITS_MAX};

/// Whether the text is in the language.
pub(crate) fn is_match(regex: &Regex, text: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    Twin { text: &text, known: HashMap::new() }.ends(regex, 0)[text.len()]
}

/// For each position, whether it is an end.
type Ends = Rc<Vec<bool>>;

struct Twin<'t> {
    text: &'t [char],
    /// Answers by node (which does not move) and start.
    known: HashMap<(*const Regex, usize), Ends>,
}

impl Twin<'_> {
    /// Which positions end a match that starts at `start`.
    fn ends(&mut self, regex: &Regex, start: usize) -> Ends {
        let key = (std::ptr::from_ref(regex), start);
        if let Some(found) = self.known.get(&key) {
            return Rc::clone(found);
        }
        let found = Rc::new(self.find(regex, start));
        self.known.insert(key, Rc::clone(&found));
        found
    }

    fn none(&self) -> Vec<bool> {
        vec![false; self.text.len() + 1]
    }

    fn find(&mut self, regex: &Regex, start: usize) -> Vec<bool> {
        let len = self.text.len();
        let mut found = self.none();
        match regex {
            Regex::Nothing => {}
            Regex::Empty => found[start] = true,
            Regex::Set(set) => {
                if start < len && set.contains(self.text[start]) {
                    found[start + 1] = true;
                }
            }
            Regex::Concat(parts) => {
                found[start] = true;
                for part in &**parts {
                    found = self.ends_of_all(part, &found);
                }
            }
            Regex::Or(parts) => {
                for part in &**parts {
                    union(&mut found, &self.ends(part, start));
                }
            }
            Regex::And(parts) => {
                found[start..].fill(true);
                for part in &**parts {
                    let other = self.ends(part, start);
                    found.iter_mut().zip(other.iter()).for_each(|(a, b)| *a &= b);
                }
            }
            Regex::Not(inner) => {
                let other = self.ends(inner, start);
                found.iter_mut().zip(other.iter()).skip(start).for_each(|(a, b)| *a = !b);
            }
            Regex::Repeat { body, min, max } => return self.repeat(body, *min, *max, start),
            Regex::Literals(texts) => {
                for literal in &**texts {
                    let literal: Vec<char> = literal.chars().collect();
                    if self.text[start..].starts_with(&literal) {
                        found[start + literal.len()] = true;
                    }
                }
            }
            Regex::States(states) => {
                let mut state = Some(0);
                for (at, found) in found.iter_mut().enumerate().skip(start) {
                    let Some(here) = state else { break };
                    *found = states.rows()[widen(here)].accepts;
                    state = self.text.get(at).and_then(|&c| states.after(here, c));
                }
            }
            Regex::FractionMultiple { of, places } => {
                for (length, found) in found[start..].iter_mut().enumerate() {
                    *found = is_fraction_multiple(&self.text[start..start + length], *of, *places);
                }
            }
            Regex::Spelled(values) => {
                for (length, found) in found[start..].iter_mut().enumerate() {
                    *found = is_spelled(&self.text[start..start + length], values);
                }
            }
            Regex::Multiple { of } => {
                for (length, found) in found[start..].iter_mut().enumerate() {
                    *found = is_multiple(&self.text[start..start + length], *of);
                }
            }
        }
        found
    }

    /// Ends of matches that start at any of the positions.
    fn ends_of_all(&mut self, regex: &Regex, starts: &[bool]) -> Vec<bool> {
        let mut found = self.none();
        for start in (0..starts.len()).filter(|&start| starts[start]) {
            union(&mut found, &self.ends(regex, start));
        }
        found
    }

    fn repeat(&mut self, body: &Regex, min: u32, max: Option<u32>, start: usize) -> Vec<bool> {
        let mut now = self.none();
        now[start] = true;
        for _ in 0..min {
            let next = self.ends_of_all(body, &now);
            if next == now {
                break;
            }
            now = next;
        }
        let mut found = now.clone();
        for _ in min..max.unwrap_or(u32::MAX) {
            now = self.ends_of_all(body, &now);
            let before = found.clone();
            union(&mut found, &now);
            if found == before {
                break;
            }
        }
        found
    }
}

fn union(into: &mut [bool], other: &[bool]) {
    into.iter_mut().zip(other).for_each(|(a, b)| *a |= b);
}

fn is_multiple(text: &[char], of: u64) -> bool {
    let text: String = text.iter().collect();
    let digits = text.strip_prefix('-').unwrap_or(&text);
    let (whole, zeros) = digits.split_once('.').unwrap_or((digits, "0"));
    let shaped = !whole.is_empty()
        && whole.bytes().all(|b| b.is_ascii_digit())
        && !zeros.is_empty()
        && zeros.bytes().all(|b| b == b'0');
    shaped && whole.bytes().fold(0, |rest, b| (rest * 10 + u128::from(b - b'0')) % u128::from(of)) == 0
}

fn is_fraction_multiple(text: &[char], of: u64, places: u32) -> bool {
    let text: String = text.iter().collect();
    let digits = text.strip_prefix('-').unwrap_or(&text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    let places = usize::try_from(places).unwrap();
    let moved = fraction.bytes().chain(std::iter::repeat(b'0')).take(places);
    all_digits(whole)
        && all_digits(fraction)
        && fraction.bytes().skip(places).all(|b| b == b'0')
        && whole.bytes().chain(moved).fold(0, |rest, b| (rest * 10 + u128::from(b - b'0')) % u128::from(of))
            == 0
}

/// A number within the limits of the policy whose value is one of these.
pub(crate) fn is_spelled(text: &[char], values: &Values) -> bool {
    let text: String = text.iter().collect();
    if Decimal::parse(&text) == Err(DecimalError::Syntax) {
        return false;
    }
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((&text, "0"));
    let digit_count = |text: &str| u32::try_from(text.bytes().filter(u8::is_ascii_digit).count()).unwrap();
    if digit_count(mantissa) > NUMBER_DIGITS_MAX || digit_count(exponent) > EXPONENT_DIGITS_MAX {
        return false;
    }
    let foreign: &[char] = match values.notation {
        Notation::Digits => &['.', 'e', 'E'],
        Notation::Point => &['e', 'E'],
        Notation::Exponent => &[],
    };
    if text.contains(foreign) {
        return false;
    }
    let (negative, mantissa) = mantissa.strip_prefix('-').map_or((false, mantissa), |rest| (true, rest));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = format!("{whole}{fraction}");
    // The value is 0.DIGITS times ten to the power `point`.
    let zeros = all.len() - all.trim_start_matches('0').len();
    let digits: Vec<u8> = all.trim_matches('0').bytes().map(|b| b - b'0').collect();
    if digits.is_empty() {
        return values.zero;
    }
    let exponent: i32 = exponent.parse().unwrap();
    let point = i32::try_from(whole.len()).unwrap() - i32::try_from(zeros).unwrap() + exponent;
    let Some(span) = (if negative { &values.negative } else { &values.positive }) else { return false };
    let compare = |edge: &Edge| (point, &digits[..]).cmp(&(edge.point, &edge.digits[..]));
    let above = |edge: &Edge| match edge.kind {
        Bound::Inclusive => compare(edge).is_ge(),
        Bound::Exclusive => compare(edge).is_gt(),
    };
    let below = |edge: &Edge| match edge.kind {
        Bound::Inclusive => compare(edge).is_le(),
        Bound::Exclusive => compare(edge).is_lt(),
    };
    let is_multiple = |step: &Step| {
        let moved = point + i32::try_from(step.places).unwrap();
        let Some(zeros) = usize::try_from(moved).ok().and_then(|len| len.checked_sub(digits.len())) else {
            return false;
        };
        let moved = digits.iter().copied().chain(std::iter::repeat_n(0, zeros));
        moved.fold(0, |rest, digit| (rest * 10 + u128::from(digit)) % step.of) == 0
    };
    span.low.as_ref().is_none_or(above)
        && span.high.as_ref().is_none_or(below)
        && values.multiple_of.iter().all(is_multiple)
        && !values.not_multiple_of.iter().any(is_multiple)
}

#[test]
fn the_twin_follows_the_definitions() {
    use crate::grammar::regex::CharSet;
    let ab = Regex::set(CharSet::of("ab"));
    for (regex, text, expected) in [
        (Regex::Nothing, "", false),
        (Regex::Empty, "", true),
        (Regex::Empty, "a", false),
        (ab.clone(), "b", true),
        (ab.clone(), "c", false),
        (ab.clone().times(2), "ab", true),
        (ab.clone().times(2), "aba", false),
        (ab.clone().repeat(1, Some(3)), "", false),
        (ab.clone().repeat(1, Some(3)), "aba", true),
        (ab.clone().repeat(1, Some(3)), "abab", false),
        (ab.clone().repeat(1_000_000, None), "ab", false),
        (ab.clone().optional().times(1_000_000), "ab", true),
        (ab.clone().star().complement(), "abc", true),
        (ab.clone().star().complement(), "abab", false),
        (Regex::and([ab.clone().star(), Regex::literal("ab").complement()]), "ab", false),
        (Regex::and([ab.clone().star(), Regex::literal("ab").complement()]), "ba", true),
        (Regex::literals(["ab", "", "abc"]).then(Regex::literal("c")), "abc", true),
        (Regex::literals(["ab", "", "abc"]).then(Regex::literal("c")), "c", true),
        (Regex::literals(["ab", "", "abc"]).then(Regex::literal("c")), "abcc", true),
        (Regex::Multiple { of: 7 }, "-0021.00", true),
        (Regex::Multiple { of: 7 }, "22", false),
        (Regex::FractionMultiple { of: 15, places: 1 }, "-04.50", true),
        (Regex::FractionMultiple { of: 15, places: 1 }, "3", true),
        (Regex::FractionMultiple { of: 15, places: 1 }, "4.55", false),
        (Regex::FractionMultiple { of: 15, places: 1 }, "4", false),
        (Regex::FractionMultiple { of: 15, places: 1 }, "3.", false),
        (Regex::Multiple { of: 7 }, "21.", false),
        (Regex::Multiple { of: 7 }, "-", false),
    ] {
        assert_eq!(is_match(&regex, text), expected, "{regex} on {text:?}");
    }
}
