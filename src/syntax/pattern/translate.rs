//! From a pattern's tree to the whole-text language: anchors, lookaheads and word boundaries are resolved here.
//!
//! The idea: read the pattern from right to left, and carry along the *rest*, the language of the texts that may follow
//! a position up to the end of the whole text. At the end of the pattern that is any text (it is a search). A piece `r`
//! without assertions puts itself in front, `r·rest`; `$` keeps of the rest only the empty text; a lookahead intersects
//! the rest with what it wants to see. What an assertion says about the left side is one of three situations: at the
//! start of the text, behind a *watched* character, elsewhere; the rest is kept for each. What is watched is the set that
//! the pattern's word boundaries and lookbehinds name, if it is but one. In the end, whatever may stand in front is added.
//!
//! Inside a repeat the rest depends on how often the body still comes, so this works only when the body is plain. Three
//! kinds of bodies with assertions are translated all the same, exactly:
//! * anchors only (`(^a|b)*`): only the first repetition that consumes something can be at the start, and only the last
//!   can be at the end, so the repeat is a union of plain ones with an anchor in front or behind;
//! * lookaheads, then one character, repeated up to the end of the text (`^((?!foo).)*$`): the characters, and no suffix
//!   that a lookahead refuses;
//! * at most [`UNROLLED_MAX`] repetitions: written out.
//!
//! Every piece multiplies its rest by a small constant at most; the total is bounded by [`PATTERN_NODES_MAX`]. Whatever
//! doesn't go this way is [`Awkward`].

use super::anchors::Anchored;
use super::classes::word;
use super::rest::{Rest, join_any, non_empty};
use super::{Node, Side, Way};
use crate::grammar::regex::{CharSet, Regex};
use crate::limits::PATTERN_NODES_MAX;

/// Repeats with assertions in their body are written out up to so many times.
const UNROLLED_MAX: u32 = 8;

/// The pattern can't be translated in this way, or becomes too large.
#[derive(Debug)]
pub(super) struct Awkward;

/// The language of the texts in which the pattern is found.
pub(super) fn search(node: &Node) -> Result<Regex, Awkward> {
    let watched = first_watched(node).unwrap_or_else(word);
    let mut translator = Translator { fuel: PATTERN_NODES_MAX, watched };
    let rest = translator.before(node, Rest::any())?;
    Ok(rest.behind_any_text(&translator.watched))
}

struct Translator {
    /// Nodes that may still be made.
    fuel: usize,
    /// The one set of characters that assertions may look for on the left.
    watched: CharSet,
}

impl Translator {
    fn charge(&mut self, rest: Rest) -> Result<Rest, Awkward> {
        let size = rest.elsewhere.size()
            + rest.at_start.as_ref().map_or(0, Regex::size)
            + rest.after_watched.as_ref().map_or(0, Regex::size);
        self.charge_size(size)?;
        Ok(rest)
    }

    fn charge_size(&mut self, size: usize) -> Result<(), Awkward> {
        self.fuel = self.fuel.checked_sub(size).ok_or(Awkward)?;
        Ok(())
    }

    fn behind(&self, rest: Rest, piece: &Regex) -> Rest {
        rest.behind(piece, &self.watched)
    }

    /// The rest in front of the node, if this rest follows it.
    fn before(&mut self, node: &Node, rest: Rest) -> Result<Rest, Awkward> {
        if is_plain(node) {
            return Ok(self.behind(rest, &plain(node)));
        }
        let rest = self.charge(rest)?;
        match node {
            Node::Empty | Node::Set(_) => Ok(self.behind(rest, &plain(node))),
            Node::Concat(parts) => self.before_all(parts, rest),
            Node::Or(parts) => {
                let (plain_parts, others): (Vec<&Node>, Vec<&Node>) = parts.iter().partition(|p| is_plain(p));
                let mut all = self.behind(rest.clone(), &union(plain_parts.into_iter().map(plain)));
                for part in others {
                    all = all.or(self.before(part, rest.clone())?);
                }
                self.charge(all)
            }
            Node::Repeat { body, min, max } => self.before_repeat(body, *min, *max, rest),
            Node::Start => Ok(rest.only_at_start()),
            Node::End => Ok(rest.only_at_end()),
            Node::Boundary { side, word } => {
                let word_next = Regex::set(word.clone()).then(Regex::any_text());
                let other_next = word_next.clone().complement();
                let (behind_word, behind_other) = match side {
                    Side::Holds => (other_next, word_next),
                    Side::Fails => (word_next, other_next),
                };
                self.watch(rest, word, behind_word, behind_other)
            }
            Node::Look { way: Way::Ahead, body, side, .. } => {
                let seen = self.before(body, Rest::any())?;
                let wanted = match side {
                    Side::Holds => seen,
                    Side::Fails => seen.map(Regex::complement),
                };
                self.charge(rest.and(wanted))
            }
            Node::Look { way: Way::Behind, body, side, .. } => {
                let Node::Set(set) = &**body else { return Err(Awkward) };
                let (behind_set, behind_other) = match side {
                    Side::Holds => (Regex::any_text(), Regex::Nothing),
                    Side::Fails => (Regex::Nothing, Regex::any_text()),
                };
                self.watch(rest, set, behind_set, behind_other)
            }
            Node::Reference { .. } => Err(Awkward),
        }
    }

