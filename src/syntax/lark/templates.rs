//! Writes each use of a template, `sep{item, ","}`, as a rule of its own.

use rustc_hash::FxHashMap;

use super::scan::Scanner;
use super::terminals::{below, undefined};
use super::tree::{Definition, Document, Kind, NodeAt};
use crate::error::{CompileError, CompileErrorKind};
use crate::limits::{LARK_INSTANCES_MAX, LARK_NODES_MAX};

/// Longer names of rules are replaced by a number.
const NAME_BYTES_MAX: usize = 100;

/// Replaces all uses of templates by names of rules, which are added.
pub(super) fn expand(scanner: &Scanner<'_>, document: &mut Document) -> Result<(), CompileError> {
    let mut instances: FxHashMap<String, Box<str>> = FxHashMap::default();
    let mut at = 0;
    while at < document.definitions.len() {
        let definition = &document.definitions[at];
        if definition.parameters.is_empty() && !definition.is_terminal() {
            for node in below(document, [definition.body]) {
                let kind = document.nodes[node].kind.clone();
                if let Kind::Template { name, arguments } = kind {
                    let rule = instance(scanner, document, &mut instances, (&name, &arguments), node)?;
                    document.nodes[node].kind = Kind::Name(rule);
                }
            }
        }
        at += 1;
    }
    Ok(())
}

/// The rule of a use, whose arguments are names and values.
fn instance(
    scanner: &Scanner<'_>,
    document: &mut Document,
    instances: &mut FxHashMap<String, Box<str>>,
    (name, arguments): (&str, &[NodeAt]),
    at: NodeAt,
) -> Result<Box<str>, CompileError> {
    let byte = document.nodes[at].byte;
    let Some(of) = document.find(name) else { return Err(undefined(scanner, document, name, byte)) };
    let template = document.definitions[of].clone();
    if template.parameters.len() != arguments.len() {
        let message = format!(
            "`{name}` has {} parameters, and {} arguments stand here",
            template.parameters.len(),
            arguments.len()
        );
        return Err(scanner.error(CompileErrorKind::Invalid, byte, "template", message));
    }
    let shown: Vec<String> = arguments.iter().map(|&argument| show(scanner, document, argument)).collect();
    let key = format!("{name}{{{}}}", shown.join(","));
    if let Some(known) = instances.get(&key) {
        return Ok(known.clone());
    }
    if instances.len() >= LARK_INSTANCES_MAX || document.nodes.len() > LARK_NODES_MAX {
        let message = format!(
            "templates make more than {LARK_INSTANCES_MAX} rules or {LARK_NODES_MAX} parts of rules (LARK_INSTANCES_MAX, LARK_NODES_MAX); a template whose arguments grow from use to use never ends"
        );
        return Err(scanner.error(CompileErrorKind::Limit, byte, "template", message));
    }
    let rule: Box<str> = match key.len() <= NAME_BYTES_MAX {
        true => key.as_str().into(),
        false => format!("{name}{{{}}}", instances.len()).into(),
    };
    instances.insert(key, rule.clone());
    let body = copy(document, &template, arguments);
    document.add(Definition { name: rule.clone(), parameters: Vec::new(), body, ..template });
    Ok(rule)
}

/// A copy of a template's body with the arguments in place of the parameters.
fn copy(document: &mut Document, template: &Definition, arguments: &[NodeAt]) -> NodeAt {
    let mut copies: FxHashMap<NodeAt, NodeAt> = FxHashMap::default();
    for node in below(document, [template.body]) {
        let moved = |child: &NodeAt| copies[child];
        let all = |children: &[NodeAt]| children.iter().map(moved).collect();
        let byte = document.nodes[node].byte;
        let kind = match &document.nodes[node].kind {
            Kind::Name(name) => match template.parameters.iter().position(|parameter| parameter == name) {
                Some(number) => {
                    copies.insert(node, arguments[number]);
                    continue;
                }
                None => Kind::Name(name.clone()),
            },
            Kind::Template { name, arguments } => {
                Kind::Template { name: name.clone(), arguments: all(arguments) }
            }
            Kind::Sequence(children) => Kind::Sequence(all(children)),
            Kind::Choice(children) => Kind::Choice(all(children)),
            Kind::All(children) => Kind::All(all(children)),
            Kind::Not(child) => Kind::Not(moved(child)),
            Kind::Repeat { body, min, max } => Kind::Repeat { body: moved(body), min: *min, max: *max },
            other => other.clone(),
        };
        let copy = document.push(kind, byte);
        copies.insert(node, copy);
    }
    copies[&template.body]
}

/// An argument as text.
fn show(scanner: &Scanner<'_>, document: &Document, argument: NodeAt) -> String {
    match &document.nodes[argument].kind {
        Kind::Json { from, to } => format!("%json {}", &scanner.text()[*from..*to]),
        Kind::Runs(chunks) => format!("%regex {chunks:?}"),
        kind => super::rules::shown(kind),
    }
}
