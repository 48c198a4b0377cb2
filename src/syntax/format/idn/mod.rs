//! `idn-hostname` and `idn-email`: RFC 5890 to 5893, RFC 6531.
//!
//! Whether a name is valid is no regular condition: labels must be short *as Punycode*, which depends on the distances
//! between their code points, and must be normalized. The language here is narrower, and each bound is on the safe side:
//!
//! * A label with characters beyond ASCII has at most [`NEAR_MAX`] characters where all of those lie in one of the
//!   [`WINDOWS`], and at most [`FAR_MAX`] else. Its A-label then has at most [`A_LABEL_OCTETS_MAX`] octets: encoding a code
//!   point costs digits for the distance from the one before, in the order of code points, times the length of the
//!   label so far; the distances of all but the first add up to the width of the window at most. A test finds the
//!   costliest sequence of distances that is within both bounds.
//! * Such a name has at most [`LABELS_MAX`] labels of at most so many octets: at most 253 with the dots.
//! * It is normalized: marks that compose stand only where nothing composes with them, and of two marks in a row one has
//!   the canonical combining class 0 (but in a few pairs).
//! * The Bidi rule holds for all labels where one is written from right to left: labels are then either ASCII with a
//!   letter in front, or letters of right-to-left scripts, their marks, and digits of one kind.
//! * Hyphens stand one by one between letters, and there are no A-labels. Joiners stand behind the viramas of Indic scripts and
//!   between Arabic letters that would join.
//! * Code points are those of the Basic Multilingual Plane that RFC 5892 calls PVALID, or that its contextual rules allow.

mod code_points;

use code_points::{CodePoints, script, set};

use super::language;
use super::net::{bracketed_address, hostname_with};
use crate::grammar::regex::{CharSet, Regex};

/// What both formats lack.
pub(super) const NARROWING: &str = "labels with characters beyond ASCII are kept short (at most 21 characters near to each other \
    in Unicode, or 13, and 4 labels), normalized, without some combining marks, joiners at the end and code points from U+10000 on, \
    and labels that start with `xn--` are left out: the length of a label as Punycode is no regular condition";

/// Most characters of a label whose characters beyond ASCII lie in one window.
const NEAR_MAX: u32 = 21;
/// Most characters of any other label.
const FAR_MAX: u32 = 13;
/// Most octets of a label of a name with characters beyond ASCII: four of them and three dots are at most 253.
const A_LABEL_OCTETS_MAX: u32 = 61;
/// Most labels of such a name.
const LABELS_MAX: u32 = 4;

/// Ranges of at most 256 code points that hold the letters of one script or of few. The first is Latin: labels may start with its
/// ASCII letters; in the others they start beyond ASCII.
const WINDOWS: &[(u32, u32)] = &[
    (0x80, 0x17F),
    (0x370, 0x3FF),
    (0x400, 0x4FF),
    (0x530, 0x58F),
    (0x900, 0x9FF),
    (0xA00, 0xAFF),
    (0xB00, 0xBFF),
    (0xC00, 0xCFF),
    (0xD00, 0xDFF),
    (0xE00, 0xEFF),
    (0x1000, 0x10FF),
    (0x1780, 0x17FF),
    (0x3040, 0x30FF),
];
/// The same for scripts that are written from right to left: Hebrew, Arabic.
const RIGHT_WINDOWS: &[(u32, u32)] = &[(0x590, 0x5FF), (0x600, 0x6FF)];

/// These may stand in every label.
const ASCII: (u32, u32) = (0, 0x7F);

/// What separates labels: the full stop and the others of RFC 3490.
const SEPARATORS: &str = ".\u{3002}\u{FF0E}\u{FF61}";

pub(super) fn idn_hostname() -> Regex {
    host(&CharSet::of(SEPARATORS))
}

/// Everything that is separated as a host name is and has no ASCII characters but those of host names.
pub(super) fn wide_idn_hostname() -> Regex {
    language("[A-Za-z0-9\\-\\u0080-\\u{10FFFF}]+(?:\\.[A-Za-z0-9\\-\\u0080-\\u{10FFFF}]+)*")
}

