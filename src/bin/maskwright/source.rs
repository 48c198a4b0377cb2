//! What the text must be: a JSON Schema, a grammar in one of its notations, a structural tag, tool calls, or a regex.

use std::path::Path;

use clap::Args;
use maskwright::grammar::rules::Grammar;
use maskwright::syntax::tags::tools::ToolsRequest;
use maskwright::syntax::{Hint, ebnf, gbnf};
use maskwright::{CompileError, CompiledGrammar, Compiler};

use crate::Failure;
use crate::arguments::text;

/// Exactly one of them.
#[derive(Args, Debug)]
#[group(required = true, multiple = false)]
pub(crate) struct SourceArguments {
    /// A JSON Schema: a file, `-` for standard input, or the schema itself if it starts with `{` or is `true` or `false`.
    #[arg(long, value_name = "FILE")]
    schema: Option<String>,
    /// A grammar in EBNF, as the W3C, ISO 14977 or XGrammar write it: a file, `-`, or the grammar itself if `::=` is in it.
    #[arg(long, value_name = "FILE")]
    ebnf: Option<String>,
    /// A grammar in GBNF, as llama.cpp reads it: a file, `-`, or the grammar itself if `::=` is in it.
    #[arg(long, value_name = "FILE")]
    gbnf: Option<String>,
    /// A grammar in the text form that `dump grammar` prints: a file, `-`, or the grammar itself if `::=` is in it.
    #[arg(long, value_name = "FILE")]
    grammar: Option<String>,
    /// A grammar in Lark's notation: a file, or `-`.
    #[arg(long, value_name = "FILE")]
    lark: Option<String>,
    /// A structural tag: a file, `-`, or the tag itself if it starts with `{`.
    #[arg(long, value_name = "FILE")]
    structural_tag: Option<String>,
    /// The tools of a request, in JSON: a file, `-`, or the request itself if it starts with `{`.
    #[arg(long, value_name = "FILE")]
    tools: Option<String>,
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
    /// In the text form.
    Form(String),
    Lark(String),
    StructuralTag(String),
    Tools(String),
    Regex(String),
}

impl SourceArguments {
    /// The text, read.
    pub(crate) fn read(&self) -> Result<Source, Failure> {
        let grammar = |given: &str| if given.contains("::=") { Ok(given.to_owned()) } else { text(given) };
        let json = |given: &str| {
            let is_given = given.trim_start().starts_with('{') || matches!(given.trim(), "true" | "false");
            // Other JSON is refused with what is wanted in its place, unless it names a file.
            let is_json = || serde_json::from_str::<serde::de::IgnoredAny>(given).is_ok();
            if is_given || (is_json() && !Path::new(given).exists()) {
                Ok(given.to_owned())
            } else {
                text(given)
            }
        };
        if let Some(schema) = &self.schema {
            return json(schema).map(Source::Schema);
        }
        if let Some(ebnf) = &self.ebnf {
            return grammar(ebnf).map(Source::Ebnf);
        }
        if let Some(gbnf) = &self.gbnf {
            return grammar(gbnf).map(Source::Gbnf);
        }
        if let Some(form) = &self.grammar {
            return grammar(form).map(Source::Form);
        }
        if let Some(lark) = &self.lark {
            return text(lark).map(Source::Lark);
        }
        if let Some(tag) = &self.structural_tag {
            return json(tag).map(Source::StructuralTag);
        }
        if let Some(tools) = &self.tools {
            return json(tools).map(Source::Tools);
        }
        self.regex
            .clone()
            .map(Source::Regex)
            .ok_or_else(|| Failure("nothing to compile: give a schema, a grammar, tools or a pattern".into()))
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
            Self::Form(text) => compiler.grammar(&Grammar::from_text_form(text, &[])?),
            Self::Lark(text) => compiler.lark(text),
            Self::StructuralTag(text) => compiler.structural_tag(text),
            Self::Tools(text) => compiler.tools(&ToolsRequest::from_json(text)?),
            Self::Regex(text) => compiler.regex(text),
        }
    }

    /// Whether schemas may stand in it, so that the options on how these are read say something.
    pub(crate) fn may_have_schemas(&self) -> bool {
        !matches!(self, Self::Ebnf(_) | Self::Gbnf(_) | Self::Form(_) | Self::Regex(_))
    }

    /// The schema, if it is one.
    pub(crate) fn schema(&self) -> Option<&str> {
        match self {
            Self::Schema(text) => Some(text),
            _ => None,
        }
    }
}
