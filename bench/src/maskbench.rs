//! Runs every engine over the same traces, schema by schema, and counts and times what it does.
//!
//! One pass in a fixed order without warm-up. Which engine goes first alternates from schema to schema. An engine
//! compiles the schema and fills the first mask, then goes through the documents: fill the mask, look at the token's
//! bit, commit, until the first token that is not allowed. Timings of a schema are kept only if every engine served it.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::caught::caught;
use crate::clock::{Stopwatch, empty_pair_ns};
use crate::engine::{Committed, Engine, EngineName, Refusal, Session};
use crate::stats::Samples;
use crate::trace::{EncodedDocument, Trace};

/// Commits shorter than this are timed per document and divided.
const SHORT_COMMIT_NS: u64 = 1_000;
/// Time between two lines of progress.
const PROGRESS_EVERY: Duration = Duration::from_secs(5);

/// Whether engines keep what earlier schemas left in shared caches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sharing {
    /// One universe for the whole run.
    Shared,
    /// A fresh one for each schema.
    Isolated,
}

/// What an engine made of a document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    Accepted,
    /// The token at this place is not allowed.
    Rejected {
        at: usize,
    },
    /// The mask allowed the token at this place and the commit refused it, which breaks the engine's own law.
    Contradicted {
        at: usize,
    },
    /// Every token was allowed and the text is not complete.
    Incomplete,
}

/// A document on which an engine's verdict and the label differ.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    /// Place of the schema among the traces.
    pub(crate) trace: usize,
    /// Place of the document among the trace's documents.
    pub(crate) document: usize,
    pub(crate) verdict: Verdict,
}

/// The slowest calls of one schema.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Slowest {
    /// Place of the schema among the traces.
    pub(crate) trace: usize,
    pub(crate) first_mask_ns: u64,
    pub(crate) fill_ns: u64,
    /// Where the slowest mask was filled: place of the document, and of the token that followed.
    pub(crate) document: usize,
    pub(crate) at: usize,
}

/// What one engine did in the whole run.
pub(crate) struct Tally {
    pub(crate) engine: EngineName,
    pub(crate) schemas: usize,
    /// How often each reason ended a schema.
    pub(crate) refusals: BTreeMap<String, usize>,
    /// Valid documents not accepted.
    pub(crate) valid_rejected: Vec<Fault>,
    /// Invalid documents accepted.
    pub(crate) invalid_accepted: Vec<Fault>,
    /// Masks filled for documents of the schemas that this engine serves.
    pub(crate) tokens: usize,
    pub(crate) first_mask: Samples,
    pub(crate) fill: Samples,
    pub(crate) commit: Samples,
    /// One of each schema that this engine serves.
    pub(crate) slowest: Vec<Slowest>,
}

impl Tally {
    pub(crate) fn new(engine: EngineName) -> Self {
        Self {
            engine,
            schemas: 0,
            refusals: BTreeMap::new(),
            valid_rejected: Vec::new(),
            invalid_accepted: Vec::new(),
            tokens: 0,
            first_mask: Samples::default(),
            fill: Samples::default(),
            commit: Samples::default(),
            slowest: Vec::new(),
        }
    }

    /// The number of schemas not served.
    pub(crate) fn refused(&self) -> usize {
        self.refusals.values().sum()
    }

    fn count(&mut self, place: usize, trace: &Trace, run: &Result<SchemaRun, Refusal>) {
        self.schemas += 1;
        let run = match run {
            Ok(run) => run,
            Err(Refusal(reason)) => {
                *self.refusals.entry(reason.clone()).or_default() += 1;
                return;
            }
        };
        self.tokens += run.fill.len();
        self.slowest.push(Slowest { trace: place, ..run.slowest });
        for (document, verdict) in run.verdicts.iter().enumerate() {
            let fault = || Fault { trace: place, document, verdict: verdict.clone() };
            match (trace.documents[document].valid, verdict) {
                (true, Verdict::Accepted) => {}
                (true, _) => self.valid_rejected.push(fault()),
                (false, Verdict::Accepted) => self.invalid_accepted.push(fault()),
                (false, _) => {}
            }
        }
    }
}

/// What one engine did with one schema.
#[derive(Default)]
struct SchemaRun {
    first_mask_ns: u64,
    slowest: Slowest,
    fill: Samples,
    commit: Samples,
    /// One a document, in order.
    verdicts: Vec<Verdict>,
}

/// The clocks of a run.
struct Clocks {
    stopwatch: Stopwatch,
    /// What reading the clock adds to a short call.
    empty_pair_ns: u64,
}

