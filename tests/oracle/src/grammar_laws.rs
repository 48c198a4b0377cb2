//! The laws of a matcher of a grammar: as [`laws`](crate::laws), with the Earley recogniser as the judge.
//!
//! A walk leads the recogniser along with the subject, since the text alone does not say which tokens were letters.
//! [`random_grammars_obey_the_laws`] is the whole test for an engine; it needs a way to compile a grammar.

use std::rc::Rc;

use maskwright::error::{CompileError, CompileErrorKind};
use maskwright::grammar::rules::{Expr, Grammar, TokenMember};
use maskwright::limits::FORCED_BYTES_MAX;
use maskwright::{Matcher, TokenId, Vocabulary};

use crate::brute::ids;
use crate::earley::{Letter, Recogniser, State};
use crate::generate::Random;
use crate::generate::grammar::{beginning, grammar, has_token_letters, mutated, shown};
use crate::generate::vocabulary::{byte_tokens, letters};
use crate::laws::{
    Violation, allowed, bit_is_commit, masks_agree, masks_depend_on_bytes, rollback_and_fork_are_identities,
    violation,
};
use crate::subject::{Fault, Setting, Subject};

/// A grammar over a vocabulary, with the recogniser that decides.
pub struct GrammarWorld {
    /// The grammar.
    pub grammar: Grammar,
    /// The vocabulary.
    pub vocabulary: Vocabulary,
    /// Decides about texts and tokens.
    pub recogniser: Recogniser,
}

/// What the recogniser knows of the tokens so far.
#[derive(Clone, Debug)]
pub struct Place {
    /// Where they lead.
    pub state: State,
    /// Whether the last of them ended the text.
    pub is_finished: bool,
}

impl Setting for GrammarWorld {
    fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    fn shown(&self) -> String {
        let spelled = |token| self.vocabulary.bytes(token).escape_ascii().to_string();
        let tokens: Vec<String> = ids(&self.vocabulary).map(spelled).collect();
        format!("\n{}\nover {tokens:?}\n", shown(&self.grammar))
    }
}

impl GrammarWorld {
    /// The world of texts that the vocabulary can spell.
    ///
    /// # Panics
    /// If the recogniser can't judge the grammar.
    #[must_use]
    pub fn new(grammar: Grammar, vocabulary: Vocabulary) -> Self {
        let recogniser = Recogniser::over(&grammar, &vocabulary);
        Self { grammar, vocabulary, recogniser }
    }

    /// Before the first token.
    ///
    /// # Panics
    /// If the language is empty.
    #[must_use]
    pub fn start(&self) -> Place {
        Place { state: self.recogniser.start(), is_finished: false }
    }

    /// Which tokens may follow, by id.
    #[must_use]
    pub fn mask(&self, place: &Place) -> Vec<bool> {
        if place.is_finished {
            return vec![false; self.vocabulary.len()];
        }
        self.recogniser.mask(&place.state, &self.vocabulary)
    }

    /// One token more, if it may follow. A stop token that may follow as a letter is one and ends nothing.
    #[must_use]
    pub fn commit(&self, place: &Place, token: TokenId) -> Option<Place> {
        if place.is_finished {
            return None;
        }
        let bytes = self.vocabulary.bytes(token);
        if let Some(state) = self.recogniser.advance_token(&place.state, token, bytes) {
            return Some(Place { state, is_finished: false });
        }
        let ends = self.vocabulary.stop_tokens().contains(&token) && self.recogniser.accepts(&place.state);
        ends.then(|| Place { state: place.state.clone(), is_finished: true })
    }
}

