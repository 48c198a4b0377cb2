//! What a file says about every id, before anybody decides which tokens are text.
//!
//! A loader pushes entries in any order; [`EntriesBuilder::finish`] lays them out by id. An id that nobody pushed is a hole.
//! Everything that a hostile file can blow up is bounded here: ids, length of a token, bytes in all.

use crate::{
    error::VocabularyError,
    index::{narrow, widen},
    limits::{TOKEN_BYTES_MAX, VOCABULARY_BYTES_MAX, VOCABULARY_TOKENS_MAX},
};

/// Where an entry comes from: this, its bytes and its spelling decide its kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// No entry, or one whose bytes the file does not tell.
    Hole,
    /// The tokenizer's model.
    Model,
    /// The list of added tokens.
    Added {
        /// The file's flag, kept for printing.
        special: bool,
    },
    /// The token that stands for what can't be spelled.
    Unknown,
    /// A placeholder.
    Unused,
}

/// All ids of a vocabulary: spelling in the file, bytes, origin.
#[derive(Debug)]
pub(super) struct Entries {
    names: Packed,
    bytes: Packed,
    origins: Box<[Origin]>,
}

impl Entries {
    pub(super) fn len(&self) -> usize {
        self.origins.len()
    }

    /// As the file spells it.
    pub(super) fn name(&self, token: usize) -> &str {
        std::str::from_utf8(self.names.get(token)).expect("names are pushed as strings")
    }

    /// What the token writes, were it text.
    pub(super) fn bytes(&self, token: usize) -> &[u8] {
        self.bytes.get(token)
    }

    pub(super) fn origin(&self, token: usize) -> Origin {
        self.origins[token]
    }
}

/// Byte strings one after the other.
#[derive(Debug)]
struct Packed {
    data: Box<[u8]>,
    /// String i lies at `starts[i]..starts[i + 1]`.
    starts: Box<[u32]>,
}

impl Packed {
    fn get(&self, at: usize) -> &[u8] {
        &self.data[widen(self.starts[at])..widen(self.starts[at + 1])]
    }

    fn collect<'a>(strings: impl Iterator<Item = &'a [u8]>) -> Self {
        let mut data = Vec::new();
        let mut starts = vec![0];
        for string in strings {
            data.extend_from_slice(string);
            starts.push(narrow(data.len()));
        }
        Self { data: data.into(), starts: starts.into() }
    }
}

/// An entry as it was pushed: where its name and bytes lie in the builder's buffers.
#[derive(Clone, Copy)]
struct Slot {
    name: (u32, u32),
    bytes: (u32, u32),
    origin: Origin,
}

const HOLE: Slot = Slot { name: (0, 0), bytes: (0, 0), origin: Origin::Hole };

/// Takes entries in any order.
#[derive(Default)]
pub(super) struct EntriesBuilder {
    slots: Vec<Slot>,
    names: Vec<u8>,
    bytes: Vec<u8>,
}

impl EntriesBuilder {
    /// Adds an entry.
    ///
    /// # Errors
    /// The id is taken, or a limit is passed.
    pub(super) fn push(
        &mut self,
        id: i64,
        name: &str,
        bytes: &[u8],
        origin: Origin,
    ) -> Result<(), VocabularyError> {
        let at = position(id, name)?;
        if bytes.len() > TOKEN_BYTES_MAX {
            return Err(VocabularyError::new(format!(
                "token {id} has {} bytes, more than the limit of {TOKEN_BYTES_MAX}: {}",
                bytes.len(),
                shortened(name)
            )));
        }
        if at >= self.slots.len() {
            self.slots.resize(at + 1, HOLE);
        } else if self.slots[at].origin != Origin::Hole {
            return Err(VocabularyError::new(format!(
                "id {id} is given twice: to {} and to {}",
                shortened(self.name(at)),
                shortened(name)
            )));
        }
        self.slots[at] = Slot {
            name: append(&mut self.names, name.as_bytes())?,
            bytes: append(&mut self.bytes, bytes)?,
            origin,
        };
        Ok(())
    }

    /// The name and origin of an id that was pushed.
    pub(super) fn get(&self, id: i64) -> Option<(&str, Origin)> {
        let at = usize::try_from(id).ok()?;
        let slot = self.slots.get(at).filter(|slot| slot.origin != Origin::Hole)?;
        Some((self.name(at), slot.origin))
    }

    /// Changes the origin of an entry that was pushed.
    pub(super) fn set_origin(&mut self, id: i64, origin: Origin) {
        if let Some(slot) = usize::try_from(id).ok().and_then(|at| self.slots.get_mut(at)) {
            slot.origin = origin;
        }
    }

