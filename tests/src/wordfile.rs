//! A manuscript as a Word file: the same words as in print, formatted with styles or by hand.
//!
//! [`Manner::Styles`] is how a careful author works: heading styles, numbers that the program counts, footnotes.
//! [`Manner::Typed`] is how others do: every paragraph plain, numbers typed with a tab behind them, headings
//! only set larger or bold. The bytes are the same every time.

use std::io::{Cursor, Write as _};

use anyhow::Result;
use zip::write::SimpleFileOptions;

use crate::typeset::{Element, Face, Inline, Manuscript, Style};

/// Manner of writing the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// Styles and automatic numbers.
    Styles,
    /// Direct formatting and typed numbers.
    Typed,
}

/// Numbering of the headings of each level: format, text with `%1` to `%4`, and true if the level restarts under a new
/// heading above it.
pub type Scheme = &'static [(&'static str, &'static str, bool)];

const WORD: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE: &str = "http://schemas.openxmlformats.org/package/2006";

/// Writes a manuscript. `title` goes into the file's properties.
pub fn write(
    manuscript: &Manuscript,
    style: &Style,
    scheme: Scheme,
    manner: Manner,
    title: &str,
) -> Result<Vec<u8>> {
    let mut writer = Writer {
        style,
        manner,
        manuscript,
        scheme,
        counters: [0; 4],
        body: String::new(),
        lists: Vec::new(),
        running: Default::default(),
    };
    for element in &manuscript.elements {
        writer.element(element);
    }
    let content_types = format!(
        "<Types xmlns=\"{PACKAGE}/content-types\"><Default Extension=\"rels\" ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>\
         <Default Extension=\"xml\" ContentType=\"application/xml\"/>\
         <Override PartName=\"/word/document.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml\"/>\
         <Override PartName=\"/word/styles.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml\"/>\
         <Override PartName=\"/word/numbering.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml\"/>\
         <Override PartName=\"/word/footnotes.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml\"/>\
         <Override PartName=\"/docProps/core.xml\" ContentType=\"application/vnd.openxmlformats-package.core-properties+xml\"/></Types>"
    );
    let core = format!(
        "<cp:coreProperties xmlns:cp=\"{PACKAGE}/metadata/core-properties\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><dc:title>{}</dc:title></cp:coreProperties>",
        escape(title)
    );
    let root = |name: &str, content: &str| format!("<w:{name} xmlns:w=\"{WORD}\">{content}</w:{name}>");
    let parts = [
        ("[Content_Types].xml", content_types),
        ("_rels/.rels", relations(&["officeDocument word/document.xml"])),
        ("docProps/core.xml", core),
        (
            "word/_rels/document.xml.rels",
            relations(&["styles styles.xml", "numbering numbering.xml", "footnotes footnotes.xml"]),
        ),
        ("word/styles.xml", root("styles", &writer.styles())),
        ("word/numbering.xml", root("numbering", &writer.numbering())),
        ("word/footnotes.xml", root("footnotes", &writer.footnotes())),
        ("word/document.xml", root("document", &format!("<w:body>{}</w:body>", writer.body))),
    ];
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in parts {
        archive.start_file(name, SimpleFileOptions::default())?;
        archive.write_all(b"<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n")?;
        archive.write_all(content.as_bytes())?;
    }
    Ok(archive.finish()?.into_inner())
}

/// An empty file with the signature of Word 97–2003.
pub fn legacy() -> Vec<u8> {
    let mut bytes = vec![0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1];
    bytes.resize(1_024, 0);
    bytes.extend("WordDocument".encode_utf16().flat_map(u16::to_le_bytes));
    bytes.resize(2_048, 0);
    bytes
}

fn relations(targets: &[&str]) -> String {
    let list: String = targets
        .iter()
        .filter_map(|target| target.split_once(' '))
        .enumerate()
        .map(|(at, (kind, target))| {
            format!("<Relationship Id=\"rId{at}\" Type=\"{RELATIONS}/{kind}\" Target=\"{target}\"/>")
        })
        .collect();
    format!("<Relationships xmlns=\"{PACKAGE}/relationships\">{list}</Relationships>")
}

/// A list of one level: what stands before and behind its numbers, how it counts, and from where.
#[derive(Clone, Debug, PartialEq)]
struct List {
    before: String,
    after: String,
    format: &'static str,
    start: usize,
}

