//! Pages built in code: what the tests lay out.

use document::{
    Attestation, Block, BlockKind, FontStyle, Layout, Page, PageGeometry, PageId, PdfText, Pt, Rect,
    Rotation, Rule, Run, Visibility, Warned,
};

/// Width of every character but the ideographs, in multiples of the type size.
pub const ADVANCE: f32 = 0.5;

/// Lines of running text, 72 to 540 points wide at 12 points.
pub const PROSE: [&str; 4] = [
    "The parties have agreed that every notice under this instrument shall be in",
    "writing and shall be delivered by hand or by courier to the address that the",
    "other party has given for this purpose, and that a notice takes effect upon",
    "its receipt or on the next day of business.",
];

/// A document under construction: pages of 612 by 792 points. Text is put at a place (`run`, `bold`, `lines`,
/// `row`) or below what was put last (`line`, `bold_line`, `centred`, `prose`).
#[derive(Default)]
pub struct Doc {
    pub pages: Vec<Page>,
    /// The baseline of the line that was put last.
    pub y: f32,
}

impl Doc {
    pub fn page(mut self) -> Self {
        self.y = 60.0;
        self.pages.push(Page {
            id: PageId::from_idx(self.pages.len()),
            label: None,
            geometry: PageGeometry { crop: [0.0, 0.0, 612.0, 792.0], rotation: Rotation::None },
            runs: Vec::new(),
            rules: Vec::new(),
            image_cover: 0.0,
            tags: std::collections::BTreeMap::new(),
        });
        self
    }

    pub fn last(&mut self) -> &mut Page {
        self.pages.last_mut().unwrap()
    }

    pub fn last_run(&mut self) -> &mut Run {
        self.last().runs.last_mut().unwrap()
    }

    pub fn put(&mut self, run: Run) {
        self.last().runs.push(run);
    }

    pub fn run(mut self, x: f32, y: f32, size: f32, text: &str) -> Self {
        self.put(run(x, y, size, text));
        self
    }

    pub fn bold(mut self, x: f32, y: f32, size: f32, text: &str) -> Self {
        let font = FontStyle { bold: true, ..FontStyle::default() };
        self.put(Run { font, ..run(x, y, size, text) });
        self
    }

    /// Lines of 10 points, 12 apart, in the font of the file with this number.
    pub fn lines_in(mut self, number: u32, x: f32, y: f32, lines: &[&str]) -> Self {
        for (i, line) in lines.iter().enumerate() {
            let font = FontStyle { number, ..FontStyle::default() };
            self.put(Run { font, ..run(x, y + 12.0 * i as f32, 10.0, line) });
        }
        self
    }

    pub fn seen(mut self, x: f32, y: f32, text: &str, visibility: Visibility) -> Self {
        self.put(Run { visibility, ..run(x, y, 10.0, text) });
        self
    }

    /// Text that ends at `x`.
    pub fn right(self, x: f32, y: f32, size: f32, text: &str) -> Self {
        let width = text.chars().count() as f32 * ADVANCE * size;
        self.run(x - width, y, size, text)
    }

    pub fn across(mut self, x0: f32, x1: f32, y: f32) -> Self {
        self.last().rules.push(Rule { rect: Rect { x0, y0: y, x1, y1: y + 0.5 } });
        self
    }

    pub fn down(mut self, x: f32, y0: f32, y1: f32) -> Self {
        self.last().rules.push(Rule { rect: Rect { x0: x, y0, x1: x + 0.5, y1 } });
        self
    }

    /// Lines of 10 points, 12 apart.
    pub fn lines(mut self, x: f32, y: f32, lines: &[&str]) -> Self {
        for (i, line) in lines.iter().enumerate() {
            self = self.run(x, y + 12.0 * i as f32, 10.0, line);
        }
        self
    }

    /// A row of a table: its label at the left, figures ending at the given places.
    pub fn row(mut self, y: f32, label: &str, figures: &[(f32, &str)]) -> Self {
        if !label.is_empty() {
            self = self.run(72.0, y, 10.0, label);
        }
        for (x, figure) in figures {
            self = self.right(*x, y, 10.0, figure);
        }
        self
    }

    /// A line at `x`, below the last.
    pub fn line(mut self, x: f32, size: f32, text: &str) -> Self {
        self.y += 1.2 * size;
        let y = self.y;
        self.run(x, y, size, text)
    }

    pub fn bold_line(mut self, x: f32, size: f32, text: &str) -> Self {
        self.y += 1.2 * size;
        let y = self.y;
        self.bold(x, y, size, text)
    }

    pub fn centred(self, size: f32, text: &str) -> Self {
        self.line(306.0 - half_width(size, text), size, text)
    }

    pub fn bold_centred(self, size: f32, text: &str) -> Self {
        self.bold_line(306.0 - half_width(size, text), size, text)
    }

    pub fn gap(mut self, points: f32) -> Self {
        self.y += points;
        self
    }

    pub fn prose(mut self) -> Self {
        for line in PROSE {
            self = self.line(72.0, 12.0, line);
        }
        self.gap(10.0)
    }

    pub fn warned(self) -> Warned<Layout> {
        blocks::layout(&PdfText { pages: self.pages, ..PdfText::default() })
    }

    pub fn layout(self) -> Layout {
        self.warned().output
    }

    pub fn headings(self) -> Vec<String> {
        headings(&self.layout())
    }
}

fn half_width(size: f32, text: &str) -> f32 {
    0.5 * ADVANCE * size * text.chars().count() as f32
}

pub fn run(x: f32, y: f32, size: f32, text: &str) -> Run {
    let mut edges = vec![0.0f32];
    for c in text.chars() {
        let advance = if text::is_cjk(c) { 1.0 } else { ADVANCE };
        edges.push(edges.last().copied().unwrap_or_default() + advance * size);
    }
    let width = edges.last().copied().unwrap_or_default();
    Run {
        text: text.to_owned(),
        edges,
        rect: Rect { x0: x, y0: y - 0.8 * size, x1: x + width, y1: y + 0.2 * size },
        baseline: y,
        angle: 0.0,
        size: Pt(size),
        rise: Pt(0.0),
        font: FontStyle::default(),
        visibility: Visibility::Visible,
        attestation: Attestation::default(),
        mcid: None,
        artifact: false,
    }
}

pub fn blocks_of(layout: &Layout) -> Vec<(BlockKind, &str)> {
    layout.blocks.iter().map(|block| (block.kind, layout.slice(block.range))).collect()
}

pub fn of_kind(layout: &Layout, kind: BlockKind) -> Vec<&Block> {
    layout.blocks.iter().filter(|block| block.kind == kind).collect()
}

pub fn headings(layout: &Layout) -> Vec<String> {
    of_kind(layout, BlockKind::Heading).iter().map(|block| layout.slice(block.range).to_owned()).collect()
}
