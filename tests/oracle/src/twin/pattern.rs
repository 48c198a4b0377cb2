//! A small matcher for ECMA-262 patterns (`u` mode): search semantics over code points.
//!
//! A backtracking-free simulation over sets of program counters, with repeats written out. What the parser does
//! not know for certain (lookaround, back references, word boundaries, `\p`) is refused, never guessed.

use std::collections::BTreeSet;

use super::location::Unsupported;

/// Most instructions of one program.
const PROGRAM_MAX: usize = 20_000;
/// Deepest nesting of groups.
const DEPTH_MAX: usize = 100;

type Ranges = Vec<(u32, u32)>;

#[derive(Clone, Debug)]
enum Tree {
    Empty,
    Set(Ranges),
    Start,
    End,
    Concat(Vec<Tree>),
    Or(Vec<Tree>),
    Repeat(Box<Tree>, usize, Option<usize>),
}

#[derive(Clone, Debug)]
enum Instruction {
    Set(Ranges, usize),
    Split(Vec<usize>),
    Start(usize),
    End(usize),
    Match,
}

/// A compiled pattern.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    program: Vec<Instruction>,
    entry: usize,
}

/// Where the matcher stands after a text: the instructions that wait for the next code point.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct PatternState {
    waiting: Vec<usize>,
    /// A match has been found: nothing that follows changes that.
    found: bool,
}

impl Pattern {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// [`Unsupported`] if it is not a pattern, or has a construct outside the small dialect.
    pub(super) fn parse(source: &str) -> Result<Self, Unsupported> {
        let mut parser = Parser { chars: source.chars().collect(), at: 0, depth: 0, source };
        let tree = parser.alternatives()?;
        if parser.at < parser.chars.len() {
            return Err(parser.refuse("unbalanced parenthesis"));
        }
        let mut pattern = Self { program: vec![Instruction::Match], entry: 0 };
        pattern.entry = pattern.compile(&tree, 0)?;
        Ok(pattern)
    }

    /// Adds the instructions of a tree that go on at `next`; their entry.
    fn compile(&mut self, tree: &Tree, next: usize) -> Result<usize, Unsupported> {
        let instruction = match tree {
            Tree::Empty => return Ok(next),
            Tree::Set(ranges) => Instruction::Set(ranges.clone(), next),
            Tree::Start => Instruction::Start(next),
            Tree::End => Instruction::End(next),
            Tree::Concat(parts) => {
                let mut next = next;
                for part in parts.iter().rev() {
                    next = self.compile(part, next)?;
                }
                return Ok(next);
            }
            Tree::Or(parts) => {
                let mut entries = Vec::new();
                for part in parts {
                    entries.push(self.compile(part, next)?);
                }
                Instruction::Split(entries)
            }
            Tree::Repeat(body, min, max) => return self.compile_repeat(body, *min, *max, next),
        };
        self.add(instruction)
    }

    fn compile_repeat(
        &mut self,
        body: &Tree,
        min: usize,
        max: Option<usize>,
        next: usize,
    ) -> Result<usize, Unsupported> {
        let mut entry = next;
        match max {
            None => {
                entry = self.add(Instruction::Split(vec![next]))?;
                let again = self.compile(body, entry)?;
                self.program[entry] = Instruction::Split(vec![again, next]);
            }
            Some(max) => {
                for _ in min..max {
                    let once = self.compile(body, entry)?;
                    entry = self.add(Instruction::Split(vec![once, next]))?;
                }
            }
        }
        for _ in 0..min {
            entry = self.compile(body, entry)?;
        }
        Ok(entry)
    }

    fn add(&mut self, instruction: Instruction) -> Result<usize, Unsupported> {
        if self.program.len() >= PROGRAM_MAX {
            return Err(Unsupported::new("pattern: too large".to_owned()));
        }
        self.program.push(instruction);
        Ok(self.program.len() - 1)
    }

    /// Everything reachable from `pc` without reading; `End` is passed only where `is_end`.
    fn close(&self, pc: usize, is_start: bool, is_end: bool, set: &mut BTreeSet<usize>) {
        let mut work = vec![pc];
        while let Some(pc) = work.pop() {
            if !set.insert(pc) {
                continue;
            }
            match &self.program[pc] {
                Instruction::Split(targets) => work.extend(targets),
                Instruction::Start(next) if is_start => work.push(*next),
                Instruction::End(next) if is_end => work.push(*next),
                _ => {}
            }
        }
    }

    fn state(&self, set: BTreeSet<usize>) -> PatternState {
        let found = set.iter().any(|&pc| matches!(self.program[pc], Instruction::Match));
        let waits = |pc: &usize| matches!(self.program[*pc], Instruction::Set(..) | Instruction::End(_));
        let waiting = if found { Vec::new() } else { set.into_iter().filter(waits).collect() };
        PatternState { waiting, found }
    }

    /// Before the first code point.
    pub(super) fn start(&self) -> PatternState {
        let mut set = BTreeSet::new();
        self.close(self.entry, true, false, &mut set);
        self.state(set)
    }

