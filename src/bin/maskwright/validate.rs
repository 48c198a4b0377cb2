//! The independent verdict: the `jsonschema` crate with formats asserted, which shares nothing with the engine.

use std::error::Error;

use jsonschema::{Draft, Retrieve, Uri, Validator};
use maskwright::{CompilerConfig, DialectName, FormatsAre, Resolver};
use serde_json::{Value, json};

use crate::Failure;

/// The caller's documents, as the validator asks for them.
struct Documents(Resolver);

impl Retrieve for Documents {
    fn retrieve(&self, uri: &Uri<String>) -> Result<Value, Box<dyn Error + Send + Sync>> {
        // A relative reference is asked for as it stands.
        let uri = uri.as_str().trim_start_matches("json-schema:///");
        let text = self.0.document(uri).ok_or_else(|| format!("there is no document {uri}"))?;
        Ok(serde_json::from_str(&text)?)
    }
}

/// Says `nullable` of OpenAPI 3.0 in words that the validator knows: wherever `type` is one name, null is another.
fn take_null(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            members.values_mut().for_each(take_null);
            if members.get("nullable") == Some(&json!(true))
                && let Some(name @ Value::String(_)) = members.get("type").cloned()
            {
                members.insert("type".to_owned(), json!([name, "null"]));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(take_null),
        _ => {}
    }
}

/// A validator for one schema.
pub(crate) struct Independent {
    validator: Validator,
}

impl Independent {
    /// Reads the schema a second time, with the validator's own reader, and what the configuration adds to it too.
    pub(crate) fn new(schema: &str, config: &CompilerConfig) -> Result<Self, Failure> {
        let mut value: Value = serde_json::from_str(schema)
            .map_err(|e| Failure(format!("the validator can't read the schema: {e}")))?;
        if config.dialect == DialectName::OpenApi30 {
            take_null(&mut value);
        }
        let refused =
            |e: jsonschema::ValidationError<'_>| Failure(format!("the validator refuses the schema: {e}"));
        let asserted = config.formats_are == FormatsAre::Asserted;
        let mut options = jsonschema::options()
            .should_validate_formats(asserted)
            .with_retriever(Documents(config.resolver.clone()));
        if value.get("$schema").is_none() {
            options = options.with_draft(match config.dialect {
                DialectName::Draft4 | DialectName::OpenApi30 => Draft::Draft4,
                DialectName::Draft6 => Draft::Draft6,
                DialectName::Draft7 => Draft::Draft7,
                DialectName::Draft2019 => Draft::Draft201909,
                _ => Draft::Draft202012,
            });
        }
        for (name, pattern) in config.formats.iter() {
            let format = json!({"pattern": format!("^(?:{pattern})$")});
            let format = jsonschema::validator_for(&format).map_err(refused)?;
            options = options.with_format(name.to_owned(), move |text: &str| format.is_valid(&text.into()));
        }
        let validator = options.build(&value).map_err(refused)?;
        Ok(Self { validator })
    }

    /// Whether the text is a JSON document that the schema accepts; the fault if not.
    pub(crate) fn verdict(&self, document: &[u8]) -> Result<(), String> {
        let value: Value = serde_json::from_slice(document).map_err(|e| format!("not JSON: {e}"))?;
        self.validator.validate(&value).map_err(|e| format!("{e} (at {:?})", e.instance_path().as_str()))
    }
}
