//! Grammars that read lexemes: terminals with their regexes, rules over terminals, and what is ignored between lexemes.
//!
//! A text is split into lexemes from left to right. Each lexeme is the longest match among all terminals that some
//! parse with the same lexemes so far accepts there, ignored terminals among them. Of several terminals with that match the one
//! of the highest priority is taken, then a literal, then the first. Everything ignored may stand before, between and behind
//! lexemes. So a lexeme depends on what may stand where it stands, and a parse that would need a shorter one, or the same
//! text as another terminal, is no parse.
//!
//! Which parses survive can't always be told from the rules; what an engine makes of that is its affair (ours takes the larger set of
//! terminals and says which texts are left out).
//!
//! That is the reading of Lark's contextual lexer and of engines that took Lark's notation. The form keeps what the
//! reading needs and nothing of the notation: names are for people, the order of terminals is their id.
//!
//! Parts live in one arena, children before parents, as the expressions of a [`Grammar`](crate::grammar::rules::Grammar).
//!
//! `factor` writes the rules so that more can be said of places, `places` says which terminals may stand where, `surely` which surely do.

pub(crate) mod bits;
pub(crate) mod factor;
pub(crate) mod places;
pub(crate) mod surely;
mod text_form;

use crate::error::Position;
use crate::grammar::program::SchemaProgram;
use crate::grammar::regex::Regex;
use crate::grammar::rules::TokenSet;
use crate::index::{PartId, RuleId, TerminalId};

/// A grammar that reads lexemes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Lexing {
    /// The terminals; where nothing else decides, the first of two wins.
    pub terminals: Vec<Terminal>,
    /// Those whose lexemes may stand anywhere between others and mean nothing.
    pub ignored: Vec<TerminalId>,
    /// The rules; the first one is what a whole text matches.
    pub rules: Vec<LexRule>,
    /// The parts of all rules; children before parents.
    pub parts: Vec<Part>,
    /// The embedded schemas.
    pub schemas: Vec<SchemaProgram>,
}

/// A terminal.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Terminal {
    /// Its name, or how it was written where it has none.
    pub name: Box<str>,
    /// Where it stands first.
    pub position: Option<Position>,
    /// Its lexemes are texts of this language, but the empty one.
    pub regex: Regex,
    /// Which of them.
    pub extent: Extent,
    /// The higher one wins.
    pub priority: i32,
    /// Whether it is written as one text, which wins against patterns of its priority.
    pub form: Form,
}

/// Which beginning of the text a terminal matches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Extent {
    /// The longest that is in its language.
    Longest,
    /// The shortest.
    Shortest,
}

/// How a terminal is written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Form {
    /// As one text.
    Literal,
    /// As anything else.
    Pattern,
}

/// A rule.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LexRule {
    /// Its name.
    pub name: Box<str>,
    /// What it matches.
    pub body: PartId,
}

/// A part of a rule.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// A lexeme.
    Terminal(TerminalId),
    /// One token as a letter of its own: no lexeme goes on over it.
    Token(TokenSet),
    /// A JSON document of an embedded schema, by its index, which has its own lexemes and ignores nothing.
    Schema(u32),
    /// What a rule matches.
    Rule(RuleId),
    /// One after the other; of no parts: nothing is read.
    Sequence(Vec<PartId>),
    /// At least one of them; of no parts: no text at all.
    Choice(Vec<PartId>),
    /// `min` to `max` times (`None`: no upper bound).
    Repeat {
        /// What is repeated.
        body: PartId,
        /// Least count.
        min: u32,
        /// Greatest count.
        max: Option<u32>,
    },
}

impl Lexing {
    /// A part.
    #[must_use]
    pub fn part(&self, id: PartId) -> &Part {
        &self.parts[id.index()]
    }

    /// A terminal.
    #[must_use]
    pub fn terminal(&self, id: TerminalId) -> &Terminal {
        &self.terminals[id.index()]
    }

    /// The rule that a whole text matches.
    pub const START: RuleId = RuleId(0);

    /// Whether a lexeme of both is taken for the first.
    #[must_use]
    pub fn beats(&self, one: TerminalId, other: TerminalId) -> bool {
        let rank = |id: TerminalId| {
            let terminal = self.terminal(id);
            (std::cmp::Reverse(terminal.priority), terminal.form, id)
        };
        rank(one) < rank(other)
    }

    pub(crate) fn push(&mut self, part: Part) -> PartId {
        self.parts.push(part);
        PartId::new(self.parts.len() - 1)
    }
}

impl Part {
    /// The parts that it is made of.
    pub fn children(&self) -> &[PartId] {
        match self {
            Self::Terminal(_) | Self::Token(_) | Self::Schema(_) | Self::Rule(_) => &[],
            Self::Sequence(children) | Self::Choice(children) => children,
            Self::Repeat { body, .. } => std::slice::from_ref(body),
        }
    }
}
