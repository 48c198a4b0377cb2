//! Structural tags and tool calls: from their JSON texts to compiled grammars.

use crate::automaton::Automaton;
use crate::compiler::{CompiledGrammar, Compiler};
use crate::error::CompileError;
use crate::syntax::tags;
use crate::syntax::tags::tools::ToolsRequest;

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
    /// # Errors
    /// As [`tags::structural_tag`] and [`Compiler::grammar`].
    pub fn structural_tag(&self, text: &str) -> Result<CompiledGrammar, CompileError> {
        let (grammar, report) = tags::structural_tag(text, &self.config.schema_options())?;
        let automaton = Automaton::of_grammar(self.universe()?, &grammar)?;
        Ok(self.compiled(automaton, report))
    }

    /// Compiles the tools of a request to what a family of models writes when it calls them.
    ///
    /// # Errors
    /// As [`ToolsRequest::grammar`] and [`Compiler::grammar`].
    pub fn tools(&self, request: &ToolsRequest) -> Result<CompiledGrammar, CompileError> {
        let (grammar, report) = request.grammar(&self.config.schema_options())?;
        let automaton = Automaton::of_grammar(self.universe()?, &grammar)?;
        Ok(self.compiled(automaton, report))
    }
}
