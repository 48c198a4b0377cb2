//! The text form: what it looks like, that random grammars come back from it, and what its reader refuses.

use super::is_plain;
use crate::grammar::policy::SurfacePolicy;
use crate::grammar::program::{Kinds, Node, SchemaProgram};
use crate::grammar::regex::{CharSet, Regex};
use crate::grammar::rules::{Builder, Expr, Grammar, TokenMember, TokenSet};
use crate::grammar::states::{Next, Row};
use crate::index::{ExprId, NodeId, narrow, widen};

/// Splitmix64: enough for tests.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: u32) -> u32 {
        u32::try_from(self.next() % u64::from(bound)).unwrap()
    }

    fn pick<'a, T: ?Sized>(&mut self, of: &[&'a T]) -> &'a T {
        of[widen(self.below(narrow(of.len())))]
    }
}

const TEXTS: [&str; 10] = ["a", "", "yes", "\n\t\\\"", "[^-]", "é😀", "\u{7F}\u{85}", "/|&!#", "`x`", " "];
const NAMES: [&str; 8] = ["root", "a-b", "x_1", "item.2", "with space", "`", "ü\n", "-"];

fn set(random: &mut Random) -> CharSet {
    let mut ranges = Vec::new();
    for _ in 0..=random.below(3) {
        let low = random.pick(&[&0_u32, &9, &0x20, &0x2D, &0x5B, &0x61, &0xD7FF, &0xFF00, &0x1_F600]);
        ranges.push((*low, low + random.below(4)));
    }
    let set = CharSet::from_ranges(ranges);
    if random.below(3) == 0 { set.complement() } else { set }
}

fn counts(random: &mut Random) -> (u32, Option<u32>) {
    let min = random.below(3);
    (min, if random.below(2) == 0 { None } else { Some(min + random.below(3)) })
}

fn regex(random: &mut Random, depth: u32) -> Regex {
    let kind = if depth == 0 { random.below(6) } else { random.below(12) };
    match kind {
        0 => Regex::literal(random.pick(&TEXTS)),
        1 => Regex::set(set(random)),
        2 => Regex::literals([random.pick(&TEXTS), random.pick(&TEXTS), random.pick(&TEXTS)]),
        3 => Regex::any_text(),
        4 => Regex::Multiple { of: 7 },
        5 => Regex::FractionMultiple { of: 25, places: 2 },
        6 | 7 => Regex::concat([regex(random, depth - 1), regex(random, depth - 1)]),
        8 => Regex::or([regex(random, depth - 1), regex(random, depth - 1), regex(random, depth - 1)]),
        9 => Regex::and([regex(random, depth - 1), regex(random, depth - 1)]),
        10 => regex(random, depth - 1).complement(),
        _ => {
            let (min, max) = counts(random);
            regex(random, depth - 1).repeat(min, max)
        }
    }
}

fn tokens(random: &mut Random) -> TokenSet {
    let members = (0..random.below(3)).map(|_| match random.below(4) {
        0 => TokenMember::Name(random.pick(&["<|end|>", "<a b>", "<[x]>", "<>>", "[INST]", "\n"]).into()),
        1 => TokenMember::Name("<think>".into()),
        _ => {
            let low = random.below(9);
            TokenMember::Ids(low, low + random.below(2))
        }
    });
    TokenSet { members: members.collect(), negated: random.below(2) == 0 }
}

fn schemas() -> Vec<SchemaProgram> {
    let program = |kinds| SchemaProgram {
        nodes: vec![Node::Kind(kinds)],
        places: vec!["/a\nb".into()],
        opposites: Vec::new(),
        root: NodeId(0),
        policy: SurfacePolicy::default(),
    };
    vec![program(Kinds::NULL), program(Kinds::STRING)]
}

