//! Reads benchmark cases: schemas with documents labelled valid or invalid.
//!
//! A case is one JSON object `{"name", "schema", "tests": [{"valid", "data"}]}`. A `.jsonl` or `.jsonl.gz` file has
//! one a line, a `.json` file is one such object or an array of them. The order of cases is fixed: files by name, then
//! by place in the file. Schemas keep their exact source text; documents are spelled as Python would print them.

use std::ffi::OsStr;
use std::fmt;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use flate2::read::MultiGzDecoder;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::pyjson::respell;

/// A schema and the documents to try on it.
pub(crate) struct Case {
    /// As the file names it, else `FILE:NUMBER`.
    pub(crate) name: String,
    /// Exact source text of the schema.
    pub(crate) schema: String,
    /// The documents, in the file's order.
    pub(crate) documents: Vec<Document>,
}

/// A document in the spelling that is tried.
pub(crate) struct Document {
    /// Whether it satisfies the schema, by the file's label.
    pub(crate) valid: bool,
    /// The text.
    pub(crate) text: String,
}

/// Which cases to take: those whose index leaves remainder `remainder` when divided by `divisor`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Sample {
    remainder: usize,
    divisor: usize,
}

impl Sample {
    /// Every case.
    pub(crate) const ALL: Self = Self { remainder: 0, divisor: 1 };

    fn takes(self, index: usize) -> bool {
        index % self.divisor == self.remainder
    }
}

impl FromStr for Sample {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/').and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
        match parts {
            Some((remainder, divisor)) if remainder < divisor => Ok(Self { remainder, divisor }),
            _ => Err(format!("{text:?} is not K/N with 0 <= K < N, such as 0/20")),
        }
    }
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.remainder, self.divisor)
    }
}

/// A line of a file, before its documents are spelled.
#[derive(Deserialize)]
struct RawCase<'a> {
    name: Option<String>,
    #[serde(borrow)]
    schema: &'a RawValue,
    #[serde(default, borrow)]
    tests: Vec<RawDocument<'a>>,
}

#[derive(Deserialize)]
struct RawDocument<'a> {
    valid: bool,
    #[serde(borrow)]
    data: &'a RawValue,
}

/// Reads the cases of a file or of every case file in a folder that `sample` takes.
///
/// # Errors
/// Says which file, and which line of it, can't be read.
pub(crate) fn read(path: &Path, sample: Sample) -> Result<Vec<Case>, String> {
    let mut cases = Vec::new();
    let mut index = 0;
    for file in files(path)? {
        read_file(&file, &mut |label, text| {
            let takes = sample.takes(index);
            index += 1;
            if takes {
                cases.push(case(label, text)?);
            }
            Ok(())
        })?;
    }
    Ok(cases)
}

