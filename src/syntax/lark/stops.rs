//! What `stop=` means: the text is that of `suffix=`, unless what follows is to read the stop's text again.
//!
//! An engine that takes text back generates `foo<end>` for `s[stop="<end>"]: /.*/`, takes `<end>` back, and then goes on with what
//! follows. What has been generated is what the same rule with `suffix="<end>"` reads, but where something follows that begins with
//! the text of the stop: that engine lets it read the text again, sometimes. So two cases are read: the same fixed text
//! stands right behind, as in `s "<end>"`, which is meant to be read once; or nothing that follows begins with a character that the
//! stop begins with. The others are refused. What is ignored may always be left out, so it reads nothing again.

use std::collections::BTreeMap;

use super::scan::Scanner;
use super::tree::Document;
use crate::error::CompileError;
use crate::grammar::lexing::places::Places;
use crate::grammar::lexing::{Lexing, Part};
use crate::grammar::regex::{CharSet, Regex};
use crate::index::{PartId, TerminalId};

/// The terminals of rules with `stop=`.
#[derive(Default)]
pub(super) struct Stops {
    all: Vec<Stop>,
    /// Uses of these terminals whose stop is the text behind them, too.
    joined: Vec<(PartId, TerminalId)>,
}

struct Stop {
    terminal: TerminalId,
    definition: usize,
    /// What stops it; `None`: the end of the whole text.
    by: Option<Regex>,
}

impl Stops {
    pub(super) fn add(&mut self, terminal: TerminalId, definition: usize, by: Option<Regex>) {
        self.all.push(Stop { terminal, definition, by });
    }

    /// Leaves out of a sequence each fixed text that stands right behind a rule which it stops.
    pub(super) fn join(&mut self, lexing: &mut Lexing, parts: Vec<PartId>) -> Vec<PartId> {
        let mut kept: Vec<PartId> = Vec::new();
        let mut open: Option<TerminalId> = None;
        for part in parts {
            let terminal = match lexing.part(part) {
                Part::Terminal(id) => Some(*id),
                _ => None,
            };
            if let (Some(stopped), Some(text)) = (open.take(), terminal)
                && self.stop_of(stopped) == Some(&lexing.terminal(text).regex)
            {
                // The part may stand elsewhere too, with something else behind it.
                let joined = lexing.push(Part::Terminal(stopped));
                self.joined.push((joined, stopped));
                kept.pop();
                kept.push(joined);
                continue;
            }
            open = terminal.filter(|&terminal| self.stop_of(terminal).is_some_and(is_one_text));
            kept.push(part);
        }
        kept
    }

    fn stop_of(&self, terminal: TerminalId) -> Option<&Regex> {
        self.all.iter().find(|stop| stop.terminal == terminal)?.by.as_ref()
    }

    /// The grammar in which rules that are joined with the text behind them have terminals of their own.
    fn apart(&self, lexing: &Lexing) -> Lexing {
        let mut apart = lexing.clone();
        let mut twins: BTreeMap<TerminalId, TerminalId> = BTreeMap::new();
        for &(part, terminal) in &self.joined {
            let twin = *twins.entry(terminal).or_insert_with(|| {
                apart.terminals.push(lexing.terminal(terminal).clone());
                TerminalId::new(apart.terminals.len() - 1)
            });
            apart.parts[part.index()] = Part::Terminal(twin);
        }
        apart
    }

    /// Refuses what may read the text of a stop again, and what follows the end of the text.
    pub(super) fn check(
        &self,
        scanner: &Scanner<'_>,
        document: &Document,
        lexing: &Lexing,
    ) -> Result<(), CompileError> {
        if self.all.is_empty() {
            return Ok(());
        }
        let lexing = &self.apart(lexing);
        let places = Places::of(lexing, |_| true)?;
        for stop in &self.all {
            let definition = &document.definitions[stop.definition];
            for symbol in places.next[stop.terminal.index()].iter() {
                let terminal = lexing.terminals.get(symbol);
                let shown = terminal.map_or("a schema or a token", |terminal| &*terminal.name);
                let message = match &stop.by {
                    None => format!(
                        "the text of `{}` ends with the whole text, and {shown} may follow: say what ends it, as in `suffix=\";\"`",
                        definition.name
                    ),
                    Some(by) => {
                        let next = match terminal {
                            Some(terminal) => first_chars(&terminal.regex),
                            None if symbol == lexing.terminals.len() => CharSet::of(JSON_STARTS),
                            None => CharSet::empty(),
                        };
                        if first_chars(by).intersection(&next).is_empty() {
                            continue;
                        }
                        format!(
                            "{shown} may follow `{}` and begin like the text that stops it, so that text might be read again: use `suffix=`, whose text is read once, and leave what repeats it out",
                            definition.name
                        )
                    }
                };
                return Err(scanner.unsupported(definition.byte, "option stop", message));
            }
        }
        Ok(())
    }
}

/// The characters that a JSON text may begin with.
const JSON_STARTS: &str = " \t\n\r{[\"-0123456789tfn";

fn is_one_text(regex: &Regex) -> bool {
    match regex {
        Regex::Set(set) => set.len() == 1,
        Regex::Literals(texts) => texts.len() == 1,
        _ => false,
    }
}

/// All characters that texts of the language begin with, and perhaps more.
fn first_chars(regex: &Regex) -> CharSet {
    match regex {
        Regex::Nothing | Regex::Empty => CharSet::empty(),
        Regex::Set(set) => set.clone(),
        Regex::Concat(parts) => {
            let mut first = CharSet::empty();
            for part in parts.iter() {
                first = first.union(&first_chars(part));
                if !part.accepts_empty() {
                    break;
                }
            }
            first
        }
        Regex::Or(parts) => {
            parts.iter().fold(CharSet::empty(), |first, part| first.union(&first_chars(part)))
        }
        Regex::And(parts) => {
            parts.iter().fold(CharSet::any(), |first, part| first.intersection(&first_chars(part)))
        }
        Regex::Repeat { body, .. } => first_chars(body),
        Regex::Literals(texts) => {
            let first = texts.iter().filter_map(|text| text.chars().next()).map(u32::from);
            CharSet::from_ranges(first.map(|c| (c, c)))
        }
        Regex::States(states) => {
            CharSet::from_ranges(states.rows()[0].next.iter().map(|next| (next.lo, next.hi)))
        }
        Regex::Not(_) | Regex::Multiple { .. } | Regex::FractionMultiple { .. } | Regex::Spelled(_) => {
            CharSet::any()
        }
    }
}
