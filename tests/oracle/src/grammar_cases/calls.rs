//! Cases: left recursion, and calls that share a position.

use super::Case;

/// Left recursion and shared calls.
pub(super) const CASES: &[Case] = &[
    // Left recursion, removed by strongly connected components and by goals.
    Case {
        name: "left recursion through three rules",
        grammar: r#"s ::= b "x" | "1"
b ::= c "y" | s "z" | "2"
c ::= s | "3""#,
        accepted: &["1", "2x", "1zx", "1yx", "3yx", "2xyx", "1zxzx", "3yxyxzx"],
        unfinished: &["2", "3", "3y", "1z", "1y"],
        dead: &[b"11", b"2z", b"3x", b"13", b"2y"],
    },
    Case {
        name: "one component entered for two goals",
        grammar: r#"s ::= a | "(" b ")"
a ::= b "x" | "p"
b ::= a "y" | "q""#,
        accepted: &["p", "qx", "pyx", "(q)", "(py)", "(qxy)", "qxyx"],
        unfinished: &["q", "py", "(p", "(qx", "("],
        dead: &[b"(p)", b"px", b"q)", b"qy", b"(qx)"],
    },
    Case {
        name: "one component entered for all its goals in a row",
        grammar: r#"s ::= a "." b "." a
a ::= b "x" | "p"
b ::= a "y" | "q""#,
        accepted: &["p.q.p", "qx.py.qx", "pyx.qxy.p"],
        unfinished: &["p.p", "q", "p.q.q", "p.py"],
        dead: &[b"q.", b"p.p.", b"p.q.px", b"p.q.p."],
    },
    Case {
        name: "a cycle of rules that call only each other",
        grammar: r#"a ::= a | b
b ::= a | "x""#,
        accepted: &["x"],
        unfinished: &[""],
        dead: &[b"xx", b"a"],
    },
    Case {
        name: "a cycle beside left recursion",
        grammar: r#"a ::= b | a "y"
b ::= c
c ::= a | b "z" | "x""#,
        accepted: &["x", "xy", "xzy", "xyyzz"],
        unfinished: &[""],
        dead: &[b"y", b"xx"],
    },
    Case {
        name: "left recursion behind an optional terminal",
        grammar: r#"s ::= "a"? s "b" | "c""#,
        accepted: &["c", "cb", "acb", "aacbbb"],
        unfinished: &["a", "ac", "aacb"],
        dead: &[b"ca", b"b", b"aacba"],
    },
    Case {
        name: "left recursion behind a rule that is left-recursive and nullable",
        grammar: r#"s ::= n s "b" | "c"
n ::= n "a" | """#,
        accepted: &["c", "cb", "acb", "aaaacb", "aacbb"],
        unfinished: &["a", "ac", "aaa"],
        dead: &[b"ca", b"cba", b"b"],
    },
    Case {
        name: "left recursion behind a rule that says nothing",
        grammar: r#"s ::= e s e s | "x"
e ::= "" | "y""#,
        accepted: &["x", "xx", "xyx", "yxx", "yxyx", "xxx", "yxyxx", "yyxxx"],
        unfinished: &["", "y", "yy", "yx", "xy", "yyx", "yyxx"],
        dead: &[],
    },
    Case {
        name: "left recursion behind what is always empty",
        grammar: r#"s ::= n s "b" | "x"
n ::= m m
m ::= """#,
        accepted: &["x", "xb", "xbbb"],
        unfinished: &[""],
        dead: &[b"b", b"xx", b"xbx"],
    },
    Case {
        name: "a left-recursive rule whose way out is empty",
        grammar: r#"s ::= a a "y"
a ::= a "x" | """#,
        accepted: &["y", "xy", "xxxy"],
        unfinished: &["", "xx"],
        dead: &[b"yy", b"xyx"],
    },
    Case {
        name: "a way out that nests the rule itself",
        grammar: r#"s ::= s "a" | "(" s ")" | "n""#,
        accepted: &["n", "na", "(n)", "(naa)a", "((na)a)a"],
        unfinished: &["(", "(n", "(na"],
        dead: &[b")", b"n)", b"(n))", b"(a"],
    },
    Case {
        name: "ways on that share their first byte",
        grammar: r#"s ::= s "ab" | s "ac" | s "ad" s "e" | "a""#,
        accepted: &["a", "aab", "aac", "aadae", "aadaabe", "aabac"],
        unfinished: &["aa", "aad", "aada", "aadaa"],
        dead: &[b"aae", b"aade", b"aabb", b"b"],
    },
    Case {
        name: "precedence climbing by left recursion",
        grammar: r#"e ::= e "+" t | t
t ::= t "*" f | f
f ::= "(" e ")" | "n""#,
        accepted: &["n", "n+n*n", "(n+n)*n", "((n))"],
        unfinished: &["n+", "(n", "n*(n+n"],
        dead: &[b"n)", b"+", b"n++", b"(n))", b"()"],
    },
    Case {
        name: "left and right recursion of one rule",
        grammar: r#"s ::= s "b" | "a" s | "c""#,
        accepted: &["c", "acb", "aaacbbbb", "ac", "cb"],
        unfinished: &["", "aa"],
        dead: &[b"ca", b"b", b"cbc"],
    },
    Case {
        name: "the same, kept in balance by another",
        grammar: r#"s ::= t "b" | "c"
t ::= "a" s"#,
        accepted: &["c", "acb", "aacbb"],
        unfinished: &["ac", "aacb"],
        dead: &[b"cb", b"acbb"],
    },
    Case {
        name: "left recursion only through a repetition",
        grammar: r#"s ::= (s "x"){0,2} "y" | "z""#,
        accepted: &["y", "z", "zxy", "yxy", "zxzxy", "yxyxy", "zxyxzxy"],
        unfinished: &["zx", "yx", "zxz"],
        dead: &[b"x", b"zz", b"yy", b"zxx"],
    },
    Case {
        name: "left recursion through a star of itself",
        grammar: r#"s ::= s* "x""#,
        accepted: &["x", "xx", "xxxxx"],
        unfinished: &[""],
        dead: &[b"y"],
    },
    Case {
        name: "left recursion and a choice of empty ways",
        grammar: r#"s ::= ("" | s | "" s) ("" | "x")"#,
        accepted: &["", "x", "xx"],
        unfinished: &[],
        dead: &[b"y"],
    },
    // Calls of one rule at one position, which share a node.
    Case {
        name: "two returns of one call",
        grammar: r#"s ::= "x" a "1" | "x" a "2"
a ::= "(" a ")" | "n""#,
        accepted: &["xn1", "xn2", "x(n)1", "x((n))2"],
        unfinished: &["x", "xn", "x(n)", "x(n"],
        dead: &[b"x(n1", b"xn11", b"x1", b"xn)"],
    },
    Case {
        name: "two returns that began at two positions",
        grammar: r#"s ::= p a "1" | q a "2"
p ::= "x"
q ::= "x" | "xx"
a ::= "n" a | "n""#,
        accepted: &["xn1", "xn2", "xxn2", "xnn1", "xxnnn2"],
        unfinished: &["xxn", "xn"],
        dead: &[b"xxn1", b"xxnn1", b"xxx", b"x1"],
    },
    Case {
        name: "calls of two depths at one position",
        grammar: r#"s ::= "[" s "]" | a
a ::= "[" a ">" | "n""#,
        accepted: &["n", "[n]", "[n>", "[[n]]", "[[n>]", "[[n>>"],
        unfinished: &["[[n", "[[n]", "[[n>"],
        dead: &[b"[[n]>", b"n]", b"[n>]", b"[[n]]]"],
    },
    Case {
        name: "a node that is its own parent",
        grammar: r#"s ::= n s m | "x"
n ::= ""
m ::= "b" | """#,
        accepted: &["x", "xb", "xbbbb"],
        unfinished: &[""],
        dead: &[b"b", b"xx", b"xbx"],
    },
    Case {
        name: "a call that ends before the next call of it begins",
        grammar: r#"s ::= a a a "b"
a ::= "" | "x""#,
        accepted: &["b", "xb", "xxb", "xxxb"],
        unfinished: &["", "x", "xx", "xxx"],
        dead: &[b"xxxx", b"bb"],
    },
    Case {
        name: "a call reached with and without an empty call before it",
        grammar: r#"s ::= "x" a "1" | "x" b a "2"
b ::= "" | "y"
a ::= "n" | "y""#,
        accepted: &["xn1", "xn2", "xy1", "xy2", "xyn2", "xyy2"],
        unfinished: &["xy", "xyn", "xyy"],
        dead: &[b"xyn1", b"xyy1", b"xnn"],
    },
    Case {
        name: "an empty call whose node gets a second return later",
        grammar: r#"s ::= a b "x" | b a "y"
a ::= b | "p"
b ::= a | "q" | """#,
        accepted: &["x", "y", "px", "qy", "pqx", "ppx", "qqy"],
        unfinished: &["p", "pq", "qq"],
        dead: &[b"ppp", b"xx", b"xy"],
    },
    Case {
        name: "one rule in two brackets at once",
        grammar: r#"s ::= "(" a "]" | "(" b ")"
a ::= "(" a "]" | c
b ::= "(" b ")" | c
c ::= "n" | "(" c ">""#,
        accepted: &["(n]", "(n)", "((n]]", "((n))", "((n>]", "((n>)", "(((n>>)"],
        unfinished: &["((n", "((n>", "((n]"],
        dead: &[b"((n])", b"((n)]", b"(n>", b"((n]>"],
    },
    Case {
        name: "palindromes",
        grammar: r#"s ::= "a" s "a" | "b" s "b" | "a" | "b" | """#,
        accepted: &["", "a", "aba", "abba", "abaaba", "bbb"],
        unfinished: &["ab", "aab", "abab"],
        dead: &[b"c", b"abc"],
    },
    Case {
        name: "palindromes with a middle",
        grammar: r#"s ::= "a" s "a" | "b" s "b" | "c""#,
        accepted: &["c", "aca", "abcba"],
        unfinished: &["ab", "abc", "abcb"],
        dead: &[b"ca", b"abca", b"acaa"],
    },
    Case {
        name: "copies of a letter, over a nest",
        grammar: r#"s ::= "a" s t | "x"
t ::= "b" | "c" | t "d""#,
        accepted: &["x", "axb", "axcd", "aaxbdcdd"],
        unfinished: &["aax", "aaxb", "aaxbd"],
        dead: &[b"xb", b"xd", b"axbb", b"aaxd"],
    },
];
