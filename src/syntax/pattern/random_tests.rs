//! Random small patterns on all short texts: every translation against the backtracking twin.

use super::backtracking::is_found;
use super::{Node, automaton, pieces, read, translate};
use crate::automaton::term::Terms;
use crate::grammar::regex::Regex;
use crate::limits::PATTERN_STEPS_MAX;
use crate::syntax::schema::tests::Random;

impl Random {
    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    /// The text of a pattern, with groups nested at most so deep.
    fn pattern(&mut self, depth: usize) -> String {
        let mut text = self.sequence(depth);
        while self.chance(25) {
            text = format!("{text}|{}", self.sequence(depth));
        }
        text
    }

    fn sequence(&mut self, depth: usize) -> String {
        let mut text = String::new();
        while self.chance(66) {
            text += &self.term(depth);
        }
        text
    }

    fn term(&mut self, depth: usize) -> String {
        let assertion = ["^", "$", "\\b", "\\B"];
        if self.chance(15) {
            return self.pick(&assertion).to_owned();
        }
        let mut text = if depth == 0 || self.chance(45) {
            self.pick(&["a", "b", ".", "[^a]", "\\s", "\\w", "\\n", "B", "[^]", "[ab]", "a", "b", "[]"])
                .to_owned()
        } else if self.chance(45) {
            let open = self.pick(&["(?=", "(?!", "(?<=", "(?<!"]);
            return format!("{open}{})", self.pattern(depth - 1));
        } else {
            let open = self.pick(&["(", "(?:", "(?:", "(?i:", "(?m:", "(?s-i:", "(?-m:"]);
            format!("{open}{})", self.pattern(depth - 1))
        };
        if self.chance(45) {
            text += self.pick(&["*", "+", "?", "{2}", "{0,2}", "{1,2}", "{2,3}", "{2,}", "*?", "+", "*"]);
        }
        text
    }
}

/// All texts of at most so many of these characters.
fn texts(characters: &[char], longest: usize) -> Vec<Vec<char>> {
    let mut all = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..longest {
        let longer = |text: &Vec<char>| -> Vec<Vec<char>> {
            characters.iter().map(|&c| [&text[..], &[c]].concat()).collect()
        };
        last = last.iter().flat_map(longer).collect();
        all.extend_from_slice(&last);
    }
    all
}

/// What a comparison was about.
#[derive(Default, Debug)]
struct Counts {
    patterns: usize,
    texts: usize,
    /// Patterns that the quick translation knows.
    quick: usize,
    /// Patterns that can be cut in two.
    cut: usize,
    /// Patterns that are found in some texts and not in others.
    telling: usize,
    /// Patterns that pass a limit.
    limited: usize,
}

/// Compares each translation that there is with the twin.
fn check(pattern: &str, node: &Node, texts: &[Vec<char>], counts: &mut Counts) {
    let terms = Terms::new();
    let [listed, quick, cut, chosen] = [
        automaton::search(node, &mut { PATTERN_STEPS_MAX }).ok(),
        translate::search(node).ok(),
        pieces::search_cut(node),
        pieces::search(node).ok(),
    ];
    counts.quick += usize::from(quick.is_some());
    counts.cut += usize::from(cut.is_some());
    counts.limited += usize::from(chosen.is_none());
    let languages: Vec<(Regex, _)> = [listed, quick, cut, chosen]
        .into_iter()
        .flatten()
        .map(|regex| {
            let term = terms.from_regex(&regex).unwrap();
            (regex, term)
        })
        .collect();
    let mut verdicts = [0, 0];
    for text in texts {
        let Some(expected) = is_found(node, text) else { continue };
        let written: String = text.iter().collect();
        for (regex, term) in &languages {
            let found = terms.matches(*term, &written).unwrap();
            assert_eq!(found, expected, "{pattern:?} on {written:?}: {regex}");
        }
        verdicts[usize::from(expected)] += 1;
    }
    counts.patterns += 1;
    counts.texts += verdicts[0] + verdicts[1];
    counts.telling += usize::from(verdicts[0] > 0 && verdicts[1] > 0);
}

fn compare(seed: u64, patterns: usize, depth: usize, longest: usize) {
    let mut random = Random(seed);
    let texts = texts(&['a', 'b', ' ', '\n'], longest);
    let mut counts = Counts::default();
    for _ in 0..patterns {
        let mut pattern = random.pattern(depth);
        if random.chance(50) {
            pattern = format!("^(?:{pattern})$");
        }
        if random.chance(10) {
            pattern = format!("{}{pattern}", random.pick(&["(?i)", "(?m)", "(?s)", "(?ims)"]));
        }
        let node = read(&pattern).unwrap_or_else(|error| panic!("seed {seed}, {pattern:?}: {error}"));
        check(&pattern, &node, &texts, &mut counts);
    }
    println!("seed {seed}: {counts:?}");
    assert!(counts.texts > patterns * texts.len() * 9 / 10, "{counts:?}");
    assert!(counts.limited <= patterns / 100, "{counts:?}");
    assert!(counts.telling > patterns / 4, "{counts:?}");
}

#[test]
fn random_patterns_mean_what_the_twin_says() {
    compare(1, 4_000, 2, 4);
}

#[test]
fn deeply_nested_random_patterns_mean_what_the_twin_says() {
    compare(2, 1_000, 4, 4);
}

#[test]
fn random_patterns_mean_the_same_on_longer_texts() {
    compare(3, 300, 3, 6);
}

#[test]
#[ignore = "long: many more patterns than the default runs"]
fn many_random_patterns_mean_what_the_twin_says() {
    for seed in 100..120 {
        compare(seed, 2_000, usize::try_from(1 + seed % 4).unwrap(), 4);
        compare(seed + 100, 100, 3, 6);
    }
}
