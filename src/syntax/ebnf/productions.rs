//! The family of `name ::= …`: a rule ends where the next one starts.

use crate::error::CompileError;
use crate::grammar::nest::{Bracket, Nest};
use crate::grammar::regex::{CharSet, Regex};
use crate::grammar::scan::{Lines, Scanner};
use crate::index::ExprId;
use crate::syntax::ebnf::{Reader, is_name_start};
use crate::syntax::gbnf::CLASS_IS_NO_TEXT;
use crate::syntax::parsed::note;

impl Reader<'_> {
    /// All rules.
    pub(super) fn productions(&mut self) -> Result<(), CompileError> {
        self.scanner.skip(Lines::Cross)?;
        while self.scanner.peek().is_some() {
            self.production()?;
        }
        Ok(())
    }

    fn production(&mut self) -> Result<(), CompileError> {
        if skip_number(&mut self.scanner) {
            self.scanner.skip(Lines::Cross)?;
        }
        let at = self.scanner.at();
        let name = name(&mut self.scanner);
        if name.is_empty() {
            return Err(self.no_rule(at));
        }
        let position = self.scanner.position(at);
        self.options()?;
        self.scanner.skip(Lines::Cross)?;
        if !self.scanner.take("::=") {
            let message = format!("behind the name `{name}`, `::=` is needed, and {}", self.scanner.found());
            return Err(self.scanner.syntax(self.scanner.at(), "rule", message));
        }
        let rule = self.builder.rule(name, Some(position));
        self.first.get_or_insert(rule);
        let body = self.body(name)?;
        self.builder.define(rule, body, Some(position))
    }

    fn no_rule(&self, at: usize) -> CompileError {
        let found = self.scanner.found();
        let message = match self.scanner.peek() {
            Some(')') => "`)` without `(`".to_owned(),
            Some(';' | ',') => format!("{found}: parts just follow each other, and nothing ends a rule"),
            Some(':') if self.scanner.rest().starts_with("::=") => {
                "`::=` without a name before it".to_owned()
            }
            Some('=' | ':') => {
                format!("{found}: a rule is defined with `::=` here, as the first one is")
            }
            Some('\\') => format!("{found}: an escape stands inside a literal or a class"),
            _ => format!("{found}, which starts nothing; a text stands in quotes"),
        };
        self.scanner.syntax(at, "rule", message)
    }

    /// XGrammar's options of a rule, `[max_tokens=5]`, right behind its name.
    fn options(&self) -> Result<(), CompileError> {
        if self.scanner.peek() != Some('[') {
            return Ok(());
        }
        let inner = &self.scanner.rest()[1..];
        let option = &inner[..inner.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(inner.len())];
        let help = match option {
            "max_tokens" | "max_chars" => "bound a repetition instead, as in `[a-z]{0,20}`",
            "lazy" => "say where the text ends with `Until(\"…\")`",
            "temperature" | "capture" => {
                "it changes nothing about what is allowed: remove it, and set it where texts are generated"
            }
            _ => "remove it",
        };
        let message = format!("the option `{option}` of a rule is not supported: {help}");
        Err(self.scanner.unsupported(self.scanner.at(), "rule option", message))
    }

    /// The alternatives of a rule, up to the next rule.
    fn body(&mut self, rule: &str) -> Result<ExprId, CompileError> {
        let mut nest = Nest::new();
        loop {
            self.scanner.skip(Lines::Cross)?;
            let Some(c) = self.scanner.peek() else { break };
            if self.starts_rule(c)? {
                break;
            }
            self.part(&mut nest, c)?;
        }
        if let Some(position) = nest.open_minus() {
            return Err(self.scanner.syntax(position.byte, "difference", "behind `-` nothing stands"));
        }
        if nest.is_empty() {
            let message = format!("the rule `{rule}` is empty; the empty text is written `\"\"`");
            return Err(self.scanner.syntax(self.scanner.at(), "rule", message));
        }
        nest.finish(&mut self.builder, &self.scanner)
    }

    /// One step; its first character comes next.
    fn part(&mut self, nest: &mut Nest, c: char) -> Result<(), CompileError> {
        let at = self.scanner.at();
        if nest.open_minus().is_some() && matches!(c, '|' | ')' | '*' | '+' | '?' | '{' | '-') {
            return Err(self.scanner.syntax(at, "difference", "behind `-` the text to leave out is needed"));
        }
        match c {
            '(' => {
                self.scanner.next();
                if self.scanner.take("=") {
                    let message = "XGrammar's assertions `(=…)` only hint at what follows the rule; nothing needs them here: remove it";
                    return Err(self.scanner.unsupported(at, "assertion", message));
                }
                nest.open(&self.scanner, Bracket::Round, at)
            }
            ')' => {
                self.scanner.next();
                let Some(group) = nest.close(&mut self.builder, Bracket::Round) else {
                    return Err(self.scanner.syntax(at, "group", "`)` without `(`"));
                };
                nest.item(&mut self.builder, group);
                Ok(())
            }
            '|' => {
                self.scanner.next();
                nest.alternative(&mut self.builder);
                Ok(())
            }
            '*' | '+' | '?' | '{' => {
                self.scanner.next();
                let (min, max) = match c {
                    '*' => (0, None),
                    '+' => (1, None),
                    '?' => (0, Some(1)),
                    _ => self.scanner.counts(at, Lines::Cross)?,
                };
                if nest.repeat(&mut self.builder, min, max) {
                    return Ok(());
                }
                let message =
                    format!("there is nothing before `{c}` to repeat; a character itself stands in quotes");
                Err(self.scanner.syntax(at, "repetition", message))
            }
            '-' => {
                self.scanner.next();
                if nest.minus(self.scanner.position(at)) {
                    return Ok(());
                }
                Err(self.scanner.syntax(at, "difference", "before `-` nothing stands to take from"))
            }
            _ => {
                let item = self.item(c)?;
                nest.item(&mut self.builder, item);
                Ok(())
            }
        }
    }

    /// What stands alone; its first character comes next.
    fn item(&mut self, c: char) -> Result<ExprId, CompileError> {
        let at = self.scanner.at();
        match c {
            '"' | '\'' => {
                let text = self.scanner.literal()?;
                Ok(self.builder.text(&text))
            }
            '[' => {
                self.no_annotation(at)?;
                let class = self.scanner.class()?;
                if class.looks_like_a_text {
                    note(&mut self.hints, self.scanner.position(at), CLASS_IS_NO_TEXT);
                }
                Ok(self.builder.set(class.set))
            }
            '.' => {
                self.scanner.next();
                Ok(self.builder.set(CharSet::any()))
            }
            '#' => {
                let point = self.scanner.code_point()?;
                let Some(c) = char::from_u32(point) else {
                    let message = format!("U+{point:04X} is half of a pair of UTF-16 and no character");
                    return Err(self.scanner.syntax(at, "character", message));
                };
                Ok(self.builder.regex(Regex::set(CharSet::single(c))))
            }
            '<' | '!' => {
                let tokens = self.scanner.tokens()?;
                Ok(self.builder.token(tokens))
            }
            c if is_name_start(c) => {
                let name = name(&mut self.scanner);
                if let Some(expr) = self.macro_call(name, at)? {
                    return Ok(expr);
                }
                let rule = self.builder.rule(name, Some(self.scanner.position(at)));
                Ok(self.builder.call(rule))
            }
            _ => Err(self.no_rule(at)),
        }
    }

    /// Refuses the constraints that the W3C's specifications write behind a rule, `[wfc: …]`: they look like classes.
    fn no_annotation(&self, at: usize) -> Result<(), CompileError> {
        let inner = self.scanner.rest()[1..].trim_start();
        let is_one = ["wfc:", "vc:", "WFC:", "VC:"].into_iter().any(|word| inner.starts_with(word));
        if is_one {
            let message = "a constraint in words can't be enforced: remove it, or make it a comment";
            return Err(self.scanner.unsupported(at, "constraint", message));
        }
        Ok(())
    }

    /// Whether a rule starts here: a name and `::=`, perhaps with a number before or options between.
    fn starts_rule(&mut self, c: char) -> Result<bool, CompileError> {
        let at = self.scanner.at();
        if c == '[' {
            let is_number = skip_number(&mut self.scanner);
            self.scanner.go_to(at);
            return Ok(is_number);
        }
        if !is_name_start(c) {
            return Ok(false);
        }
        name(&mut self.scanner);
        if self.scanner.peek() == Some('[') {
            let rest = self.scanner.rest();
            let len = rest.find(['\n', '\r', ']']).unwrap_or(rest.len());
            self.scanner.go_to(self.scanner.at() + len);
            if !self.scanner.take("]") {
                self.scanner.go_to(at);
                return Ok(false);
            }
        }
        self.scanner.skip(Lines::Cross)?;
        let is_start = self.scanner.rest().starts_with("::=");
        self.scanner.go_to(at);
        Ok(is_start)
    }
}

