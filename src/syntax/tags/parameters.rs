//! Parameters that are written one by one, as `<parameter=name>value</parameter>`, in place of a JSON object.
//!
//! A value is the text itself if it is a string, and JSON if it is anything else: what is generated for a parameter is the
//! union of the strings that satisfy its schema and of the JSON texts of its other values. Where any string will do, that is
//! any text without the closing marker, and no JSON stands beside it. (Where strings are limited and objects are allowed too, both
//! can be under way at once; if an object must then keep its names, the answer is `Exhausted`.)
//!
//! Parameters come in the order of their declaration, each at most once, the required ones always. Others than those declared
//! would have to be told apart from all before, so none are generated, and the report says so. Schemas that say more about
//! the whole object than which parameters there are, are refused.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::error::{CompileError, CompileErrorKind, Place};
use crate::grammar::program::{Kinds, MemberRule, Node, SchemaProgram};
use crate::grammar::regex::Regex;
use crate::grammar::rules::{Builder, TokenMember, TokenSet};
use crate::index::{ExprId, NodeId};
use crate::limits::{PATTERN_NODES_MAX, PROGRAM_NODES_MAX};
use crate::syntax::json::Value;
use crate::syntax::tags::fields::{invalid, nonempty, unknown, unsupported};
use crate::syntax::tags::format::Style;
use crate::syntax::tags::free::Free;
use crate::syntax::tags::schemas::{Schemas, part};

/// How one parameter is written.
pub(super) struct Form {
    /// Before the name.
    pub(super) before: Vec<Piece>,
    /// Between the name and a value that is a string.
    pub(super) to_text: Vec<Piece>,
    /// Between the name and another value.
    pub(super) to_json: Vec<Piece>,
    /// What may stand on both sides of a value.
    pub(super) pad: Regex,
    /// What ends a value.
    pub(super) close: Piece,
    /// What stands behind it.
    pub(super) tail: Regex,
}

/// A piece of a form.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Piece {
    Text(String),
    Blank(Regex),
    /// A token as a letter; where strings end with it, they don't contain its name.
    Token(String),
}

impl Piece {
    pub(super) fn text(text: &str) -> Self {
        Self::Text(text.to_owned())
    }

    pub(super) fn build(&self, builder: &mut Builder) -> ExprId {
        match self {
            Self::Text(text) => builder.text(text),
            Self::Blank(regex) => builder.regex(regex.clone()),
            Self::Token(name) => {
                let members = vec![TokenMember::Name(name.as_str().into())];
                builder.token(TokenSet { members, negated: false })
            }
        }
    }
}

impl Form {
    /// Three texts: before the name, between it and the value, and behind the value.
    pub(super) fn plain(before: &str, middle: &str, behind: &str) -> Self {
        Self {
            before: vec![Piece::text(before)],
            to_text: vec![Piece::text(middle)],
            to_json: vec![Piece::text(middle)],
            pad: Regex::Empty,
            close: Piece::text(behind),
            tail: Regex::Empty,
        }
    }

    /// The form of Qwen 3 Coder: a line for each marker and for the value.
    pub(super) fn qwen() -> Self {
        let newline = Regex::literal("\n").optional();
        Self { pad: newline.clone(), tail: newline, ..Self::plain("<parameter=", ">", "</parameter>") }
    }
}

/// Styles of `json_schema` by name.
const STYLES: [&str; 4] = ["qwen_xml", "minimax_xml", "deepseek_xml", "glm_xml"];

/// Styles that peers have and that are not written here.
const OTHER_STYLES: [&str; 2] = ["cohere_xml", "kimi_k3_xml"];

pub(super) fn check_style<'j>(at: Value<'j>, name: &'j str) -> Result<&'j str, CompileError> {
    if OTHER_STYLES.contains(&name) {
        let message = format!("the style {name:?} is not supported yet: use one of {}", STYLES.join(", "));
        return Err(unsupported(at, "style", message));
    }
    if STYLES.contains(&name) {
        return Ok(name);
    }
    let all: Vec<&str> = ["json"].into_iter().chain(STYLES).collect();
    Err(unknown(at, "style", name, &all))
}

/// The form of a style that has been checked.
pub(super) fn named(style: &str) -> Form {
    let newline = || Regex::literal("\n").optional();
    match style {
        "minimax_xml" => Form {
            pad: newline(),
            tail: newline(),
            ..Form::plain("<parameter name=\"", "\">", "</parameter>")
        },
        "deepseek_xml" => Form {
            to_text: vec![Piece::text("\" string=\"true\">")],
            to_json: vec![Piece::text("\" string=\"false\">")],
            tail: newline(),
            ..Form::plain("<｜DSML｜parameter name=\"", "", "</｜DSML｜parameter>")
        },
        "glm_xml" => {
            let middle = vec![Piece::text("</arg_key>"), Piece::Blank(newline()), Piece::text("<arg_value>")];
            Form {
                to_text: middle.clone(),
                to_json: middle,
                tail: newline(),
                ..Form::plain("<arg_key>", "", "</arg_value>")
            }
        }
        _ => Form::qwen(),
    }
}

