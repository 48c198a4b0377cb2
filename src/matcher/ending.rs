//! A way to the end of what a matcher has committed.

use crate::automaton::{Automaton, EndingStep};
use crate::error::Exhausted;
use crate::matcher::Matcher;

impl Matcher {
    /// The fewest bytes (and tokens as letters), or nearly, after which the text is complete: what to write when an answer must end.
    /// Empty where it is complete or finished; `None` if a search of
    /// [`ENDING_STEPS_MAX`](crate::limits::ENDING_STEPS_MAX) configurations found none. Costs up to tenths of a second; it is for the
    /// end of a text, not for every step.
    ///
    /// ```
    /// use maskwright::automaton::EndingStep;
    /// use maskwright::{Compiler, CompilerConfig, Matcher, Vocabulary};
    ///
    /// let compiler = Compiler::new(Vocabulary::demo(), CompilerConfig::default());
    /// let grammar = compiler.ebnf(r#"list ::= "(" (list | [a-z]{2,9}) ("," list)* ")""#)?;
    /// let mut matcher = Matcher::new(&grammar);
    /// for token in Vocabulary::demo_encode("(x") {
    ///     matcher.commit(token)?;
    /// }
    /// assert_eq!(matcher.ending()?, Some(vec![EndingStep::Byte(b'a'), EndingStep::Byte(b')')]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Exhausted`] if a question ran out of its budget.
    pub fn ending(&self) -> Result<Option<Vec<EndingStep>>, Exhausted> {
        if self.is_finished() {
            return Ok(Some(Vec::new()));
        }
        self.ask(Automaton::ending)
    }

    /// What to write when an answer must end and [`ending`](Self::ending) finds no way to its end: steps after which less seems to be left.
    /// Empty where there are none, or none are found within the limit.
    ///
    /// # Errors
    /// As there.
    pub fn toward_ending(&self) -> Result<Vec<EndingStep>, Exhausted> {
        if self.is_finished() {
            return Ok(Vec::new());
        }
        self.ask(Automaton::toward_ending)
    }
}
