//! `maskwright generate`: documents that the schema or grammar accepts; those of a schema are validated by an independent
//! validator.
//!
//! With the demo vocabulary a small n-gram model chooses among the allowed tokens; with a tokenizer file the logits are
//! random. Either way a text is led to its end (`guide`): by a push towards what closes, and by a search for a short way (`home`).

use std::time::Instant;

use clap::Args;
use maskwright::sample::{Sampler, Sampling};
use maskwright::vocab::TokenKind;
use maskwright::{Bitmask, CompiledGrammar, Matcher, Vocabulary};
use serde_json::json;

use crate::closing::Closing;
use crate::guide::Guide;
use crate::language::LanguageArguments;
use crate::model::{About, Model, NGram, Noise, row};
use crate::progress::{Progress, Timed};
use crate::readable::{count, quoted};
use crate::say::say;
use crate::special::SpecialArguments;
use crate::validate::{Independent, Judgement};
use crate::{Failure, Verdict, prompt};

/// Options of `generate`.
#[derive(Args, Debug)]
#[command(
    after_help = "With --tokenizer the logits are random. In both cases the sampler pushes towards the end of \
    the document the harder the longer it gets. Exit codes: 0 every document is finished and the validator refuses none, 1 it \
    refuses one, 2 the schema is refused or a document could not be finished."
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    language: LanguageArguments,
    #[command(flatten)]
    special: SpecialArguments,
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
#[derive(Debug)]
enum Ending {
    /// A stop token was committed.
    Finished,
    /// The limit came first.
    Cut,
    /// No token was allowed.
    Stuck,
    /// A question ran out of its budget.
    Exhausted(String),
}

/// Tokens of a long document: the push towards the end is full from here on.
const LONG: usize = 1024;

/// One document.
struct Document {
    text: Vec<u8>,
    /// The text as it is shown: with the names of special tokens, where these are asked for.
    shown: Vec<u8>,
    /// Special tokens in it.
    special: usize,
    tokens: usize,
    /// Tokens at which the sampler was led out of a string, or to the end of the text.
    steered: usize,
    ending: Ending,
}

