//! How short the rest of a JSON value can be: what guides a search for the end of a document.
//!
//! Lengths are estimates in bytes, read from the formulas: names that are required, counts, items that must be among the others, the
//! least lengths of texts. Parts that ask for members or items are added up, although one may serve several; what contains itself counts
//! as endless on the way to itself; and a value's questions are taken to be answered all with "yes" or all with "no". A guide may be wrong:
//! whoever follows it reads byte by byte.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::automaton::control::{Control, Ret};
use crate::automaton::decode::{Coding, Partial};
use crate::automaton::formula::{FALSE, Formula, Members, NameId, TRUE};
use crate::automaton::key::Key;
use crate::automaton::lexeme::LexId;
use crate::automaton::names::{EVERY_OTHER, NO_OTHER, OFF};
use crate::automaton::object::{KeyAt, RunId};
use crate::automaton::satisfiable::KINDS;
use crate::automaton::state::View;
use crate::automaton::term::Terms;
use crate::automaton::universe::Universe;
use crate::automaton::value::ValueId;
use crate::grammar::program::Kinds;
use crate::index::{FormulaId, RetId, StateId, TermId, widen};
use crate::limits::{LEAST_DEPTH_MAX, LEAST_STEPS_MAX};

/// What can't be, or has no end.
pub(crate) const FAR: u64 = 1 << 40;

/// What a member adds beyond its name and its value: quotes, colon, comma.
const MEMBER_MARKS: u64 = 4;

/// Names below a place in a key of which each is looked at.
const NAMES_TRIED: usize = 32;

/// Places at the beginning of an array of which each is looked at.
const PLACES_TRIED: usize = 256;

/// Of what a length is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum What {
    Value,
    /// What is left behind the opening bracket, or an item; the closing bracket included.
    Items,
    /// Likewise of an object.
    Members,
}

/// Lengths that are known; see the module.
pub(crate) struct Lengths {
    known: FxHashMap<(FormulaId, What), u64>,
    open: FxHashSet<(FormulaId, What)>,
    steps_left: usize,
}

impl Default for Lengths {
    fn default() -> Self {
        Self { known: FxHashMap::default(), open: FxHashSet::default(), steps_left: LEAST_STEPS_MAX }
    }
}

impl Lengths {
    /// Counts parts that are looked at.
    fn charge(&mut self, parts: usize) {
        self.steps_left = self.steps_left.saturating_sub(parts);
    }

    /// A length that is looked up or found; some number where that would take too long.
    fn once(&mut self, key: (FormulaId, What), find: impl FnOnce(&mut Self) -> u64) -> u64 {
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        if self.open.contains(&key) {
            return FAR;
        }
        if self.steps_left == 0 || self.open.len() >= LEAST_DEPTH_MAX {
            return 2;
        }
        self.steps_left -= 1;
        self.open.insert(key);
        let len = find(self).min(FAR);
        self.open.remove(&key);
        // On the way to itself a part has no end, but seen from elsewhere it may have one.
        if len < FAR || self.open.is_empty() {
            self.known.insert(key, len);
        }
        len
    }
}

/// Lengths of values.
impl Universe {
    fn value_len(&self, lengths: &mut Lengths, must: FormulaId) -> u64 {
        lengths.once((must, What::Value), |lengths| {
            KINDS.iter().map(|&kind| self.kind_len(lengths, must, kind)).min().unwrap_or(FAR)
        })
    }

    fn kind_len(&self, lengths: &mut Lengths, must: FormulaId, kind: Kinds) -> u64 {
        let must = self.at_kind(must, kind);
        if must == FALSE {
            return FAR;
        }
        match kind {
            Kinds::NUMBER => self.term_len(self.number_term(must)),
            Kinds::STRING if self.has_sentence(must) => 2,
            Kinds::STRING => self.term_len(self.string_term(must)).saturating_add(2),
            Kinds::ARRAY => self.rest_len(lengths, must, What::Items).saturating_add(1),
            Kinds::OBJECT => self.rest_len(lengths, must, What::Members).saturating_add(1),
            _ if must != TRUE => FAR,
            Kinds::FALSE => 5,
            _ => 4,
        }
    }

