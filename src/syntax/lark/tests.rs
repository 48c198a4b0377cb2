//! What grammars in Lark's notation mean, as text forms, and where others are refused.

use super::parse;
use crate::syntax::schema::SchemaOptions;

fn read(text: &str) -> Result<String, String> {
    match parse(text, &SchemaOptions::default()) {
        Ok((lexing, _)) => Ok(lexing.to_string().trim_end().to_owned()),
        Err(e) => Err(e.to_string()),
    }
}

#[track_caller]
fn check(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(read(text).as_deref(), Ok(*expected), "{text}");
    }
}

/// Each text with the start of its error and a part of it.
#[track_caller]
fn check_refused(cases: &[(&str, &str, &str)]) {
    for (text, place, part) in cases {
        let error = read(text).expect_err(text);
        assert!(error.starts_with(place) && error.contains(part), "{text}\n{error}");
    }
}

#[test]
fn rules_and_what_they_are_made_of() {
    check(&[
        ("start: \"a\"", "start: \"a\"\n\"a\" = a literal"),
        (
            "start: \"ab\" \"cd\"i",
            "start: \"ab\" \"cd\"i\n\"ab\" = \"ab\" literal\n\"cd\"i = [Cc][Dd] literal",
        ),
        ("start: | a\na: \"x\"", "start: () | a\na: \"x\"\n\"x\" = x literal"),
        (
            "start: a\n  | b // or\n\n  # or\n  | \"\"\na: \"x\"\nb: \"x\" a",
            "start: a | b | ()\na: \"x\"\nb: \"x\" a\n\"x\" = x literal",
        ),
        (
            "start: (\"a\" | \"b\")+ [\"a\"]",
            "start: (\"a\" | \"b\")+ \"a\"?\n\"a\" = a literal\n\"b\" = b literal",
        ),
        (
            "start: \"a\"~2 \"a\"~2..3 \"a\"{2} \"a\"{2,} \"a\"{,3}",
            "start: \"a\"~2 \"a\"~2..3 \"a\"~2 \"a\"~2.. \"a\"~0..3\n\"a\" = a literal",
        ),
        ("?start.2: \"a\" -> x\n | \"b\" -> y", "start: \"a\" | \"b\"\n\"a\" = a literal\n\"b\" = b literal"),
        ("!start: (\"a\"\n\"b\")*", "start: (\"a\" \"b\")*\n\"a\" = a literal\n\"b\" = b literal"),
        (
            "x: start \"b\"\nstart: \"a\"",
            "start: \"a\"\nx: start \"b\"\n\"a\" = a literal\n\"b\" = b literal",
        ),
        ("start: <|end|> <[1-5,7]> <[^3]> <[*]>", "start: <[<|end|>]> <[1-5,7]> <[^3]> <[^]>"),
        ("start: %json {\"const\": 1} \"}\"", "start: %json 0 \"}\"\n\"}\" = \\} literal"),
        ("start: \"a\" \\\n \"b\"", "start: \"a\" \"b\"\n\"a\" = a literal\n\"b\" = b literal"),
    ]);
}

