//! The text form of a grammar: one rule a line, for people, snapshots and messages; [`Grammar::from_text_form`] reads it back.
//!
//! ```text
//! %start list
//! list ::= "(" (list | item)* ")"
//! item ::= [a-z]{2,5} "," <|end|> | !<[1-5,7]> %schema 0 | /(.* "x" & !(("yes","no")))/
//! # schema 0: root 0
//! # 0: kind null
//! ```
//!
//! * The line `%start` is there where the start rule is not the first one.
//! * A name that is not plain stands in backquotes.
//! * A literal, a class and `.` (any character) are texts; `""` is the empty text and `[]` no text at all. What regexes say
//!   beyond that stands between slashes: `&` is intersection, `!(…)` complement, `("a","b")` one of a list of literals, `#7`
//!   and `#7e-2` the decimal spellings of the multiples of 7 and of 0.07.
//! * Tables of states and sets of numbers have no notation. `<states: 12 rows>` stands for one: reading it is an error.
//! * `item & /.{3}/` is what `item` matches if the regex does too; it binds as a repetition does.
//! * An embedded schema is its index; the programs follow as comments, and whoever reads the form back supplies them.
//!
//! Of grammars as a [`Builder`](super::Builder) makes them, the form has all but the positions: what is read back has the
//! same rules and the same expressions, numbered anew. The reader nests parentheses at most
//! [`GRAMMAR_DEPTH_MAX`](crate::limits::GRAMMAR_DEPTH_MAX) deep; what is written may be deeper.

use std::fmt::{self, Write};

use crate::grammar::regex::{CharSet, Regex};
use crate::grammar::rules::{Expr, Grammar, TokenMember, TokenSet};
use crate::index::ExprId;

impl fmt::Display for Grammar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.start.index() != 0 {
            f.write_str("%start ")?;
            name(f, &self.rule(self.start).name)?;
            f.write_char('\n')?;
        }
        for (i, rule) in self.rules.iter().enumerate() {
            if i > 0 {
                f.write_char('\n')?;
            }
            name(f, &rule.name)?;
            f.write_str(" ::= ")?;
            self.expression(f, rule.body)?;
        }
        for (i, program) in self.schemas.iter().enumerate() {
            write!(
                f,
                "\n# schema {i}: {}",
                program.to_string().replace('\0', "\\0").replace(['\n', '\r'], "\n# ")
            )?;
        }
        Ok(())
    }
}

/// Where an expression stands, which decides whether it needs parentheses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Where {
    Whole,
    Alternative,
    Item,
}

/// What is still to be written.
enum Left<'g> {
    Expr(ExprId, Where),
    Word(&'static str),
    Counts(u32, Option<u32>),
    Within(&'g Regex),
}

impl Grammar {
    /// The text form of one expression.
    pub fn show(&self, expr: ExprId) -> impl fmt::Display + '_ {
        fmt::from_fn(move |f| self.expression(f, expr))
    }

    /// Writes an expression. What is left to write lies on a stack of our own, however deep the expression is.
    fn expression(&self, f: &mut fmt::Formatter<'_>, body: ExprId) -> fmt::Result {
        let mut left = vec![Left::Expr(body, Where::Whole)];
        while let Some(next) = left.pop() {
            match next {
                Left::Word(word) => f.write_str(word)?,
                Left::Counts(min, max) => counts(f, min, max)?,
                Left::Within(regex) => {
                    f.write_str(" & /")?;
                    inside(f, regex)?;
                    f.write_str("/")?;
                }
                Left::Expr(expr, place) => self.open(f, expr, place, &mut left)?,
            }
        }
        Ok(())
    }

    fn open<'g>(
        &'g self,
        f: &mut fmt::Formatter<'_>,
        expr: ExprId,
        place: Where,
        left: &mut Vec<Left<'g>>,
    ) -> fmt::Result {
        let (parts, between, inner) = match self.expr(expr) {
            Expr::Text(regex) => return text(f, regex),
            Expr::Token(tokens) => return token(f, tokens),
            Expr::Rule(rule) => return name(f, &self.rule(*rule).name),
            Expr::Schema(index) => return write!(f, "%schema {index}"),
            Expr::Within { body, regex } => {
                left.push(Left::Within(regex));
                left.push(Left::Expr(*body, Where::Item));
                return Ok(());
            }
            Expr::NonEmpty(body) => {
                left.push(Left::Expr(*body, Where::Item));
                return f.write_str("%nonempty ");
            }
            Expr::Repeat { body, min, max } => {
                left.push(Left::Counts(*min, *max));
                if matches!(self.expr(*body), Expr::Repeat { .. } | Expr::Within { .. }) {
                    f.write_str("(")?;
                    left.push(Left::Word(")"));
                }
                left.push(Left::Expr(*body, Where::Item));
                return Ok(());
            }
            Expr::Sequence(parts) => (parts, " ", Where::Item),
            Expr::Choice(parts) => (parts, " | ", Where::Alternative),
        };
        let needs_parentheses = match place {
            Where::Whole => false,
            Where::Alternative => between == " | ",
            Where::Item => true,
        };
        if needs_parentheses {
            f.write_str("(")?;
            left.push(Left::Word(")"));
        }
        for (i, part) in parts.iter().enumerate().rev() {
            left.push(Left::Expr(*part, inner));
            if i > 0 {
                left.push(Left::Word(between));
            }
        }
        Ok(())
    }
}

