//! What leads a text to its end: for documents of a schema their brackets and quotes, for all other texts a search.

use maskwright::{CompiledGrammar, Exhausted, Matcher, TokenId};

use crate::closing::{Closing, Place, STOP};
use crate::home::Home;
use crate::model::Model;
use crate::steer::Steer;

/// A text of a grammar may last so many times as long as a string of a document.
const TEXT_TO_STRING: usize = 3;

/// Both only add to logits.
pub(crate) enum Guide<'c> {
    /// A document of a schema.
    Document { closing: &'c Closing, place: Place, steer: Steer },
    /// A text of a grammar.
    Text(Home),
}

impl<'c> Guide<'c> {
    /// Of a document.
    pub(crate) fn document(grammar: &CompiledGrammar, closing: &'c Closing, model: &dyn Model) -> Self {
        let steer = Steer::new(grammar, model.patience());
        Self::Document { closing, place: Place::default(), steer }
    }

    /// Of a text that may have so many tokens.
    pub(crate) fn text(grammar: &CompiledGrammar, model: &dyn Model, max_tokens: usize) -> Self {
        let patience = (TEXT_TO_STRING * model.patience()).min(max_tokens / 2);
        Self::Text(Home::new(grammar.vocabulary(), patience))
    }

    /// Adds to the logits of tokens that lead to the end.
    pub(crate) fn push(
        &mut self,
        matcher: &Matcher,
        text: &[u8],
        pressure: f32,
        logits: &mut [f32],
    ) -> Result<(), Exhausted> {
        match self {
            Self::Document { closing, place, steer } => {
                closing.push(*place, pressure, logits);
                steer.favour(text, *place, logits)
            }
            Self::Text(home) => {
                for stop in matcher.stop_tokens() {
                    logits[stop.index()] += pressure * STOP;
                }
                home.favour(matcher, logits)
            }
        }
    }

    /// Takes note of a committed token.
    pub(crate) fn took(&mut self, token: TokenId, bytes: &[u8]) {
        match self {
            Self::Document { place, steer, .. } => {
                steer.took(*place, bytes);
                *place = place.after(bytes);
            }
            Self::Text(home) => home.took(token, bytes),
        }
    }

    /// Tokens at which the sampler was led to an end.
    pub(crate) fn steered(&self) -> usize {
        match self {
            Self::Document { steer, .. } => steer.steered,
            Self::Text(home) => home.steered,
        }
    }
}

#[cfg(test)]
mod tests {
    use maskwright::sample::{Sampler, Sampling};
    use maskwright::{Bitmask, Compiler, CompilerConfig, Vocabulary};

    use super::*;
    use crate::model::{About, NGram, Noise, row};

    /// Most tokens of a text: without a guide random ones go on for thousands.
    const TOKENS_MAX: usize = 3_000;

    fn write(grammar: &CompiledGrammar, mut model: Box<dyn Model>, seed: u64) -> Option<Vec<u8>> {
        let mut guide = Guide::text(grammar, &*model, TOKENS_MAX);
        let mut sampler =
            Sampler::new(Sampling { temperature: 1.0, seed, ..Sampling::default() }).expect("in range");
        let mut matcher = Matcher::new(grammar);
        let mut mask = Bitmask::new(grammar);
        let mut logits = row(grammar.vocabulary());
        for _ in 0..TOKENS_MAX {
            matcher.fill_bitmask(&mut mask).expect("within the budget");
            model.logits(&matcher.text(), &mut logits);
            guide.push(&matcher, &[], model.pressure(0.0), &mut logits).expect("within the budget");
            let token = sampler.sample(&logits, mask.row(0)).expect("no dead end");
            matcher.commit(token).expect("it is in the mask");
            if matcher.is_finished() {
                return Some(matcher.text());
            }
            guide.took(token, grammar.vocabulary().bytes(token));
        }
        None
    }

    #[test]
    fn texts_of_every_shipped_grammar_end_whatever_the_logits() {
        let vocabulary = Vocabulary::demo();
        let compiler = Compiler::new(vocabulary.clone(), CompilerConfig::default());
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/grammars");
        let mut count = 0;
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("readable").path();
            if path.extension().is_none_or(|extension| extension != "ebnf") {
                continue;
            }
            count += 1;
            let text = std::fs::read_to_string(&path).expect("readable");
            let grammar = compiler.ebnf(&text).expect("a shipped grammar");
            for seed in 0..2 {
                let name = format!("{} (seed {seed})", path.display());
                assert!(write(&grammar, Box::new(Noise::new(seed)), seed).is_some(), "noise: {name}");
                let model = NGram::new(&vocabulary, "", About::Texts);
                assert!(write(&grammar, Box::new(model), seed).is_some(), "n-grams: {name}");
            }
        }
        assert!(count >= 17, "{count} grammars");
    }
}
