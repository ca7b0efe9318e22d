//! Prints the blocks of a PDF, one a line: kind, page, box, marks, the head of the text.
//!
//! `cargo run -p pincite-blocks --example dump_blocks -- FILE.pdf`

use std::ops::ControlFlow;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let Some(path) = args.next() else { return Err("usage: dump_blocks FILE.pdf".into()) };
    let bytes = std::fs::read(path)?;
    let source = pages::read(&bytes, &pages::Options::default(), &mut |_, _| ControlFlow::Continue(()))?;
    let layout = blocks::layout(&source.output).output;
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
