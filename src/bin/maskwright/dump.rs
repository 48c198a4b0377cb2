//! `maskwright dump`: the intermediate grammar in its text form, or a map of the automaton's states; either as a graph.

use clap::{Args, ValueEnum};
use maskwright::Compiler;
use maskwright::compiler::Source;
use maskwright::grammar::dot;

use crate::arguments::{ReadingArguments, VocabularyArguments};
use crate::say::say;
use crate::source::SourceArguments;
use crate::{Failure, Verdict};

/// Options of `dump`.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// What is shown.
    #[arg(value_enum)]
    what: What,
    #[command(flatten)]
    source: SourceArguments,
    #[command(flatten)]
    vocabulary: VocabularyArguments,
    #[command(flatten)]
    reading: ReadingArguments,
    /// A graph for Graphviz: `maskwright dump … --dot | dot -Tsvg`.
    #[arg(long)]
    dot: bool,
    /// Of the automaton: the states along this text, instead of those that bytes lead to breadth first.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    text: Option<String>,
    /// Of the automaton: most states that are shown.
    #[arg(long, value_name = "COUNT", default_value_t = 100)]
    states: usize,
}

/// What can be shown.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum What {
    /// The grammar in its text form, which can be read back; of a schema the formula that it means.
    Grammar,
    /// States, what they stand for and where bytes lead.
    Automaton,
}

/// Runs `dump`.
pub(crate) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    if arguments.what == What::Grammar && arguments.text.is_some() {
        return Err(Failure("--text chooses states: it goes with `dump automaton`".into()));
    }
    let source = arguments.source.read()?;
    let vocabulary = arguments.vocabulary.load()?;
    let grammar = source.compile(&Compiler::new(vocabulary, arguments.reading.config()?))?;
    let shown = match (arguments.what, arguments.dot) {
        (What::Grammar, false) => grammar.source().to_string(),
        (What::Grammar, true) => match grammar.source() {
            Source::Grammar(grammar) => dot::of_grammar(grammar),
            Source::Schema(program) => dot::of_program(program),
            other => return Err(Failure(format!("there is no picture of this source:\n{other}"))),
        },
        (What::Automaton, as_graph) => {
            let automaton = grammar.automaton();
            let map = match &arguments.text {
                Some(text) => automaton.map_along(text.as_bytes(), arguments.states)?,
                None => automaton.map(arguments.states)?,
            };
            if as_graph { map.to_dot() } else { map.to_string() }
        }
    };
    say!("{}", shown.trim_end());
    Ok(Verdict::Accepted)
}