/// Runs `generate`.
pub(crate) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let language = arguments.language.read()?;
    let (source, vocabulary) = (&language.source, &language.vocabulary);
    if vocabulary.stop_tokens().is_empty() {
        return Err(Failure(
            "the vocabulary has no stop token to end a document with: name one with --stop".into(),
        ));
    }
    let timed = Timed::start("compiling".into());
    let grammar = language.compile()?;
    timed.end();
    // A grammar has no validator but the engine.
    let independent = source.schema().map(|schema| Independent::new(schema, &language.config));
    let closing = Closing::new(vocabulary);
    let prompt_seed = prompt_seed(arguments)?;
    let mut progress = Progress::start();
    let mut tally = Tally::default();
    let mut has_special = false;
    for i in 0..arguments.n {
        let seed = arguments.seed.wrapping_add(i) ^ prompt_seed;
        let started = Instant::now();
        let about = if source.schema().is_some() { About::Documents } else { About::Texts };
        let model = model(arguments, vocabulary, about, seed);
        let guide = match about {
            About::Documents => Guide::document(&grammar, &closing, &*model, arguments.max_tokens),
            About::Texts => Guide::text(&grammar, &*model, arguments.max_tokens),
        };
        let document = write_document(arguments, &grammar, model, guide, seed)?;
        if document.special > 0 && !arguments.special.is_given() && !has_special {
            has_special = true;
            eprintln!("note: special tokens are left out of what is printed; --special prints their names");
        }
        let judgement = independent.as_ref().map_or(Judgement::Valid, |known| known.judge(&document.text));
        tally.add(&document, &judgement);
        if arguments.json {
            print_json(&document, &judgement, seed, started);
        } else {
            print_plain(&document, &judgement);
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
    let Some(path) = &arguments.language.vocabulary.tokenizer else { return Ok(0) };
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
    if arguments.language.vocabulary.tokenizer.is_some() {
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
    let default_temperature = if arguments.language.vocabulary.tokenizer.is_some() { 1.0 } else { 0.8 };
    let mut sampler = Sampler::new(Sampling {
        temperature: arguments.temperature.unwrap_or(default_temperature),
        top_k: arguments.top_k,
        top_p: arguments.top_p,
        seed,
    })?;
    let mut matcher = Matcher::new(grammar);
    let mut mask = Bitmask::new(grammar);
    let mut logits = row(vocabulary);
    let mut document = Document {
        text: Vec::new(),
        shown: Vec::new(),
        special: 0,
        tokens: 0,
        steered: 0,
        ending: Ending::Cut,
    };
    while document.tokens < arguments.max_tokens {
        if let Err(why) = matcher.fill_bitmask(&mut mask) {
            document.ending = Ending::Exhausted(why.to_string());
            break;
        }
        // Far more is added for a way than any model has against it.
        match guide.leads() {
            true => logits.fill(0.0),
            false => model.logits(&document.text, &mut logits),
        }
        let pressure = model.pressure(progress(document.tokens, arguments.max_tokens));
        guide.push(&matcher, pressure, &mut logits);
        let Some(token) = sampler.sample(&logits, mask.row(0)) else {
            document.ending = Ending::Stuck;
            break;
        };
        matcher.commit(token)?;
        document.tokens += 1;
        if matcher.is_finished() {
            document.ending = Ending::Finished;
            break;
        }
        let bytes = vocabulary.bytes(token);
        guide.took(token, bytes);
        document.text.extend_from_slice(bytes);
        document.shown.extend_from_slice(arguments.special.printed(vocabulary, token));
        document.special += usize::from(vocabulary.kind(token) == TokenKind::Letter);
    }
    document.steered = guide.steered();
    Ok(document)
}

/// How long a document has got: 1 at the length of a long one, or at the limit if that comes first.
fn progress(tokens: usize, max_tokens: usize) -> f32 {
    let percent = tokens.saturating_mul(100) / max_tokens.clamp(1, LONG);
    f32::from(u16::try_from(percent).unwrap_or(u16::MAX)) / 100.0
}

fn print_plain(document: &Document, judgement: &Judgement) {
    match &document.ending {
        Ending::Finished => say!("{}", String::from_utf8_lossy(&document.shown)),
        Ending::Cut => eprintln!("cut at {} tokens: {}", count(document.tokens), quoted(&document.shown)),
        Ending::Stuck => eprintln!("no token is allowed after {}", quoted(&document.shown)),
        Ending::Exhausted(why) => eprintln!("{why}, after {}", quoted(&document.shown)),
    }
    if !matches!(document.ending, Ending::Finished) {
        return;
    }
    match judgement {
        Judgement::Valid => {}
        Judgement::Invalid(fault) => eprintln!("the validator refuses this document: {fault}"),
        Judgement::NotJudged(why) => eprintln!("this document is not judged: {why}"),
    }
}

fn print_json(document: &Document, judgement: &Judgement, seed: u64, started: Instant) {
    let (ending, why) = match &document.ending {
        Ending::Finished => ("finished", None),
        Ending::Cut => ("cut", None),
        Ending::Stuck => ("stuck", None),
        Ending::Exhausted(why) => ("exhausted", Some(why)),
    };
    let finished = matches!(document.ending, Ending::Finished);
    let (valid, fault) = match judgement {
        _ if !finished => (None, None),
        Judgement::Valid => (Some(true), None),
        Judgement::Invalid(fault) => (Some(false), Some(fault)),
        Judgement::NotJudged(why) => (None, Some(why)),
    };
    let value = json!({
        "document": String::from_utf8_lossy(&document.shown), "ending": ending, "valid": valid,
        "fault": why.or(fault), "tokens": document.tokens, "steered_tokens": document.steered,
        "special_tokens": document.special, "bytes": document.text.len(), "seed": seed,
        "milliseconds": started.elapsed().as_secs_f64() * 1e3,
    });
    say!("{value}");
}

/// Documents counted by how they ended.
#[derive(Default)]
struct Tally {
    valid: usize,
    invalid: usize,
    not_judged: usize,
    cut: usize,
    stuck: usize,
    exhausted: usize,
}

impl Tally {
    fn add(&mut self, document: &Document, judgement: &Judgement) {
        let counted = match (&document.ending, judgement) {
            (Ending::Finished, Judgement::Valid) => &mut self.valid,
            (Ending::Finished, Judgement::Invalid(_)) => &mut self.invalid,
            (Ending::Finished, Judgement::NotJudged(_)) => &mut self.not_judged,
            (Ending::Cut, _) => &mut self.cut,
            (Ending::Stuck, _) => &mut self.stuck,
            (Ending::Exhausted(_), _) => &mut self.exhausted,
        };
        *counted += 1;
    }

    fn all(&self) -> usize {
        self.valid + self.invalid + self.not_judged + self.cut + self.stuck + self.exhausted
    }

    /// The last words, and the exit code.
    fn verdict(&self, judged: &str) -> Result<Verdict, Failure> {
        if self.all() == 1 && self.valid == 1 {
            eprintln!("{judged}");
        } else {
            eprintln!("{} of {} documents {judged}", count(self.valid), count(self.all()));
        }
        if self.not_judged > 0 {
            eprintln!(
                "{} written under exact masks, but not judged by the validator",
                count(self.not_judged)
            );
        }
        let unfinished = [
            (self.cut, "cut by --max-tokens"),
            (self.stuck, "left where no token is allowed"),
            (self.exhausted, "left where a question ran out of its budget"),
        ];
        let unfinished: Vec<String> = unfinished
            .into_iter()
            .filter(|&(number, _)| number > 0)
            .map(|(number, how)| format!("{} {how}", count(number)))
            .collect();
        if !unfinished.is_empty() {
            return Err(Failure(format!("documents not finished: {}", unfinished.join(", "))));
        }
        Ok(if self.invalid == 0 { Verdict::Accepted } else { Verdict::Refused })
    }
}
