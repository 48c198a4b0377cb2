//! Reads a grammar in Lark's notation: rules, terminals and directives, one behind the other.

use super::scan::{Lines, Scanner};
use super::tree::{Definition, Document, Kind, Lazy, is_terminal};
use super::{common, expressions, options};
use crate::error::{CompileError, CompileErrorKind};
use crate::grammar::nearest::nearest;
use crate::syntax::json::{self, Json};

/// What happens to a definition of a name that is defined.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Again {
    /// It is an error.
    Refused,
    /// It takes its place.
    Replaces,
    /// It is an alternative more.
    Adds,
}

/// Reads a whole grammar.
pub(super) fn read(scanner: &mut Scanner<'_>) -> Result<Document, CompileError> {
    let mut reader = Reader { scanner, document: Document::default() };
    loop {
        reader.scanner.skip_comments(Lines::Cross);
        match reader.scanner.peek() {
            None => return Ok(reader.document),
            Some('%') => reader.directive()?,
            Some(_) => reader.definition(Again::Refused)?,
        }
        reader.end_of_line()?;
    }
}

struct Reader<'s, 't> {
    scanner: &'s mut Scanner<'t>,
    document: Document,
}

impl Reader<'_, '_> {
    fn end_of_line(&mut self) -> Result<(), CompileError> {
        self.scanner.skip_comments(Lines::Stay);
        if self.scanner.is_at_line_end() {
            return Ok(());
        }
        let message = format!("the line should end here, and {}", self.scanner.found());
        Err(self.scanner.syntax(self.scanner.at(), "line", message))
    }

    fn directive(&mut self) -> Result<(), CompileError> {
        let at = self.scanner.at();
        self.scanner.next();
        let name = self.scanner.name().unwrap_or_default();
        self.scanner.skip_comments(Lines::Stay);
        match name {
            "ignore" => {
                let node = expressions::read(self.scanner, &mut self.document)?;
                self.document.ignored.push(node);
                Ok(())
            }
            "import" => self.import(),
            "override" => self.definition(Again::Replaces),
            "extend" => self.definition(Again::Adds),
            "llguidance" => self.options(),
            "declare" => {
                let message = "declared terminals have no lexemes of their own: a lexer written in Python supplies them; define the terminal here";
                Err(self.scanner.unsupported(at, "%declare", message))
            }
            _ => {
                let known = ["ignore", "import", "override", "extend", "llguidance", "declare"];
                let help = match nearest(name, known.into_iter()) {
                    Some(near) => format!("did you mean `%{near}`?"),
                    None => "known are %ignore, %import, %override, %extend and %llguidance".to_owned(),
                };
                Err(self.scanner.syntax(at, "directive", format!("`%{name}` is not known here; {help}")))
            }
        }
    }

    /// `%import common.NAME`, `%import common.NAME -> OTHER`, `%import common (NAME, NAME)`.
    fn import(&mut self) -> Result<(), CompileError> {
        let at = self.scanner.at();
        let module = self.scanner.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
        if module != "common" {
            let message = "only the terminals of the module `common` are at hand: copy what another file defines into this grammar";
            return Err(self.scanner.unsupported(at, "%import", message));
        }
        if self.scanner.take(".") {
            let (name, byte) = self.name("%import")?;
            self.scanner.skip_comments(Lines::Stay);
            if !self.scanner.take("->") {
                return self.define_common(&name, &name, byte);
            }
            self.scanner.skip_comments(Lines::Stay);
            let (alias, byte_of_alias) = self.name("%import")?;
            if !is_terminal(&alias) {
                let message =
                    format!("{name} is a terminal, so its name here has capital letters, not `{alias}`");
                return Err(self.scanner.syntax(byte_of_alias, "%import", message));
            }
            return self.define_common(&name, &alias, byte);
        }
        self.scanner.skip_comments(Lines::Stay);
        if !self.scanner.take("(") {
            let message =
                format!("`.NAME` or `(NAME, NAME)` is needed behind `common`, and {}", self.scanner.found());
            return Err(self.scanner.syntax(self.scanner.at(), "%import", message));
        }
        loop {
            self.scanner.skip_comments(Lines::Cross);
            let (name, byte) = self.name("%import")?;
            self.define_common(&name, &name, byte)?;
            self.scanner.skip_comments(Lines::Cross);
            if self.scanner.take(")") {
                return Ok(());
            }
            if !self.scanner.take(",") {
                let message = format!("`,` or `)` is needed here, and {}", self.scanner.found());
                return Err(self.scanner.syntax(self.scanner.at(), "%import", message));
            }
        }
    }

