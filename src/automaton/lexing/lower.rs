//! Writes a grammar over lexemes as one over text, once for each guard that may wait in front of a part and behind it.
//!
//! A *class* is the guard of the lexeme before, by number; 0 is no guard. A part is written for pairs of classes: one that
//! waits in front of it, and one that its last lexeme leaves. What is ignored stands in front of each lexeme and at
//! the end of the text. Grammars whose lexemes need no guards, or all the same, keep their shape.

use rustc_hash::FxHashMap;

use super::{Plan, json_starts, pair};
use crate::error::{CompileError, CompileErrorKind, Place};
use crate::grammar::lexing::{Lexing, Part};
use crate::grammar::regex::Regex;
use crate::grammar::rules::{Builder, Grammar, TokenSet, WHOLE_TEXT};
use crate::index::{ExprId, PartId, RuleId};
use crate::limits::LEXING_ROUNDS_MAX;

/// By pair of classes: what is read between them.
type Table = Vec<Option<ExprId>>;

struct Lowering<'p, 'l> {
    plan: &'p Plan<'l>,
    classes: usize,
    builder: Builder,
    /// By pair: what may be ignored between the classes, nothing included.
    runs: Vec<Regex>,
    /// By symbol: the classes that it may leave, as bits.
    left: Vec<u32>,
    /// By part.
    tables: Vec<Table>,
    schemas: Vec<Option<ExprId>>,
    rules: FxHashMap<(RuleId, usize, usize), RuleId>,
}

impl Plan<'_> {
    pub(super) fn lower(&self) -> Result<Grammar, CompileError> {
        let classes = self.guards.len();
        let mut lowering = Lowering {
            plan: self,
            classes,
            builder: Builder::new(),
            runs: self.runs()?,
            left: self.left(),
            tables: Vec::with_capacity(self.lexing.parts.len()),
            schemas: vec![None; self.lexing.schemas.len()],
            rules: FxHashMap::default(),
        };
        let start = lowering.builder.rule(WHOLE_TEXT, None);
        for at in 0..self.lexing.parts.len() {
            let table = if self.places.live[at] {
                lowering.table(PartId::new(at))?
            } else {
                vec![None; classes * classes]
            };
            lowering.tables.push(table);
        }
        lowering.finish(start)
    }

    /// By symbol: the classes that it may leave; the start, tokens and schemas leave 0.
    fn left(&self) -> Vec<u32> {
        let mut left: Vec<u32> = (0..self.places.symbols)
            .map(|symbol| u32::from(self.places.terminal(symbol).is_none()))
            .collect();
        for (situation, reading) in self.situations.iter().zip(&self.readings) {
            left[situation.symbol] |= 1 << reading.class;
        }
        left
    }

    /// What may be ignored between each two classes.
    fn runs(&self) -> Result<Vec<Regex>, CompileError> {
        let classes = self.guards.len();
        let mut paths = vec![Regex::Nothing; classes * classes];
        for (before, guard) in self.guards.iter().enumerate() {
            for &at in &self.ignored {
                let reading = &self.readings[at];
                if let Some(regex) = self.without_start(&reading.regex, reading.term, guard)? {
                    let path = &mut paths[pair(classes, before, reading.class)];
                    *path = Regex::or([path.clone(), regex]);
                }
            }
        }
        // Ways through one class after another.
        for through in 0..classes {
            let around = paths[pair(classes, through, through)].clone().star();
            let old = paths.clone();
            for before in 0..classes {
                for behind in 0..classes {
                    let (to, from) =
                        (&old[pair(classes, before, through)], &old[pair(classes, through, behind)]);
                    let way = Regex::concat([to.clone(), around.clone(), from.clone()]);
                    let path = &mut paths[pair(classes, before, behind)];
                    *path = Regex::or([path.clone(), way]);
                }
            }
        }
        for class in 0..classes {
            let path = &mut paths[pair(classes, class, class)];
            *path = path.clone().optional();
        }
        Ok(paths)
    }
}

impl Lowering<'_, '_> {
    /// The classes that may wait in front of a part.
    fn before(&self, part: PartId) -> Vec<usize> {
        self.classes_of(self.plan.places.before[part.index()].iter())
    }

    /// The classes that a part may leave, if this one waits in front of it.
    fn behind(&self, part: PartId, class: usize) -> Vec<usize> {
        let mut classes = self.classes_of(self.plan.places.last[part.index()].iter());
        if self.plan.places.nullable[part.index()] && !classes.contains(&class) {
            classes.push(class);
        }
        classes
    }

    fn classes_of(&self, symbols: impl Iterator<Item = usize>) -> Vec<usize> {
        let left = symbols.fold(0, |left, symbol| left | self.left[symbol]);
        (0..self.classes).filter(|class| left >> class & 1 == 1).collect()
    }

    fn get(&self, part: PartId, before: usize, behind: usize) -> Option<ExprId> {
        self.tables[part.index()][pair(self.classes, before, behind)]
    }

