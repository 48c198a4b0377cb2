//! GBNF, llama.cpp's notation for grammars, read as llama.cpp reads it.
//!
//! ```text
//! # a comment
//! root ::= "[" (value ("," value)*)? "]" |
//!   "none"
//! value ::= [0-9]{1,3} | [^\n"] . | <think> !<[7]>*
//! ```
//!
//! A rule ends where its line ends; it goes on inside parentheses, behind `|` and behind `::=`. Every rule is defined
//! once, and the texts of the grammar are those of the rule `root`.
//!
//! Where this reader departs from llama.cpp, it refuses what that reads in silence, or reads exactly what that refuses or
//! rounds:
//! * Two rules of one name (llama.cpp forgets the first), a class without characters (it takes that for the empty text), a range
//!   or counts that run backwards, and half a surrogate pair in a literal (it matches nothing) are errors.
//! * Counts are exact up to `u32::MAX`: llama.cpp takes an upper count above 2,000 for no bound, and refuses a lower one.
//! * Left recursion is allowed. `{,n}` is `{0,n}`. Names may have `_`, as its documentation says. The list of a token
//!   reference may have several ids and ranges: `<[1-5,7]>`.

use crate::error::{CompileError, CompileErrorKind};
use crate::grammar::nest::{Bracket, Nest};
use crate::grammar::program::SchemaProgram;
use crate::grammar::regex::CharSet;
use crate::grammar::rules::Builder;
use crate::grammar::scan::{Lines, Notation, Scanner};
use crate::index::ExprId;
use crate::syntax::parsed::{Hint, Parsed, note};

/// What a class that looks like a text is answered with.
pub(super) const CLASS_IS_NO_TEXT: &str = "this class excludes each of its characters, wherever it stands, and not a text; for everything up to a text use EBNF and its `Until(\"-->\")`";

/// Reads a grammar in GBNF.
///
/// ```
/// use maskwright::syntax::gbnf;
///
/// let parsed = gbnf::parse("root ::= \"a\" root | \"\"")?;
/// assert_eq!(parsed.grammar.to_string(), "root ::= \"a\" root | \"\"");
///
/// let error = gbnf::parse("root ::= items").unwrap_err();
/// assert!(error.to_string().starts_with("line 1, column 10"));
/// # Ok::<(), maskwright::CompileError>(())
/// ```
///
/// # Errors
/// If the text is not GBNF, uses a rule that it doesn't define, or passes a limit; each with line, column and byte.
pub fn parse(text: impl AsRef<[u8]>) -> Result<Parsed, CompileError> {
    parse_with(text, &[])
}

/// Reads a grammar in which some rules, that the text uses and does not define, match JSON documents of schemas.
///
/// # Errors
/// As [`parse`], and if the text defines such a rule, or does not use it.
pub fn parse_with(text: impl AsRef<[u8]>, schemas: &[(&str, SchemaProgram)]) -> Result<Parsed, CompileError> {
    let scanner = Scanner::new(Notation::Gbnf, text.as_ref())?;
    let mut reader = Reader { scanner, builder: Builder::new(), hints: Vec::new() };
    reader.scanner.skip(Lines::Cross)?;
    while reader.scanner.peek().is_some() {
        reader.rule()?;
    }
    reader.builder.define_schemas(schemas)?;
    reader.finish()
}

struct Reader<'t> {
    scanner: Scanner<'t>,
    builder: Builder,
    hints: Vec<Hint>,
}

