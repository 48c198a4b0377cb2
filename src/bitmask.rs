//! Packed token sets: what a matcher fills and what a sampler or an engine applies.
//!
//! Bit `i % 32` of word `i / 32` is token `i`; a row has `width.div_ceil(32)` words of `u32`, the layout that the
//! serving engines share. A [`Bitmask`] owns one row or a batch of rows back to back. The free functions do the same
//! work on a raw row (`&[u32]`), for callers whose rows lie in memory of their own, such as a pinned buffer.
//!
//! Invariant of a [`Bitmask`]: bits at and beyond the width are 0. Only [`Bitmask::row_mut`] and
//! [`Bitmask::rows_mut`] hand out whole words; who writes through them keeps the rule.

use bitvec::order::Lsb0;
use bitvec::slice::BitSlice;

use crate::index::{TokenId, narrow, widen};

/// Tokens in one word of a row.
pub const TOKENS_PER_WORD: usize = 32;

/// What a bitmask can be made for: it knows how many logits the model puts out.
///
/// The logits width may exceed the vocabulary's length; tokens past the vocabulary are never allowed.
pub trait LogitsWidth {
    /// Logits of one step, which is the number of bits in a row.
    fn logits_width(&self) -> usize;
}

/// A width given as a number.
impl LogitsWidth for usize {
    fn logits_width(&self) -> usize {
        *self
    }
}

/// Rows of packed bits, one bit a token. Methods that name no row speak of row 0, the only one of [`Bitmask::new`].
///
/// ```
/// use maskwright::Bitmask;
///
/// let mut mask = Bitmask::new(&40);
/// assert_eq!(mask.as_words(), [0, 0]);
/// mask.set(3);
/// mask.set(33);
/// assert_eq!(mask.as_words(), [0b1000, 0b10]);
/// assert!(mask.contains(33) && !mask.contains(34));
/// assert_eq!(mask.iter().map(|token| token.0).collect::<Vec<_>>(), [3, 33]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bitmask {
    words: Vec<u32>,
    width: usize,
    rows: usize,
}

impl Bitmask {
    /// One empty row, as wide as the model's logits. Allocates `width / 8` bytes.
    #[must_use]
    pub fn new(of: &impl LogitsWidth) -> Self {
        Self::batch(of, 1)
    }

    /// A batch of empty rows, back to back: row `i` starts at word `i * row_words`.
    #[must_use]
    pub fn batch(of: &impl LogitsWidth, rows: usize) -> Self {
        let width = of.logits_width();
        Self { words: vec![0; row_words(width) * rows], width, rows }
    }

    /// Tokens in a row.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of rows.
    #[must_use]
    pub fn row_count(&self) -> usize {
        self.rows
    }

    /// Words in a row.
    #[must_use]
    pub fn row_words(&self) -> usize {
        row_words(self.width)
    }

    /// The words of one row.
    ///
    /// # Panics
    /// If the batch has no such row.
    #[must_use]
    pub fn row(&self, row: usize) -> &[u32] {
        assert!(row < self.rows, "row {row} of a bitmask with {} rows", self.rows);
        let words = self.row_words();
        &self.words[row * words..][..words]
    }

    /// The words of one row, to be written. Bits at and beyond the width must stay 0.
    ///
    /// # Panics
    /// If the batch has no such row.
    #[must_use]
    pub fn row_mut(&mut self, row: usize) -> &mut [u32] {
        assert!(row < self.rows, "row {row} of a bitmask with {} rows", self.rows);
        let words = self.row_words();
        &mut self.words[row * words..][..words]
    }

    /// All rows, to be written side by side (by several threads, say). Bits at and beyond the width must stay 0.
    pub fn rows_mut(&mut self) -> impl Iterator<Item = &mut [u32]> {
        // A width of 0 has rows without words, of which there is nothing to write.
        let words = self.row_words().max(1);
        self.words.chunks_exact_mut(words)
    }

    /// All words, row after row: what is copied to a device.
    #[must_use]
    pub fn as_words(&self) -> &[u32] {
        &self.words
    }

    /// Whether the token is in row 0; false for every id outside the row.
    #[must_use]
    pub fn contains(&self, token: impl Into<TokenId>) -> bool {
        contains(&self.words[..self.first_len()], token.into())
    }

    /// Number of tokens in row 0. Cost: one instruction or so a word.
    #[must_use]
    pub fn count(&self) -> usize {
        count_ones(&self.words[..self.first_len()])
    }

