//! Registers: the other names that open objects have used, and the values of items where no two may be equal.
//!
//! A register stands for the names and, inside an array that compares its items, for those items too: the two are chains of their
//! own, so that each is read as if the other were not there.
//!
//! A persistent stack beside the frames, as nodes in an arena that a matcher shares with its forks. Nodes are only ever
//! added, so an older register stays valid; a fork copies the arena when it first adds to it. A node's parent comes
//! before it, so a matcher that goes back can forget the last nodes: a draft that is taken back leaves nothing behind.

use std::sync::Arc;

use crate::automaton::canonical::canonical;
use crate::automaton::state::Op;
use crate::index::{narrow, widen};

/// The arena. Cloning is O(1); 24 bytes a key byte while a key is open, and one name a used name; 48 bytes a byte inside arrays
/// that compare their items, and one value an item.
#[derive(Clone, Default, Debug)]
pub struct Registers {
    nodes: Arc<Vec<Node>>,
    /// How many of the nodes are in use; later ones are forgotten, and go when a node is added.
    len: usize,
}

impl Registers {
    /// The greatest register in use: what [`Registers::forget_above`] takes to undo all that is added from now on.
    pub(crate) fn greatest(&self) -> u32 {
        narrow(self.len)
    }

    /// Forgets the registers greater than the one given; O(1).
    pub(crate) fn forget_above(&mut self, register: u32) {
        self.len = self.len.min(widen(register));
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Node {
    /// An object that tracks other names.
    Scope { parent: u32 },
    /// A name used in it.
    Name { parent: u32, name: Arc<str> },
    /// A byte of the key under way, as spelled.
    Byte { parent: u32, byte: u8 },
    /// The names, and the items beside them.
    Both { names: u32, items: u32 },
    /// An array that compares its items.
    Items { parent: u32 },
    /// A byte of an item under way, as spelled, or between two.
    Text { parent: u32, byte: u8 },
    /// An item has ended.
    Used { parent: u32, item: Arc<UsedItem> },
    /// An array that compares its items has closed inside an item of another.
    Closed { parent: u32 },
}

/// An item whose value is used.
#[derive(Debug)]
pub(crate) struct UsedItem {
    /// The register of the one before, or of the array.
    previous: u32,
    /// In canonical form.
    value: Box<[u8]>,
}

/// The register with nothing in it.
pub(crate) const EMPTY: u32 = 0;

/// Where nodes are kept. A register is a node's position plus one.
pub(crate) trait Store {
    /// The node of a register; `None` for the empty one.
    fn node(&self, register: u32) -> Option<&Node>;
    /// Adds a node.
    fn push(&mut self, node: Node) -> u32;

    /// The names, and the items beside them.
    fn split(&self, register: u32) -> (u32, u32) {
        match self.node(register) {
            Some(&Node::Both { names, items }) => (names, items),
            _ => (register, EMPTY),
        }
    }

    fn join(&mut self, names: u32, items: u32) -> u32 {
        if items == EMPTY { names } else { self.push(Node::Both { names, items }) }
    }

    /// Applies what one byte does; `None` if it would use a name twice.
    fn apply(&mut self, register: u32, op: Op, byte: u8) -> Option<u32> {
        if op == Op::None {
            return Some(register);
        }
        let (names, items) = self.split(register);
        Some(match op {
            Op::OpenItems => {
                let items = self.push(Node::Items { parent: items });
                self.join(names, items)
            }
            Op::CloseItems => {
                let items = self.without_items(items);
                self.join(names, items)
            }
            _ => {
                let names = self.apply_to_names(names, op, byte)?;
                self.join(names, items)
            }
        })
    }

    /// Keeps a byte inside an array that compares its items.
    fn read_item_byte(&mut self, register: u32, byte: u8) -> u32 {
        let (names, items) = self.split(register);
        let items = self.push(Node::Text { parent: items, byte });
        self.join(names, items)
    }

    /// Ends an item, and tells whether its value is used already.
    fn end_item(&mut self, register: u32) -> (u32, bool) {
        let (names, items) = self.split(register);
        let (text, previous) = self.item_text(items);
        let value = canonical(&text).into_boxed_slice();
        let mut at = previous;
        let mut is_used = false;
        while let Some(Node::Used { item, .. }) = self.node(at) {
            is_used |= item.value == value;
            at = item.previous;
        }
        let items = self.push(Node::Used { parent: items, item: Arc::new(UsedItem { previous, value }) });
        (self.join(names, items), is_used)
    }

    /// The bytes since the last item of the innermost array, and the register of that item or of the array.
    fn item_text(&self, items: u32) -> (Vec<u8>, u32) {
        let mut text = Vec::new();
        let mut at = items;
        let mut inner = 0;
        loop {
            at = match self.node(at) {
                Some(&Node::Text { parent, byte }) => {
                    text.push(byte);
                    parent
                }
                Some(&Node::Closed { parent }) => {
                    inner += 1;
                    parent
                }
                Some(&Node::Items { parent }) if inner > 0 => {
                    inner -= 1;
                    parent
                }
                Some(Node::Used { parent, .. }) if inner > 0 => *parent,
                _ => break,
            };
        }
        text.reverse();
        (text, at)
    }

    /// The values of the items before the one under way, in canonical form.
    fn used_values(&self, register: u32) -> impl Iterator<Item = &[u8]> {
        let mut at = self.item_text(self.split(register).1).1;
        std::iter::from_fn(move || match self.node(at)? {
            Node::Used { item, .. } => {
                at = item.previous;
                Some(&*item.value)
            }
            _ => None,
        })
    }

    /// What has been read of the item under way, as spelled from its first byte on; `None` if no item has ended before.
    fn item_under_way(&self, register: u32) -> Option<Vec<u8>> {
        let (mut text, previous) = self.item_text(self.split(register).1);
        matches!(self.node(previous), Some(Node::Used { .. })).then(|| {
            let begins = text.iter().position(|b| !matches!(b, b',' | b' ' | b'\t' | b'\n' | b'\r'));
            text.drain(..begins.unwrap_or(text.len()));
            text
        })
    }

    /// Whether the innermost item plainly is the one that it was when there was no register above this one: no array that compares its items
    /// has opened or closed since, and no item ended.
    fn is_same_item(&self, register: u32, greatest: u32) -> bool {
        let mut at = self.split(register).1;
        while at > greatest {
            let Some(&Node::Text { parent, .. }) = self.node(at) else { return false };
            at = parent;
        }
        true
    }

    /// After the innermost array that compares its items: its text stays where it is part of another's item.
    fn without_items(&mut self, items: u32) -> u32 {
        let mut at = self.item_text(items).1;
        while let Some(Node::Used { item, .. }) = self.node(at) {
            at = item.previous;
        }
        match self.node(at) {
            Some(Node::Items { parent: EMPTY }) => EMPTY,
            _ => self.push(Node::Closed { parent: items }),
        }
    }

    fn apply_to_names(&mut self, register: u32, op: Op, byte: u8) -> Option<u32> {
        Some(match op {
            Op::OpenScope => self.push(Node::Scope { parent: register }),
            Op::KeyByte => self.push(Node::Byte { parent: register, byte }),
            Op::CloseKnown => self.without_key(register),
            Op::CloseOther => {
                let name = decoded(&self.key_bytes(register));
                let scope = self.without_key(register);
                if self.names(scope).any(|used| used == &*name) {
                    return None;
                }
                self.push(Node::Name { parent: scope, name: name.into() })
            }
            Op::CloseScope => {
                let mut at = register;
                loop {
                    match self.node(at)? {
                        Node::Scope { parent } => break *parent,
                        Node::Name { parent, .. } | Node::Byte { parent, .. } => at = *parent,
                        _ => return None,
                    }
                }
            }
            Op::None | Op::OpenItems | Op::CloseItems => register,
        })
    }

    /// The spelled bytes of the key under way.
    fn key_bytes(&self, register: u32) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut at = self.split(register).0;
        while let Some(Node::Byte { parent, byte }) = self.node(at) {
            bytes.push(*byte);
            at = *parent;
        }
        bytes.reverse();
        bytes
    }

    fn without_key(&self, register: u32) -> u32 {
        let mut at = self.split(register).0;
        while let Some(Node::Byte { parent, .. }) = self.node(at) {
            at = *parent;
        }
        at
    }

    /// The names used in the innermost object, latest first.
    fn names(&self, register: u32) -> impl Iterator<Item = &str> {
        let mut at = self.without_key(register);
        std::iter::from_fn(move || match self.node(at)? {
            Node::Name { parent, name } => {
                at = *parent;
                Some(&**name)
            }
            _ => None,
        })
    }
}

impl Store for Registers {
    fn node(&self, register: u32) -> Option<&Node> {
        self.nodes[..self.len].get(widen(register.checked_sub(1)?))
    }

