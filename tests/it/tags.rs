//! Structural tags and reasoning: what is accepted and refused, masks against commits, hostile texts.

use maskwright::automaton::Registers;
use maskwright::error::CompileErrorKind;
use maskwright::grammar::rules::Builder;
use maskwright::syntax::schema::SchemaOptions;
use maskwright::syntax::tags;
use maskwright::{
    Bitmask, CompileError, CompiledGrammar, Compiler, CompilerConfig, Matcher, TokenId, Vocabulary,
};
use serde_json::{Value, json};

pub(crate) fn compiler() -> Compiler {
    Compiler::new(Vocabulary::demo(), CompilerConfig::default())
}

pub(crate) fn compile(tag: &Value) -> CompiledGrammar {
    compiler().structural_tag(&tag.to_string()).unwrap_or_else(|e| panic!("{e}\n{tag}"))
}

fn refused(tag: &Value) -> CompileError {
    compiler().structural_tag(&tag.to_string()).expect_err(&tag.to_string())
}

pub(crate) fn accepts(grammar: &CompiledGrammar, text: &str) -> bool {
    let automaton = grammar.automaton().expect("nothing has changed since it was compiled");
    let mut registers = Registers::default();
    let after = automaton.advance(automaton.start(), text.as_bytes(), &mut registers);
    after.unwrap_or_else(|e| panic!("{e}: {text:?}")).is_some_and(|cfg| automaton.is_accepting(cfg))
}

#[track_caller]
pub(crate) fn check(grammar: &CompiledGrammar, accepted: &[&str], rejected: &[&str]) {
    for (texts, expected) in [(accepted, true), (rejected, false)] {
        for text in texts {
            assert_eq!(accepts(grammar, text), expected, "{text:?}");
        }
    }
}

/// At every token of a text, spelled in the demo vocabulary, the mask has exactly the tokens that can be committed.
pub(crate) fn masks_are_commits(grammar: &CompiledGrammar, text: &str) {
    let mut matcher = Matcher::new(grammar);
    for token in Vocabulary::demo_encode(text) {
        mask_is_commits(&mut matcher);
        matcher.commit(token).unwrap_or_else(|e| panic!("{e} in {text:?}"));
    }
    mask_is_commits(&mut matcher);
    assert!(matcher.is_accepting(), "{text:?}");
}

pub(crate) fn mask_is_commits(matcher: &mut Matcher) -> Vec<u32> {
    let grammar = matcher.grammar().clone();
    let mut mask = Bitmask::new(&grammar);
    matcher.fill_bitmask(&mut mask).expect("within every limit");
    for other in (0..grammar.vocabulary().len()).map(TokenId::new) {
        let committed = matcher.fork().commit(other).is_ok();
        assert_eq!(mask.contains(other), committed, "{other:?} after {:?}", matcher.text());
    }
    mask.iter().map(|token| token.0).collect()
}

fn schema_a() -> Value {
    json!({"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"], "additionalProperties": false})
}

fn tag(begin: &str, content: &Value, end: &str) -> Value {
    json!({"type": "tag", "begin": begin, "content": content, "end": end})
}

fn integer() -> Value {
    json!({"type": "json_schema", "json_schema": {"type": "integer"}})
}

fn word(text: &str) -> Value {
    json!({"type": "const_string", "value": text})
}

fn structural(format: &Value) -> Value {
    json!({"type": "structural_tag", "format": format})
}

// ---- formats

#[test]
fn every_format_means_what_it_says() {
    let (x, y) = (word("x"), word("y"));
    let table: &[(Value, &[&str], &[&str])] = &[
        (json!({"type": "sequence", "elements": [x, y]}), &["xy"], &["x", "yx", ""]),
        (json!({"type": "or", "elements": [x, y]}), &["x", "y"], &["xy", ""]),
        (json!({"type": "optional", "content": x}), &["", "x"], &["xx"]),
        (json!({"type": "plus", "content": x}), &["x", "xxx"], &["", "y"]),
        (json!({"type": "star", "content": x}), &["", "xxx"], &["xy"]),
        (json!({"type": "repeat", "min": 2, "max": 3, "content": x}), &["xx", "xxx"], &["x", "xxxx"]),
        (json!({"type": "repeat", "min": 2, "max": -1, "content": x}), &["xx", "xxxxx"], &["x"]),
        (json!({"type": "regex", "pattern": "[A-Z]{3}-[0-9]+"}), &["ABC-1"], &["ABC-", "xABC-1"]),
        (json!({"type": "any_text", "excludes": ["no"]}), &["", "n", "yes"], &["no", "know"]),
        (json!({"type": "any_text", "max_chars": 2}), &["", "éé"], &["abc"]),
        (json!({"type": "json_schema", "json_schema": schema_a()}), &["{\"a\":1}"], &["{}"]),
        (json!({"type": "json_schema", "json_schema": true}), &["1", "[]"], &["", "x"]),
        (
            json!({"type": "tag", "begin": "<", "content": x, "end": [">", "]"]}),
            &["<x>", "<x]"],
            &["<x", "x>"],
        ),
        (
            json!({"type": "tags_with_separator", "separator": ",", "tags": [tag("<", &x, ">"), tag("[", &y, "]")]}),
            &["", "<x>", "<x>,[y],<x>"],
            &["<x>,", ",<x>", "<x>[y]"],
        ),
        (
            json!({"type": "tags_with_separator", "separator": ",", "at_least_one": true, "stop_after_first": true, "tags": [tag("<", &x, ">")]}),
            &["<x>"],
            &["", "<x>,<x>"],
        ),
        (
            json!({"type": "sequence", "elements": [{"type": "until", "stop": "."}, x]}),
            &[".x", "a b.x"],
            &["a.b.x", "x", "a.xx"],
        ),
    ];
    for (format, accepted, rejected) in table {
        check(&compile(&structural(format)), accepted, rejected);
        check(&compile(format), accepted, rejected);
    }
}

