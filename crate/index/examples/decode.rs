//! Benchmark: time to encode and decode a long document and its vectors, compared with copying as
//! many bytes, and what a chunk takes on disk and in memory: `decode [PAGES]`.
//!
//! The document is made up: 500 words a page, eight children and one article a page. Children have vectors of
//! 384 numbers. Memory is what the process has more of, where the system tells (Linux).

use std::time::Instant;

use document::{
    Block, BlockKind, BlockStyle, Chunk, ChunkId, ChunkKind, Document, Layout, PageGeometry, PageId,
    PageInfo, PlacedWord, Rect, Role, Rotation, Section, SectionId, TextMap, TextRange, Tree,
};
use index::{Segment, VectorBatch};
use text::AnalyzerKind;

const WORDS_A_PAGE: usize = 500;
const CHILDREN_A_PAGE: usize = 8;

#[expect(clippy::disallowed_methods, reason = "an example that measures; no result depends on the clock")]
fn now() -> Instant {
    Instant::now()
}

fn main() {
    let n_pages = std::env::args().nth(1).and_then(|pages| pages.parse().ok()).unwrap_or(400);
    let document = document(n_pages);
    println!("{} words, {} chunks", document.layout.words.n_words(), document.chunks.len());
    let start = now();
    let segment = Segment::new(document, AnalyzerKind::Default);
    println!("index:  {:.1} ms, {} terms", ms(start), segment.postings().n_terms());
    let start = now();
    let bytes = segment.encode();
    println!("encode: {:.1} ms, {} kB", ms(start), bytes.len() / 1000);
    let n_chunks = segment.document().chunks.len();
    read("segment", &bytes, n_chunks, || Segment::decode(&bytes).ok(), &segment);

    let n_children = segment.embeddable().len();
    let rows: Vec<Vec<f32>> = (0..n_children)
        .map(|row| (0..384).map(|at| ((row * 31 + at * 17) % 97) as f32 - 48.0).collect())
        .collect();
    let start = now();
    let Ok(batch) = VectorBatch::new("digest", "model", 0, &rows) else { return };
    println!("vectors: {n_children} taken in {:.1} ms", ms(start));
    let start = now();
    let bytes = batch.encode();
    println!("encode: {:.1} ms, {} kB", ms(start), bytes.len() / 1000);
    read("vectors", &bytes, n_children, || VectorBatch::decode(&bytes).ok(), &batch);
}

/// The best of a few: reading and copying. What was read is kept, so that memory can be seen to grow.
fn read<T: PartialEq>(what: &str, bytes: &[u8], n: usize, decode: impl Fn() -> Option<T>, written: &T) {
    let (mut reading, mut copying, mut kept, mut before) = (f64::MAX, f64::MAX, Vec::new(), 0);
    for at in 0..12 {
        // The first few fill what was free.
        if at == 4 {
            before = n_resident();
        }
        let start = now();
        kept.push(decode());
        reading = reading.min(ms(start));
        let start = now();
        let copy = std::hint::black_box(bytes.to_vec());
        copying = copying.min(ms(start));
        drop(copy);
    }
    let rate = |ms: f64| bytes.len() as f64 / 1e3 / ms;
    println!(
        "{what}: read in {reading:.1} ms ({:.0} MB/s, copying {:.0} MB/s), {}; each {} bytes on disk, {} in memory",
        rate(reading),
        rate(copying),
        if kept.iter().all(|back| back.as_ref() == Some(written)) { "same" } else { "DIFFERENT" },
        bytes.len() / n.max(1),
        n_resident().saturating_sub(before) / (8 * n).max(1)
    );
}

/// Bytes of memory that the process has; 0 where that is not told.
fn n_resident() -> usize {
    let told = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    told.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).unwrap_or(0) * 4096
}

fn ms(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1e3
}

fn document(n_pages: usize) -> Document {
    let mut layout = Layout::default();
    let mut words = Vec::new();
    let mut chunks = Vec::new();
    let mut number = 1_u64;
    for page in 0..n_pages {
        let geometry = PageGeometry { crop: [0.0, 0.0, 595.0, 842.0], rotation: Rotation::None };
        layout.pages.push(PageInfo { label: Some((page + 1).to_string()), geometry });
        let page_start = layout.text.len();
        let article = ChunkId::from_idx(chunks.len() + CHILDREN_A_PAGE);
        for block in 0..CHILDREN_A_PAGE {
            if !layout.text.is_empty() {
                layout.text.push('\n');
            }
            let start = layout.text.len();
            for word in 0..WORDS_A_PAGE / CHILDREN_A_PAGE {
                if word > 0 {
                    layout.text.push(' ');
                }
                // Common words often, rare ones seldom, as in language.
                number =
                    number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let spread = 1 + (number >> 60);
                let at = layout.text.len();
                layout.text.push_str(&format!("word{}", (number >> 33) % (40 << spread.min(9))));
                let (x, y) = ((word % 12) as f32 * 40.0, (block * 8 + word / 12) as f32 * 11.5);
                let rect = Rect { x0: x, y0: y, x1: x + 31.7, y1: y + 10.0 };
                words.push(PlacedWord {
                    range: TextRange::new(at, layout.text.len()),
                    page: PageId::from_idx(page),
                    rect,
                });
            }
            let range = TextRange::new(start, layout.text.len());
            layout.blocks.push(Block {
                kind: BlockKind::Paragraph,
                role: Role::Body,
                range,
                style: BlockStyle::default(),
                marker: None,
            });
            chunks.push(chunk(ChunkKind::Child, range, Some(article)));
        }
        chunks.push(chunk(ChunkKind::Article, TextRange::new(page_start, layout.text.len()), None));
    }
    layout.words = TextMap::new(words);
    let root = Section {
        parent: None,
        level: 0,
        label: None,
        title: String::new(),
        heading: None,
        range: TextRange::new(0, layout.text.len()),
        blocks: Vec::new(),
        is_article: false,
    };
    Document { layout, chunks, tree: Tree { sections: vec![root], ..Tree::default() }, ..Document::default() }
}

fn chunk(kind: ChunkKind, range: TextRange, article: Option<ChunkId>) -> Chunk {
    Chunk {
        kind,
        ranges: vec![range],
        section: SectionId(0),
        n_tokens: 70,
        parents: Vec::new(),
        article,
        notes: Vec::new(),
    }
}
