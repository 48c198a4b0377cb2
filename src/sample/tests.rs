//! What sampling promises: support within the mask, exact filters, the right distribution, the same draw again.

use super::{Sampler, Sampling, arg_max};
use crate::bitmask::{self, Bitmask};
use crate::error::SamplingError;

/// A mask of `width` bits with the tokens given.
fn mask(width: usize, tokens: impl IntoIterator<Item = u32>) -> Bitmask {
    let mut mask = Bitmask::new(&width);
    tokens.into_iter().for_each(|token| assert!(mask.set(token)));
    mask
}

fn sampler(settings: Sampling) -> Sampler {
    Sampler::new(settings).unwrap()
}

/// How often each token comes in `steps` steps.
fn counts(settings: Sampling, logits: &[f32], mask: &Bitmask, steps: u32) -> Vec<u32> {
    let mut counts = vec![0; logits.len()];
    let mut sampler = sampler(settings);
    for _ in 0..steps {
        counts[sampler.sample(logits, mask.row(0)).unwrap().index()] += 1;
    }
    counts
}

/// Tokens that come at all in 2,000 steps.
fn support(settings: Sampling, logits: &[f32], mask: &Bitmask) -> Vec<usize> {
    let counts = counts(settings, logits, mask, 2_000);
    (0..counts.len()).filter(|&token| counts[token] > 0).collect()
}

fn greedy(logits: &[f32], mask: &Bitmask) -> Option<u32> {
    let token = sampler(Sampling::greedy()).sample(logits, mask.row(0));
    assert_eq!(token, arg_max(logits, mask.row(0)));
    token.map(|token| token.0)
}

/// splitmix64.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[test]
fn greedy_takes_the_greatest_allowed_logit_and_the_lowest_id_among_equals() {
    let logits = [5.0, 1.0, 3.0, 3.0, 2.0];
    assert_eq!(greedy(&logits, &mask(5, [1, 2, 3, 4])), Some(2));
    assert_eq!(greedy(&logits, &mask(5, [1, 3, 4])), Some(3));
    assert_eq!(greedy(&logits, &mask(5, [0, 1])), Some(0));
    assert_eq!(greedy(&[-0.0, 0.0], &mask(2, [0, 1])), Some(0), "the zeros are equal");
    assert_eq!(greedy(&[0.0, -0.0], &mask(2, [0, 1])), Some(0), "the zeros are equal");
}

#[test]
fn an_empty_mask_has_no_token() {
    let logits = [1.0, 2.0];
    for settings in [Sampling::greedy(), Sampling::default(), Sampling { top_p: 0.5, ..Sampling::default() }]
    {
        assert_eq!(sampler(settings).sample(&logits, mask(2, []).row(0)), None);
        assert_eq!(sampler(settings).sample(&logits, &[]), None);
        assert_eq!(sampler(settings).sample(&[], &[u32::MAX]), None);
    }
}

#[test]
fn nan_is_the_least_of_all() {
    let logits = [f32::NAN, -1e30, f32::NAN, f32::NEG_INFINITY, -1e30];
    let all = mask(5, 0..5);
    assert_eq!(greedy(&logits, &all), Some(1));
    assert_eq!(support(Sampling::default(), &logits, &all), [1, 4]);
    assert_eq!(support(Sampling { top_k: 4, ..Sampling::default() }, &logits, &all), [1, 4]);
    assert_eq!(support(Sampling { top_p: 0.99, ..Sampling::default() }, &logits, &all), [1, 4]);
}

#[test]
fn where_every_allowed_logit_is_minus_infinity_the_lowest_allowed_id_is_chosen() {
    let logits = [3.0, f32::NAN, f32::NEG_INFINITY, f32::NAN];
    let some = mask(4, [1, 2, 3]);
    assert_eq!(greedy(&logits, &some), Some(1));
    for settings in [Sampling::default(), Sampling { top_k: 2, top_p: 0.1, ..Sampling::default() }] {
        assert_eq!(support(settings, &logits, &some), [1]);
    }
}

#[test]
fn infinite_logits_share_everything() {
    let logits = [f32::INFINITY, 1.0, f32::INFINITY, f32::MAX];
    assert_eq!(greedy(&logits, &mask(4, 0..4)), Some(0));
    assert_eq!(support(Sampling::default(), &logits, &mask(4, 0..4)), [0, 2]);
}

