//! Patterns against what an ECMA-262 engine says (`tests/data/patterns.mjs`), decided by the naive matcher.

use serde_json::Value;

use super::unicode::property;
use super::{parse, parse_whole};
use crate::grammar::naive::is_match;
use crate::grammar::regex::Regex;
use crate::limits::{PATTERN_BYTES_MAX, PATTERN_DEPTH_MAX, PATTERN_NODES_MAX};

/// One entry of the files: a pattern, texts in which it is found, texts in which it is not.
fn entries(text: &str) -> Vec<(String, Vec<String>, Vec<String>)> {
    let all: Vec<Value> = serde_json::from_str(text).unwrap();
    let texts = |value: &Value| -> Vec<String> {
        value.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
    };
    all.iter()
        .filter_map(Value::as_array)
        .map(|entry| (entry[0].as_str().unwrap().to_owned(), texts(&entry[1]), texts(&entry[2])))
        .collect()
}

/// Compares a pattern with its entry; the count of texts, or the construct for which it was refused.
fn check(pattern: &str, accept: &[String], refuse: &[String]) -> Result<usize, &'static str> {
    let regex = match parse(pattern) {
        Ok(regex) => regex,
        Err(e) if e.construct == "syntax" => panic!("{pattern:?}: {e}"),
        Err(e) => return Err(e.construct),
    };
    for (texts, expected) in [(accept, true), (refuse, false)] {
        for text in texts {
            assert_eq!(is_match(&regex, text), expected, "{pattern:?} on {text:?}: {regex}");
        }
    }
    Ok(accept.len() + refuse.len())
}

#[test]
fn handwritten_patterns_mean_what_an_ecma_engine_says() {
    let mut checked = 0;
    for (pattern, accept, reject) in entries(include_str!("../../../tests/data/patterns.json")) {
        checked +=
            check(&pattern, &accept, &reject).unwrap_or_else(|construct| panic!("{pattern:?}: {construct}"));
    }
    assert!(checked > 1_200, "{checked}");
}

#[test]
fn random_patterns_mean_what_an_ecma_engine_says() {
    let (mut checked, mut refused) = (0, 0);
    for (pattern, accept, reject) in entries(include_str!("../../../tests/data/patterns_random.json")) {
        match check(&pattern, &accept, &reject) {
            Ok(count) => checked += count,
            Err("back-reference" | "unicode property") => refused += 1,
            Err(construct) => panic!("{pattern:?}: {construct}"),
        }
    }
    println!("{checked} texts, {refused} patterns refused");
    assert!(checked > 23_000 && refused <= 130, "{checked} texts, {refused} patterns refused");
}

