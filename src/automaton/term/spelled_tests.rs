//! Spellings by value against exact decimal arithmetic, exhaustively on short spellings and at random on long ones.

use super::super::twin::{Random, matches};
use super::super::{Kind, Terms};
use crate::grammar::condition;
use crate::grammar::naive::is_spelled;
use crate::grammar::number::{Bound, Decimal};
use crate::grammar::policy::NumberSpelling::All;
use crate::grammar::regex::Regex;
use crate::grammar::values::{Step, Values};
use crate::index::TermId;

const LETTERS: [char; 7] = ['-', '0', '1', '5', '.', 'e', '+'];

const BOUNDS: &[&str] = &[
    "0", "1", "-1", "5", "-5.0", "0.5", "-0.05", "0.15", "1.5", "-1.51", "10", "15", "-50.1", "100", "1e3",
    "1501", "0.0001", "1e30", "-1e-30",
];

const DIVISORS: &[&str] =
    &["1", "2", "3", "5", "8", "10", "25", "60", "100", "0.5", "0.1", "0.15", "2.5", "0.004", "1e-9"];

/// What is asked of a number.
#[derive(Clone, Debug)]
enum Asked {
    AtLeast(Decimal, Bound),
    AtMost(Decimal, Bound),
    Equal(Decimal),
    MultipleOf(Decimal),
    Not(Box<Asked>),
}

impl Asked {
    fn regex(&self) -> Regex {
        match self {
            Self::AtLeast(bound, kind) => condition::at_least(bound, *kind, All),
            Self::AtMost(bound, kind) => condition::at_most(bound, *kind, All),
            Self::Equal(value) => condition::equal(value, All),
            Self::MultipleOf(divisor) => condition::multiple_of(divisor, All).unwrap(),
            Self::Not(asked) => condition::opposite(&asked.regex(), All),
        }
    }

    fn holds(&self, value: &Decimal) -> bool {
        match self {
            Self::AtLeast(bound, Bound::Inclusive) => value >= bound,
            Self::AtLeast(bound, Bound::Exclusive) => value > bound,
            Self::AtMost(bound, Bound::Inclusive) => value <= bound,
            Self::AtMost(bound, Bound::Exclusive) => value < bound,
            Self::Equal(other) => value == other,
            Self::MultipleOf(divisor) => is_multiple(value, divisor),
            Self::Not(asked) => !asked.holds(value),
        }
    }

    fn random(random: &mut Random) -> Self {
        let number = |texts: &[&str], random: &mut Random| {
            let i = usize::try_from(random.below(u64::try_from(texts.len()).unwrap())).unwrap();
            Decimal::parse(texts[i]).unwrap()
        };
        let kind = random.pick(&[Bound::Inclusive, Bound::Exclusive]);
        match random.below(8) {
            0 | 1 => Self::AtLeast(number(BOUNDS, random), kind),
            2 | 3 => Self::AtMost(number(BOUNDS, random), kind),
            4 => Self::Equal(number(BOUNDS, random)),
            5 | 6 => Self::MultipleOf(number(DIVISORS, random)),
            _ => Self::Not(Box::new(Self::random(random))),
        }
    }
}

/// By the digits with the point moved.
fn is_multiple(value: &Decimal, divisor: &Decimal) -> bool {
    let moved = |number: &Decimal, places: usize| -> Option<String> {
        let text = number.to_string();
        let (whole, fraction) = text.trim_start_matches('-').split_once('.').unwrap_or((&text, ""));
        let whole = whole.trim_start_matches('-');
        (fraction.len() <= places).then(|| format!("{whole}{fraction:0<places$}"))
    };
    let text = divisor.to_string();
    let places = text.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let of: u128 = moved(divisor, places).unwrap().parse().unwrap();
    moved(value, places)
        .is_some_and(|digits| digits.bytes().fold(0, |rest, b| (rest * 10 + u128::from(b - b'0')) % of) == 0)
}

