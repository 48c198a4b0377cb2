//! Terminals between states of a regex: where the texts of a terminal lead from a state, and which of them lead where.
//!
//! Both are read in lock-step, by derivatives. What is found is the terminal itself where no text is lost and all lead to
//! one state, a set or a list of literals where it is one, else the least table of states.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::automaton::rules::product::{At, Failure, Product};
use crate::automaton::term::Terms;
use crate::grammar::minimal::{least, work};
use crate::grammar::regex::{CharSet, Regex};
use crate::grammar::rules::Expr;
use crate::index::{ExprId, TermId};

/// By state behind: the texts of the terminal that lead there.
pub(super) type Leaf = BTreeMap<At, Regex>;

/// Where characters lead both: from, to, and the number of the pair.
type Steps = Vec<(u32, u32, usize)>;

/// A terminal and the regex, read in lock-step.
#[derive(Default)]
struct Pairs {
    pairs: Vec<(TermId, At)>,
    numbers: FxHashMap<(TermId, At), usize>,
    steps: Vec<Steps>,
    /// Whether some text of the terminal is in no text of the regex.
    loses: bool,
}

impl Product<'_> {
    /// The texts of a terminal from a state on, by the state behind.
    pub(super) fn leaf(&mut self, expr: ExprId, from: At) -> Result<Leaf, Failure> {
        if let Some(known) = self.leaves.get(&(expr, from)) {
            return Ok(known.clone());
        }
        let regex = match self.grammar.expr(expr) {
            Expr::Text(regex) => regex.clone(),
            _ => Regex::Nothing,
        };
        let leaf = self.find_leaf(&regex, from)?;
        self.leaves.insert((expr, from), leaf.clone());
        Ok(leaf)
    }

    fn find_leaf(&mut self, regex: &Regex, from: At) -> Result<Leaf, Failure> {
        match regex {
            Regex::Nothing => return Ok(Leaf::new()),
            Regex::Literals(texts) => {
                let mut by_state: BTreeMap<At, Vec<&str>> = BTreeMap::new();
                for text in texts.iter() {
                    if let Some(at) = self.after(from, text)? {
                        by_state.entry(at).or_default().push(text);
                    }
                }
                let regexes = by_state.into_iter().map(|(at, texts)| (at, Regex::literals(texts)));
                return Ok(regexes.collect());
            }
            _ if self.stays(&alphabet(regex), from)? => {
                return Ok(Leaf::from([(from, regex.clone())]));
            }
            _ => {}
        }
        let pairs = self.pairs(regex, from)?;
        let mut behind: Vec<At> = Vec::new();
        for &(term, at) in &pairs.pairs {
            if self.universe.terms.nullable(term) && !behind.contains(&at) {
                behind.push(at);
            }
        }
        if let (false, [only]) = (pairs.loses, &behind[..]) {
            return Ok(Leaf::from([(*only, regex.clone())]));
        }
        let mut leaf = Leaf::new();
        for at in behind {
            let part = if let Regex::Set(_) = regex {
                let leading = pairs.steps[0].iter().filter(|&&(.., to)| pairs.pairs[to].1 == at);
                Regex::set(CharSet::from_ranges(leading.map(|&(lo, hi, _)| (lo, hi))))
            } else {
                self.table(&pairs, at)?
            };
            leaf.insert(at, part);
        }
        Ok(leaf)
    }

    /// The state after a text; `None` if no text of the regex begins so.
    fn after(&mut self, from: At, text: &str) -> Result<Option<At>, Failure> {
        self.charge(1 + text.len())?;
        let mut term = self.term(from);
        for c in text.chars() {
            term = self.universe.terms.derive(term, c.into())?;
        }
        if self.universe.terms.is_nothing(term)? { Ok(None) } else { Ok(Some(self.number(term)?)) }
    }

    /// Whether all these characters lead from the state to itself.
    fn stays(&mut self, alphabet: &CharSet, at: At) -> Result<bool, Failure> {
        let term = self.term(at);
        if term == Terms::ALL {
            return Ok(true);
        }
        let ranges = self.universe.terms.successors(term)?;
        let same = ranges.iter().filter(|range| range.target == term).map(|range| (range.lo, range.hi));
        Ok(alphabet.difference(&CharSet::from_ranges(same)).is_empty())
    }

    fn pairs(&mut self, regex: &Regex, from: At) -> Result<Pairs, Failure> {
        let universe = self.universe;
        let start = universe.terms.from_regex(regex)?;
        let mut pairs = Pairs::default();
        pairs.number((start, from));
        let mut next = 0;
        while let Some(&(leaf, at)) = pairs.pairs.get(next) {
            next += 1;
            let mut steps = Steps::new();
            let states = universe.terms.successors(self.term(at))?;
            let mut first = 0;
            for range in universe.terms.successors(leaf)? {
                if universe.terms.is_nothing(range.target)? {
                    continue;
                }
                let mut covered = range.lo;
                while states.get(first).is_some_and(|state| state.hi < range.lo) {
                    first += 1;
                }
                for state in states[first..].iter().take_while(|state| state.lo <= range.hi) {
                    self.charge(1)?;
                    if universe.terms.is_nothing(state.target)? {
                        continue;
                    }
                    let (lo, hi) = (range.lo.max(state.lo), range.hi.min(state.hi));
                    pairs.loses |= has_scalar(covered, lo);
                    covered = hi + 1;
                    let to = self.number(state.target)?;
                    steps.push((lo, hi, pairs.number((range.target, to))));
                }
                pairs.loses |= has_scalar(covered, range.hi + 1);
            }
            pairs.steps.push(steps);
        }
        Ok(pairs)
    }

    /// The table of those texts that lead to one state.
    fn table(&mut self, pairs: &Pairs, behind: At) -> Result<Regex, Failure> {
        self.charge(work(&pairs.steps))?;
        let accepts =
            pairs.pairs.iter().map(|&(term, at)| at == behind && self.universe.terms.nullable(term));
        let accepts: Vec<bool> = accepts.collect();
        Ok(Regex::states(least(&pairs.steps, &accepts)))
    }
}

