//! Formats against the official test suite and hand-written edges, decided by the naive matcher.

use std::io::Read;
use std::path::PathBuf;

use serde_json::Value;

use super::{FORMATS, is_standard, narrowing, regex};
use crate::grammar::naive::is_match;
use crate::grammar::regex::Regex;
use crate::syntax::pattern;

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

#[test]
fn formats_agree_with_the_official_suite() {
    let Some(lines) = shared_lines("schema-suite/draft2020-12.jsonl.gz") else {
        println!("skipped: no schema-suite");
        return;
    };
    let mut failures = Vec::new();
    let mut counts = std::collections::BTreeMap::<&str, usize>::new();
    for line in lines.iter().filter(|line| line["file"].as_str().unwrap().contains("optional/format/")) {
        let Some(name) = line["schema"]["format"].as_str() else { continue };
        let Some(language) = regex(name) else {
            assert!(
                ["idn-email", "idn-hostname", "regex", "unknown"].contains(&name),
                "{name} has no language"
            );
            continue;
        };
        for test in line["tests"].as_array().unwrap() {
            let Some(text) = test["data"].as_str() else { continue };
            *counts.entry(name).or_default() += 1;
            if is_match(&language, text) != test["valid"].as_bool().unwrap() {
                failures.push((name, text));
            }
        }
    }
    println!("{counts:?}");
    assert_eq!(failures, EXPECTED_FAILURES);
    assert_eq!(counts.len(), FORMATS.len());
    assert!(counts.values().all(|&count| count >= 5) && counts.values().sum::<usize>() > 450, "{counts:?}");
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
        let most = if format.name == "regex" { 60_000 } else { 4_000 };
        assert!(size < most, "{} has {size} nodes", format.name);
    }
    assert!(regex("idn-hostname").is_none() && is_standard("idn-hostname"));
    assert!(regex("color").is_none() && !is_standard("color"));
    assert!(narrowing("hostname").is_some() && narrowing("date").is_none() && narrowing("color").is_none());
}

/// splitmix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((z ^ (z >> 31)) % u64::try_from(bound).unwrap()).unwrap()
    }

    /// Some text of a language without intersections and complements.
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