    fn define_common(&mut self, common: &str, name: &str, byte: usize) -> Result<(), CompileError> {
        let Some(pattern) = common::pattern(common) else {
            let help = match nearest(common, common::names()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("they are {}", common::names().collect::<Vec<_>>().join(", ")),
            };
            let message = format!("`{common}` is no common terminal; {help}");
            return Err(self.scanner.error(CompileErrorKind::Reference, byte, "%import", message));
        };
        let body = self.document.push(Kind::Common(pattern), byte);
        let (parameters, priority, lazy) = (Vec::new(), 0, Lazy::No);
        self.define(Definition { name: name.into(), byte, parameters, priority, lazy, body }, Again::Refused)
    }

    fn name(&mut self, subject: &str) -> Result<(Box<str>, usize), CompileError> {
        let at = self.scanner.at();
        match self.scanner.name() {
            Some(name) => Ok((name.into(), at)),
            None => {
                let message = format!("a name is needed here, and {}", self.scanner.found());
                Err(self.scanner.syntax(at, subject, message))
            }
        }
    }

    fn definition(&mut self, again: Again) -> Result<(), CompileError> {
        let start = self.scanner.at();
        // Marks for the shape of trees, which no text knows of.
        self.scanner.take_while(|c| c == '?' || c == '!');
        let byte = self.scanner.at();
        let Some(name) = self.scanner.name() else {
            let help = match self.scanner.peek() {
                Some('|') => "`|` continues the line before only behind a rule",
                Some('"' | '/' | '(' | '[' | '<') => {
                    "the rule before has ended with its line: start the next line with `|`, or put the parts in parentheses"
                }
                _ => "a rule is written `name: …`, a terminal `NAME: …`",
            };
            let message = format!("a definition starts here, and {}; {help}", self.scanner.found());
            return Err(self.scanner.syntax(start, "definition", message));
        };
        if self.scanner.rest().starts_with("::") {
            let message =
                "rules with parameters that count (`name::_`) are not supported: spell the cases out";
            return Err(self.scanner.unsupported(byte, "parametric rule", message));
        }
        let parameters = self.parameters()?;
        let mut definition =
            Definition { name: name.into(), byte, parameters, priority: 0, lazy: Lazy::No, body: 0 };
        self.scanner.skip_comments(Lines::Stay);
        if self.scanner.take(".") {
            definition.priority = self.priority()?;
            self.scanner.skip_comments(Lines::Stay);
        }
        if self.scanner.take("[") {
            definition.lazy = options::read(self.scanner, &mut self.document, name)?;
            self.scanner.skip_comments(Lines::Stay);
        }
        if !self.scanner.take(":") {
            let found = self.scanner.found();
            let message = match self.scanner.rest().starts_with('=') {
                true => format!("`:` is needed behind the name `{name}`, not `=`"),
                false => format!(
                    "`:` is needed behind the name `{name}`, and {found}; if the line before is to go on, start this one with `|`"
                ),
            };
            return Err(self.scanner.syntax(self.scanner.at(), "definition", message));
        }
        definition.body = expressions::read(self.scanner, &mut self.document)?;
        self.define(definition, again)
    }

