//! The independent verdict: the `jsonschema` crate with formats asserted, which shares nothing with the engine.
//!
//! It computes with 64-bit integers and floats and reads patterns with an engine of its own. What it can't hold exactly it does not
//! judge here: neither its "valid" nor its "invalid" would mean anything.

use std::error::Error;

use jsonschema::{Draft, Retrieve, Uri, Validator};
use maskwright::{CompilerConfig, DialectName, FormatsAre, Resolver};
use serde_json::{Value, json};

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

/// Significant decimal digits that every float holds, so that different numbers stay different.
const FLOAT_DIGITS: usize = 15;

/// Powers of ten of a number's first digit between which floats have all their digits.
const FLOAT_EXPONENTS: std::ops::RangeInclusive<i64> = -290..=290;

/// What the validator says of one document.
pub(crate) enum Judgement {
    Valid,
    /// The fault.
    Invalid(String),
    /// Why it can't say.
    NotJudged(String),
}

/// A validator for one schema, or why there is none.
pub(crate) struct Independent {
    validator: Result<Validator, String>,
    /// A number of the schema that the validator can't hold.
    inexact: Option<String>,
}

impl Independent {
    /// Reads the schema a second time, with the validator's own reader, and what the configuration adds to it too.
    pub(crate) fn new(schema: &str, config: &CompilerConfig) -> Self {
        let value =
            serde_json::from_str(schema).map_err(|e| format!("the validator can't read the schema: {e}"));
        let inexact = value.as_ref().ok().and_then(inexact_number);
        Self { validator: value.and_then(|value| build(value, config)), inexact }
    }

    /// Whether the text is a JSON document that the schema accepts.
    pub(crate) fn judge(&self, document: &[u8]) -> Judgement {
        let validator = match &self.validator {
            Ok(validator) => validator,
            Err(why) => return Judgement::NotJudged(why.clone()),
        };
        let value: Value = match serde_json::from_slice(document) {
            Ok(value) => value,
            Err(e) if e.to_string().starts_with("recursion limit") => {
                return Judgement::NotJudged("the document is nested too deep for the validator".into());
            }
            Err(e) => return Judgement::Invalid(format!("not JSON: {e}")),
        };
        let inexact = inexact_number(&value).or_else(|| self.inexact.clone().filter(|_| has_number(&value)));
        if let Some(number) = inexact {
            return Judgement::NotJudged(format!(
                "the validator can't hold the number {} exactly",
                shortened(&number)
            ));
        }
        match validator.validate(&value) {
            Ok(()) => Judgement::Valid,
            Err(e) => Judgement::Invalid(format!("{e} (at {:?})", e.instance_path().as_str())),
        }
    }
}

fn build(mut value: Value, config: &CompilerConfig) -> Result<Validator, String> {
    if config.dialect == DialectName::OpenApi30 {
        take_null(&mut value);
    }
    let refused = |e: jsonschema::ValidationError<'_>| format!("the validator refuses the schema: {e}");
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
    options.build(&value).map_err(refused)
}

/// All values inside a value, itself first.
fn parts(value: &Value) -> impl Iterator<Item = &Value> {
    let mut open = vec![value];
    std::iter::from_fn(move || {
        let next = open.pop()?;
        match next {
            Value::Object(members) => open.extend(members.values()),
            Value::Array(items) => open.extend(items),
            _ => {}
        }
        Some(next)
    })
}

fn has_number(value: &Value) -> bool {
    parts(value).any(Value::is_number)
}

/// A number inside that neither a 64-bit integer nor a float holds exactly enough.
fn inexact_number(value: &Value) -> Option<String> {
    parts(value).find_map(|part| match part {
        Value::Number(number) => Some(number.to_string()).filter(|text| !is_held(text)),
        _ => None,
    })
}

/// Whether a JSON number fits a 64-bit integer, or is short enough for a float.
fn is_held(number: &str) -> bool {
    let is_integer = !number.contains(['.', 'e', 'E']);
    if is_integer && (number.parse::<i64>().is_ok() || number.parse::<u64>().is_ok()) {
        return true;
    }
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let Ok(exponent) = exponent.parse::<i64>() else { return false };
    let (whole, fraction) =
        mantissa.trim_start_matches('-').split_once('.').unwrap_or((mantissa.trim_start_matches('-'), ""));
    let digits = format!("{whole}{fraction}");
    let significant = digits.trim_start_matches('0');
    let zeros = digits.len() - significant.len();
    let places = i64::try_from(whole.len()).ok().zip(i64::try_from(zeros).ok());
    let Some((whole, zeros)) = places else { return false };
    let significant = significant.trim_end_matches('0');
    // The power of ten of the first digit that is not 0.
    let first = exponent.saturating_add(whole - zeros - 1);
    significant.is_empty() || (significant.len() <= FLOAT_DIGITS && FLOAT_EXPONENTS.contains(&first))
}

/// A long number by its beginning.
fn shortened(number: &str) -> String {
    match number.char_indices().nth(40) {
        Some((end, _)) => format!("{}… ({} characters)", &number[..end], number.len()),
        None => number.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(schema: &str, document: &str) -> Judgement {
        Independent::new(schema, &CompilerConfig::default()).judge(document.as_bytes())
    }

    #[test]
    fn numbers_that_floats_hold_are_judged_and_others_are_not() {
        for held in [
            "0",
            "-12.50",
            "18446744073709551615",
            "-9223372036854775808",
            "123456789012345000.00",
            "1e290",
            "0e9999",
            "0.000000000000001",
        ] {
            assert!(is_held(held), "{held}");
        }
        for beyond in [
            "18446744073709551616",
            "12345678901234567890.000",
            "0.1234567890123456",
            "1e400",
            "1e-300",
            "0.5e99999999999999999999",
        ] {
            assert!(!is_held(beyond), "{beyond}");
        }
        assert!(matches!(
            judge(r#"{"type": "integer"}"#, "12345678901234567890.000"),
            Judgement::NotJudged(_)
        ));
        assert!(matches!(judge(r#"{"maximum": 12345678901234567890.5}"#, "[3]"), Judgement::NotJudged(_)));
        assert!(matches!(judge(r#"{"maximum": 12345678901234567890.5}"#, "[true]"), Judgement::Valid));
        assert!(matches!(judge(r#"{"type": "integer"}"#, "1.5"), Judgement::Invalid(_)));
    }

    #[test]
    fn what_the_validator_can_not_read_is_not_judged() {
        let deep = format!("{}{}", "[".repeat(300), "]".repeat(300));
        assert!(matches!(judge("{}", &deep), Judgement::NotJudged(_)));
        assert!(matches!(judge("{}", "[1"), Judgement::Invalid(_)));
        assert!(matches!(judge(r#"{"pattern": "("}"#, "1"), Judgement::NotJudged(_)));
    }
}
