//! Doubts: what a lexeme may be, or be followed by, according to whether a terminal may stand in its place, which the rules
//! alone leave open.
//!
//! In doubt a terminal counts as standing there. So a text that is accepted has no other lexemes by the definition, but some
//! texts may be missing; each doubt says which.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use super::overlay::{along, shown, text_to};
use super::{PlaceId, Plan, json_starts, limit_of, too_many};
use crate::automaton::term::{Range, Terms};
use crate::error::{CompileError, CompileErrorKind, Place, Position};
use crate::grammar::lexing::bits::Bits;
use crate::grammar::regex::CharSet;
use crate::index::TermId;
use crate::limits::{LEXING_DOUBTS_MAX, LEXING_TERMS_MAX};

/// What the rules leave open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Doubt {
    /// The terminal whose lexemes are in doubt.
    pub(crate) terminal: Box<str>,
    /// Where it stands first.
    pub(crate) position: Option<Position>,
    /// What is open, and what would help.
    pub(crate) message: String,
    /// What is therefore not accepted.
    pub(crate) left_out: String,
}

/// All doubts about a grammar.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Doubts {
    /// The first of them.
    pub(crate) list: Vec<Doubt>,
    /// How many more there are.
    pub(crate) more: usize,
}

impl Doubts {
    pub(super) fn push(&mut self, doubt: Doubt) {
        let is_known = |known: &Doubt| known.terminal == doubt.terminal && known.left_out == doubt.left_out;
        if self.list.iter().any(is_known) {
            return;
        }
        if self.list.len() < LEXING_DOUBTS_MAX {
            self.list.push(doubt);
        } else {
            self.more += 1;
        }
    }

    /// For a report: the terminal of each, and what to say; the last says how many are not listed.
    pub(crate) fn notes(&self) -> Vec<(Box<str>, String)> {
        let mut notes: Vec<(Box<str>, String)> =
            self.list.iter().map(|doubt| (doubt.terminal.clone(), doubt.note())).collect();
        if self.more > 0 {
            let note = format!("{} more places of this kind are not listed (LEXING_DOUBTS_MAX)", self.more);
            notes.push(("terminals".into(), note));
        }
        notes
    }
}

impl Doubt {
    /// For a report: what is left out, and why.
    pub(crate) fn note(&self) -> String {
        match self.position {
            Some(Position { line, column, .. }) => {
                format!("line {line}, column {column}: {}: {}", self.left_out, self.message)
            }
            None => format!("{}: {}", self.left_out, self.message),
        }
    }

    /// The refusal of a grammar with this doubt.
    pub(crate) fn into_error(self) -> CompileError {
        let place = Place { position: self.position, ..Place::default() };
        CompileError::new(CompileErrorKind::Unsupported, place, "longest match", self.message)
    }
}

/// A text that was read: what is left of the lexeme that it is in, and of those that may be longer than the first.
struct Node {
    /// The symbol whose lexeme is open; the first lexeme's is that of the reading.
    symbol: usize,
    /// What is left of it.
    own: TermId,
    /// What is left of lexemes that may stand where the first one stands.
    rivals: TermId,
    /// What is left of those that surely do.
    sure: TermId,
    /// Whether the first lexeme has ended.
    behind: bool,
    /// The node before and the character between.
    from: Option<(usize, u32)>,
}

