//! Differences: what is written as rules on the right side becomes a regex, and so does the left side if it can.
//!
//! `A - B` has a meaning in a context-free grammar where B is regular, and the grammars that use it (specifications of the W3C,
//! ISO 14977) mean regular texts on both sides: `Char* - (Char* '?>' Char*)`. So both sides are put together from the rules that
//! they name, and the difference is an intersection with a complement, which regexes have. Where rules of A are recursive, it
//! is A restricted to the complement of B. Recursive rules on the right are refused, though some are regular; tokens and
//! schemas on both sides.
//!
//! The walk keeps its own stack, and what is copied from rule to rule is counted: a short grammar can double a text a
//! hundred times.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::error::{CompileError, CompileErrorKind, Place, Position};
use crate::grammar::regex::{CharSet, Regex};
use crate::grammar::rules::parents::Parents;
use crate::grammar::rules::within::Within;
use crate::grammar::rules::{Expr, Grammar};
use crate::index::{ExprId, narrow, widen};
use crate::limits::{GRAMMAR_REGULAR_DEPTH_MAX, GRAMMAR_REGULAR_NODES_MAX};

/// What one expression matches and another does not.
#[derive(Clone, Copy, Debug)]
pub(super) struct Difference {
    /// The expression that it becomes.
    pub(super) place: ExprId,
    /// The whole, and what is taken from it.
    pub(super) sides: [ExprId; 2],
    pub(super) position: Option<Position>,
}

/// Puts a regex or a restriction in the place of each difference, and drops the expressions that no rule needs any more.
pub(super) fn resolve(
    grammar: &mut Grammar,
    differences: &[Difference],
    withins: &mut Vec<Within>,
) -> Result<(), CompileError> {
    let by_place = differences.iter().map(|difference| (difference.place, *difference)).collect();
    let known = vec![Known::New; grammar.exprs.len()];
    let mut walk = Walk { grammar, differences: by_place, known, done: Vec::new(), nodes: 0 };
    let is_finite = walk.without_recursion();
    let mut found = Vec::with_capacity(differences.len());
    for difference in differences {
        let [left, right] = difference.sides;
        let expr = if is_finite[difference.place.index()] || !is_finite[right.index()] {
            Expr::Text(walk.regex(difference.place, difference)?)
        } else {
            let regex = walk.regex(right, difference)?.complement();
            withins.push(Within { place: difference.place, position: difference.position });
            Expr::Within { body: left, regex }
        };
        found.push((difference.place, expr));
    }
    for (place, expr) in found {
        grammar.exprs[place.index()] = expr;
    }
    let moved = compact(grammar);
    withins.retain_mut(|within| match moved[within.place.index()] {
        Some(place) => {
            within.place = place;
            true
        }
        None => false,
    });
    Ok(())
}

struct Walk<'g> {
    grammar: &'g Grammar,
    differences: FxHashMap<ExprId, Difference>,
    /// By expression.
    known: Vec<Known>,
    done: Vec<Part>,
    /// Nodes of all regexes made so far.
    nodes: usize,
}

#[derive(Clone, Copy)]
enum Known {
    New,
    /// Its parts are being looked at: whoever meets it again is inside it.
    Open,
    /// By its place in `done`.
    Done(u32),
}

struct Part {
    regex: Regex,
    nodes: usize,
    depth: usize,
}

