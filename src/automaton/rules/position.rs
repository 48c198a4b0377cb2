//! Token classes of positions: how what is left to match of a rule splits the tokens, whatever waits below it.
//!
//! Tokens after which the position is under way or at its end are its *interior*; tokens that go on after its end are its
//! *exits*, each with the bytes with which the text that ended could have gone on, too (`class.rs`). A class is put
//! together from those of the texts in front, those of the rules that are called there, and what comes after
//! each, which reads the exits: so a rule is done once for all its callers, and a class once for all frames.
//!
//! What a class needs is made before it, with a stack of its own: rules call each other at the left without cycles, and what
//! remains of a token is shorter than the token.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::automaton::class::Region;
use crate::automaton::effort;
use crate::automaton::heap::Heap;
use crate::automaton::lexeme::LexId;
use crate::automaton::rules::class::TextClass;
use crate::automaton::rules::part::{END, PosId};
use crate::automaton::token_set::{TokenSet, Union};
use crate::automaton::universe::Universe;
use crate::error::Exhausted;
use crate::index::widen;
use crate::limits;
use crate::vocab::ByteSet;

/// See the module.
#[derive(Debug)]
pub(crate) struct PositionClass {
    pub(crate) interior: Arc<TokenSet>,
    pub(crate) exits: Box<[Exit]>,
}

/// Tokens that go on after the end of a position: those below a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Exit {
    pub(crate) region: Region,
    /// The text that has ended could have gone on with some bytes: tokens that go on with these are not in the region.
    pub(crate) splits: Option<SplitsId>,
}

/// Where a text that ends could have gone on, interned.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct SplitsId(u32);

/// See [`SplitsId`].
#[derive(PartialEq, Eq, Hash, Debug)]
pub(crate) struct Splits {
    /// The text, and where it began.
    lex: LexId,
    region: Region,
    bytes: ByteSet,
}

impl Exit {
    /// Tokens below a node, all of them.
    pub(crate) fn all(region: Region) -> Self {
        Self { region, splits: None }
    }
}

impl TextClass {
    /// The exits of the text.
    pub(crate) fn exits(&self) -> impl Iterator<Item = Exit> + '_ {
        self.exits.iter().map(|&region| Exit { region, splits: self.splits })
    }
}

/// How many classes a mask may still put together.
#[derive(Debug)]
pub(crate) struct Room(usize);

impl Default for Room {
    fn default() -> Self {
        Self(limits::GRAMMAR_CLASSES_MAX)
    }
}

impl Room {
    /// Takes what a class below a node needs, if it is left.
    pub(crate) fn take(&mut self, universe: &Universe, region: Region) -> bool {
        let nodes = widen(universe.trie_of(region).end(region.node) - region.node);
        let left = self.0.checked_sub(1 + nodes / limits::GRAMMAR_CLASS_NODES);
        self.0 = left.unwrap_or(0);
        left.is_some()
    }
}

/// A class in the making.
struct Task {
    position: PosId,
    region: Region,
    interior: Union,
    exits: Vec<Exit>,
    seen: FxHashSet<(PosId, Exit)>,
    /// Classes to put in: of a position below a region, and what comes after it.
    needed: Vec<Need>,
}

/// See [`Task`].
#[derive(Clone, Copy)]
struct Need {
    position: PosId,
    region: Region,
    after: PosId,
}

/// The classes made on the way to one.
type Made = FxHashMap<(PosId, Region), Option<Arc<PositionClass>>>;

impl Universe {
    /// The class of a position below a node, its end before the first byte aside; `None` if a walk has to take all ways, or there
    /// is no room left.
    pub(crate) fn position_class(
        &self,
        position: PosId,
        region: Region,
        room: &mut Room,
    ) -> Result<Option<Arc<PositionClass>>, Exhausted> {
        if let Some(known) = self.rules.position_classes.get(&(position, region)) {
            return Ok(known.clone());
        }
        self.check_room()?;
        let mut made = Made::default();
        let mut tasks = vec![Task::new(self, position, region)];
        tasks[0].begin(self, &mut made)?;
        while let Some(task) = tasks.last_mut() {
            let key = (task.position, task.region);
            if let Some(missing) = task.go_on(self, &mut made)? {
                if !room.take(self, missing.region) {
                    self.rules.position_classes.insert((position, region), None);
                    return Ok(None);
                }
                let mut task = Task::new(self, missing.position, missing.region);
                task.begin(self, &mut made)?;
                tasks.push(task);
                continue;
            }
            let task = tasks.pop();
            if let (Some(task), false) = (task, made.contains_key(&key)) {
                made.insert(key, Some(Arc::new(task.finish(self))));
            }
            if let Some(class) = made.get(&key)
                && self.budget.take(class.as_ref().map_or(0, |class| class.bytes()) + CLASS_BYTES)
            {
                self.rules.position_classes.insert(key, class.clone());
            }
        }
        Ok(made.remove(&(position, region)).flatten())
    }

