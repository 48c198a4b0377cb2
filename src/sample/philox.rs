//! Philox4x32-10: random numbers as a function of key and counter, with no state in between.
//!
//! Ten rounds of two 32-bit multiplications and some exclusive ors over a counter of 128 bits and a key of 64
//! (Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011). It passes the usual
//! batteries of tests, and a GPU thread can compute any element of any stream on its own.

/// Multipliers of the two halves of the counter.
const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
/// What the key grows by after each round.
const KEY_STEPS: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];
/// Number of rounds.
const ROUNDS: usize = 10;

/// Four random words for a counter under a key.
#[must_use]
pub fn block(key: [u32; 2], counter: [u32; 4]) -> [u32; 4] {
    let mut key = key;
    let mut words = counter;
    for _ in 0..ROUNDS {
        let [low_0, high_0] = halves(u64::from(MULTIPLIERS[0]) * u64::from(words[0]));
        let [low_1, high_1] = halves(u64::from(MULTIPLIERS[1]) * u64::from(words[2]));
        words = [high_1 ^ words[1] ^ key[0], low_1, high_0 ^ words[3] ^ key[1], low_0];
        key = [key[0].wrapping_add(KEY_STEPS[0]), key[1].wrapping_add(KEY_STEPS[1])];
    }
    words
}

/// A number in [0, 1), a multiple of 2^-53: the first of the block that `seed` and `step` name.
#[must_use]
pub fn uniform(seed: u64, step: u64) -> f64 {
    let [low, high] = halves(step);
    let [first, second, ..] = block(halves(seed), [low, high, 0, 0]);
    // 32 bits and 21 more: both products and the sum are exact.
    f64::from(first) / f64::from(2.0_f32.powi(32)) + f64::from(second >> 11) / 2.0_f64.powi(53)
}

/// The low and the high half.
fn halves(value: u64) -> [u32; 2] {
    let [a, b, c, d, e, f, g, h] = value.to_le_bytes();
    [u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h])]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The three known answers that the authors publish with their implementation (`philox4x32 10`).
    #[test]
    fn the_published_answers_come_out() {
        let answers = [
            ([0, 0], [0, 0, 0, 0], [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]),
            ([u32::MAX; 2], [u32::MAX; 4], [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]),
            (
                [0xa409_3822, 0x299f_31d0],
                [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
                [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1],
            ),
        ];
        for (key, counter, expected) in answers {
            assert_eq!(block(key, counter), expected, "key {key:08x?}, counter {counter:08x?}");
        }
    }

    #[test]
    fn uniform_takes_the_first_53_bits() {
        let expected = f64::from(0x6627_e8d5_u32) / 2.0_f64.powi(32)
            + f64::from(0xe169_c58d_u32 >> 11) / 2.0_f64.powi(53);
        assert!(uniform(0, 0).to_bits() == expected.to_bits() && (0.399..0.4).contains(&expected));
    }

    #[test]
    fn uniform_is_even_over_steps_and_over_seeds() {
        for name in ["steps", "seeds"] {
            let mut counts = [0.0_f64; 16];
            for i in 0..16_000 {
                let value = if name == "steps" { uniform(1, i) } else { uniform(i, 1) };
                assert!((0.0..1.0).contains(&value));
                let bucket = (1..16).filter(|&edge| value >= f64::from(edge) / 16.0).count();
                counts[bucket] += 1.0;
            }
            let chi_square: f64 = counts.iter().map(|count| (count - 1_000.0).powi(2) / 1_000.0).sum();
            // 15 degrees of freedom: one in a thousand lies above 37.7, one in a thousand below 3.48.
            assert!((3.48..37.7).contains(&chi_square), "{name}: {chi_square}");
        }
    }
}
