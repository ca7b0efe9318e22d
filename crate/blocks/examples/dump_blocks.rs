//! Prints the blocks of a PDF, one a line: kind, page, box, marks, the head of the text.
//!
//! `cargo run -p pincite-blocks --example dump_blocks -- FILE.pdf [--json]`

use std::ops::ControlFlow;

#[path = "../../cli/src/layout_json.rs"]
mod json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let Some(path) = args.next() else { return Err("usage: dump_blocks FILE.pdf [--json]".into()) };
    let bytes = std::fs::read(path)?;
    let source = pages::read(&bytes, &pages::Options::default(), &mut |_, _| ControlFlow::Continue(()))?;
    let layout = blocks::layout(&source.output).output;
    if args.next().as_deref() == Some("--json") {
        println!("{}", json::to_json(&layout, &notes_on_their_pages(&layout)));
        return Ok(());
    }
    for block in &layout.blocks {
        let text = layout.slice(block.range);
        let marks =
            layout.marks.iter().filter(|mark| block.range.start <= mark.at && mark.at <= block.range.end);
        let marks: Vec<&str> = marks.map(|mark| mark.marker.as_str()).collect();
        let places: Vec<String> = layout
            .parts(block)
            .iter()
            .map(|(page, _, rect)| {
                format!("p{} {:.0},{:.0}-{:.0},{:.0}", page.idx() + 1, rect.x0, rect.y0, rect.x1, rect.y1)
            })
            .collect();
        println!(
            "{:?} {:?} [{}] {:.1}pt{}{} {:?} marks {:?}\n    {}",
            block.kind,
            block.role,
            places.join("; "),
            block.style.size.0,
            if block.style.bold { " bold" } else { "" },
            if block.style.centered { " centred" } else { "" },
            block.marker.as_deref().unwrap_or(""),
            marks,
            text.replace('\n', "\n    "),
        );
    }
    for furniture in &layout.furniture {
        println!("{:?} p{} {}", furniture.kind, furniture.page.idx() + 1, furniture.text);
    }
    Ok(())
}

/// A tree that only links marks to notes with the same marker on the same page, so that this tool needs no
/// later stage.
fn notes_on_their_pages(layout: &document::Layout) -> document::Tree {
    let mut tree = document::Tree::default();
    for (b, block) in layout.blocks.iter().enumerate() {
        if block.kind != document::BlockKind::Footnote {
            continue;
        }
        let page = layout.parts(block).first().map(|part| part.0);
        let marker = block.marker.clone().unwrap_or_default();
        let stands_on = |mark: &document::NoteMark| {
            let same =
                layout.blocks.iter().filter(|other| other.kind == block.kind && other.marker == block.marker);
            same.filter_map(|other| layout.parts(other).first().map(|part| part.0))
                .any(|page| page == mark.page)
        };
        let calls = |mark: &document::NoteMark| {
            let on =
                |page: document::PageId| mark.page == page || (mark.page.0 + 1 == page.0 && !stands_on(mark));
            mark.marker == marker && page.is_some_and(on)
        };
        let marks =
            layout.marks.iter().enumerate().filter(|(_, mark)| calls(mark)).map(|(i, _)| i as u32).collect();
        tree.notes.push(document::Note { marker, page, blocks: vec![document::BlockId::from_idx(b)], marks });
    }
    tree
}