impl Pairs {
    fn number(&mut self, pair: (TermId, At)) -> usize {
        let pairs = &mut self.pairs;
        *self.numbers.entry(pair).or_insert_with(|| {
            pairs.push(pair);
            pairs.len() - 1
        })
    }
}

/// Whether a character is at `from` or behind it, and before `to`.
fn has_scalar(from: u32, to: u32) -> bool {
    from < to && !CharSet::from_ranges([(from, to - 1)]).is_empty()
}

/// A set of characters that has all of those that texts of the regex consist of.
fn alphabet(regex: &Regex) -> CharSet {
    match regex {
        Regex::Nothing | Regex::Empty => CharSet::empty(),
        Regex::Set(set) => set.clone(),
        Regex::Concat(parts) | Regex::Or(parts) => {
            CharSet::from_ranges(parts.iter().flat_map(|part| alphabet(part).ranges().to_vec()))
        }
        Regex::And(parts) => {
            parts.iter().map(alphabet).fold(CharSet::any(), |all, part| all.intersection(&part))
        }
        Regex::Repeat { body, .. } => alphabet(body),
        Regex::Literals(texts) => {
            CharSet::from_ranges(texts.iter().flat_map(|text| CharSet::of(text).ranges().to_vec()))
        }
        Regex::States(states) => {
            let next = states.rows().iter().flat_map(|row| row.next.iter());
            CharSet::from_ranges(next.map(|next| (next.lo, next.hi)))
        }
        Regex::Not(_) | Regex::Multiple { .. } | Regex::FractionMultiple { .. } | Regex::Spelled(_) => {
            CharSet::any()
        }
    }
}
