//! What a matcher promises, whatever the grammar: mask and commit agree, nothing mutates in place, stop tokens stop.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use maskwright::bitmask::{self, LogitsWidth};
use maskwright::error::CompileErrorKind;
use maskwright::limits::FORCED_BYTES_MAX;
use maskwright::{
    Bitmask, CommitError, CompiledGrammar, Compiler, CompilerConfig, MaskError, Matcher, TokenId, Vocabulary,
};

/// The smallest language that shows everything, with its vocabulary; 10 is the stop token.
const YES_NO: [&str; 11] = ["y", "ye", "yes", "n", "no", "e", "es", "s", "o", "yes!", "</s>"];
const STOP: u32 = 10;

/// splitmix64.
struct Random(u64);

impl Random {
    fn seeded(seed: u64) -> Self {
        println!("seed {seed:#x}");
        Self(seed)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        usize::try_from((z ^ (z >> 31)) >> 33).unwrap() % bound
    }
}

fn compiler(tokens: &[&str], stop: &[u32]) -> Compiler {
    let stop: Vec<TokenId> = stop.iter().map(|&id| TokenId(id)).collect();
    let vocabulary = Vocabulary::from_tokens(tokens.iter().copied(), &stop).unwrap();
    Compiler::new(vocabulary, CompilerConfig::default())
}

fn yes_no() -> CompiledGrammar {
    compiler(&YES_NO, &[STOP]).regex("yes|no").unwrap()
}

/// Grammars over the built-in vocabulary whose states differ in kind: fixed texts, strings, numbers, nesting.
fn demo_grammars() -> Vec<CompiledGrammar> {
    let compiler = Compiler::new(Vocabulary::demo(), CompilerConfig::default());
    [
        r#"{"enum": ["yes", "no", 12, null, {"name": ["alpha", "alphabet", true]}]}"#,
        r#"{"type": "array", "items": {"type": "string", "maxLength": 6}, "maxItems": 3}"#,
        r#"{"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer", "minimum": 0}},
            "required": ["name"], "additionalProperties": false}"#,
        "true",
    ]
    .iter()
    .map(|schema| compiler.json_schema(schema).unwrap())
    .collect()
}

