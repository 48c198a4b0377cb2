//! The code points of internationalized labels (RFC 5892), from Unicode properties, and what their order depends on.
//!
//! Only the Basic Multilingual Plane: that keeps code points near to each other, and so their Punycode short.

use crate::grammar::regex::CharSet;
use crate::syntax::pattern::property;

/// The letters, digits and marks that RFC 5892 calls PVALID, by what may follow what.
pub(super) struct CodePoints {
    /// Letters and digits of left-to-right labels. The hyphen is not among them.
    pub(super) left: CharSet,
    /// Letters of right-to-left labels: their bidirectional class is R or AL.
    pub(super) right: CharSet,
    /// Marks of class 0 in the order of RFC 5891's normalization: any number of them may follow each other.
    pub(super) free_marks: CharSet,
    /// All other marks: two in a row may be out of order.
    pub(super) ordered_marks: CharSet,
    /// Marks behind letters of right-to-left labels.
    pub(super) right_marks: CharSet,
}

impl CodePoints {
    pub(super) fn new() -> Self {
        let valid = valid();
        let marks = named(&["Mn", "Mc"]).intersection(&valid);
        let rest = valid.difference(&marks);
        let zone = set(RIGHT_TO_LEFT);
        let digits = set(&[ARABIC_INDIC, EXTENDED_ARABIC_INDIC]);
        let left_marks = marks.difference(&zone).difference(&set(LEFT_OUT)).difference(&set(SECONDS));
        let free_marks = left_marks.intersection(&set(FREE_MARKS));
        Self {
            left: rest.difference(&zone).union(&set(&[EXTENDED_ARABIC_INDIC])),
            right: rest.intersection(&zone).difference(&digits),
            ordered_marks: left_marks.difference(&free_marks),
            free_marks,
            right_marks: marks.intersection(&zone).difference(&set(LEFT_OUT)),
        }
    }
}

/// Inclusive ranges of code points.
type Ranges = [(u32, u32)];

/// The set of these ranges.
pub(super) fn set(ranges: &Ranges) -> CharSet {
    CharSet::from_ranges(ranges.iter().copied())
}

/// The code points with any of these properties.
fn named(properties: &[&str]) -> CharSet {
    let known =
        |name: &&str| property(name).expect("properties of the standard are known: a test asks for all");
    properties.iter().map(known).fold(CharSet::empty(), |all, each| all.union(&each))
}

/// PVALID by the rules of RFC 5892, section 3; of the Basic Multilingual Plane.
///
/// Code points with contextual rules are not among them.
fn valid() -> CharSet {
    let letters = named(&["Ll", "Lu", "Lo", "Nd", "Lm", "Mn", "Mc"]).intersection(&set(&[(0, 0xFFFF)]));
    letters
        // Unstable under case folding and compatibility composition.
        .difference(&named(&["Changes_When_Casefolded"]))
        .difference(&set(COMPATIBILITY))
        // Ignorable properties and blocks.
        .difference(&named(&["Default_Ignorable_Code_Point", "Noncharacter_Code_Point"]))
        .difference(&set(&[(0x20D0, 0x20FF)]))
        // Old Hangul, of which syllables are composed.
        .difference(&set(&[(0x1100, 0x11FF), (0xA960, 0xA97F), (0xD7B0, 0xD7FF)]))
        // The exceptions of section 2.6.
        .difference(&CharSet::of(
            "\u{640}\u{7FA}\u{302E}\u{302F}\u{3031}\u{3032}\u{3033}\u{3034}\u{3035}\u{303B}",
        ))
        .union(&CharSet::of("\u{DF}\u{3C2}\u{6FD}\u{6FE}\u{F0B}\u{3007}"))
}

