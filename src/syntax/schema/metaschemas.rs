//! The metaschemas of the drafts, by URI: what they assert, in our own writing.

/// The metaschema of a URI without a fragment, if it is one of a draft or of its vocabularies.
pub(super) fn text(uri: &str) -> Option<&'static str> {
    let path = uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://"))?;
    Some(match path.strip_prefix("json-schema.org/")? {
        "draft-04/schema" => include_str!("metaschema/draft-04.json"),
        "draft-06/schema" => include_str!("metaschema/draft-06.json"),
        "draft-07/schema" => include_str!("metaschema/draft-07.json"),
        "draft/2019-09/schema" => include_str!("metaschema/2019-09-schema.json"),
        "draft/2019-09/meta/core" => include_str!("metaschema/2019-09-core.json"),
        "draft/2019-09/meta/applicator" => include_str!("metaschema/2019-09-applicator.json"),
        "draft/2019-09/meta/validation" => include_str!("metaschema/2019-09-validation.json"),
        "draft/2019-09/meta/meta-data" => include_str!("metaschema/2019-09-meta-data.json"),
        "draft/2019-09/meta/format" => include_str!("metaschema/2019-09-format.json"),
        "draft/2019-09/meta/content" => include_str!("metaschema/2019-09-content.json"),
        "draft/2020-12/schema" => include_str!("metaschema/2020-12-schema.json"),
        "draft/2020-12/meta/core" => include_str!("metaschema/2020-12-core.json"),
        "draft/2020-12/meta/applicator" => include_str!("metaschema/2020-12-applicator.json"),
        "draft/2020-12/meta/unevaluated" => include_str!("metaschema/2020-12-unevaluated.json"),
        "draft/2020-12/meta/validation" => include_str!("metaschema/2020-12-validation.json"),
        "draft/2020-12/meta/meta-data" => include_str!("metaschema/2020-12-meta-data.json"),
        "draft/2020-12/meta/format-annotation" => include_str!("metaschema/2020-12-format-annotation.json"),
        "draft/2020-12/meta/content" => include_str!("metaschema/2020-12-content.json"),
        _ => return None,
    })
}
