//! Prints what a run found: a table for people, JSON for programs, and the documents behind the faults.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::maskbench::{Fault, Slowest, Tally, Verdict};
use crate::stats::Summary;
use crate::tokenizer::TokenTable;
use crate::trace::Trace;

/// Bytes of a document shown before and after the token at fault.
const CONTEXT_BYTES: (usize, usize) = (80, 40);
/// Bytes shown of an invalid document that was accepted.
const ACCEPTED_BYTES: usize = 300;
/// Reasons of refusal that the table lists.
const REASONS_SHOWN: usize = 25;

type SummaryOf = fn(&EngineReport) -> Summary;
type FigureOf = fn(Summary) -> f64;
/// The three kinds of call that are timed.
const SUMMARIES: [(&str, SummaryOf); 3] =
    [("first mask", |e| e.ttfm_us), ("mask fill", |e| e.mask_us), ("commit", |e| e.commit_us)];
/// The figures of each kind.
const FIGURES: [(&str, FigureOf); 8] = [
    ("mean", |s| s.mean),
    ("p50", |s| s.p50),
    ("p90", |s| s.p90),
    ("p95", |s| s.p95),
    ("p99", |s| s.p99),
    ("p99.9", |s| s.p999),
    ("p99.99", |s| s.p9999),
    ("max", |s| s.max),
];

/// One engine's figures, in the order and under the names of the JSON layout.
#[derive(Serialize)]
pub(crate) struct EngineReport {
    pub(crate) engine: &'static str,
    pub(crate) schemas: usize,
    pub(crate) refused: usize,
    pub(crate) refusals: BTreeMap<String, usize>,
    pub(crate) valid_rejected: usize,
    pub(crate) policy_rejected: usize,
    pub(crate) invalid_accepted: usize,
    pub(crate) tokens: usize,
    /// `null` when it was not measured.
    pub(crate) peak_rss_bytes: Option<u64>,
    pub(crate) ttfm_us: Summary,
    pub(crate) mask_us: Summary,
    pub(crate) commit_us: Summary,
    /// Samples behind the three summaries.
    #[serde(skip)]
    pub(crate) timed: [usize; 3],
    /// Why valid documents were rejected, counted.
    #[serde(skip)]
    pub(crate) causes: BTreeMap<&'static str, usize>,
}

/// The whole JSON layout.
#[derive(Serialize)]
pub(crate) struct Report {
    pub(crate) engines: Vec<EngineReport>,
}

/// A row of the table: its label and a figure of each engine.
struct Row {
    label: String,
    /// Not a number where nothing was measured.
    figures: Vec<f64>,
    decimals: usize,
    /// Whether the ratio of two engines says something.
    compares: bool,
}

impl Report {
    /// Prints the table.
    pub(crate) fn print(&self) {
        let names: Vec<&str> = self.engines.iter().map(|engine| engine.engine).collect();
        let ratio = names
            .iter()
            .position(|name| *name == "llguidance")
            .zip(names.iter().position(|name| *name == "maskwright"));
        print!("{:<24}", "");
        for name in &names {
            print!("{name:>14}");
        }
        println!("{}", if ratio.is_some() { "  llguidance/maskwright" } else { "" });
        for row in self.rows() {
            print!("{:<24}", row.label);
            for figure in &row.figures {
                if figure.is_nan() { print!("{:>14}", "-") } else { print!("{figure:>14.0$}", row.decimals) }
            }
            if let (Some((peer, ours)), true) = (ratio, row.compares) {
                let (peer, ours) = (row.figures[peer], row.figures[ours]);
                if ours > 0.0 { print!("{:>23.2}", peer / ours) } else { print!("{:>23}", "-") }
            }
            println!();
        }
        for engine in &self.engines {
            engine.print_counts();
        }
    }

