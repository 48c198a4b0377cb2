//! The text that the built-in vocabulary is trained on, made from a fixed seed.
//!
//! Half of it is JSON as programs write it (records, orders, settings, events; compact and indented), half is English: a few
//! pages of prose, and sentences of common words without a meaning.

const PROSE: &str = include_str!("prose.txt");

const SEED: u64 = 0x6D61_736B_7772_6967;

/// Number of documents, each with a paragraph after it.
const ROUNDS: usize = 700;

/// A text of about half a megabyte.
pub(super) fn corpus() -> String {
    let mut writer = Writer { random: Random(SEED), text: String::new() };
    for round in 0..ROUNDS {
        writer.object(if round % 3 == 0 { None } else { Some(0) }, 3);
        writer.text.push('\n');
        for _ in 0..5 {
            writer.sentence();
        }
        writer.text.push('\n');
        if round % 50 == 0 {
            writer.text.push_str(PROSE);
        }
    }
    // Every word of the lists is worth a token, after a space and after a quote.
    for list in [FIRST_NAMES, LAST_NAMES, PLACES, NOUNS, VERBS, ADJECTIVES, LINKS, STATES] {
        for word in list.split_ascii_whitespace() {
            writer.text += &format!(" {word} {word}, \"{word}\"");
        }
    }
    for key in KEYS.split_ascii_whitespace() {
        writer.text += &format!("\"{key}\":\"{key}\",\"{key}\": [\"{key}\"]");
    }
    writer.text
}

/// splitmix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        usize::try_from(z % u64::try_from(bound).expect("small")).expect("less than a usize")
    }

    /// A word of a list, the early ones more often.
    fn word(&mut self, list: &'static str) -> &'static str {
        let count = list.split_ascii_whitespace().count();
        let at = self.below(count).min(self.below(count));
        list.split_ascii_whitespace().nth(at).expect("a position below the count")
    }
}

/// Depth of the container being written, where documents are indented.
type Indent = Option<usize>;

/// Indented containers are nested no deeper.
const DEPTH_MAX: usize = 3;

/// Lines of compact documents stop opening containers at this length.
const LINE_BYTES_MAX: usize = 160;

struct Writer {
    random: Random,
    text: String,
}

impl Writer {
    /// An object of at least so many members.
    fn object(&mut self, indent: Indent, least: usize) {
        let len = least + self.random.below(5);
        self.text.push('{');
        for at in 0..len {
            self.separate(indent, at);
            let space = if indent.is_some() || len.is_multiple_of(2) { " " } else { "" };
            let key = self.random.word(KEYS);
            self.text += &format!("\"{key}\":{space}");
            self.value(indent.map(|depth| depth + 1));
        }
        self.close(indent, '}');
    }

    fn array(&mut self, indent: Indent) {
        self.text.push('[');
        for at in 0..1 + self.random.below(5) {
            self.separate(indent, at);
            self.value(indent.map(|depth| depth + 1));
        }
        self.close(indent, ']');
    }

    /// What stands before a member.
    fn separate(&mut self, indent: Indent, at: usize) {
        if at > 0 {
            self.text.push(',');
        }
        match indent {
            Some(depth) => self.newline(depth + 1),
            None if at > 0 && self.random.below(2) == 0 => self.text.push(' '),
            None => {}
        }
    }

    fn close(&mut self, indent: Indent, bracket: char) {
        if let Some(depth) = indent {
            self.newline(depth);
        }
        self.text.push(bracket);
    }

    fn newline(&mut self, depth: usize) {
        self.text.push('\n');
        self.text += &"  ".repeat(depth);
    }

    fn value(&mut self, indent: Indent) {
        let line_len = self.text.len() - self.text.rfind('\n').unwrap_or(0);
        let is_deep = line_len > LINE_BYTES_MAX || indent.is_some_and(|depth| depth > DEPTH_MAX);
        match self.random.below(if is_deep { 12 } else { 15 }) {
            12 | 13 => self.object(indent, 1),
            14 => self.array(indent),
            11 => {
                self.text.push('"');
                self.sentence();
                self.text.pop();
                self.text.push('"');
            }
            kind => {
                let scalar = self.scalar(kind);
                self.text += &scalar;
            }
        }
    }

