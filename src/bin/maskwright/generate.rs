//! `maskwright generate`: documents that the schema or grammar accepts; those of a schema are validated by an independent
//! validator.
//!
//! With the demo vocabulary a small n-gram model chooses among the allowed tokens; with a tokenizer file the logits are
//! random. A document of a schema is led to its end by a push that grows with its length and favours tokens that close what is
//! open (`closing`), and out of a string that gets long (`steer`); a text of a grammar by a search for a short way (`home`).

use std::time::Instant;

use clap::Args;
use maskwright::sample::{Sampler, Sampling};
use maskwright::{Bitmask, CompiledGrammar, Compiler, Matcher, Vocabulary};
use serde_json::json;

use crate::arguments::{ReadingArguments, VocabularyArguments};
use crate::closing::Closing;
use crate::guide::Guide;
use crate::model::{About, Model, NGram, Noise, row};
use crate::progress::{Progress, Timed};
use crate::readable::{count, quoted};
use crate::say::say;
use crate::source::SourceArguments;
use crate::validate::Independent;
use crate::{Failure, Verdict, prompt};

/// Options of `generate`.
#[derive(Args, Debug)]
#[command(
    after_help = "With --tokenizer the logits are random. In both cases the sampler pushes towards the end of \
    the document the harder the longer it gets. Exit codes: 0 every document is finished and valid, 1 the validator \
    refuses one, 2 the schema is refused or a document could not be finished."
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    source: SourceArguments,
    #[command(flatten)]
    vocabulary: VocabularyArguments,
    #[command(flatten)]
    reading: ReadingArguments,
    /// What the n-gram model reads before the document. With --tokenizer it is encoded, and its ids change the seed.
    #[arg(long, value_name = "TEXT", default_value = "")]
    prompt: String,
    /// Sampling temperature; 0 takes the likeliest token. Default: 0.8, and 1 with --tokenizer.
    #[arg(long, allow_negative_numbers = true)]
    temperature: Option<f32>,
    /// Keep the likeliest COUNT tokens; 0 keeps all.
    #[arg(long, value_name = "COUNT", default_value_t = 0)]
    top_k: usize,
    /// Keep the likeliest tokens that hold this share of the probability.
    #[arg(long, value_name = "SHARE", default_value_t = 1.0)]
    top_p: f32,
    /// Seed: the same seed gives the same documents.
    #[arg(long, allow_negative_numbers = true, default_value_t = 0)]
    seed: u64,
    /// Most tokens of one document.
    #[arg(long, value_name = "COUNT", default_value_t = 16384)]
    max_tokens: usize,
    /// Documents.
    #[arg(short, value_name = "COUNT", default_value_t = 1)]
    n: u64,
    /// One JSON object a line for each document.
    #[arg(long)]
    json: bool,
}

/// How one document ended.
enum Ending {
    /// A stop token was committed.
    Finished,
    /// The limit came first.
    Cut,
    /// No token was allowed.
    Stuck,
}

/// Tokens of a long document: the push towards the end is full from here on.
const LONG: usize = 1024;

/// One document.
struct Document {
    text: Vec<u8>,
    tokens: usize,
    /// Tokens at which the sampler was led out of a string, or to the end of the text.
    steered: usize,
    ending: Ending,
}

/// Runs `generate`.
pub(crate) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let source = arguments.source.read()?;
    let vocabulary = arguments.vocabulary.load()?;
    if vocabulary.stop_tokens().is_empty() {
        return Err(Failure(
            "the vocabulary has no stop token to end a document with: name one with --stop".into(),
        ));
    }
    let timed = Timed::start("compiling".into());
    let config = arguments.reading.config()?;
    let grammar = source.compile(&Compiler::new(vocabulary.clone(), config.clone()))?;
    timed.end();
    // A grammar has no validator but the engine.
    let independent = source.schema().map(|schema| Independent::new(schema, &config)).transpose()?;
    let closing = Closing::new(&vocabulary);
    let prompt_seed = prompt_seed(arguments)?;
    let mut progress = Progress::start();
    let mut tally = Tally::default();
    for i in 0..arguments.n {
        let seed = arguments.seed.wrapping_add(i) ^ prompt_seed;
        let started = Instant::now();
        let about = if source.schema().is_some() { About::Documents } else { About::Texts };
        let model = model(arguments, &vocabulary, about, seed);
        let guide = match about {
            About::Documents => Guide::document(&grammar, &closing, &*model),
            About::Texts => Guide::text(&grammar, &*model, arguments.max_tokens),
        };
        let document = write_document(arguments, &grammar, model, guide, seed)?;
        let verdict = independent.as_ref().map_or(Ok(()), |known| known.verdict(&document.text));
        tally.add(&document, &verdict);
        if arguments.json {
            print_json(&document, &verdict, seed, started);
        } else {
            print_plain(&document, &verdict);
        }
        progress.tick(|| format!("{} of {} documents", count(tally.all()), arguments.n));
    }
    tally.verdict(if independent.is_some() {
        "validated against the schema"
    } else {
        "accepted by the grammar"
    })
}

