//! What the laws are about: something that holds a text and says which tokens may follow.
//!
//! The engine's matcher is one. The other is the twin with a brute-force mask, slow and, on request, wrong in a chosen
//! way: with it the laws themselves are tested.

use std::cell::RefCell;
use std::rc::Rc;

use maskwright::{Bitmask, CompiledGrammar, Compiler, Matcher, SurfacePolicy, TokenId, Vocabulary};

use crate::brute::{Brute, spelled_bytes};
use crate::generate::Random;
use crate::twin::{Twin, Unsupported};

/// A schema over a vocabulary, with the twin that decides.
pub struct World {
    /// The schema.
    pub schema: serde_json::Value,
    /// The vocabulary.
    pub vocabulary: Vocabulary,
    /// Decides about texts.
    pub twin: Twin,
    /// Decides about tokens.
    pub brute: Brute,
}

impl World {
    /// The world of texts that the vocabulary can spell.
    ///
    /// # Errors
    /// [`Unsupported`] if the twin does not judge the schema.
    pub fn new(
        schema: serde_json::Value,
        policy: SurfacePolicy,
        vocabulary: Vocabulary,
    ) -> Result<Self, Unsupported> {
        let twin = Twin::over(&schema, policy, spelled_bytes(&vocabulary))?;
        let brute = Brute::new(&vocabulary);
        Ok(Self { schema, vocabulary, twin, brute })
    }
}

/// A language over a vocabulary: what laws need to know where they ask a subject only.
pub trait Setting {
    /// The vocabulary.
    fn vocabulary(&self) -> &Vocabulary;

    /// The language, for messages.
    fn shown(&self) -> String;
}

impl Setting for World {
    fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    fn shown(&self) -> String {
        format!("schema {}", self.schema)
    }
}

impl<S: Setting> Setting for Rc<S> {
    fn vocabulary(&self) -> &Vocabulary {
        (**self).vocabulary()
    }

    fn shown(&self) -> String {
        (**self).shown()
    }
}

/// Something that holds a text and says which tokens may follow.
pub trait Subject: Clone {
    /// Which tokens may follow, by id.
    ///
    /// # Errors
    /// In words, if no answer was reached.
    fn allowed(&mut self) -> Result<Vec<bool>, String>;

    /// Appends a token.
    ///
    /// # Errors
    /// In words, if the token may not follow.
    fn commit(&mut self, token: TokenId) -> Result<(), String>;

    /// Takes tokens back.
    ///
    /// # Errors
    /// In words, if there are not so many.
    fn rollback(&mut self, count: usize) -> Result<(), String>;

    /// The bytes of the text tokens so far.
    fn text(&self) -> Vec<u8>;

    /// Whether the text is a document.
    fn is_accepting(&self) -> bool;

    /// Whether a stop token has been committed.
    fn is_finished(&self) -> bool;
}

impl Subject for Matcher {
    fn allowed(&mut self) -> Result<Vec<bool>, String> {
        let vocabulary = self.grammar().vocabulary().clone();
        let mut mask = Bitmask::new(&vocabulary);
        self.fill_bitmask(&mut mask).map_err(|error| error.to_string())?;
        Ok((0..vocabulary.len()).map(|id| mask.contains(TokenId::new(id))).collect())
    }

    fn commit(&mut self, token: TokenId) -> Result<(), String> {
        Matcher::commit(self, token).map_err(|error| error.to_string())
    }

    fn rollback(&mut self, count: usize) -> Result<(), String> {
        Matcher::rollback(self, count).map_err(|error| error.to_string())
    }

    fn text(&self) -> Vec<u8> {
        Matcher::text(self)
    }

    fn is_accepting(&self) -> bool {
        Matcher::is_accepting(self)
    }

    fn is_finished(&self) -> bool {
        Matcher::is_finished(self)
    }
}

/// A matcher whose compiler begins the next generation now and then, also between two calls.
#[derive(Clone)]
pub struct Renewing {
    matcher: Matcher,
    compiler: Compiler,
    random: Rc<RefCell<Random>>,
}

