//! Chunks over layouts and trees built in code.

use std::collections::BTreeSet;

use document::{
    Block, BlockId, BlockKind, BlockStyle, ChunkId, ChunkKind, Document, Label, Note, NoteId, NoteMark,
    PageGeometry, PageId, PageInfo, PlacedWord, Rect, Role, Rotation, Section, SectionId, TextMap, TextRange,
};
use proptest::prelude::*;
use text::ApproximateTokens;

use super::*;

/// A document in the making: headings open sections, everything else goes into the open one.
struct Sample {
    document: Document,
    words: Vec<PlacedWord>,
    page: PageId,
}

impl Sample {
    fn new() -> Self {
        let root = Section {
            parent: None,
            level: 0,
            label: None,
            title: String::new(),
            heading: None,
            range: TextRange::default(),
            blocks: Vec::new(),
            is_article: false,
        };
        let mut document = Document::default();
        document.tree.sections.push(root);
        Self { document, words: Vec::new(), page: PageId(0) }
    }

    fn block(&mut self, kind: BlockKind, text: &str) -> TextRange {
        let layout = &mut self.document.layout;
        if !layout.text.is_empty() {
            layout.text.push('\n');
        }
        let start = layout.text.len();
        layout.text.push_str(text);
        let range = TextRange::new(start, layout.text.len());
        self.words.push(PlacedWord { range, page: self.page, rect: Rect::default() });
        let style = BlockStyle::default();
        layout.blocks.push(Block { kind, role: Role::Body, range, style, marker: None });
        let id = BlockId::from_idx(layout.blocks.len() - 1);
        let tree = &mut self.document.tree;
        if kind == BlockKind::Footnote {
            let (marker, page) = ("1".to_owned(), Some(self.page));
            tree.notes.push(Note { marker, page, blocks: vec![id], marks: Vec::new() });
        } else {
            tree.sections.last_mut().unwrap().blocks.push(id);
        }
        range
    }

    fn heading(mut self, level: u8, title: &str, is_article: bool) -> Self {
        let sections = &mut self.document.tree.sections;
        let parent = sections.iter().rposition(|section| section.level < level).map(SectionId::from_idx);
        sections.push(Section {
            parent,
            level,
            label: Some(Label { text: title.to_owned(), key: title.to_owned() }),
            title: title.to_owned(),
            heading: None,
            range: TextRange::default(),
            blocks: Vec::new(),
            is_article,
        });
        let range = self.block(BlockKind::Heading, title);
        let section = self.document.tree.sections.last_mut().unwrap();
        (section.heading, section.range) = (Some(range), range);
        self
    }

    fn text(mut self, text: &str) -> Self {
        self.block(BlockKind::Paragraph, text);
        self
    }

    fn note(mut self, text: &str) -> Self {
        self.block(BlockKind::Footnote, text);
        self
    }

    /// Calls the note that will be number `note` after the text so far.
    fn mark(mut self) -> Self {
        let layout = &mut self.document.layout;
        let at = u32::try_from(layout.text.len()).unwrap();
        layout.marks.push(NoteMark {
            at,
            marker: "1".to_owned(),
            page: Some(self.page),
            rect: Rect::default(),
        });
        self
    }

    fn next_page(mut self) -> Self {
        self.page = PageId(self.page.0 + 1);
        self
    }

    fn split(mut self, options: &Options) -> Document {
        let geometry = PageGeometry { crop: [0.0, 0.0, 600.0, 800.0], rotation: Rotation::None };
        let layout = &mut self.document.layout;
        layout.pages = vec![PageInfo { label: None, geometry }; self.page.idx() + 1];
        layout.words = TextMap::new(self.words);
        for (at, note) in self.document.tree.notes.iter_mut().enumerate().take(layout.marks.len()) {
            note.marks.push(u32::try_from(at).unwrap());
        }
        let end = u32::try_from(layout.text.len()).unwrap();
        for section in &mut self.document.tree.sections {
            section.range.end = end;
        }
        self.document.chunks = split(&self.document.layout, &self.document.tree, &ApproximateTokens, options);
        self.document
    }
}

fn small() -> Options {
    Options { parent_tokens: 256, child_tokens: 128 }
}

fn of_kind(document: &Document, kind: ChunkKind) -> Vec<&Chunk> {
    document.chunks.iter().filter(|chunk| chunk.kind == kind).collect()
}

