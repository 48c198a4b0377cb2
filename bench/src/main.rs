//! maskwright and its peers side by side: the same traces, one run, one core.
//!
//! Read in this order: `data` (cases from files), `pyjson` (how documents are spelled), `tokenizer` and `trace` (what
//! every engine gets), `engine` (what is asked of one), `maskbench` (the run), `hard` (cases of ours),
//! `texts` and `grammars` (context-free grammars), `memory`, `report`.

mod caught;
mod clock;
mod data;
mod engine;
mod grammars;
mod hard;
mod maskbench;
mod memory;
mod plot;
mod pyjson;
mod report;
mod stats;
mod texts;
mod tokenizer;
mod trace;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use data::Sample;
use engine::{Cause, EngineName};
use maskbench::{Fault, Sharing, Tally};
use report::{EngineReport, Report};
use stats::Samples;
use tokenizer::{Encoder, TokenTable};
use trace::{Trace, Traces};

/// Stack of the thread that runs the engines: some recurse along the schema, and an overflow would end the run.
const STACK_BYTES: usize = 256 << 20;

#[derive(Parser)]
#[command(about, version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// JSON Schemas with valid and invalid documents: what each engine refuses, gets wrong, and how long it takes.
    Maskbench(MaskbenchArgs),
    /// Schemas that are legal and hard: time to the first mask, slowest mask and memory of each, and whether the verdicts are right.
    Hard(HardArgs),
    /// Context-free grammars and texts of theirs, with llguidance beside: masks, commits, first masks, and whether masks agree.
    Grammars(GrammarsArgs),
    /// The child process that measures memory.
    #[command(name = memory::COMMAND, hide = true)]
    MeasureMemory(MemoryArgs),
}

#[derive(Args)]
struct MaskbenchArgs {
    /// An engine to run; give it more than once to compare.
    #[arg(long = "engine", required = true, value_enum)]
    engines: Vec<EngineName>,
    /// The vocabulary: a tokenizer.json.
    #[arg(long)]
    tokenizer: PathBuf,
    /// Cases: a folder, or a file .jsonl.gz, .jsonl or .json.
    #[arg(long)]
    data: PathBuf,
    /// Takes the schemas whose index leaves remainder K when divided by N, as K/N.
    #[arg(long, default_value_t = Sample::ALL)]
    sample: Sample,
    /// Gives each schema a fresh universe (the vocabulary is built once and not counted).
    #[arg(long)]
    isolate: bool,
    /// Threads to measure on; figures are per call, so only one makes sense.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=1))]
    threads: u8,
    /// Writes the figures as JSON.
    #[arg(long)]
    json: Option<PathBuf>,
    /// Draws the distribution of mask times of all engines as an SVG.
    #[arg(long)]
    svg: Option<PathBuf>,
    /// How many MiB the tables of maskwright may take that all schemas share; the library's default if not given.
    #[arg(long, value_name = "MIB")]
    budget: Option<usize>,
    /// Lists up to N documents of each kind of fault with the token where it showed.
    #[arg(long, value_name = "N", default_value_t = 0)]
    list_faults: usize,
    /// Lists the N schemas with the slowest first masks and the N with the slowest masks, of each engine.
    #[arg(long, value_name = "N", default_value_t = 0)]
    list_slow: usize,
    /// Leaves out the second pass, which measures peak memory with one engine a process.
    #[arg(long)]
    skip_memory: bool,
}

#[derive(Args)]
struct HardArgs {
    #[arg(long, value_enum)]
    engine: EngineName,
    /// The vocabulary: a tokenizer.json.
    #[arg(long)]
    tokenizer: PathBuf,
}

#[derive(Args)]
struct GrammarsArgs {
    /// The vocabulary: a tokenizer.json.
    #[arg(long)]
    tokenizer: PathBuf,
    /// A grammar to run; all of them if none is named.
    #[arg(long = "grammar")]
    grammars: Vec<String>,
    /// Texts for each grammar.
    #[arg(long, default_value_t = 24)]
    texts: usize,
    /// Compilations of each grammar, in the engine as it is and in a fresh one.
    #[arg(long, default_value_t = 20)]
    compilations: usize,
    /// What the texts are made from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Args)]
struct MemoryArgs {
    #[arg(long, value_enum)]
    engine: EngineName,
    #[arg(long)]
    tokenizer: PathBuf,
    #[arg(long)]
    isolate: bool,
    #[arg(long)]
    budget: Option<usize>,
}

fn main() -> ExitCode {
    let command = Cli::parse().command;
    let work = move || match command {
        Command::Maskbench(args) => maskbench(&args),
        Command::Hard(args) => hard(&args),
        Command::Grammars(args) => grammars(&args),
        Command::MeasureMemory(args) => measure_memory(&args),
    };
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work);
    let result = thread.map_err(|e| e.to_string()).and_then(|thread| {
        thread.join().unwrap_or_else(|_| Err("the bench itself panicked; see above".to_owned()))
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("maskwright-bench: {message}");
            ExitCode::from(2)
        }
    }
}

fn sharing(isolate: bool) -> Sharing {
    if isolate { Sharing::Isolated } else { Sharing::Shared }
}