#[test]
fn assertions_hold_wherever_they_stand() {
    for (pattern, accept, refuse) in [
        ("(?<=\\$)\\d+", &["$1", "a$12"][..], &["1", "$", "$a1"][..]),
        ("(?<!\\$)\\b\\d+", &["1", "a 1"], &["$1", "a1", ""]),
        ("^(?<!a)b", &["b", "bc"], &["ab", ""]),
        ("(?<=^|,)x(?=,|$)", &["x", "a,x", "x,a", "a,x,b"], &["ax", "xa", "a,xa", ""]),
        ("(?<=(?<!a)b)c", &["bc", "bbc", "xbc"], &["abc", "c"]),
        ("(?<=a(?=bc).)c", &["abc", "xabcx"], &["abxc", "bc"]),
        ("(?<=a(?=.c))b", &["abc"], &["abd", "ab"]),
        ("(?<!ab|c)d", &["d", "ad", "bd", "cd d"], &["abd", "cd", "abdcd"]),
        ("(?<=^.{3})x", &["abcx", "abcxx"], &["abx", "abcdx", "x"]),
        ("^(?:(?=a)..)*$", &["", "ab", "abac", "aaaa"], &["a", "ba", "abba"]),
        ("^(?:(?=aba)a|b)*$", &["", "b", "bb", "b"], &["aba", "ab", "a"]),
        ("^(?:(?=ab)a|b)+c$", &["abc", "bc", "abbabc"], &["aabc", "c", "abac"]),
        ("^((?<!x)y|z)*w", &["w", "yw", "zyyw", "yzw"], &["xyw", "xw", "z"]),
        ("x((?<!x)y|z)*w", &["xw", "xzyw", "xzw"], &["xyw", "yw"]),
        ("^(?:a\\b|b\\B| )+$", &["a", "a a", "ba", "ba ba"], &["ab", "aa", "b", "b a"]),
        ("^(?:\\b\\w+\\b\\s?){2,3}$", &["a b", "ab c d"], &["a", "a b c d", "a  b"]),
        ("^(?:\\Ba|\\bb)+$", &["ba", "baa", "b"], &["ab", "a", "bb"]),
        ("^(?:(?!--)[a-z-]){1,9}$", &["a-b", "-", "a-b-c"], &["a--b", "", "abcdefghij"]),
        ("^(?:(?=([ab]+)c)a|b|c)*$", &["abc", "aabcb", "", "bb"], &["ab", "a", "cba"]),
        ("^(?:(?=x))*y", &["y"], &["x", "xy"]),
        ("^(?:(?=x)|y){2}y", &["yyy"], &["y", "yy", "xy"]),
        ("^(?:a|(?=b)){3}b", &["b", "ab", "aab", "aaab"], &["a", "aaaab"]),
        ("(?!(?:(?=a).)*$)^.", &["b", "ab"], &["a", "aaa", ""]),
        (
            "^(?=.{1,253}$)(?:(?!-)[a-z0-9-]{1,63}(?<!-)\\.)+[a-z]{2,63}$",
            &["a.de", "a-b.c.de"],
            &["-a.de", "a-.de", "a", "a..de", ".de"],
        ),
    ] {
        let regex = parse(pattern).unwrap();
        for (texts, expected) in [(accept, true), (refuse, false)] {
            for text in texts {
                assert_eq!(is_match(&regex, text), expected, "{pattern:?} on {text:?}: {regex}");
            }
        }
    }
}

#[test]
fn flags_change_what_they_enclose() {
    for (pattern, accept, refuse) in [
        ("(?i)yes|no", &["yes", "YES", "No", "nO"][..], &["maybe", "yesno", "", "ye"][..]),
        ("a(?i:b)c", &["abc", "aBc"], &["Abc", "abC"]),
        ("(?i:a(?-i:b)c)", &["abc", "AbC"], &["aBc"]),
        ("(?i)k\\w\\u017f", &["kas", "\u{212A}\u{212A}S", "K\u{17F}\u{17F}"], &["k-s"]),
        ("\\w", &["s", "_"], &["\u{17F}", "\u{212A}"]),
        ("(?i)\\W", &["-"], &["s", "\u{17F}", "\u{212A}"]),
        ("(?i)[^s]", &["t", "T"], &["s", "S", "\u{17F}"]),
        ("(?i)[^\\W]", &["s", "\u{17F}"], &["-"]),
        ("(?i)\\P{Lu}", &["a", "A", "-"], &[""]),
        ("(?i)\\p{Lu}", &["a", "A"], &["-", "\u{AA}"]),
        ("(?i)[^\\P{Lu}]", &[], &["a", "A", "-"]),
        ("(?i)ß", &["ß", "\u{1E9E}"], &["ss", "SS"]),
        ("(?i)i", &["i", "I"], &["\u{131}", "\u{130}"]),
        ("(?i)[a-z]", &["Q", "\u{212A}"], &["1", "é"]),
        ("(?i)é", &["É", "é"], &["e"]),
        ("(?i)σ", &["ς", "Σ", "σ"], &["s"]),
        ("(?i)\\u{10400}", &["\u{10428}", "\u{10400}"], &["a"]),
        ("(?i)(?:(?=\\bS).|x\\B)*", &["S", "s", "\u{17F}"], &["xs", "sx"]),
        ("a.b", &["axb"], &["a\nb", "a\u{2028}b"]),
        ("(?s)a.b", &["axb", "a\nb", "a\u{2029}b"], &["ab"]),
        ("(?s:a.)(?-s:.)", &["a\nb"], &["a\n\n"]),
        ("(?m)[^]*^b$[^]*", &["b", "a\nb", "b\ra", "a\u{2028}b\u{2029}c"], &["ab", "a\nbc", "ba"]),
        ("(?:(?m:^)a(?m:$)\\n?)+", &["a", "a\na", "a\na\n"], &["aa", "a\n\na"]),
        ("(?m:a$)(?-m:$)", &["a"], &["a\n"]),
    ] {
        let regex = parse_whole(pattern).unwrap();
        for (texts, expected) in [(accept, true), (refuse, false)] {
            for text in texts {
                assert_eq!(is_match(&regex, text), expected, "{pattern:?} on {text:?}: {regex}");
            }
        }
    }
    assert!(parse_whole("a)(b").is_err());
    assert_eq!(super::check("(?i)a").unwrap_err().byte, 0);
}

