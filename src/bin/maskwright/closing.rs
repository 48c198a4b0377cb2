//! A gentle push towards the end of the document, as a sampler's policy.
//!
//! A model learns to end what it writes; random logits never do. So each token gets a weight from its bytes
//! (closing a string, array or object is good; opening one, a comma, more digits or blanks are not), and the
//! weight times a pressure that grows with the length is added to the logits. Masks are untouched: the push only
//! chooses among tokens that are allowed.

use maskwright::{TokenId, Vocabulary};

/// Where the next byte stands in the text, as far as the weights care.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) enum Place {
    /// Between lexemes.
    #[default]
    Outside,
    /// After a byte of a number.
    Number,
    /// Inside a string.
    Inside,
    /// Inside a string, after a backslash.
    Escaped,
}

impl Place {
    /// The place after one more byte, and the byte's weight.
    fn step(self, byte: u8) -> (Self, f32) {
        match self {
            Self::Escaped => (Self::Inside, 0.0),
            Self::Inside => match byte {
                b'"' => (Self::Outside, 1.0),
                b'\\' => (Self::Escaped, -0.5),
                _ => (Self::Inside, 0.0),
            },
            Self::Outside | Self::Number => match byte {
                b'"' => (Self::Inside, -0.5),
                b'}' | b']' => (Self::Outside, 1.0),
                b'{' | b'[' => (Self::Outside, -1.5),
                b',' => (Self::Outside, -1.0),
                b' ' | b'\t' | b'\n' | b'\r' => (Self::Outside, -2.0),
                b'0'..=b'9' if self == Self::Number => (Self::Number, -2.0),
                b'0'..=b'9' => (Self::Number, -0.2),
                b'-' | b'+' | b'.' => (Self::Number, -1.5),
                b'e' | b'E' if self == Self::Number => (Self::Number, -3.0),
                _ => (Self::Outside, 0.0),
            },
        }
    }

    /// The place after some bytes.
    pub(crate) fn after(self, bytes: &[u8]) -> Self {
        bytes.iter().fold(self, |place, &byte| place.step(byte).0)
    }
}

/// The weight of a token whose first byte stands at `place`.
fn weight(place: Place, bytes: &[u8]) -> f32 {
    let mut at = place;
    let mut sum = 0.0;
    for &byte in bytes {
        let (next, weight) = at.step(byte);
        at = next;
        sum += weight;
    }
    sum
}

/// Weight of a stop token.
pub(crate) const STOP: f32 = 3.0;

/// Weights of all tokens, by place.
pub(crate) struct Closing {
    by_place: [Vec<f32>; 4],
}

impl Closing {
    /// Weighs a vocabulary: once, a pass over all its bytes.
    pub(crate) fn new(vocabulary: &Vocabulary) -> Self {
        let weigh = |place: Place| -> Vec<f32> {
            (0..vocabulary.len())
                .map(TokenId::new)
                .map(|t| if vocabulary.is_stop(t) { STOP } else { weight(place, vocabulary.bytes(t)) })
                .collect()
        };
        Self { by_place: [Place::Outside, Place::Number, Place::Inside, Place::Escaped].map(weigh) }
    }

    /// Adds pressure times weight to the logits.
    pub(crate) fn push(&self, place: Place, pressure: f32, logits: &mut [f32]) {
        let weights = match place {
            Place::Outside => &self.by_place[0],
            Place::Number => &self.by_place[1],
            Place::Inside => &self.by_place[2],
            Place::Escaped => &self.by_place[3],
        };
        for (logit, weight) in logits.iter_mut().zip(weights) {
            *logit += pressure * weight;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_tokens_weigh_more() {
        let inside = |text: &str| weight(Place::Inside, text.as_bytes());
        assert!(inside("\"}") > inside("\"") && inside("\"") > inside("abc"));
        assert!(inside("\"") > inside("\","), "a comma goes on");
        assert!(inside("\\\"") < inside("\""), "an escaped quote does not close");
        let outside = |text: &str| weight(Place::Outside, text.as_bytes());
        assert!(outside("}") > outside("\"") && outside("\"") > outside("{"));
        assert!(outside("[") > outside(" "), "blanks lead nowhere");
        assert!(weight(Place::Number, b",") > weight(Place::Number, b"1"), "a number ends");
    }

    #[test]
    fn the_place_follows_strings_and_escapes() {
        assert_eq!(Place::default().after(b"{\"a\\\""), Place::Inside);
        assert_eq!(Place::default().after(b"{\"a\\"), Place::Escaped);
        assert_eq!(Place::default().after(b"{\"a\": 12"), Place::Number);
        assert_eq!(Place::default().after(b"{\"a\": 12}"), Place::Outside);
    }
}
