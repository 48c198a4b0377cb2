//! The syntax of ECMA-262 patterns: alternatives, terms, groups, quantifiers.
//!
//! Recursive descent over the text, one function a production; groups nest at most [`PATTERN_DEPTH_MAX`] deep. Lazy
//! and greedy quantifiers mean the same language, and so do capturing and other groups, so the tree knows neither. Nor
//! does it know flags: they are worked into the sets and anchors where they hold.

use std::collections::BTreeMap;

use super::classes::{Atom, dot, word};
use super::flags::Flags;
use super::unicode::{case_closure, property};
use super::{Mode, Node, PatternError, Side, Way};
use crate::grammar::regex::CharSet;
use crate::limits::PATTERN_DEPTH_MAX;

/// Reads a whole pattern, from the byte `from` on, under these flags.
pub(super) fn parse(pattern: &str, mode: Mode, flags: Flags, from: usize) -> Result<Node, PatternError> {
    let (group_count, named_count) = count_groups(pattern);
    let mut parser = Parser {
        pattern,
        mode,
        flags,
        at: from,
        depth: 0,
        group_count,
        has_names: mode == Mode::Unicode || named_count > 0,
        disjunction_count: 0,
        path: Vec::new(),
        names: BTreeMap::new(),
        references: Vec::new(),
    };
    let node = parser.disjunction()?;
    if parser.at < pattern.len() {
        return Err(parser.syntax(parser.at, "`)` without `(`"));
    }
    for (byte, name) in &parser.references {
        if !parser.names.contains_key(name) {
            return Err(parser.syntax(*byte, "the group of this name does not exist"));
        }
    }
    Ok(node)
}

/// Where an alternative lies: which alternative of which disjunction, from the outermost on.
type Path = Vec<(usize, usize)>;

pub(super) struct Parser<'a> {
    pattern: &'a str,
    pub(super) mode: Mode,
    /// The flags that hold here.
    pub(super) flags: Flags,
    /// Byte offset of what is read next.
    pub(super) at: usize,
    depth: usize,
    /// Capturing groups of the whole pattern.
    group_count: usize,
    /// Whether `\k` is a reference.
    pub(super) has_names: bool,
    disjunction_count: usize,
    path: Path,
    /// Where each group name stands; twice only in alternatives that exclude each other.
    names: BTreeMap<String, Vec<Path>>,
    /// References by name.
    references: Vec<(usize, String)>,
}

