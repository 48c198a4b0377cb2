//! gpt-oss: messages in channels.
//!
//! ```text
//! <|channel|>analysis<|message|>Let me look.<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Oslo"}<|call|>
//! <|channel|>final<|message|>It rains.
//! ```
//!
//! Relied on: the prompt ends with `<|start|>assistant`; the recipient stands behind the channel, or behind the role as in
//! `<|start|>assistant to=functions.get_weather<|channel|>commentary json<|message|>`; the type of the arguments stands behind
//! `<|constrain|>`, or alone, or is left out; each answer has any number of messages in the channels `analysis` and `commentary`, and then
//! one call or one message in the channel `final`. A turn has one call at most. `<|call|>` and `<|return|>` are stop tokens of the
//! vocabulary: as such they end the text and are no part of it. Where markers are written as text, `<|call|>` and `<|return|>` are
//! text too.

use crate::error::CompileError;
use crate::grammar::regex::Regex;
use crate::index::ExprId;
use crate::syntax::tags::free::Free;
use crate::syntax::tags::tools::calls::{Calls, Demand};

pub(super) const TOKENS: [&str; 5] = ["<|start|>", "<|channel|>", "<|constrain|>", "<|message|>", END];

const MARKERS: [&str; 4] = ["<|start|>", "<|channel|>", "<|constrain|>", "<|message|>"];
const END: &str = "<|end|>";
const CALL: &str = "<|call|>";
const RETURN: &str = "<|return|>";

pub(super) fn answers(calls: &mut Calls<'_>) -> Result<ExprId, CompileError> {
    let [start, channel, constrain, message] = MARKERS.map(|name| calls.marker(name));
    let spoken = calls.builder.regex(Regex::literals(["analysis", "commentary"]));
    let role = calls.text("assistant");
    let text = free(calls, END);
    let before = calls.builder.sequence([channel, spoken, message, text, start, role]);
    let before = calls.builder.repeat(before, 0, None);
    let mut last = Vec::new();
    if calls.demand != Demand::Never {
        let kind = kind(calls, constrain);
        let stop = stop(calls, CALL);
        let recipient = calls.text("commentary to=functions.");
        let call = calls.json_call(&[kind, message]);
        last.push(calls.builder.sequence([channel, recipient, call, stop]));
        let (recipient, commentary) = (calls.text(" to=functions."), calls.text("commentary"));
        let call = calls.json_call(&[channel, commentary, kind, message]);
        last.push(calls.builder.sequence([recipient, call, stop]));
    }
    if calls.demand != Demand::Surely {
        let name = calls.text("final");
        let text =
            if calls.uses_tokens() { calls.builder.regex(Regex::any_text()) } else { free(calls, RETURN) };
        last.push(calls.builder.sequence([channel, name, message, text]));
    }
    let last = calls.builder.choice(last);
    Ok(calls.builder.sequence([before, last]))
}

/// What says that the arguments are JSON, or nothing.
fn kind(calls: &mut Calls<'_>, constrain: ExprId) -> ExprId {
    let blank = calls.builder.regex(Regex::literal(" ").optional());
    let (json, alone) = (calls.text("json"), calls.text(" json"));
    let constrained = calls.builder.sequence([blank, constrain, json]);
    let nothing = calls.builder.sequence([]);
    calls.builder.choice([constrained, alone, nothing])
}

/// Free text up to and with a marker.
fn free(calls: &mut Calls<'_>, marker: &str) -> ExprId {
    if calls.uses_tokens() {
        let (text, marker) = (calls.builder.regex(Regex::any_text()), calls.marker(marker));
        return calls.builder.sequence([text, marker]);
    }
    let free = Free { ends: vec![marker], ..Free::default() };
    calls.builder.regex(free.to_end())
}

/// A stop token, where it is text.
fn stop(calls: &mut Calls<'_>, name: &str) -> ExprId {
    if calls.uses_tokens() { calls.builder.sequence([]) } else { calls.text(name) }
}
