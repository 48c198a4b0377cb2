//! Hermes, and Qwen 2.5 and 3: a JSON object between markers.
//!
//! ```text
//! <tool_call>
//! {"name": "get_weather", "arguments": {"city": "Oslo"}}
//! </tool_call>
//! ```
//!
//! Relied on: the chat templates write a line for each marker and for the object, a call directly behind the text and a newline
//! between calls. Qwen's vocabularies list both markers as added tokens; those of Hermes spell them by ordinary ones.

use crate::error::CompileError;
use crate::grammar::regex::Regex;
use crate::index::ExprId;
use crate::syntax::tags::tools::calls::{Between, Calls};

pub(super) const TOKENS: [&str; 2] = ["<tool_call>", "</tool_call>"];

pub(super) fn answers(calls: &mut Calls<'_>) -> Result<ExprId, CompileError> {
    let [lead, close] = TOKENS;
    let newline = calls.builder.regex(Regex::literal("\n").optional());
    let (object, close) = (calls.json_object("arguments"), calls.marker(close));
    let group = calls.builder.sequence([newline, object, newline, close]);
    Ok(calls.answers(lead, group, Between::Text(Regex::literal("\n").optional())))
}
