//! Hand-written verdicts: the twin is trusted because of these, not because it agrees with something else.

mod containers;
mod scalars;

use super::{Bytes, Search, Twin};
use maskwright::{SurfacePolicy, Whitespace};

/// What a text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Is {
    /// A document (and so a prefix).
    Document,
    /// The beginning of one only.
    Prefix,
    /// Neither.
    Dead,
}
use Is::{Dead, Document, Prefix};

fn verdict(twin: &Twin, text: &[u8]) -> Is {
    let is_prefix = twin.is_prefix(text).expect("small");
    match (twin.is_complete(text), is_prefix) {
        (true, true) => Document,
        (false, true) => Prefix,
        (false, false) => Dead,
        (true, false) => panic!("{} is complete but no prefix", String::from_utf8_lossy(text)),
    }
}

fn check_over(bytes: &Bytes, policy: SurfacePolicy, schema: &serde_json::Value, cases: &[(&str, Is)]) {
    for search in [Search::Monotone, Search::Exhaustive] {
        let twin = Twin::with_search(schema, policy, bytes.clone(), search).expect("supported");
        for &(text, expected) in cases {
            assert_eq!(verdict(&twin, text.as_bytes()), expected, "{schema} {policy:?} {search:?}: {text:?}");
        }
    }
}

fn check(schema: &serde_json::Value, cases: &[(&str, Is)]) {
    check_over(&Bytes::all(), SurfacePolicy::default(), schema, cases);
}

fn policy(whitespace: Whitespace) -> SurfacePolicy {
    SurfacePolicy { whitespace, ..SurfacePolicy::default() }
}
