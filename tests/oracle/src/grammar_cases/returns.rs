//! Cases: returns that are stars and others that are not, counts, and tail calls.

use super::Case;

/// Returns, counts and tail calls.
pub(super) const CASES: &[Case] = &[
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
    Case {
        name: "two stars over each other",
        grammar: r#"e ::= e "+" e | t
t ::= t "*" t | "n""#,
        accepted: &["n", "n*n+n*n", "n+n*n+n"],
        unfinished: &["n+", "n*n+"],
        dead: &[b"*", b"nn", b"n+*"],
    },
    Case {
        name: "a star over itself and over another return",
        grammar: r#"s ::= e "." | "n+" q "!"
q ::= e
e ::= e "+" e | "n""#,
        accepted: &["n.", "n+n.", "n+n!", "n+n+n.", "n+n+n!"],
        unfinished: &["n", "n+n", "n+n+"],
        dead: &[b"n!", b"n+.", b"n+n!!"],
    },
    Case {
        name: "a loop with another way out",
        grammar: r#"s ::= ("a" s)* "b"?"#,
        accepted: &["", "b", "ab", "abb", "aabbb", "aba", "abab"],
        unfinished: &[],
        dead: &[b"bb", b"abbb", b"ba", b"aabbbb"],
    },
    Case {
        name: "hidden left recursion that counts",
        grammar: r#"s ::= ("a"? s?){2} "b""#,
        accepted: &["b", "ab", "aab", "bb", "aaabb", "aaaabb", "aaabab"],
        unfinished: &["", "aaa", "aaab", "aaaa"],
        dead: &[b"c"],
    },
    // Counts of calls.
    Case {
        name: "counts with holes between them",
        grammar: r#"s ::= n{4} "."
n ::= "a" | "aaaa""#,
        accepted: &["aaaa.", "aaaaaaa.", "aaaaaaaaaa.", "aaaaaaaaaaaaa.", "aaaaaaaaaaaaaaaa."],
        unfinished: &["aaaaa", "aaaaaaaa"],
        dead: &[b"aaa.", b"aaaaa.", b"aaaaaa.", b"aaaaaaaa.", b"aaaaaaaaaaaaaaaaa"],
    },
    Case {
        name: "counts of parts of two lengths",
        grammar: r#"s ::= n{3,5} "."
n ::= "a" | "aa""#,
        accepted: &["aaa.", "aaaaaaaaaa."],
        unfinished: &["aaaaaaaaaa"],
        dead: &[b"aa.", b"aaaaaaaaaaa"],
    },
    Case {
        name: "counts of nests that count",
        grammar: r#"s ::= "(" s{2,3} ")" | "x""#,
        accepted: &["x", "(xx)", "((xx)xx)", "(x(xxx)(xx))"],
        unfinished: &["(", "(x", "(x(xx)"],
        dead: &[b"(x)", b"(xxxx", b"xx", b"()"],
    },
    Case {
        name: "left recursion through a count",
        grammar: r#"s ::= s{2} "a" | "x""#,
        accepted: &["x", "xxa", "xxaxa", "xxxaa"],
        unfinished: &["xx", "xxx", "xxxa"],
        dead: &[b"a", b"xa", b"xxaa"],
    },
    Case {
        name: "left recursion through a count of one or two",
        grammar: r#"s ::= s{1,2} "a" | "x""#,
        accepted: &["x", "xa", "xxa", "xaa", "xxaaa", "xaxaa"],
        unfinished: &["xx", "xxx"],
        dead: &[b"a", b"b"],
    },
    Case {
        name: "a count of items with commas, in a count of lines",
        grammar: r#"s ::= (l ";"){1,2}
l ::= i ("," i){1,2}
i ::= "n" | "m" i"#,
        accepted: &["n,n;", "n,mn,n;n,n;"],
        unfinished: &["n", "n,n", "n,n;n"],
        dead: &[b"n;", b"n,n,n,", b"n,n;n,n;n"],
    },
    Case {
        name: "a count of what ends as the next begins",
        grammar: r#"s ::= (p){2} "a"
p ::= "a" p? | "b""#,
        accepted: &["aaa", "bba", "aba", "baa", "aaaa", "aaba"],
        unfinished: &["a", "b", "ab", "bb"],
        dead: &[b"c", b"bbb"],
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
];