/// What nothing satisfies is refused, and nothing else; `None` if it was.
///
/// # Errors
/// The wrong verdict.
pub fn exactly_empty_languages_are_refused<S>(
    world: &GrammarWorld,
    outcome: Result<S, CompileError>,
) -> Result<Option<S>, Violation> {
    let broken = |what: &str| violation("exactly empty languages are refused", world, b"", what);
    match (outcome, world.recogniser.is_empty()) {
        (Ok(subject), false) => Ok(Some(subject)),
        (Ok(_), true) => Err(broken("the language is empty and was compiled")),
        // A stop token with more behind it is refused; who is not refused obeys the law of stop letters.
        (Err(error), false) if error.kind() == CompileErrorKind::Invalid && names_a_stop_token(world) => {
            Ok(None)
        }
        (Err(error), false) => Err(broken(&format!("it was refused: {error}"))),
        (Err(error), true) => {
            // Without the vocabulary there may be texts: then it is to blame.
            let is_right = match error.kind() {
                CompileErrorKind::Unsatisfiable => true,
                CompileErrorKind::Unspellable => !Recogniser::new(&world.grammar).is_empty(),
                _ => false,
            };
            if is_right {
                Ok(None)
            } else {
                Err(broken(&format!("it was refused for another reason: {error}")))
            }
        }
    }
}

/// Whether a set of tokens in the grammar lists a stop token. Negated ones have none.
fn names_a_stop_token(world: &GrammarWorld) -> bool {
    let stops = world.vocabulary.stop_tokens();
    world.grammar.exprs.iter().any(|expr| match expr {
        Expr::Token(set) if !set.negated => set.members.iter().any(|member| match member {
            TokenMember::Ids(low, high) => stops.iter().any(|stop| (*low..=*high).contains(&stop.0)),
            TokenMember::Name(name) => {
                world.vocabulary.token_named(name).is_some_and(|token| stops.contains(&token))
            }
        }),
        _ => false,
    })
}

/// Behind a stop token that is a letter of the grammar the text is complete: an engine ends it there.
///
/// # Errors
/// The stop token.
fn stop_letters_are_last(world: &GrammarWorld, place: &Place, text: &[u8]) -> Result<(), Violation> {
    for &stop in world.vocabulary.stop_tokens() {
        let after = world.recogniser.advance_token(&place.state, stop, world.vocabulary.bytes(stop));
        if after.is_some_and(|state| !world.recogniser.accepts(&state)) {
            return Err(violation("a stop letter is last", world, text, "more must follow the stop token"));
        }
    }
    Ok(())
}

/// Mask, acceptance and end are what the recogniser says, and while the text has not ended some token may follow.
///
/// # Errors
/// What differs.
pub fn agrees_with_recogniser<S: Subject>(
    world: &GrammarWorld,
    place: &Place,
    subject: &S,
) -> Result<(), Violation> {
    const LAW: &str = "mask = brute force";
    let text = subject.text();
    let found = allowed(LAW, world, subject)?;
    masks_agree(LAW, world, &text, &found, &world.mask(place))?;
    if subject.is_finished() != place.is_finished {
        let what = format!("the text has ended: {}", place.is_finished);
        return Err(violation("texts end with a stop token", world, &text, &what));
    }
    if place.is_finished {
        return Ok(());
    }
    stop_letters_are_last(world, place, &text)?;
    let expected = world.recogniser.accepts(&place.state);
    if subject.is_accepting() != expected {
        let what = format!("the text is in the language: {expected}");
        return Err(violation("acceptance agrees", world, &text, &what));
    }
    let has_end = !world.vocabulary.stop_tokens().is_empty() || !expected;
    if has_end && !found.contains(&true) {
        return Err(violation("no dead end", world, &text, "no token is allowed"));
    }
    Ok(())
}

/// Commits a token that may follow.
fn step<S: Subject>(
    law: &'static str,
    world: &GrammarWorld,
    place: &mut Place,
    subject: &mut S,
    token: TokenId,
) -> Result<(), Violation> {
    let text = subject.text();
    *place = world.commit(place, token).expect("the recogniser allows what its mask allows");
    subject
        .commit(token)
        .map_err(|error| violation(law, world, &text, &format!("token {} is refused: {error}", token.0)))
}

