//! The walk: from the root over all locations that it reaches, each built once, into a plan of parts.
//!
//! A location is a JSON value in the place of a schema. Meeting one gives it a node at once and queues it; so `$ref`
//! is an edge to a node that may not be built yet, fan-out costs nothing, and there is no recursion. What a keyword
//! asserts is a node of its own (its place is the keyword's), and the location is the conjunction of them in one order for all
//! schemas. Only keywords that may mention names of members stay in their textual order, because the order of an object's keys is
//! read from it.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::dialect::Dialect;
use super::documents::Documents;
use super::draft::{Draft, Role};
use super::options::SchemaOptions;
use super::refs::Resources;
use super::report::Status;
use super::scope::{ScopeId, Scopes};
use super::{keywords, refuse};
use crate::error::{CompileError, CompileErrorKind};
use crate::grammar::policy::SurfacePolicy;
use crate::grammar::program::{Kinds, Node};
use crate::grammar::regex::Regex;
use crate::index::{NodeId, widen};
use crate::limits::PROGRAM_NODES_MAX;
use crate::syntax::json::{Kind, Value};

/// A node of the plan: a node of the program, or one that can only be told when its children are known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// As in the program.
    Is(Node),
    /// Exactly one branch holds; the value's kind is among `kinds` anyway.
    OneOf { branches: Vec<NodeId>, kinds: Kinds },
    /// The child does not hold.
    Not([NodeId; 1]),
    /// If the first child holds then so does the second, else the third.
    Conditional([NodeId; 3]),
    /// The opposite of the child, made once all parts are decided.
    Opposite(NodeId),
    /// If an object: the name of each member satisfies the child.
    Names([NodeId; 1]),
}

impl Part {
    /// The children that apply to the same value, and those whose outcome decides what this part is.
    pub(super) fn dependencies(&self) -> &[NodeId] {
        match self {
            Self::Is(Node::All(children) | Node::Any(children)) => children,
            Self::OneOf { branches, .. } => branches,
            Self::Conditional(children) => children,
            Self::Not(child) | Self::Names(child) => child,
            Self::Is(_) | Self::Opposite(_) => &[],
        }
    }
}

/// One line of the report to be.
pub(super) struct Line<'j> {
    pub(super) value: u32,
    pub(super) keyword: &'j str,
    pub(super) status: Status,
    pub(super) note: Option<Cow<'static, str>>,
}

/// Everything that the root reaches.
pub(super) struct Plan<'j> {
    pub(super) parts: Vec<Part>,
    pub(super) root: NodeId,
    /// For each part the id of the JSON value that it came from.
    pub(super) origins: Vec<u32>,
    pub(super) lines: Vec<Line<'j>>,
    pub(super) policy: SurfacePolicy,
    /// Parts whose language is narrower than what the schema means, with a language wider than that if there is one: only
    /// with it they have an opposite.
    pub(super) narrowed: BTreeMap<NodeId, Option<Regex>>,
    /// The opposites of those number parts where [`condition::opposite`] is not it.
    ///
    /// [`condition::opposite`]: crate::grammar::condition::opposite
    pub(super) number_opposites: BTreeMap<NodeId, Regex>,
    /// Parts and their opposites.
    pub(super) opposites: Vec<(NodeId, NodeId)>,
    /// URIs of documents that are asked for and not at hand, with what to say if they can't be had: then the plan is not whole.
    pub(super) missing: BTreeMap<String, CompileError>,
}

