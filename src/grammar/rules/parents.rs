//! From an expression to those that are made of it: what a fixpoint from the leaves upwards asks for.
//!
//! Two flat lists, one behind the other by expression: a list for each expression would be a small allocation for each.

use crate::grammar::rules::{Expr, Grammar};
use crate::index::{ExprId, narrow, widen};

/// The parents of all expressions of a grammar.
pub(crate) struct Parents {
    /// Where the parents of each expression start; one more than there are expressions.
    starts: Vec<u32>,
    parents: Vec<ExprId>,
}

impl Parents {
    /// An expression is a parent of its parts, a call one of the called rule's body. An expression that has a part twice is its parent
    /// twice.
    pub(crate) fn of(grammar: &Grammar) -> Self {
        Self::by(grammar.exprs.len(), |expr| grammar.parts(expr))
    }

    /// The same where some expressions have other parts.
    pub(crate) fn by<'p>(count: usize, parts: impl Fn(ExprId) -> &'p [ExprId]) -> Self {
        let mut starts = vec![0; count + 1];
        for at in 0..count {
            for part in parts(ExprId::new(at)) {
                starts[part.index()] += 1;
            }
        }
        // First the end of each list, which moves to its start while the list is written.
        let mut end = 0;
        for start in &mut starts {
            end += *start;
            *start = end;
        }
        let mut all = vec![ExprId(0); widen(end)];
        for at in (0..count).rev() {
            for part in parts(ExprId::new(at)) {
                starts[part.index()] -= 1;
                all[widen(starts[part.index()])] = ExprId(narrow(at));
            }
        }
        Self { starts, parents: all }
    }

    /// The parents of one.
    pub(crate) fn of_part(&self, part: ExprId) -> &[ExprId] {
        &self.parents[widen(self.starts[part.index()])..widen(self.starts[part.index() + 1])]
    }
}

impl Grammar {
    /// What an expression is made of; of a call that is the rule's body.
    pub(crate) fn parts(&self, expr: ExprId) -> &[ExprId] {
        match self.expr(expr) {
            Expr::Rule(rule) => std::slice::from_ref(&self.rule(*rule).body),
            other => other.children(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::rules::Builder;

    #[test]
    fn parents_are_those_that_have_a_part_and_callers() {
        let mut builder = Builder::new();
        let root = builder.rule("root", None);
        let a = builder.text("a");
        let call = builder.call(root);
        let twice = builder.sequence([a, call, a]);
        let body = builder.choice([twice, a]);
        builder.define(root, body, None).unwrap();
        let grammar = builder.finish(root).unwrap();
        let parents = Parents::of(&grammar);
        assert_eq!(parents.of_part(a), [twice, twice, body]);
        assert_eq!(parents.of_part(call), [twice]);
        assert_eq!(parents.of_part(twice), [body]);
        assert_eq!(parents.of_part(body), [call]);
    }
}