/// A form as in `<p name="K">V</p>`.
pub(super) fn written<'j>(at: Value<'j>) -> Result<Style<'j>, CompileError> {
    let form = nonempty(at, "xml_form")?;
    let key = form.match_indices('K').map(|(at, _)| at).collect::<Vec<_>>();
    let value = form.match_indices('V').map(|(at, _)| at).collect::<Vec<_>>();
    match (key.as_slice(), value.as_slice()) {
        (&[key], &[value]) if key < value && value + 1 < form.len() => {
            Ok(Style::Written(&form[..key], &form[key + 1..value], &form[value + 1..]))
        }
        _ => {
            let message = "expected a text with one K (the name), then one V (the value), and something behind it, as in <p name=\"K\">V</p>";
            Err(invalid(at, "xml_form", message))
        }
    }
}

/// A schema of parameters and where it stands.
pub(super) struct Described<'p> {
    pub(super) number: usize,
    pub(super) pointer: &'p str,
}

/// The parameters that a schema describes, one after the other.
pub(super) fn build(
    builder: &mut Builder,
    schemas: &mut Schemas<'_>,
    what: &Described<'_>,
    form: &Form,
) -> Result<ExprId, CompileError> {
    let program = schemas.program(what.number).clone();
    let declared = Declared::of(&program, what.pointer)?;
    if declared.others {
        let note =
            "parameters that are not declared are not generated, and those declared come in their order";
        schemas.narrowed(what.pointer, "additionalProperties", note);
    }
    let mut nodes = 0;
    let mut all = Vec::with_capacity(declared.parameters.len());
    for (name, node, required) in &declared.parameters {
        if name.is_empty() || name.contains(['<', '>', '"', '\n']) {
            let message = format!(
                "{name:?} can't be the name of a parameter between markers: use letters, digits, _ and -"
            );
            return Err(refuse(CompileErrorKind::Unsupported, what.pointer, "properties", message));
        }
        let others = Kinds(Kinds::ALL.0 & !Kinds::STRING.0);
        let json = part(&program, *node, others);
        nodes += json.nodes.len();
        if nodes > PROGRAM_NODES_MAX {
            let message = format!(
                "the schemas of its parameters have more than {PROGRAM_NODES_MAX} nodes (PROGRAM_NODES_MAX)"
            );
            return Err(refuse(CompileErrorKind::Limit, what.pointer, "properties", message));
        }
        let strings = strings_of(&program, *node).map_err(|e| e.below(what.pointer))?;
        let one = parameter(builder, name, (strings, json), form);
        all.push(if *required { one } else { builder.optional(one) });
    }
    Ok(builder.sequence(all))
}

/// One parameter: its name, and a string as it is or another value as JSON.
fn parameter(
    builder: &mut Builder,
    name: &str,
    (strings, json): (Regex, SchemaProgram),
    form: &Form,
) -> ExprId {
    let any = strings.is_any_text();
    let mut ways = Vec::new();
    if strings != Regex::Nothing {
        let mut parts: Vec<ExprId> = form.to_text.iter().map(|piece| piece.build(builder)).collect();
        let padded = Regex::concat([form.pad.clone(), strings, form.pad.clone()]);
        match &form.close {
            Piece::Token(name) => {
                let free = Free::without(vec![name]).rest();
                parts.push(builder.regex(Regex::and([padded, free])));
                parts.push(form.close.build(builder));
            }
            Piece::Text(close) => {
                let free = Free { ends: vec![close.as_str()], ..Free::default() };
                let closed = padded.then(Regex::literal(close));
                parts.push(builder.regex(Regex::and([closed, free.to_end()])));
            }
            Piece::Blank(_) => unreachable!("a value ends with a text or a token"),
        }
        ways.push(builder.sequence(parts));
    }
    if !any {
        let mut parts: Vec<ExprId> = form.to_json.iter().map(|piece| piece.build(builder)).collect();
        let pad = builder.regex(form.pad.clone());
        let (value, close) = (builder.schema(json), form.close.build(builder));
        parts.extend([pad, value, pad, close]);
        ways.push(builder.sequence(parts));
    }
    let mut parts: Vec<ExprId> = form.before.iter().map(|piece| piece.build(builder)).collect();
    parts.push(builder.text(name));
    parts.push(builder.choice(ways));
    parts.push(builder.regex(form.tail.clone()));
    builder.sequence(parts)
}

/// The parameters of a schema.
struct Declared {
    /// Name, what the value must satisfy, whether it must be there.
    parameters: Vec<(Box<str>, NodeId, bool)>,
    /// Whether others are allowed.
    others: bool,
}

