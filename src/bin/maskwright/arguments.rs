//! Options that several subcommands share: the vocabulary, the surface policy, formats.

use std::io::Read;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{Args, ValueEnum};
use maskwright::{
    CompilerConfig, DialectName, FormatsAre, KeyOrder, NumberSpelling, Resolver, SurfacePolicy, TokenId,
    Vocabulary, Whitespace,
};

use crate::Failure;
use crate::progress::Timed;

/// The text of a file with a schema or a grammar, or of standard input for `-`.
pub(crate) fn text(path: &str) -> Result<String, Failure> {
    String::from_utf8(read_bytes(path)?).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        Failure(format!("{path} is not UTF-8 at byte {at}"))
    })
}

/// Whether standard input has been read: a second time it would be empty.
static INPUT_IS_READ: AtomicBool = AtomicBool::new(false);

/// The bytes of a file, or of standard input for `-`.
pub(crate) fn read_bytes(path: &str) -> Result<Vec<u8>, Failure> {
    let read = if path == "-" {
        if INPUT_IS_READ.swap(true, Ordering::Relaxed) {
            return Err(Failure("- is given twice, and standard input can be read once".into()));
        }
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(path)
    };
    read.map_err(|e| Failure(format!("can't read {path}: {e}")))
}

/// Which vocabulary.
#[derive(Args, Debug)]
pub(crate) struct VocabularyArguments {
    /// A tokenizer file: tokenizer.json, a `.gguf` model, a `.tiktoken` file or a `.pack`. Default: the built-in demo vocabulary.
    #[arg(long, value_name = "FILE")]
    pub(crate) tokenizer: Option<PathBuf>,
    /// Ids that end a text, instead of those that the tokenizer file names. May be repeated.
    #[arg(long = "stop", value_name = "ID")]
    stop: Vec<u32>,
}

impl VocabularyArguments {
    /// Loads the vocabulary.
    pub(crate) fn load(&self) -> Result<Vocabulary, Failure> {
        let vocabulary = match &self.tokenizer {
            None => Vocabulary::demo(),
            Some(path) => {
                let timed = Timed::start(format!("reading {}", path.display()));
                let vocabulary = match path.extension().and_then(|e| e.to_str()) {
                    Some("gguf") => Vocabulary::from_gguf(path),
                    Some("pack") => Vocabulary::load_pack(path),
                    Some("tiktoken") => Vocabulary::from_tiktoken(path, &[]),
                    _ => Vocabulary::from_tokenizer_json(path),
                };
                timed.end();
                // The loaders name the file where it can't be read.
                let named =
                    |e: String, path: String| if e.starts_with(&path) { e } else { format!("{path}: {e}") };
                vocabulary.map_err(|e| Failure(named(e.to_string(), path.display().to_string())))?
            }
        };
        if self.stop.is_empty() {
            return Ok(vocabulary);
        }
        let stop: Vec<TokenId> = self.stop.iter().map(|&id| TokenId(id)).collect();
        Ok(vocabulary.with_stop_tokens(&stop)?)
    }
}

/// Which spellings.
#[derive(Args, Debug)]
struct PolicyArguments {
    /// Insignificant whitespace.
    #[arg(long, value_enum, default_value = "bounded")]
    whitespace: WhitespaceChoice,
    /// Spellings of numbers.
    #[arg(long, value_enum, default_value = "plain")]
    numbers: NumberChoice,
    /// Order of an object's members.
    #[arg(long, value_enum, default_value = "declared")]
    key_order: OrderChoice,
    /// The widest policy: `--whitespace free --numbers all --key-order any`.
    #[arg(long, conflicts_with_all = ["whitespace", "numbers", "key_order"])]
    permissive: bool,
}

/// Values of `--whitespace`.
#[derive(Clone, Copy, ValueEnum, Debug)]
enum WhitespaceChoice {
    /// None at all.
    None,
    /// At most one line break and 128 blanks where JSON texts usually have them.
    Bounded,
    /// As RFC 8259.
    Free,
}

/// Values of `--numbers`.
#[derive(Clone, Copy, ValueEnum, Debug)]
enum NumberChoice {
    /// No exponents.
    Plain,
    /// Exponents too.
    All,
}

