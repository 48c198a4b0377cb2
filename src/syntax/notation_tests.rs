//! The notations of grammars on random texts: nothing panics, what is read has a text form that comes back, and what two
//! notations read is the same grammar.

use super::{ebnf, gbnf, regex};
use crate::grammar::rules::Grammar;

/// Splitmix64: enough for tests.
struct Random(u64);

impl Random {
    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let index = usize::try_from((z ^ (z >> 31)) % 65_536).unwrap();
        of[index % of.len()]
    }
}

/// What texts of all notations are made of.
const ANY: &[&str] = &[
    "root",
    "a",
    "start",
    " ::= ",
    "root ::= ",
    "\na ::= ",
    " = ",
    ";",
    ".",
    ",",
    " | ",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "*",
    "+",
    "?",
    "-",
    " - ",
    "{2,3}",
    "{1}",
    "\"x\"",
    "'y'",
    "\"",
    "'",
    "\\",
    "\\n",
    "\\x41",
    "[a-c]",
    "[^a]",
    "<t>",
    "<[1]>",
    "!",
    "/",
    "/*",
    "*/",
    "(*",
    "*)",
    "#",
    "#x41",
    "\n",
    "\r\n",
    " ",
    "é",
    "Until(\"x\")",
    "Regex(",
    "Token(1)",
    "3 * ",
    "::=",
    "=",
    ":",
    "%",
    "`",
    "\u{85}",
    "[1] ",
];

/// What most texts of GBNF are made of: more of them are read.
const PARTS: &[&str] = &[
    "root ",
    "a ",
    "b-1 ",
    "\"x\" ",
    "\"\\n\" ",
    "[a-c] ",
    "[^a-] ",
    ". ",
    "| ",
    "( ",
    ") ",
    "* ",
    "+ ",
    "? ",
    "{2,3} ",
    "\nroot ::= ",
    "\na ::= ",
    "\nb-1 ::= ",
    "<t> ",
    "!<[1]> ",
    "\n",
    " \"y\" ) ",
    "(\n",
    "[1] ",
    "- ",
    ".a ",
    "Token(1) ",
];

fn text(random: &mut Random, parts: &[&str], len: usize) -> String {
    (0..len).map(|_| random.pick(parts)).collect()
}

fn check_form(grammar: &Grammar, text: &str) {
    let form = grammar.to_string();
    if form.contains("<states:") {
        return;
    }
    let back = Grammar::from_text_form(&form, &[]).unwrap_or_else(|e| panic!("{text:?}: {e}\n{form}"));
    assert_eq!(back.to_string(), form, "{text:?}");
}

#[test]
fn random_texts_are_read_or_refused_and_what_is_read_has_a_form() {
    let mut read_count = 0;
    for seed in 0..30_000 {
        let mut random = Random(seed);
        let text = "root ::= ".to_owned() + &text(&mut random, ANY, usize::try_from(seed % 12).unwrap());
        for answer in [gbnf::parse(&text), ebnf::parse(&text), ebnf::parse(text.replace("::=", "=") + ";")] {
            match answer {
                Ok(parsed) => {
                    read_count += 1;
                    check_form(&parsed.grammar, &text);
                }
                Err(e) => assert!(e.to_string().starts_with("line "), "seed {seed}, {text:?}: {e}"),
            }
        }
        if let Ok(grammar) = regex::parse(&text) {
            check_form(&grammar, &text);
        }
    }
    assert!(read_count > 5_000, "{read_count} texts were read");
}

#[test]
fn what_gbnf_and_ebnf_both_read_is_one_grammar() {
    let mut both = 0;
    for seed in 0..60_000 {
        let mut random = Random(seed);
        let body = text(&mut random, PARTS, usize::try_from(seed % 9).unwrap());
        let text = format!("root ::= \"z\" {body}\na ::= .\nb-1 ::= [0-9]");
        if let (Ok(first), Ok(second)) = (gbnf::parse(&text), ebnf::parse(&text)) {
            both += 1;
            assert_eq!(first.grammar.to_string(), second.grammar.to_string(), "seed {seed}: {text:?}");
        }
    }
    assert!(both > 2_000, "{both} texts were read by both");
}