#[test]
fn malformed_patterns_are_refused_with_their_place() {
    for (pattern, byte) in [
        ("(", 0),
        ("a(b", 1),
        ("a)b", 1),
        ("(?:a", 0),
        ("[a", 0),
        ("é[a", 2),
        ("[b-a]", 1),
        ("[a--b]", 1),
        ("[\\d-\\x", 0),
        ("*", 0),
        ("a**", 2),
        ("a|+", 2),
        ("^*", 1),
        ("$+", 1),
        ("\\b?", 2),
        ("a{2}{3}", 4),
        ("{1}", 0),
        ("x|{1,2}", 2),
        ("a{2,1}", 1),
        ("\\", 0),
        ("a\\", 1),
        ("[\\", 1),
        ("(?P<name>x)", 0),
        ("(?P=n)", 0),
        ("(?#comment)a", 0),
        ("a(?i)bc", 1),
        ("(?i)(?m)abc", 4),
        ("(?ii)abc", 0),
        ("(?-i)abc", 0),
        ("(?x)abc", 0),
        ("(?-:a)", 0),
        ("(?ii:a)", 0),
        ("(?i-i:a)", 0),
        ("(?i-m-s:a)", 0),
        ("(?u:a)", 0),
        ("(?i", 0),
        ("(?>a)", 0),
        ("(?<>a)", 0),
        ("(?<1a>a)", 0),
        ("(?<a", 0),
        ("(?<a>x)(?<a>y)", 7),
        ("(?<a>x)\\k<b>", 7),
        ("(?<a>x)\\k", 7),
        ("(?<=a)*", 6),
        ("a++", 2),
        ("(?)", 0),
    ] {
        let error = parse(pattern).expect_err(pattern);
        assert_eq!((error.construct, error.byte), ("syntax", byte), "{pattern:?}: {error}");
    }
}

#[test]
fn what_is_not_translated_is_refused_by_name_and_place() {
    for (pattern, construct, byte) in [
        ("(a)\\1", "back-reference", 3),
        ("\\1(a)", "back-reference", 0),
        ("(?<n>a)\\k<n>", "back-reference", 7),
        ("^<([a-z]+)>.*</\\1>$", "back-reference", 15),
        ("(?:(a)\\1)*", "back-reference", 6),
        ("(?=(a)\\1)?", "back-reference", 6),
        ("(?<=(a)\\1)", "back-reference", 7),
        ("\\p{Greek}", "unicode property", 0),
        ("a\\p{letter}", "unicode property", 1),
        ("\\p{Block=Latin}", "unicode property", 0),
        ("\\p{Script=greek}", "unicode property", 0),
        ("\\_\\p{L}", "unicode property", 2),
        ("[\\_\\p{L}]", "unicode property", 3),
        ("\\_\\u{41}", "unicode escape", 2),
        ("a{4294967296}", "limit", 1),
    ] {
        let error = parse(pattern).expect_err(pattern);
        assert_eq!((error.construct, error.byte), (construct, byte), "{pattern:?}: {error}");
    }
}

