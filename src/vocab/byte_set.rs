//! A set of bytes: 256 bits.

use std::fmt;

use crate::index::widen;

/// A set of bytes.
///
/// ```
/// use maskwright::vocab::ByteSet;
/// let mut set = ByteSet::default();
/// set.insert(b'a');
/// assert!(set.contains(b'a') && !set.contains(b'b'));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ByteSet {
    words: [u64; 4],
}

impl ByteSet {
    /// Every byte.
    #[must_use]
    pub fn full() -> Self {
        Self { words: [u64::MAX; 4] }
    }

    /// These bytes.
    pub(crate) const fn of(bytes: &[u8]) -> Self {
        let mut set = Self { words: [0; 4] };
        let mut at = 0;
        while at < bytes.len() {
            set.insert(bytes[at]);
            at += 1;
        }
        set
    }

    /// Adds a byte.
    pub const fn insert(&mut self, byte: u8) {
        self.words[(byte >> 6) as usize] |= 1 << (byte & 63);
    }

    /// Takes a byte away.
    pub fn remove(&mut self, byte: u8) {
        self.words[usize::from(byte >> 6)] &= !(1 << (byte & 63));
    }

    /// Whether the byte is a member.
    #[must_use]
    pub fn contains(&self, byte: u8) -> bool {
        self.words[usize::from(byte >> 6)] & (1 << (byte & 63)) != 0
    }

    /// The members of either set.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        let mut words = self.words;
        for (word, other) in words.iter_mut().zip(other.words) {
            *word |= other;
        }
        Self { words }
    }

    /// The members of both.
    #[must_use]
    pub fn within(self, other: Self) -> Self {
        let mut words = self.words;
        for (word, other) in words.iter_mut().zip(other.words) {
            *word &= other;
        }
        Self { words }
    }

    /// Whether some byte is a member of both.
    #[must_use]
    pub fn meets(self, other: Self) -> bool {
        self.words.iter().zip(other.words).any(|(word, other)| word & other != 0)
    }

    /// How many members are smaller, if the byte is a member itself.
    #[must_use]
    pub fn rank(&self, byte: u8) -> Option<usize> {
        if !self.contains(byte) {
            return None;
        }
        let (word, bit) = (usize::from(byte >> 6), byte & 63);
        let below = self.words[word] & ((1 << bit) - 1);
        let before: u32 = self.words[..word].iter().map(|word| word.count_ones()).sum();
        Some(widen(before + below.count_ones()))
    }

    /// The ranks of those members that are in the other set too, ascending.
    pub(crate) fn ranks(self, other: Self) -> impl Iterator<Item = usize> {
        let mut before = 0;
        self.words.into_iter().zip(other.words).flat_map(move |(word, other)| {
            let first = before;
            before += widen(word.count_ones());
            let mut left = word & other;
            std::iter::from_fn(move || {
                let lowest = left & left.wrapping_neg();
                left ^= lowest;
                (lowest != 0).then(|| first + widen((word & lowest.wrapping_sub(1)).count_ones()))
            })
        })
    }

    /// Number of members.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| widen(word.count_ones())).sum()
    }

    /// Whether there is no member.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words == [0; 4]
    }

    /// The least member.
    #[must_use]
    pub fn first(&self) -> Option<u8> {
        let word = self.words.iter().position(|&word| word != 0)?;
        let first = word * 64 + widen(self.words[word].trailing_zeros());
        u8::try_from(first).ok()
    }

    /// The members in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = u8> + '_ {
        (0..=u8::MAX).filter(|&byte| self.contains(byte))
    }
}

impl FromIterator<u8> for ByteSet {
    fn from_iter<I: IntoIterator<Item = u8>>(bytes: I) -> Self {
        let mut set = Self::default();
        bytes.into_iter().for_each(|byte| set.insert(byte));
        set
    }
}

/// Hexadecimal ranges: `00-08 0B 7F-FF`.
impl fmt::Display for ByteSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut members = self.iter().peekable();
        let mut separator = "";
        while let Some(first) = members.next() {
            let mut last = first;
            while let Some(next) = members.next_if(|&next| next - 1 == last) {
                last = next;
            }
            if first == last {
                write!(f, "{separator}{first:02X}")?;
            } else {
                write!(f, "{separator}{first:02X}-{last:02X}")?;
            }
            separator = " ";
        }
        Ok(())
    }
}

impl fmt::Debug for ByteSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ByteSet({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::ByteSet;

    #[test]
    fn ranges_are_printed_at_both_ends_and_in_the_middle() {
        let mut set = ByteSet::full();
        assert_eq!(set.to_string(), "00-FF");
        assert_eq!(set.len(), 256);
        for byte in [0, 63, 64, 65, 255] {
            set.remove(byte);
        }
        assert_eq!(set.to_string(), "01-3E 42-FE");
        set.insert(64);
        assert_eq!(set.to_string(), "01-3E 40 42-FE");
        assert!(ByteSet::default().is_empty() && ByteSet::default().to_string().is_empty());
    }
}
