//! The laws of a matcher: what holds for every schema, vocabulary and text, as functions that tests, fuzz targets and
//! benchmarks call.
//!
//! Each law takes the [`World`] that decides and a [`Subject`] that is judged, and gives a [`Violation`] that says what was
//! found. None of them changes the subject that it is given.

use std::fmt;

use maskwright::limits::FORCED_BYTES_MAX;
use maskwright::{Matcher, TokenId};

use crate::brute::ids;
use crate::generate::Random;
use crate::generate::vocabulary::{byte_tokens, longest_match, random_match};
use crate::subject::{Setting, Subject, World};
use crate::twin::Surface;

/// Most tokens that a walk takes to come to an end once it wants to.
pub const ENDING_TOKENS_MAX: usize = 400;

/// A law was broken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// Which.
    pub law: &'static str,
    /// By what.
    pub detail: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "law \"{}\" is broken: {}", self.law, self.detail)
    }
}

impl std::error::Error for Violation {}

pub(crate) fn violation(law: &'static str, setting: &impl Setting, text: &[u8], what: &str) -> Violation {
    let detail = format!("{} after `{}`: {what}", setting.shown(), text.escape_ascii());
    Violation { law, detail }
}

/// A token by id and bytes.
fn shown(setting: &impl Setting, token: TokenId) -> String {
    format!("{} `{}`", token.0, setting.vocabulary().bytes(token).escape_ascii())
}

pub(crate) fn allowed<S: Subject>(
    law: &'static str,
    setting: &impl Setting,
    subject: &S,
) -> Result<Vec<bool>, Violation> {
    subject.clone().allowed().map_err(|error| violation(law, setting, &subject.text(), &error))
}

/// A mask is as expected.
///
/// # Errors
/// The tokens that differ.
pub(crate) fn masks_agree(
    law: &'static str,
    setting: &impl Setting,
    text: &[u8],
    found: &[bool],
    expected: &[bool],
) -> Result<(), Violation> {
    if found == expected {
        return Ok(());
    }
    let differs = |token: &TokenId| found[token.index()] != expected[token.index()];
    let differing: Vec<TokenId> = ids(setting.vocabulary()).filter(differs).collect();
    let listed: Vec<String> = differing
        .iter()
        .take(8)
        .map(|&token| {
            let what = if found[token.index()] { "wrongly allowed" } else { "wrongly refused" };
            format!("{} {what}", shown(setting, token))
        })
        .collect();
    Err(violation(law, setting, text, &format!("{} tokens differ: {}", differing.len(), listed.join("; "))))
}

/// The mask allows exactly what the twin allows, token by token.
///
/// # Errors
/// The tokens that differ.
pub fn mask_is_brute_force<S: Subject>(world: &World, subject: &S) -> Result<(), Violation> {
    const LAW: &str = "mask = brute force";
    let text = subject.text();
    let found = allowed(LAW, world, subject)?;
    let expected = if subject.is_finished() {
        vec![false; found.len()]
    } else {
        world
            .brute
            .mask(&world.twin, &text)
            .map_err(|error| violation(LAW, world, &text, &error.to_string()))?
    };
    masks_agree(LAW, world, &text, &found, &expected)
}

/// A token can be committed exactly where its bit is set, and a refused commit changes nothing.
///
/// # Errors
/// The first token where they differ.
pub fn bit_is_commit<S: Subject>(setting: &impl Setting, subject: &S) -> Result<(), Violation> {
    const LAW: &str = "bit = commit";
    let text = subject.text();
    let bits = allowed(LAW, setting, subject)?;
    let mut tried = subject.clone();
    for token in ids(setting.vocabulary()) {
        let bit = bits[token.index()];
        match (bit, tried.commit(token)) {
            (true, Ok(())) => tried = subject.clone(),
            (false, Err(_)) => {}
            (_, outcome) => {
                let what = format!("the bit of {} is {bit}, commit says {outcome:?}", shown(setting, token));
                return Err(violation(LAW, setting, &text, &what));
            }
        }
    }
    if tried.text() != text || allowed(LAW, setting, &tried)? != bits {
        return Err(violation(LAW, setting, &text, "refused commits changed the text or the mask"));
    }
    Ok(())
}