/// A mailbox as in `email`, with characters beyond ASCII in both parts.
pub(super) fn idn_email() -> Regex {
    let domain = Regex::or([host(&CharSet::of(".")), bracketed_address()]);
    Regex::concat([local_part(), Regex::literal("@"), domain])
}

/// Something before and behind a commercial at.
pub(super) fn wide_idn_email() -> Regex {
    language("[^]+@[^]+")
}

/// At most 64 octets: told from the number of characters and the longest of them.
fn local_part() -> Regex {
    let atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\-\\u0080-\\u{10FFFF}]+";
    let quoted = "\"(?:[ !#-\\[\\]-~\\u0080-\\u{10FFFF}]|\\\\[ -~])*\"";
    let local = language(&format!("{atom}(?:\\.{atom})*|{quoted}"));
    let short = [(0x7F, 64), (0x7FF, 32), (0xFFFF, 21), (0x10_FFFF, 16)]
        .map(|(last, count)| Regex::set(set(&[(0, last)])).repeat(1, Some(count)));
    Regex::and([local, Regex::or(short)])
}

/// A host name of ASCII labels, or one of few labels with others among them.
fn host(separators: &CharSet) -> Regex {
    let code_points = CodePoints::new();
    let names = |label: Regex| {
        let more = Regex::set(separators.clone()).then(label.clone());
        label.then(more.repeat(0, Some(LABELS_MAX - 1)))
    };
    let left = Regex::or([ascii_label("[A-Za-z0-9]"), left_label(&code_points)]);
    let right = Regex::or([ascii_label("[A-Za-z]"), right_label(&code_points)]);
    Regex::or([hostname_with(separators), names(left), names(right)])
}

/// Letters, digits and inner hyphens, none in third and fourth place; an edge is a letter or digit, the first one is given.
fn ascii_label(first: &str) -> Regex {
    let shape = language(&format!("{first}(?:[A-Za-z0-9-]*[A-Za-z0-9])?"));
    let reserved = language("..--[^]*");
    let short = Regex::set(set(&[ASCII])).repeat(1, Some(A_LABEL_OCTETS_MAX));
    Regex::and([shape, short]).except(reserved)
}

/// A label without letters of right-to-left scripts.
fn left_label(code_points: &CodePoints) -> Regex {
    let all = CharSet::any();
    let far = hyphenated(&left_units(code_points, &all), Regex::Nothing);
    let mut labels =
        vec![of_these(&all, FAR_MAX, far), of_these(&all, FAR_MAX, with_katakana_dots(code_points))];
    for (position, &window) in WINDOWS.iter().enumerate() {
        let near = set(&[ASCII, window]);
        let label = of_these(&near, NEAR_MAX, hyphenated(&left_units(code_points, &near), Regex::Nothing));
        let beyond_ascii = Regex::set(set(&[window])).then(Regex::any_text());
        labels.push(if position == 0 { label } else { Regex::and([label, beyond_ascii]) });
    }
    Regex::or(labels)
}

