//! Which formats take the end of the tag around them as their own: free text stops where the tag ends.
//!
//! A format is *open* if it may go on with free text until somebody's end comes; it then reads that end itself, so that the
//! first end counts. It is *endless* if nothing that it says itself would stop it; such a format can stand last only,
//! since what follows would never be asked for.

use crate::error::CompileError;
use crate::syntax::tags::fields::{Flag, invalid};
use crate::syntax::tags::format::{Ends, Format, Node, Triggers};

/// What is known of the formats of a table.
pub(super) struct Facts {
    pub(super) open: Vec<bool>,
    /// The tag whose end an open format reads.
    pub(super) tail: Vec<Option<usize>>,
}

impl Facts {
    pub(super) fn of(nodes: &[Node<'_>]) -> Result<Self, CompileError> {
        let mut open = vec![false; nodes.len()];
        let mut endless = vec![false; nodes.len()];
        for (at, node) in nodes.iter().enumerate().rev() {
            check(nodes, &endless, node)?;
            open[at] = whether(&node.format, &open, Own::Open);
            endless[at] = whether(&node.format, &endless, Own::Endless);
        }
        let mut tail = vec![None; nodes.len()];
        for (at, node) in nodes.iter().enumerate() {
            let above = tail[at];
            let mut pass = |child: usize, tag: Option<usize>| {
                if open[child] {
                    tail[child] = tag;
                }
            };
            match &node.format {
                Format::Tag { content, end: Ends::Texts(texts), .. } if texts.is_empty() => {
                    pass(*content, above)
                }
                Format::Tag { content, .. } => pass(*content, Some(at)),
                Format::Sequence(parts) => parts.last().into_iter().for_each(|last| pass(*last, above)),
                Format::Or(parts) => parts.iter().for_each(|part| pass(*part, above)),
                Format::Repeat { content, min: 0, max: Some(1) } => pass(*content, above),
                _ => {}
            }
        }
        Ok(Self { open, tail })
    }
}

/// Which of the two properties is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Own {
    Open,
    Endless,
}

/// Whether a format has a property that its children hand on.
fn whether(format: &Format<'_>, children: &[bool], own: Own) -> bool {
    match format {
        Format::AnyText { excludes, max_chars } => {
            own == Own::Open || (excludes.is_empty() && max_chars.is_none())
        }
        Format::AnyTokens { excludes, max } => own == Own::Open || (excludes.is_empty() && max.is_none()),
        Format::Triggered { by, at_least_one, stop_after_first, .. } => {
            let limited = match by {
                Triggers::Texts { excludes, .. } => !excludes.is_empty(),
                Triggers::Tokens { excludes, .. } => !excludes.is_empty(),
            };
            let goes_on = (*at_least_one, *stop_after_first) != (Flag::On, Flag::On);
            goes_on && (own == Own::Open || !limited)
        }
        Format::Tag { content, end: Ends::Texts(texts), .. } => texts.is_empty() && children[*content],
        Format::Sequence(parts) => parts.last().is_some_and(|last| children[*last]),
        Format::Or(parts) => parts.iter().any(|part| children[*part]),
        Format::Repeat { content, min: 0, max: Some(1) } => children[*content],
        _ => false,
    }
}

/// Refuses what stands before something else and never ends.
fn check(nodes: &[Node<'_>], endless: &[bool], node: &Node<'_>) -> Result<(), CompileError> {
    let (inner, followed): (&[usize], &str) = match &node.format {
        Format::Sequence(parts) => (&parts[..parts.len().saturating_sub(1)], "other elements follow"),
        Format::Repeat { min: 0, max: Some(1), .. } => (&[], ""),
        Format::Repeat { content, .. } => (std::slice::from_ref(content), "it is repeated"),
        Format::Triggered { tags, .. } => (tags, "text follows a tag"),
        Format::Separated { tags, .. } => (tags, "a separator follows a tag"),
        _ => return Ok(()),
    };
    match inner.iter().find(|child| endless[**child]) {
        None => Ok(()),
        Some(&child) => {
            let message = format!(
                "free text that nothing ends would stand here, but {followed}: give it \"excludes\", use \"until\", or put it into a \
                 tag with an end"
            );
            Err(invalid(nodes[child].at, "any_text", message))
        }
    }
}