    fn push(&mut self, node: Node) -> u32 {
        if Arc::get_mut(&mut self.nodes).is_none() {
            self.nodes = Arc::new(self.nodes[..self.len].to_vec());
        }
        let nodes = Arc::get_mut(&mut self.nodes).expect("shared with nobody");
        nodes.truncate(self.len);
        nodes.push(node);
        self.len = nodes.len();
        narrow(self.len)
    }
}

/// A look ahead: nodes of its own above registers that stay as they are.
pub(crate) struct Overlay<'a> {
    below: &'a Registers,
    above: Vec<Node>,
}

impl<'a> Overlay<'a> {
    pub(crate) fn new(below: &'a Registers) -> Self {
        Self { below, above: Vec::new() }
    }
}

impl Store for Overlay<'_> {
    fn node(&self, register: u32) -> Option<&Node> {
        match widen(register).checked_sub(self.below.len + 1) {
            Some(above) => self.above.get(above),
            None => self.below.node(register),
        }
    }

    fn push(&mut self, node: Node) -> u32 {
        self.above.push(node);
        narrow(self.below.len + self.above.len())
    }
}

/// The text of a key whose bytes the automaton has accepted.
fn decoded(spelled: &[u8]) -> String {
    let mut quoted = Vec::with_capacity(spelled.len() + 2);
    quoted.push(b'"');
    quoted.extend_from_slice(spelled);
    quoted.push(b'"');
    serde_json::from_slice(&quoted).expect("the automaton accepted the key's spelling")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(registers: &mut impl Store, register: u32, key: &str) -> Option<u32> {
        let with_key = key.bytes().try_fold(register, |at, b| registers.apply(at, Op::KeyByte, b))?;
        registers.apply(with_key, Op::CloseOther, b'"')
    }

    #[test]
    fn a_name_is_used_once_whatever_its_spelling() {
        let mut registers = Registers::default();
        let open = registers.apply(EMPTY, Op::OpenScope, b'{').unwrap();
        let a = read(&mut registers, open, "a").unwrap();
        assert_eq!(read(&mut registers, a, "a"), None);
        assert_eq!(read(&mut registers, a, r"\u0061"), None);
        let b = read(&mut registers, a, "b").unwrap();
        assert_eq!(registers.names(b).collect::<Vec<_>>(), ["b", "a"]);
        let inner = registers.apply(b, Op::OpenScope, b'{').unwrap();
        assert!(read(&mut registers, inner, "a").is_some());
        assert_eq!(registers.apply(inner, Op::CloseScope, b'}'), Some(b));
    }

    #[test]
    fn items_are_compared_by_value_at_their_own_level() {
        let mut registers = Registers::default();
        let item = |registers: &mut Registers, at: u32, text: &str| {
            let at = text.bytes().fold(at, |at, byte| registers.read_item_byte(at, byte));
            registers.end_item(at)
        };
        let open = registers.apply(EMPTY, Op::OpenItems, b'[').unwrap();
        let (at, used) = item(&mut registers, open, "1");
        assert!(!used);
        assert_eq!((item(&mut registers, at, ",1.0").1, item(&mut registers, at, ",2").1), (true, false));
        // Names go on beside.
        let scope = registers.apply(at, Op::OpenScope, b'{').unwrap();
        let named = read(&mut registers, scope, "a").unwrap();
        assert_eq!(read(&mut registers, named, "a"), None);
        let at = registers.apply(named, Op::CloseScope, b'}').unwrap();
        assert!(item(&mut registers, at, ",1").1);
        // An inner array has items of its own, and is an item by its text.
        let at = registers.read_item_byte(at, b'[');
        let inner = registers.apply(at, Op::OpenItems, b'[').unwrap();
        let (inner, used) = item(&mut registers, inner, "1");
        assert!(!used);
        assert!(item(&mut registers, inner, ",1").1);
        let at = registers.read_item_byte(inner, b']');
        let at = registers.apply(at, Op::CloseItems, b']').unwrap();
        let (at, used) = registers.end_item(at);
        assert!(!used);
        assert!(item(&mut registers, at, ", [1.0]").1);
        assert!(item(&mut registers, at, ",1").1);
        assert_eq!(registers.apply(at, Op::CloseItems, b']'), Some(EMPTY));
    }

    #[test]
    fn forks_do_not_see_each_other() {
        let mut one = Registers::default();
        let open = one.apply(EMPTY, Op::OpenScope, b'{').unwrap();
        let mut two = one.clone();
        let a = read(&mut one, open, "a").unwrap();
        let b = read(&mut two, open, "b").unwrap();
        assert_eq!(one.names(a).collect::<Vec<_>>(), ["a"]);
        assert_eq!(two.names(b).collect::<Vec<_>>(), ["b"]);
    }

    #[test]
    fn what_is_forgotten_is_gone_here_and_stays_with_the_forks() {
        let mut one = Registers::default();
        let open = one.apply(EMPTY, Op::OpenScope, b'{').unwrap();
        let a = read(&mut one, open, "a").unwrap();
        let before = one.greatest();
        let drafted = read(&mut one, a, "draft").unwrap();
        let fork = one.clone();
        one.forget_above(before);
        assert_eq!((one.greatest(), one.node(drafted).is_none()), (before, true));
        assert_eq!(read(&mut Overlay::new(&one), a, "a"), None);
        let b = read(&mut one, a, "b").unwrap();
        assert_eq!(one.names(b).collect::<Vec<_>>(), ["b", "a"]);
        assert_eq!(fork.names(drafted).collect::<Vec<_>>(), ["draft", "a"]);
        for _ in 0..1_000 {
            one.forget_above(before);
            read(&mut one, a, "b").unwrap();
        }
        assert!(one.nodes.len() < 10, "{} nodes", one.nodes.len());
    }
}
