//! What the families have in common: which tools may be called, how their arguments are written, and free text around calls.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::error::{CompileError, CompileErrorKind};
use crate::grammar::nearest::nearest;
use crate::grammar::policy::Whitespace;
use crate::grammar::program::Kinds;
use crate::grammar::regex::{CharSet, Regex};
use crate::grammar::rules::{Builder, TokenMember, TokenSet};
use crate::index::ExprId;
use crate::limits::{TOOL_NAME_BYTES_MAX, TOOLS_MAX};
use crate::syntax::schema::SchemaOptions;
use crate::syntax::tags::by_text::choice_by_text;
use crate::syntax::tags::free::Free;
use crate::syntax::tags::parameters::{self, Described, Form, Piece};
use crate::syntax::tags::schemas::{self, Schemas, of_kinds};
use crate::syntax::tags::tools::request::refuse;
use crate::syntax::tags::tools::{AllowedMode, Markers, Parallel, ToolChoice, ToolFamily, ToolsRequest};

/// A grammar of answers while it is made.
pub(super) struct Calls<'r> {
    pub(super) family: ToolFamily,
    pub(super) builder: Builder,
    schemas: Schemas<'r>,
    markers: Markers,
    /// The name and the schema's number of each tool that may be called.
    tools: Vec<(&'r str, usize)>,
    /// The arguments as JSON, by the schema's number.
    documents: FxHashMap<usize, ExprId>,
    pub(super) demand: Demand,
    pub(super) parallel: Parallel,
}

/// Whether tools are called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Demand {
    Never,
    Maybe,
    Surely,
}

/// What stands between two calls, or two groups of calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Between {
    /// Only these, where text was not asked for; free text elsewhere.
    Text(Regex),
    /// Nothing may follow a group.
    Nothing,
}

/// The schema of a tool without parameters.
const NO_PARAMETERS: &str = r#"{"type":"object","additionalProperties":false}"#;

/// Checks what does not depend on schemas.
pub(super) fn check(request: &ToolsRequest) -> Result<(), CompileError> {
    let refused = |pointer: &str, subject: &str, message| {
        Err(refuse(CompileErrorKind::Invalid, pointer, subject, message))
    };
    if request.tools.len() > TOOLS_MAX {
        let message =
            format!("there are {} tools, at most {TOOLS_MAX} are allowed (TOOLS_MAX)", request.tools.len());
        return Err(refuse(CompileErrorKind::Limit, "/tools", "tools", message));
    }
    let mut names = FxHashSet::default();
    for (at, tool) in request.tools.iter().enumerate() {
        let pointer = format!("/tools/{at}/function/name");
        let plain = |c: char| c.is_ascii_alphanumeric() || "_-.:/".contains(c);
        if tool.name.is_empty() || tool.name.len() > TOOL_NAME_BYTES_MAX || !tool.name.chars().all(plain) {
            let message = format!(
                "{:?} can't name a tool: use 1 to {TOOL_NAME_BYTES_MAX} letters, digits and _ - . : /",
                tool.name.chars().take(64).collect::<String>()
            );
            return refused(&pointer, "name", message);
        }
        if !names.insert(tool.name.as_str()) {
            return refused(&pointer, "name", format!("two tools have the name {:?}", tool.name));
        }
    }
    let (pointer, chosen): (&str, &[String]) = match &request.choice {
        ToolChoice::Function(name) => ("/tool_choice/function/name", std::slice::from_ref(name)),
        ToolChoice::Allowed { names, .. } => ("/tool_choice/allowed_tools/tools", names),
        _ => ("/tool_choice", &[]),
    };
    for name in chosen {
        if !names.contains(name.as_str()) {
            let known = request.tools.iter().map(|tool| tool.name.as_str());
            let help =
                nearest(name, known).map_or(String::new(), |known| format!(": did you mean {known:?}?"));
            return refused(pointer, "tool_choice", format!("there is no tool {name:?}{help}"));
        }
    }
    Ok(())
}

