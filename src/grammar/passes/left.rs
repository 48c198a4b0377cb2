//! Removes left recursion, direct, indirect and hidden, one strongly connected component of rules at a time.
//!
//! In a component each rule `X` matches what begins with another of its rules, or what does not:
//!
//! ```text
//! X = Y₁ α₁ | Y₂ α₂ | … | β          (α: what follows the rule Y, β: nonempty, begins with no rule of the component)
//! ```
//!
//! A text of the goal `G` begins with the β of some `X`, and goes on upwards from `X` to `G`:
//!
//! ```text
//! G      = β_X  up(X, G)              for each X
//! up(Y, G) = α  up(X, G)              for each X that has the alternative Y α
//!          | ε                        if Y is G
//! ```
//!
//! This is the left-corner transform of Rosenkrantz and Lewis (1970), of one component at a time. `up` calls itself last
//! only, so it takes no stack; `up(G, G)` matches what any number of it in a row match. Where an α can be empty,
//! `up(Y, G)` has the alternatives of all rules that can be reached through empty ones, and the α are read for nonempty texts.

use crate::error::{CompileError, CompileErrorKind, Place};
use crate::grammar::passes::{Normal, nullable};
use crate::grammar::regex::Regex;
use crate::grammar::rules::{Expr, Grammar, Rule};
use crate::index::{ExprId, RuleId};
use crate::limits;

/// Brings a grammar whose nullable rules are known into normal form.
///
/// # Errors
/// If too many rules are left-recursive together.
pub(super) fn remove(grammar: Grammar, nullable: Vec<bool>) -> Result<Normal, CompileError> {
    let empty = nullable::of_all(&grammar, &nullable);
    let components = components(&grammar, &empty);
    let loops = vec![false; grammar.rules.len()];
    let mut work = Work { grammar, nullable, loops, empty };
    for component in components {
        work.rewrite(&component)?;
    }
    Ok(Normal { grammar: work.grammar, nullable: work.nullable, loops: work.loops })
}

/// Rules that call each other at the left, and the expressions through which they do, children before parents.
struct Component {
    rules: Vec<RuleId>,
    exprs: Vec<ExprId>,
}

/// The expressions with which an expression can begin.
fn left_children<'g>(grammar: &'g Grammar, at: ExprId, empty: &[bool]) -> &'g [ExprId] {
    match grammar.expr(at) {
        Expr::Sequence(parts) => {
            let skipped = parts.iter().take_while(|part| empty[part.index()]).count();
            &parts[..parts.len().min(skipped + 1)]
        }
        _ => grammar.parts(at),
    }
}

/// The components with a cycle, by Tarjan's algorithm (1972) without native recursion.
fn components(grammar: &Grammar, empty: &[bool]) -> Vec<Component> {
    const NEW: usize = usize::MAX;
    let count = grammar.exprs.len();
    let (mut index, mut low) = (vec![NEW; count], vec![0; count]);
    let mut on_stack = vec![false; count];
    let (mut stack, mut found, mut clock) = (Vec::new(), Vec::new(), 0);
    let bodies =
        grammar.rules.iter().enumerate().map(|(rule, definition)| (definition.body, RuleId::new(rule)));
    let mut rules_by_body: Vec<(ExprId, RuleId)> = bodies.collect();
    rules_by_body.sort_unstable();
    let mut open: Vec<(usize, &[ExprId])> = Vec::new();
    for rule in &grammar.rules {
        let mut enter = Some(rule.body.index());
        loop {
            if let Some(at) = enter.take()
                && index[at] == NEW
            {
                (index[at], low[at]) = (clock, clock);
                clock += 1;
                stack.push(at);
                on_stack[at] = true;
                open.push((at, left_children(grammar, ExprId::new(at), empty)));
            }
            let Some((at, children)) = open.last_mut() else { break };
            let at = *at;
            if let Some((child, others)) = children.split_last() {
                *children = others;
                let child = child.index();
                if index[child] == NEW {
                    enter = Some(child);
                } else if on_stack[child] {
                    low[at] = low[at].min(index[child]);
                }
                continue;
            }
            open.pop();
            if let Some((parent, _)) = open.last() {
                low[*parent] = low[*parent].min(low[at]);
            }
            if low[at] == index[at] {
                let from = stack.iter().rposition(|&member| member == at).unwrap_or(0);
                let mut exprs: Vec<ExprId> = stack.drain(from..).map(ExprId::new).collect();
                exprs.iter().for_each(|member| on_stack[member.index()] = false);
                exprs.sort_unstable();
                let calls = |expr: &ExprId| matches!(grammar.expr(*expr), Expr::Rule(_));
                if exprs.iter().any(calls) && (exprs.len() > 1 || is_own_child(grammar, exprs[0], empty)) {
                    let rules = exprs.iter().flat_map(|member| {
                        let from = rules_by_body.partition_point(|(body, _)| body < member);
                        rules_by_body[from..].iter().take_while(move |(body, _)| body == member)
                    });
                    found.push(Component { rules: rules.map(|(_, rule)| *rule).collect(), exprs });
                }
            }
        }
    }
    found
}