    fn table(&mut self, id: PartId) -> Result<Table, CompileError> {
        let mut table = vec![None; self.classes * self.classes];
        let plan = self.plan;
        let before = self.before(id);
        for &class in &before {
            match plan.lexing.part(id) {
                Part::Terminal(_) => {
                    let (lexeme, behind) = self.lexeme(id, class)?;
                    table[pair(self.classes, class, behind)] = lexeme;
                }
                Part::Token(tokens) => {
                    table[pair(self.classes, class, 0)] = Some(self.token(tokens, class));
                }
                Part::Schema(index) => {
                    table[pair(self.classes, class, 0)] = self.schema(*index, class)?;
                }
                Part::Rule(rule) => {
                    for behind in self.behind(id, class) {
                        let rule = self.rule(*rule, class, behind);
                        table[pair(self.classes, class, behind)] = Some(self.builder.call(rule));
                    }
                }
                Part::Choice(children) => {
                    for behind in self.behind(id, class) {
                        let found: Vec<ExprId> =
                            children.iter().filter_map(|&child| self.get(child, class, behind)).collect();
                        if !found.is_empty() {
                            table[pair(self.classes, class, behind)] = Some(self.builder.choice(found));
                        }
                    }
                }
                Part::Sequence(children) => {
                    let mut ways = self.start_of(class);
                    for &child in children {
                        ways = self.one_more(&ways, child);
                    }
                    self.keep(&mut table, class, ways);
                }
                Part::Repeat { .. } => {}
            }
        }
        if let Part::Repeat { body, min, max } = *plan.lexing.part(id) {
            self.repeat(&mut table, &before, body, (min, max))?;
        }
        Ok(table)
    }

    /// A lexeme with what is ignored before it, and the class that it leaves.
    fn lexeme(&mut self, id: PartId, before: usize) -> Result<(Option<ExprId>, usize), CompileError> {
        let plan = self.plan;
        let reading = &plan.readings[plan.situation_of[&id]];
        let mut ways: Vec<(Regex, Vec<Regex>)> = Vec::new();
        for (class, guard) in plan.guards.iter().enumerate() {
            let run = &self.runs[pair(self.classes, before, class)];
            if *run == Regex::Nothing {
                continue;
            }
            let Some(regex) = plan.without_start(&reading.regex, reading.term, guard)? else { continue };
            match ways.iter_mut().find(|(known, _)| *known == regex) {
                Some((_, runs)) => runs.push(run.clone()),
                None => ways.push((regex, vec![run.clone()])),
            }
        }
        let ways = ways.into_iter().map(|(regex, runs)| Regex::concat([Regex::or(runs), regex]));
        let regex = Regex::or(ways);
        let lexeme = (regex != Regex::Nothing).then(|| self.builder.regex(regex));
        Ok((lexeme, reading.class))
    }

    /// What may be ignored behind a class, whatever class that leaves.
    fn run(&self, before: usize) -> Regex {
        Regex::or((0..self.classes).map(|class| self.runs[pair(self.classes, before, class)].clone()))
    }

    fn token(&mut self, tokens: &TokenSet, before: usize) -> ExprId {
        let token = self.builder.token(tokens.clone());
        self.behind_run(self.run(before), token)
    }

    fn behind_run(&mut self, run: Regex, expr: ExprId) -> ExprId {
        if run == Regex::Empty {
            return expr;
        }
        let run = self.builder.regex(run);
        self.builder.sequence([run, expr])
    }

