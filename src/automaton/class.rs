//! Token classes: how one state splits the vocabulary, whatever lies below it on the stack.
//!
//! Tokens after which the state's lexeme or value is still open are its *interior*; tokens in which it ends are
//! *exits*, grouped by outcome and arranged as a trie over what remains of them. A number is ended by the byte after it,
//! so nearly every token ends it at once: those are not listed, the walk just goes on in the vocabulary's own trie
//! (`ends`).
//!
//! Wide classes are found without a walk over all their tokens. A string that always goes on has the free string's
//! interior; one that stays as it is on nearly all code points loses few of it (`wide.rs`). Where a string has a length window, the class of the rest is shared by all windows, and tokens are taken from
//! it by length: every token of the free string is measured once, in code points. Elsewhere a walk takes whole
//! subtrees on which the state loops (`byte_kinds.rs`).

use std::sync::Arc;

use crate::automaton::byte_kinds::ByteKinds;
use crate::automaton::decode::{self, CodePoints, Coding, Partial, Step};
use crate::automaton::descent::{Reader, are_few, descend};
use crate::automaton::lexeme::{LexEdge, LexId, LexKey, LexRow};
use crate::automaton::state::View;
use crate::automaton::term::Apart;
use crate::automaton::token_set::{TokenSet, place, put};
use crate::automaton::universe::{Caching, Universe};
use crate::automaton::walk::Walk;
use crate::automaton::whitespace::Ws;
use crate::error::Exhausted;
use crate::index::{StateId, TokenId, narrow, widen};
use crate::vocab::{ByteSet, Fan, TokenTrie};

/// See the module.
#[derive(Debug)]
pub(crate) struct Class {
    /// Pooled for the whole vocabulary; below another node, a list in any order.
    pub(crate) interior: Arc<TokenSet>,
    /// Those interior tokens that the registers must agree to.
    pub(crate) conditional: Box<[TokenId]>,
    /// The lexeme may end before the first byte, with this outcome.
    pub(crate) ends: Option<u32>,
    pub(crate) exits: Box<[Exit]>,
}

/// Tokens in which the lexeme or value ends with one outcome.
#[derive(Clone, Debug)]
pub(crate) struct Exit {
    pub(crate) outcome: u32,
    pub(crate) names: Names,
    /// Over what remains of the tokens.
    pub(crate) trie: Arc<TokenTrie>,
    /// Only tokens whose part inside the lexeme has so many code points.
    pub(crate) window: Option<(u64, u64)>,
}

/// Whether a path has used a name that only the registers can judge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Names {
    Certain,
    Conditional,
}

/// A node of one of the tries that walks go through: the vocabulary's own (table 0), the rests of padding table
/// `table - 1`, or what remains of tokens that leave a text of a grammar.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Region {
    pub(crate) table: u32,
    pub(crate) node: u32,
}

impl Region {
    /// All tokens.
    pub(crate) const WHOLE: Region = Region { table: 0, node: TokenTrie::ROOT };

    /// Added to the number of a trie of what remains of tokens.
    const SUFFIXES: u32 = 1 << 31;

    /// A trie of what remains of tokens ([`Rules::suffixes`](crate::automaton::rules::Rules::suffixes)).
    pub(crate) fn of_suffixes(table: u32) -> Self {
        Self { table: Self::SUFFIXES | table, node: TokenTrie::ROOT }
    }

    pub(crate) fn at(self, node: u32) -> Self {
        Self { node, ..self }
    }
}

/// Below so many nodes a walk does not ask whether the state loops on all of them.
pub(super) const LOOP_NODES_MIN: u32 = 4;

