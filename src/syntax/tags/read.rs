//! Reads one format: its type, its members, and the short forms.
//!
//! The members and their defaults are those of XGrammar's structural tags. Beside them there are short forms: an object with
//! one member that is named like a format (`{"sequence": [...]}`, `{"json_schema": {...}}`, `{"until_token": 7}`),
//! `until` for free text up to a marker, and tags that hold their schema themselves.

use crate::error::CompileError;
use crate::syntax::json::{Kind, Value};
use crate::syntax::tags::fields::{
    Fields, Flag, count, invalid, nonempty, text, token, unknown, unsupported,
};
use crate::syntax::tags::format::{Ends, Expected, Format, Mark, Style, Table, Triggers};
use crate::syntax::tags::free::Boundary;
use crate::syntax::tags::parameters;

const TYPES: &[&str] = &[
    "const_string",
    "json_schema",
    "qwen_xml_parameter",
    "regex",
    "grammar",
    "any_text",
    "until",
    "sequence",
    "or",
    "optional",
    "plus",
    "star",
    "repeat",
    "tag",
    "triggered_tags",
    "tags_with_separator",
    "dispatch",
    "token",
    "exclude_token",
    "any_tokens",
    "token_triggered_tags",
    "token_dispatch",
];

/// The names of formats that can stand alone in an object, as a short form.
const SHORT: &[&str] =
    &["sequence", "or", "json_schema", "regex", "until", "until_token", "triggered_tags", "tag"];

pub(super) fn format<'j>(table: &mut Table<'j>, at: Value<'j>) -> Result<Format<'j>, CompileError> {
    if !at.is_object() {
        return Err(invalid(
            at,
            "format",
            format!("expected an object with a \"type\", found {}", at.kind().words()),
        ));
    }
    if at.get("type").is_none()
        && let Some(short) = short(table, at)?
    {
        return Ok(short);
    }
    let Some(kind) = at.get("type") else {
        return Err(invalid(
            at,
            "format",
            format!("the member \"type\" is missing: one of {}", TYPES.join(", ")),
        ));
    };
    let name = text(kind, "type")?;
    match name {
        "tag" => tag(table, at),
        "triggered_tags" => triggered(table, at),
        "tags_with_separator" => separated(table, at),
        "dispatch" | "token_dispatch" => dispatch(table, at, name),
        "token_triggered_tags" => token_triggered(table, at),
        "sequence" | "or" => {
            let fields = Fields::of(at, "sequence", &["type", "elements"])?;
            let elements = table.children(fields, "elements", Expected::Format)?;
            Ok(if name == "or" { Format::Or(elements) } else { Format::Sequence(elements) })
        }
        "optional" | "plus" | "star" | "repeat" => repeat(table, at, name),
        "token" | "exclude_token" | "any_tokens" => tokens(at, name),
        "const_string" | "json_schema" | "qwen_xml_parameter" | "regex" | "grammar" | "any_text"
        | "until" => leaf(at, name),
        _ => Err(unknown(kind, "type", name, TYPES)),
    }
}

/// An object whose only member says what it is.
fn short<'j>(table: &mut Table<'j>, at: Value<'j>) -> Result<Option<Format<'j>>, CompileError> {
    let Some((name, value)) = at.members().next().filter(|_| at.len() == 1) else { return Ok(None) };
    Ok(Some(match name {
        "sequence" | "or" => {
            let fields = Fields::of(at, "sequence", SHORT)?;
            let elements = table.children(fields, name, Expected::Format)?;
            if name == "or" { Format::Or(elements) } else { Format::Sequence(elements) }
        }
        "json_schema" => Format::Schema { schema: value, style: Style::Json },
        "regex" => Format::Pattern(value),
        "until" => Format::Until(Mark::Text(nonempty(value, "until")?)),
        "until_token" => Format::Until(Mark::Token(token(value, "until_token")?)),
        "triggered_tags" => triggered(table, value)?,
        "tag" => tag(table, value)?,
        _ => return Ok(None),
    }))
}

