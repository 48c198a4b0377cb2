//! The tokenizer inside a GGUF file, read from the metadata at its head.
//!
//! ```text
//! "GGUF", version u32, tensor count u64, pair count u64, then the pairs:
//! key string, type u32, value        string = length u64, bytes        array = type u32, length u64, values
//! ```
//!
//! Numbers are little-endian. Every length is a claim: strings grow only as fast as bytes arrive, arrays are read value by
//! value, and the metadata as a whole ends at a named limit.

use std::io::{Read, Take};

use super::{SPELLING_BYTES_MAX, byte_level, byte_token, failed};
use crate::{
    error::VocabularyError,
    index::TokenId,
    limits::{GGUF_ARRAY_DEPTH_MAX, TOKENIZER_FILE_BYTES_MAX, VOCABULARY_TOKENS_MAX},
    vocab::entries::{Entries, EntriesBuilder, Origin, shortened},
};

/// The entries of a file, and the stop tokens that it names.
pub(in crate::vocab) fn entries(reader: impl Read) -> Result<(Entries, Vec<TokenId>), VocabularyError> {
    let metadata = Metadata::read(&mut Reader::new(reader))?;
    let spelling = match metadata.model.as_deref() {
        Some("gpt2") => Spelling::ByteLevel,
        Some("llama") => Spelling::SentencePiece,
        Some(other) => {
            return Err(VocabularyError::new(format!(
                "the tokenizer model {} is not supported: gpt2 and llama are",
                shortened(other)
            )));
        }
        None => return Err(VocabularyError::new("the file has no tokenizer.ggml.model")),
    };
    if metadata.types.len() != metadata.tokens.len() {
        return Err(VocabularyError::new(format!(
            "{} tokens but {} token types: without types added tokens can't be told from text",
            metadata.tokens.len(),
            metadata.types.len()
        )));
    }
    let mut builder = EntriesBuilder::default();
    let mut bytes = Vec::new();
    for ((name, &kind), id) in metadata.tokens.iter().zip(&metadata.types).zip(0..) {
        bytes.clear();
        let origin = spelling
            .append(name, kind, &mut bytes)
            .map_err(|message| VocabularyError::new(format!("token {id}, {}: {message}", shortened(name))))?;
        builder.push(id, name, &bytes, origin)?;
    }
    Ok((builder.finish()?, metadata.stop))
}

/// How the file spells bytes.
#[derive(Clone, Copy)]
enum Spelling {
    ByteLevel,
    SentencePiece,
}

impl Spelling {
    /// Appends what a token of this type writes, and says where it comes from.
    fn append(self, name: &str, kind: i64, out: &mut Vec<u8>) -> Result<Origin, String> {
        let origin = match kind {
            0 => Origin::Hole,
            1 => Origin::Model,
            2 => Origin::Unknown,
            3 => Origin::Added { special: true },
            4 => Origin::Added { special: false },
            5 => Origin::Unused,
            6 => {
                return Ok(byte_token(name).map_or(Origin::Hole, |byte| {
                    out.push(byte);
                    Origin::Model
                }));
            }
            _ => return Err(format!("its type {kind} is unknown")),
        };
        match (origin, self) {
            (Origin::Model, Self::ByteLevel) => byte_level::append(name, out),
            (Origin::Model, Self::SentencePiece) => {
                out.extend_from_slice(name.replace('\u{2581}', " ").as_bytes())
            }
            _ => out.extend_from_slice(name.as_bytes()),
        }
        Ok(origin)
    }
}

/// The pairs that concern the tokenizer.
#[derive(Default)]
struct Metadata {
    model: Option<String>,
    tokens: Vec<String>,
    types: Vec<i64>,
    stop: Vec<TokenId>,
}

