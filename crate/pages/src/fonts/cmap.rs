//! CMaps: from strings to codes, and from codes to CIDs or Unicode.
//!
//! `ToUnicode` streams and embedded CMaps are read by our own parser, which keeps the codespace ranges that decide
//! the length of a code. Predefined CMaps for Chinese, Japanese and Korean, and the tables from their character
//! collections to Unicode, come packed in `hayro-cmap`.

use document::Slice as _;
use hayro_cmap::{BfString, CMap as Predefined, CMapName, load_embedded};

use crate::lexer::{Lexer, Operand, Token};
use crate::meter::Meter;

/// Maximum entries of one CMap.
const MAX_ENTRIES: usize = 200_000;
/// Steps of a byte: most operands are strings of their own.
const BYTE: usize = 3;
/// Steps of an entry: it is allocated, sorted and looked at.
const STEPS: usize = 60;
/// Maximum operands of one block. The specification allows a hundred entries; some files write all in one block.
const MAX_OPERANDS: usize = 300_000;
/// Maximum codespace ranges; files have one to five.
const MAX_CODESPACES: usize = 64;
/// Minimum entries, all with the same text, for a map to count as uninformative.
const MIN_ALIKE: usize = 5;
/// Maximum length of one code's text in UTF-16 units.
const MAX_TEXT: usize = 64;

/// CMap embedded in the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct CMap {
    codespaces: Vec<Codespace>,
    cids: Vec<CodeRange<u32>>,
    texts: Vec<CodeRange<Target>>,
    /// True for vertical writing (`WMode` 1).
    pub(crate) vertical: bool,
    /// Name of the CMap that it extends (`usecmap`).
    pub(crate) base: Option<Vec<u8>>,
}

/// Codespace range: codes of one length.
#[derive(Clone, Copy, Debug)]
struct Codespace {
    /// Length in bytes, 1 to 4.
    length: usize,
    low: u32,
    high: u32,
}

/// Codes from `low` to `high`, with their target.
#[derive(Clone, Debug)]
struct CodeRange<T> {
    low: u32,
    high: u32,
    target: T,
}

/// Unicode text of a range of codes.
#[derive(Clone, Debug)]
enum Target {
    /// Code `low` maps to this code point, the next code to the next one.
    From(u32),
    /// All codes map to this text.
    Text(Box<str>),
}

impl CMap {
    /// Parses a CMap. Unknown operators are skipped.
    pub(crate) fn parse(bytes: &[u8], meter: &Meter) -> Self {
        meter.steps(bytes.len().saturating_mul(BYTE));
        let mut map = Self::default();
        let mut lexer = Lexer::new(bytes);
        let mut operands: Vec<Operand> = Vec::new();
        while let Some(token) = lexer.next_token() {
            let operator = match token {
                Token::Operand(operand) => {
                    if operands.len() < MAX_OPERANDS {
                        operands.push(operand);
                    }
                    continue;
                }
                Token::Operator(operator) => operator,
            };
            match operator {
                b"endcodespacerange" => map.codespace_ranges(&operands),
                b"endcidchar" => map.cid_entries(&operands, 2),
                b"endcidrange" => map.cid_entries(&operands, 3),
                b"endbfchar" => map.text_chars(&operands),
                b"endbfrange" => map.text_ranges(&operands),
                b"usecmap" => {
                    if let Some(Operand::Name(name)) = operands.last() {
                        map.base = Some(name.clone());
                    }
                }
                b"def" => {
                    if let [.., Operand::Name(key), Operand::Number(value)] = operands.as_slice()
                        && key == b"WMode"
                    {
                        map.vertical = *value == 1.0;
                    }
                }
                _ => {}
            }
            operands.clear();
        }
        meter.steps(map.n_entries().saturating_mul(STEPS));
        // The sort is stable: of two entries for a code the later one is found first, from the right.
        map.cids.sort_by_key(|range| range.low);
        map.texts.sort_by_key(|range| range.low);
        map
    }

    /// CMap that maps each code to the code point of the same number.
    pub(crate) fn identity() -> Self {
        let all = CodeRange { low: 0x20, high: 0xFFFF, target: Target::From(0x20) };
        Self { texts: vec![all], ..Self::default() }
    }

    /// Number of its entries.
    pub(crate) fn n_entries(&self) -> usize {
        self.cids.len() + self.texts.len()
    }

    /// True if it has codespace ranges.
    pub(crate) fn has_codespaces(&self) -> bool {
        !self.codespaces.is_empty()
    }

    /// True if it maps any code to text.
    pub(crate) fn has_text(&self) -> bool {
        self.texts.iter().any(|range| !matches!(&range.target, Target::Text(text) if text.is_empty()))
    }

