//! `date-time`, `date`, `time`, `duration`: RFC 3339, with the days that each month has and the leap seconds that may be.
//!
//! A leap second is the second 60 of 23:59 UTC. Its local time and offset vary together: with a negative offset the
//! hours add up to 23 and the minutes to 59; with a positive one the local time is the offset minus a minute. These
//! sums are said digit by digit, each as a language of whole times, and intersected; so the language stays small, where
//! all pairs of time and offset would be 2,880 alternatives.

use super::language;
use crate::grammar::regex::{CharSet, Regex};

/// A day of the Gregorian calendar in the years 0000 to 9999.
pub(super) fn date() -> Regex {
    language(
        "[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)\
         |02-(?:0[1-9]|1[0-9]|2[0-8]))\
         |(?:(?:[02468][048]|[13579][26])00|[0-9]{2}(?:0[48]|[2468][048]|[13579][26]))-02-29",
    )
}

/// A time of day with its offset.
pub(super) fn time() -> Regex {
    let hours_minutes = "(?:[01][0-9]|2[0-3]):[0-5][0-9]";
    let ordinary = language(&format!("{hours_minutes}:[0-5][0-9](?:\\.[0-9]+)?(?:[Zz]|[+-]{hours_minutes})"));
    let utc = language("23:59:60(?:\\.[0-9]+)?[Zz]");
    let local = |sign: &str| language(&format!("{hours_minutes}:60(?:\\.[0-9]+)?[{sign}]{hours_minutes}"));
    Regex::or([
        ordinary,
        utc,
        Regex::and([local("-"), behind_units(), behind_tens(), behind_hours()]),
        Regex::and([local("+"), ahead_units(), ahead_tens(), ahead_hours()]),
    ])
}

/// What lies between the local time and the digits of the offset.
const TO_OFFSET: &str = "[^+-]*[+-]";

fn one_of(alternatives: impl Iterator<Item = String>) -> Regex {
    language(&alternatives.collect::<Vec<_>>().join("|"))
}

/// Negative offset: the last digits of the minutes add up to 9.
fn behind_units() -> Regex {
    one_of((0..10).map(|unit| format!(".{{4}}{unit}{TO_OFFSET}.{{4}}{}", 9 - unit)))
}

/// Negative offset: the first digits of the minutes add up to 5.
fn behind_tens() -> Regex {
    one_of((0..6).map(|ten| format!(".{{3}}{ten}{TO_OFFSET}.{{3}}{}.", 5 - ten)))
}

/// Negative offset: the hours add up to 23.
fn behind_hours() -> Regex {
    one_of((0..24).map(|hour| format!("{hour:02}{TO_OFFSET}{:02}.{{3}}", 23 - hour)))
}

/// Positive offset: the last digit of the minutes is one more.
fn ahead_units() -> Regex {
    one_of((0..10).map(|unit| format!(".{{4}}{unit}{TO_OFFSET}.{{4}}{}", (unit + 1) % 10)))
}

/// Positive offset: the first digit of the minutes is the same, or one more where the last one wraps around.
fn ahead_tens() -> Regex {
    let same = (0..6).map(|ten| format!(".{{3}}{ten}[0-8]{TO_OFFSET}.{{3}}{ten}."));
    let carried = (0..6).map(|ten| format!(".{{3}}{ten}9{TO_OFFSET}.{{3}}{}.", (ten + 1) % 6));
    one_of(same.chain(carried))
}

/// Positive offset: the hour is the same, or one more where the minutes wrap around.
fn ahead_hours() -> Regex {
    let same = (0..24).map(|hour| format!("{hour:02}:(?:[0-4].|5[0-8]){TO_OFFSET}{hour:02}.{{3}}"));
    let carried = (0..24).map(|hour| format!("{hour:02}:59{TO_OFFSET}{:02}.{{3}}", (hour + 1) % 24));
    one_of(same.chain(carried))
}

/// A date and a time.
pub(super) fn date_time() -> Regex {
    Regex::concat([date(), Regex::set(CharSet::of("Tt")), time()])
}

/// Appendix A: units in order, no gaps between them, weeks alone.
pub(super) fn duration() -> Regex {
    let time = "T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S)";
    let date = "(?:[0-9]+D|[0-9]+M(?:[0-9]+D)?|[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?)";
    language(&format!("P(?:[0-9]+W|{date}(?:{time})?|{time})"))
}
