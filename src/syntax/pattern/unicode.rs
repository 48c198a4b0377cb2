//! Unicode properties by the names that ECMA-262 knows, which are exact: `Script=Greek`, never `greek`.
//!
//! The sets come from the tables of `regex-syntax`; it reads names loosely, so a name is first looked up in the lists
//! below: the General_Category values, Script values and binary properties of the standard, with their aliases, all but
//! `Changes_When_NFKC_Casefolded`, for which there is no table. `Script=Unknown` is what no other script has.

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};

use crate::grammar::regex::CharSet;

/// The set that `\p{name}` means; `None`: not a name of the standard, or one that the tables lack.
pub(super) fn property(name: &str) -> Option<CharSet> {
    if let Some((key, value)) = name.split_once('=') {
        let (key, known) = match key {
            "General_Category" | "gc" => ("gc", CATEGORIES),
            "Script" | "sc" => ("sc", SCRIPTS),
            "Script_Extensions" | "scx" => ("scx", SCRIPTS),
            _ => return None,
        };
        if key != "gc" && matches!(value, "Unknown" | "Zzzz") {
            return Some(no_script());
        }
        return if lists(known, value) { look_up(&format!("{key}={value}")) } else { None };
    }
    match name {
        "Any" => Some(CharSet::any()),
        "ASCII" => Some(CharSet::from_ranges([(0, 0x7F)])),
        "Assigned" => look_up("gc=Cn").map(|unassigned| unassigned.complement()),
        _ if lists(CATEGORIES, name) => look_up(&format!("gc={name}")),
        _ if lists(BINARY, name) => look_up(name),
        _ => None,
    }
}

fn lists(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|known| known == name)
}

/// The characters of no script.
fn no_script() -> CharSet {
    let scripts = SCRIPTS.split_whitespace().filter_map(|name| look_up(&format!("sc={name}")));
    CharSet::from_ranges(scripts.flat_map(|set| set.ranges().to_vec())).complement()
}

/// The characters with the same simple case folding as a member: those that the flag `i` takes for one.
pub(super) fn case_closure(set: &CharSet) -> CharSet {
    let ranges = set
        .ranges()
        .iter()
        .filter_map(|&(low, high)| Some(ClassUnicodeRange::new(char::from_u32(low)?, char::from_u32(high)?)));
    let mut class = ClassUnicode::new(ranges);
    class.case_fold_simple();
    CharSet::from_ranges(class.ranges().iter().map(|r| (u32::from(r.start()), u32::from(r.end()))))
}

/// The class that `regex-syntax` has for a query.
fn look_up(query: &str) -> Option<CharSet> {
    // Surrogates are no scalar values: this category is empty here.
    if matches!(query, "gc=Surrogate" | "gc=Cs") {
        return Some(CharSet::empty());
    }
    let hir = regex_syntax::Parser::new().parse(&format!("\\p{{{query}}}")).ok()?;
    match hir.kind() {
        HirKind::Class(Class::Unicode(class)) => Some(CharSet::from_ranges(
            class.ranges().iter().map(|r| (u32::from(r.start()), u32::from(r.end()))),
        )),
        HirKind::Class(Class::Bytes(class)) => Some(CharSet::from_ranges(
            class.ranges().iter().map(|r| (u32::from(r.start()), u32::from(r.end()))),
        )),
        HirKind::Literal(literal) => std::str::from_utf8(&literal.0).ok().map(CharSet::of),
        _ => None,
    }
}

/// Every name that the lists allow.
#[cfg(test)]
pub(super) fn all_names() -> impl Iterator<Item = String> {
    let with = |key: &'static str, names: &'static str| {
        names.split_whitespace().map(move |name| format!("{key}{name}"))
    };
    with("", CATEGORIES)
        .chain(with("gc=", CATEGORIES))
        .chain(with("", BINARY))
        .chain(with("Script=", SCRIPTS))
        .chain(with("scx=", SCRIPTS))
}

const CATEGORIES: &str = "\
    Cased_Letter LC Close_Punctuation Pe Connector_Punctuation Pc Control Cc cntrl Currency_Symbol Sc \
    Dash_Punctuation Pd Decimal_Number Nd digit Enclosing_Mark Me Final_Punctuation Pf Format Cf \
    Initial_Punctuation Pi Letter L Letter_Number Nl Line_Separator Zl Lowercase_Letter Ll Mark M \
    Combining_Mark Math_Symbol Sm Modifier_Letter Lm Modifier_Symbol Sk Nonspacing_Mark Mn Number N \
    Open_Punctuation Ps Other C Other_Letter Lo Other_Number No Other_Punctuation Po Other_Symbol So \
    Paragraph_Separator Zp Private_Use Co Punctuation P punct Separator Z Space_Separator Zs Spacing_Mark Mc \
    Surrogate Cs Symbol S Titlecase_Letter Lt Unassigned Cn Uppercase_Letter Lu";

