//! Structural tags and tool calls: from their JSON texts to compiled grammars.

use crate::automaton::Automaton;
use crate::compiler::{CompiledGrammar, Compiler};
use crate::error::{CompileError, CompileErrorKind, Place};
use crate::grammar::regex::Regex;
use crate::grammar::rules::{Expr, Grammar, TokenMember};
use crate::index::TokenId;
use crate::syntax::ebnf;
use crate::syntax::tags::tools::ToolsRequest;
use crate::syntax::tags::{self, Described};
use crate::vocab::TokenKind;

impl Compiler {
    /// Compiles a structural tag: free text, markers, JSON documents and tokens, put together.
    ///
    /// ```
    /// use maskwright::{Compiler, CompilerConfig, Matcher, Vocabulary};
    ///
    /// let compiler = Compiler::new(Vocabulary::demo(), CompilerConfig::default());
    /// let grammar = compiler.structural_tag(
    ///     r#"{"type": "structural_tag", "format": {"type": "triggered_tags", "triggers": ["<n>"], "tags": [
    ///         {"begin": "<n>", "content": {"type": "json_schema", "json_schema": {"type": "integer"}}, "end": "</n>"}]}}"#,
    /// )?;
    /// let mut matcher = Matcher::new(&grammar);
    /// for token in Vocabulary::demo_encode("It is <n>42</n>.") {
    ///     matcher.commit(token)?;
    /// }
    /// assert!(matcher.is_accepting());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Grammars inside it are read as EBNF.
    ///
    /// # Errors
    /// As [`tags::structural_tag_with`] and [`Compiler::grammar`].
    pub fn structural_tag(&self, text: &str) -> Result<CompiledGrammar, CompileError> {
        let ebnf = |text: &str| ebnf::parse(text).map(|parsed| parsed.grammar);
        let described = tags::structural_tag_with(text, &self.config.schema_options(), &ebnf)?;
        let is_free = |regex: &Regex| matches!(regex, Regex::Repeat { .. } | Regex::Not(_) | Regex::And(_));
        self.check_ends(&described.grammar, is_free)?;
        self.described(described)
    }

    /// Compiles the tools of a request to what a family of models writes when it calls them.
    ///
    /// # Errors
    /// As [`ToolsRequest::describe`] and [`Compiler::grammar`].
    pub fn tools(&self, request: &ToolsRequest) -> Result<CompiledGrammar, CompileError> {
        let described = request.describe(&self.config.schema_options())?;
        // Free text before calls does without the text of the marker that begins them, so such a marker may be text.
        self.check_ends(&described.grammar, Regex::is_any_text)?;
        self.described(described)
    }

    fn described(&self, described: Described) -> Result<CompiledGrammar, CompileError> {
        let universe = self.generations()?.current();
        for (pointer, program) in &described.schemas {
            Automaton::of_schema(&universe, program).map_err(|e| e.below(pointer))?;
        }
        self.rules(described.grammar, described.report)
    }

    /// Refuses free text that ends with a token which is text: whether the token ends it could not be told.
    fn check_ends(&self, grammar: &Grammar, is_free: impl Fn(&Regex) -> bool) -> Result<(), CompileError> {
        let sequences = grammar.exprs.iter().filter_map(|expr| match expr {
            Expr::Sequence(parts) => Some(parts),
            _ => None,
        });
        for pair in sequences.flat_map(|parts| parts.windows(2)) {
            let (Expr::Text(free), Expr::Token(end)) = (grammar.expr(pair[0]), grammar.expr(pair[1])) else {
                continue;
            };
            let tokens = end.members.iter().flat_map(|member| match member {
                TokenMember::Name(name) => self.vocabulary.token_named(name).map(|token| token.0..=token.0),
                TokenMember::Ids(low, high) => Some(*low..=*high),
            });
            let is_text = |token: &u32| {
                let known = TokenId(*token).index() < self.vocabulary.len();
                known && self.vocabulary.kind(TokenId(*token)) == TokenKind::Text
            };
            if end.negated || !is_free(free) {
                continue;
            }
            if let Some(token) = tokens.flatten().find(is_text) {
                let message = format!(
                    "the token {token} ends free text and is text itself, so free text could go on with it: make it a letter \
                     (`Vocabulary::with_letter_tokens`), or name its text in place of the token"
                );
                return Err(CompileError::new(CompileErrorKind::Invalid, Place::default(), "token", message));
            }
        }
        Ok(())
    }
}
