//! Which expressions match some text: the least fixpoint, in time linear in the size of the grammar.

use crate::error::{CompileError, CompileErrorKind, Place};
use crate::grammar::rules::{Expr, Grammar, WHOLE_TEXT};
use crate::index::RuleId;

/// For each expression whether it matches some text.
pub(super) fn find(grammar: &Grammar, possible: &[bool]) -> Vec<bool> {
    let mut waiting = Waiting::new(grammar);
    for (at, expr) in grammar.exprs.iter().enumerate() {
        let now = match expr {
            Expr::Text(_) | Expr::Token(_) | Expr::Schema(_) => possible[at],
            Expr::Rule(_) | Expr::Choice(_) | Expr::Within { .. } | Expr::NonEmpty(_) => false,
            Expr::Sequence(parts) => parts.is_empty(),
            Expr::Repeat { min, .. } => *min == 0,
        };
        if now {
            waiting.reached(at);
        }
    }
    while let Some(at) = waiting.pending.pop() {
        for parent in std::mem::take(&mut waiting.parents[at]) {
            waiting.missing[parent] = waiting.missing[parent].saturating_sub(1);
            if waiting.missing[parent] == 0 {
                waiting.reached(parent);
            }
        }
    }
    waiting.known
}

/// What is known, and who waits for whom. An expression `NonEmpty` of one that matches the empty text alone counts as
/// productive: only the passes after this one make such expressions, and of terminals that match more.
struct Waiting {
    known: Vec<bool>,
    pending: Vec<usize>,
    parents: Vec<Vec<usize>>,
    /// How many children an expression still waits for.
    missing: Vec<usize>,
}

impl Waiting {
    fn new(grammar: &Grammar) -> Self {
        let count = grammar.exprs.len();
        let mut parents = vec![Vec::new(); count];
        let mut missing = vec![1; count];
        for (at, expr) in grammar.exprs.iter().enumerate() {
            match expr {
                Expr::Rule(rule) => parents[grammar.rule(*rule).body.index()].push(at),
                Expr::Sequence(children) => {
                    missing[at] = children.len();
                    children.iter().for_each(|child| parents[child.index()].push(at));
                }
                other => other.children().iter().for_each(|child| parents[child.index()].push(at)),
            }
        }
        Self { known: vec![false; count], pending: Vec::new(), parents, missing }
    }

    fn reached(&mut self, at: usize) {
        if !std::mem::replace(&mut self.known[at], true) {
            self.pending.push(at);
        }
    }
}

/// Refuses a grammar that no text matches.
pub(super) fn check(grammar: &Grammar, productive: &[bool]) -> Result<(), CompileError> {
    let ends = |rule: RuleId| productive[grammar.rule(rule).body.index()];
    if ends(grammar.start) {
        return Ok(());
    }
    let mut named: Vec<&str> = Vec::new();
    let mut at = grammar.start;
    let mut seen = vec![false; grammar.rules.len()];
    while !std::mem::replace(&mut seen[at.index()], true) {
        named.push(&grammar.rule(at).name);
        match next_unproductive(grammar, productive, at) {
            Some(next) => at = next,
            None => break,
        }
    }
    let several = named.len() > 1;
    // Rules that a pass has made have a name of their rule's, a `#` and a number; nobody wrote these.
    let named: Vec<&str> = named.into_iter().filter(|name| *name != WHOLE_TEXT).map(written).collect();
    let more = named.len().saturating_sub(NAMED_MAX);
    let mut list: Vec<String> = named.iter().take(NAMED_MAX).map(|name| format!("`{name}`")).collect();
    if more > 0 {
        list.push(format!("{more} more"));
    }
    let what = if seen[at.index()] && several || next_unproductive(grammar, productive, at).is_some() {
        "never comes to an end: each of its alternatives needs a rule that needs it again"
    } else {
        "matches no text that the vocabulary can spell"
    };
    let place = Place { position: grammar.rule(at).position, ..Place::default() };
    let message = match &*grammar.rule(at).name {
        WHOLE_TEXT => format!("no text matches: the grammar {what}"),
        name => {
            format!("no text matches: the rule `{}` {what} (on the way: {})", written(name), list.join(" → "))
        }
    };
    Err(CompileError::new(CompileErrorKind::Unsatisfiable, place, "rule", message))
}

/// The name of a rule as its author wrote it.
fn written(name: &str) -> &str {
    name.split('#').next().filter(|written| !written.is_empty()).unwrap_or(name)
}

/// Most rules that a message names.
const NAMED_MAX: usize = 8;

/// Some rule that this one can't do without, and that matches nothing.
fn next_unproductive(grammar: &Grammar, productive: &[bool], rule: RuleId) -> Option<RuleId> {
    let mut pending = vec![grammar.rule(rule).body];
    while let Some(at) = pending.pop() {
        if productive[at.index()] {
            continue;
        }
        match grammar.expr(at) {
            Expr::Rule(next) => return Some(*next),
            other => pending.extend(other.children().iter().rev()),
        }
    }
    None
}
