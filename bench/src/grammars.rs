//! Context-free grammars: the same texts through both engines, with what each mask, commit and compilation takes.
//!
//! Each grammar is run twice: maskwright reads EBNF, then the Lark text that the other engine reads both times.
//!
//! For each grammar an engine compiles it, then goes through all texts once, without warm-up: fill the mask, look at the next
//! token's bit, commit. The engines alternate text by text. Then it is compiled again and again, each time up to the first mask.
//! Answers are checked: every text is accepted, every mask has the next token, and a sample of masks is compared token by token.

use std::path::Path;

use crate::clock::{Stopwatch, empty_pair_ns};
use crate::engine::{Committed, Engine, EngineName, Grammar, Notation, Session};
use crate::stats::{Samples, Summary};
use crate::texts::{Language, texts};
use crate::tokenizer::{Encoder, Encoding};

/// Commits shorter than this are timed per text and divided.
const SHORT_COMMIT_NS: u64 = 1_000;
/// One mask of so many is compared between the engines.
const COMPARED_EVERY: usize = 37;
/// Differing masks that are shown for each grammar.
const DIFFERENCES_SHOWN: usize = 3;

/// How much is run.
#[derive(Clone, Copy)]
pub(crate) struct Amount {
    pub(crate) texts: usize,
    pub(crate) compilations: usize,
    pub(crate) seed: u64,
}

/// A grammar for each engine, and the language of its texts.
struct Case {
    name: &'static str,
    language: Language,
    lark: &'static str,
    /// A grammar in EBNF that takes these texts too, and where it lies.
    ebnf: (&'static str, &'static str),
}

const CASES: [Case; 5] = [
    Case {
        name: "json",
        language: Language::Json,
        lark: include_str!("../grammars/json.lark"),
        ebnf: ("grammars/json.ebnf", include_str!("../../grammars/json.ebnf")),
    },
    Case {
        name: "arithmetic",
        language: Language::Arithmetic,
        lark: include_str!("../grammars/arithmetic.lark"),
        ebnf: ("bench/grammars/arithmetic.ebnf", include_str!("../grammars/arithmetic.ebnf")),
    },
    Case {
        name: "sql-select",
        language: Language::Sql,
        lark: include_str!("../grammars/sql-select.lark"),
        ebnf: ("grammars/sql-select.ebnf", include_str!("../../grammars/sql-select.ebnf")),
    },
    Case {
        name: "python-expression",
        language: Language::Python,
        lark: include_str!("../grammars/python-expression.lark"),
        ebnf: ("grammars/python-expression.ebnf", include_str!("../../grammars/python-expression.ebnf")),
    },
    Case {
        name: "xml",
        language: Language::Xml,
        lark: include_str!("../grammars/xml.lark"),
        ebnf: ("bench/grammars/xml.ebnf", include_str!("../grammars/xml.ebnf")),
    },
];

/// What one engine did with one grammar.
#[derive(Default)]
struct Tally {
    fill: Samples,
    commit: Samples,
    /// From the text of the grammar to the first mask, in the engine as it is, which has met this grammar, and in a fresh one.
    first: Samples,
    first_afresh: Samples,
    /// Texts not accepted.
    wrong: usize,
}

/// The two engines with the grammar that each has compiled.
struct Side {
    name: EngineName,
    engine: Box<dyn Engine>,
    notation: Notation,
    text: &'static str,
    grammar: Box<dyn Grammar>,
    tally: Tally,
}

/// Masks compared between the engines.
#[derive(Default)]
struct Compared {
    masks: usize,
    different: usize,
    /// Tokens that only the first engine allows, and that only the second does.
    only: [usize; 2],
}