impl Walk<'_> {
    /// The expressions from which no rule that calls itself can be reached: the least fixpoint.
    fn without_recursion(&self) -> Vec<bool> {
        let count = self.grammar.exprs.len();
        let parents = Parents::by(count, |expr| self.parts(expr));
        let mut missing: Vec<usize> = (0..count).map(|at| self.parts(ExprId::new(at)).len()).collect();
        let mut known = vec![false; count];
        let mut pending: Vec<usize> = (0..count).filter(|&at| missing[at] == 0).collect();
        while let Some(at) = pending.pop() {
            known[at] = true;
            for parent in parents.of_part(ExprId::new(at)) {
                missing[parent.index()] -= 1;
                if missing[parent.index()] == 0 {
                    pending.push(parent.index());
                }
            }
        }
        known
    }

    /// The regex of an expression of a difference.
    fn regex(&mut self, top: ExprId, asked: &Difference) -> Result<Regex, CompileError> {
        let mut stack = vec![top];
        while let Some(&expr) = stack.last() {
            match self.known[expr.index()] {
                Known::Done(_) => {
                    stack.pop();
                }
                Known::Open => {
                    stack.pop();
                    let part = self.put_together(expr, asked)?;
                    self.known[expr.index()] = Known::Done(narrow(self.done.len()));
                    self.done.push(part);
                }
                Known::New => {
                    self.known[expr.index()] = Known::Open;
                    for &part in self.parts(expr) {
                        match self.known[part.index()] {
                            // An expression that was put on the stack twice is not inside itself: only `Open` is.
                            Known::Open => return Err(self.recursive(part, asked)),
                            Known::Done(_) => {}
                            Known::New => stack.push(part),
                        }
                    }
                }
            }
        }
        match self.part(top) {
            Some(part) => Ok(part.regex.clone()),
            None => Err(refused(asked, CompileErrorKind::Unsupported, "it has no regular form".to_owned())),
        }
    }

    fn part(&self, expr: ExprId) -> Option<&Part> {
        match self.known[expr.index()] {
            Known::Done(at) => Some(&self.done[widen(at)]),
            Known::New | Known::Open => None,
        }
    }

    /// The expressions that an expression is made of.
    fn parts(&self, expr: ExprId) -> &[ExprId] {
        match self.differences.get(&expr) {
            Some(difference) => &difference.sides,
            None => self.grammar.parts(expr),
        }
    }

    fn put_together(&mut self, expr: ExprId, asked: &Difference) -> Result<Part, CompileError> {
        let (mut nodes, mut depth) = (0, 1);
        for part in self.parts(expr).iter().filter_map(|&part| self.part(part)) {
            nodes += part.nodes;
            depth = depth.max(1 + part.depth);
        }
        self.nodes += nodes;
        if self.nodes > GRAMMAR_REGULAR_NODES_MAX {
            let message = format!(
                "its sides need more than {GRAMMAR_REGULAR_NODES_MAX} nodes (GRAMMAR_REGULAR_NODES_MAX)"
            );
            return Err(refused(asked, CompileErrorKind::Limit, message));
        }
        if depth > GRAMMAR_REGULAR_DEPTH_MAX {
            let message = format!(
                "its sides are nested more than {GRAMMAR_REGULAR_DEPTH_MAX} deep (GRAMMAR_REGULAR_DEPTH_MAX)"
            );
            return Err(refused(asked, CompileErrorKind::Limit, message));
        }
        nodes += 1;
        let parts = self.parts(expr).iter().filter_map(|&part| self.part(part));
        let mut sides = parts.map(|part| part.regex.clone());
        if self.differences.contains_key(&expr) {
            let left = sides.next().unwrap_or(Regex::Nothing);
            let right = sides.next().unwrap_or(Regex::Nothing);
            return Ok(Part { regex: without(left, right), nodes, depth });
        }
        let regex = match self.grammar.expr(expr) {
            Expr::Text(regex) => {
                nodes = regex.size();
                regex.clone()
            }
            Expr::Rule(_) => sides.next().unwrap_or(Regex::Nothing),
            Expr::Sequence(_) => Regex::concat(sides),
            Expr::Choice(_) => union(sides.collect()),
            Expr::Repeat { min, max, .. } => sides.next().unwrap_or(Regex::Nothing).repeat(*min, *max),
            Expr::Within { regex, .. } => {
                nodes += regex.size();
                Regex::and([sides.next().unwrap_or(Regex::Nothing), regex.clone()])
            }
            Expr::NonEmpty(_) => without(sides.next().unwrap_or(Regex::Nothing), Regex::Empty),
            Expr::Token(_) => {
                let message =
                    "a token stands in one of its sides, and a difference is one of texts".to_owned();
                return Err(refused(asked, CompileErrorKind::Unsupported, message));
            }
            Expr::Schema(_) => {
                let message = "a schema stands in one of its sides, and a difference is one of regular texts"
                    .to_owned();
                return Err(refused(asked, CompileErrorKind::Unsupported, message));
            }
        };
        Ok(Part { regex, nodes, depth })
    }

    fn recursive(&self, inside: ExprId, asked: &Difference) -> CompileError {
        let named = self.grammar.rules.iter().find(|rule| rule.body == inside);
        let what = match named {
            Some(rule) => format!("the rule `{}`, which its right side needs, is recursive", rule.name),
            None => "a rule that its right side needs is recursive".to_owned(),
        };
        let message = format!(
            "{what}, and only regular texts can be taken away: repeat with `*` or `+` instead, or list what is allowed"
        );
        refused(asked, CompileErrorKind::Unsupported, message)
    }
}

fn refused(asked: &Difference, kind: CompileErrorKind, message: String) -> CompileError {
    let place = Place { position: asked.position, ..Place::default() };
    CompileError::new(kind, place, "difference", message)
}