#[test]
fn common_shapes_stay_small() {
    for (pattern, expected) in [
        ("^abc$", "\"abc\""),
        ("^(a|b|[cd])$", "[a-d]"),
        ("^(tag|category)$", "(\"category\"|\"tag\")"),
        ("abc", ".*\"abc\".*"),
        ("", ".*"),
        ("a*", ".*"),
        (".*abc.*", ".*\"abc\".*"),
        ("^abc", "\"abc\".*"),
        ("abc$", ".*\"abc\""),
        ("a+b{2,5}", ".*ab{2}.*"),
        ("^[a-z]{1,100000}$", "[a-z]{1,100000}"),
        ("^a|b$", "(a.*|.*b)"),
        ("^(a|b$)", "(a.*|b)"),
        ("^(?!abc)", "!(\"abc\".*)"),
        ("^((?!x).)*$", "([^\\u{A}\\u{D}\\u{2028}\\u{2029}]*&!(.*x.*))"),
        ("a^b", "∅"),
        ("^(?i:aB)$", "[Aa][Bb]"),
        ("(?i)^k$", "[Kk\u{212A}]"),
        ("(?s)^.$", "."),
        ("^(?!-)[a-z-]{1,63}(?<!-)$", "([\\-a-z]{1,63}&.*[^\\-]&!(\\-.*))"),
        ("^(?:(?!--)[a-z-])*$", "([\\-a-z]*&!(.*\"--\".*))"),
        ("^(?:(?=ab)a|b)*$", "{0! a→1 b→0; 1 b→0}"),
        ("^(?:a(?<!ba)|b)*$", "{0! a→0 b→1; 1! b→1}"),
        ("(?<=ab)c", "{0 [^a]→0 a→1; 1 [^ab]→0 a→1 b→2; 2 [^ac]→0 a→1 c→3; 3! .→3}"),
        ("(?<=ab)c(?<!c)", "∅"),
    ] {
        assert_eq!(parse(pattern).unwrap().to_string(), expected, "{pattern}");
    }
}

#[test]
fn limits_hold_and_deep_patterns_do_not_overflow() {
    let nested = |depth: usize| format!("{}a{}", "(".repeat(depth), ")*".repeat(depth));
    assert_eq!(parse(&nested(PATTERN_DEPTH_MAX)).unwrap().to_string(), ".*");
    assert_eq!(parse(&nested(PATTERN_DEPTH_MAX + 1)).unwrap_err().construct, "limit");
    for (open, close) in
        [("(b$|", "c){2}"), ("(^a|b", "(c$|d))+"), ("(?:(?=a", "b$)|c){2}"), ("(\\b", "|a){0,2}")]
    {
        let pattern = format!("{}a{}", open.repeat(PATTERN_DEPTH_MAX), close.repeat(PATTERN_DEPTH_MAX));
        if let Err(error) = parse(&pattern) {
            assert_eq!(error.construct, "limit", "{open}…{close}: {error}");
        }
    }
    assert_eq!(parse(&"a".repeat(PATTERN_BYTES_MAX + 1)).unwrap_err().construct, "limit");
    // Long and wide, but harmless.
    for (open, close) in [
        ("(?:(?=", ".)|a)*"),
        ("(?:(?<=", ".)|a)*"),
        ("(?<=", "a)"),
        ("(?<!.*", "b)"),
        ("(?:(?!", "a).|b)*"),
        ("(?:\\b", "a*)*"),
        ("(?:(?<=a)", "b){3}"),
        ("(?i:(?:^|a)", ")*"),
        ("(?:(?=.{9}a).", "){2,}"),
    ] {
        for depth in [5, PATTERN_DEPTH_MAX / 2] {
            let pattern = format!("{}a{}", open.repeat(depth), close.repeat(depth));
            if let Err(error) = parse(&pattern) {
                assert_eq!(error.construct, "limit", "{open}…{close}: {error}");
            }
        }
    }
    for piece in [
        "(?<=a)",
        "(?<!ab)",
        "(?:(?=ab)a)*",
        "(?<=a*b)c",
        "(?:\\b|a)*",
        "(?<=b)(?<=c)",
        "(?m:^)",
        "(?i:a)\\b",
        "(?:(?<=x.y)a|b)+c",
        "((?<=",
        "a",
        "^",
        "a|",
        "(a)",
        "[a-z]",
        "a$|",
        "^a|",
        "{",
        "(?=a)",
        "\\b",
        "a?",
        "(?:^a|b)*",
    ] {
        let pattern = piece.repeat(PATTERN_BYTES_MAX / piece.len());
        match parse(&pattern) {
            Ok(regex) => assert!(regex.size() <= PATTERN_NODES_MAX, "{piece}: {} nodes", regex.size()),
            Err(error) => assert_eq!(error.construct, "limit", "{piece}: {error}"),
        }
    }
}

