//! Vocabulary packs: a vocabulary as one file that is read in milliseconds, whatever kind of tokenizer file it came from.
//!
//! A pack holds what the tokenizer file and the caller said: spellings, bytes, kinds, rulings, stop tokens, logits width. What is derived
//! (the trie, tables of the automaton) is made again: that is as fast as reading it. All numbers are little-endian.
//!
//! ```text
//! 8 bytes   magic            then the body:
//! u32       version            u32 ids, u32 logits width
//! u64       bytes of the body  u8 origin and u8 kind of each id
//! u32       CRC-32 of the body u32 length of each name, the names; the same for bytes
//!                              u32 rulings, each u32 id, u8 special in the file, u8 reason
//!                              u32 stop tokens, each u32
//! ```
//!
//! Nothing is believed: lengths are held against what is left before anything is allocated, and what no vocabulary would say is refused.

use std::{path::Path, sync::Arc};

use super::{
    View, Vocabulary,
    entries::{Entries, EntriesBuilder, Origin},
    file,
    kind::{KindReason, TokenKind},
    letters::Ruling,
};
use crate::{
    error::VocabularyError,
    index::{TokenId, narrow, widen},
    limits::VOCABULARY_TOKENS_MAX,
};

/// The first bytes of a pack. The first is no text in any encoding, the last two show what a transfer as text did.
pub(super) const MAGIC: [u8; 8] = *b"\x93mwv\r\n\x1A\n";
/// What this code writes and reads.
const VERSION: u32 = 1;

const ORIGINS: [Origin; 6] = [
    Origin::Hole,
    Origin::Model,
    Origin::Added { special: false },
    Origin::Added { special: true },
    Origin::Unknown,
    Origin::Unused,
];

const KINDS: [TokenKind; 4] = [TokenKind::Text, TokenKind::Letter, TokenKind::Empty, TokenKind::Undecodable];

const REASONS: [KindReason; 7] = [
    KindReason::Whitespace,
    KindReason::FamilyText,
    KindReason::Added,
    KindReason::Unknown,
    KindReason::Empty,
    KindReason::Unused,
    KindReason::Chosen,
];

impl Vocabulary {
    /// The vocabulary as a pack: about 20 bytes a token. Everything that can be asked of it is kept.
    ///
    /// ```
    /// use maskwright::{TokenId, Vocabulary};
    ///
    /// let vocabulary = Vocabulary::from_tokens(["yes", "no", "</s>"], &[TokenId(2)])?;
    /// let again = Vocabulary::from_pack(&vocabulary.to_pack())?;
    /// assert_eq!((again.bytes(TokenId(1)), again.stop_tokens()), (&b"no"[..], &[TokenId(2)][..]));
    /// # Ok::<(), maskwright::VocabularyError>(())
    /// ```
    #[must_use]
    pub fn to_pack(&self) -> Vec<u8> {
        let mut body = Vec::new();
        put(&mut body, self.len());
        put(&mut body, self.logits_width);
        let ids = 0..self.len();
        body.extend(ids.clone().map(|at| code(&ORIGINS, &self.entries.origin(at))));
        body.extend(self.view.chosen.iter().map(|kind| code(&KINDS, kind)));
        ids.clone().for_each(|at| put(&mut body, self.entries.name(at).len()));
        ids.clone().for_each(|at| body.extend_from_slice(self.entries.name(at).as_bytes()));
        ids.clone().for_each(|at| put(&mut body, self.entries.bytes(at).len()));
        ids.for_each(|at| body.extend_from_slice(self.entries.bytes(at)));
        put(&mut body, self.view.rulings.len());
        for ruling in &self.view.rulings {
            put(&mut body, ruling.id.index());
            body.push(u8::from(ruling.special_in_file));
            body.push(code(&REASONS, &ruling.reason));
        }
        put(&mut body, self.view.stop.len());
        self.view.stop.iter().for_each(|token| put(&mut body, token.index()));

        let mut pack = MAGIC.to_vec();
        pack.extend(VERSION.to_le_bytes());
        pack.extend(u64::try_from(body.len()).expect("a length fits").to_le_bytes());
        pack.extend(crc32fast::hash(&body).to_le_bytes());
        pack.append(&mut body);
        pack
    }

