//! DeepSeek V3, R1 and V3.1: a section of calls at the end of the answer.
//!
//! ```text
//! V3:   <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather
//!       ```json
//!       {"city": "Oslo"}
//!       ```<｜tool▁call▁end｜>
//!       <｜tool▁call▁begin｜>...<｜tool▁call▁end｜><｜tool▁calls▁end｜>
//! V3.1: <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Oslo"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>
//! ```
//!
//! Relied on: V3 separates calls by a newline, V3.1 by nothing; nothing follows the section. All markers are added tokens.

use crate::error::CompileError;
use crate::grammar::regex::Regex;
use crate::index::ExprId;
use crate::syntax::tags::tools::ToolFamily;
use crate::syntax::tags::tools::calls::{Between, Calls};

pub(super) const TOKENS: [&str; 5] = [
    "<｜tool▁calls▁begin｜>",
    "<｜tool▁calls▁end｜>",
    "<｜tool▁call▁begin｜>",
    "<｜tool▁call▁end｜>",
    "<｜tool▁sep｜>",
];

pub(super) fn answers(calls: &mut Calls<'_>) -> Result<ExprId, CompileError> {
    let [lead, close, begin, end, separator] = TOKENS;
    let (begin, end, separator) = (calls.marker(begin), calls.marker(end), calls.marker(separator));
    let (call, between) = if calls.family == ToolFamily::DeepSeekV3 {
        let (function, open, shut) = (calls.text("function"), calls.text("\n```json\n"), calls.text("\n```"));
        let call = calls.json_call(&[open]);
        (calls.builder.sequence([begin, function, separator, call, shut, end]), Regex::literal("\n"))
    } else {
        let call = calls.json_call(&[separator]);
        (calls.builder.sequence([begin, call, end]), Regex::Empty)
    };
    let all = calls.list(call, between);
    let close = calls.marker(close);
    let group = calls.builder.sequence([all, close]);
    Ok(calls.answers(lead, group, Between::Nothing))
}
