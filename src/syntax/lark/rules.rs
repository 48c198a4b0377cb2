//! From a grammar as read to terminals and rules over them.

use rustc_hash::{FxHashMap, FxHashSet};

use super::scan::Scanner;
use super::stops::Stops;
use super::terminals::{Matched, Terminals, below, undefined};
use super::tree::{Case, Document, Kind, Lazy, NodeAt};
use crate::error::{CompileError, CompileErrorKind};
use crate::grammar::lexing::{Extent, Form, LexRule, Lexing, Part, Terminal};
use crate::grammar::nearest::nearest;
use crate::grammar::regex::Regex;
use crate::grammar::rules::{TokenMember, TokenSet};
use crate::index::{PartId, RuleId, TerminalId, narrow};
use crate::limits::{LEXING_PARTS_MAX, LEXING_TERMINALS_MAX};
use crate::syntax::schema::{self, EnforcementReport, SchemaOptions};

/// The grammar, and what is enforced of the schemas in it.
pub(super) fn lexing(
    scanner: &Scanner<'_>,
    document: &Document,
    options: &SchemaOptions,
) -> Result<(Lexing, EnforcementReport), CompileError> {
    let start = start(scanner, document)?;
    let terminals = Terminals::of(scanner, document)?;
    let rules = document.definitions.iter().enumerate().filter(|(_, d)| is_rule(d)).map(|(at, _)| at);
    let mut order = vec![start];
    order.extend(rules.filter(|&at| at != start));
    let numbers = order.iter().enumerate().map(|(number, &at)| (at, RuleId::new(number))).collect();
    let mut builder = Builder {
        scanner,
        document,
        options,
        terminals,
        rules: numbers,
        of_definition: FxHashMap::default(),
        by_regex: FxHashMap::default(),
        stops: Stops::default(),
        lexing: Lexing::default(),
        entries: document.reported.clone(),
    };
    builder.declare_terminals()?;
    for &at in &order {
        let definition = &document.definitions[at];
        let body = match builder.of_definition.get(&at) {
            Some(&whole) => builder.lexeme(whole, definition.byte)?,
            None => builder.body(definition.body)?,
        };
        builder.lexing.rules.push(LexRule { name: definition.name.clone(), body });
    }
    for &node in &document.ignored {
        builder.ignore(node)?;
    }
    builder.stops.check(scanner, document, &builder.lexing)?;
    Ok((builder.lexing, EnforcementReport::new(builder.entries)))
}

fn is_rule(definition: &super::tree::Definition) -> bool {
    !definition.is_terminal() && definition.parameters.is_empty()
}

fn start(scanner: &Scanner<'_>, document: &Document) -> Result<usize, CompileError> {
    let found = document.find("start").filter(|&at| document.definitions[at].parameters.is_empty());
    found.ok_or_else(|| {
        let names = document.definitions.iter().map(|definition| &*definition.name);
        let help = match nearest("start", names) {
            Some(near) => format!("; did you mean `{near}`?"),
            None => ": the rule that a whole text matches is called `start`".to_owned(),
        };
        scanner.error(CompileErrorKind::Reference, 0, "start", format!("there is no rule `start`{help}"))
    })
}

struct Builder<'s, 't> {
    scanner: &'s Scanner<'t>,
    document: &'s Document,
    options: &'s SchemaOptions,
    terminals: Terminals<'s, 't>,
    /// By definition.
    rules: FxHashMap<usize, RuleId>,
    of_definition: FxHashMap<usize, TerminalId>,
    /// The first terminal of these lexemes.
    by_regex: FxHashMap<(Regex, bool, Form), TerminalId>,
    stops: Stops,
    lexing: Lexing,
    entries: Vec<schema::Entry>,
}

impl Builder<'_, '_> {
    /// Gives the terminals that rules use, or that are ignored, their numbers in the order of their definitions.
    fn declare_terminals(&mut self) -> Result<(), CompileError> {
        let mut used = vec![false; self.document.definitions.len()];
        let bodies = self.document.definitions.iter().filter(|d| is_rule(d)).map(|d| d.body);
        for node in below(self.document, bodies.chain(self.document.ignored.iter().copied())) {
            if let Kind::Name(name) = &self.document.nodes[node].kind
                && let Some(at) = self.document.find(name)
            {
                used[at] = true;
            }
        }
        for (at, definition) in self.document.definitions.iter().enumerate() {
            if definition.is_terminal() && (used[at] || self.lazy_start(at)) {
                let matched = self.terminals.of_definition(at).expect("all are worked out").clone();
                let priority = definition.priority;
                let id = self.terminal(&definition.name, definition.byte, &matched, priority)?;
                self.of_definition.insert(at, id);
                if let Lazy::Stop(stop) = definition.lazy {
                    let stop = self.terminals.matched(self.document, stop)?.regex;
                    self.stops.add(id, at, Some(stop));
                } else if definition.lazy == Lazy::ToEnd {
                    self.stops.add(id, at, None);
                }
            }
        }
        Ok(())
    }