/// What a subject shows of itself.
type View = (Vec<bool>, Vec<u8>, bool, bool);

fn view<S: Subject>(law: &'static str, setting: &impl Setting, subject: &S) -> Result<View, Violation> {
    Ok((allowed(law, setting, subject)?, subject.text(), subject.is_accepting(), subject.is_finished()))
}

/// After any tokens and as many taken back everything is as before; forks don't feel each other.
///
/// # Errors
/// What changed.
pub fn rollback_and_fork_are_identities<S: Subject>(
    setting: &impl Setting,
    subject: &S,
    random: &mut Random,
) -> Result<(), Violation> {
    const LAW: &str = "rollback and fork identities";
    let origin = view(LAW, setting, subject)?;
    let mut walker = subject.clone();
    let mut views = vec![origin.clone()];
    for _ in 0..1 + random.below(6) {
        let choices: Vec<TokenId> =
            ids(setting.vocabulary()).filter(|token| views[views.len() - 1].0[token.index()]).collect();
        if choices.is_empty() {
            break;
        }
        let token = *random.pick(&choices);
        walker.commit(token).map_err(|error| violation(LAW, setting, &walker.text(), &error))?;
        views.push(view(LAW, setting, &walker)?);
    }
    let fork = walker.clone();
    let last = views[views.len() - 1].clone();
    while views.len() > 1 {
        let count = 1 + random.below(views.len() - 1);
        walker.rollback(count).map_err(|error| violation(LAW, setting, &walker.text(), &error))?;
        views.truncate(views.len() - count);
        if view(LAW, setting, &walker)? != views[views.len() - 1] {
            let what = format!("{count} tokens taken back did not lead back");
            return Err(violation(LAW, setting, &views[views.len() - 1].1, &what));
        }
    }
    if view(LAW, setting, &fork)? != last {
        return Err(violation(LAW, setting, &last.1, "a fork felt the rollback of its origin"));
    }
    if view(LAW, setting, subject)? != origin {
        return Err(violation(LAW, setting, &origin.1, "the origin felt its fork"));
    }
    Ok(())
}

/// Commits the tokens one by one.
///
/// # Errors
/// The first that is refused.
pub fn commits<S: Subject>(setting: &impl Setting, start: &S, tokens: &[TokenId]) -> Result<S, Violation> {
    let mut subject = start.clone();
    for &token in tokens {
        let outcome = subject.commit(token);
        outcome.map_err(|error| {
            let what = format!("{} is refused: {error}", shown(setting, token));
            violation("documents are accepted", setting, &subject.text(), &what)
        })?;
    }
    Ok(subject)
}

/// The mask after a text is the same however the text is cut into tokens.
///
/// # Errors
/// The cut that makes a difference, or is refused.
pub fn masks_depend_on_bytes<S: Subject>(
    setting: &impl Setting,
    start: &S,
    text: &[u8],
    random: &mut Random,
) -> Result<(), Violation> {
    const LAW: &str = "masks depend on bytes, not on tokenisation";
    let cuts = [
        longest_match(setting.vocabulary(), text),
        random_match(setting.vocabulary(), text, random),
        random_match(setting.vocabulary(), text, random),
        byte_cut(setting, text),
    ];
    let mut first: Option<View> = None;
    for tokens in cuts.into_iter().flatten() {
        let view = view(LAW, setting, &commits(setting, start, &tokens)?)?;
        if first.as_ref().is_some_and(|first| *first != view) {
            return Err(violation(LAW, setting, text, &format!("cut into {tokens:?} it has another mask")));
        }
        first = Some(view);
    }
    Ok(())
}

