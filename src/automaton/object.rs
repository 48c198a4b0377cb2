//! Object runs: what is left of an object's formulas after the members read so far.
//!
//! A run holds the residual of what the object *must* satisfy and the residuals of the questions it was *asked*.
//! A key decides `Required` atoms and skipped ones; the value under it decides, atom by atom, which `Members` still
//! hold. What the value must satisfy is computed when its key closes, from those clauses only that can still be
//! completed: so every outcome that the value can produce leaves the object completable, and nothing later looks
//! up the stack.

use rustc_hash::FxHashMap;

use crate::automaton::applies::KeyClass;
use crate::automaton::child::Judged;
use crate::automaton::control::Ret;
use crate::automaton::formula::{FALSE, Formula, NameId, TRUE, atom_kind};
use crate::automaton::heap::Heap;
use crate::automaton::others::Others;
use crate::automaton::universe::Universe;
use crate::automaton::value::{DEFAULT_ORDER, Value, ValueId};
use crate::error::Exhausted;
use crate::grammar::policy::KeyOrder;
use crate::grammar::program::Kinds;
use crate::index::{FormulaId, RetId, TermId, narrow, widen};

/// An object run, interned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct RunId(pub(crate) u32);

/// See the module.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Run {
    pub(crate) must: FormulaId,
    pub(crate) asks: Box<[FormulaId]>,
    /// The names known when the object opened, in order.
    pub(crate) names: u32,
    /// The patterns that look at other names (an interned list of terms).
    pub(crate) patterns: u32,
    pub(crate) progress: Progress,
    /// The atoms in source order (an interned list), or [`DEFAULT_ORDER`]: those of `must`.
    pub(crate) order: u32,
    /// The greatest least number of members that any of the atoms asked for when the object opened.
    pub(crate) least: u64,
    /// Names beyond the known ones were possible when the object opened: the names used are kept in a register.
    pub(crate) tracks: Tracks,
}

/// Whether an object keeps the other names it has used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Tracks {
    Nothing,
    OtherNames,
}

/// Which known names may still come.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Progress {
    /// Order `declared`: this rank or later.
    From(u32),
    /// Order `any`: those whose bit is not set.
    Seen(Box<[u64]>),
}

/// What closing a key does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Member {
    /// Where the value returns to.
    pub(crate) ret: RetId,
    /// What the value must satisfy.
    pub(crate) value: ValueId,
}

/// Where a key closes: on a known name, by rank, or on another, by the patterns that match it (an outcome).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum KeyAt {
    Known(u32),
    Other(u32),
}

impl KeyAt {
    fn rank(self) -> Option<u32> {
        match self {
            Self::Known(rank) => Some(rank),
            Self::Other(_) => None,
        }
    }
}

impl Universe {
    /// Opens an object; `must` and `asks` are already specialised to objects.
    pub(crate) fn open_object(
        &self,
        must: FormulaId,
        asks: Box<[FormulaId]>,
        value: &Value,
    ) -> Result<RunId, Exhausted> {
        let (atoms, order) = self.container_order(must, value, Kinds::OBJECT);
        let names = self.known_names(&atoms);
        let closed = self.is_conjunction(must)
            && self.atoms_of(&[must]).iter().any(
                |&atom| matches!(self.formula(atom), Formula::Members(members) if members.rest == FALSE && members.patterns.is_empty()),
            );
        let patterns = self.patterns_of(&atoms);
        let names = self.with_few_names(patterns, names)?;
        let progress = match self.policy.key_order {
            KeyOrder::Declared => Progress::From(0),
            KeyOrder::Any => {
                Progress::Seen(vec![0; self.names_by_rank(names).len().div_ceil(64)].into_boxed_slice())
            }
        };
        let tracks = if closed { Tracks::Nothing } else { Tracks::OtherNames };
        let least = atoms.iter().map(|&atom| match self.formula(atom) {
            Formula::MinMembers(n) => *n,
            _ => 0,
        });
        let least = least.max().unwrap_or(0);
        Ok(self.run_id(Run { must, asks, names, patterns, progress, order, least, tracks }))
    }

