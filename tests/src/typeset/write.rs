//! Pages into a PDF file. Streams are left uncompressed, so that a test that fails can be read with `less`.

use pdf_writer::types::{FontFlags, NumberingStyle};
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, Str, TextStr};

use super::font::{Face, Family, Font, encode};
use super::markup::{Element, Manuscript};
use super::printed::{SetPage, SetWord};
use super::style::{Spacing, Style};

const CATALOG: Ref = Ref::new(1);
const PAGES: Ref = Ref::new(2);
const INFO: Ref = Ref::new(3);
const OUTLINE: Ref = Ref::new(4);
const LABEL: Ref = Ref::new(5);
/// Font `i` has object `FONTS + 2 i`, its descriptor the next.
const FONTS: i32 = 10;
/// Page `i` has object `FIRST_PAGE + 2 i`, its content the next; bookmarks follow the pages.
const FIRST_PAGE: i32 = 30;

fn page_ref(at: usize) -> Ref {
    Ref::new(FIRST_PAGE + 2 * at as i32)
}

/// The file.
pub(super) fn write(pages: &[SetPage], manuscript: &Manuscript, style: &Style, title: &str) -> Vec<u8> {
    let mut pdf = Pdf::new();
    pdf.set_version(1, 7);
    let bookmarks = if style.outline { bookmarks(pages, manuscript, style) } else { Vec::new() };
    let mut catalog = pdf.catalog(CATALOG);
    catalog.pages(PAGES).lang(TextStr("en-GB"));
    if !bookmarks.is_empty() {
        catalog.outlines(OUTLINE);
    }
    if style.label_prefix.is_some() {
        catalog.page_labels().nums().insert(0, LABEL);
    }
    catalog.finish();
    pdf.document_info(INFO).title(TextStr(title)).producer(TextStr("pincite-tests"));
    if let Some(prefix) = style.label_prefix {
        let mut label = pdf.indirect(LABEL).start::<pdf_writer::writers::PageLabel<'_>>();
        label.style(NumberingStyle::Arabic).prefix(TextStr(prefix));
    }
    write_outline(&mut pdf, &bookmarks, pages.len());
    for font in Font::ALL {
        write_font(&mut pdf, font);
    }
    let kids = (0..pages.len()).map(page_ref);
    pdf.pages(PAGES).kids(kids).count(pages.len() as i32);
    for (at, page) in pages.iter().enumerate() {
        let (id, content_id) = (page_ref(at), Ref::new(page_ref(at).get() + 1));
        let mut dict = pdf.page(id);
        dict.parent(PAGES).contents(content_id);
        dict.media_box(Rect::new(0.0, 0.0, style.page.0 as f32, style.page.1 as f32));
        let mut resources = dict.resources();
        let mut fonts = resources.fonts();
        for font in used_fonts(page) {
            fonts.pair(Name(&resource_name(font)), Ref::new(FONTS + 2 * font.idx() as i32));
        }
        fonts.finish();
        resources.finish();
        dict.finish();
        pdf.stream(content_id, &content(page, style));
    }
    pdf.finish()
}

fn resource_name(font: Font) -> [u8; 2] {
    [b'F', b'0' + font.idx() as u8]
}

fn used_fonts(page: &SetPage) -> impl Iterator<Item = Font> {
    Font::ALL.into_iter().filter(|font| {
        let roman = Font { face: Face::Roman, ..*font } == *font;
        page.lines
            .iter()
            .flatten()
            .any(|word| word.parts.iter().any(|part| part.font == *font) || (roman && !word.marks.is_empty()))
    })
}

fn write_font(pdf: &mut Pdf, font: Font) {
    let id = FONTS + 2 * font.idx() as i32;
    let widths = font.widths();
    let (bold, italic) = match font.face {
        Face::Roman => (false, false),
        Face::Bold => (true, false),
        Face::Italic => (false, true),
        Face::BoldItalic => (true, true),
    };
    pdf.type1_font(Ref::new(id))
        .base_font(Name(font.base_name().as_bytes()))
        .first_char(32)
        .last_char(255)
        .widths(widths[32..].iter().map(|&width| f32::from(width)))
        .font_descriptor(Ref::new(id + 1))
        .encoding_predefined(Name(b"WinAnsiEncoding"));
    let mut flags = FontFlags::NON_SYMBOLIC;
    flags.set(FontFlags::SERIF, font.family == Family::Times);
    flags.set(FontFlags::ITALIC, italic);
    pdf.font_descriptor(Ref::new(id + 1))
        .name(Name(font.base_name().as_bytes()))
        .flags(flags)
        .bbox(Rect::new(-200.0, -250.0, 1100.0, 950.0))
        .italic_angle(if italic { -15.0 } else { 0.0 })
        .ascent(font.ascent() as f32)
        .descent(font.descent() as f32)
        .cap_height(if font.family == Family::Times { 662.0 } else { 718.0 })
        .stem_v(if bold { 140.0 } else { 85.0 });
}

/// A string that one operator shows: words in one font at one size, with equal gaps.
struct Segment {
    font: Font,
    size: f64,
    x: f64,
    baseline: f64,
    rise: f64,
    words: Vec<String>,
    gap: f64,
    end: f64,
}

