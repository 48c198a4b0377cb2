//! Token classes: how one lexeme state splits the vocabulary, whatever the schema.
//!
//! Tokens that stay inside the lexeme are its *interior*; tokens in which it ends are *exits*, grouped by outcome and
//! arranged as a trie over what remains of them. A number is ended by the byte after it, so nearly every token ends it
//! at once: those are not listed, the walk just goes on in the vocabulary's own trie (`ends`).
//!
//! Strings with nothing but a length window are answered without a walk: every token of the free string is measured
//! once, in code points, and a window selects by length.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::automaton::decode::{self, CodePoints, Coding, Partial, Step};
use crate::automaton::lexeme::{LexEdge, LexId, LexKey, LexRow};
use crate::automaton::term::{Kind, Terms};
use crate::automaton::universe::{Caching, Universe};
use crate::error::Exhausted;
use crate::index::{TokenId, narrow, widen};
use crate::limits;
use crate::vocab::TokenTrie;

/// See the module.
#[derive(Debug)]
pub(crate) struct Class {
    pub(crate) interior: Interior,
    /// The lexeme may end before the first byte, with this outcome.
    pub(crate) ends: Option<u32>,
    pub(crate) exits: Box<[Exit]>,
}

/// The tokens that stay inside.
#[derive(Debug)]
pub(crate) enum Interior {
    /// Below the root of the trie: a row.
    Row { row: Box<[u32]>, count: usize },
    /// Below another node: a list.
    List(Box<[TokenId]>),
}

impl Interior {
    pub(crate) fn row(&self) -> Option<&[u32]> {
        match self {
            Self::Row { row, .. } => Some(row),
            Self::List(_) => None,
        }
    }

    pub(crate) fn count(&self) -> usize {
        match self {
            Self::Row { count, .. } => *count,
            Self::List(tokens) => tokens.len(),
        }
    }
}

/// Tokens in which the lexeme ends with one outcome.
#[derive(Clone, Debug)]
pub(crate) struct Exit {
    pub(crate) outcome: u32,
    /// Over what remains of the tokens.
    pub(crate) trie: Arc<TokenTrie>,
    /// Only tokens whose part inside the lexeme has so many code points.
    pub(crate) window: Option<(u64, u64)>,
}

/// The tokens of the free string by length.
#[derive(Debug)]
pub(crate) struct Measures {
    /// Per token: the code points that it adds to the string, one under way counted as one. (Exits: those before the
    /// closing quote.)
    of: Arc<[u16]>,
    /// The interior, shortest first.
    interior: Box<[TokenId]>,
    free: Arc<Class>,
}

/// Word and bit of a token in a row.
#[inline]
pub(crate) fn place(token: TokenId) -> (usize, u32) {
    (token.index() / 32, 1 << (token.0 % 32))
}

/// Counts code points.
struct Counting;

impl CodePoints for Counting {
    type State = u16;

    fn derive(&self, count: u16, _: u32) -> Result<Option<u16>, Exhausted> {
        Ok(Some(count.saturating_add(1)))
    }

    fn uniform(&self, count: u16, _: u32, _: u32) -> Result<Option<Option<u16>>, Exhausted> {
        self.derive(count, 0).map(Some)
    }
}

impl Universe {
    /// The class of a lexeme state below a node of the token trie.
    pub(crate) fn class(&self, lex: LexId, node: u32) -> Result<Arc<Class>, Exhausted> {
        if self.caching == Caching::Off {
            return self.find_class(lex, node).map(Arc::new);
        }
        let lex = self.class_representative(lex);
        if let Some(known) = self.classes.get(&(lex.0, node)) {
            return Ok(Arc::clone(&known));
        }
        let class = match self.window_of(lex) {
            Some(window) if node == 0 => self.window_class(window)?,
            _ => Arc::new(self.find_class(lex, node)?),
        };
        let bytes = match &class.interior {
            Interior::Row { row, .. } => 4 * row.len(),
            Interior::List(tokens) => 4 * tokens.len(),
        };
        if self.mask_bytes.fetch_add(bytes, Ordering::Relaxed) < limits::MASK_CACHE_BYTES_MAX {
            self.classes.insert((lex.0, node), Arc::clone(&class));
        } else {
            self.mask_bytes.fetch_sub(bytes, Ordering::Relaxed);
        }
        Ok(class)
    }

    /// A state that splits the tokens alike: counts beyond the longest token don't matter.
    fn class_representative(&self, lex: LexId) -> LexId {
        let key = &self.lexes.get(lex.0).key;
        let longest = narrow(self.vocabulary.longest_token()) + 1;
        let terms = self.vectors.get(key.vector);
        let clipped: Vec<_> = terms.iter().map(|&term| self.terms.clip(term, longest)).collect();
        if clipped == **terms {
            return lex;
        }
        self.lex_id(&LexKey { vector: self.vector(&clipped), ..key.clone() })
    }

    /// The length window of a string that has nothing else to match and no questions.
    fn window_of(&self, lex: LexId) -> Option<(u64, u64)> {
        let key = &self.lexes.get(lex.0).key;
        let [term] = **self.vectors.get(key.vector) else { return None };
        match self.terms.kind(term) {
            Kind::Repeat { body: Terms::ANY, counts }
                if key.coding == Coding::Json
                    && key.partial == Partial::Clean
                    && self.spelling.is_complete() =>
            {
                Some((counts.min, counts.max.unwrap_or(u64::MAX)))
            }
            _ => None,
        }
    }

