//! A context-free grammar as the front ends for grammars hand it to the automaton: rules over texts, tokens and
//! JSON Schemas.
//!
//! Expressions live in one arena and children stand before their parents, so whoever works on a grammar goes through
//! the arena in a loop: no nesting of the source text can overflow a stack. A [`Builder`] makes grammars; what it
//! returns has names that are defined, once each, and a start rule.
//!
//! A grammar describes texts, not trees: an ambiguous grammar is as good as another one for the same language. Every
//! split of the text counts (no lexer stands before the rules).

mod builder;
pub(crate) mod parents;
mod regular;
pub(crate) mod within;

mod text_form;
mod text_reader;

pub use builder::Builder;

use crate::error::Position;
use crate::grammar::program::SchemaProgram;
use crate::grammar::regex::Regex;
use crate::index::{ExprId, RuleId};

/// The name of the rule that a whole text is, where a pass puts one in front of those that were written.
pub(crate) const WHOLE_TEXT: &str = "text#0";

/// A context-free grammar.
#[derive(Clone, PartialEq, Debug)]
pub struct Grammar {
    /// The rules, in the order in which the source names them first.
    pub rules: Vec<Rule>,
    /// The expressions of all rules; children before parents.
    pub exprs: Vec<Expr>,
    /// The embedded schemas.
    pub schemas: Vec<SchemaProgram>,
    /// The rule that a whole text matches.
    pub start: RuleId,
}

/// A rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// Its name.
    pub name: Box<str>,
    /// Where it is defined, if a text says so.
    pub position: Option<Position>,
    /// What it matches.
    pub body: ExprId,
}

/// An expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// A text that a regex matches, as UTF-8. The empty text is `Regex::Empty`, no text at all `Regex::Nothing`.
    Text(Regex),
    /// One token as a letter of its own, whatever its bytes.
    Token(TokenSet),
    /// What a rule matches.
    Rule(RuleId),
    /// A JSON document of an embedded schema, by its index in the grammar, without whitespace around it.
    Schema(u32),
    /// One after the other.
    Sequence(Vec<ExprId>),
    /// At least one of them; the order does not matter.
    Choice(Vec<ExprId>),
    /// `min` to `max` times (`None`: no upper bound); never unrolled.
    Repeat {
        /// What is repeated.
        body: ExprId,
        /// Least count.
        min: u32,
        /// Greatest count.
        max: Option<u32>,
    },
    /// What it matches, if the regex matches it too. The automaton puts plain rules in its place.
    Within {
        /// What is restricted.
        body: ExprId,
        /// What the whole of its text must match.
        regex: Regex,
    },
    /// What it matches, the empty text aside. Only the passes that bring a grammar into normal form make it; the text form
    /// shows it, and reads none.
    NonEmpty(ExprId),
}

/// A set of tokens, before a vocabulary is known.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TokenSet {
    /// The members, or those that are not in the set if it is negated.
    pub members: Vec<TokenMember>,
    /// Whether the set is every token but the members.
    pub negated: bool,
}

/// Some tokens.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TokenMember {
    /// The token that the vocabulary lists under this text, such as `<|im_end|>`.
    Name(Box<str>),
    /// An inclusive range of ids.
    Ids(u32, u32),
}

impl Grammar {
    /// An expression.
    #[must_use]
    pub fn expr(&self, id: ExprId) -> &Expr {
        &self.exprs[id.index()]
    }

    /// A rule.
    #[must_use]
    pub fn rule(&self, id: RuleId) -> &Rule {
        &self.rules[id.index()]
    }
}

impl Expr {
    /// The expressions that it is made of.
    pub fn children(&self) -> &[ExprId] {
        match self {
            Self::Text(_) | Self::Token(_) | Self::Rule(_) | Self::Schema(_) => &[],
            Self::Sequence(children) | Self::Choice(children) => children,
            Self::Repeat { body, .. } | Self::Within { body, .. } | Self::NonEmpty(body) => {
                std::slice::from_ref(body)
            }
        }
    }
}