    fn scalar(&mut self, kind: usize) -> String {
        let random = &mut self.random;
        let date = |random: &mut Random| {
            format!("20{:02}-{:02}-{:02}", random.below(30), 1 + random.below(12), 1 + random.below(28))
        };
        match kind {
            0 => format!("\"{} {}\"", random.word(FIRST_NAMES), random.word(LAST_NAMES)),
            1 => {
                let (first, last) = (random.word(FIRST_NAMES), random.word(LAST_NAMES));
                let domain = ["com", "org", "net"][random.below(3)];
                format!("\"{first}.{last}@example.{domain}\"").to_lowercase()
            }
            2 => format!("\"{}\"", random.word(PLACES)),
            3 => format!("\"{}\"", random.word(STATES)),
            4 => (random.below(10) * random.below(400)).to_string(),
            5 => format!("{}.{}", random.below(200), random.below(100)),
            6 => ["true", "false", "null", "0", "1", "[]", "{}", "\"\""][random.below(8)].to_owned(),
            7 => {
                let (date, hour) = (date(random), random.below(24));
                format!("\"{date}T{hour:02}:{:02}:{:02}Z\"", random.below(60), random.below(60))
            }
            8 => format!("\"{}\"", date(random)),
            9 => format!("\"https://www.example.com/{}/{}\"", random.word(NOUNS), random.below(1_000)),
            _ => format!("\"{}\"", random.word(UNITS)),
        }
    }

    /// A sentence without meaning, and a space.
    fn sentence(&mut self) {
        let start = self.text.len();
        for _ in 0..1 + self.random.below(3) {
            for list in [LINKS, ADJECTIVES, NOUNS, VERBS, LINKS, NOUNS, LINKS] {
                self.text += self.random.word(list);
                self.text.push(' ');
            }
        }
        self.text.pop();
        let first = self.text[start..=start].to_ascii_uppercase();
        self.text.replace_range(start..=start, &first);
        self.text += [". ", ". ", ", ", "? ", "! ", "; "][self.random.below(6)];
    }
}

const FIRST_NAMES: &str = "Anna James Maria David Sofia Michael Emma John Laura Daniel Alice Robert Elena Thomas Sarah Peter \
    Julia William Clara Ahmed Nina Carlos Hannah Ivan Mei Lucas Fatima George Ingrid Paul Olivia Kenji Amara Martin Grace \
    Victor Leila Henry Chloe Samuel Priya Oscar Isabel Noah Yuki Simon Marta Felix Rosa Adam";
const LAST_NAMES: &str = "Smith Johnson Garcia Brown Miller Davis Martin Lopez Wilson Anderson Taylor Moore Jackson Lee Walker \
    Hall Young King Wright Green Baker Nelson Carter Rossi Novak Schmidt Weber Keller Tanaka Sato Chen Wang Kumar Patel Silva \
    Santos Dubois Laurent Jansen Larsen Hansen Kowalski Ivanov Okafor Mensah Haddad Cohen Murphy Campbell Stewart";
const PLACES: &str = "London Paris Berlin Madrid Rome Vienna Amsterdam Dublin Lisbon Prague Oslo Stockholm Helsinki Copenhagen \
    Zurich Geneva Hamburg Munich Barcelona Milan Athens Warsaw Budapest Tokyo Osaka Kyoto Seoul Beijing Shanghai Singapore \
    Mumbai Delhi Sydney Melbourne Auckland Toronto Montreal Vancouver Chicago Boston Seattle Denver Austin Portland Nairobi \
    Lagos Cairo Bogota Lima Santiago Germany France Spain Italy Portugal Norway Sweden Denmark Finland Poland Austria \
    Switzerland Ireland Greece Japan Korea China India Australia Canada Mexico Brazil Argentina Chile Egypt Kenya";
