//! Classes of strings that stay as they are on many code points, such as `.*`, `[^,;]*` or `[^\s]+@`, without a walk.
//!
//! A token all of whose code points the state loops on stays inside. One with a code point that kills the text does not. Which tokens
//! have which code point is listed once for each vocabulary: as a row of bits for each one of ASCII, as nodes of the trie for others. So
//! the interior is the free string's, less some rows; only tokens with a code point that leads elsewhere have to be read. Tokens that
//! end inside a code point are judged by what they end in. Where too many tokens would have to be looked at, a walk finds the class
//! (`class.rs`): its slow twin.

use rustc_hash::FxHashMap;

use crate::automaton::decode::{self, CodePoints, Coding, Partial, Step};
use crate::automaton::lexeme::{LexId, LexKey};
use crate::automaton::term::Terms;
use crate::automaton::token_set::{TokenSet, place, put};
use crate::automaton::universe::Universe;
use crate::error::Exhausted;
use crate::index::{TermId, TokenId, narrow, widen};
use crate::vocab::TokenTrie;

/// Most tokens that are put into rows by way of nodes: what a walk is worth.
const LISTED_MAX: usize = 32_768;
/// Most tokens that are read one by one.
const READ_MAX: usize = 8_192;
/// The first code point beyond ASCII.
const BEYOND: u32 = 0x80;
/// The last scalar value.
const LAST_SCALAR: u32 = 0x10_FFFF;

/// The free string's tokens by what they are made of.
#[derive(Debug)]
pub(crate) struct Touching {
    /// By code point of ASCII, the tokens that have it; without words if there are none.
    rows: Box<[Box<[u32]>]>,
    /// The tokens that have one beyond.
    beyond: Box<[u32]>,
    /// The code points beyond ASCII, ascending.
    points: Box<[u32]>,
    /// Where the nodes of each code point begin; one more than there are points.
    starts: Box<[u32]>,
    /// Nodes of the vocabulary's trie: the tokens below them have the code point.
    nodes: Box<[u32]>,
    /// Tokens that end inside a code point.
    unfinished: Box<[(Partial, Box<[TokenId]>)]>,
}

/// Code points on which a state does not stay as it is, as ranges.
#[derive(Default)]
struct Leaving {
    /// Nothing goes on after these.
    dead: Vec<(u32, u32)>,
    /// Something may go on after these.
    other: Vec<(u32, u32)>,
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
    fn of(trie: &TokenTrie, words: usize) -> Result<Self, Exhausted> {
        let mut rows: Vec<Box<[u32]>> = vec![Box::default(); widen(BEYOND)];
        let mut beyond = vec![0; words];
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
            } else if stack.iter().all(|&(_, before)| before != c) {
                match rows.get_mut(widen(c)) {
                    Some(row) => {
                        if row.is_empty() {
                            *row = vec![0; words].into();
                        }
                        put(row, trie.tokens_below(at));
                    }
                    None => {
                        put(&mut beyond, trie.tokens_below(at));
                        met.push((c, at));
                    }
                }
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
            rows: rows.into(),
            beyond: beyond.into(),
            points: points.into(),
            starts: starts.into(),
            nodes: met.into_iter().map(|(_, node)| node).collect(),
            unfinished: unfinished.into_iter().map(|(partial, tokens)| (partial, tokens.into())).collect(),
        })
    }

    /// The nodes of all code points beyond ASCII in a range.
    fn nodes_of(&self, lo: u32, hi: u32) -> &[u32] {
        let first = self.points.partition_point(|&c| c < lo);
        let last = self.points.partition_point(|&c| c <= hi);
        &self.nodes[widen(self.starts[first])..widen(self.starts[last])]
    }

    /// The tokens that have one of these code points; `None` if that takes too long to tell.
    fn tokens_with(&self, ranges: &[(u32, u32)], trie: &TokenTrie) -> Option<Vec<u32>> {
        let mut all = vec![0; self.beyond.len()];
        let mut listed = 0;
        for &(lo, hi) in ranges {
            for c in lo..(hi + 1).min(BEYOND) {
                unite(&mut all, &self.rows[widen(c)]);
            }
            if hi < BEYOND {
                continue;
            }
            if lo <= BEYOND && hi == LAST_SCALAR {
                unite(&mut all, &self.beyond);
                continue;
            }
            for &node in self.nodes_of(lo.max(BEYOND), hi) {
                let tokens = trie.tokens_below(node);
                listed += 1 + tokens.len();
                if listed > LISTED_MAX {
                    return None;
                }
                put(&mut all, tokens);
            }
        }
        Some(all)
    }
}

fn unite(row: &mut [u32], other: &[u32]) {
    row.iter_mut().zip(other).for_each(|(word, other)| *word |= other);
}

impl Universe {
    /// The free string's tokens by what they are made of.
    pub(crate) fn touching(&self) -> Result<&Touching, Exhausted> {
        if let Some(known) = self.tables.touching.get() {
            return Ok(known);
        }
        let found = Touching::of(self.vocabulary.trie(), self.row_words())?;
        Ok(self.tables.touching.get_or_init(|| found))
    }