/// A name, in backquotes if it is not plain.
fn name(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    if is_plain(name) {
        return f.write_str(name);
    }
    f.write_str("`")?;
    name.chars().try_for_each(|c| character(f, c, "`"))?;
    f.write_str("`")
}

/// Whether a name needs no quotes.
fn is_plain(name: &str) -> bool {
    name.starts_with(is_name_start) && name.chars().all(is_name_part)
}

/// A character that a plain name may start with.
pub(super) fn is_name_start(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// A character of a plain name.
pub(super) fn is_name_part(c: char) -> bool {
    is_name_start(c) || matches!(c, '-' | '.' | '#')
}

fn counts(f: &mut fmt::Formatter<'_>, min: u32, max: Option<u32>) -> fmt::Result {
    match (min, max) {
        (0, None) => f.write_str("*"),
        (1, None) => f.write_str("+"),
        (0, Some(1)) => f.write_str("?"),
        (min, None) => write!(f, "{{{min},}}"),
        (min, Some(max)) if min == max => write!(f, "{{{min}}}"),
        (min, Some(max)) => write!(f, "{{{min},{max}}}"),
    }
}

fn token(f: &mut fmt::Formatter<'_>, tokens: &TokenSet) -> fmt::Result {
    if tokens.negated {
        f.write_str("!")?;
    }
    if let [TokenMember::Name(name)] = &tokens.members[..]
        && is_bracketed(name)
    {
        return f.write_str(name);
    }
    f.write_str("<[")?;
    for (i, member) in tokens.members.iter().enumerate() {
        if i > 0 {
            f.write_str(",")?;
        }
        match member {
            TokenMember::Name(name) => literal(f, name)?,
            TokenMember::Ids(low, high) if low == high => write!(f, "{low}")?,
            TokenMember::Ids(low, high) => write!(f, "{low}-{high}")?,
        }
    }
    f.write_str("]>")
}

/// Whether a token's name looks like a token reference.
fn is_bracketed(name: &str) -> bool {
    let inner = name.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
    inner
        .is_some_and(|inner| !inner.starts_with('[') && !inner.contains(|c: char| c == '>' || c.is_control()))
}

/// A regex as an expression of its own.
fn text(f: &mut fmt::Formatter<'_>, regex: &Regex) -> fmt::Result {
    if is_atom(regex) {
        return atom(f, regex);
    }
    f.write_str("/")?;
    inside(f, regex)?;
    f.write_str("/")
}

/// Whether a regex is written without slashes.
fn is_atom(regex: &Regex) -> bool {
    match regex {
        Regex::Nothing | Regex::Empty | Regex::Set(_) => true,
        Regex::Literals(texts) => one_literal(texts).is_some(),
        _ => false,
    }
}

/// The only literal, if it is long enough not to be taken for a set or the empty text.
fn one_literal(texts: &[Box<str>]) -> Option<&str> {
    match texts {
        [only] if only.chars().nth(1).is_some() => Some(only),
        _ => None,
    }
}

fn atom(f: &mut fmt::Formatter<'_>, regex: &Regex) -> fmt::Result {
    match regex {
        Regex::Empty => f.write_str("\"\""),
        Regex::Set(set) => class(f, set),
        Regex::Literals(texts) => literal(f, one_literal(texts).unwrap_or_default()),
        _ => f.write_str("[]"),
    }
}

/// A regex between slashes. The depth of a regex is bounded by whoever makes it, as everywhere.
fn inside(f: &mut fmt::Formatter<'_>, regex: &Regex) -> fmt::Result {
    match regex {
        _ if is_atom(regex) => atom(f, regex),
        Regex::Concat(parts) => list(f, parts, " "),
        Regex::Or(parts) => parenthesised(f, parts, " | "),
        Regex::And(parts) => parenthesised(f, parts, " & "),
        Regex::Not(inner) => {
            f.write_str("!(")?;
            inside(f, inner)?;
            f.write_str(")")
        }
        Regex::Repeat { body, min, max } => {
            if matches!(**body, Regex::Concat(_) | Regex::Repeat { .. }) {
                f.write_str("(")?;
                inside(f, body)?;
                f.write_str(")")?;
            } else {
                inside(f, body)?;
            }
            counts(f, *min, *max)
        }
        Regex::Literals(texts) => {
            f.write_str("(")?;
            for (i, text) in texts.iter().enumerate() {
                f.write_str(if i > 0 { "," } else { "" })?;
                literal(f, text)?;
            }
            // Alone it would be a literal in parentheses.
            f.write_str(if texts.len() == 1 { ",)" } else { ")" })
        }
        Regex::Multiple { of } => write!(f, "#{of}"),
        Regex::FractionMultiple { of, places } => write!(f, "#{of}e-{places}"),
        Regex::States(states) => write!(f, "<states: {} rows>", states.rows().len()),
        Regex::Spelled(_) => f.write_str("<numbers>"),
        Regex::Nothing | Regex::Empty | Regex::Set(_) => Ok(()),
    }
}

fn parenthesised(f: &mut fmt::Formatter<'_>, parts: &[Regex], between: &str) -> fmt::Result {
    f.write_str("(")?;
    list(f, parts, between)?;
    f.write_str(")")
}

fn list(f: &mut fmt::Formatter<'_>, parts: &[Regex], between: &str) -> fmt::Result {
    for (i, part) in parts.iter().enumerate() {
        if i > 0 {
            f.write_str(between)?;
        }
        inside(f, part)?;
    }
    Ok(())
}

/// A set of characters: a literal, a class or `.`.
fn class(f: &mut fmt::Formatter<'_>, set: &CharSet) -> fmt::Result {
    if *set == CharSet::any() {
        return f.write_str(".");
    }
    if let [(low, high)] = set.ranges()[..]
        && low == high
        && let Some(c) = char::from_u32(low)
    {
        return literal(f, c.encode_utf8(&mut [0; 4]));
    }
    let inverse = set.complement();
    let is_negated = inverse.ranges().len() < set.ranges().len();
    f.write_str(if is_negated { "[^" } else { "[" })?;
    let shown = if is_negated { &inverse } else { set };
    for &(low, high) in shown.ranges() {
        let ends = [low, high].map(|point| char::from_u32(point).unwrap_or_default());
        character(f, ends[0], "[]^-")?;
        if high > low + 1 {
            f.write_str("-")?;
        }
        if high > low {
            character(f, ends[1], "[]^-")?;
        }
    }
    f.write_str("]")
}

fn literal(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_str("\"")?;
    text.chars().try_for_each(|c| character(f, c, "\""))?;
    f.write_str("\"")
}

/// A character, escaped if it is one of these, or can't be seen.
fn character(f: &mut fmt::Formatter<'_>, c: char, special: &str) -> fmt::Result {
    match c {
        '\n' => f.write_str("\\n"),
        '\r' => f.write_str("\\r"),
        '\t' => f.write_str("\\t"),
        '\\' => f.write_str("\\\\"),
        '`' if special == "`" => f.write_str("\\x60"),
        c if special.contains(c) => write!(f, "\\{c}"),
        ' ' => f.write_str(" "),
        c if c.is_ascii_graphic() || c.is_alphanumeric() => f.write_char(c),
        c => match u32::from(c) {
            point @ 0..=0xFF => write!(f, "\\x{point:02X}"),
            point @ 0..=0xFFFF => write!(f, "\\u{point:04X}"),
            point => write!(f, "\\U{point:08X}"),
        },
    }
}

#[cfg(test)]
#[path = "text_form_tests.rs"]
mod tests;
