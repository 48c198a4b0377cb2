//! The byte-level alphabet: one printable character for each byte, as GPT-2 introduced it.
//!
//! Printable bytes of Latin-1 stand for themselves; the other 68 take the characters from U+0100 on, in order. So a
//! space is `Ġ` and a newline `Ċ`.

use crate::index::{low_byte, widen};

/// Bytes that stand for themselves.
const fn is_itself(byte: u32) -> bool {
    matches!(byte, 0x21..=0x7E | 0xA1..=0xAC | 0xAE..=0xFF)
}

/// Number of bytes that take a character from U+0100 on.
const SHIFTED_COUNT: usize = 68;

/// Byte of the character U+0100 + i.
const SHIFTED: [u8; SHIFTED_COUNT] = {
    let mut shifted = [0; SHIFTED_COUNT];
    let (mut count, mut byte) = (0, 0u8);
    while count < SHIFTED_COUNT {
        if !is_itself(byte as u32) {
            shifted[count] = byte;
            count += 1;
        }
        byte = byte.wrapping_add(1);
    }
    shifted
};

/// The byte that a character stands for.
pub(in crate::vocab) fn byte(character: char) -> Option<u8> {
    let code = u32::from(character);
    match code.checked_sub(0x100) {
        None => is_itself(code).then(|| low_byte(code)),
        Some(at) => SHIFTED.get(widen(at)).copied(),
    }
}

/// Appends what a token of a byte-level file writes. One with a character outside the alphabet (an added
/// token) writes itself.
pub(in crate::vocab) fn append(token: &str, out: &mut Vec<u8>) {
    let start = out.len();
    for character in token.chars() {
        match byte(character) {
            Some(byte) => out.push(byte),
            None => {
                out.truncate(start);
                out.extend_from_slice(token.as_bytes());
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{append, byte};

    #[test]
    fn the_alphabet_has_one_character_for_each_byte() {
        let mut characters: Vec<(u8, char)> =
            ('\0'..'\u{1000}').filter_map(|character| Some((byte(character)?, character))).collect();
        characters.sort_unstable();
        assert_eq!(characters.len(), 256);
        assert!(characters.iter().zip(0..=u8::MAX).all(|((byte, _), expected)| *byte == expected));
        for (character, expected) in
            [('Ġ', b' '), ('Ċ', b'\n'), ('ĉ', b'\t'), ('Ń', 0xAD), ('ł', 0xA0), ('Ā', 0)]
        {
            assert_eq!(byte(character), Some(expected), "{character}");
        }
        assert_eq!(byte('ń'), None);
        assert_eq!(byte(' '), None);
    }

    #[test]
    fn a_token_outside_the_alphabet_writes_itself() {
        let mut out = b"x".to_vec();
        append("Ġhé", &mut out);
        assert_eq!(out, b"x h\xE9");
        append("Ġ<｜", &mut out);
        assert_eq!(out, "x h".bytes().chain([0xE9]).chain("Ġ<｜".bytes()).collect::<Vec<u8>>());
    }
}
