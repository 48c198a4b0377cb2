//! How much a universe takes, and whether that is too much.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::automaton::byte_classes::ByteClasses;
use crate::automaton::heap::memo_bytes;
use crate::automaton::universe::Universe;
use crate::error::Exhausted;
use crate::limits;

/// The budget of a universe, and what is not counted by its tables.
pub(crate) struct Room {
    /// How many bytes may be taken in all.
    max: usize,
    /// What rows take that are filled in later, and lists beside entries, in bytes.
    rows: AtomicUsize,
    /// How often it was asked whether there is room.
    asked: AtomicUsize,
    /// No call should begin in the universe any more.
    full: AtomicBool,
}

/// Of so many questions whether there is room, one looks at the bytes.
const LOOK_EVERY: usize = 256;

impl Room {
    pub(crate) fn new(max: usize) -> Self {
        Self { max, rows: AtomicUsize::new(0), asked: AtomicUsize::new(0), full: AtomicBool::new(false) }
    }
}

impl Universe {
    /// Refuses to grow beyond the limits of tables; asked wherever a row or a mask is computed for the first time. Beyond the budget of
    /// bytes the call goes on, and the next one begins in another universe.
    pub(crate) fn check_room(&self) -> Result<(), Exhausted> {
        self.look_at_size();
        let largest = [
            self.lexes.len(),
            self.keys.len(),
            self.controls.len(),
            self.runs.len(),
            self.formulas.len(),
            self.terms.len(),
            self.rules.largest(),
        ];
        let is_full = largest.into_iter().any(|len| len >= limits::UNIVERSE_ENTRIES_MAX);
        match (is_full, self.rules.are_lists_full()) {
            (true, _) => Err(self.full()),
            (false, true) => {
                self.retire();
                Err(full_lists())
            }
            (false, false) => Ok(()),
        }
    }

    /// Looks now and then whether more bytes are taken than may be.
    pub(crate) fn look_at_size(&self) {
        let asked = self.room.asked.fetch_add(1, Ordering::Relaxed);
        if asked.is_multiple_of(LOOK_EVERY) && self.bytes() > self.room.max {
            self.retire();
        }
    }

    /// Counts what a row takes.
    pub(crate) fn keep_row(&self, bytes: usize) {
        self.room.rows.fetch_add(bytes, Ordering::Relaxed);
    }

    /// About what everything takes, in bytes: the vocabulary's own tables apart.
    pub(crate) fn bytes(&self) -> usize {
        self.tables().into_iter().map(|(_, bytes)| bytes).sum()
    }

    /// About what each table takes, in bytes.
    pub(crate) fn tables(&self) -> Vec<(&'static str, usize)> {
        let rules = self.rules.bytes();
        vec![
            ("classes and masks", self.budget.taken()),
            ("masks by place", memo_bytes(&self.masks) + memo_bytes(&self.combinations)),
            ("terms", self.terms.bytes()),
            ("rows", self.room.rows.load(Ordering::Relaxed)),
            ("texts", self.lexes.bytes() + self.vectors.bytes() + self.outcomes.bytes()),
            ("keys", self.keys.bytes()),
            ("controls", self.controls.bytes() + self.rets.bytes() + memo_bytes(&self.returns)),
            ("frames", self.frames.bytes()),
            ("formulas", self.formulas.bytes() + self.names.bytes() + self.orders.bytes()),
            ("values", self.values.bytes() + self.arrays.bytes()),
            ("objects", self.runs.bytes() + self.name_lists.bytes()),
            ("questions", self.question_bytes()),
            (
                "grammars",
                rules + self.lexings.bytes() + self.sentences.bytes() + memo_bytes(&self.program_links),
            ),
        ]
    }

    /// What the memos of questions take.
    fn question_bytes(&self) -> usize {
        [
            memo_bytes(&self.sentence_memo),
            memo_bytes(&self.ways_memo),
            memo_bytes(&self.sentence_rules),
            memo_bytes(&self.kind_memo),
            memo_bytes(&self.term_memo),
            memo_bytes(&self.satisfiable_memo),
            memo_bytes(&self.opposites),
            memo_bytes(&self.implies_memo),
            memo_bytes(&self.domain_memo),
            memo_bytes(&self.text_counts),
            memo_bytes(&self.byte_classes) + self.byte_classes.len() * size_of::<ByteClasses>(),
            memo_bytes(&self.applies_memo),
            memo_bytes(&self.key_classes),
            memo_bytes(&self.few_names),
            memo_bytes(&self.others_memo),
            memo_bytes(&self.key_events),
            memo_bytes(&self.last_chance_memo),
            memo_bytes(&self.has_key_memo),
            memo_bytes(&self.plain_names),
            memo_bytes(&self.varies_memo),
            memo_bytes(&self.item_events),
        ]
        .into_iter()
        .sum()
    }

    /// A table has as many entries as it may.
    pub(crate) fn full(&self) -> Exhausted {
        self.retire();
        full()
    }

    /// Whether calls should begin in another universe.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.room.full.load(Ordering::Relaxed)
    }

    /// Says that another universe takes the place of this one.
    pub(crate) fn retire(&self) {
        self.room.full.store(true, Ordering::Relaxed);
    }
}

fn full_lists() -> Exhausted {
    Exhausted {
        place: format!(
            "a new state of a grammar: the lists of the universe hold {} items (GRAMMAR_LISTED_MAX)",
            limits::GRAMMAR_LISTED_MAX
        ),
    }
}

fn full() -> Exhausted {
    Exhausted {
        place: format!(
            "a new state: the universe holds {} entries of one kind (UNIVERSE_ENTRIES_MAX)",
            limits::UNIVERSE_ENTRIES_MAX
        ),
    }
}