    /// Whether the definition is the start rule, which its options make a terminal.
    fn lazy_start(&self, at: usize) -> bool {
        &*self.document.definitions[at].name == "start"
    }

    fn terminal(
        &mut self,
        name: &str,
        byte: usize,
        matched: &Matched,
        priority: i32,
    ) -> Result<TerminalId, CompileError> {
        if self.lexing.terminals.len() >= LEXING_TERMINALS_MAX {
            let message =
                format!("there are more than {LEXING_TERMINALS_MAX} terminals (LEXING_TERMINALS_MAX)");
            return Err(self.scanner.error(CompileErrorKind::Limit, byte, "terminal", message));
        }
        let id = TerminalId::new(self.lexing.terminals.len());
        let key = (matched.regex.clone(), matched.extent == Extent::Longest, matched.form);
        self.by_regex.entry(key).or_insert(id);
        self.lexing.terminals.push(Terminal {
            name: name.into(),
            position: Some(self.scanner.position(byte)),
            regex: matched.regex.clone(),
            extent: matched.extent,
            priority,
            form: matched.form,
        });
        Ok(id)
    }

    /// The terminal of a value that has no name: the first one of the same lexemes, if there is one.
    fn anonymous(&mut self, node: NodeAt) -> Result<TerminalId, CompileError> {
        let matched = self.terminals.matched(self.document, node)?;
        let key = (matched.regex.clone(), matched.extent == Extent::Longest, matched.form);
        if let Some(&known) = self.by_regex.get(&key) {
            return Ok(known);
        }
        let Kind::Name(_) = &self.document.nodes[node].kind else {
            let name = shown(&self.document.nodes[node].kind);
            return self.terminal(&name, self.document.nodes[node].byte, &matched, 0);
        };
        unreachable!("named terminals are declared")
    }

    fn ignore(&mut self, node: NodeAt) -> Result<(), CompileError> {
        let named = match &self.document.nodes[node].kind {
            Kind::Name(name) => self.document.find(name).and_then(|at| self.of_definition.get(&at).copied()),
            _ => None,
        };
        let id = match named {
            Some(id) => id,
            None => self.anonymous(node)?,
        };
        if !self.lexing.ignored.contains(&id) {
            self.lexing.ignored.push(id);
        }
        Ok(())
    }

    fn body(&mut self, top: NodeAt) -> Result<PartId, CompileError> {
        let mut parts: FxHashMap<NodeAt, PartId> = FxHashMap::default();
        for node in self.outside_terminals(top) {
            if self.lexing.parts.len() > LEXING_PARTS_MAX {
                let message = format!("rules have more than {LEXING_PARTS_MAX} parts (LEXING_PARTS_MAX)");
                let byte = self.document.nodes[node].byte;
                return Err(self.scanner.error(CompileErrorKind::Limit, byte, "rule", message));
            }
            let id = self.part(node, &parts)?;
            parts.insert(node, id);
        }
        Ok(parts[&top])
    }

    /// The nodes of a rule's body, children before parents; those of an anonymous terminal are left out.
    fn outside_terminals(&self, top: NodeAt) -> Vec<NodeAt> {
        let mut found = FxHashSet::default();
        let mut pending = vec![top];
        while let Some(at) = pending.pop() {
            let kind = &self.document.nodes[at].kind;
            if found.insert(at) && !matches!(kind, Kind::Not(_)) {
                pending.extend(kind.children());
            }
        }
        let mut found: Vec<NodeAt> = found.into_iter().collect();
        found.sort_unstable();
        found
    }

