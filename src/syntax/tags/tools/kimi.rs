//! Kimi K2: a section of calls, each with an identifier.
//!
//! ```text
//! <|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Oslo"}<|tool_call_end|><|tool_calls_section_end|>
//! ```
//!
//! Relied on: the identifier is `functions.`, the name, a colon and a number that goes on through the whole conversation, so which
//! number comes is not known here: any of at most six digits is taken. Nothing follows the section. All markers are
//! added tokens.

use crate::error::CompileError;
use crate::grammar::regex::{CharSet, Regex};
use crate::index::ExprId;
use crate::syntax::tags::tools::calls::{Between, Calls};

pub(super) const TOKENS: [&str; 5] = [
    "<|tool_calls_section_begin|>",
    "<|tool_calls_section_end|>",
    "<|tool_call_begin|>",
    "<|tool_call_end|>",
    "<|tool_call_argument_begin|>",
];

pub(super) fn answers(calls: &mut Calls<'_>) -> Result<ExprId, CompileError> {
    let [lead, close, begin, end, argument] = TOKENS;
    let digits = Regex::set(CharSet::range('0', '9')).repeat(0, Some(5));
    let number = Regex::or([Regex::literal("0"), Regex::set(CharSet::range('1', '9')).then(digits)]);
    let number = calls.builder.regex(Regex::literal(":").then(number));
    let (begin, end, argument) = (calls.marker(begin), calls.marker(end), calls.marker(argument));
    let function = calls.text("functions.");
    let call = calls.json_call(&[number, argument]);
    let call = calls.builder.sequence([begin, function, call, end]);
    let all = calls.list(call, Regex::Empty);
    let close = calls.marker(close);
    let group = calls.builder.sequence([all, close]);
    Ok(calls.answers(lead, group, Between::Nothing))
}