#[test]
fn terminals_and_what_they_are_made_of() {
    check(&[
        ("start: A\nA: B \"x\" | \"z\"\nB: /[0-9]/+", "start: A\nA = ([0-9]+x|z)"),
        (
            "start: A B\nB.2: \"b\"\nA.-1: \"a\" | \"b\"",
            "start: A B\nB = b literal priority 2\nA = (a|b) priority -1",
        ),
        ("start: \"if\"\nIF: \"if\"\nx: IF", "start: IF\nx: IF\nIF = \"if\" literal"),
        ("start: A\nA: /[a-z]+/ & ~\"if\"", "start: A\nA = ([a-z]+&!(\"if\"))"),
        ("start: A\nA: \"a\"..\"c\"~2", "start: A\nA = [a-c]{2}"),
        ("start: A\nA: /a*/", "start: A?\nA = a*"),
        (
            "start: A\n%ignore /[ ]+/\nA: \"a\"\n%ignore B\nB: \"b\"",
            "start: A\nA = a literal\nB = b literal\n/[ ]+/ = \\ +\nignore /[ ]+/\nignore B",
        ),
        ("start: X\n%import common.INT -> X", "start: X\nX = [0-9]+"),
        (
            "start: INT WS\n%import common (INT, WS)\n%override INT: \"0\"\n%extend INT: \"1\"",
            "start: INT WS\nINT = (0|1)\nWS = [\\u{9}\\u{A}\\u{C}\\u{D}\\ ]+",
        ),
        ("start: t\nt[lazy]: /a+/ \"b\"", "start: t\nt = a+b shortest"),
        ("start[suffix=\"</s>\"]: /(.|\\n)*/", "start: start\nstart = .*\"</s>\" shortest"),
        ("start: C\nC: /<.*?>/", "start: C\nC = \\<[^\\u{A}]*\\> shortest"),
        (
            "%llguidance {\"no_forcing\": true, \"allow_initial_skip\": true}\nstart: \"a\"",
            "start: \"a\"\n\"a\" = a literal",
        ),
    ]);
}

#[test]
fn templates_are_written_out() {
    check(&[
        (
            "start: sep{item, \",\"} sep{item, \",\"}\nsep{x, y}: x (y x)*\nitem: \"i\"",
            "start: sep{item,\",\"} sep{item,\",\"}\nitem: \"i\"\nsep{item,\",\"}: item (\",\" item)*\n\"i\" = i literal\n\",\" = \\, literal",
        ),
        (
            "start: a{b{\"x\"}}\na{x}: x \"a\"\nb{x}: x x",
            "start: a{b{\"x\"}}\nb{\"x\"}: \"x\" \"x\"\na{b{\"x\"}}: b{\"x\"} \"a\"\n\"x\" = x literal\n\"a\" = a literal",
        ),
    ]);
    check_refused(&[
        ("start: a{\"x\"}\na{x}: \"y\" a{b{x}}\nb{x}: x", "line 2, column 11", "never ends"),
        ("start: a{\"x\", \"y\"}\na{x}: x", "line 1, column 8", "1 parameters, and 2 arguments"),
        ("start: a\na{x}: x", "line 1, column 8", "is a template"),
        ("start: A{\"x\"}\nA{x}: x", "line 2, column 1", "only rules may have some"),
    ]);
}

#[test]
fn patterns_are_read_as_python_and_rust_read_them_alike() {
    check(&[
        ("start: /a.b/", "start: /a.b/\n/a.b/ = a[^\\u{A}]b"),
        ("start: /a.b/s", "start: /a.b/s\n/a.b/s = a.b"),
        ("start: /[]a\\-]/", "start: /[]a\\-]/\n/[]a\\-]/ = [\\-\\]a]"),
        ("start: /\\/\\*x\\*\\//", "start: /\\/\\*x\\*\\//\n/\\/\\*x\\*\\// = \"/*x*/\""),
        ("start: /a b # c\n d/x", "start: /a b # c\n d/x\n/a b # c\n d/x = \"abd\""),
        ("start: /(?P<n>a){,2}/", "start: /(?P<n>a){,2}/?\n/(?P<n>a){,2}/ = a{0,2}"),
        ("start: /(?i)a/", "start: /(?i)a/\n/(?i)a/ = [Aa]"),
        ("start: /a(?s:.)./", "start: /a(?s:.)./\n/a(?s:.)./ = a.[^\\u{A}]"),
        (
            "start: /\\x41\\u0042\\U00000043/",
            "start: /\\x41\\u0042\\U00000043/\n/\\x41\\u0042\\U00000043/ = \"ABC\"",
        ),
    ]);
    check_refused(&[
        ("start: /ab$/", "line 1, column 11 (byte 10)", "outside the lexeme"),
        ("start: /(?=a)b/", "line 1, column 9", "lookaround"),
        ("start: /(a)\\1/", "line 1, column 12", "back-reference"),
        ("start: /a*+/", "line 1, column 10", "possessive"),
        ("start: /a[b&&c]/", "line 1, column 12", "operation on classes"),
        ("start: /a.*?|b/", "line 1, column 11", "a shorter match is not plain"),
        ("start: /a/l", "line 1, column 9", "locale"),
        ("start: /a{x}/", "line 1, column 10", "starts no count"),
        ("start: /[b-a]/", "line 1, column 10", "backwards"),
        ("start: /a\\q/", "line 1, column 10", "no escape `\\q`"),
        ("start: /\\p{Grek}/", "line 1, column 9", "not known"),
        ("start: /(a/", "line 1, column 9", "not closed"),
        ("start: A\nA: B \"x\"\nB: /<.*?>/", "line 2, column 4", "part of a larger terminal"),
    ]);
}

