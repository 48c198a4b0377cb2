//! How a `tokenizer.json` spells bytes: the file's decoder, reduced to what it does to one token in mid-text.
//!
//! A decoder works on whole token sequences. Here only those are taken that write every token independently of its
//! neighbours, apart from what they strip off the start of the text; all others are refused. The text of a byte token
//! is its byte, though the decoder shows replacement characters where such bytes are not UTF-8.

use serde_json::Value;

use super::{SPELLING_BYTES_MAX, byte_level, byte_token};
use crate::{error::VocabularyError, limits::DECODER_STEPS_MAX};

/// What turns a token's spelling into its bytes.
#[derive(Debug, Default)]
pub(super) struct Spelling {
    steps: Vec<Step>,
    /// The decoder has joined all tokens: what follows sees the whole text.
    is_joined: bool,
}

#[derive(Debug)]
enum Step {
    Replace {
        from: String,
        to: String,
    },
    /// Takes up to so many of a character off each end.
    Strip {
        character: char,
        start: usize,
        end: usize,
    },
    /// A `<0xNN>` token is its byte, and done.
    ByteFallback,
    /// Every character is a byte, and done.
    ByteLevel,
}

/// The parts of a tokenizer file that say how it spells.
pub(super) struct Pipeline<'a> {
    pub(super) normalizer: Option<&'a Value>,
    pub(super) pre_tokenizer: Option<&'a Value>,
    pub(super) decoder: Option<&'a Value>,
    pub(super) byte_fallback: bool,
}

/// What SentencePiece writes for a space.
const LOWER_BLOCK: &str = "\u{2581}";

impl Spelling {
    /// From the decoder; where a file has none, from what its encoder does.
    ///
    /// # Errors
    /// The decoder is malformed, or writes a token differently depending on its neighbours.
    pub(super) fn of(pipeline: &Pipeline<'_>) -> Result<Self, VocabularyError> {
        let mut spelling = Self::default();
        match pipeline.decoder {
            Some(decoder) => spelling.add_decoder(decoder)?,
            None => spelling.add_inverse(pipeline)?,
        }
        let has_bytes = spelling.steps.iter().any(|s| matches!(s, Step::ByteFallback | Step::ByteLevel));
        if pipeline.byte_fallback && !has_bytes {
            spelling.push(Step::ByteFallback)?;
        }
        Ok(spelling)
    }

    /// Appends what the token writes.
    ///
    /// # Errors
    /// The spelling is longer than the limit, before or after a replacement.
    pub(super) fn append(&self, token: &str, out: &mut Vec<u8>) -> Result<(), VocabularyError> {
        let mut text = std::borrow::Cow::Borrowed(token);
        for step in &self.steps {
            if text.len() > SPELLING_BYTES_MAX {
                break;
            }
            match step {
                Step::Replace { from, to } => {
                    if text.contains(from.as_str()) {
                        text = text.replace(from.as_str(), to).into();
                    }
                }
                Step::Strip { character, start, end } => {
                    let stripped = strip(&text, *character, *start, *end);
                    if stripped.len() < text.len() {
                        text = stripped.to_owned().into();
                    }
                }
                Step::ByteFallback => {
                    if let Some(byte) = byte_token(&text) {
                        out.push(byte);
                        return Ok(());
                    }
                }
                Step::ByteLevel => {
                    byte_level::append(&text, out);
                    return Ok(());
                }
            }
        }
        if text.len() > SPELLING_BYTES_MAX {
            return Err(VocabularyError::new(format!(
                "a token is spelled with more than {SPELLING_BYTES_MAX} bytes, the limit: {}",
                crate::vocab::entries::shortened(token)
            )));
        }
        out.extend_from_slice(text.as_bytes());
        Ok(())
    }

    fn push(&mut self, step: Step) -> Result<(), VocabularyError> {
        if self.steps.len() == DECODER_STEPS_MAX {
            return Err(refused(format!("it has more than {DECODER_STEPS_MAX} steps, the limit")));
        }
        if matches!(self.steps.last(), Some(Step::ByteLevel)) {
            return Err(refused("a step after ByteLevel works on text that is not complete yet"));
        }
        self.steps.push(step);
        Ok(())
    }

    fn add_decoder(&mut self, decoder: &Value) -> Result<(), VocabularyError> {
        match kind(decoder) {
            "Sequence" => {
                let decoders = decoder.get("decoders").and_then(Value::as_array);
                for step in decoders.ok_or_else(|| refused("its Sequence has no list \"decoders\""))? {
                    self.add_decoder(step)?;
                }
                Ok(())
            }
            "Fuse" => {
                self.is_joined = true;
                Ok(())
            }
            "ByteLevel" => self.push(Step::ByteLevel),
            "ByteFallback" => self.push(Step::ByteFallback),
            "Metaspace" => {
                let from = decoder.get("replacement").map_or(Some(LOWER_BLOCK), Value::as_str);
                self.add_replace(from.ok_or_else(|| refused("Metaspace has no \"replacement\""))?, " ")
            }
            "Replace" => {
                let from = literal(decoder.get("pattern")).ok_or_else(|| {
                    refused("its Replace has no literal \"pattern\": what a regular expression replaces is not known here")
                })?;
                let to = decoder.get("content").and_then(Value::as_str);
                self.add_replace(from, to.ok_or_else(|| refused("its Replace has no \"content\""))?)
            }
            "Strip" => self.add_strip(decoder),
            other => Err(refused(format!(
                "{other:?} writes a token differently depending on its neighbours; ByteLevel, ByteFallback, Metaspace, Replace, Strip and Fuse are supported"
            ))),
        }
    }

