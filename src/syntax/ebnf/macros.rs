//! Macros: what is written like a call, `Until("-->")`.

use crate::error::{CompileError, CompileErrorKind, Position};
use crate::grammar::regex::{CharSet, Regex};
use crate::grammar::rules::{Builder, TokenMember, TokenSet};
use crate::grammar::scan::{Lines, Notation, Scanner};
use crate::index::ExprId;
use crate::syntax::ebnf::Reader;
use crate::syntax::pattern;

/// What a macro makes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Macro {
    Until,
    Without,
    Regex,
    Token,
    ExcludeToken,
    /// One of XGrammar's that is not supported.
    Foreign,
}

/// Every macro by name.
const MACROS: [(&str, Macro); 8] = [
    ("Until", Macro::Until),
    ("Without", Macro::Without),
    ("Regex", Macro::Regex),
    ("Token", Macro::Token),
    ("ExcludeToken", Macro::ExcludeToken),
    ("TagDispatch", Macro::Foreign),
    ("TokenTagDispatch", Macro::Foreign),
    ("Substring", Macro::Foreign),
];

/// Which macros a text uses, each with the first place.
#[derive(Default)]
pub(super) struct Macros {
    used: Vec<(&'static str, Position)>,
}

impl Macros {
    /// Refuses rules that are called like a macro which the text uses: a reader would take one for the other.
    pub(super) fn check(&self, builder: &Builder, scanner: &Scanner) -> Result<(), CompileError> {
        for (name, position) in &self.used {
            if builder.find(name).is_some_and(|rule| builder.is_defined(rule)) {
                let message = format!(
                    "`{name}(` is a macro, and a rule is called `{name}` too: rename the rule, or put a space before the parenthesis if the rule is meant"
                );
                return Err(scanner.syntax(position.byte, "macro", message));
            }
        }
        Ok(())
    }
}

/// An argument of a macro.
enum Argument {
    Text(String),
    Id(u32),
}

impl Reader<'_> {
    /// The macro of this name, which has been read from `at` on, if it is one and is called.
    pub(super) fn macro_call(&mut self, name: &str, at: usize) -> Result<Option<ExprId>, CompileError> {
        let known = MACROS.iter().find(|(known, _)| *known == name);
        let Some(&(name, kind)) = known.filter(|_| self.scanner.peek() == Some('(')) else { return Ok(None) };
        if self.macros.used.iter().all(|(used, _)| *used != name) {
            self.macros.used.push((name, self.scanner.position(at)));
        }
        if kind == Macro::Foreign {
            return Err(self.foreign(name, at));
        }
        let arguments = self.arguments(name, kind, at)?;
        Ok(Some(match kind {
            Macro::Token | Macro::ExcludeToken => {
                let members = self.ids(name, arguments, at)?;
                self.builder.token(TokenSet { members, negated: kind == Macro::ExcludeToken })
            }
            Macro::Regex => {
                let texts = self.texts(name, arguments, at)?;
                let [pattern] = &texts[..] else {
                    return Err(self.scanner.syntax(at, "macro", "`Regex` takes one pattern"));
                };
                let regex = self.pattern(pattern, at)?;
                self.builder.regex(regex)
            }
            _ => {
                let texts = self.texts(name, arguments, at)?;
                if texts.iter().any(String::is_empty) {
                    let message = format!("the empty text occurs in every text: `{name}` needs a longer one");
                    return Err(self.scanner.syntax(at, "macro", message));
                }
                let stops = Regex::literals(texts.iter().map(String::as_str));
                let regex = if kind == Macro::Until { until(stops) } else { without(stops) };
                self.builder.regex(regex)
            }
        }))
    }

    fn foreign(&self, name: &str, at: usize) -> CompileError {
        let help = match name {
            "Substring" => "list the texts with `|`",
            _ => "use structural tags, or write the free text with `Until(\"…\")` and `Without(\"…\")`",
        };
        self.scanner.unsupported(at, name, format!("XGrammar's `{name}` is not read here: {help}"))
    }

