//! Random logits under real schemas with a real vocabulary: every document is finished and valid.
//!
//! Each schema is one run of the program, as a user would start it; the verdict is the independent validator's.

use std::collections::BTreeMap;
use std::process::Command;

use maskwright_oracle::data;
use serde_json::Value;

/// Runs the program and reads what it printed for machines.
fn run(arguments: &[&str]) -> (Option<i32>, Value, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_maskwright")).args(arguments).output().expect("the program starts");
    let value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    (output.status.code(), value, String::from_utf8_lossy(&output.stderr).into_owned())
}

/// Schemas spread over the benchmark until `wanted` of them compile; one document each.
#[track_caller]
fn documents(tokenizer: &str, wanted: usize, step: usize) {
    let Some(folder) = data::tokenizers() else { return };
    let tokenizer = folder.join(format!("{tokenizer}.json"));
    let cases = data::maskbench(step);
    if !tokenizer.exists() || cases.is_empty() {
        println!("skipped: {} or the benchmark is absent", tokenizer.display());
        return;
    }
    let tokenizer = tokenizer.to_string_lossy();
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("random-{step}.schema.json"));
    let schema = file.to_string_lossy();
    let (mut refused, mut finished, mut tokens) = (BTreeMap::new(), 0, 0);
    let mut faults = Vec::new();
    for case in cases {
        if finished + faults.len() == wanted {
            break;
        }
        std::fs::write(&file, case.schema.to_string()).expect("a writable folder");
        let (code, report, _) = run(&["compile", "--schema", &schema, "--json"]);
        if code == Some(1) {
            *refused.entry(report["subject"].as_str().unwrap_or("").to_owned()).or_insert(0) += 1;
            continue;
        }
        let (code, document, stderr) =
            run(&["generate", "--schema", &schema, "--tokenizer", &tokenizer, "--json"]);
        if code == Some(0) && document["ending"] == "finished" && document["valid"] == true {
            finished += 1;
            tokens += document["tokens"].as_u64().expect("a count");
        } else {
            faults.push(format!("{}: exit {code:?}, {document}, {stderr}", case.name));
        }
    }
    println!("{finished} documents finished and valid, {tokens} tokens; schemas refused: {refused:?}");
    assert!(faults.is_empty(), "{} documents are not:\n{}", faults.len(), faults.join("\n"));
    assert_eq!(finished, wanted, "the benchmark has too few schemas that compile at this step");
}

#[test]
fn random_logits_end_in_valid_documents() {
    documents("llama3", 24, 300);
}

#[test]
#[ignore = "some minutes"]
fn random_logits_end_in_valid_documents_for_two_hundred_schemas() {
    documents("llama3", 200, 31);
}