/// A paragraph of `n` sentences of ten tokens.
fn sentences(n: usize) -> String {
    vec!["The bank has to keep the file of ten years."; n].join(" ")
}

#[test]
fn parents_begin_with_the_last_short_section_of_the_one_before() {
    let mut sample = Sample::new();
    for n in 1..=6 {
        sample = sample.heading(1, &format!("Part {n}"), false).text(&sentences(8));
    }
    let document = sample.split(&small());
    let parents = of_kind(&document, ChunkKind::Parent);
    let heads: Vec<Vec<String>> = parents
        .iter()
        .map(|parent| {
            let text = document.chunk_text(parent);
            text.lines().filter(|line| line.starts_with("Part")).map(str::to_owned).collect()
        })
        .collect();
    let expected: [&[&str]; 3] =
        [&["Part 1", "Part 2", "Part 3"], &["Part 3", "Part 4", "Part 5"], &["Part 5", "Part 6"]];
    assert_eq!(heads, expected);
}

#[test]
fn a_child_of_an_overlap_is_one_child_with_two_parents() {
    let mut sample = Sample::new();
    for n in 1..=5 {
        sample = sample.heading(1, &format!("Part {n}"), false).text(&sentences(8));
    }
    let document = sample.split(&small());
    let shared: Vec<&Chunk> =
        of_kind(&document, ChunkKind::Child).into_iter().filter(|child| child.parents.len() == 2).collect();
    assert!(!shared.is_empty());
    assert!(shared.iter().all(|child| document.section_path(child) == ["Part 3"]));
}

#[test]
fn a_heading_goes_with_the_text_below_it() {
    let document = Sample::new()
        .heading(1, "Part 1", false)
        .text(&sentences(11))
        .heading(1, "Part 2", false)
        .heading(2, "2.1 Fees", false)
        .text(&sentences(3))
        .split(&small());
    let children = of_kind(&document, ChunkKind::Child);
    let last = document.chunk_text(children.last().unwrap());
    assert!(last.starts_with("Part 2\n2.1 Fees\nThe bank"), "{last}");
    assert_eq!(document.section_path(children.last().unwrap()), ["Part 2", "2.1 Fees"]);
    assert!(tagged_text(&document, children.last().unwrap()).starts_with("Part 2\n2.1 Fees\n"));
}

#[test]
fn headers_stand_in_front_of_what_does_not_contain_them() {
    let document = Sample::new()
        .heading(1, "Part 1", false)
        .heading(2, "1.1 Fees", false)
        .text(&sentences(30))
        .split(&small());
    let children = of_kind(&document, ChunkKind::Child);
    assert!(children.len() > 2);
    let second = children.get(1).unwrap();
    assert!(tagged_text(&document, second).starts_with("<h>Part 1 › 1.1 Fees</h>\nThe bank"));
    assert_eq!(header_text(&document, second), "Part 1 › 1.1 Fees");
}

#[test]
fn articles_are_whole_and_their_children_know_them() {
    let document = Sample::new()
        .heading(1, "Chapter I", false)
        .heading(2, "Article 1", true)
        .text(&sentences(30))
        .heading(3, "Paragraph", false)
        .text(&sentences(6))
        .heading(2, "Article 2", true)
        .text(&sentences(2))
        .split(&small());
    let articles = of_kind(&document, ChunkKind::Article);
    assert_eq!(articles.len(), 2);
    let text = document.chunk_text(articles[0]);
    assert!(text.starts_with("Article 1\nThe bank") && text.contains("\nParagraph\n"));
    for child in of_kind(&document, ChunkKind::Child) {
        let article = &document.chunks[child.article.unwrap().idx()];
        assert_eq!(article.kind, ChunkKind::Article);
        let path = document.section_path(child);
        assert_eq!(document.section_path(article)[1], path[1]);
    }
}

#[test]
fn the_notes_of_a_page_are_one_chunk_with_the_parents_on_it() {
    let document = Sample::new()
        .heading(1, "Part 1", false)
        .text(&sentences(10))
        .mark()
        .mark()
        .note("First note.")
        .note("Second note.")
        .next_page()
        .text(&sentences(10))
        .note("Third note, which nobody calls.")
        .split(&small());
    let notes = of_kind(&document, ChunkKind::Note);
    assert_eq!(
        notes.iter().map(|chunk| chunk.notes.clone()).collect::<Vec<_>>(),
        [vec![NoteId(0), NoteId(1)], vec![NoteId(2)]]
    );
    assert!(notes.iter().all(|chunk| chunk.parents.len() == 1));
    assert_eq!(document.chunk_text(notes[0]), "First note.\nSecond note.");
    assert_eq!(of_kind(&document, ChunkKind::Parent)[0].notes, [NoteId(0), NoteId(1)]);
}

