//! Decimal spellings of the multiples of a fraction `of / 10^places`.
//!
//! A number is such a multiple iff its digits, with the point moved `places` to the right, spell a multiple of `of`. Before the
//! point the remainder of the digits is known; behind it the digits left until the point has moved far enough, with zeros for
//! those that are not written; then only zeros may follow.

use super::derive::{Range, push};
use super::{Kind, Terms};
use crate::automaton::term::Window;
use crate::index::TermId;

/// What has been read of a multiple of a fraction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FractionRead {
    /// Nothing: a sign may come.
    Start,
    /// The sign: a digit must come.
    Sign,
    /// Digits before the point, with this remainder.
    Whole(u64),
    /// The point, after digits with this remainder: a digit must come.
    Point(u64),
    /// Digits behind the point.
    Behind {
        /// So many further ones count.
        left: u32,
        /// The remainder of all digits so far.
        remainder: u64,
    },
}

/// Digits that have every remainder: all divisors are less than `10^20`.
const EVERY: u32 = 20;

impl Terms {
    /// The spellings that go on from what has been read; `NOTHING` where none does.
    pub(super) fn fraction_multiple(&self, of: u64, places: u32, read: FractionRead) -> TermId {
        match least(of, places, read) {
            Some(_) => self.intern(&Kind::FractionMultiple { of, places, read }),
            None => Self::NOTHING,
        }
    }

    pub(super) fn read_fraction(&self, of: u64, places: u32, read: FractionRead) -> Vec<Range> {
        let mut out = Vec::with_capacity(12);
        let next = |read| self.fraction_multiple(of, places, read);
        let (sign, point, zero) = (u32::from('-'), u32::from('.'), u32::from('0'));
        match read {
            FractionRead::Start => push(&mut out, sign, sign, next(FractionRead::Sign)),
            FractionRead::Whole(remainder) => {
                push(&mut out, point, point, next(FractionRead::Point(remainder)))
            }
            _ => {}
        }
        for digit in 0..10 {
            let add = |remainder: u64| after_digits(of, remainder, 1, digit);
            let target = match read {
                FractionRead::Start | FractionRead::Sign => FractionRead::Whole(add(0)),
                FractionRead::Whole(remainder) => FractionRead::Whole(add(remainder)),
                FractionRead::Point(remainder) => {
                    FractionRead::Behind { left: places - 1, remainder: add(remainder) }
                }
                FractionRead::Behind { left: 0, .. } if digit > 0 => break,
                FractionRead::Behind { left: 0, .. } => read,
                FractionRead::Behind { left, remainder } => {
                    FractionRead::Behind { left: left - 1, remainder: add(remainder) }
                }
            };
            push(&mut out, zero + digit, zero + digit, next(target));
        }
        out
    }
}

/// Lengths of the texts that go on: all from the least on, since a zero may be added to each.
pub(super) fn lengths(of: u64, places: u32, read: FractionRead) -> Window {
    Window { min: least(of, places, read).unwrap_or(0), max: None }
}

/// The fewest characters that complete a spelling; `None` if none do.
fn least(of: u64, places: u32, read: FractionRead) -> Option<u64> {
    // So many digits behind the point: the rest are zeros.
    let behind = |remainder: u64, left: u32, from: u32| {
        (from..=left).find(|&digits| completes(of, remainder, digits, left - digits)).map(u64::from)
    };
    match read {
        FractionRead::Start | FractionRead::Sign => Some(1),
        FractionRead::Whole(remainder) => {
            let whole = (0..=EVERY).find(|&digits| completes(of, remainder, digits, places)).map(u64::from);
            let fraction = behind(remainder, places, 1).map(|digits| digits + 1);
            whole.into_iter().chain(fraction).min()
        }
        FractionRead::Point(remainder) => behind(remainder, places, 1),
        FractionRead::Behind { left, remainder } => behind(remainder, left, 0),
    }
}

/// Whether some `digits` digits and then `zeros` zeros make a multiple.
fn completes(of: u64, remainder: u64, digits: u32, zeros: u32) -> bool {
    // What the zeros bring along need not be divided by.
    let mut of = of;
    for factor in [2_u64, 5] {
        let mut left = zeros;
        while left > 0 && of.is_multiple_of(factor) {
            of /= factor;
            left -= 1;
        }
    }
    let shifted = after_digits(of, remainder, digits, 0);
    let missing = if shifted == 0 { 0 } else { of - shifted };
    digits >= EVERY || missing < 10_u64.pow(digits)
}

/// The remainder after so many digits of this value.
fn after_digits(of: u64, remainder: u64, digits: u32, value: u32) -> u64 {
    let of = u128::from(of);
    let shifted = (0..digits).fold(u128::from(remainder) % of, |shifted, _| shifted * 10 % of);
    u64::try_from((shifted + u128::from(value)) % of).expect("a remainder is less than its divisor")
}