#[test]
fn ids_past_either_end_are_not_allowed() {
    let all = [u32::MAX; 2];
    let logits = [0.0; 40];
    for step in 0..500 {
        let token = sampler(Sampling::default()).sample_at(step, &logits, &all).unwrap();
        assert!(token.index() < 40);
        let token = sampler(Sampling::default()).sample_at(step, &logits, &all[..1]).unwrap();
        assert!(token.index() < 32);
    }
}

#[test]
fn no_setting_and_no_logit_leaves_the_mask() {
    let mut state = 0x5EED;
    println!("seed {state:#x}");
    let odd = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -0.0, f32::MAX, f32::MIN, f32::MIN_POSITIVE];
    for _ in 0..3_000 {
        let width = 1 + usize::try_from(next(&mut state) % 100).unwrap();
        let logits: Vec<f32> = (0..width)
            .map(|_| {
                let random = next(&mut state);
                let some = odd[usize::try_from(random >> 61).unwrap()];
                if random.is_multiple_of(3) {
                    some
                } else {
                    f32::from(i16::try_from(random % 64).unwrap()) - 32.0
                }
            })
            .collect();
        let mut allowed = Bitmask::new(&width);
        (0..width / 2).for_each(|_| _ = allowed.set(u32::try_from(next(&mut state) % 100).unwrap()));
        let settings = Sampling {
            temperature: [0.0, 1e-30, 0.7, 1.0, 1e30][usize::try_from(next(&mut state) % 5).unwrap()],
            top_k: usize::try_from(next(&mut state) % 8).unwrap(),
            top_p: [1e-6, 0.5, 0.95, 1.0][usize::try_from(next(&mut state) % 4).unwrap()],
            seed: next(&mut state),
        };
        match sampler(settings).sample(&logits, allowed.row(0)) {
            Some(token) => assert!(allowed.contains(token), "{settings:?} {logits:?}"),
            None => assert_eq!(allowed.count(), 0, "{settings:?} {logits:?}"),
        }
    }
}

#[test]
fn top_k_keeps_exactly_k() {
    // Four logits tie at the border of k = 3, 4 and 5.
    let logits = [1.0, 2.0, 1.0, 3.0, 1.0, 1.0, 0.0, 9.0];
    let allowed = mask(8, 0..7);
    let kept = [&[3][..], &[1, 3], &[0, 1, 3], &[0, 1, 2, 3], &[0, 1, 2, 3, 4], &[0, 1, 2, 3, 4, 5]];
    for (i, expected) in kept.into_iter().enumerate() {
        assert_eq!(support(Sampling { top_k: i + 1, ..Sampling::default() }, &logits, &allowed), expected);
    }
    for top_k in [0, 7, 8, usize::MAX] {
        let settings = Sampling { top_k, ..Sampling::default() };
        assert_eq!(support(settings, &logits, &allowed), [0, 1, 2, 3, 4, 5, 6]);
    }
}

#[test]
fn top_p_keeps_the_fewest_that_reach_the_share() {
    // Probabilities 1/2, 1/4, 1/8, 1/8.
    let logits: Vec<f32> = [0.125_f32, 0.5, 0.125, 0.25].iter().map(|p| p.ln()).collect();
    let all = mask(4, 0..4);
    let cases = [
        (0.01, &[1][..]),
        (0.49, &[1]),
        (0.51, &[1, 3]),
        (0.74, &[1, 3]),
        (0.76, &[0, 1, 3]),
        (0.88, &[0, 1, 2, 3]),
        (1.0, &[0, 1, 2, 3]),
    ];
    for (top_p, expected) in cases {
        let settings = Sampling { top_p, ..Sampling::default() };
        assert_eq!(support(settings, &logits, &all), expected, "top_p {top_p}");
    }
}