/// Runs all grammars and prints the table.
///
/// # Errors
/// If a text can't be encoded or an engine refuses a grammar; if an answer is wrong.
pub(crate) fn print(
    tokenizer: &Path,
    encoder: &Encoder,
    grammars: &[String],
    amount: Amount,
) -> Result<(), String> {
    if let Some(unknown) = grammars.iter().find(|name| CASES.iter().all(|case| case.name != **name)) {
        let known: Vec<&str> = CASES.iter().map(|case| case.name).collect();
        return Err(format!("there is no grammar {unknown}; there are {}", known.join(", ")));
    }
    let names = [EngineName::Maskwright, EngineName::Llguidance];
    let mut wrong = 0;
    let mut stopwatch = Stopwatch::new();
    let chosen = |case: &&Case| grammars.is_empty() || grammars.iter().any(|name| name == case.name);
    for case in CASES.iter().filter(chosen) {
        let tokens = encoded(case, amount, encoder)?;
        // The other engine reads Lark's notation only.
        for ours in [(Notation::Ebnf, case.ebnf.1), (Notation::Lark, case.lark)] {
            let mut sides = Vec::new();
            for (name, text) in names.into_iter().zip([ours, (Notation::Lark, case.lark)]) {
                sides.push(Side::new(name, name.build(tokenizer, encoder.table(), None)?, text, case.name)?);
            }
            let mut sides: [Side; 2] = sides.try_into().map_err(|_| "there are two engines".to_owned())?;
            for (place, tokens) in tokens.iter().enumerate() {
                for turn in 0..2 {
                    sides[(place + turn) % 2].go_through(tokens, &mut stopwatch)?;
                }
            }
            let compared = compare(&mut sides, &tokens, encoder)?;
            for side in &mut sides {
                side.compile_again(amount.compilations, &mut stopwatch)?;
            }
            wrong += sides.iter().map(|side| side.tally.wrong).sum::<usize>();
            report(case, &mut sides, &tokens, &compared);
        }
    }
    if wrong == 0 { Ok(()) } else { Err(format!("{wrong} wrong verdicts")) }
}

fn encoded(case: &Case, amount: Amount, encoder: &Encoder) -> Result<Vec<Vec<u32>>, String> {
    let encoded =
        texts(case.language, amount.seed, amount.texts).into_iter().map(|text| match encoder.encode(&text) {
            Some(Encoding::Real(tokens) | Encoding::Greedy(tokens)) => Ok(tokens),
            None => Err(format!("{}: the vocabulary can't spell {text:?}", case.name)),
        });
    encoded.collect()
}