    fn part(&mut self, at: NodeAt, parts: &FxHashMap<NodeAt, PartId>) -> Result<PartId, CompileError> {
        let node = &self.document.nodes[at];
        let all = |children: &[NodeAt]| children.iter().map(|child| parts[child]).collect();
        let part = match &node.kind {
            Kind::Text { text, .. } if text.is_empty() => Part::Sequence(Vec::new()),
            Kind::Text { .. }
            | Kind::Range(..)
            | Kind::Pattern { .. }
            | Kind::Common(_)
            | Kind::Runs(_)
            | Kind::Not(_) => {
                let id = self.anonymous(at)?;
                return self.lexeme(id, node.byte);
            }
            Kind::Name(name) => match self.document.find(name) {
                None => return Err(undefined(self.scanner, self.document, name, node.byte)),
                Some(of) => match (self.rules.get(&of), self.of_definition.get(&of)) {
                    (Some(&rule), _) if is_rule(&self.document.definitions[of]) => Part::Rule(rule),
                    (_, Some(&id)) => return self.lexeme(id, node.byte),
                    _ => {
                        let message =
                            format!("`{name}` is a template: its arguments are missing, as in `{name}{{x}}`");
                        return Err(self.scanner.syntax(node.byte, "template", message));
                    }
                },
            },
            Kind::Template { name, .. } => {
                let message = format!("the template `{name}` was not written out");
                return Err(self.scanner.unsupported(node.byte, "template", message));
            }
            Kind::Tokens(tokens) => Part::Token(tokens.clone()),
            Kind::Json { from, to } => self.schema(*from, *to)?,
            Kind::Sequence(children) => {
                let parts: Vec<PartId> = all(children);
                Part::Sequence(match self.document.ignored.is_empty() {
                    true => self.stops.join(&mut self.lexing, parts),
                    false => parts,
                })
            }
            Kind::Choice(children) => Part::Choice(all(children)),
            Kind::Repeat { body, min, max } => Part::Repeat { body: parts[body], min: *min, max: *max },
            Kind::All(_) => {
                let message = "`&` joins terminals only: give what it joins a name with capital letters";
                return Err(self.scanner.unsupported(node.byte, "intersection", message));
            }
        };
        Ok(self.lexing.push(part))
    }

    /// A lexeme, which may be missing if its terminal matches the empty text.
    fn lexeme(&mut self, id: TerminalId, byte: usize) -> Result<PartId, CompileError> {
        let terminal = self.lexing.terminal(id);
        let is_empty = terminal.regex.accepts_empty();
        if is_empty && terminal.extent == Extent::Shortest {
            let message = format!(
                "the shortest match of {} is the empty text: leave it out, or make it not lazy",
                terminal.name
            );
            return Err(self.scanner.unsupported(byte, "lazy repetition", message));
        }
        let lexeme = self.lexing.push(Part::Terminal(id));
        Ok(if is_empty {
            self.lexing.push(Part::Repeat { body: lexeme, min: 0, max: Some(1) })
        } else {
            lexeme
        })
    }

    fn schema(&mut self, from: usize, to: usize) -> Result<Part, CompileError> {
        let (program, report) = schema::compile(&self.scanner.text()[from..to], self.options)
            .map_err(|e| e.inside(self.scanner.position(from)))?;
        self.entries.extend_from_slice(report.entries());
        self.lexing.schemas.push(program);
        Ok(Part::Schema(narrow(self.lexing.schemas.len() - 1)))
    }
}

/// A value as text, to be a name.
pub(super) fn shown(kind: &Kind) -> String {
    match kind {
        Kind::Text { text, case: Case::Counts } => format!("{text:?}"),
        Kind::Text { text, case: Case::Ignored } => format!("{text:?}i"),
        Kind::Range(low, high) => format!("{:?}..{:?}", low.to_string(), high.to_string()),
        Kind::Pattern { source, flags } => format!("/{source}/{flags}"),
        Kind::Name(name) => name.to_string(),
        Kind::Tokens(tokens) => shown_tokens(tokens),
        Kind::Runs(_) => "%regex {…}".to_owned(),
        Kind::Not(_) => "~(…)".to_owned(),
        _ => "(…)".to_owned(),
    }
}

fn shown_tokens(tokens: &TokenSet) -> String {
    let members = tokens.members.iter().map(|member| match member {
        TokenMember::Name(name) => name.to_string(),
        TokenMember::Ids(low, high) => format!("{low}-{high}"),
    });
    let sign = if tokens.negated { "^" } else { "" };
    format!("<[{sign}{}]>", members.collect::<Vec<_>>().join(","))
}
