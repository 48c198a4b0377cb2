//! What a grammar was compiled from, as its front end has read it: for people, and for explanations in its own words.

use std::fmt;

use crate::grammar::program::SchemaProgram;
use crate::grammar::regex::Regex;
use crate::grammar::rules::{Expr, Grammar, Rule};
use crate::index::{ExprId, RuleId};

/// See the module; `Display` is the text form of either.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum Source {
    /// A JSON Schema.
    Schema(SchemaProgram),
    /// Rules. A regex is one rule, `root`; a structural tag and tools are rules over free text, tokens and schemas.
    Grammar(Grammar),
}

impl Source {
    /// A regex as one rule.
    pub(super) fn of_regex(regex: Regex) -> Self {
        let rule = Rule { name: "root".into(), position: None, body: ExprId(0) };
        let exprs = vec![Expr::Text(regex)];
        Self::Grammar(Grammar { rules: vec![rule], exprs, schemas: Vec::new(), start: RuleId(0) })
    }

    /// The rules, if it is made of rules.
    #[must_use]
    pub fn grammar(&self) -> Option<&Grammar> {
        match self {
            Self::Grammar(grammar) => Some(grammar),
            Self::Schema(_) => None,
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Schema(program) => program.fmt(f),
            Self::Grammar(grammar) => grammar.fmt(f),
        }
    }
}
