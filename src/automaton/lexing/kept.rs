//! Grammars over lexemes that were compiled before, with what was made of each.
//!
//! What is made of a grammar is a function of the grammar alone, and to find it takes milliseconds. So the same grammar
//! met again (compared part by part, with the positions that messages name) takes a lookup. Only those that compile are kept; the
//! others are refused again, with the same words.

use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use dashmap::Entry;

use super::{Doubts, scannerless};
use crate::automaton::rules::LoadedGrammar;
use crate::automaton::universe::{Caching, Memo, Universe};
use crate::error::CompileError;
use crate::grammar::lexing::Lexing;
use crate::grammar::rules::{Expr, Grammar};
use crate::limits::LEXINGS_KEPT_SIZE_MAX;

/// What was made of a grammar over lexemes.
pub(crate) struct Scannerless {
    /// A grammar over text.
    pub(crate) grammar: Grammar,
    /// What may be missing in it.
    pub(crate) doubts: Doubts,
    /// Where its texts start in the universe that keeps it.
    loaded: OnceLock<LoadedGrammar>,
}

/// The grammars of one universe.
#[derive(Default)]
pub(crate) struct KeptLexings {
    known: Memo<Lexing, Arc<Scannerless>>,
    /// The sizes of all of them together.
    size: AtomicUsize,
}

/// What a part of a rule, an expression or a part of a regex takes, about.
const BYTES_EACH: usize = 24;

impl Eq for Lexing {}

/// Schemas are compared and not hashed.
impl Hash for Lexing {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (&self.terminals, &self.ignored, &self.rules, &self.parts).hash(state);
    }
}

impl Universe {
    /// The grammar over text for one over lexemes; see [`scannerless`].
    ///
    /// # Errors
    /// As there.
    pub(crate) fn scannerless(&self, lexing: Lexing) -> Result<Arc<Scannerless>, CompileError> {
        if self.caching == Caching::On
            && let Some(known) = self.lexings.known.get(&lexing)
        {
            return Ok(Arc::clone(&known));
        }
        let (grammar, doubts) = scannerless(&lexing)?;
        let made = Arc::new(Scannerless { grammar, doubts, loaded: OnceLock::new() });
        if self.caching == Caching::On {
            self.lexings.keep(lexing, &made);
        }
        Ok(made)
    }

    /// Where the texts of such a grammar start; see [`Universe::load_grammar`].
    ///
    /// # Errors
    /// As there.
    pub(crate) fn load_scannerless<'s>(
        &self,
        scannerless: &'s Scannerless,
    ) -> Result<&'s LoadedGrammar, CompileError> {
        if let Some(known) = scannerless.loaded.get() {
            return Ok(known);
        }
        let loaded = self.load_grammar(&scannerless.grammar)?;
        Ok(scannerless.loaded.get_or_init(|| loaded))
    }
}

impl KeptLexings {
    /// About what all of them take.
    pub(crate) fn bytes(&self) -> usize {
        self.size.load(Ordering::Relaxed) * BYTES_EACH
    }

    /// Keeps a grammar while there is room.
    fn keep(&self, lexing: Lexing, made: &Arc<Scannerless>) {
        let size = size(&lexing, &made.grammar);
        let before = self.size.fetch_add(size, Ordering::Relaxed);
        let is_new = before.saturating_add(size) <= LEXINGS_KEPT_SIZE_MAX
            && match self.known.entry(lexing) {
                Entry::Vacant(vacant) => {
                    vacant.insert(Arc::clone(made));
                    true
                }
                // Another thread was faster.
                Entry::Occupied(_) => false,
            };
        if !is_new {
            self.size.fetch_sub(size, Ordering::Relaxed);
        }
    }
}