    fn window_class(&self, (min, max): (u64, u64)) -> Result<Arc<Class>, Exhausted> {
        let measures = self.measures()?;
        let kept = measures.interior.partition_point(|&token| u64::from(measures.of[token.index()]) <= max);
        let free = measures.free.interior.row().unwrap_or(&[]);
        let (mut row, from, to) = if kept * 2 > measures.interior.len() {
            (free.to_vec(), kept, measures.interior.len())
        } else {
            (vec![0; free.len()], 0, kept)
        };
        for &token in &measures.interior[from..to] {
            let (word, bit) = place(token);
            row[word] ^= bit;
        }
        let exits = measures
            .free
            .exits
            .iter()
            .map(|exit| Exit { window: Some((min, max)), ..exit.clone() })
            .collect();
        let interior = Interior::Row { row: row.into(), count: kept };
        Ok(Arc::new(Class { interior, ends: None, exits }))
    }

    /// The lengths of the free string's tokens, by token.
    pub(crate) fn measures_of_tokens(&self) -> Arc<[u16]> {
        // A window's exits exist only after the tokens have been measured.
        self.measures.get().map_or_else(|| Arc::from([]), |measures| Arc::clone(&measures.of))
    }

    fn measures(&self) -> Result<&Measures, Exhausted> {
        if let Some(known) = self.measures.get() {
            return Ok(known);
        }
        let free = self.class(self.free_string()?, 0)?;
        let mut of = vec![0u16; self.vocabulary.len()];
        let mut interior = Vec::new();
        let trie = self.vocabulary.trie();
        let mut stack = vec![(0u16, Partial::Clean)];
        let (mut at, end) = (1, trie.end(0));
        while at < end {
            let depth = widen(trie.depth(at));
            stack.truncate(depth);
            let (count, partial) = stack[depth - 1];
            match decode::step(&Counting, count, partial, trie.byte(at), Coding::Json)? {
                Step::Dead => at = trie.end(at),
                Step::Close => {
                    trie.tokens_below(at).iter().for_each(|token| of[token.index()] = count);
                    at = trie.end(at);
                }
                Step::To(count, partial) => {
                    let moved = matches!(
                        partial,
                        Partial::Clean | Partial::SkipUtf8 { .. } | Partial::SkipHex { .. }
                    );
                    let needed = if moved { count } else { count.saturating_add(1) };
                    for token in trie.tokens(at) {
                        of[token.index()] = needed;
                        interior.push(*token);
                    }
                    stack.push((count, partial));
                    at += 1;
                }
            }
        }
        interior.sort_unstable_by_key(|token| of[token.index()]);
        Ok(self.measures.get_or_init(|| Measures { of: of.into(), interior: interior.into(), free }))
    }

    fn find_class(&self, lex: LexId, node: u32) -> Result<Class, Exhausted> {
        let trie = self.vocabulary.trie();
        let mut interior: Vec<TokenId> = Vec::new();
        let mut ends = None;
        let mut exits: Vec<(u32, Remainders<'_>)> = Vec::new();
        let base = widen(trie.depth(node));
        let mut stack: Vec<(LexId, &LexRow)> = vec![(lex, self.lex_row(lex)?)];
        let (mut at, end) = (node + 1, trie.end(node));
        while at < end {
            let depth = widen(trie.depth(at));
            stack.truncate(depth - base);
            let (current, row) = stack[depth - base - 1];
            let kept = match row.edge(trie.byte(at)) {
                LexEdge::Go(next) => {
                    interior.extend_from_slice(trie.tokens(at));
                    if trie.end(at) > at + 1 {
                        stack.push((next, if next == current { row } else { self.lex_row(next)? }));
                    }
                    at += 1;
                    continue;
                }
                LexEdge::End if depth == base + 1 => {
                    ends = Some(self.lex_outcome(current));
                    at = trie.end(at);
                    continue;
                }
                LexEdge::Dead => {
                    at = trie.end(at);
                    continue;
                }
                LexEdge::Close => depth,
                LexEdge::End => depth - 1,
            };
            let list = group(&mut exits, self.lex_outcome(current));
            list.extend(trie.tokens_below(at).iter().map(|&t| (&self.vocabulary.bytes(t)[kept..], t)));
            at = trie.end(at);
        }
        let exits = exits
            .into_iter()
            .map(|(outcome, list)| Exit { outcome, trie: Arc::new(TokenTrie::build(list)), window: None })
            .collect();
        let interior = if node == 0 { self.row_of(&interior) } else { Interior::List(interior.into()) };
        Ok(Class { interior, ends, exits })
    }

    fn row_of(&self, tokens: &[TokenId]) -> Interior {
        let mut row = vec![0; self.vocabulary.len().div_ceil(32)];
        for &token in tokens {
            let (word, bit) = place(token);
            row[word] |= bit;
        }
        Interior::Row { row: row.into(), count: tokens.len() }
    }
}

/// What remains of tokens, with the tokens.
type Remainders<'a> = Vec<(&'a [u8], TokenId)>;

/// The list of an outcome, made if it is new.
fn group<V: Default>(groups: &mut Vec<(u32, V)>, outcome: u32) -> &mut V {
    let at = groups.iter().position(|(known, _)| *known == outcome).unwrap_or_else(|| {
        groups.push((outcome, V::default()));
        groups.len() - 1
    });
    &mut groups[at].1
}