/// The text as tokens of one byte each.
fn byte_cut(setting: &impl Setting, text: &[u8]) -> Option<Vec<TokenId>> {
    let tokens = byte_tokens(setting.vocabulary());
    text.iter().map(|&byte| tokens[usize::from(byte)]).collect()
}

/// A document is accepted, cut into the longest tokens and into bytes.
///
/// # Errors
/// The token that is refused, or the missing end.
pub fn document_is_accepted<S: Subject>(world: &World, start: &S, document: &[u8]) -> Result<(), Violation> {
    for tokens in
        [longest_match(&world.vocabulary, document), byte_cut(world, document)].into_iter().flatten()
    {
        let end = commits(world, start, &tokens)?;
        if !end.is_accepting() {
            return Err(violation("documents are accepted", world, document, "the text may not end here"));
        }
    }
    Ok(())
}

/// The subject says the same of a text as the twin: of its every prefix and of its end.
///
/// # Errors
/// Where they differ.
pub fn verdicts_agree<S: Subject>(world: &World, start: &S, text: &[u8]) -> Result<(), Violation> {
    const LAW: &str = "texts are accepted exactly if they are documents";
    let tokens = byte_tokens(&world.vocabulary);
    let mut subject = start.clone();
    for (at, &byte) in text.iter().enumerate() {
        let outcome = match tokens[usize::from(byte)] {
            Some(token) => subject.commit(token),
            None => Err("no token spells the byte".to_owned()),
        };
        let before = &text[..at];
        let expected = world.twin.is_prefix(&text[..=at]);
        let expected = expected.map_err(|error| violation(LAW, world, before, &error.to_string()))?;
        if outcome.is_ok() != expected {
            let byte = [byte];
            let what = format!("`{}` is a prefix: {expected}, commit: {outcome:?}", byte.escape_ascii());
            return Err(violation(LAW, world, before, &what));
        }
        if !expected {
            return Ok(());
        }
    }
    let expected = world.twin.is_complete(text);
    if subject.is_accepting() != expected {
        return Err(violation(LAW, world, text, &format!("the text is a document: {expected}")));
    }
    Ok(())
}

/// What the matcher calls forced every document goes on with, and beyond it two documents differ.
///
/// # Errors
/// The byte that is not forced, or the one that is and was left out.
pub fn forced_bytes_are_forced(world: &World, matcher: &Matcher) -> Result<(), Violation> {
    const LAW: &str = "forced bytes are forced";
    let mut text = matcher.text();
    let broken = |text: &[u8], what: &str| violation(LAW, world, text, what);
    let forced = matcher.forced_bytes().map_err(|error| broken(&text, &error.to_string()))?;
    if matcher.is_finished() {
        return if forced.is_empty() { Ok(()) } else { Err(broken(&text, "bytes are forced after the end")) };
    }
    for expected in forced.iter().map(Some).chain([None]) {
        let mut surface = Surface::new(world.twin.policy());
        let spelled = text.iter().all(|&byte| world.twin.push(&mut surface, byte));
        let mut ways = Vec::new();
        for byte in (0..=255).filter(|_| spelled) {
            let mut surface = surface.clone();
            let longer = [&text[..], &[byte]].concat();
            let goes_on =
                world.twin.push(&mut surface, byte) && world.twin.goes_on(&surface, &longer).unwrap_or(true);
            if goes_on {
                ways.push(byte);
            }
        }
        let is_forced = ways.len() == 1 && !world.twin.is_complete(&text);
        match expected {
            Some(&byte) if !is_forced || ways[0] != byte => {
                return Err(broken(&text, &format!("`{}` is not forced: {ways:?}", [byte].escape_ascii())));
            }
            Some(&byte) => text.push(byte),
            None if is_forced && forced.len() < FORCED_BYTES_MAX => {
                return Err(broken(&text, &format!("`{}` is forced and left out", ways.escape_ascii())));
            }
            None => {}
        }
    }
    Ok(())
}

