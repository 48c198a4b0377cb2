//! From what a terminal is made of to its regex.

use super::patterns;
use super::scan::Scanner;
use super::tree::{Case, Definition, Document, Kind, Lazy, NodeAt, is_terminal};
use crate::error::{CompileError, CompileErrorKind};
use crate::grammar::lexing::{Extent, Form};
use crate::grammar::nearest::nearest;
use crate::grammar::regex::{CharSet, Regex};
use crate::grammar::substring;
use crate::limits::{LARK_TERMINAL_DEPTH_MAX, LARK_TERMINAL_NODES_MAX, SUBSTRING_PLACES_MAX};
use crate::syntax::pattern;

/// What a terminal matches.
#[derive(Clone)]
pub(super) struct Matched {
    pub(super) regex: Regex,
    pub(super) extent: Extent,
    pub(super) form: Form,
    depth: usize,
}

impl Matched {
    fn leaf(regex: Regex) -> Self {
        Self { regex, extent: Extent::Longest, form: Form::Pattern, depth: 1 }
    }
}

/// The regexes of a grammar's terminals.
pub(super) struct Terminals<'s, 't> {
    scanner: &'s Scanner<'t>,
    /// By node, as far as it has been asked for.
    of_node: Vec<Option<Matched>>,
    /// By definition that is a terminal.
    of_definition: Vec<Option<Matched>>,
    /// Nodes of regexes made so far.
    made: usize,
}

impl<'s, 't> Terminals<'s, 't> {
    /// Works out all terminals, each after those that it is made of.
    pub(super) fn of(scanner: &'s Scanner<'t>, document: &Document) -> Result<Self, CompileError> {
        let mut terminals = Self {
            scanner,
            of_node: vec![None; document.nodes.len()],
            of_definition: vec![None; document.definitions.len()],
            made: 0,
        };
        let mut is_open = vec![false; document.definitions.len()];
        for at in 0..document.definitions.len() {
            if !document.definitions[at].is_terminal() {
                continue;
            }
            let mut pending = vec![at];
            while let Some(&next) = pending.last() {
                if terminals.of_definition[next].is_some() {
                    pending.pop();
                    continue;
                }
                let needed = terminals.needed(document, next)?;
                if needed.is_empty() {
                    pending.pop();
                    terminals.of_definition[next] = Some(terminals.define(document, next)?);
                    is_open[next] = false;
                    continue;
                }
                is_open[next] = true;
                for (other, byte) in needed {
                    if is_open[other] || other == next {
                        let message = format!(
                            "the terminal `{}` is made of itself: only rules, with small letters, may be",
                            document.definitions[other].name
                        );
                        let kind = CompileErrorKind::Reference;
                        return Err(scanner.error(kind, byte, "terminal", message));
                    }
                    pending.push(other);
                }
            }
        }
        Ok(terminals)
    }

    pub(super) fn of_definition(&self, at: usize) -> Option<&Matched> {
        self.of_definition[at].as_ref()
    }

    /// The definitions that a terminal is made of and that are not worked out.
    fn needed(&self, document: &Document, at: usize) -> Result<Vec<(usize, usize)>, CompileError> {
        let definition = &document.definitions[at];
        if let Some(parameter) = definition.parameters.first() {
            let message = format!(
                "the terminal `{}` has a parameter, `{parameter}`: only rules may have some",
                definition.name
            );
            return Err(self.scanner.unsupported(definition.byte, "template", message));
        }
        let mut needed = Vec::new();
        for node in nodes_of(document, definition) {
            let Kind::Name(name) = &document.nodes[node].kind else { continue };
            let byte = document.nodes[node].byte;
            let other = self.terminal_named(document, name, byte)?;
            if self.of_definition[other].is_none() {
                needed.push((other, byte));
            }
        }
        Ok(needed)
    }

    fn terminal_named(&self, document: &Document, name: &str, byte: usize) -> Result<usize, CompileError> {
        match document.find(name) {
            Some(other) if document.definitions[other].lazy == Lazy::ToEnd => {
                let message =
                    format!("`{name}` ends with the whole text (`stop=\"\"`) and is no part of a terminal");
                Err(self.scanner.unsupported(byte, "option stop", message))
            }
            Some(other) if document.definitions[other].is_terminal() => Ok(other),
            Some(_) => {
                let message = format!(
                    "a terminal is made of texts, patterns and terminals, and `{name}` is a rule: give it a name with capital letters if it is no recursion"
                );
                Err(self.scanner.syntax(byte, "terminal", message))
            }
            None => Err(undefined(self.scanner, document, name, byte)),
        }
    }