fn leaf<'j>(at: Value<'j>, name: &str) -> Result<Format<'j>, CompileError> {
    Ok(match name {
        "const_string" => Format::Text(Fields::of(at, "const_string", &["type", "value"])?.text("value")?),
        "json_schema" => {
            let fields = Fields::of(at, "json_schema", &["type", "json_schema", "style", "any_order"])?;
            if fields.flag("any_order", Flag::Off)? == Flag::On {
                let message = "the order of members is the compiler's policy (`key_order`), the same for all schemas: remove \
                               \"any_order\"";
                return Err(unsupported(at, "any_order", message));
            }
            let style = match fields.get("style") {
                None => Style::Json,
                Some(style) => match text(style, "style")? {
                    "json" => Style::Json,
                    named => Style::Named(parameters::check_style(style, named)?),
                },
            };
            Format::Schema { schema: fields.required("json_schema")?, style }
        }
        // The older name of a style.
        "qwen_xml_parameter" => {
            let fields = Fields::of(at, "qwen_xml_parameter", &["type", "json_schema"])?;
            Format::Schema { schema: fields.required("json_schema")?, style: Style::Named("qwen_xml") }
        }
        "regex" => Format::Pattern(Fields::of(at, "regex", &["type", "pattern"])?.required("pattern")?),
        "any_text" => {
            let fields = Fields::of(at, "any_text", &["type", "excludes", "max_tokens", "max_chars"])?;
            if let Some(max) = fields.get("max_tokens") {
                let message = "how many tokens spell a text is no condition on the text: use \"max_chars\", or any_tokens";
                return Err(unsupported(max, "max_tokens", message));
            }
            Format::AnyText { excludes: fields.texts("excludes")?, max_chars: fields.count("max_chars")? }
        }
        "until" => {
            let fields = Fields::of(at, "until", &["type", "stop"])?;
            Format::Until(mark(fields.required("stop")?, "until")?)
        }
        _ => Format::Grammar(Fields::of(at, "grammar", &["type", "grammar"])?.required("grammar")?),
    })
}

fn tokens<'j>(at: Value<'j>, name: &str) -> Result<Format<'j>, CompileError> {
    Ok(match name {
        "token" => {
            let fields = Fields::of(at, "token", &["type", "token"])?;
            Format::Token(vec![token(fields.required("token")?, "token")?])
        }
        "exclude_token" => {
            let fields = Fields::of(at, "exclude_token", &["type", "exclude_tokens"])?;
            Format::OtherToken(fields.tokens("exclude_tokens")?)
        }
        _ => {
            let fields = Fields::of(at, "any_tokens", &["type", "exclude_tokens", "max_tokens"])?;
            Format::AnyTokens { excludes: fields.tokens("exclude_tokens")?, max: fields.count("max_tokens")? }
        }
    })
}

fn repeat<'j>(table: &mut Table<'j>, at: Value<'j>, name: &str) -> Result<Format<'j>, CompileError> {
    let names: &[&str] =
        if name == "repeat" { &["type", "content", "min", "max"] } else { &["type", "content"] };
    let fields = Fields::of(at, "repeat", names)?;
    let (min, max) = match name {
        "optional" => (0, Some(1)),
        "plus" => (1, None),
        "star" => (0, None),
        _ => {
            let (min, max) = (fields.required("min")?, fields.required("max")?);
            let max = match max.kind() {
                Kind::Number("-1") => None,
                _ => Some(count(max, "max")?),
            };
            (count(min, "min")?, max)
        }
    };
    if max.is_some_and(|max| max < min) {
        return Err(invalid(at, "repeat", "\"max\" is below \"min\": no text can match"));
    }
    Ok(Format::Repeat { content: table.child(fields.required("content")?, Expected::Format), min, max })
}

/// A text, or a token as `{"type": "token", "token": ...}` or `{"token": ...}`.
pub(super) fn mark<'j>(at: Value<'j>, what: &'static str) -> Result<Mark<'j>, CompileError> {
    if at.is_object() {
        let fields = Fields::of(at, what, &["type", "token"])?;
        if let Some(kind) = fields.get("type")
            && kind.as_str() != Some("token")
        {
            return Err(invalid(
                kind,
                what,
                "expected a text, or a token: {\"type\": \"token\", \"token\": ...}",
            ));
        }
        return Ok(Mark::Token(token(fields.required("token")?, what)?));
    }
    Ok(Mark::Text(nonempty(at, what)?))
}