/// How a walk ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Walk {
    /// With a stop token; the text is given.
    Ended(Vec<u8>),
    /// It was still going on after [`ENDING_TOKENS_MAX`] tokens that should have led to the end.
    Unending(Vec<u8>),
}

/// Walks at random through allowed tokens, looks about at each step, and after `steps` tokens takes those that lead to an end.
///
/// # Errors
/// A state without any allowed token, an allowed token that is refused, an end that the twin does not accept, or what
/// `visit` finds.
pub fn walk<S: Subject>(
    world: &World,
    start: &S,
    random: &mut Random,
    steps: usize,
    visit: &mut dyn FnMut(&S, &mut Random) -> Result<(), Violation>,
) -> Result<Walk, Violation> {
    const LAW: &str = "no dead end";
    let mut subject = start.clone();
    for step in 0..steps + ENDING_TOKENS_MAX {
        visit(&subject, random)?;
        if subject.is_finished() {
            let text = subject.text();
            if !world.twin.is_complete(&text) {
                return Err(violation(LAW, world, &text, "the text ended and is no document"));
            }
            return Ok(Walk::Ended(text));
        }
        let mask = allowed(LAW, world, &subject)?;
        let choices: Vec<TokenId> = ids(&world.vocabulary).filter(|token| mask[token.index()]).collect();
        if choices.is_empty() {
            return Err(violation(LAW, world, &subject.text(), "no token is allowed"));
        }
        let token = if step < steps {
            chosen_freely(world, &choices, random)
        } else {
            chosen_to_end(world, &subject.text(), &choices, step - steps)
        };
        subject.commit(token).map_err(|error| {
            violation(
                LAW,
                world,
                &subject.text(),
                &format!("{} is allowed and refused: {error}", shown(world, token)),
            )
        })?;
    }
    Ok(Walk::Unending(subject.text()))
}

/// Long tokens and structure are rare among the choices, so they are asked for now and then.
fn chosen_freely(world: &World, choices: &[TokenId], random: &mut Random) -> TokenId {
    let is_structural = |token: &&TokenId| {
        let bytes = world.vocabulary.bytes(**token);
        bytes.iter().any(|byte| b"{}[]\":,".contains(byte))
    };
    if random.chance(2, 3) {
        let structural: Vec<TokenId> = choices.iter().filter(is_structural).copied().collect();
        if !structural.is_empty() {
            return *random.pick(&structural);
        }
    }
    *random.pick(choices)
}

/// The choice that is nearest to an end: a stop token, else the shortest of those that start with a byte that closes something.
fn chosen_to_end(world: &World, text: &[u8], choices: &[TokenId], step: usize) -> TokenId {
    let closing = world.twin.closing_bytes(text, step);
    let cost = |token: &TokenId| match world.vocabulary.bytes(*token) {
        _ if world.vocabulary.stop_tokens().contains(token) => (0, 0),
        [first, rest @ ..] => {
            let rank = closing.iter().position(|byte| byte == first).unwrap_or(closing.len());
            (1 + rank, rest.len())
        }
        [] => (usize::MAX, 0),
    };
    *choices.iter().min_by_key(|&token| cost(token)).expect("there is a choice")
}