impl Metadata {
    fn read(reader: &mut Reader<impl Read>) -> Result<Self, VocabularyError> {
        if reader.array::<4>()? != *b"GGUF" {
            return Err(VocabularyError::new("not a GGUF file: it does not begin with \"GGUF\""));
        }
        let version = reader.u32()?;
        if !(2..=3).contains(&version) {
            let hint = if version.swap_bytes() <= 3 { " (a big-endian file)" } else { "" };
            return Err(VocabularyError::new(format!(
                "GGUF version {version}{hint} is not supported: 2 and 3, little-endian, are"
            )));
        }
        let _tensor_count = reader.u64()?;
        let pair_count = reader.u64()?;
        let mut metadata = Self::default();
        for _ in 0..pair_count {
            let key = reader.string()?;
            let kind = Kind::read(reader)?;
            metadata
                .read_value(reader, &key, kind)
                .map_err(|e| VocabularyError::new(format!("{key}: {e}")))?;
        }
        Ok(metadata)
    }

    fn read_value(
        &mut self,
        reader: &mut Reader<impl Read>,
        key: &str,
        kind: Kind,
    ) -> Result<(), VocabularyError> {
        match (key, kind) {
            ("tokenizer.ggml.model", Kind::String) => self.model = Some(reader.string()?),
            ("tokenizer.ggml.tokens", Kind::Array) => {
                self.tokens = reader.list(|reader, kind| match kind {
                    Kind::String => reader.string(),
                    _ => Err(VocabularyError::new("the items are not strings")),
                })?;
            }
            ("tokenizer.ggml.token_type", Kind::Array) => self.types = reader.list(Reader::integer)?,
            (
                "tokenizer.ggml.eos_token_id" | "tokenizer.ggml.eot_token_id" | "tokenizer.ggml.eom_token_id",
                kind,
            ) => {
                let id = reader.integer(kind)?;
                let id =
                    u32::try_from(id).map_err(|_| VocabularyError::new(format!("{id} is no token id")))?;
                self.stop.push(TokenId(id));
            }
            ("tokenizer.ggml.model" | "tokenizer.ggml.tokens" | "tokenizer.ggml.token_type", other) => {
                return Err(VocabularyError::new(format!("the value has the wrong type {other:?}")));
            }
            (_, kind) => reader.skip(kind, 0)?,
        }
        Ok(())
    }
}

/// Type of a metadata value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    U8,
    I8,
    U16,
    I16,
    U32,
    I32,
    F32,
    Bool,
    String,
    Array,
    U64,
    I64,
    F64,
}

impl Kind {
    fn read(reader: &mut Reader<impl Read>) -> Result<Self, VocabularyError> {
        const ALL: [Kind; 13] = [
            Kind::U8,
            Kind::I8,
            Kind::U16,
            Kind::I16,
            Kind::U32,
            Kind::I32,
            Kind::F32,
            Kind::Bool,
            Kind::String,
            Kind::Array,
            Kind::U64,
            Kind::I64,
            Kind::F64,
        ];
        let code = reader.u32()?;
        let known = usize::try_from(code).ok().and_then(|at| ALL.get(at));
        known.copied().ok_or_else(|| VocabularyError::new(format!("the value type {code} is unknown")))
    }

    /// Length of a value in bytes; `None` for those that say it themselves.
    fn width(self) -> Option<u64> {
        match self {
            Self::U8 | Self::I8 | Self::Bool => Some(1),
            Self::U16 | Self::I16 => Some(2),
            Self::U32 | Self::I32 | Self::F32 => Some(4),
            Self::U64 | Self::I64 | Self::F64 => Some(8),
            Self::String | Self::Array => None,
        }
    }
}

/// Reads values, at most so many bytes as the limit of a tokenizer file.
struct Reader<R> {
    source: Take<R>,
}

impl<R: Read> Reader<R> {
    fn new(source: R) -> Self {
        let limit = u64::try_from(TOKENIZER_FILE_BYTES_MAX).expect("the limit fits every file length");
        Self { source: source.take(limit) }
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], VocabularyError> {
        let mut bytes = [0; N];
        self.source.read_exact(&mut bytes).map_err(|e| match e.kind() {
            std::io::ErrorKind::UnexpectedEof => ended(),
            _ => failed(&e),
        })?;
        Ok(bytes)
    }

