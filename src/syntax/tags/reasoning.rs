//! Reasoning: any text until a marker, and then what a grammar describes; one grammar for both.
//!
//! So nobody has to watch for the marker outside, and a window of draft tokens may go across it.

use crate::error::CompileError;
use crate::grammar::regex::Regex;
use crate::grammar::rules::{Expr, Grammar, Rule, TokenMember, TokenSet};
use crate::index::{ExprId, RuleId};
use crate::syntax::json::Value;
use crate::syntax::tags::fields::Fields;
use crate::syntax::tags::format::Mark;
use crate::syntax::tags::free::until;
use crate::syntax::tags::read;

/// What begins or ends something: a text, or a token as a letter of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Marker {
    /// This text, however tokens spell it. A token that is a letter does not.
    Text(String),
    /// This token.
    Token(TokenMember),
}

/// Text that comes before everything else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reasoning {
    /// What it begins with, where that is part of the output.
    pub begin: Option<Marker>,
    /// What it ends with, the first time that it comes.
    pub end: Marker,
    /// How many line breaks may stand behind its end.
    pub newlines: u32,
}

/// Models write one or two line breaks behind their thoughts, or none.
const NEWLINES: u32 = 2;

impl Reasoning {
    /// Reasoning up to a text such as `</think>`, and at most two line breaks.
    #[must_use]
    pub fn until_text(end: &str) -> Self {
        Self { begin: None, end: Marker::Text(end.to_owned()), newlines: NEWLINES }
    }

    /// Reasoning up to the token that the vocabulary lists under this name, and at most two line breaks.
    #[must_use]
    pub fn until_token(name: &str) -> Self {
        Self { begin: None, end: Marker::Token(TokenMember::Name(name.into())), newlines: NEWLINES }
    }

    /// From `{"begin": marker, "end": marker, "newlines": count}`, where a marker is a text or `{"token": name or id}`.
    pub(super) fn read(at: Value<'_>) -> Result<Self, CompileError> {
        let fields = Fields::of(at, "reasoning", &["begin", "end", "newlines"])?;
        let marker = |value| -> Result<Marker, CompileError> {
            Ok(match read::mark(value, "reasoning")? {
                Mark::Text(text) => Marker::Text(text.to_owned()),
                Mark::Token(token) => Marker::Token(token),
            })
        };
        Ok(Self {
            begin: fields.get("begin").map(marker).transpose()?,
            end: marker(fields.required("end")?)?,
            newlines: fields.count("newlines")?.unwrap_or(NEWLINES),
        })
    }

    /// The grammar of reasoning and then a text of `grammar`.
    #[must_use]
    pub fn before(&self, mut grammar: Grammar) -> Grammar {
        let mut parts = Vec::new();
        match &self.begin {
            None => {}
            Some(Marker::Text(text)) => parts.push(push(&mut grammar, Expr::Text(Regex::literal(text)))),
            Some(Marker::Token(token)) => parts.push(push(&mut grammar, letter(token))),
        }
        match &self.end {
            Marker::Text(text) => parts.push(push(&mut grammar, Expr::Text(until(text)))),
            Marker::Token(token) => {
                parts.push(push(&mut grammar, Expr::Text(Regex::any_text())));
                parts.push(push(&mut grammar, letter(token)));
            }
        }
        let newlines = Regex::literal("\n").repeat(0, Some(self.newlines));
        parts.push(push(&mut grammar, Expr::Text(newlines)));
        let start = grammar.start;
        parts.push(push(&mut grammar, Expr::Rule(start)));
        let body = push(&mut grammar, Expr::Sequence(parts));
        grammar.start = RuleId::new(grammar.rules.len());
        grammar.rules.push(Rule { name: "reasoning, then output".into(), position: None, body });
        grammar
    }
}

fn letter(token: &TokenMember) -> Expr {
    Expr::Token(TokenSet { members: vec![token.clone()], negated: false })
}

fn push(grammar: &mut Grammar, expr: Expr) -> ExprId {
    grammar.exprs.push(expr);
    ExprId::new(grammar.exprs.len() - 1)
}