    /// After one more code point.
    pub(super) fn step(&self, state: &PatternState, c: char) -> PatternState {
        if state.found {
            return state.clone();
        }
        let c = u32::from(c);
        let mut set = BTreeSet::new();
        for &pc in &state.waiting {
            if let Instruction::Set(ranges, next) = &self.program[pc]
                && ranges.iter().any(|&(low, high)| low <= c && c <= high)
            {
                self.close(*next, false, false, &mut set);
            }
        }
        self.close(self.entry, false, false, &mut set);
        self.state(set)
    }

    /// Whether a match has been found if the text ends here.
    pub(super) fn matches_at_end(&self, state: &PatternState, is_start: bool) -> bool {
        let mut set = BTreeSet::new();
        for &pc in &state.waiting {
            self.close(pc, is_start, true, &mut set);
        }
        state.found || set.iter().any(|&pc| matches!(self.program[pc], Instruction::Match))
    }

    /// Whether the pattern matches somewhere in the text.
    pub(super) fn is_match(&self, text: &str) -> bool {
        let state = text.chars().fold(self.start(), |state, c| self.step(&state, c));
        self.matches_at_end(&state, text.is_empty())
    }

    /// Code points at which some set begins, or just past its end.
    pub(super) fn borders(&self) -> Vec<u32> {
        let mut borders = Vec::new();
        for instruction in &self.program {
            if let Instruction::Set(ranges, _) = instruction {
                borders.extend(ranges.iter().flat_map(|&(low, high)| [low, high + 1]));
            }
        }
        borders
    }
}

struct Parser<'s> {
    chars: Vec<char>,
    at: usize,
    depth: usize,
    source: &'s str,
}

impl Parser<'_> {
    fn refuse(&self, what: &str) -> Unsupported {
        Unsupported::new(format!("pattern: {what} in {:?}", self.source))
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn take(&mut self, c: char) -> bool {
        let is = self.peek() == Some(c);
        self.at += usize::from(is);
        is
    }

    fn alternatives(&mut self) -> Result<Tree, Unsupported> {
        self.depth += 1;
        if self.depth > DEPTH_MAX {
            return Err(self.refuse("nesting too deep"));
        }
        let mut parts = vec![self.sequence()?];
        while self.take('|') {
            parts.push(self.sequence()?);
        }
        self.depth -= 1;
        Ok(Tree::Or(parts))
    }

    fn sequence(&mut self) -> Result<Tree, Unsupported> {
        let mut parts = Vec::new();
        while let Some(c) = self.peek() {
            if matches!(c, '|' | ')') {
                break;
            }
            let piece = self.piece()?;
            parts.push(self.quantified(piece)?);
        }
        Ok(if parts.is_empty() { Tree::Empty } else { Tree::Concat(parts) })
    }

    fn piece(&mut self) -> Result<Tree, Unsupported> {
        let Some(c) = self.peek() else { return Err(self.refuse("end of text")) };
        self.at += 1;
        Ok(match c {
            '^' => Tree::Start,
            '$' => Tree::End,
            '.' => Tree::Set(complement(vec![(10, 10), (13, 13), (0x2028, 0x2029)])),
            '(' => {
                if self.take('?') && !self.take(':') {
                    return Err(self.refuse("a special group"));
                }
                let inner = self.alternatives()?;
                if !self.take(')') {
                    return Err(self.refuse("an open group"));
                }
                inner
            }
            '[' => Tree::Set(self.class()?),
            '\\' => Tree::Set(self.escape()?),
            '*' | '+' | '?' | '{' | '}' | ']' => return Err(self.refuse("a stray syntax character")),
            c => Tree::Set(vec![(u32::from(c), u32::from(c))]),
        })
    }

    fn quantified(&mut self, piece: Tree) -> Result<Tree, Unsupported> {
        let (min, max) = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => {
                self.at += 1;
                let min = self.count()?;
                let max = if self.take(',') {
                    if self.peek() == Some('}') { None } else { Some(self.count()?) }
                } else {
                    Some(min)
                };
                if self.peek() != Some('}') || max.is_some_and(|max| max < min) {
                    return Err(self.refuse("a malformed count"));
                }
                (min, max)
            }
            _ => return Ok(piece),
        };
        self.at += 1;
        self.take('?'); // lazy or greedy: the same texts match
        if matches!(piece, Tree::Start | Tree::End) {
            return Err(self.refuse("a repeated anchor"));
        }
        Ok(Tree::Repeat(Box::new(piece), min, max))
    }

    fn count(&mut self) -> Result<usize, Unsupported> {
        let start = self.at;
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.at += 1;
        }
        let digits: String = self.chars[start..self.at].iter().collect();
        digits.parse().map_err(|_| self.refuse("a malformed count"))
    }

    fn class(&mut self) -> Result<Ranges, Unsupported> {
        let negated = self.take('^');
        let mut ranges = Vec::new();
        while !self.take(']') {
            let low = self.class_atom()?;
            let is_range = self.peek() == Some('-') && self.chars.get(self.at + 1).is_some_and(|&c| c != ']');
            if !is_range {
                ranges.extend(low);
                continue;
            }
            self.at += 1;
            let high = self.class_atom()?;
            match (low.as_slice(), high.as_slice()) {
                (&[(a, b)], &[(c, d)]) if a == b && c == d && a <= c => ranges.push((a, c)),
                _ => return Err(self.refuse("a malformed range")),
            }
        }
        Ok(if negated { complement(ranges) } else { ranges })
    }

    fn class_atom(&mut self) -> Result<Ranges, Unsupported> {
        let Some(c) = self.peek() else { return Err(self.refuse("an open class")) };
        self.at += 1;
        if c == '\\' { self.escape() } else { Ok(vec![(u32::from(c), u32::from(c))]) }
    }

    fn escape(&mut self) -> Result<Ranges, Unsupported> {
        let Some(c) = self.peek() else { return Err(self.refuse("a trailing backslash")) };
        self.at += 1;
        let digit = vec![(48, 57)];
        let word = vec![(48, 57), (65, 90), (95, 95), (97, 122)];
        let white = vec![
            (9, 13),
            (32, 32),
            (0xA0, 0xA0),
            (0x1680, 0x1680),
            (0x2000, 0x200A),
            (0x2028, 0x2029),
            (0x202F, 0x202F),
            (0x205F, 0x205F),
            (0x3000, 0x3000),
            (0xFEFF, 0xFEFF),
        ];
        let code = match c {
            'd' => return Ok(digit),
            'D' => return Ok(complement(digit)),
            'w' => return Ok(word),
            'W' => return Ok(complement(word)),
            's' => return Ok(white),
            'S' => return Ok(complement(white)),
            'n' => 10,
            'r' => 13,
            't' => 9,
            'f' => 12,
            'v' => 11,
            'x' => self.hex(2)?,
            'u' => self.hex(4)?,
            c if c.is_ascii_punctuation() => u32::from(c),
            _ => return Err(self.refuse("an escape")),
        };
        Ok(vec![(code, code)])
    }

    fn hex(&mut self, length: usize) -> Result<u32, Unsupported> {
        let digits: String = self.chars.iter().skip(self.at).take(length).collect();
        let code = if digits.len() == length { u32::from_str_radix(&digits, 16).ok() } else { None };
        self.at += length;
        match code {
            Some(code) if char::from_u32(code).is_some() => Ok(code),
            _ => Err(self.refuse("a hex escape")),
        }
    }
}

