//! Real schemas: a sample of the benchmark with its labelled documents, and the cases made from bug reports.
//!
//! A document must be accepted exactly if its label says that it is valid and the surface policy leaves its spelling
//! in; rearranged into the declared order, every valid document is accepted and no invalid one.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;

use maskwright::error::CompileErrorKind;
use maskwright::{
    CompiledGrammar, Compiler, CompilerConfig, KeyOrder, Matcher, SurfacePolicy, TokenId, Vocabulary,
};
use maskwright_oracle::data::{self, BenchmarkCase};
use maskwright_oracle::generate::{Random, document};
use maskwright_oracle::laws::{mask_is_brute_force, verdicts_agree};
use maskwright_oracle::subject::World;
use maskwright_oracle::twin::{Twin, Value};

/// Every how many-th schema of the benchmark the default run takes.
const STEP: usize = 23;

/// Documents whose label is known to be wrong or about what the label's format assertion means, by schema name.
const LABELS_IN_DOUBT: [&str; 0] = [];

/// Each byte's token in the vocabulary, so that texts go in byte by byte.
struct Speller {
    tokens: Vec<Option<TokenId>>,
}

impl Speller {
    fn new(vocabulary: &Vocabulary) -> Self {
        Self { tokens: maskwright_oracle::generate::vocabulary::byte_tokens(vocabulary) }
    }

    /// Whether the text is accepted; where not, how far it came.
    fn accepts(&self, grammar: &CompiledGrammar, text: &[u8]) -> Result<(), usize> {
        let mut matcher = Matcher::new(grammar);
        for (at, &byte) in text.iter().enumerate() {
            let token = self.tokens[usize::from(byte)].unwrap();
            matcher.commit(token).map_err(|_| at)?;
        }
        if matcher.is_accepting() { Ok(()) } else { Err(text.len()) }
    }
}

/// The document as Python's `json.dumps` spells it with its characters as they are.
fn dumped(value: &Value) -> String {
    let compact = value.to_string();
    let mut text = String::new();
    let (mut in_string, mut escaped) = (false, false);
    for c in compact.chars() {
        text.push(c);
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => in_string = !in_string,
            ',' | ':' if !in_string => text.push(' '),
            _ => {}
        }
    }
    text
}

/// Keywords in whose schemas names are mentioned, or that lead to the schemas of members, and that the twin does not
/// follow: it can't tell the declared order then.
const UNORDERED: [&str; 8] = [
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "patternProperties",
];

fn check_case(
    case: &BenchmarkCase,
    grammar: &CompiledGrammar,
    unordered: &Compiler,
    speller: &Speller,
    counts: &mut BTreeMap<&'static str, usize>,
) {
    let Ok(judge) = Twin::judge(&case.schema, SurfacePolicy::default()) else {
        // References by URL are not the twin's business.
        *counts.entry("schemas that the twin does not read").or_default() += 1;
        return;
    };
    if judge.unsupported().iter().any(|keyword| UNORDERED.contains(&keyword.as_str())) {
        let grammar = unordered.json_schema(&case.schema.to_string()).unwrap();
        for test in &case.tests {
            let text = dumped(&Value::from_json(&test.document));
            let expected = test.is_valid && judge.is_spelled(text.as_bytes());
            let found = speller.accepts(&grammar, text.as_bytes());
            assert_eq!(found.is_ok(), expected, "{}: {found:?}, any order, {text}", case.name);
            *counts.entry("in any order").or_default() += 1;
        }
        return;
    }
    for test in &case.tests {
        let value = Value::from_json(&test.document);
        let text = dumped(&value);
        let fits = judge.is_spelled(text.as_bytes()) && judge.is_ordered(&value);
        let found = speller.accepts(grammar, text.as_bytes());
        let expected = test.is_valid && fits;
        assert_eq!(found.is_ok(), expected, "{}: {found:?}, valid {}, {text}", case.name, test.is_valid);
        let arranged = dumped(&judge.arranged(&value));
        // Spellings of numbers outside the policy stay outside whatever the order.
        if judge.is_spelled(arranged.as_bytes()) {
            let found = speller.accepts(grammar, arranged.as_bytes());
            assert_eq!(found.is_ok(), test.is_valid, "{}: {found:?}, arranged {arranged}", case.name);
        }
        let what = match (test.is_valid, fits) {
            (true, true) => "valid and spelled",
            (true, false) => "valid, excluded by the policy",
            (false, _) => "invalid",
        };
        *counts.entry(what).or_default() += 1;
    }
}

