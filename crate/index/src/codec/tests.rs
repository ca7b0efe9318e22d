//! Stored bytes: round trips, versions, damage.

use document::{
    Block, BlockKind, BlockStyle, Caveat, CaveatRange, Caveats, Chunk, ChunkId, ChunkKind, Document, Layout,
    PageGeometry, PageId, PageInfo, PlacedWord, Rect, Role, Rotation, Section, SectionId, TextMap, TextRange,
    Tree,
};
use proptest::prelude::*;
use text::AnalyzerKind;

use crate::{ErrorKind, FORMAT_VERSION, Segment, VectorBatch};

/// A document whose paragraphs are given; a child for each, an article over all.
fn document(paragraphs: &[&str]) -> Document {
    let mut text = String::new();
    let (mut words, mut blocks, mut chunks) = (Vec::new(), Vec::new(), Vec::new());
    for (line, paragraph) in paragraphs.iter().enumerate() {
        if line > 0 {
            text.push('\n');
        }
        let start = text.len();
        text.push_str(paragraph);
        let range = TextRange::new(start, text.len());
        let y = line as f32 * 12.5;
        let mut at = start;
        for word in paragraph.split(' ').filter(|word| !word.is_empty()) {
            at += text[at..].find(word).unwrap();
            let range = TextRange::new(at, at + word.len());
            at += word.len();
            let rect = Rect { x0: range.start as f32, y0: y, x1: range.end as f32 + 0.1, y1: y + 10.0 };
            words.push(PlacedWord { range, page: PageId(0), rect });
        }
        blocks.push(Block {
            kind: BlockKind::Paragraph,
            role: Role::Body,
            range,
            style: BlockStyle::default(),
            marker: None,
        });
        chunks.push(chunk(ChunkKind::Child, range, Some(ChunkId::from_idx(paragraphs.len()))));
    }
    let whole = TextRange::new(0, text.len());
    chunks.push(chunk(ChunkKind::Article, whole, None));
    let root = Section {
        parent: None,
        level: 0,
        label: None,
        title: String::new(),
        heading: None,
        range: whole,
        blocks: Vec::new(),
        is_article: false,
    };
    let geometry = PageGeometry { crop: [0.0, 0.0, 595.0, 842.0], rotation: Rotation::None };
    Document {
        name: "rules.pdf".to_owned(),
        digest: "ab".repeat(32),
        title: Some("Rules of conduct".to_owned()),
        layout: Layout {
            pages: vec![PageInfo { label: None, geometry }],
            text,
            words: TextMap::new(words),
            blocks,
            caveats: Caveats::new(vec![CaveatRange { caveat: Caveat::Ocr, range: whole }]),
            ..Layout::default()
        },
        tree: Tree { sections: vec![root], ..Tree::default() },
        chunks,
        ..Document::default()
    }
}

fn chunk(kind: ChunkKind, range: TextRange, article: Option<ChunkId>) -> Chunk {
    Chunk {
        kind,
        ranges: vec![range],
        section: SectionId(0),
        n_tokens: 1,
        parents: Vec::new(),
        article,
        notes: Vec::new(),
    }
}

fn segment() -> Segment {
    let paragraphs =
        ["A firm must keep records.", "Records are kept for six years, 规定 too.", "Nothing else"];
    Segment::new(document(&paragraphs), AnalyzerKind::Default)
}

fn batch() -> VectorBatch {
    VectorBatch::new(&"ab".repeat(32), "mini", 1, &[vec![0.6, 0.8], vec![1.0, 0.0]]).unwrap()
}

#[test]
fn a_segment_comes_back_as_it_was_and_gives_the_same_bytes() {
    let segment = segment();
    let bytes = segment.encode();
    let back = Segment::decode(&bytes).unwrap();
    assert_eq!(back, segment);
    assert_eq!(back.encode(), bytes);
    assert_eq!(
        Segment::decode(&Segment::new(Document::default(), AnalyzerKind::Lucene).encode()).unwrap().units(),
        &[]
    );
}

#[test]
fn vectors_come_back_as_they_were() {
    let batch = batch();
    assert_eq!(VectorBatch::decode(&batch.encode()).unwrap(), batch);
    assert_eq!(batch.n_rows(), 2);
}

