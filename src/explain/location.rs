//! The instance location in a JSON text that is not complete yet, as a JSON Pointer.

/// An open array or object.
enum Open {
    /// The key of the member under way, as it is spelled, and whether a key comes next.
    Object {
        key: Option<String>,
        awaits_key: bool,
    },
    Array {
        index: usize,
    },
}

/// Which location is meant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// That of the innermost open array or object.
    Container,
    /// That of the value in it.
    Value,
}

/// The location of what the text, the beginning of a JSON document, ends in.
pub(super) fn pointer(text: &[u8], which: Which) -> String {
    let mut open: Vec<Open> = Vec::new();
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b'{' => open.push(Open::Object { key: None, awaits_key: true }),
            b'[' => open.push(Open::Array { index: 0 }),
            b'}' | b']' => {
                open.pop();
            }
            b',' => match open.last_mut() {
                Some(Open::Object { key, awaits_key }) => (*key, *awaits_key) = (None, true),
                Some(Open::Array { index }) => *index += 1,
                None => {}
            },
            b'"' => {
                let end = string_end(&text[at..]);
                if let (Some(Open::Object { key, awaits_key: awaits @ true }), Some(len)) =
                    (open.last_mut(), end)
                {
                    *key = Some(String::from_utf8_lossy(&text[at..at + len]).into_owned());
                    *awaits = false;
                }
                at = end.map_or(text.len(), |len| at + len + 1);
            }
            _ => {}
        }
    }
    let shown = match which {
        Which::Container => open.len().saturating_sub(1),
        Which::Value => open.len(),
    };
    open[..shown].iter().fold(String::new(), |pointer, step| match step {
        Open::Object { key: Some(key), .. } => {
            format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"))
        }
        Open::Object { key: None, .. } => pointer,
        Open::Array { index } => format!("{pointer}/{index}"),
    })
}

/// The length of a string's text up to its closing quote.
fn string_end(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => return Some(at),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_location_follows_keys_and_items() {
        for (text, container, value) in [
            ("", "", ""),
            ("{\"a\"", "", "/a"),
            ("{\"a\": [1, {\"b\": \"x,]", "/a/1", "/a/1/b"),
            ("{\"a\": [1, {\"b\": 2}, ", "/a", "/a/2"),
            ("{\"a/b~\": {\"k\\\"\": 1", "/a~1b~0", "/a~1b~0/k\\\""),
            ("{\"a\": 1, \"", "", ""),
        ] {
            assert_eq!(pointer(text.as_bytes(), Which::Container), container, "{text}");
            assert_eq!(pointer(text.as_bytes(), Which::Value), value, "{text}");
        }
    }
}
