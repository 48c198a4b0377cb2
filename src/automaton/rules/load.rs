//! Loads a grammar into a universe: its terminals become lexemes, tokens and values, its rules get numbers.
//!
//! Equal grammars (in normal form) get the same numbers, so they share every state.

use std::sync::{Arc, OnceLock};

use crate::automaton::decode::Coding;
use crate::automaton::rules::open::open_letters;
use crate::automaton::rules::part::{END, Part, PartId};
use crate::automaton::rules::{NET_ROOT, RuleAt, RuleData};
use crate::automaton::sentence::has_no_text;
use crate::automaton::term::{Regexes, Terms};
use crate::automaton::universe::Universe;
use crate::automaton::value::{DEFAULT_ORDER, Value, ValueId};
use crate::error::{CompileError, CompileErrorKind, Exhausted, Place};
use crate::grammar::passes::{self, Normal};
use crate::grammar::program::SchemaProgram;
use crate::grammar::rules::{Expr, Grammar, Rule, TokenMember, TokenSet};
use crate::index::{ExprId, FormulaId, FrameId, RuleId, StateId, TermId, TokenId, narrow, widen};
use crate::vocab::TokenKind;

/// What makes two grammars equal here: expressions, bodies, and what is known of the rules.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Content {
    exprs: Box<[Expr]>,
    /// Body, nullable, loops.
    rules: Box<[(ExprId, bool, bool)]>,
    /// The embedded schemas, which expressions name by their index.
    schemas: Box<[FormulaId]>,
    start: RuleId,
    /// How its texts are spelled.
    coding: Coding,
}

impl Content {
    /// With the rules, whose names make no difference.
    fn of(normal: Normal, schemas: Vec<FormulaId>, coding: Coding) -> (Self, Vec<Rule>) {
        let facts = normal.nullable.iter().zip(&normal.loops);
        let rules = normal.grammar.rules.iter().zip(facts);
        let content = Self {
            rules: rules.map(|(rule, (&nullable, &loops))| (rule.body, nullable, loops)).collect(),
            exprs: normal.grammar.exprs.into(),
            schemas: schemas.into(),
            start: normal.grammar.start,
            coding,
        };
        (content, normal.grammar.rules)
    }
}

/// Where the text of a grammar starts.
pub(crate) struct LoadedGrammar {
    pub(crate) state: StateId,
    pub(crate) frame: FrameId,
    /// Lists of tokens behind which it must go on.
    pub(crate) open: Arc<[u32]>,
}

impl Universe {
    /// The configuration before the first byte of a grammar's text, and the lists of tokens behind which it must go on.
    ///
    /// # Errors
    /// If no text matches that the vocabulary can spell, a token is named that it does not have, a stop token has more behind it, or a
    /// limit is passed.
    pub(crate) fn load_grammar(&self, grammar: &Grammar) -> Result<LoadedGrammar, CompileError> {
        let (start, open) = self.load_rules(&*self.without_restrictions(grammar)?, Coding::Raw)?;
        let part = self.rules.part(&Part::Rule(start), |_| false);
        Ok(LoadedGrammar {
            state: self.net_set(vec![self.rules.before(part, END)]),
            frame: NET_ROOT,
            open: open.into(),
        })
    }

    /// Whether one of these lists has the token.
    pub(crate) fn is_in_letters(&self, lists: &[u32], token: TokenId) -> bool {
        lists.iter().any(|list| self.rules.letters.get(*list).binary_search(&token).is_ok())
    }

