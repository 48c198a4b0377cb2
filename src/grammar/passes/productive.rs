//! Which expressions match some text: the least fixpoint, in time linear in the size of the grammar.

use crate::error::{CompileError, CompileErrorKind, Place};
use crate::grammar::rules::parents::Parents;
use crate::grammar::rules::{Expr, Grammar, WHOLE_TEXT};
use crate::index::{ExprId, RuleId};

/// For each expression whether it matches some text. An expression `NonEmpty` of one that matches the empty text alone counts as
/// productive: only the passes after this one make such expressions, and of terminals that match more.
pub(super) fn find(grammar: &Grammar, parents: &Parents, possible: &[bool]) -> Vec<bool> {
    // How many parts an expression still waits for.
    let mut missing: Vec<usize> = Vec::with_capacity(grammar.exprs.len());
    let mut known = vec![false; grammar.exprs.len()];
    let mut pending: Vec<ExprId> = Vec::new();
    for (at, expr) in grammar.exprs.iter().enumerate() {
        let (waits_for, is_plain) = match expr {
            Expr::Text(_) | Expr::Token(_) | Expr::Schema(_) => (1, possible[at]),
            Expr::Rule(_) | Expr::Choice(_) | Expr::Within { .. } | Expr::NonEmpty(_) => (1, false),
            Expr::Sequence(parts) => (parts.len(), parts.is_empty()),
            Expr::Repeat { min, .. } => (1, *min == 0),
        };
        missing.push(waits_for);
        known[at] = is_plain;
        if is_plain {
            pending.push(ExprId::new(at));
        }
    }
    while let Some(at) = pending.pop() {
        for &parent in parents.of_part(at) {
            let missing = &mut missing[parent.index()];
            *missing = missing.saturating_sub(1);
            if *missing == 0 && !std::mem::replace(&mut known[parent.index()], true) {
                pending.push(parent);
            }
        }
    }
    known
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
