//! From a pattern with any assertions to a table of states, one for each situation that a text can lead to.
//!
//! After some text, all that matters is what the rest of it must be. For the pattern that is one formula over positions
//! (`positions`), true if the search succeeds from here. A lookbehind may have been entered at any place before; so for
//! each of its positions there is a formula too: what the rest must be for some way to that position to count (its body
//! may look ahead). These formulas together are a *situation*. To read a character replaces each position in them by its
//! formula behind the character, or by false, and then lookbehinds are decided, those inside others first.
//!
//! As equal formulas are one, situations are finitely many. They are listed, merged where no text tells them apart (`grammar/minimal.rs`), and
//! numbered in the order of reading.

use rustc_hash::FxHashMap;

use super::formulas::{Formula, Formulas, Replaced, TooCostly, Variable};
use super::positions::{Meaning, Positions, positions};
use super::{Node, PatternError};
use crate::grammar::minimal::{Graph, minimal};
use crate::grammar::regex::{CharSet, Regex};
use crate::index::widen;
use crate::limits::{
    PATTERN_FORMULAS_MAX, PATTERN_NODES_MAX, PATTERN_POSITIONS_MAX, PATTERN_STATES_MAX, PATTERN_STEPS_MAX,
    PATTERN_TRANSITIONS_MAX,
};

/// The language of the texts in which the pattern is found.
///
/// # Errors
/// If it passes a limit, that on the steps left included.
pub(super) fn search(node: &Node, steps_left: &mut usize) -> Result<Regex, PatternError> {
    listed(node, steps_left).map_err(|TooCostly| {
        let message = format!(
            "its assertions need more than {PATTERN_POSITIONS_MAX} positions, {PATTERN_STATES_MAX} states, \
             {PATTERN_TRANSITIONS_MAX} transitions, {PATTERN_FORMULAS_MAX} formulas or {PATTERN_STEPS_MAX} steps: use \
             smaller counts, or fewer assertions inside repeats"
        );
        PatternError::new("limit", first_look(node).unwrap_or(0), message)
    })
}

/// The place of the first assertion that looks at more than its neighbours.
fn first_look(node: &Node) -> Option<usize> {
    match node {
        Node::Look { byte, .. } => Some(*byte),
        Node::Concat(parts) | Node::Or(parts) => parts.iter().find_map(first_look),
        Node::Repeat { body, .. } => first_look(body),
        _ => None,
    }
}

fn listed(node: &Node, steps_left: &mut usize) -> Result<Regex, TooCostly> {
    let mut formulas = Formulas::new(std::mem::take(steps_left));
    let found = positions(node, &mut formulas).and_then(|positions| {
        let kinds = Kinds::of(&positions.sets)?;
        let graph = Reader::new(positions, &mut formulas)?.graph(&kinds)?;
        Ok((graph, kinds))
    });
    *steps_left = formulas.steps_left();
    let (graph, kinds) = found?;
    let regex = Regex::states(minimal(&graph, &kinds.ranges));
    if regex.size() > PATTERN_NODES_MAX { Err(TooCostly) } else { Ok(regex) }
}

/// The characters in kinds that the pattern doesn't tell apart.
struct Kinds {
    /// All characters, as sorted ranges of one kind each.
    ranges: Vec<(u32, u32, usize)>,
    /// By kind, then by set, whether the kind is in the set.
    members: Vec<Vec<bool>>,
}

impl Kinds {
    fn of(sets: &[CharSet]) -> Result<Self, TooCostly> {
        // Where a set begins or ends; the last entry of all ends the characters.
        let mut edges: Vec<(u32, Option<usize>)> = Vec::new();
        for (number, set) in sets.iter().enumerate() {
            edges.extend(
                set.ranges().iter().flat_map(|&(low, high)| [low, high + 1]).map(|at| (at, Some(number))),
            );
        }
        let all = CharSet::any();
        edges.extend(all.ranges().iter().flat_map(|&(low, high)| [low, high + 1]).map(|at| (at, None)));
        edges.sort_unstable();
        if edges.len().saturating_mul(sets.len()) > PATTERN_STEPS_MAX {
            return Err(TooCostly);
        }
        let mut found = Self { ranges: Vec::new(), members: Vec::new() };
        let mut known: FxHashMap<Vec<bool>, usize> = FxHashMap::default();
        let (mut now, mut inside, mut from) = (vec![false; sets.len()], false, 0);
        for (at, number) in edges {
            if at > from && inside {
                let next = found.members.len();
                let kind = *known.entry(now.clone()).or_insert(next);
                if kind == next {
                    found.members.push(now.clone());
                }
                found.ranges.push((from, at - 1, kind));
            }
            from = at;
            match number {
                Some(number) => now[number] = !now[number],
                None => inside = !inside,
            }
        }
        Ok(found)
    }
}

