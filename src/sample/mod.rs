//! Sampling on the CPU: a row of logits and a row of mask bits in, one allowed token out.
//!
//! The order of operations is fixed: **mask, temperature, top-k, top-p, draw**. Each filter works on what the one
//! before it left. All decisions that could tie are made by logit, then by lowest id, so they never depend on how a
//! row is split or sorted.
//!
//! Random numbers are counter-based ([`philox`]): the draw of step `n` is a function of seed and `n` alone. Two
//! requests with one seed agree whatever ran beside them, and a step that is taken back and sampled again is the same
//! step. Weights are computed in `f64` with the standard library's `exp`, whose last bit depends on the platform: a
//! draw that falls on the very border between two tokens may too.
//!
//! Invariant: a token whose bit is 0 is never returned, whatever the logits are.

pub mod philox;

use crate::bitmask;
use crate::error::SamplingError;
use crate::index::TokenId;

/// How to choose among the allowed tokens.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sampling {
    /// Divides the logits; 0 chooses the greatest one. At least 0 and finite.
    pub temperature: f32,
    /// Keeps so many of the greatest logits; 0 keeps all.
    pub top_k: usize,
    /// Keeps the fewest most probable tokens whose share of the mass reaches this; 1 keeps all. Above 0, at most 1.
    pub top_p: f32,
    /// Key of the random numbers.
    pub seed: u64,
}

/// The model's own distribution: temperature 1, no filters, seed 0.
impl Default for Sampling {
    fn default() -> Self {
        Self { temperature: 1.0, top_k: 0, top_p: 1.0, seed: 0 }
    }
}

impl Sampling {
    /// Always the greatest logit.
    #[must_use]
    pub fn greedy() -> Self {
        Self { temperature: 0.0, ..Self::default() }
    }
}

/// Chooses tokens by fixed settings; keeps its working memory, 16 bytes an allowed token, between steps.
///
/// ```
/// use maskwright::Bitmask;
/// use maskwright::sample::{Sampler, Sampling};
///
/// let mut mask = Bitmask::new(&5);
/// mask.set(1);
/// mask.set(4);
/// let logits = [9.0, 0.5, 9.0, 9.0, 1.5];
///
/// let mut greedy = Sampler::new(Sampling::greedy())?;
/// assert_eq!(greedy.sample(&logits, mask.row(0)).map(|token| token.0), Some(4));
///
/// let mut sampler = Sampler::new(Sampling { temperature: 0.8, seed: 7, ..Sampling::default() })?;
/// let token = sampler.sample(&logits, mask.row(0)).expect("the mask is not empty");
/// assert!(mask.contains(token));
/// # Ok::<(), maskwright::error::SamplingError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Sampler {
    settings: Sampling,
    /// Number of the next step.
    step: u64,
    candidates: Vec<Candidate>,
}

/// An allowed token.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Candidate {
    token: TokenId,
    /// Never NaN, never −0.
    logit: f32,
    /// Its probability times an unknown common factor; the greatest one is 1.
    weight: f64,
}

impl Sampler {
    /// A sampler at step 0.
    ///
    /// # Errors
    /// If a setting is outside the range that [`Sampling`] states.
    pub fn new(settings: Sampling) -> Result<Self, SamplingError> {
        let Sampling { temperature, top_p, .. } = settings;
        if !(temperature >= 0.0 && temperature.is_finite()) {
            return Err(SamplingError::Temperature { found: temperature });
        }
        if !(top_p > 0.0 && top_p <= 1.0) {
            return Err(SamplingError::TopP { found: top_p });
        }
        Ok(Self { settings, step: 0, candidates: Vec::new() })
    }

    /// Chooses a token for the next step: the number of steps is the number of calls so far.
    ///
    /// `None` if no token is allowed. NaN counts as −∞; if every allowed logit is −∞, the lowest allowed id is
    /// chosen. Ids past the end of either slice are not allowed. O(allowed tokens), times a logarithm under top-p.
    pub fn sample(&mut self, logits: &[f32], mask_row: &[u32]) -> Option<TokenId> {
        let step = self.step;
        self.step = step.wrapping_add(1);
        self.sample_at(step, logits, mask_row)
    }

