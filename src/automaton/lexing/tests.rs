//! Grammars that read lexemes, as the engine reads them and as their definition says.

use super::doubts::Doubt;
use super::scannerless;
use super::twin::accepts;
use crate::automaton::Registers;
use crate::error::{CompileError, CompileErrorKind};
use crate::grammar::lexing::Lexing;
use crate::grammar::lexing::factor::factored;
use crate::syntax::lark;
use crate::syntax::schema::SchemaOptions;
use crate::{CompiledGrammar, Compiler, CompilerConfig, Vocabulary};

fn lexing(text: &str) -> Lexing {
    lark::parse(text, &SchemaOptions::default()).unwrap_or_else(|e| panic!("{text}\n{e}")).0
}

/// The compiled grammar (`None`: no text matches) and the doubts.
type Compiled = (Option<CompiledGrammar>, Vec<Doubt>);

fn compile(compiler: &Compiler, lexing: &Lexing) -> Result<Compiled, CompileError> {
    let (grammar, doubts) = scannerless(lexing)?;
    let doubts = doubts.list;
    match compiler.grammar(&grammar) {
        Ok(grammar) => Ok((Some(grammar), doubts)),
        Err(e) if e.kind() == CompileErrorKind::Unsatisfiable => Ok((None, doubts)),
        Err(e) => Err(e),
    }
}

fn reads(grammar: &CompiledGrammar, text: &str) -> bool {
    let automaton = grammar.automaton().unwrap();
    let after = automaton.advance(automaton.start(), text.as_bytes(), &mut Registers::default());
    after.expect("within every limit").is_some_and(|cfg| automaton.is_accepting(cfg))
}

/// Texts that are accepted and texts that are not, by the engine and by the definition.
#[track_caller]
fn check(text: &str, accepted: &[&str], refused: &[&str]) {
    let lexing = lexing(text);
    let grammar = compile(&Compiler::new(Vocabulary::demo(), CompilerConfig::default()), &lexing);
    let (grammar, doubts) = grammar.unwrap_or_else(|e| panic!("{text}\n{e}"));
    assert_eq!(doubts, [], "{text}");
    for (texts, expected) in [(accepted, true), (refused, false)] {
        for example in texts {
            assert_eq!(accepts(&lexing, example), expected, "definition of {text}: {example:?}");
            assert_eq!(grammar.as_ref().is_some_and(|g| reads(g, example)), expected, "{text}: {example:?}");
        }
    }
}

#[track_caller]
fn check_refused(text: &str, parts: &[&str]) {
    let Err(error) = scannerless(&lexing(text)) else { panic!("{text}") };
    let error = error.to_string();
    for part in parts {
        assert!(error.contains(part), "{text}\n{error}");
    }
}

#[test]
fn lark_keywords_are_no_names_and_don_t_run_into_them() {
    let text = "start: stmt+\nstmt: \"if\" NAME \"then\" NAME \";\" | NAME \"=\" NAME \";\"\nNAME: /[a-z]+/\n%ignore /[ ]+/";
    check(
        text,
        &[
            "if a then b;",
            "ifx=y;",
            "a=b;if  then then c ; d=e;",
            " a =if; ",
            "if then then then;",
            "if a thenb;",
        ],
        &["if=b;", "ifa then b;", "if athen b;", "if a b;", "a=b"],
    );
}

#[test]
fn lark_longest_match_can_leave_no_text() {
    check("start: X \"b\"\nX: /ab*/", &[], &["ab", "abb", "a", "b"]);
    check("start: X \"c\" | X \"b\"\nX: /ab*/", &["ac", "abbc"], &["ab", "abb"]);
}

#[test]
fn lark_json_and_sums_keep_their_shape() {
    check(
        "start: v\nv: STRING | NUMBER | \"[\" [v (\",\" v)*] \"]\" | \"{\" [p (\",\" p)*] \"}\" | \"true\" | \"false\" | \"null\"\np: STRING \":\" v\n%import common.ESCAPED_STRING -> STRING\n%import common.SIGNED_NUMBER -> NUMBER\n%import common.WS\n%ignore WS",
        &["[1, 2.5e3 ,true]", "{\"a\" : [null]}", " \"x\\\"y\" ", "[]"],
        &["[1 2]", "[truefalse]", "{\"a\":}", "tru e", "1 2"],
    );
    check(
        "start: e\ne: e (\"+\"|\"-\") t | t\nt: t (\"*\"|\"/\") f | f\nf: INT | \"(\" e \")\"\n%import common.INT\n%ignore \" \"",
        &["1+2*3", "( 1 - 22 ) / 3"],
        &["1 2", "1++2", "()"],
    );
}

