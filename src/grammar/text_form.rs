//! The text form of a schema program: one node a line, for people, snapshots and messages.
//!
//! ```text
//! root 2
//! 0: kind null    /properties/a/type
//! 1: members "a" → 0, rest → 3    /properties
//! 2: all 1 0
//! 3: true
//! ```

use std::fmt;

use crate::grammar::program::{Kinds, MemberRule, NamesAre, Node, SchemaProgram};
use crate::index::NodeId;

/// Names of single kinds, in the order of their bits.
const KINDS: [(Kinds, &str); 7] = [
    (Kinds::NULL, "null"),
    (Kinds::TRUE, "true"),
    (Kinds::FALSE, "false"),
    (Kinds::NUMBER, "number"),
    (Kinds::STRING, "string"),
    (Kinds::ARRAY, "array"),
    (Kinds::OBJECT, "object"),
];

impl fmt::Display for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> =
            KINDS.iter().filter(|(kind, _)| self.contains(*kind)).map(|(_, name)| *name).collect();
        f.write_str(if names.is_empty() { "nothing".into() } else { names.join("|") }.as_str())
    }
}

/// Ids after a word.
fn list(f: &mut fmt::Formatter<'_>, word: &str, ids: &[NodeId]) -> fmt::Result {
    f.write_str(word)?;
    ids.iter().try_for_each(|id| write!(f, " {}", id.0))
}

fn members(f: &mut fmt::Formatter<'_>, word: &str, rule: &MemberRule) -> fmt::Result {
    let mentioned = if rule.names == NamesAre::Mentioned { " (mentioned)" } else { "" };
    write!(f, "{word}{mentioned} ")?;
    rule.properties.iter().try_for_each(|(name, node)| write!(f, "{name:?} → {}, ", node.0))?;
    rule.patterns.iter().try_for_each(|(regex, node)| write!(f, "/{regex}/ → {}, ", node.0))?;
    write!(f, "rest → {}", rule.rest.0)
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::True => f.write_str("true"),
            Self::False => f.write_str("false"),
            Self::Kind(kinds) => write!(f, "kind {kinds}"),
            Self::Text(regex) => write!(f, "text {regex}"),
            Self::Sentence(sentences) => write!(f, "text of {sentences}"),
            Self::Number(regex) => write!(f, "number {regex}"),
            Self::Members(rule) => members(f, "members", rule),
            Self::SomeMember(rule) => members(f, "some member", rule),
            Self::MinMembers(n) => write!(f, "members ≥ {n}"),
            Self::MaxMembers(n) => write!(f, "members ≤ {n}"),
            Self::Required(name) => write!(f, "required {name:?}"),
            Self::Items { prefix, rest, except } => {
                let word = if *except > 0 { format!("items but {except}") } else { "items".to_owned() };
                list(f, &word, prefix)?;
                write!(f, ", rest → {}", rest.0)
            }
            Self::AtLeast { count, prefix, rest } => {
                list(f, &format!("items that hold ≥ {count}:"), prefix)?;
                write!(f, ", rest → {}", rest.0)
            }
            Self::MinItems(n) => write!(f, "items ≥ {n}"),
            Self::MaxItems(n) => write!(f, "items ≤ {n}"),
            Self::Unique => f.write_str("items are unique"),
            Self::Repeated => f.write_str("some item is repeated"),
            Self::All(children) => list(f, "all", children),
            Self::Any(children) => list(f, "any", children),
        }
    }
}

impl fmt::Display for SchemaProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "root {}", self.root.0)?;
        for (i, node) in self.nodes.iter().enumerate() {
            write!(f, "\n{i}: {node}")?;
            if let Some(place) = self.places.get(i).filter(|place| !place.is_empty()) {
                write!(f, "    {place}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::policy::SurfacePolicy;

    #[test]
    fn each_node_is_a_line() {
        let program = SchemaProgram {
            nodes: vec![
                Node::Kind(Kinds::NULL.union(Kinds::BOOLEAN)),
                Node::Members(MemberRule::plain(vec![("a".into(), NodeId(0))], NodeId(0))),
                Node::All(vec![NodeId(1), NodeId(0)]),
            ],
            places: vec!["/type".into(), "/properties".into(), "".into()],
            opposites: Vec::new(),
            root: NodeId(2),
            policy: SurfacePolicy::default(),
        };
        let expected = "root 2\n0: kind null|true|false    /type\n1: members \"a\" → 0, rest → 0    /properties\n2: all 1 0";
        assert_eq!(program.to_string(), expected);
        assert_eq!(Kinds::NONE.to_string(), "nothing");
    }
}
