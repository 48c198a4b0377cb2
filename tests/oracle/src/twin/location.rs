//! Schema locations: a schema read into a flat table, one entry for each (sub)schema, keywords in textual order.
//!
//! `enum` and `const` become alternatives; those that are objects or arrays become locations of their own
//! (`{"a": 1}` is `properties`, `required` and no other names), so that one kind of question, "does this
//! location hold for this value?", is enough for everything.

use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

use super::decimal::Decimal;
use super::pattern::Pattern;
use super::value::Value;

/// Why the twin does not judge a schema.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unsupported {
    reason: String,
}

impl Unsupported {
    pub(super) fn new(reason: String) -> Self {
        Self { reason }
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the slow twin does not judge this schema: {}", self.reason)
    }
}

impl std::error::Error for Unsupported {}

/// A (sub)schema.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct LocationId(usize);

/// A name of the `type` keyword.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Null,
    Boolean,
    Integer,
    Number,
    Text,
    Array,
    Object,
}

/// A bound on numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    Minimum,
    Maximum,
    ExclusiveMinimum,
    ExclusiveMaximum,
}

/// A keyword with its value.
#[derive(Clone, Debug)]
pub(super) enum Keyword {
    Types(Vec<Kind>),
    /// Equal to this scalar.
    Equals(Value),
    Properties(Vec<(Rc<str>, LocationId)>),
    Additional(LocationId),
    Required(Vec<Rc<str>>),
    Prefix(Vec<LocationId>),
    Items(LocationId),
    MinItems(usize),
    MaxItems(usize),
    MinLength(usize),
    MaxLength(usize),
    Pattern(Pattern),
    Bound(Bound, Decimal),
    MultipleOf(u64),
    AnyOf(Vec<LocationId>),
    AllOf(Vec<LocationId>),
    /// Judged for complete values only: it negates, and the search for completions doesn't.
    OneOf(Vec<LocationId>),
    /// `false`.
    Never,
}

/// All locations of one schema that are reachable from its root.
#[derive(Debug)]
pub(super) struct Locations {
    list: Vec<Vec<Keyword>>,
    /// Locations that no value satisfies whatever it is, seen without looking at values.
    never: Vec<bool>,
    unsupported: Vec<String>,
}

/// Keywords that the twin can't judge. Whatever is neither here nor read below asserts nothing.
const FOREIGN: [&str; 25] = [
    "not",
    "if",
    "then",
    "else",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "patternProperties",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "unevaluatedProperties",
    "unevaluatedItems",
    "contains",
    "minContains",
    "maxContains",
    "uniqueItems",
    "format",
    "$dynamicRef",
    "$recursiveRef",
    "$anchor",
    "$dynamicAnchor",
    "extends",
    "disallow",
    "divisibleBy",
];

impl Locations {
    /// Reads a schema; also its root.
    pub(super) fn read(schema: &serde_json::Value) -> Result<(Self, LocationId), Unsupported> {
        let dialect = schema.get("$schema").and_then(serde_json::Value::as_str).unwrap_or("");
        let is_old = ["draft-03", "draft-04", "draft-06", "draft-07"].iter().any(|d| dialect.contains(d));
        let mut reader = Reader {
            schema,
            is_old,
            by_pointer: HashMap::new(),
            done: Self { list: Vec::new(), never: Vec::new(), unsupported: Vec::new() },
        };
        let root = reader.location(schema, "")?;
        let mut locations = reader.done;
        locations.fold()?;
        Ok((locations, root))
    }

    /// The keywords of a location, in textual order.
    pub(super) fn keywords(&self, location: LocationId) -> &[Keyword] {
        &self.list[location.0]
    }

    /// Whether the location is constantly false: `false` itself, and what `anyOf`, `allOf`, `$ref`, `enum`
    /// and `type` make of it.
    pub(super) fn is_never(&self, location: LocationId) -> bool {
        self.never[location.0]
    }

    /// Keywords that are not judged.
    pub(super) fn unsupported(&self) -> &[String] {
        &self.unsupported
    }

    /// Decides which locations are constantly false; refuses references that go in a circle in place.
    fn fold(&mut self) -> Result<(), Unsupported> {
        let mut known = vec![None; self.list.len()];
        for id in 0..self.list.len() {
            self.fold_one(id, &mut known, &mut Vec::new())?;
        }
        self.never = known.into_iter().map(|never| never == Some(true)).collect();
        Ok(())
    }

    fn fold_one(
        &self,
        id: usize,
        known: &mut [Option<bool>],
        path: &mut Vec<usize>,
    ) -> Result<bool, Unsupported> {
        if let Some(never) = known[id] {
            return Ok(never);
        }
        if path.contains(&id) {
            return Err(Unsupported::new("a reference goes in a circle in place".to_owned()));
        }
        path.push(id);
        let mut never = false;
        for keyword in &self.list[id] {
            match keyword {
                Keyword::Never => never = true,
                Keyword::Types(kinds) => never |= kinds.is_empty(),
                Keyword::AllOf(parts) => {
                    for part in parts {
                        never |= self.fold_one(part.0, known, path)?;
                    }
                }
                Keyword::AnyOf(parts) | Keyword::OneOf(parts) => {
                    let mut all = true;
                    for part in parts {
                        all &= self.fold_one(part.0, known, path)?;
                    }
                    never |= all;
                }
                _ => {}
            }
        }
        path.pop();
        known[id] = Some(never);
        Ok(never)
    }
}

