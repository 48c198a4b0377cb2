//! The universe: every table that the grammars over one vocabulary and one policy share.
//!
//! Everything is interned by value and never changes, so equal situations of different schemas, requests and
//! depths have equal ids. Tables only grow; reads take no lock, an insert locks one shard. A universe that has outgrown its budget is
//! full: the next call begins in another one (`compiler/generations.rs`).

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use dashmap::DashMap;
use rustc_hash::FxBuildHasher;

use crate::automaton::applies::KeyClass;
use crate::automaton::array::{ArrayId, ArrayRun};
use crate::automaton::byte_classes::ByteClasses;
use crate::automaton::class::{Class, Region};
use crate::automaton::control::{Control, ControlRow, ROOT_RET, Ret, RetData};
use crate::automaton::domain::Domain;
use crate::automaton::formula::{Formula, NameId};
use crate::automaton::heap::Heap;
use crate::automaton::interner::Interner;
use crate::automaton::key::{Key, KeyData};
use crate::automaton::keyed::Keyed;
use crate::automaton::lexeme::{LexData, LexKey};
use crate::automaton::lexing::KeptLexings;
use crate::automaton::mask::{Base, MaskEntry};
use crate::automaton::names::NamesData;
use crate::automaton::object::{KeyAt, Member, Run, RunId};
use crate::automaton::others::{OtherNames, Others};
use crate::automaton::padding::PaddingData;
use crate::automaton::room::Room;
use crate::automaton::rules::{END, NET_ROOT, RuleAt, Rules, SEVERAL_RET};
use crate::automaton::sentence::{SentenceId, Way};
use crate::automaton::spelling::Spelling;
use crate::automaton::tables::VocabularyTables;
use crate::automaton::term::Terms;
use crate::automaton::token_set::{Budget, Pool, TokenSet};
use crate::automaton::value::Value;
use crate::automaton::whitespace::Ws;
use crate::error::{CompileError, Exhausted};
use crate::grammar::condition;
use crate::grammar::policy::SurfacePolicy;
use crate::grammar::program::{Kinds, Node};
use crate::grammar::sentence::Sentences;
use crate::index::{FormulaId, FrameId, RetId, StateId, TermId};
use crate::limits;
use crate::vocab::Vocabulary;

/// A memo: a pure function's answers so far.
pub(crate) type Memo<K, V> = DashMap<K, V, FxBuildHasher>;

/// A continuation: what happens when the callee ends, and what is below.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Frame {
    pub(crate) ret: RetId,
    pub(crate) parent: FrameId,
    /// Whether the callee is part of an item that is compared with others.
    pub(crate) compared: bool,
}

/// The next universe's serial number.
static SERIALS: AtomicU64 = AtomicU64::new(1);

/// See the module.
pub(crate) struct Universe {
    pub(crate) vocabulary: Vocabulary,
    pub(crate) policy: SurfacePolicy,
    /// No other universe of this process has it: what a thread keeps for one is not taken for another's.
    pub(crate) serial: u64,
    pub(crate) spelling: Spelling,
    /// The policy's number syntax.
    pub(crate) number_syntax: TermId,

    pub(crate) terms: Terms,
    pub(crate) names: Interner<Box<str>>,
    pub(crate) formulas: Interner<Formula>,
    pub(crate) links: boxcar::Vec<OnceLock<FormulaId>>,
    /// The links of programs with cycles, by all their nodes.
    pub(crate) program_links: Memo<Box<[Node]>, Box<[Option<u32>]>>,
    /// Grammars of which strings are texts.
    pub(crate) sentences: Interner<Sentences>,
    pub(crate) sentence_memo: Memo<FormulaId, bool>,
    pub(crate) ways_memo: Memo<FormulaId, Arc<[Way]>>,
    pub(crate) sentence_rules: Memo<(SentenceId, TermId), Option<RuleAt>>,
    pub(crate) kind_memo: Memo<(FormulaId, Kinds), FormulaId>,
    pub(crate) term_memo: Memo<FormulaId, TermId>,
    pub(crate) satisfiable_memo: Memo<FormulaId, bool>,
    /// Formulas of which no value satisfies both, each way.
    pub(crate) opposites: Memo<FormulaId, FormulaId>,
    pub(crate) implies_memo: Memo<(FormulaId, FormulaId), bool>,
    pub(crate) domain_memo: Memo<FormulaId, Domain>,
    pub(crate) text_counts: Memo<TermId, Domain>,

    pub(crate) vectors: Interner<Box<[TermId]>>,
    pub(crate) outcomes: Interner<Box<[bool]>>,
    pub(crate) lexes: Keyed<LexKey, LexData>,
    pub(crate) byte_classes: Memo<[u8; 256], Arc<ByteClasses>>,

