//! States, continuations and formulas in words, for people: what a position is and what may come there.
//!
//! Words decide nothing. Where a question that only words ask runs out of its budget, they say less.

use crate::automaton::array::ArrayId;
use crate::automaton::control::{Control, Ret};
use crate::automaton::decode::{Coding, Partial};
use crate::automaton::formula::{Formula, Members, NameId};
use crate::automaton::key::Key;
use crate::automaton::lexeme::LexId;
use crate::automaton::names::{NO_OTHER, OFF};
use crate::automaton::object::RunId;
use crate::automaton::others::Others;
use crate::automaton::rules::{NET_ROOT, PosId};
use crate::automaton::state::View;
use crate::automaton::term::{Kind, Terms};
use crate::automaton::universe::{ROOT_FRAME, Universe};
use crate::automaton::whitespace::Ws;
use crate::index::{FormulaId, FrameId, StateId, TermId};
use crate::limits::WORDS_BYTES_MAX;

/// What a state is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum StateKind {
    /// Before a JSON value.
    Value,
    /// Inside `null`, `true` or `false`.
    Literal,
    /// Between the members of an object.
    Object,
    /// Inside a key.
    Key,
    /// Between the items of an array.
    Array,
    /// Inside a JSON string.
    String,
    /// Inside a JSON number.
    Number,
    /// Inside a text that a regex matches.
    Text,
    /// Inside whitespace between these.
    Padding,
    /// In rules of a grammar.
    Rules,
    /// The document is complete.
    Done,
}

impl StateKind {
    /// One word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Literal => "literal",
            Self::Object => "object",
            Self::Key => "key",
            Self::Array => "array",
            Self::String => "string",
            Self::Number => "number",
            Self::Text => "text",
            Self::Padding => "padding",
            Self::Rules => "rules",
            Self::Done => "done",
        }
    }
}

/// A state in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Words {
    pub(crate) kind: StateKind,
    /// Where it stands.
    pub(crate) place: String,
    /// What may come there, each an alternative.
    pub(crate) expects: Vec<String>,
    /// What the value under way must satisfy, as far as the state says.
    pub(crate) must: Option<FormulaId>,
}

/// Most names, atoms or positions that are listed.
pub(crate) const LISTED_MAX: usize = 8;

/// Most frames that are listed.
const FRAMES_LISTED_MAX: usize = 4;

/// Deepest part of a formula that is written out.
const FORMULA_DEPTH_MAX: usize = 3;

impl Universe {
    /// A state in words.
    pub(crate) fn state_words(&self, state: StateId) -> Words {
        match View::of(state) {
            View::Control(at) => self.control_words(&self.controls.get(at).key),
            View::Key(at) => self.key_words(at),
            View::Lex(lex) => self.lex_words(lex),
            View::Net(at) => self.rules_words(at),
        }
    }

    fn control_words(&self, control: &Control) -> Words {
        let words = |kind, place: &str, expects, must| Words { kind, place: place.into(), expects, must };
        let mut found = match control {
            Control::Done { .. } => words(StateKind::Done, "after the document", Vec::new(), None),
            Control::Value { value, .. } => {
                let must = self.value(*value).must;
                words(StateKind::Value, "before a value", vec![self.formula_words(must)], Some(must))
            }
            Control::Literal { word, read, .. } => {
                let rest = vec![quote(&word.text()[usize::from(*read)..])];
                words(StateKind::Literal, &format!("inside `{}`", word.text()), rest, None)
            }
            Control::ObjectOpen { run, .. } => {
                let must = Some(self.run(*run).must);
                let place = format!("at the start of an object{}", self.required_words(*run));
                words(StateKind::Object, &place, self.members_words(*run, ""), must)
            }
            Control::ObjectNext { run, ws } => {
                let must = Some(self.run(*run).must);
                let expects = if self.may_separate(*ws) {
                    self.members_words(*run, "`,` and ")
                } else {
                    self.close_object_words(*run)
                };
                let place = format!("after a member of an object{}", self.required_words(*run));
                words(StateKind::Object, &place, expects, must)
            }
            Control::ObjectKey { run, .. } => {
                let must = Some(self.run(*run).must);
                let names = self.names_words(*run, 0, "").into_iter().collect();
                words(StateKind::Object, "after a comma in an object", names, must)
            }
            Control::Colon { value, .. } => {
                words(StateKind::Object, "after a key", vec!["`:`".into()], Some(self.value(*value).must))
            }
            Control::ArrayOpen { run, .. } => {
                let must = Some(self.array(*run).must);
                words(StateKind::Array, "at the start of an array", self.items_words(*run, ""), must)
            }
            Control::ArrayNext { run, ws } => {
                let must = Some(self.array(*run).must);
                let separator = if self.may_separate(*ws) { Some("`,` and ") } else { None };
                let expects = match separator {
                    Some(separator) => self.items_words(*run, separator),
                    None => self.close_array_words(*run),
                };
                words(StateKind::Array, "after an item of an array", expects, must)
            }
        };
        if control.whitespace().is_some_and(|ws| ws != Ws::FREE && !ws.is_untouched()) {
            found.kind = StateKind::Padding;
            found.place.push_str(", behind whitespace");
        }
        found
    }

