//! Schemas and the programs that they mean.

use super::{compiled, means, refuses, text_form};
use crate::error::CompileErrorKind::{Invalid, Limit, Reference};
use crate::grammar::condition;
use crate::grammar::number::{Bound, Decimal};
use crate::grammar::policy::NumberSpelling::Plain;
use crate::syntax::format;

fn equal(text: &str) -> String {
    condition::equal(&Decimal::parse(text).unwrap(), Plain).to_string()
}

fn integer() -> String {
    format!("number({})", condition::integer(Plain))
}

#[test]
fn nothing_said_is_everything_allowed() {
    means("true", "true");
    means("{}", "true");
    means("false", "false");
    means(r#"{"title":"x","description":5,"default":{},"examples":[],"x-mine":{"type":"zzz"}}"#, "true");
    means(r#"{"$defs":{"a":{"oneOf":"wrong"}},"$comment":"unreachable parts do not count"}"#, "true");
    means(r#"{"allOf":[true,{}],"anyOf":[{},false]}"#, "true");
    means(
        r#"{"additionalProperties":true,"items":{},"minItems":0,"minLength":0.0,"uniqueItems":false}"#,
        "true",
    );
    means(r#"{"maxItems":1e30}"#, "true");
}

#[test]
fn types_are_sets_of_kinds() {
    means(r#"{"type":"string"}"#, "kind(string)");
    means(r#"{"type":["null","boolean","null"]}"#, "kind(null|boolean)");
    means(r#"{"type":"number"}"#, "kind(number)");
    means(r#"{"type":"integer"}"#, &format!("all(kind(number), {})", integer()));
    means(r#"{"type":["integer","string"]}"#, &format!("all(kind(number|string), {})", integer()));
    means(r#"{"type":["integer","number"]}"#, "kind(number)");
    means(r#"{"type":["null","boolean","object","array","number","string"]}"#, "true");
    means(r#"{"type":"string","allOf":[{"type":["string","null"]}]}"#, "kind(string)");
    means(r#"{"type":"string","allOf":[{"type":"null"}]}"#, "false");
    means(r#"{"anyOf":[{"type":"string"},{"type":"null"}]}"#, "kind(null|string)");
}

#[test]
fn strings_are_languages_of_decoded_text() {
    means(r#"{"minLength":2,"maxLength":3.0}"#, "text(.{2,3})");
    means(r#"{"maxLength":3,"type":"string","minLength":1}"#, "all(kind(string), text(.{1,3}))");
    means(r#"{"maxLength":0}"#, "text(ε)");
    means(r#"{"minLength":3,"maxLength":2}"#, "text(∅)");
    means(r#"{"maxLength":4294967295}"#, "text(.{0,4294967295})");
}

#[test]
fn formats_are_asserted_in_every_draft() {
    let ipv4 = format!("text({})", format::regex("ipv4").unwrap());
    means(r#"{"format":"ipv4"}"#, &ipv4);
    means(r#"{"$schema":"http://json-schema.org/draft-04/schema#","format":"ipv4"}"#, &ipv4);
    means(r#"{"format":"int32"}"#, "true");
    let wide = format::wide("idn-email").unwrap().complement();
    let negated = format!("all(kind(string), text({wide}))");
    means(r#"{"not":{"format":"idn-email"}}"#, &negated);
}

#[test]
fn values_are_conjunctions_of_one_assertion_a_kind() {
    means(r#"{"const":"a\u0000"}"#, r#"all(kind(string), text("a\0"))"#);
    means(r#"{"const":true}"#, "kind(true)");
    means(r#"{"const":null}"#, "kind(null)");
    means(r#"{"enum":["b","a","b"]}"#, r#"all(kind(string), text(("a"|"b")))"#);
    means(r#"{"enum":[null,true,false]}"#, "kind(null|boolean)");
    means(
        r#"{"enum":["ab",1.50,null,[]]}"#,
        &format!(
            "all(kind(null|number|string|array), text(\"ab\"), number({}), items[*: false])",
            equal("1.5")
        ),
    );
    means(
        r#"{"const":{"b":[true,"xy"],"a":{}}}"#,
        "all(kind(object), members{\"b\": all(kind(array), minItems(2), items[kind(true), all(kind(string), text(\"xy\")), *: false]), \
         \"a\": all(kind(object), members{*: false}), *: false}, required(\"b\"), required(\"a\"))",
    );
    means(
        r#"{"enum":[{"k":null},{"k":true},7,[null],[[]]]}"#,
        &format!(
            "all(kind(number|array|object), number({}), \
             any(all(minItems(1), items[kind(null), *: false]), all(minItems(1), items[all(kind(array), items[*: false]), *: false])), \
             any(all(members{{\"k\": kind(null), *: false}}, required(\"k\")), all(members{{\"k\": kind(true), *: false}}, required(\"k\"))))",
            equal("7")
        ),
    );
    means(r#"{"enum":[]}"#, "false");
}

#[test]
fn numbers_are_bounded_exactly() {
    let bound = |text: &str| Decimal::parse(text).unwrap();
    means(
        r#"{"minimum":-1.5}"#,
        &format!("number({})", condition::at_least(&bound("-1.5"), Bound::Inclusive, Plain)),
    );
    means(
        r#"{"maximum":1e2}"#,
        &format!("number({})", condition::at_most(&bound("100"), Bound::Inclusive, Plain)),
    );
    means(
        r#"{"exclusiveMinimum":0}"#,
        &format!("number({})", condition::at_least(&bound("0"), Bound::Exclusive, Plain)),
    );
    means(
        r#"{"exclusiveMaximum":9}"#,
        &format!("number({})", condition::at_most(&bound("9"), Bound::Exclusive, Plain)),
    );
    let draft4 = |rest: &str| format!(r#"{{"$schema":"http://json-schema.org/draft-04/schema#",{rest}}}"#);
    means(
        &draft4(r#""exclusiveMinimum":true,"minimum":0,"maximum":9,"exclusiveMaximum":false"#),
        &format!(
            "all(number({}), number({}))",
            condition::at_least(&bound("0"), Bound::Exclusive, Plain),
            condition::at_most(&bound("9"), Bound::Inclusive, Plain)
        ),
    );
    for (divisor, step) in [("2.0", "2"), ("18446744073709551616", "18446744073709551616"), ("1e-3", "1e-3")]
    {
        let text = format!("number({{-(x) 0 +(x) #{step} point}})");
        means(&format!(r#"{{"multipleOf":{divisor}}}"#), &text);
    }
    refuses(
        r#"{"exclusiveMinimum":true}"#,
        Invalid,
        "/exclusiveMinimum",
        "exclusiveMinimum",
        "from draft-06 on",
    );
    refuses(
        &draft4(r#""exclusiveMinimum":1"#),
        Invalid,
        "/exclusiveMinimum",
        "exclusiveMinimum",
        "in draft-04",
    );
}

#[test]
fn objects_have_one_node_for_members_and_one_for_each_required_name() {
    means(
        r#"{"type":"object","properties":{"b":{"type":"null"},"a":false},"required":["c","a","c"],"additionalProperties":{"type":"string"}}"#,
        r#"all(kind(object), members{"b": kind(null), "a": false, *: kind(string)}, required("c"), required("a"))"#,
    );
    means(r#"{"additionalProperties":false}"#, "members{*: false}");
    means(r#"{"properties":{},"additionalProperties":{"type":"null"}}"#, "members{*: kind(null)}");
    means(r#"{"additionalProperties":false,"properties":{"a":{}}}"#, r#"members{"a": true, *: false}"#);
    means(r#"{"properties":{"a":{}}}"#, r#"members{"a": true, *: true}"#);
    means(r#"{"properties":{},"required":[]}"#, "true");
    means(r#"{"patternProperties":{},"additionalProperties":false}"#, "members{*: false}");
    means(r#"{"patternProperties":{"^x":{"title":"no effect"}}}"#, "true");
}

#[test]
fn members_are_counted() {
    means(r#"{"minProperties":0}"#, "true");
    means(r#"{"minProperties":2.0}"#, "minMembers(2)");
    means(r#"{"maxProperties":0}"#, "members{*: false}");
    means(r#"{"maxProperties":1}"#, "maxMembers(1)");
    means(r#"{"maxProperties":1e40}"#, "true");
    refuses(r#"{"minProperties":1e40}"#, Limit, "/minProperties", "minProperties", "2^64");
    means(r#"{"not":{"minProperties":1}}"#, "all(kind(object), members{*: false})");
    means(r#"{"not":{"minProperties":3}}"#, "all(kind(object), maxMembers(2))");
    means(r#"{"not":{"maxProperties":3}}"#, "all(kind(object), minMembers(4))");
}

#[test]
fn arrays_have_one_node_for_items() {
    means(r#"{"items":{"type":"null"}}"#, "items[*: kind(null)]");
    means(r#"{"prefixItems":[true,{"type":"null"}]}"#, "items[true, kind(null), *: true]");
    means(
        r#"{"items":false,"prefixItems":[{}],"minItems":1,"maxItems":2e0}"#,
        "all(items[true, *: false], minItems(1), maxItems(2))",
    );
    means(r#"{"items":{},"prefixItems":[]}"#, "true");
    let draft7 = |rest: &str| format!(r#"{{"$schema":"http://json-schema.org/draft-07/schema#",{rest}}}"#);
    means(&draft7(r#""items":[{"type":"null"}],"additionalItems":false"#), "items[kind(null), *: false]");
    means(&draft7(r#""additionalItems":{"type":"null"},"items":[]"#), "items[*: kind(null)]");
    means(&draft7(r#""items":{"type":"null"},"additionalItems":false"#), "items[*: kind(null)]");
    means(&draft7(r#""additionalItems":false"#), "true");
    means(&draft7(r#""prefixItems":[false]"#), "true");
    means(r#"{"additionalItems":false}"#, "true");
    refuses(r#"{"items":[{}]}"#, Invalid, "/items", "items", "prefixItems");
    means(r#"{"uniqueItems":true,"maxItems":1}"#, "maxItems(1)");
}

#[test]
fn items_that_hold_are_counted() {
    means(r#"{"contains":{}}"#, "minItems(1)");
    means(r#"{"contains":true,"minContains":2,"maxContains":3}"#, "all(minItems(2), maxItems(3))");
    means(r#"{"contains":{},"minContains":0,"maxContains":3}"#, "maxItems(3)");
    means(r#"{"contains":{"type":"null"},"minContains":0}"#, "true");
    means(r#"{"contains":false}"#, "kind(null|boolean|number|string|object)");
    means(r#"{"contains":false,"minContains":0,"maxContains":1}"#, "true");
    means(r#"{"minContains":3}"#, "true");
    means(r#"{"contains":{"type":"null"}}"#, "atLeast(1)[*: kind(null)]");
    means(
        r#"{"contains":{"type":"null"},"minContains":2,"maxContains":3}"#,
        "all(atLeast(2)[*: kind(null)], itemsbut 3[*: kind(boolean|number|string|array|object)])",
    );
    means(
        r#"{"not":{"contains":{"type":"null"}}}"#,
        "all(kind(array), items[*: kind(boolean|number|string|array|object)])",
    );
    means(
        r#"{"not":{"items":{"type":"null"}}}"#,
        "all(kind(array), atLeast(1)[*: kind(boolean|number|string|array|object)])",
    );
}

#[test]
fn connectives_keep_the_order_of_the_text() {
    means(
        r#"{"allOf":[{"required":["z"]}],"properties":{"y":true},"anyOf":[{"required":["x"]},{"required":["w"]}],"required":["v"]}"#,
        r#"all(required("z"), members{"y": true, *: true}, any(required("x"), required("w")), required("v"))"#,
    );
    means(
        r##"{"properties":{"b":true},"$ref":"#/$defs/a","required":["c"],"$defs":{"a":{"properties":{"a":true}}}}"##,
        r#"all(members{"b": true, *: true}, members{"a": true, *: true}, required("c"))"#,
    );
    means(r#"{"allOf":[{"minItems":1}]}"#, "minItems(1)");
    means(
        r##"{"$defs":{"a":{"minItems":1}},"allOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"}]}"##,
        "minItems(1)",
    );
    // Constants go, but not where the names of members are first mentioned.
    means(r#"{"anyOf":[{"minItems":1},true]}"#, "true");
    means(r#"{"anyOf":[{"minItems":1},false,{"maxItems":0}]}"#, "any(minItems(1), maxItems(0))");
    means(r#"{"anyOf":[{"properties":{"a":true}},true]}"#, r#"any(members{"a": true, *: true}, true)"#);
    means(r#"{"allOf":[{"minItems":1},false]}"#, "false");
}

#[test]
fn one_of_is_any_of_where_no_kind_is_shared() {
    means(r#"{"oneOf":[{"minItems":1}]}"#, "minItems(1)");
    means(
        r##"{"$defs":{"a":{"type":"array","minItems":1}},"oneOf":[{"$ref":"#/$defs/a"},{"type":"null"},{"const":"xy"}]}"##,
        r#"any(all(kind(array), minItems(1)), kind(null), all(kind(string), text("xy")))"#,
    );
    means(r#"{"oneOf":[{"const":true},{"const":false}]}"#, "kind(boolean)");
    means(r#"{"oneOf":[{"minItems":1},false]}"#, "minItems(1)");
    means(
        r#"{"type":["string","null"],"oneOf":[{"type":["string","array"]},{"type":["null","array"]}]}"#,
        "kind(null|string)",
    );
    // Required names with texts of their own tell branches apart.
    means(
        r#"{"type":"object","oneOf":[{"properties":{"k":{"enum":["a","b"]}},"required":["k"]},{"properties":{"k":{"enum":["c","d"]}},"required":["k"]}]}"#,
        r#"all(kind(object), any(all(members{"k": all(kind(string), text(("a"|"b"))), *: true}, required("k")), all(members{"k": all(kind(string), text(("c"|"d"))), *: true}, required("k"))))"#,
    );
    means(
        r#"{"oneOf":[{"minItems":1},{"maxItems":3}]}"#,
        "any(all(minItems(1), all(kind(array), minItems(4))), all(maxItems(3), all(kind(array), maxItems(0))))",
    );
    means(r#"{"oneOf":[true,{"type":"number"}]}"#, "kind(null|boolean|string|array|object)");
}

#[test]
fn negation_and_conditions_are_taken_where_kinds_or_constants_decide() {
    means(r#"{"not":{}}"#, "false");
    means(r#"{"not":false}"#, "true");
    means(r#"{"not":{"not":{}}}"#, "true");
    means(r#"{"not":{"type":["null","boolean"]}}"#, "kind(number|string|array|object)");
    means(r#"{"not":{"not":{"minItems":1}}}"#, "minItems(1)");
    means(r#"{"not":{"required":["a"]}}"#, r#"all(kind(object), members{"a": false, *: true})"#);
    means(
        r#"{"not":{"properties":{"a":{"type":"null"}},"additionalProperties":false}}"#,
        r#"all(kind(object), some{"a": kind(boolean|number|string|array|object), *: true})"#,
    );
    means(
        r#"{"not":{"const":"xy"}}"#,
        r#"any(kind(null|boolean|number|array|object), all(kind(string), text(!("xy"))))"#,
    );
    means(r#"{"if":{"minItems":1}}"#, "true");
    means(r#"{"then":false,"else":false}"#, "true");
    means(r#"{"if":true,"then":{"minItems":1},"else":false}"#, "minItems(1)");
    means(r#"{"if":false,"then":{"minItems":1},"else":{"maxItems":1}}"#, "maxItems(1)");
    means(r#"{"if":{"minItems":1},"then":{},"else":true}"#, "true");
    means(
        r#"{"if":{"minItems":1},"then":{"type":"array"},"else":{"type":"null"}}"#,
        "all(any(all(kind(array), maxItems(0)), kind(array)), any(minItems(1), kind(null)))",
    );
}

#[test]
fn other_keywords_are_taken_where_they_say_nothing() {
    means(r#"{"propertyNames":{}}"#, "true");
    means(r#"{"propertyNames":{"type":"string","minimum":3}}"#, "true");
    means(r#"{"propertyNames":false}"#, "members{*: false}");
    means(r#"{"propertyNames":{"type":"null"}}"#, "members{*: false}");
    means(r#"{"propertyNames":{"minLength":1}}"#, "members{/!(.+)/: false, *: true}");
    means(r#"{"propertyNames":{"not":{"minLength":1}}}"#, "members{/.+/: false, *: true}");
    means(r#"{"propertyNames":{"enum":["a","b",3]}}"#, r#"members{/!(("a"|"b"))/: false, *: true}"#);
    means(
        r#"{"patternProperties":{"^a":{"type":"null"},"b":true},"additionalProperties":false}"#,
        "members{/a.*/: kind(null), /.*b.*/: true, *: false}",
    );
    means(r#"{"patternProperties":{"^a":{}}}"#, "true");
    means(
        r#"{"dependentRequired":{"a":["b"]}}"#,
        r#"any(kind(null|boolean|number|string|array), all(kind(object), members{"a": false, *: true}), required("b"))"#,
    );
    means(r#"{"dependencies":{},"dependentRequired":{"a":[]},"dependentSchemas":{"a":true}}"#, "true");
    means(r#"{"dependencies":{"a":[],"b":{}}}"#, "true");
    means(r#"{"unevaluatedProperties":{},"unevaluatedItems":true}"#, "true");
    means(r#"{"unevaluatedProperties":false,"additionalProperties":{}}"#, "true");
    means(r#"{"unevaluatedItems":false,"items":{}}"#, "true");
    // An array has no names on which anything could depend.
    means(
        r#"{"unevaluatedItems":false,"dependentSchemas":{"a":{"items":{}}}}"#,
        r#"all(items[*: false], any(kind(null|boolean|number|string|array), all(kind(object), members{"a": false, *: true}), true))"#,
    );
    means(
        r#"{"unevaluatedItems":false,"prefixItems":[{}]}"#,
        "all(items[true, *: true], items[true, *: false])",
    );
    means(r#"{"unevaluatedProperties":{"type":"null"}}"#, "members{*: kind(null)}");
    means(
        r#"{"anyOf":[{"required":["a"],"properties":{"a":{"type":"null"}}},true],"unevaluatedProperties":false}"#,
        r#"all(any(@3, true), any(members{*: false}, all(@3, members{"a": true, *: false}))); @3 = all(members{"a": kind(null), *: true}, required("a"))"#,
    );
}

#[test]
fn references_lead_within_the_document() {
    means(r##"{"$ref":"#/$defs/a~1b%25/0","$defs":{"a/b%":[{"type":"null"}]}}"##, "kind(null)");
    means(
        r##"{"properties":{"a":{"type":"null"},"b":{"$ref":"#/properties/a"}}}"##,
        r#"members{"a": kind(null), "b": kind(null), *: true}"#,
    );
    means(r##"{"items":{"$ref":"#"}}"##, "items[*: @0]");
    means(r#"{"items":{"$ref":""}}"#, "items[*: @0]");
    means(
        r##"{"$ref":"#/$defs/list","$defs":{"list":{"properties":{"next":{"anyOf":[{"$ref":"#/$defs/list"},{"type":"null"}]}},"required":["next"]}}}"##,
        r#"all(members{"next": any(@0, kind(null)), *: true}, required("next"))"#,
    );
    means(r##"{"$ref":"#/x-parts/a","x-parts":{"a":{"type":"null"}}}"##, "kind(null)");
    means(r##"{"properties":{"$ref":{"type":"null"}}}"##, r#"members{"$ref": kind(null), *: true}"#);
    means(r##"{"const":{"$ref":"#/nowhere"}}"##, &{
        let text = r##"all(kind(object), members{"$ref": all(kind(string), text("#/nowhere")), *: false}, required("$ref"))"##;
        text.to_owned()
    });
    refuses(
        r##"{"$ref":"#/$defs/a/b","$defs":{"a":{"c":1}}}"##,
        Reference,
        "/$ref",
        "$ref",
        "/$defs/a has no member \"b\"",
    );
    refuses(r##"{"$ref":"#/$defs/a","$defs":{"a":5}}"##, Invalid, "/$defs/a", "schema", "a number");
    refuses(r##"{"$ref":"#/%zz"}"##, Invalid, "/$ref", "$ref", "percent");
    refuses(r##"{"$ref":"#name"}"##, Reference, "/$ref", "$ref", "anchor");
    refuses(r##"{"$ref":"other.json#/a"}"##, Reference, "/$ref", "$ref", "the document \"other.json\"");
    refuses(r##"{"$ref":5}"##, Invalid, "/$ref", "$ref", "a number");
    refuses(r##"{"$dynamicRef":"#a"}"##, Reference, "/$dynamicRef", "$ref", "anchor");
}

#[test]
fn references_lead_to_anchors_and_to_resources_by_their_uri() {
    means(r##"{"$ref":"#n","$defs":{"a":{"$anchor":"n","type":"null"}}}"##, "kind(null)");
    // Relative to the resource around, which may be the document without a name.
    for (id, uri) in [
        ("node", "node"),
        ("https://example.com/dir/node", "https://example.com/dir/node"),
        ("https://example.com/dir/node", "HTTPS://EXAMPLE.com/dir/x/../node"),
        ("urn:uuid:deadbeef-1234-00ff-ff00-4321feebdaed", "urn:uuid:deadbeef-1234-00ff-ff00-4321feebdaed"),
    ] {
        means(&format!(r#"{{"$ref":"{uri}","$defs":{{"a":{{"$id":"{id}","type":"null"}}}}}}"#), "kind(null)");
        let anchored = format!(
            r##"{{"$ref":"{uri}#n","$defs":{{"a":{{"$id":"{id}","$defs":{{"b":{{"$anchor":"n","type":"null"}}}}}}}}}}"##
        );
        means(&anchored, "kind(null)");
    }
    means(
        r##"{"$id":"https://example.com/a/","$ref":"b/c","$defs":{"b":{"$id":"b/","$defs":{"c":{"$id":"c","$ref":"d"},"d":{"$id":"/a/b/d","type":"null"}}}}}"##,
        "kind(null)",
    );
    // An anchor belongs to its resource.
    refuses(
        r##"{"$ref":"#n","$defs":{"a":{"$id":"x","$defs":{"b":{"$anchor":"n"}}}}}"##,
        Reference,
        "/$ref",
        "$ref",
        "anchor",
    );
    let draft7 = r##""$schema":"http://json-schema.org/draft-07/schema#""##;
    means(
        &format!(
            r##"{{{draft7},"allOf":[{{"$ref":"#n"}}],"definitions":{{"a":{{"$id":"#n","type":"null"}}}}}}"##
        ),
        "kind(null)",
    );
}

#[test]
fn older_drafts_ignore_what_stands_beside_a_reference() {
    let schema = |draft: &str| {
        format!(
            r##"{{"$schema":"{draft}","properties":{{"a":{{"$ref":"#/definitions/n","minLength":3,"$id":"x"}}}},"definitions":{{"n":{{"type":"string"}}}}}}"##
        )
    };
    means(&schema("http://json-schema.org/draft-07/schema#"), r#"members{"a": kind(string), *: true}"#);
    means(
        &schema("https://json-schema.org/draft/2019-09/schema").replace(r##","$id":"x""##, ""),
        r#"members{"a": all(text(.{3,}), kind(string)), *: true}"#,
    );
}

#[test]
fn a_schema_with_an_id_is_a_resource_of_its_own() {
    means(
        r##"{"$id":"http://x/","$defs":{"a":{"type":"null"}},"items":{"$id":"inner","$ref":"#/$defs/a","$defs":{"a":{"type":"string"}}}}"##,
        "items[*: kind(string)]",
    );
    means(
        r##"{"$defs":{"a":{"type":"null"}},"items":{"$id":"#inner","$ref":"#/$defs/a","$defs":{"a":{"type":"string"}}}}"##,
        "items[*: kind(null)]",
    );
    // A property or an annotation called $id is none.
    means(
        r##"{"$defs":{"a":{"type":"null"}},"properties":{"$id":{"$ref":"#/$defs/a"}},"default":{"$id":"x"}}"##,
        r#"members{"$id": kind(null), *: true}"#,
    );
    refuses(
        r##"{"$defs":{"a":{}},"items":{"$id":"inner","$ref":"#/$defs/a"}}"##,
        Reference,
        "/items/$ref",
        "$ref",
        "/items has no member \"$defs\"",
    );
}

#[test]
fn circles_that_consume_nothing_are_refused() {
    for (schema, place) in [
        (r##"{"$ref":"#"}"##, ""),
        (r##"{"allOf":[{"$ref":"#"}]}"##, ""),
        (r##"{"not":{"$ref":"#"}}"##, ""),
        (r##"{"oneOf":[{"type":"null"},{"$ref":"#"}]}"##, ""),
        (r##"{"if":{"$ref":"#"},"then":false}"##, ""),
        (
            r##"{"items":{"$ref":"#/$defs/a"},"$defs":{"a":{"anyOf":[true,{"$ref":"#/$defs/b"}]},"b":{"$ref":"#/$defs/a"}}}"##,
            "/$defs/a",
        ),
    ] {
        refuses(schema, Reference, place, "$ref", "refers to itself");
    }
    means(r##"{"properties":{"a":{"$ref":"#"}}}"##, r#"members{"a": @0, *: true}"#);
    means(r##"{"contains":{"$ref":"#"}}"##, "atLeast(1)[*: @0]");
    refuses(r##"{"propertyNames":{"$ref":"#"}}"##, Reference, "", "$ref", "refers to itself");
}

#[test]
fn the_order_of_keywords_does_not_matter() {
    let same =
        |a: &str, b: &str| assert_eq!(text_form(&compiled(a).0), text_form(&compiled(b).0), "{a} and {b}");
    same(
        r#"{"type":"string","minLength":1,"pattern":"a"}"#,
        r#"{"pattern":"a","minLength":1,"type":"string"}"#,
    );
    same(
        r#"{"title":"x","type":"object","properties":{"b":{},"a":{}},"required":["a"],"minProperties":1}"#,
        r#"{"minProperties":1,"required":["a"],"properties":{"b":{"$comment":"y"},"a":true},"type":["object"]}"#,
    );
    same(
        r##"{"items":{"$ref":"#/$defs/a~b%20c"},"$defs":{"a~b c":{"type":"null"}}}"##
            .replace("a~b%20", "a~0b%20")
            .as_str(),
        r##"{"$id":"https://example.com/x","$defs":{"n":{"$anchor":"n","type":"null"}},"items":{"$ref":"x#n"}}"##,
    );
    // Which names come first is told by the text.
    let order = |first: &str, second: &str| text_form(&compiled(&format!(r#"{{{first},{second}}}"#)).0);
    let (all_of, properties) = (r#""allOf":[{"properties":{"a":false}}]"#, r#""properties":{"b":false}"#);
    assert_ne!(order(all_of, properties), order(properties, all_of));
}