    fn u32(&mut self) -> Result<u32, VocabularyError> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, VocabularyError> {
        self.array().map(u64::from_le_bytes)
    }

    /// A string of a key or a token; longer ones are skipped, never kept.
    fn string(&mut self) -> Result<String, VocabularyError> {
        let len = self.u64()?;
        let limit = u64::try_from(SPELLING_BYTES_MAX).expect("the limit is small");
        if len > limit {
            return Err(VocabularyError::new(format!(
                "a string claims {len} bytes, more than the limit of {limit}"
            )));
        }
        let mut bytes = Vec::new();
        let read = (&mut self.source).take(len).read_to_end(&mut bytes).map_err(|e| failed(&e))?;
        if u64::try_from(read).ok() != Some(len) {
            return Err(ended());
        }
        String::from_utf8(bytes).map_err(|_| VocabularyError::new("a string is not UTF-8"))
    }

    /// An integer value of any width.
    fn integer(&mut self, kind: Kind) -> Result<i64, VocabularyError> {
        Ok(match kind {
            Kind::U8 => i64::from(u8::from_le_bytes(self.array()?)),
            Kind::I8 => i64::from(i8::from_le_bytes(self.array()?)),
            Kind::U16 => i64::from(u16::from_le_bytes(self.array()?)),
            Kind::I16 => i64::from(i16::from_le_bytes(self.array()?)),
            Kind::U32 => i64::from(self.u32()?),
            Kind::I32 => i64::from(i32::from_le_bytes(self.array()?)),
            Kind::I64 => i64::from_le_bytes(self.array()?),
            Kind::U64 => {
                let value = self.u64()?;
                i64::try_from(value).map_err(|_| VocabularyError::new(format!("{value} is too large")))?
            }
            other => return Err(VocabularyError::new(format!("a value is no integer but {other:?}"))),
        })
    }

    /// The items of an array, at most so many as a vocabulary has.
    fn list<T>(
        &mut self,
        item: impl Fn(&mut Self, Kind) -> Result<T, VocabularyError>,
    ) -> Result<Vec<T>, VocabularyError> {
        let kind = Kind::read(self)?;
        let len = self.u64()?;
        if usize::try_from(len).map_or(true, |len| len > VOCABULARY_TOKENS_MAX) {
            return Err(VocabularyError::new(format!(
                "{len} items are more than {VOCABULARY_TOKENS_MAX}, the limit of a vocabulary"
            )));
        }
        (0..len).map(|_| item(self, kind)).collect()
    }

    /// Passes over a value.
    fn skip(&mut self, kind: Kind, depth: usize) -> Result<(), VocabularyError> {
        if let Some(width) = kind.width() {
            return self.skip_bytes(width);
        }
        if kind == Kind::String {
            let len = self.u64()?;
            return self.skip_bytes(len);
        }
        if depth == GGUF_ARRAY_DEPTH_MAX {
            return Err(VocabularyError::new(format!(
                "arrays are nested deeper than {GGUF_ARRAY_DEPTH_MAX}, the limit"
            )));
        }
        let item = Kind::read(self)?;
        let len = self.u64()?;
        match item.width() {
            Some(width) => self.skip_bytes(len.saturating_mul(width)),
            // Each item takes at least its eight bytes of length, so the end of the file bounds this.
            None => (0..len).try_for_each(|_| self.skip(item, depth + 1)),
        }
    }

    fn skip_bytes(&mut self, len: u64) -> Result<(), VocabularyError> {
        let skipped = std::io::copy(&mut (&mut self.source).take(len), &mut std::io::sink());
        if skipped.map_err(|e| failed(&e))? == len { Ok(()) } else { Err(ended()) }
    }
}

fn ended() -> VocabularyError {
    VocabularyError::new(
        "the file ends in the middle of its metadata (or the metadata is longer than the limit)",
    )
}