struct Writer<'a> {
    style: &'a Style,
    manner: Manner,
    manuscript: &'a Manuscript,
    scheme: Scheme,
    counters: [usize; 4],
    body: String,
    /// The lists of items; list 1 is that of the headings, so these are 2 and on.
    lists: Vec<List>,
    /// For each depth of items the list that is running and its last number.
    running: [Option<(usize, usize)>; 8],
}

impl Writer<'_> {
    fn element(&mut self, element: &Element) {
        let style = self.style;
        match element {
            Element::PageBreak => self.body.push_str("<w:p><w:r><w:br w:type=\"page\"/></w:r></w:p>"),
            Element::Space(_) => self.body.push_str("<w:p/>"),
            Element::Title(text) => {
                let runs = self.runs(text, Some((Face::Bold, style.title_size)));
                let properties = match self.manner {
                    Manner::Styles => "<w:pStyle w:val=\"Title\"/>",
                    Manner::Typed => "<w:jc w:val=\"center\"/>",
                };
                self.paragraph(properties, &runs);
            }
            Element::Heading { level, number, text } => self.heading(*level, number, text),
            Element::Paragraph(text) => {
                let runs = self.runs(text, None);
                self.paragraph("", &runs);
            }
            Element::Item { markers, text } => self.item(markers, text),
            Element::Quote(text) => {
                let runs = self.runs(text, None);
                let properties = match self.manner {
                    Manner::Styles => "<w:pStyle w:val=\"Quote\"/>",
                    Manner::Typed => "<w:ind w:left=\"560\" w:right=\"560\"/>",
                };
                self.paragraph(properties, &runs);
            }
            Element::Centered(text) => {
                let runs = self.runs(text, None);
                self.paragraph("<w:jc w:val=\"center\"/>", &runs);
            }
            Element::Lines(lines) => {
                for line in lines {
                    let runs = self.runs(line, None);
                    self.paragraph("", &runs);
                }
            }
            Element::Table(rows) => {
                let mut table = String::from("<w:tbl><w:tblPr/>");
                for row in rows {
                    table.push_str("<w:tr>");
                    for cell in row {
                        table.push_str(&format!("<w:tc><w:p>{}</w:p></w:tc>", self.runs(cell, None)));
                    }
                    table.push_str("</w:tr>");
                }
                self.body.push_str(&format!("{table}</w:tbl>"));
            }
        }
    }

    fn paragraph(&mut self, properties: &str, runs: &str) {
        self.body.push_str(&format!("<w:p><w:pPr>{properties}</w:pPr>{runs}</w:p>"));
    }

    fn heading(&mut self, level: usize, number: &[Inline], text: &[Inline]) {
        let at = (level - 1).min(3);
        let look = self.style.headings[at];
        let face = Some((look.face, look.size));
        let joint = if look.hang.is_none() { " — " } else { "\t" };
        let printed = plain(number);
        let counted = self.counted(at, &printed, joint);
        let mut runs = String::new();
        if !printed.is_empty() && !counted {
            runs.push_str(&self.runs(number, face));
            runs.push_str(&self.runs(&[Inline::Text(joint.to_owned(), look.face)], face));
        }
        runs.push_str(&self.runs(text, face));
        let centered = if look.hang.is_none() { "<w:jc w:val=\"center\"/>" } else { "" };
        let before = (look.before * 20.0) as usize;
        let properties = match (self.manner, counted) {
            (Manner::Styles, true) => format!("<w:pStyle w:val=\"Heading{level}\"/>{centered}"),
            (Manner::Styles, false) => {
                format!(
                    "<w:pStyle w:val=\"Heading{level}\"/><w:numPr><w:numId w:val=\"0\"/></w:numPr>{centered}"
                )
            }
            (Manner::Typed, _) => format!("<w:keepNext/><w:spacing w:before=\"{before}\"/>{centered}"),
        };
        self.paragraph(&properties, &runs);
    }

    /// True if automatic numbering gives this number; the counter then advances.
    fn counted(&mut self, at: usize, printed: &str, joint: &str) -> bool {
        let Some(&(format, pattern, _)) = self.scheme.get(at).filter(|_| self.manner == Manner::Styles)
        else {
            return false;
        };
        let mut next = self.counters;
        next[at] += 1;
        for (deeper, &(_, _, restarts)) in self.scheme.iter().enumerate().skip(at + 1) {
            next[deeper] = if restarts { 0 } else { next[deeper] };
        }
        let mut expected = pattern.to_owned();
        for (level, value) in next.iter().enumerate() {
            let format = self.scheme.get(level).map_or(format, |(format, ..)| *format);
            expected = expected.replace(&format!("%{}", level + 1), &count(format, *value));
        }
        let fits = expected.trim_end_matches(joint.trim_end()) == printed;
        if fits {
            self.counters = next;
        }
        fits
    }

    fn item(&mut self, markers: &[(usize, String)], text: &[Inline]) {
        let mut runs = String::new();
        let mut properties = String::new();
        let depth = markers.last().map_or(1, |(depth, _)| *depth);
        for (at, (depth, marker)) in markers.iter().enumerate() {
            // The program counts one number for a paragraph; a second one is typed.
            let counts = at == 0 && self.manner == Manner::Styles;
            let list = if counts { self.list(*depth, marker) } else { None };
            if !counts && let Some(running) = self.running.get_mut(*depth) {
                *running = None;
            }
            match list {
                Some(list) => {
                    properties =
                        format!("<w:numPr><w:ilvl w:val=\"0\"/><w:numId w:val=\"{}\"/></w:numPr>", list + 2);
                }
                None => runs.push_str(&format!("<w:r><w:t>{}</w:t><w:tab/></w:r>", escape(marker))),
            }
        }
        runs.push_str(&self.runs(text, None));
        let left = (self.style.tabs[depth.min(5)] * 20.0) as usize;
        self.paragraph(&format!("{properties}<w:ind w:left=\"{left}\"/>"), &runs);
    }

    /// The list that prints this marker next at this depth.
    fn list(&mut self, depth: usize, marker: &str) -> Option<usize> {
        let (before, format, value, after) = shape(marker)?;
        for deeper in self.running.iter_mut().skip(depth + 1) {
            *deeper = None;
        }
        let slot = self.running.get_mut(depth)?;
        if let Some((list, last)) = slot
            && value == *last + 1
            && self
                .lists
                .get(*list)
                .is_some_and(|list| (list.before.as_str(), list.after.as_str()) == (before, after))
        {
            *last = value;
            return Some(*list);
        }
        self.lists.push(List { before: before.to_owned(), after: after.to_owned(), format, start: value });
        *slot = Some((self.lists.len() - 1, value));
        Some(self.lists.len() - 1)
    }

    fn runs(&self, text: &[Inline], face: Option<(Face, f64)>) -> String {
        let mut out = String::new();
        for part in text {
            match part {
                Inline::Text(text, own) => {
                    let (base, size) = face.unwrap_or((Face::Roman, self.style.size));
                    let has = |face: Face, of: [Face; 2]| of.contains(&face);
                    let bold = [*own, base].iter().any(|face| has(*face, [Face::Bold, Face::BoldItalic]));
                    let italic = [*own, base].iter().any(|face| has(*face, [Face::Italic, Face::BoldItalic]));
                    let halves = (size * 2.0).round() as usize;
                    out.push_str(&format!(
                        "<w:r><w:rPr>{}{}<w:sz w:val=\"{halves}\"/></w:rPr>{}</w:r>",
                        if bold { "<w:b/>" } else { "" },
                        if italic { "<w:i/>" } else { "" },
                        text.split('\t')
                            .map(|text| format!("<w:t xml:space=\"preserve\">{}</w:t>", escape(text)))
                            .collect::<Vec<_>>()
                            .join("<w:tab/>"),
                    ));
                }
                Inline::Mark(marker) => {
                    let id = self
                        .manuscript
                        .notes
                        .iter()
                        .position(|(own, _)| own == marker)
                        .map_or(0, |at| at + 1);
                    out.push_str(&format!("<w:r><w:footnoteReference w:id=\"{id}\"/></w:r>"));
                }
            }
        }
        out
    }

    fn styles(&self) -> String {
        let size = (self.style.size * 2.0).round() as usize;
        let mut styles = format!(
            "<w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val=\"{size}\"/></w:rPr></w:rPrDefault></w:docDefaults>\
             <w:style w:type=\"paragraph\" w:default=\"1\" w:styleId=\"Normal\"><w:name w:val=\"Normal\"/></w:style>\
             <w:style w:type=\"paragraph\" w:styleId=\"Title\"><w:name w:val=\"Title\"/><w:basedOn w:val=\"Normal\"/><w:pPr><w:jc w:val=\"center\"/></w:pPr></w:style>\
             <w:style w:type=\"paragraph\" w:styleId=\"Quote\"><w:name w:val=\"Quote\"/><w:basedOn w:val=\"Normal\"/></w:style>"
        );
        for level in 1..=4 {
            let list = if level <= self.scheme.len() {
                format!("<w:numPr><w:ilvl w:val=\"{}\"/><w:numId w:val=\"1\"/></w:numPr>", level - 1)
            } else {
                String::new()
            };
            styles.push_str(&format!(
                "<w:style w:type=\"paragraph\" w:styleId=\"Heading{level}\"><w:name w:val=\"heading {level}\"/><w:basedOn w:val=\"Normal\"/>\
                 <w:pPr><w:keepNext/>{list}<w:outlineLvl w:val=\"{}\"/></w:pPr></w:style>",
                level - 1
            ));
        }
        styles
    }

    fn numbering(&self) -> String {
        let level = |at: usize, start: usize, format: &str, text: &str, more: &str| {
            format!(
                "<w:lvl w:ilvl=\"{at}\"><w:start w:val=\"{start}\"/><w:numFmt w:val=\"{format}\"/>{more}<w:lvlText w:val=\"{}\"/></w:lvl>",
                escape(text)
            )
        };
        let headings: String = self
            .scheme
            .iter()
            .enumerate()
            .map(|(at, (format, text, restarts))| {
                level(at, 1, format, text, if *restarts { "" } else { "<w:lvlRestart w:val=\"0\"/>" })
            })
            .collect();
        let mut definitions = format!("<w:abstractNum w:abstractNumId=\"1\">{headings}</w:abstractNum>");
        let mut lists = String::from("<w:num w:numId=\"1\"><w:abstractNumId w:val=\"1\"/></w:num>");
        for (at, list) in self.lists.iter().enumerate() {
            let List { before, after, format, start } = list;
            let id = at + 2;
            definitions.push_str(&format!(
                "<w:abstractNum w:abstractNumId=\"{id}\">{}</w:abstractNum>",
                level(0, *start, format, &format!("{before}%1{after}"), "")
            ));
            lists.push_str(&format!("<w:num w:numId=\"{id}\"><w:abstractNumId w:val=\"{id}\"/></w:num>"));
        }
        definitions + &lists
    }

    fn footnotes(&self) -> String {
        let separator =
            "<w:footnote w:type=\"separator\" w:id=\"-1\"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>";
        let notes = self.manuscript.notes.iter().enumerate().map(|(at, (_, text))| {
            let runs = self.runs(text, Some((Face::Roman, self.style.notes.0)));
            format!(
                "<w:footnote w:id=\"{}\"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t xml:space=\"preserve\"> </w:t></w:r>{runs}</w:p></w:footnote>",
                at + 1
            )
        });
        separator.to_owned() + &notes.collect::<String>()
    }
}

