//! The terminals that `%import common.NAME` names, as their documentation describes them.

/// The names, each with an ECMA-262 pattern for its lexemes.
const COMMON: &[(&str, &str)] = &[
    ("DIGIT", "[0-9]"),
    ("HEXDIGIT", "[0-9A-Fa-f]"),
    ("INT", "[0-9]+"),
    ("SIGNED_INT", "[-+]?[0-9]+"),
    ("DECIMAL", "[0-9]+\\.[0-9]*|\\.[0-9]+"),
    ("_EXP", "[Ee][-+]?[0-9]+"),
    ("FLOAT", "[0-9]+[Ee][-+]?[0-9]+|(?:[0-9]+\\.[0-9]*|\\.[0-9]+)(?:[Ee][-+]?[0-9]+)?"),
    ("SIGNED_FLOAT", "[-+]?(?:[0-9]+[Ee][-+]?[0-9]+|(?:[0-9]+\\.[0-9]*|\\.[0-9]+)(?:[Ee][-+]?[0-9]+)?)"),
    ("NUMBER", "(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[Ee][-+]?[0-9]+)?"),
    ("SIGNED_NUMBER", "[-+]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[Ee][-+]?[0-9]+)?"),
    ("LCASE_LETTER", "[a-z]"),
    ("UCASE_LETTER", "[A-Z]"),
    ("LETTER", "[A-Za-z]"),
    ("WORD", "[A-Za-z]+"),
    ("CNAME", "[A-Za-z_][A-Za-z0-9_]*"),
    ("WS_INLINE", "[ \\t]+"),
    ("WS", "[ \\t\\f\\r\\n]+"),
    ("CR", "\\r"),
    ("LF", "\\n"),
    ("NEWLINE", "(?:\\r?\\n)+"),
    ("SH_COMMENT", "#[^\\n]*"),
    ("CPP_COMMENT", "\\/\\/[^\\n]*"),
    ("C_COMMENT", "\\/\\*[^*]*\\*+(?:[^*\\/][^*]*\\*+)*\\/"),
    ("SQL_COMMENT", "--[^\\n]*"),
];

/// Strings in double quotes, without line breaks: a quote closes it unless an odd number of backslashes stands before it.
const ESCAPED_STRING: &str = "\"(?:[^\"\\\\\\n]|\\\\[^\\n])*\"";

/// The pattern of a common terminal.
pub(super) fn pattern(name: &str) -> Option<&'static str> {
    if name == "ESCAPED_STRING" {
        return Some(ESCAPED_STRING);
    }
    COMMON.iter().find(|(known, _)| *known == name).map(|(_, pattern)| *pattern)
}

/// All names.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    COMMON.iter().map(|(name, _)| *name).chain(["ESCAPED_STRING"])
}

#[test]
fn every_common_terminal_is_a_pattern() {
    for name in names() {
        let pattern = pattern(name).expect("every name has one");
        crate::syntax::pattern::parse_whole(pattern).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
}
