//! A library that holds a part of a collection, and is told the statistics of all of it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::ops::ControlFlow;

use engine::{
    ApproximateTokens, Ask, Collection, DEPTH, Glossary, IngestOptions, Library, SearchOptions, SearchReply,
    Stats,
};
use pincite_tests::samples;

const QUERIES: [&str; 4] = [
    "How long must a firm keep records of complaints?",
    "termination without cause",
    "reconciliations of Client Money",
    "late fee",
];

fn segments() -> Vec<Vec<u8>> {
    let go_on = &mut |_| ControlFlow::Continue(());
    let read = |sample: &samples::Sample| {
        let pdf = sample.make().ok()?.pdf;
        let name = format!("{}.pdf", sample.id);
        engine::ingest(&pdf, &name, &IngestOptions::default(), &ApproximateTokens, go_on).ok()
    };
    samples::all().iter().filter_map(read).collect()
}

fn library_of<'a>(segments: impl IntoIterator<Item = &'a Vec<u8>>) -> Library {
    let mut library = Library::new();
    for segment in segments {
        library.add(segment).unwrap();
    }
    library
}

/// Statistics of the segments as a store would count them, with the document frequencies of some terms.
fn collection(segments: &[Vec<u8>], terms: impl IntoIterator<Item = String>) -> Collection {
    let segments: Vec<_> = segments.iter().map(|bytes| engine::Segment::decode(bytes).unwrap()).collect();
    let stats = segments.iter().fold(Stats::default(), |sum, segment| Stats {
        n_units: sum.n_units + segment.units().len() as u64,
        text_len: sum.text_len + segment.text_len(),
        header_len: sum.header_len + segment.header_len(),
    });
    let doc_freq = |term: &str| segments.iter().map(|segment| segment.postings().of(term).len() as u64).sum();
    let doc_freq = terms.into_iter().map(|term| (term.clone(), doc_freq(&term))).collect();
    Collection { stats, doc_freq }
}

fn hits(reply: &SearchReply) -> Vec<(String, String, u32)> {
    let hit =
        |hit: &engine::SearchHit| (hit.location.document_id.clone(), hit.text.clone(), hit.score.to_bits());
    reply.hits.iter().map(hit).collect()
}

#[test]
fn a_part_that_knows_the_collection_ranks_as_the_whole_does() {
    let segments = segments();
    let whole = library_of(&segments);
    let options = SearchOptions::parse(10, "child", "exact", false).unwrap().with_fusion("blend").unwrap();
    let mut n_smaller = 0;
    for query in QUERIES {
        let expected = hits(&whole.search(query, None, &options).unwrap());
        assert!(!expected.is_empty(), "{query}");
        // Scores are standardised over the candidates of the words, so the documents of all of them are needed.
        let deep = SearchOptions::parse(DEPTH, "child", "exact", false).unwrap();
        let candidates = hits(&whole.search(query, None, &deep.with_fusion("blend").unwrap()).unwrap());
        let is_needed = |segment: &&Vec<u8>| {
            let info = library_of([*segment]).documents().remove(0);
            candidates.iter().any(|(id, ..)| *id == info.id)
        };
        let needed: Vec<&Vec<u8>> = segments.iter().filter(is_needed).collect();
        n_smaller += usize::from(needed.len() < segments.len());
        let mut part = library_of(needed);
        let terms = part.query_terms(query, &Glossary::default());
        part.use_collection(Some(collection(&segments, terms.into_keys())));
        assert_eq!(hits(&part.search(query, None, &options).unwrap()), expected, "{query}");
        part.use_collection(None);
        assert_eq!(part.search(query, None, &options).unwrap().hits.len(), expected.len());
    }
    assert!(n_smaller > 0, "some query needs only a part");
}

#[test]
fn an_answer_takes_the_documents_that_come_while_it_is_made_and_refuses_to_lose_one() {
    let segments = segments();
    let mut library = library_of(&segments[..1]);
    let mut asking = library.asking(Ask::new(QUERIES[0]));
    for segment in &segments[1..] {
        library.add(segment).unwrap();
    }
    asking.take_documents(&library).unwrap();
    while asking.query().is_some() {
        asking.search(None).unwrap();
        asking.compared(&[]);
    }
    let answer = asking.finish();
    let expected = library_of(&segments).ask(QUERIES[0], None, &SearchOptions::for_answers()).unwrap();
    assert_eq!(answer.text, expected.text);
    assert!(!answer.citations.is_empty());

    let mut asking = library.asking(Ask::new(QUERIES[0]));
    let first = library.documents().remove(0).id;
    library.remove(&first);
    assert!(asking.take_documents(&library).is_err());
}
