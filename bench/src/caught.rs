//! Runs an engine's code so that its panic ends a schema, not the run, and prints nothing.

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};

thread_local! {
    static CATCHING: Cell<bool> = const { Cell::new(false) };
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Makes panics inside [`caught`] silent. Call once, before any engine runs.
pub(crate) fn install_hook() {
    let default = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if CATCHING.get() {
            let place = info.location().map(|at| format!("{}:{}", short(at.file()), at.line()));
            LAST.replace(place.unwrap_or_default());
        } else {
            default(info);
        }
    }));
}

/// The result of `work`, or where it panicked.
pub(crate) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    CATCHING.set(true);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    CATCHING.set(false);
    result.map_err(|_| format!("panic at {}", LAST.take()))
}

/// The last three parts of a path: enough to find the file, the same on every machine.
fn short(file: &str) -> &str {
    let start = file.rmatch_indices('/').nth(2).map_or(0, |(slash, _)| slash + 1);
    &file[start..]
}

#[cfg(test)]
mod tests {
    use super::{caught, install_hook, short};

    #[test]
    fn a_panic_becomes_its_place() {
        install_hook();
        assert_eq!(caught(|| 7), Ok(7));
        let place = caught(|| -> u8 { panic!("on purpose") }).unwrap_err();
        assert!(place.starts_with("panic at bench/src/caught.rs:"), "{place}");
        assert_eq!(caught(|| 8), Ok(8));
    }

    #[test]
    fn long_paths_are_cut_to_their_end() {
        assert_eq!(short("/home/x/.cargo/registry/some-1.0/src/lib.rs"), "some-1.0/src/lib.rs");
        assert_eq!(short("lib.rs"), "lib.rs");
    }
}