/// Every text up to the length, valid number or not: `check` gets the term after it.
fn for_each_text(terms: &Terms, term: TermId, len: usize, check: &mut impl FnMut(&str, TermId)) {
    fn go(terms: &Terms, at: TermId, text: &mut String, left: usize, check: &mut impl FnMut(&str, TermId)) {
        check(text, at);
        if left > 0 {
            for c in LETTERS {
                text.push(c);
                go(terms, terms.derive(at, u32::from(c)).unwrap(), text, left - 1, check);
                text.pop();
            }
        }
    }
    go(terms, term, &mut String::new(), len, check);
}

/// The value, if the text is a number that the policy spells and has few digits.
fn value(text: &str) -> Option<Decimal> {
    Decimal::parse(text).ok()
}

#[test]
fn each_condition_holds_of_exactly_the_spellings_of_its_values() {
    let mut all: Vec<Asked> = Vec::new();
    for bound in BOUNDS.iter().map(|text| Decimal::parse(text).unwrap()) {
        for kind in [Bound::Inclusive, Bound::Exclusive] {
            all.push(Asked::AtLeast(bound.clone(), kind));
            all.push(Asked::AtMost(bound.clone(), kind));
        }
        all.push(Asked::Equal(bound));
    }
    all.extend(DIVISORS.iter().map(|text| Asked::MultipleOf(Decimal::parse(text).unwrap())));
    let mut accepted = 0;
    for asked in all {
        for asked in [asked.clone(), Asked::Not(Box::new(asked))] {
            let terms = Terms::new();
            let term = terms.from_regex(&asked.regex()).unwrap();
            for_each_text(&terms, term, 5, &mut |text, at| {
                // What is too long for a decimal is far beyond all bounds; the long walks meet that.
                if matches!(Decimal::parse(text), Err(crate::grammar::number::DecimalError::TooLong)) {
                    return;
                }
                let expected = value(text).is_some_and(|value| asked.holds(&value));
                accepted += usize::from(expected);
                assert_eq!(terms.nullable(at), expected, "{text:?}: {asked:?} is {}", terms.display(term));
            });
        }
    }
    assert!(accepted > 50_000, "{accepted}");
}

#[test]
fn conditions_together_are_one_set_of_values_and_leave_no_dead_end() {
    let (mut joined, mut apart, mut states) = (0, 0, 0);
    for seed in 0..250 {
        let mut random = Random(seed);
        let asked: Vec<Asked> = (0..2 + random.below(2)).map(|_| Asked::random(&mut random)).collect();
        let terms = Terms::new();
        let parts: Vec<TermId> =
            asked.iter().map(|asked| terms.from_regex(&asked.regex()).unwrap()).collect();
        let term = terms.and(&parts);
        let sets = terms.sets_of_values(term).is_some() || term == Terms::NOTHING;
        joined += usize::from(sets);
        apart += usize::from(!sets);
        for_each_text(&terms, term, 4, &mut |text, at| {
            let expected = value(text).is_some_and(|value| asked.iter().all(|asked| asked.holds(&value)));
            assert_eq!(terms.nullable(at), expected, "seed {seed}: {text:?}: {asked:?}");
            if at != Terms::NOTHING && terms.facts(at).inhabited && !expected {
                states += 1;
                let goes_on =
                    terms.successors(at).unwrap().iter().any(|next| !terms.is_nothing(next.target).unwrap());
                assert!(goes_on, "seed {seed}: nothing follows {text:?}: {asked:?}");
            }
        });
    }
    assert!(joined > 240 && apart < 10 && states > 10_000, "{joined} joined, {apart} apart, {states} states");
}