struct Reader<'s> {
    schema: &'s serde_json::Value,
    /// Draft 7 or older: `$ref` hides its siblings, `items` may be a list.
    is_old: bool,
    by_pointer: HashMap<String, LocationId>,
    done: Locations,
}

impl Reader<'_> {
    fn add(&mut self, keywords: Vec<Keyword>) -> LocationId {
        self.done.list.push(keywords);
        LocationId(self.done.list.len() - 1)
    }

    fn location(&mut self, schema: &serde_json::Value, pointer: &str) -> Result<LocationId, Unsupported> {
        if let Some(&known) = self.by_pointer.get(pointer) {
            return Ok(known);
        }
        let id = self.add(Vec::new());
        self.by_pointer.insert(pointer.to_owned(), id);
        let keywords = match schema {
            serde_json::Value::Bool(true) => Vec::new(),
            serde_json::Value::Bool(false) => vec![Keyword::Never],
            serde_json::Value::Object(members) => {
                let mut keywords = Vec::new();
                let hides = self.is_old && members.contains_key("$ref");
                for (name, value) in members {
                    if !hides || name == "$ref" {
                        let place = format!("{pointer}/{}", escape(name));
                        self.keyword(name, value, &place, members, &mut keywords)?;
                    }
                }
                keywords
            }
            _ => return Err(Unsupported::new(format!("{pointer} is no schema"))),
        };
        self.done.list[id.0] = keywords;
        Ok(id)
    }

    fn keyword(
        &mut self,
        name: &str,
        value: &serde_json::Value,
        place: &str,
        siblings: &serde_json::Map<String, serde_json::Value>,
        out: &mut Vec<Keyword>,
    ) -> Result<(), Unsupported> {
        let keyword = match name {
            "type" => types(value, place)?,
            "enum" => {
                let values = value.as_array().ok_or_else(|| malformed(place))?;
                Keyword::AnyOf(values.iter().map(|v| self.equal(&Value::from_json(v))).collect())
            }
            "const" => Keyword::AnyOf(vec![self.equal(&Value::from_json(value))]),
            "properties" => {
                let members = value.as_object().ok_or_else(|| malformed(place))?;
                let mut properties = Vec::new();
                for (name, schema) in members {
                    let id = self.location(schema, &format!("{place}/{}", escape(name)))?;
                    properties.push((Rc::from(name.as_str()), id));
                }
                Keyword::Properties(properties)
            }
            "additionalProperties" => Keyword::Additional(self.location(value, place)?),
            "required" if value.is_array() => Keyword::Required(names(value, place)?),
            "prefixItems" => Keyword::Prefix(self.list(value, place)?),
            "items" if value.is_array() => Keyword::Prefix(self.list(value, place)?),
            "items" => Keyword::Items(self.location(value, place)?),
            "additionalItems" => {
                if siblings.get("items").is_some_and(serde_json::Value::is_array) {
                    out.push(Keyword::Items(self.location(value, place)?));
                }
                return Ok(());
            }
            "anyOf" => Keyword::AnyOf(self.list(value, place)?),
            "allOf" => Keyword::AllOf(self.list(value, place)?),
            "oneOf" => {
                self.foreign("oneOf")?;
                Keyword::OneOf(self.list(value, place)?)
            }
            "$ref" => Keyword::AllOf(vec![self.reference(value, place)?]),
            "minItems" => Keyword::MinItems(count(value, place)?),
            "maxItems" => Keyword::MaxItems(count(value, place)?),
            "minLength" => Keyword::MinLength(count(value, place)?),
            "maxLength" => Keyword::MaxLength(count(value, place)?),
            "pattern" => match Pattern::parse(value.as_str().ok_or_else(|| malformed(place))?) {
                Ok(pattern) => Keyword::Pattern(pattern),
                Err(error) => return self.foreign(&error.reason),
            },
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => {
                return self.number(name, value, place, siblings, out);
            }
            _ if FOREIGN.contains(&name) || name == "required" => return self.foreign(name),
            _ => return Ok(()),
        };
        out.push(keyword);
        Ok(())
    }

    fn foreign(&mut self, reason: &str) -> Result<(), Unsupported> {
        if !self.done.unsupported.iter().any(|known| known == reason) {
            self.done.unsupported.push(reason.to_owned());
        }
        Ok(())
    }

    fn number(
        &mut self,
        name: &str,
        value: &serde_json::Value,
        place: &str,
        siblings: &serde_json::Map<String, serde_json::Value>,
        out: &mut Vec<Keyword>,
    ) -> Result<(), Unsupported> {
        if value.is_boolean() {
            return self.foreign("boolean exclusive bound");
        }
        if ["exclusiveMinimum", "exclusiveMaximum"]
            .iter()
            .any(|k| siblings.get(*k).is_some_and(|v| v.is_boolean()))
        {
            return self.foreign("boolean exclusive bound");
        }
        let number = value.as_number().ok_or_else(|| malformed(place))?;
        let number = Decimal::parse(&number.to_string()).ok_or_else(|| malformed(place))?;
        let bound = match name {
            "minimum" => Bound::Minimum,
            "maximum" => Bound::Maximum,
            "exclusiveMinimum" => Bound::ExclusiveMinimum,
            "exclusiveMaximum" => Bound::ExclusiveMaximum,
            _ => {
                return match number.integer_digits().parse() {
                    Ok(of) if of > 0 && number.is_integer() => {
                        out.push(Keyword::MultipleOf(of));
                        Ok(())
                    }
                    _ => self.foreign("multipleOf that is no integer"),
                };
            }
        };
        out.push(Keyword::Bound(bound, number));
        Ok(())
    }

    fn list(&mut self, value: &serde_json::Value, place: &str) -> Result<Vec<LocationId>, Unsupported> {
        let parts = value.as_array().ok_or_else(|| malformed(place))?;
        parts.iter().enumerate().map(|(i, part)| self.location(part, &format!("{place}/{i}"))).collect()
    }

    fn reference(&mut self, value: &serde_json::Value, place: &str) -> Result<LocationId, Unsupported> {
        let target = value.as_str().ok_or_else(|| malformed(place))?;
        let Some(fragment) = target.strip_prefix('#') else {
            return Err(Unsupported::new(format!("{place}: {target} is not local")));
        };
        let pointer = percent_decoded(fragment);
        let schema = self
            .schema
            .pointer(&pointer)
            .ok_or_else(|| Unsupported::new(format!("{place}: {target} leads nowhere")))?;
        self.location(schema, &pointer)
    }

    /// A location that holds for exactly one value.
    fn equal(&mut self, value: &Value) -> LocationId {
        let keywords = match value {
            Value::Array(items) => {
                let parts: Vec<LocationId> = items.iter().map(|item| self.equal(item)).collect();
                let never = self.add(vec![Keyword::Never]);
                vec![
                    Keyword::Types(vec![Kind::Array]),
                    Keyword::MinItems(parts.len()),
                    Keyword::Prefix(parts),
                    Keyword::Items(never),
                ]
            }
            Value::Object(members) => {
                let properties =
                    members.iter().map(|(name, value)| (name.clone(), self.equal(value))).collect();
                let never = self.add(vec![Keyword::Never]);
                vec![
                    Keyword::Types(vec![Kind::Object]),
                    Keyword::Properties(properties),
                    Keyword::Required(members.iter().map(|(name, _)| name.clone()).collect()),
                    Keyword::Additional(never),
                ]
            }
            scalar => vec![Keyword::Equals(scalar.clone())],
        };
        self.add(keywords)
    }
}

