//! A layout as the JSON that `pincite layout --json` prints.
//!
//! Blocks page by page: a paragraph that runs over pages is one piece on each, the later ones with
//! `"cont": true`. Boxes are in points from the top left of the page as shown. Of a document without pages
//! `"pages"` is empty and `"blocks"` beside it holds its blocks in order, without boxes. The serialised shape
//! lives here and nowhere else.

use std::collections::HashMap;

use document::{
    Block, BlockId, BlockKind, Furniture, FurnitureKind, Layout, PageId, PageInfo, Rect, Role, TextRange,
    Tree,
};
use serde_json::{Map, Value, json};

/// The pages of a layout with their blocks, furniture among them; levels of headings and references to notes
/// from the tree.
pub(crate) fn to_json(layout: &Layout, tree: &Tree) -> Value {
    let mut pages: Vec<Vec<Value>> = layout.pages.iter().map(|_| Vec::new()).collect();
    let mut pageless: Vec<Value> = Vec::new();
    let levels = heading_levels(layout, tree);
    let note_of_mark = notes_by_mark(tree);
    let mut mark = 0;
    for (b, block) in layout.blocks.iter().enumerate() {
        let level = levels.get(b).copied().flatten();
        let mut piece = |range: TextRange, part_idx: usize, end: u32| {
            let mut entry = entry(block, level, layout.slice(range), piece_id(b, part_idx));
            let refs = refs(layout, &note_of_mark, &mut mark, end);
            if !refs.is_empty() {
                entry.insert("refs".into(), Value::Array(refs));
            }
            entry
        };
        if layout.pages.is_empty() {
            pageless.push(Value::Object(piece(block.range, 0, block.range.end)));
            continue;
        }
        let parts = layout.parts(block);
        let n_parts = parts.len();
        for (part_idx, (page, range, rect)) in parts.into_iter().enumerate() {
            // The last part takes the marks behind its last word, the others those up to the next part.
            let end = if part_idx + 1 == n_parts { block.range.end } else { range.end };
            let mut entry = piece(range, part_idx, end);
            entry.insert("bbox".into(), bbox(&rect));
            if part_idx > 0 {
                entry.insert("cont".into(), json!(true));
            }
            push(&mut pages, page, Value::Object(entry));
        }
    }
    for (f, furniture) in layout.furniture.iter().enumerate() {
        push(&mut pages, furniture.page, furniture_json(f, furniture));
    }
    let pages: Vec<Value> = (1..)
        .zip(pages)
        .zip(&layout.pages)
        .map(|((number, blocks), info)| page_json(number, info, blocks))
        .collect();
    let mut out = Map::new();
    out.insert("pages".into(), Value::Array(pages));
    if layout.pages.is_empty() {
        out.insert("blocks".into(), Value::Array(pageless));
    }
    crate::mentions_json::add(&mut out, layout, tree);
    Value::Object(out)
}

fn page_json(number: usize, info: &PageInfo, blocks: Vec<Value>) -> Value {
    let (width, height) = info.geometry.size();
    json!({ "page": number, "label": info.label, "width": width.0, "height": height.0, "blocks": blocks })
}

fn furniture_json(f: usize, furniture: &Furniture) -> Value {
    let kind = match furniture.kind {
        FurnitureKind::Header => "header",
        FurnitureKind::Footer => "footer",
        FurnitureKind::Other | FurnitureKind::Hidden | FurnitureKind::Illegible => "furniture",
    };
    json!({ "kind": kind, "text": furniture.text, "bbox": bbox(&furniture.rect), "id": format!("f{f}") })
}

/// A block, or the piece of one, without its place.
fn entry(block: &Block, level: Option<u8>, text: &str, id: String) -> Map<String, Value> {
    let mut entry = Map::new();
    entry.insert("kind".into(), json!(kind_name(block.kind)));
    if block.kind == BlockKind::Heading {
        entry.insert("level".into(), json!(level.unwrap_or(u8::from(block.role != Role::Title))));
    }
    if let Some(marker) = &block.marker {
        entry.insert("marker".into(), json!(marker));
    }
    if let Some(role) = role_name(block.role) {
        entry.insert("role".into(), json!(role));
    }
    entry.insert("text".into(), json!(text));
    entry.insert("id".into(), json!(id));
    entry
}

/// The marks from `mark` on that stand before `end`.
fn refs(layout: &Layout, note_of_mark: &HashMap<usize, BlockId>, mark: &mut usize, end: u32) -> Vec<Value> {
    let mut refs = Vec::new();
    while let Some(found) = layout.marks.get(*mark).filter(|found| found.at <= end) {
        let mut entry = Map::new();
        entry.insert("marker".into(), json!(found.marker));
        if let Some(note) = note_of_mark.get(mark) {
            entry.insert("note".into(), json!(format!("b{}", note.idx())));
        }
        refs.push(Value::Object(entry));
        *mark += 1;
    }
    refs
}

fn push(pages: &mut [Vec<Value>], page: PageId, entry: Value) {
    if let Some(blocks) = pages.get_mut(page.idx()) {
        blocks.push(entry);
    }
}

/// "b12" for the first piece of a block, by which notes are referred to; "b12.1" for the next.
fn piece_id(block: usize, part: usize) -> String {
    if part == 0 { format!("b{block}") } else { format!("b{block}.{part}") }
}

