//! Random grammars, small and awkward: every kind of recursion, empty texts everywhere, rules that say nothing, counts.
//!
//! Each rule takes one of the named [`SHAPES`] or a random expression, and calls other rules at random; so a grammar is rarely
//! as simple as one shape. Most have a language that is not empty: the oracle says which.

use std::sync::Arc;

use maskwright::grammar::regex::{CharSet, Regex};
use maskwright::grammar::rules::{Builder, Expr, Grammar, TokenMember, TokenSet};
use maskwright::index::{ExprId, RuleId};

use super::Random;
use crate::earley::{Letter, Recogniser};

/// Most rules of a grammar.
pub const RULES_MAX: usize = 12;
/// The letters of all grammars; one has two to four of them.
pub const LETTERS: [char; 4] = ['a', 'b', 'c', 'd'];
/// Characters of two and of three bytes; those in the middle share their first byte or bytes.
pub const WIDE: [char; 4] = ['é', 'è', '€', '₫'];
/// The ids that token letters have: below this bound, and every vocabulary for grammars has so many.
pub const TOKEN_LETTERS: u32 = 19;

/// What a rule may look like. A grammar that has one says so in [`Made::shapes`].
pub const SHAPES: [Shape; 22] = [
    Shape::Random,
    Shape::Random,
    Shape::Random,
    Shape::Terminal,
    Shape::Left,
    Shape::IndirectLeft,
    Shape::HiddenLeft,
    Shape::Right,
    Shape::RightChain,
    Shape::Operators,
    Shape::Palindrome,
    Shape::Brackets,
    Shape::Doubled,
    Shape::Cycle,
    Shape::Nullable,
    Shape::NullableLoop,
    Shape::Counted,
    Shape::NestedCounts,
    Shape::Unproductive,
    Shape::Calls,
    Shape::Tokens,
    Shape::Text,
];

/// The shape of a rule `R`, where `x` and `y` are terminals and `N`, `M` rules at random.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Shape {
    /// Anything.
    Random,
    /// `x`
    Terminal,
    /// `R x | y`
    Left,
    /// `N x | y`, where `N` is the next rule or the rule before.
    IndirectLeft,
    /// `x? R y | z`, or with `N` in place of `x?`.
    HiddenLeft,
    /// `x R | y`
    Right,
    /// `x N | y N | ""`, where `N` is the next rule or `R` itself.
    RightChain,
    /// `R x R | y`
    Operators,
    /// `x R x | y R y | x | ""`
    Palindrome,
    /// `x R y R | ""`
    Brackets,
    /// `R R | x | ""`
    Doubled,
    /// `R | N | x`, where `N` is often a rule that calls `R`.
    Cycle,
    /// `x | ""`
    Nullable,
    /// `(x? N?)*`
    NullableLoop,
    /// `N{i,j}`
    Counted,
    /// `(N{i,j} x?){k,l}`
    NestedCounts,
    /// `x R`
    Unproductive,
    /// `N M`
    Calls,
    /// Token letters.
    Tokens,
    /// A regex of some size.
    Text,
}

/// A random grammar and what it is made of.
#[derive(Clone, Debug)]
pub struct Made {
    /// The grammar.
    pub grammar: Grammar,
    /// The shapes of its rules, in their order.
    pub shapes: Vec<Shape>,
    /// The characters that its texts are mostly made of.
    pub chars: Vec<char>,
}

