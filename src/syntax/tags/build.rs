//! From the table of formats to a grammar, children before parents.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::error::{CompileError, CompileErrorKind, Place};
use crate::grammar::regex::{CharSet, Regex};
use crate::grammar::rules::{Builder, Grammar, TokenMember, TokenSet};
use crate::index::ExprId;
use crate::limits::TAG_FREE_BYTES_MAX;
use crate::syntax::json::Value;
use crate::syntax::pattern;
use crate::syntax::tags::Grammars;
use crate::syntax::tags::by_text::choice_by_text;
use crate::syntax::tags::embed::embed;
use crate::syntax::tags::ends::Facts;
use crate::syntax::tags::fields::{Flag, refuse, text};
use crate::syntax::tags::firing;
use crate::syntax::tags::format::{Ends, Format, Mark, Node, Style, Triggers};
use crate::syntax::tags::free::{Free, until};
use crate::syntax::tags::parameters;
use crate::syntax::tags::schemas::Schemas;

/// A grammar while it is made.
pub(super) struct Build<'n, 'j, 'o> {
    pub(super) nodes: &'n [Node<'j>],
    pub(super) facts: Facts,
    pub(super) builder: Builder,
    pub(super) schemas: Schemas<'o>,
    /// What each format has become; of a tag, what stands behind its beginning.
    built: Vec<Option<ExprId>>,
    /// The expressions of schemas, by their number.
    documents: FxHashMap<usize, ExprId>,
    /// The ends of tags.
    ends: FxHashMap<usize, ExprId>,
    /// Bytes of the markers of all free texts so far.
    free_bytes: usize,
    grammars: &'o Grammars<'o>,
}

