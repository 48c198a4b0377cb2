//! Reasoning before an output: up to its marker, and the line breaks behind that.

use maskwright::grammar::rules::Builder;
use maskwright::syntax::tags::Reasoning;
use serde_json::{Value, json};

use crate::tags::{check, compile, compiler, masks_are_commits};

/// Objects with one integer, behind reasoning.
fn behind(reasoning: &Value) -> Value {
    let schema = json!({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": false});
    json!({"type": "structural_tag", "reasoning": reasoning, "format": {"type": "json_schema", "json_schema": schema}})
}

#[test]
fn reasoning_comes_before_any_grammar() {
    let grammar = compile(&behind(&json!({"end": "</think>"})));
    check(
        &grammar,
        &["plan {maybe} </think>{\"a\":1}", "</think>{\"a\":0}", "a < b </thin k></think>{\"a\":2}"],
        &["plan {\"a\":1}", "r</think>nope", "r</think>{\"a\":1}x"],
    );
    masks_are_commits(&grammar, "a <</think>{\"a\":2}");
    let grammar = compile(&behind(&json!({"begin": "<think>\n", "end": "</think>\n\n"})));
    check(&grammar, &["<think>\nx</think></think>\n\n{\"a\":1}"], &["</think>\n\n{\"a\":1}"]);
    let mut builder = Builder::new();
    let start = builder.rule("start", None);
    let body = builder.text("yes");
    builder.define(start, body, None).expect("one definition");
    let grammar = Reasoning::until_text("!").before(builder.finish(start).expect("defined"));
    let compiled = compiler().grammar(&grammar).expect("some text matches");
    check(&compiled, &["!yes", "hm!yes", "!\n\nyes"], &["yes", "!!yes", "!\n\n\nyes"]);
}

#[test]
fn line_breaks_may_stand_behind_reasoning() {
    let grammar = compile(&behind(&json!({"end": "</think>"})));
    check(
        &grammar,
        &["</think>{\"a\":1}", "</think>\n{\"a\":1}", "x</think>\n\n{\"a\":1}"],
        &["</think>\n\n\n{\"a\":1}", "</think> {\"a\":1}", "</think>\r\n{\"a\":1}"],
    );
    masks_are_commits(&grammar, "a</think>\n\n{\"a\":1}");
    let none = compile(&behind(&json!({"end": "</think>", "newlines": 0})));
    check(&none, &["</think>{\"a\":1}"], &["</think>\n{\"a\":1}"]);
    let more = compile(&behind(&json!({"end": "</think>", "newlines": 3})));
    check(&more, &["</think>\n\n\n{\"a\":1}"], &["</think>\n\n\n\n{\"a\":1}"]);
    for wrong in [json!(-1), json!("2"), json!(1.5)] {
        let tag = behind(&json!({"end": "</think>", "newlines": wrong}));
        let error = compiler().structural_tag(&tag.to_string()).expect_err("no count");
        assert_eq!(error.place().pointer.as_deref(), Some("/reasoning/newlines"), "{error}");
    }
}