/// A tag, whose type may be left out.
pub(super) fn tag<'j>(table: &mut Table<'j>, at: Value<'j>) -> Result<Format<'j>, CompileError> {
    let names = ["type", "begin", "content", "end", "json_schema", "schema", "xml_parameters", "xml_form"];
    if let Some(kind) = at.get("type")
        && text(kind, "type")? != "tag"
    {
        return Err(invalid(
            kind,
            "tag",
            "expected a tag: {\"type\": \"tag\", \"begin\": ..., \"content\": ..., \"end\": ...}",
        ));
    }
    let fields = Fields::of(at, "tag", &names)?;
    let begin = match fields.required("begin")? {
        value if value.as_str() == Some("") => Mark::Text(""),
        value => mark(value, "begin")?,
    };
    let content = content(table, fields)?;
    Ok(Format::Tag { begin, content, end: ends(fields.required("end")?)? })
}

/// What a tag holds: a format, or a schema in one of the short forms.
fn content<'j>(table: &mut Table<'j>, tag: Fields<'j>) -> Result<usize, CompileError> {
    let given: Vec<&str> = ["content", "json_schema", "schema", "xml_parameters"]
        .into_iter()
        .filter(|name| tag.get(name).is_some())
        .collect();
    if given != ["xml_parameters"]
        && let Some(form) = tag.get("xml_form")
    {
        return Err(invalid(
            form,
            "tag",
            "\"xml_form\" says how \"xml_parameters\" are written, which are missing",
        ));
    }
    match given.as_slice() {
        ["content"] => Ok(table.child(tag.required("content")?, Expected::Format)),
        [schema @ ("json_schema" | "schema")] => Ok(table.child(tag.required(schema)?, Expected::Schema)),
        ["xml_parameters"] => {
            let schema = tag.required("xml_parameters")?;
            let style = parameters::written(tag.required("xml_form")?)?;
            Ok(table.made(schema, Format::Schema { schema, style }))
        }
        _ => {
            let message = "a tag has one \"content\" (or \"json_schema\", or \"xml_parameters\")";
            Err(invalid(tag.at, "tag", message))
        }
    }
}

/// What ends a tag: a text, one of several, a token, or nothing.
pub(super) fn ends(end: Value<'_>) -> Result<Ends<'_>, CompileError> {
    Ok(if end.is_array() {
        let texts: Vec<&str> = end
            .items()
            .map(|item| if item.as_str() == Some("") { Ok("") } else { nonempty(item, "end") })
            .collect::<Result<_, _>>()?;
        match texts.as_slice() {
            [] => return Err(invalid(end, "end", "expected at least one text")),
            [""] => Ends::Texts(Vec::new()),
            all if all.contains(&"") => {
                return Err(invalid(
                    end,
                    "end",
                    "a tag that may end with the empty text ends where its content does: remove the other texts",
                ));
            }
            _ => Ends::Texts(texts),
        }
    } else if end.as_str() == Some("") {
        Ends::Texts(Vec::new())
    } else {
        match mark(end, "end")? {
            Mark::Text(text) => Ends::Texts(vec![text]),
            Mark::Token(token) => Ends::Token(token),
        }
    })
}

fn triggered<'j>(table: &mut Table<'j>, at: Value<'j>) -> Result<Format<'j>, CompileError> {
    let names = [
        "type",
        "triggers",
        "tags",
        "at_least_one",
        "stop_after_first",
        "excludes",
        "free_text",
        "word_boundary",
    ];
    let fields = Fields::of(at, "triggered_tags", &names)?;
    let triggers = triggers(fields)?;
    let excludes = fields.texts("excludes")?;
    let boundary = match fields.flag("word_boundary", Flag::Off)? {
        Flag::On => Boundary::AfterWords,
        Flag::Off => Boundary::Anywhere,
    };
    let tags = table.children(fields, "tags", Expected::Tag)?;
    let at_least_one = fields.flag("at_least_one", Flag::Off)?;
    let stop_after_first = fields.flag("stop_after_first", Flag::Off)?;
    if fields.flag("free_text", Flag::On)? == Flag::Off {
        return Ok(Format::Separated { tags, separator: "", at_least_one, stop_after_first });
    }
    let by = Triggers::Texts { triggers, excludes, boundary };
    Ok(Format::Triggered { by, tags, at_least_one, stop_after_first })
}

fn triggers<'j>(fields: Fields<'j>) -> Result<Vec<&'j str>, CompileError> {
    let list = fields.required("triggers")?;
    let mut triggers = fields.texts("triggers")?;
    if triggers.is_empty() {
        return Err(invalid(list, "triggers", "expected at least one text: nothing else begins a tag"));
    }
    triggers.sort_unstable();
    triggers.dedup();
    Ok(triggers)
}