fn complement(mut ranges: Ranges) -> Ranges {
    ranges.sort_unstable();
    let mut rest = Vec::new();
    let mut from = 0;
    for (low, high) in ranges {
        if low > from {
            rest.push((from, low - 1));
        }
        from = from.max(high + 1);
    }
    if from <= 0x0010_FFFF {
        rest.push((from, 0x0010_FFFF));
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    #[test]
    fn patterns_are_searched_for_in_the_decoded_text() {
        for (pattern, yes, no) in [
            ("b", vec!["b", "abc"], vec!["", "ac"]),
            ("^b", vec!["b", "bc"], vec!["ab", ""]),
            ("b$", vec!["b", "ab"], vec!["ba"]),
            ("^$", vec![""], vec!["a"]),
            ("^(a|bc)*$", vec!["", "abca"], vec!["b", "ac"]),
            ("^a{2,3}$", vec!["aa", "aaa"], vec!["a", "aaaa"]),
            ("^a{2}", vec!["aab"], vec!["ab"]),
            ("^[^a-c]+$", vec!["d", "-\u{1F600}"], vec!["", "a", "dc"]),
            ("^[a-]$", vec!["a", "-"], vec!["b"]),
            ("^.$", vec!["x", "\u{1F600}"], vec!["\n", "", "xy"]),
            ("^\\d\\.\\w\\s$", vec!["1._ "], vec!["1x_ "]),
            ("x*", vec!["", "y"], vec![]),
            ("a|^b", vec!["ca", "bc"], vec!["cb"]),
            ("(^a|b)c", vec!["ac", "xbc"], vec!["xac"]),
            ("^\\u00e9\\x41$", vec!["\u{e9}A"], vec!["e"]),
            ("(a$|^$)", vec!["", "ba"], vec!["ab"]),
        ] {
            let compiled = Pattern::parse(pattern).expect("in the dialect");
            for text in yes {
                assert!(compiled.is_match(text), "{pattern} should match {text:?}");
            }
            for text in no {
                assert!(!compiled.is_match(text), "{pattern} should not match {text:?}");
            }
        }
    }

    #[test]
    fn what_is_not_known_for_certain_is_refused() {
        for pattern in
            ["(?=a)", "\\b", "(a)\\1", "\\p{L}", "a{", "[b-a]", "(", ")", "*", "[a", "\\", "a{3,2}", "^*"]
        {
            assert!(Pattern::parse(pattern).is_err(), "{pattern}");
        }
    }
}