impl Plan<'_> {
    /// The report says that a narrowed format is denied too, and what that leaves out.
    pub(super) fn note_denied(&mut self, part: NodeId) {
        const DENIED: &str = "; where the schema denies the format, texts that look like it and don't have it are left out too";
        let value = self.origins[part.index()];
        for line in self.lines.iter_mut().filter(|line| line.value == value) {
            let known = line.note.take().unwrap_or_default();
            let more = if known.ends_with(DENIED) { "" } else { DENIED };
            line.note = Some(format!("{known}{more}").into());
        }
    }

    /// Adds a node that comes from the JSON value `origin`.
    pub(super) fn add(&mut self, origin: Value<'_>, part: Part) -> Result<NodeId, CompileError> {
        if self.parts.len() >= PROGRAM_NODES_MAX {
            let message = format!("the schema needs more than {PROGRAM_NODES_MAX} nodes (PROGRAM_NODES_MAX)");
            return Err(refuse(CompileErrorKind::Limit, origin, "schema size", message));
        }
        self.parts.push(part);
        self.origins.push(origin.id());
        Ok(NodeId::new(self.parts.len() - 1))
    }
}

/// The walk in progress.
pub(super) struct Builder<'j> {
    pub(super) documents: &'j Documents<'j>,
    pub(super) options: &'j SchemaOptions,
    pub(super) resources: Resources,
    pub(super) scopes: Scopes,
    /// Where the schema in work was reached.
    pub(super) scope: ScopeId,
    pub(super) plan: Plan<'j>,
    /// By JSON value: its node, if it is a location that has been met where no name is ambiguous.
    nodes: Vec<Option<NodeId>>,
    /// The nodes of locations in other scopes.
    scoped: HashMap<(u32, ScopeId), NodeId>,
    /// Locations in the order in which they were met; those from `built` on are still to be built.
    met: Vec<(Value<'j>, NodeId, ScopeId)>,
    /// JSON values of schemas whose keywords are in the report: one that is built in several scopes is there once.
    listed: HashSet<u32>,
}

/// Walks the documents.
pub(super) fn plan<'j>(
    documents: &'j Documents<'j>,
    options: &'j SchemaOptions,
) -> Result<Plan<'j>, CompileError> {
    let plan = Plan {
        parts: Vec::new(),
        root: NodeId(0),
        origins: Vec::new(),
        lines: Vec::new(),
        policy: options.policy,
        narrowed: BTreeMap::new(),
        number_opposites: BTreeMap::new(),
        opposites: Vec::new(),
        missing: BTreeMap::new(),
    };
    let resources = Resources::survey(documents, options.dialect.into())?;
    if !resources.missing.is_empty() {
        // Without its dialect nothing of a document has a meaning.
        return Ok(Plan { missing: resources.missing, ..plan });
    }
    let mut builder = Builder {
        documents,
        options,
        scopes: Scopes::new(&resources),
        resources,
        scope: ScopeId::OUTSIDE,
        plan,
        nodes: vec![None; documents.len()],
        scoped: HashMap::new(),
        met: Vec::new(),
        listed: HashSet::new(),
    };
    builder.plan.root = builder.location(documents.root())?;
    let mut built = 0;
    while let Some(&(schema, node, scope)) = builder.met.get(built) {
        builder.scope = scope;
        builder.build(schema, node)?;
        built += 1;
    }
    builder.plan.missing = builder.resources.missing;
    Ok(builder.plan)
}

impl<'j> Builder<'j> {
    /// From here on the builder is inside a schema that is reached from where it was; the scope outside.
    pub(super) fn enter(&mut self, schema: Value<'j>) -> ScopeId {
        let inside = self.scopes.enter(self.scope, self.resources.root(schema));
        std::mem::replace(&mut self.scope, inside)
    }

    /// The node of the schema at a location, reached from where the builder is.
    pub(super) fn location(&mut self, schema: Value<'j>) -> Result<NodeId, CompileError> {
        let scope = self.scopes.enter(self.scope, self.resources.root(schema));
        let known = match scope {
            ScopeId::OUTSIDE => self.nodes[widen(schema.id())],
            _ => self.scoped.get(&(schema.id(), scope)).copied(),
        };
        if let Some(node) = known {
            return Ok(node);
        }
        let constant = match schema.kind() {
            Kind::Boolean(true) | Kind::Object => Node::True,
            Kind::Boolean(false) => Node::False,
            other => return Err(no_schema(schema, other)),
        };
        let node = self.plan.add(schema, Part::Is(constant))?;
        match scope {
            ScopeId::OUTSIDE => self.nodes[widen(schema.id())] = Some(node),
            _ => drop(self.scoped.insert((schema.id(), scope), node)),
        }
        if schema.is_object() {
            self.met.push((schema, node, scope));
        }
        Ok(node)
    }

