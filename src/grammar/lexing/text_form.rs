//! The text form of a grammar that reads lexemes: a line for each rule, terminal and ignored terminal.
//!
//! ```text
//! start: "go" NAME+ | list?
//! list: "(" (NAME ",")~2..3 ")"
//! "go" = go literal
//! NAME = [a-z]+ priority 2
//! ignore WS
//! ```

use std::fmt;

use super::{Extent, Form, Lexing, Part, Terminal};
use crate::grammar::rules::{TokenMember, TokenSet};
use crate::index::PartId;

/// What is still to be written of a rule.
enum Step {
    Part(PartId, Tightness),
    Word(&'static str),
    Count(u32, Option<u32>),
}

/// What binds what stands around a part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Tightness {
    /// A rule's body.
    Body,
    /// An alternative.
    Alternative,
    /// A part of a sequence.
    Item,
    /// What a count stands behind.
    Counted,
}

impl fmt::Display for Lexing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rule in &self.rules {
            write!(f, "{}: ", rule.name)?;
            self.write_part(f, rule.body)?;
            writeln!(f)?;
        }
        for terminal in &self.terminals {
            writeln!(f, "{terminal}")?;
        }
        for &ignored in &self.ignored {
            writeln!(f, "ignore {}", self.terminal(ignored).name)?;
        }
        Ok(())
    }
}

impl fmt::Display for Terminal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.name, self.regex)?;
        if self.form == Form::Literal {
            write!(f, " literal")?;
        }
        if self.extent == Extent::Shortest {
            write!(f, " shortest")?;
        }
        if self.priority != 0 {
            write!(f, " priority {}", self.priority)?;
        }
        Ok(())
    }
}

impl Lexing {
    fn write_part(&self, f: &mut fmt::Formatter<'_>, top: PartId) -> fmt::Result {
        let mut steps = vec![Step::Part(top, Tightness::Body)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Word(word) => f.write_str(word)?,
                Step::Count(0, None) => f.write_str("*")?,
                Step::Count(1, None) => f.write_str("+")?,
                Step::Count(0, Some(1)) => f.write_str("?")?,
                Step::Count(min, None) => write!(f, "~{min}..")?,
                Step::Count(min, Some(max)) if min == max => write!(f, "~{min}")?,
                Step::Count(min, Some(max)) => write!(f, "~{min}..{max}")?,
                Step::Part(id, around) => match self.part(id) {
                    Part::Terminal(terminal) => f.write_str(&self.terminal(*terminal).name)?,
                    Part::Token(tokens) => write_tokens(f, tokens)?,
                    Part::Schema(index) => write!(f, "%json {index}")?,
                    Part::Rule(rule) => f.write_str(&self.rules[rule.index()].name)?,
                    Part::Sequence(children) => {
                        several(&mut steps, children, " ", Tightness::Item, around >= Tightness::Item);
                    }
                    Part::Choice(children) => {
                        let grouped = around > Tightness::Body || children.len() < 2;
                        several(&mut steps, children, " | ", Tightness::Alternative, grouped);
                    }
                    Part::Repeat { body, min, max } => {
                        let grouped = around == Tightness::Counted;
                        steps.extend(grouped.then_some(Step::Word(")")));
                        steps.push(Step::Count(*min, *max));
                        steps.push(Step::Part(*body, Tightness::Counted));
                        steps.extend(grouped.then_some(Step::Word("(")));
                    }
                },
            }
        }
        Ok(())
    }
}

/// Plans parts with a word between, in parentheses if they are grouped or there are none; the first one is popped first.
fn several(
    steps: &mut Vec<Step>,
    children: &[PartId],
    between: &'static str,
    around: Tightness,
    grouped: bool,
) {
    let grouped = grouped || children.is_empty();
    steps.extend(grouped.then_some(Step::Word(")")));
    for (at, &child) in children.iter().enumerate().rev() {
        steps.push(Step::Part(child, around));
        steps.extend((at > 0).then_some(Step::Word(between)));
    }
    if children.is_empty() && between != " " {
        steps.push(Step::Word("|"));
    }
    steps.extend(grouped.then_some(Step::Word("(")));
}

fn write_tokens(f: &mut fmt::Formatter<'_>, tokens: &TokenSet) -> fmt::Result {
    write!(f, "<[{}", if tokens.negated { "^" } else { "" })?;
    for (at, member) in tokens.members.iter().enumerate() {
        f.write_str(if at == 0 { "" } else { "," })?;
        match member {
            TokenMember::Name(name) => write!(f, "{name}")?,
            TokenMember::Ids(low, high) if low == high => write!(f, "{low}")?,
            TokenMember::Ids(low, high) => write!(f, "{low}-{high}")?,
        }
    }
    f.write_str("]>")
}
