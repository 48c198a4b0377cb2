//! The flags that change what a pattern means: `i`, `m` and `s`, for a group or for the whole pattern.

/// Which flags hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Flags {
    /// `i`: characters of equal simple case folding are one (the standard's rule under the `u` flag).
    pub(super) ignore_case: bool,
    /// `m`: `^` and `$` hold at the edges of lines.
    pub(super) multiline: bool,
    /// `s`: the dot matches line terminators.
    pub(super) dot_all: bool,
}

impl Flags {
    /// The flags after modifiers such as `i-ms`; `None` if these name a flag twice, another flag or none.
    pub(super) fn modified(self, modifiers: &str) -> Option<Self> {
        let (added, removed) = modifiers.split_once('-').unwrap_or((modifiers, ""));
        let named: Vec<char> = added.chars().chain(removed.chars()).collect();
        if named.is_empty() || named.iter().enumerate().any(|(i, flag)| named[..i].contains(flag)) {
            return None;
        }
        let mut flags = self;
        for (names, on) in [(added, true), (removed, false)] {
            for name in names.chars() {
                match name {
                    'i' => flags.ignore_case = on,
                    'm' => flags.multiline = on,
                    's' => flags.dot_all = on,
                    _ => return None,
                }
            }
        }
        Some(flags)
    }

    /// The flags that a pattern starts with, as in `(?i)abc`, and their length in bytes. ECMA-262 has its flags outside
    /// the pattern, where a schema has no place for them; so this is how other engines write it.
    pub(super) fn leading(pattern: &str) -> (Self, usize) {
        let none = (Self::default(), 0);
        let Some((names, _)) = pattern.strip_prefix("(?").and_then(|rest| rest.split_once(')')) else {
            return none;
        };
        match Self::default().modified(names) {
            Some(flags) if !names.contains('-') => (flags, "(?)".len() + names.len()),
            _ => none,
        }
    }
}