    /// The keys that may come, and the closing brace.
    fn members_words(&self, run: RunId, before: &str) -> Vec<String> {
        let mut expects: Vec<String> = self.names_words(run, 0, before).into_iter().collect();
        expects.extend(self.close_object_words(run));
        expects
    }

    /// The names without which the object can't end, whatever alternative holds.
    fn required_words(&self, run: RunId) -> String {
        let must = self.run(run).must;
        let conjuncts = match self.formula(must) {
            Formula::All(children) => children,
            _ => std::slice::from_ref(&must),
        };
        let required = conjuncts.iter().filter_map(|&atom| match self.formula(atom) {
            Formula::Required(name) => Some(quote(self.name(*name))),
            _ => None,
        });
        let required: Vec<String> = required.take(LISTED_MAX).collect();
        if required.is_empty() { String::new() } else { format!(" that still needs {}", required.join(" ")) }
    }

    fn close_object_words(&self, run: RunId) -> Vec<String> {
        if self.object_end(self.run(run).must) { vec!["`}`".into()] } else { Vec::new() }
    }

    /// The keys that pass through a node of the names' trie and may come, as one alternative.
    fn names_words(&self, run: RunId, node: u32, before: &str) -> Option<String> {
        let list = self.run(run).names;
        let mut names = Vec::new();
        let mut more = "";
        if node != OFF {
            let mut ranks = self.name_trie(list).ranks_below(node).to_vec();
            ranks.sort_unstable();
            for rank in ranks {
                if !self.name_may_come(run, rank).unwrap_or(false) {
                    continue;
                }
                if names.len() == LISTED_MAX {
                    more = " …";
                    break;
                }
                let name = self.name(self.names_by_rank(list)[crate::index::widen(rank)]);
                names.push(quote(name));
            }
        }
        let others = match self.others(run) {
            Ok(Others::All) => Some("any other key"),
            Ok(Others::Some(..)) => Some("another key that the patterns allow"),
            _ => None,
        };
        let listed = match names.len() {
            0 => None,
            1 => Some(format!("the key {}", names[0])),
            _ => Some(format!("one of the keys {}{more}", names.join(" "))),
        };
        let all: Vec<String> = listed.into_iter().chain(others.map(String::from)).collect();
        if all.is_empty() { None } else { Some(format!("{before}{}", all.join(", or "))) }
    }

    fn items_words(&self, run: ArrayId, before: &str) -> Vec<String> {
        let mut expects = Vec::new();
        if let Ok(Some(item)) = self.item_event(run) {
            expects.push(format!("{before}an item: {}", self.formula_words(self.value(item.value).must)));
        }
        expects.extend(self.close_array_words(run));
        expects
    }

    fn close_array_words(&self, run: ArrayId) -> Vec<String> {
        if self.array_end(self.array(run).must) { vec!["`]`".into()] } else { Vec::new() }
    }

