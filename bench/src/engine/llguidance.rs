//! The peer behind the bench's trait: llguidance with its default slicer.
//!
//! The token environment is the approximate one, which makes no claim to tokenize canonically: masks then hold every
//! token that keeps the text in the language, which is what is compared here. (A canonical environment narrows forced
//! stretches to the one token that its tokenizer would choose.)

use std::sync::Arc;

use llguidance::api::{StopReason, TopLevelGrammar};
use llguidance::earley::SlicedBiasComputer;
use llguidance::toktrie::{ApproximateTokEnv, InferenceCapabilities, SimpleVob, TokEnv};
use llguidance::{Matcher, ParserFactory};

use super::{Committed, Engine, Grammar, Refusal, Session};
use crate::tokenizer::TokenTable;

/// The parser factory of one vocabulary. It keeps nothing of the schemas it has seen.
pub(crate) struct Llguidance {
    factory: ParserFactory,
}

impl Llguidance {
    pub(crate) fn new(table: &TokenTable) -> Result<Self, String> {
        let env: TokEnv = Arc::new(ApproximateTokEnv::new(table.full_trie()));
        let slices = SlicedBiasComputer::general_slices();
        let mut factory = ParserFactory::new(&env, InferenceCapabilities::default(), &slices)
            .map_err(|e| format!("llguidance: {e}"))?;
        factory.quiet();
        factory.limits_mut().verbose_errors = false;
        Ok(Self { factory })
    }
}

impl Engine for Llguidance {
    fn isolate(&mut self) {}

    fn compile(&mut self, schema: &str) -> Result<Box<dyn Grammar>, Refusal> {
        let value = serde_json::from_str(schema).map_err(|e| refusal(&e.to_string()))?;
        let parser = self
            .factory
            .create_parser(TopLevelGrammar::from_json_schema(value))
            .map_err(|e| refusal(&e.to_string()))?;
        Ok(Box::new(Compiled { fresh: Matcher::new(Ok(parser)) }))
    }
}

/// A matcher at the start. Sessions are clones of it and share its lexer's states.
struct Compiled {
    fresh: Matcher,
}

impl Grammar for Compiled {
    fn session(&self) -> Box<dyn Session> {
        Box::new(Running { matcher: self.fresh.clone(), mask: SimpleVob::new() })
    }
}

struct Running {
    matcher: Matcher,
    mask: SimpleVob,
}

impl Session for Running {
    fn fill(&mut self) -> Result<(), Refusal> {
        match self.matcher.compute_mask_or_eos() {
            Ok(mask) => {
                self.mask = mask;
                Ok(())
            }
            // Nothing can follow, not even the end: an empty mask, and no fault of the engine's limits.
            Err(e) if e.to_string().starts_with(&StopReason::NoExtensionBias.to_string()) => {
                self.mask = SimpleVob::new();
                Ok(())
            }
            Err(e) => Err(refusal(&e.to_string())),
        }
    }

    fn allows(&self, token: u32) -> bool {
        usize::try_from(token).is_ok_and(|index| index < self.mask.len()) && self.mask.is_allowed(token)
    }

    fn commit(&mut self, token: u32) -> Result<Committed, Refusal> {
        match self.matcher.consume_token(token) {
            Ok(()) => Ok(Committed::Yes),
            Err(e) if e.to_string().contains("doesn't satisfy the grammar") => Ok(Committed::NotAllowed),
            Err(e) => Err(refusal(&e.to_string())),
        }
    }

    fn is_complete(&mut self) -> bool {
        self.matcher.is_accepting().unwrap_or(false)
    }
}

/// The first line of a message.
fn refusal(message: &str) -> Refusal {
    Refusal(message.lines().next().unwrap_or_default().to_owned())
}
