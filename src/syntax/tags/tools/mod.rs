//! Tool calling: the tools of a request, and what a family of models writes when it calls them.
//!
//! `request` reads the members that chat APIs use; `calls` holds what the families have in common: free text that does not
//! begin a call, one call or several, the arguments. Then one file for each native format; each says what it relies on.

mod calls;
mod request;

mod deepseek;
mod glm;
mod harmony;
mod hermes;
mod kimi;
mod llama;
mod mistral;
mod qwen_coder;

use crate::error::CompileError;
use crate::syntax::schema::SchemaOptions;
use crate::syntax::tags::reasoning::Reasoning;
use crate::syntax::tags::schemas::Described;

use calls::Calls;

/// A request for tool calls, as chat APIs make it.
///
/// ```
/// use maskwright::{Compiler, CompilerConfig, Matcher, ToolsRequest, Vocabulary};
///
/// let request = ToolsRequest::from_json(
///     r#"{"tools": [{"type": "function", "function": {"name": "add", "parameters": {"properties": {"n": {"type": "integer"}}}}}],
///         "tool_choice": "required", "family": "hermes"}"#,
/// )?;
/// let grammar = Compiler::new(Vocabulary::demo(), CompilerConfig::default()).tools(&request)?;
/// let mut matcher = Matcher::new(&grammar);
/// for token in Vocabulary::demo_encode("<tool_call>\n{\"name\": \"add\", \"arguments\": {\"n\": 1}}\n</tool_call>") {
///     matcher.commit(token)?;
/// }
/// assert!(matcher.is_accepting());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToolsRequest {
    /// The tools.
    pub tools: Vec<Tool>,
    /// Whether and which tools are called.
    pub choice: ToolChoice,
    /// How many calls one answer may hold.
    pub parallel: Parallel,
    /// Whose format is written.
    pub family: ToolFamily,
    /// How the format's markers are written; `None`: as the family's own vocabularies do.
    pub markers: Option<Markers>,
    /// Text that comes before everything else.
    pub reasoning: Option<Reasoning>,
}

/// A tool.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tool {
    /// Its name: letters, digits and `_ - . : /`.
    pub name: String,
    /// The JSON Schema of its arguments; `None`: it has none.
    pub parameters: Option<String>,
}

/// Whether and which tools are called.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum ToolChoice {
    /// Text, or calls, or text and then calls.
    #[default]
    Auto,
    /// At least one call.
    Required,
    /// No call.
    None,
    /// One call of this tool.
    Function(String),
    /// As if only these tools were there.
    Allowed {
        /// Their names.
        names: Vec<String>,
        /// Whether one of them must be called.
        mode: AllowedMode,
    },
}

/// Whether a tool must be called.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AllowedMode {
    /// It may.
    #[default]
    Auto,
    /// It must.
    Required,
}

/// How many calls one answer may hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Parallel {
    /// One.
    One,
    /// As many as the family's format has room for.
    #[default]
    Many,
}

/// How markers such as `<tool_call>` are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Markers {
    /// As tokens of the vocabulary that are letters of their own. One that the vocabulary lacks is an error.
    Tokens,
    /// As text that ordinary tokens spell.
    Text,
}

/// A family of models, by the format of its tool calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ToolFamily {
    /// Llama 3: a JSON object in place of an answer.
    Llama3,
    /// Llama 3.1 and later, behind `<|python_tag|>`.
    Llama3PythonTag,
    /// Hermes 2 and later, with markers as text.
    Hermes,
    /// Qwen 2.5 and 3: as Hermes, with markers as tokens.
    Qwen3,
    /// Qwen 3 Coder: parameters between markers.
    Qwen3Coder,
    /// DeepSeek V3 and R1.
    DeepSeekV3,
    /// DeepSeek V3.1.
    DeepSeekV31,
    /// Kimi K2.
    KimiK2,
    /// GLM 4.5 and later.
    Glm45,
    /// gpt-oss.
    Harmony,
    /// Mistral with the tokenizers v3 to v7: a list of calls.
    Mistral,
    /// Mistral with the tokenizers v11 and later: `[TOOL_CALLS]name[ARGS]{...}`.
    MistralV11,
}

