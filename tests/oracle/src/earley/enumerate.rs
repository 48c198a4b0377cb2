//! The texts of a grammar up to a length, as a least fixpoint of sets of texts: what the recogniser is compared with.

use std::collections::BTreeSet;

use maskwright::grammar::regex::{CharSet, Regex};
use maskwright::grammar::rules::{Expr, Grammar, TokenMember, TokenSet};

use super::Letter;

/// A text, letter by letter.
pub(super) type Text = Vec<Letter>;
/// Some texts.
pub(super) type Texts = BTreeSet<Text>;

/// Says which texts there are: of at most `len` letters, of these characters and token ids.
pub(super) struct Limits<'l> {
    pub(super) len: usize,
    pub(super) chars: &'l [char],
    pub(super) tokens: &'l [u32],
}

/// The texts of the language within the limits.
///
/// No text of the language is shorter than its parts, so longer parts are never needed.
pub(super) fn texts(grammar: &Grammar, limits: &Limits) -> Texts {
    let of_text = |expr: &Expr| match expr {
        Expr::Text(regex) => of_regex(regex, limits),
        _ => Texts::new(),
    };
    let fixed: Vec<Texts> = grammar.exprs.iter().map(of_text).collect();
    let mut rules = vec![Texts::new(); grammar.rules.len()];
    loop {
        let mut exprs: Vec<Texts> = Vec::new();
        for (expr, fixed) in grammar.exprs.iter().zip(&fixed) {
            exprs.push(if let Expr::Text(_) = expr {
                fixed.clone()
            } else {
                of_expr(expr, &exprs, &rules, limits)
            });
        }
        let next: Vec<Texts> = grammar.rules.iter().map(|rule| exprs[rule.body.index()].clone()).collect();
        if next == rules {
            return rules[grammar.start.index()].clone();
        }
        rules = next;
    }
}

fn of_expr(expr: &Expr, exprs: &[Texts], rules: &[Texts], limits: &Limits) -> Texts {
    match expr {
        Expr::Text(_) => panic!("the texts of a regex are listed once"),
        Expr::Token(set) => {
            let ids = limits.tokens.iter().filter(|&&id| has(set, id));
            ids.map(|&id| vec![Letter::Token(id)]).collect()
        }
        Expr::Rule(rule) => rules[rule.index()].clone(),
        Expr::Schema(_) => panic!("no texts are listed for schemas"),
        Expr::Within { .. } => panic!("no texts are listed for restrictions"),
        Expr::NonEmpty(body) => exprs[body.index()].iter().filter(|text| !text.is_empty()).cloned().collect(),
        Expr::Sequence(parts) => {
            parts.iter().fold(empty(), |before, part| joined(&before, &exprs[part.index()], limits))
        }
        Expr::Choice(parts) => parts.iter().flat_map(|part| exprs[part.index()].clone()).collect(),
        Expr::Repeat { body, min, max } => repeated(&exprs[body.index()], *min, *max, limits),
    }
}

fn has(set: &TokenSet, id: u32) -> bool {
    let is_listed = |member: &TokenMember| match member {
        TokenMember::Ids(low, high) => *low <= id && id <= *high,
        TokenMember::Name(_) => panic!("no texts are listed for names of tokens"),
    };
    set.members.iter().any(is_listed) ^ set.negated
}

fn of_regex(regex: &Regex, limits: &Limits) -> Texts {
    match regex {
        Regex::Nothing => Texts::new(),
        Regex::Empty => empty(),
        Regex::Set(set) => of_set(set, limits),
        Regex::Literals(texts) => {
            let spelled = texts.iter().map(|text| spelled(text));
            spelled.filter(|text| text.len() <= limits.len).collect()
        }
        Regex::Concat(parts) => {
            parts.iter().fold(empty(), |before, part| joined(&before, &of_regex(part, limits), limits))
        }
        Regex::Or(parts) => parts.iter().flat_map(|part| of_regex(part, limits)).collect(),
        Regex::Repeat { body, min, max } => repeated(&of_regex(body, limits), *min, *max, limits),
        other => panic!("no texts are listed for {other:?}"),
    }
}

fn of_set(set: &CharSet, limits: &Limits) -> Texts {
    let members = limits.chars.iter().filter(|&&c| set.contains(c));
    members.map(|c| spelled(&c.to_string())).filter(|text| text.len() <= limits.len).collect()
}

fn spelled(text: &str) -> Text {
    text.bytes().map(Letter::Byte).collect()
}

fn empty() -> Texts {
    Texts::from([vec![]])
}

fn joined(before: &Texts, after: &Texts, limits: &Limits) -> Texts {
    let mut all = Texts::new();
    for first in before {
        let fitting = after.iter().filter(|second| first.len() + second.len() <= limits.len);
        all.extend(fitting.map(|second| [&first[..], second].concat()));
    }
    all
}

/// Once more and once more, until nothing new comes.
fn repeated(body: &Texts, min: u32, max: Option<u32>, limits: &Limits) -> Texts {
    if max.is_some_and(|max| max < min) {
        return Texts::new();
    }
    let mut times = empty();
    for _ in 0..min {
        times = joined(&times, body, limits);
    }
    let mut all = times.clone();
    let mut more = max.map(|max| max - min);
    while more != Some(0) {
        times = joined(&times, body, limits);
        let before = all.len();
        all.extend(times.iter().cloned());
        if all.len() == before {
            break;
        }
        more = more.map(|more| more - 1);
    }
    all
}
