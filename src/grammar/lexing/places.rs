//! Which symbols may stand next to each other, and which terminals may stand in one place.
//!
//! A *symbol* is a terminal, any embedded schema, any token, or the start of the text. What is ignored is left out: it may
//! stand everywhere and changes no place, unless it stands in a rule as well.
//!
//! What may stand in a place is found from the symbols before it: all the parses with the same symbols so far have read one
//! of a set of parts last, so there are finitely many such sets, and what stands behind one of its members may come next. From
//! where a rule is called is forgotten. So more may seem to stand in a place than does; never less. Where there are too
//! many sets, the last symbol alone is looked at.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::bits::Bits;
use super::{Lexing, Part};
use crate::error::{CompileError, CompileErrorKind, Place};
use crate::index::{PartId, TerminalId};
use crate::limits::{
    LEXING_LEAVES_MAX, LEXING_PARTS_MAX, LEXING_SETS_MAX, LEXING_STEPS_MAX, LEXING_TERMINALS_MAX,
};

/// What may stand where; see the module.
pub(crate) struct Places {
    terminals: usize,
    /// By part: the symbol that it is.
    symbol_of: Vec<Option<usize>>,
    /// How many symbols there are.
    pub(crate) symbols: usize,
    /// Which parts match some text and can be reached.
    pub(crate) live: Vec<bool>,
    /// Which of them match nothing but also the empty text.
    pub(crate) nullable: Vec<bool>,
    /// The symbols that a part starts with.
    pub(crate) first: Vec<Bits>,
    /// The symbols that a part ends with.
    pub(crate) last: Vec<Bits>,
    /// The symbols that a part stands behind.
    pub(crate) before: Vec<Bits>,
    /// By symbol: those that stand behind it.
    pub(crate) next: Vec<Bits>,
}

/// The symbols that may stand in places.
pub(crate) struct Beside {
    /// By part: where it stands.
    pub(crate) at_parts: Vec<Bits>,
    /// Where the text may end.
    pub(crate) at_end: Bits,
    /// By part that is a symbol: directly behind it.
    pub(crate) behind: Vec<Bits>,
}

impl Places {
    /// Looks at a grammar. `possible` says of each terminal whether it has a lexeme, and of each schema whether it has a
    /// document.
    ///
    /// # Errors
    /// If a limit is passed.
    pub(crate) fn of(lexing: &Lexing, possible: impl Fn(&Part) -> bool) -> Result<Self, CompileError> {
        check_size(lexing)?;
        let terminals = lexing.terminals.len();
        let symbol_of = lexing.parts.iter().map(|part| match part {
            Part::Terminal(id) => Some(id.index()),
            Part::Schema(_) => Some(terminals),
            Part::Token(_) => Some(terminals + 1),
            _ => None,
        });
        Self::numbered(lexing, &possible, symbol_of.collect(), terminals + 3)
    }

    /// Looks at a grammar whose symbols have these numbers; the last one is the start.
    fn numbered(
        lexing: &Lexing,
        possible: &impl Fn(&Part) -> bool,
        symbol_of: Vec<Option<usize>>,
        symbols: usize,
    ) -> Result<Self, CompileError> {
        let parts = lexing.parts.len();
        let none = || vec![Bits::empty(symbols); parts];
        let mut places = Self {
            terminals: lexing.terminals.len(),
            symbol_of,
            symbols,
            live: vec![false; parts],
            nullable: vec![false; parts],
            first: none(),
            last: none(),
            before: none(),
            next: vec![Bits::empty(symbols); symbols],
        };
        let mut steps = Steps(0);
        steps.until_settled(parts, |at| places.is_newly_productive(lexing, at, possible))?;
        let productive = places.live.clone();
        places.live = reached(lexing, &productive);
        steps.until_settled(parts, |at| places.grow_ends(lexing, at))?;
        places.stand(lexing, &mut steps)?;
        for at in 0..parts {
            if let (true, Some(symbol)) = (places.live[at], places.symbol_of[at]) {
                for before in places.before[at].iter() {
                    places.next[before].insert(symbol);
                }
            }
        }
        Ok(places)
    }