/// From here a shortest completion, letter by letter, leads to a text of the language, and a stop token ends it.
///
/// # Errors
/// The letter that is refused, or the missing end.
pub fn shortest_completions_are_reached<S: Subject>(
    world: &GrammarWorld,
    place: &Place,
    subject: &S,
) -> Result<(), Violation> {
    const LAW: &str = "shortest completions are reached";
    if place.is_finished {
        return Ok(());
    }
    let (mut place, mut subject) = (place.clone(), subject.clone());
    let spelling = byte_tokens(&world.vocabulary);
    for letter in world.recogniser.completion(&place.state) {
        let token = match letter {
            Letter::Byte(byte) => spelling[usize::from(byte)].expect("texts are spelled byte by byte"),
            Letter::Token(id) => TokenId(id),
        };
        step(LAW, world, &mut place, &mut subject, token)?;
    }
    agrees_with_recogniser(world, &place, &subject)?;
    let text = subject.text();
    if !subject.is_accepting() {
        return Err(violation(LAW, world, &text, "the text may not end"));
    }
    for &stop in world.vocabulary.stop_tokens() {
        let (mut place, mut subject) = (place.clone(), subject.clone());
        step(LAW, world, &mut place, &mut subject, stop)?;
        agrees_with_recogniser(world, &place, &subject)?;
    }
    Ok(())
}

/// The subject says the same of a text as the recogniser, byte by byte: of its every prefix and of its end.
///
/// # Errors
/// Where they differ.
pub fn verdicts_agree<S: Subject>(world: &GrammarWorld, start: &S, text: &[u8]) -> Result<(), Violation> {
    const LAW: &str = "texts are accepted exactly if they are in the language";
    let spelling = byte_tokens(&world.vocabulary);
    let (mut place, mut subject) = (world.start(), start.clone());
    for (at, &byte) in text.iter().enumerate() {
        let Some(token) = spelling[usize::from(byte)] else { return Ok(()) };
        let outcome = subject.commit(token);
        let next = world.commit(&place, token);
        if outcome.is_ok() != next.is_some() {
            let what = format!("`{}` may follow: {}, {outcome:?}", [byte].escape_ascii(), next.is_some());
            return Err(violation(LAW, world, &text[..at], &what));
        }
        let Some(next) = next else { return Ok(()) };
        place = next;
    }
    let expected = world.recogniser.accepts(&place.state);
    if subject.is_accepting() != expected {
        return Err(violation(LAW, world, text, &format!("the text is in the language: {expected}")));
    }
    Ok(())
}

/// What the matcher calls forced every text goes on with, and beyond it two texts differ. Of grammars that name tokens nothing is
/// said: a token may stand for bytes there that are not forced.
///
/// # Errors
/// The byte that is not forced, or the one that is and was left out.
pub fn forced_bytes_are_forced(
    world: &GrammarWorld,
    place: &Place,
    matcher: &Matcher,
) -> Result<(), Violation> {
    const LAW: &str = "forced bytes are forced";
    if has_token_letters(&world.grammar) {
        return Ok(());
    }
    let text = matcher.text();
    let broken = |what: &str| Err(violation(LAW, world, &text, what));
    let forced = matcher.forced_bytes().map_err(|error| violation(LAW, world, &text, &error.to_string()))?;
    let mut expected = Vec::new();
    let mut state = place.state.clone();
    while !place.is_finished && !world.recogniser.accepts(&state) && expected.len() < FORCED_BYTES_MAX {
        let &[only] = &world.recogniser.next_bytes(&state)[..] else { break };
        expected.push(only);
        state = world.recogniser.advance(&state, &Letter::Byte(only)).expect("it may follow");
    }
    if forced == expected {
        return Ok(());
    }
    broken(&format!("`{}` is said, `{}` is forced", forced.escape_ascii(), expected.escape_ascii()))
}

/// Tokens that a walk takes freely, at most.
const STEPS_MAX: usize = 16;
/// Longest text that is put to a grammar, in bytes.
const TEXT_BYTES_MAX: usize = 24;

/// What [`random_grammars_obey_the_laws`] has seen.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Seen {
    /// Grammars.
    pub grammars: usize,
    /// Grammars whose language is empty.
    pub empty: usize,
    /// States whose masks were compared.
    pub states: usize,
    /// Tokens that might follow, at all of them together.
    pub allowed: usize,
    /// Texts that were put byte by byte.
    pub texts: usize,
    /// Violations, in words.
    pub broken: Vec<String>,
}

impl Seen {
    /// Fails a test if a law was broken, with the first violations.
    ///
    /// # Panics
    /// If a law was broken.
    pub fn assert_unbroken(&self) {
        let first: String = self.broken.iter().take(12).map(String::as_str).collect();
        assert!(self.broken.is_empty(), "{} of {} break a law:\n{first}", self.broken.len(), self.grammars);
    }
}