    /// The arguments, from the parenthesis that comes next to the closing one.
    fn arguments(&mut self, name: &str, kind: Macro, at: usize) -> Result<Vec<Argument>, CompileError> {
        self.scanner.next();
        let mut arguments = Vec::new();
        loop {
            self.scanner.skip(Lines::Cross)?;
            let start = self.scanner.at();
            match self.scanner.peek() {
                Some('"' | '\'') => {
                    let text = self.scanner.literal()?;
                    if kind == Macro::Regex {
                        self.check_backslashes(start)?;
                    }
                    arguments.push(Argument::Text(text));
                }
                Some('0'..='9') => arguments.push(Argument::Id(self.scanner.id()?)),
                Some(c) if c.is_alphabetic() => {
                    let option = self.scanner.take_while(|c| c.is_alphanumeric() || c == '_');
                    let message = format!("`{name}` takes no option `{option}`");
                    return Err(self.scanner.unsupported(start, "macro", message));
                }
                _ => {
                    let message = format!("`{name}` needs an argument here, and {}", self.scanner.found());
                    return Err(self.scanner.syntax(start, "macro", message));
                }
            }
            self.scanner.skip(Lines::Cross)?;
            if self.scanner.take(",") {
                continue;
            }
            if self.scanner.take(")") {
                return Ok(arguments);
            }
            let message = format!("the arguments of `{name}` are not closed: `)` is missing");
            return Err(self.scanner.syntax(at, "macro", message));
        }
    }

    /// Refuses escapes that a literal takes away from the pattern inside, such as `\b`: it would mean something else there.
    fn check_backslashes(&self, start: usize) -> Result<(), CompileError> {
        if self.scanner.notation() == Notation::Iso {
            return Ok(());
        }
        let mut chars = self.scanner.since(start).char_indices();
        while let Some((at, c)) = chars.next() {
            let escaped = if c == '\\' { chars.next() } else { None };
            if let Some((_, kind @ ('[' | ']' | '-' | '?' | 'b' | 'f' | 'v' | 'a' | 'e' | '0'))) = escaped {
                let message = format!(
                    "the literal reads `\\{kind}` before the pattern does: for the pattern's escape write `\\\\{kind}`"
                );
                return Err(self.scanner.syntax(start + at, "Regex", message));
            }
        }
        Ok(())
    }

    fn texts(&self, name: &str, arguments: Vec<Argument>, at: usize) -> Result<Vec<String>, CompileError> {
        let texts = arguments.into_iter().map(|argument| match argument {
            Argument::Text(text) => Ok(text),
            Argument::Id(_) => {
                Err(self.scanner.syntax(at, "macro", format!("`{name}` takes literals, not numbers")))
            }
        });
        texts.collect()
    }

    fn ids(&self, name: &str, arguments: Vec<Argument>, at: usize) -> Result<Vec<TokenMember>, CompileError> {
        let members = arguments.into_iter().map(|argument| match argument {
            Argument::Id(id) => Ok(TokenMember::Ids(id, id)),
            Argument::Text(_) => {
                let message =
                    format!("`{name}` takes ids of tokens; a token by its text is written `<think>`");
                Err(self.scanner.syntax(at, "macro", message))
            }
        });
        members.collect()
    }

    fn pattern(&self, text: &str, at: usize) -> Result<Regex, CompileError> {
        pattern::parse_whole(text).map_err(|e| {
            let kind = match e.construct {
                "syntax" => CompileErrorKind::Syntax,
                "limit" => CompileErrorKind::Limit,
                _ => CompileErrorKind::Unsupported,
            };
            let message = format!("{} at byte {} of the pattern: {}", e.construct, e.byte, e.message);
            self.scanner.error(kind, at, "Regex", message)
        })
    }
}

/// The texts that end with one of the stops, and in which none ends before.
fn until(stops: Regex) -> Regex {
    let ended = Regex::any_text().then(stops);
    let more = Regex::set(CharSet::any()).then(Regex::any_text());
    ended.clone().except(ended.then(more))
}

/// The texts in which none of the stops occurs.
fn without(stops: Regex) -> Regex {
    Regex::concat([Regex::any_text(), stops, Regex::any_text()]).complement()
}

#[cfg(test)]
mod tests {
    use super::{until, without};
    use crate::grammar::naive::is_match;
    use crate::grammar::regex::Regex;

    /// Every text of up to this many letters of `a`, `b`.
    fn texts(longest: u32) -> Vec<String> {
        let mut all = vec![String::new()];
        for len in 1..=longest {
            for bits in 0..1_u32 << len {
                all.push((0..len).map(|i| if bits >> i & 1 == 0 { 'a' } else { 'b' }).collect());
            }
        }
        all
    }

    #[test]
    fn stops_are_found_where_a_search_finds_them_first() {
        for stops in [vec!["ab"], vec!["aa"], vec!["aba"], vec!["ab", "b"], vec!["abb", "b", "aa"], vec!["a"]]
        {
            let regex = Regex::literals(stops.iter().copied());
            let (until, without) = (until(regex.clone()), without(regex));
            for text in texts(6) {
                let first = stops.iter().filter_map(|stop| text.find(stop).map(|at| at + stop.len())).min();
                assert_eq!(is_match(&until, &text), first == Some(text.len()), "{stops:?} {text}");
                assert_eq!(is_match(&without, &text), first.is_none(), "{stops:?} {text}");
            }
        }
    }
}
