//! The surface policy: which spellings of a JSON value are generated.
//!
//! JSON Schema constrains values; a decoder constrains spellings. The policy names the choice, and is
//! part of what a compiled grammar is.

/// How much insignificant whitespace may appear.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Whitespace {
    /// None at all.
    None,
    /// After `{ [ , :` and before `} ]` at most one newline (`\n` or `\r\n`) and at most 128 blanks (spaces and
    /// tabs), in any order; none before `:` and `,`; before the root at most one newline or one blank,
    /// after it none.
    #[default]
    Bounded,
    /// As RFC 8259: any amount wherever it is insignificant.
    Free,
}

/// How numbers are spelled.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum NumberSpelling {
    /// No exponent, at most 400 digits; an `integer` has no fraction.
    #[default]
    Plain,
    /// Also exponents of at most 4 digits. The value decides, however it is spelled: `1.0` and `100e-2` are integers.
    All,
}

/// In which order the members of an object come.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum KeyOrder {
    /// Source order over all in-place locations, first mention wins, then required undeclared names,
    /// then all others.
    #[default]
    Declared,
    /// Any order.
    Any,
}

/// The choice of spellings.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct SurfacePolicy {
    /// Insignificant whitespace.
    pub whitespace: Whitespace,
    /// Numbers.
    pub numbers: NumberSpelling,
    /// Order of members.
    pub key_order: KeyOrder,
}

impl SurfacePolicy {
    /// Every spelling that this crate knows: free whitespace, all numbers, any key order.
    #[must_use]
    pub fn permissive() -> Self {
        Self { whitespace: Whitespace::Free, numbers: NumberSpelling::All, key_order: KeyOrder::Any }
    }
}