/// Values of `--key-order`.
#[derive(Clone, Copy, ValueEnum, Debug)]
enum OrderChoice {
    /// As the schema declares them.
    Declared,
    /// Any.
    Any,
}

impl PolicyArguments {
    /// The policy.
    fn policy(&self) -> SurfacePolicy {
        if self.permissive {
            return SurfacePolicy::permissive();
        }
        SurfacePolicy {
            whitespace: match self.whitespace {
                WhitespaceChoice::None => Whitespace::None,
                WhitespaceChoice::Bounded => Whitespace::Bounded,
                WhitespaceChoice::Free => Whitespace::Free,
            },
            numbers: match self.numbers {
                NumberChoice::Plain => NumberSpelling::Plain,
                NumberChoice::All => NumberSpelling::All,
            },
            key_order: match self.key_order {
                OrderChoice::Declared => KeyOrder::Declared,
                OrderChoice::Any => KeyOrder::Any,
            },
        }
    }
}

/// Values of `--dialect`.
#[derive(Clone, Copy, ValueEnum, Debug)]
enum DialectChoice {
    #[value(name = "draft-04")]
    Draft4,
    #[value(name = "draft-06")]
    Draft6,
    #[value(name = "draft-07")]
    Draft7,
    #[value(name = "2019-09")]
    Draft2019,
    #[value(name = "2020-12")]
    Draft2020,
    /// Schema objects of OpenAPI 3.0: `nullable`.
    #[value(name = "openapi-3.0")]
    OpenApi30,
    #[value(name = "openapi-3.1")]
    OpenApi31,
}

/// How the schema is read: which spellings, which dialect, which formats, and where its references lead.
#[derive(Args, Debug)]
pub(crate) struct ReadingArguments {
    #[command(flatten)]
    policy: PolicyArguments,
    /// The dialect of schemas that state none with `$schema`.
    #[arg(long, value_enum, default_value = "2020-12")]
    dialect: DialectChoice,
    /// A document that references may lead to: its URI, or the relative reference as the schema has it, and a file. May be
    /// repeated.
    #[arg(id = "referred", long = "document", value_name = "URI=FILE")]
    referred: Vec<String>,
    /// Take every `format` for an annotation.
    #[arg(long)]
    no_formats: bool,
    /// A format that the schema uses and the specification doesn't define: an ECMA-262 pattern that the whole text must
    /// match. May be repeated.
    #[arg(long = "format", value_name = "NAME=PATTERN")]
    formats: Vec<String>,
    /// Refuse a `format` that neither the specification nor `--format` defines; else it is an annotation.
    #[arg(long)]
    strict: bool,
}

impl ReadingArguments {
    /// The compiler's configuration.
    pub(crate) fn config(&self) -> Result<CompilerConfig, Failure> {
        let mut config = CompilerConfig::with_policy(self.policy.policy());
        config.strict = self.strict;
        config.dialect = match self.dialect {
            DialectChoice::Draft4 => DialectName::Draft4,
            DialectChoice::Draft6 => DialectName::Draft6,
            DialectChoice::Draft7 => DialectName::Draft7,
            DialectChoice::Draft2019 => DialectName::Draft2019,
            DialectChoice::Draft2020 => DialectName::Draft2020,
            DialectChoice::OpenApi30 => DialectName::OpenApi30,
            DialectChoice::OpenApi31 => DialectName::OpenApi31,
        };
        if self.no_formats {
            config.formats_are = FormatsAre::Annotations;
        }
        let mut documents = Vec::new();
        for document in &self.referred {
            // A URI may have an equals sign, a file seldom has.
            let Some((uri, path)) = document.rsplit_once('=') else {
                return Err(Failure(format!("--document {document}: expected URI=FILE")));
            };
            documents.push((uri.to_owned(), text(path)?));
        }
        if !documents.is_empty() {
            config.resolver = Resolver::of_documents(documents);
        }
        for format in &self.formats {
            let Some((name, pattern)) = format.split_once('=') else {
                return Err(Failure(format!("--format {format}: expected NAME=PATTERN")));
            };
            config = config.with_format(name, pattern)?;
        }
        Ok(config)
    }
}
