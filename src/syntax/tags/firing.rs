//! Which trigger a tag's beginning fires: the one that is complete first.

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

/// Checks that a tag begins with one of the tokens that trigger tags.
pub(super) fn check_token(
    tag: &Node<'_>,
    triggers: &[TokenMember],
    excludes: &[TokenMember],
) -> Result<(), CompileError> {
    match &tag.format {
        Format::Tag { begin: Mark::Token(token), .. } if excludes.contains(token) => {
            Err(invalid(tag.at, "begin", "its beginning is excluded, so nothing would ask for it"))
        }
        Format::Tag { begin: Mark::Token(token), .. } if triggers.contains(token) => Ok(()),
        Format::Tag { begin: Mark::Token(_), .. } => Err(invalid(
            tag.at,
            "begin",
            "it begins with none of \"trigger_tokens\": nothing would ask for it",
        )),
        _ => {
            Err(invalid(tag.at, "begin", "the triggers are tokens, so the beginning of a tag is a token too"))
        }
    }
}