impl Plan<'_> {
    /// Notes a doubt if a lexeme of the reading may be followed by what makes a longer one of a terminal that perhaps stands in its
    /// place.
    ///
    /// # Errors
    /// If that concerns the end of a document, which can't be told from within.
    pub(super) fn doubt_lengths(&mut self, reading: usize, place: PlaceId) -> Result<(), CompileError> {
        let of = &self.readings[reading];
        if of.rivals == of.sure {
            return Ok(());
        }
        let (symbol, follow) = (of.symbol, of.follow);
        let first = Node { symbol, own: of.own, rivals: of.rivals, sure: of.sure, behind: false, from: None };
        let key = |node: &Node| (node.symbol, node.own, node.rivals, node.sure, node.behind);
        let mut seen = FxHashSet::from_iter([key(&first)]);
        let mut nodes = vec![first];
        let mut pending = VecDeque::from([0]);
        while let Some(number) = pending.pop_front() {
            self.charge(1)?;
            let mut found = self.go_on(number, &nodes)?;
            if self.terms.nullable(nodes[number].own) {
                found.extend(self.go_behind(number, &nodes, follow)?);
            }
            for node in found {
                // What surely must not follow is no doubt.
                if node.behind && self.terms.nullable(node.sure) || !seen.insert(key(&node)) {
                    continue;
                }
                let is_conflict = node.behind && self.terms.nullable(node.rivals);
                nodes.push(node);
                if is_conflict && !self.is_dead(nodes[nodes.len() - 1].own)? {
                    return self.doubt_length(place, &nodes);
                }
                pending.push_back(nodes.len() - 1);
            }
            if nodes.len() > LEXING_TERMS_MAX {
                return Err(too_many());
            }
        }
        Ok(())
    }

    /// One character more of the open lexeme.
    fn go_on(&self, at: usize, nodes: &[Node]) -> Result<Vec<Node>, CompileError> {
        let node = &nodes[at];
        let [own, rivals, sure] =
            [self.ranges(node.own)?, self.ranges(node.rivals)?, self.ranges(node.sure)?];
        let next = together([own, rivals, sure]);
        Ok(next
            .map(|(c, [own, rivals, sure])| Node {
                own,
                rivals,
                sure,
                from: Some((at, c)),
                symbol: node.symbol,
                behind: node.behind,
            })
            .collect())
    }

    /// The first character of a lexeme behind the open one, which ends.
    fn go_behind(&self, at: usize, nodes: &[Node], follow: usize) -> Result<Vec<Node>, CompileError> {
        let node = &nodes[at];
        let mut found = Vec::new();
        let following =
            if node.behind { self.following(node.symbol) } else { self.follows[follow].0.clone() };
        let (rivals, sure) = (self.ranges(node.rivals)?, self.ranges(node.sure)?);
        for symbol in following.iter() {
            self.charge(1)?;
            for (c, [own, rivals, sure]) in together([self.ranges(self.any_lexeme(symbol))?, rivals, sure]) {
                found.push(Node { symbol, own, rivals, sure, behind: true, from: Some((at, c)) });
            }
        }
        Ok(found)
    }

    fn ranges(&self, term: TermId) -> Result<&[Range], CompileError> {
        self.terms.successors(term).map_err(|e| limit_of(&e))
    }

    /// The symbols that may stand behind one, wherever that stands.
    fn following(&self, symbol: usize) -> Bits {
        let mut following = self.ignored.clone();
        if self.ignored.contains(symbol) {
            for next in &self.places.next {
                following.add(next);
            }
        }
        following.add(&self.places.next[symbol]);
        following
    }

    /// What is read as a symbol, whatever the place.
    pub(super) fn any_lexeme(&self, symbol: usize) -> TermId {
        match self.places.terminal(symbol) {
            Some(id) => self.lexemes[id.index()].0,
            None if self.places.is_schema(symbol) => self.documents,
            None => Terms::NOTHING,
        }
    }

    /// Notes that the text of the last node could be one lexeme.
    fn doubt_length(&mut self, place: PlaceId, nodes: &[Node]) -> Result<(), CompileError> {
        let symbol = nodes[0].symbol;
        let last = nodes.len() - 1;
        let text = text_to(last, |at| nodes[at].from);
        let mut first = last;
        while nodes[first].behind {
            first = nodes[first].from.map_or(0, |(before, _)| before);
        }
        let short = text_to(first, |at| nodes[at].from);
        let Some(own) = self.places.terminal(symbol) else {
            let message = format!(
                "a `%json` may end with the number {short}, and what follows may make it {text}: let something that no number goes on with stand between"
            );
            return Err(CompileError::new(
                CompileErrorKind::Unsupported,
                Place::default(),
                "longest match",
                message,
            ));
        };
        let rival = self.kinds[place].1.iter().find_map(|symbol| {
            let id = self.places.terminal(symbol)?;
            let is_longer = self.terms.matches(self.lexemes[id.index()].0, &text).is_ok_and(|yes| yes);
            is_longer.then(|| self.lexing.terminal(id))
        });
        let own = self.lexing.terminal(own);
        let rival_name = rival.map_or("another terminal", |rival| &*rival.name);
        let next = self.places.terminal(nodes[last].symbol).map(|id| &*self.lexing.terminal(id).name);
        let next = next.unwrap_or("JSON");
        let help = if self.lexing.ignored.is_empty() {
            "let the terminals not run into each other"
        } else {
            "let the terminals not run into each other, or write what must stand between into the rule"
        };
        let message = format!(
            "the rules may need {short:?} as {}, followed by {next}; in {text:?} {rival_name} is the longer match if it may stand there, which hangs on more than the rule here says: {help}",
            own.name,
        );
        let left_out = format!("{text:?} is not read as {} and {next}", own.name);
        let doubt = Doubt { terminal: own.name.clone(), position: own.position, message, left_out };
        self.doubts.push(doubt);
        Ok(())
    }
}

/// Where characters lead from a lexeme and its rivals, as long as both go on.
fn together(lists: [&[Range]; 3]) -> impl Iterator<Item = (u32, [TermId; 3])> {
    let both = along(lists).filter(|(.., [_, rivals, _])| *rivals != Terms::NOTHING);
    both.map(|(lo, hi, targets)| (shown(lo, hi), targets))
}

/// Whether a guard lets no document follow, or all; otherwise what it forbids of their starts.
pub(super) fn forbidden_starts(first: &CharSet, single: &CharSet) -> Option<CharSet> {
    let shared = first.intersection(&json_starts());
    (!shared.is_empty() && single.intersection(&json_starts()) != json_starts()).then_some(shared)
}