/// Whether an expression is a call of the rule whose whole body it is.
fn is_own_child(grammar: &Grammar, at: ExprId, empty: &[bool]) -> bool {
    left_children(grammar, at, empty).contains(&at)
}

/// The parts of an expression by what they begin with.
#[derive(Clone, Default)]
struct Split {
    /// By rule of the component (its position there): what may follow it. An empty list of parts is the empty text.
    after: Vec<(usize, ExprId)>,
    /// Nonempty texts that begin with no rule of the component.
    others: Vec<ExprId>,
}

struct Work {
    grammar: Grammar,
    nullable: Vec<bool>,
    loops: Vec<bool>,
    /// Which expressions match the empty text.
    empty: Vec<bool>,
}

impl Work {
    fn rewrite(&mut self, component: &Component) -> Result<(), CompileError> {
        let count = component.rules.len();
        if count > limits::LEFT_RECURSION_RULES_MAX {
            return Err(self.too_many(component));
        }
        let splits = self.split(component);
        // What leads from Y up to X: alternatives of X that begin with Y.
        let mut up: Vec<Vec<Vec<ExprId>>> = vec![vec![Vec::new(); count]; count];
        let mut others: Vec<Vec<ExprId>> = vec![Vec::new(); count];
        for (x, &rule) in component.rules.iter().enumerate() {
            let body = self.grammar.rule(rule).body;
            let at = component.exprs.binary_search(&body).unwrap_or(0);
            for &(y, after) in &splits[at].after {
                up[y][x].push(after);
            }
            others[x].clone_from(&splits[at].others);
        }
        let reached: Vec<Vec<usize>> = (0..count).map(|y| self.reached_by_empty(&up, y)).collect();
        let links = self.links(&up, &reached);
        for goal in 0..count {
            self.write_goal(component, goal, &others, &links, &reached);
        }
        Ok(())
    }

    /// Splits the expressions of a component, in their order.
    fn split(&mut self, component: &Component) -> Vec<Split> {
        let mut splits: Vec<Split> = Vec::with_capacity(component.exprs.len());
        for &at in &component.exprs {
            let known = |child: ExprId| component.exprs.binary_search(&child).ok();
            let split = match self.grammar.expr(at).clone() {
                Expr::Rule(rule) => {
                    let y = component.rules.iter().position(|&member| member == rule).unwrap_or(0);
                    Split { after: vec![(y, self.nothing_more())], others: Vec::new() }
                }
                Expr::Sequence(parts) => {
                    let mut whole = Split::default();
                    for (i, &part) in parts.iter().enumerate() {
                        let rest = &parts[i + 1..];
                        match known(part).map(|at| splits[at].clone()) {
                            Some(split) => {
                                let split = self.then(&split, rest);
                                whole.after.extend(split.after);
                                whole.others.extend(split.others);
                            }
                            None => {
                                let part = self.nonempty(part);
                                let other = self.sequence(part, rest);
                                whole.others.push(other);
                            }
                        }
                        if !self.empty[part.index()] {
                            break;
                        }
                    }
                    whole
                }
                Expr::Choice(parts) => {
                    let mut whole = Split::default();
                    for part in parts {
                        match known(part) {
                            Some(at) => {
                                whole.after.extend_from_slice(&splits[at].after);
                                whole.others.extend_from_slice(&splits[at].others);
                            }
                            None => {
                                let part = self.nonempty(part);
                                whole.others.push(part);
                            }
                        }
                    }
                    whole
                }
                Expr::Repeat { body, min, max } => {
                    let min = if self.empty[body.index()] { 0 } else { min.saturating_sub(1) };
                    let max = max.map(|max| max.saturating_sub(1));
                    let rest = if max == Some(0) {
                        Vec::new()
                    } else {
                        vec![self.push(Expr::Repeat { body, min, max })]
                    };
                    let split = known(body).map(|at| splits[at].clone()).unwrap_or_default();
                    self.then(&split, &rest)
                }
                Expr::Within { body, .. } | Expr::NonEmpty(body) => {
                    known(body).map(|at| splits[at].clone()).unwrap_or_default()
                }
                Expr::Text(_) | Expr::Token(_) | Expr::Schema(_) => Split::default(),
            };
            splits.push(split);
        }
        splits
    }

    fn then(&mut self, split: &Split, rest: &[ExprId]) -> Split {
        let after = split.after.iter().map(|&(y, after)| (y, self.sequence(after, rest))).collect();
        let others = split.others.iter().map(|&other| self.sequence(other, rest)).collect();
        Split { after, others }
    }

