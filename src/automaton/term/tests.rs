//! Terms against the slow twin, and the laws that the rest of the automaton relies on.

use std::sync::Arc;

use super::twin::{FULL, PLAIN, Random, Shape, matches, random_regex, texts};
use super::{Kind, Terms, Window};
use crate::grammar::regex::{CharSet, Regex};
use crate::index::TermId;
use crate::limits::EMPTINESS_TERMS_MAX;

const LETTERS: [char; 3] = ['a', 'b', 'c'];

pub(super) fn read(terms: &Terms, term: TermId, text: &[char]) -> TermId {
    text.iter().fold(term, |term, &c| terms.derive(term, u32::from(c)).unwrap())
}

pub(super) fn accepts(terms: &Terms, term: TermId, text: &str) -> bool {
    let text: Vec<char> = text.chars().collect();
    terms.nullable(read(terms, term, &text))
}

pub(super) fn set(letters: &str) -> Regex {
    Regex::Set(CharSet::of(letters))
}

pub(super) fn times(body: Regex, min: u32, max: Option<u32>) -> Regex {
    Regex::Repeat { body: Arc::new(body), min, max }
}

#[test]
fn terms_match_what_the_twin_matches() {
    let all = texts(&LETTERS, 6);
    let terms = Terms::new();
    for seed in 0..600 {
        let mut random = Random(seed);
        let shape = Shape { depth: 1 + u32::try_from(seed % 4).unwrap(), counts: 4, operations: FULL };
        let regex = random_regex(&mut random, shape);
        let term = terms.from_regex(&regex).unwrap();
        for text in &all {
            assert_eq!(
                terms.nullable(read(&terms, term, text)),
                matches(&regex, text),
                "seed {seed}: {regex} as {} on {text:?}",
                terms.display(term)
            );
        }
    }
}

#[test]
fn a_term_that_always_goes_on_does_and_one_that_absorbs_stays_matched() {
    let all = texts(&LETTERS, 4);
    let terms = Terms::new();
    let (mut going_on, mut absorbing) = (0, 0);
    for seed in 0..1_500 {
        let regex = random_regex(&mut Random(seed), Shape { depth: 3, counts: 3, operations: FULL });
        let every = Regex::Repeat { body: Arc::new(Regex::Set(CharSet::any())), min: 0, max: None };
        let unanchored = Regex::Concat([every.clone(), regex.clone(), every.clone()].into());
        let other = random_regex(&mut Random(seed + 7_000), Shape { depth: 2, counts: 3, operations: FULL });
        let suffix = Regex::Concat([every, other].into());
        for regex in [regex, Regex::And([unanchored.clone(), suffix].into()), unanchored] {
            let term = terms.from_regex(&regex).unwrap();
            let (always, absorbs) = (terms.facts(term).always, terms.facts(term).absorbs);
            going_on += usize::from(always);
            absorbing += usize::from(absorbs);
            for text in all.iter().filter(|_| always || absorbs) {
                let after = read(&terms, term, text);
                assert!(!always || !terms.is_nothing(after).unwrap(), "{regex} can't go on from {text:?}");
                let stays = || terms.is_nothing(terms.not(after)).unwrap();
                assert!(!absorbs || !terms.nullable(after) || stays(), "{regex} leaves {text:?}");
            }
        }
    }
    assert!(going_on > 1_000 && absorbing > 500, "only {going_on} and {absorbing} of the terms");
}

