//! Random schemas of the supported keywords, over few names, short strings and small numbers.
//!
//! References in place lead only to definitions with a greater number, so none goes in a circle; under `properties` and
//! `items` they lead anywhere, so recursion is common. Whether a schema can be satisfied is not the
//! generator's business: the twin knows.

use serde_json::{Map, Value, json};

use super::Random;

/// Deepest nesting of containers that a schema describes without references.
pub const DEPTH_MAX: usize = 3;

/// Names of members.
pub const NAMES: [&str; 5] = ["a", "b", "ab", "k", "\u{e9}"];
/// Names of members that are awkward to spell.
const AWKWARD_NAMES: [&str; 4] = ["\"", "\n\\", "", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"];
/// Strings.
const TEXTS: [&str; 8] = ["", "a", "b", "ab", "ba", "aab", "\u{e9}", "\"\\"];
/// Patterns.
const PATTERNS: [&str; 12] = [
    "^a",
    "b$",
    "^[ab]*$",
    "^a{1,2}b?$",
    "a|^b",
    "^(ab)+$",
    "[^a]",
    "^$",
    "\\d",
    "^.b",
    "^[^b]{2}$",
    "^(a|b\u{e9}?)$",
];
/// Numbers.
const NUMBERS: [&str; 14] =
    ["0", "1", "2", "5", "7", "9", "10", "12", "30", "-1", "-3", "0.5", "1.25", "-0.75"];
/// Numbers of many digits, or spelled unusually.
const AWKWARD_NUMBERS: [&str; 8] = [
    "123456",
    "-99.125",
    "10000000000000000000001",
    "1e3",
    "2.50",
    "0.0001",
    "-12.5e-1",
    "18446744073709551615",
];
/// Lengths around those of long tokens.
const LONG: [usize; 5] = [15, 16, 17, 33, 70];
/// Patterns of names.
const NAME_PATTERNS: [&str; 7] = ["^a", "b$", "^[^a]", "k", "^..", "", "^(a|b.*)$"];
/// Names of definitions.
const DEFINITIONS: usize = 2;

/// Which keywords a schema may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keywords {
    /// Those that the twin knows.
    OfTheTwin,
    /// All that are enforced.
    All,
}

/// A random schema of the keywords that the twin knows.
#[must_use]
pub fn schema(random: &mut Random) -> Value {
    schema_of(random, Keywords::OfTheTwin)
}

/// A random value, and those that a schema lists.
#[must_use]
pub fn value(random: &mut Random, schema: &Value) -> Value {
    let mut generator = Generator { random, may_refer: false, keywords: Keywords::All, listed: Vec::new() };
    listed(schema, &mut generator.listed);
    generator.value(3)
}