/// The case files that `path` names, sorted by name.
fn files(path: &Path) -> Result<Vec<PathBuf>, String> {
    let kind = path.metadata().map_err(|e| format!("{}: {e}", path.display()))?;
    if !kind.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let entries = path.read_dir().map_err(|e| format!("{}: {e}", path.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let file = entry.map_err(|e| format!("{}: {e}", path.display()))?.path();
        if file.is_file() && Layout::of(&file).is_some() {
            files.push(file);
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(format!("{} holds no .jsonl.gz, .jsonl or .json file", path.display()));
    }
    Ok(files)
}

/// How a file holds its cases.
#[derive(Clone, Copy)]
enum Layout {
    CompressedLines,
    Lines,
    Whole,
}

impl Layout {
    fn of(file: &Path) -> Option<Self> {
        let name = file.file_name().and_then(OsStr::to_str)?;
        if name.ends_with(".jsonl.gz") {
            Some(Self::CompressedLines)
        } else if name.ends_with(".jsonl") {
            Some(Self::Lines)
        } else if name.ends_with(".json") {
            Some(Self::Whole)
        } else {
            None
        }
    }
}

/// Calls `each` with the label and the text of every case of one file.
fn read_file(path: &Path, each: &mut dyn FnMut(&str, &str) -> Result<(), String>) -> Result<(), String> {
    let layout = Layout::of(path)
        .ok_or_else(|| format!("{}: expected a folder, .jsonl.gz, .jsonl or .json", path.display()))?;
    let file = File::open(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let source: Box<dyn Read> = match layout {
        Layout::CompressedLines => Box::new(MultiGzDecoder::new(file)),
        Layout::Lines | Layout::Whole => Box::new(file),
    };
    let mut reader = BufReader::new(source);
    if let Layout::Whole = layout {
        let mut text = String::new();
        reader.read_to_string(&mut text).map_err(|e| format!("{}: {e}", path.display()))?;
        return whole(&path.display().to_string(), &text, each);
    }
    for (number, line) in reader.lines().enumerate() {
        let label = format!("{}:{}", path.display(), number + 1);
        let line = line.map_err(|e| format!("{label}: {e}"))?;
        if !line.trim().is_empty() {
            each(&label, &line)?;
        }
    }
    Ok(())
}

/// Calls `each` for the one object, or for every element of the array, that a `.json` file holds.
fn whole(
    label: &str,
    text: &str,
    each: &mut dyn FnMut(&str, &str) -> Result<(), String>,
) -> Result<(), String> {
    if !text.trim_start().starts_with('[') {
        return each(label, text);
    }
    let elements: Vec<&RawValue> = serde_json::from_str(text).map_err(|e| format!("{label}: {e}"))?;
    for (number, element) in elements.iter().enumerate() {
        each(&format!("{label}:{}", number + 1), element.get())?;
    }
    Ok(())
}

/// Reads one case.
fn case(label: &str, text: &str) -> Result<Case, String> {
    let raw: RawCase<'_> = serde_json::from_str(text).map_err(|e| format!("{label}: {e}"))?;
    let documents =
        raw.tests.iter().map(|test| Document { valid: test.valid, text: respell(test.data.get()) }).collect();
    Ok(Case {
        name: raw.name.unwrap_or_else(|| label.to_owned()),
        schema: raw.schema.get().to_owned(),
        documents,
    })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;
    use std::path::PathBuf;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::{Case, Sample, read};

    const FIRST: &str =
        r#"{"name":"first","schema":{"b":1,"a":1.0},"tests":[{"valid":true,"data":{"x":1.50}}]}"#;
    const SECOND: &str = r#"{"schema": true, "tests": [{"valid": false, "data": [1,2], "note": "unread"}]}"#;

    /// A folder of its own for one test, removed when it ends.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("maskwright-bench-{}-{name}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
            let path = self.0.join(name);
            fs::write(&path, bytes).unwrap();
            path
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn gzip(text: &str) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap()
    }

    fn names(cases: &[Case]) -> Vec<&str> {
        cases.iter().map(|case| case.name.as_str()).collect()
    }

    #[test]
    fn schemas_keep_their_text_and_documents_are_respelled() {
        let folder = Folder::new("text");
        let path = folder.write("a.json", FIRST);
        let cases = read(&path, Sample::ALL).unwrap();
        assert_eq!(names(&cases), ["first"]);
        assert_eq!(cases[0].schema, r#"{"b":1,"a":1.0}"#);
        assert_eq!(cases[0].documents[0].text, r#"{"x": 1.5}"#);
        assert!(cases[0].documents[0].valid);
    }

    #[test]
    fn a_folder_is_read_in_order_of_names_and_other_files_are_passed_over() {
        let folder = Folder::new("order");
        folder.write("c.json", format!("[{FIRST}, {SECOND}]"));
        folder.write("a.jsonl.gz", gzip(&format!("{FIRST}\n")));
        folder.write("b.jsonl", format!("{SECOND}\n\n{FIRST}\n"));
        folder.write("notes.txt", "not a case");
        let cases = read(&folder.0, Sample::ALL).unwrap();
        let b = format!("{}:1", folder.0.join("b.jsonl").display());
        let c = format!("{}:2", folder.0.join("c.json").display());
        assert_eq!(names(&cases), ["first", &b, "first", "first", &c]);
        assert_eq!(cases[1].documents[0].text, "[1, 2]");
        assert!(!cases[1].documents[0].valid);
    }

    #[test]
    fn a_sample_counts_cases_over_all_files() {
        let folder = Folder::new("sample");
        for (file, names) in [("a.jsonl", ["0", "1", "2"]), ("b.jsonl", ["3", "4", "5"])] {
            let lines = names.map(|name| format!("{{\"name\":\"{name}\",\"schema\":true}}\n"));
            folder.write(file, lines.concat());
        }
        let cases = read(&folder.0, "1/4".parse().unwrap()).unwrap();
        assert_eq!(names(&cases), ["1", "5"]);
    }

    #[test]
    fn a_bad_line_is_named() {
        let folder = Folder::new("bad");
        let path = folder.write("a.jsonl", format!("{FIRST}\n{{\"schema\":\n"));
        let error = read(&path, Sample::ALL).err().unwrap();
        assert!(error.contains("a.jsonl:2: "), "{error}");
        let empty = Folder::new("empty");
        assert!(read(&empty.0, Sample::ALL).err().unwrap().contains("holds no"));
        assert!(read(&empty.0.join("none.jsonl"), Sample::ALL).is_err());
    }

    #[test]
    fn samples_out_of_range_are_refused() {
        for text in ["", "1", "2/2", "3/2", "0/0", "-1/2", "a/b"] {
            assert!(text.parse::<Sample>().is_err(), "{text:?}");
        }
    }
}
