//! Times single calls on one pinned thread, in nanoseconds of CPU time.
//!
//! Reading the thread's CPU clock is a system call (about 500 ns here), far longer than the calls to be timed; reading
//! the wall clock costs about 20 ns. So every call is timed on the wall, and only one that took longer than
//! [`SLOW_NS`] is corrected: the time that the thread was off the CPU since the last check is taken away. What is left
//! in a tail is work, not the scheduler's.

use std::time::{Duration, Instant};

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use rustix::time::{ClockId, Timespec, clock_gettime};

/// Calls at least this long on the wall are corrected by the CPU clock.
pub(crate) const SLOW_NS: u64 = 20_000;

/// Times calls of the thread that made it.
pub(crate) struct Stopwatch {
    wall: Instant,
    cpu: Duration,
}

impl Stopwatch {
    /// A stopwatch for the current thread.
    pub(crate) fn new() -> Self {
        Self { wall: Instant::now(), cpu: cpu(ClockId::ThreadCPUTime) }
    }

    /// Forgets the time off the CPU until now, so that no call is corrected by it.
    pub(crate) fn settle(&mut self) {
        *self = Self::new();
    }

    /// Runs `work`; its result, and the nanoseconds it took.
    #[inline]
    pub(crate) fn time<T>(&mut self, work: impl FnOnce() -> T) -> (T, u64) {
        let begin = Instant::now();
        let result = work();
        let taken = nanoseconds(begin.elapsed());
        if taken < SLOW_NS { (result, taken) } else { (result, self.correct(taken)) }
    }

    /// Takes away the time off the CPU since the last check.
    #[cold]
    fn correct(&mut self, taken: u64) -> u64 {
        let last = std::mem::replace(self, Self::new());
        let idle = (self.wall - last.wall).saturating_sub(self.cpu - last.cpu);
        taken.saturating_sub(nanoseconds(idle))
    }
}

/// CPU time of this process that other threads spent, between its making and a question.
pub(crate) struct OtherThreads {
    process: Duration,
    thread: Duration,
}

impl OtherThreads {
    pub(crate) fn new() -> Self {
        Self { process: cpu(ClockId::ProcessCPUTime), thread: cpu(ClockId::ThreadCPUTime) }
    }

    /// The part of all CPU time spent until now that was not this thread's, from 0 to 1. What it is, no figure counts.
    pub(crate) fn share(&self) -> f64 {
        let now = Self::new();
        let (process, thread) = (now.process - self.process, now.thread - self.thread);
        process.saturating_sub(thread).as_secs_f64() / process.as_secs_f64().max(f64::MIN_POSITIVE)
    }
}

/// What an empty pair of clock readings reads, in nanoseconds: the median of many.
pub(crate) fn empty_pair_ns() -> u64 {
    let mut readings: Vec<u64> = (0..10_001).map(|_| nanoseconds(Instant::now().elapsed())).collect();
    readings.sort_unstable();
    readings[readings.len() / 2]
}

/// Pins the current thread, and the threads and processes that it will start, to the last core that it may run on.
///
/// # Errors
/// Gives the system's reason.
pub(crate) fn pin() -> Result<usize, String> {
    let allowed = sched_getaffinity(None).map_err(|e| e.to_string())?;
    let core = (0..CpuSet::MAX_CPU).rev().find(|core| allowed.is_set(*core)).ok_or("no core is allowed")?;
    let mut only = CpuSet::new();
    only.set(core);
    sched_setaffinity(None, &only).map_err(|e| e.to_string())?;
    Ok(core)
}

fn cpu(clock: ClockId) -> Duration {
    let Timespec { tv_sec, tv_nsec } = clock_gettime(clock);
    let seconds = u64::try_from(tv_sec).expect("CPU time counts up from zero");
    let nanos = u32::try_from(tv_nsec).expect("a second has 10^9 nanoseconds");
    Duration::new(seconds, nanos)
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{OtherThreads, SLOW_NS, Stopwatch};

    #[test]
    fn work_of_other_threads_shows() {
        let others = OtherThreads::new();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut watch = Stopwatch::new();
                let mut worked = 0;
                while worked < 5_000_000 {
                    worked += watch.time(std::thread::yield_now).1.max(1);
                }
            });
        });
        assert!(others.share() > 0.5, "{}", others.share());
    }

    #[test]
    fn sleep_is_not_counted_and_work_is() {
        let mut stopwatch = Stopwatch::new();
        let ((), slept) = stopwatch.time(|| std::thread::sleep(Duration::from_millis(50)));
        assert!(slept < 25_000_000, "slept {slept} ns of CPU time");
        let ((), worked) = stopwatch.time(|| {
            let mut watch = Stopwatch::new();
            let mut left = 5_000_000;
            while left > 0 {
                let ((), spun) = watch.time(|| {
                    let begin = Instant::now();
                    while begin.elapsed() < Duration::from_micros(100) {}
                });
                left -= i64::try_from(spun.max(1)).unwrap();
            }
        });
        assert!(worked >= 4_000_000, "worked {worked} ns of CPU time, more than {SLOW_NS}");
    }
}
