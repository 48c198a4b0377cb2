//! Schemas that compile, and schemas that are refused: the enforcement report and the errors.
//!
//! `cargo run --release --example json_schema`

use std::error::Error;

use maskwright::{Compiler, CompilerConfig, SurfacePolicy, Vocabulary};

fn main() -> Result<(), Box<dyn Error>> {
    let compiler = Compiler::new(Vocabulary::demo(), CompilerConfig::default());

    let grammar = compiler.json_schema(
        r#"{"type": "object", "title": "A parcel", "properties": {"weight": {"type": "number", "minimum": 0}},
            "required": ["weight"]}"#,
    )?;
    print!("{}", grammar.report());
    println!();

    for schema in [
        r#"{"type": "object", "properties": {"a": {"uniqueItems": true}}}"#,
        r#"{"type": "integer", "minimum": 4, "maximum": 3}"#,
        r##"{"allOf": [{"$ref": "#/$defs/missing"}]}"##,
        r#"{"type": "string", "pattern": "a(?"}"#,
        r#"{"type": "#,
    ] {
        match compiler.json_schema(schema) {
            Ok(_) => println!("compiles: {schema}"),
            Err(refusal) => println!("refused: {schema}\n    {refusal}"),
        }
    }

    // The same schema under the widest policy: any whitespace, exponents, any order of members.
    let config = CompilerConfig::with_policy(SurfacePolicy::permissive());
    let wide = Compiler::new(Vocabulary::demo(), config).json_schema(r#"{"type": "number"}"#)?;
    println!("\npolicy of the last grammar: {:?}", wide.policy());
    Ok(())
}
