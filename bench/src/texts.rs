//! Texts in the languages of the benchmarked grammars, at random from a seed: what a model might write, 200 to 2,000 bytes long.
//!
//! They stay within what the grammars of both engines accept: in SQL and Python, blanks stand around words, and words are
//! written in the usual case. (Splitmix64, so that a seed gives the same texts everywhere.)

/// Shortest and longest text, in bytes.
const TEXT_BYTES: (usize, usize) = (200, 2_000);

/// Words that names and prose are made of.
const WORDS: [&str; 40] = [
    "account", "amount", "area", "author", "average", "balance", "batch", "city", "client", "code", "count",
    "country", "currency", "customer", "date", "delivery", "discount", "duration", "event", "garden",
    "height", "index", "invoice", "item", "level", "message", "number", "offset_", "owner", "price",
    "product", "quantity", "rate", "region", "score", "status", "street", "total", "user", "weight",
];

/// Words with letters beyond ASCII.
const WIDE_WORDS: [&str; 6] = ["Zürich", "naïve", "東京", "crème", "Łódź", "ångström"];

/// A language to write in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    Json,
    Arithmetic,
    Sql,
    Python,
    Xml,
}

/// So many texts of a language.
pub(crate) fn texts(language: Language, seed: u64, count: usize) -> Vec<String> {
    let mut writer = Writer { state: seed, out: String::new() };
    let mut texts = Vec::new();
    while texts.len() < count {
        writer.out.clear();
        match language {
            Language::Json => writer.json(0, 0),
            Language::Arithmetic => writer.sum(5),
            Language::Sql => writer.query(2),
            Language::Python => writer.python(5),
            Language::Xml => writer.element(0),
        }
        if (TEXT_BYTES.0..=TEXT_BYTES.1).contains(&writer.out.len()) {
            texts.push(writer.out.clone());
        }
    }
    texts
}

struct Writer {
    state: u64,
    out: String,
}

impl Writer {
    fn below(&mut self, bound: usize) -> usize {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        let bound = u64::try_from(bound).expect("a usize is no longer than 64 bits");
        usize::try_from((z ^ (z >> 31)) % bound).expect("smaller than a usize")
    }

    /// True `percent` times out of 100.
    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn pick(&mut self, choices: &[&str]) {
        let chosen = self.below(choices.len());
        self.put(choices[chosen]);
    }

    fn name(&mut self) {
        self.pick(&WORDS);
        if self.chance(30) {
            self.put("_");
            self.pick(&WORDS);
        }
        if self.chance(10) {
            let number = self.below(20).to_string();
            self.put(&number);
        }
    }

    fn prose(&mut self) {
        for i in 0..=self.below(7) {
            self.put(if i == 0 { "" } else { " " });
            self.pick(&WORDS);
        }
        if self.chance(20) {
            self.put(" ");
            self.pick(&WIDE_WORDS);
        }
        self.pick(&["", "", ".", ", too", ": 5"]);
    }

    fn number(&mut self) {
        let bound = [10, 100, 10_000][self.below(3)];
        let mut text = self.below(bound).to_string();
        if self.chance(30) {
            text += &format!(".{}", self.below(100));
        }
        self.put(&text);
    }

    /// So many parts with something between.
    fn list(&mut self, count: usize, between: &str, part: impl Fn(&mut Self)) {
        for i in 0..count {
            self.put(if i == 0 { "" } else { between });
            part(self);
        }
    }

    /// A value with its members on lines of their own, or not.
    fn json(&mut self, depth: usize, indent: usize) {
        let next = if indent > 0 || (depth == 0 && self.chance(50)) { indent + 2 } else { 0 };
        let line = |spaces: usize| if next > 0 { format!("\n{}", " ".repeat(spaces)) } else { String::new() };
        let (before, behind) = (line(next), line(indent));
        let between = if next > 0 { format!(",{before}") } else { ", ".to_owned() };
        match if depth == 0 { 0 } else { self.below(if depth > 3 { 5 } else { 8 }) } {
            0 if depth < 4 => {
                let count = self.below(6) + if depth == 0 { 4 } else { 1 };
                self.put("{");
                self.put(&before);
                self.list(count, &between, |w| {
                    w.put("\"");
                    w.name();
                    w.put("\": ");
                    w.json(depth + 1, next);
                });
                self.put(&behind);
                self.put("}");
            }
            1 | 2 => {
                self.put("\"");
                self.prose();
                self.pick(&["", "", "\\n", "\\u00e9", " \\\"x\\\""]);
                self.put("\"");
            }
            3 => {
                self.pick(&["", "", "-"]);
                self.number();
                self.pick(&["", "", "", "e5", "E-3"]);
            }
            4 => self.pick(&["true", "false", "null"]),
            5 if depth < 4 => {
                let count = self.below(5);
                self.put("[");
                self.list(count, ", ", |w| w.json(depth + 2, 0));
                self.put("]");
            }
            _ if depth < 3 => self.json(depth + 1, indent),
            _ => self.number(),
        }
    }