#[test]
fn free_text_stops_at_the_first_end_of_its_tag() {
    let any = json!({"type": "any_text"});
    let thought = tag("<think>", &any, "</think>");
    let then = json!({"type": "sequence", "elements": [thought, integer()]});
    let grammar = compile(&structural(&then));
    check(
        &grammar,
        &["<think></think>1", "<think>a < b </thin k><</think>-20"],
        &["<think>1", "<think></think></think>1", "1", "<think>x</think>"],
    );
    masks_are_commits(&grammar, "<think>a <</think>17");
    for content in [
        json!({"type": "sequence", "elements": [word("x"), any]}),
        json!({"type": "or", "elements": [word("x"), any]}),
        json!({"type": "optional", "content": any}),
        json!({"type": "any_text", "excludes": ["]", "!"]}),
        json!({"type": "any_text", "max_chars": 3}),
    ] {
        let grammar = compile(&structural(&tag("[", &content, "]")));
        assert!(accepts(&grammar, "[x]"), "{content}");
        assert!(!accepts(&grammar, "[x]]"), "{content}");
        assert!(!accepts(&grammar, "[x"), "{content}");
    }
    let several =
        compile(&structural(&json!({"type": "tag", "begin": "(", "content": any, "end": ["aa", "b"]})));
    check(&several, &["(aa", "(xaa", "(ab", "(b"], &["(aaa", "(aab", "(a", "(bb"]);
}

#[test]
fn tags_inside_a_tag_stop_at_its_end() {
    let calls =
        json!({"type": "triggered_tags", "triggers": ["<n>"], "tags": [tag("<n>", &integer(), "</n>")]});
    let grammar = compile(&structural(&tag("<r>", &calls, "</r>")));
    check(
        &grammar,
        &["<r></r>", "<r>a<n>1</n>b</r>", "<r><n>1</n><n>2</n></r>", "<r></n></r>"],
        &["<r>", "<r></r>x", "<r><n>1</r>", "<r><n>x</n></r>", "<r>a</r></r>"],
    );
    masks_are_commits(&grammar, "<r>a<n>1</n></r>");
}

#[test]
fn triggers_begin_tags_wherever_they_stand() {
    let tags = json!([
        tag("<f=add>", &integer(), "</f>"),
        tag("<f=address>", &word("x"), "</f>"),
        tag("<g>", &word("y"), "")
    ]);
    let format = json!({"type": "triggered_tags", "triggers": ["<f=", "<g>"], "tags": tags});
    let grammar = compile(&structural(&format));
    check(
        &grammar,
        &["", "<f", "a <f<f=add>1</f> b <f=address>x</f><g>y and <", "<<f=add>0</f>", "</f>", "<g>yy"],
        &["<f=", "<f=ad", "<f=add>x</f>", "<f=sub>", "<f=address>1</f>", "<g>x", "a<g>"],
    );
    for text in ["a<<f=add>12</f>b", "<f=address>x</f><g>y<f"] {
        masks_are_commits(&grammar, text);
    }
    let with = |at_least_one: bool, stop_after_first: bool| {
        let mut format = format.clone();
        format["at_least_one"] = at_least_one.into();
        format["stop_after_first"] = stop_after_first.into();
        compile(&structural(&format))
    };
    check(&with(true, false), &["<f=add>1</f>", "<g>y text <g>y"], &["", "a<g>y"]);
    check(&with(true, true), &["<f=add>1</f>", "<g>y"], &["", "a<g>y", "<g>yx"]);
    check(&with(false, true), &["", "abc", "a<g>y"], &["<g>yx", "<g>y<g>y"]);
}

