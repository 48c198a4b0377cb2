//! `minLength`, `maxLength`, `pattern`, `format`.

use std::borrow::Cow;

use super::numbers::{Natural, natural};
use super::options::FormatsAre;
use super::refuse;
use super::report::Status;
use super::walk::{Part, Site};
use crate::error::{CompileError, CompileErrorKind};
use crate::grammar::program::Node;
use crate::grammar::regex::{CharSet, Regex};
use crate::syntax::{format, pattern};

/// `minLength` and `maxLength` together are one counted loop; the length counts code points.
pub(super) fn length(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    let (min, max) = (site.sibling("minLength"), site.sibling("maxLength"));
    if site.name == "maxLength" && min.is_some() {
        return Ok(());
    }
    let min = min.map(|v| count(&site.at("minLength", v))).transpose()?.unwrap_or(0);
    let max = max.map(|v| count(&site.at("maxLength", v))).transpose()?;
    if min == 0 && max.is_none() {
        return Ok(());
    }
    site.assert(Node::Text(Regex::set(CharSet::any()).repeat(min, max)))
}

fn count(site: &Site<'_, '_>) -> Result<u32, CompileError> {
    let natural = natural(site)?;
    if let Natural::Of(count) = natural
        && let Ok(count) = u32::try_from(count)
    {
        return Ok(count);
    }
    let message =
        format!("lengths are counted up to {}: no text in use is longer, so remove the keyword", u32::MAX);
    Err(refuse(CompileErrorKind::Limit, site.value, site.name, message))
}

/// `pattern`: an ECMA-262 regular expression that is found somewhere in the text.
pub(super) fn pattern(site: &mut Site<'_, '_>) -> Result<(), CompileError> {
    let Some(text) = site.value.as_str() else { return Err(site.invalid("expected a regular expression")) };
    let regex = regex(site, text)?;
    site.assert(Node::Text(regex))
}

/// A regular expression of the schema; it stands at `site.value`.
pub(super) fn regex(site: &Site<'_, '_>, text: &str) -> Result<Regex, CompileError> {
    pattern::parse(text).map_err(|e| {
        let kind = match e.construct {
            "syntax" => CompileErrorKind::Invalid,
            "limit" => CompileErrorKind::Limit,
            _ => CompileErrorKind::Unsupported,
        };
        let subject = format!("pattern: {}", e.construct);
        refuse(kind, site.value, subject, format!("{} (at byte {} of {text:?})", e.message, e.byte))
    })
}

/// `format`: asserted in every draft. One that the specification defines and that can't be told exactly is narrowed; one
/// that neither it nor the caller defines is an annotation, and the report says so, or refused if the options are strict.
pub(super) fn format(mut site: Site<'_, '_>) -> Result<(Status, Option<Cow<'static, str>>), CompileError> {
    let Some(name) = site.value.as_str() else { return Err(site.invalid("expected the name of a format")) };
    if site.builder.options.formats_are == FormatsAre::Annotations {
        return Ok((Status::Annotation, Some(Cow::Borrowed("the options take formats for annotations"))));
    }
    if let Some(regex) = format::regex(name) {
        let part = site.assert_part(Part::Is(Node::Text(regex)))?;
        let narrowing = format::narrowing(name);
        if narrowing.is_some() {
            site.builder.plan.narrowed.insert(part, format::wide(name));
        }
        let status = if narrowing.is_some() { Status::Narrowed } else { Status::Exact };
        return Ok((status, narrowing.map(Cow::Borrowed)));
    }
    let formats = &site.builder.options.formats;
    if let Some(regex) = formats.regex(name) {
        site.assert(Node::Text(regex))?;
        return Ok((Status::Exact, Some(Cow::Borrowed("the caller defines this format"))));
    }
    if let Some(sentences) = formats.sentences(name) {
        site.assert(Node::Sentence(sentences))?;
        return Ok((Status::Exact, Some(Cow::Borrowed("the caller defines this format by a grammar"))));
    }
    if site.builder.options.strict {
        let nearest = format::nearest(name, formats.names());
        let instead = nearest.map(|known| format!("write {known:?}, or ")).unwrap_or_default();
        let message = format!(
            "{name:?} is no format of JSON Schema, so it would constrain nothing, and strict options refuse that: \
             {instead}define it by a pattern"
        );
        return Err(refuse(CompileErrorKind::Unsupported, site.value, format!("format: {name}"), message));
    }
    Ok((
        Status::Annotation,
        Some(format!("{name:?} is no format of JSON Schema: it constrains nothing").into()),
    ))
}
