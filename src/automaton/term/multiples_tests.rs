//! Divisibility against arithmetic: of integers and fractions, of several at once, between bounds.

use super::super::tests::{accepts, read, set, times};
use super::super::twin::{Random, is_fraction_multiple, is_multiple, matches, texts};
use super::super::{FractionRead, Kind, Read, Terms, Window};
use crate::grammar::number::{self, Bound, Decimal};
use crate::grammar::policy::NumberSpelling;
use crate::grammar::regex::{CharSet, Regex};
use crate::index::TermId;

#[test]
fn multiples_are_those_of_arithmetic() {
    let letters = ['0', '1', '2', '7', '-', '.'];
    let all = texts(&letters, 5);
    for of in [0, 1, 2, 3, 7, 8, 10, 11, 25, 120, 1_000, u64::MAX] {
        let terms = Terms::new();
        let term = terms.from_regex(&Regex::Multiple { of }).unwrap();
        for text in &all {
            let rest = read(&terms, term, text);
            assert_eq!(terms.nullable(rest), is_multiple(of, text), "{of}: {text:?}");
        }
    }
    let terms = Terms::new();
    let term = terms.from_regex(&Regex::Multiple { of: u64::MAX }).unwrap();
    assert!(accepts(&terms, term, "-18446744073709551615.0"));
    assert!(accepts(&terms, term, "36893488147419103230"));
    assert!(!accepts(&terms, term, "18446744073709551616"));
}

#[test]
fn multiples_of_fractions_are_those_of_arithmetic() {
    let terms = Terms::new();
    let letters = ['-', '.', '0', '1', '5', '7'];
    for (of, places) in [(15, 1), (25, 2), (3, 1), (7, 3), (12, 1), (1, 2), (1_001, 2), (64, 3)] {
        let term = terms.from_regex(&Regex::FractionMultiple { of, places }).unwrap();
        for text in texts(&letters, 5) {
            let after = text.iter().try_fold(term, |at, &c| {
                let next = terms.derive(at, u32::from(c)).unwrap();
                (next != Terms::NOTHING).then_some(next)
            });
            let expected = is_fraction_multiple(of, places, &text);
            assert_eq!(
                after.is_some_and(|after| terms.nullable(after)),
                expected,
                "{of}e-{places}: {text:?}"
            );
            // What is left is as short as it is said to be.
            let Some(after) = after else { continue };
            let least = usize::try_from(terms.lengths(after).min).unwrap();
            assert!(!terms.is_nothing(after).unwrap());
            if text.len() == 3 && least <= 3 {
                let digits = ['.', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];
                let completes =
                    |more: &Vec<char>| is_fraction_multiple(of, places, &[&text[..], more].concat());
                let shortest = texts(&digits, 3).iter().filter(|more| completes(more)).map(Vec::len).min();
                assert_eq!(shortest, Some(least), "{of}e-{places}: {text:?}");
            }
        }
    }
}

#[test]
fn missing_digits_are_the_fewest_that_complete_a_multiple() {
    for of in 1..150_u64 {
        let terms = Terms::new();
        let term = terms.from_regex(&Regex::Multiple { of }).unwrap();
        for remainder in 0..of {
            let digits: Vec<char> = remainder.to_string().chars().collect();
            let promised = terms.lengths(read(&terms, term, &digits)).min;
            let fewest = (0..).find(|&k| {
                let power = 10_u64.pow(k);
                (0..power).any(|more| (remainder * power + more) % of == 0)
            });
            assert_eq!(Some(promised), fewest.map(u64::from), "{of}, {remainder}");
        }
    }
}

#[test]
fn multiples_have_no_two_states_for_one_language() {
    for (of, states) in [(1, 1), (2, 2), (10, 2), (100, 3), (1_000, 4), (60, 5), (7, 7), (25, 4)] {
        let terms = Terms::new();
        let mut seen = vec![terms.from_regex(&Regex::Multiple { of }).unwrap()];
        let mut next = 0;
        while next < seen.len() {
            for digit in '0'..='9' {
                let target = read(&terms, seen[next], &[digit]);
                if !seen.contains(&target) {
                    seen.push(target);
                }
            }
            next += 1;
        }
        assert_eq!(seen.len() - 1, states, "digits read of a multiple of {of}");
    }
}

