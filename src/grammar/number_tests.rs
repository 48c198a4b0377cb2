//! Number languages against integer arithmetic on scaled values, exhaustively on short spellings.

use super::{
    Bound, Decimal, DecimalError, at_least, at_most, different, equal, fractional, integer,
    multiple_of_fraction, one_of, syntax,
};
use crate::grammar::naive::is_match;
use crate::grammar::policy::NumberSpelling;

/// JSON number syntax without exponent, read by hand.
fn is_plain(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    all_digits(whole) && all_digits(fraction) && (whole.len() == 1 || !whole.starts_with('0'))
}

/// Value times 100,000 of a plain spelling with at most five places.
fn scaled(text: &str) -> i128 {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let magnitude: i128 = format!("{whole}{fraction:0<5}").parse().unwrap();
    if text.starts_with('-') { -magnitude } else { magnitude }
}

/// Every text over the alphabet up to the length.
fn all_texts(alphabet: &str, len: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut from = 0;
    for _ in 0..len {
        let to = all.len();
        for i in from..to {
            for c in alphabet.chars() {
                all.push(format!("{}{c}", all[i]));
            }
        }
        from = to;
    }
    all
}

/// Bounds as written in a schema, and in plain spelling.
const BOUNDS: &[(&str, &str)] = &[
    ("0", "0"),
    ("-0", "0"),
    ("0.000", "0"),
    ("-0e7", "0"),
    ("1", "1"),
    ("-1", "-1"),
    ("5", "5"),
    ("-5.0", "-5"),
    ("9", "9"),
    ("-9", "-9"),
    ("-0.5", "-0.5"),
    ("0.5", "0.5"),
    ("0.05", "0.05"),
    ("-0.05", "-0.05"),
    ("5e-2", "0.05"),
    ("0.99", "0.99"),
    ("0.0001", "0.0001"),
    ("1.5", "1.5"),
    ("1.51", "1.51"),
    ("-1.509", "-1.509"),
    ("9.9", "9.9"),
    ("10", "10"),
    ("-10", "-10"),
    ("1e1", "10"),
    ("15", "15"),
    ("50.1", "50.1"),
    ("99", "99"),
    ("100", "100"),
    ("-100.01", "-100.01"),
    ("1e3", "1000"),
    ("-1E+3", "-1000"),
    ("1501", "1501"),
    ("5109.9", "5109.9"),
    ("99999", "99999"),
    ("1000000000000000000000000000000", "1000000000000000000000000000000"),
    ("1e30", "1000000000000000000000000000000"),
    ("-1e30", "-1000000000000000000000000000000"),
];

#[test]
fn bounds_agree_with_integer_arithmetic_on_all_short_spellings() {
    let texts = all_texts("-0159.", 5);
    let plain: Vec<&String> = texts.iter().filter(|t| is_plain(t)).collect();
    let wrong: Vec<&String> = texts.iter().filter(|t| !is_plain(t)).step_by(7).collect();
    assert_eq!((texts.len(), plain.len()), (9331, 2176));
    for (written, spelled) in BOUNDS {
        let bound = Decimal::parse(written).unwrap();
        let value = scaled(spelled);
        let languages = [
            (">=", at_least(&bound, Bound::Inclusive)),
            (">", at_least(&bound, Bound::Exclusive)),
            ("<=", at_most(&bound, Bound::Inclusive)),
            ("<", at_most(&bound, Bound::Exclusive)),
            ("=", equal(&bound)),
            ("!=", different(&bound)),
        ];
        for (sign, language) in &languages {
            for text in &plain {
                let found = scaled(text);
                let expected = match *sign {
                    ">=" => found >= value,
                    ">" => found > value,
                    "<=" => found <= value,
                    "<" => found < value,
                    "=" => found == value,
                    _ => found != value,
                };
                assert_eq!(is_match(language, text), expected, "{text} {sign} {written}: {language}");
            }
            for text in &wrong {
                assert!(!is_match(language, text), "{text:?} is no number, {sign} {written}: {language}");
            }
        }
    }
}