fn content(page: &SetPage, style: &Style) -> Vec<u8> {
    let mut content = Content::new();
    for &(left, right, y) in &page.rules {
        content.set_line_width(0.5);
        let y = (style.page.1 - y) as f32;
        content.move_to(left as f32, y).line_to(right as f32, y).stroke();
    }
    content.begin_text();
    let (mut font, mut spacing, mut rise) = (None, 0.0, 0.0);
    for segment in page.lines.iter().flat_map(|line| segments(line)) {
        if font != Some((segment.font, segment.size)) {
            content.set_font(Name(&resource_name(segment.font)), segment.size as f32);
            font = Some((segment.font, segment.size));
        }
        // Word processors raise a mark by the `Ts` operator, TeX by moving the position.
        let moved = if style.spacing == Spacing::Movements { segment.rise } else { 0.0 };
        if (rise - (segment.rise - moved)).abs() > 1e-9 {
            rise = segment.rise - moved;
            content.set_rise(rise as f32);
        }
        let y = (style.page.1 - segment.baseline + moved) as f32;
        content.set_text_matrix([1.0, 0.0, 0.0, 1.0, segment.x as f32, y]);
        match style.spacing {
            Spacing::Characters => {
                let space = segment.font.measure(" ", segment.size);
                let extra = if segment.words.len() > 1 { segment.gap - space } else { 0.0 };
                if (spacing - extra).abs() > 1e-6 {
                    content.set_word_spacing(extra as f32);
                    spacing = extra;
                }
                content.show(Str(&encode(&segment.words.join(" "))));
            }
            Spacing::Movements => {
                let mut show = content.show_positioned();
                let mut items = show.items();
                for (at, word) in segment.words.iter().enumerate() {
                    if at > 0 {
                        items.adjust((-segment.gap * 1000.0 / segment.size) as f32);
                    }
                    items.show(Str(&encode(word)));
                }
            }
        }
    }
    content.end_text();
    content.finish().to_vec()
}

fn segments(line: &[SetWord]) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    for word in line {
        for (at, part) in word.parts.iter().enumerate() {
            if let Some(last) = segments.last_mut() {
                let gap = part.x - last.end;
                let same = last.font == part.font && last.rise == 0.0 && at == 0;
                let even = last.words.len() == 1 || (gap - last.gap).abs() < 1e-6;
                if same && even && gap < part.font.measure(" ", word.size) * 3.0 {
                    last.gap = gap;
                    last.words.push(part.text.clone());
                    last.end = part.x + part.width;
                    continue;
                }
            }
            segments.push(Segment {
                font: part.font,
                size: word.size,
                x: part.x,
                baseline: word.baseline,
                rise: 0.0,
                words: vec![part.text.clone()],
                gap: 0.0,
                end: part.x + part.width,
            });
        }
        for mark in &word.marks {
            let (size, rise) = word.mark_type();
            let family = segments.last().map_or(Family::Times, |segment| segment.font.family);
            segments.push(Segment {
                font: Font { family, face: Face::Roman },
                size,
                x: mark.x,
                baseline: word.baseline,
                rise,
                words: vec![mark.marker.clone()],
                gap: 0.0,
                end: mark.x + mark.width,
            });
        }
    }
    segments
}

/// A bookmark: title, level, page, distance of its top from the top of the page.
struct Bookmark {
    title: String,
    level: usize,
    page: usize,
    top: f64,
}

fn bookmarks(pages: &[SetPage], manuscript: &Manuscript, style: &Style) -> Vec<Bookmark> {
    let mut bookmarks: Vec<Bookmark> = Vec::new();
    let mut of_element = usize::MAX;
    for (page_at, page) in pages.iter().enumerate() {
        for word in page.lines.iter().flatten().filter(|word| word.flow == super::Flow::Body) {
            let Some(Element::Heading { level, .. }) = manuscript.elements.get(word.element) else {
                continue;
            };
            if word.element != of_element {
                of_element = word.element;
                let top = style.page.1 - word.baseline + word.size;
                bookmarks.push(Bookmark { title: String::new(), level: *level, page: page_at, top });
            }
            let Some(bookmark) = bookmarks.last_mut() else { continue };
            if !bookmark.title.is_empty() {
                bookmark.title.push(' ');
            }
            bookmark.title.push_str(&word.text());
        }
    }
    bookmarks
}

fn write_outline(pdf: &mut Pdf, bookmarks: &[Bookmark], n_pages: usize) {
    let id = |at: usize| Ref::new(FIRST_PAGE + 2 * (n_pages + 1) as i32 + at as i32);
    // Children of the whole outline at 0, of bookmark `at` at `at + 1`.
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); bookmarks.len() + 1];
    let mut parents: Vec<Option<usize>> = Vec::with_capacity(bookmarks.len());
    let mut open: Vec<usize> = Vec::new();
    for (at, bookmark) in bookmarks.iter().enumerate() {
        while open.pop_if(|above| bookmarks[*above].level >= bookmark.level).is_some() {}
        let parent = open.last().copied();
        children[parent.map_or(0, |parent| parent + 1)].push(at);
        parents.push(parent);
        open.push(at);
    }
    let (Some(first), Some(last)) = (children[0].first(), children[0].last()) else { return };
    pdf.outline(OUTLINE).first(id(*first)).last(id(*last)).count(children[0].len() as i32);
    for (at, bookmark) in bookmarks.iter().enumerate() {
        let siblings = &children[parents[at].map_or(0, |parent| parent + 1)];
        let place = siblings.binary_search(&at).unwrap_or_default();
        let mut item = pdf.outline_item(id(at));
        item.title(TextStr(&bookmark.title)).parent(parents[at].map_or(OUTLINE, id));
        if let Some(&next) = siblings.get(place + 1) {
            item.next(id(next));
        }
        if place > 0 {
            item.prev(id(siblings[place - 1]));
        }
        let below = &children[at + 1];
        if let (Some(first), Some(last)) = (below.first(), below.last()) {
            item.first(id(*first)).last(id(*last)).count(-(below.len() as i32));
        }
        item.dest().page(page_ref(bookmark.page)).xyz(0.0, bookmark.top as f32, None);
    }
}