impl<'n, 'j, 'o> Build<'n, 'j, 'o> {
    pub(super) fn new(
        nodes: &'n [Node<'j>],
        facts: Facts,
        schemas: Schemas<'o>,
        grammars: &'o Grammars<'o>,
    ) -> Self {
        let built = vec![None; nodes.len()];
        let (documents, ends) = (FxHashMap::default(), FxHashMap::default());
        Self {
            nodes,
            facts,
            builder: Builder::new(),
            schemas,
            built,
            documents,
            ends,
            free_bytes: 0,
            grammars,
        }
    }

    pub(super) fn run(mut self) -> Result<(Grammar, Schemas<'o>), CompileError> {
        let start = self.builder.rule("output", None);
        for at in (0..self.nodes.len()).rev() {
            let built = self.format(at)?;
            self.built[at] = Some(built);
        }
        let body = self.whole(0);
        self.builder.define(start, body, None)?;
        Ok((self.builder.finish(start)?, self.schemas))
    }

    /// All of a format, a tag's beginning too.
    fn whole(&mut self, at: usize) -> ExprId {
        let built = self.behind(at);
        match &self.nodes[at].format {
            Format::Tag { begin, .. } => {
                let begin = self.mark(begin);
                self.builder.sequence([begin, built])
            }
            _ => built,
        }
    }

    fn behind(&mut self, at: usize) -> ExprId {
        match self.built[at] {
            Some(built) => built,
            None => unreachable!("children are built before their parents"),
        }
    }

    /// A child, with the end that its parent has to read unless the child does.
    fn with_end(&mut self, child: usize, tail: Option<usize>) -> ExprId {
        let built = self.whole(child);
        if self.facts.open[child] { built } else { self.closed(built, tail) }
    }

    fn closed(&mut self, built: ExprId, tail: Option<usize>) -> ExprId {
        match tail {
            None => built,
            Some(tag) => {
                let end = self.end_of(tag);
                self.builder.sequence([built, end])
            }
        }
    }

    /// The end of a tag.
    fn end_of(&mut self, tag: usize) -> ExprId {
        if let Some(&known) = self.ends.get(&tag) {
            return known;
        }
        let end = match &self.nodes[tag].format {
            Format::Tag { end: Ends::Texts(texts), .. } if !texts.is_empty() => {
                self.builder.regex(Regex::literals(texts.iter().copied()))
            }
            Format::Tag { end: Ends::Token(token), .. } => self.one_token(token),
            _ => self.builder.sequence([]),
        };
        self.ends.insert(tag, end);
        end
    }

    /// Free text that does without these, `times` times. What is excluded and is an end anyway is an end.
    fn free(&mut self, at: usize, free: Free<'j>, times: usize) -> Result<Free<'j>, CompileError> {
        self.free_bytes = self.free_bytes.saturating_add(free.bytes().saturating_mul(times));
        if self.free_bytes > TAG_FREE_BYTES_MAX {
            let message = format!(
                "the triggers, ends and excluded texts of all free texts are more than {TAG_FREE_BYTES_MAX} bytes, once for \
                 each trigger (TAG_FREE_BYTES_MAX): use a common beginning of the tags as their trigger"
            );
            return Err(refuse(CompileErrorKind::Limit, self.nodes[at].at, "free text", message));
        }
        let ends: FxHashSet<&str> = free.ends.iter().copied().collect();
        let excludes = free.excludes.into_iter().filter(|text| !ends.contains(text)).collect();
        Ok(Free { excludes, ..free })
    }

    fn one_token(&mut self, token: &TokenMember) -> ExprId {
        self.builder.token(TokenSet { members: vec![token.clone()], negated: false })
    }

    fn mark(&mut self, mark: &Mark<'_>) -> ExprId {
        match mark {
            Mark::Text(text) => self.builder.text(text),
            Mark::Token(token) => self.one_token(token),
        }
    }

    fn format(&mut self, at: usize) -> Result<ExprId, CompileError> {
        let (node, tail) = (&self.nodes[at], self.facts.tail[at]);
        Ok(match &node.format {
            Format::Text(text) => self.builder.text(text),
            Format::Schema { schema, style } => self.schema(*schema, *style)?,
            Format::Grammar(value) => {
                let read =
                    (self.grammars)(text(*value, "grammar")?).map_err(|e| e.below(&value.pointer()))?;
                embed(&mut self.builder, &read)?
            }
            Format::Pattern(value) => {
                let regex = whole_pattern(*value)?;
                self.builder.regex(regex)
            }
            Format::AnyText { excludes, max_chars } => self.any_text(at, excludes, *max_chars)?,
            Format::Until(Mark::Text(stop)) => self.builder.regex(until(stop)),
            Format::Until(Mark::Token(token)) => {
                let (any, token) = (self.builder.regex(Regex::any_text()), self.one_token(token));
                self.builder.sequence([any, token])
            }
            Format::Sequence(parts) => {
                let mut all: Vec<ExprId> = Vec::with_capacity(parts.len());
                for (i, &part) in parts.iter().enumerate() {
                    let tail = if i + 1 == parts.len() { tail } else { None };
                    all.push(self.with_end(part, tail));
                }
                self.builder.sequence(all)
            }
            Format::Or(parts) => {
                let all: Vec<ExprId> = parts.iter().map(|&part| self.with_end(part, tail)).collect();
                self.builder.choice(all)
            }
            Format::Repeat { content, min: 0, max: Some(1) } => {
                let empty = self.builder.sequence([]);
                let (with, without) = (self.with_end(*content, tail), self.closed(empty, tail));
                self.builder.choice([with, without])
            }
            Format::Repeat { content, min, max } => {
                let content = self.whole(*content);
                self.builder.repeat(content, *min, *max)
            }
            Format::Tag { content, end: Ends::Texts(texts), .. } if texts.is_empty() => {
                self.with_end(*content, tail)
            }
            Format::Tag { content, .. } => self.with_end(*content, Some(at)),
            Format::Triggered { by, tags, at_least_one, stop_after_first } => {
                let parts = match by {
                    Triggers::Texts { .. } => self.by_texts(at, tags, tail)?,
                    Triggers::Tokens { triggers, excludes } => {
                        self.by_tokens(at, tags, triggers, excludes)?
                    }
                };
                self.in_free_text(parts, *at_least_one, *stop_after_first, tail)
            }
            Format::Separated { tags, separator, at_least_one, stop_after_first } => {
                let tags: Vec<(usize, &str)> = tags.iter().map(|&tag| (tag, "")).collect();
                let tag = self.any_tag(&tags);
                self.separated(tag, separator, *at_least_one, *stop_after_first)
            }
            Format::Token(members) => {
                self.builder.token(TokenSet { members: members.clone(), negated: false })
            }
            Format::OtherToken(members) => {
                self.builder.token(TokenSet { members: members.clone(), negated: true })
            }
            Format::AnyTokens { excludes, max } => {
                let others = self.other_tokens(excludes, tail);
                let many = self.builder.repeat(others, 0, *max);
                self.closed(many, tail)
            }
        })
    }

    /// Each tag that a list names, told apart by what its beginning is without some bytes.
    fn any_tag(&mut self, tags: &[(usize, &str)]) -> ExprId {
        let mut by_text = Vec::new();
        let mut others = Vec::new();
        for &(tag, without) in tags {
            let built = self.behind(tag);
            match &self.nodes[tag].format {
                Format::Tag { begin: Mark::Text(begin), .. } => {
                    by_text.push((&begin[without.len()..], built))
                }
                _ => others.push(self.whole(tag)),
            }
        }
        if !by_text.is_empty() {
            others.push(choice_by_text(&mut self.builder, by_text));
        }
        self.builder.choice(others)
    }

    fn separated(
        &mut self,
        tag: ExprId,
        separator: &str,
        at_least_one: Flag,
        stop_after_first: Flag,
    ) -> ExprId {
        let mut all = vec![tag];
        if stop_after_first == Flag::Off {
            let separator = self.builder.text(separator);
            let more = self.builder.sequence([separator, tag]);
            all.push(self.builder.repeat(more, 0, None));
        }
        let all = self.builder.sequence(all);
        if at_least_one == Flag::On { all } else { self.builder.optional(all) }
    }

    fn schema(&mut self, schema: Value<'j>, style: Style<'j>) -> Result<ExprId, CompileError> {
        let number = self.schemas.read(schema)?;
        let form = match style {
            Style::Json => {
                if let Some(&known) = self.documents.get(&number) {
                    return Ok(known);
                }
                let document = self.builder.schema(self.schemas.program(number).clone());
                self.documents.insert(number, document);
                return Ok(document);
            }
            Style::Named(name) => parameters::named(name),
            Style::Written(before, middle, behind) => parameters::Form::plain(before, middle, behind),
        };
        let what = parameters::Described { number, pointer: &schema.pointer() };
        parameters::build(&mut self.builder, &mut self.schemas, &what, &form)
    }

    fn any_text(
        &mut self,
        at: usize,
        excludes: &[&'j str],
        max_chars: Option<u32>,
    ) -> Result<ExprId, CompileError> {
        let tail = self.facts.tail[at];
        let free = Free { excludes: excludes.to_vec(), ends: self.ends_of(tail), ..Free::default() };
        let free = self.free(at, free, 1)?;
        let at_most = |regex: Regex, ends: Regex| match max_chars {
            None => regex,
            Some(max) => Regex::and([regex, Regex::set(CharSet::any()).repeat(0, Some(max)).then(ends)]),
        };
        if free.ends.is_empty() {
            let text = self.builder.regex(at_most(free.rest(), Regex::Empty));
            return Ok(self.closed(text, tail));
        }
        Ok(self.builder.regex(at_most(free.to_end(), Regex::literals(free.ends.iter().copied()))))
    }

    /// The texts that end the tag whose end an open format reads.
    fn ends_of(&self, tail: Option<usize>) -> Vec<&'j str> {
        match tail.map(|tag| &self.nodes[tag].format) {
            Some(Format::Tag { end: Ends::Texts(texts), .. }) => texts.clone(),
            _ => Vec::new(),
        }
    }

    fn other_tokens(&mut self, excludes: &[TokenMember], tail: Option<usize>) -> ExprId {
        let mut members = excludes.to_vec();
        if let Some(Format::Tag { end: Ends::Token(token), .. }) = tail.map(|tag| &self.nodes[tag].format) {
            members.push(token.clone());
        }
        self.builder.token(TokenSet { members, negated: true })
    }

    /// Free text and a tag; a tag; the free text behind the last tag, with the end that belongs there.
    fn by_texts(
        &mut self,
        at: usize,
        tags: &[usize],
        tail: Option<usize>,
    ) -> Result<[ExprId; 3], CompileError> {
        let nodes = self.nodes;
        let Format::Triggered { by: Triggers::Texts { triggers, excludes, boundary }, .. } =
            &nodes[at].format
        else {
            unreachable!("the caller has looked")
        };
        let ends = self.ends_of(tail);
        let free = Free { triggers: triggers.clone(), boundary: *boundary, excludes: excludes.clone(), ends };
        let free = self.free(at, free, triggers.len())?;
        let mut fired: Vec<Vec<(usize, &str)>> = vec![Vec::new(); triggers.len()];
        for &tag in tags {
            let trigger = firing::trigger_of(&nodes[tag], &free)?;
            fired[trigger].push((tag, triggers[trigger]));
        }
        let mut rounds = Vec::new();
        for (trigger, tags) in triggers.iter().zip(&fired) {
            if !tags.is_empty() {
                let text = self.builder.regex(free.to_trigger(trigger));
                let tag = self.any_tag(tags);
                rounds.push(self.builder.sequence([text, tag]));
            }
        }
        let round = self.builder.choice(rounds);
        let all: Vec<(usize, &str)> = tags.iter().map(|&tag| (tag, "")).collect();
        let full = self.any_tag(&all);
        let close = if free.ends.is_empty() {
            let rest = self.builder.regex(free.rest());
            self.closed(rest, tail)
        } else {
            self.builder.regex(free.to_end())
        };
        Ok([round, full, close])
    }

    /// As [`Self::by_texts`].
    fn by_tokens(
        &mut self,
        at: usize,
        tags: &[usize],
        triggers: &[TokenMember],
        excludes: &[TokenMember],
    ) -> Result<[ExprId; 3], CompileError> {
        let tail = self.facts.tail[at];
        let known = firing::Tokens::new(triggers, excludes);
        for &tag in tags {
            known.check(&self.nodes[tag])?;
        }
        let stops: Vec<TokenMember> = triggers.iter().chain(excludes).cloned().collect();
        let other = self.other_tokens(&stops, tail);
        let free = self.builder.repeat(other, 0, None);
        let tags: Vec<(usize, &str)> = tags.iter().map(|&tag| (tag, "")).collect();
        let full = self.any_tag(&tags);
        let round = self.builder.sequence([free, full]);
        let close = self.closed(free, tail);
        Ok([round, full, close])
    }

    fn in_free_text(
        &mut self,
        [round, full, close]: [ExprId; 3],
        at_least_one: Flag,
        stop_after_first: Flag,
        tail: Option<usize>,
    ) -> ExprId {
        match (at_least_one, stop_after_first) {
            (Flag::On, Flag::On) => full,
            (Flag::Off, Flag::On) => {
                let once = self.closed(round, tail);
                self.builder.choice([once, close])
            }
            (first, Flag::Off) => {
                let more = self.builder.repeat(round, 0, None);
                let all = if first == Flag::On { vec![full, more, close] } else { vec![more, close] };
                self.builder.sequence(all)
            }
        }
    }
}

fn whole_pattern(at: Value<'_>) -> Result<Regex, CompileError> {
    let source = text(at, "regex")?;
    pattern::parse_whole(source).map_err(|e| {
        let kind = match e.construct {
            "syntax" => CompileErrorKind::Invalid,
            "limit" => CompileErrorKind::Limit,
            _ => CompileErrorKind::Unsupported,
        };
        let place = Place { document: None, pointer: Some(at.pointer()), position: Some(at.position()) };
        let message = format!("{} (at byte {} of {source:?})", e.message, e.byte);
        CompileError::new(kind, place, format!("regex: {}", e.construct), message)
    })
}