#[test]
fn faults_are_named_with_their_place() {
    check_refused(&[
        ("", "line 1, column 1", "there is no rule `start`"),
        ("stat: \"a\"", "line 1, column 1", "did you mean `stat`?"),
        ("start: a\nb: \"x\"", "line 1, column 8 (byte 7)", "`a` is used and not defined"),
        ("start: nam\nname: \"x\"\n", "line 1, column 8", "did you mean `name`?"),
        ("start: INT", "line 1, column 8", "add `%import common.INT`"),
        ("start: \"a\nb\"", "line 1, column 8", "not closed"),
        ("start: \"\\d\"", "line 1, column 9", "a backslash and a character in Lark"),
        ("start: (\"a\"", "line 1, column 8", "`(` is not closed"),
        ("start: (\"a\"]", "line 1, column 12", "stands where `)` is needed"),
        ("start: \"a\")", "line 1, column 11", "closes nothing"),
        ("start: *", "line 1, column 8", "nothing before it to repeat"),
        ("start: \"a\"~3..2", "line 1, column 11", "backwards"),
        ("start: \"a\"\n\"b\"", "line 2, column 1", "start the next line with `|`"),
        ("start = \"a\"", "line 1, column 7", "not `=`"),
        ("start: \"a\"\nstart: \"b\"", "line 2, column 1", "first at line 1"),
        ("start: 'a'", "line 1, column 8", "double quotes"),
        ("start: \"b\"..\"a\"", "line 1, column 8", "backwards"),
        ("start: A\nA: A \"x\"", "line 2, column 4", "made of itself"),
        ("start: A\nA: b\nb: \"x\"", "line 2, column 4", "is a rule"),
        ("start: \"a\" & \"b\"", "line 1, column 8", "joins terminals only"),
        ("start: \"a\"\n%declare X", "line 2, column 1", "(unsupported, lark: %declare)"),
        ("%import .other.x\nstart: x", "line 1, column 9", "another file"),
        ("%import common.WSS\nstart: WSS", "line 1, column 16", "did you mean `WS`?"),
        ("%ignroe \" \"\nstart: \"a\"", "line 1, column 1", "did you mean `%ignore`?"),
        ("start: @x", "line 1, column 8", "(unsupported, lark: grammar reference)"),
        ("start: x::1", "line 1, column 8", "parameters that count"),
        ("start[max_tokens=5]: \"a\"", "line 1, column 7", "(unsupported, lark: option max_tokens)"),
        ("start[temperature=0.5]: \"a\"", "line 1, column 7", "(unsupported, lark: option temperature)"),
        ("start: a\na[lazy]: /x*/", "line 2, column 1", "the empty text"),
        ("start: \"a\"\n%llguidance {\"ignore_once\": true}", "line 2, column 14", "ignore_once"),
        ("start: \"a\"\n  %json {\"type\": 5}", "line 2, column 3", "`%json` is not known here"),
        ("start: \"a\" |\n  \"b\"", "line 2, column 3", "start the next line with `|`"),
        ("start: <[5-3]>", "line 1, column 8", "no token id"),
        ("start:\n  %json {}", "line 2, column 3", "not known here"),
        ("start: ~", "line 1, column 8", "nothing stands behind `~`"),
    ]);
    let error = read("start: \"x\"\n  | %json {\n \"type\": 5}").unwrap_err();
    assert!(error.starts_with("at /type, line 3, column 2 (byte 24)"), "{error}");
}

