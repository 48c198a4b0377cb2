//! Random documents: values that a schema describes, spellings that a policy allows, and texts that are slightly wrong.

use maskwright::{NumberSpelling, SurfacePolicy, Whitespace};

use super::Random;
use super::schema::NAMES;
use crate::twin::{Twin, Value};

/// Most values tried before the generator falls back on the twin's own.
const TRIES_MAX: usize = 40;
/// Scalars for places that ask for nothing.
const SCALARS: [&str; 12] =
    ["null", "true", "false", "0", "1", "-3", "12", "0.5", "\"\"", "\"a\"", "\"ab\"", "\"\u{e9}b\""];

/// A random value that satisfies the schema, its members in order; `None` if none was found and the schema can't be satisfied.
pub fn valid_value(schema: &serde_json::Value, twin: &Twin, random: &mut Random) -> Option<Value> {
    for _ in 0..TRIES_MAX {
        let value = twin.arranged(&Value::from_json(&loose_value(schema, schema, 4, random)));
        if twin.is_valid(&value) {
            return Some(value);
        }
    }
    twin.valid_values().first().map(|value| (**value).clone())
}

/// A value of bounded nesting that has something to do with the schema, a part of `root`.
pub fn loose_value(
    root: &serde_json::Value,
    schema: &serde_json::Value,
    depth: usize,
    random: &mut Random,
) -> serde_json::Value {
    let scalar = |random: &mut Random| {
        serde_json::from_str(random.pick::<&str>(&SCALARS)).expect("the scalars are JSON")
    };
    let Some(keywords) = schema.as_object() else { return scalar(random) };
    if depth == 0 {
        return scalar(random);
    }
    let mut parts: Vec<&serde_json::Value> = Vec::new();
    if let Some(target) = keywords.get("$ref").and_then(serde_json::Value::as_str) {
        parts.extend(root.pointer(target.trim_start_matches('#')));
    }
    for keyword in ["anyOf", "allOf"] {
        parts.extend(keywords.get(keyword).and_then(serde_json::Value::as_array).into_iter().flatten());
    }
    if let Some(constant) = keywords.get("const") {
        return constant.clone();
    }
    if let Some(values) = keywords.get("enum").and_then(serde_json::Value::as_array).filter(|v| !v.is_empty())
    {
        return random.pick(values).clone();
    }
    if !parts.is_empty() && random.chance(2, 3) {
        return loose_value(root, random.pick::<&serde_json::Value>(&parts), depth, random);
    }
    let kind = match keywords.get("type") {
        Some(serde_json::Value::String(kind)) => kind.clone(),
        Some(serde_json::Value::Array(kinds)) if !kinds.is_empty() => {
            random.pick(kinds).as_str().unwrap_or("").to_owned()
        }
        _ if keywords.contains_key("properties") || keywords.contains_key("required") => "object".to_owned(),
        _ if keywords.contains_key("items") || keywords.contains_key("prefixItems") => "array".to_owned(),
        _ => String::new(),
    };
    match kind.as_str() {
        "object" => loose_object(root, keywords, depth, random),
        "array" => {
            let nothing = serde_json::Value::Bool(true);
            let prefix = keywords.get("prefixItems").and_then(serde_json::Value::as_array);
            let rest = keywords.get("items").unwrap_or(&nothing);
            (0..random.below(4))
                .map(|i| {
                    let at = prefix.and_then(|prefix| prefix.get(i)).unwrap_or(rest);
                    loose_value(root, at, depth - 1, random)
                })
                .collect()
        }
        "string" => {
            let letters = ["a", "b", "\u{e9}", "1", "\u{1F600}"];
            (0..random.below(4)).map(|_| *random.pick(&letters)).collect::<String>().into()
        }
        "integer" => (i64::try_from(random.below(45)).expect("small") - 10).into(),
        _ => scalar(random),
    }
}

fn loose_object(
    root: &serde_json::Value,
    keywords: &serde_json::Map<String, serde_json::Value>,
    depth: usize,
    random: &mut Random,
) -> serde_json::Value {
    let nothing = serde_json::Value::Bool(true);
    let properties = keywords.get("properties").and_then(serde_json::Value::as_object);
    let rest = keywords.get("additionalProperties").unwrap_or(&nothing);
    let required: Vec<&str> = match keywords.get("required").and_then(serde_json::Value::as_array) {
        Some(names) => names.iter().filter_map(serde_json::Value::as_str).collect(),
        None => Vec::new(),
    };
    let mut members = serde_json::Map::new();
    let declared = properties.into_iter().flat_map(|p| p.keys().map(String::as_str));
    for name in declared.chain(required.iter().copied()).chain(NAMES) {
        let is_declared = properties.is_some_and(|properties| properties.contains_key(name));
        let likely = match (required.contains(&name), is_declared) {
            (true, _) => 9,
            (false, true) => 5,
            (false, false) => 1,
        };
        if random.chance(likely, 10) {
            let at = properties.and_then(|properties| properties.get(name)).unwrap_or(rest);
            members.insert(name.to_owned(), loose_value(root, at, depth - 1, random));
        }
    }
    serde_json::Value::Object(members)
}

