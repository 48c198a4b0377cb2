//! What the bench asks of an engine: compile a schema, then fill masks and commit tokens.
//!
//! One small trait per life time: an [`Engine`] lives as long as the run, a [`Grammar`] as long as a schema, a
//! [`Session`] as long as a document. Calls go through tables of functions, which costs each engine the same
//! nanosecond or two.

mod llguidance;
mod maskwright;

use std::path::Path;

use ::maskwright::{KeyOrder, SurfacePolicy};

use crate::tokenizer::TokenTable;

/// Why an engine can't serve a schema, worded so that equal causes count together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Refusal(pub(crate) String);

/// Compiles schemas for one vocabulary.
pub(crate) trait Engine {
    /// Forgets what earlier schemas left in shared caches; the vocabulary stays.
    fn isolate(&mut self);

    /// Compiles the source text of a schema.
    fn compile(&mut self, schema: &str) -> Result<Box<dyn Grammar>, Refusal>;

    /// Compiles the source text of a grammar.
    fn compile_grammar(&mut self, notation: Notation, text: &str) -> Result<Box<dyn Grammar>, Refusal>;
}

/// How a grammar is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Notation {
    Ebnf,
    Lark,
}

/// A compiled schema.
pub(crate) trait Grammar {
    /// A session that has committed nothing.
    fn session(&self) -> Box<dyn Session>;
}

/// The state of one document.
pub(crate) trait Session {
    /// Computes the mask of the next token.
    fn fill(&mut self) -> Result<(), Refusal>;

    /// Whether the last mask allows `token`.
    fn allows(&self, token: u32) -> bool;

    /// Commits `token`.
    fn commit(&mut self, token: u32) -> Result<Committed, Refusal>;

    /// Whether what was committed is a complete text.
    fn is_complete(&mut self) -> bool;
}

/// What became of a commit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Committed {
    Yes,
    /// The grammar does not allow the token here.
    NotAllowed,
}

/// The part of a surface policy that alone excludes a document.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Cause {
    KeyOrder,
    NumberSpelling,
    Whitespace,
    /// Only more than one part together.
    Several,
}

impl Cause {
    /// The name in reports.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::KeyOrder => "policy: key order",
            Self::NumberSpelling => "policy: number spelling",
            Self::Whitespace => "policy: whitespace",
            Self::Several => "policy: several parts together",
        }
    }
}

/// Says whether only the surface policy excludes a valid document. Nothing of it is timed.
pub(crate) trait PolicyProbe {
    /// Which part, if the most permissive policy takes the document; `None` if the policy is not the cause.
    fn cause(&mut self, schema: &str, tokens: &[u32]) -> Option<Cause>;
}

/// The engines by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub(crate) enum EngineName {
    /// This project's engine under its default surface policy.
    Maskwright,
    /// The same with members in any order.
    MaskwrightAnyOrder,
    /// The same under the widest surface policy.
    MaskwrightPermissive,
    /// The peer, with its default slicer.
    Llguidance,
}

impl EngineName {
    /// The name in reports and on the command line.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Maskwright => "maskwright",
            Self::MaskwrightAnyOrder => "maskwright-any-order",
            Self::MaskwrightPermissive => "maskwright-permissive",
            Self::Llguidance => "llguidance",
        }
    }

    /// The engine that takes members in any order, if there is a policy for it.
    pub(crate) fn in_any_order(self) -> Option<Self> {
        match self {
            Self::Maskwright | Self::MaskwrightAnyOrder => Some(Self::MaskwrightAnyOrder),
            Self::MaskwrightPermissive => Some(Self::MaskwrightPermissive),
            Self::Llguidance => None,
        }
    }

    /// Builds the engine for a tokenizer file. `table` is what the bench read from it.
    ///
    /// # Errors
    /// Gives the engine's reason.
    pub(crate) fn build(
        self,
        tokenizer: &Path,
        table: &TokenTable,
        budget: Option<usize>,
    ) -> Result<Box<dyn Engine>, String> {
        let policy = match self {
            Self::Maskwright => SurfacePolicy::default(),
            Self::MaskwrightAnyOrder => {
                SurfacePolicy { key_order: KeyOrder::Any, ..SurfacePolicy::default() }
            }
            Self::MaskwrightPermissive => SurfacePolicy::permissive(),
            Self::Llguidance => return Ok(Box::new(llguidance::Llguidance::new(table)?)),
        };
        Ok(Box::new(maskwright::Maskwright::read(tokenizer, policy, budget)?))
    }

    /// What tells policy from fault among the valid documents that the engine rejects; `None` for an engine without
    /// surface policies.
    ///
    /// # Errors
    /// Gives the engine's reason.
    pub(crate) fn policy_probe(self, tokenizer: &Path) -> Result<Option<Box<dyn PolicyProbe>>, String> {
        match self {
            Self::Maskwright | Self::MaskwrightAnyOrder | Self::MaskwrightPermissive => {
                Ok(Some(Box::new(maskwright::Policies::read(tokenizer)?)))
            }
            Self::Llguidance => Ok(None),
        }
    }
}
