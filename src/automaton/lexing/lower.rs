//! Writes a grammar over lexemes as one over text, once for each guard that may wait in front of a part and behind it.
//!
//! A guard is that of the lexeme before, by number; 0 is none. A part is written for pairs of guards: one that
//! waits in front of it, and one that its last lexeme leaves. What is ignored stands in front of each lexeme and at
//! the end of the text. Grammars whose lexemes need no guards, or all the same, keep their shape.

use rustc_hash::FxHashMap;

use super::doubts::forbidden_starts;
use super::{PlaceId, Plan, json_starts};
use crate::error::{CompileError, CompileErrorKind, Place};
use crate::grammar::lexing::{Lexing, Part};
use crate::grammar::regex::Regex;
use crate::grammar::rules::{Builder, Grammar, TokenSet, WHOLE_TEXT};
use crate::index::{ExprId, PartId, RuleId};
use crate::limits::LEXING_ROUNDS_MAX;

/// By pair of guards: what is read between them.
type Table = FxHashMap<(usize, usize), ExprId>;

/// By guard: the ways that leave it.
type Ways = FxHashMap<usize, Vec<ExprId>>;

/// Guards, as bits.
pub(super) type GuardBits = u64;

struct Lowering<'p, 'l> {
    plan: &'p mut Plan<'l>,
    guards: usize,
    builder: Builder,
    /// By place and pair of guards: what may be ignored between them, nothing included.
    runs: FxHashMap<Vec<usize>, Vec<Regex>>,
    /// By symbol: the guards that it may leave.
    left: Vec<GuardBits>,
    /// By part.
    tables: Vec<Table>,
    schemas: Vec<Option<ExprId>>,
    rules: FxHashMap<(RuleId, usize, usize), RuleId>,
}

impl Plan<'_> {
    pub(super) fn lower(&mut self) -> Result<Grammar, CompileError> {
        let left = self.left()?;
        let parts = self.lexing.parts.len();
        let schemas = vec![None; self.lexing.schemas.len()];
        let mut lowering = Lowering {
            guards: self.guards.len(),
            plan: self,
            builder: Builder::new(),
            runs: FxHashMap::default(),
            left,
            tables: Vec::with_capacity(parts),
            schemas,
            rules: FxHashMap::default(),
        };
        let start = lowering.builder.rule(WHOLE_TEXT, None);
        for at in 0..parts {
            let is_live = lowering.plan.places.live[at];
            let table = if is_live { lowering.table(PartId::new(at))? } else { Table::default() };
            lowering.tables.push(table);
        }
        lowering.finish(start)
    }

    /// By symbol: the guards that it may leave; the start, tokens and schemas leave none.
    fn left(&mut self) -> Result<Vec<GuardBits>, CompileError> {
        let mut left: Vec<GuardBits> = (0..self.places.symbols)
            .map(|symbol| GuardBits::from(self.places.terminal(symbol).is_none()))
            .collect();
        let symbols = (0..self.lexing.parts.len()).map(PartId::new).filter_map(|id| {
            let (place, _) = *self.place_of.get(&id)?;
            let reading = self.reading_at.get(&id).copied();
            let reading = reading.filter(|&at| self.places.terminal(self.readings[at].symbol).is_some());
            Some((id, place, reading))
        });
        let symbols: Vec<(PartId, PlaceId, Option<usize>)> = symbols.collect();
        let body = self.lexing.rules[Lexing::START.index()].body;
        loop {
            let mut grown = false;
            for &(id, place, reading) in &symbols {
                let before = guards_behind(&left, self.places.before[id.index()].iter());
                let before = self.through_ignored(place, before)?;
                let Some(reading) = reading else { continue };
                let symbol = self.readings[reading].symbol;
                let mut found = 0;
                for guard in members(before) {
                    for piece in self.pieces(reading, guard)?.iter() {
                        found |= 1 << piece.guard;
                    }
                }
                grown |= found & !left[symbol] != 0;
                left[symbol] |= found;
            }
            let before = guards_behind(&left, self.places.last[body.index()].iter()) | 1;
            self.through_ignored(self.end, before)?;
            if !grown {
                return Ok(left);
            }
        }
    }

    /// The guards that may wait in a place, before and behind what is ignored there.
    fn through_ignored(&mut self, place: PlaceId, before: GuardBits) -> Result<GuardBits, CompileError> {
        let mut reached = before;
        let mut open = before;
        while open != 0 {
            let mut found = 0;
            for guard in members(open) {
                for reading in self.ignored_at[place].clone() {
                    for piece in self.pieces(reading, guard)?.iter() {
                        found |= 1 << piece.guard;
                    }
                }
            }
            open = found & !reached;
            reached |= found;
        }
        *self.waiting.entry(self.ignored_at[place].clone()).or_default() |= reached;
        Ok(reached)
    }

    /// What may be ignored between each two guards by these readings.
    fn runs(&mut self, readings: &[usize]) -> Result<Vec<Regex>, CompileError> {
        let guards = self.guards.len();
        let mut paths = vec![Regex::Nothing; guards * guards];
        for before in members(self.waiting.get(readings).copied().unwrap_or_default()) {
            for &reading in readings {
                for piece in self.pieces(reading, before)?.iter() {
                    let path = &mut paths[before * guards + piece.guard];
                    *path = Regex::or([path.clone(), piece.regex.clone()]);
                }
            }
        }
        // Ways through one guard after another.
        for through in 0..guards {
            let around = paths[through * guards + through].clone().star();
            let old = paths.clone();
            for before in 0..guards {
                let to = &old[before * guards + through];
                if *to == Regex::Nothing {
                    continue;
                }
                for behind in 0..guards {
                    let way =
                        Regex::concat([to.clone(), around.clone(), old[through * guards + behind].clone()]);
                    let path = &mut paths[before * guards + behind];
                    *path = Regex::or([path.clone(), way]);
                }
            }
        }
        for guard in 0..guards {
            let path = &mut paths[guard * guards + guard];
            *path = path.clone().optional();
        }
        Ok(paths)
    }
}

