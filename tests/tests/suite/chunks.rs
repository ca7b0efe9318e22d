//! What every split must hold, on real samples: nothing lost, nothing twice, nothing too long.

use document::{BlockKind, Chunk, ChunkKind, Document, TextRange};

use crate::env::{TestSample, samples};

fn of_kind(document: &Document, kind: ChunkKind) -> impl Iterator<Item = &Chunk> {
    document.chunks.iter().filter(move |chunk| chunk.kind == kind)
}

/// How often each byte of the text lies in one of the chunks.
fn cover<'a>(document: &Document, chunks: impl Iterator<Item = &'a Chunk>) -> Vec<u8> {
    let mut cover = vec![0u8; document.layout.text.len()];
    for range in chunks.flat_map(|chunk| &chunk.ranges) {
        for count in &mut cover[range.to_usize()] {
            *count += 1;
        }
    }
    cover
}

/// The ranges that are covered other than `wanted` times, white space aside.
fn wrong_cover(document: &Document, cover: &[u8], notes: bool, wanted: u8) -> Vec<String> {
    let blocks = document.layout.blocks.iter().filter(|block| (block.kind == BlockKind::Footnote) == notes);
    let mut wrong = Vec::new();
    for block in blocks {
        let range = block.range.to_usize();
        let text = &document.layout.text;
        let bad = range.clone().find(|&at| cover[at] != wanted && !text.as_bytes()[at].is_ascii_whitespace());
        if let Some(at) = bad {
            let times = cover[at];
            wrong.push(format!("{times} × byte {} of “{}”", at - range.start, &text[range]));
        }
    }
    wrong
}

#[test]
fn children_cover_the_body_exactly_once() {
    for TestSample { made, read } in samples() {
        let document = &read.document;
        let cover = cover(document, of_kind(document, ChunkKind::Child));
        crate::env::assert_none(made.id, &wrong_cover(document, &cover, false, 1));
        crate::env::assert_none(made.id, &wrong_cover(document, &cover, true, 0));
    }
}

#[test]
fn note_chunks_cover_the_notes_exactly_once() {
    for TestSample { made, read } in samples() {
        let document = &read.document;
        let cover = cover(document, of_kind(document, ChunkKind::Note));
        crate::env::assert_none(made.id, &wrong_cover(document, &cover, true, 1));
        crate::env::assert_none(made.id, &wrong_cover(document, &cover, false, 0));
    }
}

#[test]
fn parents_cover_the_body_and_hold_their_children() {
    for TestSample { made, read } in samples() {
        let document = &read.document;
        let cover = cover(document, of_kind(document, ChunkKind::Parent));
        let lost: Vec<String> = wrong_cover(document, &cover, false, 1)
            .into_iter()
            .filter(|wrong| wrong.starts_with("0 ×"))
            .collect();
        crate::env::assert_none(made.id, &lost);
        let holds =
            |parent: &Chunk, range: &TextRange| parent.ranges.iter().any(|outer| outer.contains(*range));
        for child in of_kind(document, ChunkKind::Child) {
            assert!(!child.parents.is_empty(), "{} {}", made.id, document.chunk_text(child));
            for parent in &child.parents {
                let parent = &document.chunks[parent.idx()];
                assert_eq!(parent.kind, ChunkKind::Parent);
                assert!(
                    child.ranges.iter().all(|range| holds(parent, range)),
                    "{}",
                    document.chunk_text(child)
                );
            }
        }
    }
}

#[test]
fn children_fit_the_encoder_and_parents_their_budget() {
    let options = ::chunks::Options::default();
    for TestSample { made, read } in samples() {
        for chunk in &read.document.chunks {
            let budget = match chunk.kind {
                ChunkKind::Child => options.child_tokens,
                ChunkKind::Parent => options.parent_tokens * 2,
                ChunkKind::Article | ChunkKind::Note => continue,
            };
            let n_tokens = chunk.n_tokens as usize;
            assert!(n_tokens <= budget, "{} {:?} {n_tokens}", made.id, chunk.kind);
        }
    }
}

#[test]
fn articles_are_whole_provisions_that_do_not_overlap() {
    for TestSample { made, read } in samples() {
        let document = &read.document;
        let cover = cover(document, of_kind(document, ChunkKind::Article));
        assert!(cover.iter().all(|&times| times <= 1), "{}", made.id);
        for chunk in of_kind(document, ChunkKind::Article) {
            let section = &document.tree.sections[chunk.section.idx()];
            assert!(section.is_article, "{} {}", made.id, section.title);
            let text = document.chunk_text(chunk);
            assert!(
                text.starts_with(document.layout.slice(section.range).trim_end().get(..8).unwrap_or("")),
                "{text}"
            );
        }
        for child in of_kind(document, ChunkKind::Child) {
            if let Some(article) = child.article {
                let article = &document.chunks[article.idx()];
                assert_eq!(article.kind, ChunkKind::Article, "{}", made.id);
            }
        }
    }
    let n_articles = of_kind(&samples()[0].read.document, ChunkKind::Article).count();
    assert!(n_articles > 30, "{n_articles}");
}

#[test]
fn the_rule_that_answers_is_one_article() {
    let document = &samples()[0].read.document;
    let article = of_kind(document, ChunkKind::Article)
        .map(|chunk| document.chunk_text(chunk))
        .find(|text| text.starts_with("5.2.1"))
        .unwrap();
    for part in ["within five Business Days", "within 30 Business Days", "within 60 Business Days"] {
        assert!(article.contains(part), "{article}");
    }
    assert!(!article.contains("5.2.2"), "{article}");
}
