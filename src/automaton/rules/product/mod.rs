//! Restrictions of a grammar by regexes, written out as plain rules: the product of a context-free language with a
//! regular one (Bar-Hillel, Perles and Shamir 1961).
//!
//! The states of a regex are its derivatives, made along the texts that the grammar has. A *triple* is an expression with the
//! state before its text and the state behind. Which triples some text has is a least fixpoint over those that the
//! restricted expression leads to (`targets`), and every triple that is needed becomes an expression, those of rules become rules (`build`).
//! The texts of a terminal between two states are a regex again (`leaves`).
//!
//! Inner restrictions are written out before those around them. What comes out has no restriction; rules that lead nowhere
//! are left to the pass that drops them.

mod build;
mod leaves;
mod targets;

use std::borrow::Cow;
use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use crate::automaton::universe::Universe;
use crate::error::{CompileError, CompileErrorKind, Exhausted, Place};
use crate::grammar::rules::within::too_many_steps;
use crate::grammar::rules::{Expr, Grammar};
use crate::index::{ExprId, RuleId, TermId, narrow, widen};
use crate::limits;

use leaves::Leaf;

/// A state of the regex, by its number in the product.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct At(u32);

/// One product: a grammar and the regex of one restriction.
struct Product<'u> {
    universe: &'u Universe,
    /// Grows: rules and expressions of the product are added behind those that were there.
    grammar: Grammar,
    states: Vec<TermId>,
    numbers: FxHashMap<TermId, At>,
    leaves: FxHashMap<(ExprId, At), Leaf>,
    targets: FxHashMap<(ExprId, At), BTreeSet<At>>,
    built: FxHashMap<(ExprId, At, At), ExprId>,
    rules: FxHashMap<(RuleId, At, At), RuleId>,
    /// By repetition, rounds done, and the states now and behind all rounds.
    rounds: FxHashMap<(ExprId, u32, At, At), RuleId>,
    /// Steps that all products of a grammar may still take.
    steps_left: usize,
}

/// Why there is no product.
enum Failure {
    Limit(String),
    Exhausted(Exhausted),
}

impl From<Exhausted> for Failure {
    fn from(exhausted: Exhausted) -> Self {
        Self::Exhausted(exhausted)
    }
}

impl Universe {
    /// The grammar without restrictions.
    ///
    /// # Errors
    /// If something is restricted that can't be, or a limit is passed.
    pub(crate) fn without_restrictions<'g>(
        &self,
        grammar: &'g Grammar,
    ) -> Result<Cow<'g, Grammar>, CompileError> {
        if !grammar.exprs.iter().any(|expr| matches!(expr, Expr::Within { .. })) {
            return Ok(Cow::Borrowed(grammar));
        }
        let mut steps_left = limits::GRAMMAR_PRODUCT_STEPS_MAX;
        let order = innermost_first(grammar, &mut steps_left)?;
        let mut grammar = grammar.clone();
        for place in order {
            let Expr::Within { body, regex } = grammar.expr(place).clone() else { continue };
            let start = self.terms.from_regex(&regex).map_err(|e| refused(Failure::Exhausted(e)))?;
            let (restricted, rule) = self.restrict(grammar, body, start, &mut steps_left).map_err(refused)?;
            grammar = restricted;
            grammar.exprs[place.index()] = Expr::Rule(rule);
        }
        Ok(Cow::Owned(grammar))
    }

    /// The grammar of those texts that a term matches too; without restrictions.
    ///
    /// # Errors
    /// As [`Universe::without_restrictions`].
    pub(crate) fn restricted_to(&self, grammar: &Grammar, term: TermId) -> Result<Grammar, CompileError> {
        let plain = self.without_restrictions(grammar)?.into_owned();
        let body = plain.rule(plain.start).body;
        let mut steps_left = limits::GRAMMAR_PRODUCT_STEPS_MAX;
        let (mut restricted, rule) = self.restrict(plain, body, term, &mut steps_left).map_err(refused)?;
        restricted.start = rule;
        Ok(restricted)
    }

    /// The texts of an expression that a term matches too, as a rule that is added to the grammar.
    fn restrict(
        &self,
        grammar: Grammar,
        body: ExprId,
        start: TermId,
        steps_left: &mut usize,
    ) -> Result<(Grammar, RuleId), Failure> {
        let mut product = Product {
            universe: self,
            grammar,
            states: Vec::new(),
            numbers: FxHashMap::default(),
            leaves: FxHashMap::default(),
            targets: FxHashMap::default(),
            built: FxHashMap::default(),
            rules: FxHashMap::default(),
            rounds: FxHashMap::default(),
            steps_left: *steps_left,
        };
        let start = product.number(start)?;
        product.find_targets(body, start)?;
        let rule = product.write(body, start)?;
        *steps_left = product.steps_left;
        Ok((product.grammar, rule))
    }
}

impl Product<'_> {
    /// The number of a state.
    fn number(&mut self, term: TermId) -> Result<At, Failure> {
        if let Some(&known) = self.numbers.get(&term) {
            return Ok(known);
        }
        if self.states.len() >= limits::GRAMMAR_PRODUCT_STATES_MAX {
            return Err(Failure::Limit(format!(
                "a condition on the text of a part of the grammar has more than {} states (GRAMMAR_PRODUCT_STATES_MAX)",
                limits::GRAMMAR_PRODUCT_STATES_MAX
            )));
        }
        let at = At(narrow(self.states.len()));
        self.states.push(term);
        self.numbers.insert(term, at);
        Ok(at)
    }

    fn term(&self, at: At) -> TermId {
        self.states[widen(at.0)]
    }

    fn charge(&mut self, steps: usize) -> Result<(), Failure> {
        self.steps_left =
            self.steps_left.checked_sub(steps).ok_or_else(|| Failure::Limit(too_many_steps()))?;
        Ok(())
    }
}

/// The restrictions that the start rule leads to, each behind those inside of it.
fn innermost_first(grammar: &Grammar, steps_left: &mut usize) -> Result<Vec<ExprId>, CompileError> {
    let limit = || refused(Failure::Limit(too_many_steps()));
    let top = grammar.rule(grammar.start).body;
    let mut reached = grammar.below(top, steps_left).ok_or_else(limit)?;
    reached.insert(top);
    let mut found: Vec<(usize, ExprId)> = Vec::new();
    for &place in reached.iter().filter(|&&place| matches!(grammar.expr(place), Expr::Within { .. })) {
        let below = grammar.below(place, steps_left).ok_or_else(limit)?;
        if let Some(message) = grammar.refuses_restriction(place, &below) {
            let kind = CompileErrorKind::Unsupported;
            return Err(CompileError::new(kind, Place::default(), "restriction", message));
        }
        // None contains itself, so one that contains another contains more.
        let inner = below.iter().filter(|&&at| matches!(grammar.expr(at), Expr::Within { .. }));
        found.push((inner.count(), place));
    }
    found.sort_unstable();
    Ok(found.into_iter().map(|(_, place)| place).collect())
}

fn refused(failure: Failure) -> CompileError {
    let message = match failure {
        Failure::Limit(message) => message,
        Failure::Exhausted(exhausted) => exhausted.to_string(),
    };
    CompileError::new(CompileErrorKind::Limit, Place::default(), "restriction", message)
}
