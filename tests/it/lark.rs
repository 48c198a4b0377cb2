//! Options of rules in Lark's notation as languages: what a rule with `stop=` reads, and what follows it.

use maskwright::CompiledGrammar;

use crate::tags::{check, compiler, masks_are_commits};

fn lark(text: &str) -> CompiledGrammar {
    compiler().lark(text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[test]
fn a_stop_ends_at_its_first_text_which_stays() {
    let grammar = lark("start[stop=\"<e>\"]: /.*/");
    check(&grammar, &["foo<e>", "<e>", "foo<<e>"], &["foo", "foo<e", "foo<e>b", "foo<e>foo<e>", "a\n<e>"]);
    masks_are_commits(&grammar, "fo<o<e>");
    let other = lark("start: s \"b\"\ns[stop=\"<e>\"]: /.*/");
    check(&other, &["foo<e>b", "foob<e>b"], &["foob", "foo<e>", "foo<e><e>"]);
    let suffix = lark("start: s \"<e>\"\ns[suffix=\"<e>\"]: /.*/");
    check(&suffix, &["foo<e><e>"], &["foo<e>", "foo"]);
}

#[test]
fn the_text_of_a_stop_right_behind_it_is_read_once() {
    let grammar = lark("start: (s \",\")* \"x\"?\ns[stop=\",\"]: /[a-z]*/");
    check(&grammar, &["foo,foo,", "", "x", "foo,x", ",,x"], &["foo", "foo,foo"]);
    masks_are_commits(&grammar, "foo,x");
    let longer = lark("start: s \"--\" \"x\"\ns[stop=\"--\"]: /[a-z-]*/");
    check(&longer, &["a--x", "--x", "a-b--x"], &["a----x", "a-x", "ax"]);
}

#[test]
fn an_empty_stop_ends_with_the_text() {
    let grammar = lark("start: \"=\" s\ns[stop=\"\"]: /[a-z]/ /[0-9]*/\n%ignore \" \"");
    check(&grammar, &["=a", "= a12"], &["=", "=a 1", "=1"]);
    masks_are_commits(&grammar, "= a1");
}

#[test]
fn runs_of_a_text_are_quoted_word_by_word() {
    let chunks = lark(r#"start: %regex {"substring_chunks": ["abc", "de", "fg"]}"#);
    check(&chunks, &["", "abc", "de", "abcde", "defg", "abcdefg"], &["ab", "cde", "abcfg", "fgde"]);
    masks_are_commits(&chunks, "abcde");
    let words = lark(
        r#"start: "<" Q ">" Q: %regex {"substring_words": "foo bar. baz_1"}"#.replace(" Q:", "\nQ:").as_str(),
    );
    check(
        &words,
        &["<foo bar>", "<>", "< bar. >", "<.>", "<baz_1>"],
        &["<oo>", "<baz>", "<foo bar", "<foo.>"],
    );
    masks_are_commits(&words, "<foo bar.>");
    let characters = lark(r#"start: "[" %regex {"substring_chars": "aab"} "]""#);
    check(&characters, &["[]", "[aa]", "[ab]", "[aab]", "[b]"], &["[ba]", "[aaa]", "ab"]);
}

#[test]
fn runs_of_thousands_of_words_are_read() {
    let text: Vec<String> =
        (0..2_000_u32).map(|at| format!("word{}", at.wrapping_mul(2_654_435_761) % 997)).collect();
    let text = text.join(" ");
    let grammar = lark(&format!("start: \"<\" Q \">\"\nQ: %regex {{\"substring_words\": \"{text}\"}}"));
    let quote = format!("<{}>", text.split(' ').skip(700).take(40).collect::<Vec<_>>().join(" "));
    check(&grammar, &[quote.as_str(), &format!("<{text}>")], &[&quote[..quote.len() - 1], "<ord>"]);
    masks_are_commits(&grammar, "<word0>");
}
