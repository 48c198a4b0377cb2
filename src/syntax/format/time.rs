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

/// Any character of a time: wide sets of one range keep the language small.
const ANY: &str = "[!-~]";
/// What lies between the digits of a local time and the sign of the offset.
const TO_SIGN: &str = "[.-:]*";

fn one_of(alternatives: impl Iterator<Item = String>) -> String {
    alternatives.collect::<Vec<_>>().join("|")
}

/// Negative offset: the last digits of the minutes add up to 9.
fn behind_units() -> Regex {
    let pairs = one_of((0..10).map(|unit| format!("{unit}{TO_SIGN}-{ANY}{{4}}{}", 9 - unit)));
    language(&format!("{ANY}{{4}}(?:{pairs})"))
}

/// Negative offset: the first digits of the minutes add up to 5.
fn behind_tens() -> Regex {
    let pairs = one_of((0..6).map(|ten| format!("{ten}{TO_SIGN}-{ANY}{{3}}{}", 5 - ten)));
    language(&format!("{ANY}{{3}}(?:{pairs}){ANY}"))
}

/// Each local hour with the hour of its offset, by first digit.
fn hours(sign: &str, offset: impl Fn(u32) -> u32) -> String {
    one_of((0..3).map(|ten| {
        let pairs = (10 * ten..24.min(10 * ten + 10))
            .map(|hour| format!("{}{TO_SIGN}{sign}{:02}", hour % 10, offset(hour)));
        format!("{ten}(?:{})", one_of(pairs))
    }))
}

/// Negative offset: the hours add up to 23.
fn behind_hours() -> Regex {
    language(&format!("(?:{}){ANY}{{3}}", hours("-", |hour| 23 - hour)))
}

/// Positive offset: the last digit of the minutes is one more.
fn ahead_units() -> Regex {
    let pairs = one_of((0..10).map(|unit| format!("{unit}{TO_SIGN}\\+{ANY}{{4}}{}", (unit + 1) % 10)));
    language(&format!("{ANY}{{4}}(?:{pairs})"))
}

/// Positive offset: the first digit of the minutes is the same, or one more where the last one wraps around.
fn ahead_tens() -> Regex {
    let same = (0..6).map(|ten| format!("{ten}[0-8]{TO_SIGN}\\+{ANY}{{3}}{ten}"));
    let carried = (0..6).map(|ten| format!("{ten}9{TO_SIGN}\\+{ANY}{{3}}{}", (ten + 1) % 6));
    language(&format!("{ANY}{{3}}(?:{}){ANY}", one_of(same.chain(carried))))
}

/// Positive offset: the hour is the same, or one more where the minutes wrap around.
fn ahead_hours() -> Regex {
    let same = language(&format!("(?:{}){ANY}{{3}}", hours("\\+", |hour| hour)));
    let carried = language(&format!("(?:{}){ANY}{{3}}", hours("\\+", |hour| (hour + 1) % 24)));
    let earlier_minute = language(&format!("{ANY}{{3}}(?:[0-4]{ANY}|5[0-8]){ANY}*"));
    let last_minute = language(&format!("{ANY}{{3}}59{ANY}*"));
    Regex::or([Regex::and([same, earlier_minute]), Regex::and([carried, last_minute])])
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
