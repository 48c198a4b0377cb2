//! Means and percentiles of timings.

use serde::Serialize;

/// The timings of one kind of call, in nanoseconds.
#[derive(Clone, Default)]
pub(crate) struct Samples(Vec<u64>);

/// What is reported of [`Samples`], in microseconds. All zero when there are none.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub(crate) struct Summary {
    pub(crate) mean: f64,
    pub(crate) p50: f64,
    pub(crate) p90: f64,
    pub(crate) p95: f64,
    pub(crate) p99: f64,
    pub(crate) p999: f64,
    /// Printed beside the others; the JSON layout has no place for it.
    #[serde(skip)]
    pub(crate) p9999: f64,
    pub(crate) max: f64,
}

impl Samples {
    pub(crate) fn push(&mut self, nanoseconds: u64) {
        self.0.push(nanoseconds);
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn append(&mut self, other: &mut Self) {
        self.0.append(&mut other.0);
    }

    /// Takes the calls shorter than `limit_ns` together: each counts as their mean less `overhead_ns`, what reading the
    /// clock adds. Single readings that short are mostly the clock's own grain.
    pub(crate) fn pool_below(&mut self, limit_ns: u64, overhead_ns: u64) {
        let short = self.0.iter().filter(|taken| **taken < limit_ns);
        let (count, sum) = short.fold((0_u64, 0_u64), |(count, sum), taken| (count + 1, sum + taken));
        if count == 0 {
            return;
        }
        let mean = (sum + count / 2) / count;
        let pooled = mean.saturating_sub(overhead_ns);
        for taken in self.0.iter_mut().filter(|taken| **taken < limit_ns) {
            *taken = pooled;
        }
    }

    /// Which part of the samples is above a time. Sorts the samples.
    pub(crate) fn part_above(&mut self, ns: f64) -> f64 {
        if !self.0.is_sorted() {
            self.0.sort_unstable();
        }
        let above = self.0.len() - self.0.partition_point(|&taken| taken as f64 <= ns);
        above as f64 / self.0.len().max(1) as f64
    }

    /// Mean, percentiles and maximum. Sorts the samples.
    pub(crate) fn summary(&mut self) -> Summary {
        if self.0.is_empty() {
            return Summary::default();
        }
        self.0.sort_unstable();
        let sum: u128 = self.0.iter().copied().map(u128::from).sum();
        let at = |per_myriad| microseconds(percentile(&self.0, per_myriad));
        Summary {
            mean: sum as f64 / self.0.len() as f64 / 1e3,
            p50: at(5_000),
            p90: at(9_000),
            p95: at(9_500),
            p99: at(9_900),
            p999: at(9_990),
            p9999: at(9_999),
            max: at(10_000),
        }
    }
}

/// The smallest sample that at least `per_myriad`/10,000 of all do not exceed (nearest rank, no interpolation).
///
/// `sorted` is ascending and not empty.
fn percentile(sorted: &[u64], per_myriad: usize) -> u64 {
    let rank = (sorted.len() * per_myriad).div_ceil(10_000);
    sorted[rank.max(1) - 1]
}

fn microseconds(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / 1e3
}

#[cfg(test)]
mod tests {
    use super::{Samples, Summary, percentile};

    #[test]
    fn percentiles_are_the_nearest_rank() {
        let hundred: Vec<u64> = (1..=100).collect();
        for (per_myriad, expected) in
            [(0, 1), (100, 1), (101, 2), (5_000, 50), (9_900, 99), (9_901, 100), (9_990, 100), (10_000, 100)]
        {
            assert_eq!(percentile(&hundred, per_myriad), expected, "{per_myriad}");
        }
        assert_eq!(percentile(&[7], 1), 7);
        assert_eq!(percentile(&[7], 10_000), 7);
        assert_eq!(percentile(&[1, 9], 5_000), 1);
        assert_eq!(percentile(&[1, 9], 5_001), 9);
    }

    #[test]
    fn a_summary_is_in_microseconds_whatever_the_order_of_samples() {
        let mut samples = Samples(vec![4_000, 1_000, 2_000, 3_000]);
        let summary = samples.summary();
        assert_eq!(summary.mean, 2.5);
        assert_eq!((summary.p50, summary.p90, summary.max), (2.0, 4.0, 4.0));
        assert_eq!(Samples::default().summary(), Summary::default());
    }

    #[test]
    fn short_calls_share_their_mean_and_long_ones_keep_their_own() {
        let mut samples = Samples(vec![100, 5_000, 300, 1_000, 200]);
        samples.pool_below(1_000, 20);
        assert_eq!(samples.0, [180, 5_000, 180, 1_000, 180]);
        let mut free = Samples(vec![10, 10]);
        free.pool_below(1_000, 20);
        assert_eq!(free.0, [0, 0]);
        let mut long = Samples(vec![2_000]);
        long.pool_below(1_000, 20);
        assert_eq!(long.0, [2_000]);
    }
}