/// A text of 600 bytes whose every state leaves several ways on, so that one walk is hundreds of tokens long.
fn long_text() -> CompiledGrammar {
    let text = "abb".repeat(200);
    compiler(&["a", "b", "ab", "bb", "abb", "ba", "bab", "\"", "</s>"], &[8])
        .json_schema(&format!(r#"{{"const": "{text}"}}"#))
        .unwrap()
}

/// What may follow, filled into a row that held something else before.
fn allowed(matcher: &mut Matcher) -> Vec<u32> {
    let mut mask = Bitmask::new(matcher.grammar());
    mask.row_mut(0).fill(u32::MAX);
    matcher.fill_bitmask(&mut mask).unwrap();
    let ids: Vec<u32> = mask.iter().map(|token| token.0).collect();
    assert_eq!(matcher.allowed_count().unwrap(), ids.len());
    ids
}

/// All that can be seen of a matcher.
#[derive(PartialEq, Eq, Debug)]
struct Seen {
    mask: Vec<u32>,
    text: Vec<u8>,
    tokens: Vec<TokenId>,
    len: usize,
    accepting: bool,
    finished: bool,
    forced: Vec<u8>,
}

fn see(matcher: &mut Matcher) -> Seen {
    Seen {
        mask: allowed(matcher),
        text: matcher.text(),
        tokens: matcher.tokens(),
        len: matcher.len(),
        accepting: matcher.is_accepting(),
        finished: matcher.is_finished(),
        forced: matcher.forced_bytes().unwrap(),
    }
}

/// At this state: every bit equals its commit, a failed commit changes nothing, and a rollback undoes a commit.
fn check_state(matcher: &mut Matcher) {
    let before = see(matcher);
    let width = u32::try_from(matcher.grammar().logits_width()).unwrap();
    for id in (0..width + 40).chain([u32::MAX]) {
        let mut fork = matcher.fork();
        let result = fork.commit(id);
        assert_eq!(
            result.is_ok(),
            before.mask.binary_search(&id).is_ok(),
            "token {id} after {before:?}: {result:?}"
        );
        match result {
            Ok(()) => {
                assert_eq!((fork.len(), fork.tokens().last().copied()), (before.len + 1, Some(TokenId(id))));
                fork.rollback(1).unwrap();
            }
            Err(CommitError::NotAllowed { token }) => assert_eq!(token, TokenId(id)),
            Err(CommitError::Finished) => assert!(before.finished),
            Err(CommitError::OutOfRange { token, vocabulary_len }) => {
                assert!(token == TokenId(id) && token.index() >= vocabulary_len);
            }
            Err(other) => panic!("token {id}: {other}"),
        }
        assert_eq!((fork.len(), fork.is_accepting()), (before.len, before.accepting), "token {id}");
        // To look at everything after each of thousands of tokens would take minutes.
        if id % 97 == 0 || before.mask.len() < 8 && before.mask.contains(&id) {
            assert_eq!(see(&mut fork), before, "token {id}");
        }
    }
    assert_eq!(see(matcher), before);
}

/// Commits random allowed tokens until the mask is empty or `most` are committed; `visit` sees every state.
fn walk(matcher: &mut Matcher, random: &mut Random, most: usize, mut visit: impl FnMut(&mut Matcher)) {
    for _ in 0..most {
        visit(matcher);
        let ids = allowed(matcher);
        if ids.is_empty() {
            break;
        }
        matcher.commit(ids[random.below(ids.len())]).unwrap();
    }
}

#[test]
fn yes_no_allows_exactly_the_tokens_on_a_path() {
    let mut matcher = Matcher::new(&yes_no());
    let cases: [(&[u32], &[u32]); 9] = [
        (&[], &[0, 1, 2, 3, 4]),
        (&[0], &[5, 6]),
        (&[0, 5], &[7]),
        (&[0, 6], &[STOP]),
        (&[1], &[7]),
        (&[2], &[STOP]),
        (&[3], &[8]),
        (&[4], &[STOP]),
        (&[2, STOP], &[]),
    ];
    for (committed, expected) in cases {
        matcher.reset();
        committed.iter().for_each(|&id| matcher.commit(id).unwrap());
        assert_eq!(allowed(&mut matcher), expected, "after {committed:?}");
    }
}

#[test]
fn yes_no_holds_along_every_path_with_commit_rollback_and_commit_again() {
    fn explore(matcher: &mut Matcher, texts: &mut Vec<String>) {
        check_state(matcher);
        let here = see(matcher);
        assert!(!here.mask.contains(&9), "`yes!` is never allowed");
        if here.mask.is_empty() {
            texts.push(String::from_utf8(here.text.clone()).unwrap());
        }
        for &id in &here.mask {
            matcher.commit(id).unwrap();
            let there = see(matcher);
            matcher.rollback(1).unwrap();
            assert_eq!(see(matcher), here);
            matcher.commit(id).unwrap();
            assert_eq!(see(matcher), there);
            explore(matcher, texts);
            matcher.rollback(1).unwrap();
            assert_eq!(see(matcher), here);
        }
    }
    let mut texts = Vec::new();
    explore(&mut Matcher::new(&yes_no()), &mut texts);
    texts.sort();
    // y·e·s, y·es, ye·s, yes; n·o, no.
    assert_eq!(texts, ["no", "no", "yes", "yes", "yes", "yes"]);
}

#[test]
fn yes_no_as_a_schema_opens_and_closes_with_tokens_that_hold_quotes() {
    let tokens =
        ["y", "ye", "yes", "n", "no", "e", "es", "s", "o", "yes!", "</s>", "\"", "\"ye", "s\"", "\"no\""];
    let grammar = compiler(&tokens, &[STOP]).json_schema(r#"{"enum": ["yes", "no"]}"#).unwrap();
    let mut matcher = Matcher::new(&grammar);
    let cases: [(&[u32], &[u32]); 8] = [
        (&[], &[11, 12, 14]),
        (&[11], &[0, 1, 2, 3, 4]),
        (&[11, 0], &[5, 6]),
        (&[12], &[7, 13]),
        (&[12, 7], &[11]),
        (&[12, 13], &[STOP]),
        (&[14], &[STOP]),
        (&[11, 4, 11], &[STOP]),
    ];
    for (committed, expected) in cases {
        matcher.reset();
        committed.iter().for_each(|&id| matcher.commit(id).unwrap());
        assert_eq!(allowed(&mut matcher), expected, "after {committed:?}");
        check_state(&mut matcher);
    }
}

#[test]
fn a_bit_is_set_exactly_where_the_commit_succeeds() {
    let mut random = Random::seeded(1);
    let mut states = 0;
    for grammar in demo_grammars() {
        for _ in 0..3 {
            walk(&mut Matcher::new(&grammar), &mut random, 12, |matcher| {
                check_state(matcher);
                states += 1;
            });
        }
    }
    assert!(states > 40, "{states} states");
}

#[test]
fn rollback_restores_every_earlier_state() {
    let mut random = Random::seeded(2);
    for grammar in [long_text(), yes_no()].into_iter().chain(demo_grammars()) {
        let mut matcher = Matcher::new(&grammar);
        let mut states = Vec::new();
        walk(&mut matcher, &mut random, 400, |matcher| states.push(see(matcher)));
        if matcher.len() == states.len() {
            states.push(see(&mut matcher));
        }
        let tokens = matcher.tokens();
        let end = tokens.len();
        for _ in 0..60 {
            let n = random.below(matcher.len() + 1);
            let most = [3, 70, usize::MAX][random.below(3)];
            matcher.rollback(n.min(most)).unwrap();
            assert_eq!(see(&mut matcher), states[matcher.len()]);
            let again = random.below(end - matcher.len() + 1);
            tokens[matcher.len()..][..again].iter().for_each(|&token| matcher.commit(token).unwrap());
            assert_eq!(see(&mut matcher), states[matcher.len()]);
        }
        matcher.rollback(matcher.len()).unwrap();
        assert_eq!(see(&mut matcher), see(&mut Matcher::new(&grammar)));
    }
}

#[test]
fn a_long_walk_is_long_enough_to_cross_chunks() {
    let mut random = Random::seeded(3);
    let mut matcher = Matcher::new(&long_text());
    walk(&mut matcher, &mut random, usize::MAX, |_| ());
    assert!(matcher.is_finished() && matcher.len() > 200, "{} tokens", matcher.len());
    assert_eq!(matcher.text(), format!("\"{}\"", "abb".repeat(200)).into_bytes());
}

#[test]
fn rolling_back_too_far_changes_nothing() {
    let mut matcher = Matcher::new(&yes_no());
    for committed in [&[][..], &[0], &[0, 6], &[0, 6, STOP]] {
        matcher.reset();
        committed.iter().for_each(|&id: &u32| matcher.commit(id).unwrap());
        let before = see(&mut matcher);
        for requested in [committed.len() + 1, usize::MAX] {
            let error = matcher.rollback(requested).unwrap_err();
            assert_eq!(error, CommitError::RollbackTooFar { requested, committed: committed.len() });
            assert_eq!(see(&mut matcher), before);
        }
        matcher.rollback(0).unwrap();
        assert_eq!(see(&mut matcher), before);
    }
}

#[test]
fn forks_do_not_see_each_other() {
    let mut random = Random::seeded(4);
    for grammar in [long_text()].into_iter().chain(demo_grammars()) {
        let mut family = vec![Matcher::new(&grammar)];
        let mut twins: Vec<Vec<TokenId>> = vec![Vec::new()];
        for _ in 0..300 {
            let at = random.below(family.len());
            match random.below(10) {
                0 if family.len() < 6 => {
                    family.push(family[at].fork());
                    twins.push(twins[at].clone());
                }
                1 => {
                    let n = random.below(twins[at].len() + 1);
                    family[at].rollback(n).unwrap();
                    let keep = twins[at].len() - n;
                    twins[at].truncate(keep);
                }
                2 if family.len() > 1 => {
                    family.swap_remove(at);
                    twins.swap_remove(at);
                }
                _ => {
                    let ids = allowed(&mut family[at]);
                    if !ids.is_empty() {
                        let token = TokenId(ids[random.below(ids.len())]);
                        family[at].commit(token).unwrap();
                        twins[at].push(token);
                    }
                }
            }
        }
        for (mut matcher, tokens) in family.into_iter().zip(twins) {
            let mut alone = Matcher::new(&grammar);
            tokens.into_iter().for_each(|token| alone.commit(token).unwrap());
            assert_eq!(see(&mut matcher), see(&mut alone));
        }
    }
}

#[test]
fn a_stop_token_finishes_and_can_be_taken_back() {
    let mut matcher = Matcher::new(&yes_no());
    assert_eq!(matcher.commit(STOP), Err(CommitError::NotAllowed { token: TokenId(STOP) }));
    matcher.commit(4).unwrap();
    assert!(matcher.is_accepting() && !matcher.is_finished());
    matcher.commit(STOP).unwrap();
    assert!(matcher.is_finished());
    assert_eq!((matcher.len(), matcher.text()), (2, b"no".to_vec()), "a stop token is no text");
    assert_eq!(matcher.tokens(), [TokenId(4), TokenId(STOP)]);
    assert_eq!((allowed(&mut matcher), matcher.forced_bytes().unwrap()), (vec![], vec![]));
    let mask = matcher.mask_ref().unwrap();
    assert!(mask.text.is_none() && !mask.accepting);
    for id in (0..12).chain([u32::MAX]) {
        assert_eq!(matcher.commit(id), Err(CommitError::Finished));
    }
    matcher.rollback(1).unwrap();
    assert!(!matcher.is_finished());
    assert_eq!(allowed(&mut matcher), [STOP]);
    let mask = matcher.mask_ref().unwrap();
    assert!(mask.text.is_some() && mask.accepting);
}

#[test]
fn a_request_can_bring_its_own_stop_tokens() {
    let tokens = ["a", "b", "aa", "<1>", "<2>", ""];
    let compiler = compiler(&tokens, &[3]);
    let grammar = compiler.regex("aa|aab|aaaab").unwrap();
    let ids = |ids: &[u32]| ids.iter().map(|&id| TokenId(id)).collect::<Vec<_>>();

    // Listed twice and in any order; the vocabulary's own is then no longer allowed, nor are its bytes text.
    let mut matcher = Matcher::with_stop_tokens(&grammar, &ids(&[5, 4, 5])).unwrap();
    assert_eq!(matcher.stop_tokens(), ids(&[4, 5]));
    assert_eq!(allowed(&mut matcher), [0, 2]);
    matcher.commit(2).unwrap();
    assert_eq!(allowed(&mut matcher), [0, 1, 2, 4, 5]);
    check_state(&mut matcher);
    matcher.commit(5).unwrap();
    assert!(matcher.is_finished());

    // A token that spells text as well is a stop token only: `aa` may never be text, so it is not allowed at the start.
    let mut matcher = Matcher::with_stop_tokens(&grammar, &ids(&[2])).unwrap();
    assert_eq!(allowed(&mut matcher), [0]);
    matcher.commit(0).unwrap();
    check_state(&mut matcher);
    matcher.commit(0).unwrap();
    assert_eq!(allowed(&mut matcher), [0, 1, 2]);
    check_state(&mut matcher);
    matcher.commit(2).unwrap();
    assert_eq!((matcher.is_finished(), matcher.text()), (true, b"aa".to_vec()));
    matcher.reset();
    assert_eq!(matcher.stop_tokens(), ids(&[2]), "a reset keeps them");
    assert_eq!(matcher.fork().stop_tokens(), ids(&[2]), "and so does a fork");

    // None at all: complete, but nothing stops.
    let mut matcher = Matcher::with_stop_tokens(&grammar, &[]).unwrap();
    [2, 1].into_iter().for_each(|id| matcher.commit(id).unwrap());
    assert!(matcher.is_accepting() && allowed(&mut matcher).is_empty());
    check_state(&mut matcher);
}

#[test]
fn stop_tokens_that_would_leave_no_way_on_are_refused() {
    let grammar = compiler(&["a", "b", "b", "ab", "</s>"], &[4]).regex("ab").unwrap();
    let refusal = |ids: &[u32]| {
        let ids: Vec<TokenId> = ids.iter().map(|&id| TokenId(id)).collect();
        Matcher::with_stop_tokens(&grammar, &ids).err().map(|error| error.to_string())
    };
    assert_eq!(refusal(&[5]).as_deref(), Some("stop token 5 is outside the vocabulary of 5 ids"));
    let alone = refusal(&[0]).unwrap();
    assert!(alone.contains("no token that spells byte 0x61 alone"), "{alone}");
    let both = refusal(&[4, 2, 1]).unwrap();
    assert!(both.contains("no token that spells byte 0x62 alone"), "{both}");
    // The other `b` still spells it; `ab` is spelled by its bytes.
    assert_eq!((refusal(&[1]), refusal(&[2]), refusal(&[3, 4])), (None, None, None));
}

#[test]
fn a_row_of_another_width_is_refused_and_left_alone() {
    let vocabulary =
        Vocabulary::from_tokens(YES_NO, &[TokenId(STOP)]).unwrap().with_logits_width(70).unwrap();
    let grammar = Compiler::new(vocabulary, CompilerConfig::default()).regex("yes|no").unwrap();
    let mut matcher = Matcher::new(&grammar);
    for width in [0, 11, 69, 71, 96, 128] {
        let mut mask = Bitmask::new(&width);
        mask.row_mut(0).fill(0b101);
        let before = mask.clone();
        let error = matcher.fill_bitmask(&mut mask).unwrap_err();
        assert_eq!(error, MaskError::Width { found: width, expected: 70 });
        assert_eq!(mask, before);
    }
    assert!(matches!(matcher.fill_row(&mut [0; 2]), Err(MaskError::Width { found: 64, expected: 70 })));
    assert!(matches!(matcher.fill_row(&mut [0; 4]), Err(MaskError::Width { found: 128, expected: 70 })));
    let mut none = Bitmask::batch(&grammar, 0);
    assert!(matches!(matcher.fill_bitmask(&mut none), Err(MaskError::Width { found: 0, expected: 70 })));
}

#[test]
fn bits_beyond_the_vocabulary_stay_zero_and_their_ids_are_out_of_range() {
    let vocabulary =
        Vocabulary::from_tokens(YES_NO, &[TokenId(STOP)]).unwrap().with_logits_width(70).unwrap();
    let grammar = Compiler::new(vocabulary, CompilerConfig::default()).regex("yes|no").unwrap();
    let mut matcher = Matcher::new(&grammar);
    let mut row = [u32::MAX; 3];
    matcher.fill_row(&mut row).unwrap();
    assert_eq!(row, [0b1_1111, 0, 0]);
    assert_eq!(
        matcher.commit(11),
        Err(CommitError::OutOfRange { token: TokenId(11), vocabulary_len: YES_NO.len() })
    );
    check_state(&mut matcher);
}

#[test]
fn rows_of_a_batch_are_filled_one_by_one() {
    let grammar = yes_no();
    let mut batch = Bitmask::batch(&grammar, 3);
    let mut matchers = [(); 3].map(|()| Matcher::new(&grammar));
    matchers[1].commit(0).unwrap();
    matchers[2].commit(4).unwrap();
    for (matcher, row) in matchers.iter_mut().zip(batch.rows_mut()) {
        matcher.fill_row(row).unwrap();
    }
    let rows: Vec<Vec<u32>> =
        (0..3).map(|row| bitmask::iter(batch.row(row)).map(|token| token.0).collect()).collect();
    assert_eq!(rows, [vec![0, 1, 2, 3, 4], vec![5, 6], vec![STOP]]);
}

#[test]
fn forced_bytes_are_what_every_completion_starts_with() {
    let grammar = compiler(&YES_NO, &[STOP]).regex("yes|yeses|no").unwrap();
    let mut matcher = Matcher::new(&grammar);
    let cases: [(&[u32], &[u8]); 5] = [
        (&[], b""),
        (&[0], b"es"),
        (&[3], b"o"),
        // Complete, though more may follow: nothing is forced.
        (&[2], b""),
        (&[2, 5], b"s"),
    ];
    for (committed, expected) in cases {
        matcher.reset();
        committed.iter().for_each(|&id| matcher.commit(id).unwrap());
        assert_eq!(matcher.forced_bytes().unwrap(), expected, "after {committed:?}");
    }
    let forced = Matcher::new(&long_text()).forced_bytes().unwrap();
    assert_eq!(forced, format!("\"{}\"", "abb".repeat(200)).into_bytes());
    assert!(forced.len() <= FORCED_BYTES_MAX);
}

#[test]
fn a_reset_leaves_forks_where_they_are() {
    let mut matcher = Matcher::new(&yes_no());
    [0, 6, STOP].into_iter().for_each(|id| matcher.commit(id).unwrap());
    let mut fork = matcher.fork();
    let there = see(&mut fork);
    matcher.reset();
    assert!(matcher.is_empty() && !matcher.is_finished());
    assert_eq!(see(&mut matcher), see(&mut Matcher::new(&yes_no())));
    assert_eq!(see(&mut fork), there);
}

#[test]
fn a_character_whose_byte_is_missing_is_spelled_by_its_escape_or_not_at_all() {
    // No token spells `a`, `d`, `2` or any other digit: of all escapes, `\u0061` is left.
    let tokens = ["\"", "\\", "u", "0", "6", "1", "b", "c", "\\u00", "c\"", "</s>"];
    let grammar =
        compiler(&tokens, &[STOP]).json_schema(r#"{"type": "string", "pattern": "^[a-d]*$"}"#).unwrap();
    let mut matcher = Matcher::new(&grammar);
    let cases: [(&[u32], &[u32]); 7] = [
        (&[], &[0]),
        (&[0], &[0, 1, 6, 7, 8, 9]),
        (&[0, 6, 1], &[2]),
        (&[0, 8], &[4]),
        (&[0, 8, 4], &[5]),
        (&[0, 8, 4, 5], &[0, 1, 6, 7, 8, 9]),
        (&[0, 6, 9], &[STOP]),
    ];
    for (committed, expected) in cases {
        matcher.reset();
        committed.iter().for_each(|&id| matcher.commit(id).unwrap());
        assert_eq!(allowed(&mut matcher), expected, "after {committed:?}");
        check_state(&mut matcher);
    }
    let none =
        compiler(&tokens, &[STOP]).json_schema(r#"{"type": "string", "pattern": "^[de]+$"}"#).unwrap_err();
    assert_eq!(none.kind(), CompileErrorKind::Unspellable, "{none}");
}

#[test]
fn a_pattern_is_read_by_itself_before_it_is_the_whole_text() {
    let vocabulary = Vocabulary::from_tokens(YES_NO, &[TokenId(STOP)]).unwrap();
    let compiler = Compiler::new(vocabulary, CompilerConfig::default());
    let error = compiler.regex("yes)|(?:no").expect_err("the parenthesis closes nothing");
    assert_eq!(error.place().position.map(|p| p.byte), Some(3), "{error}");
}
