//! Cases: texts that may end where they could go on, texts that begin alike, and tokens that span several of them.

use super::Case;

/// Ends of texts.
pub(super) const CASES: &[Case] = &[
    Case {
        name: "a text that goes on with what follows it, twice",
        grammar: r#"s ::= [ab]+ n [bc]+ "."
n ::= "(" n ")" | [a-c]+"#,
        accepted: &["aab.", "a(c)b.", "abcb.", "aaaccc.", "a((b))cb.", "bbb."],
        unfinished: &["a", "aa", "ab", "a(", "a(b)", "abc"],
        dead: &[b".", b"c", b"a.", b"ac.", b"a()", b"a(b)a"],
    },
    Case {
        name: "texts that begin alike over different frames",
        grammar: r#"s ::= a "x" | b "y" | "<" s ">"
a ::= "<" a ">" | [a-c]+ "-"
b ::= "<" b ">" | [b-d]+ "-""#,
        accepted: &["bc-x", "bc-y", "<b->x", "<<d->>y", "<b-x>", "<<c->y>"],
        unfinished: &["b", "<b->", "<<b-", "<b-x"],
        dead: &[b"a-y", b"<a->y", b"d-x", b"<b-x>x", b"ad"],
    },
    Case {
        name: "blanks with which a list of texts goes on, and so does what is around it",
        grammar: r#"s ::= v (b "or" b v)*
v ::= q (b q)* | "(" b s b ")"
q ::= "'" [^']* "'"
b ::= " "{0,2}"#,
        accepted: &["'a' 'b' or 'c'", "( 'a' )or'b'", "'a''b'", "('a' or ( 'b'  ))", "'or' or'or'"],
        unfinished: &["'a' ", "'a' o", "( 'a'  ", "'a", "(('b')"],
        dead: &[b"'a'   ", b"'a' x", b"'a')", b"( 'a' ))", b"'a'oo"],
    },
    Case {
        name: "tokens that end several calls",
        grammar: r#"s ::= "[" (s ("," s)*)? "]" | [0-9]+"#,
        accepted: &["1", "[]", "[[1],[2,[33]]]", "[[[4]]]"],
        unfinished: &["[[1],", "[[[4]", "[1"],
        dead: &[b"1]", b"[1]]", b"[,", b"[1,]"],
    },
    Case {
        name: "a counted text that may end before each of its characters",
        grammar: r#"s ::= [a-z]{1,4} t
t ::= [a-z]{2} | "(" t ")""#,
        accepted: &["abc", "abcdef", "a(bc)", "abcd(xy)", "abcd((xy))"],
        unfinished: &["ab", "a(b", "a(bc"],
        dead: &[b"abcdefg", b"abcde(", b"(", b"a(bc)d", b"a(bcd"],
    },
    Case {
        name: "a nest that begins like the end of the text before it, and may be missing",
        grammar: r#"s ::= s "+" s | [ab]+ n
n ::= "b" n "c" | """#,
        accepted: &["ab", "abc", "abbcc", "a+bbc", "abbcc+b", "bbc"],
        unfinished: &["a+", "abbc+"],
        dead: &[b"+", b"c", b"bc", b"abcc", b"abca"],
    },
    Case {
        name: "wide characters that a text shares with what follows it",
        grammar: r#"s ::= [é-€]* n "!"
n ::= [è€] | "<" n ">""#,
        accepted: &["è!", "€€!", "éé<€>!", "<è>!", "é€!"],
        unfinished: &["é", "€", "é<"],
        dead: &[b"!", b"\xc3\xa8<", b"\xc3\xa9!", b"\xc3\xa7"],
    },
];
