//! The texts of a grammar as a condition on a string.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::grammar::rules::{Expr, Grammar};
use crate::index::{ExprId, RuleId};

/// A grammar over texts alone, compared by its expressions: names and positions don't count. Cloning is O(1).
#[derive(Clone, Debug)]
pub struct Sentences(Arc<Grammar>);

impl Sentences {
    /// The texts of a grammar. `None` if tokens or schemas stand in it: inside a string there are characters only.
    #[must_use]
    pub fn new(grammar: Grammar) -> Option<Self> {
        let is_text = |expr: &Expr| !matches!(expr, Expr::Token(_) | Expr::Schema(_) | Expr::NonEmpty(_));
        grammar.exprs.iter().all(is_text).then(|| Self(Arc::new(grammar)))
    }

    /// The grammar.
    #[must_use]
    pub fn grammar(&self) -> &Grammar {
        &self.0
    }

    fn bodies(&self) -> impl Iterator<Item = ExprId> {
        self.0.rules.iter().map(|rule| rule.body)
    }

    fn content(&self) -> (&[Expr], RuleId) {
        (&self.0.exprs, self.0.start)
    }
}

impl PartialEq for Sentences {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || (self.content() == other.content() && self.bodies().eq(other.bodies()))
    }
}

impl Eq for Sentences {}

impl Hash for Sentences {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.content().hash(state);
        self.bodies().for_each(|body| body.hash(state));
    }
}

/// The text form: the start rule and how many there are.
impl fmt::Display for Sentences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` of {} rules", self.0.rule(self.0.start).name, self.0.rules.len())
    }
}
