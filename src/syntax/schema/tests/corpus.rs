//! Real schemas with labelled documents: how many are taken, and whether their programs agree with the labels.
//!
//! The data lies in `../shared`, or where `MASKWRIGHT_DATA` points; without it these tests say that they skip.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::PathBuf;

use maskwright_oracle::data;
use serde_json::value::RawValue;

use super::super::{DialectName, FormatsAre, Resolver};
use super::evaluate::satisfies;
use super::{Random, SchemaOptions, compile};
use crate::grammar::policy::SurfacePolicy;
use crate::syntax::json::Json;

#[derive(serde::Deserialize)]
struct Case {
    name: String,
    schema: Box<RawValue>,
    tests: Vec<Labelled>,
}

#[derive(serde::Deserialize)]
struct Labelled {
    valid: bool,
    data: Box<RawValue>,
}

/// The benchmark's schemas, or nothing with a word about it.
fn cases() -> Vec<Case> {
    let data = std::env::var_os("MASKWRIGHT_DATA").map_or_else(|| PathBuf::from("../shared"), PathBuf::from);
    let Ok(folder) = std::fs::read_dir(data.join("maskbench")) else {
        println!("skipped: no maskbench in {}", data.display());
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let mut read = Vec::new();
    for path in paths {
        if path.to_string_lossy().ends_with(".jsonl.gz") {
            let mut text = String::new();
            flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap())
                .read_to_string(&mut text)
                .unwrap();
            read.extend(text.lines().map(|line| serde_json::from_str::<Case>(line).unwrap()));
        }
    }
    read
}

#[test]
fn most_real_schemas_are_taken() {
    let cases = cases();
    let mut refused: BTreeMap<(&str, String), Vec<&str>> = BTreeMap::new();
    for case in &cases {
        if let Err(e) = compile(case.schema.get(), &SchemaOptions::default()) {
            refused.entry((e.kind().name(), e.subject().to_owned())).or_default().push(&case.name);
        }
    }
    let count: usize = refused.values().map(Vec::len).sum();
    println!("{} schemas, {count} refused", cases.len());
    let mut by_count: Vec<_> = refused.iter().collect();
    by_count.sort_by_key(|(_, names)| std::cmp::Reverse(names.len()));
    for ((kind, subject), names) in by_count {
        println!("{:>6}  {kind:<12} {subject}  (such as {})", names.len(), names[0]);
    }
    assert!(count * 100 <= cases.len() * 30, "{count} of {} are refused", cases.len());
}

#[test]
#[ignore = "a minute: evaluates all documents with a naive matcher"]
fn programs_agree_with_the_labels() {
    let mut wrong = Vec::new();
    let (mut schemas, mut documents) = (0, 0);
    for case in cases() {
        let Ok((program, _)) =
            compile(case.schema.get(), &SchemaOptions::with_policy(SurfacePolicy::permissive()))
        else {
            continue;
        };
        schemas += 1;
        for (i, test) in case.tests.iter().enumerate() {
            let json = Json::read(test.data.get()).unwrap();
            documents += 1;
            let found = satisfies(&program, json.root());
            if found != test.valid {
                wrong.push(format!("{} document {i}: {found}", case.name));
            }
        }
    }
    println!("{schemas} schemas, {documents} documents");
    assert!(wrong.is_empty(), "{} disagree:\n{}", wrong.len(), wrong.join("\n"));
}

/// The official suite, formats as annotations. Through matchers it is run elsewhere; here the programs are evaluated.
#[test]
fn the_official_suite_agrees() {
    let (mut schemas, mut documents) = (0, 0);
    let mut wrong = Vec::new();
    let mut options = SchemaOptions::with_policy(SurfacePolicy::permissive());
    options.resolver = Resolver::of_documents(data::suite_documents());
    options.formats_are = FormatsAre::Annotations;
    for case in data::suite() {
        // Labelled as if contents and formats were asserted.
        if case.file == "optional/content.json" || case.file.starts_with("optional/format") {
            continue;
        }
        options.dialect = if case.draft == "draft7" { DialectName::Draft7 } else { DialectName::Draft2020 };
        schemas += 1;
        let place = format!("{} {}: {}", case.draft, case.file, case.description);
        let program = match compile(&case.schema, &options) {
            Ok((program, _)) => program,
            Err(e) => {
                wrong.push(format!("{place}: {e}"));
                continue;
            }
        };
        for (i, (text, is_valid)) in case.tests.iter().enumerate() {
            let json = Json::read(text).unwrap();
            documents += 1;
            let found = satisfies(&program, json.root());
            if found != *is_valid {
                wrong.push(format!("{place}: test {i}"));
            }
        }
    }
    println!("{schemas} schemas, {documents} documents, {} disagree\n{}", wrong.len(), wrong.join("\n"));
    assert!(wrong.is_empty(), "{} disagree", wrong.len());
}

#[test]
fn damaged_real_schemas_never_panic() {
    const SEED: u64 = 0xDA3A6E;
    let cases = cases();
    let mut random = Random(SEED);
    let (mut taken, mut rounds) = (0, 0);
    while rounds < 2_000 && !cases.is_empty() {
        let mut bytes = cases[random.below(cases.len())].schema.get().as_bytes().to_vec();
        if bytes.len() > 20_000 {
            continue;
        }
        rounds += 1;
        for _ in 0..=random.below(3) {
            let at = random.below(bytes.len());
            match random.below(4) {
                0 => bytes.truncate(at + 1),
                1 => bytes[at] ^= 1 << random.below(7),
                2 => drop(bytes.remove(at)),
                _ => bytes.insert(at, b"{}[]\",:0e\\"[random.below(10)]),
            }
            if bytes.is_empty() {
                break;
            }
        }
        if let Ok(text) = std::str::from_utf8(&bytes) {
            taken += usize::from(compile(text, &SchemaOptions::default()).is_ok());
        }
    }
    println!("seed {SEED:#x}: {taken} of {rounds} damaged schemas were taken");
}
