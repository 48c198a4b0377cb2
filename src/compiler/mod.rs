//! From text to a compiled grammar.

mod compiled;
mod generations;
mod schemas;
mod source;
mod tags;

use std::sync::Arc;

pub use compiled::CompiledGrammar;
pub(crate) use compiled::Loaded;
pub use source::Source;

use crate::automaton::{Automaton, Caching, UniverseStatistics};
use crate::compiler::compiled::Content;
use crate::compiler::generations::Generations;
use crate::error::{CompileError, CompileErrorKind, FormatError, Place, Position};
use crate::grammar::policy::SurfacePolicy;
use crate::grammar::rules::Grammar;
use crate::limits::UNIVERSE_BYTES;
use crate::syntax::format::Formats;
use crate::syntax::lark;
use crate::syntax::pattern;
use crate::syntax::schema::{
    self, DialectName, EnforcementReport, Entry, FormatsAre, Resolver, SchemaOptions, Status,
};
use crate::syntax::{ebnf, gbnf};
use crate::vocab::Vocabulary;

/// How a compiler compiles.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct CompilerConfig {
    /// Which spellings of a JSON value are generated.
    pub policy: SurfacePolicy,
    /// Whether computed masks are kept; the masks are the same either way.
    pub caching: Caching,
    /// About how many bytes the tables may take that all grammars of a compiler share. Beyond it they are made anew, a generation after
    /// the other, and matchers go on there: right at any budget, and slow where grammars in use need more than it. `None`:
    /// [`UNIVERSE_BYTES`].
    pub universe_bytes: Option<usize>,
    /// The dialect of schemas and documents that state none.
    pub dialect: DialectName,
    /// Where documents come from that a schema refers to.
    pub resolver: Resolver,
    /// What a `format` does.
    pub formats_are: FormatsAre,
    /// Formats that the caller defines, beside those of the specification.
    pub formats: Formats,
    /// Whether a schema is refused for a `format` that neither the specification nor the caller defines, instead of taking it for an
    /// annotation; and a grammar in Lark's notation if texts would be left out, instead of listing them in the report.
    pub strict: bool,
}

impl CompilerConfig {
    /// The default configuration under another surface policy.
    #[must_use]
    pub fn with_policy(policy: SurfacePolicy) -> Self {
        Self { policy, ..Self::default() }
    }

    /// This configuration and a format more: a text has it if the *whole* text matches the ECMA-262 pattern.
    ///
    /// ```
    /// use maskwright::{Compiler, CompilerConfig, Vocabulary};
    ///
    /// let config = CompilerConfig::default().with_format("parcel", "[0-9]{4}")?;
    /// let grammar = Compiler::new(Vocabulary::demo(), config).json_schema(r#"{"format": "parcel"}"#)?;
    /// assert!(grammar.report().to_string().contains("the caller defines this format"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Formats::with`].
    pub fn with_format(self, name: &str, pattern: &str) -> Result<Self, FormatError> {
        let formats = self.formats.with(name, pattern)?;
        Ok(Self { formats, ..self })
    }

    /// This configuration and a format more: a text has it if it is one of the grammar. See [`Formats::with_grammar`] for where it may
    /// stand.
    ///
    /// # Errors
    /// As [`Formats::with_grammar`].
    pub fn with_grammar_format(self, name: &str, grammar: Grammar) -> Result<Self, FormatError> {
        let formats = self.formats.with_grammar(name, grammar)?;
        Ok(Self { formats, ..self })
    }

    fn schema_options(&self) -> SchemaOptions {
        SchemaOptions {
            policy: self.policy,
            dialect: self.dialect,
            resolver: self.resolver.clone(),
            formats_are: self.formats_are,
            formats: self.formats.clone(),
            strict: self.strict,
        }
    }
}

