//! `email`: RFC 5321.

use super::language;
use super::net::{bracketed_address, hostname, wide_hostname};
use crate::grammar::regex::{CharSet, Regex};

/// A mailbox: local part of at most 64 characters, `@`, and a host name or an address in brackets.
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
    Regex::concat([local, Regex::literal("@"), Regex::or([host, bracketed_address()])])
}