/// How much a grammar and what was made of it take: parts, expressions, and the sizes of regexes and schemas.
fn size(lexing: &Lexing, grammar: &Grammar) -> usize {
    let terminals = lexing.terminals.iter().map(|terminal| terminal.regex.size());
    let exprs = grammar.exprs.iter().map(|expr| match expr {
        Expr::Text(regex) => regex.size(),
        _ => 1,
    });
    let schemas = lexing.schemas.iter().map(|schema| schema.nodes.len());
    let sum = terminals.chain(exprs).chain(schemas).fold(0, usize::saturating_add);
    sum.saturating_add(lexing.parts.len()).saturating_add(grammar.rules.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Compiler, CompilerConfig, Vocabulary};

    /// One without doubts, one with, one that has no text, and one that is refused.
    const TEXTS: [&str; 4] = [
        "start: \"if\" NAME | NAME\nNAME: /[a-z]+/\n%ignore \" \"",
        "start: \"a\" s NAME | \"b\" s \"if\" N\ns: \"(\" \")\"\nNAME: /[a-z]+/\nN: /[0-9]+|[a-z]/",
        "start: X \"b\"\nX: /ab*/",
        "start: A %json {}\nA: /[a-z]+/",
    ];

    /// Everything that is said of a grammar.
    fn said(compiler: &Compiler, text: &str) -> Result<(String, String), String> {
        let grammar = compiler.lark(text).map_err(|e| format!("{e:?}"))?;
        Ok((grammar.report().to_string(), grammar.source().to_string()))
    }

    fn compiler(config: CompilerConfig) -> Compiler {
        Compiler::new(Vocabulary::demo(), config)
    }

    #[test]
    fn what_is_said_of_a_grammar_hangs_on_nothing_met_before() {
        for strict in [false, true] {
            let config = CompilerConfig { strict, ..CompilerConfig::default() };
            let off = CompilerConfig { caching: Caching::Off, ..config.clone() };
            let shared = compiler(config.clone());
            let orders = [[0, 1, 2, 3], [3, 2, 1, 0]];
            for at in orders.into_iter().flatten() {
                let fresh = said(&compiler(config.clone()), TEXTS[at]);
                assert_eq!(said(&shared, TEXTS[at]), fresh, "{}", TEXTS[at]);
                assert_eq!(said(&compiler(off.clone()), TEXTS[at]), fresh, "{}", TEXTS[at]);
            }
        }
    }

    #[test]
    fn a_grammar_met_again_makes_nothing_new() {
        let compiler = compiler(CompilerConfig::default());
        let kept = |compiler: &Compiler| {
            let grammar = compiler.lark(TEXTS[0]).expect("it compiles");
            (grammar.automaton().expect("it is loaded").start(), grammar.statistics())
        };
        let first = kept(&compiler);
        assert_eq!(kept(&compiler), first);
        let other = compiler.lark(&TEXTS[0].replace("if", "do")).expect("it compiles");
        assert_ne!(other.automaton().expect("it is loaded").start(), first.0);
    }

    #[test]
    fn the_same_rules_elsewhere_in_a_text_name_their_own_places() {
        let compiler = compiler(CompilerConfig::default());
        let of = |text: &str| compiler.lark(text).expect("it compiles").report().to_string();
        let first = of(TEXTS[1]);
        assert!(first.contains("line 1, column"), "{first}");
        let second = of(&format!("// a line more\n{}", TEXTS[1]));
        let moved =
            first.replace("line 3, column", "line 4, column").replace("line 1, column", "line 2, column");
        assert_eq!(second, moved);
    }

    #[test]
    fn without_room_nothing_is_kept() {
        let lexing = || crate::syntax::lark::parse(TEXTS[0], &Default::default()).expect("it is a grammar").0;
        let (grammar, doubts) = scannerless(&lexing()).expect("it compiles");
        let made = Arc::new(Scannerless { grammar, doubts, loaded: OnceLock::new() });
        let kept = KeptLexings::default();
        kept.size.store(LEXINGS_KEPT_SIZE_MAX, Ordering::Relaxed);
        kept.keep(lexing(), &made);
        assert_eq!((kept.known.len(), kept.size.load(Ordering::Relaxed)), (0, LEXINGS_KEPT_SIZE_MAX));
        kept.size.store(0, Ordering::Relaxed);
        kept.keep(lexing(), &made);
        kept.keep(lexing(), &made);
        let size = size(&lexing(), &made.grammar);
        assert_eq!((kept.known.len(), kept.size.load(Ordering::Relaxed)), (1, size));
    }
}