    /// Builds a schema object into its node.
    fn build(&mut self, schema: Value<'j>, node: NodeId) -> Result<(), CompileError> {
        let dialect = self.resources.dialect(schema);
        let alone = dialect.draft.ref_stands_alone() && schema.get("$ref").is_some();
        let is_listed = !self.scopes.is_single() && !self.listed.insert(schema.id());
        let mut conjuncts: Vec<(u8, NodeId)> = Vec::with_capacity(schema.len());
        for (name, value) in schema.members() {
            let role = dialect.role(name);
            let (status, note) = match role {
                Role::Structural => match keywords::structural(self, schema, name, value)? {
                    None => continue,
                    note => (Status::Annotation, note.map(Cow::Borrowed)),
                },
                Role::Asserts if alone && name != "$ref" => (Status::Annotation, Some(beside_ref(dialect))),
                Role::Asserts => {
                    let conjuncts = &mut conjuncts;
                    let site = Site { builder: self, dialect, schema, name, value, conjuncts, note: None };
                    keywords::enforce(site)?
                }
                Role::Foreign => (Status::Annotation, Some(foreign(dialect))),
                Role::Annotates | Role::Unknown => {
                    (Status::Annotation, keywords::remark(name).map(Cow::Borrowed))
                }
            };
            if !is_listed {
                self.plan.lines.push(Line { value: value.id(), keyword: name, status, note });
            }
        }
        conjuncts.sort_by_key(|&(rank, _)| rank);
        let conjuncts = conjuncts.into_iter().map(|(_, conjunct)| conjunct).collect();
        self.plan.parts[node.index()] = Part::Is(Node::All(conjuncts));
        Ok(())
    }
}

fn beside_ref(dialect: Dialect) -> Cow<'static, str> {
    format!("{} ignores what stands beside $ref", dialect.name()).into()
}

fn foreign(dialect: Dialect) -> Cow<'static, str> {
    format!("{} has no such keyword: it constrains nothing", dialect.name()).into()
}

fn no_schema(place: Value<'_>, found: Kind<'_>) -> CompileError {
    let message = format!("here is {}, a schema is an object, true or false", found.words());
    refuse(CompileErrorKind::Invalid, place, "schema", message)
}

/// One keyword of one schema object while it is enforced.
pub(super) struct Site<'b, 'j> {
    pub(super) builder: &'b mut Builder<'j>,
    /// What the keywords of the schema object mean.
    pub(super) dialect: Dialect,
    /// The schema object.
    pub(super) schema: Value<'j>,
    pub(super) name: &'j str,
    /// The keyword's value.
    pub(super) value: Value<'j>,
    /// What the schema object asserts, so far, with the places of the keywords among each other.
    conjuncts: &'b mut Vec<(u8, NodeId)>,
    /// For the report.
    pub(super) note: Option<Cow<'static, str>>,
}

