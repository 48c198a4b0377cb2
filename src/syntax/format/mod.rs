//! The formats of JSON Schema that are regular languages, by name; one file a family.
//!
//! Each is written down as the pattern of its RFC's grammar and read by [`pattern`], with
//! intersections where a rule spans the whole text (lengths, leap seconds). A format is the language that the official
//! JSON Schema test suite asserts; where a rule is no regular language the format is narrower, and [`narrowing`] says so:
//! then it may be used to ask for the format, and not to exclude it. To exclude it there is for some a [`wide`] language, which
//! every text of the format is in.

mod email;
mod idn;
mod net;
mod patterns;
mod registered;
mod time;
mod uri;

use std::sync::LazyLock;

pub use registered::Formats;

use crate::grammar::regex::Regex;
use crate::syntax::pattern;

/// A format: its name and what makes its language.
struct Format {
    name: &'static str,
    build: fn() -> Regex,
    /// What its language lacks.
    narrowing: Option<&'static str>,
    /// A language that lacks nothing, if the other does: what is outside has not the format.
    wide: Option<fn() -> Regex>,
}

impl Format {
    const fn exact(name: &'static str, build: fn() -> Regex) -> Self {
        Self { name, build, narrowing: None, wide: None }
    }

    const fn narrowed(name: &'static str, build: fn() -> Regex, narrowing: &'static str) -> Self {
        Self { name, build, narrowing: Some(narrowing), wide: None }
    }

    const fn with_wide(self, wide: fn() -> Regex) -> Self {
        Self { wide: Some(wide), ..self }
    }
}

const FORMATS: &[Format] = &[
    Format::exact("date-time", time::date_time),
    Format::exact("date", time::date),
    Format::exact("time", time::time),
    Format::exact("duration", time::duration),
    Format::narrowed("email", email::email, net::HOSTNAME_NARROWING).with_wide(email::wide_email),
    Format::narrowed("hostname", net::hostname, net::HOSTNAME_NARROWING).with_wide(net::wide_hostname),
    Format::narrowed("idn-email", idn::idn_email, idn::NARROWING).with_wide(idn::wide_idn_email),
    Format::narrowed("idn-hostname", idn::idn_hostname, idn::NARROWING).with_wide(idn::wide_idn_hostname),
    Format::exact("ipv4", net::ipv4),
    Format::exact("ipv6", net::ipv6),
    Format::exact("uri", uri::uri),
    Format::exact("uri-reference", uri::uri_reference),
    Format::exact("iri", uri::iri),
    Format::exact("iri-reference", uri::iri_reference),
    Format::exact("uri-template", uri::uri_template),
    Format::exact("uuid", uuid),
    Format::exact("json-pointer", json_pointer),
    Format::exact("relative-json-pointer", relative_json_pointer),
    Format::narrowed("regex", patterns::regex, patterns::NARROWING),
];

/// The languages, made at their first use.
static LANGUAGES: LazyLock<Vec<LazyLock<Regex>>> =
    LazyLock::new(|| FORMATS.iter().map(|format| LazyLock::new(format.build)).collect());

/// The language of a format of the specification; `None`: it defines no such format.
#[must_use]
pub fn regex(name: &str) -> Option<Regex> {
    let position = FORMATS.iter().position(|format| format.name == name)?;
    Some(Regex::clone(&LANGUAGES[position]))
}

/// What the language of the format lacks, if it is narrower than the format: then texts outside the language may have
/// the format all the same.
#[must_use]
pub fn narrowing(name: &str) -> Option<&'static str> {
    FORMATS.iter().find(|format| format.name == name)?.narrowing
}

/// A language that every text of a narrowed format is in: what is outside of it does not have the format.
#[must_use]
pub fn wide(name: &str) -> Option<Regex> {
    FORMATS.iter().find(|format| format.name == name)?.wide.map(|wide| wide())
}

/// Whether draft 2020-12 defines the format; others mean nothing unless the caller defines them.
#[must_use]
pub fn is_standard(name: &str) -> bool {
    FORMATS.iter().any(|format| format.name == name)
}

/// The name of the specification or of these that a name is probably meant to be.
#[must_use]
pub fn nearest<'n>(name: &str, others: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    crate::grammar::nearest::nearest(name, FORMATS.iter().map(|format| format.name).chain(others))
}

/// The language of a pattern of ours, which is the whole text.
fn language(whole: &str) -> Regex {
    pattern::parse(&format!("^(?:{whole})$"))
        .expect("the patterns of formats are well-formed: a test reads them all")
}

/// RFC 4122, any version and variant, either case.
fn uuid() -> Regex {
    language("[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}")
}

/// RFC 6901.
fn json_pointer() -> Regex {
    language("(?:/(?:[^~/]|~[01])*)*")
}

/// A number of levels up, then `#` or a JSON Pointer.
fn relative_json_pointer() -> Regex {
    let levels = language("0|[1-9][0-9]*");
    levels.then(Regex::or([Regex::literal("#"), json_pointer()]))
}

#[cfg(test)]
mod tests;
