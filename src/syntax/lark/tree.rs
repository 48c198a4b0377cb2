//! A grammar in Lark's notation as read: definitions whose bodies are nodes of one arena, children before parents.

use rustc_hash::FxHashMap;

use crate::grammar::rules::TokenSet;
use crate::syntax::schema::Entry;

/// The place of a node in the arena.
pub(super) type NodeAt = usize;

/// A node, and where it starts.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) byte: usize,
}

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Kind {
    /// `"…"` and `"…"i`.
    Text { text: Box<str>, case: Case },
    /// `"a".."z"`.
    Range(char, char),
    /// `/…/flags`: what stands between the slashes, and behind them.
    Pattern { source: Box<str>, flags: Box<str> },
    /// A terminal of the common ones, as an ECMA-262 pattern.
    Common(&'static str),
    /// The name of a rule or terminal.
    Name(Box<str>),
    /// `name{…}`.
    Template { name: Box<str>, arguments: Vec<NodeAt> },
    /// `<name>` and `<[1-5,7]>`.
    Tokens(TokenSet),
    /// `%regex {"substring_…": …}`: the chunks whose runs it matches.
    Runs(Vec<Box<str>>),
    /// `%json`: the bytes of the schema.
    Json { from: usize, to: usize },
    /// One after the other.
    Sequence(Vec<NodeAt>),
    /// At least one of them.
    Choice(Vec<NodeAt>),
    /// All of them: `&`.
    All(Vec<NodeAt>),
    /// `~…`.
    Not(NodeAt),
    /// So many times.
    Repeat { body: NodeAt, min: u32, max: Option<u32> },
}

/// Whether case counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Case {
    Counts,
    Ignored,
}

impl Kind {
    /// The nodes that it is made of.
    pub(super) fn children(&self) -> &[NodeAt] {
        match self {
            Self::Sequence(children) | Self::Choice(children) | Self::All(children) => children,
            Self::Template { arguments, .. } => arguments,
            Self::Not(body) | Self::Repeat { body, .. } => std::slice::from_ref(body),
            _ => &[],
        }
    }
}

/// A rule or a terminal.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub(super) name: Box<str>,
    pub(super) byte: usize,
    pub(super) parameters: Vec<Box<str>>,
    pub(super) priority: i32,
    /// How much of the text is taken where more than one beginning matches.
    pub(super) lazy: Lazy,
    pub(super) body: NodeAt,
}

/// The options of a rule that make it a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lazy {
    /// None.
    No,
    /// `[lazy]`: the shortest match.
    Yes,
    /// `[suffix=…]`: the shortest match with this behind it.
    Suffix(NodeAt),
    /// `[stop=…]`: the same, where nothing that follows is to be read from the text of this.
    Stop(NodeAt),
    /// `[stop=""]`: the longest match, up to the end of the whole text.
    ToEnd,
}

impl Definition {
    pub(super) fn is_terminal(&self) -> bool {
        is_terminal(&self.name) || self.lazy != Lazy::No
    }
}

/// Whether the name is one of a terminal.
pub(super) fn is_terminal(name: &str) -> bool {
    name.trim_start_matches('_').starts_with(|c: char| c.is_ascii_uppercase())
}

/// A whole grammar.
#[derive(Default, Debug)]
pub(super) struct Document {
    pub(super) nodes: Vec<Node>,
    pub(super) definitions: Vec<Definition>,
    pub(super) ignored: Vec<NodeAt>,
    /// What the report says about options of rules.
    pub(super) reported: Vec<Entry>,
    by_name: FxHashMap<Box<str>, usize>,
}

impl Document {
    pub(super) fn push(&mut self, kind: Kind, byte: usize) -> NodeAt {
        self.nodes.push(Node { kind, byte });
        self.nodes.len() - 1
    }

    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// Adds a definition whose name is new.
    pub(super) fn add(&mut self, definition: Definition) {
        self.by_name.insert(definition.name.clone(), self.definitions.len());
        self.definitions.push(definition);
    }
}
