//! What one call may spend on questions: limits of single questions multiply where one is part of another.
//!
//! A mask, a commit or a compilation may ask many questions ("can this still be completed?"), each of which asks others. Each has
//! limits of its own, which keep answers from being guesses; the sum of all their steps keeps the call short. Steps are counted for each
//! thread from the outermost call on.

use std::cell::Cell;

use crate::automaton::formula::exhausted;
use crate::error::Exhausted;
use crate::index::narrow;
use crate::limits::QUESTION_STEPS_MAX;

thread_local! {
    /// The steps of the call under way.
    static SPENT: Cell<Option<u32>> = const { Cell::new(None) };
}

/// A call under way; steps are counted until the outermost one is dropped.
pub(crate) struct Call {
    is_outermost: bool,
}

impl Call {
    pub(crate) fn begin() -> Self {
        let is_outermost = SPENT.get().is_none();
        if is_outermost {
            SPENT.set(Some(0));
        }
        Self { is_outermost }
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        if self.is_outermost {
            SPENT.set(None);
        }
    }
}

/// A question with a budget of its own, inside a call that has spent its one; gives the answer and the steps.
pub(crate) fn afresh<T>(question: impl FnOnce() -> T) -> (T, u32) {
    let before = SPENT.replace(Some(0));
    let answer = question();
    let steps = SPENT.replace(before).unwrap_or(0);
    (answer, steps)
}

/// Counts steps of the call under way.
///
/// # Errors
/// If there have been too many.
pub(crate) fn spend(steps: usize) -> Result<(), Exhausted> {
    let Some(before) = SPENT.get() else { return Ok(()) };
    let spent = before.saturating_add(narrow(steps));
    SPENT.set(Some(spent));
    if spent <= QUESTION_STEPS_MAX {
        return Ok(());
    }
    Err(exhausted(format!(
        "all questions of one call whether the text can be completed: more than {QUESTION_STEPS_MAX} steps (QUESTION_STEPS_MAX)"
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_counted_from_the_outermost_call_on() {
        let most = usize::try_from(QUESTION_STEPS_MAX).expect("fits");
        assert!(spend(2 * most).is_ok(), "no call is under way");
        let outer = Call::begin();
        assert!(spend(most).is_ok());
        {
            let _inner = Call::begin();
            assert!(spend(1).is_err());
        }
        assert!(spend(0).is_err(), "the inner call has not ended the outer one");
        drop(outer);
        let _next = Call::begin();
        assert!(spend(most).is_ok());
    }
}