/// A letter or digit, and marks. `among` are the code points to choose from.
///
/// Behind the letter: an ordered mark or none, a mark that composes unless the letter is one with which it does, then free
/// marks with an ordered one behind each. A virama may join its letter to the next one.
fn left_units(code_points: &CodePoints, among: &CharSet) -> Regex {
    let chosen = |set: &CharSet| Regex::set(set.intersection(among));
    let seconds = set(code_points::SECONDS);
    let ordered_seconds = CharSet::of(code_points::ORDERED_SECONDS);
    let firsts = CharSet::of(code_points::FIRSTS);
    let pairs =
        code_points::ORDERED_PAIRS.map(|(mark, next)| chosen(&set(&[mark])).then(chosen(&set(&[next]))));
    let ordered = Regex::or(pairs.into_iter().chain([chosen(&code_points.ordered_marks)]));
    let free = || chosen(&code_points.free_marks).then(ordered.clone().optional()).star();
    let second = || chosen(&seconds.difference(&ordered_seconds)).then(ordered.clone().optional());
    let any_ordered = Regex::or([ordered.clone(), chosen(&ordered_seconds)]);

    let mut bases = vec![chosen(&code_points.left.difference(&firsts))];
    let l = Regex::literal("l");
    bases.push(l.clone().then(chosen(&CharSet::single('·')).then(l).plus()));
    let greek = code_points.left.intersection(&script(&["Greek"]));
    bases.push(chosen(&CharSet::single('\u{375}')).then(chosen(&greek)));
    let plain = Regex::concat([Regex::or(bases), any_ordered.optional(), second().optional(), free()]);
    let after_ordered = ordered.clone().then(second().optional()).optional();
    let first = Regex::concat([chosen(&firsts), after_ordered, free()]);
    let letter = chosen(&code_points.left);
    let joiner = Regex::concat([
        letter,
        chosen(&CharSet::of(code_points::VIRAMAS)),
        chosen(&CharSet::of("\u{200C}\u{200D}")),
    ]);
    joiner.star().then(Regex::or([plain, first]))
}

/// Letters, digits and Katakana middle dots: one letter at least is Hiragana, Katakana or Han.
fn with_katakana_dots(code_points: &CodePoints) -> Regex {
    let east = script(&["Hiragana", "Katakana", "Han"]).intersection(&code_points.left);
    let alike = CharSet::of("\u{30FB}").union(&CharSet::range('a', 'z')).union(&CharSet::range('0', '9'));
    let any = Regex::set(east.union(&alike)).star();
    Regex::concat([any.clone(), Regex::set(east), any])
}

/// A label of right-to-left letters and digits of one kind: ASCII and extended Arabic-Indic ones are of one kind for the Bidi rule.
fn right_label(code_points: &CodePoints) -> Regex {
    let label = |among: &CharSet| {
        let european = CharSet::range('0', '9').union(&set(&[code_points::EXTENDED_ARABIC_INDIC]));
        let kinds = [european, set(&[code_points::ARABIC_INDIC])];
        Regex::or(kinds.map(|digits| hyphenated(&right_units(code_points, among), Regex::set(digits))))
    };
    let near = RIGHT_WINDOWS.iter().map(|&window| {
        let near = set(&[ASCII, window]);
        of_these(&near, NEAR_MAX, label(&near))
    });
    let all = CharSet::any();
    Regex::or(near.chain([of_these(&all, FAR_MAX, label(&all))]))
}

/// A letter and a mark or none. Hebrew letters may have a geresh or gershayim behind them, and a non-joiner may stand where Arabic
/// letters would join.
fn right_units(code_points: &CodePoints, among: &CharSet) -> Regex {
    let chosen = |set: &CharSet| Regex::set(set.intersection(&code_points.right).intersection(among));
    let next = CharSet::of(code_points::JOINING_NEXT);
    let both = next.union(&CharSet::of(code_points::JOINING_LAST));
    let apart = Regex::concat([chosen(&next), Regex::literal("\u{200C}")]).plus().then(chosen(&both));
    let letter = Regex::or([chosen(&code_points.right), apart]);
    let mark = Regex::set(code_points.right_marks.intersection(among));
    let hebrew = chosen(&script(&["Hebrew"])).then(language("[\u{5F3}\u{5F4}]"));
    Regex::or([letter.then(mark.optional()), hebrew])
}

/// Units with hyphens between them; behind the first one also these others.
fn hyphenated(unit: &Regex, others: Regex) -> Regex {
    let more = Regex::literal("-").optional().then(Regex::or([unit.clone(), others]));
    unit.clone().then(more.star())
}

/// A label of at most so many characters, all among these.
fn of_these(among: &CharSet, count: u32, label: Regex) -> Regex {
    Regex::and([label, Regex::set(among.clone()).repeat(1, Some(count))])
}

#[cfg(test)]
mod tests;