    /// The vocabulary of a pack.
    ///
    /// # Errors
    /// The bytes are no pack, one of another version, cut off, changed since, or such as no vocabulary is written; with the byte.
    pub fn from_pack(pack: &[u8]) -> Result<Self, VocabularyError> {
        let mut head = Reader { bytes: pack, at: 0 };
        if head.take(MAGIC.len(), "the magic")? != MAGIC {
            return Err(VocabularyError::new(
                "byte 0: this is no vocabulary pack: write one with `Vocabulary::save_pack`, or read the tokenizer file itself",
            ));
        }
        let version = head.number("the version")?;
        if version != VERSION {
            return Err(VocabularyError::new(format!(
                "byte {}: the pack has version {version}, this library reads version {VERSION}: write it again from the tokenizer file",
                MAGIC.len()
            )));
        }
        let low = head.number("the length")?;
        let high = head.number("the length")?;
        let sum = head.number("the checksum")?;
        let body = &pack[head.at..];
        if high != 0 || widen(low) != body.len() {
            return Err(VocabularyError::new(format!(
                "byte {}: the pack should go on for {} bytes and does for {}: it was cut off or changed, write it again",
                head.at,
                u64::from(high) << 32 | u64::from(low),
                body.len()
            )));
        }
        if crc32fast::hash(body) != sum {
            return Err(VocabularyError::new(format!(
                "byte {}: the checksum does not fit: the pack was changed since, write it again",
                head.at - size_of::<u32>()
            )));
        }
        head.vocabulary()
    }

    /// Writes the pack to a file.
    ///
    /// # Errors
    /// The file can't be written.
    pub fn save_pack(&self, path: impl AsRef<Path>) -> Result<(), VocabularyError> {
        let path = path.as_ref();
        std::fs::write(path, self.to_pack())
            .map_err(|e| VocabularyError::new(format!("{}: can't be written: {e}", path.display())))
    }

    /// The vocabulary of a pack in a file.
    ///
    /// # Errors
    /// The file can't be read, and as [`Vocabulary::from_pack`].
    pub fn load_pack(path: impl AsRef<Path>) -> Result<Self, VocabularyError> {
        let path = path.as_ref();
        file::read(path).and_then(|pack| Self::from_pack(&pack)).map_err(|e| file::in_file(path, &e))
    }
}

/// Appends a number that fits 32 bits, as ids and lengths of a vocabulary do.
fn put(body: &mut Vec<u8>, number: usize) {
    body.extend(narrow(number).to_le_bytes());
}

/// The place of a value in a list of all of its kind.
fn code<T: PartialEq>(all: &[T], value: &T) -> u8 {
    let place = all.iter().position(|known| known == value).expect("all values are listed");
    u8::try_from(place).expect("few values are listed")
}

/// Reads a pack from its start.
struct Reader<'p> {
    bytes: &'p [u8],
    at: usize,
}