fn token_triggered<'j>(table: &mut Table<'j>, at: Value<'j>) -> Result<Format<'j>, CompileError> {
    let names = ["type", "trigger_tokens", "tags", "exclude_tokens", "at_least_one", "stop_after_first"];
    let fields = Fields::of(at, "token_triggered_tags", &names)?;
    let list = fields.required("trigger_tokens")?;
    let triggers = fields.tokens("trigger_tokens")?;
    if triggers.is_empty() {
        return Err(invalid(
            list,
            "trigger_tokens",
            "expected at least one token: nothing else begins a tag",
        ));
    }
    let by = Triggers::Tokens { triggers, excludes: fields.tokens("exclude_tokens")? };
    let tags = table.children(fields, "tags", Expected::Tag)?;
    let at_least_one = fields.flag("at_least_one", Flag::Off)?;
    Ok(Format::Triggered {
        by,
        tags,
        at_least_one,
        stop_after_first: fields.flag("stop_after_first", Flag::Off)?,
    })
}

/// Free text in which a pattern asks for a format: tags without an end, which are their own triggers.
fn dispatch<'j>(table: &mut Table<'j>, at: Value<'j>, name: &str) -> Result<Format<'j>, CompileError> {
    let by_token = name == "token_dispatch";
    let excludes = if by_token { "exclude_tokens" } else { "excludes" };
    let fields = Fields::of(at, "dispatch", &["type", "rules", "loop", excludes])?;
    let rules = fields.list("rules")?;
    if rules.is_empty() {
        return Err(invalid(at, "rules", "expected at least one rule: [pattern, format]"));
    }
    let (mut tags, mut texts, mut named) = (Vec::new(), Vec::new(), Vec::new());
    for rule in rules {
        let (Some(pattern), Some(format), 2) = (rule.item(0), rule.item(1), rule.len()) else {
            return Err(invalid(rule, "rules", "expected a pair: [pattern, format]"));
        };
        let begin = if by_token {
            let token = token(pattern, "rules")?;
            named.push(token.clone());
            Mark::Token(token)
        } else {
            let text = nonempty(pattern, "rules")?;
            texts.push(text);
            Mark::Text(text)
        };
        tags.push(table.made_tag(rule, begin, format));
    }
    let by = if by_token {
        Triggers::Tokens { triggers: named, excludes: fields.tokens(excludes)? }
    } else {
        texts.sort_unstable();
        texts.dedup();
        Triggers::Texts { triggers: texts, excludes: fields.texts(excludes)?, boundary: Boundary::Anywhere }
    };
    let stop_after_first = match fields.flag("loop", Flag::On)? {
        Flag::On => Flag::Off,
        Flag::Off => Flag::On,
    };
    Ok(Format::Triggered { by, tags, at_least_one: Flag::Off, stop_after_first })
}

fn separated<'j>(table: &mut Table<'j>, at: Value<'j>) -> Result<Format<'j>, CompileError> {
    let names = ["type", "tags", "separator", "at_least_one", "stop_after_first"];
    let fields = Fields::of(at, "tags_with_separator", &names)?;
    Ok(Format::Separated {
        tags: table.children(fields, "tags", Expected::Tag)?,
        separator: fields.text("separator")?,
        at_least_one: fields.flag("at_least_one", Flag::Off)?,
        stop_after_first: fields.flag("stop_after_first", Flag::Off)?,
    })
}