    /// The symbol that a part is.
    pub(crate) fn symbol(&self, part: PartId) -> Option<usize> {
        self.symbol_of[part.index()]
    }

    /// The symbol that stands for the start of the text.
    pub(crate) fn start(&self) -> usize {
        self.symbols - 1
    }

    /// The terminal that a symbol is.
    pub(crate) fn terminal(&self, symbol: usize) -> Option<TerminalId> {
        (symbol < self.terminals).then(|| TerminalId::new(symbol))
    }

    /// Whether a symbol is the one of embedded schemas.
    pub(crate) fn is_schema(&self, symbol: usize) -> bool {
        symbol == self.terminals
    }

    /// The symbols that may stand where a part stands.
    ///
    /// # Errors
    /// If a limit is passed.
    pub(crate) fn beside(
        &self,
        lexing: &Lexing,
        possible: impl Fn(&Part) -> bool,
    ) -> Result<Beside, CompileError> {
        if let Some(beside) = self.beside_by_sets(lexing, &possible)? {
            return Ok(beside);
        }
        let mut beside = self.nothing_beside(lexing);
        for (before, beside) in self.before.iter().zip(&mut beside.at_parts) {
            for symbol in before.iter() {
                beside.add(&self.next[symbol]);
            }
        }
        for symbol in self.may_end(lexing).iter() {
            beside.at_end.add(&self.next[symbol]);
        }
        // What is ignored and stands in a rule as well leads on for some parses.
        let ignored = self.ignored(lexing);
        for beside in beside.at_parts.iter_mut().chain([&mut beside.at_end]) {
            let mut grown = true;
            while grown {
                let mut more = Bits::empty(self.symbols);
                for symbol in beside.iter().filter(|&symbol| ignored.contains(symbol)) {
                    more.add(&self.next[symbol]);
                }
                grown = beside.add(&more);
            }
        }
        for (symbol, behind) in self.symbol_of.iter().zip(&mut beside.behind) {
            if let Some(symbol) = symbol {
                behind.add(&self.next[*symbol]);
            }
        }
        Ok(beside)
    }

    fn nothing_beside(&self, lexing: &Lexing) -> Beside {
        let nothing = Bits::empty(self.symbols);
        let at_parts = vec![nothing.clone(); lexing.parts.len()];
        Beside { behind: at_parts.clone(), at_parts, at_end: nothing }
    }

    fn ignored(&self, lexing: &Lexing) -> Bits {
        let mut ignored = Bits::empty(self.symbols);
        lexing.ignored.iter().for_each(|id| ignored.insert(id.index()));
        ignored
    }

    /// The symbols behind which a text may end.
    fn may_end(&self, lexing: &Lexing) -> Bits {
        let body = lexing.rules[Lexing::START.index()].body.index();
        let mut last = self.last[body].clone();
        if self.nullable[body] {
            last.insert(self.start());
        }
        last
    }

