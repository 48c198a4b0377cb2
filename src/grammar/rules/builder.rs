//! Makes grammars: declares rules by name, puts expressions together, checks that every name is defined once.

use rustc_hash::FxHashMap;

use crate::error::{CompileError, CompileErrorKind, Place, Position};
use crate::grammar::nearest::nearest;
use crate::grammar::program::SchemaProgram;
use crate::grammar::regex::{CharSet, Regex};
use crate::grammar::rules::regular::{self, Difference};
use crate::grammar::rules::within::{self, Within};
use crate::grammar::rules::{Expr, Grammar, Rule, TokenSet};
use crate::index::{ExprId, RuleId, narrow};
use crate::limits;

/// Makes one grammar.
///
/// ```
/// use maskwright::grammar::rules::Builder;
///
/// let mut builder = Builder::new();
/// let list = builder.rule("list", None);
/// let item = builder.text("x");
/// let inner = builder.call(list);
/// let open = builder.text("(");
/// let close = builder.text(")");
/// let nested = builder.sequence([open, inner, close]);
/// let body = builder.choice([item, nested]);
/// builder.define(list, body, None)?;
/// let grammar = builder.finish(list)?;
/// assert_eq!(grammar.rules.len(), 1);
/// # Ok::<(), maskwright::error::CompileError>(())
/// ```
#[derive(Default, Debug)]
pub struct Builder {
    rules: Vec<Declared>,
    by_name: FxHashMap<Box<str>, RuleId>,
    exprs: Vec<Expr>,
    schemas: Vec<SchemaProgram>,
    /// In the order of their places in the arena.
    differences: Vec<Difference>,
    withins: Vec<Within>,
}

#[derive(Debug)]
struct Declared {
    name: Box<str>,
    /// Where the source uses it first.
    used: Option<Position>,
    defined: Option<Position>,
    body: Option<ExprId>,
}

impl Builder {
    /// Without rules.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The rule of this name, declared if it is new. `used` is where the text names it.
    pub fn rule(&mut self, name: &str, used: Option<Position>) -> RuleId {
        if let Some(&known) = self.by_name.get(name) {
            return known;
        }
        let id = RuleId::new(self.rules.len());
        self.rules.push(Declared { name: name.into(), used, defined: None, body: None });
        self.by_name.insert(name.into(), id);
        id
    }