    /// True if its text is of no use: the same for all of several codes, or only replacement characters and
    /// controls.
    pub(crate) fn is_uninformative(&self) -> bool {
        let mut firsts = self.texts.iter().map(|range| match &range.target {
            Target::From(c) if range.low == range.high => (char::from_u32(*c), true),
            Target::From(c) => (char::from_u32(*c), false),
            Target::Text(text) => (text.chars().next(), text.chars().nth(1).is_none()),
        });
        let senseless = |c: Option<char>| c.is_some_and(|c| c == '\u{FFFD}' || c.is_control());
        if firsts.clone().all(|(c, single)| single && senseless(c)) {
            return true;
        }
        let first = firsts.next();
        self.texts.len() >= MIN_ALIKE && firsts.all(|next| Some(next) == first && next.1)
    }

    /// Appends the text of a code; false if it has none, or only replacement characters.
    pub(crate) fn push_known_text(&self, code: u32, out: &mut String) -> bool {
        let start = out.len();
        let found = self.push_text(code, out);
        let text = out.slice(start..);
        if found && !text.is_empty() && text.chars().all(|c| c == '\u{FFFD}') {
            out.truncate(start);
            return false;
        }
        found
    }

    /// True if it maps any code to a CID.
    pub(crate) fn has_cids(&self) -> bool {
        !self.cids.is_empty()
    }

    /// Next code of `bytes` and its length; `None` at the end. Bytes outside all codespaces are one code of the
    /// shortest length.
    pub(crate) fn next_code(&self, bytes: &[u8]) -> Option<(u32, usize)> {
        let mut code = 0u32;
        for (idx, &byte) in bytes.iter().take(4).enumerate() {
            code = code << 8 | u32::from(byte);
            let length = idx + 1;
            if self.codespaces.iter().any(|space| space.contains(code, length)) {
                return Some((code, length));
            }
        }
        let length = self.codespaces.iter().map(|space| space.length).min().unwrap_or(1);
        prefix(bytes, length)
    }

    /// CID of a code.
    pub(crate) fn cid(&self, code: u32) -> Option<u32> {
        let range = find(&self.cids, code)?;
        range.target.checked_add(code - range.low)
    }

    /// Appends the text of a code, which may be empty; false if it has none.
    pub(crate) fn push_text(&self, code: u32, out: &mut String) -> bool {
        match find(&self.texts, code) {
            Some(CodeRange { low, target: Target::From(first), .. }) => {
                match first.checked_add(code - low).and_then(char::from_u32) {
                    Some(c) if c != '\0' => {
                        out.push(c);
                        true
                    }
                    _ => false,
                }
            }
            Some(CodeRange { target: Target::Text(text), .. }) => {
                out.push_str(text);
                true
            }
            None => false,
        }
    }

    fn codespace_ranges(&mut self, operands: &[Operand]) {
        for pair in operands.chunks_exact(2) {
            if let [Operand::String(low), Operand::String(high)] = pair
                && (1..=4).contains(&low.len())
                && self.codespaces.len() < MAX_CODESPACES
            {
                self.codespaces.push(Codespace { length: low.len(), low: code(low), high: code(high) });
            }
        }
    }