#[test]
fn batches_one_after_the_other_come_back_in_their_order() {
    let rows = [0, 1, 4].map(|row| (row, vec![1.0, row as f32]));
    let batches = VectorBatch::of_rows("d", "m", rows).unwrap();
    assert_eq!(
        batches.iter().map(|batch| (batch.start(), batch.n_rows())).collect::<Vec<_>>(),
        [(0, 2), (4, 1)]
    );
    let bytes: Vec<u8> = batches.iter().flat_map(VectorBatch::encode).collect();
    assert_eq!(VectorBatch::decode_all(&bytes).unwrap(), batches);
    assert!(VectorBatch::decode(&bytes).is_err(), "one batch was expected");
    for cut in [0, 1, bytes.len() / 2, bytes.len() - 1] {
        assert!(VectorBatch::decode_all(&bytes[..cut]).is_err(), "cut at {cut}");
    }
}

#[test]
fn another_version_is_refused_with_both_numbers() {
    let mut bytes = segment().encode();
    bytes[16] = 9;
    let error = Segment::decode(&bytes).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Version { found: 9, expected: FORMAT_VERSION });
    assert_eq!(
        error.to_string(),
        format!("the stored bytes have format 9, this build reads format {FORMAT_VERSION}")
    );
}

#[test]
fn one_kind_is_not_taken_for_the_other() {
    let error = Segment::decode(&batch().encode()).unwrap_err();
    assert_eq!(error.to_string(), "the stored bytes are not a pincite segment");
    assert!(VectorBatch::decode(b"%PDF-1.7").is_err());
}

#[test]
fn any_flipped_bit_and_any_cut_is_noticed() {
    for bytes in [segment().encode(), batch().encode()] {
        let decodes = |bytes: &[u8]| Segment::decode(bytes).is_ok() || VectorBatch::decode(bytes).is_ok();
        assert!(decodes(&bytes));
        for at in 0..bytes.len() {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << (at % 8);
            assert!(!decodes(&flipped), "byte {at}");
            assert!(!decodes(&bytes[..at]), "cut at {at}");
        }
    }
}

#[test]
fn damage_is_named_by_its_section() {
    let bytes = segment().encode();
    let mut flipped = bytes.clone();
    *flipped.last_mut().unwrap() ^= 1;
    assert_eq!(Segment::decode(&flipped).unwrap_err().kind(), &ErrorKind::Damaged { section: "postings" });
    let mut flipped = bytes;
    flipped[30] ^= 1;
    assert_eq!(Segment::decode(&flipped).unwrap_err().kind(), &ErrorKind::Damaged { section: "header" });
}

#[test]
fn well_summed_nonsense_is_refused() {
    let names = ["meta", "text", "words", "postings"];
    let good = segment().encode();
    let parts = super::container::read(&good, "segment", names).unwrap();
    // A word outside the text; a chunk range that splits a character.
    for (section, body) in [
        (2, vec![1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0xFF, 0xFF, 3, 0, 0, 0, 0, 0, 0, 0, 0]),
        (1, "规".repeat(30).into_bytes()),
    ] {
        let mut bodies: Vec<(&'static str, Vec<u8>)> =
            names.into_iter().zip(parts.iter().map(|part| part.to_vec())).collect();
        bodies[section].1 = body;
        let error = Segment::decode(&super::container::write("segment", &bodies)).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Damaged { .. }), "{error}");
    }
}

proptest! {
    #[test]
    fn segments_round_trip(paragraphs in prop::collection::vec("[a-zéß规定 0-9().]{1,40}", 1..6)) {
        let paragraphs: Vec<&str> = paragraphs.iter().map(|p| p.trim()).filter(|p| !p.is_empty()).collect();
        let segment = Segment::new(document(&paragraphs), AnalyzerKind::Default);
        prop_assert_eq!(Segment::decode(&segment.encode()).unwrap(), segment);
    }

    #[test]
    fn sections_of_random_bytes_never_panic(
        meta in prop::collection::vec(any::<u8>(), 0..60),
        words in prop::collection::vec(any::<u8>(), 0..60),
        postings in prop::collection::vec(any::<u8>(), 0..60),
    ) {
        let names = ["meta", "text", "words", "postings"];
        let good = segment().encode();
        let parts = super::container::read(&good, "segment", names).unwrap();
        for (section, body) in [(0, &meta), (2, &words), (3, &postings)] {
            let mut bodies: Vec<(&'static str, Vec<u8>)> =
                names.into_iter().zip(parts.iter().map(|part| part.to_vec())).collect();
            bodies[section].1 = body.clone();
            let _ = Segment::decode(&super::container::write("segment", &bodies));
        }
        let _ = VectorBatch::decode(&super::container::write("vectors", &[("meta", meta), ("rows", words)]));
    }
}