    fn term_len(&self, term: TermId) -> u64 {
        if term == Terms::NOTHING { FAR } else { self.terms.lengths(term).min }
    }

    /// What is left of an array or object of which so much is asked.
    fn rest_len(&self, lengths: &mut Lengths, must: FormulaId, what: What) -> u64 {
        lengths.once((must, what), |lengths| {
            let parts = match self.formula(must) {
                Formula::True => return 1,
                Formula::False => return FAR,
                Formula::Any(parts) => {
                    lengths.charge(parts.len());
                    return parts.iter().map(|&part| self.rest_len(lengths, part, what)).min().unwrap_or(FAR);
                }
                Formula::All(parts) => parts,
                _ => std::slice::from_ref(&must),
            };
            match what {
                What::Members => self.members_of_all(lengths, parts),
                What::Items | What::Value => self.items_of_all(lengths, parts),
            }
        })
    }

    fn items_of_all(&self, lengths: &mut Lengths, parts: &[FormulaId]) -> u64 {
        lengths.charge(parts.len());
        let (mut count, mut contained, mut choices) = (0, 0_u64, 0_u64);
        let mut every: Vec<(&[FormulaId], FormulaId)> = Vec::new();
        for &part in parts {
            match self.formula(part) {
                Formula::MinItems(n) => count = count.max(*n),
                Formula::Items { prefix, rest, except: 0 } => every.push((prefix, *rest)),
                Formula::AtLeast { prefix, rest, count } => {
                    let places = prefix.iter().take(PLACES_TRIED).chain([rest]);
                    let item = places.map(|&item| self.value_len(lengths, item)).min().unwrap_or(FAR);
                    contained = contained.saturating_add(item.saturating_add(1).saturating_mul(*count));
                }
                Formula::Repeated => contained = contained.saturating_add(4),
                Formula::Any(_) => {
                    choices = choices.saturating_add(self.rest_len(lengths, part, What::Items) - 1)
                }
                Formula::False => return FAR,
                _ => {}
            }
        }
        let mut item = |at: usize| {
            let applies = every.iter().map(|&(prefix, rest)| prefix.get(at).copied().unwrap_or(rest));
            applies.map(|item| self.value_len(lengths, item)).max().unwrap_or(1).saturating_add(1)
        };
        let written_out = every.iter().map(|(prefix, _)| prefix.len()).max().unwrap_or(0).min(PLACES_TRIED);
        let (mut counted, mut left) = (0_u64, count);
        for at in 0..written_out.min(usize::try_from(count).unwrap_or(usize::MAX)) {
            counted = counted.saturating_add(item(at));
            left -= 1;
        }
        if left > 0 {
            counted = counted.saturating_add(item(usize::MAX).saturating_mul(left));
        }
        counted.max(contained).saturating_add(choices).saturating_add(1)
    }

    fn members_of_all(&self, lengths: &mut Lengths, parts: &[FormulaId]) -> u64 {
        lengths.charge(parts.len());
        let every: Vec<&Members> = parts
            .iter()
            .filter_map(|&part| match self.formula(part) {
                Formula::Members(members) => Some(&**members),
                _ => None,
            })
            .collect();
        let (mut required, mut count, mut len) = (0_u64, 0, 1_u64);
        for &part in parts {
            let more = match self.formula(part) {
                Formula::Required(name) => {
                    required += 1;
                    self.member_len(lengths, &every, *name)
                }
                Formula::SomeMember(members) => self.some_member_len(lengths, members),
                Formula::Any(_) => self.rest_len(lengths, part, What::Members) - 1,
                Formula::MinMembers(n) => {
                    count = count.max(*n);
                    0
                }
                Formula::False => FAR,
                _ => 0,
            };
            len = len.saturating_add(more);
        }
        if count > required {
            let members = every.iter().map(|members| self.some_member_len(lengths, members));
            let member = members.max().unwrap_or(MEMBER_MARKS + 2);
            len = len.saturating_add(member.saturating_mul(count - required));
        }
        len
    }