    /// The same by sets of parts read last; `None` if there are too many.
    fn beside_by_sets(
        &self,
        lexing: &Lexing,
        possible: &impl Fn(&Part) -> bool,
    ) -> Result<Option<Beside>, CompileError> {
        let is_leaf = |at: &usize| self.live[*at] && self.symbol_of[*at].is_some();
        let leaves: Vec<usize> = (0..lexing.parts.len()).filter(is_leaf).collect();
        if leaves.len() > LEXING_LEAVES_MAX {
            return Ok(None);
        }
        let mut number_of = vec![None; lexing.parts.len()];
        leaves.iter().enumerate().for_each(|(number, &at)| number_of[at] = Some(number));
        let fine = Self::numbered(lexing, possible, number_of, leaves.len() + 1)?;
        let mut beside = self.nothing_beside(lexing);
        let may_end = fine.may_end(lexing);
        let ignored = self.ignored(lexing);
        for (leaf, &at) in leaves.iter().enumerate() {
            for next in fine.next[leaf].iter() {
                beside.behind[at].insert(self.symbol_of[leaves[next]].expect("a leaf is a symbol"));
            }
        }
        let mut first = Bits::empty(fine.symbols);
        first.insert(fine.start());
        let mut seen = FxHashSet::from_iter([first.clone()]);
        let mut pending = vec![first];
        while let Some(last) = pending.pop() {
            let mut next = Bits::empty(fine.symbols);
            last.iter().for_each(|leaf| {
                next.add(&fine.next[leaf]);
            });
            let mut by_symbol: BTreeMap<usize, Bits> = BTreeMap::new();
            let mut symbols = Bits::empty(self.symbols);
            for leaf in next.iter() {
                let symbol = self.symbol_of[leaves[leaf]].expect("a leaf is a symbol");
                symbols.insert(symbol);
                by_symbol.entry(symbol).or_insert_with(|| Bits::empty(fine.symbols)).insert(leaf);
            }
            for leaf in next.iter() {
                beside.at_parts[leaves[leaf]].add(&symbols);
            }
            if last.iter().any(|leaf| may_end.contains(leaf)) {
                beside.at_end.add(&symbols);
            }
            for (symbol, mut set) in by_symbol {
                // Some parses read it, and for all others it means nothing.
                if ignored.contains(symbol) {
                    set.add(&last);
                }
                if seen.insert(set.clone()) {
                    pending.push(set);
                }
            }
            if seen.len() > LEXING_SETS_MAX {
                return Ok(None);
            }
        }
        Ok(Some(beside))
    }

    /// Whether a part is now known to match some text and was not.
    fn is_newly_productive(&mut self, lexing: &Lexing, at: usize, possible: impl Fn(&Part) -> bool) -> bool {
        let part = &lexing.parts[at];
        let is = |child: &PartId| self.live[child.index()];
        let found = match part {
            Part::Terminal(_) | Part::Schema(_) | Part::Token(_) => possible(part),
            Part::Rule(rule) => is(&lexing.rules[rule.index()].body),
            Part::Sequence(children) => children.iter().all(is),
            Part::Choice(children) => children.iter().any(is),
            Part::Repeat { body, min, max } => max.is_none_or(|max| max >= *min) && (*min == 0 || is(body)),
        };
        !std::mem::replace(&mut self.live[at], found) && found
    }

    /// Works out again whether a part may be empty, and what it starts and ends with; says whether more is known.
    fn grow_ends(&mut self, lexing: &Lexing, at: usize) -> bool {
        let part = &lexing.parts[at];
        if !self.live[at] {
            return false;
        }
        let is_nullable = |child: &PartId| self.live[child.index()] && self.nullable[child.index()];
        let mut first = std::mem::take(&mut self.first[at]);
        let mut last = std::mem::take(&mut self.last[at]);
        let mut grown = false;
        let nullable = match part {
            Part::Terminal(_) | Part::Schema(_) | Part::Token(_) => {
                let symbol = self.symbol_of[at].expect("these parts are symbols");
                grown |= !first.contains(symbol);
                first.insert(symbol);
                last.insert(symbol);
                false
            }
            Part::Rule(rule) => {
                let body = lexing.rules[rule.index()].body;
                grown |= first.add(&self.first[body.index()]);
                grown |= last.add(&self.last[body.index()]);
                is_nullable(&body)
            }
            Part::Sequence(children) => {
                grown |= add_while(&mut first, children.iter(), &self.first, is_nullable);
                grown |= add_while(&mut last, children.iter().rev(), &self.last, is_nullable);
                children.iter().all(is_nullable)
            }
            Part::Choice(children) => {
                for child in children {
                    grown |= first.add(&self.first[child.index()]);
                    grown |= last.add(&self.last[child.index()]);
                }
                children.iter().any(is_nullable)
            }
            Part::Repeat { body, min, max } => {
                if *max != Some(0) {
                    grown |= first.add(&self.first[body.index()]);
                    grown |= last.add(&self.last[body.index()]);
                }
                *min == 0 || is_nullable(body)
            }
        };
        let newly_nullable = !std::mem::replace(&mut self.nullable[at], nullable) && nullable;
        self.first[at] = first;
        self.last[at] = last;
        newly_nullable || grown
    }

