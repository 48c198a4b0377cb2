//! EBNF of both families: texts with the grammar that they mean, and texts with the error that they get.

use super::parse;
use crate::grammar::naive::is_match;
use crate::grammar::regex::Regex;
use crate::grammar::rules::Expr;

fn form(text: &str) -> String {
    parse(text).unwrap_or_else(|e| panic!("{text}: {e}")).grammar.to_string()
}

fn check_errors(cases: &[(&str, &str, &str)]) {
    for (text, place, part) in cases {
        let message = parse(text).expect_err(text).to_string();
        assert!(message.starts_with(place) && message.contains(part), "{text}: {message}");
    }
}

/// The regex that is all of the start rule.
fn regex(text: &str) -> Regex {
    let grammar = parse(text).unwrap_or_else(|e| panic!("{text}: {e}")).grammar;
    match grammar.expr(grammar.rule(grammar.start).body) {
        Expr::Text(regex) => regex.clone(),
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn productions_mean_these_grammars() {
    for (text, expected) in [
        ("root ::= \"a\" 'b' | \"c\"", "root ::= \"a\" \"b\" | \"c\""),
        // A rule goes on over lines, and ends where the next one starts.
        ("root ::= \"a\"\n  | x\n  y x ::= 'x'\ny ::= .", "root ::= \"a\" | x y\nx ::= \"x\"\ny ::= ."),
        ("a.b_c-1 ::= a.b_c-1 . \"x\" | a.b_c-1.", "a.b_c-1 ::= a.b_c-1 . \"x\" | a.b_c-1 ."),
        // The W3C's characters, quotes, comments and numbers.
        (
            "[1] Char ::= #x9 | [#x20-#xD7FF] /* any\n */ | [^#x41#x42]",
            "Char ::= \"\\t\" | [ -\\uD7FF] | [^AB]",
        ),
        ("[1] a ::= b\n[2a]   b ::= [1]\nc ::= [2]", "a ::= b\nb ::= \"1\"\nc ::= \"2\""),
        ("a ::= '\"' \"'\" 'it\\'s'", "a ::= \"\\\"\" \"'\" \"it's\""),
        ("a ::= #x1F600 # a comment\n #x41", "a ::= \"\\U0001F600\" \"A\""),
        // XGrammar's escapes and classes.
        (
            r#"a ::= "\x9\0\e\/\'\?\b\f\a\v\u0041\U00000042""#,
            "a ::= \"\\t\\x00\\x1B/'?\\x08\\x0C\\x07\\x0BAB\"",
        ),
        (r"a ::= [\^\$\.\*\+\?\(\)\[\]\{\}\|\/\-] [^]", r"a ::= [$(-+\--/?\[\]\^{-}] ."),
        (
            "a ::= ( ) (\"a\"+)+ \"b\"{2,4} \"c\"{3} \"d\"{2,} \"e\"{,2}",
            "a ::= \"\" (\"a\"+)+ \"b\"{2,4} \"c\"{3} \"d\"{2,} \"e\"{0,2}",
        ),
        ("root ::= root root | \"{\" root \"}\" | \"\"", "root ::= root root | \"{\" root \"}\" | \"\""),
        // Tokens.
        ("a ::= Token(3, 1) ExcludeToken(7) <think> !<[1-2]>", "a ::= <[3,1]> !<[7]> <think> !<[1-2]>"),
        // Macros are called without a space; other names are rules.
        ("a ::= Regex(\"[a-c]+\\\\d\") Regex (\"x\")\nRegexp ::= a\nRegex2 ::= a", ""),
        // The start.
        ("a ::= start\nstart ::= .", "%start start\na ::= start\nstart ::= ."),
        (
            "a ::= start root\nstart ::= .\nroot ::= .",
            "%start root\na ::= start root\nstart ::= .\nroot ::= .",
        ),
        // Differences of characters are sets, through rules too.
        ("a ::= [a-e] - 'c'", "a ::= [abde]"),
        ("a ::= (C - '-')* C ::= #x2D | [#x30-#x39]", "a ::= [0-9]*\nC ::= \"-\" | [0-9]"),
    ] {
        if expected.is_empty() {
            let message = parse(text).unwrap_err().to_string();
            assert!(message.contains("`Regex` is used and not defined"), "{text}: {message}");
        } else {
            assert_eq!(form(text), expected, "{text}");
        }
    }
}

#[test]
fn a_line_break_inside_parentheses_of_macros_and_counts_is_space() {
    assert_eq!(form("a ::= Token(\n 1 ,\n 2 ) \"x\"{ 1 ,\n 2 }"), "a ::= <[1,2]> \"x\"{1,2}");
}

#[test]
fn productions_get_these_errors() {
    check_errors(&[
        ("", "line 1, column 1 (byte 0)", "no rule"),
        ("a", "line 1, column 2 (byte 1)", "`::=` or `=` is needed"),
        ("rout :== \"x\"", "line 1, column 6 (byte 5)", "`:==` defines nothing"),
        ("<a> ::= \"x\"", "line 1, column 1 (byte 0)", "without angle brackets"),
        ("a ::= b", "line 1, column 7 (byte 6)", "`b` is used and not defined"),
        ("a ::= .\na ::= .", "line 2, column 1 (byte 8)", "defined at line 1"),
        ("a ::=", "line 1, column 6 (byte 5)", "is empty"),
        ("a ::= b ::= 'x'", "line 1, column 7 (byte 6)", "is empty"),
        ("a ::= 'x\n'", "line 1, column 7 (byte 6)", "not closed"),
        ("a ::= [a\n]", "line 1, column 7 (byte 6)", "not closed"),
        ("a ::= []", "line 1, column 7 (byte 6)", "needs a character"),
        ("a ::= ('x'", "line 1, column 7 (byte 6)", "`(` is not closed"),
        ("a ::= ('x' b ::= 'y'", "line 1, column 7 (byte 6)", "`(` is not closed"),
        ("a ::= 'x')", "line 1, column 10 (byte 9)", "`)` without `(`"),
        ("a ::= * 'x'", "line 1, column 7 (byte 6)", "nothing before `*`"),
        ("a ::= 'x'{4294967296}", "line 1, column 11 (byte 10)", "at most"),
        ("a ::= '\\x41BC'", "line 1, column 8 (byte 7)", "read in two ways"),
        ("a ::= \"\\.\"", "line 1, column 8 (byte 7)", "needs no backslash"),
        ("a ::= 'x' ;", "line 1, column 11 (byte 10)", "nothing ends a rule"),
        ("a ::= 'x' b = 'y'", "line 1, column 13 (byte 12)", "defined with `::=` here"),
        ("a ::= 'x' /* c", "line 1, column 11 (byte 10)", "comment is not closed"),
        ("a ::= #xD800", "line 1, column 7 (byte 6)", "half of a pair"),
        ("a ::= 'x' [ WFC: no ]", "line 1, column 11 (byte 10)", "constraint in words"),
        ("a ::= 'x' (= 'y')", "line 1, column 11 (byte 10)", "only hint"),
        ("a[max_tokens=5] ::= 'x'", "line 1, column 2 (byte 1)", "`max_tokens`"),
        ("a ::= 'x'\nb[capture] ::= 'y'", "line 2, column 2 (byte 11)", "`capture`"),
        ("a ::= TagDispatch((\"x\", a))", "line 1, column 7 (byte 6)", "structural tags"),
        ("a ::= TokenTagDispatch((1, a))", "line 1, column 7 (byte 6)", "structural tags"),
        ("a ::= Substring(\"x\")", "line 1, column 7 (byte 6)", "list the texts"),
        ("a ::= Token(\"x\")", "line 1, column 7 (byte 6)", "takes ids"),
        ("a ::= Token()", "line 1, column 13 (byte 12)", "needs an argument"),
        ("a ::= Token(1", "line 1, column 7 (byte 6)", "`)` is missing"),
        ("a ::= Regex(\"x\", json_string=true)", "line 1, column 18 (byte 17)", "no option `json_string`"),
        ("a ::= Regex(\"\\bx\")", "line 1, column 14 (byte 13)", "write `\\\\b`"),
        ("a ::= Regex(\"(\")", "line 1, column 7 (byte 6)", "at byte 0 of the pattern"),
        ("a ::= Regex(\"(a)\\\\1\")", "line 1, column 7 (byte 6)", "back-reference"),
        ("a ::= Until(\"\")", "line 1, column 7 (byte 6)", "empty text"),
        ("a ::= Until(3)", "line 1, column 7 (byte 6)", "takes literals"),
        ("a ::= Until('x') Until ::= 'y'", "line 1, column 7 (byte 6)", "is a macro"),
        ("a ::= 'x' - ", "line 1, column 11 (byte 10)", "nothing stands"),
        ("a ::= - 'x'", "line 1, column 7 (byte 6)", "to take from"),
        ("a ::= 'x' - | 'y'", "line 1, column 13 (byte 12)", "the text to leave out"),
        (
            "a ::= 'x' - b b ::= '(' b ')' | 'x'",
            "line 1, column 11 (byte 10)",
            "`b`, which its right side needs, is recursive",
        ),
        ("a ::= <[1]> - 'x'", "line 1, column 13 (byte 12)", "a token stands"),
    ]);
}

#[test]
fn differences_are_those_of_the_texts() {
    let comment = regex("a ::= Regex('x') b ::= 'y'");
    assert_eq!(comment, Regex::literal("x"));
    let inner = regex("C ::= X* - (X* '?>' X*) X ::= [a>?]");
    for (text, expected) in [("", true), ("a?a>", true), ("?>", false), ("aa?>a", false), ("?a", true)] {
        assert_eq!(is_match(&inner, text), expected, "{text}");
    }
    let name = regex("T ::= N - (('X' | 'x') ('M' | 'm') ('L' | 'l')) - 'b' N ::= [a-zA-Z]+");
    for (text, expected) in
        [("xml", false), ("XmL", false), ("xmlx", true), ("xm", true), ("b", false), ("", false)]
    {
        assert_eq!(is_match(&name, text), expected, "{text}");
    }
}

#[test]
fn iso_texts_mean_these_grammars() {
    for (text, expected) in [
        (
            "list = '(', { item }, ')' ; item = \"x\" | [ '-' ], 'y' ;",
            "list ::= \"(\" item* \")\"\nitem ::= \"x\" | \"-\"? \"y\"",
        ),
        ("a = b b. b := 'x'. c : 'y'.", "a ::= b b\nb ::= \"x\"\nc ::= \"y\""),
        (
            "(* head (* inner *) *) a-b_1 = 3 * 'x' , 2 * ('y' | a-b_1) ;",
            "a-b_1 ::= \"x\"{3} (\"y\" | a-b_1){2}",
        ),
        ("a = { 'x' }- ;", "a ::= /\"x\"+/"),
        ("a = b - 'c' ; b = 'a' | 'b' | 'c' ;", "a ::= [ab]\nb ::= \"a\" | \"b\" | \"c\""),
        ("a = '\\' , '\\n' ;", "a ::= \"\\\\\" \"\\\\n\""),
        ("a = | 'x' ;", "a ::= \"\" | \"x\""),
        ("a = ;", "a ::= \"\""),
        ("x = a ; start = x ; a = Regex(\"\\d\") ;", "%start start\nx ::= a\na ::= [0-9]\nstart ::= x"),
    ] {
        assert_eq!(form(text), expected, "{text}");
    }
}

#[test]
fn iso_texts_get_these_errors() {
    check_errors(&[
        ("a = 'x'", "line 1, column 1 (byte 0)", "has no end"),
        ("a = 'x' b = 'y' ;", "line 1, column 11 (byte 10)", "`;` is missing"),
        ("syntax rule = 'x' ;", "line 1, column 8 (byte 7)", "no spaces"),
        ("a = 'x' ; syntax rule = 'x' ;", "line 1, column 18 (byte 17)", "no spaces"),
        ("a = ? any character ? ;", "line 1, column 5 (byte 4)", "in words"),
        ("a = b+ ; b = 'x' ;", "line 1, column 6 (byte 5)", "repeats nothing"),
        ("a = ('x' ;", "line 1, column 5 (byte 4)", "`(` is not closed"),
        ("a = ('x' ] ;", "line 1, column 10 (byte 9)", "where `)` is needed"),
        ("a = 'x' } ;", "line 1, column 9 (byte 8)", "without `{`"),
        ("a = 3 'x' ;", "line 1, column 5 (byte 4)", "counts what follows"),
        ("a = 3 * ;", "line 1, column 9 (byte 8)", "that is counted"),
        ("a = 4294967296 * 'x' ;", "line 1, column 5 (byte 4)", "at most"),
        ("a = 'a' … 'z' ;", "line 1, column 9 (byte 8)", "range of characters"),
        ("a = 'a' .. 'z' ;", "line 1, column 9 (byte 8)", "range of characters"),
        ("a = 'x' / 'y' ;", "line 1, column 9 (byte 8)", "parted by `|`"),
        ("a = 'x' ; b ::= 'y' ;", "line 1, column 13 (byte 12)", "define all rules alike"),
        ("a = 'x ;", "line 1, column 5 (byte 4)", "not closed"),
        ("a = 'x' (* c", "line 1, column 9 (byte 8)", "comment is not closed"),
        ("a = 'x' ; # c", "line 1, column 11 (byte 10)", "comments are `(* … *)`"),
        ("a = b ;", "line 1, column 5 (byte 4)", "not defined"),
        ("a = - 'x' ;", "line 1, column 5 (byte 4)", "to take from"),
        ("a = { a }- ;", "line 1, column 10 (byte 9)", "contains the restriction itself"),
    ]);
}

#[test]
fn hints_say_what_is_easily_misread() {
    let hints = |text: &str| parse(text).unwrap().hints.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert!(hints("a = '\\n' ;")[0].starts_with("line 1, column 5 (byte 4): a backslash is itself"));
    assert!(hints("a ::= [^\"-->\"]+")[0].contains("Until"));
    assert!(hints("a = '\\' ; b = 'n' ;").is_empty());
}

#[test]
fn until_and_without_are_texts_with_and_without_a_stop() {
    let until = regex("a ::= Until(\"-->\")");
    for (text, expected) in
        [("ab-->", true), ("-->", true), ("--->", true), ("a-->b-->", false), ("ab--", false)]
    {
        assert_eq!(is_match(&until, text), expected, "{text}");
    }
    let without = regex("a ::= Without('a', \"bc\")");
    for (text, expected) in
        [("", true), ("b", true), ("cb", true), ("bca", false), ("xa", false), ("xbcx", false)]
    {
        assert_eq!(is_match(&without, text), expected, "{text}");
    }
}

#[test]
fn hostile_texts_are_refused_or_read_quickly() {
    for opening in ["a ::= ", "a = "] {
        let nested = format!("{opening}{}'a'{}", "(".repeat(100_000), ")".repeat(100_000));
        assert!(parse(nested).unwrap_err().to_string().contains("GRAMMAR_DEPTH_MAX"));
    }
    let chain: String = (0..10_000).map(|i| format!("r{i} ::= r{}\n", i + 1)).collect();
    assert_eq!(parse(format!("{chain}r10000 ::= \"a\"")).unwrap().grammar.rules.len(), 10_001);
    assert!(
        parse(format!("a ::= r0 - 'b'\n{chain}r10000 ::= \"a\"")).unwrap_err().to_string().contains("deep")
    );
    let comments = "(*".repeat(100_000);
    assert!(parse(format!("a = {comments}")).is_err());
    assert!(parse(format!("a ::= {}", "a [b".repeat(50_000))).is_err());
    assert!(parse(format!("a ::= {}'x'", "'x' - ".repeat(50_000))).is_err());
    assert!(parse(b"a ::= '\xC0'").unwrap_err().to_string().contains("UTF-8"));
    assert!(parse("a ::= '\0'").unwrap_err().to_string().contains("NUL"));
}

#[test]
fn rules_as_specifications_write_them_are_read() {
    let text = "\
[1] document ::= (Comment | PI | CharData)*
[2] Char     ::= #x9 | #xA | #xD | [#x20-#xD7FF] | [#xE000-#xFFFD] | [#x10000-#x10FFFF] /* no surrogates */
[3] S        ::= (#x20 | #x9 | #xD | #xA)+
[14] CharData ::= [^<&]* - ([^<&]* ']]>' [^<&]*)
[15] Comment ::= '<!--' ((Char - '-') | ('-' (Char - '-')))* '-->'
[16] PI      ::= '<?' Name (S (Char* - (Char* '?>' Char*)))? '?>'
[17] Name    ::= [a-z]+
";
    let grammar = parse(text).unwrap().grammar;
    let form = grammar.to_string();
    let comment = form.lines().find(|line| line.starts_with("Comment")).unwrap();
    let no_dash = r"[^\x00-\x08\x0B\x0C\x0E-\x1F\-\uFFFE\uFFFF]";
    assert_eq!(comment, format!("Comment ::= \"<!--\" ({no_dash} | \"-\" {no_dash})* \"-->\""));
    let data = grammar.rules.iter().find(|rule| &*rule.name == "CharData").unwrap();
    let Expr::Text(data) = grammar.expr(data.body) else { panic!("{form}") };
    for (text, expected) in [("", true), ("a]>b]]", true), ("a]]>", false), ("]]]>", false), ("a<", false)] {
        assert_eq!(is_match(data, text), expected, "{text}");
    }
}
