//! Cases made ready to run: schemas with their documents as token ids.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::data::{self, Sample};
use crate::tokenizer::{Encoder, Encoding};

/// A schema and its encoded documents.
#[derive(Serialize, Deserialize)]
pub(crate) struct Trace {
    pub(crate) name: String,
    /// Exact source text of the schema.
    pub(crate) schema: String,
    pub(crate) documents: Vec<EncodedDocument>,
}

/// A document as every engine gets it.
#[derive(Serialize, Deserialize)]
pub(crate) struct EncodedDocument {
    /// Place among the case's documents, from 0.
    pub(crate) number: usize,
    pub(crate) valid: bool,
    pub(crate) tokens: Vec<u32>,
}

/// All that one run tries.
pub(crate) struct Traces {
    pub(crate) traces: Vec<Trace>,
    /// Documents spelled by greedy longest match.
    pub(crate) greedy: usize,
    /// Documents left out because the vocabulary can't spell them.
    pub(crate) unspellable: usize,
}

impl Traces {
    /// Reads the cases under `path` that `sample` takes and encodes their documents.
    ///
    /// # Errors
    /// Says which file, and which line of it, can't be read.
    pub(crate) fn read(path: &Path, sample: Sample, encoder: &Encoder) -> Result<Self, String> {
        let (mut greedy, mut unspellable) = (0, 0);
        let mut traces = Vec::new();
        for case in data::read(path, sample)? {
            let mut documents = Vec::new();
            for (number, document) in case.documents.iter().enumerate() {
                let tokens = match encoder.encode(&document.text) {
                    Some(Encoding::Real(tokens)) => tokens,
                    Some(Encoding::Greedy(tokens)) => {
                        greedy += 1;
                        tokens
                    }
                    None => {
                        unspellable += 1;
                        continue;
                    }
                };
                documents.push(EncodedDocument { number, valid: document.valid, tokens });
            }
            traces.push(Trace { name: case.name, schema: case.schema, documents });
        }
        Ok(Self { traces, greedy, unspellable })
    }

    /// The number of documents.
    pub(crate) fn document_count(&self) -> usize {
        self.traces.iter().map(|trace| trace.documents.len()).sum()
    }
}
