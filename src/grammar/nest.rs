//! Expressions that are still open while a grammar's text is read: a stack of brackets, so that no nesting of the text
//! becomes nesting of calls.

use crate::error::{CompileError, CompileErrorKind, Position};
use crate::grammar::regex::Regex;
use crate::grammar::rules::Builder;
use crate::grammar::scan::Scanner;
use crate::index::ExprId;
use crate::limits::GRAMMAR_DEPTH_MAX;

/// A kind of bracket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bracket {
    /// `( )`.
    Round,
    /// `[ ]`, where they mean an option.
    Square,
    /// `{ }`, where they mean a repetition.
    Curly,
}

impl Bracket {
    /// The character that opens it.
    pub(crate) fn opening(self) -> char {
        match self {
            Self::Round => '(',
            Self::Square => '[',
            Self::Curly => '{',
        }
    }

    /// The character that closes it.
    pub(crate) fn closing(self) -> char {
        match self {
            Self::Round => ')',
            Self::Square => ']',
            Self::Curly => '}',
        }
    }
}

/// The expression of one rule as far as it has been read.
pub(crate) struct Nest {
    /// What is open, the whole expression first.
    groups: Vec<Group>,
}

/// An open bracket, or the whole expression.
struct Group {
    /// With the byte at which it stands; `None` for the whole.
    bracket: Option<(Bracket, usize)>,
    alternatives: Vec<ExprId>,
    sequence: Vec<Item>,
    /// A `-` whose right side is still to come.
    minus: Option<Position>,
    /// How many times the next item counts.
    count: Option<u32>,
}

struct Item {
    expr: ExprId,
    /// The `-` that takes this item from the one before.
    minus: Option<Position>,
}

impl Group {
    fn new(bracket: Option<(Bracket, usize)>) -> Self {
        Self { bracket, alternatives: Vec::new(), sequence: Vec::new(), minus: None, count: None }
    }
}

impl Nest {
    /// Nothing read yet.
    pub(crate) fn new() -> Self {
        Self { groups: vec![Group::new(None)] }
    }

    fn top(&mut self) -> &mut Group {
        self.groups.last_mut().expect("the whole expression is never closed")
    }

    /// Whether a bracket is open.
    pub(crate) fn is_nested(&self) -> bool {
        self.groups.len() > 1
    }

    /// Whether nothing at all has been read.
    pub(crate) fn is_empty(&self) -> bool {
        let [whole] = &self.groups[..] else { return false };
        whole.alternatives.is_empty() && whole.sequence.is_empty()
    }

    /// The innermost open bracket and its byte.
    pub(crate) fn bracket(&self) -> Option<(Bracket, usize)> {
        self.groups.last().and_then(|group| group.bracket)
    }

    /// A bracket opens at this byte.
    pub(crate) fn open(
        &mut self,
        scanner: &Scanner,
        bracket: Bracket,
        byte: usize,
    ) -> Result<(), CompileError> {
        if self.groups.len() > GRAMMAR_DEPTH_MAX {
            let message = format!(
                "brackets are nested more than {GRAMMAR_DEPTH_MAX} deep (GRAMMAR_DEPTH_MAX); give inner parts rules of their own"
            );
            return Err(scanner.error(CompileErrorKind::Limit, byte, "nesting", message));
        }
        self.groups.push(Group::new(Some((bracket, byte))));
        Ok(())
    }

    /// An item follows.
    pub(crate) fn item(&mut self, builder: &mut Builder, expr: ExprId) {
        let group = self.top();
        let minus = group.minus.take();
        let expr = match group.count.take() {
            Some(count) => builder.repeat(expr, count, Some(count)),
            None => expr,
        };
        self.top().sequence.push(Item { expr, minus });
    }

    /// The next item counts so many times; `false` if a count is already waiting for its item.
    pub(crate) fn count(&mut self, count: u32) -> bool {
        let group = self.top();
        let is_first = group.count.is_none();
        group.count = Some(count);
        is_first
    }

    /// Whether a count waits for its item.
    pub(crate) fn awaits_item(&mut self) -> bool {
        self.top().count.is_some()
    }

    /// The last item is repeated; `false` if there is none.
    pub(crate) fn repeat(&mut self, builder: &mut Builder, min: u32, max: Option<u32>) -> bool {
        let group = self.top();
        match group.sequence.last_mut() {
            Some(item) if group.minus.is_none() => {
                item.expr = builder.repeat(item.expr, min, max);
                true
            }
            _ => false,
        }
    }

    /// The last item must match a regex too; `false` if there is none.
    pub(crate) fn within(&mut self, builder: &mut Builder, regex: Regex, position: Position) -> bool {
        let group = self.top();
        match group.sequence.last_mut() {
            Some(item) if group.minus.is_none() => {
                item.expr = builder.within(item.expr, regex, Some(position));
                true
            }
            _ => false,
        }
    }

    /// What follows is taken from the last item; `false` if there is none.
    pub(crate) fn minus(&mut self, position: Position) -> bool {
        let group = self.top();
        if group.sequence.is_empty() || group.minus.is_some() {
            return false;
        }
        group.minus = Some(position);
        true
    }

    /// A `-` whose right side is still to come.
    pub(crate) fn open_minus(&mut self) -> Option<Position> {
        self.top().minus
    }

    /// An alternative ends.
    pub(crate) fn alternative(&mut self, builder: &mut Builder) {
        let group = self.top();
        let mut parts: Vec<ExprId> = Vec::with_capacity(group.sequence.len());
        for item in std::mem::take(&mut group.sequence) {
            let expr = match (item.minus, parts.last().copied()) {
                (Some(position), Some(left)) => {
                    parts.pop();
                    builder.difference(left, item.expr, Some(position))
                }
                _ => item.expr,
            };
            parts.push(expr);
        }
        let whole = builder.sequence(parts);
        self.top().alternatives.push(whole);
    }

    /// The innermost bracket closes; `None` if this kind is not open.
    pub(crate) fn close(&mut self, builder: &mut Builder, bracket: Bracket) -> Option<ExprId> {
        if self.bracket()?.0 != bracket {
            return None;
        }
        self.alternative(builder);
        let group = self.groups.pop()?;
        Some(builder.choice(group.alternatives))
    }

    /// The whole expression; every bracket is closed.
    pub(crate) fn finish(mut self, builder: &mut Builder, scanner: &Scanner) -> Result<ExprId, CompileError> {
        if let Some((bracket, byte)) = self.bracket() {
            let message =
                format!("`{}` is not closed: `{}` is missing", bracket.opening(), bracket.closing());
            return Err(scanner.syntax(byte, "group", message));
        }
        self.alternative(builder);
        let whole = self.groups.pop().expect("the whole expression is never closed");
        Ok(builder.choice(whole.alternatives))
    }
}
