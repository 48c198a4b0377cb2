//! The enforcement report.

use super::{Random, SchemaOptions, compile, compiled, text_form};
use crate::syntax::format::Formats;
use crate::syntax::schema::{Entry, Status};

const SCHEMA: &str = r##"{
  "$schema": "http://json-schema.org/draft-07/schema#", "title": "T",
  "properties": {
    "a": {"type": "string", "format": "no-such-format", "nullable": true},
    "b": {"$ref": "#/definitions/x", "minLength": 1},
    "c": {"prefixItems": [], "then": false}
  },
  "definitions": {"x": {"maxItems": 3}, "unreachable": {"oneOf": 5}}
}"##;

#[test]
fn every_keyword_that_is_reached_is_listed_with_what_became_of_it() {
    let (_, report) = compiled(SCHEMA);
    let expected = "\
narrowed    (policy)                   every valid value is generated, in some spellings: whitespace: after { [ , : and before } ] at most one newline and 128 blanks; numbers without exponent, of at most 400 digits, without fraction where the type is integer; members in the order in which the schema mentions their names, all others last
annotation  /title
exact       /properties
exact       /properties/a/type
annotation  /properties/a/format       \"no-such-format\" is no format of JSON Schema: it constrains nothing
annotation  /properties/a/nullable     a keyword of OpenAPI 3.0: it allows no null here; write {\"type\": [\"null\", …]}
exact       /properties/b/$ref
annotation  /properties/b/minLength    draft-07 ignores what stands beside $ref
annotation  /properties/c/prefixItems  draft-07 has no such keyword: it constrains nothing
exact       /properties/c/then         without if it says nothing
exact       /definitions/x/maxItems
";
    assert_eq!(report.to_string(), expected);
}

#[test]
fn the_report_for_programs_says_the_same() {
    let (_, report) = compiled(SCHEMA);
    let json = report.to_json();
    let lines = json.as_array().unwrap();
    assert_eq!(lines.len(), report.entries().len());
    for (line, Entry { pointer, keyword, status, note }) in lines.iter().zip(report.entries()) {
        assert_eq!(line["pointer"], **pointer);
        assert_eq!(line["keyword"], **keyword);
        assert_eq!(line["status"], status.name());
        assert_eq!(line.get("note").and_then(|n| n.as_str()), note.as_deref());
    }
    assert_eq!(report.with_status(Status::Annotation).count(), 5);
}

#[test]
fn formats_of_the_caller_are_exact_and_reported_as_his() {
    let formats = Formats::default().with("parcel", "[0-9]{2}").unwrap();
    let options = SchemaOptions { formats, ..SchemaOptions::default() };
    let (program, report) = compile(r#"{"format":"parcel"}"#, &options).unwrap();
    assert_eq!(text_form(&program), "text([0-9]{2})");
    let line = report.entries().last().unwrap();
    assert_eq!((&*line.pointer, line.status), ("/format", Status::Exact));
    assert_eq!(line.note.as_deref(), Some("the caller defines this format"));
    let (program, _) = compile(r#"{"not":{"format":"parcel"}}"#, &options).unwrap();
    assert_eq!(text_form(&program), "all(kind(string), text(!([0-9]{2})))");
}

#[test]
fn a_dialect_that_does_not_count_is_reported() {
    let (_, report) = compiled(r#"{"not":{"not":{"$schema":"https://example.com/mine"}}}"#);
    let line = report.entries().last().unwrap();
    assert_eq!((&*line.pointer, line.status), ("/not/not/$schema", Status::Annotation));
}

#[test]
fn the_generator_of_these_tests_is_reproducible() {
    let mut random = Random(1);
    assert_eq!([random.next(), random.next()], [0x910A_2DEC_8902_5CC1, 0xBEEB_8DA1_658E_EC67]);
}

#[test]
fn the_report_says_what_denying_a_narrowed_format_leaves_out() {
    let (_, report) = compiled(r#"{"not":{"format":"idn-hostname"}}"#);
    let note = report.entries().iter().find(|entry| &*entry.pointer == "/not/format").unwrap().note.clone();
    assert!(note.unwrap().contains("where the schema denies the format"), "{report}");
    let (_, report) = compiled(r#"{"format":"idn-hostname"}"#);
    assert!(!report.to_string().contains("denies"), "{report}");
}