fn check_benchmark(step: usize) {
    let vocabulary = Vocabulary::demo();
    let compiler = Compiler::new(vocabulary.clone(), CompilerConfig::default());
    let unordered = SurfacePolicy { key_order: KeyOrder::Any, ..SurfacePolicy::default() };
    let unordered = Compiler::new(vocabulary.clone(), CompilerConfig::with_policy(unordered));
    let speller = Speller::new(&vocabulary);
    let mut counts = BTreeMap::new();
    let mut refusals: BTreeMap<String, usize> = BTreeMap::new();
    let cases = data::maskbench(step);
    for case in &cases {
        if LABELS_IN_DOUBT.contains(&case.name.as_str()) {
            continue;
        }
        match compiler.json_schema(&case.schema.to_string()) {
            Ok(grammar) => check_case(case, &grammar, &unordered, &speller, &mut counts),
            Err(error) => {
                let is_honest = matches!(
                    error.kind(),
                    CompileErrorKind::Unsupported
                        | CompileErrorKind::Unsatisfiable
                        | CompileErrorKind::Reference
                        | CompileErrorKind::Limit
                );
                assert!(is_honest, "{}: {error}", case.name);
                if error.kind() == CompileErrorKind::Unsatisfiable {
                    assert!(case.tests.iter().all(|test| !test.is_valid), "{}: {error}", case.name);
                }
                *refusals.entry(format!("{}: {}", error.kind().name(), error.subject())).or_default() += 1;
            }
        }
    }
    let refused: usize = refusals.values().sum();
    println!("{} schemas, {refused} refused: {refusals:?}; documents: {counts:?}", cases.len());
    assert!(refused * 20 <= cases.len(), "nearly all schemas compile");
}

#[test]
fn labelled_documents_of_real_schemas_are_accepted_exactly_if_valid() {
    check_benchmark(STEP);
}

#[test]
#[ignore = "long: the whole benchmark"]
fn all_labelled_documents_are_accepted_exactly_if_valid() {
    check_benchmark(1);
}

/// Schemas small enough for the twin: all verdicts about documents and mutations of them, and masks on the way.
#[test]
fn real_schemas_that_the_twin_judges_agree_with_it() {
    const SEED: u64 = 0x3E41_0001;
    println!("seed {SEED:#x}");
    let mut random = Random::new(SEED);
    let cut = maskwright_oracle::generate::vocabulary::cut(&Vocabulary::demo(), 600).unwrap();
    let compiler = Compiler::new(cut.clone(), CompilerConfig::default());
    let (mut schemas, mut texts, mut masks, mut too_large) = (0, 0, 0, 0);
    for case in data::maskbench(STEP) {
        let Ok(grammar) = compiler.json_schema(&case.schema.to_string()) else { continue };
        let Ok(world) = World::new(case.schema, SurfacePolicy::default(), cut.clone()) else { continue };
        let start = Matcher::new(&grammar);
        schemas += 1;
        for test in case.tests.iter().take(3) {
            let text = dumped(&world.twin.arranged(&Value::from_json(&test.document))).into_bytes();
            if text.len() > 600 {
                continue;
            }
            for text in
                [text.clone(), document::mutated(&text, &mut random), document::mutated(&text, &mut random)]
            {
                match verdicts_agree(&world, &start, &text) {
                    Ok(()) => texts += 1,
                    Err(broken) if broken.detail.ends_with("too large for the slow twin") => too_large += 1,
                    Err(broken) => panic!("{}: {broken}", case.name),
                }
            }
            let mut subject = start.clone();
            let tokens = maskwright_oracle::generate::vocabulary::longest_match(&cut, &text).unwrap();
            for token in tokens {
                if random.chance(1, 30) {
                    match mask_is_brute_force(&world, &subject) {
                        Ok(()) => masks += 1,
                        Err(broken) if broken.detail.ends_with("too large for the slow twin") => {
                            too_large += 1
                        }
                        Err(broken) => panic!("{}: {broken}", case.name),
                    }
                }
                if subject.commit(token).is_err() {
                    break;
                }
            }
        }
    }
    println!("{schemas} schemas, {texts} texts, {masks} masks, {too_large} left out as too large");
}

#[test]
fn cases_from_bug_reports_are_decided_as_reported() {
    let vocabulary = Vocabulary::demo();
    let compiler = Compiler::new(vocabulary.clone(), CompilerConfig::default());
    let speller = Speller::new(&vocabulary);
    let (mut compiled, mut refused) = (0, 0);
    for case in data::reported_cases().iter().filter(|case| case.kind == "json_schema") {
        let grammar = match compiler.json_schema(&case.grammar.to_string()) {
            Ok(grammar) => grammar,
            Err(error) if error.kind() == CompileErrorKind::Unsatisfiable => {
                assert!(case.accept.is_empty(), "{}: {error}", case.id);
                compiled += 1;
                continue;
            }
            Err(error) => {
                assert_eq!(error.kind(), CompileErrorKind::Unsupported, "{}: {error}", case.id);
                println!("{}: {error}", case.id);
                refused += 1;
                continue;
            }
        };
        compiled += 1;
        let judge = Twin::judge(&case.grammar, SurfacePolicy::default()).unwrap();
        for (text, may_be_left_out) in &case.accept {
            let fits = judge.parse(text.as_bytes()).is_some_and(|value| judge.is_ordered(&value));
            let found = speller.accepts(&grammar, text.as_bytes());
            assert!(fits || *may_be_left_out, "{}: {text} is outside the policy", case.id);
            assert_eq!(found.is_ok(), fits, "{}: {text}: {found:?}", case.id);
        }
        for text in &case.reject {
            assert!(speller.accepts(&grammar, text.as_bytes()).is_err(), "{}: {text} is accepted", case.id);
        }
    }
    println!("{compiled} cases decided, {refused} refused");
}
