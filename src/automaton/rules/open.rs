//! Tokens of a grammar behind which its text must go on.
//!
//! An engine takes a stop token for the end, wherever it stands. So a stop token may be a letter of a grammar only where the text is
//! complete behind it; elsewhere a mask would allow it, and whoever follows that has half a text.
//!
//! It is asked of the place, not of the text: in `x <stop> s | x <stop>` the first place has more behind it, though the text is complete
//! there by the second alternative. (Of texts it can't be decided.)
//!
//! Each expression is looked at in at most two situations: what follows it may be empty, or in some place it may not.

use crate::automaton::decode::Coding;
use crate::grammar::passes::Normal;
use crate::grammar::rules::Expr;
use crate::index::{ExprId, RuleId};

/// Sets of tokens behind which more must come in some place, and the rules that they stand in.
pub(super) fn open_letters(normal: &Normal, coding: Coding) -> Vec<(RuleId, ExprId)> {
    let grammar = &normal.grammar;
    if !grammar.exprs.iter().any(|expr| matches!(expr, Expr::Token(_))) {
        return Vec::new();
    }
    let empty = empty(normal);
    let mut seen = vec![[false; 2]; grammar.exprs.len()];
    let mut found = Vec::new();
    // A closing quote follows the text of a JSON string.
    let start = grammar.rule(grammar.start).body;
    let mut pending = vec![(grammar.start, start, coding == Coding::Json)];
    while let Some((rule, at, more)) = pending.pop() {
        if std::mem::replace(&mut seen[at.index()][usize::from(more)], true) {
            continue;
        }
        match grammar.expr(at) {
            Expr::Token(_) if more => found.push((rule, at)),
            Expr::Token(_) | Expr::Text(_) | Expr::Schema(_) | Expr::Repeat { max: Some(0), .. } => {}
            Expr::Rule(called) => pending.push((*called, grammar.rule(*called).body, more)),
            Expr::Choice(parts) => pending.extend(parts.iter().map(|part| (rule, *part, more))),
            Expr::Within { body, .. } | Expr::NonEmpty(body) => pending.push((rule, *body, more)),
            Expr::Repeat { body, min, .. } => {
                if *min < 2 || empty[body.index()] {
                    pending.push((rule, *body, more));
                } else {
                    pending.extend([(rule, *body, true), (rule, *body, more)]);
                }
            }
            Expr::Sequence(parts) => {
                let mut more = more;
                for part in parts.iter().rev() {
                    pending.push((rule, *part, more));
                    more |= !empty[part.index()];
                }
            }
        }
    }
    found.sort_unstable();
    found
}

/// By expression, whether it matches the empty text; children come before parents.
fn empty(normal: &Normal) -> Vec<bool> {
    let mut empty: Vec<bool> = Vec::with_capacity(normal.grammar.exprs.len());
    for expr in &normal.grammar.exprs {
        let is = |part: &ExprId| empty[part.index()];
        let is_empty = match expr {
            Expr::Text(regex) => regex.accepts_empty(),
            Expr::Token(_) | Expr::Schema(_) | Expr::NonEmpty(_) => false,
            Expr::Rule(rule) => normal.nullable[rule.index()],
            Expr::Sequence(parts) => parts.iter().all(is),
            Expr::Choice(parts) => parts.iter().any(is),
            Expr::Within { body, regex } => regex.accepts_empty() && is(body),
            Expr::Repeat { body, min, .. } => *min == 0 || is(body),
        };
        empty.push(is_empty);
    }
    empty
}

#[cfg(test)]
mod tests {
    use super::open_letters;
    use crate::automaton::decode::Coding;
    use crate::grammar::passes::normalize;
    use crate::grammar::rules::{Expr, Grammar};

    /// Whether more must come behind the token 1, which is all that a grammar has of tokens.
    fn is_open(text: &str, coding: Coding) -> bool {
        let grammar = Grammar::from_text_form(text, &[]).unwrap();
        let possible: Vec<bool> =
            grammar.exprs.iter().map(|expr| matches!(expr, Expr::Text(_) | Expr::Token(_))).collect();
        !open_letters(&normalize(&grammar, &possible).unwrap(), coding).is_empty()
    }

    #[test]
    fn more_behind_a_token_is_found_wherever_it_stands() {
        let closed: &[&str] = &[
            r#"s ::= "a" <1>"#,
            r#"s ::= <1> "b"? c  c ::= () | "d" c"#,
            r#"s ::= "a" t  t ::= <1> | "b""#,
            r#"s ::= ("a" | <1>){0,1}"#,
            r#"s ::= <1>* "b"*"#,
            r#"s ::= s "b" | s "c" | "a" <1>?"#,
            r#"s ::= "a" (<1> "b"){0,0} "c"? <1>"#,
        ];
        let open: &[&str] = &[
            r#"s ::= <1> "b""#,
            r#"s ::= t "b"  t ::= "a" u  u ::= "c" <1>?"#,
            r#"s ::= ("a" | <1>){2}"#,
            r#"s ::= t | t "b" "c"  t ::= <1>"#,
            r#"s ::= t t  t ::= <1>"#,
            r#"s ::= s "b" | <1> "c""#,
            r#"s ::= <1>{2,}"#,
            r#"s ::= "(" s ")" | <1>"#,
            r#"s ::= "a" <1> s | "a" <1>"#,
        ];
        for (texts, expected) in [(closed, false), (open, true)] {
            for text in texts {
                let text = text.replace("  ", "\n");
                assert_eq!(is_open(&text, Coding::Raw), expected, "{text}");
                assert!(is_open(&text, Coding::Json), "a quote follows");
            }
        }
    }
}