    /// The patterns of the atoms, each once.
    fn patterns_of(&self, atoms: &[FormulaId]) -> u32 {
        let mut patterns: Vec<TermId> = Vec::new();
        for &atom in atoms {
            if let Formula::Members(members) | Formula::SomeMember(members) = self.formula(atom) {
                patterns.extend(members.patterns.iter().map(|(term, _)| *term));
            }
        }
        patterns.sort_unstable();
        patterns.dedup();
        self.vector(&patterns)
    }

    pub(crate) fn run_id(&self, run: Run) -> RunId {
        RunId(self.runs.intern(run))
    }

    pub(crate) fn run(&self, id: RunId) -> &Run {
        self.runs.get(id.0)
    }

    /// What happens when a key closes; `None` if the object could not be completed after it.
    pub(crate) fn key_event(&self, run: RunId, at: KeyAt) -> Result<Option<Member>, Exhausted> {
        if !self.may_come(run, at) {
            return Ok(None);
        }
        if let Some(known) = self.key_events.get(&(run, at)) {
            return Ok(*known);
        }
        let event = self.find_key_event(run, at)?;
        self.key_events.insert((run, at), event);
        Ok(event)
    }

    /// Whether a known name may come now: the same answer, but without the event where it is plain.
    pub(crate) fn name_may_come(&self, run: RunId, rank: u32) -> Result<bool, Exhausted> {
        if !self.may_come(run, KeyAt::Known(rank)) {
            return Ok(false);
        }
        if let Some(known) = self.key_events.get(&(run, KeyAt::Known(rank))) {
            return Ok(known.is_some());
        }
        Ok(self.plainly_may_come(run, rank) || self.key_event(run, KeyAt::Known(rank))?.is_some())
    }

    /// The cheap half of the answer: the order allows the name, and skips none that is required.
    fn may_come(&self, run: RunId, at: KeyAt) -> bool {
        let object = self.run(run);
        let KeyAt::Known(rank) = at else { return self.last_chance(run).is_none() };
        may_come(&object.progress, rank) && self.last_chance(run).is_none_or(|last| rank <= last)
    }

    /// In order `declared`, the last name that may come next: if a later one came, some required name would be skipped,
    /// whatever alternative holds. `None` if every name may come as far as this goes.
    fn last_chance(&self, run: RunId) -> Option<u32> {
        let object = self.run(run);
        if !matches!(object.progress, Progress::From(_)) {
            return None;
        }
        if let Some(known) = self.last_chance_memo.get(&run) {
            return *known;
        }
        let last = self.last_rank_before_false(object.names, object.must, &mut FxHashMap::default());
        self.last_chance_memo.insert(run, last);
        last
    }

    /// A conjunction is false once a conjunct is, a disjunction once all its alternatives are.
    fn last_rank_before_false(
        &self,
        names: u32,
        id: FormulaId,
        known: &mut FxHashMap<FormulaId, Option<u32>>,
    ) -> Option<u32> {
        let parts = match self.formula(id) {
            Formula::Required(name) => return self.rank_of(names, *name),
            Formula::All(parts) | Formula::Any(parts) => parts,
            _ => return None,
        };
        if let Some(&last) = known.get(&id) {
            return last;
        }
        let last = stacker::maybe_grow(64 << 10, 1 << 20, || {
            let mut lasts = parts.iter().map(|&part| self.last_rank_before_false(names, part, known));
            if matches!(self.formula(id), Formula::All(_)) {
                lasts.flatten().min()
            } else {
                // One alternative that skips nothing is enough: those behind it are not looked at.
                lasts.try_fold(0, |latest, last| last.map(|last| latest.max(last)))
            }
        });
        known.insert(id, last);
        last
    }

