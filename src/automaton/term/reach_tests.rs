//! Sets of values in all notations, great divisors and divisors that must not divide among them, against exact arithmetic.

use super::super::twin::Random;
use super::super::{SpelledRead, Terms, ValuesId};
use super::{Live, live};
use crate::grammar::naive::is_spelled;
use crate::grammar::number::{Bound, Decimal};
use crate::grammar::plain;
use crate::grammar::values::{Notation, Step, Values};
use crate::index::TermId;

const BOUNDS: &[&str] =
    &["0", "1", "-1", "5", "-5.5", "0.5", "-0.05", "1.5", "10", "15", "-50.1", "100", "1e3", "1501", "1e30"];

const DIVISORS: &[&str] =
    &["1", "2", "3", "5", "10", "25", "60", "0.5", "0.1", "0.15", "2.5", "0.004", "50", "1.1", "1e20"];

fn decimal(text: &str) -> Decimal {
    Decimal::parse(text).unwrap()
}

/// What may be asked of a number, often together with others.
fn random_values(random: &mut Random, notation: Notation) -> Values {
    let mut values = Values::all().written(notation);
    if notation == Notation::Digits {
        values = values.intersection(&Values::multiple_of(Step::ONE)).unwrap();
    }
    for _ in 0..1 + random.below(4) {
        let kind = random.pick(&[Bound::Inclusive, Bound::Exclusive]);
        let step = decimal(random.pick(DIVISORS)).step().unwrap();
        let other = match random.below(7) {
            0 => Values::at_least(&decimal(random.pick(BOUNDS)), kind),
            1 => Values::at_most(&decimal(random.pick(BOUNDS)), kind),
            2 | 3 => Values::multiple_of(step),
            _ => Values::no_multiple_of(step),
        };
        values = values.intersection(&other).unwrap();
    }
    values
}

/// The reader by arithmetic, also where a regex would do.
struct Reader<'t> {
    terms: &'t Terms,
    id: ValuesId,
}

impl Reader<'_> {
    fn first(&self, c: char) -> TermId {
        let ranges = self.terms.read_spelled(self.id, &SpelledRead::Start);
        let found = ranges.iter().find(|range| range.lo <= u32::from(c) && u32::from(c) <= range.hi);
        found.map_or(Terms::NOTHING, |range| range.target)
    }

    fn read(&self, text: &str) -> TermId {
        let mut letters = text.chars();
        let first = letters.next().map_or(Terms::NOTHING, |c| self.first(c));
        letters.fold(first, |at, c| self.terms.derive(at, u32::from(c)).unwrap())
    }
}

fn reader<'t>(terms: &'t Terms, values: &Values) -> Reader<'t> {
    Reader { terms, id: ValuesId(terms.values.intern_ref(values, || values.clone())) }
}

/// All texts of some length at most.
fn texts(letters: &[char], len: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut from = 0;
    for _ in 0..len {
        let until = all.len();
        for at in from..until {
            all.extend(letters.iter().map(|letter| format!("{}{letter}", all[at])).collect::<Vec<_>>());
        }
        from = until;
    }
    all.split_off(1)
}

#[test]
fn reading_by_arithmetic_follows_the_values_and_meets_the_regex() {
    let all = texts(&['-', '0', '1', '5', '.'], 5);
    let (mut accepted, mut by_regex) = (0, 0);
    for seed in 0..120 {
        let mut random = Random(seed);
        let notation = random.pick(&[Notation::Digits, Notation::Point, Notation::Point]);
        let values = random_values(&mut random, notation);
        let terms = Terms::new();
        let reader = reader(&terms, &values);
        let regex = plain::regex_of(&values).map(|regex| terms.from_regex(&regex).unwrap());
        by_regex += usize::from(regex.is_some());
        for text in &all {
            let letters: Vec<char> = text.chars().collect();
            let expected = is_spelled(&letters, &values);
            accepted += usize::from(expected);
            assert_eq!(terms.nullable(reader.read(text)), expected, "seed {seed}: {text:?} in {values}");
            if let Some(regex) = regex {
                assert_eq!(terms.matches(regex, text), Ok(expected), "seed {seed}: {text:?} in {values}");
            }
        }
    }
    assert!(accepted > 2_000 && by_regex > 20, "{accepted} accepted, {by_regex} by a regex");
}

#[test]
fn what_goes_on_is_what_trying_finds() {
    let beginnings = texts(&['-', '0', '1', '5', '.'], 4);
    let digits = texts(&['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'], 2);
    let (mut alive, mut dead, mut unknown) = (0, 0, 0);
    for seed in 0..60 {
        let mut random = Random(seed);
        let notation = random.pick(&[Notation::Digits, Notation::Point]);
        let values = random_values(&mut random, notation);
        let terms = Terms::new();
        let reader = reader(&terms, &values);
        for text in beginnings.iter().filter(|text| text.len() > 1 || random.below(2) == 0) {
            let at = reader.read(text);
            let spelled =
                |more: &str| is_spelled(&format!("{text}{more}").chars().collect::<Vec<_>>(), &values);
            let fraction = |more: &String| spelled(more) || spelled(&format!(".{more}"));
            let found = spelled("") || digits.iter().any(fraction);
            if found {
                assert_ne!(at, Terms::NOTHING, "seed {seed}: {text:?} goes on in {values}");
            }
            if at == Terms::NOTHING {
                dead += 1;
                continue;
            }
            unknown += usize::from(!terms.facts(at).inhabited);
            alive += 1;
            // There is a way on, or it ends here.
            let next = terms.successors(at).unwrap();
            let goes_on = || next.iter().any(|range| !terms.is_nothing(range.target).unwrap());
            assert!(
                terms.nullable(at) || !terms.facts(at).inhabited || goes_on(),
                "seed {seed}: nothing follows {text:?} in {values}"
            );
        }
    }
    assert!(
        alive > 2_000 && dead > 2_000 && unknown * 100 < alive,
        "{alive} alive, {dead} dead, {unknown} unknown"
    );
}