/// Letters and marks that NFKC changes and case folding doesn't, with what lies between them and is neither.
const COMPATIBILITY: &Ranges = &[
    (0xAA, 0xBA),
    (0x133, 0x133),
    (0x140, 0x140),
    (0x149, 0x149),
    (0x1C6, 0x1CC),
    (0x1F3, 0x1F3),
    (0x2B0, 0x2B8),
    (0x2E0, 0x2E4),
    (0x340, 0x341),
    (0x343, 0x344),
    (0x374, 0x374),
    (0x37A, 0x37A),
    (0x3D2, 0x3D4),
    (0x3F2, 0x3F2),
    (0x675, 0x678),
    (0x958, 0x95F),
    (0x9DC, 0x9DF),
    (0xA33, 0xA33),
    (0xA36, 0xA36),
    (0xA59, 0xA5B),
    (0xA5E, 0xA5E),
    (0xB5C, 0xB5D),
    (0xE33, 0xE33),
    (0xEB3, 0xEB3),
    (0xEDC, 0xEDD),
    (0xF43, 0xF43),
    (0xF4D, 0xF4D),
    (0xF52, 0xF52),
    (0xF57, 0xF57),
    (0xF5C, 0xF5C),
    (0xF69, 0xF69),
    (0xF73, 0xF73),
    (0xF75, 0xF79),
    (0xF81, 0xF81),
    (0xF93, 0xF93),
    (0xF9D, 0xF9D),
    (0xFA2, 0xFA2),
    (0xFA7, 0xFA7),
    (0xFAC, 0xFAC),
    (0xFB9, 0xFB9),
    (0x10FC, 0x10FC),
    (0x1D2C, 0x1D2E),
    (0x1D30, 0x1D3A),
    (0x1D3C, 0x1D4D),
    (0x1D4F, 0x1D6A),
    (0x1D78, 0x1D78),
    (0x1D9B, 0x1DBF),
    (0x1F71, 0x1F71),
    (0x1F73, 0x1F73),
    (0x1F75, 0x1F75),
    (0x1F77, 0x1F77),
    (0x1F79, 0x1F79),
    (0x1F7B, 0x1F7B),
    (0x1F7D, 0x1F7D),
    (0x1FBE, 0x1FBE),
    (0x1FD3, 0x1FD3),
    (0x1FE3, 0x1FE3),
    (0x2071, 0x209C),
    (0x2102, 0x2149),
    (0x2C7C, 0x2C7D),
    (0x2D6F, 0x2D6F),
    (0x309F, 0x309F),
    (0x30FF, 0x30FF),
    (0x3131, 0x318E),
    (0xA69C, 0xA69D),
    (0xA770, 0xA770),
    (0xA7F2, 0xA7F4),
    (0xA7F8, 0xA7F9),
    (0xAB5C, 0xAB5F),
    (0xAB69, 0xAB69),
    (0xF900, 0xFA0D),
    (0xFA10, 0xFA10),
    (0xFA12, 0xFA12),
    (0xFA15, 0xFA1E),
    (0xFA20, 0xFA20),
    (0xFA22, 0xFA22),
    (0xFA25, 0xFA26),
    (0xFA2A, 0xFB1D),
    (0xFB1F, 0xFDFB),
    (0xFE70, 0xFE72),
    (0xFE74, 0xFFDC),
];

/// Where the scripts lie that are written from right to left.
const RIGHT_TO_LEFT: &Ranges = &[(0x590, 0x8FF), (0xFB1D, 0xFDFF), (0xFE70, 0xFEFF)];

/// Digits of bidirectional class AN.
pub(super) const ARABIC_INDIC: (u32, u32) = (0x660, 0x669);
/// Digits of class EN, as the ASCII digits.
pub(super) const EXTENDED_ARABIC_INDIC: (u32, u32) = (0x6F0, 0x6F9);