    /// Of a member with this name.
    fn member_len(&self, lengths: &mut Lengths, every: &[&Members], name: NameId) -> u64 {
        let applies = every.iter().map(|members| match members.declared(name) {
            Some(value) => value,
            None if members.patterns.is_empty() => members.rest,
            None => TRUE,
        });
        let value = applies.map(|value| self.value_len(lengths, value)).max().unwrap_or(1);
        self.name_len(name).saturating_add(MEMBER_MARKS).saturating_add(value)
    }

    /// Of some member that these allow.
    fn some_member_len(&self, lengths: &mut Lengths, members: &Members) -> u64 {
        lengths.charge(members.patterns.len() + members.properties.len());
        let mut least = self.value_len(lengths, members.rest).saturating_add(1);
        for &(pattern, value) in &members.patterns {
            least = least.min(self.term_len(pattern).saturating_add(self.value_len(lengths, value)));
        }
        for &(name, value) in &members.properties {
            least = least.min(self.name_len(name).saturating_add(self.value_len(lengths, value)));
        }
        least.saturating_add(MEMBER_MARKS)
    }

    fn name_len(&self, name: NameId) -> u64 {
        u64::try_from(self.name(name).len()).unwrap_or(FAR)
    }
}

/// A way out of what a state is inside of: about how few bytes it takes, and what the caller is told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WayOut {
    pub(crate) len: u64,
    pub(crate) outcome: u32,
}

/// Ways out of a place.
impl Universe {
    /// For each outcome that is looked at, the shortest; at least one, if only a way without end.
    pub(crate) fn ways_out(&self, lengths: &mut Lengths, state: StateId) -> Vec<WayOut> {
        let mut ways = match View::of(state) {
            View::Control(at) => self.ways_out_of(lengths, &self.controls.get(at).key),
            View::Key(at) => self.ways_out_of_key(lengths, &self.keys.get(at).key),
            View::Lex(lex) => {
                let terms = self.vectors.get(self.lexes.get(lex.0).key.vector).len();
                let asks: Vec<u64> = (1..terms).map(|at| self.lex_least_of(lex, at)).collect();
                self.two_ways(self.lex_least(lex), &asks)
            }
            View::Net(_) => self.two_ways(0, &[]),
        };
        ways.sort_unstable_by_key(|way| (way.outcome, way.len));
        ways.dedup_by_key(|way| way.outcome);
        ways
    }

    fn ways_out_of(&self, lengths: &mut Lengths, control: &Control) -> Vec<WayOut> {
        match control {
            Control::Done { .. } => self.two_ways(0, &[]),
            Control::Value { value, .. } => self.ways_over_value(lengths, *value),
            Control::Literal { word, read, outcome } => {
                let len = u64::try_from(word.text().len()).unwrap_or(0).saturating_sub(u64::from(*read));
                vec![WayOut { len, outcome: *outcome }]
            }
            Control::ObjectOpen { run, .. } | Control::ObjectNext { run, .. } => {
                self.ways_out_of_object(lengths, *run, 0)
            }
            // A member must come.
            Control::ObjectKey { run, .. } => self.ways_out_of_object(lengths, *run, MEMBER_MARKS + 1),
            Control::Colon { ret, value, .. } => self.ways_over_member(lengths, *value, *ret, 1),
            Control::ArrayOpen { run, .. } | Control::ArrayNext { run, .. } => {
                let run = self.array(*run);
                let asks: Vec<u64> =
                    run.asks.iter().map(|&ask| self.rest_len(lengths, ask, What::Items)).collect();
                self.two_ways(self.rest_len(lengths, run.must, What::Items), &asks)
            }
        }
    }

    fn ways_out_of_object(&self, lengths: &mut Lengths, run: RunId, least: u64) -> Vec<WayOut> {
        let run = self.run(run);
        let asks: Vec<u64> = run.asks.iter().map(|&ask| self.rest_len(lengths, ask, What::Members)).collect();
        self.two_ways(self.rest_len(lengths, run.must, What::Members).max(least), &asks)
    }