#[test]
fn lark_comments_end_where_their_line_ends() {
    check(
        "start: (\"a\" | \"b\")+\nCOMMENT: /#[^\\n]*/\n%ignore COMMENT\n%ignore /[ \\n]+/",
        &["a#xb\nb", "a b", "#c\na#", "a #b"],
        &["#a", "a #b\nc"],
    );
}

#[test]
fn lark_signs_and_longer_operators_win() {
    check("start: (\"<\" | \"<=\" | \"=\" | \"x\")+\n%ignore \" \"", &["x<x", "x<=x", "< =", "<=="], &["y"]);
    check("start: INT+ \n%import common.INT\n%ignore \" \"", &["12", "1 2"], &["", " "]);
}

#[test]
fn lark_reported_cases() {
    check(
        "start: \"go\"+\nCOMMENT: /\\/\\*[^*]*\\*\\//\n%ignore COMMENT\n%ignore \" \"\n",
        &["go", "go go", "/* c */go", " go/*x*/ go"],
        &["/* c */", "go stop", "go /*"],
    );
    check(
        "start: (W | C)+\nW: /[a-z]+/\nC: /\\/\\*(.|\\n)*?\\*\\//\n",
        &["a", "a/*x*/b", "/*x*//*y*/", "/*a*b*/c"],
        &["/*x", "a/", "/*x*/1"],
    );
    check("start: D~2..4\nD: /[0-9]/\n", &["12", "1234"], &["1", "12345", "ab"]);
    check(
        "start: \"<t>\" content \"</t>\"\ncontent: CH+\nCH: /[^<]/ | \"<\" /[^\\/]/\n",
        &["<t>hi</t>", "<t>a<b c</t>"],
        &["<t>hi", "hi</t>", "<t></t>"],
    );
}

#[test]
fn lark_places_are_told_apart_by_what_stands_before_and_behind() {
    check("start: \"-\" Y | \"+\" \"-\" X\nX: \"k\"\nY: /[a-z]/", &["-k", "-y", "+-k"], &["+-y", "k"]);
    check(
        "start: t \"where\" \"(\"\nt: NAME [NAME]\nNAME: /[a-z]+/\n%ignore \" \"",
        &["a where(", "a b where (", "where where("],
        &["a where", "a where where(", "awhere(", "a(", "where("],
    );
}

#[test]
fn lark_line_breaks_of_two_characters_stay_together() {
    check(
        "start: (X? NEWLINE)+\nX: \"x\"\n%import common.NEWLINE",
        &["x\r\n", "x\n\r\nx\n", "\n\n"],
        &["x", "x\r", "\r"],
    );
}

#[test]
fn lark_lexemes_may_hang_on_more_than_the_next_character() {
    check(
        "start: NUMBER WORD\nNUMBER: /[0-9]+(e[0-9]+)?/\nWORD: /[a-z0-9]+/",
        &["1a", "1e", "12ea1", "1e5e5", "1e5e"],
        &["1", "1e5", "12", "a1", "1e55"],
    );
    check(
        "start: (KEY \"=\" VALUE /\\n/)+\nKEY: /[a-z]+/\nVALUE: /[^\\n]+/\n%ignore / +/",
        &["a=b\n", "a = b c\n", " a =  b \nc= d\n", "a=x = y\n", "a =  \n "],
        &["a=\n", "a b=c\n", "a=b"],
    );
    check(
        "start: NAME (\"is\" | \"is\" \"not\") NAME\nNAME: /[a-z]+/ & ~/is|not/\n%ignore \" \"",
        &["a is b", "a is not b", "a is notb", "a isnot b"],
        &["a is not", "ais b", "a is is b"],
    );
    check(
        "start: N (\"..\" N)?\nN: /[0-9]+(\\.[0-9]+)?/",
        &["1", "1.5", "1..5", "1.5..2.5", "10..20"],
        &["1.", "1...5", "1..", "..1", "1.5.5"],
    );
}

#[test]
fn lark_what_is_ignored_may_stand_in_a_rule_as_well() {
    // Behind `..` both ways are alive, and of V and S the first wins.
    let text = "start: (V S | \"..\" S) N\nN: /0/\nS: /[^0]/\nV: /[in]/\n%ignore \"..\"";
    let lexing = lexing(text);
    let compiler = Compiler::new(Vocabulary::demo(), CompilerConfig::default());
    let (grammar, doubts) = compile(&compiler, &lexing).expect("doubts are no error");
    let grammar = grammar.expect("some text");
    for (example, expected) in
        [("..i0", true), ("..i.0", false), ("i.0", true), ("..i..0", true), ("..0", false)]
    {
        assert_eq!(accepts(&lexing, example), expected, "{example}");
        let found = reads(&grammar, example);
        assert!(found == expected || !found && !doubts.is_empty(), "{example}: {found}, {doubts:?}");
    }
}

