//! Graphviz pictures of the intermediate forms: rules and what they call, parts of a schema and what they are made of.

use std::fmt::Write;

use rustc_hash::FxHashSet;

use crate::grammar::program::SchemaProgram;
use crate::grammar::rules::{Expr, Grammar};

/// Longest label, in characters.
const LABEL_MAX: usize = 120;

/// A text as a quoted label: cut, with nothing in it that ends the quotes.
pub(crate) fn label(text: &str) -> String {
    let mut out = String::from("\"");
    for (i, c) in text.chars().enumerate() {
        if i == LABEL_MAX {
            out.push('…');
            break;
        }
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\l"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The rules of a grammar, an arrow from each to those that it calls and to the schemas that it embeds.
#[must_use]
pub fn of_grammar(grammar: &Grammar) -> String {
    let mut out =
        String::from("digraph grammar {\n  rankdir=LR;\n  node [shape=box, fontname=\"monospace\"];\n");
    let mut arrows = String::new();
    for (i, rule) in grammar.rules.iter().enumerate() {
        let text = format!("{} ::= {}", rule.name, grammar.show(rule.body));
        let start = if grammar.start.index() == i { ", peripheries=2" } else { "" };
        writeln!(out, "  r{i} [label={}{start}];", label(&text)).expect("a String takes all");
        let (rules, schemas) = called(grammar, rule.body.index());
        for rule in rules {
            writeln!(arrows, "  r{i} -> r{rule};").expect("a String takes all");
        }
        for schema in schemas {
            writeln!(arrows, "  r{i} -> s{schema};").expect("a String takes all");
        }
    }
    for i in 0..grammar.schemas.len() {
        writeln!(out, "  s{i} [label=\"schema {i}\", shape=ellipse];").expect("a String takes all");
    }
    out + &arrows + "}\n"
}

/// The rules and schemas that an expression names, each once, in the order in which they come.
fn called(grammar: &Grammar, body: usize) -> (Vec<usize>, Vec<u32>) {
    let (mut rules, mut schemas) = (Vec::new(), Vec::new());
    let mut seen = FxHashSet::default();
    let mut named = FxHashSet::default();
    let mut open = vec![body];
    while let Some(at) = open.pop() {
        if !seen.insert(at) {
            continue;
        }
        match &grammar.exprs[at] {
            Expr::Rule(rule) if named.insert((true, rule.0)) => rules.push(rule.index()),
            Expr::Schema(schema) if named.insert((false, *schema)) => schemas.push(*schema),
            expr => open.extend(expr.children().iter().rev().map(|child| child.index())),
        }
    }
    (rules, schemas)
}

/// The parts of a schema program, an arrow from each to those that it is made of.
#[must_use]
pub fn of_program(program: &SchemaProgram) -> String {
    let mut out =
        String::from("digraph schema {\n  rankdir=LR;\n  node [shape=box, fontname=\"monospace\"];\n");
    let mut arrows = String::new();
    for (i, node) in program.nodes.iter().enumerate() {
        let place = program.places.get(i).map_or("", |place| &**place);
        let text = if place.is_empty() { node.to_string() } else { format!("{node}\n{place}\n") };
        let root = if program.root.index() == i { ", peripheries=2" } else { "" };
        writeln!(out, "  n{i} [label={}{root}];", label(&text)).expect("a String takes all");
        let mut seen = FxHashSet::default();
        node.for_each_child(|child| {
            if seen.insert(child) {
                writeln!(arrows, "  n{i} -> n{};", child.0).expect("a String takes all");
            }
        });
    }
    out + &arrows + "}\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_end_where_their_quotes_do() {
        assert_eq!(label("a\"b\\c\nd\u{7}"), "\"a\\\"b\\\\c\\ld \"");
        assert_eq!(label(&"x".repeat(500)).chars().count(), LABEL_MAX + 3);
    }

    #[test]
    fn a_rule_points_to_what_it_calls_once() {
        let grammar = Grammar::from_text_form("a ::= b \"x\" b | c\nb ::= \"\\\"\"\nc ::= a", &[]);
        let dot = of_grammar(&grammar.expect("a grammar"));
        assert_eq!(dot.matches("r0 -> r1;").count(), 1, "{dot}");
        assert_eq!(dot.matches("r0 -> r2;").count(), 1, "{dot}");
        assert!(dot.contains("r2 -> r0;") && dot.starts_with("digraph") && dot.ends_with("}\n"), "{dot}");
    }
}
