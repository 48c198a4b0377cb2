//! Strings whose text is one of a grammar: what a formula says of a string where grammars stand in it, and how it is read.
//!
//! A formula over strings is brought into *ways*: a text satisfies it if it is a text of the way's grammar (if it has one) and
//! matches the way's term. Both together are a grammar again (`rules/product/`). Inside the quotes the ways are read side by
//! side as positions of rules whose terminals have the coding of JSON strings; the closing quote is the last part of each.
//!
//! A text of two grammars at once can't be asked for, and what else is asked of such a string must be plain before it is
//! read: `syntax/schema/sentences.rs` refuses schemas where that is seen beforehand, the rest is answered with `Exhausted`.

use std::sync::Arc;

use crate::automaton::decode::Coding;
use crate::automaton::formula::{Formula, exhausted};
use crate::automaton::rules::{PosId, RuleAt};
use crate::automaton::state::{Edge, Op};
use crate::automaton::term::Terms;
use crate::automaton::universe::Universe;
use crate::automaton::value::Value;
use crate::error::{CompileError, CompileErrorKind, Exhausted};
use crate::grammar::program::Kinds;
use crate::grammar::sentence::Sentences;
use crate::index::{FormulaId, TermId};
use crate::limits::SENTENCE_WAYS_MAX;

/// The texts of a grammar, interned.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct SentenceId(pub(crate) u32);

/// One way to satisfy a formula over strings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Way {
    sentence: Option<SentenceId>,
    term: TermId,
}

/// What a way is read by.
#[derive(Clone, Copy)]
enum Reading {
    Rule(RuleAt),
    Term(TermId),
}

impl Universe {
    /// The formula of strings that are texts of a grammar.
    ///
    /// # Errors
    /// If the grammar passes a limit.
    pub(crate) fn sentence(&self, sentences: &Sentences) -> Result<FormulaId, CompileError> {
        let id = SentenceId(self.sentences.intern(sentences.clone()));
        let has_texts = self.load_text_grammar(sentences.grammar(), Coding::Json)?.is_some();
        Ok(if has_texts {
            self.make(Formula::Sentence(id))
        } else {
            self.make(Formula::Kind(Kinds(Kinds::ALL.0 & !Kinds::STRING.0)))
        })
    }

    /// Whether grammars stand in a formula over strings.
    pub(crate) fn has_sentence(&self, at_string: FormulaId) -> bool {
        if self.sentences.is_empty() {
            return false;
        }
        let children = match self.formula(at_string) {
            Formula::Sentence(_) => return true,
            Formula::All(children) | Formula::Any(children) => children,
            _ => return false,
        };
        if let Some(known) = self.sentence_memo.get(&at_string) {
            return *known;
        }
        let found =
            stacker::maybe_grow(64 << 10, 1 << 20, || children.iter().any(|&child| self.has_sentence(child)));
        self.sentence_memo.insert(at_string, found);
        found
    }

    /// Whether it is asked of a string if its text is one of a grammar.
    pub(crate) fn asks_for_sentences(&self, value: &Value) -> bool {
        !self.sentences.is_empty()
            && value.asks.iter().any(|&ask| self.has_sentence(self.at_kind(ask, Kinds::STRING)))
    }

