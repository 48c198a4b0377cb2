//! `uri`, `uri-reference` (RFC 3986), `iri`, `iri-reference` (RFC 3987), `uri-template` (RFC 6570).
//!
//! The functions are the productions of RFC 3986's grammar, over an alphabet that differs between URIs and IRIs.

use super::language;
use super::net::ipv6;
use crate::grammar::regex::{CharSet, Regex};

/// Which characters stand for themselves.
struct Alphabet {
    /// Everywhere.
    unreserved: CharSet,
    /// In queries also.
    private: CharSet,
}

impl Alphabet {
    fn uri() -> Self {
        Self { unreserved: set("[A-Za-z0-9._~-]"), private: CharSet::empty() }
    }

    fn iri() -> Self {
        Self { unreserved: set("[A-Za-z0-9._~-]").union(&international()), private: private() }
    }

    /// A character of `extra`, an unreserved one, a delimiter of the second kind, or a percent-encoded octet.
    fn character(&self, extra: &str) -> Regex {
        let plain = self.unreserved.union(&CharSet::of("!$&'()*+,;=")).union(&CharSet::of(extra));
        Regex::or([Regex::set(plain), percent()])
    }

    fn segment_character(&self) -> Regex {
        self.character(":@")
    }

    fn authority(&self) -> Regex {
        let user = self.character(":").star().then(Regex::literal("@"));
        let future = language("[Vv][0-9A-Fa-f]+\\.[A-Za-z0-9._~!$&'()*+,;=:-]+");
        let literal = Regex::concat([Regex::literal("["), Regex::or([ipv6(), future]), Regex::literal("]")]);
        // An IPv4 address is a registered name too, as far as the syntax goes.
        let host = Regex::or([literal, self.character("").star()]);
        Regex::concat([user.optional(), host, language(":[0-9]*").optional()])
    }

    /// Any number of segments, each with its slash.
    fn segments(&self) -> Regex {
        Regex::literal("/").then(self.segment_character().star()).star()
    }

    /// What follows the scheme, or starts a reference, up to the query; a path without slash has such a first segment.
    fn hierarchy(&self, first_segment: Regex) -> Regex {
        let network = Regex::concat([Regex::literal("//"), self.authority(), self.segments()]);
        let absolute = Regex::literal("/")
            .then(Regex::concat([self.segment_character().plus(), self.segments()]).optional());
        Regex::or([network, absolute, first_segment.then(self.segments()), Regex::Empty])
    }

    /// The optional query and fragment.
    fn tail(&self) -> Regex {
        let text = self.character(":@/?");
        let query = Regex::or([text.clone(), Regex::set(self.private.clone())]);
        Regex::concat([
            Regex::literal("?").then(query.star()).optional(),
            Regex::literal("#").then(text.star()).optional(),
        ])
    }

    fn absolute(&self) -> Regex {
        let scheme = language("[A-Za-z][A-Za-z0-9+.-]*:");
        Regex::concat([scheme, self.hierarchy(self.segment_character().plus()), self.tail()])
    }

    fn reference(&self) -> Regex {
        let without_colon = self.character("@").plus();
        let relative = Regex::concat([self.hierarchy(without_colon), self.tail()]);
        Regex::or([self.absolute(), relative])
    }
}

/// With a scheme.
pub(super) fn uri() -> Regex {
    Alphabet::uri().absolute()
}

/// With a scheme or relative.
pub(super) fn uri_reference() -> Regex {
    Alphabet::uri().reference()
}

/// With a scheme, of international characters.
pub(super) fn iri() -> Regex {
    Alphabet::iri().absolute()
}

/// With a scheme or relative, of international characters.
pub(super) fn iri_reference() -> Regex {
    Alphabet::iri().reference()
}

/// Literals and expressions in braces. (An apostrophe is a literal, by the errata of the RFC.)
pub(super) fn uri_template() -> Regex {
    let literals = set("[!#$&'()*+,./0-9:;=?@A-Z\\[\\]_a-z~-]").union(&international()).union(&private());
    let name = "(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*";
    let variable = format!("{name}(?::[1-9][0-9]{{0,3}}|\\*)?");
    let expression = language(&format!("\\{{[+#./;?&=,!@|]?{variable}(?:,{variable})*\\}}"));
    Regex::or([Regex::set(literals), percent(), expression]).star()
}

fn percent() -> Regex {
    language("%[0-9A-Fa-f]{2}")
}

/// `ucschar` of RFC 3987: outside ASCII, no private use, no noncharacters, no specials.
fn international() -> CharSet {
    let planes = (0x1..=0xD).map(|plane| (plane << 16, (plane << 16) | 0xFFFD));
    let basic = [(0xA0, 0xD7FF), (0xF900, 0xFDCF), (0xFDF0, 0xFFEF)];
    CharSet::from_ranges(basic.into_iter().chain(planes).chain([(0xE_1000, 0xE_FFFD)]))
}

/// `iprivate` of RFC 3987.
fn private() -> CharSet {
    CharSet::from_ranges([(0xE000, 0xF8FF), (0xF_0000, 0xF_FFFD), (0x10_0000, 0x10_FFFD)])
}

/// The set that a class is.
fn set(class: &str) -> CharSet {
    match language(class) {
        Regex::Set(set) => set,
        other => unreachable!("a class gives a set, not {other}"),
    }
}
