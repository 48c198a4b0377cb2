//! The notation of the cases: a few lines that call the builder of grammars, not a front end.
//!
//! Rules end with a line break, the first is the start: `s ::= a* ("+" | [x-z]){1,2} "" <3>`, where `<3>` is a token as a letter.

use maskwright::grammar::regex::{CharSet, Regex};
use maskwright::grammar::rules::{Builder, Grammar, TokenMember, TokenSet};
use maskwright::index::ExprId;

/// The grammar that a text describes.
///
/// # Panics
/// If the text is not in the notation, or names a rule that it does not define.
#[must_use]
pub fn grammar(text: &str) -> Grammar {
    let mut builder = Builder::new();
    let mut start = None;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let (name, body) = line.split_once("::=").expect("a rule has `::=`");
        let rule = builder.rule(name.trim(), None);
        start.get_or_insert(rule);
        let mut reader = Reader { rest: body, builder: &mut builder };
        let body = reader.choice();
        assert!(reader.rest.is_empty(), "not read: {}", reader.rest);
        builder.define(rule, body, None).expect("each rule is defined once");
    }
    builder.finish(start.expect("there is a rule")).expect("every rule is defined")
}

struct Reader<'t, 'b> {
    rest: &'t str,
    builder: &'b mut Builder,
}

impl<'t> Reader<'t, '_> {
    /// Whether the rest goes on with this, which is then behind.
    fn takes(&mut self, what: &str) -> bool {
        self.rest = self.rest.trim_start();
        let after = self.rest.strip_prefix(what);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn until(&mut self, end: &str) -> &'t str {
        let (inside, after) = self.rest.split_once(end).expect("what opens closes");
        self.rest = after;
        inside
    }

    fn choice(&mut self) -> ExprId {
        let mut ways = vec![self.sequence()];
        while self.takes("|") {
            ways.push(self.sequence());
        }
        self.builder.choice(ways)
    }

    fn sequence(&mut self) -> ExprId {
        let mut parts = Vec::new();
        while let Some(part) = self.repeated() {
            parts.push(part);
        }
        self.builder.sequence(parts)
    }

    fn repeated(&mut self) -> Option<ExprId> {
        let mut body = self.single()?;
        loop {
            let (min, max) = if self.takes("*") {
                (0, None)
            } else if self.takes("+") {
                (1, None)
            } else if self.takes("?") {
                (0, Some(1))
            } else if self.takes("{") {
                let counts = self.until("}");
                let (min, max) = counts.split_once(',').unwrap_or((counts, counts));
                (min.parse().expect("a count"), max.parse().ok())
            } else {
                return Some(body);
            };
            body = self.builder.repeat(body, min, max);
        }
    }

    fn single(&mut self) -> Option<ExprId> {
        if self.takes("\"") {
            let text = self.until("\"");
            return Some(self.builder.text(text));
        }
        if self.takes("[") {
            let inside = self.until("]");
            return Some(self.builder.regex(Regex::set(set(inside))));
        }
        if self.takes("<") {
            let id = self.until(">").parse().expect("a token id");
            let members = vec![TokenMember::Ids(id, id)];
            return Some(self.builder.token(TokenSet { members, negated: false }));
        }
        if self.takes("(") {
            let inside = self.choice();
            assert!(self.takes(")"), "what opens closes: {}", self.rest);
            return Some(inside);
        }
        let end = self.rest.find(|c: char| !c.is_ascii_lowercase()).unwrap_or(self.rest.len());
        let (name, after) = self.rest.split_at(end);
        self.rest = after;
        if name.is_empty() {
            return None;
        }
        let rule = self.builder.rule(name, None);
        Some(self.builder.call(rule))
    }
}

/// Characters and ranges of them; all others after `^`.
fn set(inside: &str) -> CharSet {
    let (members, is_negated) = inside.strip_prefix('^').map_or((inside, false), |members| (members, true));
    let chars: Vec<char> = members.chars().collect();
    let mut ranges = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let is_range = chars.get(at + 1) == Some(&'-') && at + 2 < chars.len();
        let last = if is_range { at + 2 } else { at };
        ranges.push((u32::from(chars[at]), u32::from(chars[last])));
        at = last + 1;
    }
    let set = CharSet::from_ranges(ranges);
    if is_negated { set.complement() } else { set }
}