/// Compiles grammars over one vocabulary; all of them share one universe of states and masks.
///
/// Cloning is O(1) and shares the universe.
///
/// ```
/// use maskwright::{Compiler, CompilerConfig, Matcher, Vocabulary};
///
/// let vocabulary = Vocabulary::from_tokens(["t", "r", "u", "e", "tru", "<end>"], &[5.into()])?;
/// let compiler = Compiler::new(vocabulary, CompilerConfig::default());
/// let grammar = compiler.json_schema(r#"{"const": true}"#).expect("a small schema");
/// let mut matcher = Matcher::new(&grammar);
/// matcher.commit(4)?;
/// assert_eq!(matcher.forced_bytes()?, b"e");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Compiler {
    vocabulary: Vocabulary,
    config: CompilerConfig,
    /// A vocabulary that can spell nothing is refused at each compilation, not when the compiler is made.
    generations: Result<Arc<Generations>, CompileError>,
}

impl Compiler {
    /// A compiler with a universe in which there are only the tables that hang on the vocabulary alone: they take a few
    /// milliseconds for one of 128 thousand tokens.
    #[must_use]
    pub fn new(vocabulary: Vocabulary, config: CompilerConfig) -> Self {
        let budget = config.universe_bytes.unwrap_or(UNIVERSE_BYTES);
        let generations = Generations::new(vocabulary.clone(), config.policy, config.caching, budget);
        Self { vocabulary, config, generations: generations.map(Arc::new) }
    }

    /// The vocabulary.
    #[must_use]
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// Compiles a JSON Schema from its text: typically tens of microseconds; states and masks are made on demand.
    ///
    /// # Errors
    /// Syntax errors, keywords that are not enforced exactly, contradictions and passed limits, each with its place.
    pub fn json_schema(&self, text: &str) -> Result<CompiledGrammar, CompileError> {
        let (program, report) = schema::compile(text, &self.config.schema_options())?;
        self.compiled(Content::of(Source::Schema(program)), report)
    }

    /// Compiles a JSON Schema from a value. What the value has lost is lost: duplicate members, the text of numbers
    /// beyond `f64`, positions, and (unless `serde_json` preserves it) the order of members.
    ///
    /// # Errors
    /// As [`Compiler::json_schema`], without positions.
    pub fn json_schema_value(&self, value: &serde_json::Value) -> Result<CompiledGrammar, CompileError> {
        self.json_schema(&value.to_string())
    }

    /// Compiles an ECMA-262 pattern that the whole output, as UTF-8 text, must match. Flags in front, as in `(?i)yes|no`, hold for
    /// the whole pattern.
    ///
    /// # Errors
    /// Syntax errors and constructs that are not regular, with their byte; contradictions and passed limits.
    pub fn regex(&self, text: &str) -> Result<CompiledGrammar, CompileError> {
        let whole = pattern::parse_whole(text).map_err(|e| {
            let byte = e.byte.min(text.len());
            let column = text.char_indices().take_while(|(at, _)| *at < byte).count() + 1;
            let position = Position { line: 1, column, byte };
            CompileError::new(
                CompileErrorKind::Unsupported,
                Place { position: Some(position), ..Place::default() },
                format!("regex: {}", e.construct),
                e.message,
            )
        })?;
        let source = Source::of_regex(whole.clone());
        self.compiled(Content { source, regex: Some(whole) }, EnforcementReport::default())
    }

    /// Compiles a context-free grammar.
    ///
    /// # Errors
    /// If no text matches it (naming the rules that never end), it names a token that the vocabulary lacks, or a limit is
    /// passed.
    pub fn grammar(&self, grammar: &Grammar) -> Result<CompiledGrammar, CompileError> {
        self.rules(grammar.clone(), EnforcementReport::default())
    }

    /// Compiles a grammar in EBNF (as the W3C or ISO 14977 write it, or XGrammar's dialect), from its text.
    ///
    /// ```
    /// use maskwright::{Compiler, CompilerConfig, Matcher, Vocabulary};
    ///
    /// let compiler = Compiler::new(Vocabulary::demo(), CompilerConfig::default());
    /// let grammar = compiler.ebnf(r#"root ::= "(" root ")" | [a-z]+"#)?;
    /// assert!(compiler.ebnf("root ::= item").unwrap_err().to_string().contains("`item`"));
    /// # Ok::<(), maskwright::CompileError>(())
    /// ```
    ///
    /// # Errors
    /// Syntax errors with line, column and byte, and as [`Compiler::grammar`].
    pub fn ebnf(&self, text: &str) -> Result<CompiledGrammar, CompileError> {
        self.rules(ebnf::parse(text)?.grammar, EnforcementReport::default())
    }