/// What is checked beyond the laws for every subject.
pub type Further<'f, S> = dyn FnMut(&GrammarWorld, &Place, &S) -> Result<(), Violation> + 'f;

/// Random walks over a grammar, with the laws at their states, and texts.
///
/// # Errors
/// The first law that is broken.
pub fn obeys<S: Subject>(
    world: &GrammarWorld,
    start: &S,
    chars: &[char],
    random: &mut Random,
    seen: &mut Seen,
    further: &mut Further<'_, S>,
) -> Result<(), Violation> {
    for _ in 0..2 {
        let (mut place, mut subject) = (world.start(), start.clone());
        for _ in 0..=random.below(STEPS_MAX) {
            agrees_with_recogniser(world, &place, &subject)?;
            bit_is_commit(world, &subject)?;
            further(world, &place, &subject)?;
            if random.chance(1, 4) {
                rollback_and_fork_are_identities(world, &subject, random)?;
            }
            let mask = world.mask(&place);
            let choices: Vec<TokenId> = ids(&world.vocabulary).filter(|token| mask[token.index()]).collect();
            seen.states += 1;
            seen.allowed += choices.len();
            let goes_on = |token: &TokenId| !world.vocabulary.stop_tokens().contains(token);
            let ongoing: Vec<TokenId> = choices.iter().copied().filter(goes_on).collect();
            let may_end = ongoing.is_empty() || random.chance(1, 16);
            if choices.is_empty() {
                break;
            }
            let token = *random.pick(if may_end { &choices } else { &ongoing });
            step("bit = commit", world, &mut place, &mut subject, token)?;
        }
        agrees_with_recogniser(world, &place, &subject)?;
        shortest_completions_are_reached(world, &place, &subject)?;
    }
    for _ in 0..3 {
        let text = beginning(&world.recogniser, random, TEXT_BYTES_MAX);
        verdicts_agree(world, start, &text)?;
        verdicts_agree(world, start, &mutated(&text, chars, random))?;
        if !has_token_letters(&world.grammar) {
            masks_depend_on_bytes(world, start, &text, random)?;
        }
        seen.texts += 2;
    }
    Ok(())
}

/// Gives the vocabulary for a grammar over these characters.
pub type Draw<'d> = dyn FnMut(&mut Random, &[char]) -> Vocabulary + 'd;

/// A vocabulary for each grammar, from [`letters`].
///
/// # Panics
/// Never: the vocabularies are well formed.
pub fn own_vocabulary(random: &mut Random, chars: &[char]) -> Vocabulary {
    letters(random, chars).expect("a vocabulary")
}

/// The laws for the random grammars of these numbers, each from a seed of its own. What was broken is in the answer, with the
/// number of the grammar: from that and the seed it is made again.
pub fn random_grammars_obey_the_laws<S: Subject>(
    seed: u64,
    numbers: std::ops::Range<u64>,
    vocabulary: &mut Draw<'_>,
    compile: &dyn Fn(&GrammarWorld) -> Result<S, CompileError>,
    further: &mut Further<'_, S>,
) -> Seen {
    println!("seed {seed:#x}");
    let mut seen = Seen::default();
    for number in numbers {
        let mut random = Random::new(seed ^ (number << 20));
        let made = grammar(&mut random);
        let vocabulary = vocabulary(&mut random, &made.chars);
        let world = GrammarWorld::new(made.grammar, vocabulary);
        seen.grammars += 1;
        seen.empty += usize::from(world.recogniser.is_empty());
        let outcome = exactly_empty_languages_are_refused(&world, compile(&world)).and_then(|start| {
            start.map_or(Ok(()), |start| obeys(&world, &start, &made.chars, &mut random, &mut seen, further))
        });
        if let Err(violation) = outcome {
            seen.broken.push(format!("number {number}, {:?}: {violation}\n", made.shapes));
        }
    }
    println!(
        "{} grammars, {} empty, {} states, {} tokens allowed, {} texts, {} broken",
        seen.grammars,
        seen.empty,
        seen.states,
        seen.allowed,
        seen.texts,
        seen.broken.len()
    );
    seen
}