impl<'p> Reader<'p> {
    fn take(&mut self, len: usize, what: &str) -> Result<&'p [u8], VocabularyError> {
        let Some(taken) = self.bytes[self.at..].get(..len) else {
            return Err(
                self.fault(&format!("{what} takes {len} bytes, and {} are left", self.bytes.len() - self.at))
            );
        };
        self.at += len;
        Ok(taken)
    }

    fn number(&mut self, what: &str) -> Result<u32, VocabularyError> {
        let bytes = self.take(size_of::<u32>(), what)?;
        Ok(u32::from_le_bytes(bytes.try_into().expect("four bytes were taken")))
    }

    fn fault(&self, message: &str) -> VocabularyError {
        VocabularyError::new(format!("byte {} of the pack: {message}", self.at))
    }

    /// A value by its place in a list.
    fn value<T: Copy>(&self, all: &[T], code: u8, what: &str) -> Result<T, VocabularyError> {
        all.get(usize::from(code)).copied().ok_or_else(|| self.fault(&format!("there is no {what} {code}")))
    }

    /// As many strings as there are ids, one after the other behind their lengths.
    fn strings(&mut self, count: usize, what: &str) -> Result<Vec<&'p [u8]>, VocabularyError> {
        let lens = self.take(count * size_of::<u32>(), what)?;
        let (lens, _) = lens.as_chunks::<4>();
        lens.iter().map(|len| self.take(widen(u32::from_le_bytes(*len)), what)).collect()
    }

    fn vocabulary(mut self) -> Result<Vocabulary, VocabularyError> {
        let count = widen(self.number("the number of ids")?);
        let logits_width = widen(self.number("the logits width")?);
        if count == 0 || count > logits_width || logits_width > VOCABULARY_TOKENS_MAX {
            return Err(self.fault(&format!(
                "{count} ids and {logits_width} logits: there are 1 to {VOCABULARY_TOKENS_MAX}, and no more ids than logits"
            )));
        }
        let origins = self.take(count, "the origins")?;
        let kinds = self.take(count, "the kinds")?;
        let names = self.strings(count, "the names")?;
        let bytes = self.strings(count, "the bytes")?;
        let mut chosen = Vec::with_capacity(count);
        let mut builder = EntriesBuilder::default();
        for at in 0..count {
            let (origin, kind) =
                (self.value(&ORIGINS, origins[at], "origin")?, self.value(&KINDS, kinds[at], "kind")?);
            let name = std::str::from_utf8(names[at])
                .map_err(|_| self.fault(&format!("the name of token {at} is not UTF-8")))?;
            let is_said = match kind {
                TokenKind::Undecodable => bytes[at].is_empty(),
                TokenKind::Empty => bytes[at].is_empty(),
                TokenKind::Text => !bytes[at].is_empty(),
                TokenKind::Letter => true,
            };
            if !is_said || (origin == Origin::Hole) != (kind == TokenKind::Undecodable) {
                return Err(self.fault(&format!(
                    "token {at} can't be {kind} with {} bytes and origin {origin:?}",
                    bytes[at].len()
                )));
            }
            builder.push(i64::from(narrow(at)), name, bytes[at], origin)?;
            chosen.push(kind);
        }
        let rulings = self.rulings(count)?;
        let stop = self.stop(&chosen)?;
        if self.at != self.bytes.len() {
            return Err(self.fault("the pack goes on behind its end"));
        }
        let entries: Entries = builder.finish()?;
        let view = Arc::new(View::new(&entries, chosen, rulings, stop));
        Ok(Vocabulary { entries: Arc::new(entries), view, logits_width })
    }

    fn rulings(&mut self, count: usize) -> Result<Vec<Ruling>, VocabularyError> {
        let mut rulings: Vec<Ruling> = Vec::new();
        for _ in 0..self.number("the number of rulings")? {
            let id = TokenId(self.number("a ruling")?);
            let [special, reason]: [u8; 2] =
                self.take(2, "a ruling")?.try_into().expect("two bytes were taken");
            let is_next = rulings.last().is_none_or(|last| last.id < id) && id.index() < count;
            if !is_next || special > 1 {
                return Err(self.fault("a ruling is out of order, of no id or half special"));
            }
            rulings.push(Ruling {
                id,
                special_in_file: special == 1,
                reason: self.value(&REASONS, reason, "reason")?,
            });
        }
        Ok(rulings)
    }

    fn stop(&mut self, chosen: &[TokenKind]) -> Result<Vec<TokenId>, VocabularyError> {
        let mut stop: Vec<TokenId> = Vec::new();
        for _ in 0..self.number("the number of stop tokens")? {
            let id = TokenId(self.number("a stop token")?);
            let is_known = chosen.get(id.index()).is_some_and(|kind| *kind != TokenKind::Undecodable);
            if !is_known || stop.last().is_some_and(|last| *last >= id) {
                return Err(self.fault("a stop token is out of order or of no known token"));
            }
            stop.push(id);
        }
        Ok(stop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Holes, empty tokens, twins, letters and more logits than tokens.
    fn odd() -> Vocabulary {
        let mut builder = EntriesBuilder::default();
        builder.push(0, "a", b"a", Origin::Model).unwrap();
        builder.push(1, "a", b"a", Origin::Model).unwrap();
        builder.push(3, "", b"", Origin::Model).unwrap();
        builder.push(4, "é", b"\xC3", Origin::Unused).unwrap();
        builder.push(5, "<|im_end|>", b"<|im_end|>", Origin::Added { special: true }).unwrap();
        builder.push(6, " ", b" ", Origin::Added { special: false }).unwrap();
        builder.push(8, "?", b"?", Origin::Unknown).unwrap();
        let vocabulary = Vocabulary::from_entries(builder.finish().unwrap()).unwrap();
        let vocabulary = vocabulary.with_letter_tokens(&[TokenId(1)]).unwrap().with_logits_width(40).unwrap();
        vocabulary.with_stop_tokens(&[TokenId(0), TokenId(5)]).unwrap()
    }

    /// All that can be asked.
    fn told(vocabulary: &Vocabulary) -> String {
        let ids = (0..vocabulary.len() + 2).map(TokenId::new);
        let each: Vec<_> = ids
            .map(|token| (vocabulary.name(token), vocabulary.bytes(token), vocabulary.kind(token)))
            .collect();
        let added: Vec<_> = vocabulary.added_tokens().collect();
        let stop = vocabulary.stop_tokens();
        let whole = (
            vocabulary.len(),
            vocabulary.logits_width(),
            vocabulary.longest_token(),
            vocabulary.missing_bytes(),
        );
        // What a token becomes again that stops no more.
        let without: Vec<TokenKind> = {
            let free = vocabulary.clone().with_stop_tokens(&[]).unwrap();
            (0..free.len()).map(|at| free.kind(TokenId::new(at))).collect()
        };
        format!("{each:?} {added:?} {stop:?} {whole:?} {without:?} {}", vocabulary.report())
    }

    #[test]
    fn a_pack_says_all_that_the_vocabulary_says() {
        let small = Vocabulary::from_tokens(["x"], &[]).unwrap();
        for vocabulary in [odd(), small, Vocabulary::demo()] {
            let pack = vocabulary.to_pack();
            let again = Vocabulary::from_pack(&pack).unwrap();
            assert!(told(&again) == told(&vocabulary), "{vocabulary:?}");
            assert!(again.to_pack() == pack);
            let tokens = |vocabulary: &Vocabulary| {
                vocabulary.trie().tokens_below(crate::vocab::TokenTrie::ROOT).to_vec()
            };
            assert_eq!(tokens(&again), tokens(&vocabulary));
        }
    }

    #[test]
    fn no_changed_or_cut_pack_is_taken() {
        let pack = odd().to_pack();
        for at in 0..pack.len() {
            for bit in 0..8 {
                let mut changed = pack.clone();
                changed[at] ^= 1 << bit;
                let error = Vocabulary::from_pack(&changed).unwrap_err().to_string();
                assert!(error.contains("byte"), "{error}");
            }
            Vocabulary::from_pack(&pack[..at]).unwrap_err();
        }
        let longer = [&pack[..], b"x"].concat();
        assert!(Vocabulary::from_pack(&longer).unwrap_err().to_string().contains("cut off or changed"));
        let text = Vocabulary::from_pack(b"{\"model\": {}}").unwrap_err().to_string();
        assert!(text.contains("no vocabulary pack"), "{text}");
    }

    /// With the checksum made right, a change is refused, or makes another vocabulary that holds what vocabularies do.
    #[test]
    fn what_no_vocabulary_says_is_refused_though_the_checksum_is_right() {
        let pack = odd().to_pack();
        let head = MAGIC.len() + 16;
        let (mut refused, mut taken) = (0, 0);
        for at in head..pack.len() {
            for value in [0, 1, 2, 3, 5, 7, 0x41, 0x80, 0xFF] {
                let mut changed = pack.clone();
                changed[at] = value;
                let sum = crc32fast::hash(&changed[head..]).to_le_bytes();
                changed[head - 4..head].copy_from_slice(&sum);
                let Ok(vocabulary) = Vocabulary::from_pack(&changed) else {
                    refused += 1;
                    continue;
                };
                taken += 1;
                told(&vocabulary);
                for token in (0..vocabulary.len()).map(TokenId::new) {
                    assert_eq!(
                        vocabulary.kind(token) == TokenKind::Text,
                        !vocabulary.bytes(token).is_empty()
                    );
                }
                assert!(
                    vocabulary.stop_tokens().iter().all(|stop| vocabulary.kind(*stop) == TokenKind::Letter)
                );
            }
        }
        assert!(refused > 500 && taken > 100, "{refused} refused, {taken} taken");
    }
}