    /// The rest that is also in one language behind a character of the set, and in another elsewhere.
    fn watch(
        &mut self,
        rest: Rest,
        set: &CharSet,
        behind_set: Regex,
        behind_other: Regex,
    ) -> Result<Rest, Awkward> {
        let wanted = if *set == self.watched {
            Rest { elsewhere: behind_other, at_start: None, after_watched: Some(behind_set) }
        } else if *set == self.watched.complement() {
            Rest {
                elsewhere: behind_set,
                at_start: Some(behind_other.clone()),
                after_watched: Some(behind_other),
            }
        } else {
            return Err(Awkward);
        };
        self.charge(rest.and(wanted))
    }

    /// A sequence: from the right, runs without assertions at a time.
    fn before_all(&mut self, parts: &[Node], mut rest: Rest) -> Result<Rest, Awkward> {
        let mut end = parts.len();
        while end > 0 {
            let run = parts[..end].iter().rev().take_while(|part| is_plain(part)).count();
            if run > 0 {
                rest = self.behind(rest, &sequence(parts[end - run..end].iter().map(plain)));
                end -= run;
            } else {
                end -= 1;
                rest = self.before(&parts[end], rest)?;
            }
        }
        Ok(rest)
    }

    /// A repeat whose body has assertions.
    fn before_repeat(
        &mut self,
        body: &Node,
        min: u32,
        max: Option<u32>,
        rest: Rest,
    ) -> Result<Rest, Awkward> {
        if max == Some(0) {
            return Ok(rest);
        }
        if is_zero_width(body) {
            // Zero times is less demanding than once, and once is as good as often.
            return if min == 0 { Ok(rest) } else { self.before(body, rest) };
        }
        if let Some(anchored) = self.anchored(body)? {
            let before = anchored.repeat(min, max).before(&rest, &self.watched);
            return self.charge(before);
        }
        if let Some(guarded) = self.guarded_to_the_end(body, min, max, &rest)? {
            return self.charge(guarded);
        }
        match max {
            Some(max) if max <= UNROLLED_MAX => {
                let mut all = rest.clone();
                for left in 1..=max {
                    let once = self.before(body, all)?;
                    // `left` repetitions may come from here: the first `max - left` have been.
                    all = if max - left >= min { once.or(rest.clone()) } else { once };
                    all = self.charge(all)?;
                }
                Ok(all)
            }
            _ => Err(Awkward),
        }
    }

    /// `(lookaheads character){min,max}` when only the end of the text follows.
    fn guarded_to_the_end(
        &mut self,
        body: &Node,
        min: u32,
        max: Option<u32>,
        rest: &Rest,
    ) -> Result<Option<Rest>, Awkward> {
        let Node::Concat(parts) = body else { return Ok(None) };
        let Some((Node::Set(set), guards)) = parts.split_last() else { return Ok(None) };
        if *rest != Rest::uniform(Regex::Empty) {
            return Ok(None);
        }
        let mut language = vec![Regex::set(set.clone()).repeat(min, max)];
        for guard in guards {
            let Node::Look { way: Way::Ahead, body, side, .. } = guard else { return Ok(None) };
            let Rest { elsewhere: seen, at_start: None, after_watched: None } =
                self.before(body, Rest::any())?
            else {
                return Ok(None);
            };
            let refused = match side {
                Side::Holds => seen.complement(),
                Side::Fails => seen,
            };
            // Every suffix but the empty one is in front of a character.
            language.push(join_any(non_empty(refused)).complement());
        }
        Ok(Some(Rest::uniform(Regex::and(language))))
    }

