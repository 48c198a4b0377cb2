//! EBNF in its two families, told apart by how the first rule is defined.
//!
//! * `name ::= …`: the notation of the W3C's specifications and of serving engines. It reads what XGrammar reads (but
//!   for what is listed below) and what llama.cpp's GBNF has, with the W3C's `#xN`, `'…'`, `/* */` and `A - B`
//!   (`productions`).
//! * `name = … ;`, also with `:=` or `:`: ISO 14977, with rules that end in `;` or `.` (`iso`).
//!
//! GBNF has a reader of its own ([`crate::syntax::gbnf`]), since a line break ends its rules; a GBNF text that this reader
//! takes too means the same, unless it has something like `#x41`: that is one character here, and a comment (or, in a class,
//! four characters) there. XGrammar's dialect needs no reader of its own: what it has beyond GBNF is here, or is refused
//! by name.
//!
//! # `name ::= …`
//!
//! Line breaks are space: a rule ends where the next `name ::=` starts. Names have letters, digits, `_`, `-` and `.` (a `.`
//! that no name goes on behind is any character). Sequences, `|`, `( )`, `* + ? {m} {m,} {m,n} {,n}`.
//! Literals stand in `"` or `'` and have escapes: those of C, `\xHH`, `\uHHHH`, `\UHHHHHHHH`. In a specification of the
//! W3C a backslash is itself: it must be doubled here; an escape that is not known is an error. More than two digits
//! behind `\x` are an error, since XGrammar and llama.cpp read them differently. Classes have the same escapes and
//! `#xN`; `[^]` is any character. Tokens: `<think>`, `<[7]>`, `<[1-5,7]>`, `!<think>`. `A - B` is what `A`
//! matches and `B` does not, where `B` is regular: texts, and rules without recursion; so `A - Without("--")` is what has `--` in it,
//! and `A - Regex(".{81,}")` what is short. Comments: `# …` (unless a
//! hexadecimal `#xN`) and `/* … */`. The numbers of rules in specifications, `[12]`, are skipped.
//!
//! # `name = …;`
//!
//! `a, b | c` with or without commas, `{ }` for any number of times, `[ ]` for once or not, `( )`, `3 * x`, `A - B` as
//! above (`{ x } -` is at least one), literals in `"` or `'` without escapes, comments `(* … *)`. Names have letters,
//! digits, `_` and, between two of these, `-`; no spaces.
//!
//! # Macros
//!
//! In both families, with no space before the parenthesis:
//! * `Until("-->")`: a text that ends with the first occurrence of `-->` in it. Several texts: the first occurrence of any.
//! * `Without("a", "b")`: any text in which none of these occurs.
//! * `Regex("[a-z]+")`: a text that matches the whole ECMA-262 pattern.
//! * `Token(7, 12)`, `ExcludeToken(7)`: one token of these ids, or of all others.
//!
//! XGrammar's `TagDispatch`, `TokenTagDispatch` and `Substring`, its rule options (`name[max_tokens=5] ::=`) and its
//! assertions `(=…)` are refused: the error names what to use instead.
//!
//! # Schemas
//!
//! Rules that the text uses and does not define may be given as JSON Schemas: [`parse_with`], or
//! `Compiler::ebnf_with_schemas`.
//!
//! # The start
//!
//! The rule `root`, or else `start`, or else the first one.

mod iso;
mod macros;
mod productions;

use crate::error::{CompileError, CompileErrorKind};
use crate::grammar::program::SchemaProgram;
use crate::grammar::rules::Builder;
use crate::grammar::scan::{Lines, Notation, Scanner};
use crate::index::RuleId;
use crate::syntax::ebnf::macros::Macros;
use crate::syntax::parsed::{Hint, Parsed};

/// Reads a grammar in EBNF, of either family.
///
/// ```
/// use maskwright::syntax::ebnf;
///
/// let w3c = ebnf::parse("Comment ::= '<!--' Until('-->')  Hex ::= #x30 | [#x61-#x66] - 'c'")?;
/// assert_eq!(w3c.grammar.rules.len(), 2);
///
/// let iso = ebnf::parse("list = '(', { item }, ')' ; item = 'x' ;")?;
/// assert_eq!(iso.grammar.to_string(), "list ::= \"(\" item* \")\"\nitem ::= \"x\"");
/// # Ok::<(), maskwright::CompileError>(())
/// ```
///
/// # Errors
/// If the text is not such a grammar, uses a rule that it doesn't define, has something that can't be enforced exactly,
/// or passes a limit; each with line, column and byte.
pub fn parse(text: impl AsRef<[u8]>) -> Result<Parsed, CompileError> {
    parse_with(text, &[])
}