    /// The tokens of row 0, ascending.
    pub fn iter(&self) -> Tokens<'_> {
        iter(&self.words[..self.first_len()])
    }

    /// Row 0 as a slice of exactly `width` bits, to look at with `bitvec`'s tools.
    ///
    /// ```
    /// use maskwright::Bitmask;
    ///
    /// let mut mask = Bitmask::new(&40);
    /// mask.set(39);
    /// assert_eq!(mask.bits().len(), 40);
    /// assert_eq!(mask.bits().first_one(), Some(39));
    /// ```
    #[must_use]
    pub fn bits(&self) -> &BitSlice<u32, Lsb0> {
        let row = &self.words[..self.first_len()];
        BitSlice::from_slice(row).get(..self.width).unwrap_or_default()
    }

    /// Puts a token into row 0; says whether it was absent. An id at or beyond the width changes nothing.
    pub fn set(&mut self, token: impl Into<TokenId>) -> bool {
        let token = token.into();
        let words = self.first_len();
        token.index() < self.width && set(&mut self.words[..words], token)
    }

    /// Takes a token out of row 0; says whether it was present.
    pub fn remove(&mut self, token: impl Into<TokenId>) -> bool {
        let words = self.first_len();
        remove(&mut self.words[..words], token.into())
    }

    /// Empties every row.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }

    /// Words of row 0: none in a batch without rows.
    fn first_len(&self) -> usize {
        if self.rows == 0 { 0 } else { self.row_words() }
    }
}

impl<'a> IntoIterator for &'a Bitmask {
    type Item = TokenId;
    type IntoIter = Tokens<'a>;

    fn into_iter(self) -> Tokens<'a> {
        self.iter()
    }
}

/// Words that a row of `width` tokens takes.
#[must_use]
pub fn row_words(width: usize) -> usize {
    width.div_ceil(TOKENS_PER_WORD)
}

/// Whether the token is in the row; false for every id outside it.
///
/// ```
/// use maskwright::{TokenId, bitmask};
///
/// let mut row = [0u32; 2];
/// assert!(bitmask::set(&mut row, TokenId(40)));
/// assert!(bitmask::contains(&row, TokenId(40)));
/// assert!(!bitmask::contains(&row, TokenId(4_000_000)));
/// ```
#[inline]
#[must_use]
pub fn contains(row: &[u32], token: TokenId) -> bool {
    let (word, bit) = locate(token);
    row.get(word).is_some_and(|&word| word & bit != 0)
}

/// Puts the token into the row; says whether it was absent. An id outside the row changes nothing.
#[inline]
pub fn set(row: &mut [u32], token: TokenId) -> bool {
    let (word, bit) = locate(token);
    row.get_mut(word).is_some_and(|word| {
        let absent = *word & bit == 0;
        *word |= bit;
        absent
    })
}

/// Takes the token out of the row; says whether it was present.
#[inline]
pub fn remove(row: &mut [u32], token: TokenId) -> bool {
    let (word, bit) = locate(token);
    row.get_mut(word).is_some_and(|word| {
        let present = *word & bit != 0;
        *word &= !bit;
        present
    })
}

/// Empties the row.
#[inline]
pub fn clear(row: &mut [u32]) {
    row.fill(0);
}

/// Number of tokens in the row.
#[must_use]
pub fn count_ones(row: &[u32]) -> usize {
    row.iter().map(|word| widen(word.count_ones())).sum()
}

/// The tokens of the row, ascending.
///
/// ```
/// use maskwright::bitmask;
///
/// let row = [0x8000_0001, 0, 2];
/// assert_eq!(bitmask::iter(&row).map(|token| token.0).collect::<Vec<_>>(), [0, 31, 65]);
/// assert_eq!(bitmask::count_ones(&row), 3);
/// ```
#[must_use]
pub fn iter(row: &[u32]) -> Tokens<'_> {
    let (&word, rest) = row.split_first().unwrap_or((&0, &[]));
    Tokens { word, base: 0, rest }
}

/// Iterator over the tokens of a row; made by [`iter`] and [`Bitmask::iter`].
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    /// Bits of the current word that are still to come.
    word: u32,
    /// Token of the current word's lowest bit.
    base: u32,
    rest: &'a [u32],
}

impl Iterator for Tokens<'_> {
    type Item = TokenId;

    fn next(&mut self) -> Option<TokenId> {
        while self.word == 0 {
            let (&word, rest) = self.rest.split_first()?;
            self.word = word;
            self.base += u32::BITS;
            self.rest = rest;
        }
        let token = self.base + self.word.trailing_zeros();
        self.word &= self.word - 1;
        Some(TokenId(token))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let most = widen(self.word.count_ones()) + self.rest.len().saturating_mul(TOKENS_PER_WORD);
        (widen(self.word.count_ones()), Some(most))
    }
}

