//! A regular language as a table of states: one row a state, one entry a range of characters.
//!
//! For languages whose regular expression would be large or hard to find. From every state some text is accepted, and no
//! two states accept the same texts; so a state that is left never matters again, and equal tables are equal
//! languages.

use std::fmt;

use crate::grammar::regex::CharSet;
use crate::index::widen;

/// A deterministic automaton; state 0 is the start.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct States {
    rows: Box<[Row]>,
}

/// One state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Row {
    /// Whether the text may end here.
    pub accepts: bool,
    /// Where characters lead: sorted, disjoint; other characters lead nowhere.
    pub next: Box<[Next]>,
}

/// The characters from `lo` to `hi` (inclusive) lead to a state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Next {
    /// The first code point.
    pub lo: u32,
    /// The last code point.
    pub hi: u32,
    /// The state.
    pub state: u32,
}

impl States {
    /// The table of these rows, which must be as the module says.
    ///
    /// # Panics
    /// If there is no row, a range is out of order or leads to no row.
    pub(crate) fn new(rows: Vec<Row>) -> Self {
        assert!(!rows.is_empty(), "a table has a start");
        for row in &rows {
            assert!(row.next.iter().all(|next| next.lo <= next.hi && widen(next.state) < rows.len()));
            assert!(
                row.next.windows(2).all(|pair| pair[0].hi < pair[1].lo),
                "ranges are sorted and disjoint"
            );
        }
        Self { rows: rows.into_boxed_slice() }
    }

    /// The states in order.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The only state, if that accepts and every character leads back to it.
    #[must_use]
    pub fn is_any_text(&self) -> bool {
        self.rows.len() == 1 && self.takes_all(0)
    }

    /// Whether the state accepts, and all characters lead back to it.
    #[must_use]
    pub fn takes_all(&self, state: u32) -> bool {
        let row = &self.rows[widen(state)];
        row.accepts && row.is_complete() && row.next.iter().all(|next| next.state == state)
    }

    /// Where a character leads from a state.
    #[must_use]
    pub fn after(&self, state: u32, c: char) -> Option<u32> {
        let next = &self.rows[widen(state)].next;
        let place = next.partition_point(|next| next.hi < u32::from(c));
        next.get(place).filter(|next| next.lo <= u32::from(c)).map(|next| next.state)
    }

    /// Number of states and transitions.
    #[must_use]
    pub fn size(&self) -> usize {
        self.rows.iter().map(|row| 1 + row.next.len()).sum()
    }
}

impl Row {
    /// Whether every character leads somewhere.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        CharSet::from_ranges(self.next.iter().map(|next| (next.lo, next.hi))) == CharSet::any()
    }
}

/// The text form: `{0 [a-c]→1 d→2; 1! a→0; 2!}`, where `!` marks the states in which the text may end.
impl fmt::Display for States {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (number, row) in self.rows.iter().enumerate() {
            let separator = if number == 0 { "" } else { "; " };
            write!(f, "{separator}{number}{}", if row.accepts { "!" } else { "" })?;
            let mut shown: Vec<u32> = Vec::new();
            for next in &row.next {
                if shown.contains(&next.state) {
                    continue;
                }
                shown.push(next.state);
                let same = row.next.iter().filter(|other| other.state == next.state);
                let set = CharSet::from_ranges(same.map(|next| (next.lo, next.hi)));
                write!(f, " {set}→{}", next.state)?;
            }
        }
        f.write_str("}")
    }
}

#[test]
fn tables_say_what_they_are() {
    let to = |c: char, state| Next { lo: u32::from(c), hi: u32::from(c), state };
    let states = States::new(vec![
        Row { accepts: false, next: [to('a', 1), to('c', 1)].into() },
        Row { accepts: true, next: [to('b', 0)].into() },
    ]);
    assert_eq!(states.to_string(), "{0 [ac]→1; 1! b→0}");
    assert_eq!((states.after(0, 'c'), states.after(0, 'b'), states.after(1, 'b')), (Some(1), None, Some(0)));
    assert_eq!((states.size(), states.is_any_text()), (5, false));
}