/// Runs the engines over the traces.
pub(crate) fn run(
    engines: &mut [(EngineName, Box<dyn Engine>)],
    traces: &[Trace],
    sharing: Sharing,
) -> Vec<Tally> {
    let mut tallies: Vec<Tally> = engines.iter().map(|(name, _)| Tally::new(*name)).collect();
    let mut clocks = Clocks { stopwatch: Stopwatch::new(), empty_pair_ns: empty_pair_ns() };
    let mut progress = Instant::now();
    for (place, trace) in traces.iter().enumerate() {
        let mut runs: Vec<Option<Result<SchemaRun, Refusal>>> = engines.iter().map(|_| None).collect();
        for turn in 0..engines.len() {
            let chosen = (place + turn) % engines.len();
            runs[chosen] = Some(run_schema(&mut *engines[chosen].1, trace, sharing, &mut clocks));
        }
        let mut runs: Vec<Result<SchemaRun, Refusal>> = runs.into_iter().flatten().collect();
        let served_by_all = runs.iter().all(Result::is_ok);
        for (tally, run) in tallies.iter_mut().zip(&mut runs) {
            tally.count(place, trace, run);
            if let (true, Ok(run)) = (served_by_all, run) {
                tally.first_mask.push(run.first_mask_ns);
                tally.fill.append(&mut run.fill);
                tally.commit.append(&mut run.commit);
            }
        }
        if progress.elapsed() >= PROGRESS_EVERY {
            progress = Instant::now();
            eprintln!("maskbench: {} of {} schemas", place + 1, traces.len());
        }
    }
    tallies
}

/// Runs one engine over the traces for the memory it takes, and forgets the rest.
pub(crate) fn run_one(engine: &mut dyn Engine, trace: &Trace, sharing: Sharing) {
    let mut clocks = Clocks { stopwatch: Stopwatch::new(), empty_pair_ns: 0 };
    let _ = run_schema(engine, trace, sharing, &mut clocks);
}

/// Compiles a schema and tries all its documents; a panic is a refusal.
fn run_schema(
    engine: &mut dyn Engine,
    trace: &Trace,
    sharing: Sharing,
    clocks: &mut Clocks,
) -> Result<SchemaRun, Refusal> {
    let result = caught(|| {
        if sharing == Sharing::Isolated {
            engine.isolate();
        }
        try_schema(engine, trace, clocks)
    });
    result.unwrap_or_else(|place| Err(Refusal(place)))
}

fn try_schema(engine: &mut dyn Engine, trace: &Trace, clocks: &mut Clocks) -> Result<SchemaRun, Refusal> {
    let mut run = SchemaRun::default();
    clocks.stopwatch.settle();
    let (started, start_ns) = clocks.stopwatch.time(|| {
        let grammar = engine.compile(&trace.schema)?;
        let session = grammar.session();
        Ok((grammar, session))
    });
    let (grammar, mut session) = started?;
    let (filled, fill_ns) = clocks.stopwatch.time(|| session.fill());
    filled?;
    run.first_mask_ns = start_ns + fill_ns;
    run.slowest.first_mask_ns = run.first_mask_ns;

    // The first document goes on from the mask that is already there.
    let mut first = Some((session, fill_ns));
    for document in &trace.documents {
        let (mut session, filled_ns) = match first.take() {
            Some((session, fill_ns)) => (session, Some(fill_ns)),
            None => (grammar.session(), None),
        };
        let verdict = try_document(&mut *session, document, filled_ns, clocks, &mut run)?;
        run.verdicts.push(verdict);
    }
    Ok(run)
}

/// Goes through a document until its end or the first token that is not allowed. `filled_ns` is what filling the first
/// mask took, if that has been done.
fn try_document(
    session: &mut dyn Session,
    document: &EncodedDocument,
    mut filled_ns: Option<u64>,
    clocks: &mut Clocks,
    run: &mut SchemaRun,
) -> Result<Verdict, Refusal> {
    let mut commits = Samples::default();
    let mut verdict = None;
    clocks.stopwatch.settle();
    for (at, token) in document.tokens.iter().enumerate() {
        let fill_ns = match filled_ns.take() {
            Some(fill_ns) => fill_ns,
            None => {
                let (filled, fill_ns) = clocks.stopwatch.time(|| session.fill());
                filled?;
                fill_ns
            }
        };
        run.fill.push(fill_ns);
        if fill_ns > run.slowest.fill_ns {
            run.slowest = Slowest { fill_ns, document: run.verdicts.len(), at, ..run.slowest };
        }
        if !session.allows(*token) {
            verdict = Some(Verdict::Rejected { at });
            break;
        }
        let (committed, commit_ns) = clocks.stopwatch.time(|| session.commit(*token));
        if committed? == Committed::NotAllowed {
            verdict = Some(Verdict::Contradicted { at });
            break;
        }
        commits.push(commit_ns);
    }
    commits.pool_below(SHORT_COMMIT_NS, clocks.empty_pair_ns);
    run.commit.append(&mut commits);
    Ok(match verdict {
        Some(verdict) => verdict,
        None if session.is_complete() => Verdict::Accepted,
        None => Verdict::Incomplete,
    })
}

#[cfg(test)]
mod tests {
    use super::{Sharing, Verdict, run};
    use crate::caught::install_hook;
    use crate::engine::{Committed, Engine, EngineName, Grammar, Notation, Refusal, Session};
    use crate::trace::{EncodedDocument, Trace};