    /// Where the tokens are that go on after an exit with one of these bytes, with which the text could have gone on too. The
    /// inner `None` if there are none, the outer if there is no room for them.
    pub(crate) fn split_exit(&self, exit: Exit, first: ByteSet) -> Result<Option<Option<Region>>, Exhausted> {
        let Some(SplitsId(splits)) = exit.splits else { return Ok(Some(None)) };
        let &Splits { lex, region, bytes } = self.rules.split_texts.get(splits);
        if bytes.meets(first) { self.split_region(lex, region, bytes.within(first)) } else { Ok(Some(None)) }
    }

    /// The splits of a text below a node, if there are any.
    pub(super) fn splits_id(&self, lex: LexId, region: Region, bytes: ByteSet) -> Option<SplitsId> {
        let splits = Splits { lex, region, bytes };
        (!bytes.is_empty()).then(|| SplitsId(self.rules.split_texts.intern(splits)))
    }

    /// Whether some token below a node begins with one of the bytes.
    pub(crate) fn begins_with(&self, region: Region, bytes: ByteSet) -> bool {
        region == Region::WHOLE || self.trie_of(region).child_bytes(region.node).meets(bytes)
    }

    /// Whether a position matches the empty text.
    pub(crate) fn can_end(&self, position: PosId) -> bool {
        self.rules.leaves(position).ends
    }

    /// Whether a JSON value can be read first.
    pub(crate) fn has_values(&self, position: PosId) -> bool {
        !self.rules.leaves(position).values.is_empty()
    }

    /// Whether the string around the rules can be closed first.
    pub(crate) fn can_close(&self, position: PosId) -> bool {
        !self.rules.leaves(position).quotes.is_empty()
    }

    fn known_class(
        &self,
        position: PosId,
        region: Region,
        made: &Made,
    ) -> Option<Option<Arc<PositionClass>>> {
        let key = (position, region);
        let made = made.get(&key).cloned();
        made.or_else(|| self.rules.position_classes.get(&key).map(|known| known.clone()))
    }
}

impl Task {
    fn new(universe: &Universe, position: PosId, region: Region) -> Self {
        Self {
            position,
            region,
            interior: Union::new(universe.row_words()),
            exits: Vec::new(),
            seen: FxHashSet::default(),
            needed: Vec::new(),
        }
    }

    /// There is no class.
    fn fail(&mut self, made: &mut Made) {
        self.needed.clear();
        made.insert((self.position, self.region), None);
    }

