//! GLM 4.5 and later: names and values between markers.
//!
//! ```text
//! <tool_call>get_weather
//! <arg_key>city</arg_key>
//! <arg_value>Oslo</arg_value>
//! </tool_call>
//! ```
//!
//! Relied on: the chat template writes strings as they are and other values as JSON, and a newline behind the name and each
//! value (later models leave them out). All six markers are added tokens.

use crate::error::CompileError;
use crate::grammar::regex::Regex;
use crate::index::ExprId;
use crate::syntax::tags::parameters::{Form, Piece};
use crate::syntax::tags::tools::calls::{Between, Calls};

pub(super) const TOKENS: [&str; 6] =
    ["<tool_call>", "</tool_call>", "<arg_key>", "</arg_key>", "<arg_value>", "</arg_value>"];

pub(super) fn answers(calls: &mut Calls<'_>) -> Result<ExprId, CompileError> {
    let [lead, close, key, key_end, value, value_end] = TOKENS;
    let blank = || Regex::literal("\n").optional();
    let middle = vec![calls.piece(key_end), Piece::Blank(blank()), calls.piece(value)];
    let form = Form {
        before: vec![calls.piece(key)],
        to_text: middle.clone(),
        to_json: middle,
        pad: Regex::Empty,
        close: calls.piece(value_end),
        tail: blank(),
    };
    let newline = calls.builder.regex(blank());
    let call = calls.parameters_call(&[newline], &form)?;
    let close = calls.marker(close);
    let group = calls.builder.sequence([newline, call, close]);
    Ok(calls.answers(lead, group, Between::Text(blank())))
}