#[test]
fn a_term_apart_from_its_window_says_the_same() {
    let all = texts(&LETTERS, 5);
    let terms = Terms::new();
    let mut apart = 0;
    for seed in 0..1_500u64 {
        let regex = random_regex(&mut Random(seed), Shape { depth: 3, counts: 3, operations: PLAIN });
        let (min, more) = (u32::try_from(seed % 4).unwrap(), u32::try_from(seed / 4 % 6).unwrap());
        let max = (seed % 5 > 0).then_some(min + more);
        let window = times(Regex::Set(CharSet::any()), min, max);
        let loops =
            times(set(["a", "ab", "bc"][usize::from(seed % 3 == 0) + usize::from(seed % 2 == 0)]), min, max);
        for regex in [Regex::And([regex, window].into()), loops] {
            let term = terms.from_regex(&regex).unwrap();
            let Some(found) = terms.apart_from_window(term) else { continue };
            apart += 1;
            for text in &all {
                let len = u64::try_from(text.len()).unwrap();
                let (after, rest) = (read(&terms, term, text), read(&terms, found.rest, text));
                let matches = terms.nullable(rest) && found.window.has(len);
                assert_eq!(terms.nullable(after), matches, "{regex} on {text:?}");
                let (dead, rest_dead) = (terms.is_nothing(after).unwrap(), terms.is_nothing(rest).unwrap());
                let fits = |n| found.window.max.is_none_or(|max| n <= max);
                if rest_dead || !fits(len) {
                    assert!(dead, "{regex} after {text:?}");
                } else if fits(len + found.finish) {
                    assert!(!dead, "{regex} after {text:?}");
                }
            }
        }
    }
    assert!(apart > 1_000, "only {apart} terms had a window");
}

#[test]
fn successors_are_sorted_merged_and_free_of_surrogates() {
    let terms = Terms::new();
    for seed in 0..400 {
        let regex = random_regex(&mut Random(seed), Shape { depth: 4, counts: 4, operations: FULL });
        let term = terms.from_regex(&regex).unwrap();
        let ranges = terms.successors(term).unwrap();
        for range in ranges {
            assert!(range.lo <= range.hi && range.hi <= 0x10_FFFF, "seed {seed}");
            assert!(range.hi < 0xD800 || range.lo > 0xDFFF, "seed {seed}: a surrogate in {range:?}");
            assert_ne!(range.target, Terms::NOTHING, "seed {seed}");
        }
        for pair in ranges.windows(2) {
            assert!(pair[0].hi < pair[1].lo, "seed {seed}");
            assert!(
                pair[0].hi + 1 < pair[1].lo || pair[0].target != pair[1].target,
                "seed {seed}: not merged"
            );
        }
    }
}

/// Whether the twin knows a text of the language, and whether that settles it: with so few states (counted along by
/// closing the derivatives) there is a text below `len`, or none.
#[test]
fn emptiness_is_what_enumeration_finds() {
    let all = texts(&LETTERS, 6);
    let (mut empty, mut searched) = (0, 0);
    for seed in 0..600 {
        let terms = Terms::new();
        let mut random = Random(seed);
        // At least one intersection, so that there is something to decide.
        let shape = Shape { depth: 3, counts: 3, operations: FULL };
        let regex = Regex::And([random_regex(&mut random, shape), random_regex(&mut random, shape)].into());
        let term = terms.from_regex(&regex).unwrap();
        let nothing = terms.is_nothing(term).unwrap();
        searched += usize::from(!terms.facts(term).inhabited && term != Terms::NOTHING);
        let found = all.iter().any(|text| matches(&regex, text));
        if found {
            assert!(!nothing, "seed {seed}: {regex} has a short text");
        } else if !nothing {
            // The text must be longer, or have letters beyond a, b, c: find it by derivatives.
            assert!(
                witness(&terms, term).is_some_and(|w| matches(&regex, &w)),
                "seed {seed}: {regex} has no witness"
            );
        } else {
            empty += 1;
            assert_eq!(witness(&terms, term), None, "seed {seed}: {regex} has a text");
        }
    }
    assert!(
        empty > 50 && searched > 100,
        "too few cases to mean anything: {empty} empty, {searched} searched"
    );
}

/// A shortest text by breadth-first search over derivatives; `None` once the search has closed.
fn witness(terms: &Terms, term: TermId) -> Option<Vec<char>> {
    let mut seen = vec![(term, Vec::new())];
    let mut next = 0;
    while next < seen.len() {
        assert!(next < 20_000, "the search for a witness does not close");
        let (term, text) = seen[next].clone();
        if terms.nullable(term) {
            return Some(text);
        }
        for range in terms.successors(term).unwrap() {
            if seen.iter().all(|(known, _)| *known != range.target) {
                let mut longer = text.clone();
                longer.push(char::from_u32(range.lo).unwrap());
                seen.push((range.target, longer));
            }
        }
        next += 1;
    }
    None
}

