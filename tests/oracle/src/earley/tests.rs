//! The recogniser against texts listed by a fixpoint, and against languages that are known.

use std::collections::{BTreeMap, BTreeSet};

use maskwright::grammar::regex::{CharSet, Regex};
use maskwright::grammar::rules::{Builder, Grammar, TokenMember, TokenSet};
use maskwright::{TokenId, Vocabulary};

use super::bnf::utf8;
use super::enumerate::{Limits, Text, texts};
use super::{Letter, Recogniser, State};
use crate::brute::ids;
use crate::generate::Random;
use crate::generate::grammar::{Made, Shape, WIDE, beginning, grammar, has_token_letters, mutated, shown};
use crate::generate::vocabulary::letters;

/// A grammar of the one rule `s`.
fn one_rule(body: impl Fn(&mut Builder, maskwright::index::RuleId) -> maskwright::index::ExprId) -> Grammar {
    let mut builder = Builder::new();
    let rule = builder.rule("s", None);
    let body = body(&mut builder, rule);
    builder.define(rule, body, None).expect("defined once");
    builder.finish(rule).expect("complete")
}

/// The recogniser says of each text over the letters, up to a length, what the closure says.
fn is_language(grammar: &Grammar, letters: &[u8], len: usize, is_text: impl Fn(&[u8]) -> bool) {
    let recogniser = Recogniser::new(grammar);
    let mut all: Vec<Vec<u8>> = vec![vec![]];
    let mut from = 0;
    for _ in 0..len {
        let end = all.len();
        for at in from..end {
            all.extend(letters.iter().map(|&letter| [&all[at][..], &[letter]].concat()).collect::<Vec<_>>());
        }
        from = end;
    }
    for text in &all {
        let accepted = recogniser.read(text).is_some_and(|state| recogniser.accepts(&state));
        assert_eq!(accepted, is_text(text), "{} {}", shown(grammar), text.escape_ascii());
    }
}

#[test]
fn palindromes_are_recognised() {
    let palindromes = one_rule(|b, s| {
        let (x, y, again) = (b.text("a"), b.text("b"), b.call(s));
        let empty = b.text("");
        let ways = [b.sequence([x, again, x]), b.sequence([y, again, y]), x, y, empty];
        b.choice(ways)
    });
    is_language(&palindromes, b"ab", 9, |text| text.iter().eq(text.iter().rev()));
}

#[test]
fn a_rule_that_doubles_itself_or_says_nothing_is_a_star() {
    let doubled = one_rule(|b, s| {
        let (x, empty, again) = (b.text("a"), b.text(""), b.call(s));
        let twice = b.sequence([again, again]);
        b.choice([twice, x, empty])
    });
    is_language(&doubled, b"ab", 8, |text| text.iter().all(|&byte| byte == b'a'));
}

#[test]
fn hidden_left_recursion_is_seen() {
    // s ::= "a"? s "b" | "c": as many `b` as times around, and at most as many `a`.
    let hidden = one_rule(|b, s| {
        let (x, y, z, again) = (b.text("a"), b.text("b"), b.text("c"), b.call(s));
        let hidden = b.optional(x);
        let around = b.sequence([hidden, again, y]);
        b.choice([around, z])
    });
    is_language(&hidden, b"abc", 8, |text| {
        let before = text.iter().take_while(|&&byte| byte == b'a').count();
        let Some((b'c', after)) = text[before..].split_first() else { return false };
        before <= after.len() && after.iter().all(|&byte| byte == b'b')
    });
}

#[test]
fn sums_are_recognised() {
    let sums = one_rule(|b, s| {
        let (plus, n, again) = (b.text("+"), b.text("n"), b.call(s));
        let sum = b.sequence([again, plus, again]);
        b.choice([sum, n])
    });
    is_language(&sums, b"+n", 9, |text| {
        text.len() % 2 == 1 && text.iter().enumerate().all(|(at, &byte)| byte == b"n+"[at % 2])
    });
}