#[test]
fn bounds_are_tight_at_their_own_spelling() {
    for written in ["1e30", "-1e30", "123456789012345678901234567890.5", "1e-300", "-2.5e-200", "9e399"] {
        let bound = Decimal::parse(written).unwrap();
        let text = bound.to_string();
        let padded = if bound.is_integer() { format!("{text}.000") } else { format!("{text}000") };
        let further = if bound.is_integer() { format!("{text}.0001") } else { format!("{text}0001") };
        for text in [&text, &padded] {
            assert!(is_match(&at_least(&bound, Bound::Inclusive), text), "{text} >= {written}");
            assert!(is_match(&at_most(&bound, Bound::Inclusive), text), "{text} <= {written}");
            assert!(!is_match(&at_least(&bound, Bound::Exclusive), text), "{text} > {written}");
            assert!(!is_match(&at_most(&bound, Bound::Exclusive), text), "{text} < {written}");
            assert!(is_match(&equal(&bound), text), "{text} = {written}");
        }
        let (inside, outside) = if bound.is_negative() {
            (at_most(&bound, Bound::Exclusive), at_least(&bound, Bound::Inclusive))
        } else {
            (at_least(&bound, Bound::Exclusive), at_most(&bound, Bound::Inclusive))
        };
        assert!(is_match(&inside, &further), "{further} is beyond {written}");
        assert!(!is_match(&outside, &further), "{further} is beyond {written}");
    }
}

#[test]
fn many_values_are_the_union_of_each() {
    let written = ["0", "5", "-5", "0.5", "-0.05", "50", "1e1", "99.1"];
    let values: Vec<Decimal> = written.iter().map(|text| Decimal::parse(text).unwrap()).collect();
    for count in 0..=values.len() {
        let language = one_of(&values[..count]);
        for text in all_texts("-0159.", 4) {
            let expected = is_plain(&text) && values[..count].contains(&Decimal::parse(&text).unwrap());
            assert_eq!(is_match(&language, &text), expected, "{text:?} among the first {count}: {language}");
        }
    }
}

#[test]
fn a_long_bound_has_as_many_alternatives_as_digits() {
    let bound = Decimal::parse(&"8".repeat(400)).unwrap();
    for language in [at_least(&bound, Bound::Inclusive), at_most(&bound, Bound::Exclusive)] {
        let crate::grammar::regex::Regex::Or(alternatives) = &language else { panic!("{language}") };
        assert!(alternatives.len() <= 402, "{} alternatives", alternatives.len());
        assert!(language.size() < 100_000, "{} nodes", language.size());
    }
}

#[test]
fn plain_syntax_is_json_without_exponent() {
    let language = syntax(NumberSpelling::Plain);
    for text in all_texts("-0159.", 4).iter().chain(&all_texts("-09.e+", 4)) {
        assert_eq!(is_match(&language, text), is_plain(text), "{text:?}");
    }
    let (limit, fraction) = ("1".repeat(400), format!("-{}.{}", "1".repeat(100), "0".repeat(300)));
    for (text, expected) in [(&limit, true), (&fraction, true)] {
        assert_eq!(is_match(&language, text), expected, "{text}");
        assert_eq!(is_match(&language, &format!("{text}0")), !expected, "{text}0");
    }
}

#[test]
fn all_syntax_adds_short_exponents() {
    let language = syntax(NumberSpelling::All);
    for (text, expected) in [
        ("1e0", true),
        ("-1.5E+9999", true),
        ("0e-0001", true),
        ("1e00001", false),
        ("1e", false),
        ("1e+", false),
        ("1.e1", false),
        ("01e1", false),
        ("1e1.0", false),
        ("1e1e1", false),
        ("-0.0", true),
        ("12", true),
    ] {
        assert_eq!(is_match(&language, text), expected, "{text}");
    }
    assert!(is_match(&language, &format!("{}e9999", "1".repeat(400))));
    assert!(!is_match(&language, &format!("{}e9999", "1".repeat(401))));
}

