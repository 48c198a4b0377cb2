//! The slow twin of the engine for grammars: a textbook Earley recogniser over bytes and token letters.
//!
//! Productions that derive nothing are left out first ([`bnf`]), so a text is the beginning of a text of the language
//! exactly if its Earley set is not empty. Nullable nonterminals are passed over where they are predicted (Aycock and Horspool
//! 2002), so nothing has to be completed where it began. A token may be read by its bytes or as a letter, or both
//! at once: then both ways lead to the same set, as in a lattice of words, and no way is tried after the other.

pub mod bnf;
#[cfg(test)]
mod enumerate;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use maskwright::grammar::rules::Grammar;
use maskwright::vocab::TokenKind;
use maskwright::{TokenId, Vocabulary};

use crate::brute::ids;
pub use bnf::{Alphabet, Letter};
use bnf::{Bnf, Symbol};

/// Judges texts by a grammar.
#[derive(Clone, Debug)]
pub struct Recogniser {
    bnf: Bnf,
}

/// A production that has been read up to the dot, from the set `origin` on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Item {
    production: usize,
    dot: usize,
    origin: usize,
}

/// A text that some text of the language begins with, and all that is known of it.
#[derive(Clone, Debug)]
pub struct State {
    /// The Earley sets: the first is where texts begin, the last where this one has come to.
    sets: Vec<Arc<Vec<Item>>>,
}

impl Recogniser {
    /// Over every byte, and the token ids below 256.
    ///
    /// # Panics
    /// As [`Bnf::new`].
    #[must_use]
    pub fn new(grammar: &Grammar) -> Self {
        Self { bnf: Bnf::new(grammar, Alphabet::every()) }
    }

    /// Over the letters that the vocabulary has: texts that need others are not in the language.
    ///
    /// # Panics
    /// As [`Bnf::new`].
    #[must_use]
    pub fn over(grammar: &Grammar, vocabulary: &Vocabulary) -> Self {
        Self { bnf: Bnf::new(grammar, Alphabet::of(vocabulary)) }
    }

