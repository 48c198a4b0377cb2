//! A compiled grammar, whichever universe it runs in.

use std::ops::Deref;
use std::sync::Arc;

use arc_swap::{ArcSwapOption, Guard};

use crate::automaton::universe::Universe;
use crate::automaton::{Automaton, UniverseStatistics};
use crate::bitmask::LogitsWidth;
use crate::compiler::Source;
use crate::compiler::generations::Generations;
use crate::error::{CompileError, Exhausted};
use crate::grammar::policy::SurfacePolicy;
use crate::grammar::regex::Regex;
use crate::index::TokenId;
use crate::syntax::schema::EnforcementReport;
use crate::vocab::Vocabulary;

/// A compiled grammar: immutable, `Send + Sync`, cheap to clone.
#[derive(Clone, Debug)]
pub struct CompiledGrammar {
    shared: Arc<Shared>,
}

/// What a grammar's clones share.
#[derive(Debug)]
pub(crate) struct Shared {
    generations: Arc<Generations>,
    /// Where it is loaded, if the universe is still in use.
    automaton: ArcSwapOption<Automaton>,
    accepts_empty: bool,
    report: EnforcementReport,
    policy: SurfacePolicy,
    content: Content,
}

/// What is loaded.
#[derive(Clone, Debug)]
pub(crate) struct Content {
    pub(crate) source: Source,
    /// The regex that the whole grammar is.
    pub(crate) regex: Option<Regex>,
}

/// An automaton that lives as long as a call.
pub(crate) struct Loaded(Guard<Option<Arc<Automaton>>>);

impl Content {
    pub(crate) fn of(source: Source) -> Self {
        Self { source, regex: None }
    }

    pub(crate) fn load(&self, universe: &Arc<Universe>) -> Result<Automaton, CompileError> {
        match (&self.regex, &self.source) {
            (Some(regex), _) => Automaton::of_regex(universe, regex),
            (None, Source::Schema(program)) => Automaton::of_schema(universe, program),
            (None, Source::Grammar(grammar)) => Automaton::of_grammar(universe, grammar),
        }
    }
}

impl Deref for Loaded {
    type Target = Automaton;

    #[inline]
    fn deref(&self) -> &Automaton {
        self.0.as_deref().expect("only what is loaded is lent")
    }
}

impl Shared {
    /// Lets go of the universe.
    pub(crate) fn unload(&self) {
        self.automaton.store(None);
    }

    #[cold]
    fn load_again(&self) -> Result<Loaded, Exhausted> {
        let universe = self.generations.current();
        let loaded = self.automaton.load();
        if loaded.as_ref().is_some_and(|automaton| automaton.is_in(&universe)) {
            return Ok(Loaded(loaded));
        }
        let automaton =
            self.content.load(&universe).map_err(|error| Exhausted { place: error.to_string() })?;
        let automaton = Arc::new(automaton);
        self.automaton.store(Some(Arc::clone(&automaton)));
        if !self.generations.is_current(&universe) {
            // The generation has ended meanwhile, and perhaps looked here before.
            self.unload();
        }
        Ok(Loaded(Guard::from_inner(Some(automaton))))
    }
}

impl CompiledGrammar {
    pub(super) fn new(
        generations: &Arc<Generations>,
        automaton: Automaton,
        report: EnforcementReport,
        policy: SurfacePolicy,
        content: Content,
    ) -> Self {
        let accepts_empty = automaton.is_accepting(automaton.start());
        let shared = Arc::new(Shared {
            generations: Arc::clone(generations),
            automaton: ArcSwapOption::from_pointee(automaton),
            accepts_empty,
            report,
            policy,
            content,
        });
        generations.watch(&shared);
        // The generation may have ended before it was watched.
        if shared.automaton.load().as_ref().is_some_and(|automaton| automaton.is_retired()) {
            shared.unload();
        }
        Self { shared }
    }

    /// The vocabulary it was compiled for.
    #[must_use]
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.shared.generations.vocabulary
    }

    /// The surface policy it was compiled under.
    #[must_use]
    pub fn policy(&self) -> SurfacePolicy {
        self.shared.policy
    }

    /// What is enforced, keyword by keyword.
    #[must_use]
    pub fn report(&self) -> &EnforcementReport {
        &self.shared.report
    }

    /// What it was compiled from, in the intermediate form.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.shared.content.source
    }

    /// Sizes of the tables that all grammars of the compiler share.
    #[must_use]
    pub fn statistics(&self) -> UniverseStatistics {
        self.shared.generations.statistics()
    }

    /// The automaton that matchers run, in the universe that is current now. Whoever keeps it keeps that universe.
    ///
    /// # Errors
    /// If it has to be loaded again, in a new generation, and a question runs out of its budget there.
    pub fn automaton(&self) -> Result<Automaton, Exhausted> {
        self.loaded().map(|loaded| Automaton::clone(&loaded))
    }

    /// The automaton, for as long as a call takes. A few nanoseconds, without contention.
    #[inline]
    pub(crate) fn loaded(&self) -> Result<Loaded, Exhausted> {
        let loaded = self.shared.automaton.load();
        if loaded.as_ref().is_some_and(|automaton| !automaton.is_retired()) {
            return Ok(Loaded(loaded));
        }
        drop(loaded);
        self.shared.load_again()
    }

    /// Whether the empty text is complete.
    pub(crate) fn accepts_empty(&self) -> bool {
        self.shared.accepts_empty
    }

    /// Whether the grammar has this token as a letter, and in some place more must come behind it.
    pub(crate) fn goes_on_behind(&self, token: TokenId) -> Result<bool, Exhausted> {
        Ok(self.loaded()?.goes_on_behind(token))
    }
}

impl LogitsWidth for CompiledGrammar {
    fn logits_width(&self) -> usize {
        self.vocabulary().logits_width()
    }
}