/// What the rest of the text must be: for the pattern, and for each position of a lookbehind by its place.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Situation {
    pattern: Formula,
    behind: Box<[Formula]>,
}

/// Inside the body of a lookbehind: under the condition, the position of a place or (`None`) the goal is next.
struct Step {
    to: Option<usize>,
    when: Formula,
}

/// The body of a lookbehind as steps.
struct Body {
    first: Vec<Step>,
    /// By place from `from` on: the set that the position reads, and what may come behind it.
    positions: Vec<(usize, Vec<Step>)>,
    from: usize,
}

struct Reader<'f> {
    formulas: &'f mut Formulas,
    positions: Positions,
    bodies: Vec<Body>,
    /// How many places there are.
    places: usize,
    /// By lookbehind, then by variable: whether what the variable stands for may come to ask for the lookbehind.
    asked: Vec<Vec<bool>>,
}

/// What is known while one character is read.
#[derive(Default)]
struct Reading {
    /// Whether each lookbehind holds behind the character, as far as decided.
    holds: Vec<Formula>,
    /// Formulas with lookbehinds decided.
    decided: Replaced,
    /// Formulas with the character read.
    read: Replaced,
}

impl<'f> Reader<'f> {
    fn new(positions: Positions, formulas: &'f mut Formulas) -> Result<Self, TooCostly> {
        let mut bodies = Vec::new();
        let mut from = 0;
        for lookbehind in &positions.lookbehinds {
            let places: FxHashMap<Variable, usize> =
                lookbehind.positions.iter().copied().zip(from..).collect();
            let first = steps(formulas, lookbehind.start, lookbehind.goal, &places)?;
            let mut body = Body { first, positions: Vec::new(), from };
            for &variable in &lookbehind.positions {
                let Meaning::Position { set, then } = positions.meanings[widen(variable.0)] else {
                    unreachable!("a lookbehind lists its positions");
                };
                body.positions.push((set, steps(formulas, then, lookbehind.goal, &places)?));
            }
            from += body.positions.len();
            bodies.push(body);
        }
        let asked = asked(&positions, formulas)?;
        Ok(Self { formulas, positions, bodies, places: from, asked })
    }

    /// All situations, the first one first.
    fn graph(&mut self, kinds: &Kinds) -> Result<Graph, TooCostly> {
        let mut graph = Graph { accepts: Vec::new(), next: Vec::new(), kinds: kinds.members.len() };
        let mut numbers: FxHashMap<Situation, usize> = FxHashMap::default();
        let mut listed = vec![self.first()?];
        numbers.insert(listed[0].clone(), 0);
        while let Some(situation) = listed.get(graph.accepts.len()).cloned() {
            graph.accepts.push(self.formulas.holds_without(situation.pattern));
            for members in &kinds.members {
                let next = self.behind(&situation, members)?;
                let number = *numbers.entry(next).or_insert_with_key(|next| {
                    listed.push(next.clone());
                    listed.len() - 1
                });
                graph.next.push(number);
            }
            if listed.len() > PATTERN_STATES_MAX || graph.next.len() > PATTERN_TRANSITIONS_MAX {
                return Err(TooCostly);
            }
        }
        Ok(graph)
    }

    /// The situation at the start of the text.
    fn first(&mut self) -> Result<Situation, TooCostly> {
        let mut reading = Reading::default();
        let behind = self.decide_lookbehinds(None, &[], &mut reading)?;
        let pattern = decide(self.formulas, &self.positions.meanings, self.positions.start, &mut reading)?;
        self.settled(Situation { pattern, behind })
    }

    /// The situation behind a character that is a member of these sets.
    fn behind(&mut self, before: &Situation, members: &[bool]) -> Result<Situation, TooCostly> {
        let mut reading = Reading::default();
        let behind = self.decide_lookbehinds(Some(before), members, &mut reading)?;
        let pattern = self.read(before.pattern, members, &mut reading)?;
        self.settled(Situation { pattern, behind })
    }

    /// The situation without what no more matters: lookbehinds that nobody will ask for.
    fn settled(&mut self, mut situation: Situation) -> Result<Situation, TooCostly> {
        let variables = self.formulas.variables(situation.pattern)?;
        for (body, asked) in self.bodies.iter().zip(&self.asked) {
            if !variables.iter().any(|variable| asked[widen(variable.0)]) {
                situation.behind[body.from..][..body.positions.len()].fill(Formula::FALSE);
            }
        }
        Ok(situation)
    }

