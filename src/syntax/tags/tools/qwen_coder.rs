//! Qwen 3 Coder: parameters between markers.
//!
//! ```text
//! <tool_call>
//! <function=get_weather>
//! <parameter=city>
//! Oslo
//! </parameter>
//! </function>
//! </tool_call>
//! ```
//!
//! Relied on: the chat template writes a line for each marker and for each value; strings as they are, other values as JSON.
//! `<tool_call>` and `</tool_call>` are added tokens, the inner markers are text.

use crate::error::CompileError;
use crate::grammar::regex::Regex;
use crate::index::ExprId;
use crate::syntax::tags::parameters::Form;
use crate::syntax::tags::tools::calls::{Between, Calls};

pub(super) const TOKENS: [&str; 2] = ["<tool_call>", "</tool_call>"];

pub(super) fn answers(calls: &mut Calls<'_>) -> Result<ExprId, CompileError> {
    let [lead, close] = TOKENS;
    let newline = calls.builder.regex(Regex::literal("\n").optional());
    let (function, behind_name) = (calls.text("<function="), calls.text(">"));
    let call = calls.parameters_call(&[behind_name, newline], &Form::qwen())?;
    let (end, close) = (calls.text("</function>"), calls.marker(close));
    let group = calls.builder.sequence([newline, function, call, end, newline, close]);
    Ok(calls.answers(lead, group, Between::Text(Regex::literal("\n").optional())))
}
