//! What leads a text to its end, whatever the logits: a taste for what closes, and a short way home once a text has got long.
//!
//! A document of a schema has brackets and quotes, and tokens that close are favoured from early on (`closing`), which keeps documents
//! short and leaves the choice to the model. That can't write particular values: an item that must be among the others, required names in
//! any order, the end that a pattern asks for. So a string or number that lasts too long is led out of, and a text that has got long is led to
//! its end, both along a way that a search over the automaton finds (`home`), the same for schemas and grammars.

use maskwright::{CompiledGrammar, Matcher, TokenId};

use crate::closing::{Closing, Place, STOP};
use crate::home::Home;
use crate::model::Model;

/// A text of a grammar may last so many times as long as a string of a document.
const TEXT_TO_STRING: usize = 3;

/// Tokens after which a document is led to its end.
const DOCUMENT_TOKENS: usize = 512;

/// Both only add to logits.
pub(crate) struct Guide<'c> {
    /// Of a document of a schema; a text of a grammar has no such taste, for where braces are text, closing them leads nowhere.
    document: Option<Document<'c>>,
    home: Home,
    tokens: usize,
    max_tokens: usize,
}

/// What is known of a document without the automaton.
struct Document<'c> {
    closing: &'c Closing,
    place: Place,
    /// Bytes since the present string or number began.
    inside: usize,
    /// How many there may be.
    patience: usize,
}

impl<'c> Guide<'c> {
    /// Of a document that may have so many tokens.
    pub(crate) fn document(
        grammar: &CompiledGrammar,
        closing: &'c Closing,
        model: &dyn Model,
        max_tokens: usize,
    ) -> Self {
        let document = Document { closing, place: Place::default(), inside: 0, patience: model.patience() };
        let home = Home::new(grammar.vocabulary(), usize::MAX);
        Self { document: Some(document), home, tokens: 0, max_tokens }
    }

    /// Of a text that may have so many tokens.
    pub(crate) fn text(grammar: &CompiledGrammar, model: &dyn Model, max_tokens: usize) -> Self {
        let patience = (TEXT_TO_STRING * model.patience()).min(max_tokens / 2);
        Self { document: None, home: Home::new(grammar.vocabulary(), patience), tokens: 0, max_tokens }
    }

    /// Adds to the logits of tokens that lead to the end.
    pub(crate) fn push(&mut self, matcher: &Matcher, pressure: f32, logits: &mut [f32]) {
        let is_long = self.is_long();
        let Some(document) = &self.document else {
            for stop in matcher.stop_tokens() {
                logits[stop.index()] += pressure * STOP;
            }
            if is_long {
                self.home.favour(matcher, logits)
            } else {
                self.home.vary(logits)
            }
            return;
        };
        if is_long || document.inside > document.patience {
            self.home.favour(matcher, logits);
        }
        if !self.home.is_on_the_way() {
            document.closing.push(document.place, pressure, logits);
        }
    }

    /// Whether the next token is one of a way that has been found, so that no model has a say.
    pub(crate) fn leads(&self) -> bool {
        let is_asked = self.document.as_ref().is_some_and(|document| document.inside > document.patience);
        (is_asked || self.is_long()) && self.home.has_way()
    }

    /// Whether the text is to be led to its end from now on.
    fn is_long(&self) -> bool {
        match &self.document {
            Some(_) => self.tokens >= DOCUMENT_TOKENS.min(self.max_tokens / 2),
            None => self.home.is_patience_over(),
        }
    }

    /// Takes note of a committed token.
    pub(crate) fn took(&mut self, token: TokenId, bytes: &[u8]) {
        self.tokens += 1;
        self.home.took(token, bytes);
        let is_long = self.is_long();
        let Some(document) = &mut self.document else { return };
        for &byte in bytes {
            document.place = document.place.after(&[byte]);
            document.inside = if document.place == Place::Outside { 0 } else { document.inside + 1 };
        }
        // Out of the string: the document goes on as it likes.
        if document.inside == 0 && !is_long {
            self.home.forget();
        }
    }

    /// Tokens at which the sampler was led to an end.
    pub(crate) fn steered(&self) -> usize {
        self.home.steered
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
            guide.push(&matcher, model.pressure(0.0), &mut logits);
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