#[test]
fn complements_of_sets_are_their_opposites() {
    for seed in 0..60 {
        let mut random = Random(seed);
        let [one, other] = [Asked::random(&mut random), Asked::random(&mut random)];
        let terms = Terms::new();
        let [a, b] = [&one, &other].map(|asked| terms.from_regex(&asked.regex()).unwrap());
        let term = terms.and(&[a, terms.not(b)]);
        for_each_text(&terms, term, 4, &mut |text, at| {
            let expected = value(text).is_some_and(|value| one.holds(&value) && !other.holds(&value));
            assert_eq!(terms.nullable(at), expected, "seed {seed}: {text:?}: {one:?} without {other:?}");
        });
        assert_eq!(terms.and(&[a, terms.not(a)]), Terms::NOTHING, "seed {seed}");
    }
}

#[test]
fn long_spellings_end_in_values() {
    let digits = |random: &mut Random, count: u64| -> String {
        (0..count).map(|_| random.pick(&['0', '9', '1', '5', '7'])).collect()
    };
    let mut lengths = 0;
    for seed in 0..150 {
        let mut random = Random(seed);
        let mut bound = |sign: &str| {
            let (whole, fraction) = (random.below(20), 1 + random.below(20));
            let exponent = i64::try_from(random.below(500)).unwrap() - 250;
            format!("{sign}1{}.{}e{exponent}", digits(&mut random, whole), digits(&mut random, fraction))
        };
        let (low, high) = (bound("-"), bound(""));
        let parts = [
            condition::at_least(&Decimal::parse(&low).unwrap(), Bound::Exclusive, All),
            condition::at_most(&Decimal::parse(&high).unwrap(), Bound::Inclusive, All),
            condition::multiple_of(
                &Decimal::parse(random.pick(&["1e-9", "7", "0.125", "1024", "0.3"])).unwrap(),
                All,
            )
            .unwrap(),
        ];
        let regex = Regex::And(parts[..1 + usize::try_from(random.below(3)).unwrap()].into());
        let terms = Terms::new();
        let mut at = terms.from_regex(&regex).unwrap();
        let (mut text, stop) = (String::new(), random.below(420));
        loop {
            let long = u64::try_from(text.len()).unwrap() >= stop;
            let ends = terms.nullable(at) && long;
            let all = terms.successors(at).unwrap().iter();
            let all = all.flat_map(|range| (range.lo..=range.hi).map(|c| (c, range.target)));
            let (digits, others): (Vec<_>, Vec<_>) =
                all.partition(|&(c, _)| (u32::from('0')..=u32::from('9')).contains(&c));
            // Exponents end a number soon.
            let next = if digits.is_empty() || long || random.below(100) == 0 {
                [digits, others].concat()
            } else {
                digits
            };
            if ends || next.is_empty() {
                break;
            }
            let (c, target) = random.pick(&next);
            text.push(char::from_u32(c).unwrap());
            at = target;
        }
        assert!(terms.nullable(at), "seed {seed}: a dead end after {text} in {regex}");
        let letters: Vec<char> = text.chars().collect();
        let Regex::And(parts) = &regex else { unreachable!("a conjunction") };
        for part in &**parts {
            let Regex::Spelled(values) = part else { unreachable!("a set of values") };
            assert!(is_spelled(&letters, values), "seed {seed}: {text} in {regex}");
        }
        lengths += text.len();
    }
    assert!(lengths > 5_000, "{lengths}");
}