#[test]
fn prefixes_are_viable_only_if_some_text_goes_on_so() {
    // "a" leads to a rule that never ends.
    let mut builder = Builder::new();
    let [start, endless] = ["start", "endless"].map(|name| builder.rule(name, None));
    let (x, y) = (builder.text("a"), builder.text("b"));
    let (again, call) = (builder.call(endless), builder.call(endless));
    let body = builder.sequence([x, again]);
    builder.define(endless, body, None).expect("defined once");
    let ways = [builder.sequence([x, call]), y];
    let body = builder.choice(ways);
    builder.define(start, body, None).expect("defined once");
    let recogniser = Recogniser::new(&builder.finish(start).expect("complete"));
    assert!(recogniser.read(b"a").is_none());
    assert!(recogniser.read(b"b").is_some_and(|state| recogniser.accepts(&state)));

    let empty = one_rule(|b, s| b.call(s));
    assert!(Recogniser::new(&empty).is_empty());
}

#[test]
fn sets_are_spelled_as_their_members_are() {
    let sets = [
        CharSet::any(),
        CharSet::of("aé€").complement(),
        CharSet::range('\u{7e}', '\u{81}'),
        CharSet::range('\u{7fe}', '\u{1001}'),
        CharSet::range('\u{d000}', '\u{10001}'),
        CharSet::range('\u{10fffe}', '\u{10ffff}'),
        CharSet::of("aéè€₫"),
    ];
    for set in sets {
        let ways = utf8(&set);
        for c in '\0'..=char::MAX {
            let spelled = c.to_string().into_bytes();
            let fits = |way: &&Vec<(u8, u8)>| {
                way.len() == spelled.len()
                    && way.iter().zip(&spelled).all(|((low, high), byte)| (low..=high).contains(&byte))
            };
            assert_eq!(ways.iter().filter(fits).count(), usize::from(set.contains(c)), "{set:?} {c:?}");
        }
        // As many spellings as members, so there are no others.
        let size =
            |way: &Vec<(u8, u8)>| way.iter().map(|(low, high)| u32::from(high - low) + 1).product::<u32>();
        assert_eq!(ways.iter().map(size).sum::<u32>(), set.len());
    }
}

#[test]
fn a_token_is_read_both_ways_at_once() {
    // s ::= ("ab" | <2>) "a"* "b", where token 2 is spelled "ab".
    let grammar = one_rule(|b, _| {
        let token = b.token(TokenSet { members: vec![TokenMember::Ids(2, 2)], negated: false });
        let (text, x, y) = (b.text("ab"), b.text("a"), b.text("b"));
        let first = b.choice([text, token]);
        let many = b.repeat(x, 0, None);
        b.sequence([first, many, y])
    });
    let vocabulary = Vocabulary::from_tokens(["a", "b", "ab", "ba", "</s>"], &[TokenId(4)]).expect("small");
    let recogniser = Recogniser::over(&grammar, &vocabulary);
    let start = recogniser.start();
    assert_eq!(recogniser.mask(&start, &vocabulary), [true, false, true, false, false]);
    let both = recogniser.advance_token(&start, TokenId(2), b"ab").expect("it may follow");
    assert_eq!(recogniser.mask(&both, &vocabulary), [true, true, true, false, false]);
    let end = recogniser.advance_token(&both, TokenId(2), b"ab").expect("it may follow");
    assert!(recogniser.accepts(&end));
    assert_eq!(recogniser.mask(&end, &vocabulary), [false, false, false, false, true]);
    assert_eq!(recogniser.letters_left(&start), 2, "the letter and `b`");
}

