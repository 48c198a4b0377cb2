//! The text form of terms: `.` is any code point, `.*` every text, `&` intersection, `!(…)` complement, `∅` nothing, `ε`
//! the empty text, `#7` the multiples of 7, `#7@3+1` what completes one after digits that leave 3 and miss 1 digit.

use std::fmt::Write;

use super::{Kind, Read, SpelledRead, Terms, Window};
use crate::index::TermId;

/// Longest text form, in bytes; what is left out is shown as `…`.
const DISPLAY_BYTES_MAX: usize = 4_096;

impl Terms {
    /// The text form, for messages and snapshots: cut at 4 KiB, as shared parts are written out each time.
    #[must_use]
    pub fn display(&self, term: TermId) -> String {
        let mut out = String::new();
        self.write(&mut out, term);
        out
    }

    fn write(&self, out: &mut String, term: TermId) {
        if out.len() > DISPLAY_BYTES_MAX {
            if !out.ends_with('…') {
                out.push('…');
            }
            return;
        }
        match self.kind(term) {
            Kind::Nothing => out.push('∅'),
            Kind::Empty => out.push('ε'),
            Kind::All => out.push_str(".*"),
            Kind::Set(set) => out.push_str(&self.set(*set).to_string()),
            Kind::Concat(..) => self.write_concat(out, term),
            Kind::Or(members) => self.write_joined(out, members, '|'),
            Kind::And(members) => self.write_joined(out, members, '&'),
            Kind::Not(of) => {
                out.push('!');
                self.write_in_brackets(out, *of);
            }
            Kind::Repeat { body, counts } => {
                match self.kind(*body) {
                    Kind::Set(_) | Kind::Or(_) | Kind::And(_) => self.write(out, *body),
                    _ => self.write_in_brackets(out, *body),
                }
                out.push_str(&suffix(*counts));
            }
            Kind::State { table, state } => self.write_state(out, *table, *state),
            Kind::FractionMultiple { of, places, read } => {
                write!(out, "#{of}e-{places}@{read:?}").expect("a string takes any text");
            }
            Kind::Spelled { values, read } => {
                let read = match **read {
                    SpelledRead::Start => String::new(),
                    ref read => format!("@{read:?}"),
                };
                write!(out, "{}{read}", self.values(*values)).expect("a string takes any text");
            }
            Kind::Multiple { of, read } => {
                let place = match read {
                    Read::Start => String::new(),
                    Read::Sign => "@-".to_string(),
                    Read::Digits { missing, remainder } => format!("@{remainder}+{missing}"),
                };
                write!(out, "#{of}{place}").expect("a string takes any text");
            }
        }
    }

    fn write_concat(&self, out: &mut String, term: TermId) {
        let mut rest = term;
        while let Kind::Concat(head, tail) = *self.kind(rest) {
            self.write(out, head);
            rest = tail;
            if out.len() > DISPLAY_BYTES_MAX {
                break;
            }
        }
        self.write(out, rest);
    }

    /// Members stand in the order of their texts: that of their ids depends on what was interned before.
    fn write_joined(&self, out: &mut String, members: &[TermId], separator: char) {
        out.push('(');
        let first = out.len();
        let mut ends = Vec::with_capacity(members.len());
        for &member in members {
            self.write(out, member);
            ends.push(out.len());
            if out.len() > DISPLAY_BYTES_MAX {
                break;
            }
        }
        let starts = std::iter::once(first).chain(ends.iter().copied());
        let mut texts: Vec<&str> = starts.zip(&ends).map(|(start, &end)| &out[start..end]).collect();
        if out.len() <= DISPLAY_BYTES_MAX {
            texts.sort_unstable();
        }
        let joined = texts.join(separator.encode_utf8(&mut [0; 4]));
        out.truncate(first);
        out.push_str(&joined);
        out.push(')');
    }

    fn write_in_brackets(&self, out: &mut String, term: TermId) {
        out.push('(');
        stacker::maybe_grow(64 << 10, 1 << 20, || self.write(out, term));
        out.push(')');
    }
}

fn suffix(counts: Window) -> String {
    match counts {
        Window { min: 0, max: None } => "*".to_string(),
        Window { min: 1, max: None } => "+".to_string(),
        Window { min: 0, max: Some(1) } => "?".to_string(),
        Window { min, max: None } => format!("{{{min},}}"),
        Window { min, max: Some(max) } if min == max => format!("{{{min}}}"),
        Window { min, max: Some(max) } => format!("{{{min},{max}}}"),
    }
}