    fn add_replace(&mut self, from: &str, to: &str) -> Result<(), VocabularyError> {
        if from.is_empty() {
            return Err(refused("its Replace has an empty pattern"));
        }
        if self.is_joined && from.chars().nth(1).is_some() {
            return Err(refused(format!("Replace of {from:?} after Fuse reaches across tokens")));
        }
        if to.len() > SPELLING_BYTES_MAX {
            return Err(refused(format!(
                "the content of Replace is longer than {SPELLING_BYTES_MAX} bytes, the limit"
            )));
        }
        self.push(Step::Replace { from: from.to_owned(), to: to.to_owned() })
    }

    fn add_strip(&mut self, decoder: &Value) -> Result<(), VocabularyError> {
        let count =
            |key| decoder.get(key).and_then(Value::as_u64).and_then(|count| usize::try_from(count).ok());
        let character = decoder.get("content").and_then(Value::as_str).and_then(|content| {
            let mut characters = content.chars();
            characters.next().filter(|_| characters.next().is_none())
        });
        let (Some(character), Some(start), Some(end)) = (character, count("start"), count("stop")) else {
            return Err(refused("its Strip has not \"content\" of one character, \"start\" and \"stop\""));
        };
        if !self.is_joined {
            return self.push(Step::Strip { character, start, end });
        }
        // The start of the whole text is no token's business; its end would be the last one's.
        if end == 0 {
            Ok(())
        } else {
            Err(refused("its Strip takes characters off the end of the whole text"))
        }
    }

    /// The inverse of what the encoder does to bytes and spaces.
    fn add_inverse(&mut self, pipeline: &Pipeline<'_>) -> Result<(), VocabularyError> {
        let mut parts = Vec::new();
        for part in [pipeline.pre_tokenizer, pipeline.normalizer].into_iter().flatten() {
            flatten(part, &mut parts);
        }
        for part in parts {
            let space = match kind(part) {
                "ByteLevel" => return self.push(Step::ByteLevel),
                "Metaspace" => part.get("replacement").map_or(Some(LOWER_BLOCK), Value::as_str),
                "Replace" if literal(part.get("pattern")) == Some(" ") => {
                    part.get("content").and_then(Value::as_str)
                }
                _ => None,
            };
            if let Some(space) = space {
                return self.add_replace(space, " ");
            }
        }
        Err(VocabularyError::new(
            "there is no decoder, and nothing in pre_tokenizer or normalizer tells how tokens spell spaces and bytes",
        ))
    }
}

/// Up to `start` and `end` characters off the ends.
fn strip(mut text: &str, character: char, start: usize, end: usize) -> &str {
    for _ in 0..start {
        match text.strip_prefix(character) {
            Some(rest) => text = rest,
            None => break,
        }
    }
    for _ in 0..end {
        match text.strip_suffix(character) {
            Some(rest) => text = rest,
            None => break,
        }
    }
    text
}

fn kind(part: &Value) -> &str {
    part.get("type").and_then(Value::as_str).unwrap_or_default()
}

/// The text of a pattern that is no regular expression.
fn literal(pattern: Option<&Value>) -> Option<&str> {
    let pattern = pattern?;
    pattern.get("String").and_then(Value::as_str).or_else(|| {
        let regex = pattern.get("Regex").and_then(Value::as_str)?;
        let is_plain = |c: char| c.is_alphanumeric() || c == ' ' || !c.is_ascii();
        regex.chars().all(is_plain).then_some(regex)
    })
}

/// The members of sequences of normalizers or pre-tokenizers, in order. The JSON reader bounds the depth.
fn flatten<'a>(part: &'a Value, parts: &mut Vec<&'a Value>) {
    let members = part.get("pretokenizers").or_else(|| part.get("normalizers")).and_then(Value::as_array);
    match members {
        Some(members) => members.iter().for_each(|member| flatten(member, parts)),
        None => parts.push(part),
    }
}