    fn begin(&mut self, universe: &Universe, made: &mut Made) -> Result<(), Exhausted> {
        let leaves = universe.rules.leaves(self.position);
        if !leaves.values.is_empty() || !leaves.quotes.is_empty() {
            self.fail(made);
            return Ok(());
        }
        for &(rule, after) in &leaves.calls {
            if universe.begins_with(self.region, universe.first_of(rule)?) {
                self.needed.push(Need { position: universe.body(rule), region: self.region, after });
            }
        }
        for &(lex, after) in &leaves.lexes {
            if !universe.begins_with(self.region, universe.text_goes_on(lex)?) {
                continue;
            }
            let Some(class) = universe.text_class(lex, self.region)? else {
                self.fail(made);
                return Ok(());
            };
            self.interior.add(&class.interior);
            for exit in class.exits() {
                if !self.left(universe, after, exit)? {
                    self.fail(made);
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Tokens have come to `after`; false if the exit does not tell all of them.
    fn left(&mut self, universe: &Universe, after: PosId, exit: Exit) -> Result<bool, Exhausted> {
        effort::spend(1)?;
        if !self.seen.insert((after, exit)) {
            return Ok(true);
        }
        if after == END || universe.rules.leaves(after).ends {
            self.exits.push(exit);
        }
        if after == END {
            return Ok(true);
        }
        let first = universe.first_of_position(after)?;
        // JSON around the rules is not theirs to tell.
        if universe.has_values(after) || universe.can_close(after) {
            return Ok(false);
        }
        let Some(split) = universe.split_exit(exit, first)? else { return Ok(false) };
        for region in std::iter::once(exit.region).chain(split) {
            if universe.begins_with(region, first) {
                self.needed.push(Need { position: after, region, after: END });
            }
        }
        Ok(true)
    }

    /// Puts in what is known; the first that is missing, if one is.
    fn go_on(&mut self, universe: &Universe, made: &mut Made) -> Result<Option<Need>, Exhausted> {
        while let Some(&need) = self.needed.last() {
            let Some(class) = universe.known_class(need.position, need.region, made) else {
                return Ok(Some(need));
            };
            self.needed.pop();
            let Some(class) = class else {
                self.fail(made);
                return Ok(None);
            };
            self.interior.add(&class.interior);
            for &exit in &class.exits {
                if !self.left(universe, need.after, exit)? {
                    self.fail(made);
                    return Ok(None);
                }
            }
        }
        Ok(None)
    }

    fn finish(self, universe: &Universe) -> PositionClass {
        let interior = universe.sets.base(self.interior.finish(), &universe.budget);
        PositionClass { interior, exits: self.exits.into() }
    }
}

impl PositionClass {
    fn bytes(&self) -> usize {
        interior_bytes(&self.interior) + std::mem::size_of::<Exit>() * self.exits.len()
    }
}

/// What the interior of a class takes, if it is not pooled.
pub(super) fn interior_bytes(interior: &TokenSet) -> usize {
    if interior.is_base() { 0 } else { 4 * interior.count() }
}

/// A class without what hangs on it, and its place in the table.
const CLASS_BYTES: usize = 96;

impl Heap for Splits {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::Cfg;
    use crate::automaton::mask::Scratch;
    use crate::automaton::registers::{EMPTY, Registers};
    use crate::automaton::universe::Caching;
    use crate::grammar::policy::SurfacePolicy;
    use crate::grammar::rules::Grammar;
    use crate::index::{FrameId, StateId, TokenId};
    use crate::vocab::Vocabulary;

    fn universe(caching: Caching) -> Universe {
        let tokens = ["a", "b", "(", ")", "+", "ab", "a+", "a)", "))", "+(", "b)+(a", "(((", "<end>"];
        let vocabulary = Vocabulary::from_tokens(tokens, &[TokenId(12)]).unwrap();
        Universe::new(vocabulary, &Arc::default(), SurfacePolicy::default(), caching, usize::MAX).unwrap()
    }

    fn load(universe: &Universe) -> (StateId, FrameId) {
        let text = r#"s ::= s "+" t | t
t ::= [ab]+ | "(" s ")""#;
        let loaded = universe.load_grammar(&Grammar::from_text_form(text, &[]).unwrap()).unwrap();
        (loaded.state, loaded.frame)
    }

    fn row(universe: &Universe, (state, frame): (StateId, FrameId)) -> Vec<u32> {
        let mut row = vec![0; universe.row_words()];
        let cfg = Cfg { state, frame, reg: EMPTY };
        let mask = universe.mask_ref(cfg, &Registers::default(), &mut Scratch::of(universe)).unwrap();
        mask.write(&mut row);
        row
    }

    fn start(universe: &Universe) -> PosId {
        let (state, frame) = load(universe);
        universe.positions_by_frame(state, frame).unwrap()[0].0
    }

    #[test]
    fn a_class_tells_what_stays_inside_and_what_goes_on() {
        let universe = universe(Caching::On);
        let start = start(&universe);
        let class = universe.position_class(start, Region::WHOLE, &mut Room::default()).unwrap().unwrap();
        let mut interior = Vec::new();
        class.interior.for_each(|token| interior.push(token.0));
        interior.sort_unstable();
        // `a)` and `b)+(a` close more than is open inside.
        assert_eq!(interior, [0, 1, 2, 5, 6, 11]);
        let remains: Vec<u8> = class
            .exits
            .iter()
            .flat_map(|exit| {
                let trie = universe.trie_of(exit.region);
                trie.children(exit.region.node).map(|child| trie.byte(child)).collect::<Vec<_>>()
            })
            .collect();
        assert!(remains.contains(&b')'), "{remains:?}");
    }

    #[test]
    fn stacks_that_bring_the_same_classes_together_share_a_mask() {
        let (cached, uncached) = (universe(Caching::On), universe(Caching::Off));
        let row_after = |universe: &Universe, text: &str| {
            let (state, frame) = load(universe);
            let start = Cfg { state, frame, reg: EMPTY };
            let at = universe.advance(start, text.as_bytes(), &mut Registers::default()).unwrap().unwrap();
            row(universe, (at.state, at.frame))
        };
        let mut counts = Vec::new();
        for depth in 1..8 {
            let text = "(".repeat(depth);
            assert_eq!(row_after(&cached, &text), row_after(&uncached, &text), "{text}");
            counts.push(cached.combinations.len());
        }
        // A token closes two brackets at most, and so sees no more of the stack.
        assert!(counts[0] > 0 && counts[3] == counts[6], "{counts:?}");
    }

    #[test]
    fn without_room_there_is_no_class_and_the_mask_is_the_same() {
        let (cramped, roomy, uncached) =
            (universe(Caching::On), universe(Caching::On), universe(Caching::Off));
        let start = start(&cramped);
        assert!(cramped.position_class(start, Region::WHOLE, &mut Room(0)).unwrap().is_none());
        assert!(
            roomy.position_class(self::start(&roomy), Region::WHOLE, &mut Room::default()).unwrap().is_some()
        );
        let expected = row(&uncached, load(&uncached));
        assert_eq!(row(&cramped, load(&cramped)), expected);
        assert_eq!(row(&roomy, load(&roomy)), expected);
    }
}