#[test]
fn a_verdict_does_not_depend_on_what_was_asked_before() {
    for seed in 0..200 {
        let regex = Regex::And(
            [
                random_regex(&mut Random(seed), Shape { depth: 3, counts: 3, operations: FULL }),
                random_regex(&mut Random(seed + 1_000), Shape { depth: 3, counts: 3, operations: FULL }),
            ]
            .into(),
        );
        let (fresh, used) = (Terms::new(), Terms::new());
        let term = used.from_regex(&regex).unwrap();
        for text in texts(&LETTERS, 3) {
            let _ = used.is_nothing(read(&used, term, &text)).unwrap();
        }
        let asked_first = fresh.is_nothing(fresh.from_regex(&regex).unwrap()).unwrap();
        assert_eq!(used.is_nothing(term).unwrap(), asked_first, "seed {seed}: {regex}");
    }
}

#[test]
fn lengths_bound_the_texts_and_plain_terms_reach_them() {
    let all = texts(&LETTERS, 6);
    let terms = Terms::new();
    for seed in 0..800 {
        let operations = if seed % 2 == 0 { PLAIN } else { FULL };
        let regex = random_regex(&mut Random(seed), Shape { depth: 3, counts: 3, operations });
        let term = terms.from_regex(&regex).unwrap();
        let facts = *terms.facts(term);
        let mut found = [false; 7];
        for text in all.iter().filter(|text| matches(&regex, text)) {
            found[text.len()] = true;
        }
        for (len, &found) in (0_u64..).zip(&found) {
            let what = format!("seed {seed}: {regex}, length {len}, {facts:?}");
            assert!(!found || facts.lengths.has(len), "outside: {what}");
            if facts.plain && term != Terms::NOTHING && facts.step.is_some() {
                assert_eq!(found, facts.length_from(len) == Some(len), "step: {what}");
            }
            if facts.plain && term != Terms::NOTHING && len == facts.lengths.min {
                assert!(found, "least: {what}");
            }
        }
    }
}