impl Declared {
    fn of(program: &SchemaProgram, pointer: &str) -> Result<Self, CompileError> {
        let mut rule: Option<&MemberRule> = None;
        let mut required: FxHashSet<&str> = FxHashSet::default();
        let mut in_order: Vec<&str> = Vec::new();
        let mut pending = vec![program.root];
        while let Some(node) = pending.pop() {
            let refused = |what: &str| {
                let message = format!(
                    "parameters that are written one by one are described by \"properties\" and \"required\" alone: {what}"
                );
                let at = format!("{pointer}{}", program.places[node.index()]);
                Err(refuse(CompileErrorKind::Unsupported, &at, "parameters", message))
            };
            match &program.nodes[node.index()] {
                Node::True => {}
                Node::All(parts) => pending.extend(parts.iter().rev()),
                Node::Kind(kinds) if kinds.contains(Kinds::OBJECT) => {}
                Node::Required(name) => {
                    if required.insert(name) {
                        in_order.push(name);
                    }
                }
                Node::Members(members) if !members.patterns.is_empty() => {
                    return refused("names that match a pattern are too many to list");
                }
                Node::Members(members) if rule.is_none() => rule = Some(members),
                Node::Members(_) => return refused("several schemas say which there are"),
                Node::Text(_)
                | Node::Number(_)
                | Node::Items { .. }
                | Node::MinItems(_)
                | Node::MaxItems(_) => {}
                _ => return refused("this says more"),
            }
        }
        let any = program.nodes.iter().position(|node| *node == Node::True).map(NodeId::new);
        let rest = rule.map(|rule| rule.rest);
        let mut parameters: Vec<(Box<str>, NodeId, bool)> = Vec::new();
        for (name, node) in rule.into_iter().flat_map(|rule| &rule.properties) {
            parameters.push((name.clone(), *node, required.contains(&**name)));
        }
        let declared: FxHashSet<&str> =
            rule.into_iter().flat_map(|rule| rule.properties.iter().map(|(name, _)| &**name)).collect();
        for name in in_order {
            if !declared.contains(name) {
                let Some(node) = rest.or(any) else {
                    let message = format!(
                        "the parameter {name:?} is required and not declared: add it to \"properties\""
                    );
                    return Err(refuse(CompileErrorKind::Unsupported, pointer, "required", message));
                };
                parameters.push((name.into(), node, true));
            }
        }
        let closed = rest.is_some_and(|rest| program.nodes[rest.index()] == Node::False);
        Ok(Self { parameters, others: !closed })
    }
}

/// The strings that satisfy a node. What it says about values of other types holds of every string.
fn strings_of(program: &SchemaProgram, node: NodeId) -> Result<Regex, CompileError> {
    let mut known: FxHashMap<NodeId, Regex> = FxHashMap::default();
    let mut pending = vec![(node, false)];
    while let Some((at, ready)) = pending.pop() {
        if known.contains_key(&at) {
            continue;
        }
        let parts: &[NodeId] = match &program.nodes[at.index()] {
            Node::All(parts) | Node::Any(parts) => parts,
            _ => &[],
        };
        if !ready && !parts.is_empty() {
            // Connectives have no cycles: each goes through a member or an item.
            pending.push((at, true));
            pending.extend(parts.iter().map(|part| (*part, false)));
            continue;
        }
        let of_parts = || parts.iter().map(|part| known.get(part).cloned().unwrap_or(Regex::Nothing));
        let found = match &program.nodes[at.index()] {
            Node::False => Regex::Nothing,
            Node::Kind(kinds) if !kinds.contains(Kinds::STRING) => Regex::Nothing,
            Node::Text(regex) => regex.clone(),
            Node::Sentence(_) => {
                return Err(refuse(
                    CompileErrorKind::Unsupported,
                    &program.places[at.index()],
                    "format",
                    "this format is a grammar, and a parameter between markers is read by a regex: define it by a pattern"
                        .to_owned(),
                ));
            }
            Node::All(_) => Regex::and(of_parts()),
            Node::Any(_) => Regex::or(of_parts()),
            _ => Regex::any_text(),
        };
        if found.size() > PATTERN_NODES_MAX {
            let message = format!(
                "what a parameter may be is larger than {PATTERN_NODES_MAX} nodes (PATTERN_NODES_MAX)"
            );
            return Err(refuse(
                CompileErrorKind::Limit,
                &program.places[node.index()],
                "parameters",
                message,
            ));
        }
        known.insert(at, found);
    }
    Ok(known.remove(&node).unwrap_or(Regex::Nothing))
}

fn refuse(kind: CompileErrorKind, pointer: &str, subject: &str, message: String) -> CompileError {
    CompileError::new(kind, Place::pointer(pointer), subject, message)
}
