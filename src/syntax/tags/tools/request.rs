//! Reads a request from JSON, as chat APIs spell it.

use crate::error::{CompileError, CompileErrorKind, Place};
use crate::syntax::json::{Json, Kind, Value};
use crate::syntax::tags::fields::{Fields, Flag, invalid, text, unknown};
use crate::syntax::tags::reasoning::Reasoning;
use crate::syntax::tags::tools::{
    AllowedMode, Markers, Parallel, Tool, ToolChoice, ToolFamily, ToolsRequest,
};

pub(super) fn read(source: &str) -> Result<ToolsRequest, CompileError> {
    let json = Json::read(source)?;
    let names = ["tools", "tool_choice", "parallel_tool_calls", "family", "markers", "reasoning"];
    let fields = Fields::of(json.root(), "tools", &names)?;
    let tools = fields.list("tools")?.into_iter().map(tool).collect::<Result<_, _>>()?;
    let family = fields.required("family")?;
    let name = text(family, "family")?;
    let known: Vec<&str> = ToolFamily::NAMED.iter().map(|(name, _)| *name).collect();
    let Some((_, family)) = ToolFamily::NAMED.into_iter().find(|(known, _)| *known == name) else {
        return Err(unknown(family, "family", name, &known));
    };
    let markers = match fields.get("markers") {
        None => None,
        Some(value) => Some(match text(value, "markers")? {
            "tokens" => Markers::Tokens,
            "text" => Markers::Text,
            other => return Err(unknown(value, "markers", other, &["tokens", "text"])),
        }),
    };
    let parallel = match fields.flag("parallel_tool_calls", Flag::On)? {
        Flag::On => Parallel::Many,
        Flag::Off => Parallel::One,
    };
    let choice = fields.get("tool_choice").map_or(Ok(ToolChoice::Auto), choice)?;
    let reasoning = fields.get("reasoning").map(Reasoning::read).transpose()?;
    let request = ToolsRequest { tools, choice, parallel, family, markers, reasoning };
    super::calls::check(&request)?;
    Ok(request)
}

fn tool(at: Value<'_>) -> Result<Tool, CompileError> {
    let fields = Fields::of(at, "tool", &["type", "function"])?;
    expect_function(fields.required("type")?)?;
    let names = ["name", "description", "parameters", "strict"];
    let function = Fields::of(fields.required("function")?, "function", &names)?;
    if let Some(description) = function.get("description") {
        text(description, "description")?;
    }
    function.flag("strict", Flag::On)?;
    let name = function.text("name")?.to_owned();
    if let Some(schema) = function.get("parameters")
        && !schema.is_object()
        && !matches!(schema.kind(), Kind::Boolean(_))
    {
        return Err(invalid(
            schema,
            "parameters",
            format!("expected a JSON Schema, found {}", schema.kind().words()),
        ));
    }
    Ok(Tool { name, parameters: function.get("parameters").map(Value::to_text) })
}

fn expect_function(kind: Value<'_>) -> Result<(), CompileError> {
    match text(kind, "type")? {
        "function" => Ok(()),
        other => Err(unknown(kind, "type", other, &["function"])),
    }
}

fn choice(at: Value<'_>) -> Result<ToolChoice, CompileError> {
    if let Some(word) = at.as_str() {
        return match word {
            "auto" => Ok(ToolChoice::Auto),
            "required" => Ok(ToolChoice::Required),
            "none" => Ok(ToolChoice::None),
            other => Err(unknown(at, "tool_choice", other, &["auto", "required", "none"])),
        };
    }
    let names = ["type", "function", "allowed_tools", "mode", "tools"];
    let fields = Fields::of(at, "tool_choice", &names)?;
    let kind = fields.required("type")?;
    match text(kind, "type")? {
        "function" => {
            let fields = Fields::of(at, "tool_choice", &["type", "function"])?;
            let function = Fields::of(fields.required("function")?, "function", &["name"])?;
            Ok(ToolChoice::Function(function.text("name")?.to_owned()))
        }
        "allowed_tools" => {
            // Chat completions nest the list one object deeper than responses do.
            let inner = match fields.get("allowed_tools") {
                Some(inner) => Fields::of(inner, "allowed_tools", &["mode", "tools"])?,
                None => Fields::of(at, "tool_choice", &["type", "mode", "tools"])?,
            };
            let mode = match inner.get("mode").map(|mode| (mode, text(mode, "mode"))) {
                None => AllowedMode::Auto,
                Some((mode, word)) => match word? {
                    "auto" => AllowedMode::Auto,
                    "required" => AllowedMode::Required,
                    other => return Err(unknown(mode, "mode", other, &["auto", "required"])),
                },
            };
            let tools = inner.required("tools")?;
            let names = tools.items().map(allowed).collect::<Result<Vec<_>, _>>()?;
            Ok(ToolChoice::Allowed { names, mode })
        }
        other => Err(unknown(kind, "type", other, &["function", "allowed_tools"])),
    }
}

fn allowed(at: Value<'_>) -> Result<String, CompileError> {
    let fields = Fields::of(at, "tool", &["type", "function", "name"])?;
    expect_function(fields.required("type")?)?;
    match fields.get("function") {
        Some(function) => Ok(Fields::of(function, "function", &["name"])?.text("name")?.to_owned()),
        None => Ok(fields.text("name")?.to_owned()),
    }
}

/// A refusal of a request at a JSON Pointer.
pub(super) fn refuse(kind: CompileErrorKind, pointer: &str, subject: &str, message: String) -> CompileError {
    CompileError::new(kind, Place::pointer(pointer), subject, message)
}
