//! Formats against the official test suite, hand-written edges and an independent validator, decided by the naive matcher.

mod validator;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::PathBuf;

use serde_json::Value;

use super::{FORMATS, is_standard, narrowing, regex, wide};
use crate::grammar::naive::is_match;
use crate::grammar::regex::Regex;
use crate::syntax::pattern;
use crate::syntax::schema::tests::Random;

/// Tests of the suite that we fail, and why that is right.
const EXPECTED_FAILURES: &[(&str, &str)] = &[
    // Back-references are no regular condition, and names of groups may stand only once.
    ("regex", "(?<name>x)"),
    ("regex", "(?<n>a)\\k<n>"),
    // Whether the rest of an `xn--` label is Punycode of a valid label is no regular condition: none is accepted.
    ("hostname", "xn--9n2bp8q.xn--9t4b11yi5a"),
    ("hostname", "xn--zca29lwxobi7a"),
    ("hostname", "xn--qmbc"),
    ("hostname", "xn--ll-0ea"),
    ("hostname", "xn--wva3je"),
    ("hostname", "xn--4dbc5h"),
    ("hostname", "xn--4dbc8h"),
    ("hostname", "xn--k8j5u"),
    ("hostname", "xn--bck0j"),
    ("hostname", "xn--vek778f"),
    ("hostname", "xn--ngba1o"),
    ("hostname", "xn--0-gyc"),
    ("hostname", "xn--11b2ezcw70k"),
    ("hostname", "xn--11b2ezcs70k"),
    ("hostname", "xn--ngba5hb2804a"),
    ("idn-hostname", "xn--ihqwcrb4cv8a8dqg056pqjye"),
    // 52 letters of which only nine are different: that Punycode is short of them is no regular condition.
    ("idn-hostname", "παράδειγμαπαράδειγμαπαράδειγμαπαράδειγμαπαράδειγμαπα.com"),
    ("idn-hostname", "παράδειγμαπαράδειγμαπαράδειγμαπαράδειγμαπαράδειγμαπα。com"),
    ("idn-hostname", "παράδειγμαπαράδειγμαπαράδειγμαπαράδειγμαπαράδειγμαπα．com"),
    ("idn-hostname", "παράδειγμαπαράδειγμαπαράδειγμαπαράδειγμαπαράδειγμαπα｡com"),
    // RFC 5890 asks for U-labels in Normalization Form C.
    ("idn-email", "user@cafe\u{301}.com"),
];