    fn define(&mut self, document: &Document, at: usize) -> Result<Matched, CompileError> {
        let definition = &document.definitions[at];
        let mut matched = self.matched(document, definition.body)?;
        if definition.lazy == Lazy::No {
            return Ok(matched);
        }
        if let Lazy::Suffix(suffix) | Lazy::Stop(suffix) = definition.lazy {
            let suffix = self.matched(document, suffix)?;
            matched.regex = matched.regex.then(suffix.regex);
            matched.depth = 1 + matched.depth.max(suffix.depth);
        }
        if matched.extent == Extent::Shortest {
            let message = "the rule is lazy already: leave the `?` behind the repetition out";
            return Err(self.scanner.unsupported(definition.byte, "lazy repetition", message));
        }
        matched.form = Form::Pattern;
        if definition.lazy == Lazy::ToEnd {
            return Ok(matched);
        }
        matched.extent = Extent::Shortest;
        if matched.regex.accepts_empty() {
            let message = format!(
                "the shortest match of `{}` is the empty text: say what ends it with `suffix=`",
                definition.name
            );
            return Err(self.scanner.unsupported(definition.byte, "option lazy", message));
        }
        Ok(matched)
    }

    /// What a node matches, all terminals in it being worked out.
    pub(super) fn matched(&mut self, document: &Document, top: NodeAt) -> Result<Matched, CompileError> {
        if self.of_node.len() < document.nodes.len() {
            self.of_node.resize(document.nodes.len(), None);
        }
        for node in below(document, [top]) {
            if self.of_node[node].is_none() {
                let matched = self.matched_node(document, node)?;
                self.charge(&matched, document.nodes[node].byte)?;
                self.of_node[node] = Some(matched);
            }
        }
        let matched = self.of_node[top].clone();
        Ok(matched.expect("the node is below itself"))
    }

    /// Counts what a node matches.
    fn charge(&mut self, matched: &Matched, byte: usize) -> Result<(), CompileError> {
        self.check(matched.depth, matched.regex.size(), byte)?;
        self.made += matched.regex.size();
        Ok(())
    }

    /// Whether there is room for a regex of this depth and size.
    fn check(&self, depth: usize, size: usize, byte: usize) -> Result<(), CompileError> {
        let message = if depth > LARK_TERMINAL_DEPTH_MAX {
            format!("terminals are nested deeper than {LARK_TERMINAL_DEPTH_MAX} (LARK_TERMINAL_DEPTH_MAX)")
        } else if self.made + size > LARK_TERMINAL_NODES_MAX {
            format!(
                "the terminals have more than {LARK_TERMINAL_NODES_MAX} nodes, what they are made of written out (LARK_TERMINAL_NODES_MAX)"
            )
        } else {
            return Ok(());
        };
        Err(self.scanner.error(CompileErrorKind::Limit, byte, "terminal", message))
    }