#[test]
fn deep_groups_and_long_chains_are_bounded() {
    let deep = format!("start: {}\"a\"{}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(read(&deep).unwrap_err().contains("LARK_DEPTH_MAX"));
    let mut chain = "start: A0\n".to_owned();
    for at in 0..3_000 {
        chain.push_str(&format!("A{at}: \"(\" A{} \")\"\n", at + 1));
    }
    chain.push_str("A3000: \"x\"\n");
    assert!(read(&chain).unwrap_err().contains("LARK_TERMINAL_DEPTH_MAX"));
    let mut doubling = "start: A0\n".to_owned();
    for at in 0..60 {
        doubling.push_str(&format!("A{at}: (A{0} \"x\") (\"y\" A{0})\n", at + 1));
    }
    doubling.push_str("A60: \"x\"\n");
    assert!(read(&doubling).unwrap_err().contains("LARK_TERMINAL"));
}

#[test]
fn damaged_texts_are_read_or_refused() {
    let whole = "?start.1: (\"a\\\"\"i | b~2..3)* [<[1-2,5]>] -> x // c\n  | sep{b, \",\"} %json {\"enum\": [\"é\"]} ~/a+/\n!b[lazy]: /[^\\]x]+?(?P<n>\\d)/ & B\nsep{x, y}: x (y x)*\nB: \"a\"..\"z\" {2,}\n%ignore WS # é\n%import common (WS, INT)\n%import common.CNAME -> N\n%llguidance {\"no_forcing\": true}\n%extend B: /é/x";
    let chars: Vec<char> = whole.chars().collect();
    let mut state = 7_u64;
    let mut random = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).expect("31 bits") % bound
    };
    for round in 0..2_000 {
        let mut damaged = chars.clone();
        for _ in 0..=random(3) {
            let at = random(damaged.len());
            match random(3) {
                0 => drop(damaged.remove(at)),
                1 => damaged.insert(at, chars[random(chars.len())]),
                _ => damaged.truncate(damaged.len().min(at + 200)),
            }
        }
        let text: String = damaged.into_iter().collect();
        println!("round {round}: {text:?}");
        drop(read(&text));
    }
}

#[test]
fn a_stop_is_read_like_a_suffix_and_what_repeats_it_is_left_out() {
    let loops = "start: (s \",\")*\ns[stop=\",\"]: /[a-z]*/";
    check(&[
        ("start[stop=\"</s>\"]: /(.|\\n)*/", "start: start\nstart = .*\"</s>\" shortest"),
        ("start: s \"b\"\ns[stop=/;/]: /a*/", "start: s \"b\"\ns = a*\\; shortest\n\"b\" = b literal"),
        (loops, "start: (s)*\ns = [a-z]*\\, shortest\n\",\" = \\, literal"),
        (
            "start: s E \"x\"\ns[stop=E]: /a*/\nE: \"--\"",
            "start: s \"x\"\ns = a*\"--\" shortest\nE = \"--\" literal\n\"x\" = x literal",
        ),
    ]);
    check_refused(&[
        ("start: s /[;.]/\ns[stop=/[;.]/]: /a*/", "line 2, column 1", "might be read again"),
        ("start: s \";x\"\ns[stop=\";\"]: /a*/", "line 2, column 1", "\";x\" may follow `s`"),
        ("start: s t\nt: \";\"\ns[stop=\";\"]: /a*/", "line 3, column 1", "use `suffix=`"),
        ("start: s \";\"\ns[stop=\";\"]: /a*/\n%ignore \" \"", "line 2, column 1", "use `suffix=`"),
        ("start: s %json {}\ns[stop=\"{\"]: /a*/", "line 2, column 1", "use `suffix=`"),
        ("start[stop=\"a\", suffix=\"b\"]: /x*/", "line 1, column 17", "keep one"),
        ("start[stop]: /x*/", "line 1, column 11", "`=` is needed"),
    ]);
}

