//! Is a text the beginning of a document? A completion is looked for from where it breaks off.
//!
//! The tip (a started lexeme, or nothing) can end in a few ways that matter; each is put into the innermost open
//! container, which is closed in every way that matters; the result is put into the next one, and so on. The root must
//! then be valid. Whether a value *fits* depends only on the text before it, its key and its truths, so that answer is kept.

use std::rc::Rc;

use maskwright::Whitespace;

use super::position::PositionId;
use super::surface::{At, Need, Open, Surface, word_value};
use super::text::TextTip;
use super::value::Value;
use super::{SEARCH_STEPS_MAX, TooLarge, Twin};

/// Most answers that are kept.
const FITS_MAX: usize = 1_000_000;

/// The text before the member or item, its key if something mentions it, and the truths of its value.
pub(super) type FitKey = (Rc<[u8]>, Option<Rc<str>>, u64);

/// A surface and the positions of its open containers, with the present value's last.
struct Context<'t> {
    surface: Surface,
    levels: Vec<PositionId>,
    text: &'t [u8],
}

impl Twin {
    /// Whether some document starts with the text.
    ///
    /// # Errors
    /// [`TooLarge`] if the search was given up.
    pub fn is_prefix(&self, text: &[u8]) -> Result<bool, TooLarge> {
        let mut surface = Surface::new(self.policy);
        if !text.iter().all(|&byte| self.bytes.has(byte) && surface.push(byte)) {
            return Ok(false);
        }
        self.goes_on(&surface, text)
    }

    /// Reads one more byte; whether some document under the policy goes on like this as far as the surface can tell.
    pub fn push(&self, surface: &mut Surface, byte: u8) -> bool {
        self.bytes.has(byte) && surface.push(byte)
    }

    /// Whether some document starts with the text that the surface has read.
    ///
    /// # Errors
    /// [`TooLarge`] if the search was given up.
    pub fn goes_on(&self, surface: &Surface, text: &[u8]) -> Result<bool, TooLarge> {
        self.steps.set(0);
        let context = self.context(surface.clone(), text);
        let goes_on = self.stack_is_ordered(&context) && self.tip_goes_on(&context)?;
        if self.steps.get() > SEARCH_STEPS_MAX {
            self.fits.borrow_mut().clear(); // what was decided while steps ran out is no answer
            return Err(TooLarge);
        }
        Ok(goes_on)
    }

    /// All bytes, those first that come nearer to an end after the text: what spells a required key, what closes the
    /// innermost thing, then one letter or digit after the other. No letter always leads on, so each `step` starts with
    /// another one.
    ///
    /// # Panics
    /// If the text is no prefix of any JSON document under the policy.
    #[must_use]
    pub fn closing_bytes(&self, text: &[u8], step: usize) -> Vec<u8> {
        let mut surface = Surface::new(self.policy);
        text.iter().for_each(|&byte| assert!(surface.push(byte), "the text is the beginning of a document"));
        let mut order = match &surface.at {
            At::InText(_) => b"\"".to_vec(),
            At::InKey(tip) => self.bytes_of_required_keys(&surface, tip),
            _ => b"}]\",:".to_vec(),
        };
        let mut letters = b"ab01234567890.{[krueltsfn-\\\xc3\xa9".to_vec();
        let start = (step * 5 + step / 3) % letters.len();
        letters.rotate_left(start);
        order.append(&mut letters);
        let others: Vec<u8> = (0..=255).filter(|byte| !order.contains(byte)).collect();
        order.extend(others);
        order
    }

    /// The next bytes of required names that are still missing and start with the key so far, then the quote.
    fn bytes_of_required_keys(&self, surface: &Surface, tip: &TextTip) -> Vec<u8> {
        let context = self.context(surface.clone(), &[]);
        let plan = self.plan(context.levels[surface.stack.len() - 1]);
        let Some(Open::Object { members, .. }) = surface.stack.last() else { return Vec::new() };
        let missing = plan.ranked.iter().filter(|name| plan.required.contains(*name));
        let missing = missing.filter(|name| members.iter().all(|(n, _)| n != *name));
        let rests = missing.filter_map(|name| name.strip_prefix(tip.decoded.as_str()));
        let mut bytes: Vec<u8> = rests.filter_map(|rest| rest.bytes().next()).collect();
        bytes.push(b'"');
        bytes
    }