#[test]
fn without_pages_the_notes_that_the_same_parents_call_are_one_chunk() {
    let mut sample = Sample::new();
    for n in 1..=4 {
        sample = sample
            .heading(1, &format!("Part {n}"), false)
            .text(&sentences(30))
            .mark()
            .note(&format!("Note {n}."))
            .text(&sentences(3));
    }
    let mut document = sample.split(&small());
    document.layout.pages.clear();
    document.layout.words = TextMap::default();
    document.tree.notes.iter_mut().for_each(|note| note.page = None);
    document.layout.marks.iter_mut().for_each(|mark| mark.page = None);
    document.chunks = split(&document.layout, &document.tree, &ApproximateTokens, &small());
    let notes = of_kind(&document, ChunkKind::Note);
    assert_eq!(notes.iter().flat_map(|chunk| &chunk.notes).collect::<BTreeSet<_>>().len(), 4);
    assert!(notes.len() > 1);
    for chunk in notes {
        let calls = |parent: &ChunkId| &document.chunks[parent.idx()].notes;
        assert!(!chunk.parents.is_empty());
        assert!(
            chunk.parents.iter().all(|parent| chunk.notes.iter().all(|note| calls(parent).contains(note)))
        );
    }
}

#[test]
fn the_window_baseline_covers_all_text() {
    let document =
        Sample::new().heading(1, "Part 1", false).text(&sentences(40)).note("A note.").split(&small());
    let windows = split_windows(&document.layout, &ApproximateTokens, &small());
    let text: Vec<String> = windows
        .iter()
        .filter(|chunk| chunk.kind == ChunkKind::Child)
        .map(|chunk| document.chunk_text(chunk).into_owned())
        .collect();
    assert_eq!(bare(&text.concat()), bare(&document.layout.text));
    assert!(windows.iter().filter(|chunk| chunk.kind == ChunkKind::Child).all(|chunk| chunk.n_tokens <= 128));
}