#[test]
fn tokens_read_both_ways_at_once_are_as_all_readings_apart() {
    const SEED: u64 = 0xEA51_0004;
    println!("seed {SEED:#x}");
    let (mut grammars, mut doubled) = (0, 0);
    for number in 0..1_000 {
        let mut random = Random::new(SEED ^ (number << 20));
        let made = grammar(&mut random);
        let vocabulary = letters(&mut random, &made.chars).expect("a vocabulary");
        let recogniser = Recogniser::over(&made.grammar, &vocabulary);
        if !has_token_letters(&made.grammar) || recogniser.is_empty() {
            continue;
        }
        grammars += 1;
        let (mut joined, mut apart) = (recogniser.start(), vec![recogniser.start()]);
        for _ in 0..6 {
            let token = TokenId::new(random.below(vocabulary.len()));
            let any_of = |masks: &[Vec<bool>]| -> Vec<bool> {
                (0..vocabulary.len()).map(|id| masks.iter().any(|mask| mask[id])).collect()
            };
            let mask = recogniser.mask(&joined, &vocabulary);
            let masks: Vec<_> = apart.iter().map(|state| recogniser.mask(state, &vocabulary)).collect();
            assert_eq!(mask, any_of(&masks), "{}", shown(&made.grammar));
            assert_eq!(recogniser.accepts(&joined), apart.iter().any(|state| recogniser.accepts(state)));
            let left = apart.iter().map(|state| recogniser.letters_left(state)).min();
            assert_eq!(Some(recogniser.letters_left(&joined)), left, "{}", shown(&made.grammar));

            let choices: Vec<TokenId> =
                ids(&vocabulary).filter(|token| mask[token.index()] && !vocabulary.is_stop(*token)).collect();
            // Some token that may not follow is tried too.
            let token =
                if choices.is_empty() || random.chance(1, 8) { token } else { *random.pick(&choices) };
            let bytes = vocabulary.bytes(token);
            let spelled = |state: &State| {
                let mut bytes = bytes.iter().map(|&byte| Letter::Byte(byte)).peekable();
                bytes.peek()?;
                bytes.try_fold(state.clone(), |state, letter| recogniser.advance(&state, &letter))
            };
            let lettered =
                apart.iter().filter_map(|state| recogniser.advance(state, &Letter::Token(token.0)));
            let lettered: Vec<State> = lettered.collect();
            let by_bytes: Vec<State> = apart.iter().filter_map(spelled).collect();
            doubled += usize::from(!lettered.is_empty() && !by_bytes.is_empty());
            apart = lettered.into_iter().chain(by_bytes).collect();
            match recogniser.advance_token(&joined, token, bytes) {
                Some(next) => joined = next,
                None => {
                    assert!(apart.is_empty(), "{}", shown(&made.grammar));
                    break;
                }
            }
        }
    }
    println!("{grammars} grammars, {doubled} tokens read both ways");
    assert!(grammars > 50 && doubled > 10);
}

fn spelled(chars: &[char]) -> impl Iterator<Item = Letter> {
    chars.iter().flat_map(|c| c.to_string().into_bytes()).map(Letter::Byte)
}

/// The recogniser agrees with the listed texts on each of them, on each of their beginnings, and on other texts.
fn agrees_with_list(made: &Made, random: &mut Random, len: usize) -> usize {
    const TOKENS: [u32; 4] = [0, 6, 12, 18];
    let is_wide = made.chars.iter().any(|c| !c.is_ascii());
    let mut letters: BTreeSet<Letter> = spelled(&made.chars).chain(spelled(&WIDE[..1])).collect();
    letters.extend(spelled(&WIDE).filter(|_| is_wide));
    // The bytes spell more characters than they are taken from.
    let is_spelled = |c: &char| spelled(&[*c]).all(|byte| letters.contains(&byte));
    let chars: Vec<char> = ('\0'..=char::MAX).filter(is_spelled).collect();
    letters.extend(TOKENS.map(Letter::Token));
    let recogniser = Recogniser::new(&made.grammar);
    let listed = texts(&made.grammar, &Limits { len, chars: &chars, tokens: &TOKENS });
    if recogniser.is_empty() {
        assert!(listed.is_empty(), "the language is said to be empty\n{}", shown(&made.grammar));
        return 0;
    }
    // By beginning: the least number of letters to the end of a listed text.
    let mut beginnings: BTreeMap<Text, usize> = BTreeMap::new();
    for text in &listed {
        for end in 0..=text.len() {
            let left = beginnings.entry(text[..end].to_vec()).or_insert(usize::MAX);
            *left = (*left).min(text.len() - end);
        }
    }
    let mut work: Vec<(Text, State)> = vec![(vec![], recogniser.start())];
    let mut seen = 0;
    while let Some((text, state)) = work.pop() {
        seen += 1;
        let place = || format!("{}\nafter {text:?}", shown(&made.grammar));
        assert_eq!(recogniser.accepts(&state), listed.contains(&text), "{}", place());
        let completion = recogniser.completion(&state);
        let left = beginnings.get(&text).copied();
        if text.len() + completion.len() <= len {
            // The completion may be of other letters than those that are listed, but is never longer.
            assert!(left.is_none_or(|left| completion.len() <= left), "{}", place());
            let whole = [&text[..], &completion].concat();
            let is_listed = |letter: &Letter| match letter {
                Letter::Byte(_) => letters.contains(letter),
                Letter::Token(id) => TOKENS.contains(id),
            };
            if whole.iter().all(is_listed) {
                assert!(listed.contains(&whole), "{} {completion:?}", place());
            }
        } else {
            assert_eq!(left, None, "{}", place());
        }
        if text.len() == len {
            continue;
        }
        let mut nexts: Vec<Letter> = letters.iter().cloned().collect();
        random.shuffle(&mut nexts);
        for letter in nexts {
            let longer = [&text[..], std::slice::from_ref(&letter)].concat();
            match recogniser.advance(&state, &letter) {
                Some(next) if work.len() + seen < 300 => work.push((longer, next)),
                Some(_) => {}
                None => assert!(!beginnings.contains_key(&longer), "{} {letter:?}", place()),
            }
        }
    }
    seen
}