/// The guards that symbols may leave.
fn guards_behind(left: &[GuardBits], symbols: impl Iterator<Item = usize>) -> GuardBits {
    symbols.fold(0, |guards, symbol| guards | left[symbol])
}

fn members(guards: GuardBits) -> impl Iterator<Item = usize> {
    (0..64).filter(move |&guard| guards >> guard & 1 == 1)
}

impl Lowering<'_, '_> {
    /// The guards that may wait in front of a part.
    fn before(&self, part: PartId) -> Vec<usize> {
        members(guards_behind(&self.left, self.plan.places.before[part.index()].iter())).collect()
    }

    /// The guards that a part may leave, if this one waits in front of it.
    fn behind(&self, part: PartId, guard: usize) -> Vec<usize> {
        let mut guards = guards_behind(&self.left, self.plan.places.last[part.index()].iter());
        if self.plan.places.nullable[part.index()] {
            guards |= 1 << guard;
        }
        members(guards).collect()
    }

    fn get(&self, part: PartId, before: usize, behind: usize) -> Option<ExprId> {
        self.tables[part.index()].get(&(before, behind)).copied()
    }

    fn table(&mut self, id: PartId) -> Result<Table, CompileError> {
        let mut table = Table::default();
        let before = self.before(id);
        let lexing = self.plan.lexing;
        for &guard in &before {
            match lexing.part(id) {
                Part::Terminal(_) => {
                    for (behind, lexeme) in self.lexemes(id, guard)? {
                        table.insert((guard, behind), lexeme);
                    }
                }
                Part::Token(tokens) => {
                    table.insert((guard, 0), self.token(id, tokens, guard)?);
                }
                Part::Schema(index) => {
                    if let Some(schema) = self.schema(id, *index, guard)? {
                        table.insert((guard, 0), schema);
                    }
                }
                Part::Rule(rule) => {
                    for behind in self.behind(id, guard) {
                        let rule = self.rule(*rule, guard, behind);
                        table.insert((guard, behind), self.builder.call(rule));
                    }
                }
                Part::Choice(children) => {
                    for behind in self.behind(id, guard) {
                        let found: Vec<ExprId> =
                            children.iter().filter_map(|&child| self.get(child, guard, behind)).collect();
                        if !found.is_empty() {
                            table.insert((guard, behind), self.builder.choice(found));
                        }
                    }
                }
                Part::Sequence(children) => {
                    let mut ways = start_of(guard);
                    for &child in children {
                        ways = self.one_more(&ways, child);
                    }
                    for (behind, way) in sorted(ways) {
                        table.insert((guard, behind), self.builder.sequence(way));
                    }
                }
                Part::Repeat { .. } => {}
            }
        }
        if let Part::Repeat { body, min, max } = *lexing.part(id) {
            self.repeat(&mut table, &before, body, (min, max))?;
        }
        Ok(table)
    }

