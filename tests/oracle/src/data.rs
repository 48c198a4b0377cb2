//! Benchmark data and tokenizer files, where they are present: nothing of them is part of the project.
//!
//! Data lies in the folder that `MASKWRIGHT_DATA` names, else in `../shared` beside the workspace; tokenizer files in
//! `MASKWRIGHT_TOKENIZERS`, else in the user's cache. Whoever needs what is absent says that it skips.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use maskwright::Vocabulary;
use serde_json::value::RawValue;

/// The folder with benchmark data.
#[must_use]
pub fn folder() -> Option<PathBuf> {
    let folder = match std::env::var_os("MASKWRIGHT_DATA") {
        Some(folder) => PathBuf::from(folder),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
    };
    present(folder, "MASKWRIGHT_DATA")
}

/// The folder with tokenizer files.
#[must_use]
pub fn tokenizers() -> Option<PathBuf> {
    let folder = match std::env::var_os("MASKWRIGHT_TOKENIZERS") {
        Some(folder) => PathBuf::from(folder),
        None => {
            let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
            let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
            cache.or_else(home)?.join("maskwright/tokenizers")
        }
    };
    present(folder, "MASKWRIGHT_TOKENIZERS")
}

fn present(path: PathBuf, variable: &str) -> Option<PathBuf> {
    if path.exists() {
        return Some(path);
    }
    println!("skipped: {} is absent ({variable} can name another place)", path.display());
    None
}

/// The vocabulary of a tokenizer file by its short name (`llama3`); `None`, with a line that says so, if it is absent.
///
/// # Panics
/// If the file is there and can't be read.
#[must_use]
pub fn vocabulary(name: &str) -> Option<Vocabulary> {
    let path = present(tokenizers()?.join(format!("{name}.json")), "MASKWRIGHT_TOKENIZERS")?;
    match Vocabulary::from_tokenizer_json(&path) {
        Ok(vocabulary) => Some(vocabulary),
        Err(error) => panic!("{}: {error}", path.display()),
    }
}

/// A document and whether it satisfies its schema.
#[derive(Clone, Debug)]
pub struct Labelled {
    /// The document.
    pub document: serde_json::Value,
    /// Whether it is labelled valid.
    pub is_valid: bool,
}

/// A schema of the benchmark with its documents.
#[derive(Clone, Debug)]
pub struct BenchmarkCase {
    /// Its name.
    pub name: String,
    /// The schema.
    pub schema: serde_json::Value,
    /// Its documents.
    pub tests: Vec<Labelled>,
}

/// Every `step`th schema of the benchmark, files in the order of their names; empty if it is absent.
///
/// # Panics
/// If a file is there and is not what it should be.
#[must_use]
pub fn maskbench(step: usize) -> Vec<BenchmarkCase> {
    let Some(folder) = folder().and_then(|folder| present(folder.join("maskbench"), "MASKWRIGHT_DATA"))
    else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = match std::fs::read_dir(&folder) {
        Ok(entries) => entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect(),
        Err(error) => panic!("{}: {error}", folder.display()),
    };
    paths.retain(|path| path.to_string_lossy().ends_with(".jsonl.gz"));
    paths.sort();
    let lines = paths.iter().flat_map(|path| gzip_lines(path));
    lines
        .step_by(step)
        .map(|line| benchmark_case(&line).unwrap_or_else(|| panic!("not a case: {line}")))
        .collect()
}