/// The parts of a marker: prefix, number format, value of the last number, suffix.
fn shape(marker: &str) -> Option<(&str, &'static str, usize, &str)> {
    let is_inner = |c: char| c.is_ascii_alphanumeric();
    let end = marker.rfind(is_inner)? + 1;
    let start = marker.get(..end)?.rfind(|c| !is_inner(c)).map_or(0, |at| at + 1);
    let (before, inner, after) = (marker.get(..start)?, marker.get(start..end)?, marker.get(end..)?);
    if let Ok(value) = inner.parse() {
        return Some((before, "decimal", value, after));
    }
    let roman = (1..40).find(|&n| count("lowerRoman", n) == inner);
    match (roman, inner.as_bytes()) {
        (Some(value), _) if inner.len() > 1 || inner == "i" => Some((before, "lowerRoman", value, after)),
        (_, [letter @ b'a'..=b'z']) => Some((before, "lowerLetter", usize::from(letter - b'a') + 1, after)),
        _ => None,
    }
}

fn count(format: &str, n: usize) -> String {
    const ONES: [&str; 10] = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"];
    let roman = || format!("{}{}", "x".repeat(n / 10), ONES[n % 10]);
    match format {
        "upperRoman" => roman().to_uppercase(),
        "lowerRoman" => roman(),
        "upperLetter" => char::from(b'A' + u8::try_from(n.max(1) - 1).unwrap_or(0)).to_string(),
        _ => n.to_string(),
    }
}

fn plain(text: &[Inline]) -> String {
    text.iter()
        .map(|part| match part {
            Inline::Text(text, _) => text.as_str(),
            Inline::Mark(_) => "",
        })
        .collect()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
