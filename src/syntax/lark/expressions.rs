//! Reads what stands behind the colon of a rule or terminal: alternatives, groups, repetitions and what they are made of.
//!
//! Open groups stand on a stack of the reader, so no nesting of the text is one of the machine.

use super::scan::{Lines, Scanner};
use super::substring;
use super::tree::{Case, Document, Kind, NodeAt};
use crate::error::{CompileError, CompileErrorKind};
use crate::grammar::rules::{TokenMember, TokenSet};
use crate::limits::{LARK_DEPTH_MAX, LARK_NODES_MAX};

/// A group that is open, or the whole expression.
struct Open {
    bracket: Option<char>,
    byte: usize,
    choices: Vec<NodeAt>,
    conjuncts: Vec<NodeAt>,
    items: Vec<NodeAt>,
    /// The places of `~` before what comes next.
    negations: Vec<usize>,
}

impl Open {
    fn new(bracket: Option<char>, byte: usize) -> Self {
        let (choices, conjuncts, items) = (Vec::new(), Vec::new(), Vec::new());
        Self { bracket, byte, choices, conjuncts, items, negations: Vec::new() }
    }

    fn end_conjunct(&mut self, document: &mut Document) {
        let items = std::mem::take(&mut self.items);
        let node = one_or(document, items, self.byte, Kind::Sequence);
        self.conjuncts.push(node);
    }

    fn end_choice(&mut self, document: &mut Document) {
        self.end_conjunct(document);
        let conjuncts = std::mem::take(&mut self.conjuncts);
        let node = one_or(document, conjuncts, self.byte, Kind::All);
        self.choices.push(node);
    }

    fn end(mut self, document: &mut Document) -> NodeAt {
        self.end_choice(document);
        one_or(document, self.choices, self.byte, Kind::Choice)
    }
}

fn one_or(document: &mut Document, nodes: Vec<NodeAt>, byte: usize, many: fn(Vec<NodeAt>) -> Kind) -> NodeAt {
    match nodes.as_slice() {
        [only] => *only,
        _ => document.push(many(nodes), byte),
    }
}

/// Reads an expression up to the end of its line, or of the last line that starts with `|`.
pub(super) fn read(scanner: &mut Scanner<'_>, document: &mut Document) -> Result<NodeAt, CompileError> {
    Reader { scanner, document, open: vec![] }.expression()
}

/// Reads one value: what an option such as `suffix=` has.
pub(super) fn read_value(scanner: &mut Scanner<'_>, document: &mut Document) -> Result<NodeAt, CompileError> {
    Reader { scanner, document, open: vec![] }.value()
}

struct Reader<'s, 't, 'd> {
    scanner: &'s mut Scanner<'t>,
    document: &'d mut Document,
    open: Vec<Open>,
}

