//! A fuzz target as an ordinary program: replays regressions, and mutates them from a printed seed.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::random::Random;

/// Longest input that mutation makes, in bytes.
const INPUT_BYTES_MAX: usize = 4096;

/// What the command line asks for.
struct Request {
    files: Vec<PathBuf>,
    random: u64,
    seed: u64,
}

fn request() -> Result<Request, String> {
    let mut request = Request { files: Vec::new(), random: 0, seed: 0 };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = |name: &str| {
            words.next().and_then(|n| n.parse().ok()).ok_or_else(|| format!("{name} needs a number"))
        };
        match word.as_str() {
            "--random" => request.random = number("--random")?,
            "--seed" => request.seed = number("--seed")?,
            path => request.files.push(path.into()),
        }
    }
    Ok(request)
}

fn regressions(target: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions").join(target);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.sort();
    files
}

/// Runs the files named, or else the regressions and then `--random COUNT` mutants of them.
///
/// A target reports a fault by panicking, which ends the program; the input is written to a file before it runs.
pub fn main(target: &str, body: fn(&[u8])) -> ExitCode {
    let request = match request() {
        Ok(request) => request,
        Err(fault) => {
            eprintln!("{target}: {fault}; usage: [FILE...] [--random COUNT] [--seed N]");
            return ExitCode::from(2);
        }
    };
    let files = if request.files.is_empty() { regressions(target) } else { request.files };
    let mut seeds = Vec::new();
    for path in &files {
        match std::fs::read(path) {
            Ok(bytes) => {
                eprintln!("{target}: {} ({} bytes)", path.display(), bytes.len());
                body(&bytes);
                seeds.push(bytes);
            }
            Err(fault) => {
                eprintln!("{target}: can't read {}: {fault}", path.display());
                return ExitCode::from(2);
            }
        }
    }
    let last = std::env::temp_dir().join(format!("maskwright-fuzz-{target}-{}.input", std::process::id()));
    let mut random = Random::new(request.seed);
    for _ in 0..request.random {
        let input = mutant(&seeds, &mut random);
        if std::fs::write(&last, &input).is_err() {
            eprintln!("{target}: can't write {}", last.display());
            return ExitCode::from(2);
        }
        let guard = Announce { target, path: &last };
        body(&input);
        std::mem::forget(guard);
    }
    drop(std::fs::remove_file(&last));
    println!(
        "{target}: {} files and {} mutants (seed {}): no fault",
        files.len(),
        request.random,
        request.seed
    );
    ExitCode::SUCCESS
}

/// Says where the input lies when the target panics.
struct Announce<'a> {
    target: &'a str,
    path: &'a Path,
}

impl Drop for Announce<'_> {
    fn drop(&mut self) {
        eprintln!("{}: the input that failed is {}", self.target, self.path.display());
    }
}

/// One seed changed in a few places, or two joined.
fn mutant(seeds: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let pick = |random: &mut Random| match seeds.len() {
        0 => Vec::new(),
        n => seeds[random.below(n)].clone(),
    };
    let mut input = pick(random);
    if random.below(4) == 0 {
        let other = pick(random);
        let keep = random.below(input.len() + 1);
        let from = random.below(other.len() + 1);
        input.truncate(keep);
        input.extend_from_slice(&other[from..]);
    }
    for _ in 0..=random.below(6) {
        let at = random.below(input.len() + 1);
        match random.below(5) {
            0 => input.insert(at, random.byte()),
            1 if at < input.len() => {
                input.remove(at);
            }
            2 if at < input.len() => input[at] = random.byte(),
            3 if at < input.len() => input[at] ^= 1 << random.below(8),
            _ => {
                let end = (at + random.below(9)).min(input.len());
                let piece = input[at..end].to_vec();
                let to = random.below(input.len() + 1);
                input.splice(to..to, piece);
            }
        }
    }
    input.truncate(INPUT_BYTES_MAX);
    input
}