fn random_grammars_agree_with_lists(seed: u64, count: usize) {
    println!("seed {seed:#x}");
    let (mut empty, mut states) = (0, 0);
    for number in (0..).take(count) {
        let mut random = Random::new(seed ^ (number << 20));
        let made = grammar(&mut random);
        let len = 7 - made.chars.len().min(4);
        let seen = agrees_with_list(&made, &mut random, len);
        states += seen;
        empty += usize::from(seen == 0);
    }
    println!("{empty} of {count} empty, {states} states");
    assert!(empty * 4 < count && states > count * 10);
}

#[test]
fn random_grammars_are_recognised_as_their_texts_are_listed() {
    random_grammars_agree_with_lists(0xEA51_0001, 150);
}

#[test]
#[ignore = "long: many more grammars than the default run"]
fn many_random_grammars_are_recognised_as_their_texts_are_listed() {
    random_grammars_agree_with_lists(0xEA51_0003, 5_000);
}

#[test]
fn random_grammars_have_every_shape_and_mostly_mean_something() {
    let mut random = Random::new(0xEA51_0002);
    let mut shapes: BTreeMap<Shape, usize> = BTreeMap::new();
    let (mut empty, mut finite, mut whole, mut refused, mut items) = (0, 0, 0, 0, 0);
    for _ in 0..600 {
        let made = grammar(&mut random);
        for shape in &made.shapes {
            *shapes.entry(*shape).or_default() += 1;
        }
        let recogniser = Recogniser::new(&made.grammar);
        if recogniser.is_empty() {
            empty += 1;
            continue;
        }
        let text = beginning(&recogniser, &mut random, 24);
        let state = recogniser.read(&text).expect("a beginning");
        items = items.max(state.item_count());
        whole += usize::from(recogniser.accepts(&state));
        finite += usize::from(recogniser.next_bytes(&state).is_empty());
        refused += usize::from(recogniser.read(&mutated(&text, &made.chars, &mut random)).is_none());
    }
    println!("{shapes:?}\nempty {empty}, finite {finite}, whole {whole}, refused {refused}, items {items}");
    assert!(shapes.values().all(|&count| count >= 25), "{shapes:?}");
    assert!((20..150).contains(&empty) && whole > 150 && refused > 150);
}

#[test]
#[should_panic(expected = "the twin does not read this regex")]
fn a_regex_beyond_the_twin_is_refused_loudly() {
    let grammar = one_rule(|b, _| b.regex(Regex::literal("a").complement()));
    let _ = Recogniser::new(&grammar);
}