    fn parameters(&mut self) -> Result<Vec<Box<str>>, CompileError> {
        let mut parameters: Vec<Box<str>> = Vec::new();
        if !self.scanner.take("{") {
            return Ok(parameters);
        }
        loop {
            self.scanner.skip_comments(Lines::Cross);
            let (parameter, byte) = self.name("template")?;
            if parameters.contains(&parameter) {
                let message = format!("two parameters are called `{parameter}`");
                return Err(self.scanner.syntax(byte, "template", message));
            }
            parameters.push(parameter);
            self.scanner.skip_comments(Lines::Cross);
            if self.scanner.take("}") {
                return Ok(parameters);
            }
            if !self.scanner.take(",") {
                let message = format!("`,` or `}}` is needed here, and {}", self.scanner.found());
                return Err(self.scanner.syntax(self.scanner.at(), "template", message));
            }
        }
    }

    fn priority(&mut self) -> Result<i32, CompileError> {
        let at = self.scanner.at();
        let digits = self.scanner.take_while(|c| c.is_ascii_digit() || c == '-' || c == '+');
        digits.parse().map_err(|_| {
            self.scanner.syntax(
                at,
                "priority",
                "a whole number is needed behind the point, as in `name.2: …`",
            )
        })
    }

    fn define(&mut self, definition: Definition, again: Again) -> Result<(), CompileError> {
        let known = self.document.find(&definition.name);
        match (known, again) {
            (None, Again::Refused) => self.document.add(definition),
            (Some(known), Again::Replaces) => self.document.definitions[known] = definition,
            (Some(known), Again::Adds) => {
                let both = vec![self.document.definitions[known].body, definition.body];
                let body = self.document.push(Kind::Choice(both), definition.byte);
                self.document.definitions[known].body = body;
            }
            (Some(known), Again::Refused) => {
                let line = self.scanner.position(self.document.definitions[known].byte).line;
                let message = format!(
                    "`{}` is defined twice: first at line {line}; join both with `|`, or write `%override`",
                    definition.name
                );
                let kind = CompileErrorKind::Invalid;
                return Err(self.scanner.error(kind, definition.byte, "definition", message));
            }
            (None, _) => {
                let names = self.document.definitions.iter().map(|known| &*known.name);
                let help = match nearest(&definition.name, names) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "define it first".to_owned(),
                };
                let message = format!("`{}` is not defined before this line; {help}", definition.name);
                let kind = CompileErrorKind::Reference;
                return Err(self.scanner.error(kind, definition.byte, "definition", message));
            }
        }
        Ok(())
    }

    /// `%llguidance {…}`: options of another engine, of which some change the language.
    fn options(&mut self) -> Result<(), CompileError> {
        let (from, text) = self.scanner.json()?;
        let read = Json::read(text).map_err(|e| {
            let byte = from + e.position.byte;
            self.scanner.syntax(byte, "%llguidance", e.message)
        })?;
        if !read.root().is_object() {
            return Err(self.scanner.syntax(from, "%llguidance", "an object is needed here"));
        }
        for (name, value) in read.root().members() {
            let byte = from + value.position().byte;
            let is_on = match value.kind() {
                json::Kind::Boolean(is_on) => is_on,
                _ => {
                    return Err(self.scanner.syntax(
                        byte,
                        "%llguidance",
                        format!("`{name}` is true or false"),
                    ));
                }
            };
            let help = match (name, is_on) {
                ("no_forcing", _) | ("allow_initial_skip", true) => continue,
                ("allow_invalid_utf8" | "ignore_once", false) => continue,
                ("allow_initial_skip", false) => "what is ignored may always stand before the first lexeme",
                ("allow_invalid_utf8", true) => "texts are UTF-8",
                ("ignore_once", true) => "what is ignored may be repeated: write the blanks into the rules",
                _ => "this option is not known",
            };
            let message = format!("`{name}`: {is_on} is not supported: {help}");
            return Err(self.scanner.unsupported(byte, "%llguidance", message));
        }
        Ok(())
    }
}