    /// The rules that can be reached upwards from one by reading nothing, itself included.
    fn reached_by_empty(&self, up: &[Vec<Vec<ExprId>>], from: usize) -> Vec<usize> {
        let mut reached = vec![from];
        let mut next = 0;
        while next < reached.len() {
            for (x, afters) in up[reached[next]].iter().enumerate() {
                if !reached.contains(&x) && afters.iter().any(|after| self.empty[after.index()]) {
                    reached.push(x);
                }
            }
            next += 1;
        }
        reached
    }

    /// For each pair of rules what leads from one up to the other by reading something, if anything does.
    fn links(&mut self, up: &[Vec<Vec<ExprId>>], reached: &[Vec<usize>]) -> Vec<Vec<Option<ExprId>>> {
        let count = up.len();
        let mut links = vec![vec![None; count]; count];
        for (y, reached) in reached.iter().enumerate() {
            for x in 0..count {
                let mut afters: Vec<ExprId> =
                    reached.iter().flat_map(|&w| up[w][x].iter().copied()).collect();
                afters.sort_unstable();
                afters.dedup();
                afters.retain(|after| *self.grammar.expr(*after) != Expr::Text(Regex::Empty));
                if afters.is_empty() {
                    continue;
                }
                let parts: Vec<ExprId> = afters.into_iter().map(|after| self.nonempty(after)).collect();
                links[y][x] = Some(self.choice(parts));
            }
        }
        links
    }

    /// Writes the body of a rule of the component, and the rules that lead up to it.
    fn write_goal(
        &mut self,
        component: &Component,
        goal: usize,
        others: &[Vec<ExprId>],
        links: &[Vec<Option<ExprId>>],
        reached: &[Vec<usize>],
    ) {
        let name = self.grammar.rule(component.rules[goal]).name.clone();
        let first = self.grammar.rules.len();
        let up = |x: usize| RuleId::new(first + x);
        for (x, reached) in reached.iter().enumerate() {
            let from = self.grammar.rule(component.rules[x]).name.clone();
            self.grammar.rules.push(Rule {
                name: format!("{name} after {from}").into(),
                position: self.grammar.rule(component.rules[goal]).position,
                body: ExprId(0),
            });
            self.nullable.push(reached.contains(&goal));
            self.loops.push(x == goal);
        }
        for (y, links) in links.iter().enumerate() {
            let mut alternatives = Vec::new();
            for (x, link) in links.iter().enumerate() {
                if let Some(link) = *link {
                    let call = self.push(Expr::Rule(up(x)));
                    alternatives.push(self.sequence(link, &[call]));
                }
            }
            self.grammar.rules[first + y].body = self.choice(alternatives);
        }
        let mut alternatives = Vec::new();
        for (x, others) in others.iter().enumerate() {
            if !others.is_empty() {
                let begins = self.choice(others.clone());
                let call = self.push(Expr::Rule(up(x)));
                alternatives.push(self.sequence(begins, &[call]));
            }
        }
        self.grammar.rules[component.rules[goal].index()].body = self.choice(alternatives);
    }

    fn push(&mut self, expr: Expr) -> ExprId {
        let id = ExprId::new(self.grammar.exprs.len());
        self.grammar.exprs.push(expr);
        let empty = nullable::of(&self.grammar, id, &self.nullable, &self.empty);
        self.empty.push(empty);
        id
    }

    fn nothing_more(&mut self) -> ExprId {
        self.push(Expr::Text(Regex::Empty))
    }

    fn sequence(&mut self, first: ExprId, rest: &[ExprId]) -> ExprId {
        if rest.is_empty() {
            return first;
        }
        if *self.grammar.expr(first) == Expr::Text(Regex::Empty) {
            return if let [only] = rest { *only } else { self.push(Expr::Sequence(rest.to_vec())) };
        }
        self.push(Expr::Sequence(std::iter::once(first).chain(rest.iter().copied()).collect()))
    }

    fn choice(&mut self, parts: Vec<ExprId>) -> ExprId {
        match parts.as_slice() {
            [] => self.push(Expr::Text(Regex::Nothing)),
            [only] => *only,
            _ => self.push(Expr::Choice(parts)),
        }
    }

    fn nonempty(&mut self, part: ExprId) -> ExprId {
        if self.empty[part.index()] { self.push(Expr::NonEmpty(part)) } else { part }
    }

    fn too_many(&self, component: &Component) -> CompileError {
        let names: Vec<&str> =
            component.rules.iter().take(8).map(|rule| &*self.grammar.rule(*rule).name).collect();
        CompileError::new(
            CompileErrorKind::Limit,
            Place { position: self.grammar.rule(component.rules[0]).position, ..Place::default() },
            "left recursion",
            format!(
                "{} rules call each other before they read anything (`{}`, …), at most {} may \
                 (LEFT_RECURSION_RULES_MAX): write some of them with a repetition",
                component.rules.len(),
                names.join("`, `"),
                limits::LEFT_RECURSION_RULES_MAX
            ),
        )
    }
}