#[test]
fn excluded_texts_stay_out_of_free_text_only() {
    let format = json!({"type": "triggered_tags", "triggers": ["<n>"], "excludes": ["bad"], "tags": [tag("<n>", &word("bad"), "</n>")]});
    let grammar = compile(&structural(&format));
    check(&grammar, &["", "ba d", "<n>bad</n>ba"], &["bad", "a bad <n>bad</n>", "<n>bad</n>bad"]);
    let limited = json!({"type": "sequence", "elements": [format, word("bad"), integer()]});
    check(&compile(&structural(&limited)), &["bad1", "x<n>bad</n>y bad7"], &["bad", "x", "badbad1"]);
}

#[test]
fn triggers_inside_triggers_fire_when_they_are_complete() {
    let tags = json!([tag("<a>x", &word("1"), "."), tag("<ab>", &word("2"), ".")]);
    let format = json!({"type": "triggered_tags", "triggers": ["<a", "<a>", "<ab>"], "tags": tags});
    check(&compile(&structural(&format)), &["<a>x1.", "<ab>2.", "<"], &["<a", "<a>", "<ax", "<a>x2."]);
    let overlapping = json!({"type": "triggered_tags", "triggers": ["aab", "aba"], "tags": [tag("aab", &word("1"), "."), tag("aba", &word("2"), ".")]});
    check(
        &compile(&structural(&overlapping)),
        &["aaab1.", "aba2.", "aa", "ab"],
        &["aab", "aaba2.", "aabaab1."],
    );
    let same_end = json!({"type": "triggered_tags", "triggers": ["xb", "b"], "tags": [tag("xb", &word("1"), "."), tag("b", &word("2"), ".")]});
    check(&compile(&structural(&same_end)), &["xb1.", "b2.", "xb2."], &["b1.", "xb"]);
    let never = json!({"type": "triggered_tags", "triggers": ["b", "abc"], "tags": [tag("abc", &word("1"), "."), tag("b", &word("2"), ".")]});
    let error = refused(&structural(&never));
    assert_eq!(error.place().pointer.as_deref(), Some("/format/tags/0"), "{error}");
    assert!(error.to_string().contains("comes first"), "{error}");
}

#[test]
fn a_trigger_inside_a_word_does_not_count_when_told_so() {
    let format = json!({"type": "triggered_tags", "triggers": ["call "], "word_boundary": true, "tags": [tag("call ", &integer(), ";")]});
    let grammar = compile(&structural(&format));
    check(
        &grammar,
        &[
            "call 1;",
            "please call 1;",
            "I recall it",
            "récall me",
            "_call x",
            "1call x",
            "(call 7;)",
            "recall call 1;call 2;",
        ],
        &["call me", "please call me", "(call x", "recall call x"],
    );
    masks_are_commits(&grammar, "recall (call 12;");
}

#[test]
fn dispatch_is_a_tag_without_an_end() {
    let format = json!({"type": "dispatch", "rules": [["<f>", integer()], ["<g>", word("y")]]});
    check(&compile(&structural(&format)), &["", "a<f>12 b<g>y<g>yz"], &["<f>", "<g>x", "<f>x"]);
    let once = json!({"type": "dispatch", "loop": false, "rules": [["<g>", word("y")]]});
    check(&compile(&structural(&once)), &["a<g>y", "a"], &["<g>yz"]);
}

#[test]
fn the_older_shape_is_triggered_tags() {
    let older = json!({"type": "structural_tag", "structures": [
        {"begin": "<function=a>", "schema": schema_a(), "end": "</function>"},
        {"begin": "<function=b>", "schema": "{\"type\": \"integer\"}", "end": "</function>"}], "triggers": ["<function="]});
    let grammar = compile(&older);
    check(
        &grammar,
        &["text", "<function=a>{\"a\":1}</function> and <function=b>3</function>"],
        &["<function=c>", "<function=b>{\"a\":1}</function>", "<function=b>3"],
    );
    let report = grammar.report().to_string();
    assert!(report.contains("/structures/0/schema/properties/a/type"), "{report}");
}