/// The tokens of the free string by length.
#[derive(Debug)]
pub(crate) struct Measures {
    /// Per token: the code points that it adds to the string, one under way counted as one. (Exits: those before the
    /// closing quote.)
    of: Arc<[u16]>,
    /// The interior, shortest first.
    interior: Box<[TokenId]>,
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
    /// The trie that a region is part of.
    pub(crate) fn trie_of(&self, region: Region) -> &TokenTrie {
        if region.table & Region::SUFFIXES != 0 {
            return self.rules.suffixes(region.table & !Region::SUFFIXES);
        }
        match region.table.checked_sub(1) {
            None => self.vocabulary.trie(),
            Some(table) => &self.padding(table).rests,
        }
    }

    /// The class of a lexeme state below a node.
    pub(crate) fn class(&self, lex: LexId, region: Region) -> Result<Arc<Class>, Exhausted> {
        if self.caching == Caching::Off {
            return self.find_class(lex, region).map(Arc::new);
        }
        let lex = self.class_representative(lex);
        self.kept_class(View::Lex(lex).id(), region, || {
            if region != Region::WHOLE || lex == self.free_string()? {
                self.find_class(lex, region)
            } else if let Some(apart) = self.window_of(lex) {
                self.window_class(lex, &apart)
            } else {
                let free = self.class(self.free_string()?, Region::WHOLE)?;
                if self.always_goes_on(lex) {
                    self.closings_class(lex, &free, Arc::clone(&free.interior))
                } else if let Some(interior) = self.wide_interior(lex, &free.interior)? {
                    self.closings_class(lex, &free, self.sets.set(interior, &self.budget))
                } else {
                    self.find_class(lex, region)
                }
            }
        })
    }

    /// The class of the state before a value, below a node: the tokens that end the value are its exits.
    pub(crate) fn value_class(&self, state: StateId, region: Region) -> Result<Arc<Class>, Exhausted> {
        self.kept_class(state, region, || Walk::class(self, state, region))
    }

    fn kept_class(
        &self,
        state: StateId,
        region: Region,
        find: impl FnOnce() -> Result<Class, Exhausted>,
    ) -> Result<Arc<Class>, Exhausted> {
        if let Some(known) = self.classes.get(&(state, region)) {
            return Ok(Arc::clone(&known));
        }
        let class = Arc::new(find()?);
        if self.budget.take(class.bytes(region)) {
            self.classes.insert((state, region), Arc::clone(&class));
        }
        Ok(class)
    }

    /// Words of a row of all tokens.
    pub(crate) fn row_words(&self) -> usize {
        self.vocabulary.len().div_ceil(32)
    }