    fn ways_over_value(&self, lengths: &mut Lengths, value: ValueId) -> Vec<WayOut> {
        let value = self.value(value);
        let asks: Vec<u64> = value.asks.iter().map(|&ask| self.value_len(lengths, ask)).collect();
        self.two_ways(self.value_len(lengths, value.must), &asks)
    }

    /// Over so many bytes and the value of a member to the end of its object.
    fn ways_over_member(
        &self,
        lengths: &mut Lengths,
        value: ValueId,
        ret: RetId,
        before: u64,
    ) -> Vec<WayOut> {
        let mut ways = Vec::new();
        for over in self.ways_over_value(lengths, value) {
            let before = before.saturating_add(over.len);
            // The value's caller is an object, so this goes no deeper.
            for mut way in self.ways_out(lengths, self.after(ret, over.outcome)) {
                way.len = way.len.saturating_add(before);
                ways.push(way);
            }
        }
        ways
    }

    /// Inside a key: over each known name that goes on so, or over another.
    fn ways_out_of_key(&self, lengths: &mut Lengths, key: &Key) -> Vec<WayOut> {
        let mut ways = self.ways_out_of_object(lengths, key.run, 0);
        let left = match key.others {
            NO_OTHER => FAR,
            EVERY_OTHER => 0,
            vector => self.term_len(self.vectors.get(vector)[0]),
        };
        for way in &mut ways {
            // Another member comes before what is asked for.
            way.len = way.len.saturating_add(left.saturating_add(MEMBER_MARKS)).min(FAR);
        }
        if key.node == OFF {
            return ways;
        }
        let run = self.run(key.run);
        let trie = self.name_trie(run.names);
        let names = self.names_by_rank(run.names);
        for &rank in trie.ranks_below(key.node).iter().take(NAMES_TRIED) {
            let Ok(Some(member)) = self.key_event(key.run, KeyAt::Known(rank)) else { continue };
            let Some(&name) = names.get(widen(rank)) else { continue };
            let left = u64::try_from(trie.left(key.node, self.name(name))).unwrap_or(FAR);
            ways.extend(self.ways_over_member(lengths, member.value, member.ret, left.saturating_add(2)));
        }
        ways
    }

    /// Two ways: nothing is answered with "yes", or all that still can be.
    fn two_ways(&self, must: u64, asks: &[u64]) -> Vec<WayOut> {
        let no = WayOut { len: must, outcome: self.outcome(asks.iter().map(|_| false)) };
        if asks.iter().all(|&len| len >= FAR) {
            return vec![no];
        }
        let len = asks.iter().filter(|&&len| len < FAR).copied().fold(must, u64::max);
        vec![no, WayOut { len, outcome: self.outcome(asks.iter().map(|&len| len < FAR)) }]
    }

    /// The fewest characters that end a lexeme.
    pub(crate) fn lex_least(&self, lex: LexId) -> u64 {
        self.lex_least_of(lex, 0)
    }

    /// Likewise so that the text matches the term at this place of the lexeme's vector.
    fn lex_least_of(&self, lex: LexId, at: usize) -> u64 {
        let key = &self.lexes.get(lex.0).key;
        let text = self.term_len(self.vectors.get(key.vector)[at]);
        let begun = u64::from(key.partial != Partial::Clean);
        text.saturating_add(begun).saturating_add(u64::from(key.coding == Coding::Json)).min(FAR)
    }

    /// An outcome that a callee of a ret may have: every question answered with "yes".
    pub(crate) fn some_outcome(&self, ret: RetId) -> u32 {
        let judged = match &self.rets.get(ret.0).key {
            Ret::Member { judged, .. } | Ret::Item { judged, .. } => judged,
            _ => return self.outcome([]),
        };
        let questions = judged.iter().map(|&(_, question)| question + 1).max().unwrap_or(0);
        self.outcome((0..questions).map(|_| true))
    }
}