    fn find_key_event(&self, id: RunId, at: KeyAt) -> Result<Option<Member>, Exhausted> {
        let run = self.run(id);
        let decide = |id: FormulaId| self.decide_by_key(run, id, at.rank());
        let must = decide(run.must);
        if must == FALSE {
            return Ok(None);
        }
        let class = match at {
            KeyAt::Known(rank) => KeyClass::Known(self.names_by_rank(run.names)[widen(rank)]),
            KeyAt::Other(matched) => self.class_of_others(id, matched),
        };
        if let KeyClass::Known(name) = class
            && !self.name_is_spellable(self.name(name))
        {
            return Ok(None);
        }
        let applies = |atom: FormulaId| self.applies_to_member(atom, class);
        let progress = self.progress_after(run, at.rank());
        let left = Left::of(run, &progress);
        let child = self.child_must(must, &applies, &|must| self.object_can_end(must, &left))?;
        if !self.satisfiable(child)? {
            return Ok(None);
        }
        let asks: Vec<FormulaId> = run.asks.iter().map(|&ask| decide(ask)).collect();
        let must_and_asks: Vec<FormulaId> = std::iter::once(must).chain(asks.iter().copied()).collect();
        let atoms = self.atoms_of(&must_and_asks);
        let questions = self.questions(child, &atoms, &applies)?;
        let after = Run {
            must: self.settle_sure(must, &questions.sure),
            asks: asks.into_iter().map(|ask| self.settle_sure(ask, &questions.sure)).collect(),
            names: run.names,
            patterns: run.patterns,
            progress,
            order: run.order,
            least: run.least,
            tracks: run.tracks,
        };
        let skeleton = self.container_atoms(run.must, run.order);
        let mut children = Vec::with_capacity(skeleton.len());
        for atom in skeleton {
            children.push(applies(atom)?.unwrap_or(TRUE));
        }
        let value = self.child_value(child, questions.asked, &children);
        let ret = self.ret_id(&Ret::Member { run: self.run_id(after), judged: questions.judged });
        Ok(Some(Member { ret, value }))
    }

    /// Decides what the key alone decides: the name read is there, names that the order has skipped will never be, what only
    /// concerns names that can't come any more holds, and there is one member more.
    fn decide_by_key(&self, run: &Run, id: FormulaId, rank: Option<u32>) -> FormulaId {
        let declared = matches!(run.progress, Progress::From(_));
        self.substitute(id, |atom_id, atom| match atom {
            Formula::MinMembers(n) => self.make(Formula::MinMembers(n - 1)),
            Formula::MaxMembers(0) => FALSE,
            Formula::MaxMembers(n) => self.make(Formula::MaxMembers(n - 1)),
            Formula::Required(name) => {
                let required = self.rank_of(run.names, *name);
                if required.is_some() && required == rank {
                    TRUE
                } else if declared && (rank.is_none() || required < rank) {
                    FALSE
                } else {
                    atom_id
                }
            }
            // The names come in order, so the last one mostly tells.
            Formula::Members(members) if members.is_about_declared() => {
                let is_past = |&(name, _): &(NameId, FormulaId)| {
                    let named = self.rank_of(run.names, name);
                    named != rank && named.is_some_and(|named| self.is_past(run, named, rank))
                };
                if members.properties.iter().rev().all(is_past) { TRUE } else { atom_id }
            }
            _ => atom_id,
        })
    }

    /// Whether a known name can't come any more once another key has been read.
    fn is_past(&self, run: &Run, named: u32, rank: Option<u32>) -> bool {
        match &run.progress {
            Progress::From(_) => rank.is_none_or(|rank| named < rank),
            seen @ Progress::Seen(_) => !may_come(seen, named),
        }
    }

    pub(crate) fn progress_after(&self, run: &Run, rank: Option<u32>) -> Progress {
        match (&run.progress, rank) {
            (Progress::From(_), Some(rank)) => Progress::From(rank + 1),
            (Progress::From(_), None) => Progress::From(narrow(self.names_by_rank(run.names).len())),
            (Progress::Seen(seen), Some(rank)) => {
                let mut seen = seen.clone();
                seen[widen(rank / 64)] |= 1 << (rank % 64);
                Progress::Seen(seen)
            }
            (Progress::Seen(seen), None) => Progress::Seen(seen.clone()),
        }
    }