#[test]
fn integers_are_what_arithmetic_says() {
    let plain = integer();
    for text in all_texts("-019.", 5) {
        let integral = is_plain(&text) && scaled(&text) % 100_000 == 0;
        assert_eq!(is_match(&plain, &text), integral && !text.contains('.'), "{text:?}");
        assert_eq!(is_match(&fractional(), &text), is_plain(&text) && !integral, "{text:?}");
    }
}

#[test]
fn decimals_order_like_their_values() {
    let texts: Vec<String> = all_texts("-059.", 4).into_iter().filter(|t| is_plain(t)).collect();
    for a in &texts {
        for b in &texts {
            let (x, y) = (Decimal::parse(a).unwrap(), Decimal::parse(b).unwrap());
            assert_eq!(x.cmp(&y), scaled(a).cmp(&scaled(b)), "{a} and {b}");
            assert_eq!(x == y, scaled(a) == scaled(b), "{a} and {b}");
        }
    }
}

#[test]
fn decimals_read_json_numbers_only() {
    for (text, expected) in [
        ("0", "0"),
        ("-0", "0"),
        ("-0.00e99999999999999999999", "0"),
        ("1.50", "1.5"),
        ("120e-1", "12"),
        ("120e-2", "1.2"),
        ("120E-4", "0.012"),
        ("0.00120e3", "1.2"),
        ("0.00120e+6", "1200"),
        ("-1e2", "-100"),
        ("123.456e1", "1234.56"),
        ("1e399", &format!("1{}", "0".repeat(399))),
        ("1e-400", &format!("0.{}1", "0".repeat(399))),
    ] {
        assert_eq!(Decimal::parse(text).unwrap().to_string(), expected, "{text}");
    }
    for text in [
        "", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "1e1.5", "0x1", "1 ", " 1", "NaN", "--1",
        "1.2.3",
    ] {
        assert_eq!(Decimal::parse(text), Err(DecimalError::Syntax), "{text:?}");
    }
    for text in
        ["1e400", "1e-401", "10e399", "1e99999999999999999999", "1e-99999999999999999999", "123456e396"]
    {
        assert_eq!(Decimal::parse(text), Err(DecimalError::TooLong), "{text:?}");
    }
    assert_eq!(Decimal::parse(&"1".repeat(401)), Err(DecimalError::TooLong));
    assert_eq!(Decimal::parse("2.0").unwrap().to_u64(), Some(2));
    assert_eq!(Decimal::parse("18446744073709551615").unwrap().to_u64(), Some(u64::MAX));
    assert_eq!(Decimal::parse("18446744073709551616").unwrap().to_u64(), None);
    assert_eq!(Decimal::parse("-1").unwrap().to_u64(), None);
    assert_eq!(Decimal::parse("0.5").unwrap().to_u64(), None);
    assert_eq!(Decimal::from(120), Decimal::parse("1.2e2").unwrap());
}

#[test]
fn multiples_of_a_fraction_are_told_by_its_digits() {
    let all = all_texts("-015.", 6);
    for divisor in
        ["0.5", "0.1", "0.01", "0.25", "0.05", "0.125", "0.2", "0.00001", "1.5", "0.3", "2.5", "0.15"]
    {
        let of = scaled(divisor);
        let regex = multiple_of_fraction(&Decimal::parse(divisor).unwrap()).unwrap();
        let mut multiples = 0;
        for text in all.iter().filter(|text| is_plain(text) && text.len() < 7) {
            let expected = scaled(text) % of == 0;
            multiples += usize::from(expected);
            assert_eq!(is_match(&regex, text), expected, "{text} as a multiple of {divisor}");
        }
        assert!(multiples > 10, "{divisor}");
    }
    let by_remainder = multiple_of_fraction(&Decimal::parse("0.00000128").unwrap()).unwrap();
    assert_eq!(by_remainder, crate::grammar::regex::Regex::FractionMultiple { of: 128, places: 8 });
    for divisor in ["2", "0.0", "-0.5", "0.99999999999999999999"] {
        assert_eq!(multiple_of_fraction(&Decimal::parse(divisor).unwrap()), None, "{divisor}");
    }
}
