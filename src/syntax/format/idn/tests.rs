//! Internationalized names against an independent implementation, and the bounds on their Punycode.

use std::collections::BTreeMap;

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};
use serde_json::json;

use super::code_points::{CodePoints, set};
use super::{A_LABEL_OCTETS_MAX, FAR_MAX, NEAR_MAX, RIGHT_WINDOWS, WINDOWS};
use crate::grammar::naive::is_match;
use crate::grammar::regex::CharSet;
use crate::syntax::format::{regex, wide};
use crate::syntax::schema::tests::Random;

/// The A-labels of a name, if an implementation of UTS 46 that changes nothing but the separators takes it.
fn a_labels(name: &str) -> Result<String, String> {
    let uts46 = Uts46::new();
    let ascii = uts46
        .to_ascii(name.as_bytes(), AsciiDenyList::STD3, Hyphens::Check, DnsLength::Verify)
        .map_err(|e| format!("{name:?}: {e}"))?
        .into_owned();
    let dotted = name.replace(['\u{3002}', '\u{FF0E}', '\u{FF61}'], ".");
    if dotted.is_ascii() {
        return Ok(ascii);
    }
    let (back, result) = uts46.to_unicode(ascii.as_bytes(), AsciiDenyList::STD3, Hyphens::Check);
    let lower = dotted
        .split('.')
        .map(|label| if label.is_ascii() { label.to_ascii_lowercase() } else { label.into() });
    if result.is_err() || back != lower.collect::<Vec<_>>().join(".") {
        return Err(format!("{name:?} becomes {back:?}"));
    }
    Ok(ascii)
}

/// Each by itself behind an ASCII letter, or a letter of its direction.
#[test]
fn code_points_are_stable() {
    let points = CodePoints::new();
    let every = |set: &CharSet| {
        let ranges = set.ranges().to_vec();
        ranges.into_iter().flat_map(|(low, high)| (low..=high).filter_map(char::from_u32))
    };
    let mut counts = BTreeMap::new();
    for (name, set, before) in [
        ("left", &points.left, ""),
        ("right", &points.right, ""),
        ("free", &points.free_marks, "a"),
        ("ordered", &points.ordered_marks, "a"),
        ("right marks", &points.right_marks, "\u{5D0}"),
        ("seconds", &super::set(super::code_points::SECONDS), "a"),
    ] {
        for c in every(set) {
            a_labels(&format!("{before}{c}")).unwrap_or_else(|e| panic!("{name} {:04X}: {e}", u32::from(c)));
            *counts.entry(name).or_insert(0) += 1;
        }
    }
    println!("{counts:?}");
    assert!(counts["left"] > 45_000 && counts["right"] > 400 && counts["ordered"] > 100, "{counts:?}");
}