    fn context<'t>(&self, surface: Surface, text: &'t [u8]) -> Context<'t> {
        let mut levels = vec![PositionId::ROOT];
        for open in &surface.stack {
            let above = levels[levels.len() - 1];
            levels.push(match open {
                Open::Object { key, .. } => self.member(above, key.as_deref().unwrap_or("")),
                Open::Array { items, .. } => self.item(above, items.len()),
            });
        }
        Context { surface, levels, text }
    }

    /// Whether the members so far come in order.
    fn stack_is_ordered(&self, context: &Context<'_>) -> bool {
        context.surface.stack.iter().zip(&context.levels).all(|(open, &position)| match open {
            Open::Object { members, key, .. } => {
                let names = members.iter().map(|(name, _)| &**name);
                self.names_ordered(position, names.chain(key.as_deref()))
                    && members.iter().all(|(name, value)| self.ordered_at(self.member(position, name), value))
            }
            Open::Array { items, .. } => {
                items.iter().enumerate().all(|(i, item)| self.ordered_at(self.item(position, i), item))
            }
        })
    }

    fn tip_goes_on(&self, context: &Context<'_>) -> Result<bool, TooLarge> {
        let depth = context.surface.stack.len();
        Ok(match &context.surface.at {
            At::Value(space, need) => {
                (!space.waits || self.bytes.has(b'\n')) && self.value_can_come(context, *need)
            }
            At::Key(space, need) => {
                (!space.waits || self.bytes.has(b'\n')) && self.can_close(context, depth, *need)
            }
            At::InKey(tip) => self.key_goes_on(context, tip),
            At::Colon(_) => self.bytes.has(b':') && self.value_can_come(context, Need::OneMore),
            At::InText(tip) => self.text_endings(context.levels[depth], tip)?.into_iter().any(|(_, rest)| {
                self.fits(context, depth, &Rc::new(Value::Text(tip.decoded.clone() + &rest)))
            }),
            At::InNumber(text) => self
                .number_endings(context.levels[depth], text)?
                .into_iter()
                .any(|(_, rest)| self.fits(context, depth, &Rc::new(Value::Number(text.clone() + &rest)))),
            At::InWord(word, read) => {
                self.bytes.spell(&word.as_bytes()[*read..])
                    && self.fits(context, depth, &Rc::new(word_value(word)))
            }
            At::After(space) => {
                let must_close = !space.is_empty() && self.policy.whitespace != Whitespace::Free;
                (!space.waits || self.bytes.has(b'\n')) && self.after_goes_on(context, must_close)
            }
        })
    }

    /// A value comes next, or the array it would stand in is closed.
    fn value_can_come(&self, context: &Context<'_>, need: Need) -> bool {
        let depth = context.surface.stack.len();
        if let Some(Open::Array { .. }) = context.surface.stack.last() {
            return self.can_close(context, depth, need);
        }
        let representatives = self.representatives(context.levels[depth]);
        representatives.iter().any(|(_, value)| self.fits(context, depth, value))
    }

    /// A key has been started.
    fn key_goes_on(&self, context: &Context<'_>, tip: &TextTip) -> bool {
        let depth = context.surface.stack.len();
        let Some(Open::Object { members, .. }) = context.surface.stack.last() else { return false };
        let plan = self.plan(context.levels[depth - 1]);
        let mut names = self.next_names(&plan, members);
        names.retain(|name| plan.ranked.contains(name) && self.can_become(tip, name));
        names.extend(self.other_name(&plan, members, tip));
        self.bytes.has(b':')
            && names.into_iter().any(|name| {
                let mut surface = context.surface.clone();
                if let Some(Open::Object { key, .. }) = surface.stack.last_mut() {
                    *key = Some(name);
                }
                let context = self.context(surface, context.text);
                let representatives = self.representatives(context.levels[depth]);
                representatives.iter().any(|(_, value)| self.fits(&context, depth, value))
            })
    }

    /// A value has just been completed.
    fn after_goes_on(&self, context: &Context<'_>, must_close: bool) -> bool {
        let mut surface = context.surface.clone();
        let depth = surface.stack.len();
        let value = match surface.stack.last_mut() {
            None => {
                return surface
                    .root
                    .is_some_and(|root| self.ordered_at(PositionId::ROOT, &root) && self.is_valid(&root));
            }
            Some(_) if must_close => return self.closes_now(context),
            Some(Open::Array { items, .. }) => items.pop(),
            Some(Open::Object { members, key, .. }) => members.pop().map(|(name, value)| {
                *key = Some(name);
                value
            }),
        };
        let context = self.context(surface, context.text);
        value.is_some_and(|value| self.fits(&context, depth, &value))
    }

    /// The innermost container is closed as it is.
    fn closes_now(&self, context: &Context<'_>) -> bool {
        let depth = context.surface.stack.len();
        let (bracket, value) = match context.surface.stack.last() {
            Some(Open::Array { items, .. }) => (b']', Value::Array(items.clone())),
            Some(Open::Object { members, .. }) => (b'}', Value::Object(members.clone())),
            None => return false,
        };
        self.bytes.has(bracket) && self.fits(context, depth - 1, &Rc::new(value))
    }

    /// The container at a depth (from 1) is closed, after more members if any are needed, and what results fits.
    fn can_close(&self, context: &Context<'_>, depth: usize, need: Need) -> bool {
        let position = context.levels[depth - 1];
        let mut accept = |value: Value| self.fits(context, depth - 1, &Rc::new(value));
        match &context.surface.stack[depth - 1] {
            Open::Object { members, .. } => self.close_object(position, members, need, &mut accept),
            Open::Array { items, .. } => self.close_array(position, items, need, &mut accept),
        }
    }

    /// Whether the document can be completed with this value inside so many containers.
    fn fits(&self, context: &Context<'_>, depth: usize, value: &Rc<Value>) -> bool {
        if depth == 0 {
            return self.is_valid(value);
        }
        let above = context.levels[depth - 1];
        let truths = self.truths(context.levels[depth], value);
        let open = &context.surface.stack[depth - 1];
        let (slot, mention) = match open {
            Open::Object { slot, key, .. } => {
                let plan = self.plan(above);
                (*slot, key.clone().filter(|key| plan.ranked.contains(key)))
            }
            Open::Array { slot, .. } => (*slot, None),
        };
        let fit_key: FitKey = (Rc::from(&context.text[..slot]), mention, truths);
        if let Some(&known) = self.fits.borrow().get(&fit_key) {
            return known;
        }
        let mut accept = |value: Value| self.fits(context, depth - 1, &Rc::new(value));
        let fits = match open {
            Open::Object { members, key, .. } => {
                let Some(key) = key else { return false };
                let mut members = members.clone();
                members.push((key.clone(), value.clone()));
                self.close_object(above, &members, Need::Nothing, &mut accept)
            }
            Open::Array { items, .. } => {
                let mut items = items.clone();
                items.push(value.clone());
                self.close_array(above, &items, Need::Nothing, &mut accept)
            }
        };
        let mut memo = self.fits.borrow_mut();
        if memo.len() >= FITS_MAX {
            memo.clear();
        }
        memo.insert(fit_key, fits);
        fits
    }
}