    fn sum(&mut self, depth: usize) {
        let count = self.below(3) + 1;
        for i in 0..count {
            if i > 0 {
                self.pick(&[" + ", " - ", "+", " * ", "*", " / ", " % ", " ^ "]);
            }
            match self.below(if depth == 0 { 2 } else { 6 }) {
                0 => self.number(),
                1 => self.name(),
                2 => {
                    self.put("-");
                    self.name();
                }
                3 => {
                    self.name();
                    self.put("(");
                    let count = self.below(4);
                    self.list(count, ", ", |w| w.sum(depth - 1));
                    self.put(")");
                }
                _ => {
                    self.put("(");
                    self.sum(depth - 1);
                    self.put(")");
                }
            }
        }
    }

    fn query(&mut self, depth: usize) {
        self.pick(&["SELECT ", "SELECT ", "SELECT DISTINCT "]);
        let count = self.below(5) + 1;
        self.list(count, ", ", |w| {
            w.sql_value(depth);
            if w.chance(40) {
                w.put(" AS ");
                w.name();
            }
        });
        let line = if self.chance(50) { "\n" } else { " " };
        self.put(line);
        self.put("FROM ");
        self.table(depth);
        for _ in 0..self.below(3) {
            self.put(line);
            self.pick(&["JOIN ", "INNER JOIN ", "LEFT JOIN ", "LEFT OUTER JOIN "]);
            self.table(depth);
            self.put(" ON ");
            self.path();
            self.put(" = ");
            self.path();
        }
        if self.chance(80) {
            self.put(line);
            self.put("WHERE ");
            self.condition(depth);
        }
        if self.chance(40) {
            self.put(line);
            self.put("GROUP BY ");
            let count = self.below(2) + 1;
            self.list(count, ", ", Self::path);
            if self.chance(50) {
                self.put(" HAVING ");
                self.condition(0);
            }
        }
        if depth == 2 && self.chance(70) {
            self.put(line);
            self.put("ORDER BY ");
            self.path();
            self.pick(&["", " ASC", " DESC"]);
            self.pick(&["", " LIMIT 10", " LIMIT 100 OFFSET 20", ";"]);
        }
    }

    fn table(&mut self, depth: usize) {
        if depth > 0 && self.chance(15) {
            self.put("(");
            self.query(depth - 1);
            self.put(")");
        } else {
            self.name();
        }
        self.put(" AS ");
        self.name();
    }

    fn path(&mut self) {
        self.name();
        if self.chance(50) {
            self.put(".");
            self.name();
        }
    }

    fn condition(&mut self, depth: usize) {
        let count = self.below(3) + 1;
        for i in 0..count {
            if i > 0 {
                self.pick(&[" AND ", " AND ", " OR "]);
            }
            self.sql_value(depth);
            match self.below(8) {
                0 => self.pick(&[" IS NULL", " IS NOT NULL"]),
                1 => {
                    self.pick(&[" LIKE ", " NOT LIKE "]);
                    self.sql_text();
                }
                2 => {
                    self.put(" BETWEEN ");
                    self.number();
                    self.put(" AND ");
                    self.number();
                }
                3 => {
                    self.pick(&[" IN (", " NOT IN ("]);
                    if depth > 0 && self.chance(50) {
                        self.query(depth - 1);
                    } else {
                        let count = self.below(4) + 1;
                        self.list(count, ", ", Self::sql_text);
                    }
                    self.put(")");
                }
                _ => {
                    self.pick(&[" = ", " <> ", " < ", " <= ", " > ", " >= "]);
                    self.sql_value(0);
                }
            }
        }
    }

    fn sql_text(&mut self) {
        self.put("'");
        self.prose();
        self.pick(&["", "", "%", "''s"]);
        self.put("'");
    }

    fn sql_value(&mut self, depth: usize) {
        match self.below(if depth == 0 { 6 } else { 9 }) {
            0 => self.number(),
            1 => self.sql_text(),
            2..=4 => self.path(),
            5 => self.pick(&["NULL", "TRUE", "COUNT(*)"]),
            6 => {
                self.pick(&["SUM(", "AVG(", "MAX(", "COUNT(DISTINCT ", "COALESCE("]);
                self.path();
                self.put(")");
            }
            7 => {
                self.path();
                self.pick(&[" + ", " - ", " * ", " / ", " || "]);
                self.sql_value(depth - 1);
            }
            _ => {
                self.put("CASE WHEN ");
                self.condition(0);
                self.put(" THEN ");
                self.sql_value(0);
                self.put(" ELSE ");
                self.sql_value(0);
                self.put(" END");
            }
        }
    }