    fn rows(&self) -> Vec<Row> {
        let mut rows = vec![
            self.counts("schemas", false, |e| e.schemas),
            self.counts("refused", true, |e| e.refused),
            self.counts("valid rejected", false, |e| e.valid_rejected),
            self.counts("  of these by policy", false, |e| e.policy_rejected),
            self.counts("invalid accepted", false, |e| e.invalid_accepted),
            self.counts("tokens", false, |e| e.tokens),
            self.figures("peak memory, MB", 1, |e| {
                e.peak_rss_bytes.map_or(f64::NAN, |bytes| bytes as f64 / 1e6)
            }),
        ];
        for (place, (group, summary)) in SUMMARIES.into_iter().enumerate() {
            rows.push(self.counts(&format!("{group}: timed"), false, |e| e.timed[place]));
            for (point, value) in FIGURES {
                rows.push(self.figures(&format!("{group} µs, {point}"), 3, |e| value(summary(e))));
            }
        }
        rows
    }

    fn counts(&self, label: &str, compares: bool, value: impl Fn(&EngineReport) -> usize) -> Row {
        let figures = self.engines.iter().map(|engine| value(engine) as f64).collect();
        Row { label: label.to_owned(), figures, decimals: 0, compares }
    }

    fn figures(&self, label: &str, decimals: usize, value: impl Fn(&EngineReport) -> f64) -> Row {
        Row {
            label: label.to_owned(),
            figures: self.engines.iter().map(value).collect(),
            decimals,
            compares: true,
        }
    }
}

impl EngineReport {
    /// The figures of one engine, its memory and the causes aside.
    pub(crate) fn new(tally: &mut Tally) -> Self {
        Self {
            engine: tally.engine.as_str(),
            schemas: tally.schemas,
            refused: tally.refused(),
            refusals: tally.refusals.clone(),
            valid_rejected: tally.valid_rejected.len(),
            policy_rejected: 0,
            invalid_accepted: tally.invalid_accepted.len(),
            tokens: tally.tokens,
            peak_rss_bytes: None,
            timed: [tally.first_mask.len(), tally.fill.len(), tally.commit.len()],
            ttfm_us: tally.first_mask.summary(),
            mask_us: tally.fill.summary(),
            commit_us: tally.commit.summary(),
            causes: BTreeMap::new(),
        }
    }

    /// Prints why schemas were refused and why valid documents were rejected.
    fn print_counts(&self) {
        let mut reasons: Vec<(&str, usize)> =
            self.refusals.iter().map(|(reason, count)| (reason.as_str(), *count)).collect();
        reasons.sort_by_key(|(reason, count)| (std::cmp::Reverse(*count), *reason));
        if !reasons.is_empty() {
            println!("\n{}: refused {} of {}", self.engine, self.refused, self.schemas);
        }
        for (reason, count) in reasons.iter().take(REASONS_SHOWN) {
            println!("{count:>7}  {reason}");
        }
        if reasons.len() > REASONS_SHOWN {
            println!("         and {} more reasons", reasons.len() - REASONS_SHOWN);
        }
        if !self.causes.is_empty() {
            println!("\n{}: valid documents rejected, by cause", self.engine);
        }
        for (cause, count) in &self.causes {
            println!("{count:>7}  {cause}");
        }
    }
}

/// Prints up to `limit` faults of an engine with the token and the text around it.
pub(crate) fn print_faults(
    tally: &Tally,
    unexplained: &[Fault],
    traces: &[Trace],
    table: &TokenTable,
    limit: usize,
) {
    let lists =
        [("valid document rejected", unexplained), ("invalid document accepted", &tally.invalid_accepted)];
    for (what, faults) in lists {
        if faults.is_empty() || limit == 0 {
            continue;
        }
        println!("\n{}: {what}: {} documents", tally.engine.as_str(), faults.len());
        for fault in faults.iter().take(limit) {
            println!("  {}", describe(fault, traces, table));
        }
    }
}

