//! Why a token may or may not follow, in the words of the schema or grammar.
//!
//! The verdict is the commit's, so it is exactly the mask's bit. Everything else is for people: where the text stands before the
//! token, how much of the token may follow, where the text stands behind that much, and what may come there. Of schemas it
//! names the instance location and the keywords that ask (`automaton/stand.rs`); of grammars the rules under way, found by
//! reading the text again with the rules as they were written (`items.rs`).
//!
//! It costs about what reading the whole text again costs: it is no part of decoding.

mod items;
mod location;
mod standing;
mod tokens;

use std::fmt;

use crate::automaton::stand::Keywords;
use crate::automaton::{Automaton, Cfg, Registers};
use crate::compiler::Source;
use crate::error::{CommitError, Exhausted};
use crate::explain::items::Items;
use crate::index::TokenId;
use crate::matcher::Matcher;
use crate::vocab::TokenKind;

pub use standing::Standing;

/// Why a token may or may not follow: see [`Matcher::explain`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Explanation {
    /// The token.
    pub token: TokenId,
    /// Whether it may follow, and why.
    pub verdict: Verdict,
    /// Where the text stands before the token; nothing once the matcher is finished.
    pub before: Standing,
    /// Where it stands behind the token, or behind as much of it as may follow.
    pub after: Standing,
}

/// Whether a token may follow, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Verdict {
    /// It may: its bytes do.
    Text,
    /// It may: the grammar names it as a letter.
    Letter,
    /// It may: it is a stop token and the text is complete.
    Stop,
    /// It may not: its first `byte` bytes may follow, the next may not.
    FailsAt {
        /// Position in the token.
        byte: usize,
        /// Why.
        why: Why,
    },
    /// It may not: it stands only for itself, and the grammar does not name it here.
    NotNamed,
    /// It may not: it is a stop token, and the text is not complete.
    Incomplete,
    /// It may not: it spells nothing.
    Empty,
    /// It may not: nobody says what it spells.
    Undecodable,
    /// It may not: the vocabulary has no such id.
    OutOfRange,
    /// It may not: a stop token has been committed.
    Finished,
}

/// Why a byte may not follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Why {
    /// Nothing goes on with it.
    Grammar,
    /// It could be read, but for what the document has used: a name comes twice, or an item that must be unique; or nothing that is
    /// left could complete the document.
    Used,
}

impl Verdict {
    /// Whether the token may follow: the bit of the mask.
    #[must_use]
    pub fn is_allowed(self) -> bool {
        matches!(self, Self::Text | Self::Letter | Self::Stop)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text => f.write_str("allowed: its bytes may follow"),
            Self::Letter => f.write_str("allowed: the grammar names this token here"),
            Self::Stop => f.write_str("allowed: it is a stop token, and the text is complete"),
            Self::FailsAt { byte: 0, why } => write!(f, "not allowed: its first byte may not follow{why}"),
            Self::FailsAt { byte: 1, why } => {
                write!(f, "not allowed: its first byte may follow, the next may not{why}")
            }
            Self::FailsAt { byte, why } => {
                write!(f, "not allowed: its first {byte} bytes may follow, the next may not{why}")
            }
            Self::NotNamed => f.write_str(
                "not allowed: it is no text but a token of its own (a letter), and the grammar does not name it here",
            ),
            Self::Incomplete => f.write_str("not allowed: it is a stop token, and the text is not complete"),
            Self::Empty => f.write_str("never allowed: it spells nothing"),
            Self::Undecodable => f.write_str("never allowed: the vocabulary does not say what it spells"),
            Self::OutOfRange => f.write_str("not allowed: the vocabulary has no such id"),
            Self::Finished => f.write_str("not allowed: a stop token has ended the text"),
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Grammar => "",
            Self::Used => {
                ": it could be read, but a name or item would come twice, or nothing that is left could complete the text"
            }
        })
    }
}

impl Matcher {
    /// Why a token may or may not follow. What the matcher accepts does not change. Costs about what reading all committed
    /// tokens again costs, and much more than a mask: it is for people.
    ///
    /// ```
    /// use maskwright::{Compiler, CompilerConfig, Matcher, Vocabulary};
    ///
    /// let compiler = Compiler::new(Vocabulary::demo(), CompilerConfig::default());
    /// let grammar = compiler.ebnf(r#"sum ::= sum "+" item | item  item ::= [0-9]+ | "(" sum ")""#)?;
    /// let mut matcher = Matcher::new(&grammar);
    /// for token in Vocabulary::demo_encode("(1+2") {
    ///     matcher.commit(token)?;
    /// }
    /// let explanation = matcher.explain(Vocabulary::demo_encode("x")[0])?;
    /// assert!(!explanation.verdict.is_allowed());
    /// assert!(explanation.before.words.iter().any(|line| line.contains("in rule `sum`")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Exhausted`] if a question ran out of its budget, as the commit would.
    pub fn explain(&self, token: impl Into<TokenId>) -> Result<Explanation, Exhausted> {
        let token = token.into();
        let mut reading = Reading::of(self)?;
        let before = if self.is_finished() { Standing::default() } else { reading.standing()? };
        let verdict = self.verdict(token, &mut reading)?;
        let after = match verdict {
            Verdict::Text | Verdict::Letter => {
                reading.token(token)?;
                reading.standing()?
            }
            Verdict::FailsAt { byte, .. } if byte > 0 => {
                reading.bytes(&self.grammar().vocabulary().bytes(token)[..byte])?;
                reading.standing()?
            }
            _ => before.clone(),
        };
        Ok(Explanation { token, verdict, before, after })
    }

