//! Every limit of the crate by name: what grows is bounded here, and nowhere else.

/// Deepest nesting of a JSON text that the reader takes (schemas and documents).
pub const JSON_DEPTH_MAX: usize = 1_000;
/// Most values of one JSON text, nested ones included.
pub const JSON_VALUES_MAX: usize = 8_000_000;
/// Longest schema text, in bytes; with all documents that it refers to.
pub const SCHEMA_BYTES_MAX: usize = 64 << 20;
/// Most documents that the references of one schema may lead to.
pub const REFERRED_DOCUMENTS_MAX: usize = 256;
/// Most metaschemas that the `$schema` of one document may lead through to a draft.
pub const METASCHEMAS_MAX: usize = 8;
/// Most nodes of one schema program.
pub const PROGRAM_NODES_MAX: usize = 2_000_000;
/// Most bytes that the JSON Pointers kept with a program and with its report may take, each.
pub const POINTERS_BYTES_MAX: usize = 256 << 20;
/// Deepest nesting of groups in one pattern.
pub const PATTERN_DEPTH_MAX: usize = 100;
/// Longest pattern, in bytes.
pub const PATTERN_BYTES_MAX: usize = 64 << 10;
/// Longest name of a format that the caller defines, in bytes.
pub const FORMAT_NAME_BYTES_MAX: usize = 256;
/// Most formats that the caller defines.
pub const FORMATS_MAX: usize = 1_024;
/// Most nodes of the regexes of all formats that the caller defines.
pub const FORMATS_NODES_MAX: usize = 1_000_000;
/// Most terms that one question "does any text match?" may visit.
pub const EMPTINESS_TERMS_MAX: usize = 50_000;
/// Most steps that such a question may take: the sum of what the successors of the terms visited take, each time.
pub const EMPTINESS_STEPS_MAX: usize = 10_000_000;
/// Most terms that are visited to see whether a text or number formula plainly follows from another.
pub const PLAIN_TERMS_MAX: usize = 100;
/// Most distinct successor ranges that one term may have.
pub const SUCCESSOR_RANGES_MAX: usize = 20_000;
/// Most steps (pieces of the code points times terms joined over a piece) that one term's successors may take, those of
/// its costliest part included.
pub const SUCCESSOR_STEPS_MAX: usize = 2_000_000;
/// Deepest nesting of a regular expression tree.
pub const REGEX_DEPTH_MAX: usize = 2_000;
/// Most combinations of alternatives that are looked at while it is decided whether a container can be completed.
pub const ALTERNATIVES_MAX: usize = 20_000;
/// Most combinations of conditions, satisfied now or left for later, that are looked at to find what one member or item must
/// satisfy.
pub const DUTIES_MAX: usize = 4_096;
/// Most steps that all questions of one mask, commit or compilation may take together, about 0.2 microseconds each.
pub const QUESTION_STEPS_MAX: u32 = 1_000_000;
/// Most guesses at the members that plainly complete an object, in one question; beyond it a search decides.
pub const GUESSES_MAX: usize = 8;
/// Most steps of guessing which of an object's names plainly may come next; beyond it each is a question of its own.
pub const GUESSING_STEPS_MAX: usize = 4_000_000;
/// So many conditions that count items, and that one item may satisfy or not, are always decided; more are where few of them can hold
/// together.
pub const OPEN_ATOMS_MAX: usize = 10;
/// Most sets of conditions on which it hangs what `unevaluatedProperties` or `unevaluatedItems` leaves, where some cover what matches a
/// pattern or is contained; those that only cover names and positions one by one are not counted.
pub const COVERING_CONDITIONS_MAX: usize = 6;
/// Most kinds of names that an object does not know, by which of its patterns match them.
pub const KEY_CLASSES_MAX: usize = 64;
/// Most ways to find members for the conditions that ask for some, in one question whether an object can be completed.
pub const MEMBER_CHOICES_MAX: usize = 20_000;
/// Most questions "how many values?" of which one is part of the next.
pub const DOMAIN_DEPTH_MAX: usize = 4;
/// Steps after which the place that is too hard is no longer looked for in a refused schema.
pub const PLACE_STEPS_MAX: usize = 4_000_000;
/// Most arrays and objects that are made to count how many values a formula has.
pub const LISTED_VALUES_MAX: usize = 500;
/// Most steps to make them.
pub const LISTING_STEPS_MAX: usize = 4_000;
/// Most alternatives of an array or object that are looked at one by one.
pub const CLAUSES_LISTED_MAX: usize = 64;
/// Most bytes that are tried to find a value that no other item of an array has.
pub const UNUSED_STEPS_MAX: usize = 20_000;
/// Most terms that the question "does it match infinitely many texts?" may visit.
pub const COUNTED_TERMS_MAX: usize = 2_000;
/// So many names of one kind count as endless: no object has as many members.
pub const ENDLESS_FROM: u64 = 1 << 40;
/// Most names that patterns allow one by one, so that an object knows them like declared ones.
pub const FEW_NAMES_MAX: usize = 64;
/// Most names used that are compared where patterns allow few names.
pub const NAMES_COUNTED_MAX: usize = 4_096;
/// Most entries of a vocabulary.
pub const VOCABULARY_TOKENS_MAX: usize = 4_000_000;
/// Longest token, in bytes.
pub const TOKEN_BYTES_MAX: usize = 4_096;
/// Largest tokenizer file, in bytes.
pub const TOKENIZER_FILE_BYTES_MAX: usize = 1 << 30;
/// Most bytes that one question for forced bytes answers with.
pub const FORCED_BYTES_MAX: usize = 4_096;
/// Most entries of one table of a universe (states, frames, formulas).
pub const UNIVERSE_ENTRIES_MAX: usize = 1 << 23;
/// About how many bytes the tables of a universe may take, unless the compiler is told another number.
pub const UNIVERSE_BYTES: usize = 384 << 20;
/// Most bytes that all tokens of a vocabulary spell together.
pub const VOCABULARY_BYTES_MAX: usize = 1 << 30;
/// Deepest nesting of arrays in the metadata of a GGUF file.
pub const GGUF_ARRAY_DEPTH_MAX: usize = 4;
/// Most steps of the decoder in a tokenizer file.
pub const DECODER_STEPS_MAX: usize = 64;
/// Most steps in counting what bounds leave of the next digits of a multiple.
pub const INTERVAL_TERMS_MAX: usize = 20_000;
/// Most digits of a generated number, its exponent aside.
pub const NUMBER_DIGITS_MAX: u32 = 400;
/// Most digits of a generated number's exponent.
pub const EXPONENT_DIGITS_MAX: u32 = 4;
/// Most multiples of a fraction between 0 and 1.
pub const FRACTIONS_MAX: u64 = 10_000;
/// Greatest divisor of numbers, its digits taken without the point: ten times a remainder and a digit fit 128 bits.
pub const DIVISOR_MAX: u128 = 10_u128.pow(37);
/// Most divisors of one number that must not divide; conditions with more are kept apart.
pub const OTHER_DIVISORS_MAX: usize = 32;
/// Most pairs of conditions on a number that are joined into conjunctions, where exponents are spelled.
pub const VALUES_JOINED_MAX: usize = 10_000;
/// The same where they are not.
pub const VALUES_JOINED_PLAIN_MAX: usize = 64;
/// Most digits on either side of the point of a number in a schema, written without exponent.
pub const DECIMAL_PLACES_MAX: usize = 400;
/// Largest regex, in nodes, that one pattern may become; also bounds the work of reading it.
pub const PATTERN_NODES_MAX: usize = 1_000_000;
/// Most parts of a pattern whose assertions ask for a table of states that are taken apart.
pub const PATTERN_PIECES_MAX: usize = 16;
/// Most positions of a pattern whose assertions ask for a table of states: its characters, with counted loops written out.
pub const PATTERN_POSITIONS_MAX: usize = 10_000;
/// Most boolean functions that such a pattern may need for its states.
pub const PATTERN_FORMULAS_MAX: usize = 1 << 20;
/// Most steps of work on such functions.
pub const PATTERN_STEPS_MAX: usize = 5_000_000;
/// Most states that such a pattern may have before equal ones are merged.
pub const PATTERN_STATES_MAX: usize = 20_000;
/// Most transitions of those states by kinds of characters that the pattern tells apart.
pub const PATTERN_TRANSITIONS_MAX: usize = 1 << 20;
/// Most rules of one grammar.
pub const GRAMMAR_RULES_MAX: usize = 100_000;
/// Most expressions of one grammar.
pub const GRAMMAR_EXPRS_MAX: usize = 2_000_000;
/// Largest regex, in nodes, that a rule without recursion is read as; larger ones stay rules.
pub const REGULAR_RULE_SIZE_MAX: usize = 50_000;
/// Deepest such regex.
pub const REGULAR_RULE_DEPTH_MAX: usize = 100;
/// Most nodes of such regexes that are written in place of calls.
pub const REGULAR_COPIES_MAX: usize = 2_000_000;
/// Most rules that call each other before they read something.
pub const LEFT_RECURSION_RULES_MAX: usize = 64;
/// Most items (positions over frames) that one byte of an ambiguous text may move.
pub const GRAMMAR_ITEMS_MAX: usize = 100_000;
/// Most items of all lists that a universe keeps for grammars: positions of states, who waits on frames, what can be read first.
pub const GRAMMAR_LISTED_MAX: usize = 1 << 26;
/// Most tokens, counted once for each place, that are listed because a text of a grammar may end in them where it could also go on;
/// beyond it masks are found byte by byte.
pub const SPLIT_TOKENS_MAX: usize = 20_000;
/// Most classes of positions that one mask of a grammar puts together, large ones counted several times
/// ([`GRAMMAR_CLASS_NODES`]); beyond it the mask is found byte by byte.
pub const GRAMMAR_CLASSES_MAX: usize = 20_000;
/// A class is counted once more for so many nodes of the trie that it is about.
pub const GRAMMAR_CLASS_NODES: usize = 4_096;
/// Longest text of a grammar, in bytes.
pub const GRAMMAR_BYTES_MAX: usize = 4 << 20;
/// Deepest nesting of brackets in the text of a grammar.
pub const GRAMMAR_DEPTH_MAX: usize = 1_000;
/// Most hints that one text of a grammar is answered with.
pub const GRAMMAR_HINTS_MAX: usize = 64;
/// Most nodes of the regexes that the differences of one grammar are made of, all together.
pub const GRAMMAR_REGULAR_NODES_MAX: usize = 200_000;
/// Deepest nesting of such a regex.
pub const GRAMMAR_REGULAR_DEPTH_MAX: usize = 500;
/// Most states (derivatives) of one regex that a part of a grammar is restricted by.
pub const GRAMMAR_PRODUCT_STATES_MAX: usize = 4_000;
/// Most triples of such a product: an expression, the state before its text and the state behind.
pub const GRAMMAR_PRODUCT_TRIPLES_MAX: usize = 300_000;
/// Most steps in working out all restrictions of one grammar.
pub const GRAMMAR_PRODUCT_STEPS_MAX: usize = 10_000_000;
/// Most pairs of a count of rounds and a state that are told apart in one repetition.
pub const GRAMMAR_PRODUCT_ROUNDS_MAX: usize = 10_000;
/// Most pairs of alternatives, and parts of them, that are looked at to see where grammars stand in a schema.
pub const SENTENCE_STEPS_MAX: usize = 2_000_000;
/// Most ways to satisfy what is asked of a string, where grammars are part of it.
pub const SENTENCE_WAYS_MAX: usize = 64;
/// Most formats of one structural tag, nested ones included.
pub const TAG_FORMATS_MAX: usize = 200_000;
/// Most bytes of the triggers, ends and excluded texts of all free texts of one structural tag, once for each trigger.
pub const TAG_FREE_BYTES_MAX: usize = 4 << 20;
/// Longest text that begins or ends something in a structural tag, in bytes.
pub const TAG_MARK_BYTES_MAX: usize = 2_048;
/// Most tools of one request.
pub const TOOLS_MAX: usize = 20_000;
/// Longest name of a tool, in bytes.
pub const TOOL_NAME_BYTES_MAX: usize = 256;
/// Longest text of a grammar in Lark, in bytes.
pub const LARK_BYTES_MAX: usize = 1 << 20;
/// Deepest nesting of groups in a rule of such a grammar.
pub const LARK_DEPTH_MAX: usize = 200;
/// Most nodes of such a grammar, those that templates make included.
pub const LARK_NODES_MAX: usize = 1_000_000;
/// Deepest tree of what a terminal of such a grammar is made of, other terminals included.
pub const LARK_TERMINAL_DEPTH_MAX: usize = 1_000;
/// Most nodes of the regexes of all its terminals.
pub const LARK_TERMINAL_NODES_MAX: usize = 2_000_000;
/// Most places in the chunks of a text whose runs a terminal of it matches, steps between them included.
pub const SUBSTRING_PLACES_MAX: usize = 1 << 20;
/// Most instances of its templates.
pub const LARK_INSTANCES_MAX: usize = 1_000;
/// Most terminals of a grammar with a lexer.
pub const LEXING_TERMINALS_MAX: usize = 1_000;
/// Most parts of the rules of such a grammar.
pub const LEXING_PARTS_MAX: usize = 20_000;
/// Most regex terms visited to see whether one lexeme may be read as a longer one.
pub const LEXING_TERMS_MAX: usize = 50_000;
/// Most steps in seeing whether lexemes may be read as longer ones, for all terminals of a grammar.
pub const LEXING_LOOKS_MAX: usize = 300_000;
/// Most sets of texts that must not follow a lexeme, in one grammar; at most 64.
pub const LEXING_GUARDS_MAX: usize = 48;
/// Most times that alternatives which begin alike are written as one inside each other.
pub const LEXING_FACTORS_MAX: usize = 32;
/// Most doubts about what may stand in a place that one grammar is answered with.
pub const LEXING_DOUBTS_MAX: usize = 64;
/// Most of grammars with a lexer that a compiler keeps with what was made of them, to know them again: parts of rules, expressions, and
/// parts of regexes. What is compiled beyond is compiled anew each time.
pub const LEXINGS_KEPT_SIZE_MAX: usize = 1_000_000;
/// Most rounds of a counted repetition that are written out where guards ask for it.
pub const LEXING_ROUNDS_MAX: u32 = 256;
/// Most steps in finding out which terminals follow each other: looks at a part.
pub const LEXING_STEPS_MAX: usize = 50_000_000;
/// Most terminals in the rules of such a grammar, each counted where it stands, for which places are told apart by all that was
/// read before.
pub const LEXING_LEAVES_MAX: usize = 2_000;
/// Most sets of these that may have been read last.
pub const LEXING_SETS_MAX: usize = 2_000;
/// Longest description of what is left to match, in bytes, before it is cut.
pub const WORDS_BYTES_MAX: usize = 160;
/// Most states that a map of an automaton shows.
pub const MAP_STATES_MAX: usize = 10_000;
/// Most items of rules that an explanation makes, at all places of a text; a longer text is explained by its bytes alone.
pub const EXPLAIN_STEPS_MAX: usize = 1_000_000;
/// Most configurations that a search for the end of a text reaches.
pub const ENDING_STEPS_MAX: usize = 50_000;
/// Most parts of formulas that one search for the end of a text looks at for its estimates.
pub const LEAST_STEPS_MAX: usize = 1_000_000;
/// Deepest nesting of what such an estimate looks at.
pub const LEAST_DEPTH_MAX: usize = 64;