    /// The node by the anchors that a match needs; `None` if it has assertions other than anchors.
    fn anchored(&mut self, node: &Node) -> Result<Option<Anchored>, Awkward> {
        let found = match node {
            _ if is_plain(node) => Anchored::plain(plain(node)),
            Node::Start => Anchored { start: Regex::Empty, ..Anchored::default() },
            Node::End => Anchored { end: Regex::Empty, ..Anchored::default() },
            Node::Concat(parts) => {
                let mut all = Anchored::plain(Regex::Empty);
                for part in parts {
                    let Some(part) = self.anchored(part)? else { return Ok(None) };
                    all = all.then(&part);
                    self.charge_size(all.size())?;
                }
                all
            }
            Node::Or(parts) => {
                let mut all = Anchored::default();
                for part in parts {
                    let Some(part) = self.anchored(part)? else { return Ok(None) };
                    all = all.or(part);
                    self.charge_size(all.size())?;
                }
                all
            }
            Node::Repeat { body, min, max } => {
                let Some(body) = self.anchored(body)? else { return Ok(None) };
                body.repeat(*min, *max)
            }
            _ => return Ok(None),
        };
        self.charge_size(found.size())?;
        Ok(Some(found))
    }
}

/// Whether the node has no assertions.
fn is_plain(node: &Node) -> bool {
    match node {
        Node::Empty | Node::Set(_) => true,
        Node::Concat(parts) | Node::Or(parts) => parts.iter().all(is_plain),
        Node::Repeat { body, .. } => is_plain(body),
        Node::Start | Node::End | Node::Boundary { .. } | Node::Look { .. } | Node::Reference { .. } => false,
    }
}

/// Whether the node matches only the empty text, as is plain to see.
pub(super) fn is_zero_width(node: &Node) -> bool {
    match node {
        Node::Set(_) | Node::Reference { .. } => false,
        Node::Concat(parts) | Node::Or(parts) => parts.iter().all(is_zero_width),
        Node::Repeat { body, .. } => is_zero_width(body),
        Node::Empty | Node::Start | Node::End | Node::Boundary { .. } | Node::Look { .. } => true,
    }
}

/// The first set that an assertion looks for on the left.
fn first_watched(node: &Node) -> Option<CharSet> {
    match node {
        Node::Boundary { word, .. } => Some(word.clone()),
        Node::Look { way, body, .. } => match (way, &**body) {
            (Way::Behind, Node::Set(set)) => Some(set.clone()),
            _ => first_watched(body),
        },
        Node::Concat(parts) | Node::Or(parts) => parts.iter().find_map(first_watched),
        Node::Repeat { body, .. } => first_watched(body),
        Node::Empty | Node::Set(_) | Node::Start | Node::End | Node::Reference { .. } => None,
    }
}

/// A node without assertions as a regex.
fn plain(node: &Node) -> Regex {
    match node {
        Node::Set(set) => Regex::set(set.clone()),
        Node::Concat(parts) => sequence(parts.iter().map(plain)),
        Node::Or(parts) => union(parts.iter().map(plain)),
        Node::Repeat { body, min, max } => plain(body).repeat(*min, *max),
        _ => Regex::Empty,
    }
}

/// The text, if the regex is exactly one.
fn as_text(regex: &Regex) -> Option<String> {
    match regex {
        Regex::Literals(texts) if texts.len() == 1 => Some(texts[0].to_string()),
        Regex::Set(set) => match set.ranges() {
            &[(low, high)] if low == high => char::from_u32(low).map(String::from),
            _ => None,
        },
        _ => None,
    }
}

/// One after the other, with runs of single characters as one literal.
fn sequence(parts: impl Iterator<Item = Regex>) -> Regex {
    let mut joined: Vec<Regex> = Vec::new();
    let mut run = String::new();
    for part in parts {
        match as_text(&part) {
            Some(text) => run.push_str(&text),
            None => {
                joined.extend([Regex::literal(&std::mem::take(&mut run)), part]);
            }
        }
    }
    joined.push(Regex::literal(&run));
    Regex::concat(joined)
}

/// Any of them, with single characters as one set and texts as one set of literals.
fn union(parts: impl Iterator<Item = Regex>) -> Regex {
    let mut others = Vec::new();
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    let mut texts: Vec<Box<str>> = Vec::new();
    for part in parts {
        match part {
            Regex::Set(set) => ranges.extend_from_slice(set.ranges()),
            Regex::Literals(found) => texts.extend(found.iter().cloned()),
            other => others.push(other),
        }
    }
    others.insert(0, Regex::literals(texts.iter().map(AsRef::as_ref)));
    others.insert(0, Regex::set(CharSet::from_ranges(ranges)));
    Regex::or(others)
}