/// A random grammar.
///
/// # Panics
/// Never: every rule is defined.
pub fn grammar(random: &mut Random) -> Made {
    let mut letters = LETTERS;
    random.shuffle(&mut letters);
    let mut chars = letters[..2 + random.below(3)].to_vec();
    if random.chance(1, 4) {
        chars.extend(&WIDE[..1 + random.below(WIDE.len())]);
    }
    let rules_max = *random.pick(&[4, RULES_MAX]);
    let count = 1 + random.below(rules_max);
    let mut builder = Builder::new();
    let rules: Vec<RuleId> = (0..count).map(|index| builder.rule(&format!("r{index}"), None)).collect();
    let mut maker = Maker { random, builder, rules, chars, has_tokens: false };
    maker.has_tokens = maker.random.chance(1, 3);
    let mut shapes = Vec::new();
    for rule in 0..count {
        let shape = match *maker.random.pick(&SHAPES) {
            Shape::Tokens if !maker.has_tokens => Shape::Terminal,
            // A start that calls nothing makes the other rules pointless.
            Shape::Terminal | Shape::Nullable | Shape::Text if rule == 0 && count > 1 => Shape::Random,
            // Too many of these, and nothing is left of the language.
            Shape::Unproductive if maker.random.chance(1, 2) => Shape::Right,
            shape => shape,
        };
        shapes.push(shape);
        let body = maker.body(rule, shape);
        maker.builder.define(maker.rules[rule], body, None).expect("each rule is defined once");
    }
    let grammar = maker.builder.finish(maker.rules[0]).expect("every rule is defined");
    Made { grammar, shapes, chars: maker.chars }
}

struct Maker<'r> {
    random: &'r mut Random,
    builder: Builder,
    rules: Vec<RuleId>,
    chars: Vec<char>,
    has_tokens: bool,
}

