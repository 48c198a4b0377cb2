//! What the text must be: a JSON Schema, a grammar in one of its notations, or a regex.

use clap::Args;
use maskwright::syntax::Hint;
use maskwright::syntax::{ebnf, gbnf};
use maskwright::{CompileError, CompiledGrammar, Compiler};

use crate::Failure;
use crate::arguments::text;

/// Exactly one of them.
#[derive(Args, Debug)]
#[group(required = true, multiple = false)]
pub(crate) struct SourceArguments {
    /// A JSON Schema: a file, `-` for standard input, or the schema itself if it starts with `{`.
    #[arg(long, value_name = "FILE")]
    schema: Option<String>,
    /// A grammar in EBNF, as the W3C, ISO 14977 or XGrammar write it: a file, `-`, or the grammar itself if `::=` is in it.
    #[arg(long, value_name = "FILE")]
    ebnf: Option<String>,
    /// A grammar in GBNF, as llama.cpp reads it: a file, `-`, or the grammar itself if `::=` is in it.
    #[arg(long, value_name = "FILE")]
    gbnf: Option<String>,
    /// An ECMA-262 pattern that the whole text matches.
    #[arg(long, value_name = "PATTERN", allow_hyphen_values = true)]
    regex: Option<String>,
}

/// A text in its notation.
#[derive(Debug)]
pub(crate) enum Source {
    Schema(String),
    Ebnf(String),
    Gbnf(String),
    Regex(String),
}

impl SourceArguments {
    /// The text, read.
    pub(crate) fn read(&self) -> Result<Source, Failure> {
        let grammar = |given: &str| if given.contains("::=") { Ok(given.to_owned()) } else { text(given) };
        Ok(match (&self.schema, &self.ebnf, &self.gbnf, &self.regex) {
            (Some(schema), ..) if schema.trim_start().starts_with('{') => Source::Schema(schema.clone()),
            (Some(schema), ..) => Source::Schema(text(schema)?),
            (_, Some(ebnf), ..) => Source::Ebnf(grammar(ebnf)?),
            (_, _, Some(gbnf), _) => Source::Gbnf(grammar(gbnf)?),
            (.., Some(regex)) => Source::Regex(regex.clone()),
            _ => return Err(Failure("nothing to compile: give --schema, --ebnf, --gbnf or --regex".into())),
        })
    }
}

impl Source {
    /// Compiles it, and says on standard error what its author may have misread.
    pub(crate) fn compile(&self, compiler: &Compiler) -> Result<CompiledGrammar, CompileError> {
        let say = |hints: &[Hint]| hints.iter().for_each(|hint| eprintln!("note: {hint}"));
        match self {
            Self::Schema(text) => compiler.json_schema(text),
            Self::Ebnf(text) => {
                let parsed = ebnf::parse(text)?;
                say(&parsed.hints);
                compiler.grammar(&parsed.grammar)
            }
            Self::Gbnf(text) => {
                let parsed = gbnf::parse(text)?;
                say(&parsed.hints);
                compiler.grammar(&parsed.grammar)
            }
            Self::Regex(text) => compiler.regex(text),
        }
    }

    /// The schema, if it is one.
    pub(crate) fn schema(&self) -> Option<&str> {
        match self {
            Self::Schema(text) => Some(text),
            _ => None,
        }
    }
}
