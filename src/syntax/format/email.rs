//! `email`: RFC 5321.

use super::language;
use super::net::{hostname, ipv4, ipv6_with, wide_hostname};
use crate::grammar::regex::{CharSet, Regex};

/// A mailbox: local part of at most 64 characters, `@`, and a host name or an address in brackets.
///
/// An address in brackets is IPv4 without leading zeros, or `IPv6:` and an address in which `::` stands for two groups
/// or more. Other tags are registered for nothing.
pub(super) fn email() -> Regex {
    email_at(hostname())
}

/// The same with every host name: no mailbox is outside.
pub(super) fn wide_email() -> Regex {
    email_at(wide_hostname())
}

fn email_at(host: Regex) -> Regex {
    let atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\-]+";
    let local = language(&format!("{atom}(?:\\.{atom})*|\"(?:[ !#-\\[\\]-~]|\\\\[ -~])*\""));
    let local = Regex::and([local, Regex::set(CharSet::any()).repeat(1, Some(64))]);
    let tag = language("[Ii][Pp][Vv]6:");
    let address = Regex::concat([
        Regex::literal("["),
        Regex::or([ipv4(), tag.then(ipv6_with(2))]),
        Regex::literal("]"),
    ]);
    Regex::concat([local, Regex::literal("@"), Regex::or([host, address])])
}
