//! Small vocabularies: toys with everything that is awkward, and cuts of real ones.

use maskwright::vocab::TokenKind;
use maskwright::{TokenId, Vocabulary, VocabularyError};

use super::Random;
use crate::brute::ids;

/// Tokens of a toy vocabulary, the stop token among them.
pub const TOY_TOKENS: usize = 30;

/// Bytes that JSON can't do without; a toy lacks one of them now and then.
const STRUCTURE: &[u8] = b"{}[]\":,";
/// Other bytes, of which a toy has a few.
const LETTERS: &[u8] = b"abk0125-.trufalsen\\ \n\xc3\xa9\xf0";
/// Tokens of several bytes: across lexemes, across containers, parts of characters and of escapes.
const PIECES: [&[u8]; 40] = [
    b"\",\"",
    b"\":",
    b"{\"a\":1",
    b"}]}",
    b"\"}",
    b"\":\"",
    b"[[",
    b"]]",
    b"},{\"",
    b"{\"",
    b"\"a\"",
    b"ab",
    b"\"b\":",
    b"true",
    b"null",
    b"fal",
    b"se",
    b"12",
    b"0.",
    b".5",
    b"-1",
    b", ",
    b": ",
    b",\n",
    b"\\u00",
    b"\\ud83d",
    b"\\",
    b"\xc3\xa9",
    b"\xa9\"",
    b"\xf0\x9f",
    b"\"\"",
    b"\",\"a\":",
    b"1,2",
    b"1]",
    b"a\",\"",
    b"1}",
    b"\",\"\",\"",
    b"{}",
    b"[]",
    b"aab",
];

/// A toy vocabulary: [`TOY_TOKENS`] tokens, now and then without some structural byte, with duplicates, an empty token,
/// parts of characters and tokens that span lexemes. The last token is the stop token.
///
/// # Errors
/// Never: every toy is a vocabulary.
pub fn toy(random: &mut Random) -> Result<Vocabulary, VocabularyError> {
    let mut tokens: Vec<Vec<u8>> = STRUCTURE.iter().map(|&byte| vec![byte]).collect();
    if random.chance(1, 4) {
        tokens.remove(random.below(tokens.len()));
    }
    let mut letters = LETTERS.to_vec();
    random.shuffle(&mut letters);
    tokens.extend(letters.iter().take(8 + random.below(5)).map(|&byte| vec![byte]));
    tokens.push(Vec::new());
    let copy = random.pick(&tokens).clone();
    tokens.push(copy);
    let mut pieces = PIECES;
    random.shuffle(&mut pieces);
    let room = TOY_TOKENS - 1 - tokens.len();
    tokens.extend(pieces.iter().take(room).map(|piece| piece.to_vec()));
    random.shuffle(&mut tokens);
    tokens.push(b"</s>".to_vec());
    Vocabulary::from_tokens(tokens, &[TokenId::new(TOY_TOKENS - 1)])
}

/// A vocabulary of at most `count` of the text tokens and one stop token: every single byte, tokens with JSON
/// structure for up to half of the rest, and others spread evenly over the ids.
///
/// # Errors
/// If the vocabulary has no text token.
pub fn cut(vocabulary: &Vocabulary, count: usize) -> Result<Vocabulary, VocabularyError> {
    let texts: Vec<&[u8]> = ids(vocabulary)
        .filter(|&token| vocabulary.kind(token) == TokenKind::Text)
        .map(|token| vocabulary.bytes(token))
        .collect();
    let (singles, others): (Vec<&[u8]>, Vec<&[u8]>) = texts.iter().partition(|bytes| bytes.len() == 1);
    let is_structural = |bytes: &&[u8]| bytes.iter().any(|byte| b"{}[]\":,\\".contains(byte));
    let (structural, plain): (Vec<&[u8]>, Vec<&[u8]>) = others.iter().partition(|bytes| is_structural(bytes));
    let room = count.saturating_sub(singles.len() + 1);
    let mut tokens = singles;
    tokens.extend(spread(&structural, room / 2));
    let room = count.saturating_sub(tokens.len() + 1);
    tokens.extend(spread(&plain, room));
    let stop = TokenId::new(tokens.len());
    tokens.push(b"</s>");
    Vocabulary::from_tokens(tokens, &[stop])
}