const BINARY: &str = "\
    ASCII_Hex_Digit AHex Alphabetic Alpha Bidi_Control Bidi_C Bidi_Mirrored Bidi_M Case_Ignorable CI Cased \
    Changes_When_Casefolded CWCF Changes_When_Casemapped CWCM Changes_When_Lowercased CWL \
    Changes_When_Titlecased CWT Changes_When_Uppercased CWU Dash \
    Default_Ignorable_Code_Point DI Deprecated Dep Diacritic Dia Emoji Emoji_Component EComp Emoji_Modifier \
    EMod Emoji_Modifier_Base EBase Emoji_Presentation EPres Extended_Pictographic ExtPict Extender Ext \
    Grapheme_Base Gr_Base Grapheme_Extend Gr_Ext Hex_Digit Hex IDS_Binary_Operator IDSB IDS_Trinary_Operator \
    IDST ID_Continue IDC ID_Start IDS Ideographic Ideo Join_Control Join_C Logical_Order_Exception LOE \
    Lowercase Lower Math Noncharacter_Code_Point NChar Pattern_Syntax Pat_Syn Pattern_White_Space Pat_WS \
    Quotation_Mark QMark Radical Regional_Indicator RI Sentence_Terminal STerm Soft_Dotted SD \
    Terminal_Punctuation Term Unified_Ideograph UIdeo Uppercase Upper Variation_Selector VS White_Space \
    space XID_Continue XIDC XID_Start XIDS";

const SCRIPTS: &str = "\
    Adlam Adlm Ahom Anatolian_Hieroglyphs Hluw Arabic Arab Armenian Armn Avestan Avst Balinese Bali Bamum \
    Bamu Bassa_Vah Bass Batak Batk Bengali Beng Bhaiksuki Bhks Bopomofo Bopo Brahmi Brah Braille Brai \
    Buginese Bugi Buhid Buhd Canadian_Aboriginal Cans Carian Cari Caucasian_Albanian Aghb Chakma Cakm Cham \
    Cherokee Cher Chorasmian Chrs Common Zyyy Coptic Copt Qaac Cuneiform Xsux Cypriot Cprt Cypro_Minoan Cpmn \
    Cyrillic Cyrl Deseret Dsrt Devanagari Deva Dives_Akuru Diak Dogra Dogr Duployan Dupl \
    Egyptian_Hieroglyphs Egyp Elbasan Elba Elymaic Elym Ethiopic Ethi Garay Gara Georgian Geor Glagolitic \
    Glag Gothic Goth Grantha Gran Greek Grek Gujarati Gujr Gunjala_Gondi Gong Gurmukhi Guru Gurung_Khema \
    Gukh Han Hani Hangul Hang Hanifi_Rohingya Rohg Hanunoo Hano Hatran Hatr Hebrew Hebr Hiragana Hira \
    Imperial_Aramaic Armi Inherited Qaai Zinh Inscriptional_Pahlavi Phli Inscriptional_Parthian Prti \
    Javanese Java Kaithi Kthi Kannada Knda Katakana Kana Kawi Kayah_Li Kali Kharoshthi Khar \
    Khitan_Small_Script Kits Khmer Khmr Khojki Khoj Khudawadi Sind Kirat_Rai Krai Lao Laoo Latin Latn Lepcha \
    Lepc Limbu Limb Linear_A Lina Linear_B Linb Lisu Lycian Lyci Lydian Lydi Mahajani Mahj Makasar Maka \
    Malayalam Mlym Mandaic Mand Manichaean Mani Marchen Marc Masaram_Gondi Gonm Medefaidrin Medf \
    Meetei_Mayek Mtei Mende_Kikakui Mend Meroitic_Cursive Merc Meroitic_Hieroglyphs Mero Miao Plrd Modi \
    Mongolian Mong Mro Mroo Multani Mult Myanmar Mymr Nabataean Nbat Nag_Mundari Nagm Nandinagari Nand \
    New_Tai_Lue Talu Newa Nko Nkoo Nushu Nshu Nyiakeng_Puachue_Hmong Hmnp Ogham Ogam Ol_Chiki Olck Ol_Onal \
    Onao Old_Hungarian Hung Old_Italic Ital Old_North_Arabian Narb Old_Permic Perm Old_Persian Xpeo \
    Old_Sogdian Sogo Old_South_Arabian Sarb Old_Turkic Orkh Old_Uyghur Ougr Oriya Orya Osage Osge Osmanya \
    Osma Pahawh_Hmong Hmng Palmyrene Palm Pau_Cin_Hau Pauc Phags_Pa Phag Phoenician Phnx Psalter_Pahlavi \
    Phlp Rejang Rjng Runic Runr Samaritan Samr Saurashtra Saur Sharada Shrd Shavian Shaw Siddham Sidd \
    SignWriting Sgnw Sinhala Sinh Sogdian Sogd Sora_Sompeng Sora Soyombo Soyo Sundanese Sund Sunuwar Sunu \
    Syloti_Nagri Sylo Syriac Syrc Tagalog Tglg Tagbanwa Tagb Tai_Le Tale Tai_Tham Lana Tai_Viet Tavt Takri \
    Takr Tamil Taml Tangsa Tnsa Tangut Tang Telugu Telu Thaana Thaa Thai Tibetan Tibt Tifinagh Tfng Tirhuta \
    Tirh Todhri Todr Toto Tulu_Tigalari Tutg Ugaritic Ugar Vai Vaii Vithkuqi Vith Wancho Wcho \
    Warang_Citi Wara Yezidi Yezi Yi Yiii Zanabazar_Square Zanb";
