//! Which trigger a tag's beginning fires: the one that is complete first.

use rustc_hash::FxHashSet;

use crate::error::CompileError;
use crate::grammar::rules::TokenMember;
use crate::syntax::tags::fields::invalid;
use crate::syntax::tags::format::{Format, Mark, Node};
use crate::syntax::tags::free::{Boundary, Free, counts_at};

/// The number of the trigger that begins a tag.
pub(super) fn trigger_of(tag: &Node<'_>, free: &Free<'_>) -> Result<usize, CompileError> {
    let Format::Tag { begin: Mark::Text(begin), .. } = &tag.format else {
        return Err(invalid(
            tag.at,
            "begin",
            "the triggers are texts, so the beginning of a tag is a text too",
        ));
    };
    let own = (0..free.triggers.len()).filter(|&i| begin.starts_with(free.triggers[i]));
    let Some(own) = own.min_by_key(|&i| free.triggers[i].len()) else {
        let message = format!(
            "it begins with {begin:?} and so with none of the triggers: nothing would ask for it; add a beginning of it to \
             \"triggers\""
        );
        return Err(invalid(tag.at, "begin", message));
    };
    let end = free.triggers[own].len();
    let others = free.triggers.iter().map(|text| (*text, free.boundary));
    let all = others.chain(free.ends.iter().map(|text| (*text, Boundary::Anywhere)));
    for (text, boundary) in all {
        let earlier = begin[..end]
            .match_indices(text)
            .find(|(at, _)| at + text.len() < end && counts_at(begin, *at, boundary));
        if earlier.is_some() {
            let message = format!(
                "its trigger {:?} is never complete: {text:?} inside it comes first",
                free.triggers[own]
            );
            return Err(invalid(tag.at, "begin", message));
        }
    }
    if let Some(excluded) = free.excludes.iter().find(|text| free.triggers[own].contains(**text)) {
        let message =
            format!("its trigger {:?} contains {excluded:?}, which is excluded", free.triggers[own]);
        return Err(invalid(tag.at, "begin", message));
    }
    Ok(own)
}

/// The tokens that trigger tags, and those that are excluded.
pub(super) struct Tokens<'t> {
    triggers: FxHashSet<&'t TokenMember>,
    excludes: FxHashSet<&'t TokenMember>,
}

impl<'t> Tokens<'t> {
    pub(super) fn new(triggers: &'t [TokenMember], excludes: &'t [TokenMember]) -> Self {
        Self { triggers: triggers.iter().collect(), excludes: excludes.iter().collect() }
    }

    /// Checks that a tag begins with one of the tokens that trigger tags.
    pub(super) fn check(&self, tag: &Node<'_>) -> Result<(), CompileError> {
        let message = match &tag.format {
            Format::Tag { begin: Mark::Token(token), .. } => {
                if self.excludes.contains(token) {
                    "its beginning is excluded, so nothing would ask for it"
                } else if self.triggers.contains(token) {
                    return Ok(());
                } else {
                    "it begins with none of \"trigger_tokens\": nothing would ask for it"
                }
            }
            _ => "the triggers are tokens, so the beginning of a tag is a token too",
        };
        Err(invalid(tag.at, "begin", message))
    }
}