    /// The rule of this name, if it has been declared.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<RuleId> {
        self.by_name.get(name).copied()
    }

    /// The defined rule whose name is nearest to one that is not defined: for messages.
    #[must_use]
    pub fn nearest(&self, name: &str) -> Option<&str> {
        nearest(name, self.rules.iter().filter(|rule| rule.body.is_some()).map(|rule| &*rule.name))
    }

    /// A rule of a name that no source can use: what stands before the name is kept for readers.
    pub fn fresh(&mut self, stem: &str) -> RuleId {
        let mut count = self.rules.len();
        loop {
            let name = format!("{stem}#{count}");
            if !self.by_name.contains_key(name.as_str()) {
                return self.rule(&name, None);
            }
            count += 1;
        }
    }

    /// Whether a rule has been defined.
    #[must_use]
    pub fn is_defined(&self, rule: RuleId) -> bool {
        self.rules[rule.index()].body.is_some()
    }

    /// Says what a rule matches.
    ///
    /// # Errors
    /// If it has been said before.
    pub fn define(
        &mut self,
        rule: RuleId,
        body: ExprId,
        position: Option<Position>,
    ) -> Result<(), CompileError> {
        let declared = &mut self.rules[rule.index()];
        if declared.body.is_some() {
            let first = declared.defined.as_ref().map_or(String::new(), |p| format!(" at line {}", p.line));
            return Err(CompileError::new(
                CompileErrorKind::Invalid,
                Place { position, ..Place::default() },
                "rule",
                format!(
                    "the rule `{}` is defined twice: it has been defined{first}; join both with `|`",
                    declared.name
                ),
            ));
        }
        declared.body = Some(body);
        declared.defined = position;
        Ok(())
    }

    /// Rules that the text names and does not define match the documents of these schemas.
    ///
    /// # Errors
    /// If a rule of such a name is defined, or none is named so.
    pub fn define_schemas(&mut self, schemas: &[(&str, SchemaProgram)]) -> Result<(), CompileError> {
        for (name, program) in schemas {
            let refuse = |position, message| {
                let place = Place { position, ..Place::default() };
                Err(CompileError::new(CompileErrorKind::Reference, place, "schema", message))
            };
            let Some(rule) = self.find(name) else {
                let hint = nearest(name, self.rules.iter().map(|rule| &*rule.name));
                let hint = hint.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
                let message = format!("a schema is given for the rule `{name}`, and nothing uses that{hint}");
                return refuse(None, message);
            };
            if self.is_defined(rule) {
                let position = self.rules[rule.index()].defined;
                let message = format!(
                    "a schema is given for the rule `{name}`, and the text defines it: give one of both"
                );
                return refuse(position, message);
            }
            let body = self.schema(program.clone());
            self.define(rule, body, None)?;
        }
        Ok(())
    }

    /// This text only.
    pub fn text(&mut self, text: &str) -> ExprId {
        self.regex(Regex::literal(text))
    }

    /// One character of a set.
    pub fn set(&mut self, set: CharSet) -> ExprId {
        self.regex(Regex::set(set))
    }

    /// A text that the regex matches.
    pub fn regex(&mut self, regex: Regex) -> ExprId {
        self.push(Expr::Text(regex))
    }

    /// One token of a set, as a letter.
    pub fn token(&mut self, tokens: TokenSet) -> ExprId {
        self.push(Expr::Token(tokens))
    }

    /// What a rule matches.
    pub fn call(&mut self, rule: RuleId) -> ExprId {
        self.push(Expr::Rule(rule))
    }

    /// A JSON document of a schema.
    pub fn schema(&mut self, program: SchemaProgram) -> ExprId {
        let known =
            self.schemas.iter().position(|known| known.nodes == program.nodes && known.root == program.root);
        let index = known.unwrap_or_else(|| {
            self.schemas.push(program);
            self.schemas.len() - 1
        });
        self.push(Expr::Schema(narrow(index)))
    }

    /// One after the other; of no parts: the empty text.
    pub fn sequence(&mut self, parts: impl IntoIterator<Item = ExprId>) -> ExprId {
        let parts: Vec<ExprId> = parts.into_iter().collect();
        match parts.as_slice() {
            [] => self.regex(Regex::Empty),
            [only] => *only,
            _ => self.push(Expr::Sequence(parts)),
        }
    }

    /// At least one of them; of no parts: no text at all.
    pub fn choice(&mut self, parts: impl IntoIterator<Item = ExprId>) -> ExprId {
        let parts: Vec<ExprId> = parts.into_iter().collect();
        match parts.as_slice() {
            [] => self.regex(Regex::Nothing),
            [only] => *only,
            _ => self.push(Expr::Choice(parts)),
        }
    }

    /// `min` to `max` times; `max` below `min` matches no text at all.
    pub fn repeat(&mut self, body: ExprId, min: u32, max: Option<u32>) -> ExprId {
        match (min, max) {
            (1, Some(1)) => body,
            (_, Some(max)) if max < min => self.regex(Regex::Nothing),
            (_, Some(0)) => self.regex(Regex::Empty),
            _ => self.push(Expr::Repeat { body, min, max }),
        }
    }

    /// Zero times or once.
    pub fn optional(&mut self, body: ExprId) -> ExprId {
        self.repeat(body, 0, Some(1))
    }

    /// What `body` matches, if the regex matches the whole of its text too. The body may be recursive; the intersection of a
    /// context-free language with a regular one is context-free.
    ///
    /// ```
    /// use maskwright::grammar::regex::{CharSet, Regex};
    /// use maskwright::grammar::rules::Builder;
    ///
    /// // Balanced parentheses, at most ten of them.
    /// let mut builder = Builder::new();
    /// let pairs = builder.rule("pairs", None);
    /// let (open, inner, close) = (builder.text("("), builder.call(pairs), builder.text(")"));
    /// let pair = builder.sequence([open, inner, close]);
    /// let body = builder.repeat(pair, 0, None);
    /// builder.define(pairs, body, None)?;
    /// let start = builder.rule("start", None);
    /// let all = builder.call(pairs);
    /// let few = builder.within(all, Regex::set(CharSet::any()).repeat(0, Some(10)), None);
    /// builder.define(start, few, None)?;
    /// builder.finish(start)?;
    /// # Ok::<(), maskwright::error::CompileError>(())
    /// ```
    pub fn within(&mut self, body: ExprId, regex: Regex, position: Option<Position>) -> ExprId {
        if regex.is_any_text() {
            return body;
        }
        let place = self.push(Expr::Within { body, regex });
        self.withins.push(Within { place, position });
        place
    }

    /// What `left` matches and `right` does not. The right side must be regular: texts, and rules without recursion; that is
    /// looked at when all rules are there, by [`Builder::finish`]. It makes one regex of both if the left side is regular too,
    /// else [restricts](Builder::within) the left side to what the right one does not match.
    pub fn difference(&mut self, left: ExprId, right: ExprId, position: Option<Position>) -> ExprId {
        let place = self.push(Expr::Text(Regex::Nothing));
        self.differences.push(Difference { place, sides: [left, right], position });
        place
    }

    fn push(&mut self, expr: Expr) -> ExprId {
        self.exprs.push(expr);
        ExprId::new(self.exprs.len() - 1)
    }

    /// The grammar whose texts match `start`.
    ///
    /// # Errors
    /// If a rule is used and not defined (the error names the nearest name that is), there are more rules or
    /// expressions than the limits allow, what a difference takes away is not
    /// regular, or tokens, schemas or the whole itself stand in what is restricted.
    pub fn finish(self, start: RuleId) -> Result<Grammar, CompileError> {
        self.check_size()?;
        let mut rules = Vec::with_capacity(self.rules.len());
        for declared in &self.rules {
            let Some(body) = declared.body else { return Err(self.undefined(declared)) };
            rules.push(Rule { name: declared.name.clone(), position: declared.defined, body });
        }
        let mut withins = self.withins;
        let mut grammar = Grammar { rules, exprs: self.exprs, schemas: self.schemas, start };
        if !self.differences.is_empty() {
            regular::resolve(&mut grammar, &self.differences, &mut withins)?;
        }
        within::check(&grammar, &withins)?;
        Ok(grammar)
    }

    fn check_size(&self) -> Result<(), CompileError> {
        let sizes = [
            (self.rules.len(), limits::GRAMMAR_RULES_MAX, "rules", "GRAMMAR_RULES_MAX"),
            (self.exprs.len(), limits::GRAMMAR_EXPRS_MAX, "expressions", "GRAMMAR_EXPRS_MAX"),
        ];
        match sizes.into_iter().find(|(len, max, ..)| len > max) {
            None => Ok(()),
            Some((len, max, what, limit)) => Err(CompileError::new(
                CompileErrorKind::Limit,
                Place::default(),
                "grammar",
                format!("it has {len} {what}, at most {max} are allowed ({limit})"),
            )),
        }
    }

    fn undefined(&self, declared: &Declared) -> CompileError {
        let hint = match self.nearest(&declared.name) {
            Some(name) => format!("; did you mean `{name}`?"),
            None => "; define it, or put quotes around it if it is a text".to_owned(),
        };
        CompileError::new(
            CompileErrorKind::Reference,
            Place { position: declared.used, ..Place::default() },
            "rule",
            format!("the rule `{}` is used and not defined{hint}", declared.name),
        )
    }
}
