//! Cutting a text into the pieces inside which tokens are merged.
//!
//! The rules are those of current models in spirit: a word with the one character before it, up to three
//! digits, a run of other characters with a space before and newlines after it, whitespace. A piece is short, however
//! long a run is, so that encoding takes linear time.

/// Most characters of a piece.
const PIECE_CHARS_MAX: usize = 48;

/// Most digits of a piece.
const DIGITS_MAX: usize = 3;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Digit,
    Newline,
    Blank,
    Other,
}

fn class(character: char) -> Class {
    match character {
        '\n' | '\r' => Class::Newline,
        c if c.is_whitespace() => Class::Blank,
        c if c.is_alphabetic() => Class::Letter,
        c if c.is_numeric() => Class::Digit,
        _ => Class::Other,
    }
}

/// The pieces of a text, in order and without a gap.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (piece, after) = rest.split_at(piece_len(rest));
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}

/// Length of the first piece in bytes; 0 only for the empty text.
fn piece_len(text: &str) -> usize {
    let mut characters = text.chars();
    let (Some(first), second) = (characters.next(), characters.next()) else {
        return 0;
    };
    let (kind, next) = (class(first), second.map(class));
    let first_len = first.len_utf8();
    match kind {
        Class::Letter => run(text, 0, Class::Letter, PIECE_CHARS_MAX),
        Class::Digit => run(text, 0, Class::Digit, DIGITS_MAX),
        Class::Blank | Class::Other if next == Some(Class::Letter) => {
            run(text, first_len, Class::Letter, PIECE_CHARS_MAX)
        }
        Class::Other => others(text, 0),
        Class::Blank if first == ' ' && next == Some(Class::Other) => others(text, first_len),
        Class::Blank | Class::Newline => whitespace(text),
    }
}

/// The end of the run of a class that begins at `start`.
fn run(text: &str, start: usize, of: Class, count_max: usize) -> usize {
    let run = text[start..].chars().take(count_max).take_while(|&c| class(c) == of);
    start + run.map(char::len_utf8).sum::<usize>()
}

/// A run of other characters and the newlines after it.
fn others(text: &str, start: usize) -> usize {
    run(text, run(text, start, Class::Other, PIECE_CHARS_MAX), Class::Newline, PIECE_CHARS_MAX)
}

/// Up to the last newline of a run of whitespace; a run without one leaves its last blank to the next word.
fn whitespace(text: &str) -> usize {
    let mut len = 0;
    let mut last_start = 0;
    let mut newline_end = None;
    for character in text.chars().take(PIECE_CHARS_MAX).take_while(|c| c.is_whitespace()) {
        last_start = len;
        len += character.len_utf8();
        if class(character) == Class::Newline {
            newline_end = Some(len);
        }
    }
    match newline_end {
        Some(end) => end,
        None if len == text.len() || last_start == 0 => len,
        None => last_start,
    }
}

#[cfg(test)]
mod tests {
    use super::{PIECE_CHARS_MAX, pieces};

    fn check(text: &str, expected: &[&str]) {
        assert_eq!(pieces(text).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn json_and_prose_are_cut_as_models_cut_them() {
        check("", &[]);
        check("Hello, world! 12345 x", &["Hello", ",", " world", "!", " ", "123", "45", " x"]);
        check(
            "{\n    \"key\": -1.5,\r\n}",
            &["{\n", "   ", " \"", "key", "\":", " -", "1", ".", "5", ",\r\n", "}"],
        );
        check("\"a_b\"", &["\"a", "_b", "\""]);
        check("  \n \n  x  ", &["  \n \n", " ", " x", "  "]);
        check(" é\t\tü 日本", &[" é", "\t", "\tü", " 日本"]);
    }

    #[test]
    fn long_runs_are_cut_and_nothing_is_lost() {
        for run in ["a", " ", "{", "\n", "é", "7", " \u{3000}"] {
            let text = run.repeat(1_000);
            assert!(pieces(&text).all(|piece| piece.chars().count() <= 2 * PIECE_CHARS_MAX + 1), "{run:?}");
            assert_eq!(pieces(&text).collect::<String>(), text);
        }
    }
}