    /// The interior of the state of a string, if it loops on so much that this is found without a walk.
    pub(crate) fn wide_interior(&self, lex: LexId, free: &TokenSet) -> Result<Option<TokenSet>, Exhausted> {
        let key = &self.lexes.get(lex.0).key;
        if key.coding != Coding::Json || key.partial != Partial::Clean || !self.spelling.is_complete() {
            return Ok(None);
        }
        let Some(leaving) = self.leaving(self.vectors.get(key.vector))? else { return Ok(None) };
        let (touching, trie) = (self.touching()?, self.vocabulary.trie());
        let Some(dead) = touching.tokens_with(&leaving.dead, trie) else { return Ok(None) };
        let Some(mut other) = touching.tokens_with(&leaving.other, trie) else { return Ok(None) };
        let mut row = vec![0; self.row_words()];
        free.write(&mut row);
        let mut to_read = 0;
        for ((word, dead), other) in row.iter_mut().zip(&dead).zip(&mut other) {
            // What kills the text here may be read behind what leads elsewhere, so a token that has both is read, too.
            *other &= *word;
            *word &= !(dead | *other);
            to_read += widen(other.count_ones());
        }
        if to_read > READ_MAX {
            return Ok(None);
        }
        for (partial, tokens) in &touching.unfinished {
            if !self.partial_is_live(&LexKey { partial: *partial, ..key.clone() })? {
                for &token in tokens {
                    let (word, bit) = place(token);
                    row[word] &= !bit;
                }
            }
        }
        let mut candidates = Vec::with_capacity(to_read);
        TokenSet::of_row(other).for_each(|token| candidates.push(token));
        for token in candidates {
            if self.lexeme_reads(lex, self.vocabulary.bytes(token))? {
                put(&mut row, [&token]);
            }
        }
        Ok(Some(TokenSet::of_row(row)))
    }

    /// The code points on which some of the terms does not stay as it is; `None` if small letters are among them: then so few tokens
    /// stay that a walk finds them soon.
    fn leaving(&self, terms: &[TermId]) -> Result<Option<Leaving>, Exhausted> {
        let mut leaving = Leaving::default();
        for (place, &term) in terms.iter().enumerate() {
            // Nothing leads out of what matches nothing, and questions never kill a text.
            if term == Terms::NOTHING {
                continue;
            }
            let mut next = 0;
            for range in self.terms.successors(term)? {
                leaving.add(next, range.lo, place == 0);
                if range.target != term {
                    leaving.add(range.lo, range.hi + 1, false);
                }
                next = range.hi + 1;
            }
            leaving.add(next, LAST_SCALAR + 1, place == 0);
            if leaving.has(u32::from(b'a'), u32::from(b'z')) {
                return Ok(None);
            }
        }
        Ok(Some(leaving))
    }
}

impl Leaving {
    /// Code points from one up to and without another.
    fn add(&mut self, lo: u32, end: u32, is_dead: bool) {
        if lo < end {
            if is_dead { &mut self.dead } else { &mut self.other }.push((lo, end - 1));
        }
    }

    /// Whether some are in a range.
    fn has(&self, lo: u32, hi: u32) -> bool {
        self.dead.iter().chain(&self.other).any(|&(from, to)| from <= hi && lo <= to)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::automaton::byte_kinds::ByteKinds;
    use crate::automaton::class::{Class, Region};
    use crate::automaton::universe::Caching;
    use crate::grammar::policy::SurfacePolicy;
    use crate::grammar::regex::{CharSet, Regex, SPACES};
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
        Universe::new(vocabulary, &Arc::default(), SurfacePolicy::default(), Caching::On, usize::MAX)
            .expect("every byte is there")
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
            vec![all_but(" .=\"").star().then(Regex::literal(".").then(all_but(" ").star()))],
            vec![Regex::set(CharSet::range('a', 'z')).star()],
            vec![Regex::set(CharSet::range('a', 'é')).star().then(Regex::literal("="))],
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
    fn whole_subtries_are_taken_only_where_no_character_set_apart_is_in_them() {
        let words = ["xé日", "xé\u{3000}", "xé\u{2028}", "x日é", "x日é日", "y日", "y\u{A0}", "y\u{A0}日"];
        let mut tokens: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte]).collect();
        tokens.extend(words.iter().map(|word| word.as_bytes().to_vec()));
        let end = TokenId::new(tokens.len());
        tokens.push(b"</s>".to_vec());
        let vocabulary = Vocabulary::from_tokens(tokens, &[end]).expect("tokens are not empty");
        let universe =
            Universe::new(vocabulary, &Arc::default(), SurfacePolicy::default(), Caching::On, usize::MAX)
                .expect("every byte is there");
        let all_but_spaces = CharSet::from_ranges(SPACES).complement();
        let term = universe.terms.from_regex(&Regex::set(all_but_spaces.clone()).star()).expect("small");
        let lex = universe.lexeme(Coding::Raw, term, []).expect("small").expect("some text matches");
        assert!(
            ByteKinds::WIDE.is_within(universe.lex_loops(lex).expect("small")),
            "it loops on wide characters"
        );
        let walked = universe.find_class(lex, Region::WHOLE).expect("small");
        for (at, word) in words.iter().enumerate() {
            let stays = word.chars().all(|c| all_but_spaces.contains(c));
            assert_eq!(walked.interior.contains(TokenId::new(256 + at)), stays, "{word:?}");
        }
    }

    #[test]
    fn a_state_that_does_not_stay_on_letters_is_not_wide() {
        let universe = universe();
        let free = universe.class(universe.free_string().expect("small"), Region::WHOLE).expect("small");
        for regex in [all_but("a").star(), Regex::set(CharSet::range('b', 'z')).star(), Regex::literal("a")] {
            let term = universe.terms.from_regex(&regex).expect("small");
            let lex = universe.lexeme(Coding::Json, term, []).expect("small").expect("some text matches");
            assert!(universe.wide_interior(lex, &free.interior).expect("small").is_none(), "{regex:?}");
        }
    }
}
