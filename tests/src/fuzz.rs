//! The doors at which hostile bytes come in, one function each: bytes that may be anything go through the
//! stages, which must give one error or a sound document, within limits. The fuzzer (`tests/fuzz`) calls them
//! on what it makes up, the tests on what it once found.
//!
//! Inner formats are reached through the outer ones, wrapped in a small PDF that uses the bytes as one of its
//! streams: so nothing inside `pages` is public for their sake, and what is found is found in a file.

use std::io::{Cursor, Write as _};
use std::ops::Range;

use citations::{SourceText, Status};
use document::Allowance;
use pdf_writer::types::{CidFontType, SystemInfo};
use pdf_writer::{Finish, Name, Pdf, Rect, Ref, Str};
use text::normalize::{Case, fold};
use zip::write::SimpleFileOptions;

use crate::invariants;
use crate::stages::{finish, read_with};

/// A door: its name, which is that of its folder in `tests/fuzz/corpus`, and what goes through it.
pub type Door = (&'static str, fn(&[u8]));

/// All doors.
pub const DOORS: [Door; 7] = [
    ("pdf", pdf),
    ("content", content),
    ("cmap", cmap),
    ("font", font),
    ("docx", docx),
    ("segment", segment),
    ("citations", citations),
];

/// Smaller than the product's, so that a run is short; what they cut is cut in the same way.
fn limits() -> pages::Limits {
    pages::Limits {
        file_bytes: 1 << 20,
        pages: 50,
        stream_bytes: 4 << 20,
        page_bytes: 8 << 20,
        page_operators: 50_000,
        page_characters: 20_000,
        characters: Allowance::flat(100_000),
        page_runs: 5_000,
        runs: Allowance::flat(20_000),
        ..pages::Limits::default()
    }
}

/// A file.
///
/// # Panics
/// If the document that is made of it is not sound: that is the finding.
pub fn pdf(bytes: &[u8]) {
    let options = pages::Options { limits: limits(), ..pages::Options::default() };
    if let Ok(read) = read_with("fuzz.pdf", bytes, &options) {
        sound(&read.document);
    }
}

/// The content of a page, of a form that it may draw (`/X`) and of the one glyph of its Type 3 font (`/T3`).
/// The page has a simple font (`/F1`) and a composite one (`/F0`).
///
/// # Panics
/// If the document that is made of it is not sound.
pub fn content(bytes: &[u8]) {
    let mut file = File::new();
    let [form, simple, composite, descendant, type3, glyph] = [10, 11, 12, 13, 14, 15].map(Ref::new);
    file.page(bytes, &[(b"F1", simple), (b"F0", composite), (b"T3", type3)], Some(form));
    file.pdf.form_xobject(form, bytes).bbox(Rect::new(0.0, 0.0, 612.0, 792.0));
    file.pdf.type1_font(simple).base_font(Name(b"Helvetica"));
    file.composite(composite, descendant, Name(b"Identity-H"), None, None);
    let mut font = file.pdf.type3_font(type3);
    font.bbox(Rect::new(0.0, 0.0, 1000.0, 1000.0)).matrix([0.001, 0.0, 0.0, 0.001, 0.0, 0.0]);
    font.first_char(65).last_char(65).widths([600.0]);
    font.char_procs().pair(Name(b"A"), glyph);
    font.encoding_custom().differences().consecutive(65, [Name(b"A")]);
    font.finish();
    file.pdf.stream(glyph, bytes);
    pdf(&file.finish());
}

/// A CMap: the encoding of one composite font and the `ToUnicode` of two.
///
/// # Panics
/// If the document that is made of it is not sound.
pub fn cmap(bytes: &[u8]) {
    let mut file = File::new();
    let [encoded, mapped, encoding, to_unicode, first, second] = [10, 11, 12, 13, 14, 15].map(Ref::new);
    let shown = b"BT /F1 12 Tf 72 700 Td <0041004200430105FFFF8140> Tj 0 -20 Td /F2 12 Tf (AB\x01\x02) Tj ET";
    file.page(shown, &[(b"F1", encoded), (b"F2", mapped)], None);
    file.composite(encoded, first, Name(b""), Some(encoding), Some(to_unicode));
    file.composite(mapped, second, Name(b"Identity-H"), None, Some(to_unicode));
    file.pdf.stream(encoding, bytes).pair(Name(b"Type"), Name(b"CMap"));
    file.pdf.stream(to_unicode, bytes);
    pdf(&file.finish());
}

/// A font program: as Type 1, as TrueType and as CFF, in a simple and in a composite font.
///
/// # Panics
/// If the document that is made of it is not sound.
pub fn font(bytes: &[u8]) {
    let mut file = File::new();
    let [type1, truetype, composite, descendant, program] = [10, 11, 12, 13, 14].map(Ref::new);
    let [of_type1, of_truetype, of_composite] = [20, 21, 22].map(Ref::new);
    let shown = b"BT /F1 12 Tf 72 700 Td (ABC abc) Tj /F2 12 Tf (ABC) Tj /F0 12 Tf <00010002> Tj ET";
    file.page(shown, &[(b"F1", type1), (b"F2", truetype), (b"F0", composite)], None);
    file.pdf.type1_font(type1).base_font(Name(b"AAAAAA+Type1")).pair(Name(b"FontDescriptor"), of_type1);
    let mut simple = file.pdf.indirect(truetype).dict();
    simple.pair(Name(b"Type"), Name(b"Font")).pair(Name(b"Subtype"), Name(b"TrueType"));
    simple.pair(Name(b"BaseFont"), Name(b"BBBBBB+TrueType")).pair(Name(b"FontDescriptor"), of_truetype);
    simple.finish();
    file.composite(composite, descendant, Name(b"Identity-H"), None, None);
    for (descriptor, key) in
        [(of_type1, &b"FontFile"[..]), (of_truetype, &b"FontFile2"[..]), (of_composite, &b"FontFile3"[..])]
    {
        let mut descriptor = file.pdf.indirect(descriptor).dict();
        descriptor.pair(Name(b"Type"), Name(b"FontDescriptor")).pair(Name(b"Flags"), 4);
        descriptor.pair(Name(key), program);
    }
    file.pdf.stream(program, bytes).pair(Name(b"Subtype"), Name(b"CIDFontType0C"));
    pdf(&file.finish());
}

/// A Word file; what does not begin as an archive does is packed into one, cut at zero bytes: the document, its
/// styles, its numbering, its footnotes and its endnotes.
///
/// # Panics
/// If the document that is made of it is not sound.
pub fn docx(bytes: &[u8]) {
    let packed = if bytes.starts_with(b"PK") { Some(bytes.to_vec()) } else { pack(bytes).ok() };
    let limits = docx::Limits {
        file_bytes: 1 << 20,
        part_bytes: 1 << 20,
        free_bytes: 1 << 18,
        text_bytes: Allowance::flat(1 << 20),
        paragraphs: Allowance::flat(2_000),
        ..docx::Limits::default()
    };
    let Some(Ok(read)) = packed.map(|packed| docx::read(&packed, &limits)) else { return };
    let docx::WordDocument { layout, outline, title, .. } = read.output;
    sound(&finish("fuzz.docx", layout, &outline, title, read.diags));
}

fn pack(bytes: &[u8]) -> zip::result::ZipResult<Vec<u8>> {
    const PARTS: [&str; 5] = ["document", "styles", "numbering", "footnotes", "endnotes"];
    const OFFICE: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let relations = |of: &[&str], folder: &str| -> String {
        let relation = |name: &&str| {
            let kind = if *name == "document" { "officeDocument" } else { *name };
            format!("<Relationship Id=\"{name}\" Type=\"{OFFICE}/{kind}\" Target=\"{folder}{name}.xml\"/>")
        };
        let all: String = of.iter().map(relation).collect();
        format!(
            "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\">{all}</Relationships>"
        )
    };
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    let (document, others) = PARTS.split_at(1);
    for (name, content) in [
        ("_rels/.rels", relations(document, "word/")),
        ("word/_rels/document.xml.rels", relations(others, "")),
    ] {
        archive.start_file(name, stored)?;
        archive.write_all(content.as_bytes())?;
    }
    for (name, part) in PARTS.iter().zip(bytes.split(|&byte| byte == 0)) {
        archive.start_file(format!("word/{name}.xml"), stored)?;
        archive.write_all(part)?;
    }
    Ok(archive.finish()?.into_inner())
}

/// A stored segment.
///
/// # Panics
/// If what it decodes to does not encode to a segment again.
pub fn segment(bytes: &[u8]) {
    if let Ok(segment) = index::Segment::decode(bytes) {
        assert!(
            index::Segment::decode(&segment.encode()).is_ok(),
            "a segment that was read cannot be written"
        );
    }
}

/// An answer and the sources it may cite, separated by zero bytes.
///
/// # Panics
/// If a range lies outside its text, or if a quotation is called verified whose letters and digits are not those of a
/// cited source, from word boundary to word boundary.
pub fn citations(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut texts = text.split('\0');
    let answer = texts.next().unwrap_or_default();
    let sources: Vec<SourceText<'_>> =
        (1..).zip(texts).map(|(id, text)| SourceText { id, text, context: "" }).collect();
    let text_of = |id: u32| sources.iter().find(|source| source.id == id).map_or("", |source| source.text);
    let mut end = 0;
    for sentence in citations::check(answer, &sources) {
        assert!(sentence.range.start >= end && answer.get(sentence.range.clone()).is_some(), "{sentence:?}");
        end = sentence.range.end;
        let spans = sentence.unsupported.iter().map(|span| &span.range);
        for range in spans.chain(sentence.quotations.iter().map(|quotation| &quotation.range)) {
            assert!(answer.get(range.clone()).is_some(), "{sentence:?}");
        }
        let quoted = sentence.quotations.iter().flat_map(|quotation| &quotation.found);
        for found in quoted.chain(&sentence.support) {
            let words = text_of(found.source).get(found.range.to_usize());
            assert!(words.is_some_and(|words| !words.is_empty()), "{sentence:?}");
        }
        for quotation in &sentence.quotations {
            if quotation.status == Status::Verified {
                assert_eq!(quotation.found.len(), 1, "verified in several parts: {sentence:?}");
                let cites_none = sentence.sources.is_empty() && sentence.unknown.is_empty();
                let words = answer.get(quotation.range.clone()).unwrap_or_default();
                for found in &quotation.found {
                    assert!(
                        cites_none || sentence.sources.contains(&found.source),
                        "not cited: {sentence:?}"
                    );
                    let source = text_of(found.source);
                    assert!(stands_at(words, source, found.range.to_usize()), "not there: {sentence:?}");
                }
            }
        }
    }
}

/// True if a range of a source says the words: the same letters and digits between word boundaries. A slow twin of the
/// checker, which shares nothing with it but the folding of characters.
fn stands_at(words: &str, source: &str, range: Range<usize>) -> bool {
    let characters = |text: &str| -> String {
        fold(text, Case::Fold).text().chars().filter(|c| c.is_alphanumeric()).collect()
    };
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    let (before, after) = (&source[..range.start], &source[range.end..]);
    let found = &source[range];
    let cuts_start = is_letter(before.chars().next_back()) && is_letter(found.chars().next());
    let cuts_end = is_letter(found.chars().next_back()) && is_letter(after.chars().next());
    characters(words) == characters(found) && !cuts_start && !cuts_end
}

fn sound(document: &document::Document) {
    let faults = invariants::broken(document);
    assert!(faults.is_empty(), "{faults:#?}");
}

/// A PDF of one page.
struct File {
    pdf: Pdf,
}

impl File {
    const CATALOG: Ref = Ref::new(1);
    const PAGES: Ref = Ref::new(2);
    const PAGE: Ref = Ref::new(3);
    const CONTENT: Ref = Ref::new(4);
    /// The descriptor of the descendants of composite fonts, where a file has one.
    const DESCRIPTOR: Ref = Ref::new(22);

    fn new() -> Self {
        let mut pdf = Pdf::new();
        pdf.catalog(Self::CATALOG).pages(Self::PAGES);
        pdf.pages(Self::PAGES).kids([Self::PAGE]).count(1);
        Self { pdf }
    }

    fn page(&mut self, content: &[u8], fonts: &[(&[u8], Ref)], form: Option<Ref>) {
        let mut page = self.pdf.page(Self::PAGE);
        page.parent(Self::PAGES).media_box(Rect::new(0.0, 0.0, 612.0, 792.0)).contents(Self::CONTENT);
        let mut resources = page.resources();
        let mut named = resources.fonts();
        for &(name, font) in fonts {
            named.pair(Name(name), font);
        }
        named.finish();
        if let Some(form) = form {
            resources.x_objects().pair(Name(b"X"), form);
        }
        resources.finish();
        page.finish();
        self.pdf.stream(Self::CONTENT, content);
    }

    fn composite(
        &mut self,
        font: Ref,
        descendant: Ref,
        encoding: Name<'_>,
        encoding_stream: Option<Ref>,
        to_unicode: Option<Ref>,
    ) {
        let mut type0 = self.pdf.type0_font(font);
        type0.base_font(Name(b"CCCCCC+Composite")).descendant_font(descendant);
        match encoding_stream {
            Some(stream) => type0.encoding_cmap(stream),
            None => type0.encoding_predefined(encoding),
        };
        if let Some(to_unicode) = to_unicode {
            type0.to_unicode(to_unicode);
        }
        type0.finish();
        let mut cid = self.pdf.cid_font(descendant);
        cid.subtype(CidFontType::Type0).base_font(Name(b"CCCCCC+Composite"));
        cid.system_info(SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 });
        cid.font_descriptor(Self::DESCRIPTOR).default_width(500.0);
    }

    fn finish(self) -> Vec<u8> {
        self.pdf.finish()
    }
}