    fn matched_node(&self, document: &Document, at: NodeAt) -> Result<Matched, CompileError> {
        let node = &document.nodes[at];
        Ok(match &node.kind {
            Kind::Text { text, case: Case::Counts } => {
                Matched { form: Form::Literal, ..Matched::leaf(Regex::literal(text)) }
            }
            Kind::Text { text, case: Case::Ignored } => {
                let Some(regex) = patterns::any_case(text) else {
                    let message = "the text is too long to be read in any case";
                    return Err(self.scanner.error(CompileErrorKind::Limit, node.byte, "string", message));
                };
                Matched { form: Form::Literal, ..Matched::leaf(regex) }
            }
            Kind::Range(low, high) => Matched::leaf(Regex::set(CharSet::range(*low, *high))),
            Kind::Pattern { source, flags } => {
                let (regex, extent) = patterns::read(source, flags).map_err(|refused| {
                    let byte = node.byte + 1 + refused.byte;
                    self.scanner.unsupported(
                        byte,
                        &format!("pattern: {}", refused.construct),
                        refused.message,
                    )
                })?;
                Matched { extent, ..Matched::leaf(regex) }
            }
            Kind::Runs(chunks) => match substring::runs(chunks.iter().map(|chunk| &**chunk)) {
                Ok(regex) => Matched::leaf(regex),
                Err(substring::TooLarge) => {
                    let message = format!(
                        "its runs have more than {SUBSTRING_PLACES_MAX} places (SUBSTRING_PLACES_MAX): use a shorter text"
                    );
                    return Err(self.scanner.error(CompileErrorKind::Limit, node.byte, "%regex", message));
                }
            },
            Kind::Common(text) => match pattern::parse_whole(text) {
                Ok(regex) => Matched::leaf(regex),
                Err(e) => return Err(self.scanner.unsupported(node.byte, "pattern", e.message)),
            },
            Kind::Name(name) => {
                let other = self.terminal_named(document, name, node.byte)?;
                let mut matched = self.of_definition[other].clone().expect("those before are worked out");
                matched.form = Form::Pattern;
                matched.depth += 1;
                matched
            }
            Kind::Sequence(children) => self.joined(document, children, at, Regex::concat)?,
            Kind::Choice(children) => self.joined(document, children, at, Regex::or)?,
            Kind::All(children) => self.joined(document, children, at, Regex::and)?,
            Kind::Not(child) => self.joined(document, &[*child], at, |mut parts| {
                parts.pop().map_or(Regex::Nothing, Regex::complement)
            })?,
            Kind::Repeat { body, min, max } => self.joined(document, &[*body], at, |mut parts| {
                parts.pop().map_or(Regex::Nothing, |body| body.repeat(*min, *max))
            })?,
            Kind::Template { .. } | Kind::Tokens(_) | Kind::Json { .. } => {
                let what = match node.kind {
                    Kind::Tokens(_) => "a token is a lexeme of its own",
                    Kind::Json { .. } => "a `%json` has lexemes of its own",
                    _ => "a template is a rule",
                };
                let message = format!("{what} and no part of a terminal: use it in a rule");
                return Err(self.scanner.unsupported(node.byte, "terminal", message));
            }
        })
    }

    /// What is made of other nodes. A lazy pattern is a terminal of its own, since what it takes hangs on what follows it there.
    fn joined(
        &self,
        document: &Document,
        children: &[NodeAt],
        at: NodeAt,
        how: impl FnOnce(Vec<Regex>) -> Regex,
    ) -> Result<Matched, CompileError> {
        let parts: Vec<&Matched> = children
            .iter()
            .map(|&child| self.of_node[child].as_ref().expect("children come first"))
            .collect();
        if parts.iter().any(|part| part.extent == Extent::Shortest) {
            let message = "a lazy pattern or rule is part of a larger terminal here: give it a terminal of its own, and join the terminals in a rule";
            return Err(self.scanner.unsupported(document.nodes[at].byte, "lazy repetition", message));
        }
        let depth = 1 + parts.iter().map(|part| part.depth).max().unwrap_or(0);
        let size: usize = parts.iter().map(|part| part.regex.size()).sum();
        self.check(depth, size, document.nodes[at].byte)?;
        let regex = how(parts.iter().map(|part| part.regex.clone()).collect());
        Ok(Matched { depth, ..Matched::leaf(regex) })
    }
}

/// The nodes of a definition.
fn nodes_of(document: &Document, definition: &Definition) -> Vec<NodeAt> {
    let suffix = match definition.lazy {
        Lazy::Suffix(suffix) | Lazy::Stop(suffix) => Some(suffix),
        Lazy::No | Lazy::Yes | Lazy::ToEnd => None,
    };
    below(document, [definition.body].into_iter().chain(suffix))
}

/// Nodes and those that they are made of, children before parents.
pub(super) fn below(document: &Document, tops: impl IntoIterator<Item = NodeAt>) -> Vec<NodeAt> {
    let mut found = rustc_hash::FxHashSet::default();
    let mut pending: Vec<NodeAt> = tops.into_iter().collect();
    while let Some(at) = pending.pop() {
        if found.insert(at) {
            pending.extend(document.nodes[at].kind.children());
        }
    }
    let mut found: Vec<NodeAt> = found.into_iter().collect();
    found.sort_unstable();
    found
}

/// The refusal of a name that nothing defines.
pub(super) fn undefined(scanner: &Scanner<'_>, document: &Document, name: &str, byte: usize) -> CompileError {
    let what = if is_terminal(name) { "terminal" } else { "rule" };
    let names = document.definitions.iter().map(|definition| &*definition.name);
    let help = match nearest(name, names) {
        Some(near) => format!("; did you mean `{near}`?"),
        None if super::common::pattern(name).is_some() => format!(": add `%import common.{name}`"),
        None => "; define it, or put quotes around it if it is a text".to_owned(),
    };
    let message = format!("the {what} `{name}` is used and not defined{help}");
    scanner.error(CompileErrorKind::Reference, byte, what, message)
}