/// With a tokenizer file the prompt only changes the seed: random logits can't read it.
fn prompt_seed(arguments: &Arguments) -> Result<u64, Failure> {
    let Some(path) = &arguments.vocabulary.tokenizer else { return Ok(0) };
    if arguments.prompt.is_empty() {
        return Ok(0);
    }
    let ids = if path.extension().is_some_and(|e| e == "json") {
        prompt::encode(path, &arguments.prompt)?
    } else {
        arguments.prompt.bytes().map(u32::from).collect()
    };
    eprintln!(
        "the prompt has {} tokens; it changes the seed only, as random logits can't read it",
        count(ids.len())
    );
    Ok(ids
        .iter()
        .fold(0xCBF2_9CE4_8422_2325, |hash, &id| (hash ^ u64::from(id)).wrapping_mul(0x0100_0000_01B3)))
}

fn model(arguments: &Arguments, vocabulary: &Vocabulary, about: About, seed: u64) -> Box<dyn Model> {
    if arguments.vocabulary.tokenizer.is_some() {
        Box::new(Noise::new(seed))
    } else {
        Box::new(NGram::new(vocabulary, &arguments.prompt, about))
    }
}

/// The decoding loop: logits, push, mask, sample, commit.
fn write_document(
    arguments: &Arguments,
    grammar: &CompiledGrammar,
    mut model: Box<dyn Model>,
    mut guide: Guide<'_>,
    seed: u64,
) -> Result<Document, Failure> {
    let vocabulary = grammar.vocabulary();
    let default_temperature = if arguments.vocabulary.tokenizer.is_some() { 1.0 } else { 0.8 };
    let mut sampler = Sampler::new(Sampling {
        temperature: arguments.temperature.unwrap_or(default_temperature),
        top_k: arguments.top_k,
        top_p: arguments.top_p,
        seed,
    })?;
    let mut matcher = Matcher::new(grammar);
    let mut mask = Bitmask::new(grammar);
    let mut logits = row(vocabulary);
    let mut text = Vec::new();
    let mut ending = Ending::Cut;
    let mut tokens = 0;
    while tokens < arguments.max_tokens {
        matcher.fill_bitmask(&mut mask)?;
        model.logits(&text, &mut logits);
        let pressure = model.pressure(progress(tokens, arguments.max_tokens));
        guide.push(&matcher, &text, pressure, &mut logits)?;
        let Some(token) = sampler.sample(&logits, mask.row(0)) else {
            ending = Ending::Stuck;
            break;
        };
        matcher.commit(token)?;
        tokens += 1;
        if matcher.is_finished() {
            ending = Ending::Finished;
            break;
        }
        let bytes = vocabulary.bytes(token);
        guide.took(token, bytes);
        text.extend_from_slice(bytes);
    }
    Ok(Document { text, tokens, steered: guide.steered(), ending })
}

/// How long a document has got: 1 at the length of a long one, or at the limit if that comes first.
fn progress(tokens: usize, max_tokens: usize) -> f32 {
    let percent = tokens.saturating_mul(100) / max_tokens.clamp(1, LONG);
    f32::from(u16::try_from(percent).unwrap_or(u16::MAX)) / 100.0
}

fn print_plain(document: &Document, verdict: &Result<(), String>) {
    match document.ending {
        Ending::Finished => say!("{}", String::from_utf8_lossy(&document.text)),
        Ending::Cut => eprintln!("cut at {} tokens: {}", count(document.tokens), quoted(&document.text)),
        Ending::Stuck => eprintln!("no token is allowed after {}", quoted(&document.text)),
    }
    if let (Ending::Finished, Err(fault)) = (&document.ending, verdict) {
        eprintln!("the validator refuses this document: {fault}");
    }
}

fn print_json(document: &Document, verdict: &Result<(), String>, seed: u64, started: Instant) {
    let ending = match document.ending {
        Ending::Finished => "finished",
        Ending::Cut => "cut",
        Ending::Stuck => "stuck",
    };
    let value = json!({
        "document": String::from_utf8_lossy(&document.text), "ending": ending, "valid": verdict.is_ok(),
        "fault": verdict.as_ref().err(), "tokens": document.tokens, "steered_tokens": document.steered, "bytes": document.text.len(), "seed": seed,
        "milliseconds": started.elapsed().as_secs_f64() * 1e3,
    });
    say!("{value}");
}

/// Documents counted by how they ended.
#[derive(Default)]
struct Tally {
    valid: usize,
    invalid: usize,
    cut: usize,
    stuck: usize,
}

impl Tally {
    fn add(&mut self, document: &Document, verdict: &Result<(), String>) {
        match (&document.ending, verdict) {
            (Ending::Finished, Ok(())) => self.valid += 1,
            (Ending::Finished, Err(_)) => self.invalid += 1,
            (Ending::Cut, _) => self.cut += 1,
            (Ending::Stuck, _) => self.stuck += 1,
        }
    }

    fn all(&self) -> usize {
        self.valid + self.invalid + self.cut + self.stuck
    }

    /// The last words, and the exit code.
    fn verdict(&self, judged: &str) -> Result<Verdict, Failure> {
        if self.all() == 1 && self.valid == 1 {
            eprintln!("{judged}");
        } else {
            eprintln!("{} of {} documents {judged}", count(self.valid), count(self.all()));
        }
        if self.cut + self.stuck > 0 {
            return Err(Failure(format!(
                "{} documents were cut by --max-tokens, {} stood where no token is allowed",
                self.cut, self.stuck
            )));
        }
        Ok(if self.invalid == 0 { Verdict::Accepted } else { Verdict::Refused })
    }
}
