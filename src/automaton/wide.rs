//! Classes of strings that stay as they are on nearly every code point, such as `.*` or `[^,;]*`, without a walk.
//!
//! A token all of whose code points the state loops on stays inside. So the interior is the free string's, but for the tokens
//! that touch another code point, and those are listed by code point once for each vocabulary. Tokens that end inside a code point are
//! judged by what they end in. Where too many tokens would have to be looked at, a walk finds the class (`class.rs`): its slow twin.

use rustc_hash::FxHashMap;

use crate::automaton::decode::{self, CodePoints, Coding, Partial, Step};
use crate::automaton::lexeme::{LexId, LexKey};
use crate::automaton::term::Terms;
use crate::automaton::token_set::{TokenSet, place};
use crate::automaton::universe::Universe;
use crate::error::Exhausted;
use crate::index::{TermId, TokenId, narrow, widen};
use crate::vocab::TokenTrie;

/// So many steps a walk is worth.
const STEPS_MAX: usize = 32_768;
/// So many steps it takes to read a token.
const READING_STEPS: usize = 8;
/// The last scalar value.
const LAST_SCALAR: u32 = 0x10_FFFF;

/// The free string's tokens by what they are made of.
#[derive(Debug)]
pub(crate) struct Touching {
    /// The code points, ascending, but for frequent ones.
    points: Box<[u32]>,
    /// Where the nodes of each code point begin; one more than there are points.
    starts: Box<[u32]>,
    /// Nodes of the vocabulary's trie: the tokens below them have the code point.
    nodes: Box<[u32]>,
    /// Tokens that end inside a code point.
    unfinished: Box<[(Partial, Box<[TokenId]>)]>,
}

/// Letters and digits are part of most tokens: a state that does not loop on one is not wide.
fn is_frequent(c: u32) -> bool {
    char::from_u32(c).is_some_and(|c| c.is_ascii_alphanumeric())
}

/// Tells the code point that a token has just completed.
struct Latest;

const NO_POINT: u32 = u32::MAX;

impl CodePoints for Latest {
    type State = u32;

    fn derive(&self, _: u32, c: u32) -> Result<Option<u32>, Exhausted> {
        Ok(Some(c))
    }

    fn uniform(&self, _: u32, _: u32, _: u32) -> Result<Option<Option<u32>>, Exhausted> {
        Ok(None)
    }
}

impl Touching {
    fn of(trie: &TokenTrie) -> Result<Self, Exhausted> {
        let mut met: Vec<(u32, u32)> = Vec::new();
        let mut unfinished: FxHashMap<Partial, Vec<TokenId>> = FxHashMap::default();
        // The partial at each point of a path and the code point completed there.
        let mut stack = vec![(Partial::Clean, NO_POINT)];
        let (mut at, end) = (1, trie.end(TokenTrie::ROOT));
        while at < end {
            let depth = widen(trie.depth(at));
            stack.truncate(depth);
            let (partial, _) = stack[depth - 1];
            let Step::To(c, partial) = decode::step(&Latest, NO_POINT, partial, trie.byte(at), Coding::Json)?
            else {
                at = trie.end(at);
                continue;
            };
            if partial != Partial::Clean {
                if !trie.tokens(at).is_empty() {
                    unfinished.entry(partial).or_default().extend(trie.tokens(at));
                }
            } else if !is_frequent(c) && stack.iter().all(|&(_, before)| before != c) {
                met.push((c, at));
            }
            stack.push((partial, c));
            at += 1;
        }
        met.sort_unstable();
        let (mut points, mut starts) = (Vec::new(), Vec::new());
        for (at, &(c, _)) in (0u32..).zip(&met) {
            if points.last() != Some(&c) {
                points.push(c);
                starts.push(at);
            }
        }
        starts.push(narrow(met.len()));
        Ok(Self {
            points: points.into(),
            starts: starts.into(),
            nodes: met.into_iter().map(|(_, node)| node).collect(),
            unfinished: unfinished.into_iter().map(|(partial, tokens)| (partial, tokens.into())).collect(),
        })
    }

