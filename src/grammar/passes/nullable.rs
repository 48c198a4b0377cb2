//! Which rules match the empty text: the least fixpoint.

use crate::grammar::rules::parents::Parents;
use crate::grammar::rules::{Expr, Grammar};
use crate::index::ExprId;

/// For each rule whether it matches the empty text.
pub(super) fn find(grammar: &Grammar) -> Vec<bool> {
    let parents = Parents::of(grammar);
    let mut exprs = vec![false; grammar.exprs.len()];
    // The first to be looked at come last: parts before what is made of them.
    let mut pending: Vec<ExprId> = (0..grammar.exprs.len()).rev().map(ExprId::new).collect();
    while let Some(at) = pending.pop() {
        let is_empty = match grammar.expr(at) {
            Expr::Rule(rule) => exprs[grammar.rule(*rule).body.index()],
            _ => of(grammar, at, &[], &exprs),
        };
        if is_empty && !std::mem::replace(&mut exprs[at.index()], true) {
            pending.extend(parents.of_part(at));
        }
    }
    grammar.rules.iter().map(|rule| exprs[rule.body.index()]).collect()
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
