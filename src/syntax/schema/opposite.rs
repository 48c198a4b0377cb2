//! Opposites: negation, pushed down to the atoms.
//!
//! An atom is true of every value of another type, so its opposite says the type too. `Members` and `SomeMember`, `Items` and
//! `AtLeast` are each other's; the opposite of a conjunction is the disjunction of the opposites. Opposites of what lies behind a
//! member or an item are promised and made later, each once: so recursion ends.
//!
//! The complement of a part that is narrower than the schema means (some formats) would be too wide. If there is a language
//! that is too wide, the opposite is its complement; else there is none.

use super::settle::Settling;
use super::walk::Part;
use crate::error::CompileError;
use crate::grammar::condition;
use crate::grammar::program::{Kinds, MemberRule, NamesAre, Node};
use crate::grammar::regex::Regex;
use crate::index::NodeId;

/// Makes all promised opposites, and those that they promise.
pub(super) fn make(settling: &mut Settling<'_, '_>) -> Result<(), CompileError> {
    while let Some((part, opposite)) = settling.promised.pop() {
        let part = settling.same(part);
        settling.plan.opposites.push((part, opposite));
        // The opposite of an opposite is the part itself.
        let node = match settling.plan.parts[part.index()] {
            Part::Opposite(of) => Node::All(vec![of]),
            _ => of_node(settling, part)?,
        };
        settling.plan.parts[opposite.index()] = Part::Is(node);
    }
    Ok(())
}

fn of_node(settling: &mut Settling<'_, '_>, part: NodeId) -> Result<Node, CompileError> {
    let node = settling.node(part).clone();
    Ok(match node {
        Node::True => Node::False,
        Node::False => Node::True,
        Node::Kind(kinds) => Node::Kind(Kinds(Kinds::ALL.0 & !kinds.0)),
        Node::All(children) => Node::Any(opposites(settling, &children)?),
        Node::Any(children) => Node::All(opposites(settling, &children)?),
        Node::Text(regex) => {
            let regex = match settling.plan.narrowed.get(&part) {
                None => regex,
                Some(Some(wide)) => {
                    let wide = wide.clone();
                    settling.plan.note_denied(part);
                    wide
                }
                Some(None) => return Err(too_wide(settling, part)),
            };
            of_kind(settling, part, Kinds::STRING, Node::Text(regex.complement()))?
        }
        Node::Sentence(_) => return Err(settling.unsupported(part, "format", SENTENCE)),
        _ if settling.plan.narrowed.contains_key(&part) => return Err(too_wide(settling, part)),
        Node::Number(regex) => {
            let known = settling.plan.number_opposites.get(&part).cloned();
            let opposite = known.unwrap_or_else(|| condition::opposite(&regex, settling.plan.policy.numbers));
            of_kind(settling, part, Kinds::NUMBER, Node::Number(opposite))?
        }
        Node::Required(name) => {
            let (none, any) = {
                let origin = settling.origin(part);
                (settling.decided(origin, Node::False)?, settling.decided(origin, Node::True)?)
            };
            let names = NamesAre::Mentioned;
            let absent =
                MemberRule { properties: vec![(name, none)], patterns: Vec::new(), rest: any, names };
            of_kind(settling, part, Kinds::OBJECT, Node::Members(absent))?
        }
        Node::Members(rule) => {
            let rule = rule_of_opposites(settling, &rule)?;
            of_kind(settling, part, Kinds::OBJECT, Node::SomeMember(rule))?
        }
        Node::SomeMember(rule) => {
            let rule = rule_of_opposites(settling, &rule)?;
            of_kind(settling, part, Kinds::OBJECT, Node::Members(rule))?
        }
        Node::MinMembers(n) => {
            let fewer = at_most_members(settling, part, n - 1)?;
            of_kind(settling, part, Kinds::OBJECT, fewer)?
        }
        Node::MaxMembers(n) => {
            let more = n.checked_add(1).map_or(Node::False, Node::MinMembers);
            of_kind(settling, part, Kinds::OBJECT, more)?
        }
        Node::Items { prefix, rest, except } => {
            let (prefix, rest) = (opposites(settling, &prefix)?, settling.opposite(rest)?);
            let more = except.checked_add(1).map(|count| Node::AtLeast { count, prefix, rest });
            of_kind(settling, part, Kinds::ARRAY, more.unwrap_or(Node::False))?
        }
        Node::AtLeast { count, prefix, rest } => {
            let (prefix, rest) = (opposites(settling, &prefix)?, settling.opposite(rest)?);
            of_kind(settling, part, Kinds::ARRAY, Node::Items { prefix, rest, except: count - 1 })?
        }
        Node::MinItems(n) => of_kind(settling, part, Kinds::ARRAY, Node::MaxItems(n - 1))?,
        Node::Unique => of_kind(settling, part, Kinds::ARRAY, Node::Repeated)?,
        Node::Repeated => of_kind(settling, part, Kinds::ARRAY, Node::Unique)?,
        Node::MaxItems(n) => {
            let more = n.checked_add(1).map_or(Node::False, Node::MinItems);
            of_kind(settling, part, Kinds::ARRAY, more)?
        }
    })
}