/// Lines of a file of the shared data, or `None` where the data is absent.
fn shared_lines(path: &str) -> Option<Vec<Value>> {
    let root = std::env::var_os("MASKWRIGHT_DATA")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    let file = std::fs::File::open(root.join(path)).ok()?;
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
    Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// The drafts of the suite, and the files of format tests that draft-07 has not.
const DRAFTS: &[(&str, &[&str])] =
    &[("schema-suite/draft2020-12.jsonl.gz", &[]), ("schema-suite/draft7.jsonl.gz", &["duration", "uuid"])];

/// Each test of the files `optional/format/…`: the files are named after the formats, but for one more about `regex`. What
/// is asserted by the main folder and by `optional/format-assertion.json` is not the same everywhere and no test of a format.
#[test]
fn formats_agree_with_the_official_suite() {
    let mut failures = BTreeSet::new();
    for (path, lacking) in DRAFTS {
        let Some(lines) = shared_lines(path) else {
            println!("skipped: no schema-suite");
            return;
        };
        let mut counts = BTreeMap::<String, usize>::new();
        for line in &lines {
            let file = line["file"].as_str().unwrap();
            let Some(stem) = file.strip_prefix("optional/format/") else { continue };
            let stem = stem.trim_end_matches(".json");
            let name = if stem == "ecmascript-regex" { "regex" } else { stem };
            assert_eq!(line["schema"]["format"], name, "{path}: {file}");
            let language = regex(name);
            assert_eq!(language.is_none(), name == "unknown", "{name} has no language");
            for test in line["tests"].as_array().unwrap() {
                let valid = test["valid"].as_bool().unwrap();
                let Some(text) = test["data"].as_str() else {
                    assert!(valid, "{name} says something of texts only: {test}");
                    continue;
                };
                *counts.entry(name.to_owned()).or_default() += 1;
                let Some(language) = &language else {
                    assert!(valid, "an unknown format says nothing: {test}");
                    continue;
                };
                let taken = is_match(language, text);
                assert!(valid || !taken, "{name} takes {text:?}");
                if taken != valid {
                    assert!(narrowing(name).is_some(), "{name} is exact and refuses {text:?}");
                    failures.insert((name.to_owned(), text.to_owned()));
                }
                if let Some(wide) = wide(name) {
                    assert!(!valid || is_match(&wide, text), "the wide {name} refuses {text:?}");
                }
            }
        }
        println!("{path}: {} of {} tests, {counts:?}", counts.values().sum::<usize>(), lines.len());
        for format in FORMATS.iter().filter(|format| !lacking.contains(&format.name)) {
            assert!(counts.get(format.name).is_some_and(|&count| count >= 5), "{path}: {}", format.name);
        }
        assert_eq!(counts.len(), FORMATS.len() + 1 - lacking.len(), "a file for each format: {counts:?}");
    }
    let expected = EXPECTED_FAILURES.iter().map(|&(name, text)| (name.to_owned(), text.to_owned()));
    assert_eq!(failures, expected.collect::<BTreeSet<_>>());
}

/// All pairs of a local time and an offset, by arithmetic.
#[test]
fn leap_seconds_are_those_of_one_minute_before_midnight() {
    let language = regex("time").unwrap();
    let mut leaps = 0;
    for local in 0..24 * 60_i32 {
        for sign in [1, -1] {
            let right = (sign * (local - (23 * 60 + 59))).rem_euclid(24 * 60);
            for error in [0, 1, 59, 60, 23 * 60, 24 * 60 - 1] {
                let offset = (right + error) % (24 * 60);
                let text = format!(
                    "{:02}:{:02}:60{}{:02}:{:02}",
                    local / 60,
                    local % 60,
                    if sign == 1 { '+' } else { '-' },
                    offset / 60,
                    offset % 60
                );
                assert_eq!(is_match(&language, &text), error == 0, "{text}");
                leaps += usize::from(error == 0);
            }
        }
    }
    assert_eq!(leaps, 2880);
}

#[test]
fn dates_are_those_of_the_calendar() {
    let language = regex("date").unwrap();
    for year in (0..=9999).step_by(37).chain([0, 4, 100, 200, 400, 1900, 2000, 2023, 2024, 2100, 2400]) {
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        for month in 0..=13 {
            let last = match month {
                2 => 28 + u32::from(leap),
                4 | 6 | 9 | 11 => 30,
                1..=12 => 31,
                _ => 0,
            };
            for day in [0, 1, 9, 10, 19, 20, 28, 29, 30, 31, 32, 39] {
                let text = format!("{year:04}-{month:02}-{day:02}");
                assert_eq!(is_match(&language, &text), (1..=last).contains(&day), "{text}");
            }
        }
    }
}

#[test]
fn edges_of_names_and_addresses() {
    let long = |count: usize| "a".repeat(count);
    let name = |label: usize| [label, 63, 63, 61].map(long).join(".");
    for (format, text, expected) in [
        ("hostname", "ab--cd", false),
        ("hostname", "a--b", true),
        ("hostname", "abc--d", true),
        ("hostname", "xn--", false),
        ("hostname", "ab-c", true),
        ("hostname", "ab-", false),
        ("hostname", &name(63), true),
        ("hostname", &format!("{}.a", name(61)), true),
        ("hostname", &format!("{}.a", name(62)), false),
        ("hostname", &format!("{}-{}", long(2), long(60)), true),
        ("hostname", &format!("{}-{}", long(2), long(61)), false),
        ("email", &format!("{}@b", long(64)), true),
        ("email", &format!("{}@b", long(65)), false),
        ("email", "\"\"@b", true),
        ("email", "\"\\\"\"@b", true),
        ("email", "\"\"\"@b", false),
        ("email", "\"a\"b@c", false),
        ("email", "a@b@c", false),
        ("email", "é@b", false),
        ("email", "a@[ipv6:1:2:3:4:5:6:7:8]", true),
        ("email", "a@[IPv6:1:2:3:4:5:6::]", true),
        ("email", "a@[IPv6:1:2:3:4:5:6:7::]", false),
        ("email", "a@[::1]", false),
        ("email", "a@[127.0.0.1", false),
        ("ipv6", "1:2:3:4:5:6:7::", true),
        ("ipv6", "::2:3:4:5:6:7:8", true),
        ("ipv6", "1::3:4:5:6:7:8", true),
        ("ipv6", "1:2:3:4:5:6:7:8::", false),
        ("ipv6", "1::2:3:4:5:6:7:8", false),
        ("ipv6", "1:2:3:4:5::1.2.3.4", true),
        ("ipv6", "1:2:3:4:5:6::1.2.3.4", false),
        ("ipv6", "::1.2.3.4", true),
        ("ipv6", "::1.2.3.4:5", false),
        ("ipv6", ":::", false),
        ("ipv6", "::FFFF", true),
        ("ipv4", "00.0.0.0", false),
        ("ipv4", "249.250.255.199", true),
    ] {
        assert_eq!(is_match(&regex(format).unwrap(), text), expected, "{format}: {text:?}");
    }
}

#[test]
fn edges_of_addresses_of_resources_and_of_times() {
    for (format, text, expected) in [
        ("uri", "a:", true),
        ("uri", "a://", true),
        ("uri", "a:/", true),
        ("uri", "a:b:c", true),
        ("uri", "a://b:", true),
        ("uri", "a://[v1.x]", true),
        ("uri", "a://[::1]:80/", true),
        ("uri", "a://[::1]x", false),
        ("uri", "a:?#", true),
        ("uri", "a:#b#c", false),
        ("uri", "a:?b?c", true),
        ("uri", "", false),
        ("uri", "a:é", false),
        ("uri-reference", "a/b:c", true),
        ("uri-reference", "a:b", true),
        ("uri-reference", ":b", false),
        ("uri-reference", "//a:80b", false),
        ("iri", "a:é", true),
        ("iri", "a:\u{E000}", false),
        ("iri", "a:?\u{E000}", true),
        ("iri", "a:#\u{E000}", false),
        ("iri", "a:\u{FFFF}", false),
        ("iri-reference", "é", true),
        ("uri-template", "{=v}", true),
        ("uri-template", "{v:12}{+w*,x}", true),
        ("uri-template", "{v*:3}", false),
        ("uri-template", "{a.b%20c}", true),
        ("uri-template", "{.}", false),
        ("date-time", "2024-02-29T23:59:60z", true),
        ("date-time", "2023-02-29T23:59:59z", false),
        ("date-time", "2024-01-01 00:00:00Z", false),
        ("time", "23:59:60.5Z", true),
        ("time", "00:00:00", false),
        ("duration", "P1YT1H", true),
        ("json-pointer", "/\n", true),
        ("relative-json-pointer", "0", true),
        ("uuid", "", false),
    ] {
        assert_eq!(is_match(&regex(format).unwrap(), text), expected, "{format}: {text:?}");
    }
}

#[test]
fn names_are_standard_known_or_neither() {
    for format in FORMATS {
        assert!(regex(format.name).is_some() && is_standard(format.name), "{}", format.name);
        let size = regex(format.name).unwrap().size();
        let most = match format.name {
            "regex" => 60_000,
            "idn-email" | "idn-hostname" => 25_000,
            _ => 4_000,
        };
        assert!(size < most, "{} has {size} nodes", format.name);
    }
    assert!(regex("color").is_none() && !is_standard("color"));
    assert!(narrowing("hostname").is_some() && narrowing("date").is_none() && narrowing("color").is_none());
}

impl Random {
    /// Some text of a language; of an intersection, a text of its first part.
    fn text(&mut self, regex: &Regex, out: &mut String) {
        match regex {
            Regex::Empty => {}
            Regex::Set(set) => {
                let (low, high) = set.ranges()[self.below(set.ranges().len())];
                let offset = u32::try_from(self.below(usize::try_from(high - low + 1).unwrap())).unwrap();
                out.push(char::from_u32(low + offset).unwrap());
            }
            Regex::Concat(parts) => parts.iter().for_each(|part| self.text(part, out)),
            Regex::Or(parts) => {
                let choice = self.below(parts.len());
                self.text(&parts[choice], out);
            }
            Regex::Repeat { body, min, max } => {
                let more = max.map_or(4, |max| (max - min).min(4));
                for _ in 0..*min + u32::try_from(self.below(usize::try_from(more + 1).unwrap())).unwrap() {
                    self.text(body, out);
                }
            }
            Regex::And(parts) => self.text(&parts[0], out),
            Regex::Literals(texts) => out.push_str(&texts[self.below(texts.len())]),
            other => panic!("{other} is not sampled"),
        }
    }
}

#[test]
fn every_text_of_the_pattern_format_is_a_pattern() {
    let language = regex("regex").unwrap();
    let mut random = Random(11);
    let (mut longest, mut groups) = (0, 0);
    for _ in 0..4_000 {
        let mut text = String::new();
        random.text(&language, &mut text);
        if let Err(error) = pattern::check(&text) {
            panic!("{text:?}: {error}");
        }
        longest = longest.max(text.len());
        groups += text.matches('(').count();
    }
    assert!(longest > 80 && groups > 2_000, "{longest} bytes at most, {groups} groups");
}

#[test]
fn most_patterns_of_real_schemas_have_the_pattern_format() {
    let Some(lines) = shared_lines("maskbench/JsonSchemaStore.jsonl.gz") else {
        println!("skipped: no maskbench");
        return;
    };
    let language = regex("regex").unwrap();
    let mut patterns = std::collections::BTreeSet::new();
    let mut open: Vec<&Value> = lines.iter().map(|line| &line["schema"]).collect();
    while let Some(value) = open.pop() {
        if let Some(text) = value["pattern"].as_str().filter(|text| text.len() < 100) {
            patterns.insert(text);
        }
        open.extend(value.as_object().into_iter().flat_map(|object| object.values()));
        open.extend(value.as_array().into_iter().flatten());
    }
    let valid: Vec<&str> = patterns.into_iter().filter(|text| pattern::check(text).is_ok()).collect();
    let missed: Vec<&&str> = valid.iter().filter(|text| !is_match(&language, text)).collect();
    assert!(valid.len() > 100 && missed.len() * 50 < valid.len(), "{missed:?} of {}", valid.len());
}