#[test]
fn an_empty_stop_is_the_end_of_the_whole_text() {
    let as_part = "start: A\nA: s \"x\"\ns[stop=\"\"]: /a*/";
    check(&[
        ("start: \"x\" s\ns[stop=\"\"]: /a/ \"b\"?", "start: \"x\" s\ns = ab?\n\"x\" = x literal"),
        ("start[suffix=\"\"]: /a*/", "start: start?\nstart = a*"),
    ]);
    check_refused(&[
        ("start: s \"x\"\ns[stop=\"\"]: /a*/", "line 2, column 1", "\"x\" may follow"),
        ("start: s+\ns[stop=\"\"]: /a*/", "line 2, column 1", "may follow"),
        (as_part, "line 2, column 4", "no part of a terminal"),
        ("start[lazy, stop=\"\"]: /a+/", "line 1, column 13", "not lazy"),
    ]);
}

#[test]
fn captures_are_listed_as_annotations() {
    let text = "start[capture]: s\ns[suffix=\";\", capture=\"n\", stop_capture=\"m\"]: /a*/";
    let (lexing, report) = parse(text, &SchemaOptions::default()).unwrap();
    let (plain, _) = parse("start: s\ns[suffix=\";\"]: /a*/", &SchemaOptions::default()).unwrap();
    assert_eq!(lexing.to_string(), plain.to_string());
    let lines = report.to_string();
    assert_eq!(lines.lines().count(), 3, "{lines}");
    assert!(
        lines.starts_with("annotation  (option capture)       rule `start`, line 1, column 7"),
        "{lines}"
    );
    assert!(
        lines.contains("(option stop_capture)  rule `s`, line 2, column 28 (byte 45): no text is captured")
    );
    let (_, report) = parse("start[stop=\";\"]: /a*/", &SchemaOptions::default()).unwrap();
    assert!(report.to_string().starts_with("exact       (option stop)  rule `start`, line 1, column 7"));
    check_refused(&[
        ("start[stop_capture=\"m\"]: /a*/", "line 1, column 7", "neither stands here"),
        ("start[capture=m]: \"a\"", "line 1, column 15", "a string is needed"),
        ("start[max_tokens=5]: /a*/", "line 1, column 7", "bound the characters"),
    ]);
}

#[test]
fn regex_blocks_are_terminals_of_runs() {
    check(&[
        (
            "start: %regex {\"substring_chars\": \"ab\"} A\nA: %regex {\"substring_words\": \"a\"} \"x\"",
            "start: %regex {…}? A\nA = {0! a→1; 1!}x\n%regex {…} = {0! a→1 b→2; 1! b→2; 2!}",
        ),
        ("start: %regex {\"substring_chunks\": []}", "start: %regex {…}?\n%regex {…} = ε"),
    ]);
    check_refused(&[
        ("start: %regex", "line 1, column 14", "JSON"),
        ("start: %regex 5", "line 1, column 15", "an object with one of substring_chunks"),
        ("start: %regex {}", "line 1, column 15", "an object with one of substring_chunks"),
        ("start: %regex {\"substring_chars\": 5}", "line 1, column 16", "has a string, not a number"),
        (
            "start: %regex {\"substring_chunks\": [\"a\", 5]}",
            "line 1, column 42",
            "has strings, not a number",
        ),
        (
            "start: %regex {\"substring_chunks\": \"a\"}",
            "line 1, column 16",
            "an array of strings, not a string",
        ),
        ("start: %regex {\"substring_char\": \"a\"}", "line 1, column 16", "did you mean `substring_chars`?"),
        ("start: %regex {\"type\": \"number\"}", "line 1, column 16", "known are substring_chunks"),
        (
            "start: %regex {\"substring_chars\": \"a\", \"substring_words\": \"a\"}",
            "line 1, column 40",
            "is a second one",
        ),
    ]);
    let many: Vec<String> = (1..1_400).map(|len| "a".repeat(len)).collect();
    let error = read(&format!("start: %regex {{\"substring_chunks\": {many:?}}}")).unwrap_err();
    assert!(error.contains("SUBSTRING_PLACES_MAX"), "{error}");
}
