//! Grammars on the automaton: what an item of a rule has still to match, and how a set of items moves.
//!
//! A *position* is what an item must still match of its rule: parts, one after the other. A *net state* is a set of
//! positions over one frame or, where parses differ in what lies below them, a set of states, each over a frame of
//! its own. Frames are sets too: if one rule is called from several places at once, it runs once, and its frame has a
//! member for each of them (the graph-structured stack of Tomita, 1985, without positions in the text: equal stacks
//! are one wherever they arose).
//!
//! States stay few because of five things. A call that is the last thing its caller does leaves no member: the callee
//! returns to whoever the caller returns to. A position that matches nothing more is popped at once. A
//! caller that waits for a repetition behind the same repetition waits once (`frames.rs`). Who waits over a frame that
//! another one covers is forgotten (`covers.rs`). Left recursion has been removed before (`grammar/passes/left.rs`), so
//! nothing is entered twice without having read something.
//!
//! Every part can be completed (`grammar/passes/productive.rs` and the emptiness of terms see to it), so a live state
//! needs no look at the stack.
//!
//! Read in this order: `part`, `load`, `leaves`, `frames`, `covers`, `reached`, `net` (single sets), `moves` (the general case), `class` and
//! `position` (tokens).

pub(crate) mod class;
mod covers;
mod frames;
pub(crate) mod least;
mod leaves;
mod load;
mod moves;
mod net;
mod open;
mod part;
pub(crate) mod position;
mod product;
pub(crate) mod reached;
mod words;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use rustc_hash::FxBuildHasher;

use crate::automaton::class::Region;
use crate::automaton::heap::memo_bytes;
use crate::automaton::interner::Interner;
use crate::automaton::keyed::Keyed;
use crate::automaton::lexeme::LexId;
use crate::automaton::state::Op;
use crate::automaton::universe::Memo;
use crate::index::{FrameId, StateId, TokenId, widen};
use crate::limits;
use crate::vocab::{ByteSet, TokenTrie};

pub(crate) use frames::{NET_ROOT, SEVERAL_RET};
pub(crate) use load::LoadedGrammar;
pub(crate) use net::NetEdge;
pub(crate) use part::{END, PosId};

use class::TextClass;
use frames::Member;
use leaves::Leaves;
use net::{Net, NetRow};
use part::{Part, Position};
use position::{PositionClass, Splits};

/// A rule of some loaded grammar.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct RuleAt(u32);

/// What is known of a loaded rule.
#[derive(Debug)]
struct RuleData {
    /// As in the grammar that was loaded first of those that share it, for people.
    name: Box<str>,
    nullable: bool,
    /// It matches what any number of it in a row match.
    loops: bool,
    body: OnceLock<PosId>,
    /// The bytes with which its nonempty texts begin.
    first: OnceLock<ByteSet>,
}

/// Where one byte leads a configuration.
type Target = Option<(StateId, FrameId, Op)>;

/// The tables of loaded grammars, part of a universe.
pub(crate) struct Rules {
    rules: boxcar::Vec<RuleData>,
    /// The start rules of grammars by their content: equal ones have the same rules.
    loaded: Memo<load::Content, RuleAt>,
    parts: Keyed<Part, OnceLock<bool>>,
    positions: Keyed<Position, PositionData>,
    nets: Keyed<Net, NetRow>,
    /// Frames with several members.
    members: Interner<Box<[Member]>>,
    /// Whether whatever may follow over the second frame may follow over the first.
    covers: Memo<(FrameId, FrameId), bool>,
    /// What all returns from a frame lead to.
    returns: Memo<FrameId, reached::Returns>,
    letters: Interner<Box<[TokenId]>>,
    moves: Memo<(StateId, FrameId, u8), Target>,
    classes: Memo<(LexId, Region), Arc<TextClass>>,
    /// The splits of text classes.
    split_texts: Interner<Splits>,
    splits: Memo<(LexId, Region, ByteSet), Option<Option<Region>>>,
    /// `None` where a walk has to take all ways.
    position_classes: Memo<(PosId, Region), Option<Arc<PositionClass>>>,
    /// What remains of tokens that leave a text or a position.
    suffixes: Interner<TokenTrie>,
    /// Items of all lists kept: each table may have few entries, and these many items each.
    listed: AtomicUsize,
}

/// What is found out about a position.
#[derive(Default, Debug)]
struct PositionData {
    leaves: OnceLock<Leaves>,
    /// The bytes that can be read first.
    first: OnceLock<ByteSet>,
}

impl Rules {
    pub(crate) fn new() -> Self {
        let rules = Self {
            rules: boxcar::Vec::new(),
            loaded: Memo::with_hasher(FxBuildHasher),
            parts: Keyed::new(),
            positions: Keyed::new(),
            nets: Keyed::new(),
            members: Interner::new(),
            covers: Memo::with_hasher(FxBuildHasher),
            returns: Memo::with_hasher(FxBuildHasher),
            letters: Interner::new(),
            moves: Memo::with_hasher(FxBuildHasher),
            classes: Memo::with_hasher(FxBuildHasher),
            split_texts: Interner::new(),
            splits: Memo::with_hasher(FxBuildHasher),
            position_classes: Memo::with_hasher(FxBuildHasher),
            suffixes: Interner::new(),
            listed: AtomicUsize::new(0),
        };
        assert_eq!(rules.positions.intern_key(&Position::End), END.0, "the first position is the end");
        rules
    }

    /// Whether no grammar has been loaded.
    #[inline]
    pub(crate) fn is_unused(&self) -> bool {
        self.nets.len() == 0
    }

    /// Number of net states.
    pub(crate) fn len(&self) -> usize {
        self.nets.len()
    }

    /// The size of the largest table.
    pub(crate) fn largest(&self) -> usize {
        let lens = [
            self.parts.len(),
            self.positions.len(),
            self.nets.len(),
            self.moves.len(),
            self.members.len(),
            self.covers.len(),
            self.suffixes.len(),
            self.split_texts.len(),
            self.position_classes.len(),
        ];
        lens.into_iter().max().unwrap_or(0)
    }

    /// About what the tables take, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        [
            self.parts.bytes(),
            self.positions.bytes(),
            self.nets.bytes(),
            self.members.bytes(),
            self.letters.bytes(),
            self.split_texts.bytes(),
            self.suffixes.bytes(),
            memo_bytes(&self.covers),
            memo_bytes(&self.returns),
            memo_bytes(&self.moves),
            memo_bytes(&self.classes),
            memo_bytes(&self.splits),
            memo_bytes(&self.position_classes),
            self.listed.load(Ordering::Relaxed) * size_of::<(u32, u32)>(),
        ]
        .into_iter()
        .sum()
    }

    /// Whether lists have as many items as they may.
    pub(crate) fn are_lists_full(&self) -> bool {
        self.listed.load(Ordering::Relaxed) >= limits::GRAMMAR_LISTED_MAX
    }

    /// Counts the items of a list that is kept.
    fn list(&self, items: usize) {
        self.listed.fetch_add(items, Ordering::Relaxed);
    }

    /// Counts the items of a list that has been interned in a table, if it is new there.
    fn list_interned(&self, len_before: usize, id: u32, items: usize) {
        if widen(id) >= len_before {
            self.list(items);
        }
    }

    /// A trie of what remains of tokens.
    pub(crate) fn suffixes(&self, table: u32) -> &TokenTrie {
        self.suffixes.get(table)
    }

    fn rule(&self, rule: RuleAt) -> &RuleData {
        &self.rules[widen(rule.0)]
    }
}