    /// The lexemes of a part with what is ignored before them, by the guard that they leave.
    fn lexemes(&mut self, id: PartId, before: usize) -> Result<Vec<(usize, ExprId)>, CompileError> {
        let (reading, (place, _)) = (self.plan.reading_at[&id], self.plan.place_of[&id]);
        // Behind each run of what is ignored, the lexemes of one guard; equal ones are read behind all their runs.
        let mut ways: Vec<(usize, Regex, Vec<Regex>)> = Vec::new();
        for guard in 0..self.guards {
            let run = self.run_between(place, before, guard)?;
            if run == Regex::Nothing {
                continue;
            }
            for piece in self.plan.pieces(reading, guard)?.iter() {
                match ways.iter_mut().find(|(to, regex, _)| *to == piece.guard && *regex == piece.regex) {
                    Some((.., runs)) => runs.push(run.clone()),
                    None => ways.push((piece.guard, piece.regex.clone(), vec![run.clone()])),
                }
            }
        }
        let mut by_guard: Vec<(usize, Vec<Regex>)> = Vec::new();
        for (guard, regex, runs) in ways {
            let way = Regex::concat([Regex::or(runs), regex]);
            match by_guard.iter_mut().find(|(known, _)| *known == guard) {
                Some((_, ways)) => ways.push(way),
                None => by_guard.push((guard, vec![way])),
            }
        }
        let lexemes = by_guard.into_iter().map(|(guard, ways)| (guard, self.builder.regex(Regex::or(ways))));
        Ok(lexemes.collect())
    }

    /// What may be ignored in a place between two guards.
    fn run_between(&mut self, place: PlaceId, before: usize, behind: usize) -> Result<Regex, CompileError> {
        let readings = &self.plan.ignored_at[place];
        if !self.runs.contains_key(readings) {
            let readings = readings.clone();
            let runs = self.plan.runs(&readings)?;
            self.runs.insert(readings, runs);
        }
        Ok(self.runs[&self.plan.ignored_at[place]][before * self.guards + behind].clone())
    }

    /// What may be ignored in a place behind a guard, whatever guard that leaves.
    fn run(&mut self, place: PlaceId, before: usize) -> Result<Regex, CompileError> {
        let runs = (0..self.guards).map(|behind| self.run_between(place, before, behind));
        Ok(Regex::or(runs.collect::<Result<Vec<_>, _>>()?))
    }

    fn token(&mut self, id: PartId, tokens: &TokenSet, before: usize) -> Result<ExprId, CompileError> {
        let run = self.run(self.plan.place_of[&id].0, before)?;
        let token = self.builder.token(tokens.clone());
        Ok(self.behind_run(run, token))
    }

    fn behind_run(&mut self, run: Regex, expr: ExprId) -> ExprId {
        if run == Regex::Empty {
            return expr;
        }
        let run = self.builder.regex(run);
        self.builder.sequence([run, expr])
    }

    fn schema(&mut self, id: PartId, index: u32, before: usize) -> Result<Option<ExprId>, CompileError> {
        let (place, _) = self.plan.place_of[&id];
        let mut runs = Vec::new();
        for guard in 0..self.guards {
            let run = self.run_between(place, before, guard)?;
            let of = self.plan.guards.get(guard);
            if run == Regex::Nothing || of.single.intersection(&json_starts()) == json_starts() {
                continue;
            }
            if let Some(shared) = forbidden_starts(&of.first, &of.single) {
                let message = format!(
                    "a `%json` stands behind a lexeme that must not be followed by {shared}, with which JSON may start: let something else stand between"
                );
                return Err(CompileError::new(
                    CompileErrorKind::Unsupported,
                    Place::default(),
                    "longest match",
                    message,
                ));
            }
            runs.push(run);
        }
        if runs.is_empty() {
            return Ok(None);
        }
        let at = crate::index::widen(index);
        let schema = match self.schemas[at] {
            Some(schema) => schema,
            None => self.builder.schema(self.plan.lexing.schemas[at].clone()),
        };
        self.schemas[at] = Some(schema);
        Ok(Some(self.behind_run(Regex::or(runs), schema)))
    }

