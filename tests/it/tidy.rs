//! The house rules as a test: layers, file summaries, sizes, reachability, forbidden words.
//!
//! Everything is read from the source text. Strings and comments are blanked before code is looked at, and
//! `#[cfg(test)]` parts of a file are outside the layers (a test may use whatever helps it).

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Longest source file, in lines.
const FILE_LINES_MAX: usize = 800;

/// Each top-level module and those it may use: the arrows of `ARCHITECTURE.md`.
const LAYERS: &[(&str, &[&str])] = &[
    ("index", &[]),
    ("limits", &[]),
    ("error", &["index", "limits"]),
    ("bitmask", &["index", "limits", "error"]),
    ("vocab", &["index", "limits", "error", "bitmask"]),
    ("grammar", &["index", "limits", "error"]),
    ("syntax", &["index", "limits", "error", "grammar"]),
    ("automaton", &["index", "limits", "error", "bitmask", "vocab", "grammar"]),
    ("compiler", &["index", "limits", "error", "bitmask", "vocab", "grammar", "syntax", "automaton"]),
    ("matcher", &["index", "limits", "error", "bitmask", "vocab", "automaton", "compiler"]),
    (
        "explain",
        &["index", "limits", "error", "bitmask", "vocab", "grammar", "automaton", "compiler", "matcher"],
    ),
    ("sample", &["index", "limits", "error", "bitmask"]),
];

