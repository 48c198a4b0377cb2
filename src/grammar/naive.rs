//! The slow twin of everything that decides membership in a [`Regex`]: sets of end positions, no automaton.
//!
//! `ends(r, i)` is the set of positions `j` such that `text[i..j]` is in the language. Each construct is its
//! definition, so this is the reference for tests and is never made faster.

use crate::grammar::regex::Regex;

/// Whether the text is in the language.
pub(crate) fn is_match(regex: &Regex, text: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    ends(regex, &text, 0)[text.len()]
}

/// Which positions end a match that starts at `start`.
fn ends(regex: &Regex, text: &[char], start: usize) -> Vec<bool> {
    let len = text.len();
    let none = vec![false; len + 1];
    let mut found = none.clone();
    match regex {
        Regex::Nothing => {}
        Regex::Empty => found[start] = true,
        Regex::Set(set) => {
            if start < len && set.contains(text[start]) {
                found[start + 1] = true;
            }
        }
        Regex::Concat(parts) => {
            found[start] = true;
            for part in parts {
                found = from_all(part, text, &found);
            }
        }
        Regex::Or(parts) => {
            for part in parts {
                union(&mut found, &ends(part, text, start));
            }
        }
        Regex::And(parts) => {
            found[start..].fill(true);
            for part in parts {
                let other = ends(part, text, start);
                found.iter_mut().zip(other).for_each(|(a, b)| *a &= b);
            }
        }
        Regex::Not(inner) => {
            let other = ends(inner, text, start);
            for end in start..=len {
                found[end] = !other[end];
            }
        }
        Regex::Repeat { body, min, max } => return repeat(body, *min, *max, text, start),
        Regex::Literals(texts) => {
            for literal in texts {
                let literal: Vec<char> = literal.chars().collect();
                if text[start..].starts_with(&literal) {
                    found[start + literal.len()] = true;
                }
            }
        }
        Regex::Multiple { of } => {
            for end in start..=len {
                found[end] = is_multiple(&text[start..end], *of);
            }
        }
    }
    found
}

fn union(into: &mut [bool], other: &[bool]) {
    into.iter_mut().zip(other).for_each(|(a, b)| *a |= b);
}

/// Ends of matches that start at any of the positions.
fn from_all(regex: &Regex, text: &[char], starts: &[bool]) -> Vec<bool> {
    let mut found = vec![false; text.len() + 1];
    for start in (0..starts.len()).filter(|&start| starts[start]) {
        union(&mut found, &ends(regex, text, start));
    }
    found
}

fn repeat(body: &Regex, min: u32, max: Option<u32>, text: &[char], start: usize) -> Vec<bool> {
    let table: Vec<Vec<bool>> = (0..=text.len()).map(|start| ends(body, text, start)).collect();
    let step = |starts: &[bool]| {
        let mut found = vec![false; text.len() + 1];
        for start in (0..starts.len()).filter(|&start| starts[start]) {
            union(&mut found, &table[start]);
        }
        found
    };
    let mut now = vec![false; text.len() + 1];
    now[start] = true;
    for _ in 0..min {
        let next = step(&now);
        if next == now {
            break;
        }
        now = next;
    }
    let mut found = now.clone();
    for _ in min..max.unwrap_or(u32::MAX) {
        now = step(&now);
        let before = found.clone();
        union(&mut found, &now);
        if found == before {
            break;
        }
    }
    found
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
        (ab.clone().star().not(), "abc", true),
        (ab.clone().star().not(), "abab", false),
        (Regex::and([ab.clone().star(), Regex::literal("ab").not()]), "ab", false),
        (Regex::and([ab.clone().star(), Regex::literal("ab").not()]), "ba", true),
        (Regex::literals(["ab", "", "abc"]).then(Regex::literal("c")), "abc", true),
        (Regex::literals(["ab", "", "abc"]).then(Regex::literal("c")), "c", true),
        (Regex::literals(["ab", "", "abc"]).then(Regex::literal("c")), "abcc", true),
        (Regex::Multiple { of: 7 }, "-0021.00", true),
        (Regex::Multiple { of: 7 }, "22", false),
        (Regex::Multiple { of: 7 }, "21.", false),
        (Regex::Multiple { of: 7 }, "-", false),
    ] {
        assert_eq!(is_match(&regex, text), expected, "{regex} on {text:?}");
    }
}
