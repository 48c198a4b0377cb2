//! A pattern that doesn't go the quick way, in pieces of which some do.
//!
//! At the start of the text a lookahead is a condition on the whole text, and so is a lookbehind at its end: `^(?=X)Y` is
//! found where `^X` is and `^Y` is. Alternatives of the whole pattern are found where one of them is. So a limit on the length,
//! put in front as a lookahead, stays a counted loop beside a table of states, and is not multiplied into it.
//!
//! Where a table would be too large, one more way is tried: a sequence whose first parts look only back, and whose last
//! parts look only ahead, is the texts at whose end the first parts match followed by those at whose start the last do.

use super::{Node, PatternError, Side, Way, automaton, translate};
use crate::grammar::regex::Regex;
use crate::limits::{PATTERN_PIECES_MAX, PATTERN_STEPS_MAX};

/// The language of the texts in which the pattern is found.
pub(super) fn search(node: &Node) -> Result<Regex, PatternError> {
    Pieces { left: PATTERN_PIECES_MAX, steps_left: PATTERN_STEPS_MAX }.search(node)
}

struct Pieces {
    /// How many may still be taken apart.
    left: usize,
    /// Steps that tables of states may still take, all together.
    steps_left: usize,
}

impl Pieces {
    fn search(&mut self, node: &Node) -> Result<Regex, PatternError> {
        match translate::search(node) {
            Ok(regex) => Ok(regex),
            Err(translate::Awkward) if self.left == 0 => automaton::search(node, &mut self.steps_left),
            Err(translate::Awkward) => {
                self.left -= 1;
                self.apart(node)
            }
        }
    }

    fn apart(&mut self, node: &Node) -> Result<Regex, PatternError> {
        let mut parts = Vec::new();
        flatten(node, &mut parts);
        let starts = matches!(parts.first(), Some(Node::Start));
        let ends = parts.len() > 1 && matches!(parts.last(), Some(Node::End));
        let mut middle = &parts[usize::from(starts)..parts.len() - usize::from(ends)];
        let mut conditions = Vec::new();
        while let (true, [Node::Look { way: Way::Ahead, side, body, .. }, rest @ ..]) = (starts, middle) {
            conditions.push(self.condition(*side, &framed(true, &[&**body], false))?);
            middle = rest;
        }
        while let (true, [rest @ .., Node::Look { way: Way::Behind, side, body, .. }]) = (ends, middle) {
            conditions.push(self.condition(*side, &framed(false, &[&**body], true))?);
            middle = rest;
        }
        match middle {
            _ if !conditions.is_empty() => {
                conditions.push(self.search(&framed(starts, middle, ends))?);
                Ok(Regex::and(conditions))
            }
            [Node::Or(alternatives)] => {
                let found: Result<Vec<Regex>, _> =
                    alternatives.iter().map(|part| self.search(&framed(starts, &[part], ends))).collect();
                Ok(Regex::or(found?))
            }
            _ => match automaton::search(node, &mut self.steps_left) {
                Ok(regex) => Ok(regex),
                Err(error) => self.cut(&parts).unwrap_or(Err(error)),
            },
        }
    }

    /// The language of a sequence by its two parts, if it has parts that look one way only.
    fn cut(&mut self, parts: &[&Node]) -> Option<Result<Regex, PatternError>> {
        let last = parts.iter().rposition(|part| looks(part, Way::Behind))?;
        let (first, rest) = parts.split_at(last + 1);
        // What has been cut off must be less than the whole.
        let same = matches!(first, [Node::Start]) || matches!(rest, [Node::End]);
        if same || first.iter().any(|part| looks(part, Way::Ahead)) {
            return None;
        }
        let first = self.search(&framed(false, first, true));
        Some(first.and_then(|first| Ok(first.then(self.search(&framed(true, rest, false))?))))
    }

    fn condition(&mut self, side: Side, node: &Node) -> Result<Regex, PatternError> {
        let found = self.search(node)?;
        Ok(match side {
            Side::Holds => found,
            Side::Fails => found.complement(),
        })
    }
}

/// The parts of a sequence, those of sequences inside included.
fn flatten<'n>(node: &'n Node, into: &mut Vec<&'n Node>) {
    match node {
        Node::Concat(parts) => parts.iter().for_each(|part| flatten(part, into)),
        Node::Empty => {}
        other => into.push(other),
    }
}

/// Whether an assertion in the node looks that way.
fn looks(node: &Node, to: Way) -> bool {
    match node {
        Node::Empty | Node::Set(_) | Node::Reference { .. } => false,
        Node::Concat(parts) | Node::Or(parts) => parts.iter().any(|part| looks(part, to)),
        Node::Repeat { body, .. } => looks(body, to),
        Node::Start => to == Way::Behind,
        Node::End => to == Way::Ahead,
        Node::Boundary { .. } => true,
        Node::Look { way, body, .. } => *way == to || looks(body, to),
    }
}

/// The language of a pattern by cutting it first, if that can be done.
#[cfg(test)]
pub(super) fn search_cut(node: &Node) -> Option<Regex> {
    let mut parts = Vec::new();
    flatten(node, &mut parts);
    let mut pieces = Pieces { left: PATTERN_PIECES_MAX, steps_left: PATTERN_STEPS_MAX };
    pieces.cut(&parts)?.ok()
}

/// The parts in sequence, between the ends of the text where so said.
fn framed(starts: bool, parts: &[&Node], ends: bool) -> Node {
    let start = starts.then_some(Node::Start);
    let end = ends.then_some(Node::End);
    Node::Concat(start.into_iter().chain(parts.iter().map(|&part| part.clone())).chain(end).collect())
}
