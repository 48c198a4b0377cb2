//! The same grammar with alternatives that begin alike written as one, up to where they part.
//!
//! What may stand in a place is found from the parts around it (`surely`). In `"is" | "is" "not"` nothing around the second `"not"` says
//! what may stand there besides; in `"is" ("" | "not")` it does. The language of lexemes is the same, and so is that of texts.

use rustc_hash::FxHashMap;

use super::{Lexing, Part};
use crate::index::PartId;
use crate::limits::LEXING_FACTORS_MAX;

/// The grammar with its parts rewritten; terminals, rules and schemas keep their numbers.
pub(crate) fn factored(lexing: &Lexing) -> Lexing {
    let mut factoring = Factoring {
        lexing,
        kinds: kinds(lexing),
        new: Lexing { parts: Vec::with_capacity(lexing.parts.len()), ..lexing.clone() },
        new_of: Vec::with_capacity(lexing.parts.len()),
    };
    for at in 0..lexing.parts.len() {
        let new = factoring.part(PartId::new(at));
        factoring.new_of.push(new);
    }
    let Factoring { mut new, new_of, .. } = factoring;
    for rule in &mut new.rules {
        rule.body = new_of[rule.body.index()];
    }
    new
}

/// By part: a number that equal parts share.
fn kinds(lexing: &Lexing) -> Vec<PartId> {
    let mut known: FxHashMap<Part, PartId> = FxHashMap::default();
    let mut kinds: Vec<PartId> = Vec::with_capacity(lexing.parts.len());
    for (at, part) in lexing.parts.iter().enumerate() {
        let kind_of = |child: &PartId| kinds[child.index()];
        let part = match part {
            Part::Sequence(children) => Part::Sequence(children.iter().map(kind_of).collect()),
            Part::Choice(children) => Part::Choice(children.iter().map(kind_of).collect()),
            Part::Repeat { body, min, max } => Part::Repeat { body: kind_of(body), min: *min, max: *max },
            leaf => leaf.clone(),
        };
        kinds.push(*known.entry(part).or_insert(PartId::new(at)));
    }
    kinds
}

struct Factoring<'l> {
    lexing: &'l Lexing,
    kinds: Vec<PartId>,
    new: Lexing,
    /// By part of the old grammar.
    new_of: Vec<PartId>,
}

impl<'l> Factoring<'l> {
    /// The new part for an old one.
    fn part(&mut self, id: PartId) -> PartId {
        let new = |child: &PartId| self.new_of[child.index()];
        let part = match self.lexing.part(id) {
            Part::Sequence(children) => Part::Sequence(children.iter().map(new).collect()),
            Part::Repeat { body, min, max } => Part::Repeat { body: new(body), min: *min, max: *max },
            Part::Choice(_) => {
                return self.choice(self.alternatives(id), LEXING_FACTORS_MAX);
            }
            leaf => leaf.clone(),
        };
        self.new.push(part)
    }

    /// The alternatives of a choice and of those directly in it, as sequences.
    fn alternatives(&self, choice: PartId) -> Vec<&'l [PartId]> {
        let mut all = Vec::new();
        let mut pending: Vec<&'l PartId> = self.lexing.part(choice).children().iter().rev().collect();
        while let Some(id) = pending.pop() {
            match self.lexing.part(*id) {
                Part::Choice(children) => pending.extend(children.iter().rev()),
                Part::Sequence(children) => all.push(children.as_slice()),
                _ => all.push(std::slice::from_ref(id)),
            }
        }
        all
    }

    /// A choice between sequences; prefixes in prefixes are written as one up to a depth.
    fn choice(&mut self, ways: Vec<&'l [PartId]>, depth: usize) -> PartId {
        let mut groups: Vec<(Option<PartId>, Vec<&'l [PartId]>)> = Vec::new();
        let mut place_of: FxHashMap<Option<PartId>, usize> = FxHashMap::default();
        for way in ways {
            let kind = way.first().map(|first| self.kinds[first.index()]);
            let place = *place_of.entry(kind).or_insert_with(|| {
                groups.push((kind, Vec::new()));
                groups.len() - 1
            });
            groups[place].1.push(way);
        }
        let mut children: Vec<PartId> = Vec::new();
        for (_, ways) in groups {
            if ways.len() == 1 || depth == 0 {
                children.extend(ways.into_iter().map(|way| self.sequence(way, None)));
                continue;
            }
            let common = self.common(&ways);
            let (prefix, rests) = (&ways[0][..common], ways.iter().map(|way| &way[common..]));
            let rests: Vec<&[PartId]> = rests.collect();
            let rest = if rests.iter().all(|rest| rest.is_empty()) {
                None
            } else {
                Some(self.choice(rests, depth - 1))
            };
            children.push(self.sequence(prefix, rest));
        }
        match children.as_slice() {
            [only] => *only,
            _ => self.new.push(Part::Choice(children)),
        }
    }

    /// How many parts all of the sequences begin with alike.
    fn common(&self, ways: &[&[PartId]]) -> usize {
        let kind = |id: PartId| self.kinds[id.index()];
        let (first, others) = ways.split_first().expect("groups have members");
        let alike = |other: &&[PartId]| {
            first.iter().zip(*other).take_while(|(one, other)| kind(**one) == kind(**other)).count()
        };
        others.iter().map(alike).min().unwrap_or(first.len())
    }

    fn sequence(&mut self, way: &[PartId], rest: Option<PartId>) -> PartId {
        let parts: Vec<PartId> = way.iter().map(|id| self.new_of[id.index()]).chain(rest).collect();
        match parts.as_slice() {
            [only] => *only,
            _ => self.new.push(Part::Sequence(parts)),
        }
    }
}
