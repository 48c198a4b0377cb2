//! Which terminals surely may stand where a part stands: whichever parse is there, another with the same lexemes so far
//! accepts them in the same place.
//!
//! That is the greatest solution of a few equations. In front of an alternative, the others may start as well. In front of
//! a part of a sequence, what may stand behind that part if it may be empty; behind a repetition without a bound,
//! another round. In front of a rule's body, what may stand in front of *every* call. What is not found out counts as not sure.

use super::bits::Bits;
use super::places::{Places, Steps};
use super::{Lexing, Part};
use crate::error::CompileError;
use crate::index::PartId;

/// What may surely stand in front of a part, besides what the part itself starts with.
#[derive(Clone)]
struct Front {
    /// There, and in front of every later round if the part is a repetition and an earlier round has ended.
    always: Bits,
    /// There.
    once: Bits,
}

/// By part: the symbols that surely may stand there.
///
/// # Errors
/// If it takes too many steps.
pub(crate) fn find(lexing: &Lexing, places: &Places) -> Result<Vec<Bits>, CompileError> {
    let (parts, symbols) = (lexing.parts.len(), places.symbols);
    let mut fronts = vec![Front { always: Bits::full(symbols), once: Bits::full(symbols) }; parts];
    let start = lexing.rules[Lexing::START.index()].body.index();
    narrow(&mut fronts[start], &Front { always: Bits::empty(symbols), once: Bits::empty(symbols) });
    let mut behind = vec![Bits::full(symbols); parts];
    behind[start] = Bits::empty(symbols);
    let mut steps = Steps(0);
    steps.until_settled(parts, |turned| {
        let at = parts - 1 - turned;
        places.live[at] && tell_what_follows(lexing, places, &mut behind, at)
    })?;
    steps.until_settled(parts, |turned| {
        let at = parts - 1 - turned;
        places.live[at] && tell_children(lexing, places, (&mut fronts, &behind), at)
    })?;
    let mut found: Vec<Bits> = Vec::with_capacity(parts);
    for (at, front) in fronts.into_iter().enumerate() {
        let mut surely = front.always;
        surely.add(&front.once);
        surely.add(&places.first[at]);
        found.push(if places.live[at] { surely } else { Bits::empty(symbols) });
    }
    Ok(found)
}

/// Keeps what is sure there too; says whether less is sure now.
fn narrow(front: &mut Front, to: &Front) -> bool {
    let always = front.always.keep(&to.always);
    let once = front.once.keep(&to.once);
    always || once
}

/// Hands on what is sure in front of a part to the parts that it is made of.
fn tell_children(
    lexing: &Lexing,
    places: &Places,
    (fronts, behind): (&mut [Front], &[Bits]),
    at: usize,
) -> bool {
    let mut front = fronts[at].clone();
    let mut news = false;
    match &lexing.parts[at] {
        Part::Terminal(_) | Part::Schema(_) | Part::Token(_) => {}
        Part::Rule(rule) => {
            front.once.add(&places.first[at]);
            news |= narrow(&mut fronts[lexing.rules[rule.index()].body.index()], &front);
        }
        Part::Choice(children) => {
            front.once.add(&places.first[at]);
            for child in children.iter().filter(|child| places.live[child.index()]) {
                news |= narrow(&mut fronts[child.index()], &front);
            }
        }
        Part::Repeat { body, min: 0 | 1, max: None } => {
            front.always.add(&places.first[at]);
            front.once = Bits::empty(places.symbols);
            news |= narrow(&mut fronts[body.index()], &front);
        }
        Part::Repeat { body, max: Some(1), .. } => {
            front.once.add(&places.first[at]);
            news |= narrow(&mut fronts[body.index()], &front);
        }
        Part::Repeat { body, .. } => {
            let nothing = Bits::empty(places.symbols);
            news |= narrow(&mut fronts[body.index()], &Front { always: nothing.clone(), once: nothing });
        }
        Part::Sequence(children) => {
            for (number, here) in in_sequence(lexing, places, behind, children, &front) {
                news |= narrow(&mut fronts[children[number].index()], &here);
            }
        }
    }
    news
}

/// What is sure in front of each part of a sequence.
fn in_sequence(
    lexing: &Lexing,
    places: &Places,
    behind: &[Bits],
    children: &[PartId],
    front: &Front,
) -> Vec<(usize, Front)> {
    let mut told = Vec::with_capacity(children.len());
    for (number, child) in children.iter().enumerate() {
        let mut here = Front { always: Bits::empty(places.symbols), once: Bits::empty(places.symbols) };
        if places.nullable[child.index()] {
            here.always = behind[child.index()].clone();
        }
        match number.checked_sub(1).map(|before| children[before]) {
            None => {
                here.once.add(&front.always);
                here.once.add(&front.once);
            }
            Some(before) if matches!(lexing.part(before), Part::Repeat { max: None, .. }) => {
                here.once.add(&places.first[before.index()]);
            }
            Some(_) => {}
        }
        told.push((number, here));
    }
    told
}

/// Hands on what surely may stand behind a part to the parts that it is made of; says whether less is sure now.
fn tell_what_follows(lexing: &Lexing, places: &Places, behind: &mut [Bits], at: usize) -> bool {
    let mut after = behind[at].clone();
    match &lexing.parts[at] {
        Part::Terminal(_) | Part::Schema(_) | Part::Token(_) => false,
        Part::Rule(rule) => behind[lexing.rules[rule.index()].body.index()].keep(&after),
        Part::Choice(children) => {
            let mut news = false;
            for child in children.iter().filter(|child| places.live[child.index()]) {
                news |= behind[child.index()].keep(&after);
            }
            news
        }
        Part::Sequence(children) => {
            let mut news = false;
            for child in children.iter().rev() {
                news |= behind[child.index()].keep(&after);
                // What stands behind this part may follow the one before it if this one is empty.
                if !places.nullable[child.index()] {
                    after = Bits::empty(places.symbols);
                }
                after.add(&places.first[child.index()]);
            }
            news
        }
        Part::Repeat { body, min, max } => {
            if *min > 1 {
                after = Bits::empty(places.symbols);
            }
            if max.is_none() {
                after.add(&places.first[body.index()]);
            }
            behind[body.index()].keep(&after)
        }
    }
}