#[test]
fn edges_of_internationalized_names() {
    let label = |text: &str, count: usize| text.repeat(count);
    let latin = label("ü", 21);
    for (format, text, expected) in [
        ("idn-hostname", "bücher.example", true),
        ("idn-hostname", "Bücher.example", false),
        ("idn-hostname", "B.bücher.Example", true),
        ("idn-hostname", &latin, true),
        ("idn-hostname", &label("ü", 22), false),
        ("idn-hostname", &label("日", 13), true),
        ("idn-hostname", &label("日", 14), false),
        ("idn-hostname", &[&*latin, "a", "b", "c"].join("."), true),
        ("idn-hostname", &[&*latin, "a", "b", "c", "d"].join("."), false),
        ("idn-hostname", "a.b.c.d.e", true),
        ("idn-hostname", &format!("ü.{}", label("a", 61)), true),
        ("idn-hostname", &format!("ü.{}", label("a", 62)), false),
        ("idn-hostname", "ü--a", false),
        ("idn-hostname", "ü-a", true),
        ("idn-hostname", "हिंदी.भारत", true),
        ("idn-hostname", "বাংলা.ড\u{9BC}া", true),
        ("idn-hostname", "ক\u{9C7}\u{9BE}", false),
        ("idn-hostname", "न\u{93C}", false),
        ("idn-hostname", "ผู้อยู่", true),
        ("idn-hostname", "ශ\u{DCA}\u{200D}රී", true),
        ("idn-hostname", "שלום.com", true),
        ("idn-hostname", "שלום.1com", false),
        ("idn-hostname", "שלום1", true),
        ("idn-hostname", "1שלום", false),
        ("idn-hostname", "שלוםa", false),
        ("idn-hostname", "שלום.ü", false),
        ("idn-email", &format!("{}@ü", label("a", 64)), true),
        ("idn-email", &format!("{}@ü", label("a", 65)), false),
        ("idn-email", &format!("{}@a", label("é", 32)), true),
        ("idn-email", &format!("{}@a", label("é", 33)), false),
        ("idn-email", &format!("{}@a", label("𝕏", 16)), true),
        ("idn-email", &format!("{}@a", label("𝕏", 17)), false),
        ("idn-email", "ü@a。b", false),
        ("idn-email", "ü@[127.0.0.1]", true),
        ("idn-email", "\"é \\\"\"@ü", true),
        ("idn-email", "é é@ü", false),
    ] {
        assert_eq!(is_match(&regex(format).unwrap(), text), expected, "{format}: {text:?}");
    }
}

/// Random texts: all that the language holds are valid by the other implementation, by its length limits too.
#[test]
fn every_text_of_the_language_is_a_valid_name() {
    let hostname = regex("idn-hostname").unwrap();
    let validator = jsonschema::options()
        .should_validate_formats(true)
        .build(&json!({"format": "idn-hostname"}))
        .unwrap();
    let points = CodePoints::new();
    let mut alphabets: Vec<CharSet> =
        WINDOWS.iter().chain(RIGHT_WINDOWS).map(|&window| set(&[window])).collect();
    alphabets.extend([
        points.left.clone(),
        points.right.clone(),
        CharSet::range('0', '9'),
        CharSet::range('a', 'z'),
    ]);
    alphabets.extend([points.free_marks.clone(), points.ordered_marks.clone(), points.right_marks.clone()]);
    alphabets.extend([
        CharSet::of("-l·\u{375}\u{30FB}\u{5F3}\u{5F4}\u{200C}\u{200D}\u{94D}"),
        CharSet::of(".\u{3002}"),
    ]);
    let specials = super::code_points::ORDERED_SECONDS.to_owned() + super::code_points::FIRSTS;
    alphabets.push(CharSet::of(&specials).union(&set(super::code_points::SECONDS)));
    let mut random = Random(17);
    let (mut taken, mut longest, mut labels) = (0, 0, 0);
    for round in 0..60_000 {
        // Few alphabets a name, so that many names are in the language.
        let few: Vec<usize> = (0..=random.below(3)).map(|_| random.below(alphabets.len())).collect();
        let mut name = String::new();
        for _ in 0..=random.below(8 + round % 24) {
            let alphabet = &alphabets[few[random.below(few.len())]];
            let (low, high) = alphabet.ranges()[random.below(alphabet.ranges().len())];
            let offset = random.below(usize::try_from(high - low + 1).unwrap());
            name.extend(char::from_u32(low + u32::try_from(offset).unwrap()));
        }
        if !is_match(&hostname, &name) {
            continue;
        }
        assert!(is_match(&wide("idn-hostname").unwrap(), &name), "{name:?}");
        let ascii = a_labels(&name).unwrap();
        assert!(validator.is_valid(&json!(name)), "{name:?} {ascii}");
        taken += 1;
        longest = longest.max(ascii.split('.').map(str::len).max().unwrap());
        labels = labels.max(ascii.split('.').count());
    }
    println!("{taken} names, longest A-label {longest}, at most {labels} labels");
    assert!(taken > 3_000 && longest > 30 && labels >= 3, "{taken} names, {longest}, {labels}");
}

