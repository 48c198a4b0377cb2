//! `tokenizer.json` of the `tokenizers` library: model, decoder, added tokens.
//!
//! Only what says which bytes an id writes is kept; merges and scores are skipped while reading. Where the
//! file contradicts itself it is refused.

use std::fmt;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use serde::{
    Deserialize,
    de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::Value;

use super::spelling::{Pipeline, Spelling};
use crate::{
    error::VocabularyError,
    vocab::entries::{Entries, EntriesBuilder, Origin, shortened},
};

#[derive(Deserialize)]
struct TokenizerFile {
    added_tokens: Option<Vec<Added>>,
    normalizer: Option<Value>,
    pre_tokenizer: Option<Value>,
    decoder: Option<Value>,
    model: Model,
}

#[derive(Deserialize)]
struct Added {
    id: i64,
    content: String,
    #[serde(default)]
    special: bool,
}

#[derive(Deserialize)]
struct Model {
    #[serde(rename = "type")]
    kind: Option<String>,
    vocab: ModelVocab,
    merges: Option<IgnoredAny>,
    unk_token: Option<String>,
    unk_id: Option<i64>,
    byte_fallback: Option<bool>,
    continuing_subword_prefix: Option<String>,
    end_of_word_suffix: Option<String>,
}

/// Spelling and id of each of the model's tokens: an object in BPE files, a list of pairs in Unigram files.
struct ModelVocab {
    tokens: Vec<(String, i64)>,
    is_list: bool,
}

impl<'de> Deserialize<'de> for ModelVocab {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ModelVocabVisitor)
    }
}

struct ModelVocabVisitor;

impl<'de> Visitor<'de> for ModelVocabVisitor {
    type Value = ModelVocab;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object from token to id, or a list of pairs of token and score")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ModelVocab, A::Error> {
        let mut tokens = Vec::new();
        while let Some(entry) = map.next_entry()? {
            tokens.push(entry);
        }
        Ok(ModelVocab { tokens, is_list: false })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<ModelVocab, A::Error> {
        let mut tokens = Vec::new();
        let mut ids = 0..;
        while let Some((token, IgnoredAny)) = seq.next_element()? {
            tokens.push((token, ids.next().expect("a list in memory is shorter than i64::MAX")));
        }
        Ok(ModelVocab { tokens, is_list: true })
    }
}

/// The entries of a file.
pub(in crate::vocab) fn entries(text: &[u8]) -> Result<Entries, VocabularyError> {
    let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    let file: TokenizerFile = serde_json::from_slice(text)
        .map_err(|e| VocabularyError::new(format!("not a tokenizer.json: {e}")))?;
    check_model(&file.model)?;
    let spelling = Spelling::of(&Pipeline {
        normalizer: file.normalizer.as_ref(),
        pre_tokenizer: file.pre_tokenizer.as_ref(),
        decoder: file.decoder.as_ref(),
        byte_fallback: file.model.byte_fallback == Some(true),
    })?;

    let added = file.added_tokens.unwrap_or_default();
    let special: HashMap<&str, bool, FxBuildHasher> =
        added.iter().map(|token| (token.content.as_str(), token.special)).collect();
    let mut builder = EntriesBuilder::default();
    let mut bytes = Vec::new();
    for (token, id) in &file.model.vocab.tokens {
        let is_unknown = file.model.unk_token.as_deref() == Some(token) || file.model.unk_id == Some(*id);
        let origin = match special.get(token.as_str()) {
            Some(&special) => Origin::Added { special },
            None if is_unknown => Origin::Unknown,
            None => Origin::Model,
        };
        bytes.clear();
        spelling.append(token, &mut bytes)?;
        builder.push(*id, token, &bytes, origin)?;
    }
    for token in &added {
        bytes.clear();
        spelling.append(&token.content, &mut bytes)?;
        push_added(&mut builder, token, &bytes)?;
    }
    builder.finish()
}

/// Adds an added token, which may stand in the model's vocabulary as well, or twice in the list.
fn push_added(builder: &mut EntriesBuilder, token: &Added, bytes: &[u8]) -> Result<(), VocabularyError> {
    let special = token.special;
    match builder.get(token.id) {
        None => builder.push(token.id, &token.content, bytes, Origin::Added { special }),
        Some((name, origin)) if name == token.content => {
            let before = matches!(origin, Origin::Added { special: true });
            builder.set_origin(token.id, Origin::Added { special: special || before });
            Ok(())
        }
        Some((name, _)) => Err(VocabularyError::new(format!(
            "the file contradicts itself: id {} is {} in one place and {} in added_tokens",
            token.id,
            shortened(name),
            shortened(&token.content)
        ))),
    }
}

/// Refuses models whose tokens have no bytes of their own.
fn check_model(model: &Model) -> Result<(), VocabularyError> {
    let kind = match (&model.kind, model.vocab.is_list) {
        (Some(kind), _) => kind.as_str(),
        (None, true) => "Unigram",
        (None, false) if model.merges.is_some() => "BPE",
        (None, false) => "unnamed",
    };
    match (kind, model.vocab.is_list) {
        ("BPE", false) | ("Unigram", true) => {}
        ("BPE" | "Unigram", _) => {
            return Err(VocabularyError::new(format!("model.vocab has not the shape of a {kind} model's")));
        }
        _ => {
            return Err(VocabularyError::new(format!(
                "the {kind} model is not supported: BPE and Unigram models are"
            )));
        }
    }
    let affixes = [
        ("continuing_subword_prefix", &model.continuing_subword_prefix),
        ("end_of_word_suffix", &model.end_of_word_suffix),
    ];
    for (key, affix) in affixes {
        if let Some(affix) = affix.as_deref().filter(|affix| !affix.is_empty()) {
            return Err(VocabularyError::new(format!(
                "model.{key} is {}: a token's bytes then depend on its neighbours",
                shortened(affix)
            )));
        }
    }
    Ok(())
}