/// Ranges whose marks all have the canonical combining class 0.
const FREE_MARKS: &Ranges = &[
    (0x900, 0x93B),
    (0x93E, 0x94C),
    (0x94E, 0x94F),
    (0x955, 0x983),
    (0x9BE, 0x9CC),
    (0x9D7, 0x9E3),
    (0xA01, 0xA03),
    (0xA3E, 0xA4C),
    (0xA51, 0xA83),
    (0xABE, 0xACC),
    (0xAE2, 0xB03),
    (0xB3E, 0xB4C),
    (0xB55, 0xBCC),
    (0xBD7, 0xC04),
    (0xC3E, 0xC4C),
    (0xC62, 0xC83),
    (0xCBE, 0xCCC),
    (0xCD5, 0xD03),
    (0xD3E, 0xD4C),
    (0xD57, 0xD83),
    (0xDCF, 0xE37),
    (0xE47, 0xE47),
    (0xE4C, 0xEB7),
    (0xEBB, 0xEBC),
    (0xECC, 0xECD),
    (0xF3E, 0xF3F),
    (0xF7E, 0xF7F),
    (0xF8D, 0xFBC),
    (0x102B, 0x1036),
    (0x1038, 0x1038),
    (0x103B, 0x108C),
    (0x108F, 0x109D),
    (0x1712, 0x1713),
    (0x1732, 0x1733),
    (0x1752, 0x17D1),
    (0x17D3, 0x17D3),
];

/// Marks that NFC composes with what stands before them, of those that labels may hold; see [`FIRSTS`].
pub(super) const SECONDS: &Ranges = &[
    (0x93C, 0x93C),
    (0x9BE, 0x9BE),
    (0x9D7, 0x9D7),
    (0xB3E, 0xB3E),
    (0xB56, 0xB57),
    (0xBBE, 0xBBE),
    (0xBD7, 0xBD7),
    (0xCC2, 0xCC2),
    (0xCD5, 0xCD6),
    (0xD3E, 0xD3E),
    (0xD57, 0xD57),
    (0xDCA, 0xDCA),
    (0xDCF, 0xDCF),
    (0xDDF, 0xDDF),
    (0x102E, 0x102E),
];

/// Those of them whose class is not 0.
pub(super) const ORDERED_SECONDS: &str = "\u{93C}\u{DCA}";

/// Letters with which they compose. The marks with which they compose are all free.
pub(super) const FIRSTS: &str = "\u{928}\u{930}\u{933}\u{B92}\u{1025}";

/// Other marks that compose: labels with them are left out.
const LEFT_OUT: &Ranges =
    &[(0x300, 0x36F), (0x653, 0x655), (0xC56, 0xC56), (0x1B35, 0x1B35), (0x3099, 0x309A)];

/// Two ordered marks in a row, in order: Thai and Lao vowels below a letter, then a tone.
pub(super) const ORDERED_PAIRS: [((u32, u32), (u32, u32)); 2] =
    [((0xE38, 0xE39), (0xE48, 0xE4B)), ((0xEB8, 0xEB9), (0xEC8, 0xECB))];

/// Viramas, behind which a joiner may stand. All are ordered marks or ordered seconds.
pub(super) const VIRAMAS: &str = "\u{94D}\u{9CD}\u{A4D}\u{ACD}\u{B4D}\u{BCD}\u{C4D}\u{CCD}\u{D4D}\u{DCA}";

/// Arabic letters that join the next letter.
pub(super) const JOINING_NEXT: &str = "\u{626}\u{628}\u{62A}\u{62B}\u{62C}\u{62D}\u{62E}\u{633}\u{634}\u{635}\u{636}\u{637}\u{638}\u{639}\u{63A}\
     \u{641}\u{642}\u{643}\u{644}\u{645}\u{646}\u{647}\u{64A}\u{67E}\u{686}\u{6A9}\u{6AF}\u{6CC}";

/// Arabic letters that join only the letter before them.
pub(super) const JOINING_LAST: &str =
    "\u{622}\u{623}\u{624}\u{625}\u{627}\u{629}\u{62F}\u{630}\u{631}\u{632}\u{648}\u{698}";

/// Scripts of which the contextual rules speak.
pub(super) fn script(names: &[&str]) -> CharSet {
    let queries: Vec<String> = names.iter().map(|name| format!("Script={name}")).collect();
    named(&queries.iter().map(String::as_str).collect::<Vec<_>>())
}
