//! What may follow a position up to the end of the text, and how a piece puts itself in front of it.
//!
//! A [`Rest`] is one language for each situation on the left: at the start of the text, behind a character of the *watched*
//! set (one for a pattern; mostly the word characters), elsewhere. Most rests are the same in all three, and are kept once.

use std::sync::Arc;

use crate::grammar::regex::{CharSet, Regex};

/// The texts that may follow a position up to the end of the text, by what stands before the position.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Rest {
    /// Behind a character that is not watched; wherever the others don't say otherwise.
    pub(super) elsewhere: Regex,
    /// At the start of the text; `None`: as elsewhere.
    pub(super) at_start: Option<Regex>,
    /// Behind a watched character; `None`: as elsewhere.
    pub(super) after_watched: Option<Regex>,
}

impl Rest {
    pub(super) fn any() -> Self {
        Self::uniform(Regex::any_text())
    }

    pub(super) fn uniform(regex: Regex) -> Self {
        Self { elsewhere: regex, at_start: None, after_watched: None }
    }

    pub(super) fn only_at_start(self) -> Self {
        let here = self.at_start.unwrap_or(self.elsewhere);
        Self { elsewhere: Regex::Nothing, at_start: Some(here), after_watched: None }
    }

    /// Only the empty text, where that is in the rest.
    pub(super) fn only_at_end(self) -> Self {
        self.map(|regex| if regex.accepts_empty() { Regex::Empty } else { Regex::Nothing })
    }

    pub(super) fn map(self, change: impl Fn(Regex) -> Regex) -> Self {
        Self {
            elsewhere: change(self.elsewhere),
            at_start: self.at_start.map(&change),
            after_watched: self.after_watched.map(&change),
        }
    }

    /// Combines two rests situation by situation.
    fn combine(self, other: Self, with: impl Fn(Regex, Regex) -> Regex) -> Self {
        let situation = |mine: Option<Regex>, theirs: Option<Regex>| match (mine, theirs) {
            (None, None) => None,
            (mine, theirs) => Some(with(
                mine.unwrap_or_else(|| self.elsewhere.clone()),
                theirs.unwrap_or_else(|| other.elsewhere.clone()),
            )),
        };
        let at_start = situation(self.at_start, other.at_start);
        let after_watched = situation(self.after_watched, other.after_watched);
        Self { elsewhere: with(self.elsewhere, other.elsewhere), at_start, after_watched }
    }

    pub(super) fn or(self, other: Self) -> Self {
        self.combine(other, |a, b| Regex::or([a, b]))
    }

    pub(super) fn and(self, other: Self) -> Self {
        self.combine(other, |a, b| Regex::and([a, b]))
    }

    /// The rest in front of a piece without assertions that this rest follows.
    pub(super) fn behind(self, piece: &Regex, watched: &CharSet) -> Self {
        let nullable = piece.accepts_empty();
        let Some(after_watched) = self.after_watched else {
            let elsewhere = join(piece.clone(), self.elsewhere.clone());
            let at_start = match self.at_start {
                Some(here) if nullable => {
                    Some(Regex::or([here, join(non_empty(piece.clone()), self.elsewhere)]))
                }
                _ => None,
            };
            return Self { elsewhere, at_start, after_watched: None };
        };
        let consumed = Regex::or([
            join(ending(piece, watched), after_watched.clone()),
            join(ending(piece, &watched.complement()), self.elsewhere.clone()),
        ]);
        if !nullable {
            return Self::uniform(consumed);
        }
        let here = |regex: Regex| Regex::or([regex, consumed.clone()]);
        Self {
            at_start: Some(here(self.at_start.unwrap_or_else(|| self.elsewhere.clone()))),
            after_watched: Some(here(after_watched)),
            elsewhere: here(self.elsewhere),
        }
    }

    /// The whole text, when any text may stand in front.
    pub(super) fn behind_any_text(self, watched: &CharSet) -> Regex {
        let any = Regex::any_text();
        if let Some(after_watched) = self.after_watched {
            let at_start = self.at_start.unwrap_or_else(|| self.elsewhere.clone());
            let behind = |set: CharSet, rest| Regex::concat([Regex::any_text(), Regex::set(set), rest]);
            return Regex::or([
                at_start,
                behind(watched.clone(), after_watched),
                behind(watched.complement(), self.elsewhere),
            ]);
        }
        let Some(at_start) = self.at_start else {
            return join_any(self.elsewhere);
        };
        // What is allowed everywhere is allowed at the start too, most often.
        let mut parts = alternatives(at_start);
        let everywhere = alternatives(self.elsewhere);
        if everywhere.iter().all(|part| parts.contains(part)) {
            parts.retain(|part| !everywhere.contains(part));
            parts.push(join_any(Regex::or(everywhere)));
        } else {
            parts.push(Regex::concat([Regex::set(CharSet::any()), any, Regex::or(everywhere)]));
        }
        Regex::or(parts)
    }
}

fn alternatives(regex: Regex) -> Vec<Regex> {
    match regex {
        Regex::Or(parts) => parts.to_vec(),
        Regex::Nothing => Vec::new(),
        other => vec![other],
    }
}

/// The texts of the language that end with a character of the set.
fn ending(regex: &Regex, set: &CharSet) -> Regex {
    match regex {
        Regex::Set(own) => Regex::set(own.intersection(set)),
        other => {
            let ends = Regex::any_text().then(Regex::set(set.clone()));
            Regex::and([other.clone(), ends])
        }
    }
}

/// The language without the empty text.
pub(super) fn non_empty(regex: Regex) -> Regex {
    if !regex.accepts_empty() {
        return regex;
    }
    match regex {
        Regex::Empty => Regex::Nothing,
        Regex::Repeat { body, max, .. } if !body.accepts_empty() => Arc::unwrap_or_clone(body).repeat(1, max),
        other => Regex::and([other, Regex::set(CharSet::any()).plus()]),
    }
}

/// `first·second`; what "any text" in `second` swallows is left out of `first`.
pub(super) fn join(first: Regex, second: Regex) -> Regex {
    if !second.is_any_text() {
        return first.then(second);
    }
    let mut parts = match first {
        Regex::Concat(parts) => parts.to_vec(),
        other => vec![other],
    };
    while let Some(last) = parts.pop() {
        if let Some(kept) = swallowed(last) {
            parts.push(kept);
            break;
        }
    }
    parts.push(second);
    Regex::concat(parts)
}

/// `any text·regex`; what "any text" swallows is left out.
pub(super) fn join_any(regex: Regex) -> Regex {
    let mut parts = match regex {
        Regex::Concat(parts) => parts.to_vec(),
        other => vec![other],
    };
    parts.reverse();
    while let Some(first) = parts.pop() {
        if let Some(kept) = swallowed(first) {
            parts.push(kept);
            break;
        }
    }
    parts.push(Regex::any_text());
    parts.reverse();
    Regex::concat(parts)
}

/// What is left of a regex beside "any text": of what may be empty nothing, of a repeat the least count.
fn swallowed(regex: Regex) -> Option<Regex> {
    match regex {
        regex if regex.accepts_empty() => None,
        Regex::Repeat { body, min, .. } => Some(Arc::unwrap_or_clone(body).times(min)),
        other => Some(other),
    }
}