    /// The nodes of all code points in a range.
    fn nodes_of(&self, lo: u32, hi: u32) -> &[u32] {
        let first = self.points.partition_point(|&c| c < lo);
        let last = self.points.partition_point(|&c| c <= hi);
        &self.nodes[widen(self.starts[first])..widen(self.starts[last])]
    }
}

impl Universe {
    /// The free string's tokens by what they are made of.
    pub(crate) fn touching(&self) -> Result<&Touching, Exhausted> {
        if let Some(known) = self.touching.get() {
            return Ok(known);
        }
        let found = Touching::of(self.vocabulary.trie())?;
        Ok(self.touching.get_or_init(|| found))
    }

    /// The interior of the state of a string, if it loops on so much that this is found without a walk.
    pub(crate) fn wide_interior(&self, lex: LexId, free: &TokenSet) -> Result<Option<TokenSet>, Exhausted> {
        let key = &self.lexes.get(lex.0).key;
        if key.coding != Coding::Json || key.partial != Partial::Clean || !self.spelling.is_complete() {
            return Ok(None);
        }
        let terms = self.vectors.get(key.vector);
        let Some(leaving) = self.leaving(terms)? else { return Ok(None) };
        let (touching, trie) = (self.touching()?, self.vocabulary.trie());
        let nodes = || leaving.iter().flat_map(|&(lo, hi)| touching.nodes_of(lo, hi));
        // Where it does not stay as it is, it may still go on.
        let goes_on =
            terms.len() > 1 || self.terms.successors(terms[0])?.iter().any(|range| range.target != terms[0]);
        let each = if goes_on { READING_STEPS } else { 1 };
        let mut steps = 0;
        for &node in nodes() {
            steps += 1 + each * trie.tokens_below(node).len();
            if steps > STEPS_MAX {
                return Ok(None);
            }
        }
        let mut row = vec![0; self.row_words()];
        free.write(&mut row);
        let mut clear = |tokens: &[TokenId]| {
            for &token in tokens {
                let (word, bit) = place(token);
                row[word] &= !bit;
            }
        };
        for (partial, tokens) in &touching.unfinished {
            if !self.partial_is_live(&LexKey { partial: *partial, ..key.clone() })? {
                clear(tokens);
            }
        }
        for &node in nodes() {
            clear(trie.tokens_below(node));
        }
        if goes_on {
            for &token in nodes().flat_map(|&node| trie.tokens_below(node)) {
                if free.contains(token) && self.lexeme_reads(lex, self.vocabulary.bytes(token))? {
                    let (word, bit) = place(token);
                    row[word] |= bit;
                }
            }
        }
        Ok(Some(TokenSet::of_row(row)))
    }