    /// A rule between two classes.
    fn rule(&mut self, rule: RuleId, before: usize, behind: usize) -> RuleId {
        let (builder, lexing) = (&mut self.builder, self.plan.lexing);
        *self.rules.entry((rule, before, behind)).or_insert_with(|| {
            let name = &lexing.rules[rule.index()].name;
            match (before, behind) {
                (0, 0) => builder.rule(name, None),
                _ => builder.rule(&format!("{name}#{before}.{behind}"), None),
            }
        })
    }

    /// The ways with one part more.
    fn one_more(&mut self, ways: &Ways, part: PartId) -> Ways {
        let mut found: FxHashMap<usize, Vec<Vec<ExprId>>> = FxHashMap::default();
        for (guard, way) in sorted(ways.clone()) {
            for behind in self.behind(part, guard) {
                if let Some(next) = self.get(part, guard, behind) {
                    found.entry(behind).or_default().push(way.iter().copied().chain([next]).collect());
                }
            }
        }
        let mut more = Ways::default();
        for (behind, mut ways) in sorted(found) {
            let way = match ways.len() {
                0 | 1 => ways.pop().unwrap_or_default(),
                _ => {
                    let all: Vec<ExprId> = ways.into_iter().map(|way| self.builder.sequence(way)).collect();
                    vec![self.builder.choice(all)]
                }
            };
            more.insert(behind, way);
        }
        more
    }

    fn repeat(
        &mut self,
        table: &mut Table,
        before: &[usize],
        body: PartId,
        (min, max): (u32, Option<u32>),
    ) -> Result<(), CompileError> {
        if max == Some(0) || !self.plan.places.live[body.index()] {
            for &guard in before {
                table.insert((guard, guard), self.builder.sequence([]));
            }
            return Ok(());
        }
        let mut left = 0;
        for guard in before.iter().copied().chain(before.is_empty().then_some(0)) {
            left |= self.behind(body, guard).into_iter().fold(0, |bits, guard| bits | 1 << guard);
        }
        let left: Vec<usize> = members(left).collect();
        match left.as_slice() {
            [only] => self.repeat_into_one(table, before, body, *only, (min, max)),
            _ => self.repeat_written_out(table, (before, &left), body, (min, max))?,
        }
        Ok(())
    }

    /// A repetition whose rounds all leave one guard: behind the first, they are all alike.
    fn repeat_into_one(
        &mut self,
        table: &mut Table,
        before: &[usize],
        body: PartId,
        only: usize,
        (min, max): (u32, Option<u32>),
    ) {
        let again = self.get(body, only, only);
        for &guard in before {
            let Some(first) = self.get(body, guard, only) else {
                if min == 0 {
                    table.insert((guard, guard), self.builder.sequence([]));
                }
                continue;
            };
            if guard == only {
                table.insert((only, only), self.builder.repeat(first, min, max));
                continue;
            }
            let (least, most) = (min.saturating_sub(1), max.map(|max| max - 1));
            let rest = match again {
                Some(again) => self.builder.repeat(again, least, most),
                None if least == 0 => self.builder.sequence([]),
                None => self.builder.choice([]),
            };
            table.insert((guard, only), self.builder.sequence([first, rest]));
            if min == 0 {
                table.insert((guard, guard), self.builder.sequence([]));
            }
        }
    }

