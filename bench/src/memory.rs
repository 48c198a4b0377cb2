//! Peak memory of an engine: the same traces in a process that runs that engine alone.
//!
//! The parent starts itself again with a hidden command and writes it the traces, one JSON line a schema, so that the
//! child holds one schema at a time and neither the tokenizer nor the other documents. The child's high-water mark is
//! set back once its engine is built: reading the tokenizer file is not counted, the vocabulary that stays is.

use std::fs;
use std::io::{BufRead, BufWriter, Write, stdin};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::engine::{Engine, EngineName};
use crate::maskbench::{Sharing, run_one};
use crate::trace::Trace;

/// Name of the hidden command.
pub(crate) const COMMAND: &str = "measure-memory";

/// The largest resident size of a process that runs `engine` alone over the traces, in bytes.
///
/// # Errors
/// Says what went wrong with the child.
pub(crate) fn peak_rss_bytes(
    engine: EngineName,
    tokenizer: &Path,
    budget: Option<usize>,
    traces: &[Trace],
    sharing: Sharing,
) -> Result<u64, String> {
    let fault = |e: &dyn std::fmt::Display| format!("measuring the memory of {}: {e}", engine.as_str());
    let mut command = Command::new(std::env::current_exe().map_err(|e| fault(&e))?);
    command.arg(COMMAND).arg("--engine").arg(engine.as_str()).arg("--tokenizer").arg(tokenizer);
    if sharing == Sharing::Isolated {
        command.arg("--isolate");
    }
    if let Some(budget) = budget {
        command.arg("--budget").arg(budget.to_string());
    }
    let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = spawned.map_err(|e| fault(&e))?;
    let mut pipe = BufWriter::new(child.stdin.take().expect("stdin was piped"));
    // A child that died early breaks the pipe; its exit status says more.
    let sent = traces.iter().try_for_each(|trace| {
        serde_json::to_writer(&mut pipe, trace)?;
        pipe.write_all(b"\n")
    });
    drop(pipe);
    let output = child.wait_with_output().map_err(|e| fault(&e))?;
    if !output.status.success() {
        return Err(fault(&output.status));
    }
    sent.map_err(|e| fault(&e))?;
    let printed = String::from_utf8_lossy(&output.stdout);
    printed.trim().parse().map_err(|_| fault(&format!("the child printed {printed:?}")))
}

/// The child: runs the traces of standard input and prints its peak in bytes.
///
/// # Errors
/// Says which line is no trace, or what the system does not tell.
pub(crate) fn measure(engine: &mut dyn Engine, sharing: Sharing) -> Result<(), String> {
    // Not every kernel lets a process do this; the mark then includes reading the tokenizer file.
    let _ = fs::write("/proc/self/clear_refs", "5");
    for line in stdin().lock().lines() {
        let line = line.map_err(|e| e.to_string())?;
        let trace: Trace = serde_json::from_str(&line).map_err(|e| e.to_string())?;
        run_one(engine, &trace, sharing);
    }
    let status = fs::read_to_string("/proc/self/status").map_err(|e| e.to_string())?;
    let peak = high_water_mark_bytes(&status).ok_or("/proc/self/status has no VmHWM")?;
    println!("{peak}");
    Ok(())
}

fn high_water_mark_bytes(status: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(test)]
mod tests {
    use super::high_water_mark_bytes;

    #[test]
    fn the_mark_is_read_in_kibibytes() {
        assert_eq!(
            high_water_mark_bytes("Name:\tx\nVmHWM:\t    2264 kB\nVmRSS:\t 1 kB\n"),
            Some(2264 * 1024)
        );
        assert_eq!(high_water_mark_bytes("VmRSS:\t 1 kB\n"), None);
    }
}
