//! Typed ids, and the only numeric casts of the crate.
//!
//! Every table is indexed by its own id type, so a state can't be looked up among frames. Ids are
//! `u32`: the named limits keep every table far below that.

/// Declares id types over `u32`.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);

        impl $name {
            /// The id of a table position.
            #[inline]
            #[must_use]
            pub fn new(position: usize) -> Self {
                Self(narrow(position))
            }

            /// The position in the table.
            #[inline]
            #[must_use]
            pub fn index(self) -> usize {
                widen(self.0)
            }
        }
    )*};
}

ids! {
    /// A vocabulary entry.
    TokenId;
    /// A regex over code points, interned in a universe.
    TermId;
    /// A boolean combination of assertions about one JSON value, interned in a universe.
    FormulaId;
    /// An interned local control state.
    StateId;
    /// A hash-consed continuation.
    FrameId;
    /// What happens when the callee ends.
    RetId;
    /// A node of a schema program.
    NodeId;
    /// A rule of a grammar.
    RuleId;
    /// An expression of a grammar.
    ExprId;
    /// A terminal of a grammar with a lexer.
    TerminalId;
    /// A part of a rule over terminals.
    PartId;
}

impl From<u32> for TokenId {
    fn from(id: u32) -> Self {
        Self(id)
    }
}

/// `usize` to `u32`; a table longer than its limit is our mistake, not the user's.
///
/// # Panics
/// If the value does not fit: every table that ids index is bounded well below `u32::MAX`.
#[inline]
#[must_use]
pub fn narrow(value: usize) -> u32 {
    u32::try_from(value).expect("a table outgrew u32: its limit is missing")
}

/// `u32` to `usize`, lossless on every supported platform.
#[inline]
#[must_use]
pub fn widen(value: u32) -> usize {
    value as usize
}

/// The low byte.
#[inline]
#[must_use]
#[allow(clippy::cast_possible_truncation, reason = "the mask keeps the low byte only")]
pub fn low_byte(value: u32) -> u8 {
    (value & 0xFF) as u8
}