    /// Whether each lookbehind holds, which goes to `reading`, and the formulas of the places inside.
    fn decide_lookbehinds(
        &mut self,
        before: Option<&Situation>,
        members: &[bool],
        reading: &mut Reading,
    ) -> Result<Box<[Formula]>, TooCostly> {
        let mut behind = vec![Formula::FALSE; self.places].into_boxed_slice();
        let bodies = std::mem::take(&mut self.bodies);
        for body in &bodies {
            let mut holds = Formula::FALSE;
            self.take(&body.first, Formula::TRUE, reading, &mut behind, &mut holds)?;
            let places = before.map_or(&[][..], |before| &before.behind[body.from..]);
            // As many as the body has.
            for (&formula, (set, steps)) in places.iter().zip(&body.positions) {
                if formula != Formula::FALSE && members[*set] {
                    let rest = self.read(formula, members, reading)?;
                    self.take(steps, rest, reading, &mut behind, &mut holds)?;
                }
            }
            reading.holds.push(holds);
        }
        self.bodies = bodies;
        Ok(behind)
    }

    /// Takes steps, where the rest of the text must be `rest`.
    fn take(
        &mut self,
        steps: &[Step],
        rest: Formula,
        reading: &mut Reading,
        behind: &mut [Formula],
        holds: &mut Formula,
    ) -> Result<(), TooCostly> {
        for step in steps {
            let formulas = &mut *self.formulas;
            let when = decide(formulas, &self.positions.meanings, step.when, reading)?;
            let there = formulas.and(when, rest)?;
            let place = step.to.map_or(&mut *holds, |place| &mut behind[place]);
            *place = formulas.or(*place, there)?;
        }
        Ok(())
    }

    /// The formula behind the character that is read.
    fn read(
        &mut self,
        formula: Formula,
        members: &[bool],
        reading: &mut Reading,
    ) -> Result<Formula, TooCostly> {
        let meanings = &self.positions.meanings;
        let mut read = std::mem::take(&mut reading.read);
        let found = self.formulas.replace(formula, &mut read, &mut |formulas, variable| match meanings
            [widen(variable.0)]
        {
            Meaning::Position { set, then } if members[set] => decide(formulas, meanings, then, reading),
            _ => Ok(Formula::FALSE),
        });
        reading.read = read;
        found
    }
}

/// Which variables may come to ask for which lookbehind.
fn asked(positions: &Positions, formulas: &mut Formulas) -> Result<Vec<Vec<bool>>, TooCostly> {
    let Positions { meanings, lookbehinds, .. } = positions;
    let mut askers: Vec<Vec<usize>> = vec![Vec::new(); meanings.len()];
    for (from, meaning) in meanings.iter().enumerate() {
        let (formula, own) = match *meaning {
            Meaning::Position { then, .. } => (then, &[][..]),
            Meaning::Behind(number) => (lookbehinds[number].start, &lookbehinds[number].positions[..]),
            Meaning::Goal | Meaning::Entry(_) => continue,
        };
        for variable in formulas.variables(formula)?.iter().chain(own) {
            askers[widen(variable.0)].push(from);
        }
    }
    let mut asked = vec![Vec::new(); lookbehinds.len()];
    for (variable, meaning) in meanings.iter().enumerate() {
        let Meaning::Behind(number) = *meaning else { continue };
        formulas.charge(meanings.len())?;
        let mut seen = vec![false; meanings.len()];
        let mut open = vec![variable];
        while let Some(next) = open.pop() {
            if !std::mem::replace(&mut seen[next], true) {
                open.extend(&askers[next]);
            }
        }
        asked[number] = seen;
    }
    Ok(asked)
}

/// The formula with lookbehinds decided.
fn decide(
    formulas: &mut Formulas,
    meanings: &[Meaning],
    formula: Formula,
    reading: &mut Reading,
) -> Result<Formula, TooCostly> {
    let holds = &reading.holds;
    formulas.replace(formula, &mut reading.decided, &mut |formulas, variable| match meanings
        [widen(variable.0)]
    {
        Meaning::Behind(number) => Ok(holds[number]),
        _ => formulas.variable(variable),
    })
}

/// The steps whose union a formula is.
fn steps(
    formulas: &mut Formulas,
    formula: Formula,
    goal: Variable,
    places: &FxHashMap<Variable, usize>,
) -> Result<Vec<Step>, TooCostly> {
    let mut found = Vec::new();
    for variable in formulas.variables(formula)? {
        let to = places.get(&variable).copied();
        if to.is_none() && variable != goal {
            continue;
        }
        let when = formulas.replace(formula, &mut Replaced::default(), &mut |formulas, other| {
            if other == variable {
                Ok(Formula::TRUE)
            } else if other == goal || places.contains_key(&other) {
                Ok(Formula::FALSE)
            } else {
                formulas.variable(other)
            }
        })?;
        found.push(Step { to, when });
    }
    Ok(found)
}