impl Reader<'_> {
    fn finish(self) -> Result<Parsed, CompileError> {
        let Some(root) = self.builder.find("root").filter(|root| self.builder.is_defined(*root)) else {
            let help = match self.builder.nearest("root") {
                Some(name) => format!("; did you mean `{name}`?"),
                None => ": the rule that a whole text matches is called `root`".to_owned(),
            };
            let message = format!("there is no rule `root`{help}");
            return Err(self.scanner.error(CompileErrorKind::Reference, 0, "root", message));
        };
        Ok(Parsed { grammar: self.builder.finish(root)?, hints: self.hints })
    }

    /// One rule, and the space behind it.
    fn rule(&mut self) -> Result<(), CompileError> {
        let at = self.scanner.at();
        let name = self.scanner.take_while(is_name);
        if name.is_empty() {
            return Err(self.no_name(at));
        }
        let position = self.scanner.position(at);
        let rule = self.builder.rule(name, Some(position));
        self.scanner.skip(Lines::Stay)?;
        if !self.scanner.take("::=") {
            return Err(self.no_definition(name));
        }
        self.scanner.skip(Lines::Cross)?;
        let body = self.body()?;
        self.builder.define(rule, body, Some(position))?;
        if self.scanner.peek().is_some() && !self.scanner.take_line_break() {
            return Err(self.no_end());
        }
        self.scanner.skip(Lines::Cross)
    }

    fn no_name(&self, at: usize) -> CompileError {
        let found = self.scanner.found();
        let help = match self.scanner.peek() {
            Some('|') => {
                "the rule before has ended with its line: put `|` at the end of that line, or the alternatives in parentheses"
            }
            Some('"' | '[' | '(' | '.' | '<' | '!' | '*' | '+' | '?' | '{') => {
                "the rule before has ended with its line: put the line break inside parentheses"
            }
            Some('/') => "a comment starts with `#`",
            _ => "a name has letters, digits and `-`",
        };
        self.scanner.syntax(at, "rule", format!("a rule's name is needed here, and {found}; {help}"))
    }

    /// What stands behind a name instead of `::=`.
    fn no_definition(&self, name: &str) -> CompileError {
        let at = self.scanner.at();
        let rest = self.scanner.rest();
        let wrong =
            [":==", ":=", "==", "=", ":", "->", "<-"].into_iter().find(|wrong| rest.starts_with(wrong));
        let message = match wrong {
            Some(wrong) => format!("`{wrong}` behind the name `{name}`; a rule is defined with `::=`"),
            None => format!(
                "behind the name `{name}`, `::=` is needed, and {}; if the line before is to go on, put the line break inside parentheses or behind `|`",
                self.scanner.found()
            ),
        };
        self.scanner.syntax(at, "rule", message)
    }

    /// What stands behind a rule and is no part of it.
    fn no_end(&self) -> CompileError {
        let at = self.scanner.at();
        let found = self.scanner.found();
        let message = match self.scanner.peek() {
            Some(')') => "`)` without `(`".to_owned(),
            Some('\'') => "a literal stands in double quotes".to_owned(),
            Some(':') if self.scanner.rest().starts_with("::=") => {
                "`::=` inside a rule: each rule starts on a line of its own, and an empty one is written `\"\"`".to_owned()
            }
            Some(';' | ',') => format!("{found}: parts just follow each other, and a rule ends with its line"),
            Some('/') => format!("{found}: a comment starts with `#`"),
            _ => format!("{found}, which starts nothing; a text stands in double quotes"),
        };
        self.scanner.syntax(at, "rule", message)
    }

    /// The space that may stand here: line breaks count as space inside parentheses.
    fn skip(&mut self, nest: &Nest) -> Result<(), CompileError> {
        self.scanner.skip(lines(nest))
    }

    /// The alternatives of a rule, up to what is no part of them.
    fn body(&mut self) -> Result<ExprId, CompileError> {
        let mut nest = Nest::new();
        while let Some(c) = self.scanner.peek() {
            let at = self.scanner.at();
            match c {
                '(' => {
                    self.scanner.next();
                    nest.open(&self.scanner, Bracket::Round, at)?;
                }
                ')' => {
                    if !nest.is_nested() {
                        break;
                    }
                    self.scanner.next();
                    if let Some(group) = nest.close(&mut self.builder, Bracket::Round) {
                        nest.item(&mut self.builder, group);
                    }
                }
                '|' => {
                    self.scanner.next();
                    nest.alternative(&mut self.builder);
                    self.scanner.skip(Lines::Cross)?;
                }
                '*' | '+' | '?' | '{' => self.repetition(&mut nest, c)?,
                _ => match self.item(c)? {
                    Some(item) => nest.item(&mut self.builder, item),
                    None if nest.is_nested() => return Err(self.not_closed(&nest)),
                    None => break,
                },
            }
            self.skip(&nest)?;
        }
        nest.finish(&mut self.builder, &self.scanner)
    }

    /// Something stands inside parentheses that starts nothing.
    fn not_closed(&self, nest: &Nest) -> CompileError {
        match (self.scanner.rest().starts_with("::="), nest.bracket()) {
            (true, Some((_, byte))) => {
                self.scanner.syntax(byte, "group", "`(` is not closed: `)` is missing before the next rule")
            }
            _ => self.no_end(),
        }
    }

    fn repetition(&mut self, nest: &mut Nest, c: char) -> Result<(), CompileError> {
        let at = self.scanner.at();
        self.scanner.next();
        let (min, max) = match c {
            '*' => (0, None),
            '+' => (1, None),
            '?' => (0, Some(1)),
            _ => self.scanner.counts(at, lines(nest))?,
        };
        if nest.repeat(&mut self.builder, min, max) {
            return Ok(());
        }
        let message =
            format!("there is nothing before `{c}` to repeat; a character itself stands in double quotes");
        Err(self.scanner.syntax(at, "repetition", message))
    }

    /// What stands alone, if it comes next.
    fn item(&mut self, c: char) -> Result<Option<ExprId>, CompileError> {
        let at = self.scanner.at();
        Ok(Some(match c {
            '"' => {
                let text = self.scanner.literal()?;
                self.builder.text(&text)
            }
            '[' => {
                let class = self.scanner.class()?;
                if class.looks_like_a_text {
                    note(&mut self.hints, self.scanner.position(at), CLASS_IS_NO_TEXT);
                }
                self.builder.set(class.set)
            }
            '.' => {
                self.scanner.next();
                self.builder.set(CharSet::any())
            }
            '<' | '!' => {
                let tokens = self.scanner.tokens()?;
                self.builder.token(tokens)
            }
            c if is_name(c) => {
                let name = self.scanner.take_while(is_name);
                let rule = self.builder.rule(name, Some(self.scanner.position(at)));
                self.builder.call(rule)
            }
            _ => return Ok(None),
        }))
    }
}

fn lines(nest: &Nest) -> Lines {
    if nest.is_nested() { Lines::Cross } else { Lines::Stay }
}

/// A character of a rule's name.
fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_'
}

#[cfg(test)]
mod tests;
