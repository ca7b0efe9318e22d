//! Refusal of well-summed bytes whose numbers lead outside: each list and range by one, and no less.

use document::{
    Block, BlockId, BlockKind, BlockStyle, Caveat, CaveatRange, Caveats, Chunk, ChunkId, ChunkKind, Cite,
    CrossReference, DefinedTerm, Document, Entity, EntityKind, Furniture, FurnitureKind, Layout, LegalStatus,
    Note, NoteId, NoteMark, PageGeometry, PageId, PageInfo, PlacedWord, Rect, Role, Rotation, Section,
    SectionId, TermKind, TextMap, TextRange, Tree, Withdrawn, at_once, cursor::put_varint,
};
use text::AnalyzerKind;

use super::postings::decode_postings;
use crate::{ErrorKind, Postings, Segment, UnitLength};

const TEXT: &str = "规 Rule 1 says so.";
const RECT: Rect = Rect { x0: 0.0, y0: 0.0, x1: 1.0, y1: 1.0 };

fn range(start: u32, end: u32) -> TextRange {
    TextRange { start, end }
}

/// One of each: a page, a word, a block, a mark, furniture, a note, a chunk of each reference; two sections.
fn document() -> Document {
    let whole = range(0, TEXT.len() as u32);
    let geometry = PageGeometry { crop: [0.0, 0.0, 595.0, 842.0], rotation: Rotation::None };
    let section = |parent: Option<u32>| Section {
        parent: parent.map(SectionId),
        level: u8::from(parent.is_some()),
        label: None,
        title: String::new(),
        heading: Some(whole),
        range: whole,
        blocks: vec![BlockId(0)],
        is_article: false,
    };
    let withdrawn =
        |section: u32| Withdrawn { section: SectionId(section), legal_status: LegalStatus::Repealed };
    Document {
        layout: Layout {
            pages: vec![PageInfo { label: None, geometry }],
            text: TEXT.to_owned(),
            words: TextMap::new(vec![PlacedWord { range: whole, page: PageId(0), rect: RECT }]),
            blocks: vec![Block {
                kind: BlockKind::Paragraph,
                role: Role::Body,
                range: whole,
                style: BlockStyle::default(),
                marker: None,
            }],
            marks: vec![NoteMark { at: whole.end, marker: "1".into(), page: Some(PageId(0)), rect: RECT }],
            furniture: vec![Furniture {
                kind: FurnitureKind::Header,
                text: String::new(),
                page: PageId(0),
                rect: RECT,
            }],
            caveats: Caveats::new(vec![CaveatRange { caveat: Caveat::Ocr, range: whole }]),
        },
        tree: Tree {
            sections: vec![section(None), section(Some(0))],
            notes: vec![Note {
                marker: "1".into(),
                page: Some(PageId(0)),
                blocks: vec![BlockId(0)],
                marks: vec![0],
            }],
            references: vec![CrossReference {
                range: whole,
                cite: Cite::default(),
                target: Some(SectionId(1)),
            }],
            terms: vec![DefinedTerm {
                term: "Rule".into(),
                range: whole,
                meaning: whole,
                kind: TermKind::Inline,
            }],
            entities: vec![Entity { kind: EntityKind::Authority, range: whole, value: String::new() }],
            withdrawn: vec![withdrawn(0), withdrawn(1)],
            ..Tree::default()
        },
        chunks: vec![Chunk {
            kind: ChunkKind::Child,
            ranges: vec![whole],
            section: SectionId(1),
            n_tokens: 1,
            parents: vec![ChunkId(0)],
            article: Some(ChunkId(0)),
            notes: vec![NoteId(0)],
        }],
        ..Document::default()
    }
}

fn stored(document: Document) -> Vec<u8> {
    Segment::with_units(document, &[], AnalyzerKind::Default).encode()
}

/// The document as stored and read again, after a change.
fn reread(change: impl Fn(&mut Document)) -> Result<Segment, crate::Error> {
    let mut document = document();
    change(&mut document);
    Segment::decode(&stored(document))
}

#[test]
fn numbers_that_lead_just_to_the_end_are_read() {
    assert_eq!(*reread(|_| {}).unwrap().document(), document());
    let without_sections = reread(|document| {
        document.tree = Tree::default();
        document.chunks[0].notes.clear();
    });
    assert!(without_sections.is_ok(), "a document without a tree has its chunks in the root");
}