/// The recogniser as a matcher, wrong in a chosen way: with it the laws are tested.
#[derive(Clone)]
pub struct SlowParser {
    world: Rc<GrammarWorld>,
    /// The tokens, each with the place that it led to.
    trail: Vec<(TokenId, Place)>,
    fault: Fault,
}

impl SlowParser {
    /// A matcher at the start.
    #[must_use]
    pub fn new(world: Rc<GrammarWorld>, fault: Fault) -> Self {
        Self { world, trail: Vec::new(), fault }
    }

    fn place(&self) -> Place {
        self.trail.last().map_or_else(|| self.world.start(), |(_, place)| place.clone())
    }
}

impl Subject for SlowParser {
    fn allowed(&mut self) -> Result<Vec<bool>, String> {
        let mut mask = self.world.mask(&self.place());
        let stop = self.world.vocabulary.stop_tokens()[0].index();
        let wrong = match self.fault {
            _ if self.is_finished() => None,
            Fault::MissesToken => mask.iter().rposition(|&bit| bit),
            Fault::AddsToken => mask.iter().position(|&bit| !bit),
            Fault::CountsTokens if self.trail.len() % 2 == 1 => mask.iter().position(|&bit| !bit),
            Fault::NeverEnds => Some(stop).filter(|&stop| mask[stop]),
            _ => None,
        };
        if let Some(wrong) = wrong {
            mask[wrong] = !mask[wrong];
        }
        Ok(mask)
    }

    fn commit(&mut self, token: TokenId) -> Result<(), String> {
        let here = self.place();
        let place = match self.world.commit(&here, token) {
            None if self.fault == Fault::CommitsAnything => here,
            place => place.ok_or("not allowed")?,
        };
        self.trail.push((token, place));
        Ok(())
    }

    fn rollback(&mut self, count: usize) -> Result<(), String> {
        let count = if self.fault == Fault::RollsBackShort { count.saturating_sub(1) } else { count };
        let left = self.trail.len().checked_sub(count).ok_or("too far")?;
        self.trail.truncate(left);
        Ok(())
    }

    fn text(&self) -> Vec<u8> {
        self.trail.iter().flat_map(|(token, _)| self.world.vocabulary.bytes(*token)).copied().collect()
    }

    fn is_accepting(&self) -> bool {
        self.world.recogniser.accepts(&self.place().state)
    }

    fn is_finished(&self) -> bool {
        self.place().is_finished
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use maskwright::error::{CompileError, CompileErrorKind, Place};

    use super::{GrammarWorld, Seen, SlowParser, own_vocabulary, random_grammars_obey_the_laws};
    use crate::subject::Fault;

    fn judged(fault: Fault, count: u64) -> Seen {
        let compile = |world: &GrammarWorld| {
            if world.recogniser.is_empty() {
                let kind = CompileErrorKind::Unsatisfiable;
                return Err(CompileError::new(kind, Place::default(), "grammar", "no text matches it"));
            }
            let world = GrammarWorld::new(world.grammar.clone(), world.vocabulary.clone());
            Ok(SlowParser::new(Rc::new(world), fault))
        };
        random_grammars_obey_the_laws(0xEA51_0011, 0..count, &mut own_vocabulary, &compile, &mut |_, _, _| {
            Ok(())
        })
    }

    #[test]
    fn the_laws_hold_for_the_recogniser() {
        let seen = judged(Fault::None, 60);
        seen.assert_unbroken();
        assert!(seen.states > 200 && seen.empty < 20);
    }

    #[test]
    fn each_fault_breaks_a_law_of_grammars() {
        for (fault, law) in [
            (Fault::MissesToken, "mask = brute force"),
            (Fault::AddsToken, "mask = brute force"),
            (Fault::CommitsAnything, "bit = commit"),
            (Fault::NeverEnds, "mask = brute force"),
            (Fault::RollsBackShort, "rollback and fork identities"),
            (Fault::CountsTokens, "mask = brute force"),
        ] {
            let seen = judged(fault, 12);
            assert!(seen.broken.len() > 2, "{fault:?} is seen: {}", seen.broken.len());
            assert!(
                seen.broken.iter().any(|broken| broken.contains(law)),
                "{fault:?}: {}",
                seen.broken.concat()
            );
        }
    }
}