    /// Where the committed text stands, in the words of the schema or grammar.
    ///
    /// # Errors
    /// As [`Matcher::explain`].
    pub fn standing(&self) -> Result<Standing, Exhausted> {
        Reading::of(self)?.standing()
    }

    fn verdict(&self, token: TokenId, reading: &mut Reading<'_>) -> Result<Verdict, Exhausted> {
        let vocabulary = self.grammar().vocabulary();
        let is_stop = self.stop_tokens().binary_search(&token).is_ok();
        let mut tried = self.fork();
        match tried.commit(token) {
            Ok(()) if tried.is_finished() => return Ok(Verdict::Stop),
            Ok(()) if reading.takes_bytes(vocabulary.bytes(token))? && !is_stop => return Ok(Verdict::Text),
            Ok(()) => return Ok(Verdict::Letter),
            Err(CommitError::Exhausted(exhausted)) => return Err(exhausted),
            Err(CommitError::Finished) => return Ok(Verdict::Finished),
            Err(CommitError::OutOfRange { .. }) => return Ok(Verdict::OutOfRange),
            Err(_) => {}
        }
        Ok(match vocabulary.kind(token) {
            _ if is_stop => Verdict::Incomplete,
            TokenKind::Text => {
                let (byte, why) = reading.fails_at(vocabulary.bytes(token))?;
                Verdict::FailsAt { byte, why }
            }
            TokenKind::Letter => Verdict::NotNamed,
            TokenKind::Empty => Verdict::Empty,
            TokenKind::Undecodable => Verdict::Undecodable,
        })
    }
}

/// A text read again.
struct Reading<'m> {
    automaton: Automaton,
    cfg: Cfg,
    registers: Registers,
    words: Words<'m>,
}

/// What tells where it stands.
enum Words<'m> {
    Document { keywords: Keywords, text: Vec<u8> },
    Rules { items: Box<Items<'m>>, keywords: Vec<Keywords> },
}

impl<'m> Reading<'m> {
    fn of(matcher: &'m Matcher) -> Result<Self, Exhausted> {
        let automaton = matcher.grammar().automaton()?;
        let words = match matcher.grammar().source() {
            Source::Schema(program) => {
                Words::Document { keywords: automaton.keywords(program), text: Vec::new() }
            }
            Source::Grammar(grammar) => Words::Rules {
                items: Box::new(Items::new(grammar, automaton.clone(), matcher.grammar().vocabulary())?),
                keywords: grammar.schemas.iter().map(|program| automaton.keywords(program)).collect(),
            },
        };
        let (cfg, registers) = (automaton.start(), Registers::default());
        let mut reading = Self { automaton, cfg, registers, words };
        let mut tokens = matcher.tokens();
        if matcher.is_finished() {
            tokens.pop();
        }
        for token in tokens {
            let is_stop = matcher.stop_tokens().binary_search(&token).is_ok();
            if is_stop {
                // A stop token is never text.
                if let Some(next) = reading.automaton.read_letter(reading.cfg, token)? {
                    reading.cfg = next;
                }
                reading.words.token(token)?;
            } else {
                reading.token(token)?;
            }
        }
        Ok(reading)
    }

    fn token(&mut self, token: TokenId) -> Result<(), Exhausted> {
        if let Some(next) = self.automaton.read_token(self.cfg, token, &mut self.registers)? {
            self.cfg = next;
        }
        match &mut self.words {
            Words::Document { text, .. } => {
                text.extend_from_slice(self.automaton.vocabulary().bytes(token));
                Ok(())
            }
            Words::Rules { .. } => self.words.token(token),
        }
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<(), Exhausted> {
        if let Some(next) = self.automaton.advance(self.cfg, bytes, &mut self.registers)? {
            self.cfg = next;
        }
        match &mut self.words {
            Words::Document { text, .. } => text.extend_from_slice(bytes),
            Words::Rules { items, .. } => items.bytes(bytes)?,
        }
        Ok(())
    }

    fn takes_bytes(&mut self, bytes: &[u8]) -> Result<bool, Exhausted> {
        Ok(!bytes.is_empty() && self.automaton.advance(self.cfg, bytes, &mut self.registers)?.is_some())
    }

    /// The first byte that may not follow.
    fn fails_at(&mut self, bytes: &[u8]) -> Result<(usize, Why), Exhausted> {
        let mut at = self.cfg;
        for len in 0..bytes.len() {
            match self.automaton.advance(self.cfg, &bytes[..=len], &mut self.registers)? {
                Some(next) => at = next,
                None => {
                    let why = if self.automaton.fits(at, bytes[len])? { Why::Used } else { Why::Grammar };
                    return Ok((len, why));
                }
            }
        }
        Ok((bytes.len(), Why::Used))
    }

    fn standing(&mut self) -> Result<Standing, Exhausted> {
        let words = match &self.words {
            Words::Document { keywords, text } => {
                vec![standing::json_words(&self.automaton, keywords, text)?]
            }
            Words::Rules { items, keywords } => standing::rule_words(items, keywords)?,
        };
        Standing::of(&self.automaton, self.cfg, &mut self.registers, words)
    }
}

impl Words<'_> {
    fn token(&mut self, token: TokenId) -> Result<(), Exhausted> {
        match self {
            Self::Document { .. } => Ok(()),
            Self::Rules { items, .. } => items.token(token),
        }
    }
}