    /// The code points on which some of the terms does not stay as it is; `None` if one of them is frequent.
    fn leaving(&self, terms: &[TermId]) -> Result<Option<Vec<(u32, u32)>>, Exhausted> {
        let mut leaving = Vec::new();
        for &term in terms {
            let mut next = 0;
            let mut has_frequent = |next: u32, to: u32| {
                if next < to {
                    leaving.push((next, to - 1));
                }
                (next..to.min(0x80)).any(is_frequent)
            };
            for range in self.terms.successors(term)? {
                if range.target != term {
                    continue;
                }
                if has_frequent(next, range.lo) {
                    return Ok(None);
                }
                next = range.hi + 1;
            }
            // Nothing leads out of what matches nothing.
            if term != Terms::NOTHING && has_frequent(next, LAST_SCALAR + 1) {
                return Ok(None);
            }
        }
        Ok(Some(leaving))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::class::{Class, Region};
    use crate::automaton::universe::Caching;
    use crate::grammar::policy::SurfacePolicy;
    use crate::grammar::regex::{CharSet, Regex};
    use crate::vocab::Vocabulary;

    /// Every byte, and every three pieces of texts, of escapes and of characters put together.
    fn universe() -> Universe {
        let pieces: [&[u8]; 18] = [
            b"a",
            b"=",
            b".",
            b"\"",
            b" ",
            b"\\",
            b"n",
            b"\\n",
            b"\\u",
            b"\\u00",
            b"3d",
            b"\\ud83d",
            b"\\ude00",
            b"\xC3",
            b"\xA9",
            b"\xE3\x81",
            b"\x81",
            b"\xF0\x9F\x98",
        ];
        let mut tokens: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
        for a in pieces {
            for b in pieces {
                tokens.push([a, b].concat());
                tokens.extend(pieces.iter().map(|c| [a, b, *c].concat()));
            }
        }
        let end = TokenId::new(tokens.len());
        tokens.push(b"</s>".to_vec());
        let vocabulary = Vocabulary::from_tokens(tokens, &[end]).expect("tokens are not empty");
        Universe::new(vocabulary, SurfacePolicy::default(), Caching::On).expect("every byte is there")
    }

    fn all_but(text: &str) -> Regex {
        Regex::set(CharSet::of(text).complement())
    }

    fn listed(set: &TokenSet) -> Vec<TokenId> {
        let mut tokens = Vec::new();
        set.for_each(|token| tokens.push(token));
        tokens
    }

    /// The tokens of each outcome's exits.
    fn exits(class: &Class) -> Vec<(u32, Vec<TokenId>)> {
        let exits = class.exits.iter();
        let mut exits: Vec<_> = exits
            .map(|exit| {
                let mut tokens = exit.trie.tokens_below(TokenTrie::ROOT).to_vec();
                tokens.sort_unstable();
                (exit.outcome, tokens)
            })
            .collect();
        exits.sort();
        exits
    }

    #[test]
    fn wide_classes_are_those_that_a_walk_finds() {
        let universe = universe();
        let free = universe.class(universe.free_string().expect("small"), Region::WHOLE).expect("small");
        let doubled = Regex::or([all_but("="), Regex::literal("=").then(all_but("=é"))]);
        let kana = CharSet::from_ranges([(0x3000, 0x30FF)]).complement();
        let cases: Vec<Vec<Regex>> = vec![
            vec![all_but(".").star()],
            vec![all_but("\n\r").star()],
            vec![all_but("é=😀").star()],
            vec![all_but("\"\\").star()],
            vec![Regex::set(kana).star()],
            vec![doubled.clone().star()],
            vec![all_but("=").star(), doubled.star()],
            vec![Regex::any_text(), all_but(" ").star(), all_but("é").star()],
        ];
        for regexes in cases {
            let terms: Vec<TermId> =
                regexes.iter().map(|regex| universe.terms.from_regex(regex).expect("small")).collect();
            let lex = universe.lexeme(Coding::Json, terms[0], terms[1..].iter().copied());
            let lex = lex.expect("small").expect("some text matches");
            let wide = universe.wide_interior(lex, &free.interior).expect("small");
            let wide = wide.unwrap_or_else(|| panic!("{regexes:?} is wide"));
            let walked = universe.find_class(lex, Region::WHOLE).expect("small");
            assert_eq!(listed(&wide), listed(&walked.interior), "{regexes:?}");
            let kept = universe.class(lex, Region::WHOLE).expect("small");
            assert_eq!(exits(&kept), exits(&walked), "{regexes:?}");
        }
    }

    #[test]
    fn a_state_that_reads_few_letters_is_not_wide() {
        let universe = universe();
        let free = universe.class(universe.free_string().expect("small"), Region::WHOLE).expect("small");
        for regex in [all_but("a").star(), Regex::set(CharSet::range('a', 'z')).star(), Regex::literal("a")] {
            let term = universe.terms.from_regex(&regex).expect("small");
            let lex = universe.lexeme(Coding::Json, term, []).expect("small").expect("some text matches");
            assert!(universe.wide_interior(lex, &free.interior).expect("small").is_none(), "{regex:?}");
        }
    }
}