    /// Chooses a token for a given step, such as the number of tokens committed, and leaves the count of
    /// [`sample`](Self::sample) alone: what a caller that rolls back wants.
    pub fn sample_at(&mut self, step: u64, logits: &[f32], mask_row: &[u32]) -> Option<TokenId> {
        let greatest = arg_max(logits, mask_row)?;
        let max = clean(logits[greatest.index()]);
        if self.settings.temperature == 0.0 || max == f32::NEG_INFINITY {
            return Some(greatest);
        }
        self.candidates.clear();
        self.candidates.extend(allowed(logits, mask_row).map(|(token, logit)| Candidate {
            token,
            logit,
            weight: 0.0,
        }));
        keep_top_k(&mut self.candidates, self.settings.top_k);
        weigh(&mut self.candidates, max, self.settings.temperature);
        keep_top_p(&mut self.candidates, self.settings.top_p);
        draw(&self.candidates, philox::uniform(self.settings.seed, step))
    }
}

/// The allowed token of the greatest logit, the lowest id among equals; `None` if no token is allowed.
///
/// NaN counts as −∞. Ids past the end of either slice are not allowed.
#[must_use]
pub fn arg_max(logits: &[f32], mask_row: &[u32]) -> Option<TokenId> {
    allowed(logits, mask_row)
        .reduce(|best, next| if next.1 > best.1 { next } else { best })
        .map(|(token, _)| token)
}

/// Allowed tokens and their logits, by id.
fn allowed<'a>(logits: &'a [f32], mask_row: &'a [u32]) -> impl Iterator<Item = (TokenId, f32)> + 'a {
    bitmask::iter(mask_row).map_while(|token| Some((token, clean(*logits.get(token.index())?))))
}

/// A logit that can be compared: NaN becomes −∞, and −0 becomes 0, so that equal ones tie.
fn clean(logit: f32) -> f32 {
    if logit.is_nan() { f32::NEG_INFINITY } else { logit + 0.0 }
}

/// Keeps the `k` greatest, lowest ids first among equals; 0 keeps all. Leaves them sorted by id.
fn keep_top_k(candidates: &mut Vec<Candidate>, k: usize) {
    if k == 0 || k >= candidates.len() {
        return;
    }
    candidates.select_nth_unstable_by(k - 1, by_rank);
    candidates.truncate(k);
    candidates.sort_unstable_by_key(|candidate| candidate.token);
}

/// Computes the weights; `max` is the greatest logit, and not −∞.
fn weigh(candidates: &mut [Candidate], max: f32, temperature: f32) {
    for candidate in candidates {
        // Equal ones are told apart first: ∞ − ∞ is no number.
        candidate.weight = if candidate.logit == max {
            1.0
        } else {
            ((f64::from(candidate.logit) - f64::from(max)) / f64::from(temperature)).exp()
        };
    }
}

/// Keeps the fewest most probable whose weight reaches the share `p` of all, at least one; 1 keeps all. Takes and
/// leaves them sorted by id.
fn keep_top_p(candidates: &mut Vec<Candidate>, p: f32) {
    if p >= 1.0 {
        return;
    }
    candidates.sort_unstable_by(by_rank);
    let total: f64 = candidates.iter().map(|candidate| candidate.weight).sum();
    let enough = f64::from(p) * total;
    let mut mass = 0.0;
    let reached = candidates.iter().position(|candidate| {
        mass += candidate.weight;
        mass >= enough
    });
    candidates.truncate(reached.map_or(candidates.len(), |last| last + 1));
    candidates.sort_unstable_by_key(|candidate| candidate.token);
}

/// Most probable first, lowest id first among equals.
fn by_rank(a: &Candidate, b: &Candidate) -> std::cmp::Ordering {
    b.logit.total_cmp(&a.logit).then(a.token.cmp(&b.token))
}

/// The candidate in whose part of the weights, laid end to end, the share `uniform` in [0, 1) falls. One without
/// weight is never chosen; the greatest weight is 1, so there is one with.
fn draw(candidates: &[Candidate], uniform: f64) -> Option<TokenId> {
    let total: f64 = candidates.iter().map(|candidate| candidate.weight).sum();
    let target = uniform * total;
    let mut mass = 0.0;
    let mut chosen = None;
    for candidate in candidates.iter().filter(|candidate| candidate.weight > 0.0) {
        chosen = Some(candidate.token);
        mass += candidate.weight;
        if mass > target {
            break;
        }
    }
    chosen
}

#[cfg(test)]
mod tests;