pub(crate) fn kind_name(kind: BlockKind) -> &'static str {
    match kind {
        BlockKind::Heading => "heading",
        BlockKind::Paragraph => "paragraph",
        BlockKind::ListItem => "list",
        BlockKind::Footnote => "footnote",
        BlockKind::Table => "table",
    }
}

fn role_name(role: Role) -> Option<&'static str> {
    match role {
        Role::Body => None,
        Role::Caption => Some("caption"),
        Role::BlockQuote => Some("quote"),
        Role::Title => Some("title"),
    }
}

fn bbox(rect: &Rect) -> Value {
    let round = |v: f32| (f64::from(v) * 100.0).round() / 100.0;
    json!([round(rect.x0), round(rect.y0), round(rect.x1), round(rect.y1)])
}

/// For each heading block, the level of the section whose heading it is; a heading of a number and a title may
/// take two. The title of the document is the root's, which is no section.
fn heading_levels(layout: &Layout, tree: &Tree) -> Vec<Option<u8>> {
    let mut levels = vec![None; layout.blocks.len()];
    for section in &tree.sections {
        let Some(heading) = section.heading else { continue };
        let first = layout.blocks.partition_point(|block| block.range.end <= heading.start);
        let blocks = layout.blocks.iter().zip(&mut levels).skip(first);
        for (_, level) in blocks.take_while(|(block, _)| block.range.intersect(heading).is_some()) {
            *level = level.or(Some(section.level));
        }
    }
    levels
}

/// For each mark that calls a note, the first block of the note.
fn notes_by_mark(tree: &Tree) -> HashMap<usize, BlockId> {
    let mut notes = HashMap::new();
    for note in &tree.notes {
        if let Some(&block) = note.blocks.first() {
            notes.extend(note.marks.iter().map(|&mark| (mark as usize, block)));
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use document::{BlockStyle, NoteMark, PageGeometry, PlacedWord, Rotation, TextMap};

    use super::*;

    fn word(start: usize, end: usize, page: u32) -> PlacedWord {
        let rect = Rect { x0: 72.0, y0: 100.0, x1: 90.0, y1: 110.0 };
        PlacedWord { range: TextRange::new(start, end), page: PageId(page), rect }
    }

    fn block(kind: BlockKind, start: usize, end: usize, marker: Option<&str>) -> Block {
        let (range, marker) = (TextRange::new(start, end), marker.map(str::to_owned));
        Block { kind, role: Role::Body, range, style: BlockStyle::default(), marker }
    }

    #[test]
    fn a_paragraph_over_two_pages_is_two_entries_and_its_mark_names_the_note() {
        let geometry = PageGeometry { crop: [0.0, 0.0, 612.0, 792.0], rotation: Rotation::None };
        let rect = Rect { x0: 90.0, y0: 96.0, x1: 93.0, y1: 102.0 };
        let layout = Layout {
            pages: vec![PageInfo { label: None, geometry }, PageInfo { label: Some("ii".into()), geometry }],
            text: "one two\nnote".into(),
            words: TextMap::new(vec![word(0, 3, 0), word(4, 7, 1), word(8, 12, 1)]),
            blocks: vec![
                block(BlockKind::Paragraph, 0, 7, None),
                block(BlockKind::Footnote, 8, 12, Some("1")),
            ],
            marks: vec![NoteMark { at: 7, marker: "1".into(), page: Some(PageId(1)), rect }],
            caveats: document::Caveats::default(),
            furniture: vec![Furniture {
                kind: FurnitureKind::Header,
                text: "head".into(),
                page: PageId(0),
                rect,
            }],
        };
        let note = document::Note {
            marker: "1".into(),
            page: Some(PageId(1)),
            blocks: vec![document::BlockId(1)],
            marks: vec![0],
        };
        let json = to_json(&layout, &Tree { notes: vec![note], ..Tree::default() });
        let first = &json["pages"][0]["blocks"];
        assert_eq!(first[0]["text"], "one");
        assert_eq!(first[0].get("cont"), None);
        assert_eq!(first[1]["kind"], "header");
        let second = &json["pages"][1]["blocks"];
        assert_eq!(second[0]["cont"], true);
        assert_eq!(second[0]["refs"], json!([{ "marker": "1", "note": "b1" }]));
        assert_eq!(
            second[1],
            json!({ "kind": "footnote", "marker": "1", "text": "note", "id": "b1", "bbox": [72.0, 100.0, 90.0, 110.0] })
        );
    }

    #[test]
    fn blocks_without_pages_are_listed_beside_the_pages() {
        let layout = Layout {
            text: "(a) one\nnote".into(),
            blocks: vec![
                block(BlockKind::ListItem, 0, 7, Some("(a)")),
                block(BlockKind::Footnote, 8, 12, Some("1")),
            ],
            marks: vec![NoteMark { at: 7, marker: "1".into(), page: None, rect: Rect::default() }],
            ..Layout::default()
        };
        let note =
            document::Note { marker: "1".into(), page: None, blocks: vec![BlockId(1)], marks: vec![0] };
        let json = to_json(&layout, &Tree { notes: vec![note], ..Tree::default() });
        assert_eq!(json["pages"], json!([]));
        assert_eq!(
            json["blocks"],
            json!([
                { "kind": "list", "marker": "(a)", "text": "(a) one", "id": "b0", "refs": [{ "marker": "1", "note": "b1" }] },
                { "kind": "footnote", "marker": "1", "text": "note", "id": "b1" },
            ])
        );
    }
}
