//! Object runs: what is left of an object's formulas after the members read so far.
//!
//! A run holds the residual of what the object *must* satisfy and the residuals of the questions it was *asked*.
//! A key decides `Required` atoms and skipped ones; the value under it decides, atom by atom, which `Members` still
//! hold. What the value must satisfy is computed when its key closes, from those clauses only that can still be
//! completed: so every outcome that the value can produce leaves the object completable, and nothing later looks
//! up the stack.

use crate::automaton::clause::Clause;
use crate::automaton::control::Ret;
use crate::automaton::formula::{FALSE, Formula, TRUE, atom_kind};
use crate::automaton::universe::Universe;
use crate::automaton::value::{DEFAULT_ORDER, Value, ValueId};
use crate::error::Exhausted;
use crate::grammar::policy::KeyOrder;
use crate::grammar::program::Kinds;
use crate::index::{FormulaId, RetId, narrow, widen};

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
    pub(crate) progress: Progress,
    /// The atoms in source order (an interned list), or [`DEFAULT_ORDER`]: those of `must`.
    pub(crate) order: u32,
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

/// Atoms whose truth the value decides: the atom, and the question whose answer it is.
pub(crate) type Judged = Box<[(FormulaId, u32)]>;

impl Universe {
    /// Opens an object; `must` and `asks` are already specialised to objects.
    pub(crate) fn open_object(&self, must: FormulaId, asks: Box<[FormulaId]>, value: &Value) -> RunId {
        let (atoms, order) = self.container_order(must, value, Kinds::OBJECT);
        let names = self.known_names(&atoms);
        let closed = self.is_conjunction(must)
            && self.atoms_of(&[must]).iter().any(
                |&atom| matches!(self.formula(atom), Formula::Members(members) if members.rest == FALSE),
            );
        let progress = match self.policy.key_order {
            KeyOrder::Declared => Progress::From(0),
            KeyOrder::Any => {
                Progress::Seen(vec![0; self.names_by_rank(names).len().div_ceil(64)].into_boxed_slice())
            }
        };
        let tracks = if closed { Tracks::Nothing } else { Tracks::OtherNames };
        self.run_id(Run { must, asks, names, progress, order, tracks })
    }

    pub(crate) fn run_id(&self, run: Run) -> RunId {
        RunId(self.runs.intern(run))
    }

    pub(crate) fn run(&self, id: RunId) -> &Run {
        self.runs.get(id.0)
    }

    /// What happens when a key closes on the known name of this rank (`None`: on any other name); `None` if the
    /// object could not be completed after it.
    pub(crate) fn key_event(&self, run: RunId, rank: Option<u32>) -> Result<Option<Member>, Exhausted> {
        if let Some(rank) = rank
            && !self.may_come(self.run(run), rank)
        {
            return Ok(None);
        }
        if let Some(known) = self.key_events.get(&(run, rank)) {
            return Ok(*known);
        }
        let event = self.find_key_event(self.run(run), rank)?;
        self.key_events.insert((run, rank), event);
        Ok(event)
    }

    /// The cheap half of the answer: the order allows the name.
    fn may_come(&self, run: &Run, rank: u32) -> bool {
        match &run.progress {
            Progress::From(from) => rank >= *from,
            Progress::Seen(seen) => seen[widen(rank / 64)] >> (rank % 64) & 1 == 0,
        }
    }

    fn find_key_event(&self, run: &Run, rank: Option<u32>) -> Result<Option<Member>, Exhausted> {
        let decide = |id: FormulaId| self.decide_required(run, id, rank);
        let must = decide(run.must);
        if must == FALSE {
            return Ok(None);
        }
        let name = rank.map(|rank| self.names_by_rank(run.names)[widen(rank)]);
        if let Some(name) = name
            && !self.name_is_spellable(self.name(name))
        {
            return Ok(None);
        }
        let value_of = |atom: &Formula| match atom {
            Formula::Members(members) => members.value_of(name),
            _ => TRUE,
        };
        let child = self.child_must(
            must,
            |universe, clause| universe.object_can_end(clause),
            |atom| value_of(self.formula(atom)),
        )?;
        if !self.satisfiable(child)? {
            return Ok(None);
        }
        let asks: Vec<FormulaId> = run.asks.iter().map(|&ask| decide(ask)).collect();
        let must_and_asks: Vec<FormulaId> = std::iter::once(must).chain(asks.iter().copied()).collect();
        let atoms = self.atoms_of(&must_and_asks);
        let questions = self.questions(child, &atoms, |atom| value_of(self.formula(atom)));
        let drop_false = |id: FormulaId| {
            self.substitute(id, |atom_id, atom| match atom {
                Formula::Members(members) if members.value_of(name) == FALSE => FALSE,
                _ => atom_id,
            })
        };
        let after = Run {
            must: drop_false(must),
            asks: asks.into_iter().map(drop_false).collect(),
            names: run.names,
            progress: self.progress_after(run, rank),
            order: run.order,
            tracks: run.tracks,
        };
        let skeleton = self.container_atoms(run.must, run.order);
        let children: Vec<FormulaId> = skeleton.iter().map(|&atom| value_of(self.formula(atom))).collect();
        let value = self.child_value(child, questions.asked, &children);
        let ret = self.ret_id(&Ret::Member { run: self.run_id(after), judged: questions.judged });
        Ok(Some(Member { ret, value }))
    }