    /// Compiles a grammar in GBNF, as llama.cpp reads it, from its text.
    ///
    /// # Errors
    /// Syntax errors with line, column and byte, and as [`Compiler::grammar`].
    pub fn gbnf(&self, text: &str) -> Result<CompiledGrammar, CompileError> {
        self.rules(gbnf::parse(text)?.grammar, EnforcementReport::default())
    }

    /// Compiles a grammar in Lark's notation ([`lark`]), whose texts are split into lexemes by the longest match.
    ///
    /// ```
    /// use maskwright::{Compiler, CompilerConfig, Vocabulary};
    ///
    /// let compiler = Compiler::new(Vocabulary::demo(), CompilerConfig::default());
    /// compiler.lark("start: \"if\" NAME | NAME\nNAME: /[a-z]+/\n%ignore \" \"")?;
    /// let error = compiler.lark("start: X \"b\"\nX: /ab*/").unwrap_err();
    /// assert!(error.to_string().contains("no text"), "{error}");
    /// # Ok::<(), maskwright::CompileError>(())
    /// ```
    ///
    /// # Errors
    /// If the text is not in this notation; if it is strict and what may stand in a place hangs on more than the rules around
    /// it say (otherwise [`CompiledGrammar::report`] lists what is left out); and as [`Compiler::grammar`].
    pub fn lark(&self, text: &str) -> Result<CompiledGrammar, CompileError> {
        let (lexing, report) = lark::parse(text, &self.config.schema_options())?;
        let generations = self.generations()?;
        let universe = generations.current();
        let scannerless = universe.scannerless(lexing)?;
        let doubts = &scannerless.doubts;
        if let (true, Some(doubt)) = (self.config.strict, doubts.list.first()) {
            return Err(doubt.clone().into_error());
        }
        let report = report.with(doubts.notes().into_iter().map(|(terminal, note)| Entry {
            pointer: "".into(),
            keyword: terminal,
            status: Status::Narrowed,
            note: Some(note.into()),
        }));
        let automaton = Automaton::of_scannerless(&universe, &scannerless);
        let automaton = automaton.map_err(|error| match doubts.list.first() {
            // What was left out may be all there is.
            Some(doubt) if error.kind() == CompileErrorKind::Unsatisfiable => doubt.clone().into_error(),
            _ => error,
        })?;
        let content = Content::of(Source::Grammar(scannerless.grammar.clone()));
        Ok(CompiledGrammar::new(generations, automaton, report, self.config.policy, content))
    }

    /// Begins the next generation of the tables that all grammars share: what was computed is forgotten and computed anew when it is
    /// needed. Answers stay the same. Takes about as long as [`Compiler::new`]; the memory is freed behind the calls under way.
    pub fn renew(&self) {
        if let Ok(generations) = &self.generations {
            generations.renew();
        }
    }

    /// Sizes of the tables that all grammars share; nothing for a vocabulary that can spell nothing.
    #[must_use]
    pub fn statistics(&self) -> UniverseStatistics {
        self.generations.as_ref().map_or_else(|_| UniverseStatistics::default(), |known| known.statistics())
    }

    /// About what each group of tables takes, in bytes, with its name; together [`UniverseStatistics::bytes`].
    #[must_use]
    pub fn memory_by_table(&self) -> Vec<(&'static str, usize)> {
        self.generations.as_ref().map_or_else(|_| Vec::new(), |known| known.current().tables())
    }

    fn rules(&self, grammar: Grammar, report: EnforcementReport) -> Result<CompiledGrammar, CompileError> {
        self.compiled(Content::of(Source::Grammar(grammar)), report)
    }

    fn generations(&self) -> Result<&Arc<Generations>, CompileError> {
        self.generations.as_ref().map_err(Clone::clone)
    }

    fn compiled(&self, content: Content, report: EnforcementReport) -> Result<CompiledGrammar, CompileError> {
        let generations = self.generations()?;
        let automaton = content.load(&generations.current())?;
        Ok(CompiledGrammar::new(generations, automaton, report, self.config.policy, content))
    }
}
