//! Where a text stands in an automaton, for explanations: the state in words, and which keywords of the schema are asked there.

use rustc_hash::FxHashMap;

use std::sync::Arc;

use crate::automaton::control::Control;
use crate::automaton::formula::Formula;
use crate::automaton::registers::{EMPTY, Registers};
use crate::automaton::state::View;
use crate::automaton::universe::{ROOT_FRAME, Universe};
use crate::automaton::value::{DEFAULT_ORDER, Value};
use crate::automaton::whitespace::Ws;
use crate::automaton::words::{LISTED_MAX, StateKind, Words};
use crate::automaton::{Automaton, Cfg};
use crate::error::Exhausted;
use crate::grammar::program::SchemaProgram;
use crate::index::FormulaId;

/// The places of a schema at which formulas come from.
#[derive(Default)]
pub(crate) struct Keywords(FxHashMap<FormulaId, Vec<Box<str>>>);

/// Where a JSON text stands.
pub(crate) struct Stand {
    /// The state, with what the value under way must satisfy.
    pub(crate) words: Words,
    /// Where it stands if the number that it ends in is complete.
    pub(crate) behind: Option<Words>,
}

impl Automaton {
    /// The automaton of a schema inside rules: a document without whitespace around it. `None` if nothing satisfies it.
    pub(crate) fn embedded(&self, program: &SchemaProgram) -> Result<Option<Self>, Exhausted> {
        let Ok(loaded) = self.universe.load(program) else { return Ok(None) };
        if !self.universe.satisfiable(loaded.root)? {
            return Ok(None);
        }
        let value =
            self.universe.value_id(Value { must: loaded.root, asks: Box::default(), order: DEFAULT_ORDER });
        let state = self.universe.control_id(&Control::Value { value, ws: Ws::NONE });
        let start = Cfg { state, frame: ROOT_FRAME, reg: EMPTY };
        Ok(Some(Self { universe: self.universe.clone(), start, open: Arc::default() }))
    }

    /// Whether a JSON document is complete, so that only whitespace can follow.
    pub(crate) fn is_done(&self, cfg: Cfg) -> bool {
        match View::of(cfg.state) {
            View::Control(at) => matches!(self.universe.controls.get(at).key, Control::Done { .. }),
            _ => false,
        }
    }

    /// Whether a byte can be read if the registers are left aside.
    pub(crate) fn fits(&self, cfg: Cfg, byte: u8) -> Result<bool, Exhausted> {
        Ok(self.universe.step(cfg.state, cfg.frame, byte)?.is_some())
    }

    /// Where the formulas of a program come from.
    pub(crate) fn keywords(&self, program: &SchemaProgram) -> Keywords {
        let mut keywords = Keywords::default();
        let Ok(loaded) = self.universe.load(program) else { return keywords };
        for (formula, place) in loaded.formulas.iter().zip(&program.places) {
            if let Some(formula) = formula
                && !place.is_empty()
            {
                let places = keywords.0.entry(*formula).or_default();
                if places.len() < LISTED_MAX && !places.contains(place) {
                    places.push(place.clone());
                }
            }
        }
        keywords
    }

    /// Where a JSON text stands. `None` if it is not the beginning of a document.
    pub(crate) fn stand(&self, text: &[u8]) -> Result<Option<Stand>, Exhausted> {
        let universe = &self.universe;
        let mut registers = Registers::default();
        let mut cfg = self.start;
        let mut entered = None;
        for &byte in text {
            entered = universe.value_at(cfg)?.or(entered);
            match self.advance(cfg, &[byte], &mut registers)? {
                Some(next) => cfg = next,
                None => return Ok(None),
            }
        }
        let mut words = universe.state_words(cfg.state);
        if matches!(words.kind, StateKind::String | StateKind::Number | StateKind::Literal) {
            words.must = entered;
        }
        // A number ends where something else begins.
        let behind = match View::of(cfg.state) {
            View::Lex(lex) if words.kind == StateKind::Number && universe.lex_accepts(lex) => {
                let (state, _) = universe.popped(cfg.frame, universe.lex_outcome(lex));
                Some(universe.state_words(state))
            }
            _ => None,
        };
        Ok(Some(Stand { words, behind }))
    }

    /// The keywords that a formula comes from, as JSON Pointers into the schema; some of them.
    pub(crate) fn asked_by(&self, keywords: &Keywords, formula: FormulaId) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let mut open = vec![(formula, 0)];
        while let Some((at, depth)) = open.pop() {
            if found.len() >= LISTED_MAX || depth > LISTED_MAX {
                break;
            }
            match self.universe.formula(at) {
                Formula::All(children) => open.extend(children.iter().rev().map(|&child| (child, depth + 1))),
                Formula::Link(link) => open.push((self.universe.open_link(*link), depth + 1)),
                _ => {
                    for place in keywords.0.get(&at).into_iter().flatten() {
                        if !found.iter().any(|known| **known == **place) {
                            found.push(place.to_string());
                        }
                    }
                }
            }
        }
        found.truncate(LISTED_MAX);
        found
    }
}

impl Universe {
    /// What the value that the next byte begins must satisfy, where one may begin.
    fn value_at(&self, cfg: Cfg) -> Result<Option<FormulaId>, Exhausted> {
        let View::Control(at) = View::of(cfg.state) else { return Ok(None) };
        Ok(match &self.controls.get(at).key {
            Control::Value { value, .. } => Some(self.value(*value).must),
            Control::ArrayOpen { run, .. } => self.item_event(*run)?.map(|item| self.value(item.value).must),
            _ => None,
        })
    }
}