#[test]
fn long_walks_without_exponents_end_in_values() {
    let divisors = [
        "7",
        "0.125",
        "1e30",
        "100000000000000000039",
        "0.1234567890123456789012345",
        "1e37",
        "0.3",
        "1",
        "12345678901234567890123456789.0123456",
    ];
    let bounds = ["-1e50", "0", "-123.5", "1e30", "5e39", "1e42", "3e60", "123456789e31", "1e399"];
    let mut lengths = 0;
    for seed in 0..150 {
        let mut random = Random(seed);
        let mut values = Values::multiple_of(decimal(random.pick(&divisors)).step().unwrap());
        values = values.written(random.pick(&[Notation::Point, Notation::Exponent]));
        for other in [
            Values::at_least(&decimal(random.pick(&bounds)), Bound::Exclusive),
            Values::at_most(&decimal(random.pick(&bounds)), Bound::Inclusive),
            Values::no_multiple_of(decimal(random.pick(&["3", "2e30", "0.7"])).step().unwrap()),
        ] {
            if random.below(3) > 0 {
                values = values.intersection(&other).unwrap();
            }
        }
        let terms = Terms::new();
        let mut at = terms.spelled(&values);
        if terms.is_nothing(at).unwrap() {
            continue;
        }
        let (mut text, stop) = (String::new(), usize::try_from(random.below(390)).unwrap());
        loop {
            let ends = terms.nullable(at) && text.len() >= stop;
            let next: Vec<(u32, TermId)> = terms
                .successors(at)
                .unwrap()
                .iter()
                .filter(|range| !terms.is_nothing(range.target).unwrap())
                .flat_map(|range| (range.lo..=range.hi).map(|c| (c, range.target)))
                .collect();
            if ends || next.is_empty() {
                break;
            }
            let (c, target) = random.pick(&next);
            text.push(char::from_u32(c).unwrap());
            at = target;
        }
        assert!(terms.nullable(at), "seed {seed}: a dead end after {text} in {values}");
        assert!(is_spelled(&text.chars().collect::<Vec<_>>(), &values), "seed {seed}: {text} in {values}");
        lengths += text.len();
    }
    assert!(lengths > 4_000, "{lengths}");
}

#[test]
fn multiples_of_great_divisors_are_spelled_and_their_neighbours_are_not() {
    for (of, places) in [
        (10_u128.pow(30), 0),
        (10_u128.pow(37), 0),
        (10_u128.pow(37) - 1, 0),
        (100_000_000_000_000_000_039, 0),
        (u128::from(u64::MAX) + 1, 0),
        (1_234_567_890_123_456_789_012_345, 25),
        (10_u128.pow(36) + 7, 30),
    ] {
        let step = Step::new(of, places);
        for notation in [Notation::Point, Notation::Exponent] {
            let terms = Terms::new();
            let is = terms.spelled(&Values::multiple_of(step).written(notation));
            let is_not = terms.spelled(&Values::no_multiple_of(step).written(notation));
            for times in [1, 2, 3, 7, 9, 10, 30] {
                for off in [0, 1] {
                    let text = decimal(&format!("{}e-{places}", of * times + off)).to_string();
                    for text in [format!("-{text}"), text] {
                        assert_eq!(terms.matches(is, &text), Ok(off == 0), "{text} of {step}");
                        assert_eq!(terms.matches(is_not, &text), Ok(off == 1), "{text} of {step}");
                    }
                }
            }
            assert!(terms.matches(is, "0").unwrap() && !terms.matches(is_not, "0").unwrap());
        }
    }
}

#[test]
fn several_divisors_that_must_not_divide_are_decided_without_a_search() {
    let step = |text: &str| decimal(text).step().unwrap();
    // Of the multiples of 8721 between the bounds, the others leave two.
    let mut values = Values::multiple_of(step("8721"));
    for other in ["2", "6.5", "5", "7", "11", "37"] {
        values = values.intersection(&Values::no_multiple_of(step(other))).unwrap();
    }
    let between = Values::at_least(&decimal("-100000"), Bound::Exclusive)
        .intersection(&Values::at_most(&decimal("-10000"), Bound::Exclusive))
        .unwrap();
    let values = values.intersection(&between).unwrap().written(Notation::Point);
    let terms = Terms::new();
    let reader = reader(&terms, &values);
    assert_eq!(live(&values, &SpelledRead::Start), Live::Yes);
    for (text, goes_on) in [
        ("-2", true),
        ("-26163", true),
        ("-26163.0", true),
        ("-7", true),
        ("-78489", true),
        ("-1", false),
        ("-3", false),
        ("-26164", false),
        ("-26163.1", false),
        ("-6", false),
        ("2", false),
        ("0", false),
    ] {
        let at = reader.read(text);
        assert_eq!(at != Terms::NOTHING, goes_on, "{text}");
        assert!(!goes_on || terms.facts(at).inhabited, "{text}");
    }
}
