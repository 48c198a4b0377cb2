//! A regex as a whole grammar: one rule, whose texts are those that the pattern matches from the first character to the last.
//!
//! The dialect is ECMA-262 as in JSON Schema's `pattern` ([`crate::syntax::pattern`]), but the pattern must match the
//! *whole* text: nothing is searched for. So `^` at the start and `$` at the end are allowed and say nothing new; `^` is the
//! start of the text and `$` its end, not of a line, unless the flag `m` says so. `\d`, `\w` and `\s` are those of
//! ECMA-262, `.` is any character but line terminators, unless the flag `s` says so; flags may stand in front: `(?i)yes|no`.
//! Assertions are exact; back-references are refused. Lazy quantifiers mean the same texts as greedy ones.

use crate::error::{CompileError, CompileErrorKind, Place, Position};
use crate::grammar::rules::{Builder, Grammar};
use crate::syntax::pattern::{self, PatternError};

/// The grammar of one rule, `root`, whose texts match the whole pattern.
///
/// ```
/// use maskwright::syntax::regex;
///
/// let grammar = regex::parse("^[a-c]{2}$")?;
/// assert_eq!(grammar.to_string(), "root ::= /[a-c]{2}/");
/// # Ok::<(), maskwright::CompileError>(())
/// ```
///
/// # Errors
/// Syntax errors and constructs that are not regular, with their place, and limits of patterns.
pub fn parse(text: &str) -> Result<Grammar, CompileError> {
    let regex = pattern::parse_whole(text).map_err(|e| refused(text, e))?;
    let mut builder = Builder::new();
    let start = Position { line: 1, column: 1, byte: 0 };
    let root = builder.rule("root", Some(start));
    let body = builder.regex(regex);
    builder.define(root, body, Some(start))?;
    builder.finish(root)
}

/// The refusal of a pattern as that of a text.
fn refused(text: &str, e: PatternError) -> CompileError {
    let byte = e.byte.min(text.len());
    let before = text.char_indices().take_while(|(at, _)| *at < byte);
    let (mut line, mut column) = (1, 1);
    for (_, c) in before {
        if c == '\n' {
            (line, column) = (line + 1, 1);
        } else {
            column += 1;
        }
    }
    let kind = match e.construct {
        "syntax" => CompileErrorKind::Syntax,
        "limit" => CompileErrorKind::Limit,
        _ => CompileErrorKind::Unsupported,
    };
    let place = Place { position: Some(Position { line, column, byte }), ..Place::default() };
    CompileError::new(kind, place, format!("regex: {}", e.construct), e.message)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn a_pattern_is_a_rule_over_whole_texts() {
        for (pattern, form) in [
            ("abc", r#"root ::= "abc""#),
            ("^(yes|no)$", r#"root ::= /("no","yes")/"#),
            ("(?i)a", "root ::= [Aa]"),
            ("", r#"root ::= """#),
            ("(a+)+b", r#"root ::= /("a"+)+ "b"/"#),
        ] {
            assert_eq!(parse(pattern).unwrap().to_string(), form, "{pattern}");
        }
    }

    #[test]
    fn what_is_refused_has_a_place() {
        let depth = crate::limits::PATTERN_DEPTH_MAX;
        let too_deep = format!("line 1, column {} (byte {depth}) (limit, regex: limit)", depth + 1);
        for (pattern, expected) in [
            ("(a", "line 1, column 1 (byte 0) (syntax, regex: syntax)"),
            ("é\n(a)\\1", "line 2, column 4 (byte 6) (unsupported, regex: back-reference)"),
            ("a{4294967296}", "line 1, column 2 (byte 1) (limit, regex: limit)"),
            (&"(".repeat(60_000), &too_deep),
            (&"a".repeat(70_000), "line 1, column 65537 (byte 65536) (limit, regex: limit)"),
        ] {
            let message = parse(pattern).unwrap_err().to_string();
            assert!(message.starts_with(expected), "{message}");
        }
    }
}