#[test]
fn lark_doubts_leave_texts_out_and_say_so() {
    let compiler = Compiler::new(Vocabulary::demo(), CompilerConfig::default());
    // Whether a NAME may stand behind the brackets hangs on where these stand.
    let text = "start: \"a\" s NAME | \"b\" s \"if\" N\ns: \"(\" \")\"\nNAME: /[a-z]+/\nN: /[0-9]+|[a-z]/";
    let (grammar, doubts) = compile(&compiler, &lexing(text)).expect("doubts are no error");
    let grammar = grammar.expect("some text");
    for (example, by_definition, expected) in [
        ("a()x", true, true),
        ("b()if1", true, true),
        ("b()ifx", true, false),
        ("a()if", true, false),
        ("a()1", false, false),
    ] {
        assert_eq!(accepts(&lexing(text), example), by_definition, "{example}");
        assert_eq!(reads(&grammar, example), expected, "{example}: {doubts:?}");
    }
    let notes: Vec<String> = doubts.iter().map(Doubt::note).collect();
    assert!(notes[0].contains("\"if\" is not read as NAME"), "{notes:?}");
    assert!(notes[1].contains("\"ifa\" is not read as \"if\" and N"), "{notes:?}");
    let strict = CompilerConfig { strict: true, ..CompilerConfig::default() };
    let error = Compiler::new(Vocabulary::demo(), strict).lark(text).unwrap_err();
    assert!(error.to_string().contains("both match \"if\""), "{error}");
    let report = compiler.lark(text).unwrap().report().to_string();
    assert!(report.contains("narrowed"), "{report}");
}

#[test]
fn lark_what_is_left_out_may_be_everything() {
    let compiler = Compiler::new(Vocabulary::demo(), CompilerConfig::default());
    let text = "start: NAME? FN\nNAME.1: /[a-z]+/\nFN: \"fn\"\n%ignore \" \"";
    assert!(accepts(&lexing(text), "x fn"));
    let error = compiler.lark(text).unwrap_err();
    assert_eq!(error.kind(), CompileErrorKind::Unsupported);
    assert!(error.to_string().contains("both match \"fn\""), "{error}");
}

#[test]
fn lark_doubts_beyond_the_first_are_counted() {
    let compiler = Compiler::new(Vocabulary::demo(), CompilerConfig::default());
    let keywords: Vec<String> = (0..100).map(|at| format!("\"kw{at}l\" n \";\"")).collect();
    let text =
        format!("start: s+\ns: n \"=\" n \";\" | {}\nn: NAME\nNAME: /[a-z0-9]+/", keywords.join(" | "));
    let report = compiler.lark(&text).expect("doubts are no error").report().to_string();
    assert!(report.contains("36 more places") || report.contains("37 more places"), "{report}");
}

#[test]
fn lark_documents_and_lexemes_are_told_apart_by_their_first_character() {
    check_refused("start: WORD | %json {}\nWORD: /[a-z]+/", &["%json"]);
    check_refused("start: %json {\"type\": \"integer\"} DIGITS\nDIGITS: /[0-9]+/", &["%json"]);
}

#[test]
fn lark_schemas_stand_between_lexemes() {
    let compiler = Compiler::new(Vocabulary::demo(), CompilerConfig::default());
    let text = "start: \"x\" %json {\"type\": \"integer\"} \";\"\n%ignore \" \"";
    let grammar = compile(&compiler, &lexing(text)).expect("no conflict").0.expect("some text");
    for (example, expected) in [("x 12 ;", true), ("x12;", true), ("x1 2;", false), ("x;", false)] {
        assert_eq!(reads(&grammar, example), expected, "{example}");
    }
}

#[test]
fn lark_alternatives_that_begin_alike_are_one() {
    let with = |start: &str| {
        let text = format!("start: {start}\nA: /a/\nB: /b/\nC: /c/\nD: /d/");
        factored(&lexing(&text)).to_string().lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(with("A | A B"), "start: A (() | B)");
    assert_eq!(with("A B C | B | A B D | A B"), "start: A B (C | D | ()) | B");
    assert_eq!(with("(A | A B) C | D"), "start: (A (() | B)) C | D");
}

/// A small generator of random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % bound
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

/// What grammars are made of.
struct Pool {
    literals: &'static [&'static str],
    terminals: &'static [&'static str],
    ignored: &'static [&'static str],
    /// What texts are made of.
    characters: &'static [char],
}

