//! Which rules match the empty text: the least fixpoint.

use crate::grammar::rules::{Expr, Grammar};
use crate::index::ExprId;

/// For each rule whether it matches the empty text.
pub(super) fn find(grammar: &Grammar) -> Vec<bool> {
    let mut rules = vec![false; grammar.rules.len()];
    let mut exprs = vec![false; grammar.exprs.len()];
    let mut waiting: Vec<Vec<usize>> = vec![Vec::new(); grammar.exprs.len()];
    for (at, expr) in grammar.exprs.iter().enumerate() {
        expr.children().iter().for_each(|child| waiting[child.index()].push(at));
    }
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); grammar.rules.len()];
    let mut bodies: Vec<Vec<usize>> = vec![Vec::new(); grammar.exprs.len()];
    for (rule, definition) in grammar.rules.iter().enumerate() {
        bodies[definition.body.index()].push(rule);
    }
    for (at, expr) in grammar.exprs.iter().enumerate() {
        if let Expr::Rule(rule) = expr {
            callers[rule.index()].push(at);
        }
    }
    let mut pending: Vec<usize> = (0..grammar.exprs.len()).collect();
    while let Some(at) = pending.pop() {
        if exprs[at] || !of(grammar, ExprId::new(at), &rules, &exprs) {
            continue;
        }
        exprs[at] = true;
        pending.extend(&waiting[at]);
        for &rule in &bodies[at] {
            rules[rule] = true;
            pending.extend(&callers[rule]);
        }
    }
    rules
}

/// Whether an expression matches the empty text, given that of its children and of the rules.
pub(super) fn of(grammar: &Grammar, at: ExprId, rules: &[bool], exprs: &[bool]) -> bool {
    match grammar.expr(at) {
        Expr::Text(regex) => regex.accepts_empty(),
        Expr::Token(_) | Expr::Schema(_) | Expr::NonEmpty(_) => false,
        Expr::Rule(rule) => rules[rule.index()],
        Expr::Sequence(parts) => parts.iter().all(|part| exprs[part.index()]),
        Expr::Choice(parts) => parts.iter().any(|part| exprs[part.index()]),
        Expr::Within { body, regex } => regex.accepts_empty() && exprs[body.index()],
        Expr::Repeat { body, min, .. } => *min == 0 || exprs[body.index()],
    }
}

/// For each expression whether it matches the empty text, when that is known of the rules.
pub(super) fn of_all(grammar: &Grammar, rules: &[bool]) -> Vec<bool> {
    let mut exprs = vec![false; grammar.exprs.len()];
    for at in 0..grammar.exprs.len() {
        exprs[at] = of(grammar, ExprId::new(at), rules, &exprs);
    }
    exprs
}
