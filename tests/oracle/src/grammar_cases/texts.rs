//! Cases: calls that may be empty, and rules that are regular or look it.

use super::Case;

/// Empty calls and regular rules.
pub(super) const CASES: &[Case] = &[
    // Calls that may be empty.
    Case {
        name: "a star of parts that may be empty",
        grammar: r#"s ::= (n m)* "."
n ::= "a"?
m ::= "b"?"#,
        accepted: &[".", "a.", "b.", "aab.", "bba."],
        unfinished: &["a", "ba"],
        dead: &[b"..", b"c"],
    },
    Case {
        name: "a count of parts that may be empty",
        grammar: r#"s ::= n{3} "."
n ::= "a" | """#,
        accepted: &[".", "a.", "aaa."],
        unfinished: &["", "aa", "aaa"],
        dead: &[b"aaaa", b"a.."],
    },
    Case {
        name: "counts in counts of parts that may be empty",
        grammar: r#"s ::= (n{2,3}){2} "."
n ::= "a"?"#,
        accepted: &[".", "aaaaaa."],
        unfinished: &["a", "aaaaaa"],
        dead: &[b"aaaaaaa"],
    },
    Case {
        name: "counts in counts of parts that may not",
        grammar: r#"s ::= (n{2,3}){2} "."
n ::= "a" | "bb""#,
        accepted: &["aaaa.", "aaaaaa.", "bbaaa.", "abbaabb."],
        unfinished: &["aaa", "bbbbbb", "aaaaaa"],
        dead: &[b"aaa.", b"aaaaaaa", b"b."],
    },
    Case {
        name: "gaps between counts",
        grammar: r#"s ::= (n{3}){1,2} "."
n ::= "a" | "(" n ")""#,
        accepted: &["aaa.", "aaaaaa.", "a(a)a."],
        unfinished: &["aaaa", "aaaaa"],
        dead: &[b"aa.", b"aaaa.", b"aaaaaaa"],
    },
    Case {
        name: "empty only through others",
        grammar: r#"n ::= n n | m m
m ::= "" | "a" n "b""#,
        accepted: &["", "ab", "aabb", "abab", "aababb"],
        unfinished: &["a", "aab"],
        dead: &[b"b", b"abb"],
    },
    Case {
        name: "only the empty text",
        grammar: r#"s ::= t t
t ::= t* | """#,
        accepted: &[""],
        unfinished: &[],
        dead: &[b"a"],
    },
    Case {
        name: "empty by turns, and left-recursive",
        grammar: r#"a ::= b a | ""
b ::= a b | "x""#,
        accepted: &["", "x", "xxx"],
        unfinished: &[],
        dead: &[b"y"],
    },
    Case {
        name: "a bypass taken once",
        grammar: r#"s ::= "x" n "y" n "z"
n ::= n "a" | "b"?"#,
        accepted: &["xyz", "xbyz", "xayaaz", "xbaybaz"],
        unfinished: &["x", "xb", "xba", "xy"],
        dead: &[b"xbb", b"xab", b"xz", b"xyy"],
    },
    Case {
        name: "three ways to be empty, and nests",
        grammar: r#"s ::= s s s | s s | "a" s "b" | """#,
        accepted: &["", "ab", "abab", "aabbab"],
        unfinished: &["a", "aba"],
        dead: &[b"b", b"abb"],
    },
    Case {
        name: "an optional call of a rule that needs its end",
        grammar: r#"s ::= "(" s? t? ")"
t ::= t? "x" | s"#,
        accepted: &["()", "(x)", "(())", "(()x)", "(()())", "((x)xx)"],
        unfinished: &["(", "((", "(x", "(()"],
        dead: &[b")", b"())", b"(x("],
    },
    // Rules that are regular, and rules that only look it.
    Case {
        name: "a nest through another rule",
        grammar: r#"a ::= "x" b "y" | "z"
b ::= a"#,
        accepted: &["z", "xzy", "xxzyy"],
        unfinished: &["xz", "xxzy"],
        dead: &[b"zy", b"xzyy", b"y"],
    },
    Case {
        name: "left-linear and right-linear by turns",
        grammar: r#"a ::= "x" b | "e"
b ::= a "y""#,
        accepted: &["e", "xey", "xxeyy"],
        unfinished: &["xe", "xxey"],
        dead: &[b"ey", b"xeyy", b"y"],
    },
    Case {
        name: "right-linear calls around a rule with brackets",
        grammar: r#"s ::= "a" s | "b" t
t ::= "c" s | p
p ::= "(" s ")" | """#,
        accepted: &["b", "ab", "bcb", "b(b)", "ab(bcb(b))"],
        unfinished: &["b(", "b(ab"],
        dead: &[b"b()", b"bb", b"b(b))"],
    },
    Case {
        name: "a list whose items look like lists",
        grammar: r#"s ::= w "," s | w
w ::= "a" | "a,a""#,
        accepted: &["a", "a,a", "a,a,a,a"],
        unfinished: &["a,"],
        dead: &[b",", b"aa", b"a,,"],
    },
    Case {
        name: "a word that is a keyword too",
        grammar: r#"s ::= "if" " " i | i
i ::= [a-z]+"#,
        accepted: &["if", "ifx", "if x", "iff"],
        unfinished: &["if "],
        dead: &[b"ifx ", b"x ", b"if  "],
    },
    Case {
        name: "numbers of two kinds",
        grammar: r#"s ::= n | n "." n | d "%"
n ::= "0" | "1" m
m ::= "0" m | "1" m | ""
d ::= [01] d | [01]"#,
        accepted: &["0", "10", "0.1", "00%", "1%", "101.10"],
        unfinished: &["00", "01", "1."],
        dead: &[b"00.", b"0.0%", b"0.01"],
    },
    Case {
        name: "characters that share their bytes, on both sides of a call",
        grammar: r#"s ::= "é" a | "è" b
a ::= "x" | "é" s
b ::= "y" | "€" s"#,
        accepted: &["éx", "èy", "ééèy", "è€éx"],
        unfinished: &["é", "è", "éé"],
        dead: &[b"\xc3\xa9y", b"\xc3\xa8x", b"\xc3x", b"\xc3\xa9\xe2", b"\xc3\xa8\xe2\x83"],
    },
    Case {
        name: "left recursion over wide characters",
        grammar: r#"s ::= s "é" | s "è" "!" | [€-₭] s | """#,
        accepted: &["", "é", "è!", "€é", "₭₭è!é"],
        unfinished: &["è", "€è"],
        dead: &[b"!", b"\xc3\xa9!", b"\xe2\x82\xae", b"\xc3\xa8\xc3"],
    },
    Case {
        name: "classes that overlap across rules",
        grammar: r#"s ::= a s b | "-"
a ::= [a-m]
b ::= [^a-f-]"#,
        accepted: &["-", "a-z", "ma-zz", "g-é"],
        unfinished: &["a-", "m-", "g"],
        dead: &[b"-a", b"a--", b"z", b"a-a", b"a-zz"],
    },
    Case {
        name: "texts inside of texts",
        grammar: r#"s ::= "ab" s "cab" | "abc" s "ab" | "abcab" | """#,
        accepted: &["", "abcab", "ababcabcab"],
        unfinished: &["ab", "abc", "aba", "abab"],
        dead: &[b"b", b"ac", b"abcb"],
    },
    Case {
        name: "a token as a letter beside its spelling",
        grammar: r#"s ::= ("a" | <3>) s "b" | <5>* "c""#,
        accepted: &["c", "acb", "aacbb"],
        unfinished: &["ac", "aacb"],
        dead: &[b"cb", b"acbb"],
    },
];

/// Grammars without any text.
pub(super) const EMPTY: &[&str] = &[
    r#"s ::= s"#,
    r#"s ::= "a" s"#,
    r#"s ::= s "a" | s s"#,
    r#"s ::= a b
a ::= "x"
b ::= b "y" | "x" b"#,
    r#"s ::= t{1,3}
t ::= "a" t"#,
    r#"s ::= a | b
a ::= b "x"
b ::= "y" a | a"#,
    r#"s ::= [] | "a" [] "b""#,
];
