//! The family of `name = … ;`: ISO 14977, and what Wirth's notation has in common with it.

use crate::error::CompileError;
use crate::grammar::nest::{Bracket, Nest};
use crate::grammar::regex::Regex;
use crate::grammar::scan::{Lines, Scanner};
use crate::index::ExprId;
use crate::syntax::ebnf::{Reader, is_name_start};
use crate::syntax::parsed::note;

/// What a literal with something like an escape is answered with.
const BACKSLASH_IS_ITSELF: &str =
    "a backslash is itself in ISO EBNF: this literal has no escape in it; escapes exist in rules with `::=`";

impl Reader<'_> {
    /// All rules.
    pub(super) fn iso(&mut self) -> Result<(), CompileError> {
        self.scanner.skip(Lines::Cross)?;
        while self.scanner.peek().is_some() {
            self.iso_rule()?;
            self.scanner.skip(Lines::Cross)?;
        }
        Ok(())
    }

    fn iso_rule(&mut self) -> Result<(), CompileError> {
        let at = self.scanner.at();
        let name = name(&mut self.scanner);
        if name.is_empty() {
            let help = if self.scanner.peek() == Some('#') { "; comments are `(* … *)` here" } else { "" };
            let message = format!("a rule's name is needed here, and {}{help}", self.scanner.found());
            return Err(self.scanner.syntax(at, "rule", message));
        }
        let position = self.scanner.position(at);
        self.scanner.skip(Lines::Cross)?;
        self.definition(name)?;
        let rule = self.builder.rule(name, Some(position));
        self.first.get_or_insert(rule);
        let body = self.iso_body(name, at)?;
        self.builder.define(rule, body, Some(position))
    }

    /// The defining symbol behind a name.
    fn definition(&mut self, name: &str) -> Result<(), CompileError> {
        let at = self.scanner.at();
        if self.scanner.rest().starts_with("::=") {
            let message = "`::=` in what is read as ISO EBNF, because its first rule has `=` or a comment `(* … *)` comes first: define all rules alike, and start other comments with `#`";
            return Err(self.scanner.syntax(at, "rule", message));
        }
        if self.scanner.take(":=") || self.scanner.take("=") || self.scanner.take(":") {
            return Ok(());
        }
        let message = if self.scanner.peek().is_some_and(is_name_start) {
            format!("a name has no spaces: join `{name}` and what follows with `_`")
        } else {
            format!("behind the name `{name}`, `=` is needed, and {}", self.scanner.found())
        };
        Err(self.scanner.syntax(at, "rule", message))
    }

    /// The alternatives of a rule, its end too.
    fn iso_body(&mut self, rule: &str, start: usize) -> Result<ExprId, CompileError> {
        let mut nest = Nest::new();
        loop {
            self.scanner.skip(Lines::Cross)?;
            let at = self.scanner.at();
            let Some(c) = self.scanner.peek() else {
                if let Some((bracket, byte)) = nest.bracket() {
                    let message =
                        format!("`{}` is not closed: `{}` is missing", bracket.opening(), bracket.closing());
                    return Err(self.scanner.syntax(byte, "group", message));
                }
                let message = format!("the rule `{rule}` has no end: `;` is missing");
                return Err(self.scanner.syntax(start, "rule", message));
            };
            if matches!(c, ';' | '.' | '|' | ',' | ')' | ']' | '}') {
                self.end_item(&mut nest, at)?;
            }
            match c {
                ';' | '.' => {
                    if self.scanner.rest().starts_with("..") || self.scanner.rest().starts_with('…') {
                        return Err(self.ellipsis(at));
                    }
                    self.scanner.next();
                    return nest.finish(&mut self.builder, &self.scanner);
                }
                _ => self.iso_part(&mut nest, c)?,
            }
        }
    }

    /// A factor ends: a `-` without a right side leaves out the empty text, a count needs its factor.
    fn end_item(&mut self, nest: &mut Nest, at: usize) -> Result<(), CompileError> {
        if nest.awaits_item() {
            return Err(self.scanner.syntax(
                at,
                "repetition",
                "behind `*` the part that is counted is needed",
            ));
        }
        if nest.open_minus().is_some() {
            let empty = self.builder.regex(Regex::Empty);
            nest.item(&mut self.builder, empty);
        }
        Ok(())
    }

    fn ellipsis(&self, at: usize) -> CompileError {
        let message = "a range of characters has no notation in ISO EBNF; write `Regex(\"[a-z]\")`";
        self.scanner.unsupported(at, "range", message)
    }

    fn iso_part(&mut self, nest: &mut Nest, c: char) -> Result<(), CompileError> {
        let at = self.scanner.at();
        match c {
            '(' | '[' | '{' => {
                self.scanner.next();
                nest.open(&self.scanner, opened(c), at)
            }
            ')' | ']' | '}' => self.close(nest, c, at),
            '|' => {
                self.scanner.next();
                nest.alternative(&mut self.builder);
                Ok(())
            }
            ',' => {
                self.scanner.next();
                Ok(())
            }
            '-' => {
                self.scanner.next();
                if !nest.awaits_item() && nest.minus(self.scanner.position(at)) {
                    return Ok(());
                }
                Err(self.scanner.syntax(at, "difference", "before `-` nothing stands to take from"))
            }
            '0'..='9' => {
                let count = self.scanner.count()?.unwrap_or(0);
                self.scanner.skip(Lines::Cross)?;
                if !self.scanner.take("*") {
                    let message =
                        "a number counts what follows `*`, as in `3 * \"a\"`; a text stands in quotes";
                    return Err(self.scanner.syntax(at, "repetition", message));
                }
                if nest.count(count) {
                    return Ok(());
                }
                Err(self.scanner.syntax(
                    at,
                    "repetition",
                    "a count of a count: put the inner one in parentheses",
                ))
            }
            _ => {
                let item = self.iso_item(c)?;
                nest.item(&mut self.builder, item);
                Ok(())
            }
        }
    }

    fn close(&mut self, nest: &mut Nest, c: char, at: usize) -> Result<(), CompileError> {
        self.scanner.next();
        let bracket = closed(c);
        let Some(group) = nest.close(&mut self.builder, bracket) else {
            let message = match nest.bracket() {
                Some((open, _)) => format!("`{c}` where `{}` is needed", open.closing()),
                None => format!("`{c}` without `{}`", bracket.opening()),
            };
            return Err(self.scanner.syntax(at, "group", message));
        };
        let group = match bracket {
            Bracket::Round => group,
            Bracket::Square => self.builder.optional(group),
            Bracket::Curly => self.builder.repeat(group, 0, None),
        };
        nest.item(&mut self.builder, group);
        Ok(())
    }

    fn iso_item(&mut self, c: char) -> Result<ExprId, CompileError> {
        let at = self.scanner.at();
        match c {
            '"' | '\'' => {
                let text = self.scanner.literal()?;
                let mut escapes = text.match_indices('\\').map(|(at, _)| &text[at + 1..]);
                if escapes.any(|rest| rest.starts_with(['n', 'r', 't', 'x', 'u', 'U', '\\', '"', '\''])) {
                    note(&mut self.hints, self.scanner.position(at), BACKSLASH_IS_ITSELF);
                }
                Ok(self.builder.text(&text))
            }
            '?' => {
                let message = "a special sequence `? … ?` is in words, which can't be enforced; for a pattern write `Regex(\"…\")`, for an option `[ … ]`";
                Err(self.scanner.unsupported(at, "special sequence", message))
            }
            '*' | '+' => {
                let message = format!(
                    "`{c}` repeats nothing in ISO EBNF: write `{{ x }}` for any number of times, `x, {{ x }}` for at least one"
                );
                Err(self.scanner.syntax(at, "repetition", message))
            }
            '=' | ':' => {
                let message = format!("`{c}` inside a rule: the rule before has no end, `;` is missing");
                Err(self.scanner.syntax(at, "rule", message))
            }
            '…' => Err(self.ellipsis(at)),
            '/' | '!' => Err(self.scanner.syntax(
                at,
                "rule",
                format!("`{c}` starts nothing; alternatives are parted by `|`"),
            )),
            c if is_name_start(c) => {
                let name = name(&mut self.scanner);
                if let Some(expr) = self.macro_call(name, at)? {
                    return Ok(expr);
                }
                let rule = self.builder.rule(name, Some(self.scanner.position(at)));
                Ok(self.builder.call(rule))
            }
            _ => {
                let message =
                    format!("{}, which starts nothing; a text stands in quotes", self.scanner.found());
                Err(self.scanner.syntax(at, "rule", message))
            }
        }
    }
}

fn opened(c: char) -> Bracket {
    match c {
        '(' => Bracket::Round,
        '[' => Bracket::Square,
        _ => Bracket::Curly,
    }
}

fn closed(c: char) -> Bracket {
    match c {
        ')' => Bracket::Round,
        ']' => Bracket::Square,
        _ => Bracket::Curly,
    }
}

/// Takes a name: letters, digits, `_`, and `-` between two of these.
fn name<'t>(scanner: &mut Scanner<'t>) -> &'t str {
    let start = scanner.at();
    loop {
        scanner.take_while(is_name_start);
        let is_inside = scanner.at() > start && scanner.peek_second().is_some_and(is_name_start);
        if scanner.peek() != Some('-') || !is_inside {
            return scanner.since(start);
        }
        scanner.next();
    }
}