fn grammar(random: &mut Random) -> Grammar {
    let mut builder = Builder::new();
    let rules: Vec<_> = NAMES[..1 + widen(random.below(8))].iter().map(|n| builder.rule(n, None)).collect();
    let given = schemas();
    // Of each schema one expression, so that both are there and keep their order.
    let mut made: Vec<ExprId> = given.iter().map(|program| builder.schema(program.clone())).collect();
    for _ in 0..30 {
        let pick = |random: &mut Random, made: &Vec<ExprId>| made[widen(random.below(narrow(made.len())))];
        let expr = match random.below(7) {
            0 | 1 => builder.regex(regex(random, 3)),
            2 => builder.token(tokens(random)),
            3 => builder.call(rules[widen(random.below(narrow(rules.len())))]),
            4 => {
                let parts: Vec<ExprId> = (0..random.below(4)).map(|_| pick(random, &made)).collect();
                builder.sequence(parts)
            }
            5 => {
                let parts: Vec<ExprId> = (0..random.below(4)).map(|_| pick(random, &made)).collect();
                builder.choice(parts)
            }
            _ => {
                let (min, max) = counts(random);
                let body = pick(random, &made);
                builder.repeat(body, min, max)
            }
        };
        made.push(expr);
    }
    for (rule, body) in rules.iter().zip(made.iter().rev()) {
        builder.define(*rule, *body, None).unwrap();
    }
    let start = rules[widen(random.below(narrow(rules.len())))];
    builder.finish(start).unwrap()
}

/// Whether two expressions are the same, however they are numbered. (The depth is that of the test's own grammars.)
fn same(a: &Grammar, x: ExprId, b: &Grammar, y: ExprId) -> bool {
    let all = |xs: &[ExprId], ys: &[ExprId]| {
        xs.len() == ys.len() && xs.iter().zip(ys).all(|(x, y)| same(a, *x, b, *y))
    };
    match (a.expr(x), b.expr(y)) {
        (Expr::Sequence(xs), Expr::Sequence(ys)) | (Expr::Choice(xs), Expr::Choice(ys)) => all(xs, ys),
        (Expr::Repeat { body: x, min: m, max: n }, Expr::Repeat { body: y, min, max }) => {
            (m, n) == (min, max) && same(a, *x, b, *y)
        }
        (Expr::Within { body: x, regex: r }, Expr::Within { body: y, regex: s }) => {
            r == s && same(a, *x, b, *y)
        }
        (Expr::Schema(i), Expr::Schema(j)) => a.schemas[widen(*i)] == b.schemas[widen(*j)],
        (x, y) => x == y,
    }
}

#[test]
fn random_grammars_come_back_from_their_text_form() {
    for seed in 0..3_000 {
        let grammar = grammar(&mut Random(seed));
        let text = grammar.to_string();
        let back = Grammar::from_text_form(&text, &grammar.schemas)
            .unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        // Schemas that no rule uses are not read back, and the others may get other numbers.
        let rules = |text: &str| -> String { text.split("\n# schema").next().unwrap().to_owned() };
        if grammar.schemas == back.schemas {
            assert_eq!(rules(&back.to_string()), rules(&text), "seed {seed}");
        }
        assert_eq!((back.start, back.rules.len()), (grammar.start, grammar.rules.len()), "seed {seed}");
        for (old, new) in grammar.rules.iter().zip(&back.rules) {
            assert_eq!(old.name, new.name, "seed {seed}");
            assert!(
                same(&grammar, old.body, &back, new.body),
                "seed {seed}: rule {}\n{text}\n{back}",
                old.name
            );
        }
    }
}

#[test]
fn the_form_is_one_rule_a_line() {
    let mut builder = Builder::new();
    let item = builder.rule("an item", None);
    let list = builder.rule("list", None);
    let (a, b, inner) = (builder.text("a"), builder.text("bc"), builder.call(item));
    let either = builder.choice([a, b]);
    let some = builder.repeat(either, 2, Some(5));
    let more = builder.repeat(some, 0, None);
    let json = builder.schema(schemas().remove(0));
    let whole = builder.sequence([more, inner, json]);
    let last = builder.choice([whole, a]);
    builder.define(list, last, None).unwrap();
    let both =
        Regex::and([Regex::any_text().then(Regex::literal("x")), Regex::literals(["p", "q"]).complement()]);
    let text = builder.regex(both);
    builder.define(item, text, None).unwrap();
    let expected = "%start list\n`an item` ::= /(.* \"x\" & !((\"p\",\"q\")))/\nlist ::= ((\"a\" | \"bc\"){2,5})* `an item` %schema 0 | \"a\"\n# schema 0: root 0\n# 0: kind null    /a\n# b";
    assert_eq!(builder.finish(list).unwrap().to_string(), expected);
}