    /// Whether no text is in the language.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bnf.least[self.bnf.top].is_none()
    }

    /// The letters that there are.
    #[must_use]
    pub fn alphabet(&self) -> &Alphabet {
        &self.bnf.alphabet
    }

    /// The empty text.
    ///
    /// # Panics
    /// If the language is empty.
    #[must_use]
    pub fn start(&self) -> State {
        assert!(!self.is_empty(), "not even the empty text begins a text of this language");
        let kernel = self.bnf.by_left[self.bnf.top]
            .iter()
            .map(|&production| Item { production, dot: 0, origin: 0 })
            .collect();
        State { sets: vec![Arc::new(self.closed(&[], kernel))] }
    }

    /// One letter more; `None` if no text of the language goes on so.
    #[must_use]
    pub fn advance(&self, state: &State, letter: &Letter) -> Option<State> {
        self.joined(state, self.scanned(state, letter))
    }

    /// One token more, by its bytes and as a letter; `None` if neither goes on.
    #[must_use]
    pub fn advance_token(&self, state: &State, token: TokenId, bytes: &[u8]) -> Option<State> {
        let mut kernel = self.scanned(state, &Letter::Token(token.0));
        let mut end = state.clone();
        if let Some((last, before)) = bytes.split_last() {
            let spelled = before
                .iter()
                .try_fold(state.clone(), |state, &byte| self.advance(&state, &Letter::Byte(byte)));
            if let Some(spelled) = spelled {
                kernel.extend(self.scanned(&spelled, &Letter::Byte(*last)));
                end = spelled;
            }
        }
        self.joined(&end, kernel)
    }

    /// Whether the text is in the language.
    #[must_use]
    pub fn accepts(&self, state: &State) -> bool {
        let is_whole = |item: &Item| {
            self.bnf.productions[item.production].left == self.bnf.top && self.next(*item).is_none()
        };
        state.last().iter().any(is_whole)
    }

    /// The state of a text of bytes; `None` if no text of the language begins so.
    #[must_use]
    pub fn read(&self, text: &[u8]) -> Option<State> {
        if self.is_empty() {
            return None;
        }
        text.iter().try_fold(self.start(), |state, &byte| self.advance(&state, &Letter::Byte(byte)))
    }

    /// The bytes that some text of the language goes on with.
    #[must_use]
    pub fn next_bytes(&self, state: &State) -> Vec<u8> {
        let goes_on = |&byte: &u8| !self.scanned(state, &Letter::Byte(byte)).is_empty();
        self.bnf.alphabet.bytes().filter(goes_on).collect()
    }

    /// Whether some text of the language goes on with a token letter.
    #[must_use]
    pub fn takes_token_letter(&self, state: &State) -> bool {
        state.last().iter().any(|&item| matches!(self.next(item), Some(Symbol::Tokens(_))))
    }

    fn next(&self, item: Item) -> Option<&Symbol> {
        self.bnf.productions[item.production].right.get(item.dot)
    }

    /// The items of the last set that the letter brings forward.
    fn scanned(&self, state: &State, letter: &Letter) -> Vec<Item> {
        let matches = |&&item: &&Item| self.next(item).is_some_and(|next| self.bnf.matches(next, letter));
        state.last().iter().filter(matches).map(|item| item.after_next()).collect()
    }

    fn joined(&self, state: &State, kernel: Vec<Item>) -> Option<State> {
        if kernel.is_empty() {
            return None;
        }
        let mut sets = state.sets.clone();
        sets.push(Arc::new(self.closed(&state.sets, kernel)));
        Some(State { sets })
    }

    /// The set behind `sets` with these items and all that follows from them.
    fn closed(&self, sets: &[Arc<Vec<Item>>], kernel: Vec<Item>) -> Vec<Item> {
        let here = sets.len();
        let mut items: Vec<Item> = Vec::new();
        let mut seen = HashSet::new();
        let mut found = kernel;
        let mut at = 0;
        loop {
            for item in found.drain(..) {
                if seen.insert(item) {
                    items.push(item);
                }
            }
            let Some(&item) = items.get(at) else { return items };
            at += 1;
            match self.next(item) {
                Some(Symbol::Rule(rule)) => {
                    let begin = |&production: &usize| Item { production, dot: 0, origin: here };
                    found.extend(self.bnf.by_left[*rule].iter().map(begin));
                    if self.bnf.least[*rule] == Some(0) {
                        found.push(item.after_next());
                    }
                }
                Some(_) => {}
                // What began here has derived the empty text, and has been passed over.
                None if item.origin == here => {}
                None => {
                    let left = self.bnf.productions[item.production].left;
                    let waits = |&&item: &&Item| self.next(item) == Some(&Symbol::Rule(left));
                    found.extend(sets[item.origin].iter().filter(waits).map(|item| item.after_next()));
                }
            }
        }
    }

    /// The least number of letters that make a text of the language of this one.
    ///
    /// # Panics
    /// Never: every state has one.
    #[must_use]
    pub fn letters_left(&self, state: &State) -> usize {
        // What is to come after a nonterminal that began at a set. What waits in a set began there or earlier.
        let mut after: BTreeMap<(usize, usize), usize> = BTreeMap::from([((self.bnf.top, 0), 0)]);
        for (at, set) in state.sets.iter().enumerate() {
            loop {
                let mut changed = false;
                for &item in &**set {
                    let Some(&Symbol::Rule(rule)) = self.next(item) else { continue };
                    let Some(left) = self.left(item.after_next(), &after) else { continue };
                    if after.get(&(rule, at)).is_none_or(|&known| left < known) {
                        after.insert((rule, at), left);
                        changed = true;
                    }
                }
                if !changed {
                    break;
                }
            }
        }
        let ways = state.last().iter().filter_map(|&item| self.left(item, &after));
        ways.min().expect("every state can be completed")
    }

    /// The least number of letters behind an item, to the end of the text.
    fn left(&self, item: Item, after: &BTreeMap<(usize, usize), usize>) -> Option<usize> {
        let production = &self.bnf.productions[item.production];
        let rest = self.bnf.least_of(&production.right[item.dot..]).expect("productions derive something");
        after.get(&(production.left, item.origin)).map(|after| rest + after)
    }

    /// Letters that make a text of the language of this one: as few as possible.
    ///
    /// # Panics
    /// Never: every state can be completed.
    #[must_use]
    pub fn completion(&self, state: &State) -> Vec<Letter> {
        let mut state = state.clone();
        let mut letters = Vec::new();
        let mut left = self.letters_left(&state);
        while left > 0 {
            let terminals: Vec<&Symbol> = state.last().iter().filter_map(|&item| self.next(item)).collect();
            let (letter, nearer) = terminals
                .iter()
                .filter_map(|terminal| self.bnf.some_letter(terminal))
                .map(|letter| (self.advance(&state, &letter).expect("the letter is asked for"), letter))
                .map(|(next, letter)| (letter, next))
                .find(|(_, next)| self.letters_left(next) < left)
                .expect("some letter leads nearer to the end");
            left = self.letters_left(&nearer);
            letters.push(letter);
            state = nearer;
        }
        assert!(self.accepts(&state), "nothing is left and the text is not whole");
        letters
    }

    /// Which tokens may follow, by id: a text token by its bytes or as a letter, a stop token as a letter or at the end
    /// of a text of the language.
    #[must_use]
    pub fn mask(&self, state: &State, vocabulary: &Vocabulary) -> Vec<bool> {
        let accepts = self.accepts(state);
        // What tokens begin with alike is read once.
        let mut read: BTreeMap<&[u8], Option<State>> = BTreeMap::from([(&[][..], Some(state.clone()))]);
        let mut is_spelled = |bytes| {
            for (at, &byte) in <[u8]>::iter(bytes).enumerate() {
                if !read.contains_key(&bytes[..=at]) {
                    let from = read[&bytes[..at]].as_ref();
                    let next = from.and_then(|from| self.advance(from, &Letter::Byte(byte)));
                    read.insert(&bytes[..=at], next);
                }
            }
            read[bytes].is_some()
        };
        let is_allowed = |token: TokenId| {
            let is_letter = !self.scanned(state, &Letter::Token(token.0)).is_empty();
            match vocabulary.kind(token) {
                _ if vocabulary.stop_tokens().contains(&token) => is_letter || accepts,
                TokenKind::Letter => is_letter,
                TokenKind::Text => is_letter || is_spelled(vocabulary.bytes(token)),
                TokenKind::Empty | TokenKind::Undecodable => false,
            }
        };
        ids(vocabulary).map(is_allowed).collect()
    }
}

impl Item {
    fn after_next(self) -> Self {
        Self { dot: self.dot + 1, ..self }
    }
}

impl State {
    fn last(&self) -> &[Item] {
        self.sets.last().expect("there is a set where texts begin")
    }

    /// How many items its sets have.
    #[must_use]
    pub fn item_count(&self) -> usize {
        self.sets.iter().map(|set| set.len()).sum()
    }
}