/// The value is of the kind, and the atom holds.
fn of_kind(
    settling: &mut Settling<'_, '_>,
    part: NodeId,
    kind: Kinds,
    atom: Node,
) -> Result<Node, CompileError> {
    let origin = settling.origin(part);
    let kind = settling.decided(origin, Node::Kind(kind))?;
    let atom = settling.decided(origin, atom)?;
    Ok(Node::All(vec![kind, atom]))
}

fn at_most_members(settling: &mut Settling<'_, '_>, part: NodeId, n: u64) -> Result<Node, CompileError> {
    if n > 0 {
        return Ok(Node::MaxMembers(n));
    }
    let origin = settling.origin(part);
    let none = settling.decided(origin, Node::False)?;
    Ok(Node::Members(MemberRule::plain(Vec::new(), none)))
}

fn opposites(settling: &mut Settling<'_, '_>, parts: &[NodeId]) -> Result<Vec<NodeId>, CompileError> {
    parts.iter().map(|&part| settling.opposite(part)).collect()
}

fn rule_of_opposites(settling: &mut Settling<'_, '_>, rule: &MemberRule) -> Result<MemberRule, CompileError> {
    let mut failed = None;
    let opposite = rule.map(|node| match settling.opposite(node) {
        Ok(opposite) => opposite,
        Err(e) => {
            failed.get_or_insert(e);
            node
        }
    });
    failed.map_or(Ok(opposite), Err)
}

/// `propertyNames`: names are strings, so of their schema only what it says about strings counts. A name outside its language
/// may have no value.
pub(super) fn names(
    settling: &mut Settling<'_, '_>,
    part: NodeId,
    child: NodeId,
) -> Result<Node, CompileError> {
    let mut narrowed = false;
    let language = language(settling, child, Side::Within, &mut narrowed)?;
    let origin = settling.origin(part);
    if language.is_any_text() {
        return Ok(Node::True);
    }
    let none = settling.decided(origin, Node::False)?;
    if language == Regex::Nothing {
        return Ok(Node::Members(MemberRule::plain(Vec::new(), none)));
    }
    if narrowed {
        settling.plan.narrowed.insert(part, None);
    }
    let rest = settling.decided(origin, Node::True)?;
    let patterns = vec![(language.complement(), none)];
    Ok(Node::Members(MemberRule { properties: Vec::new(), patterns, rest, names: NamesAre::Mentioned }))
}

/// What stands for a narrowed language: itself, or the one that is too wide.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Within,
    Around,
}

/// The texts that satisfy a part; `narrowed` if they are not all of them (`Within`) or too many (`Around`).
fn language(
    settling: &Settling<'_, '_>,
    part: NodeId,
    side: Side,
    narrowed: &mut bool,
) -> Result<Regex, CompileError> {
    stacker::maybe_grow(64 << 10, 1 << 20, || {
        let part = settling.same(part);
        let node = match &settling.plan.parts[part.index()] {
            Part::Is(node) => node,
            Part::Opposite(of) => {
                let other = if side == Side::Within { Side::Around } else { Side::Within };
                return Ok(language(settling, *of, other, narrowed)?.complement());
            }
            other => unreachable!("{other:?} is decided"),
        };
        let mut all = |children: &[NodeId]| -> Result<Vec<Regex>, CompileError> {
            children.iter().map(|&child| language(settling, child, side, narrowed)).collect()
        };
        Ok(match node {
            Node::False => Regex::Nothing,
            Node::Kind(kinds) if !kinds.contains(Kinds::STRING) => Regex::Nothing,
            Node::All(children) => Regex::and(all(children)?),
            Node::Any(children) => Regex::or(all(children)?),
            Node::Text(regex) => match settling.plan.narrowed.get(&part) {
                None => regex.clone(),
                Some(wide) => {
                    *narrowed = true;
                    match (side, wide) {
                        (Side::Within, _) => regex.clone(),
                        (Side::Around, Some(wide)) => wide.clone(),
                        (Side::Around, None) => return Err(settling.unsupported(part, "not", NARROWED)),
                    }
                }
            },
            Node::Sentence(_) => return Err(settling.unsupported(part, "format", SENTENCE)),
            _ => Regex::any_text(),
        })
    })
}

const SENTENCE: &str = "this format is a grammar, and it can't be enforced here: whether a text is *not* one of a grammar, or which names are, can't be read; say by a `const` in another member, or by types, which alternative holds";

fn too_wide(settling: &Settling<'_, '_>, part: NodeId) -> CompileError {
    settling.unsupported(part, "not", NARROWED)
}

const NARROWED: &str = "the opposite of a format that is enforced more narrowly than it is meant would be too wide: negate a pattern instead";
