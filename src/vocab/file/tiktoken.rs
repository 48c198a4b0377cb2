//! tiktoken files: a line of base64 and rank for each token, special tokens apart.

use base64::{Engine, engine::general_purpose::STANDARD};

use crate::{
    error::VocabularyError,
    vocab::{
        entries::{Entries, EntriesBuilder, Origin},
        printable,
    },
};

/// The entries of a file and of the special tokens given with it.
pub(in crate::vocab) fn entries(text: &[u8], special: &[(&str, u32)]) -> Result<Entries, VocabularyError> {
    let mut builder = EntriesBuilder::default();
    for (line, number) in text.split(|&byte| byte == b'\n').zip(1..) {
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        let at_line = |message: String| VocabularyError::new(format!("line {number}: {message}"));
        let (bytes, rank) = parse(line).ok_or_else(|| {
            at_line(format!("{} is not a token in base64, a space and its rank", shown(line)))
        })?;
        builder
            .push(i64::from(rank), &printable(&bytes), &bytes, Origin::Model)
            .map_err(|e| at_line(e.to_string()))?;
    }
    for &(name, id) in special {
        builder.push(i64::from(id), name, name.as_bytes(), Origin::Added { special: true })?;
    }
    builder.finish()
}

fn parse(line: &[u8]) -> Option<(Vec<u8>, u32)> {
    let space = line.iter().position(u8::is_ascii_whitespace)?;
    let rank = std::str::from_utf8(line[space..].trim_ascii()).ok()?;
    Some((STANDARD.decode(&line[..space]).ok()?, rank.parse().ok()?))
}

/// A line for a message, cut where it is long.
fn shown(line: &[u8]) -> String {
    const BYTES_MAX: usize = 60;
    format!("{:?}", String::from_utf8_lossy(&line[..line.len().min(BYTES_MAX)]))
}