/// Files that may contain the keyword that turns the compiler's checks off.
const UNSAFE_ALLOWED: &[&str] = &["src/cuda/"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Paths of all files below `folder` with this extension, relative to the root, sorted.
fn files(folder: &str, extension: &str) -> Vec<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![root().join(folder)];
    while let Some(dir) = open.pop() {
        let Ok(entries) = fs::read_dir(&dir) else { continue };
        for entry in entries {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                if path.file_name().is_some_and(|n| n != "target") {
                    open.push(path);
                }
            } else if path.extension().is_some_and(|e| e == extension) {
                let relative = path.strip_prefix(root()).expect("below the root");
                found.insert(relative.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found.into_iter().collect()
}

fn all_rust_files() -> Vec<String> {
    ["src", "tests", "bench", "fuzz", "examples"].iter().flat_map(|f| files(f, "rs")).collect()
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The code with comments, strings and character literals blanked; line breaks stay.
fn code(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let end = blank_end(bytes, at);
        if end == at {
            out.push(bytes[at]);
            at += 1;
        } else {
            out.extend(bytes[at..end].iter().map(|&b| if b == b'\n' { b'\n' } else { b' ' }));
            at = end;
        }
    }
    String::from_utf8(out).expect("blanked spans cover whole characters")
}

/// The end of the comment or literal that starts at `at`, or `at` itself.
fn blank_end(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    let until = |from: usize, end: &[u8]| {
        rest[from..]
            .windows(end.len())
            .position(|w| w == end)
            .map_or(bytes.len(), |p| at + from + p + end.len())
    };
    let in_word = at > 0 && (bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'_');
    if rest.starts_with(b"//") {
        return rest.iter().position(|&b| b == b'\n').map_or(bytes.len(), |p| at + p);
    }
    if rest.starts_with(b"/*") {
        return until(2, b"*/");
    }
    if !in_word && (rest[0] == b'r' || rest.starts_with(b"br")) {
        let from = if rest[0] == b'b' { 2 } else { 1 };
        let hashes = rest[from..].iter().take_while(|&&b| b == b'#').count();
        if rest.get(from + hashes) == Some(&b'"') {
            let close = format!("\"{}", "#".repeat(hashes));
            return until(from + hashes + 1, close.as_bytes());
        }
    }
    if rest[0] == b'"' {
        return at + quoted_len(rest, b'"');
    }
    if rest[0] == b'\'' {
        let escaped = rest.get(1) == Some(&b'\\');
        let char_len =
            rest.get(1).map_or(1, |b| usize::try_from(b.leading_ones()).expect("at most 8").max(1));
        if escaped || rest.get(1 + char_len) == Some(&b'\'') {
            return at + quoted_len(rest, b'\'');
        }
    }
    at
}

/// Length of the literal that `rest` starts with, both quotes included.
fn quoted_len(rest: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != quote {
        at += if rest[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(rest.len())
}

/// The code outside tests: everything before the first `#[cfg(test)]` that stands before an inline module.
fn shipped(code: &str) -> &str {
    let mut from = 0;
    while let Some(p) = code[from..].find("#[cfg(test)]") {
        let at = from + p;
        let item = code[at..].trim_start_matches("#[cfg(test)]").trim_start();
        let head = item.split(['{', ';']).next().unwrap_or("");
        if head.contains("mod ") && item[head.len()..].starts_with('{') {
            return &code[..at];
        }
        from = at + 1;
    }
    code
}

fn is_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

/// The identifier that `text` starts with.
fn identifier(text: &str) -> &str {
    &text[..text.bytes().position(|b| !is_word(b)).unwrap_or(text.len())]
}

/// First segments of every path after `crate::`, groups opened (`crate::{a::X, b}` gives a and b).
fn crate_paths(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        if at > 0 && (is_word(code.as_bytes()[at - 1]) || code.as_bytes()[at - 1] == b'$') {
            continue;
        }
        let rest = code[at + "crate::".len()..].trim_start();
        let Some(group) = rest.strip_prefix('{') else {
            found.push(identifier(rest).to_string());
            continue;
        };
        let mut depth = 0;
        let mut start = true;
        for (i, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => start = true,
                c if start && !c.is_whitespace() => {
                    found.push(identifier(&group[i..]).to_string());
                    start = false;
                }
                _ => {}
            }
        }
    }
    found
}

/// Names that `lib.rs` re-exports, each with the module it comes from.
fn reexports() -> BTreeMap<String, String> {
    let lib = code(&read("src/lib.rs"));
    let mut map = BTreeMap::new();
    for item in lib.split(';') {
        let Some(path) = item.trim().strip_prefix("pub use ") else { continue };
        let module = identifier(path).to_string();
        for name in path.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|n| !n.is_empty()) {
            if name.starts_with(char::is_uppercase) {
                map.insert(name.to_string(), module.clone());
            }
        }
    }
    map
}

/// The top-level module of a library file.
fn module_of(path: &str) -> Option<String> {
    let rest = path.strip_prefix("src/")?;
    if rest == "lib.rs" || rest.starts_with("bin/") {
        return None;
    }
    let first = rest.split('/').next().expect("split gives one part at least");
    Some(first.trim_end_matches(".rs").to_string())
}

/// Modules that a library file names through `crate::`, or through a chain of `super::` that reaches the root.
fn uses(path: &str, reexports: &BTreeMap<String, String>) -> BTreeSet<String> {
    let text = code(&read(path));
    let text = shipped(&text);
    let depth = path.trim_start_matches("src/").trim_end_matches("/mod.rs").split('/').count();
    let mut names = crate_paths(text);
    for (at, _) in text.match_indices("super::") {
        if text[..at].ends_with("super::") {
            continue;
        }
        let mut rest = &text[at..];
        let mut supers = 0;
        while let Some(next) = rest.strip_prefix("super::") {
            rest = next;
            supers += 1;
        }
        let name = identifier(rest);
        if supers >= depth && LAYERS.iter().any(|(layer, _)| *layer == name) {
            names.push(name.to_string());
        }
    }
    names.into_iter().map(|n| reexports.get(&n).cloned().unwrap_or(n)).collect()
}

fn is_test_file(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.ends_with("_tests.rs") || path.contains("/tests/")
}

#[test]
fn arrows_point_one_way() {
    let reexports = reexports();
    let mut faults = Vec::new();
    for path in files("src", "rs") {
        let Some(module) = module_of(&path) else { continue };
        if is_test_file(&path) {
            continue;
        }
        let Some((_, allowed)) = LAYERS.iter().find(|(name, _)| *name == module) else {
            faults.push(format!("{path}: module {module} is not in the table of layers"));
            continue;
        };
        for used in uses(&path, &reexports) {
            if used != module && !allowed.contains(&used.as_str()) {
                faults.push(format!("{path}: {module} may not use {used}"));
            }
        }
    }
    assert!(faults.is_empty(), "layers:\n{}", faults.join("\n"));
}

#[test]
fn the_table_of_layers_has_no_cycle_and_no_dead_row() {
    for (i, (name, allowed)) in LAYERS.iter().enumerate() {
        for used in *allowed {
            assert!(LAYERS[..i].iter().any(|(n, _)| n == used), "{name} uses {used}, which stands below it");
        }
        let single = root().join(format!("src/{name}.rs")).exists();
        assert!(single || root().join(format!("src/{name}/mod.rs")).exists(), "no module {name}");
    }
}

#[test]
fn slow_twins_do_not_share_the_engine() {
    for path in files("tests/oracle/src", "rs") {
        if !path.contains("twin") && !path.contains("/earley/") {
            continue;
        }
        let text = code(&read(&path));
        for forbidden in ["maskwright::automaton", "maskwright::syntax", "maskwright::compiler"] {
            assert!(!text.contains(forbidden), "{path} uses {forbidden}: a twin must not share it");
        }
    }
}

#[test]
fn every_file_opens_with_its_summary() {
    for path in all_rust_files() {
        let first = read(&path).lines().next().unwrap_or("").to_string();
        assert!(
            first.starts_with("//! ") && first.len() > 10,
            "{path} opens with {first:?}, not with `//! …`"
        );
        assert!(!first.contains("Placeholder"), "{path} is a placeholder");
    }
}

#[test]
fn no_file_is_too_long() {
    for path in all_rust_files() {
        let lines = read(&path).lines().count();
        assert!(lines <= FILE_LINES_MAX, "{path} has {lines} lines; split it (at most {FILE_LINES_MAX})");
    }
}

/// Files of the modules that `path` declares with `mod name;`.
fn declared(path: &str) -> Vec<String> {
    let folder = Path::new(path).parent().expect("a file lies in a folder");
    let stem = Path::new(path).file_stem().expect("a file has a name").to_string_lossy().into_owned();
    let folder = if matches!(stem.as_str(), "mod" | "lib" | "main") {
        folder.to_path_buf()
    } else {
        folder.join(stem)
    };
    let mut out = Vec::new();
    let text = read(path);
    for line in text.lines() {
        if let Some(rest) = line.trim().strip_prefix("#[path = \"") {
            let beside = Path::new(path).with_file_name(rest.trim_end_matches("\"]"));
            out.push(beside.to_string_lossy().replace('\\', "/"));
        }
    }
    for line in code(&text).lines() {
        let line = line.trim();
        let Some(at) = line.find("mod ") else { continue };
        let Some(name) = line[at + 4..].strip_suffix(';') else { continue };
        if at > 0 && !line[..at].trim_end().ends_with([')', 'b', ']']) {
            continue;
        }
        for candidate in [folder.join(format!("{name}.rs")), folder.join(name).join("mod.rs")] {
            if root().join(&candidate).exists() {
                out.push(candidate.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    out
}

#[test]
fn every_module_is_reachable() {
    let mut open =
        vec!["src/lib.rs".to_string(), "src/bin/maskwright/main.rs".into(), "tests/it/main.rs".into()];
    let mut reached = BTreeSet::new();
    while let Some(path) = open.pop() {
        if reached.insert(path.clone()) {
            open.extend(declared(&path));
        }
    }
    for path in files("src", "rs").into_iter().chain(files("tests/it", "rs")) {
        assert!(reached.contains(&path), "{path} is in no module tree");
    }
}

#[test]
fn forbidden_words_do_not_occur() {
    let words = [
        concat!("todo", "!"),
        concat!("unimplemented", "!"),
        concat!("dbg", "!"),
        concat!("FIX", "ME"),
        concat!("XX", "X:"),
    ];
    for path in all_rust_files() {
        let text = read(&path);
        for word in words {
            assert!(!text.contains(word), "{path} contains {word}");
        }
    }
}

#[test]
fn unchecked_code_stays_where_it_is_allowed() {
    let keyword = concat!("un", "safe");
    for path in all_rust_files() {
        if UNSAFE_ALLOWED.iter().any(|prefix| path.starts_with(prefix)) {
            continue;
        }
        let text = code(&read(&path));
        let found = text.match_indices(keyword).find(|&(at, _)| {
            let after = text.as_bytes().get(at + keyword.len()).copied().unwrap_or(b' ');
            !is_word(after) && (at == 0 || !is_word(text.as_bytes()[at - 1]))
        });
        assert!(found.is_none(), "{path} uses {keyword}");
    }
}

/// Tracked files, or nothing where there is no repository (a packed crate).
fn tracked() -> Vec<String> {
    let listed = Command::new("git").arg("ls-files").current_dir(root()).output();
    match listed {
        Ok(output) if output.status.success() => {
            String::from_utf8_lossy(&output.stdout).lines().map(str::to_string).collect()
        }
        _ => Vec::new(),
    }
}

#[test]
fn no_tracked_file_names_a_path_of_one_machine() {
    let needles = [concat!("/ro", "ot/"), concat!("/wo", "rk/"), concat!("/tmp/", "target")];
    for path in tracked() {
        let Ok(text) = fs::read_to_string(root().join(&path)) else { continue };
        for needle in needles {
            let found = text.match_indices(needle).find(|&(at, _)| {
                let before = text[..at].chars().next_back().unwrap_or(' ');
                !before.is_alphanumeric() && !"._-/~}:#".contains(before)
            });
            assert!(found.is_none(), "{path} contains the machine path {needle}");
        }
    }
}

#[test]
fn the_documents_mention_every_folder_of_the_sources() {
    let documents = [read("README.md"), read("ARCHITECTURE.md")];
    for entry in fs::read_dir(root().join("src")).expect("src exists") {
        let path = entry.expect("a readable folder").path();
        if path.is_dir() {
            let name = format!("{}/", path.file_name().expect("a folder has a name").to_string_lossy());
            for document in &documents {
                assert!(document.contains(&name), "a document does not mention src/{name}");
            }
        }
    }
}

#[test]
fn every_limit_is_used() {
    let sources: Vec<String> = files("src", "rs")
        .into_iter()
        .chain(files("fuzz", "rs"))
        .filter(|p| p != "src/limits.rs")
        .map(|p| read(&p))
        .collect();
    for line in code(&read("src/limits.rs")).lines() {
        let Some(rest) = line.trim().strip_prefix("pub const ") else { continue };
        let name = identifier(rest);
        assert!(sources.iter().any(|s| s.contains(name)), "nothing uses the limit {name}");
    }
}

#[test]
fn the_reader_of_sources_sees_code_only() {
    let text = "let a = \"crate::x\"; // crate::y\nlet b = 'c'; let l: &'static str = r#\"crate::z\"#; use crate::{p::Q, r};";
    assert_eq!(crate_paths(&code(text)), ["p", "r"]);
    assert_eq!(code("/* a */ 'x' \"\\\"\" b").trim(), "b");
    assert_eq!(shipped("a #[cfg(test)] use b; #[cfg(test)] mod t { }"), "a #[cfg(test)] use b; ");
}
