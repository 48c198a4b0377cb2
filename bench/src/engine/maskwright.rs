//! maskwright behind the bench's trait, and the question which part of the surface policy excludes a document.

use std::path::Path;

use maskwright::{
    Bitmask, CommitError, CompiledGrammar, Compiler, CompilerConfig, KeyOrder, MaskError, Matcher,
    NumberSpelling, SurfacePolicy, TokenId, Vocabulary, Whitespace,
};

use super::{Cause, Committed, Engine, Grammar, Notation, PolicyProbe, Refusal, Session};

/// A compiler for one vocabulary and surface policy, with the universe that its grammars share.
pub(crate) struct Maskwright {
    vocabulary: Vocabulary,
    config: CompilerConfig,
    compiler: Compiler,
}

impl Maskwright {
    /// `budget`: MiB that the universe may take; `None`: as many as the library says.
    pub(crate) fn read(
        tokenizer: &Path,
        policy: SurfacePolicy,
        budget: Option<usize>,
    ) -> Result<Self, String> {
        let vocabulary = read_vocabulary(tokenizer)?;
        let mut config = CompilerConfig::with_policy(policy);
        config.universe_bytes = budget.map(|mebibytes| mebibytes << 20);
        let compiler = Compiler::new(vocabulary.clone(), config.clone());
        Ok(Self { vocabulary, config, compiler })
    }
}

fn read_vocabulary(tokenizer: &Path) -> Result<Vocabulary, String> {
    Vocabulary::from_tokenizer_json(tokenizer).map_err(|e| format!("{}: {e}", tokenizer.display()))
}

impl Engine for Maskwright {
    fn isolate(&mut self) {
        self.compiler = Compiler::new(self.vocabulary.clone(), self.config.clone());
    }

    fn compile(&mut self, schema: &str) -> Result<Box<dyn Grammar>, Refusal> {
        match self.compiler.json_schema(schema) {
            Ok(grammar) => Ok(Box::new(Compiled { grammar })),
            Err(e) => Err(Refusal(format!("{}: {}", e.kind().name(), e.subject()))),
        }
    }

    fn compile_grammar(&mut self, notation: Notation, text: &str) -> Result<Box<dyn Grammar>, Refusal> {
        let compiled = match notation {
            Notation::Ebnf => self.compiler.ebnf(text),
            Notation::Lark => self.compiler.lark(text),
        };
        match compiled {
            Ok(grammar) => Ok(Box::new(Compiled { grammar })),
            Err(e) => Err(Refusal(e.to_string())),
        }
    }
}

struct Compiled {
    grammar: CompiledGrammar,
}

impl Grammar for Compiled {
    fn session(&self) -> Box<dyn Session> {
        Box::new(Running { matcher: Matcher::new(&self.grammar), mask: Bitmask::new(&self.grammar) })
    }
}

struct Running {
    matcher: Matcher,
    mask: Bitmask,
}

impl Session for Running {
    fn fill(&mut self) -> Result<(), Refusal> {
        self.matcher.fill_bitmask(&mut self.mask).map_err(|e| match e {
            MaskError::Exhausted(_) => Refusal("exhausted while a mask was filled".to_owned()),
            other => Refusal(other.to_string()),
        })
    }

    fn allows(&self, token: u32) -> bool {
        self.mask.contains(token)
    }

    fn commit(&mut self, token: u32) -> Result<Committed, Refusal> {
        match self.matcher.commit(TokenId(token)) {
            Ok(()) => Ok(Committed::Yes),
            Err(CommitError::Exhausted(_)) => {
                Err(Refusal("exhausted while a token was committed".to_owned()))
            }
            Err(_) => Ok(Committed::NotAllowed),
        }
    }

    fn is_complete(&mut self) -> bool {
        self.matcher.is_accepting()
    }
}

/// Compilers under wider policies, each with a universe of its own.
pub(crate) struct Policies {
    permissive: Compiler,
    /// The default policy with one part widened.
    single: Vec<(Cause, Compiler)>,
}

impl Policies {
    pub(crate) fn read(tokenizer: &Path) -> Result<Self, String> {
        let vocabulary = read_vocabulary(tokenizer)?;
        let compiler = |policy| Compiler::new(vocabulary.clone(), CompilerConfig::with_policy(policy));
        let standard = SurfacePolicy::default();
        let single = [
            (Cause::KeyOrder, SurfacePolicy { key_order: KeyOrder::Any, ..standard }),
            (Cause::NumberSpelling, SurfacePolicy { numbers: NumberSpelling::All, ..standard }),
            (Cause::Whitespace, SurfacePolicy { whitespace: Whitespace::Free, ..standard }),
        ];
        Ok(Self {
            permissive: compiler(SurfacePolicy::permissive()),
            single: single.into_iter().map(|(cause, policy)| (cause, compiler(policy))).collect(),
        })
    }
}

impl PolicyProbe for Policies {
    fn cause(&mut self, schema: &str, tokens: &[u32]) -> Option<Cause> {
        if !accepts(&self.permissive, schema, tokens) {
            return None;
        }
        let alone = self.single.iter().find(|(_, compiler)| accepts(compiler, schema, tokens));
        Some(alone.map_or(Cause::Several, |(cause, _)| *cause))
    }
}

/// Whether a compiler serves the schema and its grammar takes the document.
fn accepts(compiler: &Compiler, schema: &str, tokens: &[u32]) -> bool {
    let Ok(grammar) = compiler.json_schema(schema) else { return false };
    let mut matcher = Matcher::new(&grammar);
    tokens.iter().all(|token| matcher.commit(TokenId(*token)).is_ok()) && matcher.is_accepting()
}
