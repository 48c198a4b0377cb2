//! Grammars whose text names JSON Schemas: rules that it uses and leaves to the caller.

use crate::automaton::Automaton;
use crate::compiler::{CompiledGrammar, Compiler};
use crate::error::CompileError;
use crate::grammar::program::SchemaProgram;
use crate::syntax::Parsed;
use crate::syntax::schema::{self, EnforcementReport};
use crate::syntax::{ebnf, gbnf};

impl Compiler {
    /// Compiles a grammar in EBNF in which rules that the text uses and does not define match JSON documents: each a name and the text of
    /// a schema.
    ///
    /// ```
    /// use maskwright::{Compiler, CompilerConfig, Matcher, Vocabulary};
    ///
    /// let compiler = Compiler::new(Vocabulary::demo(), CompilerConfig::default());
    /// let grammar = compiler.ebnf_with_schemas(
    ///     r#"root ::= Until("</think>") answer"#,
    ///     &[("answer", r#"{"type": "array", "items": {"type": "integer"}}"#)],
    /// )?;
    /// let mut matcher = Matcher::new(&grammar);
    /// for token in Vocabulary::demo_encode("Two, I think.</think>[2]") {
    ///     matcher.commit(token)?;
    /// }
    /// assert!(matcher.is_accepting());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// The report lists the schemas one after the other.
    ///
    /// # Errors
    /// As [`Compiler::ebnf`] and [`Compiler::json_schema`], in a schema with the rule's name as the document; and if the text defines
    /// such a rule, or does not use it.
    pub fn ebnf_with_schemas(
        &self,
        text: &str,
        schemas: &[(&str, &str)],
    ) -> Result<CompiledGrammar, CompileError> {
        self.with_schemas(schemas, |programs| ebnf::parse_with(text, programs))
    }

    /// The same for a grammar in GBNF.
    ///
    /// # Errors
    /// As [`Compiler::ebnf_with_schemas`], where GBNF stands for EBNF.
    pub fn gbnf_with_schemas(
        &self,
        text: &str,
        schemas: &[(&str, &str)],
    ) -> Result<CompiledGrammar, CompileError> {
        self.with_schemas(schemas, |programs| gbnf::parse_with(text, programs))
    }

    fn with_schemas(
        &self,
        schemas: &[(&str, &str)],
        parse: impl FnOnce(&[(&str, SchemaProgram)]) -> Result<Parsed, CompileError>,
    ) -> Result<CompiledGrammar, CompileError> {
        let universe = self.generations()?.current();
        let options = self.config.schema_options();
        let mut programs = Vec::with_capacity(schemas.len());
        let mut entries = Vec::new();
        for (name, text) in schemas {
            let (program, report) =
                schema::compile(text, &options).map_err(|error| error.of_document(name))?;
            // A schema that nothing satisfies is a mistake, and not an alternative that is never taken.
            Automaton::of_schema(&universe, &program).map_err(|error| error.of_document(name))?;
            entries.extend_from_slice(report.entries());
            programs.push((*name, program));
        }
        let grammar = parse(&programs)?.grammar;
        self.rules(grammar, EnforcementReport::new(entries))
    }
}
