//! `pincite layout --html`: the layout of each page as a drawing.
//!
//! Each line of text is at its position on the page. Over it are the blocks, one colour per kind, with their number in
//! the reading order, the level of a heading, the cells of a table. A note mark links to its note, a cross-reference to
//! its target; furniture is dashed. The file has no script, its links work by keyboard, and all text is escaped. A
//! document without pages is drawn as text, block by block. Cost: one pass over the words per layer.

use std::collections::BTreeMap;

use document::{Block, BlockKind, Document, PageId, Rect, Role, TextRange};

use crate::layout_json::kind_name;

const STYLE: &str = "body{background:#777;font:13px/1.4 sans-serif;margin:1rem}
main,nav{max-width:60rem;margin:0 auto 1rem}nav{background:#fff;padding:.5rem 1rem}
nav ul{list-style:none;margin:0;padding:0}nav li{margin-left:calc(var(--l)*1.2em)}
svg{display:block;background:#fff;width:100%;height:auto;margin:0 0 1rem}
text{fill:#222;font-family:serif;white-space:pre}
.block,.cell,.furniture,.run-in{fill-opacity:.07;stroke-width:.7}
.heading{fill:#c00;stroke:#c00}.paragraph{fill:#36c;stroke:#36c}.list{fill:#090;stroke:#090}
.footnote{fill:#c60;stroke:#c60}.table,.cell{fill:#909;stroke:#909}.cell{stroke-width:.3}
.title{stroke-width:2}.caption{stroke-dasharray:4 1}.quote{fill-opacity:.2}
.run-in{fill:#c00;stroke:#c00;stroke-dasharray:1 1}.furniture{fill:#888;stroke:#888;stroke-dasharray:2 2}
text.furniture{stroke:none;fill:#888;fill-opacity:1}
.order{fill:none;stroke:#000;stroke-opacity:.15;stroke-width:1}
.tag{font:bold 6px sans-serif;fill:#fff;stroke-width:2.5;paint-order:stroke}.mark{fill:none;stroke:#c60;stroke-width:.8}
.call{stroke:#c60;stroke-opacity:.5;stroke-width:.6}.reference{stroke:#06f;stroke-width:1}
.outside{stroke-dasharray:2 1}.term{stroke:#080;stroke-width:1}.entity{stroke:#b58900;stroke-width:.6}
a:focus,a:hover{outline:2px solid #06f}:target{fill-opacity:.35}
.text{background:#fff;padding:2rem;font:15px/1.5 serif}.text>div{border-left:3px solid;margin:.4rem 0;padding:.1rem .6rem;white-space:pre-wrap}
.text>.heading{border-color:#c00;font-weight:bold}.text>.list{border-color:#090}.text>.table{border-color:#909}";

/// Margin above a page for the tags of its first blocks, in points.
const MARGIN: f32 = 4.0;

/// The document as a page of HTML.
pub(crate) fn render(document: &Document) -> String {
    let sheets = Sheets::draw(document);
    let name = escape(&document.name);
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{name}</title>\n<style>{STYLE}</style>\n"
    );
    html.push_str(&contents(document));
    html.push_str("<main>\n");
    if document.layout.pages.is_empty() {
        html.push_str("<div class=\"text\">\n");
        for (at, block) in document.layout.blocks.iter().enumerate() {
            let marker = block.marker.as_deref().filter(|_| block.kind == BlockKind::Footnote);
            html.push_str(&format!(
                "<div class=\"block {}\" id=\"b{at}\">{}{}</div>\n",
                kind_name(block.kind),
                marker.map(|marker| format!("<sup>{}</sup> ", escape(marker))).unwrap_or_default(),
                escape(document.layout.slice(block.range))
            ));
        }
        html.push_str("</div>\n");
    }
    for (at, info) in document.layout.pages.iter().enumerate() {
        let (width, height) = info.geometry.size();
        let label = info.label.as_ref().map(|label| format!(", printed {label}")).unwrap_or_default();
        let number = at + 1;
        let drawn = sheets.pages.get(at).map(Sheet::layers).unwrap_or_default();
        html.push_str(&format!(
            "<svg id=\"p{number}\" role=\"group\" aria-label=\"page {number}{}\" viewBox=\"0 -{MARGIN} {:.1} {:.1}\">\n\
             <text class=\"furniture\" x=\"2\" y=\"6\" font-size=\"8\">{number}{}</text>\n{drawn}</svg>\n",
            escape(&label),
            width.0,
            height.0 + MARGIN,
            escape(&label),
        ));
    }
    html.push_str("</main>\n</html>\n");
    html
}

/// The sections as a list of links, folded.
fn contents(document: &Document) -> String {
    let mut html = String::from("<nav aria-label=\"sections\"><details><summary>Sections</summary><ul>\n");
    for (at, section) in document.tree.sections.iter().enumerate().skip(1) {
        let article = if section.is_article { " ¶" } else { "" };
        html.push_str(&format!(
            "<li style=\"--l:{}\"><a href=\"#s{at}\">{}</a>{article}</li>\n",
            section.level,
            escape(&section.title)
        ));
    }
    html.push_str("</ul></details></nav>\n");
    html
}

/// The layers of one page, each drawn over the one before.
#[derive(Default)]
struct Sheet {
    /// Boxes of blocks and furniture.
    boxes: String,
    /// The text.
    text: String,
    /// The way from block to block, and the tags on them.
    order: String,
    /// Links and what is underlined.
    links: String,
    /// Where the reading left the last block.
    last: Option<(f32, f32)>,
}

impl Sheet {
    fn layers(&self) -> String {
        [self.boxes.as_str(), &self.text, &self.order, &self.links].concat()
    }
}

struct Sheets<'a> {
    document: &'a Document,
    pages: Vec<Sheet>,
    /// Where each block begins.
    places: Vec<Option<(PageId, Rect)>>,
}

impl<'a> Sheets<'a> {
    fn draw(document: &'a Document) -> Self {
        let layout = &document.layout;
        let pages = layout.pages.iter().map(|_| Sheet::default()).collect();
        let places = layout
            .blocks
            .iter()
            .map(|block| layout.parts(block).first().map(|(page, _, rect)| (*page, *rect)))
            .collect();
        let mut sheets = Self { document, pages, places };
        sheets.blocks();
        sheets.sections();
        sheets.furniture();
        sheets.marks();
        sheets.mentions();
        sheets
    }

    fn blocks(&mut self) {
        let layout = &self.document.layout;
        let levels = self.levels();
        for (at, block) in layout.blocks.iter().enumerate() {
            let level = levels.get(&block.range.start).map(|level| format!(" H{level}")).unwrap_or_default();
            let marker = block.marker.as_ref().map(|marker| format!(" {marker}")).unwrap_or_default();
            let class = [kind_name(block.kind), role_name(block.role)].join(" ");
            let class = class.trim_end();
            for (n, (page, range, rect)) in layout.parts(block).into_iter().enumerate() {
                let id = if n == 0 { format!(" id=\"b{at}\"") } else { String::new() };
                let Some(sheet) = self.pages.get_mut(page.idx()) else { continue };
                sheet.boxes.push_str(&format!("<rect class=\"block {class}\"{id} {}/>\n", attributes(&rect)));
                let tag = if n == 0 { format!("{at}{level}{marker}") } else { format!("{at} goes on") };
                sheet.order.push_str(&format!(
                    "<text class=\"tag {class}\" x=\"{:.1}\" y=\"{:.1}\">{}</text>\n",
                    rect.x0,
                    rect.y0 + 1.0,
                    escape(&tag)
                ));
                if block.kind != BlockKind::Footnote {
                    let (x, y) = (rect.x0 + 2.0, rect.y0 + 2.0);
                    if let Some((x_last, y_last)) = sheet.last.replace((rect.x0 + 2.0, rect.y1 - 2.0)) {
                        sheet.order.push_str(&format!(
                            "<path class=\"order\" d=\"M{x_last:.1} {y_last:.1}L{x:.1} {y:.1}\"/>\n"
                        ));
                    }
                }
                self.lines(range);
            }
            if block.kind == BlockKind::Table {
                self.cells(block);
            }
        }
    }

    /// The level of each section by the first byte of its heading.
    fn levels(&self) -> BTreeMap<u32, u8> {
        let sections = self.document.tree.sections.iter().rev();
        sections.filter_map(|section| section.heading.map(|range| (range.start, section.level))).collect()
    }

    /// The text of a range, line by line where it stands.
    fn lines(&mut self, range: TextRange) {
        let layout = &self.document.layout;
        for (page, part, rect) in layout.words.boxes(range, &layout.text) {
            if let Some(sheet) = self.pages.get_mut(page.idx()) {
                sheet.text.push_str(&line(layout.slice(part), &rect, ""));
            }
        }
    }

    /// The cells of a table, each around its words.
    fn cells(&mut self, block: &Block) {
        let layout = &self.document.layout;
        let mut start = block.range.start as usize;
        for cell in layout.slice(block.range).split(['\n', '\t']) {
            let range = TextRange::new(start, start + cell.len());
            start += cell.len() + 1;
            let mut whole: Option<(PageId, Rect)> = None;
            for word in layout.words.words_in(range) {
                whole = match whole {
                    Some((page, rect)) if page == word.page => Some((page, rect.union(&word.rect))),
                    None => Some((word.page, word.rect)),
                    other => other,
                };
            }
            if let Some((page, rect)) = whole
                && let Some(sheet) = self.pages.get_mut(page.idx())
            {
                sheet.boxes.push_str(&format!("<rect class=\"cell\" {}/>\n", attributes(&rect)));
            }
        }
    }

    /// An anchor for each section: a box around its heading, which may be a part of its block only.
    fn sections(&mut self) {
        let layout = &self.document.layout;
        for (at, section) in self.document.tree.sections.iter().enumerate() {
            let Some(range) = section.heading else { continue };
            for (n, (page, _, rect)) in layout.words.boxes(range, &layout.text).into_iter().enumerate() {
                let Some(sheet) = self.pages.get_mut(page.idx()) else { continue };
                let id = if n == 0 { format!(" id=\"s{at}\"") } else { String::new() };
                sheet.boxes.push_str(&format!("<rect class=\"run-in\"{id} {}/>\n", attributes(&rect)));
            }
        }
    }

    fn furniture(&mut self) {
        for item in &self.document.layout.furniture {
            let Some(sheet) = self.pages.get_mut(item.page.idx()) else { continue };
            sheet.boxes.push_str(&format!("<rect class=\"furniture\" {}/>\n", attributes(&item.rect)));
            sheet.text.push_str(&line(&item.text, &item.rect, " class=\"furniture\""));
        }
    }

    /// Each note mark as a link to its note, with a line to it where both stand on one page.
    fn marks(&mut self) {
        let layout = &self.document.layout;
        let mut note_of: BTreeMap<u32, usize> = BTreeMap::new();
        for note in &self.document.tree.notes {
            let Some(block) = note.blocks.first() else { continue };
            note_of.extend(note.marks.iter().map(|&mark| (mark, block.idx())));
        }
        for (mark, found) in (0u32..).zip(&layout.marks) {
            let Some(page) = found.page else { continue };
            let Some(sheet) = self.pages.get_mut(page.idx()) else { continue };
            let rect = format!("<rect class=\"mark\" {}/>", attributes(&found.rect));
            let text = line(&found.marker, &found.rect, "");
            let Some(&block) = note_of.get(&mark) else {
                sheet.links.push_str(&format!("{rect}{text}"));
                continue;
            };
            sheet.links.push_str(&format!(
                "<a href=\"#b{block}\" aria-label=\"note {}\">{rect}{text}</a>\n",
                escape(&found.marker)
            ));
            if let Some(Some((at, note))) = self.places.get(block)
                && *at == page
            {
                sheet.links.push_str(&format!(
                    "<path class=\"call\" d=\"M{:.1} {:.1}L{:.1} {:.1}\"/>\n",
                    found.rect.x_mid(),
                    found.rect.y1,
                    note.x0,
                    note.y0
                ));
            }
        }
    }

    /// Cross-references as links to their sections; defined terms and entities underlined.
    fn mentions(&mut self) {
        let tree = &self.document.tree;
        for reference in &tree.references {
            let name = [reference.cite.instrument.clone().unwrap_or_default(), reference.cite.path.join(" ")];
            let name = name.join(" ");
            let target = reference.target.map(|section| format!("#s{}", section.idx()));
            let class = if target.is_some() { "reference" } else { "reference outside" };
            self.underline(reference.range, class, name.trim(), target.as_deref());
        }
        for term in &tree.terms {
            self.underline(term.range, "term", &format!("{}: {}", term.kind.name(), term.term), None);
        }
        for entity in &tree.entities {
            self.underline(
                entity.range,
                "entity",
                &format!("{}: {}", entity.kind.name(), entity.value),
                None,
            );
        }
    }

    fn underline(&mut self, range: TextRange, class: &str, name: &str, target: Option<&str>) {
        let layout = &self.document.layout;
        for (page, _, rect) in layout.words.boxes(range, &layout.text) {
            let Some(sheet) = self.pages.get_mut(page.idx()) else { continue };
            let title = escape(name);
            let Rect { x0, x1, y1, .. } = rect;
            let stroke = format!("<path class=\"{class}\" d=\"M{x0:.1} {y1:.1}H{x1:.1}\"/>");
            let shape = format!(
                "<rect fill-opacity=\"0\" {}><title>{title}</title></rect>{stroke}",
                attributes(&rect)
            );
            sheet.links.push_str(&match target {
                Some(target) => format!("<a href=\"{target}\" aria-label=\"{title}\">{shape}</a>\n"),
                None => format!("<g>{shape}</g>\n"),
            });
        }
    }
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::Body => "",
        Role::Caption => "caption",
        Role::BlockQuote => "quote",
        Role::Title => "title",
    }
}

fn attributes(rect: &Rect) -> String {
    format!(
        "x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"",
        rect.x0,
        rect.y0,
        rect.width().max(0.5),
        rect.height().max(0.5)
    )
}

/// One line of text, as wide as its box; text that runs down the page is turned.
fn line(text: &str, rect: &Rect, class: &str) -> String {
    let n_chars = text.chars().count();
    let is_upright = n_chars > 2 && rect.height() > 2.0 * rect.width();
    let (length, size) =
        if is_upright { (rect.height(), rect.width()) } else { (rect.width(), rect.height()) };
    let (x, y) = if is_upright { (rect.x0 + 0.25 * size, rect.y0) } else { (rect.x0, rect.y1 - 0.25 * size) };
    let turn = if is_upright { format!(" transform=\"rotate(90 {x:.1} {y:.1})\"") } else { String::new() };
    format!(
        "<text{class} x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{:.1}\" textLength=\"{:.1}\" \
         lengthAdjust=\"spacingAndGlyphs\"{turn}>{}</text>\n",
        0.8 * size,
        length.max(0.5),
        escape(text)
    )
}

/// Text as HTML shows it; control characters, which HTML cannot hold, as a space.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use document::{
        CrossReference, Layout, NoteMark, PageGeometry, PageInfo, PlacedWord, Rotation, SectionId,
    };
    use document::{Note, Section, TextMap, Tree};

    use super::*;

    #[test]
    fn markup_in_a_document_is_shown_not_obeyed() {
        assert_eq!(escape("<b a=\"1\">&\u{0}"), "&lt;b a=&quot;1&quot;&gt;&amp; ");
    }

    /// A page with a heading, a paragraph that refers to it and bears a note mark, and the note.
    fn layout() -> Layout {
        let text = "Title\nsee Title\nnote";
        let word = |start: usize, end: usize, y: f32| PlacedWord {
            range: TextRange::new(start, end),
            page: PageId(0),
            rect: Rect::new(10.0, y, 60.0, y + 10.0),
        };
        let block = |kind, start, end| Block {
            kind,
            role: Role::Body,
            range: TextRange::new(start, end),
            style: document::BlockStyle::default(),
            marker: None,
        };
        let geometry = PageGeometry { crop: [0.0, 0.0, 100.0, 100.0], rotation: Rotation::None };
        let mark = NoteMark { at: 15, marker: "1".into(), page: Some(PageId(0)), rect: Rect::default() };
        Layout {
            pages: vec![PageInfo { label: Some("iv<".into()), geometry }],
            text: text.into(),
            words: TextMap::new(vec![
                word(0, 5, 10.0),
                word(6, 9, 30.0),
                word(10, 15, 30.0),
                word(16, 20, 80.0),
            ]),
            blocks: vec![
                block(BlockKind::Heading, 0, 5),
                block(BlockKind::Paragraph, 6, 15),
                block(BlockKind::Footnote, 16, 20),
            ],
            marks: vec![mark],
            furniture: Vec::new(),
            caveats: document::Caveats::default(),
        }
    }

    /// The heading's section, the reference to it, and the note with its mark.
    fn tree() -> Tree {
        let section = |level, heading| Section {
            parent: None,
            level,
            label: None,
            title: "Title".into(),
            heading,
            range: TextRange::new(0, 20),
            blocks: Vec::new(),
            is_article: false,
        };
        let reference = CrossReference {
            range: TextRange::new(10, 15),
            cite: document::Cite::default(),
            target: Some(SectionId(1)),
        };
        Tree {
            sections: vec![section(0, None), section(1, Some(TextRange::new(0, 5)))],
            notes: vec![Note {
                marker: "1".into(),
                page: Some(PageId(0)),
                blocks: vec![document::BlockId(2)],
                marks: vec![0],
            }],
            references: vec![reference],
            ..Tree::default()
        }
    }

    #[test]
    fn marks_and_references_link_to_their_targets() {
        let html = render(&Document { layout: layout(), tree: tree(), ..Document::default() });
        for part in ["href=\"#b2\"", "id=\"b2\"", "id=\"s1\"", "0 H1", "printed iv&lt;"] {
            assert!(html.contains(part), "{part}");
        }
        assert_eq!(html.matches("href=\"#s1\"").count(), 2, "the list of sections and the reference");
        assert!(!html.contains("<script"));
    }
}
