//! The independent verdict: the `jsonschema` crate with formats asserted, which shares nothing with the engine.

use jsonschema::Validator;
use maskwright::Formats;
use serde_json::{Value, json};

use crate::Failure;

/// A validator for one schema.
pub(crate) struct Independent {
    validator: Validator,
}

impl Independent {
    /// Reads the schema a second time, with the validator's own reader, and the patterns of the caller's formats too.
    pub(crate) fn new(schema: &str, formats: &Formats) -> Result<Self, Failure> {
        let value: Value = serde_json::from_str(schema)
            .map_err(|e| Failure(format!("the validator can't read the schema: {e}")))?;
        let refused =
            |e: jsonschema::ValidationError<'_>| Failure(format!("the validator refuses the schema: {e}"));
        let mut options = jsonschema::options().should_validate_formats(true);
        for (name, pattern) in formats.iter() {
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