/// A random spelling of the value under the policy.
pub fn spelling(value: &Value, policy: SurfacePolicy, random: &mut Random) -> Vec<u8> {
    let mut speller = Speller { policy, random, out: String::new() };
    if speller.random.chance(1, 8) && policy.whitespace != Whitespace::None {
        speller.out.push('\n');
    }
    speller.value(value);
    if policy.whitespace == Whitespace::Free {
        speller.space();
    }
    speller.out.into_bytes()
}

struct Speller<'r> {
    policy: SurfacePolicy,
    random: &'r mut Random,
    out: String,
}

impl Speller<'_> {
    fn space(&mut self) {
        if self.policy.whitespace == Whitespace::None || self.random.chance(3, 4) {
            return;
        }
        let choices = [" ", "\n", "\t ", "\r\n", "\n  ", " \n"];
        self.out.push_str(self.random.pick::<&str>(&choices));
    }

    /// Whitespace that only `Free` takes.
    fn loose_space(&mut self) {
        if self.policy.whitespace == Whitespace::Free {
            self.space();
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Text(text) => self.text(text),
            Value::Number(text) => {
                self.out.push_str(text);
                let is_whole = text.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit());
                if self.policy.numbers == NumberSpelling::All && is_whole && self.random.chance(1, 4) {
                    self.out.push_str(".0");
                }
            }
            Value::Array(items) => {
                self.out.push('[');
                self.space();
                for (i, item) in items.iter().enumerate() {
                    self.comma(i);
                    self.value(item);
                }
                self.close(items.is_empty(), ']');
            }
            Value::Object(members) => {
                self.out.push('{');
                self.space();
                for (i, (name, value)) in members.iter().enumerate() {
                    self.comma(i);
                    self.text(name);
                    self.loose_space();
                    self.out.push(':');
                    self.space();
                    self.value(value);
                }
                self.close(members.is_empty(), '}');
            }
            scalar => self.out.push_str(&scalar.to_string()),
        }
    }

    fn comma(&mut self, index: usize) {
        if index > 0 {
            self.loose_space();
            self.out.push(',');
            self.space();
        }
    }

    /// `was_empty`: the whitespace after the opening bracket has been written already.
    fn close(&mut self, was_empty: bool, bracket: char) {
        if !was_empty {
            self.space();
        }
        self.out.push(bracket);
    }

    fn text(&mut self, text: &str) {
        self.out.push('"');
        for c in text.chars() {
            let must_escape = c < ' ' || c == '"' || c == '\\';
            if !must_escape && !self.random.chance(1, 12) {
                self.out.push(c);
                continue;
            }
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                let hex =
                    if self.random.chance(1, 2) { format!("{unit:04x}") } else { format!("{unit:04X}") };
                self.out.push_str("\\u");
                self.out.push_str(&hex);
            }
        }
        self.out.push('"');
    }
}

/// A text that differs a little from the document: a byte dropped, doubled, changed or put in, a piece moved, or a
/// value exchanged for another.
pub fn mutated(document: &[u8], random: &mut Random) -> Vec<u8> {
    const BYTES: &[u8] = b"{}[]\",:01-.eab \n\\u\xc3n";
    let mut text = document.to_vec();
    for _ in 0..1 + random.below(2) {
        let at = random.below(text.len() + 1);
        match random.below(7) {
            0 => text.insert(at, *random.pick(BYTES)),
            _ if at == text.len() => text.push(*random.pick(BYTES)),
            1 => {
                text.remove(at);
            }
            2 => text[at] = *random.pick(BYTES),
            3 => text.insert(at, text[at]),
            4 => text.truncate(at),
            5 => {
                let end = at + random.below(text.len() - at + 1);
                let piece: Vec<u8> = text.drain(at..end).collect();
                let to = random.below(text.len() + 1);
                text.splice(to..to, piece);
            }
            _ => {
                let scalar = random.pick::<&str>(&SCALARS).bytes();
                let is_boundary = |byte: &u8| b"{}[],:".contains(byte);
                let end = text[at..].iter().position(is_boundary).map_or(text.len(), |offset| at + offset);
                let start = text[..at].iter().rposition(is_boundary).map_or(0, |place| place + 1);
                text.splice(start..end.max(start), scalar);
            }
        }
    }
    text
}