    /// A repetition in which the guard changes from round to round.
    fn repeat_written_out(
        &mut self,
        table: &mut Table,
        (before, left): (&[usize], &[usize]),
        body: PartId,
        (min, max): (u32, Option<u32>),
    ) -> Result<(), CompileError> {
        let rounds = max.unwrap_or(min);
        if rounds > LEXING_ROUNDS_MAX {
            let message = format!(
                "lexemes that must not run into each other are repeated {rounds} times, and such a repetition is written out at most {LEXING_ROUNDS_MAX} times (LEXING_ROUNDS_MAX)"
            );
            return Err(CompileError::new(CompileErrorKind::Limit, Place::default(), "repetition", message));
        }
        let any_number = match max {
            None => Some(self.star(body, (before, left))),
            Some(_) => None,
        };
        for &guard in before {
            let mut ways = start_of(guard);
            let mut ends: FxHashMap<usize, Vec<ExprId>> = FxHashMap::default();
            for round in 0..=rounds {
                if round >= min && max.is_some() {
                    for (behind, way) in sorted(ways.clone()) {
                        ends.entry(behind).or_default().push(self.builder.sequence(way));
                    }
                }
                if round < rounds {
                    ways = self.one_more(&ways, body);
                }
            }
            for (through, way) in sorted(any_number.as_ref().map_or_else(Ways::default, |_| ways.clone())) {
                let rules = any_number.iter().flatten().filter(|(pair, _)| pair.0 == through);
                for &((_, behind), rule) in rules {
                    let call = self.builder.call(rule);
                    let all = self.builder.sequence(way.iter().copied().chain([call]));
                    ends.entry(behind).or_default().push(all);
                }
            }
            for (behind, end) in sorted(ends) {
                table.insert((guard, behind), self.builder.choice(end));
            }
        }
        Ok(())
    }

    /// Rules for any number of rounds, by pair of guards.
    fn star(&mut self, body: PartId, (before, left): (&[usize], &[usize])) -> Vec<((usize, usize), RuleId)> {
        let mut all: Vec<usize> = before.iter().chain(left).copied().collect();
        all.sort_unstable();
        all.dedup();
        let mut rules = FxHashMap::default();
        let mut pairs = Vec::with_capacity(all.len() * all.len());
        for &from in &all {
            for &to in &all {
                let rule = self.builder.fresh("rounds");
                rules.insert((from, to), rule);
                pairs.push(((from, to), rule));
            }
        }
        for &((before, behind), rule) in &pairs {
            let mut ways: Vec<ExprId> = Vec::new();
            if before == behind {
                ways.push(self.builder.sequence([]));
            }
            for &through in &all {
                if let Some(round) = self.get(body, before, through) {
                    let rest = self.builder.call(rules[&(through, behind)]);
                    ways.push(self.builder.sequence([round, rest]));
                }
            }
            let choice = self.builder.choice(ways);
            self.builder.define(rule, choice, None).expect("fresh rules are defined once");
        }
        pairs
    }

    /// Defines the rules that are called, and the whole text.
    fn finish(mut self, start: RuleId) -> Result<Grammar, CompileError> {
        let body = self.plan.lexing.rules[Lexing::START.index()].body;
        let mut ways = Vec::new();
        for behind in 0..self.guards {
            if let Some(way) = self.get(body, 0, behind) {
                let run = self.run(self.plan.end, behind)?;
                ways.push(match run {
                    Regex::Empty => way,
                    run => {
                        let run = self.builder.regex(run);
                        self.builder.sequence([way, run])
                    }
                });
            }
        }
        let whole = self.builder.choice(ways);
        self.builder.define(start, whole, None)?;
        let mut called: Vec<((RuleId, usize, usize), RuleId)> =
            self.rules.iter().map(|(&of, &rule)| (of, rule)).collect();
        called.sort_unstable_by_key(|&(_, rule)| rule);
        for ((of, before, behind), rule) in called {
            let body = self.get(self.plan.lexing.rules[of.index()].body, before, behind);
            let body = match body {
                Some(body) => body,
                None => self.builder.choice([]),
            };
            self.builder.define(rule, body, None)?;
        }
        self.builder.finish(start)
    }
}

/// The ways to have read nothing yet.
fn start_of(guard: usize) -> Ways {
    Ways::from_iter([(guard, Vec::new())])
}

/// In the order of guards, so that equal grammars are written alike.
fn sorted<T>(by_guard: FxHashMap<usize, T>) -> Vec<(usize, T)> {
    let mut all: Vec<(usize, T)> = by_guard.into_iter().collect();
    all.sort_unstable_by_key(|&(guard, _)| guard);
    all
}