fn refused(message: impl std::fmt::Display) -> VocabularyError {
    VocabularyError::new(format!("the decoder can't be used: {message}"))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Pipeline, Spelling};

    fn with_decoder(decoder: &Value) -> Result<Spelling, String> {
        let pipeline =
            Pipeline { normalizer: None, pre_tokenizer: None, decoder: Some(decoder), byte_fallback: false };
        Spelling::of(&pipeline).map_err(|e| e.to_string())
    }

    fn written(spelling: &Spelling, token: &str) -> Vec<u8> {
        let mut out = Vec::new();
        spelling.append(token, &mut out).unwrap();
        out
    }

    #[test]
    fn sentencepiece_decoders_keep_the_space_of_a_continuation() {
        let llama2 = json!({"type": "Sequence", "decoders": [
            {"type": "Replace", "pattern": {"String": "▁"}, "content": " "}, {"type": "ByteFallback"}, {"type": "Fuse"},
            {"type": "Strip", "content": " ", "start": 1, "stop": 0}]});
        let metaspace = json!({"type": "Sequence", "decoders": [{"type": "ByteFallback"},
            {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": true}]});
        for decoder in [llama2, metaspace] {
            let spelling = with_decoder(&decoder).unwrap();
            assert_eq!(written(&spelling, "▁the▁"), b" the ");
            assert_eq!(written(&spelling, "<0xE2>"), b"\xE2");
            assert_eq!(written(&spelling, "<0xZZ>"), b"<0xZZ>");
        }
    }

    #[test]
    fn strip_before_fuse_is_each_tokens_own() {
        let spelling =
            with_decoder(&json!({"type": "Strip", "content": "_", "start": 2, "stop": 1})).unwrap();
        for (token, expected) in [("___a__", "_a_"), ("_", ""), ("", ""), ("a_", "a")] {
            assert_eq!(written(&spelling, token), expected.as_bytes(), "{token:?}");
        }
    }

    #[test]
    fn decoders_that_look_at_neighbours_are_refused() {
        let fuse_then = |step: Value| json!({"type": "Sequence", "decoders": [{"type": "Fuse"}, step]});
        let cases = [
            (json!({"type": "WordPiece", "prefix": "##"}), "\"WordPiece\" writes a token differently"),
            (json!({"type": "BPEDecoder", "suffix": "</w>"}), "\"BPEDecoder\""),
            (json!({"type": "Sequence"}), "no list \"decoders\""),
            (json!({}), "\"\" writes"),
            (json!({"type": "Replace", "pattern": {"Regex": "a+"}, "content": ""}), "no literal \"pattern\""),
            (json!({"type": "Replace", "pattern": {"String": ""}, "content": ""}), "empty pattern"),
            (
                fuse_then(json!({"type": "Replace", "pattern": {"String": "ab"}, "content": ""})),
                "reaches across",
            ),
            (fuse_then(json!({"type": "Strip", "content": " ", "start": 0, "stop": 1})), "off the end"),
            (json!({"type": "Strip", "content": "ab", "start": 0, "stop": 1}), "one character"),
            (json!({"type": "Strip", "content": "a", "start": -1, "stop": 1}), "one character"),
            (
                json!({"type": "Sequence", "decoders": [{"type": "ByteLevel"}, {"type": "ByteFallback"}]}),
                "after ByteLevel",
            ),
            (
                json!({"type": "Sequence", "decoders": vec![json!({"type": "ByteFallback"}); 65]}),
                "more than 64 steps",
            ),
        ];
        for (decoder, expected) in cases {
            let error = with_decoder(&decoder).unwrap_err();
            assert!(error.contains(expected), "{decoder}: {error}");
        }
    }

    #[test]
    fn replacements_can_not_grow_without_bound() {
        let double = json!({"type": "Replace", "pattern": {"String": "a"}, "content": "aa"});
        let spelling = with_decoder(&json!({"type": "Sequence", "decoders": vec![double; 60]})).unwrap();
        assert!(spelling.append("a", &mut Vec::new()).is_err());
        assert_eq!(written(&spelling, "b"), b"b");
    }

    #[test]
    fn without_a_decoder_the_encoder_tells() {
        let spelling = |normalizer: Value, pre_tokenizer: Value, byte_fallback| {
            let (normalizer, pre_tokenizer) = (Some(&normalizer), Some(&pre_tokenizer));
            Spelling::of(&Pipeline { normalizer, pre_tokenizer, decoder: None, byte_fallback })
        };
        let nested =
            json!({"type": "Sequence", "pretokenizers": [{"type": "Digits"}, {"type": "ByteLevel"}]});
        assert_eq!(written(&spelling(json!({"type": "NFC"}), nested, false).unwrap(), "Ġa"), b" a");
        let replace = json!({"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"},
            {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]});
        let spelled = spelling(replace, Value::Null, true).unwrap();
        assert_eq!(written(&spelled, "▁a"), b" a");
        assert_eq!(written(&spelled, "<0x00>"), b"\0");
        assert_eq!(
            written(&spelling(Value::Null, json!({"type": "Metaspace"}), false).unwrap(), "▁a"),
            b" a"
        );
        assert!(spelling(Value::Null, json!({"type": "BertPreTokenizer"}), true).is_err());
    }
}