impl Maker<'_> {
    fn body(&mut self, rule: usize, shape: Shape) -> ExprId {
        let this = |maker: &mut Self| maker.builder.call(maker.rules[rule]);
        match shape {
            Shape::Random => self.expr(3),
            Shape::Terminal => self.terminal(),
            Shape::Text => {
                let regex = self.regex(3);
                self.builder.regex(regex)
            }
            Shape::Tokens => self.tokens(),
            Shape::Calls => {
                let parts = [self.call(), self.call()];
                self.builder.sequence(parts)
            }
            Shape::Unproductive => {
                let parts = [self.terminal(), this(self)];
                self.builder.sequence(parts)
            }
            Shape::Nullable => {
                let body = self.terminal();
                self.builder.optional(body)
            }
            Shape::NullableLoop => {
                let parts = [self.terminal(), self.call()];
                let parts = parts.map(|part| self.builder.optional(part));
                let body = self.builder.sequence(parts);
                self.builder.repeat(body, 0, None)
            }
            Shape::Counted => {
                let body = self.call();
                self.counted(body)
            }
            Shape::NestedCounts => {
                let inner = self.call();
                let inner = self.counted(inner);
                let other = self.terminal();
                let other = self.builder.optional(other);
                let body = self.builder.sequence([inner, other]);
                self.counted(body)
            }
            recursive => self.recursive(rule, recursive),
        }
    }

    fn recursive(&mut self, rule: usize, shape: Shape) -> ExprId {
        let (x, y, empty) = (self.terminal(), self.terminal(), self.builder.regex(Regex::Empty));
        let this = self.builder.call(self.rules[rule]);
        let beside = self.beside(rule);
        let mut sequence = |parts: &[ExprId]| self.builder.sequence(parts.iter().copied());
        let ways = match shape {
            Shape::Left => vec![sequence(&[this, x]), y],
            Shape::IndirectLeft => vec![sequence(&[beside, x]), y],
            Shape::Right => vec![sequence(&[x, this]), y],
            Shape::RightChain => vec![sequence(&[x, beside]), sequence(&[y, beside]), empty],
            Shape::Operators => vec![sequence(&[this, x, this]), y],
            Shape::Palindrome => vec![sequence(&[x, this, x]), sequence(&[y, this, y]), x, empty],
            Shape::Brackets => vec![sequence(&[x, this, y, this]), empty],
            Shape::Doubled => vec![sequence(&[this, this]), x, empty],
            Shape::Cycle => vec![this, beside, x],
            _ => {
                let hidden = if self.random.chance(1, 2) { self.builder.optional(x) } else { self.call() };
                let last = self.terminal();
                vec![self.builder.sequence([hidden, this, y]), last]
            }
        };
        self.builder.choice(ways)
    }

    /// A call of a rule next to this one, or of this one.
    fn beside(&mut self, rule: usize) -> ExprId {
        let nearby = (rule + self.random.below(3) + self.rules.len()).saturating_sub(1) % self.rules.len();
        self.builder.call(self.rules[nearby])
    }

    fn call(&mut self) -> ExprId {
        let rule = *self.random.pick(&self.rules);
        self.builder.call(rule)
    }

    fn counted(&mut self, body: ExprId) -> ExprId {
        let min = *self.random.pick(&[0, 0, 1, 1, 2, 3]);
        let max = min + *self.random.pick(&[0, 1, 1, 2, 3]);
        let max = if self.random.chance(1, 4) { None } else { Some(max.max(1)) };
        self.builder.repeat(body, min, max)
    }

    fn expr(&mut self, depth: usize) -> ExprId {
        match self.random.below(if depth == 0 { 4 } else { 10 }) {
            0 | 1 => self.terminal(),
            2 | 3 => self.call(),
            4..=6 => {
                let parts: Vec<ExprId> =
                    (0..2 + self.random.below(2)).map(|_| self.expr(depth - 1)).collect();
                self.builder.sequence(parts)
            }
            7 | 8 => {
                let mut parts: Vec<ExprId> =
                    (0..1 + self.random.below(3)).map(|_| self.expr(depth - 1)).collect();
                parts.push(self.terminal());
                self.builder.choice(parts)
            }
            _ => {
                let body = self.expr(depth - 1);
                self.counted(body)
            }
        }
    }

    /// Short, and now and then a set, a whole regex, a token letter, the empty text or nothing.
    fn terminal(&mut self) -> ExprId {
        if self.has_tokens && self.random.chance(1, 6) {
            return self.tokens();
        }
        let regex = match self.random.below(24) {
            0 => Regex::Empty,
            1 if self.random.chance(1, 3) => Regex::Nothing,
            2..=4 => self.regex(2),
            _ => self.regex(0),
        };
        self.builder.regex(regex)
    }

    fn regex(&mut self, depth: usize) -> Regex {
        match self.random.below(if depth == 0 { 8 } else { 14 }) {
            0..=4 => Regex::literal(&self.random.pick(&self.chars).to_string()),
            5 | 6 => {
                let text: String =
                    (0..1 + self.random.below(3)).map(|_| *self.random.pick(&self.chars)).collect();
                Regex::literal(&text)
            }
            7 => self.set(),
            8 | 9 => Regex::concat([self.regex(depth - 1), self.regex(depth - 1)]),
            10 | 11 => Regex::or([self.regex(depth - 1), self.regex(depth - 1)]),
            _ => {
                let min = self.random.below(3);
                let max = min + self.random.below(3);
                let [min, max] = [min, max].map(maskwright::index::narrow);
                let body = Arc::new(self.regex(depth - 1));
                Regex::Repeat { body, min, max: if self.random.chance(1, 2) { None } else { Some(max) } }
            }
        }
    }

    fn set(&mut self) -> Regex {
        let some: String = (0..1 + self.random.below(3)).map(|_| *self.random.pick(&self.chars)).collect();
        Regex::set(match self.random.below(6) {
            0 => CharSet::of(&some).complement(),
            1 => CharSet::range('a', 'c'),
            2 => CharSet::range('è', '€'),
            3 => CharSet::any(),
            _ => CharSet::of(&some),
        })
    }

    fn tokens(&mut self) -> ExprId {
        let bound = usize::try_from(TOKEN_LETTERS).expect("a small number");
        let mut member = || {
            let low = maskwright::index::narrow(self.random.below(bound));
            let high = low + maskwright::index::narrow(self.random.below(3));
            TokenMember::Ids(low, high.min(TOKEN_LETTERS - 1))
        };
        let members = vec![member(), member()];
        let negated = self.random.chance(1, 6);
        self.builder.token(TokenSet { members, negated })
    }
}

/// The beginning of a text of the language, of at most `len` bytes: it ends early now and then where a text is whole, and
/// sooner or later runs towards an end. Ends too where only a token letter may follow.
///
/// # Panics
/// If the language is empty.
pub fn beginning(recogniser: &Recogniser, random: &mut Random, len: usize) -> Vec<u8> {
    let mut state = recogniser.start();
    let mut text = Vec::new();
    let turn = random.below(len + 1);
    while text.len() < len {
        if recogniser.accepts(&state) && random.chance(1, 8) {
            break;
        }
        let byte = if text.len() < turn {
            let bytes = recogniser.next_bytes(&state);
            if bytes.is_empty() {
                break;
            }
            // Letters are few and the other bytes of a set many.
            let plain: Vec<u8> = bytes.iter().copied().filter(u8::is_ascii_lowercase).collect();
            let any = plain.is_empty() || random.chance(1, 8);
            *random.pick(if any { &bytes } else { &plain })
        } else if let Some(Letter::Byte(byte)) = recogniser.completion(&state).first() {
            *byte
        } else {
            break;
        };
        state = recogniser.advance(&state, &Letter::Byte(byte)).expect("the byte may follow");
        text.push(byte);
    }
    text
}