impl Reader<'_, '_, '_> {
    fn top(&mut self) -> &mut Open {
        self.open.last_mut().expect("the whole expression stays open")
    }

    fn skip(&mut self) {
        let lines = if self.open.len() > 1 { Lines::Cross } else { Lines::Stay };
        self.scanner.skip_comments(lines);
    }

    fn expression(mut self) -> Result<NodeAt, CompileError> {
        self.scanner.skip_comments(Lines::Stay);
        self.open.push(Open::new(None, self.scanner.at()));
        loop {
            self.skip();
            let at = self.scanner.at();
            if self.document.nodes.len() > LARK_NODES_MAX {
                let message = format!(
                    "it has more than {LARK_NODES_MAX} parts (LARK_NODES_MAX): use a shorter grammar"
                );
                return Err(self.scanner.error(CompileErrorKind::Limit, at, "grammar", message));
            }
            if self.scanner.is_at_line_end() {
                if self.goes_on()? {
                    continue;
                }
                break;
            }
            self.step(at)?;
        }
        let mut whole = self.open.pop().expect("the whole expression stays open");
        if let Some(byte) = whole.negations.pop() {
            return Err(self.scanner.syntax(byte, "complement", "nothing stands behind `~`"));
        }
        Ok(whole.end(self.document))
    }

    /// At the end of a line: whether the next line with anything on it starts with `|`.
    fn goes_on(&mut self) -> Result<bool, CompileError> {
        if let [_, .., open] = self.open.as_slice() {
            let bracket = open.bracket.unwrap_or('(');
            return Err(self.scanner.syntax(open.byte, "group", format!("`{bracket}` is not closed")));
        }
        let before = self.scanner.at();
        self.scanner.skip_comments(Lines::Cross);
        if self.scanner.peek() == Some('|') {
            return Ok(true);
        }
        self.scanner.go_to(before);
        Ok(false)
    }

    fn step(&mut self, at: usize) -> Result<(), CompileError> {
        match self.scanner.peek() {
            Some(bracket @ ('(' | '[')) => {
                self.scanner.next();
                if self.open.len() > LARK_DEPTH_MAX {
                    let message = format!("groups are nested deeper than {LARK_DEPTH_MAX} (LARK_DEPTH_MAX)");
                    return Err(self.scanner.error(CompileErrorKind::Limit, at, "group", message));
                }
                self.open.push(Open::new(Some(bracket), at));
                Ok(())
            }
            Some(')' | ']') => self.close(at),
            Some('|') => {
                self.scanner.next();
                self.check_negations()?;
                let mut open = self.open.pop().expect("the whole expression stays open");
                open.end_choice(self.document);
                self.open.push(open);
                Ok(())
            }
            Some('&') => {
                self.scanner.next();
                self.check_negations()?;
                let mut open = self.open.pop().expect("the whole expression stays open");
                open.end_conjunct(self.document);
                self.open.push(open);
                Ok(())
            }
            Some('~') => {
                self.scanner.next();
                self.scanner.skip_comments(Lines::Stay);
                if self.scanner.peek().is_some_and(|c| c.is_ascii_digit()) {
                    return Err(self.scanner.syntax(at, "repetition", NOTHING_TO_REPEAT));
                }
                self.top().negations.push(at);
                Ok(())
            }
            Some('-') if self.scanner.rest().starts_with("->") => self.alias(),
            Some('*' | '+' | '?' | '{') => Err(self.scanner.syntax(at, "repetition", NOTHING_TO_REPEAT)),
            _ => {
                let value = self.value()?;
                self.item(value)
            }
        }
    }

    fn check_negations(&mut self) -> Result<(), CompileError> {
        match self.top().negations.pop() {
            None => Ok(()),
            Some(byte) => Err(self.scanner.syntax(byte, "complement", "nothing stands behind `~`")),
        }
    }

    fn close(&mut self, at: usize) -> Result<(), CompileError> {
        let found = self.scanner.next();
        let wanted = match self.top().bracket {
            Some('(') => Some(')'),
            Some(_) => Some(']'),
            None => None,
        };
        let shown = found.unwrap_or(')');
        if wanted.is_none() {
            return Err(self.scanner.syntax(at, "group", format!("`{shown}` closes nothing")));
        }
        if found != wanted {
            let message = format!("`{shown}` stands where `{}` is needed", wanted.unwrap_or(')'));
            return Err(self.scanner.syntax(at, "group", message));
        }
        self.check_negations()?;
        let open = self.open.pop().expect("it has been looked at");
        let byte = open.byte;
        let mut group = open.end(self.document);
        if found == Some(']') {
            group = self.document.push(Kind::Repeat { body: group, min: 0, max: Some(1) }, byte);
        }
        self.item(group)
    }

    /// Takes something into the open alternative, with the signs before and behind it.
    fn item(&mut self, mut item: NodeAt) -> Result<(), CompileError> {
        while let Some(byte) = self.top().negations.pop() {
            item = self.document.push(Kind::Not(item), byte);
        }
        let before = self.scanner.at();
        self.scanner.skip_comments(Lines::Stay);
        match self.counts()? {
            Some((min, max)) => {
                let byte = self.document.nodes[item].byte;
                item = self.document.push(Kind::Repeat { body: item, min, max }, byte);
            }
            None => self.scanner.go_to(before),
        }
        self.top().items.push(item);
        Ok(())
    }

    /// The counts of a repetition, if one comes next.
    fn counts(&mut self) -> Result<Option<(u32, Option<u32>)>, CompileError> {
        let at = self.scanner.at();
        let counts = match self.scanner.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => {
                self.scanner.next();
                return self.braces(at).map(Some);
            }
            Some('~') => {
                self.scanner.next();
                self.scanner.skip_comments(Lines::Stay);
                if !self.scanner.peek().is_some_and(|c| c.is_ascii_digit()) {
                    return Ok(None);
                }
                let min = self.scanner.number()?;
                self.scanner.skip_comments(Lines::Stay);
                let max = if self.scanner.take("..") {
                    self.scanner.skip_comments(Lines::Stay);
                    self.scanner.number()?
                } else {
                    min
                };
                return self.check_counts(at, min, Some(max)).map(Some);
            }
            _ => return Ok(None),
        };
        self.scanner.next();
        Ok(Some(counts))
    }

    /// The counts of `{m}`, `{m,}`, `{,n}` and `{m,n}`, behind the brace.
    fn braces(&mut self, at: usize) -> Result<(u32, Option<u32>), CompileError> {
        self.scanner.skip_comments(Lines::Stay);
        let min = if self.scanner.peek() == Some(',') { 0 } else { self.scanner.number()? };
        self.scanner.skip_comments(Lines::Stay);
        let mut max = Some(min);
        if self.scanner.take(",") {
            self.scanner.skip_comments(Lines::Stay);
            max = if self.scanner.peek() == Some('}') { None } else { Some(self.scanner.number()?) };
            self.scanner.skip_comments(Lines::Stay);
        }
        if !self.scanner.take("}") {
            let message = format!("`}}` is needed behind the counts, and {}", self.scanner.found());
            return Err(self.scanner.syntax(self.scanner.at(), "repetition", message));
        }
        self.check_counts(at, min, max)
    }

    fn check_counts(
        &self,
        at: usize,
        min: u32,
        max: Option<u32>,
    ) -> Result<(u32, Option<u32>), CompileError> {
        if max.is_some_and(|max| max < min) {
            let message = format!("the counts run backwards: at least {min}, at most {}", max.unwrap_or(0));
            return Err(self.scanner.syntax(at, "repetition", message));
        }
        Ok((min, max))
    }

    /// `-> name` names a tree, which no text knows of.
    fn alias(&mut self) -> Result<(), CompileError> {
        self.scanner.take("->");
        self.scanner.skip_comments(Lines::Stay);
        let at = self.scanner.at();
        if self.scanner.name().is_none() {
            let message = format!("a name is needed behind `->`, and {}", self.scanner.found());
            return Err(self.scanner.syntax(at, "alias", message));
        }
        self.skip();
        if !matches!(self.scanner.peek(), None | Some('\n' | '\r' | '|' | ')' | ']')) {
            let message = format!(
                "an alias ends its alternative, and {}: start another one with `|`",
                self.scanner.found()
            );
            return Err(self.scanner.syntax(self.scanner.at(), "alias", message));
        }
        Ok(())
    }

    /// What stands alone.
    fn value(&mut self) -> Result<NodeAt, CompileError> {
        let at = self.scanner.at();
        let kind = match self.scanner.peek() {
            Some('"') => self.text(at)?,
            Some('/') => self.pattern(at)?,
            Some('<') => Kind::Tokens(self.tokens(at)?),
            Some('%') => self.directive(at)?,
            Some('@') => {
                let message = "grammars that the caller supplies under a name (`@name`) are not supported: write the rules into this grammar";
                return Err(self.scanner.unsupported(at, "grammar reference", message));
            }
            Some('\'') => {
                return Err(self.scanner.syntax(at, "string", "a string stands in double quotes"));
            }
            _ => match self.scanner.name() {
                Some(name) => return self.named(name, at),
                None => {
                    let message = format!(
                        "{}, which starts nothing: names, \"strings\", /patterns/ and groups may stand here",
                        self.scanner.found()
                    );
                    return Err(self.scanner.syntax(at, "expression", message));
                }
            },
        };
        Ok(self.document.push(kind, at))
    }

    fn named(&mut self, name: &str, at: usize) -> Result<NodeAt, CompileError> {
        if self.scanner.rest().starts_with("::") {
            let message =
                "rules with parameters that count (`name::…`) are not supported: spell the cases out";
            return Err(self.scanner.unsupported(at, "parametric rule", message));
        }
        let rest = self.scanner.rest();
        let is_count = rest.strip_prefix('{').is_some_and(|inner| {
            inner.trim_start_matches([' ', '\t']).starts_with(|c: char| c == ',' || c.is_ascii_digit())
        });
        if !rest.starts_with('{') || is_count {
            return Ok(self.document.push(Kind::Name(name.into()), at));
        }
        self.template(name, at)
    }

    /// The arguments of a template, which may be templates themselves.
    fn template(&mut self, name: &str, at: usize) -> Result<NodeAt, CompileError> {
        let mut uses: Vec<(Box<str>, usize, Vec<NodeAt>)> = Vec::new();
        self.scanner.take("{");
        uses.push((name.into(), at, Vec::new()));
        loop {
            self.scanner.skip_comments(Lines::Cross);
            let byte = self.scanner.at();
            let argument = match self.scanner.name() {
                Some(inner) if self.scanner.take("{") => {
                    if uses.len() > LARK_DEPTH_MAX {
                        let message =
                            format!("templates are nested deeper than {LARK_DEPTH_MAX} (LARK_DEPTH_MAX)");
                        return Err(self.scanner.error(CompileErrorKind::Limit, byte, "template", message));
                    }
                    uses.push((inner.into(), byte, Vec::new()));
                    continue;
                }
                Some(inner) => self.document.push(Kind::Name(inner.into()), byte),
                None => self.value()?,
            };
            let mut finished = argument;
            loop {
                self.scanner.skip_comments(Lines::Cross);
                let (_, _, arguments) = uses.last_mut().expect("the outermost use is open");
                arguments.push(finished);
                if self.scanner.take(",") {
                    break;
                }
                if !self.scanner.take("}") {
                    let message =
                        format!("`,` or `}}` is needed in a template, and {}", self.scanner.found());
                    return Err(self.scanner.syntax(self.scanner.at(), "template", message));
                }
                let (name, byte, arguments) = uses.pop().expect("the outermost use is open");
                finished = self.document.push(Kind::Template { name, arguments }, byte);
                if uses.is_empty() {
                    return Ok(finished);
                }
            }
        }
    }

    fn text(&mut self, at: usize) -> Result<Kind, CompileError> {
        let text = self.scanner.string()?;
        let case = if self.ends_word("i") { Case::Ignored } else { Case::Counts };
        let before = self.scanner.at();
        self.scanner.skip_comments(Lines::Stay);
        if !self.scanner.take("..") {
            self.scanner.go_to(before);
            return Ok(Kind::Text { text: text.into(), case });
        }
        self.scanner.skip_comments(Lines::Stay);
        if self.scanner.peek() != Some('"') {
            let message = format!("a string is needed behind `..`, and {}", self.scanner.found());
            return Err(self.scanner.syntax(self.scanner.at(), "range", message));
        }
        let last = self.scanner.string()?;
        let one = |text: &str| {
            let mut chars = text.chars();
            chars.next().filter(|_| chars.next().is_none())
        };
        match (one(&text), one(&last)) {
            (Some(low), Some(high)) if low <= high && case == Case::Counts => Ok(Kind::Range(low, high)),
            (Some(low), Some(high)) if low > high => {
                Err(self.scanner.syntax(at, "range", "the range runs backwards"))
            }
            _ => Err(self.scanner.syntax(
                at,
                "range",
                "both ends of a range are single characters, without flags",
            )),
        }
    }

    /// Takes a flag, unless it starts a name.
    fn ends_word(&mut self, flag: &str) -> bool {
        let behind = self.scanner.rest().strip_prefix(flag).and_then(|rest| rest.chars().next());
        let goes_on = behind.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
        !goes_on && self.scanner.take(flag)
    }

    fn pattern(&mut self, at: usize) -> Result<Kind, CompileError> {
        self.scanner.next();
        let from = self.scanner.at();
        loop {
            match self.scanner.next() {
                Some('/') => break,
                Some('\\') => {
                    self.scanner.next();
                }
                Some(_) => {}
                None => {
                    return Err(self.scanner.syntax(
                        at,
                        "pattern",
                        "the pattern is not closed: `/` is missing",
                    ));
                }
            }
        }
        let source = &self.scanner.text()[from..self.scanner.at() - 1];
        let flags = self.scanner.take_while(|c| c.is_ascii_alphabetic());
        if !flags.contains('x') && source.contains('\n') {
            let message = "the pattern is not closed in its line: `/` is missing, or the flag `x` for a pattern of several lines";
            return Err(self.scanner.syntax(at, "pattern", message));
        }
        Ok(Kind::Pattern { source: source.into(), flags: flags.into() })
    }

    fn tokens(&mut self, at: usize) -> Result<TokenSet, CompileError> {
        let rest = self.scanner.rest();
        let end = rest.find(|c: char| c == '>' || c.is_whitespace());
        let Some(end) = end.filter(|&end| end > 1 && rest[end..].starts_with('>')) else {
            let message = "a token is written `<name>` or `<[ids]>`, without blanks";
            return Err(self.scanner.syntax(at, "token", message));
        };
        let whole = &rest[..=end];
        let end = self.scanner.at() + whole.len();
        self.scanner.go_to(end);
        let Some(list) = whole.strip_prefix("<[").and_then(|list| list.strip_suffix("]>")) else {
            return Ok(TokenSet { members: vec![TokenMember::Name(whole.into())], negated: false });
        };
        let (negated, list) = list.strip_prefix('^').map_or((false, list), |list| (true, list));
        if list == "*" && !negated {
            return Ok(TokenSet { members: Vec::new(), negated: true });
        }
        let mut members = Vec::new();
        for range in list.split(',') {
            let (low, high) = range.split_once('-').unwrap_or((range, range));
            match (low.parse(), high.parse()) {
                (Ok(low), Ok(high)) if low <= high => members.push(TokenMember::Ids(low, high)),
                _ => {
                    let message = format!("`{range}` is no token id and no range of ids such as 5-7");
                    return Err(self.scanner.syntax(at, "token", message));
                }
            }
        }
        Ok(TokenSet { members, negated })
    }

    fn directive(&mut self, at: usize) -> Result<Kind, CompileError> {
        self.scanner.next();
        let name = self.scanner.name().unwrap_or_default();
        match name {
            "json" => {
                let (from, json) = self.scanner.json()?;
                Ok(Kind::Json { from, to: from + json.len() })
            }
            "regex" => substring::read(self.scanner),
            "lark" | "if" => {
                let help = match name {
                    "lark" => "write its rules into this grammar, under names of their own",
                    _ => "spell the cases out",
                };
                let message = format!("`%{name}` in a rule is not supported: {help}");
                Err(self.scanner.unsupported(at, &format!("%{name}"), message))
            }
            _ => {
                let message = format!("`%{name}` does not stand inside a rule");
                Err(self.scanner.syntax(at, "directive", message))
            }
        }
    }
}

const NOTHING_TO_REPEAT: &str = "there is nothing before it to repeat, or two repetitions follow each other: put what is to be repeated in parentheses, and a character itself in double quotes";