    /// Reads a schema as the one text it accepts, token by token; some schemas make it misbehave.
    #[derive(Default)]
    struct Literal {
        /// Schemas since caches were last forgotten.
        seen: usize,
        refuses: &'static str,
    }

    struct Text(Vec<u32>);

    struct Position {
        text: Vec<u32>,
        at: usize,
    }

    impl Engine for Literal {
        fn isolate(&mut self) {
            self.seen = 0;
        }

        fn compile(&mut self, schema: &str) -> Result<Box<dyn Grammar>, Refusal> {
            self.seen += 1;
            assert_ne!(schema, "panic");
            if schema == self.refuses {
                return Err(Refusal(format!("refused as schema {}", self.seen)));
            }
            Ok(Box::new(Text(schema.bytes().map(u32::from).collect())))
        }

        fn compile_grammar(&mut self, _: Notation, text: &str) -> Result<Box<dyn Grammar>, Refusal> {
            self.compile(text)
        }
    }

    impl Grammar for Text {
        fn session(&self) -> Box<dyn Session> {
            Box::new(Position { text: self.0.clone(), at: 0 })
        }
    }

    impl Session for Position {
        fn fill(&mut self) -> Result<(), Refusal> {
            let exhausts = self.text.get(self.at) == Some(&u32::from(b'!'));
            if exhausts { Err(Refusal("exhausted".to_owned())) } else { Ok(()) }
        }

        fn allows(&self, token: u32) -> bool {
            self.text.get(self.at) == Some(&token)
        }

        fn commit(&mut self, token: u32) -> Result<Committed, Refusal> {
            self.at += 1;
            Ok(if token == u32::from(b'?') { Committed::NotAllowed } else { Committed::Yes })
        }

        fn is_complete(&mut self) -> bool {
            self.at == self.text.len()
        }
    }

    fn trace(schema: &str, documents: &[(bool, &str)]) -> Trace {
        let documents = documents.iter().enumerate().map(|(number, (valid, text))| EncodedDocument {
            number,
            valid: *valid,
            tokens: text.bytes().map(u32::from).collect(),
        });
        Trace { name: schema.to_owned(), schema: schema.to_owned(), documents: documents.collect() }
    }

    #[test]
    fn verdicts_are_told_apart_and_counted_against_the_labels() {
        let traces =
            [trace("ab?", &[(true, "ab"), (true, "ax"), (true, "ab?"), (false, "b")]), trace("c", &[])];
        let wrong = [trace("ab", &[(false, "ab"), (true, "ab")])];
        let mut engines: Vec<(EngineName, Box<dyn Engine>)> =
            vec![(EngineName::Maskwright, Box::new(Literal::default()))];
        let tally = &run(&mut engines, &traces, Sharing::Shared)[0];
        let verdicts: Vec<(usize, Verdict)> =
            tally.valid_rejected.iter().map(|fault| (fault.document, fault.verdict.clone())).collect();
        assert_eq!(
            verdicts,
            [
                (0, Verdict::Incomplete),
                (1, Verdict::Rejected { at: 1 }),
                (2, Verdict::Contradicted { at: 2 })
            ]
        );
        assert_eq!((tally.schemas, tally.refused(), tally.invalid_accepted.len()), (2, 0, 0));
        // One mask a token until the document ends or is rejected; commits only where a token was committed.
        assert_eq!(
            (tally.tokens, tally.fill.len(), tally.commit.len(), tally.first_mask.len()),
            (8, 8, 5, 2)
        );
        let tally = &run(&mut engines, &wrong, Sharing::Shared)[0];
        assert_eq!((tally.valid_rejected.len(), tally.invalid_accepted.len()), (0, 1));
        assert_eq!(tally.invalid_accepted[0].document, 0);
    }

    #[test]
    fn times_are_kept_only_for_schemas_that_all_engines_serve() {
        install_hook();
        let traces = [
            trace("ab", &[(true, "ab")]),
            trace("cd", &[(true, "cd")]),
            trace("panic", &[(true, "panic")]),
            trace("e!", &[(true, "e!")]),
        ];
        let mut engines: Vec<(EngineName, Box<dyn Engine>)> = vec![
            (EngineName::Maskwright, Box::new(Literal::default())),
            (EngineName::Llguidance, Box::new(Literal { seen: 0, refuses: "cd" })),
        ];
        let tallies = run(&mut engines, &traces, Sharing::Shared);
        assert_eq!([tallies[0].refused(), tallies[1].refused()], [2, 3]);
        assert_eq!([tallies[0].tokens, tallies[1].tokens], [4, 2]);
        for tally in &tallies {
            assert_eq!((tally.first_mask.len(), tally.fill.len(), tally.commit.len()), (1, 2, 2));
            assert_eq!(tally.refusals["exhausted"], 1);
            assert!(tally.refusals.keys().any(|reason| reason.starts_with("panic at ")));
        }
        assert_eq!(tallies[1].refusals["refused as schema 2"], 1);
        let isolated = run(&mut engines, &traces, Sharing::Isolated);
        assert_eq!(isolated[1].refusals["refused as schema 1"], 1);
    }
}