/// Reads a grammar in which some rules, that the text uses and does not define, match JSON documents of schemas.
///
/// # Errors
/// As [`parse`], and if the text defines such a rule, or does not use it.
pub fn parse_with(text: impl AsRef<[u8]>, schemas: &[(&str, SchemaProgram)]) -> Result<Parsed, CompileError> {
    let bytes = text.as_ref();
    let notation = family(Scanner::new(Notation::Productions, bytes)?)?;
    let mut reader = Reader {
        scanner: Scanner::new(notation, bytes)?,
        builder: Builder::new(),
        hints: Vec::new(),
        first: None,
        macros: Macros::default(),
    };
    match notation {
        Notation::Iso => reader.iso()?,
        _ => reader.productions()?,
    }
    reader.builder.define_schemas(schemas)?;
    reader.finish()
}

/// What is read, by either family.
struct Reader<'t> {
    scanner: Scanner<'t>,
    builder: Builder,
    hints: Vec<Hint>,
    first: Option<RuleId>,
    macros: Macros,
}

impl Reader<'_> {
    fn finish(self) -> Result<Parsed, CompileError> {
        self.macros.check(&self.builder, &self.scanner)?;
        let named = ["root", "start"].into_iter().filter_map(|name| self.builder.find(name));
        let start = named.filter(|rule| self.builder.is_defined(*rule)).chain(self.first).next();
        let Some(start) = start else {
            return Err(self.scanner.syntax(0, "rule", "the text has no rule"));
        };
        Ok(Parsed { grammar: self.builder.finish(start)?, hints: self.hints })
    }
}

/// A character that a name may start with.
fn is_name_start(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// By which notation the text is to be read: what stands behind the name of its first rule decides.
fn family(mut scanner: Scanner) -> Result<Notation, CompileError> {
    loop {
        scanner.skip(Lines::Cross)?;
        if scanner.rest().starts_with("(*") {
            // Only ISO 14977 has these comments, and it is read from the start again.
            return Ok(Notation::Iso);
        }
        if !productions::skip_number(&mut scanner) {
            break;
        }
    }
    let at = scanner.at();
    let is_part = |c: char| is_name_start(c) || c == '-' || c == '.';
    if scanner.peek().is_none() {
        return Err(scanner.syntax(at, "rule", "the text has no rule"));
    }
    if scanner.peek() == Some('<') {
        let message = "names of rules stand without angle brackets: `name ::= …`; `<name>` is a token";
        return Err(scanner.syntax(at, "rule", message));
    }
    if scanner.rest().starts_with("%start") {
        let message = "`%start` belongs to the text form in which grammars are shown: read it as such (`Grammar::from_text_form`, `--grammar`)";
        return Err(scanner.syntax(at, "rule", message));
    }
    if scanner.take_while(is_part).is_empty() {
        let message = format!("a rule's name is needed here, and {}", scanner.found());
        return Err(scanner.syntax(at, "rule", message));
    }
    scanner.take_while(char::is_whitespace);
    if scanner.rest().starts_with(is_name_start) {
        let message = "a name has no spaces, and behind it `::=` or `=` is needed: join its words with `_`";
        return Err(scanner.syntax(scanner.at(), "rule", message));
    }
    let rest = scanner.rest();
    if rest.starts_with("::=") || rest.starts_with('[') {
        return Ok(Notation::Productions);
    }
    for wrong in [":==", "==", "->", "<-", "→", "←"] {
        if rest.starts_with(wrong) {
            let message = format!("`{wrong}` defines nothing; a rule is `name ::= …` or `name = … ;`");
            return Err(scanner.error(CompileErrorKind::Syntax, scanner.at(), "rule", message));
        }
    }
    if rest.starts_with('=') || rest.starts_with(':') {
        return Ok(Notation::Iso);
    }
    let message = format!("behind the name, `::=` or `=` is needed, and {}", scanner.found());
    Err(scanner.syntax(scanner.at(), "rule", message))
}

#[cfg(test)]
mod tests;
