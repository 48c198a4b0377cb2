//! Reads the text form of a grammar back.
//!
//! The rules' names are read first, line by line, so that the rules keep their order; then the bodies. Brackets lie on a
//! stack of our own, in expressions and between slashes alike.

use std::sync::Arc;

use crate::error::{CompileError, CompileErrorKind};
use crate::grammar::nest::{Bracket, Nest};
use crate::grammar::program::SchemaProgram;
use crate::grammar::regex::{CharSet, Regex};
use crate::grammar::rules::text_form::{is_name_part, is_name_start};
use crate::grammar::rules::{Builder, Grammar};
use crate::grammar::scan::{Lines, Notation, Scanner};
use crate::index::{ExprId, RuleId, widen};
use crate::limits::GRAMMAR_DEPTH_MAX;

impl Grammar {
    /// Reads what the grammar's `Display` writes; the schemas are those that `%schema` names by index.
    ///
    /// ```
    /// use maskwright::grammar::rules::Grammar;
    ///
    /// let text = "list ::= \"(\" (list | item)* \")\"\nitem ::= [a-z]{2,5}";
    /// let grammar = Grammar::from_text_form(text, &[])?;
    /// assert_eq!(grammar.to_string(), text);
    /// # Ok::<(), maskwright::error::CompileError>(())
    /// ```
    ///
    /// # Errors
    /// If the text is not such a form, or names a schema that is not there; each with its place.
    pub fn from_text_form(text: &str, schemas: &[SchemaProgram]) -> Result<Self, CompileError> {
        let scanner = Scanner::new(Notation::Form, text.as_bytes())?;
        let mut reader = Reader { scanner, builder: Builder::new(), schemas };
        let start = reader.names()?;
        reader.scanner.go_to(0);
        while reader.rule()? {}
        reader.builder.finish(start)
    }
}

struct Reader<'t> {
    scanner: Scanner<'t>,
    builder: Builder,
    schemas: &'t [SchemaProgram],
}

