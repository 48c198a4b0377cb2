//! Random texts of each language, judged by the `jsonschema` crate: what it refuses is listed with who is right.

use std::collections::BTreeSet;

use serde_json::json;

use super::{FORMATS, Random};
use crate::grammar::naive::is_match;
use crate::syntax::format::regex;

/// Texts tried a format.
const ROUNDS: usize = 1_500;

/// Texts that the validator refuses.
struct Difference {
    formats: &'static [&'static str],
    is_one: fn(&str) -> bool,
    /// By what rule they have the format.
    rule: &'static str,
}

const DIFFERENCES: &[Difference] = &[
    Difference {
        formats: &["email", "idn-email"],
        is_one: |text| text.starts_with('"') && text.contains("\\ "),
        rule: "RFC 5321, section 4.1.2: `quoted-pairSMTP` is a backslash and any of %d32-126, the space among them",
    },
    Difference {
        formats: &["idn-email", "idn-hostname"],
        is_one: |text| {
            let is_far = |c| matches!(c, '\u{1D26}'..='\u{1D2A}' | '\u{1F00}'..='\u{1FFF}' | '\u{AB65}');
            text.split('\u{375}').skip(1).any(|next| next.starts_with(is_far))
        },
        rule: "RFC 5892, appendix A.4: the script of what follows a keraia is Greek, in any block",
    },
];

#[test]
fn texts_of_each_format_are_valid_by_an_independent_validator() {
    let mut random = Random(23);
    let mut reasons = BTreeSet::new();
    for format in FORMATS {
        let language = regex(format.name).unwrap();
        let validator = jsonschema::options()
            .should_validate_formats(true)
            .build(&json!({"format": format.name}))
            .unwrap();
        let mut taken = 0;
        for _ in 0..ROUNDS {
            let mut text = String::new();
            random.text(&language, &mut text);
            // Texts of the first part of an intersection may be outside of the others.
            if format.name != "regex" && !is_match(&language, &text) {
                continue;
            }
            taken += 1;
            if !validator.is_valid(&json!(text)) {
                let known =
                    DIFFERENCES.iter().find(|d| d.formats.contains(&format.name) && (d.is_one)(&text));
                reasons.insert(known.unwrap_or_else(|| panic!("{}: {text:?}", format.name)).rule);
            }
        }
        println!("{}: {taken} texts", format.name);
        assert!(taken * 10 > ROUNDS, "{}: {taken} texts", format.name);
    }
    assert_eq!(reasons.len(), DIFFERENCES.len(), "a difference is gone: {reasons:?}");
}
