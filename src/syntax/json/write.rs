//! Writes a value back as JSON text, for front ends that hand a part of their text to another one.
//!
//! The order of members and the spelling of numbers are kept; blanks and the spelling of strings are not.

use super::{Kind, Value};

impl Value<'_> {
    /// The value as a JSON text without blanks. O(n).
    #[must_use]
    pub fn to_text(self) -> String {
        let mut out = String::new();
        // The ends of the open containers, with their closing brackets.
        let mut open: Vec<(u32, char)> = Vec::new();
        let json = self.document();
        let mut fresh = true;
        for id in self.id()..self.end() {
            while let Some(&(end, bracket)) = open.last()
                && id >= end
            {
                out.push(bracket);
                open.pop();
                fresh = false;
            }
            let value = json.value(id);
            if !fresh {
                out.push(',');
            }
            if let Some(name) = value.name().filter(|_| id != self.id()) {
                push_string(&mut out, name);
                out.push(':');
            }
            fresh = false;
            match value.kind() {
                Kind::Null => out.push_str("null"),
                Kind::Boolean(true) => out.push_str("true"),
                Kind::Boolean(false) => out.push_str("false"),
                Kind::Number(spelling) => out.push_str(spelling),
                Kind::String(text) => push_string(&mut out, text),
                Kind::Array | Kind::Object => {
                    let (bracket, close) = if value.is_array() { ('[', ']') } else { ('{', '}') };
                    out.push(bracket);
                    open.push((value.end(), close));
                    fresh = true;
                }
            }
        }
        out.extend(open.iter().rev().map(|(_, bracket)| bracket));
        out
    }
}

fn push_string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            c if u32::from(c) < 0x20 => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use crate::syntax::json::Json;

    #[test]
    fn what_is_written_is_what_was_read() {
        for text in [
            "null",
            "[]",
            "{}",
            "[[],{},[1]]",
            r#"{"b":[1,2.50,{"x":null}],"a":"\"\\\u0001é","c":{"d":{}}}"#,
            "[1e400,-0.0]",
        ] {
            let json = Json::read(text).unwrap();
            assert_eq!(json.root().to_text(), text);
        }
        let json = Json::read(r#" { "a" : [ { "b" : 1 } , 2 ] , "c" : 3 } "#).unwrap();
        let inner = json.root().get("a").unwrap();
        assert_eq!(inner.to_text(), r#"[{"b":1},2]"#);
        assert_eq!(inner.item(0).unwrap().to_text(), r#"{"b":1}"#);
    }
}