/// Takes a name; a `.` at its end is no part of it: it is any character.
fn name<'t>(scanner: &mut Scanner<'t>) -> &'t str {
    let start = scanner.at();
    if !scanner.peek().is_some_and(is_name_start) {
        return "";
    }
    loop {
        scanner.take_while(|c| is_name_start(c) || c == '-');
        let goes_on = |c: char| is_name_start(c) || c == '-';
        if scanner.peek() != Some('.') || !scanner.peek_second().is_some_and(goes_on) {
            return scanner.since(start);
        }
        scanner.next();
    }
}

/// Takes the number that specifications write before a rule, `[12]` or `[12a]`, if a rule follows it.
pub(super) fn skip_number(scanner: &mut Scanner) -> bool {
    let start = scanner.at();
    let mut is_number = scanner.take("[") && !scanner.take_while(|c| c.is_ascii_digit()).is_empty();
    is_number &= scanner.take_while(|c| c.is_ascii_lowercase()).len() <= 1 && scanner.take("]");
    if is_number {
        let end = scanner.at();
        scanner.take_while(|c| c == ' ' || c == '\t');
        is_number = !name(scanner).is_empty();
        scanner.take_while(|c| c == ' ' || c == '\t');
        is_number &= scanner.rest().starts_with("::=");
        scanner.go_to(end);
    }
    if !is_number {
        scanner.go_to(start);
    }
    is_number
}
