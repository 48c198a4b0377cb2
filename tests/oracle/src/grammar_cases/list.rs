//! The cases: each grammar beside the shortcut of an engine that it would catch.

use super::Case;

/// The grammars with texts. No text of theirs needs a token as a letter.
pub const CASES: &[Case] = &[
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
    // Returns that are a star onto themselves, and those that only look like it.
    Case {
        name: "sums of sums",
        grammar: r#"e ::= e "+" e | "n""#,
        accepted: &["n", "n+n", "n+n+n+n"],
        unfinished: &["n+", "n+n+"],
        dead: &[b"+", b"nn", b"n++"],
    },
    Case {
        name: "sums with brackets",
        grammar: r#"e ::= e "+" e | e "*" e | "(" e ")" | "n""#,
        accepted: &["n", "(n)", "((n+n)*n)", "n*(n+(n))"],
        unfinished: &["((n", "((n)", "(n+n)*"],
        dead: &[b"n)", b"(n))", b")", b"(n+)"],
    },
    Case {
        name: "sums with a prefix operator",
        grammar: r#"e ::= "-" e | e "-" e | "n""#,
        accepted: &["n", "-n", "n-n", "n--n", "--n---n"],
        unfinished: &["-", "n-", "n--"],
        dead: &[b"nn", b"-nn"],
    },
    Case {
        name: "a choice operator, whose colon pays for a question mark",
        grammar: r#"e ::= e "?" e ":" e | "n""#,
        accepted: &["n", "n?n:n", "n?n?n:n:n", "n?n:n?n:n"],
        unfinished: &["n?n", "n?n?n:n", "n?n:"],
        dead: &[b"n:", b"n?n:n:", b"n?:"],
    },
    Case {
        name: "operands before operators",
        grammar: r#"e ::= e e "+" | "n""#,
        accepted: &["n", "nn+", "nn+n+", "nnn++", "nnnn+++"],
        unfinished: &["nn", "nnn+", "nn+n"],
        dead: &[b"+", b"n+", b"nn++", b"nnn+++"],
    },
    Case {
        name: "operators before operands",
        grammar: r#"e ::= "+" e e | "n""#,
        accepted: &["n", "+nn", "++nnn", "+n+nn"],
        unfinished: &["+", "+n", "++nn"],
        dead: &[b"nn", b"+nnn"],
    },
    Case {
        name: "a star within itself",
        grammar: r#"t ::= s "."
s ::= ("a" s | "b")*"#,
        accepted: &[".", "ab.", "aab.", "bab."],
        unfinished: &["a", "aa", "bb"],
        dead: &[b"..", b"c"],
    },
    Case {
        name: "nests in a star",
        grammar: r#"s ::= ("a" s "c")*"#,
        accepted: &["", "ac", "acac", "aacc", "aacacc"],
        unfinished: &["a", "aac", "aacac"],
        dead: &[b"c", b"acc", b"aaccc"],
    },
    Case {
        name: "nests in a star, and an end",
        grammar: r#"t ::= s ";" s "."
s ::= ("a" s "c" | "b" s)*"#,
        accepted: &[";.", "b;b.", "ac;.", "abbc;bb."],
        unfinished: &["a", "ab", ";", "b;"],
        dead: &[b"a;", b";;", b"abc;ac;", b"c"],
    },
    Case {
        name: "a repetition of two is no star",
        grammar: r#"s ::= ("a" s?){2} ";""#,
        accepted: &["aa;"],
        unfinished: &["a"],
        dead: &[b";", b"a;"],
    },
    Case {
        name: "a return that counts",
        grammar: r#"s ::= "a" s{2} | "b""#,
        accepted: &["b", "abb", "aabbb", "ababb"],
        unfinished: &["a", "ab", "aab", "aabb"],
        dead: &[b"bb", b"abbb", b"c"],
    },
    Case {
        name: "a return that counts up to two",
        grammar: r#"t ::= s "."
s ::= "a" s{0,2} "b""#,
        accepted: &["ab.", "aabb.", "aababb."],
        unfinished: &["a", "aa", "ab", "aab", "aabab"],
        dead: &[b"b", b"aababa", b"abb", b"aba"],
    },
    Case {
        name: "a star whose way out leads back into it",
        grammar: r#"s ::= (x s)* "e" | "n"
x ::= "x""#,
        accepted: &["e", "n", "xee", "xne", "xnxne", "xxnee"],
        unfinished: &["x", "xe", "xn", "xxn", "xnx"],
        dead: &[b"ee", b"xx."],
    },
    Case {
        name: "two stars that return to each other",
        grammar: r#"a ::= ("x" b)* "1"
b ::= ("y" a)* "2""#,
        accepted: &["1", "x21", "xy121", "x2x21", "xy1y121"],
        unfinished: &["x", "x2", "xy1", "xy12"],
        dead: &[b"2", b"x1", b"xy2", b"11", b"x22"],
    },
    Case {
        name: "a star of an optional call",
        grammar: r#"t ::= s "!"
s ::= (s? "x")*"#,
        accepted: &["!", "x!", "xxx!"],
        unfinished: &["", "x"],
        dead: &[b"!!", b"y"],
    },
    Case {
        name: "separated lists in lists",
        grammar: r#"s ::= l
l ::= i ("," i)*
i ::= "n" | "[" l? "]""#,
        accepted: &["n", "n,n", "[]", "[[],n]", "[n,[n,n]],n"],
        unfinished: &["n,", "[", "[n", "[n,"],
        dead: &[b",", b"n]", b"[,", b"[n,]", b"[]]"],
    },
    // Tail calls.
    Case {
        name: "a chain of tail calls in brackets and outside",
        grammar: r#"s ::= "(" t ")" | t
t ::= "a" t | u
u ::= "b" s | "c""#,
        accepted: &["c", "aac", "(c)", "ab(ac)", "(b(c))", "b(ab(bc))"],
        unfinished: &["a", "(ac", "b(b(c)"],
        dead: &[b"c)", b"cc", b"(c))", b"()"],
    },
    Case {
        name: "tail calls by turns",
        grammar: r#"a ::= "x" b | ""
b ::= "y" a"#,
        accepted: &["", "xy", "xyxy"],
        unfinished: &["x", "xyx"],
        dead: &[b"y", b"xx", b"xyy"],
    },
    Case {
        name: "a tail call before what may be empty",
        grammar: r#"s ::= "a" s n | "b"
n ::= "" | "c""#,
        accepted: &["b", "ab", "abc", "aabcc", "aaabc"],
        unfinished: &["", "a", "aa"],
        dead: &[b"bc", b"abcc", b"aabccc"],
    },
    Case {
        name: "a tail call before what is empty",
        grammar: r#"s ::= "a" s n | "b"
n ::= m m?
m ::= """#,
        accepted: &["b", "ab", "aaab"],
        unfinished: &["a"],
        dead: &[b"bb", b"abb"],
    },
    Case {
        name: "a tail call that is one half of the time none",
        grammar: r#"s ::= "a" t | "a" t "c"
t ::= "b" t | "b" s | "b""#,
        accepted: &["ab", "abc", "abb", "ababcc", "abbabc", "ababc"],
        unfinished: &["a", "aba"],
        dead: &[b"b", b"abcc", b"abcb", b"ac"],
    },
    Case {
        name: "tail calls and left recursion in one component",
        grammar: r#"s ::= s t | t
t ::= "a" s | "b""#,
        accepted: &["b", "ab", "bb", "abab", "aabb"],
        unfinished: &["", "a", "ba"],
        dead: &[b"c", b"bc"],
    },
    Case {
        name: "a tail call of an alternative that never ends",
        grammar: r#"s ::= "a" s | "a" u | "b"
u ::= "c" u | u "d""#,
        accepted: &["b", "ab", "aab"],
        unfinished: &["a"],
        dead: &[b"ac", b"c", b"bb"],
    },
    Case {
        name: "an endless rule behind a call",
        grammar: r#"s ::= a u | a "b"
a ::= "a" a | "x" u | "c"
u ::= "c" u"#,
        accepted: &["cb", "acb"],
        unfinished: &["c", "ac"],
        dead: &[b"cc", b"x", b"ax"],
    },
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
pub const EMPTY: &[&str] = &[
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
