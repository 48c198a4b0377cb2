//! GBNF: texts with the grammar that they mean, and texts with the error that they get.

use super::parse;

fn form(text: &str) -> String {
    parse(text).unwrap_or_else(|e| panic!("{text}: {e}")).grammar.to_string()
}

#[test]
fn texts_mean_these_grammars() {
    for (text, expected) in [
        ("root ::= \"a\"", "root ::= \"a\""),
        ("root::=\"a\"\"b\"", "root ::= \"a\" \"b\""),
        ("root ::= a-1 | B\na-1 ::= \"x\"\nB ::= .", "root ::= a-1 | B\na-1 ::= \"x\"\nB ::= ."),
        // Names may start with a digit or `-`, and have `_`.
        (
            "root ::= 1a -b c_d\n1a ::= .\n-b ::= .\nc_d ::= .",
            "root ::= 1a `-b` c_d\n1a ::= .\n`-b` ::= .\nc_d ::= .",
        ),
        // Escapes.
        (r#"root ::= "\x41\u00e9\U0001F600\n\r\t\\\"\[\]\-""#, r#"root ::= "Aé\U0001F600\n\r\t\\\"[]-""#),
        ("root ::= \"a\nb\"", "root ::= \"a\\nb\""),
        ("root ::= \"\"", "root ::= \"\""),
        // Classes: `-` first and last is itself, and so is one behind a range.
        (
            "root ::= [a-c] [^a] [-a] [a-] [a-b-d] [^->] [\\]\\\\]",
            r#"root ::= [a-c] [^a] [\-a] [\-a] [\-abd] [^\->] [\\\]]"#,
        ),
        ("root ::= [\u{3041}-\u{309F}] [\\x00-\\x1F] [+#]", "root ::= [ぁ-ゟ] [\\x00-\\x1F] [#+]"),
        ("root ::= [\\uD7FF-\\uE000]", "root ::= [\\uD7FF\\uE000]"),
        // Repetition; several operators in a row apply one after the other.
        (
            "root ::= .* .+ .? .{2} .{2,} .{2,5} .{,5} .{ 1 , 2 }",
            "root ::= .* .+ .? .{2} .{2,} .{2,5} .{0,5} .{1,2}",
        ),
        ("root ::= \"ab\"* \"c\" * + (\"d\"){3}{4}", "root ::= \"ab\"* (\"c\"*)+ (\"d\"{3}){4}"),
        ("root ::= .{0} .{4294967295}", "root ::= \"\" .{4294967295}"),
        // Alternatives, empty ones too.
        ("root ::= | \"a\" | (|\"b\") | ()", "root ::= \"\" | \"a\" | (\"\" | \"b\") | \"\""),
        ("root ::=", "root ::= \"\""),
        ("root ::= \"a\" |", "root ::= \"a\" | \"\""),
        // Line breaks: behind `::=`, behind `|`, inside parentheses; and all kinds of them.
        ("root ::=\n\n  \"a\" | # x\n  \"b\"", "root ::= \"a\" | \"b\""),
        ("root ::= (\n\"a\"\r\n# c\r\n\"b\" # d\n|\"c\"\n) \"d\"", "root ::= (\"a\" \"b\" | \"c\") \"d\""),
        ("# head\r\n\r\nroot ::= a\r\na ::= .\r\n", "root ::= a\na ::= ."),
        ("root ::= a\ra ::= .\r", "root ::= a\na ::= ."),
        // Tokens.
        (
            "root ::= <think> !</think>* <|im_end|> <[1000]> !<[7]>",
            "root ::= <think> !</think>* <|im_end|> <[1000]> !<[7]>",
        ),
        ("root ::= <[1-5, 7]>", "root ::= <[1-5,7]>"),
        // The start is `root`, wherever it stands.
        ("a ::= root\nroot ::= a | .", "%start root\na ::= root\nroot ::= a | ."),
    ] {
        assert_eq!(form(text), expected, "{text}");
    }
}

#[test]
fn texts_get_these_errors() {
    for (text, place, part) in [
        ("", "line 1, column 1 (byte 0)", "no rule `root`"),
        ("# only a comment", "line 1, column 1 (byte 0)", "no rule `root`"),
        ("rout ::= \"x\"", "line 1, column 1 (byte 0)", "did you mean `rout`?"),
        ("rout :== \"x\"", "line 1, column 6 (byte 5)", "`:==`"),
        ("root = \"x\"", "line 1, column 6 (byte 5)", "defined with `::=`"),
        ("root\n::= \"x\"", "line 1, column 5 (byte 4)", "the line ends"),
        ("root ::= \"a\" item", "line 1, column 14 (byte 13)", "`item` is used and not defined"),
        ("root ::= itm\nitem ::= .", "line 1, column 10 (byte 9)", "did you mean `item`?"),
        ("root ::= .\n\nroot ::= .", "line 3, column 1 (byte 12)", "defined at line 1"),
        ("root ::= \"é\" \"a", "line 1, column 14 (byte 14)", "the literal is not closed"),
        ("root ::= [a", "line 1, column 10 (byte 9)", "the class is not closed"),
        ("root ::= []", "line 1, column 10 (byte 9)", "needs a character"),
        ("root ::= [^]", "line 1, column 10 (byte 9)", "needs a character"),
        ("root ::= [z-a]", "line 1, column 11 (byte 10)", "backwards"),
        ("root ::= \"\\q\"", "line 1, column 11 (byte 10)", "escape `\\q`"),
        ("root ::= [\\d]", "line 1, column 11 (byte 10)", "[0-9]"),
        ("root ::= \"\\x4\"", "line 1, column 11 (byte 10)", "2 hexadecimal digits"),
        ("root ::= \"\\U00110000\"", "line 1, column 11 (byte 10)", "no code point"),
        ("root ::= \"\\uD83D\\uDE00\"", "line 1, column 11 (byte 10)", "half of a pair"),
        ("root ::= \"\\", "line 1, column 11 (byte 10)", "behind the backslash"),
        ("root ::= (\"a\"", "line 1, column 10 (byte 9)", "`(` is not closed"),
        ("root ::= (\"a\"\nb ::= .", "line 1, column 10 (byte 9)", "before the next rule"),
        ("root ::= \"a\")", "line 1, column 13 (byte 12)", "`)` without `(`"),
        ("root ::= *", "line 1, column 10 (byte 9)", "nothing before `*`"),
        ("root ::= \"a\" | +", "line 1, column 16 (byte 15)", "nothing before `+`"),
        ("root ::= .{}", "line 1, column 11 (byte 10)", "not a count"),
        ("root ::= .{,}", "line 1, column 11 (byte 10)", "not a count"),
        ("root ::= .{2", "line 1, column 11 (byte 10)", "not a count"),
        ("root ::= .{3,2}", "line 1, column 11 (byte 10)", "below the least"),
        ("root ::= .{1,4294967296}", "line 1, column 14 (byte 13)", "at most 4294967295"),
        ("root ::= \"a\"\n  | \"b\"", "line 2, column 3 (byte 15)", "put `|` at the end"),
        ("root ::= \"a\"\n  \"b\"", "line 2, column 3 (byte 15)", "inside parentheses"),
        ("root ::= a\n  b", "line 2, column 4 (byte 14)", "`::=` is needed"),
        ("root ::=\na ::= .", "line 2, column 3 (byte 11)", "`::=` inside a rule"),
        ("root ::= 'a'", "line 1, column 10 (byte 9)", "double quotes"),
        ("root ::= \"a\", \"b\"", "line 1, column 13 (byte 12)", "just follow each other"),
        ("root ::= \"a\" // c", "line 1, column 14 (byte 13)", "starts with `#`"),
        ("\u{FEFF}root ::= .", "line 1, column 1 (byte 0)", "U+FEFF"),
        ("root ::= <a", "line 1, column 10 (byte 9)", "`>` is missing"),
        ("root ::= <[a]>", "line 1, column 12 (byte 11)", "an id"),
        ("root ::= <[4294967296]>", "line 1, column 12 (byte 11)", "too large"),
        ("root ::= <[^1]>", "line 1, column 12 (byte 11)", "!<["),
        ("root ::= !a", "line 1, column 11 (byte 10)", "behind `!`"),
        ("root ::= a\0", "line 1, column 11 (byte 10)", "NUL"),
    ] {
        let message = parse(text).expect_err(text).to_string();
        assert!(message.starts_with(place) && message.contains(part), "{text}: {message}");
    }
    let message = parse(b"root ::= \"\xFF\"").unwrap_err().to_string();
    assert!(message.starts_with("line 1, column 11 (byte 10)") && message.contains("UTF-8"), "{message}");
}

#[test]
fn hostile_texts_are_refused_or_read_quickly() {
    let nested = format!("root ::= {}\"a\"{}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(parse(&nested).unwrap_err().to_string().contains("GRAMMAR_DEPTH_MAX"));
    assert!(parse("root ::= ".to_owned() + &"(\n".repeat(60_000)).is_err());
    let chain: String = (0..10_000).map(|i| format!("r{i} ::= r{}\n", i + 1)).collect();
    let chain = format!("root ::= r0\n{chain}r10000 ::= \"a\"");
    assert_eq!(parse(chain).unwrap().grammar.rules.len(), 10_002);
    let names: String = (0..100_001).map(|i| format!(" r{i}")).collect();
    assert!(parse(format!("root ::={names}")).is_err());
    let one_line = format!("root ::= {}", "root ".repeat(300_000));
    assert!(parse(one_line).is_ok());
}

#[test]
fn a_negated_class_that_looks_like_a_text_gets_a_hint() {
    let hints = |text: &str| parse(text).unwrap().hints.iter().map(ToString::to_string).collect::<Vec<_>>();
    let found = hints("root ::= \"a\"\nb ::= [^\"-->\"]+");
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("line 2, column 7 (byte 19): ") && found[0].contains("Until"), "{found:?}");
    assert!(hints("root ::= [^\"\\\\\\x7F\\x00-\\x1F] [aa] [^a-z]").is_empty());
    assert_eq!(parse("root ::= ".to_owned() + &"[^aa]".repeat(1_000)).unwrap().hints.len(), 64);
}