/// The text with one to three small changes.
pub fn mutated(text: &[u8], chars: &[char], random: &mut Random) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..1 + random.below(3) {
        let at = random.below(text.len() + 1);
        let spelled = random.pick(chars).to_string().into_bytes();
        match random.below(5) {
            0 => text.truncate(at),
            1 if at < text.len() => {
                text.remove(at);
            }
            2 if at < text.len() => text[at] = *random.pick(&spelled),
            3 => {
                let end = at + random.below(text.len() - at + 1);
                let part = text[at..end].to_vec();
                text.splice(end..end, part);
            }
            _ => {
                text.splice(at..at, spelled);
            }
        }
    }
    text
}

/// Whether a grammar names tokens as letters.
#[must_use]
pub fn has_token_letters(grammar: &Grammar) -> bool {
    grammar.exprs.iter().any(|expr| matches!(expr, Expr::Token(_)))
}

/// A grammar for readers: its rules one a line, regexes as they are.
#[must_use]
pub fn shown(grammar: &Grammar) -> String {
    let mut exprs: Vec<String> = Vec::new();
    for expr in &grammar.exprs {
        let child = |id: &ExprId| exprs[id.index()].clone();
        let shown = match expr {
            Expr::Text(regex) => shown_regex(regex),
            Expr::Token(set) => format!("<{}{:?}>", if set.negated { "^" } else { "" }, set.members),
            Expr::Rule(rule) => grammar.rule(*rule).name.to_string(),
            Expr::Schema(index) => format!("%schema {index}"),
            Expr::Sequence(parts) => {
                format!("({})", parts.iter().map(child).collect::<Vec<_>>().join(" "))
            }
            Expr::Choice(parts) => {
                format!("({})", parts.iter().map(child).collect::<Vec<_>>().join(" | "))
            }
            Expr::Repeat { body, min, max } => format!("{}{}", child(body), shown_count(*min, *max)),
            Expr::Within { body, regex } => format!("({} & {})", child(body), shown_regex(regex)),
            Expr::NonEmpty(body) => format!("nonempty({})", child(body)),
        };
        exprs.push(shown);
    }
    let start = std::iter::once(format!("start {}", grammar.rule(grammar.start).name));
    let rules = grammar.rules.iter().map(|rule| format!("{} ::= {}", rule.name, exprs[rule.body.index()]));
    start.chain(rules).collect::<Vec<_>>().join("\n")
}

fn shown_count(min: u32, max: Option<u32>) -> String {
    max.map_or(format!("{{{min},}}"), |max| format!("{{{min},{max}}}"))
}

fn shown_regex(regex: &Regex) -> String {
    let all = |parts: &[Regex], between: &str| {
        format!("({})", parts.iter().map(shown_regex).collect::<Vec<_>>().join(between))
    };
    match regex {
        Regex::Nothing => "nothing".to_owned(),
        Regex::Empty => "\"\"".to_owned(),
        Regex::Set(set) if set.len() == 1 => {
            char::from_u32(set.ranges()[0].0).map_or(String::new(), |c| format!("\"{c}\""))
        }
        Regex::Set(set) => format!("[{:x?}]", set.ranges()),
        Regex::Concat(parts) => all(parts, " "),
        Regex::Or(parts) => all(parts, " | "),
        Regex::Literals(texts) => {
            format!("({})", texts.iter().map(|text| format!("{text:?}")).collect::<Vec<_>>().join(" | "))
        }
        Regex::Repeat { body, min, max } => format!("{}{}", shown_regex(body), shown_count(*min, *max)),
        other => format!("{other:?}"),
    }
}
