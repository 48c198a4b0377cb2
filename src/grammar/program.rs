//! A schema program: the boolean formula that a JSON Schema means, as a graph.
//!
//! A node is a constant, an atom or a connective. An atom is one assertion about one JSON type; it is
//! true of every value of another type, so `{"maxLength": 3}` is one `Text` node and nothing else.
//! `$ref` is an ordinary edge, so recursion is a cycle; every cycle passes through `Members` or
//! `Items` (the front end refuses others as ill-founded).
//!
//! Programs are positive: negation is done by the front end, which is why most atoms come in pairs (`Members` and
//! `SomeMember`, `Items` and `AtLeast`). An atom never says that the value has its type.
//!
//! Children keep their source order: the order of an object's keys is read from it.

use crate::grammar::policy::SurfacePolicy;
use crate::grammar::regex::Regex;
use crate::grammar::sentence::Sentences;
use crate::index::NodeId;

/// A set of JSON value kinds; `true` and `false` are kinds of their own, so `const: true` is a kind set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Kinds(pub u8);

impl Kinds {
    /// The empty set.
    pub const NONE: Kinds = Kinds(0);
    /// `null`.
    pub const NULL: Kinds = Kinds(1);
    /// `true`.
    pub const TRUE: Kinds = Kinds(2);
    /// `false`.
    pub const FALSE: Kinds = Kinds(4);
    /// A number.
    pub const NUMBER: Kinds = Kinds(8);
    /// A string.
    pub const STRING: Kinds = Kinds(16);
    /// An array.
    pub const ARRAY: Kinds = Kinds(32);
    /// An object.
    pub const OBJECT: Kinds = Kinds(64);
    /// `true` and `false`.
    pub const BOOLEAN: Kinds = Kinds(6);
    /// Every kind.
    pub const ALL: Kinds = Kinds(127);

    /// Whether every kind of `other` is in this set.
    #[must_use]
    pub fn contains(self, other: Kinds) -> bool {
        self.0 & other.0 == other.0
    }

    /// Kinds in either set.
    #[must_use]
    pub fn union(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    /// Kinds in both sets.
    #[must_use]
    pub fn intersection(self, other: Kinds) -> Kinds {
        Kinds(self.0 & other.0)
    }
}

/// A node of the program.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// True of every value.
    True,
    /// True of no value.
    False,
    /// The value's kind is in the set. (`integer` is `Kind(NUMBER)` and a `Number` node.)
    Kind(Kinds),
    /// If a string: its decoded text is in the language (whole-text match).
    Text(Regex),
    /// If a string: its decoded text is one of the grammar.
    Sentence(Sentences),
    /// If a number: its spelling is in the language. Spellings outside the policy's number syntax
    /// (`grammar::number::syntax`) may be in it too: the automaton intersects with the syntax.
    Number(Regex),
    /// If an object: each member's value satisfies all that applies to its name.
    Members(MemberRule),
    /// If an object: at least one member's value satisfies some of what applies to its name.
    SomeMember(MemberRule),
    /// If an object: at least so many members.
    MinMembers(u64),
    /// If an object: at most so many members.
    MaxMembers(u64),
    /// If an object: it has a member of this name.
    Required(Box<str>),
    /// If an array: all items but `except` at most satisfy the node at their position.
    Items {
        /// By position.
        prefix: Vec<NodeId>,
        /// Every later position.
        rest: NodeId,
        /// How many need not.
        except: u64,
    },
    /// If an array: at least `count` items satisfy the node at their position.
    AtLeast {
        /// How many, from 1.
        count: u64,
        /// By position.
        prefix: Vec<NodeId>,
        /// Every later position.
        rest: NodeId,
    },
    /// If an array: at least so many items.
    MinItems(u64),
    /// If an array: at most so many items.
    MaxItems(u64),
    /// If an array: no two items are equal as JSON values.
    Unique,
    /// If an array: some two items are equal as JSON values.
    Repeated,
    /// All children hold.
    All(Vec<NodeId>),
    /// At least one child holds.
    Any(Vec<NodeId>),
}

/// What applies to the members of an object, by name.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MemberRule {
    /// Names in source order, each once.
    pub properties: Vec<(Box<str>, NodeId)>,
    /// Languages of names (the whole name matches); all that match a name apply to it, besides `properties`.
    pub patterns: Vec<(Regex, NodeId)>,
    /// What applies to names to which nothing else does.
    pub rest: NodeId,
    /// Whether the names of `properties` count as declared for the order of keys.
    pub names: NamesAre,
}

/// Whether names count as declared for the order of keys.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NamesAre {
    /// In source order with all other declared ones.
    Declared,
    /// Like the names of `required`: after all declared ones.
    Mentioned,
}

impl MemberRule {
    /// Only names listed, all others the same.
    #[must_use]
    pub fn plain(properties: Vec<(Box<str>, NodeId)>, rest: NodeId) -> Self {
        Self { properties, patterns: Vec::new(), rest, names: NamesAre::Declared }
    }

    /// The same names with other nodes.
    #[must_use]
    pub fn map(&self, mut node: impl FnMut(NodeId) -> NodeId) -> Self {
        Self {
            properties: self.properties.iter().map(|(name, id)| (name.clone(), node(*id))).collect(),
            patterns: self.patterns.iter().map(|(regex, id)| (regex.clone(), node(*id))).collect(),
            rest: node(self.rest),
            names: self.names,
        }
    }

    /// All nodes, in order.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        let patterns = self.patterns.iter().map(|(_, id)| *id);
        self.properties.iter().map(|(_, id)| *id).chain(patterns).chain([self.rest])
    }
}

impl Node {
    /// The nodes that it refers to, in order.
    pub fn for_each_child(&self, mut visit: impl FnMut(NodeId)) {
        match self {
            Self::Members(rule) | Self::SomeMember(rule) => rule.nodes().for_each(visit),
            Self::Items { prefix, rest, .. } | Self::AtLeast { prefix, rest, .. } => {
                prefix.iter().for_each(|id| visit(*id));
                visit(*rest);
            }
            Self::All(children) | Self::Any(children) => children.iter().for_each(|id| visit(*id)),
            _ => {}
        }
    }
}

/// The whole program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SchemaProgram {
    /// All nodes.
    pub nodes: Vec<Node>,
    /// For each node the JSON Pointer of the schema location it came from, for messages.
    pub places: Vec<Box<str>>,
    /// Pairs of nodes of which no value satisfies both: one is the opposite of the other.
    pub opposites: Vec<(NodeId, NodeId)>,
    /// What the document must satisfy.
    pub root: NodeId,
    /// Which spellings are generated.
    pub policy: SurfacePolicy,
}