/// RFC 3492, section 6.1.
fn adapt(delta: u64, points: u64, first: bool) -> u64 {
    let mut delta = if first { delta / 700 } else { delta / 2 };
    delta += delta / points;
    let mut bias = 0;
    while delta > 455 {
        delta /= 35;
        bias += 36;
    }
    bias + 36 * delta / (delta + 38)
}

/// Digits of a distance under a bias, RFC 3492, section 6.3.
fn digits(mut delta: u64, bias: u64) -> usize {
    for place in 1_u64.. {
        let threshold = (36 * place).saturating_sub(bias).clamp(1, 26);
        if delta < threshold {
            return usize::try_from(place).unwrap();
        }
        delta = (delta - threshold) / (36 - threshold);
    }
    unreachable!("the distance gets smaller")
}

/// Values at which a function of the distances up to `last` changes, with the first one.
fn changes<T: PartialEq>(last: u64, of: impl Fn(u64) -> T) -> Vec<u64> {
    let mut found: Vec<u64> = Vec::new();
    let mut value = None;
    for delta in 0..=last {
        let next = Some(of(delta));
        if next != value {
            found.push(delta);
            value = next;
        }
    }
    found
}

/// The most octets of the A-label of `count` characters, of which those beyond ASCII lie in `low..=high`.
///
/// An encoder passes each code point of the range once for each place of the label, and writes a distance for each
/// character beyond ASCII: what lies between two of them. So the distances and their number are at most the width of the
/// range times the number of characters, but for the first, which also spans what lies below the range.
fn longest_a_label(count: u64, (low, high): (u64, u64)) -> usize {
    let budget = (high - low + 1) * count;
    let biases: Vec<Vec<u64>> = (0..=count)
        .map(
            |points| {
                if points < 2 { Vec::new() } else { changes(budget, |delta| adapt(delta, points, false)) }
            },
        )
        .collect();
    let mut places = BTreeMap::<u64, Vec<u64>>::new();
    let mut longest = 0;
    for ascii in 0..count {
        // By bias and digits so far: the least sum of distances.
        let mut open = BTreeMap::<(u64, usize), u64>::new();
        for delta in (low - 128) * (ascii + 1)..=(high - 128) * (ascii + 1) + ascii {
            open.insert((adapt(delta, ascii + 1, true), digits(delta, 72)), 0);
        }
        for points in ascii + 2..=count {
            let mut next = BTreeMap::<(u64, usize), u64>::new();
            for (&(bias, written), &sum) in &open {
                let places =
                    places.entry(bias).or_insert_with(|| changes(budget, |delta| digits(delta, bias)));
                let points_index = usize::try_from(points).unwrap();
                for &delta in biases[points_index].iter().chain(places.iter()) {
                    let total = sum + delta + 1;
                    if total <= budget {
                        let key = (adapt(delta, points, false), written + digits(delta, bias));
                        let least = next.entry(key).or_insert(total);
                        *least = total.min(*least);
                    }
                }
            }
            open = next;
        }
        let ascii = usize::try_from(ascii).unwrap();
        let most = open.keys().map(|&(_, written)| written).max().unwrap_or(0);
        longest = longest.max("xn--".len() + ascii + usize::from(ascii > 0) + most);
    }
    longest
}

#[test]
fn labels_within_the_bounds_are_short_as_punycode() {
    let octets = usize::try_from(A_LABEL_OCTETS_MAX).unwrap();
    for &(low, high) in WINDOWS.iter().chain(RIGHT_WINDOWS) {
        let longest = longest_a_label(u64::from(NEAR_MAX), (u64::from(low), u64::from(high)));
        println!("{NEAR_MAX} characters of U+{low:04X} to U+{high:04X}: {longest} octets");
        assert!(longest <= octets, "{longest}");
    }
    let longest = longest_a_label(u64::from(FAR_MAX), (0x80, 0xFFFF));
    println!("{FAR_MAX} characters up to U+FFFF: {longest} octets");
    assert!(longest <= octets, "{longest}");
}