#[test]
fn impossible_conditions_are_nothing_at_once() {
    let terms = Terms::new();
    let number = |text: &str| Decimal::parse(text).unwrap();
    let integer = condition::integer(All);
    let between = |low: &str, high: &str| {
        [
            condition::at_least(&number(low), Bound::Inclusive, All),
            condition::at_most(&number(high), Bound::Inclusive, All),
        ]
    };
    let of = |parts: Vec<Regex>| terms.from_regex(&Regex::And(parts.into())).unwrap();
    let [low, high] = between("0.2", "0.8");
    assert_eq!(of(vec![low, high, integer.clone()]), Terms::NOTHING);
    assert_eq!(of(vec![condition::equal(&number("1.5"), All), integer.clone()]), Terms::NOTHING);
    let [low, high] = between("1000004", "1000009");
    let million = condition::multiple_of(&number("1000003"), All).unwrap();
    assert_eq!(of(vec![low, high, million]), Terms::NOTHING);
    let even = condition::multiple_of(&number("2"), All).unwrap();
    assert_eq!(of(vec![even.clone(), condition::opposite(&even, All)]), Terms::NOTHING);
    // Between 2^20 and 2^34, 2^20 divides few numbers; every beginning knows whether it goes on.
    let [low, high] = between("1048576", "17179869184");
    let term = of(vec![low, high, condition::multiple_of(&number("1048576"), All).unwrap(), integer]);
    for (text, expected) in [
        ("1048576", true),
        ("2097152.0", true),
        ("0.17179869184e11", true),
        ("1717986918400e-2", true),
        ("17179869185", false),
        ("3145728e1", true),
        ("3145728e9", false),
    ] {
        assert_eq!(terms.matches(term, text).unwrap(), expected, "{text}");
    }
    assert!(terms.len() < 2_000, "{} terms", terms.len());
}

#[test]
fn any_digits_go_on_where_it_is_said() {
    let (mut go_on, mut stop) = (0, 0);
    for seed in 0..200 {
        let mut random = Random(seed);
        let asked: Vec<Asked> = (0..1 + random.below(2)).map(|_| Asked::random(&mut random)).collect();
        let terms = Terms::new();
        let parts: Vec<TermId> =
            asked.iter().map(|asked| terms.from_regex(&asked.regex()).unwrap()).collect();
        let mut at = terms.and(&parts);
        for c in random.pick(&["5", "-1", "0.0", "1.5", "150", "-0."]).chars() {
            at = terms.derive(at, u32::from(c)).unwrap();
        }
        let goes_on = terms.digits_go_on(at, 12);
        go_on += usize::from(goes_on);
        stop += usize::from(!goes_on);
        for _ in 0..12 {
            let digit = u32::from('0') + u32::try_from(random.below(10)).unwrap();
            at = terms.derive(at, digit).unwrap();
            assert!(!goes_on || !terms.is_nothing(at).unwrap(), "seed {seed}: {asked:?}");
        }
    }
    assert!(go_on > 50 && stop > 50, "{go_on} go on, {stop} do not");
}

#[test]
fn the_twin_of_terms_reads_values_alike() {
    let terms = Terms::new();
    let regex = Regex::and([
        condition::at_least(&Decimal::parse("-1.5").unwrap(), Bound::Exclusive, All),
        condition::multiple_of(&Decimal::parse("0.25").unwrap(), All).unwrap(),
    ]);
    let term = terms.from_regex(&regex).unwrap();
    assert!(matches!(terms.kind(term), Kind::Spelled { .. }));
    for_each_text(&terms, term, 4, &mut |text, at| {
        let letters: Vec<char> = text.chars().collect();
        assert_eq!(terms.nullable(at), matches(&regex, &letters), "{text}");
    });
}

#[test]
fn one_value_is_judged_by_its_divisors_at_once() {
    let terms = Terms::new();
    let one = |text: &str| Values::equal(&Decimal::parse(text).unwrap());
    let step = |of, places| Step { of, places };
    for (value, with, empty) in [
        ("1", Values::no_multiple_of(step(1, 0)), true),
        ("1.5", Values::no_multiple_of(step(1, 0)), false),
        ("-12", Values::no_multiple_of(step(5, 0)), false),
        ("-12", Values::no_multiple_of(step(4, 0)), true),
        ("-12", Values::multiple_of(step(25, 1)), true),
        ("-12.5", Values::multiple_of(step(25, 1)), false),
        ("0", Values::multiple_of(step(25, 1)), false),
        ("0", Values::no_multiple_of(step(25, 1)), true),
    ] {
        let both = one(value).intersection(&with).unwrap();
        assert_eq!(both.is_plainly_empty(), empty, "{value} and {with}");
        assert_eq!(terms.is_nothing(terms.spelled(&both)), Ok(empty), "{value} and {with}");
    }
}