#[test]
fn multiples_of_several_integers_are_those_of_their_least_common_multiple() {
    let terms = Terms::new();
    let of = |of| terms.multiple(of, Read::Start);
    assert_eq!(terms.and(&[of(4), of(6), of(1)]), of(12));
    assert_eq!(terms.and(&[of(997), of(89)]), of(88_733));
    assert!(terms.matches(terms.or(&[of(4), of(6)]), "4").unwrap());
    // What cannot be counted stays apart.
    let (a, b) = (u64::MAX, u64::MAX - 1);
    assert!(matches!(terms.kind(terms.and(&[of(a), of(b)])), Kind::And(members) if members.len() == 2));
    let zero = terms.and(&[of(a), of(b)]);
    assert!(terms.matches(zero, "0").unwrap() && !terms.matches(zero, "18446744073709551615").unwrap());
}

#[test]
fn multiples_of_several_fractions_are_those_of_their_least_common_multiple() {
    let terms = Terms::new();
    let all = texts(&['-', '.', '0', '1', '2', '5', '6'], 5);
    let divisors = [(15, 1), (25, 2), (4, 0), (6, 0), (3, 1), (12, 1), (1, 2), (64, 3), (10, 0), (125, 3)];
    for (i, &one) in divisors.iter().enumerate() {
        for &other in &divisors[..i] {
            let regex = |(of, places): (u64, u32)| match places {
                0 => Regex::Multiple { of },
                _ => Regex::FractionMultiple { of, places },
            };
            let both = Regex::And([regex(one), regex(other)].into());
            let term = terms.from_regex(&both).unwrap();
            let joined = matches!(terms.kind(term), Kind::Multiple { .. } | Kind::FractionMultiple { .. });
            assert!(joined, "{both} is {}", terms.display(term));
            for text in &all {
                let expected = matches(&both, text);
                assert_eq!(terms.nullable(read(&terms, term, text)), expected, "{both}: {text:?}");
            }
        }
    }
    // What cannot be counted stays apart.
    let big = |of, places| terms.fraction_multiple(of, places, FractionRead::Start);
    let apart = terms.and(&[big(u64::MAX, 1), big(u64::MAX - 1, 400)]);
    assert!(matches!(terms.kind(apart), Kind::And(members) if members.len() == 2));
    assert_eq!(terms.and(&[big(u64::MAX, 1), big(5, 1)]), big(u64::MAX, 1));
    assert_eq!(terms.and(&[big(1, 400), terms.multiple(7, Read::Start)]), terms.multiple(7, Read::Start));
}

#[test]
fn digits_go_on_where_arithmetic_finds_a_way() {
    let terms = Terms::new();
    let digits = CharSet::from_ranges([(u32::from('0'), u32::from('9'))]);
    let whole = terms.repeat(terms.one_of(&digits), Window { min: 0, max: None });
    let short = terms.repeat(terms.one_of(&digits), Window { min: 0, max: Some(20) });
    let (mut go_on, mut stopped) = (0, 0);
    for a in 1..25_u64 {
        for others in [vec![], vec![2], vec![3, 7], vec![6, 10, 15], vec![25, 24], vec![a], vec![1]] {
            let no: Vec<TermId> = others.iter().map(|&b| terms.multiple(b, Read::Start)).collect();
            let term = terms.and(&[whole, terms.multiple(a, Read::Start), terms.not(terms.or(&no))]);
            for prefix in ["1", "7", "40", "123"] {
                let after = read(&terms, term, &prefix.chars().collect::<Vec<_>>());
                let known = terms.digits_go_on(after, 3);
                assert_eq!(known, others.iter().all(|b| a % b != 0), "{a} without {others:?} after {prefix}");
                for more in ["", "0", "55", "998"] {
                    let start: u64 = format!("{prefix}{more}").parse().unwrap();
                    let found = (0..5_u32).any(|places| {
                        let shift = 10_u64.pow(places);
                        (start * shift..(start + 1) * shift)
                            .any(|n| n % a == 0 && others.iter().all(|b| n % b != 0))
                    });
                    assert_eq!(found, known, "{a} without {others:?} after {start}");
                }
                go_on += usize::from(known);
                stopped += usize::from(!known);
                // Where there may not be room for enough digits, it is not known.
                let cut = terms.and(&[short, after]);
                assert!(!terms.digits_go_on(cut, 0));
            }
        }
    }
    assert!(go_on > 200 && stopped > 100, "{go_on} go on, {stopped} do not");
}

