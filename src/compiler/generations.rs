//! The universes of a compiler, one after the other.
//!
//! A universe only grows. One that takes more bytes than its budget is *full*, and an empty one takes its place: the next
//! *generation*. Grammars are loaded there when they are used the next time, and each matcher reads its tokens again at its next call
//! (`matcher/`), so nobody who is idle keeps a universe. Calls end in the universe that they began in: at most two live at once, and
//! what a call answers never depends on when generations change.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use std::{mem, thread};

use crate::automaton::tables::VocabularyTables;
use crate::automaton::universe::Universe;
use crate::automaton::{Caching, UniverseStatistics};
use crate::compiler::compiled::Shared;
use crate::error::CompileError;
use crate::grammar::policy::SurfacePolicy;
use crate::vocab::Vocabulary;

/// How often it is looked whether the last call in an old universe has ended, and how many times.
const LOOKS: (Duration, usize) = (Duration::from_millis(1), 1_000);

/// See the module.
pub(crate) struct Generations {
    pub(crate) vocabulary: Vocabulary,
    tables: Arc<VocabularyTables>,
    policy: SurfacePolicy,
    caching: Caching,
    /// In bytes.
    budget: usize,
    current: Mutex<Current>,
}

struct Current {
    universe: Arc<Universe>,
    /// What may be loaded in it.
    grammars: Vec<Weak<Shared>>,
    /// How many grammars there may be before those that are gone are looked for.
    room: usize,
    /// How many universes there were before.
    earlier: u64,
}

/// Fewest grammars after which those that are gone are looked for.
const ROOM_MIN: usize = 64;

impl Generations {
    /// The first generation.
    ///
    /// # Errors
    /// If the vocabulary can spell nothing.
    pub(crate) fn new(
        vocabulary: Vocabulary,
        policy: SurfacePolicy,
        caching: Caching,
        budget: usize,
    ) -> Result<Self, CompileError> {
        let tables = Arc::default();
        let universe = Arc::new(Universe::new(vocabulary.clone(), &tables, policy, caching, budget)?);
        universe.prepare();
        let current = Current { universe, grammars: Vec::new(), room: ROOM_MIN, earlier: 0 };
        Ok(Self { vocabulary, tables, policy, caching, budget, current: Mutex::new(current) })
    }

    /// The universe to work in, a new one if the last is full.
    pub(crate) fn current(&self) -> Arc<Universe> {
        let mut current = self.lock();
        current.universe.look_at_size();
        if current.universe.is_full() {
            self.replace(&mut current);
        }
        Arc::clone(&current.universe)
    }

    /// Begins the next generation.
    pub(crate) fn renew(&self) {
        self.replace(&mut self.lock());
    }

    /// Whether a universe is the current one.
    pub(crate) fn is_current(&self, universe: &Arc<Universe>) -> bool {
        Arc::ptr_eq(&self.lock().universe, universe)
    }

    /// Lets go of what a grammar has loaded when the generation ends.
    pub(crate) fn watch(&self, grammar: &Arc<Shared>) {
        let mut current = self.lock();
        if current.grammars.len() >= current.room {
            current.grammars.retain(|known| known.strong_count() > 0);
            current.room = ROOM_MIN.max(2 * current.grammars.len());
        }
        current.grammars.push(Arc::downgrade(grammar));
    }

    pub(crate) fn statistics(&self) -> UniverseStatistics {
        let current = self.lock();
        UniverseStatistics { generations_before: current.earlier, ..current.universe.statistics() }
    }

    fn lock(&self) -> MutexGuard<'_, Current> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn replace(&self, current: &mut Current) {
        let next =
            Universe::new(self.vocabulary.clone(), &self.tables, self.policy, self.caching, self.budget)
                .expect("the vocabulary could spell texts before");
        let old = mem::replace(&mut current.universe, Arc::new(next));
        old.retire();
        current.earlier += 1;
        for grammar in current.grammars.iter().filter_map(Weak::upgrade) {
            grammar.unload();
        }
        free(old);
    }
}

/// Frees a universe behind the last call in it, on a thread of its own: that takes long.
fn free(universe: Arc<Universe>) {
    let wait = move || {
        let (pause, looks) = LOOKS;
        let mut universe = universe;
        for _ in 0..looks {
            match Arc::try_unwrap(universe) {
                Ok(_) => return,
                Err(shared) => universe = shared,
            }
            thread::sleep(pause);
        }
        // Somebody keeps an automaton of it, who frees it then.
    };
    // Without a thread, the caller waits.
    drop(thread::Builder::new().name("maskwright-free".into()).spawn(wait));
}

impl std::fmt::Debug for Generations {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Generations")
            .field("budget", &self.budget)
            .field("statistics", &self.statistics())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Compiler, CompilerConfig, Matcher};

    #[test]
    fn what_is_idle_keeps_no_universe() {
        let compiler = Compiler::new(Vocabulary::demo(), CompilerConfig::default());
        let grammar = compiler.json_schema(r#"{"type": "string"}"#).expect("a small schema");
        let mut matcher = Matcher::new(&grammar);
        matcher.commit(Vocabulary::demo_encode("\"")[0]).expect("a string begins");
        let generations = compiler.generations.as_ref().expect("every byte is spelled");
        let old = Arc::downgrade(&generations.current());
        compiler.renew();
        // Freed by another thread.
        let is_gone = || old.strong_count() == 0;
        for _ in 0..10_000 {
            if is_gone() {
                break;
            }
            thread::sleep(Duration::from_millis(1));
        }
        assert!(is_gone(), "the matcher or its grammar keeps the universe");
        assert!(matcher.mask_ref().expect("a small schema").text.is_some());
        assert_eq!(compiler.statistics().generations_before, 1);
    }

    #[test]
    fn grammars_that_are_gone_are_forgotten() {
        let compiler = Compiler::new(Vocabulary::demo(), CompilerConfig::default());
        let kept = compiler.json_schema("true").expect("a small schema");
        for _ in 0..10 * ROOM_MIN {
            compiler.json_schema("true").expect("a small schema");
        }
        let generations = compiler.generations.as_ref().expect("every byte is spelled");
        assert!(generations.lock().grammars.len() <= ROOM_MIN + 1);
        drop(kept);
    }
}
