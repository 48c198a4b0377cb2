//! Restrictions: parts of a grammar whose texts a regex must match too, and what may stand in such a part.
//!
//! What a regex says of a token that is a letter of its own is not plain, and of a JSON document there is no grammar: both are
//! refused inside a restriction. So is a part that contains its own restriction, for each round would add a condition.

use std::collections::BTreeSet;

use crate::error::{CompileError, CompileErrorKind, Place, Position};
use crate::grammar::regex::Regex;
use crate::grammar::rules::{Expr, Grammar, Rule};
use crate::index::{ExprId, RuleId};
use crate::limits::GRAMMAR_PRODUCT_STEPS_MAX;

/// A restriction in the making.
#[derive(Clone, Copy, Debug)]
pub(super) struct Within {
    /// The expression that it is.
    pub(super) place: ExprId,
    pub(super) position: Option<Position>,
}

impl Grammar {
    /// The grammar of those texts that the regex matches too, as a whole.
    ///
    /// ```
    /// use maskwright::syntax::{ebnf, pattern};
    /// use maskwright::{Compiler, CompilerConfig, Vocabulary};
    ///
    /// let list = ebnf::parse(r#"list ::= "[" (list ("," list)*)? "]""#)?.grammar;
    /// let short = list.within(pattern::parse_whole("[^,]{0,6}").expect("a pattern"));
    /// let compiler = Compiler::new(Vocabulary::demo(), CompilerConfig::default());
    /// compiler.grammar(&short)?;
    /// # Ok::<(), maskwright::CompileError>(())
    /// ```
    #[must_use]
    pub fn within(mut self, regex: Regex) -> Self {
        let body = ExprId::new(self.exprs.len());
        self.exprs.push(Expr::Rule(self.start));
        self.exprs.push(Expr::Within { body, regex });
        let (stem, position) = (self.rule(self.start).name.clone(), self.rule(self.start).position);
        let mut count = self.rules.len();
        let mut name = format!("{stem}#{count}");
        while self.rules.iter().any(|rule| *rule.name == *name) {
            count += 1;
            name = format!("{stem}#{count}");
        }
        let name = name.into();
        self.start = RuleId::new(self.rules.len());
        self.rules.push(Rule { name, position, body: ExprId::new(self.exprs.len() - 1) });
        self
    }

    /// Every expression that an expression leads to, rules entered; itself only if it leads to itself. `None` if that takes more
    /// steps than are left.
    pub(crate) fn below(&self, top: ExprId, steps_left: &mut usize) -> Option<BTreeSet<ExprId>> {
        let mut found = BTreeSet::new();
        let mut pending = vec![top];
        while let Some(at) = pending.pop() {
            *steps_left = steps_left.checked_sub(1)?;
            let body = match self.expr(at) {
                Expr::Rule(rule) => Some(self.rule(*rule).body),
                _ => None,
            };
            pending.extend(
                self.expr(at).children().iter().copied().chain(body).filter(|&next| found.insert(next)),
            );
        }
        Some(found)
    }

    /// Why an expression that leads to these others can't be restricted.
    pub(crate) fn refuses_restriction(
        &self,
        place: ExprId,
        below: &BTreeSet<ExprId>,
    ) -> Option<&'static str> {
        if below.contains(&place) {
            return Some(
                "what is restricted contains the restriction itself: give the part that is meant a rule of its own",
            );
        }
        below.iter().find_map(|&at| match self.expr(at) {
            Expr::Token(_) => Some(
                "a token stands in what is restricted, and what a condition on the text says of it is not plain: restrict the parts around it",
            ),
            Expr::Schema(_) => Some(
                "a schema stands in what is restricted: say in the schema what its texts must be, with `pattern` or `maxLength`",
            ),
            _ => None,
        })
    }
}

/// Refuses restrictions of what can't be restricted.
pub(super) fn check(grammar: &Grammar, withins: &[Within]) -> Result<(), CompileError> {
    let mut steps_left = GRAMMAR_PRODUCT_STEPS_MAX;
    for within in withins {
        let place = Place { position: within.position, ..Place::default() };
        let Some(below) = grammar.below(within.place, &mut steps_left) else {
            return Err(CompileError::new(CompileErrorKind::Limit, place, "restriction", too_many_steps()));
        };
        if let Some(message) = grammar.refuses_restriction(within.place, &below) {
            return Err(CompileError::new(CompileErrorKind::Unsupported, place, "restriction", message));
        }
    }
    Ok(())
}

/// What is said where restrictions take too much work.
pub(crate) fn too_many_steps() -> String {
    format!(
        "working out the parts of the grammar that a condition on the text restricts takes more than \
         {GRAMMAR_PRODUCT_STEPS_MAX} steps (GRAMMAR_PRODUCT_STEPS_MAX): make the parts or the condition smaller"
    )
}