#[test]
fn a_range_that_ends_outside_the_text_or_inside_a_character_is_refused() {
    let outside = range(0, TEXT.len() as u32 + 1);
    let backwards = range(4, 3);
    let inside_character = range(1, 4);
    type Place = (&'static str, fn(&mut Document, TextRange));
    let places: [Place; 11] = [
        ("word", |document, range| {
            document.layout.words = TextMap::new(vec![PlacedWord { range, page: PageId(0), rect: RECT }]);
        }),
        ("block", |document, range| document.layout.blocks[0].range = range),
        ("caveat", |document, range| {
            document.layout.caveats = Caveats::new(vec![CaveatRange { caveat: Caveat::Ocr, range }]);
        }),
        ("section", |document, range| document.tree.sections[1].range = range),
        ("heading", |document, range| document.tree.sections[1].heading = Some(range)),
        ("reference", |document, range| document.tree.references[0].range = range),
        ("term", |document, range| document.tree.terms[0].range = range),
        ("meaning", |document, range| document.tree.terms[0].meaning = range),
        ("entity", |document, range| document.tree.entities[0].range = range),
        ("chunk", |document, range| document.chunks[0].ranges[0] = range),
        ("mark", |document, range| document.layout.marks[0].at = range.start.max(range.end - 3)),
    ];
    for (place, change) in places {
        let cases: &[TextRange] = match place {
            "mark" => &[inside_character],
            "caveat" => &[outside, inside_character], // an empty one is dropped
            _ => &[outside, backwards, inside_character],
        };
        for &range in cases {
            assert!(reread(|document| change(document, range)).is_err(), "{place} {range:?}");
        }
    }
}

#[test]
fn a_number_just_behind_its_list_is_refused() {
    type Change = (&'static str, fn(&mut Document));
    let changes: [Change; 18] = [
        ("page of a word", |document| {
            let word = PlacedWord { range: range(0, 3), page: PageId(1), rect: RECT };
            document.layout.words = TextMap::new(vec![word]);
        }),
        ("place of a mark", |document| document.layout.marks[0].at += 1),
        ("page of a mark", |document| document.layout.marks[0].page = Some(PageId(1))),
        ("page of furniture", |document| document.layout.furniture[0].page = PageId(1)),
        ("parent that is the section itself", |document| {
            document.tree.sections[1].parent = Some(SectionId(1));
        }),
        ("parent of the root", |document| document.tree.sections[0].parent = Some(SectionId(0))),
        ("block of a section", |document| document.tree.sections[1].blocks[0] = BlockId(1)),
        ("page of a note", |document| document.tree.notes[0].page = Some(PageId(1))),
        ("block of a note", |document| document.tree.notes[0].blocks[0] = BlockId(1)),
        ("mark of a note", |document| document.tree.notes[0].marks[0] = 1),
        ("target of a reference", |document| document.tree.references[0].target = Some(SectionId(2))),
        ("withdrawn section", |document| document.tree.withdrawn[1].section = SectionId(2)),
        ("order of withdrawn sections", |document| document.tree.withdrawn.reverse()),
        ("section of a chunk", |document| document.chunks[0].section = SectionId(2)),
        ("parent of a chunk", |document| document.chunks[0].parents[0] = ChunkId(1)),
        ("article of a chunk", |document| document.chunks[0].article = Some(ChunkId(1))),
        ("note of a chunk", |document| document.chunks[0].notes[0] = NoteId(1)),
        ("no page at all", |document| document.layout.pages.clear()),
    ];
    for (name, change) in changes {
        let error = reread(change).expect_err(name);
        assert_eq!(error.kind(), &ErrorKind::Damaged { section: "meta" }, "{name}");
    }
}

#[test]
fn words_on_lines_of_one_top_or_one_bottom_or_in_each_other_keep_their_own() {
    let word = |start: u32, page: u32, y0: f32, y1: f32| PlacedWord {
        range: range(start, start + 2),
        page: PageId(page),
        rect: Rect { x0: 0.0, y0, x1: 1.0, y1 },
    };
    let placed = [
        word(4, 0, 0.0, 1.0),
        word(6, 0, 0.0, 2.0),
        word(8, 0, 1.0, 2.0),
        word(10, 1, 1.0, 2.0),
        PlacedWord { range: range(12, 17), ..word(0, 0, 0.0, 1.0) },
        PlacedWord { range: range(13, 15), ..word(0, 0, 0.0, 1.0) },
    ];
    let read = reread(|document| {
        document.layout.pages = vec![document.layout.pages[0].clone(); 2];
        document.layout.words = TextMap::new(placed.to_vec());
    });
    let words: Vec<PlacedWord> = read.unwrap().document().layout.words.words().collect();
    assert_eq!(words, placed);
}

#[test]
fn units_are_chunks_in_order_as_many_as_the_postings_have() {
    let encoded = |units: &[u32], n_lengths: usize| {
        let units: Vec<ChunkId> = units.iter().map(|&unit| ChunkId(unit)).collect();
        let postings = Postings { lengths: vec![UnitLength::default(); n_lengths], ..Postings::default() };
        let mut document = document();
        document.chunks = vec![document.chunks[0].clone(); 3];
        let segment = Segment::from_parts(document, AnalyzerKind::Default, units, postings);
        Segment::decode(&segment.encode()).is_ok()
    };
    assert!(encoded(&[], 0) && encoded(&[0, 2], 2));
    assert!(!encoded(&[0], 2), "a unit too few");
    assert!(!encoded(&[0, 1, 2], 2), "a unit too many");
    assert!(!encoded(&[2, 0], 2), "out of order");
    assert!(!encoded(&[1, 1], 2), "twice");
    assert!(!encoded(&[0, 3], 2), "no chunk");
}

#[test]
fn a_segment_is_written_into_room_that_is_made_once() {
    let text =
        "Records of each complaint are kept for five years after the last entry was made. ".repeat(400);
    let mut long = document();
    long.layout.text.clone_from(&text);
    let word = |at: usize| PlacedWord { range: TextRange::new(at, at + 3), page: PageId(0), rect: RECT };
    long.layout.words = TextMap::new((0..text.len() - 3).step_by(5).map(word).collect());
    long.chunks[0].ranges = vec![TextRange::new(0, text.len())];
    let stored = Segment::new(long, AnalyzerKind::Default).encode();
    let spare = stored.capacity() - stored.len();
    assert!(spare < stored.len() / 8, "{spare} bytes to spare of {}", stored.len());
}

/// Bytes of postings of one unit: each term as what it shares with the one before, and the rest; one entry each.
fn postings(terms: &[(u8, &str)], unit: u8) -> Vec<u8> {
    let mut bytes = vec![1, 1, 0];
    put_varint(&mut bytes, terms.len() as u32);
    put_varint(&mut bytes, terms.iter().map(|(_, rest)| rest.len() as u32).sum());
    bytes.extend(terms.iter().flat_map(|(_, rest)| rest.bytes()));
    for (shared, rest) in terms {
        put_varint(&mut bytes, u32::from(*shared));
        put_varint(&mut bytes, rest.len() as u32);
        bytes.extend([1, unit, 0, 8]);
    }
    bytes
}

#[test]
fn terms_ascend_and_share_what_the_one_before_has() {
    let n_terms = |bytes: &[u8]| {
        at_once(async |pace| decode_postings(bytes, pace).await).map(|postings| postings.n_terms())
    };
    assert_eq!(n_terms(&postings(&[(0, "a"), (1, "b"), (0, "b")], 0)), Some(3));
    assert_eq!(n_terms(&postings(&[(0, "a"), (1, "")], 0)), None, "a term twice");
    assert_eq!(n_terms(&postings(&[(0, "b"), (0, "a")], 0)), None, "out of order");
    assert_eq!(n_terms(&postings(&[(0, "a"), (2, "b")], 0)), None, "more shared than there is");
    assert_eq!(n_terms(&postings(&[(0, "规"), (1, "b")], 0)), None, "half a character shared");
    assert_eq!(n_terms(&postings(&[(0, "a")], 1)), None, "a unit that does not exist");
    assert_eq!(n_terms(&[postings(&[(0, "a")], 0), vec![0]].concat()), None, "a byte too many");
}

#[test]
fn short_bytes_do_not_grow_to_long_terms() {
    let decoded = |bytes: &[u8]| at_once(async |pace| decode_postings(bytes, pace).await);
    let long = "a".repeat(200);
    let grown = |n: usize| {
        let mut terms = vec![(0, long.as_str())];
        terms.extend((0..n).map(|at| (200 + u8::try_from(at).unwrap(), "a")));
        postings(&terms, 0)
    };
    assert!(decoded(&grown(3)).is_some());
    let bytes = grown(50);
    assert!(50 * 200 > 16 * bytes.len(), "grows to more than 16 times its length");
    assert!(decoded(&bytes).is_none());
}