impl<'r> Calls<'r> {
    pub(super) fn of(request: &'r ToolsRequest, options: &'r SchemaOptions) -> Result<Self, CompileError> {
        check(request)?;
        let mut calls = Self {
            family: request.family,
            builder: Builder::new(),
            schemas: Schemas::new(options),
            markers: request.markers.unwrap_or(request.family.markers()),
            tools: Vec::new(),
            documents: FxHashMap::default(),
            demand: Demand::Maybe,
            parallel: request.parallel,
        };
        let mut allowed: Option<FxHashSet<&str>> = None;
        match &request.choice {
            ToolChoice::Auto => {}
            ToolChoice::Required => calls.demand = Demand::Surely,
            ToolChoice::None => calls.demand = Demand::Never,
            ToolChoice::Function(name) => {
                (calls.demand, calls.parallel) = (Demand::Surely, Parallel::One);
                allowed = Some([name.as_str()].into_iter().collect());
            }
            ToolChoice::Allowed { names, mode } => {
                if *mode == AllowedMode::Required {
                    calls.demand = Demand::Surely;
                }
                allowed = Some(names.iter().map(String::as_str).collect());
            }
        }
        for (at, tool) in request.tools.iter().enumerate() {
            if calls.demand == Demand::Never
                || allowed.as_ref().is_some_and(|all| !all.contains(tool.name.as_str()))
            {
                continue;
            }
            let pointer = format!("/tools/{at}/function/parameters");
            let text = tool.parameters.clone().unwrap_or_else(|| NO_PARAMETERS.to_owned());
            let number = calls.schemas.text(text, &pointer)?;
            calls.tools.push((tool.name.as_str(), number));
        }
        if calls.tools.is_empty() {
            if calls.demand == Demand::Surely {
                let message = "a call is required, and no tool may be called".to_owned();
                return Err(refuse(CompileErrorKind::Unsatisfiable, "/tool_choice", "tool_choice", message));
            }
            calls.demand = Demand::Never;
        }
        Ok(calls)
    }

    pub(super) fn finish(mut self, body: ExprId) -> Result<schemas::Described, CompileError> {
        let start = self.builder.rule("answer", None);
        self.builder.define(start, body, None)?;
        Ok(self.schemas.described(self.builder.finish(start)?, Kinds::OBJECT))
    }

    /// Blanks inside the JSON that holds a call, by the policy for documents.
    pub(super) fn blanks(&self) -> Regex {
        let blank = || Regex::set(CharSet::of(" \t"));
        match self.schemas.options.policy.whitespace {
            Whitespace::None => Regex::Empty,
            Whitespace::Bounded => {
                let newline = Regex::literal("\r").optional().then(Regex::literal("\n"));
                newline.optional().then(blank().repeat(0, Some(128)))
            }
            Whitespace::Free => Regex::set(CharSet::of(" \t\r\n")).star(),
        }
    }

    /// A marker of the format.
    pub(super) fn marker(&mut self, name: &str) -> ExprId {
        match self.markers {
            Markers::Tokens => self.token(name),
            Markers::Text => self.builder.text(name),
        }
    }

    /// The same, for parameters.
    pub(super) fn piece(&self, name: &str) -> Piece {
        match self.markers {
            Markers::Tokens => Piece::Token(name.to_owned()),
            Markers::Text => Piece::text(name),
        }
    }

    fn token(&mut self, name: &str) -> ExprId {
        let members = vec![TokenMember::Name(name.into())];
        self.builder.token(TokenSet { members, negated: false })
    }

    pub(super) fn uses_tokens(&self) -> bool {
        self.markers == Markers::Tokens
    }

    pub(super) fn text(&mut self, text: &str) -> ExprId {
        self.builder.text(text)
    }

    /// One of the tools: its name, what `behind_name` makes, its arguments as a JSON object.
    pub(super) fn json_call(&mut self, behind_name: &[ExprId]) -> ExprId {
        self.call(behind_name, |calls, number| {
            if let Some(&known) = calls.documents.get(&number) {
                return Ok(known);
            }
            let program = calls.schemas.program(number);
            let program = of_kinds(program, program.root, Kinds::OBJECT);
            let document = calls.builder.schema(program);
            calls.documents.insert(number, document);
            Ok(document)
        })
        .unwrap_or_else(|_| unreachable!("a document is never refused"))
    }