fn malformed(place: &str) -> Unsupported {
    Unsupported::new(format!("{place} has the wrong shape"))
}

fn types(value: &serde_json::Value, place: &str) -> Result<Keyword, Unsupported> {
    let one = |value: &serde_json::Value| match value.as_str() {
        Some("null") => Ok(Kind::Null),
        Some("boolean") => Ok(Kind::Boolean),
        Some("integer") => Ok(Kind::Integer),
        Some("number") => Ok(Kind::Number),
        Some("string") => Ok(Kind::Text),
        Some("array") => Ok(Kind::Array),
        Some("object") => Ok(Kind::Object),
        _ => Err(malformed(place)),
    };
    Ok(Keyword::Types(match value.as_array() {
        Some(list) => list.iter().map(one).collect::<Result<_, _>>()?,
        None => vec![one(value)?],
    }))
}

fn names(value: &serde_json::Value, place: &str) -> Result<Vec<Rc<str>>, Unsupported> {
    let list = value.as_array().ok_or_else(|| malformed(place))?;
    list.iter().map(|name| name.as_str().map(Rc::from).ok_or_else(|| malformed(place))).collect()
}

/// A count; `2.0` is one too.
fn count(value: &serde_json::Value, place: &str) -> Result<usize, Unsupported> {
    let decimal = value.as_number().and_then(|number| Decimal::parse(&number.to_string()));
    match decimal {
        Some(decimal) if decimal.is_integer() && decimal >= Decimal::zero() => {
            Ok(format!("0{}", decimal.integer_digits()).parse().unwrap_or(usize::MAX))
        }
        _ => Err(malformed(place)),
    }
}

fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

fn percent_decoded(fragment: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = fragment.as_bytes();
    while let [first, tail @ ..] = rest {
        let code = tail.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match code.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) if *first == b'%' => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            _ => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