    fn name(&self, at: usize) -> &str {
        let (start, end) = self.slots[at].name;
        std::str::from_utf8(&self.names[widen(start)..widen(end)]).expect("names are pushed as strings")
    }

    /// All entries by id.
    ///
    /// # Errors
    /// There is none.
    pub(super) fn finish(self) -> Result<Entries, VocabularyError> {
        if self.slots.is_empty() {
            return Err(VocabularyError::new("the vocabulary has no tokens"));
        }
        let names = Packed::collect(self.slots.iter().map(|slot| range(&self.names, slot.name)));
        let bytes = Packed::collect(self.slots.iter().map(|slot| range(&self.bytes, slot.bytes)));
        Ok(Entries { names, bytes, origins: self.slots.iter().map(|slot| slot.origin).collect() })
    }
}

fn range(data: &[u8], (start, end): (u32, u32)) -> &[u8] {
    &data[widen(start)..widen(end)]
}

/// The table position of an id as the file writes it.
fn position(id: i64, name: &str) -> Result<usize, VocabularyError> {
    usize::try_from(id).ok().filter(|&at| at < VOCABULARY_TOKENS_MAX).ok_or_else(|| {
        VocabularyError::new(format!(
            "id {id} of {} is outside 0..{VOCABULARY_TOKENS_MAX}, the limit of a vocabulary",
            shortened(name)
        ))
    })
}

fn append(data: &mut Vec<u8>, string: &[u8]) -> Result<(u32, u32), VocabularyError> {
    let start = data.len();
    if string.len() > VOCABULARY_BYTES_MAX - start {
        return Err(VocabularyError::new(format!(
            "the tokens have more than {VOCABULARY_BYTES_MAX} bytes together, the limit of a vocabulary"
        )));
    }
    data.extend_from_slice(string);
    Ok((narrow(start), narrow(data.len())))
}

/// A name for a message: quoted, and cut where it is long.
pub(super) fn shortened(name: &str) -> String {
    const CHARS_MAX: usize = 40;
    match name.char_indices().nth(CHARS_MAX) {
        None => format!("{name:?}"),
        Some((cut, _)) => format!("{:?}…", &name[..cut]),
    }
}

#[cfg(test)]
mod tests {
    use super::{EntriesBuilder, Origin};
    use crate::limits::{TOKEN_BYTES_MAX, VOCABULARY_TOKENS_MAX};

    #[test]
    fn entries_come_in_any_order_and_leave_holes() {
        let mut builder = EntriesBuilder::default();
        builder.push(3, "d", b"D", Origin::Model).unwrap();
        builder.push(0, "a", b"A", Origin::Added { special: true }).unwrap();
        assert_eq!(builder.get(3), Some(("d", Origin::Model)));
        assert_eq!(builder.get(2), None);
        assert_eq!(builder.get(-1), None);
        let entries = builder.finish().unwrap();
        assert_eq!(entries.len(), 4);
        assert_eq!((entries.name(3), entries.bytes(3)), ("d", &b"D"[..]));
        assert_eq!((entries.name(1), entries.bytes(1), entries.origin(1)), ("", &b""[..], Origin::Hole));
        assert_eq!(entries.origin(0), Origin::Added { special: true });
    }

    #[test]
    fn ids_twice_negative_or_huge_are_refused() {
        let mut builder = EntriesBuilder::default();
        builder.push(1, "a", b"a", Origin::Model).unwrap();
        let error = builder.push(1, "b", b"b", Origin::Model).unwrap_err().to_string();
        assert_eq!(error, r#"id 1 is given twice: to "a" and to "b""#);
        for id in [-1, i64::MIN, i64::MAX, i64::from(u32::MAX), i64::try_from(VOCABULARY_TOKENS_MAX).unwrap()]
        {
            let error = builder.push(id, "b", b"b", Origin::Model).unwrap_err().to_string();
            assert!(error.contains(&format!("id {id} of \"b\" is outside")), "{error}");
        }
        let last = i64::try_from(VOCABULARY_TOKENS_MAX).unwrap() - 1;
        builder.push(last, "c", b"c", Origin::Model).unwrap();
    }

    #[test]
    fn a_token_may_be_as_long_as_the_limit_and_no_longer() {
        let mut builder = EntriesBuilder::default();
        let long = "x".repeat(TOKEN_BYTES_MAX);
        builder.push(0, &long, long.as_bytes(), Origin::Model).unwrap();
        let longer = "x".repeat(TOKEN_BYTES_MAX + 1);
        let error = builder.push(1, &longer, longer.as_bytes(), Origin::Model).unwrap_err().to_string();
        assert!(error.contains("4097 bytes") && error.len() < 200, "{error}");
        assert!(EntriesBuilder::default().finish().is_err());
    }
}