/// What `left` matches and `right` does not, as a set of characters where both are.
fn without(left: Regex, right: Regex) -> Regex {
    match (left, right) {
        (Regex::Set(left), Regex::Set(right)) => Regex::set(left.difference(&right)),
        (Regex::Repeat { body, min: 0, max }, Regex::Empty) if !body.accepts_empty() => {
            Arc::unwrap_or_clone(body).repeat(1, max)
        }
        (left, right) => left.except(right),
    }
}

/// Any of them, as a set of characters where all are.
fn union(parts: Vec<Regex>) -> Regex {
    let sets: Option<Vec<&CharSet>> = parts
        .iter()
        .map(|part| match part {
            Regex::Set(set) => Some(set),
            _ => None,
        })
        .collect();
    match sets {
        Some(sets) => {
            Regex::set(CharSet::from_ranges(sets.iter().flat_map(|set| set.ranges().iter().copied())))
        }
        None => Regex::or(parts),
    }
}

/// Drops the expressions that no rule reaches; the others keep their order. By expression, its new place.
fn compact(grammar: &mut Grammar) -> Vec<Option<ExprId>> {
    let mut reached = vec![false; grammar.exprs.len()];
    for rule in &grammar.rules {
        reached[rule.body.index()] = true;
    }
    // Children stand before their parents, so one pass from the end is enough.
    for index in (0..grammar.exprs.len()).rev() {
        if reached[index] {
            for child in grammar.exprs[index].children() {
                reached[child.index()] = true;
            }
        }
    }
    let mut moved = Vec::with_capacity(reached.len());
    let mut count = 0;
    for &is_reached in &reached {
        moved.push(ExprId::new(count));
        count += usize::from(is_reached);
    }
    let mut is_kept = reached.iter();
    grammar.exprs.retain_mut(|expr| {
        if is_kept.next() != Some(&true) {
            return false;
        }
        match expr {
            Expr::Sequence(children) | Expr::Choice(children) => {
                children.iter_mut().for_each(|child| *child = moved[child.index()]);
            }
            Expr::Repeat { body, .. } | Expr::Within { body, .. } | Expr::NonEmpty(body) => {
                *body = moved[body.index()];
            }
            Expr::Text(_) | Expr::Token(_) | Expr::Rule(_) | Expr::Schema(_) => {}
        }
        true
    });
    for rule in &mut grammar.rules {
        rule.body = moved[rule.body.index()];
    }
    moved.into_iter().zip(reached).map(|(place, is_reached)| is_reached.then_some(place)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::naive::is_match;
    use crate::grammar::rules::Builder;

    fn only_text(grammar: &Grammar) -> Regex {
        match grammar.expr(grammar.rule(grammar.start).body) {
            Expr::Text(regex) => regex.clone(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn differences_go_through_rules_and_leave_no_rest() {
        let mut builder = Builder::new();
        let root = builder.rule("root", None);
        let name = builder.rule("name", None);
        let letter = builder.set(CharSet::range('a', 'z'));
        let letters = builder.repeat(letter, 1, None);
        builder.define(name, letters, None).unwrap();
        let call = builder.call(name);
        let word = builder.text("xml");
        let difference = builder.difference(call, word, None);
        builder.define(root, difference, None).unwrap();
        let grammar = builder.finish(root).unwrap();
        assert_eq!(grammar.exprs.len(), 3);
        let regex = only_text(&grammar);
        for (text, expected) in [("xml", false), ("xm", true), ("xmlx", true), ("", false), ("1", false)] {
            assert_eq!(is_match(&regex, text), expected, "{text}");
        }
    }

    #[test]
    fn a_rule_is_not_taken_from_itself() {
        let mut builder = Builder::new();
        let root = builder.rule("root", None);
        let a = builder.text("a");
        let call = builder.call(root);
        let both = builder.sequence([a, call]);
        let difference = builder.difference(both, a, None);
        builder.define(root, difference, None).unwrap();
        let message = builder.finish(root).unwrap_err().to_string();
        assert!(message.contains("contains the restriction itself"), "{message}");
    }

    #[test]
    fn doubling_a_text_again_and_again_meets_a_limit() {
        let mut builder = Builder::new();
        let mut last = builder.text("ab");
        let root = builder.rule("root", None);
        for step in 0..60 {
            let rule = builder.rule(&format!("r{step}"), None);
            let both = builder.sequence([last, last]);
            builder.define(rule, both, None).unwrap();
            last = builder.call(rule);
        }
        let a = builder.text("a");
        let difference = builder.difference(last, a, None);
        builder.define(root, difference, None).unwrap();
        let message = builder.finish(root).unwrap_err().to_string();
        assert!(message.contains("GRAMMAR_REGULAR_NODES_MAX"), "{message}");
    }
}
