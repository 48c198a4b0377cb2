//! Tokenizer files: each format's loader turns a file into entries, and decides nothing.

pub(super) mod byte_level;
pub(super) mod gguf;
mod spelling;
pub(super) mod tiktoken;
pub(super) mod tokenizer_json;

use std::{
    fs::File,
    io::{BufReader, Read},
    path::Path,
};

use crate::{
    error::VocabularyError,
    limits::{TOKEN_BYTES_MAX, TOKENIZER_FILE_BYTES_MAX},
};

/// Longest spelling of a token in a file, in bytes: byte-level files spell most bytes with two, byte tokens with six.
const SPELLING_BYTES_MAX: usize = 6 * TOKEN_BYTES_MAX;

/// The whole file, if it is no larger than the limit.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, VocabularyError> {
    let mut text = Vec::new();
    let limit = u64::try_from(TOKENIZER_FILE_BYTES_MAX).expect("the limit fits every file length");
    open(path)?.take(limit + 1).read_to_end(&mut text).map_err(|e| failed(&e))?;
    if text.len() > TOKENIZER_FILE_BYTES_MAX {
        return Err(VocabularyError::new(format!(
            "the file has more than {TOKENIZER_FILE_BYTES_MAX} bytes, the limit of a tokenizer file"
        )));
    }
    Ok(text)
}

/// The file, to be read from its start.
pub(super) fn open(path: &Path) -> Result<BufReader<File>, VocabularyError> {
    File::open(path).map(BufReader::new).map_err(|e| failed(&e))
}

/// The same fault with the name of the file before it.
pub(super) fn in_file(path: &Path, error: &VocabularyError) -> VocabularyError {
    VocabularyError::new(format!("{}: {error}", path.display()))
}

fn failed(error: &std::io::Error) -> VocabularyError {
    VocabularyError::new(format!("can't be read: {error}"))
}

/// The byte of a `<0xNN>` spelling; `<0x+F>` is one too, because the `tokenizers` library reads it so.
fn byte_token(spelling: &str) -> Option<u8> {
    let digits = spelling.strip_prefix("<0x")?.strip_suffix('>')?;
    if digits.len() == 2 { u8::from_str_radix(digits, 16).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::byte_token;

    #[test]
    fn byte_tokens_have_two_characters_that_read_as_a_number() {
        assert_eq!(byte_token("<0x0A>"), Some(10));
        assert_eq!(byte_token("<0xff>"), Some(255));
        assert_eq!(byte_token("<0x+F>"), Some(15));
        for other in ["<0x-1>", "<0x 1>", "<0x0A", "0x0A>", "<0x0AB>", "<0x>", "<0xé>", ""] {
            assert_eq!(byte_token(other), None, "{other}");
        }
    }
}