    fn schema(&mut self, index: u32, before: usize) -> Result<Option<ExprId>, CompileError> {
        let mut runs = Vec::new();
        for (class, guard) in self.plan.guards.iter().enumerate() {
            let shared = guard.intersection(&json_starts());
            let run = &self.runs[pair(self.classes, before, class)];
            if *run == Regex::Nothing || shared == json_starts() {
                continue;
            }
            if !shared.is_empty() {
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
            runs.push(run.clone());
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

    /// The ways to have read nothing yet.
    fn start_of(&self, class: usize) -> Vec<Option<Vec<ExprId>>> {
        let mut ways = vec![None; self.classes];
        ways[class] = Some(Vec::new());
        ways
    }

    /// The ways, by the class that they leave, with one part more.
    fn one_more(&mut self, ways: &[Option<Vec<ExprId>>], part: PartId) -> Vec<Option<Vec<ExprId>>> {
        let mut more = vec![None; self.classes];
        for (behind, more) in more.iter_mut().enumerate() {
            let mut found: Vec<Vec<ExprId>> = Vec::new();
            for (class, way) in ways.iter().enumerate() {
                if let (Some(way), Some(next)) = (way, self.get(part, class, behind)) {
                    found.push(way.iter().copied().chain([next]).collect());
                }
            }
            *more = match found.len() {
                0 | 1 => found.pop(),
                _ => {
                    let all: Vec<ExprId> = found.into_iter().map(|way| self.builder.sequence(way)).collect();
                    Some(vec![self.builder.choice(all)])
                }
            };
        }
        more
    }

    /// Writes ways from a class into a table.
    fn keep(&mut self, table: &mut Table, before: usize, ways: Vec<Option<Vec<ExprId>>>) {
        for (behind, way) in ways.into_iter().enumerate() {
            if let Some(way) = way {
                table[pair(self.classes, before, behind)] = Some(self.builder.sequence(way));
            }
        }
    }

    fn repeat(
        &mut self,
        table: &mut Table,
        before: &[usize],
        body: PartId,
        (min, max): (u32, Option<u32>),
    ) -> Result<(), CompileError> {
        if max == Some(0) || !self.plan.places.live[body.index()] {
            for &class in before {
                table[pair(self.classes, class, class)] = Some(self.builder.sequence([]));
            }
            return Ok(());
        }
        let mut left: Vec<usize> = self.behind(body, before.first().copied().unwrap_or(0));
        left.extend(before.iter().flat_map(|&class| self.behind(body, class)));
        left.sort_unstable();
        left.dedup();
        match left.as_slice() {
            [only] => self.repeat_into_one(table, before, body, *only, (min, max)),
            _ => self.repeat_written_out(table, before, body, (min, max))?,
        }
        Ok(())
    }

    /// A repetition whose rounds all leave one class: behind the first, they are all alike.
    fn repeat_into_one(
        &mut self,
        table: &mut Table,
        before: &[usize],
        body: PartId,
        only: usize,
        (min, max): (u32, Option<u32>),
    ) {
        let again = self.get(body, only, only);
        for &class in before {
            let Some(first) = self.get(body, class, only) else {
                if min == 0 {
                    table[pair(self.classes, class, class)] = Some(self.builder.sequence([]));
                }
                continue;
            };
            if class == only {
                table[pair(self.classes, only, only)] = Some(self.builder.repeat(first, min, max));
                continue;
            }
            let (least, most) = (min.saturating_sub(1), max.map(|max| max - 1));
            let rest = match again {
                Some(again) => self.builder.repeat(again, least, most),
                None if least == 0 => self.builder.sequence([]),
                None => self.builder.choice([]),
            };
            table[pair(self.classes, class, only)] = Some(self.builder.sequence([first, rest]));
            if min == 0 {
                table[pair(self.classes, class, class)] = Some(self.builder.sequence([]));
            }
        }
    }

    /// A repetition in which the class changes from round to round.
    fn repeat_written_out(
        &mut self,
        table: &mut Table,
        before: &[usize],
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
            None => Some(self.star(body)),
            Some(_) => None,
        };
        for &class in before {
            let mut ways = self.start_of(class);
            let mut ends: Vec<Vec<ExprId>> = vec![Vec::new(); self.classes];
            for round in 0..=rounds {
                if round >= min && max.is_some() {
                    for (behind, way) in ways.iter().enumerate() {
                        if let Some(way) = way {
                            ends[behind].push(self.builder.sequence(way.iter().copied()));
                        }
                    }
                }
                if round < rounds {
                    ways = self.one_more(&ways, body);
                }
            }
            if let Some(star) = &any_number {
                for (through, way) in ways.iter().enumerate() {
                    let Some(way) = way else { continue };
                    for (behind, end) in ends.iter_mut().enumerate() {
                        let call = self.builder.call(star[pair(self.classes, through, behind)]);
                        end.push(self.builder.sequence(way.iter().copied().chain([call])));
                    }
                }
            }
            for (behind, end) in ends.into_iter().enumerate() {
                if !end.is_empty() {
                    table[pair(self.classes, class, behind)] = Some(self.builder.choice(end));
                }
            }
        }
        Ok(())
    }

    /// Rules for any number of rounds, by pair of classes.
    fn star(&mut self, body: PartId) -> Vec<RuleId> {
        let pairs = self.classes * self.classes;
        let rules: Vec<RuleId> = (0..pairs).map(|_| self.builder.fresh("rounds")).collect();
        for before in 0..self.classes {
            for behind in 0..self.classes {
                let mut ways: Vec<ExprId> = Vec::new();
                if before == behind {
                    ways.push(self.builder.sequence([]));
                }
                for through in 0..self.classes {
                    if let Some(round) = self.get(body, before, through) {
                        let rest = self.builder.call(rules[pair(self.classes, through, behind)]);
                        ways.push(self.builder.sequence([round, rest]));
                    }
                }
                let choice = self.builder.choice(ways);
                self.builder
                    .define(rules[pair(self.classes, before, behind)], choice, None)
                    .expect("fresh rules are defined once");
            }
        }
        rules
    }

    /// Defines the rules that are called, and the whole text.
    fn finish(mut self, start: RuleId) -> Result<Grammar, CompileError> {
        let body = self.plan.lexing.rules[Lexing::START.index()].body;
        let mut ways = Vec::new();
        for behind in 0..self.classes {
            if let Some(way) = self.get(body, 0, behind) {
                let run = self.run(behind);
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
