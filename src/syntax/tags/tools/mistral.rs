//! Mistral: a marker and a list of calls, or a marker before each call.
//!
//! ```text
//! tokenizers v3 to v7:  [TOOL_CALLS][{"name": "get_weather", "arguments": {"city": "Oslo"}}, {...}]
//! tokenizers v11 on:    [TOOL_CALLS]get_weather[ARGS]{"city": "Oslo"}[TOOL_CALLS]...
//! ```
//!
//! Relied on: both markers are control tokens; the list is JSON with a comma and a blank between calls, perhaps a blank
//! before it; nothing follows the calls.

use crate::error::CompileError;
use crate::grammar::regex::Regex;
use crate::index::ExprId;
use crate::syntax::tags::tools::ToolFamily;
use crate::syntax::tags::tools::calls::{Between, Calls};

pub(super) const TOKENS: [&str; 1] = ["[TOOL_CALLS]"];
pub(super) const TOKENS_V11: [&str; 2] = ["[TOOL_CALLS]", "[ARGS]"];

pub(super) fn answers(calls: &mut Calls<'_>) -> Result<ExprId, CompileError> {
    let [lead, arguments] = TOKENS_V11;
    if calls.family == ToolFamily::MistralV11 {
        let arguments = calls.marker(arguments);
        let call = calls.json_call(&[arguments]);
        let again = calls.marker(lead);
        // The first marker is read with the free text before it.
        let next = calls.builder.sequence([again, call]);
        let group = match calls.parallel {
            super::Parallel::One => call,
            super::Parallel::Many => {
                let more = calls.builder.repeat(next, 0, None);
                calls.builder.sequence([call, more])
            }
        };
        return Ok(calls.answers(lead, group, Between::Nothing));
    }
    let blanks = calls.blanks();
    let object = calls.json_object("arguments");
    let all = calls.list(object, Regex::literal(",").then(blanks.clone()));
    let open = calls.builder.regex(Regex::concat([
        Regex::literal(" ").optional(),
        Regex::literal("["),
        blanks.clone(),
    ]));
    let close = calls.builder.regex(blanks.then(Regex::literal("]")));
    let group = calls.builder.sequence([open, all, close]);
    Ok(calls.answers(lead, group, Between::Nothing))
}