#[test]
fn a_form_reads_as_itself() {
    for text in [
        "r ::= \"\"",
        "r ::= []",
        "r ::= . [a-z] [^a-z] [\\]\\[\\^\\-] [\\x00-\\x1Fé]",
        "r ::= <think> !<|x|> <[1-5,7]> !<[\"a\",3]> <[]> !<[]>",
        "r ::= (r | \"a\" (r)) \"\" | r",
        "r ::= r* r+ r? r{3} r{2,} r{2,5}",
        "r ::= /#7/ /#7e-2/ /(\"a\",)*/ /((\"ab\")+)?/",
    ] {
        let once = Grammar::from_text_form(text, &[]).unwrap().to_string();
        assert_eq!(Grammar::from_text_form(&once, &[]).unwrap().to_string(), once, "{text}");
    }
}

#[test]
fn what_is_no_form_is_refused_with_its_place() {
    for (text, place, part) in [
        ("", "line 1, column 1", "no rule"),
        ("r", "line 1, column 2", "`::=` is needed"),
        ("r ::= \"a", "line 1, column 7", "not closed"),
        ("r ::= (r", "line 1, column 7", "not closed"),
        ("r ::= r)", "line 1, column 8", "without `(`"),
        ("r ::= *", "line 1, column 7", "nothing to repeat"),
        ("r ::= x", "line 1, column 7", "not defined"),
        ("r ::= r\nr ::= r", "line 2, column 1", "defined twice"),
        ("r ::= /\"a\"", "line 1, column 11", "not closed"),
        ("r ::= /(\"a\" | . & .)/", "line 1, column 17", "need parentheses"),
        ("r ::= /<states: 3 rows>/", "line 1, column 8", "no notation"),
        ("r ::= /(\"a\",\"b\"|.)/", "line 1, column 16", "another literal"),
        ("r ::= /#0/", "line 1, column 8", "divisor"),
        ("r ::= %schema 0", "line 1, column 7", "no schema"),
        ("r ::= ;", "line 1, column 7", "a name is needed"),
        ("r ::= /!\"a\"/", "line 1, column 8", "parenthesis"),
    ] {
        let message = Grammar::from_text_form(text, &[]).unwrap_err().to_string();
        assert!(message.starts_with(place) && message.contains(part), "{text}: {message}");
    }
    let deep = format!("r ::= /{}/", "(".repeat(100_000));
    assert!(Grammar::from_text_form(&deep, &[]).unwrap_err().to_string().contains("nested"));
    let deep = format!("r ::= {}", "(".repeat(100_000));
    assert!(Grammar::from_text_form(&deep, &[]).unwrap_err().to_string().contains("GRAMMAR_DEPTH_MAX"));
}

#[test]
fn tables_have_a_placeholder_that_is_refused() {
    let row = Row { accepts: true, next: [Next { lo: 97, hi: 97, state: 0 }].into() };
    let mut builder = Builder::new();
    let root = builder.rule("root", None);
    let body = builder.regex(Regex::states(vec![row]).star());
    builder.define(root, body, None).unwrap();
    let text = builder.finish(root).unwrap().to_string();
    assert_eq!(text, "root ::= /<states: 1 rows>*/");
    assert!(Grammar::from_text_form(&text, &[]).unwrap_err().to_string().contains("can't be read back"));
}

#[test]
fn deep_expressions_are_printed_without_recursion() {
    let mut deep = Builder::new();
    let root = deep.rule("root", None);
    let mut body = deep.text("a");
    for _ in 0..100_000 {
        let a = deep.text("b");
        body = deep.sequence([a, body]);
    }
    deep.define(root, body, None).unwrap();
    let text = deep.finish(root).unwrap().to_string();
    assert!(text.len() > 500_000 && text.ends_with("))"));
}

#[test]
fn plain_names_are_those_that_need_no_quotes() {
    for (name, expected) in
        [("a", true), ("1-x.y#2_", true), ("", false), ("-a", false), ("#", false), ("a b", false)]
    {
        assert_eq!(is_plain(name), expected, "{name}");
    }
}