/// The values that a schema lists, wherever.
fn listed(schema: &Value, into: &mut Vec<Value>) {
    match schema {
        Value::Object(members) => {
            for (keyword, value) in members {
                match (keyword.as_str(), value) {
                    ("const", value) => into.push(value.clone()),
                    ("enum", Value::Array(values)) => into.extend(values.iter().cloned()),
                    _ => listed(value, into),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| listed(value, into)),
        _ => {}
    }
}

/// A random schema.
#[must_use]
pub fn schema_of(random: &mut Random, keywords: Keywords) -> Value {
    let depth = 1 + random.below(DEPTH_MAX);
    let mut generator = Generator { random, may_refer: false, keywords, listed: Vec::new() };
    generator.may_refer = generator.random.chance(1, 3);
    let mut root = generator.schema(depth, 0);
    if generator.may_refer {
        let mut definitions = Map::new();
        for i in 0..DEFINITIONS {
            definitions.insert(format!("d{i}"), generator.schema(2, i + 1));
        }
        if !root.is_object() {
            root = json!({"allOf": [root]});
        }
        root["$defs"] = Value::Object(definitions);
    }
    root
}

struct Generator<'r> {
    random: &'r mut Random,
    may_refer: bool,
    keywords: Keywords,
    /// Values that a schema lists, to draw from.
    listed: Vec<Value>,
}

impl Generator<'_> {
    /// A schema of bounded nesting that refers in place only to definitions from `first` on.
    fn schema(&mut self, depth: usize, first: usize) -> Value {
        if self.keywords == Keywords::All && depth > 0 && self.random.chance(1, 4) {
            return self.logic(depth, first);
        }
        let form = self.random.below(20);
        match form {
            0 => json!(true),
            1 if self.random.chance(1, 2) => json!(false),
            2 | 3 if self.may_refer && first < DEFINITIONS => {
                let target = first + self.random.below(DEFINITIONS - first);
                let mut members = vec![("$ref", json!(format!("#/$defs/d{target}")))];
                if self.random.chance(1, 4) {
                    self.assertions(depth, &mut members);
                }
                self.object(members)
            }
            4..=6 => {
                let mut members = vec![self.choice()];
                if self.random.chance(1, 4) {
                    self.assertions(depth, &mut members);
                }
                self.object(members)
            }
            7..=9 if depth > 0 => {
                let keyword = if self.random.chance(2, 3) { "anyOf" } else { "allOf" };
                let count = 1 + self.random.below(3);
                let parts: Vec<Value> = (0..count).map(|_| self.schema(depth - 1, first)).collect();
                let mut members = vec![(keyword, Value::Array(parts))];
                if self.random.chance(1, 2) {
                    self.assertions(depth, &mut members);
                }
                self.object(members)
            }
            _ => {
                let mut members = Vec::new();
                self.assertions(depth, &mut members);
                self.object(members)
            }
        }
    }

    /// `members` in random textual order; of a keyword that comes twice the first counts.
    fn object(&mut self, mut members: Vec<(&'static str, Value)>) -> Value {
        self.random.shuffle(&mut members);
        let mut object = Map::new();
        for (keyword, value) in members {
            object.entry(keyword).or_insert(value);
        }
        Value::Object(object)
    }

    /// `oneOf`, `not`, conditions, dependencies.
    fn logic(&mut self, depth: usize, first: usize) -> Value {
        let mut members = Vec::new();
        match self.random.below(6) {
            0 => members.push(("not", self.schema(depth - 1, first))),
            1 | 2 => {
                let count = 1 + self.random.below(3);
                members.push(("oneOf", (0..count).map(|_| self.schema(depth - 1, first)).collect()));
            }
            3 => {
                members.push(("if", self.schema(depth - 1, first)));
                members.push(("then", self.schema(depth - 1, first)));
                if self.random.chance(1, 2) {
                    members.push(("else", self.schema(depth - 1, first)));
                }
            }
            4 => {
                let mut names: Vec<String> = (0..1 + self.random.below(2)).map(|_| self.name()).collect();
                names.dedup();
                members.push(("dependentRequired", json!({ self.name(): names })));
                members.push(("type", json!("object")));
            }
            _ => {
                let asked = self.schema(depth - 1, first);
                members.push(("dependentSchemas", json!({ self.name(): asked })));
                members.push(("type", json!("object")));
            }
        }
        if self.random.chance(1, 2) {
            self.assertions(depth, &mut members);
        }
        self.object(members)
    }

    fn choice(&mut self) -> (&'static str, Value) {
        if self.random.chance(1, 3) {
            return ("const", self.value(1));
        }
        let count = 1 + self.random.below(4);
        ("enum", (0..count).map(|_| self.value(1)).collect())
    }

    /// A value of bounded nesting.
    fn value(&mut self, depth: usize) -> Value {
        if !self.listed.is_empty() && self.random.chance(1, 4) {
            return self.random.pick(&self.listed).clone();
        }
        match self.random.below(if depth > 0 { 11 } else { 8 }) {
            0 => json!(null),
            1 => json!(true),
            2 => json!(false),
            3..=4 => self.number(),
            5..=7 => json!(self.random.pick(&TEXTS)),
            8 => (0..self.random.below(3)).map(|_| self.value(depth - 1)).collect(),
            _ => {
                let mut members = Map::new();
                for _ in 0..self.random.below(3) {
                    members.insert(self.name(), self.value(depth - 1));
                }
                Value::Object(members)
            }
        }
    }

    fn number(&mut self) -> Value {
        let numbers: &[&str] = if self.random.chance(1, 10) { &AWKWARD_NUMBERS } else { &NUMBERS };
        serde_json::from_str(self.random.pick::<&str>(numbers)).expect("the numbers are JSON")
    }

    /// A name, seldom an awkward one.
    fn name(&mut self) -> String {
        let names: &[&str] = if self.random.chance(1, 16) { &AWKWARD_NAMES } else { &NAMES };
        (*self.random.pick(names)).to_owned()
    }

    /// A bound on a length, seldom a large one.
    fn length(&mut self, below: usize) -> Value {
        if self.random.chance(1, 12) {
            json!(self.random.pick(&LONG))
        } else {
            json!(self.random.below(below))
        }
    }

    /// Assertions about one type or several, usually with a `type` that says so.
    fn assertions(&mut self, depth: usize, members: &mut Vec<(&'static str, Value)>) {
        let types: &[&str] = match (self.random.below(10), depth) {
            (0, _) => &["null"],
            (1, _) => &["boolean"],
            (2, _) => &["integer"],
            (3, _) => &["number"],
            (4 | 5, _) | (_, 0) => &["string"],
            (6, _) => &["array"],
            (7, _) => &["object", "array"],
            _ => &["object"],
        };
        if self.random.chance(4, 5) {
            let mut names: Vec<Value> = types.iter().map(|name| json!(name)).collect();
            if self.random.chance(1, 6) {
                names.push(json!(*self.random.pick(&["null", "string", "integer"])));
                names.dedup();
            }
            members.push(("type", if names.len() == 1 { names[0].clone() } else { Value::Array(names) }));
        }
        for name in types {
            match *name {
                "string" => self.about_strings(members),
                "integer" | "number" => self.about_numbers(members),
                "array" => self.about_arrays(depth, members),
                "object" => self.about_objects(depth, members),
                _ => {}
            }
        }
    }

    fn about_strings(&mut self, members: &mut Vec<(&'static str, Value)>) {
        if self.random.chance(1, 3) {
            members.push(("minLength", self.length(3)));
        }
        if self.random.chance(1, 3) {
            members.push(("maxLength", self.length(4)));
        }
        if self.random.chance(1, 3) {
            members.push(("pattern", json!(self.random.pick(&PATTERNS))));
        }
    }

    fn about_numbers(&mut self, members: &mut Vec<(&'static str, Value)>) {
        for keyword in ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"] {
            if self.random.chance(1, 4) {
                members.push((keyword, self.number()));
            }
        }
        if self.random.chance(1, 5) {
            members.push(("multipleOf", json!(*self.random.pick(&[1, 2, 3, 5, 7, 12, 25]))));
        }
    }

    /// Items and members are new positions: references there may lead anywhere.
    fn about_arrays(&mut self, depth: usize, members: &mut Vec<(&'static str, Value)>) {
        if self.random.chance(1, 3) {
            let count = 1 + self.random.below(2);
            members.push(("prefixItems", (0..count).map(|_| self.schema(depth - 1, 0)).collect()));
        }
        if self.random.chance(2, 3) {
            members.push(("items", self.schema(depth - 1, 0)));
        }
        if self.random.chance(1, 3) {
            members.push(("minItems", json!(self.random.below(3))));
        }
        if self.random.chance(1, 3) {
            members.push(("maxItems", json!(1 + self.random.below(3))));
        }
        if self.keywords == Keywords::All && self.random.chance(1, 5) {
            members.push(("unevaluatedItems", self.rest(depth)));
        }
        if self.keywords == Keywords::All && self.random.chance(1, 4) {
            members.push(("uniqueItems", json!(true)));
        }
        if self.keywords == Keywords::All && self.random.chance(1, 4) {
            members.push(("contains", self.schema(depth - 1, 0)));
            if self.random.chance(1, 2) {
                members.push(("minContains", json!(self.random.below(3))));
            }
            if self.random.chance(1, 2) {
                members.push(("maxContains", json!(self.random.below(3))));
            }
        }
    }

    fn about_objects(&mut self, depth: usize, members: &mut Vec<(&'static str, Value)>) {
        if self.random.chance(5, 6) {
            let mut properties = Map::new();
            let most = if self.random.chance(1, 8) { 6 } else { 3 };
            for _ in 0..1 + self.random.below(most) {
                properties.insert(self.name(), self.schema(depth - 1, 0));
            }
            members.push(("properties", Value::Object(properties)));
        }
        if self.random.chance(1, 2) {
            let mut names: Vec<String> = (0..1 + self.random.below(2)).map(|_| self.name()).collect();
            names.dedup();
            members.push(("required", json!(names)));
        }
        if self.keywords == Keywords::All {
            self.more_about_objects(depth, members);
        }
        if self.random.chance(1, 2) {
            members.push(("additionalProperties", self.rest(depth)));
        } else if self.keywords == Keywords::All && self.random.chance(1, 3) {
            members.push(("unevaluatedProperties", self.rest(depth)));
        }
    }

    /// What is left to others: mostly nothing.
    fn rest(&mut self, depth: usize) -> Value {
        if self.random.chance(2, 3) { json!(false) } else { self.schema(depth - 1, 0) }
    }

    /// Patterns of names and counts of members.
    fn more_about_objects(&mut self, depth: usize, members: &mut Vec<(&'static str, Value)>) {
        if self.random.chance(1, 3) {
            let mut patterns = Map::new();
            for _ in 0..1 + self.random.below(2) {
                let pattern = *self.random.pick(&NAME_PATTERNS);
                patterns.insert(pattern.to_owned(), self.schema(depth - 1, 0));
            }
            members.push(("patternProperties", Value::Object(patterns)));
        }
        if self.random.chance(1, 5) {
            members.push(("minProperties", json!(self.random.below(4))));
        }
        if self.random.chance(1, 5) {
            members.push(("maxProperties", json!(self.random.below(4))));
        }
        if self.random.chance(1, 8) {
            let names = json!({"pattern": *self.random.pick(&NAME_PATTERNS)});
            members.push(("propertyNames", names));
        }
    }
}