/// The lines of a compressed text file.
fn gzip_lines(path: &Path) -> Vec<String> {
    let lines: std::io::Result<Vec<String>> =
        File::open(path).and_then(|file| BufReader::new(MultiGzDecoder::new(file)).lines().collect());
    lines.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn benchmark_case(line: &str) -> Option<BenchmarkCase> {
    let mut case: serde_json::Value = serde_json::from_str(line).ok()?;
    let tests = case.get_mut("tests")?.as_array_mut()?.drain(..);
    let tests = tests
        .map(|mut test| {
            Some(Labelled { is_valid: test.get("valid")?.as_bool()?, document: test.get_mut("data")?.take() })
        })
        .collect::<Option<Vec<_>>>()?;
    Some(BenchmarkCase {
        name: case.get("name")?.as_str()?.to_owned(),
        schema: case.get_mut("schema")?.take(),
        tests,
    })
}

/// A case made from a public bug report.
#[derive(Clone, Debug)]
pub struct ReportedCase {
    /// Its name.
    pub id: String,
    /// What the grammar is written in.
    pub kind: String,
    /// The grammar.
    pub grammar: serde_json::Value,
    /// Texts to accept, and whether a policy may leave each out.
    pub accept: Vec<(String, bool)>,
    /// Texts to refuse.
    pub reject: Vec<String>,
}

/// The cases made from public bug reports; empty if they are absent.
///
/// # Panics
/// If the file is there and is not what it should be.
#[must_use]
pub fn reported_cases() -> Vec<ReportedCase> {
    let Some(path) =
        folder().and_then(|folder| present(folder.join("cases/user_reports.json"), "MASKWRIGHT_DATA"))
    else {
        return Vec::new();
    };
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let cases: Vec<serde_json::Value> =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    cases.iter().map(|case| reported_case(case).unwrap_or_else(|| panic!("not a case: {case}"))).collect()
}

fn reported_case(case: &serde_json::Value) -> Option<ReportedCase> {
    let texts = |key: &str| -> Option<Vec<String>> {
        case.get(key)?.as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect()
    };
    let note = case.get("note")?.as_str()?;
    let soft = note.split_once("soft_accept=[").and_then(|(_, rest)| rest.split_once(']'));
    let soft: Vec<usize> = match soft {
        Some((list, _)) => list.split(',').filter_map(|index| index.trim().parse().ok()).collect(),
        None => Vec::new(),
    };
    Some(ReportedCase {
        id: case.get("id")?.as_str()?.to_owned(),
        kind: case.get("kind")?.as_str()?.to_owned(),
        grammar: case.get("grammar")?.clone(),
        accept: texts("accept")?.into_iter().enumerate().map(|(i, text)| (text, soft.contains(&i))).collect(),
        reject: texts("reject")?,
    })
}

/// One schema of the official test suite, with its tests.
#[derive(Clone, Debug)]
pub struct SuiteCase {
    /// The draft, as its folder is called.
    pub draft: String,
    /// The file within the folder.
    pub file: String,
    /// What is tested.
    pub description: String,
    /// The schema's text.
    pub schema: String,
    /// Texts of documents, and whether each is valid.
    pub tests: Vec<(String, bool)>,
}

/// The official test suite, of those drafts that are there; empty if it is absent.
///
/// # Panics
/// If a file is there and is not what it should be.
#[must_use]
pub fn suite() -> Vec<SuiteCase> {
    let Some(folder) = suite_folder() else { return Vec::new() };
    let mut cases = Vec::new();
    for draft in ["draft7", "draft2020-12"] {
        for line in gzip_lines(&folder.join(format!("{draft}.jsonl.gz"))) {
            cases
                .push(suite_case(draft, &line).unwrap_or_else(|error| panic!("not a case: {line}: {error}")));
        }
    }
    cases
}

/// The documents that schemas of the suite refer to, by URI; empty if they are absent.
///
/// # Panics
/// If the file is there and is not what it should be.
#[must_use]
pub fn suite_documents() -> Vec<(String, String)> {
    let Some(folder) = suite_folder() else { return Vec::new() };
    let text = gzip_lines(&folder.join("remotes.json.gz")).join("\n");
    let documents: std::collections::BTreeMap<String, Box<RawValue>> =
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("remotes.json.gz: {error}"));
    documents.into_iter().map(|(uri, text)| (uri, text.get().to_owned())).collect()
}

fn suite_folder() -> Option<PathBuf> {
    present(folder()?.join("schema-suite"), "MASKWRIGHT_DATA")
}

fn suite_case(draft: &str, line: &str) -> serde_json::Result<SuiteCase> {
    #[derive(serde::Deserialize)]
    struct Group {
        file: String,
        description: String,
        schema: Box<RawValue>,
        tests: Vec<Test>,
    }
    #[derive(serde::Deserialize)]
    struct Test {
        data: Box<RawValue>,
        valid: bool,
    }
    let group: Group = serde_json::from_str(line)?;
    Ok(SuiteCase {
        draft: draft.to_owned(),
        file: group.file,
        description: group.description,
        schema: group.schema.get().to_owned(),
        tests: group.tests.into_iter().map(|test| (test.data.get().to_owned(), test.valid)).collect(),
    })
}