#[test]
fn parameters_are_written_in_the_styles_of_models() {
    let schema = json!({"type": "object", "required": ["city"], "additionalProperties": false, "properties": {
        "city": {"type": "string"}, "unit": {"enum": ["C", "F", 1]}, "days": {"type": "integer"}, "more": {"type": "object"}}});
    let style = |name: &str| {
        compile(&structural(&json!({"type": "json_schema", "style": name, "json_schema": schema})))
    };
    let qwen = style("qwen_xml");
    check(
        &qwen,
        &[
            "<parameter=city>Oslo</parameter>",
            "<parameter=city>\nA & <b>\n</parameter>\n<parameter=days>\n3\n</parameter>\n",
            "<parameter=city>x</parameter><parameter=unit>C</parameter><parameter=more>{\"k\": [1]}</parameter>",
            "<parameter=city></parameter><parameter=unit>1</parameter>",
        ],
        &[
            "",
            "<parameter=days>3</parameter>",
            "<parameter=city>x</parameter><parameter=days>y</parameter>",
            "<parameter=city>x</parameter><parameter=unit>\"C\"</parameter>",
            "<parameter=city>x</parameter></parameter>",
            "<parameter=city>x</parameter><parameter=city>x</parameter>",
            "<parameter=city>x</parameter><parameter=other>x</parameter>",
            "<parameter=city>x</parameter><parameter=more>{\"k\":1,\"k\":2}</parameter>",
        ],
    );
    let older = compile(&structural(&json!({"type": "qwen_xml_parameter", "json_schema": schema})));
    let bob = "<parameter=city>Bob</parameter><parameter=days>100</parameter>";
    check(&older, &[bob], &["<parameter=days>3</parameter>", &format!("{bob}{bob}")]);
    masks_are_commits(&qwen, "<parameter=city>\nA <\n</parameter>\n<parameter=days>\n3\n</parameter>\n");
    check(
        &style("minimax_xml"),
        &["<parameter name=\"city\">x</parameter>"],
        &["<parameter=city>x</parameter>"],
    );
    check(
        &style("deepseek_xml"),
        &[
            "<｜DSML｜parameter name=\"city\" string=\"true\">x</｜DSML｜parameter><｜DSML｜parameter name=\"days\" string=\"false\">3</｜DSML｜parameter>",
        ],
        &["<｜DSML｜parameter name=\"city\" string=\"false\">x</｜DSML｜parameter>"],
    );
    check(
        &style("glm_xml"),
        &[
            "<arg_key>city</arg_key>\n<arg_value>x</arg_value>\n<arg_key>days</arg_key><arg_value>3</arg_value>",
        ],
        &["<arg_key>days</arg_key><arg_value>3</arg_value>"],
    );
    let open = json!({"type": "json_schema", "style": "qwen_xml", "json_schema": {"properties": {"a": {}}}});
    let grammar = compile(&structural(&open));
    check(&grammar, &["", "<parameter=a>[1, 2</parameter>"], &["<parameter=b>1</parameter>"]);
    assert!(grammar.report().to_string().contains("are not generated"), "{}", grammar.report());
    for (keyword, value) in [
        ("minProperties", json!(1)),
        ("patternProperties", json!({"x": {"type": "null"}})),
        ("anyOf", json!([{"required": ["a"]}, {"required": ["b"]}])),
    ] {
        let format = json!({"type": "json_schema", "style": "qwen_xml", "json_schema": {"type": "object", keyword: value}});
        assert_eq!(refused(&structural(&format)).kind(), CompileErrorKind::Unsupported, "{keyword}");
    }
}

