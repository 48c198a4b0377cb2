//! Lines for standard output. A reader that has gone (`maskwright compile … | head -1`) ends the program, quietly.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write};

/// Writes a line to standard output.
macro_rules! say {
    ($($text:tt)*) => { crate::say::line(format_args!($($text)*)) };
}
pub(crate) use say;

/// What `say!` does.
pub(crate) fn line(text: Arguments<'_>) {
    if let Err(e) = writeln!(std::io::stdout(), "{text}") {
        if e.kind() == ErrorKind::BrokenPipe {
            std::process::exit(0);
        }
        eprintln!("maskwright: standard output: {e}");
        std::process::exit(2);
    }
}
