//! References beyond the document, dialects, and dynamic scope.

use maskwright_oracle::data;

use super::super::{DialectName, FormatsAre, Resolver};
use super::evaluate::satisfies;
use super::{SchemaOptions, compile, means, text_form};
use crate::error::{CompileError, CompileErrorKind};
use crate::syntax::json::Json;

fn with_documents(documents: &[(&str, &str)]) -> SchemaOptions {
    let documents: Vec<(String, String)> =
        documents.iter().map(|(uri, text)| ((*uri).to_owned(), (*text).to_owned())).collect();
    SchemaOptions { resolver: Resolver::of_documents(documents), ..SchemaOptions::default() }
}

fn meaning(schema: &str, options: &SchemaOptions) -> String {
    text_form(&compile(schema, options).unwrap_or_else(|e| panic!("{schema}: {e}")).0)
}

fn refusal(schema: &str, options: &SchemaOptions) -> CompileError {
    compile(schema, options).err().unwrap_or_else(|| panic!("{schema} was taken"))
}

#[test]
fn documents_are_asked_for_by_their_absolute_uri() {
    let options = with_documents(&[
        ("https://example.com/a/b.json", r##"{"$defs":{"n":{"type":"null"}},"$ref":"c.json#x"}"##),
        ("https://example.com/a/c.json", r#"{"$defs":{"s":{"$anchor":"x","type":"string"}}}"#),
        ("common.json", r#"{"$defs":{"b":{"type":"boolean"}}}"#),
    ]);
    let id = r#""$id":"https://example.com/a/""#;
    assert_eq!(meaning(&format!(r#"{{{id},"$ref":"b.json"}}"#), &options), "kind(string)");
    assert_eq!(meaning(&format!(r##"{{{id},"$ref":"b.json#/$defs/n"}}"##), &options), "kind(null)");
    assert_eq!(meaning(r##"{"$ref":"common.json#/$defs/b"}"##, &options), "kind(boolean)");
    // What is not reached is not asked for.
    let unused = r#"{"$defs":{"a":{"$ref":"nowhere.json"}}}"#;
    assert_eq!(meaning(unused, &options), "true");
}

#[test]
fn faults_in_other_documents_say_where() {
    let options = with_documents(&[
        ("wrong.json", r#"{"type":"nul"}"#),
        ("broken.json", "{"),
        ("on.json", r#"{"items":{"$ref":"nowhere.json"}}"#),
        ("list.json", "[]"),
    ]);
    for (schema, kind, document, pointer, message) in [
        (r#"{"$ref":"wrong.json"}"#, CompileErrorKind::Invalid, Some("wrong.json"), Some("/type"), "no type"),
        (r#"{"$ref":"broken.json"}"#, CompileErrorKind::Syntax, Some("broken.json"), None, "line 1"),
        (r#"{"$ref":"list.json"}"#, CompileErrorKind::Invalid, Some("list.json"), Some(""), "an array"),
        (
            r#"{"$ref":"on.json"}"#,
            CompileErrorKind::Reference,
            Some("on.json"),
            Some("/items/$ref"),
            "nowhere.json",
        ),
        (r#"{"$ref":"nowhere.json"}"#, CompileErrorKind::Reference, None, Some("/$ref"), "not at hand"),
        (r#"{"$ref":"on.json#/x"}"#, CompileErrorKind::Reference, None, Some("/$ref"), "no member \"x\""),
    ] {
        let error = refusal(schema, &options);
        let place = error.place();
        let named = place.document.as_deref().and_then(|uri| uri.rsplit('/').next());
        assert_eq!((error.kind(), named, place.pointer.as_deref()), (kind, document, pointer), "{error}");
        assert!(error.to_string().contains(message), "{error}");
    }
}

#[test]
fn the_report_names_the_document() {
    let options = with_documents(&[("https://example.com/n", r#"{"type":"null"}"#)]);
    let (_, report) = compile(r#"{"$ref":"https://example.com/n"}"#, &options).unwrap();
    let pointers: Vec<&str> = report.entries().iter().map(|entry| &*entry.pointer).collect();
    assert_eq!(pointers, ["", "/$ref", "https://example.com/n#/type"]);
}

#[test]
fn endless_documents_end_at_a_limit() {
    let next = |uri: &str| Some(format!(r#"{{"properties":{{"a":{{"$ref":"{uri}x"}}}}}}"#));
    let options = SchemaOptions { resolver: Resolver::new(next), ..SchemaOptions::default() };
    let error = refusal(r#"{"$ref":"https://example.com/"}"#, &options);
    assert_eq!(error.kind(), CompileErrorKind::Limit);
    assert!(error.to_string().contains("REFERRED_DOCUMENTS_MAX"), "{error}");
}

#[test]
fn each_resource_has_its_dialect() {
    let draft7 = "http://json-schema.org/draft-07/schema#";
    // In draft-07 `prefixItems` is unknown and what stands beside `$ref` is ignored.
    means(
        &format!(
            r#"{{"$ref":"x","$defs":{{"a":{{"$id":"x","$schema":"{draft7}","prefixItems":[false]}}}}}}"#
        ),
        "true",
    );
    let options = SchemaOptions { dialect: DialectName::Draft7, ..SchemaOptions::default() };
    assert_eq!(meaning(r#"{"prefixItems":[false]}"#, &options), "true");
    let stated =
        r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","maxItems":0,"prefixItems":[false]}"#;
    assert_ne!(meaning(stated, &options), "true");
}

#[test]
fn vocabularies_of_a_metaschema_choose_the_keywords() {
    let vocabulary = |names: &[&str]| {
        let listed: Vec<String> = names.iter().map(|name| format!(r#""{name}":true"#)).collect();
        let base = "https://json-schema.org/draft/2020-12";
        format!(r#"{{"$schema":"{base}/schema","$vocabulary":{{{}}}}}"#, listed.join(","))
    };
    let applicator = "https://json-schema.org/draft/2020-12/vocab/applicator";
    let (some, unknown) = (vocabulary(&[applicator]), vocabulary(&["https://example.com/vocab"]));
    let optional = unknown.replace(":true}", ":false}");
    let circle = r#"{"$schema":"https://example.com/circle"}"#;
    let options = with_documents(&[
        ("https://example.com/some", &some),
        ("https://example.com/unknown", &unknown),
        ("https://example.com/optional", &optional),
        ("https://example.com/circle", circle),
    ]);
    let schema = |dialect: &str| {
        format!(r#"{{"$schema":"https://example.com/{dialect}","type":"null","allOf":[false]}}"#)
    };
    assert_eq!(meaning(&schema("some"), &options), "false");
    assert_eq!(
        meaning(r#"{"$schema":"https://example.com/some","type":"null","maxItems":1}"#, &options),
        "true"
    );
    assert_eq!(meaning(&schema("optional"), &options), "true");
    for (dialect, message) in [("unknown", "vocab"), ("circle", "metaschemas"), ("nowhere", "no dialect")] {
        let error = refusal(&schema(dialect), &options);
        assert_eq!(error.kind(), CompileErrorKind::Unsupported, "{error}");
        assert!(error.to_string().contains(message), "{error}");
    }
}

#[test]
fn openapi_has_nullable() {
    let options = SchemaOptions { dialect: DialectName::OpenApi30, ..SchemaOptions::default() };
    assert_eq!(meaning(r#"{"type":"string","nullable":true}"#, &options), "kind(null|string)");
    assert_eq!(meaning(r#"{"type":"string","nullable":false}"#, &options), "kind(string)");
    // It adds to `type` and to nothing else.
    assert_eq!(
        meaning(r#"{"type":"string","nullable":true,"enum":["a"]}"#, &options),
        "all(kind(null|string), kind(string), text(a))"
    );
    assert_eq!(meaning(r#"{"nullable":true}"#, &options), "true");
    assert_eq!(
        meaning(
            r#"{"oneOf":[{"type":"string","nullable":true},{"type":"boolean"}],"discriminator":{}}"#,
            &options
        ),
        "kind(null|boolean|string)"
    );
    assert_eq!(refusal(r#"{"type":"string","nullable":1}"#, &options).kind(), CompileErrorKind::Invalid);
    // There it is an annotation.
    means(r#"{"type":"string","nullable":true}"#, "kind(string)");
    let options = SchemaOptions { dialect: DialectName::OpenApi31, ..SchemaOptions::default() };
    assert_eq!(meaning(r#"{"type":"string","nullable":true}"#, &options), "kind(string)");
}

#[test]
fn dynamic_references_lead_to_the_outermost_resource() {
    // One schema has the name: it is as `$ref`.
    means(r##"{"$dynamicRef":"#n","$defs":{"a":{"$dynamicAnchor":"n","type":"null"}}}"##, "kind(null)");
    means(
        r##"{"$dynamicRef":"#/$defs/a","$defs":{"a":{"$dynamicAnchor":"n","type":"null"}}}"##,
        "kind(null)",
    );
    let list = r##"{"$id":"list","type":"array","items":{"$dynamicRef":"#item"},"$defs":{"any":{"$dynamicAnchor":"item"}}}"##;
    let strings = format!(
        r##"{{"$id":"https://example.com/","$ref":"list","$defs":{{"list":{list},"s":{{"$dynamicAnchor":"item","type":"string"}}}}}}"##
    );
    means(&strings, "all(kind(array), items[*: kind(string)])");
    // The same list entered from two resources is two lists.
    let both = format!(
        r##"{{"$id":"https://example.com/","oneOf":[{{"$ref":"a"}},{{"$ref":"b"}}],"$defs":{{"list":{list},
            "a":{{"$id":"a","$ref":"list","$defs":{{"i":{{"$dynamicAnchor":"item","type":"null"}}}}}},
            "b":{{"$id":"b","$ref":"list","minItems":1,"$defs":{{"i":{{"$dynamicAnchor":"item","type":"string"}}}}}}}}}}"##
    );
    let (program, report) = compile(&both, &SchemaOptions::default()).unwrap();
    for (text, expected) in
        [("[]", true), ("[null]", true), (r#"["a"]"#, true), (r#"[null,"a"]"#, false), ("[1]", false)]
    {
        assert_eq!(satisfies(&program, Json::read(text).unwrap().root()), expected, "{text}");
    }
    let items = report.entries().iter().filter(|entry| &*entry.keyword == "$dynamicRef");
    assert_eq!(items.count(), 1, "{report}");
}

#[test]
fn recursive_references_lead_to_the_outermost_resource_that_says_so() {
    let tree = |extended: &str| {
        format!(
            r##"{{"$schema":"https://json-schema.org/draft/2019-09/schema","$id":"https://example.com/strict",
                {extended}"$ref":"tree","required":["b"],"$defs":{{"tree":{{"$id":"tree","$recursiveAnchor":true,
                "type":"object","properties":{{"a":{{"$recursiveRef":"#"}}}}}}}}}}"##
        )
    };
    for (extended, inner_needs_b) in [(r#""$recursiveAnchor":true,"#, true), ("", false)] {
        let (program, _) = compile(&tree(extended), &SchemaOptions::default()).unwrap();
        for (text, expected) in [
            (r#"{"b":1}"#, true),
            (r#"{"a":{"b":1},"b":1}"#, true),
            (r#"{"a":{},"b":1}"#, !inner_needs_b),
            (r#"{"a":1,"b":1}"#, false),
        ] {
            assert_eq!(satisfies(&program, Json::read(text).unwrap().root()), expected, "{extended}{text}");
        }
    }
}

/// Small schemas, many of them wrong in one draft or another.
const SMALL: [&str; 70] = [
    r#"true"#,
    r#"5"#,
    r#"[]"#,
    r#"{"type":"nul"}"#,
    r#"{"type":["null","null"]}"#,
    r#"{"type":[]}"#,
    r#"{"minLength":-1}"#,
    r#"{"minLength":1.5}"#,
    r#"{"minLength":2.0}"#,
    r#"{"multipleOf":0}"#,
    r#"{"required":[]}"#,
    r#"{"required":["a","a"]}"#,
    r#"{"required":"a"}"#,
    r#"{"enum":[]}"#,
    r#"{"enum":[1,1]}"#,
    r#"{"enum":5}"#,
    r#"{"items":[]}"#,
    r#"{"items":[{}]}"#,
    r#"{"items":5}"#,
    r#"{"allOf":[]}"#,
    r#"{"allOf":[5]}"#,
    r#"{"not":5}"#,
    r#"{"exclusiveMinimum":true}"#,
    r#"{"exclusiveMinimum":true,"minimum":1}"#,
    r#"{"exclusiveMinimum":1}"#,
    r#"{"properties":{"a":{"properties":{"b":{"type":"x"}}}}}"#,
    r#"{"properties":{"a":true}}"#,
    r#"{"$id":"a#b"}"#,
    r#"{"$anchor":"1a"}"#,
    r#"{"$anchor":"_a"}"#,
    r#"{"id":5}"#,
    r#"{"$id":5}"#,
    r#"{"const":5}"#,
    r#"{"contains":5}"#,
    r#"{"additionalProperties":5}"#,
    r#"{"additionalItems":5}"#,
    r#"{"unevaluatedItems":{"type":1}}"#,
    r#"{"prefixItems":[{"type":1}]}"#,
    r#"{"dependencies":{"a":[]}}"#,
    r#"{"dependencies":{"a":["b","b"]}}"#,
    r#"{"dependentSchemas":{"a":5}}"#,
    r#"{"dependentRequired":{"a":5}}"#,
    r#"{"if":5}"#,
    r#"{"then":5}"#,
    r#"{"format":5}"#,
    r#"{"title":5}"#,
    r#"{"examples":5}"#,
    r#"{"readOnly":5}"#,
    r#"{"$comment":5}"#,
    r#"{"contentSchema":5}"#,
    r#"{"contentMediaType":5}"#,
    r#"{"$vocabulary":{"a":5}}"#,
    r#"{"$defs":{"a":5}}"#,
    r#"{"definitions":{"a":5}}"#,
    r#"{"pattern":5}"#,
    r#"{"patternProperties":{"a":5}}"#,
    r#"{"propertyNames":5}"#,
    r#"{"uniqueItems":5}"#,
    r#"{"maxContains":-1}"#,
    r#"{"minContains":0}"#,
    r#"{"$recursiveAnchor":5}"#,
    r#"{"$dynamicAnchor":5}"#,
    r#"{"$dynamicRef":5}"#,
    r#"{"$recursiveRef":5}"#,
    r#"{"deprecated":5}"#,
    r#"{"$ref":5}"#,
    r#"{"$schema":5}"#,
    r#"{"maximum":"5"}"#,
    r#"{"dependencies":{"a":5}}"#,
    r#"{"default":5}"#,
];

/// Our metaschemas against an independent validator's own, on real schemas and on small wrong ones.
#[test]
fn metaschemas_judge_as_the_published_ones_do() {
    let mut texts: Vec<String> = SMALL.iter().map(|&text| text.to_owned()).collect();
    texts.extend(data::maskbench(29).into_iter().map(|case| case.schema.to_string()));
    let mut options = SchemaOptions::with_policy(crate::grammar::policy::SurfacePolicy::permissive());
    options.formats_are = FormatsAre::Annotations;
    let mut wrong = Vec::new();
    for uri in [
        "http://json-schema.org/draft-04/schema",
        "http://json-schema.org/draft-06/schema",
        "http://json-schema.org/draft-07/schema",
        "https://json-schema.org/draft/2019-09/schema",
        "https://json-schema.org/draft/2020-12/schema",
    ] {
        let reference = format!(r#"{{"$schema":"{uri}","$ref":"{uri}"}}"#);
        let (program, _) = compile(&reference, &options).unwrap_or_else(|e| panic!("{uri}: {e}"));
        let peer = jsonschema::options()
            .should_validate_formats(false)
            .build(&serde_json::from_str(&reference).unwrap())
            .unwrap();
        let mut counts = [0, 0];
        for text in &texts {
            let expected = peer.is_valid(&serde_json::from_str(text).unwrap());
            counts[usize::from(expected)] += 1;
            let found = satisfies(&program, Json::read(text).unwrap().root());
            if found != expected {
                wrong.push(format!("{uri}: {found}: {}", text.chars().take(200).collect::<String>()));
            }
        }
        println!("{uri}: {} schemas valid, {} not", counts[1], counts[0]);
        assert!(counts[0] > 20 && counts[1] > 10, "{uri}: {counts:?}");
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn names_of_several_schemas_lead_nowhere() {
    let options = SchemaOptions::default();
    for schema in [
        r#"{"$ref":"z:a","$defs":{"x":{"$id":"z:a","type":"string"},"y":{"$id":"z:a","type":"integer"}}}"#,
        r##"{"$ref":"#a","$defs":{"x":{"$anchor":"a","type":"string"},"y":{"$anchor":"a","type":"integer"}}}"##,
    ] {
        let error = refusal(schema, &options);
        assert_eq!(error.kind(), CompileErrorKind::Reference, "{error}");
        assert!(error.to_string().contains("several schemas"), "{error}");
    }
    // Nobody refers to them.
    means(r#"{"type":"null","$defs":{"x":{"$id":"z:a"},"y":{"$id":"z:a"}}}"#, "kind(null)");
}