const POOLS: [Pool; 2] = [
    Pool {
        literals: &["\"a\"", "\"b\"", "\"ab\"", "\"ba\"", "\"aab\""],
        terminals: &["A:/a+/", "B:/[ab]+/", "C:/b?a/", "D:/ab*/", "E:/aa|b/", "K:/ab+?a/"],
        ignored: &["", "%ignore \" \"\n", "%ignore / +/\n", "%ignore / a*/\n", "%ignore / b?/\n"],
        characters: &['a', 'b', ' '],
    },
    // Words, keywords and numbers.
    Pool {
        literals: &["\"i\"", "\"in\"", "\".\"", "\"..\"", "\"ini\""],
        terminals: &["W:/[in]+/", "N:/0+(\\.0+)?/", "M:/0+(i0+)?/", "S:/[^0]/", "V:/[in0]*[in]/"],
        ignored: &["", "%ignore \"..\"\n", "%ignore /\\.+/\n", "%ignore /\\.n*/\n"],
        characters: &['i', 'n', '0', '.'],
    },
];

/// Random grammars from a pool.
struct Grammars<'r>(&'r mut Random, &'static Pool);

impl Grammars<'_> {
    fn expression(&mut self, depth: usize) -> String {
        let mut choices = Vec::new();
        for _ in 0..=self.0.below(3) {
            let items: Vec<String> = (0..=self.0.below(3)).map(|_| self.item(depth)).collect();
            choices.push(items.join(" "));
        }
        choices.join(" | ")
    }

    fn item(&mut self, depth: usize) -> String {
        let item = match self.0.below(8) {
            0 if depth > 0 => format!("({})", self.expression(depth - 1)),
            1 => self.0.pick(&["r", "s"]).to_owned(),
            2..=4 => self.0.pick(self.1.literals).to_owned(),
            _ => self.0.pick(self.1.terminals).split(':').next().unwrap_or_default().to_owned(),
        };
        item + self.0.pick(&["", "", "", "", "?", "*", "+", "~1..2", "~2"])
    }

    fn grammar(&mut self) -> String {
        let mut text = format!("start: {}\n", self.expression(1));
        text.push_str(&format!("r: {}\n", self.expression(1)));
        text.push_str(&format!("s: {} | {}\n", self.expression(0), self.1.literals[1]));
        for terminal in self.1.terminals {
            let (name, pattern) = terminal.split_once(':').expect("a name and a pattern");
            let priority = self.0.pick(&["", "", "", ".1"]);
            text.push_str(&format!("{name}{priority}: {pattern}\n"));
        }
        text.push_str(self.0.pick(self.1.ignored));
        text
    }
}

/// All texts of at most so many characters.
fn texts(characters: &[char], longest: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut from = 0;
    for _ in 0..longest {
        let to = all.len();
        for at in from..to {
            for c in characters {
                all.push(format!("{}{c}", all[at]));
            }
        }
        from = to;
    }
    all
}

#[test]
fn lark_random_grammars_are_read_as_their_definition_says() {
    let (compared, doubtful, with_text) = random_grammars(0..200);
    assert!(compared > 30 && doubtful > 30 && with_text > 400, "{compared}, {doubtful}, {with_text}");
}

#[test]
#[ignore = "takes many minutes"]
fn lark_many_random_grammars_are_read_as_their_definition_says() {
    random_grammars(1_000..6_000);
}

/// Compares grammars with their definition; how many had no doubts, how many some, and how many texts were accepted.
fn random_grammars(seeds: std::ops::Range<u64>) -> (usize, usize, usize) {
    let texts = POOLS.each_ref().map(|pool| texts(pool.characters, 5));
    let compiler = Compiler::new(Vocabulary::demo(), CompilerConfig::default());
    let (mut compared, mut doubtful, mut with_text, mut missing) = (0, 0, 0, 0);
    for seed in seeds {
        let which = usize::from(seed % 3 == 2);
        let text = Grammars(&mut Random(seed), &POOLS[which]).grammar();
        let lexing = lexing(&text);
        let Ok((grammar, doubts)) = compile(&compiler, &lexing) else { continue };
        compared += usize::from(doubts.is_empty());
        doubtful += usize::from(!doubts.is_empty());
        for example in &texts[which] {
            let expected = accepts(&lexing, example);
            let found = grammar.as_ref().is_some_and(|grammar| reads(grammar, example));
            with_text += usize::from(expected);
            // With doubts some texts may be missing; none is ever too much.
            missing += usize::from(!found && expected);
            let is_right = found == expected || !found && !doubts.is_empty();
            assert!(is_right, "seed {seed}\n{text}{example:?}: {found}, {doubts:?}");
        }
    }
    println!(
        "{compared} grammars without doubts, {doubtful} with some; {with_text} texts, {missing} missing"
    );
    (compared, doubtful, with_text)
}

#[test]
fn a_limit_names_the_terminal_and_its_place() {
    let text = "start: (A | B | C)+\nA: \"a\"\nB: /a[a-c]{0,400}a[a-c]{0,300}b/\nC: /[a-c]{0,300}ac{0,200}[ab]{0,100}/";
    check_refused(text, &["limit", "LEXING_", "the terminal ", "line "]);
}