impl Reader<'_> {
    /// Declares the rules in their order; returns the start rule.
    fn names(&mut self) -> Result<RuleId, CompileError> {
        let mut start = None;
        let mut first = None;
        loop {
            self.scanner.skip(Lines::Cross)?;
            let at = self.scanner.at();
            if self.scanner.peek().is_none() {
                break;
            }
            let is_start = self.scanner.take("%start");
            self.scanner.skip(Lines::Stay)?;
            let name = self.name()?;
            let position = self.scanner.position(at);
            if is_start {
                start = Some((name, position));
            } else {
                let rule = self.builder.rule(&name, Some(position));
                first.get_or_insert(rule);
            }
            self.scanner.take_while(|c| c != '\n' && c != '\r');
        }
        let start = start.map(|(name, position)| self.builder.rule(&name, Some(position)));
        start.or(first).ok_or_else(|| self.scanner.syntax(0, "rule", "there is no rule"))
    }

    /// A name, which comes next.
    fn name(&mut self) -> Result<String, CompileError> {
        match self.scanner.peek() {
            Some('`') => self.scanner.literal(),
            Some(c) if is_name_start(c) => Ok(self.scanner.take_while(is_name_part).to_owned()),
            _ => {
                let message = format!("a name is needed, and {}", self.scanner.found());
                Err(self.scanner.syntax(self.scanner.at(), "rule", message))
            }
        }
    }

    /// Reads one rule; `false` at the end.
    fn rule(&mut self) -> Result<bool, CompileError> {
        self.scanner.skip(Lines::Cross)?;
        let at = self.scanner.at();
        if self.scanner.peek().is_none() {
            return Ok(false);
        }
        if self.scanner.take("%start") {
            self.scanner.take_while(|c| c != '\n' && c != '\r');
            return Ok(true);
        }
        let name = self.name()?;
        let position = self.scanner.position(at);
        self.scanner.skip(Lines::Stay)?;
        if !self.scanner.take("::=") {
            let message = format!("behind the name `::=` is needed, and {}", self.scanner.found());
            return Err(self.scanner.syntax(self.scanner.at(), "rule", message));
        }
        let rule = self.builder.rule(&name, Some(position));
        let body = self.body()?;
        self.builder.define(rule, body, Some(position))?;
        Ok(true)
    }

    /// The expression up to the end of the line.
    fn body(&mut self) -> Result<ExprId, CompileError> {
        let mut nest = Nest::new();
        loop {
            self.scanner.skip(Lines::Stay)?;
            let at = self.scanner.at();
            let Some(c) = self.scanner.peek() else { break };
            match c {
                '\n' | '\r' => break,
                '(' => {
                    self.scanner.next();
                    nest.open(&self.scanner, Bracket::Round, at)?;
                }
                ')' => {
                    self.scanner.next();
                    let Some(group) = nest.close(&mut self.builder, Bracket::Round) else {
                        return Err(self.scanner.syntax(at, "group", "`)` without `(`"));
                    };
                    nest.item(&mut self.builder, group);
                }
                '|' => {
                    self.scanner.next();
                    nest.alternative(&mut self.builder);
                }
                '*' | '+' | '?' | '{' => {
                    let (min, max) = counts(&mut self.scanner)?;
                    if !nest.repeat(&mut self.builder, min, max) {
                        return Err(self.scanner.syntax(at, "repetition", "there is nothing to repeat"));
                    }
                }
                '&' => {
                    self.scanner.next();
                    self.scanner.skip(Lines::Stay)?;
                    let slash = self.scanner.at();
                    if !self.scanner.take("/") {
                        return Err(self.scanner.syntax(slash, "regex", "behind `&` a regex is needed"));
                    }
                    let regex = between_slashes(&mut self.scanner, slash)?;
                    if !nest.within(&mut self.builder, regex, self.scanner.position(at)) {
                        return Err(self.scanner.syntax(at, "regex", "there is nothing to restrict"));
                    }
                }
                _ => {
                    let item = self.item(c)?;
                    nest.item(&mut self.builder, item);
                }
            }
        }
        nest.finish(&mut self.builder, &self.scanner)
    }

    /// What stands alone; its first character comes next.
    fn item(&mut self, c: char) -> Result<ExprId, CompileError> {
        let at = self.scanner.at();
        match c {
            '"' | '[' | '.' => {
                let regex = atom(&mut self.scanner, c)?;
                Ok(self.builder.regex(regex))
            }
            '<' | '!' => {
                let tokens = self.scanner.tokens()?;
                Ok(self.builder.token(tokens))
            }
            '/' => {
                self.scanner.next();
                let regex = between_slashes(&mut self.scanner, at)?;
                Ok(self.builder.regex(regex))
            }
            '%' => self.schema(at),
            _ => {
                let name = self.name()?;
                let position = self.scanner.position(at);
                let rule = self.builder.rule(&name, Some(position));
                Ok(self.builder.call(rule))
            }
        }
    }

    fn schema(&mut self, at: usize) -> Result<ExprId, CompileError> {
        if !self.scanner.take("%schema ") {
            return Err(self.scanner.syntax(at, "schema", "behind `%`, `schema` and an index are needed"));
        }
        let index = self.scanner.count()?;
        match index.and_then(|index| self.schemas.get(widen(index))) {
            Some(program) => {
                let program = program.clone();
                Ok(self.builder.schema(program))
            }
            None => {
                let given = self.schemas.len();
                let message = format!(
                    "there is no schema of this index, {given} were given: the lines behind `# schema` only describe it and are not read back"
                );
                Err(self.scanner.error(CompileErrorKind::Reference, at, "schema", message))
            }
        }
    }
}

/// A literal, a class or `.`, which comes next.
fn atom(scanner: &mut Scanner, c: char) -> Result<Regex, CompileError> {
    match c {
        '"' => Ok(Regex::literal(&scanner.literal()?)),
        '[' if scanner.take("[]") => Ok(Regex::Nothing),
        '[' => Ok(Regex::set(scanner.class()?.set)),
        _ => {
            scanner.next();
            Ok(Regex::set(CharSet::any()))
        }
    }
}

/// A repetition, which comes next.
fn counts(scanner: &mut Scanner) -> Result<(u32, Option<u32>), CompileError> {
    let at = scanner.at();
    match scanner.next() {
        Some('*') => Ok((0, None)),
        Some('+') => Ok((1, None)),
        Some('?') => Ok((0, Some(1))),
        _ => scanner.counts(at, Lines::Stay),
    }
}

/// An open bracket between slashes, or the whole.
struct Open {
    at: usize,
    /// Whether it is the complement of what it holds.
    is_not: bool,
    /// `|` or `&`, once one was read.
    operator: Option<char>,
    /// The parts before the operators.
    parts: Vec<Regex>,
    /// What stands behind the last operator.
    items: Vec<Regex>,
}

impl Open {
    fn new(at: usize, is_not: bool) -> Self {
        Self { at, is_not, operator: None, parts: Vec::new(), items: Vec::new() }
    }

    /// The items behind the last operator become a part.
    fn end_part(&mut self) {
        let mut items = std::mem::take(&mut self.items);
        let part = match items.len() {
            0 => Regex::Empty,
            1 => items.remove(0),
            _ => Regex::Concat(items.into()),
        };
        self.parts.push(part);
    }