    fn key_words(&self, at: u32) -> Words {
        let Key { run, node, others, partial } = self.keys.get(at).key;
        let expects = if partial == Partial::Clean {
            let words = self.names_words(run, if others == NO_OTHER || node != OFF { node } else { OFF }, "");
            words.into_iter().collect()
        } else {
            vec!["the rest of a character".into()]
        };
        let must = Some(self.run(run).must);
        Words { kind: StateKind::Key, place: "inside a key".into(), expects, must }
    }

    fn lex_words(&self, lex: LexId) -> Words {
        let key = &self.lexes.get(lex.0).key;
        let (kind, place, end) = match key.coding {
            Coding::Json => (StateKind::String, "inside a string", "`\"`"),
            Coding::Number => (StateKind::Number, "inside a number", "the end of the number"),
            Coding::Raw => (StateKind::Text, "inside a text", "the end of the text"),
        };
        let mut expects = Vec::new();
        if key.partial == Partial::Clean {
            let term = self.vectors.get(key.vector)[0];
            if term != Terms::EMPTY {
                expects.push(self.term_text(term));
            }
            if self.lex_accepts(lex) {
                expects.push(end.into());
            }
        } else {
            expects.push("the rest of a character".into());
        }
        Words { kind, place: place.into(), expects, must: None }
    }

    fn rules_words(&self, at: u32) -> Words {
        let mut expects: Vec<String> = Vec::new();
        for (words, slot) in self.net_words(at) {
            match slot.map(|(state, _)| View::of(state)) {
                None => expects.push(words),
                // One level: slots hold sets and values.
                Some(View::Net(inner)) => {
                    expects.extend(self.net_words(inner).into_iter().map(|(words, _)| words))
                }
                Some(view) => expects.push(self.state_words(view.id()).expects.join(" | ")),
            }
        }
        // Ids depend on what was loaded before, texts don't.
        expects.sort_unstable();
        expects.dedup();
        if expects.len() > LISTED_MAX {
            expects.truncate(LISTED_MAX);
            expects.push("…".into());
        }
        Words { kind: StateKind::Rules, place: "next".into(), expects, must: None }
    }

    /// Who waits for the callee, innermost first.
    pub(crate) fn frame_words(&self, frame: FrameId) -> Vec<String> {
        let mut listed = Vec::new();
        let mut at = frame;
        while at != ROOT_FRAME && at != NET_ROOT {
            if listed.len() == FRAMES_LISTED_MAX {
                listed.push("…".into());
                return listed;
            }
            let data = self.frames.get(at.0);
            let words = self.ret_words(data.ret);
            if matches!(self.rets.get(data.ret.0).key, Ret::Several) {
                let members = self.several_words(at);
                listed.push(format!("each of: {members}"));
                return listed;
            }
            listed.push(words);
            at = data.parent;
        }
        listed
    }

    /// Whoever waits at a ret.
    pub(crate) fn ret_words(&self, ret: crate::index::RetId) -> String {
        match &self.rets.get(ret.0).key {
            Ret::Root => "the end of the document".into(),
            Ret::Boundary => "what comes after the value".into(),
            Ret::Several => "several rules".into(),
            Ret::Member { .. } => "the rest of the object".into(),
            Ret::Item { .. } => "the rest of the array".into(),
            Ret::Position(position) => self.waiting_words(*position),
        }
    }

    fn waiting_words(&self, position: PosId) -> String {
        format!("then {}", self.position_words(position))
    }

    /// A formula as one line.
    pub(crate) fn formula_words(&self, id: FormulaId) -> String {
        let mut out = self.formula_at(id, FORMULA_DEPTH_MAX);
        cut(&mut out);
        out
    }

