//! Reads rules without recursion over texts alone as one regex each, and drops what is unproductive or out of reach.
//!
//! A regex runs as one deterministic machine that equal regexes of other grammars share, so identifiers, numbers, strings and
//! blanks cost no stack. A rule stays a rule if its regex would be large, or if all copies together would be.

use crate::grammar::regex::Regex;
use crate::grammar::rules::parents::Parents;
use crate::grammar::rules::{Expr, Grammar, Rule};
use crate::index::{ExprId, RuleId};
use crate::limits;

/// An expression that is a regex.
#[derive(Clone)]
struct Regular {
    regex: Regex,
    size: usize,
    depth: usize,
}

impl Regular {
    fn leaf(regex: Regex) -> Self {
        Self { size: regex.size(), regex, depth: 1 }
    }

    /// Puts regular expressions together, unless the whole is too large.
    fn join(parts: &[&Regular], how: impl FnOnce(Vec<Regex>) -> Regex) -> Option<Self> {
        let size = 1 + parts.iter().map(|part| part.size).sum::<usize>();
        let depth = 1 + parts.iter().map(|part| part.depth).max().unwrap_or(0);
        if size > limits::REGULAR_RULE_SIZE_MAX || depth > limits::REGULAR_RULE_DEPTH_MAX {
            return None;
        }
        let regex = how(parts.iter().map(|part| part.regex.clone()).collect());
        Some(Self { regex, size, depth })
    }
}

/// The same language with fewer rules.
pub(super) fn inline(grammar: &Grammar, parents: &Parents, productive: &[bool]) -> Grammar {
    let regular = find(grammar, parents, productive);
    Rebuild::new(grammar, productive, &regular).run()
}

/// What each expression is as a regex, if it is one. What calls itself, or leads to such a rule, is none: its parts never all come.
fn find(grammar: &Grammar, parents: &Parents, productive: &[bool]) -> Vec<Option<Regular>> {
    let is_productive = |part: &&ExprId| productive[part.index()];
    let ids = || (0..grammar.exprs.len()).map(ExprId::new);
    let missing = ids().map(|at| grammar.parts(at).iter().filter(is_productive).count());
    let mut missing: Vec<usize> = missing.collect();
    let ready = ids().rev().filter(|at| productive[at.index()] && missing[at.index()] == 0);
    let mut pending: Vec<ExprId> = ready.collect();
    let mut exprs: Vec<Option<Regular>> = vec![None; grammar.exprs.len()];
    let mut copied = 0;
    while let Some(at) = pending.pop() {
        if copied < limits::REGULAR_COPIES_MAX {
            exprs[at.index()] = as_regex(grammar, productive, at, &exprs);
            copied += exprs[at.index()].as_ref().map_or(0, |regular| regular.size);
        }
        for parent in parents.of_part(at).iter().filter(is_productive) {
            missing[parent.index()] -= 1;
            if missing[parent.index()] == 0 {
                pending.push(*parent);
            }
        }
    }
    exprs
}

fn as_regex(
    grammar: &Grammar,
    productive: &[bool],
    at: ExprId,
    exprs: &[Option<Regular>],
) -> Option<Regular> {
    let known = |children: &[ExprId]| -> Option<Vec<&Regular>> {
        let children = children.iter().filter(|child| productive[child.index()]);
        children.map(|child| exprs[child.index()].as_ref()).collect()
    };
    match grammar.expr(at) {
        Expr::Text(regex) => Some(Regular::leaf(regex.clone())),
        Expr::Rule(rule) => exprs[grammar.rule(*rule).body.index()].clone(),
        Expr::Sequence(parts) => Regular::join(&known(parts)?, Regex::concat),
        Expr::Choice(parts) => Regular::join(&known(parts)?, Regex::or),
        Expr::Repeat { body, .. } if !productive[body.index()] => Some(Regular::leaf(Regex::Empty)),
        Expr::Repeat { body, min, max } => {
            Regular::join(&known(&[*body])?, |parts| Regex::concat(parts).repeat(*min, *max))
        }
        Expr::Token(_) | Expr::Schema(_) | Expr::Within { .. } | Expr::NonEmpty(_) => None,
    }
}

/// What an expression has become.
#[derive(Clone)]
enum Built {
    /// A regex that may still be joined with its neighbours in the same rule.
    Regular(Regular),
    Expr(ExprId),
}

/// Writes the grammar anew.
struct Rebuild<'g> {
    old: &'g Grammar,
    productive: &'g [bool],
    regular: &'g [Option<Regular>],
    /// The expressions that stand for calls of regular rules.
    texts: Vec<Option<ExprId>>,
    exprs: Vec<Expr>,
    rules: Vec<Rule>,
    /// Old expressions that have been built, or are about to be.
    listed: Vec<bool>,
    /// The new ids of old rules.
    renamed: Vec<Option<RuleId>>,
    pending: Vec<RuleId>,
    /// The size of all regexes written in place of calls.
    copied: usize,
}

impl<'g> Rebuild<'g> {
    fn new(old: &'g Grammar, productive: &'g [bool], regular: &'g [Option<Regular>]) -> Self {
        let renamed = vec![None; old.rules.len()];
        Self {
            old,
            productive,
            regular,
            texts: vec![None; old.rules.len()],
            exprs: Vec::new(),
            rules: Vec::new(),
            listed: vec![false; old.exprs.len()],
            renamed,
            pending: Vec::new(),
            copied: 0,
        }
    }

