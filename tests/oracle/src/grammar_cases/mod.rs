//! Grammars that are awkward for an engine, with texts, each beside the shortcut that it would catch.
//!
//! The tests here check them against the recogniser; an engine is put to the texts, and to the laws with
//! random walks, by [`cases_are_decided`].

mod calls;
mod notation;
mod returns;
mod splits;
mod texts;

use maskwright::error::{CompileError, CompileErrorKind};

use crate::generate::Random;
use crate::generate::vocabulary::letters;
use crate::grammar_laws::{
    Further, GrammarWorld, Seen, exactly_empty_languages_are_refused, obeys, verdicts_agree,
};
use crate::subject::Subject;
pub use notation::grammar;

/// A grammar with texts.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// What it is about.
    pub name: &'static str,
    /// The grammar, in the [`notation`](grammar) of the cases.
    pub grammar: &'static str,
    /// Texts of the language.
    pub accepted: &'static [&'static str],
    /// Texts that are not in the language but begin one that is.
    pub unfinished: &'static [&'static str],
    /// Texts that no text of the language begins with, though one begins with all but the last byte.
    pub dead: &'static [&'static [u8]],
}

impl Case {
    /// The characters of its texts.
    #[must_use]
    pub fn chars(&self) -> Vec<char> {
        let texts = self.accepted.iter().chain(self.unfinished).copied();
        let mut chars: Vec<char> = texts.flat_map(str::chars).collect();
        let dead = self.dead.iter().filter_map(|text| std::str::from_utf8(text).ok());
        chars.extend(dead.flat_map(str::chars));
        chars.extend(['a', 'b']);
        chars.sort_unstable();
        chars.dedup();
        chars
    }
}

/// All of them.
pub fn cases() -> impl Iterator<Item = &'static Case> {
    [calls::CASES, returns::CASES, texts::CASES, splits::CASES].into_iter().flatten()
}

/// Grammars without any text, in the notation of the cases.
#[must_use]
pub fn empty_grammars() -> &'static [&'static str] {
    texts::EMPTY
}

/// The laws and the texts of every case, and the refusal of the empty languages; what is broken is in the answer.
///
/// # Panics
/// Never: the cases and their vocabularies are well formed.
pub fn cases_are_decided<S: Subject>(
    compile: &dyn Fn(&GrammarWorld) -> Result<S, CompileError>,
    further: &mut Further<'_, S>,
) -> Seen {
    let mut seen = Seen::default();
    let mut random = Random::new(0xCA5E_0001);
    for case in cases() {
        for _ in 0..4 {
            let vocabulary = letters(&mut random, &case.chars()).expect("a vocabulary");
            let world = GrammarWorld::new(grammar(case.grammar), vocabulary);
            seen.grammars += 1;
            let outcome = exactly_empty_languages_are_refused(&world, compile(&world)).and_then(|start| {
                let Some(start) = start else { return Ok(()) };
                for text in case.accepted.iter().chain(case.unfinished) {
                    verdicts_agree(&world, &start, text.as_bytes())?;
                }
                for text in case.dead {
                    verdicts_agree(&world, &start, text)?;
                }
                obeys(&world, &start, &case.chars(), &mut random, &mut seen, further)
            });
            if let Err(violation) = outcome {
                seen.broken.push(format!("{}: {violation}\n", case.name));
            }
        }
    }
    for text in empty_grammars() {
        let vocabulary = letters(&mut random, &['a', 'b', 'c']).expect("a vocabulary");
        let world = GrammarWorld::new(grammar(text), vocabulary);
        match compile(&world) {
            Err(error) if error.kind() == CompileErrorKind::Unsatisfiable => seen.empty += 1,
            Err(error) => seen.broken.push(format!("{text}\nis refused for another reason: {error}\n")),
            Ok(_) => seen.broken.push(format!("{text}\nis empty and was compiled\n")),
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use maskwright::error::{CompileError, CompileErrorKind, Place};

    use super::{cases, cases_are_decided, empty_grammars, grammar};
    use crate::earley::Recogniser;
    use crate::grammar_laws::{GrammarWorld, SlowParser};
    use crate::subject::Fault;

    #[test]
    fn the_recogniser_decides_every_case() {
        let mut faults = String::new();
        for case in cases() {
            let recogniser = Recogniser::new(&grammar(case.grammar));
            let read = |text: &[u8]| recogniser.read(text).map(|state| recogniser.accepts(&state));
            let texts = |texts: &'static [&'static str], verdict: Option<bool>| {
                texts.iter().map(move |text| (text.as_bytes(), verdict))
            };
            let dead = case.dead.iter().map(|&text| (text, None));
            let all = texts(case.accepted, Some(true)).chain(texts(case.unfinished, Some(false))).chain(dead);
            for (text, expected) in all {
                let found = read(text);
                let is_dead_earlier =
                    expected.is_none() && text.split_last().is_none_or(|(_, before)| read(before).is_none());
                if found != expected || is_dead_earlier {
                    let text = text.escape_ascii();
                    faults += &format!("{}: `{text}` is {found:?}, not {expected:?}", case.name);
                    faults += if is_dead_earlier { ", and dead earlier\n" } else { "\n" };
                }
            }
        }
        assert!(faults.is_empty(), "{faults}");
    }

    #[test]
    fn the_recogniser_knows_the_empty_languages() {
        for text in empty_grammars() {
            assert!(Recogniser::new(&grammar(text)).is_empty(), "{text}");
        }
    }

    #[test]
    fn the_recogniser_as_a_matcher_obeys_the_laws_on_every_case() {
        let compile = |world: &GrammarWorld| {
            if world.recogniser.is_empty() {
                let is_empty = Recogniser::new(&world.grammar).is_empty();
                let kind =
                    if is_empty { CompileErrorKind::Unsatisfiable } else { CompileErrorKind::Unspellable };
                return Err(CompileError::new(kind, Place::default(), "grammar", "no text matches it"));
            }
            let world = GrammarWorld::new(world.grammar.clone(), world.vocabulary.clone());
            Ok(SlowParser::new(Rc::new(world), Fault::None))
        };
        let seen = cases_are_decided(&compile, &mut |_, _, _| Ok(()));
        seen.assert_unbroken();
        assert_eq!((seen.grammars, seen.empty), (cases().count() * 4, empty_grammars().len()));
    }
}