impl Renewing {
    /// A matcher at the start of a grammar of the compiler.
    #[must_use]
    pub fn new(grammar: &CompiledGrammar, compiler: &Compiler, seed: u64) -> Self {
        let random = Rc::new(RefCell::new(Random::new(seed)));
        Self { matcher: Matcher::new(grammar), compiler: compiler.clone(), random }
    }

    /// The matcher; perhaps a generation has begun just now.
    pub fn matcher(&self) -> &Matcher {
        if self.random.borrow_mut().chance(1, 30) {
            self.compiler.renew();
        }
        &self.matcher
    }

    fn matcher_mut(&mut self) -> &mut Matcher {
        self.matcher();
        &mut self.matcher
    }
}

impl Subject for Renewing {
    fn allowed(&mut self) -> Result<Vec<bool>, String> {
        Subject::allowed(self.matcher_mut())
    }

    fn commit(&mut self, token: TokenId) -> Result<(), String> {
        Subject::commit(self.matcher_mut(), token)
    }

    fn rollback(&mut self, count: usize) -> Result<(), String> {
        Subject::rollback(self.matcher_mut(), count)
    }

    fn text(&self) -> Vec<u8> {
        self.matcher().text()
    }

    fn is_accepting(&self) -> bool {
        self.matcher().is_accepting()
    }

    fn is_finished(&self) -> bool {
        self.matcher().is_finished()
    }
}

/// In which way a [`SlowMatcher`] is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// In none.
    None,
    /// Its masks lack the token that would come last.
    MissesToken,
    /// Its masks have the first token that may not follow.
    AddsToken,
    /// It commits whatever comes.
    CommitsAnything,
    /// It never lets the text end.
    NeverEnds,
    /// A rollback takes back one token less.
    RollsBackShort,
    /// Its masks depend on how many tokens the text was made of.
    CountsTokens,
}

/// The twin as a matcher.
#[derive(Clone)]
pub struct SlowMatcher {
    world: Rc<World>,
    tokens: Vec<TokenId>,
    fault: Fault,
}

impl SlowMatcher {
    /// A matcher at the start.
    #[must_use]
    pub fn new(world: Rc<World>, fault: Fault) -> Self {
        Self { world, tokens: Vec::new(), fault }
    }
}

impl Subject for SlowMatcher {
    fn allowed(&mut self) -> Result<Vec<bool>, String> {
        let world = &self.world;
        if self.is_finished() {
            return Ok(vec![false; world.vocabulary.len()]);
        }
        let mut mask = world.brute.mask(&world.twin, &self.text()).map_err(|error| error.to_string())?;
        let is_odd = self.tokens.len() % 2 == 1;
        let wrong = match self.fault {
            Fault::MissesToken => mask.iter().rposition(|&bit| bit),
            Fault::AddsToken => mask.iter().position(|&bit| !bit),
            Fault::CountsTokens if is_odd => mask.iter().position(|&bit| !bit),
            Fault::NeverEnds => {
                world.vocabulary.stop_tokens().first().map(|t| t.index()).filter(|&t| mask[t])
            }
            _ => None,
        };
        if let Some(wrong) = wrong {
            mask[wrong] = !mask[wrong];
        }
        Ok(mask)
    }

    fn commit(&mut self, token: TokenId) -> Result<(), String> {
        if self.fault != Fault::CommitsAnything && !self.allowed()?[token.index()] {
            return Err("not allowed".to_owned());
        }
        self.tokens.push(token);
        Ok(())
    }

    fn rollback(&mut self, count: usize) -> Result<(), String> {
        let count = if self.fault == Fault::RollsBackShort { count.saturating_sub(1) } else { count };
        let left = self.tokens.len().checked_sub(count).ok_or("too far")?;
        self.tokens.truncate(left);
        Ok(())
    }

    fn text(&self) -> Vec<u8> {
        self.tokens.iter().flat_map(|&token| self.world.vocabulary.bytes(token)).copied().collect()
    }

    fn is_accepting(&self) -> bool {
        !self.is_finished() && self.world.twin.is_complete(&self.text())
    }

    fn is_finished(&self) -> bool {
        self.tokens.last().is_some_and(|last| self.world.vocabulary.stop_tokens().contains(last))
    }
}