    fn run(mut self) -> Grammar {
        let start = self.rename(self.old.start);
        let mut built: Vec<Option<Built>> = vec![None; self.old.exprs.len()];
        while let Some(rule) = self.pending.pop() {
            let body = self.old.rule(rule).body;
            for at in self.below(body) {
                built[at.index()] = Some(self.build(at, &built));
            }
            let new = self.rename(rule);
            let body = match built[body.index()].clone() {
                Some(body) => self.settle(body),
                None => self.push(Expr::Text(Regex::Nothing)),
            };
            self.rules[new.index()].body = body;
        }
        Grammar { rules: self.rules, exprs: self.exprs, schemas: self.old.schemas.clone(), start }
    }

    /// An expression and those that it is made of, children before parents; each is listed once, for whoever is first.
    fn below(&mut self, top: ExprId) -> Vec<ExprId> {
        let mut found = Vec::new();
        let mut pending = vec![top];
        while let Some(at) = pending.pop() {
            if self.productive[at.index()] && !std::mem::replace(&mut self.listed[at.index()], true) {
                found.push(at);
                pending.extend(self.old.expr(at).children());
            }
        }
        found.sort_unstable();
        found
    }

    /// The new id of a rule, which is then to be written.
    fn rename(&mut self, rule: RuleId) -> RuleId {
        if let Some(known) = self.renamed[rule.index()] {
            return known;
        }
        let new = RuleId::new(self.rules.len());
        self.renamed[rule.index()] = Some(new);
        self.rules.push(Rule { body: ExprId(0), ..self.old.rule(rule).clone() });
        self.pending.push(rule);
        new
    }

    fn push(&mut self, expr: Expr) -> ExprId {
        self.exprs.push(expr);
        ExprId::new(self.exprs.len() - 1)
    }

    fn settle(&mut self, built: Built) -> ExprId {
        match built {
            Built::Regular(regular) => self.push(Expr::Text(regular.regex)),
            Built::Expr(expr) => expr,
        }
    }

    fn settled(&mut self, at: ExprId, built: &[Option<Built>]) -> ExprId {
        match &built[at.index()] {
            Some(known) => self.settle(known.clone()),
            None => self.push(Expr::Text(Regex::Nothing)),
        }
    }

    fn build(&mut self, at: ExprId, built: &[Option<Built>]) -> Built {
        let old = self.old;
        match old.expr(at) {
            Expr::Text(regex) => Built::Regular(Regular::leaf(regex.clone())),
            Expr::Rule(rule) => match &self.regular[old.rule(*rule).body.index()] {
                // Not joined with its neighbours: a machine of its own can be shared.
                Some(regular) if self.copied < limits::REGULAR_COPIES_MAX => {
                    let text = self.texts[rule.index()].unwrap_or_else(|| {
                        self.copied += regular.size;
                        self.push(Expr::Text(regular.regex.clone()))
                    });
                    self.texts[rule.index()] = Some(text);
                    Built::Expr(text)
                }
                _ => {
                    let rule = self.rename(*rule);
                    Built::Expr(self.push(Expr::Rule(rule)))
                }
            },
            Expr::Sequence(parts) => self.sequence(parts, built),
            Expr::Choice(parts) => self.choice(parts, built),
            Expr::Repeat { body, min, max } => match &built[body.index()] {
                None => Built::Regular(Regular::leaf(Regex::Empty)),
                Some(known) => {
                    let joined = match known {
                        Built::Regular(regular) => {
                            Regular::join(&[regular], |parts| Regex::concat(parts).repeat(*min, *max))
                        }
                        Built::Expr(_) => None,
                    };
                    match joined {
                        Some(joined) => Built::Regular(joined),
                        None => {
                            let body = self.settle(known.clone());
                            Built::Expr(self.push(Expr::Repeat { body, min: *min, max: *max }))
                        }
                    }
                }
            },
            Expr::NonEmpty(inner) => {
                let inner = self.settled(*inner, built);
                Built::Expr(self.push(Expr::NonEmpty(inner)))
            }
            other => Built::Expr(self.push(other.clone())),
        }
    }

    fn sequence(&mut self, parts: &[ExprId], built: &[Option<Built>]) -> Built {
        let mut joined: Vec<Built> = Vec::with_capacity(parts.len());
        for part in parts {
            let Some(next) = &built[part.index()] else { continue };
            if let (Some(Built::Regular(last)), Built::Regular(next)) = (joined.last(), next)
                && let Some(both) = Regular::join(&[last, next], Regex::concat)
            {
                joined.pop();
                joined.push(Built::Regular(both));
            } else {
                joined.push(next.clone());
            }
        }
        if joined.len() == 1
            && let Some(only) = joined.pop()
        {
            return only;
        }
        let parts = joined.into_iter().map(|part| self.settle(part)).collect();
        Built::Expr(self.push(Expr::Sequence(parts)))
    }

    fn choice(&mut self, parts: &[ExprId], built: &[Option<Built>]) -> Built {
        let mut regular = Vec::new();
        let mut others = Vec::new();
        for part in parts.iter().filter_map(|part| built[part.index()].as_ref()) {
            match part {
                Built::Regular(next) => regular.push(next),
                Built::Expr(_) => others.push(part.clone()),
            }
        }
        let joined = if regular.is_empty() { None } else { Regular::join(&regular, Regex::or) };
        if joined.is_none() {
            others.extend(regular.into_iter().cloned().map(Built::Regular));
        }
        match (joined, others.as_slice()) {
            (Some(only), []) => Built::Regular(only),
            (None, [only]) => only.clone(),
            (joined, _) => {
                let all = joined.map(Built::Regular).into_iter().chain(others);
                let parts = all.map(|part| self.settle(part)).collect();
                Built::Expr(self.push(Expr::Choice(parts)))
            }
        }
    }
}
