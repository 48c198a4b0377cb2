//! The formats of a structural tag as a table: each one once, parents before children.
//!
//! The table is made by going through itself: a format that is read puts its children at the end. So no nesting of the text
//! can overflow a stack here or in the passes that follow.

use crate::error::{CompileError, CompileErrorKind};
use crate::grammar::rules::TokenMember;
use crate::limits::TAG_FORMATS_MAX;
use crate::syntax::json::Value;
use crate::syntax::tags::fields::{Fields, Flag, invalid, refuse};
use crate::syntax::tags::free::Boundary;
use crate::syntax::tags::read;

/// A format and where it stands.
pub(super) struct Node<'j> {
    pub(super) at: Value<'j>,
    pub(super) format: Format<'j>,
}

/// What a stretch of the output must be. Children are numbers in the table.
pub(super) enum Format<'j> {
    /// This text.
    Text(&'j str),
    /// A JSON document, or parameters in another form.
    Schema {
        schema: Value<'j>,
        style: Style<'j>,
    },
    /// A text of a grammar in another language.
    Grammar(Value<'j>),
    /// A text that a pattern matches as a whole.
    Pattern(Value<'j>),
    /// Any text without some.
    AnyText {
        excludes: Vec<&'j str>,
        max_chars: Option<u32>,
    },
    /// Any text up to and with a marker.
    Until(Mark<'j>),
    Sequence(Vec<usize>),
    Or(Vec<usize>),
    Repeat {
        content: usize,
        min: u32,
        max: Option<u32>,
    },
    Tag {
        begin: Mark<'j>,
        content: usize,
        end: Ends<'j>,
    },
    /// Tags inside free text.
    Triggered {
        by: Triggers<'j>,
        tags: Vec<usize>,
        at_least_one: Flag,
        stop_after_first: Flag,
    },
    /// Tags with nothing but a separator between.
    Separated {
        tags: Vec<usize>,
        separator: &'j str,
        at_least_one: Flag,
        stop_after_first: Flag,
    },
    /// One of these tokens.
    Token(Vec<TokenMember>),
    /// One token but these.
    OtherToken(Vec<TokenMember>),
    /// Some tokens but these.
    AnyTokens {
        excludes: Vec<TokenMember>,
        max: Option<u32>,
    },
}

/// How the values of a schema are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style<'j> {
    Json,
    /// One of the known forms, by its name.
    Named(&'j str),
    /// As in `<p name="K">V</p>`: what stands before the name, between both and behind the value.
    Written(&'j str, &'j str, &'j str),
}

/// What begins or ends something.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Mark<'j> {
    Text(&'j str),
    Token(TokenMember),
}

/// What ends a tag.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Ends<'j> {
    /// One of these texts; of none: nothing, the tag ends with its content.
    Texts(Vec<&'j str>),
    Token(TokenMember),
}

/// What begins tags inside free text.
pub(super) enum Triggers<'j> {
    Texts { triggers: Vec<&'j str>, excludes: Vec<&'j str>, boundary: Boundary },
    Tokens { triggers: Vec<TokenMember>, excludes: Vec<TokenMember> },
}

/// The table while it is made.
pub(super) struct Table<'j> {
    /// With what is expected there until it has been read.
    nodes: Vec<(Value<'j>, Entry<'j>)>,
}

enum Entry<'j> {
    Pending(Expected),
    Read(Format<'j>),
}

/// What a value must describe.
#[derive(Clone, Copy)]
pub(super) enum Expected {
    Format,
    /// A tag, whose type may be left out.
    Tag,
    /// A JSON Schema.
    Schema,
}

impl<'j> Table<'j> {
    /// The table of a format and all that it is made of.
    pub(super) fn of(root: Value<'j>) -> Result<Vec<Node<'j>>, CompileError> {
        let mut table = Table { nodes: vec![(root, Entry::Pending(Expected::Format))] };
        let mut next = 0;
        while let Some((at, entry)) = table.nodes.get(next) {
            if let Entry::Pending(expected) = entry {
                let (at, expected) = (*at, *expected);
                let format = match expected {
                    Expected::Format => read::format(&mut table, at)?,
                    Expected::Tag => read::tag(&mut table, at)?,
                    Expected::Schema => Format::Schema { schema: at, style: Style::Json },
                };
                table.nodes[next].1 = Entry::Read(format);
            }
            if table.nodes.len() > TAG_FORMATS_MAX {
                let message = format!("it has more than {TAG_FORMATS_MAX} formats (TAG_FORMATS_MAX)");
                return Err(refuse(CompileErrorKind::Limit, root, "structural tag", message));
            }
            next += 1;
        }
        let node = |(at, entry)| match entry {
            Entry::Read(format) => Node { at, format },
            Entry::Pending(_) => unreachable!("every entry has been read"),
        };
        Ok(table.nodes.into_iter().map(node).collect())
    }

    /// The number of a format that is still to be read.
    pub(super) fn child(&mut self, at: Value<'j>, expected: Expected) -> usize {
        self.nodes.push((at, Entry::Pending(expected)));
        self.nodes.len() - 1
    }

    /// The numbers of the items of a list that are still to be read.
    pub(super) fn children(
        &mut self,
        fields: Fields<'j>,
        name: &str,
        expected: Expected,
    ) -> Result<Vec<usize>, CompileError> {
        let list = fields.required(name)?;
        if !list.is_array() || list.is_empty() {
            let message = format!(
                "expected an array of at least one format, found {}",
                if list.is_array() { "an empty one" } else { list.kind().words() }
            );
            return Err(invalid(list, name, message));
        }
        Ok(list.items().map(|item| self.child(item, expected)).collect())
    }

    /// The number of a format that the text does not spell out.
    pub(super) fn made(&mut self, at: Value<'j>, format: Format<'j>) -> usize {
        self.nodes.push((at, Entry::Read(format)));
        self.nodes.len() - 1
    }

    /// The number of a tag that the text does not spell out, without an end; its content is still to be read.
    pub(super) fn made_tag(&mut self, at: Value<'j>, begin: Mark<'j>, content: Value<'j>) -> usize {
        let number = self.nodes.len();
        let format = Format::Tag { begin, content: number + 1, end: Ends::Texts(Vec::new()) };
        self.made(at, format);
        self.child(content, Expected::Format);
        number
    }
}