    /// Whether the vocabulary can spell a string that satisfies a formula over strings.
    pub(crate) fn some_string(&self, at_string: FormulaId) -> Result<bool, Exhausted> {
        if !self.has_sentence(at_string) {
            return Ok(!self.terms.is_nothing(self.string_term(at_string))?);
        }
        for &way in &*self.ways(at_string)? {
            if self.reading(way)?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The edge at the opening quote of a string in whose formula grammars stand.
    pub(crate) fn open_sentence(&self, value: &Value, must: FormulaId) -> Result<(Edge, Op), Exhausted> {
        let mut open: Vec<(Way, Reading)> = Vec::new();
        for &way in &*self.ways(must)? {
            if let Some(reading) = self.reading(way)? {
                open.push((way, reading));
            }
        }
        if open.is_empty() {
            return Ok((Edge::Dead, Op::None));
        }
        let mut answers = Vec::with_capacity(value.asks.len());
        for &ask in &value.asks {
            let ask = self.at_kind(ask, Kinds::STRING);
            let mut plain = None;
            for &(way, _) in &open {
                match (self.answer(ask, way)?, plain) {
                    (Some(answer), None) => plain = Some(answer),
                    (Some(answer), Some(same)) if answer == same => {}
                    _ => {
                        return Err(exhausted(
                            "what else holds of a string that is a text of a grammar, where that decides how the document goes \
                             on (let a member that comes before the string decide)",
                        ));
                    }
                }
            }
            answers.push(plain.unwrap_or(false));
        }
        let outcome = self.outcome(answers);
        let mut positions: Vec<PosId> = Vec::with_capacity(open.len());
        for (_, reading) in open {
            let part = match reading {
                Reading::Rule(rule) => Some(self.rule_before_quote(rule, outcome)),
                Reading::Term(term) => {
                    self.lexeme(Coding::Json, term, [])?.map(|lex| self.lexeme_before_quote(lex, outcome))
                }
            };
            positions.extend(part);
        }
        Ok((Edge::Go(self.net_set(positions)), Op::None))
    }

    /// The ways of a formula over strings.
    fn ways(&self, at_string: FormulaId) -> Result<Arc<[Way]>, Exhausted> {
        if let Some(known) = self.ways_memo.get(&at_string) {
            return Ok(Arc::clone(&known));
        }
        let ways: Arc<[Way]> = stacker::maybe_grow(64 << 10, 1 << 20, || self.find_ways(at_string))?.into();
        self.ways_memo.insert(at_string, Arc::clone(&ways));
        Ok(ways)
    }

    fn find_ways(&self, at_string: FormulaId) -> Result<Vec<Way>, Exhausted> {
        if !self.has_sentence(at_string) {
            return Ok(vec![Way { sentence: None, term: self.term_of(at_string) }]);
        }
        match self.formula(at_string) {
            Formula::Sentence(id) => Ok(vec![Way { sentence: Some(*id), term: Terms::ALL }]),
            Formula::Any(children) => {
                let mut all = Vec::new();
                for &child in children {
                    all.extend_from_slice(&self.ways(child)?);
                }
                Self::few(all)
            }
            Formula::All(children) => {
                let mut all = vec![Way { sentence: None, term: Terms::ALL }];
                for &child in children {
                    let ways = self.ways(child)?;
                    let mut both = Vec::with_capacity(all.len() * ways.len());
                    for one in &all {
                        for other in &*ways {
                            both.push(self.joined(*one, *other)?);
                        }
                    }
                    all = Self::few(both)?;
                }
                Ok(all)
            }
            _ => Ok(Vec::new()),
        }
    }

    fn few(mut ways: Vec<Way>) -> Result<Vec<Way>, Exhausted> {
        let mut seen = rustc_hash::FxHashSet::default();
        ways.retain(|way| way.term != Terms::NOTHING && seen.insert(*way));
        if ways.len() > SENTENCE_WAYS_MAX {
            return Err(exhausted(format!(
                "what a string must satisfy, where a grammar is part of it: more than {SENTENCE_WAYS_MAX} ways \
                 (SENTENCE_WAYS_MAX)"
            )));
        }
        Ok(ways)
    }

    fn joined(&self, one: Way, other: Way) -> Result<Way, Exhausted> {
        let sentence = match (one.sentence, other.sentence) {
            (Some(a), Some(b)) if a != b => {
                return Err(exhausted(
                    "whether a string can be a text of two grammars at once: that can't be decided in general",
                ));
            }
            (a, b) => a.or(b),
        };
        Ok(Way { sentence, term: self.terms.and(&[one.term, other.term]) })
    }

    /// What a way is read by; `None` if it has no text.
    fn reading(&self, way: Way) -> Result<Option<Reading>, Exhausted> {
        let Some(sentence) = way.sentence else {
            let term = self.spelling.restrict_text(&self.terms, way.term);
            return Ok(if self.terms.is_nothing(term)? { None } else { Some(Reading::Term(term)) });
        };
        let key = (sentence, way.term);
        if let Some(known) = self.sentence_rules.get(&key) {
            return Ok((*known).map(Reading::Rule));
        }
        let sentences = self.sentences.get(sentence.0);
        let rule = self.load_text_grammar_within(sentences.grammar(), way.term, Coding::Json);
        let rule = rule.map_err(|error| exhausted(error.to_string()))?;
        self.sentence_rules.insert(key, rule);
        Ok(rule.map(Reading::Rule))
    }

    /// Whether all texts of a way satisfy a formula, or none does; `None` if that is not plain.
    fn answer(&self, ask: FormulaId, way: Way) -> Result<Option<bool>, Exhausted> {
        if !self.has_sentence(ask) {
            let term = self.term_of(ask);
            return Ok(if term == Terms::ALL {
                Some(true)
            } else if self.terms.is_nothing(self.terms.and(&[way.term, term]))? {
                Some(false)
            } else if self.terms.is_nothing(self.terms.and(&[way.term, self.terms.not(term)]))? {
                Some(true)
            } else {
                None
            });
        }
        let (children, every) = match self.formula(ask) {
            Formula::Sentence(id) => return Ok((way.sentence == Some(*id)).then_some(true)),
            Formula::All(children) => (children, true),
            Formula::Any(children) => (children, false),
            _ => return Ok(None),
        };
        stacker::maybe_grow(64 << 10, 1 << 20, || {
            let mut whole = Some(every);
            for &child in children {
                match self.answer(child, way)? {
                    Some(answer) if answer != every => return Ok(Some(answer)),
                    Some(_) => {}
                    None => whole = None,
                }
            }
            Ok(whole)
        })
    }
}

/// Whether a grammar was refused because it has no text.
pub(crate) fn has_no_text(error: &CompileError) -> bool {
    matches!(error.kind(), CompileErrorKind::Unsatisfiable | CompileErrorKind::Unspellable)
}