    /// One of the tools: its name, what stands behind it, its arguments one by one.
    pub(super) fn parameters_call(
        &mut self,
        behind_name: &[ExprId],
        form: &Form,
    ) -> Result<ExprId, CompileError> {
        self.call(behind_name, |calls, number| {
            let pointer = calls.schemas.pointer(number).to_owned();
            let what = Described { number, pointer: &pointer };
            parameters::build(&mut calls.builder, &mut calls.schemas, &what, form)
        })
    }

    fn call(
        &mut self,
        behind_name: &[ExprId],
        mut arguments: impl FnMut(&mut Self, usize) -> Result<ExprId, CompileError>,
    ) -> Result<ExprId, CompileError> {
        let mut known: FxHashMap<usize, ExprId> = FxHashMap::default();
        let mut named = Vec::with_capacity(self.tools.len());
        for (name, number) in self.tools.clone() {
            let behind = match known.get(&number) {
                Some(&behind) => behind,
                None => {
                    let arguments = arguments(self, number)?;
                    let parts = behind_name.iter().copied().chain([arguments]);
                    let behind = self.builder.sequence(parts);
                    known.insert(number, behind);
                    behind
                }
            };
            named.push((name, behind));
        }
        Ok(choice_by_text(&mut self.builder, named))
    }

    /// A JSON object with a name and the arguments under `key`.
    pub(super) fn json_object(&mut self, key: &str) -> ExprId {
        let blanks = self.blanks();
        let lead = Regex::concat([
            Regex::literal("{"),
            blanks.clone(),
            Regex::literal("\"name\":"),
            blanks.clone(),
            Regex::literal("\""),
        ]);
        let middle = Regex::concat([
            Regex::literal("\","),
            blanks.clone(),
            Regex::literal(&format!("\"{key}\":")),
            blanks.clone(),
        ]);
        let (lead, middle) = (self.builder.regex(lead), self.builder.regex(middle));
        let call = self.json_call(&[middle]);
        let close = self.builder.regex(blanks.then(Regex::literal("}")));
        self.builder.sequence([lead, call, close])
    }

    /// Free text without a text that begins calls.
    pub(super) fn free(&mut self, lead: &str) -> ExprId {
        self.builder.regex(Free::without(vec![lead]).rest())
    }

    /// Free text up to and with a marker.
    fn free_to(&mut self, lead: &str) -> ExprId {
        match self.markers {
            Markers::Tokens => {
                let (free, token) = (self.free(lead), self.token(lead));
                self.builder.sequence([free, token])
            }
            Markers::Text => {
                let free = Free { triggers: vec![lead], ..Free::default() };
                self.builder.regex(free.to_trigger(lead))
            }
        }
    }

    /// The answers, where calls come in groups: a group is a marker and what stands behind it.
    pub(super) fn answers(&mut self, lead: &str, group: ExprId, between: Between) -> ExprId {
        let many = self.parallel == Parallel::Many;
        match (self.demand, between) {
            (Demand::Never, _) => self.free(lead),
            (Demand::Surely, between) => {
                let marker = self.marker(lead);
                let first = self.builder.sequence([marker, group]);
                match between {
                    Between::Text(blanks) if many => {
                        let blanks = self.builder.regex(blanks);
                        let next = self.builder.sequence([blanks, first]);
                        let more = self.builder.repeat(next, 0, None);
                        self.builder.sequence([first, more])
                    }
                    _ => first,
                }
            }
            (Demand::Maybe, Between::Text(_)) if many => {
                let (to_call, rest) = (self.free_to(lead), self.free(lead));
                let round = self.builder.sequence([to_call, group]);
                let rounds = self.builder.repeat(round, 0, None);
                self.builder.sequence([rounds, rest])
            }
            (Demand::Maybe, _) => {
                let (to_call, rest) = (self.free_to(lead), self.free(lead));
                let once = self.builder.sequence([to_call, group]);
                self.builder.choice([once, rest])
            }
        }
    }

    /// Calls with a separator between, as many as may be.
    pub(super) fn list(&mut self, call: ExprId, separator: Regex) -> ExprId {
        if self.parallel == Parallel::One {
            return call;
        }
        let separator = self.builder.regex(separator);
        let next = self.builder.sequence([separator, call]);
        let more = self.builder.repeat(next, 0, None);
        self.builder.sequence([call, more])
    }
}