    fn cid_entries(&mut self, operands: &[Operand], width: usize) {
        for entry in operands.chunks_exact(width) {
            let (low, high, target) = match entry {
                [Operand::String(low), Operand::Number(cid)] => (code(low), code(low), *cid),
                [Operand::String(low), Operand::String(high), Operand::Number(cid)] => {
                    (code(low), code(high), *cid)
                }
                _ => continue,
            };
            if low <= high && self.cids.len() < MAX_ENTRIES {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "the cast saturates"
                )]
                self.cids.push(CodeRange { low, high, target: target as u32 });
            }
        }
    }

    fn text_chars(&mut self, operands: &[Operand]) {
        for pair in operands.chunks_exact(2) {
            let [Operand::String(source), target] = pair else { continue };
            let target = match target {
                // Empty text: another glyph of the same cluster has the text.
                Operand::String(bytes) if bytes.is_empty() => Some(String::new()),
                Operand::String(bytes) => utf16(bytes),
                Operand::Name(name) => std::str::from_utf8(name).ok().and_then(super::glyphs::text),
                _ => None,
            };
            if let Some(target) = target {
                self.push_range(code(source), code(source), target);
            }
        }
    }

    fn text_ranges(&mut self, operands: &[Operand]) {
        for triple in operands.chunks_exact(3) {
            let [Operand::String(low), Operand::String(high), target] = triple else { continue };
            let (low, high) = (code(low), code(high));
            if low > high || self.texts.len() >= MAX_ENTRIES {
                continue;
            }
            match target {
                Operand::String(bytes) => self.text_range(low, high, bytes),
                Operand::Array(items) => {
                    for (code, item) in (low..=high).zip(items) {
                        if let Operand::String(bytes) = item
                            && let Some(text) = utf16(bytes)
                        {
                            self.push_range(code, code, text);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Adds a range whose last character counts up with the code.
    fn text_range(&mut self, low: u32, high: u32, bytes: &[u8]) {
        // A single unit may start at zero: `<0000> <FFFF> <0000>` maps codes to Unicode.
        let single = match bytes {
            [a, b] => char::from_u32(u32::from(u16::from_be_bytes([*a, *b]))),
            _ => utf16(bytes).and_then(|text| {
                let mut chars = text.chars();
                chars.next().filter(|_| chars.next().is_none())
            }),
        };
        if let Some(first) = single {
            if self.texts.len() < MAX_ENTRIES {
                self.texts.push(CodeRange { low, high, target: Target::From(u32::from(first)) });
            }
            return;
        }
        let Some(text) = utf16(bytes) else { return };
        let mut stem: Vec<char> = text.chars().collect();
        let Some(last) = stem.pop() else { return };
        for code in low..=high.min(low.saturating_add(0xFFFF)) {
            let Some(c) = u32::from(last).checked_add(code - low).and_then(char::from_u32) else { break };
            self.push_range(code, code, stem.iter().copied().chain([c]).collect());
        }
    }

    fn push_range(&mut self, low: u32, high: u32, text: String) {
        if self.texts.len() < MAX_ENTRIES {
            self.texts.push(CodeRange { low, high, target: Target::Text(text.into_boxed_str()) });
        }
    }
}

impl Codespace {
    /// True if each byte of the code lies between the bytes of the bounds.
    fn contains(&self, code: u32, length: usize) -> bool {
        self.length == length
            && code
                .to_be_bytes()
                .iter()
                .zip(self.low.to_be_bytes())
                .zip(self.high.to_be_bytes())
                .all(|((&byte, low), high)| low <= byte && byte <= high)
    }
}

/// Range of a code among ranges sorted by `low`. Ranges seldom overlap: at most 16 are searched.
fn find<T>(ranges: &[CodeRange<T>], code: u32) -> Option<&CodeRange<T>> {
    let end = ranges.partition_point(|range| range.low <= code);
    ranges.get(..end)?.iter().rev().take(16).find(|range| code <= range.high)
}

fn code(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).fold(0, |code, &byte| code << 8 | u32::from(byte))
}

/// Code of the first `length` bytes, or of all if there are fewer, with its length; `None` if there are none.
pub(crate) fn prefix(bytes: &[u8], length: usize) -> Option<(u32, usize)> {
    let bytes = bytes.get(..length.min(bytes.len())).filter(|bytes| !bytes.is_empty())?;
    Some((code(bytes), bytes.len()))
}

/// Text of a `bf` target in UTF-16BE; a single byte is one unit. `None` if it is empty or null.
fn utf16(bytes: &[u8]) -> Option<String> {
    let units: Vec<u16> = match bytes {
        [single] => vec![u16::from(*single)],
        _ => bytes.as_chunks().0.iter().take(MAX_TEXT).map(|pair| u16::from_be_bytes(*pair)).collect(),
    };
    let text: String = String::from_utf16_lossy(&units).chars().filter(|&c| c != '\0').collect();
    (!text.is_empty()).then_some(text)
}

/// Predefined CMap for CJK codes.
#[derive(Clone, Debug)]
pub(crate) struct PredefinedCMap {
    map: Predefined,
    /// True if codes are UTF-16.
    unicode: bool,
    /// True for vertical writing.
    pub(crate) vertical: bool,
}

impl PredefinedCMap {
    /// CMap of this name, if it is predefined.
    pub(crate) fn load(name: &[u8]) -> Option<Self> {
        let id = CMapName::from_bytes(name);
        if matches!(id, CMapName::Custom(_)) {
            return None;
        }
        let map = Predefined::parse(load_embedded(id)?, load_embedded)?;
        let text = String::from_utf8_lossy(name);
        Some(Self {
            map,
            unicode: text.contains("UCS2") || text.contains("UTF16"),
            vertical: name == b"V" || text.ends_with("-V"),
        })
    }

    /// Next code of `bytes` and its length: the shortest code that the CMap maps.
    pub(crate) fn next_code(&self, bytes: &[u8]) -> Option<(u32, usize)> {
        let shortest = if self.unicode { 2 } else { 1 };
        for length in shortest..=4usize {
            let (code, got) = prefix(bytes, length)?;
            if got < length {
                break;
            }
            if self.map.lookup_cid_code(code, u8::try_from(length).unwrap_or(4)).is_some() {
                return Some((code, length));
            }
        }
        let ascii = bytes.first().is_some_and(u8::is_ascii);
        prefix(bytes, if ascii && !self.unicode { 1 } else { 2 })
    }

    pub(crate) fn cid(&self, code: u32, length: usize) -> Option<u32> {
        self.map.lookup_cid_code(code, u8::try_from(length).ok()?)
    }

    /// Appends the text of a code; false if codes are not Unicode.
    pub(crate) fn push_text(&self, code: u32, out: &mut String) -> bool {
        if !self.unicode {
            return false;
        }
        let [a, b, c, d] = code.to_be_bytes();
        let units = [u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d])];
        let units = if units[0] == 0 { &units[1..] } else { &units[..] };
        match String::from_utf16(units) {
            Ok(text) => {
                out.push_str(&text);
                true
            }
            Err(_) => false,
        }
    }
}

/// Unicode text of the CIDs of a character collection.
#[derive(Clone, Debug)]
pub(crate) struct CharacterCollection(Predefined);

impl CharacterCollection {
    /// Collection with this `Ordering`, if it is one of Adobe's four.
    pub(crate) fn load(ordering: &[u8]) -> Option<Self> {
        let name = match ordering {
            b"GB1" => CMapName::AdobeGb1Ucs2,
            b"CNS1" => CMapName::AdobeCns1Ucs2,
            b"Japan1" => CMapName::AdobeJapan1Ucs2,
            b"Korea1" => CMapName::AdobeKorea1Ucs2,
            _ => return None,
        };
        Predefined::parse(load_embedded(name)?, load_embedded).map(Self)
    }

    /// Appends the text of a CID; false if it has none.
    pub(crate) fn push_text(&self, cid: u32, out: &mut String) -> bool {
        match self.0.lookup_bf_string(cid) {
            Some(BfString::Char(c)) => out.push(c),
            Some(BfString::String(text)) => out.push_str(&text),
            None => return false,
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(bytes: &[u8]) -> CMap {
        CMap::parse(bytes, &Meter::unlimited())
    }

    fn text(map: &CMap, code: u32) -> Option<String> {
        let mut out = String::new();
        map.push_text(code, &mut out).then_some(out)
    }

    #[test]
    fn to_unicode_maps_characters_ranges_arrays_and_surrogates() {
        let map = parse(
            b"/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange\n\
              2 beginbfchar <0003> <0020> <0004> <00660066> endbfchar\n\
              3 beginbfrange <0010> <0012> <0041> <0020> <0021> [<0061> <D835DC00>] <0030> <0031> <00410042>\n\
              endbfrange endcmap",
        );
        for (code, expected) in [
            (3, Some(" ")),
            (4, Some("ff")),
            (0x11, Some("B")),
            (0x20, Some("a")),
            (0x21, Some("𝐀")),
            (0x31, Some("AC")),
            (0x13, None),
        ] {
            assert_eq!(text(&map, code).as_deref(), expected, "{code:#x}");
        }
        assert_eq!(map.next_code(&[0, 3, 9]), Some((3, 2)));
    }

    #[test]
    fn the_later_of_two_entries_wins() {
        let map = parse(b"2 beginbfchar <01> <0041> <01> <0042> endbfchar");
        assert_eq!(text(&map, 1).as_deref(), Some("B"));
    }

    #[test]
    fn codespaces_of_mixed_length_split_codes() {
        let map = parse(
            b"2 begincodespacerange <00> <80> <8140> <9FFC> endcodespacerange\n\
              1 begincidrange <8140> <8150> 500 endcidrange 1 begincidchar <41> 34 endcidchar",
        );
        let bytes = [0x41, 0x81, 0x41, 0xFF];
        assert_eq!(map.next_code(&bytes), Some((0x41, 1)));
        assert_eq!(map.next_code(&bytes[1..]), Some((0x8141, 2)));
        assert_eq!(map.next_code(&bytes[3..]), Some((0xFF, 1)));
        assert_eq!((map.cid(0x41), map.cid(0x8141), map.cid(0x42)), (Some(34), Some(501), None));
    }

    #[test]
    fn predefined_cmaps_lead_from_legacy_codes_to_unicode() {
        for (name, ordering, bytes, expected) in [
            (&b"GBK-EUC-H"[..], &b"GB1"[..], &[0xB5, 0xDA][..], "第"),
            (b"90ms-RKSJ-H", b"Japan1", &[0x91, 0xE6], "第"),
            (b"ETen-B5-H", b"CNS1", &[0xB2, 0xC4], "第"),
            (b"KSCms-UHC-H", b"Korea1", &[0xC1, 0xA6], "제"),
            (b"UniGB-UCS2-H", b"GB1", &[0x7B, 0x2C], "第"),
        ] {
            let map = PredefinedCMap::load(name).unwrap();
            let collection = CharacterCollection::load(ordering).unwrap();
            let (code, length) = map.next_code(bytes).unwrap();
            let mut out = String::new();
            assert!(collection.push_text(map.cid(code, length).unwrap(), &mut out));
            assert_eq!((out.as_str(), length), (expected, 2));
        }
    }
}
