//! `ipv4`, `ipv6`, `hostname`.

use super::language;
use crate::grammar::regex::{CharSet, Regex};

/// Four decimal octets without leading zeros (RFC 2673).
pub(super) fn ipv4() -> Regex {
    language(
        "(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])",
    )
}

/// RFC 4291: eight groups; `::` stands for one group or more.
pub(super) fn ipv6() -> Regex {
    ipv6_with(1)
}

/// RFC 4291, where `::` stands for `shortened` groups or more.
pub(super) fn ipv6_with(shortened: u32) -> Regex {
    let group = || language("[0-9A-Fa-f]{1,4}");
    let colon = || Regex::literal(":");
    let led = |min, max| Regex::concat([group(), colon()]).repeat(min, Some(max));
    let mut alternatives = vec![led(7, 7).then(group()), led(6, 6).then(ipv4())];
    let explicit = 8 - shortened;
    for left in 0..=explicit {
        let before = match left.checked_sub(1) {
            None => Regex::Empty,
            Some(more) => group().then(Regex::concat([colon(), group()]).times(more)),
        };
        let mut after = vec![Regex::Empty];
        if let Some(more) = (explicit - left).checked_sub(1) {
            after.push(led(0, more).then(group()));
        }
        if let Some(more) = (explicit - left).checked_sub(2) {
            after.push(led(0, more).then(ipv4()));
        }
        alternatives.push(Regex::concat([before, Regex::literal("::"), Regex::or(after)]));
    }
    Regex::or(alternatives)
}

/// An address in brackets: IPv4 without leading zeros, or `IPv6:` and an address in which `::` stands for two groups
/// or more. Other tags are registered for nothing (RFC 5321).
pub(super) fn bracketed_address() -> Regex {
    let tag = language("[Ii][Pp][Vv]6:");
    let address = Regex::or([ipv4(), tag.then(ipv6_with(2))]);
    Regex::concat([Regex::literal("["), address, Regex::literal("]")])
}

/// Why [`hostname`] is narrower than the format.
pub(super) const HOSTNAME_NARROWING: &str = "labels that start with `xn--` are left out: whether the rest is Punycode of a valid label is no regular condition";

/// RFC 1123: labels of 1 to 63 letters, digits and inner hyphens; at most 253 characters.
///
/// Labels with hyphens in third and fourth place are reserved for encodings (RFC 5891): only `xn--` with Punycode
/// behind it is in the format, and that is left out.
pub(super) fn hostname() -> Regex {
    hostname_with(&CharSet::single('.'))
}

/// The same with any of these between the labels.
pub(super) fn hostname_with(separators: &CharSet) -> Regex {
    let (edge, inner) = ("[A-Za-z0-9]", "[A-Za-z0-9-]");
    // By length: 1, 2, 3; no hyphen in third place; one there, and none in fourth.
    let label = format!(
        "{edge}(?:{edge}|{inner}{edge}|{inner}{edge}{inner}{{0,59}}{edge}|{inner}-{edge}(?:{inner}{{0,58}}{edge})?)?"
    );
    let label = language(&label);
    let names = label.clone().then(Regex::set(separators.clone()).then(label).star());
    Regex::and([names, Regex::set(CharSet::any()).repeat(1, Some(253))])
}

/// The same as [`hostname`] without a word about hyphens in third and fourth place: no host name is outside.
pub(super) fn wide_hostname() -> Regex {
    let label = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
    let names = language(&format!("{label}(?:\\.{label})*"));
    Regex::and([names, Regex::set(CharSet::any()).repeat(1, Some(253))])
}
