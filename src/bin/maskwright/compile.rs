//! `maskwright compile`: time, size and the enforcement report of a schema.

use std::time::Instant;

use clap::Args;
use maskwright::{Bitmask, CompileError, CompiledGrammar, MaskError, Matcher};
use serde_json::{Value, json};

use crate::language::LanguageArguments;
use crate::readable::count;
use crate::say::say;
use crate::{Failure, Verdict};

/// Options of `compile`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    #[command(flatten)]
    language: LanguageArguments,
    /// One JSON object.
    #[arg(long)]
    json: bool,
}

/// Runs `compile`.
pub(crate) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let language = arguments.language.read()?;
    let started = Instant::now();
    let compiled = language.compile();
    let compile_us = started.elapsed().as_secs_f64() * 1e6;
    match compiled {
        Err(error) => {
            print_refusal(&error, arguments.json);
            Ok(Verdict::Refused)
        }
        Ok(grammar) => {
            let mut mask = Bitmask::new(&grammar);
            if let Err(error) = Matcher::new(&grammar).fill_bitmask(&mut mask) {
                print_exhausted(&error, arguments.json);
                return Ok(Verdict::Refused);
            }
            let first_mask_us = started.elapsed().as_secs_f64() * 1e6;
            print_compiled(&grammar, compile_us, first_mask_us, arguments.json);
            Ok(Verdict::Accepted)
        }
    }
}

/// No text can be begun: what a compilation leaves to the first mask is too hard.
fn print_exhausted(error: &MaskError, json: bool) {
    if json {
        say!(
            "{}",
            json!({"compiled": false, "kind": "limit", "subject": "first mask", "message": error.to_string()})
        );
    } else {
        say!("refused at the first mask: {error}");
    }
}

fn print_refusal(error: &CompileError, json: bool) {
    if !json {
        say!("refused {error}");
        return;
    }
    let place = error.place();
    let value = json!({
        "compiled": false, "kind": error.kind().name(), "subject": error.subject(), "pointer": place.pointer,
        "line": place.position.map(|p| p.line), "column": place.position.map(|p| p.column),
        "byte": place.position.map(|p| p.byte), "message": error.to_string(),
    });
    say!("{value}");
}

fn print_compiled(grammar: &CompiledGrammar, compile_us: f64, first_mask_us: f64, json: bool) {
    let size = grammar.statistics();
    let sizes = [
        ("states", size.states),
        ("frames", size.frames),
        ("terms", size.terms),
        ("formulas", size.formulas),
        ("classes", size.classes),
        ("masks", size.masks),
    ];
    if json {
        let sizes: serde_json::Map<String, Value> =
            sizes.iter().map(|&(k, n)| (k.into(), n.into())).collect();
        let value = json!({
            "compiled": true, "compile_us": compile_us, "first_mask_us": first_mask_us, "statistics": sizes,
            "report": grammar.report().to_json(),
        });
        say!("{value}");
        return;
    }
    say!("compiled in {compile_us:.0} µs, first mask after {first_mask_us:.0} µs");
    let sizes: Vec<String> = sizes.iter().map(|&(name, n)| format!("{} {name}", count(n))).collect();
    say!("in the universe after the first mask: {}", sizes.join(", "));
    let report = grammar.report().to_string();
    if !report.trim().is_empty() {
        say!("{}", report.trim_end());
    }
}