    fn formula_at(&self, id: FormulaId, depth: usize) -> String {
        let listed = |children: &[FormulaId], between: &str| {
            if depth == 0 {
                return "…".to_owned();
            }
            let mut parts: Vec<String> =
                children.iter().take(LISTED_MAX).map(|&child| self.formula_at(child, depth - 1)).collect();
            if children.len() > LISTED_MAX {
                parts.push("…".into());
            }
            let joined = parts.join(between);
            if depth == FORMULA_DEPTH_MAX { joined } else { format!("({joined})") }
        };
        match self.formula(id) {
            Formula::True => "any value".into(),
            Formula::False => "no value".into(),
            Formula::Kind(kinds) => kinds.to_string().replace('|', " or "),
            Formula::Text(term) => format!("text {}", self.term_text(*term)),
            Formula::Number(term) => format!("number {}", self.term_text(*term)),
            Formula::Sentence(_) => "text of a grammar".into(),
            Formula::Members(members) => self.member_words("members", members),
            Formula::SomeMember(members) => self.member_words("some member of", members),
            Formula::Required(name) => format!("required {}", quote(self.name(*name))),
            Formula::MinMembers(n) => format!("members ≥ {n}"),
            Formula::MaxMembers(n) => format!("members ≤ {n}"),
            Formula::Items { .. } => "items as listed".into(),
            Formula::AtLeast { count, .. } => format!("items that hold ≥ {count}"),
            Formula::MinItems(n) => format!("items ≥ {n}"),
            Formula::MaxItems(n) => format!("items ≤ {n}"),
            Formula::Unique => "items are unique".into(),
            Formula::Repeated => "some item is repeated".into(),
            Formula::All(children) => listed(children, " and "),
            Formula::Any(children) => listed(children, " or "),
            Formula::Link(link) if depth > 0 => self.formula_at(self.open_link(*link), depth - 1),
            Formula::Link(_) => "…".into(),
        }
    }

    fn member_words(&self, word: &str, members: &Members) -> String {
        let mut names: Vec<String> = members
            .properties
            .iter()
            .take(LISTED_MAX)
            .map(|(name, _): &(NameId, FormulaId)| quote(self.name(*name)))
            .collect();
        if members.properties.len() > LISTED_MAX {
            names.push("…".into());
        }
        if !members.patterns.is_empty() {
            names.push(format!("{} patterns", members.patterns.len()));
        }
        if names.is_empty() { word.to_owned() } else { format!("{word} {}", names.join(" ")) }
    }

    /// What a lexeme has still to match.
    pub(crate) fn lex_text(&self, lex: LexId) -> String {
        let key = &self.lexes.get(lex.0).key;
        let text = self.term_text(self.vectors.get(key.vector)[0]);
        if key.partial == Partial::Clean { text } else { format!("(the rest of a character) {text}") }
    }

    /// A term as a literal in quotes, or between slashes.
    pub(crate) fn term_text(&self, term: TermId) -> String {
        term_text(&self.terms, term)
    }
}

/// A term as a literal in quotes, or between slashes; cut at [`WORDS_BYTES_MAX`].
pub(crate) fn term_text(terms: &Terms, term: TermId) -> String {
    if let Some(literal) = literal(terms, term) {
        return quote(&literal);
    }
    let mut shown = terms.display(term);
    cut(&mut shown);
    format!("/{shown}/")
}

/// The only text of a term that is a chain of single characters.
fn literal(terms: &Terms, term: TermId) -> Option<String> {
    let only = |term: TermId| match terms.kind(term) {
        Kind::Set(set) => match terms.set(*set).ranges() {
            &[(low, high)] if low == high => char::from_u32(low),
            _ => None,
        },
        _ => None,
    };
    let mut text = String::new();
    let mut at = term;
    while let Kind::Concat(head, tail) = *terms.kind(at) {
        text.push(only(head)?);
        at = tail;
        if text.len() > WORDS_BYTES_MAX {
            return None;
        }
    }
    text.push(only(at)?);
    Some(text)
}

/// A text in double quotes, whatever can't be seen escaped.
pub(crate) fn quote(text: &str) -> String {
    let escaped: String = text
        .chars()
        .flat_map(|c| {
            if c == '\'' || !(c.is_control() || c == '"' || c == '\\') {
                vec![c]
            } else {
                c.escape_default().collect()
            }
        })
        .collect();
    format!("\"{escaped}\"")
}

/// Cuts a text that is too long, between characters.
pub(crate) fn cut(text: &mut String) {
    if text.len() > WORDS_BYTES_MAX {
        let mut end = WORDS_BYTES_MAX;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
        text.push('…');
    }
}
