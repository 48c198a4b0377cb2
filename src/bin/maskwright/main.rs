//! `maskwright`: generate, check and explain texts under a JSON Schema or a grammar, from the command line.
//!
//! One file a subcommand. Exit codes: 0 accepted, 1 refused, 2 could not run. Results go to standard output,
//! everything else (progress, verdicts of the validator, faults) to standard error.

mod check;
mod compile;
mod dump;
mod explain;
mod generate;
mod mask;
mod vocabulary;

mod arguments;
mod language;
mod progress;
mod readable;
mod say;
mod source;
mod special;
mod walk;

mod closing;
mod guide;
mod home;
mod model;
mod prompt;
mod validate;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Exact grammar-constrained decoding: a JSON Schema or a grammar and a vocabulary in, exact token masks out.
#[derive(Parser, Debug)]
#[command(name = "maskwright", version, arg_required_else_help = true)]
#[command(after_help = "Exit codes: 0 accepted, 1 refused, 2 could not run.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Write texts that the schema or grammar accepts, token by token under exact masks; documents of a schema are validated.
    Generate(generate::Arguments),
    /// Say whether texts are in the language of the schema or grammar, and where one leaves it.
    Check(check::Arguments),
    /// Say what may come after a prefix.
    Mask(mask::Arguments),
    /// Compile a schema or grammar: time, size and what is enforced.
    Compile(compile::Arguments),
    /// Say why a token may or may not follow a prefix, in the words of the schema or grammar.
    Explain(explain::Arguments),
    /// Show the intermediate grammar, or states of the automaton, as text or as a graph.
    Dump(dump::Arguments),
    /// Describe a tokenizer file as the engine reads it.
    Vocabulary(vocabulary::Arguments),
}

/// What a subcommand found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    /// Everything asked about was accepted.
    Accepted,
    /// Something was refused; the output says what.
    Refused,
    /// Some of several inputs could not be judged; what was said of them tells why.
    Undecided,
}

/// Why a subcommand could not run, as one sentence for standard error.
#[derive(Debug)]
struct Failure(String);

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Generate(arguments) => generate::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Mask(arguments) => mask::run(&arguments),
        Command::Compile(arguments) => compile::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Dump(arguments) => dump::run(&arguments),
        Command::Vocabulary(arguments) => vocabulary::run(&arguments),
    };
    match result {
        Ok(Verdict::Accepted) => ExitCode::SUCCESS,
        Ok(Verdict::Refused) => ExitCode::from(1),
        Ok(Verdict::Undecided) => ExitCode::from(2),
        Err(Failure(message)) => {
            eprintln!("maskwright: {message}");
            ExitCode::from(2)
        }
    }
}