fn bare(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

fn body(document: &Document) -> String {
    let blocks = document.layout.blocks.iter().filter(|block| block.kind != BlockKind::Footnote);
    blocks.map(|block| bare(document.layout.slice(block.range))).collect()
}

fn check(document: &Document, options: &Options) -> Result<(), TestCaseError> {
    let text = &document.layout.text;
    let children = of_kind(document, ChunkKind::Child);
    let covered: String = children.iter().map(|child| bare(&document.chunk_text(child))).collect();
    prop_assert_eq!(covered, body(document), "children hold the body once, in order");
    for chunk in &document.chunks {
        prop_assert!(!chunk.ranges.is_empty());
        for range in &chunk.ranges {
            prop_assert!(!range.is_empty() && text.get(range.to_usize()).is_some());
        }
        prop_assert!(chunk.ranges.windows(2).all(|pair| pair[0].end <= pair[1].start));
    }
    let holds = |outer: &Chunk, inner: &Chunk| {
        inner.ranges.iter().all(|range| outer.ranges.iter().any(|outer| outer.contains(*range)))
    };
    for child in &children {
        prop_assert!((1..=2).contains(&child.parents.len()));
        for parent in &child.parents {
            let parent = &document.chunks[parent.idx()];
            prop_assert_eq!(parent.kind, ChunkKind::Parent);
            prop_assert!(holds(parent, child));
        }
        let n_tokens = ApproximateTokens.count(&tagged_text(document, child));
        prop_assert!(
            n_tokens <= options.child_tokens,
            "{} tokens: {}",
            n_tokens,
            tagged_text(document, child)
        );
        if let Some(article) = child.article {
            prop_assert_eq!(document.chunks[article.idx()].kind, ChunkKind::Article);
        }
    }
    let parents = of_kind(document, ChunkKind::Parent);
    for (at, parent) in parents.iter().enumerate() {
        let id = ChunkId::from_idx(at);
        let own = children.iter().filter(|child| child.parents.contains(&id));
        let text: String = own.clone().map(|child| bare(&document.chunk_text(child))).collect();
        prop_assert_eq!(text, bare(&document.chunk_text(parent)), "a parent is its children");
        prop_assert!(own.clone().any(|child| child.parents[0] == id), "no parent is only an overlap");
        let n_tokens: u32 = own.map(|child| child.n_tokens).sum();
        prop_assert_eq!(n_tokens, parent.n_tokens);
    }
    let notes: String =
        of_kind(document, ChunkKind::Note).iter().map(|note| bare(&document.chunk_text(note))).collect();
    let footnotes = document.layout.blocks.iter().filter(|block| block.kind == BlockKind::Footnote);
    prop_assert_eq!(
        notes,
        footnotes.map(|block| bare(document.layout.slice(block.range))).collect::<String>()
    );
    Ok(())
}

#[test]
fn long_units_hold_whole_blocks_and_their_windows_all_words() {
    let texts: Vec<String> = [3, 40, 2, 9, 1].map(sentences).into();
    let document = texts.iter().fold(Sample::new(), |sample, text| sample.text(text)).split(&small());
    let options = Options { parent_tokens: 256, child_tokens: 128 };
    let chunks = split_long_units(&document.layout, &ApproximateTokens, &options);
    let of = |kind| chunks.iter().filter(move |chunk| chunk.kind == kind);
    let units: Vec<&Chunk> = of(ChunkKind::Article).collect();
    assert!(units.len() > 1 && chunks.len() == units.len() + of(ChunkKind::Child).count());
    let ends: Vec<u32> = document.layout.blocks.iter().map(|block| block.range.end).collect();
    let end = |unit: &Chunk| unit.ranges.last().map(|range| range.end);
    assert!(units.iter().all(|unit| end(unit).is_some_and(|end| ends.contains(&end))), "no block is cut");
    let is_over = |unit: &&&Chunk| unit.n_tokens > 256;
    assert_eq!(units.iter().filter(is_over).count(), 1, "only the block that is longer alone");
    for (at, unit) in chunks.iter().enumerate().filter(|(_, chunk)| chunk.kind == ChunkKind::Article) {
        let windows = of(ChunkKind::Child).filter(|child| child.article == Some(ChunkId::from_idx(at)));
        let size: u32 = windows.map(|window| window.n_tokens).sum();
        assert_eq!(size, unit.n_tokens, "each word is in one window");
    }
    assert!(split_long_units(&Layout::default(), &ApproximateTokens, &options).is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn chunks_keep_what_they_promise(
        blocks in prop::collection::vec((0u8..12, 1u8..4, 1usize..40, any::<bool>()), 0..40),
        parent_tokens in 256usize..600,
    ) {
        let mut sample = Sample::new();
        let mut in_article = 0;
        for (kind, level, n, flag) in blocks {
            sample = match kind {
                0..=4 => {
                    in_article = if in_article > 0 && level > in_article { in_article } else { 0 };
                    let is_article = flag && in_article == 0;
                    if is_article {
                        in_article = level;
                    }
                    sample.heading(level, &format!("{level} Heading of some words"), is_article)
                }
                5 => sample.mark().note(&sentences(n / 4 + 1)),
                6 => sample.text(&"word, ".repeat(n * 12)),
                7 => sample.text(&"条文内容，".repeat(n * 3)),
                8 => sample.text(&"x".repeat(n * 40)).next_page(),
                _ => sample.text(&sentences(n)),
            };
        }
        let options = Options { parent_tokens, child_tokens: 128 };
        let document = sample.split(&options);
        check(&document, &options)?;
    }
}

#[test]
fn a_long_path_keeps_its_innermost_headings() {
    let long = "A heading of rather many words that goes on and on ".repeat(6);
    let document = Sample::new()
        .heading(1, &long, false)
        .heading(2, "Chapter Two of the same", false)
        .heading(3, "3.1 Fees", false)
        .text(&sentences(30))
        .split(&Options::default());
    let last = document.chunks.iter().rfind(|chunk| chunk.kind == ChunkKind::Child).unwrap();
    assert!(tagged_text(&document, last).starts_with("<h>Chapter Two of the same › 3.1 Fees</h>\n"));
}

#[test]
fn a_hundred_thousand_sections_and_notes_are_split() {
    let mut sample = Sample::new();
    for n in 0..50_000u32 {
        let level = u8::try_from(n % 7).unwrap() + 1;
        sample = sample.heading(level, "Part", n % 5 == 0).text("Short text.").note("A note.");
        if n % 3 == 0 {
            sample = sample.next_page();
        }
    }
    let document = sample.split(&Options::default());
    assert!(document.chunks.len() > 10_000);
}
