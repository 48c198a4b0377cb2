//! The slow twin for JSON Schema: is this text a document, and is it the beginning of one?
//!
//! Idea: a complete text is judged by three separate questions that share nothing: is it JSON under
//! the surface policy (`surface`), do its members come in the declared order (`position`), and does the value
//! satisfy the schema (`validate`)? A prefix is viable iff a completion exists. It is looked for where the text
//! breaks off: the lexeme at the tip can end with some truth values of the schemas that apply to it (`leaf`); each
//! open container, from the innermost outwards, is then closed in every way that can matter, with
//! members taken from a table of representative values (`pool`).
//!
//! Invariant: two values at one position that agree in the truth of every schema applied there are
//! interchangeable for everything around them. So one representative for each truth vector is enough,
//! and the search is exact, not a sample.

mod decimal;
mod exponents;
mod leaf;
mod location;
mod pattern;
mod pool;
mod position;
mod surface;
mod text;
mod validate;
mod value;
mod viable;

#[cfg(test)]
mod agreement;
#[cfg(test)]
mod tests;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

use maskwright::SurfacePolicy;

pub use decimal::Decimal;
pub use location::Unsupported;
pub use surface::Surface;
pub use value::Value;

use leaf::{NumberGraph, TextGraph};
use location::{LocationId, Locations};
use pool::Pool;
use position::{PositionId, Positions};
use text::SpelledKey;
use viable::FitKey;

/// Most steps of one search for a completion.
pub const SEARCH_STEPS_MAX: u64 = 5_000_000;

/// The bytes that a text may be made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bytes([bool; 256]);

impl Bytes {
    /// Every byte.
    #[must_use]
    pub fn all() -> Self {
        Self([true; 256])
    }

    /// The bytes of a string and no others.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        let mut set = [false; 256];
        for &byte in bytes {
            set[usize::from(byte)] = true;
        }
        Self(set)
    }

    /// Whether a byte is in the set.
    #[must_use]
    pub fn has(&self, byte: u8) -> bool {
        self.0[usize::from(byte)]
    }

    /// Whether every byte of the string is in the set.
    #[must_use]
    pub fn spell(&self, bytes: &[u8]) -> bool {
        bytes.iter().all(|&byte| self.has(byte))
    }
}

/// The search for a completion was given up: the schema is too large for the twin. Not a verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("too large for the slow twin")
    }
}

impl std::error::Error for TooLarge {}

/// How the search for completions treats values that satisfy less than others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Search {
    /// No supported keyword negates, so a value that satisfies more schemas serves wherever one that
    /// satisfies fewer does, and a member that nothing requires never helps: leave the others out.
    Monotone,
    /// Leave nothing out. The check on `Monotone`.
    Exhaustive,
}

/// Decides about texts for one schema and policy.
pub struct Twin {
    policy: SurfacePolicy,
    bytes: Bytes,
    search: Search,
    locations: Locations,
    root: LocationId,
    positions: RefCell<Positions>,
    pool: Pool,
    text_graphs: RefCell<HashMap<PositionId, Rc<TextGraph>>>,
    number_graphs: RefCell<HashMap<PositionId, Rc<NumberGraph>>>,
    spelled: RefCell<HashMap<SpelledKey, Option<char>>>,
    fits: RefCell<HashMap<FitKey, bool>>,
    steps: Cell<u64>,
}

impl Twin {
    /// The twin of a schema over all bytes.
    ///
    /// # Errors
    /// [`Unsupported`] if the schema has a keyword or construct that the twin does not judge, or is too large for it.
    pub fn new(schema: &serde_json::Value, policy: SurfacePolicy) -> Result<Self, Unsupported> {
        Self::over(schema, policy, Bytes::all())
    }

    /// The twin of a schema for texts made of the given bytes only.
    ///
    /// # Errors
    /// As [`Twin::new`].
    pub fn over(
        schema: &serde_json::Value,
        policy: SurfacePolicy,
        bytes: Bytes,
    ) -> Result<Self, Unsupported> {
        Self::with_search(schema, policy, bytes, Search::Monotone)
    }

    /// The twin with a chosen way of searching.
    ///
    /// # Errors
    /// As [`Twin::new`].
    pub fn with_search(
        schema: &serde_json::Value,
        policy: SurfacePolicy,
        bytes: Bytes,
        search: Search,
    ) -> Result<Self, Unsupported> {
        let mut twin = Self::judge(schema, policy)?;
        if let Some(reason) = twin.locations.unsupported().first() {
            return Err(Unsupported::new(reason.clone()));
        }
        twin.bytes = bytes;
        twin.search = search;
        twin.fill_pool()?;
        Ok(twin)
    }

    /// A twin that answers [`Twin::is_spelled`] and [`Twin::is_ordered`] only, for any schema whose references
    /// resolve.
    ///
    /// # Errors
    /// [`Unsupported`] if a local reference leads nowhere or in a circle.
    pub fn judge(schema: &serde_json::Value, policy: SurfacePolicy) -> Result<Self, Unsupported> {
        let (locations, root) = Locations::read(schema)?;
        let positions = Positions::new(root);
        Ok(Self {
            policy,
            bytes: Bytes::all(),
            search: Search::Monotone,
            locations,
            root,
            positions: RefCell::new(positions),
            pool: Pool::default(),
            text_graphs: RefCell::default(),
            number_graphs: RefCell::default(),
            spelled: RefCell::default(),
            fits: RefCell::default(),
            steps: Cell::new(0),
        })
    }

    /// Why the verdict on values would be incomplete: keywords that the twin does not judge.
    #[must_use]
    pub fn unsupported(&self) -> &[String] {
        self.locations.unsupported()
    }

    /// The surface policy.
    #[must_use]
    pub fn policy(&self) -> SurfacePolicy {
        self.policy
    }

    /// The value, if the text is one JSON document under the surface policy (key order aside) made of spellable bytes.
    #[must_use]
    pub fn parse(&self, text: &[u8]) -> Option<Rc<Value>> {
        let mut surface = Surface::new(self.policy);
        let go = text.iter().all(|&byte| self.bytes.has(byte) && surface.push(byte));
        if go { surface.end() } else { None }
    }

    /// Whether the text is one JSON document under the surface policy, key order aside.
    #[must_use]
    pub fn is_spelled(&self, text: &[u8]) -> bool {
        self.parse(text).is_some()
    }

    /// Whether the members of every object come in the order that the policy asks for.
    #[must_use]
    pub fn is_ordered(&self, value: &Value) -> bool {
        self.ordered_at(PositionId::ROOT, value)
    }

    /// Whether the value satisfies the schema.
    #[must_use]
    pub fn is_valid(&self, value: &Value) -> bool {
        self.holds(self.root, value)
    }

    /// Whether the text is an admissible document.
    #[must_use]
    pub fn is_complete(&self, text: &[u8]) -> bool {
        self.parse(text).is_some_and(|value| self.is_ordered(&value) && self.is_valid(&value))
    }
}
