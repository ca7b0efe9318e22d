//! Invariants of every split, on the samples: nothing lost, nothing twice, nothing too long.

use document::{Chunk, ChunkKind, Document};
use pincite_tests::invariants;

use crate::env::{TestSample, samples};

fn of_kind(document: &Document, kind: ChunkKind) -> impl Iterator<Item = &Chunk> {
    document.chunks.iter().filter(move |chunk| chunk.kind == kind)
}

#[test]
fn nothing_is_lost_or_twice() {
    for TestSample { made, read } in samples() {
        crate::env::assert_none(made.id, &invariants::broken(&read.document));
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
fn articles_are_whole_provisions() {
    for TestSample { made, read } in samples() {
        let document = &read.document;
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
        .map(|chunk| document.chunk_text(chunk).into_owned())
        .find(|text| text.starts_with("5.2.1"))
        .unwrap();
    for part in ["within five Business Days", "within 30 Business Days", "within 60 Business Days"] {
        assert!(article.contains(part), "{article}");
    }
    assert!(!article.contains("5.2.2"), "{article}");
}
