//! A schema program: the boolean formula that a JSON Schema means, as a graph.
//!
//! A node is a constant, an atom or a connective. An atom is one assertion about one JSON type; it is
//! true of every value of another type, so `{"maxLength": 3}` is one `Text` node and nothing else.
//! `$ref` is an ordinary edge, so recursion is a cycle; every cycle passes through `Members` or
//! `Items` (the front end refuses others as ill-founded).
//!
//! Children keep their source order: the order of an object's keys is read from it.

use crate::grammar::policy::SurfacePolicy;
use crate::grammar::regex::Regex;
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
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Node {
    /// True of every value.
    True,
    /// True of no value.
    False,
    /// The value's kind is in the set. (`integer` is `Kind(NUMBER)` and a `Number` node.)
    Kind(Kinds),
    /// If a string: its decoded text is in the language (whole-text match).
    Text(Regex),
    /// If a number: its spelling is in the language. Spellings outside the policy's number syntax
    /// (`grammar::number::syntax`) may be in it too: the automaton intersects with the syntax.
    Number(Regex),
    /// If an object: each member's value satisfies the node listed for its name, or `rest`.
    Members {
        /// Declared names in source order, each once.
        properties: Vec<(Box<str>, NodeId)>,
        /// What the values under all other names satisfy.
        rest: NodeId,
    },
    /// If an object: it has a member of this name.
    Required(Box<str>),
    /// If an array: each item satisfies the node at its position, or `rest` past the end of `prefix`.
    Items {
        /// By position.
        prefix: Vec<NodeId>,
        /// Every later position.
        rest: NodeId,
    },
    /// If an array: at least so many items.
    MinItems(u64),
    /// If an array: at most so many items.
    MaxItems(u64),
    /// All children hold.
    All(Vec<NodeId>),
    /// At least one child holds.
    Any(Vec<NodeId>),
}

/// The whole program.
#[derive(Clone, Debug)]
pub struct SchemaProgram {
    /// All nodes.
    pub nodes: Vec<Node>,
    /// For each node the JSON Pointer of the schema location it came from, for messages.
    pub places: Vec<Box<str>>,
    /// What the document must satisfy.
    pub root: NodeId,
    /// Which spellings are generated.
    pub policy: SurfacePolicy,
}
