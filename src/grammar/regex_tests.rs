//! Sets of characters against a membership test one by one, and the shapes that the constructors keep.

use super::{CharSet, Regex};
use crate::grammar::naive::is_match;

/// Code points around every border that the operations know.
const POINTS: &[u32] = &[
    0, 1, 2, 0x60, 0x61, 0x62, 0x63, 0x7A, 0x7F, 0xD7FE, 0xD7FF, 0xD800, 0xDFFF, 0xE000, 0xE001, 0x10_FFFE,
    0x10_FFFF,
];

/// Every set that is a range between two of the points, and some unions of them.
fn sets() -> Vec<(CharSet, Vec<(u32, u32)>)> {
    let mut all = vec![(CharSet::empty(), vec![]), (CharSet::any(), vec![(0, 0x10_FFFF)])];
    for (i, &low) in POINTS.iter().enumerate() {
        for &high in &POINTS[i..] {
            let mut ranges = vec![(low, high)];
            all.push((CharSet::from_ranges(ranges.clone()), ranges.clone()));
            ranges.insert(0, (0x61, 0x62));
            ranges.push((high, low));
            all.push((CharSet::from_ranges(ranges.clone()), ranges));
        }
    }
    all
}

fn holds(ranges: &[(u32, u32)], c: char) -> bool {
    ranges.iter().any(|&(low, high)| (low..=high).contains(&u32::from(c)))
}

fn assert_normal(set: &CharSet) {
    let ranges = set.ranges();
    for &(low, high) in ranges {
        assert!(low <= high && char::from_u32(low).is_some() && char::from_u32(high).is_some(), "{ranges:?}");
        assert!(high < 0xD800 || low > 0xDFFF, "{ranges:?} holds surrogates");
    }
    assert!(ranges.windows(2).all(|pair| pair[0].1 + 1 < pair[1].0), "{ranges:?} touch or overlap");
}

#[test]
fn sets_hold_what_their_ranges_say() {
    for (set, ranges) in sets() {
        assert_normal(&set);
        let mut count = 0;
        for c in (0..=0x10_FFFF).step_by(997).chain(POINTS.iter().copied()).filter_map(char::from_u32) {
            assert_eq!(set.contains(c), holds(&ranges, c), "{ranges:?} {c:?}");
        }
        for &(low, high) in set.ranges() {
            count += high - low + 1;
        }
        assert_eq!((set.len(), set.is_empty()), (count, count == 0), "{ranges:?}");
    }
    assert_eq!(CharSet::any().len(), 0x11_0000 - 0x800);
}

#[test]
fn set_operations_are_those_of_the_members() {
    let all = sets();
    let chars: Vec<char> = POINTS.iter().copied().filter_map(char::from_u32).collect();
    for (a, _) in &all {
        assert_normal(&a.complement());
        assert_eq!(a.complement().complement(), *a);
        for (b, _) in all.iter().step_by(5) {
            let (union, both, less) = (a.union(b), a.intersection(b), a.difference(b));
            [&union, &both, &less].into_iter().for_each(assert_normal);
            for &c in &chars {
                let (in_a, in_b) = (a.contains(c), b.contains(c));
                assert_eq!(union.contains(c), in_a || in_b);
                assert_eq!(both.contains(c), in_a && in_b);
                assert_eq!(less.contains(c), in_a && !in_b);
                assert_eq!(a.complement().contains(c), !in_a);
            }
        }
    }
}

#[test]
fn equal_sets_are_equal_however_they_are_built() {
    assert_eq!(CharSet::of("cab"), CharSet::range('a', 'c'));
    assert_eq!(CharSet::from_ranges([(0xD7FF, 0xE000)]), CharSet::of("\u{D7FF}\u{E000}"));
    assert_eq!(CharSet::empty().complement(), CharSet::any());
    assert_eq!(CharSet::from_ranges([(0xD800, 0xDFFF), (5, 4), (0x11_0000, u32::MAX)]), CharSet::empty());
}

#[test]
fn constructors_simplify_and_keep_the_language() {
    let a = || Regex::literal("a");
    let any = Regex::any_text;
    for (built, shown) in [
        (Regex::concat([]), "ε"),
        (Regex::concat([a(), Regex::Empty, Regex::concat([a(), a()])]), "aaa"),
        (Regex::concat([a(), Regex::Nothing]), "∅"),
        (Regex::concat([any(), any(), a()]), ".*a"),
        (Regex::or([]), "∅"),
        (Regex::or([a(), Regex::Nothing, a()]), "a"),
        (Regex::or([a(), any()]), ".*"),
        (Regex::or([Regex::Empty, a()]), "(ε|a)"),
        (Regex::and([]), ".*"),
        (Regex::and([a(), any(), a()]), "a"),
        (Regex::and([a(), Regex::Nothing]), "∅"),
        (Regex::and([a().star(), a().plus()]), "(a*&a+)"),
        (a().complement(), "!(a)"),
        (a().complement().complement(), "a"),
        (any().complement(), "∅"),
        (Regex::Nothing.complement(), ".*"),
        (a().repeat(2, Some(1)), "∅"),
        (a().repeat(0, Some(0)), "ε"),
        (Regex::Nothing.repeat(0, None), "ε"),
        (Regex::Nothing.repeat(1, None), "∅"),
        (a().star().star(), "a*"),
        (a().star().plus(), "a*"),
        (a().star().optional(), "(a*)?"),
        (a().times(1), "a"),
        (a().repeat(2, Some(4)), "a{2,4}"),
        (Regex::literals(["b", "a", "b"]), "(\"a\"|\"b\")"),
        (Regex::literals(["", ""]), "ε"),
        (Regex::literals([]), "∅"),
        (Regex::literal("a\"\n"), "\"a\\\"\\n\""),
        (Regex::set(CharSet::empty()), "∅"),
        (Regex::set(CharSet::of("a.-]é\u{1}")), "[\\u{1}\\-\\.\\]aé]"),
        (Regex::set(CharSet::of("ab").complement()), "[^ab]"),
        (Regex::Multiple { of: 7 }, "#7"),
        (Regex::FractionMultiple { of: 15, places: 1 }, "#15e-1"),
        (a().except(Regex::literal("aa")), "(a&!(\"aa\"))"),
    ] {
        assert_eq!(built.to_string(), shown);
    }
}

#[test]
fn accepting_the_empty_text_is_what_the_twin_says() {
    let a = || Regex::literal("a");
    for regex in [
        Regex::Nothing,
        Regex::Empty,
        a(),
        a().star(),
        a().plus(),
        a().optional().times(3),
        Regex::concat([a().star(), a().optional()]),
        Regex::concat([a().star(), a()]),
        Regex::or([a(), Regex::Empty]),
        Regex::and([a().star(), a().complement()]),
        Regex::and([a().star(), a().star().complement()]),
        Regex::Literals(["".into(), "a".into()].into()),
        Regex::Multiple { of: 1 },
        Regex::FractionMultiple { of: 1, places: 1 },
        Regex::any_text(),
    ] {
        assert_eq!(regex.accepts_empty(), is_match(&regex, ""), "{regex}");
    }
}
