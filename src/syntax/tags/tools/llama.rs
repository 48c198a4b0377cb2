//! Llama 3: a JSON object in place of an answer, with or without a marker before it.
//!
//! ```text
//! {"name": "get_weather", "parameters": {"city": "Oslo"}}
//! <|python_tag|>{"name": "get_weather", "parameters": {"city": "Oslo"}}; {...}
//! ```
//!
//! Relied on: the answer is either a call or text, so text that begins with `{` is none where tools may be called. Several calls
//! are separated by `;` and perhaps a blank; the chat templates of 3.1 write one, so ask for one there. `<|python_tag|>` is an added
//! token from 3.1 on. The calls of built-in tools (`brave_search.call(...)`) are no JSON and not written.

use crate::error::CompileError;
use crate::grammar::regex::{CharSet, Regex};
use crate::index::ExprId;
use crate::syntax::tags::tools::ToolFamily;
use crate::syntax::tags::tools::calls::{Between, Calls, Demand};

pub(super) const TOKENS: [&str; 1] = ["<|python_tag|>"];

pub(super) fn answers(calls: &mut Calls<'_>) -> Result<ExprId, CompileError> {
    let [lead] = TOKENS;
    let object = calls.json_object("parameters");
    let blank = Regex::literal(" ").optional();
    let all = calls.list(object, Regex::literal(";").then(blank));
    if calls.family == ToolFamily::Llama3PythonTag {
        return Ok(calls.answers(lead, all, Between::Nothing));
    }
    Ok(match calls.demand {
        Demand::Never => calls.builder.regex(Regex::any_text()),
        Demand::Surely => all,
        Demand::Maybe => {
            let blanks = CharSet::of(" \t\r\n");
            let first = Regex::set(blanks.union(&CharSet::single('{')).complement());
            let text = first.then(Regex::any_text()).optional();
            let text = calls.builder.regex(Regex::set(blanks).star().then(text));
            calls.builder.choice([text, all])
        }
    })
}
