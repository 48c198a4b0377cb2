//! The slow twin of every translation: the matcher of ECMA-262 as it is written there, over the tree of a pattern.
//!
//! Each node is a matcher with a continuation and a direction; a loop refuses a round that reads nothing once its least
//! count is reached. Captures are left out, as only back-references would see them.

use super::{Node, Side, Way};

/// Whether the pattern is found in the text; `None` if it takes too many steps.
pub(super) fn is_found(node: &Node, text: &[char]) -> Option<bool> {
    let mut matcher = Matcher { text, steps_left: 200_000 };
    for start in 0..=text.len() {
        if matcher.run(node, start, Way::Ahead, &mut |_, _| Some(true))? {
            return Some(true);
        }
    }
    Some(false)
}

type Continuation<'c, 't> = dyn FnMut(&mut Matcher<'t>, usize) -> Option<bool> + 'c;

struct Matcher<'t> {
    text: &'t [char],
    steps_left: usize,
}

impl<'t> Matcher<'t> {
    fn run(&mut self, node: &Node, at: usize, way: Way, then: &mut Continuation<'_, 't>) -> Option<bool> {
        self.steps_left = self.steps_left.checked_sub(1)?;
        let asserted = match node {
            Node::Empty => true,
            Node::Set(set) => {
                let (read, next) = match way {
                    Way::Ahead => (self.text.get(at).copied(), at + 1),
                    Way::Behind => (at.checked_sub(1).map(|before| self.text[before]), at.wrapping_sub(1)),
                };
                return if read.is_some_and(|c| set.contains(c)) { then(self, next) } else { Some(false) };
            }
            Node::Concat(parts) => return self.all(parts, at, way, then),
            Node::Or(parts) => {
                for part in parts {
                    if self.run(part, at, way, then)? {
                        return Some(true);
                    }
                }
                return Some(false);
            }
            Node::Repeat { body, min, max } => return self.repeat(body, (*min, *max), at, way, then),
            Node::Start => at == 0,
            Node::End => at == self.text.len(),
            Node::Boundary { side, word } => {
                let is_word = |place: Option<usize>| {
                    place.and_then(|place| self.text.get(place)).is_some_and(|&c| word.contains(c))
                };
                (is_word(at.checked_sub(1)) != is_word(Some(at))) == (*side == Side::Holds)
            }
            Node::Look { way, side, body, .. } => {
                self.run(body, at, *way, &mut |_, _| Some(true))? == (*side == Side::Holds)
            }
            Node::Reference { .. } => unreachable!("not generated"),
        };
        if asserted { then(self, at) } else { Some(false) }
    }

    fn all(&mut self, parts: &[Node], at: usize, way: Way, then: &mut Continuation<'_, 't>) -> Option<bool> {
        let parted = match way {
            Way::Ahead => parts.split_first(),
            Way::Behind => parts.split_last(),
        };
        match parted {
            None => then(self, at),
            Some((first, rest)) => {
                self.run(first, at, way, &mut |matcher, at| matcher.all(rest, at, way, then))
            }
        }
    }

    fn repeat(
        &mut self,
        body: &Node,
        (min, max): (u32, Option<u32>),
        at: usize,
        way: Way,
        then: &mut Continuation<'_, 't>,
    ) -> Option<bool> {
        if max == Some(0) {
            return then(self, at);
        }
        let left = (min.saturating_sub(1), max.map(|max| max - 1));
        let found = self.run(body, at, way, &mut |matcher, end| {
            if min == 0 && end == at {
                return Some(false);
            }
            matcher.repeat(body, left, end, way, then)
        })?;
        if found || min > 0 { Some(found) } else { then(self, at) }
    }
}