    /// What each part stands behind.
    fn stand(&mut self, lexing: &Lexing, steps: &mut Steps) -> Result<(), CompileError> {
        let start = lexing.rules[Lexing::START.index()].body;
        let at_start = self.start();
        self.before[start.index()].insert(at_start);
        let parts = lexing.parts.len();
        let mut carried = Bits::empty(self.symbols);
        steps.until_settled(parts, |turned| {
            // Parents come first.
            let at = parts - 1 - turned;
            if !self.live[at] {
                return false;
            }
            carried.set_to(&self.before[at]);
            let mut grown = false;
            match &lexing.parts[at] {
                Part::Terminal(_) | Part::Schema(_) | Part::Token(_) => {}
                Part::Rule(rule) => {
                    grown |= self.before[lexing.rules[rule.index()].body.index()].add(&carried);
                }
                Part::Sequence(children) => {
                    for child in children {
                        grown |= self.before[child.index()].add(&carried);
                        if !self.nullable[child.index()] {
                            carried.clear();
                        }
                        carried.add(&self.last[child.index()]);
                    }
                }
                Part::Choice(children) => {
                    for child in children {
                        grown |= self.before[child.index()].add(&carried);
                    }
                }
                Part::Repeat { max: Some(0), .. } => {}
                Part::Repeat { body, max, .. } => {
                    if *max != Some(1) {
                        carried.add(&self.last[body.index()]);
                    }
                    grown |= self.before[body.index()].add(&carried);
                }
            }
            grown
        })
    }
}

/// Adds the sets of parts up to the first that is not empty; says whether there are more members now.
fn add_while<'p>(
    to: &mut Bits,
    children: impl Iterator<Item = &'p PartId>,
    sets: &[Bits],
    is_nullable: impl Fn(&PartId) -> bool,
) -> bool {
    let mut grown = false;
    for child in children {
        grown |= to.add(&sets[child.index()]);
        if !is_nullable(child) {
            break;
        }
    }
    grown
}

/// The productive parts that the start rule leads to.
fn reached(lexing: &Lexing, productive: &[bool]) -> Vec<bool> {
    let mut live = vec![false; productive.len()];
    let mut pending = vec![lexing.rules[Lexing::START.index()].body];
    while let Some(at) = pending.pop() {
        if !productive[at.index()] || std::mem::replace(&mut live[at.index()], true) {
            continue;
        }
        pending.extend(lexing.part(at).children());
        if let Part::Rule(rule) = lexing.part(at) {
            pending.push(lexing.rules[rule.index()].body);
        }
    }
    live
}

/// The work so far: looks at single parts.
pub(crate) struct Steps(pub(crate) usize);

impl Steps {
    /// Goes through all parts until none of them tells anything new.
    pub(crate) fn until_settled(
        &mut self,
        parts: usize,
        mut look: impl FnMut(usize) -> bool,
    ) -> Result<(), CompileError> {
        loop {
            let mut news = false;
            for at in 0..parts {
                news |= look(at);
            }
            self.0 += parts;
            if !news {
                return Ok(());
            }
            if self.0 > LEXING_STEPS_MAX {
                let message = format!(
                    "which terminals follow each other takes more than {LEXING_STEPS_MAX} steps to find (LEXING_STEPS_MAX): use fewer or shorter rules"
                );
                return Err(CompileError::new(CompileErrorKind::Limit, Place::default(), "grammar", message));
            }
        }
    }
}

fn check_size(lexing: &Lexing) -> Result<(), CompileError> {
    let sizes = [
        (lexing.terminals.len(), LEXING_TERMINALS_MAX, "terminals", "LEXING_TERMINALS_MAX"),
        (lexing.parts.len(), LEXING_PARTS_MAX, "parts of rules", "LEXING_PARTS_MAX"),
    ];
    match sizes.into_iter().find(|(len, max, ..)| len > max) {
        None => Ok(()),
        Some((len, max, what, limit)) => Err(CompileError::new(
            CompileErrorKind::Limit,
            Place::default(),
            "grammar",
            format!("it has {len} {what}, at most {max} are allowed ({limit})"),
        )),
    }
}