/// At most `count` of the items, evenly spread.
fn spread<'i>(items: &[&'i [u8]], count: usize) -> Vec<&'i [u8]> {
    if items.len() <= count {
        return items.to_vec();
    }
    (0..count).map(|i| items[i * items.len() / count]).collect()
}

/// The token of each single byte, where there is one; of duplicates the first.
#[must_use]
pub fn byte_tokens(vocabulary: &Vocabulary) -> Vec<Option<TokenId>> {
    let mut tokens = vec![None; 256];
    for token in ids(vocabulary).filter(|&token| vocabulary.kind(token) == TokenKind::Text) {
        if let &[byte] = vocabulary.bytes(token) {
            tokens[usize::from(byte)].get_or_insert(token);
        }
    }
    tokens
}

/// The text as tokens, the longest that fits first; `None` if some byte can't be spelled.
#[must_use]
pub fn longest_match(vocabulary: &Vocabulary, text: &[u8]) -> Option<Vec<TokenId>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let token = ids(vocabulary)
            .filter(|&token| {
                vocabulary.kind(token) == TokenKind::Text && rest.starts_with(vocabulary.bytes(token))
            })
            .max_by_key(|&token| vocabulary.bytes(token).len())?;
        tokens.push(token);
        rest = &rest[vocabulary.bytes(token).len()..];
    }
    Some(tokens)
}

/// The text as tokens chosen at random among those that fit; `None` if it runs into a byte that can't be spelled.
pub fn random_match(vocabulary: &Vocabulary, text: &[u8], random: &mut Random) -> Option<Vec<TokenId>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let fitting: Vec<TokenId> = ids(vocabulary)
            .filter(|&token| {
                vocabulary.kind(token) == TokenKind::Text && rest.starts_with(vocabulary.bytes(token))
            })
            .collect();
        if fitting.is_empty() {
            return None;
        }
        let token = *random.pick(&fitting);
        tokens.push(token);
        rest = &rest[vocabulary.bytes(token).len()..];
    }
    Some(tokens)
}

/// A vocabulary for random grammars over these characters: their bytes, now and then without one of them, tokens of two and
/// three characters, parts of characters, tokens that end within a character, a duplicate, an empty token, a letter, and
/// as the last token the stop token.
///
/// # Errors
/// Never: all of them are vocabularies.
pub fn letters(random: &mut Random, chars: &[char]) -> Result<Vocabulary, VocabularyError> {
    let mut bytes = chars.iter().flat_map(|c| c.to_string().into_bytes()).collect::<Vec<u8>>();
    bytes.extend(b"abcd");
    if random.chance(1, 4) {
        bytes.extend("é€".bytes());
    }
    bytes.sort_unstable();
    bytes.dedup();
    if random.chance(1, 8) {
        bytes.remove(random.below(bytes.len()));
    }
    let mut tokens: Vec<Vec<u8>> = bytes.iter().map(|&byte| vec![byte]).collect();
    for count in [2, 2, 2, 2, 2, 3, 3, 3, 4] {
        let text: String = (0..count).map(|_| *random.pick(chars)).collect();
        tokens.push(text.into_bytes());
    }
    for _ in 0..3 {
        // Cut anywhere, within characters too.
        let text: String = (0..3).map(|_| *random.pick(chars)).collect();
        let from = random.below(text.len());
        let end = from + 1 + random.below(text.len() - from);
        tokens.push(text.as_bytes()[from..end].to_vec());
    }
    tokens.push(Vec::new());
    let copy = random.pick(&tokens).clone();
    tokens.push(copy);
    random.shuffle(&mut tokens);
    let letter = TokenId::new(random.below(tokens.len()));
    tokens.insert(letter.index(), b"<x>".to_vec());
    let stop = TokenId::new(tokens.len());
    tokens.push(b"</s>".to_vec());
    Vocabulary::from_tokens(tokens, &[stop])?.with_letter_tokens(&[letter])
}