    pub(crate) values: Interner<Value>,
    pub(crate) orders: Interner<Box<[FormulaId]>>,
    pub(crate) name_lists: Keyed<Box<[NameId]>, NamesData>,
    pub(crate) runs: Interner<Run>,
    pub(crate) applies_memo: Memo<(FormulaId, KeyClass), FormulaId>,
    pub(crate) key_classes: Memo<(u32, u32), Arc<[OtherNames]>>,
    pub(crate) few_names: Memo<(u32, u32), u32>,
    pub(crate) others_memo: Memo<RunId, Others>,
    pub(crate) key_events: Memo<(RunId, KeyAt), Option<Member>>,
    pub(crate) last_chance_memo: Memo<RunId, Option<u32>>,
    pub(crate) has_key_memo: Memo<RunId, bool>,
    /// The ranks of known names that plainly may come, as bits.
    pub(crate) plain_names: Memo<(RunId, u32), bool>,
    pub(crate) varies_memo: Memo<RunId, bool>,
    pub(crate) arrays: Interner<ArrayRun>,
    pub(crate) item_events: Memo<ArrayId, Option<Member>>,
    pub(crate) keys: Keyed<Key, KeyData>,

    pub(crate) controls: Keyed<Control, ControlRow>,
    pub(crate) rets: Keyed<Ret, RetData>,
    pub(crate) returns: Memo<(RetId, u32), StateId>,
    pub(crate) frames: Interner<Frame>,
    /// Loaded grammars.
    pub(crate) rules: Rules,
    /// Grammars over lexemes that were compiled.
    pub(crate) lexings: KeptLexings,

    pub(crate) paddings: Keyed<Ws, PaddingData>,
    pub(crate) classes: Memo<(StateId, Region), Arc<Class>>,
    /// Shared with the universes before and after it.
    pub(crate) tables: Arc<VocabularyTables>,
    pub(crate) masks: Memo<(StateId, FrameId), Arc<MaskEntry>>,
    pub(crate) sets: Pool<TokenSet>,
    pub(crate) pool: Pool<MaskEntry>,
    /// The masks that interiors of classes make together; by address, ascending.
    pub(crate) combinations: Memo<Box<[Base]>, Arc<MaskEntry>>,
    pub(crate) budget: Budget,
    pub(crate) room: Room,
    /// Whether computed classes and masks are kept (off: every mask is computed anew, for comparison).
    pub(crate) caching: Caching,
}

/// Whether the token layer keeps what it computes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Caching {
    /// Classes and masks are kept (the default).
    #[default]
    On,
    /// Every class and mask is computed anew, and no completion is guessed: slow, and the same masks.
    Off,
}

impl Universe {
    /// An empty universe.
    ///
    /// # Errors
    /// If the vocabulary can't spell any JSON string character.
    pub(crate) fn new(
        vocabulary: Vocabulary,
        tables: &Arc<VocabularyTables>,
        policy: SurfacePolicy,
        caching: Caching,
        bytes_max: usize,
    ) -> Result<Self, CompileError> {
        let terms = Terms::new();
        let mut present = [true; 256];
        for byte in 0..=u8::MAX {
            present[usize::from(byte)] = !vocabulary.missing_bytes().contains(byte);
        }
        let spelling = Spelling::new(&terms, present);
        spelling.check()?;
        let number_syntax = terms.from_regex(&condition::any(policy.numbers)).expect("within every limit");
        let universe = Self {
            vocabulary,
            policy,
            serial: SERIALS.fetch_add(1, Ordering::Relaxed),
            spelling,
            number_syntax,
            terms,
            names: Interner::new(),
            formulas: Interner::new(),
            links: boxcar::Vec::new(),
            program_links: Memo::default(),
            sentences: Interner::new(),
            sentence_memo: Memo::default(),
            ways_memo: Memo::default(),
            sentence_rules: Memo::default(),
            kind_memo: Memo::default(),
            term_memo: Memo::default(),
            satisfiable_memo: Memo::default(),
            opposites: Memo::default(),
            implies_memo: Memo::default(),
            domain_memo: Memo::default(),
            text_counts: Memo::default(),
            vectors: Interner::new(),
            outcomes: Interner::new(),
            lexes: Keyed::new(),
            byte_classes: Memo::default(),
            values: Interner::new(),
            orders: Interner::new(),
            name_lists: Keyed::new(),
            runs: Interner::new(),
            applies_memo: Memo::default(),
            key_classes: Memo::default(),
            few_names: Memo::default(),
            others_memo: Memo::default(),
            key_events: Memo::default(),
            last_chance_memo: Memo::default(),
            has_key_memo: Memo::default(),
            plain_names: Memo::default(),
            varies_memo: Memo::default(),
            arrays: Interner::new(),
            item_events: Memo::default(),
            keys: Keyed::new(),
            controls: Keyed::new(),
            rets: Keyed::new(),
            returns: Memo::default(),
            frames: Interner::new(),
            rules: Rules::new(),
            lexings: KeptLexings::default(),
            paddings: Keyed::new(),
            classes: Memo::default(),
            tables: Arc::clone(tables),
            masks: Memo::default(),
            sets: Pool::default(),
            pool: Pool::default(),
            combinations: Memo::with_hasher(FxBuildHasher),
            budget: Budget::new(bytes_max),
            room: Room::new(bytes_max),
            caching,
        };
        universe.intern_constants();
        Ok(universe)
    }

