//! Writes the triples that are needed as expressions, and those of rules as rules.
//!
//! Parts are written before what they are part of, on a stack of our own. A triple of a sequence is a chain of choices by the states
//! in between, one of a repetition a rule for each count and state; where all rounds end in the state that they began in, it
//! stays a repetition.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use crate::automaton::rules::product::{At, Failure, Product};
use crate::automaton::term::Terms;
use crate::grammar::regex::Regex;
use crate::grammar::rules::{Expr, Rule};
use crate::index::{ExprId, RuleId};
use crate::limits;

/// An expression with the states before and behind its text.
type Triple = (ExprId, At, At);

/// A repetition and the state behind all its rounds.
#[derive(Clone, Copy)]
struct Rounds {
    expr: ExprId,
    body: ExprId,
    min: u32,
    max: Option<u32>,
    to: At,
}

/// No states.
const NONE: &BTreeSet<At> = &BTreeSet::new();

impl Product<'_> {
    /// The texts of an expression that the regex matches from a state on, as a rule.
    pub(super) fn write(&mut self, body: ExprId, start: At) -> Result<RuleId, Failure> {
        let top = self.push_rule(&format!("within#{}", self.grammar.rules.len()), None)?;
        let ends = self.behind(body, start);
        let ends = ends.iter().copied().filter(|&at| self.universe.terms.nullable(self.term(at)));
        let mut ways = Vec::new();
        for end in ends.collect::<Vec<At>>() {
            ways.push(self.triple((body, start, end))?);
        }
        let whole = self.choice(ways)?;
        self.grammar.rules[top.index()].body = whole;
        Ok(top)
    }

    fn behind(&self, expr: ExprId, from: At) -> &BTreeSet<At> {
        self.targets.get(&(expr, from)).unwrap_or(NONE)
    }

    /// The expression of a triple, with all rules that it calls.
    fn triple(&mut self, triple: Triple) -> Result<ExprId, Failure> {
        let mut unwritten = Vec::new();
        let whole = self.expression(triple, &mut unwritten)?;
        while let Some((rule, new, from, to)) = unwritten.pop() {
            let body = self.grammar.rule(rule).body;
            let body = self.expression((body, from, to), &mut unwritten)?;
            self.grammar.rules[new.index()].body = body;
        }
        Ok(whole)
    }

    /// The expression of a triple; rules that it calls first are noted.
    fn expression(
        &mut self,
        triple: Triple,
        unwritten: &mut Vec<(RuleId, RuleId, At, At)>,
    ) -> Result<ExprId, Failure> {
        let mut stack = vec![triple];
        while let Some(&next) = stack.last() {
            if self.built.contains_key(&next) {
                stack.pop();
                continue;
            }
            let parts = self.parts(next)?;
            let before = stack.len();
            stack.extend(parts.into_iter().filter(|part| !self.built.contains_key(part)));
            if stack.len() == before {
                let expr = self.put_together(next, unwritten)?;
                self.built.insert(next, expr);
                stack.pop();
            }
        }
        Ok(self.built[&triple])
    }

    /// The triples that a triple is made of.
    fn parts(&mut self, (expr, from, to): Triple) -> Result<Vec<Triple>, Failure> {
        if self.term(from) == Terms::ALL {
            return Ok(Vec::new());
        }
        let parts = match self.grammar.expr(expr).clone() {
            Expr::Choice(parts) => parts
                .into_iter()
                .filter(|&part| self.behind(part, from).contains(&to))
                .map(|part| (part, from, to))
                .collect(),
            Expr::NonEmpty(body) => vec![(body, from, to)],
            Expr::Sequence(parts) => {
                let layers = self.layers(&parts, from, to)?;
                let mut found = Vec::new();
                for (i, &part) in parts.iter().enumerate() {
                    for &before in &layers[i] {
                        let behind = self.behind(part, before);
                        found.extend(layers[i + 1].intersection(behind).map(|&after| (part, before, after)));
                    }
                }
                found
            }
            Expr::Repeat { body, .. } => {
                let useful = self.useful(body, from, to)?;
                let edges = useful.iter().flat_map(|(&a, behind)| behind.iter().map(move |&b| (body, a, b)));
                edges.collect()
            }
            _ => Vec::new(),
        };
        self.charge(1 + parts.len())?;
        Ok(parts)
    }

    /// Before each part of a sequence and behind the last: the states on some way through.
    fn layers(&mut self, parts: &[ExprId], from: At, to: At) -> Result<Vec<BTreeSet<At>>, Failure> {
        let mut layers = vec![BTreeSet::from([from])];
        for &part in parts {
            let before = &layers[layers.len() - 1];
            // Each is looked at again on the way back.
            let steps = 2 * before.iter().map(|&at| 1 + self.behind(part, at).len()).sum::<usize>();
            let after = before.iter().flat_map(|&at| self.behind(part, at)).copied().collect();
            layers.push(after);
            self.charge(steps)?;
        }
        layers[parts.len()].retain(|&at| at == to);
        for (i, &part) in parts.iter().enumerate().rev() {
            let after = std::mem::take(&mut layers[i + 1]);
            layers[i].retain(|&at| !self.behind(part, at).is_disjoint(&after));
            layers[i + 1] = after;
        }
        Ok(layers)
    }

    /// By state on some way of rounds from one state to another: the states behind one round more.
    fn useful(&mut self, body: ExprId, from: At, to: At) -> Result<BTreeMap<At, BTreeSet<At>>, Failure> {
        let mut edges: BTreeMap<At, BTreeSet<At>> = BTreeMap::new();
        let mut pending = vec![from];
        while let Some(at) = pending.pop() {
            edges.entry(at).or_insert_with(|| {
                let behind = self.behind(body, at).clone();
                pending.extend(&behind);
                behind
            });
        }
        self.charge(edges.values().map(|behind| 1 + 2 * behind.len()).sum())?;
        let mut before: FxHashMap<At, Vec<At>> = FxHashMap::default();
        for (&at, behind) in &edges {
            behind.iter().for_each(|&next| before.entry(next).or_default().push(at));
        }
        let mut leading = BTreeSet::from([to]);
        pending.push(to);
        while let Some(at) = pending.pop() {
            let sources = before.get(&at).into_iter().flatten();
            pending.extend(sources.copied().filter(|&source| leading.insert(source)));
        }
        edges.retain(|at, behind| {
            behind.retain(|next| leading.contains(next));
            leading.contains(at)
        });
        Ok(edges)
    }

    fn put_together(
        &mut self,
        (expr, from, to): Triple,
        unwritten: &mut Vec<(RuleId, RuleId, At, At)>,
    ) -> Result<ExprId, Failure> {
        if self.term(from) == Terms::ALL {
            return Ok(expr);
        }
        match self.grammar.expr(expr).clone() {
            Expr::Text(_) => {
                let regex = self.leaf(expr, from)?.remove(&to).unwrap_or(Regex::Nothing);
                self.push(Expr::Text(regex))
            }
            Expr::Rule(rule) => {
                let new = match self.rules.get(&(rule, from, to)) {
                    Some(&known) => known,
                    None => {
                        let Rule { name, position, .. } = self.grammar.rule(rule).clone();
                        let new = self.push_rule(&format!("{name}#{}-{}", from.0, to.0), position)?;
                        self.rules.insert((rule, from, to), new);
                        unwritten.push((rule, new, from, to));
                        new
                    }
                };
                self.push(Expr::Rule(new))
            }
            Expr::Choice(parts) => {
                let ways = parts.iter().filter_map(|&part| self.built.get(&(part, from, to)).copied());
                let ways = ways.collect();
                self.choice(ways)
            }
            Expr::NonEmpty(body) => {
                let body = self.built[&(body, from, to)];
                self.push(Expr::NonEmpty(body))
            }
            Expr::Sequence(parts) => self.sequence_between(&parts, from, to),
            Expr::Repeat { body, min, max } => self.rounds(Rounds { expr, body, min, max, to }, from),
            Expr::Token(_) | Expr::Schema(_) | Expr::Within { .. } => self.push(Expr::Text(Regex::Nothing)),
        }
    }

    fn sequence_between(&mut self, parts: &[ExprId], from: At, to: At) -> Result<ExprId, Failure> {
        let layers = self.layers(parts, from, to)?;
        // By state, the parts that are left from there on.
        let mut rests: BTreeMap<At, Vec<ExprId>> = BTreeMap::from([(to, Vec::new())]);
        for (i, &part) in parts.iter().enumerate().rev() {
            let behind: Vec<(At, BTreeSet<At>)> =
                layers[i].iter().map(|&at| (at, self.behind(part, at) & &layers[i + 1])).collect();
            for (next, rest) in &mut rests {
                // A rest that is needed twice is written once.
                if rest.len() > 1 && behind.iter().filter(|(_, after)| after.contains(next)).count() > 1 {
                    *rest = vec![self.sequence(std::mem::take(rest))?];
                }
            }
            let mut longer = BTreeMap::new();
            for (at, after) in behind {
                let mut ways: Vec<Vec<ExprId>> = Vec::with_capacity(after.len());
                for next in after {
                    let first = self.built[&(part, at, next)];
                    let rest = rests.get(&next).into_iter().flatten().copied();
                    ways.push([first].into_iter().chain(rest).collect());
                }
                self.charge(1 + ways.iter().map(Vec::len).sum::<usize>())?;
                let only = if ways.len() == 1 { ways.pop() } else { None };
                let rest = match only {
                    Some(only) => only,
                    None => {
                        let mut whole = Vec::with_capacity(ways.len());
                        for way in ways {
                            whole.push(self.sequence(way)?);
                        }
                        vec![self.choice(whole)?]
                    }
                };
                longer.insert(at, rest);
            }
            rests = longer;
        }
        match rests.remove(&from) {
            Some(parts) => self.sequence(parts),
            None => self.push(Expr::Text(Regex::Nothing)),
        }
    }

    /// A repetition: a rule for each count of rounds done and state, as far as they are told apart.
    fn rounds(&mut self, rounds: Rounds, from: At) -> Result<ExprId, Failure> {
        let useful = self.useful(rounds.body, from, rounds.to)?;
        let mut pending = Vec::new();
        let start = self.round(rounds, &mut pending, (0, from))?;
        let mut count = 0;
        while let Some((done, at, rule)) = pending.pop() {
            count += 1;
            if count > limits::GRAMMAR_PRODUCT_ROUNDS_MAX {
                return Err(Failure::Limit(format!(
                    "more than {} counts of rounds and states of a repetition are to be told apart \
                     (GRAMMAR_PRODUCT_ROUNDS_MAX)",
                    limits::GRAMMAR_PRODUCT_ROUNDS_MAX
                )));
            }
            let behind = useful.get(&at).cloned().unwrap_or_default();
            let min = rounds.min.saturating_sub(done);
            let max = rounds.max.map(|max| max.saturating_sub(done));
            let is_open = max.is_none() && min == 0;
            let mut ways = Vec::new();
            if max != Some(0) && behind.iter().eq([&at]) {
                let body = self.built[&(rounds.body, at, at)];
                if at == rounds.to {
                    ways.push(self.push(Expr::Repeat { body, min, max })?);
                }
            } else {
                if at == rounds.to && min == 0 {
                    ways.push(self.push(Expr::Text(Regex::Empty))?);
                }
                for &next in behind.iter().filter(|&&next| max != Some(0) && !(is_open && next == at)) {
                    let first = self.built[&(rounds.body, at, next)];
                    let done = if rounds.max.is_none() { (done + 1).min(rounds.min) } else { done + 1 };
                    let rest = self.round(rounds, &mut pending, (done, next))?;
                    ways.push(self.sequence(vec![first, rest])?);
                }
            }
            let mut whole = self.choice(ways)?;
            if is_open && behind.len() > 1 && behind.contains(&at) {
                let body = self.built[&(rounds.body, at, at)];
                let same = self.push(Expr::Repeat { body, min: 0, max: None })?;
                whole = self.sequence(vec![same, whole])?;
            }
            self.grammar.rules[rule.index()].body = whole;
        }
        Ok(start)
    }

    /// A call of the rule of the rounds that are left.
    fn round(
        &mut self,
        rounds: Rounds,
        pending: &mut Vec<(u32, At, RuleId)>,
        (done, at): (u32, At),
    ) -> Result<ExprId, Failure> {
        let key = (rounds.expr, done, at, rounds.to);
        let rule = match self.rounds.get(&key) {
            Some(&known) => known,
            None => {
                let rule = self.push_rule(&format!("rounds#{}", self.grammar.rules.len()), None)?;
                self.rounds.insert(key, rule);
                pending.push((done, at, rule));
                rule
            }
        };
        self.push(Expr::Rule(rule))
    }

    fn choice(&mut self, mut ways: Vec<ExprId>) -> Result<ExprId, Failure> {
        match ways.len() {
            0 => self.push(Expr::Text(Regex::Nothing)),
            1 => Ok(ways.remove(0)),
            _ => self.push(Expr::Choice(ways)),
        }
    }

    fn sequence(&mut self, mut parts: Vec<ExprId>) -> Result<ExprId, Failure> {
        match parts.len() {
            0 => self.push(Expr::Text(Regex::Empty)),
            1 => Ok(parts.remove(0)),
            _ => self.push(Expr::Sequence(parts)),
        }
    }

    fn push(&mut self, expr: Expr) -> Result<ExprId, Failure> {
        let id = ExprId::new(self.grammar.exprs.len());
        if id.index() >= limits::GRAMMAR_EXPRS_MAX {
            return Err(Failure::Limit(format!(
                "with its restrictions written out the grammar has more than {} expressions (GRAMMAR_EXPRS_MAX)",
                limits::GRAMMAR_EXPRS_MAX
            )));
        }
        self.grammar.exprs.push(expr);
        Ok(id)
    }

    /// A rule that matches nothing yet.
    fn push_rule(&mut self, name: &str, position: Option<crate::error::Position>) -> Result<RuleId, Failure> {
        let id = RuleId::new(self.grammar.rules.len());
        if id.index() >= limits::GRAMMAR_RULES_MAX {
            return Err(Failure::Limit(format!(
                "with its restrictions written out the grammar has more than {} rules (GRAMMAR_RULES_MAX)",
                limits::GRAMMAR_RULES_MAX
            )));
        }
        self.grammar.rules.push(Rule { name: name.into(), position, body: ExprId(0) });
        Ok(id)
    }
}