/// Prints the `limit` schemas with the slowest first masks, then those with the slowest masks and where they were filled.
pub(crate) fn print_slowest(tally: &Tally, traces: &[Trace], table: &TokenTable, limit: usize) {
    if limit == 0 {
        return;
    }
    let by = |key: fn(&Slowest) -> u64| {
        let mut slowest = tally.slowest.clone();
        slowest.sort_by_key(|slow| std::cmp::Reverse(key(slow)));
        slowest.truncate(limit);
        slowest
    };
    println!("\n{}: slowest first masks, µs", tally.engine.as_str());
    for slow in by(|slow| slow.first_mask_ns) {
        println!("{:>12.1}  {}", slow.first_mask_ns as f64 / 1e3, traces[slow.trace].name);
    }
    println!("\n{}: slowest masks, µs", tally.engine.as_str());
    for slow in by(|slow| slow.fill_ns) {
        let trace = &traces[slow.trace];
        let Some(document) = trace.documents.get(slow.document) else { continue };
        let text = around(&document.tokens, slow.at, table);
        let (microseconds, number) = (slow.fill_ns as f64 / 1e3, document.number);
        println!("{microseconds:>12.1}  {} test {number} token {}: {text}", trace.name, slow.at);
    }
}

fn describe(fault: &Fault, traces: &[Trace], table: &TokenTable) -> String {
    let trace = &traces[fault.trace];
    let document = &trace.documents[fault.document];
    let name = format!("{} test {}", trace.name, document.number);
    let (at, what) = match fault.verdict {
        Verdict::Accepted => {
            let text = table.spell(&document.tokens);
            let start = &text[..text.len().min(ACCEPTED_BYTES)];
            return format!("{name}: {}", String::from_utf8_lossy(start));
        }
        Verdict::Rejected { at } => (at, "not allowed"),
        Verdict::Contradicted { at } => (at, "allowed by the mask, refused by the commit"),
        Verdict::Incomplete => (document.tokens.len(), "not complete at its end"),
    };
    let text = around(&document.tokens, at, table);
    format!("{name}: token {at} of {} {what}: {text}", document.tokens.len())
}

/// The text of the tokens before, at and after `at`; the one at `at` in guillemets.
fn around(tokens: &[u32], at: usize, table: &TokenTable) -> String {
    let (before, after) = CONTEXT_BYTES;
    let head = table.spell(&tokens[..at]);
    let here = tokens.get(at).map(|token| table.spell(&[*token])).unwrap_or_default();
    let tail = table.spell(tokens.get(at + 1..).unwrap_or_default());
    let left = &head[head.len().saturating_sub(before)..];
    let right = &tail[..tail.len().min(after)];
    format!(
        "{}«{}»{}",
        String::from_utf8_lossy(left),
        String::from_utf8_lossy(&here),
        String::from_utf8_lossy(right)
    )
}

#[cfg(test)]
mod tests {
    use super::{EngineReport, Report, around};
    use crate::engine::EngineName;
    use crate::maskbench::Tally;
    use crate::tokenizer::TokenTable;

    #[test]
    fn the_json_layout_is_what_programs_read() {
        let mut tally = Tally::new(EngineName::Maskwright);
        tally.refusals.insert("unsupported: not".to_owned(), 3);
        for taken in [1_000, 2_000] {
            tally.fill.push(taken);
        }
        let figures = EngineReport { peak_rss_bytes: Some(4_096), ..EngineReport::new(&mut tally) };
        let text = serde_json::to_string(&Report { engines: vec![figures] }).unwrap();
        let zeros = r#"{"mean":0.0,"p50":0.0,"p90":0.0,"p95":0.0,"p99":0.0,"p999":0.0,"max":0.0}"#;
        let expected = [
            r#"{"engines":[{"engine":"maskwright","schemas":0,"refused":3,"refusals":{"unsupported: not":3},"#,
            r#""valid_rejected":0,"policy_rejected":0,"invalid_accepted":0,"tokens":0,"peak_rss_bytes":4096,"#,
            r#""ttfm_us":"#,
            zeros,
            r#","mask_us":{"mean":1.5,"p50":1.0,"p90":2.0,"p95":2.0,"p99":2.0,"p999":2.0,"max":2.0},"commit_us":"#,
            zeros,
            "}]}",
        ];
        assert_eq!(text, expected.concat());
    }

    #[test]
    fn a_fault_shows_the_token_between_its_neighbours() {
        let table = TokenTable::from_texts(&["ab", "c", "d"]);
        assert_eq!(around(&[0, 1, 2, 0], 1, &table), "ab«c»dab");
        assert_eq!(around(&[0], 1, &table), "ab«»");
        assert_eq!(around(&[0; 100], 99, &table).len(), 80 + "«ab»".len());
    }
}