impl<'j> Site<'_, 'j> {
    /// The schema object also asserts this.
    pub(super) fn assert(&mut self, node: Node) -> Result<(), CompileError> {
        self.assert_part(Part::Is(node)).map(drop)
    }

    /// The schema object also asserts this; its node.
    pub(super) fn assert_part(&mut self, part: Part) -> Result<NodeId, CompileError> {
        let id = self.builder.plan.add(self.value, part)?;
        self.assert_node(id);
        Ok(id)
    }

    /// The schema object also asserts this of numbers; `opposite` holds for the others.
    pub(super) fn assert_number(&mut self, is: Regex, opposite: Regex) -> Result<(), CompileError> {
        let id = self.assert_part(Part::Is(Node::Number(is)))?;
        self.builder.plan.number_opposites.insert(id, opposite);
        Ok(())
    }

    /// A node that comes from the keyword.
    pub(super) fn add(&mut self, node: Node) -> Result<NodeId, CompileError> {
        self.builder.plan.add(self.value, Part::Is(node))
    }

    /// The schema object also asserts what this node does.
    pub(super) fn assert_node(&mut self, node: NodeId) {
        self.conjuncts.push((keywords::rank(self.name), node));
    }

    /// Another member of the schema object, if this draft enforces it.
    pub(super) fn sibling(&self, keyword: &str) -> Option<Value<'j>> {
        self.sibling_of(self.schema, keyword)
    }

    /// A member of a schema object, if this draft enforces it.
    pub(super) fn sibling_of(&self, schema: Value<'j>, keyword: &str) -> Option<Value<'j>> {
        let value = schema.get(keyword)?;
        let dialect = self.builder.resources.dialect(schema);
        (dialect.role(keyword) == Role::Asserts).then_some(value)
    }

    /// Whether items that `contains` has found count as evaluated.
    pub(super) fn covers_contained(&self) -> bool {
        self.dialect.draft == Draft::Draft2020
    }

    /// A keyword of another schema object in focus.
    pub(super) fn in_schema(&mut self, schema: Value<'j>, name: &'j str, value: Value<'j>) -> Site<'_, 'j> {
        Site { schema, dialect: self.builder.resources.dialect(schema), ..self.at(name, value) }
    }

    /// The same keyword site with a sibling's value in focus, so that messages name the sibling.
    pub(super) fn at(&mut self, name: &'j str, value: Value<'j>) -> Site<'_, 'j> {
        Site {
            builder: self.builder,
            dialect: self.dialect,
            schema: self.schema,
            name,
            value,
            conjuncts: self.conjuncts,
            note: None,
        }
    }

    /// What a schema is for every value, if its text alone says so: `true`, `{}`, nothing but annotations; `false`.
    pub(super) fn constant(&self, schema: Value<'j>) -> Option<bool> {
        match schema.kind() {
            Kind::Boolean(constant) => Some(constant),
            Kind::Object => {
                let dialect = self.builder.resources.dialect(schema);
                schema.members().all(|(name, _)| dialect.role(name) != Role::Asserts).then_some(true)
            }
            _ => None,
        }
    }

    /// Refuses what is no schema, where a schema has no effect and is not built.
    pub(super) fn check_schema(&self, schema: Value<'j>) -> Result<(), CompileError> {
        match schema.kind() {
            Kind::Boolean(_) | Kind::Object => Ok(()),
            other => Err(no_schema(schema, other)),
        }
    }

    /// The keyword's value has the wrong shape.
    pub(super) fn invalid(&self, expected: &str) -> CompileError {
        let message = format!("the value is {}, {expected}", self.value.kind().words());
        refuse(CompileErrorKind::Invalid, self.value, self.name, message)
    }

    /// The keyword can't be enforced exactly here.
    pub(super) fn unsupported(&self, why: impl Into<String>) -> CompileError {
        refuse(CompileErrorKind::Unsupported, self.value, self.name, why)
    }

    /// The keyword's value is an array of at least one schema; its items.
    pub(super) fn schema_list(&self) -> Result<Vec<Value<'j>>, CompileError> {
        if self.value.is_array() && !self.value.is_empty() {
            return Ok(self.value.items().collect());
        }
        let empty = self.value.is_array();
        Err(if empty {
            self.invalid_text("the list is empty: give at least one schema")
        } else {
            self.invalid("expected an array of schemas")
        })
    }

    /// The keyword's value is an object whose members are schemas; its members.
    pub(super) fn schema_map(&self) -> Result<Vec<(&'j str, Value<'j>)>, CompileError> {
        if self.value.is_object() {
            Ok(self.value.members().collect())
        } else {
            Err(self.invalid("expected an object of schemas"))
        }
    }

    /// The keyword's value is wrong, in words of its own.
    pub(super) fn invalid_text(&self, message: impl Into<String>) -> CompileError {
        refuse(CompileErrorKind::Invalid, self.value, self.name, message)
    }
}
