//! Array runs: what is left of an array's formulas after the items read so far.
//!
//! No index is kept: one item shortens every prefix by one and lowers every count, so equal situations are equal
//! runs. Otherwise as `object.rs`.

use crate::automaton::child::Judged;
use crate::automaton::control::Ret;
use crate::automaton::formula::{FALSE, Formula, TRUE};
use crate::automaton::heap::Heap;
use crate::automaton::object::Member;
use crate::automaton::universe::Universe;
use crate::automaton::value::{DEFAULT_ORDER, Value};
use crate::error::Exhausted;
use crate::grammar::program::Kinds;
use crate::index::FormulaId;

/// An array run, interned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ArrayId(pub(crate) u32);

/// See the module.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ArrayRun {
    pub(crate) must: FormulaId,
    pub(crate) asks: Box<[FormulaId]>,
    /// The atoms in source order (an interned list), or [`DEFAULT_ORDER`].
    pub(crate) order: u32,
    /// Whether equal items mattered when the array opened: then its items are kept in a register.
    pub(crate) compares: bool,
}

impl Universe {
    /// Opens an array; `must` and `asks` are already specialised to arrays.
    pub(crate) fn open_array(
        &self,
        must: FormulaId,
        asks: Box<[FormulaId]>,
        value: &Value,
    ) -> Result<ArrayId, Exhausted> {
        let (_, order) = self.container_order(must, value, Kinds::ARRAY);
        let must = self.with_enough_items(must)?;
        let formulas: Vec<FormulaId> = std::iter::once(must).chain(asks.iter().copied()).collect();
        let compares = self
            .atoms_of(&formulas)
            .iter()
            .any(|&atom| matches!(self.formula(atom), Formula::Unique | Formula::Repeated));
        Ok(self.array_id(ArrayRun { must, asks, order, compares }))
    }

    pub(crate) fn array_id(&self, run: ArrayRun) -> ArrayId {
        ArrayId(self.arrays.intern(run))
    }

    pub(crate) fn array(&self, id: ArrayId) -> &ArrayRun {
        self.arrays.get(id.0)
    }

    /// What happens when another item begins; `None` if the array could not be completed after it.
    pub(crate) fn item_event(&self, id: ArrayId) -> Result<Option<Member>, Exhausted> {
        if let Some(known) = self.item_events.get(&id) {
            return Ok(*known);
        }
        let event = self.find_item_event(self.array(id))?;
        self.item_events.insert(id, event);
        Ok(event)
    }

    fn find_item_event(&self, run: &ArrayRun) -> Result<Option<Member>, Exhausted> {
        let must = self.count_item(run.must);
        if must == FALSE {
            return Ok(None);
        }
        let applies = |atom: FormulaId| Ok(self.applies_to_item(atom));
        let child = self.child_must(must, &applies, &|must| self.array_can_end(self.shift_items(must)))?;
        if !self.satisfiable(child)? {
            return Ok(None);
        }
        let asks: Box<[FormulaId]> = run.asks.iter().map(|&ask| self.count_item(ask)).collect();
        let must_and_asks: Vec<FormulaId> = std::iter::once(must).chain(asks.iter().copied()).collect();
        let atoms = self.atoms_of(&must_and_asks);
        let questions = self.questions(child, &atoms, &applies)?;
        let skeleton = self.container_atoms(run.must, run.order).into_iter();
        let children: Vec<FormulaId> =
            skeleton.map(|atom| self.applies_to_item(atom).unwrap_or(TRUE)).collect();
        let value = self.child_value(child, questions.asked, &children);
        // Prefixes are shortened only after the answers are in: shortened atoms may coincide.
        let pending = ArrayRun {
            must: self.settle_sure(must, &questions.sure),
            asks: asks.iter().map(|&ask| self.settle_sure(ask, &questions.sure)).collect(),
            order: run.order,
            compares: run.compares,
        };
        let ret = self.ret_id(&Ret::Item { run: self.array_id(pending), judged: questions.judged });
        Ok(Some(Member { ret, value }))
    }

    /// The run after an item whose value gave these answers.
    pub(crate) fn array_after(&self, pending: ArrayId, judged: &Judged, answers: &[bool]) -> ArrayId {
        let pending = self.array(pending);
        let keep = |id: FormulaId| self.shift_items(self.judge(id, judged, answers));
        let order = if pending.order == DEFAULT_ORDER {
            DEFAULT_ORDER
        } else {
            let atoms = self.orders.get(pending.order).to_vec();
            self.orders.intern(atoms.into_iter().map(|atom| self.after_item(atom)).collect())
        };
        self.array_id(ArrayRun {
            must: keep(pending.must),
            asks: pending.asks.iter().map(|&ask| keep(ask)).collect(),
            order,
            compares: pending.compares,
        })
    }

    /// The run after an item whose value is that of another; `None` if the array could not be completed.
    pub(crate) fn array_after_repetition(&self, run: ArrayId) -> Result<Option<ArrayId>, Exhausted> {
        let before = self.array(run);
        let decide = |id: FormulaId| {
            self.substitute(id, |atom_id, atom| match atom {
                Formula::Unique => FALSE,
                Formula::Repeated => TRUE,
                _ => atom_id,
            })
        };
        // A question of the parent may be the only one that speaks of equal items.
        let must = decide(before.must);
        let asks: Box<[FormulaId]> = before.asks.iter().map(|&ask| decide(ask)).collect();
        if must == before.must && asks == before.asks {
            return Ok(Some(run));
        }
        if must != before.must && (must == FALSE || !(self.array_end(must) || self.array_can_end(must)?)) {
            return Ok(None);
        }
        Ok(Some(self.array_id(ArrayRun { must, asks, ..before.clone() })))
    }

    /// The truth of an array formula at the closing bracket.
    pub(crate) fn array_end(&self, id: FormulaId) -> bool {
        let end = self.substitute(id, |_, atom| match atom {
            Formula::MinItems(_) | Formula::AtLeast { .. } | Formula::Repeated => FALSE,
            _ => TRUE,
        });
        end == TRUE
    }

    /// Lowers the counts by one item.
    fn count_item(&self, id: FormulaId) -> FormulaId {
        self.substitute(id, |atom_id, atom| match atom {
            Formula::MinItems(n) => self.make(Formula::MinItems(n - 1)),
            Formula::MaxItems(0) => FALSE,
            Formula::MaxItems(n) => self.make(Formula::MaxItems(n - 1)),
            _ => atom_id,
        })
    }

    /// Shortens every prefix by one position.
    fn shift_items(&self, id: FormulaId) -> FormulaId {
        self.substitute(id, |atom_id, _| self.after_item(atom_id))
    }
}

impl Heap for ArrayRun {
    fn heap_bytes(&self) -> usize {
        self.asks.heap_bytes()
    }
}