impl ToolFamily {
    /// The families by name.
    pub const NAMED: [(&'static str, Self); 12] = [
        ("llama3", Self::Llama3),
        ("llama3_python_tag", Self::Llama3PythonTag),
        ("hermes", Self::Hermes),
        ("qwen3", Self::Qwen3),
        ("qwen3_coder", Self::Qwen3Coder),
        ("deepseek_v3", Self::DeepSeekV3),
        ("deepseek_v3_1", Self::DeepSeekV31),
        ("kimi_k2", Self::KimiK2),
        ("glm_4_5", Self::Glm45),
        ("harmony", Self::Harmony),
        ("mistral", Self::Mistral),
        ("mistral_v11", Self::MistralV11),
    ];

    /// How its own vocabularies write the markers.
    #[must_use]
    pub fn markers(self) -> Markers {
        match self {
            Self::Hermes | Self::Llama3 => Markers::Text,
            _ => Markers::Tokens,
        }
    }

    /// The markers that are tokens of its own vocabularies.
    #[must_use]
    pub fn marker_tokens(self) -> &'static [&'static str] {
        match self {
            Self::Hermes | Self::Llama3 => &[],
            Self::Llama3PythonTag => &llama::TOKENS,
            Self::Qwen3 => &hermes::TOKENS,
            Self::Qwen3Coder => &qwen_coder::TOKENS,
            Self::DeepSeekV3 | Self::DeepSeekV31 => &deepseek::TOKENS,
            Self::KimiK2 => &kimi::TOKENS,
            Self::Glm45 => &glm::TOKENS,
            Self::Harmony => &harmony::TOKENS,
            Self::Mistral => &mistral::TOKENS,
            Self::MistralV11 => &mistral::TOKENS_V11,
        }
    }
}

impl ToolsRequest {
    /// A request for some tools of which the model chooses.
    #[must_use]
    pub fn new(tools: Vec<Tool>, family: ToolFamily) -> Self {
        let (choice, parallel) = (ToolChoice::default(), Parallel::default());
        Self { tools, choice, parallel, family, markers: None, reasoning: None }
    }

    /// Reads `{"tools", "tool_choice", "parallel_tool_calls", "family", "markers", "reasoning"}`: the first three as chat APIs
    /// have them, `family` one of [`ToolFamily::NAMED`], `markers` `"tokens"` or `"text"`, and `reasoning` as in
    /// structural tags. `strict` changes nothing: the arguments always satisfy their schema.
    ///
    /// # Errors
    /// If the text is no JSON or a member is not as it should be, with its JSON Pointer.
    pub fn from_json(text: &str) -> Result<Self, CompileError> {
        request::read(text)
    }

    /// The grammar of the answers, and what of the schemas is enforced.
    ///
    /// # Errors
    /// If a tool is chosen that is not there, two have one name, a name has other characters than it may have, or a schema is
    /// refused.
    pub fn describe(&self, options: &SchemaOptions) -> Result<Described, CompileError> {
        let mut calls = Calls::of(self, options)?;
        let body = match self.family {
            ToolFamily::Llama3 | ToolFamily::Llama3PythonTag => llama::answers(&mut calls)?,
            ToolFamily::Hermes | ToolFamily::Qwen3 => hermes::answers(&mut calls)?,
            ToolFamily::Qwen3Coder => qwen_coder::answers(&mut calls)?,
            ToolFamily::DeepSeekV3 | ToolFamily::DeepSeekV31 => deepseek::answers(&mut calls)?,
            ToolFamily::KimiK2 => kimi::answers(&mut calls)?,
            ToolFamily::Glm45 => glm::answers(&mut calls)?,
            ToolFamily::Harmony => harmony::answers(&mut calls)?,
            ToolFamily::Mistral | ToolFamily::MistralV11 => mistral::answers(&mut calls)?,
        };
        let mut described = calls.finish(body)?;
        if let Some(reasoning) = &self.reasoning {
            described.grammar = reasoning.before(described.grammar);
        }
        Ok(described)
    }
}