impl Side {
    fn new(
        name: EngineName,
        mut engine: Box<dyn Engine>,
        (notation, text): (Notation, &'static str),
        case: &str,
    ) -> Result<Self, String> {
        let compiled = engine.compile_grammar(notation, text);
        let grammar = compiled.map_err(|e| format!("{} refuses {case}: {}", name.as_str(), e.0))?;
        // What was learnt while it was compiled is forgotten, so that the first text meets it cold.
        engine.isolate();
        let mut side = Self { name, engine, notation, text, grammar, tally: Tally::default() };
        side.grammar = side.compiled()?;
        Ok(side)
    }

    fn compiled(&mut self) -> Result<Box<dyn Grammar>, String> {
        self.engine
            .compile_grammar(self.notation, self.text)
            .map_err(|e| format!("{}: {}", self.name.as_str(), e.0))
    }

    fn go_through(&mut self, tokens: &[u32], stopwatch: &mut Stopwatch) -> Result<(), String> {
        let mut session = self.grammar.session();
        let mut commits = Samples::default();
        let fault = |e: crate::engine::Refusal| e.0;
        stopwatch.settle();
        for &token in tokens {
            let (filled, fill_ns) = stopwatch.time(|| session.fill());
            filled.map_err(fault)?;
            self.tally.fill.push(fill_ns);
            if !session.allows(token) {
                self.tally.wrong += 1;
                return Ok(());
            }
            let (committed, commit_ns) = stopwatch.time(|| session.commit(token));
            if committed.map_err(fault)? == Committed::NotAllowed {
                self.tally.wrong += 1;
                return Ok(());
            }
            commits.push(commit_ns);
        }
        commits.pool_below(SHORT_COMMIT_NS, empty_pair_ns());
        self.tally.commit.append(&mut commits);
        self.tally.wrong += usize::from(!session.is_complete());
        Ok(())
    }

    fn compile_again(&mut self, count: usize, stopwatch: &mut Stopwatch) -> Result<(), String> {
        for afresh in [false, true] {
            for _ in 0..count {
                if afresh {
                    self.engine.isolate();
                }
                stopwatch.settle();
                let (filled, taken) = stopwatch.time(|| {
                    let grammar = self.engine.compile_grammar(self.notation, self.text)?;
                    grammar.session().fill()
                });
                filled.map_err(|e| e.0)?;
                let samples = if afresh { &mut self.tally.first_afresh } else { &mut self.tally.first };
                samples.push(taken);
            }
        }
        Ok(())
    }
}

/// Goes through the texts again with both engines at once, and compares a sample of their masks.
fn compare(sides: &mut [Side; 2], tokens: &[Vec<u32>], encoder: &Encoder) -> Result<Compared, String> {
    let mut compared = Compared::default();
    let mut at = 0;
    for text in tokens {
        let mut sessions: [Box<dyn Session>; 2] = [sides[0].grammar.session(), sides[1].grammar.session()];
        for (place, &token) in text.iter().enumerate() {
            at += 1;
            if at % COMPARED_EVERY == 0 {
                for session in &mut sessions {
                    session.fill().map_err(|e| e.0)?;
                }
                compared.masks(&sessions, &text[..place], encoder);
            }
            for session in &mut sessions {
                if session.commit(token).map_err(|e| e.0)? == Committed::NotAllowed {
                    return Ok(compared);
                }
            }
        }
    }
    Ok(compared)
}

impl Compared {
    fn masks(&mut self, sessions: &[Box<dyn Session>; 2], before: &[u32], encoder: &Encoder) {
        let table = encoder.table();
        let len = u32::try_from(table.len()).expect("token ids are u32");
        let mut only: [Vec<u32>; 2] = [Vec::new(), Vec::new()];
        for token in (0..len).filter(|token| !table.is_added(*token)) {
            match (sessions[0].allows(token), sessions[1].allows(token)) {
                (true, false) => only[0].push(token),
                (false, true) => only[1].push(token),
                _ => {}
            }
        }
        self.masks += 1;
        if only.iter().all(Vec::is_empty) {
            return;
        }
        self.different += 1;
        if self.different <= DIFFERENCES_SHOWN {
            let text = table.spell(before);
            let end = String::from_utf8_lossy(&text[text.len().saturating_sub(30)..]).into_owned();
            let some = |tokens: &[u32]| {
                let spelled = |token: &u32| String::from_utf8_lossy(&table.spell(&[*token])).into_owned();
                format!("{} {:?}", tokens.len(), tokens.iter().take(8).map(spelled).collect::<Vec<_>>())
            };
            println!(
                "  masks differ behind {end:?}: only maskwright {}, only llguidance {}",
                some(&only[0]),
                some(&only[1])
            );
        }
        for (sum, only) in self.only.iter_mut().zip(&only) {
            *sum += only.len();
        }
    }
}

/// Prints what one grammar took.
fn report(case: &Case, sides: &mut [Side; 2], tokens: &[Vec<u32>], compared: &Compared) {
    let ours = match sides[0].notation {
        Notation::Lark => "the same Lark text".to_owned(),
        Notation::Ebnf => format!("maskwright: {}", case.ebnf.0),
    };
    println!(
        "\n{} ({ours}): {} texts, {} masks; {} of {} masks compared differ (+{} −{} tokens)",
        case.name,
        tokens.len(),
        sides[0].tally.fill.len(),
        compared.different,
        compared.masks,
        compared.only[0],
        compared.only[1],
    );
    println!("{:<28} {:>12} {:>12} {:>8}", "µs", sides[0].name.as_str(), sides[1].name.as_str(), "ratio");
    let line = |label: &str, figures: [f64; 2]| {
        let ratio = if figures[0] > 0.0 { figures[1] / figures[0] } else { f64::NAN };
        println!("{label:<28} {:>12.2} {:>12.2} {ratio:>8.2}", figures[0], figures[1]);
    };
    let of = |sides: &mut [Side; 2], kind: fn(&mut Tally) -> Summary| {
        let [a, b] = sides;
        [kind(&mut a.tally), kind(&mut b.tally)]
    };
    let fill = of(sides, |tally| tally.fill.summary());
    type Figure = fn(&Summary) -> f64;
    let figures: [(&str, Figure); 5] = [
        ("mean", |s| s.mean),
        ("p50", |s| s.p50),
        ("p99", |s| s.p99),
        ("p99.9", |s| s.p999),
        ("max", |s| s.max),
    ];
    for (label, figure) in figures {
        line(&format!("mask {label}"), fill.each_ref().map(figure));
    }
    line("commit mean", of(sides, |tally| tally.commit.summary()).each_ref().map(|s| s.mean));
    line("first mask p50, met again", of(sides, |tally| tally.first.summary()).each_ref().map(|s| s.p50));
    line("first mask p50, cold", of(sides, |tally| tally.first_afresh.summary()).each_ref().map(|s| s.p50));
    println!("{:<28} {:>12} {:>12}", "wrong verdicts", sides[0].tally.wrong, sides[1].tally.wrong);
}