fn maskbench(args: &MaskbenchArgs) -> Result<(), String> {
    for (place, name) in args.engines.iter().enumerate() {
        if args.engines[..place].contains(name) {
            return Err(format!("--engine {} is given twice", name.as_str()));
        }
    }
    caught::install_hook();
    let core = clock::pin();
    eprintln!("maskbench: reading the tokenizer and the cases");
    let encoder = Encoder::read(&args.tokenizer)?;
    let traces = Traces::read(&args.data, args.sample, &encoder)?;
    print_setting(args, &traces, &encoder, &core);
    let traces = traces.traces;
    let mut engines = Vec::new();
    for name in &args.engines {
        engines.push((*name, name.build(&args.tokenizer, encoder.table(), args.budget)?));
    }
    let sharing = sharing(args.isolate);
    let others = clock::OtherThreads::new();
    let mut tallies = maskbench::run(&mut engines, &traces, sharing);
    println!("other threads of this process took {:.2} % of its CPU time", others.share() * 100.0);
    drop(engines);

    if let Some(path) = &args.svg {
        let mut lines: Vec<(&str, &mut Samples)> =
            tallies.iter_mut().map(|tally| (tally.engine.as_str(), &mut tally.fill)).collect();
        write(path, &plot::svg(&mut lines))?;
    }

    let mut report = Report { engines: Vec::new() };
    for mut tally in tallies {
        let mut figures = EngineReport::new(&mut tally);
        if !args.skip_memory {
            eprintln!("maskbench: measuring the memory of {}", figures.engine);
            figures.peak_rss_bytes =
                Some(memory::peak_rss_bytes(tally.engine, &args.tokenizer, args.budget, &traces, sharing)?);
        }
        let unexplained = explain(&tally, &traces, &args.tokenizer, &mut figures)?;
        report::print_faults(&tally, &unexplained, &traces, encoder.table(), args.list_faults);
        report::print_slowest(&tally, &traces, encoder.table(), args.list_slow);
        report.engines.push(figures);
    }
    if let Some(path) = &args.json {
        let text = serde_json::to_string_pretty(&report).map_err(|e| e.to_string())?;
        write(path, &(text + "\n"))?;
    }
    println!();
    report.print();
    Ok(())
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    std::fs::write(path, text).map_err(|e| format!("{}: {e}", path.display()))
}

fn hard(args: &HardArgs) -> Result<(), String> {
    caught::install_hook();
    if let Err(reason) = clock::pin() {
        println!("NOT pinned ({reason})");
    }
    let encoder = Encoder::read(&args.tokenizer)?;
    hard::print(args.engine, &args.tokenizer, &encoder)
}

fn grammars(args: &GrammarsArgs) -> Result<(), String> {
    match clock::pin() {
        Ok(core) => println!("one thread pinned to core {core}; times in CPU µs"),
        Err(reason) => println!("NOT pinned ({reason})"),
    }
    let encoder = Encoder::read(&args.tokenizer)?;
    let GrammarsArgs { texts, compilations, seed, .. } = *args;
    grammars::print(&args.tokenizer, &encoder, &args.grammars, grammars::Amount { texts, compilations, seed })
}

/// Says what is measured, and how.
fn print_setting(args: &MaskbenchArgs, traces: &Traces, encoder: &Encoder, core: &Result<usize, String>) {
    println!(
        "{} schemas (sample {}), {} documents ({} of them encoded greedily, {} more can't be spelled), {} tokens in {}",
        traces.traces.len(),
        args.sample,
        traces.document_count(),
        traces.greedy,
        traces.unspellable,
        encoder.table().len(),
        args.tokenizer.display()
    );
    let pinned = match core {
        Ok(core) => format!("pinned to core {core}"),
        Err(reason) => format!("NOT pinned ({reason})"),
    };
    println!(
        "one thread {pinned}; {}; times in CPU µs over the schemas that all engines serve; an empty clock pair reads {} ns, \
         taken off short commits only",
        if args.isolate { "a fresh universe for each schema" } else { "one universe for all schemas" },
        clock::empty_pair_ns()
    );
}

/// Counts why valid documents were rejected; gives those that the surface policy does not explain.
fn explain(
    tally: &Tally,
    traces: &[Trace],
    tokenizer: &Path,
    figures: &mut EngineReport,
) -> Result<Vec<Fault>, String> {
    if tally.valid_rejected.is_empty() {
        return Ok(Vec::new());
    }
    let mut probe = tally.engine.policy_probe(tokenizer)?;
    let mut unexplained = Vec::new();
    for fault in &tally.valid_rejected {
        let trace = &traces[fault.trace];
        let tokens = &trace.documents[fault.document].tokens;
        let cause = probe
            .as_mut()
            .and_then(|probe| caught::caught(|| probe.cause(&trace.schema, tokens)).ok().flatten());
        *figures.causes.entry(cause.map_or("not the policy", Cause::as_str)).or_default() += 1;
        match cause {
            Some(_) => figures.policy_rejected += 1,
            None => unexplained.push(fault.clone()),
        }
    }
    Ok(unexplained)
}

fn measure_memory(args: &MemoryArgs) -> Result<(), String> {
    caught::install_hook();
    let table = TokenTable::read(&args.tokenizer)?;
    let mut engine = args.engine.build(&args.tokenizer, &table, args.budget)?;
    drop(table);
    memory::measure(&mut *engine, sharing(args.isolate))
}
