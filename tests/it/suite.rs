//! The official JSON Schema test suite, byte by byte through matchers, in key order `any` with all spellings.
//!
//! Formats are annotations where the suite takes them for such, and asserted in `optional/format`. What is refused, and what is
//! answered otherwise than labelled, stands in a list with its reason: a schema that is not listed passes all its tests, and one
//! that is listed does not.

use std::collections::BTreeSet;

use maskwright::{Compiler, CompilerConfig, DialectName, FormatsAre, Resolver, SurfacePolicy};
use maskwright_oracle::data;

use crate::reports::{accepts, bytes};

/// Lines `draft | file | description | outcome`; what follows `#` at the start of a line says why.
const EXPECTED: &str = include_str!("suite-expected.txt");

/// What became of a schema and its tests; `None`: all is as labelled.
fn outcome(compiler: &Compiler, case: &data::SuiteCase, texts: &mut usize) -> Option<String> {
    let grammar = match compiler.json_schema(&case.schema) {
        Ok(grammar) => grammar,
        // Where no document is valid, there is nothing to generate.
        Err(e) if e.kind() == maskwright::error::CompileErrorKind::Unsatisfiable => {
            *texts += case.tests.len();
            let wrong = case.tests.iter().any(|(_, is_valid)| *is_valid);
            return wrong.then(|| format!("unsatisfiable: {e}"));
        }
        Err(e) => return Some(format!("refused: {}", e.subject())),
    };
    let mut wrong = Vec::new();
    for (at, (text, is_valid)) in case.tests.iter().enumerate() {
        *texts += 1;
        if accepts(&grammar, text) != *is_valid {
            wrong.push(at.to_string());
        }
    }
    (!wrong.is_empty()).then(|| format!("wrong: {}", wrong.join(", ")))
}

#[test]
fn the_official_suite_passes() {
    let cases = data::suite();
    let resolver = Resolver::of_documents(data::suite_documents());
    let compiler = |dialect, formats_are| {
        let mut config = CompilerConfig::with_policy(SurfacePolicy::permissive());
        config.dialect = dialect;
        config.formats_are = formats_are;
        config.resolver = resolver.clone();
        Compiler::new(bytes(), config)
    };
    let compilers = [DialectName::Draft7, DialectName::Draft2020]
        .map(|dialect| [FormatsAre::Annotations, FormatsAre::Asserted].map(|are| compiler(dialect, are)));
    let mut found = BTreeSet::new();
    let mut texts = 0;
    for case in &cases {
        let compilers = &compilers[usize::from(case.draft != "draft7")];
        let compiler = &compilers[usize::from(case.file.starts_with("optional/format"))];
        if let Some(outcome) = outcome(compiler, case, &mut texts) {
            found.insert(format!("{} | {} | {} | {outcome}", case.draft, case.file, case.description));
        }
    }
    println!("{} schemas, {texts} texts, {} schemas are not as labelled", cases.len(), found.len());
    if cases.is_empty() {
        return;
    }
    let lines = EXPECTED.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let expected: BTreeSet<String> = lines.map(str::to_owned).collect();
    let unexpected: Vec<&String> = found.difference(&expected).collect();
    let passing: Vec<&String> = expected.difference(&found).collect();
    assert!(unexpected.is_empty(), "not as labelled, and not listed:\n{unexpected:#?}");
    assert!(passing.is_empty(), "listed, and no longer so: take them from the list\n{passing:#?}");
    assert!(texts > 2_500, "{texts} texts");
}
