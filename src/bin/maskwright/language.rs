//! The language that texts are held to: what every subcommand that compiles is given, read once.

use clap::Args;
use maskwright::{CompileError, CompiledGrammar, Compiler, CompilerConfig, SurfacePolicy, Vocabulary};

use crate::Failure;
use crate::arguments::{ReadingArguments, VocabularyArguments};
use crate::source::{Source, SourceArguments};

/// A source, a vocabulary, and how the source is read.
#[derive(Args, Debug)]
pub(crate) struct LanguageArguments {
    #[command(flatten)]
    source: SourceArguments,
    #[command(flatten)]
    pub(crate) vocabulary: VocabularyArguments,
    #[command(flatten)]
    reading: ReadingArguments,
}

/// What they name.
pub(crate) struct Language {
    pub(crate) source: Source,
    pub(crate) vocabulary: Vocabulary,
    pub(crate) config: CompilerConfig,
}

impl LanguageArguments {
    /// Reads all of it; nothing is compiled yet.
    pub(crate) fn read(&self) -> Result<Language, Failure> {
        let source = self.source.read()?;
        let config = self.reading.config()?;
        if !source.may_have_schemas() && config != CompilerConfig::default() {
            eprintln!(
                "note: there is no schema in this source; the options on how schemas are read and JSON is written change nothing"
            );
        }
        Ok(Language { source, vocabulary: self.vocabulary.load()?, config })
    }
}

impl Language {
    /// Compiles it.
    pub(crate) fn compile(&self) -> Result<CompiledGrammar, CompileError> {
        self.source.compile(&Compiler::new(self.vocabulary.clone(), self.config.clone()))
    }

    /// The same under the widest policy; `None` where that is the policy, or where there is none to choose.
    pub(crate) fn compile_permissively(&self) -> Option<CompiledGrammar> {
        if self.source.schema().is_none() || self.config.policy == SurfacePolicy::permissive() {
            return None;
        }
        let mut config = self.config.clone();
        config.policy = SurfacePolicy::permissive();
        self.source.compile(&Compiler::new(self.vocabulary.clone(), config)).ok()
    }
}