/// Whether an independent validator accepts the document.
///
/// # Errors
/// The text is no JSON, or the validator refuses it, or the schema.
pub fn validator_accepts(world: &World, document: &[u8]) -> Result<(), Violation> {
    const LAW: &str = "complete outputs validate";
    let broken = |what: &str| violation(LAW, world, document, what);
    let value: serde_json::Value =
        serde_json::from_slice(document).map_err(|error| broken(&format!("no JSON: {error}")))?;
    let validator = jsonschema::validator_for(&world.schema).map_err(|error| broken(&error.to_string()))?;
    validator.validate(&value).map_err(|error| broken(&error.to_string()))
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use maskwright::{SurfacePolicy, TokenId, Vocabulary};

    use super::{
        Violation, Walk, bit_is_commit, document_is_accepted, mask_is_brute_force, masks_depend_on_bytes,
        rollback_and_fork_are_identities, verdicts_agree, walk,
    };
    use crate::generate::Random;
    use crate::subject::{Fault, SlowMatcher, World};

    /// What the laws say of the twin as a matcher, with a fault or without.
    fn judge(fault: Fault) -> Result<(), Violation> {
        let tokens: [&str; 22] = [
            "{", "}", "[", "]", "\"", ":", ",", "a", "b", "1", "2", "t", "r", "u", "e", "\",\"", "\":",
            "{\"a\":1", "}]", "12", "true", "</s>",
        ];
        let vocabulary = Vocabulary::from_tokens(tokens, &[TokenId(21)]).expect("a vocabulary");
        let schema = serde_json::json!({
            "type": "object",
            "properties": {"a": {"type": "integer"}, "b": {"type": "array", "items": {"enum": ["a", true]}}},
            "required": ["a"],
            "additionalProperties": false,
        });
        let world = Rc::new(World::new(schema, SurfacePolicy::default(), vocabulary).expect("supported"));
        let start = SlowMatcher::new(world.clone(), fault);
        let mut random = Random::new(7);
        let mut states = 0;
        let mut visit = |subject: &SlowMatcher, random: &mut Random| {
            states += 1;
            mask_is_brute_force(&world, subject)?;
            bit_is_commit(&world, subject)?;
            rollback_and_fork_are_identities(&world, subject, random)
        };
        for _ in 0..6 {
            let end = walk(&world, &start, &mut random, 8, &mut visit)?;
            assert!(matches!(end, Walk::Ended(_)), "{end:?}");
        }
        assert!(states > 20);
        for document in ["{\"a\":1}", "{\"a\":12,\"b\":[\"a\",true]}"] {
            document_is_accepted(&world, &start, document.as_bytes())?;
            masks_depend_on_bytes(&world, &start, document.as_bytes(), &mut random)?;
            verdicts_agree(&world, &start, document.as_bytes())?;
        }
        verdicts_agree(&world, &start, b"{\"a\":12,\"b\":[1")?;
        verdicts_agree(&world, &start, b"{\"a\":12,\"b\"")
    }

    #[test]
    fn the_laws_hold_for_the_twin() {
        assert_eq!(judge(Fault::None), Ok(()));
    }

    #[test]
    fn each_fault_breaks_a_law() {
        for (fault, law) in [
            (Fault::MissesToken, "mask = brute force"),
            (Fault::AddsToken, "mask = brute force"),
            (Fault::CommitsAnything, "bit = commit"),
            (Fault::NeverEnds, "mask = brute force"),
            (Fault::RollsBackShort, "rollback and fork identities"),
            (Fault::CountsTokens, "mask = brute force"),
        ] {
            let violation = judge(fault).expect_err("the fault is seen");
            assert_eq!(violation.law, law, "{fault:?}: {violation}");
        }
    }

    #[test]
    fn masks_that_count_tokens_are_seen_without_the_brute_force_mask() {
        let tokens = ["[", "]", "1", ",", "11", "[1", "1,", "</s>"];
        let vocabulary = Vocabulary::from_tokens(tokens, &[TokenId(7)]).expect("a vocabulary");
        let schema = serde_json::json!({"items": {"type": "integer"}});
        let world = Rc::new(World::new(schema, SurfacePolicy::default(), vocabulary).expect("supported"));
        let start = SlowMatcher::new(world.clone(), Fault::CountsTokens);
        let outcome = masks_depend_on_bytes(&world, &start, b"[11", &mut Random::new(1));
        assert_eq!(outcome.expect_err("the fault is seen").law, "masks depend on bytes, not on tokenisation");
    }
}