    /// The start rule of a grammar whose texts are spelled in a coding; `None` if none can be.
    ///
    /// # Errors
    /// If a limit is passed.
    pub(crate) fn load_text_grammar(
        &self,
        grammar: &Grammar,
        coding: Coding,
    ) -> Result<Option<RuleAt>, CompileError> {
        match self.load_rules(&*self.without_restrictions(grammar)?, coding) {
            Ok((start, _)) => Ok(Some(start)),
            Err(error) if has_no_text(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The same of those texts that a term matches too.
    ///
    /// # Errors
    /// As [`Universe::load_text_grammar`].
    pub(crate) fn load_text_grammar_within(
        &self,
        grammar: &Grammar,
        term: TermId,
        coding: Coding,
    ) -> Result<Option<RuleAt>, CompileError> {
        if term == Terms::ALL {
            return self.load_text_grammar(grammar, coding);
        }
        self.load_text_grammar(&self.restricted_to(grammar, term)?, coding)
    }

    fn load_rules(&self, grammar: &Grammar, coding: Coding) -> Result<(RuleAt, Box<[u32]>), CompileError> {
        let schemas = self.load_schemas(&grammar.schemas)?;
        let mut regexes = Regexes::new(&self.terms);
        let mut possible = vec![false; grammar.exprs.len()];
        for (at, expr) in grammar.exprs.iter().enumerate() {
            possible[at] = match expr {
                Expr::Text(regex) => {
                    let term = regexes.term(regex).map_err(|e| limit(&e))?;
                    !self.terms.is_nothing(self.spellable(term, coding)).map_err(|e| limit(&e))?
                }
                Expr::Token(set) => !self.tokens(set)?.is_empty(),
                Expr::Schema(index) => self.satisfiable(schemas[widen(*index)]).map_err(|e| limit(&e))?,
                _ => false,
            };
        }
        let normal = passes::normalize(grammar, &possible)?;
        let open = self.open_letters(&normal, coding)?;
        Ok((self.load_normal(normal, schemas, (coding, &mut regexes))?, open))
    }

    /// The lists of tokens behind which a text must go on; none of them has a stop token.
    fn open_letters(&self, normal: &Normal, coding: Coding) -> Result<Box<[u32]>, CompileError> {
        let mut lists = Vec::new();
        for (rule, at) in open_letters(normal, coding) {
            let Expr::Token(set) = normal.grammar.expr(at) else { continue };
            let tokens = self.tokens(set)?;
            if let Some(stop) = tokens.iter().find(|token| self.vocabulary.is_stop(**token)) {
                let rule = normal.grammar.rule(rule);
                let message = format!(
                    "the stop token {} ({}) has more behind it in the rule `{}`, and an engine ends the text there: put it last, or take it \
                     out of the vocabulary's stop tokens (`Vocabulary::with_stop_tokens`)",
                    stop.0,
                    self.vocabulary.name(*stop),
                    rule.name
                );
                let place = Place { position: rule.position, ..Place::default() };
                return Err(CompileError::new(CompileErrorKind::Invalid, place, "token", message));
            }
            lists.push(self.rules.letters.intern(tokens.into()));
        }
        lists.sort_unstable();
        lists.dedup();
        Ok(lists.into())
    }

    fn load_schemas(&self, programs: &[SchemaProgram]) -> Result<Vec<FormulaId>, CompileError> {
        programs.iter().map(|program| self.load(program).map(|loaded| loaded.root)).collect()
    }

    /// The texts of a term that the vocabulary can spell.
    fn spellable(&self, term: TermId, coding: Coding) -> TermId {
        match self.spelling.raw() {
            _ if coding == Coding::Json => self.spelling.restrict_text(&self.terms, term),
            None => term,
            Some(spellable) => self.terms.and(&[term, spellable]),
        }
    }

    /// The number of the start rule.
    fn load_normal(
        &self,
        normal: Normal,
        schemas: Vec<FormulaId>,
        (coding, regexes): (Coding, &mut Regexes<'_>),
    ) -> Result<RuleAt, CompileError> {
        let (content, rules) = Content::of(normal, schemas, coding);
        if let Some(known) = self.rules.loaded.get(&content) {
            return Ok(*known);
        }
        let start = self.push_rules(&content, rules, regexes)?;
        // If another thread was faster, its rules are those of the grammar.
        Ok(*self.rules.loaded.entry(content).or_insert(start))
    }

    fn push_rules(
        &self,
        content: &Content,
        rules: Vec<Rule>,
        regexes: &mut Regexes<'_>,
    ) -> Result<RuleAt, CompileError> {
        let data = content.rules.iter().zip(rules).map(|(&(_, nullable, loops), rule)| RuleData {
            name: rule.name,
            nullable,
            loops,
            body: OnceLock::new(),
            first: OnceLock::new(),
        });
        let numbers: Vec<RuleAt> = data.map(|data| RuleAt(narrow(self.rules.rules.push(data)))).collect();
        let mut parts: Vec<PartId> = Vec::with_capacity(content.exprs.len());
        for expr in &content.exprs {
            let part = self.part_of_expr(
                expr,
                &parts,
                (&numbers, &content.schemas),
                (content.coding, &mut *regexes),
            )?;
            parts.push(self.rules.part(&part, |lex| self.lex_accepts(lex)));
        }
        for (&(body, ..), number) in content.rules.iter().zip(&numbers) {
            let body = self.rules.before(parts[body.index()], END);
            self.rules.rule(*number).body.get_or_init(|| body);
        }
        Ok(numbers[content.start.index()])
    }

    fn part_of_expr(
        &self,
        expr: &Expr,
        parts: &[PartId],
        (numbers, schemas): (&[RuleAt], &[FormulaId]),
        (coding, regexes): (Coding, &mut Regexes<'_>),
    ) -> Result<Part, CompileError> {
        let all = |children: &[ExprId]| children.iter().map(|c| parts[c.index()]).collect();
        Ok(match expr {
            Expr::Text(regex) => {
                let term = regexes.term(regex).map_err(|e| limit(&e))?;
                let lex = self.lexeme(coding, self.spellable(term, coding), []).map_err(|e| limit(&e))?;
                match lex {
                    Some(lex) => Part::Lex(lex),
                    None => Part::Choice(Box::default()),
                }
            }
            Expr::Token(set) => Part::Letters(self.rules.letters.intern(self.tokens(set)?.into())),
            Expr::Rule(rule) => Part::Rule(numbers[rule.index()]),
            Expr::Schema(index) => Part::Value(self.root_value(schemas[widen(*index)])),
            Expr::Sequence(children) => Part::Sequence(all(children)),
            Expr::Choice(children) => Part::Choice(all(children)),
            Expr::Repeat { body, min, max } => {
                let body = parts[body.index()];
                // Rounds that read nothing make no difference: they are left out.
                let min = if self.rules.is_empty_enough(body) { 0 } else { *min };
                match self.rules.part_of(body) {
                    Part::Repeat { body: inner, min: from, max: to } => {
                        match counts_of_counts((*from, *to), (min, *max)) {
                            Some((min, max)) => Part::Repeat { body: *inner, min, max },
                            None => Part::Repeat { body, min, max: *max },
                        }
                    }
                    _ => Part::Repeat { body, min, max: *max },
                }
            }
            Expr::Within { .. } => unreachable!("restrictions have been written out"),
            Expr::NonEmpty(body) => Part::NonEmpty(parts[body.index()]),
        })
    }

    fn root_value(&self, must: FormulaId) -> ValueId {
        self.value_id(Value { must, asks: Box::default(), order: DEFAULT_ORDER })
    }

    /// The tokens of a set, ascending. Tokens that write nothing are in none, stop tokens only where they are named.
    fn tokens(&self, set: &TokenSet) -> Result<Vec<TokenId>, CompileError> {
        let mut listed = Vec::new();
        for member in &set.members {
            match member {
                TokenMember::Name(name) => listed.push(self.token_named(name)?),
                TokenMember::Ids(low, high) => {
                    let len = narrow(self.vocabulary.len());
                    if low > high || *high >= len {
                        return Err(no_token(format!(
                            "the token ids {low} to {high} are not all in the vocabulary of {len} ids"
                        )));
                    }
                    listed.extend((*low..=*high).map(TokenId));
                }
            }
        }
        listed.sort_unstable();
        listed.dedup();
        if set.negated {
            let all = (0..self.vocabulary.len()).map(TokenId::new);
            let others = all.filter(|token| listed.binary_search(token).is_err());
            listed = others.filter(|&token| !self.vocabulary.is_stop(token)).collect();
        }
        listed.retain(|&token| matches!(self.vocabulary.kind(token), TokenKind::Text | TokenKind::Letter));
        Ok(listed)
    }

    fn token_named(&self, name: &str) -> Result<TokenId, CompileError> {
        self.vocabulary.token_named(name).ok_or_else(|| {
            no_token(format!(
                "the vocabulary lists no token `{name}`: name one that it has, or write its id as <[id]>"
            ))
        })
    }
}

/// Bounds of a count; `None`: no upper one.
type Bounds = (u32, Option<u32>);

/// The counts of a repetition of a repetition, `(x{2,3}){4}` is `x{8,12}`; `None` if there are gaps between them. Without this
/// a text of a tower of counts has a position for each way to split its count.
fn counts_of_counts((from, to): Bounds, (min, max): Bounds) -> Option<Bounds> {
    let most = match (to, max) {
        (Some(0), _) | (_, Some(0)) => Some(0),
        (Some(to), Some(max)) => Some(to.checked_mul(max)?),
        _ => None,
    };
    // The counts of one round more begin at the latest behind those of so many rounds.
    let is_gapless = |rounds: u32| {
        let next = u64::from(from) * (u64::from(rounds) + 1);
        to.is_none_or(|to| u64::from(to) * u64::from(rounds) + 1 >= next)
    };
    let is_plain = match min {
        0 => max == Some(0) || from <= 1,
        _ => max == Some(min) || is_gapless(min),
    };
    if is_plain { Some((from.checked_mul(min)?, most)) } else { None }
}

fn no_token(message: String) -> CompileError {
    CompileError::new(CompileErrorKind::Unspellable, Place::default(), "token", message)
}

fn limit(exhausted: &Exhausted) -> CompileError {
    CompileError::new(CompileErrorKind::Limit, Place::default(), "grammar", exhausted.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The counts below a bound, one by one.
    fn listed((from, to): Bounds, (min, max): Bounds, below: u32) -> Vec<u32> {
        let is_count = |&count: &u32| {
            (min..=max.unwrap_or(below).min(below.max(min))).any(|rounds| {
                from * rounds <= count
                    && to.is_none_or(|to| count <= to * rounds)
                    && (rounds > 0 || count == 0)
            })
        };
        (0..below).filter(is_count).collect()
    }

    #[test]
    fn counts_of_counts_are_those_of_all_rounds() {
        let bounds: Vec<Bounds> =
            (0..5).flat_map(|from| (from..6).map(move |to| (from, Some(to))).chain([(from, None)])).collect();
        let mut joined = 0;
        for &inner in &bounds {
            for &outer in &bounds {
                let expected = listed(inner, outer, 60);
                if let Some((min, max)) = counts_of_counts(inner, outer) {
                    joined += 1;
                    let found: Vec<u32> = (min..=max.unwrap_or(59).min(59)).collect();
                    assert_eq!(found, expected, "{inner:?} {outer:?}");
                } else {
                    let has_gap = expected.windows(2).any(|pair| pair[0] + 1 < pair[1]);
                    assert!(has_gap, "{inner:?} {outer:?}: {expected:?}");
                }
            }
        }
        assert!(joined > 300, "{joined}");
    }
}