#[test]
fn plain_terms_finish_as_promised() {
    let all = texts(&LETTERS, 5);
    let terms = Terms::new();
    for seed in 0..800 {
        let regex = random_regex(&mut Random(seed), Shape { depth: 3, counts: 3, operations: PLAIN });
        let term = terms.from_regex(&regex).unwrap();
        let facts = *terms.facts(term);
        for text in &all {
            let rest = *terms.facts(read(&terms, term, text));
            if rest.inhabited && read(&terms, term, text) != Terms::NOTHING {
                assert!(rest.lengths.min <= facts.finish, "seed {seed}: {regex} after {text:?}");
                if facts.open {
                    assert_eq!(rest.lengths.max, None, "seed {seed}: {regex} after {text:?}");
                    let from = rest.lengths.min;
                    let rest = read(&terms, term, text);
                    for len in from..from + 4 {
                        let exact = terms.and(&[rest, terms.length(len, Some(len))]);
                        assert!(
                            !terms.is_nothing(exact).unwrap(),
                            "seed {seed}: {regex} after {text:?}, {len} more"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn clipped_terms_read_short_texts_alike() {
    let all = texts(&LETTERS, 5);
    let mut changed = 0;
    for seed in 0..800_u64 {
        let terms = Terms::new();
        let mut random = Random(seed);
        let operations = if seed % 3 == 0 { PLAIN } else { FULL };
        let mut regex = random_regex(&mut random, Shape { depth: 3, counts: 9, operations });
        if seed % 2 == 0 {
            let window = times(Regex::Set(CharSet::any()), u32::try_from(random.below(12)).unwrap(), None);
            let window = match (window, random.below(2)) {
                (Regex::Repeat { body, min, .. }, 0) => Regex::Repeat { body, min, max: Some(min + 30) },
                (window, _) => window,
            };
            regex = Regex::And([regex, window].into());
        }
        let term = terms.from_regex(&regex).unwrap();
        for k in [2, 3, 5, 6] {
            let clipped = terms.clip(term, k);
            changed += usize::from(clipped != term);
            assert_eq!(terms.clip(clipped, k), clipped, "seed {seed}: {regex} clipped twice to {k}");
            for text in all.iter().filter(|text| text.len() < usize::try_from(k).unwrap()) {
                let (a, b) = (read(&terms, term, text), read(&terms, clipped, text));
                let what = || {
                    format!("seed {seed}: {regex} clipped to {k} is {} on {text:?}", terms.display(clipped))
                };
                assert_eq!(terms.nullable(a), terms.nullable(b), "{}", what());
                assert_eq!(terms.is_nothing(a).unwrap(), terms.is_nothing(b).unwrap(), "{}", what());
            }
        }
    }
    assert!(changed > 500, "only {changed} terms were clipped");
}

#[test]
fn long_windows_share_one_clipped_term() {
    let terms = Terms::new();
    let of = |min, max| terms.clip(terms.from_regex(&times(set("ab"), min, max)).unwrap(), 16);
    assert_eq!(of(0, Some(99_999)), of(0, Some(99_998)));
    assert_eq!(of(0, Some(16)), of(0, None));
    assert_ne!(of(0, Some(15)), of(0, None));
    assert_eq!(of(70, Some(100)), of(16, None));
    // A pattern that a window can't be pushed into.
    let pattern = Regex::concat([Regex::any_text(), Regex::literal("ab"), Regex::any_text()]);
    let with = |max| {
        let window = times(Regex::Set(CharSet::any()), 3, Some(max));
        terms.clip(terms.from_regex(&Regex::And([pattern.clone(), window].into())).unwrap(), 16)
    };
    assert_eq!(with(1_000), with(2_000));
    assert_ne!(with(17), with(2_000));
}

#[test]
fn literals_become_a_minimal_automaton() {
    let terms = Terms::new();
    let literals: Vec<String> = (0..5_000).map(|i| format!("literal {i:04} end")).collect();
    let before = terms.len();
    let term = terms.literals(literals.iter().map(String::as_str));
    // 8 shared letters, four digits (the first has five values), 4 shared letters: two terms a node and two heads.
    assert!(terms.len() - before < 60, "{} terms", terms.len() - before);
    for (text, expected) in
        [("literal 0000 end", true), ("literal 4999 end", true), ("literal 5000 end", false)]
    {
        assert_eq!(accepts(&terms, term, text), expected, "{text}");
    }
    assert!(!accepts(&terms, term, "literal 0000 en"));

    let mut random = Random(7);
    let words: Vec<String> = (0..5_000)
        .map(|_| (0..1 + random.below(9)).map(|_| random.pick(&['a', 'b', 'é', '😀'])).collect())
        .collect();
    let term = terms.literals(words.iter().map(String::as_str));
    for _ in 0..3_000 {
        let text: String = (0..random.below(9)).map(|_| random.pick(&['a', 'b', 'é', '😀'])).collect();
        assert_eq!(accepts(&terms, term, &text), words.contains(&text), "{text}");
    }
    assert!(words.iter().all(|word| accepts(&terms, term, word)));
    // Which literals there are decides, not how they are given.
    let reversed = terms.literals(words.iter().rev().map(String::as_str));
    assert_eq!(term, reversed);
}

#[test]
fn literals_nested_in_each_other_need_no_recursion() {
    let terms = Terms::new();
    let long = "x".repeat(20_000);
    let term = terms.literals((0..=20_000).step_by(4).map(|len| &long[..len]));
    assert!(accepts(&terms, term, &long));
    assert!(accepts(&terms, term, &long[..400]));
    assert!(!accepts(&terms, term, &long[..402]));
}

#[test]
fn long_length_windows_are_decided_at_once() {
    let terms = Terms::new();
    let window = |min, max| times(Regex::Set(CharSet::any()), min, max);
    let nothing =
        |parts: Vec<Regex>| terms.is_nothing(terms.from_regex(&Regex::And(parts.into())).unwrap()).unwrap();
    let star = |body| times(body, 0, None);
    let word = times(set("abc"), 1, None);
    assert!(!nothing(vec![word.clone(), window(100_000, None)]));
    assert!(!nothing(vec![
        Regex::Concat([star(set("a")), star(set("b"))].into()),
        window(100_000, Some(100_000))
    ]));
    let triples = star(Regex::literal("abc"));
    assert!(!nothing(vec![triples.clone(), window(100_001, Some(100_003))]));
    assert!(nothing(vec![triples.clone(), window(100_000, Some(100_001))]));
    // Lengths 3i + 5j + 1 below a loop: no step is known, so the window is searched, but not step by step.
    let mixed = star(Regex::Or([Regex::literal("aaa"), Regex::literal("bbbbb")].into()));
    assert!(!nothing(vec![mixed.clone(), window(100_000, Some(100_000))]));
    assert!(nothing(vec![mixed.clone(), window(7, Some(7))]));
    // Two patterns and a window: lengths divisible by 3 and by 7.
    let sevens = star(times(set("abc"), 7, Some(7)));
    assert!(nothing(vec![triples.clone(), sevens.clone(), window(100_000, Some(100_001))]));
    assert!(!nothing(vec![triples, sevens, window(99_982, Some(100_002))]));
    assert!(terms.len() < 1_500, "{} terms", terms.len());
}

#[test]
fn windows_melt_into_what_they_bound() {
    let terms = Terms::new();
    let and =
        |regex: Regex, min, max| terms.and(&[terms.from_regex(&regex).unwrap(), terms.length(min, max)]);
    let loop_of = |min, max| terms.from_regex(&times(set("abc"), min, max)).unwrap();
    assert_eq!(and(times(set("abc"), 1, None), 0, Some(63)), loop_of(1, Some(63)));
    assert_eq!(and(Regex::any_text(), 2, Some(5)), terms.length(2, Some(5)));
    let name = Regex::Concat([set("ab"), times(set("abc"), 0, None)].into());
    let plain = and(name, 3, Some(63));
    assert!(terms.facts(plain).plain, "{}", terms.display(plain));
    assert_eq!(terms.lengths(plain), Window { min: 3, max: Some(63) });
    let short = and(Regex::Literals(["a".into(), "abc".into(), "cc".into()].into()), 2, Some(2));
    assert_eq!(short, terms.literals(["cc"]));
    assert_eq!(and(Regex::literal("abc"), 4, None), Terms::NOTHING);
    assert_eq!(terms.length(5, Some(4)), Terms::NOTHING);
    assert_eq!(terms.not(terms.not(terms.length(3, Some(4)))), terms.length(3, Some(4)));
}

#[test]
fn counted_loops_are_never_unrolled() {
    let terms = Terms::new();
    let before = terms.len();
    let term = terms.from_regex(&times(set("ab"), 1_000_000, Some(u32::MAX))).unwrap();
    assert!(terms.len() - before < 4);
    assert!(matches!(terms.kind(term), Kind::Repeat { .. }));
    let rest = read(&terms, term, &['a', 'b', 'a']);
    assert_eq!(terms.lengths(rest), Window { min: 999_997, max: Some(u64::from(u32::MAX) - 3) });
    // Two neighbouring loops are one, so the states of their product don't arise.
    let two = Regex::Concat([times(set("ab"), 1, Some(500)), times(set("ab"), 0, Some(500))].into());
    assert_eq!(terms.from_regex(&two).unwrap(), terms.from_regex(&times(set("ab"), 1, Some(1_000))).unwrap());
}

#[test]
fn equal_languages_written_differently_meet_in_one_term() {
    let terms = Terms::new();
    let of = |regex: Regex| terms.from_regex(&regex).unwrap();
    let [a, b] = ["a", "b"].map(set);
    let star = |body| times(body, 0, None);
    let same = [
        (Regex::Or([a.clone(), b.clone()].into()), set("ab")),
        (Regex::Or([Regex::Empty, times(a.clone(), 1, None)].into()), star(a.clone())),
        (star(star(a.clone())), star(a.clone())),
        (star(times(a.clone(), 0, Some(1))), star(a.clone())),
        (Regex::Concat([a.clone(), star(a.clone())].into()), times(a.clone(), 1, None)),
        (Regex::Concat([Regex::any_text(), Regex::any_text()].into()), Regex::any_text()),
        (Regex::Not(Arc::new(Regex::Not(Arc::new(star(a.clone()))))), star(a.clone())),
        (Regex::Or([star(a.clone()), Regex::Not(Arc::new(star(a.clone())))].into()), Regex::any_text()),
        (Regex::And([star(a.clone()), Regex::Not(Arc::new(star(a.clone())))].into()), Regex::Nothing),
        (Regex::And([star(set("ab")), star(set("bc"))].into()), star(b.clone())),
        (Regex::And([star(a.clone()), star(b.clone())].into()), Regex::Empty),
        (
            Regex::Or([times(a.clone(), 0, Some(3)), times(a.clone(), 2, Some(5))].into()),
            times(a, 0, Some(5)),
        ),
        (
            Regex::Or([Regex::literal("ax"), Regex::literal("bx")].into()),
            Regex::Concat([set("ab"), set("x")].into()),
        ),
    ];
    for (one, other) in same {
        assert_eq!(of(one.clone()), of(other.clone()), "{one} and {other}");
    }
}

#[test]
fn too_many_ranges_are_refused_each_time_alike() {
    let terms = Terms::new();
    // Every other code point: 30,000 ranges with a gap between each two.
    let odd = CharSet::from_ranges((0..30_000).map(|i| (0xE000 + 2 * i, 0xE000 + 2 * i)));
    let term = terms.concat(terms.one_of(&odd), terms.length(3, Some(3)));
    let first = terms.successors(term).unwrap_err();
    assert_eq!(terms.successors(term).unwrap_err(), first);
    assert!(first.to_string().contains("ranges of characters"), "{first}");
}

#[test]
fn a_search_that_does_not_close_is_exhausted() {
    let terms = Terms::new();
    // The letter so many places from the end is an a in one, a b in the other: 2^25 states, and no text has both.
    let at = |letter| Regex::Concat([Regex::any_text(), set(letter), times(set("abc"), 25, Some(25))].into());
    let term = terms.from_regex(&Regex::And([at("a"), at("b")].into())).unwrap();
    let error = terms.is_nothing(term).unwrap_err();
    assert!(error.to_string().contains("intersection"), "{error}");
    assert_eq!(terms.is_nothing(term).unwrap_err(), error);
}

#[test]
fn a_search_over_long_lists_is_exhausted_by_its_steps() {
    let terms = Terms::new();
    let odd = CharSet::from_ranges((0..4_000).map(|i| (0xE000 + 2 * i, 0xE000 + 2 * i)));
    let at = |set: &CharSet| {
        let set = Regex::Set(set.clone());
        Regex::Concat([Regex::any_text(), set, times(Regex::Set(CharSet::any()), 25, Some(25))].into())
    };
    let term = terms.from_regex(&Regex::And([at(&odd), at(&odd.complement())].into())).unwrap();
    assert!(terms.is_nothing(term).is_err());
    assert!(terms.len() < EMPTINESS_TERMS_MAX / 2, "{} terms", terms.len());
}

#[test]
fn deep_trees_are_refused_and_long_chains_are_not() {
    let terms = Terms::new();
    let mut deep = set("a");
    for _ in 0..3_000 {
        deep = Regex::Not(Arc::new(deep));
    }
    assert!(terms.from_regex(&deep).unwrap_err().to_string().contains("nested"));
    let optional = Regex::Concat((0..400).map(|i| times(set(["a", "b"][i % 2]), 0, Some(1))).collect());
    let term = terms.from_regex(&optional).unwrap();
    assert!(accepts(&terms, term, &"ab".repeat(200)));
    assert!(!accepts(&terms, term, &"ab".repeat(201)));
    let many = Regex::Concat((0..20_000).map(|i| times(set(["a", "b"][i % 2]), 0, Some(1))).collect());
    let term = terms.from_regex(&many).unwrap();
    assert!(terms.successors(term).is_err());
    assert!(terms.len() < 100_000, "{} terms", terms.len());
    let long = terms.from_regex(&Regex::literal(&"y".repeat(100_000))).unwrap();
    assert!(!terms.is_nothing(terms.and(&[long, terms.not(terms.literals(["no"]))])).unwrap());
}

#[test]
fn text_forms_are_readable() {
    let terms = Terms::new();
    let show = |regex: Regex| terms.display(terms.from_regex(&regex).unwrap());
    let pattern =
        Regex::Concat([Regex::any_text(), Regex::literal("ab"), times(set("xy"), 2, Some(9))].into());
    assert_eq!(show(pattern.clone()), ".*ab[xy]{2,9}");
    assert_eq!(show(Regex::Not(Arc::new(Regex::literal("no")))), "!(no)");
    assert_eq!(show(Regex::Nothing), "∅");
    assert_eq!(show(times(Regex::literal("ab"), 1, None)), "(ab)+");
    let term = terms.from_regex(&Regex::Multiple { of: 7 }).unwrap();
    assert_eq!(terms.display(read(&terms, term, &['1', '0'])), "#7@3+1");
    let many =
        terms.literals((0..4_000).map(|i| format!("{i:x}")).collect::<Vec<_>>().iter().map(String::as_str));
    assert!(terms.display(many).len() < 5_000);
}

#[test]
fn threads_share_terms() {
    let terms = Terms::new();
    let found: Vec<Vec<TermId>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    (0..60)
                        .map(|seed| {
                            let shape = Shape { depth: 3, counts: 4, operations: PLAIN };
                            let term = terms.from_regex(&random_regex(&mut Random(seed), shape)).unwrap();
                            read(&terms, term, &['a', 'b', 'a'])
                        })
                        .collect()
                })
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).collect()
    });
    assert!(found.windows(2).all(|pair| pair[0] == pair[1]));
}

#[test]
fn finite_languages_are_told_from_infinite_ones_and_listed() {
    let all = texts(&LETTERS, 7);
    let (mut finite, mut infinite) = (0, 0);
    for seed in 0..1_500 {
        let terms = Terms::new();
        let regex = random_regex(&mut Random(seed), Shape { depth: 3, counts: 2, operations: FULL });
        // Only texts over three letters, so that complements are listed too.
        let over_letters = Regex::And([regex, times(set("abc"), 0, None)].into());
        let term = terms.from_regex(&over_letters).unwrap();
        let matching: Vec<String> = all
            .iter()
            .filter(|text| matches(&over_letters, text))
            .map(|text| text.iter().collect())
            .collect();
        let longest = matching.iter().map(String::len).max().unwrap_or(0);
        // No finite language of this size has texts of 200 code points.
        let long = terms.and(&[term, terms.length(200, None)]);
        let is_infinite = !terms.is_nothing(long).unwrap();
        assert_eq!(terms.is_infinite(term).unwrap(), Some(is_infinite), "seed {seed}: {over_letters}");
        match is_infinite {
            true => infinite += 1,
            false if longest < 7 => {
                finite += 1;
                let mut expected = matching;
                expected.sort_unstable();
                let Some(listed) = terms.all_texts(term, 4_000).unwrap() else { continue };
                let longer = |text: &&String| text.chars().count() > 7;
                for text in listed.iter().filter(longer) {
                    assert!(
                        matches(&over_letters, &text.chars().collect::<Vec<_>>()),
                        "{over_letters}: {text}"
                    );
                }
                let count = listed.len();
                assert_eq!(
                    terms.count_texts(term).unwrap(),
                    Some(u64::try_from(count).unwrap()),
                    "{over_letters}"
                );
                let short: Vec<String> = listed.into_iter().filter(|text| !longer(&text)).collect();
                assert_eq!(short, expected, "seed {seed}: {over_letters}");
                if count > 0 {
                    assert_eq!(terms.all_texts(term, count - 1).unwrap(), None);
                }
            }
            false => {}
        }
    }
    assert!(finite > 200 && infinite > 200, "{finite} finite, {infinite} infinite");
}