const NOUNS: &str = "time year people way day man thing woman life child world school state family student group country problem \
    hand part place case week company system program question work government number night point home water room mother area \
    money story fact month lot right study book eye job word business issue side kind head house service friend father power \
    hour game line end member law car city community name president team minute idea body information back parent face \
    others level office door health person art war history party result change morning reason research girl guy moment air \
    teacher force education foot boy age policy music market sense nation plan college interest death experience effect use \
    class control care field development role effort rate heart drug show leader light voice wife police mind price report \
    decision son view relationship town road arm difference value building action season society tax director position \
    player record paper space ground form event matter center site project activity star table need court American oil \
    situation cost industry figure street image phone data picture practice piece land product doctor wall patient worker \
    news test movie north love support technology step baby computer type attention film tree source model note summer \
    example document string array object schema token grammar request response message server client memory machine table \
    column index query function method error result value parameter option default version release branch commit \
    repository package module library interface device network address account password session permission user customer \
    invoice payment order shipment product category discount warehouse supplier contract employee department manager salary \
    meeting schedule deadline budget temperature pressure humidity sensor measurement battery signal camera engine vehicle \
    station platform flight ticket hotel reservation restaurant recipe ingredient kitchen garden flower forest mountain river \
    lake ocean island weather storm cloud winter spring autumn bread cheese coffee sugar butter apple orange lemon chicken \
    bicycle bottle window mirror blanket jacket shirt trousers shoes keyboard monitor printer notebook pencil lamp chair desk";
const VERBS: &str = "says gets makes knows thinks takes sees comes wants looks uses finds gives tells works calls tries asks needs \
    feels becomes leaves puts means keeps lets begins helps shows hears plays runs moves lives believes brings happens writes \
    provides sits stands loses pays meets includes continues sets learns changes leads understands watches follows stops \
    creates speaks reads allows adds spends grows opens walks wins offers remembers loves considers appears buys waits serves \
    sends expects builds stays falls cuts reaches kills remains suggests raises passes sells requires reports decides pulls \
    returns stores loads parses validates generates accepts rejects computes compiles updates deletes inserts selects merges \
    describes contains represents supports handles improves reduces increases measures";
const ADJECTIVES: &str = "good new first last long great little own other old right big high different small large next early young \
    important few public bad same able available possible simple quick slow strong weak open closed active inactive pending \
    complete incomplete valid invalid empty full local global internal external primary secondary final initial current \
    previous common special general specific human natural medical social economic political financial national \
    international professional technical digital electric organic fresh warm cold hot dry wet red green blue yellow black \
    white brown purple silver golden dark bright quiet loud clean dirty heavy light soft hard deep wide narrow free expensive \
    cheap modern ancient beautiful happy sad serious funny careful useful useless safe dangerous certain clear recent";
const LINKS: &str = "the a of in to and that with for on as by from at this which into about after between because through over \
    under during before without against within while where when if than then so but not only also very just still even \
    always never often sometimes usually already again there here their its his her our your some any each every all both \
    more most less many much such no one two three several another is are was were has have had will would can could may \
    might should must does did been being it they he she we you who what how";
const KEYS: &str = "id name type value title description status date time email phone address city country street zip code price \
    quantity total currency items tags category url image width height color size weight created_at updated_at deleted_at \
    first_name last_name user_id username password age gender active enabled version author license language locale timezone \
    latitude longitude temperature humidity pressure speed unit units amount tax discount shipping customer order_id \
    product_id sku brand model serial_number manufacturer stock rating reviews comment comments message messages role content \
    text body subject from to cc attachments file files path size_bytes mime_type checksum format encoding properties required \
    items minimum maximum minLength maxLength pattern enum default examples anyOf allOf additionalProperties definitions \
    start end start_time end_time duration interval count offset limit page per_page next previous first last results data \
    error errors success result response request headers method params query host port protocol timeout retries level logger \
    timestamp source target key keys token tokens score label labels confidence parent children parent_id position index \
    order priority severity state region department company employees salary manager team projects skills education \
    experience interests hobbies settings options preferences notifications theme permissions groups metadata attributes \
    coordinates geometry features feature latitude altitude accuracy isActive isPublic firstName lastName createdAt updatedAt \
    userId orderId productId postalCode phoneNumber dateOfBirth startDate endDate displayName imageUrl function arguments";
const STATES: &str = "active pending completed cancelled open closed draft published archived failed success error warning info debug \
    low medium high critical new used admin user guest owner member viewer editor approved rejected shipped delivered paid \
    unpaid public private enabled disabled running stopped queued unknown none left right top bottom center small";
const UNITS: &str =
    "EUR USD GBP JPY CHF kg g cm mm m km ml l s ms min h celsius fahrenheit percent hPa px rem em";