#[test]
fn tokens_are_letters_of_formats() {
    let tokens = ["a", "1", "{", "}", "<call>", "</call>", "<x>", "</s>"];
    let vocabulary = Vocabulary::from_tokens(tokens, &[TokenId(7)])
        .and_then(|v| v.with_letter_tokens(&[TokenId(4), TokenId(5), TokenId(6)]))
        .expect("a small vocabulary");
    let compiler = Compiler::new(vocabulary, CompilerConfig::default());
    let runs = |format: &Value, ids: &[u32]| {
        let grammar =
            compiler.structural_tag(&structural(format).to_string()).unwrap_or_else(|e| panic!("{e}"));
        let mut matcher = Matcher::new(&grammar);
        for &id in ids {
            mask_is_commits(&mut matcher);
            if matcher.commit(id).is_err() {
                return false;
            }
        }
        matcher.is_accepting()
    };
    let token = |token: Value| json!({"type": "token", "token": token});
    let call =
        json!({"type": "tag", "begin": token("<call>".into()), "content": integer(), "end": token(5.into())});
    let triggered = json!({"type": "token_triggered_tags", "trigger_tokens": ["<call>"], "exclude_tokens": [3], "tags": [call]});
    for (format, ids, expected) in [
        (&call, &[4, 1, 5][..], true),
        (&call, &[4, 1][..], false),
        (&call, &[4, 0][..], false),
        (&triggered, &[][..], true),
        (&triggered, &[0, 6, 1, 4, 1, 1, 5, 0][..], true),
        (&triggered, &[0, 3][..], false),
        (&triggered, &[0, 4, 0][..], false),
        (&json!({"type": "exclude_token", "exclude_tokens": ["a", 1]}), &[2][..], true),
        (&json!({"type": "exclude_token", "exclude_tokens": ["a", 1]}), &[0][..], false),
        (&json!({"type": "any_tokens", "exclude_tokens": ["a"], "max_tokens": 2}), &[1, 6][..], true),
        (&json!({"type": "any_tokens", "exclude_tokens": ["a"], "max_tokens": 2}), &[1, 1, 1][..], false),
        (
            &json!({"type": "tag", "begin": token(4.into()), "content": {"type": "any_tokens"}, "end": token(5.into())}),
            &[4, 0, 6, 5][..],
            true,
        ),
        (
            &json!({"type": "tag", "begin": token(4.into()), "content": {"type": "any_tokens"}, "end": token(5.into())}),
            &[4, 5, 5][..],
            false,
        ),
        (
            &json!({"type": "tag", "begin": "a", "content": {"type": "any_text"}, "end": token(5.into())}),
            &[0, 0, 1, 5][..],
            true,
        ),
        (
            &json!({"type": "sequence", "elements": [{"until_token": "<x>"}, integer()]}),
            &[0, 1, 6, 1][..],
            true,
        ),
        (
            &json!({"type": "token_dispatch", "rules": [["<call>", integer()], [6, word("a")]]}),
            &[0, 4, 1, 6, 0][..],
            true,
        ),
    ] {
        assert_eq!(runs(format, ids), expected, "{format} {ids:?}");
    }
    let missing =
        compiler.structural_tag(&structural(&token("<nope>".into())).to_string()).expect_err("no such token");
    assert_eq!(missing.kind(), CompileErrorKind::Unspellable);
    for free in [json!({"type": "any_text"}), json!({"type": "any_text", "excludes": ["1"]})] {
        let format = json!({"type": "tag", "begin": "a", "content": free, "end": token("a".into())});
        let ambiguous =
            compiler.structural_tag(&structural(&format).to_string()).expect_err("the end is text too");
        assert!(ambiguous.to_string().contains("with_letter_tokens"), "{ambiguous}");
    }
}

#[test]
fn deep_schemas_of_parameters_cost_no_stack() {
    let mut schema = "{\"const\":\"x\"}".to_owned();
    for level in 0..230 {
        schema = format!(
            "{{\"allOf\":[{{\"anyOf\":[{schema},{{\"const\":\"k{level}\"}}]}},{{\"minLength\":1}}]}}"
        );
    }
    let format = format!(
        r#"{{"type":"json_schema","style":"qwen_xml","json_schema":{{"properties":{{"p":{schema}}},"required":["p"]}}}}"#
    );
    let grammar = compiler().structural_tag(&format).expect("230 levels");
    check(
        &grammar,
        &["<parameter=p>x</parameter>", "<parameter=p>k0</parameter>"],
        &["<parameter=p>y</parameter>"],
    );
}

#[test]
fn thousands_of_parameters_take_the_room_of_their_own_schemas() {
    let names: Vec<String> = (0..3_000).map(|i| format!("p{i}")).collect();
    let properties: serde_json::Map<String, Value> =
        names.iter().map(|name| (name.clone(), json!({"type": "integer", "minimum": name.len()}))).collect();
    let schema =
        json!({"type": "object", "required": names, "properties": properties, "additionalProperties": false});
    let format = json!({"type": "json_schema", "style": "qwen_xml", "json_schema": schema});
    let described =
        tags::structural_tag(&structural(&format).to_string(), &SchemaOptions::default()).expect("a tag");
    let nodes: usize = described.grammar.schemas.iter().map(|program| program.nodes.len()).sum();
    assert!(nodes < 100_000, "{nodes}");
}

// ---- grammars of other languages

#[test]
fn a_grammar_of_another_language_is_a_format_if_there_is_a_reader() {
    // A language of one word a rule: `n` stands for nested brackets, everything else for itself.
    let read = |text: &str| {
        let mut builder = Builder::new();
        let start = builder.rule("start", None);
        let body = if text == "n" {
            let (open, inner, close) = (builder.text("("), builder.call(start), builder.text(")"));
            let more = builder.sequence([open, inner, close]);
            builder.optional(more)
        } else {
            builder.text(text)
        };
        builder.define(start, body, None)?;
        builder.finish(start)
    };
    let grammar = |text: &str| json!({"type": "grammar", "grammar": text});
    let format = json!({"type": "sequence", "elements": [grammar("n"), grammar("x"), grammar("n")]});
    let options = SchemaOptions::default();
    let described =
        tags::structural_tag_with(&structural(&format).to_string(), &options, &read).expect("a tag");
    let compiled = compiler().grammar(&described.grammar).expect("some text matches");
    check(&compiled, &["x", "(())x()"], &["(x", "(())", "x())"]);
}

