//! Which triples some text has: for an expression and a state, the states behind its texts.
//!
//! Asked for are only those that the restricted expression leads to. Whoever needs the states behind another expression
//! listens there, and hears of each once; so recursion is no special case. Rounds of a counted repetition are not told apart here,
//! and what stands behind "every text goes on" is not looked at: a triple too many has no text, and does no harm.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::automaton::rules::product::{At, Failure, Product};
use crate::automaton::term::Terms;
use crate::grammar::rules::Expr;
use crate::index::ExprId;
use crate::limits::GRAMMAR_PRODUCT_TRIPLES_MAX;

/// An expression from a state on, by its number.
type Node = usize;

/// What a new state behind an expression means for another.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Listener {
    /// It is behind that one too.
    Same(Node),
    /// The sequence goes on with this part.
    Sequence(Node, usize),
    /// The repetition has one round more.
    Round(Node),
}

#[derive(Default)]
struct Fixpoint {
    nodes: Vec<(ExprId, At)>,
    numbers: FxHashMap<(ExprId, At), Node>,
    behind: Vec<std::collections::BTreeSet<At>>,
    listeners: Vec<Vec<Listener>>,
    listening: FxHashSet<(Node, Listener)>,
    /// Nodes that are still to be looked at.
    unopened: Vec<Node>,
    /// What is still to be heard.
    news: Vec<(Listener, At)>,
    triples: usize,
}

impl Fixpoint {
    fn node(&mut self, expr: ExprId, from: At) -> Node {
        if let Some(&known) = self.numbers.get(&(expr, from)) {
            return known;
        }
        let node = self.nodes.len();
        self.nodes.push((expr, from));
        self.numbers.insert((expr, from), node);
        self.behind.push(std::collections::BTreeSet::new());
        self.listeners.push(Vec::new());
        self.unopened.push(node);
        node
    }

    fn listen(&mut self, expr: ExprId, from: At, listener: Listener) {
        let node = self.node(expr, from);
        if self.listening.insert((node, listener)) {
            self.listeners[node].push(listener);
            self.news.extend(self.behind[node].iter().map(|&at| (listener, at)));
        }
    }

    fn found(&mut self, node: Node, at: At) -> Result<(), Failure> {
        if self.behind[node].insert(at) {
            self.triples += 1;
            if self.triples > GRAMMAR_PRODUCT_TRIPLES_MAX {
                return Err(Failure::Limit(format!(
                    "a part of the grammar and the condition on its text have more than {GRAMMAR_PRODUCT_TRIPLES_MAX} \
                     triples of an expression and the states around it (GRAMMAR_PRODUCT_TRIPLES_MAX)"
                )));
            }
            self.news.extend(self.listeners[node].iter().map(|&listener| (listener, at)));
        }
        Ok(())
    }
}

impl Product<'_> {
    /// Finds the states behind an expression and behind all that it leads to.
    pub(super) fn find_targets(&mut self, body: ExprId, start: At) -> Result<(), Failure> {
        let mut fixpoint = Fixpoint::default();
        fixpoint.node(body, start);
        loop {
            if let Some(node) = fixpoint.unopened.pop() {
                self.open(&mut fixpoint, node)?;
            } else if let Some((listener, at)) = fixpoint.news.pop() {
                self.charge(1)?;
                self.hear(&mut fixpoint, listener, at)?;
            } else {
                break;
            }
        }
        self.targets = fixpoint.nodes.into_iter().zip(fixpoint.behind).collect();
        Ok(())
    }

    fn open(&mut self, fixpoint: &mut Fixpoint, node: Node) -> Result<(), Failure> {
        self.charge(1)?;
        let (expr, from) = fixpoint.nodes[node];
        if self.term(from) == Terms::ALL {
            return fixpoint.found(node, from);
        }
        match self.grammar.expr(expr) {
            Expr::Text(_) => {
                let behind: Vec<At> = self.leaf(expr, from)?.into_keys().collect();
                behind.into_iter().try_for_each(|at| fixpoint.found(node, at))?;
            }
            Expr::Rule(rule) => {
                fixpoint.listen(self.grammar.rule(*rule).body, from, Listener::Same(node));
            }
            Expr::Choice(parts) => {
                parts.iter().for_each(|&part| fixpoint.listen(part, from, Listener::Same(node)));
            }
            Expr::NonEmpty(body) => fixpoint.listen(*body, from, Listener::Same(node)),
            Expr::Sequence(_) => self.hear(fixpoint, Listener::Sequence(node, 0), from)?,
            Expr::Repeat { body, min, max } => {
                if *max != Some(0) {
                    fixpoint.listen(*body, from, Listener::Round(node));
                }
                if *min == 0 {
                    fixpoint.found(node, from)?;
                }
            }
            // Refused, or written out before.
            Expr::Token(_) | Expr::Schema(_) | Expr::Within { .. } => {}
        }
        Ok(())
    }

    fn hear(&self, fixpoint: &mut Fixpoint, listener: Listener, at: At) -> Result<(), Failure> {
        match listener {
            Listener::Same(node) => fixpoint.found(node, at),
            Listener::Sequence(node, part) => {
                let Expr::Sequence(parts) = self.grammar.expr(fixpoint.nodes[node].0) else { return Ok(()) };
                match parts.get(part) {
                    Some(&next) => {
                        fixpoint.listen(next, at, Listener::Sequence(node, part + 1));
                        Ok(())
                    }
                    None => fixpoint.found(node, at),
                }
            }
            Listener::Round(node) => {
                let Expr::Repeat { body, max, .. } = self.grammar.expr(fixpoint.nodes[node].0) else {
                    return Ok(());
                };
                if *max != Some(1) {
                    fixpoint.listen(*body, at, Listener::Round(node));
                }
                fixpoint.found(node, at)
            }
        }
    }
}