    /// The ids that the code names: `TRUE`, `FALSE`, the empty outcome, the root.
    fn intern_constants(&self) {
        let first = [
            self.formulas.intern(Formula::True),
            self.outcomes.intern(Box::from([])),
            self.rets.intern_key(&Ret::Root),
            self.frames.intern(Frame { ret: ROOT_RET, parent: ROOT_FRAME, compared: false }),
        ];
        assert_eq!(first, [0; 4], "the first entry of each table is its constant");
        let boundary = RetId(self.rets.intern_key(&Ret::Boundary));
        let boundary = Frame { ret: boundary, parent: BOUNDARY_FRAME, compared: false };
        let second = [self.formulas.intern(Formula::False), self.frames.intern(boundary)];
        assert_eq!(second, [1; 2], "the second formula is FALSE, the second frame the boundary");
        let third = RetId(self.rets.intern_key(&Ret::Several));
        let end = RetId(self.rets.intern_key(&Ret::Position(END)));
        let root = Frame { ret: end, parent: NET_ROOT, compared: false };
        let root = FrameId(self.frames.intern(root));
        assert_eq!((third, root), (SEVERAL_RET, NET_ROOT), "the third ret and frame are those of grammars");
    }

    pub(crate) fn name_id(&self, name: &str) -> NameId {
        NameId(self.names.intern(name.into()))
    }

    pub(crate) fn name(&self, id: NameId) -> &str {
        self.names.get(id.0)
    }

    /// Pushes a frame.
    #[inline]
    pub(crate) fn push(&self, ret: RetId, parent: FrameId) -> Result<FrameId, Exhausted> {
        if self.frames.len() >= limits::UNIVERSE_ENTRIES_MAX {
            return Err(self.full());
        }
        let compared = self.frames.get(parent.0).compared || self.compares(ret);
        Ok(FrameId(self.frames.intern(Frame { ret, parent, compared })))
    }

    /// Sizes of the tables.
    pub(crate) fn statistics(&self) -> UniverseStatistics {
        UniverseStatistics {
            states: self.controls.len() + self.lexes.len() + self.keys.len() + self.rules.len(),
            frames: self.frames.len(),
            terms: self.terms.len(),
            formulas: self.formulas.len(),
            classes: self.classes.len(),
            masks: self.masks.len(),
            distinct_masks: self.pool.len(),
            mask_bytes: self.budget.taken(),
            bytes: self.bytes(),
            generations_before: 0,
        }
    }
}

/// The frame below the root value.
pub(crate) const ROOT_FRAME: FrameId = FrameId(0);

/// The frame below a value whose surroundings are left open: a walk stops there.
pub(crate) const BOUNDARY_FRAME: FrameId = FrameId(1);

/// How much a universe holds; it is shared by all grammars of one compiler.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct UniverseStatistics {
    /// Control, lexeme and key states.
    pub states: usize,
    /// Continuations.
    pub frames: usize,
    /// Regex terms.
    pub terms: usize,
    /// Formulas.
    pub formulas: usize,
    /// Token classes.
    pub classes: usize,
    /// Cached masks.
    pub masks: usize,
    /// Distinct ones among them.
    pub distinct_masks: usize,
    /// What classes and masks take, in bytes.
    pub mask_bytes: usize,
    /// What all tables take, in bytes, as far as they know: those apart that hang on the vocabulary alone.
    pub bytes: usize,
    /// Universes before this one.
    pub generations_before: u64,
}

impl std::fmt::Debug for Universe {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Universe")
            .field("policy", &self.policy)
            .field("statistics", &self.statistics())
            .finish()
    }
}

impl Heap for Frame {}
