//! Progress on standard error, for work that takes more than a second.

use std::time::{Duration, Instant};

/// Work shorter than this says nothing.
const QUIET: Duration = Duration::from_secs(1);

/// A step of work that is reported afterwards if it took long.
pub(crate) struct Timed {
    what: String,
    started: Instant,
}

impl Timed {
    /// Starts the clock; `what` is a phrase such as "reading FILE".
    pub(crate) fn start(what: String) -> Self {
        Self { what, started: Instant::now() }
    }

    /// Reports the step if it took more than a second.
    pub(crate) fn end(self) {
        let took = self.started.elapsed();
        if took >= QUIET {
            eprintln!("{} took {:.1} s", self.what, took.as_secs_f64());
        }
    }
}

/// A line now and then during a long loop.
pub(crate) struct Progress {
    last: Instant,
}

impl Progress {
    /// Starts the clock.
    pub(crate) fn start() -> Self {
        Self { last: Instant::now() }
    }

    /// Prints the line if a second has passed since the last.
    pub(crate) fn tick(&mut self, line: impl FnOnce() -> String) {
        if self.last.elapsed() >= QUIET {
            eprintln!("{}", line());
            self.last = Instant::now();
        }
    }
}
