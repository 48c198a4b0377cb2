//! Puts a whole grammar into another one, under rules of its own.

use crate::error::{CompileError, CompileErrorKind, Place};
use crate::grammar::rules::{Builder, Expr, Grammar};
use crate::index::{ExprId, RuleId, widen};

/// The texts of a grammar as one expression.
pub(super) fn embed(builder: &mut Builder, grammar: &Grammar) -> Result<ExprId, CompileError> {
    let rules: Vec<RuleId> = grammar.rules.iter().map(|rule| builder.fresh(&rule.name)).collect();
    let mut exprs: Vec<ExprId> = Vec::with_capacity(grammar.exprs.len());
    for expr in &grammar.exprs {
        let all = |children: &[ExprId]| children.iter().map(|id| exprs[id.index()]).collect::<Vec<ExprId>>();
        let new = match expr {
            Expr::Text(regex) => builder.regex(regex.clone()),
            Expr::Token(tokens) => builder.token(tokens.clone()),
            Expr::Rule(rule) => builder.call(rules[rule.index()]),
            Expr::Schema(index) => builder.schema(grammar.schemas[widen(*index)].clone()),
            Expr::Sequence(parts) => builder.sequence(all(parts)),
            Expr::Choice(parts) => builder.choice(all(parts)),
            Expr::Repeat { body, min, max } => builder.repeat(exprs[body.index()], *min, *max),
            Expr::Within { body, regex } => builder.within(exprs[body.index()], regex.clone(), None),
            Expr::NonEmpty(_) => {
                let message = "a grammar that has been brought into normal form can't be part of another one";
                return Err(CompileError::new(
                    CompileErrorKind::Unsupported,
                    Place::default(),
                    "grammar",
                    message,
                ));
            }
        };
        exprs.push(new);
    }
    for (rule, new) in grammar.rules.iter().zip(&rules) {
        builder.define(*new, exprs[rule.body.index()], rule.position)?;
    }
    Ok(builder.call(rules[grammar.start.index()]))
}