impl<'a> Parser<'a> {
    pub(super) fn rest(&self) -> &'a str {
        &self.pattern[self.at..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Whether the character comes next, which is then taken.
    pub(super) fn take(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    fn take_text(&mut self, text: &str) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }

    pub(super) fn syntax(&self, byte: usize, message: &str) -> PatternError {
        PatternError::new("syntax", byte, message)
    }

    fn disjunction(&mut self) -> Result<Node, PatternError> {
        let ordinal = self.disjunction_count;
        self.disjunction_count += 1;
        let mut alternatives = Vec::new();
        loop {
            self.path.push((ordinal, alternatives.len()));
            let alternative = self.alternative();
            self.path.pop();
            alternatives.push(alternative?);
            if !self.take('|') {
                break;
            }
        }
        Ok(match alternatives.len() {
            1 => alternatives.remove(0),
            _ => Node::Or(alternatives),
        })
    }

    fn alternative(&mut self) -> Result<Node, PatternError> {
        let mut terms = Vec::new();
        while let Some(c) = self.peek() {
            if c == '|' || c == ')' {
                break;
            }
            terms.push(self.term()?);
        }
        Ok(match terms.len() {
            0 => Node::Empty,
            1 => terms.remove(0),
            _ => Node::Concat(terms),
        })
    }

    fn term(&mut self) -> Result<Node, PatternError> {
        let start = self.at;
        let unicode = self.mode == Mode::Unicode;
        let c = self.next().expect("the caller has seen a character");
        let atom = match c {
            '^' if self.flags.multiline => return Ok(line_edge(Way::Behind, start)),
            '$' if self.flags.multiline => return Ok(line_edge(Way::Ahead, start)),
            '^' => return Ok(Node::Start),
            '$' => return Ok(Node::End),
            '*' | '+' | '?' => return Err(self.syntax(start, "there is nothing to repeat")),
            '{' if unicode || self.braces(start)?.is_some() => {
                return Err(self.syntax(start, "there is nothing to repeat; a literal brace is `\\{`"));
            }
            '}' | ']' if unicode => {
                return Err(self.syntax(start, "a literal bracket or brace needs a backslash"));
            }
            '.' if self.flags.dot_all => Node::Set(CharSet::any()),
            '.' => Node::Set(dot()),
            '[' => Node::Set(self.class()?),
            '\\' => {
                if let Some(boundary) = self.boundary() {
                    return Ok(boundary);
                }
                self.atom_escape(start)?
            }
            '(' => {
                let group = self.group(start)?;
                match group.kind {
                    GroupKind::Look(Way::Behind) => return Ok(group.node),
                    GroupKind::Look(Way::Ahead) if unicode => return Ok(group.node),
                    GroupKind::Look(Way::Ahead) | GroupKind::Plain => group.node,
                }
            }
            c => Node::Set(self.folded(CharSet::single(c))),
        };
        self.quantified(atom)
    }

    fn boundary(&mut self) -> Option<Node> {
        let side = match self.peek()? {
            'b' => Side::Holds,
            'B' => Side::Fails,
            _ => return None,
        };
        self.at += 1;
        Some(Node::Boundary { side, word: self.folded(word()) })
    }

    /// The characters that count as members where case may not matter.
    pub(super) fn folded(&self, set: CharSet) -> CharSet {
        if self.flags.ignore_case { case_closure(&set) } else { set }
    }

    /// An escape outside a class; the parser stands behind the backslash.
    fn atom_escape(&mut self, start: usize) -> Result<Node, PatternError> {
        let reference = Node::Reference { byte: start };
        match self.peek() {
            Some('k') if self.has_names => {
                self.at += 1;
                if !self.take('<') {
                    return Err(self.syntax(start, "`\\k` needs a group name"));
                }
                let name = self.group_name(start)?;
                self.references.push((start, name));
                return Ok(reference);
            }
            Some('1'..='9') => {
                let digits: String = self.rest().chars().take_while(char::is_ascii_digit).collect();
                if digits.parse().is_ok_and(|number: usize| number <= self.group_count) {
                    self.at += digits.len();
                    return Ok(reference);
                }
            }
            _ => {}
        }
        let set = self.escape(start)?.into_set();
        Ok(Node::Set(self.folded(set)))
    }

    fn group(&mut self, start: usize) -> Result<Group, PatternError> {
        let outside = self.flags;
        let mut kind = GroupKind::Plain;
        let mut side = Side::Holds;
        if self.take_text("?<=") {
            kind = GroupKind::Look(Way::Behind);
        } else if self.take_text("?<!") {
            (kind, side) = (GroupKind::Look(Way::Behind), Side::Fails);
        } else if self.take_text("?=") {
            kind = GroupKind::Look(Way::Ahead);
        } else if self.take_text("?!") {
            (kind, side) = (GroupKind::Look(Way::Ahead), Side::Fails);
        } else if self.take_text("?<") {
            self.declare(start)?;
        } else if self.rest().starts_with('?') && !self.take_text("?:") {
            self.modifiers(start)?;
        }
        if self.depth == PATTERN_DEPTH_MAX {
            let message = format!("groups are nested more than {PATTERN_DEPTH_MAX} deep");
            return Err(PatternError::new("limit", start, message));
        }
        self.depth += 1;
        let body = self.disjunction()?;
        self.depth -= 1;
        self.flags = outside;
        if !self.take(')') {
            return Err(self.syntax(start, "the group is not closed: `)` is missing"));
        }
        let node = match kind {
            GroupKind::Plain => body,
            GroupKind::Look(way) => Node::Look { way, side, body: Box::new(body), byte: start },
        };
        Ok(Group { node, kind })
    }

    /// `(?i-s:`: the flags inside; the parser stands at the question mark.
    fn modifiers(&mut self, start: usize) -> Result<(), PatternError> {
        let rest = &self.rest()[1..];
        let len = rest.bytes().take_while(|b| b"ims-".contains(b)).count();
        match (self.flags.modified(&rest[..len]), rest.as_bytes().get(len)) {
            (Some(flags), Some(b':')) => {
                self.flags = flags;
                self.at += len + 2;
                Ok(())
            }
            (Some(_), Some(b')')) => {
                let message = "flags without a group stand only at the very start; here write `(?i:…)`";
                Err(self.syntax(start, message))
            }
            _ => Err(self.syntax(start, "this kind of group is not in ECMA-262")),
        }
    }

    /// Notes the name of a group; the parser stands behind `(?<`.
    fn declare(&mut self, start: usize) -> Result<(), PatternError> {
        let name = self.group_name(start)?;
        let paths = self.names.entry(name).or_default();
        let excluded = |other: &Path| {
            self.path.iter().any(|&(disjunction, alternative)| {
                other.iter().any(|&(d, a)| d == disjunction && a != alternative)
            })
        };
        let unique = paths.iter().all(excluded);
        paths.push(self.path.clone());
        if unique { Ok(()) } else { Err(self.syntax(start, "two groups have the same name")) }
    }

    /// A group name up to and with `>`.
    fn group_name(&mut self, start: usize) -> Result<String, PatternError> {
        let malformed = "the group name is not an identifier followed by `>`";
        let mut name = String::new();
        loop {
            let c = match self.next() {
                Some('>') if !name.is_empty() => return Ok(name),
                Some('\\') => {
                    // Always by the rules of the `u` flag.
                    let mode = std::mem::replace(&mut self.mode, Mode::Unicode);
                    let point = if self.peek() == Some('u') {
                        self.escape(start)
                    } else {
                        Err(self.syntax(start, malformed))
                    };
                    self.mode = mode;
                    match point? {
                        Atom::Point(point) => char::from_u32(point),
                        Atom::Set(_) => None,
                    }
                }
                other => other,
            };
            match c {
                Some(c) if is_identifier(c, name.is_empty()) => name.push(c),
                _ => return Err(self.syntax(start, malformed)),
            }
        }
    }

    /// The atom with the quantifier that follows it, if one does.
    fn quantified(&mut self, atom: Node) -> Result<Node, PatternError> {
        let start = self.at;
        let (min, max) = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => {
                self.at += 1;
                match self.braces(start)? {
                    Some(counts) => {
                        self.take('?');
                        return Ok(Node::Repeat { body: Box::new(atom), min: counts.0, max: counts.1 });
                    }
                    None if self.mode == Mode::Unicode => {
                        return Err(self.syntax(start, "not a quantifier; a literal brace is `\\{`"));
                    }
                    None => {
                        self.at = start;
                        return Ok(atom);
                    }
                }
            }
            _ => return Ok(atom),
        };
        self.at += 1;
        self.take('?');
        Ok(Node::Repeat { body: Box::new(atom), min, max })
    }