    /// What it holds, as it is written: nothing is simplified, so that equal texts are equal trees.
    fn close(mut self) -> Regex {
        self.end_part();
        let whole = match self.operator {
            Some('&') => Regex::And(self.parts.into()),
            Some(_) => Regex::Or(self.parts.into()),
            None => self.parts.remove(0),
        };
        if self.is_not { Regex::Not(Arc::new(whole)) } else { whole }
    }
}

/// The regex behind a slash, the closing one taken.
fn between_slashes(scanner: &mut Scanner, start: usize) -> Result<Regex, CompileError> {
    let mut open = vec![Open::new(start, false)];
    loop {
        scanner.take_while(|c| c == ' ');
        let at = scanner.at();
        let depth = open.len();
        let Some(top) = open.last_mut() else { return Err(scanner.syntax(at, "regex", "`)` without `(`")) };
        match scanner.peek() {
            Some('/') if depth == 1 => {
                scanner.next();
                let whole = open.remove(0);
                return Ok(whole.close());
            }
            Some('(' | '!') => {
                if let Some(list) = literals(scanner)? {
                    top.items.push(list);
                    continue;
                }
                if depth > GRAMMAR_DEPTH_MAX {
                    let message = format!("parentheses are nested more than {GRAMMAR_DEPTH_MAX} deep");
                    return Err(scanner.error(CompileErrorKind::Limit, at, "nesting", message));
                }
                let is_not = scanner.take("!");
                if !scanner.take("(") {
                    return Err(scanner.syntax(at, "regex", "behind `!` a parenthesis is needed"));
                }
                open.push(Open::new(at, is_not));
            }
            Some(')') if depth > 1 => {
                scanner.next();
                let closed = open.pop().map(Open::close);
                if let (Some(regex), Some(outer)) = (closed, open.last_mut()) {
                    outer.items.push(regex);
                }
            }
            Some(operator @ ('|' | '&')) => {
                scanner.next();
                if *top.operator.get_or_insert(operator) != operator {
                    return Err(scanner.syntax(at, "regex", "`|` and `&` side by side need parentheses"));
                }
                top.end_part();
            }
            Some('*' | '+' | '?' | '{') => {
                let (min, max) = counts(scanner)?;
                let Some(body) = top.items.pop() else {
                    return Err(scanner.syntax(at, "repetition", "there is nothing to repeat"));
                };
                top.items.push(Regex::Repeat { body: Arc::new(body), min, max });
            }
            Some(c @ ('"' | '[' | '.')) => top.items.push(atom(scanner, c)?),
            Some('#') => top.items.push(multiples(scanner)?),
            Some('<') => {
                let message = "a table of states or a set of numbers has no notation: it can't be read back";
                return Err(scanner.unsupported(at, "regex", message));
            }
            _ if depth > 1 => {
                return Err(scanner.syntax(top.at, "regex", "`(` is not closed: `)` is missing"));
            }
            _ => {
                let message = format!("the regex is not closed: `/` is needed, and {}", scanner.found());
                return Err(scanner.syntax(at, "regex", message));
            }
        }
    }
}

/// `("a","b")` or `("a",)`: one of a list of literals, if that comes next.
fn literals(scanner: &mut Scanner) -> Result<Option<Regex>, CompileError> {
    let start = scanner.at();
    if !scanner.take("(\"") {
        return Ok(None);
    }
    scanner.go_to(start + 1);
    let mut texts: Vec<Box<str>> = Vec::new();
    loop {
        texts.push(scanner.literal()?.into());
        let goes_on = scanner.take(",");
        if (goes_on || texts.len() > 1) && scanner.take(")") {
            return Ok(Some(Regex::Literals(texts.into())));
        }
        if !goes_on && texts.len() == 1 {
            scanner.go_to(start);
            return Ok(None);
        }
        if !goes_on || scanner.peek() != Some('"') {
            return Err(scanner.syntax(scanner.at(), "regex", "another literal or `)` is needed"));
        }
    }
}

/// `#7` or `#7e-2`, which comes next.
fn multiples(scanner: &mut Scanner) -> Result<Regex, CompileError> {
    let start = scanner.at();
    scanner.next();
    let of = scanner.take_while(|c| c.is_ascii_digit()).parse().ok().filter(|&of: &u64| of > 0);
    let places = if scanner.take("e-") { Some(scanner.count()?) } else { None };
    match (of, places) {
        (Some(of), None) => Ok(Regex::Multiple { of }),
        (Some(of), Some(Some(places))) if places > 0 => Ok(Regex::FractionMultiple { of, places }),
        _ => Err(scanner.syntax(start, "regex", "behind `#` a divisor is needed, such as `#7` or `#7e-2`")),
    }
}
