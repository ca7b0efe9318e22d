//! Readable dumps of what the stages give, for the golden files: one line for each thing, boxes rounded to points.
//!
//! A reviewer must see in a diff what has changed on which page, so dumps hold heads of texts rather than whole
//! texts, and nothing that changes from run to run.

use std::fmt::Write as _;

use document::{BlockKind, Chunk, Document, FurnitureKind, Layout, Rect, Role, Tree};

/// Blocks in reading order with page, box and style, then note marks, then furniture.
///
/// ```text
/// p1 heading      [ 79,100,517,120] 15.0 bold centered "PART 1 — INTRODUCTION"
/// ```
pub fn layout(layout: &Layout) -> String {
    let mut out = String::new();
    for block in &layout.blocks {
        let kind = match block.kind {
            BlockKind::Heading => "heading",
            BlockKind::Paragraph => "paragraph",
            BlockKind::ListItem => "item",
            BlockKind::Footnote => "footnote",
            BlockKind::Table => "table",
        };
        let parts = layout.parts(block);
        let mut places: Vec<String> = Vec::new();
        for (page, _, rect) in &parts {
            places.push(format!("p{} {}", page.idx() + 1, corners(rect)));
        }
        let _ = write!(out, "{kind:9} {} {:.1}", places.join(" + "), block.style.size.0);
        let style = &block.style;
        for (on, name) in [
            (style.bold, "bold"),
            (style.italic, "italic"),
            (style.caps, "caps"),
            (style.centered, "centered"),
            (block.role == Role::Title, "title"),
            (block.role == Role::Caption, "caption"),
            (block.role == Role::BlockQuote, "quote"),
        ] {
            if on {
                let _ = write!(out, " {name}");
            }
        }
        if let Some(marker) = &block.marker {
            let _ = write!(out, " <{marker}>");
        }
        let _ = writeln!(out, " {}", head_and_tail(layout.slice(block.range)));
    }
    for mark in &layout.marks {
        let before = word_before(&layout.text, mark.at as usize);
        let page = mark.page.map_or(0, |page| page.idx() + 1);
        let _ = writeln!(out, "mark      p{page} {} {} after \"{before}\"", corners(&mark.rect), mark.marker);
    }
    for furniture in &layout.furniture {
        let kind = match furniture.kind {
            FurnitureKind::Header => "header",
            FurnitureKind::Footer => "footer",
            FurnitureKind::Other => "other",
            FurnitureKind::Hidden => "hidden",
            FurnitureKind::Illegible => "illegible",
        };
        let page = furniture.page.idx() + 1;
        let _ =
            writeln!(out, "{kind:9} p{page} {} {}", corners(&furniture.rect), head_and_tail(&furniture.text));
    }
    out
}

/// The tree, indented, with labels and sizes, then the notes with the marks that call them.
pub fn sections(layout: &Layout, tree: &Tree) -> String {
    let mut out = String::new();
    for section in &tree.sections {
        let indent = "  ".repeat(usize::from(section.level));
        let label = section.label.as_ref().map_or(String::new(), |label| format!(" [{}]", label.key));
        let article = if section.is_article { " article" } else { "" };
        let n_blocks = section.blocks.len();
        let title = if section.title.is_empty() { "-".to_owned() } else { head(&section.title, 70) };
        let size = section.range.len();
        let _ =
            writeln!(out, "{indent}{} {title}{label}{article} blocks={n_blocks} bytes={size}", section.level);
    }
    for note in &tree.notes {
        let page = note.page.map_or(0, |page| page.idx() + 1);
        let text: Vec<&str> = note
            .blocks
            .iter()
            .filter_map(|id| layout.blocks.get(id.idx()))
            .map(|block| layout.slice(block.range))
            .collect();
        let marks: Vec<String> = note
            .marks
            .iter()
            .filter_map(|&at| layout.marks.get(at as usize))
            .map(|mark| format!("p{}", mark.page.map_or(0, |page| page.idx() + 1)))
            .collect();
        let marks = marks.join(",");
        let _ = writeln!(
            out,
            "note {} p{page} called on {marks} {}",
            note.marker,
            head_and_tail(&text.join(" "))
        );
    }
    out
}

/// The chunks with section path, size, links and both ends of their text.
pub fn chunks(document: &Document) -> String {
    let mut out = String::new();
    for (at, chunk) in document.chunks.iter().enumerate() {
        let kind = format!("{:?}", chunk.kind).to_lowercase();
        let path =
            document.section_path(chunk).iter().map(|title| head(title, 24)).collect::<Vec<_>>().join(" > ");
        let _ = write!(out, "#{at} {kind} {} tokens in [{path}]{}", chunk.n_tokens, links(chunk));
        let _ = writeln!(out, " {}", head_and_tail(&document.chunk_text(chunk)));
    }
    out
}

fn links(chunk: &Chunk) -> String {
    let mut out = String::new();
    if !chunk.parents.is_empty() {
        let parents: Vec<String> = chunk.parents.iter().map(|id| format!("#{}", id.idx())).collect();
        let _ = write!(out, " parents {}", parents.join(","));
    }
    if let Some(article) = chunk.article {
        let _ = write!(out, " article #{}", article.idx());
    }
    if !chunk.notes.is_empty() {
        let notes: Vec<String> = chunk.notes.iter().map(|id| id.idx().to_string()).collect();
        let _ = write!(out, " notes {}", notes.join(","));
    }
    out
}

fn corners(rect: &Rect) -> String {
    format!("[{:.0},{:.0},{:.0},{:.0}]", rect.x0, rect.y0, rect.x1, rect.y1)
}

fn word_before(text: &str, at: usize) -> &str {
    text.get(..at).and_then(|before| before.split_whitespace().next_back()).unwrap_or_default()
}

fn head(text: &str, n_chars: usize) -> String {
    let mut head: String = text.chars().take(n_chars).collect();
    if head.len() < text.len() {
        head.push('…');
    }
    head
}

/// Both ends of a text, so that a block that swallows its neighbour is seen.
fn head_and_tail(text: &str) -> String {
    const HEAD: usize = 48;
    const TAIL: usize = 24;
    let text = text.replace('\n', "⏎").replace('\t', "⇥");
    let n_chars = text.chars().count();
    if n_chars <= HEAD + TAIL + 3 {
        return format!("\"{text}\"");
    }
    let head: String = text.chars().take(HEAD).collect();
    let tail: String = text.chars().skip(n_chars - TAIL).collect();
    format!("\"{head} … {tail}\" ({n_chars})")
}
