//! The enforcement report: for each keyword of the schema that was read, what became of it.

use std::borrow::Cow;
use std::fmt;

/// What became of a keyword.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Status {
    /// It is enforced exactly.
    Exact,
    /// It constrains nothing, by the specification or because the format is unknown.
    Annotation,
    /// Fewer texts than the schema describes are generated; the note says which are left out.
    Narrowed,
}

impl Status {
    /// A stable word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Annotation => "annotation",
            Self::Narrowed => "narrowed",
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One line of the report.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// JSON Pointer of the keyword's value; the empty pointer for what concerns the whole document.
    pub pointer: Box<str>,
    /// The keyword.
    pub keyword: Box<str>,
    /// What became of it.
    pub status: Status,
    /// Why, where that needs saying.
    pub note: Option<Cow<'static, str>>,
}

/// What is enforced, keyword by keyword. Only what can be reached from the root is listed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EnforcementReport {
    entries: Vec<Entry>,
}

impl EnforcementReport {
    /// A report of these lines.
    #[must_use]
    pub fn new(entries: Vec<Entry>) -> Self {
        Self { entries }
    }

    /// The report with these lines behind its own.
    #[must_use]
    pub fn with(mut self, entries: impl IntoIterator<Item = Entry>) -> Self {
        self.entries.extend(entries);
        self
    }

    /// All lines: the policy first, then by distance from the root.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The lines of one status.
    pub fn with_status(&self, status: Status) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |e| e.status == status)
    }

    /// The report for programs: an array of objects with the members `pointer`, `keyword`, `status` and, where there is
    /// one, `note`.
    #[must_use]
    pub fn to_json(&self) -> serde_json::Value {
        let entry = |e: &Entry| {
            let mut members = serde_json::Map::new();
            let mut set = |name: &str, text: &str| members.insert(name.to_owned(), text.into());
            set("pointer", &e.pointer);
            set("keyword", &e.keyword);
            set("status", e.status.name());
            if let Some(note) = &e.note {
                set("note", note);
            }
            serde_json::Value::Object(members)
        };
        serde_json::Value::Array(self.entries.iter().map(entry).collect())
    }
}

impl fmt::Display for EnforcementReport {
    /// A table: status, pointer, note.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Longer pointers don't push the notes of all other lines to the right.
        const ALIGNED: usize = 48;
        let shown =
            |e: &Entry| if e.pointer.is_empty() { format!("({})", e.keyword) } else { e.pointer.to_string() };
        let lengths = self.entries.iter().filter(|e| e.note.is_some()).map(|e| shown(e).chars().count());
        let width = lengths.filter(|&n| n <= ALIGNED).max().unwrap_or(0);
        for entry in &self.entries {
            match &entry.note {
                Some(note) => writeln!(f, "{:<10}  {:<width$}  {note}", entry.status, shown(entry))?,
                None => writeln!(f, "{:<10}  {}", entry.status, shown(entry))?,
            }
        }
        Ok(())
    }
}
