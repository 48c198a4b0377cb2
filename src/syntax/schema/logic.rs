//! `allOf`, `anyOf`, `oneOf`, `not`, `if`/`then`/`else`.

use super::types;
use super::walk::{Part, Site};
use crate::error::CompileError;
use crate::grammar::program::Node;
use crate::index::NodeId;

/// The nodes of a list of schemas.
fn branches(site: &mut Site<'_, '_>) -> Result<Vec<NodeId>, CompileError> {
    let mut nodes = Vec::new();
    for schema in site.schema_list()? {
        nodes.push(site.builder.location(schema)?);
    }
    Ok(nodes)
}

/// `allOf`: its schemas are further conjuncts of the schema object.
pub(super) fn all_of(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    for node in branches(site)? {
        site.assert_node(node);
    }
    Ok(())
}

/// `anyOf`.
pub(super) fn any_of(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    let branches = branches(site)?;
    site.assert(Node::Any(branches))
}

/// `oneOf`: decided when the kinds of its branches are known.
pub(super) fn one_of(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    let branches = branches(site)?;
    let kinds = types::beside(site);
    site.assert_part(Part::OneOf { branches, kinds }).map(drop)
}

/// `not`: decided when its schema is known.
pub(super) fn not(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    let child = site.builder.location(site.value)?;
    site.assert_part(Part::Not([child])).map(drop)
}

/// `if` with `then` and `else`: decided when the condition is known. Without `if` the others say nothing, nor does `if`
/// without them.
pub(super) fn conditional(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    let (then, otherwise) = (site.sibling("then"), site.sibling("else"));
    site.check_schema(site.value)?;
    if site.name != "if" {
        if site.sibling("if").is_none() {
            site.note = Some("without if it says nothing".into());
        }
        return Ok(());
    }
    if then.is_none() && otherwise.is_none() {
        site.note = Some("without then and else it says nothing".into());
        return Ok(());
    }
    let condition = site.builder.location(site.value)?;
    let mut side = |schema| match schema {
        Some(schema) => site.builder.location(schema),
        None => site.builder.plan.add(site.value, Part::Is(Node::True)),
    };
    let sides = [condition, side(then)?, side(otherwise)?];
    site.assert_part(Part::Conditional(sides)).map(drop)
}