    /// Whether any further member is possible.
    pub(crate) fn has_key(&self, run: RunId) -> Result<bool, Exhausted> {
        if let Some(known) = self.has_key_memo.get(&run) {
            return Ok(*known);
        }
        let spelled = self.spelling.has_all("\":");
        let mut found = spelled && self.others(run)? != Others::None;
        let names = narrow(self.names_by_rank(self.run(run).names).len());
        let mut rank = 0;
        while !found && spelled && rank < names {
            found = self.name_may_come(run, rank)?;
            rank += 1;
        }
        self.has_key_memo.insert(run, found);
        Ok(found)
    }

    /// The run after a member whose value gave these answers.
    pub(crate) fn run_after(&self, run: RunId, judged: &Judged, answers: &[bool]) -> RunId {
        if judged.is_empty() {
            return run;
        }
        let before = self.run(run);
        let keep = |id: FormulaId| self.judge(id, judged, answers);
        let after = Run {
            must: keep(before.must),
            asks: before.asks.iter().map(|&ask| keep(ask)).collect(),
            ..before.clone()
        };
        self.run_id(after)
    }

    /// The truth of an object formula at the closing brace.
    pub(crate) fn object_end(&self, id: FormulaId) -> bool {
        let end = self.substitute(id, |_, atom| match atom {
            Formula::Required(_) | Formula::SomeMember(_) | Formula::MinMembers(_) => FALSE,
            _ => TRUE,
        });
        end == TRUE
    }
}

fn may_come(progress: &Progress, rank: u32) -> bool {
    match progress {
        Progress::From(from) => rank >= *from,
        Progress::Seen(seen) => seen[widen(rank / 64)] >> (rank % 64) & 1 == 0,
    }
}

/// The names that are left to an object.
pub(crate) struct Left<'a> {
    names: u32,
    progress: &'a Progress,
    least: u64,
}

impl<'a> Left<'a> {
    pub(crate) fn of(run: &Run, progress: &'a Progress) -> Self {
        Self { names: run.names, progress, least: run.least }
    }

    /// So many members at most have been read, the one under way included, if so many are still to come at least.
    pub(crate) fn read_at_most(&self, to_come: u64) -> u64 {
        self.least.saturating_sub(to_come)
    }

    /// The names that the object knows.
    pub(crate) fn names(&self) -> u32 {
        self.names
    }

    /// Whether a name may still come. All that the object's atoms name are known to it.
    pub(crate) fn has(&self, universe: &Universe, name: NameId) -> bool {
        universe.rank_of(self.names, name).is_some_and(|rank| may_come(self.progress, rank))
    }
}

impl Universe {
    /// The container atoms at a value position in source order, over all in-place locations whether they can still
    /// hold or not, and the order to keep for the run.
    pub(crate) fn container_order(
        &self,
        must_at_kind: FormulaId,
        value: &Value,
        kind: Kinds,
    ) -> (Vec<FormulaId>, u32) {
        let mut atoms = if value.order == DEFAULT_ORDER {
            self.atoms_of(&[value.must])
        } else {
            self.atoms_of(self.orders.get(value.order))
        };
        atoms.retain(|&atom| atom_kind(self.formula(atom)) == kind);
        let plain = self.is_conjunction(must_at_kind) && atoms == self.atoms_of(&[must_at_kind]);
        let order = if plain { DEFAULT_ORDER } else { self.orders.intern(atoms.clone().into()) };
        (atoms, order)
    }

    /// The atoms of a running container in source order.
    pub(crate) fn container_atoms(&self, must: FormulaId, order: u32) -> Vec<FormulaId> {
        if order == DEFAULT_ORDER { self.atoms_of(&[must]) } else { self.orders.get(order).to_vec() }
    }
}

impl Heap for Run {
    fn heap_bytes(&self) -> usize {
        let seen = if let Progress::Seen(seen) = &self.progress { seen.heap_bytes() } else { 0 };
        self.asks.heap_bytes() + seen
    }
}