#[test]
fn counts_beside_assertions_fit_unless_they_multiply() {
    for (pattern, fits) in [
        ("(?:(?=.{12}a).|b)*", true),
        ("^(?:(?=.{12}a).|b)*$", true),
        ("(?:a(?!b)){1000}", true),
        ("(?:a(?!b)){100000}", false),
        ("^(?:a(?!b)){1000}$", true),
        ("(?<=a.{14})b", true),
        ("(?<=a.{1000})b", true),
        ("(?<=a.{100000})b(?=c)", true),
        ("(?:(?<=a.{14})b|c)*d", false),
        ("^[a-z]{1,100000}(?<!foo)\\.com$", true),
        ("(?<=[a-z]{1,1000})b", true),
        ("^(?:(?<=a.{10})b|.)*$", true),
        ("(?:(?<=\\p{L}\\p{N}*)\\p{Lu}(?!\\p{Ll}))*x", true),
        ("(?i)(?:\\b\\p{L}+\\b ?){1,20}$", true),
        ("(?:[](?=a)){4294967295}", true),
        ("(?:(?=a)[]|(?=b)){4294967295}", true),
        ("(?:(?=a)|(?=b)a?){4294967295}", true),
        ("(?:a?(?=b)){4294967295}", true),
        ("^(?=.{1,253}$)(?:(?!-)[a-z0-9-]{1,63}(?<!-)\\.)+[a-z]{2,63}$", true),
    ] {
        match parse(pattern) {
            Ok(regex) => assert!(fits && regex.size() < 100_000, "{pattern}: {} nodes", regex.size()),
            Err(error) => assert!(!fits && error.construct == "limit", "{pattern}: {error}"),
        }
    }
}

#[test]
fn every_listed_property_has_its_set() {
    let size = |name: &str| property(name).unwrap_or_else(|| panic!("{name} is missing")).len();
    for name in ["L", "Lu", "Nd", "digit", "punct", "Cn", "C", "LC", "Script=Latin", "sc=Hira", "scx=Hira"] {
        assert!(size(name) > 10, "{name}");
    }
    assert_eq!((size("ASCII"), size("Any"), size("Cs")), (128, 0x11_0000 - 0x800, 0));
    assert_eq!(size("Assigned") + size("Cn"), size("Any"));
    assert_eq!(size("Script=Unknown"), size("scx=Zzzz"));
    assert!(size("sc=Zzzz") >= size("Cn") && size("sc=Zzzz") <= size("Cn") + size("Co"));
    let missing: Vec<String> = super::unicode::all_names().filter(|name| property(name).is_none()).collect();
    assert_eq!(missing, [""; 0]);
    for name in
        ["", "l", "Greek", "L=", "=L", "gc=", "Script", "Block=Latin", "InBasicLatin", "any", "IsGreek"]
    {
        assert_eq!(property(name), None, "{name}");
    }
}

#[test]
fn anchored_repeats_are_their_expansion() {
    // Whatever `(…){m,n}` means, it means the alternatives of so many copies.
    let pieces = ["^", "$", "^a", "a$", "^a$", "a", "b", "", "^a?", "b?$", "^a?$"];
    let texts = [
        "", "a", "b", "aa", "ab", "ba", "bb", "aab", "aba", "abb", "bab", "bba", "aaa", "xab", "abx", "aabb",
    ];
    for one in pieces {
        for two in pieces {
            let body = format!("(?:{one}|{two})");
            for (min, max) in [(0, 1), (0, 2), (1, 2), (2, 2), (2, 3), (3, 3), (1, 4)] {
                let counted = parse(&format!("^{body}{{{min},{max}}}$|y")).unwrap();
                let searched = parse(&format!("{body}{{{min},{max}}}")).unwrap();
                let copies = |count: usize| body.repeat(count);
                let all: Vec<String> = (min..=max).map(copies).collect();
                let expanded = parse(&format!("^(?:{})$|y", all.join("|"))).unwrap();
                let found = parse(&all.join("|")).unwrap();
                for text in texts {
                    let at = format!("{body}{{{min},{max}}} on {text:?}");
                    assert_eq!(is_match(&counted, text), is_match(&expanded, text), "{at}: {counted}");
                    assert_eq!(is_match(&searched, text), is_match(&found, text), "{at}: {searched}");
                }
            }
        }
    }
}

#[test]
fn the_result_says_nothing_about_surrogates() {
    assert_eq!(parse("^[\\ud800-\\udfff]$"), Ok(Regex::Nothing));
    assert_eq!(parse("^\\ud800$"), Ok(Regex::Nothing));
    assert_eq!(parse("^\\p{Cs}$"), Ok(Regex::Nothing));
}