// ---- refusals

/// A text, and how it is refused: the class, where, and a piece of what is said.
type Mistake = (&'static str, CompileErrorKind, &'static str, &'static str);

const MISTAKES: &[Mistake] = &[
    (r#"{"type": "structural_tag"}"#, CompileErrorKind::Invalid, "", r#""format" is missing"#),
    ("[]", CompileErrorKind::Invalid, "", "expected an object"),
    (
        r#"{"structures": [{"begin": "a", "schema": {}}], "triggers": ["a"]}"#,
        CompileErrorKind::Invalid,
        "/structures/0",
        r#""end""#,
    ),
    (
        r#"{"structures": [{"begin": "b", "schema": {}, "end": ""}], "triggers": ["a"]}"#,
        CompileErrorKind::Invalid,
        "/structures/0",
        "none of the triggers",
    ),
    (
        r#"{"type": "structural_tag", "format": {"type": "sequnce", "elements": []}}"#,
        CompileErrorKind::Invalid,
        "/format/type",
        r#"did you mean "sequence""#,
    ),
    (
        r#"{"type": "structural_tag", "format": {"elements": []}}"#,
        CompileErrorKind::Invalid,
        "/format",
        r#""type" is missing"#,
    ),
    (
        r#"{"type": "structural_tag", "format": {"type": "tag", "begn": "x"}}"#,
        CompileErrorKind::Invalid,
        "/format/begn",
        r#"did you mean "begin""#,
    ),
    (
        r#"{"type": "structural_tag", "format": {"type": "sequence", "elements": []}}"#,
        CompileErrorKind::Invalid,
        "/format/elements",
        "at least one",
    ),
    (
        r#"{"type": "structural_tag", "format": {"type": "any_text", "excludes": [""]}}"#,
        CompileErrorKind::Invalid,
        "/format/excludes/0",
        "empty",
    ),
    (
        r#"{"type": "structural_tag", "format": {"type": "any_text", "max_tokens": 5}}"#,
        CompileErrorKind::Unsupported,
        "/format/max_tokens",
        "max_chars",
    ),
    (
        r#"{"type": "structural_tag", "format": {"type": "grammar", "grammar": "root ::= x"}}"#,
        CompileErrorKind::Reference,
        "/format/grammar",
        "`x`",
    ),
    (
        r#"{"type": "structural_tag", "format": {"type": "regex", "pattern": "("}}"#,
        CompileErrorKind::Invalid,
        "/format/pattern",
        "byte",
    ),
    (
        r#"{"type": "structural_tag", "format": {"type": "json_schema", "json_schema": {"type": "strin"}}}"#,
        CompileErrorKind::Invalid,
        "/format/json_schema/type",
        "strin",
    ),
    (
        r#"{"type": "or", "elements": [{"const_string": 1, "type": "any_text"}, {"json_schema": {"allOf": [{"const": 1}, {"const": 2}]}}]}"#,
        CompileErrorKind::Invalid,
        "/elements/0/const_string",
        "no member",
    ),
    (
        r#"{"type": "or", "elements": [{"regex": "a"}, {"json_schema": {"allOf": [{"const": 1}, {"const": 2}]}}]}"#,
        CompileErrorKind::Unsatisfiable,
        "/elements/1/json_schema",
        "",
    ),
    (
        r#"{"type": "structural_tag", "format": {"type": "json_schema", "json_schema": {}, "any_order": true}}"#,
        CompileErrorKind::Unsupported,
        "/format",
        "key_order",
    ),
    (
        r#"{"type": "structural_tag", "format": {"type": "json_schema", "json_schema": {}, "style": "qwen_xm"}}"#,
        CompileErrorKind::Invalid,
        "/format/style",
        "qwen_xml",
    ),
    (
        r#"{"type": "structural_tag", "format": {"type": "json_schema", "json_schema": {}, "style": "cohere_xml"}}"#,
        CompileErrorKind::Unsupported,
        "/format/style",
        "not supported yet",
    ),
    (
        r#"{"type": "structural_tag", "format": {"type": "repeat", "min": 3, "max": 2, "content": {"type": "const_string", "value": "x"}}}"#,
        CompileErrorKind::Invalid,
        "/format",
        "below",
    ),
    (
        r#"{"type": "structural_tag", "format": {"type": "repeat", "min": -1, "max": 2, "content": {"type": "const_string", "value": "x"}}}"#,
        CompileErrorKind::Invalid,
        "/format/min",
        "integer",
    ),
    (
        r#"{"type": "structural_tag", "format": {"type": "sequence", "elements": [{"type": "any_text"}, {"type": "const_string", "value": "x"}]}}"#,
        CompileErrorKind::Invalid,
        "/format/elements/0",
        "nothing ends",
    ),
    (
        r#"{"type": "structural_tag", "format": {"type": "star", "content": {"type": "any_text"}}}"#,
        CompileErrorKind::Invalid,
        "/format/content",
        "repeated",
    ),
    (
        r#"{"type": "structural_tag", "format": {"type": "triggered_tags", "triggers": [], "tags": [{"begin": "x", "content": {"type": "const_string", "value": "x"}, "end": ""}]}}"#,
        CompileErrorKind::Invalid,
        "/format/triggers",
        "at least one",
    ),
    (
        r#"{"type": "structural_tag", "format": {"type": "triggered_tags", "triggers": [""], "tags": [{"begin": "x", "content": {"type": "const_string", "value": "x"}, "end": ""}]}}"#,
        CompileErrorKind::Invalid,
        "/format/triggers/0",
        "empty",
    ),
    (
        r#"{"type": "structural_tag", "format": {"type": "triggered_tags", "triggers": ["y"], "tags": [{"begin": "x", "content": {"type": "const_string", "value": "x"}, "end": ""}]}}"#,
        CompileErrorKind::Invalid,
        "/format/tags/0",
        "none of the triggers",
    ),
    (
        r#"{"type": "structural_tag", "format": {"type": "triggered_tags", "triggers": ["x"], "excludes": ["x"], "tags": [{"begin": "x", "content": {"type": "const_string", "value": "x"}, "end": ""}]}}"#,
        CompileErrorKind::Invalid,
        "/format/tags/0",
        "excluded",
    ),
    (
        r#"{"type": "structural_tag", "format": {"type": "triggered_tags", "triggers": ["x"], "tags": [{"type": "or", "elements": []}]}}"#,
        CompileErrorKind::Invalid,
        "/format/tags/0/type",
        "expected a tag",
    ),
    (
        r#"{"type": "structural_tag", "format": {"type": "token_triggered_tags", "trigger_tokens": [1], "tags": [{"begin": "x", "content": {"type": "const_string", "value": "x"}, "end": ""}]}}"#,
        CompileErrorKind::Invalid,
        "/format/tags/0",
        "a token too",
    ),
    (
        r#"{"type": "structural_tag", "format": {"type": "token", "token": -1}}"#,
        CompileErrorKind::Invalid,
        "/format/token",
        "integer",
    ),
    (
        r#"{"type": "structural_tag", "format": {"type": "tag", "begin": "x", "end": "y"}}"#,
        CompileErrorKind::Invalid,
        "/format",
        r#"one "content""#,
    ),
    (
        r#"{"type": "structural_tag", "format": {"type": "tag", "begin": "x", "xml_parameters": {}, "xml_form": "<p>V</p>", "end": "y"}}"#,
        CompileErrorKind::Invalid,
        "/format/xml_form",
        "one K",
    ),
    (
        r#"{"type": "structural_tag", "format": {"type": "tag", "begin": "x", "content": {"type": "const_string", "value": "x"}, "end": ["", "y"]}}"#,
        CompileErrorKind::Invalid,
        "/format/end",
        "empty",
    ),
];

#[test]
fn mistakes_are_refused_where_they_stand() {
    for (text, kind, pointer, says) in MISTAKES {
        let error = compiler().structural_tag(text).expect_err(text);
        assert_eq!(error.kind(), *kind, "{text}: {error}");
        assert_eq!(error.place().pointer.as_deref(), Some(*pointer), "{text}: {error}");
        assert!(error.to_string().contains(says), "{text}: {error}");
    }
}

#[test]
fn deep_and_wide_formats_cost_no_stack() {
    let nest = |depth: usize| {
        let open = "{\"type\":\"optional\",\"content\":".repeat(depth);
        format!("{open}{{\"type\":\"const_string\",\"value\":\"x\"}}{}", "}".repeat(depth))
    };
    let grammar = compiler().structural_tag(&nest(900)).expect("900 levels");
    check(&grammar, &["", "x"], &["xx"]);
    let error = compiler().structural_tag(&nest(100_000)).expect_err("100,000 levels");
    assert_eq!(error.kind(), CompileErrorKind::Limit);
    let many: Vec<String> =
        (0..300_000).map(|_| "{\"type\":\"const_string\",\"value\":\"x\"}".to_owned()).collect();
    let wide = format!("{{\"type\":\"or\",\"elements\":[{}]}}", many.join(","));
    let error = tags::structural_tag(&wide, &SchemaOptions::default()).expect_err("too many formats");
    assert_eq!(error.kind(), CompileErrorKind::Limit);
    let triggers: Vec<String> = (0..2_000).map(|i| format!("<{i}>")).collect();
    let tags: Vec<Value> = triggers.iter().map(|trigger| tag(trigger, &word("x"), "")).collect();
    let error = refused(&json!({"type": "triggered_tags", "triggers": triggers, "tags": tags}));
    assert_eq!(error.kind(), CompileErrorKind::Limit);
    let long = json!({"type": "until", "stop": "a".repeat(3_000)});
    assert_eq!(refused(&long).kind(), CompileErrorKind::Limit);
    let any: Vec<Value> = (0..2_000).map(|_| json!({"type": "any_text"})).collect();
    let ends: Vec<String> = (0..2_000).map(|i| format!("end {i}")).collect();
    let many_ends =
        json!({"type": "tag", "begin": "x", "content": {"type": "or", "elements": any}, "end": ends});
    assert_eq!(refused(&many_ends).kind(), CompileErrorKind::Limit);
    let grammar = compile(&json!({"type": "triggered_tags", "triggers": ["<"], "tags": tags}));
    check(&grammar, &["a<1>x<1999>x", ""], &["<2000>x", "<"]);
}

/// All texts of at most `len` letters.
fn texts_of(letters: &[&str], len: usize) -> Vec<String> {
    let mut texts = vec![String::new()];
    let mut next = 0;
    while let Some(text) = texts.get(next).cloned() {
        if text.len() < len {
            texts.extend(letters.iter().map(|letter| format!("{text}{letter}")));
        }
        next += 1;
    }
    texts
}

/// The slow twin of free text with tags, in which the content of the tag of each trigger is one text: reads from left to right what is
/// complete first. A trigger counts where `counts` says so of the free text before it; `end` ends everything.
fn follows(tags: &[(&str, &str)], end: Option<&str>, counts: impl Fn(&str) -> bool, text: &str) -> bool {
    let mut from = 0;
    let mut at = 0;
    while at < text.len() {
        at += 1;
        let free = &text[from..at];
        if end.is_some_and(|end| free.ends_with(end)) {
            return at == text.len();
        }
        let fired = tags.iter().find(|(trigger, _)| free.strip_suffix(trigger).is_some_and(&counts));
        if let Some((_, content)) = fired {
            if !text[at..].starts_with(content) {
                return false;
            }
            at += content.len();
            from = at;
        }
    }
    end.is_none()
}

#[test]
fn free_text_is_any_text_without_its_markers() {
    let triggered = |tags: &[(&str, &str)], word_boundary: bool| {
        let triggers: Vec<&str> = tags.iter().map(|(trigger, _)| *trigger).collect();
        let tags: Vec<Value> =
            tags.iter().map(|(trigger, content)| tag(trigger, &word(content), "")).collect();
        json!({"type": "triggered_tags", "triggers": triggers, "tags": tags, "word_boundary": word_boundary})
    };
    let tags = [("ab", "c"), ("ba", "d")];
    let plain = compile(&triggered(&tags, false));
    let after_words = compile(&triggered(&tags, true));
    let ending = compile(&structural(&tag("", &triggered(&tags, false), "aa")));
    for text in texts_of(&["a", "b", "c", "d"], 6) {
        assert_eq!(accepts(&plain, &text), follows(&tags, None, |_| true, &text), "{text:?}");
        assert_eq!(accepts(&after_words, &text), follows(&tags, None, str::is_empty, &text), "{text:?}");
        assert_eq!(accepts(&ending, &text), follows(&tags, Some("aa"), |_| true, &text), "{text:?}");
    }
    let spaced = [("b", "a")];
    let grammar = compile(&triggered(&spaced, true));
    for text in texts_of(&["a", "b", " "], 7) {
        let counts = |before: &str| !before.ends_with(['a', 'b']);
        assert_eq!(accepts(&grammar, &text), follows(&spaced, None, counts, &text), "{text:?}");
    }
}

#[test]
fn grammars_inside_a_tag_are_read_as_ebnf() {
    let grammar = compile(&json!({"type": "structural_tag", "format": {"type": "sequence", "elements": [
        {"type": "const_string", "value": "<sum>"},
        {"type": "grammar", "grammar": "root ::= root \"+\" [0-9] | [0-9]"},
        {"type": "const_string", "value": "</sum>"},
    ]}}));
    check(
        &grammar,
        &["<sum>1</sum>", "<sum>1+2+3</sum>"],
        &["<sum></sum>", "<sum>1+</sum>", "<sum>12</sum>"],
    );
    masks_are_commits(&grammar, "<sum>1+2</sum>");
}