    /// The interior of a class: pooled where it can be a mask's base.
    pub(crate) fn interior(&self, tokens: Vec<TokenId>, region: Region) -> Arc<TokenSet> {
        if region == Region::WHOLE {
            self.sets.set(TokenSet::of_tokens(tokens, self.row_words()), &self.budget)
        } else {
            Arc::new(TokenSet::List(tokens.into()))
        }
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

    /// The length window of a string without questions, and what it has to match besides.
    fn window_of(&self, lex: LexId) -> Option<Apart> {
        let key = &self.lexes.get(lex.0).key;
        let [term] = **self.vectors.get(key.vector) else { return None };
        let whole =
            key.coding == Coding::Json && key.partial == Partial::Clean && self.spelling.is_complete();
        if whole { self.terms.apart_from_window(term) } else { None }
    }

    /// The class of a string with a window, from that of the rest: tokens are taken from it by length.
    fn window_class(&self, lex: LexId, apart: &Apart) -> Result<Class, Exhausted> {
        let measures = self.measures()?;
        let key = LexKey { vector: self.vector(&[apart.rest]), ..self.lexes.get(lex.0).key.clone() };
        let rest = self.class(self.lex_id(&key), Region::WHOLE)?;
        let up_to = |len: Option<u64>| match len {
            Some(len) => measures.interior.partition_point(|&t| u64::from(measures.of[t.index()]) <= len),
            None => 0,
        };
        let (certain, possible) = match apart.window.max {
            None => (measures.interior.len(), measures.interior.len()),
            Some(max) => (up_to(max.checked_sub(apart.finish)), up_to(Some(max))),
        };
        let mut row = vec![0; self.row_words()];
        if certain * 2 > measures.interior.len() {
            rest.interior.write(&mut row);
            for &token in &measures.interior[certain..] {
                let (word, bit) = place(token);
                row[word] &= !bit;
            }
        } else {
            put(
                &mut row,
                measures.interior[..certain].iter().filter(|&&token| rest.interior.contains(token)),
            );
        }
        for token in &measures.interior[certain..possible] {
            if rest.interior.contains(*token) && self.lexeme_reads(lex, self.vocabulary.bytes(*token))? {
                put(&mut row, [token]);
            }
        }
        let (min, max) = (apart.window.min, apart.window.max.unwrap_or(u64::MAX));
        let exits = rest.exits.iter().map(|exit| {
            let (at_least, at_most) = exit.window.unwrap_or((0, u64::MAX));
            Exit { window: Some((min.max(at_least), max.min(at_most))), ..exit.clone() }
        });
        let exits = exits.collect();
        let interior = self.sets.set(TokenSet::of_row(row), &self.budget);
        Ok(Class { interior, conditional: Box::default(), ends: None, exits })
    }

    /// Whether the lexeme is still open after these bytes.
    pub(crate) fn lexeme_reads(&self, lex: LexId, bytes: &[u8]) -> Result<bool, Exhausted> {
        let mut at = lex;
        for &byte in bytes {
            match self.lex_edge(at, self.lex_row(at)?, byte)? {
                LexEdge::Go(next) => at = next,
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Whether no text takes the state of a string to its end.
    fn always_goes_on(&self, lex: LexId) -> bool {
        let key = &self.lexes.get(lex.0).key;
        key.coding == Coding::Json
            && key.partial == Partial::Clean
            && self.spelling.is_complete()
            && self.terms.always_goes_on(self.vectors.get(key.vector)[0])
    }

    /// The class of a string with this interior: of the tokens in which the free string closes, some close it too.
    fn closings_class(&self, lex: LexId, free: &Class, interior: Arc<TokenSet>) -> Result<Class, Exhausted> {
        let heads = self.closing_heads(free);
        let mut exits = Exits::default();
        let mut closes = |at: LexId, node: u32| {
            if self.lex_accepts(at) {
                let list = exits.list(self.lex_outcome(at), Names::Certain);
                let head_len = widen(heads.depth(node));
                let rest = |&token: &TokenId| (&self.vocabulary.bytes(token)[head_len + 1..], token);
                list.extend(heads.tokens(node).iter().map(rest));
            }
        };
        closes(lex, TokenTrie::ROOT);
        let mut stack = vec![lex];
        let (mut at, end) = (1, heads.end(TokenTrie::ROOT));
        while at < end {
            let depth = widen(heads.depth(at));
            stack.truncate(depth);
            let before = stack[depth - 1];
            match self.lex_edge(before, self.lex_row(before)?, heads.byte(at))? {
                LexEdge::Go(next) => {
                    closes(next, at);
                    stack.push(next);
                    at += 1;
                }
                _ => at = heads.end(at),
            }
        }
        let exits = match exits.only_list() {
            // All of them, with one outcome: the tries are the same.
            Some((outcome, count)) if count == heads.tokens_below(TokenTrie::ROOT).len() => {
                free.exits.iter().map(|exit| Exit { outcome, ..exit.clone() }).collect()
            }
            _ => exits.finish(),
        };
        Ok(Class { interior, conditional: Box::default(), ends: None, exits })
    }

    /// The tokens in which the free string ends, by their bytes before the quote.
    fn closing_heads(&self, free: &Class) -> &TokenTrie {
        self.tables.closing_heads.get_or_init(|| {
            let mut heads: Vec<(&[u8], TokenId)> = Vec::new();
            for exit in &free.exits {
                let trie = &exit.trie;
                for at in 0..narrow(trie.len()) {
                    heads.extend(trie.tokens(at).iter().map(|&token| {
                        let bytes = self.vocabulary.bytes(token);
                        (&bytes[..bytes.len() - widen(trie.depth(at)) - 1], token)
                    }));
                }
            }
            TokenTrie::build(heads)
        })
    }

    /// The lengths of the free string's tokens, by token.
    pub(crate) fn measures_of_tokens(&self) -> Arc<[u16]> {
        // A window's exits exist only after the tokens have been measured.
        self.tables.measures.get().map_or_else(|| Arc::from([]), |measures| Arc::clone(&measures.of))
    }

    /// Makes the tables that hang on the vocabulary alone and that most grammars need, so that no mask waits for them.
    pub(crate) fn prepare(&self) {
        if self.caching == Caching::Off {
            return;
        }
        let mut regions = vec![Region::WHOLE];
        // Where a string or a key begins, at once or after whitespace.
        let spaces = [Ws::inside(self.policy.whitespace), Ws::BEGUN];
        let paddings = spaces.iter().filter(|ws| ws.is_bounded()).map(|ws| self.paddings.intern_key(ws) + 1);
        for table in std::iter::once(0).chain(paddings) {
            let root = Region { table, node: TokenTrie::ROOT };
            let trie = self.trie_of(root);
            let quotes = trie.children(TokenTrie::ROOT).filter(|&child| trie.byte(child) == b'"');
            regions.extend(quotes.map(|child| root.at(child)));
        }
        // What runs out of its budget here is asked again where it is needed.
        let Ok(free) = self.free_string() else { return };
        for region in regions {
            if let Ok(class) = self.class(free, region)
                && region == Region::WHOLE
            {
                self.closing_heads(&class);
            }
        }
        self.measures().ok();
        self.touching().ok();
    }

    fn measures(&self) -> Result<&Measures, Exhausted> {
        if let Some(known) = self.tables.measures.get() {
            return Ok(known);
        }
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
        Ok(self.tables.measures.get_or_init(|| Measures { of: of.into(), interior: interior.into() }))
    }

    pub(crate) fn find_class(&self, lex: LexId, region: Region) -> Result<Class, Exhausted> {
        let mut found = Found {
            universe: self,
            trie: self.trie_of(region),
            region,
            interior: Vec::new(),
            ends: None,
            exits: Exits::default(),
        };
        descend(found.trie, region.node, (lex, self.lex_row(lex)?), &mut found)?;
        let interior = self.interior(found.interior, region);
        Ok(Class { interior, conditional: Box::default(), ends: found.ends, exits: found.exits.finish() })
    }

    /// Whether the state stays as it is whatever the tokens below a node go on with.
    pub(crate) fn loops_below(&self, lex: LexId, region: Region) -> Result<bool, Exhausted> {
        if region.table != 0 || self.caching == Caching::Off {
            return Ok(false);
        }
        let below = self.tables.byte_kinds_below.get_or_init(|| ByteKinds::below(self.vocabulary.trie()));
        let below = below[widen(region.node)];
        Ok((below.is_within(ByteKinds::DIGITS) && self.digits_go_on(lex))
            || below.is_within(self.lex_loops(lex)?))
    }

    /// Whether a number stays open whatever digits a token has.
    fn digits_go_on(&self, lex: LexId) -> bool {
        let key = &self.lexes.get(lex.0).key;
        let longest = narrow(self.vocabulary.longest_token());
        key.coding == Coding::Number
            && self.spelling.is_complete()
            && self.terms.digits_go_on(self.vectors.get(key.vector)[0], longest)
    }

    /// What remains of the tokens below a node after the first `kept` bytes of its string.
    pub(crate) fn remainders<'a>(
        &'a self,
        trie: &TokenTrie,
        node: u32,
        kept: usize,
        counts: impl Fn(TokenId) -> bool,
        into: &mut Remainders<'a>,
    ) {
        for at in node..trie.end(node) {
            let left = widen(trie.depth(at)) - kept;
            into.extend(trie.tokens(at).iter().filter(|&&token| counts(token)).map(|&token| {
                let bytes = self.vocabulary.bytes(token);
                (&bytes[bytes.len() - left..], token)
            }));
        }
    }
}

/// A class in the making.
struct Found<'u> {
    universe: &'u Universe,
    trie: &'u TokenTrie,
    region: Region,
    interior: Vec<TokenId>,
    ends: Option<u32>,
    exits: Exits<'u>,
}

impl<'u> Reader for Found<'u> {
    type At = (LexId, &'u LexRow);

    fn read(&mut self, above: u32, (lex, row): Self::At, node: u32) -> Result<Option<Self::At>, Exhausted> {
        let (universe, trie) = (self.universe, self.trie);
        let kept = match universe.lex_edge(lex, row, trie.byte(node))? {
            LexEdge::Go(next) => {
                let nodes = trie.end(node) - node;
                if nodes > LOOP_NODES_MIN && universe.loops_below(next, self.region.at(node))? {
                    self.interior.extend_from_slice(trie.tokens_below(node));
                    return Ok(None);
                }
                self.interior.extend_from_slice(trie.tokens(node));
                if nodes == 1 {
                    return Ok(None);
                }
                return Ok(Some((next, if next == lex { row } else { universe.lex_row(next)? })));
            }
            LexEdge::End if above == self.region.node => {
                self.ends = Some(universe.lex_outcome(lex));
                return Ok(None);
            }
            LexEdge::Dead => return Ok(None),
            LexEdge::Close => widen(trie.depth(node)),
            LexEdge::End => widen(trie.depth(above)),
        };
        let list = self.exits.list(universe.lex_outcome(lex), Names::Certain);
        universe.remainders(trie, node, kept, |_| true, list);
        Ok(None)
    }

    fn few(&mut self, _: u32, (_, row): Self::At, fan: &Fan) -> Result<Option<ByteSet>, Exhausted> {
        Ok(are_few(row.live(), fan))
    }
}

impl Class {
    /// What the class takes, its pooled parts apart.
    fn bytes(&self, region: Region) -> usize {
        let interior = if region == Region::WHOLE { 0 } else { 4 * self.interior.count() };
        let own = self.exits.iter().filter(|exit| Arc::strong_count(&exit.trie) == 1);
        let exits: usize = own.map(|exit| exit.trie.memory_bytes()).sum();
        CLASS_BYTES + interior + 4 * self.conditional.len() + exits
    }
}

/// A class without what hangs on it, and its place in the table.
const CLASS_BYTES: usize = 160;

/// What remains of tokens, with the tokens.
pub(crate) type Remainders<'a> = Vec<(&'a [u8], TokenId)>;

/// Exits in the making.
#[derive(Default)]
pub(crate) struct Exits<'a>(Vec<(u32, Names, Remainders<'a>)>);

impl<'a> Exits<'a> {
    /// The list of an outcome, made if it is new.
    pub(crate) fn list(&mut self, outcome: u32, names: Names) -> &mut Remainders<'a> {
        let known = self.0.iter().position(|&(o, n, _)| (o, n) == (outcome, names));
        let at = known.unwrap_or_else(|| {
            self.0.push((outcome, names, Vec::new()));
            self.0.len() - 1
        });
        &mut self.0[at].2
    }

    /// The outcome and the number of tokens, if there is one list.
    fn only_list(&self) -> Option<(u32, usize)> {
        match &*self.0 {
            [(outcome, _, list)] => Some((*outcome, list.len())),
            _ => None,
        }
    }

    pub(crate) fn finish(self) -> Box<[Exit]> {
        let exits = self.0.into_iter().filter(|(_, _, list)| !list.is_empty());
        exits
            .map(|(outcome, names, list)| {
                let trie = Arc::new(TokenTrie::build(list));
                Exit { outcome, names, trie, window: None }
            })
            .collect()
    }
}
