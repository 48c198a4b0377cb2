//! `maskwright dump`: the intermediate grammar in its text form, or a map of the automaton's states; either as a graph.

use clap::{Args, ValueEnum};
use maskwright::CompiledGrammar;
use maskwright::automaton::EndingStep;
use maskwright::compiler::Source;
use maskwright::grammar::dot;
use maskwright::limits::MAP_STATES_MAX;

use crate::language::LanguageArguments;
use crate::readable::quoted;
use crate::say::say;
use crate::special::{Names, SpecialArguments};
use crate::walk::{Departure, Walk};
use crate::{Failure, Verdict};

/// Options of `dump`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// What is shown.
    #[arg(value_enum)]
    what: What,
    #[command(flatten)]
    language: LanguageArguments,
    #[command(flatten)]
    special: SpecialArguments,
    /// A graph for Graphviz: `maskwright dump … --dot | dot -Tsvg`.
    #[arg(long)]
    dot: bool,
    /// Of the automaton: the states along this text, instead of those that bytes lead to breadth first.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    text: Option<String>,
    /// Of the automaton: most states that are shown, at most 10,000.
    #[arg(long, value_name = "COUNT", default_value_t = 100, value_parser = states_in_range)]
    states: usize,
}

/// What can be shown.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum What {
    /// The grammar in its text form, which `--grammar` reads back (but for schemas inside); of a schema the formula that it means.
    Grammar,
    /// States, what they stand for and where bytes lead.
    Automaton,
}

/// A number of states that can be shown.
fn states_in_range(given: &str) -> Result<usize, String> {
    match given.parse() {
        Ok(states) if (1..=MAP_STATES_MAX).contains(&states) => Ok(states),
        _ => Err(format!("expected a number from 1 to {MAP_STATES_MAX}")),
    }
}

/// Runs `dump`.
pub(crate) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    if arguments.what == What::Grammar && arguments.text.is_some() {
        return Err(Failure("--text chooses states: it goes with `dump automaton`".into()));
    }
    let language = arguments.language.read()?;
    let grammar = language.compile()?;
    let mut verdict = Verdict::Accepted;
    let shown = match (arguments.what, arguments.dot) {
        (What::Grammar, false) => grammar.source().to_string(),
        (What::Grammar, true) => match grammar.source() {
            Source::Grammar(grammar) => dot::of_grammar(grammar),
            Source::Schema(program) => dot::of_program(program),
            other => return Err(Failure(format!("there is no picture of this source:\n{other}"))),
        },
        (What::Automaton, as_graph) => {
            let automaton = grammar.automaton()?;
            let map = match &arguments.text {
                Some(text) => {
                    let names = arguments.special.names(&language.vocabulary);
                    verdict = judge(&grammar, &names, text.as_bytes())?;
                    automaton.map_along_steps(&steps(&names, text.as_bytes()), arguments.states)?
                }
                None => automaton.map(arguments.states)?,
            };
            if as_graph { map.to_dot() } else { map.to_string() }
        }
    };
    say!("{}", shown.trim_end());
    Ok(verdict)
}

/// Says on standard error where a text leaves the language: the states shown end there.
fn judge(grammar: &CompiledGrammar, names: &Names, text: &[u8]) -> Result<Verdict, Failure> {
    let mut walk = Walk::new(grammar, names);
    let (taken, departure) = walk.take(text);
    let why = match departure {
        None => return Ok(Verdict::Accepted),
        Some(Departure::Undecided(why)) => {
            return Err(Failure(format!("the text can't be judged beyond byte {taken}: {why}")));
        }
        Some(Departure::NotAllowed) => "is not allowed",
        Some(Departure::Unspellable) => "starts with a byte that no token spells alone",
    };
    let rest = &text[taken..];
    let allowed = walk.next_in_words()?;
    eprintln!("refused at byte {taken}: {} {why} there; allowed: {allowed}", quoted(rest));
    if let Some(hint) = names.hint(rest) {
        eprintln!("{hint}");
    }
    Ok(Verdict::Refused)
}

/// The bytes of a text, and the special tokens that it names.
fn steps(names: &Names, text: &[u8]) -> Vec<EndingStep> {
    let mut steps = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let (step, len) = match names.at_start(&text[at..]) {
            Some((token, len)) => (EndingStep::Letter(token), len),
            None => (EndingStep::Byte(text[at]), 1),
        };
        steps.push(step);
        at += len;
    }
    steps
}