    /// Decides `Required` atoms: the name read is there, names that the order has skipped will never be.
    fn decide_required(&self, run: &Run, id: FormulaId, rank: Option<u32>) -> FormulaId {
        let declared = matches!(run.progress, Progress::From(_));
        self.substitute(id, |atom_id, atom| match atom {
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
            _ => atom_id,
        })
    }

    fn progress_after(&self, run: &Run, rank: Option<u32>) -> Progress {
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
        let mut found = self.spelling.has_all("\":") && self.key_event(run, None)?.is_some();
        let names = narrow(self.names_by_rank(self.run(run).names).len());
        let mut rank = 0;
        while !found && self.spelling.has_all("\":") && rank < names {
            found = self.key_event(run, Some(rank))?.is_some();
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
        let keep = |id: FormulaId| self.drop_refuted(id, judged, answers);
        let after = Run {
            must: keep(before.must),
            asks: before.asks.iter().map(|&ask| keep(ask)).collect(),
            ..before.clone()
        };
        self.run_id(after)
    }

    /// Atoms that the answers refute become false.
    pub(crate) fn drop_refuted(&self, id: FormulaId, judged: &Judged, answers: &[bool]) -> FormulaId {
        self.substitute(id, |atom_id, _| {
            let refuted = judged.iter().any(|&(atom, ask)| atom == atom_id && !answers[widen(ask)]);
            if refuted { FALSE } else { atom_id }
        })
    }

    /// The truth of an object formula at the closing brace.
    pub(crate) fn object_end(&self, id: FormulaId) -> bool {
        let end = self.substitute(id, |_, atom| match atom {
            Formula::Required(_) => FALSE,
            _ => TRUE,
        });
        end == TRUE
    }
}

/// The questions for a child, and how its answers are used.
pub(crate) struct Questions {
    pub(crate) asked: Vec<FormulaId>,
    pub(crate) judged: Judged,
}

impl Universe {
    /// What a child must satisfy so that the container can still be completed: the alternatives that can end,
    /// each with what it asks of the child.
    pub(crate) fn child_must(
        &self,
        must: FormulaId,
        can_end: impl Fn(&Universe, &Clause) -> Result<bool, Exhausted>,
        value_of: impl Fn(FormulaId) -> FormulaId,
    ) -> Result<FormulaId, Exhausted> {
        if self.is_conjunction(must) {
            let mut clause = Clause::new();
            self.atoms(must, &mut clause);
            return Ok(if can_end(self, &clause)? {
                self.all(clause.iter().map(|&atom| value_of(atom)))
            } else {
                FALSE
            });
        }
        let clauses = self.clauses(must)?;
        let mut live = Vec::with_capacity(clauses.len());
        for clause in &clauses {
            if can_end(self, clause)? {
                live.push(self.all(clause.iter().map(|&atom| value_of(atom))));
            }
        }
        if live.len() == clauses.len() {
            // Every combination lives: the formula keeps its own, smaller shape.
            return Ok(self.substitute(must, |atom_id, _| value_of(atom_id)));
        }
        Ok(self.any(live))
    }

    /// Which atoms a child's value decides beyond what it must satisfy anyway.
    pub(crate) fn questions(
        &self,
        child: FormulaId,
        atoms: &[FormulaId],
        value_of: impl Fn(FormulaId) -> FormulaId,
    ) -> Questions {
        let conjuncts: &[FormulaId] = match self.formula(child) {
            Formula::All(children) => children,
            _ => &[],
        };
        let mut asked = Vec::new();
        let mut judged = Vec::new();
        for &atom in atoms {
            let value = value_of(atom);
            let certain = value == TRUE || value == FALSE || value == child || conjuncts.contains(&value);
            let certain = certain
                || matches!(self.formula(value), Formula::All(parts) if parts.iter().all(|p| *p == child || conjuncts.contains(p)));
            if certain {
                continue;
            }
            let at = asked.iter().position(|&known| known == value).unwrap_or_else(|| {
                asked.push(value);
                asked.len() - 1
            });
            judged.push((atom, narrow(at)));
        }
        Questions { asked, judged: judged.into() }
    }

    /// Interns a child's value position, with its source order if that is not the obvious one.
    pub(crate) fn child_value(
        &self,
        must: FormulaId,
        asks: Vec<FormulaId>,
        children: &[FormulaId],
    ) -> ValueId {
        let plain = self.all(children.iter().copied());
        let order = if plain == must {
            DEFAULT_ORDER
        } else {
            let mut list: Vec<FormulaId> =
                children.iter().copied().filter(|&child| child != TRUE && child != FALSE).collect();
            crate::automaton::formula::dedup_in_order(&mut list);
            self.orders.intern(list.into())
        };
        self.value_id(Value { must, asks: asks.into(), order })
    }

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