#[test]
fn a_multiple_of_a_big_number_is_found_between_bounds() {
    let terms = Terms::new();
    // 7 to 10 digits without a leading zero: 1000003 itself is the first.
    let digits = |set: &str, min, max| times(Regex::Set(CharSet::of(set)), min, Some(max));
    let number = Regex::Concat([digits("123456789", 1, 1), digits("0123456789", 6, 9)].into());
    let term =
        terms.from_regex(&Regex::And([Regex::Multiple { of: 1_000_003 }, number.clone()].into())).unwrap();
    assert!(!terms.is_nothing(term).unwrap());
    assert!(accepts(&terms, term, "1000003"));
    let below = terms.len();
    assert!(below < 2_000, "the search wandered: {below} terms");
    // Between 1000004 and 1000009 there is none.
    let none = Regex::Concat([Regex::literal("100000"), digits("456789", 1, 1)].into());
    let term = terms.from_regex(&Regex::And([Regex::Multiple { of: 1_000_003 }, none].into())).unwrap();
    assert!(terms.is_nothing(term).unwrap());
}

#[test]
fn multiples_between_bounds_far_apart_are_found_by_arithmetic() {
    let terms = Terms::new();
    let decimal = |value: u64| Decimal::from(value);
    let mut random = Random(5);
    let (mut found, mut missing) = (0, 0);
    for _ in 0..300 {
        let low = random.below(1_000_000);
        let high = low + random.below(500_000);
        let of = 1 + random.below(300_000);
        let kind = random.pick(&[Bound::Inclusive, Bound::Exclusive]);
        let regex = Regex::And(
            [
                number::syntax(NumberSpelling::Plain),
                number::at_least(&decimal(low), kind),
                number::at_most(&decimal(high), Bound::Inclusive),
                Regex::Multiple { of },
            ]
            .into(),
        );
        let term = terms.from_regex(&regex).unwrap();
        let mut prefix = (low + random.below(high - low + 1)).to_string();
        prefix.truncate(usize::try_from(1 + random.below(7)).unwrap());
        let Kind::And(members) = terms.kind(read(&terms, term, &prefix.chars().collect::<Vec<_>>())).clone()
        else {
            continue;
        };
        let start: u64 = prefix.parse().unwrap();
        let expected = (0..=6).any(|digits| {
            let power = 10_u64.pow(digits);
            let (first, last) = (
                (start * power).max(low + u64::from(kind == Bound::Exclusive)),
                (start * power + power - 1).min(high),
            );
            first <= last && first.div_ceil(of) * of <= last
        });
        let Some(known) = terms.has_multiple_between(&members) else { continue };
        assert_eq!(known, expected, "{prefix} of {regex}");
        found += usize::from(expected);
        missing += usize::from(!expected);
    }
    assert!(found > 20 && missing > 20, "{found} found, {missing} not");
    let regex = Regex::And(
        [
            number::syntax(NumberSpelling::Plain),
            number::at_least(&decimal(1 << 20), Bound::Inclusive),
            number::at_most(&decimal(1 << 34), Bound::Inclusive),
            Regex::Multiple { of: 1 << 20 },
        ]
        .into(),
    );
    let before = terms.len();
    let term = terms.from_regex(&regex).unwrap();
    for (prefix, expected) in [
        ("25", true),
        ("17179869184", true),
        ("17179869185", false),
        ("104857", true),
        ("104858", false),
        ("1048578", false),
    ] {
        let after = read(&terms, term, &prefix.chars().collect::<Vec<_>>());
        assert_eq!(terms.is_nothing(after).unwrap(), !expected, "{prefix}");
    }
    assert!(terms.len() - before < 3_000, "{} terms", terms.len() - before);
    // What leaves gaps between the digits is left to the search.
    let gaps = times(set("13579"), 0, Some(4));
    let after = terms.from_regex(&Regex::And([Regex::Multiple { of: 64 }, gaps].into())).unwrap();
    let Kind::And(members) = terms.kind(read(&terms, after, &['1'])) else { unreachable!("a conjunction") };
    assert_eq!(terms.has_multiple_between(members), None);
}