    fn python(&mut self, depth: usize) {
        match self.below(if depth == 0 { 3 } else { 13 }) {
            0 => self.number(),
            1 => self.python_text(),
            2 => self.name(),
            3 => {
                self.python(depth - 1);
                self.pick(&[
                    " + ", " - ", " * ", " // ", " == ", " <= ", " and ", " or ", " in ", " is not ", " % ",
                ]);
                self.python_atom(depth - 1);
            }
            4 => {
                self.python_atom(depth - 1);
                self.put(" if ");
                self.python_atom(depth - 1);
                self.put(" else ");
                self.python(depth - 1);
            }
            5 => {
                self.put("lambda ");
                let count = self.below(3) + 1;
                self.list(count, ", ", Self::name);
                self.put(": ");
                self.python(depth - 1);
            }
            6 => {
                self.pick(&["not ", "-", "~"]);
                self.name();
            }
            _ => self.python_atom(depth),
        }
    }

    /// What stands in any place of an expression.
    fn python_atom(&mut self, depth: usize) {
        let Some(below) = depth.checked_sub(1) else { return self.name() };
        let count = self.below(4);
        match self.below(7) {
            0 | 1 => {
                self.name();
                self.put(".");
                self.name();
                self.put("(");
                self.list(count, ", ", |w| w.python(below));
                if self.chance(40) {
                    self.put(if count == 0 { "" } else { ", " });
                    self.name();
                    self.put("=");
                    self.python(below);
                }
                self.put(")");
            }
            2 => {
                self.put("[");
                self.list(count + 1, ", ", |w| w.python(below));
                self.put("]");
            }
            3 => {
                self.put("{");
                self.list(count, ", ", |w| {
                    w.python_text();
                    w.put(": ");
                    w.python(below);
                });
                self.put("}");
            }
            4 => {
                self.put("[");
                self.python_atom(below);
                self.put(" for ");
                self.name();
                self.put(" in ");
                self.python_atom(below);
                if self.chance(50) {
                    self.put(" if ");
                    self.python_atom(below);
                }
                self.put("]");
            }
            5 => {
                self.name();
                self.put("[");
                self.python(below);
                self.pick(&["]", ":]", ":-1]"]);
            }
            _ => {
                self.put("(");
                self.python(below);
                self.put(")");
            }
        }
    }

    fn python_text(&mut self) {
        let quote = if self.chance(50) { "\"" } else { "'" };
        self.put(quote);
        self.prose();
        self.pick(&["", "", "\\n", "\\t%s"]);
        self.put(quote);
    }

    fn element(&mut self, depth: usize) {
        let name = ["article", "section", "p", "title", "list", "item", "em", "ns.note", "td"][self.below(9)];
        self.put("<");
        self.put(name);
        for _ in 0..self.below(3) {
            self.pick(&[" ", " ", "\n  "]);
            self.name();
            self.put("=\"");
            self.prose();
            self.put("\"");
        }
        if depth > 3 || (depth > 0 && self.chance(15)) {
            return self.pick(&["/>", " />"]);
        }
        self.put(">");
        for _ in 0..self.below(5) + if depth == 0 { 3 } else { 1 } {
            match self.below(8) {
                0..=3 => self.element(depth + 1),
                4 => self.pick(&["&amp;", "&lt;", "&#233;"]),
                5 => {
                    self.put("<!-- ");
                    self.prose();
                    self.put(" -->");
                }
                _ => {
                    self.pick(&["", "\n", "\n    "]);
                    self.prose();
                    self.pick(&["", "\n"]);
                }
            }
        }
        self.put("</");
        self.put(name);
        self.put(">");
    }
}

#[cfg(test)]
mod tests {
    use super::{Language, TEXT_BYTES, texts};

    #[test]
    fn a_seed_gives_texts_of_the_right_length_and_always_the_same() {
        for language in [Language::Json, Language::Arithmetic, Language::Sql, Language::Python, Language::Xml]
        {
            let made = texts(language, 7, 12);
            assert_eq!(made, texts(language, 7, 12), "{language:?}");
            assert!(
                made.iter().all(|text| (TEXT_BYTES.0..=TEXT_BYTES.1).contains(&text.len())),
                "{language:?}"
            );
        }
        for text in texts(Language::Json, 7, 50) {
            assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "{text}");
        }
    }
}