/// The word of a token and its bit there.
#[inline]
fn locate(token: TokenId) -> (usize, u32) {
    (token.index() / TOKENS_PER_WORD, 1 << (token.0 % narrow(TOKENS_PER_WORD)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(tokens: Tokens<'_>) -> Vec<u32> {
        tokens.map(|token| token.0).collect()
    }

    #[test]
    fn rows_round_up_to_whole_words() {
        for (width, words) in [(0, 0), (1, 1), (31, 1), (32, 1), (33, 2), (128_256, 4_008)] {
            let mask = Bitmask::batch(&width, 3);
            assert_eq!((mask.row_words(), mask.as_words().len()), (words, 3 * words), "width {width}");
            assert_eq!((mask.row(2).len(), mask.row_count(), mask.bits().len()), (words, 3, width));
        }
    }

    #[test]
    fn a_bit_is_where_the_layout_says() {
        let mut mask = Bitmask::new(&70);
        for token in [0, 31, 32, 69] {
            assert!(mask.set(token), "absent before");
            assert!(!mask.set(token), "present now");
        }
        assert_eq!(mask.as_words(), [0x8000_0001, 1, 0b10_0000]);
        assert_eq!(ids(mask.iter()), [0, 31, 32, 69]);
        assert_eq!(mask.count(), 4);
        assert!(mask.remove(31) && !mask.remove(31) && !mask.contains(31));
        assert_eq!(ids((&mask).into_iter()), [0, 32, 69]);
        mask.clear();
        assert_eq!(mask, Bitmask::new(&70));
    }

    #[test]
    fn bits_beyond_the_width_stay_zero() {
        let mut mask = Bitmask::new(&33);
        for token in [33, 63, 64, u32::MAX] {
            assert!(!mask.set(token) && !mask.contains(token) && !mask.remove(token));
        }
        assert_eq!(mask.as_words(), [0, 0]);
    }

    #[test]
    fn an_id_outside_a_raw_row_is_absent() {
        let mut row = [u32::MAX; 2];
        assert!(
            !contains(&row, TokenId(64))
                && !set(&mut row, TokenId(64))
                && !remove(&mut row, TokenId(u32::MAX))
        );
        assert_eq!(row, [u32::MAX; 2]);
        assert_eq!(count_ones(&[]), 0);
        assert_eq!(iter(&[]).next(), None);
    }

    #[test]
    fn rows_of_a_batch_do_not_touch() {
        let mut mask = Bitmask::batch(&33, 2);
        for (i, row) in mask.rows_mut().enumerate() {
            set(row, TokenId::new(32 - i));
        }
        assert_eq!(mask.row(0), [0, 1]);
        assert_eq!(mask.row(1), [1 << 31, 0]);
        assert_eq!(ids(iter(mask.row(1))), [31]);
        mask.row_mut(1)[0] = 0;
        assert_eq!((mask.count(), count_ones(mask.row(1))), (1, 0));
    }

    #[test]
    fn an_empty_batch_has_an_empty_first_row() {
        let mut mask = Bitmask::batch(&33, 0);
        assert!(!mask.set(1) && !mask.contains(1));
        assert_eq!((mask.count(), mask.iter().count(), mask.bits().len()), (0, 0, 0));
        assert_eq!(mask.rows_mut().count(), 0);
        assert_eq!(Bitmask::batch(&0, 2).rows_mut().count(), 0);
    }

    #[test]
    fn the_iterator_agrees_with_a_bit_by_bit_look() {
        let mut state = 0x5EED;
        println!("seed {state:#x}");
        for words in 0..6 {
            let row: Vec<u32> = (0..words).map(|_| next(&mut state) & next(&mut state)).collect();
            let naive: Vec<u32> =
                (0..narrow(words * TOKENS_PER_WORD)).filter(|&i| contains(&row, TokenId(i))).collect();
            let (least, most) = iter(&row).size_hint();
            assert_eq!(ids(iter(&row)), naive);
            assert_eq!(count_ones(&row), naive.len());
            assert!(least <= naive.len() && naive.len() <= most.unwrap());
        }
    }

    /// splitmix64, the high half.
    fn next(state: &mut u64) -> u32 {
        *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = *state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        u32::try_from((z ^ (z >> 31)) >> 32).unwrap()
    }
}
