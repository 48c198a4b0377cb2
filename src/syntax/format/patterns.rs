//! `regex`: patterns that are valid by ECMA-262 with the `u` flag.
//!
//! Whether a text is a valid pattern is no regular condition, because groups nest. The language here is narrower: it
//! holds the patterns whose groups nest at most [`NESTING_MAX`] deep, without what must agree over a distance (names of
//! groups, back-references), and with those ranges and counts that are in order at first sight.

use super::language;
use crate::grammar::regex::{CharSet, Regex};

/// Deepest nesting of groups.
const NESTING_MAX: usize = 5;
/// So many levels of groups, from the outermost, may hold lookarounds.
const LOOKAROUND_LEVELS: usize = 3;

/// What [`regex`] lacks.
pub(super) const NARROWING: &str = "groups nested more than 5 deep, lookarounds deep inside, named groups, \
    back-references, Unicode properties other than categories, and some ranges and counts are left out: patterns are no \
    regular language";

pub(super) fn regex() -> Regex {
    let within_lookaround = alternatives(Some(&alternatives(None, None)), None);
    (0..=NESTING_MAX).rev().fold(Regex::Nothing, |inner, level| {
        let group = (level < NESTING_MAX).then_some(&inner);
        alternatives(group, (level < LOOKAROUND_LEVELS).then_some(&within_lookaround))
    })
}

/// Terms and bars in any order: alternatives may be empty. `group` is what a group holds, `lookaround` what a
/// lookaround holds, where they are allowed.
fn alternatives(group: Option<&Regex>, lookaround: Option<&Regex>) -> Regex {
    let enclosed =
        |open: &str, inside: &Regex| Regex::concat([language(open), inside.clone(), Regex::literal(")")]);
    let mut terms = vec![Regex::literal("|"), language("\\^|\\$|\\\\[bB]")];
    terms.extend(lookaround.map(|inside| enclosed("\\(\\?<?[=!]", inside)));
    let mut atoms = vec![language("[^\\^$\\\\*+?()\\[\\]{}|]"), escape(), class()];
    atoms.extend(group.map(|inside| enclosed("\\((?:\\?:)?", inside)));
    terms.push(Regex::or(atoms).then(quantifier().optional()));
    Regex::or(terms).star()
}

/// `*`, `+`, `?` and counts, with or without `?` behind.
///
/// Of `{m,n}` those where the number of digits decides, or the first digit, or where both have one or two digits.
fn quantifier() -> Regex {
    let number = "(?:0|[1-9][0-9]{0,8})";
    let mut ordered = vec![format!("{number}|{number},")];
    ordered.extend((1..9).map(|digits| format!("[0-9]{{1,{digits}}},[1-9][0-9]{{{digits}}}")));
    ordered.extend((0..10).map(|low| format!("{low},[{low}-9]")));
    for ten in 1..10 {
        ordered.extend((0..10).map(|low| format!("{ten}{low},{ten}[{low}-9]")));
        if ten < 9 {
            ordered.extend((1..4).map(|more| format!("{ten}[0-9]{{{more}}},[{}-9][0-9]{{{more}}}", ten + 1)));
        }
    }
    language(&format!("(?:[*+?]|\\{{(?:{})\\}})\\??", ordered.join("|")))
}

/// An escape that stands for one character or a set; the same inside and outside of classes.
fn escape() -> Regex {
    let categories = "C[cfnos]?|L[Clmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?";
    language(&format!(
        "\\\\(?:[dDsSwWfnrtv^$\\\\.*+?()\\[\\]{{}}|/]|c[A-Za-z]|x[0-9A-Fa-f]{{2}}|u[0-9A-CE-Fa-ce-f][0-9A-Fa-f]{{3}}\
         |u\\{{0{{0,2}}[0-9A-Fa-f]{{1,5}}\\}}|u\\{{10[0-9A-Fa-f]{{4}}\\}}\
         |[pP]\\{{(?:(?:gc|General_Category)=)?(?:{categories})\\}})"
    ))
}

/// A class. A hyphen stands for itself at both ends and behind a range.
fn class() -> Regex {
    let hyphen = || Regex::literal("-").optional();
    let single = Regex::or([language("[^\\\\\\]-]"), language("\\\\[b-]"), escape()]);
    let items = Regex::or([single, range().then(hyphen())]).star();
    Regex::concat([language("\\[\\^?"), hyphen(), items, hyphen(), Regex::literal("]")])
}

/// A range of a class. Its ends are ASCII characters in order; or an ASCII character and one outside; or hexadecimal
/// escapes of which the first digit decides, or of which the low one ends in 0 and the rest is alike.
fn range() -> Regex {
    let hyphen = || Regex::literal("-");
    // A caret would be a negation in first place.
    let low_ends = CharSet::range(' ', '~').difference(&CharSet::of("\\]-^"));
    let high_ends = |low: char| CharSet::range(low, '~').difference(&CharSet::of("\\]-"));
    let characters = (' '..='~')
        .filter(|&low| low_ends.contains(low))
        .map(|low| Regex::concat([Regex::set(CharSet::single(low)), hyphen(), Regex::set(high_ends(low))]));
    let outside = CharSet::from_ranges([(0x80, 0x10_FFFF)]);
    let across = Regex::concat([Regex::set(low_ends.clone()), hyphen(), Regex::set(outside)]);
    let any = "[0-9A-Fa-f]";
    let digit = |value: u32| {
        let c = char::from_digit(value, 16).expect("below 16");
        format!("{c}{}", c.to_ascii_uppercase())
    };
    let mut escapes: Vec<String> = (0..16)
        .flat_map(|low| {
            ["x", "u00"].map(|start| format!("\\\\{start}[{0}]0-\\\\{start}[{0}]{any}", digit(low)))
        })
        .collect();
    // Escapes from D800 on may be halves of a pair.
    for (start, more, halves) in [("x", 1, 16), ("u", 3, 13)] {
        for low in (0..15).filter(|&low| low != halves) {
            let above: String = (low + 1..16).filter(|&high| high != halves).map(digit).collect();
            let rest = format!("{any}{{{more}}}");
            escapes.push(format!("\\\\{start}[{}]{rest}-\\\\{start}[{above}]{rest}", digit(low)));
        }
    }
    Regex::or(characters.chain([across, language(&escapes.join("|"))]))
}