#[test]
fn the_filters_come_in_the_stated_order() {
    // Probabilities 0.4, 0.2, 0.2, 0.2.
    let logits: Vec<f32> = [0.4_f32, 0.2, 0.2, 0.2].iter().map(|p| p.ln()).collect();
    let all = mask(4, 0..4);
    // Top-k first: token 0 has 2/3 of what is left and reaches the share alone. By shares of all it would not.
    let settings = Sampling { top_k: 2, top_p: 0.6, ..Sampling::default() };
    assert_eq!(support(settings, &logits, &all), [0]);
    // The mask before all: token 0 is gone, so two of the others are kept.
    assert_eq!(support(settings, &logits, &mask(4, 1..4)), [1, 2]);
    // Temperature before top-p: flattened, one token no longer reaches the share.
    let flat = Sampling { temperature: 100.0, ..settings };
    assert_eq!(support(flat, &logits, &all), [0, 1]);
}

#[test]
fn draws_follow_the_distribution() {
    let logits = [0.0, 1.0, -1.0, 0.5, 7.0, 2.0, 0.25];
    let allowed = mask(7, [0, 1, 2, 3, 5, 6]);
    for (temperature, seed) in [(0.5, 1), (1.0, 2), (2.0, 3)] {
        let settings = Sampling { temperature, seed, ..Sampling::default() };
        let counts = counts(settings, &logits, &allowed, 40_000);
        assert_eq!(counts[4], 0);
        let weight = |token: usize| f64::from(logits[token] / temperature).exp();
        let total: f64 = bitmask::iter(allowed.row(0)).map(|token| weight(token.index())).sum();
        let chi_square: f64 = bitmask::iter(allowed.row(0))
            .map(|token| {
                let expected = 40_000.0 * weight(token.index()) / total;
                (f64::from(counts[token.index()]) - expected).powi(2) / expected
            })
            .sum();
        // 5 degrees of freedom: one in a thousand lies above 20.5.
        assert!(chi_square < 20.5, "temperature {temperature}, seed {seed}: {chi_square}");
    }
}

#[test]
fn a_step_is_the_same_whatever_came_before_it() {
    let logits: Vec<f32> = (0..100_u8).map(|i| f32::from(i % 7)).collect();
    let all = mask(100, 0..100);
    let settings = Sampling { seed: 42, ..Sampling::default() };
    let mut counting = sampler(settings);
    let sequence: Vec<_> = (0..50).map(|_| counting.sample(&logits, all.row(0))).collect();
    let mut other = sampler(settings);
    for step in (0..50).rev() {
        // Another row in between leaves no trace.
        other.sample_at(step, &logits[..9], &[0b1_1000]);
        let token = other.sample_at(step, &logits, all.row(0));
        assert_eq!(token, sequence[usize::try_from(step).unwrap()]);
    }
    assert_eq!(other.sample(&logits, all.row(0)), sequence[0], "sample_at does not count");
    let mut reseeded = sampler(Sampling { seed: 43, ..settings });
    assert!((0..50).any(|i| reseeded.sample(&logits, all.row(0)) != sequence[i]));
}

#[test]
fn a_filter_that_drops_nothing_changes_no_draw() {
    let logits: Vec<f32> = (0..100_u8).map(|i| f32::from(i % 7)).collect();
    let all = mask(100, 0..100);
    let plain = counts(Sampling::default(), &logits, &all, 500);
    for settings in [
        Sampling { top_k: 100, ..Sampling::default() },
        Sampling { top_k: usize::MAX, ..Sampling::default() },
        Sampling { top_p: 0.999_999_9, ..Sampling::default() },
    ] {
        assert_eq!(counts(settings, &logits, &all, 500), plain, "{settings:?}");
    }
}

#[test]
fn settings_outside_their_range_are_refused() {
    for temperature in [-0.1, f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let error = Sampler::new(Sampling { temperature, ..Sampling::default() }).unwrap_err();
        assert!(matches!(error, SamplingError::Temperature { .. }), "{error}");
    }
    for top_p in [0.0, -1.0, 1.5, f32::NAN, f32::INFINITY] {
        let error = Sampler::new(Sampling { top_p, ..Sampling::default() }).unwrap_err();
        assert!(matches!(error, SamplingError::TopP { .. }), "{error}");
    }
    let error = Sampler::new(Sampling { temperature: -0.5, ..Sampling::default() }).unwrap_err();
    assert_eq!(
        error.to_string(),
        "temperature -0.5 is outside its range: give a finite number of at least 0"
    );
}