    /// The counts of `{m}`, `{m,}`, `{m,n}`, the closing brace taken; the parser stands behind the brace at `start`.
    /// `None`, and nothing is taken, if it is not a quantifier.
    fn braces(&mut self, start: usize) -> Result<Option<(u32, Option<u32>)>, PatternError> {
        let rest = self.rest();
        let digits = |text: &'a str| &text[..text.bytes().take_while(u8::is_ascii_digit).count()];
        let low = digits(rest);
        let mut len = low.len();
        let mut high = None;
        if rest[len..].starts_with(',') {
            let found = digits(&rest[len + 1..]);
            len += 1 + found.len();
            high = Some(found);
        }
        if low.is_empty() || !rest[len..].starts_with('}') {
            return Ok(None);
        }
        let number = |text: &str| {
            text.parse::<u32>().map_err(|_| PatternError::new("limit", start, "a count exceeds 4294967295"))
        };
        let max = match high {
            None => Some(number(low)?),
            Some("") => None,
            Some(high) => Some(number(high)?),
        };
        let min = number(low)?;
        if max.is_some_and(|max| max < min) {
            return Err(self.syntax(start, "the counts of the quantifier are out of order"));
        }
        self.at += len + 1;
        Ok(Some((min, max)))
    }
}

/// A group as read.
struct Group {
    node: Node,
    kind: GroupKind,
}

enum GroupKind {
    Plain,
    Look(Way),
}

/// `^` or `$` at the edge of a line: no character there, or a line terminator.
fn line_edge(way: Way, byte: usize) -> Node {
    Node::Look { way, side: Side::Fails, body: Box::new(Node::Set(dot())), byte }
}

fn is_identifier(c: char, first: bool) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphabetic() || c == '$' || c == '_' || (!first && c.is_ascii_digit());
    }
    let name = if first { "ID_Start" } else { "ID_Continue" };
    (!first && matches!(c, '\u{200C}' | '\u{200D}')) || property(name).is_some_and(|set| set.contains(c))
}

/// Capturing groups of a pattern, and how many of them have names; right for every pattern that is well-formed.
fn count_groups(pattern: &str) -> (usize, usize) {
    let (mut all, mut named, mut in_class) = (0, 0, false);
    let mut chars = pattern.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => {
                chars.next();
            }
            '[' => in_class = true,
            ']' => in_class = false,
            '(' if !in_class => {
                let rest = &pattern[at + 1..];
                let name = rest.starts_with("?<") && !rest.starts_with("?<=") && !rest.starts_with("?<!");
                all += usize::from(name || !rest.starts_with('?'));
                named += usize::from(name);
            }
            _ => {}
        }
    }
    (all, named)
}
